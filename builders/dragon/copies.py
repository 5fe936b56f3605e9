"""A user's copies of the sources, in which the pictures of records are found."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from benchloom.builders.dragon.sources import SOURCES, source
from benchloom.builders.dragon.sources.images import read_size
from benchloom.builders.dragon.sources.texts import is_plain
from benchloom.builders.dragon.work import FOLDERS, read_folders
from benchloom.builders.errors import InputError
from benchloom.builders.files import sha256_of


class Copies:
    """Copies of sources, by name.

    Attributes:
        folders: Where the layout of each source begins.

    Args:
        folders: The copy of each source: the folder that its layout begins in, or one with that
            folder in it.

    Raises:
        InputError: If a name is that of no source, or a folder is no copy of it.
    """

    def __init__(self, folders: Mapping[str, Path]) -> None:
        self.folders = {name: source(name).find_root(Path(at)) for name, at in folders.items()}
        self._seen: dict[tuple[Any, ...], Picture] = {}

    @classmethod
    def at(cls, root: Path) -> "Copies":
        """Returns the copies that a folder stands for.

        That is a working folder, which names them; a folder with a copy of each source in a folder
        of the source's name; or the copy of one source.

        Raises:
            InputError: If there is none.
        """
        if (root / FOLDERS).is_file():
            places = named = read_folders(root)
        else:
            named = {name: root / name for name in SOURCES if (root / name).is_dir()}
            places = {name: named.get(name, root) for name in SOURCES}
        found, faults = {}, []
        for name, folder in places.items():
            try:
                found[name] = source(name).find_root(folder)
            except InputError as error:  # a copy may have gone; the others are as good as before
                faults += [str(error)] if name in named else []
        if not found and faults:
            raise InputError(faults[0])
        if not found:
            raise InputError(
                f"{root} holds no copy of a source; name the copy of one of "
                f"{', '.join(SOURCES)}, or a folder with several in folders of these names"
            )
        return cls(found)

    @classmethod
    def named(cls, words: Iterable[str]) -> "Copies":
        """Returns the copies that words name: `SOURCE=FOLDER` each, or a folder as for `at`.

        Raises:
            InputError: If one names none.
        """
        folders: dict[str, Path] = {}
        for word in words:
            name, equals, folder = word.partition("=")
            if equals and name in SOURCES:
                folders[name] = Path(folder)
            else:
                folders |= cls.at(Path(word)).folders
        return cls(folders)

    def look(self, name: str, image_ref: Mapping[str, Any]) -> "Picture":
        """Returns where the picture of a record is, after a look at its size and SHA-256.

        Args:
            name: The record's source.
            image_ref: What the record refers to.
        """
        key = (name, *(image_ref[field] for field in ("split", "file_name", "sha256")))
        key += (image_ref["width"], image_ref["height"])
        if key not in self._seen:
            self._seen[key] = self._look(name, image_ref)
        return self._seen[key]

    def _look(self, name: str, image_ref: Mapping[str, Any]) -> "Picture":
        split, file_name = image_ref["split"], image_ref["file_name"]
        where = f"{name}/{split}/{file_name}"
        if name not in self.folders:
            return Picture("missing", f"{where}: no copy of {name} is at hand")
        if not (is_plain(split) and is_plain(file_name)):  # a record may come from anybody
            return Picture("missing", f"{where}: this can be no name of a file")
        try:
            path = source(name).find_image(self.folders[name], split, file_name)
            size = read_size(path)
            digest = sha256_of(path)
        except FileNotFoundError:
            return Picture("missing", f"{where}: {path} is not there")
        except (OSError, ValueError, InputError) as error:
            return Picture("different", f"{where}: {getattr(error, 'strerror', None) or error}")
        wanted = image_ref["width"], image_ref["height"]
        if size != wanted:
            return Picture(
                "different",
                f"{where}: {path} has {size[0]} × {size[1]} pixels, not {wanted[0]} × {wanted[1]}",
            )
        if digest != image_ref["sha256"]:
            return Picture(
                "different",
                f"{where}: {path} is another file of the same size (its SHA-256 is "
                f"{digest[:12]}..., not {image_ref['sha256'][:12]}...)",
            )
        return Picture("there", "", path)


@dataclass(frozen=True)
class Picture:
    """Whether the picture that a record refers to is at hand.

    Attributes:
        state: `there`, `missing`, or `different` from what was annotated.
        reason: What is wrong, as a sentence.
        path: Where it is, if it is there.
    """

    state: Literal["there", "missing", "different"]
    reason: str
    path: Path | None = None
