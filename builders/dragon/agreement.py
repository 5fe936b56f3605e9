"""How well annotators agree: percent and Cohen's kappa of their marks (Table 2, appendix D)."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any, Literal

from benchloom.builders.dragon.edits import find_edits
from benchloom.builders.dragon.resolution import find_fault, resolve_logs
from benchloom.builders.dragon.review_log import Decision, Log
from benchloom.builders.dragon.work import Evidence, WorkItem
from benchloom.builders.seeds import rng

Criterion = Literal["CVR", "CEA"]
CRITERIA: tuple[Criterion, ...] = ("CVR", "CEA")
RESAMPLES = 2000
LEAST_ITEMS = 5
"""With fewer, the bootstrap tells nothing."""
NORMAL_QUANTILE = 1.959963984540054
"""Of 95%: the intervals are of that confidence."""
PAPER: Mapping[tuple[str, Criterion], tuple[float, float]] = {
    ("chartqa", "CVR"): (87.0, 0.658),
    ("chartqa", "CEA"): (83.0, 0.589),
    ("circuit_vqa", "CVR"): (73.0, 0.464),
    ("circuit_vqa", "CEA"): (85.0, 0.540),
}
"""Table 2: percent and kappa."""

Interval = tuple[float, float]
Pair = tuple[bool, bool]
"""What two annotators marked for one item, in the order of their names."""


@dataclass(frozen=True)
class Agreement:
    """A row of the table.

    Attributes:
        source: The source of the items.
        criterion: What was marked.
        annotators: Who marked, by name.
        items: Items that two or more marked, and whose marks are of the same selected regions.
        pairs: Pairs of marks: one for each two annotators of an item.
        percent: Of the pairs whose marks are equal; None where there is no pair.
        percent_interval: Wilson's, as if each item were one pair: pairs of one item are not
            independent of one another. With two annotators it is that of the pairs.
        kappa: Cohen's; None where it is undefined: no pair, or all marks are equal.
        kappa_interval: Percentiles of the bootstrap over items; None where kappa is, with fewer
            than five items, and where all samples have one kappa.
        undefined: Part of the bootstrap's samples in which kappa is undefined; they are left out.
    """

    source: str
    criterion: Criterion
    annotators: tuple[str, ...]
    items: int
    pairs: int
    percent: float | None
    percent_interval: Interval | None
    kappa: float | None
    kappa_interval: Interval | None
    undefined: float

    def to_json(self) -> dict[str, Any]:
        """Returns the row as plain JSON values, with the paper's numbers beside it."""
        percent, kappa = PAPER.get((self.source, self.criterion), (None, None))
        return {**asdict(self), "paper_percent": percent, "paper_kappa": kappa}


@dataclass(frozen=True)
class AgreementTable:
    """Agreement for each source, and what was left out.

    Attributes:
        rows: By source, each criterion in turn.
        set_aside: A sentence for each mark that does not count.
    """

    rows: tuple[Agreement, ...]
    set_aside: tuple[str, ...]


def measure_agreement(items: Iterable[WorkItem], logs: Sequence[Log]) -> AgreementTable:
    """Returns the agreement of the marks in some logs; newly drawn boxes were not marked.

    Two marks are compared if they judge the same boxes. Marks of boxes that reviews have changed
    since are set aside: there is another selection to be marked now. Items that one annotator
    marked say nothing. With three or more annotators of an item, each two of them are a pair, and
    of a pair the name that comes first is the first rater.
    """
    known = {item.id: item for item in items}
    selections = {one.item.id: one.selection for one in resolve_logs(known.values(), logs).items}
    set_aside: list[str] = []
    marks: dict[str, list[Decision]] = {name: [] for name in known}
    for log in logs:
        for decision in log.last("marks").values():
            if reason := find_fault(decision, known):
                set_aside.append(f"{log.path}: the marks of {decision.item} {reason}")
            elif not decision.evidence:
                set_aside.append(f"{log.path}: the marks of {decision.item} judge no box at all")
            elif not is_current(decision, selections[decision.item]):
                set_aside.append(
                    f"{log.path}: the marks of {decision.item} are of boxes that reviews have "
                    "changed since; mark it again"
                )
            else:
                marks[decision.item].append(decision)
    sources: dict[str, list[list[tuple[Decision, Decision]]]] = {}
    for name, decisions in marks.items():
        compared: list[tuple[Decision, Decision]] = []
        for one, other in combinations(decisions, 2):
            if _is_same_selection(one.evidence, other.evidence):
                compared.append((one, other))
            else:
                set_aside.append(
                    f"{name}: {one.annotator} and {other.annotator} marked different boxes; one of "
                    "them has to mark it again"
                )
        if compared:
            sources.setdefault(known[name].item.source, []).append(compared)
    rows = [
        _row(source, criterion, sources[source]) for source in sources for criterion in CRITERIA
    ]
    return AgreementTable(tuple(rows), tuple(set_aside))


