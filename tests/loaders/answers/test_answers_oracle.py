"""The records' own answers, and wrong ones, in ten phrasings each."""

import importlib.util
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

TASKS = (
    "bfs_order", "connectivity", "cycle", "diameter", "shortest_path", "triangle",
    "hamiltonian_cycle", "max_cut",
)  # fmt: skip
PER_CELL = 17
"""Instances of a task and difficulty: some 400 altogether."""


@pytest.fixture(scope="module")
def oracle() -> ModuleType:
    file = Path(__file__).parents[2] / "support" / "oracle_answers.py"
    spec = importlib.util.spec_from_file_location("oracle_answers", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("task", TASKS)
def test_right_and_wrong_answers_are_told_apart(oracle: ModuleType, task: str) -> None:
    expected: Callable[[bool, bool], tuple[str, str]] = oracle.expected
    count = 0
    for instance in oracle.instances(task, PER_CELL):
        for text, is_right, is_accepted, *verdicts in oracle.judged(instance):
            assert tuple(verdicts) == expected(is_right, is_accepted), (instance.answer, text)
            count += 1
    assert count >= 20 * 2 * PER_CELL
