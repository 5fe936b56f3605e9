"""How fast GraphOmni is built, stage by stage, beside networkx called query by query."""

import multiprocessing
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from benchloom.builders.benchmark import Benchmark, Record, benchmark
from benchloom.builders.graphomni.cells import Instance
from benchloom.builders.graphomni.grid import COMBINATIONS, COUNTS
from benchloom.builders.graphomni.plan import Spec, SplitSpecs, plan_task
from benchloom.builders.memory import peak_memory
from benchloom.builders.recipe import Recipe
from benchloom.builders.records import record_digest
from benchloom.builders.seeds import rng
from benchloom.builders.shards import arrow_schema, write_shard

Row = tuple[str, float, str, str]
SAMPLE = 1000
"""Most instances whose texts are made; planning takes all of them."""
BASELINE_SHARE = 16
"""One of so many of these texts is made by the baseline too: all combinations have a turn."""
PROCESSORS = 2
"""For how many the time of the full grid is projected."""


def bench(limit: int) -> Iterator[Row]:
    """Yields rows (stage, value, unit, remark); times are of one thread's processor.

    Each stage runs in a new process, over a row group of records at a time as a worker does, so
    that its memory is its own. The baseline makes each query by itself: see `bench_baseline`.

    Args:
        limit: Instances of each task and difficulty at most.
    """
    seconds, used, (base, peak), instances = _in_new_process(partial(_plan, limit))
    each = seconds / (len(instances) * len(COMBINATIONS))
    spent, memory = {"plan": each}, {"plan": (base, peak)}
    yield _speed("plan", each, f"{seconds:.1f} s for {used:,.0f} instances")
    # Every n-th instance would often be of one and the same generator.
    chosen = rng("bench", "graphomni").permutation(len(instances))[:SAMPLE]
    some = [instances[place] for place in sorted(chosen.tolist())]
    n = len(some) * len(COMBINATIONS)
    sizes = {}
    for stage, work in (("text and columns", _text), ("digest", _digest), ("write", _write)):
        seconds, sizes[stage], memory[stage], _ = _in_new_process(partial(work, some))
        spent[stage] = seconds / n
        yield _speed(stage, spent[stage], f"{n:,} rows")
    ours = sum(spent.values())
    yield _speed("all stages", ours, "one after the other")
    seconds, made, memory["baseline"], _ = _in_new_process(partial(_baseline, some))
    theirs = seconds / made
    remark = f"{made:,.0f} queries and answers by networkx; worked reasoning given ready"
    yield _speed("baseline", theirs, remark)
    yield "baseline / all stages", theirs / ours, "times", "it plans, digests and writes nothing"
    yield (
        "baseline / text and columns",
        theirs / spent["text and columns"],
        "times",
        "ours has its answers from the plan",
    )
    for stage, (base, peak) in memory.items():
        yield f"memory of {stage}", peak, "MB", f"peak of a process; {base:.0f} MB of it imports"
    text, size = sizes["text and columns"], sizes["write"]
    yield "text", text / n, "characters", f"a query; {text / 1e6:,.1f} million in {n:,} rows"
    yield "stored", size / n, "bytes", f"a row of parquet; {size / 1e6:,.2f} MB in {n:,} rows"
    whole = sum(map(sum, COUNTS.values())) * len(COMBINATIONS)
    yield (
        "full grid: time",
        whole * (spent["plan"] + (ours - spent["plan"]) / PROCESSORS),
        "s",
        f"projected: {whole:,} rows, planned by one of {PROCESSORS} processors, made by all",
    )
    yield "full grid: text", whole * text / n / 1e6, "million characters", "projected"
    yield "full grid: stored", whole * size / n / 1e6, "MB", "projected; parquet"


def _speed(stage: str, seconds: float, remark: str) -> Row:
    return stage, 1e6 * seconds, "us", f"a row: {1 / seconds:,.0f} rows a second a core; {remark}"


Measured = tuple[float, float, tuple[float, float], Any]
"""Seconds, an amount, MB after the imports and at the most, and what was made."""


