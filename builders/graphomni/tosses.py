"""Pairs of nodes, and which of them become edges: what several random-graph generators need."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from benchloom.builders.errors import InputError
from benchloom.builders.graphs.graph import Graph


def graph_of(n: int, pairs: NDArray[np.int64]) -> Graph:
    """Returns the graph whose edges are these pairs, sorted already, shape (m, 2)."""
    return Graph(n, tuple(zip(pairs[:, 0].tolist(), pairs[:, 1].tolist(), strict=True)))


@lru_cache(maxsize=128)
def all_pairs(n: int) -> NDArray[np.int64]:
    """Returns the pairs u < v of n nodes in order, shape (n(n-1)/2, 2)."""
    return np.column_stack(np.triu_indices(n, 1)).astype(np.int64)


@lru_cache(maxsize=1024)
def cross_pairs(n: int, k: int) -> NDArray[np.int64]:
    """Returns the pairs of a node below k and a node from k on, shape (k(n-k), 2)."""
    first, second = np.arange(k), np.arange(k, n)
    return np.column_stack([np.repeat(first, n - k), np.tile(second, k)]).astype(np.int64)


def toss(
    total: int, generator: np.random.Generator, p: float | None, edges: int | None, name: str
) -> tuple[NDArray[np.bool_], float]:
    """Returns which of so many pairs are edges, and with which probability that came about."""
    if p is None and edges is None:
        p = float(generator.random())
    tosses = generator.random(total)
    if edges is not None:
        p = threshold(tosses, edges, 1.0, name)
    if p is None or not 0 <= p <= 1:
        raise InputError(f"{name} needs p from 0 to 1, not {p}")
    chosen: NDArray[np.bool_] = tosses < p
    return chosen, p


def threshold(tosses: NDArray[np.float64], edges: int, most: float, name: str) -> float:
    """Returns a bound that just so many tosses are below."""
    if not 0 <= edges <= len(tosses):
        raise InputError(f"{name} has 0 to {len(tosses)} edges here, not {edges}")
    order = np.sort(tosses).tolist()
    low = order[edges - 1] if edges else 0.0
    high = order[edges] if edges < len(order) else min(most, 2 * low + 1)
    return float((low + high) / 2)
