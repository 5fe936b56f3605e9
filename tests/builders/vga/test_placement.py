"""Placement: repeats differ, arguments decide alone, and nothing depends on the processor."""

import hashlib
import os
import subprocess
import sys

import numpy as np
import pytest

from benchloom.builders.graphs.graph import Graph
from benchloom.builders.seeds import rng
from benchloom.builders.vga.geometry import LEFT_PANEL, RIGHT_PANEL, WHOLE, Frame
from benchloom.builders.vga.layouts import LAYOUTS
from benchloom.builders.vga.placement import place

LINKS = [(0, 1), (0, 3), (1, 2), (1, 6), (2, 3), (2, 5), (3, 4), (4, 5), (5, 6), (6, 7), (0, 7)]
GRAPH = Graph.of(8, [*LINKS, (3, 7)])
COMPLETE = Graph.of(9, [(u, v) for u in range(9) for v in range(u + 1, 9)])


def hash_of_drawings():
    """A hash of drawings of many kinds; also run in a process of its own."""
    digest = hashlib.sha256()
    for k in range(12):
        generator = rng("test", "drawings", k)
        n_nodes = 8 + k % 2
        tree = [(int(generator.integers(v)), v) for v in range(1, n_nodes)]
        sparse = Graph.of(n_nodes, [*tree, (0, n_nodes - 1)])
        extra = generator.integers(n_nodes, size=(14, 2)).tolist()
        dense = Graph.of(n_nodes, tree + [(u, v) for u, v in extra if u != v])
        for graph, layout, frame, marked in (
            (sparse, "planar", LEFT_PANEL, None),
            (sparse, "kamada_kawai", RIGHT_PANEL, None),
            (dense, "kamada_kawai", WHOLE, (0, 5)),
            (dense, "random", WHOLE, (1, 2)),
        ):
            placed = place(graph, layout, frame, marked, rng("test", "turn", k), k % 3)
            digest.update(placed.points.tobytes() + bytes([placed.moved, placed.attempts]))
    return digest.hexdigest()


def test_drawings_do_not_depend_on_the_processor(tmp_path):
    code = (
        "import importlib.util, sys\n"
        "spec = importlib.util.spec_from_file_location('placements', sys.argv[1])\n"
        "module = importlib.util.module_from_spec(spec)\n"
        "spec.loader.exec_module(module)\n"
        "print(module.hash_of_drawings())\n"
    )
    environment = os.environ | {
        "NUMBA_CPU_NAME": "generic",
        "NUMBA_CPU_FEATURES": "",
        "NUMBA_CACHE_DIR": str(tmp_path),
    }
    answer = subprocess.run(
        [sys.executable, "-c", code, __file__],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    assert answer.stdout.strip() == hash_of_drawings()
    assert any(tmp_path.rglob("*.nbc")), "the loops were not compiled for the other processor"


@pytest.mark.parametrize("layout", LAYOUTS)
def test_equal_arguments_give_equal_drawings(layout):
    one = place(GRAPH, layout, WHOLE, (1, 2), rng("test", 1), 3)
    place(COMPLETE, "random", WHOLE, None, rng("test", 2))
    other = place(GRAPH, layout, WHOLE, (1, 2), rng("test", 1), 3)
    assert np.array_equal(one.points, other.points)
    assert (one.moved, one.attempts) == (other.moved, other.attempts)
    assert one.points.dtype == np.int64
    assert one.points.shape == (8, 2)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_another_seed_gives_another_drawing(layout):
    drawings = {
        place(GRAPH, layout, WHOLE, None, rng("test", seed)).points.tobytes() for seed in range(12)
    }
    assert len(drawings) > 4


@pytest.mark.parametrize("layout", ["kamada_kawai", "planar"])
def test_repeats_of_a_graph_differ(layout):
    drawings = {
        place(GRAPH, layout, WHOLE, None, rng("test", "turn"), repeat).points.tobytes()
        for repeat in range(8)
    }
    assert len(drawings) == 8


def test_the_order_of_edges_does_not_matter():
    edges = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0), (0, 5)]
    backwards = [(v, u) for u, v in reversed(edges)]
    for layout in LAYOUTS:
        one = place(Graph.of(6, edges), layout, WHOLE, None, rng("test", 4))
        other = place(Graph.of(6, backwards), layout, WHOLE, None, rng("test", 4))
        assert np.array_equal(one.points, other.points)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_other_canvases(layout):
    frame = Frame(0, 0, 956, 928)
    points = place(GRAPH, layout, frame, None, rng("test", 5)).points / 16
    assert points.min() > 16.72
    assert points[:, 0].max() < 956 - 16.72
    assert points[:, 1].max() < 928 - 16.72
    assert np.ptp(points, axis=0).min() > 700


@pytest.mark.parametrize("n_nodes", [1, 2, 3])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_tiny_graphs(layout, n_nodes):
    graph = Graph.of(n_nodes, [(v, v + 1) for v in range(n_nodes - 1)])
    placed = place(graph, layout, LEFT_PANEL, None, rng("test", 6))
    assert placed.points.shape == (n_nodes, 2)


def test_unknown_layout():
    with pytest.raises(ValueError, match=r"spring.*kamada_kawai, planar, random"):
        place(GRAPH, "spring", WHOLE, None, rng("test", 7))


def test_a_graph_that_cannot_be_drawn_planar():
    with pytest.raises(ValueError, match="not planar"):
        place(COMPLETE, "planar", WHOLE, None, rng("test", 8))


def test_no_room_for_a_legible_drawing():
    with pytest.raises(RuntimeError, match=r"H~~~~~~.*200 attempts"):
        place(COMPLETE, "random", Frame(0, 0, 80, 80), None, rng("test", 9))
