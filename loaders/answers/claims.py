"""The final claim of a text: what all tasks have in common in looking for it.

A text is read sentence by sentence from its end. A sentence after which the writer corrected
himself counts only if nothing was claimed afterwards. Of the others an answer in a box or behind a
label (`Final answer: 3`) counts more than a statement (`The diameter is 3`), which counts more than
a mere number or list; of two that count the same the last one does.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from benchloom.loaders.answers.claim_words import (
    ASKED_LIST,
    CLAUSE_END,
    CONCLUDING,
    CONDITIONAL,
    CORRECTION,
    CORRECTION_HINTS,
    EXPLAINS,
    EXPLAINS_HINTS,
    FIRST_OF_LIST,
    GIVEN_UP,
    GIVEN_UP_HINTS,
    HINTS,
    LABEL,
    LABEL_HINTS,
    LAST_NO,
    MOST_BEFORE,
    MOST_WORDS,
    MOST_WORDS_LABELLED,
    NO_MISTAKE,
    NOTED,
    OPEN,
    OPENING,
    OPTION_LETTER,
    PRONOUN,
    SAID,
    SAID_OF_CLAIM,
    SHORT_ANSWER,
    SHORT_LABEL,
    SIDE_NOTE,
    TAKEN_BACK,
    VALUE_FIRST,
    VERDICT,
    WORDS,
)
from benchloom.loaders.answers.text import (
    BOX,
    BOX_END,
    backwards,
    bare_line,
    lines,
    sentences,
)
from benchloom.loaders.answers.verdict import Extracted
from benchloom.loaders.answers.words import GENERAL, has_any, last_match, turns

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


def final_claim(text: str, reader: Reader) -> Claim:
    """Returns the final claim of a text, as `text.plain` gives it."""
    rows, opening_row = _label_apart(lines(text))
    best, is_sure = _last_claim(rows, reader, opening_row)
    if not is_sure and len(rows) > 1 and best is not None and (at := _explained(rows, text)):
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


def _last_claim(rows: list[str], reader: Reader, opening_row: int = 0) -> tuple[Found | None, bool]:
    """Returns the last claim of lines, and whether nothing said before can count more."""
    best: Found | None = None
    later, is_looked_for = "", False
    may_change = True

    def is_needless(row: str) -> bool:
        """Returns whether a line says nothing that counts more than what was found."""
        return is_looked_for and not (
            has_any(row, HINTS) or (may_change and has_any(row, CORRECTION_HINTS))
        )

    for sentence, after in backwards(rows, is_needless):
        spoken = sentence
        corrected, taken_back = False, False
        change = _change(sentence) if may_change else None
        if change is not None:
            corrected = True
            taken_back = TAKEN_BACK.search(sentence) is not None
            spoken = sentence[change:]
            if not later and not spoken.strip(" .!,") and LAST_NO.search(sentence):
                # `Answer: yes. Actually, no.`
                found = reader.value("no")
                if found is not None and found.value == "No":
                    return found, True
        is_opening = after >= len(rows) - 2 - opening_row
        found = _read(spoken, reader, after, is_opening) if spoken else None
        if found is None and best is None and "whether" in spoken and SHORT_ANSWER.match(later):
            found = reader.statement(f"{spoken.rstrip(' .')}? {later}")
        later = sentence
        if found is not None and spoken.startswith("(") and _is_side_note(spoken):
            found = Found(found.value, MENTIONED, found.reason)
        if found is not None and (best is None or _outweighs(found, best)):
            best = found
        if best is not None:
            if corrected or best.weight == LABELLED:
                return best, True
            if best.weight == STATED and after == 0 and CONCLUDING.match(spoken):
                return best, True
            if best is found and VERDICT.fullmatch(spoken.rstrip(" .!")):
                return best, True
            if best.weight == STATED and not is_looked_for:
                is_looked_for = True
                text = "\n".join(rows)
                if not has_any(text, HINTS):
                    return best, False
                may_change = has_any(text, CORRECTION_HINTS)
        elif taken_back:
            return Found(None, LABELLED, "the answer was taken back"), True
    return best, False


def _is_side_note(sentence: str) -> bool:
    return SIDE_NOTE.fullmatch(sentence) is not None and len(NOTED.findall(sentence)) > 1


def _label_apart(rows: list[str]) -> tuple[list[str], int]:
    """Returns lines with a label that opens the answer on a line of its own, and that line.

    The label stands on the first line, or on one after the question, which some answers repeat.
    """
    for i, row in enumerate(rows[:MOST_BEFORE]):
        if ":" not in row:
            continue
        first = bare_line(row)
        found = OPENING.match(first)
        if found is None:
            continue
        rest = first[found.end() :]
        is_list = i + 1 < len(rows) and FIRST_OF_LIST.match(rest) is not None
        if i + 1 == len(rows) and not is_list and len(WORDS.findall(rest)) <= MOST_WORDS:
            break
        return [*rows[:i], first[: found.end()].strip(), rest, *rows[i + 1 :]], i
    return rows, 0


def _explained(rows: list[str], text: str) -> int:
    """Returns the number of the line after the first with which an explanation begins, or 0."""
    if not has_any(text, EXPLAINS_HINTS):
        return 0
    for i in range(len(rows) - 1, 0, -1):
        if EXPLAINS.match(bare_line(rows[i])):
            return i
    return 0


def _opening(rows: list[str], reader: Reader) -> Found | None:
    """Returns the verdict with which an answer opens, if nothing said later takes it back."""
    first = bare_line(rows[0])
    if first.endswith(":") and len(rows) > 1:
        first = bare_line(rows[1])
    if VERDICT.match(first) is None:
        return None
    if any(_change(row) is not None for row in rows):
        return None
    return reader.value(sentences(first)[0])


def _outweighs(earlier: Found, later: Found) -> bool:
    """Returns whether a claim counts more than one that was made after it."""
    return earlier.weight > later.weight and (earlier.value is not None or later.value is None)


def _change(sentence: str) -> int | None:
    """Returns where a sentence goes on after the writer corrected himself."""
    found = None
    if not has_any(sentence, CORRECTION_HINTS):
        return None
    for one in CORRECTION.finditer(sentence):
        if SAID_OF_CLAIM.search(sentence, 0, one.start()):
            continue
        if not NO_MISTAKE.search(sentence, max(0, one.start() - 25), one.end()):
            found = one.end()
    return found


def _read(sentence: str, reader: Reader, after: int, is_opening: bool = False) -> Found | None:
    """Returns what a sentence claims.

    Args:
        sentence: The sentence.
        reader: Reads the task's claims.
        after: How many lines follow.
        is_opening: Whether it stands at the beginning, where a label is often only a heading.
    """
    if BOX in sentence:
        inside = sentence.rpartition(BOX)[2].partition(BOX_END)[0]
        found = reader.value(inside.strip())
        if found is not None:
            return Found(found.value, LABELLED, f"in a box: {_short(inside)}")
        sentence = sentence.replace(BOX, " ").replace(BOX_END, " ")
    elif BOX_END in sentence:
        sentence = sentence.replace(BOX_END, " ")
    for label in _labels(sentence):
        if OPEN.search(sentence, 0, label.start()):
            continue
        said = _claimable(sentence[label.end() :].strip())
        if said.endswith("?"):
            continue
        if (option := OPTION_LETTER.match(said)) is not None:
            said = said[option.end() :]
        weak = label.re is LABEL and label["answer"] is None
        found = None if weak and CONDITIONAL.search(said) else reader.value(said)
        if found is not None and found.value == [] and ASKED_LIST.search(sentence):
            continue  # `Is it 0, 1, 2? The answer is no.`
        if found is not None:
            if is_opening and "final" not in label[0] and not VALUE_FIRST.match(said):
                weak = True
            weight = STATED if weak or _is_long(said) else LABELLED
            return Found(found.value, weight, f"labelled: {_short(sentence)}")
    if sentence.endswith("?"):
        return None
    if ":" in sentence and (heading := OPENING.match(sentence)) is not None:
        sentence = sentence[heading.end() :]
    sentence = _claimable(sentence)
    if not sentence:
        return None
    found = reader.statement(sentence)
    if found is not None:
        return found
    found = reader.bare(sentence)
    if found is not None and after == 0 and found.weight == MENTIONED:
        return Found(found.value, STATED, found.reason)
    return found


def _labels(sentence: str) -> Iterator[re.Match[str]]:
    """Yields the labels in a sentence behind which an answer can stand, the likeliest first."""
    label = None
    if not sentence.isascii() or has_any(sentence, LABEL_HINTS):
        label = last_match(LABEL, sentence)
        if label is not None:
            yield label
    if (short := SHORT_LABEL.match(sentence)) is not None:
        yield short
    elif label is None and ("yes" in sentence or "no" in sentence):
        label = SAID.search(sentence)
        if label is not None:
            yield label


def _claimable(sentence: str) -> str:
    """Returns a sentence without what is said of all graphs, and without ideas given up.

    What follows from it can be a claim: `A tree has no cycle, so this graph has none.`
    """
    if GENERAL.match(sentence):
        sentence = sentence[len(turns(sentence)[0]) :]
    if not has_any(sentence, GIVEN_UP_HINTS):
        return sentence
    if (given_up := GIVEN_UP.search(sentence)) is not None:
        sentence = sentence[given_up.end() :]
        if PRONOUN.match(sentence):
            return f"so {sentence}"
    return sentence


def _is_long(said: str) -> bool:
    """Returns whether what follows a label is more than an answer: an argument begins there."""
    clause = CLAUSE_END.split(said, 1)[0]
    return len(WORDS.findall(clause)) > MOST_WORDS_LABELLED


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
