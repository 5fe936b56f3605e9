"""`benchloom dragon propose`: the working folder it writes, what it says, and its exit status."""

import json
import shutil
import socket
from collections.abc import Callable
from pathlib import Path

import pytest
from dragon_fixtures import WRITERS, cut_short, write_chartqa, write_circuit_vqa
from loopback_model import GOOD, NAME, serve_model

from benchloom.builders.dragon import model
from benchloom.builders.dragon.regions import Region
from benchloom.builders.dragon.resolution import resolve
from benchloom.builders.dragon.review_log import open_log
from benchloom.builders.dragon.sources import source
from benchloom.builders.dragon.transfers import Status, Transfer, write_transfers
from benchloom.builders.dragon.work import ITEMS, Evidence, read_work
from benchloom.scripts.main import main

Propose = Callable[..., int]


@pytest.fixture
def propose(tmp_path: Path) -> Propose:
    def run(*words: str | Path) -> int:
        work = ["--work", str(tmp_path / "work")]
        return main(["dragon", "propose", *map(str, words), *work])

    return run


@pytest.mark.parametrize("name", WRITERS)
def test_every_source(name: str, propose: Propose, tmp_path: Path) -> None:
    WRITERS[name](tmp_path / "copy")
    assert propose(name, tmp_path / "copy") == 0
    items = read_work(tmp_path / "work").items
    assert items
    assert all(one.item.path.is_file() for one in items)
    before = (tmp_path / "work" / ITEMS).read_bytes()
    assert propose(name, tmp_path / "copy") == 0
    assert (tmp_path / "work" / ITEMS).read_bytes() == before


