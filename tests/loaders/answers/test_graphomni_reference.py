"""The imitation of GraphOmni's published evaluator: its verdicts, and each of its known faults."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchloom.builders.errors import InputError
from benchloom.loaders.answers.graphomni_reference import judge

CASES = Path(__file__).parents[2] / "cases" / "graphomni_answers.jsonl"
TASKS = {"bfs": "bfs_order"}

# Where the published evaluator's own code, run on the cases, does not give the right verdict.
WRONG_AS_RIGHT = {1, 5, 12, 25, 79}
RIGHT_AS_WRONG = {
    0, 4, 16, 17, 21, 24, 27, 48, 53, 54, 55, 56, 62, 72, 76, 77, 85, 91, 92, 93, 94, 101, 103,
    104, 105, 110, 112, 114, 121,
}  # fmt: skip

YES, NO = {"answer": "Yes"}, {"answer": "No"}
# 0-1-2-3, 0-4, 4-3 and an isolated node 5
PATHS = {
    "n_nodes": 6, "edges": [[0, 1], [1, 2], [2, 3], [0, 4], [3, 4]], "source": 0, "target": 3,
    "answer": "0,4,3",
}  # fmt: skip
ORDER = {**PATHS, "target": None, "answer": "0,1,4,2,3"}
NEXT = {**PATHS, "target": 1, "answer": "0,1"}


def verdict(task, response, reference):
    return judge(task, response, reference).verdict


def number(answer):
    return {"answer": str(answer)}


def test_it_is_right_where_the_published_evaluator_is():
    agreed = 0
    for line in CASES.read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        truth, asked = case["truth"], [*case["args"], None, None]
        reference = {
            "n_nodes": case["n"],
            "edges": case["edges"],
            "source": asked[0],
            "target": asked[1],
            "answer": ",".join(map(str, truth)) if isinstance(truth, list) else str(truth),
        }
        found = judge(TASKS.get(case["task"], case["task"]), case["response"], reference)
        place = int(case["id"].removeprefix("dev-"))
        right = case["verdict"] == "correct"
        expected = not right if place in WRONG_AS_RIGHT | RIGHT_AS_WRONG else right
        assert (found.verdict == "correct") == expected, (case["id"], found)
        agreed += (found.verdict == "correct") == right
    assert agreed == 91


@pytest.mark.parametrize("task", ["connectivity", "cycle"])
@pytest.mark.parametrize("response", ["No", "no.", "**No**", " NO!\n", "False"])
def test_a_bare_no_is_scored_backwards(task, response):
    assert verdict(task, response, YES) == "correct"
    assert verdict(task, response, NO) == "incorrect"
    assert judge(task, response, NO).extracted == "Yes"


@pytest.mark.parametrize(
    ("task", "response", "claim"),
    [
        ("connectivity", "Yes", "Yes"),
        ("connectivity", "Yes, there is a path between node 0 and node 3.", "Yes"),
        ("connectivity", "No, there is no path between node 0 and node 3.", "No"),
        ("connectivity", "It needs some work.\n\nSo the answer is no.", "No"),
        ("connectivity", "If there is a path, we find it.\nThere is no path.", "No"),
        ("connectivity", "Let me see whether there is a path", None),
        ("cycle", "No, there is no cycle in this graph.", "No"),
        ("cycle", "The graph contains a cycle.", "Yes"),
        ("cycle", "def f(): ...\n# Output: False", "No"),
        ("cycle", "# Output:\nTRUE", "Yes"),
        (
            "cycle",
            "# the cycle\nprint(x)  # no output: yet\n# output: true\n# output: false",
            "Yes",
        ),
        ("cycle", "output: false", "No"),
        # yes is found inside other words
        ("connectivity", "To the eyes there is no path.", "Yes"),
        ("connectivity", "Before your eyes a path appears.", "Yes"),
        # the first paragraph beats a later correction, and a yes beats a no
        ("connectivity", "Yes, I think so.\n\nWait. There is no path.", "Yes"),
        ("cycle", "The answer is no, or yes.", "Yes"),
        ("connectivity", "<think>no path?</think>It is true that there is no path.", "Yes"),
        # other words for no are not read
        ("connectivity", "Node 0 and node 3 are disconnected.", None),
        ("connectivity", '{"answer": "No"}', None),
        ("cycle", "The graph is acyclic.", None),
    ],
)
def test_yes_or_no(task, response, claim):
    found = judge(task, response, YES)
    assert found.extracted == claim
    assert found.verdict == {"Yes": "correct", "No": "incorrect", None: "unparseable"}[claim]
    opposite = {"Yes": "incorrect", "No": "correct", None: "unparseable"}[claim]
    assert verdict(task, response, NO) == opposite


@pytest.mark.parametrize(
    ("task", "response", "claims"),
    [
        ("diameter", "The diameter is 3.", 3),
        ("diameter", "3", 3),
        ("diameter", "The diameter is 3.0.", 3),
        ("diameter", "$$ 3.0 $$", 3),
        ("diameter", "Diameter of the graph: **3**", 3),
        # the last of several numbers after a phrase
        ("diameter", "The diameter is 3 (between 2 and 7)", 7),
        ("diameter", "The diameter is 3, between the nodes 2 and 7.", 7),
        # any of the numbers after several phrases
        ("diameter", "The diameter is 3. No, the diameter is 5.", [3, 5]),
        # .0 is struck out wherever it stands
        ("diameter", "10.05", 105),
        # several numbers and no word
        ("diameter", "3, 4", [3, 4]),
        ("diameter", "2.5", "2.5"),
        # nothing but the first and the last paragraph
        (
            "diameter",
            "First we look at the graph as a whole\n\nIts diameter is 3, which we note here\n\n"
            "That is all there is to say about it",
            None,
        ),
        (
            "diameter",
            "First we look at the graph as a whole.\n\nIts diameter is 3, which we note here.\n\n"
            "That is all there is to say about it.",
            3,
        ),
        ("diameter", "Diameter = 4", None),
        ("diameter", "The diameter of this graph is three.", None),
        ("diameter", r"\boxed{3}", None),
        ("diameter", r"So \boxed{3}", None),
        ("triangle", "The number of triangles is 9.", 9),
        ("triangle", "There are nine triangles.", 9),
        ("triangle", "There are thirty triangles", 30),
        ("triangle", "I count 3 triangles. Some are missing. The number of triangles is 6", [3, 6]),
        ("triangle", "The number of triangles is 3 nodes", None),
        ("triangle", "3.7", 3),
        ("triangle", r"The result: $\boxed{30}$", None),
        ("triangle", "54 / 3 = 18 triangles", 18),
        ("triangle", "", None),
        ("triangle", "yes", None),
    ],
)  # fmt: skip
def test_numbers(task, response, claims):
    assert judge(task, response, number(1)).extracted == claims
    if isinstance(claims, int):
        assert verdict(task, response, number(claims)) == "correct"
        assert verdict(task, response, number(claims + 1)) == "incorrect"
    elif claims is None:
        assert verdict(task, response, number(3)) == "unparseable"


def test_any_number_after_a_phrase_counts_but_not_any_without_words():
    twice = "The diameter is 3. No, the diameter is 5."
    assert [verdict("diameter", twice, number(n)) for n in (3, 4, 5)] == [
        "correct",
        "incorrect",
        "correct",
    ]
    assert verdict("diameter", "3, 4", number(3)) == "incorrect"


@pytest.mark.parametrize("truth", [0, 9])
def test_no_triangles_is_never_right(truth):
    response = "There are no triangles in this graph."
    assert judge("triangle", response, number(truth)).extracted == 0
    assert verdict("triangle", response, number(truth)) == "incorrect"
    partly = "There are no triangles containing node 0. The number of triangles is 9."
    assert verdict("triangle", partly, number(truth)) == "incorrect"


@pytest.mark.parametrize(
    ("response", "claims", "right"),
    [
        ("0,4,3", [0, 4, 3], True),
        ("[0, 4, 3]", [0, 4, 3], True),
        ("The shortest path from node 0 to node 3 is 0,4,3.", [0, 4, 3], True),
        ("The shortest path from node 0 to node 3 is 0, 3, 0, 4, 3.", [0, 4, 3], True),
        # what follows the path is taken for nodes
        ("The shortest path is 0,4,3 with length 2.", [0, 4, 3, 2], False),
        ("The shortest path is 0,4,3. It has length 2.", [0, 4, 3], True),
        # any path counts, whatever follows
        (
            "The shortest path is 0,1,2,3. Wait: the shortest path is 0,4,3.",
            [[0, 1, 2, 3], [0, 4, 3]],
            True,
        ),
        (
            "The shortest path is 0,4,3. Wait: the shortest path is 0,1,2,3.",
            [[0, 4, 3], [0, 1, 2, 3]],
            True,
        ),
        (r"\boxed{0,4,3}", None, False),
        (r"So the path: \boxed{0,4,3}", None, False),
        ("Go from node 0 to node 4 and then to node 3.", None, False),
        ("There is no path between node 0 and node 3.", None, False),
        (f"The shortest path is 0,{'9' * 5000},3", [0, -1, 3], False),
    ],
)
def test_paths(response, claims, right):
    found = judge("shortest_path", response, PATHS)
    assert found.extracted == claims
    assert found.verdict == ("correct" if right else "incorrect" if claims else "unparseable")


@pytest.mark.parametrize("words", ["one edge", "a single edge", "1 edge"])
def test_one_edge_is_a_path(words):
    response = f"The shortest path from node 0 to node 1 is {words} long"
    assert judge("shortest_path", response, NEXT).extracted == [0, 1]
    assert verdict("shortest_path", response, NEXT) == "correct"


@pytest.mark.parametrize(
    ("response", "claims", "right"),
    [
        ("0,1,4,2,3", [0, 1, 4, 2, 3], True),
        ("The BFS traversal order starting from node 0 is 0,4,1,3,2.", [0, 4, 1, 3, 2], True),
        ("The BFS traversal order starting from node 0 is 0,1,2,3,4.", [0, 1, 2, 3, 4], False),
        ("The traversal order is 0, 1, 4, 2, 3 (5 nodes).", [0, 1, 4, 2, 3, 5], False),
        (
            "The bfs traversal order for the given graph starting from node 0 is 0,1,4,2,3",
            [0, 0, 1, 4, 2, 3],
            False,
        ),
        ("The order is 0,1,2. The order is 0,1,4,2,3", [[0, 1, 2], [0, 1, 4, 2, 3]], True),
        ("BFS order: 0 → 1 → 4 → 2 → 3", [0, 1, 4, 2, 3], True),
        ("The order is:\n1. Node 0\n2. Node 1\n3. Node 4\n4. Node 2\n5. Node 3", None, False),
        (r"So \boxed{0,1,4,2,3}", None, False),
    ],
)
def test_orders(response, claims, right):
    found = judge("bfs_order", response, ORDER)
    assert found.extracted == claims
    assert found.verdict == ("correct" if right else "incorrect" if claims else "unparseable")


@pytest.mark.parametrize(
    ("task", "reference"),
    [
        ("connectivity", YES), ("cycle", NO), ("diameter", number(3)), ("triangle", number(3)),
        ("shortest_path", PATHS), ("bfs_order", ORDER),
    ],
)  # fmt: skip
class TestAllTasks:
    @pytest.mark.parametrize("response", [None, "", " \n\n ", "\u2028"])
    def test_nothing_is_unparseable(self, task, reference, response):
        # A blank line has no letters, so all (that is no) numbers of it are the nodes.
        expected = {"unparseable"} | ({"incorrect"} if response and "edges" in reference else set())
        assert verdict(task, response, reference) in expected

    @given(st.text() | st.text("yesno0123456789.,:#\n isdiameterpathoutput{}[]*$`"))
    def test_any_text_has_a_verdict(self, task, reference, response):
        found = judge(task, response, reference)
        assert found.verdict in ("correct", "incorrect", "unparseable")
        assert (found.extracted is None) == (found.verdict == "unparseable")

    def test_a_missing_column_is_named(self, task, reference):
        response = {"connectivity": "yes", "cycle": "yes"}.get(task, "3")
        lacking = {key: value for key, value in reference.items() if key in ("source", "target")}
        with pytest.raises(InputError, match=f"{task} question has no column '(answer|n_nodes)'"):
            judge(task, response, lacking)


@pytest.mark.parametrize("task", ["hamiltonian_cycle", "max_cut"])
def test_tasks_that_were_not_published_are_refused(task):
    with pytest.raises(InputError, match=f"has no {task}; take strict or lenient"):
        judge(task, "0,1,2", {"answer": "none"})


def test_an_unknown_task_is_refused():
    with pytest.raises(InputError, match="there is no task 'clique'; choose from connectivity"):
        judge("clique", "3", {"answer": "3"})


@given(st.sampled_from([YES, NO]), st.text("yesnotru false#utpa\n.,"))
def test_the_claim_does_not_depend_on_the_answer(reference, response):
    other = NO if reference is YES else YES
    one, another = (judge("connectivity", response, of) for of in (reference, other))
    assert one.extracted == another.extracted
