"""The final claim of a text: what all tasks have in common in looking for it.

A text is read sentence by sentence from its end. A sentence after which the writer corrected
himself counts only if nothing was claimed afterwards. Of the others an answer in a box or behind a
label (`Final answer: 3`) counts more than a statement (`The diameter is 3`), which counts more than
a mere number or list; of two that count the same the last one does.
"""

import re
from dataclasses import dataclass
from typing import Protocol

from benchloom.loaders.answers.text import BOX, BOX_END, backwards, lines
from benchloom.loaders.answers.verdict import Extracted
from benchloom.loaders.answers.words import last_match

LABELLED, STATED, MENTIONED = 3, 2, 1
"""How much a claim counts."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What an answer claims.

    Attributes:
        extracted: The claim in its task's form; None where nothing is claimed.
        reason: How it was found, or why nothing was.
    """

    extracted: Extracted
    reason: str


@dataclass(frozen=True, slots=True)
class Found:
    """What a sentence claims.

    Attributes:
        value: The claim; None for one that leaves open what it claims.
        weight: How much it counts.
        reason: How it was found.
    """

    value: Extracted
    weight: int
    reason: str


class Reader(Protocol):
    """Reads one kind of claim."""

    def value(self, text: str) -> Found | None:
        """Returns the claim of a text that is an answer, such as `yes` or `3 edges`."""

    def statement(self, sentence: str) -> Found | None:
        """Returns the claim of a sentence that may be about anything."""

    def bare(self, sentence: str) -> Found | None:
        """Returns the claim of a sentence that is nothing but a value."""

    def block(self, rows: list[str]) -> Found | None:
        """Returns the claim of several lines together."""


_ANSWER = (
    r"(?:(?:the|my|our|final|correct|short|overall|direct|best|numerical|numeric|actual)\s)*"
    r"(?:answers?|ans|solution|réponse|réponse finale|respuesta|respuesta final|antwort|resposta"
    r"|risposta|ответ)\b|(?:最终)?(?:答案|回答)|(?<![一-鿿])答(?=\s?:)|答え|정답|답(?=\s?[:은])"
)
_RESULT = (
    r"(?:(?:the|my|our|final|actual|expected)\s)*(?:outputs?|result|conclusion|verdict|returns"
    r"|prints)\b|结论|結論|输出|结果"
)
_VERB = (
    r"(?:\s?\([^()]{0,60}\))?(?:\s(?:to|for|of)\s[^.:=]{1,120}?(?=\s(?:is|are|should|must"
    r"|would)\s|:|=))?"
    r"\s{0,3}(?:(?:[:=]|->|[是为為](?=\s*+[\w:\[(])|は|은|는)|(?:\bis|\bare|\bwas|\bwould\sbe"
    r"|\bshould\sbe|\bmust\sbe"
    r"|\bremains|\bcan\sbe|\bbe|\best|\bes|\bist|\bé|\bè)\b)+[\s:=]*+"
    r"(?:(?:therefore|thus|hence|then|clearly|indeed|still|simply|that|just)\b[\s,:]*+)*"
)
_LABEL = re.compile(
    rf"(?P<answer>\b{_ANSWER}){_VERB}|(?P<result>\b{_RESULT})(?:{_VERB}|\s(?=true|false))"
    r"|\b(?P<run>code|program|script|function)\s(?:[a-z]{1,10}\s){0,4}?(?:returns?|prints?"
    r"|outputs?|gives)\s"
)
_SHORT_LABEL = re.compile(r"a\s?:\s*+")
_SAID = re.compile(
    r"\b(?:answer|say|respond|conclude)s?(?:\swith)?:?\s[\"']?(?=(?:yes|no)\b)(?!no\s\w)"
)
_OPEN = re.compile(r"\b(?:if|whether|unless|otherwise|suppose|supposing|assum\w{1,4}|else)\b")
_HINTS = (
    "answer",
    BOX,
    "ans",
    "solution",
    "respuesta",
    "réponse",
    "antwort",
    "ответ",
    "答",
    "답",
    "resposta",
    "risposta",
)
_LABEL_HINTS = (
    "answer",
    "ans",
    "sol",
    "output",
    "result",
    "return",
    "concl",
    "verdict",
    "prin",
    "antw",
    "resp",
    "risp",
)
_CORRECTION = re.compile(
    r"\bwait\b[\s,.!:\-]*+(?:(?:no|actually|hold on|sorry|but|hmm|let me)\b[\s,.!:\-]*+)*"
    r"|\bhmm+\b[\s,.!:]*+(?:no\b[\s,.!:]*+)?|^(?:oops|actually|correction|sorry)\b[\s,.:!\-]*+"
    r"(?:no\b[\s,.!:]*+)?"
    r"|\b(?:let me|let us|i will|i'll|let's)\s(?:re-?\w+|double-?\s?check|check\sagain|try\sagain"
    r"|correct|fix|verify)\b"
    r"|\bon second thought\b[\s,:]*+|\bscratch that\b[\s,:]*+|\bhold on\b[\s,.!:]*+"
    r"|\bi\s(?:misread|missed|miscounted|overlooked|forgot|mistakenly|was\swrong|misjudged)\b"
    r"|\b(?:wrong|incorrect|mistaken|mistake|error)\b"
)
_TAKEN_BACK = re.compile(
    r"\b(?:i|we)\s(?:have\s)?(?:made|was|were)\s(?:a|an)?\s?(?:\w{1,9}\s)?(?:mistake|wrong"
    r"|mistaken|error)\b"
    r"|\b(?:that|this|it|which|answer|the above|my (?:first|previous|initial|earlier) answer)\s"
    r"(?:is|was|were)\s(?:wrong|incorrect|not\s(?:right|correct)|a mistake)\b|\bmy mistake\b"
    r"|\bscratch that\b"
)
_CONCLUDING = re.compile(
    r"\W{0,3}(?:so|therefore|thus|hence|in conclusion|consequently|finally|overall)\b"
)
_NO_MISTAKE = re.compile(
    r"\b(?:no|not|without|any|avoid|nothing)\s(?:\w{1,9}\s)?(?:mistakes?|errors?|wrong"
    r"|incorrect)\b"
)


