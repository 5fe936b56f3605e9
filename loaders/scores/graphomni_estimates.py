"""Means over combinations of factors, and intervals where many records ask about one graph."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from benchloom.builders.statistics import Interval, Share
from benchloom.loaders.scores.graphomni_sheet import Codes, Factor, Flags, Floats
from benchloom.loaders.scores.resampling import LEVEL
from benchloom.loaders.scores.uncertainty import student_quantile, wilson


class MeanMargin(tuple[float, float | None]):
    """A mean share and the half width of its interval, None of one value; shown as `71.4 ± 3.5`."""

    __slots__ = ()

    def __str__(self) -> str:
        mean, margin = self
        shown = f"{100 * mean:.1f}"
        return shown if margin is None else f"{shown} ± {100 * margin:.1f}"


@dataclass(frozen=True)
class Accuracy:
    """How many records were answered rightly, and how sure that is.

    Attributes:
        right: How many.
        records: Of how many.
        effective: How many records that have nothing to do with each other would tell as much.
    """

    right: int
    records: int
    effective: int

    @property
    def share(self) -> Share:
        """The share of right answers."""
        return Share(self.right / self.records)

    @property
    def wilson(self) -> Interval:
        """Wilson's interval, as if all records had nothing to do with each other."""
        return _interval(self.right, self.records)

    @property
    def clustered(self) -> Interval:
        """Wilson's interval of as many records as the effective number."""
        return _interval(self.effective_right, self.effective)

    @property
    def effective_right(self) -> int:
        """How many of the effective number are right."""
        return round(self.right * self.effective / self.records)


def _interval(right: int, records: int) -> Interval:
    low, high = wilson(right, records)
    return Interval((Share(low), Share(high)))


def accuracy(right: Floats | Flags, clusters: Codes) -> Accuracy:
    """Returns the accuracy on records of which some belong together.

    The forms of one question about one graph go right and wrong together, so they tell less than as
    many questions would. How much less is measured: the variance of the accuracy that the spread
    between the questions gives, beside that of single records. Where all is right or all is wrong
    there is no spread to measure, and each question counts once.

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
        return Accuracy(hits, records, records)
    share = hits / records
    if many == 1 or hits in (0, records):
        return Accuracy(hits, records, many)
    excess = np.bincount(codes, values, many) - share * sizes
    variance = many / (many - 1) * float((excess**2).sum()) / records**2
    # More than the records themselves is not claimed, however even the questions are.
    effective = share * (1 - share) / variance if variance else records
    return Accuracy(hits, records, max(1, min(records, int(effective + 1e-9))))


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
    """Returns the mean of the combinations' accuracies and the half width of its 95% interval."""
    # Summed exactly: the order of the records must not change the last digit.
    mean = math.fsum(of) / len(of)
    if len(of) < 2:
        return MeanMargin((mean, None))
    variance = math.fsum((of - mean) ** 2) / (len(of) - 1)
    return MeanMargin((mean, _quantile(len(of) - 1) * math.sqrt(variance / len(of))))


@cache
def _quantile(degrees: int) -> float:
    return student_quantile((1 + LEVEL) / 2, degrees)
