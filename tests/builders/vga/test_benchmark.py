"""What VGA promises of every record, and of its configs and splits as wholes."""

import hashlib
import io
import itertools
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import networkx as nx
import numpy as np
import pytest
from datasets import load_dataset
from PIL import Image

from benchloom.builders.benchmark import benchmark
from benchloom.builders.errors import InputError
from benchloom.builders.graphs import checks
from benchloom.builders.graphs.catalogue import catalogue
from benchloom.builders.graphs.graph6 import decode
from benchloom.builders.pipeline import build, make_plan
from benchloom.builders.recipe import Recipe
from benchloom.builders.records import pixels_sha256
from benchloom.builders.shards import read_records
from benchloom.builders.vga.configs import CONFIGS
from benchloom.loaders.directory import Build

SPLITS = [(config, split) for config, spec in CONFIGS.items() for split in spec.layouts]
PAIRS = [config for config, spec in CONFIGS.items() if spec.pairs]
SINGLE = [config for config, spec in CONFIGS.items() if not spec.pairs]


def records(directory: Path, config: str, split: str) -> list[dict[str, Any]]:
    return [record for _, record in Build(directory).records(config, split)]


def shown(record: dict[str, Any], config: str) -> Iterator[str]:
    """The suffixes of a record's graphs."""
    yield from ("_left", "_right") if CONFIGS[config].pairs else ("",)


def test_the_sizes_are_the_papers() -> None:
    plan = make_plan(Recipe.of("vga"))
    sizes = {
        (config, split): len(specs)
        for config, of in plan.specs.items()
        for split, specs in of.items()
    }
    assert len(sizes) == 17
    assert sum(sizes.values()) == 611_749
    for config, split in SPLITS:
        rows = benchmark("vga").outline(config, split)[0]
        assert sizes[config, split] == rows == CONFIGS[config].sizes[CONFIGS[config].side(split)]


@pytest.mark.parametrize(("config", "split"), SPLITS)
def test_load_dataset_opens_every_split(vga_build: Path, config: str, split: str) -> None:
    loaded = load_dataset(str(vga_build), config, split=split)
    assert len(loaded) == 24
    assert loaded.features["label"].names == list(CONFIGS[config].labels)
    declared = benchmark("vga").features(config)
    assert list(loaded.features) == list(declared)
    assert loaded.features == declared
    picture = loaded[5]["image"]
    assert picture.size == (700, 700)
    # The files hold a palette; what a model gets is RGB, the very pixels that the record states.
    assert picture.mode == "RGB"
    assert hashlib.sha256(np.asarray(picture).tobytes()).hexdigest() == loaded[5]["pixels_sha256"]
    assert loaded.features["label"].int2str(loaded[5]["label"]) == loaded[5]["answer"]


@pytest.mark.parametrize(("config", "split"), SPLITS)
def test_every_prefix_is_balanced_and_ids_are_unique(
    vga_build: Path, config: str, split: str
) -> None:
    found = records(vga_build, config, split)
    assert [record["id"] for record in found] == [f"{config}-{split}-{i:06d}" for i in range(24)]
    assert all(record["image"]["path"] == f"{record['id']}.png" for record in found)
    counts: Counter[str] = Counter(dict.fromkeys(CONFIGS[config].labels, 0))
    for record in found:
        counts[record["answer"]] += 1
        assert max(counts.values()) - min(counts.values()) <= 1


@pytest.mark.parametrize("config", SINGLE)
def test_answers_are_right_by_the_second_method(vga_build: Path, config: str) -> None:
    for split in CONFIGS[config].layouts:
        for record in records(vga_build, config, split):
            graph = decode(record["graph6"])
            if config == "ham_path":
                answer = ("no", "yes")[checks.has_hamiltonian_path(graph)]
            elif config == "ham_cycle":
                answer = ("no", "yes")[checks.has_hamiltonian_cycle(graph)]
            elif config == "chordless_cycle":
                answer = str(checks.biggest_chordless_cycle(graph))
            else:
                u, v = record["marked"]
                answer = str(int(checks.distances(graph)[u][v]))
            assert record["answer"] == answer, record["id"]
            assert (record["marked"] is not None) == (config == "shortest_path")


