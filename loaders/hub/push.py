"""Pushing a build as a release: one commit, one tag, and a look at what came of it.

A push keeps no notes on the disk. What is to be done is worked out from what stands in the
repository, so a push that was cut short, wherever that was, is finished by the same command.
"""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from benchloom.builders.errors import InputError
from benchloom.loaders.directory import Build
from benchloom.loaders.hub.checks import expected_configs, release_faults, smallest_config
from benchloom.loaders.hub.client import Hub
from benchloom.loaders.hub.content import checked, content_faults
from benchloom.loaders.hub.head import MAIN, changed_files
from benchloom.loaders.hub.permission import check_permission
from benchloom.loaders.hub.plan import MissingTag, PushPlan, make_plan
from benchloom.loaders.hub.sending import commit_release, create_places, set_tag
from benchloom.loaders.hub.trial import Expected, Place, loading_faults
from benchloom.loaders.hub.version import Version

NAME_FORM = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*", re.ASCII)
BRANCH_FORM = re.compile(r"[A-Za-z0-9][\w./-]*", re.ASCII)

Trial = Callable[[Place, Mapping[str, Expected]], list[str]]


def push(
    hub: Hub,
    directory: Path,
    repo: str,
    *,
    version: str | None = None,
    message: str | None = None,
    private: bool = False,
    dry_run: bool = False,
    branch: str = MAIN,
    include: Sequence[str] = (),
    say: Callable[[str], None] = print,
    trial: Trial = loading_faults,
) -> list[str]:
    """Pushes a build as a release and returns a sentence for each thing that is not right there.

    In order: may the user write there; is the build fit for release, down to its records; which
    version does it become; does every config load; one commit on the head that all this was worked
    out from; a tag; what stands there under the tag, held against SHA256SUMS and loaded.

    Args:
        hub: The Hub.
        directory: The build.
        repo: The repository, `org/name`; made when there is none.
        version: The version wanted, `X.Y.Z`; by default the least that fits.
        message: What is new, for changelog and tag.
        private: Makes a new repository private.
        dry_run: Only says what would be done.
        branch: Another branch than main; a release there gets no tag.
        include: Patterns of files beside the build that are sent too.
        say: Takes each line of what is to be done and what was.
        trial: Loads configs and says what is wrong with them.

    Raises:
        InputError: If it cannot be done; the branch is then wholly as it was or wholly the release,
            and the message says which.
    """
    wanted = None if version is None else Version.parse(version)
    if wanted == Version(0, 0, 0):
        raise InputError(
            "0.0.0 is the version of what was never released; choose another, such as 1.0.0"
        )
    _check_names(repo, branch)
    build = Build(directory)
    check_permission(hub, repo)
    counts: Counter[str] = Counter()
    faults = release_faults(build, repo, include, hub.api.token or None)
    if faults := faults or content_faults(build, counts):
        rest = f" (and {len(faults) - 1} more faults)" if len(faults) > 1 else ""
        raise InputError(f"{directory} cannot be released: {faults[0]}{rest}")

    def planned() -> PushPlan:
        return make_plan(
            hub,
            build,
            repo,
            version=wanted,
            message=message,
            branch=branch,
            private=private,
            include=include,
        )

    plan = planned()
    for line in outline(plan, private):
        say(line)
    say(checked(counts))
    expected = expected_configs(build)
    if plan.there is None:
        with _laid_out(plan) as folder:
            if faults := trial(Place(str(folder)), expected):
                raise InputError(f"{directory} cannot be released: {faults[0]}")
        say(f"load_dataset loads {', '.join(expected)}")
    if dry_run:
        say("nothing was sent (--dry-run)")
        return []
    if plan.is_public is None or plan.creates_branch:
        create_places(hub, plan, private)
        plan = planned()
    if plan.earlier_tag:
        set_tag(hub, plan, plan.earlier_tag)
        say(f"set the tag {plan.earlier_tag.name}, which was missing")
    commit = plan.there or commit_release(hub, plan)
    if plan.tag and plan.tag not in plan.head.tags:
        set_tag(hub, plan, MissingTag(plan.tag, commit, plan.entry))
    revision = plan.tag or commit
    faults = remote_faults(hub, plan, revision)
    smallest = smallest_config(build)
    place = Place(repo, revision, hub.endpoint, hub.api.token or None)
    faults += trial(place, {smallest: expected[smallest]})
    if not faults:
        say(
            f"{repo} is at {plan.version}"
            + (f", tag {plan.tag}" if plan.tag else f" on branch {branch}, without a tag")
            + f": {len(plan.files)} files as in SHA256SUMS, and {smallest} loads"
        )
    return [f"{repo} at {revision}: {fault}" for fault in faults]


