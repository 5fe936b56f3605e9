import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from datasets import load_dataset

from benchloom.builders.errors import InputError
from benchloom.builders.manifest import read_manifest
from benchloom.builders.pipeline import BuildStopped, build, make_plan
from benchloom.builders.recipe import Recipe
from benchloom.builders.stage import FOLDER, Stage


def tree(directory: Path) -> dict[str, str]:
    """Every file of a directory with its SHA-256."""
    return {
        str(path.relative_to(directory)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(directory.rglob("*"))
        if path.is_file()
    }


def makers(faults: Path) -> int:
    """How many records have been made since the faults folder was emptied."""
    return len(list(faults.glob("made-*")))


def forget(faults: Path) -> None:
    for path in faults.glob("made-*"):
        path.unlink()


def make(directory: Path, *configs: str, **options: object) -> None:
    recipe = Recipe.of("numbers", seed=options.pop("seed", 0), limit=options.pop("limit", None))  # type: ignore[arg-type]
    build(recipe, directory, configs, quiet=True, **{"jobs": 1, **options})  # type: ignore[arg-type]


@pytest.fixture(autouse=True)
def numbers(load_numbers):
    return load_numbers()


@pytest.fixture
def faults(tmp_path: Path) -> Path:
    return tmp_path / "faults"


@pytest.mark.parametrize("jobs", [2, 3])
def test_the_number_of_workers_does_not_change_a_byte(tmp_path: Path, jobs: int) -> None:  # case J1
    make(tmp_path / "one")
    make(tmp_path / "more", jobs=jobs)
    assert tree(tmp_path / "one") == tree(tmp_path / "more")
    numbers = [row["number"] for row in rows(tmp_path / "one", "even", "train")]
    assert len(set(numbers)) == 10


def rows(directory: Path, config: str, split: str) -> list[dict[str, object]]:
    files = sorted((directory / config).glob(f"{split}-*.parquet"))
    return [row for file in files for row in pq.read_table(file).to_pylist()]


def test_a_limited_build_is_a_prefix(tmp_path: Path) -> None:
    make(tmp_path / "whole")
    make(tmp_path / "first", limit=3)
    assert rows(tmp_path / "first", "odd", "train") == rows(tmp_path / "whole", "odd", "train")[:3]


def test_further_configs_add_up(tmp_path: Path) -> None:
    make(tmp_path / "both")
    make(tmp_path / "steps", "odd")
    make(tmp_path / "steps", "even")
    assert tree(tmp_path / "both") == tree(tmp_path / "steps")


def test_load_dataset_opens_each_config_and_their_combination(tmp_path: Path) -> None:
    make(tmp_path / "data")
    assert not (tmp_path / "data" / FOLDER).exists()
    split = load_dataset(str(tmp_path / "data"), "odd", split="test")
    assert split["id"][:] == [f"odd-test-{i}" for i in range(5)]
    assert split.features["label"].names == ["low", "high"]
    assert split.features["evidence"].feature.dtype == "int32"  # case P5: no row has one
    assert len(load_dataset(str(tmp_path / "data"), "all", split="train")) == 20
    assert len(load_dataset(str(tmp_path / "data"), split="train")) == 10


def test_a_rebuild_in_place_is_not_taken_from_the_cache_of_datasets(tmp_path: Path) -> None:  # P1
    make(tmp_path / "data")
    before = load_dataset(str(tmp_path / "data"), "odd", split="test")["number"][:]
    make(tmp_path / "data", seed=1, overwrite=True)
    after = load_dataset(str(tmp_path / "data"), "odd", split="test")["number"][:]
    assert len(before) == len(after)
    assert set(before).isdisjoint(after)


def test_a_finished_build_is_left_alone(tmp_path: Path, faults: Path) -> None:
    make(tmp_path / "data")
    before = tree(tmp_path / "data")
    forget(faults)
    make(tmp_path / "data")
    assert makers(faults) == 0
    assert tree(tmp_path / "data") == before


@pytest.mark.parametrize(
    "name", ["odd/train-00001-of-00005.parquet", "records/odd-test.parquet", "README.md"]
)
def test_a_changed_or_missing_file_is_made_anew(tmp_path: Path, name: str) -> None:
    make(tmp_path / "data")
    before = tree(tmp_path / "data")
    data = (tmp_path / "data" / name).read_bytes()
    (tmp_path / "data" / name).write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    make(tmp_path / "data")
    assert tree(tmp_path / "data") == before
    (tmp_path / "data" / name).unlink()
    make(tmp_path / "data")
    assert tree(tmp_path / "data") == before


def test_after_a_fault_of_ours_the_finished_shards_are_kept(
    tmp_path: Path, faults: Path
) -> None:  # P4
    make(tmp_path / "whole", "odd")
    (faults / "fault-odd-train-6").write_text("raise once")
    with pytest.raises(ZeroDivisionError):
        make(tmp_path / "data", "odd")
    assert not (tmp_path / "data" / "manifest.json").exists()
    forget(faults)
    make(tmp_path / "data", "odd")
    assert makers(faults) == 15 - 6
    assert tree(tmp_path / "data") == tree(tmp_path / "whole")


def test_a_shard_that_kills_its_worker_is_named_and_the_others_are_kept(
    tmp_path: Path, faults: Path
) -> None:  # case J3
    make(tmp_path / "whole")
    (faults / "fault-odd-train-5").write_text("exit")
    with pytest.raises(BuildStopped, match=r"odd/train-00002-of-00005.*15 of 16 shards are kept"):
        make(tmp_path / "data", jobs=2)
    (faults / "fault-odd-train-5").unlink()
    forget(faults)
    make(tmp_path / "data", jobs=2)
    assert makers(faults) == 2
    assert tree(tmp_path / "data") == tree(tmp_path / "whole")


def test_a_worker_that_dies_once_is_replaced(tmp_path: Path, faults: Path) -> None:
    make(tmp_path / "whole")
    (faults / "fault-even-train-2").write_text("exit once")
    make(tmp_path / "data", jobs=2)
    assert tree(tmp_path / "data") == tree(tmp_path / "whole")


def test_a_half_written_or_changed_shard_is_never_taken_for_finished(
    tmp_path: Path, faults: Path
) -> None:
    make(tmp_path / "whole", "odd")
    (faults / "fault-odd-train-8").write_text("raise once")
    with pytest.raises(ZeroDivisionError):
        make(tmp_path / "data", "odd")
    shards = tmp_path / "data" / FOLDER / "shards" / "odd"
    first, second, third, _ = sorted(shards.glob("*.parquet"))
    first.write_bytes(first.read_bytes()[:-100])
    second.unlink()
    third.with_name(third.name + ".json").write_text('{"rows": 2')
    forget(faults)
    make(tmp_path / "data", "odd")
    assert makers(faults) == 15 - 2
    assert tree(tmp_path / "data") == tree(tmp_path / "whole")


def test_other_code_is_never_mixed_in(
    tmp_path: Path, faults: Path, load_numbers
) -> None:  # case J7
    (faults / "fault-odd-train-6").write_text("raise once")
    with pytest.raises(ZeroDivisionError):
        make(tmp_path / "data", "odd")
    load_numbers(("2**40", "2**41"))
    forget(faults)
    make(tmp_path / "data", "odd")
    assert makers(faults) == 15
    make(tmp_path / "whole", "odd")
    assert tree(tmp_path / "data") == tree(tmp_path / "whole")
    load_numbers(("2**40", "2**42"))
    forget(faults)
    make(tmp_path / "data", "odd")
    assert makers(faults) == 15


def test_another_recipe_is_refused_and_nothing_is_lost(tmp_path: Path, faults: Path) -> None:
    make(tmp_path / "data", "odd")
    before = tree(tmp_path / "data")
    with pytest.raises(InputError, match=r"seed 0 there, 7 here.*--overwrite"):
        make(tmp_path / "data", "odd", seed=7)
    with pytest.raises(InputError, match="limit none there, 2 here"):
        make(tmp_path / "data", "even", limit=2)
    (faults / "fault-even-train-4").write_text("raise once")
    with pytest.raises(ZeroDivisionError):
        make(tmp_path / "data", "even", seed=7, overwrite=True)
    without_stage = {
        name: sha for name, sha in tree(tmp_path / "data").items() if not name.startswith(FOLDER)
    }
    assert without_stage == before
    make(tmp_path / "data", "even", seed=7, overwrite=True)
    make(tmp_path / "fresh", "even", seed=7)
    assert tree(tmp_path / "data") == tree(tmp_path / "fresh")


def test_an_unfinished_build_of_another_recipe_is_refused(tmp_path: Path, faults: Path) -> None:
    (faults / "fault-odd-train-6").write_text("raise once")
    with pytest.raises(ZeroDivisionError):
        make(tmp_path / "data", "odd")
    with pytest.raises(
        InputError, match=r"unfinished build of another recipe \(seed 0 there, 1 here\)"
    ):
        make(tmp_path / "data", "odd", seed=1)
    make(tmp_path / "data", "odd", seed=1, overwrite=True)
    assert read_manifest(tmp_path / "data").recipe.seed == 1


def test_files_that_are_not_ours_are_never_touched(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "thesis.tex").write_text("mine")
    for overwrite in (False, True):
        with pytest.raises(InputError, match="not empty and holds no build"):
            make(tmp_path / "data", overwrite=overwrite)
    (tmp_path / "data" / "thesis.tex").unlink()
    make(tmp_path / "data", "odd")
    (tmp_path / "data" / "odd" / "notes.txt").write_text("mine")
    make(tmp_path / "data", "even", seed=3, overwrite=True)
    assert (tmp_path / "data" / "odd" / "notes.txt").read_text() == "mine"
    assert [path.name for path in (tmp_path / "data" / "odd").iterdir()] == ["notes.txt"]


def test_a_place_that_is_no_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for place in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(InputError, match=r"is a file"):
            make(place)
    assert (tmp_path / "file").read_text() == "x"


def test_a_file_in_the_way_of_a_shard_is_never_written_over(tmp_path: Path) -> None:
    make(tmp_path / "data", "odd")
    (tmp_path / "data" / "even").mkdir()
    mine = tmp_path / "data" / "even" / "train-00000-of-00005.parquet"
    mine.write_text("mine")
    with pytest.raises(InputError, match="is in the way and of no build"):
        make(tmp_path / "data", "even")
    assert mine.read_text() == "mine"


def test_a_hidden_folder_that_is_not_ours_is_refused(tmp_path: Path) -> None:
    (tmp_path / "data" / FOLDER).mkdir(parents=True)
    (tmp_path / "data" / FOLDER / "mine").write_text("mine")
    with pytest.raises(InputError, match="is not of benchloom"):
        make(tmp_path / "data")
    assert (tmp_path / "data" / FOLDER / "mine").read_text() == "mine"


def test_a_manifest_cannot_name_files_of_others_for_removal(tmp_path: Path) -> None:
    make(tmp_path / "data", "odd")
    (tmp_path / "data" / "thesis.tex").write_text("mine")
    manifest = tmp_path / "data" / "manifest.json"
    manifest.write_text(
        manifest.read_text().replace("odd/train-00000-of-00005.parquet", "thesis.tex")
    )
    make(tmp_path / "data", "odd", seed=4, overwrite=True)
    assert (tmp_path / "data" / "thesis.tex").read_text() == "mine"


def test_between_two_builds_nothing_can_be_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from benchloom.builders import stage
    from benchloom.loaders.directory import Build

    make(tmp_path / "data", "odd")
    real, left = stage.move, 3

    def failing(source: Path, target: Path) -> None:
        nonlocal left
        if FOLDER not in str(target) and (left := left - 1) < 0:
            raise OSError(5, "Input/output error", str(target))
        real(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(stage, "move", failing)
        with pytest.raises(BuildStopped, match="Input/output error"):
            make(tmp_path / "data", "odd", seed=1, overwrite=True)
    with pytest.raises((ValueError, FileNotFoundError)):
        load_dataset(str(tmp_path / "data"), "odd", split="test")
    with pytest.raises(InputError, match="cut short as it came to its place"):
        Build(tmp_path / "data")
    make(tmp_path / "data", "odd", seed=1, overwrite=True)
    make(tmp_path / "fresh", "odd", seed=1)
    assert tree(tmp_path / "data") == tree(tmp_path / "fresh")
    loaded = load_dataset(str(tmp_path / "data"), "odd", split="test")["number"][:]
    assert loaded == [row["number"] for row in rows(tmp_path / "fresh", "odd", "test")]


@pytest.mark.parametrize("cut", [0, 3, 9, 16, 17])
def test_a_commit_that_was_cut_short_is_not_forgotten_by_another_config_s_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cut: int
) -> None:
    from benchloom.builders import stage

    make(tmp_path / "whole")
    make(tmp_path / "data", "odd")
    real, left = stage.move, cut

    def failing(source: Path, target: Path) -> None:
        nonlocal left
        if FOLDER not in str(target) and (left := left - 1) < 0:
            raise OSError(5, "Input/output error", str(target))
        real(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(stage, "move", failing)
        try:
            make(tmp_path / "data", "even")
        except BuildStopped:
            assert cut < 17
    make(tmp_path / "data", "odd")  # which brings what was cut short to its place first
    assert tree(tmp_path / "data") == tree(tmp_path / "whole")


def test_after_a_cut_commit_another_recipe_meets_the_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from benchloom.builders import stage

    make(tmp_path / "data")
    real, left = stage.move, 3

    def failing(source: Path, target: Path) -> None:
        nonlocal left
        if FOLDER not in str(target) and (left := left - 1) < 0:
            raise OSError(5, "Input/output error", str(target))
        real(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(stage, "move", failing)
        with pytest.raises(BuildStopped):
            make(tmp_path / "data", seed=1, overwrite=True)
    with pytest.raises(InputError, match="seed 1 there, 0 here"):
        make(tmp_path / "data", "odd")
    make(tmp_path / "fresh", seed=1)
    assert tree(tmp_path / "data") == tree(tmp_path / "fresh")


def test_a_refused_plan_leaves_no_folder(tmp_path: Path, numbers, monkeypatch) -> None:
    monkeypatch.setattr(numbers, "plan", lambda recipe, config: {"train": []})
    with pytest.raises(InputError, match="without records"):
        make(tmp_path / "data")
    assert not (tmp_path / "data").exists()


def test_what_a_killed_run_left_is_swept_away(tmp_path: Path) -> None:
    make(tmp_path / "data", "odd")
    (tmp_path / "data" / FOLDER / "parts" / "1-2").mkdir(parents=True)
    (tmp_path / "data" / FOLDER / "lock").touch()
    make(tmp_path / "data", "odd")
    assert not (tmp_path / "data" / FOLDER).exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is damaged"),
        ("[]", "is damaged"),
        ('{"format": 1}', "is damaged"),
        ('{"format": 99}', "made by a newer benchloom"),
    ],
)
def test_a_damaged_or_newer_manifest_is_refused_and_can_be_replaced(
    tmp_path: Path, text: str, message: str
) -> None:
    make(tmp_path / "data", "odd")
    whole = tree(tmp_path / "data")
    (tmp_path / "data" / "manifest.json").write_text(text)
    with pytest.raises(InputError, match=message):
        make(tmp_path / "data", "odd")
    with pytest.raises(InputError, match=message):
        read_manifest(tmp_path / "data")
    assert (tmp_path / "data" / "manifest.json").read_text() == text
    make(tmp_path / "data", "odd", overwrite=True)
    assert tree(tmp_path / "data") == whole


def test_two_builds_at_once_are_refused(tmp_path: Path) -> None:
    make(tmp_path / "data", "odd")
    with Stage(tmp_path / "data"), pytest.raises(InputError, match="another build is running"):
        make(tmp_path / "data", "even")
    make(tmp_path / "data", "even")


def test_a_commit_that_was_cut_short_is_carried_out_by_the_next_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from benchloom.builders import stage

    make(tmp_path / "whole")
    real = stage.move
    for cut in range(1, 22):
        directory = tmp_path / f"cut-{cut}"
        left = cut

        def failing(source: Path, target: Path) -> None:
            nonlocal left
            if FOLDER not in str(target) and (left := left - 1) < 0:
                raise KeyboardInterrupt
            real(source, target)

        with monkeypatch.context() as patch:
            patch.setattr(stage, "move", failing)
            with pytest.raises(KeyboardInterrupt):
                make(directory)
        make(directory)
        assert tree(directory) == tree(tmp_path / "whole"), cut


def test_a_full_disk_keeps_what_is_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, faults: Path
) -> None:
    from benchloom.builders import workers

    make(tmp_path / "whole", "odd")
    real, left = workers.write_shard, 4

    def full(path: Path, *rest: object) -> None:
        nonlocal left
        if (left := left - 1) < 0:
            raise OSError(28, "No space left on device", str(path))
        real(path, *rest)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(workers, "write_shard", full)
        with pytest.raises(BuildStopped, match=r"No space left on device.*the same command"):
            make(tmp_path / "data", "odd")
    forget(faults)
    make(tmp_path / "data", "odd")
    assert makers(faults) == 15 - 8
    assert tree(tmp_path / "data") == tree(tmp_path / "whole")


