"""Legibility: planted defects are found, and an independent check agrees."""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from benchloom.builders.graphs.graph import Graph
from benchloom.builders.seeds import rng
from benchloom.builders.vga.geometry import LEFT_PANEL, RIGHT_PANEL, WHOLE
from benchloom.builders.vga.layouts import planar
from benchloom.builders.vga.legibility import (
    LIMITS,
    Limits,
    defects,
    is_legible,
    node_radii,
    tangent,
)
from benchloom.builders.vga.placement import place


def pixels(*places):
    return np.array(places, np.int64) * 16


def distance_to_segment(p, a, b):
    ex, ey = b[0] - a[0], b[1] - a[1]
    along = ((p[0] - a[0]) * ex + (p[1] - a[1]) * ey) / (ex * ex + ey * ey)
    along = min(1.0, max(0.0, along))
    return math.hypot(p[0] - a[0] - along * ex, p[1] - a[1] - along * ey)


def cross_each_other(a, b, c, d):
    """Whether ab and cd meet, by solving for the point of intersection."""
    denominator = (b[0] - a[0]) * (d[1] - c[1]) - (b[1] - a[1]) * (d[0] - c[0])
    if denominator == 0:
        return min(distance_to_segment(p, c, d) for p in (a, b)) < 1e-9 or (
            min(distance_to_segment(p, a, b) for p in (c, d)) < 1e-9
        )
    s = ((c[0] - a[0]) * (d[1] - c[1]) - (c[1] - a[1]) * (d[0] - c[0])) / denominator
    t = ((c[0] - a[0]) * (b[1] - a[1]) - (c[1] - a[1]) * (b[0] - a[0])) / denominator
    return 0 <= s <= 1 and 0 <= t <= 1


def margin(points, graph, marked, frame, no_crossing):
    """By how much a drawing keeps to the limits (px, degrees); negative when it does not.

    Written from the definitions, with none of the package's code.
    """
    places = [(x / 16, y / 16) for x, y in points.tolist()]
    radius = [18.0 if v in (marked or ()) else 12.72 for v in range(graph.n_nodes)]
    least = math.inf
    for v, (x, y) in enumerate(places):
        edges = (
            x - frame.left,
            y - frame.top,
            frame.left + frame.width - x,
            frame.top + frame.height - y,
        )
        least = min(least, min(edges) - radius[v] - 4)
    for u, v in combinations(range(graph.n_nodes), 2):
        least = min(least, math.dist(places[u], places[v]) - radius[u] - radius[v] - 4)
    if least <= -16:  # two nodes may lie in one place, where angles have no meaning
        return least
    for a, b in graph.edges:
        for v in set(range(graph.n_nodes)) - {a, b}:
            away = distance_to_segment(places[v], places[a], places[b])
            least = min(least, away - radius[v] - 3.7)
    for one, other in combinations(graph.edges, 2):
        shared = set(one) & set(other)
        if shared:
            (hub,) = shared
            u, v = (places[sum(edge) - hub] for edge in (one, other))
            (x, y) = places[hub]
            turn = math.atan2(u[1] - y, u[0] - x) - math.atan2(v[1] - y, v[0] - x)
            turn = abs((turn + math.pi) % (2 * math.pi) - math.pi)
            least = min(least, math.degrees(turn) - 4)
        elif no_crossing and cross_each_other(*(places[v] for v in (*one, *other))):
            return -math.inf
    return least


TRIANGLE = Graph.of(3, [(0, 1), (0, 2), (1, 2)])
SQUARE = Graph.of(4, [(0, 1), (0, 3), (1, 2), (2, 3)])
BOW = pixels((100, 100), (600, 600), (600, 100), (100, 600))  # SQUARE's edges 0-1 and 2-3 cross


def found(points, graph, frame=WHOLE, marked=None, no_crossing=False, limits=LIMITS):
    radii = node_radii(graph.n_nodes, marked, limits)
    words = defects(points, graph, radii, frame, no_crossing, limits)
    assert is_legible(points, graph, radii, frame, no_crossing, limits) == (not words)
    return words


def test_a_good_drawing_has_no_defect():
    assert found(pixels((100, 100), (600, 100), (350, 600)), TRIANGLE, no_crossing=True) == []
    assert found(pixels((350, 350)), Graph.of(1, [])) == []


@pytest.mark.parametrize(
    ("points", "graph", "word"),
    [
        (((100, 100), (600, 100), (350, 16)), TRIANGLE, "node 2 is within 4.0 px of the border"),
        (((100, 100), (600, 100), (16, 350)), TRIANGLE, "node 2 is within 4.0 px of the border"),
        (((100, 100), (600, 100), (350, 684)), TRIANGLE, "node 2 is within 4.0 px of the border"),
        (((100, 100), (600, 100), (684, 350)), TRIANGLE, "node 2 is within 4.0 px of the border"),
        (
            ((100, 100), (600, 100), (629, 100)),
            Graph.of(3, [(0, 1)]),
            "nodes 1 and 2 are less than 4.0 px apart",
        ),
        (
            ((100, 100), (600, 100), (350, 116)),
            Graph.of(3, [(0, 1)]),
            "node 2 is less than 3.7 px from edge 0-1",
        ),
        (
            ((50, 100), (650, 100), (400, 123)),
            Graph.of(3, [(0, 1), (0, 2)]),
            "edges 0-1 and 0-2 are less than 4.0 degrees apart",
        ),
    ],
)
def test_each_planted_defect_is_named(points, graph, word):
    assert found(pixels(*points), graph) == [word]


