"""Numbers out of free text: the words of a task are its `NumberWords`."""

import re
from dataclasses import dataclass

from benchloom.loaders.answers.claims import MENTIONED, Found, left_open, stated
from benchloom.loaders.answers.words import (
    HEDGE,
    NUMBER,
    OPEN_VALUE,
    REFUSAL,
    a_number,
    has_any,
    last_match,
    may_refuse,
    spelled_out,
    turns,
    without_rejected,
)
from benchloom.loaders.answers.yes_no_forms import CONCEDED_LAST, CONCESSION_HINTS

INFINITE = "inf"

IS = (
    r"(?:(?:[:=≈]|->|\(|\bis|\bare|\bwas|\bequals?|\bof|\bbe|\bbecomes?|\bremains|\bas"
    r"|\bgives?|\byields?|\bby"
    r"|\bi\.e\.,?|\bnamely|\bgot|\bget|\bhave|\bhas|\bat|\bto|是|为|為|有)(?![a-z])\s*+)"
)
"""What joins a name and its number."""

ASIDE = r"\([^()]{0,100}\)|\((?![^()]{0,100}\))"
"""Words in parentheses, or one that is never closed; one way only, for speed."""

_FILLERS = (
    r"(?:(?:exactly|only|just|equal(?:s)?(?: to)?|thus|therefore|then|also|in fact|indeed"
    r"|simply|actually"
    r"|now|approximately|about|around|roughly|probably|likely|clearly|a total of|total"
    r"|the number|the value"
    r"|number|value|indeed|found to be|still|at|is|be|are|=|:|≈|~|->|a length of|length"
    r"|distance of|的|是|为|共)(?![a-z])\s*+|[\s\"'(\[{✓*,]++(?<!,,))*"
)
_VALUE = re.compile(rf"(?P<fill>{_FILLERS})(?P<number>{NUMBER})")
_LIMITS = re.compile(
    r"(?:at least|at most|more than|less than|fewer than|greater than|no more than"
    r"|no less than|up to|over"
    r"|under|nearly|almost|between|either|>|<|≥|≤|many|several|some|not)\b|[><≥≤]"
)
_LIMITED = re.compile(
    r"(?:at least|at most|more than|less than|fewer than|up to|\bover|\bor|≥|≤|>|<|\d\s?-"
    r"|\bbetween \d{1,9} (?:and|to)|\bfrom \d{1,9} to)\s*$"
)
_DEFINED = re.compile(rf"[a-z]\s?=[^=]{{1,80}}=\s?(?P<number>{NUMBER})[\s.!]*+")
_IN_TOTAL = re.compile(
    rf"(?P<number>{NUMBER})\s(?:in total|altogether|in all|remains?|(?:is|are) left)\b"
    rf"|^\W{{0,3}}(?P<answer>{NUMBER})\sis (?:the|my|our) (?:final |correct )?answer"
)
_IN_TOTAL_HINTS = ("total", "altogether", "in all", "remain", "left", "answer")
_NEGATED = re.compile(
    r"\bnot\s(?:(?:be|equal(?:\sto)?|just|have|contain|[:=])\s)?(?:an?\s|one\s|exactly\s)?$"
)
_NONE = re.compile(r"\W*(?:none|nil|there (?:is|are) none)\W*")
_CONCLUDED = re.compile(r"\s(?:so|therefore|thus|hence)\b,?\s(?!far\b|that\b)")
_BUT = re.compile(rf"\bnot\b[^,;]{{0,40}}\bbut\s(?:(?:rather|only|just)\s)?(?P<number>{NUMBER})")
_FOR_EXAMPLE = re.compile(r"\W{0,4}(?:for (?:example|instance)|e\.g\.|as an example)")
_FRACTION = re.compile(r"(?P<above>\d{1,9})\s?/\s?(?P<below>\d{1,9})(?![\w/])")
_EACH = re.compile(r"\b(?:each|every)\b(?![^,]{0,40}\b(?:node|vertex|edge)s?\s\(?\d)")
_FOLLOWS = re.compile(
    r",\s(?:and )?(?=(?:there (?:is|are)|giving|yielding|making|resulting|leaving|so|thus|hence"
    r"|for a total"
    r"|we (?:have|get|find|count)|the (?:total|final|number|count)|this (?:gives|means|makes"
    r"|yields))\b)"
)
_WHOLE = re.compile(r",\s(?=(?:the|this)(?: \w{1,10})? graph (?:has|contains)\b)")
_FIRST = re.compile(
    rf"\W{{0,4}}(?P<number>{NUMBER})(?:\.\s(?=\(|(?:because|since|as|no|there)\b)|\s-+\s(?=[a-z]))"
)
_ITEM = re.compile(r"\W{0,4}\d{1,3}[.)]\s")
_NO_NUMBER_AT_ALL = re.compile(r"\b(?:infinite|undefined)\s\w|\bdoes not exist\b")
_OTHER = re.compile(
    rf"\s*+(?:\bor\b|\band/or\b|/|-|\bto\b|\bor maybe\b)\s*+(?:\w+\s)?(?P<number>{NUMBER})"
)
_OR_ANOTHER = re.compile(rf"\s?\(?(?:or|maybe|possibly)\s(?:\w{{1,8}}\s)?{NUMBER}")
_OPERATOR = re.compile(
    r"\s*+(?:[+*^/]|x\s?\d|\bdivided by\b|\btimes\b|\bplus\b|\bminus\b|choose\b|-\s?(?=[\d(]))"
)
_CHAIN = re.compile(
    rf"(?:[=≈]|\bi\.e\.,?|\bthat is,?|\bwhich is)\s*+(?P<number>{NUMBER})(?!\s*+[+*^/\d=]"
    rf"|\s*+-\s*+\d)"
)
_IN_LIST = re.compile(r"\s*+[,;]\s*+\(?-?\d|\s*+(?:->|=>)\s*+\d|\.\s*+\(|\s\d")
_NO_NUMBER = re.compile(
    r"[a-z]|-[a-z]|%|\s?percent|\s(?:is|are|would be|can)\s(?:impossible|not|too|wrong|excluded)\b"
    r"|\s[a-z]{1,12}\s(?:\w{1,8}\s){0,2}so far\b"
)
_LONE = re.compile(
    r"[\s\"'=≈:]*+(?:[a-z]\s?=\s?)?(?:(?:so|about|approximately|exactly|roughly|therefore"
    r"|thus|hence|finally|total|yields|gives)\b[\s,:]*+)*"
    rf"(?P<open>[(\[{{]*+)(?P<number>{NUMBER})(?P<close>[)\]}}]*+)"
    rf"(?P<unit>\s[a-z]{{3,12}})?(?:\sit is)?(?:\s\([^()]{{1,40}}\))?[\s\"'!.]*+"
)
_RESULT = re.compile(
    r"(?:[a-z]\s?(?==))?(?:(?:so|thus|therefore|hence|then|max|maximum|sum|total|trace|tr"
    r"|count|a|and|of|gives|divide|by|add(?:ing)?|summing|up|all|together|everything|them|in)\b"
    rf"|(?![=≈][^=≈]*+$)[\W\d])*[=≈]\s*+(?P<number>{NUMBER})[\s.!\"')]*+"
)
_INFINITE = re.compile(
    r"[\s\"'(:=\-]*+(?:is\s|be\s|therefore\s|thus\s|considered\s|said to be\s"
    r"|technically\s|to be\s|actually\s"
    r"|positive\s|\+)*"
    r"(?:infinit(?:e|y)|inf\b|undefined|does not exist|not (?:well[\s-]?)?defined|无穷|无限)"
)

