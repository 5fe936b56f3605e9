"""Reading what is right: releases here and on the Hub, and a user's own records."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import datasets
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from huggingface_hub import HfApi
from loopback_hub import LoopbackHub

from benchloom.builders.errors import InputError
from benchloom.builders.graphs.graph import Graph
from benchloom.builders.graphs.graph6 import encode
from benchloom.builders.manifest import read_manifest
from benchloom.builders.pipeline import build
from benchloom.builders.recipe import Recipe
from benchloom.loaders.directory import Build
from benchloom.loaders.hub.client import Hub
from benchloom.loaders.scores.references import References, as_references, read_references

REPO = "org/data"


@pytest.fixture(scope="module")
def omni_build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two tasks of GraphOmni, one question a difficulty."""
    directory = tmp_path_factory.mktemp("omni") / "build"
    build(Recipe.of("graphomni", limit=1), directory, ["cycle", "bfs_order"], jobs=1, quiet=True)
    return directory


def upload(hub: LoopbackHub, directory: Path) -> None:
    """Puts a build into a repository, with the tag v1.0.0."""
    hub.add_user("ada", "hf_ada", orgs=["org"])
    hub.create_repo(REPO)
    files = [path for path in directory.rglob("*") if path.is_file()]
    hub.commit(REPO, {path.relative_to(directory).as_posix(): path.read_bytes() for path in files})
    HfApi(endpoint=hub.url, token="hf_ada").create_tag(REPO, repo_type="dataset", tag="v1.0.0")


def places(references: References) -> set[tuple[str, str]]:
    """Returns the configs and splits of references."""
    columns = (references.table.column(name).to_pylist() for name in ("config", "split"))
    return set(zip(*columns, strict=True))


# --- releases


def test_a_build_gives_all_columns_but_the_images(vga_build: Path) -> None:
    references = read_references("vga", vga_build, "hard_iso", "test")
    of = Build(vga_build)
    columns = of.columns("hard_iso", "test")
    assert references.table.column_names == [
        "id", "config", "split", *(name for name in columns if name != "id")
    ]  # fmt: skip
    assert "image" not in references.table.column_names
    for name in columns:
        assert references.table.column(name).to_pylist() == columns[name]
    assert places(references) == {("hard_iso", "test")}
    assert references.ids() == of.digests("hard_iso", "test")[0]
    manifest = read_manifest(vga_build)
    assert references.data == {
        "name": str(vga_build),
        "scored": {"hard_iso": {"test": 24}},
        "version": manifest.version,
        "generation": manifest.recipe.generation,
        "seed": 0,
        "limit": 24,
    }
    others = {
        name: f"{config}/{split}"
        for config, split in of.splits()
        for name in of.digests(config, split)[0]
        if (config, split) != ("hard_iso", "test")
    }
    assert references.elsewhere == others


def test_all_is_read_when_nothing_is_named(vga_build: Path) -> None:
    references = read_references("vga", vga_build)
    assert places(references) == set(Build(vga_build).splits())
    assert references.table.num_rows == 24 * len(list(Build(vga_build).splits()))
    assert not references.elsewhere
    # Columns that only pairs have are null for single graphs.
    assert references.table.column("graph6_left").null_count
    assert references.table.column("graph6").null_count


def test_ids_choose_configs_and_splits(vga_build: Path) -> None:
    ids = ["hard_iso-test-000003", "ham_path-test_kawai-000000", "nothing"]
    references = read_references("vga", vga_build, ids=iter(ids))
    assert places(references) == {("hard_iso", "test"), ("ham_path", "test_kawai")}
    assert references.elsewhere == {}
    references = read_references("vga", vga_build, "hard_iso", ids=ids)
    assert places(references) == {("hard_iso", "test")}
    assert references.elsewhere == {"ham_path-test_kawai-000000": "ham_path/test_kawai"}
    references = read_references("vga", vga_build, None, "test_kawai", ids=ids)
    assert places(references) == {("ham_path", "test_kawai")}
    references = read_references("vga", vga_build, "ham_path", "test", ids=ids)
    assert places(references) == {("ham_path", "test")}
    assert set(references.elsewhere) == set(ids[:2])


