"""Yes or no, out of free text: the words of a task are its `YesNoWords`."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from benchloom.loaders.answers.claims import MENTIONED, STATED, Found, left_open, stated
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
    r"|answer|final answer|in this case|for this graph|(?:it|this|that) is(?= [\"']?(?:yes|no)\b(?! \w)))\b[\s,:!.\-]*+)*"
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
    rf"|(?<!\d )(?<!\d)(?P<arrow>->))[\s\"'(]*+(?P<said>(?:{_YES}|{_NO}|0|zero)(?![\w\-]).*)"
)
_FALSE_THAT = re.compile(r"\b(?:not (?:the case|true)|false) that\b")
_FALSE = re.compile(
    rf"{_FALSE_THAT.pattern}|\b(?:statement|claim|assertion|proposition)\b.{{0,200}}\b(?:is"
    r"|:)\s(?:false|incorrect"
    r"|not true|wrong)\b"
)
_IMPOSSIBLE = re.compile(
    r"\b(?:(?:it is|that is|is|was|are)\s)?(?:impossible|(?:not|never|no longer) possible)\s"
    r"(?:for\s(?:[\w-]+\s){1,4}?)?to\b"
    r"(?!\s(?:\w+ly\s)?(?:determine|say|tell|know|answer|decide|conclude|compute|be (?:sure|certain)))"
)
"""`it is impossible for this graph to` have: `can not` have."""
_ASIDE = re.compile(r"\s?\([^()]*[a-z]{2}[^()]*\)")
_CONCESSION = r"(?:even though|even if|although|though|while|whereas|despite|unlike|in contrast to)"
_CONCEDED_FIRST = re.compile(
    rf"(?:\W|\b(?:so|and|but|thus|hence|therefore)\b)*+(?:{_CONCESSION}|with|as|since|because|given|having|after)\b[^;]*?,\s(?=(?:there|it|the|this|these|that|we|you|i"
    r"|they|both|nodes?|an?|no|so|one|none|vertex|in|yes)\b)"
)
_CONCEDED_LAST = re.compile(rf",?\s{_CONCESSION}\b.*?(?=,\s(?:so|thus|therefore|hence)\b|;|$)")
_NOT_BUT = re.compile(
    r"\bnot [\"']?(?:yes|no)\b[\"']?\s?(?:,|;|-|but|:)[\s,;:\-]*+(?:(?:but|rather|it is|is|instead)\s)*(?=[\"']?(?:yes|no)\b)"
)
_ELLIPSIS = re.compile(
    r"(?P<before>(?:.{0,200}(?:\?|,|;|:|\band\b|\bthat\b|\bso\b|\bsays?\b|\bshows?\b|\bbut\b|\bthen\b)\s)?)"
    r"(?:(?:so|thus|hence|therefore|in fact|indeed|yes|no|and|but|also|then|well|actually|in this case),?\s)*"
    r"(?P<who>there|it|they|the graph|this graph|the given graph|the graphs|these graphs"
    r"|the two graphs|one|none|we|i|such an? \w+)\s"
    r"(?:(?:clearly|indeed|therefore|thus|also|still|obviously|definitely|certainly|really|in fact|simply)\s)?"
    r"(?P<verb>is|are|does|do|exists?|has|have|can)(?P<not>\snot)?"
    r"(?:\s(?:indeed|in fact|exist|have|contain|clearly))?(?P<what>\s(?:one|none|any|it|some|at least one|exactly one))?"
    r"(?P<more>\sin (?:the|this) (?:graph|component)\b.{0,60}|\shere)?[\s.!\"')]*+"
)
_WITNESS = re.compile(r"[\[(]?\d{1,6}(?:\s*+(?:->|,|-)\s*+\d{1,6})+[\])]?[\s.]*+")
_PATH = re.compile(r"\d{1,6}(?:\s?->\s?(?:node\s)?\d{1,6})+")
_BUT = re.compile(r",\s(?:but|however|yet)\b")
_IS_NAMED = re.compile(r"[\"']?\s(?:would|requires?|needs?|means|if|can only|could)\b")
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
        sentence = _plain(sentence)
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
            # `Yes, the degrees agree, but ...` says yes to something else.
            weight = STATED if said is not None or _BUT.search(rest) is None else MENTIONED
            return stated(direct, sentence, weight)
        if said is not None:
            return said
        short = self._elliptic(sentence)
        if short is not None:
            return short
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

    def _elliptic(self, sentence: str) -> Found | None:
        """Returns what a sentence says that ends in a pronoun and a verb: `so there is none`."""
        words = self._words
        if words.pronouns is None or (found := _ELLIPSIS.fullmatch(sentence)) is None:
            return None
        who, verb, what = found["who"], found["verb"], (found["what"] or "").strip()
        if not words.alone and not found["before"]:
            return None
        if who != "none" and words.pronouns.fullmatch(f"{who} {verb}") is None:
            return None
        if what == "none" and verb not in ("is", "are", "has", "have", "exists", "exist"):
            return None
        if who in ("there", "we", "i") and verb in ("has", "have") and not what:
            return None
        denied = (found["not"] is not None) != (what == "none" or who == "none")
        if OPEN.search(sentence, max(0, found.start("who") - 30)) or HEDGE.search(sentence):
            return None
        return stated("No" if denied else "Yes", sentence, MENTIONED)

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
        if self._words.narrow is not None and self._words.narrow.search(found["label"]):
            return None
        if self._is_about is not None and not self._is_about(found["label"]):
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
        elif _IS_NAMED.match(text, after):
            # `Yes would need more edges`
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
        """Returns what the clauses of a sentence say; of several the last one's.

        Asides and concessions count only where nothing else says anything.
        """
        words = self._words
        if not any(word in sentence for word in words.about):
            return None
        if "possible" in sentence:
            sentence = _IMPOSSIBLE.sub("can not", sentence)
        is_false = _FALSE.search(sentence) is not None
        if is_false:
            sentence = _FALSE_THAT.sub(" ", sentence)
        if words.ignored is not None:
            sentence = words.ignored.sub(" ", sentence)
        if words.doubled is not None and "no" in sentence:
            sentence = words.doubled.sub(_AFFIRMED, sentence)
        main = _CONCEDED_FIRST.sub("", _ASIDE.sub("", sentence) if "(" in sentence else sentence)
        main = _CONCEDED_LAST.sub("", main)
        found = self._in_clauses(main, is_false)
        if found is None and main != sentence:
            found = self._in_clauses(sentence, is_false)
        return found

    def _in_clauses(self, sentence: str, is_false: bool) -> Found | None:
        words = self._words
        for clause in reversed(clauses(sentence)):
            if _AFFIRMED in clause and not OPEN.search(clause):
                if self._is_about is None or self._is_about(clause):
                    return stated("No" if is_false else "Yes", sentence.replace(_AFFIRMED, ""))
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


_AFFIRMED = " \ue002 "
"""What stands for a double negation."""


def _plain(text: str) -> str:
    """Returns a text without contractions, and without what it says the answer is not."""
    text = spelled_out(text)
    if "yes" in text:
        text = _NOT_BUT.sub("", _CHOICE.sub("", text))
    return text


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
