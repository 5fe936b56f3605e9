"""From a copy of a source to items ready for review: regions joined, evidence proposed."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from benchloom.builders.dragon.item import Item
from benchloom.builders.dragon.proposals import box_to_see, propose
from benchloom.builders.dragon.regions import Region
from benchloom.builders.dragon.transfers import Transfer
from benchloom.builders.dragon.work import WorkItem
from benchloom.builders.errors import InputError
from benchloom.loaders.boxes import area


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


def select(items: Sequence[Item], splits: Sequence[str], sample: int | None) -> list[Item]:
    """Returns some of the items in their order.

    Args:
        items: All items of a source.
        splits: The parts of the source to take; none for all of them.
        sample: How many to take, picked by their ids: a larger sample holds every smaller one,
            and what else a folder holds changes little. None for all.

    Raises:
        InputError: If there is no such part.
    """
    there = list(dict.fromkeys(item.split for item in items))
    for split in splits:
        if split not in there:
            raise InputError(f"there is no split {split!r}; choose from {', '.join(there)}")
    chosen = [item for item in items if not splits or item.split in splits]
    if sample is None:
        return chosen
    picked = sorted(chosen, key=_lot)[:sample]
    ids = {item.id for item in picked}
    return [item for item in chosen if item.id in ids]


def prepare_items(items: Sequence[Item], transfers: Mapping[str, Transfer]) -> list[WorkItem]:
    """Returns the items with the regions of their pictures and what the rules propose.

    Regions of the source itself come before transferred ones: an item has the ones or the others.
    One that the frame has cut to less than a quarter is marked to be drawn anew.

    Args:
        items: From a source.
        transfers: By the SHA-256 of the images.

    Raises:
        InputError: If an image cannot be read any more.
    """
    prepared = []
    for item in items:
        transfer = None if item.regions else transfers.get(item.image.sha256)
        template_id = None
        regions = item.regions
        if transfer is not None and transfer.regions:
            regions, template_id = transfer.regions, transfer.template_id
        ready = replace(item, regions=tuple(_doubt_if_clipped(item, one) for one in regions))
        prepared.append(WorkItem(ready, propose(ready), template_id))
    return prepared


def count_unmatched(items: Iterable[Item], transfers: Iterable[Transfer]) -> int:
    """Returns how many transfers are of no image of some items: of an older one, perhaps.

    Images that could not be read are not counted.

    Raises:
        InputError: If an image cannot be read any more.
    """
    known = {item.image.sha256 for item in items}
    return sum(one.status != "unreadable" and one.sha256 not in known for one in transfers)


def _doubt_if_clipped(item: Item, region: Region) -> Region:
    """Returns a region, with the box that would be proposed and in doubt if it is a mere rest."""
    if not region.clipped or area(region.bbox) == 0:
        return region
    # The page tells a guess by its box, so it has to be the very one that is proposed.
    seen = box_to_see(region.bbox, item.image_file.width, item.image_file.height)
    return replace(region, bbox=seen, needs_redraw=True)


def _lot(item: Item) -> bytes:
    """Returns what decides whether an item is taken: a digest of its id."""
    return hashlib.blake2b(f"dragon/sample/{item.id}".encode(), digest_size=16).digest()
