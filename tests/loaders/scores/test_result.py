"""What a result can be turned into, and that its three files are there whole or not at all."""

import json
import math
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from made_result import ESCAPES, MODELS, OUTCOMES, RECORDS, SCRIPT, make_result

from benchloom.builders.errors import InputError
from benchloom.builders.statistics import Beside, Interval, Points, Probability, Share, Table
from benchloom.loaders.scores import report

FILES = ["report.html", "scores.json", "verdicts.parquet"]
VALUES = Table(
    "values",
    "All kinds of values",
    ("text", "whole", "share", "points", "p", "interval", "beside", "nothing", "odd"),
    [
        (
            "a",
            np.int64(3),
            Share(0.25),
            Points(-0.031),
            Probability(0.0002),
            Interval((Share(0.1), Share(0.4))),
            Beside((1.5, None)),
            None,
            math.nan,
        ),
        ("b", 1, np.float64(0.5), Points(0), Probability(1), None, None, None, math.inf),
    ],
)


def walk(value: object) -> Iterator[object]:
    yield value
    for one in (
        value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    ):
        yield from walk(one)


def test_counts_are_those_of_the_verdicts() -> None:
    result = make_result()
    rows = result.verdicts.to_pylist()
    assert list(result.counts()) == list(MODELS)
    for model, of in result.counts().items():
        assert tuple(of) == OUTCOMES
        assert sum(of.values()) == RECORDS
        for outcome, count in of.items():
            assert count == sum(row["model"] == model and row["verdict"] == outcome for row in rows)


def test_data_frames_are_the_verdicts_and_the_tables() -> None:
    result = make_result(tables=(VALUES,))
    verdicts = result.to_pandas()
    assert isinstance(verdicts, pd.DataFrame)
    assert len(verdicts) == RECORDS * len(MODELS)
    assert list(verdicts) == result.verdicts.column_names
    table = result.to_pandas("values")
    assert list(table) == list(VALUES.head)
    assert type(table["share"][0]) is np.float64
    assert table["share"].tolist() == [0.25, 0.5]
    assert table["interval"][0] == [0.1, 0.4]
    with pytest.raises(InputError, match=r"no table nonsense; there are values"):
        result.to_pandas("nonsense")


def test_json_holds_raw_numbers_and_nothing_that_is_no_json() -> None:
    text = make_result(tables=(VALUES,)).to_json()
    scores = json.loads(text, parse_constant=pytest.fail)
    assert list(scores) == [
        *("benchmark", "grader", "grader_version", "data", "models", "counts", "tables"),
        *("sentences", "remarks"),
    ]
    first, second = scores["tables"]["values"]["rows"]
    assert list(first) == list(VALUES.head)
    assert first["share"] == 0.25
    assert first["points"] == -0.031
    assert first["p"] == 0.0002
    assert first["interval"] == [0.1, 0.4]
    assert first["beside"] == [1.5, None]
    assert first["odd"] is second["odd"] is first["nothing"] is None
    assert type(first["whole"]) is int


def test_json_says_what_was_scored_and_how() -> None:
    result = make_result()
    scores = json.loads(result.to_json())
    assert scores["data"] == result.data
    assert scores["models"] == list(MODELS)
    assert scores["counts"] == result.counts()
    assert list(scores["tables"]) == [table.name for table in result.tables]
    assert scores["sentences"] == list(result.sentences)
    assert (scores["grader"], scores["grader_version"]) == ("lenient", "1.0")


def test_half_of_a_surrogate_pair_survives_json() -> None:
    text = make_result(remarks=("odd \ud800",)).to_json()
    assert json.loads(text.encode().decode())["remarks"] == ["odd \ud800"]


def test_markdown_is_tables_sentences_and_remarks() -> None:
    text = make_result(models=("a|b", "plain_name")).to_markdown()
    assert "a\\|b" in text
    assert "plain_name" in text
    for line in text.splitlines():
        if line.startswith("| "):
            assert line.endswith(" |")
    widths = [
        {len(re.findall(r"(?<!\\)\|", line)) for line in block.splitlines()}
        for block in text.split("\n\n")
        if block.startswith("| ")
    ]
    assert len(widths) == 3
    assert all(len(width) == 1 for width in widths)
    assert "## What the records can and cannot tell" in text
    assert "## Remarks" in text


def test_markdown_holds_no_markup_and_no_terminal_escapes_of_others() -> None:
    text = make_result().to_markdown()
    assert not re.search(r"(?<!\\)<", text)
    assert all(one.isprintable() or one == "\n" for one in text)
    assert SCRIPT.split(">")[0][1:] in text


def test_three_files_are_written_and_equal_results_give_equal_files(tmp_path: Path) -> None:
    make_result().write(tmp_path / "new" / "one")
    make_result().write(tmp_path / "two")
    assert sorted(path.name for path in (tmp_path / "new" / "one").iterdir()) == FILES
    for name in FILES:
        assert (tmp_path / "new" / "one" / name).read_bytes() == (
            tmp_path / "two" / name
        ).read_bytes()
    result = make_result()
    assert (tmp_path / "two" / "scores.json").read_text(encoding="utf-8") == result.to_json()
    assert pq.read_table(tmp_path / "two" / "verdicts.parquet").equals(result.verdicts)
    assert ESCAPES in pq.read_table(tmp_path / "two" / "verdicts.parquet")["model"].to_pylist()


def test_files_are_replaced_and_others_are_left(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    make_result(charts=()).write(tmp_path)
    make_result(charts=(), grader="strict").write(tmp_path)
    assert json.loads((tmp_path / "scores.json").read_text(encoding="utf-8"))["grader"] == "strict"
    assert (tmp_path / "notes.txt").read_text() == "mine"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["notes.txt", *FILES]


def test_a_fault_while_writing_leaves_the_old_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_result(charts=()).write(tmp_path)
    before = {name: (tmp_path / name).read_bytes() for name in FILES}

    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(pq, "write_table", fail)
    with pytest.raises(InputError, match="cannot be written: No space left on device"):
        make_result(charts=(), grader="strict").write(tmp_path)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_fault_while_rendering_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: object) -> str:
        raise RuntimeError("a bug")

    monkeypatch.setattr(report, "render_report", fail)
    with pytest.raises(RuntimeError, match="a bug"):
        make_result().write(tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_places_that_cannot_be_written_are_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match=re.escape(str(tmp_path / "file"))):
        make_result(charts=()).write(tmp_path / "file")
    (tmp_path / "folder" / "verdicts.parquet").mkdir(parents=True)
    with pytest.raises(InputError, match=r"verdicts\.parquet is a folder"):
        make_result(charts=()).write(tmp_path / "folder")
    assert [path.name for path in (tmp_path / "folder").iterdir()] == ["verdicts.parquet"]


def test_verdicts_may_be_packed_as_dictionaries() -> None:
    result = make_result(charts=())
    packed = pa.table(
        {
            name: column.dictionary_encode() if name in ("model", "verdict") else column
            for name, column in zip(
                result.verdicts.column_names, result.verdicts.columns, strict=True
            )
        }
    )
    again = make_result(verdicts=packed, charts=())
    assert again.counts() == result.counts()
    assert report.render_report(again) == report.render_report(result)
