"""Exact answers to the questions of GraphOmni, and judges for those with several right answers.

A set of nodes is an integer with one bit per node, so graphs may have any number of nodes.
`checks` has a second, independent method for each answer.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np

from benchloom.builders.errors import InputError
from benchloom.builders.graphomni.hamilton import find_hamiltonian_cycle
from benchloom.builders.graphs.graph import Graph
from benchloom.builders.registry import lookup, register

HAMILTONIAN_LIMIT = 30
"""Most nodes for which a Hamiltonian cycle is looked for."""

MAX_CUT_LIMIT = 20
"""Most nodes for which the largest cut is worked out (all 2^(n-1) cuts are compared)."""

NONE = "none"
"""The answer where no Hamiltonian cycle exists."""

Masks = Sequence[int]

ANSWERS: dict[str, Callable[[Graph, int | None, int | None], str]] = {}
"""The canonical answer to each task's question, as text."""


def answer(task: str, graph: Graph, source: int | None = None, target: int | None = None) -> str:
    """Returns the canonical answer to a task's question, as records store it.

    Orders, paths and cycles are nodes joined by commas (`7,4,0,1`), numbers are decimal, and yes/no
    is `Yes` or `No`. Of several right answers it is: the traversal that takes the neighbours of
    each node in ascending order; the path that is smallest node by node; the cycle from node 0 on
    (without repeating it) whose second node is below its last; the cut `size: side` with the side
    that holds node 0.

    Raises:
        InputError: If there is no such task, or the question has no answer for this graph.
    """
    return lookup(ANSWERS, task, "task")(graph, source, target)


def neighbour_masks(graph: Graph) -> list[int]:
    """Returns the set of neighbours of each node."""
    masks = [0] * graph.n_nodes
    for u, v in graph.edges:
        masks[u] |= 1 << v
        masks[v] |= 1 << u
    return masks


def members(nodes: int) -> list[int]:
    """Returns the nodes of a set in ascending order."""
    found = []
    while nodes:
        low = nodes & -nodes
        found.append(low.bit_length() - 1)
        nodes ^= low
    return found


def levels(masks: Masks, source: int) -> list[int]:
    """Returns the sets of nodes at distance 0, 1, 2 ... from a node, up to the last non-empty."""
    seen = frontier = 1 << source
    found = []
    while frontier:
        found.append(frontier)
        near = 0
        while frontier:
            low = frontier & -frontier
            near |= masks[low.bit_length() - 1]
            frontier ^= low
        frontier = near & ~seen
        seen |= frontier
    return found


def components(masks: Masks) -> list[int]:
    """Returns the connected components, as sets of nodes, by their lowest nodes."""
    remaining = (1 << len(masks)) - 1
    found = []
    while remaining:
        whole = 0
        for level in levels(masks, (remaining & -remaining).bit_length() - 1):
            whole |= level
        found.append(whole)
        remaining &= ~whole
    return found


def bfs_order(graph: Graph, source: int) -> list[int]:
    """Returns the breadth-first order from a node that takes neighbours in ascending order.

    It holds the nodes of the source's component.
    """
    masks = neighbour_masks(graph)
    order, seen = [source], 1 << source
    for node in order:
        order += members(masks[node] & ~seen)
        seen |= masks[node]
    return order


def is_bfs_order(graph: Graph, source: int, order: Sequence[int]) -> bool:
    """Returns whether nodes stand in an order in which a queue would give them out.

    The order starts at the source, holds its whole component, each node once, and takes the new
    neighbours of each node together, in any order among them.
    """
    if not order or order[0] != source or not all(0 <= v < graph.n_nodes for v in order):
        return False
    masks = neighbour_masks(graph)
    seen, end = 1 << source, 1
    for place, node in enumerate(order):
        if place >= end:
            return False  # it was never put into the queue
        new = masks[node] & ~seen
        listed = 0
        for v in order[end : end + new.bit_count()]:
            listed |= 1 << v
        if listed != new:
            return False
        seen |= new
        end += new.bit_count()
    return end == len(order)


def has_path(graph: Graph, source: int, target: int) -> bool:
    """Returns whether a path joins two nodes; each node is joined to itself."""
    return any(level >> target & 1 for level in levels(neighbour_masks(graph), source))


def has_cycle(graph: Graph) -> bool:
    """Returns whether the graph has a cycle: more edges than a forest with its components."""
    return graph.n_edges > graph.n_nodes - len(components(neighbour_masks(graph)))


def diameter(graph: Graph) -> int | None:
    """Returns the largest distance between two nodes, 0 for one node.

    None when the graph is not connected (or has no nodes): it has no diameter then.
    """
    masks = neighbour_masks(graph)
    if len(components(masks)) != 1:
        return None
    return max(len(levels(masks, v)) for v in range(graph.n_nodes)) - 1


def shortest_path(graph: Graph, source: int, target: int) -> list[int] | None:
    """Returns the shortest path that is smallest node by node, None when there is none."""
    masks = neighbour_masks(graph)
    found = levels(masks, target)
    distance = next((d for d, level in enumerate(found) if level >> source & 1), None)
    if distance is None:
        return None
    path = [source]
    for level in reversed(found[:distance]):
        near = masks[path[-1]] & level
        path.append((near & -near).bit_length() - 1)
    return path


