import pytest

from benchloom.builders.errors import InputError
from benchloom.builders.graphomni.answers import answer
from benchloom.builders.graphomni.baselines import random_baseline
from benchloom.builders.graphomni.cells import Instance
from benchloom.builders.graphomni.shortcuts import Row, best_threshold, shortcuts
from benchloom.builders.graphs.graph import Graph


def instance(
    task: str,
    n: int,
    edges: str,
    source: int | None = None,
    target: int | None = None,
    generator: str = "ERM",
) -> Instance:
    """Returns an instance on the graph whose edges are written as in "01 12"."""
    graph = Graph.of(n, [(int(word[0]), int(word[1])) for word in edges.split()])
    right = answer(task, graph, source, target)
    return Instance(task, "easy", 0, generator, graph, source, target, right, {}, "key", 1, ())


def values(task: str, instances: list[Instance]) -> dict[str, float]:
    return {row.rule: row.value for row in shortcuts(task, instances)}


def test_rules_on_connectivity() -> None:
    instances = [
        instance("connectivity", 5, "01 12 34", 0, 2),  # yes, distance 2, two components
        instance("connectivity", 5, "01 12 23 34", 0, 1),  # yes, adjacent, connected
        instance("connectivity", 5, "01 12 34", 1, 3),  # no
        instance("connectivity", 6, "01 12 34", 0, 4),  # no
    ]
    found = values("connectivity", instances)
    assert found["always yes"] == 0.5
    assert found["yes if the whole graph is connected"] == 0.75
    assert found["yes if only one component has edges"] == 0.75
    assert found["yes if adjacent"] == 0.75
    assert found["yes if at distance 1 or 2"] == 1
    # One degree: the first and the last pair; as good as a coin either way.
    assert found["yes (or no) if the ends have one degree"] == 0.5
    assert found["best threshold on the smaller end degree"] == 0.5
    assert found["best threshold on the larger end degree"] == 0.5
    assert found["isolated ends"] == 0
    assert found["Yes pairs with two components of at least two nodes"] == 0.5
    assert found["Yes pairs that are adjacent"] == 0.5
    assert not next(r for r in shortcuts("connectivity", instances) if "adjacent" in r.rule).holds
    isolated = [instance("connectivity", 3, "01", 0, 2)]
    assert values("connectivity", isolated)["isolated ends"] == 1


def test_rules_on_cycle() -> None:
    instances = [
        instance("cycle", 5, "01 12 02 34"),  # yes, a twin of the third in n, m and isolated nodes
        instance("cycle", 4, "01 12 23 03"),  # yes, m = n
        instance("cycle", 5, "01 12 23 34"),
        instance("cycle", 5, "01 12"),
        instance("cycle", 5, "01 12 02", generator="BAG"),
        instance("cycle", 3, "01 12", generator="BAG"),
    ]
    found = values("cycle", instances)
    assert found["always yes"] == 0.5
    assert found["m >= n"] == pytest.approx(4 / 6)
    assert found["m >= nodes that have edges"] == pytest.approx(5 / 6)
    assert found["best threshold on m"] == pytest.approx(5 / 6)
    assert found["ERM: m >= n"] == 0.75
    assert found["BAG: m >= nodes that have edges"] == 1
    twins = "Yes graphs with the n, m and isolated nodes of a No graph of their generator"
    assert found[twins] == pytest.approx(1 / 3)
    bounds = {row.rule: row.most for row in shortcuts("cycle", instances)}
    assert bounds["ERM: best threshold on m"] == 0.8
    assert bounds["BAG: best threshold on m"] is None


def test_rules_on_orders_and_paths() -> None:
    orders = [
        instance("bfs_order", 4, "01 12 23", 0),  # both ascending orders are right
        instance("bfs_order", 4, "01 02 13", 1),  # 1,0,2,3 is wrong: 3 comes before 2
        instance("bfs_order", 4, "01 12 23", 1),  # 1,0,2,3 is right, 0,1,2,3 is not
        instance("bfs_order", 4, "01 02 03", 0),  # right, and too easy
    ]
    found = values("bfs_order", orders)
    assert found["component in ascending order"] == 0.5
    assert found["start, then component in ascending order"] == 0.75
    assert found["starts with eccentricity below 2"] == 0.25
    paths = [
        instance("shortest_path", 6, "01 12 23 34 45", 0, target) for target in (1, 2, 3, 4, 5)
    ]
    assert list(values("shortest_path", paths).values()) == [0.2, 0.2, 0.2, 0.4]


