"""Reading a finished build: its manifest, its records, its columns."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from benchloom.builders.benchmark import Benchmark, Record, benchmark
from benchloom.builders.errors import InputError
from benchloom.builders.files import sha256_of
from benchloom.builders.manifest import Manifest, Shard, read_manifest, records_file
from benchloom.builders.seeds import rng
from benchloom.builders.shards import column_names, read_columns, read_records


class Build:
    """A finished build in a directory.

    Attributes:
        directory: Where it is.
        manifest: What it holds.
        benchmark: What it is a build of.

    Raises:
        InputError: If the directory holds no finished build, or its manifest is damaged.
    """

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.manifest: Manifest = read_manifest(directory)
        self.benchmark: Benchmark = benchmark(self.manifest.recipe.benchmark)

    def splits(self) -> Iterator[tuple[str, str]]:
        """Yields every config and split, in order."""
        for config, built in self.manifest.configs.items():
            for split in built.splits:
                yield config, split

    def rows(self, config: str, split: str) -> int:
        """Returns the number of records of a split."""
        return self.manifest.configs[config].splits[split].rows

    def changed_files(self) -> list[str]:
        """Returns a sentence for each shard that is missing or has other bytes."""
        faults = []
        for config, split in self.splits():
            for shard in self._shards(config, split):
                path = self.directory / shard.file
                if not path.is_file():
                    faults.append(f"{shard.file} is missing")
                elif sha256_of(path) != shard.sha256:
                    faults.append(
                        f"{shard.file} is not the file that was built: its SHA-256 differs"
                    )
        return faults

    def records(
        self, config: str, split: str, indices: Sequence[int] | None = None
    ) -> Iterator[tuple[int, Record]]:
        """Yields the records of a split with their places, all or those at ascending `indices`.

        Raises:
            InputError: If a shard is missing or cannot be read.
        """
        first = 0
        for shard in self._shards(config, split):
            if indices is None:
                wanted = None
            else:
                wanted = {index - first for index in indices if first <= index < first + shard.rows}
                if not wanted:
                    first += shard.rows
                    continue
            for place, record in self._read(shard, wanted):
                yield first + place, record
            first += shard.rows

    def columns(self, config: str, split: str) -> "Columns":
        """Returns every column of a split but the images, as lists, each read when asked for."""
        return Columns([self.directory / shard.file for shard in self._shards(config, split)])

    def digests(self, config: str, split: str) -> tuple[list[str], list[bytes]]:
        """Returns the ids and the digests of a split's records, in order.

        Raises:
            InputError: If their file is missing or cannot be read.
        """
        try:
            table = read_columns([self.directory / records_file(config, split)], ["id", "digest"])
        except OSError as error:
            raise _unreadable(error) from None
        return table["id"], table["digest"]

    def sample(self, config: str, split: str, count: int | None) -> list[int]:
        """Returns ascending places in a split: all, or `count` spread by a fixed random choice."""
        rows = self.rows(config, split)
        if count is None or count >= rows:
            return list(range(rows))
        chosen = rng("sample", config, split, count).choice(rows, size=count, replace=False)
        return sorted(int(index) for index in chosen)

    def _shards(self, config: str, split: str) -> Sequence[Shard]:
        return self.manifest.configs[config].splits[split].shards

    def _read(self, shard: Shard, wanted: set[int] | None) -> Iterator[tuple[int, Record]]:
        start, stop = (0, shard.rows) if wanted is None else (min(wanted), max(wanted) + 1)
        try:
            for place, record in enumerate(
                read_records(self.directory / shard.file, start, stop), start
            ):
                if wanted is None or place in wanted:
                    yield place, record
        except OSError as error:
            raise _unreadable(error) from None


class Columns(Mapping[str, list[Any]]):
    """The columns of some parquet files but the images, each read when it is first asked for.

    Raises:
        InputError: When a file is missing or cannot be read.
    """

    def __init__(self, paths: Sequence[Path]) -> None:
        self._paths = paths
        self._read: dict[str, list[Any]] = {}

    @cached_property
    def _names(self) -> list[str]:
        try:
            return column_names(self._paths[0])
        except OSError as error:
            raise _unreadable(error) from None

    def __getitem__(self, name: str) -> list[Any]:
        if name not in self._names:
            raise KeyError(name)
        if name not in self._read:
            try:
                self._read |= read_columns(self._paths, [name])
            except OSError as error:
                raise _unreadable(error) from None
        return self._read[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def _unreadable(error: OSError) -> InputError:
    return InputError(f"a file cannot be read, build again to make it anew: {error}")
