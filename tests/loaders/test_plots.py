"""Charts as PNGs: what is in them, and that equal charts are equal files."""

import io
from dataclasses import replace
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest
from PIL import Image

from benchloom.builders.statistics import Bars, Boxes, Chart, HeatMap, Lines
from benchloom.loaders.plots import COLOURS, plot, plots, tick_step

BARS = Bars("easy", "answer", "%", ["No", "Yes"], {"train": [60, 40], "test": [50, 50]})
BOXES = Boxes("easy", "edges", {"ERM": [1, 2, 3, 9], "SF": [4]})
HEAT = HeatMap("tokens", ["cot", "k_shot"], ["gml", "edge_list"], [[10, 2000], [30, 4]])
CHARTS = [
    Chart("bars", "Bars", [[BARS, BARS, BARS], [BARS]]),
    Chart("boxes", "Boxes", [[BOXES]]),
    Chart("heat", "Heat", [[HEAT]]),
]


def pixels(png: bytes) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB"))


def share_of(image: np.ndarray, colour: str) -> float:
    wanted = [int(colour[place : place + 2], 16) for place in (1, 3, 5)]
    return float((np.abs(image.astype(int) - wanted).max(axis=2) <= 2).mean())


def test_equal_charts_are_equal_bytes_whatever_the_user_has_set() -> None:
    first = plots(CHARTS)
    assert list(first) == ["bars", "boxes", "heat"]
    with mpl.rc_context({"font.size": 30, "axes.facecolor": "red", "figure.dpi": 20}):
        assert plots(CHARTS) == first
        assert mpl.rcParams["font.size"] == 30


def test_files_say_nothing_of_when_and_by_what_they_were_drawn() -> None:
    for png in plots(CHARTS).values():
        assert set(Image.open(io.BytesIO(png)).info) == {"dpi"}


