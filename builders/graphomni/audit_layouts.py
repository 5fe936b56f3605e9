"""How each format writes a graph, said once more to audit what stands in queries.

It shares nothing with the serialisers, whose parsers pass over order, direction and white space.
"""

from collections.abc import Callable
from functools import lru_cache

from benchloom.builders.graphomni.checks import neighbour_sets
from benchloom.builders.graphs.graph import Graph

EXCERPT = 40
"""Characters that are shown of what differs."""


@lru_cache(maxsize=1024)
def layout_faults(serialization: str, text: str, graph: Graph) -> tuple[str, ...]:
    """Returns what is wrong with the text of a graph that a parser reads rightly.

    Nodes, neighbours and edges stand in order and once, the smaller node of an edge first, and
    nothing else stands between them than the format wants. A format that is not known here (one
    that somebody added) is left to its parser.

    Args:
        serialization: The format's name.
        text: The text.
        graph: What it shows.
    """
    layout = _LAYOUTS.get(serialization)
    if layout is None or text == (right := layout(graph)):
        return ()
    found, wanted = first_difference(text, right)
    return (f"the {serialization} is not in order: {found!r} stands where {wanted!r} should",)


def first_difference(text: str, other: str) -> tuple[str, str]:
    """Returns an excerpt of each of two texts from shortly before they begin to differ."""
    place = next(
        (i for i, (a, b) in enumerate(zip(text, other, strict=False)) if a != b),
        min(len(text), len(other)),
    )
    start = max(0, place - EXCERPT // 4)
    return text[start : start + EXCERPT], other[start : start + EXCERPT]


def _entries(graph: Graph, left: str, right: str, none: str) -> str:
    rows = (", ".join(map(str, sorted(near))) for near in neighbour_sets(graph))
    entries = (f"{v}: {left + row + right if row else none}" for v, row in enumerate(rows))
    return f"{{{', '.join(entries)}}}"


def _matrix(graph: Graph) -> str:
    nodes = range(graph.n_nodes)
    rows = (" ".join("01"[u in near] for u in nodes) for near in neighbour_sets(graph))
    return f"[{chr(10).join(f' [{row}]' for row in rows).strip()}]"


def _edge_set(graph: Graph) -> str:
    pairs = ", ".join(f"({u}, {v})" for u, v in graph.edges)
    return f"{{{pairs}}}" if pairs else "set()"


def _graphml(graph: Graph) -> str:
    return "\n".join(
        (
            '<?xml version="1.0" encoding="UTF-8"?>',
            '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
            '  <graph edgedefault="undirected">',
            *(f'    <node id="{v}"/>' for v in range(graph.n_nodes)),
            *(f'    <edge source="{u}" target="{v}"/>' for u, v in graph.edges),
            "  </graph>",
            "</graphml>",
        )
    )


def _gml(graph: Graph) -> str:
    nodes = (f'  node [ id {v} label "{v}" ]' for v in range(graph.n_nodes))
    edges = (f"  edge [ source {u} target {v} ]" for u, v in graph.edges)
    return "\n".join(("graph [", *nodes, *edges, "]"))


_LAYOUTS: dict[str, Callable[[Graph], str]] = {
    "adjacency_set": lambda graph: _entries(graph, "{", "}", "set()"),
    "adjacency_list": lambda graph: _entries(graph, "[", "]", "[]"),
    "adjacency_matrix": _matrix,
    "edge_set": _edge_set,
    "edge_list": lambda graph: "\n".join(f"{u} {v}" for u, v in graph.edges),
    "graphml": _graphml,
    "gml": _gml,
}
