"""Nine schemes: the paper's layout, and every query read back from its own text."""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchloom.builders.errors import InputError
from benchloom.builders.graphomni.exemplars import exemplars
from benchloom.builders.graphomni.grid import COUNTS, PROMPT_SCHEMES, SERIALIZATIONS
from benchloom.builders.graphomni.prompts import PAPER_NAMES, PROMPTS, compose, queries
from benchloom.builders.graphomni.questions import WORDINGS, answer_sentence, header, question
from benchloom.builders.graphomni.reading import read_exemplars, read_query, scheme_of
from benchloom.builders.graphs.graph import Graph

GOLDEN = Path(__file__).parents[2] / "golden" / "graphomni_queries.json"
GRAPH = Graph(6, ((0, 1), (1, 2), (1, 4), (3, 4)))
ASKED = {"bfs_order": (4, None), "connectivity": (2, 3), "shortest_path": (0, 3)}
STATE = (
    "Given a graph, your task is to determine the bfs traversal order of this graph starting at "
    "node 4. The graph has 6 nodes, numbered 0 to 5.\n"
    "And the graph representation of: Adjacency List is\n"
    "{0: [1], 1: [0, 2, 4], 2: [1], 3: [4], 4: [1, 3], 5: []}"
)
ASK = "\nQ: Give the bfs traversal order starting from node 4.\nA:"
CONSTRUCT = "Let's construct a graph with the nodes and edges first"
HOW = WORDINGS["bfs_order"].algorithm + "\n\n"

# scheme, its name in the paper, whether it has the algorithm, what its exemplars show before the
# answer (None: no exemplars), what stands after the graph, and after "A:".
ROWS = [
    ("zero_shot", "0-Shot", False, None, "", ""),
    ("zero_cot", "0-CoT", False, None, "", " Let's think step by step:"),
    ("zero_instruct", "0-Instruct", False, None, "", f" {CONSTRUCT}:"),
    ("zero_algorithm", "0-Algorithm", True, None, "", ""),
    ("ltm", "LTM", False, None, "", " Let's break down this problem:"),
    ("k_shot", "k-shot", False, "", "", ""),
    ("cot", "CoT", False, "reasoning", "", ""),
    ("instruct", "Instruct", False, "reasoning", f"\n{CONSTRUCT}.", ""),
    ("algorithm", "Algorithm", True, "run", "", ""),
]

graphs = st.integers(2, 12).flatmap(
    lambda n: st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1))).map(
        lambda pairs: Graph.of(n, [pair for pair in pairs if pair[0] != pair[1]])
    )
)


def asked(task: str) -> tuple[int | None, int | None]:
    return ASKED.get(task, (None, None))


def test_the_schemes_and_tasks_are_those_of_the_grid() -> None:
    assert [row[0] for row in ROWS] == list(PROMPT_SCHEMES) == list(PROMPTS) == list(PAPER_NAMES)
    assert [row[1] for row in ROWS] == list(PAPER_NAMES.values())
    assert set(WORDINGS) == {*COUNTS, "hamiltonian_cycle", "max_cut"}


@pytest.mark.parametrize(("scheme", "name", "how", "shown", "between", "after"), ROWS)
def test_the_layout_is_the_papers(
    scheme: str, name: str, how: bool, shown: str | None, between: str, after: str
) -> None:
    examples = exemplars("bfs_order", 1)
    text = compose(scheme, "bfs_order", "adjacency_list", GRAPH, 4, None, examples)
    before = HOW if how else ""
    for example in examples if shown is not None else ():
        plain = compose("zero_shot", "bfs_order", "adjacency_list", example.graph, example.source)
        state, question_and_rest = plain.split("\nQ: ")
        steps = f"{getattr(example, shown)} " if shown else ""
        before += f"{state}{between}\nQ: {question_and_rest} {steps}{example.sentence}\n\n"
    assert text == f"{before}{STATE}{between}{ASK}{after}"


@pytest.mark.parametrize(
    ("task", "words"),
    [
        ("bfs_order", "Give the bfs traversal order starting from node 7."),
        ("cycle", "Is there a cycle in this graph?"),
        ("connectivity", "Is there a path between node 7 and node 3?"),
        ("diameter", "What is the diameter of this graph?"),
        ("shortest_path", "Give the shortest path from node 7 to node 3."),
        ("triangle", "How many triangles are in this graph?"),
    ],
)
def test_questions_are_those_of_the_paper(task: str, words: str) -> None:
    assert question(task, 7, 3) == words


