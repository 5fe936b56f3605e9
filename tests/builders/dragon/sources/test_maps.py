"""The sources of maps, which have no boxes: MapWise and MapIQ; and the real samples."""

import json
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from dragon_fixtures import (
    MAPIQ_MAPPING,
    change_json,
    draw_image,
    write_csv,
    write_json,
    write_mapiq,
    write_mapwise,
)

from benchloom.builders.dragon.item import Item
from benchloom.builders.dragon.sources import SourceReading, source
from benchloom.builders.errors import InputError


def texts(reading: SourceReading) -> list[str]:
    return [str(fault) for fault in reading.faults]


def pick(reading: SourceReading, split: str, style: str) -> list[Item]:
    return [
        item for item in reading.items if item.split == split and item.details["style"] == style
    ]


# MapWise


def test_mapwise_items_by_country_and_style(tmp_path: Path) -> None:
    reading = source("mapwise").read(write_mapwise(tmp_path))
    found = Counter((item.split, item.details["style"]) for item in reading.items)
    styles = {"with_annotations": 4, "wo_annotations": 4, "hatched": 2}
    assert found == {
        **{(c, style): n for c in ("usa", "china", "india") for style, n in styles.items()},
        ("imaginary", "with_annotations"): 1,
        ("original", "with_annotations"): 1,
    }
    assert not any(item.regions for item in reading.items)


@pytest.mark.parametrize(
    ("country", "classes", "scale"),
    [
        ("usa", "map_8808", "map_30"),
        ("china", "map10_3D", "map11_5C"),
        ("india", "map97_8D", "map139_1C"),
    ],
)
def test_mapwise_details(tmp_path: Path, country: str, classes: str, scale: str) -> None:
    reading = source("mapwise").read(write_mapwise(tmp_path))
    none, blank, _, other = pick(reading, country, "wo_annotations")
    assert none.image.file_name == f"wo_annotations/{classes}.png"
    assert other.image.file_name == f"wo_annotations/{scale}.png"
    assert none.answer == "None"
    assert blank.answer == "1-2, 3"
    # The cell is blank: the metadata tell.
    assert [item.details["legend"] for item in (none, blank, other)] == [
        "discrete",
        "discrete",
        "continuous",
    ]
    assert none.details["title"] == f"Harvest of {country}"  # a text or an object in the file
    assert none.details["template_no"] == "26"
    assert none.details["answer_type"] == "List"


def test_mapwise_no_region_is_an_answer(tmp_path: Path) -> None:
    write_mapwise(tmp_path)
    path = tmp_path / "usa" / "json_data" / "hatched.json"
    change_json(path, lambda records: records[0].update(ground_truth="None"))
    reading = source("mapwise").read(tmp_path)
    assert reading.faults == ()
    assert pick(reading, "usa", "hatched")[0].answer == "None"


@pytest.mark.parametrize(
    "answer",
    [["Texas"], {"a": 1}, True, False, None, float("nan"), float("inf"), "", " ", "missing"],
)
def test_mapwise_what_is_no_answer_is_listed(tmp_path: Path, answer: Any) -> None:
    write_mapwise(tmp_path)
    before = source("mapwise").read(tmp_path)
    path = tmp_path / "usa" / "json_data" / "hatched.json"

    def spoil(records: Any) -> None:
        records[0]["ground_truth"] = answer
        if answer == "missing":
            del records[0]["ground_truth"]

    change_json(path, spoil)
    reading = source("mapwise").read(tmp_path)
    (fault,) = reading.faults
    assert (fault.kind, fault.where, fault.questions) == (
        "damaged",
        "usa/json_data/hatched.json",
        1,
    )
    assert "record 1 has a ground_truth that is no answer" in fault.reason
    left_out = pick(before, "usa", "hatched")[0]
    assert reading.items == tuple(item for item in before.items if item.id != left_out.id)


