import os
import shutil
import subprocess
import sys
from pathlib import Path

import benchloom.builders.compiled as module

CALLER = """
from compiled import compiled
from inner import base


@compiled
def value(x: int) -> int:
    return base(x) + 1
"""
INNER = """
from compiled import compiled


@compiled
def base(x: int) -> int:
    return x * {factor}
"""


def run(folder: Path, code: str, **environment: str) -> str:
    """What a program prints that takes the package's compiler from a copy beside other kernels."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder), **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_a_change_in_what_a_kernel_calls_is_seen(tmp_path: Path) -> None:
    """numba alone would go on with the old code: the caller's own file has not changed."""
    shutil.copy(str(module.__file__), tmp_path / "compiled.py")
    (tmp_path / "outer.py").write_text(CALLER)
    for factor, expected in ((2, "7"), (10, "31"), (2, "7")):
        (tmp_path / "inner.py").write_text(INNER.format(factor=factor))
        assert run(tmp_path, "from outer import value; print(value(3))") == expected
        kept = list((tmp_path / "__pycache__").glob("numba-*"))
        assert len(kept) == 1, "old code is removed"


def test_where_nothing_can_be_written_code_is_compiled_in_memory(tmp_path: Path) -> None:
    shutil.copy(str(module.__file__), tmp_path / "compiled.py")
    (tmp_path / "inner.py").write_text(INNER.format(factor=4))
    (tmp_path / "__pycache__").write_text("in the way")
    code = (
        "from inner import base; from compiled import cache_folder; print(base(3), cache_folder())"
    )
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    nowhere = {"XDG_CACHE_HOME": str(tmp_path / "__pycache__"), "TMPDIR": str(temporary)}
    own = temporary / f"benchloom-{os.getuid()}"
    assert run(tmp_path, code, **nowhere).startswith(f"12 {own}")
    assert own.stat().st_mode & 0o777 == 0o700
    shutil.rmtree(own)
    own.write_text("in the way")
    assert run(tmp_path, code, **nowhere) == "12 None"
    elsewhere = run(tmp_path, code, XDG_CACHE_HOME=str(tmp_path / "cache"))
    assert elsewhere.startswith(f"12 {tmp_path / 'cache' / 'benchloom'}")
