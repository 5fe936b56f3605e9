import json
import re
import shlex
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from dragon_fixtures import write_chartqa, write_mapwise
from dragon_review import PROPOSED, decide, drawn, write_review_work
from dragon_work import propose_all

from benchloom.builders.dragon.edits import Edits
from benchloom.builders.dragon.exchange import (
    ForeignBox,
    Imported,
    adopt,
    name_pictures,
    record_answers,
)
from benchloom.builders.dragon.exchange_coco import find_by_file_name
from benchloom.builders.dragon.exchange_formats import FORMATS
from benchloom.builders.dragon.item import ImageFile, ImageRef
from benchloom.builders.dragon.review_log import Log, open_log, read_logs
from benchloom.builders.dragon.template_file import TemplateFile
from benchloom.builders.dragon.template_formats import read_templates
from benchloom.builders.dragon.transfers import read_transfers
from benchloom.builders.dragon.work import Evidence, Work, WorkItem, read_work
from benchloom.builders.errors import InputError
from benchloom.builders.seeds import rng
from benchloom.scripts import dragon_exchange
from benchloom.scripts.main import main

P1, P2 = PROPOSED
NAMES = ("label-studio", "coco", "voc")
WITH_IDS = NAMES[:2]


@pytest.fixture
def work(tmp_path: Path) -> Path:
    return write_review_work(tmp_path, 2)


@pytest.fixture
def items(work: Path) -> tuple[WorkItem, ...]:
    return read_work(work).items


Bring = Callable[..., Imported]


@pytest.fixture
def bring(work: Path, items: tuple[WorkItem, ...]) -> Bring:
    """Imports a file, as often as not that of anna as another's."""

    def run(name: str, path: Path, annotator: str = "bob", *, independent: bool = True) -> Imported:
        answers, faults = FORMATS[name][1](path, items, annotator)
        with open_log(work, annotator) as writer:
            return record_answers(writer, answers, faults, read_logs(work), independent)

    return run


def out(name: str, work: Path, annotator: str | None, path: Path) -> Path:
    of = read_work(work)
    FORMATS[name][0](of.items, read_logs(work), annotator, path, name_pictures(of)[1])
    return path


def evidence(work: Path, annotator: str) -> dict[str, tuple[Evidence, ...]]:
    logs = {log.annotator: log for log in read_logs(work)}
    return {item: one.evidence for item, one in logs[annotator].last("review").items()}


def random_item(number: int, boxes: int) -> WorkItem:
    """An item with random boxes in a picture of random size; no number is round."""
    draw = rng("test", "exchange", number)
    width, height = (int(side) for side in draw.integers(50, 4000, size=2))
    found = []
    for place in range(1, boxes + 1):
        left, right = sorted(draw.random(2) * width)
        top, bottom = sorted(draw.random(2) * height)
        box = (left, top, max(right - left, 0.6), max(bottom - top, 0.6))
        role: Any = "answer" if draw.random() < 0.5 else "support"
        found.append(Evidence(f"p{place}", role, f"thing <{place}> & “co”", box, "model"))
    ref = ImageRef("test", f"picture {number}.png", f"{number:064x}", width, height)
    image = ImageFile.at(Path("nowhere"), ref)
    item = read_item()
    return WorkItem(replace(item, id=f"chartqa-test-{number}", image_file=image), tuple(found))


def read_item() -> Any:
    from benchloom.builders.dragon.item import Item

    ref = ImageRef("test", "x.png", "0" * 64, 10, 10)
    image = ImageFile.at(Path("nowhere"), ref)
    return Item(*("x", "chartqa", "test", "q", "Why?", "so"), choices=(), image_file=image)


