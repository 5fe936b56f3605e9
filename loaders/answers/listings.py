"""Lists of nodes that take several lines: a line for each node, a column, levels."""

import re
from collections.abc import Sequence
from itertools import groupby

from benchloom.loaders.answers.nodes import NODES, flattened
from benchloom.loaders.answers.structure import cells
from benchloom.loaders.answers.text import bare_line

_NUMBERED = re.compile(
    r"\s*+(?:[>*\-]\s*+)?(?:\(?(\d{1,3})[.):]|step\s(\d{1,3})\s?[:.\-]|[*\-+](?=\s))\s*+"
)
_ALONE = re.compile(
    r"(?=(?P<verb>(?:visit(?:ed|ing)?|dequeued?|process|pop|output)\s)?(?:node\s)?\d{1,6}\s?[,.]?$)"
)
_HEAD = re.compile(r"\b(?:bfs|breadth|order|traversal|path|cycle)\b")
_NO_ITEM = re.compile(
    r"\b(?:distance|level|layer|neighbou?rs?|length|adjacent|degree|component|(?:empty|a"
    r"|the) queue)s?\b"
)
_MOST_WORDS = 60
"""Characters besides nodes in a line of a list that has a line for each node."""
_LEVEL = re.compile(
    r"\b(?:level|layer|distance|depth)\s?(?:=\s?)?(\d{1,2})\b(?:\([^()]{0,60}\)"
    r"|[^:=\d(]){0,40}[:=]\s*+"
)
_COLUMN = re.compile(
    r"(?:node|vertex|dequeued?|visited|visit|order|current)(?:\s(?:node|vertex|visited"
    r"|dequeued|order))?"
)
_NODE_HEAD = re.compile(r"node|vertex")
_AFTER_DASH = re.compile(r"\s-\s.*|\s?\(.*|:.*")
_DIGITS = re.compile(r"\d+")


def numbered(rows: Sequence[str]) -> list[int] | None:
    """Returns the list of which each item has a line of its own, in the last such lines."""
    nodes: list[int] = []
    expected: int | None = None
    like_neighbours, has_verbs, head = False, False, ""
    for row in reversed(rows):
        number = _NUMBERED.match(row)
        if number is None or not row[number.end() :].strip(" .,"):
            number = _ALONE.match(row)
        if number is None:
            if nodes:
                head = row
                break
            continue
        has_verbs |= number.re is _ALONE and number["verb"] is not None
        place = (number[1] or number[2]) if number.re is _NUMBERED else None
        if place is not None and expected is not None and int(place) != expected:
            return None
        expected = int(place) - 1 if place is not None else expected
        rest = flattened(row[number.end() :])
        item = _AFTER_DASH.sub("", rest)
        inside = [int(node) for node in NODES.findall(item)]
        if not 1 <= len(inside) <= 2 or len(_DIGITS.sub("", rest)) > _MOST_WORDS:
            return None
        # `0: 1` is the row of node 0 in a list of neighbours, unless such rows count from 1 on.
        like_neighbours |= number[0].rstrip().endswith(":") and place == number[1]
        if _NO_ITEM.search(item) or (like_neighbours and len(inside) > 1):
            return None
        nodes += reversed(inside)
    if (like_neighbours and expected != 0) or (has_verbs and _HEAD.search(head) is None):
        return None
    path = [node for node, _ in groupby(reversed(nodes))]
    return path if len(path) > 1 else None


def column(rows: Sequence[str]) -> list[int] | None:
    """Returns the column of nodes of the last table."""
    table: list[list[str]] = []
    for row in reversed(rows):
        if row.startswith("|"):
            table.insert(0, cells(row))
        elif table:
            break
    if len(table) < 3:
        return None
    heads = [place for place, head in enumerate(table[0]) if _COLUMN.fullmatch(head)]
    for place in sorted(heads, key=lambda place: _NODE_HEAD.search(table[0][place]) is None):
        found = [flattened(row[place]) if place < len(row) else "" for row in table[1:]]
        if all(cell.isdecimal() and len(cell) < 7 for cell in found):
            return [int(cell) for cell in found]
    return None


def levels(rows: Sequence[str]) -> list[int] | None:
    """Returns the nodes of levels 0, 1, 2 ... in their order, if they stand at the end."""
    text = "\n".join(bare_line(row) for row in rows[-60:])
    heads = list(_LEVEL.finditer(text))
    first = next((i for i in range(len(heads) - 1, -1, -1) if heads[i][1] == "0"), None)
    if first is None:
        return None
    nodes: list[int] = []
    for place, head in enumerate(heads[first:]):
        if int(head[1]) != place:
            return None
        end = heads[first + place + 1].start() if first + place + 1 < len(heads) else len(text)
        body = flattened(text[head.end() : end].partition("\n")[0])
        if "\n" in head[0] and re.search(r"[a-z]{4}", body):
            return None  # Broken off; another sentence follows.
        if re.search(r"[a-z]", body.replace("and", "")):
            body = body.partition(".")[0]
        level = [int(node) for node in NODES.findall(body)]
        if not level:
            return None
        nodes += level
    return nodes if len(nodes) > 1 else None
