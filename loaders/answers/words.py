"""Words that readers of all kinds of claims share: numbers, negations, conditions, hedges."""

import re
from collections.abc import Iterable

_ONES = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_VALUES = {word: value for value, word in enumerate(_ONES)}
_VALUES |= {word: 10 * value for value, word in enumerate(_TENS, start=2)}
_ANY = "|".join(sorted(_VALUES, key=len, reverse=True))
NUMBER_WORD = (
    rf"(?:(?:{_ANY}|a)[ \-](?:hundred|thousand)|(?:{_ANY}|hundred|thousand))"
    rf"(?:[ \-](?:and )?(?:{_ANY}|hundred|thousand)){{0,6}}"
)
DIGITS = r"-?(?:\d{1,3}(?:,\d{3})+(?!\d)|\d{1,3}(?:[ _]\d{3})+(?!\d)|\d++(?:\.\d++)?)"
NUMBER = rf"(?<![a-z\d_.])(?:{DIGITS}|{NUMBER_WORD}\b)"
"""A number in digits or words; `whole_number` reads it."""

_WORD = re.compile(r"[a-z]+")
_BROKEN = re.compile(r"-?\d{1,9}\.\d{1,9}")


def whole_number(text: str) -> int | None:
    """Returns the number that a text writes, None if it is not a whole one.

    Args:
        text: `1,234`, `1 234`, `1_234`, `3.0`, `-1`, `twenty-three`, `two hundred and five`.
    """
    if not text[-1:].isdigit():
        return _in_words(text)
    digits = text.replace(",", "").replace("_", "").replace(" ", "")
    whole, _, part = digits.partition(".")
    if part.strip("0") or len(whole) > 18:
        return None
    return int(whole)


def _in_words(text: str) -> int | None:
    total = group = 0
    known = False
    for word in _WORD.findall(text):
        if word == "and" or (word == "a" and not known):
            continue
        known = True
        if word == "hundred":
            group = max(group, 1) * 100
        elif word == "thousand":
            total += max(group, 1) * 1000
            group = 0
        elif word in _VALUES:
            group += _VALUES[word]
        else:
            return None
    return total + group if known else None


_CONTRACTIONS = (
    ("can't", "can not"),
    ("won't", "will not"),
    ("cannot", "can not"),
    ("n't", " not"),
    ("there's", "there is"),
    ("it's", "it is"),
    ("that's", "that is"),
    ("'re", " are"),
    ("'ve", " have"),
)


def spelled_out(sentence: str) -> str:
    """Returns a sentence without contractions: `isn't` as `is not`."""
    if "'" in sentence or "cannot" in sentence:
        for short, long in _CONTRACTIONS:
            if short in sentence:
                sentence = sentence.replace(short, long)
    return sentence


_TURN = (
    r"[;]\s|(?<!\bis)(?<!\bare)(?<!\bbe)(?<!\bwas),?\s(?:so|therefore|thus|hence|but"
    r"|however|consequently|which means|meaning|because"
    r"|since|as a result|implying|indicating|which implies|this means|which shows)\b,?(?! far\b)"
    r"(?:\sthat\b)?"
)
"""Where a sentence turns to what follows from it, or to the contrary."""
_TURNS = re.compile(_TURN)
_TURN_HINTS = (
    *(";", " so", " therefore", " thus", " hence", " but", " however", " consequently", " which"),
    *(" meaning", " because", " since", " as a", " implying", " indicating", " this"),
)
_BREAK_HINTS = (",", ":", "- ", "> ", *_TURN_HINTS)
_BREAKS = re.compile(
    rf"{_TURN}|,\s(?:i\.e\.|in other words|yet),?\s|,\sand\s(?=(?:there|nodes?|it|no|the graph)\s)"
    r"|:\s|\s-+\s|\s->\s(?=[a-z]{3})"
)

