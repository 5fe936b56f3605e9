"""Loading a benchmark: from a directory, from the Hub, or built on the spot from a seed."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from benchloom.builders.benchmark import Benchmark, benchmark, benchmarks
from benchloom.builders.errors import InputError
from benchloom.builders.manifest import has_manifest, read_manifest
from benchloom.builders.recipe import Recipe, chosen_configs

if TYPE_CHECKING:
    from datasets import Dataset, DatasetDict, IterableDataset, IterableDatasetDict

    Loaded: TypeAlias = Dataset | DatasetDict | IterableDataset | IterableDatasetDict

CACHE = "BENCHLOOM_CACHE"
"""The environment variable that names the folder for what `load` builds."""

_VERSION = re.compile(r"v?(\d+\.\d+\.\d+)")


def load(
    what: str | os.PathLike[str],
    config: str | None = None,
    split: str | None = None,
    *,
    revision: str | None = None,
    seed: int = 0,
    limit: int | None = None,
    streaming: bool = False,
    options: Mapping[str, Any] | None = None,
    jobs: int | None = None,
) -> Loaded:
    """Returns a config of a benchmark as `datasets` gives it: one split, or all of them by name.

    An existing directory is opened; otherwise `org/name` is fetched from the Hub, and the name of a
    benchmark (`vga`) is built from the seed, once, into a cache that later calls open again. The
    cache is the folder that the variable BENCHLOOM_CACHE names, by default `~/.cache/benchloom`.

    Args:
        what: A directory, a repository on the Hub or the name of a benchmark.
        config: The config, by default the benchmark's own default.
        split: The split; all of them by default.
        revision: For the Hub a tag, a branch or a commit; a tag `v1.0.0` is held against the
            version that the data itself states, and so it is for a directory.
        seed: The seed of what is built. A directory or repository must have been built with it.
        limit: Builds only the first so many records of each split.
        streaming: Reads records as they are iterated over, instead of all at first.
        options: Further options of what is built, as on the command line (`{"nodes": [10]}`).
        jobs: Number of processes that build, by default one a processor.

    Raises:
        InputError: If there is no such directory, repository, config or split, its version is not
            the one asked for, or an argument does not go with `what`.
    """
    name = os.fspath(what)
    if not name:
        raise InputError(
            "name what to load: a directory, a repository org/name or a benchmark "
            f"({', '.join(benchmarks())})"
        )
    if Path(name).is_dir():
        _check_directory(Path(name), revision, seed, limit, options)
        return _checked(_open(name, config, split, None, streaming), name, revision)
    if "/" not in name:
        if revision is not None:
            raise InputError(
                f"a revision is of a repository on the Hub; {name!r} is built here, "
                "so leave it out or name org/name"
            )
        folder = build_cached(name, config, seed=seed, limit=limit, options=options, jobs=jobs)
        return _open(str(folder), config, split, None, streaming)
    if name.count("/") > 1 or name.startswith((".", "~", "/")):
        raise InputError(f"{name} is no directory; name one that a build made, or org/name")
    if seed != 0 or limit is not None or options:
        raise InputError(
            f"a seed, limit or option is for what is built here, and {name} is fetched from the "
            f"Hub; name the benchmark alone: {', '.join(benchmarks())}"
        )
    return _checked(_open(name, config, split, revision, streaming), name, revision)


def build_cached(
    name: str,
    config: str | None = None,
    *,
    seed: int = 0,
    limit: int | None = None,
    options: Mapping[str, Any] | None = None,
    jobs: int | None = None,
) -> Path:
    """Returns the directory of a config that is built from a recipe into the cache, if need be.

    Args:
        name: The benchmark.
        config: The config, by default the benchmark's own default.
        seed: The seed.
        limit: The first so many records of each split.
        options: Further options of the recipe.
        jobs: Number of processes, by default one a processor.

    Raises:
        InputError: If there is no such benchmark or config, or the build cannot be carried out.
    """
    from filelock import FileLock

    from benchloom.builders.pipeline import BuildStopped, build

    of = benchmark(name)
    if of.needs_folder:
        names = [option.name for option in of.options if option.kind is Path]
        if not any((options or {}).get(option) for option in names):
            raise InputError(
                f"{name} is built from a folder of yours; "
                f'name it with options={{"{names[0]}": FOLDER}}'
            )
    recipe = Recipe.of(name, seed=seed, limit=limit, options=options)
    configs = chosen_configs(recipe, [config or of.default_config])
    folder = cache_folder() / _folder_name(of, recipe)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        # Of several processes (one a GPU, say) the first builds and the others wait for it.
        with FileLock(f"{folder}.lock"):
            there = has_manifest(folder) and read_manifest(folder).configs.keys() >= set(configs)
            what = f"{name} {config or of.default_config}"
            print(f"{what} is {'opened in' if there else 'built into'} {folder}", file=sys.stderr)
            build(recipe, folder, configs, jobs=jobs, quiet=there)
    except BuildStopped as error:
        raise InputError(str(error)) from None
    except OSError as error:
        raise InputError(
            f"{error.filename or folder} cannot be written ({error.strerror}); "
            f"name another folder with the variable {CACHE}"
        ) from None
    return folder


def cache_folder() -> Path:
    """Returns the folder for what is built on the spot."""
    if named := os.environ.get(CACHE):
        return Path(named).expanduser()
    base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(base).expanduser() / "benchloom"


def _folder_name(of: Benchmark, recipe: Recipe) -> str:
    """Returns a name that differs wherever the recipe does, readable as long as it is simple."""
    import hashlib
    import json

    words = [of.name, f"generation-{recipe.generation}", f"seed-{recipe.seed}"]
    words += [f"limit-{recipe.limit}"] if recipe.limit is not None else []
    if recipe.options:
        text = json.dumps(recipe.options, sort_keys=True)
        words.append(hashlib.blake2b(text.encode(), digest_size=6).hexdigest())
    return "-".join(words)


def _check_directory(
    directory: Path,
    revision: str | None,
    seed: int,
    limit: int | None,
    options: Mapping[str, Any] | None,
) -> None:
    """Refuses a directory that is not what the other arguments ask for."""
    from benchloom.loaders.directory import Build

    recipe = Build(directory).manifest.recipe
    if revision is not None and not _VERSION.fullmatch(revision):
        raise InputError(
            f"a directory has no revision {revision!r}; leave it out, or ask for a version: v1.0.0"
        )
    for what, wanted, there in (
        ("seed", seed or None, recipe.seed),
        ("limit", limit, recipe.limit),
    ):
        if wanted is not None and wanted != there:
            raise InputError(
                f"{directory} was built with {what} {'none' if there is None else there}, "
                f"not {wanted}; name the benchmark ({recipe.benchmark!r}) to have that built"
            )
    if options:
        raise InputError(
            f"options are for what is built here; {directory} is built already, "
            f"so leave them out or name the benchmark: {recipe.benchmark!r}"
        )


def _open(
    name: str, config: str | None, split: str | None, revision: str | None, streaming: bool
) -> Loaded:
    """Returns what `load_dataset` gives, its faults as one sentence."""
    import datasets

    try:
        return datasets.load_dataset(
            name, config, split=split, revision=revision, streaming=streaming
        )
    except datasets.exceptions.DatasetNotFoundError:
        raise InputError(
            f"the Hub has no dataset {name}{f' at {revision}' if revision else ''}, or it is "
            "private; check the name, or log in with `hf auth login`"
        ) from None
    except ConnectionError:
        raise InputError(f"{name} cannot be loaded: {_unreached()}") from None
    except (ValueError, OSError) as error:
        raise InputError(f"{name} cannot be loaded: {' '.join(str(error).split())}") from None


def _unreached() -> str:
    """Returns why the Hub cannot be reached, and what to do."""
    from urllib.parse import urlsplit

    from huggingface_hub import constants

    if constants.HF_HUB_OFFLINE:
        return "HF_HUB_OFFLINE is set; unset it and go online"
    host = urlsplit(constants.ENDPOINT).netloc.rpartition("@")[2]
    return f"{host} cannot be reached; check the network and go online"


def _checked(loaded: Loaded, name: str, revision: str | None) -> Loaded:
    """Returns what was loaded, once it is of the version that was asked for.

    Offline, or when anything goes wrong on the way, datasets gives what it has in its cache and
    says nothing; the version in the card is what tells.

    Raises:
        InputError: If it is another version.
    """
    wanted = _VERSION.fullmatch(revision or "")
    if wanted is None:
        return loaded
    one = next(iter(loaded.values())) if isinstance(loaded, dict) else loaded
    version = str(one.info.version)
    if version != wanted[1]:
        raise InputError(
            f"version {wanted[1]} of {name} was asked for, {version} was found"
            + ("" if Path(name).is_dir() else ", perhaps in the cache of datasets; go online")
        )
    return loaded
