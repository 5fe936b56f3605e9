"""Small folders in the exact layout of each source of DRAGON, drawn and worded here.

Each function writes a whole, faultless copy; a trap of the source that is no fault is in it always.
What can be wrong with a copy, a test makes of it with the functions at the top.
"""

import csv
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw

WIDTH, HEIGHT = 120, 80
Size = tuple[int, int]


def draw_image(path: Path, mode: str = "RGBA", size: Size = (WIDTH, HEIGHT)) -> None:
    """Draws a frame and a mark that depends on the file's name; RGBA, as many sources have them."""
    image = Image.new("RGB", size, "white")
    pen = ImageDraw.Draw(image)
    pen.rectangle((4, 4, size[0] - 5, size[1] - 5), outline="black")
    pen.text((8, 8), path.stem[:12], fill="black")
    path.parent.mkdir(parents=True, exist_ok=True)
    image.convert(mode).save(path)


def write_json(path: Path, value: Any) -> None:
    """Writes JSON, with bare NaN where a value is one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")


def change_json(path: Path, change: Callable[[Any], Any]) -> None:
    """Changes what a JSON file holds: `change` alters it, or returns what to hold instead."""
    value = json.loads(path.read_text(encoding="utf-8"))
    changed = change(value)
    write_json(path, value if changed is None else changed)


def write_csv(path: Path, rows: Sequence[dict[str, str]]) -> None:
    """Writes CSV with the line ends of Excel, as the sources have them."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def cut_short(path: Path, keep: float = 0.5) -> None:
    """Leaves the first part of a file."""
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * keep)])


def write_ai2d(folder: Path) -> Path:
    """Writes two diagrams of AI2D with questions and one without; returns the folder.

    7.png has a question with letters and one with words; its rectangle T1 has its corners the other
    way round, and B1 has no label.
    """
    for name in ("7.png", "10.png", "2.png"):
        draw_image(folder / "images" / name, "RGB")
        write_json(folder / "annotations" / f"{name}.json", _ai2d_annotation())
    write_json(folder / "questions" / "2.png.json", {"imageName": "2.png", "questions": {}})
    write_json(
        folder / "questions" / "7.png.json",
        {
            "imageName": "7.png",
            "questions": {
                "Which letter is the seed leaf?": _ai2d_question("7.png-0", ["B", "A"], 1, True),
                "What grows from the stalk? ": _ai2d_question(
                    "7.png-1", ["seed leaf", "root", "stone", "rain"], 0, False
                ),
            },
        },
    )
    write_json(
        folder / "questions" / "10.png.json",
        {
            "imageName": "10.png",
            "questions": {"What is below?": _ai2d_question("10.png-0", ["root", "sun"], 0, False)},
        },
    )
    write_json(
        folder / "categories.json", {"7.png": "partsOfA", "10.png": "partsOfA", "2.png": "rocks"}
    )
    return folder


def _ai2d_question(
    question_id: str, answers: list[str], correct: int, letters: bool
) -> dict[str, Any]:
    return {
        "abcLabel": letters,
        "answerTexts": answers,
        "correctAnswer": correct,
        "questionId": question_id,
    }


def _ai2d_annotation() -> dict[str, Any]:
    return {
        "arrowHeads": {"H0": {"id": "H0", "orientation": 90}},
        "arrows": {"A0": {"id": "A0", "polygon": [[30, 40], [60, 44], [45, 50]]}},
        "blobs": {
            "B0": {"id": "B0", "polygon": [[50, 30], [90, 30], [70, 70]]},
            "B1": {"id": "B1", "polygon": [[5, 60], [20, 75], [8, 70]]},
        },
        "containers": {},
        "imageConsts": {"I0": {"id": "I0"}},
        "relationships": {
            "T0+B0": {
                "category": "intraObjectLabel",
                "destination": "B0",
                "hasDirectionality": False,
                "id": "T0+B0",
                "origin": "T0",
            }
        },
        "text": {
            "T0": {
                "id": "T0",
                "rectangle": [[10, 10], [40, 20]],
                "replacementText": "A",
                "value": "seed leaf",
            },
            "T1": {
                "id": "T1",
                "rectangle": [[40, 35], [10, 25]],
                "replacementText": "B",
                "value": "root",
            },
            "T10": {
                "id": "T10",
                "rectangle": [[60, 5], [90, 15]],
                "replacementText": "",
                "value": "The seed",
            },
        },
    }


