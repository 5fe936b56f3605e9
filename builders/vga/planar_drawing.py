"""Straight-line drawings of embedded planar graphs without crossings, on an integer grid.

First edges are added until every inner face is a triangle; then the shift method of de Fraysseix,
Pach and Pollack in the form of Chrobak and Payne, which NetworkX's planar_layout follows as well.
"""

import numpy as np
from numpy.typing import NDArray

from benchloom.builders.compiled import compiled


@compiled
def triangulate(
    n_faces: int | np.int64,
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
    third = np.empty((n_nodes, n_nodes), np.int64)
    degrees = np.zeros(n_nodes, np.int64)
    for u in range(n_nodes):
        for v in range(n_nodes):
            degrees[u] += linked[u] >> v & 1
    for face in range(n_faces):
        while True:
            length = lengths[face]
            times = np.zeros(n_nodes, np.int64)
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
