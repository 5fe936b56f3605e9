"""What GraphOmni promises of its records, and faults planted in them."""

import hashlib
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from datasets import load_dataset

from benchloom.builders.benchmark import benchmark
from benchloom.builders.errors import InputError
from benchloom.builders.graphomni.grid import COMBINATIONS, COUNTS, DIFFICULTIES
from benchloom.builders.pipeline import build, make_plan
from benchloom.builders.recipe import Recipe
from benchloom.builders.shards import arrow_schema, read_records, write_shard
from benchloom.loaders.directory import Build
from benchloom.loaders.verification import audit, verify

Record = dict[str, Any]
N = len(COMBINATIONS)


@pytest.fixture(scope="session")
def omni_build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first four instances of every task and difficulty. Not to be changed."""
    directory = tmp_path_factory.mktemp("omni") / "build"
    build(Recipe.of("graphomni", limit=4), directory, jobs=1, quiet=True)
    return directory


def records(directory: Path, config: str, split: str) -> list[Record]:
    return [record for _, record in Build(directory).records(config, split)]


def test_the_grid_is_full(omni_build: Path) -> None:
    for config in COUNTS:
        for split in DIFFICULTIES:
            rows = records(omni_build, config, split)
            assert len(rows) == 4 * N == len({row["id"] for row in rows})
            combinations = Counter((row["serialization"], row["prompt_scheme"]) for row in rows)
            assert set(combinations.values()) == {4}
            assert len(combinations) == N
            least, most = DIFFICULTIES[split]
            assert all(least <= row["n_nodes"] <= most for row in rows)


def test_load_dataset_opens_a_task_and_all_of_them(omni_build: Path) -> None:
    hard = load_dataset(str(omni_build), "bfs_order", split="hard")
    assert len(hard) == 4 * N
    assert hard.features == benchmark("graphomni").features("bfs_order")
    assert len(load_dataset(str(omni_build), "all", split="easy")) == 6 * 4 * N
    assert len(load_dataset(str(omni_build), split="medium")) == 6 * 4 * N


def test_a_limit_gives_the_first_instances(omni_build: Path, tmp_path: Path) -> None:
    build(Recipe.of("graphomni", limit=2), tmp_path / "two", ["cycle"], jobs=2, quiet=True)
    for split in DIFFICULTIES:
        assert (
            records(tmp_path / "two", "cycle", split)
            == records(omni_build, "cycle", split)[: 2 * N]
        )


def test_other_seeds_share_no_question() -> None:
    seen = []
    for seed in (0, 1):
        specs = benchmark("graphomni").plan(Recipe.of("graphomni", seed=seed, limit=40), "diameter")
        seen.append({(spec.instance.graph, spec.instance.source) for spec in specs["hard"]})
    assert seen[0].isdisjoint(seen[1])


def test_tasks_on_request_are_built_when_named(tmp_path: Path) -> None:
    recipe = Recipe.of("graphomni", limit=2)
    assert "max_cut" not in make_plan(Recipe.of("graphomni", limit=1)).specs
    build(recipe, tmp_path / "hard", ["max_cut", "hamiltonian_cycle"], jobs=1, quiet=True)
    opened = Build(tmp_path / "hard")
    assert [split for config, split in opened.splits() if config == "max_cut"] == ["easy", "medium"]
    assert audit(opened, None, 1, Counter()) == []


def test_the_extra_hard_split_is_built_on_request(tmp_path: Path) -> None:
    recipe = Recipe.of("graphomni", limit=2, options={"extra_hard": True})
    build(recipe, tmp_path / "extra", ["triangle"], jobs=1, quiet=True)
    rows = records(tmp_path / "extra", "triangle", "extra_hard")
    assert all(31 <= row["n_nodes"] <= 50 for row in rows)
    assert "--extra-hard" in recipe.command()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"nodes": ["easy=10-5"]}, "least first"),
        ({"nodes": ["simple=5-7"]}, "no difficulty 'simple'"),
        ({"nodes": ["easy"]}, "DIFFICULTY=VALUE"),
        ({"counts": ["easy=0"]}, "from 1 up"),
        ({"generators": ["XX"]}, "no generator 'XX'; choose from BAF"),
        ({"colour": 1}, "no option 'colour'"),
    ],
)
def test_options_that_cannot_be_used_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Recipe.of("graphomni", options=options)


@pytest.mark.parametrize(("task", "largest"), [("max_cut", 20), ("hamiltonian_cycle", 30)])
def test_nodes_beyond_exact_answers_are_refused_and_not_left_out(
    task: str, largest: int, tmp_path: Path
) -> None:
    recipe = Recipe.of("graphomni", options={"nodes": ["hard=25-40"]})
    with pytest.raises(InputError, match=f"{task} hard.*nearest upper bound is {largest}"):
        build(recipe, tmp_path / "out", [task], jobs=1, quiet=True)
    assert not list(tmp_path.rglob("*.parquet"))


def test_an_option_changes_what_it_says(tmp_path: Path) -> None:  # case P1
    recipe = Recipe.of("graphomni", limit=6, options={"nodes": ["easy=5-9"], "generators": ["ERP"]})
    build(recipe, tmp_path / "nine", ["bfs_order"], jobs=1, quiet=True)
    rows = records(tmp_path / "nine", "bfs_order", "easy")
    assert max(row["n_nodes"] for row in rows) <= 9
    assert {row["generator"] for row in rows} == {"ERP"}


def alter(directory: Path, split: str, index: int, change: Callable[[Record], None]) -> None:
    """Changes one record of the BFS task and makes the checksum of its shard right again."""
    (path,) = (directory / "bfs_order").glob(f"{split}-0*.parquet")
    rows = list(read_records(path))
    change(rows[index])
    write_shard(path, rows, arrow_schema(benchmark("graphomni").features("bfs_order")), 2520)
    manifest = json.loads((directory / "manifest.json").read_text())
    (entry,) = manifest["configs"]["bfs_order"]["splits"][split]["shards"]
    entry["sha256"] = hashlib.sha256(path.read_bytes()).hexdigest()
    (directory / "manifest.json").write_text(json.dumps(manifest))


def wrong_answer(record: Record) -> None:
    first, second, *rest = record["answer"].split(",")
    record["answer"] = ",".join((second, first, *rest))


def dropped_node(record: Record) -> None:
    n = record["n_nodes"]
    record["query"] = record["query"].replace(
        f"has {n} nodes, numbered 0 to {n - 1}", f"has {n - 1} nodes, numbered 0 to {n - 2}"
    )


def other_edge(record: Record) -> None:
    u, v = record["edges"][0]
    record["edges"] = [[u, v], *record["edges"][2:]]


def false_exemplar(record: Record) -> None:
    query = record["query"]
    first = (
        query.index("The BFS traversal order")
        if "The BFS traversal order" in query
        else query.index("A: ")
    )
    digit = next(i for i in range(first, len(query)) if query[i].isdigit())
    record["query"] = query[:digit] + str((int(query[digit]) + 1) % 5) + query[digit + 1 :]


def other_scheme(record: Record) -> None:
    record["prompt_scheme"] = "ltm"


@pytest.mark.parametrize(
    ("plant", "scheme"),
    [
        (wrong_answer, "zero_shot"),
        (dropped_node, "zero_shot"),
        (other_edge, "zero_shot"),
        (other_scheme, "zero_shot"),
        (false_exemplar, "k_shot"),
        (false_exemplar, "algorithm"),
    ],
)
def test_a_planted_fault_is_found(
    omni_build: Path, tmp_path: Path, plant: Callable[[Record], None], scheme: str
) -> None:
    import shutil
    from dataclasses import replace

    directory = Path(shutil.copytree(omni_build, tmp_path / "copy"))
    rows = records(directory, "bfs_order", "easy")
    index = next(i for i, row in enumerate(rows) if row["prompt_scheme"] == scheme)
    alter(directory, "easy", index, plant)
    opened = Build(directory)
    only = {"bfs_order": opened.manifest.configs["bfs_order"]}
    opened.manifest = replace(opened.manifest, configs=only)
    name = f"bfs_order easy record {index} "
    assert any(name in fault for fault in audit(opened, None, 1, Counter()))
    assert any(name in fault for fault in verify(opened, None, 1, Counter()))


def test_a_good_build_has_no_faults(omni_build: Path) -> None:
    counts: Counter[str] = Counter()
    assert audit(Build(omni_build), None, 1, counts) == []
    assert counts["records"] == 18 * 4 * N
    assert verify(Build(omni_build), 20, 1, Counter()) == []
