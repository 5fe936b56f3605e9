"""Layouts: quality, exactness, independence of order and history, and fitting into a frame."""

from itertools import combinations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchloom.builders.graphs.catalogue import catalogue
from benchloom.builders.graphs.graph import Graph
from benchloom.builders.seeds import rng
from benchloom.builders.vga.geometry import (
    LEFT_PANEL,
    N_ORIENTATIONS,
    N_SQUARE_ORIENTATIONS,
    ORIENTATIONS,
    RIGHT_PANEL,
    WHOLE,
    Frame,
    fit,
    segments_touch,
)
from benchloom.builders.vga.layouts import circle, kamada_kawai, planar, random


def sample(count, planar_only=False):
    table = catalogue()
    indices = np.arange(len(table))
    if planar_only:
        indices = np.flatnonzero(table.planar)
    chosen = rng("test", "layouts", count).choice(indices, count, replace=False)
    return [table.graph(int(i)) for i in np.sort(chosen)]


def small_graphs(least_nodes=1):
    """All connected graphs of up to seven nodes, as networkx lists them."""
    return [
        Graph.of(len(g), list(g.edges))
        for g in nx.graph_atlas_g()
        if len(g) >= least_nodes and nx.is_connected(g)
    ]


def drawn(graph):
    """The graph in networkx, nodes in order."""
    result = nx.empty_graph(graph.n_nodes)
    result.add_edges_from(graph.edges)
    return result


def energy(positions, graph):
    """Kamada and Kawai's energy at the best scale."""
    lengths = dict(nx.all_pairs_shortest_path_length(drawn(graph)))
    ratios = np.array(
        [
            np.hypot(*(positions[u] - positions[v])) / lengths[u][v]
            for u, v in combinations(range(graph.n_nodes), 2)
        ]
    )
    return len(ratios) - ratios.sum() ** 2 / (ratios**2).sum()


