"""Scores on DRAGON: how well predicted boxes are the evidence (B.3), by source and strategy."""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from benchloom.builders.benchmark import Option
from benchloom.builders.errors import InputError
from benchloom.loaders.answers.dragon import (
    COORDINATES,
    Coordinates,
    reader_of,
    verdict_on,
    version,
)
from benchloom.loaders.answers.verdict import Grader, Verdict

if TYPE_CHECKING:
    import pyarrow as pa

    from benchloom.builders.dragon.copies import Copies
    from benchloom.builders.statistics import Table
    from benchloom.loaders.scores.dragon_sheet import Records, Sheet
    from benchloom.loaders.scores.references import References
    from benchloom.loaders.scores.result import Exhibit, Result

THRESHOLDS = (0.3, 0.5)
"""τ of the paper's Tables 6 and 7."""
LEAST_THRESHOLD = 0.01
DOUBTFUL = 0.5
"""Part of a model's answers above which a remark says that they look like other coordinates."""
WHOLE = "(whole picture)"
"""A baseline that always answers one box around everything."""

OPTIONS = (
    Option(
        "coordinates",
        f"what the numbers of a box are, never guessed: {', '.join(COORDINATES)} (default: xywh, "
        "in pixels)",
        metavar="KIND",
    ),
    Option(
        "threshold",
        "IoU thresholds τ of hit rates, precision, recall and F1 (default: "
        f"{' '.join(map(str, THRESHOLDS))})",
        many=True,
        metavar="TAU",
        kind=float,
    ),
    Option(
        "images",
        "your copies of the sources, for pictures in the report: SOURCE=FOLDER each, or the "
        "working folder that names them",
        many=True,
        metavar="WHERE",
    ),
)
"""What the command line offers for DRAGON alone."""


def score(
    predictions: Any,
    references: Any,
    *,
    config: str | None = None,
    split: str | None = None,
    grader: Grader = "lenient",
    answered_only: bool = False,
    coordinates: Coordinates = "xywh",
    threshold: float | Sequence[float] = THRESHOLDS,
    images: Any = None,
) -> Result:
    """Returns the scores of one or several models.

    A model whose name ends in `/EDGE`, `/SAGE` or `/VERGE` is taken for that strategy of the model
    before the slash, so that tables can be laid out like the paper's, model by strategy, and means
    over strategies be taken. An answer is correct where G_IoU is above 0.5.

    Boxes are measured as in the paper, and there is no option for it: they are not cut to the
    image, and one without an area counts and matches nothing (`measure_grounding` has both).

    Args:
        predictions: What `as_predictions` takes: files, or mappings of ids to responses.
        references: What `as_references` takes: a build, a release on the Hub, a file, records.
        config: The source; by default those of which the predictions name a record.
        split: The split; by default those of which the predictions name a record.
        grader: The reader, `strict` or `lenient`.
        answered_only: Whether records that a model has no line for are left out, not wrong.
        coordinates: What the numbers of the models' boxes are; they are never guessed.
        threshold: The thresholds τ, from 0.01 to 1.
        images: The user's copies of the sources, whose pictures the report shows with boxes:
            `Copies`, or words as `--images` takes them.

    Raises:
        InputError: If predictions, references or images cannot be used, or an option is not known.
    """
    from benchloom.loaders.scores import dragon_tables as tables
    from benchloom.loaders.scores.dragon_sheet import Records, read_all
    from benchloom.loaders.scores.matching import prepare
    from benchloom.loaders.scores.result import Result

    reader = reader_of(grader)
    if coordinates not in COORDINATES:
        raise InputError(f"there are no coordinates {coordinates!r}; take {', '.join(COORDINATES)}")
    levels = _thresholds(threshold)
    copies = None if images is None else _copies(images)
    with _without_collecting():
        chosen, matched = prepare("dragon", predictions, references, config, split, answered_only)
        records = Records.of(chosen.table)
        both = {
            model: read_all(
                *(model, responses, matched.missing[model]), records, coordinates, levels
            )
            for model, responses in matched.responses.items()
        }
        sheets = [of[reader] for of in both.values()]
        verdicts = _verdicts(chosen, sheets, matched.responses)
    baseline = _whole_pictures(records, levels)
    shown = [
        tables.overview(sheets, both, baseline),
        tables.reading(sheets),
        tables.grounding([*sheets, baseline]),
        *_comparisons(sheets, records),
        tables.by_strategy(sheets),
        *(tables.hit_rates(sheets, place) for place in range(len(levels))),
    ]
    if (means := tables.by_model(sheets)) is not None:
        shown.append(means)
    remarks = [*matched.remarks, *_remarks(sheets, records, coordinates)]
    exhibits: list[Exhibit] = []
    if copies is not None:
        from benchloom.loaders.scores.dragon_overlays import draw_exhibits

        exhibits, wanting = draw_exhibits(sheets, chosen.table, copies)
        remarks += wanting
    return Result(
        benchmark="dragon",
        grader=grader,
        grader_version=version(grader),
        data={**chosen.data, "coordinates": coordinates, "thresholds": list(levels)},
        models=tuple(both),
        verdicts=verdicts,
        tables=shown,
        charts=tables.charts(sheets, baseline),
        sentences=_sentences(sheets),
        remarks=remarks,
        exhibits=exhibits,
    )


