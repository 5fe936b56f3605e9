"""Builds a directory from a recipe: plan, make in parallel, keep what is finished, commit."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchloom.builders.benchmark import Benchmark, benchmark
from benchloom.builders.errors import InputError
from benchloom.builders.manifest import (
    NAME,
    SUMS,
    Config,
    Manifest,
    Shard,
    Split,
    has_manifest,
    read_manifest,
    read_sums,
    records_file,
)
from benchloom.builders.progress import Progress
from benchloom.builders.recipe import Recipe, chosen_configs, code_fingerprint, package_versions
from benchloom.builders.records import COLUMNS, split_digest
from benchloom.builders.shards import arrow_schema, declared_features
from benchloom.builders.stage import CARD, FOLDER, ShardNote, Stage
from benchloom.builders.workers import ShardJob, WorkerDied, checked_workers, run_jobs, stop_workers

if TYPE_CHECKING:
    import pyarrow as pa

OURS = re.compile(
    r"(records/)?[a-z0-9_]+[/-][a-z0-9_]+(-[0-9]{5}-of-[0-9]{5})?\.parquet"
    r"|preview/[a-z0-9_]+\.png|checks\.json"
)
"""The files that a build may remove again: those that not every build has."""


class BuildStopped(Exception):  # noqa: N818  (not always an error: Ctrl-C is one way)
    """A build ended early; the message says what is kept and how to go on."""


@dataclass(frozen=True)
class PlannedShard:
    """One shard of a plan: a contiguous run of a split's records."""

    config: str
    split: str
    file: str
    start: int
    stop: int


@dataclass(frozen=True)
class Plan:
    """What a build will hold.

    Attributes:
        specs: For each config and split the specs of its records, made when asked for.
        shards: The files they go to, in order.
    """

    specs: Mapping[str, Mapping[str, Sequence[Any]]]
    shards: tuple[PlannedShard, ...]

    @property
    def rows(self) -> int:
        """Number of records."""
        return sum(shard.stop - shard.start for shard in self.shards)


def make_plan(recipe: Recipe, configs: Sequence[str] = ()) -> Plan:
    """Returns the plan of a recipe; cheap beside carrying it out.

    Args:
        recipe: The recipe.
        configs: The configs to build, all by default.

    Raises:
        InputError: If a config is unknown or the recipe cannot be carried out.
    """
    of = benchmark(recipe.benchmark)
    specs = {config: of.plan(recipe, config) for config in chosen_configs(recipe, configs)}
    empty = {config for config, of_config in specs.items() if not all(map(len, of_config.values()))}
    if empty:
        rest = " ".join(config for config in specs if config not in empty)
        raise InputError(
            f"{', '.join(sorted(empty))} would have a split without records under this recipe; "
            + (f"name the configs to build: {rest}" if rest else "no config can be built of it")
        )
    shards = []
    for config, splits in specs.items():
        for split, planned in splits.items():
            starts = range(0, len(planned), of.shard_rows)
            for number, start in enumerate(starts):
                file = f"{config}/{split}-{number:05d}-of-{len(starts):05d}.parquet"
                shards.append(
                    PlannedShard(
                        config, split, file, start, min(start + of.shard_rows, len(planned))
                    )
                )
    return Plan(specs, tuple(shards))


def build(
    recipe: Recipe,
    directory: Path,
    configs: Sequence[str] = (),
    *,
    jobs: int | None = None,
    overwrite: bool = False,
    quiet: bool = False,
) -> Manifest:
    """Builds configs of a recipe into a directory and returns its manifest.

    What an interrupted run has finished is taken up; the end is the same, byte for byte. Configs of
    the same recipe that the directory already holds stay. The bytes do not depend on `jobs`.

    Args:
        recipe: What to build.
        directory: Where to; made when missing.
        configs: Which configs, all by default.
        jobs: Number of processes, by default one a processor.
        overwrite: Replaces a build of another recipe, or makes this one anew.
        quiet: Shows no progress.

    Raises:
        InputError: If the directory holds another recipe's build or something else, or cannot be
            written; nothing is then changed.
        BuildStopped: If the disk is full or a worker is killed again and again.
    """
    workers = checked_workers(jobs)
    of = benchmark(recipe.benchmark)
    chosen = chosen_configs(recipe, configs)
    code = code_fingerprint(of)
    _check_directory(directory)
    try:
        with Stage(directory) as stage:  # what stands here is read under the lock, and whole
            old, stale = _standing_build(directory, recipe, overwrite)
            if (
                old is not None
                and not overwrite
                and all(_is_whole(directory, old, config, code) for config in chosen)
            ):
                if not _texts_stand(directory):  # they are made without making a record
                    _commit(stage, old, Plan({}, ()), stale)
                if not quiet:
                    names = ", ".join(chosen)
                    print(f"{directory} already holds {names} of this recipe, whole and unchanged")
                return old
            plan = make_plan(recipe, chosen)
            _take_up(stage, recipe, code, overwrite)
            _check_targets(stage, plan)
            notes = _make(stage, of, recipe, plan, workers, quiet)
            built = {config: _describe(stage, config, plan, notes, of, code) for config in chosen}
            manifest = (old or Manifest(recipe)).with_configs(built)
            _commit(stage, manifest, plan, stale)
    except OSError as error:
        raise BuildStopped(
            f"{error.strerror or error}: {error.filename2 or error.filename or directory}; "
            "finished shards are kept, "
            "so mend this and run the same command again"
        ) from None
    return manifest


