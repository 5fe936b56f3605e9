"""PNG files: the right chunks, the right pixels, any size."""

import io
import struct
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from benchloom.builders.seeds import rng
from benchloom.builders.vga.drawing import Panel, draw, palette
from benchloom.builders.vga.png import encode
from benchloom.builders.vga.style import Style


def chunks(png):
    """The chunks of a PNG, checksums checked."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    place, found = 8, []
    while place < len(png):
        (length,) = struct.unpack(">I", png[place : place + 4])
        kind, body = png[place + 4 : place + 8], png[place + 8 : place + 8 + length]
        (checksum,) = struct.unpack(">I", png[place + 8 + length : place + 12 + length])
        assert checksum == zlib.crc32(kind + body)
        found.append((kind, body))
        place += 12 + length
    return found


@pytest.mark.parametrize(("width", "height"), [(700, 700), (956, 928), (701, 33)])
def test_chunks_are_four_and_no_other(width, height):  # D5, D1
    style = Style(width=width, height=height)
    points = np.array([[400, 300], [9000, 400], [5000, 600]])
    picture = draw([Panel([(0, 1), (1, 2)], points)], style).indices
    found = chunks(encode(picture, palette(style)))
    assert [kind for kind, _ in found] == [b"IHDR", b"PLTE", b"IDAT", b"IEND"]
    assert struct.unpack(">IIBBBBB", found[0][1]) == (width, height, 4, 3, 0, 0, 0)
    assert len(zlib.decompress(found[2][1])) == height * (1 + (width + 1) // 2)


@given(st.integers(1, 40), st.integers(1, 40), st.integers(1, 16), st.integers(0, 10**9))
def test_any_picture_is_read_back(height, width, n_colours, seed):
    generator = rng("test-png", seed)
    indices = generator.integers(0, n_colours, (height, width)).astype(np.uint8)
    colours = generator.integers(0, 256, (n_colours, 3)).astype(np.uint8)
    png = encode(indices, colours)
    with Image.open(io.BytesIO(png)) as image:
        np.testing.assert_array_equal(np.asarray(image.convert("RGB")), colours[indices])
    assert encode(np.asfortranarray(indices), colours) == png


@pytest.mark.parametrize(
    ("indices", "colours"),
    [
        (np.full((3, 3), 2, np.uint8), np.zeros((2, 3), np.uint8)),
        (np.zeros((3, 3), np.uint8), np.zeros((17, 3), np.uint8)),
        (np.zeros((3, 3), np.uint8), np.zeros((0, 3), np.uint8)),
        (np.zeros((3, 3), np.uint8), np.zeros((4, 4), np.uint8)),
        (np.zeros((3, 3), np.uint8), np.zeros((4, 3), np.int64)),
        (np.zeros((3, 3), np.int64), np.zeros((4, 3), np.uint8)),
        (np.zeros((0, 3), np.uint8), np.zeros((4, 3), np.uint8)),
        (np.zeros((3, 3, 3), np.uint8), np.zeros((4, 3), np.uint8)),
    ],
)
def test_what_is_no_picture_is_refused(indices, colours):
    with pytest.raises(ValueError, match=r"number of colours|a picture is|a palette is"):
        encode(indices, colours)


@pytest.mark.parametrize("place", [(0, 0), (3, 2), (6, 4)])  # the last is in the last, odd bytes
@pytest.mark.parametrize("index", [16, 31, 200, 255])
def test_one_pixel_without_a_colour_is_refused(place, index):
    indices = np.full((7, 5), 15, np.uint8)
    encode(indices, np.zeros((16, 3), np.uint8))
    indices[place] = index
    with pytest.raises(ValueError, match="number of colours"):
        encode(indices, np.zeros((16, 3), np.uint8))


def test_a_drawing_is_small():
    generator = rng("test-png-size")
    sizes = []
    for _ in range(20):
        points = generator.integers(1000, 10200, (9, 2))
        pairs = [(u, v) for v in range(9) for u in range(v)]
        edges = [pairs[k] for k in generator.permutation(36)[:18]]
        sizes.append(len(encode(draw([Panel(edges, points)], Style()).indices, palette(Style()))))
    assert sum(sizes) / len(sizes) <= 14_000
