"""What differs between two releases, and how far their versions must be apart for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from benchloom.builders.errors import InputError
from benchloom.builders.manifest import NAME
from benchloom.builders.progress import Progress
from benchloom.builders.records import pixels_sha256, record_digest
from benchloom.builders.stage import CARD
from benchloom.loaders.hub.version import Bump

if TYPE_CHECKING:
    from benchloom.loaders.hub.release import Records, Release

STATE_VERSION = (NAME, CARD, "CHANGELOG.md")
"""Files that state their version, and so differ whenever it does."""
NAMED = 4
"""How many splits or files a sentence names at most."""

Redigest = Callable[[str, str, Mapping[str, Any]], Sequence[bytes]]
"""Gives the digests of a new split's records over some columns, which are given as declared."""


@dataclass(frozen=True)
class SplitDifferences:
    """What differs in one split; records are named by id, in the order of their split.

    Attributes:
        config: Its config.
        split: Its name.
        before: Number of records before, None when there was no such split.
        after: Number of records after, None when there is no such split now.
        added: Records that no split of the config had before, in the new order.
        removed: Records that no split of the config has now, in the old order.
        changed: Records that differ in a column that both sides have, in the new order. When a
            column was dropped or declared anew these are all that both sides have.
        moved: Records that were in another split of the config, or whose place is not the old one
            less the number of records before it that have left the split; in the new order.
        columns_added: Columns that there were not before.
        columns_removed: Columns that there are no longer.
        columns_redeclared: Columns whose declared type or classes are others now.
    """

    config: str
    split: str
    before: int | None
    after: int | None
    added: Sequence[str] = ()
    removed: Sequence[str] = ()
    changed: Sequence[str] = ()
    moved: Sequence[str] = ()
    columns_added: Sequence[str] = ()
    columns_removed: Sequence[str] = ()
    columns_redeclared: Sequence[str] = ()

    def __bool__(self) -> bool:
        return self.bump is not Bump.NONE

    @property
    def bump(self) -> Bump:
        """How far the versions must be apart for this split."""
        if self.after is None or any(
            (self.removed, self.changed, self.moved, self.columns_removed, self.columns_redeclared)
        ):
            return Bump.MAJOR
        added = self.before is None or self.added or self.columns_added
        return Bump.MINOR if added else Bump.NONE


@dataclass(frozen=True)
class Differences:
    """What differs between two releases.

    Attributes:
        splits: Every split that either has, also those without differences.
        files: Paths of files that only one has or whose bytes differ. Where the versions differ,
            the card and the changelog, which state them, are left out, and the manifests are
            compared without them.
    """

    splits: Sequence[SplitDifferences]
    files: Sequence[str] = ()

    def __bool__(self) -> bool:
        return any(self.splits) or bool(self.files)


def compare(before: Release, after: Release) -> Differences:
    """Returns what differs between two releases.

    All is worked out from `records/`. Only where columns were added, and none dropped, are the
    new side's records read: their digests over the old columns tell whether anything else changed.

    Raises:
        InputError: If a file of either cannot be read.
    """

    def redigest(config: str, split: str, columns: Mapping[str, Any]) -> Sequence[bytes]:
        return list(_digests(after, config, split, columns))

    splits = compare_records(before.records(), after.records(), redigest)
    old, new = before.sums(), after.sums()
    files = [file for file in sorted({*old, *new}) if old.get(file) != new.get(file)]
    if before.manifest.version != after.manifest.version:
        files = [file for file in files if file not in STATE_VERSION]
        if replace(before.manifest, version="") != replace(after.manifest, version=""):
            files.append(NAME)
    return Differences(splits, files)


