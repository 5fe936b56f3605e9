"""The package as it is installed: its folders, its types, its licence, its locks."""

import importlib.metadata
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).resolve().parents[1]
TOPS = ("builders", "cards", "loaders", "scripts")
PYPROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())
PROJECT: dict[str, Any] = PYPROJECT["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]
BASE = [*PROJECT["dependencies"], *PYPROJECT["build-system"]["requires"]]
LOCKS = sorted(path.name for path in (ROOT / "requirements").glob("*.lock"))
HEAVY = ("cv2", "datasets", "joblib", "matplotlib", "networkx", "numba", "pandas", "pyarrow")


def list_package_files() -> list[Path]:
    """Returns the files of the four folders, relative to the checkout."""
    return sorted(
        path.relative_to(ROOT)
        for top in TOPS
        for path in (ROOT / top).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    )


def run_python(code: str, folder: Path) -> str:
    """Returns what `code` prints, run in a new process that does not see the checkout."""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def read_lock(name: str) -> dict[str, list[tuple[Requirement, frozenset[str]]]]:
    """Returns the requirement lines of a lock, and the hashes of each, by the package's name."""
    text = (ROOT / "requirements" / name).read_text().replace("\\\n", " ")
    pins: dict[str, list[tuple[Requirement, frozenset[str]]]] = {}
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        requirement, *hashes = line.split(" --hash=")
        pin = Requirement(requirement)
        pins.setdefault(canonicalize_name(pin.name), []).append(
            (pin, frozenset(text.strip() for text in hashes))
        )
    return pins


def test_pyproject_lists_every_folder() -> None:
    folders = {path.parent for path in list_package_files() if path.name == "__init__.py"}
    names = {"benchloom." + ".".join(folder.parts): str(folder) for folder in folders}
    setuptools = PYPROJECT["tool"]["setuptools"]
    assert sorted(setuptools["packages"]) == sorted(names)
    assert setuptools["package-dir"] == names


def test_every_module_lies_in_a_package() -> None:
    modules = [path for path in list_package_files() if path.suffix == ".py"]
    assert modules
    for module in modules:
        assert (ROOT / module.parent / "__init__.py").is_file(), module


def test_no_folder_hides_the_installed_package() -> None:
    assert not (ROOT / "benchloom").exists()
    assert not list((ROOT / "tests").rglob("__init__.py"))


@pytest.mark.parametrize("top", TOPS)
def test_each_package_is_typed(top: str) -> None:
    assert (ROOT / top / "py.typed").is_file()


def test_wheel_holds_every_file(tmp_path: Path) -> None:
    # From a copy, because a build in place leaves files that later builds pick up.
    source = tmp_path / "source"
    for top in TOPS:
        shutil.copytree(ROOT / top, source / top, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation"]
    done = subprocess.run(
        [*command, "--no-index", "--wheel-dir", tmp_path, source],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
        assert names == {f"benchloom/{path.as_posix()}" for path in list_package_files()}
        (licence,) = (name for name in archive.namelist() if name.endswith("/LICENSE"))
        assert archive.read(licence) == (ROOT / "LICENSE").read_bytes()


def test_every_module_is_imported_under_one_name(tmp_path: Path) -> None:
    modules = [
        ".".join(("benchloom", *path.with_suffix("").parts)).removesuffix(".__init__")
        for path in list_package_files()
        if path.suffix == ".py"
    ]
    printed = run_python(
        f"import importlib, sys\nfor name in {modules}: importlib.import_module(name)\n"
        f"print(*(name for name in sys.modules if name.split('.')[0] in {TOPS}))",
        tmp_path,
    )
    assert printed.split() == []


def test_command_line_imports_nothing_heavy(tmp_path: Path) -> None:
    printed = run_python(
        "import sys, benchloom.scripts.main\n"
        f"print(*(name for name in {HEAVY} if name in sys.modules))",
        tmp_path,
    )
    assert printed.split() == []


def test_help_imports_nothing_heavy(tmp_path: Path) -> None:
    printed = run_python(
        "import contextlib, io, sys, benchloom.scripts.main as command\n"
        "sys.argv = ['benchloom', '--help']\n"
        "with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):\n"
        "    command.main()\n"
        f"print(*(name for name in {HEAVY} if name in sys.modules))",
        tmp_path,
    )
    assert printed.split() == []


def test_version_is_that_of_the_installed_package() -> None:
    assert str(Version(PROJECT["version"])) == importlib.metadata.version("benchloom")


def test_licence_is_apache() -> None:
    text = (ROOT / "LICENSE").read_text()
    assert PROJECT["license"] == "Apache-2.0"
    assert "Apache License" in text
    assert "Version 2.0, January 2004" in text
    assert "END OF TERMS AND CONDITIONS" in text


def test_python_has_no_upper_bound() -> None:
    assert PROJECT["requires-python"] == ">=3.11"


@pytest.mark.parametrize("name", LOCKS)
def test_locks_are_exact_and_hashed(name: str) -> None:
    pins = read_lock(name)
    assert pins
    for lines in pins.values():
        for pin, hashes in lines:
            assert re.fullmatch(r"==[0-9][0-9A-Za-z.+!]*", str(pin.specifier)), pin
            assert pin.url is None
            assert hashes, pin
            assert all(re.fullmatch("sha256:[0-9a-f]{64}", text) for text in hashes), pin


@pytest.mark.parametrize("name", LOCKS)
def test_locks_name_no_place(name: str) -> None:
    text = (ROOT / "requirements" / name).read_text()
    for line in text.splitlines():
        assert re.match(r"#|[A-Za-z0-9]|    --hash=sha256:", line), line
    for sign in (
        "://",
        "index-url",
        "find-links",
        "trusted-host",
        "file:",
        "/tmp",
        "/home",
        "/root",
    ):
        assert sign not in text


def test_base_lock_is_part_of_test_lock() -> None:
    base, test = read_lock("base.lock"), read_lock("test.lock")
    for name, lines in base.items():
        pinned = {(str(pin.specifier), hashes) for pin, hashes in test.get(name, [])}
        assert {(str(pin.specifier), hashes) for pin, hashes in lines} <= pinned, name
    assert not base.keys() & read_lock("oracles.lock").keys()
    assert not test.keys() & read_lock("oracles.lock").keys()


@pytest.mark.parametrize(
    ("lock", "requirements"),
    [
        ("base.lock", BASE),
        ("test.lock", [*BASE, *EXTRAS["test"]]),
        ("test.lock", EXTRAS["bench"]),
        ("test.lock", EXTRAS["llm"]),
        ("test.lock", EXTRAS["tokens"]),
        ("oracles.lock", EXTRAS["oracles"]),
    ],
)
def test_locks_hold_what_pyproject_asks_for(lock: str, requirements: list[str]) -> None:
    pins = read_lock(lock)
    for requirement in map(Requirement, requirements):
        lines = pins.get(canonicalize_name(requirement.name), [])
        assert lines, f"{requirement} is not in {lock}: make lock"
        for pin, _ in lines:
            (version,) = pin.specifier
            assert requirement.specifier.contains(version.version), f"{pin}: make lock"


def test_base_lock_holds_what_its_packages_ask_for() -> None:
    pins = read_lock("base.lock")
    waiting = [Requirement(line) for line in PROJECT["dependencies"]]
    seen: set[str] = set()
    while waiting:
        requirement = waiting.pop()
        name = canonicalize_name(requirement.name)
        if name in seen or (requirement.marker and not requirement.marker.evaluate({"extra": ""})):
            continue
        seen.add(name)
        assert name in pins, f"{requirement} is not in base.lock: make lock"
        waiting.extend(map(Requirement, importlib.metadata.requires(name) or []))
    assert {"numpy", "fsspec"} <= seen


def test_every_extra_is_locked() -> None:
    assert EXTRAS.keys() == {"bench", "llm", "review", "tokens", "test", "oracles"}
    assert EXTRAS["review"] == []
