"""A drawing of a record's graph, for people."""

import io
import math
from collections.abc import Mapping, Sequence
from typing import Any

SIZE = 700
_SCALE = 3
"""Drawn so many times as large and then made smaller, which makes edges smooth."""


def draw_graph(record: Mapping[str, Any]) -> bytes:
    """Returns a PNG of 700×700 pixels: the graph with node numbers, the asked-about nodes red.

    Nodes stand on a circle in the order of a depth-first search, so that components lie together
    and trees and cycles are easy to follow. The picture is the same on every machine.
    """
    from PIL import Image, ImageDraw, ImageFont

    n = record["n_nodes"]
    edges = [(u, v) for u, v in record["edges"]]
    radius = max(11, min(24, 560 // max(n, 1)))
    places = _circle(_depth_first(n, edges), SIZE // 2 - radius - 12)
    picture = Image.new("RGB", (SIZE * _SCALE, SIZE * _SCALE), "white")
    pen = ImageDraw.Draw(picture)
    for u, v in edges:
        pen.line([places[u], places[v]], fill="#555555", width=2 * _SCALE)
    font = ImageFont.load_default(size=radius * _SCALE)
    asked = {record["source"], record["target"]}
    for node, (x, y) in places.items():
        reach = radius * _SCALE
        colour = "#d62728" if node in asked else "#1f78b4"
        pen.ellipse((x - reach, y - reach, x + reach, y + reach), fill=colour)
        pen.text((x, y), str(node), "white", font, anchor="mm")
    out = io.BytesIO()
    picture.resize((SIZE, SIZE), Image.Resampling.BOX).save(out, "PNG", optimize=True)
    return out.getvalue()


def _depth_first(n: int, edges: Sequence[tuple[int, int]]) -> list[int]:
    """Returns all nodes in the order in which a depth-first search meets them."""
    neighbours: dict[int, list[int]] = {node: [] for node in range(n)}
    for u, v in edges:
        neighbours[u].append(v)
        neighbours[v].append(u)
    order: dict[int, None] = {}
    for start in range(n):
        stack = [start]
        while stack:
            node = stack.pop()
            if node not in order:
                order[node] = None
                stack += sorted(neighbours[node], reverse=True)
    return list(order)


def _circle(order: Sequence[int], radius: int) -> dict[int, tuple[int, int]]:
    """Returns where each node stands, in pixels of the large picture, the first one at the top."""
    places = {}
    for place, node in enumerate(order):
        angle = 2 * math.pi * place / len(order)
        x = SIZE / 2 + radius * math.sin(angle)
        y = SIZE / 2 - radius * math.cos(angle)
        places[node] = (round(x * _SCALE), round(y * _SCALE))
    return places
