"""Scores of transcribed adjacency matrices (appendix D)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from benchloom.builders.errors import InputError
from benchloom.builders.graphs import graph6
from benchloom.builders.statistics import Bars, Chart, Interval, Share, Table
from benchloom.builders.vga.configs import CONFIGS
from benchloom.loaders.answers.adjacency import Errors
from benchloom.loaders.answers.verdict import Grader
from benchloom.loaders.answers.vga import Transcribed, transcribed
from benchloom.loaders.scores.comparison import comparison_table
from benchloom.loaders.scores.result import Result
from benchloom.loaders.scores.uncertainty import sentence_on, wilson

if TYPE_CHECKING:
    from benchloom.loaders.scores.matching import Matched
    from benchloom.loaders.scores.references import References

_NOTE = (
    "Exact: the graph of the matrix is isomorphic to the one that was drawn. Errors are what was "
    "transcribed less what is there; those in edges, and edits, are of the matrices that are those "
    "of a simple graph. Edits: the fewest edges to add or delete, over all ways to number the "
    "nodes. Missing and unparseable answers count as wrong."
)


@dataclass(frozen=True)
class Row:
    """One answer: what it holds, and how far it is from the truth; None where it is missing."""

    given: Transcribed | None

    @property
    def outcome(self) -> str:
        """The verdict in a word."""
        return "missing" if self.given is None else self.given.verdict.verdict

    @property
    def errors(self) -> Errors | None:
        """How far it is from the truth; None where there is no matrix."""
        return None if self.given is None else self.given.errors


def score_transcriptions(
    references: References, matched: Matched, grader: Grader, version: str, symmetrise: bool
) -> Result:
    """Returns the scores of matrices that were read off pictures.

    Args:
        references: Records that show one graph each.
        matched: The answers.
        grader: The grader; both read a matrix the same way.
        version: Its version.
        symmetrise: Whether two nodes are joined where only one of their two cells is 1, and ones on
            the diagonal are left out.

    Raises:
        InputError: If a record shows two graphs, or its graph is not known.
    """
    table = references.table
    configs = dict.fromkeys(table.column("config").to_pylist())
    if pairs := [name for name in configs if CONFIGS[name].pairs]:
        single = ", ".join(name for name, spec in CONFIGS.items() if not spec.pairs)
        raise InputError(
            f"a picture of {pairs[0]} shows two graphs, and a transcription is judged for one "
            f"graph a picture; give the config, one of {single}"
        )
    if "graph6" not in table.column_names or table.column("graph6").null_count:
        raise InputError(
            "a transcription is judged by the column graph6, which the references lack; add it, or "
            "name the build or release that they are from"
        )
    lines = table.column("graph6").to_pylist()
    names = dict(zip(lines, matched.ids, strict=True))
    truths = {
        line: graph6.decode(line, f"record {name}, column graph6") for line, name in names.items()
    }
    rows: dict[str, list[Row]] = {}
    for model, responses in matched.responses.items():
        known: dict[tuple[str | None, str], Transcribed] = {}
        rows[model] = []
        for response, absent, line in zip(responses, matched.missing[model], lines, strict=True):
            key = (response, line)
            if not absent and key not in known:
                known[key] = transcribed(response, truths[line], symmetrise)
            rows[model].append(Row(None if absent else known[key]))
    models = tuple(rows)
    exact = {model: [row.outcome == "correct" for row in of] for model, of in rows.items()}
    tables = [_overview(rows), _faults(rows)]
    if len(models) > 1:
        tables.append(comparison_table(models, exact, what="exact transcriptions"))
    return Result(
        benchmark="vga",
        grader=grader,
        grader_version=version,
        data={**references.data, "task": "transcription", "symmetrised": symmetrise},
        models=models,
        verdicts=_verdicts(references, rows),
        tables=tables,
        charts=[_chart(rows)],
        sentences=[
            f"{model}: {sentence_on(len(of), sum(exact[model]))}" for model, of in rows.items()
        ],
        remarks=matched.remarks,
    )


def _overview(rows: Mapping[str, Sequence[Row]]) -> Table:
    out: list[Sequence[Any]] = []
    for model, of in rows.items():
        n, right = len(of), sum(row.outcome == "correct" for row in of)
        absent = sum(row.outcome == "missing" for row in of)
        errors = [row.errors for row in of if row.errors is not None]
        nodes = [one.nodes for one in errors if one.nodes is not None]
        edges = [one.edges for one in errors if one.edges is not None]
        edits = [one.edits for one in errors if one.edits is not None]
        out.append(
            (
                model,
                n,
                n - absent,
                absent,
                sum(row.outcome == "unparseable" for row in of),
                len(edges),
                Share(right / n),
                Interval(map(Share, wilson(right, n))),
                Share(sum(one == 0 for one in nodes) / n),
                Share(sum(one == 0 for one in edges) / n),
                _mean(nodes),
                _mean(edges),
                _mean(list(map(abs, edges))),
                _mean(edits),
            )
        )
    head: tuple[str, ...] = (
        "model",
        "records",
        "answered",
        "missing",
        "unparseable",
        "simple graphs",
        "exact",
    )
    head += ("95% interval", "nodes right", "edges right", "error in nodes", "error in edges")
    head += ("absolute error in edges", "edits")
    return Table("overview", "Transcriptions, up to isomorphism", head, out, _NOTE)


def _faults(rows: Mapping[str, Sequence[Row]]) -> Table:
    """Returns how often a matrix is not that of a simple graph, and why."""
    kinds = ("not a square matrix", "neither 0 nor 1", "not symmetric", "the diagonal")
    out: list[Sequence[Any]] = []
    for model, of in rows.items():
        given = [row.given for row in of if row.given is not None]
        counts = [sum(kind in one.matrix.fault for one in given) for kind in kinds]
        repaired = sum(bool(one.matrix.joined or one.matrix.loops) for one in given)
        out.append((model, *counts, repaired))
    head: tuple[str, ...] = (
        "model",
        "not square",
        "other numbers",
        "not symmetric",
        "loops",
        "symmetrised",
    )
    note = "Symmetrised: matrices that were made symmetric, or lost their loops, as was asked for."
    return Table("faults", "Matrices that are not those of a simple graph", head, out, note)


def _verdicts(references: References, rows: Mapping[str, Sequence[Row]]) -> Any:
    import pyarrow as pa

    kept = {name: references.table.column(name) for name in ("id", "config", "split")}
    tables = []
    for model, of in rows.items():
        given = [row.given for row in of]
        columns: dict[str, Any] = {"model": pa.repeat(model, len(of)), **kept}
        columns["extracted"] = pa.array(
            [
                None if one is None or one.matrix.rows is None else json.dumps(one.matrix.rows)
                for one in given
            ],
            pa.string(),
        )
        columns["verdict"] = pa.array([row.outcome for row in of], pa.string())
        columns["why"] = pa.array(
            [
                "the predictions have no line for it" if one is None else one.verdict.reason
                for one in given
            ],
            pa.string(),
        )
        for name in ("nodes", "edges", "edits"):
            values = [None if row.errors is None else getattr(row.errors, name) for row in of]
            label = "edits" if name == "edits" else f"error_in_{name}"
            columns[label] = pa.array(values, pa.int32())
        tables.append(pa.table(columns))
    return pa.concat_tables(tables)


def _chart(rows: Mapping[str, Sequence[Row]]) -> Chart:
    """Returns how often each number of edits is needed."""
    ticks = ["0", "1", "2", "3", "4", "5", "6 or more", "no graph"]
    series = {}
    for model, of in rows.items():
        counts = [0] * len(ticks)
        for row in of:
            edits = None if row.errors is None else row.errors.edits
            counts[-1 if edits is None else min(edits, 6)] += 1
        series[model] = [count / len(of) for count in counts]
    bars = Bars(
        "Edits", "edges to add or delete", "share of the records", ticks, series, shares=True
    )
    return Chart("edits", "Edges that a transcription is away from the truth", [[bars]])


def _mean(numbers: Sequence[int]) -> float | None:
    return sum(numbers) / len(numbers) if numbers else None
