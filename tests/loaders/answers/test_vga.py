"""Answers to VGA's questions: what is claimed in free text, and whether it is right."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchloom.builders.errors import InputError
from benchloom.builders.vga.configs import CONFIGS
from benchloom.loaders.answers import grader_version, judge
from benchloom.loaders.answers.vga import extract

YES, NO = "Yes", "No"
CASES = Path(__file__).parents[2] / "cases" / "vga_answers.jsonl"
"""Answers as models write them, each with what it claims."""


def cases() -> list[tuple[str, str, str | int | None]]:
    rows = map(json.loads, CASES.read_text(encoding="utf-8").splitlines())
    return [(row["task"], row["response"], row["claimed"]) for row in rows]


@pytest.mark.parametrize(("task", "response", "claimed"), cases())
def test_claims_in_free_text(task: str, response: str, claimed: str | int | None) -> None:
    assert extract(task, response).extracted == claimed


def _in_own_words(task: str, answer: str) -> str:
    yes = answer == "yes"
    if task in ("easy_iso", "hard_iso"):
        return f"The two graphs are {'' if yes else 'not '}isomorphic."
    if task in ("ham_path", "ham_cycle"):
        kind = "path" if task == "ham_path" else "cycle"
        return f"The graph {'has a' if yes else 'has no'} Hamiltonian {kind}."
    named = "shortest path" if task == "shortest_path" else "longest chordless cycle"
    return f"The {named} has length {answer}."


PHRASINGS: list[Callable[[str, str], str]] = [
    lambda task, answer: answer,
    lambda task, answer: f" {answer.capitalize()}.\n",
    lambda task, answer: f"**{answer}**",
    lambda task, answer: f"Let me look at the picture.\n\nAnswer: {answer}",
    lambda task, answer: f"I compared 8 nodes and 12 edges. The answer is {answer.capitalize()}.",
    lambda task, answer: f"So it is\n$$\\boxed{{\\text{{{answer}}}}}$$",
    lambda task, answer: f'```json\n{{"answer": "{answer}"}}\n```',
    lambda task, answer: f"The left part is sparse. {_in_own_words(task, answer)}",
    lambda task, answer: f"<think>Is it yes? Or 4? No, 3.</think>\n\n{answer}",
    lambda task, answer: f"### Final answer\n\n{answer}",
]


@pytest.mark.parametrize("task", CONFIGS)
@pytest.mark.parametrize("grader", ["strict", "lenient"])
def test_oracle_in_ten_phrasings(task: str, grader: str) -> None:
    for answer in CONFIGS[task].labels:
        for said in CONFIGS[task].labels:
            expected = "correct" if said == answer else "incorrect"
            for phrasing in PHRASINGS:
                response = phrasing(task, said)
                verdict = judge("vga", task, response, {"answer": answer}, grader)  # type: ignore[arg-type]
                assert verdict.verdict == expected, (response, verdict)


@pytest.mark.parametrize(
    "response",
    [
        "I think they're isomorphic since the degrees agree, and so do the triangles.",
        "Yes they are isomorphic",
        "They are the same graph",
    ],
)
def test_strict_takes_no_free_text(response: str) -> None:
    assert extract("easy_iso", response, "lenient").extracted == YES
    assert extract("easy_iso", response, "strict").extracted is None


def test_numbers_beyond_the_labels_are_incorrect() -> None:
    verdict = judge("vga", "shortest_path", "The shortest path has length 5", {"answer": "3"})
    assert (verdict.verdict, verdict.extracted) == ("incorrect", 5)


def test_class_numbers_are_read_only_when_asked_for() -> None:
    from benchloom.loaders.answers.vga import judge as judge_vga

    of = {"answer": "3"}
    assert judge_vga("shortest_path", "2", of, labels="indices").verdict == "correct"
    assert judge_vga("shortest_path", " 2.0 ", of, labels="indices").verdict == "correct"
    assert judge_vga("shortest_path", "3", of, labels="indices").extracted == 4
    assert judge_vga("easy_iso", "1", {"answer": "yes"}, labels="indices").extracted == YES
    assert judge_vga("shortest_path", "4", of, labels="indices").verdict == "unparseable"
    assert judge_vga("shortest_path", "3 edges", of, labels="indices").verdict == "unparseable"
    assert judge_vga("easy_iso", "1", {"answer": "yes"}).verdict == "unparseable"


def test_transcriptions_are_judged_up_to_isomorphism() -> None:
    path = {"graph6": "Bg"}  # 0-2, 1-2
    assert judge("vga", "transcription", "0 1 0\n1 0 1\n0 1 0", path).verdict == "correct"
    triangle = judge("vga", "transcription", "[[0,1,1],[1,0,1],[1,1,0]]", path)
    assert (triangle.verdict, triangle.extracted) == (
        "incorrect",
        [[0, 1, 1], [1, 0, 1], [1, 1, 0]],
    )
    assert triangle.reason == "nodes +0, edges +1, 1 edits away"
    torn = judge("vga", "transcription", "0 1 0\n0 0 1\n0 1 0", path)
    assert torn.verdict == "incorrect"
    assert "not symmetric" in torn.reason
    assert judge("vga", "transcription", "I see three nodes.", path).verdict == "unparseable"
    assert judge("vga", "transcription", None, path).verdict == "unparseable"
    assert judge("vga", "transcription", "<think>0 1 0", path).verdict == "unparseable"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("vga", "easy_iso", "yes", {"answer": "yes"}, "reference"), "only GraphOmni"),
        (("vga", "easy_iso", "yes", {"answer": "yes"}, "loose"), "loose"),
        (("vga", "cycle", "yes", {"answer": "yes"}), "cycle"),
        (("vga", "easy_iso", "yes", {}), "answer"),
        (("vga", "easy_iso", "yes", {"answer": "3"}), "none of easy_iso"),
        (("vga", "transcription", "0 1\n1 0", {"answer": "3"}), "graph6"),
        (("vga", "transcription", "0 1\n1 0", {"graph6": "B"}), "graph6"),
    ],
)
def test_bad_input_is_one_sentence(arguments: tuple[object, ...], words: str) -> None:
    with pytest.raises(InputError, match=words):
        judge(*arguments)  # type: ignore[arg-type]


def test_versions_are_known() -> None:
    assert grader_version("vga", "strict") == grader_version("vga", "lenient")
    with pytest.raises(InputError, match="only GraphOmni"):
        grader_version("vga", "reference")


PIECES = st.sampled_from(
    [
        "yes", "no", "not", "isomorphic", "hamiltonian", "path", "cycle", "shortest", "longest",
        "length", "is", "has", "3", "4", "(c)", "edges", "answer:", "\\boxed{", "}", "{", "wait,",
        "<think>", "</think>", "|", "\n", ".", "?", "1 0 1", "[0, 1]", "chordless", "exactly once",
    ]
)  # fmt: skip


@settings(deadline=None, max_examples=300)
@given(st.text() | st.lists(PIECES, max_size=30).map(" ".join))
def test_any_text_can_be_judged(response: str) -> None:
    for task, config in CONFIGS.items():
        lenient = judge("vga", task, response, {"answer": config.labels[0]}, "lenient")
        strict = judge("vga", task, response, {"answer": config.labels[0]}, "strict")
        assert strict.verdict != "correct" or lenient.verdict == "correct"
        assert lenient.extracted is None or strict.extracted in (None, lenient.extracted)
    judge("vga", "transcription", response, {"graph6": "Bg"})
