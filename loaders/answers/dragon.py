"""Answers to DRAGON judged: the boxes that were read against the boxes of the record (B.3).

The graders are the readers of `evidence.py`. An answer is `correct` where G_IoU, the intersection
over union of all its boxes and all boxes of the record, is above 0.5 (GroundingIoU@0.5).
"""

from collections.abc import Mapping, Sequence
from typing import Any

from benchloom.builders.errors import InputError
from benchloom.loaders.answers.evidence import (
    READERS,
    EvidenceAnswer,
    Reader,
    read_both,
    read_evidence,
)
from benchloom.loaders.answers.evidence_coordinates import COORDINATES, Coordinates, PredictedBox
from benchloom.loaders.answers.verdict import Grader, Outcome, Verdict
from benchloom.loaders.answers.versions import code_digest

__all__ = [
    "COORDINATES",
    "CORRECT_ABOVE",
    "READERS",
    "Coordinates",
    "EvidenceAnswer",
    "PredictedBox",
    "Reader",
    "in_words",
    "judge",
    "read_both",
    "read_evidence",
    "reader_of",
    "verdict_on",
    "version",
]

CORRECT_ABOVE = 0.5
"""An answer is correct where G_IoU is above this."""
_NUMBER = "2"
_MODULES = (
    "benchloom.loaders.boxes",
    "benchloom.loaders.answers.dragon",
    "benchloom.loaders.answers.evidence",
    "benchloom.loaders.answers.evidence_coordinates",
    "benchloom.loaders.answers.evidence_scan",
    "benchloom.loaders.answers.text",
    "benchloom.loaders.answers.words",
    "benchloom.loaders.scores.grounding",
)
"""What a verdict depends on."""


def judge(
    task: str,
    response: str | None,
    reference: Mapping[str, Any],
    grader: Grader = "lenient",
    coordinates: Coordinates = "xywh",
) -> Verdict:
    """Returns the verdict on one answer; its claim is written as `A1/<x,y,width,height>, ...`.

    Args:
        task: The source; it changes nothing.
        response: All that the model wrote; None for no answer.
        reference: The record: `evidence` with a `bbox` each, xywh in pixels, and `image_ref` with
            `width` and `height`.
        grader: The reader, `strict` or `lenient`.
        coordinates: What the model's numbers are.

    Raises:
        InputError: If there is no such grader, or the record lacks a column.
    """
    from benchloom.loaders.scores.grounding import BoxSets, exceeds, measure_grounding

    reader = reader_of(grader)
    try:
        image = reference["image_ref"]
        size = float(image["width"]), float(image["height"])
        gold = [one["bbox"] for one in reference["evidence"]]
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(
            "a reference of dragon needs evidence, a list of objects with a bbox, and image_ref "
            f"with width and height in pixels ({type(error).__name__}: {error})"
        ) from None
    answer = (
        EvidenceAnswer() if response is None else read_evidence(response, size, reader, coordinates)
    )
    predicted = [box.bbox for box in answer.boxes]
    found = measure_grounding(BoxSets.of([predicted]), BoxSets.of([gold]), [size])
    best, union = float(found.best_iou[0]), float(found.union_iou[0])
    correct = bool(exceeds(union, CORRECT_ABOVE))
    return verdict_on(answer, best, union, correct, response is not None)


def version(grader: Grader) -> str:
    """Returns the version of a grader, which changes whenever a verdict could.

    Raises:
        InputError: If there is no such grader.
    """
    reader_of(grader)
    return f"{_NUMBER}-{code_digest(_MODULES)}"


def reader_of(grader: str) -> Reader:
    """Returns the reader that a grader is.

    Raises:
        InputError: If there is no such grader.
    """
    for reader in READERS:
        if grader == reader:
            return reader
    raise InputError(f"dragon has no grader {grader!r}; take {' or '.join(READERS)}")


def verdict_on(
    answer: EvidenceAnswer, best_iou: float, union_iou: float, correct: bool, answered: bool = True
) -> Verdict:
    """Returns the verdict on an answer that was read and measured.

    Args:
        answer: What was read.
        best_iou: The best IoU of one of its boxes and one of the record.
        union_iou: The IoU of all its boxes and all of the record.
        correct: Whether that is above `CORRECT_ABOVE`.
        answered: Whether there is an answer at all.
    """
    malformed = f"{len(answer.malformed)} malformed left out"
    if not answer.boxes:
        if not answered:
            why = "no answer"
        elif answer.malformed:
            why = f"no box could be read, {malformed}"
        else:
            why = "an answer without a box" if answer.has_answer else "an empty answer"
        return Verdict("unparseable", None, why)
    verdict: Outcome = "correct" if correct else "incorrect"
    boxes = "1 box" if len(answer.boxes) == 1 else f"{len(answer.boxes)} boxes"
    why = f"{boxes}, G_IoU {union_iou:.3f}, MP_IoU {best_iou:.3f}"
    if answer.malformed:
        why += f"; {malformed}"
    return Verdict(verdict, in_words(answer.boxes), "; ".join((why, *answer.warnings)))


def in_words(boxes: Sequence[PredictedBox]) -> str:
    """Returns boxes as an answer has them, in pixels, xywh."""
    return ", ".join(
        f"{box.id}/<{','.join([f'{number:.10g}' for number in box.bbox])}>" for box in boxes
    )
