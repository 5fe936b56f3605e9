"""What is known of a finished build, as data to be printed and drawn elsewhere."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from benchloom.builders.benchmark import Record
    from benchloom.builders.manifest import Manifest

CountTokens = Callable[[str], int]
"""Returns the number of tokens of a text."""


class Share(float):
    """A share of a whole, from 0 to 1, shown as a percentage."""

    def __str__(self) -> str:
        return f"{100 * self:.1f}%"


class Points(float):
    """A difference of two shares, shown in percentage points with its sign."""

    def __str__(self) -> str:
        return f"{100 * self:+.1f}"


class Probability(float):
    """The p of a test, shown to three digits after the point."""

    def __str__(self) -> str:
        return f"{self:.3f}" if self >= 0.001 else "<0.001"


class Interval(tuple[float, float]):
    """The lower and the upper end of an interval, of one of the kinds above or plain."""

    __slots__ = ()


class Beside(tuple[float | None, ...]):
    """Numbers to be compared, such as ours and the paper's; None where there is none."""

    __slots__ = ()


@dataclass(frozen=True)
class Table:
    """A table as data.

    Attributes:
        name: A short name, unique within a build's tables.
        title: What it shows, in words.
        head: Names of the columns.
        rows: A value for each column: a text, a number, a `Share`, `Points`, a `Probability`, an
            `Interval`, a `Beside`, or None.
        note: What one must know to read it.
        on_card: Whether it is a main one, which the card of a build and the terminal show.
    """

    name: str
    title: str
    head: tuple[str, ...]
    rows: Sequence[Sequence[Any]]
    note: str = ""
    on_card: bool = False

    def texts(self) -> list[list[str]]:
        """Returns the rows in words, as they are printed."""
        return [[in_words(value) for value in row] for row in self.rows]

    def numbers(self) -> list[bool]:
        """Returns for each column whether it holds anything but words, as it is then aligned."""
        return [
            any(not isinstance(row[i], str | None) for row in self.rows)
            for i in range(len(self.head))
        ]


def in_words(value: Any) -> str:
    """Returns a value of a table as it is printed; nothing for None."""
    if value is None:
        return ""
    if isinstance(value, Beside):
        return " / ".join("-" if one is None else in_words(one) for one in value)
    if isinstance(value, Interval):
        return " to ".join(map(in_words, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float) and not isinstance(value, Share | Points | Probability):
        return (
            f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.{1 if abs(value) >= 10 else 2}f}"
        )
    return str(value)


@dataclass(frozen=True)
class Bound:
    """A promise on a number, and whether it is kept.

    Attributes:
        where: The part of the build, such as a cell.
        rule: What is measured, in words.
        value: What was measured.
        least: The lower bound, None where there is none.
        most: The upper bound, None where there is none.
        unchecked: Why the promise does not cover this build, nothing where it does.
    """

    where: str
    rule: str
    value: float
    least: float | None = None
    most: float | None = None
    unchecked: str = ""

    @property
    def holds(self) -> bool:
        """Whether the value keeps the bounds."""
        return (self.least is None or self.value >= self.least - 1e-9) and (
            self.most is None or self.value <= self.most + 1e-9
        )

    @property
    def state(self) -> str:
        """`holds`, `BROKEN` or `not checked`."""
        return "not checked" if self.unchecked else "holds" if self.holds else "BROKEN"

    @property
    def allowed(self) -> str:
        """The bounds in words."""
        if self.least is None:
            return f"at most {Share(self.most or 0)}"
        if self.most is None:
            return f"at least {Share(self.least)}"
        return f"{Share(self.least)} to {Share(self.most)}"


@dataclass(frozen=True)
class Bars:
    """A panel of bars: for each tick one bar of every series.

    Attributes:
        title: What it shows.
        x: What the ticks are.
        y: What the heights are.
        ticks: Names of the groups of bars.
        series: Heights by name of the series, one for each tick; None where there is none.
        intervals: Lower and upper ends about the heights, by name of the series.
        baselines: Heights to compare with, by name: one for each tick.
        shares: Whether heights are shares from 0 to 1, to be shown as percentages up to 100%.
    """

    title: str
    x: str
    y: str
    ticks: Sequence[str]
    series: Mapping[str, Sequence[float | None]]
    intervals: Mapping[str, Sequence[tuple[float, float] | None]] = field(default_factory=dict)
    baselines: Mapping[str, Sequence[float | None]] = field(default_factory=dict)
    shares: bool = False


@dataclass(frozen=True)
class Lines(Bars):
    """The same as points joined by lines, for ticks that have an order, such as lengths."""


@dataclass(frozen=True)
class Boxes:
    """A panel of boxes: median, quartiles and the whole range of some groups of numbers.

    Attributes:
        title: What it shows.
        y: What the numbers are.
        groups: Numbers by name of the group.
    """

    title: str
    y: str
    groups: Mapping[str, Sequence[float]]


@dataclass(frozen=True)
class HeatMap:
    """A panel of coloured cells with their numbers.

    Attributes:
        title: What it shows.
        rows: Names of the rows, from the top.
        columns: Names of the columns.
        values: A row of numbers for each row; None where a cell stays blank.
        x: What the columns are.
        y: What the rows are.
        limits: Numbers of the lightest and the darkest colour; None for the least and the greatest.
        shares: Whether numbers are shares from 0 to 1, to be shown as percentages.
    """

    title: str
    rows: Sequence[str]
    columns: Sequence[str]
    values: Sequence[Sequence[float | None]]
    x: str = ""
    y: str = ""
    limits: tuple[float, float] | None = None
    shares: bool = False


@dataclass(frozen=True)
class Chart:
    """A picture of one or several panels.

    Attributes:
        name: Name of its file, without an ending.
        title: What it shows.
        panels: Rows of panels, from the top.
    """

    name: str
    title: str
    panels: Sequence[Sequence[Bars | Boxes | HeatMap]] = field(default_factory=tuple)


class FinishedBuild(Protocol):
    """What statistics need of a finished build."""

    @property
    def manifest(self) -> Manifest:
        """What the build holds, and its recipe."""

    def splits(self) -> Iterator[tuple[str, str]]:
        """Yields every config and split, in order."""

    def columns(self, config: str, split: str) -> Mapping[str, list[Any]]:
        """Returns the columns of a split but the images, each read when asked for."""

    def records(
        self, config: str, split: str, indices: Sequence[int] | None = None
    ) -> Iterator[tuple[int, Record]]:
        """Yields the records at ascending places of a split, with their places."""


class Statistics(ABC):
    """What is known of a finished build. Nothing in it is printed or drawn yet."""

    @abstractmethod
    def tables(self) -> list[Table]:
        """Returns what people want to know of the build."""

    def bounds(self) -> list[Bound]:
        """Returns what was promised of the build, and whether it is so."""
        return []

    def charts(self) -> list[Chart]:
        """Returns what people would rather see."""
        return []