@pytest.mark.parametrize(
    ("task", "answer", "sentence"),
    [
        ("bfs_order", "7,4,0", "The BFS traversal order starting from node 7 is 7,4,0."),
        ("connectivity", "Yes", "Yes, there is a path between node 7 and node 3."),
        ("connectivity", "No", "No, there is no path between node 7 and node 3."),
        ("cycle", "Yes", "Yes, there is a cycle in this graph."),
        ("cycle", "No", "No, there is no cycle in this graph."),
        ("diameter", "3", "The diameter is 3."),
        ("shortest_path", "7,0,3", "The shortest path from node 7 to node 3 is 7,0,3."),
        ("triangle", "0", "The number of triangles is 0."),
        ("hamiltonian_cycle", "0,1,2", "A Hamiltonian cycle of this graph is 0,1,2."),
        ("hamiltonian_cycle", "none", "The answer is none."),
        ("max_cut", "5: 0,2", "The size of the largest cut is 5, with the side 0,2."),
    ],
)
def test_answer_sentences(task: str, answer: str, sentence: str) -> None:
    assert answer_sentence(task, 7, 3, answer) == sentence


def test_what_cannot_be_asked_is_refused() -> None:
    with pytest.raises(InputError, match="source"):
        header("bfs_order")
    with pytest.raises(InputError, match="target"):
        question("connectivity", 1)
    with pytest.raises(InputError, match="choose from bfs_order"):
        header("colouring")
    with pytest.raises(ValueError, match="'Perhaps'"):
        answer_sentence("cycle", None, None, "Perhaps")
    with pytest.raises(InputError, match="zero_shot"):
        compose("one_shot", "cycle", "gml", GRAPH)
    with pytest.raises(InputError, match="gml"):
        compose("zero_shot", "cycle", "yaml", GRAPH)


@pytest.mark.parametrize("task", WORDINGS)
def test_all_combinations_are_what_compose_gives(task: str) -> None:
    found = list(queries(task, GRAPH, *asked(task), 1))
    grid = [(form, scheme) for form in SERIALIZATIONS for scheme in PROMPT_SCHEMES]
    assert [row[:2] for row in found] == grid
    for form, scheme, text in found:
        examples = exemplars(task, 1)
        assert text == compose(scheme, task, form, GRAPH, *asked(task), examples)
        assert len({row[2] for row in found}) == len(grid)


@pytest.mark.parametrize("task", WORDINGS)
@settings(max_examples=8)
@given(graph=graphs, data=st.data())
def test_every_query_tells_its_record(task: str, graph: Graph, data: st.DataObject) -> None:
    nodes = data.draw(st.permutations(range(graph.n_nodes)))
    named = sum(node is not None for node in asked(task))
    source, target = [*nodes[:named], None, None][:2]
    for form, scheme, text in queries(task, graph, source, target, 1):
        parts = read_query(text)
        assert (parts.task, parts.source, parts.target) == (task, source, target)
        assert (parts.serialization, parts.n_nodes) == (form, graph.n_nodes)
        assert parts.graph() == graph
        assert scheme_of(parts) == scheme


@pytest.mark.parametrize("n", [0, 1, 2])
@pytest.mark.parametrize("form", SERIALIZATIONS)
def test_the_smallest_graphs_can_be_asked_about(n: int, form: str) -> None:
    parts = read_query(compose("zero_shot", "triangle", form, Graph(n, ())))
    assert parts.graph() == Graph(n, ())


# Each exemplar has its own graph in the query's format: the same five for all.
@pytest.mark.parametrize("task", WORDINGS)
def test_the_same_five_serve_all_formats_and_schemes(task: str) -> None:
    expected = [(it.graph, it.source, it.target) for it in exemplars(task, 1)]
    for form, scheme, text in queries(task, GRAPH, *asked(task), 1):
        head, found = read_exemplars(read_query(text).before)
        assert bool(head) == ("algorithm" in scheme)
        if scheme in ("k_shot", "cot", "instruct", "algorithm"):
            assert [(it.graph(), it.source, it.target) for it in found] == expected
            assert {(it.task, it.serialization) for it in found} == {(task, form)}
        else:
            assert found == []


