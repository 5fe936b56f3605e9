"""One question about one diagram, as every source gives it."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from benchloom.builders.dragon.regions import Region
from benchloom.builders.errors import InputError
from benchloom.builders.files import sha256_of


@dataclass(frozen=True)
class ImageRef:
    """What identifies a picture of a source without holding it.

    Attributes:
        split: The part of the source that it is in, by the source's own name.
        file_name: Its name there, with `/` where the source has folders below the part.
        sha256: Of the bytes of its file, hexadecimal.
        width: In pixels, as they are stored: an orientation noted in the file turns nothing.
        height: In pixels.
    """

    split: str
    file_name: str
    sha256: str
    width: int
    height: int

    def to_json(self) -> dict[str, Any]:
        """Returns the reference as plain JSON values."""
        return {
            "split": self.split,
            "file_name": self.file_name,
            "sha256": self.sha256,
            "width": self.width,
            "height": self.height,
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "ImageRef":
        """Returns the reference that `to_json` wrote.

        Raises:
            InputError: If a field is missing or is not what it should be.
        """
        try:
            texts = [value[name] for name in ("split", "file_name", "sha256")]
            sizes = [value[name] for name in ("width", "height")]
        except KeyError as error:
            raise InputError(f"an image reference has no field {error.args[0]!r}") from None
        if not all(isinstance(text, str) for text in texts):
            raise InputError("the split, file_name and sha256 of an image must be texts")
        if not all(type(size) is int and size > 0 for size in sizes):
            raise InputError("the width and height of an image must be whole numbers from 1 up")
        return cls(*texts, *sizes)


@dataclass(frozen=True)
class ImageFile:
    """A picture in a user's copy of a source, shared by all questions about it.

    Attributes:
        path: Where it is.
        split: The part of the source that it is in.
        file_name: Its name there.
        width: In pixels.
        height: In pixels.
    """

    path: Path
    split: str
    file_name: str
    width: int
    height: int

    @classmethod
    def at(cls, path: Path, ref: ImageRef) -> "ImageFile":
        """Returns the file at a path, which is taken to be the picture that is referred to."""
        file = cls(path, ref.split, ref.file_name, ref.width, ref.height)
        vars(file)["ref"] = ref  # where cached_property looks first
        return file

    @cached_property
    def ref(self) -> ImageRef:
        """The reference to it; the file is read for it once, when it is first asked for.

        Raises:
            InputError: If the file cannot be read any more.
        """
        try:
            digest = sha256_of(self.path)
        except OSError as error:
            raise InputError(f"{self.path} cannot be read: {error.strerror}") from None
        return ImageRef(self.split, self.file_name, digest, self.width, self.height)


@dataclass(frozen=True)
class Item:
    """One question about one diagram.

    Attributes:
        id: Unique over all sources: source, split and question id, joined by `-`.
        source: The name of the source, a key of SOURCES.
        split: The part of the source that it is in, by the source's own name.
        question_id: The source's own, or made of image, question and answer where it has none.
        question: What is asked.
        answer: The right answer; of several that the source allows, the first.
        choices: What the answer was chosen from; empty where the question is an open one.
        image_file: The picture.
        regions: The boxes that the source itself has for the picture; empty for maps.
        details: What else the source says of the question or the picture, as JSON values.
    """

    id: str
    source: str
    split: str
    question_id: str
    question: str
    answer: str
    choices: tuple[str, ...]
    image_file: ImageFile
    regions: tuple[Region, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)

    @property
    def image(self) -> ImageRef:
        """The reference to the picture; hashes its file when it is first asked for."""
        return self.image_file.ref

    @property
    def asked(self) -> str:
        """A digest of what is asked: question, answer and choices.

        It tells whether a source has corrected them since somebody decided about the item.
        """
        told = json.dumps([self.question, self.answer, list(self.choices)])
        return hashlib.blake2b(told.encode(), digest_size=16).hexdigest()

    @property
    def path(self) -> Path:
        """Where the picture is in the user's copy."""
        return self.image_file.path

    def to_json(self) -> dict[str, Any]:
        """Returns the item as plain JSON values, without the path."""
        return {
            "id": self.id,
            "source": self.source,
            "split": self.split,
            "question_id": self.question_id,
            "question": self.question,
            "answer": self.answer,
            "choices": list(self.choices),
            "image": self.image.to_json(),
            "regions": [region.to_json() for region in self.regions],
            "details": dict(self.details),
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any], path: Path) -> "Item":
        """Returns the item that `to_json` wrote, with its picture at a path.

        Raises:
            InputError: If a field is missing or is not what it should be.
        """
        names = ("id", "source", "split", "question_id", "question", "answer")
        try:
            texts = [value[name] for name in names]
            choices, details = value["choices"], value["details"]
            image, regions = value["image"], value["regions"]
        except KeyError as error:
            raise InputError(f"an item has no field {error.args[0]!r}") from None
        if not all(isinstance(text, str) for text in texts):
            raise InputError(f"item {texts[0]!r}: {', '.join(names)} must be texts")
        if not (isinstance(image, dict) and isinstance(details, dict)):
            raise InputError(f"item {texts[0]!r}: image and details must be objects")
        if not (isinstance(choices, list) and isinstance(regions, list)):
            raise InputError(f"item {texts[0]!r}: choices and regions must be lists")
        id_, source, split, question_id, question, answer = texts
        return cls(
            id_,
            source,
            split,
            question_id,
            question,
            answer,
            choices=tuple(choices),
            image_file=ImageFile.at(path, ImageRef.from_json(image)),
            regions=tuple(Region.from_json(region) for region in regions),
            details=details,
        )
