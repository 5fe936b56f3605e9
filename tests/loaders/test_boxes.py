"""Boxes: the convention, the converters and the algebra."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchloom.loaders import boxes

NUMBERS = st.floats(-1e4, 1e4, allow_nan=False, width=32)
SIZES = st.floats(0, 1e4, allow_nan=False, width=32)
BOXES = st.tuples(NUMBERS, NUMBERS, SIZES, SIZES)
PAGES = st.tuples(st.integers(1, 20000), st.integers(1, 20000))


@pytest.mark.parametrize(
    ("convert", "arguments", "wanted"),
    [
        (boxes.xywh_from_xyxy, ((10, 20, 30, 60),), (10, 20, 20, 40)),
        (boxes.xyxy_from_xywh, ((10, 20, 20, 40),), (10, 20, 30, 60)),
        (boxes.xywh_from_ratios, ((0.1, 0.2, 0.3, 0.4), 1000, 500), (100, 100, 300, 200)),
        (boxes.ratios_from_xywh, ((100, 100, 300, 200), 1000, 500), (0.1, 0.2, 0.3, 0.4)),
        (boxes.xywh_from_percent, ((10, 20, 30, 40), 1000, 500), (100, 100, 300, 200)),
        (boxes.percent_from_xywh, ((100, 100, 300, 200), 1000, 500), (10, 20, 30, 40)),
        (boxes.xywh_from_centre_ratios, ((0.5, 0.5, 0.2, 0.4), 100, 50), (40, 15, 20, 20)),
        (boxes.xywh_from_pixel_numbers, ((1, 1, 1, 1),), (0, 0, 1, 1)),
        (boxes.xywh_from_pixel_numbers, ((11, 21, 30, 60),), (10, 20, 20, 40)),
        (boxes.box_around, ([(5, 9), (1, 2), (3, 4)],), (1, 2, 4, 7)),
        (boxes.clip, ((-5, -5, 20, 20), 10, 8), (0, 0, 10, 8)),
        (boxes.clip, ((2, 3, 4, 5), 10, 8), (2, 3, 4, 5)),
        (boxes.clip, ((12, 3, 4, 5), 10, 8), (10, 3, 0, 5)),
    ],
)
def test_literal_values(convert: Callable[..., Any], arguments: Any, wanted: Any) -> None:
    assert convert(*arguments) == pytest.approx(wanted)


def test_corners_are_clockwise_from_the_upper_left() -> None:
    assert boxes.corners((1, 2, 3, 4)) == ((1, 2), (4, 2), (4, 6), (1, 6))


@pytest.mark.parametrize(
    ("one", "other", "wanted"),
    [
        # As if a box reached to the far side of its last pixel, it would be a hit at one half.
        ((278, 299, 302, 326), (286.5757, 301.9515, 300.103, 326.7515), 0.494270),
        ((0, 0, 2, 2), (1, 1, 3, 3), 1 / 7),
        ((5, 5, 5, 5), (5, 5, 5, 5), 0),
        ((0, 0, 4, 4), (0, 0, 4, 4), 1),
        ((0, 0, 4, 4), (4, 0, 8, 4), 0),
        ((0, 0, 4, 4), (1, 1, 1, 3), 0),
        ((0, 0, 4, 4), (9, 9, 8, 8), 0),
    ],
)
def test_iou_of_corners(one: boxes.Box, other: boxes.Box, wanted: float) -> None:
    first, second = boxes.xywh_from_xyxy(one), boxes.xywh_from_xyxy(other)
    assert boxes.iou(first, second) == pytest.approx(wanted, abs=5e-7)
    assert boxes.iou(second, first) == boxes.iou(first, second)


@given(BOXES, PAGES)
def test_round_trips(box: boxes.Box, page: tuple[int, int]) -> None:
    assert boxes.xywh_from_xyxy(boxes.xyxy_from_xywh(box)) == pytest.approx(box, abs=1e-9)
    ratios = boxes.ratios_from_xywh(box, *page)
    assert boxes.xywh_from_ratios(ratios, *page) == pytest.approx(box, abs=1e-9)
    percent = boxes.percent_from_xywh(box, *page)
    assert boxes.xywh_from_percent(percent, *page) == pytest.approx(box, abs=1e-9)
    x, y, width, height = ratios
    centred = (x + width / 2, y + height / 2, width, height)
    assert boxes.xywh_from_centre_ratios(centred, *page) == pytest.approx(box, abs=1e-6)


@given(BOXES, BOXES, PAGES)
def test_algebra(one: boxes.Box, other: boxes.Box, page: tuple[int, int]) -> None:
    inside = boxes.clip(one, *page)
    assert boxes.area(inside) == pytest.approx(
        boxes.intersection(one, (0, 0, *page)), rel=1e-9, abs=1e-6
    )
    assert boxes.clip(inside, *page) == pytest.approx(inside)
    shared = boxes.intersection(one, other)
    assert 0 <= shared <= min(boxes.area(one), boxes.area(other)) * (1 + 1e-9) + 1e-6
    assert 0 <= boxes.iou(one, other) <= 1 + 1e-9
    assert boxes.box_around(boxes.corners(one)) == pytest.approx(one, abs=1e-9)


@pytest.mark.parametrize("box", [(0, 0, -1, 5), (0, 0, 5, -1), (0, 0, -2, -2)])
def test_negative_sizes_have_no_area(box: boxes.Box) -> None:
    assert boxes.area(box) == 0
    assert boxes.iou(box, (-9, -9, 18, 18)) == 0