def is_shortest_path(graph: Graph, source: int, target: int, path: Sequence[int]) -> bool:
    """Returns whether nodes are a path from source to target with as few edges as possible."""
    if not path or path[0] != source or path[-1] != target:
        return False
    if not all(0 <= v < graph.n_nodes for v in path):
        return False
    masks = neighbour_masks(graph)
    if not all(masks[u] >> v & 1 for u, v in pairwise(path)):
        return False
    found = levels(masks, source)
    return len(path) <= len(found) and found[len(path) - 1] >> target & 1 == 1


def count_triangles(graph: Graph) -> int:
    """Returns the number of sets of three nodes that are all joined."""
    masks = neighbour_masks(graph)
    return sum((masks[u] & masks[v]).bit_count() for u, v in graph.edges) // 3


def hamiltonian_cycle(graph: Graph) -> list[int] | None:
    """Returns a cycle that visits each node once, from node 0 on, None when there is none.

    Node 0 is not repeated at the end; the second node is below the last.

    Raises:
        InputError: If the graph has more than 30 nodes.
    """
    if graph.n_nodes > HAMILTONIAN_LIMIT:
        raise InputError(
            f"Hamiltonian cycles are found for graphs of up to {HAMILTONIAN_LIMIT} nodes, "
            f"not {graph.n_nodes}"
        )
    return find_hamiltonian_cycle(neighbour_masks(graph))


def is_hamiltonian_cycle(graph: Graph, nodes: Sequence[int]) -> bool:
    """Returns whether the nodes, in their order and back to the first, are a Hamiltonian cycle.

    The first node may be repeated at the end.
    """
    cycle = list(nodes)
    if len(cycle) > 1 and cycle[0] == cycle[-1]:
        cycle.pop()
    if len(cycle) < 3 or sorted(cycle) != list(range(graph.n_nodes)):
        return False
    masks = neighbour_masks(graph)
    return all(masks[u] >> v & 1 for u, v in zip(cycle, cycle[1:] + cycle[:1], strict=True))


def max_cut(graph: Graph) -> tuple[int, list[int]]:
    """Returns the size of a largest cut and one of its sides, the one that holds node 0.

    Of several largest cuts it is the one whose side is smallest as a binary number.

    Raises:
        InputError: If the graph has more than 20 nodes.
    """
    n = graph.n_nodes
    if n > MAX_CUT_LIMIT:
        raise InputError(
            f"largest cuts are found for graphs of up to {MAX_CUT_LIMIT} nodes, not {n}"
        )
    if n == 0:
        return 0, []
    masks = neighbour_masks(graph)
    # Entry s is the cut of the side of node 0 and those nodes v whose bit v - 1 is set in s.
    sides = np.ones(1, np.uint32)
    cuts = np.array([masks[0].bit_count()], np.int16)
    for v in range(1, n):
        inside = np.bitwise_count(sides & np.uint32(masks[v])).astype(np.int16)
        cuts = np.concatenate([cuts, cuts + np.int16(masks[v].bit_count()) - 2 * inside])
        sides = np.concatenate([sides, sides | np.uint32(1 << v)])
    best = int(cuts.argmax())
    return int(cuts[best]), members(int(sides[best]))


def cut_size(graph: Graph, side: Sequence[int]) -> int | None:
    """Returns the number of edges with one end on a side, None if it is no set of nodes."""
    chosen = set(side)
    if len(chosen) != len(side) or not all(0 <= v < graph.n_nodes for v in chosen):
        return None
    return sum((u in chosen) != (v in chosen) for u, v in graph.edges)


def join(nodes: Sequence[int]) -> str:
    """Returns nodes as answers write them: `7,4,0`."""
    return ",".join(map(str, nodes))


def _node(node: int | None, what: str) -> int:
    if node is None:
        raise InputError(f"the question needs a {what} node")
    return node


@register(ANSWERS, "bfs_order")
def _bfs_order(graph: Graph, source: int | None, target: int | None) -> str:
    return join(bfs_order(graph, _node(source, "source")))


@register(ANSWERS, "connectivity")
def _connectivity(graph: Graph, source: int | None, target: int | None) -> str:
    joined = has_path(graph, _node(source, "source"), _node(target, "target"))
    return "Yes" if joined else "No"


@register(ANSWERS, "cycle")
def _cycle(graph: Graph, source: int | None, target: int | None) -> str:
    return "Yes" if has_cycle(graph) else "No"


@register(ANSWERS, "diameter")
def _diameter(graph: Graph, source: int | None, target: int | None) -> str:
    value = diameter(graph)
    if value is None:
        raise InputError("a graph that is not connected has no diameter")
    return str(value)


@register(ANSWERS, "shortest_path")
def _shortest_path(graph: Graph, source: int | None, target: int | None) -> str:
    path = shortest_path(graph, _node(source, "source"), _node(target, "target"))
    if path is None:
        raise InputError(f"no path joins node {source} and node {target}")
    return join(path)


@register(ANSWERS, "triangle")
def _triangle(graph: Graph, source: int | None, target: int | None) -> str:
    return str(count_triangles(graph))


@register(ANSWERS, "hamiltonian_cycle")
def _hamiltonian_cycle(graph: Graph, source: int | None, target: int | None) -> str:
    cycle = hamiltonian_cycle(graph)
    return NONE if cycle is None else join(cycle)


@register(ANSWERS, "max_cut")
def _max_cut(graph: Graph, source: int | None, target: int | None) -> str:
    size, side = max_cut(graph)
    return f"{size}: {join(side)}"
