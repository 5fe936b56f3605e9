"""Lists of nodes out of free text: the words of a task are its `SequenceWords`."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from benchloom.loaders.answers.claims import MENTIONED, STATED, Found, left_open, stated
from benchloom.loaders.answers.listings import column, levels, numbered
from benchloom.loaders.answers.nodes import ITEM, NODES, RUN, flattened, joined
from benchloom.loaders.answers.words import (
    HEDGE,
    OPEN_VALUE,
    REFUSAL,
    last_match,
    spelled_out,
    turns,
    without_rejected,
)

_SINGLE = re.compile(
    rf"[\s:=]*+(?:(?:just|only|simply)\s)?[(\[{{]*+({ITEM})[)\]}}]*+\s*+(?:$"
    r"|[.!;,](?!\s?\d))"
)
_IS_BEFORE = re.compile(
    r"(?:[:=]|->|\bis|\bare|\bbe|\bas follows|\bfollows|\bgoes|\bgives|\bbecomes|\bwas|是|为"
    r"|為)[\s:=]*+"
    r"(?:(?:just|only|simply|therefore|thus|hence|as follows|given by|via|by|along"
    r"|the path|path|to be)\b[\s:]*+)*[(\[{]*+$"
)
_MOVES = re.compile(
    r"\b(?:go(?:es|ing)?|mov(?:e|es|ing)|travel(?:s|ing)?|proceed(?:s)?|step|start(?:s"
    r"|ing)?|walk|head|take|continue|traverse|visit)\b"
)
_EXPLORES = re.compile(
    r"\b(?:neighbou?rs?|queue|enqueue|dequeue|visited|adjacent|connected|step \d)\b"
)
_OR = re.compile(
    r"\s*+[)\]}]*+\s*+(?:,\s)?(?:\bor\b|\band\b)(?:\salso|\salternatively)?\s[(\[{]*+$"
)
_ENDS = re.compile(
    r"\bpath (?:from|between) (\d{1,6}) (?:to|and) (\d{1,6})|\bstarting (?:from|at|with) (\d{1,6})"
)


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
        closes: A list, in the group `nodes`, of which a later sentence says that it is the one.
    """

    about: tuple[str, ...]
    named: re.Pattern[str]
    narrow: re.Pattern[str] | None = None
    none: Callable[[str], bool] | None = None
    least: int = 2
    in_prose: bool = False
    in_levels: bool = False
    closes: re.Pattern[str] | None = None


