"""Regions transferred between drawn maps, of which the right places are known."""

import io
import json
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image

from benchloom.builders.dragon import transfer as module
from benchloom.builders.dragon.drawn_maps import DrawnMap, Look, draw_map
from benchloom.builders.dragon.features import Keypoints, UndecodableError, prepare
from benchloom.builders.dragon.templates import Template, TemplateImage, TemplateRegion
from benchloom.builders.dragon.transfer import PreparedTemplate, place_regions, transfer
from benchloom.builders.dragon.transfers import METHODS, Method, Transfer
from benchloom.loaders.boxes import clip

SMALL: dict[str, Any] = {
    "width": 720, "height": 440, "scale": 0.66, "left": 60.0, "top": 60.0, "legend_left": 620,
}  # fmt: skip


def drawn(country: int = 1, **look: Any) -> DrawnMap:
    return draw_map(country, Look(**{**SMALL, **look}))


def prepared(map_: DrawnMap, name: str = "t", **changes: Any) -> PreparedTemplate:
    return PreparedTemplate(replace(map_.template(name), **changes), prepare(map_.image))


def png(pixels: Any) -> bytes:
    file = io.BytesIO()
    Image.fromarray(np.asarray(pixels, np.uint8)).save(file, "PNG")
    return file.getvalue()


def largest_error(done: Transfer, map_: DrawnMap) -> float:
    """Returns the largest error of a side of a box on the map, in pixels."""
    errors = [
        np.abs(np.subtract(region.bbox, clip(map_.regions[region.id], done.width, done.height)))
        for region in done.regions
        if region.anchor == "map"
    ]
    assert errors
    return float(np.max(errors))


@pytest.fixture(scope="module")
def plain() -> PreparedTemplate:
    return prepared(drawn())


@pytest.fixture(scope="module")
def hatched() -> PreparedTemplate:
    return prepared(drawn(hatched=True), "hatched")


@pytest.mark.parametrize(
    ("look", "origin"),
    [
        ({}, "similarity"),
        ({"left": 100.5, "top": 92.25, "colours": 5}, "similarity"),
        ({"labels": False, "colours": 2}, "similarity"),
        ({"labels": False, "colours": 4, "scale": 0.5, "left": 150, "top": 70.3}, "similarity"),
        ({"colours": 6, "scale": 0.8, "left": 20, "top": 50}, "similarity"),
        (
            {"colours": 3, "width": 1000, "height": 500, "legend_left": 20, "left": 300},
            "similarity",
        ),
        ({"colours": 7, "stretch": 1.15, "left": 30}, "homography"),
    ],
)
def test_maps_are_placed(plain: PreparedTemplate, look: dict[str, Any], origin: str) -> None:
    target = drawn(**look)
    done = transfer(target.png(), "drawn", "a.png", [plain])
    assert (done.status, done.origin, done.reason) == ("placed", origin, "")
    assert largest_error(done, target) < 1
    assert done.inliers is not None
    assert done.inliers > 50
    for region in done.regions:
        if region.anchor == "map":
            assert (region.origin, region.inliers) == (origin, done.inliers)
            assert region.score is not None
            assert not region.needs_redraw
        else:  # title and legend do not move with the map
            assert (region.origin, region.inliers, region.score) == ("scaled", None, None)
            assert region.needs_redraw


@pytest.mark.parametrize("mode", ["RGBA", "P", "L"])
def test_pictures_of_other_modes_are_placed(plain: PreparedTemplate, mode: str) -> None:
    target = drawn(left=72, colours=9)
    file = io.BytesIO()
    Image.fromarray(target.image[:, :, ::-1]).convert(mode).save(file, "PNG")
    done = transfer(file.getvalue(), "drawn", "a.png", [plain])
    assert done.status == "placed"
    assert largest_error(done, target) < 1


