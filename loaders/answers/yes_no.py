"""Yes or no, out of free text: the words of a task are its `YesNoWords`."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from benchloom.loaders.answers.claims import MENTIONED, STATED, Found, left_open, stated
from benchloom.loaders.answers.words import (
    HEDGE,
    OPEN,
    REFUSAL,
    clauses,
    has_any,
    is_one_clause,
    may_refuse,
    spelled_out,
    with_plain_negations,
)
from benchloom.loaders.answers.yes_no_forms import (
    AFTER_NO,
    AFTER_TRUE,
    ALTERNATIVES,
    ASIDE,
    BUT,
    CALLED_FALSE,
    CHOICE,
    CONCEDED_FIRST,
    CONCEDED_LAST,
    CONCESSION_HINTS,
    CONNECTING,
    DOUBT,
    ELLIPSIS,
    ELLIPSIS_FIRST,
    ELLIPSIS_JOINTS,
    FALSE_HINTS,
    FALSE_THAT,
    IMPOSSIBLE,
    IS_NAMED,
    NEGATED,
    NOT_BUT,
    NOT_IMPOSSIBLE,
    PATH,
    PRONOUN_HINTS,
    QUESTION,
    QUESTION_SIGNS,
    QUOTED_QUESTION,
    VALUE,
    WITNESS,
    YES_NO_HINTS,
)


@dataclass(frozen=True, slots=True)
class YesNoWords:
    """The words in which a yes/no question is answered without yes or no.

    All patterns are looked for in a clause, in lower case without contractions.

    Attributes:
        about: Words of which a clause has one, if it says anything about the question; substrings.
        denied: What says no.
        affirmed: What says yes, where nothing in the clause says no.
        ignored: What is taken out of a clause before, such as `no direct edge`.
        narrow: What makes a clause one about a part (`containing node 3`), so that a no in it is
            none to the question.
        label_denies: Words of a label (`acyclic: ✓`) by which a yes behind it means no.
        witness: Names before a list of nodes that shows a yes (`path: 4, 2, 7`).
        doubled: Double negations (`not acyclic`), which say yes.
        pronouns: What stands for the question's subject and verb where no more is said (`There is
            not`): a pattern that the pair of both matches.
        alone: Whether a pronoun and a verb are an answer with nothing before them.
    """

    about: tuple[str, ...]
    denied: re.Pattern[str]
    affirmed: re.Pattern[str]
    ignored: re.Pattern[str] | None = None
    narrow: re.Pattern[str] | None = None
    label_denies: re.Pattern[str] | None = None
    witness: re.Pattern[str] | None = None
    doubled: re.Pattern[str] | None = None
    pronouns: re.Pattern[str] | None = None
    alone: bool = False


class YesNoReader:
    """Reads yes and no.

    Args:
        words: The task's words.
        is_about: Whether a clause is about what was asked, where a clause can be about other
            nodes; None if all are.
        ends: Two nodes; a path written with arrows from one to the other says yes.
    """

    def __init__(
        self,
        words: YesNoWords,
        is_about: Callable[[str], bool] | None = None,
        ends: Sequence[int] = (),
    ) -> None:
        self._words = words
        self._ends = ends
        self._is_about = is_about

    def value(self, text: str) -> Found | None:
        """Returns the claim of a text that is an answer."""
        text = _plain(text)
        if ALTERNATIVES.search(text[:200]):
            return left_open(text)
        direct = self._direct(text)
        said = self._said(text)
        if direct is None:
            return self._asked(text) or said or self._shown(text)
        if said is not None and said.value != direct:
            return left_open(text)
        return stated(direct, text)

    def statement(self, sentence: str) -> Found | None:
        """Returns the claim of a sentence that may be about anything."""
        sentence = _plain(sentence)
        lead = CONNECTING.match(sentence)
        rest = sentence[lead.end() :] if lead else sentence
        if ("yes" in sentence or "true" in sentence) and ALTERNATIVES.search(sentence):
            return left_open(sentence)
        asked = self._asked(rest)
        if asked is None and "?" in sentence:
            asked = self._elliptic(sentence)
        if asked is not None:
            return asked
        direct = self._direct(rest)
        if (
            direct is None
            and self._is_about is not None
            and is_one_clause(sentence)
            and "?" not in sentence
            and not self._is_about(sentence)
        ):
            return None
        said = self._said(sentence if direct is None else rest)
        if direct is not None:
            if said is not None and said.value is not None and said.value != direct:
                return left_open(sentence)
            # `Yes, the degrees agree, but ...` says yes to something else.
            weight = STATED if said is not None or BUT.search(rest) is None else MENTIONED
            return stated(direct, sentence, weight)
        if said is not None:
            return said
        short = self._elliptic(sentence)
        if short is not None:
            return short
        if may_refuse(sentence) and REFUSAL.search(sentence) and not OPEN.search(sentence):
            return left_open(sentence, MENTIONED)
        if not sentence.isascii() or has_any(sentence.replace("node", ""), YES_NO_HINTS):
            for part in clauses(sentence)[1:]:
                last = self._direct(part.strip(" ,"))
                if last is not None and OPEN.search(part) is None:
                    return stated(last, sentence)
        if self._words.witness is not None and has_any(sentence, (":", "=", " is ")):
            for name in self._words.witness.finditer(sentence):
                found = self._shown(sentence[name.end() :])
                if found is not None and not OPEN.search(sentence):
                    return found
        if self._ends and "->" in sentence and not OPEN.search(sentence):
            for path in PATH.finditer(sentence):
                nodes = [int(node) for node in _DIGITS.findall(path[0])]
                if {nodes[0], nodes[-1]} == set(self._ends) and "not" not in sentence:
                    return stated("Yes", sentence, MENTIONED)
        return None

    def bare(self, sentence: str) -> Found | None:
        """Returns the claim of a sentence that is nothing but a path between the nodes asked."""
        if self._is_about is None or "-" not in sentence:
            return None
        found = self._shown(sentence)
        return None if found is None else Found(found.value, MENTIONED, found.reason)

    def _elliptic(self, sentence: str) -> Found | None:
        """Returns what a sentence says that ends in a pronoun and a verb: `so there is none`."""
        words = self._words
        if words.pronouns is None or not has_any(sentence, PRONOUN_HINTS):
            return None
        pattern = ELLIPSIS if has_any(sentence, ELLIPSIS_JOINTS) else ELLIPSIS_FIRST
        if (found := pattern.fullmatch(sentence)) is None:
            return None
        who, verb, what = found["who"], found["verb"], (found["what"] or "").strip()
        if not found["before"] and (not words.alone or (who == "it" and what)):
            return None
        if who != "none" and words.pronouns.fullmatch(f"{who} {verb}") is None:
            return None
        if what == "none" and verb not in ("is", "are", "has", "have", "exists", "exist"):
            return None
        if who in ("there", "we", "i") and verb in ("has", "have") and not what:
            return None
        denied = (found["not"] is not None) != (what == "none" or who == "none")
        at = max(
            found.start("who") - 30,
            *(sentence.rfind(sign, 0, found.start("who")) for sign in ("?", ", and ", ", but ")),
        )
        if OPEN.search(sentence, max(0, at)) or HEDGE.search(sentence):
            return None
        return stated("No" if denied else "Yes", sentence, MENTIONED)

    def _shown(self, text: str) -> Found | None:
        """Returns a yes that a list of nodes shows, such as a path."""
        if WITNESS.fullmatch(text) is None:
            return None
        if self._is_about is not None and not self._is_about(
            text.replace("[", "").replace("(", "")
        ):
            return None
        return stated("Yes", text)

    def _asked(self, sentence: str) -> Found | None:
        """Returns the answer behind a question or a label: `is it connected? no`, `cycle: ✗`."""
        found = QUESTION.match(sentence) if has_any(sentence, QUESTION_SIGNS) else None
        if found is None or not has_any(found["label"], self._words.about):
            return None
        none = found["said"].strip(" .!") in ("0", "zero")
        direct = "No" if none else self._direct(found["said"])
        if direct is None or OPEN.search(found["label"]):
            return None
        if self._words.narrow is not None and self._words.narrow.search(found["label"]):
            return None
        if self._is_about is not None and not self._is_about(found["label"]):
            return None
        if found["said"][0] == "✗" and NEGATED.search(found["label"]):
            # `not isomorphic ✗`: the cross stands for the no that was said.
            return None
        denies = self._words.label_denies
        if denies is not None and not found["arrow"] and denies.search(found["label"]):
            direct = "No" if direct == "Yes" else "Yes"
        return stated(direct, sentence)

    def block(self, rows: list[str]) -> Found | None:
        """Returns nothing: no claim takes several lines."""
        return None

    def _direct(self, text: str) -> str | None:
        """Returns the yes or no with which a text begins."""
        found = VALUE.match(text)
        if found is None:
            return None
        word = found["yes"] or found["no"]
        after = found.end()
        if word in ("true", "false", "correct", "是", "有", "存在", "negative", "affirmative"):
            if not AFTER_TRUE.match(text, after):
                return None
        elif IS_NAMED.match(text, after):
            # `Yes would need more edges`
            return None
        elif word in "✓✗":
            # A tick decorates what follows it, and stands for itself only alone.
            return None if text[after:].strip(" .!") else ("Yes" if word == "✓" else "No")
        elif (found["no"] and not AFTER_NO.match(text, after)) or (
            word in ("ja", "tak", "non", "sim", "si", "nie") and text[after:].strip()[:1].isalpha()
        ):
            return None
        return "Yes" if found["yes"] else "No"

    def _said(self, sentence: str) -> Found | None:
        """Returns what the clauses of a sentence say; of several the last one's.

        Asides and concessions count only where nothing else says anything.
        """
        words = self._words
        if "?" in sentence:
            sentence = QUOTED_QUESTION.sub(" ", sentence)
        if not has_any(sentence, words.about):
            return None
        if "possible" in sentence or "able to" in sentence or "fail" in sentence:
            sentence = NOT_IMPOSSIBLE.sub("can", sentence)
            sentence = IMPOSSIBLE.sub("can not", sentence)
        is_false = False
        if has_any(sentence, FALSE_HINTS):
            called = CALLED_FALSE.search(sentence)
            is_false = called is not None and not sentence[called.end() :].strip(" .!\"'")
            sentence = FALSE_THAT.sub(_IS_FALSE, sentence)
        if words.ignored is not None:
            sentence = words.ignored.sub(" ", sentence)
        if words.doubled is not None and "no" in sentence:
            sentence = words.doubled.sub(_AFFIRMED, sentence)
        main = ASIDE.sub("", sentence) if "(" in sentence else sentence
        conceded = CONCEDED_FIRST.match(main) if "," in main else None
        main = main[conceded.end() :] if conceded is not None else main
        if has_any(main, CONCESSION_HINTS):
            main = CONCEDED_LAST.sub("", main)
        found = self._in_clauses(main, is_false)
        if found is None and main != sentence:
            found = self._in_clauses(sentence, is_false)
        return found

    def _is_asked(self, clause: str) -> bool:
        return self._is_about is None or self._is_about(clause)

    def _in_clauses(self, sentence: str, is_false: bool) -> Found | None:
        words = self._words
        for clause in reversed(clauses(sentence)):
            flips = (clause.count(_IS_FALSE) % 2 == 1) != (
                is_false or CALLED_FALSE.search(clause) is not None
            )
            if _AFFIRMED in clause and not OPEN.search(clause) and self._is_asked(clause):
                return stated("No" if flips else "Yes", _shown(sentence))
            if not has_any(clause, words.about) or not self._is_asked(clause):
                continue
            denied = words.denied.search(clause) is not None
            if not denied and words.affirmed.search(clause) is None:
                continue
            if OPEN.search(clause):
                continue
            if denied and words.narrow is not None and words.narrow.search(clause):
                at = words.denied.search(clause)
                before = clause[: at.start()] if at is not None else ""
                rest = clause[_ends(words.denied, clause) :].partition(",")[2]
                if not any(
                    words.affirmed.search(part) and not words.narrow.search(part)
                    for part in (before, rest)
                ):
                    continue
                denied = False
            if HEDGE.search(clause) or DOUBT.search(clause):
                return left_open(_shown(sentence))
            return stated("No" if denied != flips else "Yes", _shown(sentence))
        return None


_DIGITS = re.compile(r"\d+")
_AFFIRMED, _IS_FALSE = " \ue002 ", " \ue003 "
"""What stands for a double negation, and for `it is false that`."""


def _shown(sentence: str) -> str:
    return sentence.replace(_AFFIRMED, " ").replace(_IS_FALSE, " not: ")


def _plain(text: str) -> str:
    """Returns a text without contractions, and without what it says the answer is not."""
    text = with_plain_negations(spelled_out(text))
    if "yes" in text:
        text = NOT_BUT.sub("", CHOICE.sub("", text))
    return text


def _ends(pattern: re.Pattern[str], text: str) -> int:
    found = pattern.search(text)
    return found.end() if found is not None else 0
