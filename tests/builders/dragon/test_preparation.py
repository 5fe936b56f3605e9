"""Items ready for review: transfers joined by the image's bytes, samples that grow."""

from dataclasses import replace
from pathlib import Path

import pytest
from dragon_fixtures import WRITERS
from dragon_review import GUESS, PROPOSED, write_review_work

from benchloom.builders.dragon.edits import needs_redraw
from benchloom.builders.dragon.preparation import choose_transfers, prepare_items, select
from benchloom.builders.dragon.record import make_record
from benchloom.builders.dragon.regions import Region
from benchloom.builders.dragon.resolution import resolve_logs
from benchloom.builders.dragon.sources import source
from benchloom.builders.dragon.transfers import Status, Transfer
from benchloom.builders.dragon.work import read_work
from benchloom.builders.errors import InputError


def transfer(sha256: str, template: str = "usa", status: Status = "placed") -> Transfer:
    region = Region("TX", "Texas", (1, 2, 5, 6), "similarity", "map", 40, 0.9)
    regions = () if status == "unreadable" else (region,)
    return Transfer("mapwise", "a.png", sha256, 120, 80, "auto", status, template, regions=regions)


def test_regions_are_joined_by_the_bytes_of_the_image(tmp_path: Path) -> None:
    items = source("mapwise").read(WRITERS["mapwise"](tmp_path / "copy")).items
    known = items[0].image.sha256
    transfers = choose_transfers([transfer(known), transfer("0" * 64)])
    prepared = prepare_items(items, transfers)
    assert [one.id for one in prepared] == [item.id for item in items]
    joined = 0
    for one, item in zip(prepared, items, strict=True):
        there = item.image.sha256 == known
        joined += there
        assert one.template_id == ("usa" if there else None)
        assert [region.id for region in one.item.regions] == (["TX"] if there else [])
        assert replace(one.item, regions=()) == item
    assert joined
    texas = [one for one in prepared if one.template_id and "Texas" in one.item.question]
    assert texas
    for one in texas:
        evidence = one.proposed[0]
        assert (evidence.region, evidence.origin, evidence.bbox) == (
            "TX",
            "similarity",
            (1, 2, 5, 6),
        )


def test_regions_of_the_source_itself_stay(tmp_path: Path) -> None:
    items = source("ai2d").read(WRITERS["ai2d"](tmp_path)).items
    transfers = {item.image.sha256: transfer(item.image.sha256) for item in items}
    for one, item in zip(prepare_items(items, transfers), items, strict=True):
        assert one.item.regions == item.regions
        assert one.template_id is None


def test_the_first_that_was_placed_counts() -> None:
    sha256 = "a" * 64
    flagged = transfer(sha256, "flagged", "flagged")
    unreadable = transfer(sha256, "none", "unreadable")
    first, second = transfer(sha256, "first"), transfer(sha256, "second")
    for order, expected in (
        ([flagged, first, second], "first"),
        ([unreadable, flagged], "flagged"),
        ([second, flagged, first], "second"),
        ([unreadable], None),
    ):
        found = choose_transfers(order).get(sha256)
        assert (found and found.template_id) == expected


