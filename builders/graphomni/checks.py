"""Second methods for the exact answers of GraphOmni: they share nothing with `answers`.

Audits and tests compare with them; slower is good enough.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise

from benchloom.builders.graphs.graph import Edge, Graph
from benchloom.builders.registry import lookup, register

CONFIRMERS: dict[str, Callable[[Graph, int, int, str], bool]] = {}
"""For each task: whether an answer in its stored form is right."""


def confirm(task: str, graph: Graph, source: int | None, target: int | None, answer: str) -> bool:
    """Returns whether a stored answer is right, by a second method.

    An answer in another form than records have it (`7,4,0`, `Yes`, `3`, `none`, `12: 0,3`) is
    wrong.

    Raises:
        InputError: If there is no such task.
    """
    confirmer = lookup(CONFIRMERS, task, "task")
    try:
        return confirmer(
            graph, -1 if source is None else source, -1 if target is None else target, answer
        )
    except ValueError:
        return False


def numbers(text: str) -> list[int]:
    """Returns the nodes of a text such as `7,4,0`.

    Raises:
        ValueError: If it is no such text, or is written in another way.
    """
    nodes = [int(word) for word in text.split(",")]
    if ",".join(map(str, nodes)) != text:
        raise ValueError(f"{text!r} is not written as nodes are")
    return nodes


def neighbour_sets(graph: Graph) -> list[set[int]]:
    """Returns the set of neighbours of each node."""
    near: list[set[int]] = [set() for _ in range(graph.n_nodes)]
    for u, v in graph.edges:
        near[u].add(v)
        near[v].add(u)
    return near


def roots(n_nodes: int, edges: Sequence[Edge]) -> list[int]:
    """Returns for each node one node of its component, the same for all (union-find)."""
    parent = list(range(n_nodes))

    def root(v: int) -> int:
        while parent[v] != v:
            parent[v] = parent[parent[v]]
            v = parent[v]
        return v

    for u, v in edges:
        parent[root(u)] = root(v)
    return [root(v) for v in range(n_nodes)]


def distances(graph: Graph) -> list[list[float]]:
    """Returns the distances by the Floyd-Warshall method, infinity where no path exists."""
    nodes = range(graph.n_nodes)
    table = [[float("inf")] * graph.n_nodes for _ in nodes]
    for v in nodes:
        table[v][v] = 0
    for u, v in graph.edges:
        table[u][v] = table[v][u] = 1
    for middle in nodes:
        through = table[middle]
        for row in table:
            first = row[middle]
            if first != float("inf"):
                row[:] = [min(a, first + b) for a, b in zip(row, through, strict=True)]
    return table


def is_bfs_order(graph: Graph, source: int, order: Sequence[int]) -> bool:
    """Returns whether an order is breadth-first, by where each node's first neighbour stands.

    An order of a component is breadth-first exactly when every node but the first has a neighbour
    before it, and the places of the first of these never go down along the order.
    """
    root = roots(graph.n_nodes, graph.edges)
    component = [v for v in range(graph.n_nodes) if root[v] == root[source]]
    if sorted(order) != component or order[0] != source:
        return False
    place = {node: i for i, node in enumerate(order)}
    near = neighbour_sets(graph)
    firsts = [min(place[v] for v in near[node]) for node in order[1:]]
    return all(first < i for i, first in enumerate(firsts, start=1)) and firsts == sorted(firsts)


def is_acyclic(graph: Graph) -> bool:
    """Returns whether taking away nodes with at most one edge, again and again, leaves nothing."""
    near = neighbour_sets(graph)
    pending = [v for v in range(graph.n_nodes) if len(near[v]) <= 1]
    taken = set()
    while pending:
        v = pending.pop()
        if v not in taken:
            taken.add(v)
            for u in near[v]:
                near[u].discard(v)
                if len(near[u]) <= 1:
                    pending.append(u)
    return len(taken) == graph.n_nodes


def count_triangles(graph: Graph) -> int:
    """Returns the number of joined triples, by looking at every triple with a joined pair."""
    edges = set(graph.edges)
    return sum(
        (u, w) in edges and (v, w) in edges
        for u, v in graph.edges
        for w in range(v + 1, graph.n_nodes)
    )


def has_hamiltonian_cycle(graph: Graph, steps: int | None = None) -> bool | None:
    """Returns whether a Hamiltonian cycle exists, by deciding edge by edge.

    Each edge is taken or left. A node with two taken edges loses its others; a node with only two
    edges has both taken; edges that would close a short cycle are lost.

    Args:
        graph: The graph.
        steps: Most decisions to look at; None for as many as it takes. None comes back when they
            were not enough.
    """
    n = graph.n_nodes
    if n < 3:
        return False
    pending: list[tuple[frozenset[Edge], frozenset[Edge]]] = [(frozenset(graph.edges), frozenset())]
    while pending:
        if steps is not None:
            if steps == 0:
                return None
            steps -= 1
        possible, taken = pending.pop()
        settled = _settle(n, possible, taken)
        if settled is None:
            continue
        possible, taken = settled
        open_edges = possible - taken
        if not open_edges:
            return True
        # Deciding at a node with few edges leads to contradictions soonest.
        degree = [0] * n
        for u, v in possible:
            degree[u] += 1
            degree[v] += 1
        edge = min(open_edges, key=lambda e: (degree[e[0]] + degree[e[1]], e))
        pending.append((possible - {edge}, taken))
        pending.append((possible, taken | {edge}))
    return False


def _settle(
    n: int, possible: frozenset[Edge], taken: frozenset[Edge]
) -> tuple[frozenset[Edge], frozenset[Edge]] | None:
    """Returns edges still possible and edges taken after all that follows, None if impossible."""
    while True:
        at: list[list[Edge]] = [[] for _ in range(n)]
        taken_at = [0] * n
        for edge in possible:
            for v in edge:
                at[v].append(edge)
                taken_at[v] += edge in taken
        must: set[Edge] = set()
        cannot: set[Edge] = set()
        for v in range(n):
            if len(at[v]) < 2 or taken_at[v] > 2:
                return None
            if len(at[v]) == 2:
                must.update(at[v])
            elif taken_at[v] == 2:
                cannot.update(edge for edge in at[v] if edge not in taken)
        must |= taken
        if must & cannot:
            return None
        root = roots(n, sorted(possible))
        if any(r != root[0] for r in root):
            return None
        part = roots(n, sorted(must))
        if len(set(part)) != n - len(must):
            # The taken edges hold a cycle: it must be the whole one.
            ends = sorted(v for edge in must for v in edge)
            whole = ends == sorted([*range(n), *range(n)]) and len(set(part)) == 1
            return (frozenset(must), frozenset(must)) if whole else None
        if len(must) < n - 1:
            cannot |= {e for e in possible if part[e[0]] == part[e[1]] and e not in must}
        if must == taken and not cannot:
            return possible, taken
        possible, taken = possible - cannot, frozenset(must)


def max_cut_size(graph: Graph) -> int:
    """Returns the size of the largest cut, by moving one node at a time through all sides.

    The sides come in the order of the Gray code; node 0 stays where it is.
    """
    near = [sum(1 << v for v in others) for others in neighbour_sets(graph)]
    side = cut = best = 0
    for step in range(1, 1 << max(graph.n_nodes - 1, 0)):
        v = (step & -step).bit_length()
        across = (near[v] & side).bit_count()
        alike = near[v].bit_count() - across
        if side >> v & 1:
            across, alike = alike, across
        cut += alike - across
        side ^= 1 << v
        best = max(best, cut)
    return best


@register(CONFIRMERS, "bfs_order")
def _bfs_order(graph: Graph, source: int, target: int, answer: str) -> bool:
    return is_bfs_order(graph, source, numbers(answer))


@register(CONFIRMERS, "connectivity")
def _connectivity(graph: Graph, source: int, target: int, answer: str) -> bool:
    root = roots(graph.n_nodes, graph.edges)
    return answer == ("Yes" if root[source] == root[target] else "No")


@register(CONFIRMERS, "cycle")
def _cycle(graph: Graph, source: int, target: int, answer: str) -> bool:
    return answer == ("No" if is_acyclic(graph) else "Yes")


@register(CONFIRMERS, "diameter")
def _diameter(graph: Graph, source: int, target: int, answer: str) -> bool:
    largest = max((max(row) for row in distances(graph)), default=float("inf"))
    return largest != float("inf") and answer == str(int(largest))


@register(CONFIRMERS, "shortest_path")
def _shortest_path(graph: Graph, source: int, target: int, answer: str) -> bool:
    path = numbers(answer)
    edges = set(graph.edges)
    return (
        path[0] == source
        and path[-1] == target
        and all((min(a, b), max(a, b)) in edges for a, b in pairwise(path))
        and len(path) - 1 == distances(graph)[source][target]
    )


@register(CONFIRMERS, "triangle")
def _triangle(graph: Graph, source: int, target: int, answer: str) -> bool:
    return answer == str(count_triangles(graph))


@register(CONFIRMERS, "hamiltonian_cycle")
def _hamiltonian_cycle(graph: Graph, source: int, target: int, answer: str) -> bool:
    if answer == "none":
        return not has_hamiltonian_cycle(graph)
    cycle = numbers(answer)
    edges = {frozenset(edge) for edge in graph.edges}
    return (
        sorted(cycle) == list(range(graph.n_nodes))
        and len(cycle) >= 3
        and all(frozenset((cycle[i - 1], cycle[i])) in edges for i in range(len(cycle)))
    )


@register(CONFIRMERS, "max_cut")
def _max_cut(graph: Graph, source: int, target: int, answer: str) -> bool:
    size, _, side = answer.partition(": ")
    nodes = numbers(side)
    across = sum((u in nodes) != (v in nodes) for u, v in graph.edges)
    inside = len(set(nodes)) == len(nodes) and all(0 <= v < graph.n_nodes for v in nodes)
    return inside and size == str(across) and across == max_cut_size(graph)
