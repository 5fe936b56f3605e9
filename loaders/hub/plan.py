"""What a push would do: which version, which files, and what is there already."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from benchloom.builders.errors import InputError
from benchloom.builders.manifest import SUMS, parse_sums
from benchloom.builders.pipeline import OURS
from benchloom.builders.stage import CARD
from benchloom.loaders.directory import Build
from benchloom.loaders.hub.checks import (
    ATTRIBUTES,
    card_faults,
    card_patterns,
    files_beside,
    script_of,
    secret_faults,
)
from benchloom.loaders.hub.client import Hub, RemoteFile
from benchloom.loaders.hub.head import MAIN, Head, Upload, changelog_entry, read_head
from benchloom.loaders.hub.numbering import choose_version, least_bump_from, next_free
from benchloom.loaders.hub.version import Bump, Version

REPLACED = (CARD, ATTRIBUTES)
"""What may stand in a repository before its first release and be replaced by it."""


@dataclass(frozen=True)
class MissingTag:
    """A tag that a push did not come to set, and where it belongs."""

    name: str
    commit: str
    message: str


@dataclass(frozen=True)
class PushPlan:
    """What a push would do.

    Attributes:
        repo: The repository.
        branch: The branch.
        version: The version it becomes.
        reason: Why this version, in a sentence.
        entry: What the changelog and the tag say of it.
        files: All files of the release, those sent beside it included, by path.
        additions: The paths of those that the head of the branch does not have.
        deletions: The paths of files of the release before that this one does not have.
        head: What all this was worked out from.
        there: The commit that is this release already, None when none is.
        is_public: Whether the repository is; None when it is yet to be made.
        creates_branch: Whether the branch is yet to be made.
        earlier_tag: A tag that the push before this one did not come to set.
        notes: Sentences on what is left out or replaced.
    """

    repo: str
    branch: str
    version: Version
    reason: str
    entry: str
    files: Mapping[str, Upload]
    additions: Sequence[str]
    deletions: Sequence[str]
    head: Head
    there: str | None
    is_public: bool | None
    creates_branch: bool
    earlier_tag: MissingTag | None
    notes: Sequence[str]

    @property
    def tag(self) -> str | None:
        """The tag of the release; None on a branch, where there are none."""
        return self.version.tag if self.branch == MAIN else None

    def is_carried_out(self, files: Mapping[str, RemoteFile]) -> bool:
        """Tells whether files in a repository are this release, with nothing stale beside it."""
        return not set(self.deletions) & set(files) and all(
            upload.is_at(files.get(path)) for path, upload in self.files.items()
        )


def make_plan(
    hub: Hub,
    build: Build,
    repo: str,
    *,
    version: Version | None = None,
    message: str | None = None,
    branch: str = MAIN,
    private: bool = False,
    include: Sequence[str] = (),
) -> PushPlan:
    """Returns what a push of a build to a repository would do; nothing is sent.

    Args:
        hub: The Hub.
        build: The build, checked by `release_faults`.
        repo: The repository, `org/name`.
        version: The version wanted; by default the least that fits.
        message: What the changelog and the tag say of it; by default why it has this version.
        branch: The branch.
        private: Whether the repository is to be private.
        include: Patterns of files beside the build that are sent too.

    Raises:
        InputError: If the version does not fit, or something in the repository is in the way.
    """
    is_public = hub.call(f"read {repo}", lambda: _is_public(hub, repo))
    if private and is_public:
        raise InputError(
            f"{repo} is there already and public, and --private is for a repository that the push "
            "makes; make it private in its settings, or leave --private out"
        )
    head, creates_branch = Head(), branch != MAIN
    if is_public is not None:
        refs = hub.refs(repo)
        head, creates_branch = read_head(hub, repo, branch, refs), branch not in refs.branches
    if head.benchmark not in (None, build.benchmark.name):
        raise InputError(
            f"{repo} holds releases of {head.benchmark}, and {build.directory} is a build of "
            f"{build.benchmark.name}; push it to another repository"
        )
    included, left_out = files_beside(build, include)
    beside = {file: Upload.of(build.directory / file) for file in included}
    notes = [f"{file} is of no build and is left out" for file in left_out]

    def plan(
        to: Version, reason: str, entry: str, changelog: str | None, there: str | None = None
    ) -> PushPlan:
        files = _release_files(build, to, changelog, repo, beside)
        return PushPlan(
            repo=repo,
            branch=branch,
            version=to,
            reason=reason,
            entry=entry,
            files=files,
            additions=[
                path for path, file in files.items() if not file.is_at(head.files.get(path))
            ],
            deletions=[p for p in (*head.sums, SUMS) if p in head.files and p not in files],
            head=head,
            there=there,
            is_public=is_public,
            creates_branch=creates_branch,
            earlier_tag=_earlier_tag(head) if branch == MAIN and there is None else None,
            notes=notes,
        )

    rendered: Sequence[str] = ()
    if head.version is not None:
        entry = changelog_entry(head.changelog, head.version)
        standing = plan(head.version, "nothing differs", entry, head.changelog, head.commit)
        rendered = [*standing.additions, *standing.deletions]
        if not rendered and version in (None, head.version):
            _check_tag(hub, standing)
            return standing
    least, reason = least_bump_from(hub, build, repo, head, rendered)
    to = choose_version(repo, head, version, least, reason)
    entry = _entry(message, reason, hub.api.token or None)
    found = plan(to, reason, entry, _changelog(head.changelog, to, entry))
    _check_way(found, build)
    if head.version is None and CARD in head.files:
        notes.append(f"{CARD} stands in {repo} already, is of no release, and is replaced")
    notes += [
        f"{path} is of no release and stays in {repo}"
        for path in head.files
        if path not in (ATTRIBUTES, *found.files, *found.deletions)
    ]
    notes += [
        f"{path} was sent with --include before, is not now, and is deleted"
        for path in found.deletions
        if not OURS.fullmatch(path)
    ]
    notes += [
        f"{path} was changed in {repo} since {head.version}, and is replaced"
        for path in head.edited
        if path in found.files and path in head.files
    ]
    return found


def _entry(message: str | None, reason: str, token: str | None) -> str:
    """Returns what changelog and tag say of a release: the user's words, if any, and the reason.

    Raises:
        InputError: If the user's words cannot stand there.
    """
    words = " ".join((message or "").split())
    if words.startswith("#") or not words.isprintable():
        raise InputError("the --message must be plain text and not begin with #")
    if secrets := secret_faults("the --message", words.encode(), token):
        raise InputError(secrets[0])
    sentence = f"{reason[0].upper()}{reason[1:]}."
    return f"{words}\n\n{sentence}" if words else sentence


def _is_public(hub: Hub, repo: str) -> bool | None:
    """Returns whether a repository is public, None when there is none (that we may see)."""
    from huggingface_hub.utils import GatedRepoError, RepositoryNotFoundError

    try:
        return not hub.api.repo_info(repo, repo_type="dataset").private
    except GatedRepoError:
        raise
    except RepositoryNotFoundError:
        return None


def _release_files(
    build: Build,
    version: Version,
    changelog: str | None,
    repo: str,
    beside: Mapping[str, Upload],
) -> dict[str, Upload]:
    """Returns all files of a build's release under a version, by path.

    Texts and contact sheets are made for the version; shards and digests lie in the directory. The
    files sent beside them are listed in SHA256SUMS too.
    """
    from benchloom.cards.rendering import render_release

    made = render_release(build, str(version), changelog, repository=repo)
    sums = parse_sums(made[SUMS], SUMS)
    sums |= {path: upload.sha256 for path, upload in beside.items()}
    made[SUMS] = "".join(f"{sums[path]}  {path}\n" for path in sorted(sums)).encode()
    return {
        path: Upload.of(made[path] if path in made else build.locate(path), sha256)
        for path, sha256 in {**sums, SUMS: None}.items()
    }


def _changelog(before: str | None, version: Version, entry: str) -> str:
    from benchloom.cards.rendering import next_changelog

    return next_changelog(before, str(version), entry)


def _earlier_tag(head: Head) -> MissingTag | None:
    """Returns the tag that the release at the head of main lacks, None when there is none."""
    if head.version is None or head.commit is None or head.edited or head.version.tag in head.tags:
        return None
    message = changelog_entry(head.changelog, head.version)
    return MissingTag(head.version.tag, head.commit, message)


def _check_tag(hub: Hub, plan: PushPlan) -> None:
    """Refuses a release that stands at the head while its tag is at other content.

    Raises:
        InputError: If it is so.
    """
    at = plan.head.tags.get(plan.tag or "")
    if at not in (None, plan.there) and not plan.is_carried_out(hub.tree(plan.repo, str(at))):
        raise InputError(
            f"{plan.repo} is at {plan.version} already, but its tag {plan.tag} is at other content "
            f"(commit {str(at)[:8]}), and a tag is never moved; push it as "
            f"{next_free(plan.version, Bump.PATCH, plan.head.tags)} or higher"
        )


def _check_way(plan: PushPlan, build: Build) -> None:
    """Refuses a push over, or beside, files that would be lost or would break every load.

    Raises:
        InputError: If there is one.
    """
    repo, head = plan.repo, plan.head
    if faults := card_faults(plan.files[CARD].content().decode(), build, str(plan.version)):
        raise RuntimeError(f"the card of the release is wrong: {faults[0]}")
    known = {*head.sums, SUMS, CARD} if head.version else set(REPLACED)
    for path in plan.additions:
        if path in head.files and path not in known:
            raise InputError(
                f"{repo} holds a {path} that is of no release, and would be lost; "
                "move it away there, or push to another repository"
            )
    if (script := script_of(repo)) in head.files:
        raise InputError(
            f"{repo} holds {script}, which makes every load of it fail; "
            "delete it there, then push again"
        )
    patterns = card_patterns(plan.files[CARD].content().decode())
    stays = [path for path in head.files if path not in (*plan.files, *plan.deletions)]
    for path in stays:
        if any(fnmatchcase(path, pattern) for pattern in patterns):
            raise InputError(
                f"{repo} holds {path}, which is of no release and would be loaded with this "
                "one; delete it there, then push again"
            )