@pytest.mark.parametrize(
    ("row", "faults"),
    [
        ("97_8D,26,Why?,,d,", 0),
        ("97_8D,26,Why?,  ,d,", 0),
        ("97_8D,26,Why?", 1),
        ("97_8D,26,Why, and how?,No,d,,", 1),
    ],
)
def test_mapwise_rows_must_have_the_cell_of_the_answer(
    tmp_path: Path, row: str, faults: int
) -> None:
    write_mapwise(tmp_path)
    (tmp_path / "india" / "json_data" / "wo_annotations.json").unlink()
    path = tmp_path / "india" / "qna.csv"
    columns = "map_id,template_no,question,ground_truth,c_or_d,relative_region"
    path.write_text(f"{columns}\n{row}\n")
    reading = source("mapwise").read(tmp_path)
    answers = [item.answer for item in pick(reading, "india", "wo_annotations")]
    assert answers == ([] if faults else ["None"])
    assert [fault.questions for fault in reading.faults if fault.where == "india/qna.csv"] == (
        [1] * faults
    )


@pytest.mark.parametrize("gone", ["json_data/hatched.json", "json_data/wo_annotations.json"])
@pytest.mark.parametrize("country", ["usa", "china", "india"])
def test_mapwise_table_stands_in_for_json(tmp_path: Path, country: str, gone: str) -> None:
    write_mapwise(tmp_path)
    before = source("mapwise").read(tmp_path)
    (tmp_path / country / gone).unlink()
    after = source("mapwise").read(tmp_path)
    assert texts(after) == [f"{country}/{gone}: the file is missing; qna.csv is read in its place"]
    assert [(item.id, item.answer) for item in after.items] == [
        (item.id, item.answer) for item in before.items
    ]


def test_mapwise_table_stands_in_for_counterfactuals(tmp_path: Path) -> None:
    write_mapwise(tmp_path)
    before = source("mapwise").read(tmp_path)
    shutil.rmtree(tmp_path / "counter_factuals" / "original" / "json_data")
    after = source("mapwise").read(tmp_path)
    assert texts(after) == [
        "counter_factuals/original/json_data: the folder is missing; qna.csv is read in its place"
    ]
    assert [item.id for item in after.items] == [item.id for item in before.items]


def test_mapwise_hatched_of_a_map_in_classes_is_missed(tmp_path: Path) -> None:
    write_mapwise(tmp_path)
    (tmp_path / "usa" / "json_data" / "hatched.json").unlink()
    (tmp_path / "usa" / "images" / "hatched" / "map_8808.png").unlink()
    reading = source("mapwise").read(tmp_path)
    # The continuous map has no hatched picture, and none is asked for.
    assert texts(reading)[1:] == [
        "usa/images/hatched/map_8808.png: the image is missing; 2 questions left out"
    ]


def test_mapwise_unknown_legend_asks_the_disk_for_hatched_maps(tmp_path: Path) -> None:
    write_mapwise(tmp_path)
    folder = tmp_path / "usa"
    shutil.rmtree(folder / "metadata")
    shutil.rmtree(folder / "json_data")
    reading = source("mapwise").read(tmp_path)
    hatched = pick(reading, "usa", "hatched")
    assert {item.image.file_name for item in hatched} == {"hatched/map_8808.png"}
    assert [item.details["legend"] for item in hatched] == ["discrete", ""]
    assert "usa/metadata: the folder is missing; without it neither title nor legend is known" in (
        texts(reading)
    )


def test_mapwise_map_without_metadata_is_kept(tmp_path: Path) -> None:
    write_mapwise(tmp_path)
    (tmp_path / "china" / "metadata" / "map10_3D.json").unlink()
    reading = source("mapwise").read(tmp_path)
    assert texts(reading) == [
        "china/metadata/map10_3D.json: the file is missing; without it neither title nor legend "
        "is known"
    ]
    items = pick(reading, "china", "with_annotations")
    assert [item.details["title"] for item in items] == ["", "", "", "Harvest of china"]
    assert [item.details["legend"] for item in items] == ["discrete", "", "discrete", "continuous"]


def test_mapwise_bare_nan_in_metadata_is_read(tmp_path: Path) -> None:
    write_mapwise(tmp_path)
    assert "NaN" in (tmp_path / "usa" / "metadata" / "map_30.json").read_text()
    assert source("mapwise").read(tmp_path).faults == ()


