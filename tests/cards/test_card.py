import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from datasets import Features, List, Value, load_dataset

from benchloom.builders.benchmark import Option, benchmark, benchmarks
from benchloom.builders.pipeline import build
from benchloom.builders.recipe import Recipe
from benchloom.cards.card import read_template, render_card
from benchloom.cards.front_matter import config_names, front_matter_faults, parts_of
from benchloom.cards.rendering import render_release
from benchloom.loaders.directory import Build


def head(text: str) -> dict:
    return yaml.safe_load(text.split("---\n", 2)[1])


def card(directory: Path, **arguments: object) -> str:
    given = {"version": "0.0.0", "checks": {}, "files": (), "repository": None, **arguments}
    return render_card(Build(directory), **given)


def tables(text: str) -> list[list[dict[str, str]]]:
    """Returns the tables of a Markdown text, a mapping for each row."""
    found = []
    for block in re.findall(r"(?:^\|.*\|\n)+", text, re.MULTILINE):
        lines = [re.split(r"(?<!\\)\|", line)[1:-1] for line in block.splitlines()]
        first, _, *rest = [[cell.strip() for cell in line] for line in lines]
        found.append([dict(zip(first, row, strict=True)) for row in rest])
    return found


def test_each_config_and_split_has_its_files_and_no_file_is_in_two(either_build: Path) -> None:
    of = Build(either_build)
    configs = head((either_build / "README.md").read_text())["configs"]
    assert [entry["config_name"] for entry in configs] == config_names(of)
    defaults = [entry["config_name"] for entry in configs if entry.get("default")]
    assert defaults == [of.benchmark.default_config]
    for entry in configs:
        parts = parts_of(of, entry["config_name"])
        assert [files["split"] for files in entry["data_files"]] == list(parts)
        found = []
        for files in entry["data_files"]:
            assert all(any(either_build.glob(glob)) for glob in files["path"])
            matched = [path for glob in files["path"] for path in either_build.glob(glob)]
            shards = [
                either_build / shard.file
                for part in parts[files["split"]]
                for shard in of.manifest.configs[part].splits[files["split"]].shards
            ]
            assert sorted(matched) == sorted(shards)
            found += shards
        assert len(found) == len(set(found))


def test_features_and_sizes_are_those_of_the_build(either_build: Path) -> None:
    of = Build(either_build)
    infos = head((either_build / "README.md").read_text())["dataset_info"]
    assert [info["config_name"] for info in infos] == config_names(of)
    for info in infos:
        parts = parts_of(of, info["config_name"])
        declared = of.benchmark.features(next(iter(parts.values()))[0])
        assert Features._from_yaml_list(info["features"]) == declared
        assert {split["name"]: split["num_examples"] for split in info["splits"]} == {
            split: sum(of.rows(part, split) for part in parts[split]) for split in parts
        }


def test_the_digest_of_each_split_is_in_its_config_s_description(either_build: Path) -> None:
    of = Build(either_build)
    for entry in head((either_build / "README.md").read_text())["configs"]:
        for split, parts in parts_of(of, entry["config_name"]).items():
            for part in parts:
                assert of.manifest.configs[part].splits[split].digest in entry["description"]


def test_a_version_stands_in_quotes(either_build: Path) -> None:
    text = card(either_build, version="1.10.0")
    lines = [line for line in text.splitlines() if line.strip().startswith("version:")]
    assert {line.strip() for line in lines} == {'version: "1.10.0"'}
    assert len(lines) == len(config_names(Build(either_build)))