@pytest.mark.parametrize("name", NAMES)
def test_thousand_random_boxes_come_back(name: str, tmp_path: Path) -> None:
    of = [random_item(number, 20) for number in range(50)]
    path = tmp_path / "out"
    write, read = FORMATS[name]
    _, names = name_pictures(Work(tuple(of)))
    sent: dict[str, tuple[Evidence, ...]] = {item.id: item.proposed for item in of}
    if name == "label-studio":
        from benchloom.builders.dragon.review_log import Decision

        decisions = [
            Decision(item.id, item.item.image.sha256, "anna", "2026", "review", item.proposed)
            for item in of
        ]
        write(of, [Log("anna", Path("anna.jsonl"), tuple(decisions))], "anna", path, names)
    else:
        write(of, (), None, path, names)
    answers, faults = read(path, of, "anna")
    assert faults == []
    back = {answer.item.id: answer.boxes for answer in answers}
    assert list(back) == list(sent)
    boxes = 0
    for item in of:
        for before, after in zip(sent[item.id], back[item.id], strict=True):
            assert max(abs(a - b) for a, b in zip(before.bbox, after.bbox, strict=True)) <= 0.01
            assert (before.role, before.id) == (after.role, after.id or before.id)
            boxes += 1
        adopted = adopt(item, back[item.id])
        assert [(one.id, one.label) for one in adopted] == [(o.id, o.label) for o in item.proposed]
    assert boxes == 1000
    assert name == "voc" or all(box.id for of_item in back.values() for box in of_item)


@pytest.mark.parametrize("name", WITH_IDS)
def test_edits_of_a_review_are_told_apart_after_a_round_trip(
    name: str, work: Path, bring: Bring, tmp_path: Path
) -> None:
    edited = replace(P1, bbox=(41.25, 100.0, 60.0, 150.0), origin="drawn")
    added = drawn("d3", 10.1, 20.2, 30.3, 40.4, label="new ü")
    decide(work, "anna", "chartqa-test-q1", edited, added, ambiguous=True, note="a\nb")
    decide(work, "anna", "chartqa-test-q2", P2, P1)
    path = out(name, work, "anna", tmp_path / "file.json")
    if name == "label-studio":
        rename(path, "anna", "bob")
    imported = bring(name, path, "bob")
    assert imported.faults == ()
    assert imported.edits["chartqa-test-q1"] == Edits((), ("p1",), ("d3",), ("p2",))
    assert imported.edits["chartqa-test-q2"].kept == ("p1", "p2")
    assert evidence(work, "bob") == evidence(work, "anna")
    logs = {log.annotator: log for log in read_logs(work)}
    review = logs["bob"].last("review")["chartqa-test-q1"]
    assert (review.ambiguous, review.note) == (True, "a\nb")


def rename(path: Path, before: str, after: str) -> None:
    path.write_text(path.read_text().replace(f'"{before}"', f'"{after}"'))


def test_voc_keeps_what_is_where_a_proposal_was(work: Path, bring: Bring, tmp_path: Path) -> None:
    decide(work, "anna", "chartqa-test-q1", drawn("d1", 1.25, 2, 3, 4), P2)
    path = out("voc", work, "anna", tmp_path / "voc")
    imported = bring("voc", path, "bob")
    assert imported.faults == ()
    assert imported.edits == {"chartqa-test-q1": Edits(("p2",), (), ("d1",), ("p1",))}
    assert evidence(work, "bob")["chartqa-test-q1"] == (drawn("d1", 1.25, 2, 3, 4), P2)


def test_voc_in_whole_numbers_counts_from_one(work: Path, bring: Bring, tmp_path: Path) -> None:
    path = out("voc", work, None, tmp_path / "voc")
    for file in path.glob("*.xml"):
        text = re.sub(r"(\d+)\.0000", r"\1", file.read_text())
        file.write_text(re.sub(r"(?s)<object>.*</object>", WHOLE, text))
    assert bring("voc", path, "bob").faults == ()
    first, second = evidence(work, "bob")["chartqa-test-q1"]
    assert first.bbox == (0.0, 0.0, 1.0, 1.0)
    assert second == P1, "x 41 to 100, y 101 to 250 are its pixels"


WHOLE = """\
<object><name>support</name>
<bndbox><xmin>1</xmin><ymin>1</ymin><xmax>1</xmax><ymax>1</ymax></bndbox></object>
<object><name>answer</name>
<bndbox><xmin>41</xmin><ymin>101</ymin><xmax>100</xmax><ymax>250</ymax></bndbox></object>"""


