"""Graph Modelling Language (GML): `graph [`, a line for each node and each edge, `]`.

A label is a string and stands in quotes, an id is a number and does not: networkx reads it back.
"""

import re

from benchloom.builders.errors import InputError
from benchloom.builders.graphomni.serializers.serializer import (
    NUMBER,
    Contents,
    check_numbering,
    serializer,
)
from benchloom.builders.graphs.graph import Graph

_TITLE = "Graph Modelling Language (GML)"
_WHOLE = re.compile(r"\s*graph\s*\[(.*)\]\s*", re.DOTALL)
_RECORD = re.compile(
    rf"\s*(?:node\s*\[\s*id\s+({NUMBER})\s+label\s+\"({NUMBER})\"\s*\]"
    rf"|edge\s*\[\s*source\s+({NUMBER})\s+target\s+({NUMBER})\s*\])"
)


def read(text: str) -> Contents:
    """Returns the nodes and edges that a text in GML shows."""
    whole = _WHOLE.fullmatch(text)
    if not whole:
        raise InputError(f"the {_TITLE} is not one 'graph [ ... ]'")
    body = whole[1].rstrip()
    nodes, edges, place = [], [], 0
    while place < len(body):
        found = _RECORD.match(body, place)
        if not found:
            excerpt = body[place : place + 30].strip()
            raise InputError(f"the {_TITLE} has no node or edge where {excerpt!r} stands")
        node, label, source, target = found.groups()
        if node is None:
            edges.append((int(source), int(target)))
        elif node == label:
            nodes.append(int(node))
        else:
            raise InputError(f"the {_TITLE} gives node {node} the label {label}")
        place = found.end()
    check_numbering(nodes, _TITLE)
    return len(nodes), edges


@serializer("gml", _TITLE, read)
def serialize(graph: Graph) -> str:
    """Returns a line per node and per edge, sorted."""
    lines = [f'  node [ id {v} label "{v}" ]\n' for v in range(graph.n_nodes)]
    lines += [f"  edge [ source {u} target {v} ]\n" for u, v in graph.edges]
    return "graph [\n" + "".join(lines) + "]"