def outline(plan: PushPlan, private: bool = False) -> Iterator[str]:
    """Yields the lines that tell what a push would do: files, sizes, version and why."""
    if plan.there is not None:
        yield f"{plan.repo} is at {plan.version} already, with the same content"
        if plan.tag and plan.tag not in plan.head.tags:
            yield f"its tag {plan.tag} is missing, and is set"
        return
    if plan.is_public is None:
        yield f"{plan.repo} is made, {'private' if private else 'public'}"
    for path in plan.additions:
        yield f"  + {path}  {_size(plan.files[path].size)}"
    for path in plan.deletions:
        yield f"  - {path}"
    sent = sum(plan.files[path].size for path in plan.additions)
    total = sum(upload.size for upload in plan.files.values())
    yield (
        f"{len(plan.additions)} of {len(plan.files)} files to send, {_size(sent)} of "
        f"{_size(total)}; {len(plan.deletions)} to delete"
    )
    yield from plan.notes
    before = f"{plan.head.version} → " if plan.head.version else ""
    yield f"version {before}{plan.version}: {plan.reason}"
    if plan.tag is None:
        yield f"branch {plan.branch}: no tag is set there"


def remote_faults(hub: Hub, plan: PushPlan, revision: str) -> list[str]:
    """Returns a sentence for each file of a release that is not at a revision as it was sent.

    Raises:
        InputError: If the revision cannot be read.
    """
    commit = hub.commit(plan.repo, revision)
    files = hub.tree(plan.repo, commit)
    sums = {path: upload.sha256 for path, upload in plan.files.items()}
    return [
        f"{path} is not the file that was sent: its SHA-256 differs"
        if path in files
        else f"{path} is missing"
        for path in changed_files(hub, plan.repo, commit, files, sums)
    ]


def _check_names(repo: str, branch: str) -> None:
    """Refuses what is no name of a repository or a branch.

    Raises:
        InputError: If one is none.
    """
    if not NAME_FORM.fullmatch(repo) or ".." in repo or repo.endswith((".git", ".")):
        raise InputError(f"{repo!r} is no name of a dataset; write it as ORG/NAME, such as org/vga")
    if (
        not BRANCH_FORM.fullmatch(branch)
        or ".." in branch
        or branch.startswith("refs/")
        or branch.endswith(("/", ".lock"))
        or Version.of_tag(branch)
    ):
        raise InputError(f"{branch!r} is no name of a branch; choose a word such as preview")


@contextmanager
def _laid_out(plan: PushPlan) -> Iterator[Path]:
    """Gives a folder that looks as the repository will; large files are links."""
    with tempfile.TemporaryDirectory(prefix="benchloom-release-") as name:
        for path, upload in plan.files.items():
            target = Path(name, path)
            target.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(upload.source, bytes):
                target.write_bytes(upload.source)
            else:
                target.symlink_to(upload.source.absolute())
        yield Path(name)


def _size(count: int) -> str:
    return f"{count / 1e6:,.1f} MB" if count >= 100_000 else f"{count:,} bytes"
