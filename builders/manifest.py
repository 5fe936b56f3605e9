"""The manifest of a build: what it holds and how to make it again."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Any

from benchloom.builders.benchmark import benchmark
from benchloom.builders.errors import InputError
from benchloom.builders.files import dump_json
from benchloom.builders.recipe import Recipe

FORMAT = 1
NAME = "manifest.json"
SUMS = "SHA256SUMS"


@dataclass(frozen=True)
class Shard:
    """One parquet file of a split.

    Attributes:
        file: Its path, relative to the build's directory, with slashes.
        rows: Number of records.
        bytes: Size of the file.
        sha256: Hexadecimal SHA-256 of the file.
    """

    file: str
    rows: int
    bytes: int
    sha256: str


@dataclass(frozen=True)
class Split:
    """One split of a config: its records and the files that hold them."""

    rows: int
    labels: Mapping[str, int]
    digest: str
    shards: tuple[Shard, ...]

    @property
    def bytes(self) -> int:
        """Size of all shards."""
        return sum(shard.bytes for shard in self.shards)


@dataclass(frozen=True)
class Config:
    """One built config.

    Attributes:
        code: Fingerprint of the code and library versions that made it.
        packages: The versions themselves.
        splits: The splits by name, in order.
    """

    code: str
    packages: Mapping[str, str]
    splits: Mapping[str, Split]


@dataclass(frozen=True)
class Manifest:
    """What a build's directory holds and the recipe that makes it again."""

    recipe: Recipe
    version: str = "0.0.0"
    configs: Mapping[str, Config] = field(default_factory=dict)

    def with_configs(self, configs: Mapping[str, Config]) -> "Manifest":
        """Returns the manifest with these configs added or replaced, in the benchmark's order."""
        merged = {**self.configs, **configs}
        order = benchmark(self.recipe.benchmark).configs
        return replace(self, configs={name: merged[name] for name in order if name in merged})

    def files(self) -> list[str]:
        """Returns the paths of all shards and of the records' digests."""
        paths = []
        for config, built in self.configs.items():
            for split, holds in built.splits.items():
                paths += [shard.file for shard in holds.shards] + [records_file(config, split)]
        return paths

    def to_json(self) -> dict[str, Any]:
        """Returns the manifest as JSON values."""
        return {
            "format": FORMAT,
            "benchmark": self.recipe.benchmark,
            "version": self.version,
            "generation": self.recipe.generation,
            "recipe": self.recipe.to_json(),
            "configs": {
                name: {
                    "code": config.code,
                    "packages": dict(config.packages),
                    "splits": {
                        split: {
                            "rows": holds.rows,
                            "labels": dict(holds.labels),
                            "digest": holds.digest,
                            "shards": [vars(shard) for shard in holds.shards],
                        }
                        for split, holds in config.splits.items()
                    },
                }
                for name, config in self.configs.items()
            },
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "Manifest":
        """Returns the manifest that JSON values describe.

        Raises:
            KeyError, TypeError, ValueError: If they describe none.
        """
        _check_types(value["configs"])
        configs = {
            name: Config(
                config["code"],
                config["packages"],
                {
                    split: Split(
                        holds["rows"],
                        holds["labels"],
                        holds["digest"],
                        tuple(Shard(**shard) for shard in holds["shards"]),
                    )
                    for split, holds in config["splits"].items()
                },
            )
            for name, config in value["configs"].items()
        }
        return cls(Recipe.from_json(value["recipe"]), value["version"], configs)

    def to_text(self) -> str:
        """Returns the text of manifest.json."""
        return dump_json(self.to_json())


def leaves_folder(file: str) -> bool:
    """Tells whether a path that should be relative leads out of its folder."""
    return "\0" in file or PurePosixPath(file).is_absolute() or ".." in PurePosixPath(file).parts


def records_file(config: str, split: str) -> str:
    """Returns the path of a split's digests, relative to the build's directory."""
    return f"records/{config}-{split}.parquet"


def has_manifest(directory: Path) -> bool:
    """Tells whether a directory holds a build."""
    return (directory / NAME).is_file()


def read_manifest(directory: Path) -> Manifest:
    """Returns the manifest of a build.

    Raises:
        InputError: If there is none, or it is damaged or made by a newer version.
    """
    path = directory / NAME
    if not directory.is_dir():
        raise InputError(f"{directory} is no directory; name the --out of a build")
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise InputError(
            f"{directory} holds no {NAME}; name the --out of a finished build"
        ) from None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None
    return parse_manifest(content, str(path), "build again with --overwrite")


def parse_manifest(content: bytes, where: str, remedy: str) -> Manifest:
    """Returns the manifest that the bytes of a manifest.json hold.

    Args:
        content: The bytes.
        where: What they are, for messages.
        remedy: What to do if they are damaged, for messages.

    Raises:
        InputError: If they are damaged or made by a newer version.
    """
    try:
        value = json.loads(content)
        if not isinstance(value, dict):
            raise TypeError("it is no JSON object")
        if isinstance(value.get("format"), int) and value["format"] > FORMAT:
            raise InputError(
                f"{where} has format {value['format']}, made by a newer benchloom; "
                f"this one reads formats up to {FORMAT}, so upgrade benchloom"
            )
        return Manifest.from_json(value)
    except InputError:
        raise
    except KeyError as error:
        raise InputError(f"{where} is damaged (it lacks {error}); {remedy}") from None
    except (TypeError, ValueError, AttributeError) as error:
        raise InputError(f"{where} is damaged ({error}); {remedy}") from None


def read_sums(directory: Path) -> dict[str, str]:
    """Returns the SHA-256 of each file that SHA256SUMS lists; empty when there is no such file.

    Raises:
        InputError: If a line cannot be read.
    """
    path = directory / SUMS
    return parse_sums(path.read_bytes(), str(path)) if path.is_file() else {}


def parse_sums(
    content: bytes, where: str, remedy: str = "build again to write it anew"
) -> dict[str, str]:
    """Returns the SHA-256 of each file that the bytes of a SHA256SUMS list.

    Args:
        content: The bytes.
        where: What they are, for messages.
        remedy: What to do if they are damaged, for messages.

    Raises:
        InputError: If a line cannot be read.
    """
    sums = {}
    for number, line in enumerate(content.decode(errors="replace").splitlines(), 1):
        digest, _, file = line.partition("  ")
        if len(digest) != 64 or not file:
            raise InputError(f"{where} line {number} is no checksum; {remedy}")
        sums[file] = digest
    return sums


def _check_types(configs: Mapping[str, Any]) -> None:
    """Refuses numbers and paths of configs that no build writes.

    Raises:
        ValueError: If there is one.
    """
    for name, config in configs.items():
        if not config["splits"]:
            raise ValueError(f"config {name} has no splits")
        for split, holds in config["splits"].items():
            shards = holds["shards"]
            numbers = [holds["rows"], *holds["labels"].values()]
            numbers += [shard[key] for shard in shards for key in ("rows", "bytes")]
            if any(type(number) is not int or number < 0 for number in numbers):
                raise ValueError(f"{name} {split} has a count that is none")
            if any(leaves_folder(shard["file"]) for shard in shards):
                raise ValueError(f"{name} {split} has a shard outside of its folder")