def test_label_studio_shows_proposals_and_all_reviews(work: Path, tmp_path: Path) -> None:
    decide(work, "anna", "chartqa-test-q1", P1)
    decide(work, "bob", "chartqa-test-q1", P2)
    tasks = json.loads(out("label-studio", work, None, tmp_path / "file.json").read_text())
    assert [task["data"]["item"] for task in tasks] == ["chartqa-test-q1", "chartqa-test-q2"]
    (prediction,) = tasks[0]["predictions"]
    assert [one["id"] for one in prediction["result"]] == ["p1", "p2"]
    assert [one["created_username"] for one in tasks[0]["annotations"]] == ["anna", "bob"]
    assert tasks[1]["annotations"] == []
    result = tasks[0]["annotations"][0]["result"][0]
    assert (result["original_width"], result["original_height"]) == (400, 300)
    value = result["value"]
    assert value == {
        **{"x": 10.0, "y": pytest.approx(100 / 3), "width": 15.0, "height": 50.0},
        **{"rotation": 0, "rectanglelabels": ["answer"]},
    }


def change_task(path: Path, change: Callable[[Any], Any]) -> None:
    tasks = json.loads(path.read_text())
    change(tasks[0])
    path.write_text(json.dumps(tasks))


def make_nameless(path: Path) -> None:
    """Takes out of a file of Label Studio who made its annotations, and when."""
    tasks = json.loads(path.read_text())
    for task in tasks:
        for annotation in task["annotations"]:
            del annotation["created_username"], annotation["created_at"]
    path.write_text(json.dumps(tasks))


def first_result(task: Any) -> Any:
    return task["annotations"][0]["result"][0]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda task: task["data"].update(item="gone"), "no item"),
        (lambda task: task["data"].update(image_sha256="0" * 64), "another picture"),
        (lambda task: first_result(task).update(original_width=401), "401×300"),
        (lambda task: first_result(task)["value"].update(rotation=3), "turned"),
        (lambda task: first_result(task)["value"].update(rectanglelabels=["car"]), "'car'"),
        (lambda task: first_result(task)["value"].update(rectanglelabels=[]), "one role"),
        (lambda task: first_result(task)["value"].pop("rectanglelabels"), "one role"),
        (lambda task: first_result(task).update(type="rectangle", value={}), "one role"),
        (lambda task: first_result(task).update(type="polygonlabels"), "p1 is of type 'polygon"),
        (lambda task: first_result(task).update(type="ellipselabels"), "p1 is of type 'ellipse"),
        (lambda task: first_result(task).update(type="keypoint"), "p1 is of type 'keypoint'"),
        (lambda task: first_result(task).update(type="brushlabels"), "upright rectangles"),
        (
            lambda task: task["annotations"][0].update(result={}),
            "the result of an annotation is no",
        ),
        (lambda task: task["data"].update(answer="17"), "another question or answer than"),
        (lambda task: first_result(task)["value"].pop("width"), "not as Label Studio"),
        (lambda task: first_result(task)["value"].update(x=120), "no area"),
        (lambda task: task.update(annotations=[3]), "not as Label Studio"),
        (lambda task: task["annotations"][0].pop("result"), "not as Label Studio"),
        (
            lambda task: task.update(annotations=[{"result": []}, {"result": []}]),
            "by a user without a name, not by anna",
        ),
        (lambda task: task["annotations"][0].update(was_cancelled=True), "cancelled"),
        (
            lambda task: task.update(
                annotations=[{"created_username": f"{name}, 3"} for name in ("eve", "bob")]
            ),
            "by eve, bob, not by anna; choose a user with --from-user",
        ),
    ],
)
def test_task_that_cannot_be_taken_is_named_and_the_rest_is(
    work: Path, bring: Bring, tmp_path: Path, change: Any, words: str
) -> None:
    for number in (1, 2):
        decide(work, "anna", f"chartqa-test-q{number}", P1)
    path = out("label-studio", work, None, tmp_path / "file.json")
    change_task(path, change)
    imported = bring("label-studio", path, "anna")
    (fault,) = imported.faults
    assert words in fault
    assert list(imported.edits) == ["chartqa-test-q2"]


