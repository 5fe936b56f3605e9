"""Straight-line drawings of planar graphs without crossings, on an integer grid.

Three steps, each on small arrays and bit masks: an embedding (the faces as closed walks) by adding
one path after another in the manner of Demoucron, Malgrange and Pertuiset; extra edges until every
inner face is a triangle; and the shift method of de Fraysseix, Pach and Pollack in the form of
Chrobak and Payne, which NetworkX's planar_layout follows as well.
"""

import numpy as np
from numpy.typing import NDArray

from benchloom.builders.compiled import compiled

Faces = tuple[int, NDArray[np.int64], NDArray[np.int64]]


@compiled
def embed(rows: NDArray[np.int64]) -> Faces:
    """Returns the faces of an embedding of a connected graph with at least one edge.

    A path of a part that is still missing is drawn through a face that holds all nodes the part
    hangs on; parts with the least choice of faces come first. A part that hangs on one node starts
    with one edge, so that cut nodes need no treatment of their own.

    Returns:
        The number of faces, 0 when the graph is not planar; the faces as closed walks of nodes, one
        a row, all turning the same way; and the lengths of the walks.
    """
    n_nodes = rows.shape[0]
    one = np.int64(1)
    n_edges = 0
    for u in range(n_nodes):
        for v in range(u):
            n_edges += rows[u] >> v & 1
    walks = np.empty((2 * n_nodes + 2, 2 * n_edges + 2), np.int64)
    lengths = np.zeros(2 * n_nodes + 2, np.int64)
    masks = np.zeros(2 * n_nodes + 2, np.int64)
    drawn = np.zeros(n_nodes, np.int64)
    path = np.empty(n_nodes + 2, np.int64)
    parent = np.empty(n_nodes, np.int64)
    queue = np.empty(n_nodes, np.int64)
    rest = np.empty(2 * n_edges + 2, np.int64)

    if n_nodes > 2 and n_edges > 3 * n_nodes - 6:
        return 0, walks, lengths
    second = 0
    while not rows[0] >> second & 1:
        second += 1
    walks[0, 0], walks[0, 1], lengths[0] = 0, second, 2
    masks[0] = one | one << second
    n_faces = 1
    placed = masks[0]
    drawn[0], drawn[second] = one << second, one
    missing = n_edges - 1
    full = (one << n_nodes) - 1

    while missing > 0:
        # The missing part with the least choice of faces.
        least = n_edges + 2
        part, hangs, chosen = np.int64(0), np.int64(0), 0
        for u in range(n_nodes):
            if not placed >> u & 1 or least == 1:
                continue
            for v in range(u):
                if rows[u] & ~drawn[u] & placed & (one << v):
                    ends = one << u | one << v
                    count, roomiest = _choice(ends, masks, lengths, n_faces)
                    if count < least:
                        least, part, hangs, chosen = count, np.int64(0), ends, roomiest
        remaining = full & ~placed
        while remaining and least != 1:
            component = remaining & -remaining
            border = np.int64(0)
            while True:
                grown = component
                for u in range(n_nodes):
                    if component >> u & 1:
                        grown |= rows[u]
                border = grown & placed
                grown &= ~placed
                if grown == component:
                    break
                component = grown
            remaining &= ~component
            count, roomiest = _choice(border, masks, lengths, n_faces)
            if count < least:
                least, part, hangs, chosen = count, component, border, roomiest
        if least == 0:
            return 0, walks, lengths

        # A path through the part, from the lowest node it hangs on to another one.
        start = 0
        while not hangs >> start & 1:
            start += 1
        others = hangs & ~(one << start)
        if part == 0:
            end = 0
            while not others >> end & 1:
                end += 1
            path[0], path[1], n_path = start, end, 2
        elif others == 0:
            v = 0
            while not rows[start] & part & (one << v):
                v += 1
            path[0], path[1], n_path = start, v, 2
        else:
            seen = np.int64(0)
            head, tail = 0, 0
            for v in range(n_nodes):
                if rows[start] & part & (one << v):
                    parent[v] = -1
                    queue[tail] = v
                    tail += 1
                    seen |= one << v
            while not rows[queue[head]] & others:
                u = queue[head]
                head += 1
                for v in range(n_nodes):
                    if rows[u] & part & ~seen & (one << v):
                        parent[v] = u
                        queue[tail] = v
                        tail += 1
                        seen |= one << v
            end = 0
            while not rows[queue[head]] & others & (one << end):
                end += 1
            n_path = 2
            v = queue[head]
            while v >= 0:
                n_path += 1
                v = parent[v]
            path[0], path[n_path - 1] = start, end
            v = queue[head]
            for k in range(n_path - 2, 0, -1):
                path[k] = v
                v = parent[v]

        for k in range(n_path - 1):
            drawn[path[k]] |= one << path[k + 1]
            drawn[path[k + 1]] |= one << path[k]
            placed |= one << path[k + 1]
            missing -= 1
        length = lengths[chosen]
        for k in range(length):
            rest[k] = walks[chosen, k]
        i = 0
        while rest[i] != start:
            i += 1
        if part != 0 and others == 0:  # there and back along the one edge
            for k in range(length - 1, i, -1):
                walks[chosen, k + 2] = rest[k]
            walks[chosen, i + 1], walks[chosen, i + 2] = path[1], start
            lengths[chosen] += 2
            masks[chosen] |= one << path[1]
            continue
        j = 0
        while rest[j] != path[n_path - 1]:
            j += 1
        # The path splits the face: start .. end and back, and end .. start and there.
        size = 0
        k = i
        while k != j:
            walks[chosen, size] = rest[k]
            size += 1
            k = (k + 1) % length
        for k in range(n_path - 1, 0, -1):
            walks[chosen, size] = path[k]
            size += 1
        lengths[chosen] = size
        size = 0
        k = j
        while k != i:
            walks[n_faces, size] = rest[k]
            size += 1
            k = (k + 1) % length
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


