"""What is asked about a user's own graphs, task by task (section C.2).

The tasks, their rules and their quotas are those of the random graphs, as far as a folder has what
they want: a graph is what it is, so a quota gives way rather than leave suitable graphs out.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from benchloom.builders.graphomni.answers import (
    count_triangles,
    levels,
    members,
    neighbour_masks,
)
from benchloom.builders.graphomni.cells import Cell, Draft, Found, Grader
from benchloom.builders.graphomni.generators import Drawn
from benchloom.builders.graphomni.instances_pairs import apart, joined
from benchloom.builders.graphomni.instances_single import SINGLES, has_odd_cycle, is_decided
from benchloom.builders.graphomni.user_folder import Traits
from benchloom.builders.graphomni.user_supply import Kind, Supply
from benchloom.builders.graphs.graph import Graph

USER = "USER"
"""What stands as the generator of a user's own graphs."""

FARTHEST = 3
"""Pairs of connectivity are told apart by their distance up to here."""


@dataclass(frozen=True)
class Use:
    """How a task uses a user's graphs.

    Attributes:
        kinds: What a graph can be used for; nothing if it does not suit the task. Of yes/no tasks
            the first item of each kind is the answer.
        unsuitable: What graphs that do not suit the task are, in words.
        wanted: The kinds for the next instance, the most wanted first.
        grader: Chooses the question about graphs that are used for a kind. It gets the cell, the
            kind, randomness, and the last No that a Yes should resemble, None before the first.
    """

    kinds: Callable[[Cell, Graph, Traits], tuple[Kind, ...]]
    unsuitable: str
    wanted: Callable[[Cell, Supply], Sequence[Kind]]
    grader: Callable[[Cell, Kind, np.random.Generator, Draft | None], Grader]


def _rarer_answers(cell: Cell) -> list[str]:
    """Returns the answers Yes and No, the one that is rarer so far first."""
    return sorted(("No", "Yes"), key=lambda answer: cell.tally["answer", answer])


# bfs_order


def _start_kinds(cell: Cell, graph: Graph, traits: Traits) -> tuple[Kind, ...]:
    return (("start",),) if traits.longest >= 2 else ()


def _any_kind(cell: Cell, supply: Supply) -> Sequence[Kind]:
    return supply.kinds()


def _start(cell: Cell, kind: Kind, random: np.random.Generator, no: Draft | None) -> Grader:
    """Prefers starts from which the ascending order is wrong; no share is lost if it is right."""
    make = SINGLES["bfs_order"]
    cell.rules["ascending"] = 0.0
    strict, _ = make(cell, USER, cell.made[USER], random)
    cell.rules["ascending"] = 1.0
    lenient, _ = make(cell, USER, cell.made[USER], random)

    def grade(drawn: Drawn) -> Found | None:
        found = strict(drawn)
        if found is None and (found := lenient(drawn)) is not None:
            return replace(found, cost=1, relaxed=("ascending",))
        return found

    return grade


# connectivity


def _pair_kinds(cell: Cell, graph: Graph, traits: Traits) -> tuple[Kind, ...]:
    two = traits.real_components > 1
    distances = range(1, min(traits.longest, FARTHEST) + 1)
    return (*((("No",),) if two else ()), *(("Yes", two, distance) for distance in distances))


def _wanted_pairs(cell: Cell, supply: Supply) -> Sequence[Kind]:
    """Returns No and Yes in turn; graphs with two components are for Yes what No does not need."""
    rules = cell.rules
    quotas = {1: rules["adjacent"], 2: rules["near"], 3: 1 - rules["adjacent"] - rules["near"]}
    share = rules["two_components"]
    needed = cell.count // 2 - cell.tally["answer", "No"]
    two = [False, True]
    if supply.left["No",] > needed:
        two = cell.due({True: share, False: 1 - share}, "two")
    yes = [("Yes", which, distance) for which in two for distance in cell.due(quotas, "cell")]
    kinds: list[Kind] = []
    for answer in _rarer_answers(cell):
        kinds += yes if answer == "Yes" else [("No",)]
    return kinds


def _pair(cell: Cell, kind: Kind, random: np.random.Generator, no: Draft | None) -> Grader:
    if kind == ("No",):
        return _answering("No", apart(random))
    two, distance = bool(kind[1]), int(kind[2])
    surplus = cell.tally["equal degrees", 1] - cell.tally["equal degrees", -1]
    alike = no and joined(random, no, USER, distance, two, True, True, surplus)

    def grade(drawn: Drawn) -> Found | None:
        found = alike(drawn) if alike else None
        if found is not None:
            return found
        source, target = _distant_pair(drawn.graph, distance, random)
        relaxed = ("degrees",) if alike else ()
        tags = (("cell", distance), ("two", two))
        return Found(source, target, 100 if alike else 0, relaxed, tags)

    return _answering("Yes", grade)


def _distant_pair(graph: Graph, distance: int, random: np.random.Generator) -> tuple[int, int]:
    """Returns two nodes at a distance, the farthest kind meaning that or more."""
    masks = neighbour_masks(graph)
    for source in random.permutation(graph.n_nodes).tolist():
        reached = levels(masks, source)
        if len(reached) > distance:
            ends = reached[distance:] if distance == FARTHEST else [reached[distance]]
            choice = members(sum(ends))
            return source, choice[int(random.integers(len(choice)))]
    raise ValueError(f"no two nodes are at distance {distance}")


