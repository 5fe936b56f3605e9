"""Scores of answers to VGA: tables, parts, comparisons, and what is said about them."""

import json
from typing import Any

import pytest

from benchloom.builders.errors import InputError
from benchloom.builders.graphs.answers import has_hamiltonian_cycle
from benchloom.builders.graphs.graph import Graph
from benchloom.builders.graphs.graph6 import encode
from benchloom.builders.seeds import rng
from benchloom.loaders.scores.result import Result
from benchloom.loaders.scores.vga import BEST_RULE, OPTIONS, score
from benchloom.loaders.scores.vga_tables import COMMONEST, HUMANS, TABLE_2

LENGTHS = ("1", "2", "3", "4")


def lengths(n: int = 80, split: str = "test") -> list[dict[str, Any]]:
    """Records of shortest_path, whose graphs are not known."""
    return [
        {"id": f"{split}-{k}", "config": "shortest_path", "split": split, "answer": LENGTHS[k % 4]}
        for k in range(n)
    ]


def cycles(n: int = 60) -> list[dict[str, Any]]:
    """Records of ham_cycle with random graphs, about half of which have a leaf."""
    records = []
    for k in range(n):
        chosen = rng("test_vga", k).random((8, 8)) < 0.5
        edges = [(u, v) for u in range(7) for v in range(u) if chosen[u, v]]
        edges += [(7, 0), (7, 1)] if k % 2 else [(7, 0)]
        graph = Graph.of(8, edges)
        answer = "yes" if has_hamiltonian_cycle(graph) else "no"
        line = encode(graph)
        records.append({"id": f"c{k}", "config": "ham_cycle", "answer": answer, "graph6": line})
    return records


def answers_of(records: list[dict[str, Any]]) -> dict[str, str]:
    return {record["id"]: record["answer"] for record in records}


def cells(result: Result, name: str, *keys: Any) -> dict[str, Any]:
    """The one row of a table that begins with some values, by the names of its columns."""
    table = result.table(name)
    (row,) = (row for row in table.rows if tuple(row[: len(keys)]) == keys)
    return dict(zip(table.head, row, strict=True))


def test_overview_counts_what_is_missing_and_unparseable() -> None:
    records = lengths(40)
    said = answers_of(records)
    for k in range(4):
        del said[f"test-{k}"]
    said |= {"test-4": "no idea", "test-5": "The shortest path is, I think, of length 2."}
    said["test-6"] = "7"
    result = score(said, records)
    row = cells(result, "overview", *result.models)
    assert (row["records"], row["answered"], row["missing"], row["unparseable"]) == (40, 36, 4, 1)
    assert row["accuracy"] == row["lenient"] == 34 / 40
    assert row["strict"] == 33 / 40
    assert row["95% interval"][0] < 34 / 40 < row["95% interval"][1]
    assert cells(result, "overview", COMMONEST)["accuracy"] == 0.25
    verdicts = result.verdicts.to_pylist()
    assert [row["verdict"] for row in verdicts[:8]] == [
        *["missing"] * 4, "unparseable", "correct", "incorrect", "correct",
    ]  # fmt: skip
    assert (verdicts[6]["extracted"], verdicts[6]["answer"]) == ("7", "3")
    assert "length 2" in verdicts[5]["why"]


def test_table_2_says_fail_where_a_model_is_near_random() -> None:
    records = lengths(200)
    result = score({"good": answers_of(records), "flat": dict.fromkeys(answers_of(records), "2")},
                   records)  # fmt: skip
    assert cells(result, "table_2", "good")["shortest planar"] == 1
    assert cells(result, "table_2", "flat")["shortest planar"] == "FAIL (25.0%)"
    assert cells(result, "table_2", "flat")["easy iso"] is None
    people = result.table("table_2").rows[0]
    assert tuple(people[1:]) == HUMANS
    assert [name for name, _, _ in TABLE_2] == list(result.table("table_2").head[1:])
    row = cells(result, "accuracy", "flat")
    assert (row["verdict"], row["chance"], row["balanced accuracy"]) == ("near random", 0.25, 0.25)


def test_worse_than_chance_is_said() -> None:
    records = lengths(200)
    wrong = {one["id"]: LENGTHS[(int(one["answer"])) % 4] for one in records}
    assert cells(score({"m": wrong}, records), "accuracy", "m")["verdict"] == "below chance"


def test_confusion_is_in_the_layout_of_table_3() -> None:
    records = lengths(40)
    said = {one["id"]: "2" if one["answer"] == "1" else one["answer"] for one in records}
    said["test-1"] = "12"
    result = score({"m": said}, records)
    table = result.table("confusion_shortest_path")
    assert table.head == ("model", "split", "right answer", "records", *LENGTHS, "other")
    assert tuple(table.rows[0]) == ("m", "test", "1", 10, 0, 1, 0, 0, 0)
    assert tuple(table.rows[1]) == ("m", "test", "2", 10, 0, 0.9, 0, 0, 0.1)
    assert cells(result, "classes", "m", "shortest_path", "test", "2")["accuracy"] == 0.9
    chart = next(one for one in result.charts if one.name == "confusion_shortest_path")
    assert chart.panels[0][0].values[1] == [0, 0.9, 0, 0, 0.1]  # type: ignore[union-attr]


