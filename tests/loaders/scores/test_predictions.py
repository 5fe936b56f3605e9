"""Reading predictions: what people's files are like, and what is said of those that cannot be."""

import codecs
import gzip
import json
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import datasets
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchloom.builders.errors import InputError
from benchloom.loaders.scores.predictions import Predictions, as_predictions, read_predictions
from benchloom.loaders.scores.printable import printable

ROWS = [{"id": "a", "response": "Yes"}, {"id": "b", "response": 'No,\n"never"'}]
EXPECTED = {"a": "Yes", "b": 'No,\n"never"'}

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a file and returns its path: text as UTF-8, bytes as they are, rows as JSONL."""

    def write(name: str, content: str | bytes | list[dict[str, Any]]) -> Path:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        if isinstance(content, list):
            content = "".join(json.dumps(row) + "\n" for row in content)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


def read(path: Path) -> dict[str, str | None]:
    """Returns the responses of a file of one model, which must be called like it."""
    predictions = read_predictions([path])
    (model,) = predictions.responses
    assert model == path.name.partition(".")[0]
    return dict(predictions.responses[model])


def refused(path: Path) -> str:
    """Returns the sentence with which a file is refused, which must be one line and name it."""
    with pytest.raises(InputError) as caught:
        read_predictions([path])
    sentence = str(caught.value)
    assert str(path) in sentence
    assert sentence.isprintable()
    return sentence.replace(f"{path.parent}/", "")


# --- formats and encodings

JSONL = "".join(json.dumps(row) + "\n" for row in ROWS)
CSV = 'id,response\na,Yes\nb,"No,\n""never"""\n'


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("run.jsonl", JSONL),
        ("run.jsonl", JSONL.rstrip("\n")),
        ("run.jsonl", JSONL.replace("\n", "\r\n")),
        ("run.jsonl", "\n" + JSONL.replace("\n", "\n\n \n")),
        ("run.json", JSONL),
        ("run.json", json.dumps(ROWS, indent=2)),
        ("run.txt", JSONL),
        ("run", JSONL),
        ("run.csv", CSV),
        ("run.csv", "\n" + CSV + ",\n\n,\n"),
        (
            "run.csv",
            CSV.replace("id,response", "response,id,more")
            .replace("a,Yes", "Yes,a,1")
            .replace('b,"No,\n""never"""', '"No,\n""never""",b,2'),
        ),
        ("run.csv", 'id;response\na;Yes\nb;"No,\n""never"""\n'),
        ("run.csv", 'id|response\na|Yes\nb|"No,\n""never"""\n'),
        ("run.tsv", 'id\tresponse\na\tYes\nb\t"No,\n""never"""\n'),
        ("run.csv", '"id", "response"\na,Yes\nb,"No,\n""never"""\n'.replace(", ", ",")),
        ("run.csv", ' id ,response\na,Yes\nb,"No,\n""never"""\n'),
        ("run.csv", CSV.replace("Yes\n", "Yes\r\n").replace("response\n", "response\r\n")),
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "gzip"])
def test_formats_are_read_in_every_encoding(
    write: Write, name: str, content: str, encoding: str
) -> None:
    if encoding == "gzip":
        path = write(f"{name}.gz", gzip.compress(content.encode(), mtime=0))
    else:
        path = write(name, content.encode(encoding))
    assert read(path) == EXPECTED


@pytest.mark.parametrize("mark", [codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE])
def test_utf_16_is_read_and_said(write: Write, mark: bytes) -> None:
    encoding = "utf-16-le" if mark == codecs.BOM_UTF16_LE else "utf-16-be"
    text = '{"id": "é", "response": "größer 中 😀"}\n'
    path = write("run.jsonl", mark + text.encode(encoding))
    predictions = read_predictions([path])
    assert predictions.responses == {"run": {"é": "größer 中 😀"}}
    assert predictions.remarks == (f"{path} was read as UTF-16",)


def test_utf_16_without_its_mark_is_refused(write: Write) -> None:
    for encoding in ("utf-16-le", "utf-16-be"):
        path = write("run.jsonl", JSONL.encode(encoding))
        assert refused(path) == "run.jsonl is no UTF-8 (UTF-16, perhaps); save it as UTF-8"


def test_damaged_utf_16_is_refused(write: Write) -> None:
    path = write("run.csv", (CSV * 2).encode("utf-16")[:-1])
    assert "is no UTF-16" in refused(path)