def test_label_studio_own_words(work: Path, bring: Bring, tmp_path: Path) -> None:
    """Its ids for new boxes, its way to name users, cancelled and unnamed annotations."""
    decide(work, "anna", "chartqa-test-q1", P1, P2)
    path = out("label-studio", work, None, tmp_path / "file.json")

    def change(task: Any) -> None:
        (annotation,) = task["annotations"]
        annotation["created_username"] = " bob, 7"
        annotation["result"][0].update(id="xY9_aB", meta={})
        new = json.loads(json.dumps(annotation["result"][1]))
        new["id"] = "Qq_1"
        new["value"]["x"] += 1
        new.pop("meta")
        annotation["result"].append(new)
        task["annotations"].insert(0, {"was_cancelled": True, "result": []})
        task["annotations"].append({"created_username": "eve", "result": []})

    change_task(path, change)
    imported = bring("label-studio", path, "bob")
    (added,) = imported.edits["chartqa-test-q1"].added
    assert imported.edits == {"chartqa-test-q1": Edits(("p1", "p2"), (), (added,), ())}
    first, _, third = evidence(work, "bob")["chartqa-test-q1"]
    assert first == P1, "it is where the proposal was"
    assert third.label == ""
    left = bring("label-studio", path, "carl")
    assert left.edits == {}
    assert "by bob, eve, not by carl" in left.faults[0]


@pytest.mark.parametrize("by", [{"created_username": " ada@x.org, 1"}, {"completed_by": 1}, {}])
def test_only_annotation_counts_whoever_made_it(
    work: Path, bring: Bring, tmp_path: Path, by: Any
) -> None:
    decide(work, "anna", "chartqa-test-q1", P1)
    path = out("label-studio", work, None, tmp_path / "file.json")

    def change(task: Any) -> None:
        task["annotations"][0].pop("created_username")
        task["annotations"][0].update(by)
        task["annotations"].append({"was_cancelled": True, "result": []})

    change_task(path, change)
    imported = bring("label-studio", path, "bob")
    assert (list(imported.edits), imported.faults) == (["chartqa-test-q1"], ())


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda value: value["images"][0].update(item="gone"), "0 items"),
        (lambda value: value["images"][0].update(width=399), "400×300"),
        (lambda value: value["images"][0].update(sha256="1"), "another picture"),
        (lambda value: value["images"][0].update(question="Why?"), "another question or answer"),
        (
            lambda value: value["annotations"][0].update(attributes={"rotation": 12.5}),
            "the box 1 is turned",
        ),
        (lambda value: value["annotations"][0].update(bbox=[1, 2, 3]), "not as COCO"),
        (lambda value: value["annotations"][0].update(bbox=None), "not as COCO"),
        (lambda value: value["annotations"][0].update(category_id=9), "not as COCO"),
        (lambda value: value["annotations"][0].update(bbox=[1, 2, -3, 4]), "no area"),
        (lambda value: value["images"][1].update(value["images"][0] | {"id": 2}), "second time"),
    ],
)
def test_coco_that_cannot_be_taken(
    work: Path, bring: Bring, tmp_path: Path, change: Any, words: str
) -> None:
    path = out("coco", work, None, tmp_path / "file.json")
    value = json.loads(path.read_text())
    change(value)
    path.write_text(json.dumps(value))
    imported = bring("coco", path, "bob")
    (fault,) = imported.faults
    assert words in fault
    assert len(imported.edits) == 1


def test_coco_annotations_of_no_image(work: Path, bring: Bring, tmp_path: Path) -> None:
    path = out("coco", work, None, tmp_path / "file.json")
    value = json.loads(path.read_text())
    value["annotations"] += [{"id": 77, "image_id": 99}, {"id": 78}, 3, {"image_id": []}]
    path.write_text(json.dumps(value))
    imported = bring("coco", path, "bob")
    names = [fault.split("annotation ")[1].split(":")[0] for fault in imported.faults]
    assert names == ["77", "78", "number 8", "number 9"]
    assert len(imported.edits) == 2


