"""Circuit-VQA: diagrams of circuits, with a box for each component.

Layout: `master.json`, a list of `{splittype, file, question, qtype, answer}`; images
`<split>/<file>.jpg`; boxes `labels/<split>/<file>.txt`, lines of `class cx cy w h` as parts of the
image (YOLO); `class_dict.json`, names by class.
"""

import re
from pathlib import Path
from typing import Any

from benchloom.builders.dragon.item import ImageFile
from benchloom.builders.dragon.regions import Region
from benchloom.builders.dragon.sources.collector import Collector
from benchloom.builders.dragon.sources.native import NativeRegions, numbers
from benchloom.builders.dragon.sources.source import SOURCES, Source, subfolders
from benchloom.builders.dragon.sources.texts import is_plain, text_of
from benchloom.builders.errors import InputError
from benchloom.builders.registry import register
from benchloom.loaders.boxes import Box, xywh_from_centre_ratios

CLASSES = "class_dict.json"
LABELS = "labels"
NO_COUNTS = ("nan", "none", "null", "inf", "-inf")
"""What an empty cell of a count was turned into by another program."""


@register(SOURCES, "circuit_vqa")
class CircuitVQA(Source):
    """Reads Circuit-VQA."""

    name = "circuit_vqa"
    title = "Circuit-VQA"
    paper_questions = 404
    paper_images = 223
    layout = f"master.json, {CLASSES}, the folder {LABELS} and one of images for each split"

    def recognises(self, folder: Path) -> bool:
        """Tells whether there are questions, or names of components."""
        return bool(_question_files(folder)) or (folder / CLASSES).is_file()

    def find_image(self, root: Path, split: str, file_name: str) -> Path:
        """Returns the path of an image: its split's folder is at the top or one level below."""
        others = [path / split for path in subfolders(root) if path.name != LABELS]
        folders = [path for path in (root / split, *others) if path.is_dir()]
        return (folders[0] if folders else root / split) / file_name

    def collect(self, into: Collector) -> None:
        """Reads the questions, with the boxes of their images."""
        _Circuits(into, self).collect()


class _Circuits:
    """Reads one copy."""

    def __init__(self, into: Collector, source: CircuitVQA) -> None:
        self._into = into
        self._source = source
        self._folders: dict[str, Path] = {}
        self._regions: dict[Path, tuple[Region, ...]] = {}
        names = (
            into.read_json(into.root / CLASSES, dict, "without it components have no names") or {}
        )
        self._names = {number: text_of(name) for number, name in names.items()}

    def collect(self) -> None:
        path = self._find_questions()
        for number, record in enumerate(self._into.read_json(path, list) or (), 1):
            self._add(path, number, record)
        for folder in self._folders.values():
            if folder.is_dir():
                self._into.note_unused(folder, ".jpg")

    def _find_questions(self) -> Path:
        files = _question_files(self._into.root)
        if not files or files[0].name == "master.json":
            return self._into.root / "master.json"
        if len(files) > 1:
            raise InputError(
                f"{self._into.root} holds no master.json but "
                f"{', '.join(file.name for file in files)}: name the one to be read master.json"
            )
        self._into.note(f"{files[0].name} is read for want of a master.json")
        return files[0]

    def _add(self, path: Path, number: int, record: Any) -> None:
        values = record if isinstance(record, dict) else {}
        keys = ("splittype", "file", "question", "answer")
        split, file, question, given = (text_of(values.get(key)) for key in keys)
        if not (split and file and question and given):
            reason = f"record {number} has no {', no '.join(keys[:-1])} or no {keys[-1]}"
            self._into.fault("damaged", path, reason, 1)
            return
        if "/" in split or not is_plain(split):
            self._into.fault("damaged", path, f"record {number} has splittype {split!r}", 1)
            return
        if split not in self._folders:
            self._folders[split] = self._source.find_image(self._into.root, split, "")
        # A name may have dots of its own (x_jpg.rf.31bf): the ending is added, none is replaced.
        image = self._into.image(self._folders[split], split, f"{file}.jpg")
        if image is None:
            return
        if image.path not in self._regions:
            self._regions[image.path] = self._read_labels(image, file)
        kind = text_of(values.get("qtype"))
        counts = "count" in kind.casefold()
        if counts and given.casefold() in NO_COUNTS:
            self._into.fault("damaged", path, f"record {number} is a count of {given}", 1)
            return
        answer = _whole_number(given) if counts else given
        details = {"question_type": kind}
        if answer != given:
            details["answer_text"] = given
        self._into.add(
            image,
            question,
            answer,
            key=(kind,),
            regions=self._regions[image.path],
            details=details,
        )

    def _read_labels(self, image: ImageFile, file: str) -> tuple[Region, ...]:
        path = self._into.root / LABELS / image.split / f"{file}.txt"
        lines = self._into.read_lines(path, "without it there are no boxes")
        regions = NativeRegions(image)
        unknown = []
        for number, line in enumerate(lines or (), 1):
            words = line.split()
            if not words:
                continue
            name = self._names.get(words[0], "")
            if not name:
                unknown.append(words[0])
            regions.add(f"component-{number}", name or f"class {words[0]}", _box(words, image))
        if unknown and self._names:
            reason = f"of class {', '.join(dict.fromkeys(unknown))}, which {CLASSES} does not name"
            self._into.fault("unknown", path, f"has components {reason}; they are kept")
        return regions.finish(self._into, path)


def _question_files(folder: Path) -> list[Path]:
    """Returns master.json, or failing that every file that might be it."""
    exact = folder / "master.json"
    return [exact] if exact.is_file() else sorted(folder.glob("master*.json"))


def _box(words: list[str], image: ImageFile) -> Box | None:
    """Returns the box of a line `class cx cy w h`."""
    try:
        found = numbers([float(word) for word in words[1:]], 4)
    except ValueError:
        return None
    return None if found is None else xywh_from_centre_ratios(found, image.width, image.height)


def _whole_number(text: str) -> str:
    """Returns a count without the decimals that some have: "1.0" is "1"."""
    return re.sub(r"\A(\d+)\.0+\Z", r"\1", text)
