"""Reading a finished build: its manifest, its records, its columns."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from benchloom.builders.benchmark import Benchmark, Record, benchmark
from benchloom.builders.errors import InputError
from benchloom.builders.files import sha256_of
from benchloom.builders.manifest import (
    NAME,
    SUMS,
    Manifest,
    Shard,
    leaves_folder,
    read_manifest,
    read_sums,
    records_file,
)
from benchloom.builders.seeds import rng
from benchloom.builders.shards import (
    column_names,
    read_columns,
    read_records,
    read_rows,
    shape_of,
)
from benchloom.builders.stage import CARD, FOLDER

ANEW = "; build again to make it anew"
"""What to do about a shard that cannot be read."""


class Build:
    """A finished build in a directory.

    Attributes:
        directory: Where it is.
        manifest: What it holds.
        benchmark: What it is a build of.

    Args:
        directory: Where it is.
        manifest: What it holds, by default what the directory's manifest says.
        places: Where files are that have not come to the directory yet.

    Raises:
        InputError: If the directory holds no finished build, or its manifest is damaged.
    """

    def __init__(
        self,
        directory: Path,
        manifest: Manifest | None = None,
        places: Mapping[str, Path] | None = None,
    ) -> None:
        try:
            str(directory.absolute()).encode()
        except UnicodeEncodeError:
            raise InputError(f"{str(directory)!r} is no UTF-8; rename the folder") from None
        if (directory / FOLDER / "commit.json").exists():
            raise InputError(
                f"a build was cut short as it came to its place in {directory}; "
                "run the command that made it once more"
            )
        self.directory = directory
        self.manifest: Manifest = manifest or read_manifest(directory)
        self.benchmark: Benchmark = benchmark(self.manifest.recipe.benchmark)
        for config in self.manifest.configs:
            if config not in self.benchmark.configs:
                raise InputError(
                    f"{directory} holds a config {config}, which {self.benchmark.name} of this "
                    "benchloom does not have; use the version that its manifest names"
                )
        self._places = dict(places or {})

    def locate(self, file: str) -> Path:
        """Returns where a file is, which is named as in the manifest."""
        return self._places.get(file, self.directory / file)

    def splits(self) -> Iterator[tuple[str, str]]:
        """Yields every config and split, in order."""
        for config, built in self.manifest.configs.items():
            for split in built.splits:
                yield config, split

    def rows(self, config: str, split: str) -> int:
        """Returns the number of records of a split."""
        return self.manifest.configs[config].splits[split].rows

    def file_faults(self) -> list[str]:
        """Returns a sentence for each file that is not as it was built.

        Shards are held against the manifest, all files against SHA256SUMS; a parquet file beside
        the shards that is of no build is named too, for a glob might take it in.
        """
        faults = self.shard_faults()
        named = {fault.partition(" ")[0] for fault in faults}
        sums = read_sums(self.directory)
        wanted = [NAME, CARD, *self.manifest.files()]
        if missing := [file for file in wanted if file not in sums]:
            faults.append(f"{SUMS} does not list {', '.join(missing)}")
        for file, digest in sums.items():
            path = self.locate(file)
            if file in named:
                continue
            if leaves_folder(file):
                faults.append(f"{SUMS} lists {file}, which is outside of the folder")
            elif not path.is_file():
                faults.append(f"{file} is missing")
            elif sha256_of(path) != digest:
                faults.append(f"{file} is not the file that was built: its SHA-256 differs")
        for config in self.manifest.configs:
            for path in sorted((self.directory / config).glob("*.parquet")):
                file = f"{config}/{path.name}"
                if file not in wanted:
                    faults.append(f"{file} is of no build, and may be loaded with it; remove it")
        return faults

    def shard_faults(self, config: str | None = None, split: str | None = None) -> list[str]:
        """Returns a sentence for each shard that is missing, cannot be read or has other bytes."""
        faults = []
        for of in self.splits():
            if config in (None, of[0]) and split in (None, of[1]):
                for shard in self._shards(*of):
                    if fault := self._shape_fault(of[0], shard):
                        faults.append(fault)
                    elif sha256_of(self.locate(shard.file)) != shard.sha256:
                        faults.append(
                            f"{shard.file} is not the file that was built: its SHA-256 differs"
                        )
        return faults

    def is_readable(self, config: str, split: str) -> bool:
        """Tells whether all shards of a split have the rows and columns that they should."""
        return not any(self._shape_fault(config, shard) for shard in self._shards(config, split))

    def _shape_fault(self, config: str, shard: Shard) -> str:
        """Returns what is wrong with a shard's shape, nothing when nothing is."""
        path = self.locate(shard.file)
        if not path.is_file():
            return f"{shard.file} is missing"
        try:
            rows, names = shape_of(path)
        except OSError as error:
            reason = " ".join(str(error).removeprefix(f"{path}: ").split())
            return f"{shard.file} cannot be read: {reason}"
        if rows != shard.rows:
            return f"{shard.file} has {rows} records, the manifest says {shard.rows}"
        declared = list(self._columns(config))
        if names != declared:
            lacking = [name for name in declared if name not in names]
            besides = [name for name in names if name not in declared]
            words = [f"lacks {', '.join(lacking)}"] if lacking else []
            words += [f"has {', '.join(besides)} besides"] if besides else []
            return f"{shard.file} {' and '.join(words) or 'has its columns in another order'}"
        return ""

    @cache  # noqa: B019  (builds are few, and live as long as the command)
    def _columns(self, config: str) -> tuple[str, ...]:
        return tuple(self.benchmark.features(config))

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
            self._check_shape(config, shard)
            for place, record in self._read(shard, wanted):
                yield first + place, record
            first += shard.rows

    def rows_without_images(self, config: str, split: str) -> Iterator[Record]:
        """Yields the records of a split without their images, which are not read.

        Raises:
            InputError: If a shard is missing or cannot be read.
        """
        for shard in self._shards(config, split):
            self._check_shape(config, shard)
            try:
                yield from read_rows(self.locate(shard.file))
            except OSError as error:
                raise _unreadable(error) from None

    def find(self, name: str) -> tuple[str, Record]:
        """Returns the config and the record of an id.

        Raises:
            InputError: If there is none, with an id that exists for comparison.
        """
        for config, split in self.splits():
            ids, _ = self.digests(config, split)
            if name in ids:
                ((_, record),) = self.records(config, split, [ids.index(name)])
                return config, record
        config, split = next(self.splits())
        example = self.digests(config, split)[0][0]
        raise InputError(f"{self.directory} has no record {name!r}; an id looks like {example}")

    def columns(self, config: str, split: str) -> "Columns":
        """Returns every column of a split but the images, as lists, each read when asked for.

        Raises:
            InputError: If a shard is missing or has not the rows and columns that it should.
        """
        for shard in self._shards(config, split):
            self._check_shape(config, shard)
        return Columns([self.locate(shard.file) for shard in self._shards(config, split)])

    def digests(self, config: str, split: str) -> tuple[list[str], list[bytes]]:
        """Returns the ids and the digests of a split's records, in order.

        Raises:
            InputError: If their file is missing or cannot be read.
        """
        try:
            table = read_columns([self.locate(records_file(config, split))], ["id", "digest"])
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

    def _check_shape(self, config: str, shard: Shard) -> None:
        if fault := self._shape_fault(config, shard):
            raise InputError(f"{self.directory}: {fault}{ANEW}")

    def _read(self, shard: Shard, wanted: set[int] | None) -> Iterator[tuple[int, Record]]:
        start, stop = (0, shard.rows) if wanted is None else (min(wanted), max(wanted) + 1)
        try:
            for place, record in enumerate(
                read_records(self.locate(shard.file), start, stop), start
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
    path, suffix, reason = " ".join(str(error).split()).partition(".parquet: ")
    text = f"{path}.parquet cannot be read ({reason})" if suffix else str(error)
    return InputError(f"{text}{ANEW}")
