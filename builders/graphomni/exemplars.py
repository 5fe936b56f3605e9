"""The five worked examples of each task: easy graphs from a seed stream of their own.

They depend on the generation alone, never on a user's seed, and are the same for all formats and
prompt schemes.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from benchloom.builders.errors import InputError
from benchloom.builders.graphomni.questions import WORDINGS, answer_sentence
from benchloom.builders.graphomni.searches import (
    Worked,
    work_bfs_order,
    work_connectivity,
    work_diameter,
    work_shortest_path,
)
from benchloom.builders.graphomni.serializers.serializer import adjacency
from benchloom.builders.graphomni.structures import (
    work_cycle,
    work_hamiltonian_cycle,
    work_max_cut,
    work_triangle,
)
from benchloom.builders.graphs.graph import Graph
from benchloom.builders.registry import lookup
from benchloom.builders.seeds import rng

N_EXEMPLARS = 5
_ATTEMPTS = 100_000
"""A graph that meets its aim is found after some hundred at most."""
_LONGEST_RUN = 1600
"""Characters: backtracking may go on for long."""


@dataclass(frozen=True)
class Exemplar:
    """One worked example.

    Attributes:
        task: The task.
        graph: The graph.
        source: The first node that is asked about, where the task has one.
        target: The second node, where the task has one.
        answer: The canonical answer.
        reasoning: What CoT and Instruct show before the answer sentence.
        run: What Algorithm shows before the answer sentence.
        sentence: The answer sentence.
    """

    task: str
    graph: Graph
    source: int | None
    target: int | None
    answer: str
    reasoning: str
    run: str
    sentence: str


@dataclass(frozen=True)
class _Plan:
    """How the graphs of a task are drawn.

    Attributes:
        work: Works an example out: from the neighbours of each node and the nodes asked about.
        n_nodes: Smallest and largest number of nodes.
        n_asked: How many nodes the question names.
        aims: What each of the five has to be, in an order that is shuffled.
        meets: Whether an example is what it has to be.
    """

    work: Callable[..., Worked]
    n_nodes: tuple[int, int]
    n_asked: int
    aims: tuple[str, ...]
    meets: Callable[[str, Graph, list[int], Worked], bool]


def _distances(graph: Graph, start: int) -> dict[int, int]:
    """Returns the distance of each node that a node reaches."""
    near = adjacency(graph)
    found, row = {start: 0}, [start]
    for v in row:
        for u in near[v]:
            if u not in found:
                found[u] = found[v] + 1
                row.append(u)
    return found


def _is_traversal(aim: str, graph: Graph, asked: list[int], _: Worked) -> bool:
    found = _distances(graph, asked[0])
    whole = len(found) == graph.n_nodes
    return max(found.values()) >= 2 and whole == (aim == "whole") and len(found) >= 4


def _is_connectivity(aim: str, graph: Graph, asked: list[int], _: Worked) -> bool:
    first, second = (_distances(graph, node) for node in asked)
    if aim == "separate":
        return asked[1] not in first and len(first) > 2 and len(second) > 2
    distance, parts = aim.split()
    return first.get(asked[1]) == int(distance) and (
        len(first) == graph.n_nodes
        if parts == "whole"
        else any(u not in first and v not in first for u, v in graph.edges)
    )


def _is_cycle(aim: str, graph: Graph, _: list[int], worked: Worked) -> bool:
    answer, size = aim.split() if " " in aim else (aim, "")
    # Fewer edges than nodes though there is a cycle, and an edge count near it where there is none.
    few = graph.n_edges < graph.n_nodes
    return worked.answer == answer and graph.n_edges >= 4 and (not size or few == (size == "few"))


def _is_diameter(aim: str, graph: Graph, _: list[int], worked: Worked) -> bool:
    return len(_distances(graph, 0)) == graph.n_nodes and worked.answer == aim


def _is_path(aim: str, graph: Graph, asked: list[int], _: Worked) -> bool:
    found = _distances(graph, asked[0])
    return found.get(asked[1]) == int(aim) and graph.n_edges >= 6


def _is_triangle(aim: str, graph: Graph, _: list[int], worked: Worked) -> bool:
    return worked.answer == aim and graph.n_edges >= 6


def _is_hamiltonian(aim: str, graph: Graph, _: list[int], worked: Worked) -> bool:
    # Where there is none, the reasoning must have a reason that it can tell.
    fits = bool(worked.reasoning) and len(worked.run) < _LONGEST_RUN and graph.n_edges >= 6
    return fits and (worked.answer == "none") == (aim == "none")


def _is_max_cut(aim: str, graph: Graph, _: list[int], worked: Worked) -> bool:
    return graph.n_edges == int(aim) and len(_distances(graph, 0)) == graph.n_nodes


_PLANS = {
    "bfs_order": _Plan(
        work_bfs_order, (6, 8), 1, ("whole", "whole", "whole", "part", "part"), _is_traversal
    ),
    "connectivity": _Plan(
        work_connectivity,
        (6, 9),
        2,
        ("separate", "separate", "1 parts", "2 parts", "3 whole"),
        _is_connectivity,
    ),
    "cycle": _Plan(work_cycle, (6, 8), 0, ("No", "No", "Yes", "Yes few", "Yes many"), _is_cycle),
    "diameter": _Plan(work_diameter, (5, 8), 0, ("2", "2", "3", "3", "4"), _is_diameter),
    "shortest_path": _Plan(work_shortest_path, (6, 8), 2, ("1", "2", "2", "3", "4"), _is_path),
    "triangle": _Plan(work_triangle, (5, 7), 0, ("0", "1", "2", "3", "4"), _is_triangle),
    "hamiltonian_cycle": _Plan(
        work_hamiltonian_cycle, (5, 7), 0, ("none", "none", "one", "one", "one"), _is_hamiltonian
    ),
    "max_cut": _Plan(work_max_cut, (5, 5), 0, ("5", "6", "6", "7", "8"), _is_max_cut),
}


@lru_cache(maxsize=64)
def exemplars(task: str, generation: int) -> tuple[Exemplar, ...]:
    """Returns the five worked examples of a task, no two of them isomorphic.

    Raises:
        InputError: If there is no such task.
    """
    plan = lookup(_PLANS, task, "task")
    order = rng("graphomni", generation, "exemplars", task).permutation(len(plan.aims))
    drawn: list[Exemplar] = []
    for place, aim in enumerate(order.tolist()):
        drawn.append(_draw(task, generation, place, plan.aims[aim], drawn))
    return tuple(drawn)


def exemplar_graphs(task: str, generation: int) -> list[tuple[Graph, int | None, int | None]]:
    """Returns graph, source and target of each example, none of which may be an instance."""
    return [(shown.graph, shown.source, shown.target) for shown in exemplars(task, generation)]


def work_out(
    task: str, graph: Graph, source: int | None = None, target: int | None = None
) -> Exemplar:
    """Returns the worked example of a question.

    Args:
        task: The task.
        graph: A small graph that the task fits: connected for a diameter, and so on.
        source: The first node that is asked about, where the task has one.
        target: The second node, where the task has one.

    Raises:
        InputError: If there is no such task, or a node is missing.
    """
    plan = lookup(_PLANS, task, "task")
    asked = [node for node in (source, target) if node is not None]
    if len(asked) != plan.n_asked:
        raise InputError(f"a question of the task {task} names {plan.n_asked} nodes")
    worked = plan.work(adjacency(graph), *asked)
    sentence = answer_sentence(task, source, target, worked.answer)
    return Exemplar(
        task, graph, source, target, worked.answer, worked.reasoning, worked.run, sentence
    )


def _draw(task: str, generation: int, place: int, aim: str, earlier: list[Exemplar]) -> Exemplar:
    """Returns the first drawn example that meets its aim and is like none before it."""
    plan = _PLANS[task]
    generator = rng("graphomni", generation, "exemplars", task, place)
    taken = [sorted(shown.graph.degrees) for shown in earlier]
    for _ in range(_ATTEMPTS):
        n = int(generator.integers(plan.n_nodes[0], plan.n_nodes[1] + 1))
        chosen = generator.random((n, n)) < generator.uniform(0.15, 0.6)
        graph = Graph(n, tuple((u, v) for u in range(n) for v in range(u + 1, n) if chosen[u, v]))
        asked: list[int] = generator.permutation(n)[: plan.n_asked].tolist()
        # Other degrees make sure that no two graphs are isomorphic.
        if sorted(graph.degrees) in taken:
            continue
        if task == "shortest_path" and asked[1] not in _distances(graph, asked[0]):
            continue
        nodes = [*asked, None, None]
        shown = work_out(task, graph, nodes[0], nodes[1])
        worked = Worked(shown.answer, shown.reasoning, shown.run)
        if plan.meets(aim, graph, asked, worked):
            return shown
    raise RuntimeError(f"no exemplar of {task} that is {aim} in {_ATTEMPTS} draws")


if set(_PLANS) != set(WORDINGS):
    raise RuntimeError("questions.py and exemplars.py know different tasks")
