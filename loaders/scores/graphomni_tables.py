"""The tables of GraphOmni's scores, in the paper's layouts as far as it has them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np

from benchloom.builders.statistics import Probability, Share, Table
from benchloom.loaders.scores.graphomni_baselines import RANDOM, SHORTCUT, Baselines
from benchloom.loaders.scores.graphomni_estimates import (
    FEWEST_COMBINATIONS,
    FEWEST_QUESTIONS,
    MeanMargin,
    accuracy,
    combined,
    mean_margin,
    means,
)
from benchloom.loaders.scores.graphomni_sheet import Codes, Flags, Floats, Sheet, groups

ALL_TASKS = "all tasks"
WORDS = {
    "task": "task",
    "difficulty": "difficulty",
    "generator": "generator",
    "serialization": "serialisation",
    "prompt_scheme": "prompt scheme",
}
"""What factors are called in sentences."""

FACTOR_TABLES = {
    "difficulty": "table_3",
    "prompt_scheme": "by_prompt",
    "serialization": "by_serialization",
    "generator": "by_generator",
}
"""The tables of means over combinations, by the factor that is not averaged over."""

BASELINES_NOTE = (
    "Random guesses: the share right that is to be expected of one who guesses as the paper's "
    "random baseline does (connectivity always yes, cycle a coin, diameter 1 to n, triangle 1 to "
    "60 or fewer, shortest_path source and target alone, hamiltonian_cycle none, otherwise never "
    "right). Best shortcut: the rule that does best at each task and difficulty without solving "
    "it, chosen with the answers at hand."
)

TOO_FEW = f"It needs {FEWEST_QUESTIONS} questions; with fewer there is none."


def overview(sheet: Sheet, base: Baselines) -> Table:
    """Returns a row for each model, then one for each baseline; strict and lenient side by side."""
    grader = sheet.grader
    graders = tuple(dict.fromkeys(("strict", "lenient", grader)))
    head = [
        "model", "records", "answered", "missing", "unparseable", "accuracy", "95% interval",
        *(["95% by question"] if sheet.has_forms else []), *graders,
    ]  # fmt: skip
    rows: list[list[Any]] = []
    for model, judged in sheet.models.items():
        reached = accuracy(judged.right[grader], sheet.questions)
        missing = judged.count("missing")
        rows.append(
            [
                model,
                sheet.records,
                sheet.records - missing,
                missing,
                judged.count("unparseable"),
                reached.share,
                reached.wilson,
                *([reached.clustered] if sheet.has_forms else []),
                *(Share(judged.right[one].mean()) for one in graders),
            ]
        )
    for name, values in _baseline_values(base):
        if not np.isnan(values).any():
            row = [name, sheet.records, None, None, None, Share(np.mean(values))]
            rows.append([*row, *[None] * (len(head) - len(row))])
    note = f"Accuracy is that of the grader {grader}; missing and unparseable answers are wrong. "
    note += "The 95% interval is Wilson's"
    if sheet.has_forms:
        forms = sheet.records / len(sheet.instances)
        note += (
            ", as if every record were a question of its own. They are not: the records ask "
            f"{len(sheet.instances):,} questions, each in {forms:.4g} forms on average, and the "
            "forms of one question go right and wrong together. The interval by question allows "
            "for that, with Student's t on the spread between questions; take it for what a model "
            f"would reach on other graphs. {TOO_FEW}"
        )
    note = f"{note.rstrip('.')}. {BASELINES_NOTE}"
    return Table("overview", "Models and baselines", tuple(head), rows, note)


def _baseline_values(base: Baselines) -> list[tuple[str, Floats]]:
    return [(RANDOM, base.random), (SHORTCUT, base.best)]


def factor_tables(sheet: Sheet, base: Baselines) -> list[Table]:
    """Returns the means over combinations, for each factor with more than one level."""
    tables = []
    for factor, name in FACTOR_TABLES.items():
        given = factor in sheet.factors
        if name == "table_3" or (given and len(sheet.factors[factor].names) > 1):
            tables.append(_factor_table(sheet, base, factor if given else None, name))
    return tables


def _factor_table(sheet: Sheet, base: Baselines, factor: str | None, name: str) -> Table:
    """Returns a table of tasks and models with a column for each level of a factor.

    Args:
        sheet: The judged answers.
        base: The baselines.
        factor: The factor, None for one column over everything.
        name: Name of the table.
    """
    tasks = sheet.factors["task"]
    levels = () if factor is None else sheet.factors[factor].names
    inside = (
        [np.ones(sheet.records, bool)]
        if factor is None
        else [sheet.factors[factor].codes == code for code in range(len(levels))]
    )
    averaged = [
        one
        for one in ("difficulty", "generator", "prompt_scheme", "serialization")
        if one in sheet.factors and one != factor
    ]
    rows: list[tuple[Any, ...]] = []
    for task in [*tasks.names, *([ALL_TASKS] if len(tasks.names) > 1 else [])]:
        one_task = task != ALL_TASKS
        over = averaged if one_task else ["task", *averaged]
        combinations = combined([sheet.factors[one] for one in over], sheet.records)
        of_task = (
            tasks.codes == tasks.names.index(task) if one_task else np.ones(sheet.records, bool)
        )
        cells = [of_task & some for some in inside]
        for model in sheet.models:
            right = sheet.right(model)
            rows.append(
                (
                    task,
                    model,
                    *(
                        mean_margin(means(right, cell, combinations)) if cell.any() else None
                        for cell in cells
                    ),
                )
            )
        for baseline, values in _baseline_values(base):
            reached = [_expected(values, cell, combinations) for cell in cells]
            if any(one is not None for one in reached):
                rows.append((task, baseline, *reached))
    return Table(
        name,
        "Mean accuracy ± 95% confidence by task"
        + ("" if factor is None else f" and {WORDS[factor]}")
        + (" (the paper's Table 3)" if name == "table_3" else ""),
        ("task", "model", *_heads(levels or ["accuracy"])),
        rows,
        _factor_note(sheet, averaged),
        on_card=name == "table_3",
    )


def _expected(values: Floats, rows: Flags, combinations: Codes) -> MeanMargin | None:
    """Returns a baseline's mean; it is an expectation and has no margin."""
    if not rows.any() or np.isnan(values[rows]).any():
        return None
    return MeanMargin((mean_margin(means(values, rows, combinations))[0], None))


