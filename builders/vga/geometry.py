"""Frames, the sub-pixel grid, fitting a layout into a frame, and exact tests on segments.

Pixels: x to the right, y down, origin at the top left corner of the canvas; the pixel of row i and
column j covers [j, j + 1) x [i, i + 1). Final positions are integers in units of 1/16 px, so that
no rounding of a float decides about a pixel.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchloom.builders.compiled import compiled

UNITS_PER_PIXEL = 16

# nx.draw leaves two margins of 5% on either side: the node collection's and the axes' own.
_MARGIN = 1.21

# An axis whose extent is below this part of the other one's is noise around a line.
FLAT = 1.0 / 32.0


@dataclass(frozen=True)
class Frame:
    """The region of the canvas that holds all ink of one graph, in px.

    Attributes:
        left: x of the left border.
        top: y of the top border.
        width: Width; a frame of the whole canvas has the canvas's.
        height: Height.

    Raises:
        ValueError: If the frame is empty or begins outside the canvas.
    """

    left: int
    top: int
    width: int
    height: int

    def __post_init__(self) -> None:
        if self.width <= 0 or self.height <= 0:
            raise ValueError(
                f"a frame needs a width and a height, not {self.width} x {self.height}"
            )
        if self.left < 0 or self.top < 0:
            raise ValueError(f"a frame begins inside the canvas, not at ({self.left}, {self.top})")

    @property
    def layout_width(self) -> float:
        """Width of the layout box, in px: the node centres' extent in nx.draw (578.5 of 700)."""
        return self.width / _MARGIN

    @property
    def layout_height(self) -> float:
        """Height of the layout box, in px."""
        return self.height / _MARGIN


WHOLE = Frame(0, 0, 700, 700)
LEFT_PANEL = Frame(0, 0, 350, 700)
RIGHT_PANEL = Frame(350, 0, 350, 700)

_SQUARE_SYMMETRIES = (
    ((1, 0), (0, 1)),
    ((0, -1), (1, 0)),
    ((-1, 0), (0, -1)),
    ((0, 1), (-1, 0)),
    ((-1, 0), (0, 1)),
    ((0, 1), (1, 0)),
    ((1, 0), (0, -1)),
    ((0, -1), (-1, 0)),
)
# Rotations by 36.9, 22.6, 28.1, 16.3 and 43.6 degrees whose sine and cosine are rational.
_TRIPLES = ((4, 3, 5), (12, 5, 13), (15, 8, 17), (24, 7, 25), (21, 20, 29))


def _orientations() -> NDArray[np.float64]:
    """Returns the matrices of all orientations, shape (N_ORIENTATIONS, 2, 2)."""
    matrices = [np.array(symmetry, np.float64) for symmetry in _SQUARE_SYMMETRIES]
    for cosine, sine, hypotenuse in _TRIPLES:
        for (a, b), (c, d) in _SQUARE_SYMMETRIES:
            rows = (
                (a * cosine + b * sine, b * cosine - a * sine),
                (c * cosine + d * sine, d * cosine - c * sine),
            )
            matrices.append(np.array(rows, np.float64) / hypotenuse)
    return np.array(matrices)


ORIENTATIONS = _orientations()
N_ORIENTATIONS = len(ORIENTATIONS)
# The first ones, which also suit layouts whose axes have a meaning of their own.
N_SQUARE_ORIENTATIONS = len(_SQUARE_SYMMETRIES)


def fit(
    positions: NDArray[np.float64] | NDArray[np.int64], frame: Frame, orientation: int = 0
) -> NDArray[np.int64]:
    """Returns the layout turned, stretched to the frame's layout box and snapped to the grid.

    As in nx.draw, each axis is stretched by itself. An axis whose extent is less than 1/32 of the
    other's (a path drawn as a line) is centred instead: stretching it would blow up noise.

    Args:
        positions: Any layout, shape (n, 2), in any unit.
        frame: Where the drawing goes.
        orientation: Index into the orientations, 0..N_ORIENTATIONS - 1: first the
            N_SQUARE_ORIENTATIONS = 8 rotations and reflections of the square, then those combined
            with rational rotations.

    Returns:
        Integer positions in 1/16 px on the canvas, shape (n, 2), y down.

    Raises:
        ValueError: If there is no such orientation.
    """
    if not 0 <= orientation < N_ORIENTATIONS:
        raise ValueError(f"orientation {orientation} is not one of 0..{N_ORIENTATIONS - 1}")
    return fit_positions(
        np.asarray(positions, np.float64),
        ORIENTATIONS[orientation],
        float(frame.left + frame.left + frame.width),
        float(frame.top + frame.top + frame.height),
        frame.layout_width,
        frame.layout_height,
    )


