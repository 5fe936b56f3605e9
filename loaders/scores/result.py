"""What scoring gives: verdicts, tables, charts, and sentences on what they can tell."""

from __future__ import annotations

import math
import os
import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchloom.builders.errors import InputError
from benchloom.builders.files import dump_json, move, sync
from benchloom.builders.statistics import Chart, Table
from benchloom.loaders.scores.printable import printable

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

SCORES, VERDICTS, REPORT = "scores.json", "verdicts.parquet", "report.html"
OUTCOMES = ("correct", "incorrect", "unparseable", "missing")
LONGEST_CELL = 200
"""Characters of a text in a table that are shown."""


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

    def table(self, name: str) -> Table:
        """Returns a table by its name.

        Raises:
            InputError: If there is none of that name.
        """
        for table in self.tables:
            if table.name == name:
                return table
        names = ", ".join(table.name for table in self.tables)
        raise InputError(f"there is no table {printable(name)}; there are {names}")

    def counts(self) -> dict[str, dict[str, int]]:
        """Returns how many verdicts of each kind each model has."""
        counted = self.verdicts.group_by(["model", "verdict"]).aggregate([([], "count_all")])
        found = {(row["model"], row["verdict"]): row["count_all"] for row in counted.to_pylist()}
        return {
            model: {outcome: found.get((model, outcome), 0) for outcome in OUTCOMES}
            for model in self.models
        }

    def to_pandas(self, table: str | None = None) -> pd.DataFrame:
        """Returns the verdicts, or a table, as a data frame; shares are numbers from 0 to 1.

        Args:
            table: Name of a table; None for the verdicts.

        Raises:
            InputError: If there is no table of that name.
        """
        if table is None:
            return self.verdicts.to_pandas()
        import pandas as pd

        named = self.table(table)
        rows = [[_raw(value) for value in row] for row in named.rows]
        return pd.DataFrame(rows, columns=list(named.head))

    def to_json(self) -> str:
        """Returns all but verdicts and pictures as JSON, which is what `scores.json` holds.

        Numbers are as they were computed, shares from 0 to 1; what is no number is null. Equal
        results give equal texts.
        """
        text = dump_json(
            _raw(
                {
                    "benchmark": self.benchmark,
                    "grader": self.grader,
                    "grader_version": self.grader_version,
                    "data": self.data,
                    "models": self.models,
                    "counts": self.counts(),
                    "tables": {
                        table.name: {
                            "title": table.title,
                            "note": table.note,
                            "head": table.head,
                            "rows": [dict(zip(table.head, row, strict=True)) for row in table.rows],
                        }
                        for table in self.tables
                    },
                    "sentences": self.sentences,
                    "remarks": self.remarks,
                }
            )
        )
        # Half of a surrogate pair, which UTF-8 cannot hold, is written as JSON escapes it.
        return text.encode("utf-8", "backslashreplace").decode()

    def to_markdown(self) -> str:
        """Returns tables, sentences and remarks as GitHub's Markdown."""
        grader = f"grader {self.grader}, version {self.grader_version}"
        parts = [f"# Scores on {_markdown(self.benchmark)}", _markdown(grader)]
        for table in self.tables:
            lines = [[*table.head], *table.texts()]
            numbers = table.numbers()
            rule = ["---:" if number else "---" for number in numbers]
            cells = [[_markdown(cell, LONGEST_CELL) for cell in line] for line in lines]
            cells.insert(1, rule)
            rows = "\n".join(f"| {' | '.join(line)} |" for line in cells)
            parts += [f"## {_markdown(table.title)}", rows]
            parts += [_markdown(table.note)] if table.note else []
        for title, said in (
            ("What the records can and cannot tell", self.sentences),
            ("Remarks", self.remarks),
        ):
            if said:
                parts += [f"## {title}", "\n".join(f"- {_markdown(one)}" for one in said)]
        return "\n\n".join(parts) + "\n"

    def write(self, folder: str | os.PathLike[str]) -> None:
        """Writes `scores.json`, `verdicts.parquet` and `report.html` into a folder.

        Files of these names are replaced; they are put there when all three are finished, so that a
        full disk leaves the old ones. Equal results give equal files.

        Args:
            folder: The folder; it is made if it is not there.

        Raises:
            InputError: If it cannot be written.
        """
        import pyarrow.parquet as pq

        from benchloom.loaders.scores.report import render_report

        to = Path(folder)
        scores, report = self.to_json(), render_report(self)
        stage = to / f".scores-{os.getpid()}.part"
        try:
            stage.mkdir(parents=True, exist_ok=True)
            try:
                (stage / SCORES).write_bytes(scores.encode())
                (stage / REPORT).write_bytes(report.encode())
                pq.write_table(self.verdicts, stage / VERDICTS, compression="zstd")
                for name in (SCORES, VERDICTS, REPORT):
                    sync(stage / name)
                    if (to / name).is_dir():
                        raise InputError(f"{to / name} is a folder, so no file can be put there")
                for name in (SCORES, VERDICTS, REPORT):
                    move(stage / name, to / name)
            finally:
                shutil.rmtree(stage, ignore_errors=True)
        except OSError as error:
            raise InputError(f"{to} cannot be written: {error.strerror or error}") from None


def _raw(value: Any) -> Any:
    """Returns a value as JSON has it: no share, no tuple, no numpy, nothing that is not finite."""
    if hasattr(value, "item"):  # a number of numpy
        value = value.item()
    if isinstance(value, bool | str | None):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): _raw(one) for key, one in value.items()}
    if isinstance(value, Sequence):
        return [_raw(one) for one in value]
    return str(value)


def _markdown(text: str, limit: int | None = None) -> str:
    """Returns a text in which nothing is markup; an underscore within a word is none."""
    shown = printable(text, limit)
    return re.sub(r"([\\`*\[\]<>|#~$&]|(?<!\w)_|_(?!\w))", r"\\\1", shown)
