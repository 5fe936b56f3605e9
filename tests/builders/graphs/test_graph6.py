from pathlib import Path

import networkx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchloom.builders.errors import InputError
from benchloom.builders.graphs import graph6
from benchloom.builders.graphs.graph import Graph
from benchloom.builders.seeds import rng


@st.composite
def graphs(draw: st.DrawFn, largest: int = 14) -> Graph:
    n = draw(st.integers(0, largest))
    pairs = [(u, v) for u in range(n) for v in range(u + 1, n)]
    return Graph.of(n, draw(st.lists(st.sampled_from(pairs)) if pairs else st.just([])))


def random_graph(n: int, density: float, *key: int) -> Graph:
    chosen = rng("test", "graph6", n, *key).random((n, n)) < density
    return Graph.of(n, [(u, v) for u in range(n) for v in range(u) if chosen[u, v]])


def networkx_line(graph: Graph) -> str:
    drawn = networkx.Graph()
    drawn.add_nodes_from(range(graph.n_nodes))
    drawn.add_edges_from(graph.edges)
    return networkx.to_graph6_bytes(drawn, header=False).decode().strip()


@given(graphs())
def test_a_graph_survives_the_round_trip(graph: Graph) -> None:
    line = graph6.encode(graph)
    assert graph6.decode(line) == graph
    assert graph6.decode(line.encode()) == graph
    assert graph6.encode(graph6.decode(line)) == line


@given(graphs())
def test_lines_are_those_of_networkx(graph: Graph) -> None:
    assert graph6.encode(graph) == networkx_line(graph)


@pytest.mark.parametrize("n", [0, 1, 2, 61, 62, 63, 64, 100, 300])
@pytest.mark.parametrize("density", [0.0, 0.4, 1.0])
def test_sizes_about_the_change_of_the_size_field(n: int, density: float) -> None:
    graph = random_graph(n, density)
    line = graph6.encode(graph)
    assert line == networkx_line(graph)
    assert graph6.decode(line) == graph


def test_more_nodes_than_the_size_field_holds_are_refused() -> None:
    with pytest.raises(ValueError, match="258047"):
        graph6.encode(Graph(258_048, ()))


# Case G1: a header before the graph and line ends after it are no part of it.
@pytest.mark.parametrize("header", ["", ">>graph6<<"])
@pytest.mark.parametrize("end", ["", "\n", "\r\n", "\r"])
def test_header_and_line_end_are_passed_over(header: str, end: str) -> None:
    line = f"{header}A_{end}"
    assert graph6.decode(line) == graph6.decode(line.encode()) == Graph(2, ((0, 1),))  # G5 too


# Case G4 and its kind. "B7" is what networkx decodes silently, "Aa" and "B~" have padding bits.
@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("~", "too early"),
        ("~?", "too early"),
        ("~?@", "too early"),
        ("~?@?", "too early"),
        ("D", "too early"),
        ("Dh", "too early"),
        ("Dhcc", "too long"),
        ("@?", "too long"),
        ("B7", "byte 55 at position 2"),
        ("Dh c", "byte 32 at position 3"),
        ("A_ ", "byte 32 at position 3"),
        ("A_\nA_", "byte 10 at position 3"),
        ("A\x7f", "byte 127 at position 2"),
        ("A\u00e9", "byte 195 at position 2"),
        ("A\ud800", "byte 237 at position 2"),
        ("\ufeffA_", "byte 239 at position 1"),
        ("Aa", "padding"),
        ("B~", "padding"),
        ("~??@", "four bytes"),
        ("~~?????@", "more than 258047"),
        ("", "empty"),
        ("\n", "empty"),
        (">>graph6<<", "empty"),
        (":An", "sparse6"),
        (">>sparse6<<:An", "sparse6"),
        ("&AO", "digraph6"),
        (">>digraph6<<&AO", "digraph6"),
        (";An", "incremental sparse6"),
    ],
)
def test_damaged_lines_are_refused(line: str, fault: str) -> None:
    for given_line in (line, line.encode("utf-8", "surrogatepass")):
        with pytest.raises(InputError, match=fault) as caught:
            graph6.decode(given_line, "some.g6, line 7")
        message = str(caught.value)
        assert message.startswith("some.g6, line 7: ")
        assert "\n" not in message


