"""The charts of GraphOmni's scores."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from benchloom.builders.statistics import Bars, Chart, HeatMap, Lines
from benchloom.loaders.scores.graphomni_baselines import RANDOM, SHORTCUT, Baselines
from benchloom.loaders.scores.graphomni_estimates import accuracy
from benchloom.loaders.scores.graphomni_sheet import Flags, Floats, Sheet

LENGTHS = (0, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000)
"""Where groups of lengths begin, in characters."""

LEAST_ANSWERS = 20
"""Groups of fewer answers are not drawn: their accuracy says nothing."""


FEW_MODELS = 4
"""Up to so many models every one has a heat map of each task; more have one of all tasks."""


def charts(sheet: Sheet, base: Baselines) -> list[Chart]:
    """Returns bars by task and difficulty, a heat map of each model, accuracy against length."""
    return [task_bars(sheet, base), *heat_maps(sheet), *length_lines(sheet)]


def task_bars(sheet: Sheet, base: Baselines) -> Chart:
    """Returns bars of each task, a panel for each difficulty (the paper's Figure 2)."""
    tasks = sheet.factors["task"]
    panels = []
    for title, rows in _levels(sheet, "difficulty"):
        present = [code for code in range(len(tasks.names)) if (rows & (tasks.codes == code)).any()]
        cells = [rows & (tasks.codes == code) for code in present]
        reached = {
            model: [
                accuracy(judged.right[sheet.grader][cell], sheet.questions[cell]) for cell in cells
            ]
            for model, judged in sheet.models.items()
        }
        panels.append(
            Bars(
                title,
                "",
                "accuracy",
                [tasks.names[code] for code in present],
                {model: [one.share for one in of] for model, of in reached.items()},
                intervals={model: [one.clustered for one in of] for model, of in reached.items()},
                baselines={
                    RANDOM: [_mean(base.random, cell) for cell in cells],
                    SHORTCUT: [_mean(base.best, cell) for cell in cells],
                },
                shares=True,
            )
        )
    side_by_side = len(sheet.models) <= FEW_MODELS
    return Chart(
        "tasks",
        "Accuracy by task, with 95% intervals",
        [panels] if side_by_side else [[panel] for panel in panels],
    )


def heat_maps(sheet: Sheet) -> list[Chart]:
    """Returns prompt scheme × serialisation for each model and task (the paper's Figure 4)."""
    if not {"prompt_scheme", "serialization"} <= set(sheet.factors):
        return []
    if len(sheet.factors["prompt_scheme"].names) * len(sheet.factors["serialization"].names) < 2:
        return []
    tasks = _levels(sheet, "task")
    if len(tasks) > 1:
        every = ("all tasks", np.ones(sheet.records, bool))
        tasks = [*tasks, every] if len(sheet.models) <= FEW_MODELS else [every]
    found = []
    for number, model in enumerate(sheet.models, 1):
        panels = [_heat_map(sheet, sheet.right(model), title, rows) for title, rows in tasks]
        pairs = [panels[start : start + 2] for start in range(0, len(panels), 2)]
        title = f"{model}: accuracy by prompt scheme and serialisation"
        found.append(Chart(f"heat_map_{number}", title, pairs))
    return found


def _heat_map(sheet: Sheet, right: Floats, title: str, rows: Flags) -> HeatMap:
    prompts, formats = sheet.factors["prompt_scheme"], sheet.factors["serialization"]
    width = len(formats.names)
    codes = (prompts.codes * width + formats.codes)[rows]
    size = len(prompts.names) * width
    counts = np.bincount(codes, minlength=size)
    sums = np.bincount(codes, right[rows], size)
    values = [
        float(hits) / int(count) if count else None
        for hits, count in zip(sums, counts, strict=True)
    ]
    return HeatMap(
        title,
        prompts.names,
        formats.names,
        [values[start : start + width] for start in range(0, size, width)],
        x="serialisation",
        y="prompt scheme",
        shares=True,
    )


def length_lines(sheet: Sheet) -> list[Chart]:
    """Returns accuracy against the length of the answer (after the paper's Figure 32)."""
    lengths = {
        model: np.searchsorted(LENGTHS, judged.lengths, "right") - 1
        for model, judged in sheet.models.items()
    }
    counts = {
        model: np.bincount(of[of >= 0], minlength=len(LENGTHS)) for model, of in lengths.items()
    }
    drawn = [
        group
        for group in range(len(LENGTHS))
        if any(of[group] >= LEAST_ANSWERS for of in counts.values())
    ]
    if len(drawn) < 2:
        return []
    shares: dict[str, list[float | None]] = {}
    intervals: dict[str, list[tuple[float, float] | None]] = {}
    for model, judged in sheet.models.items():
        shares[model], intervals[model] = [], []
        for group in drawn:
            if counts[model][group] < LEAST_ANSWERS:
                shares[model].append(None)
                intervals[model].append(None)
                continue
            rows = lengths[model] == group
            reached = accuracy(judged.right[sheet.grader][rows], sheet.questions[rows])
            shares[model].append(reached.share)
            intervals[model].append(reached.clustered)
    panel = Lines(
        "",
        "characters of the answer",
        "accuracy",
        [_range(group) for group in drawn],
        shares,
        intervals=intervals,
        shares=True,
    )
    return [Chart("lengths", "Accuracy by length of the answer", [[panel]])]


def _range(group: int) -> str:
    low = f"{LENGTHS[group]:,}"
    return f"{low}-{LENGTHS[group + 1] - 1:,}" if group + 1 < len(LENGTHS) else f"{low} or more"


def _levels(sheet: Sheet, name: str) -> list[tuple[str, Flags]]:
    """Returns the levels of a factor with their records; one of all where there is no factor."""
    if name not in sheet.factors:
        return [("", np.ones(sheet.records, bool))]
    factor = sheet.factors[name]
    return [(level, factor.codes == code) for code, level in enumerate(factor.names)]


def _mean(values: Sequence[float] | Floats, rows: Flags) -> float | None:
    mean = float(np.mean(np.asarray(values)[rows]))
    return None if np.isnan(mean) else mean
