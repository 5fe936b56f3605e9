"""What a guesser reaches on each task, as an expectation (section A.2 of the GraphOmni paper)."""

from collections.abc import Callable, Sequence

from benchloom.builders.graphomni.cells import Instance
from benchloom.builders.registry import lookup, register

LARGEST_TRIANGLE_GUESS = 60
"""Random guesses of a number of triangles go up to this, or to n(n-1)(n-2)/6 if that is less."""

RANDOM: dict[str, Callable[[Instance], float]] = {}
"""For each task: the chance that a guess answers an instance rightly."""


def random_baseline(task: str, instances: Sequence[Instance]) -> float:
    """Returns the expected share of right answers of a guesser (section A.2).

    connectivity: always Yes; cycle: a coin; diameter: uniform in 1..n; triangle: uniform in 1..M, M
    the smaller of 60 and the number of triples; bfs_order: 0; shortest_path: source and target
    alone; hamiltonian_cycle: always "none"; max_cut: 0.

    Raises:
        InputError: If there is no such task.
    """
    chance = lookup(RANDOM, task, "task")
    return sum(map(chance, instances)) / len(instances) if instances else 0.0


@register(RANDOM, "bfs_order")
def _guess_order(instance: Instance) -> float:
    return 0.0


@register(RANDOM, "connectivity")
def _guess_connectivity(instance: Instance) -> float:
    return float(instance.answer == "Yes")


@register(RANDOM, "cycle")
def _guess_cycle(instance: Instance) -> float:
    return 0.5


@register(RANDOM, "diameter")
def _guess_diameter(instance: Instance) -> float:
    n = instance.graph.n_nodes
    return (1 <= int(instance.answer) <= n) / n


@register(RANDOM, "shortest_path")
def _guess_path(instance: Instance) -> float:
    return float(instance.answer == f"{instance.source},{instance.target}")


@register(RANDOM, "triangle")
def _guess_triangles(instance: Instance) -> float:
    n = instance.graph.n_nodes
    most = min(n * (n - 1) * (n - 2) // 6, LARGEST_TRIANGLE_GUESS)
    return (1 <= int(instance.answer) <= most) / most if most else 0.0


@register(RANDOM, "hamiltonian_cycle")
def _guess_none(instance: Instance) -> float:
    return float(instance.answer == "none")


@register(RANDOM, "max_cut")
def _guess_cut(instance: Instance) -> float:
    return 0.0
