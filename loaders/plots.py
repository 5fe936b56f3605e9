"""Charts as PNGs, all in one look, in colours that colour-blind people can tell apart."""

import io
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import count, cycle
from typing import TYPE_CHECKING, Any

from benchloom.builders.statistics import Bars, Boxes, Chart, HeatMap

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = (
    "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#000000"
)  # fmt: skip
"""The palette of Okabe and Ito; after its last colour it starts anew."""

DOTS_PER_INCH = 150
PANEL = (3.6, 2.7)
"""Width and height of a panel in inches."""

MOST_TICKS = 14
"""More names than these below a panel of bars are thinned out."""

STYLE = {
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.edgecolor": "#555555",
    "figure.titlesize": 12,
    "legend.frameon": False,
    "legend.fontsize": 8,
}


def plots(charts: Iterable[Chart]) -> dict[str, bytes]:
    """Returns PNGs by the names of charts; equal charts give equal bytes.

    The bytes depend on the charts and the versions of matplotlib and its FreeType, not on the time
    or the user's matplotlibrc.
    """
    return {chart.name: plot(chart) for chart in charts}


def plot(chart: Chart) -> bytes:
    """Returns a chart as a PNG, 150 dots an inch, each panel 3.6 × 2.7 inches or more."""
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

    panels = [panel for row in chart.panels for panel in row]
    with mpl.rc_context({**mpl.rcParamsDefault, **STYLE}):
        columns = max(len(row) for row in chart.panels)
        width, height = (max(_size(panel)[side] for panel in panels) for side in (0, 1))
        figure = Figure(
            figsize=(columns * width, len(chart.panels) * height + 0.5), layout="constrained"
        )
        FigureCanvasAgg(figure)
        figure.suptitle(chart.title)
        shared = _Shared.of(panels)
        grid = figure.subplots(len(chart.panels), columns, squeeze=False)
        for all_axes, row in zip(grid, chart.panels, strict=True):
            for axes, panel in zip(all_axes, row, strict=False):
                _draw(axes, panel, shared)
            for axes in all_axes[len(row) :]:
                axes.set_axis_off()
        series = {name for panel in panels if isinstance(panel, Bars) for name in panel.series}
        handles = [
            Patch(color=colour, label=name)
            for name, colour in shared.colours.items()
            if name and name in series
        ]
        if handles:
            figure.legend(handles=handles, loc="outside lower center", ncols=len(handles))
        out = io.BytesIO()
        figure.savefig(out, format="png", dpi=DOTS_PER_INCH, metadata={"Software": None})
    return out.getvalue()


@dataclass(frozen=True)
class _Shared:
    """What the panels of a chart share, so that they can be compared.

    Attributes:
        top: The greatest height of a bar.
        colours: The colour of each series of bars and of each box.
    """

    top: float
    colours: dict[str, str]

    @classmethod
    def of(cls, panels: Sequence[Bars | Boxes | HeatMap]) -> "_Shared":
        bars = [panel.series for panel in panels if isinstance(panel, Bars)]
        boxes = [panel.groups for panel in panels if isinstance(panel, Boxes)]
        heights = [height for series in bars for of in series.values() for height in of]
        names = dict.fromkeys(name for named in (*bars, *boxes) for name in named)
        return cls(max(heights, default=0), dict(zip(names, cycle(COLOURS), strict=False)))


def _size(panel: Bars | Boxes | HeatMap) -> tuple[float, float]:
    if isinstance(panel, HeatMap):
        return 2 + 0.9 * len(panel.columns), 1.4 + 0.36 * len(panel.rows)
    return PANEL


def _draw(axes: "Axes", panel: Bars | Boxes | HeatMap, shared: _Shared) -> None:
    axes.set_title(panel.title)
    if isinstance(panel, Bars):
        _draw_bars(axes, panel, shared)
    elif isinstance(panel, Boxes):
        _draw_boxes(axes, panel, shared)
    else:
        _draw_heat_map(axes, panel)


def _draw_bars(axes: "Axes", panel: Bars, shared: _Shared) -> None:
    """Draws the bars of a tick side by side."""
    from matplotlib.ticker import MaxNLocator

    width = 0.8 / len(panel.series)
    for number, (name, heights) in enumerate(panel.series.items()):
        shift = (number - (len(panel.series) - 1) / 2) * width
        places = [tick + shift for tick in range(len(panel.ticks))]
        axes.bar(places, heights, width, color=shared.colours[name])
    step = tick_step(len(panel.ticks))
    axes.set_xticks(range(0, len(panel.ticks), step), panel.ticks[::step])
    axes.set_xlim(-0.6, len(panel.ticks) - 0.4)
    axes.set_ylim(0, 1.05 * shared.top or 1)
    axes.yaxis.set_major_locator(MaxNLocator("auto", integer=True, steps=[1, 2, 5, 10]))
    axes.set_xlabel(panel.x)
    axes.set_ylabel(panel.y)
    axes.grid(axis="y", color="#dddddd", linewidth=0.6)


def tick_step(names: int) -> int:
    """Returns of how many names below an axis one is written: 1, 2, 5, 10, 20, 50 ..."""
    steps = (digit * int(10**power) for power in count() for digit in (1, 2, 5))
    return next(step for step in steps if names <= step * MOST_TICKS)


def _draw_boxes(axes: "Axes", panel: Boxes, shared: _Shared) -> None:
    """Draws boxes from quartile to quartile, a line at the median, whiskers to the ends."""
    from matplotlib.ticker import MaxNLocator

    drawn: dict[str, Any] = axes.boxplot(
        list(panel.groups.values()),
        whis=(0, 100),
        widths=0.6,
        patch_artist=True,
        medianprops={"color": "black", "linewidth": 1.4},
    )
    for name, box in zip(panel.groups, drawn["boxes"], strict=True):
        box.set(facecolor=shared.colours[name], alpha=0.75, linewidth=0.8)
    axes.set_xticks(range(1, len(panel.groups) + 1), list(panel.groups))
    axes.tick_params(axis="x", labelsize=8)
    axes.set_ylim(bottom=0)
    axes.yaxis.set_major_locator(MaxNLocator("auto", integer=True, steps=[1, 2, 5, 10]))
    axes.set_ylabel(panel.y)
    axes.grid(axis="y", color="#dddddd", linewidth=0.6)


def _draw_heat_map(axes: "Axes", panel: HeatMap) -> None:
    """Draws cells, dark where numbers are high, with the numbers in them."""
    numbers = [value for row in panel.values for value in row]
    middle = (min(numbers) + max(numbers)) / 2
    axes.imshow(panel.values, cmap="cividis_r", aspect="auto")
    axes.set_xticks(
        range(len(panel.columns)),
        [textwrap.fill(name.replace("_", " "), 10) for name in panel.columns],
    )
    axes.set_yticks(range(len(panel.rows)), [name.replace("_", " ") for name in panel.rows])
    axes.tick_params(length=0)
    for side in axes.spines.values():
        side.set_visible(False)
    for i, row in enumerate(panel.values):
        for j, value in enumerate(row):
            colour = "w" if value > middle else "k"
            axes.text(j, i, f"{value:,.0f}", ha="center", va="center", color=colour)
