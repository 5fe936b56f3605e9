"""Templates as annotation programs write them."""

import json
import math
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from benchloom.builders.dragon.template_formats import read_templates
from benchloom.builders.dragon.template_images import ImageFinder
from benchloom.builders.dragon.templates import Template
from benchloom.builders.errors import InputError
from benchloom.scripts.main import main

WIDTH, HEIGHT = 200, 100
BOXES = {"WA": (20.0, 10.0, 40.0, 30.0), "Legend": (150.0, 50.0, 30.0, 40.0)}
TRIANGLE = ((10.0, 5.0), (120.0, 5.0), (60.0, 90.0))


def read(folder: Path, content: Any, name: str = "file.json") -> list[Template]:
    Image.new("L", (WIDTH, HEIGHT)).save(folder / "map.png")
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return read_templates(path, ImageFinder(path, folder, ["map.png"]))


def by_hand() -> Any:
    return {
        "usa": {
            "image": "map.png",
            "regions": [
                {"label": "WA", "bbox_xyxy": [20, 10, 60, 40], "anchor": "map"},
                {"label": "Legend", "bbox_xyxy": [150, 50, 180, 90], "anchor": "page"},
            ],
        }
    }


def rectangle(label: str, x: float, y: float, w: float, h: float, **more: Any) -> Any:
    value = {"x": x, "y": y, "width": w, "height": h, "rotation": 0, "rectanglelabels": [label]}
    return {
        "id": f"id-{label}",
        "type": "rectanglelabels",
        "original_width": WIDTH,
        "original_height": HEIGHT,
        "value": {**value, **more},
    }


def label_studio() -> Any:
    percent = [[x / WIDTH * 100, y] for x, y in TRIANGLE]
    mask = rectangle("mask", 0, 0, 0, 0)
    mask["type"] = "polygonlabels"
    mask["value"] = {"points": percent, "polygonlabels": ["mask"]}
    result = [rectangle("WA", 10, 10, 20, 30), rectangle("Legend", 75, 50, 15, 40), mask]
    note = {"id": "x", "type": "choices", "value": {"choices": ["good"]}}
    return [
        {
            "id": 3,
            "data": {"image": "/data/upload/1/0a1b2c3d-map.png"},
            "annotations": [
                {"was_cancelled": True, "result": []},
                {"was_cancelled": False, "result": [*result, note]},
            ],
            "predictions": [{"result": [rectangle("CO", 1, 1, 5, 5)]}],
        }
    ]


def coco() -> Any:
    flat = [number for point in TRIANGLE for number in point]
    return {
        "images": [{"id": 9, "file_name": "map.png", "width": WIDTH, "height": HEIGHT}],
        "categories": [
            {"id": 1, "name": "WA"}, {"id": 2, "name": "Legend"}, {"id": 3, "name": "mask"},
        ],
        "annotations": [
            {"id": 11, "image_id": 9, "category_id": 1, "bbox": BOXES["WA"]},
            {"id": 12, "image_id": 9, "category_id": 2, "bbox": BOXES["Legend"]},
            {"id": 13, "image_id": 8, "category_id": 2, "bbox": [0, 0, 1, 1]},
            {"id": 14, "image_id": 9, "category_id": 3, "bbox": [10, 5, 110, 85],
             "segmentation": [flat]},
        ],
    }  # fmt: skip


def labelme() -> Any:
    return {
        "version": "5.5.0",
        "imagePath": "map.png",
        "imageData": None,
        "imageWidth": WIDTH,
        "imageHeight": HEIGHT,
        "shapes": [
            {"label": "WA", "points": [[60, 40], [20, 10]], "shape_type": "rectangle"},
            {
                "label": "Legend",
                "points": [[150, 60], [180, 50], [170, 90]],
                "shape_type": "polygon",
            },
            {"label": "mask", "points": [list(point) for point in TRIANGLE]},
            {"label": "x", "points": [[1, 1]], "shape_type": "point"},
        ],
    }


def voc(*boxes: str) -> str:
    objects = "".join(
        f"<object><name>{name}</name><bndbox>"
        + "".join(
            f"<{tag}>{number}</{tag}>"
            for tag, number in zip(("xmin", "ymin", "xmax", "ymax"), box.split(), strict=True)
        )
        + "</bndbox></object>"
        for name, box in zip(("WA", "Legend"), boxes, strict=False)
    )
    return (
        "<annotation><filename>map.png</filename><size><width>200</width><height>100</height>"
        f"<depth>3</depth></size>{objects}</annotation>"
    )


FORMATS = {
    "by hand": (by_hand(), "usa", ["WA", "Legend"], False),
    "Label Studio": (label_studio(), "map", ["id-WA", "id-Legend"], True),
    "COCO": (coco(), "map", ["11", "12"], True),
    "labelme": (labelme(), "map", ["WA", "Legend"], True),
    "VOC from 1": (voc("21 11 60 40", "151 51 180 90"), "map", ["WA", "Legend"], False),
    "VOC": (voc("20.0 10.0 60.0 40.0", "150 50 180.0 90"), "map", ["WA", "Legend"], False),
}