def final_claim(text: str, reader: Reader) -> Claim:
    """Returns the final claim of a text, as `text.plain` gives it."""
    rows = lines(text)
    best: Found | None = None
    for sentence, after in backwards(rows):
        spoken = sentence
        corrected, taken_back = False, False
        change = _change(sentence)
        if change is not None:
            corrected = True
            taken_back = _TAKEN_BACK.search(sentence) is not None
            spoken = sentence[change:]
        found = _read(spoken, reader, after) if spoken else None
        if found is not None and (best is None or _outweighs(found, best)):
            best = found
        if best is not None:
            if corrected or best.weight == LABELLED:
                break
            if best.weight == STATED and after == 0 and _CONCLUDING.match(spoken):
                break
            if best.weight == STATED and not any(hint in text for hint in _HINTS):
                break
        elif taken_back:
            return Claim(None, "the answer was taken back")
    if best is None or best.weight < STATED:
        best = reader.block(rows) or best
    if best is None:
        return Claim(None, "no claim was found")
    return Claim(best.value, best.reason)


def _outweighs(earlier: Found, later: Found) -> bool:
    """Returns whether a claim counts more than one that was made after it."""
    return earlier.weight > later.weight and (earlier.value is not None or later.value is None)


def _change(sentence: str) -> int | None:
    """Returns where a sentence goes on after the writer corrected himself."""
    found = None
    for one in _CORRECTION.finditer(sentence):
        if not _NO_MISTAKE.search(sentence, max(0, one.start() - 25), one.end()):
            found = one.end()
    return found


def _read(sentence: str, reader: Reader, after: int) -> Found | None:
    """Returns what a sentence claims."""
    if BOX in sentence:
        inside = sentence.rpartition(BOX)[2].partition(BOX_END)[0]
        found = reader.value(inside.strip())
        if found is not None:
            return Found(found.value, LABELLED, f"in a box: {_short(inside)}")
        sentence = sentence.replace(BOX, " ").replace(BOX_END, " ")
    elif BOX_END in sentence:
        sentence = sentence.replace(BOX_END, " ")
    label = _SHORT_LABEL.match(sentence)
    if label is None and (not sentence.isascii() or any(hint in sentence for hint in _LABEL_HINTS)):
        label = last_match(_LABEL, sentence)
    if label is None and ("yes" in sentence or "no" in sentence):
        label = _SAID.search(sentence)
    if label is not None and not _OPEN.search(sentence, 0, label.start()):
        found = reader.value(sentence[label.end() :].strip())
        if found is not None:
            weak = label.re is _LABEL and label["answer"] is None
            return Found(found.value, STATED if weak else LABELLED, f"labelled: {_short(sentence)}")
    if sentence.endswith("?"):
        return None
    found = reader.statement(sentence)
    if found is not None:
        return found
    found = reader.bare(sentence)
    if found is not None and after == 0 and found.weight == MENTIONED:
        return Found(found.value, STATED, found.reason)
    return found


def _short(text: str) -> str:
    """Returns a text as a reason shows it."""
    text = " ".join(text.replace(BOX, " ").replace(BOX_END, " ").split())
    return text if len(text) <= 120 else f"{text[:80]} ... {text[-35:]}"


def stated(value: Extracted, sentence: str, weight: int = STATED) -> Found:
    """Returns what a sentence claims, with the sentence as the reason."""
    return Found(value, weight, f"stated: {_short(sentence)}")


def left_open(sentence: str, weight: int = STATED) -> Found:
    """Returns that a sentence leaves open what it claims."""
    return Found(None, weight, f"left open: {_short(sentence)}")
