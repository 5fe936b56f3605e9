"""Exact answers about graphs, for one graph and for tables of many.

The functions on one `Graph` come first. The functions on tables take neighbour bit masks (integers,
shape (graphs, N), bit v of entry u set when u-v is an edge) and the graphs' numbers of nodes (shape
(graphs,)), as `GraphTable` holds them; entries beyond a graph's nodes are not looked at. What is
meant by each answer is said once, at the function on one graph. `checks` has a second, independent
method for each.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchloom.builders.graphs import loops, planarity
from benchloom.builders.graphs.graph import Graph

SUBSET_LIMIT = 25
"""Most nodes for answers that look at all sets of nodes (2^25 sets take about a second)."""

MASK_LIMIT = 63
"""Most nodes for answers that keep a set of nodes in one 64-bit integer."""

UNREACHABLE = 255
"""Stands in tables of distances where no path exists."""

Integers = NDArray[np.integer[Any]]


def has_hamiltonian_path(graph: Graph) -> bool:
    """Returns whether a path visits each node exactly once (section 3.2 of the VGA paper).

    One node alone is such a path; a graph without nodes has none.

    Raises:
        ValueError: If the graph has more than 25 nodes.
    """
    rows = _checked_rows(graph, SUBSET_LIMIT, "a Hamiltonian path")
    return bool(loops.all_hamiltonian(rows[None], np.array([graph.n_nodes]), False)[0])


def has_hamiltonian_cycle(graph: Graph) -> bool:
    """Returns whether a cycle visits each node exactly once (section 3.3 of the VGA paper).

    A cycle has at least three nodes.

    Raises:
        ValueError: If the graph has more than 25 nodes.
    """
    rows = _checked_rows(graph, SUBSET_LIMIT, "a Hamiltonian cycle")
    return bool(loops.all_hamiltonian(rows[None], np.array([graph.n_nodes]), True)[0])


def biggest_chordless_cycle(graph: Graph) -> int:
    """Returns the length of the longest chordless cycle, 0 when the graph has no cycle.

    A cycle is chordless when no edge joins two of its nodes but the edges of the cycle itself
    (section 3.3 of the VGA paper), so a triangle counts, with length 3. Every graph with a cycle
    has a chordless one.

    Raises:
        ValueError: If the graph has more than 25 nodes.
    """
    rows = _checked_rows(graph, SUBSET_LIMIT, "the biggest chordless cycle")
    return int(loops.all_chordless(rows[None], np.array([graph.n_nodes]))[0])


def distances(graph: Graph) -> NDArray[np.uint8]:
    """Returns the number of edges on a shortest path between any two nodes (section 3.2).

    uint8 of shape (n, n): 0 on the diagonal, 255 where no path exists.

    Raises:
        ValueError: If the graph has more than 63 nodes.
    """
    rows = _checked_rows(graph, MASK_LIMIT, "distances")
    table = loops.all_distances(rows[None], np.array([graph.n_nodes]))
    answer: NDArray[np.uint8] = table[0]
    return answer


def is_connected(graph: Graph) -> bool:
    """Returns whether a path joins any two nodes; a graph without nodes is not connected.

    Raises:
        ValueError: If the graph has more than 63 nodes.
    """
    return graph.n_nodes > 0 and not bool((distances(graph) == UNREACHABLE).any())


def diameter(graph: Graph) -> int | None:
    """Returns the largest distance between two nodes, None when the graph is not connected.

    One node alone has diameter 0.

    Raises:
        ValueError: If the graph has more than 63 nodes.
    """
    if not is_connected(graph):
        return None
    return int(distances(graph).max())


def is_planar(graph: Graph) -> bool:
    """Returns whether the graph can be drawn in the plane without crossings (section 3)."""
    n, m = graph.n_nodes, graph.n_edges
    # Euler: a planar graph has at most 3n - 6 edges; a non-planar one has at least K3,3's nine.
    if n < 5 or m < 9:
        return True
    if m > 3 * n - 6:
        return False
    import networkx

    drawn = networkx.Graph()
    drawn.add_nodes_from(range(n))
    drawn.add_edges_from(graph.edges)
    return bool(networkx.check_planarity(drawn)[0])


def is_isomorphic(first: Graph, second: Graph) -> bool:
    """Returns whether a relabelling turns one graph into the other (section 3.1).

    Exact: colour refinement narrows the search down, and a mapping is accepted only when it keeps
    every edge and every non-edge.

    Raises:
        ValueError: If a graph has more than 63 nodes.
    """
    one = _checked_rows(first, MASK_LIMIT, "isomorphism")
    other = _checked_rows(second, MASK_LIMIT, "isomorphism")
    if first.n_nodes != second.n_nodes or first.n_edges != second.n_edges:
        return False
    return bool(loops.isomorphic(one, other))


def hamiltonian_paths(rows: Integers, n_nodes: Integers) -> NDArray[np.bool_]:
    """Returns for each graph of a table whether it has a Hamiltonian path, shape (graphs,)."""
    return loops.all_hamiltonian(*_table(rows, n_nodes, SUBSET_LIMIT), False)


def hamiltonian_cycles(rows: Integers, n_nodes: Integers) -> NDArray[np.bool_]:
    """Returns for each graph of a table whether it has a Hamiltonian cycle, shape (graphs,)."""
    return loops.all_hamiltonian(*_table(rows, n_nodes, SUBSET_LIMIT), True)


def biggest_chordless_cycles(rows: Integers, n_nodes: Integers) -> NDArray[np.uint8]:
    """Returns the length of each graph's longest chordless cycle or 0, uint8 (graphs,)."""
    return loops.all_chordless(*_table(rows, n_nodes, SUBSET_LIMIT))


def distance_tables(rows: Integers, n_nodes: Integers) -> NDArray[np.uint8]:
    """Returns the distances in each graph of a table, uint8 of shape (graphs, N, N).

    0 on the diagonal, 255 where no path exists and beyond a graph's nodes.
    """
    return loops.all_distances(*_table(rows, n_nodes, MASK_LIMIT))


def planar_graphs(rows: Integers, n_nodes: Integers) -> NDArray[np.bool_]:
    """Returns for each graph of a table whether it is planar, shape (graphs,)."""
    return planarity.planar(*_table(rows, n_nodes, MASK_LIMIT))


def _checked_rows(graph: Graph, limit: int, what: str) -> NDArray[np.int64]:
    if graph.n_nodes > limit:
        raise ValueError(f"{what} is found for graphs of up to {limit} nodes, not {graph.n_nodes}")
    return graph.rows


def _table(
    rows: Integers, n_nodes: Integers, limit: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Returns a table as the compiled loops want it: one element type, one memory layout."""
    if n_nodes.size and int(n_nodes.max()) > limit:
        raise ValueError(f"the table may hold graphs of up to {limit} nodes, not {n_nodes.max()}")
    return np.array(rows, np.int64, order="C"), np.array(n_nodes, np.int64)
