"""The rasteriser: lines and nodes into a canvas of bytes, in loops compiled by numba.

Nothing but integers and + - * / sqrt of single floats, in a fixed order: every machine makes the
same bytes. Coordinates are those of `benchloom.builders.vga.drawing`.
"""

from math import ceil, floor, sqrt

import numpy as np
from numpy.typing import NDArray

from benchloom.builders.compiled import compiled
from benchloom.builders.vga.ink import GROUP, groups_of

FULL = 239
"""While a drawing is made, a byte of the canvas holds how much of a pixel lines cover, 0 to FULL; a
byte above FULL is the final palette index of a pixel that a node touches, plus FULL + 1."""

RAMP = 6
"""Palette entries 0 to RAMP are the ground, RAMP - 1 shades of a line over it, and the line."""

_STEPS = 32  # the table from distance to coverage has an entry every 1/32 pixel


@compiled
def half_plane(depth: float, a: float, b: float) -> float:
    """Returns how much of a pixel lies on the inner side of a border, 0 to 1.

    Args:
        depth: How far the pixel's centre lies inside the border, in pixels; negative outside.
        a: Size of one component of the border's unit normal.
        b: Size of the other.
    """
    if a < b:
        a, b = b, a
    reach = (a + b) / 2  # of the pixel's farthest corner
    inner = abs(depth)
    if inner >= reach:
        covered = 1.0
    elif inner <= (a - b) / 2:
        covered = 0.5 + inner / a
    else:
        covered = 1.0 - (reach - inner) * (reach - inner) / (2 * a * b)
    return covered if depth > 0 else 1.0 - covered


