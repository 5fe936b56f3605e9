"""The transfer's stages are measured; how fast they are, no test decides."""

import pytest

from benchloom.builders.dragon.bench import STAGES, bench


def test_every_stage_is_measured_and_they_add_up() -> None:
    rows = {row[0]: row for row in bench(1)}
    parts = sum(float(rows[stage][1]) for stage in (*STAGES, "rest"))
    whole = float(rows["all stages"][1])
    assert all(float(rows[stage][1]) > 0 for stage in STAGES)
    assert parts == pytest.approx(whole)
    ratio = float(rows["baseline"][1]) / whole
    assert float(rows["baseline / all stages"][1]) == pytest.approx(ratio)
    assert rows["silently wrong: auto"][1] == 0
