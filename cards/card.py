"""The card of a build: the README.md whose YAML tells `load_dataset` what there is."""

from typing import Any

from benchloom.builders.benchmark import benchmark
from benchloom.builders.manifest import Manifest, Split


def render_card(manifest: Manifest) -> str:
    """Returns the text of a build's README.md: the YAML block, then a short description.

    The YAML holds for each config its files per split, its content digest (so that a rebuild in
    place is not mistaken for what a cache holds), its features and its exact numbers of records.
    """
    import yaml

    of = benchmark(manifest.recipe.benchmark)
    head = {
        "license": "cc-by-4.0",
        "pretty_name": of.title,
        "configs": [_config(manifest, name) for name in _names(manifest)],
        "dataset_info": [_dataset_info(manifest, name) for name in _names(manifest)],
    }
    block = yaml.dump(head, Dumper=_dumper(), sort_keys=False, allow_unicode=True, width=1000)
    rows = [
        f"| {config} | {split} | {holds.rows:,} | "
        + ", ".join(f"{label} {count:,}" for label, count in holds.labels.items())
        + " |"
        for config, built in manifest.configs.items()
        for split, holds in built.splits.items()
    ]
    first = next(name for name in _names(manifest) if name == _default(manifest))
    return (
        f"---\n{block}---\n\n# {of.title}\n\n"
        "```python\n"
        f'from datasets import load_dataset\n\nload_dataset("DIRECTORY", "{first}", split="test")\n'
        "```\n\n"
        "| config | split | records | labels |\n|---|---|---|---|\n" + "\n".join(rows) + "\n\n"
        "Made by benchloom; this command makes it again:\n\n"
        f"```\n{manifest.recipe.command(_whole(manifest))} --out DIRECTORY\n```\n"
    )


class _Quoted(str):
    """A text that stands in quotes in the YAML: a version must never be read as a number."""

    __slots__ = ()


def _dumper() -> Any:
    import yaml

    class Dumper(yaml.SafeDumper):  # type: ignore[misc]
        pass

    def quoted(dumper: Any, text: _Quoted) -> Any:
        return dumper.represent_scalar("tag:yaml.org,2002:str", str(text), style='"')

    Dumper.add_representer(_Quoted, quoted)
    return Dumper


def _whole(manifest: Manifest) -> tuple[str, ...]:
    """Returns the configs a command line must name: none when all are there."""
    every = benchmark(manifest.recipe.benchmark).configs
    return () if tuple(manifest.configs) == every else tuple(manifest.configs)


def _names(manifest: Manifest) -> list[str]:
    """Returns a card's configs: those built, and combinations of them."""
    combined = benchmark(manifest.recipe.benchmark).combined_configs
    whole = [
        name for name, parts in combined.items() if all(part in manifest.configs for part in parts)
    ]
    return [*whole, *manifest.configs]


def _default(manifest: Manifest) -> str:
    names = _names(manifest)
    wanted = benchmark(manifest.recipe.benchmark).default_config
    return wanted if wanted in names else names[0]


def _splits(manifest: Manifest, name: str) -> dict[str, list[tuple[str, Split]]]:
    """Returns for each split of a config the (config, split) pairs whose files it lists."""
    combined = benchmark(manifest.recipe.benchmark).combined_configs
    splits: dict[str, list[tuple[str, Split]]] = {}
    for part in combined.get(name, (name,)):
        for split, holds in manifest.configs[part].splits.items():
            splits.setdefault(split, []).append((part, holds))
    return splits


def _config(manifest: Manifest, name: str) -> dict[str, Any]:
    splits = _splits(manifest, name)
    digests = " ".join(
        f"{split} {holds.digest}" for split, parts in splits.items() for _, holds in parts
    )
    entry: dict[str, Any] = {"config_name": name}
    if name == _default(manifest):
        entry["default"] = True
    entry["version"] = _Quoted(manifest.version)
    entry["description"] = f"Content digests: {digests}"
    entry["data_files"] = [
        {
            "split": split,
            "path": [f"{part}/{split}-*-of-{len(of.shards):05d}.parquet" for part, of in parts],
        }
        for split, parts in splits.items()
    ]
    return entry


def _dataset_info(manifest: Manifest, name: str) -> dict[str, Any]:
    from datasets import DatasetInfo
    from datasets.splits import SplitDict, SplitInfo

    of = benchmark(manifest.recipe.benchmark)
    sizes = SplitDict()
    for split, parts in _splits(manifest, name).items():
        stored = sum(holds.bytes for _, holds in parts)
        sizes.add(
            SplitInfo(split, num_bytes=stored, num_examples=sum(holds.rows for _, holds in parts))
        )
    total = sum(split.num_bytes for split in sizes.values())
    part = of.combined_configs.get(name, (name,))[0]
    info = DatasetInfo(
        features=of.features(part), splits=sizes, download_size=total, dataset_size=total
    )
    return {"config_name": name, **info._to_yaml_dict()}
