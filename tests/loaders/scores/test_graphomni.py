"""Scores on GraphOmni: tables, charts and sentences of releases and of a user's own records."""

import json
import statistics
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from scipy.stats import t

from benchloom.builders.errors import InputError
from benchloom.builders.graphomni.baselines import random_baseline
from benchloom.builders.graphomni.plan import plan_task
from benchloom.builders.graphomni.questions import answer_sentence
from benchloom.builders.graphomni.shortcuts import shortcuts
from benchloom.builders.pipeline import build
from benchloom.builders.recipe import Recipe
from benchloom.loaders.answers import judge
from benchloom.loaders.scores.graphomni import score
from benchloom.loaders.scores.graphomni_baselines import RANDOM, RULES, SHORTCUT
from benchloom.loaders.scores.graphomni_charts import FEW_MODELS
from benchloom.loaders.scores.references import References, read_references
from benchloom.loaders.scores.result import Result

TASKS = ["cycle", "shortest_path", "hamiltonian_cycle", "max_cut"]
FACTORS = ["task", "difficulty", "generator", "serialization", "prompt_scheme"]


@pytest.fixture(scope="module")
def omni(tmp_path_factory: pytest.TempPathFactory) -> References:
    """Four tasks, two questions a difficulty, each in its 63 forms."""
    directory = tmp_path_factory.mktemp("omni") / "build"
    build(Recipe.of("graphomni", limit=2), directory, TASKS, jobs=1, quiet=True)
    return read_references("graphomni", directory)


def rows_of(references: References) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = references.table.to_pylist()
    return rows


def sentence(row: dict[str, Any], answer: str | None = None) -> str:
    return answer_sentence(row["task"], row["source"], row["target"], answer or row["answer"])


def wrong(row: dict[str, Any]) -> str:
    answer = row["answer"]
    if answer in ("Yes", "No"):
        return "No" if answer == "Yes" else "Yes"
    if row["task"] == "max_cut":
        size, _, side = answer.partition(": ")
        return f"{int(size) + 1}: {side}"
    return "0" if answer == "none" else ",".join(answer.split(",")[1:])


def named(result: Result, table: str) -> list[dict[str, Any]]:
    found = result.table(table)
    return [dict(zip(found.head, row, strict=True)) for row in found.rows]


# --- a release


@pytest.fixture(scope="module")
def scored(omni: References) -> Result:
    """A model that is always right, one that never is, and one of every kind of answer."""
    rows = rows_of(omni)
    mixed: dict[str, str | None] = {}
    for place, row in enumerate(rows):
        kinds = [
            sentence(row),
            sentence(row, wrong(row)),
            "I cannot tell.",
            None,
            f"{sentence(row)}\n\nI hope that this helps you with your graph",
        ]
        if place % 6 < 5:
            mixed[row["id"]] = kinds[place % 6]
    return score(
        {
            "right": {row["id"]: sentence(row) for row in rows},
            "wrong": {row["id"]: sentence(row, wrong(row)) for row in rows},
            "mixed": mixed,
        },
        omni,
    )


def test_right_answers_score_all_and_wrong_ones_nothing(omni: References, scored: Result) -> None:
    n = omni.table.num_rows
    assert n == 63 * 2 * (3 + 3 + 3 + 2)
    right, bad, mixed, *_ = named(scored, "overview")
    assert right["accuracy"] == right["strict"] == right["lenient"] == 1
    assert bad["accuracy"] == bad["strict"] == bad["lenient"] == 0
    counts = scored.counts()["mixed"]
    assert counts["missing"] == mixed["missing"] == n // 6
    assert mixed["answered"] == n - n // 6
    assert counts["unparseable"] == mixed["unparseable"]
    assert mixed["accuracy"] == counts["correct"] / n
    assert mixed["strict"] < mixed["lenient"]
    low, high = mixed["95% interval"]
    assert low < mixed["accuracy"] < high
    assert [row["accuracy"] for row in named(scored, "cells") if row["model"] == "right"] == [
        1
    ] * 11


