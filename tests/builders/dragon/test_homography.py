"""Transformations between pages: found where they are, refused where they cannot be."""

import itertools
from typing import Any

import numpy as np
import pytest

from benchloom.builders.dragon.homography import (
    LEAST_INLIERS,
    Fit,
    fault_of,
    fit,
    is_spread,
    warp,
    warp_box,
)
from benchloom.builders.seeds import rng

PAGE = (0.0, 0.0, 400.0, 300.0)


def scattered(count: int, key: object = 0) -> Any:
    return rng("test", "points", key).uniform((0, 0), (400, 300), (count, 2))


def moved(points: Any, matrix: Any) -> Any:
    result = warp(np.asarray(matrix, float), points)
    assert result is not None
    return result


SIMILARITIES = {
    "same": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "moved": [[1, 0, 33.5], [0, 1, -12.25], [0, 0, 1]],
    "larger": [[2.5, 0, 10], [0, 2.5, -40], [0, 0, 1]],
    "smaller": [[0.4, 0, 10], [0, 0.4, 20], [0, 0, 1]],
    "turned": [[0.96, -0.28, 60], [0.28, 0.96, -30], [0, 0, 1]],
}
HOMOGRAPHIES = {
    "stretched": [[1.3, 0, 5], [0, 0.9, 8], [0, 0, 1]],
    "slanted": [[1, 0.12, 5], [0.02, 0.9, 8], [0.0004, -0.0003, 1]],
}


