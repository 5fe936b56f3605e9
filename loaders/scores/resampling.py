"""Models compared on the same records by drawing them anew, many times, with paired numbers.

Sums are taken in a fixed order and not by products of matrices, whose last digits depend on the
processor, so equal input gives equal numbers.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from benchloom.builders.seeds import Key, rng

Numbers = Sequence[float] | npt.NDArray[Any]
Clusters = Sequence[Any] | npt.NDArray[Any] | None
Floats = npt.NDArray[np.float64]

LEVEL = 0.95
RESAMPLES = 10_000
LARGEST_DRAW = 4_000_000
"""So many numbers are drawn at a time."""


def paired_bootstrap(
    first: Numbers,
    second: Numbers,
    clusters: Clusters = None,
    key: Sequence[Key] = ("paired_bootstrap",),
    level: float = LEVEL,
) -> tuple[float, float, float]:
    """Returns the difference of two means on the same records, and its interval's ends.

    Whole clusters are drawn 10,000 times with replacement, because the records of one cluster (such
    as the 63 queries about one graph) go wrong together; the interval holds the middle 95% of the
    differences. Against a `second` of zeros it is the interval of the first mean alone.

    Args:
        first: What the first model reached on each record: 0 or 1, or a number such as an IoU.
        second: The same of the second model, in the same order.
        clusters: The cluster of each record; None where each stands for itself.
        key: Parts of the random key.
        level: The confidence.

    Raises:
        ValueError: If there is no record, or the lengths differ.
    """
    differences = _same_records([first, second])
    differences = differences[:1] - differences[1:]
    (drawn,) = resampled_means(differences, clusters, key)
    return math.fsum(differences[0]) / differences.shape[1], *middle_of(drawn, level)


def sign_flip_p(
    first: Numbers,
    second: Numbers,
    clusters: Clusters = None,
    key: Sequence[Key] = ("sign_flip",),
) -> float:
    """Returns the two-sided p of two models on the same records, where McNemar's test cannot serve.

    If the models were alike, each cluster's difference could as well have the other sign. The p is
    the share of 10,000 random choices of the signs whose total is at least as far from zero; for 0
    and 1 without clusters it approaches McNemar's.

    Args:
        first: What the first model reached on each record.
        second: The same of the second model, in the same order.
        clusters: The cluster of each record; None where each stands for itself.
        key: Parts of the random key.

    Raises:
        ValueError: If there is no record, or the lengths differ.
    """
    values = _same_records([first, second])
    one, other = flipped_sums(values, clusters, key)
    return share_beyond(one - other, math.fsum(values[0]) - math.fsum(values[1]))


def resampled_means(
    values: Sequence[Numbers] | Floats,
    clusters: Clusters = None,
    key: Sequence[Key] = ("resampled_means",),
) -> Floats:
    """Returns the means of each model on 10,000 samples of clusters drawn with replacement.

    Args:
        values: For each model what it reached on each record.
        clusters: The cluster of each record; None where each stands for itself.
        key: Parts of the random key.

    Returns:
        Models × 10,000; the samples are the same for all models, so that columns can be subtracted.

    Raises:
        ValueError: If there is no record, or the lengths differ.
    """
    sums, sizes = _cluster_sums(_same_records(values), clusters)
    both = np.vstack([sums, sizes])
    # Clusters with equal numbers are alike, and only how many of a kind are drawn matters: of 0 and
    # 1 without clusters there are few kinds, so that 200,000 records cost little.
    kinds, counts = np.unique(both, axis=1, return_counts=True)
    n_clusters, generator = len(sizes), rng(*key)
    drawn = np.zeros((len(both), RESAMPLES))
    few = len(counts) <= n_clusters // 8
    for part in _parts(len(counts) if few else 1):
        rows = part.stop - part.start
        if few:
            times = generator.multinomial(n_clusters, counts / n_clusters, size=rows)
            for kind, of_kind in zip(kinds.T, times.T, strict=True):
                drawn[:, part] += kind[:, None] * of_kind
        else:
            for _ in range(n_clusters):
                chosen = generator.integers(0, n_clusters, size=rows, dtype=np.int32)
                drawn[:, part] += both.take(chosen, axis=1)
    means: Floats = drawn[:-1] / drawn[-1]
    return means


def flipped_sums(
    values: Sequence[Numbers] | Floats,
    clusters: Clusters = None,
    key: Sequence[Key] = ("flipped_sums",),
) -> Floats:
    """Returns the sums of each row when the signs of whole clusters are chosen 10,000 times.

    Args:
        values: For each model what it reached on each record.
        clusters: The cluster of each record; None where each stands for itself.
        key: Parts of the random key.

    Returns:
        Models × 10,000; the signs are the same for all models, so that columns can be subtracted.

    Raises:
        ValueError: If there is no record, or the lengths differ.
    """
    sums, _ = _cluster_sums(_same_records(values), clusters)
    kinds, counts = np.unique(sums, axis=1, return_counts=True)
    generator = rng(*key)
    total = np.zeros((len(sums), RESAMPLES))
    for kind, count in zip(kinds.T, counts, strict=True):
        ups = (
            generator.integers(0, 2, size=RESAMPLES, dtype=np.int8)
            if count == 1
            else generator.binomial(count, 0.5, size=RESAMPLES)
        )
        total += kind[:, None] * (2.0 * ups - count)
    return total


def interval_and_p(
    total: float, size: float, flipped: Floats, sizes: Floats, level: float = LEVEL
) -> tuple[float, float, float]:
    """Returns the ends of the mean differences that flipped signs do not rule out, and the p of 0.

    A mean difference d is ruled out where fewer than 1 - level of the choices of signs bring the
    clusters' differences, each less d for every record, as far from zero as they are. So the
    interval leaves out 0 exactly where the p is below 1 - level: both are one test.

    Args:
        total: The sum of the differences.
        size: Number of records.
        flipped: Sums of the differences with flipped signs.
        sizes: Sums of the numbers of records with the same signs.
        level: The confidence.
    """
    # |total - d size| <= |flipped - d sizes| holds between two values of d, with total / size
    # within; where all signs are alike it holds for every d.
    with np.errstate(divide="ignore", invalid="ignore"):
        roots = np.stack([(total - flipped) / (size - sizes), (total + flipped) / (size + sizes)])
    alike = np.abs(sizes) > size - 0.5
    # Rounded, because sums in another order may differ in their last digits.
    lows = np.where(alike, -np.inf, np.round(roots.min(axis=0), 12))
    highs = np.where(alike, np.inf, np.round(roots.max(axis=0), 12))
    # The difference that was found counts as drawn, so that the p is never zero.
    drawn = len(flipped) + 1
    p = (1 + int(((lows <= 0) & (highs >= 0)).sum())) / drawn
    needed = math.ceil((1 - level) * drawn - 1e-9) - 1
    if needed < 1:
        return -math.inf, math.inf, p
    low = float(np.partition(lows, needed - 1)[needed - 1])
    high = float(np.partition(highs, -needed)[-needed])
    return low, high, p


def middle_of(drawn: Floats, level: float = LEVEL) -> tuple[float, float]:
    """Returns the ends of the middle part of drawn numbers."""
    low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def share_beyond(drawn: Floats, found: float) -> float:
    """Returns the share of drawn numbers that are as far from zero as the one found, or farther.

    The one found counts as drawn, so that the share is never zero.
    """
    # A sum in another order may differ in its last digits.
    reached = abs(found) * (1 - 1e-9) - 1e-9
    return (1 + int((np.abs(drawn) >= reached).sum())) / (1 + len(drawn))


def _same_records(values: Sequence[Numbers] | Floats) -> Floats:
    """Returns models × records."""
    rows = [np.asarray(row, float) for row in values]
    if not rows or any(row.ndim != 1 or row.shape != rows[0].shape for row in rows):
        raise ValueError("models are compared on the same records")
    if not len(rows[0]):
        raise ValueError("models cannot be compared on no records")
    return np.stack(rows)


def _cluster_sums(values: Floats, clusters: Clusters) -> tuple[Floats, Floats]:
    """Returns each model's sum in each cluster, and how many records each cluster has."""
    if clusters is None:
        return values, np.ones(values.shape[1])
    of = np.asarray(clusters)
    if of.shape != values.shape[1:]:
        raise ValueError("every record has one cluster")
    _, places = np.unique(of, return_inverse=True)
    return np.stack([np.bincount(places, row) for row in values]), np.bincount(places).astype(float)


def _parts(width: int) -> Iterator[slice]:
    """Yields which of the resamples are drawn at a time."""
    at_once = max(1, LARGEST_DRAW // width)
    for start in range(0, RESAMPLES, at_once):
        yield slice(start, min(start + at_once, RESAMPLES))
