"""What stands in a repository: the release at the head of a branch, and files as they are there."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchloom.builders.errors import InputError
from benchloom.builders.manifest import NAME, SUMS, parse_manifest, parse_sums
from benchloom.loaders.hub.client import Hub, Refs, RemoteFile
from benchloom.loaders.hub.version import Version

CHANGES = "CHANGELOG.md"
MAIN = "main"


@dataclass(frozen=True)
class Upload:
    """A file of a release: its bytes or where they are, their number and SHA-256."""

    source: bytes | Path
    size: int
    sha256: str

    @classmethod
    def of(cls, source: bytes | Path, sha256: str | None = None) -> Upload:
        """Returns a file of a release, its SHA-256 worked out where it is not known."""
        if isinstance(source, bytes):
            return cls(source, len(source), sha256 or hashlib.sha256(source).hexdigest())
        with source.open("rb") as file:
            digest = sha256 or hashlib.file_digest(file, "sha256").hexdigest()
        return cls(source, source.stat().st_size, digest)

    def content(self) -> bytes:
        """Returns the bytes."""
        return self.source if isinstance(self.source, bytes) else self.source.read_bytes()

    def is_at(self, remote: RemoteFile | None) -> bool:
        """Tells whether a file in a repository has the same bytes."""
        if remote is None or remote.size != self.size:
            return False
        if remote.sha256 is not None:
            return remote.sha256 == self.sha256
        content = self.content()  # small, else the Hub would have a SHA-256 of it
        blob = hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False)
        return blob.hexdigest() == remote.blob_id


@dataclass(frozen=True)
class Head:
    """What stands at the head of a branch.

    Attributes:
        commit: The commit; None when there is no repository yet.
        files: Its files.
        version: The version of the release there, None when there is none.
        benchmark: What the release is one of, None when there is none.
        sums: The SHA-256 of the release's files, as its SHA256SUMS lists them.
        changelog: The text of its CHANGELOG.md, None when there is none.
        edited: The files of the release that are missing or not as they were pushed.
        tags: The repository's tags and their commits.
    """

    commit: str | None = None
    files: Mapping[str, RemoteFile] = field(default_factory=dict)
    version: Version | None = None
    benchmark: str | None = None
    sums: Mapping[str, str] = field(default_factory=dict)
    changelog: str | None = None
    edited: Sequence[str] = ()
    tags: Mapping[str, str] = field(default_factory=dict)


def read_head(hub: Hub, repo: str, branch: str, refs: Refs) -> Head:
    """Returns what stands at the head of a branch, or of main when the branch is yet to be made.

    Raises:
        InputError: If there is neither, or its manifest cannot be read.
    """
    commit = refs.branches.get(branch) or refs.branches.get(MAIN)
    if commit is None:
        raise InputError(f"{repo} has no branch {MAIN}; make a commit on its page, then push again")
    files = hub.tree(repo, commit)
    if NAME not in files or SUMS not in files:
        return Head(commit, files, tags=refs.tags)
    where, mend = f"{NAME} of {repo}", "put the last good one back there, then push again"
    manifest = parse_manifest(hub.read(repo, commit, NAME), where, mend)
    version = Version.parse(manifest.version)
    sums = parse_sums(hub.read(repo, commit, SUMS), f"{SUMS} of {repo}", mend)
    changelog = None
    if CHANGES in files:
        changelog = hub.read(repo, commit, CHANGES).decode(errors="replace")
    edited = changed_files(hub, repo, commit, files, sums)
    return Head(
        commit, files, version, manifest.recipe.benchmark, sums, changelog, edited, refs.tags
    )


def changed_files(
    hub: Hub, repo: str, commit: str, files: Mapping[str, RemoteFile], sums: Mapping[str, str]
) -> list[str]:
    """Returns those files of a commit that are missing or not as their SHA-256 says.

    The Hub knows the SHA-256 of large files; the others, small texts, are fetched.
    """
    changed = []
    for path, wanted in sums.items():
        remote = files.get(path)
        if remote is not None and remote.sha256 is None:
            found = hashlib.sha256(hub.read(repo, commit, path)).hexdigest()
        else:
            found = (remote.sha256 or "") if remote else ""
        if found != wanted:
            changed.append(path)
    return changed


def changelog_entry(text: str | None, version: Version) -> str:
    """Returns what a changelog says of a version, empty when it says nothing."""
    for section in (text or "").split("\n## ")[1:]:
        title, _, entry = section.partition("\n")
        if title.split()[:1] == [str(version)]:
            return entry.strip()
    return ""
