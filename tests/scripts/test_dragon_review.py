import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from dragon_review import PROPOSED, decide, drawn, entries, write_review_work

from benchloom.builders.dragon.review_log import Marks, open_log
from benchloom.scripts.main import main

Q1, Q2 = "chartqa-test-q1", "chartqa-test-q2"


@pytest.fixture
def work(tmp_path: Path) -> Path:
    return write_review_work(tmp_path, 3)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    def call(*words: Any) -> tuple[int, str, str]:
        status = main(["dragon", *map(str, words)])
        said = capsys.readouterr()
        return status, said.out, said.err

    return call


def mark(work: Path, annotator: str, item: str, cvr: bool, cea: bool) -> None:
    decide(work, annotator, item, *PROPOSED, kind="marks", marks=Marks(cvr, cea))


def test_agreement_is_a_table_like_the_papers(work: Path, run: Any) -> None:
    for item, one, other in (
        (Q1, True, True),
        (Q2, False, False),
        ("chartqa-test-q3", True, False),
    ):
        mark(work, "anna", item, one, True)
        mark(work, "bob", item, other, True)
    status, said, _ = run("agreement", work)
    assert status == 0
    lines = [line.split() for line in said.splitlines()]
    assert lines[2][:6] == ["chartqa", "CVR", "3", "3", "66.7", "20.8"]
    assert lines[2][8] == "0.400"
    assert lines[2][-2:] == ["87.0", "0.658"]
    assert lines[3][4] == "100.0"
    assert lines[3][-4:] == ["-", "-", "83.0", "0.589"]
    assert "undefined" in said
    status, said, _ = run("agreement", work, "--json")
    value = json.loads(said)
    assert value["rows"][1]["kappa"] is None
    assert value["rows"][0]["kappa"] == pytest.approx(0.4)
    assert value["set_aside"] == []


def test_agreement_without_marks_says_what_to_do(work: Path, run: Any) -> None:
    status, said, _ = run("agreement", work)
    assert status == 0
    assert "--marks" in said
    mark(work, "anna", Q1, True, True)
    decide(work, "bob", Q1, PROPOSED[0], kind="marks", marks=Marks(True, True))
    status, _, faults = run("agreement", work)
    assert status == 1
    assert faults.startswith(f"set aside: {Q1}: anna and bob marked different boxes")


@pytest.mark.parametrize("name", ["label-studio", "coco", "voc"])
def test_export_and_import(name: str, work: Path, run: Any, tmp_path: Path) -> None:
    decide(work, "anna", Q1, PROPOSED[0], drawn("d1", 1, 2, 3, 4))
    path = tmp_path / "out"
    status, said, _ = run("export", work, path, "--format", name, "--annotator", "anna")
    assert status == 0
    assert "items written to" in said
    (work / "reviews" / "anna.jsonl").rename(tmp_path / "before.jsonl")
    status, said, _ = run("import", work, path, "--format", name, "--annotator", "anna")
    assert status == 0
    assert said.splitlines()[:2] == [
        "1 items entered as reviews of anna",
        "boxes: 1 kept, 0 edited, 1 added, 1 removed",
    ]
    (entry,) = entries(work, "anna", "review")
    assert [one["id"] for one in entry["evidence"]] == ["p1", "d1"]


def test_import_lists_what_it_leaves_out(work: Path, run: Any, tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    path.write_text('[{"id": 7, "data": {"item": "gone"}}]')
    status, said, _ = run("import", work, path, "--format", "label-studio", "--annotator", "anna")
    assert status == 1
    assert "task 7: its data names no item" in said


def test_import_from_a_user(work: Path, run: Any, tmp_path: Path) -> None:
    for annotator in ("anna", "bob"):
        decide(work, annotator, Q1, PROPOSED[0])
    decide(work, "bob", Q2, PROPOSED[0])
    path, name = tmp_path / "tasks.json", ("--format", "label-studio")
    assert run("export", work, path, *name)[0] == 0
    user = ("--from-user", "bob")
    status, said, _ = run("import", work, path, *name, "--annotator", "carl", *user)
    assert status == 1
    assert said.count("this annotation is bob's review already") == 2, "it would agree with itself"
    assert entries(work, "carl") == []
    for annotator in ("anna", "bob"):  # as if they had worked in the other tool alone
        (work / "reviews" / f"{annotator}.jsonl").unlink()
    status, said, note = run("import", work, path, *name, "--annotator", "carl")
    assert note == "note: taken as carl's: 1 by bob\n"
    assert status == 1
    assert "task 1: it was annotated by anna, bob, not by carl" in said
    assert [one["item"] for one in entries(work, "carl")] == [Q2]
    status, said, _ = run("import", work, path, *name, "--annotator", "carl")
    assert "0 items entered as reviews of carl" in said
    assert "1 was entered before and says the same: left as it is" in said
    assert len(entries(work, "carl")) == 1
    status, said, _ = run("import", work, path, *name, "--annotator", "dora", "--from-user", "anna")
    assert status == 1
    assert "task 2: it was annotated by bob, not by anna" in said
    assert [one["item"] for one in entries(work, "dora")] == [Q1]


def test_interface_of_label_studio(work: Path, run: Any, tmp_path: Path) -> None:
    from xml.etree import ElementTree

    arguments = ("--format", "label-studio", "--interface", tmp_path / "view.xml")
    assert run("export", work, tmp_path / "tasks.json", *arguments)[0] == 0
    view = ElementTree.parse(tmp_path / "view.xml").getroot()
    names = {one.get("name") for one in view.iter() if one.get("name")}
    results = json.loads((tmp_path / "tasks.json").read_text())[0]["predictions"][0]["result"]
    assert {one["from_name"] for one in results} | {"image"} <= names


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("review", "work", "--annotator", "An Na"), "name is made of"),
        (("review", "nowhere", "--annotator", "anna"), "no working folder"),
        (("review", "work", "--annotator", "anna", "--source", "ai2d"), "no items of 'ai2d'"),
        (("review", "work", "--annotator", "anna", "--arbitrate"), "nothing to arbitrate"),
        (("review", "work", "--annotator", "anna", "--marks"), "nothing to mark"),
        (("review", "work", "--annotator", "anna", "--port", "70000"), "choose another --port"),
        (("export", "work", "x", "--format", "coco", "--annotator", "eve"), "reviewed nothing"),
        (("export", "work", "work/items.jsonl/x", "--format", "coco"), "cannot be written"),
        (("import", "work", "gone", "--format", "coco", "--annotator", "eve"), "cannot be read"),
        (
            ("import", "work", "x", "--format", "coco", "--annotator", "a", "--from-user", "b"),
            "names no users",
        ),
        (("agreement", "nowhere"), "no working folder"),
    ],
)
def test_bad_input_is_one_sentence(
    work: Path, run: Any, words: Any, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(work.parent)
    status, _, faults = run(*words)
    assert status == 2
    assert said in faults
    assert len(faults.splitlines()) == 1


def test_second_session_with_the_same_name_is_refused(
    work: Path, run_cli: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    with open_log(work, "anna"):
        done = run_cli("dragon", "review", work, "--annotator", "anna", "--port", "0")
        assert done.returncode == 2
        assert "'anna' has a session open already" in done.stderr


def test_help_is_quick_to_import() -> None:
    """The commands import what they use when they run."""
    import sys

    code = (
        "import sys, benchloom.scripts.dragon_review, benchloom.scripts.dragon_agreement, "
        "benchloom.scripts.dragon_exchange; "
        "print([n for n in sys.modules if n.startswith('benchloom.builders.dragon')])"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout == "[]\n"
