r"""Adjacency Matrix: `[[0 1 0]\n [1 0 1]\n [0 1 0]]`, as numpy prints a small array.

Longer rows are neither cut short nor broken, as numpy would.
"""

import re

from benchloom.builders.errors import InputError
from benchloom.builders.graphomni.serializers.serializer import Contents, serializer
from benchloom.builders.graphs.graph import Graph

_MATRIX = re.compile(r"\s*\[\s*(?:\[[01\s]*\]\s*)*\]\s*")
_ROW = re.compile(r"\[([01\s]+)\]")


def read(text: str) -> Contents:
    """Returns the nodes and edges that an adjacency matrix shows."""
    if not _MATRIX.fullmatch(text):
        raise InputError("the Adjacency Matrix is not rows of 0 and 1 in square brackets")
    rows = [row.split() for row in _ROW.findall(text)]
    n = len(rows)
    if text.count("[") != n + 1:
        raise InputError("the Adjacency Matrix has a row without numbers")
    for number, row in enumerate(rows):
        if len(row) != n:
            raise InputError(
                f"the Adjacency Matrix has {n} rows, but row {number} has {len(row)} numbers"
            )
        if not set(row) <= {"0", "1"}:
            raise InputError(f"row {number} of the Adjacency Matrix has a number over 1")
    if [list(column) for column in zip(*rows, strict=True)] != rows:
        raise InputError("the Adjacency Matrix is not symmetric")
    return n, [(u, v) for u, row in enumerate(rows) for v in range(u, n) if row[v] == "1"]


@serializer("adjacency_matrix", "Adjacency Matrix", read)
def serialize(graph: Graph) -> str:
    """Returns the matrix, a line per row."""
    rows = [["0"] * graph.n_nodes for _ in range(graph.n_nodes)]
    for u, v in graph.edges:
        rows[u][v] = rows[v][u] = "1"
    return "[" + "\n ".join(f"[{' '.join(row)}]" for row in rows) + "]"
