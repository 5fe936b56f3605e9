"""What rules reach that do not solve a task, with the bounds on it.

Every rule is measured over the instances of one cell (a task at a difficulty).
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from benchloom.builders.graphomni.answers import (
    components,
    is_bfs_order,
    levels,
    members,
    neighbour_masks,
)
from benchloom.builders.graphomni.cells import Instance
from benchloom.builders.registry import lookup, register

CONNECTED_GENERATORS = ("BAG",)
"""Their number of edges tells whether there is a cycle, so no bound on it holds for them alone."""


@dataclass(frozen=True, slots=True)
class Row:
    """What one rule reaches on a cell.

    Attributes:
        rule: The rule in words.
        value: The share of right answers, or another share that is named, from 0 to 1.
        least: The lower bound, None where there is none.
        most: The upper bound, None where there is none.
    """

    rule: str
    value: float
    least: float | None = None
    most: float | None = None

    @property
    def holds(self) -> bool:
        """Whether the value keeps its bounds."""
        return (self.least is None or self.value >= self.least - 1e-9) and (
            self.most is None or self.value <= self.most + 1e-9
        )


Rows = Callable[[Sequence[Instance]], list[Row]]

SHORTCUTS: dict[str, Rows] = {}
"""For each task: measures the shortcuts on the instances of a cell."""


def shortcuts(task: str, instances: Sequence[Instance]) -> list[Row]:
    """Returns what each shortcut reaches on a cell's instances, with its bound.

    Raises:
        InputError: If there is no such task.
    """
    return lookup(SHORTCUTS, task, "task")(instances) if instances else []


def mean(values: Sequence[float]) -> float:
    """Returns the mean, 0 of nothing."""
    return sum(values) / len(values) if values else 0.0


def best_threshold(values: Sequence[float], labels: Sequence[bool]) -> float:
    """Returns the share right of the best rule "yes from this value on", or "yes below it"."""
    counts: dict[float, list[int]] = {}
    for value, label in zip(values, labels, strict=True):
        counts.setdefault(value, [0, 0])[label] += 1
    right = sum(labels)  # yes from the lowest value on, that is always
    best = max(right, len(labels) - right)
    for value in sorted(counts):
        no, yes = counts[value]
        right += no - yes
        best = max(best, right, len(labels) - right)
    return best / len(labels) if labels else 0.0


def _said_yes(instance: Instance) -> bool:
    return instance.answer == "Yes"


def _either_way(says_yes: Sequence[bool], labels: Sequence[bool]) -> float:
    """Returns the share right of a rule or of its opposite, whichever is more."""
    right = mean([said == label for said, label in zip(says_yes, labels, strict=True)])
    return max(right, 1 - right)


@dataclass(frozen=True, slots=True)
class _Pair:
    """What rules on connectivity look at."""

    distance: int | None
    real_components: int
    connected: bool
    degrees: tuple[int, int]


def _pair(instance: Instance) -> _Pair:
    if instance.source is None or instance.target is None:
        raise ValueError(f"instance {instance.index} asks about no two nodes")
    masks = neighbour_masks(instance.graph)
    reached = levels(masks, instance.source)
    parts = components(masks)
    low, high = sorted(instance.graph.degrees[v] for v in (instance.source, instance.target))
    return _Pair(
        next((d for d, level in enumerate(reached) if level >> instance.target & 1), None),
        sum(part.bit_count() > 1 for part in parts),
        len(parts) == 1,
        (low, high),
    )


@register(SHORTCUTS, "connectivity")
def connectivity(instances: Sequence[Instance]) -> list[Row]:
    """Returns what rules on components, distances and degrees reach on connectivity."""
    labels = [_said_yes(instance) for instance in instances]
    pairs = [_pair(instance) for instance in instances]
    yes = [pair for pair, label in zip(pairs, labels, strict=True) if label]
    distances = [pair.distance or 0 for pair in pairs]

    def right(says_yes: list[bool]) -> float:
        return mean([said == label for said, label in zip(says_yes, labels, strict=True)])

    # An odd number of instances cannot be halved.
    slack = 0.01 if len(labels) >= 50 else 0.5 / len(labels)
    return [
        Row("always yes", mean(labels), 0.5 - slack, 0.5 + slack),
        Row("yes if the whole graph is connected", right([p.connected for p in pairs]), most=0.65),
        Row(
            "yes if only one component has edges",
            right([p.real_components == 1 for p in pairs]),
            most=0.65,
        ),
        Row("yes if adjacent", right([d == 1 for d in distances]), most=0.66),
        Row("yes if at distance 1 or 2", right([d in (1, 2) for d in distances]), most=0.85),
        Row(
            "yes (or no) if the ends have one degree",
            _either_way([p.degrees[0] == p.degrees[1] for p in pairs], labels),
            most=0.55,
        ),
        Row(
            "best threshold on the smaller end degree",
            best_threshold([p.degrees[0] for p in pairs], labels),
            most=0.6,
        ),
        Row(
            "best threshold on the larger end degree",
            best_threshold([p.degrees[1] for p in pairs], labels),
        ),
        Row("isolated ends", mean([p.degrees[0] == 0 for p in pairs]), most=0),
        Row(
            "Yes pairs with two components of at least two nodes",
            mean([p.real_components > 1 for p in yes]),
            least=0.72,
        ),
        Row("Yes pairs that are adjacent", mean([p.distance == 1 for p in yes]), most=0.3),
        Row("Yes pairs at distance 2", mean([p.distance == 2 for p in yes])),
        Row("Yes pairs farther apart", mean([(p.distance or 0) > 2 for p in yes])),
    ]


def _cycle_rules(instances: Sequence[Instance], bound: float | None) -> list[Row]:
    labels = [_said_yes(instance) for instance in instances]
    graphs = [instance.graph for instance in instances]
    reaching = [(g.n_edges, g.n_nodes, g.n_nodes - g.degrees.count(0)) for g in graphs]
    return [
        Row("m >= n", _either_way([m >= n for m, n, _ in reaching], labels), most=bound),
        Row(
            "m >= nodes that have edges",
            _either_way([m >= used for m, _, used in reaching], labels),
            most=bound,
        ),
        Row("best threshold on m", best_threshold([m for m, _, _ in reaching], labels), most=bound),
    ]


@register(SHORTCUTS, "cycle")
def cycle(instances: Sequence[Instance]) -> list[Row]:
    """Returns what rules on the number of edges reach on cycle, in all and per generator."""
    labels = [_said_yes(instance) for instance in instances]
    twins = Counter(_counts(i) for i in instances if not _said_yes(i))
    yes = [instance for instance in instances if _said_yes(instance)]
    rows = [
        Row("always yes", mean(labels), 0.49, 0.51),
        *_cycle_rules(instances, 0.8),
        Row(
            "Yes graphs with the n, m and isolated nodes of a No graph of their generator",
            mean([_counts(instance) in twins for instance in yes]),
            least=0.5,
        ),
    ]
    for name, group in _by_generator(instances).items():
        bound = None if name in CONNECTED_GENERATORS else 0.8
        part = mean([_said_yes(instance) for instance in group])
        slack = 0.01 if len(group) >= 50 or len(group) % 2 == 0 else 0.5 / len(group)
        rows.append(Row(f"{name}: always yes", part, 0.5 - slack, 0.5 + slack))
        rows += [
            Row(f"{name}: {row.rule}", row.value, most=row.most)
            for row in _cycle_rules(group, bound)
        ]
    return rows


def _counts(instance: Instance) -> tuple[str, int, int, int]:
    graph = instance.graph
    return instance.generator, graph.n_nodes, graph.n_edges, graph.degrees.count(0)


@register(SHORTCUTS, "bfs_order")
def bfs_order(instances: Sequence[Instance]) -> list[Row]:
    """Returns what ascending orders reach on bfs_order, and how far the starts see."""
    ascending, start_first, depths = [], [], []
    for instance in instances:
        if instance.source is None:
            raise ValueError(f"instance {instance.index} has no start")
        reached = levels(neighbour_masks(instance.graph), instance.source)
        order = members(sum(reached))
        rest = [v for v in order if v != instance.source]
        ascending.append(is_bfs_order(instance.graph, instance.source, order))
        start_first.append(is_bfs_order(instance.graph, instance.source, [instance.source, *rest]))
        depths.append(len(reached) - 1)
    return [
        Row("component in ascending order", mean(ascending), most=0.15),
        Row("start, then component in ascending order", mean(start_first), most=0.15),
        Row("starts with eccentricity below 2", mean([d < 2 for d in depths]), most=0),
    ]


@register(SHORTCUTS, "shortest_path")
def shortest_path(instances: Sequence[Instance]) -> list[Row]:
    """Returns what source and target alone reach on shortest_path, and the shares of distances."""
    lengths = [instance.answer.count(",") for instance in instances]
    return [
        Row("source, target", mean([length == 1 for length in lengths]), most=0.3),
        Row("pairs at distance 2", mean([length == 2 for length in lengths])),
        Row("pairs at distance 3", mean([length == 3 for length in lengths])),
        Row("pairs at distance 4 or more", mean([length >= 4 for length in lengths])),
    ]


@register(SHORTCUTS, "diameter")
def diameter(instances: Sequence[Instance]) -> list[Row]:
    """Returns what the most common diameter of each generator reaches."""
    return _most_common(instances, 0.3)


@register(SHORTCUTS, "triangle")
def triangle(instances: Sequence[Instance]) -> list[Row]:
    """Returns what the most common number of triangles of each generator reaches."""
    zero = mean([instance.answer == "0" for instance in instances])
    return [*_most_common(instances, 0.1), Row("0", zero)]


def _most_common(instances: Sequence[Instance], bound: float) -> list[Row]:
    rows = [Row("most common value", _top(instances))]
    for name, group in _by_generator(instances).items():
        # Of a few graphs one alone can be a larger share than the bound.
        most = max(bound, 1 / len(group))
        rows.append(Row(f"{name}: most common value", _top(group), most=most))
    return rows


def _top(instances: Sequence[Instance]) -> float:
    return max(Counter(i.answer for i in instances).values()) / len(instances)


def _by_generator(instances: Sequence[Instance]) -> dict[str, list[Instance]]:
    groups: dict[str, list[Instance]] = {}
    for instance in instances:
        groups.setdefault(instance.generator, []).append(instance)
    return groups


@register(SHORTCUTS, "hamiltonian_cycle")
def hamiltonian_cycle(instances: Sequence[Instance]) -> list[Row]:
    """Returns what "none" reaches, and the rule that a graph without dead ends has a cycle."""
    exists = [instance.answer != "none" for instance in instances]
    no_dead_end = [
        min(i.graph.degrees) >= 2 and len(components(neighbour_masks(i.graph))) == 1
        for i in instances
    ]
    return [
        Row("always none", 1 - mean(exists)),
        Row("a cycle if connected without dead ends", _either_way(no_dead_end, exists)),
    ]


@register(SHORTCUTS, "max_cut")
def max_cut(instances: Sequence[Instance]) -> list[Row]:
    """Returns what the number of edges, and two thirds of it, reach as the size of a cut."""
    sizes = [(int(i.answer.split(":")[0]), i.graph.n_edges) for i in instances]
    return [
        Row("size: every edge", mean([size == m for size, m in sizes]), most=0),
        Row("size: two thirds of the edges", mean([size == round(2 * m / 3) for size, m in sizes])),
    ]
