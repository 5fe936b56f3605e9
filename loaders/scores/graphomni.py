"""Scores on GraphOmni: the paper's tables and figures, with baselines and intervals (section 4)."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchloom.builders.benchmark import Option
from benchloom.builders.graphomni.grid import NP_HARD
from benchloom.builders.registry import lookup
from benchloom.builders.statistics import Table
from benchloom.loaders.answers import GRADERS, Grader, grader_version
from benchloom.loaders.scores.comparison import comparison_table
from benchloom.loaders.scores.graphomni_baselines import Baselines, baselines
from benchloom.loaders.scores.graphomni_charts import charts
from benchloom.loaders.scores.graphomni_estimates import FEWEST_QUESTIONS, accuracy
from benchloom.loaders.scores.graphomni_sheet import Sheet, judge_all, verdict_table
from benchloom.loaders.scores.graphomni_tables import (
    cell_table,
    factor_tables,
    length_table,
    overview,
    shortcut_table,
)
from benchloom.loaders.scores.matching import Matched, prepare
from benchloom.loaders.scores.printable import printable
from benchloom.loaders.scores.references import References
from benchloom.loaders.scores.result import Result
from benchloom.loaders.scores.uncertainty import least_difference

OPTIONS: tuple[Option, ...] = ()
"""GraphOmni has no options of its own."""

GREAT_GAP = 0.02
"""A difference between strict and lenient, or a share of unparseable answers, worth a sentence."""


def score(
    predictions: Any,
    references: Any,
    *,
    config: str | None = None,
    split: str | None = None,
    grader: Grader = "lenient",
    answered_only: bool = False,
) -> Result:
    """Returns the scores of one or several models on GraphOmni.

    Tables: `overview`; `table_3`, means over combinations by task and difficulty, and the same
    `by_prompt`, `by_serialization` and `by_generator`; `cells`, counts and intervals; `comparison`
    of the models; `shortcuts`; `lengths` of the answers. Tables and charts by factors that the
    records do not have are left out.

    The verdicts have, besides what every benchmark's have, `instance_id` and the factors, `strict`
    and `lenient` (whether these call the answer right), and `characters`.

    Args:
        predictions: What `as_predictions` takes.
        references: What `as_references` takes. Records need `id`, `task`, `n_nodes`, `edges`,
            `answer`, and `source` and `target` where the task has them. Those with one
            `instance_id` are forms of one question.
        config: The config; by default those of which the predictions name a record.
        split: The split; by default those of which the predictions name a record.
        grader: `strict`, `lenient`, or `reference`, which imitates the published evaluator; tasks
            that it does not know are left out.
        answered_only: Whether only records that every model answered count.

    Raises:
        InputError: If predictions or references cannot be used, or there is no such grader.
    """
    lookup(dict.fromkeys(GRADERS), grader, "grader")
    used, matched = prepare("graphomni", predictions, references, config, split, answered_only)
    if grader == "reference":
        used, matched = _published(used, matched)
    sheet = judge_all(used, matched, grader)
    base = baselines(sheet)
    shortcuts = shortcut_table(sheet, base)
    return Result(
        "graphomni",
        grader,
        grader_version("graphomni", grader),
        used.data,
        tuple(sheet.models),
        verdict_table(sheet, used),
        [
            overview(sheet, base),
            *factor_tables(sheet, base),
            *_comparison(sheet),
            cell_table(sheet, base),
            *([] if shortcuts is None else [shortcuts]),
            length_table(sheet),
        ],
        charts(sheet, base),
        sentences(sheet, base),
        matched.remarks,
    )


def _published(references: References, matched: Matched) -> tuple[References, Matched]:
    """Returns what is of the six published tasks, of which alone the evaluator knows.

    If there is nothing of them, all is returned, which its judge refuses.
    """
    tasks = references.table.column("task").to_pylist()
    kept = [place for place, task in enumerate(tasks) if task not in NP_HARD]
    if not kept or len(kept) == len(tasks):
        return references, matched
    left = ", ".join(dict.fromkeys(task for task in tasks if task in NP_HARD))
    remark = (
        f"{len(tasks) - len(kept):,} records of {left} are left out: the grader reference imitates "
        "the published evaluator, which does not know them; strict and lenient do"
    )
    return references.taken(kept), matched.taken(kept, remark)


def _comparison(sheet: Sheet) -> list[Table]:
    if len(sheet.models) < 2:
        return []
    right = {model: sheet.right(model) for model in sheet.models}
    clusters = sheet.questions if sheet.has_forms else None
    return [comparison_table(tuple(sheet.models), right, clusters)]


def sentences(sheet: Sheet, base: Baselines) -> list[str]:
    """Returns what the records can and cannot tell of each model, in plain words."""
    said = []
    chance = float(np.mean(base.random))
    many, questions = sheet.records, len(sheet.instances)
    if sheet.has_forms:
        said.append(
            f"The {many:,} records ask {questions:,} questions, each in several forms. The forms "
            "of one question go right and wrong together, so they tell less than as many questions "
            "would; the intervals here allow for that. Margins in the tables of means tell another "
            "thing: how much the accuracy hangs on prompt scheme, serialisation and generator."
        )
    for model, judged in sheet.models.items():
        name = printable(model)
        reached = accuracy(judged.right[sheet.grader], sheet.questions)
        text = f"{name}: {reached.right:,} of {many:,} right, {reached.share}"
        if reached.clustered is None:
            said.append(
                f"{text}. That is of {questions:,} questions only, in several forms each, which "
                f"are too few (below {FEWEST_QUESTIONS}) to say what it would be on other graphs; "
                f"guessing gives {chance:.1%}."
            )
        else:
            low, high = reached.clustered
            n = max(1, round(reached.effective or 0))
            least = least_difference(n, round(reached.share * n))
            worth = (
                f" {many:,} records tell here as much as {n:,} questions in one form."
                if sheet.has_forms
                else ""
            )
            said.append(
                f"{text}, and with 95% confidence between {low} and {high} on other graphs of the "
                f"same kind; guessing gives {chance:.1%}.{worth} Another model that differs by "
                f"less than about {100 * least:.1f} points cannot be told apart from it, unless "
                "they are compared on the same records."
            )
        strict, lenient = (float(judged.right[one].mean()) for one in ("strict", "lenient"))
        if lenient - strict >= GREAT_GAP:
            said.append(
                f"{name}: strict finds {strict:.1%} right and lenient {lenient:.1%}; the rest are "
                "right answers in a form that strict does not take."
            )
        unparseable = judged.count("unparseable") / many
        if unparseable >= GREAT_GAP:
            said.append(
                f"{name}: {unparseable:.1%} of the answers claim nothing that the grader "
                f"{sheet.grader} can read, and count as wrong; look at some of them."
            )
    return said
