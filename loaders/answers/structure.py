"""Answers in JSON and in tables, written as sentences."""

import ast
import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

_ANSWER_KEYS = (
    "final_answer", "finalanswer", "final answer", "answer", "final_result", "result", "output",
    "solution", "ans", "response", "value", "conclusion",
)  # fmt: skip
_MOST_OBJECTS = 6
_LONGEST = 6_000
_DECODER = json.JSONDecoder()
_KEY = re.compile(r"\{\s{0,20}[\"'][^\"'\n]{1,60}[\"']\s{0,5}:")


def with_json_read(text: str, keys: Sequence[str]) -> str:
    """Returns a text in which JSON objects that hold an answer are sentences: `Answer: ...`.

    Args:
        text: The text.
        keys: Names under which an object may hold the answer, besides `answer` and its like; of
            several the first counts.
    """
    parts, at = [], 0
    for count, start in enumerate(_KEY.finditer(text)):
        if count == _MOST_OBJECTS:
            break
        if start.start() < at:
            continue
        found = _object_at(text, start.start())
        if found is None:
            continue
        value, end = found
        said = _answer_of(value, (*_ANSWER_KEYS, *keys))
        if said is not None:
            parts += [text[at : start.start()], f"\nAnswer: {said}\n"]
            at = end
    return "".join([*parts, text[at:]]) if parts else text


def _object_at(text: str, start: int) -> tuple[Any, int] | None:
    piece = text[start : start + _LONGEST]
    try:
        value, length = _DECODER.raw_decode(piece)
        return value, start + length
    except (ValueError, RecursionError):
        pass
    end = piece.find("}")
    if end < 0 or "'" not in piece[:end]:
        return None
    try:
        return ast.literal_eval(piece[: end + 1]), start + end + 1
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return None


def _answer_of(value: Any, keys: Sequence[str]) -> str | None:
    """Returns what an object answers; None if nothing."""
    items = [(_name(key), item) for key, item in _items(value, 0)]
    nested = False
    for key in keys:
        for name, item in items:
            if name == _name(key) and not isinstance(item, dict):
                # A list of lists, such as of all triangles, is shown beside the answer.
                if isinstance(item, list) and any(isinstance(one, list) for one in item):
                    nested = True
                    continue
                return _said(item)
    return "" if nested else None


def _items(value: Any, depth: int) -> Iterator[tuple[str, Any]]:
    if depth > 4:
        return
    if isinstance(value, dict):
        for key, item in value.items():
            yield str(key), item
        for item in value.values():
            yield from _items(item, depth + 1)
    elif isinstance(value, list):
        for item in value[:50]:
            yield from _items(item, depth + 1)


def _name(key: str) -> str:
    return key.lower().replace("_", "").replace("-", "").replace(" ", "")


def _said(item: Any) -> str:
    if item is True:
        return "Yes"
    if item is False:
        return "No"
    if item is None:
        return "null"
    if isinstance(item, list):
        return "none" if not item else json.dumps(item, ensure_ascii=False)
    return str(item)


_RULE = re.compile(r"\s{0,9}\|?(?:\s{0,9}:?-{1,90}:?\s{0,9}\|?){1,40}\s{0,9}")


def with_tables_read(text: str) -> str:
    """Returns a text in which rows of tables are sentences: `Diameter: 3`.

    A table with a head and one row gives `head: cell` for each column, any other table
    `cell: cell` for rows of two cells; of other rows nothing is taken, but that they stay where
    they are, for readers of columns.
    """
    rows = text.split("\n")
    out: list[str] = []
    i = 0
    while i < len(rows):
        if rows[i].count("|") < 2 and not (
            "|" in rows[i] and i + 1 < len(rows) and "|" in rows[i + 1]
        ):
            out.append(rows[i])
            i += 1
            continue
        end = i
        while end < len(rows) and "|" in rows[end]:
            end += 1
        out += _table(rows[i:end])
        i = max(end, i + 1)
    return "\n".join(out)


def cells(row: str) -> list[str]:
    """Returns the cells of a row of a table."""
    return [cell.strip() for cell in row.strip().strip("|").split("|")]


_IN_ORDER = re.compile(r"(?:step|position|index|place|order|#) \| (?:visited )?(?:node|vertex)\w*")
"""The heads of a table that lists nodes in their order."""


def _table(rows: Sequence[str]) -> list[str]:
    ruled = len(rows) > 1 and _RULE.fullmatch(rows[1]) is not None
    table = [cells(row) for row in rows if not _RULE.fullmatch(row)]
    if not table:
        return []
    if len(table[0]) == 1:
        return [row[0] for row in table]
    if ruled and len(table) > 3 and _IN_ORDER.fullmatch(" | ".join(table[0]).lower()):
        return [f"| {' | '.join(row)} |" for row in table]
    if ruled and len(table) == 2 and len(table[0]) == len(table[1]):
        return [f"{head.rstrip(':')}: {cell}" for head, cell in zip(*table, strict=True)]
    return [
        f"{row[0].rstrip(':')}: {row[1]}" if len(row) == 2 else "| " + " | ".join(row) + " |"
        for row in table
    ]
