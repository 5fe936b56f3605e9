"""Exemplars: five easy questions per task, and no false word in how they are worked."""

import re

import networkx
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from benchloom.builders.errors import InputError
from benchloom.builders.graphomni.checks import confirm
from benchloom.builders.graphomni.claims import exemplar_faults, find_false_claims
from benchloom.builders.graphomni.exemplars import (
    Exemplar,
    exemplar_graphs,
    exemplars,
    work_out,
)
from benchloom.builders.graphomni.grid import DIFFICULTIES
from benchloom.builders.graphomni.prompts import queries
from benchloom.builders.graphomni.questions import WORDINGS
from benchloom.builders.graphomni.reading import read_query
from benchloom.builders.graphs.graph import Graph

GENERATIONS = range(1, 7)
STYLES = ("", "reasoning", "run")
# Sentences that name one of several; another one may be as true.
NAMES_ONE = ("Of the sides with", "The largest of these", "It is reached by", "is a path to it")


@st.composite
def questions(draw: st.DrawFn, task: str) -> tuple[Graph, int | None, int | None]:
    """A small graph of any kind that a task fits, and the nodes asked about."""
    n = draw(st.integers(3, 5 if task == "max_cut" else 7))
    pairs = [(u, v) for u in range(n) for v in range(u + 1, n)]
    edges = draw(st.sets(st.sampled_from(pairs)))
    if task == "diameter":
        edges |= {(u, u + 1) for u in range(n - 1)}
    graph = Graph.of(n, sorted(edges))
    if task == "bfs_order":
        return graph, draw(st.integers(0, n - 1)), None
    if task in ("connectivity", "shortest_path"):
        source, target = draw(st.permutations(range(n)))[:2]
        reached = networkx.node_connected_component(plain(graph), source)
        assume(task == "connectivity" or target in reached)
        return graph, source, target
    return graph, None, None


def plain(graph: Graph) -> networkx.Graph:
    shown = networkx.Graph()
    shown.add_nodes_from(range(graph.n_nodes))
    shown.add_edges_from(graph.edges)
    return shown


def text_of(shown: Exemplar, style: str) -> str:
    return f"{getattr(shown, style)} {shown.sentence}" if style else shown.sentence


def faults(shown: Exemplar, text: str) -> list[str]:
    return find_false_claims(shown.task, shown.graph, shown.source, shown.target, text)


def all_of(task: str) -> list[Exemplar]:
    return [shown for generation in GENERATIONS for shown in exemplars(task, generation)]


@pytest.mark.parametrize("task", WORDINGS)
def test_five_easy_questions_that_differ(task: str) -> None:
    low, high = DIFFICULTIES["easy"]
    for generation in GENERATIONS:
        shown = exemplars(task, generation)
        assert len(shown) == 5
        assert all(low <= it.graph.n_nodes <= high for it in shown)
        for place, it in enumerate(shown):
            for other in shown[:place]:
                assert not networkx.is_isomorphic(plain(it.graph), plain(other.graph))
        assert exemplar_graphs(task, generation) == [
            (it.graph, it.source, it.target) for it in shown
        ]


@pytest.mark.parametrize("task", WORDINGS)
def test_generations_differ(task: str) -> None:
    found = [tuple(exemplar_graphs(task, generation)) for generation in GENERATIONS]
    assert len(set(found)) == len(found)


@pytest.mark.parametrize("task", WORDINGS)
def test_answers_are_right_by_the_second_method(task: str) -> None:
    for it in all_of(task):
        assert confirm(task, it.graph, it.source, it.target, it.answer)


@pytest.mark.parametrize("task", ["connectivity", "cycle"])
def test_both_answers_occur_and_not_always_in_one_order(task: str) -> None:
    orders = {tuple(it.answer for it in exemplars(task, k)) for k in GENERATIONS}
    assert len(orders) > 1
    for order in orders:
        assert 2 <= order.count("Yes") <= 3
        assert order.count("Yes") + order.count("No") == 5


