"""Reading a release from a directory and from the Hub."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from huggingface_hub import HfApi
from loopback_hub import LoopbackHub

from benchloom.builders.errors import InputError
from benchloom.builders.manifest import read_manifest, read_sums
from benchloom.loaders.directory import Build
from benchloom.loaders.hub.client import Hub
from benchloom.loaders.hub.faults import HubFault
from benchloom.loaders.hub.release import Release, open_release

REPO = "org/vga"
TOKEN = "hf_ada"


def upload(hub: LoopbackHub, directory: Path, tag: str) -> None:
    """Puts a directory's files into the repository, in one commit with a tag."""
    if REPO not in hub.repositories:
        hub.add_user("ada", TOKEN, orgs=["org"])
        hub.create_repo(REPO)
    files = [path for path in directory.rglob("*") if path.is_file()]
    hub.commit(REPO, {path.relative_to(directory).as_posix(): path.read_bytes() for path in files})
    HfApi(endpoint=hub.url, token=TOKEN).create_tag(REPO, repo_type="dataset", tag=tag)


@pytest.fixture(params=["directory", "hub"])
def released(request: pytest.FixtureRequest, vga_build: Path) -> Release:
    """The small build of VGA, in its directory and on the Hub."""
    if request.param == "directory":
        return open_release(str(vga_build))
    hub = request.getfixturevalue("hub")
    upload(hub, vga_build, "v1.0.0")
    return open_release(f"{REPO}@v1.0.0")


def test_a_release_is_the_same_wherever_it_is(released: Release, vga_build: Path) -> None:
    build = Build(vga_build)
    assert released.manifest == read_manifest(vga_build)
    assert released.sums() == read_sums(vga_build)
    records = released.records()
    assert list(records) == list(build.splits())
    for (config, split), found in records.items():
        assert (found.ids, found.digests) == build.digests(config, split)
        features = build.benchmark.features(config)
        assert list(found.columns) == list(features)
        assert found.columns["image"]["_type"] == "Image"
        assert found.columns["label"]["names"] == features["label"].names
    path = "hard_iso/test-00000-of-00001.parquet"
    with released.open(path) as file:
        assert file.read() == (vga_build / path).read_bytes()
    places = [0, 7, 8, 23]
    rows = list(released.rows("hard_iso", "test", places))
    assert rows == list(build.records("hard_iso", "test", places))
    some = list(released.rows("hard_iso", "test", [7], ["label", "id"]))
    assert some == [(7, {name: rows[1][1][name] for name in ("label", "id")})]
    assert len(list(released.rows("hard_iso", "test"))) == 24


def test_rows_come_from_the_shards_and_groups_that_hold_them(
    load_numbers: Callable[..., Any], tmp_path: Path
) -> None:
    from benchloom.builders.pipeline import build
    from benchloom.builders.recipe import Recipe

    load_numbers(
        (
            "shard_rows, row_group_rows, packages = 2, 2,",
            "shard_rows, row_group_rows, packages = 4, 3,",
        )
    )
    directory = tmp_path / "out"
    build(Recipe.of("numbers"), directory, ["even"], jobs=1, quiet=True)
    release = open_release(str(directory))
    for places in ([], [0], [2, 3], [3, 4, 9], [1, 6, 7, 8], list(range(10))):
        rows = list(release.rows("even", "train", places, ["id"]))
        assert rows == [(place, {"id": f"even-train-{place}"}) for place in places]
    (directory / "even/train-00001-of-00003.parquet").unlink()
    assert [place for place, _ in release.rows("even", "train", [0, 3, 8])] == [0, 3, 8]
    with pytest.raises(InputError, match=r"even/train-00001-of-00003.parquet of .* cannot be read"):
        list(release.rows("even", "train", [4]))


