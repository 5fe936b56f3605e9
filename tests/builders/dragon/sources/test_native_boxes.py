"""The sources that have boxes of their own: AI2D, ChartQA, Circuit-VQA, InfographicsVQA."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from dragon_fixtures import (
    CIRCUIT,
    HEIGHT,
    WIDTH,
    change_json,
    draw_image,
    ratios,
    write_ai2d,
    write_chartqa,
    write_circuit_vqa,
    write_infographics_vqa,
    write_json,
)

from benchloom.builders.dragon.item import Item
from benchloom.builders.dragon.sources import SourceReading, source
from benchloom.builders.errors import InputError

Named = dict[str, tuple[str, tuple[float, ...]]]


def regions(item: Item) -> Named:
    assert all(region.origin == "native" for region in item.regions)
    assert all(region.anchor == "none" and not region.needs_redraw for region in item.regions)
    return {region.id: (region.label, region.bbox) for region in item.regions}


def find(reading: SourceReading, image: str, split: str = "") -> list[Item]:
    found = [
        item
        for item in reading.items
        if item.image_file.file_name == image and (not split or item.split == split)
    ]
    assert found
    return found


def texts(reading: SourceReading) -> list[str]:
    return [str(fault) for fault in reading.faults]


# AI2D


def test_ai2d_items_come_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    reading = source("ai2d").read(write_ai2d(tmp_path))
    assert [item.question_id for item in reading.items] == ["7.png-0", "7.png-1", "10.png-0"]
    assert "questions: 1 of 3 files hold none" in reading.notes
    assert "images: 1 image has no question" in reading.notes


def test_ai2d_answer_is_counted_from_zero(tmp_path: Path) -> None:
    letter, words = find(source("ai2d").read(write_ai2d(tmp_path)), "7.png")
    assert (letter.answer, letter.choices) == ("A", ("B", "A"))
    assert (words.answer, words.choices) == ("seed leaf", ("seed leaf", "root", "stone", "rain"))
    assert words.question == "What grows from the stalk?"
    assert words.details == {"abc_label": False, "category": "partsOfA"}


def test_ai2d_boxes_by_words_and_by_letters(tmp_path: Path) -> None:
    letter, words = find(source("ai2d").read(write_ai2d(tmp_path)), "7.png")
    assert regions(words) == {
        "T0": ("seed leaf", (10, 10, 30, 10)),
        "T1": ("root", (10, 25, 30, 10)),  # its corners come the other way round
        "T10": ("The seed", (60, 5, 30, 10)),
        "B0": ("seed leaf", (50, 30, 40, 40)),  # named by the text that is linked to it
        "B1": ("", (5, 60, 15, 15)),
        "A0": ("", (30, 40, 30, 10)),
    }
    named = {name: label for name, (label, _) in regions(letter).items()}
    assert named == {"T0": "A", "T1": "B", "T10": "The seed", "B0": "A", "B1": "", "A0": ""}
    assert [region.bbox for region in letter.regions] == [region.bbox for region in words.regions]
    assert letter.details["letters"] == {"A": "seed leaf", "B": "root"}


def test_ai2d_image_name_inside_counts(tmp_path: Path) -> None:
    write_ai2d(tmp_path)
    (tmp_path / "questions" / "10.png.json").rename(tmp_path / "questions" / "99.png.json")
    reading = source("ai2d").read(tmp_path)
    assert reading.faults == ()
    assert find(reading, "10.png")


@pytest.mark.parametrize("correct", [-1, 2, "0", None, 0.5, True])
def test_ai2d_answer_that_is_none_is_listed(tmp_path: Path, correct: Any) -> None:
    write_ai2d(tmp_path)

    def change(held: Any) -> None:
        held["questions"]["What is below?"]["correctAnswer"] = correct

    change_json(tmp_path / "questions" / "10.png.json", change)
    reading = source("ai2d").read(tmp_path)
    (fault,) = reading.faults
    assert (fault.where, fault.questions) == ("questions/10.png.json", 1)
    assert repr(correct) in fault.reason
    assert len(reading.items) == 2


def test_ai2d_without_annotations_keeps_its_questions(tmp_path: Path) -> None:
    write_ai2d(tmp_path)
    (tmp_path / "annotations" / "7.png.json").unlink()
    reading = source("ai2d").read(tmp_path)
    assert texts(reading) == [
        "annotations/7.png.json: the file is missing; without it there are no boxes"
    ]
    assert [len(item.regions) for item in reading.items] == [0, 0, 6]


def test_ai2d_id_given_to_two_questions_is_listed(tmp_path: Path) -> None:
    write_ai2d(tmp_path)

    def change(held: Any) -> None:
        held["questions"]["What is below?"]["questionId"] = "7.png-0"

    change_json(tmp_path / "questions" / "10.png.json", change)
    reading = source("ai2d").read(tmp_path)
    assert texts(reading) == [
        "images/10.png: has question id 7.png-0, which another question has, too; "
        "1 question left out"
    ]
    assert len(reading.items) == 2


# Boxes that are wrong, in the words of each source

UNUSABLE: tuple[Any, ...] = (
    None,
    [],
    "x",
    [[1, 2]],
    [[1, 2], [3]],
    [[1, 2], [3, "4"]],
    [[1, 2], [3, True]],
    [[5, 5], [5, 5]],
    [[1, 2], [3, 10**400]],
)


@pytest.mark.parametrize("polygon", UNUSABLE)
def test_box_without_usable_numbers_is_listed(tmp_path: Path, polygon: Any) -> None:
    write_ai2d(tmp_path)

    def change(held: Any) -> None:
        held["blobs"]["B1"]["polygon"] = polygon

    change_json(tmp_path / "annotations" / "10.png.json", change)
    reading = source("ai2d").read(tmp_path)
    assert texts(reading) == ["annotations/10.png.json: 1 box (B1) has no usable numbers: left out"]
    assert [region.id for region in reading.items[2].regions] == ["T0", "T1", "T10", "B0", "A0"]


OUTSIDE: tuple[tuple[list[list[float]], tuple[float, ...] | None, bool], ...] = (
    ([[-10, -10], [30, 30]], (0, 0, 30, 30), False),
    ([[110, 10], [150, 30]], (110, 10, 10, 20), False),  # just a quarter is left
    ([[111, 10], [151, 30]], (111, 10, 9, 20), True),
    ([[-500, -500], [5, 5]], (0, 0, 5, 5), True),
    ([[WIDTH, 10], [WIDTH + 9, 30]], None, False),
    ([[10, HEIGHT], [20, HEIGHT + 1]], None, False),
    ([[-9, 10], [0, 30]], None, False),
    ([[-9, 10], [-1, 30]], None, False),
)


@pytest.mark.parametrize(("polygon", "kept", "clipped"), OUTSIDE)
def test_box_beyond_the_frame_is_cut(
    tmp_path: Path, polygon: Any, kept: tuple[float, ...] | None, clipped: bool
) -> None:
    write_ai2d(tmp_path)

    def change(held: Any) -> None:
        held["blobs"]["B1"]["polygon"] = polygon

    change_json(tmp_path / "annotations" / "10.png.json", change)
    reading = source("ai2d").read(tmp_path)
    found = {region.id: region for region in reading.items[2].regions}
    if kept is None:
        assert "B1" not in found
        assert texts(reading) == [
            "annotations/10.png.json: 1 box (B1) has no part inside the image: left out"
        ]
    else:
        assert reading.faults == ()
        assert (found["B1"].bbox, found["B1"].clipped) == (kept, clipped)


def test_many_wrong_boxes_are_one_fault(tmp_path: Path) -> None:
    write_ai2d(tmp_path)
    draw_image(tmp_path / "images" / "7.png", size=(9, 9))
    reading = source("ai2d").read(tmp_path)
    assert texts(reading) == [
        "annotations/7.png.json: 6 boxes (T0, T1, T10, B0, B1 ...) have no part inside the image: "
        "left out"
    ]


# ChartQA


def test_chartqa_bars(tmp_path: Path) -> None:
    item, augmented = find(source("chartqa").read(write_chartqa(tmp_path)), "bars.png", "val")
    assert regions(item) == {
        "title": ("Harvest", (40, 2, 40, 8)),
        "x_axis-label": ("Year", (50, 72, 20, 6)),
        "x_axis-tick-0": ("2010", (18, 70, 14, 5)),
        "x_axis-tick-1": ("2011", (38, 70, 14, 5)),
        "y_axis-tick-0": ("10", (5, 40, 8, 5)),
        "legend-0": ("Tea", (95, 30, 15, 6)),
        "legend-0-key": ("Tea", (88, 30, 5, 6)),
        "data-0-0": ("Tea 2010", (20, 30, 10, 40)),
        "data-0-1": ("Tea 2011", (40.5, 20, 10, 50)),
    }
    # The same words, asked by a person and by a model, are two questions.
    assert (item.details["asked_by"], augmented.details["asked_by"]) == ("human", "augmented")
    assert item.question_id != augmented.question_id


def test_chartqa_pieces_without_a_box(tmp_path: Path) -> None:
    reading = source("chartqa").read(write_chartqa(tmp_path))
    (item,) = find(reading, "pie.png", "train")
    assert regions(item) == {
        "data-0-text": ("tea", (20, 20, 15, 6)),
        "data-1-box": ("milk", (60, 20, 30, 30)),
    }
    assert item.answer == "[tea, milk]"
    assert reading.faults == ()


def test_chartqa_segments_of_a_line(tmp_path: Path) -> None:
    (item,) = find(source("chartqa").read(write_chartqa(tmp_path)), "line.png")
    assert regions(item) == {
        "data-0-0": ("Milk 1 – 2", (20, 40, 30, 0)),  # a level segment has no height
        "data-0-1": ("Milk 2 – 3", (50, 30, 30, 10)),
    }
    assert item.answer == "7"


def test_chartqa_first_version_has_no_annotations(tmp_path: Path) -> None:
    write_chartqa(tmp_path)
    for part in ("annotations", "tables"):
        for path in (tmp_path / "val" / part).iterdir():
            path.unlink()
        (tmp_path / "val" / part).rmdir()
    reading = source("chartqa").read(tmp_path)
    assert texts(reading) == [
        "val/annotations: the folder is missing; without it there are no boxes",
        "val/tables: the folder is missing; without it there is no table",
    ]
    items = [item for item in reading.items if item.split == "val"]
    assert len(items) == 3
    assert not any(item.regions for item in items)


def test_chartqa_missing_parts_are_listed(tmp_path: Path) -> None:
    write_chartqa(tmp_path)
    (tmp_path / "test").rename(tmp_path / "elsewhere")
    (tmp_path / "val" / "val_human.json").unlink()
    (tmp_path / "val" / "tables" / "bars.csv").unlink()
    reading = source("chartqa").read(tmp_path)
    assert texts(reading) == [
        "val/val_human.json: the file is missing; it is left out",
        "val/tables/bars.csv: the file is missing; without it there is no table",
        "test: the folder is missing",
    ]
    assert [item.split for item in reading.items] == ["train"] * 3 + ["val"]


def test_chartqa_lacking_images_of_a_lacking_folder_are_one_fault(tmp_path: Path) -> None:
    write_chartqa(tmp_path)
    (tmp_path / "val" / "png").rename(tmp_path / "pictures")
    reading = source("chartqa").read(tmp_path)
    assert texts(reading) == [
        "val/png: the folder is missing, and with it 2 images; 3 questions left out"
    ]


# Circuit-VQA


@pytest.mark.parametrize("images", ["", "images", "384a"])
def test_circuit_vqa_boxes_and_names(tmp_path: Path, images: str) -> None:
    reading = source("circuit_vqa").read(write_circuit_vqa(tmp_path, images))
    assert reading.faults == ()
    resistors, voltage, none = reading.items
    assert resistors.path == tmp_path / images / "train" / f"{CIRCUIT}.jpg"
    assert regions(resistors) == {
        "component-1": ("resistor", (45, 0, 30, 40)),
        "component-3": ("text", (0, 30, 18, 20)),  # its left end lies outside
    }
    assert voltage.regions is resistors.regions
    assert none.regions == ()


def test_circuit_vqa_counts_are_whole_numbers(tmp_path: Path) -> None:
    resistors, voltage, _ = source("circuit_vqa").read(write_circuit_vqa(tmp_path)).items
    assert (resistors.answer, resistors.details["answer_text"]) == ("1", "1.0")
    assert voltage.answer == "5.0"
    assert "answer_text" not in voltage.details


@pytest.mark.parametrize(
    ("written", "kind", "answer"),
    [
        (1.0, "count", "1"),
        (12, "Count", "12"),
        ("10.00", "count", "10"),
        ("1.5", "count", "1.5"),
        ("100", "count", "100"),
        ("1.0 kΩ", "count", "1.0 kΩ"),
        ("1.0", "value", "1.0"),
        ("1.0", "", "1.0"),
    ],
)
def test_circuit_vqa_answer(tmp_path: Path, written: Any, kind: str, answer: str) -> None:
    write_circuit_vqa(tmp_path)
    change_json(
        tmp_path / "master.json", lambda records: records[0].update(answer=written, qtype=kind)
    )
    assert source("circuit_vqa").read(tmp_path).items[0].answer == answer


@pytest.mark.parametrize("written", ["nan", "NaN", "None", "inf"])
def test_circuit_vqa_count_that_is_none_is_listed(tmp_path: Path, written: str) -> None:
    write_circuit_vqa(tmp_path)
    before = source("circuit_vqa").read(tmp_path)

    def change(records: Any) -> None:
        records[0].update(answer=written, qtype="count")

    change_json(tmp_path / "master.json", change)
    reading = source("circuit_vqa").read(tmp_path)
    assert texts(reading) == [f"master.json: record 1 is a count of {written}; 1 question left out"]
    assert len(reading.items) == len(before.items) - 1
    change_json(tmp_path / "master.json", lambda records: records[0].update(qtype="value"))
    assert source("circuit_vqa").read(tmp_path).items[0].answer == written


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("1 0.5 0.5 0.1", "1 box (component-1) has no usable numbers: left out"),
        ("1 0.5 0.5 0.1 nan", "1 box (component-1) has no usable numbers: left out"),
        ("1 0.5 0.5 0.1 -0.1", "1 box (component-1) has no usable numbers: left out"),
        ("1 a b c d", "1 box (component-1) has no usable numbers: left out"),
        ("1", "1 box (component-1) has no usable numbers: left out"),
        ("1 1.5 0.5 0.1 0.1", "1 box (component-1) has no part inside the image: left out"),
    ],
)
def test_circuit_vqa_damaged_line(tmp_path: Path, line: str, fault: str) -> None:
    write_circuit_vqa(tmp_path)
    path = tmp_path / "labels" / "train" / f"{CIRCUIT}.txt"
    path.write_text(f"{line}\n1 0.5 0.5 0.1 0.1\n")
    reading = source("circuit_vqa").read(tmp_path)
    assert texts(reading) == [f"labels/train/{CIRCUIT}.txt: {fault}"]
    assert [region.id for region in reading.items[0].regions] == ["component-2"]


def test_circuit_vqa_unknown_class_is_kept_and_listed(tmp_path: Path) -> None:
    write_circuit_vqa(tmp_path)
    path = tmp_path / "labels" / "train" / f"{CIRCUIT}.txt"
    path.write_text("99 0.5 0.5 0.1 0.1\n99 0.4 0.5 0.1 0.1\n")
    reading = source("circuit_vqa").read(tmp_path)
    assert texts(reading) == [
        f"labels/train/{CIRCUIT}.txt: has components of class 99, which class_dict.json does not "
        "name; they are kept"
    ]
    assert [region.label for region in reading.items[0].regions] == ["class 99"] * 2


def test_circuit_vqa_missing_labels_and_names(tmp_path: Path) -> None:
    write_circuit_vqa(tmp_path)
    (tmp_path / "labels" / "test" / "plain.txt").unlink()
    (tmp_path / "class_dict.json").unlink()
    reading = source("circuit_vqa").read(tmp_path)
    assert texts(reading) == [
        "class_dict.json: the file is missing; without it components have no names",
        "labels/test/plain.txt: the file is missing; without it there are no boxes",
    ]
    assert [region.label for region in reading.items[0].regions] == ["class 1", "class 55"]


def test_circuit_vqa_questions_under_another_name(tmp_path: Path) -> None:
    write_circuit_vqa(tmp_path)
    (tmp_path / "master.json").rename(tmp_path / "master_bbox.json")
    reading = source("circuit_vqa").read(tmp_path)
    assert len(reading.items) == 3
    assert "master_bbox.json is read for want of a master.json" in reading.notes
    write_json(tmp_path / "master_adv.json", [])
    with pytest.raises(InputError, match=r"master_adv\.json, master_bbox\.json: name the one"):
        source("circuit_vqa").read(tmp_path)
    write_json(tmp_path / "master.json", [])
    assert source("circuit_vqa").read(tmp_path).items == ()


@pytest.mark.parametrize("split", ["..", "a/b", "/tmp", "", None, "x" * 300, "a\0"])
def test_circuit_vqa_split_that_is_none_is_listed(tmp_path: Path, split: Any) -> None:
    write_circuit_vqa(tmp_path)
    change_json(tmp_path / "master.json", lambda records: records[0].update(splittype=split))
    reading = source("circuit_vqa").read(tmp_path)
    (fault,) = reading.faults
    assert (fault.where, fault.questions) == ("master.json", 1)
    assert len(reading.items) == 2


# InfographicsVQA


def test_infographics_vqa_boxes_are_parts_of_the_image(tmp_path: Path) -> None:
    write_infographics_vqa(tmp_path)
    draw_image(tmp_path / "infographicsvqa_images" / "102.jpeg", "RGB", (200, 400))
    first, second = source("infographics_vqa").read(tmp_path).items
    assert regions(first) == {
        "line-1": ("81% call", (12, 20, 60, 10)),
        "word-1": ("81%", (12, 20, 24, 10)),
        "word-2": ("call", (42, 20, 30, 10)),
    }
    assert regions(second)["word-1"] == ("81%", (20, 100, 40, 50))


def test_infographics_vqa_answers(tmp_path: Path) -> None:
    first, second = source("infographics_vqa").read(write_infographics_vqa(tmp_path)).items
    assert (first.question_id, first.answer) == ("1", "81%")
    assert first.details == {"answers": ["81%", "81 %"]}
    assert (second.split, second.question_id, second.answer) == ("val", "2", "friends")


def test_infographics_vqa_test_split_has_no_answers(tmp_path: Path) -> None:
    reading = source("infographics_vqa").read(write_infographics_vqa(tmp_path))
    assert reading.faults == ()
    assert reading.notes == (
        "infographicsVQA_val_v1.0.json is left out, since infographicsVQA_val_v1.0_withQT.json "
        "says more",
        "infographicsVQA_test_v1.0.json: 2 questions have no published answer and are left out",
    )


@pytest.mark.parametrize("answers", [None, [], [""], "x", [None], ["a", ["b"]], {}])
def test_infographics_vqa_other_splits_must_have_answers(tmp_path: Path, answers: Any) -> None:
    write_infographics_vqa(tmp_path)
    path = tmp_path / "infographicVQA_train_v1.0.json"
    change_json(path, lambda held: held["data"][0].update(answers=answers))
    reading = source("infographics_vqa").read(tmp_path)
    assert texts(reading) == [
        f"{path.name}: record 1 has no question, no image_local_name or no answers that are "
        "texts; "
        "1 question left out"
    ]


@pytest.mark.parametrize("answers", [{}, False, 0, "", [1, {}]])
def test_infographics_vqa_test_split_with_what_is_no_answer(tmp_path: Path, answers: Any) -> None:
    write_infographics_vqa(tmp_path)
    path = tmp_path / "infographicsVQA_test_v1.0.json"
    change_json(path, lambda held: held["data"][0].update(answers=answers))
    (fault,) = source("infographics_vqa").read(tmp_path).faults
    assert (fault.where, fault.questions) == (path.name, 1)


@pytest.mark.parametrize("choice", [None, True, {"text": "rain"}, ["rain"]])
def test_ai2d_choices_must_be_texts(tmp_path: Path, choice: Any) -> None:
    write_ai2d(tmp_path)
    before = source("ai2d").read(tmp_path)
    path = tmp_path / "questions" / "7.png.json"

    def spoil(held: Any) -> None:
        next(iter(held["questions"].values()))["answerTexts"].append(choice)

    change_json(path, spoil)
    reading = source("ai2d").read(tmp_path)
    (fault,) = reading.faults
    assert (fault.where, fault.questions) == ("questions/7.png.json", 1)
    assert len(reading.items) == len(before.items) - 1


Layout = Callable[[Path], None]


def put_all_at_the_top(folder: Path) -> None:
    for path in [*folder.glob("*/*.json"), *folder.glob("*/*.jpeg")]:
        path.rename(folder / path.name)


def name_folders_otherwise(folder: Path) -> None:
    (folder / "infographicsvqa_images").rename(folder / "images")
    (folder / "infographicsvqa_ocr").rename(folder / "ocr")


@pytest.mark.parametrize("change", [put_all_at_the_top, name_folders_otherwise])
def test_infographics_vqa_files_are_found(tmp_path: Path, change: Layout) -> None:
    write_infographics_vqa(tmp_path)
    before = [item.to_json() for item in source("infographics_vqa").read(tmp_path).items]
    change(tmp_path)
    after = source("infographics_vqa").read(tmp_path)
    assert after.faults == ()
    assert [item.to_json() for item in after.items] == before


def test_infographics_vqa_missing_ocr(tmp_path: Path) -> None:
    write_infographics_vqa(tmp_path)
    (tmp_path / "infographicsvqa_ocr" / "101.json").unlink()
    reading = source("infographics_vqa").read(tmp_path)
    assert texts(reading) == [
        "infographicsvqa_ocr/101.json: the file is missing; without it there are no boxes"
    ]
    assert [len(item.regions) for item in reading.items] == [0, 3]
    (tmp_path / "infographicsvqa_ocr" / "102.json").unlink()
    reading = source("infographics_vqa").read(tmp_path)
    assert texts(reading) == [
        ".: none of 2 OCR files is in it or in a folder of it; without them there are no boxes"
    ]
    assert len(reading.items) == 2


def test_infographics_vqa_ocr_of_no_known_layout(tmp_path: Path) -> None:
    write_infographics_vqa(tmp_path)
    write_json(tmp_path / "infographicsvqa_ocr" / "101.json", {"Blocks": []})
    reading = source("infographics_vqa").read(tmp_path)
    assert texts(reading) == [
        "infographicsvqa_ocr/101.json: has neither a list LINE nor WORD; without it there are no "
        "boxes"
    ]


def test_infographics_vqa_damaged_ocr_box(tmp_path: Path) -> None:
    write_infographics_vqa(tmp_path)

    def change(held: Any) -> None:
        held["WORD"][0]["Geometry"] = None
        held["WORD"].append({"Text": "far", "Geometry": ratios(1.2, 0.1, 0.1, 0.1)})

    change_json(tmp_path / "infographicsvqa_ocr" / "101.json", change)
    reading = source("infographics_vqa").read(tmp_path)
    assert texts(reading) == [
        "infographicsvqa_ocr/101.json: 1 box (word-1) has no usable numbers: left out",
        "infographicsvqa_ocr/101.json: 1 box (word-3) has no part inside the image: left out",
    ]
    assert list(regions(reading.items[0])) == ["line-1", "word-2"]


def test_infographics_vqa_missing_split(tmp_path: Path) -> None:
    write_infographics_vqa(tmp_path)
    (tmp_path / "infographicVQA_train_v1.0.json").unlink()
    assert texts(source("infographics_vqa").read(tmp_path)) == [
        "infographicsVQA_train_v1.0.json: the file is missing; there are no questions of this split"
    ]
