"""The gate: whether the template's edges, laid on the target, are the target's edges.

Keypoints can agree on a wrong place; a whole map of borders that falls on borders cannot. The gate
correlates the two images' edges over the template's map. Measured on real maps, right places reach
0.84 and more where the style is the same and 0.57 where fills are hatched; 5 px beside the right
place, or on a map in another projection, 0.53 is not exceeded.

Sums are of integers, so that a score does not depend on the processor.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from benchloom.builders.dragon.homography import Matrix, Model, warp_box
from benchloom.loaders.boxes import Box

Bytes = NDArray[np.uint8]
Frame = tuple[int, int, int, int]
"""Left, top, right and bottom in whole pixels, the last two exclusive."""

GATE = 0.5
"""Least correlation at which a similarity is accepted, unless the template states another."""
HOMOGRAPHY_EXTRA = 0.1
"""How much more is asked of a homography, which can bend towards a wrong map."""
STRONG_EDGE = 50
"""Edge magnitude from which on edges count alike: black text is not to drown faint borders."""
BLUR = 1.0
"""Standard deviation, in pixels of the scaled image, that allows for borders 1 or 2 px aside."""
LEAST_VISIBLE = 0.5
"""Least part of the map that must lie within the target."""
REGION_GATE = 0.2
"""Correlation below which a single region is to be drawn anew."""
REGION_DOUBT = 0.75
"""Correlation below which it is asked whether a single region fits better a few pixels aside."""
REGION_SHIFT = 3.0
"""Pixels of the scaled image by which a region may stand aside from where it fits best."""
REGION_REACH = 16
"""Pixels aside, along x and y, at which a better fit is looked for."""
REGION_GAIN = 0.25
"""How much better it must fit there: hatching, which repeats, gains up to 0.19 in a wrong place."""
QUARTERED_FROM = 30
"""Pixels along x or y from which on a region's halves along it are looked at one by one: of a map
that is deformed by parts, a region may be right on one side alone."""
QUARTER_FIT = 0.6
"""How well a quarter of a region must fit aside: in hatching that is right it is 0.57."""
FAINT_EDGE = 60
"""Softened edge below which a quarter of a region is empty, and says nothing."""
MOST_DOUBTED = 0.25
"""Most of the regions that may be in doubt, as a part of them, before the whole map is."""
HALVED_FROM = 40
"""Pixels each way from which on a better fit is looked for at half the size.

