"""The gate's correlation."""

from typing import Any

import numpy as np
import pytest

from benchloom.builders.dragon.drawn_maps import Look, draw_map
from benchloom.builders.dragon.features import prepare
from benchloom.builders.dragon.gate import GATE, accepts, compare, correlation, soften
from benchloom.builders.seeds import rng

SMALL: dict[str, Any] = {
    "width": 500, "height": 310, "scale": 0.5, "left": 40, "top": 50, "legend_left": 405,
}  # fmt: skip


def compared(country: int, shift: tuple[float, float] = (0, 0), **look: Any) -> Any:
    drawn = draw_map(1, Look(**SMALL))
    source = prepare(drawn.image)
    target = prepare(draw_map(country, Look(**{**SMALL, **look})).image)
    mask = drawn.template("t").draw_mask(source.edges.shape)  # type: ignore[arg-type]
    matrix = np.array([[1, 0, shift[0]], [0, 1, shift[1]], [0, 0, 1]], float)
    return compare(source.edges, mask, soften(target.edges), matrix)


@pytest.mark.parametrize("size", [2, 3, 100, 100_000])
def test_correlation_is_pearson_s(size: int) -> None:
    random = rng("test", "correlation", size)
    one = random.integers(0, 256, size, dtype=np.uint8)
    other = (one // 2 + random.integers(0, 100, size)).astype(np.uint8)
    assert correlation(one, other) == pytest.approx(np.corrcoef(one, other)[0, 1])
    assert correlation(one, one) == pytest.approx(1)
    assert correlation(one, 255 - one) == pytest.approx(-1)


@pytest.mark.parametrize("value", [0, 1, 255])
@pytest.mark.parametrize("size", [0, 1, 7, 1_000_003])
def test_constant_arrays_do_not_correlate(value: int, size: int) -> None:
    flat = np.full(size, value, np.uint8)
    assert correlation(flat, flat) == 0
    assert correlation(flat, np.arange(size).astype(np.uint8)) == 0


def test_order_of_summation_changes_no_bit() -> None:
    random = rng("test", "order")
    one = random.integers(0, 256, 50_000, dtype=np.uint8)
    other = random.integers(0, 256, 50_000, dtype=np.uint8)
    order = random.permutation(50_000)
    assert correlation(one, other) == correlation(one[order], other[order])


@pytest.mark.parametrize(
    "look", [{}, {"colours": 5}, {"labels": False, "colours": 3}, {"left": 46.0, "top": 45.0}]
)
def test_right_places_are_accepted(look: dict[str, Any]) -> None:
    shift = look.get("left", 40) - 40, look.get("top", 50) - 50
    comparison = compared(1, shift, **look)
    assert comparison.score > 0.75
    assert comparison.visible == pytest.approx(1, abs=0.02)
    assert accepts(comparison, "similarity", GATE) == ""
    assert accepts(comparison, "homography", GATE) == ""


@pytest.mark.parametrize("shift", [(6, 0), (0, 6), (-5, 4), (30, 10)])
def test_places_5_px_aside_are_refused(shift: tuple[float, float]) -> None:
    comparison = compared(1, shift, colours=2, labels=False)
    assert "edges correlate by" in accepts(comparison, "similarity", GATE)


@pytest.mark.parametrize("country", [2, 3, 4])
def test_other_maps_are_refused(country: int) -> None:
    comparison = compared(country)
    assert comparison.score < 0.3
    assert accepts(comparison, "similarity", 0.3)


def test_more_is_asked_of_a_homography() -> None:
    comparison = compared(1, colours=2, labels=False)
    between = comparison.score - 0.05
    assert accepts(comparison, "similarity", between) == ""
    assert accepts(comparison, "homography", between)


@pytest.mark.parametrize(
    ("shift", "least", "most"),
    [((0, 0), 0.98, 1.0), ((-200, 0), 0.4, 0.6), ((400, 0), 0.1, 0.25), ((2000, 0), 0, 0)],
)
def test_part_in_sight(shift: tuple[float, float], least: float, most: float) -> None:
    comparison = compared(1, shift)
    assert least <= comparison.visible <= most
    if most < 0.5:
        assert "outside the image" in accepts(comparison, "similarity", 0)


def test_regions_in_their_places_are_not_doubted() -> None:
    drawn = draw_map(1, Look(**SMALL))
    comparison = compared(1, colours=4)
    for box in drawn.regions.values():
        score, doubted = comparison.judge(box)
        assert score > 0.6
        assert not doubted


@pytest.mark.parametrize("shift", [(5, 0), (0, -6), (8, 8), (-10, 3), (40, 0)])
def test_regions_elsewhere_are_doubted(shift: tuple[float, float]) -> None:
    comparison = compared(1, shift, colours=4)
    inner = [(100, 100, 60, 60), (200, 120, 50, 80), (150, 180, 70, 40)]
    assert all(comparison.judge((x, y, w, h))[1] for x, y, w, h in inner)


@pytest.mark.parametrize("box", [(470, 5, 20, 20), (900, 900, 50, 50), (-80, 0, 50, 50)])
def test_regions_without_edges_are_doubted(box: Any) -> None:
    assert compared(1).judge(box) == (0, True)
