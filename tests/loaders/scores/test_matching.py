"""Predictions and references brought together."""

from pathlib import Path
from typing import Any

import pytest

from benchloom.builders.errors import InputError
from benchloom.loaders.scores.matching import match, prepare
from benchloom.loaders.scores.predictions import Predictions, as_predictions
from benchloom.loaders.scores.references import References, as_references, read_references

RECORDS: list[dict[str, Any]] = [
    {"id": name, "config": config, "answer": answer, "split": "test"}
    for name, config, answer in (
        *(("p1", "ham_path", "yes"), ("p2", "ham_path", "no")),
        *(("s1", "shortest_path", "3"), ("s2", "shortest_path", "1")),
    )
]


@pytest.fixture
def references() -> References:
    """Two records each of two tasks."""
    return as_references("vga", RECORDS)


def test_answers_come_in_the_order_of_the_records(references: References) -> None:
    given = as_predictions(
        {
            "a": {"s2": "1", "p1": "Yes", "s1": None, "p2": "\x1b[1m"},
            "b": {"p1": "No", "p2": "No", "s1": "4", "s2": "4"},
        }
    )
    kept, matched = match(given, references)
    assert kept is references
    assert matched.ids == ["p1", "p2", "s1", "s2"]
    assert matched.responses == {"a": ["Yes", "\x1b[1m", None, "1"], "b": ["No", "No", "4", "4"]}
    assert matched.missing == {"a": [False] * 4, "b": [False] * 4}
    assert matched.remarks == ()


def test_missing_and_unknown_ids_are_said(references: References) -> None:
    given = Predictions({"a": {"s2": "1", "x1": "No", "x\x1b": "No"}, "b": {"p1": "Yes"}}, ("so",))
    kept, matched = match(given, references)
    assert kept is references
    assert matched.responses == {"a": [None] * 3 + ["1"], "b": ["Yes"] + [None] * 3}
    assert matched.missing == {"a": [True] * 3 + [False], "b": [False] + [True] * 3}
    assert matched.remarks == (
        "so",
        "a: 2 ids unknown and not scored: x\\x1b, x1",
        "a: 3 records have no answer, which counts as wrong (--answered-only leaves such "
        "records out): 2 of 2 of ham_path/test, 1 of 2 of shortest_path/test",
        "b: 3 records have no answer, which counts as wrong (--answered-only leaves such "
        "records out): 1 of 2 of ham_path/test, 2 of 2 of shortest_path/test",
    )


def test_many_unknown_ids_are_counted_and_five_named(references: References) -> None:
    given = as_predictions({"p1": "Yes"} | {f"x{number}": "No" for number in range(1234)})
    _, matched = match(given, references)
    assert matched.remarks[0] == (
        "model: 1,234 ids unknown and not scored: x0, x1, x2, x3, x4 and 1,229 more"
    )


def test_only_what_all_answered_counts_when_asked_for(references: References) -> None:
    given = as_predictions({"a": {"p1": "Yes", "s2": None}, "b": {"s2": "1", "p2": "x", "s1": "y"}})
    kept, matched = match(given, references, answered_only=True)
    assert matched.ids == kept.ids() == ["s2"]
    assert matched.responses == {"a": [None], "b": ["1"]}
    assert matched.missing == {"a": [False], "b": [False]}
    assert kept.data["scored"] == {"shortest_path": {"test": 1}}
    assert references.data["scored"] == {"ham_path": {"test": 2}, "shortest_path": {"test": 2}}
    assert kept.table.to_pylist() == [references.table.to_pylist()[3]]
    assert matched.remarks == (
        "only the 1 of 4 records that every model answered count (--answered-only): accuracies "
        "may be better than on all",
    )
    with pytest.raises(InputError, match="no record was answered by every model; leave out"):
        match(as_predictions({"a": {"p1": ""}, "b": {"p2": ""}}), references, answered_only=True)
    everything = as_predictions(dict.fromkeys(references.ids(), ""))
    kept, matched = match(everything, references, answered_only=True)
    assert (kept, matched.remarks) == (references, ())


