"""Regions for an image, transferred from a template (3.1, 3.2).

`paper` is the paper's recipe: keypoints on gray, one homography by RANSAC, the axis-aligned box
around each warped box, proportional scaling where no homography can be had; nothing is doubted.
`auto` matches edges inside the map alone, prefers a similarity, looks at the geometry, and accepts
only what the gate confirms; else the boxes are scaled and marked to be drawn anew.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from benchloom.builders.dragon.features import (
    NO_KEYPOINTS,
    Detector,
    Keypoints,
    Picture,
    decode_image,
    find_keypoints,
    find_plain_keypoints,
    match_keypoints,
    match_order,
    prepare,
    read_image_size,
)
from benchloom.builders.dragon.gate import (
    MOST_DOUBTED,
    Comparison,
    accepts,
    compare,
    lay_mask,
    soften,
)
from benchloom.builders.dragon.homography import Fit, Matrix, find_similarity, fit, warp_box
from benchloom.builders.dragon.regions import Origin, Region
from benchloom.builders.dragon.templates import Template
from benchloom.builders.dragon.transfers import Method, Transfer
from benchloom.loaders.boxes import Box, area, clip

LEAST_LEFT = 0.25
"""Part of a box that must lie within the image, or the region is marked as clipped."""
PAPER_DISTANCE = 5.0
"""Pixels within which a match agrees with the paper's homography: OpenCV's usual choice."""
HOMOGRAPHY_POINTS = 4


@dataclass(frozen=True, eq=False)
class PreparedTemplate:
    """A template with its image made ready for matching; keypoints are found when asked for."""

    template: Template
    picture: Picture
    _found: dict[str, Keypoints] = field(default_factory=dict)

    @cached_property
    def mask(self) -> NDArray[np.uint8]:
        """Where the map is: 255 there, 0 elsewhere."""
        rows, columns = self.picture.edges.shape
        return self.template.draw_mask((rows, columns))

    def keypoints(self, detector: Detector) -> Keypoints:
        """Returns the keypoints on the edges of the map."""
        if detector not in self._found:
            mask = self.mask
            self._found[detector] = (
                find_keypoints(self.picture.edges, detector, mask) if mask.any() else NO_KEYPOINTS
            )
        return self._found[detector]

    def keypoints_on_gray(self) -> Keypoints:
        """Returns the keypoints of the whole image in gray, as the paper's recipe has them."""
        if "gray" not in self._found:
            self._found["gray"] = find_plain_keypoints(self.picture.gray)
        return self._found["gray"]


@dataclass(frozen=True, eq=False)
class Candidate:
    """What came of one template.

    Attributes:
        source: The template.
        detector: Of its keypoints.
        reason: Why it was not accepted, "" if it was.
        fitted: The transformation, if there is one.
        score: The correlation of the edges over the map.
        judged: The correlation at each region on the map, and whether the region is in doubt.
    """

    source: PreparedTemplate
    detector: Detector
    reason: str = ""
    fitted: Fit | None = None
    score: float | None = None
    judged: Mapping[str, tuple[float, bool]] = field(default_factory=dict)

    @property
    def rank(self) -> tuple[bool, float, int]:
        """What the best is chosen by: accepted ones first, then the edges, then the matches."""
        score = -1.0 if self.score is None else self.score
        return not self.reason, score, self.fitted.inliers if self.fitted else 0


def prepare_template(template: Template, path: Path) -> PreparedTemplate:
    """Returns a template made ready, from the path of its image.

    Raises:
        UndecodableError: If that is no image.
    """
    content = path.read_bytes()
    return PreparedTemplate(template, prepare(decode_image(content), read_image_size(content)))


