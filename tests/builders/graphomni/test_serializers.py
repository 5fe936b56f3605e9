"""Seven formats: exact texts, nothing lost on the way there and back, damage noticed."""

import json
import re
import sys
from pathlib import Path

import networkx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchloom.builders.errors import InputError
from benchloom.builders.graphomni.grid import SERIALIZATIONS
from benchloom.builders.graphomni.serializers import SERIALIZERS
from benchloom.builders.graphomni.serializers.serializer import serializer
from benchloom.builders.graphs.graph import Graph
from benchloom.builders.seeds import rng

GOLDEN = Path(__file__).parents[2] / "golden" / "graphomni_serializers.json"
SHOWN = Graph(7, ((0, 1), (0, 6), (1, 2), (3, 4)))

# name, and the texts of: no nodes; one node; two isolated nodes; an edge.
ROWS = [
    ("adjacency_set", "{}", "{0: set()}", "{0: set(), 1: set()}", "{0: {1}, 1: {0}}"),
    ("adjacency_list", "{}", "{0: []}", "{0: [], 1: []}", "{0: [1], 1: [0]}"),
    ("adjacency_matrix", "[]", "[[0]]", "[[0 0]\n [0 0]]", "[[0 1]\n [1 0]]"),
    ("edge_set", "set()", "set()", "set()", "{(0, 1)}"),
    ("edge_list", "", "", "", "0 1"),
    (
        "graphml",
        *(
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
            f'  <graph edgedefault="undirected">\n{body}  </graph>\n</graphml>'
            for body in (
                "",
                '    <node id="0"/>\n',
                '    <node id="0"/>\n    <node id="1"/>\n',
                '    <node id="0"/>\n    <node id="1"/>\n    <edge source="0" target="1"/>\n',
            )
        ),
    ),
    (
        "gml",
        "graph [\n]",
        'graph [\n  node [ id 0 label "0" ]\n]',
        'graph [\n  node [ id 0 label "0" ]\n  node [ id 1 label "1" ]\n]',
        # Case G17: the label is quoted, the id is not.
        'graph [\n  node [ id 0 label "0" ]\n  node [ id 1 label "1" ]\n'
        "  edge [ source 0 target 1 ]\n]",
    ),
]
NAMES = [row[0] for row in ROWS]
EDGES_ONLY = [row[0] for row in ROWS if row[1] == row[3]]  # isolated nodes leave no trace


@st.composite
def graphs(draw: st.DrawFn, largest: int = 12) -> Graph:
    n = draw(st.integers(0, largest))
    pairs = [(u, v) for u in range(n) for v in range(u + 1, n)]
    return Graph.of(n, draw(st.lists(st.sampled_from(pairs)) if pairs else st.just([])))


def random_graph(n: int, density: float) -> Graph:
    chosen = rng("test", "serializers", n).random((n, n)) < density
    return Graph.of(n, [(u, v) for u in range(n) for v in range(u) if chosen[u, v]])


def nodes_and_edges(shown: networkx.Graph) -> tuple[set[str], set[frozenset[str]]]:
    assert not shown.is_directed()
    return set(shown.nodes), {frozenset(edge) for edge in shown.edges}


def test_the_grid_has_exactly_these() -> None:
    assert set(SERIALIZATIONS) == set(NAMES)
    assert set(NAMES) <= set(SERIALIZERS)
    assert len({SERIALIZERS[name].title for name in NAMES}) == len(NAMES)


@pytest.mark.parametrize(("name", "nothing", "one", "two", "edge"), ROWS)
def test_texts_of_the_smallest_graphs(
    name: str, nothing: str, one: str, two: str, edge: str
) -> None:
    graphs = [Graph(0, ()), Graph(1, ()), Graph(2, ()), Graph(2, ((0, 1),))]
    assert [SERIALIZERS[name].serialize(graph) for graph in graphs] == [nothing, one, two, edge]


@pytest.mark.parametrize("name", NAMES)
def test_texts_are_golden(name: str) -> None:
    assert SERIALIZERS[name].serialize(SHOWN) == json.loads(GOLDEN.read_text())[name]


@pytest.mark.parametrize("name", NAMES)
@given(graph=graphs())
def test_nothing_is_lost(name: str, graph: Graph) -> None:
    text = SERIALIZERS[name].serialize(graph)
    assert SERIALIZERS[name].parse(text, graph.n_nodes) == graph
    if name in EDGES_ONLY:
        shown = SERIALIZERS[name].parse(text)
        assert shown.edges == graph.edges
        assert shown.n_nodes == max((v + 1 for _, v in graph.edges), default=0)
    else:
        assert SERIALIZERS[name].parse(text) == graph