def test_mapwise_missing_folders_are_listed(tmp_path: Path) -> None:
    write_mapwise(tmp_path)
    shutil.rmtree(tmp_path / "china")
    shutil.rmtree(tmp_path / "counter_factuals")
    shutil.rmtree(tmp_path / "india" / "images" / "wo_annotations")
    reading = source("mapwise").read(tmp_path)
    assert texts(reading) == [
        "china: the folder is missing",
        "counter_factuals: the folder is missing",
        "india/images/wo_annotations: the folder is missing, and with it 2 images; "
        "4 questions left out",
    ]


def test_mapwise_unknown_layouts_are_listed(tmp_path: Path) -> None:
    write_mapwise(tmp_path)
    before = source("mapwise").read(tmp_path)
    shutil.copytree(tmp_path / "india", tmp_path / "brazil")
    write_json(tmp_path / "usa" / "json_data" / "dotted.json", [])
    (tmp_path / ".git").mkdir()
    reading = source("mapwise").read(tmp_path)
    assert texts(reading) == [
        "usa/json_data/dotted.json: a style that is not known; it is left out",
        "brazil: a country that is not known; it is left out",
    ]
    assert [item.id for item in reading.items] == [item.id for item in before.items]


@pytest.mark.parametrize("data", [b"", b"a,b\n1,2\n", b"\xff\xfe", b'map_id\n"\0'])
def test_mapwise_damaged_table_is_listed(tmp_path: Path, data: bytes) -> None:
    write_mapwise(tmp_path)
    shutil.rmtree(tmp_path / "usa" / "json_data")
    (tmp_path / "usa" / "qna.csv").write_bytes(data)
    reading = source("mapwise").read(tmp_path)
    assert [fault.where for fault in reading.faults] == ["usa/json_data", "usa/qna.csv"]
    assert {item.split for item in reading.items} == {"china", "india", "imaginary", "original"}


def test_mapwise_images_without_questions_are_noted(tmp_path: Path) -> None:
    write_mapwise(tmp_path)
    draw_image(tmp_path / "usa" / "images" / "hatched" / "map_30.png")
    reading = source("mapwise").read(tmp_path)
    assert reading.faults == ()
    assert reading.notes == ("usa/images/hatched: 1 image has no question",)


@pytest.mark.parametrize("name", ["../../x", "a\0b", "", None, 5, "x" * 300])
def test_mapwise_strange_map_names_are_listed(tmp_path: Path, name: Any) -> None:
    write_mapwise(tmp_path)
    path = tmp_path / "usa" / "json_data" / "hatched.json"
    change_json(path, lambda records: records[0].update(map_no=name))
    reading = source("mapwise").read(tmp_path)
    assert sum(fault.questions for fault in reading.faults) == 1


# MapIQ


def test_mapiq_by_its_mapping(tmp_path: Path) -> None:
    reading = source("mapiq").read(write_mapiq(tmp_path))
    assert reading.faults == ()
    first, second = reading.items
    assert (first.question, first.answer) == ("Which is darker, VT or RI?", "VT")
    assert (first.choices, second.choices) == (("VT", "RI"), ())
    assert second.details == {"map type": "proportional symbol"}
    assert first.image.file_name == "hexagons.png"
    assert first.regions == ()


def test_mapiq_json_ids_splits_and_endings(tmp_path: Path) -> None:
    write_mapiq(tmp_path)
    write_json(
        tmp_path / "qa.json",
        [{"n": 7, "part": "hex", "map": "hexagons", "q": "How many?", "a": 3}],
    )
    columns = {"id": "n", "split": "part", "image": "map", "question": "q", "answer": "a"}
    write_json(
        tmp_path / "mapiq.json",
        {"questions": "qa.json", "images": "maps", "image_suffix": ".png", "columns": columns},
    )
    (item,) = source("mapiq").read(tmp_path).items
    assert (item.id, item.answer, item.split) == ("mapiq-hex-7", "3", "hex")


@pytest.mark.parametrize(
    "changes", [{"a": ["3"]}, {"a": True}, {"part": None}, {"part": ["hex"]}, {"c": {"x": 1}}]
)
def test_mapiq_values_that_are_no_texts_are_listed(tmp_path: Path, changes: Any) -> None:
    write_mapiq(tmp_path)
    record = {"part": "hex", "map": "hexagons.png", "q": "How many?", "a": 3, "c": "3"}
    write_json(tmp_path / "qa.json", [record, {**record, "q": "Why?", **changes}])
    columns = {"split": "part", "image": "map", "question": "q", "answer": "a", "choices": ["c"]}
    write_json(
        tmp_path / "mapiq.json", {"questions": "qa.json", "images": "maps", "columns": columns}
    )
    reading = source("mapiq").read(tmp_path)
    assert [item.question for item in reading.items] == ["How many?"]
    (fault,) = reading.faults
    assert (fault.where, fault.questions) == ("qa.json", 1)
    assert "record 2 has " in fault.reason


