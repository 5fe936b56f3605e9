"""What make says before it installs anything, and what a run of the tests says of skipped ones."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

PASSING = "def test_passing():\n    assert True\n"
SKIPPING = "import pytest\n\ndef test_skipping():\n    pytest.skip('install the moon')\n" + PASSING
SKIPPING_FILE = "import pytest\npytest.skip('install the sun', allow_module_level=True)\n"
XFAILING = "import pytest\n@pytest.mark.xfail\ndef test_xfailing():\n    assert False\n" + PASSING
FAILING = "def test_failing():\n    assert False\n"
ON_SAMPLES = "def test_on_samples(samples):\n    assert samples.is_dir()\n" + PASSING


def run_make(folder: Path, python: str) -> subprocess.CompletedProcess[str]:
    """Runs `make test` with a Python of our choice on a copy of the Makefile alone."""
    make = shutil.which("make")
    if make is None:
        pytest.skip("install Debian's package make")
    shutil.copy(ROOT / "Makefile", folder)
    # Variables by which a surrounding make would steer this one.
    variables = {name: os.environ[name] for name in os.environ if "MAKE" not in name}
    return subprocess.run(
        [make, "test", f"PYTHON={python}"],
        cwd=folder,
        env={**variables, "LC_ALL": "C"},
        capture_output=True,
        text=True,
        check=False,
    )


def write_python(folder: Path, body: str) -> str:
    """Returns the path of a stand-in for Python."""
    path = folder / "python-stand-in"
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return str(path)


def test_make_names_missing_python(tmp_path: Path) -> None:
    done = run_make(tmp_path, "python-that-is-not-there")
    assert done.returncode == 2
    assert "python-that-is-not-there is missing" in done.stderr
    assert "apt-get install python3" in done.stderr
    assert not (tmp_path / ".venv").exists()


def test_make_names_missing_venv(tmp_path: Path) -> None:
    # As on Debian without the package: everything is there but ensurepip.
    body = f'case "$2" in *ensurepip*) exit 1;; esac\nexec "{sys.executable}" "$@"'
    done = run_make(tmp_path, write_python(tmp_path, body))
    assert done.returncode == 2
    assert "python3-venv is missing" in done.stderr
    assert not (tmp_path / ".venv").exists()


def test_make_refuses_old_python(tmp_path: Path) -> None:
    body = 'case "$1" in --version) echo "Python 3.10.12"; exit 0;; esac\nexit 1'
    done = run_make(tmp_path, write_python(tmp_path, body))
    assert done.returncode == 2
    assert "needs Python 3.11 or newer; this is Python 3.10.12." in done.stderr
    assert not (tmp_path / ".venv").exists()


def test_make_starts_anew_after_a_failure(tmp_path: Path) -> None:
    # The folder of the environment is there, but no stamp: it must be made again, from nothing.
    (tmp_path / ".venv/bin").mkdir(parents=True)
    (tmp_path / ".venv/bin/pytest").write_text("#!/bin/sh\nexit 0\n")
    (tmp_path / ".venv/bin/pytest").chmod(0o755)
    body = f'case "$2" in venv) echo "$@"; exit 7;; esac\nexec "{sys.executable}" "$@"'
    (tmp_path / "requirements").mkdir()
    for name in ("requirements/test.lock", "pyproject.toml"):
        (tmp_path / name).touch()
    done = run_make(tmp_path, write_python(tmp_path, body))
    assert done.returncode == 2
    assert "-m venv --clear .venv" in done.stdout
    assert not list((tmp_path / ".venv").glob("*.stamp"))


def run_pytest(folder: Path, tests: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs pytest on one file of tests beside a copy of the shared fixtures."""
    shutil.copy(ROOT / "tests/conftest.py", folder)
    (folder / "test_some.py").write_text(tests)
    ours = ("PYTEST", "BENCHLOOM_")
    outer = {name: os.environ[name] for name in os.environ if not name.startswith(ours)}
    options = ["--import-mode=importlib", f"--override-ini=pythonpath={ROOT / 'tests/support'}"]
    return subprocess.run(
        [sys.executable, "-m", "pytest", *options, "-p", "no:cacheprovider"],
        cwd=folder,
        env={**outer, **variables},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("tests", "status", "named"),
    [
        (PASSING, 0, None),
        (SKIPPING, 1, "test_some.py::test_skipping"),
        (SKIPPING_FILE, 5, "test_some.py"),
        (XFAILING, 1, "test_some.py::test_xfailing"),
    ],
)
def test_skips_fail_where_they_are_forbidden(
    tmp_path: Path, tests: str, status: int, named: str | None
) -> None:
    done = run_pytest(tmp_path, tests, BENCHLOOM_NO_SKIPS="1")
    assert done.returncode == status, done.stdout
    assert ("these tests did not run" in done.stdout) == (named is not None)
    if named is not None:
        assert named in done.stdout.split("these tests did not run")[1].splitlines()


def test_skipped_files_fail_where_they_are_forbidden(tmp_path: Path) -> None:
    (tmp_path / "test_other.py").write_text(PASSING)
    done = run_pytest(tmp_path, SKIPPING_FILE, BENCHLOOM_NO_SKIPS="1")
    assert done.returncode == 1, done.stdout
    assert "1 passed, 1 skipped" in done.stdout
    assert "test_some.py" in done.stdout.splitlines()


def test_skips_fail_in_parallel_runs(tmp_path: Path) -> None:
    pytest.importorskip("xdist", reason="install pytest-xdist: make test")
    done = run_pytest(tmp_path, SKIPPING, BENCHLOOM_NO_SKIPS="1", PYTEST_ADDOPTS="-n 2")
    assert done.returncode == 1, done.stdout
    assert "test_some.py::test_skipping" in done.stdout.splitlines()


@pytest.mark.parametrize(("tests", "status"), [(SKIPPING, 0), (FAILING, 1), ("", 5)])
def test_status_is_pytest_s_own_elsewhere(tmp_path: Path, tests: str, status: int) -> None:
    done = run_pytest(tmp_path, tests)
    assert done.returncode == status, done.stdout
    assert "these tests did not run" not in done.stdout


def test_no_tests_fail_where_skips_are_forbidden(tmp_path: Path) -> None:
    assert run_pytest(tmp_path, "", BENCHLOOM_NO_SKIPS="1").returncode == 5


def test_samples_are_left_out_where_there_are_none(tmp_path: Path) -> None:
    without = run_pytest(tmp_path, ON_SAMPLES)
    assert without.returncode == 0
    assert "1 passed, 1 deselected" in without.stdout
    given = run_pytest(tmp_path, ON_SAMPLES, BENCHLOOM_SAMPLES=str(tmp_path))
    assert given.returncode == 0
    assert "2 passed" in given.stdout
    wrong = run_pytest(tmp_path, ON_SAMPLES, BENCHLOOM_SAMPLES=str(tmp_path / "gone"))
    assert wrong.returncode == 1
    assert "BENCHLOOM_SAMPLES names" in wrong.stdout
