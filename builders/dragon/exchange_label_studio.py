"""Evidence as tasks of Label Studio: proposals as predictions, reviews as annotations.

Boxes are percent of the image, in full precision. The labelling interface that shows them is
`INTERFACE`.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from benchloom.builders.dragon.exchange import (
    Answer,
    ForeignBox,
    as_mapping,
    check_question,
    is_turned,
    without_unknown_region,
)
from benchloom.builders.dragon.exchange_owners import identify
from benchloom.builders.dragon.review_log import Decision, Log
from benchloom.builders.dragon.template_label_studio import WITHOUT_SHAPE
from benchloom.builders.dragon.work import ROLES, Evidence, WorkItem
from benchloom.builders.errors import InputError
from benchloom.builders.files import dump_json, write_whole
from benchloom.loaders.boxes import percent_from_xywh, xywh_from_percent

INTERFACE = """\
<View>
  <Header value="$question"/>
  <Text name="answer" value="$answer"/>
  <Image name="image" value="$image" zoom="true"/>
  <RectangleLabels name="role" toName="image">
    <Label value="answer" background="#1a7f37"/>
    <Label value="support" background="#cf222e"/>
  </RectangleLabels>
  <Choices name="flag" toName="image" choice="multiple"><Choice value="ambiguous"/></Choices>
  <TextArea name="note" toName="image"/>
</View>
"""
RECTANGLES = ("rectanglelabels", "rectangle")
SERVED = "/data/local-files/?d="
"""Where Label Studio serves the files of a local storage, by their paths in its document root."""


def write(
    items: Sequence[WorkItem],
    logs: Sequence[Log],
    annotator: str | None,
    path: Path,
    names: Mapping[str, str],
) -> int:
    """Writes a task for each item and returns how many; the reviews of one annotator, or of all.

    Args:
        items: The items.
        logs: The logs of all annotators.
        annotator: Whose reviews are written; None for those of all.
        path: The file.
        names: By item the path of its picture in the folder that Label Studio serves.

    Raises:
        InputError: If the annotator has reviewed nothing.
    """
    reviews = {
        log.annotator: log.last("review") for log in logs if annotator in (None, log.annotator)
    }
    if annotator is not None and not reviews.get(annotator):
        raise InputError(f"{annotator!r} has reviewed nothing")
    tasks = [
        _task(
            number,
            item,
            names[item.id],
            [of_one[item.id] for of_one in reviews.values() if item.id in of_one],
        )
        for number, item in enumerate(items, 1)
    ]
    write_whole(path, dump_json(tasks))
    return len(tasks)


def _task(number: int, item: WorkItem, name: str, reviews: Sequence[Decision]) -> dict[str, Any]:
    image = item.item.image
    return {
        "id": number,
        "data": {
            "image": f"{SERVED}{quote(name)}",
            "image_sha256": image.sha256,
            "item": item.id,
            "question": item.item.question,
            "answer": item.item.answer,
            "choices": list(item.item.choices),
        },
        "predictions": [
            {
                "model_version": "proposals",
                "result": [_result(item, one) for one in item.proposed],
            }
        ],
        "annotations": [
            {
                "created_username": review.annotator,
                "created_at": review.time,
                "was_cancelled": False,
                "result": [
                    *(_result(item, one) for one in review.evidence),
                    *_remarks(review),
                ],
            }
            for review in reviews
        ],
    }


def _result(item: WorkItem, one: Evidence) -> dict[str, Any]:
    image = item.item.image
    x, y, width, height = percent_from_xywh(one.bbox, image.width, image.height)
    return {
        "id": one.id,
        "type": "rectanglelabels",
        "from_name": "role",
        "to_name": "image",
        "original_width": image.width,
        "original_height": image.height,
        "image_rotation": 0,
        "value": {
            "x": x,
            "y": y,
            "width": width,
            "height": height,
            "rotation": 0,
            "rectanglelabels": [one.role],
        },
        "meta": {"text": [one.label], "region": one.region},
    }


def _remarks(review: Decision) -> list[dict[str, Any]]:
    """Returns the flag and the note of a review as results."""
    flag = {"from_name": "flag", "type": "choices", "value": {"choices": ["ambiguous"]}}
    note = {"from_name": "note", "type": "textarea", "value": {"text": [review.note]}}
    told = [one for one, there in ((flag, review.ambiguous), (note, review.note)) if there]
    return [{"id": one["from_name"], "to_name": "image", **one} for one in told]


def read(
    path: Path, items: Sequence[WorkItem], annotator: str, user: str | None = None
) -> tuple[list[Answer], list[str]]:
    """Returns what annotations say, and a sentence for each task that was left out.

    The only annotation of a task counts, whoever made it; of several, the last one of the user. A
    task that has none, not even a cancelled one, says nothing and is no fault.

    Args:
        path: The file.
        items: The items of the working folder.
        annotator: Who is the user, if none is named.
        user: Whose annotations alone count, as Label Studio names them.

    Raises:
        InputError: If the file is none that Label Studio exports as JSON.
    """
    try:
        tasks = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"{path} cannot be read: {error}") from None
    if not isinstance(tasks, list) or not all(isinstance(task, dict) for task in tasks):
        raise InputError(f"{path} is no list of Label Studio's tasks")
    known = {item.id: item for item in items}
    answers: list[Answer] = []
    faults: list[str] = []
    for task in tasks:
        data = as_mapping(task.get("data"))
        item = known.get(str(data.get("item")))
        where = f"{path}, task {task.get('id')}"
        if item is None:
            faults.append(f"{where}: its data names no item of the working folder")
            continue
        if data.get("image_sha256", item.item.image.sha256) != item.item.image.sha256:
            faults.append(f"{where}: it is about another picture than {item.id} has now")
            continue
        try:
            check_question(item, data)
            annotation = _choose(task.get("annotations") or [], annotator, user)
            if annotation is not None:
                answers.append(_answer(item, annotation))
        except InputError as error:
            faults.append(f"{where}: {error}")
        except (KeyError, TypeError, ValueError, AttributeError):
            faults.append(f"{where}: an annotation is not as Label Studio writes it")
    return answers, faults


def _choose(annotations: Any, annotator: str, user: str | None) -> Mapping[str, Any] | None:
    """Returns the annotation of a task that counts; None if nobody annotated it."""
    there = [one for one in annotations if not one.get("was_cancelled")]
    if not there:
        if annotations:
            raise InputError("what was annotated was cancelled (skipped)")
        return None
    if user is None and len(there) == 1:
        return as_mapping(there[0])
    wanted = annotator if user is None else user
    found = [one for one in there if wanted in (_name(one), _user(one))]
    if not found:
        names = ", ".join(dict.fromkeys(_name(one) or "a user without a name" for one in there))
        raise InputError(
            f"it was annotated by {names}, not by {wanted}; choose a user with --from-user"
        )
    return as_mapping(found[-1])


def _user(annotation: Mapping[str, Any]) -> str:
    """Returns who made an annotation, in Label Studio's own words."""
    by = annotation.get("completed_by")
    told = by.get("email") if isinstance(by, Mapping) else by
    return str(annotation.get("created_username") or told or "").strip()