def test_mapiq_images_may_lie_beside_the_mapping(tmp_path: Path) -> None:
    write_mapiq(tmp_path)
    for path in (tmp_path / "maps").iterdir():
        path.rename(tmp_path / path.name)
    change_json(tmp_path / "mapiq.json", lambda held: held.pop("images") and held)
    reading = source("mapiq").read(tmp_path)
    assert reading.faults == ()
    assert len(reading.items) == 2


def test_mapiq_without_a_mapping_says_what_to_write(tmp_path: Path) -> None:
    write_mapiq(tmp_path)
    (tmp_path / "mapiq.json").unlink()
    with pytest.raises(
        InputError, match=r"which holds a file mapiq\.json that you write"
    ) as caught:
        source("mapiq").read(tmp_path)
    example = str(caught.value)
    example = example[example.index("{") : example.rindex("}") + 1]
    assert set(json.loads(example)["columns"]) == {"image", "question", "answer"}


def mapping(**changes: Any) -> dict[str, Any]:
    return {**MAPIQ_MAPPING, **changes}


def columns(**changes: Any) -> dict[str, Any]:
    return mapping(columns={**MAPIQ_MAPPING["columns"], **changes})


@pytest.mark.parametrize(
    ("held", "message"),
    [
        ([], "has no object `columns`"),
        ({"questions": "questions.csv"}, "has no object `columns`"),
        (mapping(columns={"image": "map file"}), "which column is the question and the answer"),
        (mapping(colums=1), "has 'colums'; known are questions, images"),
        (columns(picture="x"), "has 'picture'"),
        (columns(question=["prompt"]), "must be texts"),
        (columns(choices="option 1"), "choices and details lists of them"),
        (
            columns(answer="ground truth"),
            "no column 'ground truth', which mapiq.json gives for ans",
        ),
        (columns(details=["map type", "zone"]), "no column 'zone'.*it has map file"),
        (mapping(questions=""), "must be texts"),
        (mapping(questions=3), "must be texts"),
        (mapping(images="../maps"), "must be the name of something beside mapiq.json"),
        (mapping(questions="/etc/passwd"), "must be the name of something beside mapiq.json"),
    ],
)
def test_mapiq_mapping_that_cannot_be_used(tmp_path: Path, held: Any, message: str) -> None:
    write_mapiq(tmp_path)
    write_json(tmp_path / "mapiq.json", held)
    with pytest.raises(InputError, match=message):
        source("mapiq").read(tmp_path)


def test_mapiq_mapping_that_is_no_json(tmp_path: Path) -> None:
    write_mapiq(tmp_path)
    (tmp_path / "mapiq.json").write_text("{")
    with pytest.raises(InputError, match="is no JSON; write, say"):
        source("mapiq").read(tmp_path)


def test_mapiq_empty_cells_and_missing_files_are_listed(tmp_path: Path) -> None:
    write_mapiq(tmp_path)
    rows = [
        {
            "map file": name,
            "prompt": prompt,
            "truth": truth,
            "option 1": "",
            "option 2": "",
            "map type": "",
        }
        for name, prompt, truth in (
            ("hexagons.png", "Which?", "VT"),
            ("hexagons.png", "", "VT"),
            ("", "Which?", " "),
            ("lost.png", "Which?", "VT"),
        )
    ]
    write_csv(tmp_path / "questions.csv", rows)
    reading = source("mapiq").read(tmp_path)
    assert texts(reading) == [
        "questions.csv: record 2 has no prompt; 1 question left out",
        "questions.csv: record 3 has no map file and no truth; 1 question left out",
        "maps/lost.png: the image is missing; 1 question left out",
    ]
    assert len(reading.items) == 1
    (tmp_path / "questions.csv").unlink()
    assert texts(source("mapiq").read(tmp_path)) == [
        "questions.csv: the file is missing; it is left out"
    ]


