"""The words in which traversals, paths and Hamiltonian cycles are given or said not to exist."""

import re
from collections.abc import Callable
from dataclasses import replace

from benchloom.loaders.answers.nodes import RUN
from benchloom.loaders.answers.sequences import SequenceWords
from benchloom.loaders.answers.words import OPEN, has_any, turns
from benchloom.loaders.answers.yes_no_forms import CALLED_FALSE, FALSE_HINTS, FALSE_THAT
from benchloom.loaders.answers.yes_no_words import DENIED_PATH, NOT_DENIED

_NO_CYCLE = re.compile(
    r"\b(?:no|not any|without|zero|lacks?|neither|nor)\s(?:\w{1,12}\s){0,3}?(?:hamiltonian"
    r"|cycle|hamilton|such cycle)"
    r"|\b(?:not|never|impossible)\b[^.;]{0,60}?\b(?:hamiltonian|hamilton cycle)\b"
    r"|\bhamilton(?:ian)?(?:\s(?:cycle|circuit))?s?\b[^.;]{0,60}?\b(?:(?:not"
    r"|never)\s(?:\w{1,10}\s)?(?:exist|possible|found|be|present|contain)|is impossible"
    r"|none)"
    r"|\bimpossible\b[^.;]{0,40}\bcycle\b|^\W{0,3}none (?:exists?|is possible|can exist)\b"
    r"|\bnon-?\s?hamiltonian\b|\bcycle\s?[:=]\s?(?:none|null|no\b|\[\s?\])"
    r"|\b(?:is|there is|:)\s(?:none|no such cycle)\b"
    r"|^\W{0,3}no,? (?:it|one|such an? \w+) (?:does|can) not (?:exist|be found)\b"
)
_NO_PATH = re.compile(
    DENIED_PATH
    + r"|\b(?:path|route)\s?(?:is\s?)?[:=]?\s?(?:none|null|n/a|empty|\[\s?\]|does not exist)"
    r"|^\W{0,3}no,? (?:it|one|such an? \w+) (?:does|can) not (?:exist|be found)\b"
)
_NOT_NO_PATH = re.compile(
    NOT_DENIED
    + r"|\bno (?:\w{1,12}\s)?(?:path|route)s? (?:of|with|via|using|shorter|longer|is shorter"
    r"|can be shorter)\b[^.;]{0,40}"
    r"|\bno (?:shorter|better|other|alternative|longer|direct|quicker)\b[^.;]{0,40}"
    r"|\b(?:no|not)\b[^.;]{0,30}\b(?:shorter|better|direct)\b|\bnot (?:the )?(?:shortest"
    r"|connected to any other|unique)\b[^.;]{0,20}"
)


_TO_DO = re.compile(
    r"(?<=\bimpossible)(?: for [^,;]{1,30}?)? to (?:find|have|form|construct|build|make|complete"
    r"|trace)\b"
)
_NEGATIVE = (
    "no", "un", "dis", "with", "lack", "imposs", "isolated", "separate", "inacc", "two",
    "differ", "never", "fail", "nei", "null", "[", "不", "没", "无", "zero", "absence",
)  # fmt: skip
"""What a sentence has that says there is none; substrings."""


def _denial(
    denied: re.Pattern[str],
    ignored: re.Pattern[str] | None = None,
    is_about: Callable[[str], bool] | None = None,
) -> Callable[[str], bool]:
    """Returns what tells whether a sentence says that there is no such list."""

    def says_none(sentence: str) -> bool:
        if not has_any(sentence, _NEGATIVE):
            return False
        if has_any(sentence, FALSE_HINTS) and (
            FALSE_THAT.search(sentence) or CALLED_FALSE.search(sentence)
        ):
            return False
        kept = ignored.sub(" ", sentence) if ignored is not None else sentence
        kept = _TO_DO.sub(" ", kept) if "impossible" in kept else kept
        return any(
            denied.search(clause) is not None
            and OPEN.search(clause) is None
            and (is_about is None or is_about(clause))
            for clause in turns(kept)
        )

    return says_none


BFS = SequenceWords(
    about=("bfs", "breadth", "顺序", "遍历", "order", "traversal", "sequence", "output", "visit"),
    named=re.compile(
        r"顺序|遍历|\b(?:bfs|breadth[\s-]first(?:\ssearch)?|(?:visit(?:ing|ed)?|final|resulting"
        r"|complete)\s(?:order|sequence|list|path|traversal)|traversal\s?(?:order|sequence"
        r"|list|path)?"
        r"|order(?:\s(?:of\s)?(?:visit(?:ed|ing)?|traversal))?|sequence"
        r"|traversal)(?![a-z])(?! level| tree| queue)"
    ),
    narrow=re.compile(
        r"\b(?:other|alternative|dfs|depth|comparison|instead|whereas|queue|neighbou?rs?|adjacent"
        r"|enqueue[ds]?|dequeue[ds]?|levels?|layers?|unvisited"
        r"|set|adds?|adding|added|so far|edges?|mark(?:ed)?"
        r"|push(?:ed)?|pop(?:ped)?|adjacency|remaining|connected to|children|currently|current"
        r"|visited\s?[:=(])\b[^.;\d]{0,30}(?:\bof \d+\W{0,3})?$|visited\s?[:=]\s?[\[{(]*$"
        r"|queue\s?[:=]?\s?[\[{(]*$"
    ),
    least=1,
    in_prose=False,
    in_levels=True,
)
_PATH = SequenceWords(
    about=("path", "route", "路径", "short", "go ", "via", "sequence", "walk", "reach"),
    named=re.compile(r"\b(?:path|route|shortest|shorter one|better one|sequence|walk)\b|路径"),
    narrow=re.compile(
        r"\b(?:queue|neighbou?rs?|adjacent|enqueue[ds]?|dequeue[ds]?|levels?|visited|edges?"
        r"|mark(?:ed)?|adjacency|connected to|longer|shorter than|instead of"
        r"|than|unlike|rather than|partial|so far|not|other|another|alternative|also"
        r"|predecessors?|parents?|lengths?|distances?)\b(?<!number of edges)(?<!fewest edges)"
        r"(?<!least edges)(?<!minimal edges)(?<!minimum edges)[^.;:\d]{0,30}(?:\bof \d+\W{0,3})?$"
        r"|(?:visited|queue)\s?[:=]\s?[\[{(]*$"
    ),
    in_prose=True,
)
HAMILTON = SequenceWords(
    about=("cycle", "hamilton", "circuit", "path", "tour", "order", "sequence"),
    named=re.compile(r"\b(?:cycle|hamiltonian|hamilton|circuit|tour|sequence|order)\b"),
    narrow=re.compile(
        r"\b(?:queue|neighbou?rs?|adjacent|edges?|adjacency|connected to|partial|so far|not"
        r"|than|degrees?|visited|triangle|backtrack)\b[^.;:\d]{0,30}$"
    ),
    none=_denial(_NO_CYCLE, re.compile(r"\bno (?:other|longer|more|further|repeated|direct)\b")),
    least=3,
    in_prose=True,
    closes=re.compile(
        rf"\bpath\s?:\s?(?P<nodes>{RUN.pattern})(?:(?!\b(?:not?|never|fails?)\b)[^:]){{1,200}}?"
        r"\b(?:closes|returns to|back to)\b"
    ),
)


def shortest_path(is_about: Callable[[str], bool] | None) -> SequenceWords:
    """Returns the words of shortest paths.

    Args:
        is_about: Whether a clause is about the nodes asked about; None if all are.
    """
    return replace(_PATH, none=_denial(_NO_PATH, _NOT_NO_PATH, is_about))
