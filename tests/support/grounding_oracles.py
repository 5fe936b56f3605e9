"""DRAGON's metrics once more, slowly, with shapely; and samples to compare on.

    python tests/support/grounding_oracles.py [SAMPLES]

compares all metrics on random samples with shapely, and prints the largest differences. Where
torchmetrics or supervision is installed, the IoU of single boxes is compared with theirs, too.
"""

import importlib.util
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchloom.builders.seeds import rng
from benchloom.loaders.scores.grounding import SLACK, BoxSets, Grounding, measure_grounding

THRESHOLDS = (0.1, 0.3, 0.5, 0.75, 0.9)
Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Sample:
    """Boxes xywh in pixels, and the size of their image."""

    predicted: list[Box]
    gold: list[Box]
    size: tuple[int, int]


def draw_samples(count: int, *key: str | int) -> Iterator[Sample]:
    """Yields samples of many kinds: sparse, crowded, on a coarse grid, jittered, without boxes.

    Boxes lie on each other, touch, stick out of the image, have no area, or are there twice.
    """
    random = rng("test", "grounding", *key)
    for _ in range(count):
        size = int(random.integers(2, 3000)), int(random.integers(2, 3000))
        kind = int(random.integers(0, 5))
        n_predicted, n_gold = (int(n) for n in random.integers(0, 4 if kind < 3 else 12, 2))
        gold = [_draw_box(random, size, kind) for _ in range(n_gold)]
        predicted = [_draw_box(random, size, kind) for _ in range(n_predicted)]
        if kind in (1, 3):  # most predictions are near a gold box, as those of a fair model
            spread = float(random.uniform(0, 0.3))
            for i in range(min(n_predicted, n_gold)):
                x, y, w, h = gold[i]
                a, b, c, d = random.normal(0, spread, 4).tolist()
                predicted[i] = x + a * w, y + b * h, w * (1 + abs(c)), h / (1 + abs(d))
        if kind == 4 and predicted:
            predicted.append(predicted[0])
        yield Sample(predicted, gold, size)


def _draw_box(random: np.random.Generator, size: tuple[int, int], kind: int) -> Box:
    if kind in (2, 4):  # few places, so that edges coincide and IoUs are plain fractions
        x, y, w, h = (int(n) for n in random.integers(0, 9, 4))
        return x * size[0] / 8, y * size[1] / 8, w * size[0] / 8, h * size[1] / 8
    x, y, w, h = (float(n) for n in random.uniform((-0.1, -0.1, 0, 0), (1, 1, 0.6, 0.6)))
    return x * size[0], y * size[1], w * size[0], h * size[1]


def measure_with_shapely(sample: Sample, thresholds: Sequence[float]) -> list[float]:
    """Returns best IoU, IoU of the unions, precision at each threshold and recall at each."""
    import shapely

    zeros = [0.0] * (2 + 2 * len(thresholds))
    if not sample.predicted or not sample.gold:
        return zeros
    width, height = sample.size
    predicted, gold = (
        [
            shapely.box(x / width, y / height, (x + w) / width, (y + h) / height)
            for x, y, w, h in boxes
        ]
        for boxes in (sample.predicted, sample.gold)
    )

    def iou(one: Any, other: Any) -> float:
        shared = one.intersection(other).area
        union = one.area + other.area - shared
        return shared / union if union > 0 else 0.0

    table = [[iou(one, other) for other in gold] for one in predicted]
    best_of_predicted = [max(row) for row in table]
    best_of_gold = [max(column) for column in zip(*table, strict=True)]
    merged, merged_gold = (
        shapely.union_all([polygon for polygon in polygons if polygon.area > 0])
        for polygons in (predicted, gold)
    )
    union = merged.union(merged_gold).area
    return [
        max(best_of_predicted),
        merged.intersection(merged_gold).area / union if union > 0 else 0.0,
        *(sum(one >= t - SLACK for one in best_of_predicted) / len(predicted) for t in thresholds),
        *(sum(one >= t - SLACK for one in best_of_gold) / len(gold) for t in thresholds),
    ]


