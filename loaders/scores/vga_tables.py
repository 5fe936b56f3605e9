"""Tables and charts of VGA's scores, in the layouts of the paper."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchloom.builders.statistics import (
    Interval,
    Probability,
    Share,
    Table,
)
from benchloom.builders.vga.configs import CONFIGS
from benchloom.builders.vga.shortcuts import measure
from benchloom.loaders.scores.uncertainty import wilson
from benchloom.loaders.scores.vga_sheets import (
    LEVEL,
    Sheet,
    by_config,
    confusion,
    leaves,
    part_tally,
    tally,
)

COMMONEST = "(always the commonest answer)"
"""Names the baseline among the models; brackets keep it apart from them."""

TABLE_2 = (
    ("easy iso", "easy_iso", "test"),
    ("hard iso", "hard_iso", "test"),
    ("ham path", "ham_path", "test"),
    ("shortest random", "shortest_path", "test_random"),
    ("shortest kawai", "shortest_path", "test_kawai"),
    ("shortest planar", "shortest_path", "test"),
    ("ham cycle", "ham_cycle", "test"),
    ("chordless", "chordless_cycle", "test"),
)
"""The columns of the paper's Table 2, each with the config and split it is measured on."""
HUMANS = (0.950, 0.916, 0.966, 0.983, 1.0, 1.0, 0.933, 0.882)
"""The first row of Table 2: 15 people, four questions a task."""
HUMAN_ANSWERS = 60

RULES = (
    "edge count, best threshold",
    "edge count, split-half",
    "planarity, best label each",
    "has a leaf: no",
    "same number of nodes: yes",
    "same number of edges: yes",
    "same degree sequence: yes",
)
"""The shortcut rules that are shown. Others have an answer for every value of a column, chosen on
the very records: on few records such a rule is good by chance."""

_NEAR_RANDOM = (
    f"Near random (the paper's FAIL): not significantly above chance at the {LEVEL:.0%} level, by "
    "an exact one-sided binomial test. Chance: always the commonest answer, which is one in the "
    "number of classes where they are balanced."
)


def accuracy_table(sheets: Sequence[Sheet], models: Sequence[str]) -> Table:
    """Returns accuracy, balanced accuracy and the verdict on chance by model, config and split."""
    rows: list[Sequence[Any]] = []
    for sheet in sheets:
        for model in models:
            of = tally(sheet, model)
            rows.append(
                (
                    model,
                    sheet.config,
                    sheet.split,
                    sheet.layout or None,
                    of.n,
                    Share(of.accuracy),
                    _interval(of.interval),
                    Share(of.balanced),
                    Share(of.chance),
                    Probability(of.p_above),
                    of.state,
                )
            )
    head: tuple[str, ...] = (
        "model",
        "config",
        "split",
        "layout",
        "records",
        "accuracy",
        "95% interval",
    )
    head += ("balanced accuracy", "chance", "p", "verdict")
    note = "Balanced accuracy: the mean of the accuracies of the classes. " + _NEAR_RANDOM
    return Table("accuracy", "Accuracy by task and layout", head, rows, note, on_card=True)


def paper_table(sheets: Sequence[Sheet], models: Sequence[str]) -> Table:
    """Returns the models beside people, in the layout of Table 2."""
    by_name = {(sheet.config, sheet.split): sheet for sheet in sheets}
    rows: list[Sequence[Any]] = [("(humans, the paper's)", *map(Share, HUMANS))]
    chances: list[Any] = [COMMONEST]
    for _, config, split in TABLE_2:
        sheet = by_name.get((config, split))
        chances.append(sheet and Share(np.bincount(sheet.truth).max() / len(sheet.truth)))
    rows.append(chances)
    for model in models:
        cells: list[Any] = [model]
        for _, config, split in TABLE_2:
            sheet = by_name.get((config, split))
            of = None if sheet is None else tally(sheet, model)
            if of is None:
                cells.append(None)
            else:
                share = Share(of.accuracy)
                cells.append(f"FAIL ({share})" if of.is_near_random else share)
        rows.append(cells)
    note = (
        "FAIL stands where the paper has it: near random. Both Hamiltonian tasks and the chordless "
        "cycles are those in planar layout. The paper's people saw other pictures of the same "
        "kinds (15 people, four questions a task). " + _NEAR_RANDOM
    )
    head: tuple[str, ...] = ("model", *(name for name, _, _ in TABLE_2))
    return Table("table_2", "The layout of the paper's Table 2", head, rows, note, on_card=True)


def human_accuracy(sheet: Sheet) -> float:
    """Returns what people reach on a split (Table 2); on a layout they did not see, on its task."""
    by_name = {(config, split): of for (_, config, split), of in zip(TABLE_2, HUMANS, strict=True)}
    return by_name.get((sheet.config, sheet.split), by_name[sheet.config, "test"])


def class_table(sheets: Sequence[Sheet], models: Sequence[str]) -> Table:
    """Returns the accuracy of each class."""
    rows: list[Sequence[Any]] = []
    for sheet in sheets:
        for model in models:
            right = sheet.right(model)
            for number, label in enumerate(sheet.labels):
                of = sheet.truth == number
                if of.any():
                    hits, n = int(right[of].sum()), int(of.sum())
                    interval = _interval(wilson(hits, n))
                    rows.append(
                        (model, sheet.config, sheet.split, label, n, Share(hits / n), interval)
                    )
    head: tuple[str, ...] = (
        "model",
        "config",
        "split",
        "right answer",
        "records",
        "accuracy",
        "95% interval",
    )
    return Table("classes", "Accuracy by right answer", head, rows)


