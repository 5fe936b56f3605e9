"""The labelled simple graph, and graph6."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Edge = tuple[int, int]


@dataclass(frozen=True)
class Graph:
    """A simple undirected graph on the nodes 0..n-1.

    Attributes:
        n_nodes: Number of nodes.
        edges: The edges (u, v) with u < v, sorted, none twice.

    Raises:
        ValueError: If an edge is a loop, has an end outside 0..n-1, or is not sorted.
    """

    n_nodes: int
    edges: tuple[Edge, ...]

    def __post_init__(self) -> None:
        last = (-1, -1)
        for u, v in self.edges:
            if not 0 <= u < v < self.n_nodes:
                raise ValueError(
                    f"edge {u}-{v} is not a pair u < v of the nodes 0..{self.n_nodes - 1}"
                )
            if (u, v) <= last:
                raise ValueError(f"edge {u}-{v} is out of order or stands twice")
            last = (u, v)

    @classmethod
    def of(cls, n_nodes: int, edges: "list[Edge] | tuple[Edge, ...]") -> "Graph":
        """Returns the graph with these edges, given in any order and direction, repeats dropped."""
        return cls(n_nodes, tuple(sorted({(u, v) if u < v else (v, u) for u, v in edges})))

    @property
    def n_edges(self) -> int:
        """Number of edges."""
        return len(self.edges)

    @cached_property
    def rows(self) -> NDArray[np.int64]:
        """Neighbours as bit masks, shape (n,): bit v of rows[u] is set when u-v is an edge."""
        rows = [0] * self.n_nodes
        for u, v in self.edges:
            rows[u] |= 1 << v
            rows[v] |= 1 << u
        return np.array(rows, np.int64)

    @cached_property
    def degrees(self) -> tuple[int, ...]:
        """Degree of each node."""
        degrees = [0] * self.n_nodes
        for u, v in self.edges:
            degrees[u] += 1
            degrees[v] += 1
        return tuple(degrees)

    def relabelled(self, order: NDArray[np.integer]) -> "Graph":
        """Returns the graph in which node v is called order[v]."""
        name = order.tolist()
        return Graph.of(self.n_nodes, [(name[u], name[v]) for u, v in self.edges])
