"""Files of templates: our own, and what annotation programs write.

What a file is, is seen from its content. In the formats of others a region's anchor is `page` where
its label says so (title, legend, ...), else `map`; a polygon labelled `mask` is the mask.

| format | one template per | boxes |
|---|---|---|
| our own JSON | entry of `templates` | xywh |
| drawn by hand, JSON | entry, `NAME: {image, regions}` | `bbox_xyxy` beside `label` and `anchor` |
| Label Studio, JSON | task with one annotation | xywh in percent; around what is turned or round |
| COCO, JSON | image | xywh |
| labelme, JSON | file | two corners, the points of a polygon, or around a circle |
| Pascal VOC, XML | file | xyxy: counted from 1 if in whole numbers, else continuous |
"""

import itertools
import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any
from xml.etree import ElementTree

from benchloom.builders.dragon.regions import Anchor
from benchloom.builders.dragon.template_images import ImageFinder
from benchloom.builders.dragon.template_label_studio import (
    MASK_LABEL,
    Drawn,
    floats,
    read_task,
)
from benchloom.builders.dragon.templates import (
    Polygon,
    Template,
    TemplateImage,
    TemplateRegion,
    check_ids,
)
from benchloom.builders.errors import InputError
from benchloom.loaders.boxes import (
    Box,
    box_around,
    xywh_from_pixel_numbers,
    xywh_from_xyxy,
)

PAGE_WORDS = frozenset(
    ("title", "subtitle", "caption", "source", "note", "legend", "colorbar", "header", "footer")
)
"""Labels with one of these words are of the page, not of the map."""


def read_templates(
    path: Path, finder: ImageFinder, remarks: list[str] | None = None
) -> list[Template]:
    """Returns the templates of a file, in its order.

    Args:
        path: The file.
        finder: Finds the images, of which formats that state no size need it.
        remarks: Gets a sentence for each shape that is left out, or of which the box around it is
            taken; a polygon is no such shape, for a region may be drawn as one.

    Raises:
        InputError: If the file cannot be read, is of no known format, or is not as its format says.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: is no text; a file of templates is JSON or XML") from None
    told: list[str] = []
    try:
        templates = _voc(text) if text.lstrip().startswith("<") else _json(text, finder, told)
    except KeyError as error:
        raise InputError(f"{path}: the field {error.args[0]!r} is missing") from None
    except InputError as error:
        named = str(error) if str(error).startswith(str(path)) else f"{path}: {error}"
        raise InputError(named) from None
    except RecursionError:
        raise InputError(
            f"{path}: is JSON in too many levels; is it a file of templates?"
        ) from None
    except (TypeError, ValueError, AttributeError, IndexError) as error:
        raise InputError(f"{path}: a field is not of its kind: {error}") from None
    if remarks is not None:
        remarks += [f"{path}: {words}" for words in told]
    if not templates:
        raise InputError(f"{path}: holds no template")
    check_ids(templates, str(path))
    return templates


def _without_repeats(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Returns a JSON object; of two values of one name the first would be lost without a word.

    Raises:
        InputError: If a name stands twice.
    """
    made = dict(pairs)
    if len(made) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(f"the name {twice!r} stands twice in one object; rename one of the two")
    return made


def _json(text: str, finder: ImageFinder, told: list[str]) -> list[Template]:
    try:
        value = json.loads(text, object_pairs_hook=_without_repeats)
    except json.JSONDecodeError as error:
        raise InputError(f"line {error.lineno}: is no JSON ({error.msg})") from None
    if isinstance(value, list):
        return [_label_studio(task, told) for task in value]
    if not isinstance(value, Mapping):
        raise InputError("is no file of templates")
    if "templates" in value:
        return [Template.from_json(template) for template in value["templates"]]
    if "images" in value and "annotations" in value:
        return list(_coco(value, told))
    if "shapes" in value:
        return [_labelme(value, told)]
    if value and all(isinstance(one, Mapping) and "regions" in one for one in value.values()):
        return [_by_hand(name, one, finder.read_size) for name, one in value.items()]
    raise InputError(
        "is neither a file of templates nor one of Label Studio, COCO, labelme or Pascal VOC"
    )


def _by_hand(
    name: str, value: Mapping[str, Any], read_size: Callable[[str], tuple[int, int]]
) -> Template:
    file_name = value["image"]
    width, height = read_size(file_name)
    drawn = [
        ("", one["label"], xywh_from_xyxy(floats(one["bbox_xyxy"]))) for one in value["regions"]
    ]
    anchors = [one.get("anchor") for one in value["regions"]]
    return _template(name, TemplateImage(file_name, "", width, height), drawn, (), anchors)


def _label_studio(task: Mapping[str, Any], told: list[str]) -> Template:
    image, drawn, masks = read_task(task, told)
    return _template(_stem(image.file_name), image, drawn, masks)


