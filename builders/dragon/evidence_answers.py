"""What a model proposes as evidence: EDGE, SAGE and VERGE, step by step (section 4)."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from benchloom.builders.dragon.item import Item
from benchloom.builders.dragon.model import Model, NoAnswerError, Reply, sent_size
from benchloom.builders.dragon.prompts import (
    Strategy,
    ask_edge,
    ask_sage_boxes,
    ask_sage_elements,
    ask_verge_again,
)
from benchloom.builders.dragon.regions import BOX_DECIMALS
from benchloom.builders.dragon.work import MODEL, Evidence, Role
from benchloom.loaders.answers.dragon import (
    Coordinates,
    EvidenceAnswer,
    PredictedBox,
    read_evidence,
)
from benchloom.loaders.boxes import Box, area, clip, iou

# B.1: tokens of the single step of EDGE, and of each step of the others.
TOKENS: dict[Strategy, int] = {"edge": 2048, "sage": 1024, "verge": 1024}
SAME_REGION = 0.5
"""Least intersection over union of a box and a region that it is taken to show."""
_ELEMENT = re.compile(r"[ \t\-*•`]{0,12}([^\s:/*`]{1,40})[*`]{0,3}[ \t]{0,4}[:/][*` \t]{0,6}(\S.*)")
_ANSWER = re.compile(r"[Aa]\d*")
_PLAIN = re.compile(r"[AaSs]\d+")


@dataclass(frozen=True)
class ModelProposal:
    """What came of asking a model about one item.

    Attributes:
        evidence: The boxes within the image, `p1`, `p2`, ...
        malformed: What stood where a box should, in all steps, as it was written.
        outside: Boxes that have no area within the image; they are left out.
        repeated: Boxes that are there already; they are left out.
        warnings: Doubts about the numbers, sentences.
        failed: Why there is no usable answer; "" if there is one, even if it is without boxes.
        cut: Whether a step ended because it had reached its number of tokens.
        asked: How many steps were sent; others were on disk.
    """

    evidence: tuple[Evidence, ...] = ()
    malformed: tuple[str, ...] = ()
    outside: int = 0
    repeated: int = 0
    warnings: tuple[str, ...] = ()
    failed: str = ""
    cut: bool = False
    asked: int = 0


@dataclass
class _Steps:
    """The steps of one item, and what they add up to."""

    model: Model
    item: Item
    tokens: int
    coordinates: Coordinates
    malformed: list[str] = field(default_factory=list)
    cut: bool = False
    asked: int = 0

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the image as it is sent, in pixels; those of boxes are of this."""
        return sent_size(self.item.image.width, self.item.image.height)

    def ask(self, words: str) -> str:
        reply: Reply = self.model.ask(words, self.item.path, self.tokens)
        self.cut |= reply.cut
        self.asked += not reply.kept
        return reply.text

    def ask_for_boxes(self, words: str) -> EvidenceAnswer:
        answer = read_evidence(self.ask(words), self.size, "lenient", self.coordinates)
        self.malformed += answer.malformed
        return answer


_Outcome = tuple[EvidenceAnswer, Mapping[str, str]]
"""The last answer, and what its ids stand for as far as the model said so."""


def ask_model(
    model: Model, item: Item, strategy: Strategy, coordinates: Coordinates = "xywh"
) -> ModelProposal:
    """Returns what a model proposes as evidence for an item.

    Its answers are read leniently, since people look at every proposal. Ids `A1`, ... give the
    role `answer`, all others `support`. A box keeps its numbers, cut to the image; where it covers
    a region of the picture it takes that region's label.

    Args:
        model: The model.
        item: The question.
        strategy: `edge`, `sage` or `verge`.
        coordinates: What the model's numbers are; they are never guessed.

    Raises:
        InputError: If it is no use asking on: see `Model.ask`.
    """
    steps = _Steps(model, item, TOKENS[strategy], coordinates)
    try:
        answer, words = _STRATEGIES[strategy](steps)
    except NoAnswerError as error:
        malformed = (*steps.malformed, error.written) if error.written else tuple(steps.malformed)
        return ModelProposal(
            malformed=malformed, failed=str(error), cut=steps.cut, asked=steps.asked
        )
    evidence, outside = _evidence(item, _grown(answer.boxes, item, steps.size), words)
    usable = answer.has_answer or bool(answer.boxes)
    return ModelProposal(
        evidence,
        tuple(steps.malformed),
        outside,
        len(answer.boxes) - len(evidence) - outside,
        answer.warnings,
        "" if usable else "an answer without `Answer:`",
        steps.cut,
        steps.asked,
    )


