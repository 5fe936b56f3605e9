"""Whether manifest, card, `records/` and shards of a build say the same of its records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from benchloom.builders.errors import InputError
from benchloom.builders.manifest import NAME, records_file
from benchloom.builders.records import record_digest, split_digest
from benchloom.builders.shards import arrow_schema, image_columns, label_names
from benchloom.builders.stage import CARD
from benchloom.cards.front_matter import is_from_folder
from benchloom.cards.rendering import text_faults
from benchloom.loaders.directory import Build
from benchloom.loaders.hub.checks import card_faults, schema_faults
from benchloom.loaders.verification import recipe_faults

SAMPLE = 5
"""How many records of each split a push makes again."""


def stated_faults(build: Build) -> list[str]:
    """Returns a sentence for each thing that manifest or card say otherwise than the shards.

    Nothing is said of shards that cannot be read and of a card that is missing: `file_faults` does.
    """
    faults = list(_manifest_faults(build))
    card = build.directory / CARD
    if card.is_file():
        text = card.read_text(errors="replace")
        faults += card_faults(text, build, build.manifest.version)
    return faults + schema_faults(build)


def record_faults(build: Build, counts: Counter[str]) -> list[str]:
    """Returns a sentence for each record that is not the one that was built.

    The digest of every record is worked out anew from all its columns, where the stored digest of
    its pixels stands for a picture, and held against `records/`. Then what the recipe settles is
    compared for all records, and a few of each split are made again, with their pictures.

    Args:
        build: The build, whose files are as SHA256SUMS says and fit its manifest.
        counts: Receives how many `digests` were compared, and what `verify` counts.

    Raises:
        InputError: If a file cannot be read or the recipe cannot be carried out.
    """
    faults = []
    for config, split in build.splits():
        ids, digests = build.digests(config, split)
        found = _digests(build, config, split)
        for place, (listed, wanted, (name, digest)) in enumerate(
            zip(ids, digests, found, strict=True)
        ):
            if (listed, wanted) != (name, digest):
                faults.append(
                    f"{config} {split} record {place} ({name}) is not the one that "
                    f"{records_file(config, split)} lists"
                )
        counts["digests"] += len(ids)
    if not is_from_folder(build):  # which need not be there any more
        faults += recipe_faults(build, SAMPLE, None, counts)
    return faults


def checked(counts: Counter[str]) -> str:
    """Returns in words what `record_faults` has compared."""
    text = f"{counts['digests']:,} records are as records/ lists them"
    if counts["planned"] and not counts["without_folder"]:
        return f"{text}, and {counts['records']:,} of them were made again and are equal"
    return f"{text}; none was made again, for they come from a folder"


def content_faults(build: Build, counts: Counter[str]) -> list[str]:
    """Returns why a build whose files are as SHA256SUMS says must not be released all the same.

    Raises:
        InputError: If a file cannot be read or the recipe cannot be carried out.
    """
    for look in (stated_faults, text_faults):
        if faults := look(build):
            return faults
    return record_faults(build, counts)


def _manifest_faults(build: Build) -> Iterator[str]:
    """Yields what the manifest says of records and files otherwise than they are."""
    for config, split in build.splits():
        holds = build.manifest.configs[config].splits[split]
        of = f"{NAME}: {config} {split}"
        stored = sum(shard.rows for shard in holds.shards)
        if holds.rows != stored:
            yield f"{of} has {holds.rows:,} records, its shards have {stored:,}"
        for shard in holds.shards:
            path = build.locate(shard.file)
            if path.is_file() and path.stat().st_size != shard.bytes:
                yield f"{of}: {shard.file} has {path.stat().st_size:,} bytes, not {shard.bytes:,}"
        if build.locate(records_file(config, split)).is_file():
            try:
                _, digests = build.digests(config, split)
            except InputError:
                yield f"{records_file(config, split)} cannot be read"
            else:
                if len(digests) != holds.rows or split_digest(digests) != holds.digest:
                    yield f"{records_file(config, split)} lists other records than {NAME}"
        names = label_names(arrow_schema(build.benchmark.features(config)))
        if names and build.is_readable(config, split):
            try:
                counted = Counter(build.columns(config, split)["label"])
            except InputError:  # whose fault is known
                continue
            labels = {name: counted[place] for place, name in enumerate(names) if counted[place]}
            if labels != {name: count for name, count in holds.labels.items() if count}:
                yield f"{of} has labels {dict(holds.labels)}, its shards have {labels}"


def _digests(build: Build, config: str, split: str) -> Iterator[tuple[str, bytes]]:
    """Yields id and digest of each record as its shard has it."""
    images: Sequence[str] = image_columns(arrow_schema(build.benchmark.features(config)))
    for record in build.rows_without_images(config, split):
        pixels = {image: str(record["pixels_sha256"]) for image in images}
        try:
            yield record["id"], record_digest(record, pixels)
        except ValueError:  # a value that is no number
            yield record["id"], b""
