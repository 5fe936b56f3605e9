"""Judging DRAGON's records from what stands in them."""

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from benchloom.builders.benchmark import Record
from benchloom.builders.dragon.plan import SPLITS
from benchloom.builders.dragon.sources.texts import is_plain
from benchloom.builders.dragon.work import EVIDENCE_ORIGINS, ROLES

VERIFIED_BY = {"consensus": 2, "majority": 3, "arbitrated": 3}
"""The ways to be verified, and how many people each takes at least."""
UNVERIFIED = (
    *("proposed", "one_reviewer", "disagreement", "ambiguous", "no_evidence"),
    *("changed_since_accepted", "changed_after_arbitration", "arbiters_disagree"),
)
SLACK = 1e-6
"""Pixels that floating-point numbers may make of nothing."""


def audit_record(record: Record, config: str) -> list[str]:
    """Returns what is wrong with a record, a sentence each."""
    return [
        *_question_faults(record, config),
        *_image_faults(record["image_ref"]),
        *_evidence_faults(record),
        *_review_faults(record["review"], len(record["evidence"])),
    ]


def audit_reviews(columns: Mapping[str, Any], split: str) -> list[str]:
    """Returns what is wrong with a split as a whole: ids, statuses, two sizes of one picture."""
    faults = [f"id {name} stands {n} times" for name, n in _repeated(columns["id"])]
    for name, review in zip(columns["id"], columns["review"], strict=True):
        if review["status"] != SPLITS.get(split):
            faults.append(f"{name} is {review['status']}, which has no place in this split")
    pictures: dict[tuple[str, str], dict[str, Any]] = {}
    for name, picture in zip(columns["id"], columns["image_ref"], strict=True):
        key = picture["split"], picture["file_name"]
        if pictures.setdefault(key, picture) != picture:
            faults.append(f"{name} refers to another {'/'.join(key)} than a record before it")
    return faults


def _question_faults(record: Record, config: str) -> Iterator[str]:
    picture = record["image_ref"]
    if record["source"] != config:
        yield f"its source is {record['source']}, not {config}"
    if record["id"] != f"{record['source']}-{picture['split']}-{record['question_id']}":
        yield "its id is not made of source, split and question id"
    for name in ("question", "answer", "question_id"):
        if not record[name].strip():
            yield f"its {name} is empty"
    if record["choices"] and record["answer"] not in record["choices"]:
        yield f"the answer {record['answer']!r} is none of the choices"
    for choice, n in _repeated(record["choices"]):
        yield f"the choice {choice!r} is given {n} times"


def _image_faults(picture: Mapping[str, Any]) -> Iterator[str]:
    for name in ("split", "file_name"):
        if not is_plain(picture[name]):
            yield f"its picture's {name} {picture[name]!r} can be no name of a file"
    if not re.fullmatch("[0-9a-f]{64}", picture["sha256"]):
        yield f"its picture's sha256 {picture['sha256']!r} is none"
    if not (picture["width"] > 0 and picture["height"] > 0):
        yield f"its picture has {picture['width']} × {picture['height']} pixels"


def _evidence_faults(record: Record) -> Iterator[str]:
    width, height = record["image_ref"]["width"], record["image_ref"]["height"]
    verified = record["review"]["status"] == "verified"
    for name, n in _repeated([one["id"] for one in record["evidence"]]):
        yield f"{n} boxes are called {name}"
    for one in record["evidence"]:
        name, box = one["id"], one["bbox"]
        if one["role"] not in ROLES:
            yield f"the role of {name} is {one['role']!r}"
        if one["origin"] not in EVIDENCE_ORIGINS:
            yield f"the origin of {name} is {one['origin']!r}"
        if len(box) != 4 or not all(map(math.isfinite, box)):
            yield f"the box {name} is {box}"
            continue
        x, y, w, h = box
        if min(x, y) < 0 or x + w > width + SLACK or y + h > height + SLACK:
            yield f"the box {name}, {box}, is not within the picture of {width} × {height}"
        # A source's line along an axis has no area; nobody would draw such a box.
        if min(w, h) < 0 or max(w, h) == 0 or (verified and min(w, h) == 0):
            yield f"the box {name}, {box}, has no area"


def _review_faults(review: Mapping[str, Any], boxes: int) -> Iterator[str]:
    status, reason, people = review["status"], review["reason"], review["annotators"]
    known = {"verified": tuple(VERIFIED_BY), "candidate": UNVERIFIED}
    if reason not in known.get(status, ()):
        yield f"its review is {status!r} for the reason {reason!r}"
    if repeated := _repeated(people):
        yield f"{repeated[0][0]} reviewed it {repeated[0][1]} times"
    if status != "verified":
        return
    if len(people) < VERIFIED_BY.get(reason, 1):
        yield f"{reason} of {len(people)} is none"
    if not boxes:
        yield "it is verified without a box"


def _repeated(names: list[str]) -> list[tuple[str, int]]:
    return [(name, n) for name, n in Counter(names).items() if n > 1]