# Case G15: nodes that no edge mentions.
@pytest.mark.parametrize("name", NAMES)
def test_isolated_nodes_are_kept(name: str) -> None:
    graph = Graph(6, ((0, 1), (3, 4)))
    assert SERIALIZERS[name].parse(SERIALIZERS[name].serialize(graph), 6) == graph


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("n", "density"), [(30, 1.0), (50, 0.5), (120, 0.02)])
def test_large_graphs_are_written_in_full(name: str, n: int, density: float) -> None:
    graph = random_graph(n, density)
    text = SERIALIZERS[name].serialize(graph)
    assert "..." not in text
    assert SERIALIZERS[name].parse(text, n) == graph


@given(graphs())
def test_networkx_reads_gml_and_graphml(graph: Graph) -> None:
    expected = (
        {str(v) for v in range(graph.n_nodes)},
        {frozenset((str(u), str(v))) for u, v in graph.edges},
    )
    assert nodes_and_edges(networkx.parse_gml(SERIALIZERS["gml"].serialize(graph))) == expected
    shown = networkx.parse_graphml(SERIALIZERS["graphml"].serialize(graph))
    assert nodes_and_edges(shown) == expected


def test_a_label_is_text_and_an_id_is_a_number_to_networkx() -> None:
    shown = networkx.parse_gml(SERIALIZERS["gml"].serialize(Graph(2, ((0, 1),))), label=None)
    assert dict(shown.nodes(data=True)) == {0: {"label": "0"}, 1: {"label": "1"}}


@pytest.mark.parametrize("n", [1, 2, 9, 38, 60])
def test_a_matrix_looks_as_numpy_prints_it(n: int) -> None:
    graph = random_graph(n, 0.4)
    matrix = np.zeros((n, n), int)
    for u, v in graph.edges:
        matrix[u, v] = matrix[v, u] = 1
    shown = np.array2string(matrix, threshold=sys.maxsize, max_line_width=sys.maxsize)
    assert SERIALIZERS["adjacency_matrix"].serialize(graph) == shown
    # With its own settings numpy breaks long rows, which is only white space.
    with np.printoptions(threshold=sys.maxsize):
        assert SERIALIZERS["adjacency_matrix"].parse(str(matrix)) == graph


@given(graph=graphs(), data=st.data())
@pytest.mark.parametrize("name", ["adjacency_set", "adjacency_list", "edge_set"])
def test_what_python_reads_is_what_the_parser_reads(
    name: str, graph: Graph, data: st.DataObject
) -> None:
    text = SERIALIZERS[name].serialize(graph)
    shown = eval(text, {"set": set})
    if name == "edge_set":
        assert shown == set(graph.edges)
    else:
        assert {v: sorted(near) for v, near in shown.items()} == {
            v: sorted({a + b - v for a, b in graph.edges if v in (a, b)})
            for v in range(graph.n_nodes)
        }
    spaces = data.draw(st.lists(st.sampled_from(["", " ", "\n", "\r\n  "]), min_size=1, max_size=5))
    pieces = re.findall(r"set\(\)|[0-9]+|[^0-9\s]", text)
    spread = "".join(piece + spaces[k % len(spaces)] for k, piece in enumerate(pieces))
    assert SERIALIZERS[name].parse(spread, graph.n_nodes) == graph


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "change",
    [
        lambda text: f"\n {text} \n\n",
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("\n", "  \n   "),
        lambda text: text.replace("\n", "\n\n"),
    ],
)
def test_white_space_does_not_matter(name: str, change) -> None:
    text = change(SERIALIZERS[name].serialize(SHOWN))
    assert SERIALIZERS[name].parse(text, 7) == SHOWN
    if name != "edge_list":
        assert SERIALIZERS[name].parse(" ".join(text.split()), 7) == SHOWN


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("adjacency_set", "{2: {1}, 0: {1}, 1: {2, 0}}"),
        ("adjacency_list", "{1:[2,0],2:[1],0:[1]}"),
        ("edge_set", "{(2, 1), (1, 0)}"),
        ("edge_list", "2 1\n0\t1"),
        ("gml", 'graph [ edge [ source 2 target 1 ] node [ id 2 label "2" ] node [ id 0 label "0" ]'
         ' edge [ source 0 target 1 ] node [ id 1 label "1" ] ]'),
        ("graphml", "<graphml xmlns='http://graphml.graphdrawing.org/xmlns'><graph "
         "edgedefault='undirected'><node id='2'></node><node id='1' /><node id='0'/>"
         "<edge target='0' source='1'/><edge source='2' target='1'/></graph></graphml>"),
    ],
)  # fmt: skip
def test_order_and_direction_do_not_matter(name: str, text: str) -> None:
    assert SERIALIZERS[name].parse(text) == Graph(3, ((0, 1), (1, 2)))


