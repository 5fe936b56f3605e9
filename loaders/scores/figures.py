"""Charts and pictures of a report, each in the page itself and described."""

from __future__ import annotations

import base64
import struct
from collections.abc import Sequence
from typing import TYPE_CHECKING

from benchloom.builders.statistics import Bars, HeatMap, Lines, in_words
from benchloom.loaders.scores.markup import LONGEST_SENTENCE, start_box, text_of
from benchloom.loaders.scores.printable import printable

if TYPE_CHECKING:
    from benchloom.builders.statistics import Chart
    from benchloom.loaders.scores.result import Exhibit


def chart_figures(charts: Sequence[Chart]) -> list[str]:
    """Returns the charts, drawn and side by side where they fit; nothing where there are none."""
    if not charts:
        return []
    from benchloom.loaders.plots import plots

    drawn = plots(charts)
    figures = []
    for chart in charts:
        # Drawn at 150 dots an inch, of which a page has 96.
        sides = [side * 96 // 150 for side in struct.unpack(">II", drawn[chart.name][16:24])]
        figures.append(
            f'<figure class="chart">{start_box(chart.title)}'
            f'<img src="{_address(drawn[chart.name])}" alt="{text_of(_alternative(chart), None)}" '
            f'width="{sides[0]}" height="{sides[1]}"></div></figure>\n'
        )
    return [f'<div class="figures">\n{"".join(figures)}</div>\n']


def exhibit_figures(exhibits: Sequence[Exhibit]) -> list[str]:
    """Returns the pictures with their captions; nothing where there are none."""
    figures = [
        f"<figure><figcaption><h3>{text_of(one.title)}</h3>"
        f"<p>{text_of(one.caption, LONGEST_SENTENCE)}</p></figcaption>"
        f'<img src="{_address(one.image)}" alt="{text_of(one.title)}"></figure>\n'
        for one in exhibits
    ]
    return [f'<div class="figures">\n{"".join(figures)}</div>\n'] if figures else []


def _address(image: bytes) -> str:
    kind = "png" if image.startswith(b"\x89PNG") else "jpeg"
    return f"data:image/{kind};base64,{base64.b64encode(image).decode()}"


def _alternative(chart: Chart) -> str:
    """Returns what a chart shows, for those who do not see it."""
    panels = []
    for panel in (panel for row in chart.panels for panel in row):
        if isinstance(panel, HeatMap):
            rows = (
                ", ".join(
                    f"{column} {_height(value, panel.shares)}"
                    for column, value in zip(panel.columns, values, strict=True)
                )
                for values in panel.values
            )
            series = dict(zip(panel.rows, rows, strict=True))
        elif isinstance(panel, Bars):
            series = {
                name or panel.y: ", ".join(
                    f"{tick} {_height(value, panel.shares)}"
                    for tick, value in zip(panel.ticks, heights, strict=True)
                )
                for name, heights in (*panel.series.items(), *panel.baselines.items())
            }
        else:
            series = {name: f"{len(of)} values" for name, of in panel.groups.items()}
        kind = {HeatMap: "heat map", Lines: "lines", Bars: "bars"}.get(type(panel), "boxes")
        listed = "; ".join(f"{printable(name)}: {values}" for name, values in series.items())
        panels.append(f"{printable(panel.title or chart.title)} ({kind}): {listed}.")
    return printable(f"{chart.title}. {' '.join(panels)}", 4000)


def _height(value: float | None, shares: bool) -> str:
    return "none" if value is None else f"{value:.0%}" if shares else in_words(value)
