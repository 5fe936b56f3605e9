"""From a recipe to the specs of GraphOmni's records."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchloom.builders.errors import InputError
from benchloom.builders.graphomni.cells import Instance
from benchloom.builders.graphomni.exemplars import exemplar_graphs
from benchloom.builders.graphomni.grid import (
    COMBINATIONS,
    COUNTS,
    DIFFICULTIES,
    EXTRA_HARD,
    NP_HARD,
)
from benchloom.builders.graphomni.instances import plan_cell
from benchloom.builders.graphomni.plan_user import folder_remarks, plan_user_task, suits
from benchloom.builders.recipe import Recipe, chosen_configs
from benchloom.builders.specs import LazySpecs


@dataclass(frozen=True, slots=True)
class Spec:
    """What a record is made from: an instance, and how it is written and asked.

    Attributes:
        instance: The graph and the question.
        serialization: The format of the graph.
        scheme: The prompt scheme.
        generation: Generation of the records, which the exemplars depend on.
    """

    instance: Instance
    serialization: str
    scheme: str
    generation: int


class SplitSpecs(LazySpecs[Spec]):
    """The specs of a split: each instance in all combinations, one instance after the other."""

    def __init__(self, instances: Sequence[Instance], generation: int) -> None:
        self.instances = instances
        self._generation = generation

    def __len__(self) -> int:
        return len(self.instances) * len(COMBINATIONS)

    def spec(self, index: int) -> Spec:
        """Returns the spec at a place."""
        place, combination = divmod(index, len(COMBINATIONS))
        return Spec(self.instances[place], *COMBINATIONS[combination], self._generation)


def plan_task(recipe: Recipe, task: str) -> dict[str, SplitSpecs]:
    """Returns the specs of each split of a task; of a user's graphs only splits that hold any.

    Raises:
        InputError: If a cell cannot be filled, or no graph of a user's suits the task.
    """
    if "graphs" in recipe.options:
        planned = plan_user_task(recipe, task, list(cells_of(task, recipe.options)))
        return {
            difficulty: SplitSpecs(instances[: recipe.limit], recipe.generation)
            for difficulty, instances in planned.cells.items()
        }
    for name, (_, most) in recipe.options.get("nodes", {}).items():
        if most > NP_HARD.get(task, most):
            raise InputError(
                f"{task} {name}: --nodes asks for graphs of up to {most} nodes, but exact answers "
                f"are worked out for up to {NP_HARD[task]}; the nearest upper bound is "
                f"{NP_HARD[task]}"
            )
    avoided = [graph for graph, _, _ in exemplar_graphs(task, recipe.generation)]
    return {
        difficulty: SplitSpecs(
            plan_cell(
                task,
                difficulty,
                generation=recipe.generation,
                seed=recipe.seed,
                count=count,
                node_bounds=bounds,
                generators=recipe.options.get("generators"),
                limit=recipe.limit,
                avoided=avoided,
            ),
            recipe.generation,
        )
        for difficulty, count, bounds in cells_of(task, recipe.options)
    }


def offered_tasks(recipe: Recipe) -> tuple[str, ...]:
    """Returns the tasks, but those on request, that some graph of a user's suits.

    Raises:
        InputError: If there is none.
    """
    sizes = {task: list(cells_of(task, recipe.options)) for task in COUNTS}
    tasks = tuple(task for task in COUNTS if suits(recipe, task, sizes[task]))
    if not tasks:
        plan_user_task(recipe, "triangle", sizes["triangle"])  # which any graph of a size suits
    return tasks


def user_remarks(recipe: Recipe, configs: Sequence[str]) -> list[str]:
    """Returns how a user's files were read and what each task leaves out, a sentence each.

    Raises:
        InputError: If no graph suits a task that was named.
    """
    chosen = chosen_configs(recipe, configs)
    tasks = chosen if configs else COUNTS  # also those that are not built, for no graph suits them
    sizes = {task: list(cells_of(task, recipe.options)) for task in tasks}
    for task in chosen:
        plan_user_task(recipe, task, sizes[task])
    return folder_remarks(recipe, sizes)


def cells_of(task: str, options: Mapping[str, Any]) -> Iterator[tuple[str, int, tuple[int, int]]]:
    """Yields difficulty, number of instances and numbers of nodes of each cell of a task."""
    counts = dict(zip(DIFFICULTIES, COUNTS["cycle" if task in NP_HARD else task], strict=True))
    bounds = dict(DIFFICULTIES)
    if options.get("extra_hard") and task not in NP_HARD:
        name, nodes, count = EXTRA_HARD
        counts[name], bounds[name] = count, nodes
    bounds |= {name: tuple(nodes) for name, nodes in options.get("nodes", {}).items()}
    counts |= {name: count for name, count in options.get("counts", {}).items() if name in counts}
    for difficulty, count in counts.items():
        least, most = bounds[difficulty]
        largest = NP_HARD.get(task, most)
        if least <= largest:
            yield difficulty, count, (least, min(most, largest))
