"""The choice rules of VGA, on the published sizes and on small tables."""

import hashlib
import os
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from functools import cache

import networkx
import numpy as np
import pytest

from benchloom.builders.errors import InputError
from benchloom.builders.graphs.catalogue import GraphTable, catalogue
from benchloom.builders.seeds import rng
from benchloom.builders.vga import selection_matching as matching
from benchloom.builders.vga.configs import CONFIGS
from benchloom.builders.vga.selection import CHORDLESS_LENGTHS, DISTANCES, Selection, select
from benchloom.builders.vga.selection_matching import cells
from benchloom.builders.vga.selection_sides import sides

PAIRS = ("easy_iso", "hard_iso")
SIZES = {config: spec.sizes for config, spec in CONFIGS.items()}
N_CLASSES = {config: len(spec.labels) for config, spec in CONFIGS.items()}


@cache
def published(config: str, seed: int = 0) -> dict[str, Selection]:
    return select(config, catalogue(), SIZES[config], 0, seed)


def outside(table: GraphTable) -> GraphTable:
    """The same graphs as if they did not stand in the catalogue."""
    return replace(table, catalog_index=np.full(len(table), -1, np.int32))


@cache
def small_tables() -> dict[str, GraphTable]:
    eight = catalogue((8,))
    some = rng("test", "some graphs").choice(len(catalogue()), 3000, replace=False)
    return {
        "8 nodes": eight,
        "3000 outside": outside(catalogue().subset(some)),
        "planar only": eight.subset(eight.planar),
        "non-planar only": outside(eight.subset(~eight.planar)),
        "trees": eight.subset(eight.n_edges == 7),
        "one": eight.subset([5000]),
        "two outside": outside(eight.subset([5000, 5001])),
        "none": eight.subset([]),
    }


def graphs_of(selection: Selection) -> set[int]:
    return set(selection.graph.tolist()) | (set(selection.mate.tolist()) - {-1})


def digest(selections: dict[str, Selection]) -> str:
    whole = hashlib.blake2b(digest_size=8)
    for side in ("train", "test"):
        for name in ("label", "graph", "mate", "marked", "repeat", "mate_repeat"):
            whole.update(np.ascontiguousarray(getattr(selections[side], name)).tobytes())
    return whole.hexdigest()


def check_balance(selection: Selection, n_classes: int) -> None:
    counts = np.cumsum(selection.label[:, None] == np.arange(n_classes), axis=0)
    if len(counts):
        assert int((counts.max(axis=1) - counts.min(axis=1)).max()) <= 1
        assert set(selection.label.tolist()) <= set(range(n_classes))


def check_repeat(values: np.ndarray, repeat: np.ndarray) -> None:
    seen: Counter[int] = Counter()
    for value, number in zip(values.tolist(), repeat.tolist(), strict=True):
        assert number == seen[value]
        seen[value] += 1


def check_labels(config: str, table: GraphTable, selection: Selection) -> None:
    graph = selection.graph
    if config in PAIRS:
        assert ((selection.mate == graph) == (selection.label == 1)).all()
        assert (selection.mate >= 0).all()
    else:
        assert (selection.mate == -1).all()
        assert (selection.mate_repeat == -1).all()
    if config == "ham_path":
        assert (table.hamiltonian_path[graph] == (selection.label == 1)).all()
    if config == "ham_cycle":
        assert (table.hamiltonian_cycle[graph] == (selection.label == 1)).all()
    if config == "chordless_cycle":
        assert (table.chordless_cycle[graph] == np.take(CHORDLESS_LENGTHS, selection.label)).all()
    if config == "shortest_path":
        u, v = selection.marked.T
        assert (u < v).all()
        assert (v < table.n_nodes[graph]).all()
        assert (
            table.subset(graph).distances()[np.arange(len(graph)), u, v]
            == np.take(DISTANCES, selection.label)
        ).all()
    else:
        assert (selection.marked == -1).all()