def side(a, b, c):
    """The side of the line ab on which c lies, in Python's integers."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def on_segment(a, b, c):
    return side(a, b, c) == 0 and all(min(a[i], b[i]) <= c[i] <= max(a[i], b[i]) for i in (0, 1))


def touching_edges(points, graph):
    """Pairs of edges with a common point besides a common end, found in integers."""
    place = [(int(x), int(y)) for x, y in points]
    found = []
    for (a, b), (c, d) in combinations(graph.edges, 2):
        shared = {a, b} & {c, d}
        if shared:
            (hub,) = shared
            u, v = a + b - hub, c + d - hub
            if on_segment(place[hub], place[u], place[v]) or on_segment(
                place[hub], place[v], place[u]
            ):
                found.append(((a, b), (c, d)))
            continue
        p, q, r, s = place[a], place[b], place[c], place[d]
        proper = side(p, q, r) * side(p, q, s) < 0 and side(r, s, p) * side(r, s, q) < 0
        touch = on_segment(p, q, r) or on_segment(p, q, s) or on_segment(r, s, p)
        if proper or touch or on_segment(r, s, q):
            found.append(((a, b), (c, d)))
    return found


def assert_quality(graphs, start):
    ratios = []
    for graph in graphs:
        reference = nx.kamada_kawai_layout(drawn(graph))
        theirs = energy(np.array([reference[v] for v in range(graph.n_nodes)]), graph)
        ours = energy(kamada_kawai(graph, start), graph)
        if theirs > 1e-6:
            ratios.append(ours / theirs)
        else:
            assert ours < 1e-4
    ratios = np.array(ratios)
    assert len(ratios) > 0.9 * len(graphs)
    # A millionth for the tolerance at which either method stops.
    assert np.median(ratios) <= 1 + 1e-6
    assert np.mean(ratios > 1.01) <= 0.02


def test_kamada_kawai_energy_against_networkx():
    assert_quality(sample(200), 0)


def test_kamada_kawai_energy_from_other_starts():
    assert_quality(sample(50), 1)
    assert_quality(sample(51), 5)


@pytest.mark.parametrize("n_nodes", range(1, 13))
def test_kamada_kawai_of_paths_cycles_and_complete_graphs(n_nodes):
    path = Graph.of(n_nodes, [(v, v + 1) for v in range(n_nodes - 1)])
    complete = Graph.of(n_nodes, list(combinations(range(n_nodes), 2)))
    positions = kamada_kawai(path)
    assert positions.shape == (n_nodes, 2)
    assert np.isfinite(positions).all()
    assert np.isfinite(kamada_kawai(complete)).all()
    for u, v in combinations(range(n_nodes), 2):  # a path has a perfect layout: a straight line
        assert np.hypot(*(positions[u] - positions[v])) == pytest.approx(v - u, abs=0.08)


def test_another_start_begins_elsewhere():
    graph = sample(5)[0]
    assert not np.array_equal(kamada_kawai(graph, 0), kamada_kawai(graph, 1))


@pytest.mark.parametrize("layout", [kamada_kawai, planar])
@pytest.mark.parametrize(
    "graph",
    [Graph.of(0, []), Graph.of(2, []), Graph.of(4, [(0, 1), (2, 3)]), Graph.of(3, [(1, 2)])],
)
def test_only_connected_graphs_are_laid_out(layout, graph):
    with pytest.raises(ValueError, match=r"connected|without nodes"):
        layout(graph)


def test_planar_refuses_what_is_not_planar_and_nothing_else():
    for graph in [*small_graphs(), *sample(300)]:
        if nx.check_planarity(drawn(graph))[0]:
            assert planar(graph).shape == (graph.n_nodes, 2)
        else:
            with pytest.raises(ValueError, match="not planar"):
                planar(graph)


def test_planarity_of_larger_graphs():
    generator = rng("test", "larger planar graphs")
    answers = []
    for _ in range(150):
        n_nodes = int(generator.integers(10, 17))
        edges = [(int(generator.integers(v)), v) for v in range(1, n_nodes)]
        edges += [
            (int(u), int(v))
            for u, v in generator.integers(n_nodes, size=(2 * n_nodes, 2))
            if u != v
        ]
        graph = Graph.of(n_nodes, edges[: int(generator.integers(n_nodes - 1, len(edges)))])
        answers.append(nx.check_planarity(drawn(graph))[0])
        if answers[-1]:
            assert not touching_edges(planar(graph), graph)
        else:
            with pytest.raises(ValueError, match="not planar"):
                planar(graph)
    assert 20 < sum(answers) < 130


@pytest.mark.parametrize("start", [0, 1, 2, 7])
def test_planar_has_no_crossing_on_the_grid_and_when_fitted(start):
    for graph in [*small_graphs()[::7], *sample(60, planar_only=True)]:
        if not nx.check_planarity(drawn(graph))[0]:
            continue
        positions = planar(graph, start)
        assert not touching_edges(positions, graph)
        assert len({tuple(place) for place in positions.tolist()}) == graph.n_nodes
        if graph.n_nodes >= 3:
            width, height = np.ptp(positions, axis=0)
            assert width <= 2 * graph.n_nodes - 4
            assert height <= graph.n_nodes - 2
        for orientation in range(N_SQUARE_ORIENTATIONS):
            assert not touching_edges(fit(positions, LEFT_PANEL, orientation), graph)


def test_order_of_insertion_does_not_matter():
    edges = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0), (0, 5)]
    graph = Graph.of(6, edges)
    backwards = Graph.of(6, [(v, u) for u, v in reversed(edges)])
    assert np.array_equal(kamada_kawai(graph), kamada_kawai(backwards))
    assert np.array_equal(planar(graph), planar(backwards))


def test_layouts_do_not_depend_on_what_was_laid_out_before():
    graphs = sample(40, planar_only=True)
    forwards = [(kamada_kawai(graph), planar(graph)) for graph in graphs]
    backwards = [(kamada_kawai(graph), planar(graph)) for graph in reversed(graphs)]
    for one, other in zip(forwards, reversed(backwards), strict=True):
        assert np.array_equal(one[0], other[0])
        assert np.array_equal(one[1], other[1])


def test_random_is_uniform_in_the_unit_square():
    positions = random(20000, rng("test", "random"))
    assert positions.min() >= 0
    assert positions.max() <= 1
    counts = np.histogram2d(*positions.T, bins=4, range=[(0, 1), (0, 1)])[0]
    assert abs(counts - 1250).max() < 200
    assert np.array_equal(random(9, rng("test", 1)), random(9, rng("test", 1)))
    assert not np.array_equal(random(9, rng("test", 1)), random(9, rng("test", 2)))


def test_circle_is_round_and_goes_once_around():
    for n_nodes in range(3, 14):
        points = circle(n_nodes)
        assert np.allclose(np.hypot(*points.T), 1)
        turns = np.unwrap(np.arctan2(points[:, 1], points[:, 0]))
        assert (np.diff(turns) > 0).all()
        assert turns[-1] - turns[0] < 2 * np.pi


def test_orientations_are_distinct_rotations_and_reflections():
    assert len({matrix.round(6).tobytes() for matrix in ORIENTATIONS + 0.0}) == N_ORIENTATIONS
    for matrix in ORIENTATIONS:
        assert np.allclose(matrix @ matrix.T, np.eye(2))
    assert np.isin(ORIENTATIONS[:N_SQUARE_ORIENTATIONS], (-1, 0, 1)).all()
    assert np.array_equal(ORIENTATIONS[0], np.eye(2))
    assert {round(float(np.linalg.det(matrix))) for matrix in ORIENTATIONS} == {-1, 1}


@pytest.mark.parametrize("frame", [WHOLE, LEFT_PANEL, RIGHT_PANEL, Frame(0, 0, 956, 928)])
def test_fit_fills_the_layout_box_of_the_frame(frame):
    positions = rng("test", "fit").random((9, 2)) * 3 - 1
    for orientation in range(N_ORIENTATIONS):
        points = fit(positions, frame, orientation)
        assert points.dtype == np.int64
        low, high = points.min(axis=0) / 16, points.max(axis=0) / 16
        size = np.array([frame.width, frame.height])
        centre = np.array([frame.left, frame.top]) + size / 2
        assert np.allclose(high - low, size / 1.21, atol=0.07)
        assert np.allclose((high + low) / 2, centre, atol=0.07)


def test_fit_keeps_the_axes_of_orientation_zero_and_quarter_turns():
    positions = np.array([(0.0, 0.0), (4.0, 1.0), (1.0, 2.0)])
    points = fit(positions, WHOLE)
    assert points[:, 0].argsort().tolist() == [0, 2, 1]
    assert points[:, 1].argsort().tolist() == [0, 1, 2]
    turned = fit(positions, WHOLE, 1)
    assert turned[:, 0].argsort().tolist() == [2, 1, 0]
    assert turned[:, 1].argsort().tolist() == [0, 2, 1]


@pytest.mark.parametrize("orientation", range(4))
def test_fit_centres_a_flat_axis(orientation):
    noise = np.array([(0.0, 0.0), (1.0, 0.003), (2.0, -0.002), (3.0, 0.001)])
    extents = np.ptp(fit(noise, WHOLE, orientation), axis=0)
    assert sorted(extents.tolist()) == [0, 9256]
    assert np.array_equal(fit(np.zeros((1, 2)), WHOLE), [(5600, 5600)])


def test_fit_refuses_an_unknown_orientation():
    for orientation in (-1, N_ORIENTATIONS):
        with pytest.raises(ValueError, match="orientation"):
            fit(np.zeros((2, 2)), WHOLE, orientation)


@pytest.mark.parametrize("values", [(0, 0, 0, 700), (0, 0, 700, -1), (-1, 0, 5, 5), (0, -2, 5, 5)])
def test_frames_lie_on_the_canvas(values):
    with pytest.raises(ValueError, match="frame"):
        Frame(*values)


coordinate = st.integers(-3, 3)
point = st.tuples(coordinate, coordinate)


@settings(max_examples=400, deadline=None)
@given(point, point, point, point)
def test_segments_touch_is_exact(a, b, c, d):
    proper = side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0
    touch = on_segment(a, b, c) or on_segment(a, b, d) or on_segment(c, d, a)
    expected = proper or touch or on_segment(c, d, b)
    if a != b and c != d:
        numbers = [float(value) for place in (a, b, c, d) for value in place]
        assert segments_touch(*numbers) == expected