@compiled
def fit_positions(
    positions: NDArray[np.float64],
    matrix: NDArray[np.float64],
    sum_x: float,
    sum_y: float,
    box_width: float,
    box_height: float,
) -> NDArray[np.int64]:
    """Returns integer positions in 1/16 px; the frame's centre is (sum_x, sum_y) / 2 px."""
    n_nodes = positions.shape[0]
    turned = np.empty((n_nodes, 2), np.float64)
    low = np.empty(2, np.float64)
    high = np.empty(2, np.float64)
    for axis in range(2):
        for node in range(n_nodes):
            value = matrix[axis, 0] * positions[node, 0] + matrix[axis, 1] * positions[node, 1]
            turned[node, axis] = value
            if node == 0 or value < low[axis]:
                low[axis] = value
            if node == 0 or value > high[axis]:
                high[axis] = value
    longest = max(high[0] - low[0], high[1] - low[1])
    points = np.empty((n_nodes, 2), np.int64)
    for axis in range(2):
        extent = high[axis] - low[axis]
        centre = (sum_x if axis == 0 else sum_y) * 0.5
        box = box_width if axis == 0 else box_height
        scale = 0.0
        if extent > 0.0 and extent >= FLAT * longest:
            scale = box / extent
        for node in range(n_nodes):
            offset = turned[node, axis] - (low[axis] + high[axis]) * 0.5
            pixels = centre + offset * scale
            points[node, axis] = np.int64(np.floor(pixels * UNITS_PER_PIXEL + 0.5))
    return points


@compiled
def orientation_of(ax: float, ay: float, bx: float, by: float, cx: float, cy: float) -> float:
    """Returns twice the signed area of the triangle abc: exact for integers below 2**25."""
    return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)


@compiled
def segments_touch(
    ax: float, ay: float, bx: float, by: float, cx: float, cy: float, dx: float, dy: float
) -> bool:
    """Returns whether the closed segments ab and cd share a point: exact for integers."""
    c_side = orientation_of(ax, ay, bx, by, cx, cy)
    d_side = orientation_of(ax, ay, bx, by, dx, dy)
    if c_side * d_side > 0.0:
        return False
    a_side = orientation_of(cx, cy, dx, dy, ax, ay)
    b_side = orientation_of(cx, cy, dx, dy, bx, by)
    if a_side * b_side > 0.0:
        return False
    if c_side == 0.0 and d_side == 0.0 and a_side == 0.0 and b_side == 0.0:  # all on one line
        return max(min(ax, bx), min(cx, dx)) <= min(max(ax, bx), max(cx, dx)) and max(
            min(ay, by), min(cy, dy)
        ) <= min(max(ay, by), max(cy, dy))
    return True


@compiled
def near_edge(
    px: float, py: float, ax: float, ay: float, bx: float, by: float, distance: float
) -> bool:
    """Returns whether p is nearer than `distance` to the segment ab, beside it or at its ends."""
    ex, ey = bx - ax, by - ay
    along = (px - ax) * ex + (py - ay) * ey
    length = ex * ex + ey * ey
    if along <= 0.0:
        return (px - ax) * (px - ax) + (py - ay) * (py - ay) < distance * distance
    if along >= length:
        return (px - bx) * (px - bx) + (py - by) * (py - by) < distance * distance
    across = (px - ax) * ey - (py - ay) * ex
    return across * across < distance * distance * length


@compiled
def narrow_angle(ux: float, uy: float, vx: float, vy: float, tangent: float) -> bool:
    """Returns whether the angle between the vectors u and v is below the one of this tangent."""
    along = ux * vx + uy * vy
    across = ux * vy - uy * vx
    return along > 0.0 and abs(across) < tangent * along