def test_little_is_fetched_for_one_column_of_one_record(hub: LoopbackHub, vga_build: Path) -> None:
    upload(hub, vga_build, "v1.0.0")
    release = open_release(REPO)
    release.records()
    before = len(hub.requests)
    list(release.rows("hard_iso", "test", [3], ["label"]))
    asked = [r.headers["range"] for r in hub.requests[before:] if r.kind == "download"]
    ends = [word.removeprefix("bytes=").split("-") for word in asked]
    shard = vga_build / "hard_iso/test-00000-of-00001.parquet"
    assert sum(int(stop) - int(start) + 1 for start, stop in ends) < shard.stat().st_size / 3


def test_a_branch_that_moves_does_not_mix_two_releases(hub: LoopbackHub, vga_copy: Path) -> None:
    upload(hub, vga_copy, "v1.0.0")
    release = open_release(REPO)
    hub.commit(REPO, {path: None for path in hub.tree(REPO) if path.endswith(".parquet")})
    hub.replace_file(REPO, "manifest.json", b"{}")
    assert release.manifest == read_manifest(vga_copy)
    assert len(release.records()) == len(list(Build(vga_copy).splits()))


def test_a_directory_wins_over_the_hub(
    hub: LoopbackHub, vga_copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.move(vga_copy, tmp_path / REPO)
    assert open_release(REPO).where == REPO
    assert not hub.requests


@pytest.mark.parametrize(
    "name", ["nowhere", "a/b/c", "org/vga@", "@v1.0.0", "", "/org/vga", "org/v ga"]
)
def test_a_name_of_nothing_is_refused_without_a_request(hub: LoopbackHub, name: str) -> None:
    with pytest.raises(InputError, match="is no directory; name that of a build, or org/name"):
        open_release(name)
    assert not hub.requests


def test_a_repository_of_something_else_is_named(hub: LoopbackHub) -> None:
    hub.create_repo("org/other")
    release = open_release("org/other")
    with pytest.raises(
        HubFault, match=r"org/other@main has no file manifest.json; is it a release"
    ):
        release.records()


def damage(path: Path, how: str) -> None:
    """Makes a file of `records/` one that cannot be relied on."""
    table = pq.read_table(path)
    if how == "cut":
        path.write_bytes(path.read_bytes()[:-20])
    elif how == "without columns":
        pq.write_table(table.replace_schema_metadata(None), path)
    elif how == "fewer":
        pq.write_table(table.slice(1), path)
    elif how == "reordered":
        pq.write_table(table.take([1, 0, *range(2, len(table))]), path)
    else:
        path.unlink()


@pytest.mark.parametrize("where", ["directory", "hub"])
@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("cut", "is damaged"),
        ("without columns", "is damaged or made by an older benchloom"),
        ("fewer", "lists other records than its manifest.json"),
        ("reordered", "lists other records than its manifest.json"),
        ("gone", "cannot be read|has no file"),
    ],
)
def test_damaged_lists_of_records_are_not_relied_on(
    hub: LoopbackHub, vga_copy: Path, where: str, how: str, words: str
) -> None:
    file = "records/hard_iso-test.parquet"
    damage(vga_copy / file, how)
    if where == "hub":
        upload(hub, vga_copy, "v1.0.0")
    release = open_release(REPO if where == "hub" else str(vga_copy), Hub(hub.url))
    with pytest.raises(InputError, match=words) as caught:
        release.records()
    assert file in str(caught.value)
    assert release.where in str(caught.value)


def test_a_damaged_shard_is_named(vga_copy: Path) -> None:
    path = vga_copy / "hard_iso/test-00000-of-00001.parquet"
    content = bytearray(path.read_bytes())
    content[-200:] = bytes(200)
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"hard_iso/test-00000-of-00001.parquet of .* is damaged"):
        list(open_release(str(vga_copy)).rows("hard_iso", "test", [0]))


def test_a_fault_in_the_middle_of_a_shard_is_a_sentence(hub: LoopbackHub, vga_build: Path) -> None:
    upload(hub, vga_build, "v1.0.0")
    release = open_release(REPO, Hub(hub.url, sleep=lambda seconds: None))
    hub.fault("download", 503, times=None, after=1)
    with pytest.raises(HubFault, match=r"cannot read hard_iso/test-.* is busy or at fault"):
        list(release.rows("hard_iso", "test"))
