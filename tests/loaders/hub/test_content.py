"""Edits with every checksum mended: a push refuses them, and `verify` names them."""

import hashlib
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from loopback_hub import LoopbackHub

from benchloom.builders.errors import InputError
from benchloom.builders.pipeline import build
from benchloom.builders.recipe import Recipe
from benchloom.builders.shards import arrow_schema, read_records, write_shard
from benchloom.loaders.checks_file import record_check
from benchloom.loaders.directory import Build
from benchloom.loaders.hub.client import Hub
from benchloom.loaders.hub.content import checked, content_faults, stated_faults
from benchloom.loaders.hub.push import push
from benchloom.scripts.main import main

TRAIN = "even/train-00000-of-00001.parquet"
Edit = Callable[[Path], None]


@pytest.fixture
def even(tmp_path: Path, load_numbers: Callable[..., Any]) -> Path:
    """A build of one config, of one shard a split."""
    load_numbers(("row_group_rows, packages = 2, 2,", "row_group_rows, packages = 50, 50,"))
    build(Recipe.of("numbers"), tmp_path / "b", ["even"], jobs=1, quiet=True)
    return tmp_path / "b"


def mend(directory: Path) -> None:
    """Makes the manifest's sums of shards and SHA256SUMS fit the files as they are."""
    manifest = json.loads((directory / "manifest.json").read_text())
    for config in manifest["configs"].values():
        for split in config["splits"].values():
            for shard in split["shards"]:
                content = (directory / shard["file"]).read_bytes()
                shard |= {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    (directory / "manifest.json").write_text(json.dumps(manifest))
    files = [line.split("  ")[1] for line in (directory / "SHA256SUMS").read_text().splitlines()]
    sums = {file: hashlib.sha256((directory / file).read_bytes()).hexdigest() for file in files}
    text = "".join(f"{digest}  {file}\n" for file, digest in sums.items())
    (directory / "SHA256SUMS").write_text(text)


def replaced(file: str, old: str, new: str) -> Edit:
    def edit(directory: Path) -> None:
        text = (directory / file).read_text()
        assert old in text
        (directory / file).write_text(text.replace(old, new))

    return edit


def in_manifest(change: Callable[[dict[str, Any]], None]) -> Edit:
    def edit(directory: Path) -> None:
        value = json.loads((directory / "manifest.json").read_text())
        change(value)
        (directory / "manifest.json").write_text(json.dumps(value))

    return edit


def split_of(value: dict[str, Any], name: str = "train") -> dict[str, Any]:
    found: dict[str, Any] = value["configs"]["even"]["splits"][name]
    return found


def swap_records(directory: Path) -> None:
    one, other = (directory / "records" / f"even-{split}.parquet" for split in ("train", "test"))
    content = one.read_bytes()
    one.write_bytes(other.read_bytes())
    other.write_bytes(content)


def change_number(directory: Path) -> None:
    rows = list(read_records(directory / TRAIN))
    rows[7]["number"] += 1
    schema = arrow_schema(Build(directory).benchmark.features("even"))
    write_shard(directory / TRAIN, rows, schema, 50)


EDITS: dict[str, tuple[Edit, str]] = {
    "class names swapped": (
        replaced("README.md", "'0': low\n          '1': high", "'0': high\n          '1': low"),
        "README.md: config even: its features are not those it was built with",
    ),
    "test serves train": (
        replaced("README.md", "even/test-*-of-00001", "even/train-*-of-00001"),
        "README.md: config even: the files of test are not the shards that were built",
    ),
    "a pattern that leaves the folder": (
        replaced("README.md", "even/test-*-of-00001", "../test-*-of-00001"),
        "takes in files outside of the folder",
    ),
    "a card that is none": (
        replaced("README.md", "config_name: even", "config_name: [even]"),
        "README.md",
    ),
    "the card's text": (
        replaced("README.md", "# Numbers", "# Primes"),
        "README.md is not what this benchloom renders of the build: it was edited by hand or "
        "rendered by another version; `benchloom card ",
    ),
    "the changelog": (
        replaced("CHANGELOG.md", "A local build.", "Better."),
        "CHANGELOG.md is not what this benchloom renders of the build",
    ),
    "rows": (
        in_manifest(lambda value: split_of(value).update(rows=11)),
        "manifest.json: even train has 11 records, its shards have 10",
    ),
    "labels": (
        in_manifest(lambda value: split_of(value).update(labels={"low": 9, "high": 1})),
        "manifest.json: even train has labels {'low': 9, 'high': 1}, its shards have "
        "{'low': 5, 'high': 5}",
    ),
    "a split's digest": (
        in_manifest(lambda value: split_of(value).update(digest="0" * 32)),
        "records/even-train.parquet lists other records than manifest.json",
    ),
    "records/ swapped": (swap_records, "records/even-train.parquet lists other records than"),
}


@pytest.mark.parametrize("case", EDITS)
def test_what_manifest_and_card_say_otherwise_is_refused_and_found(
    even: Path, case: str, capsys: pytest.CaptureFixture[str], hub: LoopbackHub
) -> None:
    edit, sentence = EDITS[case]
    edit(even)
    mend(even)
    before = {path: path.read_bytes() for path in even.rglob("*") if path.is_file()}
    hub.add_user("ada", "hf_secrettoken", orgs=["org"])
    with pytest.raises(InputError, match="cannot be released") as caught:
        push(Hub(hub.url, "hf_secrettoken"), even, "org/numbers", dry_run=True)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)
    assert main(["verify", str(even), "--jobs", "1"]) == 1
    out, err = capsys.readouterr()
    assert sentence in out
    if "README.md" in sentence or "CHANGELOG.md" in sentence:
        assert "the figures are not kept: " in err
        main(["audit", str(even), "--jobs", "1"])  # the evidence stands
        after = {path: path.read_bytes() for path in even.rglob("*") if path.is_file()}
        assert after == before


