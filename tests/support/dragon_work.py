"""A working folder of DRAGON over drawn copies of all sources, its logs written by hand."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from dragon_fixtures import WRITERS

from benchloom.builders.dragon.preparation import prepare_items
from benchloom.builders.dragon.sources import source
from benchloom.builders.dragon.work import WorkItem, read_work, write_work

BOX = {"id": "d1", "role": "answer", "label": "here", "bbox": [10.0, 12.0, 30.5, 20.25]}
OTHER = {"id": "d2", "role": "support", "label": "there", "bbox": [50.0, 40.0, 20.0, 20.0]}


def write_copies(top: Path, names: Iterable[str] = tuple(WRITERS)) -> dict[str, Path]:
    """Writes a copy of each source into a folder of its name; returns the folders."""
    return {name: WRITERS[name](top / name) for name in names}


def propose_all(work: Path, copies: Mapping[str, Path]) -> list[WorkItem]:
    """Writes the items of the copies into a working folder, with proposals; returns them."""
    items = [
        item
        for name, folder in sorted(copies.items())
        for item in prepare_items(source(name).read(folder).items, {})
    ]
    write_work(work, items, copies)
    return items


def decide(
    work: Path,
    annotator: str,
    item: str,
    boxes: Iterable[Mapping[str, Any]] = (BOX,),
    *,
    time: str = "2026-01-01T00:00:00.000000+00:00",
    kind: str = "review",
    **changes: Any,
) -> None:
    """Adds an entry to an annotator's log, in the documented format."""
    (sha256,) = {one.item.image.sha256 for one in read_work(work).items if one.id == item}
    entry = {
        "item": item,
        "image_sha256": sha256,
        "annotator": annotator,
        "time": time,
        "kind": kind,
        "evidence": [{"origin": "drawn", "region": None, **box} for box in boxes],
        "ambiguous": False,
        "note": "",
        "marks": None,
        **changes,
    }
    log = work / "reviews" / f"{annotator}.jsonl"
    log.parent.mkdir(exist_ok=True)
    with log.open("a", encoding="utf-8") as file:
        file.write(json.dumps(entry) + "\n")


REVIEWED = ("ai2d", "chartqa", "infographics_vqa", "mapiq", "mapwise")
"""The sources of the folder that `write_reviewed` writes: all but Circuit-VQA."""
REASONS = (
    "consensus",
    "majority",
    "arbitrated",
    "one_reviewer",
    "disagreement",
    "ambiguous",
    "no_evidence",
)
"""What the reviews of the first questions of MapWise come to, one after the other."""


def write_reviewed(top: Path) -> Path:
    """Writes `copies` and a working folder, `work`, into a folder; returns the working folder.

    All questions of ChartQA are verified, of MapWise some, of the others none.
    """
    work = top / "work"
    items = propose_all(work, write_copies(top / "copies", REVIEWED))
    charts = [item.id for item in items if item.item.source == "chartqa"]
    maps = [item.id for item in items if item.item.source == "mapwise"]
    for name in (*charts, maps[0]):
        decide(work, "ada", name, [BOX, OTHER])
        decide(work, "bob", name, [BOX, OTHER], time=at(2))
    for annotator, box in (("ada", BOX), ("bob", OTHER), ("cleo", BOX)):
        decide(work, annotator, maps[1], [box], time=at(3))
    for name in maps[2:5]:
        decide(work, "ada", name, [BOX])
    for name in (maps[2], maps[4]):
        decide(work, "bob", name, [OTHER])
    decide(work, "zoe", maps[2], [OTHER], kind="arbitration", time=at(1))
    decide(work, "ada", maps[5], [BOX], ambiguous=True)
    decide(work, "ada", maps[6], [])
    decide(work, "bob", maps[6], [])
    return work


def at(day: int) -> str:
    """Returns a time as logs hold it."""
    return f"2026-01-{day:02}T00:00:00.000000+00:00"