def test_predictions_of_another_config_are_refused(vga_build: Path) -> None:
    given = {f"ham_path-test-00000{number}": "yes" for number in range(3)}
    with pytest.raises(InputError) as caught:
        prepare("vga", given, vga_build, "hard_iso", "test")
    assert str(caught.value) == (
        "model answers none of the records of hard_iso/test: its ids are of ham_path/test; give "
        "--config ham_path --split test, or other predictions"
    )
    references, matched = prepare("vga", given, vga_build)
    assert references.data["scored"] == {"ham_path": {"test": 24}}
    assert sum(matched.missing["model"]) == 21
    given |= {"hard_iso-test-000001": "no"}
    references, matched = prepare("vga", given, vga_build, "hard_iso")
    assert references.data["scored"] == {"hard_iso": {"test": 24}}
    assert matched.responses["model"].count("no") == 1
    assert matched.remarks == (
        "model: 3 ids of ham_path/test, which is not scored: ham_path-test-000000, "
        "ham_path-test-000001, ham_path-test-000002",
        "model: 23 records have no answer, which counts as wrong (--answered-only leaves such "
        "records out): 23 of 24 of hard_iso/test",
    )


def test_predictions_of_no_record_are_refused(vga_build: Path, references: References) -> None:
    with pytest.raises(InputError) as caught:
        prepare("vga", {"good": {"p1": "yes"}, "bad": {"7": "yes"}}, references)
    assert str(caught.value) == (
        "bad answers none of the records of ham_path/test, shortest_path/test: its ids look like "
        "'7', those of the records like 'p1'; check that they belong together"
    )
    with pytest.raises(InputError) as caught:
        prepare("vga", {"7\x1b": "yes"}, vga_build, "chordless_cycle")
    assert str(caught.value) == (
        f"none of the ids is in {vga_build}: they look like '7\\x1b', its own like "
        "'easy_iso-train-000000'; check that they belong together"
    )
    with pytest.raises(InputError, match="answers none of the records of"):
        prepare("vga", {"7": "yes"}, read_references("vga", vga_build))


def test_ids_of_many_other_splits_are_one_remark(vga_build: Path) -> None:
    ids = as_references("vga", vga_build).ids()
    given = dict.fromkeys(ids, "yes")
    _, matched = prepare("vga", given, vga_build, "hard_iso", "test")
    (remark,) = matched.remarks
    assert remark.startswith(f"model: {len(ids) - 24} ids of ")
    assert "other splits, which are not scored: 24 of chordless_cycle/test, " in remark
    assert len(remark) < 250


def test_remarks_do_not_hang_on_the_order_of_the_rows(vga_build: Path) -> None:
    ids = [*as_references("vga", vga_build).ids(), *(f"x{k}" for k in range(20))]
    kept = [name for place, name in enumerate(ids) if place % 3]
    _, one = prepare("vga", dict.fromkeys(kept, "yes"), vga_build, "hard_iso")
    _, other = prepare("vga", dict.fromkeys(reversed(kept), "yes"), vga_build, "hard_iso")
    assert one == other
    assert len(one.remarks) == 3


def test_models_named_like_baselines_are_told_apart(references: References) -> None:
    answers = dict.fromkeys(references.ids(), "1")
    given = as_predictions({"(random guesses)": answers, " (x) ": answers, "model (x)": answers})
    _, matched = match(given, references)
    assert list(matched.responses) == ["model (random guesses)", "model model (x)", "model (x)"]
    assert list(matched.missing) == list(matched.responses)
    assert matched.remarks[0] == (
        "(random guesses) is called model (random guesses) here, because names in brackets are "
        "those of baselines"
    )


def test_what_is_said_of_several_models_is_said_once(references: References) -> None:
    given = as_predictions({name: {"p1": "yes", "x": ""} for name in "abc"})
    _, matched = match(given, references)
    assert [remark.partition(": ")[0] for remark in matched.remarks] == ["a, b, c", "a, b, c"]
