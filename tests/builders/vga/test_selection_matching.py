"""Grouping and matching: the pieces that the choice rules are built from."""

from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from benchloom.builders.graphs.catalogue import GraphTable, catalogue
from benchloom.builders.seeds import rng
from benchloom.builders.vga import selection_matching as matching

GROUPS = st.lists(st.integers(0, 6), max_size=40).map(lambda groups: np.array(groups, np.int64))


def table_of(cells: list[tuple[bool, int, int]]) -> GraphTable:
    """Graphs of which only planarity and the numbers of nodes and edges are looked at."""
    size = len(cells)
    planar, nodes, edges = (np.array([cell[part] for cell in cells]) for part in range(3))
    return GraphTable(
        n_nodes=nodes.astype(np.uint8),
        rows=np.zeros((size, 9), np.uint16),
        n_edges=edges.astype(np.uint8),
        planar=planar.astype(np.bool_),
        hamiltonian_path=np.zeros(size, np.bool_),
        hamiltonian_cycle=np.zeros(size, np.bool_),
        chordless_cycle=np.zeros(size, np.uint8),
        catalog_index=np.full(size, -1, np.int32),
    )


@settings(deadline=None)
@given(GROUPS)
def test_occurrences(values: np.ndarray) -> None:
    expected = [values[:i].tolist().count(value) for i, value in enumerate(values.tolist())]
    assert matching.occurrences(values).tolist() == expected


@settings(deadline=None)
@given(GROUPS)
def test_successors_are_one_circle_in_each_group(groups: np.ndarray) -> None:
    members = rng("test", "members").permutation(len(groups)) + 100
    following = dict(
        zip(members.tolist(), matching.successors(members, groups).tolist(), strict=True)
    )
    for group in set(groups.tolist()):
        mine = set(members[groups == group].tolist())
        walk = [next(iter(mine))]
        while len(walk) < len(mine):
            walk.append(following[walk[-1]])
        assert set(walk) == mine
        assert following[walk[-1]] == walk[0]


@settings(deadline=None)
@given(GROUPS, st.integers(0, 45), st.integers(0, 99))
def test_nobody_is_chosen_alone(groups: np.ndarray, wanted: int, seed: int) -> None:
    sizes = Counter(groups.tolist())
    possible = sum(size for size in sizes.values() if size > 1)
    everyone = matching.members_of_groups(groups, None, rng("test", seed))
    assert len(everyone) == possible
    chosen = matching.members_of_groups(groups, wanted, rng("test", seed))
    assert (np.diff(chosen) > 0).all()
    members = Counter(groups[chosen].tolist())
    assert min(members.values(), default=2) >= 2
    if len(chosen) < min(wanted, possible):
        assert len(chosen) == wanted - 1
        assert wanted % 2 == 1
        assert set(members.values()) <= {2}


def test_a_torn_two_is_replaced() -> None:
    groups = np.array([0, 0, 1, 1, 1, 1])
    for seed in range(40):
        chosen = matching.members_of_groups(groups, 3, rng("test", "torn", seed))
        sizes = sorted(Counter(groups[chosen].tolist()).values())
        # Three of the four, or the two alone when theirs came first: three is then out of reach.
        assert sizes in ([3], [2])
    for seed in range(40):
        chosen = matching.members_of_groups(groups, 5, rng("test", "torn", seed))
        assert sorted(Counter(groups[chosen].tolist()).values()) == [2, 3]


def test_choice_among_groups_is_nearly_even() -> None:
    groups = np.repeat(np.arange(40), [2] * 20 + [10] * 20)
    counts = np.zeros(len(groups))
    for seed in range(400):
        counts[matching.members_of_groups(groups, 120, rng("test", "even", seed))] += 1
    assert counts.sum() == 400 * 120
    # Those of big groups are met equally often, those of twos a little less often than on average.
    assert counts[40:].min() / 400 > 0.4
    assert counts[40:].max() / 400 < 0.65
    assert counts[:40].min() / 400 > 0.15


def test_exact_pairs_are_as_many_as_possible() -> None:
    table = catalogue((8,))
    yes = np.flatnonzero(table.hamiltonian_cycle)
    no = np.flatnonzero(~table.hamiltonian_cycle)
    first, second = matching.exact_pairs(no, yes, table, rng("test", "exact"))
    assert (matching.cells(table, first) == matching.cells(table, second)).all()
    supply = [Counter(matching.cells(table, graphs).tolist()) for graphs in (no, yes)]
    assert len(first) == sum(min(count, supply[1][cell]) for cell, count in supply[0].items())
    assert len(set(first.tolist())) == len(set(second.tolist())) == len(first)


def test_cells_tell_apart_what_differs() -> None:
    parts = [(planar, n, m) for planar in (False, True) for n in range(1, 17) for m in range(121)]
    cells = matching.cells(table_of(parts), np.arange(len(parts)))
    assert [matching.cell_parts(cell) for cell in cells.tolist()] == parts


def test_nearest_pairs_keep_planarity_then_nodes_then_edges() -> None:
    no = [(True, 9, 8), (True, 9, 8), (True, 9, 8), (True, 8, 12), (False, 9, 15)]
    yes = [(True, 9, 8), (True, 9, 11), (True, 8, 9), (False, 9, 8), (True, 9, 13), (False, 8, 15)]
    table = table_of(no + yes)
    first, second = matching.matched_pairs(
        np.arange(5), np.arange(5, 11), table, 5, rng("test", "nearest")
    )
    cells = [*no, *yes]
    found = Counter(
        (cells[i], cells[j]) for i, j in zip(first.tolist(), second.tolist(), strict=True)
    )
    assert found == Counter(
        {
            ((True, 9, 8), (True, 9, 8)): 1,
            ((True, 9, 8), (True, 9, 11)): 1,  # nearer than 13 edges
            ((True, 9, 8), (True, 9, 13)): 1,  # same nodes before the nearer (True, 8, 9)
            ((True, 8, 12), (True, 8, 9)): 1,
            ((False, 9, 15), (False, 9, 8)): 1,  # same nodes before same edges
        }
    )


def test_other_planarity_is_the_last_resort() -> None:
    table = table_of([(True, 9, 14), (False, 9, 14), (True, 8, 20)])
    for wanted in (1, 5):
        first, second = matching.matched_pairs(
            np.array([0]), np.array([1, 2]), table, wanted, rng("test", "last")
        )
        assert (first.tolist(), second.tolist()) == ([0], [2])


def test_fewer_pairs_are_all_exact() -> None:
    table = catalogue((8,))
    yes = np.flatnonzero(table.hamiltonian_path)
    no = np.flatnonzero(~table.hamiltonian_path)
    first, second = matching.matched_pairs(no, yes, table, 500, rng("test", "few"))
    assert len(first) == 500
    assert (matching.cells(table, first) == matching.cells(table, second)).all()
