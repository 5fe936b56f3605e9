"""Our generators beside Table 7 of the GraphOmni paper (appendix B.1)."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from benchloom.builders.graphomni.generators import GENERATORS
from benchloom.builders.graphomni.grid import DIFFICULTIES
from benchloom.builders.graphomni.shortcuts import mean
from benchloom.builders.graphomni.tables import BuiltCell
from benchloom.builders.seeds import rng
from benchloom.builders.statistics import Beside, Bound, Table

Figures = tuple[float, float, float, float, float, float]
"""Mean nodes and mean edges of easy, of medium and of hard graphs."""

TABLE_7: Mapping[str, Mapping[str, Figures]] = {
    "bfs_order": {
        "BAF": (8.11, 5.78, 15.14, 11.06, 27.86, 20.14),
        "BAG": (8.19, 11.36, 13.92, 23.28, 26.55, 82.14),
        "BERM": (8.03, 6.50, 14.44, 19.28, 27.23, 59.36),
        "BERP": (7.94, 5.44, 14.42, 16.72, 28.86, 57.82),
        "ERM": (8.22, 16.06, 13.72, 51.92, 25.32, 135.09),
        "ERP": (8.03, 13.14, 14.33, 50.17, 24.59, 121.77),
        "SF": (8.11, 9.00, 14.81, 19.00, 27.73, 38.00),
    },
    "connectivity": {
        "BAF": (8.14, 6.21, 13.83, 10.67, 31.17, 27.00),
        "BERM": (8.07, 7.43, 15.33, 23.00, 30.83, 63.00),
        "BERP": (8.14, 7.57, 13.67, 20.00, 28.17, 59.33),
        "ERM": (8.07, 9.71, 13.83, 36.67, 27.50, 102.17),
        "ERP": (8.11, 10.56, 17.83, 66.17, 26.33, 98.00),
    },
    "cycle": {
        "BAG": (7.93, 9.90, 14.12, 25.10, 27.82, 59.04),
        "BERM": (8.12, 7.60, 15.62, 20.38, 28.54, 57.96),
        "BERP": (8.29, 7.12, 15.17, 17.55, 30.25, 44.89),
        "ERM": (8.19, 11.43, 15.10, 36.43, 26.46, 58.21),
        "ERP": (8.07, 9.71, 15.40, 26.36, 26.07, 71.18),
        "SF": (8.05, 8.07, 12.71, 14.24, 25.04, 29.71),
    },
    "diameter": {
        "BAG": (7.98, 9.73, 14.30, 29.91, 26.81, 92.24),
        "ERM": (8.00, 19.73, 15.22, 65.48, 25.90, 139.79),
        "ERP": (8.16, 18.61, 15.17, 70.36, 25.19, 130.79),
        "SF": (7.95, 9.14, 15.41, 19.91, 28.48, 39.10),
    },
    "shortest_path": {
        "BAF": (7.83, 6.11, 14.17, 11.56, 25.62, 21.71),
        "BAG": (7.97, 10.72, 14.72, 31.19, 25.29, 88.33),
        "BERM": (8.06, 8.97, 14.61, 30.58, 25.50, 94.71),
        "BERP": (8.11, 9.72, 14.61, 28.86, 25.58, 89.00),
        "ERM": (8.00, 17.42, 15.47, 67.89, 25.96, 179.21),
        "ERP": (8.03, 18.92, 15.42, 63.14, 25.25, 165.46),
        "SF": (8.03, 9.42, 15.50, 20.03, 25.54, 35.21),
    },
    "triangle": {
        "BAG": (8.16, 13.12, 14.09, 25.48, 27.72, 55.65),
        "ERM": (8.06, 17.44, 13.39, 30.81, 28.80, 62.60),
        "ERP": (7.94, 16.05, 14.16, 31.11, 27.22, 55.28),
        "SF": (8.14, 9.59, 15.61, 20.88, 28.35, 38.58),
    },
}
"""The figures of Table 7, by task and generator."""

FREE_TASK = "bfs_order"
"""The task that asks nothing of a graph in the paper: its figures are of unconditional draws."""

TOLERANCES: Mapping[str, float] = {"BAG": 0.08, "SF": 0.15}
"""How far the mean edges of unconditional draws may lie from Table 7, where a bound was set."""

FEW, MANY = 200, 1000
"""Graphs drawn of each size: for a comparison, and for a bound."""


def paper_figures(task: str, generator: str, difficulty: str) -> tuple[float, float] | None:
    """Returns Table 7's mean nodes and mean edges, None where it has none."""
    figures = TABLE_7.get(task, {}).get(generator)
    if figures is None or difficulty not in DIFFICULTIES:
        return None
    place = 2 * list(DIFFICULTIES).index(difficulty)
    return figures[place], figures[place + 1]


@cache
def free_edges(generator: str, n: int, draws: int) -> float:
    """Returns the mean number of edges of a generator's graphs on n nodes, without conditions."""
    random = rng("graphomni", "statistics", generator, n)
    graphs = (GENERATORS[generator](n, random).graph for _ in range(draws))
    return mean([graph.n_edges for graph in graphs])