@pytest.mark.parametrize(
    ("name", "content", "line"),
    [
        ("run.jsonl", JSONL.encode() + '{"id": "c", "response": "größer"}\n'.encode("latin-1"), 3),
        ("run.csv", CSV.encode() + "c,größer\nd,No\n".encode("latin-1"), 5),
    ],
)
def test_latin_1_is_refused_with_its_line(
    write: Write, name: str, content: bytes, line: int
) -> None:
    sentence = refused(write(name, content))
    assert sentence.startswith(f"{name} line {line} is no UTF-8 (byte 0xf6 at ")
    assert "iconv -f LATIN1 -t UTF-8" in sentence


def test_parquet_is_read(tmp_path: Path) -> None:
    path = tmp_path / "run.parquet"
    texts = pa.array(["Yes", EXPECTED["b"]]).dictionary_encode()
    table = pa.table({"other": [b"\xff", b""], "id": ["a", "b"], "response": texts})
    pq.write_table(table, path)
    assert read(path) == EXPECTED
    packed = tmp_path / "run.parquet.gz"
    packed.write_bytes(gzip.compress(path.read_bytes(), mtime=0))
    assert read(packed) == EXPECTED


def test_a_pipe_is_read(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    os.mkfifo(path)
    thread = threading.Thread(target=path.write_text, args=(JSONL,))
    thread.start()
    assert read(path) == EXPECTED
    thread.join()


def test_long_responses_are_read_whole(write: Write) -> None:
    long = "no " * 400_000
    assert read(write("run.jsonl", [{"id": "a", "response": long}])) == {"a": long}
    assert read(write("run.csv", f'id,response\na,"{long}"\n')) == {"a": long}


def test_escapes_and_html_stay_in_the_data(write: Write) -> None:
    text = "\x1b[31mred\x1b[0m <script>alert(1)</script> \u202e\x00"
    assert read(write("run.jsonl", [{"id": "a", "response": text}])) == {"a": text}


# --- what is odd and gets a remark


@pytest.mark.parametrize(
    ("response", "text", "kind"),
    [
        (3, "3", "a number"),
        (3.5, "3.5", "a number"),
        (True, "true", "true or false"),
        ([0, 1], "[0, 1]", "a list"),
        ({"answer": "é"}, '{"answer": "é"}', "an object"),
    ],
)
def test_responses_that_are_no_text_are_read_as_their_json(
    write: Write, response: Any, text: str, kind: str
) -> None:
    rows = [{"id": "a", "response": "Yes"}, {"id": "b", "response": response}]
    path = write("run.jsonl", [*rows, {"id": "c", "response": response}])
    predictions = read_predictions([path])
    assert predictions.responses["run"] == {"a": "Yes", "b": text, "c": text}
    assert predictions.remarks == (
        f"{path} line 2: the response is {kind} and is read as its JSON text (2 in all)",
    )
    parquet = path.with_suffix(".parquet")
    pq.write_table(pa.table({"id": ["b"], "response": [response]}), parquet)
    predictions = read_predictions([parquet])
    assert predictions.responses["run"] == {"b": text}
    assert predictions.remarks[0].startswith(f"{parquet} row 1: the response is {kind}")


def test_null_is_no_answer(write: Write) -> None:
    path = write("run.jsonl", '{"id": "a", "response": null}\n{"id": "b", "response": NaN}\n')
    assert read(path) == {"a": None, "b": None}
    assert read(write("run.csv", "id,response\na,\n")) == {"a": ""}


@pytest.mark.parametrize("tail", ['{"id": "c", "resp', '{"id": "c", "response": "é'])
@pytest.mark.parametrize("cut", [0, 1])
def test_a_last_line_that_was_cut_off_is_left_out(write: Write, tail: str, cut: int) -> None:
    content = (JSONL + tail).encode()
    path = write("run.jsonl", content[: len(content) - cut])
    predictions = read_predictions([path])
    assert predictions.responses["run"] == EXPECTED
    assert predictions.remarks == (f"{path} line 3, the last one, is cut off and was left out",)


@pytest.mark.parametrize("tail", ["c", '"c', 'c,"No'])
def test_a_last_row_that_was_cut_off_is_left_out(write: Write, tail: str) -> None:
    predictions = read_predictions([path := write("run.csv", CSV + tail)])
    assert predictions.responses["run"] == EXPECTED
    assert predictions.remarks == (f"{path} line 5, the last one, is cut off and was left out",)


def test_a_repeated_row_counts_once(write: Write) -> None:
    path = write("run.jsonl", [*ROWS, ROWS[1], ROWS[0]])
    predictions = read_predictions([path])
    assert predictions.responses["run"] == EXPECTED
    assert predictions.remarks == (
        f"{path} line 3: an id and its response stand there again and count once (2 in all)",
    )


def test_ids_may_be_whole_numbers(write: Write) -> None:
    path = write("run.jsonl", [{"id": 7, "response": "Yes"}])
    predictions = read_predictions([path])
    assert predictions.responses["run"] == {"7": "Yes"}
    assert predictions.remarks == (f"{path} line 1: the id is a number and is read as text",)


def test_half_a_surrogate_pair_can_be_written_later(write: Write) -> None:
    path = write("run.jsonl", r'{"id": "a", "response": "x\ud83dy \ud83d\ude00"}' + "\n")
    predictions = read_predictions([path])
    assert predictions.responses["run"] == {"a": "x\ufffdy 😀"}
    assert "U+FFFD" in predictions.remarks[0]


# --- what is refused


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("run.jsonl", "", "run.jsonl is empty; name a file that holds rows"),
        ("run.csv", " \n\n", "run.csv is empty; name a file that holds rows"),
        ("run.jsonl", "\n \n", "run.jsonl holds no predictions; give rows with id and response"),
        ("run.json", "[]", "run.json holds no predictions; give rows with id and response"),
        ("run.csv", "id,response\n", "run.csv holds no predictions; give rows"),
        ("run.jsonl", JSONL[:25] + "\n" + JSONL, "run.jsonl line 1 is no JSON object ("),
        ("run.jsonl", "{'id': 'a'}", "run.jsonl line 1 is no JSON object ("),
        ("run.jsonl", JSONL + "Done.\n", "run.jsonl line 3 is no JSON object ("),
        ("run.jsonl", JSONL + "3\n", "run.jsonl line 3 is no object; write one a line: "),
        ("run.json", json.dumps(ROWS[0], indent=1), "run.json line 1 is no JSON object ("),
        ("run.json", json.dumps(ROWS)[:-2], "run.json is no JSON list that can be read ("),
        ("run.json", '["a"]', "run.json object 1 is no object; write a list of objects"),
        ("run.jsonl", "{" * 5 + "[" * 99_999, "run.jsonl line 1 is no JSON object ("),
        ("run.jsonl", '{"id": ' + "[" * 99_999, "run.jsonl line 1 is no JSON object (too deep)"),
        ("run.csv", "id,response\na,Yes,or no\n", "run.csv line 2 has 3 fields, the header has 2"),
        ("run.csv", "id,response\na\nb,No\n", "run.csv line 2 has 1 fields, the header has 2"),
        ("run.csv", 'id,response\na,"Yes\nb,No\nc,No\n', "run.csv line 2 cannot be read as CSV"),
        ("run.csv", 'id,response\na,"Yes"!\nb,No\n', "run.csv line 2 cannot be read as CSV"),
        ("run.csv", "id,response,id\na,b,c\n", "run.csv has two columns 'id'; remove or rename"),
        ("run.csv", CSV.replace("\n", "\r"), "the lines of run.csv end with CR alone; save it"),
        ("run.jsonl", JSONL.replace("\n", "\r"), "the lines of run.jsonl end with CR alone"),
        ("run.xlsx", b"PK\3\4....", "run.xlsx is a spreadsheet or a zip archive; save it as CSV"),
        ("run.parquet", b"PAR1....", "run.parquet cannot be read as parquet ("),
        (
            "run.jsonl.gz",
            gzip.compress(JSONL.encode(), mtime=0)[:-9],
            "run.jsonl.gz is damaged or cut",
        ),
        ("run.jsonl.gz", b"\x1f\x8bnothing", "run.jsonl.gz is damaged or cut short as gzip"),
    ],
)
def test_what_cannot_be_read_is_refused(
    write: Write, name: str, content: str | bytes, sentence: str
) -> None:
    assert refused(write(name, content)).startswith(sentence)