def test_a_card_of_other_templates_is_renewed_by_its_command(even: Path) -> None:
    assert stated_faults(Build(even)) == []
    EDITS["the card's text"][0](even)
    mend(even)
    (fault,) = content_faults(Build(even), Counter())
    assert f"`benchloom card {even}` renders it anew" in fault
    assert main(["card", str(even)]) == 0
    assert content_faults(Build(even), Counter()) == []
    assert record_check(even, "audit", {"records": 15, "faults": 0}) == ""


def test_what_was_compared_is_said(even: Path) -> None:
    counts: Counter[str] = Counter()
    assert content_faults(Build(even), counts) == []
    assert checked(counts) == (
        "15 records are as records/ lists them, and 10 of them were made again and are equal"
    )


def test_a_value_that_was_changed_in_a_shard_is_found(even: Path) -> None:
    change_number(even)
    mend(even)
    main(["card", str(even)])
    faults = content_faults(Build(even), Counter())
    assert faults[0] == (
        "even train record 7 (even-train-7) is not the one that records/even-train.parquet lists"
    )


def test_another_seed_in_the_manifest_is_found(even: Path) -> None:
    in_manifest(lambda value: value["recipe"].update(seed=5))(even)
    mend(even)
    main(["card", str(even)])
    faults = content_faults(Build(even), Counter())
    assert len(faults) >= 10
    assert "its recipe makes" in faults[0]


def test_pictures_count_by_the_digest_of_their_pixels(vga_build: Path) -> None:
    counts: Counter[str] = Counter()
    assert content_faults(Build(vga_build), counts) == []
    assert (counts["digests"], counts["records"]) == (17 * 24, 17 * 5)


@pytest.mark.parametrize(
    "change",
    [
        lambda value: split_of(value).update(rows="10"),
        lambda value: split_of(value)["shards"][0].update(file="../../evil.parquet"),
        lambda value: value["configs"]["even"].update(splits={}),
    ],
)
def test_a_manifest_that_no_build_writes_is_damaged(
    even: Path, change: Callable[[dict[str, Any]], None]
) -> None:
    in_manifest(change)(even)
    with pytest.raises(InputError, match=r"manifest\.json is damaged"):
        Build(even)


def test_a_config_that_the_benchmark_does_not_have_is_named(even: Path) -> None:
    in_manifest(lambda value: value["configs"].update(prime=value["configs"]["even"]))(even)
    with pytest.raises(InputError, match="holds a config prime, which numbers of this benchloom"):
        Build(even)


def test_a_sum_of_a_file_outside_of_the_folder_is_a_fault(even: Path) -> None:
    with (even / "SHA256SUMS").open("a") as sums:
        sums.write(f"{'0' * 64}  ../../evil\n")
    assert Build(even).file_faults() == [
        "SHA256SUMS lists ../../evil, which is outside of the folder"
    ]


def test_the_rows_of_a_shard_are_read_without_their_pictures(vga_build: Path) -> None:
    rows = list(Build(vga_build).rows_without_images("ham_path", "test"))
    (path,) = (vga_build / "ham_path").glob("test-*.parquet")
    table = pq.read_table(path)
    assert rows == table.drop_columns(["image"]).to_pylist()
