"""Yes or no, out of free text: the words of a task are its `YesNoWords`."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from benchloom.loaders.answers.claims import MENTIONED, Found, left_open, stated
from benchloom.loaders.answers.words import HEDGE, OPEN, REFUSAL, clauses, spelled_out

_YES = (
    r"yes|yeah|yep|yup|affirmative|true|correct|✓|sí|oui|ja|sim|да|evet|tak"
    r"|是的|是|有|对|存在|はい|예|네"
)
_NO = (
    r"none|no|nope|negative|false|✗|non|nein|não|nie|нет|hayır"
    r"|不是|否|没有|沒有|无|不存在|いいえ|아니오|아니요"
)
_VALUE = re.compile(
    rf"[\s\"'(\[{{.,:*\->=]*+(?:[✓✗]\s*+(?=[\"'(]?\w))?[\"'(]?(?:the\s)?(?:(?P<yes>{_YES})"
    rf"|(?P<no>{_NO}))(?![\w\-])"
)
_CONNECTING = re.compile(
    r"(?:(?:so|thus|therefore|hence|ok|okay|well|and|but|overall|finally|of course"
    r"|absolutely|certainly|definitely|(?:yes,?\s)?(?:that|this|it) is (?:right|correct)"
    r"|sure|great|then|now|right"
    r"|in conclusion|to conclude|in summary|to summarize|in short|conclusion|summary|clearly|indeed"
    r"|answer|final answer|in this case|for this graph)\b[\s,:!.\-]*+)*"
)
_CHOICE = re.compile(r"\(?yes\s?(?:/|or)\s?no\)?(?=\s?[:?])")
_ALTERNATIVES = re.compile(
    r"\b(?:yes\s?(?:/|\bor\b|\band\b|,)\s?(?:\"|')?no\b|no\s?(?:/|\bor\b|\band\b)\s?(?:\"|')?yes\b"
    r"|true\s?(?:/|\bor\b)\s?false|both yes and no)"
)
# What may follow a `no` that is an answer, and not the beginning of `no direct edge ...`.
_AFTER_NO = re.compile(
    r"[\s\"')\]}]*+(?:$|[,.;:!\-(✗✓]|there\b|this\b|it\b|the\b|that\b|node \d|they\b"
    r"|because\b|since\b"
    r"|as\b|you\b|we\b|based\b|i\b|both\b|these\b|in\b|given\b|according\b|by\b|no\b|is\b)"
)
_QUESTION = re.compile(
    rf"(?P<label>[^?:=]{{1,200}})(?:\?\s?(?:->)?|\s(?=[✓✗])|[:=](?![^:=?]*+[:=?])"
    rf"|(?P<arrow>->))[\s\"'(]*+(?P<said>(?:{_YES}|{_NO}|0|zero)(?![\w\-]).*)"
)
_FALSE_THAT = re.compile(r"\b(?:not (?:the case|true)|false) that\b")
_FALSE = re.compile(
    rf"{_FALSE_THAT.pattern}|\b(?:statement|claim|assertion|proposition)\b.{{0,200}}\b(?:is"
    r"|:)\s(?:false|incorrect"
    r"|not true|wrong)\b"
)
_WITNESS = re.compile(r"[\[(]?\d{1,6}(?:\s*+(?:->|,|-)\s*+\d{1,6})+[\])]?[\s.]*+")
_PATH = re.compile(r"\d{1,6}(?:\s?->\s?(?:node\s)?\d{1,6})+")
_AFTER_TRUE = re.compile(r"[\s\"')\]}.!]*+(?:$|[,.;:!\-(]|indicating|because|since|meaning|as\b)")


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
    """

    about: tuple[str, ...]
    denied: re.Pattern[str]
    affirmed: re.Pattern[str]
    ignored: re.Pattern[str] | None = None
    narrow: re.Pattern[str] | None = None
    label_denies: re.Pattern[str] | None = None
    witness: re.Pattern[str] | None = None


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
        text = _CHOICE.sub("", spelled_out(text))
        if _ALTERNATIVES.search(text[:200]):
            return left_open(text)
        direct = self._direct(text)
        said = self._said(text)
        if direct is None:
            return said or self._shown(text) or self._asked(text)
        if said is not None and said.value != direct:
            return left_open(text)
        return stated(direct, text)

    def statement(self, sentence: str) -> Found | None:
        """Returns the claim of a sentence that may be about anything."""
        sentence = _CHOICE.sub("", spelled_out(sentence))
        lead = _CONNECTING.match(sentence)
        rest = sentence[lead.end() :] if lead else sentence
        if _ALTERNATIVES.search(sentence):
            return left_open(sentence)
        asked = self._asked(rest)
        if asked is not None:
            return asked
        direct = self._direct(rest)
        said = self._said(sentence if direct is None else rest)
        if direct is not None:
            if said is not None and said.value is not None and said.value != direct:
                return left_open(sentence)
            return stated(direct, sentence)
        if said is not None:
            return said
        if REFUSAL.search(sentence) and not OPEN.search(sentence):
            return left_open(sentence, MENTIONED)
        for part in clauses(sentence)[1:]:
            last = self._direct(part.strip(" ,"))
            if last is not None and OPEN.search(part) is None:
                return stated(last, sentence)
        if self._words.witness is not None:
            for name in self._words.witness.finditer(sentence):
                found = self._shown(sentence[name.end() :])
                if found is not None and not OPEN.search(sentence):
                    return found
        if self._ends and "->" in sentence and not OPEN.search(sentence):
            for path in _PATH.finditer(sentence):
                nodes = [int(node) for node in _NODE.findall(path[0])]
                if {nodes[0], nodes[-1]} == set(self._ends) and "not" not in sentence:
                    return stated("Yes", sentence, MENTIONED)
        return None

    def bare(self, sentence: str) -> Found | None:
        """Returns the claim of a sentence that is nothing but a path between the nodes asked."""
        if self._is_about is None or "-" not in sentence:
            return None
        found = self._shown(sentence)
        return None if found is None else Found(found.value, MENTIONED, found.reason)

    def _shown(self, text: str) -> Found | None:
        """Returns a yes that a list of nodes shows, such as a path."""
        if _WITNESS.fullmatch(text) is None:
            return None
        if self._is_about is not None and not self._is_about(
            text.replace("[", "").replace("(", "")
        ):
            return None
        return stated("Yes", text)

    def _asked(self, sentence: str) -> Found | None:
        """Returns the answer behind a question or a label: `is it connected? no`, `cycle: ✗`."""
        found = _QUESTION.match(sentence)
        if found is None or not any(word in found["label"] for word in self._words.about):
            return None
        none = found["said"].strip(" .!") in ("0", "zero")
        direct = "No" if none else self._direct(found["said"])
        if direct is None or OPEN.search(found["label"]):
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
        found = _VALUE.match(text)
        if found is None:
            return None
        word = found["yes"] or found["no"]
        after = found.end()
        if word in ("true", "false", "correct", "是", "有", "存在", "negative", "affirmative"):
            if not _AFTER_TRUE.match(text, after):
                return None
        elif word in "✓✗":
            # A tick decorates what follows it, and stands for itself only alone.
            return None if text[after:].strip(" .!") else ("Yes" if word == "✓" else "No")
        elif (found["no"] and not _AFTER_NO.match(text, after)) or (
            word in ("ja", "tak", "non", "sim", "si", "nie") and text[after:].strip()[:1].isalpha()
        ):
            return None
        return "Yes" if found["yes"] else "No"

    def _said(self, sentence: str) -> Found | None:
        """Returns what the clauses of a sentence say; of several the last one's."""
        words = self._words
        if not any(word in sentence for word in words.about):
            return None
        is_false = _FALSE.search(sentence) is not None
        if is_false:
            sentence = _FALSE_THAT.sub(" ", sentence)
        if words.ignored is not None:
            sentence = words.ignored.sub(" ", sentence)
        for clause in reversed(clauses(sentence)):
            if not any(word in clause for word in words.about):
                continue
            denied = words.denied.search(clause) is not None
            if not denied and words.affirmed.search(clause) is None:
                continue
            if OPEN.search(clause):
                continue
            if denied and words.narrow is not None and words.narrow.search(clause):
                rest = clause[_ends(words.denied, clause) :].partition(",")[2]
                if words.affirmed.search(rest) is None or words.narrow.search(rest):
                    continue
                denied = False
            if self._is_about is not None and not self._is_about(clause):
                continue
            if HEDGE.search(clause):
                return left_open(sentence)
            return stated("No" if denied != is_false else "Yes", sentence)
        return None


