"""What scoring gives: verdicts, tables, charts, and sentences on what they can tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from benchloom.builders.statistics import Chart, Table

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True)
class Exhibit:
    """A picture in a report, such as boxes on a diagram.

    Attributes:
        title: What it shows.
        caption: What is to be seen in it.
        image: PNG or JPEG bytes.
    """

    title: str
    caption: str
    image: bytes


@dataclass(frozen=True)
class Result:
    """The scores of one or several models on the same records.

    Attributes:
        benchmark: The benchmark.
        grader: The grader of the verdicts.
        grader_version: Its version.
        data: What was scored against: `name`, `scored` (configs and splits with their records),
            and of a release `version`, `commit`, `generation`, `seed`, `limit`.
        models: Names of the models, in order.
        verdicts: A row for each model and record: `model`, `id`, `config`, `split`, `extracted`
            (JSON, null where nothing was claimed), `verdict` (`correct`, `incorrect`,
            `unparseable` or `missing`), `why`; then columns of the benchmark's own.
        tables: The first is the overview, one row a model.
        charts: Charts.
        sentences: What the sample can and cannot tell.
        remarks: What was odd about the predictions: ids that are unknown, missing, twice there.
        exhibits: Pictures.
    """

    benchmark: str
    grader: str
    grader_version: str
    data: Mapping[str, Any]
    models: tuple[str, ...]
    verdicts: pa.Table
    tables: Sequence[Table]
    charts: Sequence[Chart] = ()
    sentences: Sequence[str] = ()
    remarks: Sequence[str] = ()
    exhibits: Sequence[Exhibit] = field(default=(), repr=False)
