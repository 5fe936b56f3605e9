"""What determines every byte of a build."""

import hashlib
import importlib.metadata
import inspect
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from benchloom.builders.benchmark import Benchmark, benchmark
from benchloom.builders.errors import InputError
from benchloom.builders.files import sha256_of


@dataclass(frozen=True)
class Recipe:
    """What determines every byte of a build; further configs of one recipe add up in one directory.

    Attributes:
        benchmark: The benchmark's name.
        generation: The generation of its records.
        seed: The user's seed, 0 or greater.
        limit: The first so many records of each split, or None for all.
        options: What differs from the published benchmark, as JSON values; of an input folder the
            digest of its content.
        inputs: The folders on this machine that such options were given as, by the options' names.
            No byte of a build depends on where they are, so no manifest names them.

    Raises:
        InputError: If a value cannot be used.
    """

    benchmark: str
    generation: int
    seed: int = 0
    limit: int | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    inputs: Mapping[str, Path] = field(default_factory=dict, compare=False, repr=False)

    def __post_init__(self) -> None:
        if not _is_integer(self.seed) or self.seed < 0:
            raise InputError(f"the seed must be a whole number from 0 up, not {self.seed!r}")
        if self.limit is not None and (not _is_integer(self.limit) or self.limit < 1):
            raise InputError(f"the limit must be a whole number from 1 up, not {self.limit!r}")

    @classmethod
    def of(
        cls,
        name: str,
        *,
        seed: int = 0,
        limit: int | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> "Recipe":
        """Returns the recipe of a benchmark as this version of the code builds it.

        Raises:
            InputError: If the benchmark does not exist or an option cannot be used.
        """
        of = benchmark(name)
        given = dict(options or {})
        inputs = {key: Path(given[key]) for key in _folder_options(of) if given.get(key)}
        return cls(name, of.generation, seed, limit, of.resolve({**given, **inputs}), inputs)

    def with_folder(self, folder: Path) -> "Recipe":
        """Returns the recipe with the folder it was made from, of which a manifest has the digest.

        Raises:
            InputError: If it was made from no folder or the content of this one is another.
        """
        of = benchmark(self.benchmark)
        names = [name for name in _folder_options(of) if name in self.options]
        if not names:
            raise InputError("this build was not made from a folder; leave out --from")
        (name,) = names
        inputs = {name: Path(folder)}
        found = of.resolve({**self.options, **inputs})[name]
        if found != self.options[name]:
            raise InputError(
                f"{folder}: this is not what the build was made from (its digest is {found}, that "
                f"of the build's --{name.replace('_', '-')} is {self.options[name]}); "
                "name the folder as it was then"
            )
        return replace(self, inputs=inputs)

    def folder(self, option: str) -> Path:
        """Returns the folder that an option was given as.

        Raises:
            InputError: If it is not known where that is, because a manifest holds its digest only.
        """
        if option not in self.inputs:
            raise InputError(
                f"this build was made from a folder (--{option.replace('_', '-')}); "
                "name it with --from FOLDER"
            )
        return self.inputs[option]

    def to_json(self) -> dict[str, Any]:
        """Returns the recipe as the manifest holds it."""
        return {
            "benchmark": self.benchmark,
            "generation": self.generation,
            "seed": self.seed,
            "limit": self.limit,
            "options": dict(self.options),
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "Recipe":
        """Returns the recipe that a manifest holds.

        Raises:
            InputError: If the value is no recipe.
        """
        try:
            return cls(**{**value, "inputs": {}})
        except TypeError as error:
            raise InputError(
                f"the recipe is damaged ({error}); build again with --overwrite"
            ) from None

    def differences(self, other: "Recipe") -> list[str]:
        """Returns how another recipe differs from this one, a phrase for each field."""
        mine, others = (_fields(recipe) for recipe in (self, other))
        return [
            f"{name} {mine.get(name, 'none')} there, {others.get(name, 'none')} here"
            for name in dict.fromkeys((*mine, *others))
            if mine.get(name) != others.get(name)
        ]

    def command(self, configs: Sequence[str] = ()) -> str:
        """Returns the command line that carries out the recipe, without its `--out`.

        In the place of an input folder stands the word FOLDER.
        """
        folders = _folder_options(benchmark(self.benchmark))
        words = ["benchloom build", self.benchmark, *configs]
        words += ["--seed", str(self.seed)] if self.seed else []
        words += ["--limit", str(self.limit)] if self.limit is not None else []
        for name, value in self.options.items():
            if value is True:
                values = []
            elif name in folders:
                values = ["FOLDER"]
            elif isinstance(value, Mapping):
                values = [f"{key}={item}" for key, item in value.items()]
            else:
                values = [str(item) for item in (value if isinstance(value, list) else [value])]
            words += [f"--{name.replace('_', '-')}", *values]
        return " ".join(words)


def chosen_configs(recipe: Recipe, names: Sequence[str]) -> tuple[str, ...]:
    """Returns the configs that were asked for, in the benchmark's order.

    When none was named these are those that the benchmark offers under this recipe; so are the
    parts of a combined config.

    Raises:
        InputError: If a name is unknown.
    """
    of = benchmark(recipe.benchmark)
    wanted: set[str] = set()
    for name in names:
        if name not in of.configs and name not in of.combined_configs:
            known = ", ".join((*of.configs, *of.combined_configs))
            raise InputError(f"{of.name} has no config {name!r}; choose from {known}")
        if parts := of.combined_configs.get(name):
            wanted.update(set(parts) & set(of.offered(recipe)))
        else:
            wanted.add(name)
    wanted = wanted or set(of.offered(recipe))
    return tuple(name for name in of.configs if name in wanted)


def code_fingerprint(of: Benchmark) -> str:
    """Returns a digest of the code and library versions a benchmark's bytes depend on.

    Work that was done by other code is done again, never mixed in.
    """
    digest = hashlib.blake2b(digest_size=16)
    folder = Path(__file__).parent
    own = Path(inspect.getfile(type(of))).parent
    for part in (folder, folder / "graphs", folder / "graphs" / "data", *_with_packages(own)):
        for file in sorted(path for path in part.iterdir() if path.is_file()):
            digest.update(f"{file.name}\0{sha256_of(file)}\0".encode())
    for name, version in package_versions(of).items():
        digest.update(f"{name}=={version}\0".encode())
    return digest.hexdigest()


def _with_packages(folder: Path) -> list[Path]:
    """Returns a folder and the packages below it, such as that of the serialisers."""
    below = sorted(path.parent for path in folder.rglob("__init__.py"))
    return [folder, *(path for path in below if path != folder)]


def package_versions(of: Benchmark) -> dict[str, str]:
    """Returns the versions of Python and of packages that may change a benchmark's bytes."""
    versions = {name: importlib.metadata.version(name) for name in ("benchloom", *of.packages)}
    return {"python": platform.python_version(), **versions}


def _folder_options(of: Benchmark) -> list[str]:
    """Returns the names of the options that are folders; a recipe has one of them at most."""
    return [option.name for option in of.options if option.kind is Path]


def _fields(recipe: Recipe) -> dict[str, str]:
    """Returns what a recipe states, name by name, in words; what is left open is left out."""
    fields = recipe.to_json()
    fields |= fields.pop("options")
    words = {}
    for name, value in fields.items():
        if isinstance(value, Mapping):
            words[name] = " ".join(f"{key}={item}" for key, item in value.items())
        elif value is not None:
            words[name] = " ".join(map(str, value)) if isinstance(value, list) else str(value)
    return words


def _is_integer(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
