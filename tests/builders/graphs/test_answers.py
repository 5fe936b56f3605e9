from collections.abc import Callable, Iterator
from itertools import combinations
from types import ModuleType
from typing import Any

import networkx
import numpy as np
import pytest

from benchloom.builders.graphs import answers, checks
from benchloom.builders.graphs.catalogue import catalogue
from benchloom.builders.graphs.graph import Graph
from benchloom.builders.seeds import rng

Answer = Callable[[Graph], Any]


def of(drawn: "networkx.Graph[Any]") -> Graph:
    numbered = networkx.convert_node_labels_to_integers(drawn)
    return Graph.of(numbered.number_of_nodes(), list(numbered.edges))


def edges(n: int, text: str) -> Graph:
    """Returns the graph whose edges are written as in "01 12"."""
    return Graph.of(n, [(int(word[0]), int(word[1])) for word in text.split()])


def relabelled(graph: Graph, *key: int) -> Graph:
    return graph.relabelled(rng("test", "relabel", *key).permutation(graph.n_nodes))


def atlas() -> list[Graph]:
    """Returns all graphs of up to 7 nodes, one per isomorphism class, unconnected ones too."""
    return [of(drawn) for drawn in networkx.graph_atlas_g()]


def sample(size: int, *key: str) -> Iterator[Graph]:
    """Yields graphs on 8 and 9 nodes, half of them planar, with another numbering."""
    table = catalogue()
    random = rng("test", "sample", *key)
    for planar in (True, False):
        for index in random.choice(np.flatnonzero(table.planar == planar), size // 2, False):
            graph = table.graph(int(index))
            yield graph.relabelled(random.permutation(graph.n_nodes))


def rows_of(graphs: list[Graph]) -> tuple[Any, Any]:
    rows = np.zeros((len(graphs), max(graph.n_nodes for graph in graphs)), np.uint16)
    for index, graph in enumerate(graphs):
        rows[index, : graph.n_nodes] = graph.rows
    return rows, np.array([graph.n_nodes for graph in graphs], np.uint8)


METHODS = [
    (answers.has_hamiltonian_path, answers.hamiltonian_paths, checks.has_hamiltonian_path),
    (answers.has_hamiltonian_cycle, answers.hamiltonian_cycles, checks.has_hamiltonian_cycle),
    (
        answers.biggest_chordless_cycle,
        answers.biggest_chordless_cycles,
        checks.biggest_chordless_cycle,
    ),
    (answers.is_planar, answers.planar_graphs, checks.is_planar),
]


@pytest.mark.parametrize(("one", "many", "check"), METHODS, ids=lambda f: f.__name__)
def test_two_methods_agree_on_all_graphs_of_up_to_seven_nodes(
    one: Answer, many: Callable[[Any, Any], Any], check: Answer
) -> None:
    graphs = atlas()
    expected = [check(graph) for graph in graphs]
    assert [one(graph) for graph in graphs] == expected
    assert many(*rows_of(graphs)).tolist() == expected


@pytest.mark.parametrize(("one", "many", "check"), METHODS, ids=lambda f: f.__name__)
def test_two_methods_agree_on_a_sample_of_eight_and_nine_nodes(
    one: Answer, many: Callable[[Any, Any], Any], check: Answer
) -> None:
    graphs = list(sample(60, check.__name__))
    expected = [check(graph) for graph in graphs]
    assert [one(graph) for graph in graphs] == expected
    assert many(*rows_of(graphs)).tolist() == expected


def test_chordless_cycles_agree_with_networkx() -> None:
    for graph in sample(100, "networkx"):
        drawn = networkx.Graph(graph.edges)
        longest = max((len(cycle) for cycle in networkx.chordless_cycles(drawn)), default=0)
        assert answers.biggest_chordless_cycle(graph) == longest


def test_two_planarity_tests_agree_on_nine_nodes() -> None:
    graphs = list(sample(3000, "planarity"))
    found = answers.planar_graphs(*rows_of(graphs)).tolist()
    assert found == [True] * 1500 + [False] * 1500
    assert found == [answers.is_planar(graph) for graph in graphs]


def test_planarity_of_graphs_in_blocks_and_pieces() -> None:
    random = rng("test", "blocks")
    graphs = []
    for _ in range(400):
        # Random graphs about the border of planarity, chained at cut nodes or apart.
        pieces, n = [], 0
        while n < 11:
            size = int(random.integers(3, 7))
            chosen = random.random((size, size)) < random.choice([0.5, 0.8, 1.0])
            shift = n - int(random.integers(0, 2)) if n else 0
            pieces += [
                (u + shift, v + shift) for u, v in combinations(range(size), 2) if chosen[u, v]
            ]
            n = shift + size
        if random.random() < 0.4:
            pieces += [tuple(sorted(random.choice(n, 2, replace=False).tolist())) for _ in range(3)]
        graphs.append(relabelled(Graph.of(n, pieces), len(graphs)))
    found = answers.planar_graphs(*rows_of(graphs)).tolist()
    assert found == [answers.is_planar(graph) for graph in graphs]
    assert 50 < sum(found) < 350


def test_distances_agree_with_floyd_warshall() -> None:
    for graph in [*atlas(), *sample(60, "distances")]:
        expected = np.array(checks.distances(graph)).reshape(graph.n_nodes, graph.n_nodes)
        expected[np.isinf(expected)] = answers.UNREACHABLE
        found = answers.distances(graph)
        assert found.dtype == np.uint8
        assert (found == expected).all()


def test_tables_of_distances_are_those_of_the_graphs() -> None:
    graphs = [graph for graph in atlas() if graph.n_nodes > 2]
    tables = answers.distance_tables(*rows_of(graphs))
    for graph, table in zip(graphs, tables, strict=True):
        n = graph.n_nodes
        assert (table[:n, :n] == answers.distances(graph)).all()
        assert (table[n:] == 255).all()
        assert (table[:, n:] == 255).all()


def test_diameter_and_connection_agree_with_networkx() -> None:
    for graph in atlas()[1:]:
        drawn = networkx.Graph(graph.edges)
        drawn.add_nodes_from(range(graph.n_nodes))
        connected = networkx.is_connected(drawn)
        assert answers.is_connected(graph) == connected
        assert answers.diameter(graph) == (networkx.diameter(drawn) if connected else None)


# Cases G12 and G14: what is not connected has no diameter; one node has 0.
@pytest.mark.parametrize(
    ("graph", "connected", "diameter"),
    [
        (edges(4, "01 23"), False, None),
        (edges(3, "01"), False, None),
        (edges(2, ""), False, None),
        (Graph(1, ()), True, 0),
        (Graph(0, ()), False, None),
        (edges(2, "01"), True, 1),
        (of(networkx.path_graph(63)), True, 62),
    ],
)
def test_diameter_of_unconnected_and_tiny_graphs(
    graph: Graph, connected: bool, diameter: int | None
) -> None:
    assert answers.is_connected(graph) is connected
    assert answers.diameter(graph) == diameter
    assert isinstance(answers.diameter(graph), int | None)


def test_an_unreachable_pair_has_no_distance() -> None:
    assert answers.distances(edges(3, "01")).tolist() == [[0, 1, 255], [1, 0, 255], [255, 255, 0]]


# Case G28 and its kind; networkx names wheels by all their nodes.
@pytest.mark.parametrize(
    ("graph", "length"),
    [
        (of(networkx.cycle_graph(4)), 4),
        (of(networkx.complete_graph(4)), 3),
        (of(networkx.cycle_graph(9)), 9),
        (of(networkx.path_graph(8)), 0),
        (of(networkx.wheel_graph(8)), 7),
        (of(networkx.hypercube_graph(3)), 6),
        (of(networkx.complete_bipartite_graph(3, 3)), 4),
        (of(networkx.cycle_graph(3)), 3),
        (of(networkx.cycle_graph(20)), 20),
        (of(networkx.petersen_graph()), 6),
        (of(networkx.star_graph(7)), 0),
        (edges(6, "01 12 02 34 45 35"), 3),
        (Graph(0, ()), 0),
        (Graph(1, ()), 0),
        (edges(5, "01 04 12 13 14 23 34"), 3),  # case G30: a cycle of length 5 has chords
    ],
)
def test_biggest_chordless_cycle_of_known_graphs(graph: Graph, length: int) -> None:
    assert answers.biggest_chordless_cycle(graph) == length
    assert answers.biggest_chordless_cycle(relabelled(graph, 1)) == length


def test_the_longest_cycle_is_not_the_biggest_chordless_one() -> None:
    graph = edges(5, "01 04 12 13 14 23 34")
    assert max(len(cycle) for cycle in checks.cycles(graph)) == 5
    assert checks.biggest_chordless_cycle(graph) == 3


@pytest.mark.parametrize(
    ("graph", "path", "cycle"),
    [
        (Graph(0, ()), False, False),
        (Graph(1, ()), True, False),
        (edges(2, ""), False, False),
        (edges(2, "01"), True, False),
        (edges(3, "01 12"), True, False),
        (edges(3, "01 12 02"), True, True),
        (edges(4, "01 02 12"), False, False),  # a cycle through all but one node
        (edges(4, "01 02 03"), False, False),
        (of(networkx.petersen_graph()), True, False),
        (of(networkx.complete_bipartite_graph(4, 5)), True, False),
        (of(networkx.complete_bipartite_graph(4, 6)), False, False),
        (of(networkx.dodecahedral_graph()), True, True),
        (of(networkx.hypercube_graph(4)), True, True),
        (edges(6, "01 12 02 34 45 35"), False, False),  # two cycles are not one
    ],
)
def test_hamiltonian_paths_and_cycles_of_known_graphs(
    graph: Graph, path: bool, cycle: bool
) -> None:
    for same in (graph, relabelled(graph, 2)):
        assert answers.has_hamiltonian_path(same) is path
        assert answers.has_hamiltonian_cycle(same) is cycle


@pytest.mark.parametrize(
    ("graph", "planar"),
    [
        (of(networkx.complete_graph(4)), True),
        (of(networkx.complete_graph(5)), False),
        (of(networkx.complete_bipartite_graph(3, 3)), False),
        (of(networkx.complete_bipartite_graph(2, 7)), True),
        (of(networkx.hypercube_graph(3)), True),
        (of(networkx.octahedral_graph()), True),
        (of(networkx.icosahedral_graph()), True),
        (of(networkx.petersen_graph()), False),
        (of(networkx.heawood_graph()), False),
        (of(networkx.circulant_graph(8, [1, 4])), False),
        (Graph(0, ()), True),
    ],
)
def test_planarity_of_known_graphs(graph: Graph, planar: bool) -> None:
    for same in (graph, relabelled(graph, 3)):
        assert answers.is_planar(same) is planar
        assert answers.planar_graphs(*rows_of([same])).tolist() == [planar]


# Case G23: isomorphic, though easily missed; case G26: not, though degrees and triangles agree.
def test_isomorphism_of_the_cases() -> None:
    assert answers.is_isomorphic(edges(6, "01 03 04 12 13 25"), edges(6, "13 03 35 12 01 24"))
    first, second = edges(6, "01 12 13 24 35"), edges(6, "04 05 13 23 34")
    assert sorted(first.degrees) == sorted(second.degrees)
    for check in (answers.is_isomorphic, checks.is_isomorphic):
        assert not check(first, second)
        assert check(first, relabelled(first, 4))


def test_graphs_of_the_atlas_are_isomorphic_only_to_themselves() -> None:
    groups: dict[tuple[int, ...], list[Graph]] = {}
    for index, graph in enumerate(atlas()):
        assert answers.is_isomorphic(graph, relabelled(graph, index))
        groups.setdefault(tuple(sorted(graph.degrees)), []).append(graph)
    pairs = [pair for group in groups.values() for pair in combinations(group, 2)]
    assert len(pairs) > 1000
    assert not any(answers.is_isomorphic(first, second) for first, second in pairs)
    assert answers.is_isomorphic(Graph(0, ()), Graph(0, ()))
    assert not answers.is_isomorphic(Graph(1, ()), Graph(2, ()))


def test_isomorphism_agrees_with_permutations() -> None:
    random = rng("test", "permutations")
    for index in range(60):
        n = int(random.integers(1, 7))
        pairs = list(combinations(range(n), 2))
        count = int(random.integers(0, len(pairs) + 1))
        first, second = (
            Graph.of(n, [pairs[place] for place in random.permutation(len(pairs))[:count]])
            for _ in range(2)
        )
        assert answers.is_isomorphic(first, second) == checks.is_isomorphic(first, second)
        assert checks.is_isomorphic(first, relabelled(first, index))


# Colours alone cannot tell regular graphs apart; the search must.
@pytest.mark.parametrize(
    ("first", "second"),
    [
        (of(networkx.cycle_graph(6)), edges(6, "01 12 02 34 45 35")),
        (of(networkx.complete_bipartite_graph(3, 3)), of(networkx.circular_ladder_graph(3))),
        (of(networkx.petersen_graph()), of(networkx.circular_ladder_graph(5))),
        (of(networkx.hypercube_graph(3)), of(networkx.circulant_graph(8, [1, 4]))),
        (of(networkx.circulant_graph(10, [1, 2])), of(networkx.circulant_graph(10, [1, 4]))),
        (
            of(networkx.line_graph(networkx.complete_bipartite_graph(4, 4))),
            # Shrikhande's graph: strongly regular with the same parameters
            of(
                networkx.Graph(
                    ((a, b), ((a + x) % 4, (b + y) % 4))
                    for a in range(4)
                    for b in range(4)
                    for x, y in ((0, 1), (1, 0), (1, 1))
                )
            ),
        ),
    ],
)
def test_regular_graphs_are_told_apart(first: Graph, second: Graph) -> None:
    assert sorted(first.degrees) == sorted(second.degrees)
    assert not answers.is_isomorphic(first, second)
    assert answers.is_isomorphic(first, relabelled(first, 5))
    assert answers.is_isomorphic(second, relabelled(second, 6))


def test_isomorphism_agrees_with_nauty(pynauty: ModuleType) -> None:
    def certificate(graph: Graph) -> bytes:
        near = {u: list(others) for u, others in checks.neighbours(graph).items()}
        return bytes(pynauty.certificate(pynauty.Graph(graph.n_nodes, adjacency_dict=near)))

    random = rng("test", "nauty")
    seen = {True: 0, False: 0}
    for graph in sample(200, "nauty"):
        # One edge moved: often the same degrees, sometimes the same graph.
        pairs = list(combinations(range(graph.n_nodes), 2))
        for _ in range(20):
            free = [pair for pair in pairs if pair not in graph.edges]
            if not free:
                break
            kept = [e for e in graph.edges if e != graph.edges[int(random.integers(graph.n_edges))]]
            other = Graph.of(graph.n_nodes, [*kept, free[int(random.integers(len(free)))]])
            other = other.relabelled(random.permutation(graph.n_nodes))
            expected = certificate(graph) == certificate(other)
            seen[expected] += 1
            assert answers.is_isomorphic(graph, other) is expected
    assert min(seen.values()) > 20


@pytest.mark.parametrize(
    ("answer", "limit"),
    [
        (answers.has_hamiltonian_path, 25),
        (answers.has_hamiltonian_cycle, 25),
        (answers.biggest_chordless_cycle, 25),
        (answers.distances, 63),
        (answers.is_connected, 63),
        (answers.diameter, 63),
        (lambda graph: answers.is_isomorphic(graph, graph), 63),
    ],
)
def test_graphs_that_are_too_big_are_refused_in_words(answer: Answer, limit: int) -> None:
    for n in (limit + 1, 70):
        with pytest.raises(ValueError, match=f"up to {limit} nodes, not {n}"):
            answer(Graph(n, ((0, 1),)))


def test_tables_that_are_too_big_are_refused_in_words() -> None:
    rows, n_nodes = np.zeros((1, 26), np.int64), np.array([26])
    for answer in (answers.hamiltonian_paths, answers.biggest_chordless_cycles):
        with pytest.raises(ValueError, match="up to 25 nodes, not 26"):
            answer(rows, n_nodes)


def test_tables_may_be_wider_than_their_graphs() -> None:
    graphs = [graph for graph in atlas() if graph.n_nodes == 5]
    rows, n_nodes = rows_of(graphs)
    wide = np.pad(rows, ((0, 0), (0, 40)))
    for answer in (
        answers.hamiltonian_paths,
        answers.hamiltonian_cycles,
        answers.biggest_chordless_cycles,
        answers.planar_graphs,
    ):
        assert answer(wide, n_nodes).tolist() == answer(rows, n_nodes).tolist()
    assert (
        answers.distance_tables(wide, n_nodes)[:, :5, :5] == answers.distance_tables(rows, n_nodes)
    ).all()


def test_tables_without_graphs_have_no_answers() -> None:
    for answer in (
        answers.hamiltonian_paths,
        answers.hamiltonian_cycles,
        answers.biggest_chordless_cycles,
        answers.planar_graphs,
        answers.distance_tables,
    ):
        assert len(answer(np.zeros((0, 9), np.uint16), np.zeros(0, np.uint8))) == 0