def test_strict_and_lenient_are_what_each_grader_says_alone(
    omni: References, scored: Result
) -> None:
    rows = {row["id"]: row for row in rows_of(omni)}
    verdicts = [one for one in scored.verdicts.to_pylist() if one["model"] == "mixed"]
    for grader in ("strict", "lenient"):
        alone = score(
            {
                row["id"]: _mixed(verdict, rows)
                for row, verdict in zip(rows.values(), verdicts, strict=True)
            },
            omni,
            grader=grader,
        )
        right = [one["verdict"] == "correct" for one in alone.verdicts.to_pylist()]
        assert right == [one[grader] for one in alone.verdicts.to_pylist()]
        assert alone.table("overview").rows[0][-2:] == [
            sum(one[name] for one in alone.verdicts.to_pylist()) / len(right)
            for name in ("strict", "lenient")
        ]


def _mixed(verdict: dict[str, Any], rows: dict[str, dict[str, Any]]) -> str:
    row = rows[verdict["id"]]
    if verdict["verdict"] == "correct":
        return f"{sentence(row)}\n\nI hope that this helps you with your graph"
    return sentence(row, wrong(row))


def test_verdicts_have_a_row_for_each_model_and_record(omni: References, scored: Result) -> None:
    table = scored.verdicts
    assert table.column_names == [
        "model", "id", "config", "split", "extracted", "verdict", "why", "instance_id", *FACTORS,
        "strict", "lenient", "characters",
    ]  # fmt: skip
    assert table.num_rows == 3 * omni.table.num_rows
    ids = omni.ids()
    assert table.column("id").to_pylist() == ids * 3
    rows = {row["id"]: row for row in rows_of(omni)}
    for one in table.slice(0, 400).to_pylist():
        row = rows[one["id"]]
        assert [one[name] for name in FACTORS] == [row[name] for name in FACTORS]
        expected = judge("graphomni", row["task"], sentence(row), row)
        assert (one["verdict"], one["why"]) == (expected.verdict, expected.reason)
        assert json.loads(one["extracted"]) == expected.extracted
        assert one["characters"] == len(sentence(row))
    missing = [one for one in table.to_pylist() if one["verdict"] == "missing"]
    assert missing
    assert all(one["extracted"] is None and one["characters"] is None for one in missing)


def test_baselines_stand_below_the_models(omni: References, scored: Result) -> None:
    assert named(scored, "overview")[-1]["model"] == RANDOM
    recipe = Recipe.of("graphomni", limit=2)
    instances = {
        task: [spec.instances for spec in plan_task(recipe, task).values()] for task in TASKS
    }
    expected = [
        random_baseline(task, [one]) for task in TASKS for of in instances[task] for one in of
    ]
    overview = {row["model"]: row["accuracy"] for row in named(scored, "overview")}
    assert overview[RANDOM] == pytest.approx(statistics.fmean(expected))
    # A cut needs a size and a side: no rule gives both, so there is no sum over all tasks.
    assert SHORTCUT not in overview
    three = {(row["task"], row["model"]): row for row in named(scored, "table_3")}
    assert three["shortest_path", RANDOM]["easy"] == (
        random_baseline("shortest_path", instances["shortest_path"][0]),
        None,
    )
    assert ("max_cut", SHORTCUT) not in three
    assert three["cycle", SHORTCUT]["easy"][0] >= 0.5
    assert three["max_cut", "right"]["hard"] is None


def test_rules_of_all_tasks_are_known() -> None:
    recipe = Recipe.of("graphomni", limit=2)
    for task, wanted in RULES.items():
        rules = {row.rule for row in shortcuts(task, plan_task(recipe, task)["easy"].instances)}
        assert set(wanted) <= rules


def test_all_tables_and_charts_are_there(scored: Result) -> None:
    assert [table.name for table in scored.tables] == [
        "overview", "table_3", "by_prompt", "by_serialization", "by_generator", "comparison",
        "cells", "shortcuts", "lengths",
    ]  # fmt: skip
    assert [chart.name for chart in scored.charts] == [
        "tasks", "heat_map_1", "heat_map_2", "heat_map_3", "lengths",
    ]  # fmt: skip
    heat = scored.charts[1].panels[0][0]
    assert (len(heat.rows), len(heat.columns)) == (9, 7)
    assert all(value == 1 for row in heat.values for value in row)
    assert len(scored.charts[0].panels[0]) == 3
    for row in named(scored, "by_prompt"):
        if row["model"] == "wrong":
            assert row["zero_shot"][0] == 0


