"""What guesses and shortcuts reach on the questions that models were asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from benchloom.builders.graphomni.baselines import random_baseline
from benchloom.builders.graphomni.cells import Instance
from benchloom.builders.graphomni.shortcuts import shortcuts
from benchloom.loaders.scores.graphomni_sheet import Floats, Sheet

RANDOM = "(random guesses)"
SHORTCUT = "(best shortcut)"
"""Names of the baselines among the models; brackets keep them apart."""

RULES: Mapping[str, Sequence[str]] = {
    "bfs_order": ("component in ascending order", "start, then component in ascending order"),
    "connectivity": (
        "always yes",
        "yes if the whole graph is connected",
        "yes if only one component has edges",
        "yes if adjacent",
        "yes if at distance 1 or 2",
        "yes (or no) if the ends have one degree",
        "best threshold on the smaller end degree",
        "best threshold on the larger end degree",
    ),
    "cycle": ("always yes", "m >= n", "m >= nodes that have edges", "best threshold on m"),
    "diameter": ("most common value",),
    "shortest_path": ("source, target",),
    "triangle": ("most common value", "0"),
    "hamiltonian_cycle": ("always none", "a cycle if connected without dead ends"),
}
"""Of each task the shortcuts that give answers; of a cut both size and side would be needed."""


@dataclass(frozen=True)
class Baselines:
    """What guesses and shortcuts reach.

    Attributes:
        random: The chance that a guess answers each record rightly.
        best: What the best shortcut of each record's task and difficulty reaches on them; not a
            number where there is none.
        rules: The share right of each task's rules, by difficulty.
    """

    random: Floats
    best: Floats
    rules: Mapping[tuple[str, str], Mapping[str, float]]


def baselines(sheet: Sheet) -> Baselines:
    """Returns what guesses and shortcuts reach on the questions of a sheet."""
    chances = np.array([random_baseline(one.task, [one]) for one in sheet.instances])
    best = np.full(len(sheet.instances), np.nan)
    rules: dict[tuple[str, str], dict[str, float]] = {}
    cells: dict[tuple[str, str], list[int]] = {}
    for place, one in enumerate(sheet.instances):
        cells.setdefault((one.task, one.difficulty), []).append(place)
    for (task, difficulty), places in cells.items():
        reached = _rules(task, [sheet.instances[place] for place in places])
        for rule, value in reached.items():
            rules.setdefault((task, rule), {})[difficulty] = value
        if reached:
            best[places] = max(reached.values())
    return Baselines(chances[sheet.questions], best[sheet.questions], rules)


def _rules(task: str, instances: Sequence[Instance]) -> dict[str, float]:
    """Returns the share of right answers that each shortcut of a task reaches."""
    # A graph without nodes has nothing that rules could look at.
    asked = [one for one in instances if one.graph.n_nodes]
    wanted = RULES.get(task, ())
    return {row.rule: row.value for row in shortcuts(task, asked) if row.rule in wanted}
