"""Models compared pair by pair: what is said, and when."""

import numpy as np
import pytest

from benchloom.builders.statistics import Interval, in_words
from benchloom.loaders.scores.comparison import CANNOT_TELL, comparison_table
from benchloom.loaders.scores.uncertainty import mcnemar, paired_bootstrap


def answers(n: int, *shares: float) -> dict[str, np.ndarray]:
    generator = np.random.default_rng(2)
    hard = generator.random(n)
    return {
        f"model {i}": (hard + 0.2 * generator.random(n) < share).astype(int)
        for i, share in enumerate(shares)
    }


def column(table: object, name: str) -> list[object]:
    place = table.head.index(name)  # type: ignore[attr-defined]
    return [row[place] for row in table.rows]  # type: ignore[attr-defined]


def test_each_pair_is_compared_once_in_order() -> None:
    correct = answers(300, 0.5, 0.6, 0.9)
    table = comparison_table(list(correct), correct, name="pairs", what="accuracy of all")
    assert table.name == "pairs"
    assert "accuracy of all" in table.title
    pairs = list(zip(column(table, "first"), column(table, "second"), strict=True))
    assert pairs == [("model 0", "model 1"), ("model 0", "model 2"), ("model 1", "model 2")]
    assert column(table, "records") == [300] * 3
    assert all(len(row) == len(table.head) for row in table.rows)


def test_two_models_have_mcnemars_p_and_the_bootstraps_interval() -> None:
    correct = answers(400, 0.5, 0.6)
    first, second = correct.values()
    (row,) = comparison_table(list(correct), correct).rows
    only = int((first > second).sum()), int((second > first).sum())
    assert row[5:7] == only
    assert row[7] == mcnemar(*only)
    difference, low, high = paired_bootstrap(first, second)
    assert row[3] == difference == pytest.approx((only[0] - only[1]) / 400)
    assert isinstance(row[4], Interval)
    assert row[4] == pytest.approx((low, high), abs=0.006)
    assert in_words(row[3]) == f"{100 * difference:+.1f}"


def test_better_is_said_of_the_better_one_whatever_the_order() -> None:
    correct = answers(400, 0.4, 0.8)
    for order in (["model 0", "model 1"], ["model 1", "model 0"]):
        (verdict,) = column(comparison_table(order, correct), "verdict")
        assert verdict == "model 1 is better"


def test_equal_models_cannot_be_told_apart() -> None:
    correct = answers(200, 0.5)
    correct["copy"] = correct["model 0"]
    (row,) = comparison_table(list(correct), correct).rows
    assert row[3:5] == (0, (0, 0))
    assert row[7:] == (1, CANNOT_TELL)


def test_models_that_are_alike_are_rarely_called_better() -> None:
    generator = np.random.default_rng(4)
    called = 0
    for _ in range(60):
        correct = {name: generator.integers(0, 2, 80) for name in "abcd"}
        called += any(
            v != CANNOT_TELL for v in column(comparison_table("abcd", correct), "verdict")
        )
    # At most 5% of families in the long run; without Holm's correction some 20%.
    assert called <= 6


def test_p_is_corrected_for_the_number_of_pairs() -> None:
    correct = answers(200, 0.5, 0.56)
    two = column(comparison_table(list(correct), correct), "p")[0]
    correct |= {f"same {i}": correct["model 0"] for i in range(4)}
    many = comparison_table(list(correct), correct)
    assert column(many, "p")[0] > two  # type: ignore[operator]
    assert "15 comparisons (Holm)" in many.note


def test_clusters_make_sure_of_less() -> None:
    correct = {name: np.repeat(of, 30) for name, of in answers(20, 0.4, 0.6).items()}
    alone = comparison_table(list(correct), correct)
    clustered = comparison_table(list(correct), correct, np.arange(600) // 30)
    assert column(alone, "verdict") == ["model 1 is better"]
    assert column(clustered, "verdict") == [CANNOT_TELL]
    assert "clusters of records" in clustered.note
    assert "McNemar" in alone.note
    assert "McNemar" not in clustered.note


def test_numbers_between_nought_and_one_are_compared_too() -> None:
    generator = np.random.default_rng(0)
    iou = {"a": generator.random(500), "b": generator.random(500) * 0.8}
    table = comparison_table(["a", "b"], iou, what="MP_IoU")
    assert "only first right" not in table.head
    assert column(table, "verdict") == ["a is better"]
    assert all(len(row) == len(table.head) for row in table.rows)


def test_one_model_is_not_compared() -> None:
    assert comparison_table(["a"], {"a": [1, 0]}).rows == []


def test_models_of_other_records_are_refused() -> None:
    with pytest.raises(ValueError, match="same records"):
        comparison_table(["a", "b"], {"a": [1, 0], "b": [1]})


def test_equal_answers_give_an_equal_table() -> None:
    correct = answers(100, 0.3, 0.5, 0.6)
    assert comparison_table(list(correct), correct) == comparison_table(list(correct), correct)
