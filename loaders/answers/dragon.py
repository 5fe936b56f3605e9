"""Boxes of evidence out of a model's answer to DRAGON (B.1).

An answer is `Answer:` with `ID/<x,y,width,height>` between commas, then `Explanation:` with words:

    Answer: A1/<120,40,64,20>, S1/<10,200.5,90,30>
    Explanation: the bar of 2010 and its label.

Nothing is guessed: numbers are pixels, xywh, unless the caller says otherwise, and what only looks
like another system is a warning. What is malformed is left out and counted.

The graders are the readers. An answer is `correct` where G_IoU, the intersection over union of all
its boxes and all boxes of the record, is above 0.5 (GroundingIoU@0.5 of B.3).
"""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Literal, get_args

from benchloom.builders.errors import InputError
from benchloom.loaders.answers.verdict import Grader, Outcome, Verdict
from benchloom.loaders.boxes import Box, xywh_from_ratios, xywh_from_xyxy

Reader = Literal["strict", "lenient"]
Coordinates = Literal[
    "xywh", "xyxy", "xywh_ratios", "xyxy_ratios", "xywh_thousandths", "xyxy_thousandths"
]
"""Upper left corner and size, or two corners; in pixels, or parts, or thousandths of the image."""
READERS: tuple[Reader, ...] = get_args(Reader)
COORDINATES: tuple[Coordinates, ...] = get_args(Coordinates)
CORRECT_ABOVE = 0.5
"""An answer is correct where G_IoU is above this."""
VERSION = "1"
"""Of both graders. To be raised whenever a verdict could change."""

# What the warnings about coordinates say, to be told apart.
OUTSIDE = "do not lie in the image"
MAYBE_RATIOS = "all numbers are 1 or less: they may be parts of the image"
MAYBE_XYXY = "all boxes would lie in the image as x1,y1,x2,y2"
MAYBE_THOUSANDTHS = "all boxes would lie in the image as thousandths of it"

_NUMBER = r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?"
_NUMBERS = r"\s*,\s*".join([rf"({_NUMBER})"] * 4)
_STRICT_START = re.compile(r"(?:^|(?<=[,\s]))[^\s,/<>]+/")
_STRICT_ITEM = re.compile(rf"([^\s,/<>]+)/(?:<\s*{_NUMBERS}\s*>|{_NUMBERS})")
_STRICT_CLOSE = re.compile(r">")
_STRICT_HEAD = re.compile(r"^[ \t]*Answer:", re.MULTILINE)
_STRICT_END = re.compile(r"\bExplanation:")
# Any brackets or none, a colon for the slash, blanks in an id, a unit after a number; bullets,
# numbers and signs of Markdown before and after. Repetitions are bounded: time stays linear.
_BULLET = r"[ \t\-*•`\"']{0,12}(?:\d{1,4}[.)][ \t]+)?(?:and[ \t]+)?"
_ID = r"[^\s,;/:<>\[\](){}][^,;/:<>\[\](){}\n]{0,200}"
_LOOSE_NUMBERS = r"\s*[,;\s]\s*".join([rf"({_NUMBER})\s*(?:px)?"] * 4)
_LENIENT_START = re.compile(rf"(?:^|(?<=[,;\n])){_BULLET}{_ID}[/:=](?=\s*[<\[({{]|\s*[-+.\d])")
_LENIENT_ITEM = re.compile(
    rf"{_BULLET}({_ID}?)[ \t`\"']*[/:=]\s*"
    rf"(?:[<\[({{]+\s*{_LOOSE_NUMBERS}\s*[>\])}}]+|{_LOOSE_NUMBERS})[`\"'*.]*"
)
_LENIENT_CLOSE = re.compile(r"[>\])}]+[`\"'*.]*")
_HEADING = r"^[ \t>#*_`]{0,12}"
_LENIENT_HEAD = re.compile(
    rf"{_HEADING}answer[ \t*_`]{{0,6}}:[*_`]{{0,6}}", re.MULTILINE | re.IGNORECASE
)
_LENIENT_END = re.compile(
    rf"(?:{_HEADING}|\b)explanation[ \t*_`]{{0,6}}:[*_`]{{0,6}}", re.MULTILINE | re.IGNORECASE
)
# Nearly all answers of a fair model look like this, and are then read in one go; both readers would
# read the same in their long way, which a test makes sure of.
_PLAIN_BOX = rf"[A-Za-z]\d{{0,3}}/<{','.join([_NUMBER] * 4)}>"
_PLAIN = re.compile(
    rf"Answer: ?({_PLAIN_BOX}(?:, ?{_PLAIN_BOX})*)\s*"
    r"(?:(?<=\n)Explanation:(?![*_`])([^\n]*)\n?)?"
)
_PLAIN_PARTS = re.compile(r"(\w+)/<([^>]*)>")
_NOTHING = re.compile(
    r"[\s`*]*(?:none|no evidence|n/a|and|&|\[\s*\]|<\s*>|-)?[\s.`*]*", re.IGNORECASE
)
MOST_NAMED = 5
"""So many ids are named in a warning."""
_SLACK = 1.0
"""Pixels that a box may stick out of the image without a doubt about its coordinates."""