@pytest.mark.parametrize(("content", "name", "ids", "masked"), FORMATS.values(), ids=FORMATS)
def test_every_format_says_the_same(
    tmp_path: Path, content: Any, name: str, ids: list[str], masked: bool
) -> None:
    (template,) = read(tmp_path, content)
    assert template.id == name
    assert Path(template.image.file_name).name == "map.png"
    assert (template.image.width, template.image.height) == (WIDTH, HEIGHT)
    assert [region.id for region in template.regions] == ids
    assert {region.label: region.bbox for region in template.regions} == {
        label: pytest.approx(box) for label, box in BOXES.items()
    }
    assert [region.anchor for region in template.regions] == ["map", "page"]
    if masked:
        (polygon,) = template.mask
        for point, wanted in zip(polygon, TRIANGLE, strict=True):
            assert point == pytest.approx(wanted)
    else:
        assert template.mask == ()


def test_a_byte_order_mark_is_no_fault(tmp_path: Path) -> None:
    (template,) = read(tmp_path, "\ufeff" + json.dumps(by_hand()))
    assert template.id == "usa"


@pytest.mark.parametrize("degrees", [0, 90, 30, -45])
def test_turned_boxes_of_label_studio(tmp_path: Path, degrees: float) -> None:
    tasks = label_studio()
    tasks[0]["annotations"][1]["result"][0] = rectangle("WA", 50, 50, 10, 10, rotation=degrees)
    (template,) = read(tmp_path, tasks)
    turn = math.radians(degrees)
    xs = [100 + a * math.cos(turn) - b * math.sin(turn) for a in (0, 20) for b in (0, 10)]
    ys = [50 + a * math.sin(turn) + b * math.cos(turn) for a in (0, 20) for b in (0, 10)]
    wanted = (min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))
    assert template.regions[0].bbox == pytest.approx(wanted)


@pytest.mark.parametrize(
    "address",
    ["/data/local-files/?d=map.png", "https://example.org/a/map.png?x=1", "s3://bucket/map.png",
     "/data/upload/12/deadbeef-map.png", "map.png"],
)  # fmt: skip
def test_addresses_of_label_studio(tmp_path: Path, address: str) -> None:
    tasks = label_studio()
    tasks[0]["data"]["image"] = address
    (template,) = read(tmp_path, tasks)
    assert template.image.file_name == "map.png"


def test_equal_labels_get_ids_of_their_own(tmp_path: Path) -> None:
    value = by_hand()
    value["usa"]["regions"] += [value["usa"]["regions"][0]] * 2
    value["usa"]["regions"].append({"label": "WA-2", "bbox_xyxy": [1, 1, 2, 2]})
    (template,) = read(tmp_path, value)
    assert [region.id for region in template.regions] == ["WA", "Legend", "WA-2", "WA-3", "WA-2-2"]


@pytest.mark.parametrize(
    ("label", "anchor"),
    [("Title", "page"), ("map legend", "page"), ("Entitlement", "map"), ("WA", "map"),
     ("Source: KFF", "page")],
)  # fmt: skip
def test_anchors_are_told_from_labels(tmp_path: Path, label: str, anchor: str) -> None:
    value = labelme()
    value["shapes"][0]["label"] = label
    (template,) = read(tmp_path, value)
    assert template.regions[0].anchor == anchor


