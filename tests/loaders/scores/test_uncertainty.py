"""Intervals and tests against scipy's, resampling against what it must come to."""

import math

import numpy as np
import pytest
from scipy import stats

from benchloom.loaders.scores.resampling import flipped_sums, resampled_means
from benchloom.loaders.scores.uncertainty import (
    binomial_p,
    holm,
    least_difference,
    mcnemar,
    mean_interval,
    paired_bootstrap,
    sentence_on,
    sign_flip_p,
    student_quantile,
    wilson,
)

COUNTS = [(0, 1), (1, 1), (0, 7), (7, 7), (3, 10), (412, 500), (1, 3000), (120_000, 241_731)]


@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
@pytest.mark.parametrize(("successes", "n"), COUNTS)
def test_wilson_is_scipys(successes: int, n: int, level: float) -> None:
    expected = stats.binomtest(successes, n).proportion_ci(level, "wilson")
    assert wilson(successes, n, level) == pytest.approx(expected, abs=1e-12)


def test_wilson_reaches_the_ends_and_says_nothing_of_no_records() -> None:
    assert wilson(0, 0) == (0, 1)
    for n in range(1, 200):
        assert wilson(0, n)[0] == 0
        assert wilson(n, n)[1] == 1


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("chance", [0.0, 0.01, 0.2, 1 / 3, 0.5, 0.9, 1.0])
@pytest.mark.parametrize(("successes", "n"), COUNTS)
def test_binomial_p_is_scipys(successes: int, n: int, chance: float, alternative: str) -> None:
    expected = stats.binomtest(successes, n, chance, alternative).pvalue
    found = binomial_p(successes, n, chance, alternative)  # type: ignore[arg-type]
    assert found == pytest.approx(expected, rel=1e-8, abs=1e-300)


@pytest.mark.parametrize(("successes", "n"), [(3, 2), (-1, 2), (0, -1)])
def test_counts_that_cannot_be_are_refused(successes: int, n: int) -> None:
    with pytest.raises(ValueError, match="cannot be right"):
        wilson(successes, n)
    with pytest.raises(ValueError, match="cannot be right"):
        binomial_p(successes, n, 0.5)
    with pytest.raises(ValueError, match="cannot be right"):
        sentence_on(n, successes)


def test_chances_and_alternatives_that_cannot_be_are_refused() -> None:
    with pytest.raises(ValueError, match="chance"):
        binomial_p(1, 2, 1.5)
    with pytest.raises(ValueError, match="alternative"):
        binomial_p(1, 2, 0.5, "more")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("only_first", "only_second"), [(0, 0), (0, 6), (12, 5), (5, 12), (400, 460)]
)
def test_mcnemar_is_the_binomial_test_of_the_discordant_records(
    only_first: int, only_second: int
) -> None:
    n = only_first + only_second
    tail = stats.binom.cdf(min(only_first, only_second), n, 0.5)
    assert mcnemar(only_first, only_second) == pytest.approx(min(1, 2 * tail), rel=1e-9)


@pytest.mark.parametrize("degrees", [1, 2, 3, 7, 30, 62, 999, 241_730])
@pytest.mark.parametrize("probability", [0.5, 0.6, 0.9, 0.975, 0.9995])
def test_student_quantile_is_scipys(probability: float, degrees: int) -> None:
    expected = stats.t.ppf(probability, degrees)
    assert student_quantile(probability, degrees) == pytest.approx(expected, rel=1e-9, abs=1e-7)


def test_mean_interval_is_students() -> None:
    generator = np.random.default_rng(0)
    for n in (2, 3, 63, 1000):
        values = generator.random(n)
        expected = stats.t.interval(0.9, n - 1, values.mean(), stats.sem(values))
        assert mean_interval(values, 0.9) == pytest.approx(expected, abs=1e-12)
    assert mean_interval([0.25, 0.25, 0.25]) == (0.25, 0.25)
    assert mean_interval([0.25]) == mean_interval([]) == (-math.inf, math.inf)


def test_holm_multiplies_the_least_by_their_number_and_never_falls() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.5, 0.9]) == [1, 1]
    assert holm([]) == []


def paired(n: int, kind: str) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(5)
    if kind == "binary":
        return generator.integers(0, 2, n), (generator.random(n) < 0.6).astype(int)
    return generator.random(n), generator.random(n) * 0.9


@pytest.mark.parametrize("kind", ["binary", "numbers"])
def test_bootstrap_without_clusters_is_near_the_normal_interval(kind: str) -> None:
    first, second = paired(4000, kind)
    change = first - second
    difference, low, high = paired_bootstrap(first, second)
    half = 1.96 * change.std() / math.sqrt(len(change))
    assert difference == pytest.approx(change.mean(), abs=1e-12)
    assert (low, high) == pytest.approx((difference - half, difference + half), abs=0.05 * half)


