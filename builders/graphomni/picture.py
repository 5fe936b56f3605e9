"""A drawing of a record's graph, for people."""

import io
from collections.abc import Mapping
from typing import Any

SIZE = 700


def draw_graph(record: Mapping[str, Any]) -> bytes:
    """Returns a PNG of 700×700 pixels: the graph with node numbers, the asked-about nodes red."""
    import networkx as nx
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    graph = nx.Graph()
    graph.add_nodes_from(range(record["n_nodes"]))
    graph.add_edges_from(tuple(edge) for edge in record["edges"])
    asked = {record["source"], record["target"]}
    colours = ["#d62728" if node in asked else "#1f78b4" for node in graph]
    figure = Figure(figsize=(SIZE / 100, SIZE / 100), dpi=100)
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0, 0, 1, 1))
    places = nx.spring_layout(graph, seed=0, method="force")
    nx.draw(graph, places, ax=axes, node_color=colours, with_labels=True, font_color="white")
    out = io.BytesIO()
    figure.savefig(out, format="png", dpi=100)
    return out.getvalue()
