"""Moves the few nodes that make a drawing illegible.

A pattern search on the grid of 1/16 px, without randomness: sweep over the nodes, try twelve
directions, keep the best place, halve the step when a sweep brings nothing. What is minimised is a
sum of squared shortfalls against targets a little beyond the limits, so that the search does not
stall at the very edge of legibility.
"""

import math

import numpy as np
from numpy.typing import NDArray

from benchloom.builders.compiled import compiled
from benchloom.builders.graphs.graph import Graph
from benchloom.builders.vga.geometry import UNITS_PER_PIXEL, Frame, segments_touch
from benchloom.builders.vga.legibility import (
    LIMITS,
    Limits,
    frame_units,
    has_defect,
    limit_units,
    unpack,
)

# How far the targets lie beyond the limits: px between nodes, px from edges, degrees.
_BEYOND = (4.5, 3.5, 2.0)
# A missing tangent of 1 weighs as much as a missing length of so many units.
_ANGLE_WEIGHT = 100.0 * UNITS_PER_PIXEL
# Step of the search in fifths: the directions have length 5, so 64 is 20 px.
_FIRST_STEP = 64
_DIRECTIONS = np.array(
    [
        (5, 0), (4, 3), (3, 4), (0, 5), (-3, 4), (-4, 3),
        (-5, 0), (-4, -3), (-3, -4), (0, -5), (3, -4), (4, -3),
    ],
    np.float64,
)  # fmt: skip


@compiled
def _edge_cost(
    px: float, py: float, ax: float, ay: float, bx: float, by: float, target: float
) -> float:
    """Returns the squared shortfall of the distance from p to the segment ab."""
    ex, ey = bx - ax, by - ay
    along = (px - ax) * ex + (py - ay) * ey
    if along <= 0.0:  # the end is a node, and the gap between nodes asks for more
        return 0.0
    length = ex * ex + ey * ey
    if along >= length:
        return 0.0
    across = (px - ax) * ey - (py - ay) * ex
    if across * across >= target * target * length:
        return 0.0
    short = target - abs(across) / math.sqrt(length)
    return short * short


@compiled
def _angle_cost(ux: float, uy: float, vx: float, vy: float, tangent: float) -> float:
    """Returns the weighted squared shortfall of the angle between two vectors."""
    along = ux * vx + uy * vy
    if along <= 0.0:
        return 0.0
    across = abs(ux * vy - uy * vx)
    if across >= tangent * along:
        return 0.0
    short = (tangent - across / along) * _ANGLE_WEIGHT
    return short * short


@compiled
def _node_cost(
    v: int,
    px: float,
    py: float,
    bound: float,
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    first: NDArray[np.int64],
    second: NDArray[np.int64],
    rows: NDArray[np.int64],
    radii: NDArray[np.float64],
    targets: NDArray[np.float64],
) -> float:
    """Returns all shortfalls that node v has a part in, were it at p; stops once at `bound`."""
    n_nodes = x.shape[0]
    cost = 0.0
    for u in range(n_nodes):
        if u == v:
            continue
        target = radii[u] + radii[v] + targets[0]
        dx, dy = px - x[u], py - y[u]
        square = dx * dx + dy * dy
        if square < target * target:
            short = target - math.sqrt(square)
            cost += short * short
    if cost >= bound:
        return cost
    target = radii[v] + targets[1]
    for e in range(first.shape[0]):
        a, b = first[e], second[e]
        if v not in (a, b):
            cost += _edge_cost(px, py, x[a], y[a], x[b], y[b], target)
    for u in range(n_nodes):
        if not rows[v] >> u & 1:
            continue
        if cost >= bound:
            return cost
        for w in range(n_nodes):
            if w in (u, v):
                continue
            cost += _edge_cost(x[w], y[w], px, py, x[u], y[u], radii[w] + targets[1])
            if rows[u] >> w & 1:
                cost += _angle_cost(px - x[u], py - y[u], x[w] - x[u], y[w] - y[u], targets[3])
            if w > u and rows[v] >> w & 1:
                cost += _angle_cost(x[u] - px, y[u] - py, x[w] - px, y[w] - py, targets[3])
    return cost


