"""The compiled loops behind `answers`: a set of nodes is an integer with one bit per node.

Tables come as int64 arrays: `rows` of shape (graphs, N) with the neighbours of each node, `n_nodes`
of shape (graphs,). Loops that call one another stand in one module, because numba's cache on disk
does not notice a change in another file.
"""

import numpy as np
from numpy.typing import NDArray

from benchloom.builders.compiled import compiled


@compiled
def _count(nodes: int) -> int:
    """Returns the number of nodes in a set."""
    count = 0
    while nodes:
        nodes &= nodes - 1
        count += 1
    return count


@compiled
def _spanned(row: NDArray[np.int64], n: int, ends: NDArray[np.int32], closed: bool) -> bool:
    """Returns whether the nodes form one path, or one cycle if closed (Held and Karp's table).

    `ends[nodes]` becomes the set of nodes at which a path through exactly `nodes` can end; for a
    cycle only paths that begin at node 0 count.
    """
    if n == 0 or (closed and n < 3):
        return False
    ends[0] = 0
    for nodes in range(1, 1 << n):
        found = 0
        if nodes & (nodes - 1) == 0:
            if nodes == 1 or not closed:
                found = nodes
        else:
            for v in range(n):
                if nodes >> v & 1 and ends[nodes ^ (1 << v)] & row[v]:
                    found |= 1 << v
        ends[nodes] = found
    last = ends[(1 << n) - 1]
    if closed:
        last &= row[0]
    return bool(last != 0)


@compiled
def all_hamiltonian(
    rows: NDArray[np.int64], n_nodes: NDArray[np.int64], closed: bool
) -> NDArray[np.bool_]:
    """Returns for each graph whether a path, or a cycle if closed, visits each node once."""
    answer = np.zeros(rows.shape[0], np.bool_)
    largest = 0
    for n in n_nodes:
        largest = max(largest, n)
    ends = np.zeros(1 << largest, np.int32)
    for index in range(rows.shape[0]):
        answer[index] = _spanned(rows[index], n_nodes[index], ends, closed)
    return answer


@compiled
def all_chordless(rows: NDArray[np.int64], n_nodes: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Returns the length of each graph's longest chordless cycle or 0.

    Every set of nodes is looked at: a chordless cycle is connected, and all degrees in it are 2.
    """
    answer = np.zeros(rows.shape[0], np.uint8)
    for index in range(rows.shape[0]):
        row, n, best = rows[index], n_nodes[index], 2
        for nodes in range(7, 1 << n):
            if _count(nodes) <= best:
                continue
            even = True
            for v in range(n):
                if nodes >> v & 1 and _count(row[v] & nodes) != 2:
                    even = False
                    break
            if not even:
                continue
            reached, before = nodes & -nodes, 0
            while reached != before:
                before = reached
                for v in range(n):
                    if reached >> v & 1:
                        reached |= row[v] & nodes
            if reached == nodes:
                best = _count(nodes)
        answer[index] = best if best > 2 else 0
    return answer


@compiled
def all_distances(rows: NDArray[np.int64], n_nodes: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Returns the distances in each graph, by breadth-first search a whole frontier at a time."""
    width = rows.shape[1]
    answer = np.full((rows.shape[0], width, width), 255, np.uint8)
    for index in range(rows.shape[0]):
        for start in range(n_nodes[index]):
            seen = frontier = 1 << start
            steps = 0
            while frontier:
                reached = 0
                for v in range(n_nodes[index]):
                    if frontier >> v & 1:
                        answer[index, start, v] = steps
                        reached |= rows[index, v]
                frontier = reached & ~seen
                seen |= frontier
                steps += 1
    return answer


@compiled
def _colours(row: NDArray[np.int64]) -> NDArray[np.int64]:
    """Returns a number per node that no relabelling changes.

    Each round mixes the colours of the neighbours in. Two kinds of node may by chance get one
    colour; then the search that follows takes longer, but its result is the same.
    """
    n = len(row)
    colour = np.ones(n, np.int64)
    for _ in range(n):
        mixed = np.zeros(n, np.int64)
        for v in range(n):
            total = colour[v] * 3
            for u in range(n):
                if row[v] >> u & 1:
                    total += (colour[u] ^ (colour[u] >> 29)) * 0x5851F42D4C957F2D
            mixed[v] = (total ^ (total >> 31)) * 0x14057B7EF767814F
        colour = mixed
    return colour


@compiled
def isomorphic(first: NDArray[np.int64], second: NDArray[np.int64]) -> bool:
    """Returns whether two graphs of one size are isomorphic.

    Maps the first graph's nodes one after the other, going back where an edge would break.
    """
    n = len(first)
    one, other = _colours(first), _colours(second)
    if (np.sort(one) != np.sort(other)).any():
        return False
    # Nodes of rare colours come first: they leave the fewest choices.
    rarity = np.zeros(n, np.int64)
    for v in range(n):
        rarity[v] = (one == one[v]).sum()
    order = np.argsort(rarity, kind="mergesort")
    image = np.full(n, -1, np.int64)
    taken, depth = 0, 0
    while 0 <= depth < n:
        v = order[depth]
        if image[depth] >= 0:
            taken &= ~(1 << image[depth])
        choice, fits = image[depth] + 1, False
        while choice < n:
            fits = not (taken >> choice & 1) and other[choice] == one[v]
            for earlier in range(depth):
                if not fits:
                    break
                edge = first[v] >> order[earlier] & 1
                fits = edge == (second[choice] >> image[earlier] & 1)
            if fits:
                break
            choice += 1
        if fits:
            image[depth] = choice
            taken |= 1 << choice
            depth += 1
        else:
            image[depth] = -1
            depth -= 1
    return depth == n
