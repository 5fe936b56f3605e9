"""Fixtures that all tests may use, and what holds for every run of the tests."""

import importlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

NO_SKIPS = "BENCHLOOM_NO_SKIPS"
SAMPLES = "BENCHLOOM_SAMPLES"
# Outcomes in pytest's own statistics that mean "this was not shown to work".
NOT_RUN = ("skipped", "xfailed", "xpassed")

HUB_FOLDER = pytest.StashKey[str]()


def pytest_configure(config: pytest.Config) -> None:
    """Keeps datasets off the network and away from the user's cache.

    It reads these variables when it is imported, so they are set before any test file is.
    """
    folder = tempfile.mkdtemp(prefix="benchloom-hub-")
    config.stash[HUB_FOLDER] = folder
    os.environ.update(
        HF_HOME=folder,
        HF_HUB_OFFLINE="1",
        HF_DATASETS_OFFLINE="1",
        HF_HUB_DISABLE_TELEMETRY="1",
        HF_HUB_DISABLE_XET="1",
    )
    for name in ("HF_DATASETS_CACHE", "HF_HUB_CACHE", "HF_TOKEN"):
        os.environ.pop(name, None)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Removes the cache of this run."""
    folder = config.stash.get(HUB_FOLDER, None)
    if folder is not None:
        shutil.rmtree(folder, ignore_errors=True)


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
