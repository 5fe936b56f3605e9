"""Checking a release on the Hub: its files against their sums, its records against their recipe."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

from yaml import YAMLError

from benchloom.builders.errors import InputError
from benchloom.builders.manifest import NAME, SUMS, leaves_folder, parse_manifest, parse_sums
from benchloom.builders.stage import CARD
from benchloom.loaders.directory import ANEW, Build
from benchloom.loaders.hub.checks import card_patterns, script_of
from benchloom.loaders.hub.content import stated_faults
from benchloom.loaders.hub.version import Version
from benchloom.loaders.verification import verify

if TYPE_CHECKING:
    from benchloom.loaders.hub.client import Hub

UNLISTED = (SUMS, ".gitattributes")
"""Files of a repository that its SHA256SUMS does not list."""


def verify_release(
    hub: Hub,
    repo: str,
    revision: str,
    sample: int | None,
    jobs: int | None,
    counts: Counter[str],
    *,
    to: Path | None = None,
    source: Path | None = None,
    say: Callable[[str], None] = print,
) -> list[str]:
    """Returns a sentence for each difference between a release and what it says of itself.

    Every file is fetched anew (no cache is read) and held against SHA256SUMS and against the digest
    that the Hub states; then records are made again from the recipe, as `verify` does with a build,
    and the card is held against the shards. Files that are of no release and that no load takes in
    are only told.

    Args:
        hub: The Hub.
        repo: The repository, `org/name`.
        revision: A tag, a branch or a commit. A tag `v1.0.0` must hold version 1.0.0.
        sample: Number of records of each split that are made again, None for all.
        jobs: Number of processes.
        counts: Receives what `verify` counts.
        to: A folder that keeps the files, by default a temporary one.
        source: The folder that the build was made from, for those that were made from one.
        say: Receives a line on what is being done.

    Raises:
        InputError: If there is no such release, or it cannot be fetched or written.
    """
    commit = hub.commit(repo, revision)
    files = hub.tree(repo, commit)
    where = f"{repo} at {revision}"
    if NAME not in files or SUMS not in files:
        raise InputError(f"{where} holds no release of benchloom: {NAME} or {SUMS} is missing")
    sums = parse_sums(hub.read(repo, commit, SUMS), f"{SUMS} of {where}", "name another release")
    manifest = parse_manifest(
        hub.read(repo, commit, NAME), f"{NAME} of {where}", "name another release"
    )
    faults = [
        f"{file} is missing" for file in sums if file not in files and not leaves_folder(file)
    ]
    card = hub.read(repo, commit, CARD).decode(errors="replace") if CARD in files else ""
    patterns = [*_patterns(card), *(f"{config}/*.parquet" for config in manifest.configs)]
    for file in files:
        if file == script_of(repo):
            faults.append(f"{file} makes every load of {repo} fail")
        elif file in sums or file in UNLISTED:
            continue
        elif any(fnmatchcase(file, pattern) for pattern in patterns):
            faults.append(f"{file} is in no list of the release and is loaded with it")
        else:
            say(f"{file} is in no list of the release, so nothing is known of it")
    faults += [
        f"{file} is not the file that was released: the Hub states another SHA-256"
        for file, remote in files.items()
        if file in sums and remote.sha256 not in (None, sums[file])
    ]
    version = Version.of_tag(revision)
    if version is not None and str(version) != manifest.version:
        faults.append(f"the tag {revision} holds version {manifest.version}")
    total = sum(remote.size for remote in files.values())
    say(f"fetching {len(files):,} files of {where} (commit {commit[:8]}), {total / 1e6:,.1f} MB")
    with _folder(to) as folder:
        try:
            hub.download(repo, commit, folder)
        except OSError as error:
            raise InputError(
                f"{error.filename or folder} cannot be written ({error.strerror}); "
                "name another folder with --to"
            ) from None
        try:
            build = Build(folder)
            found = [*verify(build, sample, jobs, counts, source), *stated_faults(build)]
        except InputError as error:
            raise InputError(_named(str(error), folder, where)) from None
        found = [_named(fault, folder, where) for fault in found]
    return faults + [fault for fault in found if fault not in faults]


def _patterns(card: str) -> list[str]:
    """Returns the patterns by which a card takes in files; none where it cannot be read."""
    try:
        return [str(pattern) for pattern in card_patterns(card)]
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, YAMLError):
        return []  # which is a fault of the card


def _named(sentence: str, folder: Path, where: str) -> str:
    """Returns a sentence on a file that was fetched, named as the release has it."""
    named = sentence.replace(f"{folder}/", "").replace(str(folder), where)
    return named.removesuffix(ANEW)


@contextmanager
def _folder(to: Path | None) -> Iterator[Path]:
    """Gives the folder that was named, which must be empty or new, or a temporary one.

    Raises:
        InputError: If it holds something.
    """
    import tempfile

    if to is None:
        with tempfile.TemporaryDirectory(prefix="benchloom-") as folder:
            yield Path(folder)
        return
    try:
        if any(to.iterdir()):
            raise InputError(f"--to {to} is not empty; name a new folder")
    except FileNotFoundError:
        pass
    except OSError as error:
        raise InputError(f"--to {to} cannot be used: {error.strerror}") from None
    yield to