@compiled
def _choice(
    nodes: int, masks: NDArray[np.int64], lengths: NDArray[np.int64], n_faces: int
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
def triangulate(
    n_faces: int,
    walks: NDArray[np.int64],
    lengths: NDArray[np.int64],
    outer: int,
    linked: NDArray[np.int64],
) -> NDArray[np.int64]:
    """Adds edges until inner faces are triangles and the outer walk passes each node once.

    An added edge cuts the corner between two successive edges of a walk. Corners at nodes that the
    walk passes twice go first, then those between the two nodes with the fewest edges.

    Args:
        n_faces: Number of faces.
        walks: The faces; the outer one is shortened in place.
        lengths: Their lengths, likewise.
        outer: Index of the outer face.
        linked: Neighbours as bit masks; the added edges go in.

    Returns:
        The third node of the triangle along each directed edge, shape (n, n).
    """
    n_nodes = linked.shape[0]
    one = np.int64(1)
    third = np.full((n_nodes, n_nodes), -1, np.int64)
    degrees = np.zeros(n_nodes, np.int64)
    times = np.empty(n_nodes, np.int64)
    for u in range(n_nodes):
        for v in range(n_nodes):
            degrees[u] += linked[u] >> v & 1
    for face in range(n_faces):
        while True:
            length = lengths[face]
            times[:] = 0
            repeated = False
            for k in range(length):
                times[walks[face, k]] += 1
                repeated |= times[walks[face, k]] > 1
            if not repeated and (face == outer or length == 3):
                break
            corner, fewest = -1, np.int64(0)
            for k in range(length):
                u = walks[face, (k - 1) % length]
                v = walks[face, (k + 1) % length]
                if u == v or linked[u] >> v & 1 or (repeated and times[walks[face, k]] < 2):
                    continue
                if corner < 0 or degrees[u] + degrees[v] < fewest:
                    corner, fewest = k, degrees[u] + degrees[v]
            u = walks[face, (corner - 1) % length]
            w = walks[face, corner]
            v = walks[face, (corner + 1) % length]
            linked[u] |= one << v
            linked[v] |= one << u
            degrees[u] += 1
            degrees[v] += 1
            third[u, w], third[w, v], third[v, u] = v, u, w
            for k in range(corner, length - 1):
                walks[face, k] = walks[face, k + 1]
            lengths[face] -= 1
        if face != outer:
            a, b, c = walks[face, 0], walks[face, 1], walks[face, 2]
            third[a, b], third[b, c], third[c, a] = c, a, b
    return third


@compiled
def shift_drawing(
    contour: NDArray[np.int64], linked: NDArray[np.int64], third: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Returns grid positions, shape (n, 2), of a graph whose inner faces are triangles.

    Args:
        contour: The outer cycle against the sense of the walks; its ends are the base's ends.
        linked: Neighbours as bit masks.
        third: From triangulate.
    """
    n_nodes = linked.shape[0]
    one = np.int64(1)
    line = np.empty(n_nodes, np.int64)
    spare = np.empty(n_nodes, np.int64)
    length = contour.shape[0]
    on_line = np.int64(0)
    for k in range(length):
        line[k] = contour[k]
        on_line |= one << contour[k]
    order = np.empty(n_nodes, np.int64)
    left = np.empty(n_nodes, np.int64)
    right = np.empty(n_nodes, np.int64)
    n_removed = 0
    # Peel off nodes without a chord, from the outer cycle down to the base.
    while length > 2:
        peeled = -1
        for k in range(1, length - 1):
            chords = linked[line[k]] & on_line & ~(one << line[k - 1]) & ~(one << line[k + 1])
            if chords == 0:
                peeled = k
                break
        v = line[peeled]
        order[n_removed], left[n_removed], right[n_removed] = v, line[peeled - 1], line[peeled + 1]
        n_removed += 1
        on_line &= ~(one << v)
        for k in range(peeled + 1, length):
            spare[k] = line[k]
        size = peeled
        w = third[line[peeled - 1], v]
        while w != spare[peeled + 1]:
            line[size] = w
            on_line |= one << w
            size += 1
            w = third[w, v]
        for k in range(peeled + 1, length):
            line[size] = spare[k]
            size += 1
        length = size

    # Put them back, each above its neighbours on the contour, which are spread to make room.
    x = np.zeros(n_nodes, np.int64)
    y = np.zeros(n_nodes, np.int64)
    below = np.zeros(n_nodes, np.int64)
    x[line[1]] = 1
    below[line[0]], below[line[1]] = one << line[0], one << line[1]
    for k in range(n_removed - 1, -1, -1):
        v = order[k]
        p = 0
        while line[p] != left[k]:
            p += 1
        q = p + 1
        while line[q] != right[k]:
            q += 1
        inner, outside = np.int64(0), np.int64(0)
        for i in range(p + 1, q):
            inner |= below[line[i]]
        for i in range(q, length):
            outside |= below[line[i]]
        for u in range(n_nodes):
            if inner >> u & 1:
                x[u] += 1
            elif outside >> u & 1:
                x[u] += 2
        rise = x[line[q]] - x[line[p]]
        x[v] = (x[line[q]] + x[line[p]] + y[line[q]] - y[line[p]]) // 2
        y[v] = (rise + y[line[q]] + y[line[p]]) // 2
        below[v] = inner | one << v
        for i in range(q, length):
            spare[i] = line[i]
        size = p + 2
        for i in range(q, length):
            line[size] = spare[i]
            size += 1
        line[p + 1] = v
        length = size
    positions = np.empty((n_nodes, 2), np.int64)
    for u in range(n_nodes):
        positions[u, 0], positions[u, 1] = x[u], -y[u]
    return positions
