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
from benchloom.loaders.directory import Build

CHUNK = 250


def verify(build: Build, sample: int | None, jobs: int | None, counts: Counter[str]) -> list[str]:
    """Returns a sentence for each difference between a build and what its recipe makes.

    Compared are the shards' checksums, the digests of `records/`, and every column and every pixel
    of the records looked at.

    Args:
        build: The build.
        sample: Number of records of each split, None for all.
        jobs: Number of processes.
        counts: Receives how many `records` and `shards` were compared.

    Raises:
        InputError: If a file cannot be read or the recipe cannot be carried out.
    """
    faults = build.file_faults()
    recipe = build.manifest.recipe
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
        plan = build.benchmark.plan(recipe, config)
        for split, holds in build.manifest.configs[config].splits.items():
            if len(plan[split]) != holds.rows:
                faults.append(
                    f"{config} {split} has {holds.rows} records, "
                    f"its recipe makes {len(plan[split])}"
                )
                continue
            if not build.is_readable(config, split):
                continue
            try:
                _, digests = build.digests(config, split)
            except InputError as error:  # the fault is known by now, unless the sums were mended
                faults.append(f"{config} {split}: {error}")
                continue
            if len(digests) != holds.rows:
                faults.append(f"{config} {split}: records/ has {len(digests)} digests")
                continue
            if split_digest(digests) != holds.digest:
                faults.append(
                    f"{config} {split}: the digests in records/ are not those of the manifest"
                )
            work = [
                (
                    build.directory,
                    config,
                    split,
                    chunk,
                    [plan[split][i] for i in chunk],
                    [digests[i] for i in chunk],
                )
                for chunk in _chunks(build.sample(config, split, sample))
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
        whole = build.benchmark.audit_split(build.columns(config, split), config, split)
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
    faults = []
    for (index, stored), spec, digest in zip(
        build.records(config, split, chunk), specs, digests, strict=True
    ):
        made = build.benchmark.make(spec)
        name = f"{config} {split} record {index} ({stored.get('id')})"
        if differences := record_differences(stored, made, images):
            faults.append(f"{name}: {'; '.join(differences)}")
        if record_digest(made, {image: _pixels(made[image]) for image in images}) != digest:
            faults.append(f"{name}: its digest in records/ is not that of what its recipe makes")
    return faults


def _audit_chunk(directory: Path, config: str, split: str, chunk: Sequence[int]) -> list[str]:
    build = Build(directory)
    return [
        f"{config} {split} record {index} ({record.get('id')}): {fault}"
        for index, record in build.records(config, split, chunk)
        for fault in _faults_of(build, record, config)
    ]


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
