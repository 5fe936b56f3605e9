"""The hidden folder in which a build grows until it is whole.

`DIR/.benchloom-build` holds finished shards, each with a note beside it, and parts being written.
Nothing of it is seen by `load_dataset`. When all shards of a build are there, a list of moves is
written and carried out; a crash in the middle is made good by the next command, which carries out
the rest of the list first.
"""

import fcntl
import json
import os
import shutil
import signal
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from benchloom.builders.errors import InputError
from benchloom.builders.files import dump_json, move, sha256_of, sync, write_whole

FOLDER = ".benchloom-build"
CARD = "README.md"
UNFINISHED_CARD = """\
---
configs:
- config_name: unfinished
  data_files: unfinished/*.parquet
---

A build is being brought to its place here. Run the command that made it once more to finish it.
"""


@dataclass(frozen=True)
class ShardNote:
    """What is known of a finished shard.

    Attributes:
        rows: Number of records.
        bytes: Size of the file.
        sha256: Hexadecimal SHA-256 of the file.
        labels: How often each label occurs.
        ids: The records' ids, in order.
        digests: The records' digests, in order, hexadecimal.
    """

    rows: int
    bytes: int
    sha256: str
    labels: Mapping[str, int]
    ids: Sequence[str]
    digests: Sequence[str]

    def write(self, path: Path) -> None:
        """Writes the note, whole or not at all."""
        write_whole(path, json.dumps(vars(self)))

    @classmethod
    def read(cls, path: Path) -> "ShardNote":
        """Returns the note that a file holds.

        Raises:
            OSError, ValueError, TypeError: If it holds none.
        """
        return cls(**json.loads(path.read_bytes()))


def note_path(shard: Path) -> Path:
    """Returns the path of the note beside a shard."""
    return shard.with_name(shard.name + ".json")