def _in_new_process(work: Callable[[], Measured]) -> Measured:
    # Not a fork: that would begin with the memory of this process.
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        return pool.submit(work).result()


def _plan(limit: int) -> Measured:
    """Plans; the amount is the number of instances."""
    _warm()
    recipe = Recipe.of("graphomni", limit=limit)
    before = peak_memory()
    started = time.thread_time()
    plans = [plan_task(recipe, task) for task in COUNTS]
    seconds = time.thread_time() - started
    instances = [one for plan in plans for specs in plan.values() for one in specs.instances]
    return seconds, len(instances), (before, peak_memory()), instances


def _text(instances: Sequence[Instance]) -> Measured:
    """Makes records; the amount is the number of characters of their queries."""
    omni = _warm()
    before = peak_memory()
    seconds = characters = 0.0
    for specs in _pieces(instances, omni.row_group_rows):
        started = time.thread_time()
        records = list(omni.make_all(specs))
        seconds += time.thread_time() - started
        characters += sum(len(record["query"]) for record in records)
    return seconds, characters, (before, peak_memory()), None


def _digest(instances: Sequence[Instance]) -> Measured:
    """Takes the digests of records; the amount is their number."""
    omni = _warm()
    before = peak_memory()
    seconds = count = 0.0
    for specs in _pieces(instances, omni.row_group_rows):
        records = list(omni.make_all(specs))
        started = time.thread_time()
        count += len([record_digest(record, {}) for record in records])
        seconds += time.thread_time() - started
    return seconds, count, (before, peak_memory()), None


def _write(instances: Sequence[Instance]) -> Measured:
    """Writes records as shards; the amount is the bytes of the files."""
    omni = _warm()
    schema = arrow_schema(omni.features("cycle"))
    before = peak_memory()
    making = size = 0.0

    def records(specs: Sequence[Any]) -> Iterator[Record]:
        nonlocal making
        made = omni.make_all(specs)
        while True:
            begun = time.thread_time()
            record = next(made, None)
            making += time.thread_time() - begun
            if record is None:
                return
            yield record

    started = time.thread_time()
    with tempfile.TemporaryDirectory() as folder:
        for number, specs in enumerate(_pieces(instances, omni.shard_rows)):
            path = Path(folder) / f"{number}.parquet"
            write_shard(path, records(specs), schema, omni.row_group_rows)
            size += path.stat().st_size
    return time.thread_time() - started - making, size, (before, peak_memory()), None


def _baseline(instances: Sequence[Instance]) -> Measured:
    """Makes some of the queries by networkx; the amount is their number."""
    from benchloom.builders.graphomni.bench_baseline import WRITERS, asked_of, query, shown_of

    omni = _warm()
    some = SplitSpecs(instances, omni.generation)[::BASELINE_SHARE]
    specs = [spec for spec in some if spec.serialization in WRITERS]
    shown = {task: shown_of(task, omni.generation) for task in COUNTS}
    asked = [asked_of(spec.instance) for spec in specs]
    before = peak_memory()
    started = time.thread_time()
    for spec, one in zip(specs, asked, strict=True):
        query(spec.instance.task, spec.serialization, spec.scheme, one, *shown[spec.instance.task])
    return time.thread_time() - started, len(specs), (before, peak_memory()), None


def _pieces(instances: Sequence[Instance], rows: int) -> Iterator[Sequence[Spec]]:
    """Yields the specs of instances, so many at a time."""
    specs = SplitSpecs(instances, benchmark("graphomni").generation)
    for start in range(0, len(specs), rows):
        yield specs[start : start + rows]


def _warm() -> Benchmark:
    """Returns the benchmark after a first record, so that no import is measured."""
    omni = benchmark("graphomni")
    (specs, *_) = omni.plan(Recipe.of("graphomni", limit=1), "cycle").values()
    with tempfile.TemporaryDirectory() as folder:
        schema = arrow_schema(omni.features("cycle"))
        write_shard(Path(folder) / "one.parquet", omni.make_all(specs[:1]), schema, 1)
    return omni
