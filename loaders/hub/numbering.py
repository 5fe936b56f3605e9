"""Which version a release gets."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from benchloom.builders.errors import InputError
from benchloom.builders.manifest import SUMS, Manifest
from benchloom.loaders.directory import Build
from benchloom.loaders.hub.client import Hub
from benchloom.loaders.hub.head import Head
from benchloom.loaders.hub.version import Bump, Version


def least_bump_from(
    hub: Hub, build: Build, repo: str, head: Head, files: Sequence[str]
) -> tuple[Bump, str]:
    """Returns how far a build's version must be from the release at the head, and why.

    Args:
        hub: The Hub.
        build: The build.
        repo: The repository.
        head: What stands there.
        files: Which files would differ if the build were pushed under the version that is there.

    Raises:
        InputError: If `records/` of either cannot be read.
    """
    from benchloom.loaders.hub.differences import compare, explain, least_bump
    from benchloom.loaders.hub.release import open_release

    if head.version is None:
        return Bump.NONE, "first release"
    before = open_release(f"{repo}@{head.commit}", hub)
    found = compare(before, open_release(str(build.directory)))
    if any(found.splits):
        return least_bump(found), explain(found)
    others = [file for file in files if file != SUMS]
    words = [f"other content in {', '.join(others)}"] if others else []
    if _code(before.manifest) != _code(build.manifest):
        words.insert(0, "made by other code or package versions")
    return Bump.PATCH, ", ".join(["the same records", *words]) if words else "nothing differs"


def next_free(version: Version, step: Bump, tags: Collection[str]) -> Version:
    """Returns the first version from one on, in steps of a bump, whose tag is not taken."""
    while version.tag in tags:
        version = version.next(step)
    return version


def _code(manifest: Manifest) -> list[tuple[str, dict[str, str]]]:
    return [(config.code, dict(config.packages)) for config in manifest.configs.values()]


def choose_version(
    repo: str, head: Head, wanted: Version | None, least: Bump, reason: str
) -> Version:
    """Returns the version that a release gets: the one wanted, if it fits, or the least that fits.

    A version fits when it is far enough from that of the release before and its tag is not taken.

    Args:
        repo: The repository.
        head: What stands there.
        wanted: The version wanted, None for the least that fits.
        least: How far it must be from the release before.
        reason: Why, in a sentence.

    Raises:
        InputError: If the version wanted does not fit, with those that do.
    """
    before = head.version
    step = Bump.PATCH if before is None else least
    lowest = Version(1, 0, 0) if before is None else before.next(least)
    lowest = next_free(lowest, step, head.tags)
    fits = f"push it as {lowest} or higher"
    if wanted is None:
        return lowest
    if before is not None and wanted == before:
        raise InputError(
            f"{repo} is at {before} already, with other content ({reason}), and a version never "
            f"changes; {fits}"
        )
    if before is not None and wanted.bump_from(before) < least:
        raise InputError(f"{wanted} does not fit after {before} of {repo}: {reason}; {fits}")
    if wanted.tag in head.tags:
        raise InputError(
            f"{repo} has the tag {wanted.tag} already, and a tag is never moved; {fits}"
        )
    return wanted
