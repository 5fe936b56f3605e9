"""From a folder of a user's graphs to the instances of a task, and what is left out and why."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from benchloom.builders.errors import InputError
from benchloom.builders.graphomni.answers import NONE
from benchloom.builders.graphomni.cells import PATIENCE, Cell, Draft, Found, Instance
from benchloom.builders.graphomni.exemplars import exemplar_graphs
from benchloom.builders.graphomni.generators import Drawn
from benchloom.builders.graphomni.instances import RULES, instance_of
from benchloom.builders.graphomni.instances_user import USER, USES
from benchloom.builders.graphomni.user_folder import Folder, IsomorphismClasses, folder_of
from benchloom.builders.graphomni.user_supply import Kind, Supply
from benchloom.builders.recipe import Recipe
from benchloom.builders.seeds import rng, seed_key

CellSize = tuple[str, int, tuple[int, int]]
"""Difficulty, largest number of instances, smallest and largest number of nodes."""

YES_NO = ("connectivity", "cycle", "hamiltonian_cycle")
"""The tasks with two answers (or an answer and none), which are balanced as far as can be."""

MOST_FILES = 5
"""How many of the files whose nodes were renumbered are named."""


@dataclass(frozen=True)
class UserPlan:
    """What a task asks about a user's graphs.

    Attributes:
        cells: The instances of each difficulty for which there are any.
        left_out: Which graphs and difficulties are left out and why, in words.
    """

    cells: Mapping[str, list[Instance]]
    left_out: tuple[str, ...]


def plan_user_task(recipe: Recipe, task: str, sizes: Sequence[CellSize]) -> UserPlan:
    """Returns the instances of a task; the recipe's limit is not applied.

    Raises:
        InputError: If no graph suits the task, or the folder cannot be read.
    """
    plan = _user_plan(recipe, task, sizes)
    if not plan.cells:
        raise InputError(
            f"{recipe.folder('graphs')}: no graph suits the task {task}: {plan.left_out[0]}"
        )
    return plan


def suits(recipe: Recipe, task: str, sizes: Sequence[CellSize]) -> bool:
    """Returns whether some graph of the user's suits a task."""
    return bool(_user_plan(recipe, task, sizes).cells)


def folder_remarks(recipe: Recipe, sizes: Mapping[str, Sequence[CellSize]]) -> list[str]:
    """Returns what a user should know of how a folder is used, a sentence each.

    That is which files' nodes were renumbered (of many files the first few), which graphs each task
    leaves out and why, and where the answers of a yes/no task are not balanced.
    """
    relabelled = folder_of(recipe).relabelled
    sentences = list(relabelled[:MOST_FILES])
    if more := len(relabelled) - len(sentences):
        sentences.append(f"{more:,} more files: nodes were not numbered 0 to n-1 either.")
    tasks: dict[str, list[str]] = {}
    for task in sizes:
        for sentence in _user_plan(recipe, task, sizes[task]).left_out:
            tasks.setdefault(sentence, []).append(task)
    sentences += [f"{', '.join(of)}: {sentence}." for sentence, of in tasks.items()]
    for task in YES_NO:
        if task in sizes:
            sentences += _imbalances(recipe, task, _user_plan(recipe, task, sizes[task]))
    return sentences


def _imbalances(recipe: Recipe, task: str, plan: UserPlan) -> list[str]:
    sentences = []
    for difficulty, instances in plan.cells.items():
        answers = [one.answer not in ("No", NONE) for one in instances[: recipe.limit]]
        yes, no = sum(answers), len(answers) - sum(answers)
        if abs(yes - no) > 1:
            sentences.append(
                f"{task} {difficulty}: the answer is Yes {yes} times and No {no} times; "
                f"no more graphs give {'No' if no < yes else 'Yes'}."
            )
    return sentences


def _user_plan(recipe: Recipe, task: str, sizes: Sequence[CellSize]) -> UserPlan:
    folder = folder_of(recipe)
    key = (task, recipe.generation, recipe.seed, tuple(sizes))
    if key not in folder.plans:
        folder.plans[key] = _plan(folder, recipe, task, sizes)
    plan: UserPlan = folder.plans[key]
    return plan


def _plan(folder: Folder, recipe: Recipe, task: str, sizes: Sequence[CellSize]) -> UserPlan:
    exemplars = IsomorphismClasses(
        graph for graph, _, _ in exemplar_graphs(task, recipe.generation)
    )
    reasons = dict.fromkeys(range(len(folder.graphs)), _other_sizes(sizes))
    used: set[int] = set()
    cells = {}
    for difficulty, count, bounds in sizes:
        cell = Cell(
            task,
            difficulty,
            generation=recipe.generation,
            seed=recipe.seed,
            count=count,
            bounds=bounds,
            generators=(USER,),
            rules=RULES[task],
        )
        supply = _supply(cell, folder, exemplars, reasons)
        cell.count = min(count, len(supply))
        drafts = []
        for place, kind, draft in _drafts(cell, folder, supply):
            used.add(place)
            drafts.append((kind, draft))
        if drafts:
            cells[difficulty] = [
                instance_of(cell, index, USER, draft)
                for index, (_, draft) in enumerate(_shuffled_pairs(cell, drafts))
            ]
    reasons = {place: reason for place, reason in reasons.items() if place not in used}
    missing = [difficulty for difficulty, _, _ in sizes if difficulty not in cells]
    return UserPlan(cells, _left_out(folder, reasons, missing))