def test_the_models_are_compared_by_question(scored: Result) -> None:
    first, *_ = named(scored, "comparison")
    assert (first["first"], first["second"], first["verdict"]) == (
        "right",
        "wrong",
        "right is better",
    )
    assert "clusters" in scored.table("comparison").note


def test_sentences_say_that_forms_are_not_independent(omni: References, scored: Result) -> None:
    text = "\n".join(scored.sentences)
    assert f"The {omni.table.num_rows:,} records ask 22 questions, each in several forms" in text
    assert "right: 1,386 of 1,386 right, 100.0%" in text
    assert "mixed: strict finds" in text
    assert "claim nothing that the grader lenient can read" in text


def test_equal_input_gives_equal_results_and_files(omni: References, tmp_path: Path) -> None:
    answers = {row["id"]: sentence(row) for row in rows_of(omni)[::7]}
    texts = []
    for name in ("one", "two"):
        result = score(answers, omni)
        result.write(tmp_path / name)
        texts.append([path.read_bytes() for path in sorted((tmp_path / name).iterdir())])
    assert texts[0] == texts[1]
    assert len(texts[0]) == 3


# --- a user's own records


def made(**changes: Any) -> dict[str, Any]:
    return {
        "id": "q1", "task": "shortest_path", "n_nodes": 4, "edges": [[0, 1], [1, 2], [2, 3]],
        "source": 0, "target": 2, "answer": "0,1,2", **changes,
    }  # fmt: skip


OWN = [
    made(),
    made(id="q2", source=1, target=3, answer="1,2,3"),
    made(id="q3", task="cycle", source=None, target=None, answer="No"),
    made(id="q4", task="triangle", source=None, target=None, answer="0"),
]


def test_records_without_factors_have_the_tables_that_can_be_made(tmp_path: Path) -> None:
    file = tmp_path / "own.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in OWN), encoding="utf-8")
    result = score({"q1": "0,1,2", "q2": "1,2", "q3": "No.", "q4": "There are no triangles."}, file)
    assert [table.name for table in result.tables] == [
        "overview", "table_3", "cells", "shortcuts", "lengths",
    ]  # fmt: skip
    assert [chart.name for chart in result.charts] == ["tasks"]
    assert "95% by question" not in result.table("overview").head
    assert result.table("table_3").head == ("task", "model", "accuracy")
    rows = {(row["task"], row["model"]): row["accuracy"] for row in named(result, "table_3")}
    assert rows["shortest_path", "model"] == (0.5, None)
    assert rows["cycle", "model"] == (1.0, None)
    assert rows["all tasks", "model"][0] == pytest.approx((0.5 + 1 + 1) / 3)
    assert not any("several forms" in one for one in result.sentences)
    result.write(tmp_path / "scores")


def grid() -> Iterator[dict[str, Any]]:
    """One question in 4 forms and another in 2, of two generators."""
    forms = [*product(["cot", "my_own"], ["gml", "edge_list"])]
    for number, generator in enumerate(["SF", "ERP"]):
        for prompt, serialization in forms[: 4 - 2 * number]:
            yield made(
                id=f"{generator}-{prompt}-{serialization}",
                instance_id=f"q{number}",
                difficulty="easy",
                generator=generator,
                prompt_scheme=prompt,
                serialization=serialization,
            )


