"""Hamiltonian cycles: the search along a path."""

from collections.abc import Sequence


class UndecidedError(Exception):
    """The steps allowed did not suffice to tell whether a Hamiltonian cycle exists."""


def find_hamiltonian_cycle(masks: Sequence[int], steps: int | None = None) -> list[int] | None:
    """Returns a cycle that visits each node once, from node 0 on, None when there is none.

    Node 0 is not repeated at the end; the second node is below the last. A path grows from node 0;
    it is given up as soon as some node left has fewer than two ways out, or the nodes left and the
    two ends of the path are not connected. What is known to lead nowhere is kept by the path's end
    and set of nodes, so nothing is looked at twice.

    Args:
        masks: The set of neighbours of each node, one bit per node.
        steps: Most nodes to try as the next one of the path; None for as many as it takes.

    Raises:
        UndecidedError: If so many steps were not enough.
    """
    n = len(masks)
    if n < 3 or any(mask.bit_count() < 2 for mask in masks) or _falls_apart(masks):
        return None
    everything = (1 << n) - 1
    hopeless: set[tuple[int, int]] = set()
    path = [0]
    # For each node of the path the ways on that were not tried yet, best last.
    untried = [_ways(masks, 0, everything & ~1, 0)]
    visited = 1
    while path:
        if not untried[-1]:
            hopeless.add((path[-1], visited))
            visited &= ~(1 << path.pop())
            untried.pop()
            continue
        if steps is not None:
            if steps == 0:
                raise UndecidedError
            steps -= 1
        node = untried[-1].pop()
        path.append(node)
        visited |= 1 << node
        if visited == everything:
            if masks[node] & 1:
                return path if path[1] < path[-1] else [0, *reversed(path[1:])]
            ways: list[int] = []
        elif (node, visited) in hopeless:
            ways = []
        else:
            ways = _ways(masks, node, everything & ~visited, 0)
        untried.append(ways)
    return None


def _ways(masks: Sequence[int], end: int, left: int, start: int) -> list[int]:
    """Returns the nodes to go on to, the best last; none if the path cannot be completed.

    Args:
        masks: The neighbours of each node.
        end: The path's last node.
        left: The nodes not visited yet.
        start: The path's first node.
    """
    ends = 1 << end | 1 << start
    forced = []
    options: list[tuple[int, int]] = []
    remaining = left
    # Nodes with one, two, three or more edges that the cycle cannot do without.
    once = twice = thrice = 0
    while remaining:
        low = remaining & -remaining
        remaining ^= low
        node = low.bit_length() - 1
        ways = masks[node] & (left | ends)
        out = ways.bit_count()
        if out < 2:
            return []
        if out == 2:
            thrice |= twice & ways
            twice |= once & ways
            once |= ways
        if masks[end] & low:
            options.append((-out, node))
            # Passed over, it would be left with one way; two such nodes are one too many.
            if out == 2 and end != start:
                forced.append(node)
    # An end of the path has one edge on it already.
    if thrice or (end != start and twice & ends):
        return []
    if len(forced) > 1 or not masks[start] & left:
        return []
    if _reached(masks, left | ends) != left | ends:
        return []
    if forced and left.bit_count() > 1:
        return forced
    return [node for _, node in sorted(options)]


def _falls_apart(masks: Sequence[int]) -> bool:
    """Returns whether some k nodes were found without which there are more than k components.

    A cycle through all nodes falls into k parts at most. Nodes are taken away from the highest
    degree down, which finds out hubs with many neighbours that only hubs join.
    """
    left = (1 << len(masks)) - 1
    for taken in range(1, len(masks) // 2 + 1):
        hub = max(
            (v for v in range(len(masks)) if left >> v & 1),
            key=lambda v: (masks[v] & left).bit_count(),
        )
        left &= ~(1 << hub)
        remaining, parts = left, 0
        while remaining:
            remaining &= ~_reached(masks, remaining)
            parts += 1
        if parts > taken:
            return True
    return False


def _reached(masks: Sequence[int], nodes: int) -> int:
    """Returns the nodes of a set that paths inside it reach from its lowest."""
    seen = frontier = nodes & -nodes
    while frontier:
        near = 0
        while frontier:
            low = frontier & -frontier
            near |= masks[low.bit_length() - 1]
            frontier ^= low
        frontier = near & nodes & ~seen
        seen |= frontier
    return seen
