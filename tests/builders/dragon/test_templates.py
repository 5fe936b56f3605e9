"""Templates: what they hold, what is refused, where their map is, how their images are found."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from benchloom.builders.dragon.template_formats import read_templates
from benchloom.builders.dragon.template_images import ImageFinder
from benchloom.builders.dragon.templates import (
    Template,
    TemplateImage,
    TemplateRegion,
    write_templates,
)
from benchloom.builders.errors import InputError
from benchloom.builders.files import sha256_of

IMAGE = TemplateImage("maps/one.png", "", 100, 80)
REGIONS = (
    TemplateRegion("WA", "Washington", (10.5, 10, 20, 20), "map", ("WA", "the Evergreen State")),
    TemplateRegion("FL", "Florida", (70, 60, 20, 15)),
    TemplateRegion("key", "legend", (60, 40, 20, 20), "page"),
    TemplateRegion("note", "a note", (0, 0, 5, 5), "none"),
)
TEMPLATE = Template("usa", IMAGE, REGIONS, (((1.0, 1.0), (50.0, 2.0), (30.0, 70.25)),), 0.3)


def write_image(path: Path, size: tuple[int, int] = (100, 80), shade: int = 0) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("L", size, shade).save(path)
    return sha256_of(path)


def finder(folder: Path) -> ImageFinder:
    images = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.png"))
    return ImageFinder(folder / "templates.json", folder, images)


def test_round_trip(tmp_path: Path) -> None:
    others = [TEMPLATE, replace(TEMPLATE, id="plain", mask=(), gate=0.5)]
    path = tmp_path / "templates.json"
    write_templates(path, others)
    assert read_templates(path, finder(tmp_path)) == others
    before = path.read_bytes()
    write_templates(path, others)
    assert path.read_bytes() == before


def test_what_may_be_left_out() -> None:
    value = TEMPLATE.to_json()
    del value["mask"], value["gate"]
    for region in value["regions"]:
        del region["aliases"], region["anchor"]
    template = Template.from_json(value)
    assert template.mask == ()
    assert template.gate == 0.5
    assert {region.anchor for region in template.regions} == {"map"}


@pytest.mark.parametrize(
    ("path", "new", "words"),
    [
        (("id",), 7, "template 7 has a field of another kind"),
        (("image", "width"), 0, "no width or height"),
        (("image", "width"), "wide", "field of another kind"),
        (("image",), None, "field of another kind"),
        (("regions",), [], "template 'usa' has no regions"),
        (("regions",), 5, "field of another kind"),
        (("regions", 0, "label"), None, "field of another kind"),
        (("regions", 0, "anchor"), "sea", "region 'WA': anchor must be one of map, page, none"),
        (("regions", 1, "id"), "WA", "two regions have the id 'WA'"),
        (("regions", 0, "bbox"), [1, 2, 3], "field of another kind"),
        (("regions", 0, "bbox"), [1, 2, 0, 3], "region 'WA': its box .1, 2, 0, 3. has no area"),
        (("regions", 0, "bbox"), [1, 2, -4, 3], "has no area"),
        (("regions", 0, "bbox"), [1, 2, float("nan"), 3], "has no area"),
        (("regions", 0, "bbox"), [90, 2, 20, 3], "leaves the image of 100 × 80 pixels"),
        (("regions", 0, "bbox"), [-9, 2, 20, 3], "leaves the image"),
        (("regions", 0, "bbox"), [9, 70, 20, 30], "leaves the image"),
        (("regions", 0, "bbox"), [500, 500, 20, 30], "leaves the image"),
        (("mask",), [[[0, 0], [1, 1]]], "needs three points"),
        (("mask",), [[[0, 0], [1]]], "field of another kind"),
        (("gate",), 2, "gate must be a number from 0 to 1"),
        (("gate",), "low", "field of another kind"),
    ],
)
def test_faults_are_named(tmp_path: Path, path: tuple[Any, ...], new: Any, words: str) -> None:
    value = TEMPLATE.to_json()
    place: Any = value
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = new
    file = tmp_path / "templates.json"
    file.write_text(json.dumps({"templates": [value]}))
    with pytest.raises(InputError, match=words) as caught:
        read_templates(file, finder(tmp_path))
    assert str(caught.value).startswith(str(file))


@pytest.mark.parametrize("field", ["id", "image", "regions"])
def test_missing_fields_are_named(field: str) -> None:
    value = TEMPLATE.to_json()
    del value[field]
    with pytest.raises(InputError, match=f"lacks the field '{field}'"):
        Template.from_json(value)


def test_two_templates_of_one_id_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "templates.json"
    write_templates(file, [TEMPLATE, TEMPLATE])
    with pytest.raises(InputError, match="two templates have the id 'usa'"):
        read_templates(file, finder(tmp_path))


def test_boxes_that_overhang_by_rounding_are_clipped() -> None:
    region = TemplateRegion("edge", "edge", (-0.4, 70, 20, 10.6))
    template = replace(TEMPLATE, regions=(region,))
    assert template.boxes()["edge"] == pytest.approx((0, 70, 19.6, 10))


def test_mask_is_the_hull_of_the_map_without_the_page() -> None:
    mask = replace(TEMPLATE, mask=()).draw_mask((80, 100))
    assert set(np.unique(mask)) == {0, 255}
    assert mask[20, 20]  # in a region
    assert mask[67, 80]
    assert mask[35, 45]  # between two
    assert not mask[45, 65]  # in the legend, which lies between them
    assert not mask[2, 2]  # in the note
    assert not mask[5, 90]
    assert not mask[75, 5]
    half = replace(TEMPLATE, mask=()).draw_mask((40, 50))
    assert half[10, 10]
    assert not half[22, 32]


def test_mask_that_was_drawn_is_taken_as_it_is() -> None:
    mask = TEMPLATE.draw_mask((80, 100))
    assert mask[30, 28]
    assert not mask[67, 80]


def test_nothing_on_the_map_has_no_mask() -> None:
    page = replace(TEMPLATE, mask=(), regions=REGIONS[2:])
    assert not page.draw_mask((80, 100)).any()
    assert page.extent() is None
    assert TEMPLATE.extent() == pytest.approx((10.5, 10, 79.5, 65))


def test_image_is_found_by_path_then_by_name_then_by_its_bytes(tmp_path: Path) -> None:
    one = write_image(tmp_path / "maps/one.png")
    two = write_image(tmp_path / "other/one.png", shade=5)
    write_image(tmp_path / "deep/er/two.png", shade=9)
    find = finder(tmp_path).find
    assert find("maps/one.png") == tmp_path / "maps/one.png"
    assert find("elsewhere/two.png") == tmp_path / "deep/er/two.png"
    assert find("one.png", two) == tmp_path / "other/one.png"
    assert find("maps/one.png", two) == tmp_path / "other/one.png"
    assert find("gone/one.png", one) == tmp_path / "maps/one.png"
    with pytest.raises(InputError, match=r"may be .*one.png or .*one.png; write its path"):
        find("one.png")
    with pytest.raises(InputError, match="SHA-256 is another"):
        find("two.png", one)
    with pytest.raises(InputError, match="neither beside the file nor in"):
        find("three.png")


def test_image_is_identified(tmp_path: Path) -> None:
    digest = write_image(tmp_path / "maps/one.png")
    known, path = finder(tmp_path).identify(TEMPLATE)
    assert path == tmp_path / "maps/one.png"
    assert known == replace(TEMPLATE, image=replace(IMAGE, sha256=digest))
    write_image(tmp_path / "maps/one.png", (100, 81))
    with pytest.raises(InputError, match=r"100 × 80 pixels, but .* has 100 × 81"):
        finder(tmp_path).identify(TEMPLATE)
    (tmp_path / "maps/one.png").write_text("no image")
    with pytest.raises(InputError, match="no image that can be decoded"):
        finder(tmp_path).identify(TEMPLATE)
