"""Templates as Label Studio writes them: a task with one annotation."""

import math
import re
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from benchloom.builders.dragon.templates import Polygon, TemplateImage
from benchloom.builders.errors import InputError
from benchloom.loaders.boxes import Box, box_around, xywh_from_percent

MASK_LABEL = "mask"
WITHOUT_SHAPE = (
    *("choices", "textarea", "relation", "rating", "number", "datetime", "taxonomy"),
    *("ranker", "pairwise"),
)
"""Types of Label Studio's results that are no part of the picture."""

Drawn = tuple[str, str, Box]
"""Id ("" for none), label and box of a region."""


def read_task(
    task: Mapping[str, Any], told: list[str]
) -> tuple[TemplateImage, list[Drawn], list[Polygon]]:
    """Returns the image of a task, its regions, and the polygons of the mask; all in pixels.

    Args:
        task: With the one annotation that counts.
        told: Gets a part of a sentence for each shape that is left out, or of which the box around
            it is taken.

    Raises:
        InputError: If it has several annotations, or nothing is drawn.
        KeyError: If a field is missing; TypeError or ValueError if one is not of its kind.
    """
    where = f"task {task.get('id')}"
    done = [one for one in task["annotations"] if not one.get("was_cancelled")]
    if len(done) != 1:
        raise InputError(f"{where}: has {len(done)} annotations; a template needs exactly one")
    images = [value for value in task["data"].values() if isinstance(value, str)]
    drawn: list[Drawn] = []
    masks: list[Polygon] = []
    sizes: set[tuple[int, int]] = set()
    for result in done[0]["result"]:
        kind = result["type"]
        name = f"{where}: {kind} {result.get('id')}"
        if kind in WITHOUT_SHAPE:
            continue
        if kind not in ("rectanglelabels", "polygonlabels", "ellipselabels"):
            told.append(f"{name} is left out; draw a rectangle, a polygon or an ellipse")
            continue
        if not result["value"].get(kind):
            told.append(f"{name} is left out, as it has no label")
            continue
        size = result["original_width"], result["original_height"]
        sizes.add(size)
        value = result["value"]
        (label,) = value[kind]
        if kind == "polygonlabels":
            points = tuple(
                (x * size[0] / 100, y * size[1] / 100) for x, y in map(floats, value["points"])
            )
            if label == MASK_LABEL:
                masks.append(points)
                continue
            box = box_around(points)
        else:
            degrees = float(value.get("rotation") or 0) % 360  # by a whole turn: not at all
            if kind == "ellipselabels":
                box = _around_ellipse(value, size, degrees)
            else:
                numbers = floats(value[side] for side in ("x", "y", "width", "height"))
                box = _turned(xywh_from_percent(numbers, *size), degrees)
            if degrees or kind == "ellipselabels":
                told.append(f"{name}, {label!r}: the box around it is taken")
        drawn.append((str(result.get("id") or ""), label, box))
    if len(sizes) != 1 or not images:
        raise InputError(f"{where}: has no boxes or polygons with labels on one image")
    image = TemplateImage(_served_name(images[0]), "", *sizes.pop())
    return image, drawn, masks


def _turned(box: Box, degrees: float) -> Box:
    """Returns the box around one that is turned clockwise about its upper left corner."""
    if degrees == 0:
        return box
    x, y, width, height = box
    cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return box_around(
        (x + across * cosine - down * sine, y + across * sine + down * cosine)
        for across in (0, width)
        for down in (0, height)
    )


def _around_ellipse(value: Mapping[str, Any], size: Sequence[float], degrees: float) -> Box:
    """Returns the box around an ellipse, given by centre and radii in percent, that is turned."""
    across, down = (100 / side for side in size)
    x, y = value["x"] / across, value["y"] / down
    along, beside = value["radiusX"] / across, value["radiusY"] / down
    cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    half = math.hypot(along * cosine, beside * sine), math.hypot(along * sine, beside * cosine)
    return x - half[0], y - half[1], 2 * half[0], 2 * half[1]


def _served_name(address: str) -> str:
    """Returns the file's name from the address under which Label Studio serves it."""
    parts = urlsplit(address)
    if local := parse_qs(parts.query).get("d"):
        return local[0]
    name = PurePosixPath(unquote(parts.path)).name
    # It puts eight digits before the names of uploads.
    return re.sub(r"^[0-9a-f]{8}-", "", name) if "/upload/" in parts.path else name


def floats(values: Any) -> tuple[float, ...]:
    """Returns values as floats."""
    return tuple(float(value) for value in values)