def test_combined_configs_are_all_their_members(omni_build: Path) -> None:
    references = read_references("graphomni", omni_build, "all", "easy")
    assert places(references) == {("bfs_order", "easy"), ("cycle", "easy")}


def test_queries_are_not_read(omni_build: Path) -> None:
    references = read_references("graphomni", omni_build)
    names = set(Build(omni_build).columns("cycle", "easy"))
    assert set(references.table.column_names) == names - {"query"} | {"config", "split"}


def test_dragon_is_read(dragon_build: Path) -> None:
    references = read_references("dragon", dragon_build)
    assert references.data["options"] == dict(read_manifest(dragon_build).recipe.options)
    (record, *_) = references.table.to_pylist()
    assert record["config"] == record["source"]
    assert len(record["evidence"][0]["bbox"]) == 4
    assert record["image_ref"]["width"] > 0


def test_a_release_on_the_hub_gives_the_same(hub: LoopbackHub, vga_build: Path) -> None:
    upload(hub, vga_build)
    before = len(hub.requests)
    there = read_references("vga", f"{REPO}@v1.0.0", "shortest_path", "test")
    here = read_references("vga", vga_build, "shortest_path", "test")
    assert there.table.equals(here.table)
    assert there.elsewhere == here.elsewhere
    assert there.data == here.data | {
        "name": f"{REPO}@v1.0.0", "commit": Hub().commit(REPO)
    }  # fmt: skip
    assert len(hub.requests) > before


def test_pictures_are_not_fetched_from_the_hub(hub: LoopbackHub, tmp_path: Path) -> None:
    directory = tmp_path / "build"
    build(Recipe.of("vga", limit=300), directory, ["hard_iso"], jobs=1, quiet=True)
    upload(hub, directory)
    before = len(hub.requests)
    ids = ["hard_iso-test-000003"]
    references = read_references("vga", REPO, "hard_iso", "test", ids)
    assert references.table.num_rows == 300
    shard = next((directory / "hard_iso").glob("test-*.parquet"))
    asked = [one for one in hub.requests[before:] if one.path.endswith(shard.name)]
    fetched = sum(_bytes_asked(one.headers["range"]) for one in asked)
    with pq.ParquetFile(shard) as file:
        groups = file.metadata.num_row_groups
    assert 0 < fetched < shard.stat().st_size / 3
    # A request for the footer, and for each row group one on either side of its pictures.
    assert len(asked) <= 3 + 3 * groups


@pytest.mark.parametrize("after", [0, 1])
def test_a_hub_that_refuses_is_one_sentence(hub: LoopbackHub, vga_build: Path, after: int) -> None:
    upload(hub, vga_build)
    shard = "hard_iso/test-00000-of-00001.parquet"
    fault = hub.fault(
        "resolve", 403, after=after, when=lambda request: request.path.endswith(shard)
    )
    with pytest.raises(InputError, match=rf"^cannot read {shard} of org/data at .* not allow it"):
        read_references("vga", REPO, "hard_iso", "test")
    assert fault.fired == 1


def _bytes_asked(header: str) -> int:
    first, _, last = header.removeprefix("bytes=").partition("-")
    return int(last) - int(first) + 1


@pytest.mark.parametrize(
    ("config", "split", "sentence"),
    [
        ("iso", None, "there is no config 'iso'; choose from easy_iso, hard_iso"),
        ("hard_iso", "val", "there is no split 'val'; choose from train, test"),
        (None, "val", "there is no split 'val'; choose from train, test"),
    ],
)
def test_what_a_release_does_not_have_is_refused(
    vga_build: Path, config: str | None, split: str | None, sentence: str
) -> None:
    with pytest.raises(InputError, match=sentence):
        read_references("vga", vga_build, config, split)


