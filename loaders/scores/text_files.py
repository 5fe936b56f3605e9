"""Files of text, packed with gzip or not, in the encodings that can be told, line by line."""

from __future__ import annotations

import codecs
import gzip
import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, cast

from benchloom.builders.errors import InputError

SNIFFED = 1 << 16
"""Bytes at the start of a file that tell what it is."""
_MARKS = (
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)


class Line(NamedTuple):
    """A line of a file: its number from 1, and its bytes with its end."""

    number: int
    content: bytes


@contextmanager
def opened(path: Path) -> Iterator[io.BufferedReader]:
    """Opens a file, unpacked if it is gzip.

    Raises:
        OSError: If it cannot be read.
    """
    with path.open("rb", buffering=0) as file, io.BufferedReader(file, SNIFFED) as raw:
        if raw.peek(2)[:2] != b"\x1f\x8b":
            yield cast(io.BufferedReader, raw)
            return
        with (
            gzip.GzipFile(fileobj=raw) as unpacked,
            io.BufferedReader(unpacked, SNIFFED) as stream,
        ):
            yield cast(io.BufferedReader, stream)


def numbered_lines(
    stream: io.BufferedReader, start: bytes, name: str, remarks: list[str]
) -> tuple[Iterator[Line], bytes]:
    """Returns the lines of a text, and its first byte that is no space.

    UTF-16 and UTF-32 come as UTF-8; whether bytes are UTF-8 at all is not looked at.

    Args:
        stream: The text.
        start: Its first bytes, which have not been taken from the stream.
        name: Its name in sentences.
        remarks: Receives what was odd.

    Raises:
        InputError: If it is in no encoding that can be told.
    """
    lines: Iterator[tuple[int, bytes]] = enumerate(stream, 1)
    for mark, encoding in _MARKS:
        if start.startswith(mark):
            try:
                text = stream.read().decode(encoding)
            except UnicodeDecodeError as error:
                raise InputError(
                    f"{name} is damaged: its byte {error.start:,} is no {encoding}; "
                    "save it as UTF-8"
                ) from None
            remarks.append(f"{name} was read as {encoding}")
            content = text.encode()
            lines, start = enumerate(io.BytesIO(content), 1), content[:SNIFFED]
            break
    else:
        if b"\0" in start[:4]:
            raise InputError(f"{name} is no UTF-8 (UTF-16, perhaps); save it as UTF-8")
    start = start.removeprefix(codecs.BOM_UTF8)
    if b"\r" in start[:-1] and b"\n" not in start:
        raise InputError(f"the lines of {name} end with CR alone; save it with LF")
    return _without_mark(lines), start.lstrip()[:1]


def _without_mark(lines: Iterator[tuple[int, bytes]]) -> Iterator[Line]:
    """Yields lines, the first without the mark of UTF-8."""
    for number, line in lines:
        yield Line(number, line.removeprefix(codecs.BOM_UTF8) if number == 1 else line)
