"""Reading a release, from a build's directory or from the Hub."""

from __future__ import annotations

import io
import json
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from benchloom.builders.errors import InputError
from benchloom.builders.manifest import (
    NAME,
    SUMS,
    Manifest,
    parse_manifest,
    parse_sums,
    records_file,
)
from benchloom.builders.records import COLUMNS, split_digest

if TYPE_CHECKING:
    from benchloom.loaders.hub.client import Hub, RemoteFile

REPO = re.compile(r"[\w.-]+/[\w.-]+", re.ASCII)


@dataclass(frozen=True)
class RecordList:
    """The records of one split as `records/` lists them.

    Attributes:
        columns: Their columns by name, in order, each with its declared type.
        ids: Their ids, in order.
        digests: Their digests, in order.
    """

    columns: Mapping[str, Any]
    ids: Sequence[str]
    digests: Sequence[bytes]


Records = Mapping[tuple[str, str], RecordList]
"""The records of a release by config and split."""


class Release(ABC):
    """A release or a build that has not been released, wherever it is.

    Attributes:
        where: Its name in sentences.
    """

    where: str

    @abstractmethod
    def open(self, file: str) -> BinaryIO:
        """Returns a file for reading piece by piece.

        Raises:
            InputError: If it is not there or cannot be read.
        """

    def read(self, file: str) -> bytes:
        """Returns the bytes of a file.

        Raises:
            InputError: If it is not there or cannot be read.
        """
        with self.open(file) as content:
            return content.read()

    @cached_property
    def manifest(self) -> Manifest:
        """What it holds.

        Raises:
            InputError: If there is no manifest, or a damaged one.
        """
        return parse_manifest(
            self.read(NAME), f"{NAME} of {self.where}", "name another release or build again"
        )

    def sums(self) -> dict[str, str]:
        """Returns the SHA-256 of each file but SHA256SUMS itself.

        Raises:
            InputError: If SHA256SUMS is not there or damaged.
        """
        return parse_sums(self.read(SUMS), f"{SUMS} of {self.where}")

    def records(self) -> Records:
        """Returns all ids and digests, by config and split; read once.

        Raises:
            InputError: If a file of `records/` is not there, damaged or not that of the manifest.
        """
        return self._records

    @cached_property
    def _records(self) -> Records:
        return {
            (config, split): self._records_of(config, split)
            for config, built in self.manifest.configs.items()
            for split in built.splits
        }

    def rows(
        self,
        config: str,
        split: str,
        indices: Sequence[int] | None = None,
        columns: Sequence[str] | None = None,
    ) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yields records with their places; of the files, only the row groups that hold them.

        Args:
            config: The config.
            split: The split.
            indices: Ascending places; all by default.
            columns: The columns, all by default.

        Raises:
            InputError: If a shard is not there or damaged.
        """
        import pyarrow as pa
        import pyarrow.parquet as pq

        first = 0
        for shard in self.manifest.configs[config].splits[split].shards:
            wanted = _within(indices, first, first + shard.rows)
            if wanted:
                try:
                    with self.open(shard.file) as content, pq.ParquetFile(content) as parquet:
                        for group in range(parquet.num_row_groups):
                            stop = first + parquet.metadata.row_group(group).num_rows
                            if chosen := _within(wanted, first, stop):
                                table = parquet.read_row_group(group, columns=columns)
                                taken = table.take([index - first for index in chosen])
                                yield from zip(chosen, taken.to_pylist(), strict=True)
                            first = stop
                except (pa.ArrowException, OSError) as error:
                    raise InputError(f"{shard.file} of {self.where} is damaged: {error}") from None
            else:
                first += shard.rows

    def _records_of(self, config: str, split: str) -> RecordList:
        import pyarrow as pa
        import pyarrow.parquet as pq

        file = records_file(config, split)
        try:
            table = pq.ParquetFile(io.BytesIO(self.read(file))).read()
            columns = json.loads((table.schema.metadata or {})[COLUMNS.encode()])
            found = RecordList(
                columns, table.column("id").to_pylist(), table.column("digest").to_pylist()
            )
        except (pa.ArrowException, OSError, KeyError, ValueError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError(
                f"{file} of {self.where} is damaged or made by an older benchloom; "
                "build again with --overwrite, or name another release"
            ) from None
        holds = self.manifest.configs[config].splits[split]
        if len(found.ids) != holds.rows or split_digest(found.digests) != holds.digest:
            raise InputError(
                f"{file} of {self.where} lists other records than its {NAME}; "
                "build again with --overwrite, or name another release"
            )
        return found


class DirectoryRelease(Release):
    """A build in a directory.

    Raises:
        InputError: If there is no finished build, or its manifest is damaged.
    """

    def __init__(self, directory: Path) -> None:
        from benchloom.loaders.directory import Build

        self.where = str(directory)
        self._directory = directory
        self.manifest = Build(directory).manifest

    def open(self, file: str) -> BinaryIO:
        """Returns a file for reading.

        Raises:
            InputError: If it is not there or cannot be read.
        """
        try:
            return (self._directory / file).open("rb")
        except OSError as error:
            raise InputError(
                f"{file} of {self.where} cannot be read: {error.strerror}; build again to mend it"
            ) from None


class HubRelease(Release):
    """A release on the Hub, read from the commit that its revision names when this is made.

    Attributes:
        commit: The commit's hash.

    Raises:
        HubFault: If there is no such repository or revision.
    """

    def __init__(self, hub: Hub, repo: str, revision: str = "main") -> None:
        self.where = f"{repo}@{revision}"
        self.commit = hub.commit(repo, revision)
        self._hub = hub
        self._repo = repo

    @cached_property
    def files(self) -> Mapping[str, RemoteFile]:
        """All files of the repository at that commit, by path."""
        return self._hub.tree(self._repo, self.commit)

    def open(self, file: str) -> BinaryIO:
        """Returns a file of which only what is asked for is fetched.

        Raises:
            HubFault: If it is not there; from its `read`, if it cannot be had.
        """
        from benchloom.loaders.hub.faults import HubFault

        if file not in self.files:
            raise HubFault(f"{self.where} has no file {file}; is it a release of benchloom?", 404)
        return self._hub.open(self._repo, self.commit, file, self.files[file].size)


def open_release(name: str, hub: Hub | None = None) -> Release:
    """Returns a release by its name.

    Args:
        name: The directory of a build, or `org/name[@revision]` on the Hub (by default `main`). A
            directory that exists wins.
        hub: The Hub; by default that of the user's environment.

    Raises:
        InputError: If the name is neither, or there is no release.
    """
    if name and Path(name).is_dir():
        return DirectoryRelease(Path(name))
    repo, at, revision = name.partition("@")
    if not REPO.fullmatch(repo) or (at and not revision):
        raise InputError(
            f"{name!r} is no directory; name that of a build, or org/name[@revision] on the Hub"
        )
    if hub is None:
        from benchloom.loaders.hub.client import Hub as Client

        hub = Client()
    return HubRelease(hub, repo, revision or "main")


def _within(indices: Sequence[int] | None, start: int, stop: int) -> Sequence[int]:
    """Returns those of ascending places that lie in start..stop-1; all of these for None."""
    from bisect import bisect_left

    if indices is None:
        return range(start, stop)
    return indices[bisect_left(indices, start) : bisect_left(indices, stop)]
