"""What the page for templates shows and saves: one image, one template of a file."""

import hashlib
import json
import threading
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchloom.builders.dragon.sources.images import find_undecodable, read_size
from benchloom.builders.dragon.template_file import TemplateFile
from benchloom.builders.dragon.template_formats import PAGE_WORDS
from benchloom.builders.dragon.templates import Template, TemplateImage, find_repeated_labels
from benchloom.builders.errors import InputError
from benchloom.builders.files import sha256_of


class TemplateSession:
    """A session in which a person draws a template; may be used from several threads.

    Attributes:
        id: The template's name.
        page: The file of the page.
    """

    page = "template.html"

    def __init__(self, image: Path, file: TemplateFile, name: str | None = None) -> None:
        """Looks at the image, and for the template that is gone on with.

        Args:
            image: The image.
            file: Where the template is saved.
            name: What it is called. None takes the template of the file that was drawn on this
                image, else the name of the image.

        Raises:
            InputError: If the image or the file cannot be used, or the name is another template's.
        """
        self._path = image
        self._file = file
        self._lock = threading.Lock()
        self._image = _look_at(image, file.path)
        templates = file.read()
        self.id = name if name is not None else _name(templates, self._image, file.path)
        if not self.id.strip() or "#" in self.id:  # transfer takes FILE#NAME
            raise InputError(f"a template cannot be called {self.id!r}; choose another --name")
        mine = next((one for one in templates if one.id == self.id), None)
        if mine is not None and not _is_of(mine, self._image):
            raise InputError(
                f"{file.path}: its template {self.id!r} was drawn on another image "
                f"({mine.image.file_name}); choose another --name"
            )
        if mine is not None:
            self._image = replace(self._image, file_name=mine.image.file_name)

    def __len__(self) -> int:
        """Returns the number of regions that are saved."""
        mine = self._mine()
        return len(mine.regions) if mine else 0

    def progress(self) -> str:
        """Returns how far the template is, and what there is to say of it, a line each."""
        mine = self._mine()
        lines = [f"template {self.id!r} of {self._file.path}: {len(self):,} regions"]
        return "\n".join(
            lines + [f"note: {one}" for one in find_repeated_labels(mine)] if mine else lines
        )

    def overview(self) -> dict[str, Any]:
        """Returns the template's name, its file and the labels of pages, as JSON values."""
        return {
            "id": self.id,
            "file": str(self._file.path),
            "others": [one.id for one in self._file.read() if one.id != self.id],
            "page_words": sorted(PAGE_WORDS),
        }

    def describe(self, name: str) -> dict[str, Any]:
        """Returns the template as it is saved, as JSON values.

        Raises:
            InputError: If it is another template, or the file cannot be read.
        """
        self._check_name(name)
        mine = self._mine()
        value = mine.to_json() if mine else {"regions": [], "mask": []}
        return {
            "id": self.id,
            "image": asdict(self._image),
            "regions": value["regions"],
            "mask": value["mask"],
            "base": _digest(mine),
        }

    def picture(self, name: str) -> Path:
        """Returns the path of the image.

        Raises:
            InputError: If another image is asked for, or it is missing or has changed.
        """
        self._check_name(name)
        try:
            same = sha256_of(self._path) == self._image.sha256
        except OSError:
            raise InputError(f"the image is missing: {self._path}") from None
        if not same:
            raise InputError(f"the image has changed since the page was opened: {self._path}")
        return self._path

    def save(self, value: Mapping[str, Any]) -> dict[str, Any]:
        """Writes the template into its file and returns when, and what the next save is based on.

        Args:
            value: JSON values: item, base, regions and mask.

        Raises:
            InputError: If it cannot be saved; the message is for the person who draws.
        """
        self.picture(str(value.get("item")))
        image = asdict(self._image)
        drawn = {name: value.get(name) or [] for name in ("regions", "mask")}
        template = Template.from_json({"id": self.id, "image": image, **drawn})
        if any(not region.id for region in template.regions):
            raise InputError(f"template {self.id!r}: a region has no id")
        with self._lock:
            before = self._mine()
            if before is not None:  # of the same image; what the page does not show stays
                template = replace(template, gate=before.gate)
            if template != before and value.get("base") != _digest(before):
                raise InputError(
                    f"template {self.id!r} was changed elsewhere; load the page again to go on "
                    "from there"
                )
            if template != before:
                self._file.put(template)
        return {"time": datetime.now(UTC).isoformat(), "base": _digest(template)}

    def _mine(self) -> Template | None:
        return next((one for one in self._file.read() if one.id == self.id), None)

    def _check_name(self, name: str) -> None:
        if name != self.id:
            raise InputError(f"there is no template {name!r} on this page")


def _look_at(path: Path, file: Path) -> TemplateImage:
    """Returns what identifies an image; its name is its path from the file's folder, if below."""
    for _, fault in find_undecodable([path]):
        if fault:
            raise InputError(f"{path}: {fault}")
    here, there = path.resolve(), file.parent.resolve()
    name = here.relative_to(there).as_posix() if here.is_relative_to(there) else path.name
    return TemplateImage(name, sha256_of(path), *read_size(path))


def _is_of(template: Template, image: TemplateImage) -> bool:
    """Tells whether a template was drawn on an image; without a digest its name and size tell."""
    if template.image.sha256:
        return template.image.sha256 == image.sha256
    names = [Path(one.file_name).name for one in (template.image, image)]
    size = image.width, image.height
    return names[0] == names[1] and (template.image.width, template.image.height) == size


def _name(templates: Sequence[Template], image: TemplateImage, file: Path) -> str:
    found = [one.id for one in templates if _is_of(one, image)]
    if len(found) > 1:
        raise InputError(
            f"{file}: {', '.join(found)} were all drawn on this image; choose one by --name"
        )
    return found[0] if found else Path(image.file_name).stem


def _digest(template: Template | None) -> str:
    """Returns what tells whether a template was changed."""
    value = template.to_json() if template else None
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()
