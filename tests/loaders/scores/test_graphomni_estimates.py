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
from benchloom.loaders.scores.uncertainty import binomial_p, wilson


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
    assert (found.records, found.questions) == (693, 11)
    # Eleven, lowered as Student's t with ten degrees of freedom asks.
    assert found.effective == pytest.approx(11 * (1.96 / t.ppf(0.975, 10)) ** 2, rel=0.1)
    assert found.clustered[0] < found.wilson[0]
    assert found.clustered[1] > found.wilson[1]


def test_forms_that_are_independent_tell_as_much_as_records():
    random = np.random.default_rng(5)
    right = random.random(63 * 400) < 0.6
    found = accuracy(right, np.repeat(np.arange(400), 63))
    assert 0.8 * found.records < found.effective < found.records


@pytest.mark.parametrize("value", [0, 1])
def test_where_nothing_varies_each_question_counts_about_once(value):
    found = accuracy(flags(*[value] * 630), np.repeat(np.arange(10), 63))
    assert found.effective == pytest.approx(10 * (1.96 / t.ppf(0.975, 9)) ** 2, rel=0.1)


@pytest.mark.parametrize("questions", [1, 2, 4])
def test_few_questions_in_many_forms_have_no_interval(questions):
    found = accuracy(flags(*[1, 0] * questions * 10), np.repeat(np.arange(questions), 20))
    assert found.effective is found.clustered is found.p_above(0.5) is None
    assert found.share == 0.5


def test_the_effective_number_comes_to_the_ratio_of_the_two_variances():
    # 4,000 questions of three forms: 3, 2, 1 and 0 right.
    right = np.tile(flags(1, 1, 1, 1, 1, 0, 1, 0, 0, 0, 0, 0), 1000)
    spread = statistics.pvariance([1, 2 / 3, 1 / 3, 0]) / 4000
    found = accuracy(right, np.repeat(np.arange(4000), 3))
    assert found.effective == pytest.approx(0.25 / spread, rel=0.002)


@pytest.mark.parametrize("together", [0.3, 0.8])
@pytest.mark.parametrize("share", [0.5, 0.7, 0.95])
@pytest.mark.parametrize("questions", [5, 10, 30, 100])
def test_intervals_by_question_hold_what_they_promise(questions, share, together):
    # The share right of each question's forms is drawn from a beta distribution with that
    # correlation between forms, or is one of two values with the same correlation.
    random = np.random.default_rng(1)
    forms, samples = 20, 300
    spread = 1 / together - 1
    smooth = random.beta(share * spread, (1 - share) * spread, (samples, questions))
    root = math.sqrt(together)
    known = random.random((samples, questions)) < share
    split = np.where(known, root + (1 - root) * share, (1 - root) * share)
    clusters = np.repeat(np.arange(questions), forms)
    for chances in (smooth, split):
        right = random.random((samples, questions, forms)) < chances[:, :, None]
        held = 0
        for sample in right:
            low, high = accuracy(sample.ravel(), clusters).clustered
            held += low <= share <= high
        # Of 300 samples, 95% less three standard errors.
        assert held / samples >= 0.912


def test_guesses_are_judged_on_the_effective_number():
    right = np.repeat(flags(1, 1, 1, 1, 1, 1, 0, 0, 0, 0), 20)
    alone = accuracy(right, np.arange(200))
    together = accuracy(right, np.repeat(np.arange(10), 20))
    assert alone.p_above(0.5) < 0.01
    assert alone.p_above(0.5) == pytest.approx(binomial_p(120, 200, 0.5, "greater"))
    low, high = (binomial_p(k, 7, 0.5, "greater") for k in (5, 4))
    assert low < together.p_above(0.5) < high
    assert accuracy(flags(*[0] * 30), np.repeat(np.arange(10), 3)).p_above(0.5) == 1


@given(st.lists(st.tuples(st.integers(0, 9), st.booleans()), min_size=1, max_size=60))
def test_the_interval_holds_the_accuracy_and_the_order_does_not_matter(records):
    clusters = np.array([cluster for cluster, _ in records])
    right = flags(*(one for _, one in records))
    found = accuracy(right, clusters)
    if found.clustered is None:
        assert found.questions < 5
    else:
        assert 0 < found.effective <= found.records
        assert found.clustered[0] <= found.wilson[0] <= found.share
        assert found.share <= found.wilson[1] <= found.clustered[1]
    again = np.argsort(clusters, kind="stable")[::-1]
    assert accuracy(right[again], clusters[again]) == found


def test_means_of_combinations_count_the_same_whatever_their_size():
    one = Factor(("a", "b"), np.array([0, 0, 0, 1, 1, 0]))
    other = Factor(("x", "y"), np.array([0, 0, 0, 0, 1, 1]))
    values = np.array([1.0, 1.0, 0.0, 1.0, 0.0, 0.0])
    found = means(values, flags(1, 1, 1, 1, 1, 0), combined([one, other], 6))
    assert found.tolist() == [2 / 3, 1.0, 0.0]
    assert combined([], 6).tolist() == [0] * 6


@given(st.lists(st.floats(0, 1), min_size=5, max_size=30))
def test_a_margin_is_half_of_students_interval(values):
    mean, margin = mean_margin(np.array(values))
    assert mean == pytest.approx(statistics.fmean(values))
    expected = t.ppf(0.975, len(values) - 1) * statistics.stdev(values) / math.sqrt(len(values))
    assert margin == pytest.approx(expected, abs=1e-9)


def test_few_combinations_have_no_margin():
    assert mean_margin(np.array([0.25])) == MeanMargin((0.25, None))
    assert mean_margin(np.array([0.0, 1.0, 0.5, 0.5])) == MeanMargin((0.5, None))
    assert str(MeanMargin((0.25, None))) == "25.0"
    assert str(MeanMargin((0.71414, 0.0345))) == "71.4 ± 3.5"
