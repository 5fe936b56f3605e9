"""Evidence to and from the files of other annotation tools.

| format | file | boxes | ids | what it holds |
|---|---|---|---|---|
| `label-studio` | JSON, a task for each item | percent | yes | proposals as predictions, reviews as annotations |
| `coco` | JSON, an image for each item | pixels | in `attributes` | the proposals, or one annotator's reviews |
| `voc` | a folder, an XML for each item | corners in pixels | no | the proposals, or one annotator's reviews |

A box that comes back without an id that is known, but is still that of a proposal, is that
proposal; so what was kept can be told from what was drawn, whatever the format loses.
"""  # noqa: E501

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchloom.builders.dragon.edits import (
    DRAWN_ID,
    Edits,
    find_edits,
    is_same_box,
    next_drawn,
    settle,
)
from benchloom.builders.dragon.review_log import Log, LogWriter
from benchloom.builders.dragon.work import ROLES, Evidence, WorkItem
from benchloom.builders.errors import InputError
from benchloom.loaders.boxes import Box


@dataclass(frozen=True)
class Answer:
    """What a file of another tool says of one item.

    Attributes:
        item: The item.
        boxes: The boxes in it.
        ambiguous: Whether the item is flagged.
        note: What the annotator wrote.
        user: Who that is in the other tool, where the file tells.
    """

    item: WorkItem
    boxes: tuple["ForeignBox", ...]
    ambiguous: bool = False
    note: str = ""
    user: str = ""


@dataclass(frozen=True)
class ForeignBox:
    """A box in a file of another tool.

    Attributes:
        id: What it is called there; empty where the format has no ids.
        role: `answer` or `support`.
        label: What it shows; None where the format has no place for it.
        bbox: xywh in pixels of the image.
        region: The region that it is, where the file tells.
    """

    id: str
    role: str
    label: str | None
    bbox: Box
    region: str | None = None


@dataclass(frozen=True)
class Imported:
    """What became of the items of a file.

    Attributes:
        edits: By item, what its annotator changed about the proposals.
        faults: A sentence for each part of the file that was left out.
    """

    edits: Mapping[str, Edits]
    faults: tuple[str, ...]


Export = Callable[[Sequence[WorkItem], Sequence[Log], str | None, Path], int]
Import = Callable[[Path, Sequence[WorkItem], str], tuple[list[Answer], list[str]]]


def evidence_of(
    items: Iterable[WorkItem], logs: Sequence[Log], annotator: str | None
) -> list[tuple[WorkItem, tuple[Evidence, ...], bool, str]]:
    """Returns items with evidence, flag and note: one annotator's reviews, or all the proposals.

    Raises:
        InputError: If the annotator has reviewed nothing.
    """
    if annotator is None:
        return [(item, item.proposed, False, "") for item in items]
    reviews = {log.annotator: log.last("review") for log in logs}.get(annotator)
    if not reviews:
        raise InputError(f"{annotator!r} has reviewed nothing")
    return [
        (item, review.evidence, review.ambiguous, review.note)
        for item in items
        if (review := reviews.get(item.id)) is not None
    ]


def record_answers(writer: LogWriter, answers: Iterable[Answer], faults: Sequence[str]) -> Imported:
    """Enters what a file says as reviews of an annotator; returns what that changed.

    Args:
        writer: The annotator's log.
        answers: What the file says.
        faults: What could not be read of it.
    """
    edits: dict[str, Edits] = {}
    found = list(faults)
    seen: dict[str, list[Evidence]] = {}
    for decision in writer.decisions:
        seen.setdefault(decision.item, []).extend(decision.evidence)
    for answer in answers:
        item = answer.item
        if item.id in edits:
            found.append(f"item {item.id!r} is there a second time")
            continue
        try:
            evidence = adopt(item, answer.boxes, seen.get(item.id, ()))
        except InputError as error:
            found.append(str(error))
            continue
        sha256 = item.item.image.sha256
        writer.append(item.id, sha256, "review", evidence, answer.ambiguous, answer.note)
        edits[item.id] = find_edits(item.proposed, evidence)
    return Imported(edits, tuple(found))


def adopt(
    item: WorkItem, boxes: Sequence[ForeignBox], seen: Iterable[Evidence] = ()
) -> tuple[Evidence, ...]:
    """Returns boxes of another tool as evidence of an item.

    Args:
        item: The item.
        boxes: What the other tool has.
        seen: All evidence that the annotator ever had for it, whose ids are not given again.

    Raises:
        InputError: If a box cannot be evidence.
    """
    proposals = {one.id: one for one in item.proposed}
    before = {one.id: one for one in seen}
    taken = {box.id for box in boxes if box.id in proposals}
    new = next_drawn(item, [*before.values(), *_placeholders(boxes)])
    adopted: list[Evidence] = []
    for box in boxes:
        if box.role not in ROLES:
            raise InputError(
                f"item {item.id!r}: a box is called {box.role!r}, which is neither "
                f"{' nor '.join(ROLES)}"
            )
        known = proposals.get(box.id) or before.get(box.id)
        name = box.id
        if known is None and not DRAWN_ID.fullmatch(name):
            known = next(
                (
                    one
                    for one in item.proposed
                    if one.id not in taken and is_same_box(one.bbox, box.bbox)
                ),
                None,
            )
            if known is not None:
                name = known.id
                taken.add(name)
            else:
                name = f"d{new}"
                new += 1
        label = box.label if box.label is not None else known.label if known else ""
        region = box.region if box.region is not None else known.region if known else None
        origin = known.origin if known else "drawn"
        role = ROLES[ROLES.index(box.role)]
        adopted.append(Evidence(name, role, label, box.bbox, origin, region))
    return settle(item, adopted)


def _placeholders(boxes: Sequence[ForeignBox]) -> list[Evidence]:
    """Returns evidence with the ids of the file, so that none of them is given to another box."""
    return [Evidence(box.id, "answer", "", box.bbox, "drawn") for box in boxes]


def without_unknown_region(item: WorkItem, box: ForeignBox) -> ForeignBox:
    """Returns a box without its region if the item has none of that name (any more)."""
    known = {region.id for region in item.item.regions}
    return box if box.region in known else replace(box, region=None)


def as_mapping(value: Any) -> Mapping[str, Any]:
    """Returns a JSON object, or an empty one in place of anything else."""
    return value if isinstance(value, Mapping) else {}
