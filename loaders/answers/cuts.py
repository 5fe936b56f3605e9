"""A cut out of free text: its size, and one of its sides."""

import re

from benchloom.loaders.answers.claims import STATED, Found, left_open, stated
from benchloom.loaders.answers.nodes import flattened, joined
from benchloom.loaders.answers.numbers import AHEAD, ASIDE, IS, NumberReader, NumberWords
from benchloom.loaders.answers.text import SENTENCE
from benchloom.loaders.answers.words import NUMBER, OPEN_VALUE, has_any, last_match, spelled_out

_SIZE = NumberReader(
    NumberWords(
        about=("cut", "size", "edges", "value", "answer"),
        named=re.compile(
            r"\b(?:max(?:imum)?[\s-]?cut|cut|size|value|answer|number of (?:cut "
            rf"|crossing )?edges)\b(?:{ASIDE}|[^.;,\d(]){{0,60}}?{IS}+{AHEAD}|\b(?:size"
            r"|value)\s(?=\d)"
        ),
        counted=re.compile(
            r"(?<!nodes and )(?<!nodes, )(?<!vertices and )(?<!graph has )(?<!of the )"
            rf"(?P<number>{NUMBER})(?:\sof (?:the |its |all )?(?:\d{{1,6}} )?"
            rf"|\s(?:\w{{1,12}}\s)?)edges?\b"
            r"(?! in total)"
        ),
    )
)
_LIST = r"(?<![\d,])(?<![\d,]\s)(?<!and\s)\d{1,6}(?:\s*+(?:,|;|\band\b|,\s?and)\s*+\d{1,6})*"
_SIDE = re.compile(
    r"\b(?:sides?|sets?|partitions?|parts?|subsets?|groups?|nodes|one side|s|a"
    r"|left)(?:\s(?:\w|\d)\b)?(?:\s(?:of the cut|of such a cut|of it|is|are|being"
    r"|contains?|consists? of|with|the|nodes|holds?))*"
    rf"\s*+[:=]?\s*+(?:the )?[(\[{{]*+\s*+(?P<nodes>{_LIST})"
)
_NODE = re.compile(r"\bnode\s(?=\d)|[\"'|]")
_ON_SIDE = re.compile(
    rf"(?P<nodes>{_LIST})[)\]}}]?\s(?:are |is |lie |being )?(?:on|in|at|forms?|forming"
    r"|as)\s(?:one|a|the same|the first|the left|its one)\s(?:side|set|part)"
)
_PARTED = re.compile(
    rf"\b(?:separates?|splits?|divides?|cut)\s(?:the )?(?:nodes? "
    rf"|vertices )?(?:into )?[{{(\[]\s?(?P<nodes>{_LIST})\s?[)\]}}]"
)
_TWO_SIDES = re.compile(
    rf"\{{\s?(?P<nodes>{_LIST})\s?\}}[\s,)]*(?:and|vs\.?|versus|against|from"
    rf"|/)?[\s(]*(?:the rest\b|\{{\s?\d)"
)
_ALONE = re.compile(rf"\W*[{{\[(]\s?(?P<nodes>{_LIST})\s?[}}\])][\s.!]*")
_COMPACT = re.compile(
    rf"[\s\"'(\[{{]*+(?P<size>\d{{1,6}})(?:\sedges)?\s*+(?:[:;,]|\b(?:and|with)\b)\s*+(?:(?:the|one"
    rf"|side|set|with|and|nodes)\b[\s:]*+)*(?P<nodes>[\[({{]\s?{_LIST}\s?[\])}}]|(?<=[:;] ){_LIST}"
    rf"|(?<=[:;]){_LIST})(?: (?:on|as) (?:one|the) side)?[\s\"').\]}}]*+$"
)
_FOR_EXAMPLE = re.compile(r"\W{0,4}(?:for (?:example|instance)|e\.g\.|as an example)")
_DIGIT = re.compile(r"\d")
_JSON_SIZE = re.compile(
    r"\"(?:max_?cut_?)?(?:size|value|cut|cut_size|max_cut|edges"
    r"|max_cut_size)\"\s?:\s?\"?(\d{1,6})"
)
_JSON_SIDE = re.compile(
    r"\"(?:side|one_side|set|side_a|set_a|partition|s|nodes"
    r"|a)\"\s?:\s?\[+([\d,\s\"]{1,400})\]"
)


