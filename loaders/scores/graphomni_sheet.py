"""Answers to GraphOmni, judged, as columns: what its tables and charts are computed from."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from benchloom.builders.errors import InputError
from benchloom.builders.graphomni.grid import (
    COUNTS,
    DIFFICULTIES,
    EXTRA_HARD,
    GENERATORS,
    NP_HARD,
    PROMPT_SCHEMES,
    SERIALIZATIONS,
)
from benchloom.loaders.answers.graphomni import Question
from benchloom.loaders.answers.verdict import Grader

if TYPE_CHECKING:
    import pyarrow as pa

    from benchloom.builders.graphomni.cells import Instance
    from benchloom.loaders.scores.matching import Matched
    from benchloom.loaders.scores.references import References

Codes = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]

ORDER: Mapping[str, Sequence[str]] = {
    "task": (*COUNTS, *NP_HARD),
    "difficulty": (*DIFFICULTIES, EXTRA_HARD[0]),
    "generator": GENERATORS,
    "serialization": SERIALIZATIONS,
    "prompt_scheme": PROMPT_SCHEMES,
}
"""The factors, and the order of their levels."""

NOT_GIVEN = "not given"
"""The level of records that do not name any."""

ASKED = ("task", "n_nodes", "source", "target", "answer")
"""Columns that all forms of one question share."""


@dataclass(frozen=True)
class Factor:
    """A column that divides records into groups.

    Attributes:
        names: Names of the groups.
        codes: For each record the place of its group's name.
    """

    names: tuple[str, ...]
    codes: Codes


@dataclass(frozen=True)
class Judged:
    """What one model reached.

    Attributes:
        right: For each grader whether each record was answered rightly.
        verdicts: The verdict of the chosen grader on each record, or `missing`.
        extracted: What each answer claims, as JSON; None where it claims nothing.
        why: The reason of each verdict.
        lengths: Characters of each answer; -1 where there is none.
    """

    right: Mapping[Grader, Flags]
    verdicts: list[str]
    extracted: list[str | None]
    why: list[str]
    lengths: Codes

    def count(self, verdict: str) -> int:
        """Returns how many records have a verdict."""
        return self.verdicts.count(verdict)


@dataclass(frozen=True)
class Sheet:
    """Judged answers and the records that they are to, all in one order.

    Attributes:
        grader: The grader that was chosen.
        factors: The factors that the records have, `task` always among them.
        questions: The question of each record; several records may ask the same in other forms.
        instances: The questions, with their graphs.
        models: What each model reached.
    """

    grader: Grader
    factors: Mapping[str, Factor]
    questions: Codes
    instances: Sequence[Instance]
    models: Mapping[str, Judged]

    @property
    def records(self) -> int:
        """Number of records."""
        return len(self.questions)

    @property
    def has_forms(self) -> bool:
        """Whether some question is asked in several forms."""
        return len(self.instances) < self.records

    def right(self, model: str) -> Floats:
        """Returns what a model reached on each record by the chosen grader: 0 or 1."""
        return self.models[model].right[self.grader].astype(float)


def judge_all(references: References, matched: Matched, grader: Grader) -> Sheet:
    """Returns all answers judged by the chosen grader, and by strict and lenient.

    Records with the same `instance_id` are forms of one question, whose graph is read once; without
    that column each record is a question of its own.

    Raises:
        InputError: If a column is missing, or forms of one question differ in what they ask.
    """
    table = references.table
    questions, firsts = _questions(table)
    rows = _rows(table, firsts)
    judges = [Question(row["task"], row) for row in rows]
    return Sheet(
        grader,
        {name: _factor(table, name) for name in ORDER if _has(table, name)},
        questions,
        [_instance(row) for row in rows],
        {
            model: _judge_model(judges, questions, responses, matched.missing[model], grader)
            for model, responses in matched.responses.items()
        },
    )


def _judge_model(
    judges: Sequence[Question],
    questions: Codes,
    responses: Sequence[str | None],
    missing: Sequence[bool],
    grader: Grader,
) -> Judged:
    count = len(questions)
    right: dict[Grader, Flags] = {
        one: np.zeros(count, bool) for one in dict.fromkeys((grader, "strict", "lenient"))
    }
    verdicts = ["missing"] * count
    extracted: list[str | None] = [None] * count
    why = ["no answer to this record was given"] * count
    lengths = np.full(count, -1)
    for place, question in enumerate(questions.tolist()):
        if missing[place]:
            continue
        response = responses[place]
        if response is not None:
            lengths[place] = len(response)
        judge = judges[question]
        verdict = judge.judge(response, grader)
        verdicts[place] = verdict.verdict
        why[place] = verdict.reason
        if verdict.extracted is not None:
            extracted[place] = json.dumps(verdict.extracted)
        is_right = verdict.verdict == "correct"
        # What strict calls right lenient does, too: both read the same claim.
        if grader == "strict":
            lenient = is_right or _is_right(judge, response, "lenient")
            strict = is_right
        else:
            lenient = is_right if grader == "lenient" else _is_right(judge, response, "lenient")
            strict = lenient and _is_right(judge, response, "strict")
        right["strict"][place], right["lenient"][place] = strict, lenient
        right[grader][place] = is_right
    return Judged(right, verdicts, extracted, why, lengths)


def _is_right(judge: Question, response: str | None, grader: Grader) -> bool:
    return judge.judge(response, grader).verdict == "correct"


def _has(table: pa.Table, name: str) -> bool:
    return name in table.column_names and table.column(name).null_count < table.num_rows


def _encoded(table: pa.Table, name: str) -> tuple[list[Any], Codes]:
    """Returns the values of a column, each once, and for each row the place of its value."""
    import pyarrow.compute as pc

    column = table.column(name).combine_chunks().dictionary_encode(null_encoding="encode")
    return column.dictionary.to_pylist(), pc.cast(column.indices, "int64").to_numpy()


def _factor(table: pa.Table, name: str) -> Factor:
    """Returns a factor with its levels in the order of the grid, others after them."""
    values, codes = _encoded(table, name)
    names = [NOT_GIVEN if value is None else str(value) for value in values]
    known = [level for level in ORDER[name] if level in names]
    levels = [*known, *(level for level in names if level not in known)]
    return Factor(tuple(levels), np.array([levels.index(level) for level in names])[codes])


def _questions(table: pa.Table) -> tuple[Codes, Codes]:
    """Returns the question of each record, and the place of the first record of each question.

    Raises:
        InputError: If a column is missing, or records with one `instance_id` ask different things.
    """
    import pyarrow.compute as pc

    for name in ("task", "n_nodes", "edges", "answer"):
        if not _has(table, name):
            raise InputError(f"the references have no column {name}; GraphOmni is judged by it")
    ids, codes = _encoded(table, "instance_id" if _has(table, "instance_id") else "id")
    if None in ids:
        raise InputError("some references have no instance_id; give it to all records or to none")
    _, firsts = np.unique(codes, return_index=True)
    if len(firsts) < len(codes):
        columns = {name: _encoded(table, name)[1] for name in ASKED if name in table.column_names}
        columns["edges"] = pc.list_value_length(table.column("edges")).to_numpy()
        for name, values in columns.items():
            odd = np.flatnonzero(values != values[firsts][codes])
            if len(odd):
                one, other = (
                    table.column("id")[int(place)].as_py()
                    for place in (firsts[codes[odd[0]]], odd[0])
                )
                raise InputError(
                    f"the references {one} and {other} have one instance_id but not the same "
                    f"{name}; give another instance_id to each question"
                )
    return codes, firsts


def _rows(table: pa.Table, places: Codes) -> list[dict[str, Any]]:
    """Returns the columns that make a question, at some places."""
    names = (*ASKED, "edges", "difficulty", "generator")
    there = [name for name in names if name in table.column_names]
    rows: list[dict[str, Any]] = table.select(there).take(places).to_pylist()
    return [{"source": None, "target": None, **row} for row in rows]


def _instance(row: Mapping[str, Any]) -> Instance:
    """Returns a question in the form that baselines take."""
    from benchloom.builders.graphomni.cells import Instance
    from benchloom.builders.graphs.graph import Graph

    return Instance(
        row["task"],
        (row["difficulty"] or NOT_GIVEN) if "difficulty" in row else "",
        0,
        row.get("generator") or "",
        Graph.of(row["n_nodes"], [(u, v) for u, v in row["edges"]]),
        row["source"],
        row["target"],
        str(row["answer"]),
        {},
        "",
        0,
        (),
    )


def verdict_table(sheet: Sheet, references: References) -> pa.Table:
    """Returns a row for each model and record, as `Result.verdicts` holds them.

    After the columns that every benchmark has come `instance_id` and the factors that the records
    have, `strict` and `lenient` (whether these graders call the answer right) and `characters`, the
    length of the answer.
    """
    import pyarrow as pa

    table = references.table
    shared = {name: table.column(name).combine_chunks() for name in ("id", "config", "split")}
    own = {
        name: table.column(name).combine_chunks().dictionary_encode()
        for name in ("instance_id", *sheet.factors)
        if name in table.column_names
    }
    return pa.concat_tables(
        [
            pa.table(
                {
                    "model": pa.repeat(model, sheet.records),
                    **shared,
                    "extracted": pa.array(judged.extracted, pa.string()),
                    "verdict": pa.array(judged.verdicts, pa.string()),
                    "why": pa.array(judged.why, pa.string()),
                    **own,
                    "strict": pa.array(judged.right["strict"]),
                    "lenient": pa.array(judged.right["lenient"]),
                    "characters": pa.array(judged.lengths, pa.int32(), mask=judged.lengths < 0),
                }
            )
            for model, judged in sheet.models.items()
        ]
    )


def groups(sheet: Sheet, names: Sequence[str]) -> Iterator[tuple[tuple[str, ...], Flags]]:
    """Yields the names of the levels of factors, and which records have them, where any has."""
    codes = [sheet.factors[name].codes for name in names]
    levels = [sheet.factors[name].names for name in names]
    for found in np.unique(np.stack(codes, axis=1), axis=0) if codes else []:
        inside = np.logical_and.reduce([of == code for of, code in zip(codes, found, strict=True)])
        yield tuple(of[code] for of, code in zip(levels, found, strict=True)), inside
