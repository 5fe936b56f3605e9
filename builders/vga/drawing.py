"""Drawing graphs: edges as lines, nodes above them as discs or squares, in at most 16 colours.

The look is that of NetworkX's `draw` saved by matplotlib, anti-aliased alike, and what is upright
or level is snapped to whole pixels as there: such a line, and the centre of a square, to the centre
of the pixel it lies in. Discs and other lines lie exactly where their points are. (matplotlib moves
discs, squares and such lines by up to a pixel.) All arithmetic is on integers or + - * / sqrt in
scalar loops, so that a drawing has the same pixels on every machine.

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
from benchloom.builders.vga.ink import GROUP, ink_groups, nibbles
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


_STRIP = 8192  # groups of pixels that are hashed at a time, 192 KiB


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


class Picture(NamedTuple):
    """A picture of at most 16 colours.

    Attributes:
        indices: Palette index of each pixel, uint8, shape (height, width); 0 is the ground.
        inked: The groups of eight pixels that may be other than ground, as
            `benchloom.builders.vga.ink.ink_groups` returns them.
    """

    indices: NDArray[np.uint8]
    inked: NDArray[np.int64]

    @classmethod
    def of(cls, indices: NDArray[np.uint8]) -> "Picture":
        """Returns the picture with these palette indices.

        Raises:
            ValueError: If they are no uint8 array of shape (height, width) below 16.
        """
        return cls(indices, ink_groups(indices, len(_BLENDS)))


def draw(panels: Sequence[Panel], style: Style) -> Picture:
    """Returns the picture of graphs.

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
    inked = draw_into(
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
    return Picture(canvas.reshape(style.height, style.width), inked)


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


def rgb(picture: Picture, style: Style) -> NDArray[np.uint8]:
    """Returns red, green and blue of each pixel, uint8, shape (height, width, 3).

    Args:
        picture: A picture as `draw` returns it, of any size.
        style: Gives the colours.
    """
    return palette(style)[picture.indices]


def pixels_sha256(picture: Picture, style: Style) -> str:
    """Returns the SHA-256, in hexadecimal, of the picture's height x width x 3 array of RGB bytes.

    It is the digest of what any PNG reader makes of the picture, row by row from the top:
    `hashlib.sha256(numpy.asarray(PIL.Image.open(file).convert("RGB")).tobytes())`.

    Args:
        picture: A picture as `draw` returns it, of any size.
        style: Gives the colours.
    """
    indices, inked = picture
    height, width = indices.shape
    flat, pairs, ground = indices.reshape(-1), _paired_palette(style), palette(style)[0].tobytes()
    # The rows of nothing but ground at the top are a common start whose digest so far is kept.
    rows = int(inked[0]) * GROUP // width if len(inked) else height
    rows -= rows % GROUP
    state = _ground_digest(rows, width, ground).copy()
    # The rest goes through a strip of ground that is small enough to stay in the processor's cache.
    strip = _kept_strip(ground)
    begin = 0
    for start in range(rows * width // GROUP, flat.size // GROUP + 1, _STRIP):
        end = _colour(flat, inked, begin, start, pairs, strip)
        state.update(strip.data[: 3 * (flat.size - start * GROUP)])
        _uncolour(inked[begin:end], start, pairs[0], strip)
        begin = end
    return state.hexdigest()


_kept = threading.local()


def _kept_strip(ground: bytes) -> NDArray[np.uint8]:
    """Returns the flat RGB bytes of `_STRIP` groups of ground, kept by this thread."""
    if getattr(_kept, "ground", None) != ground:
        _kept.strip = np.frombuffer(bytearray(ground * (GROUP * _STRIP)), np.uint8)
        _kept.ground = ground
    strip: NDArray[np.uint8] = _kept.strip
    return strip


@lru_cache(maxsize=2048)
def _ground_digest(rows: int, width: int, ground: bytes) -> "_Hash":
    """Returns the SHA-256 so far of rows of ground; copy it, never update it."""
    return hashlib.sha256(ground * (rows * width))


@lru_cache(maxsize=8)
def _paired_palette(style: Style) -> NDArray[np.uint64]:
    """Returns the six bytes of two pixels as a number, by 16 times one index plus the other.

    The first pixel's red is the lowest byte.
    """
    red, green, blue = palette(style).astype(np.uint64).T
    one = red | green << np.uint64(8) | blue << np.uint64(16)
    pairs: NDArray[np.uint64] = one[:, None] | one[None, :] << np.uint64(24)
    return pairs.reshape(-1)


@compiled
def _colour(
    flat: NDArray[np.uint8],
    inked: NDArray[np.int64],
    begin: int,
    start: int,
    pairs: NDArray[np.uint64],
    strip: NDArray[np.uint8],
) -> int:
    """Writes the colour of inked groups into a strip; returns how many are in it or before it.

    Args:
        flat: The picture's palette indices.
        inked: The inked groups, ascending.
        begin: The first of them that is not before the strip.
        start: The group at which the strip begins.
        pairs: Six bytes for two pixels, as of `_paired_palette`.
        strip: The strip's RGB bytes, all ground.
    """
    words = flat[: flat.size // GROUP * GROUP].view(np.uint64)
    numbers = strip.view(np.uint64)
    for place in range(begin, len(inked)):
        group = inked[place]
        if group >= start + _STRIP:
            return place
        if group == len(words):  # what is left behind the last whole group
            for at in range(group * GROUP, flat.size):
                colour = pairs[flat[at] & 15]  # of the second pixel of a pair
                for channel in range(3):
                    byte = colour >> np.uint64(24 + 8 * channel)
                    strip[3 * (at - start * GROUP) + channel] = byte & np.uint64(255)
            continue
        four = nibbles(words[group])
        first = pairs[four & np.uint64(255)]
        second = pairs[four >> np.uint64(8) & np.uint64(255)]
        third = pairs[four >> np.uint64(16) & np.uint64(255)]
        fourth = pairs[four >> np.uint64(24)]
        to = np.uint64((group - start) * 3)
        numbers[to] = first | second << np.uint64(48)
        numbers[to + np.uint64(1)] = second >> np.uint64(16) | third << np.uint64(32)
        numbers[to + np.uint64(2)] = third >> np.uint64(32) | fourth << np.uint64(16)
    return len(inked)


@compiled
def _uncolour(
    inked: NDArray[np.int64], start: int, ground: np.uint64, strip: NDArray[np.uint8]
) -> None:
    """Undoes `_colour`: every pixel of the strip is ground again; `ground` is a pair of it."""
    numbers = strip.view(np.uint64)
    first = ground | ground << np.uint64(48)
    second = ground >> np.uint64(16) | ground << np.uint64(32)
    third = ground >> np.uint64(32) | ground << np.uint64(16)
    for group in inked:
        to = np.uint64((group - start) * 3)
        numbers[to], numbers[to + np.uint64(1)], numbers[to + np.uint64(2)] = first, second, third
