"""How fast GraphOmni is built, stage by stage, beside networkx called query by query."""

import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from benchloom.builders.benchmark import benchmark
from benchloom.builders.graphomni.cells import Instance
from benchloom.builders.graphomni.plan import Spec
from benchloom.builders.graphomni.prompts import compose
from benchloom.builders.recipe import Recipe
from benchloom.builders.records import record_digest
from benchloom.builders.shards import arrow_schema, write_shard

Row = tuple[str, float, str, str]
Result = TypeVar("Result")
BASELINE_SHARE = 20
"""One of so many queries is made by the baseline too."""


def bench(limit: int) -> Iterator[Row]:
    """Yields rows (stage, value, unit, remark); times are of one thread's processor.

    The baseline makes each query by itself, as a script around networkx would: the answer and a
    GraphML text by networkx, the exemplars and the rest of the prompt put together anew.

    Args:
        limit: Instances of each task and difficulty at most.
    """
    omni = benchmark("graphomni")
    recipe = Recipe.of("graphomni", limit=limit)
    specs: list[Spec] = []
    plan_seconds = 0.0
    for task in omni.combined_configs["all"]:
        seconds, plan = _timed(lambda task=task: omni.plan(recipe, task))  # type: ignore[misc]
        plan_seconds += seconds
        specs += [spec for split in plan.values() for spec in split[:]]
    n = len(specs)
    yield (
        "plan",
        1e6 * plan_seconds / n,
        "us",
        f"a row; {plan_seconds:.1f} s for {n // 63:,} instances",
    )
    make, records = _timed(lambda: list(omni.make_all(specs)))
    yield "text and columns", 1e6 * make / n, "us", "a row"
    digest, _ = _timed(lambda: [record_digest(record, {}) for record in records])
    yield "digest", 1e6 * digest / n, "us", "a row"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.parquet"
        schema = arrow_schema(omni.features("cycle"))
        write, _ = _timed(lambda: write_shard(path, records, schema, omni.row_group_rows))
        size = path.stat().st_size
    yield "write", 1e6 * write / n, "us", "a row; parquet"
    ours = (plan_seconds + make + digest + write) / n
    yield "all stages", 1e6 * ours, "us", f"{1 / ours:,.0f} rows a second a core"
    yield "stored", size / n, "bytes", "a row"
    yield "text", sum(len(record["query"]) for record in records) / n, "characters", "a query"
    some = specs[::BASELINE_SHARE]
    theirs, _ = _timed(lambda: [_by_networkx(spec) for spec in some])
    theirs /= len(some)
    yield "baseline", 1e6 * theirs, "us", f"networkx query by query; {len(some):,} queries"
    yield "baseline / all stages", theirs / ours, "times", "throughput a core, same run"
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    yield "memory", peak / (1e6 if sys.platform == "darwin" else 1e3), "MB", "peak of this process"


def _timed(work: Callable[[], Result]) -> tuple[float, Result]:
    started = time.thread_time()
    result = work()
    return time.thread_time() - started, result


def _by_networkx(spec: Spec) -> tuple[str, str]:
    """Returns a query and its answer, made with networkx where it can do it."""
    import networkx as nx

    from benchloom.builders.graphomni.exemplars import exemplars

    one: Instance = spec.instance
    graph = nx.Graph()
    graph.add_nodes_from(range(one.graph.n_nodes))
    graph.add_edges_from(one.graph.edges)
    if spec.serialization == "graphml":
        "\n".join(nx.generate_graphml(graph))
    elif spec.serialization == "gml":
        "\n".join(nx.generate_gml(graph))
    solvers: dict[str, Callable[[], Any]] = {
        "bfs_order": lambda: list(nx.bfs_tree(graph, one.source)),
        "connectivity": lambda: nx.has_path(graph, one.source, one.target),
        "cycle": lambda: nx.cycle_basis(graph),
        "diameter": lambda: nx.diameter(graph),
        "shortest_path": lambda: nx.shortest_path(graph, one.source, one.target),
        "triangle": lambda: sum(nx.triangles(graph).values()) // 3,
    }
    found = solvers[one.task]()
    text = compose(
        spec.scheme, one.task, spec.serialization, one.graph, one.source, one.target,
        exemplars(one.task, spec.generation),
    )  # fmt: skip
    return text, str(found)
