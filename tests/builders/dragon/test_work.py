"""The working folder: what is written comes back, sources add up, damage is told by its line."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from dragon_fixtures import WRITERS

from benchloom.builders.dragon.sources import source
from benchloom.builders.dragon.work import (
    FOLDERS,
    ITEMS,
    Evidence,
    Work,
    WorkItem,
    merge,
    read_work,
    write_work,
)
from benchloom.builders.errors import InputError


def read(name: str, folder: Path) -> list[WorkItem]:
    """Returns the items of a source that is written into a folder, each with some evidence."""
    WRITERS[name](folder)
    evidence = (
        Evidence("p1", "answer", "a label – ü", (1.25, 2, 3.5, 4), "native", "T0"),
        Evidence("p2", "support", "", (0, 0, 1, 1), "model"),
    )
    items = source(name).read(folder).items
    return [
        WorkItem(item, evidence[: n % 3], "usa" if n % 2 else None) for n, item in enumerate(items)
    ]


@pytest.mark.parametrize("name", WRITERS)
def test_comes_back_as_it_was(name: str, tmp_path: Path) -> None:
    items = read(name, tmp_path / "copy")
    write_work(tmp_path / "work", items, {name: tmp_path / "copy"})
    work = read_work(tmp_path / "work")
    assert [one.to_json() for one in work.items] == [one.to_json() for one in items]
    assert [one.item.path for one in work.items] == [one.item.path for one in items]
    assert work.folders == {name: tmp_path / "copy"}
    before = (tmp_path / "work" / ITEMS).read_bytes()
    write_work(tmp_path / "work", work.items, work.folders)
    assert (tmp_path / "work" / ITEMS).read_bytes() == before


def test_items_tell_no_path(tmp_path: Path) -> None:
    write_work(tmp_path / "w", read("mapwise", tmp_path / "secret"), {})
    assert "secret" not in (tmp_path / "w" / ITEMS).read_text()


def test_is_read_without_the_copy(tmp_path: Path) -> None:
    items = read("chartqa", tmp_path / "copy")
    write_work(tmp_path / "work", items, {"chartqa": tmp_path / "gone"})
    assert not any(one.item.path.exists() for one in read_work(tmp_path / "work").items)
    (tmp_path / "work" / FOLDERS).unlink()
    assert len(read_work(tmp_path / "work").items) == len(items)


def test_a_relative_folder_begins_in_the_working_folder(tmp_path: Path) -> None:
    write_work(tmp_path / "work", read("ai2d", tmp_path / "copy"), {"ai2d": Path("../copy")})
    assert all(one.item.path.is_file() for one in read_work(tmp_path / "work").items)


def test_sources_add_up_and_same_items_are_replaced(tmp_path: Path) -> None:
    charts, circuits = read("chartqa", tmp_path / "a"), read("circuit_vqa", tmp_path / "b")
    both = merge(merge([], "circuit_vqa", circuits), "chartqa", charts)
    assert [one.id for one in both] == [one.id for one in (*charts, *circuits)]
    again = [replace(one, proposed=(), template_id="new") for one in charts[1:]]
    merged = merge(both, "chartqa", again)
    # The item that was not found again stays, at the end of its source.
    assert [one.id for one in merged] == [one.id for one in (*charts[1:], charts[0], *circuits)]
    assert [one.template_id for one in merged[: len(again)]] == ["new"] * len(again)
    assert merged[len(again)] == charts[0]
    assert merge(merged, "chartqa", again) == merged


def test_region_of_evidence(tmp_path: Path) -> None:
    item = read("ai2d", tmp_path)[1]
    assert item.region(item.proposed[0]) == next(r for r in item.item.regions if r.id == "T0")
    assert item.region(replace(item.proposed[0], region="nothing")) is None
    assert item.region(replace(item.proposed[0], region=None)) is None


Change = Callable[[dict[str, Any]], object]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda item: item.pop("proposed"), "has no field 'proposed'"),
        (lambda item: item.pop("question"), "has no field 'question'"),
        (lambda item: item.update(proposed={}), "proposed must be a list"),
        (lambda item: item.update(template_id=3), "template_id must be a text or null"),
        (lambda item: item.update(source="ai3d"), "there is no source 'ai3d'"),
        (lambda item: item["image"].update(file_name="../x.png"), "cannot be called '../x.png'"),
        (lambda item: item["image"].update(split=".."), "of the split '..'"),
        (lambda item: item["image"].update(width=0), "whole numbers from 1 up"),
        (lambda item: item["proposed"][0].update(role="main"), "role must be one of answer, sup"),
        (lambda item: item["proposed"][0].update(bbox=[1, 2, 3]), "four numbers"),
        (lambda item: item["proposed"][0].update(bbox=[1, 2, 3, "x"]), "four numbers"),
        (lambda item: item["proposed"][0].update(origin="guess"), "origin must be one of"),
        (lambda item: item["proposed"][0].update(region=1), "region must be a text or null"),
        (lambda item: item["proposed"][0].update(id=""), "the id not empty"),
        (lambda item: item["proposed"][0].pop("label"), "has no field 'label'"),
        (lambda item: item["proposed"].append(item["proposed"][0]), "two proposals with one id"),
    ],
)
def test_a_wrong_line_is_named(change: Change, words: str, tmp_path: Path) -> None:
    write_work(tmp_path / "work", read("ai2d", tmp_path / "copy"), {"ai2d": tmp_path / "copy"})
    path = tmp_path / "work" / ITEMS
    lines = path.read_text().splitlines()
    value = json.loads(lines[1])
    change(value)
    lines[1] = json.dumps(value)
    path.write_text("\n".join(lines))
    with pytest.raises(InputError) as error:
        read_work(tmp_path / "work")
    assert f"{path}, line 2: " in str(error.value)
    assert words in str(error.value)


@pytest.mark.parametrize(
    ("text", "words"), [("{", "line 1 is no JSON"), ("[]\n", "line 1 is no JSON object")]
)
def test_what_is_no_item(text: str, words: str, tmp_path: Path) -> None:
    (tmp_path / ITEMS).write_text(text)
    with pytest.raises(InputError, match=words):
        read_work(tmp_path)


def test_an_item_that_is_there_twice(tmp_path: Path) -> None:
    items = read("ai2d", tmp_path / "copy")
    write_work(tmp_path, [items[0], items[0]], {})
    with pytest.raises(InputError, match=r"line 2: item 'ai2d-.*' is there a second time"):
        read_work(tmp_path)


def test_what_is_no_working_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is no working folder"):
        read_work(tmp_path)
    with pytest.raises(InputError, match="is no working folder"):
        read_work(tmp_path / "nowhere")
    (tmp_path / ITEMS).write_text("")
    assert read_work(tmp_path) == Work()
    (tmp_path / FOLDERS).write_text('{"ai2d": 3}')
    with pytest.raises(InputError, match="must be an object of sources"):
        read_work(tmp_path)


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="cannot be written"):
        write_work(tmp_path / "file" / "work", [], {})
