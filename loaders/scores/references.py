"""What is right: the records that predictions are scored against."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchloom.builders.benchmark import Benchmark
from benchloom.builders.benchmark import benchmark as benchmark_named
from benchloom.builders.errors import InputError
from benchloom.builders.registry import lookup
from benchloom.loaders.scores.printable import printable

if TYPE_CHECKING:
    import pyarrow as pa

    from benchloom.loaders.hub.release import Release

_FILES = (".jsonl", ".json", ".ndjson", ".parquet", ".gz")
UNREAD = {"graphomni": ("query",)}
"""Columns besides the images that no judge needs and that are big."""

KEYS = ("id", "config", "split")
ANEW = "build again with --overwrite, or name another release"
"""What to do about a release that is damaged."""


@dataclass(frozen=True)
class References:
    """Records that predictions are scored against.

    Attributes:
        benchmark: The benchmark.
        data: Where they come from: `name`, `scored` (configs and splits with their records), and of
            a release `version`, `commit`, `generation`, `seed`, `limit`, `options`.
        table: The records: `id`, `config`, `split` and the benchmark's columns, but neither images
            nor GraphOmni's queries. Of a user's own records only the columns that they have.
        elsewhere: For ids of the same release that are not among these the config and split,
            `hard_iso/test`; of the release's ids only those that were asked for, if any were.
    """

    benchmark: str
    data: Mapping[str, Any]
    table: pa.Table = field(repr=False)
    elsewhere: Mapping[str, str] = field(default_factory=dict, repr=False)

    def ids(self) -> list[str]:
        """Returns the ids of the records, in order."""
        ids: list[str] = self.table.column("id").to_pylist()
        return ids

    def taken(self, places: Sequence[int]) -> References:
        """Returns the references at some places, in their order."""
        table = self.table.take(places)
        return References(
            self.benchmark, {**self.data, "scored": scored(table)}, table, self.elsewhere
        )


def scored(table: pa.Table) -> dict[str, dict[str, int]]:
    """Returns the number of records in each config and split of references."""
    counted = table.group_by(["config", "split"], use_threads=False).aggregate([([], "count_all")])
    found: dict[str, dict[str, int]] = {}
    for row in counted.to_pylist():
        found.setdefault(row["config"], {})[row["split"]] = row["count_all"]
    return found


def read_references(
    benchmark: str,
    where: str | os.PathLike[str],
    config: str | None = None,
    split: str | None = None,
    ids: Iterable[str] | None = None,
) -> References:
    """Returns references from a release or a user's file.

    Args:
        benchmark: The benchmark.
        where: The directory of a build, `org/name[@revision]` on the Hub, of which only the columns
            that are needed are fetched, or a file of references (JSONL, JSON or parquet).
        config: The config, or one that combines several. By default those of which `ids` name a
            record.
        split: The split, by default those of which `ids` name a record.
        ids: The ids that are to be scored; without them all configs and splits are read unless they
            are named.

    Raises:
        InputError: If there is no such release, file, config or split, it is of another benchmark,
            or it is damaged.
    """
    from benchloom.loaders.hub.release import open_release

    of = benchmark_named(benchmark)
    name = os.fspath(where)
    path = Path(name)
    if path.is_file() or (path.suffix in _FILES and not path.is_dir()):
        from benchloom.loaders.scores.own_references import read_own_references

        return read_own_references(of, path, config, split)
    release = open_release(name)
    built = release.manifest.recipe.benchmark
    if built != benchmark:
        raise InputError(
            f"{printable(release.where, None)} is of {built}, not of {benchmark}; name a release "
            f"of {benchmark}, or score {built}"
        )
    return _from_release(of, release, config, split, None if ids is None else list(ids))


def as_references(
    benchmark: str,
    value: Any,
    config: str | None = None,
    split: str | None = None,
    ids: Iterable[str] | None = None,
) -> References:
    """Returns references from whatever they come in.

    Args:
        benchmark: The benchmark.
        value: References, of which those of `config` and `split` are taken; a path or name as
            `read_references` takes it; or records: dicts, a `datasets.Dataset`, whose images are
            not decoded, an Arrow table or a DataFrame.
        config: The config; by default what the records name.
        split: The split; by default what the records name.
        ids: The ids that are to be scored, for `read_references`.

    Raises:
        InputError: If it is none of these, or for the reasons of `read_references`.
    """
    if isinstance(value, References):
        if value.benchmark != benchmark:
            raise InputError(f"these references are of {value.benchmark}, not of {benchmark}")
        return _within(value, benchmark_named(benchmark), config, split)
    if isinstance(value, str | os.PathLike):
        return read_references(benchmark, value, config, split, ids)
    from benchloom.loaders.scores.own_references import references_of

    return references_of(benchmark_named(benchmark), value, config, split)


def _within(
    references: References, of: Benchmark, config: str | None, split: str | None
) -> References:
    """Returns those references that are of a config and a split."""
    configs = None if config is None else of.combined_configs.get(config, (config,))
    pairs = zip(*(references.table.column(name).to_pylist() for name in KEYS), strict=True)
    kept, elsewhere = [], dict(references.elsewhere)
    for place, (name, in_config, in_split) in enumerate(pairs):
        if (configs is None or in_config in configs) and split in (None, in_split):
            kept.append(place)
        else:
            elsewhere[name] = f"{in_config}/{in_split}"
    if len(kept) == references.table.num_rows:
        return references
    if not kept:
        named = "/".join(one for one in (config, split) if one)
        raise InputError(f"the references hold no records of {named}; name what they hold")
    return replace(references.taken(kept), elsewhere=elsewhere)


def _from_release(
    of: Benchmark,
    release: Release,
    config: str | None,
    split: str | None,
    ids: Sequence[str] | None,
) -> References:
    chosen = _chosen(of, release, config, split)
    if ids is not None and (config is None or split is None):
        wanted = set(ids)
        lists = release.records()
        hit = [one for one, listed in lists.items() if not wanted.isdisjoint(listed.ids)]
        if not hit:
            example = next((listed.ids[0] for listed in lists.values() if listed.ids), "")
            raise InputError(
                f"none of the ids is in {printable(release.where, None)}: they look like "
                f"'{printable(ids[0]) if ids else ''}', its own like '{example}'; "
                "check that they belong together"
            )
        chosen = [one for one in chosen if one in hit] or chosen
    table = _read(of, release, chosen)
    manifest = release.manifest
    elsewhere: dict[str, str] = {}
    outside = None if ids is None else {*ids}.difference(table.column("id").to_pylist())
    if outside is None or outside:  # otherwise the lists need not be fetched
        for place in _chosen(of, release, None, None):
            if place not in chosen:
                elsewhere |= {
                    name: "/".join(place)
                    for name in release.records()[place].ids
                    if outside is None or name in outside
                }
    data: dict[str, Any] = {"name": release.where, "scored": scored(table)}
    data["version"] = manifest.version
    if commit := getattr(release, "commit", None):
        data["commit"] = commit
    data["generation"] = manifest.recipe.generation
    data["seed"] = manifest.recipe.seed
    data["limit"] = manifest.recipe.limit
    if manifest.recipe.options:
        data["options"] = dict(manifest.recipe.options)
    return References(of.name, data, table, elsewhere)


def _chosen(
    of: Benchmark, release: Release, config: str | None, split: str | None
) -> list[tuple[str, str]]:
    """Returns the configs and splits of a release that are named, all for None.

    Raises:
        InputError: If it has none such.
    """
    built = release.manifest.configs
    named = {name: (name,) for name in built} | dict(of.combined_configs)
    members = tuple(built) if config is None else lookup(named, config, "config")
    pairs = [(name, one) for name in members if name in built for one in built[name].splits]
    if not pairs:
        raise InputError(f"{printable(release.where, None)} holds nothing of {config}")
    splits = dict.fromkeys(one for _, one in pairs)
    if split is not None:
        lookup(splits, split, "split")
        pairs = [pair for pair in pairs if pair[1] == split]
    return pairs


def _read(of: Benchmark, release: Release, chosen: Sequence[tuple[str, str]]) -> pa.Table:
    """Returns the records of some configs and splits without what need not be read."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    from benchloom.builders.shards import image_columns

    tables = []
    for config, split in chosen:
        for shard in release.manifest.configs[config].splits[split].shards:
            where = f"{shard.file} of {printable(release.where, None)}"
            try:
                # Buffered ahead, neighbouring columns of a row group are one request to the Hub.
                with (
                    release.open(shard.file) as content,
                    pq.ParquetFile(content, pre_buffer=True) as file,
                ):
                    schema = file.schema_arrow
                    unread = {*image_columns(schema), *UNREAD.get(of.name, ())}
                    columns = [name for name in schema.names if name not in unread]
                    table = file.read(columns=columns).replace_schema_metadata(None)
            except (pa.ArrowException, OSError) as error:
                reason = " ".join(str(error).split())
                raise InputError(f"{where} is damaged ({reason}); {ANEW}") from None
            if table.num_rows != shard.rows or "id" not in table.column_names:
                raise InputError(f"{where} is not what its manifest says; {ANEW}")
            tables.append(with_keys(table, config, split))
    return pa.concat_tables(tables, promote_options="default")


def with_keys(table: pa.Table, config: str, split: str) -> pa.Table:
    """Returns records with their config and split after the id."""
    import pyarrow as pa

    columns = {
        "id": table.column("id"),
        "config": pa.repeat(config, table.num_rows),
        "split": pa.repeat(split, table.num_rows),
    }
    others = {name: table.column(name) for name in table.column_names if name not in columns}
    return pa.table(columns | others)
