"""What each task is called in words: its header, its question, its answer, its algorithm.

Questions are those of section A.3, headers follow the examples of section A.7.
"""

from dataclasses import dataclass

from benchloom.builders.errors import InputError
from benchloom.builders.registry import lookup


@dataclass(frozen=True)
class Wording:
    """The sentences of one task, in which `{source}` and `{target}` stand for nodes.

    Attributes:
        header: What the task is.
        question: What is asked.
        answers: Patterns of the answer sentence: the canonical answer that each belongs to, or ""
            for all others, to the sentence, in which `{answer}` (or `{size}` and `{side}`) stands.
        algorithm: How the task can be done.
    """

    header: str
    question: str
    answers: dict[str, str]
    algorithm: str


_BFS_HOW = """\
To determine the BFS (breadth-first search) traversal order, follow these steps:
1. Put the starting node into an empty queue and mark it as visited.
2. Dequeue the node at the front of the queue and add it to the traversal order. Enqueue each of \
its unvisited neighbors and mark it as visited.
3. Repeat step 2 until the queue is empty. The traversal order then holds all nodes that can be \
reached from the starting node."""

_CONNECTIVITY_HOW = """\
To determine whether there is a path between two nodes, follow these steps:
1. Put the first node into an empty queue and mark it as visited.
2. Dequeue the node at the front of the queue. Enqueue each of its unvisited neighbors and mark it \
as visited.
3. Repeat step 2 until the second node is visited or the queue is empty.
4. There is a path if and only if the second node is visited."""

_CYCLE_HOW = """\
To determine whether there is a cycle, follow these steps:
1. Start a depth-first search at an unvisited node and mark it as visited.
2. At each node, look at its neighbors one after the other, leaving out its parent, which is the \
node that the search came from. Go to a neighbor that is not visited and mark it as visited. If a \
neighbor is visited, there is a cycle.
3. Go back to the parent when a node has no neighbors left.
4. Repeat from step 1 until all nodes are visited. If no cycle was found, there is none."""

_DIAMETER_HOW = """\
To determine the diameter, follow these steps:
1. From each node, run a breadth-first search: level 0 is the node itself, and each next level \
holds the unvisited neighbors of the level before.
2. The number of the last level is the eccentricity of the node, its distance to the farthest node.
3. The diameter is the largest eccentricity."""

_SHORTEST_PATH_HOW = """\
To determine the shortest path between two nodes, follow these steps:
1. Put the first node into an empty queue and mark it as visited.
2. Dequeue the node at the front of the queue. Enqueue each of its unvisited neighbors, mark it as \
visited and store the dequeued node as its predecessor.
3. Repeat step 2 until the second node is visited.
4. Go back from the second node along the predecessors to the first node. The path in the other \
direction is a shortest path."""

_TRIANGLE_HOW = """\
To determine the number of triangles, follow these steps:
1. For each edge, find the common neighbors of its two ends.
2. Add up how many common neighbors were found for all edges.
3. Each triangle has three edges and was counted once for each of them, so divide the sum by 3."""

_HAMILTONIAN_CYCLE_HOW = """\
To find a cycle that visits every node exactly once, follow these steps:
1. Start a path at node 0.
2. Extend the path by the smallest neighbor of its last node that is not on the path and was not \
tried yet at this place.
3. If the path visits all nodes and its last node is a neighbor of node 0, it closes to the cycle.
4. Otherwise, if no extension is left to try, go back by one node. If the path cannot go back any \
more, there is no such cycle."""

_MAX_CUT_HOW = """\
To find the largest cut, follow these steps:
1. List all sets of nodes that hold node 0 and leave out some other node. Each is one side of a \
cut, and the remaining nodes are the other side.
2. For each set, count the edges that have one end in it and the other end outside.
3. The largest count is the size of the largest cut."""