_EXPRESSION = r"\s*+(?:(?:max|maximum|sum|trace|tr|int|floor|round|c|abs)\s?)?[({]"
AHEAD = (
    rf"(?={_FILLERS}(?!\d{{1,9}}-[a-z]){NUMBER}(?!\s?->|,\s?\d|-\d{{1,9}}-)|{_INFINITE.pattern}"
    rf"|{_EXPRESSION}[^.;]{{1,150}}[=≈])"
)
"""What follows a name and `IS` if a number is given the name."""


@dataclass(frozen=True, slots=True)
class NumberWords:
    """The words in which a number is claimed.

    All patterns are looked for in a sentence, in lower case without contractions.

    Attributes:
        about: Words of which a sentence has one, if it says anything about the number; substrings.
        named: What ends just before the number: `diameter ... is`.
        counted: What holds the number in the group `number`: `9 triangles`; None if nothing does.
        zero: What says that the number is 0; None if nothing does.
        total: What ends just before a number that is mentioned; weaker.
        total_hints: Words of which what `total` matches has one; substrings.
        narrow: What makes a sentence one about a part (`with node 3`).
        whole: A number, in the group `number`, that counts all whatever else is said.
        can_be_infinite: Whether `infinite` is a claim.
        units: Words that may follow a bare number.
    """

    about: tuple[str, ...]
    named: re.Pattern[str]
    counted: re.Pattern[str] | None = None
    zero: re.Pattern[str] | None = None
    total: re.Pattern[str] | None = None
    total_hints: tuple[str, ...] = ("",)
    narrow: re.Pattern[str] | None = None
    whole: re.Pattern[str] | None = None
    can_be_infinite: bool = False
    units: frozenset[str] = frozenset()


