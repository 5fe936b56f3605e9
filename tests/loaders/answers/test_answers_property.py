"""What holds for any text: no exception, and a strict grader that is never more generous."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchloom.builders.seeds import rng
from benchloom.loaders.answers.graphomni import TASKS, extract

CASES = Path(__file__).parents[2] / "cases"
LINES = (CASES / "graphomni_phrasings.jsonl").read_text(encoding="utf-8").split("\n")
RESPONSES = [json.loads(line)["response"] for line in LINES if line]
PIECES = [
    "Yes", "no", "**", "\\boxed{", "}", "<think>", "</think>", "```", "\n", " ", "wait", "Q: ",
    '{"answer": ', "|", "6 -> 0", "3.0", "1,234", ".", "?", "if", "not", "the answer is", "[", "(",
    "diameter", "triangles", "path", "cycle", "level 0:", "1.", "either", "or", "🎉", "\x00",
]  # fmt: skip
ASKED = {"connectivity": (6, 5), "shortest_path": (6, 5), "bfs_order": (4,)}


def check(task: str, text: str) -> None:
    lenient = extract(task, text, "lenient", ASKED.get(task, ()))
    strict = extract(task, text, "strict", ASKED.get(task, ()))
    assert strict.extracted in (None, lenient.extracted)
    assert lenient.reason
    assert strict.reason


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=400))
def test_any_text_is_read(text: str) -> None:
    for task in TASKS:
        check(task, text)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
def test_any_pieces_of_answers_are_read(text: str) -> None:
    for task in TASKS:
        check(task, text)


def test_mutated_answers_are_read() -> None:
    random = rng("test", "answers", "mutations")
    for number in range(1500):
        text = RESPONSES[int(random.integers(len(RESPONSES)))]
        for _ in range(int(random.integers(1, 4))):
            at = int(random.integers(len(text) + 1))
            until = min(len(text), at + int(random.integers(0, 12)))
            piece = PIECES[int(random.integers(len(PIECES)))]
            text = text[:at] + piece + text[until:]
        check(TASKS[number % len(TASKS)], text)


@pytest.mark.parametrize(
    "unit", ["((((", "1,1,1,1", "no no no ", "yes\n", "[[", "\\boxed{", "1 -> "]
)
def test_a_megabyte_of_anything_is_read(unit: str) -> None:
    for task in TASKS:
        check(task, unit * (1_000_000 // len(unit)))
