"""DRAGON's metrics: exact cases, shapely, counted pixels, and the paper's own tables."""

import json
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from dragon_tables import METRICS, Cell, chance, fitting_numbers, misfits, pick, read_tables
from grounding_oracles import (
    THRESHOLDS,
    Sample,
    as_rows,
    draw_samples,
    largest_differences,
    measure_samples,
    measure_with_shapely,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from benchloom.builders.dragon.agreement import cohen_kappa
from benchloom.loaders.boxes import xywh_from_xyxy
from benchloom.loaders.scores.grounding import (
    BoxSets,
    exceeds,
    f1_of_means,
    measure_grounding,
)

CASES = json.loads((Path(__file__).parents[2] / "cases" / "dragon_metrics.json").read_text())


def close(value: Any) -> Any:
    return pytest.approx(float(Fraction(value)), abs=1e-12)


def sample_of(case: dict[str, Any]) -> Sample:
    return Sample(case["pred"], case["gold"], case["size"])


@pytest.mark.parametrize("case", CASES["cases"], ids=lambda case: case["name"])
def test_cases(case: dict[str, Any]) -> None:
    found = measure_samples([sample_of(case)], (0.3, 0.5), **case["options"])
    expected = case["expected"]
    assert found.best_iou[0] == close(expected["max_iou"])
    assert found.union_iou[0] == close(expected["giou"])
    for place, threshold in enumerate((0.3, 0.5)):
        at = expected[f"tau_{threshold}".replace(".", "_")]
        precision, recall = found.precision[0, place], found.recall[0, place]
        assert (precision, recall) == (close(at["p"]), close(at["r"]))
        assert f1_of_means(precision, recall) == close(at["f1"])
        assert exceeds(found.best_iou, threshold)[0] == at["max_hit"]
        assert exceeds(found.union_iou, threshold)[0] == at["giou_hit"]


@pytest.mark.parametrize("data", CASES["datasets"], ids=lambda data: data["name"])
def test_data_sets(data: dict[str, Any]) -> None:
    found = measure_samples([sample_of(sample) for sample in data["samples"]], (0.5,))
    expected = data["expected"]["0.5"]
    precision, recall = found.precision.mean(), found.recall.mean()
    assert (precision, recall) == (close(expected["p"]), close(expected["r"]))
    assert f1_of_means(precision, recall) == close(expected["f1"])
    assert f1_of_means(found.precision, found.recall).mean() == close(expected["mean_f1"])
    assert exceeds(found.best_iou, 0.5).mean() == close(expected["mp_hit"])
    assert found.best_iou.mean() == close(data["expected"]["mp_iou"])
    assert found.union_iou.mean() == close(data["expected"]["g_iou"])


@pytest.mark.parametrize("case", CASES["kappa"], ids=lambda case: case["name"])
def test_kappa(case: dict[str, Any]) -> None:
    pairs = [
        (one == "yes", other == "yes")
        for one, other in product(("yes", "no"), repeat=2)
        for _ in range(case["table"][f"{one}_{other}"])
    ]
    assert sum(one == other for one, other in pairs) / len(pairs) == close(case["agreement"])
    expected = case["kappa"]
    assert cohen_kappa(pairs) == (None if expected is None else close(expected))


def measure(predicted: list[Any], gold: list[Any], size: Any = (100, 100), **options: Any) -> Any:
    """The metrics at 0.5 of samples of boxes xyxy."""
    return measure_grounding(
        *(
            BoxSets.of([[xywh_from_xyxy(box) for box in boxes] for boxes in sets])
            for sets in (predicted, gold)
        ),
        [size] * len(gold),
        (0.5,),
        **options,
    )


def test_nothing_is_added_to_a_difference_of_coordinates() -> None:
    found = measure([[(286.5757, 301.9515, 300.103, 326.7515)]], [[(278, 299, 302, 326)]])  # B1
    assert found.best_iou[0] == pytest.approx(0.494270, abs=5e-7)
    assert (found.precision, found.recall) == (0, 0)
    assert measure([[(0, 0, 2, 2)]], [[(1, 1, 3, 3)]]).best_iou[0] == close("1/7")  # B2


def test_boxes_without_an_area_match_nothing() -> None:
    point = (5, 5, 5, 5)
    found = measure([[point]], [[point]])  # B4
    assert as_rows(found).tolist() == [[0, 0, 0, 0]]
    kept = measure([[point, (0, 0, 9, 9)]], [[(0, 0, 9, 9)]])
    dropped = measure([[point, (0, 0, 9, 9)]], [[(0, 0, 9, 9)]], drop_degenerate=True)
    assert (kept.precision[0, 0], kept.predicted[0]) == (0.5, 2)
    assert (dropped.precision[0, 0], dropped.predicted[0]) == (1, 1)
    assert as_rows(measure([[point]], [[point]], drop_degenerate=True)).tolist() == [[0, 0, 0, 0]]


def test_an_empty_side_counts_as_zero() -> None:
    box = (10, 10, 20, 20)
    found = measure([[box], [], [box], []], [[box], [box], [], []])
    assert as_rows(found).tolist() == [[1, 1, 1, 1], *[[0, 0, 0, 0]] * 3]
    two = measure([[box], []], [[box], [box]])  # B6
    assert as_rows(two).mean(axis=0).tolist() == [0.5, 0.5, 0.5, 0.5]
    assert f1_of_means(two.precision.mean(), two.recall.mean()) == 0.5
    assert len(measure([], []).best_iou) == 0


def test_unions_are_compared_as_wholes() -> None:
    halves = [(0, 0, 5, 10), (5, 0, 10, 10)]
    found = measure([halves], [[(0, 0, 10, 10)]])  # B11
    assert (found.union_iou[0], found.best_iou[0]) == (close(1), close("1/2"))
    again = measure([halves * 3], [[(0, 0, 10, 10)] * 2])
    assert again.union_iou[0] == close(1)


def test_f1_is_of_means() -> None:
    assert f1_of_means(np.mean([1, 0.5]), np.mean([0.5, 1])) == 0.75  # B16
    assert f1_of_means(np.array([0.0, 1.0]), np.array([0.0, 0.5])).tolist() == [0, 2 / 3]


@pytest.mark.parametrize("clip", [False, True])
def test_a_tie_is_a_tie_for_every_size_of_the_image(clip: bool) -> None:
    """Without a slack, half a box falls below one half for most sizes."""
    sizes = [(width, height) for width in range(64, 243) for height in (97, 480)]
    count = len(sizes)
    found = measure_grounding(
        BoxSets.of([[(7, 5, 16, 32)]] * count),
        BoxSets.of([[(7, 5, 16, 16)]] * count),
        sizes,
        (0.5,),
        clip=clip,
    )
    exact = found.best_iou == 0.5
    assert not exact.all(), "this test would show nothing"
    assert (found.precision == 1).all()
    assert (found.recall == 1).all()
    assert not exceeds(found.best_iou, 0.5).any()
    assert not exceeds(found.union_iou, 0.5).any()


def test_a_subnormal_coordinate_is_no_fault() -> None:
    """Of these two gold boxes shapely takes the union to be 3.5, which is 3."""
    gold = [(0, 2.2e-311, 2, 1), (0, -1, 1, 1)]
    found = measure([[(0, 0, 1, 1)]], [gold], (1, 6))
    assert found.union_iou[0] == close("1/3")


def test_absurd_numbers_are_no_fault() -> None:
    huge, gold = (0.0, 0.0, 1e308, 1e308), [[(0, 0, 10, 10)]]
    for box in (
        huge,
        (-1e308, -1e308, 1e308, 5e307),
        (1e308, 1e308, 1e308, 1e308),
        (0, 0, 1e308, 0),
    ):
        sets = BoxSets.of([[box, (0, 0, 10, 10)]]), BoxSets.of(gold)
        with np.errstate(all="ignore"):
            found = measure_grounding(*sets, [(2, 3)], (0.5,))
        assert np.isfinite(as_rows(found)).all()
        assert found.best_iou[0] == 1
        assert found.union_iou[0] <= 1


def test_shapely_agrees() -> None:
    differences = largest_differences(list(draw_samples(2000, "suite")))
    assert max(differences.values()) < 1e-9


places = st.integers(0, 8)
extents = st.integers(0, 9)
grid_boxes = st.lists(st.tuples(places, places, extents, extents), max_size=6)
# Shapely errs, not we, where coordinates differ by 1e-300: the union of two boxes comes out wrong.
reals = st.floats(-20, 120, allow_nan=False).map(lambda number: round(number, 6))
lengths = reals.map(abs) | st.sampled_from([0.0, 1e-3, 25.0, 100.0])
free_boxes = st.lists(st.tuples(reals, reals, lengths, lengths), max_size=6)
image_sizes = st.tuples(st.integers(1, 4000), st.integers(1, 4000))


@settings(deadline=None, max_examples=300)
@given(free_boxes, free_boxes, image_sizes)
def test_shapely_agrees_whatever_the_boxes(predicted: Any, gold: Any, size: Any) -> None:
    sample = Sample(predicted, gold, size)
    ours = as_rows(measure_samples([sample], THRESHOLDS))[0]
    assert ours[:2] == pytest.approx(measure_with_shapely(sample, THRESHOLDS)[:2], abs=1e-9)


@settings(deadline=None, max_examples=300)
@given(grid_boxes, grid_boxes, image_sizes)
def test_counted_pixels_agree(predicted: Any, gold: Any, size: Any) -> None:
    """Boxes on whole pixels, each a set of pixels: exact fractions without any geometry."""
    first, second = (
        [{(i, j) for i in range(x, x + w) for j in range(y, y + h)} for x, y, w, h in boxes]
        for boxes in (predicted, gold)
    )

    def iou(one: set[Any], other: set[Any]) -> Fraction:
        return Fraction(len(one & other), len(one | other) or 1)

    found = measure_samples([Sample(predicted, gold, size)], (0.3, 0.5))
    if not first or not second:
        assert not as_rows(found).any()
        return
    table = [[iou(one, other) for other in second] for one in first]
    best = [max(row) for row in table], [max(column) for column in zip(*table, strict=True)]
    assert found.best_iou[0] == close(max(best[0]))
    assert found.union_iou[0] == close(iou(set().union(*first), set().union(*second)))
    for place, least in enumerate((Fraction(3, 10), Fraction(1, 2))):
        for of, measured in zip(best, (found.precision, found.recall), strict=True):
            assert measured[0, place] == close(Fraction(sum(one >= least for one in of), len(of)))


def test_clipping_is_that_of_boxes() -> None:
    from benchloom.loaders.boxes import clip

    samples = list(draw_samples(300, "clip"))
    cut = [
        Sample(
            *(
                [clip(box, *sample.size) for box in side]
                for side in (sample.predicted, sample.gold)
            ),
            sample.size,
        )
        for sample in samples
    ]
    for options in ({}, {"drop_degenerate": True}):
        clipped = as_rows(measure_samples(samples, THRESHOLDS, clip=True, **options))
        assert clipped == pytest.approx(
            as_rows(measure_samples(cut, THRESHOLDS, **options)), abs=1e-9
        )


@pytest.fixture(scope="module")
def printed() -> tuple[dict[str, int], list[Cell]]:
    return read_tables()


def test_tables_6_and_7_hold_hit_rates_over_all_records(printed: Any) -> None:
    records, cells = printed
    hits = [cell for cell in cells if cell.table in "67" and cell.metric in METRICS[:2]]
    assert len(hits) == 576
    assert misfits(hits, records) == []
    above_zero = pick(cells, "67", METRICS[:2])
    assert len(above_zero) == 488
    by_chance = sum(chance(records[cell.source]) for cell in above_zero)
    assert by_chance < 0.45 * len(above_zero)


def test_columns_of_other_definitions_hold_no_hit_rates(printed: Any) -> None:
    """The check of Tables 6 and 7 means something: it fails for means of IoU and for F1."""
    records, cells = printed
    for tables, metrics in (("35", METRICS[:2]), ("6", METRICS[2:]), ("7", METRICS[2:])):
        others = pick(cells, tables, metrics)
        assert len(others) > 100
        assert 0.5 < len(misfits(others, records)) / len(others) < 0.7


def test_no_other_number_of_records_fits(printed: Any) -> None:
    """Were only records with a usable prediction counted, another number would fit, or none."""
    records, cells = printed
    for source, n in records.items():
        of_source = [cell for cell in pick(cells, "67", METRICS[:2]) if cell.source == source]
        assert fitting_numbers(of_source, range(n // 2, n + 1)) == [n]


def test_f1_of_table_5_is_that_at_one_half(printed: Any) -> None:
    _, cells = printed
    values = {cell[:5]: cell.value for cell in cells}
    pairs = [
        [values[(table, *cell[1:5])] for table in "567"]
        for cell in cells
        if cell.table == "5" and cell.metric == "F1"
    ]
    assert len(pairs) == 72
    assert sum(five == seven for five, _, seven in pairs) == 72
    assert sum(five == six for five, six, _ in pairs) < 5


def test_f1_of_table_3_is_at_neither_threshold(printed: Any) -> None:
    """So it is of other thresholds, which the paper does not state."""
    _, cells = printed
    values = {cell[:5]: cell.value for cell in cells}
    of_3 = [cell for cell in cells if cell.table == "3" and cell.metric == "F1"]
    for table in "67":
        assert sum(cell.value == values[(table, *cell[1:5])] for cell in of_3) <= 1


def test_table_4_has_means_over_strategies(printed: Any) -> None:
    _, cells = printed
    of_4 = [cell for cell in cells if cell.table == "4"]
    assert len(of_4) == 144
    for cell in of_4:
        parts = [
            one.value
            for one in cells
            if one.table in "35"
            and (one.model, one.source, one.metric) == (cell.model, cell.source, cell.metric)
        ]
        assert len(parts) == 3
        assert abs(sum(parts) / 3 - cell.value) <= 0.1 + 1e-9
