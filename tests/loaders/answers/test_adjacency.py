"""Adjacency matrices in free text, and how far they are from a graph."""

import json
from itertools import permutations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchloom.builders.graphs.graph import Graph
from benchloom.builders.seeds import rng
from benchloom.loaders.answers.adjacency import LONGEST, compare, read_matrix
from benchloom.loaders.answers.edits import LARGEST, count_edits

MATRIX = [[0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 0], [1, 0, 0, 0]]
NAMES = "ABCD"
NUMBERS = "1234"


def rows(between: str) -> list[str]:
    return [between.join(map(str, row)) for row in MATRIX]


def named(between: str, names: str = NAMES) -> list[str]:
    return [f"{name}{between}{row}" for name, row in zip(names, rows(between), strict=True)]


def latex(lines: list[str], environment: str = "pmatrix", columns: str = "") -> str:
    body = " \\\\\n".join(lines)
    return f"\\[\n\\begin{{{environment}}}{columns}\n{body}\n\\end{{{environment}}}\n\\]"


RULE = "|---|---|---|---|---|"
FORMS = {
    "json": json.dumps(MATRIX),
    "json over many lines": json.dumps({"adjacency_matrix": MATRIX}, indent=2),
    "json by node": json.dumps(dict(zip(NAMES, MATRIX, strict=True)), indent=1),
    "numpy": str(np.array(MATRIX)),
    "numpy floats": str(np.array(MATRIX, float)),
    "numpy repr": repr(np.array(MATRIX)),
    "booleans": json.dumps([[bool(cell) for cell in row] for row in MATRIX]),
    "tuples": str(tuple(map(tuple, MATRIX))),
    "braces": str(MATRIX).replace("[", "{").replace("]", "}"),
    "blanks": "\n".join(rows(" ")),
    "tabs": "\n".join(rows("\t")),
    "csv": "\n".join(rows(",")),
    "csv with names": ",A,B,C,D\n" + "\n".join(named(",")),
    "csv with numbers": ",1,2,3,4\n" + "\n".join(named(",", NUMBERS)),
    "compact": "\n".join(rows("")),
    "blank lines between": "\n\n".join(rows(" ")),
    "quoted": "\n".join(f"> {row}" for row in rows(" ")),
    "matlab": f"A = [{'; '.join(rows(' '))}]",
    "matlab over lines": "A = [\n" + ";\n".join(rows(" ")) + "\n];",
    "one bracket": "A = [\n" + "\n".join(rows(" ")) + "\n]",
    "broken rows": "[[0, 1,\n 0, 1], [1, 0,\n 1, 0], [0, 1, 0, 0], [1, 0, 0, 0]]",
    "table": "| | A | B | C | D |\n" + RULE + "\n"
    + "\n".join(f"| **{name}** | {row} |" for name, row in zip(NAMES, rows(" | "), strict=True)),
    "table with numbers": "| Node | 1 | 2 | 3 | 4 |\n" + RULE + "\n"
    + "\n".join(f"| {name} | {row} |" for name, row in zip(NUMBERS, rows(" | "), strict=True)),
    "table from 0": "|  | 0 | 1 | 2 | 3 |\n" + RULE + "\n"
    + "\n".join(f"| {name} | {row} |" for name, row in zip("0123", rows(" | "), strict=True)),
    "table without names": "| 1 | 2 | 3 | 4 |\n|---|---|---|---|\n"
    + "\n".join(f"| {row} |" for row in rows(" | ")),
    "dashes on the diagonal": "| | A | B | C | D |\n" + RULE + "\n| A | - | 1 | 0 | 1 |\n"
    "| B | 1 | - | 1 | 0 |\n| C | 0 | 1 | - | 0 |\n| D | 1 | 0 | 0 | - |",
    "head of numbers": "  1 2 3 4\n" + "\n".join(named(" ", NUMBERS)),
    "head from 0": "  0 1 2 3\n" + "\n".join(named(" ", "0123")),
    "head and lines": "    1 2 3 4\n   ---------\n"
    + "\n".join(f"{name} | {row}" for name, row in zip(NUMBERS, rows(" "), strict=True)),
    "head of letters": "   A B C D\n" + "\n".join(named(" ")),
    "names and colons": "\n".join(
        f"{name}: {row}" for name, row in zip(NAMES, rows(" "), strict=True)
    ),
    "numbers and colons": "\n".join(
        f"{name}: {row}" for name, row in zip(NUMBERS, rows(" "), strict=True)
    ),
    "names and brackets": "\n\n".join(
        f"- **Node {name}**: [{row}]" for name, row in zip(NAMES, rows(", "), strict=True)
    ),
    "rows and brackets": "\n".join(
        f"Row {name} (node {name}): [{row}]" for name, row in zip(NUMBERS, rows(", "), strict=True)
    ),
    "numbered list": "\n".join(
        f"{name}. {row}" for name, row in zip(NUMBERS, rows(" "), strict=True)
    ),
    "pmatrix": latex(rows(" & ")),
    "pmatrix in a line": "$$\\begin{pmatrix}" + "\\\\ ".join(rows(" & ")) + "\\end{pmatrix}$$",
    "array": "\\left" + latex(rows(" & "), "array", "{cccc}") + "\\right",
    "array with names": latex(
        [" & A & B & C & D \\\\ \\hline\n A & 0 & 1 & 0 & 1", *named(" & ")[1:]],
        "array",
        "{c|cccc}",
    ),
    "array with numbers": latex(
        [" & 1 & 2 & 3 & 4", *named(" & ", NUMBERS)], "array", "{c|cccc}"
    ),
    "boxed": "\\boxed{\\begin{pmatrix}" + "\\\\ ".join(rows(" & ")) + "\\end{pmatrix}}",
    "upright lines": "\n".join(f"| {row} |" for row in rows(" ")),
    "drawn brackets": "\n".join(f"⎢ {row} ⎥" for row in rows(" ")),
    "full width": "\n".join(rows(" ")).translate(str.maketrans("01", "０１")),
    "code": "Here it is:\n```python\nimport numpy as np\nadjacency = np.array([\n"
    + "\n".join(f"    [{row}],  # {name}" for name, row in zip(NAMES, rows(", "), strict=True))
    + "\n])\nprint(adjacency)\n```\nThe graph has 4 nodes and 3 edges.",
    "after a draft": "[[0, 1], [1, 0]]\n\nThat lacks two nodes:\n\n" + json.dumps(MATRIX),
    "before edges": json.dumps(MATRIX) + "\n\nEdges: [(0, 1), (0, 3), (1, 2)]\nDegrees: 2, 2, 1, 1",
    "between lists": "Nodes: 1, 2, 3, 4\n" + "\n".join(rows(" ")) + "\n\nEdges:\n0 1\n0 3\n1 2\n",
    "before distances": json.dumps(MATRIX)
    + "\n\nDistances:\n0 1 2 1\n1 0 1 2\n2 1 0 3\n1 2 3 0",
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_forms(form: str) -> None:
    read = read_matrix(FORMS[form])
    assert read.rows == tuple(map(tuple, MATRIX)), FORMS[form]
    assert read.graph == Graph.of(4, [(0, 1), (0, 3), (1, 2)])
    assert not read.fault


@pytest.mark.parametrize(
    "text",
    [
        None,
        "",
        "The graph has 9 nodes and 12 edges.",
        "0 1\n0 2\n1 3\n2 3",
        "[(0, 1), (1, 2), (2, 0)]",
        "Degrees: 1, 2, 3",
        "| Node | Degree |\n|---|---|\n| A | 3 |\n| B | 4 |",
        "| | A | B |\n|---|---|---|\n| A | 0 | x |\n| B | x | 0 |",
    ],
)
def test_no_matrix(text: str | None) -> None:
    read = read_matrix(text)
    assert read.rows is None
    assert read.graph is None
    assert read.fault == "no adjacency matrix of 0 and 1 is stated"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("0 1 0\n1 0 1", "2 rows of 3 cells are not a square matrix"),
        ("0 1 0\n1 0\n0 1 0", "3 rows of 2 or 3 cells are not a square matrix"),
        ("0 2 0\n2 0 1\n0 1 0", "2 in row 1, column 2 is neither 0 nor 1"),
        ("0 1 0\n0 0 1\n0 1 0", "not symmetric: rows 1 and 2 disagree on their edge"),
        ("0 1 1\n0 0 1\n0 0 0", "not symmetric: rows 1 and 2 disagree on their edge; in all 3 "
         "pairs disagree"),
        ("1 1 0\n1 0 1\n0 1 0", "1 of the 3 cells on the diagonal is 1: a loop is no edge here"),
    ],
)  # fmt: skip
def test_what_is_no_simple_graph_is_said(text: str, fault: str) -> None:
    read = read_matrix(text)
    assert read.rows is not None
    assert read.graph is None
    assert read.fault == fault