@pytest.mark.parametrize("config", SIZES)
def test_published_sizes(config: str) -> None:
    for side, size in SIZES[config].items():
        selection = published(config)[side]
        shapes = {name: array.shape for name, array in vars(selection).items()}
        marked = shapes.pop("marked")
        assert marked == (size, 2)
        assert set(shapes.values()) == {(size,)}
        assert len(selection) == size
        dtypes = {name: str(array.dtype) for name, array in vars(selection).items()}
        assert dtypes.pop("label") == dtypes.pop("marked") == "int8"
        assert set(dtypes.values()) == {"int32"}


@pytest.mark.parametrize("config", SIZES)
def test_published_records_are_as_labelled_balanced_and_counted(config: str) -> None:
    for selection in published(config).values():
        check_balance(selection, N_CLASSES[config])
        check_labels(config, catalogue(), selection)
        check_repeat(selection.graph, selection.repeat)
        if config in PAIRS:
            check_repeat(selection.mate, selection.mate_repeat)


def test_marked_nodes_are_at_their_distance_in_networkx() -> None:
    for selection in published("shortest_path").values():
        for record in rng("test", "marked").choice(len(selection), 200, replace=False):
            edges = catalogue().graph(int(selection.graph[record])).edges
            u, v = selection.marked[record].tolist()
            length = networkx.shortest_path_length(networkx.Graph(list(edges)), u, v)
            assert length == DISTANCES[selection.label[record]]


@pytest.mark.parametrize("config", SIZES)
def test_no_graph_changes_sides_with_the_seed(config: str) -> None:
    train, test = (
        graphs_of(published(config, 0)[side]) | graphs_of(published(config, 7)[side])
        for side in ("train", "test")
    )
    assert not train & test
    assert {catalogue().planar[i].item() for i in test} == {True}
    if config not in (*PAIRS, "ham_path"):
        assert {catalogue().planar[i].item() for i in train} == {False}


@pytest.mark.parametrize("config", SIZES)
def test_seed_chooses_the_order(config: str) -> None:
    for side in ("train", "test"):
        one, other = (published(config, seed)[side] for seed in (0, 7))
        assert np.mean(one.graph == other.graph) < 0.01
        assert 0.4 / N_CLASSES[config] < np.mean(one.label == other.label) < 1.6 / N_CLASSES[config]
    again = select(config, catalogue(), SIZES[config], 0, 7)
    assert digest(again) == digest(published(config, 7))


@pytest.mark.parametrize("config", SIZES)
def test_sides_depend_on_the_graph_alone(config: str) -> None:
    whole = sides(config, catalogue(), 0)
    order = rng("test", "part").permutation(len(catalogue()))[:5000]
    assert (sides(config, catalogue().subset(order), 0) == whole[order]).all()
    unknown = small_tables()["3000 outside"]
    first = sides(config, unknown, 0)
    order = rng("test", "unknown").permutation(len(unknown))[:500]
    assert (sides(config, unknown.subset(order), 0) == first[order]).all()
    mixed = replace(unknown, catalog_index=np.where(np.arange(3000) < 1500, np.arange(3000), -1))
    assert (sides(config, mixed, 0)[1500:] == first[1500:]).all()


@pytest.mark.parametrize("config", ["easy_iso", "hard_iso", "ham_path"])
def test_sides_of_chosen_graphs(config: str) -> None:
    side = sides(config, catalogue(), 0)
    planar = catalogue().planar
    counts = {number: np.count_nonzero(side == number) for number in (-1, 0, 1)}
    if config == "ham_path":
        assert counts == {-1: 0, 0: len(side) - 2480, 1: 2480}
    else:
        assert counts == {-1: np.count_nonzero(~planar), 0: 70_000, 1: 7_859}
        # 8 and 9 nodes are on both sides in proportion.
        small = np.mean(catalogue().n_nodes[side == 1] == 8)
        assert 0.06 < small < 0.095
    assert planar[side == 1].all()
    assert (side != sides(config, catalogue(), 1)).any()
    unknown = small_tables()["3000 outside"]
    share = np.mean(sides(config, unknown, 0)[unknown.planar] == 1)
    assert 0.07 < share < 0.13


def test_easy_and_hard_isomorphism_have_their_own_sides() -> None:
    assert (sides("easy_iso", catalogue(), 0) != sides("hard_iso", catalogue(), 0)).any()


