"""The two anomalies of section 5 as tests.

The paper describes them in words. Here they are defined so that a number of records can show them
or not; the level is 5%, and only answers that could be read count, since an answer that was cut off
says nothing of what a model understands.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchloom.builders.statistics import Points, Probability, Share, Table
from benchloom.loaders.scores.uncertainty import holm
from benchloom.loaders.scores.vga_sheets import LEVEL, Sheet, Tally, leaves
from benchloom.loaders.scores.vga_tables import HUMAN_ANSWERS, human_accuracy

MIDDLE_NOTE = (
    "Section 5.1: one who has the concept is near 100%, one who lacks it near chance; what lies "
    "between is anomalous. Near 100% is what people reach: the first row of the paper's Table 2, "
    f"of the task and layout, or else of the task, taken as {HUMAN_ANSWERS} answers (15 people, "
    "four questions). Here: accuracy on the readable answers is significantly above chance (exact "
    "one-sided binomial test) and significantly below that of people (Fisher's exact one-sided "
    "test of the two counts, since so few answers of people say little within some points); p is "
    "the greater of the two, corrected for the splits of a model (Holm), and the anomaly is shown "
    f"where it is below {LEVEL}."
)
EASIER_NOTE = (
    "Section 5.2: doing worse on simpler records than on harder ones of the same task is "
    "anomalous. Simpler is: of shortest_path, the shorter path; of the two isomorphism tasks, if "
    "both were scored, a false pair of easy_iso (any other graph) against one of hard_iso (equal "
    "degrees); of ham_cycle, a graph without a cycle that has a leaf against one that has none (a "
    "leaf is a proof); of ham_path, a graph without a path that has three leaves or more against "
    "one with fewer (three are a proof). Of chordless_cycle nobody says which length is simpler, "
    "so nothing is tested. p is Fisher's exact one-sided one that the harder records go better, "
    "corrected for the comparisons of a model (Holm). The anomaly is shown where p is below "
    f"{LEVEL} and the model is above chance on the harder records' split: one that always gives "
    "the same answer is right on one class and wrong on another, and has shown nothing."
)


def middle_scores(sheets: Sequence[Sheet], models: Sequence[str]) -> Table:
    """Returns the middle-score anomaly (5.1) of each model and split, tested."""
    rows: list[Sequence[Any]] = []
    for model in models:
        answered = [(sheet, *_readable(sheet, model)) for sheet in sheets]
        answered = [one for one in answered if one[1]]
        below = [
            fisher_p(right, n, round(human_accuracy(sheet) * HUMAN_ANSWERS), HUMAN_ANSWERS)
            for sheet, n, right, _ in answered
        ]
        both = [max(p, one[3]) for p, one in zip(below, answered, strict=True)]
        for (sheet, n, right, above), under, p in zip(answered, below, holm(both), strict=True):
            rows.append(
                (
                    model,
                    sheet.config,
                    sheet.split,
                    n,
                    Share(right / n),
                    Share(human_accuracy(sheet)),
                    Probability(above),
                    Probability(under),
                    Probability(p),
                    "anomaly" if p < LEVEL else "not shown",
                )
            )
    head: tuple[str, ...] = ("model", "config", "split", "readable", "accuracy", "people")
    head += ("p above chance", "p below people", "p", "middle score")
    return Table("middle_score", "Middle-score anomaly (5.1)", head, rows, MIDDLE_NOTE)


class Comparison(NamedTuple):
    """Records that are simpler, and records that are harder.

    Attributes:
        sheets: The sheet of the simpler and that of the harder ones.
        names: What they are.
        which: Which records of their sheets they are.
    """

    sheets: tuple[Sheet, Sheet]
    names: tuple[str, str]
    which: tuple[NDArray[np.bool_], NDArray[np.bool_]]


def easier_worse(sheets: Sequence[Sheet], models: Sequence[str]) -> Table:
    """Returns the easier-worse anomaly (5.2) of each model and split, tested."""
    comparisons = list(_comparisons(sheets))
    rows: list[Sequence[Any]] = []
    for model in models:
        measured = [_measure(model, comparison) for comparison in comparisons]
        corrected = holm([fisher_p(*counts) for counts in measured])
        for comparison, counts, p in zip(comparisons, measured, corrected, strict=True):
            rows.append(_row(model, comparison, counts, p))
    head: tuple[str, ...] = (
        "model",
        "config",
        "split",
        "simpler",
        "harder",
        "records",
        "accuracy of the simpler",
    )
    head += ("of the harder", "difference", "p", "easier worse")
    return Table("easier_worse", "Easier-worse anomaly (5.2)", head, rows, EASIER_NOTE)


def fisher_p(right_simpler: int, simpler: int, right_harder: int, harder: int) -> float:
    """Returns Fisher's exact one-sided p that the harder records go better than the simpler ones.

    Args:
        right_simpler: Right answers on the simpler records.
        simpler: Number of simpler records.
        right_harder: Right answers on the harder records.
        harder: Number of harder records.
    """
    right = right_simpler + right_harder
    whole = _log_choices(simpler + harder, right)
    return min(
        1.0,
        math.fsum(
            math.exp(_log_choices(harder, k) + _log_choices(simpler, right - k) - whole)
            for k in range(max(right_harder, right - simpler), min(harder, right) + 1)
        ),
    )


def _log_choices(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


def _readable(sheet: Sheet, model: str) -> tuple[int, int, float]:
    """Returns readable answers, the right ones of them, and the p that chance reaches as many."""
    which = sheet.readable(model)
    if not which.any():
        return 0, 0, 1.0
    of = Tally.of(sheet.truth[which], sheet.right(model)[which])
    return of.n, of.right, of.p_above


def _comparisons(sheets: Sequence[Sheet]) -> Iterator[Comparison]:
    """Yields every two groups of records of which one is simpler than the other."""
    by_name = {(sheet.config, sheet.split): sheet for sheet in sheets}
    for sheet in sheets:
        if sheet.config == "shortest_path":
            groups = [(f"length {name}", sheet.truth == k) for k, name in enumerate(sheet.labels)]
            yield from _compared(sheet, [group for group in groups if group[1].any()])
        elif sheet.config in ("ham_cycle", "ham_path"):
            proof = 1 if sheet.config == "ham_cycle" else 3
            count = leaves(sheet)
            if count is not None:
                no = sheet.truth == 0
                named = ("a leaf", "no leaf") if proof == 1 else ("3 leaves", "fewer than 3")
                parts = [no & (count >= proof), no & (count < proof)]
                groups = [(f"no, {name}", part) for name, part in zip(named, parts, strict=True)]
                yield from _compared(sheet, [group for group in groups if group[1].any()])
        elif sheet.config == "easy_iso" and ("hard_iso", sheet.split) in by_name:
            other = by_name["hard_iso", sheet.split]
            both = (sheet.truth == 0, other.truth == 0)
            if both[0].any() and both[1].any():
                names = ("false pairs of easy_iso", "false pairs of hard_iso")
                yield Comparison((sheet, other), names, both)


def _compared(sheet: Sheet, groups: Sequence[tuple[str, NDArray[np.bool_]]]) -> list[Comparison]:
    """Returns every pair of groups of a sheet that stand in the order of their difficulty."""
    return [
        Comparison((sheet, sheet), (first[0], second[0]), (first[1], second[1]))
        for first, second in combinations(groups, 2)
    ]


def _measure(model: str, comparison: Comparison) -> tuple[int, int, int, int]:
    """Returns right and readable answers to the simpler and to the harder records."""
    counts = []
    for sheet, which in zip(comparison.sheets, comparison.which, strict=True):
        readable = which & sheet.readable(model)
        counts += [int((sheet.right(model) & readable).sum()), int(readable.sum())]
    return counts[0], counts[1], counts[2], counts[3]


def _row(
    model: str, comparison: Comparison, counts: tuple[int, int, int, int], p: float
) -> tuple[Any, ...]:
    right_simpler, simpler, right_harder, harder = counts
    sheet = comparison.sheets[1]  # of two, the harder one
    easy = Share(right_simpler / simpler) if simpler else None
    hard = Share(right_harder / harder) if harder else None
    shown = p < LEVEL and _readable(sheet, model)[2] < LEVEL
    configs = dict.fromkeys(one.config for one in comparison.sheets)
    return (
        model,
        " and ".join(configs),
        sheet.split,
        *comparison.names,
        simpler + harder,
        easy,
        hard,
        None if easy is None or hard is None else Points(hard - easy),
        Probability(p),
        "anomaly" if shown else "not shown" if p >= LEVEL else "near random, so not shown",
    )
