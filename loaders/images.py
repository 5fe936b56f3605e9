"""Joining a user's copies of the sources to DRAGON's records, which hold no pictures."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from benchloom.builders.errors import InputError

if TYPE_CHECKING:
    from datasets import Dataset, DatasetDict

    from benchloom.builders.dragon.copies import Copies

    Roots = str | os.PathLike[str] | Mapping[str, str | os.PathLike[str]]

SHOWN = 5
"""How many pictures that lack are named when they are printed."""
ORIENTATION = 0x0112
"""The number of a field of EXIF: how a picture is to be turned when it is shown."""


class Attached(NamedTuple):
    """A dataset with its pictures.

    Attributes:
        dataset: The records with the new column; its picture is None where it is not at hand.
        missing: A sentence for each picture that is not there.
        different: A sentence for each file that is not the picture that was annotated, or that
            cannot be decoded, as one of more pixels than Pillow takes.
    """

    dataset: Any
    missing: list[str]
    different: list[str]


def attach_images(
    dataset: Dataset | DatasetDict,
    root: Roots,
    *,
    column: str = "image",
    drop: bool = False,
    quiet: bool = False,
) -> Attached:
    """Returns DRAGON's records with the pictures of a user's copies, and which could not be joined.

    A picture is joined when its file has the size and the SHA-256 that the record states. It comes
    as RGB, with white where it is transparent, its pixels as they are stored, so that boxes (xywh
    in pixels, x to the right, y down, from the top left corner) fit. No file is copied but those
    that have to be converted for this.

    Pictures are decoded when they are asked for, by Pillow, which refuses more than twice
    `PIL.Image.MAX_IMAGE_PIXELS`, 179 million pixels as it comes: such pictures are not joined
    unless that is set higher, before this and wherever the dataset is used.

    Args:
        dataset: A split, or several by name, as `datasets.load_dataset` gives them.
        root: The copy of one source; a folder with several in folders named `chartqa`, `mapwise`
            and so on; a working folder; or a mapping of sources to their copies.
        column: The name of the new column.
        drop: Leaves out the records whose picture is not at hand.
        quiet: Prints nothing; otherwise a summary goes to stderr.

    Raises:
        InputError: If the dataset is not DRAGON's, streams, or has such a column already, or no
            copy of a source is found in `root`.
    """
    from datasets import Dataset, DatasetDict

    from benchloom.builders.dragon.copies import Copies

    parts = dataset if isinstance(dataset, DatasetDict) else {"": dataset}
    for part in parts.values():
        if not isinstance(part, Dataset):
            raise InputError("pictures are attached to a dataset that was loaded without streaming")
        lacking = [name for name in ("source", "image_ref") if name not in part.column_names]
        if lacking:
            raise InputError(f"this is no dataset of DRAGON: it has no {' and no '.join(lacking)}")
        if column in part.column_names:
            raise InputError(f"there is a column {column!r} already; name another one")
    if isinstance(root, Mapping):
        copies = Copies({name: Path(folder) for name, folder in root.items()})
    else:
        copies = Copies.at(Path(root))
    join = _Join(copies)
    joined = {name: join.attach(part, column, drop) for name, part in parts.items()}
    if not quiet:
        join.report()
    whole = DatasetDict(joined) if isinstance(dataset, DatasetDict) else joined[""]
    return Attached(whole, join.missing, join.different)


class _Join:
    """Looks at each picture once, however many records refer to it."""

    def __init__(self, copies: Copies) -> None:
        self._copies = copies
        self._found: dict[tuple[Any, ...], dict[str, Any] | None] = {}
        self.missing: list[str] = []
        self.different: list[str] = []

    def attach(self, part: Dataset, column: str, drop: bool) -> Dataset:
        """Returns records with the column."""
        import pyarrow as pa
        from datasets import Image

        names, refs = part["source"], part["image_ref"]
        images = [self._find(*pair) for pair in zip(names, refs, strict=True)]
        if drop:
            kept = [place for place, image in enumerate(images) if image is not None]
            part, images = part.select(kept), [images[place] for place in kept]
        typed = pa.array(images, pa.struct([("bytes", pa.binary()), ("path", pa.string())]))
        added = part.add_column(column, typed)
        return added.cast_column(column, Image(mode="RGB"))

    def report(self) -> None:
        """Prints how many pictures were joined, and what is wrong with some of the others."""
        there = sum(image is not None for image in self._found.values())
        print(
            f"{there:,} of {len(self._found):,} pictures attached, {len(self.missing):,} missing, "
            f"{len(self.different):,} different",
            file=sys.stderr,
        )
        for faults in (self.missing, self.different):
            for fault in faults[:SHOWN]:
                print(f"  {fault}", file=sys.stderr)
            if more := len(faults[SHOWN:]):
                print(f"  ... and {more:,} more", file=sys.stderr)

    def _find(self, name: str, ref: Mapping[str, Any]) -> dict[str, Any] | None:
        key = (name, *(ref[field] for field in sorted(ref)))
        if key not in self._found:
            self._found[key] = self._look(name, ref)
        return self._found[key]

    def _look(self, name: str, ref: Mapping[str, Any]) -> dict[str, Any] | None:
        picture = self._copies.look(name, ref)
        if picture.path is None:
            (self.missing if picture.state == "missing" else self.different).append(picture.reason)
            return None
        if reason := _refusal(ref["width"] * ref["height"]):
            self.different.append(f"{picture.path} {reason}")
            return None
        try:
            return {"bytes": _converted(picture.path), "path": str(picture.path.resolve())}
        except (OSError, SyntaxError, ValueError) as error:  # whatever a decoder stumbles over
            self.different.append(f"{picture.path} cannot be decoded: {error}")
            return None


def _refusal(pixels: int) -> str:
    """Returns why Pillow would not decode a picture of so many pixels; empty if it would."""
    from PIL import Image

    limit = Image.MAX_IMAGE_PIXELS
    if limit is None or pixels <= 2 * limit:  # from once the limit on it warns
        return ""
    return (
        f"has {pixels:,} pixels, more than the {2 * limit:,} that Pillow decodes; to join it, set "
        f"PIL.Image.MAX_IMAGE_PIXELS = {pixels:_} first"
    )


def _converted(path: Path) -> bytes | None:
    """Returns a PNG of a picture that datasets would show otherwise than it was annotated.

    That is a transparent one, one of 16 bits a pixel, or one that its file says is to be turned.
    None for all others: their file is read when they are asked for.
    """
    from benchloom.builders.dragon.opening import open_image
    from benchloom.builders.dragon.picture import open_as_rgb

    with open_image(path) as image:
        turned = image.getexif().get(ORIENTATION, 1) != 1
        opaque = True
        if image.has_transparency_data:  # in many files it says that nothing is transparent
            alpha = image.convert("RGBA").getchannel("A")
            opaque = alpha.getextrema() == (255, 255)
        if opaque and not turned and not image.mode.startswith("I"):
            return None
    out = io.BytesIO()
    open_as_rgb(path).save(out, "PNG")
    return out.getvalue()