def free_edges_between(generator: str, n: float) -> float:
    """Returns the mean number of edges at a mean number of nodes, between the two whole ones."""
    low = int(n)
    part = n - low
    return (1 - part) * free_edges(generator, low, MANY) + (
        part * free_edges(generator, low + 1, MANY) if part else 0
    )


def generator_table(cells: Sequence[BuiltCell]) -> Table:
    """Returns mean nodes and edges of each task, generator and difficulty beside Table 7.

    Nodes are given as ours / Table 7; edges as ours / Table 7 / what our generator has at our
    numbers of nodes when the task sets no conditions. Graphs of a user's own are left out.
    """
    difficulties = list(dict.fromkeys(cell.difficulty for cell in cells))
    rows = []
    for task in dict.fromkeys(cell.task for cell in cells):
        of = {cell.difficulty: cell for cell in cells if cell.task == task}
        names = {one.generator for cell in of.values() for one in cell.instances}
        for generator in sorted(names & GENERATORS.keys()):
            row: list[object] = [task, generator]
            for difficulty in difficulties:
                row += _compared(of.get(difficulty), generator)
            rows.append(row)
    head = ["task", "generator"]
    for difficulty in difficulties:
        head += [f"{difficulty} nodes", f"{difficulty} edges"]
    note = (
        "Mean nodes: ours / Table 7. Mean edges: ours / Table 7 / our generator without the task's "
        f"conditions at the same numbers of nodes ({FEW} graphs of each). What a task asks of a "
        "graph changes its density: diameter needs connected graphs, connectivity pairs without a "
        "path, cycle as many graphs without one, triangle at most 60 triangles. Nodes differ since "
        "each generator draws the numbers of nodes of a difficulty equally often; where no graph "
        "with such a number keeps the rules, it has another (counted as relaxed)."
    )
    title = "Generators: nodes and edges beside Table 7"
    return Table("generators", title, tuple(head), rows, note)


def _compared(cell: BuiltCell | None, generator: str) -> list[object]:
    graphs = [one.graph for one in cell.instances if one.generator == generator] if cell else []
    if cell is None or not graphs:
        return [None, None]
    paper = paper_figures(cell.task, generator, cell.difficulty) or (None, None)
    free = mean([free_edges(generator, graph.n_nodes, FEW) for graph in graphs])
    return [
        Beside((mean([graph.n_nodes for graph in graphs]), paper[0])),
        Beside((mean([graph.n_edges for graph in graphs]), paper[1], free)),
    ]


def drawing_table(cells: Sequence[BuiltCell]) -> Table:
    """Returns mean edges without a task's conditions at Table 7's sizes, beside its figures."""
    rows = []
    for generator, difficulty, ours, (nodes, edges) in _free_draws(cells):
        allowed = TOLERANCES.get(generator)
        bound = _draw_bound(generator, difficulty, ours, edges) if allowed else None
        rows.append(
            (
                generator,
                difficulty,
                nodes,
                edges,
                ours,
                f"{100 * (ours / edges - 1):+.1f}%",
                f"within {100 * allowed:.0f}%" if allowed else "",
                bound.state if bound else "",
            )
        )
    head = ("generator", "difficulty", "nodes", "Table 7", "ours", "differs", "bound", "verdict")
    note = (
        f"Mean edges of our generators without any condition ({MANY:,} graphs of each size) at the "
        "mean nodes of Table 7's rows on BFS order, the task that asks nothing of a graph. The "
        "paper's own means are of some 36 graphs each."
    )
    title = "Generators without conditions: mean edges beside Table 7"
    return Table("free_draws", title, head, rows, note)


def draw_bounds(cells: Sequence[BuiltCell]) -> list[Bound]:
    """Returns the bounds on how far unconditional draws may lie from Table 7."""
    return [
        _draw_bound(generator, difficulty, ours, edges)
        for generator, difficulty, ours, (_, edges) in _free_draws(cells)
        if generator in TOLERANCES
    ]


def _free_draws(
    cells: Sequence[BuiltCell],
) -> Iterator[tuple[str, str, float, tuple[float, float]]]:
    """Yields generator, difficulty, our mean edges, and Table 7's mean nodes and edges."""
    used = {(one.generator, cell.difficulty) for cell in cells for one in cell.instances}
    for generator in GENERATORS:
        for difficulty in DIFFICULTIES:
            figures = paper_figures(FREE_TASK, generator, difficulty)
            if figures is not None and (generator, difficulty) in used:
                ours = free_edges_between(generator, figures[0])
                yield generator, difficulty, ours, figures


def _draw_bound(generator: str, difficulty: str, ours: float, edges: float) -> Bound:
    rule = "distance of the mean edges of unconditional draws from Table 7"
    where = f"generator {generator} {difficulty}"
    return Bound(where, rule, abs(ours / edges - 1), most=TOLERANCES[generator])
