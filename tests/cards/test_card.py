from pathlib import Path

import yaml
from datasets import Features
from datasets.utils.metadata import MetadataConfigs
from huggingface_hub import DatasetCardData

from benchloom.builders.benchmark import benchmark
from benchloom.builders.vga.configs import CONFIGS
from benchloom.loaders.directory import Build


def head(directory: Path) -> dict:
    text = (directory / "README.md").read_text()
    _, block, _ = text.split("---\n", 2)
    return yaml.safe_load(block)


def test_the_card_names_every_config_and_split_with_its_files(vga_build: Path) -> None:
    configs = head(vga_build)["configs"]
    assert [entry["config_name"] for entry in configs] == list(CONFIGS)
    assert [entry["config_name"] for entry in configs if entry.get("default")] == ["easy_iso"]
    for entry in configs:
        assert entry["version"] == "0.0.0"
        splits = benchmark("vga").splits(entry["config_name"])
        assert [files["split"] for files in entry["data_files"]] == list(splits)
        found = [
            path
            for files in entry["data_files"]
            for glob in files["path"]
            for path in vga_build.glob(glob)
        ]
        assert len(found) == len(set(found)) == len(splits)
    parsed = MetadataConfigs.from_dataset_card_data(DatasetCardData(**head(vga_build)))
    assert list(parsed) == list(CONFIGS)


def test_the_card_s_features_and_sizes_are_the_manifest_s(vga_build: Path) -> None:
    build = Build(vga_build)
    for info in head(vga_build)["dataset_info"]:
        config = info["config_name"]
        assert Features._from_yaml_list(info["features"]) == benchmark("vga").features(config)
        sizes = {split["name"]: split["num_examples"] for split in info["splits"]}
        assert sizes == {
            split: build.rows(config, split) for split in benchmark("vga").splits(config)
        }


def test_the_digest_in_the_description_is_the_content_s(vga_build: Path) -> None:
    build = Build(vga_build)
    for entry in head(vga_build)["configs"]:
        for split in build.manifest.configs[entry["config_name"]].splits.values():
            assert split.digest in entry["description"]


def test_the_command_of_the_card_makes_the_build_again(vga_build: Path) -> None:
    assert "benchloom build vga --limit 24 --out DIRECTORY" in (vga_build / "README.md").read_text()