@pytest.mark.parametrize("kind", ["binary", "numbers"])
def test_bootstrap_draws_whole_clusters(kind: str) -> None:
    # Every record ten times: without clusters the interval is too narrow by the root of ten.
    first, second = (np.repeat(values, 10) for values in paired(400, kind))
    _, low, high = paired_bootstrap(first, second)
    clusters = [f"graph {i // 10}" for i in range(4000)]
    once = paired_bootstrap(first[::10], second[::10])
    difference, wider_low, wider_high = paired_bootstrap(first, second, clusters)
    assert (wider_high - wider_low) / (high - low) == pytest.approx(math.sqrt(10), rel=0.06)
    assert (difference, wider_low, wider_high) == pytest.approx(once, abs=0.006)


def test_bootstrap_weighs_records_and_not_clusters() -> None:
    first, clusters = [1, 1, 1, 0], ["a", "a", "a", "b"]
    difference, low, high = paired_bootstrap(first, [0, 0, 0, 0], clusters)
    assert (difference, low, high) == (0.75, 0, 1)


def test_bootstrap_of_few_and_of_many_kinds_draws_from_the_same_distribution() -> None:
    # Numbers that differ in the ninth digit are kinds of their own and drawn in the other way.
    first, second = paired(2000, "binary")
    few = paired_bootstrap(first, second)
    many = paired_bootstrap(first + np.arange(2000) * 1e-9, second)
    assert many == pytest.approx(few, abs=0.002)


def test_resampling_is_reproducible_and_depends_on_the_key_alone() -> None:
    first, second = paired(300, "numbers")
    again = paired_bootstrap(first.copy(), second.copy(), key=("a", 1))
    np.random.default_rng().random()
    assert paired_bootstrap(first, second, key=("a", 1)) == again
    assert paired_bootstrap(first, second, key=("a", 2)) != again


def test_models_are_resampled_together() -> None:
    first, second = paired(200, "binary")
    clusters = np.arange(200) // 4
    for function in (resampled_means, flipped_sums):
        drawn = function([first, second, first], clusters)
        assert drawn.shape == (3, 10_000)
        assert (drawn[0] == drawn[2]).all()
        assert (drawn[0] != drawn[1]).any()


@pytest.mark.parametrize(("n", "share"), [(60, 0.3), (400, 0.05), (1000, 0.02)])
def test_flipped_signs_come_to_mcnemar(n: int, share: float) -> None:
    first, _ = paired(n, "binary")
    second = first.copy()
    changed = int(share * n)
    second[:changed] = 1 - second[:changed]
    only = int((first > second).sum()), int((first < second).sum())
    assert sign_flip_p(first, second) == pytest.approx(mcnemar(*only), abs=0.02)


def test_flipped_signs_see_clusters() -> None:
    # Ten graphs, in all of which the first is better by the same: 2 of 2^10 choices reach it.
    first, second = np.repeat(1, 630), np.repeat([0, 1], 315)
    first[315:] = second[315:] = 1
    clusters = np.arange(630) % 10
    assert sign_flip_p(first, second, clusters) == pytest.approx(2 / 2**10, abs=0.001)
    assert sign_flip_p(first, first, clusters) == 1


def test_models_of_other_records_are_refused() -> None:
    for function in (paired_bootstrap, sign_flip_p):
        with pytest.raises(ValueError, match="same records"):
            function([1, 0], [1])
        with pytest.raises(ValueError, match="no records"):
            function([], [])
        with pytest.raises(ValueError, match="one cluster"):
            function([1, 0], [1, 1], ["a"])


def test_least_difference_is_what_a_test_of_two_shares_can_just_see() -> None:
    generator = np.random.default_rng(0)
    n, share = 500, 0.8
    least = least_difference(n, int(n * share))
    # Two models that are equally good differ by more in about 5% of samples.
    drawn = generator.binomial(n, share, (2, 100_000)) / n
    assert (np.abs(drawn[0] - drawn[1]) > least).mean() == pytest.approx(0.05, abs=0.01)
    assert 0 < least_difference(100, 100) < 0.1
    assert least_difference(0, 0) <= 1


def test_sentences_say_the_share_the_interval_and_the_least_difference() -> None:
    assert sentence_on(500, 412) == (
        "412 of 500 right: 82.4%, and with 95% confidence between 78.8% and 85.5%; two models that "
        "differ by less than about 4.7 points cannot be told apart on 500 records, unless they are "
        "compared record by record."
    )
    assert sentence_on(3, 3).endswith("100.0%; 3 records cannot tell two models apart.")
    assert sentence_on(1, 0).endswith("79.3%; 1 record cannot tell two models apart.")
    assert sentence_on(0, 0) == "There are no records, so nothing can be said."
    assert "120,000 of 241,731" in sentence_on(241_731, 120_000)


@pytest.mark.parametrize(
    ("successes", "told"),
    [(50, "may be"), (59, "may be"), (62, "is better than"), (38, "is worse than")],
)
def test_sentences_tell_guessing_from_knowing(successes: int, told: str) -> None:
    assert f"which {told} guessing (50.0% on average)" in sentence_on(100, successes, 0.5)
