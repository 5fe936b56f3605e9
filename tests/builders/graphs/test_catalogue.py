import hashlib
import lzma
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchloom.builders.errors import InputError
from benchloom.builders.graphs import answers, catalogue_data, graph6
from benchloom.builders.graphs import catalogue as module
from benchloom.builders.graphs.catalogue import GraphTable, catalogue
from benchloom.builders.graphs.graph import Graph
from benchloom.builders.seeds import rng

ALL = 272_197


@pytest.fixture
def fresh() -> Iterator[None]:
    """No table is kept from before, and none afterwards."""
    catalogue.cache_clear()
    yield
    catalogue.cache_clear()


@pytest.fixture(scope="session")
def table() -> GraphTable:
    return catalogue()


def counts(table: GraphTable, chosen: Any) -> tuple[int, int, int]:
    """Returns how many graphs are chosen: of all, of the planar, of the non-planar ones."""
    return (
        int(chosen.sum()),
        int((chosen & table.planar).sum()),
        int((chosen & ~table.planar).sum()),
    )


def test_numbers_of_graphs(table: GraphTable) -> None:
    assert len(table) == ALL
    assert counts(table, table.n_nodes == 8) == (11_117, 5_974, 5_143)
    assert counts(table, table.n_nodes == 9) == (261_080, 71_885, 189_195)


def test_numbers_of_hamiltonian_graphs(table: GraphTable) -> None:
    assert counts(table, table.hamiltonian_path) == (258_457, 66_466, 191_991)
    assert counts(table, table.hamiltonian_cycle) == (183_279, 29_169, 154_110)
    assert not (table.hamiltonian_cycle & ~table.hamiltonian_path).any()
    assert counts(table, ~table.hamiltonian_path) == (13_740, 11_393, 2_347)


@pytest.mark.parametrize(
    ("length", "expected"),
    [
        (0, (70, 70, 0)),
        (3, (13_455, 8_602, 4_853)),
        (4, (116_109, 36_025, 80_084)),
        (5, (116_893, 24_686, 92_207)),
        (6, (24_343, 7_594, 16_749)),
        (7, (1_296, 851, 445)),
        (8, (30, 30, 0)),
        (9, (1, 1, 0)),
    ],
)
def test_numbers_of_biggest_chordless_cycles(
    table: GraphTable, length: int, expected: tuple[int, int, int]
) -> None:
    assert counts(table, table.chordless_cycle == length) == expected


def test_trees_are_the_graphs_without_a_chordless_cycle(table: GraphTable) -> None:
    assert ((table.chordless_cycle == 0) == (table.n_edges == table.n_nodes - 1)).all()


def test_numbers_of_pairs_at_each_distance(table: GraphTable) -> None:
    distances = table.distances()
    pairs = distances[:, *np.triu_indices(9, 1)]
    for planar, expected in (
        (True, [1_154_147, 1_234_568, 325_300, 37_364]),
        (False, [3_762_776, 2_954_712, 231_556, 5_889]),
    ):
        found = pairs[table.planar == planar]
        assert [int((found == length).sum()) for length in (1, 2, 3, 4)] == expected
    assert counts(table, (pairs == 4).any(axis=1)) == (22_497, 18_233, 4_264)


def test_every_graph_is_connected_and_simple(table: GraphTable) -> None:
    distances = table.distances()
    inside = np.arange(9) < table.n_nodes[:, None]
    both = inside[:, :, None] & inside[:, None, :]
    assert (distances[both] != 255).all()
    assert (distances[~both] == 255).all()
    adjacent = (table.rows[:, :, None] >> np.arange(9, dtype=np.uint16) & 1).astype(bool)
    assert (adjacent == adjacent.transpose(0, 2, 1)).all()
    assert not adjacent[:, np.arange(9), np.arange(9)].any()
    assert (adjacent == (distances == 1)).all()
    assert (adjacent.sum(axis=(1, 2)) == 2 * table.n_edges).all()


def test_packaged_facts_are_those_of_the_rows(table: GraphTable) -> None:
    rows, n_nodes = table.rows, table.n_nodes
    assert (answers.hamiltonian_paths(rows, n_nodes) == table.hamiltonian_path).all()
    assert (answers.hamiltonian_cycles(rows, n_nodes) == table.hamiltonian_cycle).all()
    assert (answers.biggest_chordless_cycles(rows, n_nodes) == table.chordless_cycle).all()
    assert (answers.planar_graphs(rows, n_nodes) == table.planar).all()


def test_packaged_facts_take_the_bytes_of_the_rows(table: GraphTable) -> None:
    part = table.subset(range(0, ALL, 1000))
    packaged = np.frombuffer(module._content(module.FACTS_FILE), np.uint8)
    assert (module.facts_of(part.rows, part.n_nodes) == packaged[::1000]).all()


@pytest.mark.parametrize("n", [8, 9])
def test_packaged_lines_are_the_output_of_geng(geng: Path, n: int) -> None:
    lines = catalogue_data.geng_lines(n)
    assert lines
    content = module._content(module.GRAPHS_FILE)
    assert content.startswith(lines) if n == 8 else content.endswith(lines)
    assert len(content) == 11_117 * 7 + 261_080 * 8