@pytest.mark.parametrize("config", PAIRS)
def test_pairs_are_as_they_say(vga_build: Path, config: str) -> None:
    same_line = 0
    for split in CONFIGS[config].layouts:
        for record in records(vga_build, config, split):
            left, right = decode(record["graph6_left"]), decode(record["graph6_right"])
            alike = nx.is_isomorphic(nx.Graph(left.edges), nx.Graph(right.edges))
            assert alike == (record["answer"] == "yes")
            assert alike == (record["catalog_index_left"] == record["catalog_index_right"])
            if config == "hard_iso":
                assert sorted(left.degrees) == sorted(right.degrees)
            same_line += record["graph6_left"] == record["graph6_right"]
            assert max(x for x, _ in record["positions_left"]) < 350 - 12.72 - 4
            assert min(x for x, _ in record["positions_right"]) > 350 + 12.72 + 4
    assert same_line <= 1


@pytest.mark.parametrize(("config", "split"), SPLITS)
def test_columns_agree_with_each_other(vga_build: Path, config: str, split: str) -> None:
    lines = catalogue()
    for record in records(vga_build, config, split):
        for suffix in shown(record, config):
            graph = decode(record[f"graph6{suffix}"])
            source = lines.graph(record[f"catalog_index{suffix}"])
            assert nx.is_isomorphic(nx.Graph(graph.edges), nx.Graph(source.edges))
            assert record[f"n_nodes{suffix}"] == graph.n_nodes == len(record[f"positions{suffix}"])
            assert record[f"n_edges{suffix}"] == graph.n_edges
            assert record[f"planar{suffix}"] == nx.check_planarity(nx.Graph(graph.edges))[0]
            assert 0 <= record[f"moved{suffix}"] <= graph.n_nodes
        assert record["question"] == CONFIGS[config].question
        assert record["seed_key"] == f"vga/1/{config}/{split}/0/{int(record['id'][-6:])}"
        assert record["pixels_sha256"] == pixels_sha256(record["image"]["bytes"])
        layouts = [record[f"layout{suffix}"] for suffix in shown(record, config)]
        assert layouts == [CONFIGS[config].layouts[split], "kamada_kawai"][: len(layouts)]


def test_test_splits_show_the_same_graphs_in_the_same_order(vga_build: Path) -> None:
    for config in SINGLE:
        splits = [split for split in CONFIGS[config].layouts if split != "train"]
        first, *others = [
            [
                (record["catalog_index"], record["answer"])
                for record in records(vga_build, config, split)
            ]
            for split in splits
        ]
        assert all(other == first for other in others)


def test_node_numbers_do_not_give_the_source_away(vga_build: Path) -> None:
    lines = catalogue()
    kept = total = 0
    for config, split in SPLITS:
        for record in records(vga_build, config, split):
            for suffix in shown(record, config):
                total += 1
                kept += record[f"graph6{suffix}"] == lines.graph6(record[f"catalog_index{suffix}"])
    assert kept < total / 20