@given(graphs(9), st.integers(0, 10), st.integers(0, 255))
def test_one_changed_byte_never_decodes_to_the_same_graph(
    graph: Graph, place: int, byte: int
) -> None:
    line = bytearray(graph6.encode(graph).encode())
    place %= len(line)
    if line[place] == byte or byte in b"\r\n":
        return
    line[place] = byte
    try:
        other = graph6.decode(bytes(line))
    except InputError:
        return
    assert other != graph
    assert graph6.encode(other).encode() == bytes(line)


def test_file_with_header_empty_lines_and_both_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "graphs.g6"
    path.write_bytes(b">>graph6<<A_\n\nA?\r\n\r\n@")
    assert graph6.read_file(path) == [Graph(2, ((0, 1),)), Graph(2, ()), Graph(1, ())]
    path.write_bytes(b">>graph6<<\nA_\n")
    assert graph6.read_file(str(path)) == [Graph(2, ((0, 1),))]
    path.write_bytes(b"")
    assert graph6.read_file(path) == []


def test_file_with_a_bad_line_names_file_and_line(tmp_path: Path) -> None:
    path = tmp_path / "graphs.g6"
    path.write_bytes(b"A_\n\n~\nA_\n")
    with pytest.raises(InputError, match=r"graphs\.g6, line 3: .*too early"):
        graph6.read_file(path)


def test_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing.g6"):
        with pytest.raises(InputError, match=f"{path.name}: cannot be read"):
            graph6.read_file(path)


@pytest.mark.parametrize("n", range(17))
def test_many_lines_are_decoded_as_one_by_one(n: int) -> None:
    many = [random_graph(n, density, index) for index, density in enumerate([0, 0.2, 0.5, 0.9, 1])]
    text = "".join(graph6.encode(graph) + "\n" for graph in many)
    rows = graph6.decode_many(text)
    assert rows.dtype == np.uint16
    assert rows.shape == (5, n)
    assert rows.tolist() == [graph.rows.tolist() for graph in many]
    assert graph6.decode_many(text.encode()).tolist() == rows.tolist()


def test_no_lines_are_no_graphs() -> None:
    assert graph6.decode_many("").shape == (0, 0)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("A_\nA7\n", "line 2: byte 55"),
        ("A_\nAa\n", "line 2: .*padding"),
        ("A_\nA\nA_\n", "line 2: .*too early"),
        ("A_\n\n", "line 2: .*empty"),
        ("A_\nBw\n", "line 2: 3 nodes where the lines before have 2"),
        ("A_\r\nA_\r\n", "line 1: a header or a carriage return"),
        (">>graph6<<A_\n", "line 1: a header or a carriage return"),
        ("A_\nA_", "line 2: the last line is cut off"),
        ("A_\n\u00e9\n", "line 2: byte 195"),
        ("~\n", "line 1: .*too early"),
        (b"\xc3" + b"?" * (132 * 131 // 12) + b"\n", "line 1: byte 195"),
        (":An\n", "line 1: .*sparse6"),
    ],
)
def test_damage_among_many_lines_is_found(text: str | bytes, fault: str) -> None:
    with pytest.raises(InputError, match=f"^some.g6, {fault}"):
        graph6.decode_many(text, "some.g6")
    with pytest.raises(InputError, match=f"^{fault}"):
        graph6.decode_many(text)


def test_many_big_graphs_do_not_fit_sixteen_bits() -> None:
    for n in (17, 62, 63, 300):
        with pytest.raises(ValueError, match=f"up to 16 nodes, not {n}"):
            graph6.decode_many(graph6.encode(Graph(n, ())) + "\n")
