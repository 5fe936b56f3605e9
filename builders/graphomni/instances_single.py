"""Planning instances of the tasks whose instances do not depend on one another in pairs."""

from collections.abc import Callable

import numpy as np

from benchloom.builders.errors import InputError
from benchloom.builders.graphomni import checks
from benchloom.builders.graphomni.answers import (
    HAMILTONIAN_LIMIT,
    MAX_CUT_LIMIT,
    components,
    count_triangles,
    diameter,
    is_bfs_order,
    levels,
    members,
    neighbour_masks,
)
from benchloom.builders.graphomni.cells import Cell, Draft, Found, Grader
from benchloom.builders.graphomni.generators import Drawn
from benchloom.builders.graphomni.hamilton import UndecidedError, find_hamiltonian_cycle
from benchloom.builders.graphs.graph import Graph
from benchloom.builders.registry import register
from benchloom.builders.seeds import rng

SEARCH_STEPS = 3000
"""Most steps of the search for a Hamiltonian cycle while planning."""

CHECK_STEPS = 300
"""Most steps of the second method, when it has to confirm that there is none."""

SINGLES: dict[str, Callable[[Cell, str, int, np.random.Generator], tuple[Grader, str]]] = {}
"""For each task: makes the grader for the next instance of a generator and words its rule.

The arguments are the cell, the generator's name, the instance's index and its randomness.
"""


def plan_single(cell: Cell, name: str, unit: int, index: int) -> Draft:
    """Returns an instance of a generator, the unit-th of it and the index-th of the cell.

    Raises:
        InputError: If there is none.
    """
    key = cell.key("instance", name, unit)
    random = rng(*key)
    grade, rule = SINGLES[cell.task](cell, name, index, random)
    return cell.pick(name, cell.nodes(name, unit), random, grade, rule, key)


@register(SINGLES, "bfs_order")
def bfs_order(cell: Cell, name: str, index: int, random: np.random.Generator) -> tuple[Grader, str]:
    """Returns the grader of bfs_order: a start with some node at distance 2.

    "The start, then its component in ascending order" may be right in a share `ascending` at most.
    """
    may_ascend = cell.tally["ascending"] + 1 <= cell.rules["ascending"] * (index + 1)

    def grade(drawn: Drawn) -> Found | None:
        graph = drawn.graph
        masks = neighbour_masks(graph)
        for start in random.permutation(graph.n_nodes).tolist():
            reached = levels(masks, start)
            if len(reached) < 3:
                continue
            rest = sum(reached[1:])
            if not is_bfs_order(graph, start, [start, *members(rest)]):
                return Found(start)
            if may_ascend:
                return Found(start, tags=("ascending",))
        return None

    return grade, "a start that does not reach its whole component in one step"


@register(SINGLES, "diameter")
def diameters(cell: Cell, name: str, index: int, random: np.random.Generator) -> tuple[Grader, str]:
    """Returns the grader of diameter: connected, no value in more than a share `most_common`."""
    limit = cell.rules["most_common"]

    def grade(drawn: Drawn) -> Found | None:
        value = diameter(drawn.graph)
        if value is None or not cell.allows(name, value, limit):
            return None
        return Found(tags=((name, value),))

    return grade, f"connected, and no diameter in more than {limit:.0%} of a generator's graphs"


@register(SINGLES, "triangle")
def triangles(cell: Cell, name: str, index: int, random: np.random.Generator) -> tuple[Grader, str]:
    """Returns the grader of triangle: at most `most`, no value above a share `most_common`."""
    limit, most = cell.rules["most_common"], cell.rules["most"]

    def grade(drawn: Drawn) -> Found | None:
        value = count_triangles(drawn.graph)
        if value > most or not cell.allows(name, value, limit):
            return None
        return Found(tags=((name, value),))

    rule = f"at most {most} triangles, and no number of them in more than {limit:.0%}"
    return grade, f"{rule} of a generator's graphs"


