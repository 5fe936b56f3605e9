"""Which graphs and questions a cell (a task at a difficulty) consists of."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from benchloom.builders.errors import InputError
from benchloom.builders.graphomni.answers import answer
from benchloom.builders.graphomni.cells import Cell, Draft, Instance, UnfilledError
from benchloom.builders.graphomni.generators import GENERATORS
from benchloom.builders.graphomni.grid import TASK_GENERATORS
from benchloom.builders.graphomni.instances_feasible import explained
from benchloom.builders.graphomni.instances_pairs import PAIRS
from benchloom.builders.graphomni.instances_single import plan_single
from benchloom.builders.graphs.graph import Graph
from benchloom.builders.registry import lookup

RULES: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "bfs_order": {"ascending": 0.12},
        "connectivity": {
            "two_components": 0.78,
            "least": 0.72,
            "adjacent": 0.25,
            "near": 0.4,
            "most": 0.3,
        },
        "cycle": {"twins": 0.75},
        "diameter": {"most_common": 0.3},
        "shortest_path": {"distances": (0.25, 0.3, 0.25, 0.2)},
        "triangle": {"most_common": 0.1, "most": 60},
        "hamiltonian_cycle": {"tempting": 0.8},
        "max_cut": {},
    }
)
"""The quotas of each task; what they mean is said where they are used.

Where a bound of the published shortcuts stands behind one, it is set a little within the bound, so
that what has to be relaxed for small graphs does not break it.
"""

NP_HARD_GENERATORS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "hamiltonian_cycle": ("BAG", "ERM", "ERP"),
        "max_cut": ("BAG", "ERM", "ERP", "SF"),
    }
)
"""Generators of the tasks on request.

