"""Reading a drawing back into its graph, from nothing but its pixels and the style.

This is the audit's eye. It shares no code with what draws, places or judges drawings, so that a
mistake there cannot hide here. It is strict: a picture in which anything is left unexplained, or
can be explained in two ways, is refused.

Coordinates: pixels, x to the right and y down from the top left corner; pixel (row i, column j)
covers [j, j+1) x [i, i+1), so its centre is (j + 0.5, i + 0.5).
"""

from dataclasses import dataclass
from io import BytesIO
from math import pi

import numpy as np
from numpy.typing import NDArray

from benchloom.builders.vga.decoder_ink import explain, read_edges
from benchloom.builders.vga.style import Style, rgb_of

BORDER = 4
"""So many pixels at every side of the canvas hold no ink."""

_FOREIGN = 24  # a colour so many levels away from every blend of the style's colours is not its own
_DOUBLE = 0.18  # pixels: an edge that looks so much wider than one line has another one over it
_EXCLUSIVE = 0.4  # the part of an edge's length that no other edge runs beside


class DecodeError(ValueError):
    """The picture does not show one graph beyond doubt; the message says where and why."""


@dataclass(frozen=True, eq=False)
class DecodedGraph:
    """A graph as a picture shows it.

    Attributes:
        centres: Centres of the nodes in pixels, float64, shape (n, 2), columns x and y, from top
            to bottom.
        edges: The edges (u, v) with u < v, sorted, as row numbers of `centres`.
        marked: The nodes that are squares, sorted.
    """

    centres: NDArray[np.float64]
    edges: tuple[tuple[int, int], ...]
    marked: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Decoded:
    """What a picture shows.

    Attributes:
        panels: The graphs, from left to right.
    """

    panels: tuple[DecodedGraph, ...]


def decode(png: bytes, style: Style, panels: int = 1) -> Decoded:
    """Returns the graphs a picture shows, one for each panel.

    Nodes are found by colour and told apart by shape; two nodes of a panel are joined when there is
    a line all the way between them and no other node on it. Then every inked pixel must belong to a
    node or an edge that was found.

    Args:
        png: The bytes of the PNG file.
        style: Its size, colours and lengths; nothing else is known of the picture.
        panels: How many graphs lie side by side, in panels of equal width.

    Raises:
        DecodeError: If the file is no PNG of the style's size, has ink near its border or a colour
            that is not the style's, a spot of the nodes' colour that is neither a disc nor a
            square, ink that belongs to nothing, an edge that others hide, or an empty panel.
        ValueError: If `panels` is below 1.

    Source: VGA paper, section 3 (every sample can be solved by sight).
    """
    if panels < 1:
        raise ValueError(f"a picture has one panel or more, not {panels}")
    node, line = _coverage(png, style)
    ink = (node > 20) | (line > 20)
    if ink[:BORDER].any() or ink[-BORDER:].any() or ink[:, :BORDER].any() or ink[:, -BORDER:].any():
        raise DecodeError(f"there is ink in the outer {BORDER} pixels")
    centres, square = _find_nodes(node, style)
    panel = np.floor(centres[:, 0] * panels / style.width).astype(np.int64)
    for number in range(panels):
        if not (panel == number).any():
            where = f"panel {number + 1}" if panels > 1 else "the picture"
            raise DecodeError(f"{where} has no node")
    edges = read_edges(
        line, centres, square, panel, style.radius, style.half_side, style.line_width
    )
    stray, exclusive, width_seen = explain(
        ink, line, centres, square, edges, style.radius, style.half_side, style.line_width
    )
    if stray[0] >= 0:
        x, y = int(stray[0]), int(stray[1])
        raise DecodeError(f"the ink at ({x}, {y}) belongs to no node and no edge between two nodes")
    for (u, v), part, seen in zip(edges, exclusive, width_seen, strict=True):
        ends = " and ".join("({:.0f}, {:.0f})".format(*centres[end]) for end in (u, v))
        if part < _EXCLUSIVE:
            raise DecodeError(f"the edge between {ends} may be other edges beside one another")
        if seen > style.line_width + _DOUBLE:
            raise DecodeError(f"the edge between {ends} is drawn over by another edge")
    return Decoded(
        tuple(_panel(np.flatnonzero(panel == k), centres, square, edges) for k in range(panels))
    )


def _panel(
    nodes: NDArray[np.int64],
    centres: NDArray[np.float64],
    square: NDArray[np.bool_],
    edges: NDArray[np.int64],
) -> DecodedGraph:
    """Returns the graph on some of the nodes, numbered anew."""
    number = {int(node): index for index, node in enumerate(nodes)}
    kept = ((int(u), int(v)) for u, v in edges)
    return DecodedGraph(
        centres[nodes],
        tuple(sorted((number[u], number[v]) for u, v in kept if u in number)),
        tuple(number[int(node)] for node in nodes if square[node]),
    )


