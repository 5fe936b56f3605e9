"""The working folder, from the first proposal to the last review.

It belongs to the people who review and is never published as it is:

- `items.jsonl`: a line for each question, `WorkItem.to_json()`;
- `sources.json`: where the copy of each source is, so that pictures are found;
- `reviews/<annotator>.jsonl`: what each annotator decided.
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

from benchloom.builders.dragon.item import Item
from benchloom.builders.dragon.regions import BOX_DECIMALS, ORIGINS, Region
from benchloom.builders.dragon.sources import SOURCES, source
from benchloom.builders.dragon.sources.texts import is_plain
from benchloom.builders.errors import InputError
from benchloom.builders.files import dump_json, write_whole
from benchloom.loaders.boxes import Box

ITEMS = "items.jsonl"
FOLDERS = "sources.json"
REVIEWS = "reviews"

Role = Literal["answer", "support"]
"""Whether a box shows the answer itself, or something that is needed to see that it is right."""
ROLES: tuple[Role, ...] = get_args(Role)
MODEL = "model"
"""The origin of a box that a model drew."""
EVIDENCE_ORIGINS: tuple[str, ...] = (*ORIGINS, MODEL)


@dataclass(frozen=True)
class Evidence:
    """A box that is needed to see that an answer is right.

    Attributes:
        id: Unique among the evidence of an item: `p1`, `p2`, ... for proposals, `d1`, ... for
            boxes that were drawn in review, `x` and 8 digits for those from another tool. A box
            that is kept or edited keeps its id.
        role: `answer` or `support`.
        label: What it shows, as a person would say it.
        bbox: xywh in pixels of the image.
        origin: How the box came: that of its region, `model` or `drawn`.
        region: The id of the item's region that it is; None for one that is none of them.
    """

    id: str
    role: Role
    label: str
    bbox: Box
    origin: str
    region: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Returns plain JSON values; the box rounded to 2 decimals."""
        return {
            "id": self.id,
            "role": self.role,
            "label": self.label,
            "bbox": [round(number, BOX_DECIMALS) + 0.0 for number in self.bbox],  # no -0.0
            "origin": self.origin,
            "region": self.region,
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "Evidence":
        """Returns the evidence that `to_json` wrote.

        Raises:
            InputError: If a field is missing or is not what it should be.
        """
        try:
            x, y, width, height = (float(number) for number in value["bbox"])
            id_, label = value["id"], value["label"]
            role, origin, region = value["role"], value["origin"], value["region"]
        except KeyError as error:
            raise InputError(f"evidence has no field {error.args[0]!r}") from None
        except (TypeError, ValueError):
            raise InputError(
                f"evidence {value.get('id')!r}: bbox must be four numbers [x, y, width, height]"
            ) from None
        if not (isinstance(id_, str) and id_ and isinstance(label, str)):
            raise InputError(f"evidence {id_!r}: id and label must be texts, and the id not empty")
        for name, given, known in (("role", role, ROLES), ("origin", origin, EVIDENCE_ORIGINS)):
            if given not in known:
                raise InputError(
                    f"evidence {id_!r}: {name} must be one of {', '.join(known)}, not {given!r}"
                )
        if not (region is None or isinstance(region, str)):
            raise InputError(f"evidence {id_!r}: region must be a text or null")
        return cls(id_, role, label, (x, y, width, height), origin, region)


@dataclass(frozen=True)
class WorkItem:
    """An item with what is proposed as its evidence.

    Attributes:
        item: The question, with all regions of its picture: those of the source or those that were
            transferred from a template.
        proposed: The evidence proposed; nobody has looked at it yet.
        template_id: The template that the regions are from; None for those of the source.
    """

    item: Item
    proposed: tuple[Evidence, ...] = ()
    template_id: str | None = None

    @property
    def id(self) -> str:
        """The item's id."""
        return self.item.id

    def region(self, evidence: Evidence) -> Region | None:
        """Returns the region of the picture that some evidence is, if it is one."""
        found = (region for region in self.item.regions if region.id == evidence.region)
        return next(found, None)

    def to_json(self) -> dict[str, Any]:
        """Returns plain JSON values: those of the item, with two more fields."""
        return {
            **self.item.to_json(),
            "proposed": [evidence.to_json() for evidence in self.proposed],
            "template_id": self.template_id,
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any], path: Path) -> "WorkItem":
        """Returns the item that `to_json` wrote, with its picture at a path.

        Raises:
            InputError: If a field is missing or is not what it should be.
        """
        item = Item.from_json(value, path)
        try:
            proposed, template_id = value["proposed"], value["template_id"]
        except KeyError as error:
            raise InputError(f"item {item.id!r} has no field {error.args[0]!r}") from None
        if not isinstance(proposed, list):
            raise InputError(f"item {item.id!r}: proposed must be a list")
        if not (template_id is None or isinstance(template_id, str)):
            raise InputError(f"item {item.id!r}: template_id must be a text or null")
        evidence = tuple(Evidence.from_json(one) for one in proposed)
        if len({one.id for one in evidence}) < len(evidence):
            raise InputError(f"item {item.id!r} has two proposals with one id")
        return cls(item, evidence, template_id)


