from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from dragon_review import PROPOSED, drawn, write_review_work

from benchloom.builders.dragon.agreement import (
    Agreement,
    AgreementTable,
    bootstrap_kappa,
    cohen_kappa,
    measure_agreement,
    wilson_interval,
)
from benchloom.builders.dragon.review_log import Decision, Log, Marks
from benchloom.builders.dragon.work import WorkItem, read_work

YES, NO = True, False
P1, P2 = PROPOSED


def repeat(*parts: tuple[int, bool, bool]) -> list[tuple[bool, bool]]:
    return [(one, other) for times, one, other in parts for _ in range(times)]


@pytest.mark.parametrize(
    ("pairs", "kappa"),
    [
        # 50 of 100: 20 yes-yes, 5 yes-no, 10 no-yes, 15 no-no: (0.7 - 0.5) / 0.5.
        (repeat((20, YES, YES), (5, YES, NO), (10, NO, YES), (15, NO, NO)), 0.4),
        # 45, 15, 25, 15 of 100: 0.6 agreed, 0.54 by chance.
        (repeat((45, YES, YES), (15, YES, NO), (25, NO, YES), (15, NO, NO)), 0.06 / 0.46),
        (repeat((3, YES, YES), (2, NO, NO)), 1.0),
        (repeat((2, YES, NO), (2, NO, YES)), -1.0),
        (repeat((4, YES, YES), (1, YES, NO)), 0.0),
        (repeat((3, YES, NO)), 0.0),
        (repeat((5, YES, YES)), None),
        (repeat((5, NO, NO)), None),
        ([], None),
    ],
)
def test_kappa(pairs: list[tuple[bool, bool]], kappa: float | None) -> None:
    found = cohen_kappa(pairs)
    assert found == (None if kappa is None else pytest.approx(kappa, abs=1e-12))


def test_wilson_interval() -> None:
    # The bounds solve |p - hits / n| = z sqrt(p (1 - p) / n).
    for hits, n in ((87, 100), (1, 3), (5, 9)):
        interval = wilson_interval(hits, n)
        assert interval is not None
        for bound in interval:
            p = bound / 100
            assert (p - hits / n) ** 2 == pytest.approx(1.959963984540054**2 * p * (1 - p) / n)
    assert wilson_interval(0, 5) == (0.0, pytest.approx(43.4482, abs=1e-4))
    assert wilson_interval(5, 5) == (pytest.approx(56.5518, abs=1e-4), 100.0)
    assert wilson_interval(0, 0) is None


def test_bootstrap_surrounds_kappa_and_is_the_same_again() -> None:
    pairs = repeat((45, YES, YES), (5, YES, NO), (8, NO, YES), (42, NO, NO))
    kappa = cohen_kappa(pairs)
    items = [[pair] for pair in pairs]
    interval, undefined = bootstrap_kappa(items, "chartqa", "CVR")
    assert interval is not None
    assert kappa is not None
    low, high = interval
    assert low < kappa < high
    assert 0.15 < high - low < 0.4  # about four standard errors of 0.067
    assert undefined == 0
    assert bootstrap_kappa(items, "chartqa", "CVR") == (interval, undefined)
    assert bootstrap_kappa(items, "chartqa", "CEA")[0] != interval


def test_samples_without_a_kappa_are_counted() -> None:
    two = [[(YES, YES)], [(NO, NO)]]
    interval, undefined = bootstrap_kappa(two, "chartqa", "CVR")
    assert interval is None
    assert 0.4 < undefined < 0.6
    assert bootstrap_kappa(two * 10, "chartqa", "CVR")[0] is None, "all samples have a kappa of 1"
    mixed = [*two, [(YES, NO)], [(NO, YES)]]
    assert bootstrap_kappa(mixed, "chartqa", "CVR")[0] is None
    assert bootstrap_kappa([*mixed, [(YES, YES)]], "chartqa", "CVR")[0] is not None
    assert bootstrap_kappa([[(YES, YES)]], "chartqa", "CVR") == (None, 1.0)


@pytest.fixture
def items(tmp_path: Path) -> tuple[WorkItem, ...]:
    return read_work(write_review_work(tmp_path, 3)).items


def log(items: Any, annotator: str, marks: dict[int, str], *evidence: Any) -> Log:
    """Marks by item: `yn` is CVR yes and CEA no."""
    decisions = [
        Decision(
            *(items[number].id, items[number].item.image.sha256, annotator, "2026", "marks"),
            *(evidence or PROPOSED, False, "", Marks(of[0] == "y", of[1] == "y")),
        )
        for number, of in marks.items()
    ]
    return Log(annotator, Path(f"{annotator}.jsonl"), tuple(decisions))


def rows(table: AgreementTable) -> dict[str, Agreement]:
    return {row.criterion: row for row in table.rows}


