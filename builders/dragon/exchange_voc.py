"""Evidence as Pascal VOC: a folder with an XML file for each item, objects named by their role.

Boxes are written with decimals, as continuous corners. Files in whole numbers count the pixels from
1, both ends included, and are read so. There is no place for ids, labels and flags: what is still
where a proposal was gets its id and label back, and the rest is new.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from xml.etree import ElementTree

from benchloom.builders.dragon.exchange import Answer, ForeignBox, evidence_of
from benchloom.builders.dragon.exchange_coco import find_by_file_name
from benchloom.builders.dragon.review_log import Log
from benchloom.builders.dragon.work import Evidence, WorkItem
from benchloom.builders.errors import InputError
from benchloom.builders.files import write_whole
from benchloom.loaders.boxes import xywh_from_pixel_numbers, xywh_from_xyxy, xyxy_from_xywh

CORNERS = ("xmin", "ymin", "xmax", "ymax")


def write(
    items: Sequence[WorkItem],
    logs: Sequence[Log],
    annotator: str | None,
    path: Path,
    names: Mapping[str, str],
) -> int:
    """Writes the reviews of an annotator, or else the proposals; returns how many items.

    Args:
        items: The items.
        logs: The logs of all annotators.
        annotator: Whose reviews are written; None for the proposals.
        path: The folder.
        names: By item the path of its picture.

    Raises:
        InputError: If the annotator has reviewed nothing, or the folder holds something already:
            files of before would be read as new.
    """
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise InputError(f"{path} exists; name a new or empty folder")
    path.mkdir(parents=True, exist_ok=True)
    found = evidence_of(items, logs, annotator)
    for number, (item, evidence, _, _) in enumerate(found, 1):
        name = re.sub(r"[^A-Za-z0-9._-]", "_", item.id)[:120]
        write_whole(path / f"{number:05d}-{name}.xml", _xml(item, evidence, names[item.id]))
    return len(found)


def _xml(item: WorkItem, evidence: Sequence[Evidence], picture: str) -> str:
    image = item.item.image
    root = ElementTree.Element("annotation")
    _add(root, "folder", image.split)
    _add(root, "filename", image.file_name)
    _add(root, "path", picture)
    source = ElementTree.SubElement(root, "source")
    _add(source, "database", item.item.source)
    _add(source, "annotation", item.id)
    size = ElementTree.SubElement(root, "size")
    for name, number in (("width", image.width), ("height", image.height), ("depth", 3)):
        _add(size, name, str(number))
    _add(root, "segmented", "0")
    for one in evidence:
        thing = ElementTree.SubElement(root, "object")
        for name, text in (("name", one.role), ("pose", "Unspecified"), ("truncated", "0")):
            _add(thing, name, text)
        _add(thing, "difficult", "0")
        box = ElementTree.SubElement(thing, "bndbox")
        for name, corner in zip(CORNERS, xyxy_from_xywh(one.bbox), strict=True):
            _add(box, name, f"{corner:.4f}")
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode") + "\n"


def _add(to: ElementTree.Element, name: str, text: str) -> None:
    ElementTree.SubElement(to, name).text = text


def read(path: Path, items: Sequence[WorkItem], annotator: str) -> tuple[list[Answer], list[str]]:
    """Returns what the files of a folder say, and a sentence for each that was left out.

    A file that names no item is about the only item with its picture's file name.

    Raises:
        InputError: If the folder holds no XML file.
    """
    files = [path] if path.is_file() else sorted(path.glob("*.xml"))
    if not files:
        raise InputError(f"{path} holds no .xml file")
    answers: list[Answer] = []
    faults: list[str] = []
    for file in files:
        try:
            answers.append(_answer(file, items))
        except (InputError, OSError) as error:
            faults.append(f"{file}: {error}")
        except (ElementTree.ParseError, ValueError):
            faults.append(f"{file}: is no annotation of Pascal VOC")
    return answers, faults


def _answer(file: Path, items: Sequence[WorkItem]) -> Answer:
    root = ElementTree.fromstring(file.read_bytes())
    name = root.findtext("source/annotation")
    found = [item for item in items if item.id == name] or find_by_file_name(
        root.findtext("filename") or "", items
    )
    if len(found) != 1:
        raise InputError(f"{len(found)} items of the working folder are meant")
    image = found[0].item.image
    size = root.findtext("size/width"), root.findtext("size/height")
    if size != (str(image.width), str(image.height)):
        raise InputError(f"{found[0].id} has a picture of {image.width}×{image.height} pixels")
    things = root.findall("object")
    corners = [[one.findtext(f"bndbox/{name}") or "" for name in CORNERS] for one in things]
    whole = all(re.fullmatch(r"\s*\d+\s*", number) for box in corners for number in box)
    convert = xywh_from_pixel_numbers if whole else xywh_from_xyxy
    boxes = [
        ForeignBox("", one.findtext("name") or "", None, convert(map(float, box)))
        for one, box in zip(things, corners, strict=True)
    ]
    return Answer(found[0], tuple(boxes))
