"""MapIQ: choropleth maps, cartograms and maps of proportional symbols.

No sample of it could be had, so nothing is taken for granted: a small file `mapiq.json`, which the
user writes into the copy, says where things are and how the columns are called:

    {
      "questions": "questions.csv",      CSV, or JSON: a list of objects
      "images": "maps",                  the folder that image names begin in; without it, this one
      "image_suffix": ".png",            what the names lack, if they lack it
      "columns": {
        "image": "...", "question": "...", "answer": "...",          needed
        "id": "...", "split": "...",                                 texts
        "choices": ["..."], "details": ["..."]                       lists of columns
      }
    }
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from benchloom.builders.dragon.sources.collector import Collector
from benchloom.builders.dragon.sources.source import SOURCES, Source
from benchloom.builders.dragon.sources.texts import is_plain, is_text, text_of
from benchloom.builders.errors import InputError
from benchloom.builders.registry import register

MAPPING = "mapiq.json"
EXAMPLE = (
    '{"questions": "questions.csv", "images": "maps", '
    '"columns": {"image": "file", "question": "question", "answer": "answer"}}'
)
KEYS = ("questions", "images", "image_suffix", "columns")
NEEDED = ("image", "question", "answer")
ONE = (*NEEDED, "id", "split")
MANY = ("choices", "details")
ENDINGS = (".png", ".jpg", ".jpeg")
SPLIT = "all"
"""Where no column tells the part of the source."""


@dataclass(frozen=True)
class Layout:
    """What a mapping file says.

    Attributes:
        questions: The file of questions.
        images: The folder of images.
        image_suffix: What the names of images lack.
        columns: The columns by what they hold: a name, or a list of names.
    """

    questions: str
    images: str
    image_suffix: str
    columns: Mapping[str, Any]


@register(SOURCES, "mapiq")
class MapIQ(Source):
    """Reads MapIQ by a mapping file."""

    name = "mapiq"
    title = "MapIQ"
    paper_questions = 369
    paper_images = 182
    layout: ClassVar[str] = (
        f"a file {MAPPING} that you write, such as {EXAMPLE}, with your copy's own names"
    )

    def recognises(self, folder: Path) -> bool:
        """Tells whether there is a mapping file."""
        return (folder / MAPPING).is_file()

    def find_image(self, root: Path, split: str, file_name: str) -> Path:
        """Returns the path of an image.

        Raises:
            InputError: If the mapping file cannot be used.
        """
        return root / _read_layout(root / MAPPING).images / file_name

    def collect(self, into: Collector) -> None:
        """Reads the questions as the mapping file says.

        Raises:
            InputError: If the mapping file cannot be used, or names a column that is not there.
        """
        layout = _read_layout(into.root / MAPPING)
        path = into.root / layout.questions
        records = _read_records(into, path)
        _check_columns(path, records, layout.columns)
        for number, record in enumerate(records, 1):
            _add(into, path, number, record, layout)
        into.note_unused(into.root / layout.images, *ENDINGS)


def _read_records(into: Collector, path: Path) -> list[Any]:
    """Returns the rows of a CSV file or the objects of a JSON file."""
    if path.suffix.casefold() == ".json":
        return into.read_json(path, list) or []
    return list(into.read_csv(path, ()) or [])


def _add(into: Collector, path: Path, number: int, record: Any, layout: Layout) -> None:
    values = record if isinstance(record, dict) else {}
    columns = layout.columns
    found = {name: text_of(values.get(columns[name])) for name in ONE if name in columns}
    needed = [name for name in (*NEEDED, "split") if name in columns]
    if lacking := [columns[name] for name in needed if not found[name]]:
        into.fault("damaged", path, f"record {number} has no {' and no '.join(lacking)}", 1)
        return
    file_name = found["image"] + layout.image_suffix
    image = into.image(into.root / layout.images, found.get("split") or SPLIT, file_name)
    if image is None:
        return
    given = [values.get(column) for column in columns.get("choices", ())]
    if not all(choice is None or is_text(choice) for choice in given):
        into.fault("damaged", path, f"record {number} has choices that are no texts", 1)
        return
    choices = [text_of(choice) for choice in given]
    into.add(
        image,
        found["question"],
        found["answer"],
        question_id=found.get("id", ""),
        choices=[choice for choice in choices if choice],
        details={
            text_of(column): text_of(values.get(column)) for column in columns.get("details", ())
        },
    )


def _read_layout(path: Path) -> Layout:
    """Returns what a mapping file says.

    Raises:
        InputError: If it says too little, or what is not understood.
    """
    try:
        held = json.loads(path.read_bytes())
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise InputError(f"{path} is no JSON; write, say, {EXAMPLE}") from None
    columns = held.get("columns") if isinstance(held, dict) else None
    if not isinstance(columns, dict):
        raise InputError(f"{path} has no object `columns`; write, say, {EXAMPLE}")
    for name in (*held, *columns):
        if name not in {*KEYS, *ONE, *MANY}:
            raise InputError(
                f"{path} has {name!r}; known are {', '.join(KEYS)}, "
                f"and for columns {', '.join((*ONE, *MANY))}"
            )
    absent = [name for name in NEEDED if name not in columns]
    if absent:
        raise InputError(f"{path} does not say which column is the {' and the '.join(absent)}")
    layout = Layout(
        held.get("questions", ""), held.get("images", "."), held.get("image_suffix", ""), columns
    )
    named: list[Any] = [layout.questions, layout.images, layout.image_suffix]
    named += [columns[name] for name in ONE if name in columns]
    for many in (columns.get(name, []) for name in MANY):
        named += many if isinstance(many, list) else [None]
    if not all(isinstance(text, str) for text in named) or not layout.questions:
        raise InputError(
            f"{path}: questions and every column must be texts, "
            f"{' and '.join(MANY)} lists of them; write, say, {EXAMPLE}"
        )
    for name in (layout.questions, layout.images):
        if name != "." and not is_plain(name):
            raise InputError(f"{path}: {name!r} must be the name of something beside {MAPPING}")
    return layout


def _check_columns(path: Path, records: list[Any], columns: Mapping[str, Any]) -> None:
    """Raises InputError if a column that the mapping names is in no record."""
    present = {name for record in records if isinstance(record, dict) for name in record}
    for name, named in columns.items():
        for column in [named] if isinstance(named, str) else named:
            if records and column not in present:
                raise InputError(
                    f"{path} has no column {column!r}, which {MAPPING} gives for {name}; "
                    f"it has {', '.join(map(str, sorted(present))) or 'none'}"
                )