def changed(value: Any, *path: Any, to: Any) -> Any:
    place = value
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = to
    return value


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "is no JSON"),
        ("{", "line 1: is no JSON"),
        ("<annotation>", "is no XML"),
        ("<html></html>", "begins with <html>"),
        ("7", "is no file of templates"),
        ("{}", "neither a file of templates nor one of"),
        ('{"a": 1}', "neither a file of templates nor one of"),
        ("[]", "holds no template"),
        ('{"templates": []}', "holds no template"),
        ('{"templates": [7]}', "field"),
        ("[7]", "a field is not of its kind"),
        (voc(), "has no regions"),
        (voc("1 1 x 5"), "a field is not of its kind"),
        (voc("5 5 3 3"), "has no area"),
        (voc("1 1 210 5"), "leaves the image"),
        (voc("1 1 5 5").replace("<filename>map.png</filename>", ""), "has no filename"),
        (changed(by_hand(), "usa", "image", to="gone.png"), "neither beside the file nor in"),
        (changed(by_hand(), "usa", "regions", 0, "bbox_xyxy", to=[5, 5, 1, 1]), "has no area"),
        (changed(by_hand(), "usa", "regions", 0, "label", to=None), "a label is no text"),
        (changed(by_hand(), "usa", "regions", 0, to={}), "the field 'label' is missing"),
        (changed(label_studio(), 0, "annotations", to=[]), "task 3: has 0 annotations"),
        (changed(label_studio(), 0, "annotations", 0, "was_cancelled", to=False), "2 annotations"),
        (changed(label_studio(), 0, "annotations", 1, "result", to=[]), "no boxes or polygons"),
        (changed(coco(), "annotations", 3, "segmentation", to={"counts": []}), "must be polygons"),
        (changed(coco(), "images", 0, "width", to="w"), "a field is not of its kind"),
        (changed(labelme(), "shapes", 0, "points", to=[[1]]), "a field is not of its kind"),
    ],
)  # fmt: skip
def test_faults_are_named(tmp_path: Path, content: Any, words: str) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path, content)
    message = str(caught.value)
    assert message.startswith(str(tmp_path / "file.json"))
    assert words in message
    assert "\n" not in message


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    finder = ImageFinder(tmp_path / "a", tmp_path, [])
    with pytest.raises(InputError, match=r"gone.json: cannot be read \(No such file"):
        read_templates(tmp_path / "gone.json", finder)
    (tmp_path / "a.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="is no text"):
        read_templates(tmp_path / "a.json", finder)


def test_of_two_templates_of_one_name_none_is_lost_silently(tmp_path: Path) -> None:
    one = json.dumps(next(iter(by_hand().values())))
    with pytest.raises(InputError, match=r"file\.json: the name 'usa' stands twice in one object"):
        read(tmp_path, f'{{"usa": {one}, "usa": {one}}}')


def told(folder: Path, content: Any) -> tuple[Template, list[str]]:
    """Returns the template of a file, and what is told of its shapes."""
    Image.new("L", (WIDTH, HEIGHT)).save(folder / "map.png")
    path = folder / "file.json"
    path.write_text(json.dumps(content))
    remarks: list[str] = []
    (template,) = read_templates(path, ImageFinder(path, folder, ["map.png"]), remarks)
    assert all(one.startswith(f"{path}: ") for one in remarks)
    return template, [one.removeprefix(f"{path}: ") for one in remarks]


def test_shapes_of_label_studio_are_taken_as_boxes_or_left_out_in_words(tmp_path: Path) -> None:
    tasks = label_studio()
    result = tasks[0]["annotations"][1]["result"]
    assert told(tmp_path, tasks)[1] == []
    ellipse = rectangle("CO", 0, 0, 0, 0) | {"type": "ellipselabels"}
    ellipse["value"] = {"x": 50, "y": 50, "radiusX": 10, "radiusY": 5, "rotation": 90}
    ellipse["value"]["ellipselabels"] = ["CO"]
    turned = rectangle("OR", 50, 50, 10, 10, rotation=90)
    point = rectangle("x", 1, 1, 1, 1) | {"type": "keypointlabels", "id": "k"}
    bare = rectangle("x", 1, 1, 9, 9) | {"id": "b"}
    bare["value"].pop("rectanglelabels")
    result += [ellipse, turned, point, bare]
    template, remarks = told(tmp_path, tasks)
    boxes = {region.label: region.bbox for region in template.regions}
    assert set(boxes) == {*BOXES, "CO", "OR"}
    # Radii of 20 and 5 px, which change places as it is turned.
    assert boxes["CO"] == pytest.approx((95, 30, 10, 40))
    assert boxes["OR"] == pytest.approx((90, 50, 10, 20))
    assert remarks == [
        "task 3: ellipselabels id-CO, 'CO': the box around it is taken",
        "task 3: rectanglelabels id-OR, 'OR': the box around it is taken",
        "task 3: keypointlabels k is left out; draw a rectangle, a polygon or an ellipse",
        "task 3: rectanglelabels b is left out, as it has no label",
    ]


def test_shapes_of_labelme_are_taken_as_boxes_or_left_out_in_words(tmp_path: Path) -> None:
    value = labelme()
    circle = {"label": "CO", "points": [[100, 50], [103, 54]], "shape_type": "circle"}
    value["shapes"].append(circle)
    template, remarks = told(tmp_path, value)
    assert {region.label: region.bbox for region in template.regions}["CO"] == (95, 45, 10, 10)
    assert remarks == [
        "shape 4, the point 'x', is left out; draw a rectangle, a polygon or a circle",
        "shape 5, the circle 'CO', is taken as the box around it",
    ]


def test_command_says_which_shapes_are_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told(tmp_path, labelme())
    words = ["--images", str(tmp_path), "--template", str(tmp_path / "file.json")]
    words += ["--source", "mapwise", "--out", str(tmp_path / "out.jsonl"), "--jobs", "1"]
    main(["dragon", "transfer", *words])
    assert "shape 4, the point 'x', is left out" in capsys.readouterr().err


def test_mask_that_is_one_list_of_points(tmp_path: Path) -> None:
    (template,) = read(tmp_path, labelme())
    value = {"templates": [template.to_json() | {"mask": [[1, 2], [9, 2], [9, 8]]}]}
    with pytest.raises(InputError, match=r"must be a list of polygons.*\[\[\[x, y\]"):
        read(tmp_path, value)