def test_crossings_count_in_planar_drawings_only():
    assert found(BOW, SQUARE) == []
    assert found(BOW, SQUARE, no_crossing=True) == ["edges 0-1 and 2-3 cross or touch"]


def test_touching_counts_as_crossing():
    edges = Graph.of(4, [(0, 1), (2, 3)])
    touching = pixels((100, 300), (600, 300), (350, 300), (350, 600))
    words = found(touching, edges, no_crossing=True)
    assert "edges 0-1 and 2-3 cross or touch" in words
    assert "node 2 is less than 3.7 px from edge 0-1" in words
    overlapping = pixels((100, 300), (500, 300), (300, 300), (650, 300))
    assert "edges 0-1 and 2-3 cross or touch" in found(overlapping, edges, no_crossing=True)


def test_squares_need_more_room():
    points = pixels((100, 100), (600, 100), (350, 118))
    assert found(points, Graph.of(3, [(0, 1)])) == []
    marked = found(points, Graph.of(3, [(0, 1)]), marked=(2, 0))
    assert marked == ["node 2 is less than 3.7 px from edge 0-1"]


def test_a_panel_has_its_own_border():
    points = pixels((100, 100), (335, 350))
    edge = Graph.of(2, [(0, 1)])
    assert found(points, edge) == []
    assert found(points, edge, LEFT_PANEL) == ["node 1 is within 4.0 px of the border"]
    assert found(points, edge, RIGHT_PANEL) != []


def test_limits_are_parameters():
    points = pixels((100, 100), (600, 100), (350, 118))
    strict = Limits(edge_gap=6.0)
    assert found(points, Graph.of(3, [(0, 1)]), limits=strict) == [
        "node 2 is less than 6.0 px from edge 0-1"
    ]


@pytest.mark.parametrize("values", [{"radius": -1.0}, {"border": -0.1}, {"angle": 45.0}])
def test_limits_are_checked(values):
    with pytest.raises(ValueError, match=r"px|degrees"):
        Limits(**values)


def test_marked_nodes_must_exist():
    with pytest.raises(ValueError, match="marked node 3"):
        node_radii(3, (0, 3))


@pytest.mark.parametrize("degrees", [0.0, 0.5, 4.0, 6.0, 30.0, 45.0, 80.0])
def test_tangent(degrees):
    assert tangent(degrees) == pytest.approx(math.tan(math.radians(degrees)), rel=1e-13, abs=1e-15)


@st.composite
def graphs(draw, least=2, most=10):
    n_nodes = draw(st.integers(least, most))
    tree = [(draw(st.integers(0, v - 1)), v) for v in range(1, n_nodes)]
    others = list(combinations(range(n_nodes), 2))
    return Graph.of(n_nodes, tree + draw(st.lists(st.sampled_from(others), max_size=30)))


@settings(max_examples=300, deadline=None)
@given(st.data(), graphs(most=6), st.booleans(), st.booleans())
def test_verdict_agrees_with_an_independent_check(data, graph, no_crossing, coarse):
    # A coarse grid brings collinear nodes and overlaps, a fine one the ordinary drawing.
    step = 25 if coarse else 1
    coordinate = st.integers(1, 27 if coarse else 699)
    pairs = st.tuples(coordinate, coordinate)
    points = pixels(*[data.draw(pairs) for _ in range(graph.n_nodes)]) * step
    by_definition = margin(points, graph, None, WHOLE, no_crossing)
    assume(abs(by_definition) > 1e-6)
    assert (found(points, graph, no_crossing=no_crossing) == []) == (by_definition > 0)


@settings(max_examples=150, deadline=None)
@given(
    graphs(),
    st.sampled_from(["kamada_kawai", "random"]),
    st.sampled_from([WHOLE, LEFT_PANEL, RIGHT_PANEL]),
    st.integers(0, 2**32),
    st.integers(0, 5),
)
def test_placed_drawings_are_legible(graph, layout, frame, seed, repeat):
    # Ten nodes and all their edges do not fit into half a canvas from any random start.
    assume(frame is WHOLE or layout == "kamada_kawai" or graph.n_edges < 24)
    assume(frame is WHOLE or graph.n_nodes < 10)
    placed = place(graph, layout, frame, None, rng("test", seed), repeat)
    assert margin(placed.points, graph, None, frame, False) > -1e-9


@settings(max_examples=100, deadline=None)
@given(graphs(), st.sampled_from(["kamada_kawai", "random"]), st.integers(0, 2**32), st.data())
def test_placed_drawings_with_marks_are_legible(graph, layout, seed, data):
    nodes = st.sampled_from(range(graph.n_nodes))
    first, second = data.draw(st.lists(nodes, min_size=2, max_size=2, unique=True))
    placed = place(graph, layout, WHOLE, (first, second), rng("test", seed))
    assert margin(placed.points, graph, (first, second), WHOLE, False) > -1e-9


@settings(max_examples=200, deadline=None)
@given(graphs(), st.sampled_from([WHOLE, LEFT_PANEL]), st.integers(0, 2**32), st.integers(0, 5))
def test_placed_planar_drawings_are_legible_and_do_not_cross(graph, frame, seed, repeat):
    try:
        planar(graph)
    except ValueError:
        assume(False)
    placed = place(graph, "planar", frame, None, rng("test", seed), repeat)
    assert margin(placed.points, graph, None, frame, True) > -1e-9
