"""Gathers items while a source is read, and everything that is wrong with its folder."""

import csv
import hashlib
import io
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchloom.builders.dragon.item import ImageFile, Item
from benchloom.builders.dragon.regions import Region
from benchloom.builders.dragon.sources.images import read_size
from benchloom.builders.dragon.sources.reading import Fault, FaultKind, SourceReading
from benchloom.builders.dragon.sources.texts import count, is_plain


@dataclass
class Collector:
    """Gathers what a reader finds; no method of it raises for what a folder holds.

    Attributes:
        source: The source's name.
        root: The folder that its layout begins in.
    """

    source: str
    root: Path
    _items: dict[str, Item] = field(default_factory=dict)
    _faults: list[Fault] = field(default_factory=list)
    _notes: list[str] = field(default_factory=list)
    _images: dict[Path, ImageFile | Fault] = field(default_factory=dict)
    _lost: Counter[Path] = field(default_factory=Counter)
    _lacking: set[Path] = field(default_factory=set)
    _repeated: int = 0

    def fault(self, kind: FaultKind, path: Path, reason: str, questions: int = 0) -> None:
        """Lists a fault of a file or folder."""
        self._faults.append(Fault(kind, self._relative(path), reason, questions))

    def miss(self, path: Path, lost: str) -> None:
        """Lists a file that is not there; where its whole folder is not, the folder, once."""
        folder = path.parent
        if folder.is_dir():
            self.fault("missing", path, f"the file is missing; {lost}")
        elif folder not in self._lacking:
            self._lacking.add(folder)
            self.fault("missing", folder, f"the folder is missing; {lost}")

    def note(self, sentence: str) -> None:
        """Keeps a remark on something that is as it should be."""
        self._notes.append(sentence)

    def read_json(
        self, path: Path, shape: type, lost: str = "it is left out", keep_nan: bool = False
    ) -> Any:
        """Returns what a JSON file holds, or None after listing why it cannot be had.

        NaN, which some sources write although JSON has no such thing, is read as null.

        Args:
            path: The file.
            shape: What it must hold, list or dict.
            lost: What is done without it, for the fault.
            keep_nan: Whether NaN is read as a number that is none, where null says something.
        """
        data = self._read_bytes(path, lost)
        if data is None:
            return None
        constant = float if keep_nan else lambda name: None
        try:
            value = json.loads(data.decode("utf-8-sig"), parse_constant=constant)
        except UnicodeDecodeError as error:
            self.fault("damaged", path, f"{_no_text(error)}; {lost}")
        except json.JSONDecodeError as error:
            self.fault("damaged", path, f"no JSON from line {error.lineno} on; {lost}")
        except (ValueError, RecursionError):  # a number of thousands of digits, a deep nest
            self.fault("damaged", path, f"JSON that cannot be read; {lost}")
        else:
            if isinstance(value, shape):
                return value
            wanted = "a list" if shape is list else "an object"
            self.fault("unknown", path, f"holds no JSON that is {wanted}; {lost}")
        return None

    def read_csv(
        self, path: Path, columns: Iterable[str], lost: str = "it is left out"
    ) -> list[dict[str, str | None]] | None:
        """Returns the rows of a CSV file, or None after listing why they cannot be had.

        An empty cell is an empty text; a row that is too short has None at its end. One that is
        too long is listed and left out: nobody knows which of its cells is which.

        Args:
            path: The file.
            columns: Those that it must have.
            lost: What is done without it, for the fault.
        """
        data = self._read_bytes(path, lost)
        if data is None:
            return None
        try:
            rows = csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline=""))
            found = list(rows.fieldnames or ())
            lines, too_long = [], []
            for row in rows:
                if rows.restkey in row:
                    too_long.append(rows.line_num)
                else:
                    lines.append({name: row[name] for name in found})
        except UnicodeDecodeError as error:
            self.fault("damaged", path, f"{_no_text(error)}; {lost}")
            return None
        except csv.Error as error:
            self.fault("damaged", path, f"no CSV ({error}); {lost}")
            return None
        if absent := [name for name in columns if name not in found]:
            self.fault(
                "unknown",
                path,
                f"has no column {' and no '.join(absent)}, only {', '.join(found) or 'none'}; "
                f"{lost}",
            )
            return None
        for number in too_long:
            reason = f"line {number} has more cells than there are columns"
            self.fault("damaged", path, reason, 1)
        return lines

    def read_lines(self, path: Path, lost: str = "it is left out") -> list[str] | None:
        """Returns the lines of a text file, or None after listing why they cannot be had."""
        data = self._read_bytes(path, lost)
        try:
            return None if data is None else data.decode("utf-8-sig").splitlines()
        except UnicodeDecodeError as error:
            self.fault("damaged", path, f"{_no_text(error)}; {lost}")
            return None

    def image(self, folder: Path, split: str, file_name: str) -> ImageFile | None:
        """Returns a picture for one question, or None: then this question is counted as lost.

        Args:
            folder: Where the file name begins; it may be missing.
            split: The part of the source.
            file_name: A plain name, or one with folders of the source before it.
        """
        path = folder / file_name if is_plain(file_name) else self.root / repr(file_name)
        if path not in self._images:
            self._images[path] = self._open(path, split, file_name)
        image = self._images[path]
        if isinstance(image, Fault):
            self._lost[path] += 1
            return None
        return image

    def add(
        self,
        image: ImageFile,
        question: str,
        answer: str,
        *,
        question_id: str = "",
        key: Iterable[str] = (),
        choices: Iterable[str] = (),
        regions: tuple[Region, ...] = (),
        details: Mapping[str, Any] | None = None,
    ) -> None:
        """Adds an item; one that is there already, word for word, is only counted.

        Args:
            image: Its picture.
            question: What is asked.
            answer: The right answer.
            question_id: The source's own. Without one it is made of the picture's name, and a
                digest of name, question, answer and `key`, so that it does not depend on what
                else is in the folder.
            key: What tells apart two questions of equal words.
            choices: What the answer was chosen from.
            regions: The boxes of the picture.
            details: What else is known.
        """
        if not question_id:
            text = "\x1f".join((image.file_name, question, answer, *key))
            digest = hashlib.blake2b(text.encode(), digest_size=5).hexdigest()
            stem = image.file_name.rpartition(".")[0].replace("/", "-")
            question_id = f"{stem}-{digest}"
        item = Item(
            id=f"{self.source}-{image.split}-{question_id}",
            source=self.source,
            split=image.split,
            question_id=question_id,
            question=question,
            answer=answer,
            choices=tuple(choices),
            image_file=image,
            regions=regions,
            details=dict(details or {}),
        )
        before = self._items.setdefault(item.id, item)
        if (before.question, before.answer, before.path) != (question, answer, image.path):
            reason = f"has question id {question_id}, which another question has, too"
            self.fault("damaged", image.path, reason, 1)
        elif before is not item:
            self._repeated += 1

    def note_unused(self, folder: Path, *endings: str) -> None:
        """Notes how many pictures of a folder no question is about; to be called at the end."""
        names = folder.iterdir() if folder.is_dir() else ()
        paths = [
            path for path in names if path.suffix.casefold() in endings and path not in self._images
        ]
        if paths:
            verb = "has" if len(paths) == 1 else "have"
            self.note(f"{self._relative(folder)}: {count(len(paths), 'image')} {verb} no question")

    def reading(self) -> SourceReading:
        """Returns everything that was gathered; pictures that lack come last among the faults."""
        if self._repeated:
            self.note(
                f"{count(self._repeated, 'question')} given a second time, word for word: left out"
            )
        faults = [*self._faults, *self._image_faults()]
        return SourceReading(
            self.root, tuple(self._items.values()), tuple(faults), tuple(self._notes)
        )

    def _image_faults(self) -> list[Fault]:
        """Returns a fault for each picture that cannot be had, one for all of a lacking folder."""
        found: dict[Path, list[tuple[Fault, int]]] = {}
        for path, image in self._images.items():
            if isinstance(image, Fault):
                lacks = image.kind == "missing" and not path.parent.is_dir()
                found.setdefault(path.parent if lacks else path, []).append(
                    (image, self._lost[path])
                )
        faults = []
        for path, those in found.items():
            lost = sum(questions for _, questions in those)
            if path not in self._images:
                reason = f"the folder is missing, and with it {count(len(those), 'image')}"
                faults.append(Fault("missing", self._relative(path), reason, lost))
            else:
                fault = those[0][0]
                faults.append(Fault(fault.kind, fault.where, fault.reason, lost))
        return faults

    def _open(self, path: Path, split: str, file_name: str) -> ImageFile | Fault:
        where = self._relative(path)
        if not is_plain(file_name):
            return Fault("damaged", file_name or "(no name)", "cannot be the name of an image")
        try:
            size = read_size(path)
        except FileNotFoundError:
            return Fault("missing", where, "the image is missing")
        except ValueError as error:
            return Fault("damaged", where, str(error))
        return ImageFile(path, split, file_name, *size)

    def _read_bytes(self, path: Path, lost: str) -> bytes | None:
        try:
            return path.read_bytes()
        except FileNotFoundError:
            self.miss(path, lost)
        except OSError as error:
            self.fault("damaged", path, f"cannot be read ({error.strerror}); {lost}")
        return None

    def _relative(self, path: Path) -> str:
        return path.relative_to(self.root).as_posix()


def _no_text(error: UnicodeDecodeError) -> str:
    """Returns where a file is no text."""
    line = error.object.count(b"\n", 0, error.start) + 1
    return (
        f"line {line:,} is no UTF-8 text (byte 0x{error.object[error.start]:02x}): save it as UTF-8"
    )
