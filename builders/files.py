"""Files that are whole or not there."""

import hashlib
import json
import os
from pathlib import Path
from typing import Any


def sha256_of(path: Path) -> str:
    """Returns the hexadecimal SHA-256 of a file's bytes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def sync(path: Path) -> None:
    """Waits until a file or folder is on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_whole(path: Path, content: bytes | str) -> None:
    """Writes a file so that it is either the old one or wholly the new one, whatever happens.

    Raises:
        OSError: If the disk is full or the path cannot be written; the old file is then untouched.
    """
    data = content.encode() if isinstance(content, str) else content
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with aside.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        aside.replace(path)
    except BaseException:
        aside.unlink(missing_ok=True)
        raise
    sync(path.parent)


def move(source: Path, target: Path) -> None:
    """Moves a finished file to its place on the same disk, in one step that survives a crash."""
    target.parent.mkdir(parents=True, exist_ok=True)
    source.replace(target)
    sync(target.parent)


def dump_json(value: Any) -> str:
    """Returns JSON as files of a build hold it: keys in the order given, two spaces, a newline."""
    return json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