@pytest.mark.parametrize("config", PAIRS)
def test_neither_panel_alone_tells_the_label(config: str) -> None:
    for side, selection in published(config).items():
        no, yes = (selection.label == label for label in (0, 1))
        used = np.sort(selection.graph[yes])
        assert len(set(used.tolist())) == SIZES[config][side] // 2
        for panel in (selection.graph[no], selection.mate[no], selection.mate[yes]):
            assert (np.sort(panel) == used).all()
        assert (selection.mate[no] != selection.graph[no]).all()


def test_easy_isomorphism_uses_every_planar_graph() -> None:
    used = graphs_of(published("easy_iso")["train"]) | graphs_of(published("easy_iso")["test"])
    assert used == set(np.flatnonzero(catalogue().planar).tolist())


def test_hard_mates_have_the_degree_sequence_and_are_not_isomorphic() -> None:
    degrees = catalogue().degree_sequences()
    for selection in published("hard_iso").values():
        no = selection.label == 0
        graph, mate = selection.graph[no], selection.mate[no]
        assert (degrees[graph] == degrees[mate]).all()
        assert (catalogue().n_nodes[graph] == catalogue().n_nodes[mate]).all()
        # Two places of the catalogue are two isomorphism classes; networkx agrees on a few.
        assert (graph != mate).all()
        for i, j in zip(graph[:200].tolist(), mate[:200].tolist(), strict=True):
            pair = [networkx.Graph(list(catalogue().graph(k).edges)) for k in (i, j)]
            assert not networkx.is_isomorphic(*pair)


@pytest.mark.parametrize("config", PAIRS)
def test_yes_and_no_of_a_block_are_independent(config: str) -> None:
    for selection in published(config).values():
        blocks = selection.graph.reshape(-1, 2)
        assert np.mean(blocks[:, 0] == blocks[:, 1]) < 0.002
        mates = selection.mate.reshape(-1, 2)
        assert np.mean(mates[:, 0] == mates[:, 1]) < 0.002


@pytest.mark.parametrize("config", SIZES)
def test_position_in_a_block_tells_nothing(config: str) -> None:
    k = N_CLASSES[config]
    for selection in published(config).values():
        position = np.arange(len(selection)) % k
        table = np.zeros((k, k))
        np.add.at(table, (position, selection.label), 1)
        expected = len(selection) / k**2
        assert np.abs(table - expected).max() < 5 * np.sqrt(expected)