class SequenceReader:
    """Reads lists of nodes; that there is none is the empty list.

    Args:
        words: The task's words.
        asked: The nodes that the question names; a list from another node or to another one
            counts less.
    """

    def __init__(self, words: SequenceWords, asked: Sequence[int] = ()) -> None:
        self._words = words
        self._asked = set(asked)

    def value(self, text: str) -> Found | None:
        """Returns the claim of a text that is an answer."""
        text = without_rejected(text)
        flat = flattened(text)
        run = RUN.match(flat.lstrip(" ([{:\"'"))
        if run is not None:
            rest = flat.lstrip(" ([{:\"'")[run.end() :]
            second = RUN.search(rest)
            if second is not None and _OR.match(rest[: second.start()]):
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
        sentence = without_rejected(spelled_out(sentence))
        if "?" in sentence and _ASKED_NO.search(sentence):
            return None
        found = self._claimed(sentence)
        if found is not None and _FOR_EXAMPLE.match(sentence):
            return Found(found.value, MENTIONED, found.reason)
        return found

    def _claimed(self, sentence: str) -> Found | None:
        words = self._words
        if REFUSAL.search(sentence) and not OPEN_VALUE.search(sentence):
            return left_open(sentence, MENTIONED)
        if words.none is not None and words.none(sentence):
            if HEDGE.search(sentence):
                return left_open(sentence)
            return stated([], sentence)
        if words.none is not None and _NO_VALUE.match(turns(sentence)[-1]):
            return None if OPEN_VALUE.search(sentence) else stated([], sentence)
        if any(word in sentence for word in words.about):
            flat = flattened(sentence)
            name = last_match(words.named, flat)
            if name is not None and (found := self._named(flat, sentence, name)) is not None:
                return found
            if name is not None and not _CHOSEN.search(flat):
                return None
        flat = flattened(sentence)
        runs = list(RUN.finditer(flat)) if _JOINED.search(flat) else []
        if runs:
            chosen = self._chosen(flat, runs, sentence)
            if chosen is not None:
                return chosen
            if words.in_prose and _MOVES.search(sentence):
                is_open = OPEN_VALUE.search(sentence) is not None
                return None if is_open else self._list(runs[-1][0], sentence, MENTIONED)
        if words.in_prose and _MOVES.search(sentence) and not _EXPLORES.search(sentence):
            nodes = [int(node) for node in NODES.findall(flattened(sentence))]
            path = [node for node, _ in groupby(nodes)]
            if len(path) >= words.least and not OPEN_VALUE.search(sentence):
                return stated(path, sentence, MENTIONED)
        return None

    def bare(self, sentence: str) -> Found | None:
        """Returns the claim of a sentence that is nothing but a list."""
        sentence = without_rejected(sentence)
        if _NO_VALUE.match(sentence) and self._words.none is not None:
            return stated([], sentence, MENTIONED)
        flat = flattened(sentence[_end(_LEADING.match(sentence)) :])
        flat = flat.strip(" .,!*()[]{}<>✓✗\"'-")
        if self._words.in_prose and _EDGES.fullmatch(flat):
            steps = _EDGE.findall(flat)
            if all(one[1] == two[0] for one, two in pairwise(steps)):
                nodes = [steps[0][0], *(step[1] for step in steps)]
                return stated([int(node) for node in nodes], sentence, MENTIONED)
        run = RUN.match(flat)
        if run is not None and (run.end() >= len(flat) or _LENGTH.fullmatch(flat, run.end())):
            return self._list(run[0], sentence, MENTIONED)
        return None

    def block(self, rows: list[str]) -> Found | None:
        """Returns the list that several lines together are, or the node that is all there is."""
        nodes, what = levels(rows) if self._words.in_levels else None, "levels in their order"
        if nodes is None and len(rows) > 1:
            nodes, what = numbered(rows), "a list with a line for each node"
        if nodes is None:
            nodes, what = column(rows), "the column of a table"
        if nodes is not None:
            return Found(nodes, STATED, what) if len(nodes) >= self._words.least else None
        if self._words.closes is not None:
            text = flattened(" ".join(rows[-30:]))
            closed = last_match(self._words.closes, text)
            if closed is not None:
                return self._list(closed["nodes"], closed[0], STATED)
        if len(rows) == 1 and self._words.least == 1:
            flat = flattened(rows[0]).strip(" .!*()[]{}\"'")
            if flat.isdecimal() and len(flat) < 7:
                return stated([int(flat)], rows[0])
        return None

    def _chosen(self, flat: str, runs: list[re.Match[str]], sentence: str) -> Found | None:
        """Returns the list that the writer says to have got or chosen."""
        for run in reversed(runs):
            got = _GOT.search(flat, 0, run.start())
            if got is None:
                continue
            begin = flat.rfind(", ", 0, got.start()) + 1
            if _IF.search(flat) or OPEN_VALUE.search(flat, begin, run.start()):
                return None
            is_choice = _CHOSEN.search(flat, begin, run.start()) is not None
            return self._list(run[0], sentence, STATED if is_choice else MENTIONED)
        return None

    def _named(self, flat: str, sentence: str, name: re.Match[str]) -> Found | None:
        """Returns the list that a sentence gives the name of the task's."""
        words = self._words
        runs = list(RUN.finditer(flat))
        runs = [run for run in runs if not _REJECTED.match(flat, run.end())]
        if words.narrow is not None:
            runs = [
                run
                for run in runs
                if not words.narrow.search(flat, max(0, run.start() - 40), run.start())
                or _ORDERED.search(flat, max(0, run.start() - 40), run.start())
            ]
        if OPEN_VALUE.search(flat, 0, runs[-1].start() if runs else len(flat)):
            return None
        placed = [
            run for run in runs if _IS_BEFORE.search(flat, max(0, run.start() - 60), run.start())
        ]
        chosen = placed[-1] if placed else runs[0] if runs else None
        if chosen is None:
            if words.least == 1 and RUN.search(flat) is None:
                for single in reversed(list(_SINGLE.finditer(flat, name.end()))):
                    if (
                        _IS_BEFORE.search(flat, name.end(), single.start() + 1)
                        or flat[single.start()] in ":="
                    ):
                        return stated([int(single[1])], sentence, MENTIONED)
            return None
        if HEDGE.search(flat):
            return left_open(sentence)
        others = [run for run in runs if run.start() > chosen.start()]
        if others and _OR.search(flat, chosen.end(), others[0].start()):
            return left_open(sentence)
        return self._list(chosen[0], sentence, self._weight(flat))

    def _weight(self, flat: str) -> int:
        """Returns how much a statement counts: less if it is about other nodes than asked."""
        if self._asked:
            for ends in _ENDS.finditer(flat):
                if {int(node) for node in ends.groups() if node is not None} != self._asked:
                    return MENTIONED
        return STATED

    def _list(self, run: str, sentence: str, weight: int) -> Found | None:
        nodes = joined(run)
        return stated(nodes, sentence, weight) if len(nodes) >= self._words.least else None


