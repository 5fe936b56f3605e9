"""Checking a finished build: the same again from its recipe, and right by another method."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchloom.builders.benchmark import Record
from benchloom.builders.errors import InputError
from benchloom.builders.progress import Progress
from benchloom.builders.records import pixels_sha256, record_digest, split_digest
from benchloom.builders.shards import arrow_schema, image_columns
from benchloom.builders.workers import checked_workers
from benchloom.loaders.directory import ANEW, Build

CHUNK = 250


def verify(
    build: Build,
    sample: int | None,
    jobs: int | None,
    counts: Counter[str],
    source: Path | None = None,
) -> list[str]:
    """Returns a sentence for each difference between a build and what its recipe makes.

    Compared are the shards' checksums, the digests of `records/`, what the plan settles of every
    record (its answer among it), and every column and every pixel of the records looked at. A
    benchmark that is always built from a folder, which need not be published, can be compared
    without it: then its records are held against their digests alone.

    Args:
        build: The build.
        sample: Number of records of each split, None for all.
        jobs: Number of processes.
        counts: Receives how many `records` were made again, how many were `planned`, and how many
            `shards` were compared; and whether all is `without_folder`.
        source: The folder that the build was made from, for those that were made from one.

    Raises:
        InputError: If a file cannot be read or the recipe cannot be carried out.
    """
    return recipe_faults(build, sample, jobs, counts, source, build.file_faults())


def recipe_faults(
    build: Build,
    sample: int | None,
    jobs: int | None,
    counts: Counter[str],
    source: Path | None = None,
    known: Sequence[str] = (),
) -> list[str]:
    """Returns what `verify` does, for a build whose files were looked at already.

    Args:
        build: The build.
        sample: Number of records of each split, None for all.
        jobs: Number of processes.
        counts: Receives what `verify` counts.
        source: The folder that the build was made from, for those that were made from one.
        known: The faults of its files, which are returned first.

    Raises:
        InputError: If a file cannot be read or the recipe cannot be carried out.
    """
    recipe = build.manifest.recipe
    if source is not None:
        recipe = recipe.with_folder(source)
    counts["without_folder"] = int(source is None and build.benchmark.needs_folder)
    faults = list(known)
    if recipe.generation != build.benchmark.generation:
        return [
            *faults,
            f"the build is of generation {recipe.generation}, this benchloom makes generation "
            f"{build.benchmark.generation}; verify it with the version its manifest names",
        ]
    counts["shards"] = sum(
        len(split.shards) for of in build.manifest.configs.values() for split in of.splits.values()
    )
    for config in build.manifest.configs:
        try:
            plan = (
                _stored_records(build, config)
                if counts["without_folder"]
                else build.benchmark.plan(recipe, config)
            )
        except InputError as error:
            if not faults:  # else it is known by now what is wrong with the files
                raise
            faults.append(f"{config}: {_said(error, build)}")
            continue
        for split, holds in build.manifest.configs[config].splits.items():
            planned = len(plan.get(split, ()))
            if planned != holds.rows:
                faults.append(
                    f"{config} {split} has {holds.rows} records, its recipe makes {planned}"
                )
                continue
            if not build.is_readable(config, split):
                continue
            try:
                _, digests = build.digests(config, split)
            except InputError as error:  # the fault is known by now, unless the sums were mended
                faults.append(f"{config} {split}: {_said(error, build)}")
                continue
            if len(digests) != holds.rows:
                faults.append(f"{config} {split}: records/ has {len(digests)} digests")
                continue
            if split_digest(digests) != holds.digest:
                faults.append(
                    f"{config} {split}: the digests in records/ are not those of the manifest"
                )
            chosen = build.sample(config, split, sample)
            made_again = set(chosen)
            try:
                faults += [
                    fault
                    for index, fault in _plan_faults(build, config, split, plan[split])
                    if index not in made_again
                ]
            except InputError as error:  # a shard is damaged, so nothing more can be said of it
                faults.append(f"{config} {split}: {_said(error, build)}")
                continue
            counts["planned"] += holds.rows
            work = [
                (
                    build.directory,
                    config,
                    split,
                    chunk,
                    [plan[split][i] for i in chunk],
                    [digests[i] for i in chunk],
                )
                for chunk in _chunks(chosen)
            ]
            faults += _spread(_verify_chunk, work, jobs, f"{config} {split}", counts)
    return faults


def audit(build: Build, sample: int | None, jobs: int | None, counts: Counter[str]) -> list[str]:
    """Returns a sentence for each record whose picture or text does not bear out its answer.

    Args:
        build: The build.
        sample: Number of records of each split, None for all.
        jobs: Number of processes.
        counts: Receives how many `records` were looked at.

    Raises:
        InputError: If a file cannot be read.
    """
    faults = build.shard_faults()
    for config, split in build.splits():
        if not build.is_readable(config, split):
            continue
        work = [
            (build.directory, config, split, chunk)
            for chunk in _chunks(build.sample(config, split, sample))
        ]
        faults += _spread(_audit_chunk, work, jobs, f"{config} {split}", counts)
        try:
            whole = build.benchmark.audit_split(build.columns(config, split), config, split)
        except InputError as error:  # a shard is damaged
            whole = [_said(error, build)]
        faults += [f"{config} {split}: {fault}" for fault in whole]
    return faults


def record_differences(
    stored: Mapping[str, Any], made: Mapping[str, Any], images: Sequence[str]
) -> list[str]:
    """Returns a phrase for each column in which two records differ; images by their pixels."""
    differences = []
    for name in dict.fromkeys((*made, *stored)):
        if name not in stored or name not in made:
            differences.append(f"{name} is {'missing' if name not in stored else 'not declared'}")
            continue
        pairs = {name: (stored[name], made[name])}
        if name in images:
            pairs = {
                name: (_pixels(stored[name]), _pixels(made[name])),
                f"{name}.path": (_path(stored[name]), _path(made[name])),
            }
        for what, (before, after) in pairs.items():
            if before != after:
                differences.append(f"{what} is {_short(before)}, its recipe makes {_short(after)}")
    return differences


def _stored_records(build: Build, config: str) -> Mapping[str, Sequence[Any]]:
    """Returns the records of each split in the place of specs that are the same."""
    splits = build.manifest.configs[config].splits
    return {split: [record for _, record in build.records(config, split)] for split in splits}


def _plan_faults(
    build: Build, config: str, split: str, specs: Sequence[Any]
) -> Iterator[tuple[int, str]]:
    """Yields the place of each record that differs from what its spec settles, and how."""
    columns = build.columns(config, split)
    names = [name for name in build.benchmark.planned(specs[0]) if name in columns]
    stored = zip(*(columns[name] for name in names), strict=True)
    for index, values in enumerate(stored):
        planned = build.benchmark.planned(specs[index])
        differing = [
            f"{name} is {_short(value)}, its recipe makes {_short(planned[name])}"
            for name, value in zip(names, values, strict=True)
            if value != planned[name]
        ]
        if differing:
            stated = columns["id"][index]
            yield index, f"{config} {split} record {index} ({stated}): {'; '.join(differing)}"


def _verify_chunk(
    directory: Path,
    config: str,
    split: str,
    chunk: Sequence[int],
    specs: Sequence[Any],
    digests: Sequence[bytes],
) -> list[str]:
    build = Build(directory)
    images = image_columns(arrow_schema(build.benchmark.features(config)))
    faults: list[str] = []
    stored_records = _readable(build, config, split, chunk, faults)
    for (index, stored), spec, digest in zip(stored_records, specs, digests, strict=False):
        made = build.benchmark.make(spec)
        name = f"{config} {split} record {index} ({stored.get('id')})"
        if differences := record_differences(stored, made, images):
            faults.append(f"{name}: {'; '.join(differences)}")
        if record_digest(made, {image: _pixels(made[image]) for image in images}) != digest:
            faults.append(f"{name}: its digest in records/ is not that of what its recipe makes")
    return faults


def _audit_chunk(directory: Path, config: str, split: str, chunk: Sequence[int]) -> list[str]:
    build = Build(directory)
    faults: list[str] = []
    for index, record in _readable(build, config, split, chunk, faults):
        faults += [
            f"{config} {split} record {index} ({record.get('id')}): {fault}"
            for fault in _faults_of(build, record, config)
        ]
    return faults


def _readable(
    build: Build, config: str, split: str, indices: Sequence[int], faults: list[str]
) -> Iterator[tuple[int, Record]]:
    """Yields records as far as they can be read, then notes why no further."""
    try:
        yield from build.records(config, split, indices)
    except InputError as error:
        faults.append(f"{config} {split}: {_said(error, build)}")


def _said(error: InputError, build: Build) -> str:
    """Returns what is wrong with a file, named as in the manifest, without what to do about it."""
    text = str(error).removeprefix(f"{build.directory}: ")
    return text.replace(f"{build.directory}/", "").removesuffix(ANEW)


def _faults_of(build: Build, record: Record, config: str) -> list[str]:
    """Returns what an audit finds in a record, in one sentence; also that it cannot be read."""
    try:
        faults = build.benchmark.audit(record, config, build.manifest.recipe)
    except (TypeError, ValueError, KeyError, IndexError, AttributeError) as error:
        faults = [f"a column cannot be read ({type(error).__name__}: {error})"]
    return ["; ".join(faults)] if faults else []


def _pixels(image: Any) -> str:
    try:
        return pixels_sha256(image["bytes"])
    except (OSError, TypeError, KeyError):
        return "no readable picture"


def _path(image: Any) -> Any:
    return image.get("path") if isinstance(image, Mapping) else None


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _chunks(indices: Sequence[int]) -> list[list[int]]:
    return [list(indices[i : i + CHUNK]) for i in range(0, len(indices), CHUNK)]


def _spread(
    function: Callable[..., list[str]],
    work: Sequence[tuple[Any, ...]],
    jobs: int | None,
    title: str,
    counts: Counter[str],
) -> Iterator[str]:
    """Yields what a function finds in each piece of work, in order, from parallel processes."""
    from joblib import Parallel, delayed

    total = sum(len(piece[3]) for piece in work)
    workers = min(checked_workers(jobs), len(work))
    with Progress(total, f"records of {title}") as progress:
        run = Parallel(n_jobs=workers, backend="loky", return_as="generator", batch_size=1)
        done = 0
        for piece, found in zip(
            work, run(delayed(function)(*piece) for piece in work), strict=True
        ):
            yield from found
            done += len(piece[3])
            progress.reach(done)
    counts["records"] += total
