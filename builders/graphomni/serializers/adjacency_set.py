"""Adjacency Set: `{0: {1}, 1: {0, 2}, 2: {1}, 3: set()}`, as Python writes it."""

from benchloom.builders.graphomni.serializers.serializer import (
    Contents,
    adjacency,
    read_adjacency,
    serializer,
)
from benchloom.builders.graphs.graph import Graph


def read(text: str) -> Contents:
    """Returns the nodes and edges that an adjacency set shows."""
    return read_adjacency(text, "Adjacency Set", r"\{([0-9,\s]*)\}|set\(\s*\)")


@serializer("adjacency_set", "Adjacency Set", read)
def serialize(graph: Graph) -> str:
    """Returns each node with the set of its neighbours, ascending."""
    rows = (f"{{{str(row)[1:-1]}}}" if row else "set()" for row in adjacency(graph))
    return "{" + ", ".join(f"{v}: {row}" for v, row in enumerate(rows)) + "}"
