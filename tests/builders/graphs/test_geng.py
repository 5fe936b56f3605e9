from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from benchloom.builders.errors import InputError
from benchloom.builders.graphs import answers, checks, graph6
from benchloom.builders.graphs import geng as module
from benchloom.builders.graphs.catalogue import catalogue
from benchloom.builders.graphs.graph import Graph


def put_on_path(monkeypatch: pytest.MonkeyPatch, folder: Path, name: str, script: str) -> None:
    """Makes a program of one shell script the only one that can be found."""
    program = folder / name
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))


def test_a_missing_geng_is_named_with_its_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InputError, match=r"package nauty .*conda-forge.*Homebrew"):
        module.geng_path()
    with pytest.raises(InputError, match="package nauty"):
        module.table(10, 0, 3)


@pytest.mark.parametrize("name", ["nauty-geng", "geng"])
def test_both_names_are_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    put_on_path(monkeypatch, tmp_path, name, "echo $* >&2; echo A_")
    assert module.geng_path() == str(tmp_path / name)
    assert module.stream(2, 0, 1) == ["A_"]


@pytest.mark.parametrize(
    ("script", "fault"),
    [
        ("echo '>E no memory' >&2; exit 1", "failed .*no memory"),
        ("exit 3", "failed .*no reason given"),
    ],
)
def test_a_failing_geng_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, fault: str
) -> None:
    put_on_path(monkeypatch, tmp_path, "geng", script)
    with pytest.raises(InputError, match=fault):
        module.stream(5, 0, 1)


def test_a_geng_that_cannot_be_run_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_on_path(monkeypatch, tmp_path, "geng", "")
    (tmp_path / "geng").write_bytes(b"#!/no/such/shell\n")
    with pytest.raises(InputError, match="cannot be run"):
        module.stream(5, 0, 1)


def test_damaged_output_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put_on_path(monkeypatch, tmp_path, "geng", "echo A_; echo A7")
    with pytest.raises(InputError, match=r"geng -c 2 0/1, line 2: byte 55"):
        module.table(2, 0, 1)


@pytest.mark.parametrize("n", [0, -1, 12, 100])
def test_sizes_that_cannot_be_listed_are_refused(n: int) -> None:
    for ask in (
        module.count_parts,
        lambda n: module.stream(n, 0, 1),
        lambda n: module.table(n, 0, 1),
    ):
        with pytest.raises(InputError, match=f"1 to 11 nodes, not {n}"):
            ask(n)


@pytest.mark.parametrize(("part", "parts"), [(1, 1), (-1, 3), (0, 0)])
def test_slices_that_do_not_exist_are_refused(part: int, parts: int) -> None:
    with pytest.raises(ValueError, match=f"slice {part} is not one of"):
        module.stream(5, part, parts)


def test_slices_have_some_thousands_of_graphs() -> None:
    assert [module.count_parts(n) for n in range(1, 8)] == [1] * 7
    for n in (8, 9, 10, 11):
        assert 2_000 <= module.CONNECTED_COUNTS[n] / module.count_parts(n) <= 8_000


@pytest.mark.parametrize("n", range(1, 9))
def test_slices_together_hold_every_graph_once(geng: Path, n: int) -> None:
    lines = [line for part in range(3) for line in module.stream(n, part, 3)]
    assert len(lines) == len(set(lines)) == module.CONNECTED_COUNTS[n]
    assert sorted(lines) == sorted(module.stream(n, 0, 1))
    assert all(answers.is_connected(graph6.decode(line)) for line in lines)


def test_lines_are_canonical(geng: Path, pynauty: ModuleType) -> None:
    def certificate(graph: Graph) -> bytes:
        near = {u: list(others) for u, others in checks.neighbours(graph).items()}
        return bytes(pynauty.certificate(pynauty.Graph(graph.n_nodes, adjacency_dict=near)))

    streamed = {certificate(graph6.decode(line)) for line in module.stream(8, 0, 1)}
    table = catalogue((8,))
    assert streamed == {certificate(table.graph(index)) for index in range(len(table))}
    # A canonical line does not depend on how its graph was come by: it is that of other slicings.
    assert set(module.stream(8, 2, 7)) <= set(module.stream(8, 0, 1))


def test_slices_of_ten_nodes_are_of_one_size_and_not_all_sparse(geng: Path) -> None:
    parts = module.count_parts(10)
    for part in (0, 1, parts // 2, parts - 1):
        table = module.table(10, part, parts)
        assert 2_000 < len(table) < 8_000
        assert 20 < table.n_edges.mean() < 25
        assert (table.n_nodes == 10).all()
        assert (table.catalog_index == -1).all()


def test_facts_of_a_slice_are_those_of_its_graphs(geng: Path) -> None:
    table = module.table(10, 7, module.count_parts(10))
    for index in range(0, len(table), 40):
        graph = table.graph(index)
        assert answers.is_planar(graph) == table.planar[index]
        assert answers.has_hamiltonian_path(graph) == table.hamiltonian_path[index]
        assert answers.has_hamiltonian_cycle(graph) == table.hamiltonian_cycle[index]
        assert checks.biggest_chordless_cycle(graph) == table.chordless_cycle[index]
        assert graph6.decode(table.graph6(index)) == graph


def test_a_streamed_size_of_the_catalogue_has_its_facts(geng: Path) -> None:
    streamed, packaged = module.table(8, 0, 1), catalogue((8,))
    for name in ("n_edges", "planar", "hamiltonian_path", "hamiltonian_cycle", "chordless_cycle"):
        counts = [np.bincount(getattr(table, name).astype(int)) for table in (streamed, packaged)]
        assert counts[0].tolist() == counts[1].tolist()


def test_a_slice_without_graphs_is_an_empty_table(geng: Path) -> None:
    table = module.table(3, 5, 10)
    assert len(table) == 0
    assert table.rows.shape == (0, 3)
    assert table.distances().shape == (0, 3, 3)
