"""Worked examples of the tasks that a breadth-first search answers.

Each function runs an algorithm on a graph, given as the ascending neighbours of each node, and
writes down what happens as it happens.
"""

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

Near = Sequence[Sequence[int]]
"""The ascending neighbours of each node."""


@dataclass(frozen=True)
class Worked:
    """How an answer was found.

    Attributes:
        answer: The canonical answer.
        reasoning: How one thinks it through.
        run: How the algorithm of the prompt scheme runs.
    """

    answer: str
    reasoning: str
    run: str


@dataclass
class Search:
    """A breadth-first search as it went.

    Attributes:
        order: The nodes in the order in which they were visited.
        level: Distance of each visited node from the start.
        predecessor: The node from which each visited node but the start was reached.
        steps: Sentences on what happened.
    """

    order: list[int] = field(default_factory=list)
    level: dict[int, int] = field(default_factory=dict)
    predecessor: dict[int, int] = field(default_factory=dict)
    steps: list[str] = field(default_factory=list)

    def levels(self) -> list[list[int]]:
        """Returns the nodes of each level, in the order in which they were visited."""
        rows: list[list[int]] = [[] for _ in range(max(self.level.values()) + 1)]
        for v in self.order:
            rows[self.level[v]].append(v)
        return rows

    def path(self, node: int) -> list[int]:
        """Returns the path on which a node was reached from the start."""
        path = [node]
        while path[-1] in self.predecessor:
            path.append(self.predecessor[path[-1]])
        return path[::-1]


def join(nodes: Iterable[int]) -> str:
    """Returns nodes as answers write them: `7,4,0`."""
    return ",".join(map(str, nodes))


def name(nodes: Sequence[int]) -> str:
    """Returns nodes in words: `node 4`, `nodes 1 and 2`, `nodes 1, 2 and 3`."""
    if len(nodes) == 1:
        return f"node {nodes[0]}"
    return f"nodes {', '.join(map(str, nodes[:-1]))} and {nodes[-1]}"


def search(
    near: Near, start: int, goal: int | None = None, *, predecessors: bool = False
) -> Search:
    """Returns a breadth-first search, smallest neighbours first.

    Args:
        near: The graph.
        start: Where it starts.
        goal: The node at which it ends when that is visited; None to visit all that can be.
        predecessors: Whether the sentences tell predecessors.
    """
    result = Search([start], {start: 0})
    say = result.steps.append
    queue = deque([start])
    say(f"Put node {start} into the queue and mark it as visited.")
    while queue:
        v = queue.popleft()
        say(f"Dequeue node {v}.")
        old = [u for u in near[v] if u in result.level]
        new = [u for u in near[v] if u not in result.level]
        for u in new:
            result.order.append(u)
            result.level[u] = result.level[v] + 1
            result.predecessor[u] = v
        queue += new
        if near[v]:
            say(f"The neighbors of node {v} are {list(near[v])}.")
            told = old or new
            state = "already visited" if old else "not visited yet"
            verb = "are" if len(told) > 1 else "is"
            enqueued = name(new) if new else "nothing"
            say(f"{name(told).capitalize()} {verb} {state}, so enqueue {enqueued}.")
        else:
            say(f"Node {v} has no neighbors.")
        if predecessors and new:
            say(f"The predecessor of {name(new)} is node {v}.")
        if goal in new:
            say(f"Now node {goal} is visited, so the search ends.")
            return result
        if queue:
            say(f"The queue is now {list(queue)}.")
    say("The queue is now empty, so the search ends.")
    return result


