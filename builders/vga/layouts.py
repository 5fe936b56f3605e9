"""Where the nodes of a graph lie, before a drawing is fitted into its frame (VGA, section 3)."""

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from benchloom.builders.compiled import compiled
from benchloom.builders.graphs.graph import Graph
from benchloom.builders.registry import register
from benchloom.builders.seeds import rng
from benchloom.builders.vga.embedding import embed
from benchloom.builders.vga.planar_drawing import shift_drawing, triangulate

Positions = NDArray[np.float64] | NDArray[np.int64]
Layout = Callable[[Graph, int, np.random.Generator], Positions]


# How many starts are majorised side by side, how many of them to the end, and how far.
_STARTS = 32
_FINALISTS = 4
_FIRST_STEPS = 24
_LAST_STEPS = 150
_TOLERANCE = 1e-3
# Steps longer than the majorisation's own about halve their number; 2 would never settle.
_RELAXATION = 1.9


def circle(n_nodes: int) -> NDArray[np.float64]:
    """Returns points around the unit circle, shape (n, 2), computed without sine and cosine."""
    points = np.empty((n_nodes, 2))
    for node in range(n_nodes):
        quarter, rest = divmod(4 * node, n_nodes)
        t = rest / n_nodes
        x, y = (1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)
        for _ in range(quarter):
            x, y = -y, x
        points[node] = x, y
    return points


@lru_cache(maxsize=256)
def _starts(n_nodes: int, start: int) -> NDArray[np.float32]:
    """Returns a family of starts, shape (n, 2, _STARTS): the nodes in some order on a circle."""
    generator = rng("vga", "kamada-kawai-starts", n_nodes, start)
    points = circle(n_nodes) * (max(n_nodes, 2) / 4)
    starts = [points[generator.permutation(n_nodes)] for _ in range(_STARTS)]
    return np.ascontiguousarray(np.stack(starts, axis=2).astype(np.float32))