def test_another_generation_has_other_exemplars() -> None:
    first, second = (list(queries("cycle", GRAPH, None, None, k)) for k in (1, 2))
    assert {row[1] for row, other in zip(first, second, strict=True) if row != other} == {
        "k_shot",
        "cot",
        "instruct",
        "algorithm",
    }


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("The graph has 6 nodes, numbered 0 to 5.", "", "number of nodes"),
        ("numbered 0 to 5", "numbered 0 to 6", "from 0 to n-1"),
        (", numbered 0 to 5", "", "from 0 to n-1"),
        ("starting at node 4", "starting at node 3", "something else"),
        ("starting at node 4", "starting", "something else"),
        ("starting from node 4", "starting from node 3", "something else"),
        ("bfs traversal order of", "diameter of", "something else"),
        ("node 4", "node 6", "do not have"),
        ("Give the bfs", "Give the dfs", "none that a task asks"),
        ("\nA:", "", "none that a task asks"),
        ("\nA:", "\nA:?", "without a space"),
        ("\nQ: ", "\n", "no graph followed by a question"),
        ("And the graph representation of: ", "", "no graph followed by a question"),
        ("Adjacency List", "Adjacency Tree", "known format"),
    ],
)
def test_a_spoilt_query_is_noticed(old: str, new: str, fault: str) -> None:
    text = compose("zero_shot", "bfs_order", "adjacency_list", GRAPH, 4)
    assert old in text
    with pytest.raises(InputError, match=fault):
        read_query(text.replace(old, new))


@pytest.mark.parametrize("form", SERIALIZATIONS)
def test_a_changed_graph_is_noticed(form: str) -> None:
    text = compose("zero_shot", "cycle", form, GRAPH)
    parts = read_query(text)
    other = Graph.of(6, [*GRAPH.edges[:-1], (3, 5)])
    swapped = read_query(compose("zero_shot", "cycle", form, other)).graph_text
    assert read_query(text.replace(parts.graph_text, swapped)).graph() == other
    with pytest.raises(InputError):
        read_query(text.replace("6 nodes, numbered 0 to 5", "4 nodes, numbered 0 to 3")).graph()


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: text.split("\n\n", 1)[1],
        lambda text: text.replace("\n\n", "\n\nSo be it.\n\n", 1),
        lambda text: text + " Let's think step by step:",
        lambda text: text.replace(f"\n{CONSTRUCT}.", "", 1),
        lambda text: text[::-1].replace(f"\n{CONSTRUCT}."[::-1], "", 1)[::-1],
    ],
)
def test_no_scheme_looks_like_that(spoil) -> None:
    text = compose("instruct", "cycle", "gml", GRAPH, exemplars=exemplars("cycle", 1))
    assert scheme_of(read_query(text)) == "instruct"
    with pytest.raises(InputError):
        scheme_of(read_query(spoil(text)))


def digests() -> dict[str, str]:
    """The digest of all queries in each format, so that a further one leaves the others alone."""
    wholes = {form: hashlib.blake2b(digest_size=16) for form in SERIALIZATIONS}
    for task in WORDINGS:
        for row in queries(task, GRAPH, *asked(task), 1):
            wholes[row[0]].update("\x00".join((task, *row)).encode())
    return {form: whole.hexdigest() for form, whole in wholes.items()}


# A change here changes the data: it needs a new generation.
def test_texts_are_golden() -> None:
    assert json.loads(GOLDEN.read_text()) == digests()


# Case G20; and the text part must not load what takes long to load.
@pytest.mark.parametrize("seed", ["0", "1", "7"])
def test_texts_do_not_depend_on_the_order_of_hashing(seed: str) -> None:
    code = (
        "import hashlib, json, sys\n"
        "from benchloom.builders.graphomni.prompts import queries\n"
        "from benchloom.builders.graphs.graph import Graph\n"
        f"graph = Graph(6, {GRAPH.edges})\n"
        "wholes = {}\n"
        "for task, nodes in json.loads(sys.argv[1]).items():\n"
        "    for row in queries(task, graph, *nodes, 1):\n"
        "        whole = wholes.setdefault(row[0], hashlib.blake2b(digest_size=16))\n"
        "        whole.update('\\x00'.join((task, *row)).encode())\n"
        "print(*(f'{form} {whole.hexdigest()}' for form, whole in wholes.items()), sep='\\n')\n"
        "print(*({'numba', 'networkx', 'datasets'} & set(sys.modules)))\n"
    )
    found = subprocess.run(
        [sys.executable, "-c", code, json.dumps({task: asked(task) for task in WORDINGS})],
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    golden = json.loads(GOLDEN.read_text())
    assert found == [*(f"{form} {golden[form]}" for form in SERIALIZATIONS), ""]
