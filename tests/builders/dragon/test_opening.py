"""Large pictures: how they are opened, and that every step gets through with one."""

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from benchloom.builders.dragon import opening
from benchloom.builders.dragon.drawn_maps import Look, draw_map
from benchloom.builders.dragon.features import UndecodableError, decode_image, prepare
from benchloom.builders.dragon.folder_transfer import transfer_folder
from benchloom.builders.dragon.opening import TooLargeError, open_image, read_smaller
from benchloom.builders.dragon.picture import COLOURS, draw_evidence
from benchloom.builders.dragon.sources.images import find_undecodable, read_size
from benchloom.builders.dragon.templates import Template
from benchloom.builders.dragon.transfer import PreparedTemplate, transfer

PILLOW = Image.MAX_IMAGE_PIXELS


def encoded(image: Image.Image, kind: str = "PNG", **options: Any) -> bytes:
    file = io.BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def as_rgb(image: Image.Image) -> Image.Image:
    return image.convert("RGB")


@pytest.fixture(scope="module")
def huge(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A drawn map of 20,000 × 12,000 pixels, which Pillow by itself does not open."""
    path = tmp_path_factory.mktemp("huge") / "huge.png"
    image = Image.fromarray(draw_map(1, Look()).image[:, :, ::-1]).convert("L")
    image.resize((20_000, 12_000), Image.Resampling.NEAREST).save(path, compress_level=1)
    with pytest.raises(Image.DecompressionBombError):
        Image.open(path)
    return path


def test_huge_picture_gets_through_every_step(huge: Path, tmp_path: Path) -> None:
    assert read_size(huge) == (20_000, 12_000)
    assert list(find_undecodable([huge, huge])) == [(huge, ""), (huge, "")]
    drawn = draw_map(1, Look())
    template: Template = drawn.template("t")
    source = PreparedTemplate(template, prepare(drawn.image))
    done = transfer(huge.read_bytes(), "drawn", "huge.png", [source])
    assert (done.status, done.width, done.height) == ("placed", 20_000, 12_000)
    for region in done.regions:
        if region.anchor == "map":
            wanted = 20 * np.array(drawn.regions[region.id])
            assert region.bbox == pytest.approx(wanted, abs=20)  # a pixel of the template
            assert not region.needs_redraw
    box = [20 * number for number in drawn.regions["AA"]]
    evidence = {"id": "p1", "label": "AA", "role": "answer", "bbox": box}
    with Image.open(io.BytesIO(draw_evidence(huge, [evidence], side=2000))) as shown:
        assert shown.size == (2000, 1200)
        x, y, width, height = (round(number / 10) for number in box)
        frame = [shown.getpixel(at) for at in ((x + width // 2, y - 2), (x - 2, y + height // 2))]
    green = tuple(int(COLOURS["answer"][place : place + 2], 16) for place in (1, 3, 5))
    assert frame == [green, green]
    assert Image.MAX_IMAGE_PIXELS == PILLOW


def test_overlay_of_a_large_picture_is_smaller(tmp_path: Path) -> None:
    """Of one that is just too large to be shown whole."""
    drawn = draw_map(1, Look())
    image = Image.fromarray(drawn.image[:, :, ::-1]).convert("L")
    folder = tmp_path / "images"
    folder.mkdir()
    image.resize((9000, 5400), Image.Resampling.NEAREST).save(folder / "big.png", compress_level=1)
    (folder / "t.png").write_bytes(drawn.png())
    templates = [(drawn.template("t"), folder / "t.png")]
    (done,) = transfer_folder("drawn", folder, ["big.png"], templates, "auto", 1, tmp_path)
    with Image.open(tmp_path / "big.png.png") as overlay:
        assert overlay.size == (1600, 960 + 24)
        for region in done.regions:
            if region.anchor == "map":
                left, top = (round(number * 1600 / 9000) for number in region.bbox[:2])
                assert overlay.getpixel((left + 3, top)) == (0, 100, 160)


@pytest.mark.parametrize("size", [(2003, 997), (50, 3001), (4000, 31)])
@pytest.mark.parametrize("kind", ["PNG", "JPEG"])
def test_smaller_copy_is_in_place(
    size: tuple[int, int], kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Marks stand where they stand in the whole, to the last of them, whatever the remainders."""
    image = Image.new("RGB", size, "white")
    places = [tuple(round(part * (length - 1)) for length in size) for part in (0.1, 0.5, 0.97)]
    radius = min(12, min(size) // 3)
    for x, y in places:
        image.paste("black", (x - radius, y - radius, x + radius, y + radius))
    monkeypatch.setattr(opening, "STRIP", 7)
    options = {"quality": 95} if kind == "JPEG" else {}
    with open_image(io.BytesIO(encoded(image, kind, **options))) as whole:
        small = read_smaller(whole, max(size) // 5, as_rgb)
    wanted = image.resize(small.size, Image.Resampling.BOX)
    difference = np.abs(np.asarray(small, float) - np.asarray(wanted, float))
    assert difference.max() <= (1 if kind == "PNG" else 80)
    assert difference.mean() < 1


@pytest.mark.parametrize("mode", ["RGBA", "LA", "P", "1", "I;16"])
def test_smaller_copy_of_any_mode(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "LARGE_PIXELS", 1000)
    if mode == "I;16":
        image = Image.fromarray(np.full((60, 90), 40_000, np.uint16))
    elif mode in ("RGBA", "LA"):
        image = Image.new("RGBA", (90, 60), (10, 10, 10, 0)).convert(mode)
    else:
        image = Image.new("RGB", (90, 60), "white").convert(mode)
    pixels = decode_image(encoded(image), side=30)
    assert pixels.shape == (20, 30, 3)
    assert np.unique(pixels).tolist() == [40_000 // 256 if mode == "I;16" else 255]


def test_what_is_too_large_is_said_clearly(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(opening, "MOST_PIXELS", 2_000_000)
    path = tmp_path / "a.png"
    Image.new("1", (2000, 1001)).save(path)
    sentence = "has 2,000 × 1,001 pixels, more than the 2 million that are read; make a smaller"
    with pytest.raises(TooLargeError, match=f"^{sentence} copy of it$"), open_image(path):
        pass
    with pytest.raises(ValueError, match=f"^the image {sentence}"):
        read_size(path)
    with pytest.raises(UndecodableError, match=f"^it {sentence}"):
        decode_image(path.read_bytes())
    assert Image.MAX_IMAGE_PIXELS == PILLOW, "Pillow's own limit stands again"


def test_limit_of_pillow_stands_again_after_the_last_one(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    Image.new("1", (9, 9)).save(path)
    with open_image(path):
        with open_image(path):
            pass
        assert Image.MAX_IMAGE_PIXELS is None
    assert Image.MAX_IMAGE_PIXELS == PILLOW
