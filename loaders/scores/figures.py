"""Charts and pictures of a report, each in the page itself and described."""

from __future__ import annotations

import base64
import struct
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from benchloom.builders.statistics import Bars, Boxes, Chart, HeatMap, Lines, in_words
from benchloom.loaders.scores.markup import LONGEST_SENTENCE, start_box, text_of
from benchloom.loaders.scores.printable import printable

if TYPE_CHECKING:
    from benchloom.loaders.scores.result import Exhibit

WIDE = 560
"""Pictures of more pixels are scrolled on a phone; smaller ones are made to fit."""

Panel = Bars | Boxes | HeatMap


def chart_figures(charts: Sequence[Chart]) -> list[str]:
    """Returns the charts, drawn and side by side where they fit; nothing where there are none."""
    if not charts:
        return []
    from benchloom.loaders.plots import plots

    parts = []
    for chart in charts:
        pictures = list(_pictures(chart))
        drawn = plots(picture for picture, _, _ in pictures)
        figures = []
        several = " panels" if len(pictures) > 1 else ""
        for picture, caption, panels in pictures:
            image = drawn[picture.name]
            # Drawn at 150 dots an inch, of which a page has 96.
            sides = [side * 96 // 150 for side in struct.unpack(">II", image[16:24])]
            wide = sides[0] > WIDE
            cue = '<p class="cue narrow">scroll sideways</p>' if wide else ""
            title = f"<figcaption>{text_of(caption)}</figcaption>" if caption else ""
            alternative = text_of(_alternative(chart.title, panels), None)
            figures.append(
                f'<figure class="chart{" wide" if wide else ""}">{title}{cue}'
                f"{start_box(caption or chart.title)}"
                f'<img src="{_address(image)}" alt="{alternative}" '
                f'width="{sides[0]}" height="{sides[1]}"></div></figure>\n'
            )
        parts.append(
            f'<div class="group">\n<h3>{text_of(chart.title)}</h3>\n'
            f'<div class="figures{several}">\n{"".join(figures)}</div>\n</div>\n'
        )
    return parts


def _pictures(chart: Chart) -> Iterator[tuple[Chart, str, Sequence[Panel]]]:
    """Yields what is drawn of a chart without titles that the page says, its caption, its panels.

    Heat maps are a picture each, so that a narrow page has them below each other and says of each
    what it shows.
    """
    panels = [panel for row in chart.panels for panel in row]
    if len(panels) > 1 and all(isinstance(panel, HeatMap) for panel in panels):
        for number, panel in enumerate(panels):
            alone = Chart(f"{chart.name}_{number}", "", [[replace(panel, title="")]])
            yield alone, panel.title, [panel]
    else:
        yield replace(chart, title=""), "", panels


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


def _alternative(title: str, panels: Sequence[Panel]) -> str:
    """Returns what a picture shows, for those who do not see it."""
    shown = []
    for panel in panels:
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
        shown.append(f"{printable(panel.title or title)} ({kind}): {listed}.")
    return printable(f"{title}. {' '.join(shown)}", 4000)


def _height(value: float | None, shares: bool) -> str:
    return "none" if value is None else f"{value:.0%}" if shares else in_words(value)