def test_parts_show_a_model_that_only_sees_leaves() -> None:
    records = cycles(200)
    from benchloom.builders.graphs.graph6 import decode

    said = {one["id"]: "no" if 1 in decode(one["graph6"]).degrees else "yes" for one in records}
    result = score({"leaves": said}, records)
    assert cells(result, "accuracy", "leaves")["verdict"] == "above chance"
    with_leaf = cells(result, "slices", "leaves", "ham_cycle", "own", "has_leaf", "yes")
    without = cells(result, "slices", "leaves", "ham_cycle", "own", "has_leaf", "no")
    assert (with_leaf["accuracy"], with_leaf["chance"]) == (1, 1)
    assert (with_leaf["verdict"], without["verdict"]) == ("one answer only", "near random")
    assert without["balanced accuracy"] == 0.5
    rule = cells(result, "baselines", "ham_cycle", "own", "has a leaf: no")
    assert rule["accuracy"] == cells(result, "accuracy", "leaves")["accuracy"]
    assert cells(result, "overview", BEST_RULE)["accuracy"] >= rule["accuracy"]
    edges = [row for row in result.table("slices").rows if row[3] == "edges"]
    assert sum(row[5] for row in edges) == 200


def test_parts_need_graphs() -> None:
    result = score(answers_of(lengths()), lengths())
    assert "slices" not in [table.name for table in result.tables]
    assert BEST_RULE not in [row[0] for row in result.table("overview").rows]
    names = [row[2] for row in result.table("baselines").rows]
    assert names == ["each answer equally often", "always the commonest answer"]


def test_two_models_are_compared_task_by_task() -> None:
    records = [*lengths(), *cycles()]
    right = answers_of(records)
    result = score({"good": right, "flat": {**right, **dict.fromkeys(right, "no")}}, records)
    row = cells(result, "comparison", "shortest_path", "good", "flat")
    assert (row["records"], row["only first right"], row["verdict"]) == (80, 80, "good is better")
    assert [row[0] for row in result.table("comparison").rows] == ["shortest_path", "ham_cycle"]


def test_layouts_of_a_config_are_rows_of_their_own() -> None:
    records = [*lengths(40), *lengths(40, "test_kawai")]
    result = score({"m": answers_of(records)}, records)
    assert cells(result, "accuracy", "m", "shortest_path", "test")["layout"] == "planar"
    assert cells(result, "accuracy", "m", "shortest_path", "test_kawai")["layout"] == "kamada_kawai"
    assert any("smallest part" in sentence for sentence in result.sentences)
    assert cells(result, "table_2", "m")["shortest kawai"] == 1


def test_class_numbers_are_never_guessed() -> None:
    records = lengths(40)
    numbers = {one["id"]: str(LENGTHS.index(one["answer"])) for one in records}
    as_names = score({"m": numbers}, records)
    assert cells(as_names, "overview", "m")["accuracy"] == 0
    assert any("--labels indices" in remark for remark in as_names.remarks)
    as_indices = score({"m": numbers}, records, labels="indices")
    assert cells(as_indices, "overview", "m")["accuracy"] == 1
    assert not as_indices.remarks


def test_result_is_told_and_reproducible() -> None:
    records = cycles()
    first, second = (score({"m": answers_of(records)}, records) for _ in range(2))
    assert first.to_json() == second.to_json()
    told = json.loads(first.to_json())
    assert told["benchmark"] == "vga"
    assert first.sentences[0].startswith("m: 60 of 60 right")
    assert first.grader_version == second.grader_version


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"grader": "reference"}, "only GraphOmni"),
        ({"labels": "numbers"}, "names, indices"),
        ({"symmetrise": True}, "--transcription"),
        ({"transcription": True}, "graph6"),
    ],
)
def test_bad_options_are_one_sentence(options: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        score(answers_of(lengths()), lengths(), **options)


def test_damaged_graphs_are_named() -> None:
    records = [{**record, "graph6": "B"} for record in lengths(4)]
    with pytest.raises(InputError, match="row 1 of the references: graph6"):
        score(answers_of(records), records)


def test_options_are_those_of_score() -> None:
    from inspect import signature

    assert {option.name for option in OPTIONS} <= signature(score).parameters.keys()


def test_an_anomaly_that_is_everywhere_is_one_short_sentence() -> None:
    records = [*lengths(400), *lengths(400, "test_kawai")]
    half = {one["id"]: one["answer"] if k % 5 < 3 else "4" for k, one in enumerate(records)}
    said = score({"m": half}, records).sentences
    (sentence,) = (one for one in said if "middle-score" in one)
    assert sentence == (
        "m shows the middle-score anomaly (section 5: significantly above chance and below "
        "people) on each of the 2 splits it can show on."
    )
    good = {one["id"]: one["answer"] for one in records} | {
        one["id"]: half[one["id"]] for one in records if one["split"] == "test"
    }
    said = score({"m": good}, records).sentences
    assert [one.endswith(" on shortest_path/test.") for one in said if "middle" in one] == [True]