def compare_records(before: Records, after: Records, redigest: Redigest) -> list[SplitDifferences]:
    """Returns what differs in each split, those of `after` first.

    Args:
        before: The old records.
        after: The new ones.
        redigest: Called for splits that have new columns beside all the old ones.
    """
    left: dict[tuple[str, str], list[str]] = {}  # (config, id) to the splits that it has left
    for (config, split), records in before.items():
        kept = set(after[config, split].ids) if (config, split) in after else set()
        for name in records.ids:
            if name not in kept:
                left.setdefault((config, name), []).append(split)
    digests = {of: dict(zip(one.ids, one.digests, strict=True)) for of, one in before.items()}
    found: dict[tuple[str, str], SplitDifferences] = {}
    for (config, split), new in after.items():
        old = before.get((config, split))
        columns = _columns_before(before, config, split) or new.columns
        has_more = len(columns) < len(new.columns) and columns.keys() <= new.columns.keys()
        new_digests = redigest(config, split, columns) if has_more else new.digests
        ranks = {} if old is None else _ranks(old.ids, set(new.ids))
        added, changed, moved = [], [], []
        for place, (name, digest) in enumerate(zip(new.ids, new_digests, strict=True)):
            origin = split
            if name in ranks:
                if ranks[name] != place:
                    moved.append(name)
            elif left.get((config, name)):
                origin = left[config, name].pop(0)
                moved.append(name)
            else:
                added.append(name)
                continue
            if digests[config, origin][name] != digest:
                changed.append(name)
        found[config, split] = SplitDifferences(
            config,
            split,
            None if old is None else len(old.ids),
            len(new.ids),
            added=added,
            changed=changed,
            moved=moved,
            columns_added=[name for name in new.columns if name not in columns],
            columns_removed=[name for name in columns if name not in new.columns],
            columns_redeclared=[
                name
                for name, declared in columns.items()
                if new.columns.get(name, declared) != declared
            ],
        )
    for (config, split), records in before.items():  # what is still in `left` has come nowhere
        removed = [name for name in records.ids if split in left.get((config, name), ())]
        gone = SplitDifferences(config, split, len(records.ids), None)
        found[config, split] = replace(found.get((config, split), gone), removed=removed)
    return list(found.values())


def changed_columns(
    before: Release, after: Release, split: SplitDifferences, most: int | None = None
) -> dict[str, list[str]]:
    """Returns the columns in which changed records differ, by id; pictures by their pixels.

    Records that came from another split are left out.

    Args:
        before: The old side, from which the records are read.
        after: The new side, likewise.
        split: The differences of one split between the two.
        most: How many records to look at, all by default.

    Raises:
        InputError: If a shard of either cannot be read.
    """
    if split.before is None or split.after is None:
        return {}
    known = set(before.records()[split.config, split.split].ids)
    names = [name for name in split.changed if name in known][:most]
    old, new = (_find(side, split.config, split.split, names) for side in (before, after))
    lacking = object()
    return {
        name: [
            column
            for column in dict.fromkeys((*old[name], *new[name]))
            if old[name].get(column, lacking) != new[name].get(column, lacking)
        ]
        for name in names
    }


def least_bump(differences: Differences) -> Bump:
    """Returns how far apart the versions of two releases must be at least.

    MAJOR where a record was changed, moved or removed or a column dropped or declared anew, MINOR
    where records, columns, splits or configs were added, PATCH where only bytes or texts differ.
    """
    least = Bump.PATCH if differences.files else Bump.NONE
    return max([least, *(split.bump for split in differences.splits)])


def declaration_faults(release: Release) -> list[str]:
    """Returns a sentence for each config whose columns the card declares otherwise than its shards.

    `load_dataset` believes the card, so that a label may come to have another name than it has in
    the shards.

    Raises:
        InputError: If the card or a file of `records/` is not there or damaged.
    """
    import yaml
    from datasets import Features

    from benchloom.builders.benchmark import benchmark
    from benchloom.builders.shards import arrow_schema, declared_features

    stored = {config: records.columns for (config, _), records in release.records().items()}
    combined = benchmark(release.manifest.recipe.benchmark).combined_configs
    where = f"{CARD} of {release.where}"
    faults = []
    try:
        head = yaml.safe_load(release.read(CARD).decode().split("---\n", 2)[1])
        for info in head["dataset_info"]:
            config = info["config_name"]
            declared = declared_features(arrow_schema(Features._from_yaml_list(info["features"])))
            for part in combined.get(config, (config,)):
                columns = stored.get(part, declared)
                if differing := [
                    name
                    for name in dict.fromkeys((*columns, *declared))
                    if columns.get(name) != declared.get(name)
                ]:
                    faults.append(
                        f"{where} declares {', '.join(differing)} of {config} otherwise than its "
                        "shards, and load_dataset believes it"
                    )
                    break
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, yaml.YAMLError) as error:
        if isinstance(error, InputError):
            raise
        faults.append(f"{where} cannot be read, so no config of it can be loaded")
    return faults


