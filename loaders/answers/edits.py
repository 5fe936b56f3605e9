"""The smallest number of edges by which two small graphs differ, over all relabellings."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from benchloom.builders.compiled import compiled
from benchloom.builders.graphs.graph import Graph

LARGEST = 11
"""The largest number of nodes: beyond it the search may take a second a pair."""


def count_edits(first: Graph, second: Graph) -> int | None:
    """Returns the smallest number of edges to add or delete that makes two graphs isomorphic.

    Exact: the graph edit distance in which only edges cost, 1 each. Where one graph has fewer
    nodes, isolated ones are added to it. None where a graph has more than `LARGEST` nodes.
    """
    n = max(first.n_nodes, second.n_nodes)
    if n > LARGEST:
        return None
    # Nodes with many neighbours come first: what they cost is known early.
    order = np.argsort(-np.array([*first.degrees, *[0] * (n - first.n_nodes)]), kind="stable")
    names = np.empty(n, np.int64)
    names[order] = np.arange(n)
    return int(_fewest(_matrix(first.relabelled(names), n), _matrix(second, n)))


def _matrix(graph: Graph, n_nodes: int) -> NDArray[np.int64]:
    matrix = np.zeros((n_nodes, n_nodes), np.int64)
    for u, v in graph.edges:
        matrix[u, v] = matrix[v, u] = 1
    return matrix


@compiled
def _fewest(first: NDArray[np.int64], second: NDArray[np.int64]) -> int:
    """Returns the fewest edits between two graphs of one size, given as adjacency matrices.

    Maps the first graph's nodes one after the other and goes back where the edits so far, and
    those that the numbers of edges left make sure, are no fewer than the best.
    """
    n = len(first)
    best = int(np.abs(first - second).sum()) // 2
    left_first = np.zeros(n + 1, np.int64)  # edges that are not among the first k nodes
    left_second = np.zeros(n + 1, np.int64)
    left_first[0], left_second[0] = first.sum() // 2, second.sum() // 2
    for k in range(n):
        left_first[k + 1] = left_first[k] - first[k, :k].sum()
    cost = np.zeros(n + 1, np.int64)
    image = np.full(n, -1, np.int64)
    taken, depth = 0, 0
    while depth >= 0 and best > 0:
        if image[depth] >= 0:
            taken &= ~(1 << image[depth])
        choice, fits = image[depth] + 1, False
        while choice < n:
            if not taken >> choice & 1:
                edits, edges = 0, 0
                for earlier in range(depth):
                    there = second[choice, image[earlier]]
                    edges += there
                    edits += first[depth, earlier] ^ there
                cost[depth + 1] = cost[depth] + edits
                left_second[depth + 1] = left_second[depth] - edges
                sure = abs(left_first[depth + 1] - left_second[depth + 1])
                if cost[depth + 1] + sure < best:
                    fits = True
                    break
            choice += 1
        if not fits:
            image[depth] = -1
            depth -= 1
        elif depth + 1 == n:
            best = cost[n]
            image[depth] = -1
            depth -= 1
        else:
            image[depth] = choice
            taken |= 1 << choice
            depth += 1
    return best
