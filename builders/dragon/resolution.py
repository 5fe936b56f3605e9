"""From what several people decided to evidence that counts as verified (appendix C.3)."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from benchloom.builders.dragon.review_log import Decision, Log, read_logs
from benchloom.builders.dragon.work import Evidence, Work, WorkItem
from benchloom.loaders.boxes import clip, iou

MATCH_IOU = 0.9
"""Two boxes are one from this intersection over union up."""
SLACK = 1e-9
Status = Literal["verified", "candidate"]
Reason = Literal[
    "consensus",  # all annotators, at least two, drew the same
    "majority",  # more than half of three or more did
    "arbitrated",  # an arbiter decided
    "proposed",  # nobody has looked at it
    "one_reviewer",
    "disagreement",
    "ambiguous",  # flagged by an annotator or by the arbiter
    "no_evidence",  # decided as above, but no box is left
]


@dataclass(frozen=True)
class Resolved:
    """What stands for an item at last.

    Attributes:
        item: The item.
        status: `verified`, or `candidate` if it is not.
        reason: Why.
        annotators: Whose reviews count, by name, then the arbiter.
        evidence: Of a verified item, what was verified. Of a candidate, the best there is: what all
            reviewers agree on, or what the only one decided, or the proposals.
        reviews: The reviews that count, by the annotators' names.
        arbitration: The arbiter's decision, if there is one.
    """

    item: WorkItem
    status: Status
    reason: Reason
    annotators: tuple[str, ...]
    evidence: tuple[Evidence, ...]
    reviews: tuple[Decision, ...] = ()
    arbitration: Decision | None = None

    @property
    def needs_arbiter(self) -> bool:
        """Whether two or more disagree, or somebody flagged it, and no arbiter has decided."""
        return self.arbitration is None and self.reason in ("disagreement", "ambiguous")

    @property
    def selection(self) -> tuple[Evidence, ...] | None:
        """The regions to be judged for CVR and CEA: the evidence without what was drawn by hand.

        A proposal whose box was refined is still a selected region. None while fewer than two have
        reviewed the item and no arbiter has decided.
        """
        if len(self.reviews) < 2 and self.arbitration is None:
            return None
        proposed = {one.id for one in self.item.proposed}
        return tuple(one for one in self.evidence if one.origin != "drawn" or one.id in proposed)


@dataclass(frozen=True)
class Resolution:
    """What stands for all items.

    Attributes:
        items: One for each item of the working folder, in its order.
        set_aside: A sentence for each decision that counts for nothing, and for each torn line.
    """

    items: tuple[Resolved, ...]
    set_aside: tuple[str, ...] = ()

    @property
    def counts(self) -> dict[str, int]:
        """How many items there are of each status and reason, `verified: consensus` and so on."""
        return dict(Counter(f"{one.status}: {one.reason}" for one in self.items))


def resolve(work: Work, folder: Path, match: float = MATCH_IOU) -> Resolution:
    """Returns what stands for each item after all reviews in a working folder.

    Args:
        work: Its items.
        folder: The working folder.
        match: Two boxes are the same from this intersection over union up, if their roles are.

    Raises:
        InputError: If a log cannot be used.
    """
    return resolve_logs(work.items, read_logs(folder), match)


def resolve_logs(
    items: Iterable[WorkItem], logs: Sequence[Log], match: float = MATCH_IOU
) -> Resolution:
    """Returns what stands for each item after what the logs hold; see `resolve`."""
    items = tuple(items)
    known = {item.id: item for item in items}
    set_aside = [
        f"{log.path}: the last line, {len(log.torn):,} bytes, was cut short by a crash"
        for log in logs
        if log.torn
    ]
    reviews: dict[str, list[Decision]] = {item.id: [] for item in items}
    arbitrations: dict[str, Decision] = {}
    for log in logs:
        for kind in ("review", "arbitration"):
            for decision in log.last(kind).values():
                if reason := find_fault(decision, known):
                    set_aside.append(f"{log.path}: the {kind} of {decision.item} {reason}")
                elif kind == "review":
                    reviews[decision.item].append(decision)
                elif decision.item not in arbitrations or (
                    decision.time > arbitrations[decision.item].time
                ):
                    arbitrations[decision.item] = decision
    resolved = (
        _resolve(item, reviews[item.id], arbitrations.get(item.id), match) for item in items
    )
    return Resolution(tuple(resolved), tuple(set_aside))


def find_fault(decision: Decision, items: Mapping[str, WorkItem]) -> str | None:
    """Returns why a decision cannot count, as the end of a sentence; None if it can."""
    item = items.get(decision.item)
    if item is None:
        return "is about no item of the working folder"
    image = item.item.image
    if decision.image_sha256 != image.sha256:
        return "was made on another picture than the item has now"
    for one in decision.evidence:
        inside = clip(one.bbox, image.width, image.height)
        if one.bbox[2] <= 0 or one.bbox[3] <= 0 or not _is_close(inside, one.bbox):
            return f"has a box, {one.id}, that is not within the picture"
    return None


def _is_close(one: Iterable[float], other: Iterable[float]) -> bool:
    """Tells whether two boxes differ by no more than their rounding."""
    return all(abs(a - b) <= 0.011 for a, b in zip(one, other, strict=True))


def _resolve(
    item: WorkItem, reviews: Sequence[Decision], arbitration: Decision | None, match: float
) -> Resolved:
    names = tuple(review.annotator for review in reviews)
    if arbitration is not None:
        arbiter = arbitration.annotator
        everyone = names if arbiter in names else (*names, arbiter)
        reason = _final("arbitrated", arbitration)
        return _resolved(item, reason, everyone, arbitration.evidence, reviews, arbitration)
    if not reviews:
        return _resolved(item, "proposed", (), item.proposed)
    if len(reviews) == 1:
        reason = "ambiguous" if reviews[0].ambiguous else "one_reviewer"
        return _resolved(item, reason, names, reviews[0].evidence, reviews)
    if any(review.ambiguous for review in reviews):
        return _resolved(item, "ambiguous", names, _agreed(reviews, match), reviews)
    sides = [
        [other for other in reviews if is_same_evidence(one.evidence, other.evidence, match)]
        for one in reviews
    ]
    side = max(sides, key=len)  # of equals, that of the name that comes first
    if 2 * len(side) <= len(reviews):
        return _resolved(item, "disagreement", names, _agreed(reviews, match), reviews)
    # All on one side drew the same; the ids, labels and hundredths are those of the first name.
    reason = _final("consensus" if len(side) == len(reviews) else "majority", side[0])
    return _resolved(item, reason, names, side[0].evidence, reviews)


def _final(reason: Reason, decision: Decision) -> Reason:
    if decision.ambiguous:
        return "ambiguous"
    return reason if decision.evidence else "no_evidence"


def _resolved(
    item: WorkItem,
    reason: Reason,
    annotators: tuple[str, ...],
    evidence: tuple[Evidence, ...],
    reviews: Sequence[Decision] = (),
    arbitration: Decision | None = None,
) -> Resolved:
    status: Status = (
        "verified" if reason in ("consensus", "majority", "arbitrated") else "candidate"
    )
    return Resolved(item, status, reason, annotators, evidence, tuple(reviews), arbitration)


def _agreed(reviews: Sequence[Decision], match: float) -> tuple[Evidence, ...]:
    """Returns the boxes that all reviewers have, as the one whose name comes first has them."""
    agreed = {one.id for one in reviews[0].evidence}
    for review in reviews[1:]:
        agreed &= set(match_evidence(reviews[0].evidence, review.evidence, match))
    return tuple(one for one in reviews[0].evidence if one.id in agreed)


def is_same_evidence(
    one: Sequence[Evidence], other: Sequence[Evidence], match: float = MATCH_IOU
) -> bool:
    """Tells whether each box of one list matches one of the other, and none is left over."""
    return len(one) == len(other) == len(match_evidence(one, other, match))


def match_evidence(
    one: Sequence[Evidence], other: Sequence[Evidence], match: float = MATCH_IOU
) -> dict[str, str]:
    """Returns the most pairs of equal boxes, ids of the first list to ids of the second.

    Boxes are equal if their roles are and their intersection over union is at least `match`; labels
    are free words and do not matter.
    """
    equals = {
        a.id: [b.id for b in other if a.role == b.role and iou(a.bbox, b.bbox) >= match - SLACK]
        for a in one
    }
    partner: dict[str, str] = {}  # of each id of the second list

    def place(name: str, seen: set[str]) -> bool:
        for candidate in equals[name]:
            if candidate in seen:
                continue
            seen.add(candidate)
            if candidate not in partner or place(partner[candidate], seen):
                partner[candidate] = name
                return True
        return False

    for name in equals:
        place(name, set())
    return {first: second for second, first in partner.items()}
