"""Drawing graphs: edges as lines, nodes above them as discs or squares, in at most 16 colours.

The look is that of NetworkX's `draw` saved by matplotlib, anti-aliased alike and snapped to whole
pixels where matplotlib snaps: a node's centre to the centre of the pixel it lies in (matplotlib
takes the next pixel in the second half of a pixel, and so is up to a whole pixel off), an upright or
level line to the centres of pixels. Other lines keep their exact place. All arithmetic is on
integers or + - * / sqrt in scalar loops, so that a drawing has the same pixels on every machine.

Coordinates: x runs right and y down from the top left corner; pixel (row i, column j) covers
[j, j+1) x [i, i+1). Points are integers in 1/16 pixel.
"""

import hashlib
import threading
from collections.abc import Sequence
from functools import lru_cache
from math import ceil, floor, sqrt
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchloom.builders.compiled import compiled
from benchloom.builders.vga.geometry import UNITS_PER_PIXEL
from benchloom.builders.vga.raster import FULL, RAMP, draw_into, half_plane
from benchloom.builders.vga.style import Style, rgb_of

if TYPE_CHECKING:
    from hashlib import _Hash

# The palette, as (coverage by a node, coverage by lines below it): the ground, lines over the
# ground in sixths, nodes over the ground in fifths, and four blends of all three that keep the
# greatest error of any blend near 30 of 255 levels, and near 22 where only two colours meet.
_BLENDS = (
    *((0.0, step / RAMP) for step in range(RAMP + 1)),
    *((step / 5, 0.0) for step in range(1, 6)),
    (0.37, 0.35),
    (0.49, 0.56),
    (0.57, 0.82),
    (0.24, 0.90),
)


class Panel(NamedTuple):
    """One graph as it lies on the canvas; a pair of graphs is two panels on one canvas.

    Attributes:
        edges: The edges, pairs of indices into the points, in any order and direction.
        points: Centres of the nodes, int64, shape (n, 2), columns x and y, in 1/16 pixel of the
            whole canvas.
        marked: The nodes drawn as squares.
    """

    edges: Sequence[tuple[int, int]]
    points: NDArray[np.int64]
    marked: Sequence[int] = ()


def draw(panels: Sequence[Panel], style: Style) -> NDArray[np.uint8]:
    """Returns the picture as palette indices, uint8, shape (height, width); 0 is the ground.

    Neither the order of edges, nodes, marks or panels nor the direction of an edge matters. What
    lies outside the canvas is cut off.

    Args:
        panels: The graphs to draw.
        style: Size and look.

    Raises:
        ValueError: If points are not an int64 array of shape (n, 2) less than 2**20 pixels away, or
            an edge or a mark names a node that is not there.

    Source: VGA paper, section 3.2 (NetworkX drawings; marked nodes).
    """
    ends: list[int] = []
    squares: list[int] = []
    offset = 0
    for edges, points, marked in panels:
        if points.dtype != np.int64 or points.ndim != 2 or points.shape[1] != 2:
            raise ValueError("points are an int64 array of shape (n, 2), in 1/16 pixel")
        n_nodes = len(points)
        named = [node for edge in edges for node in edge]
        for node in (*named, *marked):
            if not 0 <= node < n_nodes:
                raise ValueError(f"an edge or a mark names node {node}, there are 0..{n_nodes - 1}")
        ends += [node + offset for node in named] if offset else named
        squares += [node + offset for node in marked]
        offset += n_nodes
    points = panels[0].points if len(panels) == 1 else np.concatenate([p.points for p in panels])
    if offset and max(abs(int(points.min())), abs(int(points.max()))) >= UNITS_PER_PIXEL << 20:
        raise ValueError("points are less than 2**20 pixels away from the canvas")
    canvas = np.zeros(style.height * style.width, np.uint8)
    draw_into(
        canvas,
        style.width,
        np.ascontiguousarray(points),
        np.array(ends, np.int64),
        np.array(squares, np.int64),
        style.line_width / 2,
        *_tables(style),
    )
    return canvas.reshape(style.height, style.width)


@lru_cache(maxsize=8)
def palette(style: Style) -> NDArray[np.uint8]:
    """Returns the colours that picture indices stand for, uint8, shape (16, 3): red, green, blue."""
    colours = np.array([_blend(style, *blend) for blend in _BLENDS], np.uint8)
    colours.setflags(write=False)
    return colours


def _blend(style: Style, node: float, line: float) -> list[int]:
    """Returns the colour of a pixel covered by a node to one part, and below it by lines."""
    channels = zip(rgb_of(style.background), rgb_of(style.line), rgb_of(style.node), strict=True)
    return [
        floor(over * node + (1 - node) * (ink * line + (1 - line) * ground) + 0.5)
        for ground, ink, over in channels
    ]


