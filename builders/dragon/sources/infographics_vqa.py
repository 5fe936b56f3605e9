"""InfographicsVQA: infographics, with the texts that an OCR program (Textract) found in them.

Layout: `infographicsVQA_{train,val,test}_v1.0*.json`, `{data: [{questionId, question,
image_local_name, ocr_output_file, answers}]}`; folders of images and of OCR files beside them. An
OCR file is `{PAGE, LINE, WORD}`, lists of `{Text, Geometry: {BoundingBox: {Left, Top, Width,
Height}}}` as parts of the image. The answers of the test split are not published.
"""

import re
from pathlib import Path
from typing import Any

from benchloom.builders.dragon.item import ImageFile
from benchloom.builders.dragon.regions import Region
from benchloom.builders.dragon.sources.collector import Collector
from benchloom.builders.dragon.sources.native import NativeRegions, box_of_fields
from benchloom.builders.dragon.sources.source import SOURCES, Source, subfolders
from benchloom.builders.dragon.sources.texts import is_plain, is_text, text_of
from benchloom.builders.registry import register
from benchloom.loaders.boxes import xywh_from_ratios

# The name of the training file comes with and without the s.
_FILE = re.compile(r"infographics?vqa_(train|val|test)_v\d.*\.json", re.IGNORECASE)
SPLITS = ("train", "val", "test")
NO_BOXES = "without it there are no boxes"


@register(SOURCES, "infographics_vqa")
class InfographicsVQA(Source):
    """Reads InfographicsVQA."""

    name = "infographics_vqa"
    title = "InfographicsVQA"
    paper_questions = 411
    paper_images = 207
    layout = "infographicsVQA_train_v1.0.json and the like, beside the folders of images and OCR"

    def recognises(self, folder: Path) -> bool:
        """Tells whether there is a file of questions."""
        return any(_question_files(folder).values())

    def find_image(self, root: Path, split: str, file_name: str) -> Path:
        """Returns the path of an image: in the folder given, or in the first one in it with it."""
        return _find_folder([root, *subfolders(root)], file_name) / file_name

    def collect(self, into: Collector) -> None:
        """Reads the questions, with the OCR of their images."""
        infographics = _Infographics(into)
        for split, paths in _question_files(into.root).items():
            for path in paths[1:]:
                into.note(f"{path.name} is left out, since {paths[0].name} says more")
            if paths:
                infographics.collect(split, paths[0])
            else:
                path = into.root / f"infographicsVQA_{split}_v1.0.json"
                into.miss(path, "there are no questions of this split")
        infographics.finish()


class _Infographics:
    """Reads one copy."""

    def __init__(self, into: Collector) -> None:
        self._into = into
        self._folders = [into.root, *subfolders(into.root)]
        self._regions: dict[Path, tuple[Region, ...]] = {}
        self._no_ocr: list[str] = []
        self._ocr_folder = into.root

    def finish(self) -> None:
        """Lists the OCR files that are missing: all of them at once if there is none."""
        if len(self._no_ocr) > 1 and len(self._no_ocr) == len(self._regions):
            reason = f"none of {len(self._no_ocr):,} OCR files is in it or in a folder of it"
            self._into.fault(
                "missing", self._into.root, f"{reason}; without them there are no boxes"
            )
        else:
            for name in self._no_ocr:
                self._into.miss(self._ocr_folder / name, NO_BOXES)

    def collect(self, split: str, path: Path) -> None:
        held = self._into.read_json(path, dict)
        if held is None:
            return
        records = held.get("data")
        if not isinstance(records, list):
            self._into.fault("unknown", path, "has no list `data`; it is left out")
            return
        without = 0
        for number, record in enumerate(records, 1):
            values = record if isinstance(record, dict) else {}
            if split == "test" and values and values.get("answers") in (None, []):
                without += 1
            else:
                self._add(split, path, number, values)
        if without:
            self._into.note(
                f"{path.name}: {without:,} questions have no published answer and are left out"
            )

    def _add(self, split: str, path: Path, number: int, values: dict[str, Any]) -> None:
        question, name = text_of(values.get("question")), text_of(values.get("image_local_name"))
        given = values.get("answers")
        # Of answers some of which cannot be read, nobody knows which one comes first.
        if not isinstance(given, list) or not all(map(is_text, given)):
            given = []
        answers = [text_of(answer) for answer in given]
        answers = [answer for answer in dict.fromkeys(answers) if answer]
        if not (question and name and answers):
            reason = (
                f"record {number} has no question, no image_local_name or no answers that are texts"
            )
            self._into.fault("damaged", path, reason, 1)
            return
        image = self._into.image(_find_folder(self._folders, name), split, name)
        if image is None:
            return
        if image.path not in self._regions:
            self._regions[image.path] = self._read_ocr(image, values.get("ocr_output_file"))
        self._into.add(
            image,
            question,
            answers[0],
            question_id=text_of(values.get("questionId")),
            regions=self._regions[image.path],
            details={"answers": answers},
        )

    def _read_ocr(self, image: ImageFile, file: Any) -> tuple[Region, ...]:
        name = text_of(file)
        if not is_plain(name):
            self._into.fault("damaged", image.path, f"its ocr_output_file is {file!r}; {NO_BOXES}")
            return ()
        path = _find_folder(self._folders, name) / name
        if not path.is_file():
            self._no_ocr.append(name)
            return ()
        self._ocr_folder = path.parent
        held = self._into.read_json(path, dict, NO_BOXES)
        if held is None:
            return ()
        regions = NativeRegions(image)
        if not any(isinstance(held.get(kind), list) for kind in ("LINE", "WORD")):
            self._into.fault("unknown", path, f"has neither a list LINE nor WORD; {NO_BOXES}")
        for kind in ("LINE", "WORD"):  # PAGE is the whole image
            entries = held.get(kind)
            for number, entry in enumerate(entries if isinstance(entries, list) else (), 1):
                text, geometry = "", None
                if isinstance(entry, dict):
                    text, geometry = text_of(entry.get("Text")), entry.get("Geometry")
                box = geometry.get("BoundingBox") if isinstance(geometry, dict) else None
                ratios = box_of_fields(box, ("Left", "Top", "Width", "Height"))
                regions.add(
                    f"{kind.lower()}-{number}",
                    text,
                    ratios and xywh_from_ratios(ratios, image.width, image.height),
                )
        return regions.finish(self._into, path)


def _question_files(folder: Path) -> dict[str, list[Path]]:
    """Returns the files of each split; the one with the longest name, which adds columns, first."""
    found: dict[str, list[Path]] = {split: [] for split in SPLITS}
    for path in sorted(folder.iterdir(), key=lambda path: (-len(path.name), path.name)):
        if match := _FILE.fullmatch(path.name):
            found[match[1].lower()].append(path)
    return found


def _find_folder(folders: list[Path], name: str) -> Path:
    """Returns the first of the folders that has a file, or the first of all if none has it."""
    found = [folder for folder in folders if is_plain(name) and (folder / name).is_file()]
    return (found or folders)[0]
