"""Repair: what is legible stays, what is not becomes legible, and crossings never come in."""

from itertools import combinations

import numpy as np
import pytest

from benchloom.builders.graphs.catalogue import catalogue
from benchloom.builders.graphs.graph import Graph
from benchloom.builders.seeds import rng
from benchloom.builders.vga.geometry import LEFT_PANEL, RIGHT_PANEL, WHOLE, Frame, fit
from benchloom.builders.vga.layouts import kamada_kawai, planar, random
from benchloom.builders.vga.legibility import defects, node_radii
from benchloom.builders.vga.repair import repair


def pixels(*places):
    return np.array(places, np.int64) * 16


def edges(text):
    return [(int(pair[0]), int(pair[1])) for pair in text.split(",")]


def sample(count, only_planar):
    table = catalogue()
    indices = np.flatnonzero(table.planar) if only_planar else np.arange(len(table))
    chosen = rng("test", "repair", count).choice(indices, count, replace=False)
    return [table.graph(int(i)) for i in chosen]


def test_a_legible_drawing_stays_as_it_is():
    points = pixels((100, 100), (600, 100), (350, 600))
    graph = Graph.of(3, [(0, 1), (0, 2), (1, 2)])
    repaired, moved, legible = repair(points, graph, node_radii(3), WHOLE, True)
    assert np.array_equal(repaired, points)
    assert (moved, legible) == (0, True)


@pytest.mark.parametrize(
    ("places", "links"),
    [
        (((100, 100), (600, 100), (350, 100)), [(0, 1), (0, 2)]),  # a node on an edge
        (((100, 100), (600, 100), (600, 100)), [(0, 1), (1, 2)]),  # two nodes in one place
        (((50, 100), (650, 110), (400, 130)), [(0, 1), (0, 2)]),  # two edges nearly parallel
        (((100, 100), (600, 100), (350, 110)), [(0, 1), (1, 2), (0, 2)]),  # a flat triangle
    ],
)
def test_each_kind_of_defect_is_mended(places, links):
    graph, points = Graph.of(3, links), pixels(*places)
    before = points.copy()
    assert defects(points, graph, node_radii(3), WHOLE, False)
    repaired, moved, legible = repair(points, graph, node_radii(3), WHOLE, False)
    assert legible
    assert moved == (repaired != points).any(axis=1).sum() > 0
    assert not defects(repaired, graph, node_radii(3), WHOLE, False)
    assert np.array_equal(points, before)


@pytest.mark.parametrize("orientation", range(16))
def test_path_of_nine_nodes_leaves_the_border_free(orientation):
    graph = Graph.of(9, [(v, v + 1) for v in range(8)])
    for frame in (WHOLE, LEFT_PANEL, RIGHT_PANEL):
        points = fit(kamada_kawai(graph), frame, orientation)
        points, _, legible = repair(points, graph, node_radii(9), frame, False)
        assert legible
        x, y = points.T / 16
        assert frame.left + 4 + 12.72 <= x.min()
        assert x.max() <= frame.left + frame.width - 4 - 12.72
        assert frame.top + 4 + 12.72 <= y.min()
        assert y.max() <= frame.top + frame.height - 4 - 12.72


@pytest.mark.parametrize("orientation", range(8))
def test_node_on_a_foreign_edge(orientation):
    graph = Graph.of(7, edges("01,02,04,05,12,23,36,45,56"))
    points = fit(kamada_kawai(graph), WHOLE, orientation)
    repaired, _, legible = repair(points, graph, node_radii(7), WHOLE, False)
    assert legible
    place = repaired / 16
    for (a, b), node in ((edge, node) for edge in graph.edges for node in range(7)):
        if node not in (a, b):
            along = np.linspace(place[a], place[b], 2001)
            assert np.hypot(*(along - place[node]).T).min() >= 12.72 + 3.7 - 0.01


@pytest.mark.parametrize("frame", [WHOLE, LEFT_PANEL])
def test_planar_drawings_of_the_catalogue(frame):
    mended = 0
    for k, graph in enumerate(sample(400, only_planar=True)):
        points = fit(planar(graph), frame, k % 8)
        repaired, moved, legible = repair(points, graph, node_radii(graph.n_nodes), frame, True)
        assert legible
        assert defects(repaired, graph, node_radii(graph.n_nodes), frame, True) == []
        mended += moved > 0
    assert mended > 40


@pytest.mark.parametrize("frame", [WHOLE, RIGHT_PANEL])
def test_kamada_kawai_drawings_of_the_catalogue(frame):
    mended = 0
    for k, graph in enumerate(sample(300, only_planar=frame is RIGHT_PANEL)):
        points = fit(kamada_kawai(graph), frame, k % 48)
        repaired, moved, legible = repair(points, graph, node_radii(graph.n_nodes), frame, False)
        assert legible
        assert defects(repaired, graph, node_radii(graph.n_nodes), frame, False) == []
        mended += moved > 0
    assert mended > 30


def test_random_drawings_with_squares():
    failed = 0
    for k, graph in enumerate(sample(300, only_planar=False)):
        radii = node_radii(graph.n_nodes, (0, 1 + k % 7))
        points = fit(random(graph.n_nodes, rng("test", "squares", k)), WHOLE)
        repaired, _, legible = repair(points, graph, radii, WHOLE, False)
        assert legible == (defects(repaired, graph, radii, WHOLE, False) == [])
        failed += not legible
    assert failed <= 3


def test_a_drawing_that_cannot_be_mended_is_reported():
    frame = Frame(0, 0, 90, 90)
    graph = Graph.of(9, list(combinations(range(9), 2)))
    points = fit(kamada_kawai(graph), frame)
    repaired, _, legible = repair(points, graph, node_radii(9), frame, False)
    assert not legible
    assert defects(repaired, graph, node_radii(9), frame, False)


def test_a_planar_drawing_with_a_crossing_is_not_passed():
    points = pixels((100, 100), (600, 600), (600, 100), (100, 600))
    graph = Graph.of(4, [(0, 1), (2, 3)])
    assert not repair(points, graph, node_radii(4), WHOLE, True)[2]


def test_repair_is_deterministic():
    graph = sample(1, only_planar=False)[0]
    points = fit(random(graph.n_nodes, rng("test", "again")), WHOLE)
    radii = node_radii(graph.n_nodes)
    one = repair(points, graph, radii, WHOLE, False)
    for other in sample(20, only_planar=False):
        repair(fit(kamada_kawai(other), WHOLE), other, node_radii(other.n_nodes), WHOLE, False)
    other = repair(points, graph, radii, WHOLE, False)
    assert np.array_equal(one[0], other[0])
    assert one[1:] == other[1:]