@lru_cache(maxsize=8)
def _tables(style: Style) -> tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.uint8]]:
    """Returns what is drawn again and again: a disc, a square, and the table of nearest colours.

    Disc and square hold coverage 0..255 and have their centre in that of their middle pixel. The
    table has shape (64, 240): palette index by a quarter of a node's coverage and by a line's.
    """
    half = ceil(style.radius - 0.5)
    disc = np.zeros((2 * half + 1, 2 * half + 1), np.uint8)
    for i in range(2 * half + 1):
        for j in range(2 * half + 1):
            y, x = abs(i - half), abs(j - half)
            distance = max(sqrt(x * x + y * y), 1e-9)
            inside = half_plane(style.radius - distance, x / distance, y / distance)
            disc[i, j] = floor(255 * inside + 0.5)
    half = ceil(style.half_side - 0.5)
    sides = [min(1.0, style.half_side + 0.5 - abs(i - half)) for i in range(2 * half + 1)]
    square = np.array([[floor(255 * a * b + 0.5) for a in sides] for b in sides], np.uint8)
    colours = palette(style).astype(np.int64)
    nearest = np.empty((64, FULL + 1), np.uint8)
    for node in range(64):
        blends = np.array([_blend(style, node / 63, line / FULL) for line in range(FULL + 1)])
        errors = np.abs(blends[:, None] - colours).max(axis=2)
        nearest[node] = errors.argmin(axis=1)
    return disc, square, nearest


def rgb(indices: NDArray[np.uint8], style: Style) -> NDArray[np.uint8]:
    """Returns red, green and blue of each pixel, uint8, shape (height, width, 3).

    Args:
        indices: A picture as `draw` returns it, of any size.
        style: Gives the colours.

    Raises:
        ValueError: If the picture is not a uint8 array of shape (height, width) of palette indices.
    """
    colours = palette(style)
    flat, words = _views(indices)
    pixels = _ground_pixels(*indices.shape, colours[0].tobytes()).copy()
    _colour(flat, words, colours, pixels)
    return pixels.reshape(*indices.shape, 3)


def pixels_sha256(indices: NDArray[np.uint8], style: Style) -> str:
    """Returns the SHA-256, in hexadecimal, of the picture's height x width x 3 array of RGB bytes.

    It is the digest of what any PNG reader makes of the picture, row by row from the top:
    `hashlib.sha256(numpy.asarray(PIL.Image.open(file).convert("RGB")).tobytes())`.

    Args:
        indices: A picture as `draw` returns it, of any size.
        style: Gives the colours.

    Raises:
        ValueError: As `rgb`.
    """
    colours = palette(style)
    flat, words = _views(indices)
    height, width = indices.shape
    ground = colours[0].tobytes()
    pixels = _ground_pixels(height, width, ground)
    # The rows of nothing but ground at the top are a common start whose digest so far is kept.
    rows = _colour(flat, words, colours, pixels) // width
    state = _ground_digest(rows, width, ground).copy()
    state.update(pixels[rows * width * 3 :])
    _uncolour(flat, words, colours, pixels)
    return state.hexdigest()


def _views(indices: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], NDArray[np.uint64]]:
    """Returns the picture as one row of bytes, and the same as words of eight bytes."""
    if indices.dtype != np.uint8 or indices.ndim != 2 or not indices.size:
        raise ValueError("a picture is a uint8 array of shape (height, width)")
    if indices.max() >= len(_BLENDS):
        raise ValueError(f"a pixel's index is below {len(_BLENDS)}, the number of colours")
    flat = np.ascontiguousarray(indices).reshape(-1)
    return flat, flat[: flat.size // 8 * 8].view(np.uint64)


_kept = threading.local()


def _ground_pixels(height: int, width: int, ground: bytes) -> NDArray[np.uint8]:
    """Returns the flat RGB bytes of an empty picture, kept for the next call of this thread."""
    key = (height, width, ground)
    if getattr(_kept, "key", None) != key:
        _kept.pixels = np.frombuffer(bytearray(ground * (height * width)), np.uint8)
        _kept.key = key
    pixels: NDArray[np.uint8] = _kept.pixels
    return pixels


@lru_cache(maxsize=2048)
def _ground_digest(rows: int, width: int, ground: bytes) -> "_Hash":
    """Returns the SHA-256 so far of rows of ground; copy it, never update it."""
    return hashlib.sha256(ground * (rows * width))


@compiled
def _colour(
    flat: NDArray[np.uint8],
    words: NDArray[np.uint64],
    palette: NDArray[np.uint8],
    pixels: NDArray[np.uint8],
) -> int:
    """Writes the colour of every pixel that is not ground; returns a place before which none is."""
    first = -1
    for word in range(len(words) + 1):
        if word < len(words) and words[word] == 0:
            continue
        if first < 0:
            first = word * 8
        for place in range(word * 8, min(word * 8 + 8, flat.size)):
            index = flat[place]
            pixels[3 * place] = palette[index, 0]
            pixels[3 * place + 1] = palette[index, 1]
            pixels[3 * place + 2] = palette[index, 2]
    return first


@compiled
def _uncolour(
    flat: NDArray[np.uint8],
    words: NDArray[np.uint64],
    palette: NDArray[np.uint8],
    pixels: NDArray[np.uint8],
) -> None:
    """Undoes `_colour`: every pixel is ground again."""
    for word in range(len(words) + 1):
        if word < len(words) and words[word] == 0:
            continue
        for place in range(word * 8, min(word * 8 + 8, flat.size)):
            pixels[3 * place] = palette[0, 0]
            pixels[3 * place + 1] = palette[0, 1]
            pixels[3 * place + 2] = palette[0, 2]
