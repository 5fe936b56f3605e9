"""`benchloom diff` as a user runs it."""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from loopback_hub import LoopbackHub

from benchloom.builders.pipeline import build
from benchloom.builders.recipe import Recipe
from benchloom.scripts.main import main

REPO = "org/numbers"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the builds of all tests lie."""
    return tmp_path_factory.mktemp("diff")


@pytest.fixture
def builds(load_numbers: Callable[..., Any], folder: Path) -> tuple[Path, Path]:
    """Two builds of the numbers, not to be changed: one label, one record and one config differ."""
    old, new = folder / "old", folder / "new"
    if not new.exists():
        load_numbers()
        build(Recipe.of("numbers"), old, ["even"], jobs=1, quiet=True)
        load_numbers(
            ('"train": 10, "test": 5', '"train": 10, "test": 6'),
            ('"label": i % 2', '"label": (i + (name == "even-train-7")) % 2'),
        )
        build(Recipe.of("numbers"), new, jobs=1, quiet=True)
    load_numbers()
    return old, new


def on_the_hub(hub: LoopbackHub, directory: Path) -> str:
    """Returns the name of a release on the Hub with the files of a directory."""
    hub.create_repo(REPO)
    files = [path for path in directory.rglob("*") if path.is_file()]
    commit = hub.commit(
        REPO, {path.relative_to(directory).as_posix(): path.read_bytes() for path in files}
    )
    return f"{REPO}@{commit}"


@pytest.mark.parametrize("where", ["directory", "hub"])
def test_differences_are_shown_by_config_and_split(
    builds: tuple[Path, Path], where: str, hub: LoopbackHub, capsys: pytest.CaptureFixture[str]
) -> None:
    old = on_the_hub(hub, builds[0]) if where == "hub" else str(builds[0])
    assert main(["diff", old, str(builds[1]), "--most", "2"]) == 1
    lines = capsys.readouterr().out.splitlines()
    table = [line.split() for line in lines]
    assert table[0] == [
        "config",
        "split",
        "before",
        "after",
        "added",
        "removed",
        "changed",
        "moved",
    ]
    assert ["even", "train", "10", "10", "0", "0", "1", "0"] in table
    assert ["even", "test", "5", "6", "1", "0", "0", "0"] in table
    assert ["odd", "test", "-", "6", "6", "0", "0", "0"] in table
    assert "even train: changed: even-train-7 (label)" in lines
    assert "odd test: added: odd-test-0, odd-test-1 and 4 more" in lines
    assert lines[-1] == (
        "1 record changed in even train; 1 record added in even test; "
        "10 records added in odd train (new); 6 records added in odd test (new); "
        "the version's MAJOR number must rise"
    )


def test_json_says_the_same(builds: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", *map(str, builds), "--json", "--most", "0"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["least_bump"], found["recipe"]) == ("MAJOR", [])
    splits = {(of["config"], of["split"]): of for of in found["splits"]}
    assert splits["even", "train"]["changed"] == {
        "count": 1,
        "ids": ["even-train-7"],
        "columns": {"even-train-7": ["label"]},
    }
    assert splits["odd", "test"]["before"] is None
    assert splits["odd", "test"]["added"]["ids"] == [f"odd-test-{i}" for i in range(6)]
    assert "records/even-test.parquet" in found["files"]


@pytest.mark.parametrize("where", ["directory", "hub"])
@pytest.mark.parametrize("options", [[], ["--json"]])
def test_nothing_differs_from_a_copy(
    builds: tuple[Path, Path],
    where: str,
    options: list[str],
    tmp_path: Path,
    hub: LoopbackHub,
    capsys: pytest.CaptureFixture[str],
) -> None:
    old, _ = builds
    copy = str(shutil.copytree(old, tmp_path / "copy"))
    other = on_the_hub(hub, old) if where == "hub" else copy
    assert main(["diff", copy, other, *options]) == 0
    out = capsys.readouterr().out
    assert json.loads(out)["files"] == [] if options else out.endswith("\nnothing differs\n")


def test_another_recipe_is_named(
    load_numbers: Callable[..., Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    load_numbers()
    for limit in (3, 4):
        out = tmp_path / str(limit)
        build(Recipe.of("numbers", limit=limit), out, ["even"], jobs=1, quiet=True)
    assert main(["diff", str(tmp_path / "3"), str(tmp_path / "4")]) == 1
    assert re.search(
        r"recipe \(.*3 there, .*4 here\): limit 3 there, 4 here", capsys.readouterr().out
    )


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (["nowhere", "old"], "'nowhere' is no directory"),
        (
            ["old", "org/none"],
            "cannot read org/none at main: there is no such dataset on 127.0.0.1",
        ),
        (["old", "org/numbers@v9.0.0"], "there is no such revision"),
        (["old", "."], "holds no manifest.json"),
        (["old", "org/numbers@main"], "org/numbers@main has no file manifest.json"),
    ],
)
def test_what_cannot_be_compared_is_one_sentence(
    builds: tuple[Path, Path],
    names: list[str],
    words: str,
    hub: LoopbackHub,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(builds[0].parent)
    monkeypatch.setenv("HF_TOKEN", "hf_ada")
    hub.add_user("ada", "hf_ada")
    hub.create_repo(REPO)
    assert main(["diff", *names]) == 2
    out, error = capsys.readouterr()
    assert not out
    assert words in error
    assert error.count("\n") == 1
    assert "hf_ada" not in error


def test_a_card_with_other_class_names_than_its_shards_is_named(
    builds: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = Path(shutil.copytree(builds[0], tmp_path / "copy"))
    card = (copy / "README.md").read_text()
    swapped = card.replace("'0': low\n          '1': high", "'0': high\n          '1': low")
    assert swapped != card
    (copy / "README.md").write_text(swapped)
    sentence = f"README.md of {copy} declares label of even otherwise than its shards, and"
    assert main(["diff", str(builds[0]), str(copy)]) == 0  # the sums, which were not mended
    assert sentence in capsys.readouterr().out
    assert main(["diff", str(builds[0]), str(builds[1]), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["declarations"] == []
