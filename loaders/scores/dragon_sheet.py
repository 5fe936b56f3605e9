"""Answers to DRAGON read and measured: what its tables are made of."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from benchloom.builders.errors import InputError
from benchloom.builders.seeds import rng
from benchloom.loaders.answers.dragon import (
    CORRECT_ABOVE,
    Coordinates,
    EvidenceAnswer,
    Reader,
    read_both,
)
from benchloom.loaders.scores.grounding import (
    BoxSets,
    Grounding,
    exceeds,
    f1_of_means,
    measure_grounding,
)
from benchloom.loaders.scores.resampling import middle_of, resampled_means

if TYPE_CHECKING:
    import pyarrow as pa

Places = NDArray[np.int64]

ORDER = ("chartqa", "circuit_vqa", "infographics_vqa", "mapiq", "mapwise", "ai2d")
"""The sources in the order of the paper's tables."""
STRATEGIES = ("EDGE", "SAGE", "VERGE")
EVERYTHING = "all"
LEAST_PICTURES = 5
"""With fewer, drawing them anew tells nothing."""
MOST_CLUSTERS = 300
"""Of pictures that are drawn anew for an interval; more are put together at random into so many
groups, which are as independent as the pictures are and much faster to draw."""


@dataclass(frozen=True)
class Records:
    """The records that answers are measured against.

    Attributes:
        sizes: Width and height of each record's picture in pixels.
        gold: Their boxes.
        clusters: The picture of each record, as a number: questions on one go wrong together.
        parts: The places of the records of each source, in the paper's order; then of all, where
            there are several sources.
    """

    sizes: NDArray[np.float64]
    gold: BoxSets
    clusters: Places
    parts: Mapping[str, Places]

    @classmethod
    def of(cls, table: pa.Table) -> Records:
        """Returns the records of a table of references.

        Raises:
            InputError: If the boxes or the sizes are not there.
        """
        import pyarrow as pa
        import pyarrow.compute as pc

        for name in ("evidence", "image_ref"):
            if name not in table.column_names:
                raise InputError(f"references of dragon need the column {name}")
        image = table.column("image_ref").combine_chunks()
        sizes = np.column_stack(
            [
                pc.struct_field(image, side).cast("float64").to_numpy()
                for side in ("width", "height")
            ]
        )
        evidence = table.column("evidence").combine_chunks()
        counts = pc.fill_null(pc.list_value_length(evidence), 0).to_numpy().astype(np.int64)
        boxes = np.zeros((0, 4))
        if counts.any():
            listed = pc.struct_field(pc.list_flatten(evidence), "bbox")
            if not pc.all(pc.equal(pc.list_value_length(listed), 4)).as_py():
                raise InputError("a bbox of the references is not x, y, width and height")
            boxes = pc.list_flatten(listed).cast(pa.float64()).to_numpy().reshape(-1, 4)
        pictures = _pictures(image, table)
        numbers = {key: number for number, key in enumerate(dict.fromkeys(pictures))}
        clusters = np.array([numbers[key] for key in pictures], np.int64)
        return cls(sizes, BoxSets(boxes, counts), clusters, _parts(_sources(table)))


def _pictures(image: Any, table: pa.Table) -> list[tuple[str | None, ...]]:
    """Returns what tells pictures apart; of records that do not name theirs, the id."""
    import pyarrow.compute as pc

    fields = [image.type.field(place).name for place in range(image.type.num_fields)]
    unknown = [None] * len(image)
    splits, names = (
        pc.struct_field(image, name).to_pylist() if name in fields else unknown
        for name in ("split", "file_name")
    )
    return [
        (record,) if name is None else (source, split, name)
        for record, source, split, name in zip(
            table.column("id").to_pylist(), _sources(table), splits, names, strict=True
        )
    ]


def _sources(table: pa.Table) -> list[str]:
    name = "source" if "source" in table.column_names else "config"
    return [source or "" for source in table.column(name).to_pylist()]


def _parts(sources: Sequence[str]) -> dict[str, Places]:
    there: dict[str, list[int]] = {}
    for place, source in enumerate(sources):
        there.setdefault(source, []).append(place)
    names = [name for name in ORDER if name in there]
    names += [name for name in there if name not in ORDER]
    parts = {name: np.array(there[name], np.int64) for name in names}
    if len(parts) > 1:
        parts[EVERYTHING] = np.arange(len(sources))
    return parts


@dataclass(frozen=True)
class Sheet:
    """A model's answers, read by one reader, and how well they ground.

    Attributes:
        model: The model's name in the predictions.
        answers: What was read, None where the answer is missing; empty for a baseline.
        records: What it was measured against.
        found: The metrics of every record.
    """

    model: str
    answers: Sequence[EvidenceAnswer | None] = field(repr=False)
    records: Records = field(repr=False)
    found: Grounding = field(repr=False)

    @property
    def name(self) -> str:
        """The model's name without its strategy."""
        return split_strategy(self.model)[0]

    @property
    def strategy(self) -> str | None:
        """The strategy of its prompts, if its name tells."""
        return split_strategy(self.model)[1]

    @cached_property
    def correct(self) -> NDArray[np.bool_]:
        """Where the verdict is `correct`."""
        return exceeds(self.found.union_iou, CORRECT_ABOVE)

    @cached_property
    def summaries(self) -> dict[str, Summary]:
        """The means over each part of the records."""
        return {name: Summary.of(self, places) for name, places in self.records.parts.items()}


