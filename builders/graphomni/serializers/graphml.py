"""GraphML: an XML document with an element for each node and each edge, as networkx reads it."""

import re
from xml.etree import ElementTree

from benchloom.builders.errors import InputError
from benchloom.builders.graphomni.serializers.serializer import (
    NUMBER,
    Contents,
    check_numbering,
    serializer,
)
from benchloom.builders.graphs.graph import Graph

_SPACE = "http://graphml.graphdrawing.org/xmlns"
_HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    f'<graphml xmlns="{_SPACE}">\n'
    '  <graph edgedefault="undirected">\n'
)
_TAIL = "  </graph>\n</graphml>"
_NUMBER = re.compile(NUMBER)


def read(text: str) -> Contents:
    """Returns the nodes and edges that a GraphML document shows."""
    # Nothing we write has a DOCTYPE; entities could blow up.
    if "<!" in text:
        raise InputError("the GraphML has a declaration or comment, which is not read")
    try:
        root = ElementTree.fromstring(text.strip())
    except (ElementTree.ParseError, ValueError) as error:
        raise InputError(f"the GraphML is not well-formed XML: {error}") from None
    if root.tag != f"{{{_SPACE}}}graphml" or [part.tag for part in root] != [f"{{{_SPACE}}}graph"]:
        raise InputError("the GraphML is not one graph in an element graphml of its namespace")
    if root[0].attrib != {"edgedefault": "undirected"}:
        raise InputError('the graph of the GraphML has not just edgedefault="undirected"')
    nodes, edges = [], []
    for element in root[0]:
        names = list(element.attrib)
        numbers = list(element.attrib.values())
        if len(element) or not all(map(_NUMBER.fullmatch, numbers)):
            raise InputError("the GraphML has a node or an edge with more than numbers in it")
        if element.tag == f"{{{_SPACE}}}node" and names == ["id"]:
            nodes.append(int(numbers[0]))
        elif element.tag == f"{{{_SPACE}}}edge" and sorted(names) == ["source", "target"]:
            edges.append((int(numbers[0]), int(numbers[1])))
        else:
            raise InputError("the GraphML has an element that is no plain node or edge")
    if "".join(root.itertext()).strip():
        raise InputError("the GraphML has text between its elements")
    check_numbering(nodes, "GraphML")
    return len(nodes), edges


@serializer("graphml", "GraphML", read)
def serialize(graph: Graph) -> str:
    """Returns the document, a line per element, nodes and edges sorted."""
    lines = [f'    <node id="{v}"/>\n' for v in range(graph.n_nodes)]
    lines += [f'    <edge source="{u}" target="{v}"/>\n' for u, v in graph.edges]
    return _HEAD + "".join(lines) + _TAIL
