import io
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from benchloom.builders.pipeline import build
from benchloom.builders.recipe import Recipe
from benchloom.cards.contact_sheet import (
    CELL,
    GAP,
    OVERVIEW,
    SMALL_CELL,
    contact_sheets,
    examples,
    sheet_files,
)
from benchloom.loaders.directory import Build


def pictures(sheet: Image.Image, size: int) -> list[bytes]:
    """Returns the pictures of a sheet; below each are its words, the same height in all."""
    columns = (sheet.width - GAP) // (size + GAP)
    ground = sheet.getpixel((0, 0))
    column = [sheet.getpixel((GAP + 1, y)) for y in range(sheet.height)]
    tops = [y for y in range(1, sheet.height) if column[y] != ground and column[y - 1] == ground]
    boxes = [
        (left, top, left + size, top + size)
        for top in tops
        for left in range(GAP, columns * (size + GAP), size + GAP)
    ]
    return [sheet.crop(box).tobytes() for box in boxes]


def opened(content: bytes) -> Image.Image:
    return Image.open(io.BytesIO(content)).convert("RGB")


def test_there_is_an_overview_and_a_sheet_of_each_config(either_build: Path) -> None:
    of = Build(either_build)
    files = [f"preview/{path.name}" for path in (either_build / "preview").iterdir()]
    if of.benchmark.emblem():  # which shows none of its records
        assert files == [f"preview/{OVERVIEW}.png"]
        return
    assert sorted(files) == sorted(sheet_files(of.manifest.configs))
    overview = pictures(opened((either_build / "preview" / "overview.png").read_bytes()), CELL)
    assert len(set(overview)) == len(of.manifest.configs) == 6


@pytest.mark.parametrize("config", ["easy_iso", "shortest_path"])
def test_a_sheet_shows_records_of_each_split(vga_build: Path, config: str) -> None:
    splits = Build(vga_build).manifest.configs[config].splits
    sheet = opened((vga_build / "preview" / f"{config}.png").read_bytes())
    shown = pictures(sheet, SMALL_CELL)
    assert len(set(shown)) == 4 * len(splits)


def test_the_graph_of_a_text_is_drawn_in_each_split(omni_build: Path) -> None:
    sheet = opened((omni_build / "preview" / "triangle.png").read_bytes())
    assert len(set(pictures(sheet, CELL))) == 3


def test_sheets_do_not_differ_from_run_to_run(either_build: Path) -> None:
    standing = {
        f"preview/{path.name}": path.read_bytes() for path in (either_build / "preview").iterdir()
    }
    assert contact_sheets(Build(either_build)) == standing


def test_examples_show_every_answer(vga_build: Path) -> None:
    of = Build(vga_build)
    for config, split in of.splits():
        places = examples(of, config, split, 4)
        assert places == sorted(set(places))
        answers = [of.columns(config, split)["answer"][place] for place in places]
        labels = of.manifest.configs[config].splits[split].labels
        assert {answers.count(label) for label in labels} == {4 // len(labels)}


def test_examples_are_different_questions(omni_build: Path) -> None:
    of = Build(omni_build)
    assert examples(of, "cycle", "easy", 4) == [0]  # the other 62 records ask the same


def test_records_without_pictures_have_no_sheets(tmp_path: Path, load_numbers: Callable) -> None:
    load_numbers()
    build(Recipe.of("numbers"), tmp_path / "data", jobs=1, quiet=True)
    assert contact_sheets(Build(tmp_path / "data")) == {}
    assert not (tmp_path / "data" / "preview").exists()
    assert "preview/" not in (tmp_path / "data" / "README.md").read_text()
