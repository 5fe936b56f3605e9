from pathlib import Path

import pytest
import yaml
from datasets.utils.metadata import MetadataConfigs
from huggingface_hub import DatasetCardData

from benchloom.cards.front_matter import front_matter_faults, hub_values, size_category
from benchloom.loaders.directory import Build


def changed(text: str, **values: object) -> str:
    """Returns a card with other values in its YAML block; those that are None are left out."""
    _, block, body = text.split("---\n", 2)
    head = {k: v for k, v in {**yaml.safe_load(block), **values}.items() if v is not None}
    return f"---\n{yaml.safe_dump(head, sort_keys=False)}---\n{body}"


@pytest.fixture(scope="module")
def small_card(vga_build: Path) -> str:
    """The card of a build as if it had but two configs, which is read faster."""
    text = (vga_build / "README.md").read_text()
    head = yaml.safe_load(text.split("---\n", 2)[1])
    text = changed(text, **{key: head[key][:2] for key in ("configs", "dataset_info")})
    assert front_matter_faults(text) == []
    return text


def test_a_built_card_has_no_fault(either_build: Path) -> None:
    text = (either_build / "README.md").read_text()
    assert front_matter_faults(text) == []
    head = yaml.safe_load(text.split("---\n", 2)[1])
    parsed = MetadataConfigs.from_dataset_card_data(DatasetCardData(**head))
    assert list(parsed) == [entry["config_name"] for entry in head["configs"]]
    assert set(hub_values()) < set(head)


@pytest.mark.parametrize(
    ("key", "value", "named"),
    [
        ("license", "cc-by-5.0", "license 'cc-by-5.0'"),
        ("license", None, "license is missing"),
        ("language", ["english"], "language 'english'"),
        ("language", [False], "language False"),
        ("task_categories", ["vqa"], "task_categories 'vqa'"),
        ("task_categories", [], "task_categories is missing"),
        ("size_categories", ["100<n<1K"], "size_categories '100<n<1K'"),
        ("annotations_creators", ["me"], "annotations_creators 'me'"),
        ("source_datasets", ["a b"], "source_datasets 'a b'"),
        ("pretty_name", None, "pretty_name is missing"),
        ("tags", [], "tags is missing"),
        ("configs", None, "configs or dataset_info is missing"),
        ("dataset_info", {}, "configs or dataset_info is missing"),
    ],
)
def test_a_value_that_the_hub_does_not_know_is_named(
    small_card: str, key: str, value: object, named: str
) -> None:
    (fault,) = front_matter_faults(changed(small_card, **{key: value}))
    assert named in fault


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (lambda head: head["configs"][0].pop("default"), "one config must be the default"),
        (lambda head: head["configs"][1].update(default=True), "default, not easy_iso, hard_iso"),
        (lambda head: head["configs"][1].update(version=1.0), "version 1.0, not X.Y.Z"),
        (lambda head: head["configs"][1].update(data_files=3), "datasets cannot read its configs"),
        (lambda head: head["configs"][1]["data_files"].pop(), "has other splits in configs"),
        (lambda head: head["configs"].pop(), "does not describe the very configs"),
        (lambda head: head["dataset_info"][1].pop("features"), "the features of config hard_iso"),
        (
            lambda head: head["dataset_info"][1]["features"][0].update(dtype="words"),
            "the features of config hard_iso",
        ),
    ],
)
def test_a_config_that_does_not_load_is_named(small_card: str, change, named: str) -> None:
    head = yaml.safe_load(small_card.split("---\n", 2)[1])
    change(head)
    faults = front_matter_faults(changed(small_card, **head))
    assert any(named in fault for fault in faults), faults


@pytest.mark.parametrize("text", ["", "# A card\n", "---\na: [\n---\n", "---\n- a\n---\n"])
def test_a_card_without_a_yaml_block_is_a_fault(text: str) -> None:
    (fault,) = front_matter_faults(text)
    assert "README.md" in fault


@pytest.mark.parametrize(
    ("rows", "size"),
    [
        (1, "n<1K"), (999, "n<1K"), (1_000, "1K<n<10K"), (9_999, "1K<n<10K"),
        (10_000, "10K<n<100K"), (241_731, "100K<n<1M"), (999_999, "100K<n<1M"),
        (1_000_000, "1M<n<10M"), (10**12 - 1, "100B<n<1T"), (10**12, "n>1T"),
    ],
)  # fmt: skip
def test_the_size_category_is_by_the_number_of_records(rows: int, size: str) -> None:
    assert size_category(rows) == size


def test_a_record_that_two_configs_list_counts_once(omni_build: Path) -> None:
    of = Build(omni_build)
    rows = sum(of.rows(*split) for split in of.splits())
    assert rows == 18 * 63
    head = yaml.safe_load((omni_build / "README.md").read_text().split("---\n", 2)[1])
    assert head["size_categories"] == [size_category(rows)]
