"""Joining a user's copies of the sources to DRAGON's records."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from datasets import Dataset, DatasetDict, Image, load_dataset
from dragon_work import REVIEWED
from PIL import Image as Pictures
from PIL import ImageDraw

from benchloom.builders.dragon.copies import Copies
from benchloom.builders.errors import InputError
from benchloom.builders.files import sha256_of
from benchloom.loaders import attach_images


@pytest.fixture(scope="module")
def everything(dragon_build: Path) -> DatasetDict:
    return load_dataset(str(dragon_build), "all")


@pytest.fixture
def copies(dragon_work: Path, tmp_path: Path) -> Path:
    """A folder with a copy of each source, to be damaged."""
    return Path(shutil.copytree(dragon_work.parent / "copies", tmp_path / "copies"))


def test_all_splits_get_their_pictures(
    everything: DatasetDict, copies: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    joined, missing, different = attach_images(everything, copies)
    assert (missing, different) == ([], [])
    assert isinstance(joined, DatasetDict)
    for split, part in joined.items():
        assert part.features["image"] == Image(mode="RGB")
        assert part.remove_columns("image").to_list() == everything[split].to_list()
        for record in part:
            size = record["image_ref"]["width"], record["image_ref"]["height"]
            assert (record["image"].size, record["image"].mode) == (size, "RGB")
    assert capsys.readouterr().err == "30 of 30 pictures attached, 0 missing, 0 different\n"


@pytest.mark.parametrize("way", ["work", "folder", "one source", "mapping"])
def test_copies_are_named_in_several_ways(
    way: str, everything: DatasetDict, dragon_work: Path, copies: Path
) -> None:
    charts = everything["test"].filter(lambda one: one["source"] == "chartqa")
    root: Any = {
        "work": dragon_work,
        "folder": str(copies),
        "one source": copies / "chartqa",
        "mapping": {"chartqa": str(copies / "chartqa")},
    }[way]
    joined, *faults = attach_images(charts, root, column="picture", quiet=True)
    assert faults == [[], []]
    assert all(one["picture"].size == (120, 80) for one in joined)


def test_what_is_missing_or_different_is_listed_and_the_rest_is_there(
    everything: DatasetDict, copies: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    part = everything["test"].filter(lambda one: one["source"] == "chartqa")
    names = {(one["split"], one["file_name"]): one for one in part["image_ref"]}
    png = copies / "chartqa" / "train" / "png"
    (png / "bars.png").unlink()
    with Pictures.open(png / "pie.png") as image:  # the same picture, another file
        image.save(png / "pie.png", optimize=True, compress_level=1)
    other = copies / "chartqa" / "val" / "png"
    Pictures.new("RGB", (121, 80)).save(other / "bars.png")
    (other / "pie.png").write_bytes(b"no picture")
    joined, missing, different = attach_images(part, copies)
    (lacking,) = missing
    assert lacking.startswith("chartqa/train/bars.png: ")
    assert lacking.endswith("bars.png is not there")
    assert sorted(one.partition(":")[0] for one in different) == [
        "chartqa/train/pie.png",
        "chartqa/val/bars.png",
        "chartqa/val/pie.png",
    ]
    texts = "\n".join(different)
    assert "is another file of the same size (its SHA-256 is" in texts
    assert "has 121 × 80 pixels, not 120 × 80" in texts
    assert "no image that can be decoded" in texts
    printed = capsys.readouterr().err  # the bars of datasets come first
    printed = printed[printed.index(f"{len(names) - 4} of {len(names)} pictures") :].splitlines()
    assert printed[0] == f"3 of {len(names)} pictures attached, 1 missing, 3 different"
    assert [line.strip() for line in printed[1:]] == [*missing, *different]
    assert joined.num_rows == part.num_rows
    good = [one for one in joined if one["image_ref"]["split"] == "test"]
    assert good
    assert all(one["image"].size == (120, 80) for one in good)
    assert [one["image"] for one in joined if one["image_ref"]["split"] != "test"] == [None] * 6
    dropped = attach_images(part, copies, drop=True, quiet=True)
    assert [one["id"] for one in dropped.dataset] == [one["id"] for one in good]
    assert dropped[1:] == (missing, different)


def test_a_source_without_a_copy_is_missing(everything: DatasetDict, copies: Path) -> None:
    shutil.rmtree(copies / "mapwise")
    joined, missing, different = attach_images(everything["test"], copies, quiet=True)
    assert missing == ["mapwise/usa/with_annotations/map_8808.png: no copy of mapwise is at hand"]
    assert different == []
    lacking = {one["source"] for one in joined if one["image"] is None}
    assert lacking == {"mapwise"}
    maps = everything["test"].filter(lambda one: one["source"] == "mapwise")
    assert attach_images(maps, copies, drop=True, quiet=True).dataset.num_rows == 0


def test_many_faults_are_printed_in_short(
    everything: DatasetDict, copies: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.rmtree(copies / "mapwise")
    _, missing, _ = attach_images(everything, copies)
    printed = capsys.readouterr().err.splitlines()
    assert printed[-1] == f"  ... and {len(missing) - 5} more"
    assert len(printed) == 7


def record_of(path: Path, root: Path, **changes: Any) -> dict[str, Any]:
    with Pictures.open(path) as image:
        width, height = image.size
    name = path.relative_to(root / "test" / "png").as_posix()
    ref = {"split": "test", "file_name": name, "sha256": sha256_of(path)}
    return {
        "source": "chartqa",
        "image_ref": {**ref, "width": width, "height": height, **changes},
    }


def joined_picture(draw: Callable[[Path], None], folder: Path, name: str = "a.png") -> Any:
    """What comes of a picture in a copy of ChartQA."""
    path = folder / "test" / "png" / name
    path.parent.mkdir(parents=True)
    (folder / "test" / "test_human.json").write_text("[]")
    draw(path)
    (one,) = attach_images(Dataset.from_list([record_of(path, folder)]), folder).dataset
    return one["image"]


def draw_transparent(path: Path) -> None:
    image = Pictures.new("RGBA", (40, 30), (0, 0, 0, 0))
    ImageDraw.Draw(image).rectangle((10, 5, 19, 14), fill=(200, 0, 0, 255))
    image.save(path)


def draw_palette(path: Path) -> None:
    image = Pictures.new("P", (40, 30), 0)
    image.putpalette([0, 0, 0, 200, 0, 0])
    ImageDraw.Draw(image).rectangle((10, 5, 19, 14), fill=1)
    image.save(path, transparency=0)


def draw_opaque(path: Path) -> None:
    image = Pictures.new("RGBA", (40, 30), "white")
    ImageDraw.Draw(image).rectangle((10, 5, 19, 14), fill=(200, 0, 0, 255))
    image.save(path)


def draw_turned(path: Path) -> None:
    image = Pictures.new("RGB", (40, 30), "white")
    ImageDraw.Draw(image).rectangle((10, 5, 19, 14), fill=(200, 0, 0))
    exif = Pictures.Exif()
    exif[0x0112] = 6  # to be shown turned by a quarter
    image.save(path, exif=exif)


@pytest.mark.parametrize("draw", [draw_transparent, draw_palette, draw_opaque, draw_turned])
def test_a_box_is_where_it_was_drawn(draw: Callable[[Path], None], tmp_path: Path) -> None:
    picture = np.asarray(joined_picture(draw, tmp_path / "chartqa"))
    assert picture.shape == (30, 40, 3)
    x, y, width, height = 10, 5, 10, 10
    inside = np.zeros((30, 40), bool)
    inside[y : y + height, x : x + width] = True
    assert (picture[inside] == (200, 0, 0)).all()
    assert (picture[~inside] == 255).all()


def test_16_bits_a_pixel_are_seen_by_their_upper_ones(tmp_path: Path) -> None:
    grey = np.full((30, 40), 0xFFFF, np.uint16)
    grey[5:15, 10:20] = 0x4000
    picture = joined_picture(lambda path: Pictures.fromarray(grey).save(path), tmp_path / "chartqa")
    assert np.unique(np.asarray(picture)).tolist() == [0x40, 0xFF]


def test_a_file_that_needs_no_change_is_not_copied(everything: DatasetDict, copies: Path) -> None:
    joined = attach_images(everything["candidates"], copies, quiet=True).dataset
    stored = joined.cast_column("image", Image(decode=False))
    assert all(one["image"]["bytes"] is None for one in stored)
    assert all(Path(one["image"]["path"]).is_file() for one in stored)


def test_each_picture_is_read_once(
    everything: DatasetDict, copies: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[Path] = []

    def count(path: Path) -> str:
        looked.append(path)
        return sha256_of(path)

    monkeypatch.setattr("benchloom.builders.dragon.copies.sha256_of", count)
    attach_images(everything, copies, quiet=True)
    assert len(looked) == len(set(looked)) == 30


def test_a_picture_that_cannot_be_decoded_is_no_good(tmp_path: Path) -> None:
    folder = tmp_path / "chartqa"
    path = folder / "test" / "png" / "a.png"
    path.parent.mkdir(parents=True)
    (folder / "test" / "test_human.json").write_text("[]")
    draw_transparent(path)
    path.write_bytes(path.read_bytes()[:60])  # its header is whole
    rows = Dataset.from_list([record_of(path, folder)])
    joined, missing, (reason,) = attach_images(rows, folder, quiet=True)
    assert (joined[0]["image"], missing) == (None, [])
    assert "cannot be decoded" in reason


@pytest.mark.parametrize(
    "changes", [{"file_name": "../../secret.png"}, {"split": "..", "file_name": "x.png"}]
)
def test_a_record_names_no_file_outside_the_copy(
    changes: dict[str, str], copies: Path, tmp_path: Path
) -> None:
    secret = copies / "secret.png"
    Pictures.new("RGB", (4, 4)).save(secret)
    ref = {"sha256": sha256_of(secret), "width": 4, "height": 4, "split": "test"}
    rows = [{"source": "chartqa", "image_ref": {**ref, **changes}}]
    _, missing, different = attach_images(Dataset.from_list(rows), copies, quiet=True)
    assert different == []
    assert "can be no name of a file" in missing[0]


def test_what_cannot_be_joined_is_said_in_a_sentence(
    everything: DatasetDict, dragon_build: Path, copies: Path, tmp_path: Path
) -> None:
    part = everything["test"]
    stream = load_dataset(str(dragon_build), "mapwise", split="test", streaming=True)
    for given, root, sentence in (
        (stream, copies, "loaded without streaming"),
        (Dataset.from_list([{"source": "a"}]), copies, "it has no image_ref"),
        (part, tmp_path, f"{tmp_path} holds no copy of a source"),
        (part, {"maps": copies}, "there is no source 'maps'"),
        (part, {"mapwise": copies / "ai2d"}, "is no copy of MapWise"),
    ):
        with pytest.raises(InputError) as caught:
            attach_images(given, root, quiet=True)
        assert sentence in str(caught.value)
    with pytest.raises(InputError, match="a column 'answer' already"):
        attach_images(part, copies, column="answer")


def test_words_name_copies(copies: Path) -> None:
    found = Copies.named([f"mapwise={copies / 'mapwise'}", str(copies / "ai2d")])
    assert found.folders == {name: copies / name for name in ("ai2d", "mapwise")}
    assert tuple(Copies.at(copies).folders) == REVIEWED
    with pytest.raises(InputError, match="is no copy of AI2D"):
        Copies.named([f"ai2d={copies / 'mapwise'}"])
    with pytest.raises(InputError, match="is no folder"):
        Copies.named([f"ai2d={copies / 'nowhere'}"])


@pytest.mark.filterwarnings("ignore::PIL.Image.DecompressionBombWarning")
@pytest.mark.parametrize("draw", [draw_opaque, draw_transparent])
def test_a_picture_that_pillow_refuses_is_listed_and_the_rest_is_there(
    draw: Callable[[Path], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "chartqa"
    large, small = (folder / "test" / "png" / name for name in ("a.png", "b.png"))
    large.parent.mkdir(parents=True)
    (folder / "test" / "test_human.json").write_text("[]")
    draw(large)
    Pictures.new("RGB", (20, 15), "white").save(small)
    rows = Dataset.from_list([record_of(path, folder) for path in (large, small)])
    monkeypatch.setattr(Pictures, "MAX_IMAGE_PIXELS", 599)  # 40 × 30 pixels are more than twice it
    joined, missing, (reason,) = attach_images(rows, folder, quiet=True)
    assert missing == []
    assert str(large) in reason
    assert "has 1,200 pixels, more than the 1,198 that Pillow decodes" in reason
    assert [one["image"] and one["image"].size for one in joined] == [None, (20, 15)]
    for limit in (600, None):
        monkeypatch.setattr(Pictures, "MAX_IMAGE_PIXELS", limit)
        joined, *faults = attach_images(rows, folder, quiet=True)
        assert faults == [[], []]
        assert [one["image"].size for one in joined] == [(40, 30), (20, 15)]
