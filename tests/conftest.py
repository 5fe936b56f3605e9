"""Fixtures that all tests may use, and what holds for every run of the tests."""

import importlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from loopback_hub import LoopbackHub

NO_SKIPS = "BENCHLOOM_NO_SKIPS"
SAMPLES = "BENCHLOOM_SAMPLES"
# Outcomes in pytest's own statistics that mean "this was not shown to work".
NOT_RUN = ("skipped", "xfailed", "xpassed")

HUB = pytest.StashKey[LoopbackHub]()
HUB_FOLDER = pytest.StashKey[str]()


def pytest_configure(config: pytest.Config) -> None:
    """Keeps datasets off the network and away from the user's cache.

    It reads these variables when it is imported, so they are set before any test file is. The Hub
    of all tests is on loopback, and refuses connections until a test asks for the fixture `hub`.
    """
    folder = tempfile.mkdtemp(prefix="benchloom-hub-")
    config.stash[HUB_FOLDER] = folder
    config.stash[HUB] = LoopbackHub()
    os.environ.update(
        HF_HOME=folder,
        HF_ENDPOINT=config.stash[HUB].url,
        HF_HUB_OFFLINE="1",
        HF_DATASETS_OFFLINE="1",
        HF_HUB_DISABLE_TELEMETRY="1",
        HF_HUB_DISABLE_XET="1",
        # Otherwise datasets reports every load to another address.
        HF_UPDATE_DOWNLOAD_COUNTS="0",
    )
    for name in ("HF_DATASETS_CACHE", "HF_HUB_CACHE", "HF_TOKEN"):
        os.environ.pop(name, None)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Removes the cache of this run."""
    if HUB in config.stash:
        config.stash[HUB].stop()
        shutil.rmtree(config.stash[HUB_FOLDER], ignore_errors=True)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out the tests on samples where there are none: nothing could be installed for them."""
    if os.environ.get(SAMPLES):
        return
    on_samples = [item for item in items if "samples" in getattr(item, "fixturenames", ())]
    if on_samples:
        config.hook.pytest_deselected(items=on_samples)
        items[:] = [item for item in items if item not in on_samples]


def find_reports_of_tests_not_run(config: pytest.Config) -> list[Any]:
    """Returns the reports of all skipped and expectedly failed tests, where they may not be."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    # In a worker process of pytest-xdist there is nothing to decide: the reports go to its parent.
    if not os.environ.get(NO_SKIPS) or reporter is None or hasattr(config, "workerinput"):
        return []
    return [report for outcome in NOT_RUN for report in reporter.stats.get(outcome, [])]


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fails the run where a test was skipped and none may be."""
    if session.exitstatus == pytest.ExitCode.OK and find_reports_of_tests_not_run(session.config):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Names the tests for which the run fails although none of them did."""
    reports = find_reports_of_tests_not_run(config)
    if reports:
        terminalreporter.section(f"{NO_SKIPS} is set, and these tests did not run", red=True)
        for report in reports:
            terminalreporter.line(report.nodeid)


@pytest.fixture(scope="session")
def chromium() -> Path:
    """The system's Chromium."""
    for name in ("chromium", "chromium-browser"):
        if path := shutil.which(name):
            return Path(path)
    pytest.skip("install Debian's package chromium")


@pytest.fixture(scope="session")
def geng() -> Path:
    """The program geng of nauty."""
    for name in ("nauty-geng", "geng"):
        if path := shutil.which(name):
            return Path(path)
    pytest.skip("install Debian's package nauty")


@pytest.fixture(scope="session")
def pynauty() -> ModuleType:
    """The module pynauty, nauty's canonical forms."""
    try:
        return importlib.import_module("pynauty")
    except ModuleNotFoundError:
        pytest.skip("install pynauty: make oracles")


@pytest.fixture(scope="session")
def samples() -> Path:
    """The folder of samples; tests that ask for it are left out where the variable names none."""
    folder = Path(os.environ[SAMPLES])
    if not folder.is_dir():
        pytest.fail(f"{SAMPLES} names {folder}, which is no folder")
    return folder


