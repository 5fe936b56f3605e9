"""The texts and pictures of a release: all its files but the shards and the records' digests."""

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from benchloom.builders.errors import InputError
from benchloom.builders.files import sha256_of
from benchloom.builders.manifest import NAME, SUMS, has_manifest, read_sums
from benchloom.builders.stage import CARD, Stage
from benchloom.loaders.checks_file import CHECKS, Checks, checks_text, read_checks
from benchloom.loaders.directory import Build

CHANGELOG = "CHANGELOG.md"
LOCAL_VERSION = "0.0.0"
_HEAD = """\
# Changelog

Versions of the data, newest first. A MAJOR version changes, moves or removes records or columns, a
MINOR one adds some, a PATCH keeps all records as they are.
"""


def render_release(
    build: Build,
    version: str = LOCAL_VERSION,
    changelog: str | None = None,
    *,
    repository: str | None = None,
    checks: Checks | None = None,
    redraw: bool = False,
) -> dict[str, bytes]:
    """Returns the rendered files of a release, by their paths.

    They are README.md, CHANGELOG.md, manifest.json, SHA256SUMS (which lists every file of the
    release but itself), the contact sheets below preview/, and checks.json when a check was made
    on this very build. The same build, version and arguments give the same bytes on any day.

    Args:
        build: The build.
        version: The version of the data.
        changelog: The whole text of CHANGELOG.md, by default that of a first version.
        repository: `ORG/NAME` where the release is to be found, for the card's examples.
        checks: What was found in the build, by default what its checks.json says.
        redraw: Draws the contact sheets anew; by default those that stand there are taken.

    Raises:
        InputError: If a file of the build cannot be read.
    """
    from benchloom.cards.card import render_card

    if checks is None:
        checks = read_checks(build.directory, build.manifest)
    files = _sheets(build, redraw)
    if checks:
        files[CHECKS] = checks_text(checks).encode()
    if changelog is None:
        local = version == LOCAL_VERSION
        changelog = next_changelog(None, version, "A local build." if local else "First release.")
    files[CHANGELOG] = changelog.encode()
    files[NAME] = replace(build.manifest, version=version).to_text().encode()
    card = render_card(build, version, checks, list(files), repository)
    files[CARD] = card.encode()
    files[SUMS] = _sums(build, files).encode()
    return files


def next_changelog(previous: str | None, version: str, entry: str) -> str:
    """Returns a CHANGELOG.md with a version's entry above all others; an entry it had is replaced.

    Args:
        previous: The text of the previous release's, None for the first.
        version: The version that the entry is about.
        entry: What is new, as Markdown.
    """
    head, *sections = re.split(r"(?m)^(?=## )", previous or _HEAD)
    others = [
        one
        for one in sections
        if one.split("\n")[0].split()[1:2] not in ([version], [LOCAL_VERSION])
    ]
    return f"{head.rstrip()}\n\n## {version}\n\n{entry.strip()}\n" + "".join(
        f"\n{section.rstrip()}\n" for section in others
    )


def text_faults(build: Build) -> list[str]:
    """Returns a sentence for each text of a build that is not what is rendered of it.

    Such a text was edited by hand or rendered by other templates. That cannot be told apart, so
    neither is written over unless `benchloom card` is asked to. What SHA256SUMS does not fit is
    left to `Build.file_faults`. Of a release its changelog is not judged: it has words of a push.
    """
    sums = read_sums(build.directory)
    texts = {
        file: path.read_bytes()
        for file in (CARD, CHANGELOG)
        if (path := build.locate(file)).is_file() and sums.get(file) == sha256_of(path)
    }
    try:
        made = render_release(
            build,
            build.manifest.version,
            _standing_changelog(build),
            repository=_repository(build),
        )
    except InputError:  # a shard or checks.json is damaged, which is told elsewhere
        return []
    return [
        f"{file} is not what this benchloom renders of the build: it was edited by hand or "
        f"rendered by another version; `benchloom card {build.directory}` renders it anew"
        for file, content in texts.items()
        if content != made[file]
    ]


