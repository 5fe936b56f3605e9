from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from dragon_review import PROPOSED, decide, drawn, write_review_work

from benchloom.builders.dragon.resolution import (
    Resolution,
    Resolved,
    is_same_evidence,
    match_evidence,
    resolve,
    resolve_logs,
)
from benchloom.builders.dragon.review_log import Marks, read_logs
from benchloom.builders.dragon.work import read_work

P1, P2 = PROPOSED
NAME = "chartqa-test-q1"
OTHER = drawn("d1", 250, 200, 50, 50)


@pytest.fixture
def work(tmp_path: Path) -> Path:
    return write_review_work(tmp_path, 2)


@pytest.fixture
def review(work: Path) -> Callable[..., None]:
    def enter(annotator: str, *evidence: Any, **fields: Any) -> None:
        decide(work, annotator, NAME, *evidence, **fields)

    return enter


def resolved(work: Path, match: float = 0.9) -> Resolved:
    return resolve(read_work(work), work, match).items[0]


def outcome(work: Path) -> tuple[str, str]:
    one = resolved(work)
    return one.status, one.reason


def test_what_nobody_looked_at_is_a_candidate(work: Path) -> None:
    one = resolved(work)
    assert (one.status, one.reason, one.annotators) == ("candidate", "proposed", ())
    assert one.evidence == PROPOSED
    assert one.selection is None


def test_one_reviewer_verifies_nothing(work: Path, review: Any) -> None:
    review("anna", P1)
    one = resolved(work)
    assert (one.status, one.reason, one.annotators) == ("candidate", "one_reviewer", ("anna",))
    assert one.evidence == (P1,)
    assert one.selection is None


def test_two_who_agree_verify(work: Path, review: Any) -> None:
    near = replace(OTHER, id="d4", label="other words", bbox=(251.0, 200.0, 50.0, 50.0))
    review("bob", P2, near)
    review("anna", OTHER, P2)
    one = resolved(work)
    assert (one.status, one.reason, one.annotators) == ("verified", "consensus", ("anna", "bob"))
    assert one.evidence == (OTHER, P2), "as the name that comes first has it"
    assert one.selection == (P2,)


@pytest.mark.parametrize(
    "other",
    [
        (P1,),
        (P1, P2, OTHER),
        (P1, replace(P2, role="answer")),
        (P1, replace(P2, bbox=(40.0, 5.0, 200.0, 20.0), origin="drawn")),
        (),
    ],
)
def test_any_difference_is_a_disagreement(work: Path, review: Any, other: Any) -> None:
    review("anna", P1, P2)
    review("bob", *other)
    one = resolved(work)
    assert (one.status, one.reason) == ("candidate", "disagreement")
    assert one.needs_arbiter
    both = [box for box in (P1, P2) if any(box == again for again in other)]
    assert list(one.evidence) == both


def test_match_is_an_option(work: Path, review: Any) -> None:
    review("anna", OTHER)
    review("bob", replace(OTHER, bbox=(260.0, 200.0, 50.0, 50.0)))  # 2/3
    assert resolved(work).status == "candidate"
    assert resolved(work, match=0.6).status == "verified"


def test_match_at_the_threshold_itself() -> None:
    one = [drawn("d1", 0, 0, 10, 10)]
    assert is_same_evidence(one, [drawn("d2", 0, 0, 10, 9)])
    assert not is_same_evidence(one, [drawn("d2", 0, 0, 10, 8.99)])


def test_most_pairs_are_matched() -> None:
    # a fits both x and y, b only x: taking x for a at first must be undone.
    a, b = drawn("d1", 0, 0, 100, 100), drawn("d2", 0, 0, 100, 91)
    x, y = drawn("d3", 0, 0, 100, 95), drawn("d4", 0, 0, 100, 104)
    assert match_evidence([a, b], [x, y]) == {"d1": "d4", "d2": "d3"}
    assert is_same_evidence([a, b], [x, y])


def test_majority_of_three(work: Path, review: Any) -> None:
    review("anna", P2)
    review("bob", P1)
    assert outcome(work) == ("candidate", "disagreement")
    review("carl", P1)
    one = resolved(work)
    assert (one.status, one.reason) == ("verified", "majority")
    assert one.evidence == (P1,)
    assert one.annotators == ("anna", "bob", "carl")
    review("dora", P2)
    assert outcome(work) == ("candidate", "disagreement"), "two against two"


