import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from benchloom.builders.errors import InputError
from benchloom.builders.graphomni.answers import (
    is_bfs_order,
    is_hamiltonian_cycle,
    is_shortest_path,
)
from benchloom.builders.graphs.graph import Graph
from benchloom.builders.seeds import rng
from benchloom.loaders.answers import GRADERS, grader_version, judge
from benchloom.loaders.answers.graphomni import TASKS, Question, extract

CASES = Path(__file__).parents[2] / "cases"
E5 = [[0, 1], [1, 2], [2, 3], [3, 4], [0, 4]]
"""The cycle 0-1-2-3-4."""
REFERENCES: dict[str, dict[str, Any]] = {
    "bfs_order": {"source": 0, "answer": "0,1,4,2,3"},
    "connectivity": {"source": 0, "target": 2, "answer": "Yes"},
    "cycle": {"answer": "Yes"},
    "diameter": {"answer": "2"},
    "shortest_path": {"source": 0, "target": 2, "answer": "0,1,2"},
    "triangle": {"answer": "0"},
    "hamiltonian_cycle": {"answer": "0,1,2,3,4"},
    "max_cut": {"answer": "4: 0,2"},
}


def reference(task: str, **changed: Any) -> dict[str, Any]:
    return {"n_nodes": 5, "edges": E5, **REFERENCES[task], **changed}


