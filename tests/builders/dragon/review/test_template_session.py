"""What the page for templates shows and saves."""

import http.client
import json
import threading
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from benchloom.builders.dragon.review.server import ReviewServer
from benchloom.builders.dragon.review.template_session import TemplateSession
from benchloom.builders.dragon.template_file import TemplateFile
from benchloom.builders.dragon.template_formats import read_templates
from benchloom.builders.dragon.template_images import ImageFinder
from benchloom.builders.errors import InputError
from benchloom.builders.files import sha256_of

REGION = {
    "id": "RV", "label": "Ravia", "aliases": ["RV", "the plain"],
    "bbox": [10.5, 20.0, 30.25, 15.0], "anchor": "map",
}  # fmt: skip
LEGEND = {"id": "l", "label": "legend", "aliases": [], "bbox": [80, 60, 20, 20], "anchor": "page"}
MASK = [[[0.0, 0.0], [90.0, 0.5], [50.0, 70.0]]]


@pytest.fixture
def image(tmp_path: Path) -> Path:
    path = tmp_path / "maps" / "map_1.png"
    path.parent.mkdir()
    Image.new("RGB", (100, 80), "white").save(path)
    return path


@pytest.fixture
def file(tmp_path: Path) -> TemplateFile:
    return TemplateFile(tmp_path / "work" / "templates.json")


def save(session: TemplateSession, *regions: Any, **fields: Any) -> dict[str, Any]:
    value = {"item": session.id, "base": session.describe(session.id)["base"], "mask": []}
    return session.save({**value, "regions": list(regions), **fields})


def test_what_is_drawn_is_in_the_file_and_is_gone_on_with(image: Path, file: TemplateFile) -> None:
    session = TemplateSession(image, file, "usa")
    described = session.describe("usa")
    assert (described["regions"], described["mask"], len(session)) == ([], [], 0)
    assert session.overview()["others"] == []
    said = save(session, REGION, LEGEND, mask=MASK)
    entry = json.loads(file.path.read_text())["templates"][0]
    assert entry["image"] == {
        "file_name": "map_1.png", "sha256": sha256_of(image), "width": 100, "height": 80,
    }  # fmt: skip
    assert entry["regions"] == [REGION, LEGEND]
    assert entry["mask"] == MASK
    again = TemplateSession(image, file, "usa")
    assert again.describe("usa")["regions"] == [REGION, LEGEND]
    assert again.describe("usa")["mask"] == MASK
    assert again.describe("usa")["base"] == said["base"]
    assert len(again) == 2
    # As `transfer` reads it: with the image anywhere in the folder of images.
    finder = ImageFinder(file.path, image.parent.parent, ["maps/map_1.png"])
    (template,) = read_templates(file.path, finder)
    assert finder.identify(template) == (template, image)


def test_image_below_the_file_is_found_from_there(image: Path) -> None:
    file = TemplateFile(image.parent.parent / "templates.json")
    save(TemplateSession(image, file), REGION)
    (template,) = file.read()
    assert template.image.file_name == "maps/map_1.png"
    assert ImageFinder(file.path, image.parent, []).identify(template)[1] == image


def test_name_is_that_of_the_template_on_this_image(image: Path, file: TemplateFile) -> None:
    assert TemplateSession(image, file).id == "map_1"
    save(TemplateSession(image, file, "usa"), REGION)
    assert TemplateSession(image, file).id == "usa"
    save(TemplateSession(image, file, "usa_2"), LEGEND)
    with pytest.raises(InputError, match="usa, usa_2 were all drawn on this image"):
        TemplateSession(image, file)
    other = image.with_name("other.png")
    Image.new("RGB", (100, 80), "black").save(other)
    assert TemplateSession(other, file).id == "other"
    with pytest.raises(InputError, match=r"'usa' was drawn on another image \(map_1.png\)"):
        TemplateSession(other, file, "usa")
    for name in ("", " ", "a#b"):
        with pytest.raises(InputError, match="choose another --name"):
            TemplateSession(image, file, name)
    assert [len(one.regions) for one in file.read()] == [1, 1]


def test_what_the_page_does_not_show_stays(image: Path, file: TemplateFile) -> None:
    """The gate, and how the file calls the image, here one that gives no digest."""
    file.path.parent.mkdir()
    reference = {"file_name": "usa/map_1.png", "sha256": "", "width": 100, "height": 80}
    value = {"id": "usa", "image": reference, "regions": [REGION], "gate": 0.3}
    file.path.write_text(json.dumps({"templates": [value]}))
    session = TemplateSession(image, file)
    assert session.id == "usa"
    save(session, REGION, LEGEND)
    (template,) = file.read()
    assert template.gate == 0.3
    assert template.image.file_name == "usa/map_1.png"
    assert template.image.sha256 == sha256_of(image)


