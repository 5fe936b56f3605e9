"""ChartQA: charts with questions by people (`human`) and by a model (`augmented`).

Layout: `{train,val,test}/{png,tables,annotations}` and `{split}/{split}_{human,augmented}.json`, a
list of `{imgname, query, label}`. An annotation has `models[].bboxes` and `general_figure_info`
with `title`, `x_axis`, `y_axis` and `legend`; every box is `{x, y, w, h}` in pixels. The first
public version has no annotations.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchloom.builders.dragon.item import ImageFile
from benchloom.builders.dragon.regions import Region
from benchloom.builders.dragon.sources.collector import Collector
from benchloom.builders.dragon.sources.native import NativeRegions, box_of_fields
from benchloom.builders.dragon.sources.source import SOURCES, Source
from benchloom.builders.dragon.sources.texts import text_of
from benchloom.builders.registry import register
from benchloom.loaders.boxes import Box

SPLITS = ("train", "val", "test")
KINDS = ("human", "augmented")


@register(SOURCES, "chartqa")
class ChartQA(Source):
    """Reads ChartQA."""

    name = "chartqa"
    title = "ChartQA"
    paper_questions = 389
    paper_images = 207
    layout = "the folders train, val and test, each with png and, say, test_human.json"

    def recognises(self, folder: Path) -> bool:
        """Tells whether a part of it has pictures or questions."""
        return any(
            (folder / split / "png").is_dir()
            or any((folder / split / f"{split}_{kind}.json").is_file() for kind in KINDS)
            for split in SPLITS
        )

    def find_image(self, root: Path, split: str, file_name: str) -> Path:
        """Returns the path of an image."""
        return root / split / "png" / file_name

    def collect(self, into: Collector) -> None:
        """Reads the questions of each split, with the annotations of their charts."""
        for split in SPLITS:
            if (into.root / split).is_dir():
                _Split(into, split).collect()
                into.note_unused(into.root / split / "png", ".png")
            else:
                into.fault("missing", into.root / split, "the folder is missing")


class _Split:
    """Reads one split."""

    def __init__(self, into: Collector, split: str) -> None:
        self._into = into
        self._split = split
        self._folder = into.root / split
        self._regions: dict[str, tuple[Region, ...]] = {}

    def collect(self) -> None:
        for kind in KINDS:
            path = self._folder / f"{self._split}_{kind}.json"
            for number, record in enumerate(self._into.read_json(path, list) or (), 1):
                self._add(path, kind, number, record)

    def _add(self, path: Path, kind: str, number: int, record: Any) -> None:
        values = record if isinstance(record, dict) else {}
        name, question, answer = (text_of(values.get(key)) for key in ("imgname", "query", "label"))
        if not (name and question and answer):
            reason = f"record {number} has no imgname, no query or no label"
            self._into.fault("damaged", path, reason, 1)
            return
        image = self._into.image(self._folder / "png", self._split, name)
        if image is None:
            return
        if name not in self._regions:
            self._regions[name] = self._read_annotation(image)
            self._look_for_table(image)
        self._into.add(
            image,
            question,
            answer,
            key=(kind,),
            regions=self._regions[name],
            details={"asked_by": kind},
        )

    def _read_annotation(self, image: ImageFile) -> tuple[Region, ...]:
        path = self._folder / "annotations" / f"{_stem(image.file_name)}.json"
        held = self._into.read_json(path, dict, "without it there are no boxes") or {}
        regions = NativeRegions(image)
        for name, label, value in (*_figure_boxes(held), *_data_boxes(held)):
            regions.add(name, label, _box(value))
        return regions.finish(self._into, path)

    def _look_for_table(self, image: ImageFile) -> None:
        path = self._folder / "tables" / f"{_stem(image.file_name)}.csv"
        if not path.is_file():
            self._into.miss(path, "without it there is no table")


def _stem(file_name: str) -> str:
    return file_name.removesuffix(".png")


def _box(value: Any) -> Box | None:
    return box_of_fields(value, ("x", "y", "w", "h"))


Named = tuple[str, str, Any]
"""The id, the label and the box as it was read of a region to be."""


def _figure_boxes(held: dict[str, Any]) -> Iterator[Named]:
    """Yields the boxes around the data: title, axes with their labels, legend."""
    figure = _object(held.get("general_figure_info"))
    yield from _labelled("title", figure.get("title"))
    for axis in ("x_axis", "y_axis"):
        parts = _object(figure.get(axis))
        yield from _labelled(f"{axis}-label", parts.get("label"))
        ticks = _object(parts.get("major_labels"))
        values = _list(ticks.get("values"))
        for number, box in enumerate(_list(ticks.get("bboxes"))):
            if box is not None:
                label = text_of(values[number]) if number < len(values) else ""
                yield f"{axis}-tick-{number}", label, box
    legend = _object(figure.get("legend"))
    yield from _labelled("legend", {"text": "legend", **legend})
    for number, item in enumerate(_list(legend.get("items"))):
        entry = _object(item)
        words, preview = _object(entry.get("label")), _object(entry.get("preview"))
        text = text_of(words.get("text"))
        yield from _labelled(f"legend-{number}", words)
        yield from _labelled(f"legend-{number}-key", {"text": text, **preview})


def _data_boxes(held: dict[str, Any]) -> Iterator[Named]:
    """Yields the boxes of the data: a bar for each datum, the segments of a line, pieces of a pie.

    A box that is null is one that the source has not; a piece of a pie often has none.
    """
    for number, model in enumerate(_list(held.get("models"))):
        entry = _object(model)
        name = text_of(entry.get("name")) or text_of(entry.get("text_label"))
        boxes = _list(entry.get("bboxes"))
        places = [text_of(place) for place in _list(entry.get("x"))]
        for part, box in enumerate(boxes):
            if box is None:
                continue
            if len(places) == len(boxes):
                where = places[part]
            elif len(places) == len(boxes) + 1:  # between two points of a line
                where = f"{places[part]} – {places[part + 1]}"
            else:
                where = ""
            yield f"data-{number}-{part}", " ".join(filter(None, (name, where))), box
        for field, ending in (("bbox", "box"), ("text_bbox", "text")):
            if entry.get(field) is not None:
                yield f"data-{number}-{ending}", name, entry[field]


def _labelled(name: str, value: Any) -> Iterator[Named]:
    """Yields the box of an object `{text, bbox}` if it has one."""
    entry = _object(value)
    if entry.get("bbox") is not None:
        yield name, text_of(entry.get("text")), entry["bbox"]


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