def _factor_note(sheet: Sheet, averaged: Sequence[str]) -> str:
    names = [WORDS[name] for name in averaged]
    if not names:
        return "Accuracy in percent, over the records. Baselines as in the overview."
    absent = [
        WORDS[name]
        for name in ("generator", "prompt_scheme", "serialization")
        if name not in sheet.factors
    ]
    return (
        "In percent. What is averaged: the accuracy of each combination of "
        f"{' × '.join(names)} that occurs in the cell, each combination counting the same; ± is "
        "Student's 95% interval of that mean, from the spread between the combinations (section "
        f"4.1), left out for fewer than {FEWEST_COMBINATIONS}. It tells how much the accuracy "
        "hangs on them, not how it would be on other graphs"
        + (f"; the records do not tell {' and '.join(absent)}" if absent else "")
        + f". The rows of {ALL_TASKS} average over the tasks, too. Baselines as in the overview."
    )


def _heads(levels: Sequence[str]) -> list[str]:
    """Returns heads of columns that are not called like those before them."""
    return [f"{level} " if level in ("task", "model") else level for level in levels]


def cell_table(sheet: Sheet, base: Baselines) -> Table:
    """Returns a row for each model, task and difficulty: counts, accuracy, intervals, guessing."""
    names = [name for name in ("task", "difficulty") if name in sheet.factors]
    head = [
        *names, "model", "questions", "records", "accuracy", "95% interval",
        *(["95% by question"] if sheet.has_forms else []),
        "unparseable", "missing", "random guesses", "p",
    ]  # fmt: skip
    rows: list[list[Any]] = []
    for levels, inside in groups(sheet, names):
        questions = sheet.questions[inside]
        chance = float(base.random[inside].mean())
        for model, judged in sheet.models.items():
            reached = accuracy(judged.right[sheet.grader][inside], questions)
            verdicts = np.array(judged.verdicts)[inside]
            p = reached.p_above(chance)
            rows.append(
                [
                    *levels,
                    model,
                    len(np.unique(questions)),
                    reached.records,
                    reached.share,
                    reached.wilson,
                    *([reached.clustered] if sheet.has_forms else []),
                    Share((verdicts == "unparseable").mean()),
                    Share((verdicts == "missing").mean()),
                    Share(chance),
                    None if p is None else Probability(p),
                ]
            )
    return Table(
        "cells",
        f"Accuracy by {' and '.join(names)}",
        tuple(head),
        rows,
        "Records right of all records. Intervals as in the overview. p: how often guessing would "
        "reach as much or more (binomial test"
        + (
            f", of as many records as the interval by question rests on). {TOO_FEW}"
            if sheet.has_forms
            else ")."
        ),
    )


def shortcut_table(sheet: Sheet, base: Baselines) -> Table | None:
    """Returns what each shortcut reaches by difficulty, None if no task has any."""
    difficulties = sheet.factors["difficulty"].names if "difficulty" in sheet.factors else ("",)
    rows = [
        (task, rule, *(_share(reached.get(one)) for one in difficulties))
        for (task, rule), reached in base.rules.items()
    ]
    if not rows:
        return None
    order = sheet.factors["task"].names
    rows.sort(key=lambda row: order.index(row[0]))
    return Table(
        "shortcuts",
        "What rules reach that do not solve the task",
        ("task", "rule", *(_heads(difficulties) if difficulties != ("",) else ["accuracy"])),
        rows,
        "Share of the questions that a rule answers rightly, each question once. A model that does "
        "no better may have learned the rule.",
    )


def _share(value: float | None) -> Share | None:
    return None if value is None else Share(value)


def length_table(sheet: Sheet) -> Table:
    """Returns how long answers are, in all and by task, and those of right and of wrong ones."""
    tasks = sheet.factors["task"]
    rows: list[tuple[Any, ...]] = []
    for model, task in product(sheet.models, [*tasks.names, ALL_TASKS]):
        if task == ALL_TASKS and len(tasks.names) == 1:
            continue
        lengths = sheet.models[model].lengths
        here = lengths >= 0
        if task != ALL_TASKS:
            here &= tasks.codes == tasks.names.index(task)
        if not here.any():
            continue
        right = sheet.models[model].right[sheet.grader] & here
        wrong = here & ~right
        quartiles = np.percentile(lengths[here], (50, 90))
        rows.append(
            (
                task,
                model,
                int(here.sum()),
                float(lengths[here].mean()),
                *map(float, quartiles),
                *(float(lengths[some].mean()) if some.any() else None for some in (right, wrong)),
                Share(right.sum() / here.sum()),
            )
        )
    return Table(
        "lengths",
        "Length of the answers in characters",
        ("task", "model", "answers", "mean", "median", "90% at most", "right, mean",
         "wrong, mean", "accuracy"),
        rows,
        "Characters, since every model has tokens of its own; some four make a token. "
        "Accuracy is of the answers that are there.",
    )  # fmt: skip
