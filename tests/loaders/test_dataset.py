"""`benchloom.loaders.load` of directories and of what is built on the spot."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from benchloom.builders.errors import InputError
from benchloom.loaders import load
from benchloom.loaders.dataset import CACHE, cache_folder


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache."""
    monkeypatch.setenv(CACHE, str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_a_directory_is_opened_whole_by_split_or_as_a_stream(vga_build: Path) -> None:
    assert {name: len(split) for name, split in load(vga_build, "hard_iso").items()} == {
        "train": 24,
        "test": 24,
    }
    test = load(str(vga_build), "hard_iso", "test")
    streamed = load(vga_build, "hard_iso", split="test", streaming=True)
    assert [row["id"] for row in streamed] == test["id"][:]


def test_a_split_is_built_from_a_seed_once_and_then_reused(
    cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = load("graphomni", "cycle", "easy", seed=7, limit=1)
    said = capsys.readouterr().err
    assert "built into" in said
    assert str(cache) in said
    (folder,) = (path for path in cache.iterdir() if path.is_dir())
    times = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    again = load("graphomni", "cycle", "easy", seed=7, limit=1)
    assert "opened in" in capsys.readouterr().err
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == times
    assert again[:] == first[:]
    assert load("graphomni", "cycle", "easy", seed=8, limit=1)["query"][:] != first["query"][:]
    assert load("graphomni", "triangle", "easy", seed=7, limit=1)["task"][0] == "triangle"
    assert len([path for path in cache.iterdir() if path.is_dir()]) == 2
    fewer = load("graphomni", "cycle", "easy", limit=1, options={"nodes": {"easy": [7, 7]}})
    assert set(fewer["n_nodes"]) == {7}


def test_of_two_processes_one_builds_and_the_other_waits(cache: Path) -> None:
    code = "from benchloom.loaders import load; load('graphomni', 'diameter', 'easy', limit=4)"
    processes = [
        subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    said = [process.communicate(timeout=120)[1] for process in processes]
    assert [process.returncode for process in processes] == [0, 0], said
    assert sorted("built into" in text for text in said) == [False, True]


def test_the_cache_lies_where_it_is_expected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(CACHE, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", "/some/cache")
    assert cache_folder() == Path("/some/cache/benchloom")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache_folder() == Path.home() / ".cache" / "benchloom"


FAULTS: list[tuple[dict[str, Any], str]] = [
    ({"config": "x"}, "'x'"),
    ({"config": "hard_iso", "split": "validation"}, "validation"),
    ({"config": "hard_iso", "seed": 7}, "seed 0, not 7"),
    ({"config": "hard_iso", "limit": 7}, "limit 24, not 7"),
    ({"config": "hard_iso", "revision": "v1.0.0"}, "version 1.0.0 .* 0.0.0 was found"),
    ({"config": "hard_iso", "revision": "main"}, "no revision 'main'"),
    ({"config": "hard_iso", "options": {"nodes": [8]}}, "options are for"),
]


@pytest.mark.parametrize(("arguments", "said"), FAULTS)
def test_what_a_directory_is_not_is_refused(
    vga_build: Path, arguments: dict[str, Any], said: str
) -> None:
    with pytest.raises(InputError, match=said):
        load(vga_build, **arguments)


@pytest.mark.parametrize(
    ("what", "arguments", "said"),
    [
        ("nothing", {}, "no benchmark 'nothing'"),
        ("", {}, r"name what to load: a directory, .* \(vga, graphomni, dragon"),
        ("dragon", {}, r'built from a folder of yours; name it with options=\{"review_dir": FOLD'),
        ("vga", {"config": "x"}, "no config 'x'"),
        ("vga", {"revision": "v1.0.0"}, "a revision is of a repository"),
        ("vga", {"seed": None}, "seed must be"),  # case G22: no seed is not a seed
        ("org/vga", {"seed": 7}, "fetched from the Hub"),
        ("org/vga", {"limit": 7}, "fetched from the Hub"),
        ("./nowhere", {}, "is no directory"),
        ("a/b/c", {}, "is no directory"),
        ("org/vga", {"config": "hard_iso"}, "org/vga cannot be loaded"),  # the tests are offline
    ],
)
def test_what_cannot_be_loaded_is_said_in_a_sentence(
    cache: Path, what: str, arguments: dict[str, Any], said: str
) -> None:
    with pytest.raises(InputError, match=said) as caught:
        load(what, **arguments)
    assert "\n" not in str(caught.value)
    assert not cache.exists()


def test_version_asked_for_of_a_directory_is_accepted(vga_build: Path) -> None:
    assert len(load(vga_build, "hard_iso", "test", revision="v0.0.0")) == 24
