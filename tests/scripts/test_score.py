"""The command `score`: what it prints, what it writes and what it refuses."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from loopback_hub import LoopbackHub

from benchloom.builders.benchmark import Option
from benchloom.builders.pipeline import build
from benchloom.builders.recipe import Recipe
from benchloom.builders.statistics import Share, Table
from benchloom.loaders.directory import Build
from benchloom.loaders.scores.matching import prepare
from benchloom.loaders.scores.result import Result
from benchloom.scripts.main import main

Run = Callable[..., subprocess.CompletedProcess[str]]
FILES = ["report.html", "scores.json", "verdicts.parquet"]
HOSTILE = "<b>\x1b[31mred\u202e"


def score_numbers(predictions: Any, references: Any, **options: Any) -> Result:
    """Returns the scores of answers to the benchmark of numbers: which are equal to the number."""
    chosen = {name: options.pop(name) for name in ("config", "split", "answered_only")}
    grader = options.pop("grader")
    scored, matched = prepare("numbers", predictions, references, **chosen)
    numbers = scored.table.column("number").to_pylist()
    rows, verdicts = [], []
    for model, responses in matched.responses.items():
        right = [str(number) == text for number, text in zip(numbers, responses, strict=True)]
        rows.append((model, len(right), Share(sum(right) / len(right))))
        verdicts += [
            {
                **{"model": model, "id": name, "config": "even", "split": "test"},
                **{"extracted": None, "why": "", "verdict": "correct" if good else "incorrect"},
            }
            for name, good in zip(matched.ids, right, strict=True)
        ]
    head = ("model", "records", "accuracy")
    return Result(
        "numbers",
        grader,
        "7-abc",
        scored.data,
        tuple(matched.responses),
        pa.Table.from_pylist(verdicts),
        (
            Table("overview", "Models", head, rows, f"Note {HOSTILE}."),
            Table("more", "Another", ("model",), [(HOSTILE,)]),
            Table("comparison", "Pairs", ("first",), [(HOSTILE * 30,)]),
        ),
        sentences=(f"options {sorted(options.items())}", HOSTILE),
        remarks=(*matched.remarks, HOSTILE),
    )


@pytest.fixture
def numbers(load_numbers: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A build of the benchmark of numbers, which can be scored."""
    load_numbers()
    options = (
        Option("sides", "both", many=True),
        Option("half_points", "half", kind=float),
        Option("loud", "loud", kind=bool),
    )
    module = SimpleNamespace(OPTIONS=options, score=score_numbers)
    monkeypatch.setitem(sys.modules, "benchloom.loaders.scores.numbers", cast(Any, module))
    directory = tmp_path / "build"
    build(Recipe.of("numbers"), directory, jobs=1, quiet=True)
    return directory