def transfer(
    content: bytes,
    source: str,
    file_name: str,
    templates: Sequence[PreparedTemplate],
    method: Method = "auto",
) -> Transfer:
    """Returns the regions of one image, from the best of some templates.

    Args:
        content: The bytes of the image's file.
        source: The source that the image is of.
        file_name: What the image is called in the result.
        templates: The templates, at least one; the first of equally good ones is taken.
        method: `auto` or `paper`.

    Raises:
        UndecodableError: If it is no image.
    """
    picture = prepare(decode_image(content), read_image_size(content))
    sha256 = hashlib.sha256(content).hexdigest()
    found = (_auto if method == "auto" else _paper)(picture, templates)
    accepted = not found.reason
    fitted = found.fitted if accepted else None
    template = found.source.template
    return Transfer(
        source,
        file_name,
        sha256,
        picture.width,
        picture.height,
        method,
        status="placed" if accepted else "flagged",
        template_id=template.id,
        origin=fitted.model if fitted else "scaled",
        detector=found.detector,
        inliers=found.fitted.inliers if found.fitted else None,
        score=found.score,
        reason=found.reason,
        regions=place_regions(found.source, picture, fitted, found.judged, method),
        left_out=tuple(
            region.id for region in template.regions if method == "auto" and region.anchor == "none"
        ),
    )


def _auto(picture: Picture, templates: Sequence[PreparedTemplate]) -> Candidate:
    softened = soften(picture.edges)
    best: list[Candidate] = []
    detectors: tuple[Detector, ...] = get_args(Detector)
    for detector in detectors:
        keypoints = find_keypoints(picture.edges, detector)
        tried = [_try(softened, keypoints, one, detector) for one in templates]
        best.append(max(tried, key=lambda one: one.rank))  # the first of equals
        if not best[-1].reason:
            return _alone(best[-1], softened, keypoints)
    return max(best, key=lambda one: one.rank)


def _alone(found: Candidate, softened: NDArray[np.uint8], keypoints: Keypoints) -> Candidate:
    """Returns an accepted candidate, refused if the picture shows its map a second time.

    The map is looked for again among the keypoints that are not on it. A few matches that agree
    are enough there, for it is the gate that tells.
    """
    source, detector = found.source, found.detector
    extent = source.template.extent()
    if found.fitted is None or keypoints.descriptors is None or extent is None:
        return found
    covered = lay_mask(source.mask, found.fitted.matrix, softened.shape)
    columns, rows = np.floor(keypoints.points).astype(int).T
    free = ~covered[rows.clip(0, covered.shape[0] - 1), columns.clip(0, covered.shape[1] - 1)]
    others = Keypoints(keypoints.points[free], keypoints.descriptors[free])
    # From the picture to the template, where no keypoint has an equal: each copy matches it then,
    # while two copies that are left would each make the matches with the other ambiguous.
    targets, points = match_keypoints(
        others, source.keypoints(detector), detector, one_to_one=False
    )
    order = match_order(points, targets)
    matrix = find_similarity(points[order], targets[order], _scaled(extent, source.picture.scale))
    if matrix is None:
        return found
    comparison = compare(source.picture.edges, source.mask, softened, matrix)
    if accepts(comparison, "similarity", source.template.gate):
        return found
    return replace(found, reason="the map is in the image more than once: which is meant is open")


def _try(
    softened: NDArray[np.uint8],
    keypoints: Keypoints,
    source: PreparedTemplate,
    detector: Detector,
) -> Candidate:
    extent = source.template.extent()
    if extent is None:
        return Candidate(source, detector, "the template has no region that is on the map")
    own = source.keypoints(detector)
    points, targets = match_keypoints(own, keypoints, detector)
    fitted = fit(points, targets, _scaled(extent, source.picture.scale), own.points)
    if isinstance(fitted, str):
        return Candidate(source, detector, fitted)
    comparison = compare(source.picture.edges, source.mask, softened, fitted.matrix)
    reason = accepts(comparison, fitted.model, source.template.gate)
    judged = {} if reason else _judge(source, fitted, comparison)
    doubted = sum(doubt for _, doubt in judged.values())
    if doubted > MOST_DOUBTED * len(judged):
        reason = f"{doubted} of {len(judged)} regions would fit better elsewhere"
    return Candidate(source, detector, reason, fitted, comparison.score, judged)


