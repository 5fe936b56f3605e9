"""Adjacency List: `{0: [1], 1: [0, 2], 2: [1], 3: []}`."""

from benchloom.builders.graphomni.serializers.serializer import (
    Contents,
    adjacency,
    read_adjacency,
    serializer,
)
from benchloom.builders.graphs.graph import Graph


def read(text: str) -> Contents:
    """Returns the nodes and edges that an adjacency list shows."""
    return read_adjacency(text, "Adjacency List", r"\[([0-9,\s]*)\]")


@serializer("adjacency_list", "Adjacency List", read)
def serialize(graph: Graph) -> str:
    """Returns each node with the list of its neighbours, ascending."""
    return "{" + ", ".join(f"{v}: {row}" for v, row in enumerate(adjacency(graph))) + "}"
