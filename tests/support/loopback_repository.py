"""What the loopback Hub holds: users, and of a dataset its commits, branches, tags and blobs."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from fnmatch import fnmatchcase
from itertools import pairwise

# What the Hub puts into a new dataset repository, in short.
GIT_ATTRIBUTES = "".join(
    f"*.{suffix} filter=lfs diff=lfs merge=lfs -text\n"
    for suffix in ("arrow", "bin", "gz", "jpg", "npy", "npz", "parquet", "png", "tar", "zip", "zst")
).encode()
FIRST_DAY = datetime(2024, 1, 1, tzinfo=UTC)
FORBIDDEN_PARTS = ("", ".", "..", ".git")


class HubError(Exception):
    """A reply other than success, as the Hub gives it: `code` is its X-Error-Code."""

    def __init__(self, status: int, message: str, code: str | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.code = code


@dataclass(frozen=True)
class User:
    """An account and its token. `orgs` gives its role in each organisation."""

    name: str
    role: str
    orgs: Mapping[str, str]
    scopes: tuple[str, ...]

    def may_read(self, repo: str) -> bool:
        """Returns whether the user sees a private repository."""
        space = repo.partition("/")[0]
        member = space == self.name or space in self.orgs
        return member and (self.role != "fineGrained" or space in self.scopes)

    def may_write(self, repo: str) -> bool:
        """Returns whether user and token may change a repository."""
        space = repo.partition("/")[0]
        is_writer = space == self.name or self.orgs.get(space) in ("write", "admin")
        return is_writer and self.role != "read" and self.may_read(repo)


@dataclass(frozen=True)
class Entry:
    """A file in a commit. `oid` is git's name for it: for LFS that of the pointer."""

    sha256: str
    size: int
    oid: str
    lfs: bool

    @property
    def etag(self) -> str:
        """What the Hub names this content by: the SHA-256 of an LFS file, else git's name."""
        return self.sha256 if self.lfs else self.oid


@dataclass(frozen=True)
class Commit:
    """A commit and the whole tree it stands for: path → entry, sorted by path."""

    id: str
    parent: str | None
    title: str
    message: str
    author: str
    date: str
    tree: Mapping[str, Entry]


@dataclass(frozen=True)
class Tag:
    """A tag: the commit it is on, and its message."""

    commit: str
    message: str | None


def git_name(content: bytes) -> str:
    """Returns git's name for a blob."""
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()


def pointer_of(sha256: str, size: int) -> bytes:
    """Returns what git holds in place of an LFS file."""
    return (
        f"version https://git-lfs.github.com/spec/v1\noid sha256:{sha256}\nsize {size}\n".encode()
    )


def lfs_entry(sha256: str, size: int) -> Entry:
    """Returns the entry of an LFS file."""
    return Entry(sha256, size, git_name(pointer_of(sha256, size)), lfs=True)


def check_path(path: str) -> None:
    """Refuses what the Hub takes for no path of a file."""
    if any(part in FORBIDDEN_PARTS for part in path.split("/")):
        raise HubError(400, f"Invalid path: {path!r}")


def slice_of(tree: Mapping[str, Entry], path: str) -> dict[str, Entry]:
    """Returns the entry at a path, or all entries below it."""
    return {name: entry for name, entry in tree.items() if f"{name}/".startswith(f"{path}/")}