_OPEN = (
    r"\b(?:if|whether|suppose|supposing|assum(?:e|es|ed|ing|ption)|unless|in case|otherwise"
    r"|could(?! not)|need(?:s)? to|want to|have to|let us|let's|let me|look(?:ing)? for"
    r"|search(?:ing)? for"
    r"|check(?:ing)? (?:for|that)|(?<!seem )(?<!seems )(?<!appear )(?<!appears )"
    r"(?<!found )(?<!known )(?<!said )(?<!proven )to (?:check|see|determine|find|verify"
    r"|decide|detect|know|figure"
    r"|test|prove|show|confirm|establish|identify|look|have|form)|(?:question|task"
    r"|problem) (?:is|asks)"
    r"|asked|defined|definition|contradict\w*|until|when(?:ever)?|once (?:we|you|it|the|a"
    r"|all|node|every|this)"
    r"|requires?|expects?|goal|code|function|algorithm|method|can (?:determine|check|detect)"
    r"|(?:return|print|output)s? (?:true|false)|any time|each time|for (?:there|it|a graph) to)\b"
)
OPEN = re.compile(rf"{_OPEN}|\b(?:would|should)\b")
"""What makes a clause a condition, a plan or a definition, and no claim."""
OPEN_VALUE = re.compile(rf"{_OPEN}|\b(?:would|should)\b(?!\s(?:\w{{1,12}}\s)?be\b)")
"""The same before a value: what `would be 4` is claimed to be 4."""

HEDGE = re.compile(
    r"\b(?:maybe|perhaps|might|may|possibly|could be|not sure|unsure|uncertain|unclear"
    r"|either(?=[^.]{0,80}\bor\b)"
    r"|hard to (?:say|tell)|it is possible that|not certain)\b"
)
_KINDS = (
    r"(?:graphs?|trees?|forests?|paths?|cycles?|walks?|trails?|components?|edges?|nodes?|vertex"
    r"|vertices|triangles?|cuts?)"
)
_ANY_ONE = r"(?:an?|any|every|each|some|two|all|most)"
GENERAL = re.compile(
    r"\W{0,4}(?:(?:explanation|note|notes|remark|recall|reasoning|definition|remember|in general"
    r"|generally|by definition|for example|for instance|e\.g\.|note that|recall that"
    r"|remember that|for comparison|by comparison|in comparison)\b[\s:,]{1,3}(?:that )?)*(?:"
    r"graphs (?:with|that|whose|having)\b|"
    rf"(?:any|every) (?:(?!is |are |ha)[\w-]+ ){{0,3}}?(?:graph|tree|forest|path|cycle)s?\b"
    rf"|(?:in|for|of) {_ANY_ONE} (?!graph with)(?:[\w-]+ ){{0,3}}?{_KINDS}\b"
    rf"|an? (?:[\w-]+ ){{0,3}}?{_KINDS} (?:\w+ )?(?:by definition|(?:is|are|means|refers"
    r"|consists|requires) (?:called |defined |simply |just )?(?:an?|any|the|that|to|of|when|one"
    r"|as|in"
    r"|which)\b(?! (?:path|cycle|graph))|that|which|in an?\b|of an?\b|of degree|whose|with|without"
    r"|on \d+"
    r"|containing|visits|has|have|contains?|is called|is said|are called)\b"
    r"|(?:trees|forests|cycles|paths|(?:acyclic|bipartite|isomorphic"
    r"|connected) graphs) (?:\w+ )?(?:are|have|contain|do|can|with|that)\b"
    r"|(?:breadth|depth)-first search (?:visits|explores|finds|is|goes|traverses)\b"
    r"|(?:bfs|dfs) (?:visits|explores|finds) (?:all|every|the shortest|shortest)\b"
    r"|two (?:nodes|vertices|graphs) are\b"
    r"|(?:each|every) (?:pair|node|vertex|edge) (?:of|that|which)\b)"
)
"""What is said of all graphs, paths and the like: a definition, and no claim about this one."""
REFUSAL = re.compile(
    r"\b(?:can ?not|unable to|not possible to|impossible to|difficult to|not able to|hard to)\s"
    r"(?:\w{1,12}\s)?(?:be\s)?(?:determine|answer|tell|say|compute|conclude|decide|provide|count"
    r"|find out|give)|\b(?:insufficient|not enough|no) (?:information|data)\b|\bi do not know\b"
)


_REFUSAL_HINTS = ("not ", "unable", "imposs", "diffic", "hard", "insuff", "no ", "cannot")


def may_refuse(sentence: str) -> bool:
    """Returns whether a sentence has a word with which `REFUSAL` begins."""
    return has_any(sentence, _REFUSAL_HINTS)