def explain(differences: Differences) -> str:
    """Returns what differs as one sentence with counts: "12 records changed in even test"."""
    places: dict[str, list[str]] = {}  # by phrase: splits often differ in the same way
    for split in differences.splits:
        news = " (new)" if split.before is None else " (gone)" if split.after is None else ""
        for phrase in _phrases(split):
            places.setdefault(phrase, []).append(f"{split.config} {split.split}{news}")
    if places:
        return "; ".join(
            f"{phrase} in {'each of ' if len(where) > 1 else ''}{_listed(where)}"
            for phrase, where in places.items()
        )
    if differences.files:
        return f"the same records, other bytes in {_listed(differences.files)}"
    return "nothing differs"


def _phrases(split: SplitDifferences) -> Iterator[str]:
    """Yields what differs in a split; the change of every record when a column goes is no news."""
    for words, columns in (
        ("dropped", split.columns_removed),
        ("declared anew", split.columns_redeclared),
        ("added", split.columns_added),
    ):
        if columns:
            yield f"{'column' if len(columns) == 1 else 'columns'} {', '.join(columns)} {words}"
    counts = {
        "changed": () if split.columns_removed else split.changed,
        "moved": split.moved,
        "removed": split.removed,
        "added": split.added,
    }
    phrases = [f"{len(names):,} {what}" for what, names in counts.items() if names]
    if phrases:  # only the first says what is counted
        number, _, what = phrases[0].partition(" ")
        noun = "record" if number == "1" else "records"
        yield ", ".join([f"{number} {noun} {what}", *phrases[1:]])


def _listed(names: Sequence[str]) -> str:
    """Returns names as they stand in a sentence, the first few and how many more."""
    if len(names) > NAMED:
        return f"{', '.join(names[: NAMED - 1])} and {len(names) - NAMED + 1} more"
    return " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)


def _ranks(names: Sequence[str], kept: AbstractSet[str]) -> dict[str, int]:
    """Returns for each name that is kept its place among those that are kept."""
    return {name: rank for rank, name in enumerate(name for name in names if name in kept)}


def _columns_before(before: Records, config: str, split: str) -> Mapping[str, Any]:
    """Returns the old columns of a split; of a new split those of its config, of neither none."""
    lists = {of: old.columns for (name, of), old in before.items() if name == config}
    return lists.get(split) or next(iter(lists.values()), {})


def _digests(
    release: Release, config: str, split: str, columns: Mapping[str, Any]
) -> Iterator[bytes]:
    """Yields the digests of a split's records over some of their columns."""
    images = _images(columns)
    rows = release.manifest.configs[config].splits[split].rows
    with Progress(rows, f"records of {config} {split} compared") as progress:
        for place, record in release.rows(config, split, columns=list(columns)):
            yield record_digest(record, {name: _pixels(record[name]) for name in images})
            progress.reach(place + 1)


def _find(
    release: Release, config: str, split: str, names: Sequence[str]
) -> dict[str, dict[str, Any]]:
    """Returns records by id, with the digests of their pixels in place of images."""
    listed = release.records()[config, split]
    wanted = set(names)
    places = [place for place, name in enumerate(listed.ids) if name in wanted]
    images = _images(listed.columns)
    return {
        listed.ids[place]: record | {name: _pixels(record[name]) for name in images}
        for place, record in release.rows(config, split, places)
    }


def _images(columns: Mapping[str, Any]) -> list[str]:
    return [
        name
        for name, declared in columns.items()
        if isinstance(declared, Mapping) and declared.get("_type") == "Image"
    ]


def _pixels(image: Any) -> str:
    """Returns the digest of a picture's pixels; what cannot be read equals no picture."""
    try:
        return pixels_sha256(image["bytes"])
    except (OSError, TypeError, KeyError):
        return "no readable picture"