class CutReader:
    """Reads cuts, as `size: side` with the side in ascending order."""

    def value(self, text: str) -> Found | None:
        """Returns the claim of a text that is an answer."""
        compact = _COMPACT.match(flattened(text))
        if compact is not None:
            return _cut(int(compact["size"]), compact["nodes"], text)
        return self.statement(text)

    def statement(self, sentence: str) -> Found | None:
        """Returns the claim of a sentence that states both size and side."""
        if not has_any(sentence, ("side", "set", "part", "group", "cut", "nodes")):
            return None
        if _DIGIT.search(sentence) is None:
            return None
        sentence = spelled_out(sentence)
        size = _JSON_SIZE.search(sentence) if '"' in sentence else None
        side = _JSON_SIDE.search(sentence) if size is not None else None
        if size is not None and side is not None:
            return None if OPEN_VALUE.search(sentence) else _cut(int(size[1]), side[1], sentence)
        flat = _NODE.sub("", sentence)
        nodes = _side_in(flat)
        if nodes is None or OPEN_VALUE.search(sentence):
            return None
        number = _SIZE.statement(flat[: nodes.start()] + "." + flat[nodes.end() :])
        if number is None:
            number = _SIZE.statement(flat)
        if number is None:
            return None
        if not isinstance(number.value, int):
            return left_open(sentence)
        return _cut(number.value, nodes["nodes"], sentence)

    def bare(self, sentence: str) -> Found | None:
        """Returns the claim of a sentence such as `12: 0,3`."""
        compact = _COMPACT.match(flattened(sentence))
        return None if compact is None else _cut(int(compact["size"]), compact["nodes"], sentence)

    def block(self, rows: list[str]) -> Found | None:
        """Returns the claim of a text whose size and side stand in different sentences."""
        if rows and rows[-1].endswith((",", ":", "{", "[", "(")):
            return None  # Broken off.
        if rows and (whole := self.bare(rows[-1])) is not None:
            return whole  # It holds a semicolon.
        text = " ".join(rows[-30:])[-SENTENCE:]
        size, side = last_match(_JSON_SIZE, text), last_match(_JSON_SIDE, text)
        if size is not None and side is not None:
            return _cut(int(size[1]), side[1], text)
        number: Found | None = None
        nodes: re.Match[str] | None = None
        for row in rows[-30:]:
            for sentence in re.split(r"(?<=[.!?;])\s+", spelled_out(row[-SENTENCE:])):
                flat = _NODE.sub("", sentence)
                if _FOR_EXAMPLE.match(flat):
                    continue
                found = _side_in(flat)
                rest = flat if found is None else flat[: found.start()] + "." + flat[found.end() :]
                size_here = _SIZE.statement(rest)
                if size_here is None and number is None:
                    size_here = _SIZE.bare(rest.rstrip("; "))
                if (found is None and size_here is None) or OPEN_VALUE.search(flat):
                    continue
                number = size_here or number
                if found is not None and (nodes is None or not _second(sentence)):
                    nodes = found
        if number is None or nodes is None or not isinstance(number.value, int):
            return None
        return _cut(number.value, nodes["nodes"], text)


def _side_in(flat: str) -> re.Match[str] | None:
    """Returns the first side that a sentence names."""
    return (
        (_PARTED.search(flat) if has_any(flat, ("separat", "split", "divid", "cut")) else None)
        or (_TWO_SIDES.search(flat) if "{" in flat else None)
        or (_ON_SIDE.search(flat) if has_any(flat, ("side", "set", "part")) else None)
        or _SIDE.search(flat)
        or _ALONE.fullmatch(flat)
    )


def _second(sentence: str) -> bool:
    return (
        re.search(
            r"\b(?:other|second|remaining|set b|side b|part b|b\s?=|t\s?=|right|side 2|set 2)\b",
            sentence,
        )
        is not None
    )


def _cut(size: object, side: str, sentence: str) -> Found:
    nodes = sorted(joined(side))
    return stated(f"{size}: {','.join(map(str, nodes))}", sentence, STATED)