def _name(annotation: Mapping[str, Any]) -> str:
    # Label Studio itself adds its number for the user: "anna, 3".
    return _user(annotation).split(",")[0].strip()


def _answer(item: WorkItem, annotation: Mapping[str, Any]) -> Answer:
    image = item.item.image
    boxes: list[ForeignBox] = []
    ambiguous, note = False, ""
    results = annotation["result"]
    if not isinstance(results, list):
        raise InputError("the result of an annotation is no list")
    for result in results:
        kind, value = result["type"], as_mapping(result.get("value"))
        if kind == "choices":
            ambiguous = ambiguous or "ambiguous" in value["choices"]
        elif kind == "textarea":
            texts = value["text"]
            note = texts if isinstance(texts, str) else "\n".join(texts)
        elif kind in RECTANGLES:
            size = result["original_width"], result["original_height"]
            if size != (image.width, image.height):
                raise InputError(f"it was drawn on a picture of {size[0]}×{size[1]} pixels")
            if is_turned(value.get("rotation")) or is_turned(result.get("image_rotation")):
                raise InputError(f"the box {result.get('id')} is turned; evidence is upright")
            if len(value.get("rectanglelabels") or ()) != 1:
                raise InputError(
                    f"the box {result.get('id')} must have one role as its label: "
                    f"{' or '.join(ROLES)}"
                )
            boxes.append(_box(item, result))
        elif kind not in WITHOUT_SHAPE:
            raise InputError(
                f"{result.get('id')} is of type {kind!r}; evidence is upright rectangles"
            )
    return Answer(
        item, tuple(boxes), ambiguous, note, _name(annotation), _identify(item, annotation)
    )


def _identify(item: WorkItem, annotation: Mapping[str, Any]) -> str:
    """Returns what tells an annotation from others, also after it was exported again.

    Its number, and the user's, change when it is imported into another project; its unique id, and
    how long its user took for it, stay.
    """
    names = ("id", "unique_id", "lead_time")
    known = {name: annotation[name] for name in names if annotation.get(name) is not None}
    user = _user(annotation)
    told = [identify(item.id, user, str(annotation.get("created_at") or ""), *known.items())]
    if unique := known.get("unique_id"):
        told.append(identify(item.id, "", "", "unique_id", unique))
    if user and known.get("lead_time"):
        told.append(identify(item.id, user, "", "lead_time", known["lead_time"]))
    return " ".join(filter(None, told))


def _box(item: WorkItem, result: Mapping[str, Any]) -> ForeignBox:
    value, meta = result["value"], as_mapping(result.get("meta"))
    numbers = [float(value[name]) for name in ("x", "y", "width", "height")]
    texts = meta.get("text")
    label = None if not texts else texts if isinstance(texts, str) else str(texts[0])
    region = meta.get("region")
    box = ForeignBox(
        id=str(result.get("id") or ""),
        role=value["rectanglelabels"][0],
        label=label,
        bbox=xywh_from_percent(numbers, item.item.image.width, item.item.image.height),
        region=region if isinstance(region, str) else None,
    )
    return without_unknown_region(item, box)