def write_chartqa(folder: Path) -> Path:
    """Writes ChartQA with two charts a split; returns the folder.

    `bars.png` has a bar for each datum and a legend; `pie.png` a piece without a box (null) and one
    whose list of boxes is null; `line.png`, of the test split alone, segments, one of them level.
    """
    for split in ("train", "val", "test"):
        part = folder / split
        for name, annotation in (("bars", _chart_of_bars()), ("pie", _chart_of_pieces())):
            _write_chart(part, name, annotation)
        write_json(
            part / f"{split}_human.json",
            [
                {"imgname": "bars.png", "query": "What was grown in 2010?", "label": "12"},
                {"imgname": "pie.png", "query": "Which are large?", "label": "[tea, milk]"},
            ],
        )
        write_json(
            part / f"{split}_augmented.json",
            [{"imgname": "bars.png", "query": "What was grown in 2010?", "label": "12"}],
        )
    _write_chart(folder / "test", "line", _chart_of_a_line())
    change_json(
        folder / "test" / "test_human.json",
        lambda records: records.append({"imgname": "line.png", "query": "How many?", "label": 7}),
    )
    return folder


def _write_chart(part: Path, name: str, annotation: dict[str, Any]) -> None:
    draw_image(part / "png" / f"{name}.png")
    write_json(part / "annotations" / f"{name}.json", annotation)
    write_csv(part / "tables" / f"{name}.csv", [{"Year": "2010", "Tea": "12"}])


def box(x: float, y: float, w: float, h: float) -> dict[str, float]:
    """Returns a box as ChartQA writes it."""
    return {"x": x, "y": y, "w": w, "h": h}


def _chart_of_bars() -> dict[str, Any]:
    return {
        "type": "v_bar",
        "models": [
            {
                "name": "Tea",
                "color": "#2876dd",
                "bboxes": [box(20, 30, 10, 40), box(40.5, 20, 10, 50)],
                "x": ["2010", "2011"],
                "y": [12, 15],
            }
        ],
        "general_figure_info": {
            "title": {"text": "Harvest", "bbox": box(40, 2, 40, 8)},
            "x_axis": {
                "label": {"text": "Year", "bbox": box(50, 72, 20, 6)},
                "major_labels": {
                    "values": ["2010", "2011"],
                    "bboxes": [box(18, 70, 14, 5), box(38, 70, 14, 5)],
                },
                "rule": {"bbox": box(16, 70, 90, 0)},
            },
            "y_axis": {"major_labels": {"values": ["10"], "bboxes": [box(5, 40, 8, 5)]}},
            "legend": {
                "items": [
                    {
                        "model": "Tea",
                        "label": {"text": "Tea", "bbox": box(95, 30, 15, 6)},
                        "preview": {"bbox": box(88, 30, 5, 6)},
                    }
                ]
            },
            "figure_info": {"bbox": box(0, 0, WIDTH, HEIGHT)},
        },
    }


def _chart_of_pieces() -> dict[str, Any]:
    return {
        "type": "pie",
        "models": [
            {"text_label": "tea", "text_bbox": box(20, 20, 15, 6), "bbox": None, "value": 60},
            {"name": "milk", "bboxes": None, "bbox": box(60, 20, 30, 30), "value": 40},
            {"name": "rest", "bboxes": [None]},
        ],
        "general_figure_info": {"title": {"text": "Drinks"}, "legend": None, "x_axis": None},
    }


def _chart_of_a_line() -> dict[str, Any]:
    segments = [box(20, 40, 30, 0), box(50, 30, 30, 10)]
    model = {"name": "Milk", "bboxes": segments, "x": ["1", "2", "3"], "y": [1, 1, 2]}
    return {"type": "line", "models": [model], "general_figure_info": {}}


CIRCUIT = "d3_7_jpg.rf.31bf0c5e"
"""A file of Circuit-VQA; its own name has dots, and none of what follows them is an ending."""


