"""What is known of a finished build of DRAGON: its size beside the paper's, and its boxes."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from statistics import median
from typing import Any

from benchloom.builders.dragon.audit import UNVERIFIED, VERIFIED_BY
from benchloom.builders.dragon.sources import SOURCES
from benchloom.builders.dragon.work import EVIDENCE_ORIGINS, ROLES
from benchloom.builders.statistics import (
    Bars,
    Beside,
    Boxes,
    Chart,
    FinishedBuild,
    Share,
    Statistics,
    Table,
)
from benchloom.loaders.boxes import area


@dataclass
class Part:
    """What is counted of one split of a source.

    Attributes:
        records: Number of records.
        pictures: The pictures they refer to.
        boxes: Number of boxes of each record.
        areas: Part of its picture that each box covers.
        roles: Number of boxes of each role.
        origins: Number of boxes of each origin.
        reasons: Number of records by what their reviews came to.
        templates: Number of records whose regions are from each template, None for the source's.
        people: Who reviewed.
    """

    records: int = 0
    pictures: set[tuple[str, str]] = field(default_factory=set)
    boxes: list[int] = field(default_factory=list)
    areas: list[float] = field(default_factory=list)
    roles: Counter[str] = field(default_factory=Counter)
    origins: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    templates: Counter[str | None] = field(default_factory=Counter)
    people: set[str] = field(default_factory=set)


class DragonStatistics(Statistics):
    """Figures of a build of DRAGON."""

    def __init__(self, build: FinishedBuild) -> None:
        self._build = build

    @cached_property
    def _parts(self) -> dict[tuple[str, str], Part]:
        return {of: _count(self._build.columns(*of)) for of in self._build.splits()}

    def tables(self) -> list[Table]:
        """Returns the composition beside the paper's Table 1, then boxes, origins and reviews."""
        return [self._composition(), self._boxes(), self._origins(), self._reviews()]

    def charts(self) -> list[Chart]:
        """Returns boxes per record and their areas, source by source."""
        parts = [(of, part) for of, part in self._parts.items() if part.areas]
        if not parts:
            return []
        names = [" ".join(of) for of, _ in parts]
        per_record: dict[str, list[float]] = {
            role: [part.roles[role] / part.records for _, part in parts] for role in ROLES
        }
        areas = {name: part.areas for name, (_, part) in zip(names, parts, strict=True)}
        bars = Bars("Boxes of a record", "source and split", "mean number", names, per_record)
        return [
            Chart(
                "evidence",
                "Evidence boxes",
                [[bars], [Boxes("Size of a box", "part of its picture", areas)]],
            )
        ]

    def _composition(self) -> Table:
        rows: list[list[Any]] = []
        totals = [0, 0, 0, 0]
        for name, of in SOURCES.items():
            test = self._parts.get((name, "test"), Part())
            rest = self._parts.get((name, "candidates"), Part())
            figures = [test.records, len(test.pictures), rest.records, len(rest.pictures)]
            totals = [total + figure for total, figure in zip(totals, figures, strict=True)]
            paper = of.paper_questions, of.paper_images
            rows.append([of.title, *_beside(figures[:2], paper), *figures[2:]])
        paper = (
            sum(of.paper_questions for of in SOURCES.values()),
            sum(of.paper_images for of in SOURCES.values()),
        )
        rows.append(["Total", *_beside(totals[:2], paper), *totals[2:]])
        return Table(
            "composition",
            "Records and pictures beside the paper's Table 1",
            ("source", "verified / paper", "pictures / paper", "candidates", "their pictures"),
            rows,
            "Verified are the records of test; pictures are those that records refer to.",
            on_card=True,
        )

    def _boxes(self) -> Table:
        rows = []
        for of, part in self._parts.items():
            ordered = sorted(part.areas)
            rows.append(
                [
                    *of,
                    sum(part.boxes),
                    sum(part.boxes) / part.records,
                    min(part.boxes),
                    max(part.boxes),
                    *(part.roles[role] for role in ROLES),
                    *(_quantile(ordered, share) for share in (0.05, 0.5, 0.95)),
                ]
            )
        return Table(
            "boxes",
            "Evidence boxes",
            (
                *("config", "split", "boxes", "per record", "least", "most", *ROLES),
                *("area 5%", "area median", "area 95%"),
            ),
            rows,
            "An area is the part of its picture that a box covers.",
        )

    def _origins(self) -> Table:
        rows = []
        for of, part in self._parts.items():
            named = [name for name in part.templates if name is not None]
            of_templates = sum(part.templates[name] for name in named)
            origins = (part.origins[origin] for origin in EVIDENCE_ORIGINS)
            rows.append([*of, *origins, len(named), of_templates])
        return Table(
            "origins",
            "How boxes came",
            ("config", "split", *EVIDENCE_ORIGINS, "templates", "records of templates"),
            rows,
        )

    def _reviews(self) -> Table:
        reasons = (*VERIFIED_BY, *UNVERIFIED)
        return Table(
            "reviews",
            "What the reviews came to, in records",
            ("config", "split", *(reason.replace("_", " ") for reason in reasons), "people"),
            [
                [*of, *(part.reasons[reason] for reason in reasons), len(part.people)]
                for of, part in self._parts.items()
            ],
        )


def _count(columns: Any) -> Part:
    part = Part(records=len(columns["id"]))
    for image, evidence, review, template in zip(
        *(columns[name] for name in ("image_ref", "evidence", "review", "template_id")),
        strict=True,
    ):
        part.pictures.add((image["split"], image["file_name"]))
        part.boxes.append(len(evidence))
        whole = image["width"] * image["height"]
        part.areas += [area(one["bbox"]) / whole for one in evidence]
        part.roles.update(one["role"] for one in evidence)
        part.origins.update(one["origin"] for one in evidence)
        part.reasons[review["reason"]] += 1
        part.templates[template] += 1
        part.people.update(review["annotators"])
    return part


def _beside(ours: Iterable[int], paper: Iterable[int]) -> list[Beside]:
    return [Beside(pair) for pair in zip(ours, paper, strict=True)]


def _quantile(ordered: Sequence[float], share: float) -> Share | None:
    """Returns a quantile of ascending numbers, the median exactly; None where there are none."""
    if not ordered:
        return None
    return Share(median(ordered) if share == 0.5 else ordered[round(share * (len(ordered) - 1))])
