"""Shortcut rules: how far one gets on a split without solving its task.

A rule looks at something cheap (the number of edges, a leaf, the position in the split) and is
scored by its accuracy. Rules marked "best" choose their answers on the very records they are scored
on, so they are upper bounds; "split-half" ones choose on one half and are scored on the other.

Section 4.1 of the paper found a model that had learnt only to look for leaves.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchloom.builders.vga.configs import CONFIGS, NO_YES

Columns = Mapping[str, NDArray[Any]]
"""Columns of a split, by name, all of length R: `label` (class numbers), `n_nodes`, `n_edges`,
`planar`, `graph6`; in pairs the last four twice, with `_left` and `_right`."""

PAIRS = tuple(name for name, spec in CONFIGS.items() if spec.pairs)
SINGLE = tuple(name for name, spec in CONFIGS.items() if not spec.pairs)
YES_NO = tuple(name for name in SINGLE if CONFIGS[name].labels == NO_YES)


@dataclass(frozen=True)
class Rule:
    """A shortcut rule.

    Attributes:
        name: The rule in words.
        configs: The configs it makes sense for.
        accuracy: Returns the rule's accuracy on the columns of a split, given the number of
            classes.
    """

    name: str
    configs: tuple[str, ...]
    accuracy: Callable[[Columns, int], float]


def measure(config: str, columns: Columns) -> list[dict[str, str | float]]:
    """Returns one row per rule that fits the config: `rule`, `accuracy`, `chance`.

    `chance` is the accuracy of always giving the commonest label. A split without records gives no
    rows.

    Args:
        config: Name of the config.
        columns: The split's columns, as they stand in the dataset.
    """
    if not len(columns["label"]):
        return []
    chance = majority_accuracy(columns["label"], np.zeros(len(columns["label"]), np.int64))
    return [
        {
            "rule": rule.name,
            "accuracy": rule.accuracy(columns, len(CONFIGS[config].labels)),
            "chance": chance,
        }
        for rule in RULES
        if config in rule.configs
    ]


def majority_accuracy(labels: NDArray[np.integer], feature: NDArray[Any]) -> float:
    """Returns the accuracy of giving, for each value of a feature, the commonest label it has."""
    table = _counts(labels, feature)[0]
    return float(table.max(axis=1).sum() / len(labels))


def split_half_accuracy(
    labels: NDArray[np.integer], feature: NDArray[Any], n_classes: int
) -> float:
    """Returns the accuracy of the commonest label per value, learnt on the other half.

    The split is cut in the middle, at a block of classes, so that both halves are balanced; each
    half is answered from the other, and a value never seen there is answered with class 0.
    """
    table, values = _counts(labels, feature)
    middle = len(labels) // 2 // n_classes * n_classes
    right = 0
    for learn, answer in (
        (slice(0, middle), slice(middle, None)),
        (slice(middle, None), slice(0, middle)),
    ):
        seen = np.zeros_like(table)
        np.add.at(seen, (values[learn], labels[learn].astype(np.int64)), 1)
        right += int(np.count_nonzero(seen.argmax(axis=1)[values[answer]] == labels[answer]))
    return right / len(labels)


def threshold_accuracy(labels: NDArray[np.integer], feature: NDArray[Any]) -> float:
    """Returns the accuracy of the best rule "up to a threshold this label, above it that one"."""
    table = _counts(labels, feature)[0]
    below = np.cumsum(table, axis=0)
    above = below[-1] - below
    return float((below.max(axis=1) + above.max(axis=1)).max() / len(labels))


def yes_accuracy(labels: NDArray[np.integer], says_yes: NDArray[np.bool_]) -> float:
    """Returns the accuracy of saying yes (label 1) where a condition holds and no elsewhere."""
    return float(np.count_nonzero(says_yes == (labels == 1)) / len(labels))


def same_degrees(columns: Columns) -> NDArray[np.bool_]:
    """Returns whether the two graphs of each pair have the same degree sequence."""
    both = np.concatenate([columns["graph6_left"], columns["graph6_right"]])
    left, right = np.split(degree_sequences(both), 2)
    result: NDArray[np.bool_] = (left == right).all(axis=1)
    return result


def degree_sequences(graph6: NDArray[Any]) -> NDArray[np.uint8]:
    """Returns the degree sequences of graph6 lines, shape (R, N), descending, padded with 0.

    Args:
        graph6: Sound graph6 lines of graphs of up to 62 nodes, shape (R,); N is the largest
            number of nodes.
    """
    lines = np.asarray(graph6).astype(np.bytes_)
    width = lines.dtype.itemsize
    data = np.frombuffer(lines.tobytes(), np.uint8).reshape(len(lines), width)
    n_nodes = data[:, 0].astype(np.int64) - 63 if width else np.zeros(0, np.int64)
    n = int(n_nodes.max(initial=0))
    # Bit k of the body is the k-th pair of (0,1), (0,2), (1,2), (0,3)...; lines of fewer nodes
    # end earlier, and their missing bytes count as pairs without an edge.
    body = np.where(data[:, 1:] == 0, 63, data[:, 1:]) - np.uint8(63)
    bits = np.unpackbits(body[:, :, None], axis=2)[:, :, 2:].reshape(len(lines), -1)
    degrees = np.zeros((len(lines), n), np.uint8)
    pairs = ((u, v) for v in range(1, n) for u in range(v))
    for bit, (u, v) in enumerate(pairs):
        degrees[:, u] += bits[:, bit]
        degrees[:, v] += bits[:, bit]
    return np.sort(degrees, axis=1)[:, ::-1]


def has_leaf(columns: Columns) -> NDArray[np.bool_]:
    """Returns whether each graph has a node of degree 1."""
    result: NDArray[np.bool_] = (degree_sequences(columns["graph6"]) == 1).any(axis=1)
    return result


def leaf_accuracy(columns: Columns) -> float:
    """Returns the accuracy of "has a leaf: no, otherwise yes".

    For Hamiltonian cycles a leaf is a proof of no, so the rule stays strong there.
    """
    return yes_accuracy(columns["label"], ~has_leaf(columns))


def _counts(
    labels: NDArray[np.integer], feature: NDArray[Any]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Returns counts by (value of the feature, label), values ascending, and each record's row."""
    values, rows = np.unique(feature, return_inverse=True)
    table = np.zeros((len(values), int(labels.max()) + 1), np.int64)
    np.add.at(table, (rows, labels.astype(np.int64)), 1)
    return table, rows


