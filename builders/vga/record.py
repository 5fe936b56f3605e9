"""One record: its graphs placed, drawn and described."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchloom.builders.benchmark import Record
from benchloom.builders.errors import InputError
from benchloom.builders.graphs.graph import Graph
from benchloom.builders.graphs.graph6 import decode, encode
from benchloom.builders.seeds import Key, rng, seed_key
from benchloom.builders.vga.configs import CONFIGS, RANDOM
from benchloom.builders.vga.drawing import Panel, draw, palette, pixels_sha256
from benchloom.builders.vga.geometry import UNITS_PER_PIXEL, Frame
from benchloom.builders.vga.legibility import Limits
from benchloom.builders.vga.placement import Placement, place
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
    (record,) = make_records([spec])
    return record


def make_records(specs: Sequence[Spec]) -> Iterator[Record]:
    """Yields the records of specs, in order, each as if it were made alone.

    Some are worked on together, first all their places, then all their pixels, then all their
    columns: the processor is faster when it does the same thing again.
    """
    for start in range(0, len(specs), _TOGETHER):
        together = specs[start : start + _TOGETHER]
        shown = [_show_all(spec) for spec in together]
        pictures = [_draw(spec, graphs) for spec, graphs in zip(together, shown, strict=True)]
        yield from map(_record, together, shown, pictures)


_TOGETHER = 50


def _show_all(spec: Spec) -> list[Shown]:
    """Returns the graphs of a spec, placed in their frames."""
    generator = rng(*_key(spec))
    frames = frames_of(spec.style, CONFIGS[spec.config].pairs)
    return [
        _show(spec, graph, frame, generator)
        for graph, frame in zip(spec.graphs, frames, strict=True)
    ]


def _draw(spec: Spec, shown: Sequence[Shown]) -> tuple[bytes, str]:
    """Returns the PNG of placed graphs and the SHA-256 of its pixels."""
    panels = [Panel(one.graph.edges, one.points, one.marked or ()) for one in shown]
    picture = draw(panels, spec.style)
    png = encode_png(picture.indices, palette(spec.style), picture.inked)
    return png, pixels_sha256(picture, spec.style)


def _key(spec: Spec) -> tuple[Key, ...]:
    return ("vga", spec.generation, spec.config, spec.split, spec.seed, spec.index)


def planned_columns(spec: Spec) -> Record:
    """Returns the columns of a record that its spec settles, before anything is drawn."""
    config = CONFIGS[spec.config]
    columns: Record = {
        "id": f"{spec.config}-{spec.split}-{spec.index:06d}",
        "label": spec.label,
        "question": config.question,
        "answer": config.labels[spec.label],
        "seed_key": seed_key(*_key(spec)),
    }
    for suffix, source in zip(_suffixes(spec), spec.graphs, strict=True):
        columns[f"layout{suffix}"] = source.layout
        columns[f"catalog_index{suffix}"] = source.catalog_index
        columns[f"planar{suffix}"] = source.planar
    return columns


def _record(spec: Spec, shown: Sequence[Shown], picture: tuple[bytes, str]) -> Record:
    """Returns a record from its parts."""
    record = planned_columns(spec)
    record["image"] = {"bytes": picture[0], "path": f"{record['id']}.png"}
    record["pixels_sha256"] = picture[1]
    for suffix, one in zip(_suffixes(spec), shown, strict=True):
        record |= _columns(one, suffix)
        if not suffix:
            record["marked"] = list(one.marked) if one.marked else None
    return record


def _suffixes(spec: Spec) -> tuple[str, ...]:
    return ("_left", "_right") if CONFIGS[spec.config].pairs else ("",)


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


def _placed(graph: Graph, layout: str, *arguments: Any) -> Placement:
    """Returns what `place` does, its failure as a fault of the style: the default one never fails.

    Raises:
        InputError: If the style's nodes and lines are too large for a legible drawing.
    """
    try:
        return place(graph, layout, *arguments)
    except RuntimeError as error:
        raise InputError(
            f"{error}: nodes or lines of this style are too large; choose smaller ones"
        ) from None


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
    placed = _placed(
        graph, source.layout, frame, source.marked, turning, source.repeat, limits_of(spec.style)
    )
    points = np.empty_like(placed.points)
    points[order] = placed.points
    marked = None
    if source.marked:
        first, second = sorted(int(order[node]) for node in source.marked)
        marked = (first, second)
    return Shown(graph.relabelled(order), points, marked, placed.moved)


def _columns(one: Shown, suffix: str) -> dict[str, Any]:
    return {
        f"graph6{suffix}": encode(one.graph),
        f"n_nodes{suffix}": one.graph.n_nodes,
        f"n_edges{suffix}": one.graph.n_edges,
        f"positions{suffix}": (one.points / UNITS_PER_PIXEL).tolist(),
        f"moved{suffix}": one.moved,
    }
