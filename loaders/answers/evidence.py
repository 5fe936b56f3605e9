"""Boxes of evidence read out of a model's answer to DRAGON (B.1).

An answer is `Answer:` with `ID/<x,y,width,height>` between commas, then `Explanation:` with words:

    Answer: A1/<120,40,64,20>, S1/<10,200.5,90,30>
    Explanation: the bar of 2010 and its label.

What was thought (`<think>`) is left out. Of several labelled answers (a draft, then a better one)
the last one with a box counts.

`strict` takes
- the label `Answer:`, `Final Answer:` or `Revised Answer:` at the beginning of a line,
- an id of one word with `/` after it, and four numbers between commas, in `<>` or without.

`lenient` also takes
- a label in Markdown, in any case and after any words (`The final answer is:`), one after a
  sentence if a box follows at once, and boxes without a label,
- blanks or quotes in an id, `:` or `=` after it, the `id` or `label` of an object in JSON, and no
  id where no box of the answer has one: such boxes are numbered, and a warning says so,
- other brackets, `&lt;`, blanks or semicolons between numbers, `px` after them, and `bbox`,
  `bbox_2d` or `box` of an object in JSON.

`lenient` reads whatever `strict` does: both read the same boxes, and `strict` keeps those that are
in the format. Nothing is guessed: numbers are pixels, xywh, unless the caller says otherwise, and
what only looks like another system is a warning. What is malformed is left out and counted.
"""

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple, get_args

from benchloom.loaders.answers.evidence_coordinates import (
    COORDINATES,
    NAMED_XYXY,
    Coordinates,
    PredictedBox,
    convert,
    doubts,
)
from benchloom.loaders.answers.evidence_scan import (
    NUMBER,
    Section,
    Spot,
    end_of,
    loosened,
    malformed_in,
    sections,
    spots,
)
from benchloom.loaders.answers.text import one_turn, without_thought

Reader = Literal["strict", "lenient"]
READERS: tuple[Reader, ...] = get_args(Reader)
LONGEST = 100_000
"""Characters of an answer that are read, half of them at its beginning and half at its end."""
WITHOUT_ID = "boxes without an id are numbered"

# Nearly all answers of a fair model look like this, and are then read in one go; both readers would
# read the same in their long way, which a test makes sure of.
_PLAIN_BOX = rf"[A-Za-z]\d{{0,3}}/<{','.join([NUMBER] * 4)}>"
_PLAIN = re.compile(
    rf"Answer: ?({_PLAIN_BOX}(?:, ?{_PLAIN_BOX})*)\s*"
    r"(?:(?<=\n)Explanation:(?![*_`\"'])([^\n<\[◁]*)\n?)?"
)
_PLAIN_PARTS = re.compile(r"(\w+)/<([^,]*),([^,]*),([^,]*),([^>]*)>")


