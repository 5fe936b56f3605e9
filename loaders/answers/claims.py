"""The final claim of a text: what all tasks have in common in looking for it.

A text is read sentence by sentence from its end. A sentence after which the writer corrected
himself counts only if nothing was claimed afterwards. Of the others an answer in a box or behind a
label (`Final answer: 3`) counts more than a statement (`The diameter is 3`), which counts more than
a mere number or list; of two that count the same the last one does.
"""

import re
from dataclasses import dataclass
from typing import Protocol

from benchloom.loaders.answers.text import (
    BOX,
    BOX_END,
    SENTENCE_END,
    backwards,
    bare_line,
    lines,
)
from benchloom.loaders.answers.verdict import Extracted
from benchloom.loaders.answers.words import GENERAL, last_match, turns

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
    r"\b(?:answer|say|respond|conclude|go|going)s?(?:\swith)?:?\s[\"']?(?=(?:yes|no)\b)(?!no\s\w)"
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
_OPENING = re.compile(
    r"(?:a|(?:the\s)?(?:final\s|short\s)?answer|ans|response|reply|solution|output|result"
    r"|explanation|reasoning|assistant)\s?[:.]\s*+(?=\S)"
)
"""A label before all that is answered: what follows need not be a claim."""
_FIRST_OF_LIST = re.compile(r"1[.)]\s")
_MOST_WORDS = 4
_MOST_WORDS_LABELLED = 9
_CLAUSE_END = re.compile(r"[,;:.]\s|\s(?:because|since|as|so)\s")
_WORDS = re.compile(r"[a-z]{2,}")
_OPTION_LETTER = re.compile(
    r"(?:(?:option|choice)\s)?(?:\([a-f]\)|[a-f]\)|(?<=option\s)[a-f]|[b-f]\.)[\s:,.\-]{1,4}(?=[\w\[(\"'])"
)
_CONDITIONAL = re.compile(r"\b(?:if|otherwise|else|when|depending)\b")
_EXPLAINS = re.compile(
    r"(?:(?:brief |short |detailed )?(?:explanation|justification|rationale|proof|remarks?|notes?)"
    r"|reasoning|why)\b(?:\s\w{1,12}){0,2}\s?:|(?:explanation|justification|reasoning)$"
)
_GIVEN_UP = re.compile(
    r"\b(?:at first(?: glance| sight)?|initially|i (?:was (?:going|about|tempted) to"
    r"|(?:first |initially |originally )(?:thought|considered|assumed|said|believed|tried))"
    r"|(?:one|you|we) (?:might|may|could) (?:think|say|expect|guess|believe|assume)"
    r"|it (?:might|may|would) (?:seem|appear|look)|some (?:would|might|may) say)\b.*?"
    r"(?:$|\b(?:but|however|yet|in fact|actually|in reality|on closer \w+|then i)\b,?\s*+"
    r"(?:on closer \w+,?\s)?)"
)
"""A first idea that is given up, up to where the writer turns from it."""
_VERDICT = re.compile(r"(?:(?:final )?answer\s?:\s)?[\"'(]?(?P<said>yes|no)\b[\"')]?(?=\s?[.,;:!\-]|$)")
_ABOUT_ALL = re.compile(r"\b(?:this|the|given) graph\b(?! (?:of|on|with))|\bbetween\b|\bthe graphs\b")
_NO_MISTAKE = re.compile(
    r"\b(?:no|not|without|any|avoid|nothing)\s(?:\w{1,9}\s)?(?:mistakes?|errors?|wrong"
    r"|incorrect)\b"
)


def final_claim(text: str, reader: Reader) -> Claim:
    """Returns the final claim of a text, as `text.plain` gives it."""
    rows = _label_apart(lines(text))
    best, is_sure = _last_claim(rows, reader)
    if not is_sure and len(rows) > 1 and best is not None and (at := _explained(rows)):
        before, _ = _last_claim(rows[:at], reader)
        if before is not None and before.value is not None and before.weight >= STATED:
            best = before
    if not is_sure and best is not None and (opening := _opening(rows, reader)) is not None:
        best = opening if opening.value != best.value else best
    if best is None or best.weight < STATED:
        best = reader.block(rows) or best
    if best is None:
        return Claim(None, "no claim was found")
    return Claim(best.value, best.reason)


def _last_claim(rows: list[str], reader: Reader) -> tuple[Found | None, bool]:
    """Returns the last claim of lines, and whether nothing said before can count more."""
    is_hinted = any(hint in row for row in rows for hint in _HINTS)
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
                return best, True
            if best.weight == STATED and after == 0 and _CONCLUDING.match(spoken):
                return best, True
            if best is found and _VERDICT.fullmatch(spoken.rstrip(" .!")):
                return best, True
            if best.weight == STATED and not is_hinted:
                return best, False
        elif taken_back:
            return Found(None, LABELLED, "the answer was taken back"), True
    return best, False


def _label_apart(rows: list[str]) -> list[str]:
    """Returns lines with a label that stands before the whole answer on a line of its own."""
    if not rows:
        return rows
    first = bare_line(rows[0])
    found = _OPENING.match(first)
    if found is None:
        return rows
    rest = first[found.end() :]
    is_list = len(rows) > 1 and _FIRST_OF_LIST.match(rest)
    if len(rows) == 1 and not is_list and len(_WORDS.findall(rest)) <= _MOST_WORDS:
        return rows
    return [first[: found.end()].strip(), rest, *rows[1:]]


def _explained(rows: list[str]) -> int:
    """Returns the number of the line after the first with which an explanation begins, or 0."""
    for i in range(len(rows) - 1, 0, -1):
        if _EXPLAINS.match(bare_line(rows[i])):
            return i
    return 0


def _opening(rows: list[str], reader: Reader) -> Found | None:
    """Returns the verdict with which an answer opens, if nothing said later takes it back."""
    first = bare_line(rows[0])
    if first.endswith(":") and len(rows) > 1:
        first = bare_line(rows[1])
    if _VERDICT.match(first) is None:
        return None
    if any(_change(row) is not None for row in rows):
        return None
    return reader.value(SENTENCE_END.split(first)[0])


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
        said = sentence[label.end() :].strip()
        if (option := _OPTION_LETTER.match(said)) is not None:
            said = said[option.end() :]
        weak = label.re is _LABEL and label["answer"] is None
        found = None if weak and _CONDITIONAL.search(said) else reader.value(said)
        if found is not None:
            weight = STATED if weak or _is_long(said) else LABELLED
            return Found(found.value, weight, f"labelled: {_short(sentence)}")
    if sentence.endswith("?"):
        return None
    if GENERAL.match(sentence):
        # What follows from it can be a claim: `A tree has no cycle, so this graph has none.`
        sentence = sentence[len(turns(sentence)[0]) :]
        if not sentence:
            return None
    if (given_up := _GIVEN_UP.search(sentence)) is not None:
        sentence = sentence[given_up.end() :]
        if not sentence:
            return None
    found = reader.statement(sentence)
    if found is not None:
        return found
    found = reader.bare(sentence)
    if found is not None and after == 0 and found.weight == MENTIONED:
        return Found(found.value, STATED, found.reason)
    return found


def _is_long(said: str) -> bool:
    """Returns whether what follows a label is more than an answer: an argument begins there."""
    clause = _CLAUSE_END.split(said, 1)[0]
    return len(_WORDS.findall(clause)) > _MOST_WORDS_LABELLED


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
