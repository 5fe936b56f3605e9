"""Worked examples of the tasks on cycles, triangles and cuts.

As in `searches.py`, each function runs an algorithm on the ascending neighbours of each node, and
writes down what happens as it happens.
"""

from itertools import combinations

from benchloom.builders.graphomni.searches import Near, Worked, join


def work_cycle(near: Near) -> Worked:
    """Returns whether there is a cycle, by depth-first search and by taking leaves away."""
    run: list[str] = []
    visited: set[int] = set()
    closed = False
    for start in range(len(near)):
        if start not in visited and not closed:
            run.append(f"Start a depth-first search at node {start}.")
            closed = _descend(near, [start], visited, run)
    if not closed:
        run.append("All nodes are visited, and no cycle was found.")
    steps, rest = _take_leaves_away(near)
    if rest:
        steps.append(f"Each of the remaining nodes {rest} has at least two neighbors among them.")
        steps.append(f"So they contain a cycle, such as {join(_walk(near, rest))}.")
    else:
        steps.append("No nodes remain.")
    return Worked("Yes" if closed else "No", " ".join(steps), " ".join(run))


def _descend(near: Near, path: list[int], visited: set[int], run: list[str]) -> bool:
    """Searches depth-first below the last node of a path; returns whether a cycle was found."""
    v = path[-1]
    parent = path[-2] if len(path) > 1 else None
    visited.add(v)
    for u in near[v]:
        if u == parent:
            run.append(f"At node {v}, neighbor {u} is the parent, so leave it out.")
        elif u in visited:
            closed = join([*path[path.index(u) :], u])
            run.append(
                f"At node {v}, neighbor {u} is visited and is not the parent, which gives the "
                f"cycle {closed}."
            )
            return True
        else:
            run.append(f"At node {v}, neighbor {u} is not visited, so go to node {u}.")
            if _descend(near, [*path, u], visited, run):
                return True
    if parent is None:
        run.append(f"Node {v} has no neighbors left, so this search ends.")
    else:
        run.append(f"Node {v} has no neighbors left, so go back to node {parent}.")
    return False


def _take_leaves_away(near: Near) -> tuple[list[str], list[int]]:
    """Returns a sentence per removed node, and the nodes that have two neighbours among them."""
    steps = ["A node with fewer than two neighbors is on no cycle, so we remove such nodes."]
    rest = list(range(len(near)))
    while True:
        left = {v: [u for u in near[v] if u in rest] for v in rest}
        leaf = next((v for v in rest if len(left[v]) < 2), None)
        if leaf is None:
            return steps, rest
        if left[leaf]:
            steps.append(
                f"Node {leaf} has only the neighbor {left[leaf][0]} left, so remove node {leaf}."
            )
        else:
            steps.append(f"Node {leaf} has no neighbors left, so remove node {leaf}.")
        rest.remove(leaf)


def _walk(near: Near, rest: list[int]) -> list[int]:
    """Returns the cycle that a walk among some nodes, which never turns back, closes."""
    path = [rest[0]]
    while True:
        last = path[-1]
        before = path[-2] if len(path) > 1 else None
        following = next(u for u in near[last] if u in rest and u != before)
        if following in path:
            return [*path[path.index(following) :], following]
        path.append(following)