def confusion_tables(sheets: Sequence[Sheet], models: Sequence[str]) -> list[Table]:
    """Returns for each config what was answered for each right answer, in the layout of Table 3."""
    tables = []
    for config, of in by_config(sheets):
        rows: list[Sequence[Any]] = []
        for sheet in of:
            for model in models:
                for label, counts in zip(sheet.labels, confusion(sheet, model), strict=True):
                    if n := int(counts.sum()):
                        shares = [Share(count / n) for count in counts]
                        rows.append((model, sheet.split, label, n, *shares))
        head = ("model", "split", "right answer", "records", *of[0].labels, "other")
        note = (
            "Rows: the right answer; columns: what the model answered, in percent of the row. "
            "Other: another answer than the task has, none that can be read, or none at all."
        )
        tables.append(Table(f"confusion_{config}", f"Confusion, {config}", head, rows, note))
    return tables


def slice_table(sheets: Sequence[Sheet], models: Sequence[str]) -> Table | None:
    """Returns accuracy on parts of the records; None where nothing is known of the graphs."""
    rows: list[Sequence[Any]] = []
    for sheet in sheets:
        parts = list(_parts(sheet))
        for model in models:
            for name, value, which in parts:
                of = part_tally(sheet, model, which)
                single = len(np.unique(sheet.truth[which])) == 1
                rows.append(
                    (
                        model,
                        sheet.config,
                        sheet.split,
                        name,
                        value,
                        of.n,
                        Share(of.accuracy),
                        _interval(of.interval),
                        Share(of.balanced),
                        Share(of.chance),
                        Probability(of.p_above),
                        "one answer only" if single else of.state,
                    )
                )
    if not rows:
        return None
    head: tuple[str, ...] = (
        "model",
        "config",
        "split",
        "part",
        "value",
        "records",
        "accuracy",
        "95% interval",
    )
    head += ("balanced accuracy", "chance", "p", "verdict")
    note = (
        "A part may hold far more of one answer than of the others: a graph with a leaf never has "
        "a Hamiltonian cycle. So chance is what the model's own answers to the part would reach in "
        "another order, and near random is what is not significantly above it (exact one-sided "
        f"binomial test, {LEVEL:.0%} level). The paper's best model had only seen leaves, and was "
        "near random without them (section 4.1). Of pairs, the right graph counts."
    )
    return Table("slices", "Accuracy on parts of the records", head, rows, note)


def baseline_table(sheets: Sequence[Sheet]) -> Table:
    """Returns what one reaches on each split without looking at the picture."""
    rows: list[Sequence[Any]] = []
    for sheet in sheets:
        size = len(sheet.labels)
        chance = np.bincount(sheet.truth).max() / len(sheet.truth)
        rows.append((sheet.config, sheet.split, "each answer equally often", Share(1 / size)))
        rows.append((sheet.config, sheet.split, "always the commonest answer", Share(chance)))
        for name, accuracy in shortcut_accuracies(sheet).items():
            rows.append((sheet.config, sheet.split, name, Share(accuracy)))
    note = (
        "Rules that look at something cheap. A threshold, and what planarity stands for, are "
        "chosen on these very records, so they are upper bounds; split-half chooses on one half "
        "and answers the other."
    )
    return Table("baselines", "Baselines", ("config", "split", "baseline", "accuracy"), rows, note)


def shortcut_accuracies(sheet: Sheet) -> dict[str, float]:
    """Returns the accuracy of each shortcut rule; none where nothing is known of the graphs."""
    needed = ("graph6", "n_nodes", "n_edges", "planar")
    suffixes = ("_left", "_right") if CONFIGS[sheet.config].pairs else ("",)
    if not all(f"{name}{suffix}" in sheet.facts for name in needed for suffix in suffixes):
        return {}
    measured = measure(sheet.config, {"label": sheet.truth, **sheet.facts})
    found = {str(row["rule"]): float(row["accuracy"]) for row in measured}
    return {name: found[name] for name in RULES if name in found}


def _parts(sheet: Sheet) -> Iterator[tuple[str, str, NDArray[np.bool_]]]:
    """Yields the parts of a sheet: what is asked of a record, the answer, and which have it."""
    facts = sheet.facts
    if CONFIGS[sheet.config].pairs:
        if {"n_edges_left", "n_edges_right"} <= facts.keys():
            same = facts["n_edges_left"] == facts["n_edges_right"]
            yield from _yes_no("equal numbers of edges", same)
        suffix = "_right"
    else:
        count = leaves(sheet)
        if count is not None:
            yield from _yes_no("has_leaf", count > 0)
        suffix = ""
    if f"n_nodes{suffix}" in facts:
        for number in np.unique(facts[f"n_nodes{suffix}"]):
            yield "nodes", str(number), facts[f"n_nodes{suffix}"] == number
    if f"n_edges{suffix}" in facts:
        yield from _thirds("edges", facts[f"n_edges{suffix}"])


def _yes_no(name: str, holds: NDArray[np.bool_]) -> Iterator[tuple[str, str, NDArray[np.bool_]]]:
    for value, which in (("yes", holds), ("no", ~holds)):
        if which.any():
            yield name, value, which


def _thirds(name: str, numbers: NDArray[Any]) -> Iterator[tuple[str, str, NDArray[np.bool_]]]:
    """Yields about a third of the records each, equal numbers together."""
    ordered = np.sort(numbers)
    ends = sorted({int(ordered[(k * len(ordered) - 1) // 3]) for k in (1, 2, 3)})
    least = int(ordered[0])
    for end in ends:
        which = (numbers >= least) & (numbers <= end)
        if which.any():
            yield name, str(end) if least == end else f"{least} to {end}", which
            least = end + 1


def _interval(ends: tuple[float, float]) -> Interval:
    return Interval((Share(ends[0]), Share(ends[1])))