@pytest.mark.parametrize(
    ("regions", "fields", "words"),
    [
        ([REGION, REGION], {}, "two regions have the id 'RV'"),
        ([], {}, "has no regions"),
        ([REGION | {"bbox": [90, 70, 30, 30]}], {}, "leaves the image of 100 × 80 pixels"),
        ([REGION | {"bbox": [10, 10, 0, 5]}], {}, "has no area"),
        ([REGION | {"bbox": [10, 10, None, 5]}], {}, "field of another kind"),
        ([REGION | {"anchor": "sea"}], {}, "anchor must be one of map, page, none"),
        ([REGION | {"id": ""}], {}, "a region has no id"),
        ([REGION | {"aliases": [1]}], {}, "field of another kind"),
        (["x"], {}, "field of another kind"),
        ([LEGEND], {"mask": [[[0, 0], [1, 1]]]}, "needs three points"),
        ([LEGEND], {"base": "older"}, "was changed elsewhere; load the page again"),
        ([LEGEND], {"item": "china"}, "there is no template 'china'"),
    ],
)
def test_what_cannot_be_saved_is_refused_and_nothing_is_lost(
    image: Path, file: TemplateFile, regions: Any, fields: Any, words: str
) -> None:
    session = TemplateSession(image, file, "usa")
    save(session, REGION)
    before = file.path.read_bytes()
    with pytest.raises(InputError, match=words):
        save(session, *regions, **fields)
    assert file.path.read_bytes() == before


def test_what_is_sent_twice_is_saved_once(image: Path, file: TemplateFile) -> None:
    """A server that was killed after it saved, before it said so, is told again."""
    session = TemplateSession(image, file, "usa")
    base = session.describe("usa")["base"]
    first = save(session, REGION, base=base)
    assert save(TemplateSession(image, file, "usa"), REGION, base=base)["base"] == first["base"]


def test_image_that_changed_or_went_is_said(image: Path, file: TemplateFile) -> None:
    session = TemplateSession(image, file)
    assert session.picture("map_1") == image
    Image.new("RGB", (100, 80), "black").save(image)
    with pytest.raises(InputError, match="has changed since the page was opened"):
        save(session, REGION)
    image.unlink()
    with pytest.raises(InputError, match="is missing"):
        session.picture("map_1")
    with pytest.raises(InputError, match="the image is missing"):
        TemplateSession(image, file)
    image.write_text("no image")
    with pytest.raises(InputError, match="no image that can be decoded"):
        TemplateSession(image, file)
    assert not file.path.exists()


def test_server_answers_for_templates(image: Path, file: TemplateFile) -> None:
    server = ReviewServer(TemplateSession(image, file, "usa"), "127.0.0.1", 0)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()

    def ask(path: str, value: Any = None) -> tuple[int, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=10)
        body = None if value is None else json.dumps(value)
        connection.request("GET" if body is None else "POST", path, body, {"X-Benchloom": "review"})
        reply = connection.getresponse()
        data = reply.read()
        connection.close()
        return reply.status, data

    def describe() -> Any:
        return json.loads(ask("/api/item?item=usa")[1])

    try:
        assert b"template.js" in ask("/")[1]
        assert ask("/template.js")[0] == 200
        assert ask("/image?item=usa") == (200, image.read_bytes())
        assert ask("/image?item=china")[0] == 404
        value = {"item": "usa", "base": describe()["base"], "regions": [REGION]}
        assert ask("/api/save", value)[0] == 200
        assert describe()["regions"] == [REGION]
        status, said = ask("/api/save", {**value, "regions": [REGION, REGION]})
        assert status == 422
        assert "two regions have the id 'RV'" in json.loads(said)["error"]
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_equal_labels_are_told(image: Path, file: TemplateFile) -> None:
    session = TemplateSession(image, file, "usa")
    save(session, REGION, LEGEND)
    assert session.progress() == f"template 'usa' of {file.path}: 2 regions"
    save(session, REGION, {**LEGEND, "label": "Ravia"})
    first, note = session.progress().splitlines()
    assert first.endswith(": 2 regions")
    assert note.startswith("note: template 'usa': 2 regions are called 'Ravia' (RV, l): a question")
