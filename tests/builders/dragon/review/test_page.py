"""The page in a real browser, with the server in a process of its own that can be killed."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from dragon_review import (
    GUESS,
    HEIGHT,
    PROPOSED,
    WIDTH,
    decide,
    drawn,
    entries,
    write_review_work,
)
from PIL import Image

from benchloom.builders.dragon.regions import Region
from benchloom.builders.dragon.resolution import resolve
from benchloom.builders.dragon.work import read_work, write_work

CHROMIUM_ARGUMENTS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]
Q = [f"chartqa-test-q{number}" for number in range(5)]
PATIENCE = 10_000


@pytest.fixture
def work(tmp_path: Path) -> Path:
    return write_review_work(tmp_path)


class Server:
    """`benchloom dragon review` in a process of its own."""

    def __init__(self, work: Path, *options: str, port: int = 0) -> None:
        command = [sys.executable, "-m", "benchloom.scripts.main", "dragon", "review", str(work)]
        self.process = subprocess.Popen(
            [*command, "--port", str(port), *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        self.said = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", self.process.stdout.readline())
        assert found, self.process.communicate()
        self.url, self.port = found[0], int(found[1])

    def kill(self) -> str:
        """Kills it as a crash would; returns what it wrote to stderr."""
        self.process.send_signal(signal.SIGKILL)
        return self.process.communicate()[1]


@pytest.fixture
def serve(work: Path) -> Iterator[Callable[..., Server]]:
    running: list[Server] = []

    def start(*options: str, port: int = 0) -> Server:
        server = Server(work, *(options or ("--annotator", "anna")), port=port)
        running.append(server)
        return server

    yield start
    for server in running:
        server.kill()


@pytest.fixture(scope="module")
def browser(chromium: Path) -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_ARGUMENTS)
        yield running
        running.close()


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """A page that asks nobody but the server, and on which nothing goes wrong."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    opened = context.new_page()
    opened.set_default_timeout(PATIENCE)
    asked: list[str] = []
    faults: list[str] = []
    opened.on("request", lambda request: asked.append(request.url))
    opened.on("pageerror", lambda error: faults.append(str(error)))
    opened.on("console", lambda message: faults.append(message.text))
    yield opened
    context.close()
    assert asked
    assert [url for url in asked if not re.match(r"http://127\.0\.0\.1:|data:", url)] == []
    # That the server was killed is no fault of the page, nor that it refused an older revision.
    known = re.compile("ERR_CONNECTION|status of 409")
    assert [one for one in faults if not known.search(one)] == []


def show(page: Any, item: str) -> None:
    wait(page, "#item-id", item)
    page.locator(".sheet img").first.evaluate("(picture) => picture.decode()")


def wait(page: Any, selector: str, text: str | re.Pattern[str]) -> None:
    from playwright.sync_api import expect

    expect(page.locator(selector)).to_have_text(text, timeout=PATIENCE)


def shape(page: Any, name: str, pane: int = 0) -> Any:
    return page.locator(".stage").nth(pane).locator(f"[data-id={name}] .shape")


def evidence_on(page: Any, pane: int = 0) -> dict[str, list[float]]:
    """Returns the boxes on the page by id, in pixels of the picture."""
    found: dict[str, list[float]] = (
        page.locator(".stage")
        .nth(pane)
        .evaluate(
            """(stage) => Object.fromEntries([...stage.querySelectorAll("[data-id]")].map((box) => [
            box.dataset.id, ["x", "y", "width", "height"].map(
                (name) => Number(box.querySelector(".shape").getAttribute(name)))]))"""
        )
    )
    return found


def at(page: Any, x: float, y: float) -> tuple[float, float]:
    """Returns where a point of the picture is on the screen."""
    frame = page.locator(".sheet").first.bounding_box()
    return frame["x"] + x * frame["width"] / WIDTH, frame["y"] + y * frame["height"] / HEIGHT


