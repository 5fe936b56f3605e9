"""What a person changed about the evidence that was proposed."""

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from benchloom.builders.dragon.regions import BOX_DECIMALS, box_to_see
from benchloom.builders.dragon.work import Evidence, WorkItem
from benchloom.builders.errors import InputError
from benchloom.loaders.boxes import Box, clip

SAME_BOX = 0.01
"""Pixels by which the numbers of a box may differ and it is still the same: formats of other tools
hold parts or percent of the image."""
LEAST_SIDE = 0.01
"""The least width and height of a box, in pixels: what is left of it when it is rounded."""
DRAWN_ID = re.compile(r"d([1-9][0-9]{0,8})")
IMPORTED_ID = re.compile(r"x[0-9a-f]{8}")


@dataclass(frozen=True)
class Edits:
    """Ids of evidence by what became of it.

    Attributes:
        kept: Proposed, and its box is as it was.
        edited: Proposed, with another box.
        added: Not proposed.
        removed: Proposed, and no longer there.
    """

    kept: tuple[str, ...]
    edited: tuple[str, ...]
    added: tuple[str, ...]
    removed: tuple[str, ...]


def find_edits(proposed: Sequence[Evidence], evidence: Sequence[Evidence]) -> Edits:
    """Returns what became of the proposals, and what is new; in the order of the two lists."""
    before = {one.id: one.bbox for one in proposed}
    after = {one.id: one.bbox for one in evidence}
    both = [name for name in before if name in after]
    kept = {name for name in both if is_same_box(before[name], after[name])}
    return Edits(
        kept=tuple(name for name in both if name in kept),
        edited=tuple(name for name in both if name not in kept),
        added=tuple(name for name in after if name not in before),
        removed=tuple(name for name in before if name not in after),
    )


def is_same_box(one: Box, other: Box) -> bool:
    """Tells whether two boxes are one, but for what the formats of other tools lose."""
    return all(abs(a - b) <= SAME_BOX + 1e-9 for a, b in zip(one, other, strict=True))


def settle(item: WorkItem, evidence: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """Returns evidence as it is stored, after a person or another tool was at it.

    Boxes are clipped to the picture and rounded. Where the box is still that of the proposal or of
    its region, so is its origin; otherwise it was drawn, whatever it was before. A region too thin
    to be seen is widened, as it is where it is proposed.

    Raises:
        InputError: If an id is there twice or can be none, or a box has no area in the picture.
    """
    settled = [_settle(item, one) for one in evidence]
    if len({one.id for one in settled}) < len(settled):
        raise InputError(f"item {item.id!r}: two boxes have one id")
    return tuple(settled)


def _settle(item: WorkItem, one: Evidence) -> Evidence:
    proposals = {proposal.id: proposal for proposal in item.proposed}
    proposal, region = proposals.get(one.id), item.region(one)
    if proposal is None and not is_drawn_id(one.id):
        raise InputError(
            f"item {item.id!r}: {one.id!r} is no proposal, so its id must be d1, d2, ..."
        )
    if one.region is not None and region is None:
        raise InputError(f"item {item.id!r}: there is no region {one.region!r}")
    image = item.item.image
    box, origin = one.bbox, "drawn"
    if proposal is not None and is_same_box(proposal.bbox, one.bbox):
        box, origin = proposal.bbox, proposal.origin
    elif region is not None:
        seen = box_to_see(region.bbox, image.width, image.height)
        if is_same_box(region.bbox, one.bbox) or is_same_box(seen, one.bbox):
            box, origin = seen, region.origin
    x, y, width, height = clip(box, image.width, image.height)
    # One that is no number is not larger than anything.
    if not (width >= LEAST_SIDE - 1e-9 and height >= LEAST_SIDE - 1e-9):
        raise InputError(f"item {item.id!r}: the box {one.id} has no area in the picture")
    if not is_same_box(box, (x, y, width, height)) or origin == "drawn":
        x, y, width, height = (round(number, BOX_DECIMALS) for number in (x, y, width, height))
        box = x, y, width, height
    return replace(one, bbox=box, origin=origin)


def is_drawn_id(name: str) -> bool:
    """Tells whether a box of this id was drawn: here, `d1` and so on, or in another tool."""
    return bool(DRAWN_ID.fullmatch(name) or IMPORTED_ID.fullmatch(name))


def name_imported(foreign: str) -> str:
    """Returns what a box is called that has an id of another tool: always the same."""
    return f"x{hashlib.blake2b(foreign.encode(errors='replace'), digest_size=4).hexdigest()}"


def needs_redraw(item: WorkItem, one: Evidence) -> bool:
    """Tells whether a box is a guess of the transfer that nobody has replaced."""
    region = item.region(one)
    return region is not None and region.needs_redraw and one.origin == region.origin


def next_drawn(item: WorkItem, seen: Iterable[Evidence]) -> int:
    """Returns the least n for which no evidence that was ever seen is called `d<n>` or above."""
    ids = [one.id for one in (*item.proposed, *seen)]
    numbers = [int(found[1]) for name in ids if (found := DRAWN_ID.fullmatch(name))]
    return max(numbers, default=0) + 1