def test_a_part_of_the_grid_is_averaged_over_what_is_there() -> None:
    rows = list(grid())
    right = {"SF-cot-gml", "SF-cot-edge_list", "SF-my_own-gml", "ERP-cot-gml"}
    answers = {row["id"]: "0,1,2" if row["id"] in right else "2,1,0" for row in rows}
    result = score(answers, rows)
    (model, *_) = named(result, "table_3")
    values = [1, 1, 1, 0, 1, 0]
    mean, margin = model["easy"]
    assert mean == pytest.approx(4 / 6)
    assert margin == pytest.approx(t.ppf(0.975, 5) * statistics.stdev(values) / 6**0.5)
    by_prompt = result.table("by_prompt")
    assert by_prompt.head == ("task", "model", "cot", "my_own")
    mean, margin = by_prompt.rows[0][2]
    assert mean == pytest.approx(3 / 4)
    assert margin is None, "four combinations are too few"
    assert result.table("by_generator").head == ("task", "model", "ERP", "SF")
    assert "difficulty × generator × serialisation" in by_prompt.note
    heat = next(chart for chart in result.charts if chart.name == "heat_map_1").panels[0][0]
    assert heat.rows == ("cot", "my_own")
    assert heat.columns == ("edge_list", "gml")
    assert heat.values == [[0.5, 1.0], [0.0, 1.0]]


def test_a_single_prompt_scheme_has_no_table_of_its_own() -> None:
    rows = [row for row in grid() if row["prompt_scheme"] == "cot"]
    result = score({row["id"]: "0,1,2" for row in rows}, rows)
    names = [table.name for table in result.tables]
    assert "by_prompt" not in names
    assert "by_serialization" in names


def test_factors_that_some_records_lack_are_named_so() -> None:
    rows = [made(), made(id="q2", difficulty="easy", generator="SF")]
    result = score({"q1": "0,1,2", "q2": "0,1,2"}, rows)
    assert set(result.table("table_3").head[2:]) == {"easy", "not given"}
    assert result.table("shortcuts").rows[0][2:] != (None, None)


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({"answer": "0,1"}, "answer"),
        ({"source": 1, "answer": "1,2"}, "source"),
        ({"n_nodes": 5}, "n_nodes"),
        ({"edges": [[0, 1], [1, 2]]}, "edges"),
    ],
)
def test_forms_of_one_question_must_ask_the_same(changes: dict[str, Any], name: str) -> None:
    rows = [made(instance_id="q"), made(id="q2", instance_id="q", **changes)]
    table = pa.Table.from_pylist([{**row, "config": row["task"], "split": "own"} for row in rows])
    with pytest.raises(InputError, match=f"q1 and q2 have one instance_id but not the same {name}"):
        score({"q1": "0,1,2"}, References("graphomni", {"name": "own", "scored": {}}, table))


def test_instance_ids_of_some_records_alone_are_refused() -> None:
    rows = [made(instance_id="q"), made(id="q2")]
    with pytest.raises(InputError, match="give it to all records or to none"):
        score({"q1": "0,1,2"}, rows)


# --- graders


def test_the_published_evaluator_stands_beside_strict_and_lenient() -> None:
    rows = [made(id="q", task="cycle", source=None, target=None, answer="No")]
    result = score({"q": "No"}, rows, grader="reference")
    (model, *_) = named(result, "overview")
    assert (model["accuracy"], model["strict"], model["lenient"], model["reference"]) == (
        0,
        1,
        1,
        0,
    )
    assert result.grader == "reference"


def test_the_published_evaluator_has_no_np_hard_tasks() -> None:
    rows = [made(id="q", task="hamiltonian_cycle", source=None, target=None, answer="none")]
    with pytest.raises(InputError, match="has no hamiltonian_cycle; take strict or lenient"):
        score({"q": "none"}, rows, grader="reference")


def test_an_unknown_grader_is_refused() -> None:
    with pytest.raises(InputError, match="there is no grader 'kind'; choose from strict, lenient"):
        score({"q1": "0,1,2"}, OWN, grader="kind")  # type: ignore[arg-type]


def test_only_answered_records_count_where_that_is_asked() -> None:
    result = score({"q1": "0,1,2"}, OWN, answered_only=True)
    (model, *_) = named(result, "overview")
    assert (model["records"], model["accuracy"]) == (1, 1)


def test_hostile_names_and_answers_are_kept_as_they_are() -> None:
    name = "<script>\x1b[31m\u202e" + "x" * 5000
    result = score({name: {"q1": "<b>\x1b[2J0,1,2</b>", "q2": "1,2,3" * 100_000}}, OWN)
    assert result.models == (name,)
    assert "\x1b" not in "".join(result.sentences)
    assert result.to_json()