From four times as many on it is a quarter.
"""
REGION_MARGIN = 4
"""Pixels around a region that are compared with it, so that its own border is."""


@dataclass(frozen=True, eq=False)
class Comparison:
    """The template's edges laid on the target's.

    Attributes:
        score: Their correlation over the map, from -1 to 1; 0 where one has no edges.
        visible: The part of the map that lies within the target.
    """

    score: float
    visible: float
    _laid: Bytes
    _target: Bytes

    def judge(self, box: Box) -> tuple[float, bool]:
        """Returns the correlation in and around a box, and whether the box is in doubt.

        It is where the edges there do not correlate, or where they, or those of a quarter of it,
        would correlate much better a few pixels aside: a map in another projection, one that is
        deformed by parts, or an inset that stands elsewhere.

        Args:
            box: The box, xywh in pixels of the target's picture.
        """
        frame = self._frame(box)
        if frame is None:
            return 0.0, True
        score = self._correlation(frame)
        return score, (
            score < REGION_GATE
            or self._fits_aside(frame, score)
            or any(map(self._is_aside, _quarters(box)))
        )

    def _is_aside(self, quarter: Box) -> bool:
        """Tells whether a part of a region would fit much better a few pixels aside."""
        frame = self._frame(quarter)
        if frame is None or self._laid[_window(frame)].max() <= FAINT_EDGE:
            return False
        return self._fits_aside(frame, self._correlation(frame), QUARTER_FIT)

    @cached_property
    def _around(self) -> Bytes:
        """The target with a margin, as far as a better fit is looked for."""
        return np.pad(self._target, REGION_REACH)

    def _frame(self, box: Box) -> Frame | None:
        """Returns the pixels that a box and its margin take of the target; None for none."""
        x, y, width, height = box
        rows, columns = self._target.shape
        left, top = max(int(x) - REGION_MARGIN, 0), max(int(y) - REGION_MARGIN, 0)
        right = min(int(x + width) + REGION_MARGIN, columns)
        bottom = min(int(y + height) + REGION_MARGIN, rows)
        return None if right <= left or bottom <= top else (left, top, right, bottom)

    def _correlation(self, frame: Frame) -> float:
        return correlation(self._laid[_window(frame)], self._target[_window(frame)])

    def _fits_aside(self, frame: Frame, score: float, least: float = 0) -> bool:
        import cv2

        if score >= REGION_DOUBT:
            return False
        left, top, right, bottom = frame
        wider = self._around[top : bottom + 2 * REGION_REACH, left : right + 2 * REGION_REACH]
        own, reach, pixels = self._laid[_window(frame)], REGION_REACH, 1
        while min(own.shape) >= HALVED_FROM * pixels and reach % 2 == 0:
            own, wider = _halved(own), _halved(wider)
            reach, pixels = reach // 2, 2 * pixels
        fits = cv2.matchTemplate(wider, own, cv2.TM_CCOEFF_NORMED)
        down, across = np.unravel_index(int(fits.argmax()), fits.shape)
        best = float(fits.max())
        gain = best - float(fits[reach, reach])
        aside = pixels * math.hypot(int(across) - reach, int(down) - reach)
        return best >= least and gain > REGION_GAIN and aside > REGION_SHIFT


def _window(frame: Frame) -> tuple[slice, slice]:
    left, top, right, bottom = frame
    return slice(top, bottom), slice(left, right)


def _quarters(box: Box) -> list[Box]:
    """Returns the parts of a box that are looked at one by one: four, two or itself."""
    x, y, width, height = box
    across, down = (2 if side >= QUARTERED_FROM else 1 for side in (width, height))
    return [
        (x + i * width / across, y + j * height / down, width / across, height / down)
        for j in range(down)
        for i in range(across)
    ]


def _halved(edges: Bytes) -> Bytes:
    """Returns edges at half the size, each pixel the mean of four; an odd last one is left out."""
    import cv2

    rows, columns = edges.shape
    whole = edges[: rows // 2 * 2, : columns // 2 * 2]
    return np.asarray(cv2.resize(whole, (columns // 2, rows // 2), interpolation=cv2.INTER_AREA))


def soften(edges: Bytes) -> Bytes:
    """Returns edge magnitude as it is compared: cut off where it is strong, and blurred."""
    import cv2

    scaled = np.minimum(edges, STRONG_EDGE) * np.uint8(255 // STRONG_EDGE)
    return np.asarray(cv2.GaussianBlur(scaled, (0, 0), BLUR))


def compare(template: Bytes, mask: Bytes, target: Bytes, matrix: Matrix) -> Comparison:
    """Lays the template's edges on the target's by a transformation.

    Args:
        template: Edge magnitude of the template's picture.
        mask: Where its map is, of the same shape; 0 is elsewhere.
        target: Edges of the target's picture, softened.
        matrix: The transformation from template to target, on continuous coordinates.
    """
    import cv2

    rows, columns = target.shape
    laid = soften(cv2.warpPerspective(template, _by_pixels(matrix), (columns, rows)))
    where = lay_mask(mask, matrix, target.shape)
    return Comparison(
        correlation(laid[where], target[where]), _visible(mask, matrix, where), laid, target
    )


def lay_mask(mask: Bytes, matrix: Matrix, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Returns where a template's map is on a target of so many rows and columns."""
    import cv2

    return np.asarray(cv2.warpPerspective(mask, _by_pixels(matrix), (shape[1], shape[0])) > 127)


def _by_pixels(matrix: Matrix) -> Matrix:
    """Returns a transformation as OpenCV counts: from the centre of the first pixel."""
    half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
    return np.asarray(np.linalg.inv(half) @ matrix @ half)


def accepts(comparison: Comparison, model: Model, gate: float) -> str:
    """Returns why a transformation is refused, or "" where it is accepted."""
    if comparison.visible < LEAST_VISIBLE:
        return f"{1 - comparison.visible:.0%} of the map would lie outside the image"
    needed = gate + (HOMOGRAPHY_EXTRA if model == "homography" else 0)
    if comparison.score < needed:
        return f"the edges correlate by {comparison.score:.2f}, below {needed:.2f}"
    return ""


def correlation(one: Bytes, other: Bytes) -> float:
    """Returns Pearson's correlation of two arrays of bytes, 0 where one of them is constant."""
    # Sums of products of bytes are exact in float64, in whatever order they are taken. BLAS would
    # wake threads for each of them, which cost more than they do.
    a, b = one.ravel().astype(np.float64), other.ravel().astype(np.float64)
    n, sum_a, sum_b = a.size, int(a.sum()), int(b.sum())
    spread_a, spread_b = n * _product(a, a) - sum_a**2, n * _product(b, b) - sum_b**2
    if spread_a == 0 or spread_b == 0:
        return 0.0
    return (n * _product(a, b) - sum_a * sum_b) / math.sqrt(spread_a * spread_b)


def _product(a: NDArray[np.float64], b: NDArray[np.float64]) -> int:
    return int(np.einsum("i,i", a, b))


def _visible(mask: Bytes, matrix: Matrix, where: NDArray[np.bool_]) -> float:
    """Returns the part of the mask that came to lie within the target."""
    columns, rows = np.flatnonzero(mask.any(axis=0)), np.flatnonzero(mask.any(axis=1))
    if not len(columns):
        return 0.0
    x, y = float(columns[0]), float(rows[0])
    extent = x, y, float(columns[-1] + 1) - x, float(rows[-1] + 1) - y
    moved = warp_box(matrix, extent)
    if moved is None:
        return 0.0
    # Of the box around the map, the map takes the same part before and after, nearly.
    share = np.count_nonzero(mask) / (extent[2] * extent[3])
    return min(1.0, float(np.count_nonzero(where)) / (share * moved[2] * moved[3]))
