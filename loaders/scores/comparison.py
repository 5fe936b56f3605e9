"""Models compared pair by pair on the same records."""

import math
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from benchloom.builders.statistics import Interval, Points, Probability, Table
from benchloom.loaders.scores.resampling import LEVEL, flipped_sums, interval_and_p
from benchloom.loaders.scores.uncertainty import mcnemar

INTERVAL, ALL_PAIRS = "95% interval", "95% interval, all pairs together"
HEAD = (
    "first",
    "second",
    "records",
    "difference",
    INTERVAL,
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

    The interval of the difference holds what a test that flips signs by cluster does not rule out,
    and the p is that test's, or McNemar's exact one where every record is right or wrong and stands
    for itself. Both allow for the number of pairs (Bonferroni), so the interval leaves out 0 where
    the p is below 0.05, and only there; then one model is called better.

    Args:
        models: Names of the models; the pairs are in this order.
        correct: For each model what it reached on each record, 0 or 1 or a number such as an IoU
            from 0 to 1.
        clusters: The cluster of each record, such as the graph that many queries are about; None
            where each record stands for itself.
        name: Name of the table.
        what: What is compared, in words.

    Raises:
        ValueError: If the models were not scored on the same records, or on none.
    """
    pairs = list(combinations(range(len(models)), 2))
    values = [np.asarray(correct[model], float) for model in models]
    binary = all(bool(np.isin(row, (0, 1)).all()) for row in values)
    exact = binary and clusters is None
    rows: list[tuple[Any, ...]] = []
    if pairs:
        flipped = flipped_sums(
            [*values, np.ones(len(values[0]))], clusters, ("comparison", "signs")
        )
        for i, j in pairs:
            change = values[i] - values[j]
            total, count = math.fsum(change), len(change)
            only = (int((change > 0).sum()), int((change < 0).sum()))
            low, high, p = interval_and_p(
                total, count, flipped[i] - flipped[j], flipped[-1], 1 - (1 - LEVEL) / len(pairs)
            )
            p = min(1.0, len(pairs) * (mcnemar(*only) if exact else p))
            if exact:
                low, high = _agreeing(low, high, total, p, 0.5 / count)
            interval = Interval((Points(max(low, -1.0)), Points(min(high, 1.0))))
            rows.append(
                (
                    *(models[i], models[j], count, Points(total / count), interval),
                    *(only if binary else ()),
                    *(Probability(p), _verdict(models[i], models[j], total, p)),
                )
            )
    head = [one for one in HEAD if binary or not one.startswith("only")]
    if len(pairs) > 1:
        head[head.index(INTERVAL)] = ALL_PAIRS
    return Table(
        name,
        f"Models compared on the same records: {what}",
        tuple(head),
        rows,
        _note(exact, clusters is not None, len(pairs), what),
    )


def _agreeing(low: float, high: float, total: float, p: float, least: float) -> tuple[float, float]:
    """Returns an interval that leaves out 0 where the exact p is below 0.05, and only there.

    Random signs may stray from the exact test at the very limit. It decides: the end that is nearer
    to 0 then is 0, or half a record away from it.
    """
    if p >= 1 - LEVEL:
        return min(low, 0.0), max(high, 0.0)
    return (max(low, least), high) if total > 0 else (low, min(high, -least))


def _verdict(first: str, second: str, total: float, p: float) -> str:
    if p >= 1 - LEVEL:
        return CANNOT_TELL
    return f"{first if total > 0 else second} is better"


def _note(exact: bool, clustered: bool, pairs: int, what: str) -> str:
    flips = (
        f"flips the signs of {'clusters of records' if clustered else 'records'} 10,000 times at "
        "random"
    )
    test = "McNemar's exact test" if exact else f"a test that {flips}"
    interval = f"a test that {flips}" if exact else "the same test"
    together = (
        f" Both allow for {pairs} comparisons (Bonferroni), so that all of them hold together with "
        "95% confidence."
        if pairs > 1
        else ""
    )
    decides = " At the very limit McNemar's test decides." if exact else ""
    return (
        f"Difference: {what} of the first less that of the second, in percentage points. p: how "
        "often a difference at least as large would come about if the two were equally good, by "
        f"{test}. Interval: the differences that {interval} does not rule out.{together} Where p "
        f"is 0.05 or more the interval holds 0, and the two {CANNOT_TELL} on these records."
        f"{decides}"
    )
