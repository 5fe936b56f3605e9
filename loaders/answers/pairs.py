"""Whether a clause is about the two nodes that a question names."""

import re
from collections.abc import Callable, Sequence


def nodes_in(clause: str) -> list[int]:
    """Returns the nodes that a clause names; counts such as `3 edges` are none."""
    return [int(found) for found in _NODE.findall(_COUNTED.sub(" ", clause))]


_NODE = re.compile(r"(?<![\d.])\d{1,6}(?![\d.]*\d)")
_DIGIT = re.compile(r"\d")
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
        if _DIGIT.search(clause) is None:
            return True
        named = set(nodes_in(clause))
        return pair <= named or named <= pair

    return is_about
