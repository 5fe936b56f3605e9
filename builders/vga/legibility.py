"""What makes a drawing legible: a picture must determine its graph (the VGA paper's section 3).

Distances are compared as squares and angles as a cross product against a tangent, all in units of
1/16 px where coordinates are integers, so that the verdict is the same on every machine.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from benchloom.builders.compiled import compiled
from benchloom.builders.graphs.graph import Graph
from benchloom.builders.vga.geometry import (
    UNITS_PER_PIXEL,
    Frame,
    narrow_angle,
    near_edge,
    segments_touch,
)

_PI = 3.141592653589793


@dataclass(frozen=True)
class Limits:
    """What a legible drawing keeps to; lengths in px, the angle in degrees.

    Attributes:
        radius: Radius of a disc with its outline.
        square_radius: Radius of the circle around a marked node's square.
        node_gap: Least distance between the rims of two nodes.
        edge_gap: Least distance between a node's rim and the middle line of an edge not its own.
        angle: Least angle between two edges at a node.
        border: Width of the strip inside the frame's border that holds no ink.

    Raises:
        ValueError: If a length is negative or the angle is not within 0..45 degrees.
    """

    radius: float = 12.72
    square_radius: float = 18.0
    node_gap: float = 4.0
    edge_gap: float = 3.7
    angle: float = 4.0
    border: float = 4.0

    def __post_init__(self) -> None:
        for name in ("radius", "square_radius", "node_gap", "edge_gap", "border"):
            if getattr(self, name) < 0:
                raise ValueError(f"{name} is a length in px, not {getattr(self, name)}")
        if not 0 <= self.angle < 45:
            raise ValueError(f"the angle is 0 up to 45 degrees, not {self.angle}")


LIMITS = Limits()


def tangent(degrees: float) -> float:
    """Returns the tangent of an angle below 90 degrees, from the two series, alike everywhere."""
    x = degrees * _PI / 180.0
    sine, cosine, term = 0.0, 0.0, 1.0
    for k in range(0, 40, 2):
        cosine += term
        term = term * x / (k + 1)
        sine += term
        term = -term * x / (k + 2)
    return sine / cosine


@lru_cache(maxsize=64)
def limit_units(
    limits: Limits, extra: tuple[float, float, float] = (0.0, 0.0, 0.0)
) -> NDArray[np.float64]:
    """Returns node gap, edge gap, border in 1/16 px and the tangent of the angle, shape (4,).

    Args:
        limits: The limits.
        extra: Added to the node gap, the edge gap (px) and the angle (degrees).
    """
    return np.array(
        [
            (limits.node_gap + extra[0]) * UNITS_PER_PIXEL,
            (limits.edge_gap + extra[1]) * UNITS_PER_PIXEL,
            limits.border * UNITS_PER_PIXEL,
            tangent(limits.angle + extra[2]),
        ]
    )


@lru_cache(maxsize=64)
def frame_units(frame: Frame) -> NDArray[np.float64]:
    """Returns left, top, right and bottom of a frame in 1/16 px, shape (4,)."""
    right, bottom = frame.left + frame.width, frame.top + frame.height
    return np.array([frame.left, frame.top, right, bottom], np.float64) * UNITS_PER_PIXEL


@lru_cache(maxsize=1024)
def node_radii(
    n_nodes: int, marked: tuple[int, int] | None = None, limits: Limits = LIMITS
) -> NDArray[np.float64]:
    """Returns the radius of each node in px, shape (n,); marked nodes are squares. Not to change.

    Raises:
        ValueError: If a marked node does not exist.
    """
    radii = np.full(n_nodes, limits.radius)
    for node in marked or ():
        if not 0 <= node < n_nodes:
            raise ValueError(f"marked node {node} is not one of 0..{n_nodes - 1}")
        radii[node] = limits.square_radius
    radii.flags.writeable = False
    return radii


@compiled
def has_defect(
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    first: NDArray[np.int64],
    second: NDArray[np.int64],
    radii: NDArray[np.float64],
    frame: NDArray[np.float64],
    planar: bool,
    limits: NDArray[np.float64],
) -> bool:
    """Returns whether a drawing has any defect.

    Args:
        x: Integer coordinates in 1/16 px, shape (n,).
        y: The same downwards.
        first: One end of each edge, shape (m,).
        second: The other end.
        radii: Radii in 1/16 px, shape (n,).
        frame: From frame_units.
        planar: Whether edges must not cross.
        limits: From limit_units.
    """
    n_nodes, n_edges = x.shape[0], first.shape[0]
    for u in range(n_nodes):
        reach = radii[u] + limits[2]
        if (
            x[u] - reach < frame[0]
            or y[u] - reach < frame[1]
            or x[u] + reach > frame[2]
            or y[u] + reach > frame[3]
        ):
            return True
        for v in range(u):
            gap = radii[u] + radii[v] + limits[0]
            dx, dy = x[u] - x[v], y[u] - y[v]
            if dx * dx + dy * dy < gap * gap:
                return True
    for e in range(n_edges):
        a, b = first[e], second[e]
        for w in range(n_nodes):
            if w not in (a, b) and near_edge(
                x[w], y[w], x[a], y[a], x[b], y[b], radii[w] + limits[1]
            ):
                return True
        for f in range(e):
            c, d = first[f], second[f]
            if a in (c, d) or b in (c, d):
                hub = a if a in (c, d) else b
                u = a + b - hub
                v = c + d - hub
                if narrow_angle(
                    x[u] - x[hub], y[u] - y[hub], x[v] - x[hub], y[v] - y[hub], limits[3]
                ):
                    return True
            elif planar and segments_touch(x[a], y[a], x[b], y[b], x[c], y[c], x[d], y[d]):
                return True
    return False


@compiled
def unpack(
    points: NDArray[np.int64], rows: NDArray[np.int64], radii: NDArray[np.float64]
) -> tuple[
    NDArray[np.float64],
    NDArray[np.float64],
    NDArray[np.int64],
    NDArray[np.int64],
    NDArray[np.float64],
]:
    """Returns x, y, both ends of the edges and the radii in 1/16 px, as the loops want them."""
    n_nodes = points.shape[0]
    x, y, scaled = np.empty(n_nodes), np.empty(n_nodes), np.empty(n_nodes)
    first = np.empty(n_nodes * (n_nodes - 1) // 2, np.int64)
    second = np.empty(n_nodes * (n_nodes - 1) // 2, np.int64)
    n_edges = 0
    for u in range(n_nodes):
        x[u], y[u] = points[u, 0], points[u, 1]
        scaled[u] = radii[u] * UNITS_PER_PIXEL
        for v in range(u + 1, n_nodes):
            if rows[u] >> v & 1:
                first[n_edges], second[n_edges] = u, v
                n_edges += 1
    return x, y, first[:n_edges], second[:n_edges], scaled


@compiled
def _is_legible(
    points: NDArray[np.int64],
    rows: NDArray[np.int64],
    radii: NDArray[np.float64],
    frame: NDArray[np.float64],
    planar: bool,
    limits: NDArray[np.float64],
) -> bool:
    x, y, first, second, scaled = unpack(points, rows, radii)
    return not has_defect(x, y, first, second, scaled, frame, planar, limits)


def is_legible(
    points: NDArray[np.int64],
    graph: Graph,
    radii: NDArray[np.float64],
    frame: Frame,
    planar: bool,
    limits: Limits = LIMITS,
) -> bool:
    """Returns whether a drawing keeps to all limits; `defects` says where it does not.

    Args:
        points: Node centres in 1/16 px on the canvas, shape (n, 2).
        graph: The graph.
        radii: Radius of each node in px, shape (n,), from node_radii.
        frame: The region the drawing must stay in.
        planar: Whether two edges must not cross or touch either.
        limits: The limits.
    """
    return _is_legible(points, graph.rows, radii, frame_units(frame), planar, limit_units(limits))


def defects(
    points: NDArray[np.int64],
    graph: Graph,
    radii: NDArray[np.float64],
    frame: Frame,
    planar: bool,
    limits: Limits = LIMITS,
) -> list[str]:
    """Returns every defect of a drawing in words, naming nodes and edges; empty when legible.

    Takes what is_legible takes, and agrees with it.
    """
    gap, edge_gap, border, angle = (float(value) for value in limit_units(limits))
    left, top, right, bottom = (float(value) for value in frame_units(frame))
    place = [(float(x), float(y)) for x, y in points]
    radius = [float(value) * UNITS_PER_PIXEL for value in radii]
    found = []
    for u, (x, y) in enumerate(place):
        reach = radius[u] + border
        if x - reach < left or y - reach < top or x + reach > right or y + reach > bottom:
            found.append(f"node {u} is within {limits.border} px of the border")
        for v in range(u):
            least = radius[u] + radius[v] + gap
            dx, dy = x - place[v][0], y - place[v][1]
            if dx * dx + dy * dy < least * least:
                found.append(f"nodes {v} and {u} are less than {limits.node_gap} px apart")
    for e, (a, b) in enumerate(graph.edges):
        for w in range(graph.n_nodes):
            if w not in (a, b) and near_edge(*place[w], *place[a], *place[b], radius[w] + edge_gap):
                found.append(f"node {w} is less than {limits.edge_gap} px from edge {a}-{b}")
        for c, d in graph.edges[:e]:
            shared = {a, b} & {c, d}
            if shared:
                (hub,) = shared
                (hx, hy), (ux, uy), (vx, vy) = place[hub], place[a + b - hub], place[c + d - hub]
                if narrow_angle(ux - hx, uy - hy, vx - hx, vy - hy, angle):
                    found.append(
                        f"edges {c}-{d} and {a}-{b} are less than {limits.angle} degrees apart"
                    )
            elif planar and segments_touch(*place[a], *place[b], *place[c], *place[d]):
                found.append(f"edges {c}-{d} and {a}-{b} cross or touch")
    return found
