"""Grouping, counting and matching on arrays: what the choice rules of VGA are built from.

Sorting is always stable, so that equal keys keep their order on any machine.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from benchloom.builders.graphs.catalogue import GraphTable

Indices = NDArray[np.int64]
Stream = Callable[[str], np.random.Generator]
"""Gives the random generator of a purpose; config, side and seed are already settled."""


def occurrences(values: NDArray[np.integer]) -> Indices:
    """Returns, for each entry, how many earlier entries equal it: 0 for the first of its value.

    Args:
        values: Integers, shape (R,).
    """
    order = np.argsort(values, kind="stable")
    starts = _run_starts(values[order])
    lengths = np.diff(starts, append=len(values))
    counts = np.empty(len(values), np.int64)
    counts[order] = np.arange(len(values)) - np.repeat(starts, lengths)
    return counts


def successors(members: Indices, groups: Indices) -> Indices:
    """Returns, for each member, the next one of its group, in a circle.

    Each member is a successor exactly once, and never its own unless it is alone in its group.

    Args:
        members: The members in random order, shape (M,).
        groups: The group of each member, shape (M,).
    """
    order = np.argsort(groups, kind="stable")
    starts = _run_starts(groups[order])
    lengths = np.diff(starts, append=len(groups))
    following = np.arange(1, len(groups) + 1)
    following[starts + lengths - 1] = starts
    result = np.empty_like(members)
    result[order] = members[order[following]]
    return result


def members_of_groups(
    groups: Indices, wanted: int | None, generator: np.random.Generator
) -> Indices:
    """Returns positions of randomly chosen members such that no chosen one is alone in its group.

    It is a random choice in which the first two members of a group come together: each member draws
    a number, the smallest of a group takes over its second smallest, and the smallest numbers win.

    Args:
        groups: The group of each member, shape (M,).
        wanted: How many to choose; None for as many as there are in groups of two or more.
        generator: Draws the numbers.

    Returns:
        Positions into `groups`, ascending. All there are where these are fewer than wanted; one
        fewer than wanted where an odd number would have to be made of twos.
    """
    draws = generator.random(len(groups))
    order = np.lexsort((draws, groups))
    starts = _run_starts(groups[order])
    lengths = np.diff(starts, append=len(groups))
    draws[order[starts[lengths > 1]]] = draws[order[starts[lengths > 1] + 1]]
    alone = np.zeros(len(groups), np.bool_)
    alone[order[starts[lengths == 1]]] = True
    rank = np.empty(len(groups), np.int64)
    rank[order] = np.arange(len(groups)) - np.repeat(starts, lengths)
    queue = np.lexsort((rank, groups, draws))
    queue = queue[~alone[queue]]
    if wanted is None or wanted >= len(queue):
        return np.sort(queue)
    chosen = queue[:wanted]
    if wanted and rank[chosen[-1]] == 0:
        # The last two were torn apart. A third or later member takes the place of the one left:
        # the next in the queue whose group is in; failing that, two come in and a third goes out.
        chosen = chosen[:-1]
        present = np.isin(groups[queue], groups[chosen]) & (np.arange(len(queue)) > wanted)
        spare = queue[present & (rank[queue] > 1)]
        third = np.flatnonzero(rank[chosen] > 1)
        if len(spare):
            chosen = np.append(chosen, spare[0])
        elif len(third):
            chosen = np.append(np.delete(chosen, third[-1]), queue[wanted - 1 : wanted + 1])
    return np.sort(chosen)


def cells(table: GraphTable, graphs: Indices) -> Indices:
    """Returns the cell (planar, nodes, edges) of each graph as one number.

    Graphs match exactly when their cells are equal; `cell_parts` takes the number apart.
    """
    planar = table.planar[graphs].astype(np.int64)
    return (planar * 64 + table.n_nodes[graphs]) * 256 + table.n_edges[graphs]


def cell_parts(cell: int) -> tuple[bool, int, int]:
    """Returns planarity, number of nodes and number of edges of a cell."""
    return bool(cell >> 14), cell >> 8 & 63, cell & 255


def exact_pairs(
    first: Indices, second: Indices, table: GraphTable, generator: np.random.Generator
) -> tuple[Indices, Indices]:
    """Returns as many pairs as possible whose two graphs are of one cell, in random order.

    Args:
        first: Graphs of the one class, each once.
        second: Graphs of the other class, each once.
        table: Where the graphs stand.
        generator: Chooses within a cell and orders the pairs.

    Returns:
        The pairs' first and second graphs, two arrays of equal length.
    """
    keys = []
    shuffled = []
    for graphs in (first, second):
        mixed = generator.permutation(graphs)
        cell = cells(table, mixed)
        keys.append((cell << 32) | occurrences(cell))
        shuffled.append(mixed)
    _, left, right = np.intersect1d(keys[0], keys[1], assume_unique=True, return_indices=True)
    order = generator.permutation(len(left))
    return shuffled[0][left[order]], shuffled[1][right[order]]


def matched_pairs(
    first: Indices,
    second: Indices,
    table: GraphTable,
    wanted: int,
    generator: np.random.Generator,
) -> tuple[Indices, Indices]:
    """Returns pairs of one graph of each class, of one cell where supply allows.

    Exact pairs come first; where they do not suffice, what is left is paired across cells in the
    order: same planarity before other, then same number of nodes before other, then the smallest
    difference in edges (the partner with fewer edges first). Each graph is used at most once.

    Args:
        first: Graphs of the one class, each once.
        second: Graphs of the other class, each once.
        table: Where the graphs stand.
        wanted: Number of pairs.
        generator: Chooses within a cell and orders the pairs.

    Returns:
        The pairs' first and second graphs, in random order; fewer than wanted where the smaller
        class is smaller.
    """
    wanted = min(wanted, len(first), len(second))
    ones, others = (graphs[:wanted] for graphs in exact_pairs(first, second, table, generator))
    missing = wanted - len(ones)
    if missing:
        rest = [
            generator.permutation(graphs[~np.isin(graphs, used)])
            for graphs, used in ((first, ones), (second, others))
        ]
        near_ones, near_others = _nearest_pairs(rest[0], rest[1], table, missing)
        ones = np.concatenate([ones, near_ones])
        others = np.concatenate([others, near_others])
    order = generator.permutation(wanted)
    return ones[order], others[order]


def _nearest_pairs(
    first: Indices, second: Indices, table: GraphTable, wanted: int
) -> tuple[Indices, Indices]:
    """Returns pairs across cells, the nearest cells first; no cell holds graphs of both arrays."""
    supply = [_by_cell(graphs, table) for graphs in (first, second)]
    distances = []
    for one in supply[0]:
        planar, nodes, edges = cell_parts(one)
        for other in supply[1]:
            planar_2, nodes_2, edges_2 = cell_parts(other)
            gap = edges_2 - edges
            distances.append((planar != planar_2, nodes != nodes_2, abs(gap), gap, one, other))
    taken: list[list[Indices]] = [[], []]
    for *_, one, other in sorted(distances):
        count = min(len(supply[0][one]), len(supply[1][other]), wanted)
        if not count:
            continue
        wanted -= count
        for number, cell in enumerate((one, other)):
            taken[number].append(supply[number][cell][:count])
            supply[number][cell] = supply[number][cell][count:]
    return np.concatenate(taken[0]), np.concatenate(taken[1])


def _by_cell(graphs: Indices, table: GraphTable) -> dict[int, Indices]:
    """Returns the graphs of each cell, in the order given."""
    cell = cells(table, graphs)
    order = np.argsort(cell, kind="stable")
    starts = _run_starts(cell[order])
    parts = np.split(graphs[order], starts[1:])
    return {int(cell[order[start]]): part for start, part in zip(starts, parts, strict=True)}


def _run_starts(values: NDArray[np.integer]) -> Indices:
    """Returns where runs of equal values start, in a sorted array."""
    if not len(values):
        return np.zeros(0, np.int64)
    return np.concatenate([[0], np.flatnonzero(values[1:] != values[:-1]) + 1]).astype(np.int64)
