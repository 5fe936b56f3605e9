"""What models claimed on one split of VGA, and the counts that everything else is made of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchloom.builders.vga.configs import CONFIGS
from benchloom.loaders.scores.uncertainty import binomial_p, wilson

ANOTHER, UNREADABLE, MISSING = -1, -2, -3
"""Claims that are no class: an answer that the task does not have, none to be read, none at all."""
LEVEL = 0.05
"""Significance level of all tests."""


@dataclass(frozen=True)
class Sheet:
    """The answers of all models on one split of a config.

    Attributes:
        config: The config.
        split: The split.
        truth: Class numbers of the right answers, shape (records,).
        claims: For each model the class numbers it claimed, negative where it claimed none.
        facts: Columns of the records that are known for all of them, by name.
    """

    config: str
    split: str
    truth: NDArray[np.int64]
    claims: Mapping[str, NDArray[np.int64]]
    facts: Mapping[str, NDArray[Any]]

    @property
    def labels(self) -> tuple[str, ...]:
        """The answers of the task, in the order of their class numbers."""
        return CONFIGS[self.config].labels

    @property
    def name(self) -> str:
        """Config and split in one word."""
        return f"{self.config}/{self.split}"

    @property
    def layout(self) -> str:
        """The layout of the split; of pairs, that of the left panel."""
        return CONFIGS[self.config].layouts.get(self.split, "")

    def right(self, model: str) -> NDArray[np.bool_]:
        """Returns whether each answer of a model is right."""
        return np.asarray(self.claims[model] == self.truth)

    def readable(self, model: str) -> NDArray[np.bool_]:
        """Returns whether each answer of a model claims something."""
        return np.asarray(self.claims[model] >= ANOTHER)


@dataclass(frozen=True)
class Tally:
    """How a model did on some records.

    Attributes:
        n: Number of records.
        right: How many it answered rightly.
        balanced: The mean of the accuracies of the classes that occur.
        chance: What one who does not look at the picture reaches.
    """

    n: int
    right: int
    balanced: float
    chance: float

    @classmethod
    def of(
        cls, truth: NDArray[np.int64], right: NDArray[np.bool_], chance: float | None = None
    ) -> Tally:
        """Returns the tally of some records.

        Args:
            truth: Class numbers of the right answers.
            right: Whether each was answered rightly.
            chance: As in the class; by default that of always giving the commonest right answer,
                which nobody who does not look can pass.
        """
        counts = np.bincount(truth)
        hits = np.bincount(truth, right)
        present = counts > 0
        return cls(
            len(truth),
            int(right.sum()),
            float((hits[present] / counts[present]).mean()),
            float(counts.max() / len(truth)) if chance is None else chance,
        )

    @property
    def accuracy(self) -> float:
        """The share of right answers."""
        return self.right / self.n

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% interval of the accuracy (Wilson)."""
        return wilson(self.right, self.n)

    @property
    def p_above(self) -> float:
        """The exact probability that chance alone reaches this accuracy, or a higher one."""
        return binomial_p(self.right, self.n, self.chance, "greater")

    @property
    def is_near_random(self) -> bool:
        """Whether the accuracy is not significantly above chance: what the paper calls FAIL."""
        return self.p_above >= LEVEL

    @property
    def state(self) -> str:
        """`above chance`, `near random` or `below chance`."""
        if not self.is_near_random:
            return "above chance"
        below = binomial_p(self.right, self.n, self.chance, "less") < LEVEL
        return "below chance" if below else "near random"


def tally(sheet: Sheet, model: str) -> Tally:
    """Returns how a model did on a sheet."""
    return Tally.of(sheet.truth, sheet.right(model))


def part_tally(sheet: Sheet, model: str, which: NDArray[np.bool_]) -> Tally:
    """Returns how a model did on the records of a sheet that are marked in `which`.

    A part may hold far more of one class than of the others, which the model cannot know. Chance is
    therefore that its own answers to the part, given in another order, are right.
    """
    truth, claims = sheet.truth[which], sheet.claims[model][which]
    size = len(sheet.labels)
    claimed = np.bincount(claims[claims >= 0], minlength=size)
    hits = int((np.bincount(truth, minlength=size) * claimed).sum())
    return Tally.of(truth, truth == claims, hits / len(truth) ** 2)


def confusion(sheet: Sheet, model: str) -> NDArray[np.int64]:
    """Returns counts by (right class, claimed class), shape (classes, classes + 1).

    The last column counts answers that claim no class of the task, or nothing.
    """
    size = len(sheet.labels)
    claimed = np.where(sheet.claims[model] < 0, size, sheet.claims[model])
    counts = np.zeros((size, size + 1), np.int64)
    np.add.at(counts, (sheet.truth, claimed), 1)
    return counts


def leaves(sheet: Sheet) -> NDArray[np.int64] | None:
    """Returns the number of nodes of degree 1 of each graph; None where it is not known."""
    from benchloom.builders.vga.shortcuts import degree_sequences

    if "graph6" not in sheet.facts:
        return None
    return np.asarray((degree_sequences(sheet.facts["graph6"]) == 1).sum(axis=1))


def by_config(sheets: Sequence[Sheet]) -> Iterator[tuple[str, list[Sheet]]]:
    """Yields the configs of some sheets, in order, each with its sheets."""
    for config in dict.fromkeys(sheet.config for sheet in sheets):
        yield config, [sheet for sheet in sheets if sheet.config == config]


def clusters(sheets: list[Sheet]) -> NDArray[np.int64] | None:
    """Returns a number for each record of some sheets, equal for drawings of the same graph.

    Of pairs the right graph counts, which is in a true and in a false pair. None where every graph
    is drawn once, or it is not known which they are.
    """
    parts = []
    for sheet in sheets:
        column = "catalog_index_right" if CONFIGS[sheet.config].pairs else "catalog_index"
        if column not in sheet.facts:
            return None
        place = list(CONFIGS).index(sheet.config)
        parts.append(sheet.facts[column].astype(np.int64) * len(CONFIGS) + place)
    drawn = np.concatenate(parts)
    return drawn if len(np.unique(drawn)) < len(drawn) else None