@pytest.fixture
def answers(numbers: Path, tmp_path: Path) -> Path:
    """The right answers to the five records of even/test, of a model with a hostile name."""
    path = tmp_path / "run.jsonl"
    rows = [
        {"id": row["id"], "response": str(row["number"]), "model": HOSTILE}
        for row in Build(numbers).rows_without_images("even", "test")
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def score(*words: str | Path) -> int:
    """Runs the command for the benchmark of numbers and returns its status."""
    return main(["score", "numbers", *map(str, words)])


def test_tables_sentences_and_remarks_are_printed(
    numbers: Path, answers: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with answers.open("a") as file:
        file.write('{"id": "odd-test-0", "resp')
    assert score(answers, "--data", numbers) == 0
    printed, remarked = capsys.readouterr()
    shown = "<b>\\x1b[31mred\\u202e"
    lines = printed.splitlines()
    assert lines[0] == "Models"
    assert lines[4].split() == [shown, "5", "100.0%"]
    assert lines[6] == f"Note {shown}."
    assert "Pairs" in lines
    assert "(360 characters)" in printed  # a long name is cut
    assert "Another" not in lines
    assert "options []" in lines
    assert lines[-2] == "grader: lenient 7-abc"
    assert lines[-1] == "1 more table is in the report (--out FOLDER); --all-tables prints all"
    assert remarked.splitlines() == [
        f"benchloom: {answers} line 6, the last one, is cut off and was left out",
        f"benchloom: {shown}",
    ]
    assert score(answers, "--data", numbers, "--all-tables", "--out", tmp_path / "out") == 0
    printed = capsys.readouterr().out
    assert "\nAnother\n" in printed
    assert printed.endswith(
        f"scores.json, verdicts.parquet, report.html are in {tmp_path / 'out'}\n"
    )
    assert "\x1b" not in printed
    assert "\u202e" not in printed


def test_options_reach_the_benchmark(
    numbers: Path, answers: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--sides", "a", "b", "--half-points", "0.5", "--loud", "--grader", "strict"]
    assert score(answers, "--data", numbers, *words, "--config", "even", "--split", "test") == 0
    printed = capsys.readouterr().out
    assert "options [('half_points', 0.5), ('loud', True), ('sides', ['a', 'b'])]" in printed
    assert "grader: strict 7-abc" in printed
    with pytest.raises(SystemExit) as ended:
        score("--help")
    assert ended.value.code == 0
    printed = capsys.readouterr().out
    for word in ("--half-points", "--sides", "--answered-only", "PREDICTIONS", "--grader"):
        assert word in printed


def test_json_is_what_scores_json_holds(
    numbers: Path, answers: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert score(answers, "--data", numbers, "--out", out, "--json") == 0
    printed = capsys.readouterr().out
    assert printed == (out / "scores.json").read_text()
    value = json.loads(printed)
    assert value["tables"]["overview"]["rows"][0]["accuracy"] == 1.0
    assert value["data"]["scored"] == {"even": {"test": 5}}
    assert value["models"] == [HOSTILE]
    assert sorted(path.name for path in out.iterdir()) == FILES
    assert pq.read_table(out / "verdicts.parquet").num_rows == 5


def test_two_models_are_compared_on_what_both_answered(
    numbers: Path, answers: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other.csv"
    other.write_text("id,response\neven-test-1,5\neven-test-9,5\n")
    words = (answers, other, "--data", numbers, "--json")
    assert score(*words) == 0
    printed, remarked = capsys.readouterr()
    rows = json.loads(printed)["tables"]["overview"]["rows"]
    assert [(row["model"], row["records"]) for row in rows] == [(HOSTILE, 5), ("other", 5)]
    assert "other: 1 id unknown and not scored: even-test-9\n" in remarked
    assert (
        "other: 4 records have no answer, which counts as wrong (--answered-only leaves "
        in remarked
    )
    assert score(*words, "--answered-only") == 0
    printed, remarked = capsys.readouterr()
    rows = json.loads(printed)["tables"]["overview"]["rows"]
    assert [(row["model"], row["records"]) for row in rows] == [(HOSTILE, 1), ("other", 1)]
    assert "only the 1 of 5 records that every model answered count" in remarked


def test_earlier_scores_are_replaced_and_nothing_else(
    numbers: Path, answers: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    assert score(answers, "--data", numbers, "--out", out) == 0
    first = {path.name: path.read_bytes() for path in out.iterdir()}
    assert score(answers, "--data", numbers, "--out", out, "--grader", "strict") == 0
    assert (out / "scores.json").read_bytes() != first["scores.json"]
    assert score(answers, "--data", numbers, "--out", out) == 0
    assert {path.name: path.read_bytes() for path in out.iterdir()} == first

    def refused(where: Path) -> str:
        before = sorted(where.rglob("*")) if where.is_dir() else where.read_bytes()
        capsys.readouterr()
        assert score(answers, "--data", numbers, "--out", where) == 2
        assert before == (sorted(where.rglob("*")) if where.is_dir() else where.read_bytes())
        return capsys.readouterr().err

    (out / ".scores-123.part").mkdir()  # of a command that was killed
    assert score(answers, "--data", numbers, "--out", out) == 0
    (out / ".scores-123.part").rmdir()
    (out / "notes.txt").touch()
    assert refused(out) == (
        f"benchloom: --out {out} holds notes.txt, which is not of earlier scores; name another "
        "folder\n"
    )
    assert "holds CHANGELOG.md, which" in refused(numbers)
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "report.html").write_text("mine")
    assert "holds report.html, which is not of earlier scores" in refused(mine)
    (mine / "report.html").unlink()
    for content in ("{}", "3", "{"):
        (mine / "scores.json").write_text(content)
        assert "holds scores.json, which is not of earlier scores" in refused(mine)
    assert f"--out {answers} is a file; name a folder" in refused(answers)


def test_a_folder_that_cannot_be_written_is_one_sentence(
    numbers: Path, answers: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    out = tmp_path / "file" / "out"
    assert score(answers, "--data", numbers, "--out", out) == 2
    sentence = capsys.readouterr().err
    assert sentence.startswith(f"benchloom: {out} cannot be written: ")
    assert sentence.count("\n") == 1


@pytest.mark.parametrize(
    ("content", "words", "sentence"),
    [
        ("", (), "run.jsonl is empty"),
        (None, (), "there is no file run.jsonl"),
        (
            '{"id": "x", "response": "1"}',
            (),
            "none of the ids is in build: they look like 'x', its own like 'even-train-0'",
        ),
        ('{"id": "even-test-0", "output": "1"}', (), "rename 'output' to 'response'"),
        (
            '{"id": "even-test-0", "response": "1"}',
            ("--config", "odd"),
            "its ids are of even/test; give --config even --split test",
        ),
        (
            '{"id": "even-test-0", "response": "1"}\n{"id": "even-test-0", "response": "2"}',
            (),
            "run.jsonl lines 1 and 2 give the id 'even-test-0' different responses",
        ),
        ('{"id": "even-test-0", "response": "1"}', ("--config", "no"), "there is no config 'no'"),
        ('{"id": "even-test-0", "response": "1"}', ("--split", "no"), "there is no split 'no'"),
        ('{"id": "even-test-0", "response": "1"}', ("--data", "none"), "'none' is no directory"),
        ('{"id": "even-test-0", "response": "1"}', ("--data", "run.jsonl"), "must be a release"),
        ('{"id": "even-test-0", "response": "1"}', ("run.jsonl",), "run.jsonl is given twice"),
        ('{"id": "even-test-0", "response": "1"}', (".",), ". is a directory; name the files"),
    ],
)
def test_bad_input_is_one_sentence_and_status_2(
    numbers: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    content: str | None,
    words: Sequence[str],
    sentence: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    if content is not None:
        Path("run.jsonl").write_text(content)
    options = words if words[:1] and words[0].startswith("--") else ()
    files = [] if options else list(words)
    assert score("run.jsonl", *files, "--data", "build", *options) == 2
    printed, said = capsys.readouterr()
    assert not printed
    assert said.startswith("benchloom: ")
    assert sentence in said
    assert said.count("\n") == 1


def test_wrong_words_are_one_sentence(
    numbers: Path, answers: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for words, sentence in (
        ((answers,), "the following arguments are required: --data"),
        (("--data", numbers), "the following arguments are required: PREDICTIONS"),
        ((answers, "--data", numbers, "--grader", "kind"), "invalid choice: 'kind'"),
        ((answers, "--data", numbers, "--half-points", "x"), "invalid float value: 'x'"),
    ):
        with pytest.raises(SystemExit) as ended:
            score(*words)
        assert ended.value.code == 2
        said = capsys.readouterr().err
        assert sentence in said
        assert said.endswith("see benchloom score numbers --help\n")
        assert said.count("\n") == 1


def test_a_benchmark_without_scores_says_so(
    load_numbers: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    load_numbers()
    assert score("run.jsonl", "--data", "build") == 2
    assert capsys.readouterr().err == "benchloom: answers to numbers cannot be scored\n"


def test_other_commands_do_not_load_the_scores() -> None:
    program = (
        "import sys; from benchloom.scripts.main import parser; parser();"
        "print([name for name in sys.modules if name.startswith('benchloom.loaders.scores.')"
        " and not name.endswith(('.result', '.printable'))])"
    )
    found = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert found.stdout == "[]\n"


# --- with the benchmarks themselves


@pytest.fixture
def right(vga_build: Path, tmp_path: Path) -> Path:
    """The right answers to hard_iso/test as a CSV file."""
    path = tmp_path / "right.csv"
    columns = Build(vga_build).columns("hard_iso", "test")
    rows = zip(columns["id"], columns["answer"], strict=True)
    path.write_text("id,response\n" + "".join(f"{name},{answer}\n" for name, answer in rows))
    return path


def test_vga_is_scored_in_a_process_of_its_own(
    run_cli: Run, vga_build: Path, right: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    done = run_cli("score", "vga", right, "--data", vga_build, "--out", out)
    assert (done.returncode, done.stderr) == (0, "")
    assert "100.0%" in done.stdout
    assert sorted(path.name for path in out.iterdir()) == FILES
    assert set(pq.read_table(out / "verdicts.parquet").column("verdict").to_pylist()) == {"correct"}


def test_a_release_on_the_hub_is_scored(
    run_cli: Run, hub: LoopbackHub, vga_build: Path, right: Path, tmp_path: Path
) -> None:
    hub.create_repo("org/vga")
    files = [path for path in vga_build.rglob("*") if path.is_file()]
    hub.commit(
        "org/vga", {path.relative_to(vga_build).as_posix(): path.read_bytes() for path in files}
    )
    environment = hub.environment(tmp_path / "home")
    done = run_cli("score", "vga", right, "--data", "org/vga", "--json", environment=environment)
    assert (done.returncode, done.stderr) == (0, "")
    value = json.loads(done.stdout)
    assert value["data"]["name"] == "org/vga@main"
    assert value["data"]["scored"] == {"hard_iso": {"test": 24}}
    done = run_cli("score", "vga", right, "--data", "org/none", environment=environment)
    assert done.returncode == 2
    assert "there is no such dataset" in done.stderr
    assert done.stderr.count("\n") == 1


def test_own_references_are_scored(run_cli: Run, tmp_path: Path) -> None:
    record = {
        **{"id": "q1", "task": "shortest_path", "n_nodes": 4, "edges": [[0, 1], [1, 2], [2, 3]]},
        **{"source": 0, "target": 3, "answer": "0,1,2,3"},
    }
    (tmp_path / "right.jsonl").write_text(json.dumps(record))
    (tmp_path / "run.jsonl").write_text('{"id": "q1", "response": "The path is 0, 1, 2, 3."}')
    done = run_cli("score", "graphomni", "run.jsonl", "--data", "right.jsonl", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["counts"]["run"]["correct"] == 1


def test_dragon_is_scored(run_cli: Run, dragon_build: Path, tmp_path: Path) -> None:
    shutil.copytree(dragon_build, tmp_path / "build")
    lines = []
    for config, split in Build(dragon_build).splits():
        for row in Build(dragon_build).rows_without_images(config, split):
            boxes = ", ".join(
                f"{one['id']}/<{','.join(map(str, one['bbox']))}>" for one in row["evidence"]
            )
            lines.append(json.dumps({"id": row["id"], "response": f"Answer: {boxes}"}))
    (tmp_path / "run.jsonl").write_text("\n".join(lines))
    done = run_cli("score", "dragon", "run.jsonl", "--data", "build", "--split", "test", "--json")
    assert done.returncode == 0, done.stderr
    counts = json.loads(done.stdout)["counts"]["run"]
    assert counts["correct"] == sum(counts.values()) > 0


@pytest.mark.parametrize("name", ["vga", "graphomni"])
def test_only_graders_that_a_benchmark_has_are_offered(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["score", name, "--help"])
    assert ended.value.code == 0
    assert ("reference" in capsys.readouterr().out.partition("--grader")[2][:60]) == (
        name == "graphomni"
    )
