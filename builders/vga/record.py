"""One record: its graphs placed, drawn and described."""

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchloom.builders.benchmark import Record
from benchloom.builders.graphs.graph import Graph
from benchloom.builders.graphs.graph6 import decode, encode
from benchloom.builders.seeds import Key, rng, seed_key
from benchloom.builders.vga.configs import CONFIGS, RANDOM
from benchloom.builders.vga.drawing import Panel, draw, palette, pixels_sha256
from benchloom.builders.vga.geometry import UNITS_PER_PIXEL, Frame
from benchloom.builders.vga.legibility import Limits
from benchloom.builders.vga.placement import place
from benchloom.builders.vga.plan import ShownGraph, Spec
from benchloom.builders.vga.png import encode as encode_png
from benchloom.builders.vga.style import Style


class Shown(NamedTuple):
    """A graph as a record shows it, its nodes numbered anew.

    Attributes:
        graph: The graph in the record's numbering.
        points: Centres of its nodes in 1/16 px, int64, shape (n, 2).
        marked: Its marked nodes, None when none are.
        moved: How many nodes were moved to make the drawing readable.
    """

    graph: Graph
    points: NDArray[np.int64]
    marked: tuple[int, int] | None
    moved: int


def make_record(spec: Spec) -> Record:
    """Returns the record of a spec; pure, whatever was made before in this process."""
    config = CONFIGS[spec.config]
    key: tuple[Key, ...] = ("vga", spec.generation, spec.config, spec.split, spec.seed, spec.index)
    generator = rng(*key)
    frames = frames_of(spec.style, config.pairs)
    shown = [
        _show(spec, graph, frame, generator)
        for graph, frame in zip(spec.graphs, frames, strict=True)
    ]
    indices = draw(
        [Panel(one.graph.edges, one.points, one.marked or ()) for one in shown], spec.style
    )
    name = f"{spec.config}-{spec.split}-{spec.index:06d}"
    record: Record = {
        "id": name,
        "image": {"bytes": encode_png(indices, palette(spec.style)), "path": f"{name}.png"},
        "label": spec.label,
        "question": config.question,
        "answer": config.labels[spec.label],
    }
    if config.pairs:
        for suffix, one, source in zip(("_left", "_right"), shown, spec.graphs, strict=True):
            record |= _columns(one, source, suffix)
    else:
        record |= _columns(shown[0], spec.graphs[0], "")
        record["marked"] = list(shown[0].marked) if shown[0].marked else None
    record["pixels_sha256"] = pixels_sha256(indices, spec.style)
    record["seed_key"] = seed_key(*key)
    return record


def frames_of(style: Style, pairs: bool) -> list[Frame]:
    """Returns the frames of a canvas: the whole, or the left and the right half."""
    if not pairs:
        return [Frame(0, 0, style.width, style.height)]
    half = style.width // 2
    return [Frame(0, 0, half, style.height), Frame(half, 0, style.width - half, style.height)]


@lru_cache(maxsize=64)
def limits_of(style: Style) -> Limits:
    """Returns what a drawing in a style must keep apart: thicker lines need wider gaps."""
    default = Limits()
    return Limits(
        radius=style.radius,
        square_radius=round(style.square_radius, 1),
        edge_gap=default.edge_gap + (style.line_width - Style().line_width) / 2,
    )


def _show(spec: Spec, source: ShownGraph, frame: Frame, generator: np.random.Generator) -> Shown:
    """Returns a graph placed in its frame, its nodes numbered at random.

    The layout is computed in the source's own numbering. Random layouts come from the record's own
    generator; the others are turned by one that belongs to the graph, so that repeats of a graph
    are never turned the same way.
    """
    graph = decode(source.graph6)
    turning = (
        generator
        if source.layout == RANDOM
        else rng("vga", spec.generation, spec.config, spec.split, spec.seed, "turn", source.graph6)
    )
    order = generator.permutation(graph.n_nodes)
    placed = place(
        graph, source.layout, frame, source.marked, turning, source.repeat, limits_of(spec.style)
    )
    points = np.empty_like(placed.points)
    points[order] = placed.points
    marked = None
    if source.marked:
        first, second = sorted(int(order[node]) for node in source.marked)
        marked = (first, second)
    return Shown(graph.relabelled(order), points, marked, placed.moved)


def _columns(one: Shown, source: ShownGraph, suffix: str) -> dict[str, Any]:
    return {
        f"layout{suffix}": source.layout,
        f"graph6{suffix}": encode(one.graph),
        f"catalog_index{suffix}": source.catalog_index,
        f"n_nodes{suffix}": one.graph.n_nodes,
        f"n_edges{suffix}": one.graph.n_edges,
        f"planar{suffix}": source.planar,
        f"positions{suffix}": (one.points / UNITS_PER_PIXEL).tolist(),
        f"moved{suffix}": one.moved,
    }