WORDINGS: dict[str, Wording] = {
    "bfs_order": Wording(
        "Given a graph, your task is to determine the bfs traversal order of this graph starting "
        "at node {source}.",
        "Give the bfs traversal order starting from node {source}.",
        {"": "The BFS traversal order starting from node {source} is {answer}."},
        _BFS_HOW,
    ),
    "connectivity": Wording(
        "Given a graph, your task is to determine whether there is a path between node {source} "
        "and node {target} in this graph.",
        "Is there a path between node {source} and node {target}?",
        {
            "Yes": "Yes, there is a path between node {source} and node {target}.",
            "No": "No, there is no path between node {source} and node {target}.",
        },
        _CONNECTIVITY_HOW,
    ),
    "cycle": Wording(
        "Given a graph, your task is to determine whether there is a cycle in this graph.",
        "Is there a cycle in this graph?",
        {
            "Yes": "Yes, there is a cycle in this graph.",
            "No": "No, there is no cycle in this graph.",
        },
        _CYCLE_HOW,
    ),
    "diameter": Wording(
        "Given a graph, your task is to determine the diameter of this graph.",
        "What is the diameter of this graph?",
        {"": "The diameter is {answer}."},
        _DIAMETER_HOW,
    ),
    "shortest_path": Wording(
        "Given a graph, your task is to determine the shortest path from node {source} to node "
        "{target} in this graph.",
        "Give the shortest path from node {source} to node {target}.",
        {"": "The shortest path from node {source} to node {target} is {answer}."},
        _SHORTEST_PATH_HOW,
    ),
    "triangle": Wording(
        "Given a graph, your task is to determine the number of triangles in this graph.",
        "How many triangles are in this graph?",
        {"": "The number of triangles is {answer}."},
        _TRIANGLE_HOW,
    ),
    "hamiltonian_cycle": Wording(
        "Given a graph, your task is to find a Hamiltonian cycle of this graph, which is a cycle "
        "that visits every node exactly once, or to determine that there is none.",
        'Give a Hamiltonian cycle of this graph, or "none" if there is none.',
        {
            "none": "The answer is none.",
            "": "A Hamiltonian cycle of this graph is {answer}.",
        },
        _HAMILTONIAN_CYCLE_HOW,
    ),
    "max_cut": Wording(
        "Given a graph, your task is to determine the largest number of edges that a cut of this "
        "graph can have, and one side of such a cut.",
        "What is the size of the largest cut of this graph, and which nodes are on one of its "
        "sides?",
        {"": "The size of the largest cut is {size}, with the side {side}."},
        _MAX_CUT_HOW,
    ),
}
"""The wording of each task."""


def wording(task: str) -> Wording:
    """Returns the wording of a task.

    Raises:
        InputError: If there is no such task.
    """
    return lookup(WORDINGS, task, "task")


def header(task: str, source: int | None = None, target: int | None = None) -> str:
    """Returns the sentence that says what a query's task is.

    Args:
        task: The task.
        source: The first node that is asked about, where the task has one.
        target: The second node, where the task has one.

    Raises:
        InputError: If there is no such task, or a node is missing or too much.
    """
    return _filled(wording(task).header, source, target)


def question(task: str, source: int | None = None, target: int | None = None) -> str:
    """Returns the sentence that asks; arguments and errors as for `header`."""
    return _filled(wording(task).question, source, target)


def size_sentence(n_nodes: int) -> str:
    """Returns the sentence that tells a graph's nodes, without which edge formats are lossy."""
    if n_nodes == 0:
        return "The graph has 0 nodes."
    if n_nodes == 1:
        return "The graph has 1 node, numbered 0."
    return f"The graph has {n_nodes} nodes, numbered 0 to {n_nodes - 1}."


def answer_sentence(task: str, source: int | None, target: int | None, answer: str) -> str:
    """Returns the sentence that states an answer in the one form that exemplars use.

    Args:
        task: The task.
        source: The first node that is asked about, where the task has one.
        target: The second node, where the task has one.
        answer: The canonical text: nodes as `7,4,0`, `Yes` or `No`, a number, `none`, or
            `5: 0,2` for a cut of 5 edges with the side 0,2.

    Raises:
        InputError: If there is no such task, or a node is missing or too much.
        ValueError: If the answer is none that the task can have.
    """
    answers = wording(task).answers
    pattern = answers.get(answer) or answers.get("")
    if pattern is None:
        raise ValueError(f"{answer!r} is no answer to the task {task}")
    size, _, side = answer.partition(": ")
    return _filled(pattern, source, target, answer=answer, size=size, side=side)


def _filled(pattern: str, source: int | None, target: int | None, **values: str) -> str:
    """Returns a sentence with its nodes and values filled in."""
    for name, node in (("source", source), ("target", target)):
        if node is not None:
            values[name] = str(node)
        elif f"{{{name}}}" in pattern:
            raise InputError(f"the question needs a {name} node: {pattern}")
    return pattern.format(**values)
