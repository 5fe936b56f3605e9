"""Values of tables in words."""

import pytest

from benchloom.builders.statistics import (
    Beside,
    Interval,
    Points,
    Probability,
    Share,
    Table,
    in_words,
)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (Share(0.8241), "82.4%"),
        (Points(0.0241), "+2.4"),
        (Points(-0.1), "-10.0"),
        (Probability(0.0004), "<0.001"),
        (Probability(0.001), "0.001"),
        (Probability(0.0456), "0.046"),
        (Interval((Share(0.788), Share(0.855))), "78.8% to 85.5%"),
        (Interval((Points(-0.01), Points(0.2))), "-1.0 to +20.0"),
        (Interval((0.5, 12.25)), "0.50 to 12.2"),
        (Beside((1.0, None)), "1.00 / -"),
        (1234, "1,234"),
        (None, ""),
        (True, "yes"),
    ],
)
def test_values_are_worded_by_their_kind(value: object, words: str) -> None:
    assert in_words(value) == words


def test_columns_of_words_are_told_from_columns_of_numbers() -> None:
    rows = [("a", 1, None, "x"), ("b", None, Interval((0, 1)), None)]
    assert Table("t", "T", ("a", "b", "c", "d"), rows).numbers() == [False, True, True, False]
