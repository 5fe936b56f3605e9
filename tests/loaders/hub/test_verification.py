"""Checking and loading what stands on the Hub, as a stranger would."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from loopback_hub import LoopbackHub

from benchloom.builders.errors import InputError
from benchloom.builders.manifest import parse_sums, records_file
from benchloom.builders.pipeline import build
from benchloom.builders.recipe import Recipe
from benchloom.builders.records import record_digest, split_digest
from benchloom.loaders import load
from benchloom.loaders.directory import Build
from benchloom.loaders.hub.client import Hub
from benchloom.loaders.hub.push import push
from benchloom.loaders.hub.verification import verify_release

REPO, TOKEN = "org/omni", "hf_secrettoken"
SHARD = "cycle/easy-00000-of-00001.parquet"
pytestmark = pytest.mark.filterwarnings("ignore:Use 'content=:DeprecationWarning")  # the client's


@pytest.fixture(scope="module")
def omni(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two instances of two tasks at each difficulty. Not to be changed."""
    directory = tmp_path_factory.mktemp("omni") / "build"
    build(Recipe.of("graphomni", limit=2), directory, ["cycle", "diameter"], jobs=1, quiet=True)
    return directory


def publish(hub: LoopbackHub, directory: Path, **options: str) -> None:
    client = Hub(hub.url, TOKEN, sleep=lambda seconds: None)
    options_of_push = {"say": lambda line: None, "trial": lambda place, expected: [], **options}
    assert push(client, directory, REPO, **options_of_push) == []


@pytest.fixture
def released(hub: LoopbackHub, omni: Path) -> LoopbackHub:
    """A Hub that holds the build as version 1.0.0."""
    hub.add_user("ada", TOKEN, orgs=["org"])
    publish(hub, omni)
    return hub


def verify(hub: LoopbackHub, revision: str = "v1.0.0", sample: int | None = 1, **options) -> list:
    client = Hub(hub.url, "", sleep=lambda seconds: None)
    counts: Counter[str] = Counter()
    faults = verify_release(
        client, REPO, revision, sample, 1, counts, say=lambda line: None, **options
    )
    assert counts["planned"] <= 2 * 3 * 126
    return faults


def sums_renewed(hub: LoopbackHub, changes: dict[str, bytes]) -> dict[str, bytes]:
    """Returns changes to files with the SHA256SUMS that fits them."""
    sums = parse_sums(hub.content(REPO, "SHA256SUMS"), "SHA256SUMS")
    sums |= {file: hashlib.sha256(content).hexdigest() for file, content in changes.items()}
    lines = "".join(f"{digest}  {file}\n" for file, digest in sorted(sums.items()))
    return {**changes, "SHA256SUMS": lines.encode()}


def test_a_release_is_as_it_says(released: LoopbackHub, tmp_path: Path) -> None:
    assert verify(released) == []
    assert verify(released, "main", to=tmp_path / "kept") == []
    assert len(load(tmp_path / "kept", "cycle", "easy", revision="v1.0.0")) == 126


def test_one_flipped_byte_is_found_and_its_shard_named(released: LoopbackHub) -> None:
    released.flip_byte(REPO, SHARD, 2_000)
    faults = verify(released)
    assert any(fault.startswith(f"{SHARD} ") for fault in faults)
    assert not [fault for fault in faults if "diameter" in fault]


def change_answer(content: bytes, tmp_path: Path, place: int) -> tuple[bytes, dict, str]:
    """Returns a shard with one answer turned into its opposite, the record, and its id."""
    (tmp_path / "shard.parquet").write_bytes(content)
    table = pq.read_table(tmp_path / "shard.parquet")
    answers = table["answer"].to_pylist()
    answers[place] = {"Yes": "No", "No": "Yes"}[answers[place]]
    at = table.schema.get_field_index("answer")
    table = table.set_column(at, table.schema.field(at), [answers])
    pq.write_table(table, tmp_path / "shard.parquet")
    record = table.slice(place, 1).to_pylist()[0]
    return (tmp_path / "shard.parquet").read_bytes(), record, record["id"]


@pytest.mark.parametrize("digests_too", [False, True])
def test_one_changed_label_is_found_although_every_sum_was_mended(
    released: LoopbackHub, tmp_path: Path, digests_too: bool
) -> None:
    shard, record, name = change_answer(released.content(REPO, SHARD), tmp_path, 77)
    manifest = json.loads(released.content(REPO, "manifest.json"))
    split = manifest["configs"]["cycle"]["splits"]["easy"]
    split["shards"][0] |= {"bytes": len(shard), "sha256": hashlib.sha256(shard).hexdigest()}
    changes = {SHARD: shard}
    if digests_too:
        file = records_file("cycle", "easy")
        (tmp_path / "records.parquet").write_bytes(released.content(REPO, file))
        table = pq.read_table(tmp_path / "records.parquet")
        digests = table["digest"].to_pylist()
        digests[77] = record_digest(record, {})
        column = pa.array(digests, table.schema.field(1).type)
        table = table.set_column(1, table.schema.field(1), column)
        pq.write_table(table, tmp_path / "records.parquet")
        changes[file] = (tmp_path / "records.parquet").read_bytes()
        split["digest"] = split_digest(digests)
    changes["manifest.json"] = json.dumps(manifest).encode()
    released.commit(REPO, sums_renewed(released, changes), revision="v1.0.0")
    faults = verify(released)  # of which one record in 126 is made again
    assert any(name in fault and "answer" in fault for fault in faults), faults