def test_a_release_loads_offline_as_it_is_declared(
    either_build: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    release = tmp_path / "release"
    shutil.copytree(either_build, release)
    for file, content in render_release(Build(either_build), "1.2.0", repository="org/x").items():
        (release / file).write_bytes(content)
    of = Build(release)
    for name in config_names(of):
        loaded = load_dataset(str(release), name, cache_dir=str(tmp_path / "cache"))
        parts = parts_of(of, name)
        assert list(loaded) == list(parts)
        for split, records in loaded.items():
            assert records.num_rows == sum(of.rows(part, split) for part in parts[split])
            assert records.features == of.benchmark.features(parts[split][0])
            assert str(records.info.version) == "1.2.0"


def test_the_card_lists_the_new_columns_after_a_rebuild(
    tmp_path: Path, load_numbers: Callable
) -> None:  # case P2
    def make(column: str) -> tuple[list[str], list[str]]:
        load_numbers(
            ('"number": Value("int64"),', f'"{column}": Value("int64")}})'),
            (
                '\n                         "label": ClassLabel(names=["low", "high"]),\n'
                '                         "evidence": List(Value("int32")), '
                '"seed_key": Value("string")})',
                "",
            ),
            ('return {"id": name, "number"', f'return {{"id": name, "{column}"'),
            (', "label": i % 2,\n                "evidence": [], "seed_key": seed_key(*key)', ""),
        )
        build(Recipe.of("numbers"), tmp_path / "data", jobs=1, overwrite=True, quiet=True)
        text = (tmp_path / "data" / "README.md").read_text()
        declared = {
            column["name"] for info in head(text)["dataset_info"] for column in info["features"]
        }
        (told,) = [table for table in tables(text) if "type" in table[0]]
        loaded = load_dataset(str(tmp_path / "data"), "odd", split="test")
        assert set(loaded.features) == declared
        return sorted(declared), sorted(row["column"].strip("`") for row in told)

    assert make("answer") == (["answer", "id"], ["answer", "id"])
    assert make("label") == (["id", "label"], ["id", "label"])


def test_a_column_of_empty_lists_has_its_declared_type(
    tmp_path: Path, load_numbers: Callable
) -> None:  # case P5
    load_numbers()
    build(Recipe.of("numbers"), tmp_path / "data", ["odd"], jobs=1, quiet=True)
    text = (tmp_path / "data" / "README.md").read_text()
    (info,) = head(text)["dataset_info"]
    assert Features._from_yaml_list(info["features"])["evidence"] == List(Value("int32"))
    (told,) = [table for table in tables(text) if "type" in table[0]]
    assert {row["column"]: row["type"] for row in told} == {
        "`id`": "string",
        "`number`": "int64",
        "`label`": "class label",
        "`evidence`": "list of int32",
        "`seed_key`": "string",
    }
    loaded = load_dataset(str(tmp_path / "data"), "odd", split="test")
    assert loaded.features["evidence"] == List(Value("int32"))
    assert loaded["evidence"][:] == [[]] * 5


@pytest.mark.parametrize("name", [name for name in benchmarks() if name != "numbers"])
def test_every_column_is_described(name: str) -> None:
    about, _ = read_template(name)
    columns = {
        re.sub("_(left|right)$", "", column)
        for config in benchmark(name).configs
        for column in benchmark(name).features(config)
    }
    assert columns == set(about["columns"])
    assert all(about["columns"].values())


def test_columns_and_their_types_are_listed_config_by_config(vga_build: Path) -> None:
    text = card(vga_build)
    groups = re.findall(r"^In (.*):\n\n((?:\|.*\|\n)+)", text, re.MULTILINE)
    listed = {}
    for configs, table in groups:
        ((*rows,),) = tables(table)
        for config in re.findall("`(.*?)`", configs):
            listed[config] = {
                column: row["type"]
                for row in rows
                for column in re.findall("`(.*?)`", row["column"])
            }
            assert all(row["meaning"] for row in rows)
    vga = benchmark("vga")
    assert {config: set(columns) for config, columns in listed.items()} == {
        config: set(vga.features(config)) for config in vga.configs
    }
    assert listed["easy_iso"]["positions_right"] == "list of list of float32"
    assert listed["ham_path"]["image"] == "image"


def test_the_table_of_splits_has_the_build_s_numbers(either_build: Path) -> None:
    of = Build(either_build)
    (told,) = [table for table in tables(card(either_build)) if "records" in table[0]]
    assert [
        (row["config"].strip("`"), row["split"].strip("`"), int(row["records"].replace(",", "")))
        for row in told
    ] == [
        (name, split, sum(of.rows(part, split) for part in parts))
        for name in config_names(of)
        for split, parts in parts_of(of, name).items()
    ]


def test_nothing_is_left_to_be_filled_in(either_build: Path) -> None:
    for text in (card(either_build), card(either_build, version="1.0.0", files=["preview/a.png"])):
        assert "$" not in text
        assert "\n\n\n" not in text
        assert "None" not in text
        for section in (
            "Load it", "Configs and splits", "Columns", "How it was made", "How it was checked",
            "What differs from the paper", "Limits and biases", "Licence", "Citation", "Versions",
        ):  # fmt: skip
            assert f"\n## {section}\n" in text


def test_the_examples_name_the_release(either_build: Path) -> None:
    default = benchmark(Build(either_build).manifest.recipe.benchmark).default_config
    local = card(either_build)
    assert f'load_dataset("DIRECTORY", "{default}", split=' in local
    assert "not published" in local
    published = card(either_build, version="2.0.1", repository="org/x")
    assert f'load_dataset("org/x", "{default}", split=' in published
    assert 'revision="v2.0.1")' in published
    assert "benchloom verify org/x --revision v2.0.1" in published
    assert "DIRECTORY" not in published.replace("--out DIRECTORY", "")
    assert '"ORG/NAME"' in card(either_build, version="2.0.1")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"seed": 7}, ["its seed is 7, not 0", "build numbers --seed 7 --out"]),
        ({"limit": 2}, ["the first 2 records of each split", "build numbers --limit 2 --out"]),
        ({}, []),
    ],
)
def test_what_is_not_the_published_benchmark_says_so(
    tmp_path: Path, load_numbers: Callable, options: dict, words: list[str]
) -> None:
    load_numbers()
    build(Recipe.of("numbers", **options), tmp_path / "data", jobs=1, quiet=True)
    text = (tmp_path / "data" / "README.md").read_text()
    assert all(word in text for word in words)
    assert ("Not the whole benchmark" in text) == bool(words)


