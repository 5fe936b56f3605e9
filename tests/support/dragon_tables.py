"""What the columns of the DRAGON paper's Tables 3 to 7 are, worked out from their printed values.

    python tests/support/dragon_tables.py

A hit rate over N records is k/N with a whole k, and a value printed to 0.1% is near such a number
by chance in only two of five cases. So if all cells of a column are, with the N of Table 1, the
column holds hit rates, and every record counts, also one without a usable prediction. Columns that
hold something else serve to see what chance gives.
"""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

TABLES = Path(__file__).parents[1] / "cases" / "dragon_tables.json"
METRICS = ("MPIoU", "GIoU", "F1")
HALF_DIGIT = 0.05 + 1e-9
"""Values are printed to 0.1."""


class Cell(NamedTuple):
    """A printed value in percent and what it is of."""

    table: str
    model: str
    strategy: str | None
    source: str
    metric: str
    value: float


def read_tables(path: Path = TABLES) -> tuple[dict[str, int], list[Cell]]:
    """Returns the records of each source, and the cells of Tables 3 to 7."""
    data: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    cells = [
        Cell(name.removeprefix("table_"), row["model"], row["strategy"], source, metric, value)
        for name, rows in data.items()
        if name.startswith("table_")
        for row in rows
        for source in data["records"]
        for metric, value in zip(METRICS, row[source], strict=True)
    ]
    return data["records"], cells


def is_hit_rate(value: float, n: int) -> bool:
    """Returns whether a printed percentage is k/n, rounded, for a whole k."""
    nearest = min(max(round(value * n / 100), 0), n)
    return abs(100 * nearest / n - value) <= HALF_DIGIT


def chance(n: int) -> float:
    """Returns the share of the values 0.1, 0.2, ... 100 that are k/n, rounded."""
    return sum(is_hit_rate(tenths / 10, n) for tenths in range(1, 1001)) / 1000


def misfits(cells: Iterable[Cell], records: Mapping[str, int]) -> list[Cell]:
    """Returns the cells that are no hit rate over all records of their source."""
    return [cell for cell in cells if not is_hit_rate(cell.value, records[cell.source])]


def fitting_numbers(cells: Iterable[Cell], among: Iterable[int]) -> list[int]:
    """Returns each n for which all cells are hit rates over n records."""
    values = sorted({cell.value for cell in cells})
    return [n for n in among if all(is_hit_rate(value, n) for value in values)]


def pick(cells: Iterable[Cell], tables: str, metrics: Iterable[str] = METRICS) -> list[Cell]:
    """Returns the cells of tables (a digit each) and metrics that are not 0, which always fits."""
    wanted = tuple(metrics)
    return [c for c in cells if c.table in tables and c.metric in wanted and c.value > 0]


def main() -> None:
    """Prints what fits and what chance gives."""
    records, cells = read_tables()
    for tables, metrics, words in (
        ("67", ("MPIoU", "GIoU"), "said to be hit rates"),
        ("6", ("F1",), "F1@0.3"),
        ("7", ("F1",), "F1@0.5"),
        ("35", ("MPIoU", "GIoU"), "means of IoU"),
        ("3", ("F1",), "F1 over thresholds that are not stated"),
        ("4", METRICS, "means over strategies"),
    ):
        some = pick(cells, tables, metrics)
        fit = len(some) - len(misfits(some, records))
        expected = sum(chance(records[cell.source]) for cell in some)
        print(
            f"Table {' and '.join(tables)}, {' and '.join(metrics)} ({words}): {fit} of "
            f"{len(some)} cells above 0 are k/N; by chance about {expected:.0f}"
        )
    for cell in misfits(pick(cells, "67", ("MPIoU", "GIoU")), records):
        print(f"  does not fit: {cell}")
    for source, n in records.items():
        of_source = [c for c in pick(cells, "67", ("MPIoU", "GIoU")) if c.source == source]
        found = fitting_numbers(of_source, range(n // 2, n + 100))
        print(f"{source}: N = {n}; of {n // 2} to {n + 99} all {len(of_source)} cells fit {found}")


if __name__ == "__main__":
    main()
