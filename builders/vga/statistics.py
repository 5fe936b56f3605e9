"""Sizes, balance and shortcut rules of a finished build of VGA."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchloom.builders.statistics import (
    Bars,
    Chart,
    FinishedBuild,
    Share,
    Statistics,
    Table,
)
from benchloom.builders.vga.configs import CONFIGS
from benchloom.builders.vga.shortcuts import measure


@dataclass(frozen=True)
class BuiltSplit:
    """What is known of a split.

    Attributes:
        config: The config.
        split: The split.
        rows: Measures, values and remarks.
        labels: Number of records of each label, by name.
        edges: Number of graphs with each number of edges; in pairs both graphs count.
    """

    config: str
    split: str
    rows: Sequence[Sequence[Any]]
    labels: Mapping[str, int]
    edges: Mapping[int, int]


@dataclass(frozen=True)
class VgaStatistics(Statistics):
    """What is known of a finished build of VGA."""

    splits: Sequence[BuiltSplit]

    def tables(self) -> list[Table]:
        """Returns one table with the measures of all splits."""
        rows = [(of.config, of.split, *row) for of in self.splits for row in of.rows]
        head = ("config", "split", "measure", "value", "remark")
        return [Table("splits", "Sizes, balance and shortcuts", head, rows)]

    def charts(self) -> list[Chart]:
        """Returns labels and numbers of edges, a panel for each config, a colour for each split."""
        configs: dict[str, list[BuiltSplit]] = {}
        for of in self.splits:
            configs.setdefault(of.config, []).append(of)
        labels = [_label_bars(config, splits) for config, splits in configs.items()]
        edges = [_edge_bars(config, splits) for config, splits in configs.items()]
        return [
            Chart("labels", "Labels, by config and split", _in_rows(labels)),
            Chart("edges", "Edges of the graphs, by config and split", _in_rows(edges)),
        ]


def statistics(build: FinishedBuild) -> VgaStatistics:
    """Returns what is known of a finished build; a split is in memory at a time."""
    splits = []
    for config, split in build.splits():
        columns = build.columns(config, split)
        labels = Counter(columns["label"])
        edges: Counter[int] = Counter()
        for suffix in _suffixes(config):
            edges.update(columns[f"n_edges{suffix}"])
        splits.append(
            BuiltSplit(
                config,
                split,
                split_statistics(columns, config, split),
                {name: labels[number] for number, name in enumerate(CONFIGS[config].labels)},
                edges,
            )
        )
    return VgaStatistics(splits)


def _suffixes(config: str) -> tuple[str, ...]:
    return ("_left", "_right") if CONFIGS[config].pairs else ("",)


def _in_rows(panels: Sequence[Bars]) -> list[Sequence[Bars]]:
    """Returns panels in rows of three."""
    return [panels[start : start + 3] for start in range(0, len(panels), 3)]


def _label_bars(config: str, splits: Sequence[BuiltSplit]) -> Bars:
    names = list(splits[0].labels)
    series = {of.split: _percentages([of.labels[name] for name in names]) for of in splits}
    return Bars(config, "label", "% of records", names, series)


def _edge_bars(config: str, splits: Sequence[BuiltSplit]) -> Bars:
    known = [number for of in splits for number in of.edges]
    ticks = range(min(known), max(known) + 1)
    series = {of.split: _percentages([of.edges.get(m, 0) for m in ticks]) for of in splits}
    return Bars(config, "edges", "% of graphs", [str(m) for m in ticks], series)


def _percentages(counts: Sequence[int]) -> list[float]:
    return [100 * count / sum(counts) for count in counts]


def split_statistics(columns: Mapping[str, Any], config: str, split: str) -> list[Sequence[Any]]:
    """Returns rows (measure, value, remark) on a split.

    Args:
        columns: Every column but the images, as lists.
        config: The config.
        split: The split, for its layout.
    """
    spec = CONFIGS[config]
    suffixes = _suffixes(config)
    n = len(columns["id"])
    rows: list[Sequence[Any]] = [("records", n, spec.layouts[split])]
    labels = np.asarray(columns["label"])
    for number, name in enumerate(spec.labels):
        rows.append((f"label {name}", int((labels == number).sum()), ""))
    imbalance = max(
        np.ptp([np.count_nonzero(labels[:stop] == number) for number in range(len(spec.labels))])
        for stop in range(1, min(n, 2000) + 1)
    )
    rows.append(
        ("greatest imbalance of a prefix", int(imbalance), "within the first 2,000 records")
    )
    for suffix in suffixes:
        name = suffix.replace("_", " ")
        known = Counter(columns[f"catalog_index{suffix}"])
        if None not in known:
            rows.append(
                (
                    f"different graphs{name}",
                    len(known),
                    f"the commonest {max(known.values())} times",
                )
            )
        rows.append(
            (f"planar{name}", Share(np.mean(columns[f"planar{suffix}"])), "share of the records")
        )
        edges = columns[f"n_edges{suffix}"]
        rows.append((f"edges{name}", float(np.mean(edges)), f"mean; {min(edges)} to {max(edges)}"))
        moved = np.asarray(columns[f"moved{suffix}"])
        rows.append(
            (
                f"repaired drawings{name}",
                Share((moved > 0).mean()),
                f"share; {moved.mean():.2f} nodes moved on average",
            )
        )
    arrays = {
        name: np.asarray(columns[name])
        for name in columns
        if name.startswith(("label", "graph6", "n_nodes", "n_edges", "planar"))
    }
    for rule in measure(config, arrays):
        rows.append(
            (
                f"rule: {rule['rule']}",
                Share(rule["accuracy"]),
                f"accuracy; chance {Share(rule['chance'])}",
            )
        )
    return rows
