"""How fast VGA is built, stage by stage, beside NetworkX and matplotlib in the same run."""

from __future__ import annotations

import hashlib
import math
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from benchloom.builders.benchmark import Benchmark, benchmark
from benchloom.builders.errors import InputError
from benchloom.builders.graphs.graph6 import decode
from benchloom.builders.memory import peak_memory
from benchloom.builders.recipe import Recipe
from benchloom.builders.records import record_digest
from benchloom.builders.shards import arrow_schema, write_shard
from benchloom.builders.vga import layouts, placement, record
from benchloom.builders.vga.plan import Spec

if TYPE_CHECKING:
    import networkx as nx

BASELINE_SHARE = 10
"""One of so many pictures is drawn by the baseline too: it is that slow."""
PIXEL_BYTES = 700 * 700 * 3
STAGES = ("layout", "repair", "draw", "encode", "hash")
Row = tuple[str, float, str, str]


def bench(limit: int) -> Iterator[Row]:
    """Yields rows (stage, value, unit, remark); times are of one thread's processor.

    The pictures are spread over all splits in proportion to their sizes, so that totals are those
    of a whole build. The baseline draws a tenth of the same pictures: NetworkX's layout, `nx.draw`
    and `savefig` to a PNG file.

    Args:
        limit: Number of pictures.

    Raises:
        InputError: If scipy, which NetworkX's layout needs, is not installed.
    """
    try:
        import scipy  # noqa: F401
    except ImportError:
        raise InputError("the baseline needs scipy: pip install 'benchloom[bench]'") from None
    vga = benchmark("vga")
    started = time.thread_time()
    plans = {config: vga.plan(Recipe.of("vga"), config) for config in vga.configs}
    plan_seconds = time.thread_time() - started
    total = sum(len(specs) for splits in plans.values() for specs in splits.values())
    specs = [
        spec
        for splits in plans.values()
        for of in splits.values()
        for spec in _spread(of, max(1, round(limit * len(of) / total)))
    ]
    yield (
        "plan",
        1e3 * plan_seconds / total,
        "ms",
        f"{plan_seconds:.1f} s for all {total:,} pictures",
    )
    vga.warm_up()
    made: list[dict[str, Any]] = []
    spent = _stage_seconds(vga, specs, made)
    n = len(specs)
    alone = _seconds(lambda: [hashlib.sha256(bytes(PIXEL_BYTES)) for _ in range(50)]) / 50
    remarks = {"hash": f"of {PIXEL_BYTES:,} bytes of RGB; SHA-256 by itself {1e3 * alone:.2f} ms"}
    for stage in STAGES:
        yield stage, 1e3 * spent[stage] / n, "ms", remarks.get(stage, "")
    yield (
        "rest of a record",
        1e3 * (spent["all"] - sum(spent[s] for s in STAGES)) / n,
        "ms",
        "columns, graph6",
    )
    digest = _seconds(lambda: [record_digest(one, {"image": one["pixels_sha256"]}) for one in made])
    yield "digest", 1e3 * digest / n, "ms", ""
    write = _write_seconds(vga, specs, made)
    yield "write", 1e3 * write / n, "ms", "parquet"
    ours = plan_seconds / total + (spent["all"] + digest + write) / n
    size = sum(len(one["image"]["bytes"]) for one in made) / n
    yield "all stages", 1e3 * ours, "ms", f"{1 / ours:,.0f} pictures a second a core"
    yield "picture", size / 1e3, "KB", "PNG, mean"
    theirs, their_size = _baseline(specs[::BASELINE_SHARE])
    remark = f"NetworkX layout, nx.draw, savefig; {len(specs[::BASELINE_SHARE])} pictures"
    yield "baseline", 1e3 * theirs, "ms", remark
    yield "baseline picture", their_size / 1e3, "KB", "PNG, mean"
    yield "baseline / all stages", theirs / ours, "times", "throughput a core, same run"
    rate, memory, workers = _parallel(limit)
    yield (
        "build on all processors",
        rate,
        "pictures/s",
        f"{workers} processes, after plan and start",
    )
    yield "memory of a worker", memory, "MB", "peak"
    yield (
        "all pictures",
        total / rate / 60,
        "minutes",
        f"projected: {total:,} at that rate, {workers} processes",
    )


def _spread(specs: Sequence[Spec], count: int) -> list[Spec]:
    """Returns `count` specs spread evenly over a split."""
    step = len(specs) / count
    return [specs[int((i + 0.5) * step)] for i in range(count)]


def _seconds(work: Callable[[], object]) -> float:
    started = time.thread_time()
    work()
    return time.thread_time() - started


