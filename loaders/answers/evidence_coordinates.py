"""What the numbers of predicted boxes are, and doubts whether they were meant so."""

import math
from collections import Counter
from collections.abc import Sequence
from typing import Literal, NamedTuple, get_args

from benchloom.loaders.boxes import Box, xywh_from_ratios, xywh_from_xyxy

Coordinates = Literal[
    "xywh", "xyxy", "xywh_ratios", "xyxy_ratios", "xywh_thousandths", "xyxy_thousandths"
]
"""Upper left corner and size, or two corners; in pixels, or parts, or thousandths of the image."""
COORDINATES: tuple[Coordinates, ...] = get_args(Coordinates)

# What the warnings about coordinates say, to be told apart.
OUTSIDE = "do not lie in the image"
MAYBE_RATIOS = "all numbers are 1 or less: they may be parts of the image"
MAYBE_XYXY = "all boxes would lie in the image as x1,y1,x2,y2"
NAMED_XYXY = "a bbox_2d is x1,y1,x2,y2 by the convention of Qwen's models"
MAYBE_THOUSANDTHS = "all boxes would lie in the image as thousandths of it"
MOST_NAMED = 5
"""So many ids are named in a warning."""
_SLACK = 1.0
"""Pixels that a box may stick out of the image without being called outside."""
_FAR = 0.05
"""Part of the image's side by which a box must stick out for its system to be doubted: boxes of
the right system that are too large by a little stick out a little."""


class PredictedBox(NamedTuple):
    """A box of an answer.

    Attributes:
        id: As the model wrote it; numbered where it wrote none.
        bbox: xywh in pixels; it may stick out of the image. Width and height may be 0.
    """

    id: str
    bbox: Box


def convert(
    numbers: Sequence[float], size: tuple[float, float] | None, coordinates: Coordinates
) -> Box | None:
    """Returns a box xywh in pixels, or None for numbers that are no box.

    Args:
        numbers: Four numbers.
        size: Width and height of the image in pixels; parts of it cannot be converted without.
        coordinates: What the numbers are.
    """
    if coordinates == "xywh":
        x, y, width, height = numbers
    else:
        form, _, unit = coordinates.partition("_")
        x, y, width, height = xywh_from_xyxy(numbers) if form == "xyxy" else numbers
        if unit and size is not None:
            whole = 1000 if unit == "thousandths" else 1
            parts = x / whole, y / whole, width / whole, height / whole
            x, y, width, height = xywh_from_ratios(parts, *size)
    # Numbers may be too large for floats, and so may their differences.
    if not math.isfinite(x + y + width + height) or width < 0 or height < 0:
        return None
    return x, y, width, height


def doubts(
    given: Sequence[Sequence[float]],
    boxes: Sequence[PredictedBox],
    size: tuple[float, float] | None,
    coordinates: Coordinates,
) -> tuple[str, ...]:
    """Returns sentences on what the numbers of an answer may be meant as, and on its ids.

    Another system is named where at least half of the boxes stick far out of the image and all
    would lie in it otherwise.

    Args:
        given: The numbers of each box as they are written.
        boxes: The boxes.
        size: Width and height of the image in pixels; None if unknown.
        coordinates: What the numbers were read as.
    """
    found = []
    ids = [box[0] for box in boxes]
    if len(set(ids)) < len(ids):
        twice = [name for name, count in Counter(ids).items() if count > 1]
        more = f" and {len(twice) - MOST_NAMED:,} more" if len(twice) > MOST_NAMED else ""
        found.append(f"more than one box is called {', '.join(twice[:MOST_NAMED])}{more}")
    if size is None or not given:
        return tuple(found)
    width, height = size
    right, bottom = width + _SLACK, height + _SLACK
    outside = 0
    for _, (x, y, w, h) in boxes:
        if x < -_SLACK or y < -_SLACK or x + w > right or y + h > bottom:
            outside += 1
    if outside:
        found.append(f"{outside} of {len(boxes)} boxes {OUTSIDE}")
    if coordinates != "xywh" or (not outside and max(given[0]) > 1):
        return tuple(found)
    if all(max(numbers) <= 1 for numbers in given) and min(width, height) > 2:
        if any(number > 0 for numbers in given for number in numbers):
            found.append(MAYBE_RATIOS)
    elif outside:
        found += _other_systems(given, boxes, width, height)
    return tuple(found)


def _other_systems(
    given: Sequence[Sequence[float]],
    boxes: Sequence[PredictedBox],
    width: float,
    height: float,
) -> list[str]:
    across, down = _SLACK + _FAR * width, _SLACK + _FAR * height
    far = sum(not _is_inside(box[1], width, height, across, down) for box in boxes)
    if 2 * far < len(boxes):
        return []
    found = []
    are_corners = all(b[2] >= b[0] and b[3] >= b[1] for b in given)
    if are_corners and all(_is_inside(xywh_from_xyxy(b), width, height) for b in given):
        found.append(MAYBE_XYXY)
    if all(min(b) >= 0 and max(b) <= 1000 for b in given) and (
        are_corners or all(_is_inside(b, 1000, 1000) for b in given)
    ):
        found.append(MAYBE_THOUSANDTHS)
    return found


def _is_inside(
    box: Sequence[float],
    width: float,
    height: float,
    across: float = _SLACK,
    down: float = _SLACK,
) -> bool:
    x, y, w, h = box
    return x >= -across and y >= -down and x + w <= width + across and y + h <= height + down