@register(SINGLES, "shortest_path")
def shortest_paths(
    cell: Cell, name: str, index: int, random: np.random.Generator
) -> tuple[Grader, str]:
    """Returns the grader of shortest_path: distances 1, 2, 3 and 4 or more in given shares.

    Relaxed downwards where no graph has such a pair.
    """
    quotas = dict(enumerate(cell.rules["distances"], start=1))
    target = cell.due(quotas, name, "cell")[0]
    last = len(quotas)

    def grade(drawn: Drawn) -> Found | None:
        masks = neighbour_masks(drawn.graph)
        best, pair = 0, (0, 0)
        for source in random.permutation(drawn.graph.n_nodes).tolist():
            reached = levels(masks, source)
            kind = min(len(reached) - 1, target)
            if kind <= best:
                continue
            ends = sum(reached[kind:]) if kind == last else reached[kind]
            best, pair = kind, (source, _any(ends, random))
            if best == target:
                break
        if not best:
            return None
        relaxed = () if best == target else ("distance",)
        return Found(*pair, target - best, relaxed, ((name, best), ("cell", best)))

    return grade, "two nodes that a path joins"


@register(SINGLES, "hamiltonian_cycle")
def hamiltonian_cycles(
    cell: Cell, name: str, index: int, random: np.random.Generator
) -> tuple[Grader, str]:
    """Returns the grader of hamiltonian_cycle: every second graph has one.

    Of those without, a share `tempting` is connected and has no node with fewer than two edges.
    """
    if cell.bounds[1] > HAMILTONIAN_LIMIT:
        raise _too_large(cell, HAMILTONIAN_LIMIT)
    wanted = _label(cell, index)
    share = cell.rules["tempting"]
    tempting = cell.due({True: share, False: 1 - share}, "tempting")[0]

    def grade(drawn: Drawn) -> Found | None:
        graph = drawn.graph
        open_to_all = min(graph.degrees) >= 2 and len(components(neighbour_masks(graph))) == 1
        if not open_to_all and (wanted or graph.n_edges == 0):
            return None
        if open_to_all and not is_decided(graph, wanted):
            return None
        if wanted:
            return Found()
        tags = (("tempting", open_to_all),)
        if tempting and not open_to_all:
            return Found(cost=1, relaxed=("tempting",), tags=tags)
        return Found(tags=tags)

    return grade, "a Hamiltonian cycle" if wanted else "edges, but no Hamiltonian cycle"


@register(SINGLES, "max_cut")
def max_cuts(cell: Cell, name: str, index: int, random: np.random.Generator) -> tuple[Grader, str]:
    """Returns the grader of max_cut: an odd cycle, so that the largest cut is not every edge."""
    if cell.bounds[1] > MAX_CUT_LIMIT:
        raise _too_large(cell, MAX_CUT_LIMIT)

    def grade(drawn: Drawn) -> Found | None:
        return Found() if has_odd_cycle(drawn.graph) else None

    return grade, "a cycle of odd length"


def has_odd_cycle(graph: Graph) -> bool:
    """Returns whether some edge joins two nodes at the same distance from a node."""
    masks = neighbour_masks(graph)
    for component in components(masks):
        for level in levels(masks, (component & -component).bit_length() - 1):
            if any(masks[v] & level for v in members(level)):
                return True
    return False


def is_decided(graph: Graph, wanted: bool) -> bool:
    """Returns whether it is soon found out that a Hamiltonian cycle exists, or that none does.

    A graph that takes either method too long is left out, so that no plan and no audit ever does.
    """
    try:
        cycle = find_hamiltonian_cycle(neighbour_masks(graph), SEARCH_STEPS)
    except UndecidedError:
        return False
    if wanted:
        return cycle is not None
    return cycle is None and checks.has_hamiltonian_cycle(graph, CHECK_STEPS) is False


def _label(cell: Cell, index: int) -> bool:
    """Returns whether the answer at a place is to be yes: alternating, for each generator too."""
    turn, place = divmod(index, len(cell.generators))
    return (turn + place) % 2 == 1


def _any(nodes: int, random: np.random.Generator) -> int:
    choice = members(nodes)
    return choice[int(random.integers(len(choice)))]


def _too_large(cell: Cell, limit: int) -> InputError:
    return InputError(
        f"{cell.task} {cell.difficulty}: graphs of up to {cell.bounds[1]} nodes are asked for, but "
        f"exact answers are worked out for up to {limit}; the nearest upper bound is {limit}"
    )