def measure_samples(
    samples: Sequence[Sample], thresholds: Sequence[float], **options: bool
) -> Grounding:
    """Returns the package's metrics of samples."""
    return measure_grounding(
        BoxSets.of(sample.predicted for sample in samples),
        BoxSets.of(sample.gold for sample in samples),
        [sample.size for sample in samples],
        thresholds,
        **options,
    )


def as_rows(found: Grounding) -> np.ndarray[Any, Any]:
    """Returns metrics as `measure_with_shapely` has them, one row a sample."""
    return np.column_stack([found.best_iou, found.union_iou, found.precision, found.recall])


def largest_differences(samples: Sequence[Sample]) -> dict[str, float]:
    """Returns for each metric the largest difference between the package and shapely."""
    ours = as_rows(measure_samples(samples, THRESHOLDS))
    theirs = np.array([measure_with_shapely(sample, THRESHOLDS) for sample in samples])
    names = ["MP_IoU", "G_IoU"]
    names += [f"{letter}@{threshold:g}" for letter in "PR" for threshold in THRESHOLDS]
    return dict(zip(names, np.abs(ours - theirs).max(axis=0).tolist(), strict=True))


def compare_boxes(samples: Sequence[Sample]) -> Iterator[str]:
    """Yields how far IoUs of single boxes are from other packages', as far as they are there."""
    pairs = [
        (one, other, sample.size)
        for sample in samples
        for one in sample.predicted
        for other in sample.gold
    ]
    sizes = np.array([size for _, _, size in pairs], float)
    single = [Sample([one], [other], size) for one, other, size in pairs]
    ours = measure_samples(single, (0.5,)).best_iou
    first, second = (
        np.array([pair[side] for pair in pairs], float) / np.tile(sizes, 2) for side in (0, 1)
    )
    for boxes in (first, second):
        boxes[:, 2:] += boxes[:, :2]
    # What these packages say of two boxes without any area is not a number.
    solid = [((boxes[:, 2:] - boxes[:, :2]) > 0).all(axis=1) for boxes in (first, second)]
    for name, compare in (
        ("torchmetrics", _torchmetrics_ious),
        ("supervision", _supervision_ious),
    ):
        if importlib.util.find_spec(name) is None:
            yield f"{name}: not installed"
            continue
        theirs = compare(first, second)
        kept = solid[0] & solid[1]
        most = np.abs(ours - theirs)[kept].max()
        yield f"{name}: {kept.sum():,} pairs of boxes, largest difference {most:.1e}"


def _torchmetrics_ious(first: Any, second: Any) -> Any:
    import torch
    from torchmetrics.functional.detection import intersection_over_union

    blocks = []
    for start in range(0, len(first), 500):
        block = (torch.tensor(boxes[start : start + 500]) for boxes in (first, second))
        blocks.append(intersection_over_union(*block, aggregate=False).diagonal().numpy())
    return np.concatenate(blocks)


def _supervision_ious(first: Any, second: Any) -> Any:
    from supervision import box_iou_batch

    blocks = []
    for start in range(0, len(first), 500):
        block = (boxes[start : start + 500] for boxes in (first, second))
        blocks.append(np.diagonal(box_iou_batch(*block)))
    return np.concatenate(blocks)


def main() -> None:
    """Prints the comparisons."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    samples = list(draw_samples(count, "script"))
    boxes = sum(len(sample.predicted) + len(sample.gold) for sample in samples)
    print(f"{count:,} samples, {boxes:,} boxes")
    measure_samples(samples[:10], THRESHOLDS)
    start = time.perf_counter()
    measure_samples(samples, THRESHOLDS)
    print(f"ours: {count / (time.perf_counter() - start):,.0f} samples a second")
    for line in compare_boxes(samples[: count // 4]):
        print(line)
    if importlib.util.find_spec("shapely") is None:
        print("shapely: not installed")
        return
    start = time.perf_counter()
    for name, difference in largest_differences(samples).items():
        print(f"shapely: {name} differs by at most {difference:.1e}")
    print(f"shapely: {count / (time.perf_counter() - start):,.0f} samples a second")


if __name__ == "__main__":
    main()
