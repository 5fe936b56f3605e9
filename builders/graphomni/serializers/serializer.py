"""What a serialisation is, the table of all of them, and what their parsers share."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from benchloom.builders.errors import InputError
from benchloom.builders.graphs.graph import Edge, Graph
from benchloom.builders.registry import register

Contents = tuple[int | None, list[Edge]]
"""What a text shows: its number of nodes, None where the format does not tell it, and its edges."""

NUMBER = "(?:0|[1-9][0-9]{0,8})"
"""The pattern of a node's number: no signs, no leading zeros."""


@dataclass(frozen=True)
class Serializer:
    """A way to write a graph as text, and to read it back (section A.6).

    Attributes:
        name: Its name in the dataset.
        title: Its name in prompts.
        serialize: Returns the text of a graph.
        read: Returns what a text shows, in the order and direction of the text; raises InputError.
    """

    name: str
    title: str
    serialize: Callable[[Graph], str]
    read: Callable[[str], Contents]

    def parse(self, text: str, n_nodes: int | None = None) -> Graph:
        """Returns the graph that a text shows.

        White space may differ from what `serialize` writes, and nodes and edges may come in another
        order; anything else must be as it writes it.

        Args:
            text: The text of one graph and nothing else.
            n_nodes: Number of nodes it must have. Without it, an edge set or edge list has the
                nodes up to the largest one that it mentions.

        Raises:
            InputError: If the text is damaged, shows no simple undirected graph on 0..n-1, or shows
                another number of nodes; one sentence.
        """
        shown, edges = self.read(text)
        if shown is None:
            shown = 1 + max((max(edge) for edge in edges), default=-1)
            shown = shown if n_nodes is None else max(shown, n_nodes)
        if n_nodes is not None and shown != n_nodes:
            raise InputError(f"the {self.title} shows {shown} nodes, not {n_nodes}")
        try:
            return Graph(shown, tuple(sorted((u, v) if u < v else (v, u) for u, v in edges)))
        except ValueError as error:
            raise InputError(f"the {self.title} shows no simple graph: {error}") from None


SERIALIZERS: dict[str, Serializer] = {}
"""All serialisations by name."""

_FUNCTIONS: dict[str, Callable[[Graph], str]] = {}


def serializer(
    name: str, title: str, read: Callable[[str], Contents]
) -> Callable[[Callable[[Graph], str]], Callable[[Graph], str]]:
    """Returns a decorator that enters a function from graph to text into `SERIALIZERS`.

    Args:
        name: Its name in the dataset.
        title: Its name in prompts.
        read: The way back; see `Serializer.read`.

    Raises:
        ValueError: If the name is taken; the message names both places.
    """

    def enter(function: Callable[[Graph], str]) -> Callable[[Graph], str]:
        # The function goes through the common table first, whose message says where it stands.
        register(_FUNCTIONS, name)(function)
        SERIALIZERS[name] = Serializer(name, title, function, read)
        return function

    return enter


def adjacency(graph: Graph) -> list[list[int]]:
    """Returns the neighbours of each node, ascending."""
    near: list[list[int]] = [[] for _ in range(graph.n_nodes)]
    for u, v in graph.edges:
        near[u].append(v)
        near[v].append(u)
    # Edges are sorted, so each node gets its smaller neighbours first, and both parts in order.
    return near


def read_adjacency(text: str, title: str, neighbours: str) -> Contents:
    """Returns what a dictionary from nodes to their neighbours shows.

    Args:
        text: The dictionary.
        title: The format's name, for messages.
        neighbours: Pattern of the neighbours of a node, with one group for their numbers.

    Raises:
        InputError: If it is no such dictionary, a node is missing, or an edge has one direction.
    """
    entry = re.compile(rf"\s*({NUMBER})\s*:\s*(?:{neighbours})\s*(,|\Z)")
    body = _inner(text, title)
    near: dict[int, list[int]] = {}
    place = 0
    while body and place < len(body):
        found = entry.match(body, place)
        # A comma must be followed by another entry.
        if not found or (found[3] and found.end() == len(body)):
            raise InputError(f"the {title} is damaged near {_excerpt(body, place)}")
        node = int(found[1])
        if node in near:
            raise InputError(f"the {title} has two entries for node {node}")
        near[node] = read_numbers(found[2] or "", title)
        place = found.end()
    check_numbering(near, title)
    pairs = {(u, v) for u, row in near.items() for v in row}
    if len(pairs) != sum(map(len, near.values())):
        raise InputError(f"the {title} lists a neighbor of a node twice")
    for u, v in pairs:
        if (v, u) not in pairs:
            raise InputError(f"the {title} has node {v} beside node {u}, but not the other way")
    return len(near), [(u, v) for u, row in near.items() for v in row if u <= v]


def read_numbers(text: str, title: str) -> list[int]:
    """Returns numbers separated by commas; none for an empty text.

    Raises:
        InputError: If something else stands there.
    """
    if not text.strip():
        return []
    pieces = [piece.strip() for piece in text.split(",")]
    for piece in pieces:
        if not re.fullmatch(NUMBER, piece):
            raise InputError(f"the {title} is damaged near {_excerpt(text, 0)}")
    return [int(piece) for piece in pieces]


def check_numbering(nodes: "dict[int, list[int]] | list[int]", title: str) -> None:
    """Checks that nodes are 0..n-1, each once.

    Raises:
        InputError: If they are not; the message names a node.
    """
    seen = set(nodes)
    if len(seen) != len(nodes):
        raise InputError(f"the {title} shows a node twice")
    for node in range(len(nodes)):
        if node not in seen:
            raise InputError(f"the {title} leaves out node {node} but shows node {max(seen)}")


def _inner(text: str, title: str) -> str:
    """Returns what stands between the braces."""
    text = text.strip()
    if len(text) < 2 or text[0] != "{" or text[-1] != "}":
        raise InputError(f"the {title} does not stand between braces")
    return text[1:-1].strip()


def _excerpt(text: str, place: int) -> str:
    """Returns the next few characters, on one line, for a message."""
    return repr(text[place : place + 20].strip())


def read_pairs(text: str, title: str) -> list[Edge]:
    """Returns the pairs `(u, v)` of a set in braces.

    Raises:
        InputError: If something else stands there.
    """
    body = _inner(text, title)
    pair = re.compile(rf"\s*\(\s*({NUMBER})\s*,\s*({NUMBER})\s*\)\s*(,|\Z)")
    pairs: list[Edge] = []
    place = 0
    while body and place < len(body):
        found = pair.match(body, place)
        if not found or (found[3] and found.end() == len(body)):
            raise InputError(f"the {title} is damaged near {_excerpt(body, place)}")
        pairs.append((int(found[1]), int(found[2])))
        place = found.end()
    return pairs
