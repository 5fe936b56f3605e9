"""What a benchmark must offer, and the table of all benchmarks."""

from __future__ import annotations

import importlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from benchloom.builders.errors import InputError
from benchloom.builders.registry import lookup

if TYPE_CHECKING:
    from datasets import Features

    from benchloom.builders.recipe import Recipe
    from benchloom.builders.statistics import CountTokens, FinishedBuild, Statistics

Record = dict[str, Any]
"""One row of a dataset: column names to plain values; an image is `{"bytes": ..., "path": ...}`."""


@dataclass(frozen=True)
class Option:
    """One option of a benchmark's recipe, as the command line offers it.

    Attributes:
        name: The option's name in the recipe; `--name` on the command line.
        help: One line of help.
        many: Whether it takes several values.
        metavar: How its value is shown in the help.
        kind: Turns one word of the command line into a value; bool for an option without one; Path
            for an input folder, of which the recipe holds the digest of its content alone.
    """

    name: str
    help: str
    many: bool = False
    metavar: str = "VALUE"
    kind: type = str


class Benchmark(ABC):
    """A benchmark: how its records are planned, made, checked and described.

    `plan` is cheap and sequential; `make` is a pure function of one spec and is the expensive part.
    Everything else (parallel work, resuming, verifying, auditing) is the engine's.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    generation: ClassVar[int]
    """Raised only when existing records must change."""
    configs: ClassVar[tuple[str, ...]]
    combined_configs: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """Configs that list the files of other configs: nothing is stored twice."""
    default_config: ClassVar[str]
    extra_configs: ClassVar[tuple[str, ...]] = ()
    """Those of `configs` that are built only when they are named."""
    options: ClassVar[tuple[Option, ...]] = ()
    needs_folder: ClassVar[bool] = False
    """Whether it is always built from a user's folder, so that such a build is the usual one. Its
    specs are its records then, so that a build can be checked without the folder."""
    limit_help: ClassVar[str] = "the first N records of each split"
    """What `--limit N` gives."""
    shard_rows: ClassVar[int]
    row_group_rows: ClassVar[int]
    is_text: ClassVar[bool] = False
    """Whether a query is text alone, so that its tokens can be counted."""
    packages: ClassVar[tuple[str, ...]]
    """Distributions whose version may change the bytes of a build; the manifest states them."""

    @abstractmethod
    def resolve(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Returns the options that differ from the published benchmark, checked, as JSON values.

        An input folder comes as a Path, and goes as the digest of its content.

        Raises:
            InputError: If an option cannot be used.
        """

    def offered(self, recipe: Recipe) -> tuple[str, ...]:
        """Returns the configs that are built when none is named, in order.

        Raises:
            InputError: If the recipe can be carried out for none.
        """
        return tuple(name for name in self.configs if name not in self.extra_configs)

    def remarks(self, recipe: Recipe, configs: Sequence[str]) -> list[str]:
        """Returns what a user should know before configs are built, such as what is left out.

        Args:
            recipe: The recipe.
            configs: The configs that were named, none for those that are offered.
        """
        return []

    @abstractmethod
    def splits(self, config: str) -> tuple[str, ...]:
        """Returns the names of a config's splits, in order."""

    @abstractmethod
    def outline(self, config: str, split: str) -> tuple[int, str, str]:
        """Returns a split's full number of records, its labels and a remark, for a list."""

    @abstractmethod
    def features(self, config: str) -> Features:
        """Returns the declared columns of a config and their types."""

    @abstractmethod
    def plan(self, recipe: Recipe, config: str) -> Mapping[str, Sequence[Any]]:
        """Returns for each split the specs of its records, in order, picklable.

        Raises:
            InputError: If the recipe cannot be carried out.
        """

    @abstractmethod
    def make(self, spec: Any) -> Record:
        """Returns the record of a spec: pure, the same in any process."""

    def planned(self, spec: Any) -> Record:
        """Returns the columns of a spec's record that cost nothing to work out; the answer, say.

        `verify` compares them for every record, also where it makes only some again.
        """
        return {}

    def make_all(self, specs: Sequence[Any]) -> Iterator[Record]:
        """Yields the record of each spec, in order: what `make` returns, perhaps made faster."""
        return map(self.make, specs)

    @abstractmethod
    def audit(self, record: Record, config: str, recipe: Recipe) -> list[str]:
        """Returns what is wrong with a record, a sentence each, judged from what a user sees in it.

        It takes nothing for granted but the definition of the task: what is shown is read back by
        code that shares nothing with `make`, and the answer is worked out anew from that.
        """

    def audit_split(self, columns: Mapping[str, Any], config: str, split: str) -> list[str]:
        """Returns what is wrong with a split as a whole, a sentence each.

        Args:
            columns: Every column but the images, as lists, read when asked for.
            config: The config.
            split: The split.
        """
        return []

    @abstractmethod
    def statistics(
        self, build: FinishedBuild, count_tokens: CountTokens | None = None
    ) -> Statistics:
        """Returns what is known of a finished build: balance, and what trivial rules reach.

        Args:
            build: The build.
            count_tokens: Returns the number of tokens of a text; for a benchmark whose queries are
                text. Without it no tokens are counted.
        """

    def with_pictures(self, words: Sequence[str]) -> Benchmark:
        """Returns the benchmark with pictures at hand that its records refer to and do not hold.

        Args:
            words: Where they are, as the command line has it.

        Raises:
            InputError: If a word names no such place, or the records hold their pictures.
        """
        raise InputError(f"the pictures of {self.name} are in the build; leave out --images")

    def emblem(self) -> bytes:
        """Returns a PNG for the card of a benchmark whose records hold no pictures of their own.

        Nothing where the card shows records.
        """
        return b""

    def preview_places(self, rows: int, count: int) -> Sequence[int]:
        """Returns ascending places of records of a split that a contact sheet shows."""
        return range(min(rows, count))

    @abstractmethod
    def preview(self, record: Record, config: str) -> Mapping[str, Any]:
        """Returns what a contact sheet shows of a record.

        That is `image` (its bytes) or `text` or both, a `caption`, and `facts` (names to values);
        caption and facts are covered together with the answer.
        """

    @abstractmethod
    def show(self, record: Record, config: str) -> str:
        """Returns a record as a model sees it, then its answer, as text."""

    @abstractmethod
    def picture(self, record: Record, config: str) -> bytes:
        """Returns a PNG of a record: what a model sees, or its graph.

        Raises:
            InputError: If its picture is not at hand.
        """

    def export(self, config: str, split: str) -> tuple[str, str]:
        """Returns the folder and the file of labels that the original layout has for a split.

        Raises:
            InputError: If the original has no such layout.
        """
        raise InputError(f"{self.name} has no folder layout of its own to export {config} to")

    @abstractmethod
    def bench(self, limit: int) -> Iterable[Sequence[Any]]:
        """Yields rows (stage, value, unit, remark) of a measurement beside a named baseline."""

    def warm_up(self) -> None:  # noqa: B027  (most benchmarks have nothing to compile)
        """Compiles what workers will load from the disk, so that they need not repeat it."""


BENCHMARKS: dict[str, Benchmark] = {}
_MODULES = ("vga", "graphomni", "dragon")


def benchmarks() -> dict[str, Benchmark]:
    """Returns the benchmarks by name."""
    for module in _MODULES:
        importlib.import_module(f"benchloom.builders.{module}.benchmark")
    # In this order, whichever was imported first.
    return {name: BENCHMARKS[name] for name in dict.fromkeys((*_MODULES, *BENCHMARKS))}


def benchmark(name: str) -> Benchmark:
    """Returns a benchmark.

    Raises:
        InputError: If there is none of that name.
    """
    return lookup(benchmarks(), name, "benchmark")
