"""The decoder's loops: which nodes a line joins, and whether any ink is left over.

Coordinates and units are those of `benchloom.builders.vga.decoder`. Lengths are in pixels.
"""

from math import ceil, floor, sqrt

import numpy as np
from numpy.typing import NDArray

from benchloom.builders.compiled import compiled

_STEP = 0.5  # between two samples along a line
_CLEAR = 12  # so many cuts across an edge, clear of all others, tell its width
_OFF = 0.75  # a line may lie so far beside the line between the centres found


@compiled
def _sample(plane: NDArray[np.uint8], x: float, y: float) -> float:
    """Returns the plane at a point, interpolated between the four pixel centres around it."""
    left, top = floor(x - 0.5), floor(y - 0.5)
    if left < 0 or top < 0 or left + 1 >= plane.shape[1] or top + 1 >= plane.shape[0]:
        return 0.0
    right, low = x - 0.5 - left, y - 0.5 - top
    above = plane[top, left] * (1 - right) + plane[top, left + 1] * right
    below = plane[top + 1, left] * (1 - right) + plane[top + 1, left + 1] * right
    return float(above * (1 - low) + below * low)


@compiled
def _to_border(square: bool, radius: float, half_side: float, x: float, y: float) -> float:
    """Returns how far a node's border is from its centre, in the direction of a unit vector."""
    return half_side / max(abs(x), abs(y)) if square else radius


