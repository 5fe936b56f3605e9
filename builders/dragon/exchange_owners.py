"""Whose an annotation of another tool is: one person's review must not count as that of two."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from typing import Any

from benchloom.builders.dragon.edits import is_same_box
from benchloom.builders.dragon.review_log import Decision, Log
from benchloom.builders.dragon.work import Evidence


def identify(item: str, user: str, time: str, *more: Any) -> str:
    """Returns what tells an annotation from all others, a digest; empty if nothing tells it.

    Args:
        item: What it is about.
        user: Who made it.
        time: When it was made.
        more: What else the other tool tells of it.
    """
    if not time and not any(more):
        return ""
    told = json.dumps([item, user, time, *more], default=str)
    return hashlib.blake2b(told.encode(), digest_size=16).hexdigest()


def identities(decision: Decision) -> set[str]:
    """Returns all that tells the annotation that a review was made from, or was exported as."""
    own = identify(decision.item, decision.annotator, decision.time)
    return {*decision.external.split(), own}


def find_owners(logs: Iterable[Log], annotator: str) -> dict[str, str]:
    """Returns by what tells an annotation whose review it is, of all but one annotator."""
    return {
        name: log.annotator
        for log in logs
        if log.annotator != annotator
        for one in log.decisions
        if one.kind == "review"
        for name in identities(one)
    }


def find_twin(
    answers: Sequence[tuple[str, Sequence[Evidence], bool]],
    logs: Iterable[Log],
    annotator: str,
) -> str | None:
    """Returns the other annotator who has reviewed all of some items exactly so; None if none has.

    Two people who draw on their own differ by more than 0.01 px somewhere.

    Args:
        answers: Ids of items with the evidence that is to be entered, and whether they are flagged.
        logs: Those of all annotators.
        annotator: Whose reviews they are to be.
    """
    for log in logs:
        if log.annotator == annotator:
            continue
        entered: dict[str, list[Decision]] = {}
        for one in log.decisions:
            if one.kind == "review":
                entered.setdefault(one.item, []).append(one)
        if answers and all(
            any(
                one.ambiguous == ambiguous and _is_same(one.evidence, evidence)
                for one in entered.get(item, ())
            )
            for item, evidence, ambiguous in answers
        ):
            return log.annotator
    return None


def _is_same(one: Sequence[Evidence], other: Sequence[Evidence]) -> bool:
    """Tells whether two lists hold the same boxes in equal roles; formats lose ids and labels."""
    left = list(other)
    for box in one:
        for place, of in enumerate(left):
            if box.role == of.role and is_same_box(box.bbox, of.bbox):
                del left[place]
                break
        else:
            return False
    return not left