def test_other_releases_are_refused(vga_build: Path, omni_build: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is of vga, not of graphomni"):
        read_references("graphomni", vga_build)
    with pytest.raises(InputError, match="holds no manifest"):
        read_references("graphomni", tmp_path)
    with pytest.raises(InputError, match="'nothing' is no directory; name that of a build, or org"):
        read_references("graphomni", "nothing")
    with pytest.raises(InputError, match=r"there is no file .*none\.jsonl"):
        read_references("graphomni", tmp_path / "none.jsonl")
    with pytest.raises(InputError, match="there is no benchmark 'none'"):
        read_references("none", vga_build)


def test_a_damaged_release_is_refused(vga_copy: Path) -> None:
    shard = next((vga_copy / "hard_iso").glob("test-*.parquet"))
    shard.write_bytes(shard.read_bytes()[:-100])
    with pytest.raises(InputError, match=f"{shard.name} of {vga_copy} is damaged"):
        read_references("vga", vga_copy, "hard_iso", "test")
    shard.unlink()
    with pytest.raises(InputError, match=f"{shard.name} of {vga_copy} cannot be read"):
        read_references("vga", vga_copy, "hard_iso", "test")
    shutil.copy(next((vga_copy / "easy_iso").glob("train-*.parquet")), shard)
    assert read_references("vga", vga_copy, "hard_iso", "test").table.num_rows == 24
    pq.write_table(pq.read_table(shard).slice(0, 5), shard)
    with pytest.raises(InputError, match="is not what its manifest says"):
        read_references("vga", vga_copy, "hard_iso", "test")


# --- a user's own records

VGA = {"id": "a", "config": "shortest_path", "answer": "3"}
OMNI = {
    **{"id": "q1", "task": "shortest_path", "n_nodes": 4, "edges": [[0, 1], [2, 1], [2, 3]]},
    **{"source": 0, "target": 3, "answer": "0,1,2,3"},
}
DRAGON = {
    **{"id": "d", "source": "chartqa", "image_ref": {"width": 100, "height": 50}},
    "evidence": [{"bbox": [1, 2, 3, 4.5], "role": "support"}, {"bbox": [0, 0, 1, 1]}],
}
OWN = {"vga": VGA, "graphomni": OMNI, "dragon": DRAGON}


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Writes rows as JSONL and returns the file."""

    def write(*rows: Any, name: str = "right.jsonl") -> Path:
        path = tmp_path / name
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        return path

    return write


@pytest.mark.parametrize("benchmark", list(OWN))
def test_own_records_are_read(benchmark: str, write: Callable[..., Path]) -> None:
    row = OWN[benchmark]
    path = write({**row, "more": {"x": 1}})
    references = read_references(benchmark, path)
    config = row.get("config") or row.get("task") or row.get("source")
    assert references.data == {"name": str(path), "scored": {config: {"own": 1}}}
    assert set(references.table.column_names) == {*row, "config", "split"}
    assert not references.elsewhere
    (found,) = references.table.to_pylist()
    expected = {**row, "config": config, "split": "own"}
    if benchmark == "graphomni":
        expected["edges"] = [[0, 1], [1, 2], [2, 3]]
    if benchmark == "dragon":
        del expected["image_ref"], expected["evidence"]
        assert [one["bbox"] for one in found["evidence"]] == [[1, 2, 3, 4.5], [0, 0, 1, 1]]
        assert [one["role"] for one in found["evidence"]] == ["support", "answer"]
        assert found["image_ref"]["width"] == 100
    assert {name: found[name] for name in expected} == expected
    parquet = path.with_suffix(".parquet")
    pq.write_table(pa.Table.from_pylist([{**row, "image": b"\xff"}]), parquet)
    for value in (parquet, [row], iter([row]), pa.Table.from_pylist([row]), pd.DataFrame([row])):
        assert as_references(benchmark, value).table.equals(references.table)


def test_references_are_narrowed_to_config_and_split(vga_build: Path, omni_build: Path) -> None:
    everything = read_references("vga", vga_build)
    assert as_references("vga", everything) is everything
    kept = as_references("vga", everything, "hard_iso", "test")
    expected = read_references("vga", vga_build, "hard_iso", "test")
    assert kept.ids() == expected.ids()
    assert kept.data == expected.data
    assert kept.elsewhere == expected.elsewhere
    with pytest.raises(InputError, match="the references hold no records of ham_path/test"):
        as_references("vga", expected, "ham_path", "test")
    omni = read_references("graphomni", omni_build)
    assert as_references("graphomni", omni, "all") is omni
    assert as_references("graphomni", omni, "all", "easy").data["scored"] == {
        "bfs_order": {"easy": 63}, "cycle": {"easy": 63}
    }  # fmt: skip


def test_config_and_split_choose_among_own_records(write: Callable[..., Path]) -> None:
    rows = [
        {**VGA, "split": "test"},
        {**VGA, "id": "b", "config": "ham_path", "answer": "YES ", "split": "test"},
        {**VGA, "id": "c", "answer": 4, "split": "train"},
        {"id": "easy_iso-test-000001", "answer": "no", "label": "no", "split": "test"},
    ]
    path = write(*rows)
    references = read_references("vga", path)
    assert references.ids() == ["a", "b", "c", "easy_iso-test-000001"]
    assert references.table.column("answer").to_pylist() == ["3", "yes", "4", "no"]
    assert references.data["scored"] == {
        "shortest_path": {"test": 1, "train": 1}, "ham_path": {"test": 1}, "easy_iso": {"test": 1}
    }  # fmt: skip
    assert read_references("vga", path, "shortest_path").ids() == ["a", "c"]
    assert read_references("vga", path, "shortest_path", "train").ids() == ["c"]
    with pytest.raises(InputError, match=r"no records of ham_path/train are in .*; name others"):
        read_references("vga", path, "ham_path", "train")
    path = write({"id": "a", "answer": "3"})
    references = read_references("vga", path, "shortest_path", "mine")
    assert references.data["scored"] == {"shortest_path": {"mine": 1}}
    rows = [OMNI, {**OMNI, "id": "q2", "difficulty": "easy"}]
    references = read_references("graphomni", write(*rows), "all")
    assert references.table.column("split").to_pylist() == ["own", "easy"]


@pytest.mark.parametrize(
    ("benchmark", "change", "fault"),
    [
        ("vga", {"answer": None}, "answer is missing, which vga needs"),
        ("vga", {"config": None}, "config is missing; name one of easy_iso, hard_iso"),
        ("vga", {"config": "iso"}, "there is no config 'iso'; choose from easy_iso, hard_iso"),
        ("vga", {"answer": "5"}, "answer '5' is none of 1, 2, 3, 4"),
        ("vga", {"answer": True}, "answer True is none of 1, 2, 3, 4"),
        ("vga", {"id": None}, "id is missing, which vga needs"),
        ("vga", {"id": ["a"]}, "id must be a text"),
        ("vga", {"n_nodes": "many"}, "n_nodes is 'many', but must be int32"),
        ("vga", {"id": "\x1b", "answer": "\x1b[1m"}, r"answer '\x1b[1m' is none of 1, 2, 3, 4"),
        ("graphomni", {"task": "tour"}, "there is no task 'tour'; choose from bfs_order"),
        ("graphomni", {"n_nodes": 0}, "n_nodes is 0; it must be from 1 to 100,000"),
        ("graphomni", {"n_nodes": 10**9}, "n_nodes is 1000000000; it must be from 1"),
        ("graphomni", {"n_nodes": "4"}, "n_nodes is '4', no whole number"),
        ("graphomni", {"edges": None}, "edges is missing, which graphomni needs"),
        ("graphomni", {"edges": "0-1"}, "edges are '0-1', no list of pairs of nodes"),
        ("graphomni", {"edges": [[0, 1, 2]]}, "edges hold [0, 1, 2], no pair of nodes"),
        ("graphomni", {"edges": [[0, 4]]}, "edge [0, 4] has the node 4; the nodes are 0 to 3"),
        ("graphomni", {"edges": [[1, 1]]}, "edges hold [1, 1], which joins a node to itself"),
        ("graphomni", {"edges": [["a", 1]]}, "edge ['a', 1] is 'a', no whole number"),
        ("graphomni", {"source": None}, "source is missing, which shortest_path asks about"),
        ("graphomni", {"target": -1}, "target has the node -1; the nodes are 0 to 3"),
        ("graphomni", {"answer": "3"}, "answer '3' is wrong (the graph's is 0,1,2,3); correct it"),
        ("graphomni", {"answer": "0 to 3"}, "answer '0 to 3' is none of shortest_path; it looks"),
        (
            "graphomni",
            {"answer": "0,9"},
            "answer '0,9' is none of shortest_path (it has the node 9",
        ),
        ("graphomni", {"task": "cycle", "answer": "maybe"}, "answer 'maybe' is none of cycle; it"),
        ("graphomni", {"task": "cycle", "answer": True}, "answer True is none of cycle; it looks"),
        ("graphomni", {"task": "diameter", "answer": "-1"}, "answer '-1' is none of diameter; it"),
        (
            "graphomni",
            {"task": "max_cut", "answer": "3"},
            "answer '3' is none of max_cut; it looks",
        ),
        ("dragon", {"image_ref": "a.png"}, "image_ref is 'a.png', no object with width and height"),
        ("dragon", {"image_ref": {"width": 5}}, "image_ref's height is None, no whole number"),
        ("dragon", {"image_ref": {"width": 0, "height": 5}}, "image_ref's width is 0; it is in"),
        ("dragon", {"evidence": {}}, "evidence is {}, no list of objects with a bbox"),
        ("dragon", {"evidence": [3]}, "evidence 1 is 3, no object with a bbox"),
        ("dragon", {"evidence": [{"bbox": [1, 2, 3]}]}, "evidence 1 has the bbox [1, 2, 3]; give"),
        (
            "dragon",
            {"evidence": [{"bbox": [1, 2, 3, -1]}]},
            "evidence 1 has the bbox [1, 2, 3, -1]",
        ),
        ("dragon", {"evidence": [{"bbox": [1, 2, 3, float("nan")]}]}, "evidence 1 has the bbox"),
        ("dragon", {"evidence": [{"bbox": [0, 0, 1, 1], "role": "x"}]}, "evidence 1 has the role"),
    ],
)
def test_a_fault_names_line_and_field(
    write: Callable[..., Path], benchmark: str, change: dict[str, Any], fault: str
) -> None:
    path = write({**OWN[benchmark], "id": "first"}, {**OWN[benchmark], **change})
    if not fault:
        assert read_references(benchmark, path).table.num_rows == 2
        return
    with pytest.raises(InputError) as caught:
        read_references(benchmark, path)
    assert str(caught.value).startswith(f"{path} line 2: {fault}")
    assert str(caught.value).isprintable()


def test_missing_columns_and_repeated_ids_are_named(write: Callable[..., Path]) -> None:
    with pytest.raises(InputError, match=r"line 1 has no column 'answer', only id, label; rename "):
        read_references("vga", write({"id": "a", "label": 1}))
    with pytest.raises(InputError, match=r"line 2: the id 'a' stands in 1 already"):
        read_references("vga", write(VGA, VGA))
    path = write(VGA, VGA)
    path.write_text(path.read_text()[:-20])
    with pytest.raises(InputError, match=r"right.jsonl line 2 is no JSON object"):
        read_references("vga", path)
    with pytest.raises(InputError, match=r"right.jsonl is empty"):
        read_references("vga", write())


@pytest.mark.parametrize(
    ("task", "given", "read"),
    [
        ("cycle", "no", "No"),
        ("connectivity", "YES", "Yes"),
        ("diameter", 3, "3"),
        ("triangle", " 00 ", "0"),
        ("bfs_order", [0, 1, 2, 3], "0,1,2,3"),
        ("bfs_order", "0, 1 ,2,3", "0,1,2,3"),
        ("hamiltonian_cycle", "None", "none"),
        ("max_cut", "3:0, 2", "3: 0,2"),
    ],
)
def test_answers_are_put_into_their_form(task: str, given: Any, read: str) -> None:
    references = as_references("graphomni", [{**OMNI, "task": task, "answer": given}])
    assert references.table.column("answer").to_pylist() == [read]


def test_datasets_are_read_without_decoding_images(vga_build: Path, omni_build: Path) -> None:
    dataset = datasets.load_dataset(str(vga_build), "hard_iso", split="test")
    broken = dataset.map(
        lambda row: {**row, "image": {"bytes": b"no picture", "path": None}},
        features=dataset.features,
    )
    expected = read_references("vga", vga_build, "hard_iso", "test").table
    for value in (dataset, broken, dataset.select(range(24))):
        references = as_references("vga", value)
        assert places(references) == {("hard_iso", "test")}
        assert set(references.table.column_names) == set(expected.column_names)
        assert references.table.select(expected.column_names).equals(expected)
    dataset = datasets.load_dataset(str(omni_build), "cycle", split="easy")
    references = as_references("graphomni", dataset)
    expected = read_references("graphomni", omni_build, "cycle", "easy").table
    assert references.table.select(expected.column_names).equals(expected)


def test_other_things_are_no_references(vga_build: Path) -> None:
    with pytest.raises(InputError, match="references cannot be of the type int"):
        as_references("vga", 3)
    with pytest.raises(InputError, match="no records are in the records given; name others"):
        as_references("vga", [])
    with pytest.raises(InputError, match="row 1 of the references: it is no object"):
        as_references("vga", [3])
    with pytest.raises(InputError, match="choose one split of it: train, test"):
        as_references("vga", datasets.load_dataset(str(vga_build), "hard_iso"))
    with pytest.raises(InputError, match="these references are of vga, not of graphomni"):
        as_references("graphomni", read_references("vga", vga_build, "hard_iso", "test"))


PATH_OF_4 = {"n_nodes": 4, "edges": [[0, 1], [1, 2], [2, 3]]}
SQUARE = {"n_nodes": 4, "edges": [[0, 1], [1, 2], [2, 3], [0, 3]]}


@pytest.mark.parametrize(
    ("graph", "task", "right", "wrong", "fault"),
    [
        (PATH_OF_4, "connectivity", "yes", "no", "the graph's is Yes"),
        (PATH_OF_4, "cycle", "No", "YES", "the graph's is No"),
        (SQUARE, "cycle", "yes", "No", "the graph's is Yes"),
        (PATH_OF_4, "diameter", "3", 2, "the graph's is 3"),
        ({"n_nodes": 3, "edges": [[0, 1]]}, "diameter", None, "1", "not connected"),
        (SQUARE, "triangle", "0", "1", "the graph's is 0"),
        (SQUARE, "bfs_order", "0,3,1,2", "0,1,2,3", "the graph's is 0,1,3,2"),
        (SQUARE, "shortest_path", "0,3", "0,1,2,3", "the graph's is 0,3"),
        (SQUARE, "hamiltonian_cycle", "2,1,0,3", "0,2,1,3", "the graph's is 0,1,2,3"),
        (SQUARE, "hamiltonian_cycle", "0,1,2,3", "none", "the graph's is 0,1,2,3"),
        (PATH_OF_4, "hamiltonian_cycle", "none", "0,1,2,3", "the graph's is none"),
        (SQUARE, "max_cut", "4: 1,3", "3: 1,3", "that side has a cut of 4"),
        (SQUARE, "max_cut", "4: 0,2", "2: 1,2", "there is a cut of 4"),
    ],
)
def test_a_wrong_truth_is_refused_where_the_graph_tells(
    graph: dict[str, Any], task: str, right: Any, wrong: Any, fault: str
) -> None:
    row = {"id": "q", "task": task, **graph, "source": 0, "target": graph["n_nodes"] - 1}
    if right is not None:
        assert as_references("graphomni", [{**row, "answer": right}]).table.num_rows == 1
    with pytest.raises(InputError) as caught:
        as_references("graphomni", [{**row, "answer": wrong}])
    assert str(caught.value).startswith(f"row 1 of the references: answer {wrong!r} is wrong (")
    assert fault in str(caught.value)


def test_a_wrong_form_of_a_question_that_was_right_before_is_refused() -> None:
    rows = [{**OMNI, "id": str(k)} for k in range(3)]
    rows[2] = {**rows[2], "answer": "0,1,3"}
    with pytest.raises(InputError, match="row 3 of the references: answer '0,1,3' is wrong"):
        as_references("graphomni", rows)


def test_large_graphs_are_believed() -> None:
    chain = [[v, v + 1] for v in range(999)]
    row = {"id": "q", "task": "diameter", "n_nodes": 1000, "edges": chain, "answer": "7"}
    assert as_references("graphomni", [row]).table.num_rows == 1


@pytest.mark.parametrize(
    ("config", "columns", "right", "wrong"),
    [
        ("ham_path", {"graph6": encode(Graph.of(4, [(0, 1), (1, 2), (2, 3)]))}, "Yes", "no"),
        ("ham_cycle", {"graph6": encode(Graph.of(4, [(0, 1), (1, 2), (2, 3)]))}, "no", "yes"),
        (
            "chordless_cycle",
            {"graph6": encode(Graph.of(4, [(0, 1), (1, 2), (2, 3), (0, 3)]))},
            *("4", "3"),
        ),
        (
            "shortest_path",
            {"graph6": encode(Graph.of(4, [(0, 1), (1, 2), (2, 3)])), "marked": [0, 3]},
            *("3", "1"),
        ),
        (
            "easy_iso",
            {
                "graph6_left": encode(Graph.of(3, [(0, 1)])),
                "graph6_right": encode(Graph.of(3, [(1, 2)])),
            },
            *("yes", "no"),
        ),
    ],
)
def test_a_wrong_truth_of_vga_is_refused(
    config: str, columns: dict[str, Any], right: str, wrong: str
) -> None:
    row = {"id": "a", "config": config, **columns}
    found = as_references("vga", [{**row, "answer": right}]).table
    assert found.column("answer").to_pylist() == [right.lower()]
    expected = rf"row 1 of the references: answer '{wrong}' is wrong \(the graph's is "
    with pytest.raises(InputError, match=expected):
        as_references("vga", [{**row, "answer": wrong}])


@pytest.mark.parametrize("benchmark", ["graphomni", "dragon"])
def test_references_come_as_data_frames(
    benchmark: str, omni_build: Path, dragon_build: Path
) -> None:
    build = Build({"graphomni": omni_build, "dragon": dragon_build}[benchmark])
    config, split = next(iter(build.splits()))
    rows = list(build.rows_without_images(config, split))
    table = pa.Table.from_pylist(rows)
    expected = as_references(benchmark, rows).table
    # Lists of lists are arrays of arrays in pandas.
    frame = table.to_pandas()
    assert as_references(benchmark, frame).table.equals(expected)
    assert as_references(benchmark, frame.set_index("id")).table.equals(expected)