def write_circuit_vqa(folder: Path, images: str = "") -> Path:
    """Writes Circuit-VQA with a circuit in each of two splits; returns the folder.

    The count of resistors is written "1.0", the voltage, which is no count, "5.0".

    Args:
        folder: Where to.
        images: The folder that holds the folders of the splits.
    """
    write_json(folder / "class_dict.json", {"0": "__background__", "1": "resistor", "55": "text"})
    records = [
        ("train", CIRCUIT, "How many resistors are there?", "1.0", "count"),
        ("train", CIRCUIT, "What is the voltage?", "5.0", "value"),
        ("test", "plain", "How many texts are there?", "0", "count-complex"),
    ]
    keys = ("splittype", "file", "question", "answer", "qtype")
    write_json(folder / "master.json", [dict(zip(keys, row, strict=True)) for row in records])
    for split, file in (("train", CIRCUIT), ("test", "plain")):
        draw_image(folder / images / split / f"{file}.jpg", "RGB")
    (folder / "labels" / "train").mkdir(parents=True)
    (folder / "labels" / "train" / f"{CIRCUIT}.txt").write_text(
        "1 0.5 0.25 0.25 0.5\n\n55 0.05 0.5 0.2 0.25\n"
    )
    (folder / "labels" / "test").mkdir()
    (folder / "labels" / "test" / "plain.txt").write_text("")  # a circuit without components
    return folder


def write_infographics_vqa(folder: Path) -> Path:
    """Writes InfographicsVQA; returns the folder.

    The training file is named without the s, validation comes in two files, and the test split has
    no answers.
    """
    for name in ("101.jpeg", "102.jpeg", "103.jpeg"):
        draw_image(folder / "infographicsvqa_images" / name, "RGB")
        write_json(folder / "infographicsvqa_ocr" / f"{name[:-5]}.json", _ocr())
    train = [_infographic(1, "101", "How many call?", ["81%", "81 %", "81%"])]
    val = [_infographic(2, "102", "Who call?", ["friends"])]
    test = [_infographic(3, "103", "Why?", None), _infographic(4, "103", "When?", [])]
    for name, data in (
        ("infographicVQA_train_v1.0", train),
        ("infographicsVQA_val_v1.0", val),
        ("infographicsVQA_val_v1.0_withQT", [{**record, "answer_type": []} for record in val]),
        ("infographicsVQA_test_v1.0", test),
    ):
        write_json(folder / f"{name}.json", {"dataset_name": "infographicVQA", "data": data})
    return folder


def _infographic(
    question_id: int, image: str, question: str, answers: list[str] | None
) -> dict[str, Any]:
    record: dict[str, Any] = {
        "questionId": question_id,
        "question": question,
        "image_local_name": f"{image}.jpeg",
        "image_url": "https://example.org/a.jpeg",
        "ocr_output_file": f"{image}.json",
        "data_split": "x",
    }
    return record if answers is None else {**record, "answers": answers}


def ratios(left: float, top: float, width: float, height: float) -> dict[str, Any]:
    """Returns the geometry of an OCR block as Textract writes it."""
    box = {"Left": left, "Top": top, "Width": width, "Height": height}
    return {"BoundingBox": box, "Polygon": [{"X": left, "Y": top}]}


def _ocr() -> dict[str, Any]:
    line = {"BlockType": "LINE", "Text": "81% call", "Geometry": ratios(0.1, 0.25, 0.5, 0.125)}
    words = [
        {"BlockType": "WORD", "Text": "81%", "Geometry": ratios(0.1, 0.25, 0.2, 0.125)},
        {"BlockType": "WORD", "Text": "call", "Geometry": ratios(0.35, 0.25, 0.25, 0.125)},
    ]
    return {"PAGE": [{"Geometry": ratios(0, 0, 1, 1)}], "LINE": [line], "WORD": words}


MAPIQ_MAPPING: dict[str, Any] = {
    "questions": "questions.csv",
    "images": "maps",
    "columns": {
        "image": "map file",
        "question": "prompt",
        "answer": "truth",
        "choices": ["option 1", "option 2"],
        "details": ["map type"],
    },
}


