"""Second methods for the exact answers: plain, slow, and sharing nothing with `answers`.

They are what tests and audits compare with, meant for graphs of up to nine or ten nodes. What each
answer means is said in `answers`.
"""

from collections.abc import Iterator
from itertools import combinations, permutations

from benchloom.builders.graphs.graph import Graph

Neighbours = dict[int, frozenset[int]]


def neighbours(graph: Graph) -> Neighbours:
    """Returns the set of neighbours of each node."""
    return {
        v: frozenset({a for a, b in graph.edges if b == v} | {b for a, b in graph.edges if a == v})
        for v in range(graph.n_nodes)
    }


def longest_path_nodes(graph: Graph) -> int:
    """Returns the number of nodes on a longest path, by walking along every path."""
    near = neighbours(graph)
    longest = 0
    pending: list[tuple[int, ...]] = [(v,) for v in near]
    while pending:
        path = pending.pop()
        longest = max(longest, len(path))
        if longest == graph.n_nodes:
            break
        pending += [(*path, v) for v in near[path[-1]] if v not in path]
    return longest


def has_hamiltonian_path(graph: Graph) -> bool:
    """Returns whether a longest path visits all nodes."""
    return graph.n_nodes > 0 and longest_path_nodes(graph) == graph.n_nodes


def cycles(graph: Graph) -> Iterator[tuple[int, ...]]:
    """Yields every cycle once in each direction, from its lowest node on, by walking every path."""
    near = neighbours(graph)
    pending: list[tuple[int, ...]] = [(v,) for v in near]
    while pending:
        path = pending.pop()
        if len(path) >= 3 and path[0] in near[path[-1]]:
            yield path
        pending += [(*path, v) for v in near[path[-1]] if v > path[0] and v not in path]


def has_hamiltonian_cycle(graph: Graph) -> bool:
    """Returns whether some cycle visits all nodes."""
    return any(len(cycle) == graph.n_nodes for cycle in cycles(graph))


def biggest_chordless_cycle(graph: Graph) -> int:
    """Returns the length of the longest cycle whose nodes have no further edge among them, or 0."""
    edges = set(graph.edges)
    return max(
        (
            len(cycle)
            for cycle in cycles(graph)
            if sum(pair in edges for pair in combinations(sorted(cycle), 2)) == len(cycle)
        ),
        default=0,
    )


def distances(graph: Graph) -> list[list[float]]:
    """Returns the distances by the Floyd-Warshall method, infinity where no path exists."""
    near = neighbours(graph)
    nodes = range(graph.n_nodes)
    table = [[0 if u == v else 1 if v in near[u] else float("inf") for v in nodes] for u in nodes]
    for middle in nodes:
        for u in nodes:
            for v in nodes:
                table[u][v] = min(table[u][v], table[u][middle] + table[middle][v])
    return table


def is_planar(graph: Graph) -> bool:
    """Returns whether the graph has no K5 and no K3,3 as a minor (Wagner's theorem).

    Every graph that contractions of edges lead to is looked at for a K5 or K3,3 within.
    """
    start = neighbours(graph)
    pending, seen = [start], {frozenset(start.items())}
    while pending:
        near = pending.pop()
        if _holds_kuratowski(near):
            return False
        for u in near:
            for v in near[u]:
                if u < v:
                    smaller = _contracted(near, u, v)
                    key = frozenset(smaller.items())
                    if len(smaller) >= 5 and key not in seen:
                        seen.add(key)
                        pending.append(smaller)
    return True


def _contracted(near: Neighbours, u: int, v: int) -> Neighbours:
    """Returns the graph in which v is drawn into its neighbour u."""
    smaller = {}
    for node, others in near.items():
        if node == u:
            smaller[node] = (others | near[v]) - {u, v}
        elif node != v:
            smaller[node] = others - {v} | {u} if v in others else others
    return smaller


def _holds_kuratowski(near: Neighbours) -> bool:
    """Returns whether five nodes are all joined, or three nodes have three neighbours in common."""
    if any(all(v in near[u] for u, v in combinations(nodes, 2)) for nodes in combinations(near, 5)):
        return True
    return any(len(near[a] & near[b] & near[c]) >= 3 for a, b, c in combinations(near, 3))


def is_isomorphic(first: Graph, second: Graph) -> bool:
    """Returns whether some permutation of the nodes turns one graph into the other."""
    if first.n_nodes != second.n_nodes or first.n_edges != second.n_edges:
        return False
    edges = set(second.edges)
    return any(
        all((min(p[u], p[v]), max(p[u], p[v])) in edges for u, v in first.edges)
        for p in permutations(range(first.n_nodes))
    )
