"""The item type: what is written of it, and what is refused when it is read."""

from pathlib import Path
from typing import Any

import pytest

from benchloom.builders.dragon.item import ImageFile, ImageRef, Item
from benchloom.builders.dragon.regions import Region
from benchloom.builders.errors import InputError

REF = ImageRef("usa", "hatched/map_1.png", "ab" * 32, 20, 10)
ITEM = Item(
    "mapwise-usa-1",
    "mapwise",
    "usa",
    "1",
    "Which?",
    "None",
    ("None", "Ravia"),
    ImageFile.at(Path("nowhere.png"), REF),
    (Region("r", "Ravia", (1.0, 2.0, 3.0, 4.0)),),
    {"style": "hatched"},
)


def test_known_image_is_not_read() -> None:
    assert ITEM.image is REF
    assert ITEM.path == Path("nowhere.png")


def test_item_is_what_was_written() -> None:
    value = ITEM.to_json()
    assert "nowhere" not in str(value)
    again = Item.from_json(value, Path("nowhere.png"))
    assert again == ITEM
    assert again.image == REF


@pytest.mark.parametrize("name", list(ITEM.to_json()))
def test_lacking_field_is_named(name: str) -> None:
    value = ITEM.to_json()
    del value[name]
    with pytest.raises(InputError, match=f"an item has no field '{name}'"):
        Item.from_json(value, Path())


@pytest.mark.parametrize(
    ("name", "wrong", "message"),
    [
        ("question", 3, "'mapwise-usa-1': id, source.*must be texts"),
        ("image", "a.png", "image and details must be objects"),
        ("details", [], "image and details must be objects"),
        ("choices", "Ravia", "choices and regions must be lists"),
        ("regions", {}, "choices and regions must be lists"),
        ("regions", [{}], "a region has no field"),
    ],
)
def test_wrong_field_is_refused(name: str, wrong: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Item.from_json({**ITEM.to_json(), name: wrong}, Path())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"sha256": None}, "must be texts"),
        ({"width": 0}, "whole numbers from 1 up"),
        ({"width": 1.5}, "whole numbers from 1 up"),
        ({"height": True}, "whole numbers from 1 up"),
    ],
)
def test_wrong_image_reference_is_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        ImageRef.from_json({**REF.to_json(), **change})


@pytest.mark.parametrize("name", list(REF.to_json()))
def test_lacking_field_of_an_image_is_named(name: str) -> None:
    value = REF.to_json()
    del value[name]
    with pytest.raises(InputError, match=f"an image reference has no field '{name}'"):
        ImageRef.from_json(value)
