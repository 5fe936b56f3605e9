"""The examples of the README, by which it says how each grader decides, are what they say."""

from pathlib import Path
from typing import Any

import pytest

from benchloom.loaders.answers import GRADERS, judge

README = Path(__file__).parents[3] / "README.md"
WORDS = {"correct": "correct", "incorrect": "wrong", "unparseable": "unparseable"}
RING = {"n_nodes": 5, "edges": [[0, 1], [1, 2], [2, 3], [0, 4], [3, 4]], "source": 0, "target": 2}
PATHS = {"n_nodes": 5, "edges": [[0, 1], [1, 2], [3, 4]], "source": 0}
REFERENCES: dict[str, dict[str, Any]] = {
    "connectivity, no": {**PATHS, "target": 3, "answer": "No"},
    "connectivity, yes": {**PATHS, "target": 2, "answer": "Yes"},
    "cycle, no": {"n_nodes": 5, "edges": [[0, 1], [3, 4]], "answer": "No"},
    "diameter, 3": {"n_nodes": 4, "edges": [[0, 1], [1, 2], [2, 3]], "answer": "3"},
    "triangle, 0": {"n_nodes": 4, "edges": [[0, 1], [1, 2], [2, 3]], "answer": "0"},
    "shortest_path, 0,1,2": {**RING, "answer": "0,1,2"},
    "bfs_order, 0,1,4,2,3": {**RING, "answer": "0,1,4,2,3"},
}


def rows() -> list[list[str]]:
    lines = README.read_text().splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("| task, right answer"))
    table = []
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        table.append([cell.strip() for cell in line.strip("|").split("|")])
    return table


@pytest.mark.parametrize("row", rows(), ids=lambda row: row[1])
def test_a_row_is_what_the_graders_say(row: list[str]) -> None:
    question, response, *stated = row
    reference = REFERENCES[question]
    task = question.partition(",")[0]
    found = [judge("graphomni", task, response.strip("`"), reference, one) for one in GRADERS]
    by_name = dict(zip(GRADERS, (WORDS[one.verdict] for one in found), strict=True))
    assert stated == [by_name["lenient"], by_name["strict"], by_name["reference"]]


def test_rows_show_every_verdict() -> None:
    assert {cell for row in rows() for cell in row[2:]} == set(WORDS.values())