@pytest.mark.parametrize(
    ("name", "text", "fault"),
    [
        ("adjacency_set", "{0: {1}, 1: {0}", "damaged"),
        ("adjacency_set", "{0: {1}, 1: {0},}", "damaged"),
        ("adjacency_set", "{0: [1], 1: [0]}", "damaged"),
        ("adjacency_set", "{0: {1}, 1: set()}", "not the other way"),
        ("adjacency_set", "{0: {1}, 1: {0, 0}}", "twice"),
        ("adjacency_set", "{0: {1}, 2: {1}}", "leaves out node 1"),
        ("adjacency_list", "{0: [1], 1: [0], 1: [0]}", "two entries for node 1"),
        ("adjacency_list", "{0: [1,], 1: [0]}", "damaged"),
        ("adjacency_list", "{0: [01], 1: [0]}", "damaged"),
        ("adjacency_list", "{0: [1 2], 1: [0], 2: [0]}", "damaged"),
        ("adjacency_list", "{0: [0]}", "edge 0-0"),
        ("adjacency_list", "{0: [1]}", "not the other way"),
        ("adjacency_list", "{'0': [1], '1': [0]}", "damaged"),
        ("adjacency_list", "0: [1], 1: [0]", "braces"),
        ("adjacency_list", "{0: [1] 1: [0]}", "damaged"),
        ("adjacency_matrix", "[[0 1]\n [0 0]]", "not symmetric"),
        ("adjacency_matrix", "[[1 0]\n [0 0]]", "edge 0-0"),
        ("adjacency_matrix", "[[0 1]\n [1]]", "row 1 has 1 numbers"),
        ("adjacency_matrix", "[[0 1 0]\n [1 0 0]]", "row 0 has 3 numbers"),
        ("adjacency_matrix", "[[0 2]\n [2 0]]", "rows of 0 and 1"),
        ("adjacency_matrix", "[[0 11]\n [11 0]]", "over 1"),
        ("adjacency_matrix", "[[]]", "without numbers"),
        ("adjacency_matrix", "[[0 1]\n ...\n [1 0]]", "rows of 0 and 1"),
        ("adjacency_matrix", "", "rows of 0 and 1"),
        ("edge_set", "{(0, 1), (1, 0)}", "twice"),
        ("edge_set", "{(0, 1),}", "damaged"),
        ("edge_set", "{(0, 1, 2)}", "damaged"),
        ("edge_set", "{(0, 0)}", "edge 0-0"),
        ("edge_set", "(0, 1)", "braces"),
        ("edge_set", "", "braces"),
        ("edge_list", "0 1\n1", "line 2"),
        ("edge_list", "0 1 2", "line 1"),
        ("edge_list", "0, 1", "line 1"),
        ("edge_list", "0 -1", "line 1"),
        ("edge_list", "0 1\n1 0", "twice"),
        ("edge_list", "0 99999999999999999999", "line 1"),
        ("gml", 'graph [ node [ id 0 label "1" ] ]', "the label 1"),
        ("gml", "graph [ node [ id 0 label 0 ] ]", "no node or edge"),
        ("gml", 'graph [ node [ id 1 label "1" ] ]', "leaves out node 0"),
        ("gml", 'graph [ node [ id 0 label "0" ] node [ id 0 label "0" ] ]', "twice"),
        ("gml", "graph [ edge [ source 0 target 1 ] ]", "edge 0-1"),
        ("gml", 'graph [ directed 1 node [ id 0 label "0" ] ]', "no node or edge"),
        ("gml", "graph [", "not one"),
        ("graphml", "<graphml>", "well-formed"),
        ("graphml", "", "well-formed"),
        ("graphml", "<graphml><graph edgedefault='undirected'/></graphml>", "namespace"),
    ],
)  # fmt: skip
def test_damage_is_told_in_one_sentence(name: str, text: str, fault: str) -> None:
    with pytest.raises(InputError, match=fault) as caught:
        SERIALIZERS[name].parse(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('edgedefault="undirected"', 'edgedefault="directed"', "edgedefault"),
        ('<node id="0"/>', "", "leaves out node 0"),
        ('<node id="0"/>', '<node id="n0"/>', "more than numbers"),
        ('<node id="0"/>', '<node id="0"><data key="w">1</data></node>', "more than numbers"),
        ('<node id="0"/>', '<node id="0" weight="1"/>', "no plain node"),
        ('<node id="0"/>', 'zero <node id="0"/>', "text between"),
        ('<node id="0"/>', '<vertex id="0"/>', "no plain node"),
        ('<edge source="0" target="1"/>', '<edge source="1"/>', "no plain node"),
        ('<edge source="0" target="1"/>', '<edge source="1" target="1"/>', "edge 1-1"),
        ('<edge source="0" target="1"/>', '<edge source="1" target="2"/>', "twice"),
        ("<graphml", '<!DOCTYPE a [<!ENTITY b "c">]><graphml', "declaration"),
    ],
)
def test_damaged_graphml(old: str, new: str, fault: str) -> None:
    text = SERIALIZERS["graphml"].serialize(SHOWN)
    assert text.count(old) == 1
    with pytest.raises(InputError, match=fault):
        SERIALIZERS["graphml"].parse(text.replace(old, new))


