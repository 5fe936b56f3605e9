"""Which graphs a split of VGA asks about, and in which order: the choice rules of the benchmark.

A selection lists, for each record, the class, the graph, the mate of a pair and the marked nodes.
Sides of graphs come from `selection_sides`, matching and grouping from `selection_matching`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from benchloom.builders.errors import InputError
from benchloom.builders.graphs.catalogue import GraphTable
from benchloom.builders.seeds import rng
from benchloom.builders.vga.configs import CONFIGS
from benchloom.builders.vga.selection_matching import (
    Indices,
    Stream,
    exact_pairs,
    matched_pairs,
    members_of_groups,
    occurrences,
    successors,
)
from benchloom.builders.vga.selection_sides import SIDES, sides

DISTANCES = tuple(int(label) for label in CONFIGS["shortest_path"].labels)
"""The distance of each class of shortest_path, by class number."""

CHORDLESS_LENGTHS = tuple(int(label) for label in CONFIGS["chordless_cycle"].labels)
"""The length of each class of chordless_cycle, by class number."""


@dataclass(frozen=True)
class Selection:
    """The records of one side of one config, in order; arrays of equal length R.

    Attributes:
        label: Class number, int8: position in the config's label names.
        graph: Index into the table of the graph asked about, int32; in pairs the anchor, which
            stands in the right panel.
        mate: In pairs the index of the left graph, int32, equal to `graph` for yes; otherwise -1.
        marked: The marked nodes u < v in the table's own numbering, int8, shape (R, 2), for
            shortest_path; otherwise -1.
        repeat: How many earlier records show the same `graph` (in pairs: in the right panel),
            int32.
        mate_repeat: In pairs, how many earlier records show the same `mate` in the left panel,
            int32; otherwise -1.
    """

    label: NDArray[np.int8]
    graph: NDArray[np.int32]
    mate: NDArray[np.int32]
    marked: NDArray[np.int8]
    repeat: NDArray[np.int32]
    mate_repeat: NDArray[np.int32]

    def __len__(self) -> int:
        """Number of records."""
        return len(self.label)


@dataclass(frozen=True)
class _Class:
    """What the records of one class show, one after the other; arrays of equal length."""

    graph: Indices
    mate: Indices | None = None
    marked: Indices | None = None


@dataclass(frozen=True)
class _Side:
    """One side of one config: the graphs on it, what is wanted of it, and its randomness."""

    config: str
    name: str
    table: GraphTable
    graphs: Indices
    wanted: int | None
    random: Stream

    def per_class(self, available: int, n_classes: int) -> int:
        """Returns how many records of each class to make; raises InputError if too few are there.

        Args:
            available: How many records each class can have.
            n_classes: Number of classes.
        """
        if self.wanted is None:
            return available
        if self.wanted > available * n_classes:
            raise InputError(
                f"{self.config} {self.name}: {self.wanted} records are wanted, but these graphs "
                f"allow {available * n_classes}; ask for fewer"
            )
        return -(-self.wanted // n_classes)


def select(
    config: str,
    table: GraphTable,
    sizes: Mapping[str, int] | None,
    generation: int,
    seed: int,
    part: int = 0,
) -> dict[str, Selection]:
    """Returns the selections of both sides, under the keys "train" and "test".

    Classes come in blocks of k (one record of each of the k classes, shuffled), so that every
    prefix is balanced to within one. In ham_path and ham_cycle a block holds a yes and a no graph
    that are matched in (planar, nodes, edges), so that prefixes are matched as well. Where a class
    has too few graphs, each is used once before any is used a second time, and so on.

    Args:
        config: Name of the config.
        table: The graphs to choose from, one per isomorphism class; those outside the catalogue
            in their canonical labelling.
        sizes: Number of records of "train" and "test"; None for as many as the table's graphs
            allow in complete blocks without using a graph twice in a class (in a pair's class:
            twice in a panel); a side may then be empty.
        generation: The benchmark's generation.
        seed: The user's seed: chooses and orders records, never moves a graph to the other side.
        part: Number of the table where several tables, one after the other, make up one config,
            so that they do not share their order.

    Raises:
        InputError: If the config is unknown, or the table cannot supply the sizes.

    Source: section 3, Table 1, Figure 8 and appendix B of the paper.
    """
    if config not in _CHOOSERS:
        raise InputError(f"VGA has no config {config!r}; it has {', '.join(_CHOOSERS)}")
    side_of_graph = sides(config, table, generation)
    result = {}
    for number, name in enumerate(SIDES):
        side = _Side(
            config=config,
            name=name,
            table=table,
            graphs=np.flatnonzero(side_of_graph == number),
            wanted=None if sizes is None else sizes[name],
            random=partial(_stream, generation, config, name, seed, part),
        )
        result[name] = _interleaved(_CHOOSERS[config](side), side)
    return result


def _stream(
    generation: int, config: str, side: str, seed: int, part: int, purpose: str
) -> np.random.Generator:
    """Returns the random generator of one purpose on one side."""
    return rng("vga", generation, config, side, purpose, seed, part)


def _interleaved(classes: list[_Class], side: _Side) -> Selection:
    """Returns the records: block b holds the b-th record of every class, in random order."""
    k = len(classes)
    blocks = len(classes[0].graph)
    records = k * blocks if side.wanted is None else side.wanted
    order = np.tile(np.arange(k), (blocks, 1))
    label = side.random("order").permuted(order, axis=1).ravel()[:records]
    block = np.arange(records) // k
    graph = np.stack([one.graph for one in classes])[label, block]
    mate = np.full(records, -1)
    mate_repeat = np.full(records, -1)
    if classes[0].mate is not None:
        mate = np.stack([one.mate for one in classes if one.mate is not None])[label, block]
        mate_repeat = occurrences(mate)
    marked = np.full((records, 2), -1)
    if classes[0].marked is not None:
        marked = np.stack([one.marked for one in classes if one.marked is not None])[label, block]
    return Selection(
        label=label.astype(np.int8),
        graph=graph.astype(np.int32),
        mate=mate.astype(np.int32),
        marked=marked.astype(np.int8),
        repeat=occurrences(graph).astype(np.int32),
        mate_repeat=mate_repeat.astype(np.int32),
    )


def _choose_pairs(side: _Side, same_degrees: bool) -> list[_Class]:
    """Returns the no and yes pairs of easy_iso and hard_iso.

    Every used graph is the anchor of one yes and one no pair and the left graph of one yes and
    one no pair, so that neither panel alone tells anything: the mates of the no pairs follow a
    random cycle through all used graphs (hard_iso: through those of one degree sequence).

    Source: section 3.1 and appendix B.1 of the paper.
    """
    groups = np.zeros(len(side.graphs), np.int64)
    if same_degrees:
        groups = _degree_groups(side.table)[side.graphs]
    available = len(members_of_groups(groups, None, side.random("anchors")))
    count = side.per_class(available, 2)
    used = members_of_groups(groups, count, side.random("anchors"))
    if len(used) < count:  # an odd number of twos: one more, of whom one is left out below
        used = members_of_groups(groups, count + 1, side.random("anchors"))
    order = side.random("mates").permutation(used)
    mates = successors(side.graphs[order], groups[order])
    no = side.random("no").permutation(len(order))[:count]
    yes = side.random("yes").permutation(len(order))[:count]
    anchors = side.graphs[order]
    return [_Class(anchors[no], mates[no]), _Class(anchors[yes], anchors[yes])]


def _degree_groups(table: GraphTable) -> Indices:
    """Returns for each graph of a table a number that is equal for equal degree sequences."""
    degrees = table.degree_sequences()
    order = np.lexsort(degrees.T)
    changes = (degrees[order[1:]] != degrees[order[:-1]]).any(axis=1)
    groups = np.zeros(len(degrees), np.int64)
    groups[order[1:]] = np.cumsum(changes)
    return groups


def _choose_matched(side: _Side, positive: NDArray[np.bool_]) -> list[_Class]:
    """Returns the no and yes graphs of ham_path and ham_cycle, matched in (planar, nodes, edges).

    Where no number of records is wanted, only exact matches are taken.

    Source: sections 3.2 and 3.3, appendices B.2 and B.3 of the paper.
    """
    yes = side.graphs[positive[side.graphs]]
    no = side.graphs[~positive[side.graphs]]
    if side.wanted is None:
        pairs = exact_pairs(no, yes, side.table, side.random("graphs"))
    else:
        count = side.per_class(min(len(no), len(yes)), 2)
        pairs = matched_pairs(no, yes, side.table, count, side.random("graphs"))
    return [_Class(graphs) for graphs in pairs]


def _choose_chordless_cycle(side: _Side) -> list[_Class]:
    """Returns the graphs whose biggest chordless cycle has 3, 4, 5 and 6 nodes.

    Source: section 3.3 and appendix B.3 of the paper.
    """
    lengths = side.table.chordless_cycle[side.graphs]
    supplies = [side.graphs[lengths == length] for length in CHORDLESS_LENGTHS]
    smallest = min(len(supply) for supply in supplies)
    count = side.per_class(_unbounded(side, smallest), len(supplies))
    classes = []
    for length, supply in zip(CHORDLESS_LENGTHS, supplies, strict=True):
        place, _ = _rounds(len(supply), count, side.random(f"class-{length}"))
        classes.append(_Class(supply[place]))
    return classes


def _choose_shortest_path(side: _Side) -> list[_Class]:
    """Returns graphs with two marked nodes at distance 1, 2, 3 and 4.

    A graph that is used several times in a class shows all its pairs of nodes at that distance,
    in random order, before it shows one again.

    Source: section 3.2 and appendix B.2 of the paper.
    """
    n = side.table.rows.shape[1]
    ends = np.stack(np.triu_indices(n, 1), axis=1)
    distances = side.table.subset(side.graphs).distances()[:, ends[:, 0], ends[:, 1]]
    fitting = [distances == distance for distance in DISTANCES]
    smallest = min(int(np.count_nonzero(fits.any(axis=1))) for fits in fitting)
    count = side.per_class(_unbounded(side, smallest), len(DISTANCES))
    classes = []
    for distance, fits in zip(DISTANCES, fitting, strict=True):
        supply = np.flatnonzero(fits.any(axis=1))
        generator = side.random(f"class-{distance}")
        place, turn = _rounds(len(supply), count, generator)
        # The pairs of each used graph in random order, those at another distance behind them.
        used = supply[np.unique(place)]
        rows = np.searchsorted(used, supply[place])
        draws = np.where(fits[used], generator.random((len(used), len(ends))), 2.0)
        pair_order = np.argsort(draws, axis=1, kind="stable")
        n_pairs = np.count_nonzero(fits[used], axis=1)
        pairs = pair_order[rows, turn % n_pairs[rows]]
        classes.append(_Class(side.graphs[supply[place]], marked=ends[pairs]))
    return classes


def _unbounded(side: _Side, available: int) -> int:
    """Returns how many records a class can have when its graphs may be used again and again."""
    return available if side.wanted is None or not available else side.wanted


def _rounds(supply: int, count: int, generator: np.random.Generator) -> tuple[Indices, Indices]:
    """Returns `count` positions below `supply` and the round each belongs to.

    Each round is a random order of all of them; the last is cut short. So the numbers of uses
    differ by at most one, in every prefix.
    """
    if not count:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    rounds = -(-count // supply)
    place = np.concatenate([generator.permutation(supply) for _ in range(rounds)])[:count]
    return place, np.arange(count) // supply


_CHOOSERS: Mapping[str, Callable[[_Side], list[_Class]]] = {
    "easy_iso": lambda side: _choose_pairs(side, same_degrees=False),
    "hard_iso": lambda side: _choose_pairs(side, same_degrees=True),
    "ham_path": lambda side: _choose_matched(side, side.table.hamiltonian_path),
    "shortest_path": _choose_shortest_path,
    "ham_cycle": lambda side: _choose_matched(side, side.table.hamiltonian_cycle),
    "chordless_cycle": _choose_chordless_cycle,
}
