"""Pictures opened: of any size up to a stated one, large ones read within a sane amount of memory.

Pillow refuses what is larger than 179 million pixels, for a small file may hold it to take all
memory there is. Here pictures are a user's own, so more is read: one large picture at a time, and
made smaller strip by strip.
"""

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.Image import Image

MOST_PIXELS = 400_000_000
"""The largest picture that is read: Pillow holds it in 4 bytes a pixel, 1.6 GB."""
LARGE_PIXELS = 40_000_000
"""From so many pixels on a picture is matched and shown from a smaller copy of it."""
STRIP = 64
"""Rows of the smaller copy that are made at a time."""
DECODING = Lock()
"""Held while a large picture is decoded."""


class TooLargeError(ValueError):
    """A picture has more pixels than are read; the message goes on after the picture's name."""


@contextmanager
def open_image(file: Path | IO[bytes]) -> Iterator["Image"]:
    """Opens a picture as Pillow does: its header alone is read.

    Whatever else is done with it has to be done within the context.

    Raises:
        TooLargeError: If it has more than 400 million pixels.
        OSError: As `PIL.Image.open`, or another error that a decoder stumbles over.
    """
    from PIL import Image

    with _limit, Image.open(file) as image:
        width, height = image.size
        if width * height > MOST_PIXELS:
            raise TooLargeError(
                f"has {width:,} × {height:,} pixels, more than the {MOST_PIXELS // 10**6} million "
                "that are read; make a smaller copy of it"
            )
        yield image


def is_large(image: "Image") -> bool:
    """Tells whether a picture is matched and shown from a smaller copy."""
    return image.width * image.height > LARGE_PIXELS


def load(image: "Image") -> None:
    """Decodes all of a picture; of a large JPEG, which is then smaller, in little memory."""
    if not is_large(image):
        image.load()
        return
    with DECODING:
        image.draft(None, (1, 1))
        image.load()


def smaller_size(width: int, height: int, side: int) -> tuple[int, int]:
    """Returns width and height of a copy whose longer side has so many pixels."""
    shrink = side / max(width, height)
    return max(1, round(width * shrink)), max(1, round(height * shrink))


def read_smaller(image: "Image", side: int, convert: Callable[["Image"], "Image"]) -> "Image":
    """Returns a smaller copy of an opened picture in red, green and blue, each pixel a mean.

    Args:
        image: The picture, not decoded yet.
        side: The longer side of the copy in pixels.
        convert: Returns a strip of the picture in red, green and blue.
    """
    from PIL import Image

    columns, rows = smaller_size(*image.size, side)
    small = Image.new("RGB", (columns, rows))
    with DECODING:
        # A JPEG may be decoded at a part of its size; the last of its pixels may be a rest.
        drafted = image.draft(None, (2 * columns, 2 * rows))
        width, height = drafted[1][2:] if drafted else image.size
        image.load()
        for top in range(0, rows, STRIP):
            bottom = min(top + STRIP, rows)
            upper, lower = top * height / rows, bottom * height / rows
            first, last = math.floor(upper), min(math.ceil(lower), image.height)
            strip = convert(image.crop((0, first, image.width, last)))
            box = (0, upper - first, width, min(lower - first, strip.height))
            size = columns, bottom - top
            small.paste(strip.resize(size, Image.Resampling.BOX, box), (0, top))
    return small


class _Limit:
    """Lifts Pillow's limit while anybody is within; its own is one for all threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._within = 0
        self._before: int | None = None

    def __enter__(self) -> None:
        from PIL import Image

        with self._lock:
            if self._within == 0:
                self._before, Image.MAX_IMAGE_PIXELS = Image.MAX_IMAGE_PIXELS, None
            self._within += 1

    def __exit__(self, *error: object) -> None:
        from PIL import Image

        with self._lock:
            self._within -= 1
            if self._within == 0:
                Image.MAX_IMAGE_PIXELS = self._before


_limit = _Limit()
