"""The graphs of a user that suit a cell, by what each can be used for."""

from collections import Counter
from itertools import islice

Kind = tuple[str | int | bool, ...]
"""What a graph can be used for, such as `("No",)` or `("distance", 3)`."""


class Supply:
    """Graphs that are not used yet, in random order.

    Attributes:
        left: How many graphs are left for each kind of use.
    """

    def __init__(self) -> None:
        self.left: Counter[Kind] = Counter()
        self._places: dict[Kind, list[int]] = {}
        self._kinds: dict[int, tuple[Kind, ...]] = {}
        self._ranks: dict[int, int] = {}

    def __len__(self) -> int:
        """Returns how many graphs are left."""
        return len(self._kinds)

    def add(self, place: int, kinds: tuple[Kind, ...]) -> None:
        """Adds the graph at a place, after those that were added before."""
        self._kinds[place] = kinds
        self._ranks[place] = len(self._ranks)
        self.left.update(kinds)
        for kind in kinds:
            self._places.setdefault(kind, []).append(place)

    def take(self, place: int) -> None:
        """Takes a graph away, for all kinds of use."""
        self.left.subtract(self._kinds.pop(place))

    def first(self, kind: Kind, most: int) -> list[int]:
        """Returns the places of the first graphs that are left for a kind of use."""
        return list(islice((place for place in self._places[kind] if place in self._kinds), most))

    def rank(self, kind: Kind) -> int:
        """Returns where in the order the first graph stands that is left for a kind of use."""
        return self._ranks[self.first(kind, 1)[0]]

    def kinds(self) -> list[Kind]:
        """Returns the kinds of use for which graphs are left."""
        return [kind for kind in self._places if self.left[kind]]
