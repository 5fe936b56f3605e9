"""From a copy of a source to items ready for review: regions joined, evidence proposed."""

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from benchloom.builders.dragon.item import Item
from benchloom.builders.dragon.proposals import propose
from benchloom.builders.dragon.regions import Region, box_to_see, is_refused
from benchloom.builders.dragon.sources import source
from benchloom.builders.dragon.sources.reading import SourceReading
from benchloom.builders.dragon.transfers import Transfer
from benchloom.builders.dragon.work import WorkItem
from benchloom.builders.errors import InputError


def choose_transfers(transfers: Iterable[Transfer]) -> dict[str, Transfer]:
    """Returns the transfer that counts for each image, by the SHA-256 of its bytes.

    Of several for one image it is the first that was placed, or failing that the first whose
    regions were scaled; images that could not be read have none.

    Args:
        transfers: What `benchloom dragon transfer` wrote, perhaps into several files.
    """
    found: dict[str, Transfer] = {}
    for one in transfers:
        before = found.get(one.sha256)
        better = before is None or (before.status != "placed" and one.status == "placed")
        if one.status != "unreadable" and better:
            found[one.sha256] = one
    return found


def select(
    items: Sequence[Item],
    splits: Sequence[str],
    sample: int | None,
    always: Collection[str] = (),
) -> list[Item]:
    """Returns some of the items in their order.

    Args:
        items: All items of a source.
        splits: The parts of the source to take; none for all of them.
        sample: How many to take, picked by their ids: a larger sample holds every smaller one,
            and what else a folder holds changes little. None for all.
        always: Ids of items that are taken in any case, and count as some of the sample.

    Raises:
        InputError: If there is no such part.
    """
    there = list(dict.fromkeys(item.split for item in items))
    for split in splits:
        if split not in there:
            raise InputError(f"there is no split {split!r}; choose from {', '.join(there)}")
    chosen = [item for item in items if not splits or item.split in splits]
    picked = sorted(chosen, key=lambda item: (item.id not in always, _lot(item)))[:sample]
    ids = {item.id for item in picked} | set(always)
    return [item for item in items if item.id in ids]


def prepare_items(
    items: Sequence[Item], transfers: Mapping[str, Transfer], before: Iterable[WorkItem] = ()
) -> list[WorkItem]:
    """Returns the items with the regions of their pictures and what the rules propose.

    Regions of the source itself come before transferred ones: an item has the ones or the others.
    One that the frame has cut to less than a quarter is marked to be drawn anew.

    - A picture of which nothing was transferred this time keeps the regions of before.
    - Where every template was refused, regions were only scaled: they are at hand, to be drawn
      anew, and none of them is proposed.
    - Where a source has changed the names of places (`Source.renames_places`), what a template
      calls them would be untrue: regions on the map keep their boxes alone.

    Args:
        items: From a source.
        transfers: By the SHA-256 of the images.
        before: What the working folder holds.

    Raises:
        InputError: If an image cannot be read any more.
    """
    kept = {one.item.image.sha256: one for one in before if one.template_id is not None}
    prepared = []
    for item in items:
        transfer = template_id = None
        regions = item.regions
        if not regions:
            transfer = transfers.get(item.image.sha256)
        if not regions and transfer is None and item.image.sha256 in kept:
            held = kept[item.image.sha256]
            regions, template_id = held.item.regions, held.template_id
        elif transfer is not None and transfer.regions:
            regions, template_id = transfer.regions, transfer.template_id
        if template_id is not None and source(item.source).renames_places(item.split):
            regions = _without_names(regions)
        refused = template_id is not None and is_refused(regions)
        proposed = () if refused else propose(replace(item, regions=regions))
        ready = replace(item, regions=tuple(_ready(item, one) for one in regions))
        prepared.append(WorkItem(ready, proposed, template_id))
    return prepared


def _without_names(regions: Sequence[Region]) -> tuple[Region, ...]:
    """Returns regions of which those on the map, numbered, have no label."""
    return tuple(
        replace(one, id=f"place-{number}", label="", aliases=()) if one.anchor == "map" else one
        for number, one in enumerate(regions, 1)
    )


def find_superseded(before: Sequence[WorkItem], items: Sequence[Item]) -> dict[str, str]:
    """Returns which items of before stand corrected in their source: their ids, and those of now.

    A source without ids of its own gives a question or an answer that was corrected another id. So
    what is no longer in the source was corrected if another question about the same picture, that
    was not there before, has its question, or else its answer.

    Args:
        before: The items of the working folder that are of the source.
        items: All items of the source now.
    """
    there = {item.id for item in items}
    gone = [one.item for one in before if one.id not in there]
    known = {one.id for one in before}
    on_picture: dict[tuple[str, str], list[Item]] = {}
    for item in items:
        if item.id not in known:
            on_picture.setdefault((item.split, item.image_file.file_name), []).append(item)
    found: dict[str, str] = {}
    for old in gone:
        beside = on_picture.get((old.split, old.image_file.file_name), [])
        same = [new.id for new in beside if new.question == old.question]
        same += [new.id for new in beside if new.answer == old.answer]
        if same:
            found[old.id] = same[0]
    return found


def find_withdrawn(before: Sequence[WorkItem], reading: SourceReading) -> list[str]:
    """Returns the ids of items of before that are no longer in their source.

    What a fault may have kept from being read is not among them: questions about its picture, and
    for a lost file of questions those of its part of the source.

    Args:
        before: The items of the working folder that are of the source.
        reading: All of the source now.
    """
    there = {item.id for item in reading.items}
    splits = {item.split for item in reading.items} | {one.item.split for one in before}
    lost = {reading.root / fault.where for fault in reading.faults}
    files = [Path(fault.where).parts for fault in reading.faults if fault.questions == 0]

    def may_be_there(item: Item) -> bool:
        if any(item.split in parts or splits.isdisjoint(parts) for parts in files):
            return True
        image = item.image_file
        try:
            path = source(item.source).find_image(reading.root, image.split, image.file_name)
        except InputError:  # the file that tells where it is has gone
            return True
        return not lost.isdisjoint((path, *path.parents))

    return [one.id for one in before if one.id not in there and not may_be_there(one.item)]


def count_unmatched(items: Iterable[Item], transfers: Iterable[Transfer]) -> int:
    """Returns how many transfers are of no image of some items: of an older one, perhaps.

    Images that could not be read are not counted.

    Raises:
        InputError: If an image cannot be read any more.
    """
    known = {item.image.sha256 for item in items}
    return sum(one.status != "unreadable" and one.sha256 not in known for one in transfers)


def _ready(item: Item, region: Region) -> Region:
    """Returns a region with the box that would be proposed, in doubt if it is a mere rest."""
    # The page tells a guess by its box, so it has to be the very one that is proposed.
    seen = box_to_see(region.bbox, item.image_file.width, item.image_file.height)
    return replace(region, bbox=seen, needs_redraw=region.needs_redraw or region.clipped)


def _lot(item: Item) -> bytes:
    """Returns what decides whether an item is taken: a digest of its id."""
    return hashlib.blake2b(f"dragon/sample/{item.id}".encode(), digest_size=16).digest()