class Stage:
    """The hidden folder of one directory, locked as long as this object is open.

    Attributes:
        directory: The build's directory.
        folder: The hidden folder.
        parts: Where the workers of this very run write; no other run ever reads it.
    """

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.folder = directory / FOLDER
        self.parts = self.folder / "parts" / f"{os.getpid()}-{time.time_ns()}"
        self._lock: IO[str] | None = None
        self._made = False

    def __enter__(self) -> "Stage":
        if (
            self.folder.is_dir()
            and any(self.folder.iterdir())
            and not (self.folder / "lock").exists()
        ):
            raise InputError(
                f"{self.folder} is not of benchloom; move it away or choose another --out"
            )
        self._made = not self.directory.exists()
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._lock = _locked(self.folder / "lock", self.directory)
            self.finish_commit()
            shutil.rmtree(self.folder / "parts", ignore_errors=True)
            self.parts.mkdir(parents=True, exist_ok=True)
        except (FileExistsError, NotADirectoryError):
            raise InputError(
                f"{self.directory} is a file or lies below one; choose a folder with --out"
            ) from None
        except OSError as error:
            place = error.filename2 or error.filename or self.directory
            raise InputError(f"{place} cannot be written: {error.strerror}") from None
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        shutil.rmtree(self.folder / "parts", ignore_errors=True)
        if not (self.folder / "shards").exists() and not (self.folder / "commit.json").exists():
            shutil.rmtree(self.folder, ignore_errors=True)
            if self._made:  # and nothing has come into it
                with suppress(OSError):
                    self.directory.rmdir()
        if self._lock:
            self._lock.close()

    def recipe(self) -> dict[str, Any] | None:
        """Returns the recipe and code of the unfinished build here, None when there is none."""
        try:
            value: dict[str, Any] = json.loads((self.folder / "recipe.json").read_bytes())
        except (OSError, ValueError):
            return None
        return value

    def begin(self, recipe: Mapping[str, Any]) -> None:
        """Notes the recipe and code of the build that grows here."""
        write_whole(self.folder / "recipe.json", dump_json(recipe))

    def discard(self) -> None:
        """Removes what an unfinished build has left."""
        shutil.rmtree(self.folder / "shards", ignore_errors=True)
        (self.folder / "recipe.json").unlink(missing_ok=True)

    def shard(self, file: str) -> Path:
        """Returns where a finished shard waits for the commit."""
        return self.folder / "shards" / file

    def finished(self, file: str) -> ShardNote | None:
        """Returns the note of a finished shard, None when its bytes are not those noted."""
        path = self.shard(file)
        try:
            note = ShardNote.read(note_path(path))
            return note if sha256_of(path) == note.sha256 else None
        except (OSError, ValueError, TypeError):
            return None

    def keep(self, part: Path, file: str) -> ShardNote:
        """Takes a part that a worker has finished, with its note, among the finished shards."""
        note = ShardNote.read(note_path(part))
        move(part, self.shard(file))
        move(note_path(part), note_path(self.shard(file)))
        return note

    def write(self, file: str, content: bytes | str) -> Path:
        """Writes a further file that waits for the commit, and returns its path."""
        path = self.folder / "final" / file
        write_whole(path, content)
        return path

    def commit(self, files: Mapping[str, Path], stale: Sequence[str]) -> None:
        """Brings finished files to their places and removes those that are no longer wanted.

        Args:
            files: For each target, relative to the directory, where the file is now.
            stale: Files to remove, relative to the directory.
        """
        moves = [
            [str(path.relative_to(self.folder)), target]
            for target, path in files.items()
            if target != CARD
        ]
        gone = [file for file in stale if file not in files]
        replaced = gone or any((self.directory / file).exists() for file in files if file != CARD)
        todo = {
            "moves": [*moves, [str(files[CARD].relative_to(self.folder)), CARD]],
            "remove": gone,
            "replaced": bool(replaced),
        }
        write_whole(self.folder / "commit.json", dump_json(todo))
        self.finish_commit()

    def finish_commit(self) -> None:
        """Carries out what is left of a commit that was begun."""
        plan = self.folder / "commit.json"
        if not plan.is_file():
            return
        todo = json.loads(plan.read_bytes())
        with uninterrupted():
            self._carry_out(todo)
            plan.unlink()
        shutil.rmtree(self.folder / "final", ignore_errors=True)
        for source, _ in todo["moves"]:
            remove_empty_folders((self.folder / source).parent, self.folder)

    def _carry_out(self, todo: Mapping[str, Any]) -> None:
        """Moves and removes; while old and new files stand side by side, no card names them."""
        if todo["replaced"] and (self.folder / todo["moves"][-1][0]).is_file():
            write_whole(self.directory / CARD, UNFINISHED_CARD)
        for source, target in todo["moves"]:
            if (self.folder / source).is_file():
                move(self.folder / source, self.directory / target)
                note_path(self.folder / source).unlink(missing_ok=True)
        for file in todo["remove"]:
            (self.directory / file).unlink(missing_ok=True)
            remove_empty_folders((self.directory / file).parent, self.directory)
        sync(self.directory)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Puts Ctrl-C off until the block, which takes a moment, has ended."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    pressed: list[object] = []
    before = signal.signal(signal.SIGINT, lambda *_: pressed.append(None))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if pressed:
        raise KeyboardInterrupt("interrupted; what had been finished is in its place")


def remove_empty_folders(folder: Path, top: Path) -> None:
    """Removes a folder and those above it, up to but without `top`, as far as they are empty."""
    while folder != top and folder.is_relative_to(top):
        try:
            folder.rmdir()
        except FileNotFoundError:
            pass
        except OSError:
            return
        folder = folder.parent


def _locked(path: Path, directory: Path) -> IO[str]:
    """Returns the lock file, locked; a lock ends with its process, however that ends."""
    while True:
        file = path.open("a+")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
            raise InputError(
                f"another build is running in {directory}; wait until it ends or stop it"
            ) from None
        try:
            if os.fstat(file.fileno()).st_ino == path.stat().st_ino:
                return file
        except FileNotFoundError:  # the build that held it has just ended and removed it
            path.parent.mkdir(parents=True, exist_ok=True)
        file.close()
