"""What statistics say of instances whose numbers are known by hand, and of a small build."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest
import tiktoken

from benchloom.builders.benchmark import benchmark
from benchloom.builders.graphomni.answers import answer
from benchloom.builders.graphomni.cells import Instance
from benchloom.builders.graphomni.grid import COMBINATIONS, COUNTS, TASK_GENERATORS
from benchloom.builders.graphomni.statistics import (
    GraphOmniStatistics,
    cell_instances,
    first_places,
    statistics,
    why_unchecked,
)
from benchloom.builders.graphomni.table_7 import (
    TABLE_7,
    draw_bounds,
    drawing_table,
    generator_table,
    paper_figures,
)
from benchloom.builders.graphomni.tables import BuiltCell, cell_bounds, task_table
from benchloom.builders.graphs.graph import Graph
from benchloom.builders.pipeline import build
from benchloom.builders.recipe import Recipe
from benchloom.builders.statistics import Bars, Boxes, HeatMap, Table
from benchloom.loaders.directory import Build

LIMIT = 6


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Build:
    """The first six instances of two tasks. Not to be changed."""
    directory = tmp_path_factory.mktemp("omni") / "build"
    recipe = Recipe.of("graphomni", limit=LIMIT)
    build(recipe, directory, ["connectivity", "diameter"], jobs=1, quiet=True)
    return Build(directory)


def instance(
    task: str,
    n: int,
    edges: str,
    source: int | None = None,
    target: int | None = None,
    generator: str = "ERM",
) -> Instance:
    graph = Graph.of(n, [(int(u), int(v)) for u, v in edges.split()])
    right = answer(task, graph, source, target)
    return Instance(task, "easy", 0, generator, graph, source, target, right, {}, "key", 1, ())


def by_measure(table: Table) -> dict[str, tuple[object, ...]]:
    return {str(row[0]): tuple(row[1:]) for row in table.rows}


def count_bytes() -> tiktoken.Encoding:
    """Returns an encoding in which every byte is a token."""
    ranks = {bytes([value]): value for value in range(256)}
    return tiktoken.Encoding("bytes", pat_str=r"\S+|\s+", mergeable_ranks=ranks, special_tokens={})


def test_a_task_table_counts_what_can_be_counted_by_hand() -> None:
    easy = BuiltCell(
        "connectivity",
        "easy",
        252,
        [
            instance("connectivity", 5, "01 12 34", 0, 2),  # distance 2, two components
            instance("connectivity", 6, "01 12 34", 0, 3),  # no path, node 5 isolated
            instance("connectivity", 3, "01 12 02", 0, 1),  # adjacent, connected
            instance("connectivity", 4, "01 23", 1, 2),  # no path
        ],
    )
    hard = BuiltCell("connectivity", "hard", 63, [instance("connectivity", 3, "01", 0, 2)])
    table = task_table("connectivity", [easy, hard])
    assert table.head == ("measure", "easy", "hard", "bound", "verdict")
    found = by_measure(table)
    assert found["records"][:2] == (252, 63)
    assert found["instances"][:2] == (4, 1)
    assert found["nodes, mean"][:2] == (4.5, 3)
    assert found["nodes, range"][:2] == ("3-6", "3-3")
    assert found["edges, mean"][0] == (3 + 3 + 3 + 2) / 4
    assert found["degree of a node, mean"][0] == 22 / 18
    assert found["largest degree, mean"][0] == (2 + 2 + 2 + 1) / 4
    assert found["isolated nodes of a graph, mean"][0] == 0.25
    assert found["components of two nodes or more, mean"][0] == 7 / 4
    assert found["connected graphs"][:2] == (0.25, 0)
    assert found["degree of the nodes asked about, mean"][0] == (1 + 1 + 1 + 1 + 2 + 2 + 1 + 1) / 8
    assert found["pairs at distance 1"][:2] == (0.25, 0)
    assert found["pairs at distance 2"][:2] == (0.25, 0)
    assert found["pairs without a path"][:2] == (0.5, 1)
    assert found["answer Yes"][:2] == (0.5, 0)
    assert found["random baseline"][:2] == (0.5, 0)
    isolated = found["rule: isolated ends"]
    assert isolated == (0, 1, "at most 0.0%", "holds: easy; BROKEN: hard")
    assert found["rule: always yes"][2] == "37.5% to 62.5% / 0.0% to 100.0%"
    part = replace(easy, unchecked="4 of 144 instances")
    isolated = by_measure(task_table("connectivity", [part, hard]))["rule: isolated ends"]
    assert isolated == (0, 1, "at most 0.0%", "BROKEN: hard")
    assert found["rule: Yes pairs at distance 2"][2:] == ("", "")


def test_answers_that_are_numbers_have_a_mean_and_a_range() -> None:
    cells = [
        BuiltCell("diameter", "easy", 2, [instance("diameter", 3, "01 12")] * 3),
        BuiltCell("diameter", "hard", 1, [instance("diameter", 4, "01 12 23")]),
    ]
    found = by_measure(task_table("diameter", cells))
    assert found["diameter, mean"][:2] == (2, 3)
    assert found["diameter, range"][:2] == ("2-2", "3-3")
    orders = [BuiltCell("bfs_order", "easy", 1, [instance("bfs_order", 5, "01 12 34", 0)])]
    assert by_measure(task_table("bfs_order", orders))["nodes in the order, mean"][0] == 3
    paths = [BuiltCell("shortest_path", "easy", 1, [instance("shortest_path", 3, "01 12", 0, 2)])]
    assert by_measure(task_table("shortest_path", paths))["edges on the path, mean"][0] == 2


def test_bounds_of_a_cell_without_promises_are_not_checked() -> None:
    lopsided = [instance("connectivity", 3, "01 12", 0, 1)] * 60
    broken = {
        bound.rule: bound.state
        for bound in cell_bounds(BuiltCell("connectivity", "easy", 9, lopsided))
    }
    assert broken["always yes"] == "BROKEN"
    assert broken["isolated ends"] == "holds"
    part = BuiltCell("connectivity", "easy", 9, lopsided, "60 of 144 instances")
    assert {bound.state for bound in cell_bounds(part)} == {"not checked"}
    assert by_measure(task_table("connectivity", [part]))["rule: always yes"][-1] == "not checked"


@pytest.mark.parametrize(
    ("options", "count", "words"),
    [
        ({}, 118, ""),
        ({}, 119, ""),
        ({}, 117, "117 of 118 instances"),
        ({"counts": {"medium": 117}}, 117, "117 of 118 instances"),
        ({"nodes": {"medium": [11, 12]}}, 118, "numbers of nodes"),
        ({"nodes": {"easy": [5, 6]}}, 118, ""),
        ({"generators": ["ERM"]}, 118, "generators"),
    ],
)
def test_bounds_are_promised_of_whole_published_cells(
    options: dict[str, object], count: int, words: str
) -> None:
    recipe = Recipe("graphomni", 1, seed=3, options=options)
    found = why_unchecked(recipe, "connectivity", "medium", count)
    assert (words in found) if words else found == ""


def test_the_instances_of_a_build_are_those_that_were_planned(opened: Build) -> None:
    planned = benchmark("graphomni").plan(opened.manifest.recipe, "diameter")["hard"]
    columns = opened.columns("diameter", "hard")
    places = first_places(columns["instance_id"])
    assert places == [63 * number for number in range(LIMIT)]
    wanted = [replace(planned[place].instance, draws=0, relaxed=()) for place in places]
    assert list(cell_instances(columns, places)) == wanted


def test_statistics_of_a_small_build(opened: Build) -> None:
    found = statistics(opened, None)
    assert [(cell.task, cell.difficulty, cell.records) for cell in found.cells] == [
        (task, difficulty, 63 * LIMIT)
        for task in ("connectivity", "diameter")
        for difficulty in ("easy", "medium", "hard")
    ]
    assert [table.name for table in found.tables()] == [
        "connectivity", "diameter", "generators", "free_draws"
    ]  # fmt: skip
    cells = [bound for bound in found.bounds() if not bound.where.startswith("generator")]
    assert cells
    assert {bound.unchecked for bound in cells if bound.where == "diameter hard"} == {
        "6 of 168 instances"
    }


def test_table_7_has_the_generators_of_the_grid() -> None:
    assert {task: tuple(of) for task, of in TABLE_7.items()} == dict(TASK_GENERATORS)
    assert TABLE_7.keys() == COUNTS.keys()
    assert paper_figures("triangle", "SF", "hard") == (28.35, 38.58)
    assert paper_figures("triangle", "BAF", "hard") is None
    assert paper_figures("triangle", "SF", "extra_hard") is None


def test_generators_stand_beside_table_7_and_their_own_free_draws() -> None:
    graphs = [instance("diameter", 3, "01 12", generator="BAG")] * 2
    cells = [
        BuiltCell("diameter", "easy", 2, graphs),
        BuiltCell(
            "diameter",
            "hard",
            2,
            [instance("diameter", 2, "01", generator=name) for name in ("SF", "USER")],
        ),
    ]
    table = generator_table(cells)
    assert table.head == (
        "task", "generator", "easy nodes", "easy edges", "hard nodes", "hard edges"
    )  # fmt: skip
    first, second = (list(row) for row in table.rows)
    assert first[:3] == ["diameter", "BAG", (3, 7.98)]
    # A clique of two nodes and one more node linked to one or both.
    assert first[3][:2] == (2, 9.73)
    assert first[3][2] == pytest.approx(2.5, abs=0.15)
    assert first[4:] == [None, None]
    assert second[:5] == ["diameter", "SF", None, None, (2, 28.48)]
    assert table.texts()[1][-1].startswith("1.00 / 39.1 / ")


def test_bounds_are_on_what_we_draw_alone() -> None:
    own = [instance("connectivity", 3, "01 12", 0, 1, "USER")] * 200
    cell = BuiltCell("connectivity", "easy", 200, own, bounded=False)
    assert cell_bounds(cell) == []
    assert by_measure(task_table("connectivity", [cell]))["rule: always yes"] == (1, "", "")
    assert [table.name for table in GraphOmniStatistics([cell]).tables()] == ["connectivity"]


def test_unconditional_draws_keep_their_distance_to_table_7() -> None:
    graphs = [instance("cycle", 3, "01 12", generator=name) for name in ("BAG", "SF", "ERP")]
    cells = [BuiltCell("cycle", split, 3, graphs) for split in ("easy", "medium", "hard")]
    bounds = draw_bounds(cells)
    assert [(bound.where, bound.most) for bound in bounds] == [
        (f"generator {name} {split}", most)
        for name, most in (("BAG", 0.08), ("SF", 0.15))
        for split in ("easy", "medium", "hard")
    ]
    assert {bound.state for bound in bounds} == {"holds"}
    rows = drawing_table(cells).rows
    assert [row[0] for row in rows] == ["BAG"] * 3 + ["ERP"] * 3 + ["SF"] * 3
    assert rows[0][2:4] == (8.19, 11.36)


def test_tokens_are_counted_on_the_same_instances_in_every_combination(opened: Build) -> None:
    encoding = count_bytes()
    read: list[str] = []

    def count(text: str) -> int:
        read.append(text)
        return len(encoding.encode_ordinary(text))

    found = statistics(opened, count)
    tokens = found.tokens
    assert tokens is not None
    assert (tokens.instances, tokens.cells) == (24, 6)
    assert list(tokens.numbers) == list(COMBINATIONS)
    assert {len(numbers) for numbers in tokens.numbers.values()} == {24}
    assert len(read) == 63 * 24
    assert sum(sum(numbers) for numbers in tokens.numbers.values()) == sum(
        len(text.encode()) for text in read
    )
    table = found.tables()[-1]
    assert table.name == "tokens"
    assert len(table.rows) == 9
    row = next(row for row in table.rows if row[0] == "zero_shot")
    numbers = tokens.numbers["edge_list", "zero_shot"]
    assert row[1 + table.head[1:].index("edge_list")] == round(sum(numbers) / 24)
    assert statistics(opened, lambda text: len(text.encode())).tokens == tokens


def panels(found: GraphOmniStatistics) -> Iterator[tuple[str, Bars | Boxes | HeatMap]]:
    for chart in found.charts():
        for row in chart.panels:
            for panel in row:
                yield chart.name, panel


def test_charts_show_every_instance(opened: Build) -> None:
    found = statistics(opened, len)
    drawn = list(panels(found))
    assert Counter(name for name, _ in drawn) == {
        "nodes": 3, "edges": 3, "answers_connectivity": 3, "answers_diameter": 3, "tokens": 1
    }  # fmt: skip
    for name, panel in drawn:
        if isinstance(panel, Boxes):
            assert sum(map(len, panel.groups.values())) == 2 * LIMIT
        elif isinstance(panel, HeatMap):
            assert (len(panel.values), len(panel.values[0])) == (9, 7)
        elif name == "answers_diameter":
            assert sum(panel.series[""]) == pytest.approx(100)
            assert len(panel.ticks) == len(panel.series[""])
        else:
            both = zip(panel.series["No"], panel.series["Yes"], strict=True)
            assert all(no + yes == pytest.approx(100) for no, yes in both)


def test_queries_are_not_read_unless_tokens_are_counted(
    opened: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    columns = type(opened.columns("diameter", "easy"))
    original = columns.__getitem__

    def noted(self: object, name: str) -> list[object]:
        read.append(name)
        return original(self, name)  # type: ignore[arg-type]

    monkeypatch.setattr(columns, "__getitem__", noted)
    statistics(opened, None)
    assert "edges" in read
    assert "query" not in read