def work_bfs_order(near: Near, source: int) -> Worked:
    """Returns the traversal of the source's component."""
    found = search(near, source)
    steps = [f"The traversal starts at node {source}, so level 0 is [{source}]."]
    for number, row in enumerate(found.levels()):
        for v in row:
            new = [u for u in near[v] if found.predecessor.get(u) == v]
            steps.append(f"From node {v} we newly reach {name(new) if new else 'no node'}.")
        following = found.levels()[number + 1 : number + 2]
        if following:
            steps.append(f"So level {number + 1} is {following[0]}.")
    steps.append("No new node is left to reach, so the traversal ends.")
    return Worked(join(found.order), " ".join(steps), " ".join(found.steps))


def work_connectivity(near: Near, source: int, target: int) -> Worked:
    """Returns whether the source reaches the target."""
    found = search(near, source, target)
    steps, reached = _levels_up_to(near, source, target)
    run = list(found.steps)
    if target in found.level:
        path = join(found.path(target))
        steps.append(f"Node {target} is among them, and {path} is a path to it.")
        return Worked("Yes", " ".join(steps), " ".join(run))
    steps.append(
        f"There are no nodes at distance {len(steps) + 1} from node {source}, so the nodes that "
        f"node {source} can reach are {sorted(reached)}."
    )
    steps.append(f"Node {target} is not among them.")
    run.append(f"The visited nodes are {sorted(found.level)}.")
    run.append(f"Node {target} is not among them.")
    return Worked("No", " ".join(steps), " ".join(run))


def work_shortest_path(near: Near, source: int, target: int) -> Worked:
    """Returns a shortest path, found over the first predecessors."""
    found = search(near, source, target, predecessors=True)
    path = found.path(target)
    run = list(found.steps)
    for u, v in zip(path[-2::-1], path[:0:-1], strict=True):
        run.append(f"Going back from node {v}, its predecessor is node {u}.")
    run.append(f"Node {source} is the first node, so the path is complete.")
    steps, _ = _levels_up_to(near, source, target)
    steps.append(
        f"Node {target} is among them, so the distance from node {source} to node {target} is "
        f"{len(path) - 1}."
    )
    for u, v in zip(path[-2:0:-1], path[:1:-1], strict=True):
        steps.append(
            f"Going back, node {v} has the neighbor {u}, which is at distance {found.level[u]} "
            f"from node {source}."
        )
    steps.append(f"Node {path[1]} is a neighbor of node {source}.")
    return Worked(join(path), " ".join(steps), " ".join(run))


def work_diameter(near: Near) -> Worked:
    """Returns the diameter of a connected graph, by a search from every node."""
    steps, run = [], []
    best: list[int] = []
    for v in range(len(near)):
        found = search(near, v)
        levels = found.levels()
        far = len(levels) - 1
        shown = ", ".join(str(sorted(row)) for row in levels)
        run.append(f"From node {v}, the levels are {shown}.")
        run.append(f"The last one is level {far}, so the eccentricity of node {v} is {far}.")
        steps.append(f"Farthest from node {v} {'are' if len(levels[-1]) > 1 else 'is'} ")
        steps[-1] += f"{name(sorted(levels[-1]))}, at distance {far}."
        path = found.path(min(levels[-1]))
        best = path if len(path) > len(best) else best
    far = len(best) - 1
    run.append(f"The largest eccentricity is {far}.")
    steps.append(f"The largest of these distances is {far}.")
    steps.append(f"It is reached by node {best[0]} and node {best[-1]}, with the shortest path ")
    steps[-1] += f"{join(best)}."
    return Worked(str(far), " ".join(steps), " ".join(run))


def _levels_up_to(near: Near, source: int, target: int) -> tuple[list[str], set[int]]:
    """Returns a sentence per level, up to the target's or the last, and the nodes met."""
    steps: list[str] = []
    reached, row = {source}, [source]
    while target not in reached:
        row = sorted({u for v in row for u in near[v]} - reached)
        if not row:
            break
        reached.update(row)
        verb, plural = ("are", "s") if len(row) > 1 else ("is", "")
        steps.append(
            f"The node{plural} at distance {len(steps) + 1} from node {source} {verb} {row}."
        )
    return steps, reached