def test_marks_of_two(items: Any) -> None:
    anna = log(items, "anna", {0: "yy", 1: "ny", 2: "nn"})
    bob = log(items, "bob", {0: "yy", 1: "ny", 2: "yn"})
    found = measure_agreement(items, (anna, bob))
    assert not found.set_aside
    cvr, cea = rows(found)["CVR"], rows(found)["CEA"]
    assert (cvr.source, cvr.annotators, cvr.items, cvr.pairs) == ("chartqa", ("anna", "bob"), 3, 3)
    assert cvr.percent == pytest.approx(200 / 3)
    assert cvr.kappa == pytest.approx(0.4)
    assert (cea.percent, cea.kappa) == (100.0, 1.0)
    assert cvr.to_json()["paper_percent"] == 87.0
    assert cvr.to_json()["paper_kappa"] == 0.658


def test_undefined_kappa_is_null(items: Any) -> None:
    found = measure_agreement(items, [log(items, n, {0: "yy", 1: "yn"}) for n in ("anna", "bob")])
    cvr = rows(found)["CVR"]
    assert (cvr.percent, cvr.kappa, cvr.kappa_interval) == (100.0, None, None)
    assert cvr.to_json()["kappa"] is None


def test_marks_of_one_say_nothing(items: Any) -> None:
    found = measure_agreement(items, (log(items, "anna", {0: "yy"}), log(items, "bob", {1: "yy"})))
    assert found.rows == ()
    assert measure_agreement(items, ()).rows == ()


def test_three_annotators_are_three_pairs(items: Any) -> None:
    logs = [log(items, name, {0: of}) for name, of in (("a", "yy"), ("b", "yn"), ("c", "ny"))]
    cvr = rows(measure_agreement(items, logs))["CVR"]
    assert (cvr.items, cvr.pairs) == (1, 3)
    assert cvr.percent == pytest.approx(100 / 3)
    # One item, of which a third agrees: as little as that tells.
    assert cvr.percent_interval == wilson_interval(1 / 3, 1)
    low, high = cvr.percent_interval
    assert high - low > 75


def test_marks_of_different_boxes_are_not_compared(items: Any) -> None:
    anna = log(items, "anna", {0: "yy"}, P1)
    for other in ((P1, P2), (drawn("p1", 1, 1, 5, 5),), (P2,)):
        bob = log(items, "bob", {0: "yy"}, *other)
        found = measure_agreement(items, (anna, bob))
        assert found.rows == ()
        assert "marked different boxes" in found.set_aside[0]


def test_marks_of_another_picture_are_set_aside(items: Any) -> None:
    anna, bob = (log(items, name, {0: "yy", 1: "nn"}) for name in ("anna", "bob"))
    first = bob.decisions[0]
    other = Decision(first.item, "0" * 64, *list(vars(first).values())[2:])
    found = measure_agreement(items, (anna, Log("bob", bob.path, (other, bob.decisions[1]))))
    assert rows(found)["CVR"].items == 1
    assert "another picture" in found.set_aside[0]


def test_marks_of_no_box_are_set_aside(items: Any) -> None:
    anna, bob = (log(items, name, {0: "yy", 1: "nn"}) for name in ("anna", "bob"))
    empty = [Log(one.annotator, one.path, emptied(one)) for one in (anna, bob)]
    found = measure_agreement(items, empty)
    assert rows(found)["CVR"].items == 1
    assert [line.split(": ")[0] for line in found.set_aside] == ["anna.jsonl", "bob.jsonl"]
    assert found.set_aside[0].endswith("q1 judge no box at all")


def emptied(log: Log) -> tuple[Decision, ...]:
    first, *others = log.decisions
    return (replace(first, evidence=()), *others)


def test_interval_of_two_is_that_of_their_pairs(items: Any) -> None:
    logs = [
        log(items, name, of) for name, of in (("a", {0: "yy", 1: "yn"}), ("b", {0: "yy", 1: "nn"}))
    ]
    assert rows(measure_agreement(items, logs))["CVR"].percent_interval == wilson_interval(1, 2)


def test_marks_of_reviews_that_were_changed_are_set_aside(items: Any) -> None:
    def reviewed(annotator: str, *evidence: Any) -> Log:
        decisions = [
            Decision(one.id, one.item.image.sha256, annotator, "2026", "review", evidence)
            for one in items
        ]
        return Log(annotator, Path(f"{annotator}.jsonl"), tuple(decisions))

    anna, bob = (log(items, name, {0: "yy", 1: "nn"}) for name in ("anna", "bob"))
    for now, aside in (
        (PROPOSED, 0),
        ((P1,), 4),
        ((replace(P1, bbox=(41.0, *P1.bbox[1:])), P2), 4),
    ):
        logs = [anna, bob, reviewed("carl", *now), reviewed("dora", *now)]
        found = measure_agreement(items, logs)
        assert len(found.set_aside) == aside
        assert all("changed since; mark it again" in line for line in found.set_aside)
        assert bool(found.rows) == (aside == 0)