# The real samples


def test_samples_of_mapwise(samples: Path) -> None:
    reading = source("mapwise").read(samples / "mapwise")
    assert Counter((item.split, item.details["style"]) for item in reading.items) == {
        ("usa", "with_annotations"): 51,
        ("usa", "wo_annotations"): 54,
        ("usa", "hatched"): 36,
        ("china", "with_annotations"): 40,
        ("china", "hatched"): 19,
        ("india", "with_annotations"): 40,
    }
    # All other questions are about pictures that the cut has not.
    lost = sum(fault.questions for fault in reading.faults if "image" in fault.reason)
    asked = 0
    for path in samples.glob("mapwise/*/json_data/*.json"):
        asked += len(json.loads(path.read_text(encoding="utf-8")))
    assert len(reading.items) + lost == asked
    assert all(item.details["title"] and item.details["legend"] for item in reading.items)
    assert not any(fault.kind != "missing" for fault in reading.faults)
    sizes = {item.split: (item.image.width, item.image.height) for item in reading.items[::-1]}
    assert sizes == {"usa": (1000, 600), "china": (1000, 800), "india": (1000, 1000)}


def test_samples_of_mapwise_read_from_the_tables_alone(samples: Path, tmp_path: Path) -> None:
    before = source("mapwise").read(samples / "mapwise")
    copy = shutil.copytree(
        samples / "mapwise", tmp_path / "copy", ignore=shutil.ignore_patterns("json_data")
    )
    after = source("mapwise").read(Path(copy))
    assert [(item.id, item.answer) for item in after.items] == [
        (item.id, item.answer) for item in before.items
    ]
    assert "None" in {item.answer for item in after.items}


def test_samples_of_chartqa(samples: Path) -> None:
    reading = source("chartqa").read(samples / "chartqa")
    assert reading.root.name == "ChartQA Dataset"
    assert Counter(item.split for item in reading.items) == {"val": 4, "test": 4}
    assert all(item.details["asked_by"] == "augmented" for item in reading.items)
    by_image = {item.image.file_name: item for item in reading.items}
    assert by_image["two_col_21014.png"].answer == "88.85"
    assert (
        by_image["two_col_23322.png"].image.width,
        by_image["two_col_23322.png"].image.height,
    ) == (
        800,
        836,
    )
    lost = [fault for fault in reading.faults if fault.questions]
    assert len(lost) == 5
    assert {fault.where for fault in reading.faults if not fault.questions} == {
        "train",
        "test/test_human.json",
        *(f"{split}/{part}" for split in ("val", "test") for part in ("annotations", "tables")),
    }


def test_samples_of_circuit_vqa(samples: Path, tmp_path: Path) -> None:
    reading = source("circuit_vqa").read(samples / "circuit_vqa")
    assert texts(reading) == [
        "train: the folder is missing, and with it 3 images; 3 questions left out"
    ]
    # The records and the class names are real; pictures and boxes are drawn for them.
    copy = Path(shutil.copytree(samples / "circuit_vqa", tmp_path / "copy"))
    records = json.loads((copy / "master.sample.json").read_text(encoding="utf-8"))
    (copy / "labels" / "train").mkdir(parents=True)
    for record in records:
        draw_image(copy / "train" / f"{record['file']}.jpg", "RGB")
        (copy / "labels" / "train" / f"{record['file']}.txt").write_text("47 0.5 0.5 0.5 0.5\n")
    reading = source("circuit_vqa").read(copy)
    assert reading.faults == ()
    assert [item.answer for item in reading.items][:2] == ["8", "1"]
    assert {region.label for item in reading.items for region in item.regions} == {"resistor"}


def test_line_that_is_no_utf8_is_named(tmp_path: Path) -> None:
    copy = write_mapiq(tmp_path)
    path = copy / "questions.csv"
    path.write_bytes(path.read_bytes() + "circles.png,Où?,x,,,\n".encode("latin-1"))
    (fault,) = (one for one in source("mapiq").read(copy).faults if one.where == "questions.csv")
    assert fault.reason == ("line 4 is no UTF-8 text (byte 0xf9): save it as UTF-8; it is left out")