@compiled
def _ordered(points: NDArray[np.int64], ends: NDArray[np.int64]) -> NDArray[np.int64]:
    """Returns the lines, shape (m, 4): y, x of the upper and of the lower end, sorted.

    Rounding makes a pixel depend on the order in which lines cross it; the order is therefore that
    of the places, whatever the nodes are called. A line drawn twice appears twice.
    """
    lines = np.empty((len(ends) // 2, 4), np.int64)
    for e in range(len(lines)):
        x0, y0 = points[ends[2 * e], 0], points[ends[2 * e], 1]
        x1, y1 = points[ends[2 * e + 1], 0], points[ends[2 * e + 1], 1]
        if (y1, x1) < (y0, x0):
            x0, y0, x1, y1 = x1, y1, x0, y0
        k = e
        while k > 0 and (lines[k - 1, 0], lines[k - 1, 1], lines[k - 1, 2], lines[k - 1, 3]) > (
            y0,
            x0,
            y1,
            x1,
        ):
            lines[k] = lines[k - 1]
            k -= 1
        lines[k, 0], lines[k, 1], lines[k, 2], lines[k, 3] = y0, x0, y1, x1
    return lines


@compiled
def _draw_line(
    canvas: NDArray[np.uint8],
    width: int,
    line: NDArray[np.int64],
    half_width: float,
    coverage: NDArray[np.uint32],
) -> None:
    """Blends one line into the canvas of coverages; `coverage` is working space.

    The line has no caps: what is missing at its ends, less than a pixel, is below the nodes.
    """
    y0, x0, y1, x1 = line[0] / 16, line[1] / 16, line[2] / 16, line[3] / 16
    if line[0] == line[2] or line[1] == line[3]:
        y0, x0 = (line[0] >> 4) + 0.5, (line[1] >> 4) + 0.5
        y1, x1 = (line[2] >> 4) + 0.5, (line[3] >> 4) + 0.5
    height = canvas.size // width
    dx, dy = x1 - x0, y1 - y0
    length = sqrt(dx * dx + dy * dy)
    if length == 0:
        return
    # Walk along the longer axis; at each step the line covers a few pixels across it.
    steep = abs(dy) >= abs(dx)
    if steep:
        start, stop, side, slope = y0, y1, x0, dx / dy
        n_along, n_across, stride_along, stride_across = height, width, width, 1
    else:
        start, stop, side, slope = x0, x1, y0, dy / dx
        n_along, n_across, stride_along, stride_across = width, height, 1, width
    a, b = max(abs(dx), abs(dy)) / length, min(abs(dx), abs(dy)) / length
    if start > stop:
        side += (stop - start) * slope
        start, stop = stop, start
    reach = half_width + (a + b) / 2
    # As many pixels across at every step: a count that varies costs more than an empty pixel.
    n_touched = int(2 * reach / a) + 1
    coverage[int(reach * _STEPS) + 1 :] = 0
    for step in range(int(reach * _STEPS) + 1):
        distance = step / _STEPS
        inside = half_plane(half_width - distance, a, b)
        inside -= half_plane(-half_width - distance, a, b)
        coverage[step] = np.uint32(FULL * inside + 0.5)
    full = np.uint32(FULL)
    scale = a * _STEPS * 65536  # distances are counted in 1/65536 of the table's steps
    across_step = int(scale + 0.5)
    for along in range(max(0, floor(start)), min(n_along, floor(stop) + 1)):
        middle = side + (along + 0.5 - start) * slope
        first = ceil(middle - reach / a - 0.5)
        after = min(n_across, first + n_touched)
        first = max(0, first)
        distance_in_steps = int((first + 0.5 - middle) * scale)
        place = along * stride_along + first * stride_across
        for _ in range(first, after):
            covered = coverage[(abs(distance_in_steps) + 32768) >> 16]
            below = np.uint32(canvas[place])
            if below:
                covered = below + ((full - below) * covered + full // np.uint32(2)) // full
            canvas[place] = covered
            place += stride_across
            distance_in_steps += across_step


@compiled
def _node_coverage(square: bool, radius: float, half_side: float, x: float, y: float) -> float:
    """Returns how much of a pixel a node covers, 0 to 1, by its centre's place from the node's."""
    x, y = abs(x), abs(y)
    if square:
        across, down = half_side + 0.5 - x, half_side + 0.5 - y
        return max(0.0, min(1.0, across)) * max(0.0, min(1.0, down))
    squared = x * x + y * y
    # 0.7072 is half a pixel's diagonal: only there does the border cross the pixel.
    if squared >= (radius + 0.7072) * (radius + 0.7072):
        return 0.0
    if squared <= (radius - 0.7072) * (radius - 0.7072):
        return 1.0
    distance = sqrt(squared)
    return half_plane(radius - distance, x / distance, y / distance)


@compiled
def _half_chord(square: bool, radius: float, half_side: float, y: float) -> float:
    """Returns half the length of what lies wholly in a node of a row, y from its centre."""
    y = abs(y) + 0.5
    if square:
        return half_side if y <= half_side else 0.0
    return sqrt(radius * radius - y * y) if y < radius else 0.0


@compiled
def draw_into(
    canvas: NDArray[np.uint8],
    width: int,
    points: NDArray[np.int64],
    ends: NDArray[np.int64],
    squares: NDArray[np.int64],
    half_width: float,
    radius: float,
    half_side: float,
    nearest: NDArray[np.uint8],
) -> NDArray[np.int64]:
    """Draws lines, then nodes above them, into a canvas of zeros; leaves palette indices in it.

    Returns the groups of pixels that are not all ground, as `ink_groups` does.

    Args:
        canvas: The pixels, row by row, uint8, all 0.
        width: Pixels in a row.
        points: Centres of the nodes, shape (n, 2), columns x and y, in 1/16 pixel.
        ends: The nodes at the ends of the lines, shape (2 m,): two for each line.
        squares: The nodes that are squares.
        half_width: Half the width of a line, in pixels.
        radius: Of a disc, in pixels.
        half_side: Half the side of a square, in pixels.
        nearest: Palette index by 63rds of a node's coverage and by the coverage of lines below,
            shape (64, FULL + 1).
    """
    height = canvas.size // width
    coverage = np.empty(int((half_width + 2) * _STEPS) + 2, np.uint32)
    lines = _ordered(points, ends)
    for e in range(len(lines)):
        _draw_line(canvas, width, lines[e], half_width, coverage)

    n_nodes = len(points)
    marked = np.zeros(n_nodes, np.bool_)
    for node in squares:
        marked[node] = True
    centres = np.empty((n_nodes, 2))
    for node in range(n_nodes):
        for axis in range(2):
            place = points[node, axis]
            centres[node, axis] = (place >> 4) + 0.5 if marked[node] else place / 16
    near = np.empty(n_nodes, np.int64)
    largest = max(radius, half_side) + 1
    solid = FULL + 1 + nearest[63, 0]
    for node in range(n_nodes):
        x, y = centres[node]
        n_near = 0
        for other in range(n_nodes):
            far = max(abs(centres[other, 0] - x), abs(centres[other, 1] - y))
            if other != node and far < 2 * largest:
                near[n_near] = other
                n_near += 1
        reach = (half_side if marked[node] else radius) + 0.5
        for i in range(max(0, floor(y - reach)), min(height, ceil(y + reach))):
            # Between these columns the pixels lie wholly inside.
            inner = _half_chord(marked[node], radius, half_side, i + 0.5 - y)
            first, last = ceil(x - inner), floor(x + inner)
            for j in range(max(0, floor(x - reach)), min(width, ceil(x + reach))):
                if first <= j < last:
                    canvas[i * width + j] = solid
                    continue
                below = canvas[i * width + j]
                covered = _node_coverage(marked[node], radius, half_side, j + 0.5 - x, i + 0.5 - y)
                if covered == 0 or below > FULL:
                    continue
                for k in range(n_near):  # where nodes overlap, the greater coverage counts
                    dx, dy = j + 0.5 - centres[near[k], 0], i + 0.5 - centres[near[k], 1]
                    theirs = _node_coverage(marked[near[k]], radius, half_side, dx, dy)
                    covered = max(covered, theirs)
                canvas[i * width + j] = FULL + 1 + nearest[int(63 * covered + 0.5), below]

    table = np.empty(256, np.uint8)
    for level in range(256):
        table[level] = level - FULL - 1 if level > FULL else (level * RAMP + FULL // 2) // FULL
    inked = groups_of(canvas)
    for group in inked:
        for at in range(group * GROUP, min(group * GROUP + GROUP, canvas.size)):
            canvas[at] = table[canvas[at]]
    return inked
