"""What a number of records can tell: intervals, tests, and the sentence that says it in words.

Levels and probabilities are from 0 to 1.
"""

import math
from collections.abc import Iterable, Sequence
from statistics import NormalDist
from typing import Literal

from benchloom.loaders.scores.resampling import LEVEL, paired_bootstrap, sign_flip_p

__all__ = [
    "binomial_p",
    "holm",
    "incomplete_beta",
    "least_difference",
    "mcnemar",
    "mean_interval",
    "paired_bootstrap",
    "score_interval",
    "sentence_on",
    "sign_flip_p",
    "student_quantile",
    "wilson",
]


def wilson(successes: int, n: int, level: float = LEVEL) -> tuple[float, float]:
    """Returns Wilson's score interval of a share; of no records, everything from 0 to 1.

    Unlike the share plus or minus its standard error, it stays within 0 and 1 and is honest for few
    records and for shares near 0 and 1.

    Args:
        successes: How many were right.
        n: Of how many.
        level: The confidence.

    Raises:
        ValueError: If there are more successes than records, or fewer than none.
    """
    _check_counts(successes, n)
    if n == 0:
        return 0.0, 1.0
    return score_interval(successes / n, n, _normal_quantile(level))


def score_interval(share: float, n: float, quantile: float) -> tuple[float, float]:
    """Returns Wilson's interval for a number of records that need not be whole.

    Args:
        share: The share of right answers.
        n: How many records it rests on, above 0.
        quantile: The normal quantile of the confidence; with Student's the interval allows for a
            spread that was measured.
    """
    part = quantile * quantile / n
    middle = (share + part / 2) / (1 + part)
    half = quantile * math.sqrt(share * (1 - share) / n + part / (4 * n)) / (1 + part)
    # At the ends the interval reaches them, which rounding would hide.
    return (
        0.0 if share == 0 else max(0.0, middle - half),
        1.0 if share == 1 else min(1.0, middle + half),
    )


def mean_interval(values: Iterable[float], level: float = LEVEL) -> tuple[float, float]:
    """Returns Student's interval of a mean, as `mean ± 95% CI` in the tables of GraphOmni.

    Of fewer than two values it is the whole line, from minus to plus infinity: one value says
    nothing of how much they spread. It may pass 0 and 1 where values are shares.

    Args:
        values: The values, each drawn independently of the others.
        level: The confidence.
    """
    numbers = [float(value) for value in values]
    if len(numbers) < 2:
        return -math.inf, math.inf
    mean = math.fsum(numbers) / len(numbers)
    variance = math.fsum((number - mean) ** 2 for number in numbers) / (len(numbers) - 1)
    half = student_quantile((1 + level) / 2, len(numbers) - 1) * math.sqrt(variance / len(numbers))
    return mean - half, mean + half


def binomial_p(
    successes: int,
    n: int,
    chance: float,
    alternative: Literal["two-sided", "greater", "less"] = "two-sided",
) -> float:
    """Returns the exact probability of a count at least as odd as this one, if all were chance.

    Args:
        successes: How many were right.
        n: Of how many.
        chance: The probability that a guess is right.
        alternative: What counts as odd: more, fewer, or (`two-sided`) every count that is no more
            probable than this one.

    Raises:
        ValueError: If the counts, the chance or the alternative cannot be.
    """
    _check_counts(successes, n)
    if not 0 <= chance <= 1:
        raise ValueError(f"a chance is from 0 to 1, not {chance}")
    if chance in (0, 1):
        probabilities = [float(count == n * chance) for count in range(n + 1)]
    else:
        hit, miss, every = math.log(chance), math.log1p(-chance), math.lgamma(n + 1)
        probabilities = [
            math.exp(
                every
                - math.lgamma(count + 1)
                - math.lgamma(n - count + 1)
                + count * hit
                + (n - count) * miss
            )
            for count in range(n + 1)
        ]
    if alternative == "greater":
        odd = probabilities[successes:]
    elif alternative == "less":
        odd = probabilities[: successes + 1]
    elif alternative == "two-sided":
        # Counts that are equally probable must not be lost by rounding.
        most = probabilities[successes] * (1 + 1e-7)
        odd = [one for one in probabilities if one <= most]
    else:
        raise ValueError(f"an alternative is two-sided, greater or less, not {alternative}")
    return min(1.0, math.fsum(odd))