@pytest.mark.parametrize(
    ("given", "advice"),
    [
        (["id", "prediction"], "rename 'prediction' to 'response'"),
        (["id", "Response"], "rename 'Response' to 'response'"),
        (["id", "output", "model"], "rename 'output' to 'response'"),
        (["id", "answer"], "rename 'answer' to 'response'"),
        (["id", "x"], "add the column 'response'"),
        (["question_id", "response"], "rename 'question_id' to 'id'"),
        (["response"], "add the column 'id'"),
    ],
)
def test_missing_columns_are_named(
    write: Write, tmp_path: Path, given: list[str], advice: str
) -> None:
    lacking = "response" if "id" in given else "id"
    rest = f"has no column '{lacking}', only {', '.join(given)}; {advice}"
    assert refused(write("run.csv", f"{','.join(given)}\n" + "1," * (len(given) - 1) + "1\n")) == (
        f"run.csv {rest}"
    )
    rows = [dict(ROWS[0]), dict.fromkeys(given, "1")]
    assert refused(write("run.jsonl", rows)) == f"run.jsonl line 2 {rest}"
    pq.write_table(pa.table({name: ["1"] for name in given}), tmp_path / "run.parquet")
    assert refused(tmp_path / "run.parquet") == f"run.parquet {rest}"