def test_hatched_maps_have_a_template_of_their_own(
    plain: PreparedTemplate, hatched: PreparedTemplate
) -> None:
    target = drawn(hatched=True, colours=2)
    done = transfer(target.png(), "drawn", "a.png", [plain, hatched])
    assert (done.status, done.template_id) == ("placed", "hatched")
    assert largest_error(done, target) < 1


@pytest.mark.parametrize(("bend", "labels"), [(4, False), (12, True), (20, True), (60, True)])
def test_another_projection_is_flagged_or_nearly_right(
    plain: PreparedTemplate, bend: float, labels: bool
) -> None:
    target = drawn(bend=bend, labels=labels, colours=3)
    done = transfer(target.png(), "drawn", "a.png", [plain])
    if bend > 10:
        assert done.status == "flagged"
    for region in done.regions:
        if not region.needs_redraw:
            assert region.bbox == pytest.approx(target.regions[region.id], abs=5)


@pytest.mark.parametrize(("country", "hatch"), [(2, False), (3, False), (2, True)])
def test_other_maps_are_flagged(plain: PreparedTemplate, country: int, hatch: bool) -> None:
    done = transfer(drawn(country, hatched=hatch).png(), "drawn", "a.png", [plain])
    assert (done.status, done.origin) == ("flagged", "scaled")
    assert done.reason
    assert all(region.needs_redraw and region.origin == "scaled" for region in done.regions)
    assert len(done.regions) == len(plain.template.regions)


def test_the_paper_s_recipe_fails_silently_where_ours_flags(hatched: PreparedTemplate) -> None:
    target = drawn(hatched=True, colours=2, left=66, top=70)
    by_paper = transfer(target.png(), "drawn", "a.png", [hatched], "paper")
    assert by_paper.status == "placed"
    assert largest_error(by_paper, target) > 5
    done = transfer(target.png(), "drawn", "a.png", [hatched])
    assert done.status == "flagged" or largest_error(done, target) < 5


def test_the_paper_s_recipe_warps_every_region(plain: PreparedTemplate) -> None:
    target = drawn(left=100, top=90, colours=5)
    done = transfer(target.png(), "drawn", "a.png", [plain], "paper")
    assert largest_error(done, target) < 2
    moved = {region.id: region for region in done.regions}
    assert moved["title"].origin == "homography"
    x, y, *_ = plain.template.boxes()["title"]
    assert moved["title"].bbox[:2] == pytest.approx((x + 40, y + 30), abs=2)
    assert done.score is None


def test_the_best_of_several_templates_is_taken(plain: PreparedTemplate) -> None:
    others = [prepared(drawn(country), f"other-{country}") for country in (2,)]
    target = drawn(colours=8, left=80)
    for order in ([*others, plain], [plain, *others]):
        done = transfer(target.png(), "drawn", "a.png", order)
        assert (done.status, done.template_id) == ("placed", "t")
    twin = replace(plain, template=replace(plain.template, id="twin"))
    assert transfer(target.png(), "drawn", "a.png", [plain, twin]).template_id == "t"
    assert transfer(target.png(), "drawn", "a.png", [twin, plain]).template_id == "twin"


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "pixels",
    [
        np.zeros((200, 200, 3)),
        np.full((200, 200, 3), 255),
        np.zeros((1, 1, 3)),
        np.zeros((9, 300, 3)),
        np.tile(np.arange(256)[None, :, None], (64, 1, 3)),
    ],
)
def test_blank_images_are_scaled_to(plain: PreparedTemplate, pixels: Any, method: Method) -> None:
    done = transfer(png(pixels), "drawn", "a.png", [plain], method)
    rows, columns = np.shape(pixels)[:2]
    assert (done.status, done.origin) == ("flagged", "scaled")
    for region, stretched in zip(done.regions, plain.template.boxes().values(), strict=True):
        across, down = columns / 720, rows / 440
        x, y, width, height = stretched
        assert region.bbox == pytest.approx((x * across, y * down, width * across, height * down))
        assert region.needs_redraw


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("shade", [0, 255])
def test_blank_templates_are_scaled_from(method: Method, shade: int) -> None:
    image = np.full((200, 200, 3), shade, np.uint8)
    region = TemplateRegion("a", "a", (10, 20, 50, 60))
    template = Template("blank", TemplateImage("b.png", "", 200, 200), (region,))
    source = PreparedTemplate(template, prepare(image))
    done = transfer(drawn().png(), "drawn", "a.png", [source], method)
    assert (done.status, done.origin) == ("flagged", "scaled")
    assert done.regions[0].bbox == pytest.approx((36, 44, 180, 132))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_few_keypoints_are_scaled_from(plain: PreparedTemplate, method: Method, count: int) -> None:
    def first(keypoints: Keypoints) -> Keypoints:
        assert keypoints.descriptors is not None
        return Keypoints(keypoints.points[:count], keypoints.descriptors[:count] if count else None)

    few = {
        "sift": first(plain.keypoints("sift")),
        "orb": first(plain.keypoints("orb")),
        "gray": first(plain.keypoints_on_gray()),
    }
    source = PreparedTemplate(plain.template, plain.picture, few)
    dots = np.full((120, 180, 3), 255)
    dots[40:60, 50:70] = dots[80:84, 120:124] = 0
    done = transfer(png(dots), "drawn", "a.png", [source], method)
    assert (done.status, done.origin) == ("flagged", "scaled")
    assert done.regions[0].bbox == pytest.approx(
        np.array(plain.template.boxes()["AA"]) * (2 * [180 / 720, 120 / 440])
    )