def _supply(
    cell: Cell, folder: Folder, exemplars: IsomorphismClasses, reasons: dict[int, str]
) -> Supply:
    """Returns the graphs that suit a cell, in random order, and notes why the others do not."""
    use = USES[cell.task]
    for place in folder.of_size(cell.bounds):
        reasons[place] = "isomorphic to another of them"
    supply = Supply()
    places = list(folder.first_of_size(cell.bounds))
    order = rng(*cell.key("graphs")).permutation(len(places))
    for place in (places[number] for number in order.tolist()):
        graph = folder.graphs[place]
        kinds = use.kinds(cell, graph, folder.traits(place))
        if not kinds:
            reasons[place] = use.unsuitable
        elif graph in exemplars:
            reasons[place] = "isomorphic to an exemplar"
        else:
            reasons[place] = "more than are asked for (see --counts)"
            supply.add(place, kinds)
    return supply


def _drafts(cell: Cell, folder: Folder, supply: Supply) -> Iterable[tuple[int, Kind, Draft]]:
    """Yields places, kinds of use, and graphs with their questions, as many as the cell has."""
    use = USES[cell.task]
    no: Draft | None = None
    for unit in range(cell.count):
        key = cell.key("instance", USER, unit)
        kind = next(kind for kind in use.wanted(cell, supply) if supply.left[kind])
        grade = use.grader(cell, kind, rng(*key), no)
        best: tuple[int, Drawn, Found] | None = None
        looked = 0
        for place in supply.first(kind, PATIENCE):
            looked += 1
            drawn = Drawn(folder.graphs[place], {"graph": folder.names[place]})
            found = grade(drawn)
            if found is not None and (best is None or found.cost < best[2].cost):
                best = place, drawn, found
                if found.cost == 0:
                    break
        if best is None:
            raise RuntimeError(f"{cell.task}: nothing to ask about graphs that are {kind}")
        place, drawn, found = best
        draft = Draft(drawn, found, looked, found.relaxed, seed_key(*key))
        supply.take(place)
        cell.enter(USER, draft)
        no = draft if kind[0] == "No" else no
        yield place, kind, draft


def _shuffled_pairs(cell: Cell, drafts: Sequence[tuple[Kind, Draft]]) -> list[tuple[Kind, Draft]]:
    """Returns No and Yes of each two in random order, so that the place tells nothing."""
    shuffled = list(drafts)
    coins = rng(*cell.key("order")).random(len(drafts) // 2)
    for first, coin in zip(range(0, len(drafts) - 1, 2), coins.tolist(), strict=True):
        pair = shuffled[first : first + 2]
        if {kind[0] for kind, _ in pair} == {"No", "Yes"} and coin < 0.5:
            shuffled[first : first + 2] = reversed(pair)
    return shuffled


def _left_out(
    folder: Folder, reasons: Mapping[int, str], missing: Sequence[str]
) -> tuple[str, ...]:
    """Returns which graphs and difficulties a task leaves out, in words without its name."""
    sentences = []
    if reasons:
        counts = ", ".join(
            f"{many:,} {reason}" for reason, many in Counter(reasons.values()).items()
        )
        least, most = min(folder.places), max(folder.places)
        span = f"{least}" if least == most else f"{least} to {most}"
        sentences.append(
            f"{len(reasons):,} of {len(folder.graphs):,} graphs, which have {span} nodes, "
            f"left out: {counts}"
        )
    if missing:
        sentences.append(f"no split {', '.join(missing)}, which no graph suits")
    return tuple(sentences)


def _other_sizes(sizes: Sequence[CellSize]) -> str:
    """Returns in words which numbers of nodes no cell has."""
    spans: list[list[int]] = []
    for least, most in sorted(bounds for _, _, bounds in sizes):
        if spans and least <= spans[-1][1] + 1:
            spans[-1][1] = max(spans[-1][1], most)
        else:
            spans.append([least, most])
    if len(spans) == 1:
        return f"with fewer than {spans[0][0]} or more than {spans[0][1]} nodes (see --nodes)"
    between = " and ".join(f"{least}-{most}" for least, most in spans)
    return f"with other numbers of nodes than {between} (see --nodes)"