def test_hamiltonian_cycle_is_matched_in_every_block() -> None:
    for selection in published("ham_cycle").values():
        cell = cells(catalogue(), selection.graph.astype(np.int64))
        pairs = cell[: len(cell) // 2 * 2].reshape(-1, 2)
        assert (pairs[:, 0] == pairs[:, 1]).all()
        assert selection.repeat.max() == 0


def test_hamiltonian_path_is_matched_where_supply_allows() -> None:
    table = catalogue()
    exact = 0
    used = set()
    for side, size in (("train", 12_500), ("test", 1_240)):
        selection = published("ham_path")[side]
        assert selection.repeat.max() == 0
        assert Counter(selection.label.tolist()) == {0: size, 1: size}
        used |= set(selection.graph[selection.label == 0].tolist())
        pairs = selection.graph.reshape(-1, 2)
        cell = cells(table, selection.graph.astype(np.int64)).reshape(-1, 2)
        same = cell[:, 0] == cell[:, 1]
        exact += int(same.sum())
        assert same.all() or side == "train"
        # The rest agrees in planarity and number of nodes and is near in edges.
        assert (table.planar[pairs[:, 0]] == table.planar[pairs[:, 1]]).all()
        assert (table.n_nodes[pairs[:, 0]] == table.n_nodes[pairs[:, 1]]).all()
        edges = table.n_edges[pairs].astype(int)
        assert np.abs(edges[:, 0] - edges[:, 1]).max() <= 5
    assert exact == 12_125
    assert used == set(np.flatnonzero(~table.hamiltonian_path).tolist())


def test_hamiltonian_path_test_graphs_are_fixed_and_train_yes_are_not() -> None:
    one, other = (published("ham_path", seed) for seed in (0, 7))
    assert graphs_of(one["test"]) == graphs_of(other["test"])
    yes = [set(s["train"].graph[s["train"].label == 1].tolist()) for s in (one, other)]
    assert len(yes[0] & yes[1]) < 0.8 * 12_500


def test_chordless_cycle_graphs_repeat_evenly() -> None:
    for side, planar in (("train", False), ("test", True)):
        selection = published("chordless_cycle")[side]
        for label, length in enumerate(CHORDLESS_LENGTHS):
            uses = Counter(selection.graph[selection.label == label].tolist())
            assert max(uses.values()) - min(uses.values()) <= 1
            facts = (catalogue().chordless_cycle == length) & (catalogue().planar == planar)
            assert len(uses) == min(np.count_nonzero(facts), SIZES["chordless_cycle"][side] // 4)


def test_shortest_path_graphs_and_pairs_repeat_evenly() -> None:
    distances = catalogue().distances()
    for side, planar in (("train", False), ("test", True)):
        selection = published("shortest_path")[side]
        for label, distance in enumerate(DISTANCES):
            mine = selection.label == label
            uses = Counter(selection.graph[mine].tolist())
            assert max(uses.values()) - min(uses.values()) <= 1
            n_pairs = np.count_nonzero(distances == distance, axis=(1, 2)) // 2
            supply = np.count_nonzero((n_pairs > 0) & (catalogue().planar == planar))
            assert len(uses) == min(supply, SIZES["shortest_path"][side] // 4)
            marks = np.column_stack([selection.graph, selection.marked])[mine]
            pair_uses = Counter((graph, u, v) for graph, u, v in marks.tolist())
            per_graph: dict[int, list[int]] = {}
            for (graph, _, _), count in pair_uses.items():
                per_graph.setdefault(graph, []).append(count)
            for graph, counts in per_graph.items():
                assert max(counts) - min(counts) <= 1
                assert len(counts) == min(uses[graph], n_pairs[graph])


def test_marked_pair_is_any_of_the_graph() -> None:
    selection = published("shortest_path")["train"]
    adjacent = selection.label == 0
    distances = catalogue().subset(selection.graph[adjacent]).distances()
    u, v = np.triu_indices(9, 1)
    fits = distances[:, u, v] == 1
    marked = np.zeros((9, 9), np.int64)
    marked[u, v] = np.arange(len(u))
    place = marked[tuple(selection.marked[adjacent].T)]
    before = (np.cumsum(fits, axis=1)[np.arange(len(place)), place] - 1) / (fits.sum(axis=1) - 1)
    tenths = np.histogram(before, bins=10)[0] / len(before)
    assert tenths.min() > 0.07
    assert tenths.max() < 0.13


@pytest.mark.parametrize("name", small_tables())
@pytest.mark.parametrize("config", SIZES)
def test_as_many_as_a_small_table_allows(config: str, name: str) -> None:
    table = small_tables()[name]
    k = N_CLASSES[config]
    selections = select(config, table, None, 0, 3)
    assert list(selections) == ["train", "test"]
    side = sides(config, table, 0)
    for number, selection in enumerate(selections.values()):
        assert len(selection) % k == 0
        assert selection.marked.shape == (len(selection), 2)
        check_balance(selection, k)
        check_labels(config, table, selection)
        check_repeat(selection.graph, selection.repeat)
        assert (side[selection.graph] == number).all()
        if config in PAIRS:
            assert (side[selection.mate] == number).all()
        elif config == "shortest_path":
            rows = np.column_stack([selection.label, selection.graph])
            assert len(np.unique(rows, axis=0)) == len(rows)
        elif len(selection):
            assert selection.repeat.max() == 0
    assert not graphs_of(selections["train"]) & graphs_of(selections["test"])
    if name in ("8 nodes", "3000 outside"):
        assert len(selections["train"]) > 0
    if config in ("ham_path", "ham_cycle"):  # every pair matched, and as many as can be
        answers = table.hamiltonian_path if config == "ham_path" else table.hamiltonian_cycle
        for number, selection in enumerate(selections.values()):
            cells = matching.cells(table, selection.graph)
            yes = selection.label == 1
            assert sorted(cells[yes]) == sorted(cells[~yes])
            if config == "ham_cycle":
                counts = [
                    Counter(
                        matching.cells(
                            table, np.flatnonzero((side == number) & (answers == is_yes))
                        ).tolist()
                    )
                    for is_yes in (False, True)
                ]
                assert len(selection) == 2 * (counts[0] & counts[1]).total()


def test_easy_isomorphism_of_a_small_table_uses_all_its_planar_graphs() -> None:
    table = small_tables()["3000 outside"]
    selections = select("easy_iso", table, None, 0, 0)
    assert sum(map(len, selections.values())) == 2 * np.count_nonzero(table.planar)


@pytest.mark.parametrize("config", SIZES)
@pytest.mark.parametrize("size", [0, 1, 2, 3, 5, 30, 31])
def test_small_sizes(config: str, size: int) -> None:
    table = small_tables()["8 nodes"]
    for selection in select(config, table, {"train": size, "test": size}, 0, 0).values():
        assert len(selection) == size
        check_balance(selection, N_CLASSES[config])
        check_labels(config, table, selection)


@pytest.mark.parametrize("config", SIZES)
@pytest.mark.parametrize("side", ["train", "test"])
def test_too_small_a_table_is_told(config: str, side: str) -> None:
    table = small_tables()["none"]
    sizes = {"train": 0, "test": 0, side: 500}
    with pytest.raises(InputError, match=f"^{config} {side}: 500 records .* allow 0; "):
        select(config, table, sizes, 0, 0)


def test_the_available_number_that_an_error_names_can_be_had() -> None:
    table = small_tables()["8 nodes"]
    for config in ("easy_iso", "hard_iso", "ham_path", "ham_cycle"):
        for side in ("train", "test"):
            with pytest.raises(InputError) as caught:
                select(config, table, {"train": 0, "test": 0, side: 10**6}, 0, 0)
            available = int(str(caught.value).split("allow ")[1].split(";")[0])
            sizes = {"train": 0, "test": 0, side: available}
            assert len(select(config, table, sizes, 0, 0)[side]) == available


def test_unknown_config_lists_the_known() -> None:
    with pytest.raises(InputError, match="'iso'; it has easy_iso, hard_iso, ham_path"):
        select("iso", small_tables()["one"], None, 0, 0)


def test_generations_and_parts_differ() -> None:
    table = small_tables()["8 nodes"]
    for config in SIZES:
        keys = ((0, 0, 0), (1, 0, 0), (0, 0, 1))
        assert len({digest(select(config, table, None, *key)) for key in keys}) == len(keys)


@pytest.mark.parametrize("config", SIZES)
def test_no_graph_changes_sides_with_the_part(config: str) -> None:
    table = small_tables()["3000 outside"]
    one, other = (select(config, table, None, 0, seed, part) for seed, part in ((0, 0), (3, 8)))
    assert not graphs_of(one["train"]) & graphs_of(other["test"])
    assert not graphs_of(other["train"]) & graphs_of(one["test"])


def test_selection_does_not_depend_on_the_hash_seed() -> None:
    code = (
        "import hashlib; from benchloom.builders.graphs.catalogue import catalogue;"
        "from benchloom.builders.vga.configs import CONFIGS;"
        "from benchloom.builders.vga.selection import select;"
        "t = catalogue((8,)); d = hashlib.sha256();"
        "[d.update(getattr(s, n).tobytes()) for c in CONFIGS"
        " for s in select(c, t, None, 0, 0).values()"
        " for n in ('graph', 'mate', 'marked', 'label')];"
        "print(d.hexdigest())"
    )
    prints = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for hash_seed in ("0", "1")
    }
    assert len(prints) == 1


GOLDEN = {
    "easy_iso": "869ed1e22b720611",
    "hard_iso": "6a7d2003ee6adef2",
    "ham_path": "4ec205af70bbbd7b",
    "shortest_path": "6626a98b8c9116e1",
    "ham_cycle": "497e58465dc36c32",
    "chordless_cycle": "a75fb4cb61041f4c",
}


@pytest.mark.parametrize("config", SIZES)
def test_published_selection_stays_as_it_is(config: str) -> None:
    """Fails when records change: then the benchmark's generation must be raised."""
    assert digest(published(config)) == GOLDEN[config]