def test_an_id_must_be_a_text(write: Write) -> None:
    for value, shown in ((None, "null"), ("", '""'), (True, "true"), (1.5, "1.5"), ([1], "[1]")):
        path = write("run.jsonl", [{"id": value, "response": ""}])
        assert refused(path) == f"run.jsonl line 1 has the id {shown}; give it the record's id"


def test_two_responses_for_one_id_are_refused_with_both_lines(write: Write) -> None:
    other = {"id": "a", "response": "No"}
    assert refused(write("run.jsonl", [*ROWS, other])) == (
        "run.jsonl lines 1 and 3 give the id 'a' different responses; keep one of them, or add a "
        "column 'model' if they are of several models"
    )
    named = [{**row, "model": "m"} for row in (*ROWS, other)]
    assert refused(write("run.jsonl", named)) == (
        "run.jsonl lines 1 and 3 give the id 'a' different responses of the model 'm'; "
        "keep one of them"
    )
    named[2]["model"] = "n"
    predictions = read_predictions([write("run.jsonl", named)])
    assert predictions.responses == {"m": EXPECTED, "n": {"a": "No"}}
    assert refused(write("run.csv", CSV + "a,No\n")).startswith("run.csv lines 2 and 5 give the id")


def test_two_files_of_one_model_must_agree(write: Write) -> None:
    first = write("1.jsonl", [{**row, "model": "m"} for row in ROWS])
    second = write("2.csv", "id,response,model\nc,Yes,m\n")
    predictions = read_predictions([first, second])
    assert predictions.responses == {"m": {**EXPECTED, "c": "Yes"}}
    third = write("3.jsonl", [{"id": "a", "response": "No", "model": "m"}])
    with pytest.raises(InputError) as caught:
        read_predictions([first, third])
    assert str(caught.value) == (
        f"{first} line 1 and {third} line 1 give the id 'a' different responses of the model 'm'; "
        "keep one of them"
    )


def test_rows_with_and_without_a_model_are_refused(write: Write) -> None:
    rows = [{**ROWS[0], "model": "m"}, ROWS[1]]
    assert refused(write("run.jsonl", rows)) == (
        "run.jsonl line 2 names no model, other rows do; name one in each row"
    )
    assert refused(write("run.jsonl", [{**ROWS[1], "model": ""}, rows[0]])) == (
        "run.jsonl line 2 names a model, other rows do not; name one in each row"
    )


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a directory; name the files in it"):
        read_predictions([tmp_path])
    with pytest.raises(InputError, match=r"there is no file .*none\.jsonl"):
        read_predictions([tmp_path / "none.jsonl"])


def test_a_file_given_twice_is_refused(write: Write, tmp_path: Path) -> None:
    path = write("run.jsonl", ROWS)
    with pytest.raises(InputError, match=r"run.jsonl is given twice; name it once"):
        read_predictions([path, path])
    (tmp_path / "link.jsonl").symlink_to(path)
    with pytest.raises(InputError, match=r"run.jsonl and .*link.jsonl are the same file"):
        read_predictions([path, tmp_path / "link.jsonl"])


def test_files_of_equal_names_are_told_apart(write: Write) -> None:
    def models(*names: str) -> list[str]:
        return list(read_predictions([write(name, ROWS) for name in names]).responses)

    assert models("a/run.jsonl", "b/run.jsonl", "c.jsonl") == ["a/run", "b/run", "c"]
    assert models("run.jsonl", "run.json") == ["run.jsonl", "run.json"]
    assert models("v1.5.jsonl", "x.csv.d.txt") == ["v1.5", "x.csv.d"]


