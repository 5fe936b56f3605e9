"""Models compared pair by pair: what is said, and when."""

import numpy as np
import pytest

from benchloom.builders.statistics import Interval, in_words
from benchloom.loaders.scores.comparison import (
    ALL_PAIRS,
    CANNOT_TELL,
    INTERVAL,
    comparison_table,
)
from benchloom.loaders.scores.uncertainty import mcnemar, paired_bootstrap

# Of logistic curves about 0.8 and 0.3, averaged over a normal spread of 1.
TRUE_DIFFERENCE = 0.0984


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


def test_two_models_have_mcnemars_p_and_nearly_the_bootstraps_interval() -> None:
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
    # At most 5% of families in the long run; without a correction some 20%.
    assert called <= 6


def test_p_and_interval_allow_for_the_number_of_pairs() -> None:
    correct = answers(200, 0.5, 0.56)
    two = comparison_table(list(correct), correct)
    correct |= {f"same {i}": correct["model 0"] for i in range(4)}
    many = comparison_table(list(correct), correct)
    assert column(many, "p")[0] == min(1, 15 * column(two, "p")[0])  # type: ignore[operator]
    assert "15 comparisons (Bonferroni)" in many.note
    (low, high), (wider_low, wider_high) = column(two, INTERVAL)[0], column(many, ALL_PAIRS)[0]  # type: ignore[misc]
    assert wider_low < low < high < wider_high
    assert INTERVAL not in many.head


@pytest.mark.parametrize("kind", ["right or wrong", "clusters", "numbers"])
def test_an_interval_leaves_out_zero_where_one_is_better_and_only_there(kind: str) -> None:
    generator = np.random.default_rng(8)
    verdicts = []
    for _ in range(40):
        n = int(generator.integers(5, 120))
        better = generator.random((4, 1)) * 0.4 + 0.3
        correct = generator.random((4, n))
        if kind == "numbers":
            correct = np.minimum(1, correct * better * 2)
        else:
            correct = (correct < better).astype(float)
        clusters = np.arange(n) // 3 if kind == "clusters" else None
        for table in (
            comparison_table("abcd", dict(zip("abcd", correct, strict=True)), clusters),
            comparison_table("ab", dict(zip("ab", correct, strict=False)), clusters),
        ):
            place = table.head.index("95% interval" if len(table.rows) == 1 else ALL_PAIRS)
            for row in table.rows:
                low, high = row[place]
                assert -1 <= low <= row[3] <= high <= 1
                p = row[table.head.index("p")]
                assert (low > 0 or high < 0) == (p < 0.05) == (row[-1] != CANNOT_TELL)
                verdicts.append(row[-1] != CANNOT_TELL)
    assert 0.02 < np.mean(verdicts) < 0.9


def test_of_few_clusters_nothing_is_ruled_out() -> None:
    # Of five clusters even one choice of signs in sixteen is as far away.
    correct = {"a": np.ones(50), "b": np.zeros(50)}
    (row,) = comparison_table("ab", correct, np.arange(50) // 10).rows
    assert tuple(row[4]) == (-1, 1)
    assert row[-1] == CANNOT_TELL


def test_intervals_hold_the_difference_as_often_as_they_promise() -> None:
    generator = np.random.default_rng(3)
    held = 0
    for _ in range(200):
        question = generator.normal(0, 1, (30, 1)) + np.array([[0.8, 0.3]])
        sides = np.repeat(1 / (1 + np.exp(-question)), 10, axis=0)
        right = generator.random((300, 2)) < sides
        (row,) = comparison_table(
            "ab", {"a": right[:, 0], "b": right[:, 1]}, np.arange(300) // 10
        ).rows
        held += row[4][0] <= TRUE_DIFFERENCE <= row[4][1]
    assert held >= 0.905 * 200  # 95% less three standard errors


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