_REJECTED = re.compile(
    rf"\bnot\s(?:[^a-z;]{{1,100}}?|{NUMBER})(?:\s?\([^()]{{1,60}}\))?,?\s"
    r"(?:but\b|rather\b)(?:\s(?:rather|instead|in fact))?"
    r"|,?\s?\(?\bas (?:one|you|some|many) (?:might|may|would|could) \w{1,10}\b"
    r"|\(not\s[^()]{1,80}\)"
    r"|(?:,\s(?:and\s|but\s)?not|\sand not|,?\srather than|,?\sinstead of)"
    rf"\s(?:[^a-z;]{{1,100}}?|{NUMBER})(?=[\s.!]*$|,\s(?:since|because|as)\b)"
    r"|\b(?:one|you|some|we|i|it) (?:might|may|could|would|was going to|were going to)"
    r" (?:first |at first |initially )?(?:think|say|expect|assume|believe|guess|seem|appear)\b"
    r"[^;]{0,200}?\s(?:but|however|yet)\b"
)


_MAY_REJECT = ("not", "rather", "instead", "might", "may", "would", "could", "going")


def without_rejected(sentence: str) -> str:
    """Returns a sentence without what it rejects: `not 5 but 4` as `4`."""
    return _REJECTED.sub(" ", sentence) if has_any(sentence, _MAY_REJECT) else sentence


def has_any(text: str, words: Iterable[str]) -> bool:
    """Returns whether a text holds one of some words as a part; faster than `any`."""
    for word in words:  # noqa: SIM110
        if word in text:
            return True
    return False


_NEGATION_HINTS = (
    "doubt", "hardly", "scarcely", "barely", "far from", "anything but", "not ",
    "question", "nowhere", "no means", "no way", "could be",
)  # fmt: skip
_NO_DOUBT = re.compile(
    r"\b(?:there (?:is|can be) )?(?:no|without|not|beyond|never|little)\s(?:an?\s|any\s|all\s)?"
    r"(?:(?:reason to|room for|question or)\s)?doubt(?:s|ed)?\b(?:\s(?:that|whether)\b)?"
    r"|\b(?:no|without|beyond)\squestion\b(?:\sthat\b)?"
)
_NONE_FOUND = re.compile(
    r"\b(no (?:[\w-]+ ){1,4}?)could be(?= (?:found|detected|identified|seen)\b)"
)
_HARDLY = re.compile(
    r"\b(?:hardly|scarcely|barely|far from(?: being)?|anything but|nowhere(?: (?:near|does))?"
    r"|by no means|in no way)\b"
    r"|\bnot (?:seem|appear|look)(?: like)?(?: to)?\b"
)


def with_plain_negations(sentence: str) -> str:
    """Returns a sentence in which `hardly`, `far from` or `does not seem to` is `not`.

    What is beyond doubt is just said.
    """
    if not has_any(sentence, _NEGATION_HINTS):
        return sentence
    if "could be" in sentence:
        sentence = _NONE_FOUND.sub(r"\1was", sentence)
    return _HARDLY.sub("not", _NO_DOUBT.sub(" ", sentence))


def is_one_clause(sentence: str) -> bool:
    """Returns whether a sentence certainly has no parts that can be claims on their own."""
    return not has_any(sentence, _BREAK_HINTS)


def clauses(sentence: str) -> list[str]:
    """Returns the parts of a sentence that can be claims on their own."""
    return _BREAKS.split(sentence) if has_any(sentence, _BREAK_HINTS) else [sentence]


def a_number(text: str) -> int | str | None:
    """Returns the number that a text writes, as text if it is not a whole one: `3.5`."""
    number = whole_number(text)
    if number is None and _BROKEN.fullmatch(text):
        return text
    return number


def last_match(pattern: re.Pattern[str], text: str, at: int = 0) -> re.Match[str] | None:
    """Returns the last match of a pattern in a text, from a place on; None if there is none."""
    return next(reversed(list(pattern.finditer(text, at))), None)


def turns(sentence: str) -> list[str]:
    """Returns the parts of a sentence that are joined by `so`, `but` and their like."""
    return _TURNS.split(sentence) if has_any(sentence, _TURN_HINTS) else [sentence]