def _coverage(png: bytes, style: Style) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Returns how much of each pixel shows a node, and how much a line: uint8, 0..255, (h, w)."""
    import cv2
    from PIL import Image

    try:
        with Image.open(BytesIO(png), formats=("PNG",)) as image:
            image.load()
    except Exception as damage:  # Pillow raises many kinds for damaged files
        raise DecodeError(f"this is no readable PNG: {damage}") from None
    if image.size != (style.width, style.height):
        size = "{} x {}".format(*image.size)
        raise DecodeError(f"the picture is {size} pixels, not {style.width} x {style.height}")
    if image.mode == "P" and not image.info.get("transparency"):
        indices = np.asarray(image)
        colours = np.array(image.getpalette("RGB"), np.int64).reshape(-1, 3)
    else:
        pixels = np.asarray(image.convert("RGB")).astype(np.int64)
        codes, inverse = np.unique(pixels @ np.array([65536, 256, 1]), return_inverse=True)
        colours = np.stack([codes >> 16, codes >> 8 & 255, codes & 255], axis=1)
        indices = inverse.reshape(pixels.shape[:2])
    node, line, error = _unmix(colours, style)
    for index in np.flatnonzero(error > _FOREIGN):
        places = np.argwhere(indices == index)  # a palette may hold colours that are not used
        if len(places):
            (red, green, blue), (y, x) = colours[index], places[0]
            raise DecodeError(
                f"the colour ({red}, {green}, {blue}) at ({x}, {y}) is no ink of the style"
            )
    if indices.dtype != np.uint8:
        return node[indices], line[indices]
    table = np.zeros((256, 2), np.uint8)
    table[: len(node), 0], table[: len(node), 1] = node, line
    return cv2.LUT(indices, table[:, 0].copy()), cv2.LUT(indices, table[:, 1].copy())


def _unmix(
    colours: NDArray[np.int64], style: Style
) -> tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.float64]]:
    """Returns the shares of node and line in each colour, 0..255, and what they leave unexplained.

    A colour is background + share * (node - background) + share * (line - background); the shares
    are those of least squares, within 0 and 1. The error is that of the worst channel, in levels.
    """
    ground = np.array(rgb_of(style.background), np.float64)
    a = np.array(rgb_of(style.node), np.float64) - ground
    b = np.array(rgb_of(style.line), np.float64) - ground
    c = colours - ground
    aa, bb, ab = (a * a).sum(), (b * b).sum(), (a * b).sum()
    ca, cb = (c * a).sum(axis=1), (c * b).sum(axis=1)
    determinant = aa * bb - ab * ab  # not 0: a style's colours do not lie on one line
    node, line = (ca * bb - cb * ab) / determinant, (cb * aa - ca * ab) / determinant
    node, line = np.where(line < 0, ca / aa, node), np.where(node < 0, cb / bb, line)
    node = np.clip(node, 0, 1)
    line = np.clip(line, 0, 1 - node)
    error = np.abs(c - node[:, None] * a - line[:, None] * b).max(axis=1)
    return (
        (node * 255 + 0.5).astype(np.uint8),
        (line * 255 + 0.5).astype(np.uint8),
        error,
    )


def _find_nodes(
    node: NDArray[np.uint8], style: Style
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Returns the centres of the spots of the nodes' colour, and which of them are squares."""
    import cv2

    mask = (node >= 128).view(np.uint8)
    count, _, stats, centroids = cv2.connectedComponentsWithStatsWithAlgorithm(
        mask, 8, cv2.CV_16U, cv2.CCL_BBDT
    )
    centres = np.empty((count - 1, 2))
    square = np.zeros(count - 1, np.bool_)
    shapes = (
        (pi * style.radius**2, 2 * style.radius, 2 * pi * style.radius),
        (4 * style.half_side**2, 2 * style.half_side, 8 * style.half_side),
    )
    for index in range(1, count):
        _, _, width, height, area = stats[index]
        # How far the spot is from being a disc and a square; below 1 it may be one. A pixel on the
        # border may fall on either side.
        misfits = [
            max(abs(area - whole) / (0.5 * around), abs(width - side) / 2, abs(height - side) / 2)
            for whole, side, around in shapes
        ]
        x, y = centroids[index] + 0.5
        if min(misfits) >= 1:
            raise DecodeError(
                f"the spot at ({x:.0f}, {y:.0f}), {width} x {height} pixels, is neither one disc "
                "nor one square"
            )
        centres[index - 1] = x, y
        square[index - 1] = misfits[1] < misfits[0]
    return centres, square