def _judge(
    source: PreparedTemplate, fitted: Fit, comparison: Comparison
) -> dict[str, tuple[float, bool]]:
    """Returns what the gate says of each region on the map."""
    boxes = source.template.boxes()
    moved = {
        region.id: warp_box(fitted.matrix, _scaled(boxes[region.id], source.picture.scale))
        for region in source.template.regions
        if region.anchor == "map"
    }
    return {
        name: (0.0, True) if box is None else comparison.judge(box) for name, box in moved.items()
    }


def _paper(picture: Picture, templates: Sequence[PreparedTemplate]) -> Candidate:
    """Returns what the paper's recipe gives; of several templates, that with most inliers."""
    import cv2

    keypoints = find_plain_keypoints(picture.gray)
    tried = []
    for source in templates:
        points, targets = match_keypoints(
            source.keypoints_on_gray(), keypoints, "sift", one_to_one=False
        )
        matrix, agrees = None, None
        if len(points) >= HOMOGRAPHY_POINTS:
            matrix, agrees = cv2.findHomography(points, targets, cv2.RANSAC, PAPER_DISTANCE)
        if matrix is None or agrees is None:
            reason = f"{len(points)} keypoints match, on which no homography fits"
            tried.append(Candidate(source, "sift", reason))
        else:
            fitted = Fit("homography", matrix, int(agrees.sum()))
            tried.append(Candidate(source, "sift", fitted=fitted))
    return max(tried, key=lambda one: one.rank)


def place_regions(
    source: PreparedTemplate,
    picture: Picture,
    fitted: Fit | None,
    judged: Mapping[str, tuple[float, bool]] = MappingProxyType({}),
    method: Method = "auto",
) -> tuple[Region, ...]:
    """Returns the template's regions on a target.

    Regions on the map are warped; those of the page, and all where there is no transformation, are
    scaled by W_s / W_t and H_s / H_t and marked to be drawn anew. What has no known place (`none`)
    is left out. The paper's recipe warps or scales all alike.

    Args:
        source: The template.
        picture: The target.
        fitted: The accepted transformation between the scaled pictures, None if there is none.
        judged: What the gate says of regions: the correlation there, and whether it is in doubt.
        method: `auto` or `paper`.
    """
    template = source.template
    boxes = template.boxes()
    size = picture.width, picture.height
    stretch = np.array([size[0] / template.image.width, size[1] / template.image.height])
    matrix = None if fitted is None else _between_whole(fitted.matrix, source.picture, picture)
    placed = []
    for region in template.regions:
        if method == "auto" and region.anchor == "none":
            continue
        box: Box | None = None
        origin: Origin = "scaled"
        score, doubted = None, False
        if fitted and matrix is not None and (method == "paper" or region.anchor == "map"):
            box, origin = warp_box(matrix, boxes[region.id]), fitted.model
            score, doubted = judged.get(region.id, (None, False))
        if box is None:
            box, origin, score = _scaled(boxes[region.id], stretch), "scaled", None
        inside = clip(box, *size)
        placed.append(
            Region(
                region.id,
                region.label,
                inside,
                origin,
                region.anchor,
                inliers=fitted.inliers if fitted and origin != "scaled" else None,
                score=score,
                needs_redraw=origin == "scaled" or doubted,
                clipped=area(inside) < LEAST_LEFT * area(box),
                aliases=region.aliases,
            )
        )
    return tuple(placed)


def _between_whole(matrix: Matrix, source: Picture, target: Picture) -> Matrix:
    """Returns a transformation between scaled pictures as one between the whole images."""
    shrink = np.diag([*source.scale, 1.0])
    grow = np.diag([*(1 / target.scale), 1.0])
    return np.asarray(grow @ matrix @ shrink)


def _scaled(box: Box, scale: NDArray[np.float64]) -> Box:
    x, y, width, height = box
    along, down = float(scale[0]), float(scale[1])
    return x * along, y * down, width * along, height * down
