"""Parallel work that survives its workers: what joblib runs, and what it does when one dies."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from benchloom.builders.benchmark import Benchmark, Record
from benchloom.builders.errors import InputError
from benchloom.builders.files import sha256_of
from benchloom.builders.records import record_digest
from benchloom.builders.shards import image_columns, label_names, write_shard
from benchloom.builders.stage import ShardNote, note_path

if TYPE_CHECKING:
    import pyarrow as pa

WATCH_SECONDS = 0.2
UNSTARTED = -1


class WorkerDied(RuntimeError):  # noqa: N818  (it is what happened, not an error of ours)
    """Shards could not be made because the process that made them was killed each time."""

    def __init__(self, files: Sequence[str]) -> None:
        super().__init__(", ".join(files))
        self.files = list(files)


@dataclass(frozen=True)
class ShardJob:
    """One shard to be made.

    Attributes:
        benchmark: The benchmark, which makes the records.
        file: The shard's path relative to the build's directory; its name for people.
        specs: Gives the specs of its records; called once, when its turn comes.
        rows: Number of its records.
        schema: The schema of its config.
        row_group_rows: Records per row group.
        slot: Its number in the run.
    """

    benchmark: Benchmark
    file: str
    specs: Callable[[], Sequence[Any]]
    rows: int
    schema: pa.Schema
    row_group_rows: int
    slot: int


def run_jobs(
    jobs: Sequence[ShardJob],
    parts: Path,
    workers: int,
    finished: Callable[[ShardJob, Path], None],
    advanced: Callable[[int], None],
) -> None:
    """Makes shards, in any order, and hands each over as soon as it is whole.

    When a worker is killed, the shards that were being made are tried once more, each alone; the
    others go on. So a passing fault heals, and a shard that kills its worker is known by name.

    Args:
        jobs: The shards to make.
        parts: An empty folder for this run alone.
        workers: Number of processes; 1 works in this one.
        finished: Called in this process with each finished job and the path of its part.
        advanced: Called now and then with the number of records made.

    Raises:
        WorkerDied: If shards killed their worker twice; all others are finished by then.
        OSError: If the disk is full or cannot be written.
    """
    if not jobs:
        return
    counts = np.memmap(parts / "counts", dtype=np.int64, mode="w+", shape=(len(jobs),))
    counts[:] = UNSTARTED
    waiting = dict(enumerate(jobs))

    def path(slot: int) -> Path:
        return parts / f"{slot}.parquet"

    def hand_over(slot: int) -> None:
        finished(waiting[slot], path(slot))
        del waiting[slot]

    def arguments(slot: int, parent: int) -> tuple[Any, ...]:
        job = waiting[slot]
        return (
            job.benchmark, job.specs(), path(slot), job.schema, job.row_group_rows,
            parts / "counts", slot, parent,
        )  # fmt: skip

    with _watching(counts, advanced):
        if workers == 1:
            for slot in list(waiting):
                _make_shard(*arguments(slot, 0))
                hand_over(slot)
            return
        culprits: list[str] = []
        suspects: list[int] = []
        while waiting or suspects:
            alone = suspects.pop() if suspects else None
            slots = [alone] if alone is not None else list(waiting)
            try:
                for slot in _parallel(slots, workers if alone is None else 2, arguments):
                    hand_over(slot)
            except _worker_died():
                for slot in [
                    slot for slot in slots if slot in waiting and note_path(path(slot)).is_file()
                ]:
                    hand_over(slot)  # it was whole when another worker died
                begun = [slot for slot in slots if slot in waiting and counts[slot] != UNSTARTED]
                if alone is not None and alone in waiting:
                    culprits.append(waiting.pop(alone).file)
                elif alone is None:
                    if not begun:
                        raise  # they die before they begin: no shard is to blame
                    suspects = begun
                counts[begun] = UNSTARTED
        if culprits:
            raise WorkerDied(culprits)


def stop_workers() -> None:
    """Ends the worker processes at once."""
    from joblib.externals.loky import get_reusable_executor

    get_reusable_executor().shutdown(wait=True, kill_workers=True)


def _parallel(
    slots: Sequence[int], workers: int, arguments: Callable[[int, int], tuple[Any, ...]]
) -> Iterator[int]:
    """Yields the slots of finished shards as they come; specs are made when their turn comes."""
    from joblib import Parallel, delayed

    run = Parallel(
        n_jobs=workers,
        backend="loky",
        return_as="generator_unordered",
        batch_size=1,
        pre_dispatch=2 * workers,
        max_nbytes=None,
    )
    yield from run(delayed(_make_shard)(*arguments(slot, os.getpid())) for slot in slots)


def _worker_died() -> type[BaseException]:
    from joblib.externals.loky.process_executor import BrokenProcessPool

    kind: type[BaseException] = BrokenProcessPool
    return kind


def _make_shard(
    of: Benchmark,
    specs: Sequence[Any],
    part: Path,
    schema: pa.Schema,
    row_group_rows: int,
    counts_path: Path,
    slot: int,
    parent: int,
) -> int:
    """Makes one shard with its note in the run's own folder and returns its slot."""
    if parent:
        _live_no_longer_than(parent)
    counts = np.memmap(counts_path, dtype=np.int64, mode="r+")
    counts[slot] = 0
    images = image_columns(schema)
    names = label_names(schema)
    labels: Counter[str] = Counter()
    ids: list[str] = []
    digests: list[str] = []

    def records() -> Iterator[Record]:
        for record in of.make_all(specs):
            digests.append(record_digest(record, _pixels(record, images)).hex())
            ids.append(record["id"])
            if names:
                labels[names[record["label"]]] += 1
            counts[slot] = len(ids)
            yield record

    write_shard(part, records(), schema, row_group_rows)
    in_order = {label: labels[label] for label in names if label in labels}
    note = ShardNote(len(ids), part.stat().st_size, sha256_of(part), in_order, ids, digests)
    note.write(note_path(part))
    return slot


def _pixels(record: Record, images: Sequence[str]) -> dict[str, str]:
    """Returns the SHA-256 of the pixels of each image column, as the record states it."""
    return {image: str(record["pixels_sha256"]) for image in images}


class _watching:  # noqa: N801  (a context manager, used as a function)
    """Tells another function twice a second how many records the workers have made."""

    def __init__(
        self, counts: np.memmap[Any, np.dtype[np.int64]], advanced: Callable[[int], None]
    ) -> None:
        self._counts = counts
        self._advanced = advanced
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        self._advanced(int(np.maximum(self._counts, 0).sum()))

    def _run(self) -> None:
        while not self._stop.wait(0.5):
            self._advanced(int(np.maximum(self._counts, 0).sum()))


_watched: set[int] = set()


def _live_no_longer_than(parent: int) -> None:
    """Makes this worker end when its parent has ended, and leave Ctrl-C to the parent."""
    if parent in _watched:
        return
    _watched.add(parent)
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(WATCH_SECONDS)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def default_workers() -> int:
    """Returns the number of processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def checked_workers(workers: int | None) -> int:
    """Returns the number of workers to use.

    Raises:
        InputError: If it is below 1.
    """
    if workers is None:
        return default_workers()
    if workers < 1:
        raise InputError(f"the number of jobs must be a whole number from 1 up, not {workers}")
    return workers
