"""Means over combinations of factors, and intervals where many records ask about one graph."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from statistics import NormalDist

import numpy as np

from benchloom.builders.statistics import Interval, Share
from benchloom.loaders.scores.graphomni_sheet import Codes, Factor, Flags, Floats
from benchloom.loaders.scores.resampling import LEVEL
from benchloom.loaders.scores.uncertainty import (
    incomplete_beta,
    score_interval,
    student_quantile,
    wilson,
)


class MeanMargin(tuple[float, float | None]):
    """A mean share and the half width of its interval, None of few; shown as `71.4 ± 3.5`."""

    __slots__ = ()

    def __str__(self) -> str:
        mean, margin = self
        shown = f"{100 * mean:.1f}"
        return shown if margin is None else f"{shown} ± {100 * margin:.1f}"


_NORMAL = NormalDist().inv_cdf((1 + LEVEL) / 2)

FEWEST_QUESTIONS = 5
"""With fewer questions in several forms nobody can say how much questions differ."""

FEWEST_COMBINATIONS = 5
"""Of fewer combinations no margin is given."""

PRIOR = 0.25
"""Of a question all right, and of one all wrong, so much is added before the spread between
questions is measured: with none among few questions it would pass for small."""


@dataclass(frozen=True)
class Accuracy:
    """How many records were answered rightly, and how sure that is.

    Attributes:
        right: How many.
        records: Of how many.
        questions: How many questions they ask.
        effective: How many records that have nothing to do with each other would tell as much; None
            where there are too few questions to say.
    """

    right: int
    records: int
    questions: int
    effective: float | None

    @property
    def share(self) -> Share:
        """The share of right answers."""
        return Share(self.right / self.records)

    @property
    def wilson(self) -> Interval:
        """Wilson's interval, as if all records had nothing to do with each other."""
        return Interval(map(Share, wilson(self.right, self.records)))

    @property
    def clustered(self) -> Interval | None:
        """Wilson's interval of as many records as the effective number; None without one."""
        if self.effective is None:
            return None
        return Interval(map(Share, score_interval(self.share, self.effective, _NORMAL)))

    def p_above(self, chance: float) -> float | None:
        """Returns how often guesses reach as much or more, on the effective number of records.

        Args:
            chance: The share that guesses reach on average.
        """
        if self.effective is None:
            return None
        reached = self.share * self.effective
        if reached == 0:
            return 1.0
        # The binomial tail, for numbers that need not be whole.
        return incomplete_beta(chance, reached, self.effective - reached + 1)


def accuracy(right: Floats | Flags, clusters: Codes) -> Accuracy:
    """Returns the accuracy on records of which some belong together.

    The forms of one question about one graph go right and wrong together, so they tell less than as
    many questions would. How much less is measured: the variance of the accuracy that the spread
    between the questions gives, beside that of single records. That variance is itself uncertain
    with few questions, for which the effective number is lowered as Student's t asks, with one
    degree of freedom less than there are questions.

    Args:
        right: 1 or 0 for each record, at least one.
        clusters: The question of each record.
    """
    values = np.asarray(right, float)
    records = len(values)
    hits = round(float(values.sum()))
    _, codes, sizes = np.unique(clusters, return_inverse=True, return_counts=True)
    many = len(sizes)
    if many == records:
        return Accuracy(hits, records, many, records)
    if many < FEWEST_QUESTIONS:
        return Accuracy(hits, records, many, None)
    size = PRIOR * records / many
    whole = records + 2 * size
    share = (hits + size) / whole
    excess = np.bincount(codes, values, many) - share * sizes
    squares = math.fsum(excess**2) + size * records / many * (share**2 + (1 - share) ** 2)
    counted = many + 2 * PRIOR
    variance = counted / (counted - 1) * squares / whole**2
    # More than the records themselves is not claimed, however even the questions are.
    effective = min(records, share * (1 - share) / variance * many / counted)
    return Accuracy(hits, records, many, float(effective * (_NORMAL / _quantile(many - 1)) ** 2))


def combined(factors: Sequence[Factor], count: int) -> Codes:
    """Returns one code for each record that tells the levels of all factors, 0 without factors."""
    codes = np.zeros(count, np.int64)
    for factor in factors:
        codes = codes * len(factor.names) + factor.codes
    return codes


def means(values: Floats, rows: Flags, combinations: Codes) -> Floats:
    """Returns the mean of each combination of factors that occurs among some rows."""
    _, codes = np.unique(combinations[rows], return_inverse=True)
    return np.asarray(np.bincount(codes, values[rows]) / np.bincount(codes))


def mean_margin(of: Floats) -> MeanMargin:
    """Returns the mean of the combinations' accuracies and the half width of its 95% interval.

    Of fewer than five there is no half width: Student's, which is then of some tenths to many
    times the whole scale, would say nothing.
    """
    # Summed exactly: the order of the records must not change the last digit.
    mean = math.fsum(of) / len(of)
    if len(of) < FEWEST_COMBINATIONS:
        return MeanMargin((mean, None))
    variance = math.fsum((of - mean) ** 2) / (len(of) - 1)
    return MeanMargin((mean, _quantile(len(of) - 1) * math.sqrt(variance / len(of))))


@cache
def _quantile(degrees: int) -> float:
    return student_quantile((1 + LEVEL) / 2, degrees)
