"""Tables on the cells of GraphOmni: sizes, structure, answers, and what shortcuts reach."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from benchloom.builders.graphomni.answers import components, levels, neighbour_masks
from benchloom.builders.graphomni.baselines import random_baseline
from benchloom.builders.graphomni.cells import Instance
from benchloom.builders.graphomni.shortcuts import Row, mean, shortcuts
from benchloom.builders.statistics import Bound, Share, Table


@dataclass(frozen=True)
class BuiltCell:
    """The instances of a task at a difficulty, as they stand in a build.

    Attributes:
        task: The task.
        difficulty: The difficulty.
        records: Number of records.
        instances: The instances.
        unchecked: Why its bounds are not checked, nothing where they are.
        bounded: Whether there are bounds at all; they are on what we draw.
        relaxed: For each rule how many instances do not keep it, since no graph was found that
            does.
    """

    task: str
    difficulty: str
    records: int
    instances: Sequence[Instance]
    unchecked: str = ""
    bounded: bool = True
    relaxed: Mapping[str, int] = field(default_factory=dict)

    @cached_property
    def structures(self) -> "list[Structure]":
        """The structure of each instance's graph."""
        return [structure(instance) for instance in self.instances]

    @cached_property
    def rules(self) -> list[Row]:
        """What each shortcut reaches, with its bounds where there are any."""
        rows = shortcuts(self.task, self.instances)
        return rows if self.bounded else [Row(row.rule, row.value) for row in rows]


@dataclass(frozen=True, slots=True)
class Structure:
    """What tables say of one graph.

    Attributes:
        degrees: Degree of each node.
        components: Number of nodes of each component.
        ends: Degrees of the nodes that the question names.
        distance: Number of edges between the two nodes asked about, None where there is no path or
            there are no two such nodes.
    """

    degrees: list[int]
    components: list[int]
    ends: list[int]
    distance: int | None


def structure(instance: Instance) -> Structure:
    """Returns what tables say of an instance's graph."""
    masks = neighbour_masks(instance.graph)
    degrees = [mask.bit_count() for mask in masks]
    named = [node for node in (instance.source, instance.target) if node is not None]
    distance = None
    if len(named) == 2:
        reached = enumerate(levels(masks, named[0]))
        distance = next((d for d, level in reached if level >> named[1] & 1), None)
    parts = [part.bit_count() for part in components(masks)]
    return Structure(degrees, parts, [degrees[node] for node in named], distance)


def answer_value(task: str, answer: str) -> str | int:
    """Returns the feature of an answer whose distribution is shown; `ANSWERS` says which it is."""
    if task == "bfs_order":
        return answer.count(",") + 1
    if task == "shortest_path":
        return answer.count(",")
    if task in ("diameter", "triangle"):
        return int(answer)
    if task == "max_cut":
        return int(answer.partition(":")[0])
    return "cycle" if task == "hamiltonian_cycle" and answer != "none" else answer


ANSWERS = {
    "bfs_order": "nodes in the order",
    "connectivity": "answer",
    "cycle": "answer",
    "diameter": "diameter",
    "shortest_path": "edges on the path",
    "triangle": "triangles",
    "hamiltonian_cycle": "answer",
    "max_cut": "edges in the cut",
}
"""What `answer_value` gives for each task."""

Measure = Callable[[BuiltCell], Any]


def task_table(task: str, cells: Sequence[BuiltCell]) -> Table:
    """Returns a table of a task: a row for each measure and rule, a column for each difficulty.

    The last two columns are the bound of a rule and whether it holds.
    """
    measures = {**_SIZES, **_STRUCTURE, **_answers(task, cells), **_relaxed(cells)}
    rows: list[tuple[Any, ...]] = [
        (name, *(measure(cell) for cell in cells), "", "") for name, measure in measures.items()
    ]
    # A generator may be missing from a cell of a few instances, and its rules with it.
    for rule in dict.fromkeys(row.rule for cell in cells for row in cell.rules):
        if rule in measures:
            continue
        found = [{row.rule: row for row in cell.rules}.get(rule) for cell in cells]
        bounds = {
            cell.difficulty: _bound(cell, row)
            for cell, row in zip(cells, found, strict=True)
            if row is not None and _is_bounded(row)
        }
        rows.append(
            (
                f"rule: {rule}",
                *(None if row is None else Share(row.value) for row in found),
                *_verdict(bounds, len(cells)),
            )
        )
    head = ("measure", *(cell.difficulty for cell in cells), "bound", "verdict")
    note = (
        "A rule does not solve the task: the share of answers that it gets right, or the share "
        "that it names. The random baseline is the share right that is to be expected of guesses."
    )
    return Table(task, f"{task}: instances, answers and shortcuts", head, rows, note)


RELAXED = {
    "nodes": "another number of nodes than was drawn first",
    "distance": "another distance than was due",
    "two_components": "a connected pair without a second component, though one was due",
    "degrees": "end degrees unlike those of the No pair",
    "twins": "a Yes graph without the twin that was due",
    "isolated": "a twin with other isolated nodes",
    "ascending": "an ascending order that is right, though none was due",
    "tempting": "a dead end, though a graph without any was due",
}
"""The rules that give way where no graph keeps them, and what an instance then has."""


