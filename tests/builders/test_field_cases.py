"""Inputs that made public tools go wrong, each with its right value (tests/cases/graphs.json)."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchloom.builders.errors import InputError
from benchloom.builders.graphs import answers, checks
from benchloom.builders.graphs.graph import Edge, Graph
from benchloom.builders.graphs.graph6 import decode
from benchloom.builders.seeds import rng
from benchloom.builders.vga.decoder import decode as decode_picture
from benchloom.builders.vga.drawing import Panel, draw, palette
from benchloom.builders.vga.geometry import WHOLE
from benchloom.builders.vga.legibility import defects, node_radii
from benchloom.builders.vga.placement import place
from benchloom.builders.vga.png import encode
from benchloom.builders.vga.style import Style

CASES = json.loads((Path(__file__).parents[1] / "cases" / "graphs.json").read_text())
Case = dict[str, Any]


def edges_of(words: list[str]) -> list[Edge]:
    return [(int(word[0]), int(word[1])) for word in words]


def cases(*kinds: str) -> Any:
    chosen = [case for case in CASES if case["kind"] in kinds]
    return pytest.mark.parametrize("case", chosen, ids=[case["id"] for case in chosen])


@cases("graph6")
def test_graph6(case: Case) -> None:
    for line in (case["line"], case["line"].encode()):
        if "error" in case:
            with pytest.raises(InputError, match=rf"graphs\.g6, line 3.*{case['error']}"):
                decode(line, "graphs.g6, line 3")
        else:
            assert decode(line) == Graph.of(case["n"], edges_of(case["edges"]))


@cases("diameter", "connected pair", "isomorphic", "chordless")
def test_answers(case: Case) -> None:
    graph = Graph.of(case["n"], edges_of(case["edges"]))
    if case["kind"] == "diameter":
        assert answers.diameter(graph) == case["value"]
    elif case["kind"] == "connected pair":
        first, second = case["pair"]
        assert (answers.distances(graph)[first, second] != 255) == case["value"]
        assert (checks.distances(graph)[first][second] < float("inf")) == case["value"]
    elif case["kind"] == "isomorphic":
        other = Graph.of(case["n"], edges_of(case["others"]))
        assert sorted(graph.degrees) == sorted(other.degrees)
        assert answers.is_isomorphic(graph, other) == case["value"]
        assert checks.is_isomorphic(graph, other) == case["value"]
    else:
        assert answers.biggest_chordless_cycle(graph) == case["value"]
        assert checks.biggest_chordless_cycle(graph) == case["value"]


@cases("drawing")
def test_drawings_are_legible_and_independent_of_the_order_of_insertion(case: Case) -> None:
    words = case["edges"]
    orders = [words, words[::-1], [word[::-1] for word in words]]
    pictures = []
    for order in orders:
        graph = Graph.of(case["n"], edges_of(order))
        placed = place(graph, "kamada_kawai", WHOLE, None, rng("test", "cases"))
        assert defects(placed.points, graph, node_radii(graph.n_nodes), WHOLE, False) == []
        pictures.append(draw([Panel(graph.edges, placed.points)], Style()).indices)
    assert all((picture == pictures[0]).all() for picture in pictures)
    assert np.count_nonzero(pictures[0]) == np.count_nonzero(pictures[0][4:-4, 4:-4])
    (panel,) = decode_picture(encode(pictures[0], palette(Style())), Style()).panels
    assert answers.is_isomorphic(Graph.of(len(panel.centres), list(panel.edges)), graph)
