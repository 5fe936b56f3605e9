"""Boxes: one convention inside, and named ways in and out.

Inside, a box is xywh: x and y of the upper left corner, width and height, as floats in pixels of
the image; x to the right, y down, the origin at the image's upper left corner. Coordinates are
continuous: pixel (i, j) covers [j, j + 1) × [i, i + 1), so a box over the pixels a to b of a row
has x = a and width = b - a + 1, and nothing is ever added to a difference of coordinates.
"""

from collections.abc import Iterable

Box = tuple[float, float, float, float]


def xywh_from_xyxy(box: Iterable[float]) -> Box:
    """Returns x, y, width, height of a box given by its upper left and lower right corners."""
    left, top, right, bottom = box
    return left, top, right - left, bottom - top


def xyxy_from_xywh(box: Iterable[float]) -> Box:
    """Returns the upper left and the lower right corner of a box."""
    x, y, width, height = box
    return x, y, x + width, y + height


def xywh_from_ratios(box: Iterable[float], width: float, height: float) -> Box:
    """Returns in pixels a box xywh whose numbers are parts of the image's width and height."""
    x, y, w, h = box
    return x * width, y * height, w * width, h * height


def ratios_from_xywh(box: Iterable[float], width: float, height: float) -> Box:
    """Returns a box xywh as parts of the image's width and height."""
    x, y, w, h = box
    return x / width, y / height, w / width, h / height


def xywh_from_percent(box: Iterable[float], width: float, height: float) -> Box:
    """Returns in pixels a box xywh whose numbers are percent of width and height (Label Studio)."""
    x, y, w, h = box
    return x * width / 100, y * height / 100, w * width / 100, h * height / 100


def percent_from_xywh(box: Iterable[float], width: float, height: float) -> Box:
    """Returns a box xywh in percent of the image's width and height (Label Studio)."""
    x, y, w, h = box
    return 100 * x / width, 100 * y / height, 100 * w / width, 100 * h / height


def xywh_from_centre_ratios(box: Iterable[float], width: float, height: float) -> Box:
    """Returns in pixels a box of centre x, centre y, width, height as parts of the image (YOLO)."""
    x, y, w, h = box
    return (x - w / 2) * width, (y - h / 2) * height, w * width, h * height


def xywh_from_pixel_numbers(box: Iterable[float]) -> Box:
    """Returns a box whose first and last columns and rows were counted from 1 (Pascal VOC).

    Both ends belong to the box: (1, 1, 1, 1) is the upper left pixel.
    """
    first_column, first_row, last_column, last_row = box
    return xywh_from_xyxy((first_column - 1, first_row - 1, last_column, last_row))


def box_around(points: Iterable[Iterable[float]]) -> Box:
    """Returns the smallest box around points (x, y), at least one."""
    xs, ys = zip(*points, strict=True)
    return xywh_from_xyxy((min(xs), min(ys), max(xs), max(ys)))


def corners(box: Iterable[float]) -> tuple[tuple[float, float], ...]:
    """Returns the four corners (x, y) of a box, clockwise from the upper left one."""
    left, top, right, bottom = xyxy_from_xywh(box)
    return (left, top), (right, top), (right, bottom), (left, bottom)


def clip(box: Iterable[float], width: float, height: float) -> Box:
    """Returns the part of a box that lies in the image; one without area if none does."""
    left, top, right, bottom = xyxy_from_xywh(box)
    return xywh_from_xyxy(
        (
            min(max(left, 0.0), width),
            min(max(top, 0.0), height),
            min(max(right, 0.0), width),
            min(max(bottom, 0.0), height),
        )
    )


def area(box: Iterable[float]) -> float:
    """Returns the area of a box, 0 for one of negative width or height."""
    _, _, width, height = box
    return max(width, 0.0) * max(height, 0.0)


def intersection(one: Iterable[float], other: Iterable[float]) -> float:
    """Returns the area that two boxes xywh share."""
    left, top, right, bottom = xyxy_from_xywh(one)
    other_left, other_top, other_right, other_bottom = xyxy_from_xywh(other)
    width = min(right, other_right) - max(left, other_left)
    height = min(bottom, other_bottom) - max(top, other_top)
    return max(width, 0.0) * max(height, 0.0)


def iou(one: Iterable[float], other: Iterable[float]) -> float:
    """Returns intersection over union of two boxes xywh: 0 where neither has an area."""
    one, other = tuple(one), tuple(other)
    shared = intersection(one, other)
    union = area(one) + area(other) - shared
    return shared / union if union > 0 else 0.0
