"""Forms of a final answer to GraphOmni that the strict grader accepts."""

import re

from benchloom.builders.graphomni.questions import WORDINGS
from benchloom.loaders.answers.forms import GRAPH, IS, LISTED, NUMBER, Forms

KINDS = {
    "bfs_order": "sequence",
    "connectivity": "yes_no",
    "cycle": "yes_no",
    "diameter": "number",
    "shortest_path": "sequence",
    "triangle": "number",
    "hamiltonian_cycle": "sequence",
    "max_cut": "cut",
}
"""What kind of answer each task has."""

_NONE = r"(?:none|no path|no (?:such )?path exists|no such cycle|\[\s?\])"
_LENGTH = (
    r"(?:,? (?:with|of) (?:an? )?(?:total )?(?:length|distance|cost)(?: of| =)? \d{1,6}"
    r"(?: edges?| steps?| hops?)?| \(\d{1,6} (?:edges?|steps?|hops?)\))?"
)
_INFINITE = r"inf|infinity|infinite"
_VALUES = {
    "bfs_order": LISTED,
    "connectivity": r"(?:yes|no|true|false)",
    "cycle": r"(?:yes|no|true|false)",
    "diameter": rf"(?:(?:{NUMBER}|{_INFINITE})(?: edges?| hops?)?)",
    "shortest_path": rf"(?:{LISTED}{_LENGTH}|{_NONE})",
    "triangle": rf"(?:{NUMBER}(?: (?:distinct |unique )?triangles?)?|no triangles)",
    "hamiltonian_cycle": rf"(?:{LISTED}|{_NONE})",
    "max_cut": rf"\(?\d{{1,6}}(?: edges)?\s?[:;,]\s?(?:(?:the |one )?side\s?[:=]?\s?)?{LISTED}\)?",
}
_VERDICT = r"(?:(?:yes|no), )?"
_PAIR = r"(?:the )?(?:nodes? )?\d{1,6} (?:and|to) (?:node )?\d{1,6}"
_FROM = rf"(?: (?:from|between) {_PAIR})?"
_SOME = r"(?:exactly |only |just |in total |a total of )?"
_A_OR_NO = (
    r"there(?: is|'s| exists| isn't| is not| must be| does exist) (?:an?|no|any|at least one)"
)
_THIS = r"(?:the|this) (?:given )?graph"
_TRIANGLES = r"(?:distinct |unique )?triangles?"
_COUNTED = rf"{_SOME}(?:no|{NUMBER}) {_TRIANGLES}"
_START = r"(?:,? (?:(?:starting|beginning) )?(?:from|at|with) (?:node )?\d{1,6})?"
_SENTENCES: dict[str, tuple[str, ...]] = {
    "bfs_order": (
        r"(?:(?:the|a|one) )?(?:(?:valid|possible|final|resulting|complete|correct) )?"
        r"(?:(?:bfs|breadth[ -]first(?: search)?)(?: traversal)?(?: order| sequence)?"
        rf"|traversal(?: order)?|order){_START}{GRAPH}{IS}{LISTED}",
    ),
    "connectivity": (
        rf"{_VERDICT}{_A_OR_NO} (?:path|route) (?:between|from) {_PAIR}{GRAPH}"
        rf"(?:: {LISTED})?",
        rf"{_VERDICT}(?:a|no) path exists (?:between|from) {_PAIR}{GRAPH}",
        rf"{_VERDICT}{_PAIR} are (?:not )?connected{GRAPH}",
        rf"{_VERDICT}(?:node )?\d{{1,6}} (?:is|is not|isn't) reachable from (?:node )?\d{{1,6}}",
        rf"{_VERDICT}(?:node )?\d{{1,6}} (?:can|can't|cannot|can not) be reached from (?:node )?"
        r"\d{1,6}",
        rf"{_VERDICT}{_PAIR} (?:are|lie|belong to)(?: in)? (?:the same|different|separate)"
        rf" (?:connected )?components?{GRAPH}",
    ),
    "cycle": (
        rf"{_VERDICT}{_A_OR_NO} cycle{GRAPH}",
        rf"{_VERDICT}there (?:are no|are not any|aren't any) cycles{GRAPH}",
        rf"{_VERDICT}{_THIS} (?:contains|has|does not contain|does not have|doesn't contain"
        r"|doesn't have) (?:an?|any|no|at least one) cycles?",
        rf"{_THIS} is (?:not (?:a?cyclic|a tree|a forest)|cycle-free|not cycle-free)",
        rf"(?:a|no) cycle exists{GRAPH}",
        rf"{_VERDICT}{_THIS} is (?:a?cyclic|a tree|a forest)",
    ),
    "diameter": (
        rf"(?:(?:the|its|the graph's) )?(?:correct )?diameter{GRAPH}{IS}(?:equal to )?(?:{NUMBER}"
        rf"|{_INFINITE})(?: edges?| hops?)?",
        rf"(?:{_THIS}|it) has (?:a )?diameter (?:of )?{NUMBER}",
    ),
    "shortest_path": (
        rf"(?:(?:the|a|one) )?(?:shortest )?(?:path|route){_FROM}{GRAPH}{IS}{LISTED}{_LENGTH}",
        rf"(?:the|a) shortest path{_FROM}{GRAPH} has (?:a )?length (?:of )?\d{{1,6}}: {LISTED}",
        rf"{_VERDICT}there is no path (?:between|from) {_PAIR}{GRAPH}",
        rf"no path exists (?:between|from) {_PAIR}{GRAPH}",
    ),
    "triangle": (
        rf"(?:the )?(?:total |final )?(?:number|count) of {_TRIANGLES}{GRAPH}{IS}{NUMBER}",
        rf"there (?:is|are) {_COUNTED}{GRAPH}(?: in total)?",
        rf"{_THIS} (?:has|contains) {_COUNTED}(?: in total)?",
        rf"{_THIS} is triangle-free",
        rf"{_THIS} (?:does not|doesn't) (?:have|contain) any triangles",
        rf"triangles?(?: count)?\s?[:=]\s?{NUMBER}",
    ),
    "hamiltonian_cycle": (
        r"(?:(?:the|a|one) )?(?:(?:valid|possible|such) )?(?:hamiltonian )?cycle"
        rf"{GRAPH}{IS}{LISTED}",
        rf"{_VERDICT}{_A_OR_NO} hamiltonian cycle{GRAPH}",
        rf"no hamiltonian cycle exists{GRAPH}",
        rf"{_THIS} (?:isn't|is not) hamiltonian|{_THIS} is non-hamiltonian",
        rf"{_THIS} (?:has no|does not have a|doesn't have a) hamiltonian cycle",
    ),
    "max_cut": (
        r"(?:the )?(?:size of the )?(?:max(?:imum)?|largest)[ -]cut(?: size)?"
        r"(?:\s?(?:is|has size|has|of size|:|=))?\s?\d{1,6}(?: edges)?"
        r",?(?: and| with)? (?:the |one )?side(?: is| of)?\s?[:=]?\s?(?:the nodes )?"
        rf"{LISTED}",
    ),
}


