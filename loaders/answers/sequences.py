"""Lists of nodes out of free text: the words of a task are its `SequenceWords`."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby

from benchloom.loaders.answers.claims import MENTIONED, STATED, Found, left_open, stated
from benchloom.loaders.answers.structure import cells
from benchloom.loaders.answers.text import bare_line
from benchloom.loaders.answers.words import HEDGE, OPEN_VALUE, REFUSAL, spelled_out

_NODE_WORD = re.compile(r"\b(?:nodes?|vertex|vertices|v|n)[\s_]?\{?(?=\d)|节点|[\"'|]")
_ASIDE = re.compile(r"\s?\((?=[^()]{0,120}[a-z=])[^()]{1,120}\)")
_ITEM = r"\d{1,6}(?![\d.]*\d)"
_JOIN = (
    r"[\s)\]}]*+(?:->|=>|-+>?|>|,|;|/|\bthen\b|\bfollowed by\b)(?:\s*+(?:,|and\b|then\b|finally\b|to\b|->))*[\s(\[{]*+"
)
_RUN = re.compile(
    rf"(?<![\w.\-]){_ITEM}(?:(?:{_JOIN}{_ITEM})+(?:\s*+(?:,\s?)?and\s{_ITEM})?|(?:[ ]{{1,3}}{_ITEM}){{2,}})"
)
_DIGITS = re.compile(r"\d+")
_SINGLE = re.compile(rf"[\s:=]*+(?:(?:just|only|simply)\s)?[(\[{{]*+({_ITEM})[)\]}}]*+\s*+(?:$|[.!;,](?!\s?\d))")
_IS_BEFORE = re.compile(
    r"(?:[:=]|->|\bis|\bare|\bbe|\bas follows|\bfollows|\bgoes|\bgives|\bbecomes|\bwas|是|为|為)[\s:=]*+"
    r"(?:(?:just|only|simply|therefore|thus|hence|as follows|given by|via|by|along|the path|path|to be)\b[\s:]*+)*[(\[{]*+$"
)
_MOVES = re.compile(r"\b(?:go(?:es|ing)?|mov(?:e|es|ing)|travel(?:s|ing)?|proceed(?:s)?|step|start(?:s|ing)?|walk|head|take|continue|traverse|visit)\b")
_NODES = re.compile(rf"(?<![\w.\-]){_ITEM}")
_OR = re.compile(r"\s*+[)\]}]*+\s*+(?:,\s)?(?:\bor\b)(?:\salso|\salternatively)?\s[(\[{]*+$")
_NUMBERED = re.compile(r"\s*+(?:[>*\-]\s*+)?(?:\(?(\d{1,3})[.):]|step\s(\d{1,3})\s?[:.\-]|[*\-+](?=\s))\s*+")
_ALONE = re.compile(r"(?=(?:node\s)?\d{1,6}\s?[,.]?$)")
_MOST_WORDS = 60
"""Characters besides nodes in a line of a list that has a line for each node."""
_LEVEL = re.compile(r"\b(?:level|layer|distance|depth)\s?(?:=\s?)?(\d{1,2})\b[^:=\d]{0,40}[:=]\s*+")
_COLUMN = re.compile(r"(?:node|vertex|dequeued?|visited|visit|order|current)(?:\s(?:node|vertex|visited|dequeued|order))?")


@dataclass(frozen=True, slots=True)
class SequenceWords:
    """The words in which a list of nodes is claimed.

    Attributes:
        about: Words of which a sentence has one, if it can claim a list; substrings.
        named: What the list is called: `shortest path`.
        narrow: What makes a list another one (`queue`, `neighbours`).
        none: Reads the claim that there is no such list.
        least: Fewest nodes of a list.
        in_prose: Whether `from node 8 go to node 1` is a list.
        in_levels: Whether levels, one after the other, are a list.
    """

    about: tuple[str, ...]
    named: re.Pattern[str]
    narrow: re.Pattern[str] | None = None
    none: Callable[[str], bool] | None = None
    least: int = 2
    in_prose: bool = False
    in_levels: bool = False


class SequenceReader:
    """Reads lists of nodes; that there is none is the empty list."""

    def __init__(self, words: SequenceWords) -> None:
        self._words = words

    def value(self, text: str) -> Found | None:
        """Returns the claim of a text that is an answer."""
        flat = flattened(text)
        run = _RUN.match(flat.lstrip(" ([{:\"'"))
        if run is not None:
            rest = flat.lstrip(" ([{:\"'")[run.end() :]
            second = _RUN.search(rest)
            if second is not None and _OR.match(rest[: second.start()] ):
                return left_open(text)
            return self._list(run[0], text, STATED)
        if self._words.least == 1:
            single = _SINGLE.match(flat)
            if single is not None:
                return stated([int(single[1])], text)
        if _NO_VALUE.match(text) and self._words.none is not None:
            return stated([], text)
        return self.statement(text)

    def statement(self, sentence: str) -> Found | None:
        """Returns the claim of a sentence that may be about anything."""
        words = self._words
        sentence = spelled_out(sentence)
        if REFUSAL.search(sentence) and not OPEN_VALUE.search(sentence):
            return left_open(sentence, MENTIONED)
        if words.none is not None and words.none(sentence):
            if HEDGE.search(sentence):
                return left_open(sentence)
            return stated([], sentence)
        if any(word in sentence for word in words.about):
            flat = flattened(sentence)
            name = None
            for name in words.named.finditer(flat):
                pass
            if name is not None:
                return self._named(flat, sentence, name)
        runs = list(_RUN.finditer(flattened(sentence))) if ">" in sentence else []
        if runs and (words.in_prose and _MOVES.search(sentence) or _GOT.search(sentence, 0, sentence.find(runs[-1][0][:2]))):
            return None if OPEN_VALUE.search(sentence) else self._list(runs[-1][0], sentence, MENTIONED)
        if words.in_prose and _MOVES.search(sentence):
            nodes = [int(node) for node in _NODES.findall(flattened(sentence))]
            path = [node for node, _ in groupby(nodes)]
            if len(path) >= words.least and not OPEN_VALUE.search(sentence):
                return stated(path, sentence, MENTIONED)
        return None

    def bare(self, sentence: str) -> Found | None:
        """Returns the claim of a sentence that is nothing but a list."""
        if _NO_VALUE.match(sentence) and self._words.none is not None:
            return stated([], sentence, MENTIONED)
        flat = flattened(sentence[_end(_LEADING.match(sentence)) :]).strip(" .,!*()[]{}\"'")
        run = _RUN.match(flat)
        if run is not None and run.end() >= len(flat):
            return self._list(run[0], sentence, MENTIONED)
        return None

    def block(self, rows: list[str]) -> Found | None:
        """Returns the list that several lines together are, or the node that is all there is."""
        if self._words.in_levels:
            found = _levels(rows)
            if found is not None:
                return found
        if len(rows) == 1:
            flat = flattened(rows[0]).strip(" .!*()[]{}\"'")
            if self._words.least == 1 and flat.isdecimal() and len(flat) < 7:
                return stated([int(flat)], rows[0])
            return None
        return self._numbered(rows) or self._column(rows)

    def _named(self, flat: str, sentence: str, name: re.Match[str]) -> Found | None:
        """Returns the list that a sentence gives the name of the task's."""
        words = self._words
        runs = list(_RUN.finditer(flat))
        runs = [run for run in runs if not _REJECTED.match(flat, run.end())]
        if words.narrow is not None:
            runs = [run for run in runs if not words.narrow.search(flat, max(0, run.start() - 40), run.start())]
        if OPEN_VALUE.search(flat, 0, runs[-1].start() if runs else len(flat)):
            return None
        placed = [run for run in runs if _IS_BEFORE.search(flat, max(0, run.start() - 60), run.start())]
        chosen = placed[-1] if placed else runs[0] if runs else None
        if chosen is None:
            if words.least == 1:
                for single in reversed(list(_SINGLE.finditer(flat, name.end()))):
                    if _IS_BEFORE.search(flat, name.end(), single.start() + 1) or flat[single.start()] in ":=":
                        return stated([int(single[1])], sentence, MENTIONED)
            return None
        if HEDGE.search(flat):
            return left_open(sentence)
        others = [run for run in runs if run.start() > chosen.start()]
        if others and _OR.search(flat, chosen.end(), others[0].start()):
            return left_open(sentence)
        return self._list(chosen[0], sentence, STATED)

    def _list(self, run: str, sentence: str, weight: int) -> Found | None:
        nodes = joined(run)
        return stated(nodes, sentence, weight) if len(nodes) >= self._words.least else None

    def _numbered(self, rows: list[str]) -> Found | None:
        """Returns the list of which each item has a line of its own, in the last such lines."""
        nodes: list[int] = []
        expected: int | None = None
        for row in reversed(rows):
            number = _NUMBERED.match(row)
            if number is None or not row[number.end() :].strip(" .,"):
                number = _ALONE.match(row)
            if number is None:
                if nodes:
                    break
                continue
            place = (number[1] or number[2]) if number.re is _NUMBERED else None
            if place is not None and expected is not None and int(place) != expected:
                return None
            expected = int(place) - 1 if place is not None else expected
            rest = flattened(row[number.end() :])
            inside = [int(node) for node in _NODES.findall(_AFTER_DASH.sub("", rest))]
            if not 1 <= len(inside) <= 2 or len(_DIGITS.sub("", rest)) > _MOST_WORDS:
                return None
            nodes += reversed(inside)
        path = [node for node, _ in groupby(reversed(nodes))]
        if len(path) < max(2, self._words.least):
            return None
        return Found(path, STATED, "a list with a line for each node")

    def _column(self, rows: list[str]) -> Found | None:
        """Returns the column of nodes of the last table."""
        table: list[list[str]] = []
        for row in reversed(rows):
            if row.startswith("|"):
                table.insert(0, cells(row))
            elif table:
                break
        if len(table) < 3:
            return None
        for place, head in enumerate(table[0]):
            if _COLUMN.fullmatch(head):
                column = [flattened(row[place]) if place < len(row) else "" for row in table[1:]]
                if all(cell.isdecimal() and len(cell) < 7 for cell in column):
                    return Found([int(cell) for cell in column], STATED, f"the column {head}")
        return None