@dataclass(frozen=True)
class Work:
    """What a working folder holds, but for the reviews.

    Attributes:
        items: By source in the order of their names; within one in the source's order.
        folders: The copy of each source, by the source's name.
    """

    items: tuple[WorkItem, ...] = ()
    folders: Mapping[str, Path] = field(default_factory=dict)


def read_work(folder: Path) -> Work:
    """Returns what a working folder holds.

    An item's path is where its picture is in the copy of its source; whether it is there, and is
    the same picture, is not looked at.

    Raises:
        InputError: If the folder is no working folder, or a line of it cannot be used.
    """
    try:
        text = (folder / ITEMS).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise InputError(
            f"{folder} is no working folder: it has no {ITEMS}, which `benchloom dragon propose` "
            "writes"
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{folder / ITEMS} cannot be read: {error}") from None
    folders = read_folders(folder)
    finder = _Finder(folders)
    items: dict[str, WorkItem] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        where = f"{folder / ITEMS}, line {number}"
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            raise InputError(f"{where} is no JSON") from None
        if not isinstance(value, dict):
            raise InputError(f"{where} is no JSON object")
        try:
            item = WorkItem.from_json(value, finder.find(value))
        except InputError as error:
            raise InputError(f"{where}: {error}") from None
        if item.id in items:
            raise InputError(f"{where}: item {item.id!r} is there a second time")
        items[item.id] = item
    return Work(tuple(items.values()), folders)


def write_work(folder: Path, items: Iterable[WorkItem], folders: Mapping[str, Path]) -> None:
    """Writes the items and the sources' folders; reviews are left alone.

    Args:
        folder: The working folder, which is made if it is not there.
        items: All items, in their order.
        folders: The copy of each source.

    Raises:
        InputError: If the folder cannot be written.
    """
    lines = [json.dumps(item.to_json(), ensure_ascii=False, allow_nan=False) for item in items]
    named = {name: str(path) for name, path in sorted(folders.items())}
    try:
        write_whole(folder / FOLDERS, dump_json(named))
        write_whole(folder / ITEMS, "".join(f"{line}\n" for line in lines))
    except OSError as error:
        raise InputError(f"{folder} cannot be written: {error.strerror}") from None


def merge(
    before: Sequence[WorkItem],
    name: str,
    found: Sequence[WorkItem],
    superseded: Collection[str] = (),
) -> list[WorkItem]:
    """Returns all items after a source was read again.

    Those that were found stand in for the same ones of before. What was not read stays, at the end
    of its source: people may have reviewed it.

    Args:
        before: The items of the working folder.
        name: The source that was read.
        found: Its items now.
        superseded: Ids of those that go: others stand in their place now, or they were withdrawn.
    """
    again = {item.id for item in found} | set(superseded)
    kept = [one for one in before if one.item.source != name or one.id not in again]
    everything = [*found, *kept] if found else kept
    return sorted(everything, key=lambda one: one.item.source)  # stable: the order within stays


def read_folders(folder: Path) -> dict[str, Path]:
    """Returns the folders of the sources; a relative one begins in the working folder."""
    path = folder / FOLDERS
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"{path} cannot be read: {error}") from None
    if not isinstance(value, dict) or not all(isinstance(one, str) for one in value.values()):
        raise InputError(f"{path} must be an object of sources and their folders")
    return {name: folder / one for name, one in value.items()}


class _Finder:
    """Finds the pictures of items."""

    def __init__(self, folders: Mapping[str, Path]) -> None:
        self._folders = folders
        self._roots: dict[str, Path] = {}
        self._found: dict[tuple[str, str, str], Path] = {}

    def find(self, value: Mapping[str, Any]) -> Path:
        """Returns where the picture of an item of `items.jsonl` is, if it is there."""
        image = value.get("image")
        fields = image if isinstance(image, dict) else {}
        name, split, file_name = (
            str(text)
            for text in (value.get("source"), fields.get("split"), fields.get("file_name"))
        )
        if not (is_plain(file_name) and is_plain(split)):
            raise InputError(f"an image cannot be called {file_name!r} of the split {split!r}")
        key = name, split, file_name
        if key not in self._found:
            self._found[key] = self._find(*key)
        return self._found[key]

    def _find(self, name: str, split: str, file_name: str) -> Path:
        if name not in self._folders:
            if name not in SOURCES:
                raise InputError(f"there is no source {name!r}")
            return Path(name, split, file_name)  # nowhere: no copy of the source is at hand
        folder = self._folders[name]
        try:
            if name not in self._roots:
                self._roots[name] = source(name).find_root(folder)
        except InputError:  # the copy has gone; its items are as good as before
            self._roots[name] = folder
        try:
            return source(name).find_image(self._roots[name], split, file_name)
        except InputError:  # MapIQ's own file tells where, and has gone, too
            return folder / file_name