@pytest.fixture
def run_cli(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs the command line in a process of its own: `run_cli("build", "vga", "--out", folder)`.

    What comes back holds the exit status, stdout and stderr as text. The working folder is the
    test's `tmp_path` unless `cwd` names another; `environment` adds to the variables.
    """

    def run(
        *arguments: str | Path,
        cwd: Path = tmp_path,
        environment: dict[str, str] | None = None,
        timeout: float = 120,
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "benchloom.scripts.main", *map(str, arguments)],
            cwd=cwd,
            env={**os.environ, **(environment or {})},
            timeout=timeout,
            capture_output=True,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
        )

    return run


@pytest.fixture
def hub(pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch) -> Iterator[LoopbackHub]:
    """The Hub on loopback, empty, and in this process the clients' way to it.

    Another process gets there with `hub.environment(cache_folder, token)`. Without this fixture
    everything is offline. The clients' caches are empty, too.
    """
    import datasets
    import huggingface_hub

    hub = pytestconfig.stash[HUB]
    hub.reset()
    hub.start()
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", False)
    # It would look for a host beside the Hub's that exists for the real one alone.
    monkeypatch.setattr(datasets.config, "USE_PARQUET_EXPORT", False)
    huggingface_hub.HfFileSystem.clear_instance_cache()
    for folder in ("hub", "datasets"):
        shutil.rmtree(Path(pytestconfig.stash[HUB_FOLDER], folder), ignore_errors=True)
    yield hub
    assert not hub.errors, "\n".join(hub.errors)


VGA_LIMIT = 24


@pytest.fixture(scope="session")
def vga_build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first 24 records of every split of every config of VGA. Not to be changed."""
    from benchloom.builders.pipeline import build
    from benchloom.builders.recipe import Recipe

    directory = tmp_path_factory.mktemp("vga") / "build"
    build(Recipe.of("vga", limit=VGA_LIMIT), directory, jobs=1, quiet=True)
    return directory


@pytest.fixture
def vga_copy(vga_build: Path, tmp_path: Path) -> Path:
    """A copy of the small build of VGA, to be damaged."""
    return Path(shutil.copytree(vga_build, tmp_path / "copy"))


@pytest.fixture(scope="session")
def dragon_work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A reviewed working folder of DRAGON, and `copies` of sources beside it. Not to be changed."""
    from dragon_work import write_reviewed

    return write_reviewed(tmp_path_factory.mktemp("dragon"))


@pytest.fixture(scope="session")
def dragon_build(dragon_work: Path) -> Path:
    """The build of these reviews. Not to be changed."""
    from benchloom.builders.pipeline import build
    from benchloom.builders.recipe import Recipe

    directory = dragon_work.parent / "build"
    recipe = Recipe.of("dragon", options={"review_dir": dragon_work})
    build(recipe, directory, jobs=1, quiet=True)
    return directory


NUMBERS = """
import os, time
from pathlib import Path
from benchloom.builders.benchmark import Benchmark
from benchloom.builders.seeds import rng, seed_key
from benchloom.builders.statistics import Statistics, Table

class Counted(Statistics):
    def __init__(self, rows): self.rows = rows
    def tables(self): return [Table("all", "All", ("records",), [(self.rows,)])]

class Numbers(Benchmark):
    name, title, generation = "numbers", "Numbers", 1
    configs, default_config = ("even", "odd"), "even"
    combined_configs = {"all": ("even", "odd")}
    shard_rows, row_group_rows, packages = 2, 2, ("numpy", "pyarrow")
    folder = None  # where faults are switched on

    def resolve(self, options): return dict(options)
    def splits(self, config): return ("train", "test")
    def outline(self, config, split): return (10, "low, high", "")
    def features(self, config):
        from datasets import ClassLabel, Features, List, Value
        return Features({"id": Value("string"), "number": Value("int64"),
                         "label": ClassLabel(names=["low", "high"]),
                         "evidence": List(Value("int32")), "seed_key": Value("string")})
    def plan(self, recipe, config):
        rows = {"train": 10, "test": 5}
        return {split: [(config, split, recipe.seed, i, self.folder)
                        for i in range(min(n, recipe.limit or n))] for split, n in rows.items()}
    def make(self, spec):
        config, split, seed, i, folder = spec
        name = f"{config}-{split}-{i}"
        if folder is not None:
            (Path(folder) / f"made-{name}-{os.getpid()}").touch()
            fault = Path(folder) / f"fault-{name}"
            if fault.exists():
                words = fault.read_text().split()
                if "once" in words: fault.unlink()
                if "exit" in words: os._exit(9)
                if "raise" in words: raise ZeroDivisionError("planted")
                if "wait" in words:
                    (Path(folder) / f"waiting-{os.getpid()}").touch()
                    time.sleep(60)
        key = ("numbers", config, split, seed, i)
        return {"id": name, "number": int(rng(*key).integers(2**40)), "label": i % 2,
                "evidence": [], "seed_key": seed_key(*key)}
    def audit(self, record, config, recipe): return []
    def statistics(self, build, count_tokens=None): return Counted(
        sum(build.manifest.configs[c].splits[s].rows for c, s in build.splits()))
    def show(self, record, config): return str(record["number"])
    def picture(self, record, config): return b""
    def preview(self, record, config): return {"text": str(record["number"]), "caption": ""}
    def export(self, config, split): return (f"{config}/{split}", f"{config}/{split}.txt")
    def bench(self, limit): return []
"""
"""A small benchmark of numbers, to try the engine on without waiting for drawings."""


@pytest.fixture
def numbers_source() -> str:
    """The source of the benchmark of numbers, for tests that run it in a process of its own."""
    return NUMBERS


@pytest.fixture
def load_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Loads the benchmark of numbers with changes to its source; faults are in tmp_path/faults."""
    import cloudpickle

    from benchloom.builders.benchmark import BENCHMARKS

    folder = tmp_path / "numbers"
    (tmp_path / "faults").mkdir()

    def load(*changes: tuple[str, str]) -> Any:
        text = NUMBERS
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        folder.mkdir(exist_ok=True)
        (folder / "numbers_benchmark.py").write_text(text)
        spec = importlib.util.spec_from_file_location(
            "numbers_benchmark", folder / "numbers_benchmark.py"
        )
        assert spec is not None
        module = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, "numbers_benchmark", module)
        # Not by the loader: it would take old bytecode for a text of equal length and second.
        exec(compile(text, str(folder / "numbers_benchmark.py"), "exec"), vars(module))
        if "numbers_benchmark" not in cloudpickle.list_registry_pickle_by_value():
            cloudpickle.register_pickle_by_value(module)
        made: Any = module.Numbers()
        made.folder = str(tmp_path / "faults")
        monkeypatch.setitem(BENCHMARKS, "numbers", made)
        return made

    return load