def mcnemar(only_first: int, only_second: int) -> float:
    """Returns the exact two-sided p of McNemar's test of two models on the same records.

    Records that both or neither answered rightly say nothing of which is better.

    Args:
        only_first: How many records only the first model answered rightly.
        only_second: How many only the second did.
    """
    return binomial_p(only_first, only_first + only_second, 0.5)


def holm(probabilities: Sequence[float]) -> list[float]:
    """Returns p values corrected for there being several, by Holm's step-down method."""
    corrected, largest = [0.0] * len(probabilities), 0.0
    ascending = sorted(range(len(probabilities)), key=lambda place: probabilities[place])
    for rank, place in enumerate(ascending):
        largest = max(largest, min(1.0, (len(probabilities) - rank) * probabilities[place]))
        corrected[place] = largest
    return corrected


def least_difference(n: int, successes: int, level: float = LEVEL) -> float:
    """Returns how much two accuracies on n records each must differ to be told apart, at most 1.

    It is of the accuracies alone; a comparison of the same records one by one can show less. Two
    right and two wrong answers are added (Agresti and Coull), so that all right does not pass for
    certain.
    """
    share = (successes + 2) / (n + 4)
    return min(1.0, _normal_quantile(level) * math.sqrt(2 * share * (1 - share) / max(n, 1)))


def sentence_on(n: int, successes: int, chance: float | None = None) -> str:
    """Returns what a number of records can and cannot tell, in plain words.

    Args:
        n: How many records were answered.
        successes: How many rightly.
        chance: What a guesser reaches; None if it is not to be mentioned.

    Raises:
        ValueError: If there are more successes than records, or fewer than none.
    """
    _check_counts(successes, n)
    if n == 0:
        return "There are no records, so nothing can be said."
    low, high = wilson(successes, n)
    said = (
        f"{successes:,} of {n:,} right: {successes / n:.1%}, and with 95% confidence between "
        f"{low:.1%} and {high:.1%}"
    )
    if chance is not None:
        better = "better" if successes > n * chance else "worse"
        told = f"is {better} than" if binomial_p(successes, n, chance) <= 1 - LEVEL else "may be"
        said += f", which {told} guessing ({chance:.1%} on average)"
    records = "1 record" if n == 1 else f"{n:,} records"
    least = least_difference(n, successes)
    if least > 0.5:
        return f"{said}; {records} cannot tell two models apart."
    points = f"{100 * least:.{1 if least >= 0.001 else 2}f}"
    return (
        f"{said}; two models that differ by less than about {points} points cannot be told apart "
        f"on {records}, unless they are compared record by record."
    )


def student_quantile(probability: float, degrees: int) -> float:
    """Returns the value below which Student's t lies with a probability of 0.5 or more.

    Args:
        probability: At least 0.5 and below 1.
        degrees: Degrees of freedom, 1 or more.

    Raises:
        ValueError: If either is out of its range.
    """
    if not 0.5 <= probability < 1 or degrees < 1:
        raise ValueError(f"no quantile of t for {probability} and {degrees} degrees of freedom")
    # By halving x = degrees / (degrees + t²), of which the two tails are an incomplete beta.
    tails, low, high = 2 * (1 - probability), 0.0, 1.0
    for _ in range(200):
        middle = (low + high) / 2
        if incomplete_beta(middle, degrees / 2, 0.5) < tails:
            low = middle
        else:
            high = middle
    return math.sqrt(degrees * (1 - high) / high)


def incomplete_beta(x: float, a: float, b: float) -> float:
    """Returns the regularised incomplete beta function, by its continued fraction.

    For whole k and n, `incomplete_beta(chance, k, n - k + 1)` is the probability of k or more of n.

    Args:
        x: From 0 to 1.
        a: Above 0.
        b: Above 0.
    """
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):  # where the fraction converges slowly, its mirror does not
        return 1 - incomplete_beta(1 - x, b, a)
    scale = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    )
    # Lentz's method: the fraction is a product of ratios of numerators and denominators.
    numerator, denominator = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    fraction = denominator
    for m in range(1, 10_000):
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            denominator = 1 / (1 + term * denominator)
            numerator = 1 + term / numerator
            fraction *= denominator * numerator
        if abs(denominator * numerator - 1) < 1e-15:
            break
    return scale * fraction / a


def _normal_quantile(level: float) -> float:
    return NormalDist().inv_cdf((1 + level) / 2)


def _check_counts(successes: int, n: int) -> None:
    if not 0 <= successes <= n:
        raise ValueError(f"{successes} of {n} cannot be right")
