"""Final answers in well-known forms: what a strict grader asks for besides a claim."""

import re
from collections.abc import Sequence

from benchloom.loaders.answers.text import BOX, BOX_END, bare_line, lines
from benchloom.loaders.answers.words import NUMBER_WORD

NUMBER = rf"\(?(?:-?\d(?:[\d,_ ]{{0,20}}\d)?(?:\.0+)?|(?:{NUMBER_WORD})\b)\)?"
"""A whole number in digits or words."""
_NODE = r"(?:node\s)?\d{1,6}"
LISTED = (
    rf"[\[({{]{{0,2}}\s?{_NODE}(?:[\])}}]?(?:\s?(?:[,;>]|-{{1,2}}>?)\s{{0,2}}(?:and\s)?"
    rf"|\s(?:and\s)?)[\[({{]?{_NODE})*\s?[\])}}]{{0,2}}"
)
"""A list of nodes."""
GRAPH = r"(?: (?:in|of|for) (?:the|this) (?:given |undirected )?graph(?: in the picture)?)?"
IS = r"\s?(?:is|are|equals|:|=)\s?(?:therefore |thus |hence |indeed |exactly |just )?[:=]?\s?"
"""What joins the name of a value and the value."""

_LEAD = (
    r"(?:(?:so|therefore|thus|hence|finally|overall|consequently|as a result|in conclusion"
    r"|in summary|to conclude|conclusion|in total|and)\b[,:]?\s*+)"
)
_LABEL = (
    r"(?:(?:(?:the|my|our) )?(?:final |correct )?answer(?: to (?:the|this) question)?"
    r"\s?(?:is|:)(?:\s?:)?\s?|(?:the )?(?:final )?(?:result|output)\s?:\s?|a\s?:\s?)"
)
_ASIDE = r"(?:\s?\([^()]{1,120}\))?"
_END = r"[\s.!✓]*+"
_CLAUSE = re.compile(
    r"(?<=[.!?])\s(?=[a-z\ue000])|(?<=[,;:])\s(?=(?:so|therefore|thus|hence)\b|(?:the"
    r"|my) (?:final |correct )?answer\b)"
)
_LABEL_LINE = re.compile(r"(?:the )?(?:final )?answer\s?:?")
_LONGEST = 600


def _one_line(row: str) -> str:
    """Returns the end of a line, with single spaces."""
    return " ".join(bare_line(row)[-_LONGEST:].split())


class Forms:
    """The forms in which the final answer to a question is given.

    Args:
        value: The pattern of a bare answer, in lower case.
        sentences: Patterns of sentences that answer.
        concluded: Patterns of sentences that answer where `so` or the like stands before them.
    """

    def __init__(self, value: str, sentences: Sequence[str], concluded: Sequence[str] = ()) -> None:
        quoted = rf"[\"'{{]{{0,2}}{value}[\"'}}]{{0,2}}"
        boxed = rf"{BOX}\s*+{quoted}{_END}{BOX_END}{_END}"
        sentence = rf"(?:{'|'.join(sentences)})"
        weak = rf"(?:{'|'.join(concluded) or '(?!)'})"
        self._bare = re.compile(rf"{boxed}|{quoted}{_END}")
        self._boxed = re.compile(boxed)
        self._final = re.compile(
            rf"(?:{_LEAD}*(?:{_LABEL}{_LEAD}*(?:{quoted}|{sentence}|{weak})|{sentence})"
            rf"|{_LEAD}+{weak}){_ASIDE}{_END}"
        )

    def final(self, text: str) -> str | None:
        """Returns the answer in a well-known form with which a text ends, None if it has none.

        That is: the whole text, if it is nothing but the answer; or its last line, sentence or
        clause, if that is the answer in a box or behind `Answer:`, `Final answer:` or `The answer
        is`, or is one of the sentences, maybe with `so` or the like before it and a remark in
        parentheses behind it. Nothing may follow.

        Args:
            text: What `text.plain` gives.
        """
        rows = lines(text)
        if not rows:
            return None
        last = _one_line(rows[-1])
        if len(rows) == 1 and self._bare.fullmatch(last):
            return last
        boxed = last.rfind(BOX)
        if boxed >= 0 and self._boxed.fullmatch(last, boxed):
            return last[boxed:]
        if len(rows) > 1:
            before = _one_line(rows[-2])
            if _LABEL_LINE.fullmatch(before):
                last = f"answer: {last}"
            elif before.endswith((":", " is")):
                last = f"{before} {last}"
        while True:
            if self._final.fullmatch(last.replace(BOX, "").replace(BOX_END, "")):
                return last
            last, whole = _CLAUSE.split(last, 1)[-1], last
            if last == whole:
                return None