@compiled
def _crosses(
    v: int,
    px: float,
    py: float,
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    first: NDArray[np.int64],
    second: NDArray[np.int64],
    rows: NDArray[np.int64],
) -> bool:
    """Returns whether an edge of node v would touch a foreign one, were v at p."""
    for u in range(x.shape[0]):
        if not rows[v] >> u & 1:
            continue
        for e in range(first.shape[0]):
            a, b = first[e], second[e]
            if v in (a, b):
                continue
            if u in (a, b):
                w = a + b - u
                if (px - x[u]) * (y[w] - y[u]) == (py - y[u]) * (x[w] - x[u]) and (px - x[u]) * (
                    x[w] - x[u]
                ) + (py - y[u]) * (y[w] - y[u]) > 0.0:
                    return True
            elif segments_touch(px, py, x[u], y[u], x[a], y[a], x[b], y[b]):
                return True
    return False


@compiled
def _repair(
    points: NDArray[np.int64],
    rows: NDArray[np.int64],
    radii: NDArray[np.float64],
    frame: NDArray[np.float64],
    planar: bool,
    limits: NDArray[np.float64],
    targets: NDArray[np.float64],
) -> tuple[NDArray[np.int64], int, bool]:
    x, y, first, second, scaled = unpack(points, rows, radii)
    if not has_defect(x, y, first, second, scaled, frame, planar, limits):
        return points, 0, True
    n_nodes = x.shape[0]
    legible = False
    step = _FIRST_STEP
    while step >= 1 and not legible:
        improved = False
        for v in range(n_nodes):
            best = _node_cost(v, x[v], y[v], np.inf, x, y, first, second, rows, scaled, targets)
            if best == 0.0:
                continue
            reach = scaled[v] + limits[2]
            best_x, best_y = x[v], y[v]
            for direction in range(_DIRECTIONS.shape[0]):
                px = x[v] + step * _DIRECTIONS[direction, 0]
                py = y[v] + step * _DIRECTIONS[direction, 1]
                if (
                    px - reach < frame[0]
                    or py - reach < frame[1]
                    or px + reach > frame[2]
                    or py + reach > frame[3]
                ):
                    continue
                cost = _node_cost(v, px, py, best, x, y, first, second, rows, scaled, targets)
                if cost < best and not (planar and _crosses(v, px, py, x, y, first, second, rows)):
                    best, best_x, best_y = cost, px, py
            if best_x != x[v] or best_y != y[v]:
                x[v], y[v] = best_x, best_y
                improved = True
                if not has_defect(x, y, first, second, scaled, frame, planar, limits):
                    legible = True
                    break
        if not improved:
            step //= 2
    moved = 0
    repaired = np.empty((n_nodes, 2), np.int64)
    for v in range(n_nodes):
        repaired[v, 0], repaired[v, 1] = np.int64(x[v]), np.int64(y[v])
        if repaired[v, 0] != points[v, 0] or repaired[v, 1] != points[v, 1]:
            moved += 1
    return repaired, moved, legible


def repair(
    points: NDArray[np.int64],
    graph: Graph,
    radii: NDArray[np.float64],
    frame: Frame,
    planar: bool,
    limits: Limits = LIMITS,
) -> tuple[NDArray[np.int64], int, bool]:
    """Returns the repaired drawing, how many nodes were moved, and whether it is now legible.

    A drawing that is legible at once comes back as it is. A planar drawing without crossings stays
    without them.

    Args:
        points: Node centres in 1/16 px on the canvas, shape (n, 2), all within the frame.
        graph: The graph.
        radii: Radius of each node in px, shape (n,), from node_radii.
        frame: The region the drawing must stay in.
        planar: Whether edges must not cross.
        limits: The limits of legibility.
    """
    return _repair(
        points,
        graph.rows,
        radii,
        frame_units(frame),
        planar,
        limit_units(limits),
        limit_units(limits, _BEYOND),
    )
