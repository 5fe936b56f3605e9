"""Edge Set: `{(0, 1), (1, 2)}`, and `set()` without edges, as Python writes it.

The text does not tell isolated nodes; every query states the number of nodes.
"""

import re

from benchloom.builders.graphomni.serializers.serializer import Contents, read_pairs, serializer
from benchloom.builders.graphs.graph import Graph


def read(text: str) -> Contents:
    """Returns the edges that an edge set shows."""
    if re.fullmatch(r"\s*set\(\s*\)\s*", text):
        return None, []
    return None, read_pairs(text, "Edge Set")


@serializer("edge_set", "Edge Set", read)
def serialize(graph: Graph) -> str:
    """Returns the edges, smaller node first, sorted."""
    return "{" + str(list(graph.edges))[1:-1] + "}" if graph.edges else "set()"