def test_flag_goes_to_the_arbiter(work: Path, review: Any) -> None:
    review("anna", P1)
    review("bob", P1, ambiguous=True)
    review("carl", P1)
    assert outcome(work) == ("candidate", "ambiguous")
    assert resolved(work).needs_arbiter
    review("zoe", P1, kind="arbitration")
    one = resolved(work)
    assert (one.status, one.reason) == ("verified", "arbitrated")
    assert one.annotators == ("anna", "bob", "carl", "zoe")
    assert not one.needs_arbiter


def test_last_word_of_an_arbiter_counts(work: Path, review: Any) -> None:
    review("anna", P1)
    review("bob", P2)
    review("zoe", P1, kind="arbitration")
    assert resolved(work).evidence == (P1,)
    review("zoe", OTHER, kind="arbitration")
    assert resolved(work).evidence == (OTHER,)
    review("zoe", OTHER, kind="arbitration", ambiguous=True)
    assert outcome(work) == ("candidate", "ambiguous")
    assert not resolved(work).needs_arbiter


def test_arbiters_who_disagree(work: Path, review: Any) -> None:
    review("anna", P1)
    review("bob", P2)
    review("zoe", P1, kind="arbitration")
    review("yann", P2, kind="arbitration")
    found = resolve(read_work(work), work)
    one = found.items[0]
    assert (one.status, one.reason, one.arbitration) == ("candidate", "arbiters_disagree", None)
    assert one.needs_arbiter
    (line,) = found.set_aside
    assert line == f"{NAME}: the arbiters yann and zoe disagree, so that none counts"
    review("xena", P2, kind="arbitration")
    assert outcome(work) == ("verified", "arbitrated")
    assert resolved(work).annotators == ("anna", "bob", "xena", "yann")
    assert resolved(work).evidence == (P2,)


def test_arbitration_without_a_review_or_by_an_annotator_is_set_aside(
    work: Path, review: Any
) -> None:
    review("zoe", P1, kind="arbitration")
    assert outcome(work) == ("candidate", "proposed")
    (line,) = resolve(read_work(work), work).set_aside
    assert "zoe.jsonl" in line
    assert "before two people have reviewed" in line
    review("anna", P1)
    review("bob", P2)
    review("anna", P1, kind="arbitration")
    review("zoe", P1, P2)
    assert outcome(work) == ("candidate", "disagreement")
    lines = resolve(read_work(work), work).set_aside
    assert ["is by anna," in lines[0], "is by zoe," in lines[1]] == [True, True]
    assert all(line.endswith("somebody else has to arbitrate it") for line in lines)


def test_review_after_an_arbitration_reopens_the_item(work: Path, review: Any) -> None:
    review("anna", P1)
    review("bob", P2)
    review("zoe", OTHER, kind="arbitration")
    review("bob", P2)
    assert outcome(work) == ("verified", "arbitrated"), "accepted again, nothing changed"
    review("bob", P2, OTHER)
    one = resolved(work)
    assert (one.status, one.reason) == ("candidate", "changed_after_arbitration")
    assert one.needs_arbiter
    review("zoe", OTHER, kind="arbitration")
    assert outcome(work) == ("verified", "arbitrated")
    review("bob", P1)
    one = resolved(work)
    assert (one.status, one.reason, one.evidence) == ("verified", "consensus", (P1,))
    assert one.arbitration is None


def test_change_that_is_not_accepted_verifies_nothing(work: Path, review: Any) -> None:
    review("anna", P1)
    review("bob", P1)
    review("bob", P1, kind="review-draft", ambiguous=True)
    one = resolved(work)
    assert (one.status, one.reason) == ("candidate", "changed_since_accepted")
    assert not one.needs_arbiter
    review("bob", P1, kind="review-draft")
    assert outcome(work) == ("verified", "consensus"), "the change was undone"
    review("bob", P2, kind="review-draft")
    assert outcome(work) == ("candidate", "changed_since_accepted")
    review("bob", P2)
    assert outcome(work) == ("candidate", "disagreement")
    review("zoe", P2, kind="arbitration")
    review("zoe", P1, kind="arbitration-draft")
    assert outcome(work) == ("candidate", "changed_since_accepted")
    review("zoe", P1, kind="arbitration")
    assert outcome(work) == ("verified", "arbitrated")


def test_agreement_on_nothing_verifies_nothing(work: Path, review: Any) -> None:
    review("anna")
    review("bob")
    assert outcome(work) == ("candidate", "no_evidence")
    review("zoe", kind="arbitration")
    assert outcome(work) == ("candidate", "no_evidence")


