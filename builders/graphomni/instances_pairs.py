"""Planning instances of the yes/no tasks: a No and a Yes that is made to resemble it."""

from collections.abc import Callable

import numpy as np

from benchloom.builders.errors import InputError
from benchloom.builders.graphomni.answers import components, levels, members, neighbour_masks
from benchloom.builders.graphomni.cells import TRIES, Cell, Draft, Found, Grader
from benchloom.builders.graphomni.generators import SF_DEGREE, Drawn
from benchloom.builders.graphomni.isomorphism import invariant
from benchloom.builders.registry import register
from benchloom.builders.seeds import rng
from benchloom.builders.seeds import seed_key as text_of

PAIRS: dict[str, Callable[[Cell, str, int], tuple[Draft, Draft]]] = {}
"""For each task: plans a No and a Yes instance of a generator, its unit-th pair."""

WITHOUT_TWINS = ("BAG",)
"""Generators of connected graphs: the number of edges is the answer, so no Yes resembles a No."""

SF_LEAST_DEGREE = 0.3
"""SF draws its mean weight from here up to its usual one for cycle; no cycle is too rare else."""

TWIN_TRIES = 40
"""Graphs drawn as a twin of one graph before another graph is drawn."""

TWIN_ROUNDS = 15
"""Graphs for which a twin is looked for."""

LARGEST_SURPLUS = 3
"""By how many more Yes than No pairs, or No than Yes pairs, have two ends of one degree."""

BIPARTITE = ("BERM", "BERP")


@register(PAIRS, "connectivity")
def connectivity(cell: Cell, name: str, unit: int) -> tuple[Draft, Draft]:
    """Returns two nodes that no path joins, and two with the same degrees that one joins.

    The No pair lies in two components of two nodes or more. The Yes pair lies in a graph that has
    two such components in a share `two_components` (at the worst `least`), is adjacent in a share
    `adjacent` (at the worst `most`) and at distance 2 in a share `near`; its degrees differ from
    the No pair's by 1 at most. Relaxed in this order: the distance; two components; the degrees.

    Raises:
        InputError: If there are no such instances.
    """
    n = cell.nodes(name, unit)
    key = cell.key("instance", name, unit)
    random = rng(*key)
    no = cell.pick(name, n, random, apart(random), "two components of at least two nodes", key)
    rules = cell.rules
    quotas = {
        1: rules["adjacent"],
        2: rules["near"],
        3: 1 - rules["adjacent"] - rules["near"],
    }
    two = {True: rules["two_components"], False: 1 - rules["two_components"]}
    made = sum(cell.tally["cell", kind] for kind in quotas)
    may_be_adjacent = cell.tally["cell", 1] < max(1, int(rules["most"] * (made + 1)))
    may_lack_two = cell.tally["two", False] < max(1, int((1 - rules["least"]) * (made + 1)))
    want_two = not may_lack_two or cell.due(two, "two", f"two {name}")[0]
    wanted = next(kind for kind in cell.due(quotas, "cell", name) if kind > 1 or may_be_adjacent)
    # A second component takes two nodes, so the first has no pair farther apart than this.
    wanted = max(1, min(wanted, n - 3 if want_two else n - 1))
    surplus = cell.tally["equal degrees", 1] - cell.tally["equal degrees", -1]
    grade = joined(random, no, name, wanted, want_two, may_be_adjacent, may_lack_two, surplus)
    rule = (
        f"Yes pairs, at most {rules['most']:.0%} adjacent, at least {rules['least']:.0%} beside "
        "another component, with the degrees of a No pair"
    )
    return no, cell.pick(name, n, random, grade, rule, key)


def apart(random: np.random.Generator) -> Grader:
    """Returns the grader of graphs with two nodes, not isolated, that no path joins."""

    def grade(drawn: Drawn) -> Found | None:
        if drawn.graph.n_edges < 2:
            return None
        masks = neighbour_masks(drawn.graph)
        parts = [members(part) for part in components(masks) if part.bit_count() > 1]
        if len(parts) < 2:
            return None
        pairs = [
            (u, v)
            for i, part in enumerate(parts)
            for other in parts[:i]
            for u in part
            for v in other
        ]
        u, v = pairs[int(random.integers(len(pairs)))]
        return Found(*((u, v) if random.random() < 0.5 else (v, u)))

    return grade


