"""Heat maps drawn: cells of colours with their numbers, and what their colours mean."""

import math
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from benchloom.builders.statistics import HeatMap
from benchloom.loaders.scores.printable import printable

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LONGEST_NAME = 28
"""Longer names, which users give their models, are cut."""

LEAST_RANGE = 0.1
"""The colours of shares span so much at least."""


def draw_heat_map(axes: "Axes", panel: HeatMap) -> None:
    """Draws cells, dark where numbers are high, with the numbers in them.

    Shares without limits have the colours of their own range, which the bar beside them tells.
    """
    import matplotlib as mpl

    numbers = [value for row in panel.values for value in row if value is not None]
    least, most = panel.limits or (min(numbers, default=0), max(numbers, default=0))
    if panel.shares and panel.limits is None:
        # Some points of chance must not look like a great difference.
        middle = min(max((least + most) / 2, LEAST_RANGE / 2), 1 - LEAST_RANGE / 2)
        least, most = min(least, middle - LEAST_RANGE / 2), max(most, middle + LEAST_RANGE / 2)
    cells = [[math.nan if value is None else value for value in row] for row in panel.values]
    colours = mpl.colormaps["Blues" if panel.shares else "cividis_r"]
    drawn = axes.imshow(cells, cmap=colours, aspect="auto", vmin=least, vmax=most)
    if panel.shares:
        axes.set_facecolor("#eeeeee")  # of blank cells
        _add_colour_bar(axes, drawn)
    axes.set_xticks(
        range(len(panel.columns)),
        [textwrap.fill(short_name(name).replace("_", " "), 10) for name in panel.columns],
    )
    axes.set_yticks(
        range(len(panel.rows)), [short_name(name).replace("_", " ") for name in panel.rows]
    )
    axes.tick_params(length=0)
    axes.set_xlabel(panel.x)
    axes.set_ylabel(panel.y)
    for side in axes.spines.values():
        side.set_visible(False)
    for i, row in enumerate(panel.values):
        for j, value in enumerate(row):
            if value is None:
                continue
            height = (value - least) / (most - least) if most > least else 0.0
            dark = _luminance(colours(height)) < 0.45 if panel.shares else height > 0.5
            colour = "w" if dark else "k"
            text = f"{value:.0%}" if panel.shares else f"{value:,.0f}"
            axes.text(j, i, text, ha="center", va="center", color=colour)


def _add_colour_bar(axes: "Axes", drawn: Any) -> None:
    from matplotlib.ticker import MaxNLocator, PercentFormatter

    figure: Any = axes.figure
    bar = figure.colorbar(drawn, ax=axes, fraction=0.05, pad=0.02)
    bar.ax.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))
    bar.ax.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    bar.ax.tick_params(labelsize=8, length=2)
    bar.outline.set_visible(False)


def _luminance(colour: Sequence[float]) -> float:
    """Returns how light a colour looks, from 0 to 1."""
    red, green, blue = colour[:3]
    return 0.299 * red + 0.587 * green + 0.114 * blue


def short_name(name: str) -> str:
    """Returns a name on one line, cut where it is too long to be drawn."""
    shown = printable(name[: LONGEST_NAME + 1], None)
    return shown if len(shown) <= LONGEST_NAME else shown[: LONGEST_NAME - 3] + "..."
