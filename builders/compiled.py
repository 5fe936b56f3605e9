"""Loops compiled by numba, once per machine and version of the code."""

import contextlib
import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

import numba

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """Returns the function compiled to machine code, kept on disk for other processes.

    No fastmath and no parallel loops: results are the same to the last bit on every IEEE machine.
    Where no folder can be written, the code is compiled anew in every process.
    """
    folder = cache_folder()
    set_by_user = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder or "")
    try:  # the folder is looked up here, once, so others' compiled code stays where it is
        made = numba.njit(cache=folder is not None, error_model="numpy")(function)
    finally:
        numba.config.CACHE_DIR = set_by_user
    return made  # type: ignore[no-any-return]


@lru_cache(maxsize=1)
def cache_folder() -> Path | None:
    """Returns the folder that keeps compiled code, None where none can be written.

    Its name has a digest of all modules of the folders that hold compiled code: numba looks only at
    the file a function stands in, and would take old code for new when something that it calls, or
    a constant that it uses, has changed. Compiled code calls and uses nothing from other folders.
    """
    sources = Path(__file__).parent
    texts = {path: path.read_bytes() for path in sorted(sources.rglob("*.py"))}
    folders = {path.parent for path, text in texts.items() if b"@compiled\n" in text}
    digest = hashlib.blake2b(digest_size=8)
    for path, text in texts.items():
        if path.parent in folders or path == Path(__file__):
            digest.update(str(path.relative_to(sources)).encode() + b"\0" + text)
    name = f"numba-{digest.hexdigest()}"
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    given = numba.config.CACHE_DIR
    places = [sources / "__pycache__", cache / "benchloom", _own_temporary_folder()]
    for place in [Path(given)] if given else places:
        try:
            (place / name).mkdir(parents=True, exist_ok=True)
            if (place / name).stat().st_uid != os.getuid():
                continue  # code is not taken from a folder of someone else's
            with tempfile.TemporaryFile(dir=place / name):
                pass
        except OSError:
            continue
        if place == places[0] and not given:
            for old in set(place.glob("numba-*")) - {place / name}:
                shutil.rmtree(old, ignore_errors=True)
        return place / name
    return None


def _own_temporary_folder() -> Path:
    """Returns a folder for temporary files that is this user's alone, if it can be made."""
    place = Path(tempfile.gettempdir()) / f"benchloom-{os.getuid()}"
    with contextlib.suppress(OSError):
        place.mkdir(mode=0o700, exist_ok=True)
    return place