@pytest.mark.parametrize("method", METHODS)
def test_scaling_is_by_width_and_height(method: Method) -> None:
    region = TemplateRegion("a", "a", (10, 10, 10, 10), aliases=("the a", "A."))
    template = Template("t", TemplateImage("t.png", "", 100, 50), (region,))
    source = PreparedTemplate(template, prepare(np.zeros((50, 100, 3), np.uint8)))
    target = prepare(np.zeros((100, 200, 3), np.uint8))
    (placed,) = place_regions(source, target, None, method=method)
    assert placed.bbox == (20, 20, 20, 20)
    assert (placed.origin, placed.needs_redraw) == ("scaled", True)
    assert placed.aliases == ("the a", "A.")


def test_a_very_wide_image_is_scaled_for_matching(plain: PreparedTemplate) -> None:
    strip = np.full((120, 20000, 3), 255, np.uint8)
    strip[30:90, 5000:9000] = 0
    done = transfer(png(strip), "drawn", "a.png", [plain])
    assert done.status == "flagged"
    assert (done.width, done.height) == (20000, 120)
    large = Image.fromarray(drawn(labels=False, colours=3).image[:, :, ::-1])
    wide = Image.new("RGB", (4000, 1500), "white")
    wide.paste(large.resize((2160, 1320)), (1000, 100))
    file = io.BytesIO()
    wide.save(file, "BMP")
    done = transfer(file.getvalue(), "drawn", "a.png", [plain])
    assert done.status == "placed"
    for region in done.regions:
        if region.anchor == "map":
            x, y, width, height = (3 * number for number in plain.template.boxes()[region.id])
            assert region.bbox == pytest.approx((x + 1000, y + 100, width, height), abs=5)


def test_regions_beside_the_page_are_clipped_and_marked(plain: PreparedTemplate) -> None:
    target = drawn(left=-60.0, colours=3)
    done = transfer(target.png(), "drawn", "a.png", [plain])
    assert done.status == "placed"
    marked = {region.id for region in done.regions if region.clipped}
    left = {
        name for name, (x, y, width, height) in target.regions.items() if (x + width) < 0.25 * width
    }
    assert marked == left
    assert left
    for region in done.regions:
        x, y, width, height = region.bbox
        assert 0 <= x <= x + width <= 720
        assert 0 <= y <= y + height <= 440
    assert len(done.regions) == len(plain.template.regions)


