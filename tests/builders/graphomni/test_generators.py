from itertools import product

import networkx
import pytest

from benchloom.builders.errors import InputError
from benchloom.builders.graphomni.generators import GENERATORS, draw
from benchloom.builders.graphomni.grid import GENERATORS as NAMES
from benchloom.builders.graphs.graph import Graph
from benchloom.builders.seeds import rng


def to_networkx(graph: Graph) -> "networkx.Graph[int]":
    drawn = networkx.Graph()
    drawn.add_nodes_from(range(graph.n_nodes))
    drawn.add_edges_from(graph.edges)
    return drawn


def test_all_seven_are_registered_in_the_order_of_shares() -> None:
    assert tuple(GENERATORS) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_equal_keys_give_equal_graphs(name: str) -> None:
    first, again, other = (draw(name, 20, rng("test", key)) for key in (1, 1, 2))
    assert first == again
    assert first != other


@pytest.mark.parametrize(("name", "n"), list(product(NAMES, (2, 3, 5, 10, 30, 50))))
def test_graphs_are_what_their_generator_promises(name: str, n: int) -> None:
    random = rng("test", "promise", name, n)
    for _ in range(40):
        drawn = draw(name, n, random)
        graph, params = drawn.graph, drawn.params
        nx = to_networkx(graph)
        assert graph.n_nodes == n
        if name == "BAF":
            assert networkx.is_forest(nx)
            assert graph.n_edges == n - params["trees"]
            assert 1 <= params["trees"] <= n // 2
        elif name == "BAG":
            m0, m = params["m0"], params["m"]
            assert networkx.is_connected(nx)
            assert graph.n_edges == m0 * (m0 - 1) // 2 + (n - m0) * m
            assert 1 <= m <= m0 <= max(2, n // 3)
        elif name in ("BERM", "BERP"):
            first, second = params["parts"]
            assert sorted(first + second) == list(range(n))
            assert first
            assert second
            assert all((u in first) != (v in first) for u, v in graph.edges)
            assert name == "BERP" or graph.n_edges == params["m"] >= 1
        elif name == "ERM":
            assert 1 <= graph.n_edges == params["m"] <= n * (n - 1) // 2
        elif name == "ERP":
            assert 0 <= params["p"] < 1
        else:
            assert params == {"gamma": 3.0, "d": 2.7}


@pytest.mark.parametrize(("n", "m0", "m"), [(6, 3, 2), (8, 4, 4), (10, 2, 1), (9, 5, 3), (7, 7, 2)])
def test_preferential_attachment_starts_from_a_clique(n: int, m0: int, m: int) -> None:
    for key in range(20):
        drawn = draw("BAG", n, rng("test", "clique", key), m0=m0, m=m)
        assert drawn.graph.n_edges == m0 * (m0 - 1) // 2 + (n - m0) * m
        assert min(drawn.graph.degrees) >= min(m, m0 - 1)
        cliques = networkx.find_cliques(to_networkx(drawn.graph))
        assert max(map(len, cliques)) >= m0


def test_attachment_prefers_nodes_of_high_degree() -> None:
    largest = [
        max(draw("BAG", 30, rng("test", "hub", key), m0=2, m=1).graph.degrees) for key in range(200)
    ]
    # A node chosen regardless of degree gives trees with a largest degree of about 5.
    assert 6.5 <= sum(largest) / len(largest) <= 10


@pytest.mark.parametrize("edges", [1, 4, 9])
@pytest.mark.parametrize("name", ["BERM", "BERP", "ERM", "ERP", "SF"])
def test_the_number_of_edges_can_be_given(name: str, edges: int) -> None:
    random = rng("test", "edges", name, edges)
    for _ in range(30):
        drawn = draw(name, 9, random, edges=edges)
        assert drawn.graph.n_edges == edges
        assert drawn.params.get("d", 1) > 0
        assert 0 <= drawn.params.get("p", 0) <= 1


@pytest.mark.parametrize(
    ("name", "n", "options", "words"),
    [
        ("BAG", 10, {"m0": 3, "m": 4}, "m0 = 3"),
        ("BAG", 4, {"m0": 5}, "1 to 4"),
        ("BAG", 1, {}, "at least 2"),
        ("BAF", 1, {}, "at least 2"),
        ("BAF", 5, {"trees": 6}, "1 to 5"),
        ("ERM", 4, {"edges": 7}, "1 to 6"),
        ("ERM", 1, {}, "at least 2"),
        ("ERP", 4, {"p": 1.5}, "0 to 1"),
        ("ERP", 0, {}, "at least 1"),
        ("BERM", 5, {"edges": 7}, "up to 6"),
        ("BERP", 5, {"part": 5}, "1 to 4"),
        ("SF", 5, {"d": 0.0}, "above 0"),
        ("SF", 5, {"gamma": 1.0}, "above 1"),
        ("XYZ", 5, {}, "choose from BAF"),
    ],
)
def test_infeasible_parameters_are_refused_in_words(
    name: str, n: int, options: dict[str, float], words: str
) -> None:
    with pytest.raises(InputError, match=words):
        draw(name, n, rng("test"), **options)


def test_extreme_probabilities_give_empty_and_complete_graphs() -> None:
    assert draw("ERP", 8, rng("test"), p=0.0).graph.n_edges == 0
    assert draw("ERP", 8, rng("test"), p=1.0).graph.n_edges == 28


@pytest.mark.parametrize("name", ["BAF", "BAG", "SF"])
def test_labels_give_no_hub_away(name: str) -> None:
    random = rng("test", "hubs", name)
    graphs = [draw(name, 10, random).graph for _ in range(500)]
    places = [[v for v in range(10) if graph.degrees[v] == max(graph.degrees)] for graph in graphs]
    low = sum(sum(v < 5 for v in nodes) / len(nodes) for nodes in places) / len(places)
    assert 0.42 < low < 0.58


# Mean edges of the paper's Table 7 that no condition of a task changes much (BFS order), with its
# mean numbers of nodes; SF's are the check of its mean weight.
@pytest.mark.parametrize(
    ("name", "n", "expected"),
    [
        ("SF", 8, 9.0),
        ("SF", 15, 19.0),
        ("SF", 28, 38.0),
        ("BAG", 8, 11.36),
        ("BAG", 14, 23.28),
        ("BAF", 8, 5.78),
        ("BAF", 15, 11.06),
        ("BAF", 28, 20.14),
    ],
)
def test_mean_edges_are_near_table_7(name: str, n: int, expected: float) -> None:
    random = rng("test", "table-7", name, n)
    mean = sum(draw(name, n, random).graph.n_edges for _ in range(400)) / 400
    assert mean == pytest.approx(expected, rel=0.15)


def test_erp_at_two_tenths_has_the_statistics_of_table_6() -> None:
    random = rng("test", "table-6")
    graphs = [to_networkx(draw("ERP", 30, random, p=0.2).graph) for _ in range(150)]
    largest = sum(max(d for _, d in g.degree) for g in graphs) / len(graphs)
    clustering = sum(networkx.average_clustering(g) for g in graphs) / len(graphs)
    connected = [g for g in graphs if networkx.is_connected(g)]
    path = sum(networkx.average_shortest_path_length(g) for g in connected) / len(connected)
    assert largest == pytest.approx(10.43, abs=0.5)
    assert clustering == pytest.approx(0.199, abs=0.02)
    assert path == pytest.approx(2.07, abs=0.05)