@pytest.mark.parametrize("matrix", SIMILARITIES.values(), ids=SIMILARITIES)
@pytest.mark.parametrize("wrong", [0, 40])
def test_similarity_is_found_among_wrong_matches(matrix: Any, wrong: int) -> None:
    source = scattered(100)
    target = moved(source, matrix)
    target[: wrong // 2] = scattered(wrong // 2, "wrong")
    target[wrong // 2 : wrong] = target[99]
    found = fit(source, target, PAGE, source)
    assert isinstance(found, Fit)
    assert found.model == "similarity"
    assert found.inliers >= 100 - wrong
    assert found.matrix == pytest.approx(np.array(matrix, float), abs=1e-3)


@pytest.mark.parametrize("matrix", HOMOGRAPHIES.values(), ids=HOMOGRAPHIES)
def test_homography_is_taken_where_it_explains_more(matrix: Any) -> None:
    source = scattered(80)
    target = moved(source, matrix)
    target[:20] = scattered(20, "wrong")
    found = fit(source, target, PAGE, source)
    assert isinstance(found, Fit)
    assert found.model == "homography"
    corners = [(0, 0), (400, 0), (400, 300), (0, 300)]
    assert moved(corners, found.matrix) == pytest.approx(moved(corners, matrix), abs=0.05)


@pytest.mark.parametrize("count", [0, 1, 3, 4, 5, LEAST_INLIERS, 60, 500])
@pytest.mark.parametrize("kind", ["target", "source", "both", "nearly"])
def test_one_spot_is_refused(count: int, kind: str) -> None:
    source, spot = scattered(count), np.full((count, 2), 7.0)
    pairs = {
        "target": (source, spot),
        "source": (spot, source),
        "both": (spot, spot + 3),
        "nearly": (source, spot + source * 1e-3),
    }
    assert isinstance(fit(*pairs[kind], PAGE, scattered(100)), str)


@pytest.mark.parametrize("count", [4, LEAST_INLIERS, 60, 300])
@pytest.mark.parametrize("direction", [(1, 1), (1, 0), (0, 1), (-3, 2), (1, 1e-3)])
@pytest.mark.parametrize("noise", [0.0, 0.5])
def test_matches_on_a_line_are_refused(count: int, direction: Any, noise: float) -> None:
    source = np.arange(count)[:, None] * np.array(direction, float) + [150, 100]
    source += noise * rng("test", "noise").standard_normal(source.shape)
    assert not is_spread(source)
    for target in (source, source * 2 + 5, source[:, ::-1]):
        assert isinstance(fit(source, target, PAGE, source), str)


def test_four_on_the_diagonal_are_refused() -> None:
    points = np.arange(4.0)[:, None] * [1, 1]
    assert isinstance(fit(points, points, PAGE, points), str)


def test_a_corner_of_the_map_is_not_enough() -> None:
    # A map in another projection fits its template in one place.
    everywhere = scattered(400)
    corner = everywhere[(everywhere < [130, 130]).all(axis=1)]
    assert len(corner) > LEAST_INLIERS
    refused = fit(corner, corner + 10, PAGE, everywhere)
    assert isinstance(refused, str)
    assert "of the map alone" in refused
    assert isinstance(fit(corner, corner + 10, PAGE, corner), Fit)


def test_too_few_of_the_matches_are_refused() -> None:
    source = scattered(200)
    target = scattered(200, "wrong")
    target[:50] = source[:50] + 10
    assert isinstance(fit(source, target, PAGE, source), str)
    assert isinstance(fit(source[:100], target[:100], PAGE, source), Fit)


@pytest.mark.parametrize("order", range(5))
@pytest.mark.parametrize("kind", ["similarity", "homography", "refused"])
def test_order_of_matches_changes_no_bit(order: int, kind: str) -> None:
    source = scattered(60)
    target = moved(source, SIMILARITIES["turned"]) + scattered(60, "noise") / 300
    if kind == "homography":
        target = moved(source, HOMOGRAPHIES["slanted"]) + scattered(60, "noise") / 300
    target[:20] = scattered(20, "wrong")
    if kind == "refused":
        target = scattered(60, "wrong")
    first = fit(source, target, PAGE, source)
    permuted = rng("test", "order", order).permutation(60)
    again = fit(source[permuted], target[permuted], PAGE, source)
    if isinstance(first, str):
        assert kind == "refused"
        assert again == first
        return
    assert first.model == kind
    assert isinstance(again, Fit)
    assert again.matrix.tobytes() == first.matrix.tobytes()
    assert again.inliers == first.inliers


INFINITY = np.array([[1.0, 0, 0], [0, 1, 0], [-1, 0, 1]])


@pytest.mark.parametrize(
    ("box", "finite"),
    [
        ((0.99, 0, 0.02, 1), False),
        ((0.0, 0, 2, 1), False),
        ((0.5, 0, 0.5, 1), False),
        ((1.0, 0, 0.5, 1), False),
        ((0.0, 0, 0.5, 1), True),
        ((1.5, 0, 0.5, 1), True),
    ],
)
def test_corners_through_infinity_are_refused(box: Any, finite: bool) -> None:
    assert (warp_box(INFINITY, box) is not None) == finite
    if not finite:
        assert fault_of(INFINITY, box) == "sends a corner through infinity"
    # The same for a horizon along y, and for the matrix with all signs changed.
    x, y, width, height = box
    turned = INFINITY[[1, 0, 2]][:, [1, 0, 2]]
    assert (warp_box(turned, (y, x, height, width)) is not None) == finite
    assert (warp_box(-INFINITY, box) is not None) == finite


def test_box_around_a_warped_box() -> None:
    assert warp_box(np.array(SIMILARITIES["turned"]), (10, 20, 100, 50)) == pytest.approx(
        (
            60 + 0.96 * 10 - 0.28 * 70,
            -30 + 0.28 * 10 + 0.96 * 20,
            0.96 * 100 + 0.28 * 50,
            0.28 * 100 + 0.96 * 50,
        )
    )


@pytest.mark.parametrize(
    ("matrix", "words"),
    [
        ([[np.nan, 0, 0], [0, 1, 0], [0, 0, 1]], "not finite"),
        ([[-1, 0, 0], [0, 1, 0], [0, 0, 1]], "folds, mirrors or flattens"),
        ([[1, 0, 0], [0, -1, 0], [0, 0, 1]], "folds, mirrors or flattens"),
        ([[1, 1, 0], [1, 1, 0], [0, 0, 1]], "folds, mirrors or flattens"),
        ([[0, 0, 5], [0, 0, 5], [0, 0, 1]], "folds, mirrors or flattens"),
        ([[0.1, 0, 0], [0, 0.1, 0], [0, 0, 1]], "scales the page"),
        ([[9, 0, 0], [0, 9, 0], [0, 0, 1]], "scales the page"),
        ([[1, 0, 0], [0, 4, 0], [0, 0, 1]], "scales the page"),
        ([[1, 0, 0], [0, 1, 0], [0.004, 0, 1]], "at a slant"),
    ],
)
def test_impossible_pages_are_refused(matrix: Any, words: str) -> None:
    assert words in fault_of(np.array(matrix, float), PAGE)


@pytest.mark.parametrize(
    "matrix", [*SIMILARITIES.values(), *HOMOGRAPHIES.values(), [[-1, 0, 9], [0, -1, 9], [0, 0, 1]]]
)
def test_possible_pages_are_not(matrix: Any) -> None:
    assert fault_of(np.array(matrix, float), PAGE) == ""
    assert fault_of(-np.array(matrix, float), PAGE) == ""


def test_every_quarter_of_a_bent_page_is_judged() -> None:
    # Each fold of one corner over the middle makes the page concave.
    for corner, side in itertools.product((-1, 1), (-1, 1)):
        bent = np.array([[1, 0, 0], [0, 1, 0], [corner * 0.0035, side * 0.0035, 1]])
        assert fault_of(bent, PAGE)
