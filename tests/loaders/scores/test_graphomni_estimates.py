"""Means over combinations, and intervals over records of which many ask the same question."""

import math
import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t

from benchloom.loaders.scores.graphomni_estimates import (
    MeanMargin,
    accuracy,
    combined,
    mean_margin,
    means,
)
from benchloom.loaders.scores.graphomni_sheet import Factor
from benchloom.loaders.scores.uncertainty import wilson


def flags(*values):
    return np.array(values, bool)


def test_records_that_each_ask_a_question_of_their_own_have_wilsons_interval():
    right = flags(*[1] * 30, *[0] * 10)
    found = accuracy(right, np.arange(40))
    assert (found.right, found.records, found.effective) == (30, 40, 40)
    assert found.share == 0.75
    assert tuple(found.clustered) == tuple(found.wilson) == wilson(30, 40)


def test_forms_that_go_together_tell_no_more_than_their_questions():
    right = np.repeat(flags(1, 1, 0, 1, 0, 1, 1, 1, 0, 1, 1), 63)
    found = accuracy(right, np.repeat(np.arange(11), 63))
    assert found.records == 693
    assert found.effective in (10, 11)
    assert found.clustered[0] < found.wilson[0]
    assert found.clustered[1] > found.wilson[1]


def test_forms_that_are_independent_tell_as_much_as_records():
    random = np.random.default_rng(5)
    right = random.random(63 * 400) < 0.6
    found = accuracy(right, np.repeat(np.arange(400), 63))
    assert found.effective > 0.8 * found.records


@pytest.mark.parametrize("value", [0, 1])
def test_where_nothing_varies_each_question_counts_once(value):
    found = accuracy(flags(*[value] * 126), np.repeat([0, 1], 63))
    assert found.effective == 2
    assert tuple(found.clustered) == wilson(2 * value, 2)


def test_the_effective_number_is_the_ratio_of_the_two_variances():
    # Four questions of three forms: 3, 2, 1 and 0 right.
    right = flags(1, 1, 1, 1, 1, 0, 1, 0, 0, 0, 0, 0)
    spread = statistics.variance([1, 2 / 3, 1 / 3, 0]) / 4
    assert accuracy(right, np.repeat(np.arange(4), 3)).effective == int(0.25 / spread)


@given(st.lists(st.tuples(st.integers(0, 5), st.booleans()), min_size=1, max_size=60))
def test_the_interval_holds_the_accuracy_and_the_order_does_not_matter(records):
    clusters = np.array([cluster for cluster, _ in records])
    right = flags(*(one for _, one in records))
    found = accuracy(right, clusters)
    assert 1 <= found.effective <= found.records
    half = 0.5 / found.effective  # the effective number of right answers is a whole one
    assert found.clustered[0] - half <= found.share <= found.clustered[1] + half
    assert found.wilson[0] <= found.share <= found.wilson[1]
    again = np.argsort(clusters, kind="stable")[::-1]
    assert accuracy(right[again], clusters[again]) == found


def test_means_of_combinations_count_the_same_whatever_their_size():
    one = Factor(("a", "b"), np.array([0, 0, 0, 1, 1, 0]))
    other = Factor(("x", "y"), np.array([0, 0, 0, 0, 1, 1]))
    values = np.array([1.0, 1.0, 0.0, 1.0, 0.0, 0.0])
    found = means(values, flags(1, 1, 1, 1, 1, 0), combined([one, other], 6))
    assert found.tolist() == [2 / 3, 1.0, 0.0]
    assert combined([], 6).tolist() == [0] * 6


@given(st.lists(st.floats(0, 1), min_size=2, max_size=30))
def test_a_margin_is_half_of_students_interval(values):
    mean, margin = mean_margin(np.array(values))
    assert mean == pytest.approx(statistics.fmean(values))
    expected = t.ppf(0.975, len(values) - 1) * statistics.stdev(values) / math.sqrt(len(values))
    assert margin == pytest.approx(expected, abs=1e-9)


def test_one_combination_has_no_margin():
    assert mean_margin(np.array([0.25])) == MeanMargin((0.25, None))
    assert str(MeanMargin((0.25, None))) == "25.0"
    assert str(MeanMargin((0.71414, 0.0345))) == "71.4 ± 3.5"
