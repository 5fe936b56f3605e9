"""The seven random-graph generators (section A.4 of the GraphOmni paper).

Each is one function `f(n, generator, **options) -> Drawn`, registered under its name. What an
option does not fix is drawn. The functions number the nodes in the order in which they come about,
so low numbers would give away hubs, roots and parts: `draw` is what a benchmark calls, and it
renames the nodes at random.
"""

import math
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchloom.builders.errors import InputError
from benchloom.builders.graphomni.tosses import all_pairs, cross_pairs, graph_of, threshold, toss
from benchloom.builders.graphs.graph import Graph
from benchloom.builders.registry import lookup, register

Params = dict[str, Any]
"""What a graph was drawn with: names to JSON values."""

SF_GAMMA = 3.0
"""Exponent of the power law of the generator SF."""

SF_DEGREE = 2.7
"""Mean weight of a node of the generator SF; the edge counts of Table 7 are met with it."""

NODE_PARAMS = ("parts",)
"""Parameters that are lists of lists of nodes, so that `draw` renames these too."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A random graph and what it was drawn with.

    Attributes:
        graph: The graph.
        params: The generator's parameters, those that were drawn and those that were given.
    """

    graph: Graph
    params: Params


Generator = Callable[..., Drawn]

GENERATORS: dict[str, Generator] = {}
"""The generators by name, in the order in which remainders of equal shares are given out."""


