"""A region of a diagram: its box, its name, and how it came there."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from benchloom.builders.errors import InputError
from benchloom.loaders.boxes import Box, clip

Origin = Literal["native", "homography", "similarity", "scaled", "drawn"]
"""How a box came: from the source, by one of three transfers from a template, or by hand."""
Anchor = Literal["map", "page", "none"]
"""What a region moves with: the map, the page, or nothing that is known."""
ORIGINS: tuple[Origin, ...] = get_args(Origin)
ANCHORS: tuple[Anchor, ...] = get_args(Anchor)
BOX_DECIMALS = 2
"""Decimals of a pixel that are written; what differs between processors is far smaller."""
SCORE_DECIMALS = 4
LEAST_SEEN = 4.0
"""Pixels that a region has at least each way where it is shown or becomes evidence."""


@dataclass(frozen=True)
class Region:
    """One region of one image.

    Attributes:
        id: Its name, unique in the image.
        label: What it shows, as a person would say it.
        bbox: Its box, xywh in pixels of the image.
        origin: How the box came.
        anchor: What it moves with from image to image.
        inliers: Matches that agree with the transfer; None where nothing was matched.
        score: Correlation of the edges, as the gate saw it; None where there was no gate.
        needs_redraw: Whether the box is a guess that a person has to replace.
        clipped: Whether less than a quarter of the box lay within the image.
        aliases: Other names that a question may call it by.
    """

    id: str
    label: str
    bbox: Box
    origin: Origin = "native"
    anchor: Anchor = "none"
    inliers: int | None = None
    score: float | None = None
    needs_redraw: bool = False
    clipped: bool = False
    aliases: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Returns the region as plain JSON values: box and score rounded to 2 and 4 decimals.

        Aliases are there only if it has some.
        """
        value = {
            "id": self.id,
            "label": self.label,
            "bbox": [round(number, BOX_DECIMALS) + 0.0 for number in self.bbox],  # no -0.0
            "origin": self.origin,
            "anchor": self.anchor,
            "inliers": self.inliers,
            "score": None if self.score is None else round(self.score, SCORE_DECIMALS) + 0.0,
            "needs_redraw": self.needs_redraw,
            "clipped": self.clipped,
        }
        return value | {"aliases": list(self.aliases)} if self.aliases else value

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "Region":
        """Returns the region that `to_json` wrote.

        Raises:
            InputError: If a field is missing or is not what it should be.
        """
        try:
            x, y, width, height = (float(number) for number in value["bbox"])
            region = cls(
                id=value["id"],
                label=value["label"],
                bbox=(x, y, width, height),
                origin=value["origin"],
                anchor=value["anchor"],
                inliers=value["inliers"],
                score=value["score"],
                needs_redraw=value["needs_redraw"],
                clipped=value["clipped"],
                aliases=tuple(value.get("aliases") or ()),
            )
        except KeyError as error:
            raise InputError(f"a region has no field {error.args[0]!r}") from None
        except (TypeError, ValueError):
            raise InputError(
                f"region {value.get('id')!r}: bbox must be four numbers [x, y, width, height]"
            ) from None
        if not all(isinstance(alias, str) for alias in region.aliases):
            raise InputError(f"region {region.id!r}: aliases must be a list of texts")
        for name, known, all_of_them in (
            ("origin", region.origin, ORIGINS),
            ("anchor", region.anchor, ANCHORS),
        ):
            if known not in all_of_them:
                raise InputError(
                    f"region {region.id!r}: {name} must be one of {', '.join(all_of_them)}, "
                    f"not {known!r}"
                )
        return region


def is_refused(regions: Iterable[Region]) -> bool:
    """Tells whether transferred regions come from no template that was accepted.

    They were only scaled then.
    """
    return all(region.origin == "scaled" for region in regions)


def box_to_see(box: Box, width: int, height: int) -> Box:
    """Returns the part of a box within the picture, widened where it is too thin to be a box.

    Sources give a level line of a chart as a box without height. What is seen has at least
    `LEAST_SEEN` pixels each way (or the picture's, if that is less), about the same middle.
    """
    x, y, w, h = clip(box, width, height)
    (x, w), (y, h) = _widened(x, w, width), _widened(y, h, height)
    return x, y, w, h


def _widened(start: float, length: float, whole: float) -> tuple[float, float]:
    least = min(LEAST_SEEN, whole)
    if length >= least:
        return start, length
    return min(max(start - (least - length) / 2, 0.0), whole - least), least
