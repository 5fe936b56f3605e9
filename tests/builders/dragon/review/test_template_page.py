"""A template drawn in a real browser, then transferred to another map of the same country."""

import json
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from benchloom.builders.dragon.drawn_maps import DrawnMap, Look, draw_map
from benchloom.loaders.boxes import Box, iou

PATIENCE = 10_000
WIDTH, HEIGHT = 1000, 600
TARGET = Look(width=900, height=560, scale=0.85, left=60, top=70, colours=7, legend_left=790)


@pytest.fixture(scope="module")
def maps() -> tuple[DrawnMap, DrawnMap]:
    """The map that is drawn on, and one with other fills, of another size."""
    return draw_map(1, Look()), draw_map(1, TARGET)


@pytest.fixture
def folder(tmp_path: Path, maps: tuple[DrawnMap, DrawnMap]) -> Path:
    for name, drawn in zip(("map_1.png", "map_2.png"), maps, strict=True):
        path = tmp_path / "maps" / "usa" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(drawn.png())
    return tmp_path


Serve = Callable[[], str]


@pytest.fixture
def serve(folder: Path) -> Iterator[Serve]:
    """Starts `benchloom dragon template`, killing the one before as a crash would."""
    running: list[subprocess.Popen[str]] = []

    def stop() -> None:
        for process in running:
            process.send_signal(signal.SIGKILL)
            process.communicate()
        running.clear()

    def start() -> str:
        stop()
        image, out = folder / "maps" / "usa" / "map_1.png", folder / "templates.json"
        words = ["dragon", "template", image, "--out", out, "--name", "land", "--port", "0"]
        process = subprocess.Popen(
            [sys.executable, "-m", "benchloom.scripts.main", *map(str, words)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        running.append(process)
        assert process.stdout is not None
        process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+/", process.stdout.readline())
        assert found, process.communicate()
        return found[0]

    yield start
    stop()


@pytest.fixture
def page(chromium: Path) -> Iterator[Any]:
    """A page that asks nobody but the server, and on which nothing goes wrong."""
    from playwright.sync_api import sync_playwright

    asked: list[str] = []
    faults: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-gpu"]
        )
        opened = browser.new_page(viewport={"width": 1280, "height": 800})
        opened.set_default_timeout(PATIENCE)
        opened.on("request", lambda request: asked.append(request.url))
        opened.on("pageerror", lambda error: faults.append(str(error)))
        opened.on("console", lambda message: faults.append(message.text))
        yield opened
        browser.close()
    assert asked
    assert [url for url in asked if not re.match(r"http://127\.0\.0\.1:|data:", url)] == []
    assert faults == []


def at(page: Any, x: float, y: float) -> tuple[float, float]:
    """Returns where a point of the picture is on the screen."""
    frame = page.locator(".sheet").bounding_box()
    return frame["x"] + x * frame["width"] / WIDTH, frame["y"] + y * frame["height"] / HEIGHT


def drag(page: Any, start: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(*at(page, *start))
    page.mouse.down()
    page.mouse.move(*at(page, *end), steps=3)
    page.mouse.up()


def draw(page: Any, box: Box, label: str) -> None:
    """Draws a box, on top of others too, and gives it a label."""
    x, y, width, height = box
    page.keyboard.press("d")
    drag(page, (x, y), (x + width, y + height))
    page.keyboard.type(label)  # the label's field has the focus
    page.keyboard.press("Enter")


def saved(page: Any, folder: Path) -> dict[str, Any]:
    """Returns the template of the file when all that was sent is in it."""
    page.locator("#saved", has_text=re.compile("^Saved ")).wait_for()
    templates: list[dict[str, Any]] = json.loads((folder / "templates.json").read_text())[
        "templates"
    ]
    return next(one for one in templates if one["id"] == "land")


def test_template_is_drawn_gone_on_with_and_transferred(
    folder: Path, maps: tuple[DrawnMap, DrawnMap], serve: Serve, page: Any
) -> None:
    drawn, target = maps
    states = {name: drawn.regions[name] for name in ("AA", "AG", "BC", "CE", "DA", "DG")}
    other = drawn.template("other").to_json()
    (folder / "templates.json").write_text(json.dumps({"templates": [other]}))
    page.goto(serve())
    page.locator("#place", has_text="beside 1 other template").wait_for()
    page.locator(".sheet img").evaluate("(picture) => picture.decode()")
    for name, box in states.items():
        draw(page, box, f"State {name}")
    draw(page, drawn.page["legend"], "The legend")
    draw(page, (5, 500, 40, 40), "note")
    page.keyboard.press("o")  # its anchor
    template = saved(page, folder)
    by_id = {one["id"]: one for one in template["regions"]}
    assert list(by_id) == [*(f"State {name}" for name in states), "The legend", "note"]
    for name, box in states.items():
        assert by_id[f"State {name}"]["bbox"] == pytest.approx(box, abs=1.5)
        assert by_id[f"State {name}"]["anchor"] == "map"
    assert (by_id["The legend"]["anchor"], by_id["note"]["anchor"]) == ("page", "none")
    assert "hull of the regions on the map" in page.locator("#mask-state").text_content()
    assert page.locator(".mask.hull").count() == 1

    # Move, resize, delete, undo; an equal id is refused.
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Alt+ArrowDown")
    moved = by_id["note"]["bbox"]
    page.keyboard.press("x")
    assert page.locator("#count").text_content() == "7 · 6 map, 1 page"
    page.keyboard.press("Control+z")
    page.get_by_label("Remove State BC (X)").click()  # of a line that is not selected
    assert page.locator("#count").text_content() == "7 · 5 map, 1 page, 1 none"
    page.keyboard.press("Control+z")
    page.locator("#evidence [name=label]").last.click()
    page.locator("#evidence .selected [name=id]").fill("State AA")
    page.keyboard.press("Enter")
    assert page.locator("#warning").text_content() == (
        "Another region has the id “State AA”; choose another."
    )
    page.locator("#evidence .selected [name=id]").fill("remark")
    page.keyboard.press("Enter")
    page.locator("#evidence [name=label]").first.click()
    page.locator("#evidence .selected [name=aliases]").fill("Aland, AL ,, Aland")
    page.keyboard.press("Enter")

    # A polygon around the map; one of its corners is dragged.
    page.keyboard.press("k")
    corners = [(100, 60), (860, 60), (860, 400), (830, 510), (100, 510)]
    for corner in corners:
        page.mouse.click(*at(page, *corner))
    page.mouse.click(*at(page, *corners[0]))
    assert page.locator("#mask-state").text_content().startswith("Click the corners")
    drag(page, corners[4], (60, 520))
    page.keyboard.press("k")
    assert page.locator("#mask-state").text_content() == "One polygon is drawn."
    before = saved(page, folder)
    (polygon,) = before["mask"]
    assert [number for point in polygon for number in point] == pytest.approx(
        [number for point in (*corners[:4], (60, 520)) for number in point], abs=1
    )
    changed = {one["id"]: one for one in before["regions"]}
    assert changed["State AA"]["aliases"] == ["Aland", "AL"]
    x, y, width, height = moved
    assert changed["remark"]["bbox"] == pytest.approx([x + 10, y, width, height + 1], abs=0.011)
    assert "note" not in changed

    # After a crash it is gone on with.
    page.goto(serve())
    page.locator("#evidence [name=label]").first.wait_for()
    assert page.locator(".box").count() == 8
    assert page.locator(".mask").count() == 1
    draw(page, drawn.page["title"], "title")
    after = saved(page, folder)
    assert after["regions"][:-1] == before["regions"]
    assert after["regions"][-1]["anchor"] == "page"
    assert after["mask"] == before["mask"]
    templates = json.loads((folder / "templates.json").read_text())["templates"]
    assert templates[0] == other

    # The file is what the transfer takes.
    done = subprocess.run(
        [
            *(sys.executable, "-m", "benchloom.scripts.main", "dragon", "transfer"),
            *("--source", "mapwise", "--images", str(folder / "maps"), "--jobs", "1"),
            *("--template", f"{folder / 'templates.json'}#land"),
            *("--out", str(folder / "regions.jsonl")),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in (folder / "regions.jsonl").read_text().splitlines()]
    line = next(one for one in lines if one["file_name"].endswith("map_2.png"))
    assert (line["status"], line["template_id"]) == ("placed", "land")
    placed = {one["id"]: one for one in line["regions"]}
    assert placed["State AA"]["aliases"] == ["Aland", "AL"]
    for name in states:
        assert iou(placed[f"State {name}"]["bbox"], target.regions[name]) > 0.9
    assert "remark" not in placed