def _check_directory(directory: Path) -> None:
    """Refuses a place that is no folder or holds something that is not ours."""
    try:
        str(directory.absolute()).encode()
    except UnicodeEncodeError:
        raise InputError(
            f"{str(directory)!r} is no UTF-8; choose another folder with --out"
        ) from None
    try:
        foreign = (
            directory.exists()
            and not has_manifest(directory)
            and not (directory / FOLDER).exists()
            and any(directory.iterdir())
        )
    except NotADirectoryError:
        raise InputError(f"{directory} is a file; choose a folder with --out") from None
    except OSError as error:
        raise InputError(f"{directory} cannot be read: {error.strerror}") from None
    if foreign:
        raise InputError(
            f"{directory} is not empty and holds no build of benchloom; "
            "choose an empty or new folder with --out"
        )


def _standing_build(
    directory: Path, recipe: Recipe, overwrite: bool
) -> tuple[Manifest | None, list[str]]:
    """Returns the build of this recipe that stands here, and files to be replaced.

    Raises:
        InputError: If it is another recipe's and may not be overwritten.
    """
    if not has_manifest(directory):
        return None, []
    if not overwrite:
        standing = read_manifest(directory)
        if differences := recipe_differences(standing.recipe, recipe):
            raise InputError(
                f"{directory} holds a build of another recipe ({differences}); "
                "choose another --out, or replace it with --overwrite"
            )
        return standing, []
    try:
        standing = read_manifest(directory)
    except InputError:  # damaged: what its checksums list is ours
        return None, [file for file in read_sums(directory) if OURS.fullmatch(file)]
    if not recipe_differences(standing.recipe, recipe):
        return standing, []
    return None, [file for file in standing.files() if OURS.fullmatch(file)]


def recipe_differences(there: Recipe, here: Recipe) -> str:
    """Returns how two recipes differ, in words; empty when they do not."""
    return "; ".join(there.differences(here))


def _check_targets(stage: Stage, plan: Plan) -> None:
    """Refuses to write over files that no build has put there.

    Raises:
        InputError: If one is in the way.
    """
    from benchloom.cards.rendering import rendered_files

    known = {CARD, NAME, SUMS, *read_sums(stage.directory)}
    for file in (*(shard.file for shard in plan.shards), *rendered_files(plan.specs)):
        if file not in known and (stage.directory / file).exists():
            raise InputError(
                f"{stage.directory / file} is in the way and of no build; move it away"
            )


def _is_whole(directory: Path, manifest: Manifest, config: str, code: str) -> bool:
    """Tells whether a config stands whole in a directory, every file as its checksum says."""
    from benchloom.builders.files import sha256_of

    built = manifest.configs.get(config)
    if built is None or built.code != code:
        return False
    sums = read_sums(directory)
    wanted = {NAME: sums.get(NAME, "")}
    for split, holds in built.splits.items():
        wanted |= {shard.file: shard.sha256 for shard in holds.shards}
        wanted[records_file(config, split)] = sums.get(records_file(config, split), "")
    return all(
        (directory / file).is_file() and sha256_of(directory / file) == sha
        for file, sha in wanted.items()
    )


def _texts_stand(directory: Path) -> bool:
    """Tells whether card, changelog, contact sheets and checks are as their checksums say."""
    from benchloom.builders.files import sha256_of

    sums = {file: sum_ for file, sum_ in read_sums(directory).items() if file[-8:] != ".parquet"}
    return CARD in sums and all(
        (directory / file).is_file() and sha256_of(directory / file) == sum_
        for file, sum_ in sums.items()
    )


def _take_up(stage: Stage, recipe: Recipe, code: str, overwrite: bool) -> None:
    """Prepares the hidden folder: takes up an unfinished build of this recipe, or begins one.

    Raises:
        InputError: If an unfinished build of another recipe is there and may not be overwritten.
    """
    growing = stage.recipe()
    if growing is not None:
        differences = recipe_differences(Recipe.from_json(growing["recipe"]), recipe)
        if differences and not overwrite:
            raise InputError(
                f"{stage.directory} holds an unfinished build of another recipe ({differences}); "
                "finish it, choose another --out, or replace it with --overwrite"
            )
        if differences or growing["code"] != code:  # other code: what it made may differ
            stage.discard()
    else:
        stage.discard()
    stage.begin({"recipe": recipe.to_json(), "code": code})


