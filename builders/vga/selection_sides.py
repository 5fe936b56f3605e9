"""Which graphs are on the train and which on the test side of a config.

A side depends on config, generation and the graph alone, never on the user's seed and never on
the table the graph stands in: a model trained on a rebuild with another seed has not met the
published test.
"""

import numpy as np
from numpy.typing import NDArray

from benchloom.builders.graphs.catalogue import GraphTable, catalogue
from benchloom.builders.seeds import rng
from benchloom.builders.vga.selection_matching import exact_pairs

SIDES = ("train", "test")
"""The two sides; `sides` gives their positions here."""

NEITHER = -1
CATALOGUE_TEST_GRAPHS = {"easy_iso": 7_859, "hard_iso": 7_859, "ham_path": 2_480}
"""How many catalogue graphs are on the test side, where planarity alone does not decide."""

TEST_SHARE = 0.1
"""Share of the test side among planar graphs that are not in the catalogue."""


def sides(config: str, table: GraphTable, generation: int) -> NDArray[np.int8]:
    """Returns the side of each graph of a table: 0 train, 1 test, -1 neither, shape (G,).

    - shortest_path, ham_cycle, chordless_cycle: planar graphs test, the others train.
    - easy_iso, hard_iso: planar graphs only. Of the catalogue's 77,859, a random choice of 7,859
      are test.
    - ham_path: of the catalogue, 1,240 planar graphs without a Hamiltonian path and 1,240 with
      one, equal in their numbers of nodes and edges, are test; all others train.
    - Graphs outside the catalogue, in these three configs: a planar graph is on the test side when
      a number drawn from its canonical graph6 is below a tenth.

    Args:
        config: Name of the config.
        table: The graphs; those outside the catalogue in their canonical labelling.
        generation: The benchmark's generation.

    Source: sections 3.1-3.3 (planar graphs are the easy ones) and Table 1 of the paper.
    """
    if config not in CATALOGUE_TEST_GRAPHS:
        return table.planar.astype(np.int8)
    test = np.zeros(len(table), np.bool_)
    known = table.catalog_index >= 0
    if known.any():
        test[known] = _catalogue_test(config, generation)[table.catalog_index[known]]
    for place in np.flatnonzero(~known & table.planar):
        graph6 = table.graph6(int(place))
        test[place] = rng("vga", generation, config, "sides", graph6).random() < TEST_SHARE
    result = test.astype(np.int8)
    if config != "ham_path":
        result[~table.planar] = NEITHER
    return result


def _catalogue_test(config: str, generation: int) -> NDArray[np.bool_]:
    """Returns for each catalogue index whether the graph is on the test side."""
    # A graph's side is settled among all graphs of the catalogue, also when the table is a part.
    whole = catalogue()
    generator = rng("vga", generation, config, "sides")
    count = CATALOGUE_TEST_GRAPHS[config]
    test = np.zeros(len(whole), np.bool_)
    if config == "ham_path":
        without = np.flatnonzero(whole.planar & ~whole.hamiltonian_path)
        having = np.flatnonzero(whole.planar & whole.hamiltonian_path)
        for graphs in exact_pairs(without, having, whole, generator):
            test[graphs[: count // 2]] = True
    else:
        test[generator.permutation(np.flatnonzero(whole.planar))[:count]] = True
    return test
