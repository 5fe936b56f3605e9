"""Where the images of templates are: in the user's copy of the source."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchloom.builders.dragon.sources.images import read_size
from benchloom.builders.dragon.templates import Template
from benchloom.builders.errors import InputError
from benchloom.builders.files import sha256_of


class MissingImageError(InputError):
    """The image of a template is nowhere; other templates may have theirs."""


@dataclass(frozen=True)
class ImageFinder:
    """Finds the images that files of templates refer to.

    An image is looked for by its path, beside the file of templates and in the folder of images,
    then by its name anywhere in that folder.

    Attributes:
        file: The file of templates.
        folder: The folder of images.
        images: The paths of all images in the folder, relative to it.
    """

    file: Path
    folder: Path
    images: Sequence[str]

    def find(self, file_name: str, sha256: str = "") -> Path:
        """Returns the path of an image.

        Args:
            file_name: What it is called, perhaps with folders.
            sha256: What its bytes must be, "" where nothing is known of them.

        Raises:
            InputError: If it is not found, if only other images are, or several that it may be.
        """
        paths = [base / file_name for base in (self.file.parent, self.folder)]
        found = [path for path in paths if path.is_file()]
        name = Path(file_name).name
        if sha256 or not found:
            found += [self.folder / path for path in self.images if Path(path).name == name]
            found = [path for path in found if path.is_file()]
        found = list({path.resolve(): path for path in found}.values())
        if not found:
            raise MissingImageError(
                f"{self.file}: the template's image {file_name} is neither beside the file nor in "
                f"{self.folder}"
            )
        if sha256:
            found = [path for path in found if sha256_of(path) == sha256]
            if not found:
                raise InputError(
                    f"{self.file}: {file_name} in {self.folder} is not the image that the template "
                    f"was drawn on (its SHA-256 is another)"
                )
        elif len(found) > 1 and found[0] not in paths:
            raise InputError(
                f"{self.file}: {file_name} may be {found[0]} or {found[1]}; write its path into "
                "the file"
            )
        return found[0]

    def read_size(self, file_name: str) -> tuple[int, int]:
        """Returns width and height of an image in pixels.

        Raises:
            InputError: If it is not found, or is no image.
        """
        return self._read_size(self.find(file_name))

    def _read_size(self, path: Path) -> tuple[int, int]:
        try:
            return read_size(path)
        except (OSError, ValueError) as error:
            raise InputError(f"{self.file}: the template's image {path}: {error}") from None

    def identify(self, template: Template) -> tuple[Template, Path]:
        """Returns a template whose image is known by its SHA-256, and where that image is.

        Raises:
            InputError: If it is not found, or is not the one that was drawn on.
        """
        stated = template.image
        path = self.find(stated.file_name, stated.sha256)
        size = self._read_size(path)
        if size != (stated.width, stated.height):
            raise InputError(
                f"{self.file}: template {template.id!r} was drawn on an image of {stated.width} × "
                f"{stated.height} pixels, but {path} has {size[0]} × {size[1]}"
            )
        return replace(template, image=replace(stated, sha256=sha256_of(path))), path
