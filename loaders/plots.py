"""Charts as PNGs, all in one look, in colours that colour-blind people can tell apart."""

import io
import math
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import count, cycle
from typing import TYPE_CHECKING, Any

from benchloom.builders.statistics import Bars, Boxes, Chart, HeatMap, Lines
from benchloom.loaders.heat_maps import draw_heat_map, short_name
from benchloom.loaders.scores.printable import printable

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = (
    "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#000000"
)  # fmt: skip
"""The palette of Okabe and Ito; after its last colour it starts anew, hatched or hollow."""
MARKERS = "osD^vPX*"
DASHES = ("--", ":", "-.")
BASELINE = "#333333"

DOTS_PER_INCH = 150
PANEL = (3.6, 2.7)
"""Width and height of a panel in inches."""

LETTER = 0.07
"""About the width of a letter in inches."""

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
    # A dollar sign in a name is no formula.
    "text.parse_math": False,
}


Panel = Bars | Boxes | HeatMap


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

    panels = [panel for row in chart.panels for panel in row]
    with mpl.rc_context({**mpl.rcParamsDefault, **STYLE}), warnings.catch_warnings():
        # A name may be in a script that the font does not have: an empty box stands for a letter.
        warnings.filterwarnings("ignore", "Glyph .* missing")
        columns = max(len(row) for row in chart.panels)
        width, height = (max(_size(panel)[side] for panel in panels) for side in (0, 1))
        shared = _Shared.of(panels)
        legend = _Legend.of(panels, shared, columns * width)
        height = len(chart.panels) * height + 0.5 + legend.more_height
        figure = Figure(figsize=(columns * width, height), layout="constrained")
        FigureCanvasAgg(figure)
        figure.suptitle(printable(chart.title, None))
        grid = figure.subplots(len(chart.panels), columns, squeeze=False)
        for all_axes, row in zip(grid, chart.panels, strict=True):
            for axes, panel in zip(all_axes, row, strict=False):
                _draw(axes, panel, shared)
            for axes in all_axes[len(row) :]:
                axes.set_axis_off()
        if legend.names:
            figure.legend(
                legend.handles, legend.names, loc="outside lower center", ncols=legend.columns
            )
        out = io.BytesIO()
        figure.savefig(out, format="png", dpi=DOTS_PER_INCH, metadata={"Software": None})
    return out.getvalue()


@dataclass(frozen=True)
class _Shared:
    """What the panels of a chart share, so that they can be compared.

    Attributes:
        top: The greatest height of a bar.
        colours: The colour of each series of bars and of each box.
        dashes: How the line of each baseline is dashed.
    """

    top: float
    colours: dict[str, str]
    dashes: dict[str, str]

    @classmethod
    def of(cls, panels: Sequence[Panel]) -> "_Shared":
        bars = [panel for panel in panels if isinstance(panel, Bars)]
        boxes = [panel.groups for panel in panels if isinstance(panel, Boxes)]
        heights = [
            height
            for panel in bars
            for named in (panel.series, panel.baselines)
            for of in named.values()
            for height in of
            if height is not None
        ]
        heights += [
            ends[1] for panel in bars for of in panel.intervals.values() for ends in of if ends
        ]
        names = dict.fromkeys(
            name for named in (*(one.series for one in bars), *boxes) for name in named
        )
        baselines = dict.fromkeys(name for panel in bars for name in panel.baselines)
        return cls(
            max(filter(math.isfinite, heights), default=0),
            dict(zip(names, cycle(COLOURS), strict=False)),
            dict(zip(baselines, cycle(DASHES), strict=False)),
        )

    def bar(self, name: str) -> dict[str, Any]:
        """Returns a bar's look."""
        colour = self.colours[name]
        if list(self.colours).index(name) < len(COLOURS):
            return {"color": colour}
        return {"facecolor": colour, "edgecolor": "w", "hatch": "////", "linewidth": 0}

    def line(self, name: str) -> dict[str, Any]:
        """Returns a line's look, which also tells it from others without colours."""
        place = list(self.colours).index(name)
        again = place >= len(COLOURS)
        return {
            "color": self.colours[name],
            "marker": MARKERS[place % len(MARKERS)],
            "markersize": 4.5,
            "linewidth": 1.4,
            **({"linestyle": "--", "markerfacecolor": "w"} if again else {}),
        }


