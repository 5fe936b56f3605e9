"""A record's picture with its evidence drawn on it, for people to look at."""

import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchloom.builders.dragon.opening import is_large, open_image, read_smaller
from benchloom.builders.errors import InputError
from benchloom.loaders.boxes import xyxy_from_xywh

if TYPE_CHECKING:
    from PIL.Image import Image

COLOURS = {"answer": "#12813c", "support": "#d1242f"}
"""Green for boxes that show the answer, red for what supports it."""
PAPER = "white"
SHOWN_SIDE = 4000
"""Longer side, in pixels, at which a large picture is shown to people."""


def open_as_rgb(path: Path, side: int | None = None) -> "Image":
    """Returns a picture as red, green and blue, its pixels where they are stored.

    What is transparent is white, as on a page; an orientation noted in the file turns nothing, for
    boxes are on the pixels as they are stored.

    Args:
        path: The picture.
        side: The longer side, in pixels, that a picture of more than 40 million pixels is shrunk
            to; None leaves it as it is.

    Raises:
        OSError: If it cannot be decoded, or ValueError, as for one that is too large.
    """
    with open_image(path) as image:
        if side is not None and is_large(image):
            return read_smaller(image, side, to_rgb)
        image.load()
        return to_rgb(image)


def to_rgb(image: "Image") -> "Image":
    """Returns a picture, or a part of one, as `open_as_rgb` does."""
    from PIL import Image

    if image.mode.startswith("I;16"):  # 16 bits a pixel, of which the upper ones are seen
        return image.convert("I").point(lambda value: value / 256).convert("L").convert("RGB")
    if not image.has_transparency_data:
        return image.convert("RGB")
    page = Image.new("RGBA", image.size, PAPER)
    return Image.alpha_composite(page, image.convert("RGBA")).convert("RGB")


def draw_evidence(
    path: Path, evidence: Sequence[Mapping[str, Any]], side: int | None = None
) -> bytes:
    """Returns a PNG of a picture with boxes: green for the answer, red for what supports it.

    Args:
        path: The picture.
        evidence: The boxes: id, label, role and bbox, xywh in pixels of the whole picture.
        side: As for `open_as_rgb`: boxes are drawn where they are on the smaller copy.

    Raises:
        InputError: If the picture cannot be decoded.
    """
    try:
        with open_image(path) as whole:
            width = whole.width
        image = open_as_rgb(path, side)
    except (OSError, SyntaxError, ValueError) as error:  # decoders raise what they stumble over
        raise InputError(f"{path} cannot be decoded: {error}") from None
    mark_evidence(image, evidence, image.width / width)
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def mark_evidence(image: "Image", evidence: Sequence[Mapping[str, Any]], scale: float) -> None:
    """Draws boxes on a picture: green for the answer, red for what supports it.

    Args:
        image: The picture, or a copy of another size.
        evidence: The boxes: id, label, role and bbox, xywh in pixels of the whole picture.
        scale: The copy's width over the picture's.
    """
    from PIL import ImageDraw, ImageFont

    pen = ImageDraw.Draw(image)
    thick = max(2, round(max(image.size) / 500))
    height = max(11, round(max(image.size) / 70))
    font = ImageFont.load_default(size=height)
    for one in sorted(evidence, key=lambda one: one["role"] == "answer"):  # on top
        colour = COLOURS[one["role"]]
        left, top, right, bottom = (scale * edge for edge in xyxy_from_xywh(one["bbox"]))
        # Around the box: the frame's inner edge is the box's.
        frame = (left - thick, top - thick, right + thick - 1, bottom + thick - 1)
        pen.rectangle(frame, outline=colour, width=thick)
        words = f"{one['id']} {one['label']}".strip()
        at = (max(left - thick, 0), max(top - thick, height + 2))
        pen.text(at, words, colour, font, anchor="ls", stroke_width=2, stroke_fill=PAPER)
