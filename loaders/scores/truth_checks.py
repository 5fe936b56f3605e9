"""Whether the answers of a user's own references are right for their graphs, where that is cheap.

A wrong one would be believed by every verdict on it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from benchloom.builders.errors import InputError

MOST_NODES = 500
"""Of larger graphs nothing is checked."""
MOST_CUT_NODES = 14
"""Of larger ones only the size of a cut is checked, not that no cut is larger."""
MOST_CYCLE_NODES = 20
"""Of larger ones it is not checked that there is no Hamiltonian cycle."""
MOST_VGA_NODES = 12


def graphomni_fault(
    task: str,
    n_nodes: int,
    edges: Sequence[Sequence[int]],
    source: int | None,
    target: int | None,
    answer: str,
) -> str | None:
    """Returns what is wrong with an answer to a question of GraphOmni, None where nothing is known.

    Args:
        task: The task.
        n_nodes: Number of nodes.
        edges: Pairs of nodes, the smaller first.
        source: Where the task starts.
        target: Where it ends.
        answer: The answer in the form of records.
    """
    from benchloom.builders.graphomni import answers
    from benchloom.builders.graphs.graph import Graph

    if n_nodes > MOST_NODES:
        return None
    graph = Graph.of(n_nodes, [(u, v) for u, v in edges])
    nodes = answer.rpartition(":")[2].strip()
    listed = [int(one) for one in nodes.split(",")] if "," in nodes or nodes.isdigit() else []
    if task == "bfs_order":
        right = answers.is_bfs_order(graph, source or 0, listed)
    elif task == "shortest_path":
        right = answers.is_shortest_path(graph, source or 0, target or 0, listed)
    elif task == "hamiltonian_cycle":
        if listed:
            right = answers.is_hamiltonian_cycle(graph, listed)
        elif n_nodes > MOST_CYCLE_NODES:
            return None
        else:
            right = answers.hamiltonian_cycle(graph) is None
    elif task == "max_cut":
        size = answers.cut_size(graph, listed)
        if str(size) != answer.partition(":")[0]:
            return f"that side has a cut of {size}" if size is not None else "a node stands twice"
        if n_nodes > MOST_CUT_NODES:
            return None
        largest, _ = answers.max_cut(graph)
        return None if size == largest else f"there is a cut of {largest}"
    else:
        right = False
    if right:
        return None
    try:
        found = answers.answer(task, graph, source, target)
    except InputError as error:
        return str(error)
    if found == answer:
        return None
    return f"the graph's is {found}" if len(found) <= 60 else "it does not fit the graph"


def vga_fault(config: str, row: Mapping[str, Any]) -> str | None:
    """Returns what is wrong with an answer of VGA, None where nothing is known.

    Args:
        config: The task.
        row: The record, with `answer` and perhaps `graph6` and `marked`, or `graph6_left` and
            `graph6_right`.

    Raises:
        InputError: If a graph is no graph6.
    """
    from benchloom.builders.graphs import answers, graph6
    from benchloom.builders.vga.configs import CONFIGS

    names = ("graph6_left", "graph6_right") if CONFIGS[config].pairs else ("graph6",)
    if not all(isinstance(row.get(name), str) for name in names):
        return None
    graphs = [graph6.decode(row[name], name) for name in names]
    if max(graph.n_nodes for graph in graphs) > MOST_VGA_NODES:
        return None
    if CONFIGS[config].pairs:
        found: Any = answers.is_isomorphic(*graphs)
    elif config == "ham_path":
        found = answers.has_hamiltonian_path(graphs[0])
    elif config == "ham_cycle":
        found = answers.has_hamiltonian_cycle(graphs[0])
    elif config == "chordless_cycle":
        found = answers.biggest_chordless_cycle(graphs[0])
    else:
        marked: Any = row.get("marked")
        if not isinstance(marked, Sequence) or len(marked) != 2:
            return None
        if not all(one in range(graphs[0].n_nodes) for one in marked):
            return None
        found = int(answers.distances(graphs[0])[marked[0], marked[1]])
    text = ("no", "yes")[found] if isinstance(found, bool) else str(found)
    return None if text == row["answer"] else f"the graph's is {text}"