def test_symmetrising_is_asked_for_and_counted() -> None:
    read = read_matrix("1 1 0\n0 0 1\n0 1 0", symmetrise=True)
    assert read.graph == Graph.of(3, [(0, 1), (1, 2)])
    assert (read.joined, read.loops) == (1, 1)
    assert read_matrix("0 2 0\n2 0 1\n0 1 0", symmetrise=True).graph is None


def random_graph(n: int, density: float, *key: int) -> Graph:
    chosen = rng("test_adjacency", n, *key).random((n, n)) < density
    return Graph.of(n, [(u, v) for u in range(n) for v in range(u) if chosen[u, v]])


def matrix_of(graph: Graph) -> str:
    cells = np.zeros((graph.n_nodes, graph.n_nodes), int)
    for u, v in graph.edges:
        cells[u, v] = cells[v, u] = 1
    return str(cells.tolist())


def test_errors_are_counted_up_to_isomorphism() -> None:
    truth = random_graph(9, 0.5, 0)
    shown = truth.relabelled(rng("test_adjacency", "order").permutation(9))
    assert compare(read_matrix(matrix_of(shown)), truth).exact
    lacking = Graph.of(9, list(shown.edges[1:]))
    errors = compare(read_matrix(matrix_of(lacking)), truth)
    assert (errors.nodes, errors.edges, errors.edits, errors.exact) == (0, -1, 1, False)
    smaller = Graph.of(8, [(u, v) for u, v in truth.edges if v < 8])
    lost = truth.n_edges - smaller.n_edges
    errors = compare(read_matrix(matrix_of(smaller)), truth)
    assert (errors.nodes, errors.edges, errors.exact) == (-1, -lost, False)
    assert errors.edits == lost
    torn = compare(read_matrix("0 1 0\n0 0 1\n0 1 0"), truth)
    assert (torn.nodes, torn.edges, torn.edits, torn.exact) == (-6, None, None, False)