def test_configs_that_are_not_built_are_named(tmp_path: Path, load_numbers: Callable) -> None:
    load_numbers()
    build(Recipe.of("numbers"), tmp_path / "data", ["odd"], jobs=1, quiet=True)
    text = (tmp_path / "data" / "README.md").read_text()
    assert "it lacks even" in text
    assert "benchloom build numbers odd --out" in text
    assert [entry["config_name"] for entry in head(text)["configs"]] == ["odd"]
    build(Recipe.of("numbers"), tmp_path / "data", ["even"], jobs=1, quiet=True)
    text = (tmp_path / "data" / "README.md").read_text()
    assert "it lacks" not in text
    assert "benchloom build numbers --out" in text
    assert [entry["config_name"] for entry in head(text)["configs"]] == ["all", "even", "odd"]


def test_the_command_of_the_card_makes_the_build_again(either_build: Path) -> None:
    manifest = Build(either_build).manifest
    of, limit = manifest.recipe.benchmark, manifest.recipe.limit
    command = f"benchloom build {of} --limit {limit} --out DIRECTORY\n"
    if of == "dragon":
        configs = " ".join(manifest.configs)
        command = f"benchloom build {of} {configs} --review-dir FOLDER --out DIRECTORY\n"
    assert command in card(either_build)


def check(directory: Path, splits: list[str], **figures: object) -> dict:
    """Returns figures of a check that was made on some splits."""
    manifest = Build(directory).manifest
    digests = {of: manifest.configs[(c := of.split("/"))[0]].splits[c[1]].digest for of in splits}
    return {"digests": digests, "benchloom": "0", "figures": figures}


def test_the_card_says_what_was_checked(vga_build: Path) -> None:
    every = ["/".join(of) for of in Build(vga_build).splits()]
    rows = 24 * len(every)
    assert "No check of this build has been noted yet." in card(vga_build)
    text = card(
        vga_build,
        checks={
            "audit": check(vga_build, every, records=rows, faults=0),
            "verify": check(vga_build, every[:2], records=20, faults=3),
        },
    )
    assert "No check" not in text
    assert "read each picture back into a graph" in text
    assert f"{rows:,} of {rows:,} records, no fault." in text
    assert f"20 of 48 records of {every[0].split('/')[0]}, 3 faults." in text


def test_the_card_shows_bounds_and_tables(vga_build: Path) -> None:
    every = ["/".join(of) for of in Build(vga_build).splits()]
    bound = {
        "where": "cycle easy",
        "rule": "always yes",
        "value": "60.0%",
        "allowed": "at most 51%",
    }
    figures = {
        "bounds": [
            {**bound, "state": "BROKEN"},
            {**bound, "state": "holds"},
            {**bound, "state": "holds"},
            {**bound, "state": "not checked"},
        ],
        "tables": [{"title": "Rules", "head": ["rule", "a|b"], "rows": [["x", "1"]], "note": "!"}],
    }
    text = card(vga_build, checks={"stats": check(vga_build, every, **figures)})
    assert "2 of 3 hold; broken are cycle easy, always yes: 60.0% (promised at most 51%)." in text
    assert [{"rule": "x", "a\\|b": "1"}] in tables(text)


def test_a_user_s_own_graphs_have_no_licence_of_ours(
    tmp_path: Path, load_numbers: Callable
) -> None:
    numbers = load_numbers()
    build(Recipe.of("numbers"), tmp_path / "data", ["odd"], jobs=1, quiet=True)
    of = Build(tmp_path / "data")
    of.manifest = replace(of.manifest, recipe=replace(of.manifest.recipe, options={"graphs": "12"}))
    text = render_card(of, "1.0.0", {})
    assert [entry["config_name"] for entry in head(text)["configs"]] == ["odd"]
    numbers.options = (Option("graphs", "", kind=Path),)
    text = render_card(of, "1.0.0", {})
    assert head(text)["license"] == "unknown"
    assert head(text)["source_datasets"] == ["extended"]
    assert "its graphs are not ours (digest 12)" in text
    assert "benchloom does not know them" in text
    assert "build numbers odd --graphs FOLDER" in text
    # Of such graphs some tasks have none: all is what there is.
    assert [entry["config_name"] for entry in head(text)["configs"]] == ["all", "odd"]
    assert front_matter_faults(text) == []
