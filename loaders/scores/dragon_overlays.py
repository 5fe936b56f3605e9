"""Pictures of predicted and gold boxes, for the best and the worst answers of a model."""

from __future__ import annotations

import io
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from benchloom.builders.dragon.picture import PAPER, draw_evidence
from benchloom.builders.errors import InputError
from benchloom.loaders.boxes import Box, area, clip, xyxy_from_xywh
from benchloom.loaders.scores.dragon_sheet import Sheet
from benchloom.loaders.scores.printable import printable
from benchloom.loaders.scores.result import Exhibit

if TYPE_CHECKING:
    import pyarrow as pa

    from benchloom.builders.dragon.copies import Copies

MOST = 24
"""Pictures in all."""
MOST_OF_MODEL = 3
"""Best ones, and as many worst ones; fewer where there are many models."""
MOST_LOOKED_FOR = 50
"""So many records are tried for the pictures of one end of one model."""
LONGEST_SIDE = 1000
"""Larger pictures are made smaller, in pixels."""
PREDICTED = "#e66100"
"""Orange, which people who see no red or no green tell from both."""


def draw_exhibits(
    sheets: Sequence[Sheet], table: pa.Table, copies: Copies
) -> tuple[list[Exhibit], list[str]]:
    """Returns pictures of the best and the worst answers with a box, and remarks on the others.

    Gold boxes are solid, green for the answer and red for support; predicted ones dashed orange.

    Args:
        sheets: The answers of each model.
        table: The references.
        copies: The user's copies of the sources.
    """
    exhibits: list[Exhibit] = []
    wanting: dict[str, None] = {}
    count = max(1, min(MOST_OF_MODEL, MOST // (2 * len(sheets))))
    for sheet in sheets:
        order = np.lexsort((sheet.found.best_iou, sheet.found.union_iou))
        places = [int(place) for place in order if sheet.found.predicted[place]]
        used: set[int] = set()
        for words, ends in (("best", places[::-1]), ("worst", places)):
            drawn = 0
            for place in ends[:MOST_LOOKED_FOR]:
                if drawn == count or place in used or len(exhibits) == MOST:
                    break
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
            if drawn == 0 and not used:
                break
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
        png = draw_evidence(picture.path, evidence)
    except InputError as error:
        return str(error)
    except (KeyError, TypeError):
        return f"{record['id']}: its image_ref does not say which file it is"
    answer = sheet.answers[place]
    boxes = [box.bbox for box in answer.boxes] if answer else []
    image = record["image_ref"]
    size = image["width"], image["height"]
    outside = sum(area(clip(box, *size)) == 0 < area(box) for box in boxes)
    found = sheet.found
    words = [f"G_IoU {found.union_iou[place]:.3f}", f"MP_IoU {found.best_iou[place]:.3f}"]
    words.append(f"predicted: {len(boxes)} (dashed orange)")
    words.append(f"gold: {len(evidence)} (green: answer, red: support)")
    if outside:
        words.append(f"{outside} outside the picture")
    caption = "; ".join([", ".join(words), *filter(None, [record.get("question")])])
    return printable(caption, 500), _add_predicted(png, boxes)


def _add_predicted(png: bytes, boxes: Sequence[Box]) -> bytes:
    """Returns a picture with dashed boxes on it, made smaller if it is large."""
    from PIL import Image, ImageDraw

    image = Image.open(io.BytesIO(png))
    image.load()
    pen = ImageDraw.Draw(image)
    thick = max(2, round(max(image.size) / 500))
    for box in boxes:
        # A margin keeps edges that are outside from being drawn along the border.
        margin = 2 * thick
        moved = (box[0] + margin, box[1] + margin, *box[2:])
        cut = clip(moved, image.width + 2 * margin, image.height + 2 * margin)
        left, top, right, bottom = (edge - margin for edge in xyxy_from_xywh(cut))
        for one, other in (
            ((left, top), (right, top)),
            ((left, bottom), (right, bottom)),
            ((left, top), (left, bottom)),
            ((right, top), (right, bottom)),
        ):
            for dash in _dashes(one, other, 5 * thick):
                for colour, width in ((PAPER, thick + 2), (PREDICTED, thick)):
                    pen.line(dash, fill=colour, width=width)
    image.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
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
