"""Numbers that isomorphic graphs share: what keeps the graphs of a cell different.

Nodes are coloured by rounds of refinement: a node's next colour depends on its own and on the sum
of the scrambled colours of its neighbours. Colours are 64-bit numbers and do not depend on the
numbering of the nodes; sums and products of 64-bit integers are the same on every machine.
"""

import numpy as np
from numpy.typing import NDArray

from benchloom.builders.graphs.graph import Graph

Invariant = tuple[int, int, int, int]

_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_SECOND_FACTOR = np.uint64(0xC2B2AE3D27D4EB4F)
_SHIFT = np.uint64(29)
_ROUNDS = 4


class Classes:
    """A growing collection of graphs, no two of them isomorphic.

    A graph counts as known when its invariant is that of one that was added. So no isomorphic graph
    is ever taken for new; now and then one that is not isomorphic (such as two triangles after a
    hexagon) is taken for known, which costs a draw.
    """

    def __init__(self) -> None:
        self._known: set[Invariant] = set()

    def __contains__(self, graph: Graph) -> bool:
        """Returns whether a graph isomorphic to this one (or hardly different) was added."""
        return invariant(graph) in self._known

    def add(self, graph: Graph) -> None:
        """Adds a graph."""
        self._known.add(invariant(graph))


def invariant(graph: Graph) -> Invariant:
    """Returns numbers that are the same for isomorphic graphs, and seldom for others."""
    n = graph.n_nodes
    matrix = np.zeros((n, n), np.uint64)
    if graph.edges:
        ends = np.array(graph.edges).T
        matrix[ends[0], ends[1]] = 1
        matrix[ends[1], ends[0]] = 1
    colours = np.ones(n, np.uint64)
    for _ in range(_ROUNDS):
        colours = _scrambled(colours * _FACTOR + matrix @ _scrambled(colours))
    # Colours multiplied edge by edge tell apart what sums over nodes do not.
    across = int(np.add.reduce(colours * (matrix @ (colours * _FACTOR))))
    return n, graph.n_edges, int(np.add.reduce(_scrambled(colours))), across


def _scrambled(colours: NDArray[np.uint64]) -> NDArray[np.uint64]:
    mixed = (colours ^ (colours >> _SHIFT)) * _SECOND_FACTOR
    return (mixed ^ (mixed >> _SHIFT)) * _FACTOR
