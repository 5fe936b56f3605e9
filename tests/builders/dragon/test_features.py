"""Images made ready for matching, and their keypoints."""

import io
from typing import Any

import numpy as np
import pytest
from PIL import Image

from benchloom.builders.dragon.drawn_maps import Look, draw_map
from benchloom.builders.dragon.features import (
    MATCHING_SIDE,
    Detector,
    Keypoints,
    UndecodableError,
    decode_image,
    edge_magnitude,
    find_keypoints,
    match_keypoints,
    prepare,
    single_thread,
)
from benchloom.builders.seeds import rng

SMALL = Look(width=360, height=220, scale=0.33, left=30, top=30, legend_left=300)


def encoded(image: Image.Image, kind: str = "PNG", **options: Any) -> bytes:
    file = io.BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def red_and_blue(mode: str) -> Image.Image:
    """Returns red beside blue, and below them what is transparent where that can be."""
    image = Image.new("RGBA", (8, 8), (255, 0, 0, 255))
    image.paste((0, 0, 255, 255), (4, 0, 8, 8))
    image.paste((9, 9, 9, 0), (0, 4, 8, 8))
    return image.convert(mode)


@pytest.mark.parametrize("kind", ["PNG", "WEBP", "TIFF"])
def test_transparent_parts_are_white(kind: str) -> None:
    options = {"lossless": True} if kind == "WEBP" else {}
    pixels = decode_image(encoded(red_and_blue("RGBA"), kind, **options))
    assert pixels.shape == (8, 8, 3)
    assert pixels[0, 0].tolist() == [0, 0, 255]  # blue, green, red
    assert pixels[0, 7].tolist() == [255, 0, 0]
    assert pixels[7, 3].tolist() == [255, 255, 255]


def test_palette_images() -> None:
    image = red_and_blue("RGB").convert("P", palette=Image.Palette.ADAPTIVE)
    assert image.mode == "P"
    assert decode_image(encoded(image))[0, 0].tolist() == [0, 0, 255]
    clear = image.getpixel((0, 0))
    assert decode_image(encoded(image, transparency=clear))[0, 0].tolist() == [255, 255, 255]


@pytest.mark.parametrize("mode", ["L", "1", "LA", "I;16", "CMYK", "RGB"])
def test_other_kinds_of_pixels(mode: str) -> None:
    if mode == "I;16":
        deep = np.array([[0, 0xFFFF], [0x8000, 0x0100]], np.uint16)
        pixels = decode_image(encoded(Image.fromarray(deep)))
        assert pixels[:, :, 0].tolist() == [[0, 255], [128, 1]]
        return
    image = Image.new("L", (4, 4), 255).convert(mode)
    pixels = decode_image(encoded(image, "TIFF"))
    assert pixels.shape == (4, 4, 3)
    assert (pixels == 255).all()


def test_rotation_in_the_metadata_is_not_done() -> None:
    image = Image.new("RGB", (9, 5))
    exif = Image.Exif()
    exif[0x0112] = 6
    assert decode_image(encoded(image, "JPEG", exif=exif)).shape == (5, 9, 3)


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP", "BMP"])
@pytest.mark.parametrize("part", [0.0, 0.02, 0.5, 0.95])
def test_damaged_images_are_told(kind: str, part: float) -> None:
    noise = rng("test", "noise").integers(0, 256, (64, 64, 3), dtype=np.uint8)
    whole = encoded(Image.fromarray(noise), kind)
    with pytest.raises(UndecodableError):
        decode_image(whole[: int(len(whole) * part)])


@pytest.mark.parametrize(
    "content", [b"", b"\0" * 100, b"no image", b"<svg/>", b"\x89PNG\r\n\x1a\n"]
)
def test_what_is_no_image_is_told(content: bytes) -> None:
    with pytest.raises(UndecodableError):
        decode_image(content)


@pytest.mark.parametrize(
    ("width", "height"), [(20000, 300), (300, 20000), (1200, 1200), (1201, 7), (5, 3), (1, 1)]
)
def test_images_are_scaled_for_matching(width: int, height: int) -> None:
    picture = prepare(np.zeros((height, width, 3), np.uint8))
    rows, columns = picture.edges.shape
    assert (picture.width, picture.height) == (width, height)
    assert max(rows, columns) == min(max(width, height), MATCHING_SIDE)
    assert rows >= 1
    assert columns >= 1
    assert picture.scale == pytest.approx([columns / width, rows / height])
    assert len(find_keypoints(picture.edges, "sift").points) == 0