def test_what_the_hub_has_more_less_or_otherwise_is_named(released: LoopbackHub) -> None:
    released.commit(REPO, {"cycle/more.parquet": b"x", SHARD: None}, revision="main")
    faults = verify(released, "main")
    assert f"{SHARD} is missing" in faults
    assert "cycle/more.parquet is in no list of the release and is loaded with it" in faults
    released.commit(REPO, sums_renewed(released, {"CHANGELOG.md": b"mine"}), revision="v1.0.0")
    assert verify(released) == []  # a text that its sum fits is not ours to judge
    released.replace_file(REPO, "CHANGELOG.md", b"yours", revision="v1.0.0")
    assert verify(released) == ["CHANGELOG.md is not the file that was built: its SHA-256 differs"]


def test_a_card_that_says_otherwise_than_the_shards_is_named(released: LoopbackHub) -> None:
    card = released.content(REPO, "README.md").decode()
    for old, new, sentence in (
        ("cycle/easy-*-of", "cycle/hard-*-of", "the files of easy are not the shards"),
        ('version: "1.0.0"', 'version: "1.0.1"', "its version is '1.0.1', that of the manifest"),
        ("dtype: string", "dtype: binary", "its features are not those it was built with"),
    ):
        assert old in card
        changes = {"README.md": card.replace(old, new).encode()}
        released.commit(REPO, sums_renewed(released, changes), revision="v1.0.0")
        assert any(sentence in fault for fault in verify(released)), old


def test_files_beside_a_release_are_told_and_a_script_is_a_fault(released: LoopbackHub) -> None:
    released.commit(REPO, {"LICENSE": b"x", "data/train.csv": b"a,b\n"}, revision="main")
    client, said = Hub(released.url, "", sleep=lambda seconds: None), []
    counts: Counter[str] = Counter()
    assert verify_release(client, REPO, "main", 1, 1, counts, say=said.append) == []
    assert "data/train.csv is in no list of the release, so nothing is known of it" in said
    assert any(line.startswith("LICENSE is in no list") for line in said)
    released.commit(REPO, {"omni.py": b""}, revision="main")
    assert verify(released, "main") == ["omni.py makes every load of org/omni fail"]
    released.commit(REPO, sums_renewed(released, {"omni.py": b""}), revision="main")  # listed, too
    assert verify(released, "main") == ["omni.py makes every load of org/omni fail"]


def test_sentences_name_files_as_the_release_has_them(released: LoopbackHub) -> None:
    whole = released.content(REPO, SHARD)
    damaged = whole[:2_000] + bytes(300) + whole[2_300:]
    manifest = json.loads(released.content(REPO, "manifest.json"))
    shard = manifest["configs"]["cycle"]["splits"]["easy"]["shards"][0]
    shard["sha256"] = hashlib.sha256(damaged).hexdigest()
    changes = {SHARD: damaged, "manifest.json": json.dumps(manifest).encode()}
    changes = sums_renewed(released, changes)
    changes["SHA256SUMS"] += b"0" * 64 + b"  ../../evil\n"
    released.commit(REPO, changes, revision="v1.0.0")
    faults = verify(released)
    assert "SHA256SUMS lists ../../evil, which is outside of the folder" in faults
    assert any(fault.startswith(f"cycle easy: {SHARD} cannot be read (") for fault in faults), (
        faults
    )
    for fault in faults:
        assert "/tmp" not in fault
        assert "build again" not in fault
        assert "\n" not in fault
    released.replace_file(REPO, "SHA256SUMS", b"no sums\n", revision="v1.0.0")
    with pytest.raises(InputError, match="line 1 is no checksum; name another release"):
        verify(released)


def test_a_tag_must_hold_its_version(released: LoopbackHub, omni: Path) -> None:
    manifest = json.loads(released.content(REPO, "manifest.json")) | {"version": "1.0.1"}
    changes = sums_renewed(released, {"manifest.json": json.dumps(manifest).encode()})
    released.commit(REPO, changes, revision="v1.0.0")
    assert "the tag v1.0.0 holds version 1.0.1" in verify(released)


