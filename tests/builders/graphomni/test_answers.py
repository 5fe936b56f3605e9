from itertools import combinations, permutations

import networkx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchloom.builders.errors import InputError
from benchloom.builders.graphomni import answers, checks
from benchloom.builders.graphomni.generators import draw
from benchloom.builders.graphomni.hamilton import UndecidedError, find_hamiltonian_cycle
from benchloom.builders.graphomni.isomorphism import Classes, invariant
from benchloom.builders.graphs.graph import Graph
from benchloom.builders.seeds import rng


def edges(n: int, text: str) -> Graph:
    """Returns the graph whose edges are written as in "01 12"."""
    return Graph.of(n, [(int(word[0]), int(word[1])) for word in text.split()])


def to_networkx(graph: Graph) -> "networkx.Graph[int]":
    drawn = networkx.Graph()
    drawn.add_nodes_from(range(graph.n_nodes))
    drawn.add_edges_from(graph.edges)
    return drawn


@st.composite
def graphs(draw_from: st.DrawFn, most: int = 7) -> Graph:
    n = draw_from(st.integers(1, most))
    pairs = list(combinations(range(n), 2))
    chosen = draw_from(st.lists(st.booleans(), min_size=len(pairs), max_size=len(pairs)))
    return Graph(n, tuple(pair for pair, taken in zip(pairs, chosen, strict=True) if taken))


