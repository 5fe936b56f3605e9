"""DRAGON's records and their columns."""

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

from benchloom.builders.benchmark import Record
from benchloom.builders.dragon.regions import BOX_DECIMALS, is_refused
from benchloom.builders.dragon.resolution import Resolved
from benchloom.builders.dragon.work import Evidence
from benchloom.builders.errors import InputError
from benchloom.loaders.boxes import Box, clip

if TYPE_CHECKING:
    from datasets import Features


def features() -> "Features":
    """Returns the columns and their types, the same for every source; none holds a picture."""
    from datasets import Features, List, Value

    text = Value("string")
    return Features(
        {
            "id": text,
            "source": text,
            "question_id": text,
            "question": text,
            "answer": text,
            "choices": List(text),
            "image_ref": {
                "split": text,
                "file_name": text,
                "sha256": text,
                "width": Value("int32"),
                "height": Value("int32"),
            },
            "evidence": List(
                {
                    "id": text,
                    "role": text,
                    "label": text,
                    "bbox": List(Value("float64")),
                    "origin": text,
                }
            ),
            "review": {"annotators": List(text), "status": text, "reason": text},
            "template_id": text,
        }
    )


def make_record(resolved: Resolved) -> Record:
    """Returns the record of an item; boxes are xywh in pixels, within the picture, to 0.01 px.

    Raises:
        InputError: If a box is not made of numbers.
    """
    item = resolved.item.item
    for one in resolved.evidence:
        if not all(map(math.isfinite, one.bbox)):
            raise InputError(f"item {item.id!r}: the box {one.id} is not made of numbers")
    image = item.image
    return {
        "id": item.id,
        "source": item.source,
        "question_id": item.question_id,
        "question": item.question,
        "answer": item.answer,
        "choices": list(item.choices),
        "image_ref": image.to_json(),
        "evidence": _evidence(resolved.evidence, image.width, image.height),
        "review": {
            "annotators": list(resolved.annotators),
            "status": resolved.status,
            "reason": resolved.reason,
        },
        "template_id": _template_id(resolved),
    }


def _template_id(resolved: Resolved) -> str | None:
    """Returns the template that boxes may come from: none, if it was refused and none does."""
    if is_refused(resolved.item.item.regions) and not any(
        one.origin == "scaled" for one in resolved.evidence
    ):
        return None
    return resolved.item.template_id


def _evidence(evidence: Iterable[Evidence], width: int, height: int) -> list[Record]:
    """Returns the boxes as records have them; the id of a region would mean nothing there."""
    return [
        {
            "id": one.id,
            "role": one.role,
            "label": one.label,
            "bbox": _within(one.bbox, width, height),
            "origin": one.origin,
        }
        for one in evidence
    ]


def _within(box: Box, width: int, height: int) -> list[float]:
    """Returns a rounded box that sticks out of the picture not even by its rounding."""
    x, y, w, h = (round(number, BOX_DECIMALS) + 0.0 for number in clip(box, width, height))
    return [x, y, min(w, round(width - x, BOX_DECIMALS)), min(h, round(height - y, BOX_DECIMALS))]