def _make(
    stage: Stage, of: Benchmark, recipe: Recipe, plan: Plan, workers: int, quiet: bool
) -> dict[str, ShardNote]:
    """Returns the notes of all shards of a plan, making those that are not finished yet."""
    notes = {shard.file: note for shard in plan.shards if (note := stage.finished(shard.file))}
    kept = sum(note.rows for note in notes.values())
    schemas = {config: arrow_schema(of.features(config)) for config in plan.specs}
    missing = [shard for shard in plan.shards if shard.file not in notes]
    jobs = [
        ShardJob(
            of,
            shard.file,
            _specs_of(plan, shard),
            shard.stop - shard.start,
            schemas[shard.config],
            of.row_group_rows,
            slot,
        )
        for slot, shard in enumerate(missing)
    ]

    def finished(job: ShardJob, part: Path) -> None:
        notes[job.file] = stage.keep(part, job.file)

    if jobs:
        of.warm_up()
    with Progress(plan.rows, "records", kept, quiet) as progress:
        if kept:
            progress.say(f"{len(notes)} of {len(plan.shards)} shards are there already")
        try:
            run_jobs(jobs, stage.parts, workers, finished, lambda done: progress.reach(kept + done))
        except BaseException as error:
            kind, text = type(error), f"{len(notes)} of {len(plan.shards)} shards are kept"
            if workers > 1:
                stop_workers()
            if isinstance(error, KeyboardInterrupt):
                raise KeyboardInterrupt(
                    f"interrupted; {text}, the same command goes on from there"
                ) from None
            if isinstance(error, WorkerDied):
                raise BuildStopped(
                    f"the process that made {error} was killed, twice (out of memory?); {text}, "
                    "the same command tries again"
                ) from None
            if kind.__name__ == "TerminatedWorkerError":
                raise BuildStopped(
                    f"the worker processes are killed as they start; {text}"
                ) from None
            raise
    return notes


def _specs_of(plan: Plan, shard: PlannedShard) -> Callable[[], Sequence[Any]]:
    return lambda: plan.specs[shard.config][shard.split][shard.start : shard.stop]


def _describe(
    stage: Stage, config: str, plan: Plan, notes: Mapping[str, ShardNote], of: Benchmark, code: str
) -> Config:
    """Returns what the manifest says of a built config, and writes its records' digests."""
    schema = arrow_schema(of.features(config))
    features = declared_features(schema)
    declared = {name: features[name] for name in schema.names}
    splits = {}
    for split in plan.specs[config]:
        files = [
            shard.file for shard in plan.shards if (shard.config, shard.split) == (config, split)
        ]
        labels: dict[str, int] = {}
        for file in files:
            for label, count in notes[file].labels.items():
                labels[label] = labels.get(label, 0) + count
        ids = [name for file in files for name in notes[file].ids]
        digests = [bytes.fromhex(digest) for file in files for digest in notes[file].digests]
        if len(set(ids)) != len(ids):
            raise RuntimeError(f"{config} {split} has two records of one id")
        stage.write(records_file(config, split), _records_bytes(ids, digests, declared))
        shards = tuple(
            Shard(file, notes[file].rows, notes[file].bytes, notes[file].sha256) for file in files
        )
        splits[split] = Split(len(ids), labels, split_digest(digests), shards)
    return Config(code, package_versions(of), splits)


def _records_bytes(
    ids: Sequence[str], digests: Sequence[bytes], columns: Mapping[str, Any]
) -> bytes:
    """Returns the parquet file of a split's ids and digests; its metadata declares the columns."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    from benchloom.builders.records import DIGEST_BYTES

    schema: pa.Schema = pa.schema(
        [("id", pa.string()), ("digest", pa.binary(DIGEST_BYTES))],
        metadata={COLUMNS: json.dumps(columns, ensure_ascii=False)},
    )
    sink = pa.BufferOutputStream()
    pq.write_table(
        pa.table([ids, digests], schema=schema),
        sink,
        compression="zstd",
        compression_level=6,
        use_dictionary=False,
    )
    content: bytes = sink.getvalue().to_pybytes()
    return content


def _commit(stage: Stage, manifest: Manifest, plan: Plan, stale: Sequence[str]) -> None:
    """Brings a finished build to its place: shards, digests, and what is rendered of them."""
    from benchloom.cards.rendering import render_release
    from benchloom.loaders.directory import Build

    files = {shard.file: stage.shard(shard.file) for shard in plan.shards}
    for config, splits in plan.specs.items():
        for split in splits:
            file = records_file(config, split)
            files[file] = stage.folder / "final" / file
    build = Build(stage.directory, manifest, files)
    for file, content in render_release(build, redraw=True).items():
        files[file] = stage.write(file, content)
    standing = {*manifest.files(), *files}
    old = read_sums(stage.directory) if has_manifest(stage.directory) else {}
    gone = [file for file in (*stale, *old) if file not in standing and OURS.fullmatch(file)]
    stage.commit(files, gone)
