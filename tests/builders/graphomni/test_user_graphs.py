"""A user's own graphs: every format read alike, every fault named with file and line."""

import gzip
import io
import os
from pathlib import Path

import networkx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchloom.builders.errors import InputError
from benchloom.builders.graphomni.serializers import SERIALIZERS
from benchloom.builders.graphomni.user_graphs import read_graphs
from benchloom.builders.graphs.graph import Graph
from benchloom.builders.graphs.graph6 import encode

PATH = Graph(4, ((0, 1), (1, 2), (2, 3)))
GRAPHML = (
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">{keys}'
    '<graph edgedefault="{kind}">\n<node id="a"/><node id="b"/>{body}</graph></graphml>'
)
TU = {"X_A.txt": "1, 2\n2, 1\n4, 5\n5, 4\n", "X_graph_indicator.txt": "1\n1\n1\n2\n2\n"}
OGB = {
    "raw/edge.csv": "0,1\n1,2\n0,1\n",
    "raw/num-node-list.csv": "3\n1\n2\n",
    "raw/num-edge-list.csv": "2\n0\n1\n",
}


def graphml(body: str, kind: str = "undirected", keys: str = "") -> str:
    return GRAPHML.format(body=body, kind=kind, keys=keys)


def write(folder: Path, files: dict[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def refusal(folder: Path) -> str:
    with pytest.raises(InputError) as caught:
        read_graphs(folder)
    message = str(caught.value)
    assert "\n" not in message
    return message.replace(f"{folder}{os.sep}", "").replace(str(folder), "FOLDER")


@st.composite
def graphs(draw):
    n = draw(st.integers(0, 12))
    pairs = [(u, v) for v in range(n) for u in range(v)]
    return Graph.of(n, draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else [])


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(graphs())
def test_every_graph_comes_back_from_every_lossless_format(tmp_path, graph):
    theirs = networkx.empty_graph(graph.n_nodes)
    theirs.add_edges_from(graph.edges)
    files = {
        "a.g6": encode(graph),
        "b.gml": SERIALIZERS["gml"].serialize(graph),
        "c.graphml": SERIALIZERS["graphml"].serialize(graph),
        "d.gml": "\n".join(networkx.generate_gml(theirs)),
        "e.graphml": "\n".join(networkx.generate_graphml(theirs)),
    }
    read = read_graphs(write(tmp_path, files))
    assert [one for _, one in read.graphs] == [graph] * 5
    assert read.relabelled == ()


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(graphs().filter(lambda graph: graph.n_nodes and all(graph.degrees)))
def test_an_edge_list_of_networkx_comes_back(tmp_path, graph):
    buffer = io.BytesIO()
    networkx.write_edgelist(networkx.Graph(graph.edges), buffer)
    read = read_graphs(write(tmp_path, {"a.edgelist": buffer.getvalue()}))
    assert read.graphs == (("a.edgelist", graph),)


def test_order_names_and_what_is_passed_over(tmp_path):
    files = {
        "b.GML": SERIALIZERS["gml"].serialize(PATH),
        "a.g6": f">>graph6<<{encode(PATH)}\r\n\n{encode(Graph(1, ()))}\n",
        "sub/c.edges": b"\xef\xbb\xbf# four\r\n0 1 # first\r\n\r\n1\t2 1.0\r\n3 2 {}\r\n2 3\r\n",
        "README.md": "no graph",
        "licence": "no graph",
        ".hidden.g6": "no graph",
        ".git/x.g6": "no graph",
    }
    read = read_graphs(write(tmp_path, files))
    assert read.graphs == (
        ("a.g6 line 1", PATH),
        ("a.g6 line 3", Graph(1, ())),
        ("b.GML", PATH),
        ("sub/c.edges", PATH),
    )


def test_digest_follows_names_and_graphs_and_not_the_folder(tmp_path):
    def digest(folder, files):
        return read_graphs(write(tmp_path / folder, files)).digest

    first = digest("1", {"a.g6": "CF\n"})
    assert len(first) == 32
    assert digest("2", {"a.g6": ">>graph6<<CF", "README": ""}) == first
    others = [
        digest("3", {"b.g6": "CF"}),
        digest("4", {"a.g6": "CE"}),
        digest("5", {"a.g6": "\nCF"}),
    ]
    assert len({first, *others}) == 4


@pytest.mark.parametrize(
    ("files", "graph", "note"),
    [
        ({"a.txt": "10 9\n9 200\n"}, Graph(3, ((0, 1), (0, 2))), "9 is now 0, 10 is now 1, 200"),
        ({"a.txt": "b a\nb 10\n"}, Graph(3, ((0, 2), (1, 2))), "10 is now 0, a is now 1, b is"),
        (
            {"a.gml": "graph [ node [ id 7 ] node [ id -1 ] edge [ source 7 target -1 ] ]"},
            Graph(2, ((0, 1),)),
            "-1 is now 0, 7 is now 1",
        ),
        (
            {"a.graphml": graphml('<edge source="b" target="a"/>')},
            Graph(2, ((0, 1),)),
            "a is now 0, b is now 1",
        ),
    ],
)
def test_other_labels_are_numbered_in_sorted_order_and_reported(tmp_path, files, graph, note):
    read = read_graphs(write(tmp_path, files))
    assert [one for _, one in read.graphs] == [graph]
    assert len(read.relabelled) == 1
    assert read.relabelled[0].startswith(f"{next(iter(files))}: ")
    assert note in read.relabelled[0]


def test_order_of_lines_does_not_change_the_numbers(tmp_path):
    first = read_graphs(write(tmp_path / "1", {"a.txt": "x y\ny z\n"}))
    second = read_graphs(write(tmp_path / "2", {"a.txt": "z y\ny x\nx y\n"}))
    assert first == second


def test_several_graphs_in_one_file(tmp_path):
    one = "graph [ node [ id 0 ] ]\n"
    head = '<graph edgedefault="undirected"'
    many = f'<graphml>{head}><node id="0"/></graph>{head}/></graphml>'
    read = read_graphs(write(tmp_path, {"a.gml": one + one, "b.graphml": many}))
    assert [name for name, _ in read.graphs] == [
        "a.gml graph 1",
        "a.gml graph 2",
        "b.graphml graph 1",
        "b.graphml graph 2",
    ]
    assert [graph.n_nodes for _, graph in read.graphs] == [1, 1, 1, 0]


def test_what_other_programs_store_within_data_is_no_part_of_the_graph(tmp_path):
    body = (
        '<desc/><data key="x"><node id="z"/><graph/></data>'
        '<edge source="a" target="b"><data key="y"><edge/><key id="y" for="edge"/>1</data></edge>'
    )
    keys = '<key id="x" for="graph"/><key id="y" for="edge" attr.name="weight"/>'
    read = read_graphs(write(tmp_path, {"a.graphml": graphml(body, keys=keys)}))
    assert read.graphs == (("a.graphml", Graph(2, ((0, 1),))),)


def test_tu_data_set(tmp_path):
    files = {
        **TU,
        "X_graph_labels.txt": "1\n-1\n",
        "X_node_labels.txt": "1\n1\n1\n1\n1\n",
        "X_edge_attributes.txt": "0.5, 1\n" * 4,
        "readme.txt": "a data set",
    }
    read = read_graphs(write(tmp_path, files))
    assert read.graphs == (
        ("X_A.txt graph 1", Graph(3, ((0, 1),))),
        ("X_A.txt graph 2", Graph(2, ((0, 1),))),
    )
    assert len(read.relabelled) == 1


@pytest.mark.parametrize("zipped", [False, True])
@pytest.mark.parametrize("edges", ["0,1\n1,2\n0,1\n", "0,1\n1,0\n1,2\n2,1\n1,0\n0,1\n"])
def test_ogb_data_set(tmp_path, zipped, edges):
    files = {name: text.encode() for name, text in OGB.items()}
    files |= {"raw/edge.csv": edges.encode(), "raw/edge-feat.csv": b"0,0,0\n" * 3}
    if len(edges) > 12:
        files["raw/num-edge-list.csv"] = b"4\n0\n2\n"
    if zipped:
        files = {f"{name}.gz": gzip.compress(data) for name, data in files.items()}
    files |= {"mapping/mol.csv.gz": b"", "split/scaffold/test.csv.gz": b"", "RELEASE_v1.txt": b""}
    write(tmp_path, {f"ogbg_x/{name}": data for name, data in files.items()})
    name = f"ogbg_x/raw/edge.csv{'.gz' if zipped else ''}"
    read = read_graphs(tmp_path)
    assert read.graphs == (
        (f"{name} graph 1", Graph(3, ((0, 1), (1, 2)))),
        (f"{name} graph 2", Graph(1, ())),
        (f"{name} graph 3", Graph(2, ((0, 1),))),
    )
    assert read.relabelled == ()
    # Beside a data set that is not there, the same files are strange.
    (tmp_path / name).unlink()
    assert "are not read" in refusal(tmp_path)


GML = "graph [\nnode [ id 0 ]\nnode [ id 1 ]\n"
REFUSED = [
    ({}, "FOLDER: holds no graph file"),
    ({"README": ""}, "FOLDER: holds no graph file"),
    ({"a.png": ""}, "a.png: files with the ending .png are not read"),
    ({"graph": ""}, "graph: files with the ending (none) are not read"),
    ({"readme.g6": ""}, "readme.g6: holds no graph"),
    ({"a.g6": "CF\nC F\n"}, "a.g6, line 2: byte 32"),
    ({"a.g6": ":Fa@x^\n"}, "a.g6, line 1: this is sparse6"),
    ({"a.g6": "~" + "?" * 90_000}, "a.g6, line 1: a graph6 line of more than 1,000 nodes"),
    ({"a.txt": "# nothing\n"}, "a.txt: holds no edge"),
    ({"a.txt": "0 1\n2\n"}, "a.txt, line 2: this is no edge"),
    ({"a.txt": "0,1\n"}, "a.txt, line 1: this is no edge"),
    ({"a.txt": "0, 1\n"}, "a.txt, line 1: this is no edge"),
    ({"a.txt": "0 1 1\n0 2 0.5\n"}, "a.txt, line 2: edge 0 2 has the weight 0.5"),
    ({"a.txt": "0 1 {'weight': 3}\n"}, "a.txt, line 1: edge 0 1 has the weight"),
    ({"a.txt": "0 1\n\n1 1\n"}, "a.txt, line 3: edge 1-1 is a self-loop"),
    ({"a.txt": b"0 1\n\xff 1\n"}, "a.txt, line 2: this is no UTF-8 text"),
    ({"a.gml": "0 1\n"}, "a.gml, line 1: '0' has no key"),
    ({"a.gml": "Creator 1\n"}, "a.gml: holds no graph"),
    ({"a.gml": "graph 1\n"}, "a.gml, line 1: graph is not followed"),
    ({"a.gml": GML}, "a.gml, line 4: the GML ends too early"),
    ({"a.gml": GML + "] ]"}, "a.gml, line 4: ] stands where none can"),
    ({"a.gml": "graph [\n{ ]"}, "a.gml, line 2: '{' cannot stand in GML"),
    ({"a.gml": GML + "directed 1 ]"}, "a.gml, line 4: the graph is directed"),
    ({"a.gml": GML + "node [ id 1 ] ]"}, "a.gml: node 1 stands twice"),
    ({"a.gml": GML + 'node [ label "1" ] ]'}, "a.gml, line 4: the node has no integer id"),
    ({"a.gml": GML + "edge [ source 0 ] ]"}, "a.gml, line 4: the edge has no integer target"),
    ({"a.gml": GML + "edge [ source 0 target 2 ] ]"}, "a.gml, line 4: edge 0-2 ends at 2"),
    ({"a.gml": GML + "edge [ source 0 target 0 ] ]"}, "a.gml, line 4: edge 0-0 is a self-loop"),
    ({"a.gml": GML + "edge [ source 0 target 1 value 2 ] ]"}, "a.gml, line 4: edge 0-1 has the va"),
    (
        {"a.gml": GML + 'edge [ source 0 target 1 ]\nedge [ source 1 target 0 label "x" ] ]'},
        "a.gml, line 5: edge 1-0 is parallel to the edge of line 4",
    ),
    ({"a.gml": GML + "graph [ ] ]"}, "a.gml, line 4: a graph stands within a graph"),
    ({"a.gml": GML + "node [ id 2 graph [ ] ] ]"}, "a.gml, line 4: a graph stands within a node"),
    ({"a.graphml": "graph"}, "a.graphml, line 1: this is no well-formed XML"),
    ({"a.graphml": ""}, "a.graphml, line 1: this is no well-formed XML"),
    ({"a.graphml": "<svg/>"}, "a.graphml, line 1: the document is svg"),
    ({"a.graphml": "<graphml/>"}, "a.graphml: holds no element graph"),
    ({"a.graphml": graphml("", "directed")}, "a.graphml, line 1: the graph is not undirected"),
    (
        {"a.graphml": graphml('\n<edge source="a" target="b" directed="true"/>')},
        "a.graphml, line 3: the edge is directed",
    ),
    (
        {"a.graphml": graphml('\n<edge source="a" target="c"/>')},
        "a.graphml, line 3: edge a-c ends at c",
    ),
    (
        {"a.graphml": graphml('\n<edge source="a" target="a"/>')},
        "a.graphml, line 3: edge a-a is a self-loop",
    ),
    ({"a.graphml": graphml('\n<node id="a"/>')}, "a.graphml: node a stands twice"),
    ({"a.graphml": graphml('<node id="&#10;"/>' * 2)}, "a.graphml: node '\\n' stands twice"),
    ({"a.txt": f"0 {'9' * 99} 2\n"}, f"a.txt, line 1: edge 0 {'9' * 37}... has the weight 2"),
    (
        {"a.graphml": graphml('\n<edge source="a" target="b" weight="2"/>')},
        "a.graphml, line 3: the edge has a weight",
    ),
    ({"a.txt": "".join(f"0 {v}\n" for v in range(1, 10_001))}, "a.txt: a graph of 10,001 nodes"),
    (
        {"X_A.txt": "", "X_graph_indicator.txt": "1\n" + "2\n" * 10_001},
        "X_A.txt, graph 2: a graph of 10,001 nodes",
    ),
    ({"a.graphml": graphml("<node/>")}, "a.graphml, line 2: the node has no id"),
    ({"a.graphml": graphml("<edge/>")}, "a.graphml, line 2: the edge has no source"),
    ({"a.graphml": graphml("<hyperedge/>")}, "a.graphml, line 2: a hyperedge joins"),
    (
        {"a.graphml": graphml('<node id="c"><graph edgedefault="undirected"/></node>')},
        "a.graphml, line 2: a graph stands within a graph",
    ),
    (
        {"a.graphml": '<!DOCTYPE x [<!ENTITY e "eeee">]>' + graphml("")},
        "a.graphml, line 1: an entity is declared",
    ),
    (
        {"a.graphml": graphml('<edge source="a" target="b"><data key="d">3</data></edge>',
            keys='<key id="d" for="edge" attr.name="weight"/>')},
        "a.graphml, line 2: edge a-b has the weight 3",
    ),
    (
        {"a.graphml": graphml('<edge source="a" target="b"/>',
            keys='<key id="d" for="edge" attr.name="weight"><default>2</default></key>')},
        "a.graphml, line 2: edge a-b has the weight 2",
    ),
    (
        {"a.graphml": graphml(
            '<edge source="a" target="b"/>\n<edge id="2" source="b" target="a"/>'
        )},
        "a.graphml, line 3: edge b-a is parallel",
    ),
    ({"X_A.txt": TU["X_A.txt"]}, "X_A.txt: X_graph_indicator.txt is missing beside it"),
    ({"X_graph_indicator.txt": "1\n"}, "X_graph_indicator.txt: X_A.txt is missing beside it"),
    ({**TU, "X_A.txt": "1, 2\n"}, "X_A.txt, line 1: edge 1-2 does not stand there in the other"),
    ({**TU, "X_A.txt": "1, 2\n2, 1\n5, 4\n"}, "X_A.txt, line 3: edge 5-4 does not stand"),
    ({**TU, "X_A.txt": "3, 4\n4, 3\n"}, "X_A.txt, line 1: edge 3-4 joins the graphs 1 and 2"),
    ({**TU, "X_A.txt": "1, 6\n6, 1\n"}, "X_A.txt, line 1: edge 1-6 has an end outside"),
    ({**TU, "X_A.txt": "0, 1\n1, 0\n"}, "X_A.txt, line 1: edge 0-1 has an end outside"),
    ({**TU, "X_A.txt": "1, 1\n"}, "X_A.txt, line 1: edge 1-1 is a self-loop"),
    ({**TU, "X_A.txt": "1, 2, 3\n"}, "X_A.txt, line 1: this is not two node numbers"),
    ({**TU, "X_graph_indicator.txt": "1\nx\n"}, "X_graph_indicator.txt, line 2: this is not one"),
    ({**TU, "X_graph_indicator.txt": "1\n3\n"}, "X_graph_indicator.txt, line 2: graph 3 follows"),
    ({**TU, "X_graph_indicator.txt": "1\n2\n1\n"}, "X_graph_indicator.txt, line 3: graph 1 foll"),
    ({**TU, "X_graph_indicator.txt": "0\n0\n"}, "X_graph_indicator.txt, line 1: graph 0 follows"),
    ({**TU, "X_graph_indicator.txt": ""}, "X_graph_indicator.txt: holds no node"),
    ({**TU, "X_node_labels.txt": "1\n"}, "X_node_labels.txt: has 1 lines where the other"),
    ({**TU, "X_edge_attributes.txt": "1\n1\n2\n2\n"}, "X_edge_attributes.txt, line 3: the edge h"),
    ({"edge.csv": "0,1\n"}, "edge.csv: of num-node-list.csv and num-node-list.csv.gz neither"),
    ({"a.csv": "0,1\n"}, "a.csv: files with the ending .csv are not read"),
    ({**OGB, "raw/x.csv": ""}, "raw/x.csv: files with the ending .csv are not read"),
    ({**OGB, "raw/edge.csv.gz": ""}, "raw: both edge.csv and edge.csv.gz lie there"),
    ({**OGB, "raw/edge.csv": "0,1\n"}, "raw/edge.csv: has 1 edges where num-edge-list.csv makes 3"),
    ({**OGB, "raw/edge.csv": "0,1\n1,3\n0,1\n"}, "raw/edge.csv, line 2: edge 1-3 has an end out"),
    ({**OGB, "raw/edge.csv": "0,1\n1,1\n0,1\n"}, "raw/edge.csv, line 2: edge 1-1 is a self-loop"),
    ({**OGB, "raw/edge.csv": "0,1\n1,0\n0,1\n"}, "raw/edge.csv, line 3: this edge stands there"),
    ({**OGB, "raw/edge.csv": "u,v\n"}, "raw/edge.csv, line 1: this is not two node numbers"),
    ({**OGB, "raw/num-node-list.csv": "3\n1\n"}, "raw/num-edge-list.csv: has 3 graphs and num-n"),
    ({**OGB, "raw/num-node-list.csv": "3\n1\n99999\n"}, "raw/num-node-list.csv, line 3: a graph"),
    ({"edge.csv.gz": b"\x1f\x8b", "num-node-list.csv": "1", "num-edge-list.csv": "0"},
     "edge.csv.gz: the gzip data is damaged"),
]  # fmt: skip


@pytest.mark.parametrize(("files", "start"), REFUSED, ids=[start for _, start in REFUSED])
def test_what_cannot_be_used_is_refused_with_file_and_line(tmp_path, files, start):
    assert refusal(write(tmp_path, files)).startswith(start)


def test_a_missing_folder_and_a_file_in_its_place(tmp_path):
    assert "does not exist" in refusal(tmp_path / "none")
    write(tmp_path, {"a.g6": "CF"})
    assert "is a file, not a folder" in refusal(tmp_path / "a.g6")


def test_links_are_followed_to_files_only(tmp_path):
    write(tmp_path, {"far/a.g6": "CF", "near/b.g6": "CF"})
    (tmp_path / "near/c.g6").symlink_to(tmp_path / "far/a.g6")
    assert len(read_graphs(tmp_path / "near").graphs) == 2
    (tmp_path / "near/d").symlink_to(tmp_path / "far")
    assert refusal(tmp_path / "near").startswith("d: is a link")
    (tmp_path / "near/d").unlink()
    (tmp_path / "near/e.g6").symlink_to(tmp_path / "nowhere")
    assert refusal(tmp_path / "near").startswith("e.g6: is no file that can be read")
