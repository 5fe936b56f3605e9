"""The YAML block at the top of a card: what `load_dataset` and the Hub's search read."""

import importlib.resources
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from benchloom.builders.errors import InputError
from benchloom.loaders.directory import Build


def front_matter(build: Build, version: str, about: Mapping[str, Any]) -> str:
    """Returns the YAML block of a build's card, with the lines `---` around it.

    It holds for each config its files per split, its content digest (so that a rebuild in place is
    not mistaken for what a cache holds), its features, as its shards declare them, and its exact
    numbers of records.

    Args:
        build: The build.
        version: The version of the data.
        about: `license`, `language`, `task_categories`, `tags`, `annotations_creators` and
            `source_datasets`.
    """
    import yaml

    rows = sum(build.rows(config, split) for config, split in build.splits())
    names = config_names(build)
    head = {
        "license": about["license"],
        "language": about["language"],
        "pretty_name": build.benchmark.title,
        "task_categories": about["task_categories"],
        "size_categories": [size_category(rows)],
        "tags": about["tags"],
        "annotations_creators": about["annotations_creators"],
        "source_datasets": about["source_datasets"],
        "configs": [_config(build, name, version) for name in names],
        "dataset_info": [_dataset_info(build, name) for name in names],
    }
    block = yaml.dump(head, Dumper=_dumper(), sort_keys=False, allow_unicode=True, width=1000)
    return f"---\n{block}---\n"


def size_category(rows: int) -> str:
    """Returns the Hub's word for a number of records, such as `10K<n<100K`."""
    sizes: list[str] = hub_values()["size_categories"]
    for place, size in enumerate(sizes[:-1]):
        if rows < 1000 * 10**place:
            return size
    return sizes[-1]


@cache
def hub_values() -> dict[str, list[str]]:
    """Returns the values that the Hub knows for a key, or regular expressions from `^` to `$`."""
    import yaml

    file = importlib.resources.files("benchloom.cards") / "templates" / "hub_values.yaml"
    values: dict[str, list[str]] = yaml.safe_load(file.read_text(encoding="utf-8"))
    return values


def is_from_folder(build: Build) -> bool:
    """Tells whether a build was made from a user's folder instead of what the benchmark has."""
    if build.benchmark.needs_folder:
        return False
    options = build.manifest.recipe.options
    return any(option.kind is Path and option.name in options for option in build.benchmark.options)


def config_names(build: Build) -> list[str]:
    """Returns a card's configs: combinations of configs that are built, then those built.

    A combination stands there when all its parts do; a user's folder may have nothing for some of
    them, so then those are enough that do.
    """
    from_folder = is_from_folder(build) or build.benchmark.needs_folder
    whole = [
        name
        for name, parts in build.benchmark.combined_configs.items()
        if (built := [part for part in parts if part in build.manifest.configs])
        and (len(built) == len(parts) or from_folder)
    ]
    return [*whole, *build.manifest.configs]


def default_config(build: Build) -> str:
    """Returns the config that is loaded when none is named."""
    names = config_names(build)
    wanted = build.benchmark.default_config
    return wanted if wanted in names else names[0]


def parts_of(build: Build, name: str) -> dict[str, list[str]]:
    """Returns for each split of a card's config the built configs whose files it lists."""
    parts: dict[str, list[str]] = {}
    for part in build.benchmark.combined_configs.get(name, (name,)):
        if part in build.manifest.configs:
            for split in build.manifest.configs[part].splits:
                parts.setdefault(split, []).append(part)
    # The first part may lack a split; the order is the benchmark's all the same.
    usual = (split for part in build.manifest.configs for split in build.benchmark.splits(part))
    return {split: parts[split] for split in dict.fromkeys((*usual, *parts)) if split in parts}


def features_of(build: Build, config: str) -> Any:
    """Returns the `Features` that the shards of a built config declare.

    Raises:
        InputError: If the first shard cannot be read.
    """
    from datasets import Features
    from pyarrow import ArrowException
    from pyarrow.parquet import read_schema

    shard = next(iter(build.manifest.configs[config].splits.values())).shards[0]
    try:
        return Features.from_arrow_schema(read_schema(build.locate(shard.file)))
    except (OSError, ArrowException) as error:
        raise InputError(
            f"{build.directory / shard.file} cannot be read ({error}); build again"
        ) from None


