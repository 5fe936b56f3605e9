"""What a source must offer, and the table of all sources."""

from abc import ABC, abstractmethod
from pathlib import Path
from typing import ClassVar

from benchloom.builders.dragon.sources.collector import Collector
from benchloom.builders.dragon.sources.reading import SourceReading
from benchloom.builders.errors import InputError
from benchloom.builders.registry import lookup


class Source(ABC):
    """One of the datasets that DRAGON draws from: how a user's copy of it is read.

    Attributes:
        name: Its name on the command line and in records.
        title: Its name in the paper.
        paper_questions: How many of its questions are in the paper's benchmark (Table 1).
        paper_images: How many of its images are.
        layout: What a folder of it holds, as the end of a sentence.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    paper_questions: ClassVar[int]
    paper_images: ClassVar[int]
    layout: ClassVar[str]

    @abstractmethod
    def recognises(self, folder: Path) -> bool:
        """Tells whether the layout of the source begins in a folder, at a glance."""

    @abstractmethod
    def collect(self, into: Collector) -> None:
        """Reads everything in the folder of a collector into it."""

    @abstractmethod
    def find_image(self, root: Path, split: str, file_name: str) -> Path:
        """Returns where an image is in the folder that the layout begins in, if it is there."""

    def renames_places(self, split: str) -> bool:
        """Tells whether maps of a part of the source call places by other names than theirs."""
        return False

    def read(self, folder: Path) -> SourceReading:
        """Returns the items of a user's copy in a fixed order, and all that is wrong with it.

        Of each image only the header is read; it is hashed when an item is asked for its image.

        Args:
            folder: The folder that the layout begins in, or one with that folder in it.

        Raises:
            InputError: If the folder is no such source.
        """
        into = Collector(self.name, self.find_root(folder))
        self.collect(into)
        return into.reading()

    def find_root(self, folder: Path) -> Path:
        """Returns the folder that the layout begins in: the one given, or the only one in it.

        Raises:
            InputError: If there is none, or if several are in it.
        """
        try:
            if not folder.is_dir():
                raise InputError(f"{folder} is no folder")
            if self.recognises(folder):
                return folder
            inner = [path for path in subfolders(folder) if self.recognises(path)]
        except OSError as error:
            raise InputError(f"{folder} cannot be read: {error.strerror}") from None
        if not inner:
            raise InputError(f"{folder} is no copy of {self.title}, which holds {self.layout}")
        if len(inner) > 1:
            raise InputError(
                f"{folder} holds several copies of {self.title}: "
                f"name one of {', '.join(path.name for path in inner)}"
            )
        return inner[0]


SOURCES: dict[str, type[Source]] = {}
"""The sources by name."""


def source(name: str) -> Source:
    """Returns a source.

    Raises:
        InputError: If there is none of that name.
    """
    return lookup(SOURCES, name, "source")()


def subfolders(folder: Path) -> list[Path]:
    """Returns the folders in a folder, those with a dot before their names left out, sorted."""
    found = [path for path in folder.iterdir() if path.is_dir() and path.name[0] != "."]
    return sorted(found, key=lambda path: path.name)