class EvidenceAnswer(NamedTuple):
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

    Args:
        text: All that the model wrote; of more than 100,000 characters the first and the last.
        size: Width and height of the image as the model was told, in pixels. Parts of the image
            cannot be converted without; the warnings need it, too.
        reader: `strict` or `lenient`; what they take stands above.
        coordinates: What the numbers are.

    Raises:
        ValueError: If `coordinates` are parts of the image and there is no size, or an option is
            not known.
    """
    if reader not in READERS:
        raise ValueError(f"there is no reader {reader!r}")
    strict, lenient = read_both(text, size, coordinates)
    return strict if reader == "strict" else lenient


def read_both(
    text: str, size: tuple[float, float] | None, coordinates: Coordinates = "xywh"
) -> tuple[EvidenceAnswer, EvidenceAnswer]:
    """Returns what the strict and the lenient reader read; one object where they agree.

    Args:
        text: As for `read_evidence`.
        size: As for `read_evidence`.
        coordinates: As for `read_evidence`.

    Raises:
        ValueError: As `read_evidence`.
    """
    if coordinates not in COORDINATES:
        raise ValueError(f"there are no coordinates {coordinates!r}")
    if size is None and coordinates not in ("xywh", "xyxy"):
        raise ValueError(f"{coordinates} can only be read with the size of the image")
    if len(text) <= LONGEST and (plain := _PLAIN.fullmatch(text)) is not None:
        found = _read_plain(plain, size, coordinates)
        if found is not None:
            return found, found
    return _Long(text, size, coordinates).read()


def _read_plain(
    plain: re.Match[str], size: tuple[float, float] | None, coordinates: Coordinates
) -> EvidenceAnswer | None:
    """Returns what a match of `_PLAIN` says, None if it has to be read in the long way."""
    explanation = plain[2] or ""
    if (":" in explanation or "=" in explanation) and "nswer" in explanation.lower():
        return None
    boxes, given = [], []
    for name, first, second, third, fourth in _PLAIN_PARTS.findall(plain[1]):
        numbers = float(first), float(second), float(third), float(fourth)
        box = convert(numbers, size, coordinates)
        if box is None:
            return None
        boxes.append(PredictedBox(name, box))
        given.append(numbers)
    warnings = doubts(given, boxes, size, coordinates)
    return EvidenceAnswer(tuple(boxes), (), explanation.strip(), True, warnings)


class _Long:
    """An answer that is read in the long way."""

    def __init__(
        self, text: str, size: tuple[float, float] | None, coordinates: Coordinates
    ) -> None:
        self._all = text.strip()
        said = without_thought(text)
        said = "" if said is None else one_turn(said)
        self._warnings: tuple[str, ...] = ()
        if len(said) > LONGEST:
            said = f"{said[: LONGEST // 2]}\n…\n{said[-(LONGEST // 2) :]}"
            self._warnings = (f"only the first and the last {LONGEST // 2:,} characters are read",)
        self._text = said
        self._loose = loosened(said)
        self._size, self._coordinates = size, coordinates

    def read(self) -> tuple[EvidenceAnswer, EvidenceAnswer]:
        """Returns what the strict and the lenient reader read."""
        labelled = sections(self._text, self._loose)
        refused = EvidenceAnswer((), (self._all,) if self._all else (), "", False, self._warnings)
        for section in reversed(labelled):
            if boxes := self._boxes(section):
                exact = [(spot, box) for spot, box in boxes if spot.exact]
                strict = self._answer(section, exact) if section.exact else refused
                if section.exact and len(exact) == len(boxes):
                    return strict, strict
                return strict, self._answer(section, boxes)
        last = next((one for one in reversed(labelled) if one.exact), None)
        strict = refused if last is None else self._answer(last, [])
        end, *explained = end_of(self._loose, 0, len(self._text))
        whole = Section(0, end, (explained[0], explained[1]), False)
        if boxes := self._boxes(whole):
            return strict, self._answer(whole, boxes)._replace(has_answer=bool(labelled))
        if not labelled or labelled[-1] is last:
            return strict, strict
        return strict, self._answer(labelled[-1], [])

    def _boxes(self, section: Section) -> list[tuple[Spot, PredictedBox]]:
        """Returns the boxes of a section; those without an id if none has one."""
        found = []
        for spot in spots(self._text, self._loose, section.start, section.end):
            box = convert(spot.numbers, self._size, self._coordinates)
            if box is not None:
                found.append((spot, PredictedBox(spot.id, box)))
        if named := [one for one in found if one[0].id]:
            return named
        return [
            (spot, PredictedBox(str(number), box.bbox))
            for number, (spot, box) in enumerate(found, 1)
        ]

    def _answer(
        self, section: Section, boxes: Sequence[tuple[Spot, PredictedBox]]
    ) -> EvidenceAnswer:
        gaps, at = [], section.start
        for spot, _ in boxes:
            gaps.append(self._text[at : spot.start])
            at = spot.end
        gaps.append(self._text[at : section.end])
        predicted = tuple(box for _, box in boxes)
        given = [spot.numbers for spot, _ in boxes]
        warnings = self._warnings + doubts(given, predicted, self._size, self._coordinates)
        if boxes and not boxes[0][0].id:
            warnings += (WITHOUT_ID,)
        if self._coordinates == "xywh" and any(spot.key == "bbox_2d" for spot, _ in boxes):
            warnings += (NAMED_XYXY,)
        explanation = self._text[slice(*section.explained)].strip()
        malformed = malformed_in(gaps, bool(boxes))
        return EvidenceAnswer(predicted, malformed, explanation, True, warnings)
