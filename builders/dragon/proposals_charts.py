"""Rules for charts: marks of the data, the ticks of their places, entries of the legend."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile

from benchloom.builders.dragon.item import Item
from benchloom.builders.dragon.matching import Text, content, fold, head_of
from benchloom.builders.dragon.regions import Region
from benchloom.builders.dragon.work import Role

_COLOURS = frozenset(
    fold(
        "legend colour color black blue brown cyan gray green grey navy orange pink purple "
        "red teal yellow white dark light"
    )
)
MOST_OF_KIND = 12
"""Marks of a series that is named alone; of more, few can be meant."""
Words = tuple[str, ...]


@dataclass(frozen=True)
class _Mark:
    """A bar, a piece of a pie, or a segment of a line.

    Attributes:
        region: Its id.
        series: The words of its series, none where there is only one.
        places: The words of where it stands; of a segment those of both ends.
        kind: The words of what it is a bar or a line of, also where there is only one.
    """

    region: str
    series: Words
    places: tuple[Words, ...]
    kind: Words

    def is_named(self, words: Words, alone: Words = ()) -> bool:
        """Tells whether some words name its series, if there are several, and its place.

        Args:
            words: Of a question, perhaps with its answer.
            alone: Those of a whole answer, which may be a word like "no".
        """
        there = set(words)
        return there.issuperset(self.series) and any(
            (content(place) or (place and place == alone)) and there.issuperset(place)
            for place in self.places
        )

    def is_kind(self, words: Words) -> bool:
        """Tells whether some words name what it is a bar or a line of, or the head of that."""
        head = head_of(self.kind)
        return bool(head) and (set(self.kind) <= set(words) or head[0] in words)

    def has_number(self, words: Words) -> bool:
        """Tells whether a number of its label, such as a year, is among some words."""
        told = (word for part in (self.kind, *self.places) for word in part)
        return any(word[0].isdecimal() and word in words for word in told)


def pick_on_chart(item: Item, question: Text, answer: Text) -> Mapping[str, Role]:
    """Returns the roles of regions by their ids.

    - Ticks, entries of the legend, axes' labels and a title that the answer names show the answer;
      those that the question names support it.
    - A mark is named by its place, and by its series if there are several. It shows the answer if
      the answer names it with the help of the question, or if it is the only one that is asked
      for; else it supports it. Where no mark is named by its place, all of a series are that is
      named ("the tea bars"); and where nothing at all is named, those of a year that is.
    - The legend as a whole supports it when colours are asked for and no entry of it is named.
    """
    marks = _marks([region for region in item.regions if region.id.startswith("data-")])
    names = {
        region.id: [name for name in (region.label, *region.aliases) if content(fold(name))]
        for region in item.regions
        if not region.id.startswith("data-") and region.id != "legend"
    }
    entries = {key: name for key, name in names.items() if key.startswith("legend-")}
    roles: dict[str, Role] = dict.fromkeys(answer.find(names), "answer")
    if not roles:
        roles = dict.fromkeys(answer.find(entries, partly=True), "answer")
    both = (*question.words, *answer.words)
    asked = [mark.region for mark in marks if mark.is_named(question.words)]
    if answer.words and not asked:
        told = [mark for mark in marks if mark.is_named(both, answer.words)]
        # The answer must tell something: a place, or a series.
        for mark in told:
            parts = (mark.series, *mark.places)
            if any(part and set(part) <= set(answer.words) for part in parts):
                roles[mark.region] = "answer"
    alone = len(asked) == 1 and not roles
    for region in asked:
        roles.setdefault(region, "answer" if alone else "support")
    if not any(mark.region in roles for mark in marks):
        named: tuple[tuple[Text, Role], ...] = (answer, "answer"), (question, "support")
        for text, role in named:
            kind = [mark.region for mark in marks if mark.is_kind(text.words)]
            for region in kind if len(kind) <= MOST_OF_KIND else ():
                roles.setdefault(region, role)
    for name in question.find(names) or question.find(entries, partly=True):
        roles.setdefault(name, "support")
    has_entry = any(name.startswith("legend-") for name in roles)
    if question.mentions(_COLOURS) and not has_entry:
        roles |= {one.id: "support" for one in item.regions if one.id == "legend"}
    if not roles:
        there = [mark.region for mark in marks if mark.has_number(question.words)]
        roles = dict.fromkeys(there if len(there) <= MOST_OF_KIND else (), "support")
    return roles


def _marks(regions: Sequence[Region]) -> list[_Mark]:
    """Returns the marks of a chart; `data-2-5` is mark 5 of series 2."""
    series: dict[str, list[Region]] = {}
    for region in regions:
        series.setdefault(region.id.rpartition("-")[0], []).append(region)
    several = [group for group in series.values() if len(group) > 1]
    marks = []
    for group in series.values():
        ends = {one.id: [fold(end) for end in one.label.split(" – ")] for one in group}
        shared = _shared([found[0] for found in ends.values()]) if len(group) > 1 else 0
        for key, (first, *others) in ends.items():
            name = first[:shared] if len(several) > 1 else ()
            kind = first[:shared] or first
            marks.append(_Mark(key, name, (first[shared:], *others), kind))
    return marks


def _shared(phrases: Sequence[Words]) -> int:
    """Returns how many words all of some phrases begin with."""
    return len(list(takewhile(lambda words: len(set(words)) == 1, zip(*phrases, strict=False))))
