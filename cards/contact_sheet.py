"""Contact sheets: PNG pictures of some records of a build, for its card."""

import io
from collections import Counter
from collections.abc import Iterable, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING

from benchloom.builders.benchmark import Record
from benchloom.loaders.directory import Build

if TYPE_CHECKING:
    from PIL.Image import Image

OVERVIEW = "overview"
CELL, SMALL_CELL = 340, 234
GAP, FONT_SIZE, LINE = 12, 16, 20
LOOKED_AT = 5_000
"""Examples are chosen among the first so many records of a split."""
GROUND, PAPER, INK = "#d8dde3", "white", "#17202a"
COLOURS = 64


def sheet_files(configs: Iterable[str]) -> list[str]:
    """Returns the paths of contact sheets: an overview, and one of each of a build's configs."""
    return [_file(name) for name in (OVERVIEW, *configs)]


def contact_sheets(build: Build) -> dict[str, bytes]:
    """Returns the contact sheets of a build as PNG files, by their paths.

    The overview shows one record of each config, the sheet of a config some of each split, with
    their answers. A text is shown by its graph and its question. A benchmark with an emblem of its
    own has that alone; there are none when the records have no picture.

    Raises:
        InputError: If a shard cannot be read.
    """
    if emblem := build.benchmark.emblem():
        return {_file(OVERVIEW): emblem}
    cells: dict[str, list[Cell]] = {}
    for config, built in build.manifest.configs.items():
        cells[config] = [
            cell
            for split in built.splits
            for cell in _cells(build, config, split, 4 if _has_pictures(build, config) else 1)
        ]
    if not all(cells.values()):
        return {}
    shown = [_chosen(cells[config], place).captioned(config) for place, config in enumerate(cells)]
    sheets = {_file(OVERVIEW): _sheet(shown, 3, CELL)}
    for config, of_config in cells.items():
        columns, size = (4, SMALL_CELL) if _has_pictures(build, config) else (3, CELL)
        sheets[_file(config)] = _sheet(of_config, columns, size)
    return sheets


class Cell:
    """One record on a sheet.

    Attributes:
        split: Its split.
        picture: Its picture, a PNG file.
        question: What is asked when the picture alone does not say it, else nothing.
        answer: The answer.
    """

    def __init__(self, split: str, picture: bytes, question: str, answer: str) -> None:
        self.split = split
        self.picture = picture
        self.question = question
        self.answer = answer
        self.caption = f"{split}: {answer}"

    def captioned(self, config: str) -> "Cell":
        """Returns the cell with the config's name in the place of the split's."""
        cell = Cell(self.split, self.picture, self.question, self.answer)
        cell.caption = f"{config}: {self.answer}"
        return cell


def examples(build: Build, config: str, split: str, count: int) -> list[int]:
    """Returns ascending places of records that show different answers, each of another question.

    Args:
        build: The build.
        config: The config.
        split: The split.
        count: How many, or fewer when there are not so many questions.
    """
    columns = build.columns(config, split)
    questions = columns[name if (name := "instance_id") in columns else "id"][:LOOKED_AT]
    first = list(
        {question: place for place, question in reversed(list(enumerate(questions)))}.values()
    )
    first.sort()
    if "answer" not in columns:
        return first[:count]
    answers = columns["answer"]
    seen: Counter[str] = Counter()
    turns = []
    for place in first:
        turns.append((seen[answers[place]], place))
        seen[answers[place]] += 1
    return sorted(place for _, place in sorted(turns)[:count])


def _file(name: str) -> str:
    return f"preview/{name}.png"


def _has_pictures(build: Build, config: str) -> bool:
    return "image" in build.benchmark.features(config)


def _cells(build: Build, config: str, split: str, count: int) -> list[Cell]:
    cells = []
    for _, record in build.records(config, split, examples(build, config, split, count)):
        if picture := build.benchmark.picture(record, config):
            answer = str(record.get("answer", ""))
            cells.append(Cell(split, picture, _question(record), answer))
    return cells


def _question(record: Record) -> str:
    """Returns the question at the end of a text; a picture's is the same for all of its config."""
    text = str(record.get("query", ""))
    return text.rpartition("Q: ")[2].rpartition("A:")[0].strip()


def _chosen(cells: Sequence[Cell], place: int) -> Cell:
    """Returns a cell of the split `test`, or of the first one, another one for each place."""
    wanted = "test" if any(cell.split == "test" for cell in cells) else cells[0].split
    of_split = [cell for cell in cells if cell.split == wanted]
    return of_split[place % len(of_split)]


def _sheet(cells: Sequence[Cell], columns: int, size: int) -> bytes:
    """Returns a PNG of cells in rows, each picture scaled to `size` pixels, its words below it."""
    from PIL import Image, ImageDraw, ImageFont

    font = ImageFont.load_default(size=FONT_SIZE)
    letters = int(size / (FONT_SIZE * 0.52))
    words = [
        [line for text in (cell.question, cell.caption) for line in wrap(text, letters)]
        for cell in cells
    ]
    caption = LINE * max(map(len, words)) + GAP
    columns = min(columns, len(cells))
    rows = -(-len(cells) // columns)
    width, height = size + GAP, size + caption + GAP
    sheet = Image.new("RGB", (columns * width + GAP, rows * height + GAP), GROUND)
    pen = ImageDraw.Draw(sheet)
    for place, (cell, lines) in enumerate(zip(cells, words, strict=True)):
        left, top = GAP + place % columns * width, GAP + place // columns * height
        pen.rectangle((left, top, left + size - 1, top + size + caption - 1), fill=PAPER)
        sheet.paste(_scaled(cell.picture, size), (left, top))
        for number, line in enumerate(lines):
            below = top + size + GAP / 2 + LINE * (number + 0.5)
            pen.text((left + size / 2, below), line, INK, font, anchor="mm")
    out = io.BytesIO()
    sheet.quantize(COLOURS).save(out, "PNG")
    return out.getvalue()


def _scaled(picture: bytes, size: int) -> "Image":
    """Returns a picture that fills a square, its sides in proportion, white beside it."""
    from PIL import Image

    with Image.open(io.BytesIO(picture)) as full:
        small = full.convert("RGB")
    small.thumbnail((size, size), Image.Resampling.LANCZOS, reducing_gap=None)
    square = Image.new("RGB", (size, size), PAPER)
    square.paste(small, ((size - small.width) // 2, (size - small.height) // 2))
    return square