def joined(
    random: np.random.Generator,
    no: Draft,
    name: str,
    wanted: int,
    want_two: bool,
    may_be_adjacent: bool,
    may_lack_two: bool,
    surplus: int,
) -> Grader:
    """Returns the grader of graphs with two joined nodes as they are wanted."""
    model = sorted(no.graph.degrees[v] for v in (no.found.source, no.found.target) if v is not None)
    same = invariant(no.graph)

    def grade(drawn: Drawn) -> Found | None:
        graph = drawn.graph
        masks = neighbour_masks(graph)
        degrees = [mask.bit_count() for mask in masks]
        has_two = sum(part.bit_count() > 1 for part in components(masks)) > 1
        if not has_two and not may_lack_two:
            return None
        best_cost = 1000
        best: list[tuple[int, int, int, int, int]] = []
        for u in range(graph.n_nodes):
            # The lower end first, so that each pair of equal degrees comes up in both directions.
            if abs(degrees[u] - model[0]) > 2 or not degrees[u]:
                continue
            for kind, level in enumerate(levels(masks, u)[1:], start=1):
                if kind == 1 and not may_be_adjacent:
                    continue
                steps = max(0, wanted - kind) + (2 if kind > wanted and wanted < 3 else 0)
                for v in members(level):
                    low, high = sorted((degrees[u], degrees[v]))
                    off = max(abs(low - model[0]), abs(high - model[1]))
                    if off > 2:
                        continue
                    # Whether the two degrees are equal must not become a hint either.
                    more = (low == high) - (model[0] == model[1])
                    if more and abs(surplus + more) > LARGEST_SURPLUS:
                        continue
                    cost = off + abs(more)
                    cost += 4 * steps + (10 if want_two and not has_two else 0)
                    cost += 30 if off > 1 else 0
                    if cost < best_cost:
                        best_cost, best = cost, []
                    if cost == best_cost:
                        best.append((u, v, min(kind, 3), off, more))
        if not best or invariant(graph) == same:
            return None
        u, v, best_kind, off, more = best[int(random.integers(len(best)))]
        if random.random() < 0.5:
            u, v = v, u
        relaxed = (
            *(("distance",) if best_kind != wanted else ()),
            *(("two_components",) if want_two and not has_two else ()),
            *(("degrees",) if off > 1 else ()),
        )
        tags = (
            ("cell", best_kind),
            (name, best_kind),
            ("two", has_two),
            (f"two {name}", has_two),
            ("equal degrees", more),
        )
        return Found(u, v, best_cost, relaxed, tags)

    return grade


@register(PAIRS, "cycle")
def cycle(cell: Cell, name: str, unit: int) -> tuple[Draft, Draft]:
    """Returns a graph without and a graph with a cycle.

    In a share `twins` they are twins: as many nodes, edges and isolated nodes. Relaxed in this
    order: the isolated nodes; the edges.

    Raises:
        InputError: If there are no such instances.
    """
    n = cell.nodes(name, unit)
    key = cell.key("instance", name, unit)
    random = rng(*key)
    share = cell.rules["twins"]
    want_twins = name not in WITHOUT_TWINS and cell.due({True: share, False: 1 - share}, name)[0]
    relaxed: tuple[str, ...] = ()

    def options() -> dict[str, float]:
        if name != "SF":
            return {}
        return {"d": SF_LEAST_DEGREE + (SF_DEGREE - SF_LEAST_DEGREE) * float(random.random())}

    if want_twins:
        pair = _twins(cell, name, n, random, key, options)
        if pair is not None:
            return pair
        relaxed = ("twins",)
    no = cell.pick(name, n, random, _acyclic, "edges, but no cycle", key, options)
    grade = _cyclic((name, False))
    yes = cell.pick(name, n, random, grade, "a cycle", key, options)
    return no, Draft(yes.drawn, yes.found, yes.draws, yes.relaxed + relaxed, yes.seed_key)


def _twins(
    cell: Cell,
    name: str,
    n: int,
    random: np.random.Generator,
    key: tuple[str | int, ...],
    options: Callable[[], dict[str, float]],
) -> tuple[Draft, Draft] | None:
    """Returns two graphs with as many edges and, if that can be, as many isolated nodes."""
    shortest = 4 if name in BIPARTITE else 3
    second_best: tuple[Draft, Draft] | None = None
    draws = 0

    def may_have_twin(drawn: Drawn) -> Found | None:
        # A cycle among as many nodes and edges leaves one component more, of two nodes or more.
        graph = drawn.graph
        trees = n - graph.degrees.count(0) - graph.n_edges
        found = _acyclic(drawn)
        if found is None or n - graph.degrees.count(0) >= 2 * trees + shortest:
            return found
        return Found(cost=1, relaxed=("isolated",)) if graph.n_edges >= shortest else None

    for _ in range(TWIN_ROUNDS):
        first, used = cell.search(name, n, random, may_have_twin, options, TRIES // 4)
        draws += used
        if first is None:
            break
        graph = first[0].graph
        isolated = graph.degrees.count(0)

        def grade(drawn: Drawn, isolated: int = isolated) -> Found | None:
            found = _cyclic((name, True))(drawn)
            in_range = name != "SF" or SF_LEAST_DEGREE <= drawn.params["d"] <= SF_DEGREE
            if found is None or not in_range:
                return None
            if drawn.graph.degrees.count(0) == isolated:
                return found
            return Found(cost=1, relaxed=("isolated",), tags=found.tags)

        def as_many_edges(m: int = graph.n_edges) -> dict[str, int]:
            return {"edges": m}

        try:
            second, used = cell.search(name, n, random, grade, as_many_edges, TWIN_TRIES)
        except InputError:  # no room for so many edges
            continue
        if second is None:
            draws += used
            continue
        text = text_of(*key)
        pair = (
            Draft(first[0], Found(), draws, (), text),
            Draft(second[0], second[1], used, second[1].relaxed, text),
        )
        if not second[1].relaxed:
            return pair
        second_best = second_best or pair
        draws += used
    return second_best


def _acyclic(drawn: Drawn) -> Found | None:
    graph = drawn.graph
    if not 0 < graph.n_edges < graph.n_nodes:
        return None
    forest = graph.n_edges == graph.n_nodes - len(components(neighbour_masks(graph)))
    return Found() if forest else None


def _cyclic(*tags: tuple[str, bool]) -> Grader:
    def grade(drawn: Drawn) -> Found | None:
        graph = drawn.graph
        some = graph.n_edges > graph.n_nodes - len(components(neighbour_masks(graph)))
        return Found(tags=tags) if some else None

    return grade
