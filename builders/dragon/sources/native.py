"""Boxes that a source has of its own, as regions of an image."""

import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from benchloom.builders.dragon.item import ImageFile
from benchloom.builders.dragon.regions import Region
from benchloom.builders.dragon.sources.collector import Collector
from benchloom.builders.dragon.sources.texts import count, text_of
from benchloom.loaders.boxes import Box, area, box_around, clip

MOST_NAMED = 5
LEAST_PART = 0.25


class NativeRegions:
    """Gathers the regions of one image, and what is wrong with their boxes."""

    def __init__(self, image: ImageFile) -> None:
        self._image = image
        self._regions: dict[str, Region] = {}
        self._no_box: list[str] = []
        self._outside: list[str] = []

    def add(self, name: str, label: Any, box: Box | None) -> None:
        """Adds a region, cut to the image's frame; None for a box that could not be read.

        Of less than a quarter left it says so (`clipped`); one wholly outside is left out. A line
        that runs straight along an axis has no area and is kept.
        """
        name = text_of(name)
        if box is None or box[2] < 0 or box[3] < 0 or not any(box[2:]):
            self._no_box.append(name)
            return
        width, height = self._image.width, self._image.height
        kept = clip(box, width, height)
        if not _is_inside(box, kept):
            self._outside.append(name)
            return
        clipped = area(kept) < LEAST_PART * area(box)
        self._regions[name] = Region(name, text_of(label), kept, clipped=clipped)

    def finish(self, into: Collector, path: Path) -> tuple[Region, ...]:
        """Returns the regions in the order they came in, and lists the faults of their file."""
        for names, what in (
            (self._no_box, "no usable numbers"),
            (self._outside, "no part inside the image"),
        ):
            if names:
                shown = ", ".join(names[:MOST_NAMED]) + (" ..." if names[MOST_NAMED:] else "")
                have = "has" if len(names) == 1 else "have"
                boxes = count(len(names), "box", "boxes")
                into.fault("damaged", path, f"{boxes} ({shown}) {have} {what}: left out")
        return tuple(self._regions.values())


def _is_inside(box: Box, kept: Box) -> bool:
    """Tells whether something is left of a box, given what the frame leaves of it.

    Of a line, which has no area, a length must be left, and it must not have been moved sideways.
    """
    if area(box) > 0:
        return area(kept) > 0
    return any(kept[2:]) and all(kept[side] == box[side] for side in (0, 1) if box[side + 2] == 0)


def numbers(values: Any, how_many: int) -> tuple[float, ...] | None:
    """Returns a list of so many finite numbers as floats, or None if it is no such list."""
    if not isinstance(values, list | tuple) or len(values) != how_many:
        return None
    if not all(isinstance(value, int | float) and type(value) is not bool for value in values):
        return None
    try:
        floats = tuple(float(value) for value in values)
    except OverflowError:
        return None
    return floats if all(map(math.isfinite, floats)) else None


def box_of_points(points: Any) -> Box | None:
    """Returns the box around points [[x, y], ...] of JSON, in any order, or None if they are not.

    Two opposite corners of a rectangle are such points, whichever comes first.
    """
    if not isinstance(points, list) or len(points) < 2:
        return None
    pairs = [numbers(point, 2) for point in points]
    return box_around([pair for pair in pairs if pair]) if all(pairs) else None


def box_of_fields(value: Any, fields: Iterable[str]) -> Box | None:
    """Returns a box from four fields of a JSON object, in that order, or None without them."""
    if not isinstance(value, dict):
        return None
    found = numbers([value.get(name) for name in fields], 4)
    return None if found is None else (found[0], found[1], found[2], found[3])