def test_drafts_and_marks_count_for_nothing(work: Path, review: Any) -> None:
    review("anna", P1, kind="review-draft")
    review("bob", P1, kind="arbitration-draft")
    review("carl", P1, kind="marks", marks=Marks(True, True))
    assert outcome(work) == ("candidate", "proposed")


def test_later_review_replaces_the_earlier(work: Path, review: Any) -> None:
    review("anna", P1)
    review("bob", P2)
    review("bob", P1)
    assert outcome(work) == ("verified", "consensus")


@pytest.mark.parametrize(
    ("evidence", "fields", "words"),
    [
        ((P1,), {"image_sha256": "0" * 64}, "another picture"),
        ((drawn("d1", 390, 10, 20, 20),), {}, "d1, that is not within the picture"),
        ((drawn("d1", 10, 10, 0, 20),), {}, "d1, without width or height"),
        ((drawn("d1", -1, 10, 20, 20),), {}, "not within"),
    ],
)
def test_decision_that_cannot_count_is_set_aside(
    work: Path, review: Any, evidence: Any, fields: Any, words: str
) -> None:
    review("anna", P1)
    review("bob", *evidence, **fields)
    found = resolve(read_work(work), work)
    assert found.items[0].annotators == ("anna",)
    (line,) = found.set_aside
    assert words in line
    assert "bob.jsonl" in line
    assert NAME in line


def test_decision_about_no_item_and_torn_line_are_reported(work: Path) -> None:
    decide(work, "anna", "chartqa-test-gone", P1)
    with (work / "reviews" / "anna.jsonl").open("ab") as file:
        file.write(b'{"item": "chart')
    found: Resolution = resolve(read_work(work), work)
    assert ["cut short" in line for line in found.set_aside] == [True, False]
    assert "no item" in found.set_aside[1]


def test_counts_by_reason(work: Path, review: Any) -> None:
    review("anna", P1)
    review("bob", P1)
    counts = resolve(read_work(work), work).counts
    assert counts == {"verified: consensus": 1, "candidate: proposed": 1}


def test_an_arbiter_verifies_nothing_before_two_have_reviewed(work: Path, review: Any) -> None:
    review("anna", P1, ambiguous=True)
    assert not resolved(work).needs_arbiter
    review("zoe", P1, kind="arbitration")
    one = resolved(work)
    assert (one.status, one.reason, one.selection) == ("candidate", "ambiguous", None)
    (line,) = resolve(read_work(work), work).set_aside
    assert line.endswith("counts for nothing before two people have reviewed the item")
    review("bob", P2)
    assert outcome(work) == ("candidate", "changed_after_arbitration")
    review("zoe", P1, kind="arbitration")
    assert outcome(work) == ("verified", "arbitrated")


def test_any_two_of_a_side_agree_not_only_with_one_in_the_middle(work: Path, review: Any) -> None:
    """Boxes of 100 px, each 4 px on: IoU 96/104 beside one another, 92/108 of the outer two."""
    for name, x in (("anna", 10), ("bob", 14), ("cleo", 18)):
        review(name, drawn("d1", x, 10, 100, 100))
    assert resolved(work, 0.85).reason == "consensus"
    one = resolved(work)
    assert (one.status, one.reason) == ("verified", "majority")
    assert one.evidence == (drawn("d1", 10, 10, 100, 100),), "anna's and bob's"
    review("dora", drawn("d1", 22, 10, 100, 100))
    assert outcome(work) == ("candidate", "disagreement"), "two of four are no majority"


def test_same_boxes_in_other_roles_are_a_disagreement_and_labels_are_not(
    work: Path, review: Any
) -> None:
    review("anna", P1, P2)
    review("bob", replace(P1, role="support"), replace(P2, role="answer"))
    assert outcome(work) == ("candidate", "disagreement")
    review("bob", replace(P1, label="in other words"), P2)
    one = resolved(work)
    assert (one.status, one.evidence) == ("verified", (P1, P2))


def test_review_of_a_question_that_was_corrected_counts_for_nothing(
    work: Path, review: Any
) -> None:
    items = read_work(work).items
    for name in ("anna", "bob"):
        review(name, P1, asked=items[0].item.asked)
    assert outcome(work) == ("verified", "consensus")
    for change in ({"answer": "2"}, {"question": "Why?"}, {"choices": ("1", "2")}):
        changed = replace(items[0], item=replace(items[0].item, **change))
        found = resolve_logs([changed], read_logs(work))
        assert (found.items[0].status, found.items[0].reason) == ("candidate", "proposed")
        assert len(found.set_aside) == 2
        assert "when the question, its answer or its choices were others" in found.set_aside[0]