def write_mapiq(folder: Path) -> Path:
    """Writes maps and questions with columns of our own naming, and the mapping file."""
    draw_image(folder / "maps" / "hexagons.png", "P")
    draw_image(folder / "maps" / "circles.png")
    keys = ("map file", "prompt", "truth", "option 1", "option 2", "map type")
    rows = [
        ("hexagons.png", "Which is darker, VT or RI?", "VT", "VT", "RI", "cartogram"),
        ("circles.png", "Which is the largest?", "Ravia", "", "", "proportional symbol"),
    ]
    write_csv(folder / "questions.csv", [dict(zip(keys, row, strict=True)) for row in rows])
    write_json(folder / "mapiq.json", MAPIQ_MAPPING)
    return folder


def write_mapwise(folder: Path) -> Path:
    """Writes MapWise with two maps a country; returns the folder.

    One map is in classes (d) and has a hatched picture, of which nothing about shades is asked, the
    other one is not. A cell `c_or_d` is
    blank, an answer is "None" in JSON and empty in CSV, the metadata have bare NaN, and titles are
    texts in China and India, objects in the USA.
    """
    for country, stem, ids in (
        ("usa", "map_{}", ("8808", "30")),
        ("china", "map{}", ("10_3D", "11_5C")),
        ("india", "map{}", ("97_8D", "139_1C")),
    ):
        _write_country(folder / country, stem, ids)
    for kind in ("imaginary", "original"):
        part = folder / "counter_factuals" / kind
        rows = [_mapwise_row("957", "Which is darker than Evoria?", "Ravia", "c")]
        write_csv(part / "qna.csv", rows)
        write_json(
            part / "json_data" / "data.json",
            [_mapwise_record(kind, "with_annotations", "map_{}", row) for row in rows],
        )
        draw_image(part / "maps" / "map_957.png")
    return folder


def _write_country(folder: Path, stem: str, ids: tuple[str, str]) -> None:
    classes, scale = ids
    rows = [
        _mapwise_row(classes, "Which states border Texas?", "", "d"),
        _mapwise_row(classes, "What is the range, in words?", "1-2, 3", ""),
        _mapwise_row(classes, "What is the darkest shade?", "1-2", "d", "4"),
        _mapwise_row(scale, "Is Ravia darker?", "Yes", ""),
    ]
    write_csv(folder / "qna.csv", rows)
    for style in ("with_annotations", "wo_annotations", "hatched"):
        those = [
            row
            for row in rows
            if style != "hatched" or (row["map_id"] == classes and row["template_no"] != "4")
        ]
        write_json(
            folder / "json_data" / f"{style}.json",
            [_mapwise_record(folder.name, style, stem, row) for row in those],
        )
        for map_id in dict.fromkeys(row["map_id"] for row in those):
            draw_image(folder / "images" / style / f"{stem.format(map_id)}.png")
    for map_id, kind in ((classes, "Discrete"), (scale, "Continuous")):
        title = f"Harvest of {folder.name}"
        write_json(
            folder / "metadata" / f"{stem.format(map_id)}.json",
            {
                "map_id": map_id,
                "map_type": "Choropleth",
                "legend_type": kind,
                "data": [{"region": "AK", "value": float("nan"), "class": -1}],
                "title": {"text": title, "font_size": 19} if folder.name == "usa" else title,
            },
        )


def _mapwise_row(
    map_id: str, question: str, answer: str, c_or_d: str, template: str = "26"
) -> dict[str, str]:
    return {
        "map_id": map_id,
        "template_no": template,
        "question": question,
        "ground_truth": answer,
        "c_or_d": c_or_d,
        "relative_region": "Y",
    }


def _mapwise_record(country: str, style: str, stem: str, row: dict[str, str]) -> dict[str, Any]:
    return {
        "country": country,
        "map_type": style,
        "map_no": stem.format(row["map_id"]),
        "template_no": int(row["template_no"]),
        "question": row["question"],
        "ground_truth": row["ground_truth"] or "None",
        "ground_truth_type": "List",
        "c_or_d": row["c_or_d"],
        "relative_region": row["relative_region"],
    }


WRITERS: dict[str, Callable[[Path], Path]] = {
    "ai2d": write_ai2d,
    "chartqa": write_chartqa,
    "circuit_vqa": write_circuit_vqa,
    "infographics_vqa": write_infographics_vqa,
    "mapiq": write_mapiq,
    "mapwise": write_mapwise,
}
"""A whole, faultless copy of each source."""