def test_an_inset_that_stands_elsewhere_is_marked(plain: PreparedTemplate) -> None:
    target = drawn(colours=2)
    x, y, width, height = (round(number) for number in target.regions["DA"])
    image = target.image.copy()
    inset = image[y : y + height, x : x + width].copy()
    image[y - 3 : y + height + 3, x - 3 : x + width + 3] = 255
    image[y + 25 : y + 25 + height, x - 30 : x - 30 + width] = inset
    done = transfer(png(image[:, :, ::-1]), "drawn", "a.png", [plain])
    assert done.status == "placed"
    marked = [one.id for one in done.regions if one.needs_redraw and one.anchor == "map"]
    assert marked == ["DA"]


def pulled(map_: DrawnMap, axis: int, place: float, by: float) -> DrawnMap:
    """Returns a map of which all beyond a place along an axis is moved by so many pixels.

    On the way there, along 50 px, it is stretched; so where each box is is known.
    """
    size = map_.image.shape[1 - axis]

    def move(x: Any) -> Any:
        return np.asarray(x) + by * np.clip((np.asarray(x) - place) / 50, 0, 1)

    centres = np.arange(size) + 0.5
    before = np.interp(centres, move(centres), centres) - 0.5
    rows, columns = map_.image.shape[:2]
    across, down = np.meshgrid(np.arange(columns, dtype=np.float32), np.arange(rows))
    maps = [across, down.astype(np.float32)]
    maps[axis] = np.broadcast_to(before if axis == 0 else before[:, None], (rows, columns)).astype(
        np.float32
    )
    image = cv2.remap(map_.image, *maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    regions = {}
    for name, box in map_.regions.items():
        ends = [*box[:2], box[0] + box[2], box[1] + box[3]]
        ends[axis], ends[axis + 2] = (float(move(ends[axis + end])) for end in (0, 2))
        regions[name] = (ends[0], ends[1], ends[2] - ends[0], ends[3] - ends[1])
    return DrawnMap(np.asarray(image), regions, map_.page)


@pytest.mark.parametrize("by", [6, 9, 12, 15])
@pytest.mark.parametrize(("axis", "place"), [(0, 200), (0, 300), (0, 400), (1, 160), (1, 220)])
def test_what_is_deformed_by_parts_is_doubted_there(
    plain: PreparedTemplate, axis: int, place: float, by: float
) -> None:
    target = pulled(drawn(colours=3), axis, place, by)
    done = transfer(target.png(), "drawn", "a.png", [plain])
    silent = [
        (region.id, error)
        for region in done.regions
        if region.anchor == "map" and not region.needs_redraw
        if (error := np.abs(np.subtract(region.bbox, target.regions[region.id])).max()) > 7
    ]
    assert silent == []


def test_a_map_that_is_there_twice_is_flagged(plain: PreparedTemplate) -> None:
    one, other = drawn(colours=3), drawn(colours=4, labels=False)
    small = cv2.resize(other.image, None, fx=0.6, fy=0.6, interpolation=cv2.INTER_AREA)
    below = np.full_like(other.image, 255)
    below[: small.shape[0], : small.shape[1]] = small
    same = np.vstack([one.image, one.image])  # no keypoint tells which of the two it is of
    assert transfer(png(same), "drawn", "a.png", [plain]).status == "flagged"
    for pair in (
        np.vstack([one.image, other.image]),
        np.hstack([one.image, other.image]),
        np.vstack([one.image, below]),
    ):
        done = transfer(png(pair[:, :, ::-1]), "drawn", "a.png", [plain])
        assert done.status == "flagged"
        assert "more than once" in done.reason
        assert all(region.needs_redraw for region in done.regions)
    for first, second in ((one, other), (other, one)):  # of three, two are equal
        for many in ([first, second, first], [first, first, second], [second, first, first]):
            stacked = np.vstack([drawing.image for drawing in many])
            done = transfer(png(stacked[:, :, ::-1]), "drawn", "a.png", [plain])
            assert "more than once" in done.reason
            assert all(region.needs_redraw for region in done.regions)
    beside = np.vstack([one.image, drawn(2, colours=4).image])
    done = transfer(png(beside[:, :, ::-1]), "drawn", "a.png", [plain])
    assert done.status == "placed", "another map is no second copy"
    assert largest_error(done, one) < 1.5


def test_anchors(plain: PreparedTemplate) -> None:
    changed = [
        replace(region, anchor={"AA": "none", "AB": "page"}.get(region.id, region.anchor))
        for region in plain.template.regions
    ]
    source = PreparedTemplate(
        replace(plain.template, regions=tuple(changed)),  # type: ignore[arg-type]
        plain.picture,
    )
    target = drawn(left=90, colours=4)
    done = transfer(target.png(), "drawn", "a.png", [source])
    assert done.left_out == ("AA",)
    placed = {region.id: region for region in done.regions}
    assert "AA" not in placed
    assert placed["AB"].bbox == pytest.approx(plain.template.boxes()["AB"])
    assert placed["AB"].needs_redraw
    assert placed["AC"].origin == "similarity"
    by_paper = transfer(target.png(), "drawn", "a.png", [source], "paper")
    assert len(by_paper.regions) == len(changed)
    assert by_paper.left_out == ()


def test_a_template_without_a_map_is_scaled(plain: PreparedTemplate) -> None:
    page = tuple(region for region in plain.template.regions if region.anchor == "page")
    source = PreparedTemplate(replace(plain.template, regions=page), plain.picture)
    done = transfer(drawn().png(), "drawn", "a.png", [source])
    assert (done.status, len(done.regions)) == ("flagged", 2)
    assert "no region that is on the map" in done.reason


def test_the_gate_of_a_template_decides(plain: PreparedTemplate) -> None:
    target = drawn(labels=False, colours=2)
    strict = replace(plain, template=replace(plain.template, gate=0.95))
    done = transfer(target.png(), "drawn", "a.png", [strict])
    assert done.status == "flagged"
    assert "below 0.95" in done.reason
    assert done.score is not None
    assert done.inliers is not None


def test_the_second_detector_is_asked_where_the_first_fails(
    plain: PreparedTemplate, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = drawn(left=80, colours=4)
    assert transfer(target.png(), "drawn", "a.png", [plain]).detector == "sift"
    original = module.match_keypoints

    def no_sift(template: Any, found: Any, detector: Any, one_to_one: bool = True) -> Any:
        source, points = original(template, found, detector, one_to_one)
        return (source[:5], points[:5]) if detector == "sift" else (source, points)

    monkeypatch.setattr(module, "match_keypoints", no_sift)
    done = transfer(target.png(), "drawn", "a.png", [plain])
    assert (done.status, done.detector) == ("placed", "orb")
    assert largest_error(done, target) < 1.5


@pytest.mark.parametrize("method", METHODS)
def test_same_bytes_again(plain: PreparedTemplate, method: Method) -> None:
    content = drawn(left=91.3, labels=False, colours=6).png()
    fresh = prepared(drawn())
    runs = [transfer(content, "drawn", "a.png", [one], method) for one in (plain, plain, fresh)]
    assert len({json.dumps(run.to_json()) for run in runs}) == 1
    assert runs[0] == runs[1] == runs[2]


def test_round_trip(plain: PreparedTemplate) -> None:
    done = transfer(drawn(left=90).png(), "drawn", "x/a.png", [plain])
    written = json.dumps(done.to_json())
    again = Transfer.from_json(json.loads(written))
    assert json.dumps(again.to_json()) == written
    assert again.regions[0].id == done.regions[0].id


@pytest.mark.parametrize("content", [b"", b"no image", drawn().png()[:5000]])
def test_what_is_no_image_is_told(plain: PreparedTemplate, content: bytes) -> None:
    with pytest.raises(UndecodableError):
        transfer(content, "drawn", "a.png", [plain])
