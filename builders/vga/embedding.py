"""Embeddings of planar graphs: which faces a drawing without crossings has.

In the manner of Demoucron, Malgrange and Pertuiset, on bit masks: the drawn part grows by one path
after another, each through a face that holds all nodes which the missing part hangs on.
"""

import numpy as np
from numpy.typing import NDArray

from benchloom.builders.compiled import compiled

Integer = int | np.int64


@compiled
def _lowest(mask: Integer) -> int:
    """Returns the lowest node of a bit mask that is not empty."""
    node = 0
    while not mask >> node & 1:
        node += 1
    return node


@compiled
def _choice(
    nodes: Integer, masks: NDArray[np.int64], lengths: NDArray[np.int64], n_faces: Integer
) -> tuple[int, int]:
    """Returns how many faces hold all the nodes, and the longest of these faces."""
    count, longest = 0, 0
    for face in range(n_faces):
        if nodes & ~masks[face] == 0:
            if count == 0 or lengths[face] > lengths[longest]:
                longest = face
            count += 1
    return count, longest


@compiled
def _missing_part(
    rows: NDArray[np.int64],
    drawn: NDArray[np.int64],
    placed: Integer,
    masks: NDArray[np.int64],
    lengths: NDArray[np.int64],
    n_faces: Integer,
) -> tuple[int, Integer, Integer, int]:
    """Returns the missing part with the least choice of faces.

    Returns:
        In how many faces it can go; its nodes that are not drawn yet (none for a single edge); the
        drawn nodes it hangs on; the longest face it can go in.
    """
    n_nodes = rows.shape[0]
    one = np.int64(1)
    least, part, hangs, chosen = 2 * n_nodes + 2, np.int64(0), np.int64(0), 0
    for u in range(n_nodes):
        missing = rows[u] & ~drawn[u] & placed & ((one << u) - 1)
        while placed >> u & 1 and missing:
            lowest = missing & -missing
            missing ^= lowest
            ends = one << u | lowest
            count, longest = _choice(ends, masks, lengths, n_faces)
            if count < least:
                least, hangs, chosen = count, ends, longest
    remaining = ((one << n_nodes) - 1) & ~placed
    while remaining:
        component = remaining & -remaining
        border = np.int64(0)
        while True:
            reached = component
            for u in range(n_nodes):
                if component >> u & 1:
                    reached |= rows[u]
            border = reached & placed
            reached &= ~placed
            if reached == component:
                break
            component = reached
        remaining &= ~component
        count, longest = _choice(border, masks, lengths, n_faces)
        if count < least:
            least, part, hangs, chosen = count, component, border, longest
    return least, part, hangs, chosen


@compiled
def _path_through(
    rows: NDArray[np.int64], part: Integer, hangs: Integer, path: NDArray[np.int64]
) -> int:
    """Writes a path through a missing part and returns its number of nodes.

    It leads from the lowest node the part hangs on to another such node by as few edges as it can;
    if there is no other, it is one edge into the part.
    """
    n_nodes = rows.shape[0]
    start = _lowest(hangs)
    others = hangs & ~(np.int64(1) << start)
    path[0] = start
    if part == 0:
        path[1] = _lowest(others)
        return 2
    if others == 0:
        path[1] = _lowest(rows[start] & part)
        return 2
    parent = np.empty(n_nodes, np.int64)
    queue = np.empty(n_nodes, np.int64)
    head, tail = 0, 0
    seen = np.int64(0)
    for v in range(n_nodes):
        if rows[start] & part & (np.int64(1) << v):
            parent[v] = -1
            queue[tail] = v
            tail += 1
            seen |= np.int64(1) << v
    while not rows[queue[head]] & others:
        for v in range(n_nodes):
            if rows[queue[head]] & part & ~seen & (np.int64(1) << v):
                parent[v] = queue[head]
                queue[tail] = v
                tail += 1
                seen |= np.int64(1) << v
        head += 1
    last = queue[head]
    length = 2
    v = last
    while v >= 0:
        length += 1
        v = parent[v]
    path[length - 1] = _lowest(rows[last] & others)
    v = last
    for k in range(length - 2, 0, -1):
        path[k] = v
        v = parent[v]
    return length


