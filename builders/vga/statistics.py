"""Sizes, balance and shortcut rules of a split."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from benchloom.builders.vga.configs import CONFIGS
from benchloom.builders.vga.shortcuts import measure


def split_statistics(columns: Mapping[str, Any], config: str, split: str) -> list[Sequence[Any]]:
    """Returns rows (measure, value, remark) on a split.

    Args:
        columns: Every column but the images, as lists.
        config: The config.
        split: The split, for its layout.
    """
    spec = CONFIGS[config]
    suffixes = ("_left", "_right") if spec.pairs else ("",)
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
            (f"planar{name}", float(np.mean(columns[f"planar{suffix}"])), "share of the records")
        )
        edges = columns[f"n_edges{suffix}"]
        rows.append((f"edges{name}", float(np.mean(edges)), f"mean; {min(edges)} to {max(edges)}"))
        moved = np.asarray(columns[f"moved{suffix}"])
        rows.append(
            (
                f"repaired drawings{name}",
                float((moved > 0).mean()),
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
                float(rule["accuracy"]),
                f"accuracy; chance {rule['chance']:.3f}",
            )
        )
    return rows