RUN = """
import sys, importlib.util
from pathlib import Path
import cloudpickle
from benchloom.builders.benchmark import BENCHMARKS
spec = importlib.util.spec_from_file_location("numbers_benchmark", sys.argv[1])
module = importlib.util.module_from_spec(spec); sys.modules["numbers_benchmark"] = module
spec.loader.exec_module(module); cloudpickle.register_pickle_by_value(module)
of = module.Numbers(); of.folder = sys.argv[2]; BENCHMARKS["numbers"] = of
from benchloom.builders.pipeline import build
from benchloom.builders.recipe import Recipe
try:
    build(Recipe.of("numbers"), Path(sys.argv[3]), jobs=int(sys.argv[4]), quiet=True)
except KeyboardInterrupt as error:
    print(error, file=sys.stderr); sys.exit(130)
"""


@pytest.fixture
def start(tmp_path: Path, faults: Path):
    """Starts a build of the benchmark of numbers in a process group of its own."""
    begun = []

    def start(directory: Path, jobs: int) -> subprocess.Popen[str]:
        words = [sys.executable, "-c", RUN, str(tmp_path / "numbers" / "numbers_benchmark.py")]
        process = subprocess.Popen(
            [*words, str(faults), str(directory), str(jobs)],
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        begun.append(process)
        return process

    yield start
    for process in begun:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def wait_for(faults: Path, count: int = 1) -> list[int]:
    """The processes that wait in a planted fault, once there are so many."""
    for _ in range(1200):
        found = [int(path.name.split("-")[1]) for path in faults.glob("waiting-*")]
        if len(found) >= count:
            return found
        time.sleep(0.05)
    raise AssertionError("no worker reached the planted fault")


def has_ended(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except FileNotFoundError:
        return True
    return state == "Z"


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_prints_one_line_and_the_same_command_goes_on(
    tmp_path: Path, faults: Path, start, jobs: int
) -> None:
    make(tmp_path / "whole")
    (faults / "fault-odd-train-6").write_text("wait")
    process = start(tmp_path / "data", jobs)
    (worker,) = wait_for(faults)
    time.sleep(1)
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=30)
    assert process.returncode == 130
    assert said.startswith("interrupted; ")
    assert said.count("\n") == 1
    assert has_ended(worker)
    (faults / "fault-odd-train-6").unlink()
    forget(faults)
    make(tmp_path / "data")
    assert 0 < makers(faults) < 30
    assert tree(tmp_path / "data") == tree(tmp_path / "whole")


def test_a_killed_parent_takes_its_workers_along_and_the_rerun_is_equal(
    tmp_path: Path, faults: Path, start
) -> None:
    make(tmp_path / "whole")
    (faults / "fault-odd-train-6").write_text("wait")
    process = start(tmp_path / "data", 2)
    (worker,) = wait_for(faults)
    time.sleep(1)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    (faults / "fault-odd-train-6").unlink()
    forget(faults)
    make(tmp_path / "data")  # at once, while the worker may still live
    assert 0 < makers(faults) < 30
    for _ in range(100):
        if has_ended(worker):
            break
        time.sleep(0.05)
    assert has_ended(worker)
    assert tree(tmp_path / "data") == tree(tmp_path / "whole")


def test_a_killed_worker_is_replaced(tmp_path: Path, faults: Path, start) -> None:
    make(tmp_path / "whole")
    (faults / "fault-odd-train-6").write_text("wait once")
    process = start(tmp_path / "data", 2)
    (worker,) = wait_for(faults)
    os.kill(worker, signal.SIGKILL)
    assert process.wait(timeout=60) == 0
    assert tree(tmp_path / "data") == tree(tmp_path / "whole")


def test_checksums_and_manifest_agree_with_the_files(tmp_path: Path) -> None:
    make(tmp_path / "data")
    files = tree(tmp_path / "data")
    sums = dict(
        reversed(line.split("  "))
        for line in (tmp_path / "data" / "SHA256SUMS").read_text().splitlines()
    )
    assert sums == {name: sha for name, sha in files.items() if name != "SHA256SUMS"}
    manifest = json.loads((tmp_path / "data" / "manifest.json").read_text())
    split = manifest["configs"]["odd"]["splits"]["train"]
    assert split["labels"] == {"low": 5, "high": 5}
    assert [shard["rows"] for shard in split["shards"]] == [2] * 5
    assert all(shard["sha256"] == files[shard["file"]] for shard in split["shards"])


def test_a_plan_builds_nothing(faults: Path) -> None:
    plan = make_plan(Recipe.of("numbers"), ["odd"])
    assert plan.rows == 15
    assert len(plan.shards) == 8
    assert makers(faults) == 0


def test_an_unknown_config_is_refused_by_name() -> None:
    with pytest.raises(InputError, match="no config 'evn'; choose from even, odd, all"):
        make_plan(Recipe.of("numbers"), ["evn"])


@pytest.mark.parametrize("value", [-1, 1.5, None, True, "0"])
def test_a_seed_is_a_whole_number(
    value: object,
) -> None:  # case G22: None is refused, 0 is honoured
    with pytest.raises(InputError, match="the seed must be a whole number"):
        Recipe("numbers", 1, seed=value)  # type: ignore[arg-type]
    assert Recipe("numbers", 1, seed=0).seed == 0


@pytest.mark.parametrize("value", [0, -3, 2.0, False])
def test_a_limit_is_a_whole_number_from_one_up(value: object) -> None:
    with pytest.raises(InputError, match="the limit must be a whole number"):
        Recipe("numbers", 1, limit=value)  # type: ignore[arg-type]