def test_bytes_depend_neither_on_workers_nor_on_hash_seeds(
    vga_build: Path, tmp_path: Path
) -> None:  # G20
    first = Build(vga_build).manifest
    command = [
        sys.executable,
        "-m",
        "benchloom.scripts.main",
        "build",
        "vga",
        "--limit",
        "24",
        "--jobs",
        "2",
    ]
    done = subprocess.run(
        [*command, "--out", str(tmp_path / "again")],
        env={**os.environ, "PYTHONHASHSEED": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    again = Build(tmp_path / "again").manifest
    assert again == first
    assert (tmp_path / "again" / "SHA256SUMS").read_bytes() == (
        vga_build / "SHA256SUMS"
    ).read_bytes()


def test_a_record_does_not_depend_on_what_was_made_before_it(vga_build: Path) -> None:
    vga = benchmark("vga")
    for config in ("easy_iso", "shortest_path"):
        specs = vga.plan(Recipe.of("vga", limit=24), config)["train"]
        for index in (23, 5, 11, 5):
            assert vga.make(specs[index]) == records(vga_build, config, "train")[index]


def test_a_smaller_limit_gives_the_first_records_of_a_larger_one(
    vga_build: Path, tmp_path: Path
) -> None:
    build(Recipe.of("vga", limit=5), tmp_path / "five", ["ham_cycle"], jobs=1, quiet=True)
    for split in CONFIGS["ham_cycle"].layouts:
        assert (
            records(tmp_path / "five", "ham_cycle", split)
            == records(vga_build, "ham_cycle", split)[:5]
        )


def test_other_seeds_give_other_records_and_neighbours_share_no_more_than_chance() -> None:  # G32
    for config in CONFIGS:
        orders = []
        for seed in (42, 43):
            specs = benchmark("vga").plan(Recipe.of("vga", seed=seed), config)["train"][:2000]
            orders.append(
                [(spec.label, *(graph.graph6 for graph in spec.graphs)) for spec in specs]
            )
        in_place = sum(first == second for first, second in zip(*orders, strict=True))
        assert in_place < 20, config


def indices(config: str, seed: int) -> dict[str, set[int]]:
    """The catalogue indices of the graphs a whole build shows on each side."""
    sides: dict[str, set[int]] = {"train": set(), "test": set()}
    for split, specs in benchmark("vga").plan(Recipe.of("vga", seed=seed), config).items():
        side = sides[CONFIGS[config].side(split)]
        for spec in specs:
            side.update(graph.catalog_index for graph in spec.graphs)
    return sides


@pytest.mark.parametrize("config", CONFIGS)
def test_no_graph_is_on_both_sides_of_whole_builds_with_seeds_0_and_7(config: str) -> None:
    zero, seven = indices(config, 0), indices(config, 7)
    assert zero["train"]
    assert zero["test"]
    for first, second in itertools.product((zero, seven), repeat=2):
        assert first["train"].isdisjoint(second["test"])


def test_the_classes_of_the_catalogue_are_different(pynauty: ModuleType) -> None:
    """Different indices are different isomorphism classes, so that disjoint indices are a proof."""
    table = catalogue()
    seen = set()
    for index in range(len(table)):
        seen.add(certificate(pynauty, int(table.n_nodes[index]), table.rows[index]))
    assert len(seen) == len(table) == 272_197


def certificate(pynauty: ModuleType, n: int, rows: Any) -> bytes:
    """The canonical form of a graph given as neighbour bit masks."""
    near = {v: [u for u in range(n) if int(rows[v]) >> u & 1] for v in range(n)}
    name: bytes = pynauty.certificate(pynauty.Graph(n, adjacency_dict=near))
    return bytes([n]) + name


@pytest.mark.parametrize("config", CONFIGS)
def test_no_class_is_on_both_sides_of_the_records(
    vga_build: Path, tmp_path: Path, pynauty: ModuleType, config: str
) -> None:
    """From the records themselves: the graphs they hold, put into canonical form."""
    build(Recipe.of("vga", seed=7, limit=60), tmp_path / "seven", [config], jobs=1, quiet=True)
    sides: dict[str, set[bytes]] = {"train": set(), "test": set()}
    for directory in (vga_build, tmp_path / "seven"):
        for split in CONFIGS[config].layouts:
            for record in records(directory, config, split):
                for suffix in shown(record, config):
                    graph = decode(record[f"graph6{suffix}"])
                    name = certificate(pynauty, graph.n_nodes, graph.rows)
                    sides[CONFIGS[config].side(split)].add(name)
    assert sides["train"]
    assert sides["test"]
    assert sides["train"].isdisjoint(sides["test"])


def test_png_files_hold_pixels_and_nothing_else(vga_build: Path) -> None:  # case D5
    for record in records(vga_build, "shortest_path", "test")[:5]:
        with Image.open(io.BytesIO(record["image"]["bytes"])) as picture:
            assert picture.info == {}
            assert picture.mode == "P"
            ink = (np.asarray(picture.convert("L")) < 255).astype(int)
        assert ink[:4].sum() + ink[-4:].sum() + ink[:, :4].sum() + ink[:, -4:].sum() == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"nodes": [12]}, "whole numbers from 4 to 11"),
        ({"nodes": [8, 10]}, "8, 9, both, or one other number"),
        ({"style": ["radius"]}, "takes NAME=VALUE"),
        ({"style": ["raduis=3"]}, "has no 'raduis'; choose from"),
        ({"style": ["radius=-3"]}, "radius"),
        ({"style": ["node=blue"]}, "blue"),
        ({"colour": "red"}, "no option 'colour'"),
    ],
)
def test_options_that_cannot_be_used_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Recipe.of("vga", options=options)


def test_options_that_change_nothing_are_no_other_recipe() -> None:
    assert Recipe.of("vga", options={"nodes": [9, 8], "style": ["radius=12.72"]}) == Recipe.of(
        "vga"
    )


