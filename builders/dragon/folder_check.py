"""Tells a user whether a copy of a source is whole, before anything is built on it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchloom.builders.dragon.item import Item
from benchloom.builders.dragon.sources import Fault, Source
from benchloom.builders.dragon.sources.images import find_undecodable
from benchloom.builders.progress import Progress


@dataclass(frozen=True)
class SplitCount:
    """What was found of one part of a source.

    Attributes:
        split: The part.
        questions: Questions that can be used.
        images: Images that they are about.
        regions: Boxes that the source itself has for these images.
    """

    split: str
    questions: int
    images: int
    regions: int


@dataclass(frozen=True)
class FolderCheck:
    """What a folder of a source holds, and what is wrong with it.

    Attributes:
        root: The folder that the layout begins in.
        splits: What can be used, by part of the source.
        faults: What is missing, damaged or of an unknown layout.
        notes: What is left out or unusual, but is so in the source itself.
    """

    root: Path
    splits: tuple[SplitCount, ...]
    faults: tuple[Fault, ...]
    notes: tuple[str, ...]

    @property
    def questions(self) -> int:
        """Number of all questions that can be used."""
        return sum(split.questions for split in self.splits)

    @property
    def images(self) -> int:
        """Number of all images that these questions are about."""
        return sum(split.images for split in self.splits)

    def to_json(self, source: Source) -> dict[str, Any]:
        """Returns the check as plain JSON values, with the paper's counts beside those found."""
        return {
            "source": source.name,
            "folder": str(self.root),
            "questions": {"found": self.questions, "paper": source.paper_questions},
            "images": {"found": self.images, "paper": source.paper_images},
            "splits": [vars(split) for split in self.splits],
            "faults": [fault.to_json() for fault in self.faults],
            "notes": list(self.notes),
        }


def check_folder(source: Source, folder: Path, quiet: bool = False) -> FolderCheck:
    """Reads a copy of a source and decodes every image that a question is about.

    Args:
        source: Which source it is.
        folder: The folder that its layout begins in, or one with that folder in it.
        quiet: Whether to show no progress.

    Raises:
        InputError: If the folder is no such source.
    """
    reading = source.read(folder)
    usable, faults = drop_undecodable(reading.root, reading.items, quiet)
    return FolderCheck(reading.root, _count(usable), (*reading.faults, *faults), reading.notes)


def drop_undecodable(
    root: Path, items: Sequence[Item], quiet: bool = False
) -> tuple[list[Item], list[Fault]]:
    """Returns the items whose images can be decoded wholly, and a fault for each other image.

    Args:
        root: The folder that the layout of their source begins in.
        items: From that source.
        quiet: Whether to show no progress.
    """
    about = Counter(item.path for item in items)
    faults = []
    undecodable = set()
    with Progress(len(about), "images", quiet=quiet) as progress:
        for done, (path, wrong) in enumerate(find_undecodable(about), 1):
            if wrong:
                undecodable.add(path)
                faults.append(
                    Fault("damaged", path.relative_to(root).as_posix(), wrong, about[path])
                )
            progress.reach(done)
    return [item for item in items if item.path not in undecodable], faults


def _count(items: list[Item]) -> tuple[SplitCount, ...]:
    """Returns what there is of each split, in the order in which they first come."""
    questions = Counter(item.split for item in items)
    regions: dict[str, dict[Path, int]] = {split: {} for split in questions}
    for item in items:
        regions[item.split][item.path] = len(item.regions)
    return tuple(
        SplitCount(split, number, len(regions[split]), sum(regions[split].values()))
        for split, number in questions.items()
    )
