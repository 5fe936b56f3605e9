"""Lists of nodes out of free text: the words of a task are its `SequenceWords`."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from benchloom.loaders.answers.claim_words import ASKED_LIST
from benchloom.loaders.answers.claims import MENTIONED, STATED, Found, left_open, stated
from benchloom.loaders.answers.list_marks import (
    ANOTHER,
    ASKED_NO,
    CHOSEN,
    DIGIT,
    EDGE,
    EDGES,
    ENDS,
    EXPLORES,
    FOR_EXAMPLE,
    GOT,
    HENCE,
    IF,
    IS_BEFORE,
    JOINED,
    LEADING,
    LENGTH,
    MOVES,
    NAMED_LAST,
    NO_TAIL,
    NO_VALUE,
    OR,
    ORDERED,
    PREFERRED,
    REJECTED,
    SINGLE,
    VIA,
)
from benchloom.loaders.answers.listings import column, levels, numbered
from benchloom.loaders.answers.nodes import NODES, RUN, flattened, joined
from benchloom.loaders.answers.verdict import Extracted
from benchloom.loaders.answers.words import (
    HEDGE,
    OPEN_VALUE,
    REFUSAL,
    has_any,
    last_match,
    may_refuse,
    spelled_out,
    turns,
    with_plain_negations,
    without_rejected,
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
            if second is not None and OR.match(rest[: second.start()]):
                return left_open(text)
            return self._list(run[0], text, STATED)
        if self._words.least == 1:
            single = SINGLE.match(flat)
            if single is not None:
                return stated([int(single[1])], text)
        if NO_VALUE.match(text) and self._words.none is not None:
            return stated([], text)
        return self.statement(text)

    def statement(self, sentence: str) -> Found | None:
        """Returns the claim of a sentence that may be about anything."""
        sentence = without_rejected(with_plain_negations(spelled_out(sentence)))
        if "?" in sentence and (ASKED_NO.search(sentence) or ASKED_LIST.search(sentence)):
            return None
        found = self._claimed(sentence)
        if found is not None and FOR_EXAMPLE.match(sentence):
            # Not an example of what was asked for, if it joins other nodes.
            is_asked = found.value is None or self._is_asked(found.value)
            return Found(found.value, MENTIONED, found.reason) if is_asked else None
        return found

    def _claimed(self, sentence: str) -> Found | None:
        """Returns what a sentence claims, be it a list or that there is none."""
        words = self._words
        if may_refuse(sentence) and REFUSAL.search(sentence) and not OPEN_VALUE.search(sentence):
            return left_open(sentence, MENTIONED)
        if words.none is not None:
            if words.none(sentence):
                return left_open(sentence) if HEDGE.search(sentence) else stated([], sentence)
            if NO_TAIL.search(sentence[-30:]) and NO_VALUE.match(turns(sentence)[-1]):
                return None if OPEN_VALUE.search(sentence) else stated([], sentence)
        if DIGIT.search(sentence) is None:
            return None
        flat = flattened(sentence)
        if has_any(sentence, words.about):
            spoken = _after_other(flat, words)
            name = last_match(words.named, spoken)
            if name is not None:
                steps = last_match(EDGES, flat) if words.in_prose and " to " in flat else None
                if steps is not None and not OPEN_VALUE.search(flat):
                    return _walk(steps[0], sentence)
                found = self._named(spoken, sentence, name)
                if found is not None or not CHOSEN.search(flat):
                    return found
        runs = list(RUN.finditer(flat)) if JOINED.search(flat) else []
        found = self._chosen(flat, runs, sentence)
        if found is not None or not words.in_prose or not MOVES.search(sentence):
            return found
        if runs:
            is_open = OPEN_VALUE.search(sentence) is not None
            return None if is_open else self._list(runs[-1][0], sentence, MENTIONED)
        if EXPLORES.search(sentence) or OPEN_VALUE.search(sentence):
            return None
        path = [node for node, _ in groupby(int(node) for node in NODES.findall(flat))]
        if len(path) < words.least or (len(self._asked) == 2 and not self._is_asked(path)):
            return None
        return stated(path, sentence, MENTIONED)

    def bare(self, sentence: str) -> Found | None:
        """Returns the claim of a sentence that is nothing but a list."""
        sentence = without_rejected(sentence)
        if self._words.none is not None and NO_VALUE.match(sentence):
            return stated([], sentence, MENTIONED)
        if DIGIT.search(sentence) is None:
            return None
        lead = LEADING.match(sentence)
        flat = flattened(sentence[_end(lead) :])
        flat = flat.strip(" .,!*()[]{}<>✓✗\"'-")
        if self._words.in_prose and (steps := EDGES.fullmatch(flat)) is not None:
            return _walk(steps[0], sentence)
        run = RUN.match(flat)
        if run is not None and (run.end() >= len(flat) or LENGTH.fullmatch(flat, run.end())):
            found = self._list(run[0], sentence, MENTIONED)
            if lead is not None and _PART.search(lead[0]) and not self._is_asked(joined(run[0])):
                return None
            return found
        if (
            len(self._asked) == 2
            and "|" not in sentence
            and (pair := _PAIR.fullmatch(flat)) is not None
        ):
            nodes = [int(pair[1]), int(pair[2])]
            return stated(nodes, sentence, MENTIONED) if self._is_asked(nodes) else None
        return None

    def block(self, rows: list[str]) -> Found | None:
        """Returns the list that several lines together are, or the node that is all there is."""
        if rows and rows[-1].endswith((",", ":", "[", "(")):
            return None  # Broken off.
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

    def _is_asked(self, nodes: Extracted) -> bool:
        """Returns whether a list has the ends asked for; where none are, whether it is closed."""
        if not isinstance(nodes, list) or not nodes:
            return False
        if len(self._asked) == 1:
            return nodes[0] in self._asked
        if self._asked:
            return {nodes[0], nodes[-1]} == self._asked
        return len(nodes) > 3 and nodes[0] == nodes[-1]

    def _chosen(self, flat: str, runs: list[re.Match[str]], sentence: str) -> Found | None:
        """Returns the list that the writer says to have got or chosen."""
        for run in reversed(runs):
            got = GOT.search(flat, 0, run.start())
            if got is None and VIA.search(flat, 0, run.start()) and self._is_asked(joined(run[0])):
                got = run
            if got is None:
                continue
            begin = flat.rfind(", ", 0, got.start()) + 1
            if IF.search(flat) or OPEN_VALUE.search(flat, begin, run.start()):
                return None
            is_choice = CHOSEN.search(flat, begin, run.start()) or "in fact" in got[0]
            return self._list(run[0], sentence, STATED if is_choice else MENTIONED)
        return None

    def _named(self, flat: str, sentence: str, name: re.Match[str]) -> Found | None:
        """Returns the list that a sentence gives the name of the task's."""
        words = self._words
        runs = list(RUN.finditer(flat))
        runs = [run for run in runs if not REJECTED.match(flat, run.end())]
        preferred = [run for run in runs if PREFERRED.match(flat, run.end())]
        if words.narrow is not None and not preferred:
            runs = [
                run
                for run in runs
                if not words.narrow.search(flat, max(0, run.start() - 40), run.start())
                or NAMED_LAST.search(flat, 0, run.start())
                or (
                    ORDERED.search(flat, max(0, run.start() - 40), run.start())
                    and not ANOTHER.search(flat, max(0, run.start() - 40), run.start())
                )
            ]
        if OPEN_VALUE.search(flat, 0, runs[-1].start() if runs else len(flat)):
            return None
        placed = preferred or [
            run for run in runs if IS_BEFORE.search(flat, max(0, run.start() - 60), run.start())
        ]
        chosen = placed[-1] if placed else runs[0] if runs else None
        if chosen is None:
            if words.least == 1 and RUN.search(flat) is None:
                for single in reversed(list(SINGLE.finditer(flat, name.end()))):
                    if (
                        IS_BEFORE.search(flat, name.end(), single.start() + 1)
                        or flat[single.start()] in ":="
                    ):
                        return stated([int(single[1])], sentence, MENTIONED)
            return None
        if HEDGE.search(flat):
            return left_open(sentence)
        others = [run for run in runs if run.start() > chosen.start()]
        if others and OR.search(flat, chosen.end(), others[0].start()):
            return left_open(sentence)
        return self._list(chosen[0], sentence, self._weight(flat))

    def _weight(self, flat: str) -> int:
        """Returns how much a statement counts: less if it is about other nodes than asked."""
        if self._asked:
            for ends in ENDS.finditer(flat):
                if {int(node) for node in ends.groups() if node is not None} != self._asked:
                    return MENTIONED
        return STATED

    def _list(self, run: str, sentence: str, weight: int) -> Found | None:
        nodes = joined(run)
        return stated(nodes, sentence, weight) if len(nodes) >= self._words.least else None


def _after_other(flat: str, words: SequenceWords) -> str:
    """Returns the part of a sentence behind what it says of another list, mostly all of it.

    That is the last part of `DFS would give 0, 2, but BFS gives 0, 1`.
    """
    hence = last_match(HENCE, flat)
    if hence is None:
        return flat
    at = hence.start()
    if OPEN_VALUE.search(flat, 0, at) is None and HEDGE.search(flat, 0, at) is None:
        return flat
    rest = flat[hence.end() :]
    return rest if words.named.search(rest) and RUN.search(rest) else flat


_PAIR = re.compile(r"(\d{1,6})\s{1,3}(\d{1,6})")
_PART = re.compile(r"\b(?:visit|edges)")
"""Before a list that may be but a part of the one asked for."""


def _walk(steps: str, sentence: str) -> Found | None:
    """Returns the list that edges make, of which each begins where the one before ends."""
    edges = EDGE.findall(steps)
    if any(one[1] != two[0] for one, two in pairwise(edges)):
        return None
    return stated([int(edges[0][0]), *(int(edge[1]) for edge in edges)], sentence, MENTIONED)


def _end(found: re.Match[str] | None) -> int:
    return found.end() if found is not None else 0