def test_another_style_is_drawn_and_read_back(tmp_path: Path) -> None:
    recipe = Recipe.of(
        "vga", limit=4, options={"style": ["node=#d62728", "radius=10", "line_width=2.5"]}
    )
    build(recipe, tmp_path / "red", ["easy_iso", "shortest_path"], jobs=1, quiet=True)
    opened = Build(tmp_path / "red")
    assert opened.manifest.recipe == recipe
    for config, split in opened.splits():
        for _, record in opened.records(config, split):
            assert opened.benchmark.audit(record, config, recipe) == []
            picture = Image.open(io.BytesIO(record["image"]["bytes"])).convert("RGB")
            assert (214, 39, 40) in {colour for _, colour in picture.getcolors()}


def test_eight_nodes_alone_are_taken_from_the_catalogue(tmp_path: Path) -> None:
    recipe = Recipe.of("vga", limit=10, options={"nodes": [8]})
    build(recipe, tmp_path / "eight", ["hard_iso"], jobs=1, quiet=True)
    found = records(tmp_path / "eight", "hard_iso", "train")
    assert {record["n_nodes_left"] for record in found} == {8}
    assert all(record["catalog_index_left"] < 11_117 for record in found)


def test_ten_nodes_come_from_geng_as_a_stream(tmp_path: Path, geng: Path) -> None:
    recipe = Recipe.of("vga", limit=30, options={"nodes": [10]})
    build(recipe, tmp_path / "ten", ["ham_path", "hard_iso"], jobs=1, quiet=True)
    opened = Build(tmp_path / "ten")
    for config, split in opened.splits():
        for _, record in opened.records(config, split):
            for suffix in shown(record, config):
                assert record[f"n_nodes{suffix}"] == 10
                assert record[f"catalog_index{suffix}"] is None
            assert opened.benchmark.audit(record, config, recipe) == []


def test_without_geng_the_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(InputError, match="nauty"):
        make_plan(Recipe.of("vga", limit=2, options={"nodes": [10]}), ["ham_path"])


def test_all_ten_node_graphs_are_too_many() -> None:
    with pytest.raises(InputError, match="give a --limit"):
        make_plan(Recipe.of("vga", options={"nodes": [10]}), ["ham_path"])


def test_row_groups_are_as_the_hub_likes_them(vga_build: Path) -> None:
    import pyarrow.parquet as pq

    (path,) = (vga_build / "ham_path").glob("test-*")
    with pq.ParquetFile(path) as file:
        group = file.metadata.row_group(0)
        columns = {
            group.column(i).path_in_schema: group.column(i) for i in range(group.num_columns)
        }
    picture = columns.pop("image.bytes")
    assert (picture.compression, set(picture.encodings)) == ("UNCOMPRESSED", {"PLAIN", "RLE"})
    columns.pop("image.path")
    assert {column.compression for column in columns.values()} == {"ZSTD"}
    assert all(column.has_offset_index and column.has_column_index for column in columns.values())
    assert picture.has_offset_index
    assert len(list(read_records(path, 3, 7))) == 4


PROBE = """
import hashlib, json, sys
import numpy as np
from pathlib import Path
from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__
from benchloom.builders.pipeline import build
from benchloom.builders.recipe import Recipe
manifest = build(Recipe.of("vga", limit=6), Path(sys.argv[1]), jobs=1, quiet=True)
angles = np.linspace(0, 50, 9973, dtype=np.float32)
print(json.dumps({
    "names": list(__cpu_dispatch__),
    "used": [name for name in __cpu_dispatch__ if __cpu_features__[name]],
    "cos": hashlib.sha256(np.cos(angles).tobytes()).hexdigest(),
    "digests": {
        f"{config} {split}": holds.digest
        for config, built in manifest.configs.items() for split, holds in built.splits.items()
    },
}))
"""


def probe(directory: Path, **environment: str) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-c", PROBE, str(directory)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_records_do_not_depend_on_the_processor(tmp_path: Path) -> None:
    here = probe(tmp_path / "here")
    names = " ".join(here["names"])
    old = probe(tmp_path / "old", OPENBLAS_CORETYPE="NEHALEM", NPY_DISABLE_CPU_FEATURES=names)
    assert old["used"] == []
    if here["used"]:  # so that it is shown to be another processor, as numpy sees it
        assert old["cos"] != here["cos"]
    assert len(here["digests"]) == 17
    assert old["digests"] == here["digests"]