@dataclass(frozen=True)
class Summary:
    """Means over some records, each with its 95% interval; τ is the place of the threshold.

    Attributes:
        n: Number of records.
        best_iou: MP_IoU.
        union_iou: G_IoU.
        precision: Of each threshold.
        recall: Of each threshold.
        f1: Of the means of precision and recall, of each threshold.
        best_hits: MaxIoU@τ of each threshold.
        union_hits: GIoU@τ of each threshold.
        intervals: Of `best_iou`, `union_iou` and the F1 of each threshold, in this order; None for
            each where there are fewer than `LEAST_PICTURES` pictures, and for a baseline.
    """

    n: int
    best_iou: float
    union_iou: float
    precision: tuple[float, ...]
    recall: tuple[float, ...]
    f1: tuple[float, ...]
    best_hits: tuple[float, ...]
    union_hits: tuple[float, ...]
    intervals: tuple[tuple[float, float] | None, ...]

    @classmethod
    def of(cls, sheet: Sheet, places: Places) -> Summary:
        """Returns the means over the records at some places."""
        found = sheet.found
        best, union = found.best_iou[places], found.union_iou[places]
        values = np.vstack([best, union, found.precision[places].T, found.recall[places].T])
        # Exact sums: those of numpy differ in their last digits from processor to processor.
        best_mean, union_mean, *others = (math.fsum(row) / len(places) for row in values)
        levels = len(found.thresholds)
        precision, recall = others[:levels], others[levels:]
        return cls(
            len(places),
            best_mean,
            union_mean,
            tuple(precision),
            tuple(recall),
            tuple(f1_of_means(np.array(precision), np.array(recall)).tolist()),
            tuple(float(exceeds(best, level).mean()) for level in found.thresholds),
            tuple(float(exceeds(union, level).mean()) for level in found.thresholds),
            _intervals(values, sheet.records.clusters[places])
            if sheet.answers
            else (None,) * (2 + levels),
        )


def _intervals(
    values: NDArray[np.float64], clusters: Places
) -> tuple[tuple[float, float] | None, ...]:
    """Returns intervals by drawing pictures anew: of the first two rows and of each F1.

    Args:
        values: Best and union IoU, then precision and recall at each threshold, in rows.
        clusters: The picture of each record.
    """
    levels = (len(values) - 2) // 2
    _, clusters = np.unique(clusters, return_inverse=True)
    pictures = int(clusters.max()) + 1
    if pictures < LEAST_PICTURES:
        return (None,) * (2 + levels)
    if pictures > MOST_CLUSTERS:
        groups = rng("dragon", "groups").permutation(pictures) % MOST_CLUSTERS
        clusters = groups[clusters]
    drawn = resampled_means(values, clusters, ("dragon", "means"))
    f1 = f1_of_means(drawn[2 : 2 + levels], drawn[2 + levels :])
    return tuple(middle_of(row) for row in (*drawn[:2], *f1))


def split_strategy(model: str) -> tuple[str, str | None]:
    """Returns a model's name and the strategy that it ends in: `name/EDGE`, `name/SAGE`, ..."""
    name, _, last = model.rpartition("/")
    strategy = last.upper()
    return (name, strategy) if name and strategy in STRATEGIES else (model, None)


def read_all(
    model: str,
    responses: Sequence[str | None],
    missing: Sequence[bool],
    records: Records,
    coordinates: Coordinates,
    thresholds: Sequence[float],
) -> dict[Reader, Sheet]:
    """Returns the sheets of a model by both readers.

    Args:
        model: Its name.
        responses: Its answer to each record; None for no answer.
        missing: Where the predictions have no row at all.
        records: The records.
        coordinates: What the numbers of the answers are.
        thresholds: The thresholds τ.
    """
    none = EvidenceAnswer()
    sizes = zip(*records.sizes.T.tolist(), strict=True)
    read: list[tuple[EvidenceAnswer | None, EvidenceAnswer | None]] = [
        (None, None)
        if lacks
        else (none, none)
        if response is None
        else read_both(response, size, coordinates)
        for response, lacks, size in zip(responses, missing, sizes, strict=True)
    ]
    lenient = _sheet(model, [one for _, one in read], records, thresholds)
    if all(one is other for one, other in read):
        return {"strict": lenient, "lenient": lenient}
    strict = _sheet(model, [one for one, _ in read], records, thresholds)
    return {"strict": strict, "lenient": lenient}


def _sheet(
    model: str,
    answers: Sequence[EvidenceAnswer | None],
    records: Records,
    thresholds: Sequence[float],
) -> Sheet:
    boxes = [() if answer is None else [box.bbox for box in answer.boxes] for answer in answers]
    return measure(model, answers, BoxSets.of(boxes), records, thresholds)


def measure(
    model: str,
    answers: Sequence[EvidenceAnswer | None],
    predicted: BoxSets,
    records: Records,
    thresholds: Sequence[float],
) -> Sheet:
    """Returns the sheet of boxes; of a baseline, without answers."""
    found = measure_grounding(predicted, records.gold, records.sizes, thresholds)
    return Sheet(model, answers, records, found)
