"""Accepted forms of a final answer: what the strict grader asks for besides a claim."""

import re

from benchloom.builders.graphomni.questions import WORDINGS
from benchloom.loaders.answers.text import BOX, bare_line, lines

_LISTED = r"[\[({]{0,2}\s*+\d{1,6}(?:[\s\])}]*+(?:->|,|-+>?|;|\s)[\s(\[{]*+\d{1,6})*\s*+[\])}]{0,2}"
_NONE = r"none|no path|no such cycle|\[\s?\]"
_NUMBER = r"\(?-?\d[\d,_ ]*+(?:\.0+)?\)?"
_VALUES = {
    "yes_no": r"(?:yes|no)",
    "number": rf"(?:{_NUMBER}|inf|infinity|infinite)",
    "sequence": rf"(?:{_LISTED}|{_NONE})",
    "cut": rf"\(?\d{{1,6}}\s?[:;,]\s?(?:side\s)?{_LISTED}\)?",
}
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

_LABEL = r"(?:(?:the )?(?:final |correct )?answer\s?(?:is|:)(?:\s?:)?\s?|a\s?:\s?)"
_END = r"[\s.!]*+"
_LABEL_LINE = re.compile(r"(?:the )?(?:final )?answer\s?:?")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[a-z\ue000])")


def _sentences(task: str, value: str) -> str:
    """Returns the pattern of the sentences with which exemplars answer."""
    patterns = []
    for pattern in WORDINGS[task].answers.values():
        text = re.escape(pattern.lower().rstrip("."))
        for name in ("source", "target"):
            text = text.replace(re.escape(f"{{{name}}}"), r"\d{1,6}")
        text = text.replace(re.escape("{answer}"), value)
        text = text.replace(re.escape("{size}"), r"\d{1,6}").replace(re.escape("{side}"), _LISTED)
        patterns.append(text)
    lead = r"(?:(?:so|therefore|thus|hence),? )?"
    return f"{lead}(?:{'|'.join(patterns)})"


_FORMS = {
    task: re.compile(
        rf"(?:(?:{_LABEL})?\ue000?\s*+[\"']?{_VALUES[kind]}[\"']?{_END}\ue001?"
        rf"|(?:{_LABEL})?{_sentences(task, _VALUES[kind])}){_END}"
    )
    for task, kind in KINDS.items()
}
_BARE = {
    task: re.compile(rf"\ue000?\s*+[\"']?{_VALUES[kind]}[\"']?{_END}\ue001?{_END}")
    for task, kind in KINDS.items()
}
_BOXED = {
    task: re.compile(rf"\ue000\s*+[\"']?{_VALUES[kind]}[\"']?{_END}\ue001{_END}")
    for task, kind in KINDS.items()
}


def accepted_form(task: str, text: str) -> str | None:
    """Returns the answer in an accepted form with which a text ends, None if it has none.

    That is: the whole text, if it is nothing but the answer; or its last line or the last sentence
    of it, if that is the answer in a box or behind `Answer:`, `Final answer:` or `The answer is`,
    or is the sentence with which the exemplars answer.

    Args:
        task: The task.
        text: What `text.plain` gives.
    """
    rows = lines(text)
    if not rows:
        return None
    last = bare_line(rows[-1])
    if len(rows) > 1 and _LABEL_LINE.fullmatch(bare_line(rows[-2])):
        last = f"answer: {last}"
    if len(rows) == 1 and _BARE[task].fullmatch(last):
        return last
    boxed = last.rfind(BOX)
    if boxed >= 0 and _BOXED[task].fullmatch(last, boxed):
        return last[boxed:]
    for candidate in (last, _SENTENCE_END.split(last)[-1]):
        if _FORMS[task].fullmatch(candidate) and not _BARE[task].fullmatch(candidate):
            return candidate
    return None