def test_coco_of_another_tool(work: Path, bring: Bring, tmp_path: Path) -> None:
    value = {
        "images": [{"id": 4, "file_name": "images/chart2.png", "width": 400, "height": 300}],
        "annotations": [
            {"id": 1, "image_id": 4, "category_id": 7, "bbox": [40, 100, 60, 150]},
            {"id": 2, "image_id": 4, "category_id": 8, "bbox": [1, 2, 3, 4]},
        ],
        "categories": [{"id": 7, "name": "answer"}, {"id": 8, "name": "support"}],
    }
    path = tmp_path / "file.json"
    path.write_text(json.dumps(value))
    assert bring("coco", path, "bob").faults == ()
    assert evidence(work, "bob") == {
        "chartqa-test-q2": (P1, drawn("d1", 1, 2, 3, 4, role="support"))
    }


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("content", [b"", b"[]", b"{}", b"<a/>", b"\xff", b"[1]", b'"x"'])
def test_other_files_are_refused(
    name: str, content: bytes, work: Path, bring: Bring, tmp_path: Path
) -> None:
    path = tmp_path / "file"
    if name == "voc":
        path.mkdir()
        (path / "a.xml").write_bytes(content)
        imported = bring(name, path, "bob")
        assert imported.edits == {}
        assert "a.xml" in imported.faults[0]
        return
    path.write_bytes(content)
    if name == "label-studio" and content == b"[]":
        assert bring(name, path, "bob") == Imported({}, ())
        return
    with pytest.raises(InputError, match="file"):
        bring(name, path, "bob")