def test_panels_stand_in_rows() -> None:
    image = pixels(plot(CHARTS[0]))
    one = pixels(plot(Chart("bars", "Bars", [[BARS]])))
    assert image.shape[1] == 3 * one.shape[1]
    assert image.shape[0] > 1.7 * one.shape[0]
    # No panel, and nothing drawn, where the second row has none.
    empty = image[image.shape[0] * 6 // 10 : image.shape[0] * 9 // 10, image.shape[1] * 4 // 10 :]
    assert (empty == 255).all()


def test_each_series_has_its_colour_in_every_panel() -> None:
    only_test = Bars("b", "answer", "%", ["No", "Yes"], {"test": [50, 50]})
    image = pixels(plot(Chart("two", "Two", [[BARS, only_test]])))
    left, right = image[:, : image.shape[1] // 2], image[:, image.shape[1] // 2 :]
    assert share_of(left, COLOURS[0]) > 0.05
    assert share_of(left, COLOURS[1]) > 0.05
    assert share_of(right[: -image.shape[0] // 6], COLOURS[0]) == 0
    assert share_of(right, COLOURS[1]) > 0.1


def test_a_box_has_its_colour_in_every_panel() -> None:
    both = Boxes("both", "edges", {"ERM": [1, 9, 20], "SF": [1, 9, 20]})
    alone = Boxes("alone", "edges", {"SF": [1, 9, 20]})
    image = pixels(plot(Chart("two", "Two", [[both, alone]])))
    right = image[:, image.shape[1] // 2 :]
    assert share_of(right, "#ecb740") > 0.02  # the second colour, on white
    assert share_of(right, "#4095c5") == 0


def test_heights_are_comparable_between_panels() -> None:
    low = Bars("low", "x", "%", ["a"], {"": [10]})
    high = Bars("high", "x", "%", ["a"], {"": [100]})
    image = pixels(plot(Chart("two", "Two", [[low, high]])))
    shares = [
        share_of(half, COLOURS[0])
        for half in (image[:, : image.shape[1] // 2], image[:, image.shape[1] // 2 :])
    ]
    assert shares[1] == pytest.approx(10 * shares[0], rel=0.1)


def test_colours_can_be_told_apart() -> None:
    assert len(set(COLOURS)) == 8
    many = {f"series {number}": [1.0] for number in range(10)}
    assert plot(Chart("many", "Many", [[Bars("a", "x", "y", ["a"], many)]]))


@pytest.mark.parametrize(
    ("names", "step"),
    [(0, 1), (14, 1), (15, 2), (28, 2), (29, 5), (61, 5), (71, 10), (20_000, 2000)],
)
def test_names_below_an_axis_are_thinned_out(names: int, step: int) -> None:
    assert tick_step(names) == step


def test_charts_without_numbers_are_drawn() -> None:
    nothing = Bars("none", "x", "%", ["a"], {"": [0]})
    assert plot(Chart("nothing", "Nothing", [[nothing]]))
    assert plot(Chart("one", "One", [[Boxes("one", "edges", {"ERM": [3]})]]))
    assert plot(Chart("even", "Even", [[HeatMap("even", ["a"], ["b"], [[5]])]]))


SHARES = Bars(
    "",
    "task",
    "accuracy",
    ["cycle", "diameter"],
    {"a": [0.5, None], "b": [1.0, 0.25]},
    intervals={"a": [(0.4, 0.6), None]},
    baselines={"guessing": [0.5, 0.2]},
    shares=True,
)


def test_shares_stand_on_one_scale_up_to_all() -> None:
    low, high = (
        share_of(pixels(plot(Chart("c", "C", [[one]]))), COLOURS[0])
        for one in (
            Bars("", "x", "y", ["a"], {"": [height]}, shares=True) for height in (0.25, 0.75)
        )
    )
    assert high == pytest.approx(3 * low, rel=0.05)


def test_what_is_not_there_has_no_bar() -> None:
    none = replace(SHARES, series={"a": [None, None]}, intervals={}, baselines={})
    assert share_of(pixels(plot(Chart("c", "C", [[none]]))), COLOURS[0]) < 0.005  # the legend
    assert share_of(pixels(plot(Chart("c", "C", [[SHARES]]))), COLOURS[0]) > 0.02


@pytest.mark.parametrize("kind", [Bars, Lines])
def test_intervals_and_baselines_are_drawn(kind: type[Bars]) -> None:
    bare = kind("", "task", "accuracy", ["x", "y"], {"": [0.5, 0.6]}, shares=True)
    ends = replace(bare, intervals={"": [(0.1, 0.9), None]})
    base = replace(bare, baselines={"guessing": [0.3, None]})
    drawn = {plot(Chart("c", "C", [[panel]])) for panel in (bare, ends, base)}
    assert len(drawn) == 3


@pytest.mark.parametrize("kind", [Bars, Lines])
def test_a_series_after_the_last_colour_differs_from_the_first(kind: type[Bars]) -> None:
    names = [f"series {i}" for i in range(9)]
    first, ninth = (
        kind("", "x", "y", ["a"], {name: [0.5 if name == one else None] for name in names})
        for one in (names[0], names[8])
    )
    image, other = (pixels(plot(Chart("c", "C", [[panel]]))) for panel in (first, ninth))
    half = image.shape[0] // 2  # above the legend
    full, sparse = share_of(image[:half], COLOURS[0]), share_of(other[:half], COLOURS[0])
    assert 0.1 * full < sparse < 0.9 * full


def test_legend_of_many_series_does_not_press_the_panel() -> None:
    names = [f"a model with a long name {i}" for i in range(12)]
    few, many = (
        Lines("", "x", "y", ["a"], {name: [0.5] for name in names[:n]}, shares=True)
        for n in (1, 12)
    )
    short, tall = (pixels(plot(Chart("c", "C", [[panel]]))).shape for panel in (few, many))
    assert tall[0] > short[0] + 150
    assert tall[1] == short[1]


@pytest.mark.parametrize(
    "name",
    ["$x$", "cost $5", "_hidden", "a\x1b[31mb", "\u202eright", "\U0001f916", "x" * 5000, "\n"],
)
@pytest.mark.filterwarnings("error")
def test_any_name_can_be_drawn(name: str) -> None:
    panels = [
        Bars(name, "x", "y", [name, "b"], {name: [0.5, 1]}, baselines={name: [0, 1]}, shares=True),
        Lines(name, "x", "y", [name, "b"], {name: [0.5, 1]}, shares=True),
        HeatMap(name, [name], [name, "b"], [[0.5, 1]], shares=True),
    ]
    for panel in panels:
        image = pixels(plot(Chart("c", "C", [[panel]])))
        assert image.shape[1] < 1500
        assert image.std() > 1


def test_heat_map_has_the_colours_of_its_limits() -> None:
    alone = HeatMap("", ["a"], ["b"], [[0.5]], limits=(0, 1), shares=True)
    among = HeatMap("", ["a"], ["b"], [[0.5]], shares=True)
    darkest = HeatMap("", ["a"], ["b"], [[1.0]], limits=(0, 1), shares=True)
    centre = [
        tuple(image[image.shape[0] // 2, image.shape[1] // 2 - 60].tolist())
        for image in (pixels(plot(Chart("c", "C", [[panel]]))) for panel in (alone, among, darkest))
    ]
    assert len(set(centre)) == 3
    assert sum(centre[2]) < sum(centre[0]) < sum(centre[1])


def test_heat_map_leaves_cells_blank_that_have_no_number() -> None:
    full = HeatMap("", ["a"], ["b", "c"], [[0.5, 0.9]], limits=(0, 1), shares=True)
    image, blank = (
        pixels(plot(Chart("c", "C", [[panel]])))
        for panel in (full, replace(full, values=[[0.5, None]]))
    )
    grey = [(one == 0xEE).all(axis=2).mean() for one in (image, blank)]
    assert grey[1] > grey[0] + 0.1
    nothing = HeatMap("", ["a"], ["b"], [[None]])
    assert plot(Chart("c", "C", [[nothing]]))


def test_drawing_leaves_no_trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    plots(CHARTS)
    assert list(tmp_path.iterdir()) == []


def test_near_shares_are_told_apart_by_colour_and_chance_is_not_blown_up() -> None:
    def contrast(first: float, second: float, limits: tuple[float, float] | None = None) -> int:
        """How far the colours of two cells are from each other."""
        panel = HeatMap("", ["a"], ["b", "c"], [[first, second]], limits=limits, shares=True)
        image = pixels(plot(Chart("c", "", [[panel]]))).reshape(-1, 3)
        colours, counts = np.unique(image, axis=0, return_counts=True)
        most = colours[np.argsort(counts)[::-1]].astype(int)
        one, other = [colour for colour in most if colour.sum() < 3 * 255][:2]
        return int(np.abs(one - other).sum())

    assert contrast(0.77, 0.83) > 5 * contrast(0.77, 0.83, (0, 1))
    assert contrast(0.80, 0.81) < contrast(0.77, 0.83) / 3
    assert contrast(0.20, 0.90) > contrast(0.77, 0.83)
