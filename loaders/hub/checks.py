"""What must hold of a directory before it may become a release."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from typing import Any

from benchloom.builders.manifest import Shard, leaves_folder, read_sums
from benchloom.builders.shards import arrow_schema
from benchloom.builders.stage import CARD, FOLDER
from benchloom.cards.rendering import rendered_files
from benchloom.loaders.directory import Build
from benchloom.loaders.hub.trial import Expected

LOCAL_ONLY = (FOLDER, "preview.html", ".git", ".cache")
"""What may lie in a directory beside a build, and never leaves it."""
ATTRIBUTES = ".gitattributes"
"""The file by which the Hub knows which files are large."""
SECRETS = {
    "a token of Hugging Face": rb"\b(hf|api_org)_[A-Za-z0-9]{30,}",
    "a token of GitHub": rb"\b(gh[pousr]_[A-Za-z0-9]{36}|github_pat_\w{50,})",
    "an access key of AWS": rb"\b(AKIA|ASIA)[0-9A-Z]{16}\b",
    "a key of an API": rb"\bsk-[A-Za-z0-9_-]{32,}",
    "a private key": rb"-----BEGIN [A-Z ]*PRIVATE KEY-----",
}
UNSEARCHED = (".parquet", ".png")
"""Endings of files that are not searched for secrets: what is in them is compressed."""


def release_faults(
    build: Build, repo: str, include: Sequence[str] = (), token: str | None = None
) -> list[str]:
    """Returns a sentence for each reason why a build must not be released as it stands.

    Every file is held against its checksum, and what would be sent is searched for secrets.

    Args:
        build: The build.
        repo: The repository it would go to, `org/name`.
        include: Patterns of files beside the build that are to be sent too.
        token: The token it would be pushed with, which must be in no file.

    Raises:
        InputError: If SHA256SUMS cannot be read.
    """
    directory = build.directory
    faults = build.file_faults()
    if (script := script_of(repo)) in {path.name for path in directory.iterdir()}:
        faults.append(f"{script} would make every load of {repo} fail; move it away")
    included, _ = files_beside(build, include)
    faults += [
        f"no file matches --include {pattern}"
        for pattern in include
        if not any(fnmatchcase(file, pattern) for file in included)
    ]
    for file in included:
        if not (directory / file).resolve().is_relative_to(directory.resolve()):
            faults.append(f"{file} is a link that leads out of {directory}; copy what it names")
        if file.rpartition("/")[2] == ATTRIBUTES:
            faults.append(f"{file} is for the Hub to write; leave it out of --include")
    sent = [*(file for file in read_sums(directory) if (directory / file).is_file()), *included]
    for file in sent:
        if not file.endswith(UNSEARCHED):
            faults += secret_faults(file, (directory / file).read_bytes(), token)
    return faults


def script_of(repo: str) -> str:
    """Returns the name of the file that `datasets` would take for a repository's script."""
    return f"{repo.rpartition('/')[2]}.py"


def files_beside(build: Build, include: Sequence[str]) -> tuple[list[str], list[str]]:
    """Returns the files beside a build that patterns match, and those that none matches.

    The patterns are matched against whole paths below the directory; `*` matches slashes too. What
    never leaves a directory (`LOCAL_ONLY`) is in neither list.
    """
    own = {*build.manifest.files(), *rendered_files(build.manifest.configs)}
    beside = sorted(file for file in _files_below(build.directory) if file not in own)
    matched = [file for file in beside if any(fnmatchcase(file, p) for p in include)]
    return matched, [file for file in beside if file not in matched]


def expected_configs(build: Build) -> dict[str, Expected]:
    """Returns what each config of a build must load as, those that combine others included."""
    return {
        config: Expected(
            _features(build, config),
            {split: sum(shard.rows for shard in shards) for split, shards in splits.items()},
        )
        for config, splits in _shards_by_config(build).items()
    }


def smallest_config(build: Build) -> str:
    """Returns the config of a build that has the fewest bytes."""
    sizes = {
        name: sum(split.bytes for split in config.splits.values())
        for name, config in build.manifest.configs.items()
    }
    return min(sizes, key=lambda name: (sizes[name], name))


def card_faults(text: str, build: Build, version: str) -> list[str]:
    """Returns a sentence for each thing that a card says otherwise than its build.

    Compared are configs, versions, splits, files, features and numbers of records; every pattern of
    files must match, and within a config each file belongs to exactly one split.
    """
    from benchloom.cards.front_matter import front_matter_faults

    try:
        return front_matter_faults(text) or _configs_faults(text, build, version)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        return [f"the YAML block of {CARD} is none of a release ({error!r})"]


