"""From what several people decided to evidence that counts as verified (appendix C.3).

Two people at least review an item, each on their own; until then nothing verifies it, not even an
arbiter. Evidence is verified when

- all of them agree (`consensus`), or more than half of three or more (`majority`): any two of those
  who agree, not only each with one in the middle; or
- an arbiter, who is none of them, has decided what they disagree about or flagged (`arbitrated`).

Two agree when each box of the one is a box of the other: of the same role, with an intersection
over union of at least 0.9, unless told otherwise. The same boxes in other roles are a disagreement.
Labels are free words, of which two people seldom choose the same, and may differ: those of the
person whose name comes first are kept.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from benchloom.builders.dragon.edits import needs_redraw
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
    "arbitrated",  # an arbiter who is none of the annotators, at least two, decided
    "proposed",  # nobody has looked at it
    "one_reviewer",
    "disagreement",
    "ambiguous",  # flagged by an annotator or by the arbiter
    "no_evidence",  # decided as above, but no box is left
    "changed_since_accepted",  # and the change is not accepted yet
    "changed_after_arbitration",  # a review was; the arbiter has to decide again
    "arbiters_disagree",
]
FOR_ARBITERS: tuple[Reason, ...] = (
    *("disagreement", "ambiguous", "changed_after_arbitration", "arbiters_disagree"),
)


@dataclass(frozen=True)
class Resolved:
    """What stands for an item at last.

    Attributes:
        item: The item.
        status: `verified`, or `candidate` if it is not.
        reason: Why.
        annotators: Whose reviews count, by name, then the arbiters.
        evidence: Of a verified item, what was verified. Of a candidate, the best there is: what all
            reviewers agree on, or what the only one decided, or the proposals but for guesses that
            have to be drawn anew.
        reviews: The reviews that count, by the annotators' names.
        arbitration: The arbiter's decision, if there is one that counts.
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
        """Whether two or more disagree, or one of them flagged it, and no arbiter's word stands."""
        return self.arbitration is None and self.reason in FOR_ARBITERS and len(self.reviews) > 1

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


@dataclass
class _Decided:
    """What was decided about an item.

    Attributes:
        reviews: By the annotators' names.
        arbitrations: By the arbiters' names, none of them an annotator or older than `reviewed`.
        reviewed: When a review last came to say something else.
        stale: Whether there is an arbitration that is older than that.
        drafted: When what was accepted was last changed without accepting the change.
    """

    reviews: list[Decision] = field(default_factory=list)
    arbitrations: list[Decision] = field(default_factory=list)
    reviewed: str = ""
    stale: bool = False
    drafted: str = ""


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
    decided = {item.id: _Decided() for item in items}
    for log in logs:
        since, drafts = log.since("review"), log.changed("review")
        for name, review in log.last("review").items():
            if reason := find_fault(review, known):
                set_aside.append(f"{log.path}: the review of {name} {reason}")
                continue
            of = decided[name]
            of.reviews.append(review)
            of.reviewed = max(of.reviewed, since[name])
            of.drafted = max(of.drafted, drafts[name].time if name in drafts else "")
    for log in logs:
        drafts = log.changed("arbitration")
        for name, arbitration in log.last("arbitration").items():
            of = decided.get(name, _Decided())
            reason = find_fault(arbitration, known) or find_arbiter_fault(log.annotator, of.reviews)
            if reason:
                set_aside.append(f"{log.path}: the arbitration of {name} {reason}")
                continue
            if arbitration.time < of.reviewed:
                of.stale = True
                continue
            of.arbitrations.append(arbitration)
            of.drafted = max(of.drafted, drafts[name].time if name in drafts else "")
    resolved = tuple(_resolve(item, decided[item.id], match) for item in items)
    for one in resolved:
        if one.reason == "arbiters_disagree":
            name = one.item.id
            arbiters = " and ".join(of.annotator for of in decided[name].arbitrations)
            set_aside.append(f"{name}: the arbiters {arbiters} disagree, so that none counts")
    return Resolution(resolved, tuple(set_aside))