@compiled
def graph_distances(rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Returns the distances between nodes, shape (n, n); -1 where there is no path."""
    n_nodes = rows.shape[0]
    distances = np.empty((n_nodes, n_nodes), np.int64)
    for u in range(n_nodes):
        front = np.int64(1) << u
        seen = front
        level = 0
        for v in range(n_nodes):
            distances[u, v] = -1
        while front:
            reached = np.int64(0)
            for v in range(n_nodes):
                if front >> v & 1:
                    distances[u, v] = level
                    reached |= rows[v]
            front = reached & ~seen
            seen |= front
            level += 1
    return distances


@compiled
def _inverse(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns the inverse of a positive definite matrix, by Gauss-Jordan; the matrix is used up."""
    size = matrix.shape[0]
    inverse = np.zeros((size, size))
    for k in range(size):
        inverse[k, k] = 1.0
    for k in range(size):
        pivot = 1.0 / matrix[k, k]
        for j in range(size):
            matrix[k, j] *= pivot
            inverse[k, j] *= pivot
        for i in range(size):
            if i == k:
                continue
            factor = matrix[i, k]
            for j in range(size):
                matrix[i, j] -= factor * matrix[k, j]
                inverse[i, j] -= factor * inverse[k, j]
    return inverse


@compiled
def _majorise(
    x: NDArray[np.floating],
    closeness: NDArray[np.floating],
    inverse: NDArray[np.floating],
    n_steps: int,
    tolerance: float,
) -> NDArray[np.float64]:
    """Moves several layouts at once, shape (n, 2, lanes), and returns their energies.

    The inner loops run over the layouts, which have nothing to do with one another: that makes them
    fast and leaves each one's arithmetic as it would be alone.
    """
    n_nodes, _, lanes = x.shape
    # Constants of the layouts' own type: another would turn the loops into that.
    none, tiny = x.dtype.type(0.0), x.dtype.type(1e-18)
    one, more = x.dtype.type(1.0), x.dtype.type(_RELAXATION)
    pull = np.empty((n_nodes, 2, lanes), x.dtype)
    aim = np.empty((2, lanes), x.dtype)
    for step in range(n_steps):
        for i in range(n_nodes):
            for axis in range(2):
                for lane in range(lanes):
                    pull[i, axis, lane] = none
        for i in range(n_nodes):
            for j in range(i + 1, n_nodes):
                weight = closeness[i, j]
                for lane in range(lanes):
                    dx = x[i, 0, lane] - x[j, 0, lane]
                    dy = x[i, 1, lane] - x[j, 1, lane]
                    force = weight / np.sqrt(dx * dx + dy * dy + tiny)
                    pull[i, 0, lane] += force * dx
                    pull[j, 0, lane] -= force * dx
                    pull[i, 1, lane] += force * dy
                    pull[j, 1, lane] -= force * dy
        # The last two steps are plain ones, which settle the layout's scale.
        relaxation = one if step >= n_steps - 2 else more
        farthest = none
        for i in range(n_nodes):
            for axis in range(2):
                for lane in range(lanes):
                    aim[axis, lane] = none
            for j in range(n_nodes):
                weight = inverse[i, j]
                for lane in range(lanes):
                    aim[0, lane] += weight * pull[j, 0, lane]
                    aim[1, lane] += weight * pull[j, 1, lane]
            for lane in range(lanes):
                dx = aim[0, lane] - x[i, 0, lane]
                dy = aim[1, lane] - x[i, 1, lane]
                farthest = max(farthest, dx * dx + dy * dy)
                x[i, 0, lane] += relaxation * dx
                x[i, 1, lane] += relaxation * dy
        if farthest < tolerance * tolerance:
            break
    energies = np.empty(lanes)
    for lane in range(lanes):
        # At the best scale s: sum of (s r/d - 1)^2.
        linear, square, n_pairs = 0.0, 0.0, 0
        for i in range(n_nodes):
            for j in range(i + 1, n_nodes):
                dx = x[i, 0, lane] - x[j, 0, lane]
                dy = x[i, 1, lane] - x[j, 1, lane]
                ratio = np.sqrt(dx * dx + dy * dy) * closeness[i, j]
                linear += ratio
                square += ratio * ratio
                n_pairs += 1
        energies[lane] = n_pairs - linear * linear / square if n_pairs else 0.0
    return energies


@compiled
def _kamada_kawai(rows: NDArray[np.int64], starts: NDArray[np.float32]) -> NDArray[np.float64]:
    """Returns the layout of least energy, shape (n, 2); (0, 2) if the graph is not connected."""
    n_nodes = rows.shape[0]
    distances = graph_distances(rows)
    closeness = np.zeros((n_nodes, n_nodes))
    matrix = np.empty((n_nodes, n_nodes))
    for u in range(n_nodes):
        total = 1.0 / n_nodes
        for v in range(n_nodes):
            if distances[u, v] < 0:
                return np.empty((0, 2))
            if u != v:
                closeness[u, v] = 1.0 / distances[u, v]
                weight = closeness[u, v] * closeness[u, v]
                matrix[u, v] = 1.0 / n_nodes - weight
                total += weight
        matrix[u, u] = total
    inverse = _inverse(matrix)
    layouts = starts.copy()
    narrow = np.float32  # what only chooses the finalists is done in half the digits, twice as fast
    energies = _majorise(
        layouts, closeness.astype(narrow), inverse.astype(narrow), _FIRST_STEPS, 0.0
    )
    finalists = np.empty((n_nodes, 2, _FINALISTS))
    for k in range(_FINALISTS):
        best = 0
        for lane in range(1, energies.shape[0]):
            if energies[lane] < energies[best]:
                best = lane
        for node in range(n_nodes):
            for axis in range(2):
                finalists[node, axis, k] = layouts[node, axis, best]
        energies[best] = np.inf
    energies = _majorise(finalists, closeness, inverse, _LAST_STEPS, _TOLERANCE)
    best = 0
    for lane in range(1, _FINALISTS):
        if energies[lane] < energies[best]:
            best = lane
    positions = np.empty((n_nodes, 2))
    for node in range(n_nodes):
        for axis in range(2):
            positions[node, axis] = finalists[node, axis, best]
    return positions


def kamada_kawai(graph: Graph, start: int = 0) -> NDArray[np.float64]:
    """Returns the layout that minimises Kamada and Kawai's energy, shape (n, 2), distances as unit.

    The energy is the sum over pairs of nodes of ((|x_i - x_j| - d_ij) / d_ij)^2. It is minimised by
    stress majorisation from 32 starts on a circle, of which the best four are followed to the end.
    The result depends on the graph's numbering and on nothing else.

    Args:
        graph: A connected graph.
        start: Which family of starts, from 0: another one finds a minimum of about the same energy,
            usually the same layout turned.

    Raises:
        ValueError: If the graph is not connected or has no node.
    """
    if graph.n_nodes == 0:
        raise ValueError("a graph without nodes has no layout")
    positions = _kamada_kawai(graph.rows, _starts(graph.n_nodes, start))
    if len(positions) == 0:
        raise ValueError("the Kamada-Kawai layout needs a connected graph")
    return positions


@compiled
def _planar(rows: NDArray[np.int64], start: int) -> NDArray[np.int64]:
    """Returns grid positions, shape (n, 2); shape (0, 2) if the graph is not planar."""
    n_nodes = rows.shape[0]
    if n_nodes < 3:
        positions = np.zeros((n_nodes, 2), np.int64)
        for node in range(n_nodes):
            positions[node, 0] = node
        return positions
    n_faces, walks, lengths = embed(rows)
    if n_faces == 0:
        return np.empty((0, 2), np.int64)
    # The outer face: the longest first, then the others.
    taken = np.zeros(n_faces, np.bool_)
    outer = 0
    for _ in range(start % n_faces + 1):
        outer = -1
        for face in range(n_faces):
            if not taken[face] and (outer < 0 or lengths[face] > lengths[outer]):
                outer = face
        taken[outer] = True
    linked = rows.copy()
    third = triangulate(n_faces, walks, lengths, outer, linked)
    length = lengths[outer]
    contour = np.empty(length, np.int64)
    for k in range(length):
        contour[k] = walks[outer, length - 1 - k]
    return shift_drawing(contour, linked, third)


def planar(graph: Graph, start: int = 0) -> NDArray[np.int64]:
    """Returns a straight-line layout without crossings on an integer grid, shape (n, 2), y down.

    The nodes lie on a grid of at most (2n - 4) x (n - 2) cells, as in NetworkX's planar_layout.

    Args:
        graph: A connected planar graph.
        start: Which face lies outside, from 0, the longest first; counts round.

    Raises:
        ValueError: If the graph is not planar or not connected, or has no node.
    """
    if graph.n_nodes == 0:
        raise ValueError("a graph without nodes has no layout")
    if bool((graph_distances(graph.rows) < 0).any()):
        raise ValueError("the planar layout needs a connected graph")
    positions = _planar(graph.rows, start)
    if len(positions) == 0:
        raise ValueError("the graph is not planar")
    return positions


def random(n_nodes: int, generator: np.random.Generator) -> NDArray[np.float64]:
    """Returns independent uniform positions in the unit square, shape (n, 2)."""
    return generator.random((n_nodes, 2))


LAYOUTS: dict[str, Layout] = {}
"""Layouts by name; each takes a graph, a start and a generator, and uses what it needs of them."""


@register(LAYOUTS, "kamada_kawai")
def _from_kamada_kawai(graph: Graph, start: int, _: np.random.Generator) -> Positions:
    return kamada_kawai(graph, start)


@register(LAYOUTS, "planar")
def _from_planar(graph: Graph, start: int, _: np.random.Generator) -> Positions:
    return planar(graph, start)


@register(LAYOUTS, "random")
def _from_random(graph: Graph, _: int, generator: np.random.Generator) -> Positions:
    return random(graph.n_nodes, generator)