def _configs_faults(text: str, build: Build, version: str) -> list[str]:
    head = _head(text)
    entries = {entry["config_name"]: entry for entry in head["configs"]}
    infos = {info["config_name"]: info for info in head["dataset_info"]}
    shards = _shards_by_config(build)
    faults = []
    for name, found in (("configs", entries), ("dataset_info", infos)):
        if set(found) != set(shards):
            faults.append(f"{CARD}: {name} are {_list(found)}, those built are {_list(shards)}")
    if [bool(entry.get("default")) for entry in entries.values()].count(True) != 1:
        faults.append(f"{CARD}: exactly one config must be the default")
    if faults:
        return faults
    for config, splits in shards.items():
        faults += [
            f"{CARD}: config {config}: {fault}"
            for fault in _entry_faults(
                entries[config], infos[config], splits, build, config, version
            )
        ]
    return faults


def card_patterns(text: str) -> list[str]:
    """Returns the patterns by which a card, which must be sound, takes in files."""
    return [
        pattern
        for entry in _head(text)["configs"]
        for files in entry["data_files"]
        for pattern in _as_list(files["path"])
    ]


def schema_faults(build: Build) -> list[str]:
    """Returns a sentence for each shard whose schema or declared features are not its config's."""
    import pyarrow.parquet as pq

    faults = []
    for config, split in build.splits():
        if not build.is_readable(config, split):
            continue  # a fault that `file_faults` names
        declared = arrow_schema(build.benchmark.features(config))
        for shard in build.manifest.configs[config].splits[split].shards:
            stored = pq.read_schema(build.directory / shard.file)
            # parquet has its own names for what is in a list, so only our metadata is compared
            if not stored.equals(declared) or stored.metadata != declared.metadata:
                faults.append(f"{shard.file} has columns of other types than {config} declares")
    return faults


def secret_faults(name: str, content: bytes, token: str | None = None) -> list[str]:
    """Returns a sentence for each secret that a text seems to hold; never the secret itself."""
    found = [what for what, pattern in SECRETS.items() if re.search(pattern, content)]
    if token and token.encode() in content:
        found.append("the token it would be pushed with")
    return [f"{name} holds what looks like {what}; take it out" for what in found]


def _files_below(directory: Path) -> Iterator[str]:
    """Yields the files below a directory but those that never leave it."""
    for top in sorted(directory.iterdir()):
        if top.name not in LOCAL_ONLY:
            for path in sorted(top.rglob("*")) if top.is_dir() else [top]:
                if path.is_file():
                    yield path.relative_to(directory).as_posix()


def _shards_by_config(build: Build) -> dict[str, dict[str, list[Shard]]]:
    """Returns the shards of each split of each config, those that combine others included."""
    from benchloom.cards.front_matter import config_names, parts_of

    built = build.manifest.configs
    return {
        config: {
            split: [shard for part in parts for shard in built[part].splits[split].shards]
            for split, parts in parts_of(build, config).items()
        }
        for config in config_names(build)
    }


def _features(build: Build, config: str) -> Any:
    """Returns the declared columns of a config; one that combines others has those of its parts."""
    return build.benchmark.features(build.benchmark.combined_configs.get(config, (config,))[0])


@lru_cache(maxsize=2)
def _head(text: str) -> dict[str, Any]:
    import yaml

    value: dict[str, Any] = yaml.safe_load(text.split("---\n", 2)[1])
    return value


def _entry_faults(
    entry: Mapping[str, Any],
    info: Mapping[str, Any],
    shards: Mapping[str, Sequence[Shard]],
    build: Build,
    config: str,
    version: str,
) -> Iterator[str]:
    """Yields what a card says wrongly of one config."""
    from datasets import Features

    if entry.get("version") != version:
        yield f"its version is {entry.get('version')!r}, that of the manifest {version!r}"
    globs = {files["split"]: _as_list(files["path"]) for files in entry["data_files"]}
    if list(globs) != list(shards):
        yield f"its splits are {_list(globs)}, those built are {_list(shards)}"
        return
    owner: dict[str, str] = {}
    for split, patterns in globs.items():
        taken = set()
        for pattern in patterns:
            if not pattern or leaves_folder(pattern):
                yield f"{pattern!r} takes in files outside of the folder"
                continue
            matched = {
                path.relative_to(build.directory).as_posix()
                for path in build.directory.glob(pattern)
                if path.is_file()
            }
            if not matched:
                yield f"{pattern} matches no file"
            taken |= matched
        if taken != {shard.file for shard in shards[split]}:
            yield f"the files of {split} are not the shards that were built"
        for file in sorted(taken):
            if owner.setdefault(file, split) != split:
                yield f"{file} is in {owner[file]} and in {split}"
    features = _features(build, config)
    if Features._from_yaml_list(info["features"]) != features:
        yield "its features are not those it was built with"
    sizes = {split["name"]: split["num_examples"] for split in info["splits"]}
    rows = {split: sum(shard.rows for shard in files) for split, files in shards.items()}
    if sizes != rows:
        yield f"num_examples are {sizes}, those built are {rows}"


def _as_list(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else list(value)


def _list(names: Collection[str]) -> str:
    return ", ".join(names)
