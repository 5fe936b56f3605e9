"""What the rules that judge sentences of worked examples share: patterns, state, their table."""

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from benchloom.builders.graphs.graph import Graph

NODE = "([0-9]{1,9})"
"""Pattern of a node or a number."""
LIST = r"\[((?:[0-9]{1,9}(?:, [0-9]{1,9})*)?)\]"
"""Pattern of a list such as `[1, 2]`, with its inside as group."""
NAMES = "(node [0-9]{1,9}|nodes [0-9]{1,9}(?:, [0-9]{1,9})* and [0-9]{1,9})"
"""Pattern of nodes in words."""
PATH = "([0-9]{1,9}(?:,[0-9]{1,9})*)"
"""Pattern of nodes as answers write them."""

Rule = Callable[..., bool]
RULES: list[tuple[re.Pattern[str], Rule]] = []
"""Patterns of sentences, and what judges each; its arguments are the example and the groups."""


class Example:
    """A worked example as far as it has been read.

    Attributes:
        task: The task.
        plain: The graph.
        graph: The graph as networkx has it.
        source: The first node asked about, None if there is none.
        target: The second node, None if there is none.
        them: The nodes that "them" means.
        queue: What is in the queue.
        visited: The nodes that are visited, in the order in which they were.
        dequeued: The nodes that were taken from the queue.
        current: The node at work; None when its work is done.
        enqueued: The nodes that were enqueued last.
        predecessor: The predecessors that were told.
        distance: The last distance or level that was told.
        stack: The nodes of the depth-first search or of the path.
        tried: The neighbours that were looked at, or extensions that were tried, at each node.
        told: What was told so far, in the order of telling: edges, nodes, sides, or the nodes of
            the path on the way back.
        numbers: The numbers that were told with those.
        triangles: The triangles that were told.
        rest: The nodes that are not removed.
        concluded: Whether the steps have led to an answer.
    """

    def __init__(
        self, task: str, graph: Graph, source: int | None = None, target: int | None = None
    ) -> None:
        import networkx

        self.task, self.source, self.target = task, source, target
        self.plain = graph
        self.graph: Any = networkx.Graph()
        self.graph.add_nodes_from(range(graph.n_nodes))
        self.graph.add_edges_from(graph.edges)
        self.them: list[int] = []
        self.queue: list[int] = []
        self.visited: list[int] = []
        self.dequeued: list[int] = []
        self.current: int | None = None
        self.enqueued: list[int] = []
        self.predecessor: dict[int, int] = {}
        self.distance = 0
        self.stack: list[int] = []
        self.tried: dict[int, list[int]] = {}
        self.told: list[Any] = []
        self.numbers: list[int] = []
        self.triangles: list[tuple[int, int, int]] = []
        self.rest: list[int] = list(range(graph.n_nodes))
        self.concluded = False

    def near(self, node: int) -> list[int]:
        """Returns the neighbours of a node, ascending; none where there is no such node."""
        return sorted(self.graph[node]) if node in self.graph else []

    def is_path(self, nodes: list[int]) -> bool:
        """Returns whether nodes are a path: joined one after the other, none twice."""
        joined = all(self.graph.has_edge(u, v) for u, v in pairwise(nodes))
        return joined and len(set(nodes)) == len(nodes) and set(nodes) <= set(self.graph)

    def is_cycle(self, nodes: list[int]) -> bool:
        """Returns whether nodes are a cycle that ends where it began."""
        closed = len(nodes) >= 4 and nodes[0] == nodes[-1]
        return closed and self.is_path(nodes[:-1]) and self.graph.has_edge(*nodes[-2:])

    def distances(self, node: int) -> dict[int, int]:
        """Returns the distance of all nodes that a node reaches."""
        import networkx

        if node not in self.graph:
            return {}
        return dict(networkx.single_source_shortest_path_length(self.graph, node))


def numbers(text: str) -> list[int]:
    """Returns all numbers in a text."""
    return [int(word) for word in re.findall(r"[0-9]{1,9}", text)]


def rule(pattern: str) -> Callable[[Rule], Rule]:
    """Returns a decorator that enters what judges the sentences of a pattern.

    It gets the example and the pattern's groups.
    """

    def enter(judge: Rule) -> Rule:
        RULES.append((re.compile(pattern), judge))
        return judge

    return enter
