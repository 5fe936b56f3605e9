"""Pictures of predicted and gold boxes, for the best and the worst answers of a model."""

from __future__ import annotations

import io
import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import numpy as np

from benchloom.builders.dragon.picture import PAPER, mark_evidence, open_as_rgb
from benchloom.builders.errors import InputError
from benchloom.loaders.boxes import Box, area, clip, xyxy_from_xywh
from benchloom.loaders.scores.dragon_sheet import Sheet
from benchloom.loaders.scores.printable import printable
from benchloom.loaders.scores.result import Exhibit

if TYPE_CHECKING:
    import pyarrow as pa
    from PIL.Image import Image

    from benchloom.builders.dragon.copies import Copies

MOST = 24
"""Pictures in all."""
MOST_OF_MODEL = 3
"""Best ones, and as many worst ones; fewer where there are many models."""
MOST_LOOKED_FOR = 50
"""So many records are tried for the pictures of one end of one model."""
LONGEST_SIDE = 1000
"""Larger pictures are made smaller, in pixels."""
SHORTEST_SIDE = 700
"""Pictures whose longer side is below half of this are enlarged, in pixels."""
PREDICTED = "#0b5fff"
"""Blue, which people who see no red or no green tell from both; dashed, with a white rim."""


def draw_exhibits(
    sheets: Sequence[Sheet], table: pa.Table, copies: Copies
) -> tuple[list[Exhibit], list[str]]:
    """Returns pictures of the best and the worst answers, and remarks on the others.

    Gold boxes are solid, green for the answer and red for support; predicted ones dashed blue. Of
    the worst every other one is without a box, if there are such: its picture shows what was to be
    found.

    Args:
        sheets: The answers of each model.
        table: The references.
        copies: The user's copies of the sources.
    """
    exhibits: list[Exhibit] = []
    wanting: dict[str, None] = {}
    count = max(1, min(MOST_OF_MODEL, MOST // (2 * len(sheets))))
    for sheet in sheets:
        order = np.lexsort((sheet.found.best_iou, sheet.found.union_iou)).tolist()
        given = [place for place in order if sheet.found.predicted[place]]
        empty = [place for place in order if not sheet.found.predicted[place]]
        empty.sort(key=lambda place: sheet.answers[place] is None)
        worst = [place for both in zip_longest(given, empty) for place in both if place is not None]
        used: set[int] = set()
        for words, ends in (("best", given[::-1]), ("worst", worst)):
            drawn = 0
            for place in ends[:MOST_LOOKED_FOR]:
                if drawn == count or len(exhibits) == MOST:
                    break
                if place in used:
                    continue
                (record,) = table.slice(place, 1).to_pylist()
                made = _draw(sheet, place, record, copies)
                if isinstance(made, str):
                    wanting[made] = None
                    continue
                drawn += 1
                used.add(place)
                exhibits.append(
                    Exhibit(
                        f"{printable(sheet.model)}: one of the {words}, {printable(record['id'])}",
                        *made,
                    )
                )
            if ends and not used:
                break  # no picture is at hand
    remarks = []
    if wanting:
        first, *others = wanting
        more = f", and {len(others):,} more" if others else ""
        remarks.append(f"some pictures are not at hand for the report: {printable(first)}{more}")
    return exhibits, remarks


def _draw(
    sheet: Sheet, place: int, record: Mapping[str, Any], copies: Copies
) -> tuple[str, bytes] | str:
    """Returns caption and picture of an answer, or why there is none."""
    try:
        picture = copies.look(record.get("source") or record["config"], record["image_ref"])
        if picture.path is None:
            return picture.reason
        evidence: list[Mapping[str, Any]] = [
            {"id": "", "label": "", **one} for one in record["evidence"]
        ]
        image = open_as_rgb(picture.path, LONGEST_SIDE)
    except InputError as error:
        return str(error)
    except (KeyError, TypeError):
        return f"{record['id']}: its image_ref does not say which file it is"
    except (OSError, SyntaxError, ValueError) as error:  # decoders raise what they stumble over
        return f"{picture.path} cannot be decoded: {error}"
    answer = sheet.answers[place]
    boxes = [box.bbox for box in answer.boxes] if answer else []
    size = record["image_ref"]["width"], record["image_ref"]["height"]
    outside = sum(area(clip(box, *size)) == 0 < area(box) for box in boxes)
    found = sheet.found
    words = [f"G_IoU {found.union_iou[place]:.3f}", f"MP_IoU {found.best_iou[place]:.3f}"]
    words.append(f"predicted: {len(boxes)} (dashed blue)")
    words.append(f"gold: {len(evidence)} (green: answer, red: support)")
    if outside:
        words.append(f"{outside} outside the picture")
    caption = "; ".join([", ".join(words), *filter(None, [record.get("question")])])
    return printable(caption, 500), _drawn(image, size[0], evidence, boxes)


def _drawn(
    image: Image, width: float, evidence: Sequence[Mapping[str, Any]], boxes: Sequence[Box]
) -> bytes:
    """Returns a PNG of a picture with its gold boxes and, dashed, the predicted ones.

    Args:
        image: The picture, or a smaller copy.
        width: The picture's width, which boxes are in.
        evidence: The gold boxes.
        boxes: The predicted boxes, xywh.
    """
    from PIL import ImageDraw
    from PIL.Image import Resampling

    # Sized first, so that lines and words are as sharp on all.
    longest = max(image.size)
    if longest > LONGEST_SIDE:
        image.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    elif (times := SHORTEST_SIDE // longest) > 1:
        image = image.resize((image.width * times, image.height * times), Resampling.NEAREST)
    scale = image.width / width
    mark_evidence(image, evidence, scale)
    pen = ImageDraw.Draw(image)
    thick = max(2, round(max(image.size) / 400))
    for box in boxes:
        # A margin keeps edges that are outside from being drawn along the border.
        margin = 4 * thick
        x, y, *lengths = (scale * number for number in box)
        cut = clip((x + margin, y + margin, *lengths), *(side + 2 * margin for side in image.size))
        left, top, right, bottom = (edge - margin for edge in xyxy_from_xywh(cut))
        dashes = [
            dash
            for one, other in (
                ((left, top), (right, top)),
                ((left, bottom), (right, bottom)),
                ((left, top), (left, bottom)),
                ((right, top), (right, bottom)),
            )
            for dash in _dashes(one, other, 5 * thick)
        ]
        for colour, wide in ((PAPER, thick + 4), (PREDICTED, thick)):
            for dash in dashes:
                pen.line(dash, fill=colour, width=wide)
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def _dashes(
    start: tuple[float, float], end: tuple[float, float], length: float
) -> Iterator[tuple[float, float, float, float]]:
    """Yields the dashes of a line, with gaps of two thirds of their length."""
    whole = math.dist(start, end)
    for number in range(math.ceil(whole / (length * 5 / 3))):
        first = number * length * 5 / 3
        at = [first / whole, min(first + length, whole) / whole]
        (a, b), (c, d) = (
            (start[0] + part * (end[0] - start[0]), start[1] + part * (end[1] - start[1]))
            for part in at
        )
        yield a, b, c, d