def test_a_file_may_have_a_name_that_is_no_utf_8(tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.jsonl"))
    path.write_text(JSONL)
    assert read_predictions([path]).responses == {"caf\ufffd": EXPECTED}


def test_no_file_is_refused() -> None:
    with pytest.raises(InputError, match="there are no predictions; name a file of them"):
        read_predictions([])


def test_hostile_names_are_shown_escaped(write: Write) -> None:
    path = write("a\x1b[31m.jsonl", '{"id": "\\u001b[1m", "response": 1}\n' * 2 + '{"i\\u001b": 1}')
    with pytest.raises(InputError) as caught:
        read_predictions([path])
    assert str(caught.value).isprintable()
    assert r"a\x1b[31m.jsonl line 3" in str(caught.value)
    assert r"only i\x1b;" in str(caught.value)


# --- from Python


@pytest.mark.parametrize(
    "value",
    [
        EXPECTED,
        {"model": EXPECTED},
        ROWS,
        iter(ROWS),
        pd.DataFrame(ROWS),
        pa.table({"id": ["a", "b"], "response": list(EXPECTED.values())}),
        datasets.Dataset.from_list(ROWS),
        datasets.Dataset.from_list(ROWS).to_iterable_dataset(),
        Predictions({"model": EXPECTED}),
    ],
)
def test_predictions_come_from_many_things(value: Any) -> None:
    assert as_predictions(value) == Predictions({"model": EXPECTED})


def test_predictions_come_from_paths(write: Write) -> None:
    path = write("run.jsonl", ROWS)
    for value in (path, str(path), [path], (str(path),)):
        assert as_predictions(value).responses == {"run": EXPECTED}


def test_a_frame_may_have_holes_and_other_columns() -> None:
    frame = pd.DataFrame(
        {"id": [1, 2, 3], "response": ["x", None, 3.0], "model": ["m"] * 3, "more": [object()] * 3}
    )
    predictions = as_predictions(frame)
    assert predictions.responses == {"m": {"1": "x", "2": None, "3": "3.0"}}
    assert as_predictions(pd.DataFrame({"id": ["a", "b"], "response": pd.array([1, None])})) == (
        Predictions(
            {"model": {"a": "1", "b": None}},
            ("the predictions, row 1: the response is a number and is read as its JSON text",),
        )
    )


def test_an_image_column_of_a_dataset_is_not_read() -> None:
    features = datasets.Features(
        {name: datasets.Value("string") for name in ("id", "response")} | {"x": datasets.Image()}
    )
    rows = [{**row, "x": {"path": None, "bytes": b"no picture"}} for row in ROWS]
    dataset = datasets.Dataset.from_list(rows, features=features)
    assert as_predictions(dataset).responses == {"model": EXPECTED}


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ({}, "hold"),
        ([], "the predictions hold nothing; give rows with id and response"),
        (3, "predictions cannot be of the type int"),
        ([3], "the predictions, row 1 is no mapping with id and response"),
        ([{"id": "a", "output": "x"}], "the predictions, row 1 has no column 'response', only id"),
        ({"a": "x", "m": {"b": "y"}}, "predictions map ids to responses, or models to such"),
        ([*ROWS, {"id": "a", "response": "No"}], "the predictions, rows 1 and 3, give the id 'a'"),
        (datasets.DatasetDict(test=datasets.Dataset.from_list(ROWS)), "choose one split of it"),
    ],
)
def test_other_things_are_refused(value: Any, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        as_predictions(value)


# --- properties

TEXT = st.text(st.characters(codec="utf-8"), max_size=30)


@settings(
    deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.dictionaries(TEXT.filter(bool), TEXT, min_size=1, max_size=8))
def test_all_formats_give_the_same(tmp_path: Path, responses: dict[str, str]) -> None:
    import csv

    rows = [{"id": name, "response": text} for name, text in responses.items()]
    path = tmp_path / "run.jsonl"
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    assert read(path) == responses
    path = tmp_path / "run.parquet"
    pq.write_table(pa.Table.from_pylist(rows), path)
    assert read(path) == responses
    path = tmp_path / "run.csv"
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, ["id", "response"], quoting=csv.QUOTE_ALL)
        writer.writeheader()
        writer.writerows(rows)
    assert read(path) == responses