@compiled
def _walk_arc(
    source: NDArray[np.int64], length: int, begin: int, stop: int, target: NDArray[np.int64]
) -> int:
    """Copies a closed walk from one place up to and without another; returns how many nodes."""
    size = 0
    k = begin
    while k != stop:
        target[size] = source[k]
        size += 1
        k = k + 1 if k + 1 < length else 0
    return size


@compiled
def embed(rows: NDArray[np.int64]) -> tuple[Integer, NDArray[np.int64], NDArray[np.int64]]:
    """Returns the faces of an embedding of a connected graph with at least one edge.

    Parts with the least choice of faces come first; that finds an embedding whenever there is one.
    A part that hangs on one node starts with one edge, so cut nodes need no treatment of their own.

    Args:
        rows: Neighbours as bit masks, shape (n,).

    Returns:
        The number of faces, 0 when the graph is not planar; the faces as closed walks of nodes, one
        a row, all turning the same way; and the lengths of the walks.
    """
    n_nodes = rows.shape[0]
    one = np.int64(1)
    missing = 0
    for u in range(n_nodes):
        for v in range(u):
            missing += rows[u] >> v & 1
    walks = np.empty((2 * n_nodes + 2, 2 * missing + 2), np.int64)
    lengths = np.zeros(2 * n_nodes + 2, np.int64)
    masks = np.zeros(2 * n_nodes + 2, np.int64)
    drawn = np.zeros(n_nodes, np.int64)
    path = np.empty(n_nodes + 2, np.int64)
    old = np.empty(2 * missing + 2, np.int64)
    if n_nodes > 2 and missing > 3 * n_nodes - 6:
        return 0, walks, lengths

    other = _lowest(rows[0])
    walks[0, 0], walks[0, 1], lengths[0] = 0, other, 2
    masks[0] = one | one << other
    drawn[0], drawn[other] = one << other, one
    placed = masks[0]
    n_faces = np.int64(1)
    missing -= 1
    while missing > 0:
        least, part, hangs, chosen = _missing_part(rows, drawn, placed, masks, lengths, n_faces)
        if least == 0:
            return 0, walks, lengths
        n_path = _path_through(rows, part, hangs, path)
        start, end = path[0], path[n_path - 1]
        pendant = not hangs >> end & 1
        for k in range(n_path - 1):
            drawn[path[k]] |= one << path[k + 1]
            drawn[path[k + 1]] |= one << path[k]
            placed |= one << path[k + 1]
            missing -= 1
        length = lengths[chosen]
        for k in range(length):
            old[k] = walks[chosen, k]
        i = 0
        while old[i] != start:
            i += 1
        if pendant:  # the walk goes there and back along the one edge
            for k in range(i + 1, length):
                walks[chosen, k + 2] = old[k]
            walks[chosen, i + 1], walks[chosen, i + 2] = end, start
            lengths[chosen] += 2
            masks[chosen] |= one << end
            continue
        j = 0
        while old[j] != end:
            j += 1
        # The path splits the face: from start to end and back, and from end to start and there.
        size = _walk_arc(old, length, i, j, walks[chosen])
        for k in range(n_path - 1, 0, -1):
            walks[chosen, size] = path[k]
            size += 1
        lengths[chosen] = size
        size = _walk_arc(old, length, j, i, walks[n_faces])
        for k in range(n_path - 1):
            walks[n_faces, size] = path[k]
            size += 1
        lengths[n_faces] = size
        for face in (chosen, n_faces):
            masks[face] = 0
            for k in range(lengths[face]):
                masks[face] |= one << walks[face, k]
        n_faces += 1
    return n_faces, walks, lengths