def _coco(value: Mapping[str, Any], told: list[str]) -> Iterator[Template]:
    labels = {one["id"]: one["name"] for one in value.get("categories", ())}
    for image in value["images"]:
        drawn: list[Drawn] = []
        masks: list[Polygon] = []
        for one in value["annotations"]:
            if one["image_id"] != image["id"]:
                continue
            label = labels[one["category_id"]]
            if label != MASK_LABEL:
                if float((one.get("attributes") or {}).get("rotation") or 0) % 360:
                    told.append(
                        f"annotation {one['id']}, {label!r}, is turned: its box is taken as it is"
                    )
                drawn.append((str(one["id"]), label, _box(floats(one["bbox"]))))
            elif not isinstance(one.get("segmentation"), list):
                raise InputError(f"annotation {one['id']}: a mask must be polygons")
            else:
                masks += [_pairs(floats(flat)) for flat in one["segmentation"]]
        size = int(image["width"]), int(image["height"])
        reference = TemplateImage(image["file_name"], "", *size)
        yield _template(_stem(reference.file_name), reference, drawn, masks)


def _labelme(value: Mapping[str, Any], told: list[str]) -> Template:
    drawn: list[Drawn] = []
    masks: list[Polygon] = []
    for number, shape in enumerate(value["shapes"], 1):
        kind = shape.get("shape_type", "polygon")
        name = f"shape {number}, the {kind} {shape['label']!r},"
        if kind not in ("rectangle", "polygon", "circle"):
            told.append(f"{name} is left out; draw a rectangle, a polygon or a circle")
            continue
        points = [(float(x), float(y)) for x, y in shape["points"]]
        if kind == "circle":
            told.append(f"{name} is taken as the box around it")
            (x, y), edge = points
            radius = math.dist((x, y), edge)
            points = [(x - radius, y - radius), (x + radius, y + radius)]
        if shape["label"] == MASK_LABEL and kind == "polygon":
            masks.append(tuple(points))
        else:
            drawn.append(("", shape["label"], box_around(points)))
    size = int(value["imageWidth"]), int(value["imageHeight"])
    image = TemplateImage(PureWindowsPath(value["imagePath"]).as_posix(), "", *size)
    return _template(_stem(image.file_name), image, drawn, masks)


def _voc(text: str) -> list[Template]:
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise InputError(f"is no XML ({error})") from None
    if root.tag != "annotation":
        raise InputError(f"is no annotation of Pascal VOC: it begins with <{root.tag}>")
    corners = [
        [_child(one, f"bndbox/{name}") for name in ("xmin", "ymin", "xmax", "ymax")]
        for one in root.findall("object")
    ]
    whole = all(re.fullmatch(r"\s*\d+\s*", number) for box in corners for number in box)
    convert = xywh_from_pixel_numbers if whole else xywh_from_xyxy
    labels = [_child(one, "name") for one in root.findall("object")]
    drawn = [("", label, convert(floats(box))) for label, box in zip(labels, corners, strict=True)]
    size = int(_child(root, "size/width")), int(_child(root, "size/height"))
    image = TemplateImage(_child(root, "filename"), "", *size)
    return [_template(_stem(image.file_name), image, drawn, ())]


def _child(of: ElementTree.Element, name: str) -> str:
    text = of.findtext(name)
    if not text:
        raise InputError(f"<{of.tag}> has no {name}")
    return text


def _template(
    name: str,
    image: TemplateImage,
    drawn: Sequence[Drawn],
    masks: Sequence[Polygon],
    anchors: Sequence[Anchor | None] | None = None,
) -> Template:
    """Returns a template of what was drawn; ids that are missing are made of the labels."""
    regions: list[TemplateRegion] = []
    taken = {given for given, _, _ in drawn if given}
    for number, (given, label, box) in enumerate(drawn):
        if not isinstance(label, str):
            raise InputError(f"template {name!r}: a label is no text")
        names = (f"{label}-{again}" if again > 1 else label for again in itertools.count(1))
        made = given or next(one for one in names if one not in taken)
        taken.add(made)
        stated = anchors[number] if anchors else None
        regions.append(TemplateRegion(made, label, box, stated or _anchor(label)))
    return Template(name, image, tuple(regions), tuple(masks))


def _anchor(label: str) -> Anchor:
    return "page" if PAGE_WORDS & set(re.findall(r"[a-z]+", label.lower())) else "map"


def _stem(file_name: str) -> str:
    return PurePosixPath(file_name).stem


def _box(numbers: Sequence[float]) -> Box:
    x, y, width, height = numbers
    return x, y, width, height


def _pairs(flat: Sequence[float]) -> Polygon:
    return tuple(zip(flat[::2], flat[1::2], strict=True))
