"""Edge List: a line `u v` for each edge.

The text does not tell isolated nodes; every query states the number of nodes.
"""

import re

from benchloom.builders.errors import InputError
from benchloom.builders.graphomni.serializers.serializer import NUMBER, Contents, serializer
from benchloom.builders.graphs.graph import Graph

_LINE = re.compile(rf"\s*({NUMBER})\s+({NUMBER})\s*")


def read(text: str) -> Contents:
    """Returns the edges that an edge list shows; empty lines are passed over."""
    edges = []
    for number, line in enumerate(text.splitlines(), 1):
        found = _LINE.fullmatch(line)
        if found:
            edges.append((int(found[1]), int(found[2])))
        elif line.strip():
            raise InputError(f"line {number} of the Edge List is not a pair of nodes")
    return None, edges


@serializer("edge_list", "Edge List", read)
def serialize(graph: Graph) -> str:
    """Returns a line per edge, smaller node first, sorted; an empty text without edges."""
    return "\n".join([f"{u} {v}" for u, v in graph.edges])