def is_current(marks: Decision, selection: Sequence[Evidence] | None) -> bool:
    """Tells whether marks judge the regions that are selected now.

    Args:
        marks: What was marked.
        selection: The regions; None where there is none yet, and so none that has changed.
    """
    return selection is None or _is_same_selection(marks.evidence, selection)


def _is_same_selection(one: Sequence[Evidence], other: Sequence[Evidence]) -> bool:
    edits = find_edits(one, other)
    return len(edits.kept) == len(one) == len(other)


def _row(
    source: str, criterion: Criterion, items: Sequence[Sequence[tuple[Decision, Decision]]]
) -> Agreement:
    marked = [[_marks(criterion, *two) for two in pairs] for pairs in items]
    pairs = [pair for of_item in marked for pair in of_item]
    agreed = sum(one == other for one, other in pairs)
    interval, undefined = bootstrap_kappa(marked, source, criterion)
    names = {one.annotator for of_item in items for pair in of_item for one in pair}
    return Agreement(
        source=source,
        criterion=criterion,
        annotators=tuple(sorted(names)),
        items=len(marked),
        pairs=len(pairs),
        percent=100 * agreed / len(pairs),
        percent_interval=wilson_interval(len(marked) * agreed / len(pairs), len(marked)),
        kappa=cohen_kappa(pairs),
        kappa_interval=interval,
        undefined=undefined,
    )


def _marks(criterion: Criterion, one: Decision, other: Decision) -> Pair:
    assert one.marks is not None
    assert other.marks is not None
    if criterion == "CVR":
        return one.marks.cvr, other.marks.cvr
    return one.marks.cea, other.marks.cea


def cohen_kappa(pairs: Sequence[Pair]) -> float | None:
    """Returns Cohen's kappa of two raters' yes and no, -1 to 1; None where it is undefined.

    It is undefined without pairs, and where chance alone gives full agreement: both raters gave
    one and the same mark to everything.
    """
    first, second = (sum(pair[i] for pair in pairs) for i in (0, 1))
    agreed = sum(one == other for one, other in pairs)
    return _kappa(len(pairs), first, second, agreed)


def _kappa(n: int, first: int, second: int, agreed: int) -> float | None:
    """Returns kappa from counts, exact until the one division."""
    by_chance = first * second + (n - first) * (n - second)  # times 1 / n²
    if by_chance == n * n:
        return None
    return (n * agreed - by_chance) / (n * n - by_chance)


def wilson_interval(hits: float, n: int) -> Interval | None:
    """Returns Wilson's 95% interval of a share in percent; None without anything counted.

    Args:
        hits: How many agree; of clusters, their number times the share of what is in them.
        n: How many there are.
    """
    if n == 0:
        return None
    z2 = NORMAL_QUANTILE**2
    centre = (hits + z2 / 2) / (n + z2)
    half = NORMAL_QUANTILE * math.sqrt(hits * (n - hits) / n + z2 / 4) / (n + z2)
    low = 0.0 if hits == 0 else centre - half
    high = 1.0 if hits == n else centre + half
    return 100 * low, 100 * high


def bootstrap_kappa(
    items: Sequence[Sequence[Pair]], source: str, criterion: Criterion
) -> tuple[Interval | None, float]:
    """Returns the 95% percentile interval of kappa, and the part of samples without a kappa.

    There is no interval with fewer than five items, and none if all samples have one kappa.
    Items are drawn with replacement, each with all its pairs, 2,000 times; the random numbers are
    those of the source and the criterion, so that equal marks give equal intervals.
    """
    if cohen_kappa([pair for pairs in items for pair in pairs]) is None:
        return None, 1.0
    import numpy as np

    counts = np.array(
        [
            (
                len(pairs),
                sum(one for one, _ in pairs),
                sum(other for _, other in pairs),
                sum(one == other for one, other in pairs),
            )
            for pairs in items
        ],
        dtype=np.int64,
    )
    draw = rng("dragon", "agreement", source, criterion)
    kappas: list[float] = []
    for _ in range(RESAMPLES):
        drawn = counts[draw.integers(0, len(items), size=len(items))]
        n, first, second, agreed = (int(total) for total in drawn.sum(axis=0))
        kappa = _kappa(n, first, second, agreed)
        if kappa is not None:
            kappas.append(kappa)
    undefined = 1 - len(kappas) / RESAMPLES
    if len(items) < LEAST_ITEMS or len(set(kappas)) < 2:
        return None, undefined
    low, high = np.quantile(kappas, (0.025, 0.975))
    return (float(low), float(high)), undefined