@contextmanager
def _timed(
    place: ModuleType | dict[str, Any], name: str, stage: str, spent: dict[str, float]
) -> Iterator[None]:
    """Adds up the time a function takes while the block runs."""
    table = place if isinstance(place, dict) else vars(place)
    inner = table[name]

    def timed(*arguments: Any) -> Any:
        started = time.thread_time()
        try:
            return inner(*arguments)
        finally:
            spent[stage] += time.thread_time() - started

    table[name] = timed
    try:
        yield
    finally:
        table[name] = inner


def _stage_seconds(
    vga: Benchmark, specs: Sequence[Spec], made: list[dict[str, Any]]
) -> dict[str, float]:
    """Returns the seconds of each stage over all specs, and fills in the records."""
    spent = dict.fromkeys((*STAGES, "all"), 0.0)
    with ExitStack() as stack:
        for name in layouts.LAYOUTS:
            stack.enter_context(_timed(layouts.LAYOUTS, name, "layout", spent))
        for place, name, stage in (
            (placement, "fit", "layout"),
            (placement, "repair", "repair"),
            (record, "draw", "draw"),
            (record, "encode_png", "encode"),
            (record, "pixels_sha256", "hash"),
        ):
            stack.enter_context(_timed(place, name, stage, spent))
        started = time.thread_time()
        made.extend(vga.make_all(specs))
        spent["all"] = time.thread_time() - started
    return spent


def _write_seconds(vga: Benchmark, specs: Sequence[Spec], made: Sequence[dict[str, Any]]) -> float:
    """Returns the seconds it takes to write the records as shards."""
    seconds = 0.0
    with tempfile.TemporaryDirectory() as folder:
        for config in vga.configs:
            schema = arrow_schema(vga.features(config))
            rows = [one for spec, one in zip(specs, made, strict=True) if spec.config == config]
            path = Path(folder) / f"{config}.parquet"
            seconds += _seconds(lambda: write_shard(path, rows, schema, vga.row_group_rows))  # noqa: B023
    return seconds


def _baseline(specs: Sequence[Spec]) -> tuple[float, float]:
    """Returns seconds and bytes a picture of drawing the usual way."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt
    import networkx as nx

    layout: dict[str, Callable[[nx.Graph], Any]] = {
        "kamada_kawai": nx.kamada_kawai_layout,
        "planar": nx.planar_layout,
        "random": nx.random_layout,
    }
    size = 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "picture.png"
        seconds = 0.0
        for number, spec in enumerate([specs[0], *specs]):
            started = time.thread_time()
            figure = plt.figure(figsize=(7, 7), dpi=100)
            width = 1 / len(spec.graphs)
            for place, shown in enumerate(spec.graphs):
                graph = nx.Graph(decode(shown.graph6).edges)
                axes = figure.add_axes((place * width, 0, width, 1))
                positions = layout[shown.layout](graph)
                nx.draw(graph, positions, ax=axes)
                if shown.marked:
                    nx.draw_networkx_nodes(graph, positions, shown.marked, node_shape="s", ax=axes)
            figure.savefig(path)
            plt.close(figure)
            if number:  # the first one loads fonts and settings
                seconds += time.thread_time() - started
                size += path.stat().st_size
    return seconds / len(specs), size / len(specs)


def _parallel(limit: int) -> tuple[float, float, int]:
    """Returns pictures a second and peak MB a worker of a parallel build, and the workers."""
    from joblib import Parallel, delayed

    from benchloom.builders.pipeline import make_plan
    from benchloom.builders.workers import ShardJob, default_workers, run_jobs, stop_workers

    workers = max(2, default_workers())
    recipe = Recipe.of("vga", limit=max(10, math.ceil(limit / 4)))
    plan = make_plan(recipe)
    vga = benchmark("vga")
    schemas = {config: arrow_schema(vga.features(config)) for config in vga.configs}

    def jobs(rows: int) -> list[ShardJob]:
        return [
            ShardJob(
                vga,
                shard.file,
                lambda shard=shard: plan.specs[shard.config][shard.split][
                    shard.start : shard.start + rows
                ],  # type: ignore[misc]
                rows,
                schemas[shard.config],
                vga.row_group_rows,
                slot,
            )
            for slot, shard in enumerate(plan.shards)
        ]

    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "warm").mkdir()
        (Path(folder) / "run").mkdir()
        run_jobs(jobs(5), Path(folder) / "warm", workers, lambda *_: None, lambda _: None)
        started = time.monotonic()
        run_jobs(
            jobs(recipe.limit or 0), Path(folder) / "run", workers, lambda *_: None, lambda _: None
        )
        seconds = time.monotonic() - started
    peaks = Parallel(workers, batch_size=1)(delayed(peak_memory)() for _ in range(8 * workers))
    stop_workers()
    return plan.rows / seconds, max(peaks), workers