_NO_VALUE = re.compile(
    r"[\s\"'({]*+(?:\[?(?:none|no|no such (?:path|cycle)|n/a|does not exist|无|没有)\]?"
    r"|\[\s?\])[\s\"').!}]*+$"
)
_LEADING = re.compile(
    r"(?:(?:yes|so|thus|therefore|hence|then|finally|first|corrected|correct|revised|fixed"
    r"|updated|final|full|complete"
    r"|one of them|one is|for example|e\.g\.|that is|i\.e\.|we get|we have|gives"
    r"|start(?:ing)? (?:at|from|with) (?:node )?\d{1,6}(?=:[^:]{1,9}->))\b[\s,:]*)*"
)
_LENGTH = re.compile(
    r"[\s,;(\-=:]*(?:which\s)?(?:with|has|of|is|in)?\s?(?:a\s)?(?:total\s)?"
    r"(?:length|distance|cost|\d{1,3}\s(?:edges?|hops?|steps?|nodes?))\b.{0,25}"
    r"|\s(?:is|does|works)(?:\s(?:it|shorter|(?:the )?(?:shortest|answer|best|right|correct)"
    r"(?:\s(?:one|path|answer|order))?))?"
    r"|[\s,\->]*(?:queue (?:is )?empty|end|done|stop|finished|null)"
    r"|,?\s(?:and\s)?(?:then\s)?(?:finally\s)?(?:back|return(?:s|ing)?|clos(?:e|es|ing)) .{1,30}"
)
_JOINED = re.compile(r"[>\-\[{]|\b(?:it|this) is\b")
_GOT = re.compile(
    r"\b(?:find|found|get|got|have|obtain|take|follow|gives?|yields?|trace|(?:it"
    r"|this|one) is|achieved by|fewest edges is|choose|pick|select|go(?:ing)? with|return|output"
    r"|report)(?: (?:the|path|in fact|actually|indeed|therefore|thus))*:?[\s\[({]*$"
)
_CHOSEN = re.compile(
    r"\b(?:i|we|let us|i'll|we'll)\s(?:\w{1,9}\s)?(?:choose|pick|select|go with|take)\b"
)
_IF = re.compile(r"\b(?:if|unless|suppose|assum\w{1,4}|would)\b")
_FOR_EXAMPLE = re.compile(r"\W{0,4}(?:for (?:example|instance)|e\.g\.|as an example)")
_ASKED_NO = re.compile(r"\?[\s\"')]*no\b[\s.!]*$")
_ORDERED = re.compile(r"\border\b(?:(?!level|layer|neighbo)[^.;:\d]){0,30}[:=]\s?[\[({]?$")
_EDGE = re.compile(
    r"(\d{1,6}) (?:connects|links|leads|(?:is )?(?:directly )?(?:connected|adjacent|linked|joined)) (?:to"
    r"|with) (\d{1,6})"
)
_EDGES = re.compile(rf"(?:{_EDGE.pattern}(?:,? (?:and|then) |[,;] (?:and )?|$)){{2,20}}")
_REJECTED = re.compile(
    r"[)\]}\s]*+,?\s?(?:which )?(?:is|are|has|does|was|would)(?: still| also)? (?:partial"
    r"|not|incomplete|invalid|longer|too|wrong|only|so far)"
    r"|[)\]}\s]*+so far"
)


def _end(found: re.Match[str] | None) -> int:
    return found.end() if found is not None else 0
