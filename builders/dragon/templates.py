"""Templates: images whose regions people have drawn, from which others get theirs.

A template holds boxes and what identifies its image, never the image: that is in the user's copy of
the source. A file of templates is JSON:

    {"templates": [{
      "id": "usa",
      "image": {"file_name": "images/map_1.png", "sha256": "9f86...", "width": 1000, "height": 600},
      "regions": [{"id": "WA", "label": "WA", "aliases": ["Washington"],
                   "bbox": [178, 78, 90, 68], "anchor": "map"}, ...],
      "mask": [[[140, 70], [860, 70], [860, 530], [140, 530]]],
      "gate": 0.5}, ...]}

`bbox` is x, y, width, height in pixels; `anchor` says what a region moves with: the `map`, the
`page`, or nothing that is known (`none`). `mask`, polygons around the map, may be left out: then it
is the convex hull of the regions that move with the map, without the others. `gate` may be left out
(0.5); hatched maps, whose fills differ from map to map, may need 0.3.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchloom.builders.dragon.gate import GATE
from benchloom.builders.dragon.regions import ANCHORS, Anchor
from benchloom.builders.errors import InputError
from benchloom.builders.files import dump_json, write_whole
from benchloom.loaders.boxes import Box, box_around, clip, corners, xyxy_from_xywh

Polygon = tuple[tuple[float, float], ...]
OVERHANG = 1.0
"""Pixels by which a drawn box may leave its image; it is clipped then."""


@dataclass(frozen=True)
class TemplateImage:
    """What identifies the image of a template.

    Attributes:
        file_name: Its path, relative to a folder of images or to the file of templates.
        sha256: Of its bytes, hexadecimal; "" where the annotation's format has none.
        width: In pixels.
        height: In pixels.
    """

    file_name: str
    sha256: str
    width: int
    height: int


@dataclass(frozen=True)
class TemplateRegion:
    """One region of a template.

    Attributes:
        id: Its name, unique in the template.
        label: What it shows.
        aliases: Other names that a question may call it by.
        bbox: Its box, xywh in pixels.
        anchor: What it moves with.
    """

    id: str
    label: str
    bbox: Box
    anchor: Anchor = "map"
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True)
class Template:
    """An image whose regions people have drawn.

    Attributes:
        id: Its name.
        image: Its image.
        regions: Its regions, in the order they were drawn.
        mask: Polygons around the map, in pixels; none for the hull of the regions on the map.
        gate: Least correlation of edges at which a target is accepted, 0 to 1.
    """

    id: str
    image: TemplateImage
    regions: tuple[TemplateRegion, ...]
    mask: tuple[Polygon, ...] = ()
    gate: float = GATE

    def __post_init__(self) -> None:
        where = f"template {self.id!r}"
        if self.image.width < 1 or self.image.height < 1:
            raise InputError(f"{where}: its image has no width or height")
        if not self.regions:
            raise InputError(f"{where} has no regions")
        if not 0 <= self.gate <= 1:
            raise InputError(f"{where}: gate must be a number from 0 to 1, not {self.gate}")
        seen: set[str] = set()
        for region in self.regions:
            if region.id in seen:
                raise InputError(f"{where}: two regions have the id {region.id!r}")
            seen.add(region.id)
            self._check(region)
        for polygon in self.mask:
            if len(polygon) < 3 or not np.isfinite(polygon).all():
                raise InputError(f"{where}: a polygon of the mask needs three points or more")

    def _check(self, region: TemplateRegion) -> None:
        where = f"template {self.id!r}, region {region.id!r}"
        if region.anchor not in ANCHORS:
            raise InputError(
                f"{where}: anchor must be one of {', '.join(ANCHORS)}, not {region.anchor!r}"
            )
        left, top, right, bottom = xyxy_from_xywh(region.bbox)
        if not np.isfinite(region.bbox).all() or right <= left or bottom <= top:
            raise InputError(f"{where}: its box {_numbers(region.bbox)} has no area")
        width, height = self.image.width, self.image.height
        outside = max(-left, -top, right - width, bottom - height)
        if outside > OVERHANG:
            raise InputError(
                f"{where}: its box {_numbers(region.bbox)} (x, y, width, height) leaves the image "
                f"of {width} × {height} pixels"
            )

    def boxes(self) -> dict[str, Box]:
        """Returns the box of each region by its id, clipped to the image."""
        size = self.image.width, self.image.height
        return {region.id: clip(region.bbox, *size) for region in self.regions}

    def extent(self) -> Box | None:
        """Returns the box around all regions that move with the map, None if there are none."""
        boxes = self.boxes()
        points = [
            point
            for region in self.regions
            if region.anchor == "map"
            for point in corners(boxes[region.id])
        ]
        return box_around(points) if points else None

    def draw_mask(self, shape: tuple[int, int]) -> NDArray[np.uint8]:
        """Returns where the map is: 255 there, 0 elsewhere.

        Args:
            shape: Rows and columns of the picture, which may be scaled.
        """
        import cv2

        mask = np.zeros(shape, np.uint8)
        scale = np.array([shape[1] / self.image.width, shape[0] / self.image.height])
        boxes = self.boxes()
        if self.mask:
            for polygon in self.mask:
                cv2.fillPoly(mask, [_pixels(polygon, scale)], 255)
            return mask
        on_map = [corners(boxes[region.id]) for region in self.regions if region.anchor == "map"]
        if on_map:
            hull = cv2.convexHull(_pixels([point for box in on_map for point in box], scale))
            cv2.fillConvexPoly(mask, hull, 255)
        for region in self.regions:
            if region.anchor != "map":
                cv2.fillPoly(mask, [_pixels(corners(boxes[region.id]), scale)], 0)
        return mask

    def to_json(self) -> dict[str, Any]:
        """Returns the template as plain JSON values."""
        return {
            "id": self.id,
            "image": asdict(self.image),
            "regions": [
                {
                    "id": region.id,
                    "label": region.label,
                    "aliases": list(region.aliases),
                    "bbox": list(region.bbox),
                    "anchor": region.anchor,
                }
                for region in self.regions
            ],
            "mask": [[list(point) for point in polygon] for polygon in self.mask],
            "gate": self.gate,
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "Template":
        """Returns the template that `to_json` wrote.

        Raises:
            InputError: If a field is missing or is not what it should be.
        """
        name = value.get("id")
        try:
            image = value["image"]
            return cls(
                id=_text(value["id"]),
                image=TemplateImage(
                    _text(image["file_name"]),
                    _text(image["sha256"]),
                    int(image["width"]),
                    int(image["height"]),
                ),
                regions=tuple(_region(region) for region in value["regions"]),
                mask=tuple(_polygon(points) for points in value.get("mask") or ()),
                gate=float(value.get("gate", GATE)),
            )
        except KeyError as error:
            raise InputError(f"template {name!r} lacks the field {error.args[0]!r}") from None
        except (TypeError, ValueError, AttributeError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError(f"template {name!r} has a field of another kind: {error}") from None


def find_repeated_labels(template: Template) -> list[str]:
    """Returns a sentence for each label that several regions of a template have."""
    ids: dict[str, list[str]] = {}
    for region in template.regions:
        ids.setdefault(region.label, []).append(region.id)
    return [
        f"template {template.id!r}: {len(those)} regions are called {label!r} "
        f"({', '.join(those)}): a question that names it means all of them; rename others"
        for label, those in ids.items()
        if len(those) > 1
    ]


def write_templates(path: Path, templates: Sequence[Template]) -> None:
    """Writes a file of templates.

    Raises:
        OSError: If it cannot be written; what stood there is then untouched.
    """
    value = {"templates": [template.to_json() for template in templates]}
    write_whole(path, dump_json(value))


def check_ids(templates: Iterable[Template], where: str) -> None:
    """Refuses two templates of one id.

    Raises:
        InputError: If there are two.
    """
    seen: set[str] = set()
    for template in templates:
        if template.id in seen:
            raise InputError(f"{where}: two templates have the id {template.id!r}; rename one")
        seen.add(template.id)


def _region(value: Mapping[str, Any]) -> TemplateRegion:
    x, y, width, height = (float(number) for number in value["bbox"])
    return TemplateRegion(
        id=_text(value["id"]),
        label=_text(value["label"]),
        bbox=(x, y, width, height),
        anchor=value.get("anchor", "map"),
        aliases=tuple(_text(alias) for alias in value.get("aliases") or ()),
    )


def _polygon(points: Iterable[Iterable[float]]) -> Polygon:
    try:
        return tuple((float(x), float(y)) for x, y in points)
    except TypeError:
        raise TypeError(
            "the mask must be a list of polygons, each a list of points: [[[x, y], ...], ...]"
        ) from None


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return value


def _pixels(points: Iterable[Iterable[float]], scale: NDArray[np.float64]) -> NDArray[np.int32]:
    """Returns continuous points of the whole image as pixels of the scaled one."""
    scaled = np.array([list(point) for point in points]) * scale - 0.5
    return np.rint(scaled).astype(np.int32)


def _numbers(box: Box) -> str:
    return "[" + ", ".join(f"{number:g}" for number in box) + "]"