@dataclass(frozen=True)
class PredictedBox:
    """A box of an answer.

    Attributes:
        id: As the model wrote it.
        bbox: xywh in pixels; it may stick out of the image. Width and height may be 0.
    """

    id: str
    bbox: Box


@dataclass(frozen=True)
class EvidenceAnswer:
    """What an answer says.

    Attributes:
        boxes: Its boxes in their order; none is an answer, too, and counts as one.
        malformed: What stands where a box should, and is none, as it is written.
        explanation: What follows `Explanation:`.
        has_answer: Whether there is an `Answer:` at all.
        warnings: What looks as if it were meant otherwise; sentences. Nothing was changed for it.
    """

    boxes: tuple[PredictedBox, ...] = ()
    malformed: tuple[str, ...] = ()
    explanation: str = ""
    has_answer: bool = False
    warnings: tuple[str, ...] = ()


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
    """Returns the version of a grader.

    Raises:
        InputError: If there is no such grader.
    """
    reader_of(grader)
    return VERSION


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


def read_evidence(
    text: str,
    size: tuple[float, float] | None = None,
    reader: Reader = "strict",
    coordinates: Coordinates = "xywh",
) -> EvidenceAnswer:
    """Returns the boxes of a model's answer.

    Where a model wrote several `Answer:` (a draft, then a better one), the last one with a box
    counts, or else the last.

    Args:
        text: All that the model wrote.
        size: Width and height of the image as the model was told, in pixels. Parts of the image
            cannot be converted without; the warnings need it, too.
        reader: `strict` takes the format alone: `Answer:` at the beginning of a line, boxes between
            commas, brackets `<>` or none. `lenient` also takes other brackets and separators,
            headings in Markdown, blanks in an id, a colon after it, `px`, and boxes without
            `Answer:`.
        coordinates: What the numbers are.

    Raises:
        ValueError: If `coordinates` are parts of the image and there is no size, or an option is
            not known.
    """
    if reader not in READERS or coordinates not in COORDINATES:
        raise ValueError(f"there is no reader {reader!r} or no coordinates {coordinates!r}")
    if size is None and coordinates not in ("xywh", "xyxy"):
        raise ValueError(f"{coordinates} can only be read with the size of the image")
    if plain := _PLAIN.fullmatch(text):
        found = _read_plain(plain, size, coordinates)
        if found is not None:
            return found
    best: EvidenceAnswer | None = None
    for section, explanation in reversed(_sections(text, reader)):
        found = _read_section(section, explanation, size, reader, coordinates)
        if found.boxes:
            return found
        best = best or found
    if best is not None:
        return best
    if reader == "lenient":
        words = _LENIENT_END.split(text, maxsplit=1)
        found = _read_section(words[0], "".join(words[1:]).strip(), size, reader, coordinates)
        if found.boxes:
            return replace(found, has_answer=False)
    return EvidenceAnswer(malformed=(text.strip(),) if text.strip() else ())


def _read_plain(
    plain: re.Match[str], size: tuple[float, float] | None, coordinates: Coordinates
) -> EvidenceAnswer | None:
    """Returns what a match of `_PLAIN` says, None if there is something malformed in it."""
    boxes, given = [], []
    for name, words in _PLAIN_PARTS.findall(plain[1]):
        numbers = [float(word) for word in words.split(",")]
        box = _convert(numbers, size, coordinates)
        if box is None:
            return None
        boxes.append(PredictedBox(name, box))
        given.append(numbers)
    warnings = _doubts(given, boxes, size, coordinates)
    return EvidenceAnswer(tuple(boxes), (), (plain[2] or "").strip(), True, warnings)