def find_arbiter_fault(arbiter: str, reviews: Iterable[Decision]) -> str | None:
    """Returns why somebody's arbitration of an item cannot count, as the end of a sentence."""
    names = [review.annotator for review in reviews]
    if arbiter in names:
        return f"is by {arbiter}, who reviewed the item; somebody else has to arbitrate it"
    if len(names) < 2:
        return "counts for nothing before two people have reviewed the item"
    return None


def find_fault(decision: Decision, items: Mapping[str, WorkItem]) -> str | None:
    """Returns why a decision cannot count, as the end of a sentence; None if it can."""
    item = items.get(decision.item)
    if item is None:
        return "is about no item of the working folder"
    image = item.item.image
    if decision.image_sha256 != image.sha256:
        return "was made on another picture than the item has now"
    if not is_about(decision, item):
        return "was made when the question, its answer or its choices were others; decide anew"
    for one in decision.evidence:
        inside = clip(one.bbox, image.width, image.height)
        if not (one.bbox[2] > 0 and one.bbox[3] > 0):
            return f"has a box, {one.id}, without width or height; it has to be drawn anew"
        if not _is_close(inside, one.bbox):
            return f"has a box, {one.id}, that is not within the picture"
    return None


def is_about(decision: Decision, item: WorkItem) -> bool:
    """Tells whether a decision was made on the picture and the question that an item has now."""
    same = decision.image_sha256 == item.item.image.sha256
    return same and decision.asked in ("", item.item.asked)


def _is_close(one: Iterable[float], other: Iterable[float]) -> bool:
    """Tells whether two boxes differ by no more than their rounding."""
    return all(abs(a - b) <= 0.011 for a, b in zip(one, other, strict=True))


def _resolve(item: WorkItem, of: _Decided, match: float) -> Resolved:
    reviewed = _resolve_reviews(item, of.reviews, match)
    if of.drafted > max((one.time for one in of.arbitrations), default=""):
        return replace(reviewed, status="candidate", reason="changed_since_accepted")
    if of.arbitrations:
        side = _largest_side(of.arbitrations, match)
        if 2 * len(side) <= len(of.arbitrations):
            return replace(reviewed, status="candidate", reason="arbiters_disagree")
        first = min(side, key=lambda one: one.time)
        everyone = (*reviewed.annotators, *(one.annotator for one in side))
        reason = _final("arbitrated", first)
        return _resolved(item, reason, everyone, first.evidence, of.reviews, first)
    if of.stale and reviewed.reason not in ("consensus", "no_evidence"):
        return replace(reviewed, status="candidate", reason="changed_after_arbitration")
    return reviewed


def _resolve_reviews(item: WorkItem, reviews: Sequence[Decision], match: float) -> Resolved:
    names = tuple(review.annotator for review in reviews)
    if not reviews:
        known = tuple(one for one in item.proposed if not needs_redraw(item, one))
        return _resolved(item, "proposed", (), known)
    if len(reviews) == 1:
        reason: Reason = "ambiguous" if reviews[0].ambiguous else "one_reviewer"
        return _resolved(item, reason, names, reviews[0].evidence, reviews)
    if any(review.ambiguous for review in reviews):
        return _resolved(item, "ambiguous", names, _agreed(reviews, match), reviews)
    side = _largest_side(reviews, match)
    if 2 * len(side) <= len(reviews):
        return _resolved(item, "disagreement", names, _agreed(reviews, match), reviews)
    # All on one side drew the same; the ids, labels and hundredths are those of the first name.
    reason = _final("consensus" if len(side) == len(reviews) else "majority", side[0])
    return _resolved(item, reason, names, side[0].evidence, reviews)


def _largest_side(decisions: Sequence[Decision], match: float) -> list[Decision]:
    """Returns the most decisions of which any two are the same; of equals, the first names'."""
    best: list[Decision] = []

    def extend(side: list[Decision], others: Sequence[Decision]) -> None:
        nonlocal best
        if len(side) > len(best):
            best = side
        for place, one in enumerate(others):
            if len(side) + len(others) - place > len(best):
                extend([*side, one], [two for two in others[place + 1 :] if agree(one, two)])

    def agree(one: Decision, other: Decision) -> bool:
        return one.ambiguous == other.ambiguous and is_same_evidence(
            one.evidence, other.evidence, match
        )

    extend([], decisions)
    return best


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
