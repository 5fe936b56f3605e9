"""The benchmark command measures what it says; how fast it is, no test decides."""

import pytest

from benchloom.builders.benchmark import benchmark


def test_every_stage_is_measured_and_they_add_up() -> None:
    stages = ("plan", "layout", "repair", "draw", "encode", "hash", "digest", "write")
    rows = {row[0]: row for row in benchmark("vga").bench(12)}
    assert set(stages) <= set(rows)
    assert all(float(row[1]) > 0 for row in rows.values())
    parts = sum(float(rows[stage][1]) for stage in stages)
    whole = float(rows["all stages"][1])
    assert parts <= whole * 1.001
    ratio = float(rows["baseline"][1]) / whole
    assert float(rows["baseline / all stages"][1]) == pytest.approx(ratio)
