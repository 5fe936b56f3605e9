"""From a graph to the final places of its nodes: layout, fit, repair, and again if need be."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchloom.builders.graphs.graph import Graph
from benchloom.builders.graphs.graph6 import encode
from benchloom.builders.vga.geometry import N_ORIENTATIONS, N_SQUARE_ORIENTATIONS, Frame, fit
from benchloom.builders.vga.layouts import LAYOUTS
from benchloom.builders.vga.legibility import LIMITS, Limits, node_radii
from benchloom.builders.vga.repair import repair

MAX_ATTEMPTS = 200


@dataclass(frozen=True, eq=False)
class Placement:
    """A legible drawing's node centres.

    Attributes:
        points: Node centres in 1/16 px on the canvas, int64, shape (n, 2), x right and y down, in
            the graph's own numbering.
        moved: How many nodes the repair moved.
        attempts: How many layouts were tried; 1 when the first one could be used.
    """

    points: NDArray[np.int64]
    moved: int
    attempts: int


def place(
    graph: Graph,
    layout: str,
    frame: Frame,
    marked: tuple[int, int] | None,
    generator: np.random.Generator,
    repeat: int = 0,
    limits: Limits = LIMITS,
) -> Placement:
    """Returns a legible drawing of a graph; planar drawings have no crossings besides.

    The layout is computed in the graph's own numbering and depends on nothing but the arguments.
    The generator gives the orientation, and the positions of a random layout.

    A repeat of the same graph takes another start of the layout and the next orientation. For that
    the generator must be keyed by the graph and not by the repeat when the layout is Kamada-Kawai
    or planar; for random layouts it must be keyed by the record.

    Args:
        graph: A connected graph, in the catalogue's numbering.
        layout: A name in LAYOUTS: kamada_kawai, planar or random.
        frame: The region of the canvas for this graph.
        marked: The two nodes drawn as squares, if any.
        generator: From benchloom.builders.seeds.rng.
        repeat: How many drawings of this graph come before this one in its config.
        limits: The limits of legibility.

    Raises:
        ValueError: If there is no such layout, or the graph has none of this kind, or a marked node
            does not exist.
        RuntimeError: If no legible drawing was found in MAX_ATTEMPTS attempts.
    """
    if layout not in LAYOUTS:
        raise ValueError(f"there is no layout {layout!r}; the layouts are {', '.join(LAYOUTS)}")
    arrange = LAYOUTS[layout]
    planar = layout == "planar"
    radii = node_radii(graph.n_nodes, marked, limits)
    # A planar drawing has an upright of its own: only quarter turns and reflections.
    n_orientations = N_SQUARE_ORIENTATIONS if planar else N_ORIENTATIONS
    orientation = int(generator.integers(N_ORIENTATIONS)) + repeat
    for attempt in range(MAX_ATTEMPTS):
        positions = arrange(graph, repeat + attempt, generator)
        points = fit(positions, frame, (orientation + 11 * attempt) % n_orientations)
        points, moved, legible = repair(points, graph, radii, frame, planar, limits)
        if legible:
            return Placement(points, moved, attempt + 1)
    raise RuntimeError(
        f"no legible {layout} drawing of the graph {encode(graph)} in {MAX_ATTEMPTS} attempts"
    )