def test_a_larger_sample_holds_every_smaller_one(tmp_path: Path) -> None:
    items = source("mapwise").read(WRITERS["mapwise"](tmp_path)).items
    order = [item.id for item in items]
    smaller: set[str] = set()
    for number in range(1, len(items) + 1):
        chosen = [item.id for item in select(items, [], number)]
        assert len(chosen) == number
        assert chosen == [name for name in order if name in chosen]
        assert smaller < set(chosen)
        smaller = set(chosen)
    assert select(items, [], len(items) + 5) == select(items, [], None) == list(items)
    # What else is there changes nothing: of the second half, those that the whole had are taken.
    half = items[len(items) // 2 :]
    whole = {item.id for item in select(items, [], 5)}
    there = [item.id for item in half if item.id in whole]
    assert [item.id for item in select(half, [], len(there))] == there


def test_splits(tmp_path: Path) -> None:
    items = source("chartqa").read(WRITERS["chartqa"](tmp_path)).items
    assert {item.split for item in select(items, ["val", "test"], None)} == {"val", "test"}
    with pytest.raises(InputError, match="no split 'dev'; choose from train, val, test"):
        select(items, ["dev"], None)


@pytest.mark.parametrize(
    ("box", "clipped", "expected"),
    [
        ((115, 10, 5, 20), False, (115, 10, 5, 20)),
        ((115, 10, 5, 20), True, (115, 10, 5, 20)),
        ((118.5, 10, 1.5, 20), False, (116, 10, 4, 20)),  # widened to be seen
        ((118.5, 10, 1.5, 20), True, None),
        ((120, 10, 0, 20), True, None),
    ],
)
def test_regions_that_the_frame_has_cut(
    tmp_path: Path,
    box: tuple[float, float, float, float],
    clipped: bool,
    expected: tuple[float, float, float, float] | None,
) -> None:
    items = source("mapwise").read(WRITERS["mapwise"](tmp_path)).items
    item = next(item for item in items if "Texas" in item.question)
    region = Region("TX", "Texas", box, "homography", "map", 40, 0.9, clipped=clipped)
    moved = replace(transfer(item.image.sha256), regions=(region,))
    (one,) = prepare_items([item], {item.image.sha256: moved})
    assert [evidence.bbox for evidence in one.proposed] == ([expected] if expected else [])
    assert prepare_items([item], {}, [one]) == [one]
    for evidence in one.proposed:
        of = one.region(evidence)
        assert of is not None
        # The page shows the badge of a guess while the box is that of the region.
        assert (of.bbox, of.needs_redraw) == (evidence.bbox, clipped)
        assert needs_redraw(one, evidence) == clipped


def test_labels_of_templates_are_not_used_where_the_source_has_changed_the_names(
    tmp_path: Path,
) -> None:
    items = source("mapwise").read(WRITERS["mapwise"](tmp_path)).items
    there = {item.split: item for item in items}
    legend = Region("key", "Legend", (50, 50, 9, 9), "scaled", "page", needs_redraw=True)
    for split, renamed in (("imaginary", True), ("original", True), ("usa", False)):
        item = replace(there[split], question="Is Texas darker than Ravia, by the legend?")
        moved = transfer(item.image.sha256)
        moved = replace(moved, regions=(replace(moved.regions[0], aliases=("Ravia",)), legend))
        (one,) = prepare_items([item], {item.image.sha256: moved})
        texas, key = one.item.regions
        assert texas.bbox == (1, 2, 5, 6)
        assert key.label == "Legend"
        named = (texas.id, texas.label, texas.aliases)
        assert named == (("place-1", "", ()) if renamed else ("TX", "Texas", ("Ravia",)))
        proposed = [evidence.region for evidence in one.proposed]
        assert ("TX" in proposed, "place-1" in proposed) == (not renamed, False)
        assert "key" in proposed


def test_regions_of_refused_templates_are_at_hand_and_not_proposed(tmp_path: Path) -> None:
    items = source("mapwise").read(WRITERS["mapwise"](tmp_path)).items
    item = next(item for item in items if "Texas" in item.question)
    flagged = transfer(item.image.sha256, status="flagged")
    region = replace(flagged.regions[0], origin="scaled", inliers=None, needs_redraw=True)
    flagged = replace(flagged, regions=(region,))
    (one,) = prepare_items([item], {item.image.sha256: flagged})
    assert one.proposed == ()
    assert [(of.id, of.needs_redraw) for of in one.item.regions] == [("TX", True)]
    (again,) = prepare_items([item], {}, [one])
    assert again == one
    (resolved,) = resolve_logs([one], ()).items
    assert make_record(resolved)["template_id"] is None
    (placed,) = prepare_items([item], {item.image.sha256: transfer(item.image.sha256)})
    (resolved,) = resolve_logs([placed], ()).items
    assert make_record(resolved)["template_id"] == "usa"


def test_guesses_are_not_released_as_candidates(tmp_path: Path) -> None:
    item = read_work(write_review_work(tmp_path, 1)).items[0]
    assert needs_redraw(item, GUESS)
    (resolved,) = resolve_logs([replace(item, proposed=(*PROPOSED, GUESS))], ()).items
    assert resolved.evidence == PROPOSED
    by_model = replace(GUESS, origin="model")
    assert not needs_redraw(item, by_model)


def test_regions_of_before_stay_when_none_are_given(tmp_path: Path) -> None:
    items = source("mapwise").read(WRITERS["mapwise"](tmp_path / "copy")).items
    sha256 = items[0].image.sha256
    before = prepare_items(items, {sha256: transfer(sha256)})
    assert any(one.template_id for one in before)
    assert prepare_items(items, {}, before) == before
    other = transfer(sha256, "other")
    renewed = prepare_items(items, {sha256: other}, before)
    assert {one.template_id for one in renewed} == {"other", None}