@given(graphs(), st.data())
@settings(max_examples=150, deadline=None)
def test_answers_agree_with_networkx_and_second_method(graph: Graph, data: st.DataObject) -> None:
    nodes = st.integers(0, graph.n_nodes - 1)
    source, target = data.draw(nodes), data.draw(nodes)
    nx = to_networkx(graph)
    joined = networkx.has_path(nx, source, target)
    expected = {
        "connectivity": "Yes" if joined else "No",
        "cycle": "No" if networkx.is_forest(nx) else "Yes",
        "triangle": str(sum(networkx.triangles(nx).values()) // 3),
    }
    if networkx.is_connected(nx):
        expected["diameter"] = str(networkx.diameter(nx))
    if joined:
        paths = networkx.all_shortest_paths(nx, source, target)
        expected["shortest_path"] = ",".join(map(str, min(paths)))
    for task, value in expected.items():
        assert answers.answer(task, graph, source, target) == value
        assert checks.confirm(task, graph, source, target, value)
    for task in ("bfs_order", "hamiltonian_cycle", "max_cut"):
        value = answers.answer(task, graph, source, target)
        assert checks.confirm(task, graph, source, target, value)
    size, side = answers.max_cut(graph)
    assert size == answers.cut_size(graph, side)
    assert size == max(
        sum((u in s) != (v in s) for u, v in graph.edges)
        for k in range(graph.n_nodes + 1)
        for s in map(set, combinations(range(graph.n_nodes), k))
    )


@given(graphs(6), st.data())
@settings(max_examples=40, deadline=None)
def test_the_judges_accept_exactly_the_orders_that_a_queue_gives(
    graph: Graph, data: st.DataObject
) -> None:
    source = data.draw(st.integers(0, graph.n_nodes - 1))
    valid = set()

    def serve(order: tuple[int, ...], served: int) -> None:
        if served == len(order):
            valid.add(order)
            return
        node = order[served]
        new = [v for v in to_networkx(graph)[node] if v not in order]
        for arranged in permutations(new):
            serve(order + arranged, served + 1)

    serve((source,), 0)
    component = answers.bfs_order(graph, source)
    assert tuple(component) in valid
    for order in permutations(component):
        assert answers.is_bfs_order(graph, source, order) == (order in valid)
        assert checks.is_bfs_order(graph, source, order) == (order in valid)


def test_judges_refuse_what_is_no_order_and_no_path() -> None:
    graph = edges(6, "01 12 23 03 45")
    for order in ([], [0], [0, 1, 3], [0, 1, 3, 2, 2], [1, 0, 2, 3], [0, 1, 3, 2, 4], [0, 1, 3, 9]):
        assert not answers.is_bfs_order(graph, 0, order)
    assert answers.is_bfs_order(graph, 0, [0, 3, 1, 2])
    assert answers.is_shortest_path(graph, 0, 2, [0, 3, 2])
    assert answers.is_shortest_path(graph, 1, 1, [1])
    for path in ([], [0, 2], [0, 1], [0, 1, 0, 3, 2], [0, 1, 2, 9], [2, 1, 0], [0, -3, 2]):
        assert not answers.is_shortest_path(graph, 0, 2, path)
    assert not answers.is_shortest_path(graph, 0, 5, [0, 4, 5])


@pytest.mark.parametrize(
    ("task", "wrong"),
    [
        ("bfs_order", ["0,1,2,3", "0,1,3", "1,0,2,3", "", "0, 1,3,2", "x"]),
        ("connectivity", ["No", "yes", ""]),
        ("cycle", ["No", "yes"]),
        ("shortest_path", ["0,2", "0,1,0,3,2", "0 1 2", ""]),
        ("triangle", ["1", "0.0"]),
        ("hamiltonian_cycle", ["0,1", "0,1,2,3"]),
        ("max_cut", ["5: 0,2", "4: 0", "3: 0,1", "4", "4: 0,0,2"]),
    ],
)
def test_the_second_method_finds_wrong_answers(task: str, wrong: list[str]) -> None:
    graph = edges(6, "01 12 23 03")
    assert checks.confirm(task, graph, 0, 2, answers.answer(task, graph, 0, 2))
    for answer in wrong:
        assert not checks.confirm(task, graph, 0, 2, answer)


def test_a_graph_that_is_not_connected_has_no_diameter() -> None:
    assert answers.diameter(edges(4, "01 23")) is None
    assert answers.diameter(edges(1, "")) == 0
    with pytest.raises(InputError, match="no diameter"):
        answers.answer("diameter", edges(4, "01 23"))
    for answer in ("inf", "1", "None"):
        assert not checks.confirm("diameter", edges(4, "01 23"), None, None, answer)


def test_an_unreachable_pair_has_no_path() -> None:
    graph = edges(3, "01")
    assert answers.answer("connectivity", graph, 0, 2) == "No"
    assert answers.shortest_path(graph, 0, 2) is None
    with pytest.raises(InputError, match="no path"):
        answers.answer("shortest_path", graph, 0, 2)


def test_questions_need_their_nodes_and_tasks_their_names() -> None:
    with pytest.raises(InputError, match="source"):
        answers.answer("bfs_order", edges(3, "01"))
    with pytest.raises(InputError, match="choose from"):
        answers.answer("colouring", edges(3, "01"))


@pytest.mark.parametrize("n", [70, 120])
def test_graphs_may_be_larger_than_a_machine_word(n: int) -> None:
    graph = Graph.of(n, [(v, (v + 1) % n) for v in range(n)])
    assert answers.diameter(graph) == n // 2
    assert answers.is_bfs_order(graph, 3, answers.bfs_order(graph, 3))
    assert answers.has_cycle(graph)
    assert len(answers.shortest_path(graph, 0, n // 2) or ()) == n // 2 + 1


@given(graphs(7))
@settings(max_examples=80, deadline=None)
def test_hamiltonian_cycles_are_found_when_some_order_is_one(graph: Graph) -> None:
    exists = any(
        answers.is_hamiltonian_cycle(graph, (0, *order))
        for order in permutations(range(1, graph.n_nodes))
    )
    cycle = answers.hamiltonian_cycle(graph)
    assert (cycle is not None) == exists == checks.has_hamiltonian_cycle(graph)
    if cycle is not None:
        assert cycle[0] == 0
        assert cycle[1] < cycle[-1]
        assert answers.is_hamiltonian_cycle(graph, cycle)
        assert answers.is_hamiltonian_cycle(graph, [*cycle, 0])
        assert not answers.is_hamiltonian_cycle(graph, cycle[:-1])


def test_two_methods_agree_on_sparse_graphs_of_up_to_thirty_nodes() -> None:
    random = rng("test", "hamilton")
    outcomes = set()
    for _ in range(150):
        n = int(random.integers(20, 31))
        graph = draw("ERM", n, random, edges=int(random.integers(3 * n // 2, 3 * n))).graph
        cycle = answers.hamiltonian_cycle(graph)
        assert cycle is None or answers.is_hamiltonian_cycle(graph, cycle)
        assert (cycle is not None) == checks.has_hamiltonian_cycle(graph)
        outcomes.add((cycle is not None, min(graph.degrees) >= 2))
    assert {(True, True), (False, True)} <= outcomes


def test_known_graphs_without_hamiltonian_cycle() -> None:
    petersen = Graph.of(10, list(networkx.petersen_graph().edges))
    unequal = Graph.of(9, [(u, v) for u in range(4) for v in range(4, 9)])
    for graph in (petersen, unequal):
        assert answers.answer("hamiltonian_cycle", graph) == "none"
        assert checks.has_hamiltonian_cycle(graph) is False
    with pytest.raises(UndecidedError):
        find_hamiltonian_cycle(answers.neighbour_masks(petersen), steps=3)
    assert checks.has_hamiltonian_cycle(petersen, steps=1) is None


def test_largest_cuts_of_known_graphs() -> None:
    complete = Graph.of(20, list(combinations(range(20), 2)))
    assert answers.max_cut(complete)[0] == 100
    assert answers.answer("max_cut", edges(4, "01 12 23 03")) == "4: 0,2"
    assert answers.max_cut(Graph(0, ())) == (0, [])
    random = rng("test", "cuts")
    for _ in range(5):
        graph = draw("ERP", 13, random).graph
        assert answers.max_cut(graph)[0] == checks.max_cut_size(graph)


def test_exact_answers_have_their_limits() -> None:
    with pytest.raises(InputError, match="20 nodes, not 21"):
        answers.max_cut(Graph(21, ()))
    with pytest.raises(InputError, match="30 nodes, not 31"):
        answers.hamiltonian_cycle(Graph(31, ()))


@given(graphs(9), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_isomorphic_graphs_are_known(graph: Graph, random: object) -> None:
    classes = Classes()
    assert graph not in classes
    classes.add(graph)
    order = list(range(graph.n_nodes))
    random.shuffle(order)  # type: ignore[attr-defined]
    assert graph.relabelled(np.array(order)) in classes


def test_every_graph_on_five_nodes_has_an_invariant_of_its_own() -> None:
    pairs = list(combinations(range(5), 2))
    every = [
        Graph(5, tuple(p for i, p in enumerate(pairs) if chosen >> i & 1)) for chosen in range(1024)
    ]
    assert len({invariant(graph) for graph in every}) == 34


def test_equal_degrees_and_triangles_are_told_apart() -> None:
    classes = Classes()
    classes.add(edges(6, "01 12 13 24 35"))
    assert edges(6, "04 05 13 23 34") not in classes
