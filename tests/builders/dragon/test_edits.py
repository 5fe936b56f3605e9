from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from dragon_review import GUESS, PROPOSED, REGIONS, drawn, write_review_work

from benchloom.builders.dragon.edits import find_edits, needs_redraw, next_drawn, settle
from benchloom.builders.dragon.regions import Region
from benchloom.builders.dragon.resolution import find_fault
from benchloom.builders.dragon.review_log import Decision
from benchloom.builders.dragon.work import Evidence, WorkItem, read_work
from benchloom.builders.errors import InputError

P1, P2 = PROPOSED


@pytest.fixture
def item(tmp_path: Path) -> WorkItem:
    return read_work(write_review_work(tmp_path, 1)).items[0]


def moved(one: Evidence, by: float) -> Evidence:
    return replace(one, bbox=(one.bbox[0] + by, *one.bbox[1:]))


def test_kept_edited_added_and_removed_are_told_apart() -> None:
    evidence = (drawn("d1", 1, 2, 3, 4), moved(P1, 0.5), GUESS)
    edits = find_edits((P1, P2, GUESS), evidence)
    assert edits.kept == ("p3",)
    assert edits.edited == ("p1",)
    assert edits.added == ("d1",)
    assert edits.removed == ("p2",)


def test_hundredth_of_a_pixel_is_no_edit() -> None:
    assert find_edits((P1,), (moved(P1, 0.01),)).kept == ("p1",)
    assert find_edits((P1,), (moved(P1, 0.02),)).edited == ("p1",)


def test_origin_follows_the_box(item: WorkItem) -> None:
    untouched, redrawn = settle(item, (P1, moved(GUESS, 3)))
    assert untouched == P1
    assert redrawn.origin == "drawn"
    assert redrawn.region == "legend"
    back = settle(item, (replace(redrawn, bbox=GUESS.bbox),))
    assert back == (GUESS,)
    (chosen,) = settle(item, (Evidence("d1", "support", "x", REGIONS[1].bbox, "drawn", "bar-2"),))
    assert chosen.origin == "native"


def test_guess_is_one_until_it_is_drawn_anew(item: WorkItem) -> None:
    assert needs_redraw(item, GUESS)
    assert not needs_redraw(item, settle(item, (moved(GUESS, 3),))[0])
    assert not needs_redraw(item, P1)


def test_boxes_are_clipped_and_rounded(item: WorkItem) -> None:
    (one,) = settle(item, (drawn("d1", -5, 280.123456, 50, 99),))
    assert one.bbox == (0.0, 280.12, 45.0, 19.88)


@pytest.mark.parametrize(
    ("evidence", "words"),
    [
        ((drawn("d1", 400, 0, 5, 5),), "no area"),
        ((drawn("d1", 10, 10, 5, 0.004),), "no area"),
        ((drawn("d1", 10, 10, -5, 5),), "no area"),
        ((drawn("d1", float("nan"), 10, 5, 5),), "no area"),
        ((drawn("p9", 10, 10, 5, 5),), "no proposal"),
        ((drawn("d0", 10, 10, 5, 5),), "no proposal"),
        ((drawn("x", 10, 10, 5, 5),), "no proposal"),
        ((P1, P1), "one id"),
        ((replace(P1, region="nowhere"),), "no region 'nowhere'"),
    ],
)
def test_evidence_that_cannot_be(
    item: WorkItem, evidence: tuple[Evidence, ...], words: str
) -> None:
    with pytest.raises(InputError, match=words):
        settle(item, evidence)


def test_ids_are_not_given_twice(item: WorkItem) -> None:
    assert next_drawn(item, ()) == 1
    assert next_drawn(item, (drawn("d7", 1, 1, 2, 2), drawn("d3", 1, 1, 2, 2))) == 8


@pytest.mark.parametrize(
    ("box", "seen"),
    [
        ((40, 100, 0, 50), (38, 100, 4, 50)),  # an upright line
        ((40, 100, 50, 0), (40, 98, 50, 4)),
        ((400, 100, 0, 50), (396, 100, 4, 50)),  # cut off at the edge
        ((40, 100, 1.5, 50), (38.75, 100, 4, 50)),
    ],
)
def test_region_too_thin_to_be_seen_is_widened(item: WorkItem, box: Any, seen: Any) -> None:
    line = Region("line", "a line", box, clipped=True)
    item = replace(item, item=replace(item.item, regions=(*item.item.regions, line)))
    for told in (box, seen):
        (one,) = settle(item, (Evidence("d1", "answer", "a line", told, "native", "line"),))
        assert (one.bbox, one.origin) == (seen, "native")
        decision = Decision(item.id, item.item.image.sha256, "anna", "2026", "review", (one,))
        assert find_fault(decision, {item.id: item}) is None


def test_box_of_a_proposal_outside_the_picture_is_refused(item: WorkItem) -> None:
    outside = Evidence("p1", "answer", "x", (900.0, 10.0, 20.0, 20.0), "native")
    with pytest.raises(InputError, match="the box p1 has no area in the picture"):
        settle(replace(item, proposed=(outside,)), (outside,))