def test_what_is_no_release_is_refused(released: LoopbackHub, tmp_path: Path) -> None:
    released.create_repo("org/empty")
    client = Hub(released.url, TOKEN)
    full = tmp_path / "full"
    full.mkdir()
    (full / "file").write_text("mine")
    for repo, revision, to, said in (
        ("org/none", "main", None, "org/none"),
        (REPO, "v9.9.9", None, "v9.9.9"),
        ("org/empty", "main", None, "no release of benchloom"),
        (REPO, "main", full, "is not empty"),
        (REPO, "main", full / "file", "cannot be used"),
    ):
        with pytest.raises(InputError, match=said) as caught:
            verify_release(client, repo, revision, 1, 1, Counter(), to=to, say=lambda line: None)
        assert "\n" not in str(caught.value)
        assert TOKEN not in str(caught.value)
    assert (full / "file").read_text() == "mine"


def test_the_command_passes_fails_and_refuses(
    released: LoopbackHub,
    run_cli: Callable[..., subprocess.CompletedProcess[str]],
    tmp_path: Path,
) -> None:
    def run(*words: str) -> subprocess.CompletedProcess[str]:
        home = tmp_path / "home"
        return run_cli("verify", *words, environment=released.environment(home, ""))

    done = run(REPO, "--revision", "v1.0.0", "--sample", "2")
    assert (done.returncode, done.stdout) == (
        0,
        "756 records as planned, 12 of them made again and equal, 6 shards as built\n",
    )
    done = run("org/none")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    released.flip_byte(REPO, SHARD, 2_000)
    done = run(REPO)
    assert done.returncode == 1
    assert SHARD in done.stdout


def test_load_gives_the_version_that_is_asked_for(released: LoopbackHub, omni: Path) -> None:
    more = omni.parent / "more"
    if not more.exists():
        shutil.copytree(omni, more)
        build(Recipe.of("graphomni", limit=2), more, ["triangle"], jobs=1, quiet=True)
    publish(released, more)
    old = load(REPO, "cycle", "easy", revision="v1.0.0")
    assert str(old.info.version) == "1.0.0"
    assert str(load(REPO, "cycle", "easy").info.version) == "1.1.0"
    assert len(load(REPO, "triangle", "hard")) == 126
    streamed = load(REPO, "cycle", "easy", revision="v1.0.0", streaming=True)
    first = next(iter(Build(omni).records("cycle", "easy", [0])))[1]
    rows = list(streamed)
    assert rows[0] == first
    assert len(rows) == 126
    with pytest.raises(InputError, match="triangle"):
        load(REPO, "triangle", revision="v1.0.0")
    for repo, arguments, said in (
        ("org/none", {}, "the Hub has no dataset org/none"),
        (REPO, {"revision": "v3.0.0"}, "v3.0.0"),
        (REPO, {"config": "cycle", "split": "soft"}, "soft"),
    ):
        with pytest.raises(InputError, match=said) as caught:
            load(repo, **arguments)
        assert "\n" not in str(caught.value)


def test_another_version_from_the_cache_is_no_answer(
    released: LoopbackHub, omni: Path, tmp_path: Path
) -> None:
    # Without a network datasets gives what it loaded last, whatever revision is asked for.
    def python(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", f"from benchloom.loaders import load; {code}"],
            env=os.environ | released.environment(tmp_path / "home", "") | environment,
            capture_output=True,
            text=True,
            check=False,
        )

    done = python(f"load({REPO!r}, 'cycle', 'easy')")
    assert done.returncode == 0, done.stderr
    offline = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1"}
    assert python(f"load({REPO!r}, 'cycle', 'easy')", **offline).returncode == 0
    done = python(f"load({REPO!r}, 'cycle', 'easy', revision='v2.0.0')", **offline)
    assert "version 2.0.0 of org/omni was asked for, 1.0.0 was found" in done.stderr


def test_a_hub_that_is_not_reached_is_named(tmp_path: Path) -> None:
    nobody = LoopbackHub()  # its address is reserved, and nobody listens there
    code = f"""
import time
time.sleep = lambda seconds: None  # between the client's own tries
from benchloom.builders.errors import InputError
from benchloom.loaders import load
try:
    load("{REPO}", "cycle")
except InputError as error:
    print(error)
"""
    for variables, said in (
        ({}, f"{nobody.url.removeprefix('http://')} cannot be reached; check the network and go"),
        ({"HF_HUB_OFFLINE": "1"}, "HF_HUB_OFFLINE is set; unset it and go online"),
    ):
        done = subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ
            | {"HF_HUB_OFFLINE": "0", "HF_DATASETS_OFFLINE": "0", "HF_HOME": str(tmp_path)}
            | {"HF_ENDPOINT": nobody.url, **variables},
            capture_output=True,
            text=True,
            check=False,
        )
        assert f"{REPO} cannot be loaded: {said}" in done.stdout, done.stderr
        assert done.stdout.count("\n") == 1
    nobody.stop()