def published_cases() -> list[dict[str, Any]]:
    lines = (CASES / "graphomni_answers.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def phrasings() -> list[dict[str, Any]]:
    lines = (CASES / "graphomni_phrasings.jsonl").read_text(encoding="utf-8").split("\n")
    return [json.loads(line) for line in lines if line]


@pytest.mark.parametrize("case", published_cases(), ids=lambda case: case["id"])
def test_realistic_answers_are_judged_right(case: dict[str, Any]) -> None:
    truth = case["truth"]
    columns = {
        "n_nodes": case["n"],
        "edges": case["edges"],
        "answer": ",".join(map(str, truth)) if isinstance(truth, list) else str(truth),
        **dict(zip(("source", "target"), case["args"], strict=False)),
    }
    task = "bfs_order" if case["task"] == "bfs" else case["task"]
    found = judge("graphomni", task, case["response"], columns)
    assert (found.verdict, found.extracted) == (case["verdict"], case["extracted"]), found
    strict = judge("graphomni", task, case["response"], columns, "strict")
    assert strict.verdict in (case["verdict"], "unparseable")


@pytest.mark.parametrize("case", json.loads((CASES / "field_answers.json").read_text()))
def test_cases_from_the_field(case: dict[str, Any]) -> None:
    found = judge("graphomni", case["task"], case["response"], case["reference"])
    assert found.verdict == case["verdict"], found


def test_there_are_phrasings_of_all_tasks() -> None:
    counts = Counter(case["task"] for case in phrasings())
    assert set(counts) == set(TASKS)
    assert sum(counts.values()) >= 400


@pytest.mark.parametrize("task", TASKS)
def test_phrasings_are_read(task: str) -> None:
    faults = []
    for case in phrasings():
        if case["task"] == task:
            claim = extract(task, case["response"], "lenient", case["asked"])
            if claim.extracted != case["extracted"]:
                faults.append((case, claim))
    assert not faults


def test_the_strict_grader_claims_what_the_lenient_one_claims_or_nothing() -> None:
    accepted = 0
    for case in phrasings():
        claim = extract(case["task"], case["response"], "strict", case["asked"])
        accepted += claim.extracted is not None
        assert claim.extracted in (None, case["extracted"]), case
    assert accepted > 150


@pytest.mark.parametrize(
    ("task", "response"),
    [
        ("cycle", "Yes"),
        ("cycle", "**Yes**"),
        ("cycle", "yes."),
        ("cycle", "Answer: Yes"),
        ("cycle", "Some words on it.\n\nFinal answer: Yes"),
        ("cycle", "Some words on it. The answer is yes."),
        ("cycle", "Some words on it.\n\n$\\boxed{\\text{Yes}}$"),
        ("cycle", '{"answer": "Yes"}'),
        ("cycle", "<think>No.</think> Yes, there is a cycle in this graph."),
        ("cycle", "Some words. So yes, there is a cycle in this graph."),
        ("connectivity", "Yes, there is a path between node 0 and node 2."),
        ("diameter", "2"),
        ("diameter", "2.0"),
        ("diameter", "The maximum is 2.\nThe diameter is 2."),
        ("diameter", "### Answer\n2"),
        ("triangle", "The number of triangles is 0."),
        ("shortest_path", "0 -> 1 -> 2"),
        ("shortest_path", "The shortest path from node 0 to node 2 is 0,1,2."),
        ("shortest_path", "So it is this.\nAnswer: [0, 1, 2]"),
        ("bfs_order", "The BFS traversal order starting from node 0 is 0,4,1,3,2."),
        ("hamiltonian_cycle", "A Hamiltonian cycle of this graph is 0,1,2,3,4."),
        ("max_cut", "The size of the largest cut is 4, with the side 0,2."),
        ("max_cut", "4: 0,2"),
        ("cycle", "Some words. Therefore, the answer is Yes."),
        ("cycle", "0-1-2-3-4-0 closes, so the graph contains a cycle."),
        ("cycle", "In conclusion, there is a cycle in this graph (0-1-2-3-4-0)."),
        ("connectivity", "Some words. Hence, there is a path between node 0 and node 2."),
        ("diameter", "The diameter is 2 (between nodes 0 and 2)."),
        ("diameter", "Some words.\n\nThe diameter of the graph is two."),
        ("triangle", "There are no triangles."),
        ("triangle", "So the graph has 0 triangles."),
        ("shortest_path", "The shortest path is [0, 1, 2] with length 2."),
        ("shortest_path", "The shortest path from node 0 to node 2 is:\n\n0 -> 1 -> 2"),
        ("bfs_order", "BFS order: 0 → 4 → 1 → 3 → 2"),
        ("hamiltonian_cycle", "One Hamiltonian cycle is 0-1-2-3-4-0."),
        ("max_cut", "Max cut size: 4, side {0, 2}"),
        ("cycle", "The graph contains a cycle."),
        ("cycle", "The graph is not acyclic."),
        ("bfs_order", "The BFS traversal order is 0,1,4,2,3."),
        ("shortest_path", "The shortest path is 0,1,2."),
        ("shortest_path", "0,1,2 (2 edges)"),
        ("triangle", "The graph is triangle-free."),
    ],
)
def test_strict_takes_accepted_forms(task: str, response: str) -> None:
    for grader in ("strict", "lenient"):
        found = judge("graphomni", task, response, reference(task), grader)  # type: ignore[arg-type]
        assert found.verdict == "correct", found


@pytest.mark.parametrize(
    ("task", "response"),
    [
        ("cycle", "Yes, because 0-1-2-3-4-0."),
        ("cycle", "Answer: Yes\n\nI hope this helps!"),
        ("diameter", "The diameter of the graph is 2, from 0 to 2."),
        ("shortest_path", "The shortest path is 0,1,2, as 0 and 2 are not adjacent."),
        ("triangle", "There are no triangles. A triangle has 3 nodes."),
        ("bfs_order", "Level 0: 0\nLevel 1: 1, 4\nLevel 2: 2, 3"),
    ],
)
def test_strict_refuses_what_lenient_takes(task: str, response: str) -> None:
    assert judge("graphomni", task, response, reference(task)).verdict == "correct"
    assert judge("graphomni", task, response, reference(task), "strict").verdict == "unparseable"


@pytest.mark.parametrize(
    ("task", "response", "verdict"),
    [
        ("bfs_order", "0,1,4,2,3", "correct"),
        ("bfs_order", "0,4,1,3,2", "correct"),
        ("bfs_order", "0,4,1,2,3", "incorrect"),
        ("bfs_order", "1,0,2,4,3", "incorrect"),
        ("bfs_order", "0,1,4,2", "incorrect"),
        ("bfs_order", "0,1,4,2,3,3", "incorrect"),
        ("bfs_order", "0,1,4,2,9", "incorrect"),
        ("shortest_path", "0,1,2", "correct"),
        ("shortest_path", "2,1,0", "incorrect"),
        ("shortest_path", "0,4,3,2", "incorrect"),
        ("shortest_path", "0,2", "incorrect"),
        ("shortest_path", "0,7,2", "incorrect"),
        ("shortest_path", "There is no path between node 0 and node 2.", "incorrect"),
        ("hamiltonian_cycle", "0,4,3,2,1", "correct"),
        ("hamiltonian_cycle", "2,3,4,0,1,2", "correct"),
        ("hamiltonian_cycle", "0,1,2,3", "incorrect"),
        ("hamiltonian_cycle", "0,2,1,3,4", "incorrect"),
        ("hamiltonian_cycle", "none", "incorrect"),
        ("max_cut", "4: 1,3", "correct"),
        ("max_cut", "4: 0,2,4", "correct"),
        ("max_cut", "4: 0,1", "incorrect"),
        ("max_cut", "5: 0,2", "incorrect"),
        ("max_cut", "4: 0,9", "incorrect"),
        ("max_cut", "The largest cut has 4 edges.", "unparseable"),
        ("diameter", "The graph is disconnected, so the diameter is infinite.", "incorrect"),
    ],
)
def test_answers_with_several_right_forms_are_judged_by_the_rule(
    task: str, response: str, verdict: str
) -> None:
    found = judge("graphomni", task, response, reference(task))
    assert found.verdict == verdict, found


def test_where_no_hamiltonian_cycle_exists_only_none_is_right() -> None:
    columns = {"n_nodes": 3, "edges": [[0, 1], [1, 2]], "answer": "none"}
    for response, verdict in (("none", "correct"), ("0,1,2", "incorrect"), ("?", "unparseable")):
        assert judge("graphomni", "hamiltonian_cycle", response, columns).verdict == verdict


def test_rules_are_those_of_the_exact_answers() -> None:
    random = rng("test", "answers", "rules")
    for _ in range(300):
        n = int(random.integers(3, 7))
        edges = [(u, v) for u in range(n) for v in range(u + 1, n) if random.random() < 0.5]
        graph = Graph.of(n, edges)
        nodes = [int(v) for v in random.permutation(n)][: int(random.integers(2, n + 1))]
        source, target = nodes[0], nodes[-1]
        rules = {
            "bfs_order": is_bfs_order(graph, source, nodes),
            "shortest_path": is_shortest_path(graph, source, target, nodes),
            "hamiltonian_cycle": is_hamiltonian_cycle(graph, nodes),
        }
        for task, is_right in rules.items():
            if task == "hamiltonian_cycle" and len(nodes) < 3:
                continue
            columns = {"n_nodes": n, "edges": edges, "source": source, "target": target}
            found = Question(task, {**columns, "answer": "0"}).judge(",".join(map(str, nodes)))
            assert (found.verdict == "correct") == is_right, (task, edges, nodes, found)


def test_no_response_is_unparseable_and_both_graders_say_so() -> None:
    for task in TASKS:
        for grader in ("strict", "lenient"):
            found = judge("graphomni", task, None, reference(task), grader)  # type: ignore[arg-type]
            assert (found.verdict, found.extracted) == ("unparseable", None)


def test_extraction_does_not_depend_on_the_right_answer() -> None:
    response = "The shortest path from node 0 to node 2 is 0,4,3,2."
    for answer in ("0,1,2", "0,4,3,2"):
        found = judge(
            "graphomni", "shortest_path", response, reference("shortest_path", answer=answer)
        )
        assert found.extracted == [0, 4, 3, 2]
        assert found.verdict == "incorrect"


def test_statements_about_other_nodes_are_no_claims() -> None:
    response = "Yes. Node 0 reaches node 2. But there is no path between node 1 and node 9."
    assert (
        judge("graphomni", "connectivity", response, reference("connectivity")).verdict == "correct"
    )


def test_the_reference_grader_is_asked() -> None:
    columns = reference("cycle", answer="No")
    assert judge("graphomni", "cycle", "No", columns).verdict == "correct"
    # The published evaluator takes a bare No for no answer, or for a yes.
    assert judge("graphomni", "cycle", "No", columns, "reference").verdict != "correct"


@pytest.mark.parametrize(
    ("task", "columns", "words"),
    [
        ("radius", {}, "there is no task 'radius'"),
        ("cycle", {"n_nodes": 3, "edges": []}, "lacks 'answer'"),
        ("cycle", {"n_nodes": "many", "edges": [], "answer": "No"}, "cannot be used"),
        ("cycle", {"n_nodes": 2, "edges": [[0, 5]], "answer": "No"}, "cannot be used"),
        ("bfs_order", {"n_nodes": 2, "edges": [], "answer": "0"}, "lacks 'source'"),
        ("bfs_order", {"n_nodes": 2, "edges": [], "answer": "0", "source": None}, "cannot be used"),
        ("bfs_order", {"n_nodes": 2, "edges": [], "answer": "0", "source": 2}, "cannot be used"),
    ],
)
def test_references_that_cannot_be_used_are_named(
    task: str, columns: dict[str, Any], words: str
) -> None:
    with pytest.raises(InputError, match=words):
        judge("graphomni", task, "No", columns)


def test_graders_are_named_and_versioned() -> None:
    versions = {grader: grader_version("graphomni", grader) for grader in GRADERS}
    assert all(len(version.split("-")[1]) == 8 for version in versions.values())
    assert versions["reference"] != versions["lenient"]
    with pytest.raises(InputError, match="there is no grader 'kind'"):
        grader_version("graphomni", "kind")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="there is no grader 'kind'"):
        judge("graphomni", "cycle", "No", reference("cycle"), "kind")  # type: ignore[arg-type]


def test_what_a_verdict_holds_is_the_callers_own() -> None:
    question = Question("shortest_path", reference("shortest_path"))
    for _ in range(2):
        found = question.judge("0 -> 1 -> 2").extracted
        assert found == [0, 1, 2]
        found.clear()
