"""Texts and names as sources write them."""

import math
import re
from typing import Any


def text_of(value: Any) -> str:
    """Returns a cell or JSON value as a text without blanks at its ends; "" for none.

    A number is written out; what is no text and no finite number counts as none.
    """
    if isinstance(value, str):
        # Half of a surrogate pair, which JSON can hold, could be written nowhere.
        return value.strip().encode(errors="replace").decode()
    return str(value) if is_text(value) else ""


def is_text(value: Any) -> bool:
    """Tells whether a JSON value is a text, empty or not, or a number that can stand for one."""
    if isinstance(value, bool):
        return False
    return isinstance(value, str | int) or (isinstance(value, float) and math.isfinite(value))


def count(number: int, one: str, many: str = "") -> str:
    """Returns a number and a noun: "1 image", "2,000 images"."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def natural_key(name: str) -> tuple[list[tuple[int, str]], str]:
    """Returns a key that sorts names as people do: 2.png before 10.png."""
    parts = re.split(r"([0-9]+)", name)
    for number in range(1, len(parts), 2):
        parts[number] = parts[number].lstrip("0")
    # Of two numbers the longer one is the larger one. Every second part is a number.
    return [(len(part) * (place % 2), part) for place, part in enumerate(parts)], name


def is_plain(name: str) -> bool:
    """Tells whether a name, with folders or not, can be one of a file below some folder.

    There is room for an ending: file systems allow 255 bytes between two slashes.
    """
    parts = name.split("/")
    if any(part in {"", ".", ".."} or len(part.encode(errors="replace")) > 240 for part in parts):
        return False
    return not re.search("[\\\\\0\n\ud800-\udfff]", name)
