"""Writes the locks from pyproject.toml: exact versions with hashes.

Run it as `make lock`, which keeps every locked version that still fits, or as
`make lock LOCK_OPTIONS=--upgrade`, which takes the newest of everything.

Three files come out of one resolution over all extras, so no version differs between them:

* base.lock: what a user needs, and setuptools, which builds the package itself.
* test.lock: base.lock and what the tests need. Everything in it is published as a wheel.
* oracles.lock: only what test.lock lacks; it has to be compiled on the machine.

Each of the others is a resolution of its own, and holds an older version of datasets with what a
user of that version has: what is built here must load there (`.ci/compatibility`).

All hold for CPython 3.11 and newer on Linux and macOS, and name no index.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import tomllib
import venv
from pathlib import Path

RESOLVER = "uv==0.13.9"
OLDER = {
    "datasets-2.21": ["datasets==2.21.*", "huggingface-hub<1", "pillow"],
    "datasets-3.6": ["datasets==3.6.*", "huggingface-hub<1", "pillow"],
}
HERE = Path(__file__).resolve().parent
# Markers that only say "Linux or macOS". Every line would carry them, and on any other system pip
# would pass over every line and report success.
REDUNDANT_MARKERS = re.compile(
    r" ; sys_platform == 'darwin' or sys_platform == 'linux'(?= )"
    r"| and \(sys_platform == 'darwin' or sys_platform == 'linux'\)"
)
ENTRY = re.compile(r"^[^\s#].*\n(?: .*\n)*", re.MULTILINE)


def compile_lock(resolver: Path, folder: Path, requirements: list[str], constraints: str) -> str:
    """Returns the text of the lock of `requirements`.

    Args:
        resolver: path of the resolver's program.
        folder: where to work; an `output.lock` that lies there gives the preferred versions.
        requirements: what to lock, without what it depends on.
        constraints: text of a lock that every version must agree with.
    """
    folder.mkdir(exist_ok=True)
    lines = "".join(f'    "{requirement}",\n' for requirement in requirements)
    (folder / "pyproject.toml").write_text(
        '[project]\nname = "locked"\nversion = "0"\nrequires-python = ">=3.11"\n'
        f"dependencies = [\n{lines}]\n"
        "[tool.uv]\n"
        "environments = [\"sys_platform == 'linux'\", \"sys_platform == 'darwin'\"]\n"
    )
    (folder / "constraints.lock").write_text(constraints)
    command: list[str | Path] = [
        *(resolver, "pip", "compile", "pyproject.toml", "--constraint", "constraints.lock"),
        *("--output-file", "output.lock", "--quiet", "--system-certs"),
        *("--universal", "--python-version", "3.11", "--fork-strategy", "fewest"),
        *("--generate-hashes", "--no-header", "--no-annotate"),
        *("--no-emit-index-url", "--no-emit-find-links"),
    ]
    # The settings of whoever runs this must not decide what everyone gets.
    environment = {key: value for key, value in os.environ.items() if not key.startswith("UV_")}
    subprocess.run(command, check=True, cwd=folder, env=environment)
    return REDUNDANT_MARKERS.sub("", (folder / "output.lock").read_text())


def name_package(entry: str) -> str:
    """Returns the name of the package that one entry of a lock pins."""
    return entry.partition("==")[0]


def main() -> int:
    """Returns 0 when all locks have been written."""
    parser = argparse.ArgumentParser(description="Write the locks from pyproject.toml.")
    parser.add_argument("--upgrade", action="store_true", help="take the newest of everything")
    upgrade = parser.parse_args().upgrade
    pyproject = tomllib.loads((HERE.parent / "pyproject.toml").read_text())
    extras: dict[str, list[str]] = pyproject["project"]["optional-dependencies"]
    base = [*pyproject["project"]["dependencies"], *pyproject["build-system"]["requires"]]
    everything = [*base, *(line for extra in extras.values() for line in extra)]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        venv.create(folder / "venv", with_pip=True)
        subprocess.run([folder / "venv/bin/pip", "install", "--quiet", RESOLVER], check=True)
        resolver = folder / "venv/bin/uv"
        if not upgrade:
            present = [HERE / "test.lock", HERE / "oracles.lock"]
            (folder / "all").mkdir()
            (folder / "all/output.lock").write_text(
                "".join(path.read_text() for path in present if path.exists())
            )
        whole = compile_lock(resolver, folder / "all", everything, "")
        locks = {
            "base": compile_lock(resolver, folder / "base", base, whole),
            "test": compile_lock(resolver, folder / "test", [*base, *extras["test"]], whole),
        }
        for lock, requirements in OLDER.items():
            standing = HERE / f"{lock}.lock"
            (folder / lock).mkdir()
            if standing.exists() and not upgrade:
                (folder / lock / "output.lock").write_text(standing.read_text())
            locks[lock] = compile_lock(resolver, folder / lock, requirements, "")
    tested = {name_package(entry) for entry in ENTRY.findall(locks["test"])}
    locks["oracles"] = "".join(
        entry for entry in ENTRY.findall(whole) if name_package(entry) not in tested
    )
    # Written at the very end, so that a failure leaves the present locks as they are.
    for lock, text in locks.items():
        (HERE / f"{lock}.lock").write_text("# Written by `make lock` from pyproject.toml.\n" + text)
        print(f"requirements/{lock}.lock: {len(ENTRY.findall(text))} entries")
    return 0


if __name__ == "__main__":
    sys.exit(main())
