"""Accepted forms of a final answer to VGA: what the strict grader asks for besides a claim."""

import re

from benchloom.loaders.answers.text import BOX, BOX_END, bare_line, lines

_LABEL = r"(?:(?:the )?(?:final |correct )?answer\s?(?:is|:)(?:\s?:)?\s?|a\s?:\s?)"
_OPEN, _CLOSE = r"[\"'{]{0,2}", r"[\"'}]{0,2}"
_END = r"[\s.!]*+"
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[a-z\ue000])")
_N = r"\(?-?\d{1,4}(?:\.0+)?\)?"
_GRAPHS = r"(?:the )?(?:two |given )?graphs"
_GRAPH = r"(?:the|this) (?:given )?graph(?: in the picture)?"
_INSIDE = rf"(?: in {_GRAPH})?"
_BETWEEN = r"(?: between (?:them|the (?:two )?(?:marked )?(?:nodes|squares)))?"
_OF_GRAPH = rf"(?: (?:of|in) {_GRAPH})?"
_FORMS: dict[str, tuple[str, tuple[str, ...]]] = {
    "iso": (
        r"(?:yes|no)",
        (
            rf"(?:yes, )?{_GRAPHS} are isomorphic",
            rf"(?:no, )?{_GRAPHS} are (?:not |non-)isomorphic",
        ),
    ),
    **{
        f"ham_{kind}": (
            r"(?:yes|no)",
            (
                rf"(?:yes, )?(?:{_GRAPH} has a hamiltonian {kind}"
                rf"|there is a hamiltonian {kind}{_INSIDE}|a hamiltonian {kind} exists{_INSIDE})",
                rf"(?:no, )?(?:{_GRAPH} (?:has no|(?:does not|doesn't) have a) hamiltonian {kind}"
                rf"|there is no hamiltonian {kind}{_INSIDE}|no hamiltonian {kind} exists{_INSIDE})",
            ),
        )
        for kind in ("path", "cycle")
    },
    "shortest_path": (
        _N,
        (
            rf"(?:the )?(?:length of (?:the|a) )?shortest path(?: length)?{_BETWEEN} (?:is|=) {_N}",
            rf"(?:the|a) shortest path{_BETWEEN} has (?:length {_N}|{_N} edges?)",
        ),
    ),
    "chordless_cycle": (
        _N,
        (
            rf"(?:the )?(?:length of (?:the|a) )?(?:longest|biggest|largest) chordless cycle"
            rf"{_OF_GRAPH} (?:is|=) {_N}",
            rf"the (?:longest|biggest|largest) chordless cycle{_OF_GRAPH} has"
            rf" (?:length {_N}|{_N} nodes)",
        ),
    ),
}
_LEAD = r"(?:(?:so|therefore|thus|hence),? )?"
_BARE = {
    kind: re.compile(rf"{BOX}?\s*+{_OPEN}{value}{_CLOSE}{_END}{BOX_END}?{_END}")
    for kind, (value, _) in _FORMS.items()
}
_BOXED = {
    kind: re.compile(rf"{BOX}\s*+{_OPEN}{value}{_CLOSE}{_END}{BOX_END}{_END}")
    for kind, (value, _) in _FORMS.items()
}
_FINAL = {
    kind: re.compile(
        rf"(?:{_LABEL}{BOX}?\s*+{_OPEN}{value}{_CLOSE}{_END}{BOX_END}?"
        rf"|{_LABEL}?{_LEAD}(?:{'|'.join(sentences)})){_END}"
    )
    for kind, (value, sentences) in _FORMS.items()
}


def has_accepted_form(task: str, text: str) -> bool:
    """Returns whether a text ends with an answer in a form that the strict grader accepts.

    That is: the whole text is nothing but the answer; or its last line, or the last sentence of
    it, is the answer in a box or behind `Answer:`, `Final answer:` or `The answer is`, or says it
    in the question's own words (`The graphs are not isomorphic`).

    Args:
        task: The task.
        text: The text as `with_plain_words` gives it.
    """
    kind = "iso" if task in ("easy_iso", "hard_iso") else task
    rows = lines(text)
    if not rows:
        return False
    last = bare_line(rows[-1])
    if len(rows) > 1 and re.fullmatch(r"(?:the )?(?:final )?answer\s?:?", bare_line(rows[-2])):
        last = f"answer: {last}"
    if len(rows) == 1 and _BARE[kind].fullmatch(last):
        return True
    boxed = last.rfind(BOX)
    if boxed >= 0 and _BOXED[kind].fullmatch(last, boxed):
        return True
    return any(_FINAL[kind].fullmatch(one) for one in (last, _SENTENCE_END.split(last)[-1]))