def _ends(pattern: re.Pattern[str], text: str) -> int:
    found = pattern.search(text)
    return found.end() if found is not None else 0


def nodes_in(clause: str) -> list[int]:
    """Returns the nodes that a clause names; counts such as `3 edges` are none."""
    return [int(found) for found in _NODE.findall(_COUNTED.sub(" ", clause))]


_NODE = re.compile(r"(?<![\d.])\d{1,6}(?![\d.]*\d)")
_COUNTED = re.compile(
    r"\b\d{1,6}\s?(?:-\s?)?(?:edges?|hops?|steps?|nodes?|vertices|paths?|components?|connected)\b"
    r"|\b(?:through|via|using|passing|along)\s(?:nodes?\s|vertex\s"
    r"|vertices\s)?\d{1,6}(?:\s?(?:,|->|-|,?\s?and)\s?(?:node\s)?\d{1,6}){0,20}"
    r"|\b(?:length|distance|depth|level|component|components|set|group|block"
    r"|step)s?\s(?:of\s|is\s|=\s?)?#?\d{1,6}"
    r"(?:\s(?:and|or)\s#?\d{1,6})?|[\[({][^\])}]{0,400}[\])}]"
)


def about_pair(asked: Sequence[int]) -> Callable[[str], bool] | None:
    """Returns whether a clause is about the two nodes that were asked about.

    It is if it names both, or no other node than these. Without nodes asked about: None.
    """
    pair = set(asked)
    if len(pair) != 2:
        return None

    def is_about(clause: str) -> bool:
        named = set(nodes_in(clause))
        return pair <= named or named <= pair

    return is_about
