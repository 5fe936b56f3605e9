"""Models compared pair by pair on the same records."""

import math
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from benchloom.builders.statistics import Interval, Points, Probability, Table
from benchloom.loaders.scores.resampling import (
    flipped_sums,
    middle_of,
    resampled_means,
    share_beyond,
)
from benchloom.loaders.scores.uncertainty import holm, mcnemar

HEAD = (
    "first",
    "second",
    "records",
    "difference",
    "95% interval",
    "only first right",
    "only second right",
    "p",
    "verdict",
)
CANNOT_TELL = "cannot be told apart"


def comparison_table(
    models: Sequence[str],
    correct: Mapping[str, npt.NDArray[Any] | Sequence[float]],
    clusters: npt.NDArray[Any] | Sequence[Any] | None = None,
    name: str = "comparison",
    what: str = "accuracy",
) -> Table:
    """Returns a row for each pair of models: which is better, and how sure that is.

    The interval of the difference is a paired bootstrap's. The p is McNemar's exact one where every
    record is right or wrong and stands for itself, and otherwise that of signs flipped by cluster;
    it is corrected for the number of pairs (Holm). A model is called better where it is below 0.05.

    Args:
        models: Names of the models; the pairs are in this order.
        correct: For each model what it reached on each record, 0 or 1 or a number such as an IoU.
        clusters: The cluster of each record, such as the graph that many queries are about; None
            where each record stands for itself.
        name: Name of the table.
        what: What is compared, in words.

    Raises:
        ValueError: If the models were not scored on the same records, or on none.
    """
    pairs = list(combinations(models, 2))
    values = [np.asarray(correct[model], float) for model in models]
    binary = all(bool(np.isin(row, (0, 1)).all()) for row in values)
    exact = binary and clusters is None
    rows: list[tuple[Any, ...]] = []
    probabilities: list[float] = []
    if pairs:
        means = resampled_means(values, clusters, ("comparison", "bootstrap"))
        flipped = None if exact else flipped_sums(values, clusters, ("comparison", "signs"))
        for i, j in combinations(range(len(models)), 2):
            change = values[i] - values[j]
            total = math.fsum(change)
            only = (int((change > 0).sum()), int((change < 0).sum()))
            probabilities.append(
                mcnemar(*only) if flipped is None else share_beyond(flipped[i] - flipped[j], total)
            )
            difference = Points(total / len(change))
            interval = Interval(map(Points, middle_of(means[i] - means[j])))
            rows.append(
                (models[i], models[j], len(change), difference, interval, *(only if binary else ()))
            )
    return Table(
        name,
        f"Models compared on the same records: {what}",
        tuple(one for one in HEAD if binary or not one.startswith("only")),
        [
            (*row, Probability(p), _verdict(row, p))
            for row, p in zip(rows, holm(probabilities), strict=True)
        ],
        _note(exact, clusters is not None, len(pairs), what),
    )


def _verdict(row: Sequence[Any], probability: float) -> str:
    first, second, _, difference = row[:4]
    if probability >= 0.05:
        return CANNOT_TELL
    return f"{first if difference > 0 else second} is better"


def _note(exact: bool, clustered: bool, pairs: int, what: str) -> str:
    drawn = "clusters of records" if clustered else "records"
    test = (
        "McNemar's exact test"
        if exact
        else f"a test that flips the signs of {drawn} 10,000 times at random"
    )
    corrected = f", corrected for {pairs} comparisons (Holm)" if pairs > 1 else ""
    return (
        f"Difference: {what} of the first less that of the second, in percentage points; its "
        f"interval by drawing {drawn} 10,000 times. p: how often a difference at least as large "
        f"would come about if the two were equally good, by {test}{corrected}. Where it is 0.05 or "
        f"more, the two {CANNOT_TELL} on these records."
    )
