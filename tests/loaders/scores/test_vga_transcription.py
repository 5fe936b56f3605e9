"""Scores of transcribed adjacency matrices (appendix D)."""

import json
from typing import Any

import numpy as np
import pytest

from benchloom.builders.errors import InputError
from benchloom.builders.graphs.answers import has_hamiltonian_path
from benchloom.builders.graphs.graph import Graph
from benchloom.builders.graphs.graph6 import decode, encode
from benchloom.builders.seeds import rng
from benchloom.loaders.scores.vga import score

N = 40


def records() -> list[dict[str, Any]]:
    found = []
    for k in range(N):
        chosen = rng("test_vga_transcription", k).random((8, 8)) < 0.4
        graph = Graph.of(8, [(u, v) for u in range(8) for v in range(u) if chosen[u, v]])
        answer = "yes" if has_hamiltonian_path(graph) else "no"
        found.append(
            {"id": str(k), "config": "ham_path", "answer": answer, "graph6": encode(graph)}
        )
    return found


def matrix(line: str, key: str) -> np.ndarray[Any, Any]:
    """A graph's adjacency matrix, its nodes numbered at random."""
    graph = decode(line)
    graph = graph.relabelled(rng("test_vga_transcription", key).permutation(graph.n_nodes))
    cells = np.zeros((graph.n_nodes, graph.n_nodes), int)
    for u, v in graph.edges:
        cells[u, v] = cells[v, u] = 1
    return cells


def overview(result: Any, model: str) -> dict[str, Any]:
    table = result.table("overview")
    (row,) = (row for row in table.rows if row[0] == model)
    return dict(zip(table.head, row, strict=True))


def test_transcriptions_are_scored_up_to_isomorphism() -> None:
    right, lacking, torn = {}, {}, {}
    for record in records():
        cells = matrix(record["graph6"], record["id"])
        right[record["id"]] = f"Here it is:\n{json.dumps(cells.tolist())}"
        u, v = np.argwhere(cells)[0]
        cells[u, v] = 0
        torn[record["id"]] = str(cells)
        cells[v, u] = 0
        lacking[record["id"]] = str(cells)
    torn["0"] = "I see eight nodes."
    del lacking["1"]
    given = {"right": right, "lacking": lacking, "torn": torn}
    result = score(given, records(), transcription=True)
    row = overview(result, "right")
    assert (row["exact"], row["nodes right"], row["edges right"], row["edits"]) == (1, 1, 1, 0)
    row = overview(result, "lacking")
    assert (row["exact"], row["missing"], row["answered"]) == (0, 1, N - 1)
    assert (row["error in nodes"], row["error in edges"], row["edits"]) == (0, -1, 1)
    assert row["absolute error in edges"] == 1
    row = overview(result, "torn")
    assert (row["exact"], row["unparseable"], row["simple graphs"], row["edits"]) == (0, 1, 0, None)
    faults = {row[0]: tuple(row[1:]) for row in result.table("faults").rows}
    assert faults["torn"] == (0, 0, N - 1, 0, 0)
    verdicts = {(row["model"], row["id"]): row for row in result.verdicts.to_pylist()}
    assert verdicts["lacking", "1"]["verdict"] == "missing"
    assert verdicts["lacking", "2"]["error_in_edges"] == -1
    assert (
        json.loads(verdicts["right", "0"]["extracted"])
        == matrix(records()[0]["graph6"], "0").tolist()
    )
    symmetrised = score({"torn": torn}, records(), transcription=True, symmetrise=True)
    assert overview(symmetrised, "torn")["exact"] == (N - 1) / N
    assert symmetrised.table("faults").rows[0][-1] == N - 1
    assert symmetrised.data["symmetrised"] is True


def test_a_picture_of_two_graphs_has_no_one_matrix() -> None:
    pair = [{"id": "a", "config": "easy_iso", "answer": "yes"}]
    with pytest.raises(InputError, match="one graph a picture"):
        score({"a": "0 1\n1 0"}, pair, transcription=True)
