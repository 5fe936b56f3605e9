"""The compiled planarity test for tables of small graphs.

The method is that of Demoucron, Malgrange and Pertuiset (1964). Blocks (maximal parts without a cut
node) are tested one by one. In a block a cycle is drawn first; then, as long as edges are missing,
a path through one of the missing pieces is laid into a face that holds all nodes where the piece is
attached. The piece with the fewest such faces goes first; the block is planar unless some piece has
none. A set of nodes is an integer with one bit per node.
"""

import numpy as np
from numpy.typing import NDArray

from benchloom.builders.compiled import compiled


@compiled
def planar(rows: NDArray[np.int64], n_nodes: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Returns whether each graph of a table is planar, shape (graphs,).

    Args:
        rows: Neighbours as bit masks, shape (graphs, N); up to 63 nodes.
        n_nodes: Number of nodes of each graph, shape (graphs,).
    """
    answer = np.ones(rows.shape[0], np.bool_)
    width = rows.shape[1]
    pending = np.zeros(2 * width + 1, np.int64)
    faces = np.zeros((2 * width + 2, width), np.int64)
    sizes = np.zeros(2 * width + 2, np.int64)
    path = np.zeros(width + 1, np.int64)
    for index in range(rows.shape[0]):
        n, row = n_nodes[index], rows[index]
        ends = 0
        for v in range(n):
            ends += _count(row[v])
        # Euler: at most 3n - 6 edges; the smallest non-planar graphs have nine or ten.
        if n < 5 or ends < 18:
            continue
        if ends > 2 * (3 * n - 6):
            answer[index] = False
            continue
        pending[0], waiting = (1 << n) - 1, 1
        while waiting and answer[index]:
            waiting -= 1
            nodes = pending[waiting]
            part = _separable(row, n, nodes)
            if part:
                # The two halves share the cut node, or nothing when they were not connected.
                pending[waiting] = part
                pending[waiting + 1] = (nodes & ~part) | _cut_node(row, n, nodes, part)
                waiting += 2
            else:
                answer[index] = _planar_block(row, n, nodes, faces, sizes, path)
    return answer


@compiled
def _count(nodes: int) -> int:
    """Returns the number of nodes in a set."""
    count = 0
    while nodes:
        nodes &= nodes - 1
        count += 1
    return count


@compiled
def _reached(row: NDArray[np.int64], n: int, start: int, within: int) -> int:
    """Returns the nodes of `within` that paths inside it reach from the nodes `start`."""
    seen = frontier = start & within
    while frontier:
        near = 0
        for v in range(n):
            if frontier >> v & 1:
                near |= row[v]
        frontier = near & within & ~seen
        seen |= frontier
    return seen


@compiled
def _separable(row: NDArray[np.int64], n: int, nodes: int) -> int:
    """Returns a part of the nodes that meets the rest in one node at most, 0 if there is none."""
    part = _reached(row, n, nodes & -nodes, nodes)
    if part != nodes:
        return part
    for v in range(n):
        rest = nodes & ~(1 << v)
        if nodes >> v & 1 and rest:
            part = _reached(row, n, rest & -rest, rest)
            if part != rest:
                return part | 1 << v
    return 0


@compiled
def _cut_node(row: NDArray[np.int64], n: int, nodes: int, part: int) -> int:
    """Returns the node of the part that has neighbours in the rest, as a set of one or none."""
    near = 0
    for v in range(n):
        if (nodes & ~part) >> v & 1:
            near |= row[v]
    return near & part


@compiled
def _find_path(
    row: NDArray[np.int64], n: int, start: int, through: int, goals: int, path: NDArray[np.int64]
) -> int:
    """Writes a shortest path from a node over nodes of `through` to a node of `goals`.

    At least one node lies between. Returns the number of nodes on the path.
    """
    # Layers: the distance from the start, found first; then the path is read off backwards.
    layer = np.full(n, -1, np.int64)
    frontier, seen, depth = row[start] & through, row[start] & through, 1
    last = -1
    while last < 0:
        near = 0
        for v in range(n):
            if frontier >> v & 1:
                layer[v] = depth
                near |= row[v]
                if last < 0 and row[v] & goals & ~(1 << start):
                    last = v
        if last < 0:
            frontier = near & through & ~seen
            seen |= frontier
            depth += 1
    path[0] = start
    for step in range(depth, 0, -1):
        path[step] = last
        for v in range(n):
            if layer[v] == step - 1 and row[last] >> v & 1:
                last = v
                break
    end = row[path[depth]] & goals & ~(1 << start)
    path[depth + 1] = _count((end & -end) - 1)
    return depth + 2


@compiled
def _split_face(
    faces: NDArray[np.int64],
    sizes: NDArray[np.int64],
    face: int,
    new: int,
    path: NDArray[np.int64],
    length: int,
) -> None:
    """Lays a path between two nodes of a face into it; the part cut off becomes the face `new`."""
    size = sizes[face]
    old = faces[face, :size].copy()
    begin = end = 0
    for place in range(size):
        if old[place] == path[0]:
            begin = place
        if old[place] == path[length - 1]:
            end = place
    # One side: along the face from the path's begin to its end, and back over the path.
    filled, place = 0, begin
    while place != end:
        faces[face, filled] = old[place]
        filled, place = filled + 1, (place + 1) % size
    for step in range(length - 1, 0, -1):
        faces[face, filled] = path[step]
        filled += 1
    sizes[face] = filled
    # The other side: along the face from the path's end to its begin, and over the path.
    filled, place = 0, end
    while place != begin:
        faces[new, filled] = old[place]
        filled, place = filled + 1, (place + 1) % size
    for step in range(length - 1):
        faces[new, filled] = path[step]
        filled += 1
    sizes[new] = filled


@compiled
def _fitting_faces(
    faces: NDArray[np.int64], sizes: NDArray[np.int64], n_faces: int, attached: int
) -> tuple[int, int]:
    """Returns how many faces hold all nodes of a set, and the last such face."""
    fitting, last = 0, 0
    for face in range(n_faces):
        border = 0
        for place in range(sizes[face]):
            border |= 1 << faces[face, place]
        if attached & ~border == 0:
            fitting, last = fitting + 1, face
    return fitting, last


@compiled
def _choose_piece(
    row: NDArray[np.int64],
    n: int,
    nodes: int,
    drawn: NDArray[np.int64],
    drawn_nodes: int,
    faces: NDArray[np.int64],
    sizes: NDArray[np.int64],
    n_faces: int,
) -> tuple[int, int, int, int]:
    """Returns the missing piece that fits into the fewest faces.

    Their number, the nodes inside the piece, the drawn nodes it is attached to, and a face that it
    fits into. A piece is a connected part of the nodes not drawn yet, or one edge between two
    drawn nodes.
    """
    fewest, best_inside, best_attached, best_face = n_faces + 1, 0, 0, 0
    remaining = nodes & ~drawn_nodes
    while remaining:
        inside = _reached(row, n, remaining & -remaining, remaining)
        remaining &= ~inside
        attached = 0
        for v in range(n):
            if inside >> v & 1:
                attached |= row[v] & drawn_nodes
        fitting, face = _fitting_faces(faces, sizes, n_faces, attached)
        if fitting < fewest:
            fewest, best_inside, best_attached, best_face = fitting, inside, attached, face
    for u in range(n):
        if drawn_nodes >> u & 1:
            missing = row[u] & drawn_nodes & ~drawn[u]
            for v in range(u + 1, n):
                if missing >> v & 1:
                    attached = 1 << u | 1 << v
                    fitting, face = _fitting_faces(faces, sizes, n_faces, attached)
                    if fitting < fewest:
                        fewest, best_inside = fitting, 0
                        best_attached, best_face = attached, face
    return fewest, best_inside, best_attached, best_face


@compiled
def _planar_block(
    row: NDArray[np.int64],
    n: int,
    nodes: int,
    faces: NDArray[np.int64],
    sizes: NDArray[np.int64],
    path: NDArray[np.int64],
) -> bool:
    """Returns whether the graph on some nodes, which no single node separates, is planar."""
    ends = 0
    for v in range(n):
        if nodes >> v & 1:
            ends += _count(row[v] & nodes)
    size = _count(nodes)
    if size < 5 or ends < 18:
        return True
    if ends > 2 * (3 * size - 6):
        return False
    # The first cycle: an edge, and a path between its ends over other nodes.
    start = _count((nodes & -nodes) - 1)
    near = row[start] & nodes
    goal = near & -near
    length = _find_path(row, n, start, nodes & ~goal & ~(1 << start), goal, path)
    drawn_nodes, n_drawn = 0, length
    drawn = np.zeros(n, np.int64)
    for step in range(length):
        u, v = path[step], path[(step + 1) % length]
        drawn[u] |= 1 << v
        drawn[v] |= 1 << u
        drawn_nodes |= 1 << u
        faces[0, step] = faces[1, step] = u
    sizes[0] = sizes[1] = length
    n_faces = 2
    while n_drawn < ends // 2:
        fitting, piece_inside, piece_attached, piece_face = _choose_piece(
            row, n, nodes, drawn, drawn_nodes, faces, sizes, n_faces
        )
        if fitting == 0:
            return False
        first = _count((piece_attached & -piece_attached) - 1)
        if piece_inside:
            length = _find_path(row, n, first, piece_inside, piece_attached, path)
        else:
            path[0], length = first, 2
            path[1] = _count((piece_attached & ~(1 << first)) - 1)
        for step in range(length - 1):
            u, v = path[step], path[step + 1]
            drawn[u] |= 1 << v
            drawn[v] |= 1 << u
            drawn_nodes |= 1 << u | 1 << v
        n_drawn += length - 1
        _split_face(faces, sizes, piece_face, n_faces, path, length)
        n_faces += 1
    return True
