"""The baseline of the benchmark command makes the same queries, with networkx alone."""

import re
from collections.abc import Sequence
from itertools import product
from typing import Any

import networkx
import pytest

from benchloom.builders.benchmark import benchmark
from benchloom.builders.graphomni.bench import bench
from benchloom.builders.graphomni.bench_baseline import WRITERS, asked_of, query, shown_of
from benchloom.builders.graphomni.checks import confirm
from benchloom.builders.graphomni.grid import COMBINATIONS, COUNTS, PROMPT_SCHEMES
from benchloom.builders.graphomni.plan import Spec
from benchloom.builders.recipe import Recipe

# networkx lays these out in its own way, so their graphs are compared by parsing.
PARSERS = {"graphml": networkx.parse_graphml, "gml": networkx.parse_gml}
GRAPH = re.compile(r"(?<= is\n)(?:.|\n)*?(?=\nQ: |\nLet's construct)")


def some_specs(task: str) -> list[Spec]:
    """The first three instances of each difficulty in all combinations of the formats it knows."""
    plan = benchmark("graphomni").plan(Recipe.of("graphomni", limit=3), task)
    specs = [spec for specs in plan.values() for spec in specs[:]]
    return [spec for spec in specs if spec.serialization in WRITERS]


def shown_graphs(text: str, serialization: str) -> list[tuple[set[str], set[frozenset[str]]]]:
    graphs = [PARSERS[serialization](shown) for shown in GRAPH.findall(text)]
    return [(set(graph), {frozenset(edge) for edge in graph.edges}) for graph in graphs]


@pytest.mark.parametrize("task", COUNTS)
def test_the_baseline_makes_the_same_queries_and_answers(task: str) -> None:
    specs = some_specs(task)
    assert {(spec.serialization, spec.scheme) for spec in specs} == set(
        product(WRITERS, PROMPT_SCHEMES)
    )
    assert len(specs) == 3 * 3 * 63
    given = shown_of(task, 1)
    for spec, record in zip(specs, benchmark("graphomni").make_all(specs), strict=True):
        one, ours, written = spec.instance, record["query"], spec.serialization
        theirs, answer = query(task, written, spec.scheme, asked_of(one), *given)
        if written in PARSERS:
            assert GRAPH.sub("", theirs) == GRAPH.sub("", ours)
            graphs = shown_graphs(ours, written)
            assert len(graphs) == ours.count("\nQ: ")
            assert shown_graphs(theirs, written) == graphs
        else:
            assert theirs == ours
        assert confirm(task, one.graph, one.source, one.target, answer)


@pytest.fixture(scope="module")
def rows() -> dict[str, Sequence[Any]]:
    """A measurement of 12 instances a cell, by the names of its rows."""
    return {row[0]: row for row in bench(12)}


def test_every_stage_is_measured_and_they_add_up(rows: dict[str, Sequence[Any]]) -> None:
    stages = ("plan", "text and columns", "digest", "write")
    assert all(float(row[1]) > 0 for row in rows.values())
    whole = float(rows["all stages"][1])
    assert sum(float(rows[stage][1]) for stage in stages) <= whole * 1.001
    ratio = float(rows["baseline"][1]) / whole
    assert float(rows["baseline / all stages"][1]) == pytest.approx(ratio)


def test_stages_have_their_own_memory_and_the_grid_its_size(
    rows: dict[str, Sequence[Any]],
) -> None:
    stages = ("plan", "text and columns", "digest", "write", "baseline")
    for stage in stages:
        assert "rows a second a core" in rows[stage][3]
        # No stage may hold what another one made, as one process for all of them would.
        assert 20 < rows[f"memory of {stage}"][1] < 600
    whole = len(COMBINATIONS) * sum(map(sum, COUNTS.values()))
    assert f"{whole:,} rows" in rows["full grid: time"][3]
    text = rows["text"][1]
    assert rows["full grid: text"][1] == pytest.approx(whole * text / 1e6)
    assert 1500 < text < 4500
    assert rows["full grid: stored"][1] == pytest.approx(whole * rows["stored"][1] / 1e6)