def _nodes_and_edges(columns: Columns) -> NDArray[np.int64]:
    """Returns one number per combination of numbers of nodes and edges."""
    return columns["n_nodes"].astype(np.int64) * 4096 + columns["n_edges"]


def _position_in_block(columns: Columns, n_classes: int) -> NDArray[np.int64]:
    """Returns the position of each record among the n_classes records of its block."""
    return np.arange(len(columns["label"])) % n_classes


def _best(name: str) -> Callable[[Columns, int], float]:
    """Returns the rule that knows the commonest label of each value of a column."""
    return lambda columns, _: majority_accuracy(columns["label"], columns[name])


def _same(name: str) -> Callable[[Columns, int], float]:
    """Returns the rule that says yes where a column is equal left and right."""
    return lambda columns, _: yes_accuracy(
        columns["label"], columns[name + "_left"] == columns[name + "_right"]
    )


RULES: tuple[Rule, ...] = (
    Rule(
        "edge count, best threshold",
        SINGLE,
        lambda columns, _: threshold_accuracy(columns["label"], columns["n_edges"]),
    ),
    Rule("edge count, best label each", SINGLE, _best("n_edges")),
    Rule(
        "edge count, split-half",
        SINGLE,
        lambda columns, k: split_half_accuracy(columns["label"], columns["n_edges"], k),
    ),
    Rule("node count, best label each", SINGLE, _best("n_nodes")),
    Rule(
        "node and edge count, best label each",
        SINGLE,
        lambda columns, _: majority_accuracy(columns["label"], _nodes_and_edges(columns)),
    ),
    Rule("planarity, best label each", SINGLE, _best("planar")),
    Rule("has a leaf: no", YES_NO, lambda columns, _: leaf_accuracy(columns)),
    Rule(
        "has a leaf, best label each",
        SINGLE,
        lambda columns, _: majority_accuracy(columns["label"], has_leaf(columns)),
    ),
    Rule("same number of nodes: yes", PAIRS, _same("n_nodes")),
    Rule("same number of edges: yes", PAIRS, _same("n_edges")),
    Rule(
        "same degree sequence: yes",
        PAIRS,
        lambda columns, _: yes_accuracy(columns["label"], same_degrees(columns)),
    ),
    Rule("same graph6 line: yes", PAIRS, _same("graph6")),
    Rule("edges on the left, best label each", PAIRS, _best("n_edges_left")),
    Rule("edges on the right, best label each", PAIRS, _best("n_edges_right")),
    Rule(
        "position in its block, best label each",
        tuple(CONFIGS),
        lambda columns, k: majority_accuracy(columns["label"], _position_in_block(columns, k)),
    ),
)
"""All rules, in the order they are reported."""
