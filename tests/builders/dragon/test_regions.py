"""Regions as JSON."""

import json
from typing import Any

import pytest

from benchloom.builders.dragon.regions import ANCHORS, ORIGINS, Region
from benchloom.builders.errors import InputError

REGION = Region(
    "WA", "Washington", (1.25, 2.5, 30.75, 40.0), "similarity", "map", 120, 0.75, False, True
)


@pytest.mark.parametrize("origin", ORIGINS)
@pytest.mark.parametrize("anchor", ANCHORS)
def test_round_trip(origin: Any, anchor: Any) -> None:
    region = Region("a", "b", (1.0, 2.0, 3.0, 4.0), origin, anchor, needs_redraw=True)
    assert Region.from_json(json.loads(json.dumps(region.to_json()))) == region
    assert Region.from_json(REGION.to_json()) == REGION


def test_numbers_are_rounded_as_stated() -> None:
    written = Region("a", "a", (1 / 3, -1e-9, 2 / 3, 1e5 / 3), score=-1e-9).to_json()
    assert written["bbox"] == [0.33, 0.0, 0.67, 33333.33]
    assert "-0" not in json.dumps(written)
    assert Region("a", "a", (0, 0, 1, 1), score=0.123456).to_json()["score"] == 0.1235


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"bbox": [1, 2, 3]}, "region 'WA': bbox must be four numbers"),
        ({"bbox": [1, 2, 3, "wide"]}, "region 'WA': bbox must be four numbers"),
        ({"bbox": None}, "region 'WA': bbox must be four numbers"),
        ({"origin": "guessed"}, "origin must be one of native, homography"),
        ({"anchor": "sea"}, "anchor must be one of map, page, none"),
    ],
)
def test_faults_are_named(change: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        Region.from_json({**REGION.to_json(), **change})


@pytest.mark.parametrize("field", list(REGION.to_json()))
def test_missing_fields_are_named(field: str) -> None:
    value = REGION.to_json()
    del value[field]
    with pytest.raises(InputError, match=f"no field '{field}'"):
        Region.from_json(value)


def test_aliases_may_be_left_out() -> None:
    """Files of before aliases had none."""
    assert "aliases" not in REGION.to_json()
    with_aliases = Region("a", "b", (0, 0, 1, 1), aliases=("c", "d"))
    assert with_aliases.to_json()["aliases"] == ["c", "d"]
    assert Region.from_json(json.loads(json.dumps(with_aliases.to_json()))) == with_aliases
    with pytest.raises(InputError, match="region 'WA': aliases must be a list of texts"):
        Region.from_json({**REGION.to_json(), "aliases": [1]})