def test_exemplars_teach_no_shortcut() -> None:
    for it in all_of("bfs_order"):
        assert (
            networkx.eccentricity(
                plain(it.graph).subgraph(
                    networkx.node_connected_component(plain(it.graph), it.source)
                ),
                it.source,
            )
            >= 2
        )
    for it in all_of("connectivity"):
        assert it.graph.degrees[it.source] > 0
        assert it.graph.degrees[it.target] > 0
    for generation in GENERATIONS:
        found = {task: [it.answer for it in exemplars(task, generation)] for task in WORDINGS}
        assert sorted(path.count(",") for path in found["shortest_path"]) == [1, 2, 2, 3, 4]
        assert sorted(found["triangle"]) == ["0", "1", "2", "3", "4"]
        assert sorted(found["diameter"]) == ["2", "2", "3", "3", "4"]
        assert found["hamiltonian_cycle"].count("none") == 2
        parts = [
            networkx.is_connected(plain(it.graph))
            for it in exemplars("connectivity", generation)
            if it.answer == "Yes"
        ]
        assert sorted(parts) == [False, False, True]


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("task", WORDINGS)
def test_no_statement_is_false(task: str, style: str) -> None:
    for it in all_of(task):
        assert faults(it, text_of(it, style)) == []


# The same for any graph, not only for those that were drawn.
@pytest.mark.parametrize("task", WORDINGS)
@settings(suppress_health_check=[HealthCheck.filter_too_much], max_examples=60)
@given(data=st.data())
def test_no_statement_is_false_for_any_graph(task: str, data: st.DataObject) -> None:
    it = work_out(task, *data.draw(questions(task)))
    for style in STYLES:
        # Not every graph without a Hamiltonian cycle has a short reason.
        if style != "reasoning" or it.reasoning:
            assert faults(it, text_of(it, style)) == []


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("task", WORDINGS)
def test_every_wrong_number_is_found(task: str, style: str) -> None:
    changed = 0
    for it in exemplars(task, 1):
        text = text_of(it, style)
        for number in re.finditer(r"[0-9]+", text):
            old = int(number[0])
            for new in {old + 1, abs(old - 1), it.graph.n_nodes} - {old}:
                wrong = text[: number.start()] + str(new) + text[number.end() :]
                begin = wrong.rfind(". ", 0, number.start()) + 1
                sentence = wrong[begin : wrong.find(".", number.start())]
                found = faults(it, wrong)
                changed += 1
                if new == it.graph.n_nodes or not any(part in sentence for part in NAMES_ONE):
                    # A bare answer may be another right one.
                    other = style == "" and confirm_sentence(it, wrong)
                    assert found or other, wrong
    # A bare yes or no to "a cycle in this graph" has no number.
    assert changed > 100 if style else changed or task == "cycle"


def confirm_sentence(it: Exemplar, sentence: str) -> bool:
    """Whether a path, order, cycle or cut in an answer sentence is another right one."""
    numbers = re.search(r"(?:is|side) ([0-9,]+)\.$", sentence)
    if numbers is None or it.task not in ("bfs_order", "shortest_path", "max_cut"):
        return False
    named = sentence.replace(numbers[0], "") == it.sentence.replace(
        re.search(r"(?:is|side) ([0-9,]+)\.$", it.sentence)[0], ""
    )
    size = it.answer.split(": ")[0] + ": " if it.task == "max_cut" else ""
    return named and confirm(it.task, it.graph, it.source, it.target, size + numbers[1])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Yes, there is a ", "No, there is no "),
        ("No, there is no ", "Yes, there is a "),
        ("already visited", "not visited yet"),
        ("not visited yet", "already visited"),
        ("is not visited", "is visited"),
        ("is the parent, so leave it out", "is not visited, so go to node 0"),
        ("no neighbors left", "some neighbors left"),
        ("so go back", "so go on"),
        ("common neighbors of its ends do not exist", "common neighbors of its ends are [0]"),
        ("There are no edges between them", "Edges between them: [0-1]"),
        ("but 4-0 is not an edge, so go back to", "and 4-0 is an edge. Now go to"),
        ("is among them", "is not among them"),
        ("is not among them.", "is among them, and 0,1 is a path to it."),
        ("A Hamiltonian cycle needs", "A Hamiltonian path needs"),
        ("The answer is none.", "A Hamiltonian cycle of this graph is 0,1,2,3,4."),
    ],
)
def test_every_wrong_word_is_found(old: str, new: str) -> None:
    changed = 0
    for task in WORDINGS:
        for it in all_of(task):
            for style in ("reasoning", "run"):
                text = text_of(it, style)
                changed += text.count(old)
                for place in range(text.count(old)):
                    begin = [found.start() for found in re.finditer(re.escape(old), text)][place]
                    assert faults(it, text[:begin] + new + text[begin + len(old) :])
    assert changed


