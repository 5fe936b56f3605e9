"""Evidence as COCO: an image for each item, a category for each role, ids in `attributes`."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchloom.builders.dragon.exchange import (
    Answer,
    ForeignBox,
    as_mapping,
    check_question,
    evidence_of,
    is_turned,
    without_unknown_region,
)
from benchloom.builders.dragon.review_log import Log
from benchloom.builders.dragon.work import ROLES, WorkItem
from benchloom.builders.errors import InputError
from benchloom.builders.files import dump_json, write_whole
from benchloom.loaders.boxes import Box, area, xyxy_from_xywh


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
        path: The file.
        names: By item the path of its picture, which becomes the `file_name`.

    Raises:
        InputError: If the annotator has reviewed nothing.
    """
    images: list[dict[str, Any]] = []
    annotations: list[dict[str, Any]] = []
    for number, (item, evidence, ambiguous, note) in enumerate(
        evidence_of(items, logs, annotator), 1
    ):
        image = item.item.image
        images.append(
            {
                "id": number,
                "file_name": names[item.id],
                "width": image.width,
                "height": image.height,
                "item": item.id,
                "sha256": image.sha256,
                "question": item.item.question,
                "answer": item.item.answer,
                "ambiguous": ambiguous,
                "note": note,
            }
        )
        annotations += [
            {
                "id": len(annotations) + place,
                "image_id": number,
                "category_id": ROLES.index(one.role) + 1,
                "bbox": list(one.bbox),
                "area": area(one.bbox),
                "iscrowd": 0,
                "attributes": {"id": one.id, "label": one.label, "region": one.region},
            }
            for place, one in enumerate(evidence, 1)
        ]
    categories = [{"id": number, "name": role} for number, role in enumerate(ROLES, 1)]
    value: dict[str, Any] = {
        "info": {} if annotator is None else {"annotator": annotator},
        "images": images,
        "annotations": annotations,
        "categories": categories,
    }
    write_whole(path, dump_json(value))
    return len(images)


def read(path: Path, items: Sequence[WorkItem], annotator: str) -> tuple[list[Answer], list[str]]:
    """Returns what a file says of each image in it, and a sentence for each that was left out.

    An image that names no item is that of the only item with its file name. An image without
    annotations says that nothing is evidence. One that has an annotation which cannot be read is
    left out as a whole; an annotation that is of no image, alone. Whose reviews they are is told by
    `info.annotator`.

    Raises:
        InputError: If the file is no COCO.
    """
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
        images, annotations = value["images"], value["annotations"]
        roles = {one["id"]: one["name"] for one in value["categories"]}
        user = str(as_mapping(value.get("info")).get("annotator") or "")
        of_image: dict[Any, list[Mapping[str, Any]]] = {one["id"]: [] for one in images}
        if not isinstance(annotations, list):
            raise TypeError
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None
    except (KeyError, TypeError, ValueError, RecursionError):
        raise InputError(
            f"{path} is no COCO: an object of images, annotations of them, and categories"
        ) from None
    answers: list[Answer] = []
    faults: list[str] = []
    for place, one in enumerate(annotations, 1):
        try:
            of_image[one["image_id"]].append(one)
        except (KeyError, TypeError):
            name = as_mapping(one).get("id", f"number {place}")
            faults.append(f"{path}, annotation {name}: its image_id is that of no image")
    for image in images:
        try:
            answers.append(_answer(_find(image, items), image, of_image[image["id"]], roles, user))
        except InputError as error:
            faults.append(f"{path}, image {image['id']}: {error}")
        except (KeyError, TypeError, ValueError):
            faults.append(f"{path}, image {image['id']}: an annotation of it is not as COCO has it")
    return answers, faults


def _find(image: Mapping[str, Any], items: Sequence[WorkItem]) -> WorkItem:
    name = image.get("item")
    if name is not None:
        found = [item for item in items if item.id == name]
    else:
        found = find_by_file_name(str(image.get("file_name")), items)
    if len(found) != 1:
        raise InputError(f"{len(found)} items of the working folder are meant")
    of = found[0].item.image
    if (image.get("width", of.width), image.get("height", of.height)) != (of.width, of.height):
        raise InputError(f"{found[0].id} has a picture of {of.width}×{of.height} pixels")
    if image.get("sha256", of.sha256) != of.sha256:
        raise InputError(f"it is about another picture than {found[0].id} has now")
    check_question(found[0], image)
    return found[0]


def find_by_file_name(name: str, items: Sequence[WorkItem]) -> list[WorkItem]:
    """Returns the items whose picture has a name: its path, the end of that, or its last part."""
    last = name.rpartition("/")[2]
    return (
        [item for item in items if item.item.image.file_name == name]
        or [item for item in items if f"/{item.item.path.as_posix()}".endswith(f"/{name}")]
        or [item for item in items if item.item.image.file_name.rpartition("/")[2] == last]
    )


def _answer(
    item: WorkItem,
    image: Mapping[str, Any],
    annotations: Sequence[Mapping[str, Any]],
    roles: Mapping[Any, str],
    user: str,
) -> Answer:
    boxes: list[ForeignBox] = []
    remarks: list[str] = []
    for one in annotations:
        x, y, width, height = (float(number) for number in one["bbox"])
        attributes = as_mapping(one.get("attributes"))
        if is_turned(attributes.get("rotation")):
            raise InputError(f"the box {one.get('id')} is turned; evidence is upright")
        if _is_shape(one.get("segmentation"), (x, y, width, height)):
            remarks.append(f"of the shape {one.get('id')} the box around it was taken")
        label, region = attributes.get("label"), attributes.get("region")
        box = ForeignBox(
            id=str(attributes.get("id") or ""),
            role=roles[one["category_id"]],
            label=label if isinstance(label, str) else None,
            bbox=(x, y, width, height),
            region=region if isinstance(region, str) else None,
        )
        boxes.append(without_unknown_region(item, box))
    note = image.get("note")
    return Answer(
        item,
        tuple(boxes),
        image.get("ambiguous") is True,
        note if isinstance(note, str) else "",
        user,
        remarks=tuple(remarks),
    )


def _is_shape(segmentation: Any, box: Box) -> bool:
    """Tells whether a segmentation is another shape than a box, which tools write as one, too."""
    if not segmentation:
        return False
    if not isinstance(segmentation, list) or len(segmentation) != 1:
        return True  # a mask, or several polygons
    flat = [float(number) for number in segmentation[0]]
    points = set(zip(flat[::2], flat[1::2], strict=True))
    left, top, right, bottom = xyxy_from_xywh(box)
    at_corners = all(
        min(abs(x - left), abs(x - right)) < 0.01 and min(abs(y - top), abs(y - bottom)) < 0.01
        for x, y in points
    )
    return not (at_corners and len(points) == 4)