@compiled
def read_edges(
    line: NDArray[np.uint8],
    centres: NDArray[np.float64],
    square: NDArray[np.bool_],
    panel: NDArray[np.int64],
    radius: float,
    half_side: float,
    line_width: float,
) -> NDArray[np.int64]:
    """Returns the pairs of nodes u < v that a line joins, int64, shape (m, 2), sorted.

    A pair is joined when every sample from border to border shows a line, at most 0.75 pixels
    aside, and no other node touches the way.

    Args:
        line: How much of each pixel shows a line, 0..255.
        centres: Centres of the nodes, shape (n, 2), columns x and y.
        square: Which nodes are squares.
        panel: The panel of each node; only nodes of one panel can be joined.
        radius: Of a disc.
        half_side: Half the side of a square.
        line_width: Width of a line.
    """
    n_nodes = len(centres)
    edges = np.empty((n_nodes * (n_nodes - 1) // 2, 2), np.int64)
    n_edges = 0
    # At its palest a line lies on the border of two pixels and covers half its width of each.
    least = 255 * 0.6 * min(1.0, line_width / 2)
    for u in range(n_nodes):
        for v in range(u + 1, n_nodes):
            if panel[u] != panel[v]:
                continue
            x, y = centres[v, 0] - centres[u, 0], centres[v, 1] - centres[u, 1]
            length = sqrt(x * x + y * y)
            x, y = x / length, y / length
            joined = True
            for w in range(n_nodes):
                along = (centres[w, 0] - centres[u, 0]) * x + (centres[w, 1] - centres[u, 1]) * y
                aside = abs(
                    (centres[w, 0] - centres[u, 0]) * y - (centres[w, 1] - centres[u, 1]) * x
                )
                reach = half_side * (abs(x) + abs(y)) if square[w] else radius
                if w not in (u, v) and 0 < along < length and aside < reach + line_width / 2:
                    joined = False
            # Next to a border the node's own colour blends into the line's.
            start = _to_border(square[u], radius, half_side, x, y) + 1.25
            stop = length - _to_border(square[v], radius, half_side, x, y) - 1.25
            if start > stop:
                start = stop = (start + stop) / 2
            n_steps = int((stop - start) / _STEP) + 1
            for step in range(n_steps + 1):
                if not joined:
                    break
                along = start + (stop - start) * step / n_steps
                at_x, at_y = centres[u, 0] + along * x, centres[u, 1] + along * y
                joined = (
                    _sample(line, at_x, at_y) >= least
                    or _sample(line, at_x - _OFF * y, at_y + _OFF * x) >= least
                    or _sample(line, at_x + _OFF * y, at_y - _OFF * x) >= least
                )
            if joined:
                edges[n_edges, 0], edges[n_edges, 1] = u, v
                n_edges += 1
    return edges[:n_edges]


@compiled
def _ink_across(
    line: NDArray[np.uint8],
    count: NDArray[np.uint8],
    at_x: float,
    at_y: float,
    x: float,
    y: float,
    side: float,
) -> float:
    """Returns the ink on a cut across an edge, -1 where another edge comes near the cut.

    Args:
        line: As for `read_edges`.
        count: How many edges may touch each pixel.
        at_x: Where the cut is.
        at_y: Where the cut is.
        x: Direction of the edge, a unit vector.
        y: Direction of the edge, a unit vector.
        side: How far the cut reaches to either side.
    """
    n_samples = ceil(side / _STEP)
    total = 0.0
    for sample in range(-n_samples, n_samples + 1):
        to_x, to_y = at_x - sample * _STEP * y, at_y + sample * _STEP * x
        if count[floor(to_y), floor(to_x)] > 1:
            return -1.0
        total += _sample(line, to_x, to_y)
    return total * _STEP


@compiled
def explain(
    ink: NDArray[np.bool_],
    line: NDArray[np.uint8],
    centres: NDArray[np.float64],
    square: NDArray[np.bool_],
    edges: NDArray[np.int64],
    radius: float,
    half_side: float,
    line_width: float,
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
    """Returns a pixel of ink that nothing explains, and of each edge its own share and width.

    The pixel is int64 (x, y), (-1, -1) when there is none. The next array, float64, shape (m,),
    holds the part of an edge's samples that lie beside no other edge; the last one, likewise, the
    mean ink on cuts across it: the width of one line, more where several lie over one another.

    Args:
        ink: Which pixels are not ground.
        line: As for `read_edges`.
        centres: As for `read_edges`.
        square: As for `read_edges`.
        edges: As `read_edges` returns them.
        radius: As for `read_edges`.
        half_side: As for `read_edges`.
        line_width: As for `read_edges`.
    """
    height, width = ink.shape
    count = np.zeros((height, width), np.uint8)
    reach = line_width / 2 + 0.71 + _OFF  # half a pixel's diagonal: it may be touched
    for e in range(len(edges)):
        x0, y0 = centres[edges[e, 0], 0], centres[edges[e, 0], 1]
        x, y = centres[edges[e, 1], 0] - x0, centres[edges[e, 1], 1] - y0
        length = sqrt(x * x + y * y)
        steep = abs(y) >= abs(x)
        first, last = (
            (min(y0, y0 + y), max(y0, y0 + y)) if steep else (min(x0, x0 + x), max(x0, x0 + x))
        )
        slope = x / y if steep else y / x
        spread = reach * length / max(abs(x), abs(y))
        for along in range(floor(first), floor(last) + 1):
            middle = x0 + (along + 0.5 - y0) * slope if steep else y0 + (along + 0.5 - x0) * slope
            for across in range(ceil(middle - spread - 0.5), floor(middle + spread - 0.5) + 1):
                i, j = (along, across) if steep else (across, along)
                if 0 <= i < height and 0 <= j < width and count[i, j] < 254:
                    count[i, j] += 1
    exclusive, width_seen = np.empty(len(edges)), np.full(len(edges), line_width)
    for e in range(len(edges)):
        u, v = edges[e]
        x, y = centres[v, 0] - centres[u, 0], centres[v, 1] - centres[u, 1]
        length = sqrt(x * x + y * y)
        x, y = x / length, y / length
        start = _to_border(square[u], radius, half_side, x, y)
        stop = length - _to_border(square[v], radius, half_side, x, y)
        alone, n_steps = 0, max(1, int((stop - start) / _STEP))
        clear, seen = 0, 0.0
        side = line_width / 2 + 2
        for step in range(n_steps):
            at = start + (stop - start) * (step + 0.5) / n_steps
            at_x, at_y = centres[u, 0] + at * x, centres[u, 1] + at * y
            if count[floor(at_y), floor(at_x)] == 1:
                alone += 1
            if at - start > 2 and stop - at > 2:  # a node's rim has ink of its own
                ink_across = _ink_across(line, count, at_x, at_y, x, y, side)
                if ink_across >= 0:
                    clear += 1
                    seen += ink_across
        exclusive[e] = alone / n_steps
        if clear >= _CLEAR:
            width_seen[e] = seen / clear / 255
    for node in range(len(centres)):
        x, y = centres[node]
        far = (half_side if square[node] else radius) + 1.5
        for i in range(max(0, floor(y - far)), min(height, ceil(y + far))):
            for j in range(max(0, floor(x - far)), min(width, ceil(x + far))):
                dx, dy = j + 0.5 - x, i + 0.5 - y
                if square[node] or dx * dx + dy * dy <= far * far:
                    count[i, j] = 255
    stray = np.full(2, -1, np.int64)
    for i in range(height):
        n_stray = 0
        for j in range(width):
            n_stray += ink[i, j] & (count[i, j] == 0)
        if n_stray:
            for j in range(width):
                if ink[i, j] and count[i, j] == 0:
                    stray[0], stray[1] = j, i
                    return stray, exclusive, width_seen
    return stray, exclusive, width_seen
