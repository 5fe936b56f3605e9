"""Boxes of evidence out of a model's answer to DRAGON (B.1).

An answer is `Answer:` with `ID/<x,y,width,height>` between commas, then `Explanation:` with words:

    Answer: A1/<120,40,64,20>, S1/<10,200.5,90,30>
    Explanation: the bar of 2010 and its label.

Nothing is guessed: numbers are pixels, xywh, unless the caller says otherwise, and what only looks
like another system is a warning. What is malformed is left out and counted.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal, get_args

from benchloom.loaders.boxes import Box, xywh_from_ratios, xywh_from_xyxy

Reader = Literal["strict", "lenient"]
Coordinates = Literal[
    "xywh", "xyxy", "xywh_ratios", "xyxy_ratios", "xywh_thousandths", "xyxy_thousandths"
]
"""Upper left corner and size, or two corners; in pixels, or parts, or thousandths of the image."""
READERS: tuple[Reader, ...] = get_args(Reader)
COORDINATES: tuple[Coordinates, ...] = get_args(Coordinates)

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
_NOTHING = re.compile(
    r"[\s`*]*(?:none|no evidence|n/a|and|&|\[\s*\]|<\s*>|-)?[\s.`*]*", re.IGNORECASE
)
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
        if not piece or _NOTHING.fullmatch(piece):
            continue
        match = item.fullmatch(piece)
        numbers = [float(one) for one in match.groups()[1:] if one is not None] if match else []
        box = _convert(numbers, size, coordinates)
        if match is None or box is None:
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
    if len(numbers) != 4 or not all(map(math.isfinite, numbers)):
        return None
    form, _, unit = coordinates.partition("_")
    box = xywh_from_xyxy(numbers) if form == "xyxy" else (*numbers,)
    if unit and size is not None:
        whole = 1000 if unit == "thousandths" else 1
        box = xywh_from_ratios([number / whole for number in box], *size)
    x, y, width, height = box
    return None if width < 0 or height < 0 else (x, y, width, height)


def _doubts(
    given: Sequence[Sequence[float]],
    boxes: Sequence[PredictedBox],
    size: tuple[float, float] | None,
    coordinates: Coordinates,
) -> tuple[str, ...]:
    """Returns sentences on what the numbers of an answer may be meant as, and on its ids."""
    found = []
    ids = [box.id for box in boxes]
    if twice := [name for name in dict.fromkeys(ids) if ids.count(name) > 1]:
        found.append(f"more than one box is called {', '.join(twice)}")
    if size is None or not given:
        return tuple(found)
    width, height = size
    outside = sum(not _is_inside(box.bbox, width, height) for box in boxes)
    if outside:
        found.append(f"{outside} of {len(boxes)} boxes do not lie in the image")
    if coordinates != "xywh":
        return tuple(found)
    highest = max(max(numbers) for numbers in given)
    if highest <= 1 and min(width, height) > 2:
        found.append("all numbers are 1 or less: they may be parts of the image")
    if outside:
        if all(b[2] >= b[0] and b[3] >= b[1] for b in given) and all(
            _is_inside(xywh_from_xyxy(b), width, height) for b in given
        ):
            found.append("all boxes would lie in the image as x1,y1,x2,y2")
        if highest <= 1000 and all(
            _is_inside(xywh_from_ratios([n / 1000 for n in b], *size), width, height) for b in given
        ):
            found.append("all boxes would lie in the image as thousandths of it")
    return tuple(found)


def _is_inside(box: Box, width: float, height: float) -> bool:
    x, y, w, h = box
    return x >= -_SLACK and y >= -_SLACK and x + w <= width + _SLACK and y + h <= height + _SLACK