def test_borders_between_equally_bright_fills_are_edges() -> None:
    image = np.zeros((20, 20, 3), np.uint8)
    image[:, :10] = (100, 100, 0)  # as bright in gray as what follows
    image[:, 10:] = (7, 100, 35)
    picture = prepare(image)
    assert np.ptp(picture.gray) <= 1
    assert picture.edges[10, 9] > 90
    assert picture.edges[10, 3] == 0


def test_edges_are_the_strongest_channel_s() -> None:
    image = rng("test", "edges").integers(0, 256, (12, 15, 3), dtype=np.uint8)
    padded = np.pad(image.astype(int), ((1, 1), (1, 1), (0, 0)), mode="reflect")
    wanted = np.zeros((12, 15))
    for y in range(12):
        for x in range(15):
            window = padded[y : y + 3, x : x + 3]
            across = (window[:, 2] - window[:, 0]).T @ [1, 2, 1]
            down = (window[2] - window[0]).T @ [1, 2, 1]
            wanted[y, x] = min(np.sqrt((across**2 + down**2).max()) // 1 / 4, 255)
    assert np.abs(edge_magnitude(image) - wanted).max() <= 1


@pytest.mark.parametrize("detector", ["sift", "orb"])
def test_keypoints_lie_in_the_mask(detector: Detector) -> None:
    picture = prepare(draw_map(1, SMALL).image)
    mask = np.zeros(picture.edges.shape, np.uint8)
    mask[:, 180:] = 255
    inside = find_keypoints(picture.edges, detector, mask)
    assert len(inside.points) > 20
    assert inside.points[:, 0].min() >= 179
    assert find_keypoints(picture.edges, detector).points[:, 0].min() < 150


@pytest.mark.parametrize("detector", ["sift", "orb"])
@pytest.mark.parametrize(
    "sizes", [(0, 0), (0, 9), (9, 0), (1, 3), (3, 1), (1, 1), (2, 2), (500, 2)]
)
def test_few_descriptors_are_no_fault(detector: Detector, sizes: tuple[int, int]) -> None:
    def some(count: int) -> Keypoints:
        random = rng("test", "descriptors", count)
        width, kind = (128, np.float32) if detector == "sift" else (32, np.uint8)
        descriptors = random.integers(0, 256, (count, width)).astype(kind)
        return Keypoints(random.uniform(0, 100, (count, 2)), descriptors if count else None)

    template, target = some(sizes[0]), some(sizes[1])
    for one_to_one in (True, False):
        source, points = match_keypoints(template, target, detector, one_to_one)
        assert source.shape == points.shape
        assert source.shape[1] == 2
        assert len(source) <= sizes[0]
        if one_to_one:
            assert len(source) <= sizes[1]


def first_of(keypoints: Keypoints, count: int = 400) -> Keypoints:
    assert keypoints.descriptors is not None
    return Keypoints(keypoints.points[:count], keypoints.descriptors[:count])


@pytest.mark.parametrize("detector", ["sift", "orb"])
def test_matches_are_those_of_comparing_all(detector: Detector) -> None:
    one = first_of(find_keypoints(prepare(draw_map(1, SMALL).image).edges, detector))
    look = Look(width=360, height=220, scale=0.33, left=40, top=40, legend_left=20, labels=False)
    other = first_of(find_keypoints(prepare(draw_map(1, look).image).edges, detector))
    assert one.descriptors is not None
    assert other.descriptors is not None
    if detector == "sift":
        a, b = one.descriptors.astype(np.int64), other.descriptors.astype(np.int64)
        distances = np.sqrt(((a[:, None] - b[None]) ** 2).sum(axis=2))
        ratio = 0.75
    else:
        ones = np.array([value.bit_count() for value in range(256)])
        differing = one.descriptors[:, None] ^ other.descriptors[None]
        distances, ratio = ones[differing].sum(axis=2).astype(float), 0.8
    wanted = set()
    for row, line in enumerate(distances):
        first, second = np.argsort(line, kind="stable")[:2]
        if line[first] < ratio * line[second]:
            wanted.add((*one.points[row], *other.points[first]))
    source, target = match_keypoints(one, other, detector, one_to_one=False)
    found = [tuple(row) for row in np.hstack([source, target]).tolist()]
    assert len(found) > 20
    assert set(found) == wanted
    assert found == sorted(found)
    fewer = np.hstack(match_keypoints(one, other, detector)).tolist()
    assert {tuple(row) for row in fewer} <= wanted


def test_thread_setting_is_left_as_it_was() -> None:
    import cv2

    before = cv2.getNumThreads()
    with pytest.raises(KeyError), single_thread():
        raise KeyError
    with single_thread():
        assert cv2.getNumThreads() == 1
    assert cv2.getNumThreads() == before
