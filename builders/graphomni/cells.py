"""What the instances of one cell (a task at a difficulty) share while they are planned."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchloom.builders.errors import InputError
from benchloom.builders.graphomni.generators import Drawn, Params, draw
from benchloom.builders.graphomni.isomorphism import Classes
from benchloom.builders.graphs.graph import Graph
from benchloom.builders.seeds import Key, rng, seed_key

TRIES = 300
"""Graphs drawn with one number of nodes before the best of them is taken, or another number."""

PATIENCE = 40
"""Graphs drawn before one that meets every rule, if not in the best way, is taken."""

DRAWS = 60_000
DRAWS_AN_INSTANCE = 50
"""A cell for which more graphs than these together are drawn is given up.

A published cell takes up to 23,000 in all. Where more instances are asked for than there are
graphs, each further one takes ever longer.
"""


@dataclass(frozen=True, slots=True)
class Instance:
    """A graph with a question, as it stands in the dataset.

    Attributes:
        task: The task.
        difficulty: The difficulty, which is also the split.
        index: Place within task and difficulty, from 0.
        generator: Name of the graph's generator.
        graph: The graph.
        source: The node that the question starts from, None where it names none.
        target: The node that the question ends at, None where it names none.
        answer: The canonical answer, as `answers.answer` gives it.
        params: What the generator was called with or drew.
        seed_key: The random key from which the graph and the question come.
        draws: How many graphs were drawn for it.
        relaxed: The rules that it does not keep because no graph was found that does: `nodes` (the
            number of nodes was not the one drawn first), or one of the task's own.
    """

    task: str
    difficulty: str
    index: int
    generator: str
    graph: Graph
    source: int | None
    target: int | None
    answer: str
    params: Params
    seed_key: str
    draws: int
    relaxed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """What a grader says of a graph that can be used.

    Attributes:
        source: First node of the question.
        target: Second node of the question.
        cost: 0 for a graph to be taken at once; among others the lower the better.
        relaxed: The rules that are not kept.
        tags: What the cell is to count once the instance is entered.
    """

    source: int | None = None
    target: int | None = None
    cost: int = 0
    relaxed: tuple[str, ...] = ()
    tags: tuple[Any, ...] = ()


Grader = Callable[[Drawn], Found | None]


@dataclass(frozen=True, slots=True)
class Draft:
    """A graph and a question that were chosen, before they are entered."""

    drawn: Drawn
    found: Found
    draws: int
    relaxed: tuple[str, ...]
    seed_key: str

    @property
    def graph(self) -> Graph:
        """The graph."""
        return self.drawn.graph


class UnfilledError(InputError):
    """A cell that cannot be filled.

    Attributes:
        cell: The cell, as far as it is filled.
        name: The generator that gives no further graph.
        reached: How many instances, from the first one on, there are.
    """

    def __init__(self, message: str, cell: "Cell", name: str) -> None:
        super().__init__(message)
        self.cell = cell
        self.name = name
        self.reached = cell.reached


class Cell:
    """A task at a difficulty: its recipe, what was entered, and counts of what was entered.

    Attributes:
        task: The task.
        difficulty: The difficulty.
        generation: The benchmark's generation.
        seed: The user's seed.
        count: Number of instances of the whole cell.
        bounds: Smallest and largest number of nodes.
        generators: Names of the generators, in the order of their shares.
        rules: The task's quotas.
        tally: Counts of what instances were tagged with.
        made: Number of instances entered, by generator.
        reached: The place that is being filled; all before it are.
        draws: Number of graphs drawn.
        most_draws: After how many it is given up; by default that depends on what it has.
    """

    def __init__(
        self,
        task: str,
        difficulty: str,
        *,
        generation: int,
        seed: int,
        count: int,
        bounds: tuple[int, int],
        generators: Sequence[str],
        rules: Mapping[str, Any],
        avoided: Sequence[Graph] = (),
        most_draws: int | None = None,
    ) -> None:
        self.task = task
        self.difficulty = difficulty
        self.generation = generation
        self.seed = seed
        self.count = count
        self.bounds = bounds
        self.generators = tuple(generators)
        self.rules = dict(rules)
        self.tally: Counter[Any] = Counter()
        self.made: Counter[str] = Counter()
        self.reached = 0
        self.draws = 0
        self.most_draws = most_draws
        self._questions: set[tuple[Graph, int | None, int | None]] = set()
        self._classes = {name: Classes() for name in generators}
        for graph in avoided:
            for classes in self._classes.values():
                classes.add(graph)

    def key(self, *parts: Key) -> tuple[Key, ...]:
        """Returns the random key of something in this cell."""
        start = ("graphomni", self.generation, self.task, self.difficulty)
        return (*start, parts[0], self.seed, *parts[1:])

    def share(self, name: str) -> int:
        """Returns how many of the cell's instances come from a generator."""
        place, many = self.generators.index(name), len(self.generators)
        return (self.count - place + many - 1) // many

    def nodes(self, name: str, unit: int) -> int:
        """Returns the number of nodes of a generator's unit: each size once, in random order.

        After all sizes have had their turn, they come in another order.
        """
        low, high = self.bounds
        block, place = divmod(unit, high - low + 1)
        sizes = rng(*self.key("nodes", name, block)).permutation(high - low + 1)
        return low + int(sizes[place])

    def allows(self, name: str, value: object, limit: float) -> bool:
        """Returns whether one more instance of a generator may have an answer.

        Args:
            name: The generator.
            value: The answer.
            limit: The largest share of the generator's instances that may have one answer. Among
                the first few it may be passed by one.
        """
        whole = max(1, int(limit * self.share(name) + 1e-9))
        so_far = int(limit * (self.made[name] + 1)) + 2
        return self.tally[name, value] < min(whole, so_far)

    def due(self, quotas: Mapping[Any, float], *scopes: Any) -> list[Any]:
        """Returns kinds of instances, the one that is most wanted first.

        Args:
            quotas: The wanted share of each kind.
            *scopes: The parts of the cell in which the shares are to hold; kinds are counted under
                the tags (scope, kind).
        """
        wanted = {}
        for kind, share in quotas.items():
            made = [sum(self.tally[scope, other] for other in quotas) for scope in scopes]
            wanted[kind] = sum(
                share * (total + 1) - self.tally[scope, kind]
                for scope, total in zip(scopes, made, strict=True)
            )
        # Rounded, so that which of two equals comes first does not hang on the last bit.
        return sorted(quotas, key=lambda kind: -round(wanted[kind], 6))

    def is_new(self, name: str, graph: Graph, found: Found) -> bool:
        """Returns whether neither the question nor, from the generator, the graph is there yet."""
        if (graph, found.source, found.target) in self._questions:
            return False
        return graph not in self._classes[name]

    def enter(self, name: str, draft: Draft) -> None:
        """Counts a draft, so that later ones differ from it."""
        self._questions.add((draft.graph, draft.found.source, draft.found.target))
        self._classes[name].add(draft.graph)
        self.made[name] += 1
        self.tally.update(draft.found.tags)

    def pick(
        self,
        name: str,
        n: int,
        random: np.random.Generator,
        grade: Grader,
        rule: str,
        key: tuple[Key, ...],
        options: Callable[[], Mapping[str, Any]] = dict,
        tries: int = TRIES,
    ) -> Draft:
        """Returns a new graph of a generator that a grader accepts.

        Graphs with n nodes are drawn until one costs nothing, or `tries` are drawn: then the one
        that cost least is taken. If there was none, the next larger numbers of nodes are tried, up
        to the upper bound, then the next smaller ones.

        Raises:
            UnfilledError: If no number of nodes gives such a graph, or too many were drawn.
        """
        low, high = self.bounds
        draws = 0
        for size in [n, *range(n + 1, high + 1), *range(n - 1, low - 1, -1)]:
            if self.draws > self._may_draw():
                break
            best, used = self.search(name, size, random, grade, options, tries)
            draws += used
            if best is not None:
                drawn, found = best
                relaxed = found.relaxed if size == n else (*found.relaxed, "nodes")
                return Draft(drawn, found, draws, relaxed, seed_key(*key))
        many = "in" if self.draws <= self._may_draw() else "or too few, in"
        raise UnfilledError(
            f"{self.task} {self.difficulty}: generator {name} with {low} to {high} nodes gives no "
            f"further graph under the rule '{rule}' {many} {self.draws:,} draws: "
            f"{self.made[name]} of {self.share(name)} were found",
            self,
            name,
        )

    def _may_draw(self) -> int:
        if self.most_draws is not None:
            return self.most_draws
        return DRAWS + DRAWS_AN_INSTANCE * self.made.total()

    def search(
        self,
        name: str,
        n: int,
        random: np.random.Generator,
        grade: Grader,
        options: Callable[[], Mapping[str, Any]] = dict,
        tries: int = TRIES,
    ) -> tuple[tuple[Drawn, Found] | None, int]:
        """Returns the best new graph with n nodes that was found, and how many were drawn."""
        best: tuple[Drawn, Found] | None = None
        for attempt in range(1, tries + 1):
            self.draws += 1
            drawn = draw(name, n, random, **options())
            found = grade(drawn)
            if (
                found is not None
                and (best is None or found.cost < best[1].cost)
                and self.is_new(name, drawn.graph, found)
            ):
                best = drawn, found
            if best is not None and (
                best[1].cost == 0 or (attempt >= PATIENCE and not best[1].relaxed)
            ):
                return best, attempt
        return best, tries
