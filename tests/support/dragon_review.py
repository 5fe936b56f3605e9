"""A small working folder with drawn pictures, to be reviewed."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw

from benchloom.builders.dragon.item import ImageFile, Item
from benchloom.builders.dragon.regions import Region
from benchloom.builders.dragon.review_log import open_log
from benchloom.builders.dragon.work import Evidence, WorkItem, read_work, write_work

WIDTH, HEIGHT = 400, 300
REGIONS = (
    Region("bar-1", "bar of 2010", (40.0, 100.0, 60.0, 150.0)),
    Region("bar-2", "bar of 2011", (140.0, 60.0, 60.0, 190.0)),
    Region("legend", "legend", (300.0, 20.0, 80.5, 50.25), origin="scaled", needs_redraw=True),
    Region("title", "title", (20.0, 5.0, 200.0, 20.0)),
)
PROPOSED = (
    Evidence("p1", "answer", "bar of 2010", REGIONS[0].bbox, "native", "bar-1"),
    Evidence("p2", "support", "title", REGIONS[3].bbox, "native", "title"),
)
GUESS = Evidence("p3", "support", "legend", REGIONS[2].bbox, "scaled", "legend")


def write_review_work(folder: Path, count: int = 4) -> Path:
    """Writes a copy of ChartQA and a working folder `work` beside it, which is returned.

    Each item has a picture of its own and the proposals p1 and p2; the last one p3 as well, a guess
    that needs to be drawn anew.
    """
    copy = folder / "ChartQA"
    items: list[WorkItem] = []
    for number in range(1, count + 1):
        path = copy / "test" / "png" / f"chart{number}.png"
        draw_chart(path, number)
        item = Item(
            *(f"chartqa-test-q{number}", "chartqa", "test", f"q{number}"),
            *(f"What was grown in year {number}?", str(number), ("1", "2", "3")),
            image_file=ImageFile(path, "test", path.name, WIDTH, HEIGHT),
            regions=REGIONS,
        )
        items.append(WorkItem(item, (*PROPOSED, GUESS) if number == count else PROPOSED))
    work = folder / "work"
    write_work(work, items, {"chartqa": copy})
    assert all(one.item.path.is_file() for one in read_work(work).items)
    return work


def draw_chart(path: Path, number: int) -> None:
    """Draws two bars, a title and a legend where the regions are."""
    picture = Image.new("RGB", (WIDTH, HEIGHT), "white")
    pen = ImageDraw.Draw(picture)
    for region in REGIONS:
        x, y, width, height = region.bbox
        pen.rectangle((x, y, x + width - 1, y + height - 1), fill=(200, 210, 90 + 20 * number))
    path.parent.mkdir(parents=True, exist_ok=True)
    picture.save(path)


def drawn(name: str, *bbox: float, role: Any = "answer", label: str = "") -> Evidence:
    """Returns a box that somebody drew."""
    x, y, width, height = bbox
    return Evidence(name, role, label, (x, y, width, height), "drawn")


def decide(work: Path, annotator: str, item: str, *evidence: Evidence, **fields: Any) -> None:
    """Enters a decision; a review, if no other kind is given."""
    images = {one.id: one.item.image.sha256 for one in read_work(work).items}
    sha256 = fields.pop("image_sha256", images.get(item, ""))
    kind = fields.pop("kind", "review")
    with open_log(work, annotator) as writer:
        writer.append(item, sha256, kind, evidence, **fields)


def entries(work: Path, annotator: str, *kinds: str) -> list[dict[str, Any]]:
    """Returns the lines of a log that are of some kinds, or all."""
    text = (work / "reviews" / f"{annotator}.jsonl").read_text(encoding="utf-8")
    lines: Sequence[dict[str, Any]] = [json.loads(line) for line in text.splitlines()]
    return [line for line in lines if not kinds or line["kind"] in kinds]
