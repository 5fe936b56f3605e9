"""Which records a recipe has: from the catalogue or a stream of graphs to specs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchloom.builders.errors import InputError
from benchloom.builders.recipe import Recipe
from benchloom.builders.seeds import rng
from benchloom.builders.specs import LazySpecs
from benchloom.builders.vga.configs import CONFIGS, KAMADA_KAWAI
from benchloom.builders.vga.style import Style

if TYPE_CHECKING:
    from benchloom.builders.graphs.catalogue import GraphTable
    from benchloom.builders.vga.selection import Selection

CATALOGUE_NODES = (8, 9)
LARGEST_WHOLE = 9
"""Graphs of more nodes are too many to be taken all: a limit is then needed."""


@dataclass(frozen=True, slots=True)
class ShownGraph:
    """One graph of a record.

    Attributes:
        graph6: The graph in the numbering of its source.
        catalog_index: Its index in the catalogue, None when it is not from there.
        planar: Whether it is planar.
        layout: The layout it is drawn in.
        repeat: How often the split has shown it so before.
        marked: The marked nodes in the numbering of its source, None when none are.
    """

    graph6: str
    catalog_index: int | None
    planar: bool
    layout: str
    repeat: int
    marked: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class Spec:
    """What a record is made from.

    Attributes:
        config: The config.
        split: The split.
        index: Place in the split, from 0.
        label: Class number.
        graphs: The graph shown, or the left and the right one.
        generation: Generation of the records.
        seed: The user's seed.
        style: The look of the drawing.
    """

    config: str
    split: str
    index: int
    label: int
    graphs: tuple[ShownGraph, ...]
    generation: int
    seed: int
    style: Style


class SplitSpecs(LazySpecs[Spec]):
    """The specs of a split, made when asked for."""

    def __init__(
        self, recipe: Recipe, config: str, split: str, parts: Sequence[tuple[GraphTable, Selection]]
    ) -> None:
        self._recipe = recipe
        self._config = config
        self._split = split
        self._parts = parts
        self._style = Style.from_json(recipe.options.get("style", {}))
        rows = sum(len(selection) for _, selection in parts)
        self._rows = rows if recipe.limit is None else min(rows, recipe.limit)

    def __len__(self) -> int:
        return self._rows

    def spec(self, index: int) -> Spec:
        """Returns the spec at a place."""
        table, selection, row = self._locate(index)
        config = CONFIGS[self._config]
        layout = config.layouts[self._split]
        marks = selection.marked[row]
        marked = (int(marks[0]), int(marks[1])) if marks[0] >= 0 else None
        anchor, repeat = int(selection.graph[row]), int(selection.repeat[row])
        graphs: tuple[ShownGraph, ...]
        if config.pairs:
            mate, mate_repeat = int(selection.mate[row]), int(selection.mate_repeat[row])
            graphs = (
                _shown(table, mate, layout, mate_repeat, None),
                _shown(table, anchor, KAMADA_KAWAI, repeat, None),
            )
        else:
            graphs = (_shown(table, anchor, layout, repeat, marked),)
        return Spec(
            self._config,
            self._split,
            index,
            int(selection.label[row]),
            graphs,
            self._recipe.generation,
            self._recipe.seed,
            self._style,
        )

    def _locate(self, index: int) -> tuple[GraphTable, Selection, int]:
        for table, selection in self._parts:
            if index < len(selection):
                return table, selection, index
            index -= len(selection)
        raise IndexError(index)


def plan_config(recipe: Recipe, config: str) -> dict[str, SplitSpecs]:
    """Returns the specs of each split of a config.

    Raises:
        InputError: If the graphs do not allow it, or geng is needed and missing.
    """
    from benchloom.builders.vga.selection import select

    parts: dict[str, list[tuple[GraphTable, Selection]]] = {"train": [], "test": []}
    for part, (table, sizes) in enumerate(_tables(recipe, config)):
        chosen = select(config, table, sizes, recipe.generation, recipe.seed, part)
        for side, selection in chosen.items():
            parts[side].append((table, selection))
        rows = [sum(len(selection) for _, selection in of) for of in parts.values()]
        if recipe.limit is not None and min(rows) >= recipe.limit:
            break
    spec = CONFIGS[config]
    return {
        split: SplitSpecs(recipe, config, split, parts[spec.side(split)]) for split in spec.layouts
    }


def node_counts(recipe: Recipe) -> tuple[int, ...]:
    """Returns the numbers of nodes a recipe's graphs have."""
    return tuple(recipe.options.get("nodes", CATALOGUE_NODES))


def _tables(recipe: Recipe, config: str) -> Iterator[tuple[GraphTable, Mapping[str, int] | None]]:
    """Yields tables of graphs, each with the sizes wanted, None for all it allows."""
    from benchloom.builders.graphs import catalogue, geng

    nodes = node_counts(recipe)
    if nodes == CATALOGUE_NODES:
        yield catalogue.catalogue(), CONFIGS[config].sizes
    elif set(nodes) <= set(CATALOGUE_NODES):
        yield catalogue.catalogue(nodes), None
    else:
        (n,) = nodes
        if n > LARGEST_WHOLE and recipe.limit is None:
            raise InputError(f"there are too many graphs on {n} nodes to draw all; give a --limit")
        parts = geng.count_parts(n)
        order = rng("vga", recipe.generation, "slices", n, recipe.seed).permutation(parts)
        for part in order:
            yield geng.table(n, int(part), parts), None


def _shown(
    table: GraphTable, index: int, layout: str, repeat: int, marked: tuple[int, int] | None
) -> ShownGraph:
    catalog_index = int(table.catalog_index[index])
    return ShownGraph(
        table.graph6(index),
        catalog_index if catalog_index >= 0 else None,
        bool(table.planar[index]),
        layout,
        repeat,
        marked,
    )
