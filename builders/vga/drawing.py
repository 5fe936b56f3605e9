"""Drawing graphs: edges as lines, nodes above them as discs or squares, in at most 16 colours.

The look is that of NetworkX's `draw` saved by matplotlib, anti-aliased alike, and what is upright
or level is snapped to whole pixels as there: such a line, and the centre of a square, to the
centres of pixels. Discs and other lines lie exactly where their points are (matplotlib moves a disc
by up to a pixel). All arithmetic is on integers or + - * / sqrt in scalar loops, so that a drawing
has the same pixels on every machine.

Coordinates: x runs right and y down from the top left corner; pixel (row i, column j) covers
[j, j+1) x [i, i+1). Points are integers in 1/16 pixel.
"""

import hashlib
import threading
from collections.abc import Sequence
from functools import lru_cache
from math import floor
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchloom.builders.compiled import compiled
from benchloom.builders.vga.geometry import UNITS_PER_PIXEL
from benchloom.builders.vga.raster import FULL, RAMP, draw_into
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
        style.radius,
        style.half_side,
        _nearest(style),
    )
    return canvas.reshape(style.height, style.width)


@lru_cache(maxsize=8)
def palette(style: Style) -> NDArray[np.uint8]:
    """Returns the colours of palette indices, uint8, shape (16, 3): red, green, blue."""
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
def _nearest(style: Style) -> NDArray[np.uint8]:
    """Returns the nearest palette index by coverage: of a node in 63rds, and of lines below it."""
    colours = palette(style).astype(np.int64)
    nearest = np.empty((64, FULL + 1), np.uint8)
    for node in range(64):
        blends = np.array([_blend(style, node / 63, line / FULL) for line in range(FULL + 1)])
        errors = np.abs(blends[:, None] - colours).max(axis=2)
        nearest[node] = errors.argmin(axis=1)
    return nearest


def rgb(indices: NDArray[np.uint8], style: Style) -> NDArray[np.uint8]:
    """Returns red, green and blue of each pixel, uint8, shape (height, width, 3).

    Args:
        indices: A picture as `draw` returns it, of any size.
        style: Gives the colours.

    Raises:
        ValueError: If the picture is not a uint8 array of shape (height, width) of palette indices.
    """
    flat, words = _views(indices)
    height, width = indices.shape
    ground = palette(style)[0].tobytes()
    pixels = _kept_pixels(height, width, ground).pixels.copy()
    _colour(flat, words, _packed_palette(style), pixels, np.empty(len(words) + 1, np.int64))
    return pixels.reshape(height, width, 3)


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
    flat, words = _views(indices)
    height, width = indices.shape
    ground = palette(style)[0].tobytes()
    colours = _packed_palette(style)
    pixels, coloured = _kept_pixels(height, width, ground)
    n_coloured = _colour(flat, words, colours, pixels, coloured)
    # The rows of nothing but ground at the top are a common start whose digest so far is kept.
    rows = (int(coloured[0]) * 8 if n_coloured else len(words) * 8) // width
    state = _ground_digest(rows, width, ground).copy()
    state.update(pixels.data[rows * width * 3 :])
    _uncolour(flat.size, colours[0], pixels, coloured[:n_coloured])
    return state.hexdigest()


def _views(indices: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], NDArray[np.uint64]]:
    """Returns the picture as one row of bytes, and the same as words of eight bytes."""
    if indices.dtype != np.uint8 or indices.ndim != 2 or not indices.size:
        raise ValueError("a picture is a uint8 array of shape (height, width)")
    flat = np.ascontiguousarray(indices).reshape(-1)
    words = flat[: flat.size // 8 * 8].view(np.uint64)
    if np.bitwise_or.reduce(words) & 0xF0F0F0F0F0F0F0F0 or (flat[len(words) * 8 :] > 15).any():
        raise ValueError(f"a pixel's index is below {len(_BLENDS)}, the number of colours")
    return flat, words


class _Kept(NamedTuple):
    """Working space: an empty picture's flat RGB bytes, and room for places in it."""

    pixels: NDArray[np.uint8]
    coloured: NDArray[np.int64]


_kept = threading.local()


def _kept_pixels(height: int, width: int, ground: bytes) -> _Kept:
    """Returns the working space of this thread, the pixels all ground, kept for its next call."""
    key = (height, width, ground)
    if getattr(_kept, "key", None) != key:
        size = height * width
        pixels = np.frombuffer(bytearray(ground * size), np.uint8)
        _kept.space = _Kept(pixels, np.empty(size // 8 + 1, np.int64))
        _kept.key = key
    space: _Kept = _kept.space
    return space


@lru_cache(maxsize=2048)
def _ground_digest(rows: int, width: int, ground: bytes) -> "_Hash":
    """Returns the SHA-256 so far of rows of ground; copy it, never update it."""
    return hashlib.sha256(ground * (rows * width))


@lru_cache(maxsize=8)
def _packed_palette(style: Style) -> NDArray[np.uint32]:
    """Returns the palette with a colour's three bytes in one number, red lowest."""
    red, green, blue = palette(style).astype(np.uint32).T
    packed: NDArray[np.uint32] = red | green << 8 | blue << 16
    return packed


@compiled
def _colour(
    flat: NDArray[np.uint8],
    words: NDArray[np.uint64],
    colours: NDArray[np.uint32],
    pixels: NDArray[np.uint8],
    coloured: NDArray[np.int64],
) -> int:
    """Writes the colour of the pixels in every word of eight that is not all ground.

    Returns the number of these words, whose places are written to `coloured`. Twelve bytes, four
    pixels, are written as three numbers, lowest byte first, as on any machine that numba runs on.
    """
    numbers = pixels[: len(words) * 24].view(np.uint32)
    n_coloured = 0
    for word in range(len(words)):  # without a branch, which would be guessed wrong at every line
        coloured[n_coloured] = word
        n_coloured += words[word] != 0
    for word in coloured[:n_coloured]:
        for half in range(2):
            at, to = word * 8 + half * 4, word * 6 + half * 3
            c0, c1 = colours[flat[at]], colours[flat[at + 1]]
            c2, c3 = colours[flat[at + 2]], colours[flat[at + 3]]
            numbers[to] = c0 | c1 << 24
            numbers[to + 1] = c1 >> 8 | c2 << 16
            numbers[to + 2] = c2 >> 16 | c3 << 8
    for at in range(len(words) * 8, flat.size):
        for channel in range(3):
            pixels[3 * at + channel] = (colours[flat[at]] >> (8 * channel)) & 255
    return n_coloured


@compiled
def _uncolour(
    size: int, ground: np.uint32, pixels: NDArray[np.uint8], coloured: NDArray[np.int64]
) -> None:
    """Undoes `_colour`: every pixel is ground again."""
    numbers = pixels[: size // 8 * 24].view(np.uint32)
    for word in coloured:
        for half in range(2):
            to = word * 6 + half * 3
            numbers[to] = ground | ground << 24
            numbers[to + 1] = ground >> 8 | ground << 16
            numbers[to + 2] = ground >> 16 | ground << 8
    for at in range(size // 8 * 8, size):
        for channel in range(3):
            pixels[3 * at + channel] = (ground >> (8 * channel)) & 255