@pytest.mark.parametrize("task", WORDINGS)
def test_what_does_not_lead_to_an_answer_is_found(task: str) -> None:
    for it in exemplars(task, 1):
        for style in ("reasoning", "run"):
            text = text_of(it, style)
            steps = re.split(r"(?<=\.) ", text)
            assert faults(it, f"{steps[0]} {steps[-1]}") or len(steps) == 2
            assert faults(it, " ".join(steps[:-1]))
            assert faults(it, f"{text} {it.sentence}")
            assert faults(it, f"{steps[0]} It is easy to see. {' '.join(steps[1:])}")
            # Steps of a search that are told in another order were not taken so.
            assert style != "run" or faults(it, " ".join([*steps[-2::-1], steps[-1]]))
        assert faults(it, "")


@given(data=st.data())
@settings(max_examples=60)
def test_any_mixture_of_sentences_is_judged(data: st.DataObject) -> None:
    """Sentences of other runs may be false, but never stop the checker."""
    sentences = [
        sentence
        for task in WORDINGS
        for it in exemplars(task, 1)[:2]
        for style in STYLES
        for sentence in re.split(r"(?<=\.) ", text_of(it, style))
    ]
    it = exemplars(data.draw(st.sampled_from(list(WORDINGS))), 1)[0]
    mixed = data.draw(st.lists(st.sampled_from(sentences), min_size=3, max_size=30))
    assert set(faults(it, " ".join(mixed))) <= set(mixed)


@pytest.mark.parametrize("task", WORDINGS)
def test_whole_queries_have_no_false_exemplar(task: str) -> None:
    shown = exemplars(task, 2)[0]
    for _, _, text in queries(task, shown.graph, shown.source, shown.target, 1):
        assert exemplar_faults(read_query(text).before) == ()


def test_a_false_exemplar_in_a_query_is_found() -> None:
    texts = [text for _, _, text in queries("cycle", Graph(5, ((0, 1),)), None, None, 1)]
    spoilt = 0
    for before in {read_query(text).before for text in texts}:
        for old, new in [
            ("A: Yes, there is a", "A: No, there is no"),
            ("so remove node", "so keep node"),
            ("so go back to node", "so go back to node 1"),
            ("\nQ: Is there", "\nQ: Why is there"),
        ]:
            if old in before:
                spoilt += 1
                assert exemplar_faults(before.replace(old, new, 1))
    # The seven formats of four schemes.
    assert spoilt >= 4 * 7


@pytest.mark.parametrize("form", ["edge_list", "edge_set", "gml", "graphml"])
def test_another_graph_in_an_exemplar_is_found(form: str) -> None:
    for scheme in ("cot", "algorithm"):
        (row,) = queries("triangle", Graph(5, ((0, 1),)), None, None, 1, [form], [scheme])
        before = read_query(row[2]).before
        spoilt = 0
        for it in exemplars("triangle", 1):
            u, v = it.graph.edges[0]
            for edge in (f"{u} {v}\n", f"({u}, {v}), ", f"source {u} target {v} ",
                         f'source="{u}" target="{v}"'):  # fmt: skip
                if edge in before:
                    spoilt += 1
                    assert exemplar_faults(before.replace(edge, "", 1))
        assert spoilt


def test_what_cannot_be_worked_out_is_refused() -> None:
    with pytest.raises(InputError, match="names 1 nodes"):
        work_out("bfs_order", Graph(3, ((0, 1),)))
    with pytest.raises(InputError, match="choose from"):
        exemplars("colouring", 1)
    with pytest.raises(TypeError):
        exemplars("cycle", None)  # case G22: no seed is not a seed