def front_matter_faults(text: str) -> list[str]:
    """Returns a sentence for each thing in a card's YAML block that the Hub would not take.

    Args:
        text: The text of a README.md.
    """
    import yaml

    match = re.match(r"---\n(.*?\n)---\n", text, re.DOTALL)
    if match is None:
        return ["README.md does not begin with a YAML block between two lines ---"]
    try:
        head = yaml.safe_load(match[1])
    except yaml.YAMLError as error:
        return [f"the YAML block of README.md cannot be read: {' '.join(str(error).split())}"]
    if not isinstance(head, dict):
        return ["the YAML block of README.md is no mapping"]
    return [f"README.md: {fault}" for fault in (*_value_faults(head), *_config_faults(head))]


def _value_faults(head: Mapping[str, Any]) -> Iterator[str]:
    for key, known in hub_values().items():
        values = head.get(key)
        if not values:
            yield f"{key} is missing"
        for value in values if isinstance(values, list) else [values] if values else []:
            if not any(
                re.fullmatch(one, str(value)) if one.startswith("^") else value == one
                for one in known
            ):
                yield f"{key} {value!r} is no value that the Hub knows"
    for key in ("pretty_name", "tags"):
        if not head.get(key):
            yield f"{key} is missing"


def _config_faults(head: Mapping[str, Any]) -> Iterator[str]:
    from datasets import Features
    from datasets.utils.metadata import MetadataConfigs
    from huggingface_hub import DatasetCardData

    configs, infos = head.get("configs"), head.get("dataset_info")
    if not isinstance(configs, list) or not configs or not isinstance(infos, list):
        yield "configs or dataset_info is missing or no list"
        return
    try:
        MetadataConfigs.from_dataset_card_data(DatasetCardData(**head))
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        yield f"datasets cannot read its configs ({' '.join(str(error).split())})"
        return
    defaults = [entry["config_name"] for entry in configs if entry.get("default")]
    if len(defaults) != 1:
        yield f"one config must be the default, not {', '.join(defaults) or 'none'}"
    described = {info.get("config_name"): info for info in infos}
    if list(described) != [entry["config_name"] for entry in configs]:
        yield "dataset_info does not describe the very configs of configs"
    for entry in configs:
        name = entry["config_name"]
        if not re.fullmatch(r"\d+\.\d+\.\d+", str(entry.get("version"))):
            yield f"config {name} has version {entry.get('version')!r}, not X.Y.Z"
        info = described.get(name, {})
        try:
            Features._from_yaml_list(info["features"])
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            yield f"the features of config {name} cannot be read ({error!r})"
        files = [part["split"] for part in entry["data_files"]]
        if files != [split.get("name") for split in info.get("splits", [])]:
            yield f"config {name} has other splits in configs than in dataset_info"


class _Quoted(str):
    """A text that stands in quotes in the YAML: a version must never be read as a number."""

    __slots__ = ()


def _dumper() -> Any:
    import yaml

    class Dumper(yaml.SafeDumper):  # type: ignore[misc]
        def ignore_aliases(self, data: Any) -> bool:
            return True

    def quoted(dumper: Any, text: _Quoted) -> Any:
        return dumper.represent_scalar("tag:yaml.org,2002:str", str(text), style='"')

    Dumper.add_representer(_Quoted, quoted)
    return Dumper


def _config(build: Build, name: str, version: str) -> dict[str, Any]:
    parts = parts_of(build, name)
    built = build.manifest.configs
    digests = " ".join(
        f"{split} {built[part].splits[split].digest}" for split in parts for part in parts[split]
    )
    entry: dict[str, Any] = {"config_name": name}
    if name == default_config(build):
        entry["default"] = True
    entry["version"] = _Quoted(version)
    entry["description"] = f"Content digests: {digests}"
    entry["data_files"] = [
        {
            "split": split,
            "path": [
                f"{part}/{split}-*-of-{len(built[part].splits[split].shards):05d}.parquet"
                for part in parts[split]
            ],
        }
        for split in parts
    ]
    return entry


def _dataset_info(build: Build, name: str) -> dict[str, Any]:
    from datasets import DatasetInfo
    from datasets.splits import SplitDict, SplitInfo

    sizes = SplitDict()
    parts = parts_of(build, name)
    for split, of_split in parts.items():
        holds = [build.manifest.configs[part].splits[split] for part in of_split]
        stored, rows = sum(one.bytes for one in holds), sum(one.rows for one in holds)
        sizes.add(SplitInfo(split, num_bytes=stored, num_examples=rows))
    total = sum(split.num_bytes for split in sizes.values())
    (first, *_) = next(iter(parts.values()))
    info = DatasetInfo(
        features=features_of(build, first), splits=sizes, download_size=total, dataset_size=total
    )
    return {"config_name": name, **info._to_yaml_dict()}
