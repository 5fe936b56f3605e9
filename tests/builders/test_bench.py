"""The benchmark commands measure what they say; how fast it is, no test decides."""

import pytest

from benchloom.builders.benchmark import benchmark


@pytest.mark.parametrize(
    ("name", "stages"),
    [
        ("vga", ["plan", "layout", "repair", "draw", "encode", "hash", "digest", "write"]),
        ("graphomni", ["plan", "text and columns", "digest", "write"]),
    ],
)
def test_every_stage_is_measured_and_they_add_up(name: str, stages: list[str]) -> None:
    rows = {row[0]: row for row in benchmark(name).bench(12)}
    assert set(stages) <= set(rows)
    assert all(float(row[1]) > 0 for row in rows.values())
    parts = sum(float(rows[stage][1]) for stage in stages)
    whole = float(rows["all stages"][1])
    assert parts <= whole * 1.001
    ratio = float(rows["baseline"][1]) / whole
    assert float(rows["baseline / all stages"][1]) == pytest.approx(ratio)
