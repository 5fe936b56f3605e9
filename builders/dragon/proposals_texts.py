"""Rules for diagrams whose regions are words: labels (AI2D), lines of text (InfographicsVQA)."""

from collections import Counter
from collections.abc import Mapping, Sequence

from benchloom.builders.dragon.item import Item
from benchloom.builders.dragon.matching import Text, content, fold
from benchloom.builders.dragon.regions import Region
from benchloom.builders.dragon.work import Role
from benchloom.loaders.boxes import Box

MOST_ANSWERS = 2
"""Places of one answer; a number may be all over an infographic, and few of them are meant."""
MOST_LINES = 4
"""Lines that support an answer."""
FEW = 3
"""A word that stands in no more lines than these tells which of them is meant."""


def pick_labels(item: Item, question: Text, answer: Text) -> Mapping[str, Role]:
    """Returns the roles of regions by their ids.

    Labels that the answer names show the answer, those that the question names support it, and so
    do the parts that they are labels of. A label may be named in part, by its head.
    """
    names = {
        region.id: [
            name
            for name in (region.label, *region.aliases)
            if len(name) == 1 or content(fold(name))
        ]
        for region in item.regions
    }
    roles: dict[str, Role] = dict.fromkeys(answer.find(names, partly=True), "answer")
    for name in question.find(names, partly=True):
        roles.setdefault(name, "support")
    return roles


def pick_texts(item: Item, question: Text, answer: Text) -> Mapping[str, Role]:
    """Returns the roles of regions by their ids.

    - Lines support an answer that share words with the question: at least two that tell something,
      or all that the line has if they are rare in the picture; the best few.
    - A single word, or a line, that holds one of the right answers shows the answer; of many such
      places, those nearest to the lines above.
    """
    lines = [region for region in item.regions if region.id.startswith("line-")]
    words = [region for region in item.regions if region.id.startswith("word-")]
    support = _find_lines(lines, question)
    shows = _find_answer(lines, words, item, answer)
    if support and len(shows) > 1:
        shows.sort(key=lambda one: min(_distance(one.bbox, line.bbox) for line in support))
    roles: dict[str, Role] = {region.id: "answer" for region in shows[:MOST_ANSWERS]}
    for region in support:
        roles.setdefault(region.id, "support")
    return roles


def _find_lines(lines: Sequence[Region], question: Text) -> list[Region]:
    """Returns the lines that a question is about, the best first."""
    asked = set(content(question.words))
    held = [set(content(fold(line.label))) for line in lines]
    spread = Counter(word for words in held for word in words & asked)
    scored = []
    for line, words in zip(lines, held, strict=True):
        shared = words & asked
        rare = any(spread[word] <= FEW for word in shared)
        if rare and (len(shared) > 1 or shared == words):
            # A fixed order of summing: equal sums of floats must be equal on every run.
            scored.append((-sum(1 / spread[word] for word in sorted(shared)), line))
    scored.sort(key=lambda one: one[0])
    return [line for _, line in scored[:MOST_LINES]]


def _find_answer(
    lines: Sequence[Region], words: Sequence[Region], item: Item, answer: Text
) -> list[Region]:
    """Returns where an answer stands: as a word, in a line, or else over several lines."""
    others = item.details.get("answers", ())
    allowed = [answer, *(Text.of(str(one)) for one in others)] if answer.words else []
    for text in allowed:
        if len(text.words) == 1:
            found = [one for one in words if fold(one.label) == text.words]
        else:
            found = [one for one in lines if Text.of(one.label).find({"": (text.raw,)})]
        if found:
            return found
    for text in allowed:
        held = {line.id: (line.label,) for line in lines if content(fold(line.label))}
        if parts := text.find(held):
            return [line for line in lines if line.id in parts]
    return []


def _distance(one: Box, other: Box) -> float:
    """Returns the squared distance of two boxes' centres."""
    across = one[0] + one[2] / 2 - other[0] - other[2] / 2
    down = one[1] + one[3] / 2 - other[1] - other[3] / 2
    return across * across + down * down
