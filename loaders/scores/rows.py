"""Rows of a user's file: JSONL, CSV or parquet, packed or not, in encodings that can be told.

What a file is, its first bytes say, not its name. A line that was cut off at the end of a file, as
a program that was stopped leaves it, is left out and said; anything else that cannot be read is
refused with the file and the line.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from benchloom.builders.errors import InputError
from benchloom.loaders.scores.column_names import TwiceError, lacks, once
from benchloom.loaders.scores.printable import printable
from benchloom.loaders.scores.text_files import SNIFFED, Line, numbered_lines, opened

DELIMITERS = ",;\t|"
LONGEST_FIELD = 2**31 - 1
"""Characters of a field; the csv module's own limit is 131,072."""
_AS_UTF8 = "save the file as UTF-8 (iconv -f LATIN1 -t UTF-8, if that is what it is)"
_BATCH_ROWS = 1024


class Rows:
    """The rows of a file, in order, each with its number.

    Iterating gives pairs of a number and a mapping of columns to values. Lines are counted from 1,
    and so are the rows of a parquet file and the objects of a JSON list.

    Attributes:
        path: The file.
        unit: What is counted: `line`, `row` or `object`.
        remarks: What was odd, complete after the last row.

    Args:
        path: The file.
        needed: Columns that every row must have.
        columns: The columns that are read, of a file where the others need not be; all by default.
        whole: Whether a last line that is cut off is refused like any other.

    Raises:
        InputError: While iterating, if the file is not there or cannot be read, or lacks a column.
    """

    def __init__(
        self,
        path: Path,
        needed: Sequence[str],
        columns: Sequence[str] | None = None,
        whole: bool = False,
    ) -> None:
        self.path = path
        self.unit = "line"
        self.remarks: list[str] = []
        self._needed = needed
        self._columns = columns
        self._whole = whole
        self._name = printable(str(path), None)

    def place(self, number: int) -> str:
        """Returns the name of a row in sentences: `run.jsonl line 3`."""
        return f"{self._name} {self.unit} {number}"

    def __iter__(self) -> Iterator[tuple[int, Mapping[str, Any]]]:
        """Yields the rows."""
        try:
            with opened(self.path) as stream:
                start = stream.peek(SNIFFED)[:SNIFFED]
                if not start:
                    raise InputError(f"{self._name} is empty; name a file that holds rows")
                yield from self._rows(stream, start)
        except (EOFError, zlib.error, gzip.BadGzipFile):
            raise InputError(
                f"{self._name} is damaged or cut short as gzip; write it again"
            ) from None
        except FileNotFoundError:
            raise InputError(f"there is no file {self._name}") from None
        except IsADirectoryError:
            raise InputError(f"{self._name} is a directory; name the files in it") from None
        except OSError as error:
            raise InputError(f"{self._name} cannot be read: {error.strerror or error}") from None

    def _rows(
        self, stream: io.BufferedReader, start: bytes
    ) -> Iterator[tuple[int, Mapping[str, Any]]]:
        if start.startswith(b"PAR1"):
            self.unit = "row"
            return self._parquet_rows(stream)
        if start.startswith((b"PK\3\4", b"\xd0\xcf\x11\xe0")):
            raise InputError(
                f"{self._name} is a spreadsheet or a zip archive; save it as CSV in UTF-8"
            )
        lines, first = numbered_lines(stream, start, self._name, self.remarks)
        if first == b"[":
            self.unit = "object"
            return self._list_objects(lines)
        if first == b"{" or {".json", ".jsonl", ".ndjson"} & set(self.path.suffixes):
            return self._json_rows(lines)
        return self._table_rows(lines)

    # --- JSON

    def _json_rows(self, lines: Iterable[Line]) -> Iterator[tuple[int, Mapping[str, Any]]]:
        broken: _Broken | None = None
        rows = 0
        for number, line in lines:
            if not line.strip():
                continue
            if broken:
                raise InputError(broken.sentence)
            try:
                row = json.loads(line.decode(), object_pairs_hook=once)
            except TwiceError as error:
                raise InputError(f"{self.place(number)} {error}") from None
            except (ValueError, RecursionError) as error:
                broken = self._broken_json(number, line, error)
                continue
            if not isinstance(row, dict):
                raise InputError(
                    f"{self.place(number)} is no object; write one a line: "
                    '{"id": "...", "response": "..."}'
                )
            self._check(row, number)
            yield number, row
            rows += 1
        self._settle(broken, rows)

    def _broken_json(self, number: int, line: bytes, error: Exception) -> _Broken:
        if isinstance(error, UnicodeDecodeError):
            is_cut = error.reason == "unexpected end of data"
            return _Broken(number, is_cut, self._no_utf8(number, error))
        reason = "too deep" if isinstance(error, RecursionError) else str(error)
        return _Broken(
            number,
            line.lstrip().startswith(b"{"),
            f"{self.place(number)} is no JSON object ({reason}); write one a line, or mend it",
        )

    def _list_objects(self, lines: Iterable[Line]) -> Iterator[tuple[int, Mapping[str, Any]]]:
        try:
            content = json.loads(
                b"".join(line for _, line in lines).decode(), object_pairs_hook=once
            )
        except TwiceError as error:
            raise InputError(f"{self._name} holds an object that {error}") from None
        except UnicodeDecodeError as error:
            raise InputError(self._no_utf8(None, error)) from None
        except (ValueError, RecursionError) as error:
            raise InputError(
                f"{self._name} is no JSON list that can be read ({error}); "
                "write one object a line (JSONL)"
            ) from None
        for number, row in enumerate(content, 1):
            if not isinstance(row, dict):
                raise InputError(f"{self.place(number)} is no object; write a list of objects")
            self._check(row, number)
            yield number, row

    # --- CSV

    def _table_rows(self, lines: Iterable[Line]) -> Iterator[tuple[int, Mapping[str, Any]]]:
        texts = self._decoded(lines)
        before = 0
        for first in texts:
            if first.strip():
                break
            before += 1
        else:
            raise InputError(f"{self._name} is empty; name a file that holds rows")
        delimiter = self._delimiter(first)
        csv_limit = csv.field_size_limit(LONGEST_FIELD)
        try:
            reader = csv.reader(chain([first], texts), delimiter=delimiter, strict=True)
            yield from self._fields(reader, before)
        finally:
            csv.field_size_limit(csv_limit)

    def _fields(self, reader: Any, before: int) -> Iterator[tuple[int, Mapping[str, Any]]]:
        """Yields the rows of a table whose header comes first.

        Args:
            reader: Gives the fields of each row.
            before: Number of lines that came before the header.
        """
        names: list[str] = []
        broken: _Broken | None = None
        rows = 0
        while True:
            number = before + reader.line_num + 1
            try:
                fields = next(reader)
            except StopIteration:
                break
            except csv.Error as error:
                if broken:
                    raise InputError(broken.sentence) from None
                # A quote that never closes may have swallowed many lines, which must not get lost.
                is_cut = "end of data" in str(error) and before + reader.line_num == number
                reason = f"{self.place(number)} cannot be read as CSV ({error}); close the quote "
                reason += "that opens there, or write quotes within a field twice"
                broken = _Broken(number, is_cut, reason)
                break
            if not any(fields):  # a blank line, or one that a spreadsheet left behind
                continue
            if broken:
                raise InputError(broken.sentence)
            if not names:
                names = [name.strip() for name in fields]
                self._check_header(names)
            elif len(fields) != len(names):
                broken = _Broken(
                    number,
                    len(fields) < len(names),
                    f"{self.place(number)} has {len(fields)} fields, the header has {len(names)}; "
                    "put fields with commas, quotes or line breaks into quotes",
                )
            else:
                yield number, dict(zip(names, fields, strict=True))
                rows += 1
        self._settle(broken, rows)

    def _delimiter(self, header: str) -> str:
        """Returns what separates a header's names: what gives most of those that are needed."""

        def names(delimiter: str) -> list[str]:
            try:
                return [name.strip() for name in next(csv.reader([header], delimiter=delimiter))]
            except csv.Error:
                return []

        return max(
            DELIMITERS,
            key=lambda one: (len({*names(one)} & {*self._needed}), len(names(one))),
        )

    def _decoded(self, lines: Iterable[Line]) -> Iterator[str]:
        for number, line in lines:
            try:
                yield line.decode()
            except UnicodeDecodeError as error:
                raise InputError(self._no_utf8(number, error)) from None

    # --- parquet

    def _parquet_rows(self, stream: io.BufferedReader) -> Iterator[tuple[int, Mapping[str, Any]]]:
        import pyarrow as pa
        import pyarrow.parquet as pq

        source: BinaryIO = stream
        if isinstance(stream.raw, gzip.GzipFile) or not stream.seekable():
            source = io.BytesIO(stream.read())
        number = 0
        try:
            with pq.ParquetFile(source) as file:
                names = file.schema_arrow.names
                self._check_header(names)
                columns = [name for name in names if name in (self._columns or names)]
                for batch in file.iter_batches(_BATCH_ROWS, columns=columns):
                    for row in batch.to_pylist():
                        number += 1
                        yield number, row
        except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
            reason = printable(" ".join(str(error).split()), 200)
            raise InputError(
                f"{self._name} cannot be read as parquet ({reason}); write it again"
            ) from None

    # --- what all have

    def _check_header(self, names: Sequence[str]) -> None:
        """Refuses a header that lacks a column that is needed, or has it twice."""
        self._check(names, None)
        for name in self._columns or names:
            if names.count(name) > 1:
                shown = printable(name)
                raise InputError(f"{self._name} has two columns {shown!r}; remove or rename one")

    def _check(self, names: Collection[str], number: int | None) -> None:
        """Refuses a row, or a header, that lacks a column that is needed."""
        for lacking in self._needed:
            if lacking not in names:
                where = self._name if number is None else self.place(number)
                raise InputError(f"{where} {lacks(lacking, [*names])}")

    def _settle(self, broken: _Broken | None, rows: int) -> None:
        """Says that a last line is left out, or refuses it where it was not cut off.

        Raises:
            InputError: If it was not, or nothing came before it.
        """
        if broken is None:
            return
        if self._whole or not rows or not broken.is_cut:
            raise InputError(broken.sentence)
        self.remarks.append(
            f"{self.place(broken.number)}, the last one, is cut off and was left out"
        )

    def _no_utf8(self, number: int | None, error: UnicodeDecodeError) -> str:
        where = self._name if number is None else self.place(number)
        byte = error.object[error.start]
        return f"{where} is no UTF-8 (byte 0x{byte:02x} at {error.start + 1}); {_AS_UTF8}"


class _Broken(NamedTuple):
    """A row that cannot be read.

    Attributes:
        number: Its number.
        is_cut: Whether it looks cut off, so that it may be left out where it is the last.
        sentence: What is wrong with it.
    """

    number: int
    is_cut: bool
    sentence: str
