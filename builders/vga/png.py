"""Writing pictures of at most 16 colours as PNG.

A picture is known by its pixels, not by its bytes: another version of zlib-ng, or the same one
on another kind of processor, may pack the same pixels into other bytes.
"""

import struct
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from zlib_ng import zlib_ng

from benchloom.builders.compiled import compiled
from benchloom.builders.vga.ink import GROUP, ink_groups, nibbles

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
# Runs of equal bytes alone (Z_RLE): on drawings smaller and faster than looking for longer repeats,
# and no choice depends on the processor.
_LEVEL, _WINDOW_BITS, _MEMORY_LEVEL, _RUNS = 1, 15, 8, 3


def encode(
    indices: NDArray[np.uint8], palette: NDArray[np.uint8], inked: NDArray[np.int64] | None = None
) -> bytes:
    """Returns a PNG of 4 bits a pixel: IHDR, PLTE, one IDAT, IEND and nothing else.

    Args:
        indices: Palette index of each pixel, uint8, shape (height, width), below the number of
            colours.
        palette: Red, green and blue of each colour, uint8, shape (k, 3), 1 <= k <= 16.
        inked: The groups of pixels that may be other than 0, where they are known.

    Raises:
        ValueError: If an array has another shape or type, or a pixel names no colour.
    """
    if palette.dtype != np.uint8 or palette.shape[1:] != (3,) or not 1 <= len(palette) <= 16:
        raise ValueError("a palette is a uint8 array of shape (k, 3) with k from 1 to 16")
    if inked is None:
        inked = ink_groups(indices, len(palette))
    height, width = indices.shape
    rows = np.zeros((height, 1 + (width + 1) // 2), np.uint8)
    _pack(np.ascontiguousarray(indices), inked, rows)
    packer = zlib_ng.compressobj(_LEVEL, zlib_ng.DEFLATED, _WINDOW_BITS, _MEMORY_LEVEL, _RUNS)
    return b"".join(
        (
            _SIGNATURE,
            _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 4, 3, 0, 0, 0)),
            _chunk(b"PLTE", palette.tobytes()),
            _chunk(b"IDAT", packer.compress(rows) + packer.flush()),
            _chunk(b"IEND", b""),
        )
    )


def _chunk(kind: bytes, body: bytes) -> bytes:
    """Returns a chunk of a PNG: length, kind, body, checksum."""
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", crc32(body, crc32(kind)))


@compiled
def _pack(indices: NDArray[np.uint8], inked: NDArray[np.int64], rows: NDArray[np.uint8]) -> None:
    """Packs two pixels into a byte behind each row's filter byte; the rows are all 0 before."""
    width = indices.shape[1]
    flat, packed = indices.reshape(-1), rows.reshape(-1)
    words = flat[: flat.size // GROUP * GROUP].view(np.uint64)
    row = 0
    for group in inked:  # ascending, so that rows are counted and not divided for
        while (row + 1) * width <= group * GROUP:
            row += 1
        column = group * GROUP - row * width
        if column + GROUP <= width and not column & 1:  # as nearly all are
            to = row * rows.shape[1] + 1 + (column >> 1)
            four = nibbles(words[group])
            for place in range(4):
                packed[to + place] = (four >> np.uint64(8 * place)) & np.uint64(255)
            continue
        for at in range(group * GROUP, min(group * GROUP + GROUP, flat.size)):
            to = row * rows.shape[1] + 1 + (column >> 1)
            packed[to] |= flat[at] << (4 * (1 - (column & 1)))
            column += 1
            if column == width:
                row, column = row + 1, 0