@contextmanager
def _without_collecting() -> Iterator[None]:
    """Keeps the search for cycles from going over all boxes again and again; there are none."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()


def _thresholds(given: float | Sequence[float]) -> tuple[float, ...]:
    numbers = [given] if isinstance(given, int | float) else list(given)
    for number in numbers:
        if not LEAST_THRESHOLD <= number <= 1:
            raise InputError(f"a threshold is from {LEAST_THRESHOLD:g} to 1, not {number:g}")
    if not numbers:
        raise InputError("give at least one threshold, such as 0.5")
    return tuple(sorted({float(number) for number in numbers}))


def _copies(images: Any) -> Copies:
    from benchloom.builders.dragon.copies import Copies

    if isinstance(images, Copies):
        return images
    words = [images] if isinstance(images, str | Path) else images
    return Copies.named([str(word) for word in words])


def _whole_pictures(records: Records, levels: Sequence[float]) -> Sheet:
    """Returns the sheet of a model that always answers the whole picture."""
    from benchloom.loaders.scores.dragon_sheet import measure
    from benchloom.loaders.scores.grounding import BoxSets

    count = len(records.sizes)
    boxes = np.column_stack([np.zeros((count, 2)), records.sizes])
    return measure(WHOLE, (), BoxSets(boxes, np.ones(count, np.int64)), records, levels)


def _comparisons(sheets: Sequence[Sheet], records: Records) -> list[Table]:
    from benchloom.loaders.scores.comparison import comparison_table

    if len(sheets) < 2:
        return []
    models = [sheet.model for sheet in sheets]
    return [
        comparison_table(
            models,
            {sheet.model: getattr(sheet.found, values) for sheet in sheets},
            records.clusters,
            name,
            what,
        )
        for name, values, what in (
            ("comparison", "union_iou", "G_IoU"),
            ("comparison_MP_IoU", "best_iou", "MP_IoU"),
        )
    ]


def _verdicts(
    references: References,
    sheets: Sequence[Sheet],
    responses: Mapping[str, Sequence[str | None]],
) -> pa.Table:
    """Returns a row for each model and record, with its metrics."""
    import pyarrow as pa

    keys = {
        name: references.table.column(name).combine_chunks() for name in ("id", "config", "split")
    }
    parts = []
    for sheet in sheets:
        found = sheet.found
        verdicts = _judge(sheet, responses[sheet.model])
        columns = {
            "model": pa.repeat(sheet.model, len(verdicts)),
            **keys,
            "extracted": pa.array(
                [one and one.extracted and json.dumps(one.extracted) for one in verdicts],
                pa.string(),
            ),
            "verdict": pa.array([one.verdict if one else "missing" for one in verdicts]),
            "why": pa.array(
                [one.reason if one else "the predictions have no line for it" for one in verdicts]
            ),
            "mp_iou": pa.array(found.best_iou),
            "g_iou": pa.array(found.union_iou),
        }
        for place, level in enumerate(found.thresholds):
            columns[f"precision@{level:g}"] = pa.array(found.precision[:, place])
            columns[f"recall@{level:g}"] = pa.array(found.recall[:, place])
        columns["n_predicted"] = pa.array(found.predicted)
        columns["n_malformed"] = pa.array(
            [len(answer.malformed) if answer else 0 for answer in sheet.answers], pa.int64()
        )
        parts.append(pa.table(columns))
    return pa.concat_tables(parts)


def _judge(sheet: Sheet, responses: Sequence[str | None]) -> list[Verdict | None]:
    """Returns a verdict on each answer, None where there is no line for it."""
    return [
        None if answer is None else verdict_on(answer, best, union, correct, response is not None)
        for answer, best, union, correct, response in zip(
            sheet.answers,
            sheet.found.best_iou.tolist(),
            sheet.found.union_iou.tolist(),
            sheet.correct.tolist(),
            responses,
            strict=True,
        )
    ]


def _remarks(sheets: Sequence[Sheet], records: Records, coordinates: Coordinates) -> list[str]:
    """Returns what may be meant otherwise; nothing was changed for it."""
    from benchloom.loaders.scores.dragon_tables import count_doubts

    found = []
    if without := int((records.gold.counts == 0).sum()):
        have = "record has" if without == 1 else "records have"
        found.append(f"{without:,} {have} no box, where every answer scores 0")
    if coordinates != "xywh":
        return found
    others = {
        "maybe x1,y1,x2,y2": "xyxy",
        "maybe parts": "xywh_ratios or xyxy_ratios",
        "maybe thousandths": "xywh_thousandths or xyxy_thousandths",
    }
    for sheet in sheets:
        doubts = count_doubts(sheet)
        answers = sum(bool(answer and answer.boxes) for answer in sheet.answers)
        found += [
            f"{sheet.model}: {doubts[name]:,} of {answers:,} answers with boxes look like other "
            f"coordinates and were read as x,y,width,height in pixels; if the model was asked for "
            f"others, give coordinates {kinds} (--coordinates)"
            for name, kinds in others.items()
            if doubts[name] > DOUBTFUL * answers
        ]
    return found


def _sentences(sheets: Sequence[Sheet]) -> list[str]:
    from benchloom.loaders.scores.uncertainty import sentence_on

    return [
        f"{sheet.model}: G_IoU above 0.5 counts as right. "
        + sentence_on(len(sheet.correct), int(sheet.correct.sum()))
        for sheet in sheets
    ]