@pytest.mark.parametrize("models", [FEW_MODELS, FEW_MODELS + 1])
def test_charts_of_many_models_stay_small(models: int) -> None:
    rows = [*grid(), made(id="c", instance_id="c", task="cycle", source=None, target=None,
                          answer="No", difficulty="hard", generator="SF", prompt_scheme="cot",
                          serialization="gml")]  # fmt: skip
    answers = {row["id"]: row["answer"] for row in rows}
    result = score({f"m{number}": answers for number in range(models)}, rows)
    charts = {chart.name: chart.panels for chart in result.charts}
    few = models <= FEW_MODELS
    assert [len(row) for row in charts["tasks"]] == ([2] if few else [1, 1])
    titles = [panel.title for row in charts["heat_map_1"] for panel in row]
    assert titles == (["cycle", "shortest_path", "all tasks"] if few else ["all tasks"])
    assert f"heat_map_{models}" in charts


def test_accuracy_is_drawn_against_length_where_there_are_enough_answers() -> None:
    rows = [made(id=f"q{number}") for number in range(60)]
    answers = {
        row["id"]: "0,1,2" if number < 25 else f"{'Step by step. ' * 10}The path is 0,1,3."
        for number, row in enumerate(rows)
        if number < 55
    }
    result = score(answers, rows)
    panel = next(chart for chart in result.charts if chart.name == "lengths").panels[0][0]
    assert panel.ticks == ["0-19", "100-199"]
    assert panel.series["model"] == [1.0, 0.0]
    (row,) = named(result, "lengths")
    assert (row["answers"], row["right, mean"]) == (55, 5.0)
    assert row["wrong, mean"] == 140 + len("The path is 0,1,3.")


def test_the_published_evaluator_leaves_out_what_it_does_not_know(omni: References) -> None:
    answers = {row["id"]: sentence(row) for row in rows_of(omni)}
    result = score(answers, omni, grader="reference")
    known = [row for row in rows_of(omni) if row["task"] in ("cycle", "shortest_path")]
    assert result.verdicts.num_rows == len(known) < len(answers)
    assert set(result.data["scored"]) == {"cycle", "shortest_path"}
    (remark,) = result.remarks
    assert remark.startswith(
        f"{len(answers) - len(known)} records of hamiltonian_cycle, max_cut are left out: "
    )


def test_few_questions_in_many_forms_have_no_interval_and_a_sentence(omni: References) -> None:
    rows = [row for row in rows_of(omni) if row["task"] == "cycle"]
    kept = sorted({row["instance_id"] for row in rows})[:4]
    rows = [row for row in rows if row["instance_id"] in kept]
    result = score({row["id"]: "Yes" for row in rows}, rows)
    (model, *_) = named(result, "overview")
    assert model["95% by question"] is None
    assert model["95% interval"] is not None
    assert all(row["95% by question"] is row["p"] is None for row in named(result, "cells"))
    assert any("of 4 questions only" in one for one in result.sentences)
    assert "with fewer there is none" in result.table("overview").note
    assert {one for panel in result.charts[0].panels[0] for one in panel.intervals["model"]} == {
        None
    }


def test_results_do_not_hang_on_the_order_of_the_answers(omni: References, tmp_path: Path) -> None:
    rows = [
        {"id": row["id"], "response": text, "model": model}
        for row in rows_of(omni)[::3]
        for model, text in (("b", sentence(row)), ("a", "Yes"))
    ] + [{"id": f"x{k}", "response": "", "model": "b"} for k in range(9)]
    texts = []
    for number, ordered in enumerate((rows, rows[::-1])):
        path = tmp_path / str(number) / "run.jsonl"
        path.parent.mkdir()
        path.write_text("".join(json.dumps(row) + "\n" for row in ordered))
        texts.append(score(path, omni).to_json())
    assert texts[0] == texts[1]


def test_interval_by_question_is_explained(scored: Result) -> None:
    note = scored.table("overview").note
    assert "The interval by question allows for that, with Student's t on the spread" in note
    assert "there is none. Random guesses:" in note
