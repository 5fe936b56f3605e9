"""AI2D: diagrams of school science with multiple-choice questions.

Layout: `images/N.png`, `annotations/N.png.json`, `questions/N.png.json`, `categories.json`. A file
of questions is `{"imageName", "questions": {text: {abcLabel, answerTexts, correctAnswer,
questionId}}}`; one of annotations has `text`, `blobs` and `arrows` by id.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchloom.builders.dragon.item import ImageFile
from benchloom.builders.dragon.regions import Region
from benchloom.builders.dragon.sources.collector import Collector
from benchloom.builders.dragon.sources.native import NativeRegions, box_of_points
from benchloom.builders.dragon.sources.source import SOURCES, Source
from benchloom.builders.dragon.sources.texts import is_text, natural_key, text_of
from benchloom.builders.registry import register

SPLIT = "all"
"""AI2D as it is published has no parts."""
NO_BOXES = "without it there are no boxes"


@register(SOURCES, "ai2d")
class AI2D(Source):
    """Reads AI2D."""

    name = "ai2d"
    title = "AI2D"
    paper_questions = 483
    paper_images = 303
    layout = "the folders images, annotations and questions"

    def recognises(self, folder: Path) -> bool:
        """Tells whether there are questions by image."""
        return (folder / "questions").is_dir() and (
            (folder / "annotations").is_dir() or (folder / "images").is_dir()
        )

    def find_image(self, root: Path, split: str, file_name: str) -> Path:
        """Returns the path of an image."""
        return root / "images" / file_name

    def collect(self, into: Collector) -> None:
        """Reads the files of questions, each with the annotation of its image."""
        categories = into.read_json(
            into.root / "categories.json", dict, "without it there are no categories"
        )
        files = sorted(
            (into.root / "questions").glob("*.json"), key=lambda path: natural_key(path.name)
        )
        without = sum(not _read_questions(into, path, categories or {}) for path in files)
        if without:
            into.note(f"questions: {without:,} of {len(files):,} files hold none")
        into.note_unused(into.root / "images", ".png")


def _read_questions(into: Collector, path: Path, categories: Mapping[str, Any]) -> bool:
    """Adds the questions of a file; tells whether it is anything but an empty one."""
    held = into.read_json(path, dict)
    if held is None:
        return True
    questions = held.get("questions")
    if not isinstance(questions, dict):
        into.fault("unknown", path, "has no object `questions`; it is left out")
        return True
    # The file is named after the image; what it says itself counts more.
    image_name = text_of(held.get("imageName")) or path.name.removesuffix(".json")
    labels: _Labels | None = None
    for words, entry in questions.items():
        text = text_of(words)
        found = _read_question(into, path, text, entry)
        image = into.image(into.root / "images", SPLIT, image_name) if found else None
        if found is None or image is None:
            continue
        labels = labels or _Labels(into, image)
        answer, choices, letters, question_id = found
        details: dict[str, Any] = {"abc_label": letters}
        if category := text_of(categories.get(image_name)):
            details["category"] = category
        if letters:
            details["letters"] = labels.letters
        into.add(
            image,
            text,
            answer,
            question_id=question_id,
            choices=choices,
            regions=labels.by_letter if letters else labels.by_text,
            details=details,
        )
    return bool(questions)


def _read_question(
    into: Collector, path: Path, text: str, entry: Any
) -> tuple[str, list[str], bool, str] | None:
    """Returns answer, choices, whether letters are meant, and id, or lists why it cannot."""
    choices = entry.get("answerTexts") if isinstance(entry, dict) else None
    if not text or not isinstance(choices, list) or not choices:
        into.fault("damaged", path, f"question {text!r} has no words or no answerTexts", 1)
        return None
    if not all(map(is_text, choices)):
        into.fault("damaged", path, f"question {text!r} has answerTexts that are no texts", 1)
        return None
    texts = [text_of(choice) for choice in choices]
    right = entry.get("correctAnswer")
    if type(right) is not int or not 0 <= right < len(texts) or not texts[right]:
        into.fault(
            "damaged",
            path,
            f"question {text!r} has correctAnswer {right!r}, which is none of its answers, "
            f"counted from 0 to {len(texts) - 1}",
            1,
        )
        return None
    return texts[right], texts, entry.get("abcLabel") is True, text_of(entry.get("questionId"))


class _Labels:
    """The regions of an image under the names that its two kinds of question use.

    Attributes:
        by_text: Named by the words in the picture.
        by_letter: Named by the letters that stand for them where a question is asked with letters.
        letters: What each letter stands for.
    """

    def __init__(self, into: Collector, image: ImageFile) -> None:
        self.letters: dict[str, str] = {}
        path = into.root / "annotations" / f"{image.file_name}.json"
        held = into.read_json(path, dict, NO_BOXES) or {}
        texts = _section(held, "text")
        words = {name: text_of(entry.get("value")) for name, entry in texts.items()}
        letters = dict(words)
        for name, entry in texts.items():
            letter = text_of(entry.get("replacementText"))
            if len(letter) == 1:
                letters[name] = letter
                self.letters[letter] = words[name]
        _name_blobs(held, words)
        _name_blobs(held, letters)
        self.by_text = _regions(into, path, image, held, words)
        # The boxes are the same, so their faults are listed already.
        self.by_letter = tuple(
            Region(region.id, letters.get(region.id, ""), region.bbox, clipped=region.clipped)
            for region in self.by_text
        )


def _section(held: Mapping[str, Any], name: str) -> dict[str, dict[str, Any]]:
    """Returns the objects of one section of an annotation by id, in the order of their ids."""
    section = held.get(name)
    if not isinstance(section, dict):
        return {}
    ids = sorted(section, key=natural_key)
    return {name: section[name] for name in ids if isinstance(section[name], dict)}


def _name_blobs(held: Mapping[str, Any], labels: dict[str, str]) -> None:
    """Adds a label for each blob that a text labels, where the annotation says so."""
    for relation in _section(held, "relationships").values():
        text, blob = relation.get("origin"), relation.get("destination")
        if relation.get("category") == "intraObjectLabel" and isinstance(blob, str):
            labels.setdefault(blob, labels.get(text, "") if isinstance(text, str) else "")


def _regions(
    into: Collector,
    path: Path,
    image: ImageFile,
    held: Mapping[str, Any],
    labels: Mapping[str, str],
) -> tuple[Region, ...]:
    """Returns the regions of texts, blobs and arrows, and lists their faults."""
    regions = NativeRegions(image)
    for section, field in (("text", "rectangle"), ("blobs", "polygon"), ("arrows", "polygon")):
        for name, entry in _section(held, section).items():
            regions.add(name, labels.get(name, ""), box_of_points(entry.get(field)))
    return regions.finish(into, path)