def test_sources_add_up_and_reviews_stay(
    propose: Propose, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    charts, circuits = write_chartqa(tmp_path / "a"), write_circuit_vqa(tmp_path / "b")
    assert propose("circuit_vqa", circuits) == 0
    reviews = tmp_path / "work" / "reviews" / "ann.jsonl"
    reviews.parent.mkdir()
    reviews.write_text("{}\n")
    assert propose("chartqa", charts, "--split", "test", "--sample", "2") == 0
    work = read_work(tmp_path / "work")
    assert [one.item.source for one in work.items] == ["chartqa"] * 2 + ["circuit_vqa"] * 3
    assert work.folders == {"chartqa": charts, "circuit_vqa": circuits}
    assert reviews.read_text() == "{}\n"
    capsys.readouterr()
    assert propose("chartqa", charts, "--split", "train") == 0
    assert "2 items of ChartQA that were not read this time stay as they were" in (
        capsys.readouterr().out
    )
    assert len(read_work(tmp_path / "work").items) == 8


def test_table_and_faults(
    propose: Propose, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    charts = write_chartqa(tmp_path / "a")
    (charts / "val" / "png" / "pie.png").unlink()
    assert propose("chartqa", charts) == 0
    lines = capsys.readouterr().out.splitlines()
    in_all = next(line for line in lines if line.startswith("in all")).split()
    items = read_work(tmp_path / "work").items
    counted = [sum(one.role == role for item in items for one in item.proposed)
               for role in ("answer", "support")]  # fmt: skip
    assert in_all == ["in", "all", "9", "6", "9", "8", *map(str, counted), "0"]
    assert f"1 fault in the source: see `benchloom dragon check chartqa {charts}`" in lines


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["ai3d", "copy"], "there is no source 'ai3d'"),
        (["ai2d", "copy"], "is no copy of AI2D"),
        (["chartqa", "copy", "--split", "dev"], "there is no split 'dev'"),
        (["chartqa", "copy", "--model", "m"], "need --endpoint"),
        (["chartqa", "copy", "--timeout", "9"], "need --endpoint"),
        (["chartqa", "copy", "--endpoint", "http://127.0.0.1:9/v1"], "--endpoint needs --model"),
        (["chartqa", "copy", "--endpoint", "x", "--model", "m"], "must begin with http://"),
        (["chartqa", "copy", "--regions", "no.jsonl"], "no.jsonl: cannot be read"),
        (["chartqa", "copy", "--sample", "0"], "a whole number from 1 up"),
    ],
)
def test_wrong_input_is_one_sentence_and_writes_nothing(
    words: list[str],
    message: str,
    propose: Propose,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    write_chartqa(tmp_path / "copy")
    try:
        status = propose(*words)
    except SystemExit as exit_:  # argparse
        status = int(exit_.code or 0)
    assert status == 2
    said = capsys.readouterr().err
    assert message in said
    assert said.count("\n") == 1
    assert not (tmp_path / "work").exists()


def test_a_model_proposes_and_the_rules_stand_in_for_it(
    propose: Propose, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    circuits = write_circuit_vqa(tmp_path / "copy")
    assert propose("circuit_vqa", circuits) == 0
    by_rules = [one.proposed for one in read_work(tmp_path / "work").items]
    assert len(by_rules[0]) == 1
    with serve_model() as endpoint:
        asked = [
            "circuit_vqa",
            circuits,
            "--endpoint",
            endpoint.url,
            "--model",
            NAME,
            "--parallel",
            "1",
        ]
        endpoint.replies = ["no", GOOD, "Answer: A1/<1,2,3>, A2/<900,2,3,4>"]
        assert propose(*asked) == 0
        said = capsys.readouterr().out
        first, second, third = read_work(tmp_path / "work").items
        assert first.proposed == by_rules[0]
        assert [one.origin for one in second.proposed] == ["model", "model"]
        assert third.proposed == ()
        for words in (
            f"{first.id}: an answer without `Answer:`; the rules propose in its place",
            f"{first.id}: malformed: no",
            f"{third.id}: malformed: A1/<1,2,3>",
            "the model: 2 of 3 items answered, 1 without a box; 2 malformed boxes, 1 outside "
            "their image and 0 given before left out; 0 answers cut short; "
            "3 requests answered, all others kept",
        ):
            assert words in said, words
        before = (tmp_path / "work" / ITEMS).read_bytes()
        assert propose(*asked, "--parallel", "3") == 0
        assert len(endpoint.requests) == 3
        assert (tmp_path / "work" / ITEMS).read_bytes() == before


def test_reply_that_never_comes_is_waited_for_no_longer_than_told(
    propose: Propose,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    charts = write_chartqa(tmp_path / "copy")
    monkeypatch.setattr(model, "RETRIES", 0)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/v1"
        words = ["--endpoint", url, "--model", NAME, "--timeout", "1", "--parallel", "1"]
        assert propose("chartqa", charts, *words) == 2
    assert "cannot be reached (Request timed out.)" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        propose("chartqa", charts, "--endpoint", url, "--model", NAME, "--timeout", "0")


def test_a_model_that_is_refused_changes_nothing(
    propose: Propose, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    charts = write_chartqa(tmp_path / "copy")
    with serve_model() as endpoint:
        endpoint.replies = [401]
        assert propose("chartqa", charts, "--endpoint", endpoint.url, "--model", NAME) == 2
    assert "refuses model 'eyes-1' (status 401)" in capsys.readouterr().err
    assert not (tmp_path / "work" / ITEMS).exists()


def test_a_copy_without_usable_questions(
    propose: Propose, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    charts = write_chartqa(tmp_path / "copy")
    for split in ("train", "val", "test"):
        shutil.rmtree(charts / split / "png")
    assert propose("chartqa", charts) == 2
    assert "`benchloom dragon check` says why" in capsys.readouterr().err


def test_real_maps(propose: Propose, samples: Path, tmp_path: Path) -> None:
    """With boxes for every state at one place: what is proposed goes by words alone."""
    assert propose("mapwise", samples / "mapwise") == 0
    items = read_work(tmp_path / "work").items
    assert len(items) == 240
    assert not any(one.proposed for one in items)
    region = {
        "origin": "similarity", "anchor": "map", "inliers": 40, "score": 0.8,
        "needs_redraw": False, "clipped": False,
    }  # fmt: skip
    names = ("WA", "CO", "WY", "CA", "TX", "FL", "ME", "AK", "HI", "legend", "title")
    lines = []
    for one in {one.item.image.sha256: one for one in items if one.item.split == "usa"}.values():
        image = one.item.image.to_json()
        lines.append(
            {
                "source": "mapwise", "file_name": image["file_name"], "sha256": image["sha256"],
                "width": image["width"], "height": image["height"], "method": "auto",
                "status": "placed", "template_id": "usa", "origin": "similarity",
                "detector": "sift", "inliers": 40, "score": 0.8, "reason": "", "left_out": [],
                "regions": [{"id": name, "label": name, "bbox": [1, 2, 3, 4], **region}
                            for name in names],
            }
        )  # fmt: skip
    path = tmp_path / "regions.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert propose("mapwise", samples / "mapwise", "--regions", path) == 0
    items = read_work(tmp_path / "work").items
    usa = [one for one in items if one.item.split == "usa"]
    assert all(one.template_id == "usa" for one in usa)
    assert all(one.proposed for one in usa)
    (bordering,) = {
        tuple((evidence.role, evidence.label) for evidence in one.proposed)
        for one in usa
        if one.item.question == "Which state bordering Wyoming has the same value as Nevada?"
    }
    assert bordering == (("answer", "CO"), ("support", "WY"), ("support", "legend"))


def test_real_charts_and_circuits(propose: Propose, samples: Path, tmp_path: Path) -> None:
    assert propose("chartqa", samples / "chartqa") == 0
    items = read_work(tmp_path / "work").items
    assert len(items) == 8
    assert not any(one.item.regions or one.proposed for one in items)
    assert propose("circuit_vqa", samples / "circuit_vqa") == 2  # there are no images
    assert len(read_work(tmp_path / "work").items) == 8


def test_help_has_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["dragon", "propose", "--help"])
    said = capsys.readouterr().out
    assert "OPENAI_API_KEY" in said
    assert "benchloom dragon propose mapwise" in said


def test_images_that_are_cut_short_are_listed_and_left_out(
    propose: Propose, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    charts = write_chartqa(tmp_path / "copy")
    assert propose("chartqa", charts) == 0
    before = read_work(tmp_path / "work").items
    pie = charts / "val" / "png" / "pie.png"
    cut_short(pie, keep=0.7)
    shutil.rmtree(tmp_path / "work")
    capsys.readouterr()
    assert propose("chartqa", charts) == 0
    said = capsys.readouterr().out
    assert "val/png/pie.png: the image cannot be decoded" in said
    after = read_work(tmp_path / "work").items
    assert [one.id for one in after] == [one.id for one in before if one.item.path != pie]
    assert len(after) < len(before)


def test_lines_of_regions_without_an_image_are_counted(
    propose: Propose, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    maps = WRITERS["mapwise"](tmp_path / "copy")
    known = source("mapwise").read(maps).items[0].image.sha256
    statuses: dict[str, Status] = {
        known: "placed",
        "0" * 64: "placed",
        "1" * 64: "flagged",
        "2" * 64: "unreadable",
    }
    lines = [
        Transfer("mapwise", "a.png", sha256, 120, 80, "auto", status)
        for sha256, status in statuses.items()
    ]
    path = tmp_path / "regions.jsonl"
    write_transfers(path, lines)
    # A sample leaves images out; they are there all the same.
    assert propose("mapwise", maps, "--regions", path, "--split", "india", "--sample", "1") == 0
    said = capsys.readouterr().out
    assert "2 of 4 lines in the files of --regions are of images that no question" in said
    write_transfers(path, lines[:1])
    assert propose("mapwise", maps, "--regions", path) == 0
    assert "in the files of --regions" not in capsys.readouterr().out


def test_model_that_answers_nothing_is_a_fault(
    propose: Propose, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    charts = write_chartqa(tmp_path / "copy")
    with serve_model() as endpoint:
        asked = ["chartqa", charts, "--endpoint", endpoint.url, "--model", NAME]
        endpoint.replies = ["\ud800"]
        assert propose(*asked) == 1
        said = capsys.readouterr().out
        assert "the model answered no item: what is proposed is what the rules say" in said
        assert "an answer with characters that are none; the rules propose" in said
        items = read_work(tmp_path / "work").items
        assert any(one.proposed for one in items)
        endpoint.replies = ["\ud800"] * (len(endpoint.requests) + 1) + [GOOD]
        assert propose(*asked) == 0


def test_regions_of_before_are_kept(
    propose: Propose, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    maps = WRITERS["mapwise"](tmp_path / "copy")
    known = source("mapwise").read(maps).items[0].image.sha256
    region = Region("TX", "Texas", (1, 2, 5, 6), "similarity", "map", 40, 0.9)
    line = Transfer("mapwise", "a.png", known, 120, 80, "auto", "placed", "usa", regions=(region,))
    write_transfers(tmp_path / "regions.jsonl", [line])
    assert propose("mapwise", maps, "--regions", tmp_path / "regions.jsonl") == 0
    before = (tmp_path / "work" / ITEMS).read_bytes()
    assert "regions of before" not in capsys.readouterr().out
    assert propose("mapwise", maps) == 0
    assert "without a line in --regions: the regions of before are kept" in capsys.readouterr().out
    assert (tmp_path / "work" / ITEMS).read_bytes() == before


def review_all(work: Path) -> None:
    for name in ("anna", "bob"):
        with open_log(work, name) as writer:
            for one in read_work(work).items:
                box = Evidence("d1", "answer", "x", (1, 2, 30, 40), "drawn")
                sha256, asked = one.item.image.sha256, one.item.asked
                writer.append(one.id, sha256, "review", (box,), asked=asked)


def verified(work: Path) -> list[str]:
    return [one.item.id for one in resolve(read_work(work), work).items if one.status == "verified"]


@pytest.mark.parametrize("sample", [[], ["--sample", "3"]])
def test_an_answer_that_the_source_has_corrected_is_reviewed_anew(
    propose: Propose, tmp_path: Path, capsys: pytest.CaptureFixture[str], sample: list[str]
) -> None:
    """Its id is made of question and answer, so that it is another one then."""
    charts, work = write_chartqa(tmp_path / "copy"), tmp_path / "work"
    assert propose("chartqa", charts, *sample) == 0
    review_all(work)
    items = read_work(work).items
    assert len(verified(work)) == len(items)
    old = items[0]
    path = charts / old.item.split / f"{old.item.split}_human.json"
    if not any(one["query"] == old.item.question for one in json.loads(path.read_text())):
        path = charts / old.item.split / f"{old.item.split}_augmented.json"
    records = json.loads(path.read_text())
    (record,) = (one for one in records if one["query"] == old.item.question
                 and one["imgname"] == old.item.image.file_name)  # fmt: skip
    record["label"] = "corrected"
    path.write_text(json.dumps(records))
    capsys.readouterr()
    assert propose("chartqa", charts, *sample) == 0
    said = capsys.readouterr().out
    now = read_work(work).items
    (new,) = (one for one in now if one.item.answer == "corrected")
    assert f"{old.id}: the source has corrected it, it is {new.id} now" in said
    assert "counts for nothing; review them again" in said
    assert "stay" not in said
    assert old.id not in [one.id for one in now]
    assert len(now) == len(items)
    assert sorted(verified(work)) == sorted(one.id for one in items if one.id != old.id)


def test_a_question_with_an_id_of_its_own_that_the_source_has_corrected(
    propose: Propose, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy, work = WRITERS["ai2d"](tmp_path / "copy"), tmp_path / "work"
    assert propose("ai2d", copy) == 0
    review_all(work)
    items = read_work(work).items
    changed = []
    for path in sorted((copy / "questions").glob("*.json")):
        value = json.loads(path.read_text())
        for question in value["questions"].values():
            question["correctAnswer"] = (question["correctAnswer"] + 1) % len(
                question["answerTexts"]
            )
            changed.append(question["questionId"])
        path.write_text(json.dumps(value))
    assert changed
    capsys.readouterr()
    assert propose("ai2d", copy) == 0
    said = capsys.readouterr().out
    assert f"{items[0].id}: the source has corrected its question, answer or choices" in said
    assert [one.id for one in read_work(work).items] == [one.id for one in items]
    assert verified(work) == []


def test_a_question_that_the_source_has_no_longer_is_withdrawn(
    propose: Propose, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    charts, work = write_chartqa(tmp_path / "copy"), tmp_path / "work"
    assert propose("chartqa", charts) == 0
    review_all(work)
    items = read_work(work).items
    (old, *others) = [one for one in items if one.item.split == "test"]
    path = charts / "test" / "test_human.json"
    if not any(one["query"] == old.item.question for one in json.loads(path.read_text())):
        path = charts / "test" / "test_augmented.json"
    whole = path.read_text()
    (record,) = (one for one in json.loads(whole) if one["query"] == old.item.question
                 and one["imgname"] == old.item.image.file_name)  # fmt: skip
    record.update(query="Another one?", label="corrected, too")
    rest = [one for one in json.loads(whole) if one["query"] != old.item.question]
    for records in (rest, [*rest, record]):
        path.write_text(json.dumps(records))
        for part in (["--split", "test"], ["--sample", "100"]):
            capsys.readouterr()
            assert propose("chartqa", charts, *part) == 0
            assert "withdrawn" not in capsys.readouterr().out
            assert old.id in verified(work), "only a part was read"
        assert propose("chartqa", charts) == 0
        said = capsys.readouterr().out
        assert f"{old.id}: the source has it no longer, it is withdrawn" in said
        assert "stays in the logs, and counts again if they come back" in said
        assert "stay as they were" not in said
        assert old.id not in [one.id for one in read_work(work).items]
        assert {one.id for one in others} <= set(verified(work))
        path.write_text(whole)
        assert propose("chartqa", charts) == 0
        assert sorted(verified(work)) == sorted(one.id for one in items)


@pytest.mark.parametrize("lost", ["test/png/bars.png", "test/png", "test/test_human.json"])
def test_what_a_fault_kept_from_being_read_is_not_withdrawn(
    propose: Propose, tmp_path: Path, capsys: pytest.CaptureFixture[str], lost: str
) -> None:
    charts, work = write_chartqa(tmp_path / "copy"), tmp_path / "work"
    assert propose("chartqa", charts) == 0
    review_all(work)
    items = read_work(work).items
    (charts / lost).rename(tmp_path / "aside")
    capsys.readouterr()
    assert propose("chartqa", charts) == 0
    said = capsys.readouterr().out
    assert "withdrawn" not in said
    assert "not read this time" in said
    assert {one.id for one in read_work(work).items} == {one.id for one in items}
