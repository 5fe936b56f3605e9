"""What is known of a finished build of GraphOmni."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchloom.builders.benchmark import benchmark
from benchloom.builders.graphomni.cells import Instance
from benchloom.builders.graphomni.charts import answer_charts, generator_charts, token_charts
from benchloom.builders.graphomni.grid import COUNTS, DIFFICULTIES, EXTRA_HARD, NP_HARD
from benchloom.builders.graphomni.plan import plan_task
from benchloom.builders.graphomni.table_7 import (
    draw_bounds,
    drawing_table,
    generator_table,
)
from benchloom.builders.graphomni.tables import BuiltCell, cell_bounds, task_table
from benchloom.builders.graphomni.tokens import TokenCounts, count_cell, token_table
from benchloom.builders.graphs.graph import Graph
from benchloom.builders.recipe import Recipe
from benchloom.builders.statistics import (
    Bound,
    Chart,
    CountTokens,
    FinishedBuild,
    Statistics,
    Table,
)


@dataclass(frozen=True)
class GraphOmniStatistics(Statistics):
    """What is known of a finished build of GraphOmni.

    Attributes:
        cells: The cells, in the order of the build.
        tokens: Numbers of tokens, None where no tokenizer was given.
    """

    cells: Sequence[BuiltCell]
    tokens: TokenCounts | None = None

    def tables(self) -> list[Table]:
        """Returns a table of each task, of the generators and, if counted, of the tokens."""
        tables = [task_table(task, cells) for task, cells in self._by_task().items()]
        tables += [generator_table(self.cells), drawing_table(self.cells)]
        if self.tokens is not None:
            tables.append(token_table(self.tokens))
        return [table for table in tables if table.rows]

    def bounds(self) -> list[Bound]:
        """Returns the bounds on the shortcuts of each cell, then those on the generators."""
        return [bound for cell in self.cells for bound in cell_bounds(cell)] + draw_bounds(
            self.cells
        )

    def charts(self) -> list[Chart]:
        """Returns nodes and edges by generator, the answers of each task, and the tokens."""
        return [
            *generator_charts(self.cells),
            *answer_charts(self._by_task()),
            *(token_charts(self.tokens) if self.tokens is not None else ()),
        ]

    def _by_task(self) -> dict[str, list[BuiltCell]]:
        tasks: dict[str, list[BuiltCell]] = {}
        for cell in self.cells:
            tasks.setdefault(cell.task, []).append(cell)
        return tasks


def statistics(build: FinishedBuild, count_tokens: CountTokens | None) -> GraphOmniStatistics:
    """Returns what is known of a finished build; a cell is in memory at a time, without queries."""
    relaxed = relaxations(build)
    cells, tokens = [], None if count_tokens is None else TokenCounts()
    for task, difficulty in build.splits():
        cells.append(_read_cell(build, task, difficulty, relaxed.get((task, difficulty), {})))
        if tokens is not None and count_tokens is not None:
            count_cell(tokens, build, task, difficulty, count_tokens)
    return GraphOmniStatistics(cells, tokens)


def relaxations(build: FinishedBuild) -> dict[tuple[str, str], Counter[str]]:
    """Returns for each cell how many instances do without each rule, found by planning it again.

    Of a user's own graphs nothing is known: what they cannot meet is said as they are built.
    """
    recipe = build.manifest.recipe
    if "graphs" in recipe.options or recipe.generation != benchmark(recipe.benchmark).generation:
        return {}
    return {
        (task, difficulty): Counter(rule for one in specs.instances for rule in one.relaxed)
        for task in build.manifest.configs
        for difficulty, specs in plan_task(recipe, task).items()
    }


def _read_cell(
    build: FinishedBuild, task: str, difficulty: str, relaxed: Mapping[str, int]
) -> BuiltCell:
    recipe = build.manifest.recipe
    columns = build.columns(task, difficulty)
    instances = list(cell_instances(columns, first_places(columns["instance_id"])))
    return BuiltCell(
        task,
        difficulty,
        len(columns["instance_id"]),
        instances,
        why_unchecked(recipe, task, difficulty, len(instances)),
        bounded="graphs" not in recipe.options,
        relaxed=relaxed,
    )


def first_places(instance_ids: Sequence[str]) -> list[int]:
    """Returns the place of the first record of each instance."""
    places: dict[str, int] = {}
    for place, name in enumerate(instance_ids):
        places.setdefault(name, place)
    return list(places.values())


def cell_instances(columns: Mapping[str, Any], places: Sequence[int]) -> Iterator[Instance]:
    """Yields the instances whose records stand at some places of a cell's columns."""
    names = (
        "instance_id", "task", "difficulty", "generator", "n_nodes", "edges", "source", "target",
        "answer", "generator_params", "seed_key",
    )  # fmt: skip
    wanted = [columns[name] for name in names]
    for place in places:
        name, task, difficulty, generator, nodes, edges, source, target, answer, params, key = (
            column[place] for column in wanted
        )
        graph = Graph.of(nodes, [(u, v) for u, v in edges])
        yield Instance(
            task, difficulty, int(name.rpartition("-")[2]), generator, graph, source, target,
            answer, json.loads(params), key, 0, (),
        )  # fmt: skip


def why_unchecked(recipe: Recipe, task: str, difficulty: str, instances: int) -> str:
    """Returns why the bounds are not promised of a cell, nothing where they are.

    They are promised of the published cells, whatever the seed: with as many instances, or more.
    """
    counts = dict(zip(DIFFICULTIES, COUNTS["cycle" if task in NP_HARD else task], strict=True))
    counts[EXTRA_HARD[0]] = EXTRA_HARD[2]
    if difficulty in recipe.options.get("nodes", {}):
        return "other numbers of nodes than published"
    if "generators" in recipe.options:
        return "other generators than published"
    if instances < counts[difficulty]:
        return f"{instances} of {counts[difficulty]} instances"
    return ""