def render_in_place(
    directory: Path,
    checks: Checks | None = None,
    *,
    redraw: bool = False,
    over_edits: bool = True,
) -> list[str]:
    """Renders a build's card, changelog, contact sheets and checksums again where they stand.

    All come to their places together, or none does.

    Args:
        directory: Where the build is.
        checks: What was found in it, by default what its checks.json says.
        redraw: Draws the contact sheets anew.
        over_edits: Whether texts that are not what is rendered of the build are replaced.

    Returns:
        The files that were replaced, in order.

    Raises:
        InputError: If there is no finished build, it is being built, its manifest or digests are
            not as they were built, nothing can be written, or edits are not to be replaced.
    """
    if not has_manifest(directory):
        Build(directory)  # says what is wrong
    try:
        with Stage(directory) as stage:  # which carries out a commit that was cut short
            build = Build(directory)
            before = read_sums(directory)
            _check_standing(build, before)
            if not over_edits and (faults := text_faults(build)):
                raise InputError(faults[0])
            files = render_release(
                build,
                build.manifest.version,
                _standing_changelog(build),
                repository=_repository(build),
                checks=checks,
                redraw=redraw,
            )
            changed = [
                file for file, content in files.items() if not _is(directory / file, content)
            ]
            stale = [file for file in before if _is_rendered(file) and file not in files]
            if changed or stale:
                moved = {file: stage.write(file, files[file]) for file in {*changed, CARD}}
                stage.commit(dict(sorted(moved.items())), stale)
    except OSError as error:
        place = error.filename or directory
        raise InputError(f"{place} cannot be written: {error.strerror or error}") from None
    return sorted((*changed, *stale))


def rendered_files(configs: Iterable[str]) -> list[str]:
    """Returns the paths of the files that a release of these configs may have but its records."""
    from benchloom.cards.contact_sheet import sheet_files

    return [CARD, CHANGELOG, NAME, SUMS, CHECKS, *sheet_files(configs)]


def _is_rendered(file: str) -> bool:
    return file == CHECKS or re.fullmatch(r"preview/[a-z0-9_]+\.png", file) is not None


def _check_standing(build: Build, sums: Mapping[str, str]) -> None:
    """Refuses to write new checksums over a manifest or digests that the old ones do not fit.

    Raises:
        InputError: If a file is missing or another.
    """
    wanted = [NAME, *(file for file in build.manifest.files() if file.startswith("records/"))]
    for file in wanted:
        path = build.locate(file)
        if not path.is_file() or sums.get(file) != sha256_of(path):
            raise InputError(
                f"{path} is not the file that was built, so no card is made of it; "
                "build again with --overwrite"
            )


def _standing_changelog(build: Build) -> str | None:
    """Returns the changelog that a release has; a local build needs none."""
    path = build.directory / CHANGELOG
    if build.manifest.version == LOCAL_VERSION or not path.is_file():
        return None
    return path.read_text()


def _repository(build: Build) -> str | None:
    """Returns the repository that the examples of the standing card name, None when none is."""
    path = build.locate(CARD)
    card = path.read_text(errors="replace") if path.is_file() else ""
    match = re.search(r'load_dataset\("([\w.-]+/[\w.-]+)"', card, re.ASCII)
    return match[1] if match else None


def _sheets(build: Build, redraw: bool) -> dict[str, bytes]:
    """Returns the contact sheets that stand there, when all do as they were drawn, or new ones."""
    from benchloom.cards.contact_sheet import contact_sheets, sheet_files

    wanted = sheet_files(build.manifest.configs)
    if not redraw:
        sums = read_sums(build.directory)
        standing = {
            file: path.read_bytes()
            for file in wanted
            if file in sums and (path := build.locate(file)).is_file()
        }
        if all(_sha256(standing.get(file, b"")) == sums.get(file) for file in wanted):
            return standing
    return contact_sheets(build)


def _sums(build: Build, files: Mapping[str, bytes]) -> str:
    """Returns the text of SHA256SUMS over the shards, the records' digests and rendered files."""
    sums = {file: _sha256(content) for file, content in files.items()}
    for config, split in build.splits():
        for shard in build.manifest.configs[config].splits[split].shards:
            sums[shard.file] = shard.sha256
    for file in build.manifest.files():
        if file not in sums:
            try:
                sums[file] = sha256_of(build.locate(file))
            except OSError as error:
                raise InputError(f"{build.locate(file)} cannot be read: {error.strerror}") from None
    return "".join(f"{sums[file]}  {file}\n" for file in sorted(sums))


def _is(path: Path, content: bytes) -> bool:
    return path.is_file() and path.read_bytes() == content


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
