"""How well predicted boxes ground an answer: DRAGON's metrics (B.3), over many samples at once.

A sample is one question: the boxes that a model predicted and those that people verified. All boxes
are divided by the width and height of their image first, as the paper does; x to the right, y down,
coordinates continuous (see `benchloom.loaders.boxes`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from benchloom.builders.compiled import compiled

SLACK = 1e-9
"""Of every comparison with a threshold: after the division by the image's size, an IoU of exactly
one half comes out below 0.5 for most sizes."""
_FAR = 1e100
"""A coordinate beyond this, in image sizes, is moved to it, so that no area overflows."""

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class BoxSets:
    """The boxes of many samples.

    Attributes:
        boxes: xywh in pixels, one box a row, sample after sample; floats, boxes × 4.
        counts: How many boxes each sample has.
    """

    boxes: Floats
    counts: Integers

    @classmethod
    def of(cls, samples: Iterable[Sequence[Sequence[float]]]) -> BoxSets:
        """Returns the sets of lists of boxes xywh, a list for each sample."""
        lists = list(samples)
        counts = np.fromiter(map(len, lists), np.int64, len(lists))
        numbers = chain.from_iterable(chain.from_iterable(lists))
        return cls(np.fromiter(numbers, np.float64, 4 * int(counts.sum())).reshape(-1, 4), counts)


@dataclass(frozen=True)
class Grounding:
    """The metrics of each sample; all are 0 where either side of it has no box.

    Attributes:
        thresholds: The thresholds τ.
        best_iou: The best intersection over union of a predicted and a gold box; its mean is
            MP_IoU.
        union_iou: Intersection over union of all predicted and all gold boxes; its mean is G_IoU.
        precision: Part of the predicted boxes with IoU ≥ τ to any gold box; samples × thresholds.
        recall: Part of the gold boxes with IoU ≥ τ to any predicted box; samples × thresholds.
        predicted: How many predicted boxes were compared.
        gold: How many gold boxes were compared.
    """

    thresholds: tuple[float, ...]
    best_iou: Floats
    union_iou: Floats
    precision: Floats
    recall: Floats
    predicted: Integers
    gold: Integers


def measure_grounding(
    predicted: BoxSets,
    gold: BoxSets,
    sizes: ArrayLike,
    thresholds: Sequence[float] = (0.3, 0.5),
    *,
    clip: bool = False,
    drop_degenerate: bool = False,
) -> Grounding:
    """Returns the metrics of samples (B.3).

    Boxes match any to any: one predicted box may find several gold boxes. Every comparison with a
    threshold has a slack of 1e-9.

    Args:
        predicted: The boxes of a model, sample by sample.
        gold: The verified boxes, sample by sample.
        sizes: Width and height of each sample's image in pixels, samples × 2.
        thresholds: The thresholds τ, above 0 and at most 1.
        clip: Whether boxes are cut to the image first. The paper does not.
        drop_degenerate: Whether boxes without an area (after cutting) are left out. Otherwise they
            match nothing and count.
    """
    size = np.asarray(sizes, np.float64).reshape(-1, 2)
    first, of_first = _corners(predicted, size, clip, drop_degenerate)
    second, of_second = _corners(gold, size, clip, drop_degenerate)
    first_counts, second_counts = (
        np.bincount(of, minlength=len(size)) for of in (of_first, of_second)
    )
    best, found, covered = _compare_pairs(
        first, _starts(first_counts), second, _starts(second_counts), np.array(thresholds, float)
    )
    union = _compare_unions(first, _starts(first_counts), second, _starts(second_counts))
    return Grounding(
        tuple(thresholds),
        best,
        union,
        found / np.maximum(first_counts, 1)[:, None],
        covered / np.maximum(second_counts, 1)[:, None],
        first_counts,
        second_counts,
    )


def exceeds(scores: ArrayLike, threshold: float) -> Bools:
    """Returns where a score is above a threshold: the hits of MaxIoU@τ and GIoU@τ.

    Strictly above: a score that is equal up to the slack is no hit.
    """
    return np.asarray(scores) > threshold + SLACK


def f1_of_means(precision: Any, recall: Any) -> Any:
    """Returns F1 of mean precision and mean recall, 0 where both are 0; numbers or arrays."""
    total = np.asarray(precision) + np.asarray(recall)
    return 2 * precision * recall / np.where(total > 0, total, 1.0)


def _corners(
    sets: BoxSets, sizes: Floats, clip: bool, drop_degenerate: bool
) -> tuple[Floats, Integers]:
    """Returns boxes as x1, y1, x2, y2 in parts of their image, and the sample of each."""
    of_sample = np.repeat(np.arange(len(sets.counts)), sets.counts)
    corners = sets.boxes / np.tile(sizes, 2)[of_sample]
    corners[:, 2:] += corners[:, :2]
    np.clip(corners, *((0.0, 1.0) if clip else (-_FAR, _FAR)), out=corners)
    if not drop_degenerate:
        return corners, of_sample
    kept = (corners[:, 2:] > corners[:, :2]).all(axis=1)
    return corners[kept], of_sample[kept]


def _starts(counts: Integers) -> Integers:
    """Returns where the boxes of each sample begin, and the end of all."""
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(counts, dtype=np.int64)])


@compiled
def _compare_pairs(
    first: Floats,
    first_starts: Integers,
    second: Floats,
    second_starts: Integers,
    thresholds: Floats,
) -> tuple[Floats, Integers, Integers]:
    """Returns the best IoU of each sample, and how many boxes of either side reach a threshold.

    Rows s to s + 1 of the starts are sample s; the numbers of boxes are samples × thresholds.
    """
    samples, levels = len(first_starts) - 1, len(thresholds)
    best = np.zeros(samples)
    found = np.zeros((samples, levels), np.int64)
    covered = np.zeros((samples, levels), np.int64)
    best_of_second = np.zeros(len(second))
    for sample in range(samples):
        for i in range(first_starts[sample], first_starts[sample + 1]):
            highest = 0.0
            for j in range(second_starts[sample], second_starts[sample + 1]):
                # Intersection over union of two boxes, 0 where neither has an area.
                left, right = max(first[i, 0], second[j, 0]), min(first[i, 2], second[j, 2])
                top, bottom = max(first[i, 1], second[j, 1]), min(first[i, 3], second[j, 3])
                shared = max(right - left, 0.0) * max(bottom - top, 0.0)
                union = (first[i, 2] - first[i, 0]) * (first[i, 3] - first[i, 1]) - shared
                union += (second[j, 2] - second[j, 0]) * (second[j, 3] - second[j, 1])
                iou = shared / union if union > 0 else 0.0
                highest = max(highest, iou)
                best_of_second[j] = max(best_of_second[j], iou)
            best[sample] = max(best[sample], highest)
            for level in range(levels):
                found[sample, level] += highest >= thresholds[level] - SLACK
        for j in range(second_starts[sample], second_starts[sample + 1]):
            for level in range(levels):
                covered[sample, level] += best_of_second[j] >= thresholds[level] - SLACK
    return best, found, covered


@compiled
def _compare_unions(
    first: Floats, first_starts: Integers, second: Floats, second_starts: Integers
) -> Floats:
    """Returns for each sample the IoU of what the boxes of either side cover, exactly.

    All edges of a sample make a grid. Each of its columns is gone down from edge to edge of the
    boxes that span it, counting how many boxes of either side one is in.
    """
    samples = len(first_starts) - 1
    ious = np.zeros(samples)
    for sample in range(samples):
        n_first = first_starts[sample + 1] - first_starts[sample]
        n_second = second_starts[sample + 1] - second_starts[sample]
        if n_first == 0 or n_second == 0:
            continue
        n = n_first + n_second
        xs, ys = np.empty(2 * n), np.empty(2 * n)  # left or upper edges, then right or lower ones
        for box in range(n_first):
            row = first[first_starts[sample] + box]
            xs[box], ys[box], xs[n + box], ys[n + box] = row[0], row[1], row[2], row[3]
        for box in range(n_second):
            row, at = second[second_starts[sample] + box], n_first + box
            xs[at], ys[at], xs[n + at], ys[n + at] = row[0], row[1], row[2], row[3]
        across, down = _ascending(xs), _ascending(ys)
        shared = covered = 0.0
        for column in range(2 * n - 1):
            left, right = xs[across[column]], xs[across[column + 1]]
            if left == right:
                continue
            in_first = in_second = 0
            both = either = above = 0.0
            for edge in down:
                box = edge % n
                if xs[box] > left or xs[n + box] < right:
                    continue
                if in_first > 0 or in_second > 0:
                    either += ys[edge] - above
                    if in_first > 0 and in_second > 0:
                        both += ys[edge] - above
                above = ys[edge]
                step = 1 if edge < n else -1
                if box < n_first:
                    in_first += step
                else:
                    in_second += step
            shared += (right - left) * both
            covered += (right - left) * either
        if covered > 0:
            ious[sample] = shared / covered
    return ious


@compiled
def _ascending(values: Floats) -> Integers:
    """Returns the places of numbers in ascending order.

    Shell's sorting: numba's own takes seconds to compile, and plain insertion takes seconds for the
    thousands of boxes of a model that did not stop.
    """
    order = np.arange(len(values))
    gap = len(values) // 2
    while gap > 0:
        for i in range(gap, len(values)):
            place, at = order[i], i
            while at >= gap and values[order[at - gap]] > values[place]:
                order[at] = order[at - gap]
                at -= gap
            order[at] = place
        gap = 1 if gap == 2 else gap * 5 // 11
    return order