def work_triangle(near: Near) -> Worked:
    """Returns the number of triangles, by edges and by smallest nodes."""
    run, total = [], 0
    for u in range(len(near)):
        for v in near[u]:
            if u < v:
                common = [w for w in near[u] if w in near[v]]
                total += len(common)
                shown = f"are {common}" if common else "do not exist"
                run.append(f"For the edge {u}-{v}, common neighbors of its ends {shown}.")
    run.append(f"The numbers of common neighbors add up to {total}.")
    run.append(f"Each triangle was counted three times, and {total} / 3 = {total // 3}.")
    steps, found = [], []
    for u in range(len(near)):
        larger = [v for v in near[u] if v > u]
        if len(larger) < 2:
            steps.append(f"Node {u} has fewer than two neighbors with larger numbers.")
            continue
        steps.append(f"The neighbors of node {u} with larger numbers are {larger}.")
        edges = [(v, w) for v, w in combinations(larger, 2) if w in near[v]]
        if edges:
            shown = ", ".join(f"{v}-{w}" for v, w in edges)
            triangles = [(u, v, w) for v, w in edges]
            steps.append(f"Edges between them: [{shown}], which gives the triangles {triangles}.")
            found += triangles
        else:
            steps.append("There are no edges between them.")
    ending = f"The list of all triangles is {found}." if found else "No triangles were found."
    return Worked(str(total // 3), " ".join([*steps, ending]), " ".join(run))


def work_hamiltonian_cycle(near: Near) -> Worked:
    """Returns a Hamiltonian cycle or none, for 3 nodes or more."""
    run = ["Start the path with node 0."]
    cycle = _extend(near, [0], run)
    if cycle:
        edges = ", ".join(f"{u}-{v}" for u, v in zip(cycle, [*cycle[1:], 0], strict=True))
        steps = [
            f"The graph has the edges [{edges}].",
            f"In this order they visit each of the {len(near)} nodes once and return to node 0.",
        ]
    else:
        steps = _obstacle(near)
    return Worked(join(cycle) if cycle else "none", " ".join(steps), " ".join(run))


def _extend(near: Near, path: list[int], run: list[str]) -> list[int]:
    """Returns the first Hamiltonian cycle that begins with a path, empty if none does."""
    last, back = path[-1], f"so go back to {join(path[:-1])}."
    if len(path) == len(near):
        if path[0] in near[last]:
            run.append(f"The path {join(path)} visits all nodes, and {last}-{path[0]} is an edge.")
            return path
        run.append(
            f"The path {join(path)} visits all nodes, but {last}-{path[0]} is not an edge, {back}"
        )
        return []
    for u in near[last]:
        if u not in path:
            run.append(f"Extend the path to {join([*path, u])}.")
            found = _extend(near, [*path, u], run)
            if found:
                return found
    end = back if len(path) > 1 else "so all paths are tried."
    run.append(f"The path {join(path)} has no extension left, {end}")
    return []


def _obstacle(near: Near) -> list[str]:
    """Returns why a graph has no Hamiltonian cycle, if it is for one of two simple reasons."""
    for v, row in enumerate(near):
        if len(row) < 2:
            return [
                "A Hamiltonian cycle needs two edges at every node.",
                f"The neighbors of node {v} are {list(row)}, which are fewer than two.",
            ]
    for v in range(len(near)):
        parts: list[list[int]] = []
        rest = [u for u in range(len(near)) if u != v]
        while rest:
            part = [rest[0]]
            for u in part:
                part += [w for w in near[u] if w != v and w not in part]
            parts.append(sorted(part))
            rest = [u for u in rest if u not in part]
        if len(parts) > 1:
            return [
                "A Hamiltonian cycle holds all other nodes together when one node is left out.",
                f"Without node {v}, the other nodes fall into the parts {parts}.",
            ]
    return []


def work_max_cut(near: Near) -> Worked:
    """Returns the size of the largest cut and a side with node 0, over all sides."""
    others = range(1, len(near))
    run, steps = [], []
    best_size, best_side = -1, [0]
    for more in range(len(near) - 1):
        row_size, row_side = -1, [0]
        for rest in combinations(others, more):
            side = [0, *rest]
            size = sum(u not in side for v in side for u in near[v])
            run.append(f"The side {side} cuts {size} edge{'s' if size != 1 else ''}.")
            if size > row_size:
                row_size, row_side = size, side
        steps.append(
            f"Of the sides with node 0 and {more} other nodes, {row_side} cuts the most edges, "
            f"namely {row_size}."
        )
        if row_size > best_size:
            best_size, best_side = row_size, row_side
    ending = f"The largest of these numbers is {best_size}, for the side {best_side}."
    answer = f"{best_size}: {join(best_side)}"
    return Worked(answer, " ".join([*steps, ending]), " ".join([*run, ending]))