def _sections(text: str, reader: Reader) -> list[tuple[str, str]]:
    """Returns what follows each `Answer:` up to its `Explanation:`, and the explanation."""
    strict = reader == "strict"
    head, end = (_STRICT_HEAD, _STRICT_END) if strict else (_LENIENT_HEAD, _LENIENT_END)
    heads = list(head.finditer(text))
    ends = [*(one.start() for one in heads[1:]), len(text)]
    found = []
    for one, until in zip(heads, ends, strict=False):
        body = text[one.end() : until]
        stop = end.search(body)
        found.append((body[: stop.start()], body[stop.end() :].strip()) if stop else (body, ""))
    return found


def _read_section(
    section: str,
    explanation: str,
    size: tuple[float, float] | None,
    reader: Reader,
    coordinates: Coordinates,
) -> EvidenceAnswer:
    strict = reader == "strict"
    start, item = (_STRICT_START, _STRICT_ITEM) if strict else (_LENIENT_START, _LENIENT_ITEM)
    # What begins like a box, or follows the bracket of one, is a piece of its own.
    cuts = {one.start() for one in start.finditer(section)}
    cuts |= {one.end() for one in (_STRICT_CLOSE if strict else _LENIENT_CLOSE).finditer(section)}
    pieces = [section[a:b] for a, b in pairwise([0, *sorted(cuts), len(section)])]
    boxes, malformed, given = [], [], []
    for piece in (piece.strip(" \t\r\n,;") for piece in pieces):
        match = item.fullmatch(piece)
        if match is None:
            if piece and not _NOTHING.fullmatch(piece):
                malformed.append(piece)
            continue
        numbers = [float(one) for one in match.groups()[1:] if one is not None]
        box = _convert(numbers, size, coordinates)
        if box is None:
            malformed.append(piece)
        else:
            boxes.append(PredictedBox(match[1].strip(), box))
            given.append(numbers)
    warnings = _doubts(given, boxes, size, coordinates)
    return EvidenceAnswer(tuple(boxes), tuple(malformed), explanation, True, warnings)


def _convert(
    numbers: Sequence[float], size: tuple[float, float] | None, coordinates: Coordinates
) -> Box | None:
    """Returns a box in pixels, or None for one that is no box."""
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


def _doubts(
    given: Sequence[Sequence[float]],
    boxes: Sequence[PredictedBox],
    size: tuple[float, float] | None,
    coordinates: Coordinates,
) -> tuple[str, ...]:
    """Returns sentences on what the numbers of an answer may be meant as, and on its ids."""
    found = []
    ids = [box.id for box in boxes]
    if len(set(ids)) < len(ids):
        twice = [name for name, count in Counter(ids).items() if count > 1]
        more = f" and {len(twice) - MOST_NAMED:,} more" if len(twice) > MOST_NAMED else ""
        found.append(f"more than one box is called {', '.join(twice[:MOST_NAMED])}{more}")
    if size is None or not given:
        return tuple(found)
    width, height = size
    outside = sum(not _is_inside(box.bbox, width, height) for box in boxes)
    if outside:
        found.append(f"{outside} of {len(boxes)} boxes {OUTSIDE}")
    if coordinates != "xywh":
        return tuple(found)
    highest = max(max(numbers) for numbers in given)
    if highest <= 1 and min(width, height) > 2:
        found.append(MAYBE_RATIOS)
    if outside:
        if all(b[2] >= b[0] and b[3] >= b[1] for b in given) and all(
            _is_inside(xywh_from_xyxy(b), width, height) for b in given
        ):
            found.append(MAYBE_XYXY)
        if highest <= 1000 and all(
            _is_inside(xywh_from_ratios([n / 1000 for n in b], *size), width, height) for b in given
        ):
            found.append(MAYBE_THOUSANDTHS)
    return tuple(found)


def _is_inside(box: Box, width: float, height: float) -> bool:
    x, y, w, h = box
    return x >= -_SLACK and y >= -_SLACK and x + w <= width + _SLACK and y + h <= height + _SLACK
