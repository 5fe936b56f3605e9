"""The report on scores: whole, self-contained, safe to open, and readable in a browser."""

import base64
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from made_result import ESCAPES, MODELS, RECORDS, SCRIPT, make_result

from benchloom.builders.statistics import Share, Table
from benchloom.loaders.scores.best import best_cells
from benchloom.loaders.scores.printable import printable
from benchloom.loaders.scores.report import SAMPLE, render_report
from benchloom.loaders.scores.result import Result

CHROMIUM_ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync"]
EMPTY = ("meta", "link", "img", "wbr")


class Page(HTMLParser):
    """What a page consists of: its tags with their attributes, and its texts by tag."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.texts: list[tuple[str, str]] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.texts.append((self.open[-1], data))

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")

    def said(self, tag: str) -> list[str]:
        return [text for found, text in self.texts if found == tag]


@pytest.fixture(scope="module")
def result() -> Result:
    return make_result()


@pytest.fixture(scope="module")
def html(result: Result) -> str:
    return render_report(result)


def test_sections_stand_in_order_and_are_linked(html: str) -> None:
    page = Page(html)
    names = [
        *("Overview", "What the records can tell", "Remarks", "Tables", "Charts", "Pictures"),
        *("Sample of verdicts", "How the grader decides"),
    ]
    assert page.said("h2") == page.said("a") == names
    ids = {attributes["id"] for _, attributes in page.tags if "id" in attributes}
    links = [attributes["href"][1:] for tag, attributes in page.tags if tag == "a"]
    assert set(links) == ids


def test_what_is_not_there_has_no_section() -> None:
    bare = make_result(sentences=(), remarks=(), charts=(), exhibits=(), tables=())
    assert Page(render_report(bare)).said("h2") == ["Sample of verdicts", "How the grader decides"]
    empty = make_result(verdicts=bare.verdicts.slice(0, 0), models=(), tables=(), charts=())
    assert "Sample of verdicts" not in render_report(empty)


def test_head_says_what_was_scored_by_which_grader(html: str) -> None:
    page = Page(html)
    facts = dict(zip(page.said("dt"), page.said("dd"), strict=True))
    assert facts["data"] == "org/graphomni"
    assert facts["version"] == "1.0.0"
    assert facts["records"] == "60 of diameter, cycle"
    assert facts["grader"] == "lenient, version 1.0"
    assert "limit" not in facts
    assert page.said("h1") == ["GraphOmni"]


def test_every_table_stands_there_with_its_note(html: str, result: Result) -> None:
    page = Page(html)
    notes = " ".join(page.said("p"))
    for table in result.tables:
        assert table.title in page.said("h3")
        assert table.note in notes
    cells = page.said("td") + page.said("th") + page.said("strong")
    for table in result.tables:
        for row in table.texts():
            assert all(text in cells for text in row[-3:] if text)


def test_charts_and_pictures_are_in_the_page_and_described(html: str, result: Result) -> None:
    images = [attributes for tag, attributes in Page(html).tags if tag == "img"]
    # Heat maps are a picture each; the made-up chart of them has two.
    assert len(images) == len(result.charts) + 1 + len(result.exhibits)
    for image in images:
        start, _, data = image["src"].partition(",")
        assert start == "data:image/png;base64"
        assert base64.b64decode(data).startswith(b"\x89PNG")
    tasks, prompts, other, _, exhibit = (image["alt"] for image in images)
    page = Page(html)
    for chart in result.charts:
        assert chart.title in page.said("h3")
    maps = result.charts[1].panels[0]
    for panel, described in zip(maps, (prompts, other), strict=True):
        assert printable(panel.title, None) in page.said("figcaption")
        assert printable(panel.title) in described
    assert "Accuracy by task" in tasks
    assert "guessing: connectivity 50%, diameter 20%, hamiltonian_cycle 40%" in tasks
    assert "heat map" in prompts
    assert exhibit == result.exhibits[0].title


def test_verdicts_of_each_kind_are_shown_of_each_model(result: Result, html: str) -> None:
    page = Page(html)
    shown = [
        text
        for text in page.said("span")
        if text in ("correct", "incorrect", "unparseable", "missing")
    ]
    expected = [
        outcome
        for of in result.counts().values()
        for outcome, count in of.items()
        for _ in range(min(count, SAMPLE))
    ]
    assert shown == expected
    assert "[0, 4, 1]" in page.said("td")


def test_sample_is_spread_over_the_records(result: Result, html: str) -> None:
    of_first = re.findall(r"diameter-easy-(\d+)", html.split("<details", 2)[1])
    assert max(map(int, of_first)) > RECORDS * 2 / 3


@pytest.mark.parametrize(
    ("benchmark", "grader"),
    [
        ("graphomni", "strict"),
        ("graphomni", "lenient"),
        ("graphomni", "reference"),
        ("dragon", "strict"),
        ("dragon", "lenient"),
    ],
)
def test_page_says_how_the_grader_decides(benchmark: str, grader: str) -> None:
    result = make_result(benchmark=benchmark, grader=grader, charts=())
    said = " ".join(Page(render_report(result)).said("p"))
    assert ("boxes" in said.rpartition(f"The {grader} grader")[2]) == (benchmark == "dragon")
    assert f"The {grader} grader" in said


def test_page_refers_to_nothing_but_itself(html: str) -> None:
    page = Page(html)
    for _, attributes in page.tags:
        for name, value in attributes.items():
            if name in ("src", "href"):
                assert value.startswith(("data:", "#"))
            assert name != "style"
            assert not name.startswith("on")
    assert {tag for tag, _ in page.tags}.isdisjoint({"script", "iframe", "object", "base", "form"})
    without_pictures = re.sub(r"base64,[A-Za-z0-9+/=]*", "", html)
    assert not re.search(r"https?:|@import|url\(", without_pictures)


def test_page_depends_on_the_result_alone(html: str) -> None:
    assert render_report(make_result()) == html


def test_names_and_texts_cannot_become_markup(html: str) -> None:
    plain = make_result(models=(MODELS[0], "b" * 70, "c" * 5000))
    assert [tag for tag, _ in Page(html).tags].count("img") == 5
    tags, expected = (
        [(tag, sorted(attributes)) for tag, attributes in Page(page).tags]
        for page in (html, render_report(plain))
    )
    assert tags == expected
    assert printable(SCRIPT) in Page(html).said("li")


def test_control_characters_are_shown_and_long_names_cut(html: str) -> None:
    assert all(one.isprintable() or one == "\n" for one in html)
    assert "\\x1b[31mred\\u202egnirts\\x07" in html
    assert "x" * 400 not in html
    assert f"({len(ESCAPES):,} characters)" in html


def test_what_is_said_of_a_model_with_a_long_name_is_not_lost(result: Result, html: str) -> None:
    for sentence, said in zip(result.sentences, Page(html).said("li")[-4:], strict=False):
        assert sentence.rpartition(": ")[2] in said or "unknown" in said


def test_huge_claims_and_reasons_are_cut() -> None:
    huge = "<b>" * 300_000
    table = make_result().verdicts
    rows = [{**row, "why": huge, "extracted": f'"{huge}"'} for row in table.to_pylist()[:3]]
    page = render_report(make_result(verdicts=table.from_pylist(rows), charts=()))
    assert len(page) < 200_000
    assert "<b>" not in page


OVERVIEW = Table(
    "overview",
    "All",
    ("model", "accuracy", "unparseable", "chance"),
    [
        ("a", Share(0.5), Share(0.1), Share(0.2)),
        ("b", Share(0.7), Share(0.0), Share(0.3)),
        ("guessing", Share(0.9), None, None),
    ],
)


def test_best_of_the_models_is_marked_not_of_the_baselines() -> None:
    assert best_cells(OVERVIEW, ["a", "b"]) == {(1, 1), (1, 2)}
    assert best_cells(OVERVIEW, ["a"]) == set()


def test_best_is_found_for_each_group_and_shared_by_equals() -> None:
    rows = [
        (model, task, 50, Share(share))
        for task, shares in (("x", (0.1, 0.2, 0.2)), ("y", (0.5, 0.4, 0.3)), ("z", (0.5,) * 3))
        for model, share in zip("abc", shares, strict=True)
    ]
    table = Table("tasks", "", ("model", "task", "records", "accuracy"), rows)
    assert best_cells(table, "abc") == {(1, 3), (2, 3), (3, 3)}


def test_best_is_found_where_models_are_columns() -> None:
    rows = [("x", Share(0.1), Share(0.2)), ("y", None, Share(0.3)), ("z", Share(1), Share(0))]
    table = Table("tasks", "", ("task", "a", "b"), rows)
    assert best_cells(table, ["a", "b"]) == {(0, 2), (2, 1)}


def test_nothing_is_best_in_a_confusion() -> None:
    rows = [("a", "yes", Share(0.1)), ("b", "yes", Share(0.3))]
    assert best_cells(Table("confusion_x", "", ("model", "right", "no"), rows), "ab") == set()


@pytest.fixture(scope="module")
def browser(chromium: Path) -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_ARGUMENTS)
        yield running
        running.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_browser_shows_the_page_without_faults(
    browser: Any, html: str, tmp_path: Path, width: int, scheme: str
) -> None:
    path = tmp_path / "report.html"
    path.write_text(html, encoding="utf-8")
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page = context.new_page()
    asked: list[str] = []
    faults: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: faults.append(message.text))
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(path.as_uri())
    widths = page.evaluate(
        """() => Promise.all([...document.images].map(
            (image) => image.decode().then(() => image.naturalWidth)))"""
    )
    assert len(widths) == 5
    assert min(widths) > 300
    # The page is as wide as the screen; what is wider is scrolled in a box of its own.
    assert page.evaluate("document.documentElement.scrollWidth") == width
    inside = page.evaluate(
        """() => [...document.querySelectorAll("main *")].filter((element) =>
            !element.closest(".scroll") && element.getBoundingClientRect().right > innerWidth + 1
        ).map((element) => element.outerHTML.slice(0, 200))"""
    )
    assert inside == []
    if width == 390:
        boxes = page.locator(".table .scroll")
        assert boxes.first.evaluate("box => box.scrollWidth > box.clientWidth")
    colours = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (colours == "rgb(20, 23, 27)") == (scheme == "dark")
    assert page.evaluate("window.harmed") is None
    context.close()
    assert [address for address in asked if not address.startswith("data:")] == [path.as_uri()]
    assert faults == []


@pytest.mark.parametrize("rows", [40, 41])
def test_a_long_table_says_that_it_is_scrolled(rows: int) -> None:
    table = Table("long", "Long", ("a", "b", "c", "d"), [(str(k), 1, 2, 3) for k in range(rows)])
    page = Page(render_report(make_result(tables=(table,), charts=(), exhibits=())))
    boxes = [
        attributes["class"]
        for _, attributes in page.tags
        if "scroll" in attributes.get("class", "")
    ]
    assert ("scroll tall" in boxes) == (rows == 41)
    assert ("41 rows: scroll in the box" in page.said("p")) == (rows == 41)
    assert "4 columns: scroll sideways" in page.said("p")


def test_first_column_stays_and_whole_tables_are_not_cut_on_a_phone(
    browser: Any, tmp_path: Path
) -> None:
    head = ("model", *(f"column {k}" for k in range(12)))
    tables = [
        Table(name, name, head, [(f"model {k}", *range(12)) for k in range(rows)])
        for name, rows in (("short", 40), ("long", 200))
    ]
    path = tmp_path / "report.html"
    path.write_text(render_report(make_result(tables=tables, charts=(), exhibits=())), "utf-8")
    page = browser.new_page(viewport={"width": 390, "height": 800})
    page.goto(path.as_uri())
    short, long = (page.locator(".table .scroll").nth(k) for k in (0, 1))
    assert short.evaluate("box => box.scrollHeight <= box.clientHeight + 1")
    assert long.evaluate("box => box.scrollHeight > 2 * box.clientHeight")
    place = "box => box.querySelector('tbody th').getBoundingClientRect().left"
    before = short.evaluate(place)
    short.evaluate("box => box.scrollLeft = 400")
    assert short.evaluate(place) == before
    assert page.locator(".cue.narrow").first.is_visible()
    page.set_viewport_size({"width": 1280, "height": 800})
    assert not page.locator(".cue.narrow").first.is_visible()
    page.close()
