"""Evidence to and from the files of other annotation tools.

| format | file | boxes | ids | what it holds |
|---|---|---|---|---|
| `label-studio` | JSON, a task for each item | percent | yes | proposals as predictions, reviews as annotations |
| `coco` | JSON, an image for each item | pixels | in `attributes` | the proposals, or one annotator's reviews |
| `voc` | a folder, an XML for each item | corners in pixels | no | the proposals, or one annotator's reviews |

A box that comes back without an id that is known, but is still that of a proposal, is that
proposal; so what was kept can be told from what was drawn, whatever the format loses.
"""  # noqa: E501

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchloom.builders.dragon.edits import (
    Edits,
    find_edits,
    is_drawn_id,
    is_same_box,
    name_imported,
    next_drawn,
    settle,
)
from benchloom.builders.dragon.exchange_owners import find_owners, find_twin, identities
from benchloom.builders.dragon.review_log import Decision, Log, LogWriter
from benchloom.builders.dragon.work import ROLES, Evidence, Work, WorkItem
from benchloom.builders.errors import InputError
from benchloom.loaders.boxes import Box, clip


@dataclass(frozen=True)
class Answer:
    """What a file of another tool says of one item.

    Attributes:
        item: The item.
        boxes: The boxes in it.
        ambiguous: Whether the item is flagged.
        note: What the annotator wrote.
        user: Who that is in the other tool, where the file tells.
        external: What tells which annotation of the other tool it is: digests by `identify`, with
            spaces between them. Annotations that share one are the same.
        remarks: What was taken otherwise than it was drawn, the ends of sentences.
    """

    item: WorkItem
    boxes: tuple["ForeignBox", ...]
    ambiguous: bool = False
    note: str = ""
    user: str = ""
    external: str = ""
    remarks: tuple[str, ...] = ()


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
        again: Items of which the log held the same review already; nothing was entered.
        remarks: A sentence for each box that was taken otherwise than it was drawn.
    """

    edits: Mapping[str, Edits]
    faults: tuple[str, ...]
    again: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


Export = Callable[[Sequence[WorkItem], Sequence[Log], str | None, Path, Mapping[str, str]], int]
Import = Callable[[Path, Sequence[WorkItem], str], tuple[list[Answer], list[str]]]


def name_pictures(work: Work) -> tuple[Path | None, dict[str, str]]:
    """Returns the folder that pictures are named from, and by item the path of its picture there.

    That is the folder of the source; of several sources the nearest folder that holds all of them.
    There is none, and a path leads nowhere, where no copy of a source is known.

    Args:
        work: The items that are exported, and the folders of the sources.
    """
    sources = dict.fromkeys(one.item.source for one in work.items)
    # One may be relative and another not; links are left as they are.
    folders = [os.path.abspath(work.folders[name]) for name in sources if name in work.folders]
    root = Path(os.path.commonpath(folders)) if folders else None
    names = {}
    for one in work.items:
        path = one.item.path
        if root is not None and one.item.source in work.folders:
            path = Path(os.path.relpath(path, root))
        names[one.id] = path.as_posix()
    return root, names


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


def record_answers(
    writer: LogWriter,
    answers: Iterable[Answer],
    faults: Sequence[str],
    logs: Sequence[Log] = (),
    independent: bool = False,
) -> Imported:
    """Enters what a file says as reviews of an annotator; returns what that changed.

    What is in the log already is not entered again. An annotation that stands under another name is
    left out: one person's review would count as that of two.

    Raises:
        InputError: If all that is new is, box by box, what another annotator has; nothing is
            entered then.

    Args:
        writer: The annotator's log.
        answers: What the file says.
        faults: What could not be read of it.
        logs: Those of all annotators.
        independent: Whether two annotators may have the same boxes all the same.
    """
    edits: dict[str, Edits] = {}
    again: list[str] = []
    remarks: list[str] = []
    flagged = {name for name, one in writer.log.last("review").items() if one.ambiguous}
    owners = find_owners(logs, writer.annotator)
    new: list[tuple[Answer, tuple[Evidence, ...]]] = []
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
        if held := [owners[name] for name in answer.external.split() if name in owners]:
            found.append(
                f"item {item.id!r}: this annotation is {held[0]}'s review already; entered as "
                f"{writer.annotator}'s, too, it would count as the review of two"
            )
            continue
        told = [*answer.remarks, *_find_cut(item, answer.boxes)]
        if item.id in flagged and not answer.ambiguous:
            told.append("it was flagged as ambiguous before, and is not in the file")
        remarks += [f"item {item.id!r}: {words}" for words in told]
        edits[item.id] = find_edits(item.proposed, evidence)
        if _is_entered(writer.decisions, answer, evidence):
            again.append(item.id)
        else:
            new.append((answer, evidence))
    twin = find_twin(
        [(answer.item.id, evidence, answer.ambiguous) for answer, evidence in new],
        logs,
        writer.annotator,
    )
    if twin is not None and not independent:
        raise InputError(
            f"what is new in the file is, box by box, what {twin} has: entered as "
            f"{writer.annotator}'s, too, one person's review would count as that of two; if two "
            "people did this, each on their own, add --independent"
        )
    for answer, evidence in new:
        of, says = answer.item, (evidence, answer.ambiguous, answer.note)
        writer.append(
            *(of.id, of.item.image.sha256, "review", *says),
            external=answer.external,
            asked=of.item.asked,
        )
    return Imported(edits, tuple(found), tuple(again), tuple(remarks))


def _find_cut(item: WorkItem, boxes: Iterable[ForeignBox]) -> list[str]:
    """Returns which boxes left the picture and were cut at its edge."""
    image = item.item.image
    return [
        f"the box {box.id or place} ({', '.join(f'{number:g}' for number in box.bbox)}) left the "
        f"picture of {image.width}×{image.height} pixels and was cut at its edge"
        for place, box in enumerate(boxes, 1)
        if not is_same_box(clip(box.bbox, image.width, image.height), box.bbox)
    ]


def _is_entered(
    decisions: Sequence[Decision], answer: Answer, evidence: tuple[Evidence, ...]
) -> bool:
    """Tells whether a log holds an answer: this very annotation, or what it says as the last."""
    sha256, asked = answer.item.item.image.sha256, answer.item.item.asked
    boxes = _unnamed(answer.item, evidence)
    entries = [
        one
        for one in decisions
        if one.item == answer.item.id and one.kind in ("review", "review-draft")
    ]
    same = [
        (one.image_sha256, _unnamed(answer.item, one.evidence), one.ambiguous, one.note)
        == (sha256, boxes, answer.ambiguous, answer.note)
        and one.asked in ("", asked)
        for one in entries
    ]
    if same and same[-1] and any(one.kind == "review" for one in entries):
        return True
    told = set(answer.external.split())
    return any(
        says_it and one.kind == "review" and not told.isdisjoint(identities(one))
        for one, says_it in zip(entries, same, strict=True)
    )


def _unnamed(item: WorkItem, evidence: Iterable[Evidence]) -> list[Evidence]:
    """Returns evidence without the ids of what was drawn: the same box gets another each time."""
    proposed = {one.id for one in item.proposed}
    return [one if one.id in proposed else replace(one, id="") for one in evidence]


def adopt(
    item: WorkItem, boxes: Sequence[ForeignBox], seen: Iterable[Evidence] = ()
) -> tuple[Evidence, ...]:
    """Returns boxes of another tool as evidence of an item.

    A box that was added there is called after its id there, so that it is the same one when the
    file, edited or not, is imported again.

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
    used = {box.id for box in boxes}
    for box in boxes:
        if box.role not in ROLES:
            raise InputError(
                f"item {item.id!r}: a box is called {box.role!r}, which is neither "
                f"{' nor '.join(ROLES)}"
            )
        name = box.id
        known = proposals.get(name) or before.get(name)
        if known is None and (imported := name_imported(name)) not in used:
            known = before.get(imported)
        if known is not None:
            name = known.id
        if known is None and not is_drawn_id(name):
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
                name = name_imported(name) if name else ""
                if not name or name in used:
                    name = f"d{new}"
                    new += 1
        used.add(name)
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


def check_question(item: WorkItem, told: Mapping[str, Any]) -> None:
    """Refuses what was drawn when an item had another question or answer.

    Args:
        item: The item as it is now.
        told: What a file says of it, perhaps with `question` and `answer`.

    Raises:
        InputError: If they differ.
    """
    of = item.item
    if (told.get("question", of.question), told.get("answer", of.answer)) != (
        of.question,
        of.answer,
    ):
        raise InputError(f"it is about another question or answer than {item.id} has now")


def is_turned(degrees: Any) -> bool:
    """Tells whether a rotation turns a box; one by a whole turn, or none that is told, does not.

    Raises:
        ValueError: If it is no number, or TypeError.
    """
    return float(degrees or 0) % 360 != 0


def as_mapping(value: Any) -> Mapping[str, Any]:
    """Returns a JSON object, or an empty one in place of anything else."""
    return value if isinstance(value, Mapping) else {}
