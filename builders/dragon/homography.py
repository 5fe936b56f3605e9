"""Transformations between two images, and whether they can be believed.

A transformation is a 3 × 3 matrix on continuous pixel coordinates (x, y, 1). Consensus alone is no
proof: four points on one line fit a matrix of rank 1, and every point fits one that shrinks the
page to a dot.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from benchloom.builders.dragon.features import Points, match_order
from benchloom.loaders.boxes import Box, box_around, corners

Matrix = NDArray[np.float64]
Model = Literal["similarity", "homography"]
Estimate = tuple[Matrix | None, NDArray[np.uint8] | None]
"""A matrix and which of the matches agree with it."""

INLIER_DISTANCE = 3.0
"""Pixels of the scaled image within which a match agrees with a transformation."""
LEAST_INLIERS = 24
"""Measured on real maps: in another projection 20 agree, in the right place 74 and more."""
FEW_INLIERS = 4
"""Enough for a guess that something else looks at."""
LEAST_INLIER_SHARE = {"similarity": 0.35, "homography": 0.5}
"""Least part of the matches that must agree (0.31 in wrong places, 0.43 and more in right ones);
more freedom needs more agreement."""
CELLS = 4
"""The map is divided into so many cells along each side to see where matches agree."""
LEAST_COVERAGE = 0.5
"""Least part of the cells with keypoints in which matches must agree: a map in another projection
fits in a corner of it (0.2 to 0.4; right places 0.56 and more)."""
PREFERENCE = 0.9
"""A similarity is preferred when it explains this part of what a homography explains."""
LARGEST_SCALE = 8.0
"""A map is at most this much larger or smaller than its template, by length."""
LEAST_SPREAD = 0.05
"""Least breadth of the agreeing points, as part of their length: below it they lie on a line, as
they do where the breadth is within what counts as agreement."""
LARGEST_DEPTH = 2.0
"""Largest ratio of the homogeneous coordinate over the region: pages are not seen at a slant."""
LARGEST_STRETCH = 3.0
"""Largest ratio of the scales along two directions."""
ITERATIONS, CONFIDENCE = 2000, 0.999
"""When RANSAC ends."""


@dataclass(frozen=True, eq=False)
class Fit:
    """A transformation that matches agree on.

    Attributes:
        model: Its kind.
        matrix: The transformation, template to target.
        inliers: Number of matches that agree.
    """

    model: Model
    matrix: Matrix
    inliers: int


def fit(source: Points, target: Points, extent: Box, keypoints: Points) -> Fit | str:
    """Returns the transformation that matched points agree on, or why there is none.

    A similarity (4 degrees of freedom) is tried first, and preferred when it explains as much as a
    homography (8), which bends to matches that are wrong. The order of the matches does not matter.

    Args:
        source: Points of the template, in pixels of its scaled image.
        target: Their matches in the target's scaled image, row by row.
        extent: The box, xywh, that is to be transformed, in pixels as `source`.
        keypoints: All points of the template that might have matched.
    """
    if len(source) < LEAST_INLIERS:
        return f"{len(source)} keypoints match; {LEAST_INLIERS} are needed"
    order = match_order(source, target)
    source, target = source[order], target[order]
    similarity, homography = (
        _believed(model, *estimate(source, target), source, target, extent, keypoints)
        for model, estimate in MODELS.items()
    )
    if isinstance(similarity, str):
        return homography if isinstance(homography, Fit) else similarity
    if isinstance(homography, str) or similarity.inliers >= PREFERENCE * homography.inliers:
        return similarity
    return homography


def find_similarity(source: Points, target: Points, extent: Box) -> Matrix | None:
    """Returns a similarity on which a few matches agree, None if there is none.

    Unlike that of `fit` it is a mere guess, for something else to look at.

    Args:
        source: Points of the template, sorted, as `match_keypoints` returns them.
        target: Their matches, row by row.
        extent: The box, xywh, that is to be transformed.
    """
    if len(source) < FEW_INLIERS:
        return None
    matrix, agrees = _similarity(source, target)
    if matrix is None or agrees is None or int(agrees.sum()) < FEW_INLIERS:
        return None
    return None if fault_of(matrix, extent) else matrix


def _similarity(source: Points, target: Points) -> Estimate:
    import cv2

    matrix, agrees = cv2.estimateAffinePartial2D(
        source,
        target,
        method=cv2.RANSAC,
        ransacReprojThreshold=INLIER_DISTANCE,
        maxIters=ITERATIONS,
        confidence=CONFIDENCE,
    )
    return None if matrix is None else np.vstack([matrix, [0.0, 0.0, 1.0]]), agrees


def _homography(source: Points, target: Points) -> Estimate:
    import cv2

    matrix, agrees = cv2.findHomography(
        source,
        target,
        cv2.RANSAC,
        INLIER_DISTANCE,
        maxIters=ITERATIONS,
        confidence=CONFIDENCE,
    )
    return matrix, agrees


MODELS: dict[Model, Callable[[Points, Points], Estimate]] = {
    "similarity": _similarity,
    "homography": _homography,
}


def _believed(
    model: Model,
    matrix: Matrix | None,
    agrees: NDArray[np.uint8] | None,
    source: Points,
    target: Points,
    extent: Box,
    keypoints: Points,
) -> Fit | str:
    if matrix is None or agrees is None:
        return f"no {model} fits the matches"
    chosen = agrees.ravel().astype(bool)
    inliers = int(chosen.sum())
    if inliers < max(LEAST_INLIERS, LEAST_INLIER_SHARE[model] * len(source)):
        return f"{inliers} of {len(source)} matches agree on a {model}: too few"
    if not (is_spread(source[chosen]) and is_spread(target[chosen])):
        return f"the matches that agree on a {model} lie on a line"
    covered = len(_cells(source[chosen], extent)) / len(_cells(keypoints, extent))
    if covered < LEAST_COVERAGE:
        return f"the matches that agree on a {model} lie in {covered:.0%} of the map alone"
    fault = fault_of(matrix, extent)
    if fault:
        return f"the {model} {fault}"
    return Fit(model, matrix, inliers)


def is_spread(points: Points) -> bool:
    """Returns whether points cover an area, rather than lie in one spot or on one line."""
    centred = points - points.mean(axis=0)
    length, breadth = np.linalg.svd(centred, compute_uv=False) / np.sqrt(len(points))
    return bool(breadth > max(LEAST_SPREAD * length, INLIER_DISTANCE))


def _cells(points: Points, extent: Box) -> set[tuple[int, int]]:
    """Returns the cells of the map (column, row) that hold points."""
    x, y, width, height = extent
    parts = (points - [x, y]) / [width, height]
    cells = np.clip(np.floor(parts * CELLS), 0, CELLS - 1).astype(int)
    return {(int(column), int(row)) for column, row in cells}


def fault_of(matrix: Matrix, extent: Box) -> str:
    """Returns why a transformation cannot be one between two pages, or "" where it can.

    Args:
        matrix: The transformation.
        extent: The box, xywh, that is to be transformed.
    """
    if not np.isfinite(matrix).all():
        return "is not finite"
    points = warp(matrix, corners(extent))
    if points is None:
        return "sends a corner through infinity"
    depths = np.abs(_homogeneous(corners(extent)) @ matrix[2])
    if depths.max() > LARGEST_DEPTH * depths.min():
        return "sees the page at a slant"
    turns = [_turn(points[i], points[i - 3], points[i - 2]) for i in range(4)]
    if min(turns) <= 0:
        return "folds, mirrors or flattens the page"
    lengths = [float(np.hypot(*(points[i - 3] - points[i]))) for i in range(4)]
    scale_x = (lengths[0] + lengths[2]) / 2 / extent[2]
    scale_y = (lengths[1] + lengths[3]) / 2 / extent[3]
    if not all(1 / LARGEST_SCALE <= scale <= LARGEST_SCALE for scale in (scale_x, scale_y)):
        return f"scales the page by {scale_x:.2g} × {scale_y:.2g}"
    if not 1 / LARGEST_STRETCH <= scale_x / scale_y <= LARGEST_STRETCH:
        return f"scales the page by {scale_x:.2g} × {scale_y:.2g}"
    return ""


def warp(matrix: Matrix, points: Iterable[Iterable[float]]) -> Points | None:
    """Returns transformed points, None where one of them or a line between two meets infinity."""
    moved = _homogeneous(points) @ matrix.T
    depths = moved[:, 2]
    if not np.isfinite(moved).all() or not (np.all(depths > 0) or np.all(depths < 0)):
        return None
    return np.asarray(moved[:, :2] / depths[:, None])


def warp_box(matrix: Matrix, box: Box) -> Box | None:
    """Returns the axis-aligned box around a transformed box (3.2), None if it meets infinity."""
    points = warp(matrix, corners(box))
    return None if points is None else box_around(points.tolist())


def _homogeneous(points: Iterable[Iterable[float]]) -> Points:
    return np.array([[*point, 1.0] for point in points])


def _turn(one: Points, two: Points, three: Points) -> float:
    """Returns twice the signed area of a triangle, positive where it turns as a page's corners."""
    (ax, ay), (bx, by) = two - one, three - two
    return float(ax * by - ay * bx)
