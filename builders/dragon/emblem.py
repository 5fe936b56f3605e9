"""A diagram of our own with a question and its evidence: the card may show none of a source."""

import io
from typing import TYPE_CHECKING

from benchloom.builders.dragon.picture import COLOURS
from benchloom.loaders.boxes import Box, xyxy_from_xywh

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw

SIZE = (1000, 460)
INK, GRID = "#17202a", "#d8dde3"
SERIES = {"2023": ("#4c78a8", (60, 80, 45, 70)), "2024": ("#f2a541", (40, 62, 85, 55))}
MONTHS = ("January", "February", "March", "April")
LEFT, BASE, STEP, BAR, PER_MM = 90, 370, 110, 34, 2.8
QUESTION = ("In which month was there", "more rain in 2024 than in 2023?")
ANSWER = "March"


def draw_emblem() -> bytes:
    """Returns a PNG: a chart with boxes on it, the question, the answer and the evidence beside it.

    The chart is made up.
    """
    from PIL import Image, ImageDraw

    image = Image.new("RGB", SIZE, "white")
    pen = ImageDraw.Draw(image)
    _draw_chart(pen)
    evidence = _evidence()
    for role, _, box in evidence:
        left, top, right, bottom = xyxy_from_xywh(box)
        pen.rectangle((left, top, right - 1, bottom - 1), outline=COLOURS[role], width=3)
    x, y = 600, 90
    for line in QUESTION:
        _write(pen, (x, y), line, 24)
        y += 32
    y += 14
    _write(pen, (x, y), f"Answer: {ANSWER}", 24)
    y += 58
    for role, label, box in evidence:
        _write(pen, (x, y), f"{role}: {label}", 20, COLOURS[role])
        numbers = ", ".join(f"{number:g}" for number in box)
        _write(pen, (x + 24, y + 26), f"[{numbers}]", 16)
        y += 60
    out = io.BytesIO()
    image.quantize(64).save(out, "PNG")
    return out.getvalue()


def _evidence() -> list[tuple[str, str, Box]]:
    """Returns role, label and box of what shows that the answer is right."""
    at = MONTHS.index(ANSWER)
    left, top = _bar(at, 1)[0], _bar(at, 1)[1]
    bars = (_bar(at, 0)[0] - 5, top - 5, left + BAR - _bar(at, 0)[0] + 10, BASE - top + 8)
    return [
        ("answer", ANSWER, (LEFT + at * STEP - 2, BASE + 8.0, 88, 34)),
        ("support", "bars of March", bars),
        ("support", "legend", (206.0, 56, 226, 32)),
    ]


def _bar(month: int, series: int) -> tuple[float, float]:
    """Returns the upper left corner of a bar."""
    _, heights = list(SERIES.values())[series]
    return LEFT + month * STEP + 8 + series * (BAR + 2), BASE - heights[month] * PER_MM


def _draw_chart(pen: "ImageDraw") -> None:
    _write(pen, (LEFT + 230, 36), "Rain in Ravia, mm", 22, anchor="mm")
    for mm in range(0, 101, 20):
        y = BASE - mm * PER_MM
        pen.line((LEFT - 10, y, LEFT + 440, y), INK if mm == 0 else GRID, 1)
        _write(pen, (LEFT - 18, y), str(mm), 16, anchor="rm")
    for series, (name, (colour, _)) in enumerate(SERIES.items()):
        x = 216 + 110 * series
        pen.rectangle((x, 64, x + 16, 80), colour)
        _write(pen, (x + 26, 72), name, 18, anchor="lm")
        for month in range(len(MONTHS)):
            left, top = _bar(month, series)
            pen.rectangle((left, top, left + BAR - 1, BASE - 1), colour)
    for month, name in enumerate(MONTHS):
        _write(pen, (LEFT + month * STEP + 42, BASE + 25), name, 18, anchor="mm")


def _write(
    pen: "ImageDraw",
    at: tuple[float, float],
    text: str,
    size: int,
    colour: str = INK,
    anchor: str = "lm",
) -> None:
    from PIL import ImageFont

    pen.text(at, text, colour, ImageFont.load_default(size=size), anchor=anchor)
