"""Answers to VGA judged, and put together by config and split."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from benchloom.builders.vga.configs import CONFIGS
from benchloom.loaders.answers import vga as answers
from benchloom.loaders.answers.claims import Claim
from benchloom.loaders.answers.verdict import Extracted, Grader, Verdict
from benchloom.loaders.answers.vga import Labels
from benchloom.loaders.scores.vga_sheets import ANOTHER, MISSING, UNREADABLE, Sheet

if TYPE_CHECKING:
    import pyarrow as pa

    from benchloom.loaders.scores.matching import Matched
    from benchloom.loaders.scores.references import References

FACTS = ("graph6", "n_nodes", "n_edges", "planar", "catalog_index")
"""Columns that parts, baselines and comparisons are made of; of pairs they come twice."""


@dataclass(frozen=True)
class Judged:
    """The answers of a model, judged, in the order of the references.

    Attributes:
        verdicts: By the grader that was chosen; None where the answer is missing.
        claims: Class numbers by that grader, as in `Sheet`.
        right: Whether each answer is right, by `strict` and by `lenient`.
    """

    verdicts: Sequence[Verdict | None]
    claims: NDArray[np.int64]
    right: Mapping[str, NDArray[np.bool_]]


def judge_answers(
    references: References, matched: Matched, model: str, grader: Grader, labels: Labels
) -> Judged:
    """Returns the answers of a model, judged.

    Args:
        references: The records.
        matched: The answers.
        model: The model.
        grader: The grader of the verdicts.
        labels: Whether responses are answers or class numbers.
    """
    configs = references.table.column("config").to_pylist()
    right_answers = references.table.column("answer").to_pylist()
    responses, missing = matched.responses[model], matched.missing[model]
    chosen = int(grader == "lenient")
    claims: list[tuple[int, int]] = []
    verdicts: list[Verdict | None] = []
    # A claim depends on the task and the response alone, and most models repeat themselves.
    known: dict[tuple[str, str | None], tuple[Claim, Claim]] = {}
    for task, answer, response, absent in zip(
        configs, right_answers, responses, missing, strict=True
    ):
        if absent:
            claims.append((MISSING, MISSING))
            verdicts.append(None)
            continue
        both = known.get((task, response))
        if both is None:
            both = known[task, response] = answers.extract_both(task, response, labels)
        claims.append((_class_of(task, both[0].extracted), _class_of(task, both[1].extracted)))
        verdicts.append(answers.decide(both[chosen], answer))
    table = np.array(claims, np.int64)
    right = table == _truth(references)[:, None]
    return Judged(verdicts, table[:, chosen], {"strict": right[:, 0], "lenient": right[:, 1]})


def _class_of(task: str, extracted: Extracted) -> int:
    if extracted is None:
        return UNREADABLE
    label = str(extracted).lower()
    return CONFIGS[task].labels.index(label) if label in CONFIGS[task].labels else ANOTHER


def _truth(references: References) -> NDArray[np.int64]:
    table = references.table
    pairs = zip(table.column("config").to_pylist(), table.column("answer").to_pylist(), strict=True)
    return np.array([_class_of(task, answer) for task, answer in pairs], np.int64)


def sheets_of(references: References, judged: Mapping[str, Judged]) -> Iterator[Sheet]:
    """Yields a sheet for each config and split, in the order of the benchmark."""
    table = references.table
    names = list(
        zip(table.column("config").to_pylist(), table.column("split").to_pylist(), strict=True)
    )
    truth = _truth(references)
    order = {name: place for place, name in enumerate(CONFIGS)}
    for config, split in sorted(dict.fromkeys(names), key=lambda name: order[name[0]]):
        places = np.array([place for place, name in enumerate(names) if name == (config, split)])
        facts = _facts(references, config, places)
        claims = {model: of.claims[places] for model, of in judged.items()}
        yield Sheet(config, split, truth[places], claims, facts)


def _facts(
    references: References, config: str, places: NDArray[np.int64]
) -> dict[str, NDArray[Any]]:
    """Returns what is known of all graphs at some places of references.

    Of a user's own records only the graph6 lines are taken, and checked; the rest follows from
    them.
    """
    from benchloom.builders.graphs import graph6
    from benchloom.builders.graphs.answers import is_planar

    released, ids = "version" in references.data, references.table.column("id")
    facts: dict[str, NDArray[Any]] = {}
    for suffix in ("_left", "_right") if CONFIGS[config].pairs else ("",):
        for name in (f"{fact}{suffix}" for fact in (FACTS if released else FACTS[:1])):
            if name in references.table.column_names:
                column = references.table.column(name).take(places)
                if not column.null_count:
                    facts[name] = column.to_numpy()
        if not released and f"graph6{suffix}" in facts:
            lines = facts[f"graph6{suffix}"].tolist()
            names = dict(zip(lines, ids.take(places).to_pylist(), strict=True))
            known = {
                line: graph6.decode(line, f"record {name}, column graph6{suffix}")
                for line, name in names.items()
            }
            planar = {line: is_planar(graph) for line, graph in known.items()}
            facts[f"n_nodes{suffix}"] = np.array([known[line].n_nodes for line in lines])
            facts[f"n_edges{suffix}"] = np.array([known[line].n_edges for line in lines])
            facts[f"planar{suffix}"] = np.array([planar[line] for line in lines])
    return facts


def verdict_table(references: References, judged: Mapping[str, Judged]) -> pa.Table:
    """Returns the verdicts as `Result` holds them, with the right answers."""
    import pyarrow as pa

    names = ("id", "config", "split", "answer")
    columns = [references.table.column(name).combine_chunks() for name in names]
    tables = []
    for model, of in judged.items():
        extracted = [
            None if one is None or one.extracted is None else json.dumps(one.extracted)
            for one in of.verdicts
        ]
        tables.append(
            pa.table(
                {
                    "model": pa.repeat(model, len(of.verdicts)),
                    "id": columns[0],
                    "config": columns[1],
                    "split": columns[2],
                    "extracted": pa.array(extracted, pa.string()),
                    "verdict": pa.array(
                        ["missing" if one is None else one.verdict for one in of.verdicts],
                        pa.string(),
                    ),
                    "why": pa.array(
                        [
                            "the predictions have no line for it" if one is None else one.reason
                            for one in of.verdicts
                        ],
                        pa.string(),
                    ),
                    "answer": columns[3],
                }
            )
        )
    return pa.concat_tables(tables)