_HAS = r"(?:contains|has|does not contain|does not have|doesn't contain|doesn't have|must have)"
_CONCLUDED: dict[str, tuple[str, ...]] = {
    "diameter": (rf"(?:we (?:have|get|obtain)|it has) a diameter of {NUMBER}", rf"it is {NUMBER}"),
    "connectivity": (
        r"(?:a|no) path exists",
        rf"{_A_OR_NO} (?:path|route)",
        r"(?:they|the (?:two )?nodes) are (?:not )?(?:connected|disconnected)",
        rf"{_PAIR} (?:are|lie|belong to) (?:in )?(?:the same|different|separate) components?",
        r"(?:node )?\d{1,6} (?:can|can't|cannot|can not) be reached from (?:node )?\d{1,6}",
    ),
    "cycle": (
        rf"(?:{_THIS}|it) {_HAS} (?:an?|any|no|at least one) cycles?",
        rf"(?:{_THIS}|it) is (?:not )?(?:acyclic|cyclic|a tree|a forest|cycle-free)",
        r"(?:an?|no) cycles? (?:exists?|must exist|was found)",
        r"(?:no )?cycle",
    ),
    "triangle": (
        rf"(?:we (?:have|find|get)|it has) {_COUNTED}",
        rf"the (?:total|count)(?: number)? (?:is|becomes) {NUMBER}",
        rf"(?:{_THIS}|it) is triangle-free",
    ),
    "hamiltonian_cycle": (rf"(?:{_THIS}|it) is (?:not |non-)hamiltonian", r"there is none"),
}
"""Sentences that answer where `so` or the like stands before them."""


def _exemplars(task: str) -> list[str]:
    """Returns the patterns of the sentences with which exemplars answer."""
    patterns = []
    for pattern in WORDINGS[task].answers.values():
        text = re.escape(pattern.lower().rstrip("."))
        for name in ("source", "target"):
            text = text.replace(re.escape(f"{{{name}}}"), r"\d{1,6}")
        text = text.replace(re.escape("{answer}"), _VALUES[task])
        text = text.replace(re.escape("{size}"), r"\d{1,6}").replace(re.escape("{side}"), LISTED)
        patterns.append(text)
    return patterns


_FORMS = {
    task: Forms(_VALUES[task], [*_exemplars(task), *_SENTENCES[task]], _CONCLUDED.get(task, ()))
    for task in KINDS
}


def accepted_form(task: str, text: str) -> str | None:
    """Returns the answer in an accepted form with which a text ends, None if it has none.

    Accepted are the answer alone, in a box or behind `Answer:` and its like, the sentence with
    which the exemplars answer, and some that say the same (`there are no triangles`).

    Args:
        task: The task.
        text: What `text.plain` gives.
    """
    return _FORMS[task].final(text)