def _relaxed(cells: Sequence[BuiltCell]) -> dict[str, Measure]:
    """Returns how many instances of each cell had to do without a rule."""

    def count(rule: str) -> Measure:
        return lambda cell: cell.relaxed.get(rule, 0)

    rules = sorted({rule for cell in cells for rule in cell.relaxed})
    return {f"relaxed: {RELAXED.get(rule, rule)}": count(rule) for rule in rules}


def cell_bounds(cell: BuiltCell) -> list[Bound]:
    """Returns the bounds on the shortcuts of a cell."""
    return [_bound(cell, row) for row in cell.rules if _is_bounded(row)]


def _is_bounded(row: Row) -> bool:
    return row.least is not None or row.most is not None


def _bound(cell: BuiltCell, row: Row) -> Bound:
    where = f"{cell.task} {cell.difficulty}"
    return Bound(where, row.rule, row.value, row.least, row.most, cell.unchecked)


def _verdict(bounds: dict[str, Bound], cells: int) -> tuple[str, str]:
    """Returns a rule's bounds, and whether they hold or in which difficulties they do.

    Args:
        bounds: The bound of each difficulty that has one.
        cells: Number of difficulties.
    """
    checked = {name: bound for name, bound in bounds.items() if not bound.unchecked} or bounds
    states: dict[str, list[str]] = {}
    for difficulty, bound in checked.items():
        states.setdefault(bound.state, []).append(difficulty)
    if len(states) == 1 and len(checked) == cells:
        verdict = next(iter(states))
    else:
        verdict = "; ".join(f"{state}: {', '.join(names)}" for state, names in states.items())
    return " / ".join(dict.fromkeys(bound.allowed for bound in checked.values())), verdict


def _mean(values: Callable[[Structure], Sequence[float]]) -> Measure:
    """Returns the mean over all numbers that the structures of a cell give."""
    return lambda cell: mean([value for one in cell.structures for value in values(one)])


def _share(holds: Callable[[Structure], bool]) -> Measure:
    return lambda cell: Share(mean([holds(one) for one in cell.structures]))


def _range(values: Sequence[int]) -> str:
    return f"{min(values):,}-{max(values):,}"


_SIZES: dict[str, Measure] = {
    "records": lambda cell: cell.records,
    "instances": lambda cell: len(cell.instances),
    "nodes, mean": lambda cell: mean([i.graph.n_nodes for i in cell.instances]),
    "nodes, range": lambda cell: _range([i.graph.n_nodes for i in cell.instances]),
    "edges, mean": lambda cell: mean([i.graph.n_edges for i in cell.instances]),
    "edges, range": lambda cell: _range([i.graph.n_edges for i in cell.instances]),
}
_STRUCTURE: dict[str, Measure] = {
    "degree of a node, mean": _mean(lambda one: one.degrees),
    "largest degree, mean": _mean(lambda one: [max(one.degrees)]),
    "isolated nodes of a graph, mean": _mean(lambda one: [one.degrees.count(0)]),
    "components of two nodes or more, mean": _mean(
        lambda one: [sum(size > 1 for size in one.components)]
    ),
    "connected graphs": _share(lambda one: len(one.components) == 1),
}


def _answers(task: str, cells: Sequence[BuiltCell]) -> dict[str, Measure]:
    """Returns the measures of a task's questions and answers."""
    values = [
        [answer_value(task, instance.answer) for instance in cell.instances] for cell in cells
    ]
    measures: dict[str, Measure] = {}
    if any(instance.source is not None for cell in cells for instance in cell.instances):
        measures["degree of the nodes asked about, mean"] = _mean(lambda one: one.ends)
    if any(instance.target is not None for cell in cells for instance in cell.instances):
        for distance in (1, 2, 3):
            measures[f"pairs at distance {distance}"] = _share(
                lambda one, d=distance: one.distance == d  # type: ignore[misc]
            )
        measures["pairs at distance 4 or more"] = _share(lambda one: (one.distance or 0) >= 4)
        if task == "connectivity":
            measures["pairs without a path"] = _share(lambda one: one.distance is None)
    if all(isinstance(value, int) for column in values for value in column):
        measures[f"{ANSWERS[task]}, mean"] = lambda cell: mean(_numbers(cell))
        measures[f"{ANSWERS[task]}, range"] = lambda cell: _range(_numbers(cell))
    else:
        for word in sorted({str(value) for column in values for value in column}, reverse=True):
            measures[f"answer {word}"] = lambda cell, word=word: Share(  # type: ignore[misc]
                mean([answer_value(task, one.answer) == word for one in cell.instances])
            )
    measures["different answers"] = lambda cell: len({one.answer for one in cell.instances})
    measures["commonest answer"] = lambda cell: Share(
        max(Counter(one.answer for one in cell.instances).values()) / len(cell.instances)
    )
    measures["random baseline"] = lambda cell: Share(random_baseline(task, cell.instances))
    return measures


def _numbers(cell: BuiltCell) -> list[int]:
    return [int(answer_value(cell.task, one.answer)) for one in cell.instances]