def draw(name: str, n: int, generator: np.random.Generator, **options: Any) -> Drawn:
    """Returns a graph of a generator, its nodes renamed by a random permutation.

    Args:
        name: The generator's name.
        n: Number of nodes.
        generator: Where all randomness comes from.
        **options: The generator's own options.

    Raises:
        InputError: If there is no such generator, or it has no graph with these parameters.
    """
    drawn = lookup(GENERATORS, name, "generator")(n, generator, **options)
    name_of = generator.permutation(n)
    names = name_of.tolist()
    params = {
        key: [sorted(names[v] for v in part) for part in value] if key in NODE_PARAMS else value
        for key, value in drawn.params.items()
    }
    ends = name_of[np.array(drawn.graph.edges, np.int64).reshape(-1, 2)]
    low, high = np.minimum(ends[:, 0], ends[:, 1]), np.maximum(ends[:, 0], ends[:, 1])
    code = np.sort(low * n + high)
    edges = tuple(zip((code // n).tolist(), (code % n).tolist(), strict=True))
    return Drawn(Graph(n, edges), params)


@register(GENERATORS, "BAF")
def baf(n: int, generator: np.random.Generator, *, trees: int | None = None) -> Drawn:
    """Returns a forest grown by preferential attachment, with n - trees edges.

    The trees' roots come first; each later node is linked to one earlier node, chosen with
    probability proportional to its degree + 1 (a lone root has degree 0 and must have a chance).

    Args:
        n: Number of nodes, at least 2.
        generator: Where all randomness comes from.
        trees: Number of trees; without it uniform in 1..n // 2.

    Raises:
        InputError: If there is no such graph.
    """
    _require(n >= 2, f"BAF needs at least 2 nodes, not {n}")
    k = trees if trees is not None else int(generator.integers(1, n // 2 + 1))
    _require(1 <= k <= n, f"BAF with {n} nodes needs 1 to {n} trees, not {k}")
    pool = list(range(k))
    edges = []
    for node, chance in enumerate(generator.random(n - k).tolist(), start=k):
        earlier = pool[int(chance * len(pool))]
        edges.append((earlier, node))
        pool += (earlier, node, node)
    return Drawn(Graph.of(n, edges), {"trees": k})


@register(GENERATORS, "BAG")
def bag(
    n: int, generator: np.random.Generator, *, m0: int | None = None, m: int | None = None
) -> Drawn:
    """Returns a connected graph grown by preferential attachment from a clique.

    It has m0(m0-1)/2 + (n-m0)m edges. Each node after the first m0 is linked to m different earlier
    nodes, chosen one after the other with probability proportional to their degrees before it.

    Args:
        n: Number of nodes, at least 2.
        generator: Where all randomness comes from.
        m0: Size of the clique; without it uniform in 2..max(2, n // 3), but at least m.
        m: Links of each later node; without it uniform in 1..m0.

    Raises:
        InputError: If there is no such graph: m0 above n, or m above m0 (the paper's m = m0 + 1
            cannot be done: the first later node finds only m0 others).
    """
    _require(n >= 2, f"BAG needs at least 2 nodes, not {n}")
    if m0 is None:
        low = max(2, m or 0)
        m0 = int(generator.integers(low, max(low, n // 3) + 1))
    _require(1 <= m0 <= n, f"BAG with {n} nodes needs a clique of 1 to {n} nodes, not {m0}")
    if m is None:
        m = int(generator.integers(1, m0 + 1))
    _require(
        1 <= m <= m0,
        f"BAG with a clique of m0 = {m0} nodes can link a new node to 1 to {m0} nodes, not m = {m}",
    )
    edges = [(u, v) for v in range(m0) for u in range(v)]
    degrees = [m0 - 1] * m0 if m0 > 1 else [1]  # a lone first node could not be chosen with 0
    chances = iter(generator.random((n - m0) * m).tolist())
    for node in range(m0, n):
        weights = degrees.copy()
        for _ in range(m):
            sums = list(accumulate(weights))
            earlier = bisect_right(sums, int(next(chances) * sums[-1]))
            weights[earlier] = 0
            degrees[earlier] += 1
            edges.append((earlier, node))
        if m0 == 1 and node == 1:
            degrees[0] = 1
        degrees.append(m)
    return Drawn(Graph.of(n, edges), {"m0": m0, "m": m})


@register(GENERATORS, "BERM")
def berm(
    n: int, generator: np.random.Generator, *, part: int | None = None, edges: int | None = None
) -> Drawn:
    """Returns a bipartite graph with a given or uniform number of edges, all such equally likely.

    Args:
        n: Number of nodes, at least 2.
        generator: Where all randomness comes from.
        part: Size k of the first part; without it uniform in 1..n-1 (with `edges`: among the
            sizes that have room for them).
        edges: Number of edges; without it uniform in 1..k(n-k).

    Raises:
        InputError: If there is no such graph.
    """
    k = _part(n, generator, part, edges, "BERM")
    total = k * (n - k)
    m = edges if edges is not None else int(generator.integers(1, total + 1))
    _require(
        1 <= m <= total,
        f"BERM with parts of {k} and {n - k} nodes has 1 to {total} edges, not {m}",
    )
    chosen = np.sort(generator.permutation(total)[:m])
    return Drawn(graph_of(n, cross_pairs(n, k)[chosen]), {"parts": _parts(n, k), "m": m})


@register(GENERATORS, "BERP")
def berp(
    n: int,
    generator: np.random.Generator,
    *,
    part: int | None = None,
    p: float | None = None,
    edges: int | None = None,
) -> Drawn:
    """Returns a bipartite graph in which each pair across the parts is an edge independently.

    Args:
        n: Number of nodes, at least 2.
        generator: Where all randomness comes from.
        part: Size k of the first part; without it uniform in 1..n-1 (with `edges`: among the
            sizes that have room for them).
        p: Probability of each edge; without it uniform in [0, 1).
        edges: Number of edges, in place of p: see `erp`.

    Raises:
        InputError: If there is no such graph.
    """
    k = _part(n, generator, part, edges, "BERP")
    chosen, p = toss(k * (n - k), generator, p, edges, "BERP")
    return Drawn(graph_of(n, cross_pairs(n, k)[chosen]), {"parts": _parts(n, k), "p": p})


@register(GENERATORS, "ERM")
def erm(n: int, generator: np.random.Generator, *, edges: int | None = None) -> Drawn:
    """Returns a graph with a given or uniform number of edges, all such equally likely.

    Args:
        n: Number of nodes, at least 2.
        generator: Where all randomness comes from.
        edges: Number of edges; without it uniform in 1..n(n-1)/2.

    Raises:
        InputError: If there is no such graph.
    """
    _require(n >= 2, f"ERM needs at least 2 nodes, not {n}")
    total = n * (n - 1) // 2
    m = edges if edges is not None else int(generator.integers(1, total + 1))
    _require(1 <= m <= total, f"ERM with {n} nodes has 1 to {total} edges, not {m}")
    chosen = np.sort(generator.permutation(total)[:m])
    return Drawn(graph_of(n, all_pairs(n)[chosen]), {"m": m})


@register(GENERATORS, "ERP")
def erp(
    n: int,
    generator: np.random.Generator,
    *,
    p: float | None = None,
    edges: int | None = None,
) -> Drawn:
    """Returns a graph in which each pair of nodes is an edge independently.

    Args:
        n: Number of nodes, at least 1.
        generator: Where all randomness comes from.
        p: Probability of each edge; without it uniform in [0, 1).
        edges: Number of edges, in place of p. All graphs with so many edges are equally likely, as
            they are among those drawn with any p; the p that is stored is one with which just
            these edges come out of the same tosses.

    Raises:
        InputError: If there is no such graph.
    """
    _require(n >= 1, f"ERP needs at least 1 node, not {n}")
    chosen, p = toss(n * (n - 1) // 2, generator, p, edges, "ERP")
    return Drawn(graph_of(n, all_pairs(n)[chosen]), {"p": p})


@register(GENERATORS, "SF")
def sf(
    n: int,
    generator: np.random.Generator,
    *,
    gamma: float = SF_GAMMA,
    d: float = SF_DEGREE,
    edges: int | None = None,
) -> Drawn:
    """Returns a graph whose expected degrees follow a power law (Aiello, Chung and Lu).

    Node i = 1..n has weight w_i = d n i^(-1/(gamma-1)) / sum of i^(-1/(gamma-1)), and i-j is an
    edge with probability min(1, w_i w_j / sum of w), independently. It may be disconnected.

    Args:
        n: Number of nodes, at least 1.
        generator: Where all randomness comes from.
        gamma: Exponent of the power law, above 1. (Another than 3.0 takes the power function of the
            machine, so graphs may then differ between processors.)
        d: Mean weight, above 0.
        edges: Number of edges, in place of d: the d that is stored is one with which so many edges
            come out of the tosses.

    Raises:
        InputError: If there is no such graph.
    """
    _require(n >= 1, f"SF needs at least 1 node, not {n}")
    _require(gamma > 1, f"SF needs gamma above 1, not {gamma}")
    chance = _sf_chances(n, gamma)
    tosses = generator.random(len(chance))
    if edges is not None:
        d = threshold(tosses / chance, edges, math.inf, "SF")
    _require(d > 0, f"SF needs d above 0, not {d}")
    return Drawn(graph_of(n, all_pairs(n)[tosses < d * chance]), {"gamma": gamma, "d": d})


def _require(holds: bool, message: str) -> None:
    if not holds:
        raise InputError(message)


def _parts(n: int, k: int) -> list[list[int]]:
    return [list(range(k)), list(range(k, n))]


def _part(
    n: int, generator: np.random.Generator, part: int | None, edges: int | None, name: str
) -> int:
    """Returns the size of the first part."""
    _require(n >= 2, f"{name} needs at least 2 nodes, not {n}")
    if part is None and edges is None:
        return int(generator.integers(1, n))
    if part is None:
        sizes = [k for k in range(1, n) if k * (n - k) >= (edges or 0)]
        most = n // 2 * (n - n // 2)
        _require(bool(sizes), f"{name} with {n} nodes has up to {most} edges, not {edges}")
        part = sizes[int(generator.integers(len(sizes)))]
    _require(1 <= part < n, f"{name} with {n} nodes has a first part of 1 to {n - 1}, not {part}")
    return part


@lru_cache(maxsize=128)
def _sf_chances(n: int, gamma: float) -> NDArray[np.float64]:
    """Returns w_i w_j / sum of w at d = 1 for each pair i < j, shape (n(n-1)/2,)."""
    # The default takes square roots, which are the same on every machine; powers are not.
    if gamma == SF_GAMMA:
        shares = [1 / math.sqrt(i) for i in range(1, n + 1)]
    else:
        shares = [i ** (-1 / (gamma - 1)) for i in range(1, n + 1)]
    whole = math.fsum(shares)
    weights = np.array(shares)
    pairs = all_pairs(n)
    chances: NDArray[np.float64] = weights[pairs[:, 0]] * weights[pairs[:, 1]] * n / (whole * whole)
    return chances