def test_one_size_is_a_part_of_the_whole(table: GraphTable) -> None:
    eight, nine = catalogue((8,)), catalogue((9,))
    assert eight.rows.shape == (11_117, 8)
    assert nine.rows.shape == (261_080, 9)
    assert eight.catalog_index.tolist() == list(range(11_117))
    assert nine.catalog_index.tolist() == list(range(11_117, ALL))
    for part, start in ((eight, 0), (nine, 11_117)):
        for name in ("n_nodes", "n_edges", "planar", "hamiltonian_cycle", "chordless_cycle"):
            whole = getattr(table, name)[start : start + len(part)]
            assert (getattr(part, name) == whole).all()
    assert catalogue((9, 8)).catalog_index.tolist() == list(range(ALL))
    assert catalogue((8,)) is eight


@pytest.mark.parametrize("n_nodes", [(), (7,), (8, 10), (0,), (-8,)])
def test_sizes_outside_the_catalogue_are_refused(n_nodes: tuple[int, ...]) -> None:
    with pytest.raises(InputError, match="8 and 9 nodes"):
        catalogue(n_nodes)


def test_graphs_are_those_of_the_lines(table: GraphTable) -> None:
    lines = module._content(module.GRAPHS_FILE).split(b"\n")
    degrees = table.degree_sequences()
    assert degrees.dtype == np.uint8
    for index in [0, 11_116, 11_117, ALL - 1, *rng("test", "lines").integers(0, ALL, 300).tolist()]:
        graph = table.graph(index)
        assert graph == graph6.decode(lines[index])
        assert table.graph6(index).encode() == lines[index]
        assert graph.n_edges == table.n_edges[index]
        padded = sorted(graph.degrees, reverse=True) + [0] * (9 - graph.n_nodes)
        assert degrees[index].tolist() == padded


def test_subsets_keep_order_and_repeats(table: GraphTable) -> None:
    places = [ALL - 1, 5, 5, 11_117]
    part = table.subset(places)
    assert part.catalog_index.tolist() == places
    assert [part.graph(i) for i in range(4)] == [table.graph(place) for place in places]
    assert (part.distances() == table.distances()[places]).all()
    chosen = table.subset(table.chordless_cycle == 9)
    assert len(chosen) == 1
    assert set(chosen.graph(0).degrees) == {2}
    assert len(table.subset([])) == 0
    assert table.subset([]).distances().shape == (0, 9, 9)


def test_nobody_can_change_the_catalogue(table: GraphTable) -> None:
    for array in (table.rows, table.planar, table.catalog_index, table.subset([1, 2]).rows):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_arrays_of_different_lengths_are_refused(table: GraphTable) -> None:
    arrays = {name: getattr(table, name) for name in table.__dataclass_fields__}
    with pytest.raises(ValueError, match="planar is about 3 graphs"):
        GraphTable(**{**arrays, "planar": table.planar[:3]})


def test_graphs_on_no_and_one_node_fit_a_table() -> None:
    graphs = [Graph(0, ()), Graph(1, ()), Graph(2, ((0, 1),))]
    rows = np.array([[0, 0], [0, 0], [2, 1]], np.uint16)
    n_nodes = np.array([0, 1, 2], np.uint8)
    made = module.table_of(rows, n_nodes, module.facts_of(rows, n_nodes), np.full(3, -1, np.int32))
    assert [made.graph(i) for i in range(3)] == graphs
    assert made.hamiltonian_path.tolist() == [False, True, True]
    assert made.hamiltonian_cycle.tolist() == [False, False, False]
    assert made.planar.all()


@pytest.mark.parametrize("name", [module.GRAPHS_FILE, module.FACTS_FILE])
@pytest.mark.parametrize("harm", ["missing", "empty", "cut", "bytes", "other"])
def test_damaged_data_are_found(
    fresh: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, harm: str
) -> None:
    folder = Path(module.__file__).parent / "data"
    copy = tmp_path / "data"
    copy.mkdir()
    for file in (module.GRAPHS_FILE, module.FACTS_FILE):
        (copy / file).write_bytes((folder / file).read_bytes())
    monkeypatch.setattr(module.resources, "files", lambda package: tmp_path)
    assert len(catalogue()) == ALL
    catalogue.cache_clear()
    packed = (copy / name).read_bytes()
    if harm == "missing":
        (copy / name).unlink()
    else:
        middle = len(packed) // 2
        content = bytearray(lzma.decompress(packed))
        content[len(content) // 2] ^= 1
        harmed = {
            "empty": b"",
            "cut": packed[:middle],
            "bytes": packed[:middle] + bytes([packed[middle] ^ 1]) + packed[middle + 1 :],
            "other": lzma.compress(bytes(content), preset=0),
        }
        (copy / name).write_bytes(harmed[harm])
    with pytest.raises(InputError, match=f"{name}.*install benchloom again"):
        catalogue()


def test_packaged_data_are_small_and_what_their_maker_says() -> None:
    folder = Path(module.__file__).parent / "data"
    assert sum(file.stat().st_size for file in folder.iterdir()) < 500_000
    for name, digest in module.CONTENT_SHA256.items():
        content = lzma.decompress((folder / name).read_bytes())
        assert hashlib.sha256(content).hexdigest() == digest
    small = b"H??????\n" * 1000
    assert lzma.decompress(catalogue_data.packed(small, 8)) == small