class NumberReader:
    """Reads numbers; an infinite one is `inf`, and one that is not whole a text: `3.5`, `1/5`."""

    def __init__(self, words: NumberWords) -> None:
        self._words = words

    def value(self, text: str) -> Found | None:
        """Returns the claim of a text that is an answer."""
        text = without_rejected(spelled_out(text))
        if self._words.can_be_infinite and _INFINITE.match(text):
            return stated(INFINITE, text)
        if self._words.zero is not None and _NONE.fullmatch(text):
            return stated(0, text)
        if HEDGE.match(text):
            return left_open(text)
        found = self._number_at(text, 0)
        if found is None:
            return self.statement(text)
        return found

    def statement(self, sentence: str) -> Found | None:
        """Returns the claim of a sentence that may be about anything."""
        sentence = without_rejected(spelled_out(sentence))
        words = self._words
        if has_any(sentence, CONCESSION_HINTS):
            main = CONCEDED_LAST.sub("", sentence)
            if main != sentence and (found := self.statement(main)) is not None:
                return found
        if has_any(sentence, words.about):
            found = self._concluded(sentence) or self._named(sentence)
            if found is not None:
                is_example = _FOR_EXAMPLE.match(sentence) is not None
                return Found(found.value, MENTIONED, found.reason) if is_example else found
        found = self._total(sentence)
        if found is not None:
            return found
        last = _IN_TOTAL.search(sentence) if has_any(sentence, _IN_TOTAL_HINTS) else None
        if last is not None and not OPEN_VALUE.search(sentence):
            number = a_number(last[last.lastgroup or 0])
            if number is not None:
                return stated(number, sentence, MENTIONED)
        if may_refuse(sentence) and REFUSAL.search(sentence) and not OPEN_VALUE.search(sentence):
            return left_open(sentence, MENTIONED)
        return None

    def bare(self, sentence: str) -> Found | None:
        """Returns the claim of a sentence that is nothing but a number."""
        sentence = without_rejected(sentence)
        if self._words.zero is not None and _NONE.fullmatch(sentence):
            return stated(0, sentence, MENTIONED)
        if (broken := _FRACTION.fullmatch(sentence.strip(" .!"))) is not None:
            return stated(_fraction(broken), sentence, MENTIONED)
        found = _LONE.fullmatch(sentence)
        if found is not None and len(found["open"]) == len(found["close"]):
            unit = (found["unit"] or "").strip()
            if not unit or unit in self._words.units:
                number = a_number(found["number"])
                if number is not None:
                    return stated(number, sentence, MENTIONED)
        if self._words.can_be_infinite and _INFINITE.fullmatch(sentence.rstrip(". !")):
            return stated(INFINITE, sentence)
        found = _RESULT.fullmatch(sentence) or _DEFINED.fullmatch(sentence)
        if found is not None:
            number = a_number(found["number"])
            if number is not None and not self._is_narrow(sentence):
                return stated(number, sentence, MENTIONED)
        return None

    def block(self, rows: list[str]) -> Found | None:
        """Returns the number with which a line begins, if no list does: `3. (...)`."""
        items = [row for row in rows if _FIRST.match(row) or _ITEM.match(row)]
        first = _FIRST.match(items[0]) if len(items) == 1 else None
        number = None if first is None else a_number(first["number"])
        return None if number is None else stated(number, items[0])

    def _concluded(self, sentence: str) -> Found | None:
        """Returns the total that a sentence comes to after another number: `..., so it is 3`."""
        last = last_match(_CONCLUDED, sentence)
        if last is None or has_any(sentence[last.end() :], self._words.about):
            return None
        return self._total(sentence[last.end() :])

    def _total(self, sentence: str) -> Found | None:
        """Returns the last number that a sentence calls a total or the like."""
        words = self._words
        if words.total is None or not has_any(sentence, words.total_hints):
            return None
        for name in reversed(list(words.total.finditer(sentence))):
            if OPEN_VALUE.search(sentence, 0, name.start()):
                continue
            found = self._number_at(sentence, name.end())
            if found is not None:
                return Found(found.value, MENTIONED, found.reason)
        return None

    def _named(self, sentence: str) -> Found | None:
        """Returns the last number that a sentence gives the name of the task's."""
        for clause in reversed(turns(sentence)):
            if has_any(clause, self._words.about):
                found = self._named_in(clause)
                if found is not None:
                    return found
        if self._words.can_be_infinite and _NO_NUMBER_AT_ALL.search(sentence):
            return None if OPEN_VALUE.search(sentence) else stated(INFINITE, sentence)
        but = _BUT.search(sentence)
        number = a_number(but["number"]) if but is not None else None
        return None if number is None else stated(number, sentence)

    def _named_in(self, sentence: str) -> Found | None:
        words = self._words
        whole = words.whole.search(sentence) if words.whole is not None else None
        if whole is not None and not OPEN_VALUE.search(sentence, 0, whole.start()):
            return self._count(sentence, whole)
        if self._is_narrow(sentence):
            # `since each was counted three times, there are 5 triangles`
            each = _EACH.search(sentence)
            follows = _WHOLE.search(sentence) or (
                _FOLLOWS.search(sentence, each.end()) if each is not None else None
            )
            return None if follows is None else self._named_in(sentence[follows.end() :])
        first = OPEN_VALUE.search(sentence)
        until = first.end() if first is not None else len(sentence) + 1
        counts = list(words.counted.finditer(sentence)) if words.counted is not None else []
        named = list(words.named.finditer(sentence))
        for one in sorted([*named, *counts], key=re.Match.start, reverse=True):
            if one.re is words.counted:
                claim = self._count(sentence, one) if one.start() < until else None
            # `3 triangles: 0-1-2` counts before the colon.
            elif any(count.start() < one.end() <= count.end() + 8 for count in counts):
                claim = None
            else:
                claim = self._name(sentence, one) if one.end() < until else None
            if claim is not None:
                return claim
        none = words.zero.search(sentence) if words.zero is not None else None
        if none is None or none.start() >= until:
            return None
        return self._hedged(sentence, none.start(), stated(0, sentence))

    def _name(self, sentence: str, name: re.Match[str]) -> Found | None:
        """Returns the claim of a number behind its name."""
        if _NEGATED.search(sentence, name.start(), name.end()):
            return None
        if self._words.can_be_infinite and _INFINITE.match(sentence, name.end()):
            return stated(INFINITE, sentence)
        claim = self._number_at(sentence, name.end())
        return None if claim is None else self._hedged(sentence, name.start(), claim)

    def _count(self, sentence: str, count: re.Match[str]) -> Found | None:
        """Returns the claim of a number before its noun."""
        before = max(0, count.start() - 30)
        if _NEGATED.search(sentence, before, count.start()):
            return None
        if _LIMITED.search(sentence, before, count.start()):
            return left_open(sentence)
        said = count[count.lastgroup or 0]
        if _OR_ANOTHER.match(sentence, count.end()):
            return left_open(sentence)
        number = 1 if said == "single" else a_number(said)
        if number is None:
            return None
        return self._hedged(sentence, count.start(), stated(number, sentence))

    def _hedged(self, sentence: str, at: int, found: Found) -> Found:
        if HEDGE.search(sentence, max(0, at - 60)):
            return left_open(sentence, found.weight)
        return found

    def _is_narrow(self, sentence: str) -> bool:
        return self._words.narrow is not None and self._words.narrow.search(sentence) is not None

    def _number_at(self, text: str, at: int) -> Found | None:
        """Returns the number that stands at a place, behind words that say nothing."""
        if _LIMITS.match(text[at : at + 40].lstrip(" :=(")):
            return left_open(text) if re.search(r"\d", text[at : at + 40]) else None
        found = _VALUE.match(text, at)
        if found is None or re.match(_EXPRESSION, text[at : at + 40]):
            expression = re.match(_EXPRESSION, text[at : at + 40])
            chain = last_match(_CHAIN, text, at) if expression is not None else None
            if chain is not None:
                number = a_number(chain["number"])
                return None if number is None else stated(number, text)
        if found is None:
            return None
        end = found.end()
        if _NO_NUMBER.match(text, end):
            return None
        other = _OTHER.match(text, end)
        operator = _OPERATOR.match(text, end)
        if operator is not None or (other is not None and "/" in other[0]):
            chain = last_match(_CHAIN, text, end)
            if chain is None:
                broken = _FRACTION.match(text, found.start("number"))
                if broken is not None and not text[broken.end() :].strip(" .!)\"'"):
                    return stated(_fraction(broken), text)
                return left_open(text)
            number = a_number(chain["number"])
            return None if number is None else stated(number, text)
        if other is not None:
            first, second = a_number(found["number"]), a_number(other["number"])
            if first != second:
                return left_open(text)
        if _IN_LIST.match(text, end):
            return None
        again = re.match(rf"\s*+[=≈]\s*+(?P<number>{NUMBER})", text[end : end + 40])
        number = a_number((again or found)["number"])
        return None if number is None else stated(number, text)


def _fraction(found: re.Match[str]) -> str | None:
    """Returns a fraction as text; None for one that is not worked out (`54/3`)."""
    above, below = int(found["above"]), int(found["below"])
    return f"{above}/{below}" if below and above % below else None