_AFTER_DASH = re.compile(r"\s-\s.*|\s?\(.*|:.*")
_NO_VALUE = re.compile(
    r"[\s\"'({]*+(?:\[?(?:none|no|no such (?:path|cycle)|n/a|does not exist|无|没有)\]?|\[\s?\])[\s\"').!}]*+$"
)
_LEADING = re.compile(
    r"(?:(?:so|thus|therefore|hence|then|finally|corrected|correct|revised|fixed|updated|final|full|complete"
    r"|that is|i\.e\.|we get|we have|gives)\b[\s,:]*)*"
)
_GOT = re.compile(r"\b(?:find|found|get|got|have|obtain|take|follow|gives?|yields?|trace)(?: the)?:?\s*$")
_REJECTED = re.compile(
    r"[)\]}\s]*+,?\s?(?:which )?(?:is|are|has|does|was|would)(?: still| also)? (?:partial|not|incomplete|invalid|longer|too|wrong|only|so far)"
    r"|[)\]}\s]*+so far"
)


def _end(found: re.Match[str] | None) -> int:
    return found.end() if found is not None else 0


def flattened(sentence: str) -> str:
    """Returns a sentence with bare nodes: no `node`, quotes, or asides in parentheses."""
    flat = _NODE_WORD.sub("", sentence)
    return _ASIDE.sub("", flat) if "(" in flat else flat


def joined(run: str) -> list[int]:
    """Returns the nodes of a written list; a chain of edges (`6-0, 0-5`) is the path it makes."""
    nodes = [int(node) for node in _DIGITS.findall(run)]
    inner = nodes[1:-1]
    if len(nodes) >= 4 and len(nodes) % 2 == 0 and inner[::2] == inner[1::2]:
        return [nodes[0], *nodes[1::2]]
    return nodes


def _levels(rows: Sequence[str]) -> Found | None:
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
        if re.search(r"[a-z]", body.replace("and", "")):
            body = body.partition(".")[0]
        nodes += [int(node) for node in _NODES.findall(body)]
    return Found(nodes, STATED, "levels one after the other") if len(nodes) > 1 else None