@settings(
    deadline=None, max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.binary(max_size=60),
    st.sampled_from(
        [
            b"",
            b"{",
            b'{"id": "a", "response": "b"}\n',
            b"id,response\na,b\n",
            b"PAR1",
            b"\x1f\x8b\x08",
            b"[",
            b"\xff\xfe",
            b"PK\3\4",
        ]
    ),
)
def test_no_bytes_are_a_bug(tmp_path: Path, tail: bytes, head: bytes) -> None:
    path = tmp_path / "run"
    path.write_bytes(head + tail)
    try:
        predictions = read_predictions([path])
    except InputError as error:
        sentence = str(error)
    else:
        sentence = "".join(predictions.remarks)
        assert all(isinstance(text, str | None) for text in predictions.responses["run"].values())
    assert sentence.isprintable()


@given(st.text())
def test_printable_text_is_printable_and_short(text: str) -> None:
    shown = printable(text, 20)
    assert shown.isprintable()
    assert len(printable("a" * len(text), 20)) <= 20 + len("... (000,000 characters)")
    if text.isprintable() and len(text) <= 20:
        assert shown == text


def test_printable_text_shows_what_acts_on_a_terminal() -> None:
    assert printable("a\x1b[31m\u202e\n<b>é😀\x9b") == "a\\x1b[31m\\u202e\\n<b>é😀\\x9b"
    assert printable("x" * 70, 60) == "x" * 60 + "... (70 characters)"


def test_the_index_of_a_series_or_frame_are_the_ids() -> None:
    series = pd.Series({"a": "Yes", "b": None})
    expected = {"model": {"a": "Yes", "b": None}}
    assert as_predictions(series).responses == expected
    frame = series.rename("response").to_frame()
    assert as_predictions(frame).responses == expected
    frame.index.name = "id"
    assert as_predictions(frame).responses == expected
    assert as_predictions(frame.reset_index()).responses == expected
    assert as_predictions(frame["response"]).responses == expected
    both = pd.concat({"m": frame, "n": frame}, names=["model"])
    assert as_predictions(both).responses == {"m": expected["model"], "n": expected["model"]}
    with pytest.raises(InputError, match="rows 1 and 2, give the id 'a' different"):
        as_predictions(pd.Series(["x", "y"], index=["a", "a"]))


def test_models_are_mapped_to_tables_and_files(write: Write) -> None:
    rows = [{"id": "a", "response": "Yes", "model": "ignored"}]
    path = write("run.jsonl", json.dumps(rows[0]) + "\n")
    expected = {"m": {"a": "Yes"}}
    frame = pd.DataFrame(rows)
    for value in (
        *(frame, frame.set_index("id"), frame.set_index("id")["response"], path, str(path)),
        *(datasets.Dataset.from_list(rows), pa.Table.from_pylist(rows)),
    ):
        assert as_predictions({"m": value}).responses == expected
    assert as_predictions({"m": path, "n": frame}).responses.keys() == {"m", "n"}
    # What is no file is a response.
    assert as_predictions({"m": "jsonl"}).responses == {"model": {"m": "jsonl"}}
    with pytest.raises(InputError, match=r"there is no file nowhere.jsonl"):
        as_predictions({"m": "nowhere.jsonl"})
    with pytest.raises(InputError, match="these do both"):
        as_predictions({"m": path, "a": "Yes"})


@pytest.mark.parametrize(
    ("name", "content", "place"),
    [
        ("run.jsonl", '{"id": "a", "response": "x"}\n{"id": "b", "id": "c", "response": "y"}\n',
         "run.jsonl line 2 has the key 'id' twice; keep one of them"),
        ("run.jsonl", '{"id": "a", "response": "x", "response": "y"}\n',
         "run.jsonl line 1 has the key 'response' twice; keep one of them"),
        ("run.json", '[{"id": "a", "response": "x", "response": "y"}]',
         "run.json holds an object that has the key 'response' twice; keep one of them"),
    ],
)  # fmt: skip
def test_a_key_that_stands_twice_is_refused(
    write: Write, name: str, content: str, place: str
) -> None:
    with pytest.raises(InputError) as caught:
        read_predictions([write(name, content)])
    assert str(caught.value).endswith(place)


def test_models_of_a_file_come_in_the_order_of_their_names(write: Write) -> None:
    rows = [{"id": id, "response": "x", "model": model} for id in "ab" for model in "nmo"]
    one = write("one.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    other = write("other.jsonl", "".join(json.dumps(row) + "\n" for row in reversed(rows)))
    for path in (one, other):
        assert list(read_predictions([path]).responses) == ["m", "n", "o"]
    last = write("first.jsonl", '{"id": "a", "response": "x"}\n')
    assert list(read_predictions([last, one]).responses) == ["first", "m", "n", "o"]