@dataclass(frozen=True)
class _Legend:
    """The names of the series and baselines, below all panels in as many columns as fit."""

    handles: list[Any]
    names: list[str]
    columns: int

    @classmethod
    def of(cls, panels: Sequence[Panel], shared: _Shared, width: float) -> "_Legend":
        from matplotlib.lines import Line2D
        from matplotlib.patches import Patch

        bars = [panel for panel in panels if isinstance(panel, Bars)]
        joined = {name for panel in bars if isinstance(panel, Lines) for name in panel.series}
        of_bars = {name for panel in bars for name in panel.series if name}
        series = [name for name in shared.colours if name in of_bars]
        handles: list[Any] = [
            Line2D([], [], **shared.line(name)) if name in joined else Patch(**shared.bar(name))
            for name in series
        ]
        handles += [
            Line2D([], [], color=BASELINE, linestyle=dashes, linewidth=1.2)
            for dashes in shared.dashes.values()
        ]
        names = [short_name(name) for name in (*series, *shared.dashes)]
        # matplotlib leaves out names that begin with an underscore.
        names = [f" {name}" if name.startswith("_") else name for name in names]
        columns = len(names)
        if sum(0.5 + 0.8 * LETTER * len(name) for name in names) > width:
            columns = max(1, int(width / (0.6 + LETTER * max(map(len, names)))))
        return cls(handles, names, columns)

    @property
    def more_height(self) -> float:
        """Inches that rows after the first need."""
        return 0.17 * (math.ceil(len(self.names) / max(1, self.columns)) - 1 if self.names else 0)


def _size(panel: Panel) -> tuple[float, float]:
    if isinstance(panel, HeatMap):
        columns = 0.75 * len(panel.columns) + 0.6 if panel.shares else 0.9 * len(panel.columns)
        return 2 + columns, 1.4 + 0.36 * len(panel.rows)
    if isinstance(panel, Bars) and panel.shares:
        bars = 1 if isinstance(panel, Lines) else len(panel.series)
        width = max(PANEL[0], 1 + len(panel.ticks) * max(0.38, 0.11 * bars))
        return width, 3.0 + (0.6 * LETTER * _longest(panel) if _slants(panel, width) else 0)
    return PANEL


def _longest(panel: Bars) -> int:
    return max((len(short_name(tick)) for tick in panel.ticks), default=0)


def _slants(panel: Bars, width: float) -> bool:
    """Whether names of ticks are too long to stand side by side below a panel of shares."""
    return LETTER * (1 + _longest(panel)) > (width - 1) / max(1, len(panel.ticks))


def _draw(axes: "Axes", panel: Panel, shared: _Shared) -> None:
    axes.set_title(printable(panel.title))
    if isinstance(panel, Bars):
        _draw_bars(axes, panel, shared)
    elif isinstance(panel, Boxes):
        _draw_boxes(axes, panel, shared)
    else:
        draw_heat_map(axes, panel)


def _draw_bars(axes: "Axes", panel: Bars, shared: _Shared) -> None:
    """Draws the bars of a tick side by side, or points on top of each other."""
    from matplotlib.ticker import MaxNLocator, PercentFormatter

    joined = isinstance(panel, Lines)
    # Points are set apart a little, lest one hides the interval of another.
    width = (0.3 if joined else 0.8) / max(1, len(panel.series))
    for number, (name, heights) in enumerate(panel.series.items()):
        shift = (number - (len(panel.series) - 1) / 2) * width
        places = [tick + shift for tick in range(len(panel.ticks))]
        drawn = [math.nan if height is None else height for height in heights]
        if joined:
            axes.plot(places, drawn, **shared.line(name))
        else:
            axes.bar(places, drawn, width, **shared.bar(name))
        for place, ends in zip(places, panel.intervals.get(name, ()), strict=False):
            if ends is not None:
                axes.vlines(
                    place, *ends, color=shared.colours[name] if joined else BASELINE, linewidth=1.0
                )
    for name, heights in panel.baselines.items():
        for tick, height in enumerate(heights):
            if height is not None:
                axes.hlines(
                    *(height, tick - 0.45, tick + 0.45),
                    color=BASELINE,
                    linestyle=shared.dashes[name],
                    linewidth=1.2,
                )
    axes.set_xlim(-0.6, len(panel.ticks) - 0.4)
    if panel.shares:
        axes.set_xticks(range(len(panel.ticks)), list(map(short_name, panel.ticks)))
        if _slants(panel, _size(panel)[0]):
            axes.tick_params(axis="x", labelrotation=35, labelsize=8)
            for label in axes.get_xticklabels():
                label.set(horizontalalignment="right", rotation_mode="anchor")
        axes.set_ylim(0, 1.02)
        axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
        axes.set_yticks([0, 0.25, 0.5, 0.75, 1])
    else:
        step = tick_step(len(panel.ticks))
        axes.set_xticks(range(0, len(panel.ticks), step), panel.ticks[::step])
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