@pytest.mark.parametrize("name", NAMES)
def test_annotator_without_reviews(name: str, work: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'eve' has reviewed nothing"):
        out(name, work, "eve", tmp_path / "out")


def test_new_ids_are_never_old_ones(items: tuple[WorkItem, ...]) -> None:
    boxes = [
        ForeignBox("d2", "answer", "", (1, 1, 5, 5)),
        ForeignBox("zz", "answer", "", (9, 9, 5, 5)),
        ForeignBox("", "answer", "", (20, 20, 5, 5)),
    ]
    found = adopt(items[0], boxes, seen=[drawn("d4", 1, 1, 2, 2)])
    first, second, third = (one.id for one in found)
    assert (first, third) == ("d2", "d5")
    assert re.fullmatch("x[0-9a-f]{8}", second)


def test_voc_never_writes_into_a_filled_folder(work: Path, tmp_path: Path) -> None:
    path = out("voc", work, None, tmp_path / "voc")
    with pytest.raises(InputError, match="exists"):
        out("voc", work, None, path)


def test_command_line_knows_all_formats() -> None:
    assert tuple(FORMATS) == dragon_exchange.FORMATS == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_file_that_is_imported_again_enters_nothing(
    name: str, work: Path, bring: Bring, tmp_path: Path
) -> None:
    new = drawn("d4", 10.5, 20.5, 30, 40, label="new")
    decide(work, "anna", "chartqa-test-q1", replace(P1, bbox=(41.0, 100.0, 60.0, 150.0)), new)
    decide(work, "anna", "chartqa-test-q2", P1, P2)
    path = out(name, work, "anna", tmp_path / "out")
    if name == "label-studio":
        rename(path, "anna", "bob")
        change_task(path, lambda task: task["annotations"][0]["result"][1].update(id="xY9"))
    first = bring(name, path)
    assert (len(first.edits), first.again) == (2, ())
    log = (work / "reviews" / "bob.jsonl").read_bytes()
    second = bring(name, path)
    assert second.again == ("chartqa-test-q1", "chartqa-test-q2")
    assert second.edits.keys() == first.edits.keys()
    assert (work / "reviews" / "bob.jsonl").read_bytes() == log
    # What was changed since in the page stands, where the annotation is known to be the old one.
    decide(work, "bob", "chartqa-test-q2", P2)
    third = bring(name, path)
    stands = evidence(work, "bob")["chartqa-test-q2"]
    assert stands == ((P2,) if name == "label-studio" else (P1, P2))
    assert len(third.again) == (2 if name == "label-studio" else 1)


def test_annotation_of_one_is_not_entered_as_that_of_two(
    work: Path, bring: Bring, tmp_path: Path
) -> None:
    decide(work, "anna", "chartqa-test-q1", P1)
    decide(work, "anna", "chartqa-test-q2", P1)
    path = out("label-studio", work, "anna", tmp_path / "a.json")
    # What anna did in the page, and was then exported.
    imported = bring("label-studio", path, "bob")
    assert imported.edits == {}
    assert [fault for fault in imported.faults if "is anna's review already" in fault] == [
        *imported.faults
    ]
    assert len(imported.faults) == 2
    # What was made in Label Studio, and imported as carl's before.
    tasks = json.loads(path.read_text())
    for number, task in enumerate(tasks, 1):
        own = {"id": number, "lead_time": 7.5, "created_at": "2026-01-01T00:00:00Z"}
        task["annotations"][0].update(own, completed_by={"id": 3, "email": "ada@x.org"})
        task["annotations"][0].pop("created_username")
    path.write_text(json.dumps(tasks))
    assert len(bring("label-studio", path, "carl").edits) == 2
    refused = bring("label-studio", path, "bob")
    assert refused.edits == {}
    assert "this annotation is carl's review already" in refused.faults[0]
    assert not (work / "reviews" / "bob.jsonl").read_bytes()
    # The same, after it was imported into another project of Label Studio.
    tasks[0]["annotations"][0].update(id=77, created_at="2026-02-02T00:00:00Z")
    path.write_text(json.dumps(tasks))
    assert bring("label-studio", path, "bob").edits == {}
    tasks[0]["annotations"][0].update(unique_id="u-1", lead_time=8.5)
    path.write_text(json.dumps(tasks))
    assert list(bring("label-studio", path, "dora").edits) == ["chartqa-test-q1"]
    tasks[0]["annotations"][0].update(id=78, completed_by=9, lead_time=9.5)
    path.write_text(json.dumps(tasks))
    assert bring("label-studio", path, "bob").edits == {}
    # Another annotation that says the same is another person's.
    tasks[0]["annotations"][0].update(unique_id="u-2")
    path.write_text(json.dumps(tasks))
    assert list(bring("label-studio", path, "bob").edits) == ["chartqa-test-q1"]
    assert len(read_logs(work)) == 4


@pytest.mark.parametrize("name", NAMES)
def test_boxes_of_one_are_not_entered_as_those_of_two(
    name: str, work: Path, bring: Bring, tmp_path: Path
) -> None:
    """Nothing tells whose they are but the boxes themselves."""
    new = drawn("d4", 10.5, 20.25, 30, 40)
    edited = replace(P1, bbox=(41.0, 100.0, 60.0, 150.0), origin="drawn")
    decide(work, "anna", "chartqa-test-q1", edited, new)
    decide(work, "anna", "chartqa-test-q2", P1, P2)
    path = out(name, work, "anna", tmp_path / "out")
    if name == "label-studio":
        make_nameless(path)
    with pytest.raises(InputError, match="box by box, what anna has: entered as bob's, too"):
        bring(name, path, "bob", independent=False)
    assert not (work / "reviews" / "bob.jsonl").read_bytes()
    if name != "voc":  # which loses that a proposal was edited
        assert len(bring(name, path, "anna", independent=False).again) == 2
    assert len(bring(name, path, "bob", independent=True).edits) == 2
    # One that differs somewhere is another's work.
    decide(work, "carl", "chartqa-test-q1", new)
    moved = replace(P1, bbox=(40.0, 100.5, 60.0, 149.5), origin="drawn")
    decide(work, "carl", "chartqa-test-q2", moved, P2)
    other = out(name, work, "carl", tmp_path / "other")
    if name == "label-studio":
        make_nameless(other)
    (work / "reviews" / "carl.jsonl").unlink()
    assert len(bring(name, other, "dora", independent=False).edits) == 2


def test_coco_tells_whose_reviews_it_holds(
    work: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    decide(work, "anna", "chartqa-test-q1", P1)
    path = out("coco", work, "anna", tmp_path / "out.json")
    words = ["dragon", "import", str(work), str(path), "--format", "coco", "--annotator"]
    assert main([*words, "bob"]) == 2
    said = capsys.readouterr().err
    assert "holds the reviews of anna: import it with --annotator anna" in said
    assert said.count("\n") == 1
    assert not (work / "reviews" / "bob.jsonl").exists()
    assert main([*words, "anna"]) == 0
    assert main([*words, "bob", "--independent"]) == 0
    assert list(evidence(work, "bob")) == ["chartqa-test-q1"]


def test_box_of_another_tool_keeps_its_id_when_the_file_was_edited(
    work: Path, bring: Bring, tmp_path: Path
) -> None:
    decide(work, "anna", "chartqa-test-q1", P1, P2)
    path = out("label-studio", work, "anna", tmp_path / "file.json")

    def add(task: Any) -> None:
        result = task["annotations"][0]["result"]
        for name, x in (("Qq_1", 1.0), ("Zz-2", 2.0), ("Zz-2", 3.0)):
            new = json.loads(json.dumps(result[0]))
            new.update(id=name)
            new["value"]["x"] = x
            result.append(new)

    rename(path, "anna", "bob")
    change_task(path, add)
    bring("label-studio", path)
    before = evidence(work, "bob")["chartqa-test-q1"]
    assert len({one.id for one in before}) == 5, "two of one id are two boxes"

    def move(task: Any) -> None:
        result = task["annotations"][0]["result"]
        del result[-1]
        result[2]["value"]["x"] = 9.0
        result[2]["value"]["rotation"] = 360

    change_task(path, move)
    bring("label-studio", path)
    after = evidence(work, "bob")["chartqa-test-q1"]
    assert [one.id for one in after] == [one.id for one in before[:4]]
    assert after[2].bbox != before[2].bbox
    assert after[3] == before[3]


def test_results_that_are_no_part_of_the_picture_are_no_fault(
    work: Path, bring: Bring, tmp_path: Path
) -> None:
    decide(work, "anna", "chartqa-test-q1", P1)
    path = out("label-studio", work, "anna", tmp_path / "file.json")

    def change(task: Any) -> None:
        task["annotations"][0]["result"] += [
            {"type": "relation", "from_id": "p1", "to_id": "p1"},
            {"type": "rating", "value": {"rating": 4}},
        ]

    change_task(path, change)
    assert bring("label-studio", path, "anna").faults == ()


@pytest.mark.parametrize("name", WITH_IDS)
def test_box_that_leaves_the_picture_is_cut_and_named(
    name: str, work: Path, bring: Bring, tmp_path: Path
) -> None:
    decide(work, "anna", "chartqa-test-q1", drawn("d1", 390, 290, 30, 5), P1)
    path = out(name, work, "anna", tmp_path / "file.json")
    if name == "label-studio":
        rename(path, "anna", "bob")
    imported = bring(name, path, "bob")
    assert imported.faults == ()
    (remark,) = imported.remarks
    assert "'chartqa-test-q1': the box d1 (390, 290, 30, 5) left the picture of 400×300" in remark
    assert evidence(work, "bob")["chartqa-test-q1"][0].bbox == (390, 290, 10, 5)


@pytest.mark.parametrize("name", NAMES)
def test_tiny_boxes_come_back(name: str, work: Path, bring: Bring, tmp_path: Path) -> None:
    tiny = drawn("d1", 10.25, 20.5, 0.02, 0.34), drawn("d2", 30, 20, 0.3, 40)
    decide(work, "anna", "chartqa-test-q1", *tiny)
    path = out(name, work, "anna", tmp_path / "file")
    if name == "label-studio":
        rename(path, "anna", "bob")
    assert bring(name, path, "bob").faults == ()
    back = evidence(work, "bob")["chartqa-test-q1"]
    for before, after in zip(tiny, back, strict=True):
        assert after.bbox == pytest.approx(before.bbox, abs=0.01)


def test_polygons_of_coco_are_taken_as_boxes_and_named(
    work: Path, bring: Bring, tmp_path: Path
) -> None:
    path = out("coco", work, None, tmp_path / "file.json")
    value = json.loads(path.read_text())
    x, y, width, height = value["annotations"][0]["bbox"]
    corners = [x, y, x + width, y, x + width, y + height, x, y + height]
    value["annotations"][0]["segmentation"] = [corners]
    value["annotations"][1]["segmentation"] = [corners[:6]]
    path.write_text(json.dumps(value))
    imported = bring("coco", path, "bob")
    assert imported.faults == ()
    assert [remark.split(": ")[1] for remark in imported.remarks] == [
        "of the shape 2 the box around it was taken"
    ]


def test_pictures_are_named_by_their_paths_in_the_copies(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    copies = {
        "mapwise": write_mapwise(tmp_path / "my maps"),
        "chartqa": write_chartqa(tmp_path / "charts #1"),
    }
    work = tmp_path / "work"
    items = propose_all(work, copies)
    for name in ("label-studio", "coco"):
        path = tmp_path / f"{name}.json"
        words = ["dragon", "export", str(work), str(path), "--format", name]
        assert main(words) == 0
        said = capsys.readouterr().out
        root = tmp_path if name == "coco" else tmp_path.parent
        assert f"pictures are named from {root}\n" in said
        # A storage must lie below the document root.
        assert (f"DOCUMENT_ROOT={root}, " in said) == (name == "label-studio")
        assert (f"a local storage at\n{tmp_path}: " in said) == (name == "label-studio")
        value = json.loads(path.read_text())
        if name == "coco":
            told = [image["file_name"] for image in value["images"]]
        else:
            told = [parse_qs(urlsplit(task["data"]["image"]).query)["d"][0] for task in value]
        assert [root / one for one in told] == [item.item.path for item in items]
        assert all((root / one).is_file() for one in told)
    (work / "sources.json").write_text(
        json.dumps({"mapwise": "../my maps", "chartqa": str(copies["chartqa"])})
    )
    monkeypatch.chdir(tmp_path)
    assert name_pictures(read_work(Path("work"))) == (
        tmp_path,
        dict(zip((item.id for item in items), told, strict=True)),
    )
    only = propose_all(work, {"chartqa": copies["chartqa"]})
    root, names = name_pictures(read_work(work))
    assert root == copies["chartqa"]
    assert len(set(names.values())) == len({item.item.path for item in only})
    assert names[only[0].id].startswith("train/png/")


def test_the_printed_document_root_is_quoted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    work = tmp_path / "work"
    propose_all(work, {"chartqa": write_chartqa(tmp_path / "my $data" / "charts")})
    words = ["dragon", "export", str(work), str(tmp_path / "out"), "--format", "label-studio"]
    assert main(words) == 0
    root = shlex.quote(str(tmp_path / "my $data"))
    assert root[0] == "'"
    assert f"DOCUMENT_ROOT={root}, " in capsys.readouterr().out


def test_a_picture_is_found_by_the_path_that_was_written(tmp_path: Path) -> None:
    work = tmp_path / "work"
    charts = write_chartqa(tmp_path / "charts")
    for split in ("train", "val"):  # pictures of one name
        shutil.copy(next((charts / split / "png").iterdir()), charts / split / "png" / "same.png")
        records = [{"imgname": "same.png", "query": "Why?", "label": split}]
        (charts / split / f"{split}_human.json").write_text(json.dumps(records))
        (charts / split / f"{split}_augmented.json").write_text("[]")
    items = propose_all(work, {"chartqa": charts})
    _, names = name_pictures(read_work(work))
    for item in items:
        if item.item.image.file_name == "same.png":
            assert find_by_file_name(names[item.id], items) == [item]
    assert len(find_by_file_name("same.png", items)) == 2


def test_flag_that_voc_loses_is_told(
    work: Path, bring: Bring, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    decide(work, "anna", "chartqa-test-q1", P1, ambiguous=True)
    words = ["dragon", "export", str(work), str(tmp_path / "voc"), "--format", "voc"]
    assert main([*words, "--annotator", "anna"]) == 0
    assert "note: 1 item flagged as ambiguous: Pascal VOC has no" in capsys.readouterr().err
    (remark,) = bring("voc", tmp_path / "voc", "anna").remarks
    assert "flagged as ambiguous before, and is not in the file" in remark


def test_json_in_too_many_levels_is_a_sentence(work: Path, items: Any, tmp_path: Path) -> None:
    path = tmp_path / "deep.json"
    path.write_text("[" * 100_000 + "]" * 100_000)
    for name, words in (("label-studio", "cannot be read"), ("coco", "is no COCO")):
        with pytest.raises(InputError, match=words):
            FORMATS[name][1](path, items, "anna")
    for read_file in (lambda: read_templates(path, None), lambda: TemplateFile(path).read()):
        with pytest.raises(InputError, match=r"deep\.json"):
            read_file()
    deep = path.read_text()
    (work / "reviews").mkdir()
    (work / "reviews" / "anna.jsonl").write_text(deep + "\n")
    with pytest.raises(InputError, match="line 1: it is no JSON"):
        read_logs(work)
    (work / "items.jsonl").write_text(deep)
    with pytest.raises(InputError, match="line 1 is no JSON"):
        read_work(work)
    with pytest.raises(InputError, match="line 1: is no line of"):
        read_transfers(path)