@pytest.mark.parametrize("name", NAMES)
def test_another_number_of_nodes_is_refused(name: str) -> None:
    text = SERIALIZERS[name].serialize(SHOWN)
    with pytest.raises(InputError, match="7 nodes, not 6"):
        SERIALIZERS[name].parse(text, 6)
    if name not in EDGES_ONLY:
        with pytest.raises(InputError, match="7 nodes, not 8"):
            SERIALIZERS[name].parse(text, 8)


# Whatever a model makes of a text, it is a graph or a sentence, and never the same graph unless
# only white space has changed.
@pytest.mark.parametrize("name", NAMES)
@given(graph=graphs(5), data=st.data())
def test_any_change_gives_a_graph_or_a_sentence(
    name: str, graph: Graph, data: st.DataObject
) -> None:
    text = SERIALIZERS[name].serialize(graph)
    place = data.draw(st.integers(0, len(text)))
    removed = data.draw(st.integers(0, 3))
    inserted = data.draw(st.text('0123456789 {}[](),:;\n"</>=aednost\x00\udc80é٣', max_size=2))
    changed = text[:place] + inserted + text[place + removed :]
    try:
        shown = SERIALIZERS[name].parse(changed, graph.n_nodes)
    except InputError as error:
        message = str(error)
        assert len(message.splitlines()) == 1
    else:
        assert shown.n_nodes == graph.n_nodes
        again = SERIALIZERS[name].parse(SERIALIZERS[name].serialize(shown), graph.n_nodes)
        assert again == shown


@pytest.mark.parametrize("name", NAMES)
def test_every_dropped_node_or_edge_is_noticed(name: str) -> None:
    """A text with one piece left out is damaged or shows another graph."""
    text = SERIALIZERS[name].serialize(SHOWN)
    pieces = re.findall(
        r"[0-9]+: [^:]*?[\]})]|\(\d, \d\)|\d \d|<[ne][^>]*>|[ne]\w+ \[[^\]]*\]", text
    )
    assert pieces
    for piece in pieces:
        changed = text.replace(piece, "", 1)
        try:
            assert SERIALIZERS[name].parse(changed, 7) != SHOWN
        except InputError:
            continue


def test_an_eighth_is_one_function(monkeypatch: pytest.MonkeyPatch) -> None:
    module = sys.modules[serializer.__module__]
    monkeypatch.setattr(module, "SERIALIZERS", dict(SERIALIZERS))
    monkeypatch.setattr(module, "_FUNCTIONS", {})

    def read(text: str) -> tuple[None, list[tuple[int, int]]]:
        return None, [(int(edge[0]), int(edge[2])) for edge in text.split()]

    @serializer("dashes", "Dashes", read)
    def serialize(graph: Graph) -> str:
        return " ".join(f"{u}-{v}" for u, v in graph.edges)

    dashes = module.SERIALIZERS["dashes"]
    assert dashes.serialize(SHOWN) == "0-1 0-6 1-2 3-4"
    assert dashes.parse("0-1 0-6 1-2 3-4", 7) == SHOWN
    with pytest.raises(InputError, match="Dashes"):
        dashes.parse("0-0", 7)
    with pytest.raises(
        ValueError, match=f"'dashes' is registered twice: by .*{serialize.__name__}"
    ):
        serializer("dashes", "Dashes", read)(serialize)
