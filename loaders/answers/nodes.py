"""Nodes and lists of nodes as they are written."""

import re

_NODE_WORD = re.compile(
    r"the\sedges?\s(?=[(\[]?\d)|edges?\s(?=[(\[]?\d)|vert(?:ex|ices)[\s_]?\{?(?=\d)"
    r"|v(?<!\w.)[\s_]?\{?(?=\d)|n(?<!\w.)(?:odes?)?[\s_]?\{?(?=\d)|节点|\"|'|\|"
)
_NEXT_CLAUSE = re.compile(r",\s(?:and|since|as|because)\s(?=\d{1,6}\s(?:is|has|connects|links)\b)")
_ASIDE = re.compile(r"\s?\((?=[^()]{0,120}[a-z=])[^()]{1,120}\)")
ITEM = r"\d{1,6}(?![\d.]*\d)"
_JOIN = (
    r"[\s)\]}]*+(?:->|=>|-+>?|>|,|;|/|\bthen\b|\bfollowed by\b|\band\s(?=\())(?:\s*+(?:,"
    r"|and\b|then\b|finally\b|to\b|->))*[\s(\[{]*+"
)
RUN = re.compile(
    rf"(?<![\w.\-]){ITEM}(?:(?:{_JOIN}{ITEM})+(?:\s*+(?:,\s?)?and\s{ITEM}(?!\s?(?:->|-|,)\s?\d))?"
    rf"|(?:[ ]{{1,3}}{ITEM}){{2,}}|(?:\s(?:and\s)?(?:then\s)?to\s{ITEM}){{2,}})"
)
_DIGITS = re.compile(r"\d+")
NODES = re.compile(rf"(?<![\w.\-]){ITEM}")


def flattened(sentence: str) -> str:
    """Returns a sentence with bare nodes: no `node`, quotes, or asides in parentheses."""
    flat = _NODE_WORD.sub("", sentence)
    if " is " in flat or " has " in flat:
        flat = _NEXT_CLAUSE.sub("; it is that ", flat)
    return _ASIDE.sub("", flat) if "(" in flat else flat


def joined(run: str) -> list[int]:
    """Returns the nodes of a written list; a chain of edges (`6-0, 0-5`) is the path it makes."""
    nodes = [int(node) for node in _DIGITS.findall(run)]
    inner = nodes[1:-1]
    if len(nodes) >= 4 and len(nodes) % 2 == 0 and inner[::2] == inner[1::2]:
        return [nodes[0], *nodes[1::2]]
    return nodes
