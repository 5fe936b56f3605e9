"""A folder of a user's graphs as a source of instances: read once, asked by every task."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from benchloom.builders.errors import InputError
from benchloom.builders.graphomni.answers import components, levels, neighbour_masks
from benchloom.builders.graphomni.isomorphism import Invariant, invariant
from benchloom.builders.graphomni.user_graphs import UserGraphs, read_graphs
from benchloom.builders.graphs import answers
from benchloom.builders.graphs.graph import Graph
from benchloom.builders.recipe import Recipe


class IsomorphismClasses:
    """A growing collection of graphs, no two of them isomorphic.

    Unlike `isomorphism.Classes` it is exact (up to 63 nodes): a random graph taken for known costs
    a draw, but one of a user's must not be left out for nothing, and regular graphs of one size and
    degree all have the same invariant.
    """

    def __init__(self, graphs: Iterable[Graph] = ()) -> None:
        self._known: dict[Invariant, list[Graph]] = {}
        for graph in graphs:
            self.add(graph)

    def __contains__(self, graph: Graph) -> bool:
        """Returns whether a graph isomorphic to this one was added."""
        return any(_is_isomorphic(graph, one) for one in self._known.get(invariant(graph), ()))

    def add(self, graph: Graph) -> bool:
        """Adds a graph unless one isomorphic to it is there; returns whether it was added."""
        alike = self._known.setdefault(invariant(graph), [])
        if any(_is_isomorphic(graph, one) for one in alike):
            return False
        alike.append(graph)
        return True


@dataclass(frozen=True, slots=True)
class Traits:
    """What several tasks want to know of a graph.

    Attributes:
        connected: Whether it is connected.
        real_components: Number of components of two nodes or more.
        cyclic: Whether it has a cycle.
        longest: The largest distance between two nodes that a path joins.
    """

    connected: bool
    real_components: int
    cyclic: bool
    longest: int


class Folder:
    """The graphs of a user's folder.

    Attributes:
        names: What each graph is called.
        graphs: The graphs.
        relabelled: A sentence for each file whose nodes had to be renumbered.
        digest: Digest of names and graphs.
        plans: What was planned from them, by what it depends on.
    """

    def __init__(self, found: UserGraphs) -> None:
        self.names = [name for name, _ in found.graphs]
        self.graphs = [graph for _, graph in found.graphs]
        self.relabelled = found.relabelled
        self.digest = found.digest
        self.plans: dict[Any, Any] = {}
        self._firsts: dict[int, list[int]] = {}
        self._traits: dict[int, Traits] = {}

    @cached_property
    def places(self) -> dict[int, list[int]]:
        """The places of the graphs with each number of nodes."""
        found: dict[int, list[int]] = {}
        for place, graph in enumerate(self.graphs):
            found.setdefault(graph.n_nodes, []).append(place)
        return found

    def of_size(self, bounds: tuple[int, int]) -> Iterator[int]:
        """Yields the places of the graphs with least to most nodes."""
        for n in range(bounds[0], bounds[1] + 1):
            yield from self.places.get(n, ())

    def first_of_size(self, bounds: tuple[int, int]) -> Iterator[int]:
        """Yields the same places, but of isomorphic graphs that of the first alone."""
        for n in range(bounds[0], bounds[1] + 1):
            if n not in self._firsts:
                classes = IsomorphismClasses()
                self._firsts[n] = [
                    place for place in self.places.get(n, ()) if classes.add(self.graphs[place])
                ]
            yield from self._firsts[n]

    def traits(self, place: int) -> Traits:
        """Returns what several tasks want to know of the graph at a place."""
        if place not in self._traits:
            self._traits[place] = _traits(self.graphs[place])
        return self._traits[place]


_LAST: dict[str, Folder] = {}
"""The folder that was read last, by its digest: a command needs it several times."""


def read_folder(folder: Path) -> Folder:
    """Returns a folder's graphs, read anew.

    Raises:
        InputError: If they cannot be used.
    """
    found = Folder(read_graphs(folder))
    _LAST.clear()
    _LAST[found.digest] = found
    return found


def folder_of(recipe: Recipe) -> Folder:
    """Returns the graphs that a recipe is about.

    Raises:
        InputError: If it is not known where their folder is, or it holds others by now.
    """
    path, digest = recipe.folder("graphs"), recipe.options["graphs"]
    found = _LAST.get(digest) or read_folder(path)
    if found.digest != digest:
        raise InputError(f"{path}: its graphs changed meanwhile; run the command again")
    return found


def _traits(graph: Graph) -> Traits:
    masks = neighbour_masks(graph)
    parts = components(masks)
    return Traits(
        connected=len(parts) == 1,
        real_components=sum(part.bit_count() > 1 for part in parts),
        cyclic=graph.n_edges > graph.n_nodes - len(parts),
        longest=_longest_distance(graph, masks),
    )


def _longest_distance(graph: Graph, masks: list[int]) -> int:
    """Returns the largest distance of joined nodes, from balls that grow around all at once."""
    balls = [mask | 1 << node for node, mask in enumerate(masks)]
    distance = 1 if graph.edges else 0
    while True:
        grown = list(balls)
        for u, v in graph.edges:
            grown[u] |= balls[v]
            grown[v] |= balls[u]
        if grown == balls:
            return distance
        balls = grown
        distance += 1


def _is_isomorphic(first: Graph, second: Graph) -> bool:
    """Returns whether two graphs with the same invariant are isomorphic.

    Beyond 63 nodes they are taken for it when as many nodes see as many others at each distance.
    """
    if first == second:
        return True
    if max(first.n_nodes, second.n_nodes) <= answers.MASK_LIMIT:
        return answers.is_isomorphic(first, second)
    return _distance_profiles(first) == _distance_profiles(second)


def _distance_profiles(graph: Graph) -> list[list[int]]:
    """Returns for each node how many nodes are at distance 0, 1, 2 ..., sorted."""
    masks = neighbour_masks(graph)
    return sorted(
        [level.bit_count() for level in levels(masks, node)] for node in range(graph.n_nodes)
    )