def test_most_common_values_are_taken_per_generator() -> None:
    instances = [
        instance("diameter", 3, "01 12"),
        instance("diameter", 3, "01 12 02"),
        instance("diameter", 3, "01 12", generator="SF"),
        instance("diameter", 4, "01 02 03", generator="SF"),
    ]
    found = values("diameter", instances)
    assert found == {
        "most common value": 0.75,
        "ERM: most common value": 0.5,
        "SF: most common value": 1,
    }
    triangles = [instance("triangle", 3, "01 12"), instance("triangle", 3, "01 12 02")]
    assert values("triangle", triangles)["0"] == 0.5


def test_rules_on_the_hard_tasks() -> None:
    cycles = [
        instance("hamiltonian_cycle", 3, "01 12 02"),
        instance("hamiltonian_cycle", 3, "01 12"),
        instance("hamiltonian_cycle", 5, "01 12 02 23 34 24"),
    ]
    found = values("hamiltonian_cycle", cycles)
    assert found["always none"] == pytest.approx(2 / 3)
    assert found["a cycle if connected without dead ends"] == pytest.approx(2 / 3)
    cuts = [instance("max_cut", 3, "01 12 02"), instance("max_cut", 3, "01 12")]
    assert list(values("max_cut", cuts).values()) == [0.5, 0.5]


def test_random_baselines_are_expectations() -> None:
    path = instance("diameter", 4, "01 12 23")
    assert random_baseline("diameter", [path, instance("diameter", 2, "01")]) == 3 / 8
    few = instance("triangle", 4, "01 12 02")
    none = instance("triangle", 4, "01")
    many = instance("triangle", 9, "01 12 02")
    assert random_baseline("triangle", [few]) == 1 / 4
    assert random_baseline("triangle", [none]) == 0
    assert random_baseline("triangle", [many]) == 1 / 60
    assert random_baseline("cycle", [instance("cycle", 3, "01")]) == 0.5
    assert random_baseline("bfs_order", [instance("bfs_order", 3, "01 12", 0)]) == 0
    paths = [instance("shortest_path", 3, "01 12", 0, target) for target in (1, 2)]
    assert random_baseline("shortest_path", paths) == 0.5
    pairs = [instance("connectivity", 3, "01", 0, target) for target in (1, 2, 2, 2)]
    assert random_baseline("connectivity", pairs) == 0.25
    cycles = [instance("hamiltonian_cycle", 3, edges) for edges in ("01 12", "01 12 02")]
    assert random_baseline("hamiltonian_cycle", cycles) == 0.5
    assert random_baseline("max_cut", [instance("max_cut", 3, "01")]) == 0
    assert random_baseline("cycle", []) == 0


@pytest.mark.parametrize(
    ("numbers", "labels", "share"),
    [
        ([1, 2, 3, 4], [False, False, True, True], 1),
        ([1, 2, 3, 4], [True, True, False, False], 1),
        ([1, 1, 1, 1], [True, False, True, False], 0.5),
        ([1, 2, 3, 4], [True, False, True, True], 0.75),
        ([1, 2, 2, 3], [False, True, False, True], 0.75),
        ([], [], 0),
    ],
)
def test_the_best_threshold_is_found(
    numbers: list[float], labels: list[bool], share: float
) -> None:
    assert best_threshold(numbers, labels) == share


def test_rows_know_whether_they_hold() -> None:
    assert Row("rule", 0.5).holds
    assert Row("rule", 0.5, 0.5, 0.5).holds
    assert not Row("rule", 0.5, least=0.51).holds
    assert not Row("rule", 0.5, most=0.49).holds


def test_unknown_tasks_are_refused_and_empty_cells_have_no_rows() -> None:
    assert shortcuts("cycle", []) == []
    with pytest.raises(InputError, match="choose from"):
        random_baseline("colouring", [])
    with pytest.raises(InputError, match="choose from"):
        shortcuts("colouring", [instance("cycle", 2, "01")])