def _answering(answer: str, grade: Grader) -> Grader:
    """Returns a grader whose instances are counted under their answer."""

    def counted(drawn: Drawn) -> Found | None:
        found = grade(drawn)
        return found and replace(found, tags=(*found.tags, ("answer", answer)))

    return counted


# cycle


def _cycle_kinds(cell: Cell, graph: Graph, traits: Traits) -> tuple[Kind, ...]:
    return (("Yes" if traits.cyclic else "No",),) if graph.edges else ()


def _wanted_answers(cell: Cell, supply: Supply) -> Sequence[Kind]:
    return [(answer,) for answer in _rarer_answers(cell)]


def _cycle(cell: Cell, kind: Kind, random: np.random.Generator, no: Draft | None) -> Grader:
    """Prefers Yes graphs with the numbers of nodes, edges and isolated nodes of the last No."""

    def grade(drawn: Drawn) -> Found | None:
        if kind == ("No",) or no is None:
            return Found()
        mine, other = (
            (graph.n_nodes, graph.n_edges, graph.degrees.count(0))
            for graph in (drawn.graph, no.graph)
        )
        return Found(cost=sum(abs(a - b) for a, b in zip(mine, other, strict=True)))

    return _answering(str(kind[0]), grade)


# diameter and triangle


def _diameter_kinds(cell: Cell, graph: Graph, traits: Traits) -> tuple[Kind, ...]:
    return (("value", traits.longest),) if traits.connected else ()


def _triangle_kinds(cell: Cell, graph: Graph, traits: Traits) -> tuple[Kind, ...]:
    return (("value", count_triangles(graph)),)


def _wanted_values(cell: Cell, supply: Supply) -> Sequence[Kind]:
    """Returns first the values that are not too common yet, as chance has it; then the rarest."""

    def place(kind: Kind) -> tuple[int, int]:
        allowed = cell.allows(USER, kind[1], cell.rules["most_common"])
        return 0 if allowed else 1 + cell.tally[USER, kind[1]], supply.rank(kind)

    return sorted(supply.kinds(), key=place)


def _value(cell: Cell, kind: Kind, random: np.random.Generator, no: Draft | None) -> Grader:
    return lambda drawn: Found(tags=((USER, kind[1]),))


# shortest_path


def _path_kinds(cell: Cell, graph: Graph, traits: Traits) -> tuple[Kind, ...]:
    last = len(cell.rules["distances"])
    return tuple(("distance", kind) for kind in range(1, min(traits.longest, last) + 1))


def _wanted_distances(cell: Cell, supply: Supply) -> Sequence[Kind]:
    """Returns the distance that is due, then the next smaller ones, then the next larger ones."""
    quotas = dict(enumerate(cell.rules["distances"], start=1))
    target = cell.due(quotas, USER, "cell")[0]
    order = [*range(target, 0, -1), *range(target + 1, len(quotas) + 1)]
    return [("distance", kind) for kind in order]


def _path(cell: Cell, kind: Kind, random: np.random.Generator, no: Draft | None) -> Grader:
    return SINGLES["shortest_path"](cell, USER, cell.made[USER], random)[0]


# hamiltonian_cycle and max_cut


def _tour_kinds(cell: Cell, graph: Graph, traits: Traits) -> tuple[Kind, ...]:
    if min(graph.degrees) < 2 or not traits.connected:
        return (("No", False),) if graph.edges else ()
    if is_decided(graph, True):
        return (("Yes",),)
    return (("No", True),) if is_decided(graph, False) else ()


def _wanted_tours(cell: Cell, supply: Supply) -> Sequence[Kind]:
    share = cell.rules["tempting"]
    tempting = cell.due({True: share, False: 1 - share}, "tempting")
    kinds: list[Kind] = []
    for answer in _rarer_answers(cell):
        kinds += [("Yes",)] if answer == "Yes" else [("No", which) for which in tempting]
    return kinds


def _tour(cell: Cell, kind: Kind, random: np.random.Generator, no: Draft | None) -> Grader:
    tags = (("tempting", kind[1]),) if kind[0] == "No" else ()
    return _answering(str(kind[0]), lambda drawn: Found(tags=tags))


def _cut_kinds(cell: Cell, graph: Graph, traits: Traits) -> tuple[Kind, ...]:
    return (("odd cycle",),) if has_odd_cycle(graph) else ()


def _plain(cell: Cell, kind: Kind, random: np.random.Generator, no: Draft | None) -> Grader:
    return lambda drawn: Found()


USES: dict[str, Use] = {
    "bfs_order": Use(_start_kinds, "without two nodes at distance 2", _any_kind, _start),
    "connectivity": Use(_pair_kinds, "without an edge", _wanted_pairs, _pair),
    "cycle": Use(_cycle_kinds, "without an edge", _wanted_answers, _cycle),
    "diameter": Use(_diameter_kinds, "not connected", _wanted_values, _value),
    "shortest_path": Use(_path_kinds, "without an edge", _wanted_distances, _path),
    "triangle": Use(_triangle_kinds, "unsuitable", _wanted_values, _value),
    "hamiltonian_cycle": Use(
        _tour_kinds,
        "without an edge or with a cycle that takes too long to decide on",
        _wanted_tours,
        _tour,
    ),
    "max_cut": Use(_cut_kinds, "without a cycle of odd length", _any_kind, _plain),
}
"""How each task uses a user's graphs."""