def drag(page: Any, start: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(*at(page, *start))
    page.mouse.down()
    page.mouse.move(*at(page, *end), steps=4)
    page.mouse.up()


def wait_saved(page: Any) -> None:
    wait(page, "#saved", re.compile("^Saved "))


def last(work: Path, annotator: str, kind: str, item: str) -> dict[str, Any]:
    return [one for one in entries(work, annotator, kind) if one["item"] == item][-1]


def test_review_of_four_items_with_a_crash_in_between(
    work: Path, serve: Callable[..., Server], page: Any
) -> None:
    server = serve()
    assert server.said == "0 of 4 items are done\n"
    page.goto(server.url)
    show(page, Q[1])
    assert page.locator("#question").text_content() == "What was grown in year 1?"
    assert page.locator("#answer").text_content() == "1"
    assert page.locator("#choices li").all_text_contents() == ["1", "2", "3"]
    assert page.locator("#choices .right").all_text_contents() == ["1"]
    green, red = (
        shape(page, name).evaluate("(box) => getComputedStyle(box).stroke") for name in ("p1", "p2")
    )
    assert (green, red) == ("rgb(21, 128, 61)", "rgb(209, 36, 47)")

    # Accept what is proposed: one key.
    page.keyboard.press("Enter")
    show(page, Q[2])
    accepted = last(work, "anna", "review", Q[1])
    assert accepted["evidence"] == [one.to_json() for one in PROPOSED]
    assert page.locator("#done").text_content() == "1 of 4 done"

    # Move by mouse, resize by a handle, delete, draw, label, add a region, role, flag, note.
    drag(page, (70, 200), (90, 210))
    moved = evidence_on(page)["p1"]
    assert moved == pytest.approx([60, 110, 60, 150], abs=1)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowUp")
    nudged = evidence_on(page)["p1"]
    assert nudged == pytest.approx([moved[0] + 1, moved[1] - 10, 60, 150], abs=0.011)
    handle = page.locator("[data-handle=se]").bounding_box()
    page.mouse.move(handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2)
    page.mouse.down()
    page.mouse.move(*at(page, 135, 260), steps=3)
    page.mouse.up()
    resized = evidence_on(page)["p1"]
    assert resized[:2] == nudged[:2]
    assert [resized[0] + resized[2], resized[1] + resized[3]] == pytest.approx([135, 260], abs=1)
    page.keyboard.press("s")
    shape(page, "p2").click(position={"x": 5, "y": 5})
    page.keyboard.press("x")
    assert list(evidence_on(page)) == ["p1"]
    drag(page, (240, 120), (280, 160))
    assert evidence_on(page)["d1"] == pytest.approx([240, 120, 40, 40], abs=1)
    page.keyboard.type("new, 1")  # the label's field has the focus
    page.keyboard.press("Enter")
    page.keyboard.press("a")
    page.locator("[data-region=bar-2]").click(position={"x": 20, "y": 20})
    page.keyboard.press("f")
    page.keyboard.press("c")
    page.keyboard.type("a note")
    page.wait_for_timeout(600)  # it is kept while it is typed
    before = evidence_on(page)
    assert set(before) == {"p1", "d1", "d2"}

    # The server is killed in the middle of a line.
    server.kill()
    log = work / "reviews" / "anna.jsonl"
    assert [one for one in entries(work, "anna", "review") if one["item"] == Q[2]] == []
    with log.open("ab") as file:
        file.write(b'{"item": "chartqa-test-q2", "image_sha')
    server = serve("--annotator", "anna", port=server.port)
    assert server.said == "1 of 4 items are done\n"
    page.reload()
    show(page, Q[2])
    assert evidence_on(page) == before
    assert page.locator("#note").input_value() == "a note"
    assert page.locator("#ambiguous").is_checked()
    page.keyboard.press("Enter")
    show(page, Q[3])
    review = last(work, "anna", "review", Q[2])
    by_id = {one["id"]: one for one in review["evidence"]}
    assert {name: one["bbox"] for name, one in by_id.items()} == before
    assert {name: (one["role"], one["label"], one["origin"]) for name, one in by_id.items()} == {
        "p1": ("support", "bar of 2010", "drawn"),
        "d1": ("answer", "new, 1", "drawn"),
        "d2": ("answer", "bar of 2011", "native"),
    }
    assert by_id["d2"]["region"] == "bar-2"
    assert (review["ambiguous"], review["note"]) == (True, "a note")
    assert "chartqa-test-q2" in (work / "reviews" / "anna.torn").read_text()

    # Previous and next, and the next one that is not done.
    page.keyboard.press("p")
    show(page, Q[2])
    assert evidence_on(page) == before
    assert page.locator("#state").text_content().startswith("Accepted on")
    page.locator("#previous").click()
    show(page, Q[1])
    page.keyboard.press("u")
    show(page, Q[3])
    page.keyboard.press("n")
    show(page, Q[4])

    # A guess is marked, and is not accepted by mistake.
    assert page.locator(".box.guess text").text_content() == "p3 legend – guess, redraw"
    page.keyboard.press("Enter")
    assert "not redrawn" in page.locator("#warning").text_content()
    drag(page, (340, 45), (330, 55))
    page.locator(".box.guess").wait_for(state="detached")
    page.keyboard.press("Enter")
    show(page, Q[3])
    redrawn = last(work, "anna", "review", Q[4])["evidence"][2]
    assert redrawn["origin"] == "drawn"
    assert redrawn["id"] == GUESS.id
    page.keyboard.press("Enter")
    wait(page, "#warning", "All items are done.")
    assert page.locator("#done").text_content() == "4 of 4 done"
    assert "the last line" in server.kill()


def test_nothing_is_lost_while_the_server_is_away(
    work: Path, serve: Callable[..., Server], page: Any
) -> None:
    server = serve()
    page.goto(server.url)
    show(page, Q[1])
    server.kill()
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")  # is kept a moment later
    page.locator("#banner").wait_for(state="visible")
    assert "does not answer" in page.locator("#banner").text_content()
    page.keyboard.press("Enter")
    server = serve("--annotator", "anna", port=server.port)
    show(page, Q[2])
    page.locator("#banner").wait_for(state="hidden")
    kinds = [one["kind"] for one in entries(work, "anna")]
    assert set(kinds[:-1]) <= {"review-draft"}
    assert kinds[-1] == "review"
    assert last(work, "anna", "review", Q[1])["evidence"][0]["bbox"] == [40, 102, 60, 150]


def test_undo_redo_reset_and_fields(work: Path, serve: Callable[..., Server], page: Any) -> None:
    page.goto(serve().url)
    show(page, Q[1])
    start = evidence_on(page)
    page.keyboard.press("Tab")
    page.keyboard.press("Delete")
    page.keyboard.press("Delete")
    assert evidence_on(page) == {}
    page.keyboard.press("Enter")
    assert "No box is left" in page.locator("#warning").text_content()
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    assert evidence_on(page) == start
    page.keyboard.press("Control+y")
    assert list(evidence_on(page)) == ["p2"]
    # A region that was proposed comes back as that proposal.
    page.locator("#regions-part summary").click()
    page.locator("#filter").fill("2010")
    page.keyboard.press("Enter")
    assert evidence_on(page) == start
    # What is pressed after a label was changed is pressed.
    page.get_by_label("Label of p1").fill("other")
    page.get_by_label("Remove p2 (X)").click()
    assert list(evidence_on(page)) == ["p1"]
    page.locator("#reset").click()
    page.keyboard.press("Enter")
    show(page, Q[2])
    assert last(work, "anna", "review", Q[1])["evidence"] == [one.to_json() for one in PROPOSED]
    # A label with the words of keys is a label.
    page.get_by_label("Label of p1").fill("")
    page.get_by_label("Label of p1").type("xnpufd 12")
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    show(page, Q[3])
    assert last(work, "anna", "review", Q[2])["evidence"][0]["label"] == "xnpufd 12"
    page.locator("#number").fill("1")
    page.keyboard.press("Enter")
    show(page, Q[1])


def test_zoomed_picture_gives_the_same_coordinates(
    work: Path, serve: Callable[..., Server], page: Any
) -> None:
    page.goto(serve().url)
    show(page, Q[1])
    for _ in range(6):
        page.keyboard.press("+")
    page.locator(".stage").evaluate("(stage) => stage.scrollTo(0, 0)")
    drag(page, (5, 30), (30, 60))
    assert evidence_on(page)["d1"] == pytest.approx([5, 30, 25, 30], abs=0.5)
    # In a low window the button to accept is still there, and the page itself does not scroll.
    page.set_viewport_size({"width": 1000, "height": 420})
    button = page.locator("#accept").bounding_box()
    assert 0 < button["y"] < 420 - button["height"]
    assert page.evaluate("document.scrollingElement.scrollHeight") <= 420
    page.set_viewport_size({"width": 1280, "height": 800})
    # Beyond the edge is the edge.
    page.keyboard.press("Escape")
    page.keyboard.press("0")
    page.keyboard.press("Escape")
    drag(page, (380, 280), (500, 290))
    x, _, width, _ = evidence_on(page)["d2"]
    assert x + width == pytest.approx(WIDTH, abs=0.011)


def test_arbiter_takes_a_side_and_a_box_of_the_other(
    work: Path, serve: Callable[..., Server], page: Any
) -> None:
    p1, p2 = PROPOSED
    extra = drawn("d1", 250, 100, 40, 40, label="by bob")
    for item in Q[1:4]:
        decide(work, "anna", item, p1, p2)
        decide(work, "bob", item, p1, *([] if item == Q[2] else [extra]), note="bob's note")
        if item == Q[2]:
            decide(work, "bob", item, p1, p2)
    server = serve("--annotator", "zoe", "--arbitrate")
    assert server.said == "0 of 2 items are done\n", "where they agree there is nothing to do"
    page.goto(server.url)
    show(page, Q[1])
    assert [list(evidence_on(page, pane)) for pane in (0, 1)] == [["p1", "p2"], ["p1", "d1"]]
    assert page.locator(".box.differs").evaluate_all("(all) => all.map((b) => b.dataset.id)") == [
        "p2",
        "d1",
    ]
    assert "bob's note" in page.locator(".head").nth(1).text_content()
    page.keyboard.press("Enter")
    assert "Take a side first" in page.locator("#warning").text_content()
    page.keyboard.press("1")
    shape(page, "d1", pane=1).dblclick()
    assert set(evidence_on(page)) == {"p1", "p2", "d1"}
    page.wait_for_timeout(100)
    wait_saved(page)
    server.kill()
    page.goto(serve("--annotator", "zoe", "--arbitrate", port=server.port).url)
    show(page, Q[1])
    assert set(evidence_on(page)) == {"p1", "p2", "d1"}, "the draft is there again"
    page.keyboard.press("Enter")
    show(page, Q[3])
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    wait(page, "#done", "2 of 2 done")
    first = last(work, "zoe", "arbitration", Q[1])
    assert [one["id"] for one in first["evidence"]] == ["p1", "p2", "d1"]
    second = last(work, "zoe", "arbitration", Q[3])
    assert second["evidence"] == [p1.to_json(), extra.to_json()]


def test_second_pass_by_keys(work: Path, serve: Callable[..., Server], page: Any) -> None:
    for item in Q[1:4]:
        for annotator in ("anna", "bob"):
            decide(work, annotator, item, *PROPOSED, drawn("d1", 250, 100, 40, 40))
    page.goto(serve("--annotator", "anna", "--marks").url)
    for number, key in ((1, "1"), (2, "2"), (3, "3")):
        show(page, Q[number])
        assert set(evidence_on(page)) == {"p1", "p2"}
        page.keyboard.press("Enter")
        assert page.locator("#warning").text_content() == "Mark both: CVR and CEA."
        page.keyboard.press(key)
        page.keyboard.press("Enter")
    wait(page, "#done", "3 of 3 done · 1 wait for two reviews")
    marks = [last(work, "anna", "marks", item)["marks"] for item in Q[1:4]]
    assert marks == [
        {"cvr": True, "cea": True},
        {"cvr": False, "cea": True},
        {"cvr": False, "cea": False},
    ]


def test_picture_is_shown_as_it_is_stored(
    work: Path, serve: Callable[..., Server], page: Any, tmp_path: Path
) -> None:
    """An orientation noted in the file would turn the picture under its boxes."""
    path = work.parent / "ChartQA" / "test" / "png" / "chart1.png"
    picture = Image.new("RGB", (WIDTH, HEIGHT), "blue")
    picture.paste("red", (0, 0, WIDTH // 2, HEIGHT))
    exif = Image.Exif()
    exif[274] = 6  # a quarter turn
    picture.save(path, "JPEG", exif=exif, quality=95)
    before = read_work(work).items[0].item.image.sha256
    from benchloom.builders.files import sha256_of

    items = work / "items.jsonl"
    items.write_text(items.read_text().replace(before, sha256_of(path)))
    page.goto(serve().url)
    show(page, Q[1])
    page.keyboard.press("x")
    page.screenshot(path=tmp_path / "page.png")
    with Image.open(tmp_path / "page.png") as shot:
        for x, colour in ((30, "red"), (370, "blue")):
            point = tuple(int(part) for part in at(page, x, 280))
            red, _, blue = shot.convert("RGB").getpixel(point)
            assert (red > 200, blue > 200) == (colour == "red", colour == "blue")


def test_missing_picture_stops_nothing_else(
    work: Path, serve: Callable[..., Server], page: Any
) -> None:
    (work.parent / "ChartQA" / "test" / "png" / "chart1.png").unlink()
    page.goto(serve().url)
    page.locator("#fault").wait_for(state="visible")
    assert "is missing" in page.locator("#fault").text_content()
    assert page.locator("#accept").is_disabled()
    page.keyboard.press("Enter")
    page.keyboard.press("n")
    show(page, Q[2])
    page.keyboard.down("Enter")
    show(page, Q[3])
    page.keyboard.down("Enter")  # a key that is held down accepts nothing more
    page.keyboard.up("Enter")
    page.keyboard.press("n")
    show(page, Q[4])
    assert [one["item"] for one in entries(work, "anna", "review")] == [Q[2]]


def test_ctrl_c_ends_it_well(work: Path, serve: Callable[..., Server]) -> None:
    server = serve()
    os.kill(server.process.pid, signal.SIGINT)
    said, faults = server.process.communicate(timeout=20)
    assert server.process.returncode == 0
    assert said.strip() == "0 of 4 items are done"
    assert faults == ""


def test_change_after_accepting_counts_as_open_until_it_is_undone_or_accepted(
    serve: Callable[..., Server], page: Any
) -> None:
    page.goto(serve("--annotator", "anna").url)
    show(page, Q[1])
    page.keyboard.press("Enter")
    show(page, Q[2])
    page.keyboard.press("p")
    show(page, Q[1])
    assert page.locator("#done").text_content() == "1 of 4 done"
    page.keyboard.press("f")
    wait(page, "#done", "0 of 4 done")
    assert "Changed since you accepted it" in page.locator("#state").text_content()
    page.keyboard.press("Control+z")
    wait(page, "#done", "1 of 4 done")
    page.keyboard.press("f")
    wait(page, "#done", "0 of 4 done")
    page.keyboard.press("Enter")
    show(page, Q[2])
    assert page.locator("#done").text_content() == "1 of 4 done"


def test_arbiter_is_told_what_they_cannot_decide_and_what_is_open_again(
    work: Path, serve: Callable[..., Server], page: Any
) -> None:
    p1, p2 = PROPOSED
    for item in Q[1:3]:
        decide(work, "anna", item, p1)
        decide(work, "bob", item, p2)
    decide(work, "zoe", Q[1], p1, kind="arbitration")
    decide(work, "bob", Q[1], p1, p2)
    decide(work, "zoe", Q[2], p1, p2)
    server = serve("--annotator", "zoe", "--arbitrate")
    assert server.said == "0 of 2 items are done\n"
    page.goto(server.url)
    show(page, Q[1])
    assert "decide again" in page.locator("#state").text_content()
    page.keyboard.press("Enter")
    wait(page, "#item-id", Q[2])
    assert "is by zoe, who reviewed the item" in page.locator("#fault").text_content()
    assert page.locator("#accept").is_disabled()
    assert page.locator("#done").text_content() == "1 of 2 done"


def second_window(page: Any, url: str, item: str) -> Any:
    """Returns another tab of the same browser on the same session."""
    other = page.context.new_page()
    other.set_default_timeout(PATIENCE)
    other.goto(url)
    show(other, item)
    return other


def test_second_window_does_not_win_silently(
    work: Path, serve: Callable[..., Server], page: Any
) -> None:
    url = serve("--annotator", "anna").url
    page.goto(url)
    show(page, Q[1])
    other = second_window(page, url, Q[1])
    other.keyboard.press("Tab")
    other.keyboard.press("x")
    wait_saved(other)
    other.keyboard.press("Enter")
    show(other, Q[2])
    theirs = last(work, "anna", "review", Q[1])

    # The first window still shows what was before; what is done there is refused, and stays.
    page.keyboard.press("f")
    page.locator("#conflict").wait_for(state="visible")
    assert "changed in another window" in page.locator("#conflict").text_content()
    page.keyboard.press("c")
    page.keyboard.type("mine")
    page.keyboard.press("Escape")
    page.keyboard.press("n")
    page.keyboard.press("Enter")
    wait(page, "#warning", "Choose above first: reload, or keep yours.")
    assert page.locator("#item-id").text_content() == Q[1]
    assert page.locator("#note").input_value() == "mine"
    assert entries(work, "anna")[-1] == theirs
    asked: list[str] = []

    def stay(dialog: Any) -> None:
        asked.append(dialog.type)
        dialog.dismiss()

    page.once("dialog", stay)
    page.close(run_before_unload=True)
    page.wait_for_timeout(300)
    assert asked == ["beforeunload"], "the browser asks before the page goes"
    assert page.locator("#note").input_value() == "mine"

    # Mine, over theirs: everything of it is there, to be accepted.
    page.locator("#keep-mine").click()
    page.locator("#conflict").wait_for(state="hidden")
    wait_saved(page)
    page.keyboard.press("Enter")
    show(page, Q[2])
    review = last(work, "anna", "review", Q[1])
    assert [one["id"] for one in review["evidence"]] == ["p1", "p2"]
    assert (review["note"], review["ambiguous"]) == ("mine", True)

    # Theirs: the page shows them, and what was here is dropped.
    other.keyboard.press("f")
    wait_saved(other)
    page.keyboard.press("Tab")
    page.keyboard.press("x")
    page.locator("#conflict").wait_for(state="visible")
    page.locator("#reload").click()
    page.locator("#conflict").wait_for(state="hidden")
    page.locator("#ambiguous:checked").wait_for()
    assert set(evidence_on(page)) == {"p1", "p2"}
    wait(page, "#saved", "")
    page.keyboard.press("Enter")
    show(page, Q[3])
    assert last(work, "anna", "review", Q[2])["ambiguous"] is True


def test_marks_of_a_second_window_are_not_overwritten(
    work: Path, serve: Callable[..., Server], page: Any
) -> None:
    for annotator in ("anna", "bob"):
        decide(work, annotator, Q[1], *PROPOSED)
        decide(work, annotator, Q[2], *PROPOSED)
    url = serve("--annotator", "anna", "--marks").url
    page.goto(url)
    show(page, Q[1])
    other = second_window(page, url, Q[1])
    other.keyboard.press("1")
    other.keyboard.press("Enter")
    show(other, Q[2])
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    page.locator("#conflict").wait_for(state="visible")
    assert last(work, "anna", "marks", Q[1])["marks"] == {"cvr": True, "cea": True}
    page.locator("#keep-mine").click()
    page.keyboard.press("Enter")
    show(page, Q[2])
    assert last(work, "anna", "marks", Q[1])["marks"] == {"cvr": False, "cea": False}


def test_progress_is_that_of_the_other_window_after_a_reload(
    work: Path, serve: Callable[..., Server], page: Any
) -> None:
    url = serve().url
    page.goto(url)
    show(page, Q[1])
    other = second_window(page, url, Q[1])
    for item in Q[2:4]:
        other.keyboard.press("Enter")
        show(other, item)
    page.keyboard.press("f")
    page.locator("#conflict").wait_for(state="visible")
    wait(page, "#done", "0 of 4 done")
    page.locator("#reload").click()
    wait(page, "#done", "2 of 4 done")
    wait(page, "#saved", "")
    wait(page, "#state", re.compile("Accepted on"))
    page.keyboard.press("u")
    show(page, Q[3])


def test_marks_that_are_not_accepted_are_kept(
    work: Path, serve: Callable[..., Server], page: Any
) -> None:
    for item in Q[1:3]:
        for annotator in ("anna", "bob"):
            decide(work, annotator, item, *PROPOSED)
    server = serve("--annotator", "anna", "--marks")
    page.goto(server.url)
    show(page, Q[1])
    page.keyboard.press("2")
    page.keyboard.press("n")
    show(page, Q[2])
    assert last(work, "anna", "marks-draft", Q[1])["marks"] == {"cvr": False, "cea": True}
    server.kill()
    page.goto(serve("--annotator", "anna", "--marks").url)
    show(page, Q[1])
    wait(page, "#state", "Not accepted yet; your changes are kept.")
    assert page.locator("[data-mark=cvr-false]").get_attribute("aria-pressed") == "true"
    assert page.locator("[data-mark=cea-true]").get_attribute("aria-pressed") == "true"
    wait(page, "#done", "0 of 2 done · 2 wait for two reviews")
    page.keyboard.press("Enter")
    show(page, Q[2])
    assert last(work, "anna", "marks", Q[1])["marks"] == {"cvr": False, "cea": True}
    # Half of a mark is told of once before it goes.
    page.locator("[data-mark=cvr-true]").click()
    page.keyboard.press("p")
    wait(page, "#warning", re.compile("Only one of CVR and CEA is marked"))
    assert page.locator("#item-id").text_content() == Q[2]
    page.keyboard.press("p")
    show(page, Q[1])
    assert entries(work, "anna", "marks-draft")[-1]["item"] == Q[1]


def test_no_key_is_lost_however_fast_they_come(tmp_path: Path, page: Any) -> None:
    many = write_review_work(tmp_path / "many", 40)
    server = Server(many, "--annotator", "anna")
    try:
        page.goto(server.url)
        show(page, Q[1])
        for key, count in (("n", 30), ("p", 12), ("n", 3)):
            page.evaluate(
                """([key, count]) => { for (let i = 0; i < count; i += 1) {
                document.body.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
                } }""",
                [key, count],
            )
        show(page, "chartqa-test-q22")
        for _ in range(10):
            page.keyboard.press("n")
        show(page, "chartqa-test-q32")
        assert entries(many, "anna") == []
        # A key that accepts waits for what it accepts to be seen.
        page.evaluate(
            """() => { for (const key of ["n", "Enter", "n"]) {
            document.body.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
            } }"""
        )
        show(page, "chartqa-test-q34")
        page.wait_for_load_state("networkidle")
        assert entries(many, "anna") == []
    finally:
        server.kill()


def test_lines_and_places_without_names_can_be_added(
    work: Path, serve: Callable[..., Server], page: Any
) -> None:
    """A line of a chart has no width; what a place of a counterfactual is called is not known."""
    items = read_work(work)
    line = Region("line", "a line", (200.0, 100.0, 0.0, 50.0))
    place = Region("place-7", "", (250.0, 100.0, 60.0, 50.0), "similarity", "map", 40, 0.9)
    changed = [
        replace(one, item=replace(one.item, regions=(*one.item.regions, line, place)))
        for one in items.items
    ]
    write_work(work, changed, items.folders)
    page.goto(serve().url)
    show(page, Q[1])
    page.locator("#regions-part").evaluate("(part) => { part.open = true; }")
    wait(page, "[data-add=place-7]", "? (place-7)")
    wait(page, "[data-add=legend]", "legend – guess")
    page.click("[data-add=line]")
    page.keyboard.press("Escape")
    page.click("[data-add=place-7]")
    page.keyboard.type("Ravia")
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    show(page, Q[2])
    boxes = {one["label"]: one["bbox"] for one in last(work, "anna", "review", Q[1])["evidence"]}
    assert boxes["a line"] == [198, 100, 4, 50]
    assert boxes["Ravia"] == list(place.bbox)
    assert resolve(read_work(work), work).set_aside == ()
