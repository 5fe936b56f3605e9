"""Where in a text boxes stand, which words label an answer, and where it ends.

All patterns are bounded or begin where nothing else can, so that time is linear in the text.
Positions are those of the text as it was written: what is made plain keeps its length.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

NUMBER = r"[-+]?(?:\d{1,40}(?:\.\d{0,40})?|\.\d{1,40})(?:[eE][-+]?\d{1,4})?"

_ENTITY = re.compile(r"&(?:lt|#60|#x3c|(gt|#62|#x3e)|(quot|#34|nbsp|#160));", re.IGNORECASE)
_LOOSE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {
    ord(char): ord(plain)
    for chars, plain in (
        ("＜〈⟨《«⟪", "‹"),
        ("＞〉⟩》»⟫", "›"),
        ("【〔「", "["),
        ("】〕」", "]"),
        ("“”„", '"'),
        ("‘’", "'"),
        ("、", ","),
        ("∕⁄", "/"),
        ("−‐‑–—", "-"),
        ("\u00a0\u2002\u2003\u2009\u202f\u3000\u200b\ufeff", " "),
    )
    for char in chars
}

# `‹` and `›` are what stands for angle brackets that the format does not have.
_OPEN, _CLOSE = r"[<\[({‹]", r"[>\])}›]"
_UNIT = rf"{NUMBER}(?:\s?px)?(?!\w)"
_INNER = rf"{_UNIT}(?:(?:\s{{0,40}}[,;]\s{{0,40}}|\s{{1,40}}){_UNIT})*"
_BARE = rf"{_UNIT}(?:(?:[ \t]{{0,9}}[,;][ \t]{{0,9}}|[ \t]{{1,9}}){_UNIT})*"
_NUMBERS = re.compile(
    rf"{_OPEN}(?:\s{{0,40}}{_OPEN}){{0,3}}\s{{0,40}}(?P<inner>{_INNER})\s{{0,40}}"
    rf"(?P<close>{_CLOSE}(?:\s{{0,40}}{_CLOSE}){{0,3}})?"
    rf"|(?<![\w.])(?P<bare>{_BARE})"
)
_NUMBER = re.compile(NUMBER)
_SLASH = re.compile(r"[ \t]{0,3}/")
_STRICT_NUMBERS = r"\s{0,40},\s{0,40}".join([NUMBER] * 4)
_STRICT_BOX = re.compile(
    rf"\w[^\s,/<>()\[\]{{}}`\"'*]*/(?:<\s{{0,40}}{_STRICT_NUMBERS}\s{{0,40}}>|{_STRICT_NUMBERS})"
)

_LONGEST_ID = 200
_WINDOW = 300
"""Characters around the numbers of an object in JSON among which its id is looked for."""
_ENDS_OF_ID = frozenset(",;/:<>[](){}‹›\n\r=|")
_SENTENCE = re.compile(r".*[.!?)][ \t]{1,9}", re.DOTALL)
_BULLET = re.compile(r"[ \t\-*•`\"'#>_]{0,12}(?:and[ \t]{1,9})?[`\"'*]{0,3}")
_LAST_WORD = re.compile(r"[ \t]([A-Za-z]{1,2}\d{1,3})$")
_TOKEN = re.compile(r"(?<!\w)[A-Za-z]{1,2}\d{1,3}[ \t]{0,3}$")
# Words before a box that are no id of it.
_KIND = re.compile(
    r"(?:the |my |final )*(?:answer|evidence|(?:b|bounding[_ -]?)?box(?:es)?(?:_2d)?"
    r"|coord(?:inate)?|region|location|position)s?(?: is| are)?",
    re.IGNORECASE,
)
_NAME = re.compile(
    r"[\"'](?P<key>id|label|name|element)[\"'][ \t]{0,9}:[ \t]{0,9}"
    r"(?:\"(?P<double>[^\"\n]{1,200})\"|'(?P<single>[^'\n]{1,200})'|(?P<number>\d{1,9}))",
    re.IGNORECASE,
)
_NO_ID = re.compile(r"[,;/:<>\[\](){}\s]+")

_HEAD = re.compile(
    r"(?<![A-Za-z])answers?[\"'`*_ \t]{0,8}(?:\([^()\n]{0,40}\)[*_ \t]{0,4})?(?:is|are)?"
    r"[*_ \t]{0,4}[:=][\"'`*_]{0,6}",
    re.IGNORECASE,
)
_STRICT_HEAD = re.compile(r"[ \t]*(?:Final |Revised )?Answer:")
# What follows a label in the middle of a line, for it to be one: a box.
_BOX_FOLLOWS = re.compile(
    rf"\s{{0,9}}[`\"'*(\[{{]{{0,4}}"
    rf"(?:[^\s,;/:<>\[\](){{}}‹›]{{1,40}}[ \t]?[/:=][ \t]?{_OPEN}?|{_OPEN})\s?[-+.]?\d"
)
_LONGEST_LABEL = 60
_IN_SENTENCE = re.compile(r"[.!?:]")
_END = re.compile(
    r"(?<![A-Za-z])explanation[\"'`*_ \t]{0,6}[:=][\"'`*_]{0,6}"
    r"|^[ \t>#*_`]{0,12}(?:reasoning|rationale|justification|verification|note)s?[*_` \t]{0,6}:"
    r"[*_`]{0,6}",
    re.MULTILINE | re.IGNORECASE,
)
_CUT = re.compile(rf"(?:^|(?<=[,\s]))(?=[^\s,/<>]{{1,{_LONGEST_ID}}}/)|(?<=[>\])}}›])")
_NOTHING = re.compile(r"[\W_]*(?:(?:none|no evidence|n/a|and|json)[\W_]*)?", re.IGNORECASE)
_TRIED = re.compile(
    rf"/\s?{_OPEN}|/\s?[-+.]?\d[\d.]{{0,40}}[ \t]?,"
    rf"|{_OPEN}\s{{0,9}}[-+.]?\d[\d.]{{0,40}}\s{{0,9}}[,;]"
)


@dataclass(frozen=True, slots=True)
class Spot:
    """Four numbers that stand where a box may.

    Attributes:
        start: Where it begins, with its id.
        end: Where it ends.
        id: Its id; "" if it has none.
        numbers: Its numbers.
        exact: Whether it is in the very form of B.1.
        key: How an object in JSON calls it, such as `bbox_2d`; "" otherwise.
    """

    start: int
    end: int
    id: str
    numbers: tuple[float, ...]
    exact: bool
    key: str


@dataclass(frozen=True, slots=True)
class Section:
    """A labelled answer.

    Attributes:
        start: Where it begins, after its label.
        end: Where it ends: at its explanation, the next label or the end of the text.
        explained: Where its explanation begins and ends.
        exact: Whether its label is in the very form of B.1.
    """

    start: int
    end: int
    explained: tuple[int, int]
    exact: bool


def loosened(text: str) -> str:
    """Returns a text of the same length with other brackets, commas and digits made plain."""
    if "&" in text:
        text = _ENTITY.sub(_character, text)
    return text if text.isascii() else text.translate(_LOOSE)


def _character(entity: re.Match[str]) -> str:
    char = "›" if entity[1] else '"' if entity[2] in ("quot", "#34") else " " if entity[2] else "‹"
    return char.ljust(len(entity[0]))


def sections(text: str, loose: str) -> list[Section]:
    """Returns the labelled answers of a text, in their order.

    `Answer:`, whatever words stand before it on its line (`Final Answer`, `**Revised answer**`).
    After a sentence or another label on the same line a box must follow at once.

    Args:
        text: The text as it was written.
        loose: The same, loosened.
    """
    heads = []
    for head in _HEAD.finditer(loose):
        line = loose.rfind("\n", max(0, head.start() - _LONGEST_LABEL), head.start()) + 1
        label = loose[line : head.start()] if line or head.start() < _LONGEST_LABEL else ":"
        if not _IN_SENTENCE.search(label) or _BOX_FOLLOWS.match(loose, head.end()):
            strict = _STRICT_HEAD.match(text, line) if label != ":" else None
            if strict is not None and strict.end() > head.start():
                heads.append((head.start(), strict.end(), True))
            else:
                heads.append((head.start(), head.end(), False))
    found = []
    ends = [*(start for start, _, _ in heads[1:]), len(text)]
    for (_, start, exact), until in zip(heads, ends, strict=False):
        end, *explained = end_of(loose, start, until)
        found.append(Section(start, end, (explained[0], explained[1]), exact))
    return found


def end_of(loose: str, start: int, until: int) -> tuple[int, int, int]:
    """Returns where an answer ends, and where its explanation begins and ends."""
    stop = _END.search(loose, start, until)
    return (until, until, until) if stop is None else (stop.start(), stop.end(), until)


def spots(text: str, loose: str, start: int, end: int) -> Iterator[Spot]:
    """Yields what may be boxes between two positions.

    Args:
        text: The text as it was written.
        loose: The same, loosened.
        start: The first position.
        end: The position after the last.
    """
    at = start
    for match in _NUMBERS.finditer(loose, start, end):
        bare = match["bare"] is not None
        if not bare and match["close"] is None:
            continue
        written = list(_NUMBER.finditer(match["bare"] or match["inner"]))
        until = match.end()
        if bare and len(written) == 5 and _SLASH.match(loose, until):
            # The fifth is the id of the next box.
            written.pop()
            until = match.start() + written[-1].end()
        if len(written) != 4:
            continue
        first, name, key = _id_before(loose, at, match, bare)
        if bare and not name:
            continue
        exact = (first == start or text[first - 1] in ", \t\r\n") and _STRICT_BOX.fullmatch(
            text, first, until
        ) is not None
        yield Spot(first, until, name, tuple(float(one[0]) for one in written), exact, key)
        at = until


def _id_before(loose: str, at: int, match: re.Match[str], bare: bool) -> tuple[int, str, str]:
    """Returns where a box begins with its id, the id, and the key that is no id."""
    floor = max(at, match.start() - _LONGEST_ID - 40)
    tail = loose[floor : match.start()].rstrip()
    if not tail or tail[-1] not in "/:=":
        token = None if bare else _TOKEN.search(loose[floor : match.start()][-10:])
        if token is None:
            return match.start(), "", ""
        return match.start() - len(token[0]), token[0].strip(), ""
    words = tail[:-1].rstrip(" \t`\"'*")
    begin = len(words)
    while begin and words[begin - 1] not in _ENDS_OF_ID:
        begin -= 1
    if (sentence := _SENTENCE.match(words, begin)) is not None:
        begin = sentence.end()
    if (bullet := _BULLET.match(words, begin)) is not None:
        begin = bullet.end()
    if (word := _LAST_WORD.search(words, begin)) is not None:
        begin = word.start(1)
    name = words[begin:].strip()
    if not _KIND.fullmatch(name):
        return floor + begin, name, ""
    return match.start(), "" if bare else _name_in_object(loose, at, match), name.lower()


def _name_in_object(loose: str, at: int, match: re.Match[str]) -> str:
    """Returns the id or the label that an object in JSON has besides its box, "" if none."""
    before = loose[max(at, match.start() - _WINDOW) : match.start()]
    if "{" not in before:
        return ""
    around = before[before.rindex("{") :]
    if "}" not in (match["close"] or ""):
        after = loose[match.end() : match.end() + _WINDOW]
        around += after[: min(place for place in (after.find("}"), _WINDOW) if place >= 0)]
    named = {one["key"].lower(): one for one in reversed(list(_NAME.finditer(around)))}
    for key in ("id", "label", "name", "element"):
        if (one := named.get(key)) is not None:
            return _NO_ID.sub(" ", one["double"] or one["single"] or one["number"]).strip()
    return ""


def malformed_in(gaps: list[str], beside_boxes: bool) -> tuple[str, ...]:
    """Returns what stands where a box should, and is none.

    Args:
        gaps: What stands between the boxes.
        beside_boxes: Whether there are boxes: then mere words do not count.
    """
    found = []
    for gap in gaps:
        for piece in (piece.strip(" \t\r\n,;") for piece in _CUT.split(gap)):
            if _NOTHING.fullmatch(piece):
                continue
            if not beside_boxes or _TRIED.search(piece):
                found.append(piece)
    return tuple(found)