@dataclass
class Repository:
    """One dataset repository.

    `blobs` is the store: SHA-256 as recorded → bytes as stored, which differ only where a test has
    damaged them. `uploads` is what was sent to the LFS store and not yet checked.
    """

    name: str
    author: str
    private: bool
    # From this size on, and for what looks like no text, a file must be sent by LFS.
    regular_limit: int
    history: dict[str, Commit] = field(default_factory=dict)
    branches: dict[str, str] = field(default_factory=dict)
    tags: dict[str, Tag] = field(default_factory=dict)
    blobs: dict[str, bytes] = field(default_factory=dict)
    uploads: dict[str, bytes] = field(default_factory=dict)

    def __post_init__(self) -> None:
        first = {".gitattributes": self.store(GIT_ATTRIBUTES, lfs=False)}
        self.branches["main"] = self.add_commit(None, first, "initial commit", "", self.author).id

    def find(self, revision: str) -> Commit:
        """Returns the commit that a branch, a tag or an identifier names."""
        name = self.branches.get(revision)
        if name is None and revision in self.tags:
            name = self.tags[revision].commit
        commit = self.history.get(name or revision)
        if commit is None:
            raise HubError(404, f"Invalid rev id: {revision}", "RevisionNotFound")
        return commit

    def ancestry(self, commit: Commit) -> list[Commit]:
        """Returns the commit and all before it, the newest first."""
        line = [commit]
        while (parent := line[-1].parent) is not None:
            line.append(self.history[parent])
        return line

    def last_change(self, commit: Commit, path: str) -> Commit:
        """Returns the commit that last changed a file, or anything in a folder."""
        line = self.ancestry(commit)
        for newer, older in pairwise(line):
            if slice_of(newer.tree, path) != slice_of(older.tree, path):
                return newer
        return line[-1]

    def store(self, content: bytes, *, lfs: bool) -> Entry:
        """Puts a blob into the store and returns its entry."""
        sha256 = hashlib.sha256(content).hexdigest()
        self.blobs[sha256] = content
        if lfs:
            return lfs_entry(sha256, len(content))
        return Entry(sha256, len(content), git_name(content), lfs=False)

    def settle(self, oid: str) -> bool:
        """Returns whether the store holds this LFS object; what was uploaded is checked first."""
        content = self.uploads.pop(oid, None)
        if content is not None and hashlib.sha256(content).hexdigest() == oid:
            self.blobs[oid] = content
        return oid in self.blobs

    def needs_lfs(self, commit: Commit, path: str, size: int, sample: bytes) -> bool:
        """Returns whether a file is to be sent by LFS, as .gitattributes and its content say."""
        if size >= self.regular_limit or b"\0" in sample:
            return True
        attributes = commit.tree.get(".gitattributes")
        lines = self.blobs[attributes.sha256].decode().splitlines() if attributes else []
        patterns = [line.split()[0] for line in lines if "filter=lfs" in line.split()[1:]]
        name = path.rpartition("/")[2]
        return any(fnmatchcase(path if "/" in line else name, line) for line in patterns)

    def add_commit(
        self,
        parent: Commit | None,
        changes: Mapping[str, Entry | None],
        title: str,
        message: str,
        author: str,
    ) -> Commit:
        """Returns the commit that follows a parent; None takes a file away. Moves no branch."""
        tree = {**(parent.tree if parent else {}), **changes}
        whole = {path: entry for path, entry in sorted(tree.items()) if entry is not None}
        for path in whole:
            parts = path.split("/")
            folders = ["/".join(parts[:end]) for end in range(1, len(parts))]
            if clash := next((folder for folder in folders if folder in whole), None):
                raise HubError(400, f"{clash} is a file and cannot be a folder, too")
        # The count keeps two commits of the same content on the same parent apart.
        names = [[path, entry.sha256, entry.lfs] for path, entry in whole.items()]
        key = [parent and parent.id, title, message, len(self.history), names]
        identifier = hashlib.sha1(json.dumps(key).encode()).hexdigest()
        moment = FIRST_DAY + timedelta(seconds=len(self.history))
        date = moment.strftime("%Y-%m-%dT%H:%M:%S.000Z")
        parent_id = parent.id if parent else None
        commit = Commit(identifier, parent_id, title, message, author, date, whole)
        self.history[identifier] = commit
        return commit

    def move(self, revision: str, commit: Commit) -> None:
        """Puts a branch or a tag onto a commit."""
        if revision in self.branches:
            self.branches[revision] = commit.id
        elif revision in self.tags:
            self.tags[revision] = Tag(commit.id, self.tags[revision].message)
        else:
            raise HubError(404, f"Invalid rev id: {revision}", "RevisionNotFound")
