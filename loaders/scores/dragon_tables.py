"""DRAGON's scores in the layouts of the paper's Tables 3 to 7, and how answers were read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from benchloom.builders.dragon.sources import SOURCES
from benchloom.builders.statistics import Bars, Chart, Interval, Lines, Share, Table
from benchloom.loaders.answers.dragon import CORRECT_ABOVE, READERS, Reader
from benchloom.loaders.answers.evidence import WITHOUT_ID
from benchloom.loaders.answers.evidence_coordinates import (
    MAYBE_RATIOS,
    MAYBE_THOUSANDTHS,
    MAYBE_XYXY,
    NAMED_XYXY,
    OUTSIDE,
)
from benchloom.loaders.scores.dragon_sheet import EVERYTHING, STRATEGIES, Sheet, Summary
from benchloom.loaders.scores.grounding import exceeds
from benchloom.loaders.scores.uncertainty import wilson

DOUBTS = {
    "without ids": (WITHOUT_ID,),
    "boxes outside": (OUTSIDE,),
    "maybe parts": (MAYBE_RATIOS,),
    "maybe x1,y1,x2,y2": (MAYBE_XYXY, NAMED_XYXY),
    "maybe thousandths": (MAYBE_THOUSANDTHS,),
}
"""Columns for the warnings about ids and coordinates, and what these say."""
MOST_PRINTED = 30
"""The long table is printed only up to so many rows."""
_METRICS = (
    "MP_IoU: the best IoU of a predicted and a gold box, G_IoU: the IoU of all predicted and all "
    "gold boxes, both means over records. "
)
_F1 = (
    "F1@τ: of mean precision and mean recall, where a box is found if its IoU with any box of the "
    "other side is τ or more. "
)
_EVERY = (
    "Every record counts, with 0 where no box was predicted. Boxes are not cut to the image, and "
    "one without an area counts and matches nothing."
)
_INTERVALS = " Intervals are 95%, by drawing pictures 10,000 times."


def title(source: str) -> str:
    """Returns the name of a source in the paper."""
    if source == EVERYTHING:
        return "all"
    return SOURCES[source].title if source in SOURCES else source or "(no source)"


def overview(
    sheets: Sequence[Sheet], both: Mapping[str, Mapping[Reader, Sheet]], baseline: Sheet
) -> Table:
    """Returns a row for each model, then the baseline.

    Args:
        sheets: Each model's sheet by the reader that was chosen.
        both: Each model's sheets by both readers.
        baseline: The baseline.
    """
    levels = baseline.found.thresholds
    rows = []
    for sheet in (*sheets, baseline):
        n, right = len(sheet.correct), int(sheet.correct.sum())
        counts: list[Any] = [None] * 4
        accuracies: list[Any] = [None] * 2
        if sheet is not baseline:
            absent = sum(answer is None for answer in sheet.answers)
            empty = int((sheet.found.predicted == 0).sum())
            counts = [n - absent, absent, empty - absent, Share(empty / n)]
            accuracies = [Share(both[sheet.model][reader].correct.mean()) for reader in READERS]
        means = _means(sheet)
        rows.append(
            (
                *(sheet.model, n, *counts[:3], Share(right / n)),
                *(Interval(map(Share, wilson(right, n))), *accuracies, counts[3]),
                *map(Share, (means.best_iou, means.union_iou, *means.f1)),
            )
        )
    head = ["model", "records", "answered", "missing", "unparseable", "accuracy", "95% interval"]
    head += [*READERS, "no box", "MP_IoU", "G_IoU", *(f"F1@{level:g}" for level in levels)]
    note = (
        f"An answer is correct where G_IoU is above {CORRECT_ABOVE:g}; unparseable: no well-formed "
        f"box. {_METRICS}{_F1}{_EVERY} The row in brackets is a baseline, "
        "one box around everything."
    )
    return Table("overview", "Overview", tuple(head), rows, note)


def reading(sheets: Sequence[Sheet]) -> Table:
    """Returns what the reader found in the answers of each model, and what it doubts."""
    rows = []
    for sheet in sheets:
        answers = [answer for answer in sheet.answers if answer is not None]
        boxes = sum(len(answer.boxes) for answer in answers)
        malformed = sum(len(answer.malformed) for answer in answers)
        empty = int((sheet.found.predicted == 0).sum())
        doubts = count_doubts(sheet)
        rows.append(
            (
                *(sheet.model, boxes, boxes / len(sheet.answers), empty),
                *(Share(empty / len(sheet.answers)), malformed),
                Share(malformed / (boxes + malformed)) if boxes + malformed else None,
                sum(bool(answer.malformed) for answer in answers),
                *(doubts[name] for name in DOUBTS),
            )
        )
    head = ["model", "boxes", "boxes a record", "records without a box", "empty rate"]
    head += ["malformed", "malformed rate", "answers with malformed", *DOUBTS]
    note = (
        "Malformed: what stands where a box should and is none; it is left out, and the rate is of "
        "boxes and malformed together. The last columns count answers whose boxes have no ids "
        "(they are numbered) or whose numbers may be meant otherwise; nothing was changed for it "
        "(see --coordinates)."
    )
    return Table("reading", "How answers were read", tuple(head), rows, note)


def count_doubts(sheet: Sheet) -> Counter[str]:
    """Returns in how many answers of a model each doubt arose."""
    return Counter(
        name
        for answer in sheet.answers
        if answer is not None and answer.warnings
        for name, sayings in DOUBTS.items()
        if any(words in warning for warning in answer.warnings for words in sayings)
    )


def grounding(sheets: Sequence[Sheet]) -> Table:
    """Returns a row for each model and source, with intervals; the baseline may be among them."""
    levels = sheets[0].found.thresholds
    rows = []
    for sheet in sheets:
        for source, means in sheet.summaries.items():
            best, union, *f1 = (
                None if ends is None else Interval(map(Share, ends)) for ends in means.intervals
            )
            row: list[Any] = [sheet.model, title(source), means.n]
            row += [Share(means.best_iou), best, Share(means.union_iou), union]
            for place, ends in enumerate(f1):
                values = means.precision[place], means.recall[place], means.f1[place]
                row += [*map(Share, values), ends]
            rows.append(row)
    head = ["model", "source", "records"]
    head += ["MP_IoU", "MP_IoU interval", "G_IoU", "G_IoU interval"]
    for level in levels:
        head += [f"{name}@{level:g}" for name in ("P", "R", "F1")]
        head.append(f"F1@{level:g} interval")
    return Table(
        "grounding",
        "Grounding by source",
        tuple(head),
        rows,
        _METRICS + _F1 + _EVERY + _INTERVALS,
        on_card=len(rows) <= MOST_PRINTED,
    )


def by_strategy(sheets: Sequence[Sheet]) -> Table:
    """Returns models and strategies by source, in the layout of Table 3."""
    return _wide(
        "strategies",
        "Grounding by model, strategy and source (layout of Table 3)",
        sheets,
        _columns(sheets),
        f"{_METRICS}{_F1}{_EVERY} The F1 of the paper's Table 3 is over thresholds that it does "
        "not state; that of its Table 5 is F1@0.5.",
    )


def hit_rates(sheets: Sequence[Sheet], place: int) -> Table:
    """Returns hit rates at one threshold, in the layout of Tables 6 and 7."""
    level = f"{sheets[0].found.thresholds[place]:g}"
    ordered = sorted(sheets, key=_by_strategy_first)
    return _wide(
        f"hit_rates_{level}",
        f"Hit rates at τ = {level} (layout of Tables 6 and 7)",
        ordered,
        {
            f"MaxIoU@{level}": lambda means: means.best_hits[place],
            f"GIoU@{level}": lambda means: means.union_hits[place],
            f"F1@{level}": lambda means: means.f1[place],
        },
        f"MaxIoU@τ and GIoU@τ: part of the records whose best IoU, or IoU of all boxes, is above τ "
        f"(the paper's columns MPIoU and GIoU). {_F1}{_EVERY}",
    )


def by_model(sheets: Sequence[Sheet]) -> Table | None:
    """Returns means over strategies, in the layout of Table 4; None where no name tells any."""
    named: dict[str, list[Sheet]] = {}
    for sheet in sheets:
        if sheet.strategy is not None:
            named.setdefault(sheet.name, []).append(sheet)
    if not named:
        return None
    columns = _columns(sheets)
    rows = []
    for name, of in named.items():
        strategies = [one for one in STRATEGIES if any(sheet.strategy == one for sheet in of)]
        row: list[Any] = [name, ", ".join(strategies)]
        for source in of[0].summaries:
            for measure in columns.values():
                row.append(Share(np.mean([measure(sheet.summaries[source]) for sheet in of])))
        rows.append(row)
    return Table(
        "models",
        "Grounding by model, averaged over strategies (layout of Table 4)",
        ("model", "strategies", *_head(sheets[0].summaries, columns)),
        rows,
        f"Each number is the mean of those of the strategies that are named. {_METRICS}{_F1}",
    )


def charts(sheets: Sequence[Sheet], baseline: Sheet) -> list[Chart]:
    """Returns bars of the metrics by source, and hit rates against the threshold."""
    panels = []
    for place, (name, measure) in enumerate(_columns(sheets).items()):
        sources = list(baseline.summaries)
        panels.append(
            Bars(
                name,
                "",
                "mean",
                [title(source) for source in sources],
                {s.model: [measure(s.summaries[source]) for source in sources] for s in sheets},
                {
                    s.model: [s.summaries[source].intervals[place] for source in sources]
                    for s in sheets
                },
                {baseline.model: [measure(baseline.summaries[source]) for source in sources]},
                shares=True,
            )
        )
    levels = [number / 10 for number in range(1, 10)]
    hits = [
        Lines(
            words,
            "threshold τ",
            "part of the records",
            [f"{level:g}" for level in levels],
            {
                sheet.model: [
                    float(exceeds(getattr(sheet.found, name), level).mean()) for level in levels
                ]
                for sheet in sheets
            },
            shares=True,
        )
        for words, name in (
            ("MaxIoU@τ: one box", "best_iou"),
            ("GIoU@τ: all boxes", "union_iou"),
        )
    ]
    return [
        Chart(
            "grounding",
            "Grounding by source",
            [panels[start : start + 2] for start in range(0, len(panels), 2)],
        ),
        Chart("hits", "Hit rates against the threshold", [hits]),
    ]


Measure = Callable[[Summary], float]


def _columns(sheets: Sequence[Sheet]) -> dict[str, Measure]:
    """Returns the metrics of Tables 3 to 5 in the order of a summary's intervals."""

    def f1_at(place: int) -> Measure:
        return lambda means: means.f1[place]

    return {
        "MP_IoU": lambda means: means.best_iou,
        "G_IoU": lambda means: means.union_iou,
        **{f"F1@{level:g}": f1_at(at) for at, level in enumerate(sheets[0].found.thresholds)},
    }


def _wide(
    name: str,
    words: str,
    sheets: Sequence[Sheet],
    columns: Mapping[str, Measure],
    note: str,
) -> Table:
    """Returns a row for each model and strategy, with columns for each source."""
    rows = []
    for sheet in sheets:
        row: list[Any] = [sheet.name, sheet.strategy]
        for means in sheet.summaries.values():
            row += [Share(measure(means)) for measure in columns.values()]
        rows.append(row)
    return Table(
        name, words, ("model", "strategy", *_head(sheets[0].summaries, columns)), rows, note
    )


def _head(sources: Iterable[str], columns: Mapping[str, Measure]) -> list[str]:
    return [f"{title(source)} {column}" for source in sources for column in columns]


def _by_strategy_first(sheet: Sheet) -> int:
    return STRATEGIES.index(sheet.strategy) if sheet.strategy else len(STRATEGIES)


def _means(sheet: Sheet) -> Summary:
    """Returns the means over all records."""
    return list(sheet.summaries.values())[-1]
