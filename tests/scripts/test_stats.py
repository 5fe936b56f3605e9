"""`benchloom stats` as a user meets it."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from benchloom.builders.benchmark import benchmark
from benchloom.builders.pipeline import build
from benchloom.builders.recipe import Recipe
from benchloom.builders.shards import arrow_schema, read_records, write_shard
from benchloom.builders.statistics import Bound
from benchloom.scripts.stats import closing_lines

Run = Callable[..., subprocess.CompletedProcess[str]]
OFFLINE = {"HTTPS_PROXY": "http://127.0.0.1:9", "https_proxy": "http://127.0.0.1:9"}


@pytest.fixture(scope="module")
def omni(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A whole cell of connectivity, medium, and one instance of the other two."""
    directory = tmp_path_factory.mktemp("omni") / "build"
    counts = {"easy": 1, "hard": 1}
    recipe = Recipe.of("graphomni", options={"counts": counts})
    build(recipe, directory, ["connectivity"], jobs=1, quiet=True)
    return directory


def test_bounds_tables_and_plots(run_cli: Run, omni: Path, tmp_path: Path) -> None:
    cache = {"TIKTOKEN_CACHE_DIR": str(tmp_path / "cache"), **OFFLINE}
    done = run_cli("stats", omni, "--plots", "drawn/here", environment=cache)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert "measure" in done.stdout
    *_, tokens, promise, easy, hard, closing, drawn = done.stdout.splitlines()
    assert tokens.startswith("tokens were not counted: ")
    assert "TIKTOKEN_CACHE_DIR" in tokens
    assert promise == "bounds are promised of whole cells of the published set:"
    assert easy == "not checked: connectivity easy (1 of 144 instances)"
    assert hard == "not checked: connectivity hard (1 of 221 instances)"
    assert closing.endswith(" bounds hold, 20 were not checked")
    assert drawn == "3 charts in drawn/here"
    assert {path.name for path in (tmp_path / "drawn/here").iterdir()} == {
        "answers_connectivity.png", "edges.png", "nodes.png"
    }  # fmt: skip


def test_json_has_numbers(run_cli: Run, omni: Path) -> None:
    done = run_cli("stats", omni, "--json", "--tokenizer", "none")
    found = json.loads(done.stdout)
    assert found.keys() == {"tables", "bounds", "remarks"}
    assert found["remarks"] == []
    rows = {row["measure"]: row for row in found["tables"]["connectivity"]}
    assert rows["answer Yes"]["medium"] == 0.5
    assert rows["instances"]["medium"] == 118
    states = {
        (bound["where"], bound["state"]) for bound in found["bounds"] if "gen" not in bound["where"]
    }
    assert states == {
        ("connectivity easy", "not checked"),
        ("connectivity medium", "holds"),
        ("connectivity hard", "not checked"),
    }


def test_a_broken_bound_ends_with_status_1(run_cli: Run, omni: Path) -> None:
    (path,) = (omni / "connectivity").glob("medium-0*.parquet")
    intact = path.read_bytes()
    rows = list(read_records(path))
    for row in rows:
        row["answer"] = "Yes"
    of = benchmark("graphomni")
    try:
        write_shard(path, rows, arrow_schema(of.features("connectivity")), of.row_group_rows)
        done = run_cli("stats", omni, "--tokenizer", "none")
    finally:
        path.write_bytes(intact)
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert "BROKEN: connectivity medium: always yes: 100.00%, 49.0% to 51.0% is allowed" in lines
    assert lines[-1].endswith(" bounds are BROKEN")
    assert any(line.startswith("rule: always yes") and "BROKEN: medium" in line for line in lines)


def test_input_that_cannot_be_used(run_cli: Run, omni: Path, tmp_path: Path) -> None:
    done = run_cli("stats", omni, "--tokenizer", "gpt9")
    assert done.returncode == 2
    assert "tiktoken has no encoding 'gpt9'" in done.stderr
    (tmp_path / "file").write_text("mine")
    done = run_cli("stats", omni, "--tokenizer", "none", "--plots", "file")
    assert done.returncode == 2
    assert done.stderr.startswith("benchloom: --plots file: cannot be written")
    assert (tmp_path / "file").read_text() == "mine"


def test_vga_has_tables_and_plots_and_no_bounds(
    run_cli: Run, vga_copy: Path, tmp_path: Path
) -> None:
    done = run_cli("stats", vga_copy, "--plots", "drawn")
    assert done.returncode == 0
    assert done.stdout.endswith("\n\n2 charts in drawn\n")
    assert "bound" not in done.stdout
    assert "token" not in done.stdout
    assert {path.name for path in (tmp_path / "drawn").iterdir()} == {"edges.png", "labels.png"}


def test_the_closing_line_says_what_was_checked() -> None:
    good = Bound("cycle easy", "always yes", 0.5, 0.49, 0.51)
    bad = Bound("cycle easy", "m >= n", 0.9, most=0.8)
    part = Bound("cycle hard", "m >= n", 0.9, most=0.8, unchecked="2 of 168 instances")
    assert closing_lines([]) == []
    assert closing_lines([good, good]) == ["all 2 bounds hold"]
    assert closing_lines([good, part])[1:] == [
        "not checked: cycle hard (2 of 168 instances)",
        "1 bounds hold, 1 were not checked",
    ]
    assert closing_lines([good, bad]) == [
        "BROKEN: cycle easy: m >= n: 90.00%, at most 80.0% is allowed",
        "1 of 2 bounds are BROKEN",
    ]
