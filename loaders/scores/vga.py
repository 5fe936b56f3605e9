"""Scores on VGA: accuracy by task and layout, confusion, parts, anomalies (sections 4 and 5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from benchloom.builders.benchmark import Option
from benchloom.builders.errors import InputError
from benchloom.builders.statistics import Interval, Share, Table
from benchloom.loaders.answers import vga as answers
from benchloom.loaders.answers.verdict import Grader
from benchloom.loaders.answers.vga import LABELS, Labels
from benchloom.loaders.scores.comparison import comparison_table
from benchloom.loaders.scores.matching import Matched, prepare
from benchloom.loaders.scores.result import Result
from benchloom.loaders.scores.uncertainty import least_difference, sentence_on, wilson
from benchloom.loaders.scores.vga_anomalies import easier_worse, middle_scores
from benchloom.loaders.scores.vga_charts import charts
from benchloom.loaders.scores.vga_judging import Judged, judge_answers, sheets_of, verdict_table
from benchloom.loaders.scores.vga_sheets import MISSING, UNREADABLE, Sheet, clusters, tally
from benchloom.loaders.scores.vga_tables import (
    COMMONEST,
    accuracy_table,
    baseline_table,
    class_table,
    confusion_tables,
    paper_table,
    shortcut_accuracies,
    slice_table,
)

OPTIONS = (
    Option(
        "labels",
        f"what responses are: {' or '.join(LABELS)} (the class numbers of an image classifier)",
        metavar="KIND",
    ),
    Option(
        "transcription",
        "responses are adjacency matrices, to be judged up to isomorphism",
        kind=bool,
    ),
    Option(
        "symmetrise",
        "with --transcription: join two nodes also where only one of their two cells is 1",
        kind=bool,
    ),
)
"""What the command line offers for VGA alone."""

ANOMALIES = {
    "middle-score": "significantly above chance and below people",
    "easier-worse": "worse on simpler records than on harder ones",
}
"""The anomalies of section 5 with their meaning, in the order of their tables."""

BEST_RULE = "(best shortcut rule of each part)"


def score(
    predictions: Any,
    references: Any,
    *,
    config: str | None = None,
    split: str | None = None,
    grader: Grader = "lenient",
    answered_only: bool = False,
    labels: Labels = "names",
    transcription: bool = False,
    symmetrise: bool = False,
) -> Result:
    """Returns the scores of one or several models.

    Args:
        predictions: What `as_predictions` takes: files, or mappings of ids to responses.
        references: What `as_references` takes: a build, a release on the Hub, a file, records.
        config: The task; by default those of which the predictions name a record.
        split: The split; by default those of which the predictions name a record.
        grader: `strict` or `lenient`.
        answered_only: Whether records that a model has no line for are left out, not wrong.
        labels: `names`: responses are answers, labels or free text; `indices`: they are class
            numbers. Nothing is guessed.
        transcription: Whether the task is to write down the adjacency matrix of the one graph in
            each picture (appendix D), and not the question of the record.
        symmetrise: Of a transcription, whether two nodes are joined where only one of their two
            cells is 1, and ones on the diagonal are left out.

    Raises:
        InputError: If predictions or references cannot be used, or an option is not known.
    """
    version = answers.version(grader)
    answers.check_labels(labels)
    if symmetrise and not transcription:
        raise InputError(
            "symmetrise is for transcriptions; give transcription (--transcription), too"
        )
    chosen, matched = prepare("vga", predictions, references, config, split, answered_only)
    if transcription:
        from benchloom.loaders.scores.vga_transcription import score_transcriptions

        return score_transcriptions(chosen, matched, grader, version, symmetrise)
    judged = {
        model: judge_answers(chosen, matched, model, grader, labels) for model in matched.responses
    }
    models = tuple(judged)
    sheets = list(sheets_of(chosen, judged))
    tables = [
        _overview(judged, sheets),
        paper_table(sheets, models),
        accuracy_table(sheets, models),
    ]
    tables += _comparison(sheets, models)
    tables += [class_table(sheets, models), *confusion_tables(sheets, models)]
    if (parts := slice_table(sheets, models)) is not None:
        tables.append(parts)
    anomalies = [middle_scores(sheets, models), easier_worse(sheets, models)]
    tables += [*(one for one in anomalies if one.rows), baseline_table(sheets)]
    return Result(
        benchmark="vga",
        grader=grader,
        grader_version=version,
        data={**chosen.data, "labels": labels},
        models=models,
        verdicts=verdict_table(chosen, judged),
        tables=tables,
        charts=charts(sheets, models),
        sentences=_sentences(sheets, models, anomalies),
        remarks=(*matched.remarks, *_doubts(matched, labels)),
    )


def _overview(judged: Mapping[str, Judged], sheets: Sequence[Sheet]) -> Table:
    rows: list[Sequence[Any]] = []
    for model, of in judged.items():
        n = len(of.claims)
        right = sum(verdict is not None and verdict.verdict == "correct" for verdict in of.verdicts)
        absent = int((of.claims == MISSING).sum())
        rows.append(
            (
                model,
                n,
                n - absent,
                absent,
                int((of.claims == UNREADABLE).sum()),
                Share(right / n),
                Interval(map(Share, wilson(right, n))),
                Share(of.right["strict"].mean()),
                Share(of.right["lenient"].mean()),
            )
        )
    n = sum(len(sheet.truth) for sheet in sheets)
    chance = sum(int(np.bincount(sheet.truth).max()) for sheet in sheets) / n
    rows.append((COMMONEST, n, None, None, None, Share(chance), None, None, None))
    rules = [shortcut_accuracies(sheet) for sheet in sheets]
    if all(rules):
        best = sum(
            max(of.values()) * len(sheet.truth) for of, sheet in zip(rules, sheets, strict=True)
        )
        rows.append((BEST_RULE, n, None, None, None, Share(best / n), None, None, None))
    head = ("model", "records", "answered", "missing", "unparseable", "accuracy", "95% interval")
    note = "Missing and unparseable answers count as wrong. Rows in brackets are baselines."
    return Table("overview", "Overview", (*head, "strict", "lenient"), rows, note)


def _comparison(sheets: Sequence[Sheet], models: Sequence[str]) -> list[Table]:
    """Returns one table of all pairs of models, task by task, if there are two models.

    All layouts of a task count.
    """
    if len(models) < 2:
        return []
    by_task = {}
    for config in dict.fromkeys(sheet.config for sheet in sheets):
        of = [sheet for sheet in sheets if sheet.config == config]
        right = {model: np.concatenate([sheet.right(model) for sheet in of]) for model in models}
        by_task[config] = comparison_table(models, right, clusters(of))
    first = next(iter(by_task.values()))
    return [
        replace(
            first,
            head=("task", *first.head),
            rows=[(config, *row) for config, table in by_task.items() for row in table.rows],
            note=" ".join(dict.fromkeys(table.note for table in by_task.values()))
            + " Each task is a comparison of its own; drawings of one graph are one cluster.",
        )
    ]


def _sentences(
    sheets: Sequence[Sheet], models: Sequence[str], anomalies: Sequence[Table]
) -> list[str]:
    """Returns what the records can and cannot tell, and the anomalies that they show."""
    said = []
    for model in models:
        tallies = [tally(sheet, model) for sheet in sheets]
        chance = tallies[0].chance if len(sheets) == 1 else None
        of = sentence_on(sum(one.n for one in tallies), sum(one.right for one in tallies), chance)
        said.append(f"{model}: {of}")
        if len(sheets) > 1:
            for state in ("near random", "below chance"):
                names = [
                    sheet.name
                    for sheet, one in zip(sheets, tallies, strict=True)
                    if one.state == state
                ]
                if names:
                    said.append(f"{model} is {state} on {', '.join(names)}.")
    if len(sheets) > 1:
        least = min(sheets, key=lambda sheet: len(sheet.truth))
        n = len(least.truth)
        points = 100 * least_difference(n, n // 2)
        said.append(
            f"The smallest part, {least.name}, has {n:,} records: two accuracies near 50% that "
            f"differ by less than about {points:.1f} points cannot be told apart on it."
        )
    for table, (words, meaning) in zip(anomalies, ANOMALIES.items(), strict=True):
        for model in models:
            rows = [row for row in table.rows if row[0] == model]
            tested = dict.fromkeys(f"{row[1]}/{row[2]}" for row in rows)
            where = dict.fromkeys(f"{row[1]}/{row[2]}" for row in rows if row[-1] == "anomaly")
            if where:
                everywhere = len(where) == len(tested) > 1
                on = f"each of the {len(tested)} splits it can show on" if everywhere else None
                said.append(
                    f"{model} shows the {words} anomaly (section 5: {meaning}) on "
                    f"{on or ', '.join(where)}."
                )
    return said


def _doubts(matched: Matched, labels: Labels) -> list[str]:
    """Returns what looks as if responses were meant otherwise; nothing was changed for it."""
    if labels != "names":
        return []
    found = []
    for model, responses in matched.responses.items():
        zeros = sum(response is not None and response.strip() == "0" for response in responses)
        if zeros:
            found.append(
                f"{model}: {zeros:,} responses are the bare number 0, which answers no question of "
                "VGA; if they are class numbers, give labels indices (--labels indices)"
            )
    return found