@pytest.mark.parametrize("seed", range(40))
def test_edits_are_the_fewest_over_all_relabellings(seed: int) -> None:
    sizes = rng("test_adjacency", "sizes", seed).integers(1, 7, 2).tolist()
    first, second = (random_graph(n, 0.5, seed, place) for place, n in enumerate(sizes))
    n = max(sizes)
    fewest = min(
        len({*first.edges} ^ {(min(p[u], p[v]), max(p[u], p[v])) for u, v in second.edges})
        for p in permutations(range(n))
    )
    assert count_edits(first, second) == fewest == count_edits(second, first)


@pytest.mark.parametrize("seed", range(4))
def test_edits_agree_with_networkx(seed: int) -> None:
    first, second = random_graph(6, 0.4, seed, 0), random_graph(6, 0.5, seed, 1)
    drawn = []
    for graph in (first, second):
        one = nx.Graph()
        one.add_nodes_from(range(6))
        one.add_edges_from(graph.edges)
        drawn.append(one)
    free = {"node_del_cost": lambda _: 100, "node_ins_cost": lambda _: 100}
    assert count_edits(first, second) == nx.graph_edit_distance(*drawn, **free)


def test_edits_of_large_graphs_are_not_counted() -> None:
    assert count_edits(random_graph(LARGEST + 1, 0.5), random_graph(4, 0.5)) is None


@settings(deadline=None, max_examples=300)
@given(st.text(alphabet="01 ,;|[](){}\n\t-xA&\\.:2`", max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    read = read_matrix(text, symmetrise=True)
    assert (read.graph is None) == bool(read.fault)
    assert read.graph is None or read.rows is not None


@settings(deadline=None, max_examples=100)
@given(st.integers(2, 11), st.integers(0, 10**6), st.sampled_from([" ", ",", ", ", "\t", " & "]))
def test_every_graph_is_read_back(n: int, seed: int, between: str) -> None:
    graph = random_graph(n, 0.4, seed)
    cells = np.zeros((n, n), int)
    for u, v in graph.edges:
        cells[u, v] = cells[v, u] = 1
    text = "\n".join(between.join(map(str, row)) for row in cells.tolist())
    assert read_matrix(text).graph == graph


def test_only_the_end_of_a_long_answer_is_read() -> None:
    assert read_matrix("[[0,1],[1,0]]" + " " * LONGEST).rows is None
    assert read_matrix("(" * LONGEST + "[[0,1],[1,0]]").graph == Graph.of(2, [(0, 1)])