def read_elements(text: str) -> list[tuple[str, str]]:
    """Returns id and description of each element of the first step of SAGE.

    Args:
        text: All that the model wrote: lines `ID: description`, after `Elements:` if that is
            there. Of two with one id the first counts.
    """
    found: dict[str, str] = {}
    _, head, after = text.rpartition("Elements:")
    for line in (after if head else text).splitlines():
        match = _ELEMENT.fullmatch(line.rstrip())
        if match:
            found.setdefault(match[1], match[2].strip())
    return list(found.items())


def _edge(steps: _Steps) -> _Outcome:
    return steps.ask_for_boxes(ask_edge(steps.item, steps.size)), {}


def _sage(steps: _Steps) -> _Outcome:
    text = steps.ask(ask_sage_elements(steps.item, steps.size))
    elements = read_elements(text)
    if not elements:
        steps.malformed.append(text)
        raise NoAnswerError("an answer without elements")
    return steps.ask_for_boxes(ask_sage_boxes(steps.item, steps.size, elements)), dict(elements)


def _verge(steps: _Steps) -> _Outcome:
    first = steps.ask_for_boxes(ask_edge(steps.item, steps.size))
    again = steps.ask_for_boxes(ask_verge_again(steps.item, steps.size, first.boxes))
    if not again.boxes:
        return first, {}
    # The second step may adjust and add, not drop (4.3): what it left out stays as it was.
    there = {box.id for box in again.boxes}
    dropped = tuple(box for box in first.boxes if box.id not in there)
    boxes = (*dropped, *again.boxes)
    return EvidenceAnswer(boxes, (), again.explanation, True, again.warnings), {}


_STRATEGIES: dict[Strategy, Callable[[_Steps], _Outcome]] = {
    "edge": _edge,
    "sage": _sage,
    "verge": _verge,
}


def _grown(boxes: Sequence[PredictedBox], item: Item, size: tuple[int, int]) -> list[PredictedBox]:
    """Returns boxes on the image as it was sent as boxes on the image itself."""
    across, down = item.image.width / size[0], item.image.height / size[1]
    grown = []
    for box in boxes:
        x, y, width, height = box.bbox
        moved = x * across, y * down, width * across, height * down
        grown.append(box._replace(bbox=moved))
    return grown


def _evidence(
    item: Item, boxes: Sequence[PredictedBox], words: Mapping[str, str]
) -> tuple[tuple[Evidence, ...], int]:
    """Returns the boxes within the image, the answer's first, and how many are outside.

    Of boxes that are one and the same, to the decimals that are written, the first is kept.
    """
    outside = 0
    regions = [region for region in item.regions if region.origin != "scaled"]
    found: list[tuple[Role, str, Box, str | None]] = []
    for box in boxes:
        inside = clip(box.bbox, item.image.width, item.image.height)
        if area(inside) == 0:
            outside += 1
            continue
        role: Role = "answer" if _ANSWER.fullmatch(box.id) else "support"
        best = max(regions, key=lambda region: iou(region.bbox, inside), default=None)
        known = best is not None and iou(best.bbox, inside) >= SAME_REGION
        label = best.label if best is not None and known else words.get(box.id, "")
        if not label and not _PLAIN.fullmatch(box.id):
            label = box.id
        found.append((role, label, inside, best.id if best is not None and known else None))
    found.sort(key=lambda one: one[0] != "answer")
    once: dict[tuple[float, ...], tuple[Role, str, Box, str | None]] = {}
    for one in found:
        once.setdefault(tuple(round(number, BOX_DECIMALS) for number in one[2]), one)
    evidence = tuple(
        Evidence(f"p{number}", role, label, box, MODEL, region)
        for number, (role, label, box, region) in enumerate(once.values(), 1)
    )
    return evidence, outside
