"""The command line as a user meets it: what it prints, and how it ends."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

Run = Callable[..., subprocess.CompletedProcess[str]]
COMMANDS = (
    *("list", "build", "verify", "audit", "show", "preview", "stats", "card", "export", "diff"),
    "bench",
)


def refused(done: subprocess.CompletedProcess[str], *words: str) -> None:
    """Checks that a command ended with status 2 and one sentence that has these words."""
    assert done.returncode == 2, done.stdout + done.stderr
    *usage, sentence = done.stderr.strip().splitlines()
    assert all(line.startswith(("usage:", " ")) for line in usage), done.stderr
    for word in words:
        assert word in sentence
    assert "Traceback" not in done.stderr


def test_help_teaches_with_an_example(run_cli: Run) -> None:
    done = run_cli("--help")
    assert done.returncode == 0
    assert "example:" in done.stdout
    for command in COMMANDS:
        assert f"\n    {command} " in done.stdout
        text = run_cli(command, "--help").stdout
        assert f"example:\n  benchloom {command}" in text
    assert "example:\n  benchloom build vga" in run_cli("build", "vga", "--help").stdout


def test_list(run_cli: Run) -> None:
    assert "Visual Graph Arena" in run_cli("list").stdout
    rows = json.loads(run_cli("list", "vga", "--json").stdout)
    assert len(rows) == 17
    assert sum(row["records"] for row in rows) == 611_749


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["list", "vgaa"], ["no benchmark 'vgaa'", "vga"]),
        (["build", "vgaa", "--out", "data"], ["vgaa", "vga"]),
        (["build", "vga", "hard", "--out", "data"], ["no config 'hard'", "hard_iso"]),
        (["build", "vga"], ["--out"]),
        (["build", "vga", "--out", "data", "--limit", "0"], ["--limit", "from 1 up, not 0"]),
        (["build", "vga", "--out", "data", "--limit", "-5"], ["--limit", "from 1 up, not -5"]),
        (
            ["build", "vga", "--out", "data", "--limit", "many"],
            ["--limit", "'many' is no whole number"],
        ),
        (["build", "vga", "--out", "data", "--jobs", "0"], ["--jobs", "from 1 up, not 0"]),
        (["build", "vga", "--out", "data", "--seed", "-1"], ["--seed", "from 0 up, not -1"]),
        (["build", "vga", "--out", "data", "--nodes", "3"], ["4 to 11"]),
        (["build", "vga", "--out", "data", "--style", "size=3"], ["no 'size'"]),
        (["verify", "nowhere"], ["nowhere is no directory"]),
        (["audit", "."], ["holds no manifest.json"]),
        (["stats", "nowhere"], ["nowhere is no directory"]),
        (["preview", "nowhere"], ["nowhere is no directory"]),
        (["export", "nowhere", "--to", "x"], ["nowhere is no directory"]),
        (["audit", ".", "--sample", "0"], ["--sample", "from 1 up"]),
        (["bench", "nothing"], ["no benchmark 'nothing'"]),
        (["frobnicate"], ["frobnicate"]),
        ([], ["COMMAND"]),
    ],
)
def test_bad_input_gets_one_sentence(
    run_cli: Run, tmp_path: Path, words: list[str], message: list[str]
) -> None:
    refused(run_cli(*words), *message)
    assert list(tmp_path.iterdir()) == []


def test_a_dry_run_writes_nothing(run_cli: Run, tmp_path: Path) -> None:
    done = run_cli("build", "vga", "hard_iso", "--limit", "7000", "--out", "data", "--dry-run")
    assert done.returncode == 0
    assert "14,000 records in 4 shards" in done.stdout
    assert list(tmp_path.iterdir()) == []


def test_build_and_everything_after(run_cli: Run, tmp_path: Path) -> None:
    words = (
        "build",
        "vga",
        "ham_path",
        "shortest_path",
        "--limit",
        "8",
        "--jobs",
        "1",
        "--out",
        "data",
    )
    done = run_cli(*words)
    assert done.returncode == 0, done.stderr
    assert "test_kawai" in done.stdout
    assert "no:4 yes:4" in done.stdout
    assert "already holds ham_path, shortest_path" in run_cli(*words).stdout
    verified = run_cli("verify", "data", "--all", "--jobs", "1")
    assert (verified.returncode, verified.stdout) == (
        0, "56 records as planned, 56 of them made again and equal, 7 shards as built\n"
    )  # fmt: skip
    audited = run_cli("audit", "data", "--sample", "4")
    assert (audited.returncode, audited.stdout) == (0, "28 records read back, every one right\n")
    stats = json.loads(run_cli("stats", "data", "--json").stdout)["tables"]["splits"]
    assert {row["split"] for row in stats} >= {"train", "test", "test_kawai", "test_random"}
    assert any(row["measure"].startswith("rule: ") for row in stats)
    assert run_cli("preview", "data").returncode == 0
    assert (tmp_path / "data" / "preview.html").stat().st_size > 56 * 5_000
    exported = run_cli("export", "data", "--to", "folders")
    assert exported.returncode == 0
    assert exported.stdout == "56 pictures in folders\n"
    labels = (tmp_path / "folders/path/shortest/labels/test/labels.txt").read_text().splitlines()
    assert len(labels) == 8
    for layout in ("planar", "kawai", "random"):
        pictures = list((tmp_path / "folders/path/shortest/inputs/test" / layout).iterdir())
        assert {path.name for path in pictures} == {f"image_{i}.png" for i in range(8)}
    refused(run_cli("export", "data", "--to", "folders"), "not an empty folder")
    refused(run_cli(*words, "--seed", "7"), "another recipe (seed 0 there, 7 here)", "--overwrite")


def test_faults_in_data_end_with_status_1(run_cli: Run, vga_copy: Path) -> None:
    (path,) = (vga_copy / "ham_path").glob("test-0*")
    data = bytearray(path.read_bytes())
    data[3000] ^= 1
    path.write_bytes(data)
    done = run_cli("verify", vga_copy, "--sample", "2")
    assert done.returncode == 1
    assert "ham_path/test-00000-of-00001.parquet is not the file that was built" in done.stdout


def test_a_shard_that_is_no_parquet_is_named(run_cli: Run, vga_copy: Path) -> None:
    (path,) = (vga_copy / "ham_path").glob("test-0*")
    path.write_bytes(b"not parquet at all")
    for command in ("verify", "audit"):
        done = run_cli(command, vga_copy, "--sample", "2")
        assert done.returncode == 1
        assert done.stdout.startswith("ham_path/test-00000-of-00001.parquet cannot be read: ")
    for command in ("stats", "preview"):
        refused(run_cli(command, vga_copy), "ham_path/test-00000-of-00001.parquet", "build again")
    refused(run_cli("export", vga_copy, "--to", "x"), "ham_path/test-00000-of-00001.parquet")


def test_output_that_cannot_be_written_is_one_sentence(run_cli: Run, tmp_path: Path) -> None:
    words = [sys.executable, "-m", "benchloom.scripts.main", "list", "vga"]
    with open("/dev/full", "w") as full:
        done = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "benchloom: the output cannot be written: No space left on device\n"


def test_a_style_that_leaves_no_room_is_one_sentence(run_cli: Run) -> None:
    words = ("build", "vga", "ham_cycle", "--limit", "4", "--jobs", "2", "--out", "data")
    refused(run_cli(*words, "--style", "radius=90"), "choose smaller ones")


@pytest.mark.parametrize("command", ["verify", "audit", "stats", "preview"])
def test_a_damaged_manifest_is_named(run_cli: Run, vga_copy: Path, command: str) -> None:
    (vga_copy / "manifest.json").write_text('{"format": 1, "recipe":')
    refused(run_cli(command, vga_copy), "manifest.json is damaged")
    (vga_copy / "manifest.json").write_text('{"format": 2}')
    refused(run_cli(command, vga_copy), "made by a newer benchloom")


def test_an_out_that_is_a_file_is_refused(run_cli: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    refused(run_cli("build", "vga", "--limit", "1", "--out", "file"), "file is a file")
    assert (tmp_path / "file").read_text() == "mine"


def test_an_out_that_cannot_be_written_is_refused(run_cli: Run) -> None:
    refused(
        run_cli("build", "vga", "--limit", "1", "--out", "/proc/data"),
        "/proc/data cannot be written",
    )


@pytest.mark.skipif(shutil.which("bash") is None, reason="install Debian's package bash")
def test_a_full_disk_is_one_sentence_and_the_rerun_goes_on(run_cli: Run, tmp_path: Path) -> None:
    """The disk is full after 300 kB: the shell limits the size of files."""
    words = "-m benchloom.scripts.main build vga ham_path --limit 60 --jobs 2 --out data"
    done = subprocess.run(
        ["bash", "-c", f"ulimit -f 300; exec {sys.executable} {words}"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2, done.stderr
    sentence = done.stderr.strip().splitlines()[-1]
    assert "File too large" in sentence
    assert "the same command" in sentence
    assert "Traceback" not in done.stderr
    assert not list(tmp_path.glob("data/ham_path/*"))
    assert run_cli(*words.split()[2:]).returncode == 0
    assert run_cli("verify", "data").returncode == 0


def test_show_prints_a_record_and_draws_it(run_cli: Run, vga_build: Path, tmp_path: Path) -> None:
    done = run_cli("show", vga_build, "ham_path-test-000007", "--draw", "picture.png")
    assert done.returncode == 0
    assert done.stdout.startswith("A Hamiltonian path is")
    assert "\nanswer: " in done.stdout
    with Image.open(tmp_path / "picture.png") as picture:
        assert picture.size == (700, 700)
    record = json.loads(run_cli("show", vga_build, "ham_path-test-000007", "--json").stdout)
    assert record["id"] == "ham_path-test-000007"
    refused(run_cli("show", vga_build, "ham-7"), "no record 'ham-7'", "easy_iso-train-000000")


def test_graphomni_goes_through_the_same_commands(run_cli: Run, tmp_path: Path) -> None:
    words = (
        "build",
        "graphomni",
        "cycle",
        "triangle",
        "--limit",
        "3",
        "--jobs",
        "1",
        "--out",
        "om",
    )
    assert run_cli(*words).returncode == 0
    done = run_cli("show", "om", "cycle-easy-zero_shot-edge_list-0001", "--draw", "graph.png")
    assert done.stdout.startswith("Given a graph, your task is to determine")
    assert done.stdout.endswith(("Yes]\n", "No]\n"))
    with Image.open(tmp_path / "graph.png") as picture:
        assert picture.size == (700, 700)
    assert run_cli("audit", "om").stdout == "1,134 records read back, every one right\n"
    assert run_cli("verify", "om", "--sample", "5").returncode == 0
    assert run_cli("preview", "om").returncode == 0
    tables = json.loads(run_cli("stats", "om", "--json").stdout)["tables"]
    assert any(row["measure"] == "random baseline" for row in tables["cycle"])
    refused(run_cli("export", "om", "--to", "x"), "graphomni has no folder layout")