Left out are those whose graphs give the answer away: forests and most graphs of SF have no
Hamiltonian cycle, bipartite ones only with equal parts, and all their edges are one cut.
"""

WHY_NOT: Mapping[tuple[str, str], str] = MappingProxyType(
    {
        ("connectivity", "BAG"): "its graphs are always connected",
        ("cycle", "BAF"): "its graphs have no cycles",
    }
)


def task_generators(task: str) -> tuple[str, ...]:
    """Returns the generators that can serve a task.

    Raises:
        InputError: If there is no such task.
    """
    return lookup({**TASK_GENERATORS, **NP_HARD_GENERATORS}, task, "task")


def plan_cell(
    task: str,
    difficulty: str,
    *,
    generation: int,
    seed: int,
    count: int,
    node_bounds: tuple[int, int],
    generators: Sequence[str] | None = None,
    limit: int | None = None,
    avoided: Sequence[Graph] = (),
    **quotas: Any,
) -> list[Instance]:
    """Returns the instances of a cell, in the order of the dataset.

    Generators take turns, and so do the answers of yes/no tasks. Each instance (each pair of No and
    Yes) has a random key of its own and is drawn until it keeps the task's rules and differs from
    all before it: no two graphs of one generator are isomorphic, and no question comes twice.
    So the first instances of a limited plan are those of the whole one.

    Args:
        task: The task.
        difficulty: The difficulty's name.
        generation: The benchmark's generation.
        seed: The user's seed.
        count: Number of instances of the cell.
        node_bounds: Smallest and largest number of nodes; each generator draws all sizes equally
            often, and keeps the size of an instance through all rejections.
        generators: The generators, in the order of their shares; by default all of the task.
        limit: Most instances to plan.
        avoided: Graphs that no instance may be isomorphic to (those of exemplars).
        **quotas: The task's rules that are to differ from `RULES`.

    Raises:
        InputError: If an argument cannot be used, or a rule cannot be kept; the message names the
            cell, the rule and the nearest bounds and number of instances that would do.
    """
    names = tuple(generators if generators is not None else task_generators(task))
    rules = _checked(task, difficulty, count, node_bounds, names, quotas)
    plan = _plan_pairs if task in PAIRS else _plan_singles

    def planned(
        size: int, bounds: tuple[int, int], most_draws: int | None = None
    ) -> tuple[Cell, list[tuple[int, str, Draft]]]:
        cell = Cell(
            task,
            difficulty,
            generation=generation,
            seed=seed,
            count=size,
            bounds=bounds,
            generators=names,
            rules=rules,
            avoided=avoided,
            most_draws=most_draws,
        )
        return cell, plan(cell, size if limit is None else min(limit, size))

    try:
        cell, drafts = planned(count, node_bounds)
    except UnfilledError as error:
        raise explained(error, lambda *arguments: planned(*arguments)[0]) from None
    wanted = count if limit is None else min(limit, count)
    return [
        instance_of(cell, index, name, draft) for index, name, draft in drafts if index < wanted
    ]


def _plan_singles(cell: Cell, wanted: int) -> list[tuple[int, str, Draft]]:
    planned = []
    for index in range(wanted):
        unit, place = divmod(index, len(cell.generators))
        cell.reached = index
        name = cell.generators[place]
        draft = plan_single(cell, name, unit, index)
        cell.enter(name, draft)
        planned.append((index, name, draft))
    return planned


def _plan_pairs(cell: Cell, wanted: int) -> list[tuple[int, str, Draft]]:
    """Returns the instances of a yes/no task, at least the wanted ones.

    Two rounds of all generators are planned together: each generator has a No in one and a Yes in
    the other, and which comes first changes from generator to generator.
    """
    many = len(cell.generators)
    planned = []
    for block in range((wanted + 2 * many - 1) // (2 * many)):
        for place, name in enumerate(cell.generators):
            first = 2 * block * many + place
            if first >= cell.count:
                continue
            cell.reached = first
            no, yes = PAIRS[cell.task](cell, name, block)
            order = (no, yes) if place % 2 == 0 else (yes, no)
            for index, draft in zip((first, first + many), order, strict=True):
                if index < cell.count:
                    cell.enter(name, draft)
                    planned.append((index, name, draft))
    return sorted(planned, key=lambda entry: entry[0])


def instance_of(cell: Cell, index: int, name: str, draft: Draft) -> Instance:
    """Returns a draft as the instance at a place of a cell, with its canonical answer."""
    source, target = draft.found.source, draft.found.target
    return Instance(
        task=cell.task,
        difficulty=cell.difficulty,
        index=index,
        generator=name,
        graph=draft.graph,
        source=source,
        target=target,
        answer=answer(cell.task, draft.graph, source, target),
        params=draft.drawn.params,
        seed_key=draft.seed_key,
        draws=draft.draws,
        relaxed=draft.relaxed,
    )


def _checked(
    task: str,
    difficulty: str,
    count: int,
    bounds: tuple[int, int],
    names: Sequence[str],
    quotas: Mapping[str, Any],
) -> dict[str, Any]:
    """Returns the rules of a task with the changes asked for, once all arguments are sound."""
    possible = task_generators(task)
    cell = f"{task} {difficulty}"
    if not names or len(set(names)) != len(names):
        raise InputError(f"{cell}: name at least one generator, and none twice")
    for name in names:
        lookup(GENERATORS, name, "generator")
        if name not in possible:
            reason = WHY_NOT.get((task, name), "its graphs do not suit the task")
            raise InputError(
                f"{cell}: generator {name} cannot be used ({reason}); "
                f"choose from {', '.join(possible)}"
            )
    low, high = bounds
    if not 2 <= low <= high:
        raise InputError(
            f"{cell}: numbers of nodes go from at least 2 up, not from {low} to {high}"
        )
    if count < 1:
        raise InputError(f"{cell}: the number of instances is at least 1, not {count}")
    rules = dict(RULES[task])
    for name, value in quotas.items():
        if name not in rules:
            raise InputError(
                f"{cell}: there is no rule {name!r}; choose from {', '.join(rules) or 'none'}"
            )
        values = value if isinstance(value, Sequence) and not isinstance(value, str) else [value]
        largest = 10**9 if name == "most" and task == "triangle" else 1
        if not values or not all(isinstance(v, int | float) and 0 <= v <= largest for v in values):
            raise InputError(f"{cell}: the rule {name} is from 0 to {largest}, not {value!r}")
        rules[name] = value
    return rules
