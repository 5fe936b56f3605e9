"""The contact sheet: whole, self-contained, safe to open, and usable in a browser."""

import base64
import re
from collections.abc import Iterator, Sequence
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from benchloom.builders.errors import InputError
from benchloom.builders.manifest import Config, Manifest, Split
from benchloom.builders.pipeline import build as build_directory
from benchloom.builders.recipe import Recipe
from benchloom.loaders.directory import Build
from benchloom.loaders.preview import render_preview, write_preview

LIMIT = 4
CONFIGS = ["hard_iso", "shortest_path"]
ADDRESSES = {
    "src",
    "href",
    "srcset",
    "action",
    "data",
    "poster",
    "formaction",
    "background",
    "style",
}
HOSTILE = (
    "</pre></p></dd></button></article><script>window.harmed = 1</script>"
    "<img src=x onerror='window.harmed = 1'>\"' autofocus onfocus=window.harmed=1 x=\"&lt;b>"
    "</script></style><!-- ]]> <a href=https://example.com>"
)
CHROMIUM_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


class Page(HTMLParser):
    """What a page consists of: its tags with their attributes, and its texts by tag."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.texts: list[tuple[str, str]] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in ("meta", "link", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.texts.append((self.open[-1], data))

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")

    def values(self, tag: str, name: str) -> list[str]:
        return [
            attributes[name]
            for found, attributes in self.tags
            if found == tag and name in attributes
        ]

    def said(self, tag: str) -> list[str]:
        return [text for found, text in self.texts if found == tag]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Build:
    folder = tmp_path_factory.mktemp("preview") / "vga"
    build_directory(Recipe.of("vga", limit=LIMIT), folder, CONFIGS, jobs=1, quiet=True)
    return Build(folder)


def describe_build(
    records: Sequence[dict[str, Any]],
    *,
    config: str = "plain",
    split: str = "test",
    title: str = "A benchmark",
    version: str = "0.0.0",
    labels: dict[str, int] | None = None,
) -> Any:
    """Returns what a page needs of a build whose records are texts or pictures of any kind."""

    def preview(record: dict[str, Any], _: str) -> dict[str, Any]:
        return {key: record.get(key) for key in ("image", "text", "caption", "facts")}

    def read(_: str, __: str, indices: Sequence[int]) -> Iterator[tuple[int, dict[str, Any]]]:
        return ((index, records[index]) for index in indices)

    holds = Split(len(records), labels or {}, "0" * 32, ())
    recipe = Recipe("vga", 1, options={"style": {"node": title}})
    return SimpleNamespace(
        manifest=Manifest(
            recipe, version, {config: Config("", {"numpy": version}, {split: holds})}
        ),
        benchmark=SimpleNamespace(
            title=title,
            configs=(config,),
            preview=preview,
            preview_places=lambda rows, count: range(min(rows, count)),
            outline=lambda _, __: (len(records), "", title),
        ),
        records=read,
    )


def test_every_split_is_shown_with_its_first_records(built: Build) -> None:
    text, shown = render_preview(built, 3)
    page = Page(text)
    assert page.said("h1") == ["Visual Graph Arena"]
    assert page.said("h2") == CONFIGS
    assert page.said("h3") == [split for _, split in built.splits()]
    ids = [record["id"] for of in built.splits() for _, record in built.records(*of, range(3))]
    assert [name for name in page.said("span") if name in ids] == ids
    assert shown == len(ids) == 3 * 6
    assert page.values("img", "alt")[:shown] == [f"Picture of {name}" for name in ids]


def test_pictures_are_those_of_the_records(built: Build) -> None:
    page = Page(render_preview(built, LIMIT)[0])
    shown = [base64.b64decode(address.partition(",")[2]) for address in page.values("img", "src")]
    assert shown == [
        record["image"]["bytes"] for of in built.splits() for _, record in built.records(*of)
    ]
    assert all(
        address.startswith("data:image/png;base64,") for address in page.values("img", "src")
    )


def test_answers_and_captions_stand_beside_the_pictures(built: Build) -> None:
    page = Page(render_preview(built, LIMIT)[0])
    records = [record for of in built.splits() for _, record in built.records(*of)]
    assert page.values("article", "data-answer") == [record["answer"] for record in records]
    captions = " ".join(page.said("p"))
    for record in records:
        assert record.get("graph6", record.get("graph6_left")) in captions


def test_filter_offers_the_answers_in_the_order_of_the_labels(built: Build) -> None:
    page = Page(render_preview(built, LIMIT)[0])
    assert page.values("button", "data-answer") == ["no", "yes", "1", "2", "3", "4"]


def test_question_is_said_once_for_a_config(built: Build) -> None:
    said = Page(render_preview(built, LIMIT)[0]).said("p")
    for config in CONFIGS:
        (_, record) = next(iter(built.records(config, "test", [0])))
        assert said.count(record["question"]) == 1


def test_command_names_the_configs_that_are_there(built: Build) -> None:
    (command,) = Page(render_preview(built, 1)[0]).said("code")
    assert command == "benchloom build vga hard_iso shortest_path --limit 4 --out DIRECTORY"


def test_versions_and_totals_are_stated(built: Build) -> None:
    page = Page(render_preview(built, 1)[0])
    facts = dict(zip(page.said("dt"), page.said("dd"), strict=True))
    assert facts["records"] == str(LIMIT * 6)
    assert (facts["configs"], facts["splits"], facts["limit"]) == ("2", "6", str(LIMIT))
    made = " ".join(page.said("p"))
    for name, version in built.manifest.configs["hard_iso"].packages.items():
        assert f"{name} {version}" in made


def test_page_refers_to_nothing_but_itself(built: Build) -> None:
    text, _ = render_preview(built, LIMIT)
    page = Page(text)
    targets = {f"#{name}" for _, attributes in page.tags if (name := attributes.get("id"))}
    found = [
        (tag, name, value)
        for tag, attributes in page.tags
        for name, value in attributes.items()
        if name in ADDRESSES
    ]
    assert found
    for tag, name, value in found:
        assert value.startswith("data:") or value in targets, (tag, name, value[:80])
    assert {tag for tag, _ in page.tags}.isdisjoint({"iframe", "object", "embed", "base"})
    without_pictures = re.sub(r"base64,[A-Za-z0-9+/=]*", "", text)
    assert not re.search(r"https?:|[\"'(=]//|@import|url\(", without_pictures)


def test_page_depends_on_the_build_alone(built: Build) -> None:
    assert render_preview(built, LIMIT) == render_preview(Build(built.directory), LIMIT)


def test_more_records_than_there_are_shows_all(built: Build) -> None:
    assert render_preview(built, 1000) == (
        render_preview(built, LIMIT)[0].replace("sheet: 4", "sheet: 1,000"),
        24,
    )


def describe_texts(value: str, second_question: str) -> Any:
    """Returns a build in which every text that a page shows is `value`."""
    record = {
        "id": value,
        "question": value,
        "answer": value,
        "text": value,
        "caption": value,
        "facts": {value: value, "list": [value, value]},
        "image": value.encode(),
    }
    other = {**record, "question": second_question, "answer": "another", "image": None}
    return describe_build(
        [record, other],
        config=value,
        split=value,
        title=value,
        version=value,
        labels={value: 1, "another": 1},
    )


@pytest.mark.parametrize("shared", [True, False])
@pytest.mark.parametrize("text", [HOSTILE, "\"'><b x=&lt;></b>"])
def test_texts_cannot_become_markup(text: str, shared: bool) -> None:
    # Of the same length, because long answers have no button.
    plain = "x" * len(text)
    harmless, hostile = (
        Page(render_preview(describe_texts(shown, shown if shared else "another"), 2)[0])
        for shown in (plain, text)
    )
    assert [(tag, list(attributes)) for tag, attributes in hostile.tags] == [
        (tag, list(attributes)) for tag, attributes in harmless.tags
    ]
    for tag in ("h1", "h2", "h3", "p", "dt", "dd", "pre", "span", "button"):
        shown = [said.removeprefix("\n") for said in hostile.said(tag)]
        expected = [said.removeprefix("\n").replace(plain, text) for said in harmless.said(tag)]
        assert shown == expected
    assert hostile.values("article", "data-answer") == [text, "another"]


@pytest.mark.parametrize(
    ("answers", "offered"),
    [
        (["b", "a", "b"], ["a", "b"]),
        (["a", "a", "a"], []),
        (list("abcdef"), list("abcdef")),
        (list("abcdefg"), []),
        (["0, 4, 1, 3, 2, 5, 6, 7, 8", "0, 1"], []),
        ([4, 10, 4], ["10", "4"]),
    ],
)
def test_filter_offers_few_and_short_answers(answers: list[object], offered: list[str]) -> None:
    records = [{"id": str(i), "answer": answer} for i, answer in enumerate(answers)]
    page = Page(render_preview(describe_build(records), 20)[0])
    assert page.values("button", "data-answer") == offered
    assert page.values("article", "data-answer") == [str(answer) for answer in answers]


def test_texts_without_a_picture_keep_their_lines() -> None:
    query = "\n\n  0 1\n  1 2\n"
    page = Page(
        render_preview(describe_build([{"id": "a", "answer": [0, 1, 2], "text": query}]), 1)[0]
    )
    # A browser drops the line break that follows <pre>.
    assert page.said("pre") == ["\n" + query]
    assert page.values("img", "src") == []
    assert page.values("article", "data-answer") == ["0, 1, 2"]


def test_questions_that_differ_stand_with_their_records() -> None:
    records = [{"id": name, "question": f"Where is {name}?", "text": "x"} for name in "ab"]
    said = Page(render_preview(describe_build(records), 2)[0]).said("p")
    assert [text for text in said if text.startswith("Where")] == ["Where is a?", "Where is b?"]


@pytest.mark.parametrize(
    ("start", "kind"),
    [(b"\x89PNG\r\n", "png"), (b"\xff\xd8\xff\xe0", "jpeg"), (b"GIF89a", "gif"), (b"RIFF", "webp")],
)
def test_pictures_have_their_type(start: bytes, kind: str) -> None:
    (address,) = Page(render_preview(describe_build([{"id": "a", "image": start}]), 1)[0]).values(
        "img", "src"
    )
    assert address == f"data:image/{kind};base64,{base64.b64encode(start).decode()}"


def test_split_without_records_says_so() -> None:
    text, shown = render_preview(describe_build([]), 5)
    assert shown == 0
    assert '<p class="none">No records.</p>' in text


def test_half_of_a_surrogate_pair_is_written(tmp_path: Path) -> None:
    build = describe_build([{"id": "a", "text": "x"}], version="1\ud800")
    assert write_preview(build, tmp_path / "page.html", 1) == 1
    assert "numpy 1?" in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_page_is_written_and_replaced(built: Build, tmp_path: Path) -> None:
    page = tmp_path / "new" / "page.html"
    assert write_preview(built, page, 1) == 6
    first = page.read_text(encoding="utf-8")
    assert write_preview(built, page, 2) == 12
    assert page.read_text(encoding="utf-8") == render_preview(built, 2)[0] != first
    assert list(page.parent.iterdir()) == [page]


def test_other_files_are_never_replaced(built: Build) -> None:
    manifest = built.directory / "manifest.json"
    before = manifest.read_bytes()
    with pytest.raises(InputError, match=r"manifest\.json exists"):
        write_preview(built, manifest, 1)
    assert manifest.read_bytes() == before


@pytest.mark.parametrize("place", ["folder", "folder.html", "file/page.html", f"{'x' * 300}.html"])
def test_pages_that_cannot_be_written_are_named(built: Build, tmp_path: Path, place: str) -> None:
    for folder in ("folder", "folder.html"):
        (tmp_path / folder).mkdir()
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match=re.escape(place)):
        write_preview(built, tmp_path / place, 1)
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["file", "folder", "folder.html"]


@pytest.fixture(scope="module")
def browser(chromium: Path) -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_ARGUMENTS)
        yield running
        running.close()


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Iterator[Any]:
    """Opens a page from the disk; at the end, nothing else was asked for and nothing went wrong."""
    context = browser.new_context(viewport={"width": 1200, "height": 900})
    page = context.new_page()
    asked: list[str] = []
    faults: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: faults.append(message.text))
    page.on("pageerror", lambda error: faults.append(str(error)))

    def open_build(build: Any) -> Any:
        write_preview(build, tmp_path / "page.html", LIMIT)
        page.goto((tmp_path / "page.html").as_uri())
        return page

    yield open_build
    context.close()
    assert [address for address in asked if not address.startswith("data:")] == [
        (tmp_path / "page.html").as_uri()
    ]
    assert faults == []


def test_browser_shows_filters_hides_and_enlarges(opened: Any, built: Build) -> None:
    page = opened(built)
    widths = page.evaluate(
        """() => Promise.all([...document.querySelectorAll(".picture img")].map(
            (image) => image.decode().then(() => [image.naturalWidth, image.naturalHeight])))"""
    )
    assert widths == [[700, 700]] * (LIMIT * 6)

    iso, shortest = page.locator("#config-hard_iso"), page.locator("#config-shortest_path")
    iso.locator(".filters button", has_text="yes").click()
    answers = iso.locator(".card:visible").evaluate_all("cards => cards.map(c => c.dataset.answer)")
    assert answers == ["yes"] * LIMIT
    assert shortest.locator(".card:visible").count() == LIMIT * 4
    assert iso.locator(".filters [aria-pressed=true]").all_inner_texts() == ["yes"]

    # The arrows pass by what is filtered out.
    iso.locator(".picture:visible").first.click()
    viewer = page.locator(".viewer")
    names = iso.locator(".card:visible .id").all_inner_texts()
    assert viewer.locator(".id").inner_text() == f"{names[0]} (1 of {LIMIT + LIMIT * 4})"
    assert viewer.locator("img").evaluate("image => image.naturalWidth") == 700
    assert viewer.locator("img").bounding_box()["width"] > 600
    page.keyboard.press("ArrowRight")
    assert viewer.locator(".id").inner_text().startswith(f"{names[1]} (2 ")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    assert viewer.locator(".id").inner_text().startswith(f"{names[0]} (1 ")
    assert viewer.locator(".answer").inner_text() == "yes"
    page.keyboard.press("Escape")
    assert not viewer.is_visible()
    assert (
        page.evaluate("document.activeElement.querySelector('img').alt") == f"Picture of {names[0]}"
    )

    # Hidden answers: no filter that would give them away, none in sight, one at a time by a click.
    page.locator("#cover").click()
    assert page.locator(".card:visible").count() == LIMIT * 6
    assert page.locator(".filters button:enabled").count() == 0
    assert page.locator(":is(.answer, .caption, .facts):visible").count() == 0
    card = shortest.locator(".card").nth(1)
    card.locator(".said").click(position={"x": 20, "y": 40})
    assert page.locator(".answer:visible").count() == 1
    assert card.locator(".answer").is_visible()
    page.keyboard.press("Tab")
    shortest.locator(".card").nth(2).locator(".reveal").press("Enter")
    assert page.locator(".answer:visible").count() == 2
    shortest.locator(".picture").nth(3).click()
    assert viewer.locator(".answer:visible").count() == 0
    assert viewer.locator(".question").inner_text() == shortest.locator(".question").inner_text()
    viewer.locator("#uncover").click()
    expected = shortest.locator(".card").nth(3).get_attribute("data-answer")
    assert viewer.locator(".answer").inner_text() == expected
    viewer.locator("#close").click()
    assert page.locator(".answer:visible").count() == 3
    page.locator("#cover").click()
    assert page.locator(".card .answer:visible").count() == LIMIT * 6
    assert page.locator(".filters button:disabled").count() == 0


def test_browser_shows_texts_and_runs_none_of_them(opened: Any) -> None:
    hostile = describe_build(
        [
            {
                "id": HOSTILE,
                "question": HOSTILE,
                "answer": HOSTILE,
                "text": HOSTILE,
                "caption": HOSTILE,
            }
        ],
        config=HOSTILE,
        title=HOSTILE,
    )
    page = opened(hostile)
    page.locator(".enlarge").click()
    viewer = page.locator(".viewer")
    assert viewer.locator("pre").text_content() == HOSTILE
    assert viewer.locator(".answer").text_content() == HOSTILE
    assert not viewer.locator("img").is_visible()
    assert page.evaluate("window.harmed") is None
    assert page.locator("img[src=x], a:not([href^='#'])").count() == 0


def test_browser_fits_a_narrow_screen(opened: Any, built: Build) -> None:
    page = opened(built)
    page.set_viewport_size({"width": 340, "height": 700})
    assert page.evaluate("document.documentElement.scrollWidth") <= 340
    page.locator(".picture").first.click()
    box = page.locator(".viewer").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 340
    assert box["y"] + box["height"] <= 700
