"""The Hub on loopback answers the unmodified clients as the real one does, and fails as asked."""

import hashlib
import io
import json
import os
import socket
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from huggingface_hub import (
    CommitOperationAdd,
    CommitOperationDelete,
    HfApi,
    hf_hub_download,
    snapshot_download,
)
from huggingface_hub.errors import (
    BadRequestError,
    EntryNotFoundError,
    HfHubHTTPError,
    RepositoryNotFoundError,
    RevisionNotFoundError,
)
from loopback_hub import KINDS, LoopbackHub

REPO = "org/tiny"
CARD = """---
configs:
- config_name: numbers
  data_files:
  - split: train
    path: numbers/train-*.parquet
  - split: test
    path: numbers/test-*.parquet
---
# Tiny
"""
SHARD = "numbers/train-00000-of-00001.parquet"
PUSH_KINDS = ("validate_yaml", "preupload", "lfs_batch", "lfs_upload", "lfs_verify", "commit")


def make_parquet(numbers: list[int]) -> bytes:
    sink = io.BytesIO()
    pq.write_table(pa.table({"number": numbers}), sink)
    return sink.getvalue()


def make_files(first: int = 0) -> dict[str, bytes]:
    return {
        "README.md": CARD.encode(),
        SHARD: make_parquet([first, first + 1, first + 2]),
        "numbers/test-00000-of-00001.parquet": make_parquet([first + 3]),
    }


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def sha256_of_all(files: dict[str, bytes]) -> dict[str, str]:
    return {path: sha256(content) for path, content in files.items()}


def push(
    api: HfApi, files: dict[str, bytes], deleted: tuple[str, ...] = (), **arguments: Any
) -> str:
    operations = [CommitOperationAdd(path, content) for path, content in files.items()]
    operations += [CommitOperationDelete(path) for path in deleted]
    arguments = {"commit_message": "A release", **arguments}
    return api.create_commit(REPO, operations, repo_type="dataset", **arguments).oid


def status_of(error: pytest.ExceptionInfo[BaseException]) -> int:
    return error.value.response.status_code


@pytest.fixture
def api(hub: LoopbackHub) -> HfApi:
    """A client of a user who may write to `org`."""
    hub.add_user("ada", "hf_ada", orgs=["org"])
    hub.add_user("bob", "hf_bob")
    return HfApi(endpoint=hub.url, token="hf_ada")


@pytest.fixture
def stranger(hub: LoopbackHub, api: HfApi) -> HfApi:
    """A client of a user who does not belong to `org`."""
    return HfApi(endpoint=hub.url, token="hf_bob")


@pytest.fixture
def repo(api: HfApi, hub: LoopbackHub) -> str:
    """A repository with the tiny dataset; what was asked for so far is forgotten."""
    api.create_repo(REPO, repo_type="dataset")
    push(api, make_files())
    hub.requests.clear()
    return REPO


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that the client would have waited between its tries."""
    seconds: list[float] = []
    stand_in = SimpleNamespace(sleep=seconds.append)
    monkeypatch.setattr("huggingface_hub.utils._http.time", stand_in)
    monkeypatch.setattr("huggingface_hub.file_download.time", stand_in)
    return seconds


# --- accounts and repositories


def test_the_token_says_who_asks(api: HfApi, hub: LoopbackHub) -> None:
    hub.add_user("eve", "hf_eve", role="read", orgs={"org": "admin"})
    hub.add_user("fay", "hf_fay", role="fineGrained", orgs=["org", "other"], scopes=["org"])
    answer = HfApi(endpoint=hub.url, token="hf_eve").whoami()
    assert answer["name"] == "eve"
    assert answer["auth"]["accessToken"]["role"] == "read"
    assert [(org["name"], org["roleInOrg"]) for org in answer["orgs"]] == [("org", "admin")]
    token = HfApi(endpoint=hub.url, token="hf_fay").whoami()["auth"]["accessToken"]
    assert [scope["entity"]["name"] for scope in token["fineGrained"]["scoped"]] == ["org"]
    with pytest.raises(HfHubHTTPError, match="Invalid user token") as error:
        HfApi(endpoint=hub.url, token="hf_wrong").whoami()
    assert status_of(error) == 401


def test_a_repository_is_created_once(api: HfApi, hub: LoopbackHub) -> None:
    address = api.create_repo(REPO, repo_type="dataset", private=True)
    assert (address.repo_id, address.repo_type) == (REPO, "dataset")
    assert api.create_repo(REPO, repo_type="dataset", exist_ok=True).repo_id == REPO
    with pytest.raises(HfHubHTTPError, match="already created") as error:
        api.create_repo(REPO, repo_type="dataset")
    assert status_of(error) == 409
    assert api.repo_info(REPO, repo_type="dataset").private
    assert list(hub.tree(REPO)) == [".gitattributes"]
    api.delete_repo(REPO, repo_type="dataset")
    assert not hub.repositories


@pytest.mark.parametrize("name", ["org/hers", "nowhere/hers", "bob/hers"])
def test_a_name_of_others_cannot_be_taken(api: HfApi, hub: LoopbackHub, name: str) -> None:
    hub.add_user("eve", "hf_eve", role="read", orgs=["org"])
    hub.add_user("fay", "hf_fay", role="fineGrained", orgs=["org"], scopes=["fay"])
    for token in ("hf_eve", "hf_fay"):
        with pytest.raises(HfHubHTTPError, match="don't have the rights") as error:
            HfApi(endpoint=hub.url, token=token).create_repo(name, repo_type="dataset")
        assert status_of(error) == 403
    with pytest.raises(HfHubHTTPError) as error:
        HfApi(endpoint=hub.url, token=False).create_repo(name, repo_type="dataset")
    assert status_of(error) == 401


def test_a_private_repository_does_not_exist_for_others(
    api: HfApi, stranger: HfApi, hub: LoopbackHub
) -> None:
    hub.create_repo(REPO, private=True)
    hub.commit(REPO, make_files())
    nobody = HfApi(endpoint=hub.url, token=False)
    for client, status in ((stranger, 404), (nobody, 401)):
        with pytest.raises(RepositoryNotFoundError) as error:
            client.repo_info(REPO, repo_type="dataset")
        assert status_of(error) == status
        with pytest.raises(RepositoryNotFoundError):
            client.hf_hub_download(REPO, "README.md", repo_type="dataset")
    assert api.repo_info(REPO, repo_type="dataset").sha == hub.head(REPO)


def test_only_who_may_can_write(repo: str, stranger: HfApi, hub: LoopbackHub) -> None:
    hub.add_user("eve", "hf_eve", role="read", orgs=["org"])
    reader = HfApi(endpoint=hub.url, token="hf_eve")
    for client in (stranger, reader):
        client.auth_check(repo, repo_type="dataset")
        for change in (
            lambda client=client: push(client, {"a.txt": b"a"}),
            lambda client=client: client.create_tag(repo, tag="v1.0.0", repo_type="dataset"),
            lambda client=client: client.auth_check(repo, repo_type="dataset", write=True),
        ):
            with pytest.raises(HfHubHTTPError, match="403 Forbidden"):
                change()
    assert hub.tree(repo).keys() == {".gitattributes", *make_files()}
    assert not hub.tags(repo)


# --- commits


def test_a_commit_adds_and_deletes_at_once(repo: str, api: HfApi, hub: LoopbackHub) -> None:
    head = hub.head(repo)
    files = {"notes/a.txt": b"a", "empty.txt": b"", SHARD: make_parquet([7])}
    oid = push(api, files, ("numbers/test-00000-of-00001.parquet",), parent_commit=head)
    assert hub.head(repo) == oid
    assert [commit.parent for commit in hub.commits(repo)][-1] == head
    attributes = hub.tree(repo)[".gitattributes"]
    kept = {".gitattributes": attributes, "README.md": sha256(CARD.encode())}
    assert hub.tree(repo) == {**kept, **sha256_of_all(files)}
    # The earlier commit stays as it was.
    assert hub.tree(repo, head) == {".gitattributes": attributes, **sha256_of_all(make_files())}
    push(api, {}, ("notes/",))
    assert "notes/a.txt" not in hub.tree(repo)


def test_only_what_is_missing_is_sent(repo: str, api: HfApi, hub: LoopbackHub) -> None:
    head = hub.head(repo)
    assert push(api, make_files()) == head
    assert hub.count("lfs_upload") == hub.count("commit") == 0
    push(api, {**make_files(), "copy.parquet": make_files()[SHARD]})
    assert hub.count("lfs_upload") == 0
    assert hub.tree(repo)["copy.parquet"] == hub.tree(repo)[SHARD]


def test_a_large_file_goes_in_parts(repo: str, api: HfApi, hub: LoopbackHub) -> None:
    hub.part_size = 1000
    content = bytes(range(256)) * 10
    push(api, {"large.bin": content, "small.bin": b"\0" * 1000})
    assert hub.content(repo, "large.bin") == content
    sizes = [request.received for request in hub.requests if request.kind == "lfs_upload"]
    assert sorted(sizes) == [560, 1000, 1000, 1000]
    assert hub.count("lfs_complete") == 1
    assert hub.count("lfs_verify") == 2


def test_tokens_stay_with_the_hub(repo: str, api: HfApi, hub: LoopbackHub, tmp_path: Path) -> None:
    push(api, {"large.bin": b"\0\1\2"})
    api.snapshot_download(repo, repo_type="dataset", cache_dir=tmp_path)
    seen = {request.kind: request.authorized for request in hub.requests}
    assert seen["lfs_batch"]
    assert seen["lfs_verify"]
    assert seen["commit"]
    assert not seen["lfs_upload"]
    assert not seen["download"]
    assert all(request.status in (200, 206, 302) for request in hub.requests)


def test_a_commit_on_another_head_is_refused(repo: str, api: HfApi, hub: LoopbackHub) -> None:
    old = hub.head(repo)
    hub.commit(repo, {"b.txt": b"b"})
    with pytest.raises(HfHubHTTPError, match="A commit has happened since") as error:
        push(api, {"a.txt": b"a"}, parent_commit=old)
    assert status_of(error) == 412
    assert "a.txt" not in hub.tree(repo)


def test_what_is_not_there_cannot_be_committed(repo: str, api: HfApi, hub: LoopbackHub) -> None:
    before = hub.tree(repo)
    with pytest.raises(EntryNotFoundError, match="doesn't exist"):
        push(api, {"a.txt": b"a"}, ("gone.txt",))
    with pytest.raises(RevisionNotFoundError):
        push(api, {"a.txt": b"a"}, revision="nowhere")
    with pytest.raises(BadRequestError, match="is a file and cannot be a folder"):
        push(api, {"README.md/a.txt": b"a"})
    assert hub.tree(repo) == before


COMMIT = {"key": "header", "value": {"summary": "A commit"}}
LFS = {"path": "a.bin", "algo": "sha256", "oid": "0" * 64, "size": 3}


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([], "empty"),
        ([{"key": "header", "value": {}}], "no summary"),
        ([COMMIT, {"key": "lfsFile", "value": LFS}], "does not exist"),
        ([COMMIT, {"key": "file", "value": {"path": "../a", "content": ""}}], "Invalid path"),
        ([COMMIT, {"key": "file", "value": {"path": ".git/a", "content": ""}}], "Invalid path"),
        ([COMMIT, {"key": "file", "value": {"path": "a", "content": "?"}}], "not in base64"),
        ([COMMIT, {"key": "rename", "value": {"path": "a"}}], "knows no operation"),
    ],
)
def test_a_commit_is_checked(
    repo: str, api: HfApi, hub: LoopbackHub, lines: list[dict[str, Any]], message: str
) -> None:
    from huggingface_hub.utils import get_session, hf_raise_for_status

    answer = get_session().post(
        f"{hub.url}/api/datasets/{repo}/commit/main",
        content=b"\n".join(json.dumps(line).encode() for line in lines),
        headers={"Authorization": "Bearer hf_ada"},
    )
    with pytest.raises(BadRequestError, match=message):
        hf_raise_for_status(answer)
    assert len(hub.commits(repo)) == 2


@pytest.mark.parametrize(
    "head", ["Content-Length: 1000\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n1000\r\n"]
)
def test_half_a_commit_is_none(repo: str, hub: LoopbackHub, head: str) -> None:
    before = hub.head(repo)
    lines = [COMMIT, {"key": "file", "value": {"path": "a.txt", "content": ""}}]
    text = "".join(f"{json.dumps(line)}\n" for line in lines)
    address = ("127.0.0.1", int(hub.url.rpartition(":")[2]))
    with socket.create_connection(address, timeout=20) as connection:
        first = (
            f"POST /api/datasets/{repo}/commit/main HTTP/1.1\r\nAuthorization: Bearer hf_ada\r\n"
        )
        connection.sendall(f"{first}{head}{text}".encode())
        connection.shutdown(socket.SHUT_WR)
        assert connection.recv(1) == b""
    assert hub.head(repo) == before
    assert [request.status for request in hub.requests] == [None]


# --- branches, tags, listings


def test_a_tag_stays_where_it_is(repo: str, api: HfApi, hub: LoopbackHub) -> None:
    first = hub.head(repo)
    api.create_tag(repo, tag="v1.0.0", tag_message="The first", repo_type="dataset")
    push(api, {"a.txt": b"a"})
    with pytest.raises(HfHubHTTPError, match="exists already") as error:
        api.create_tag(repo, tag="v1.0.0", repo_type="dataset")
    assert status_of(error) == 409
    api.create_tag(repo, tag="v1.0.0", repo_type="dataset", exist_ok=True)
    assert hub.tags(repo)["v1.0.0"].commit == first
    assert hub.tags(repo)["v1.0.0"].message == "The first"
    refs = api.list_repo_refs(repo, repo_type="dataset")
    assert [(tag.name, tag.ref, tag.target_commit) for tag in refs.tags] == [
        ("v1.0.0", "refs/tags/v1.0.0", first)
    ]
    with pytest.raises(RevisionNotFoundError):
        api.create_tag(repo, tag="v2.0.0", revision="f" * 40, repo_type="dataset")
    api.delete_tag(repo, tag="v1.0.0", repo_type="dataset")
    with pytest.raises(RevisionNotFoundError):
        api.repo_info(repo, revision="v1.0.0", repo_type="dataset")


def test_a_branch_takes_commits_of_its_own(repo: str, api: HfApi, hub: LoopbackHub) -> None:
    head = hub.head(repo)
    api.create_branch(repo, branch="try/out", repo_type="dataset")
    oid = push(api, {"a.txt": b"a"}, revision="try/out")
    refs = api.list_repo_refs(repo, repo_type="dataset")
    assert {branch.name: branch.target_commit for branch in refs.branches} == {
        "main": head,
        "try/out": oid,
    }
    with pytest.raises(HfHubHTTPError) as error:
        api.create_branch(repo, branch="try/out", repo_type="dataset")
    assert status_of(error) == 409
    api.delete_branch(repo, branch="try/out", repo_type="dataset")
    assert hub.head(repo) == head


@pytest.mark.parametrize("page_size", [2, 1000])
def test_trees_are_listed_page_by_page(
    repo: str, api: HfApi, hub: LoopbackHub, page_size: int
) -> None:
    hub.page_size = page_size
    listed = list(api.list_repo_tree(repo, recursive=True, expand=True, repo_type="dataset"))
    names = ["numbers", ".gitattributes", "README.md", *sorted(list(make_files())[1:])]
    assert [item.path for item in listed] == names
    assert hub.count("tree") == (3 if page_size == 2 else 1)
    assert {item.last_commit.title for item in listed} == {"initial commit", "A release"}
    shard = next(item for item in listed if item.path == SHARD)
    assert shard.lfs.sha256 == sha256(make_files()[SHARD])
    assert shard.size == shard.lfs.size == len(make_files()[SHARD])
    top = api.list_repo_tree(repo, repo_type="dataset")
    assert [item.path for item in top] == ["numbers", ".gitattributes", "README.md"]
    below = api.list_repo_tree(repo, "numbers", repo_type="dataset")
    assert [item.path for item in below] == sorted(list(make_files())[1:])
    with pytest.raises(EntryNotFoundError):
        list(api.list_repo_tree(repo, "nowhere", repo_type="dataset"))


def test_paths_and_repositories_are_described(repo: str, api: HfApi, hub: LoopbackHub) -> None:
    found = api.get_paths_info(repo, [SHARD, "numbers", "gone"], repo_type="dataset", expand=True)
    assert [item.path for item in found] == [SHARD, "numbers"]
    assert found[0].last_commit.oid == hub.head(repo)
    info = api.dataset_info(repo, files_metadata=True)
    assert info.sha == hub.head(repo)
    assert {item.rfilename: item.lfs and item.lfs.sha256 for item in info.siblings} == {
        ".gitattributes": None,
        "README.md": None,
        **{path: sha256(make_files()[path]) for path in list(make_files())[1:]},
    }
    assert info.card_data["configs"][0]["config_name"] == "numbers"
    few = api.dataset_info(repo, expand=["sha"])
    assert few.sha == hub.head(repo)
    assert few.siblings is None
    titles = [commit.title for commit in api.list_repo_commits(repo, repo_type="dataset")]
    assert titles == ["A release", "initial commit"]


# --- reading


def test_files_are_downloaded(repo: str, api: HfApi, hub: LoopbackHub, tmp_path: Path) -> None:
    where = {"repo_type": "dataset", "cache_dir": tmp_path, "endpoint": hub.url, "token": False}
    folder = Path(snapshot_download(repo, **where))
    files = {path: (folder / path).read_bytes() for path in make_files()}
    assert files == make_files()
    # A second time the cache is enough.
    hub.requests.clear()
    hf_hub_download(repo, SHARD, **where)
    assert hub.count("download") == 0
    for wrong, missing in (
        ({"filename": "gone.txt"}, EntryNotFoundError),
        ({"filename": "README.md", "revision": "gone"}, RevisionNotFoundError),
    ):
        with pytest.raises(missing):
            hf_hub_download(repo, **where, **wrong)


def test_ranges_are_served(repo: str, api: HfApi, hub: LoopbackHub) -> None:
    from huggingface_hub.utils import get_session

    for path in (SHARD, "README.md"):  # by way of the store, and directly
        content = make_files()[path]
        size = len(content)
        address = f"{hub.url}/datasets/{repo}/resolve/main/{path}"
        for wanted, part in (
            ("0-9", content[:10]),
            (f"{size - 4}-", content[-4:]),
            ("-8", content[-8:]),
            (f"5-{size + 50}", content[5:]),
        ):
            answer = get_session().get(address, headers={"Range": f"bytes={wanted}"})
            assert answer.status_code == 206
            assert answer.content == part
            start = size - len(part) if wanted != "0-9" else 0
            end = start + len(part) - 1
            assert answer.headers["Content-Range"] == f"bytes {start}-{end}/{size}"
        answer = get_session().get(address, headers={"Range": f"bytes={size}-"})
        assert answer.status_code == 416


def test_datasets_load(repo: str, api: HfApi, hub: LoopbackHub) -> None:
    from datasets import load_dataset

    api.create_tag(repo, tag="v1.0.0", repo_type="dataset")
    push(api, make_files(first=10))
    assert load_dataset(repo, "numbers", split="train")["number"][:] == [10, 11, 12]
    tagged = load_dataset(repo, "numbers", revision="v1.0.0")
    assert {name: part["number"][:] for name, part in tagged.items()} == {
        "train": [0, 1, 2],
        "test": [3],
    }
    streamed = load_dataset(repo, "numbers", split="test", streaming=True)
    assert list(streamed) == [{"number": 13}]
    assert hub.count("unknown") == 0


def test_another_process_loads_a_private_dataset(
    api: HfApi, hub: LoopbackHub, tmp_path: Path
) -> None:
    hub.create_repo(REPO, private=True)
    hub.commit(REPO, make_files())
    code = (
        f"import datasets; print(datasets.load_dataset({REPO!r}, 'numbers')['train']['number'][:])"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **hub.environment(tmp_path, "hf_ada")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.stdout.strip() == "[0, 1, 2]", run.stderr
    assert hub.count("unknown") == hub.count("outside") == 0


# --- damage


def test_a_flipped_byte_shows_in_the_content_alone(
    repo: str, api: HfApi, hub: LoopbackHub, tmp_path: Path
) -> None:
    before, head = hub.tree(repo), hub.head(repo)
    hub.flip_byte(repo, SHARD, 10)
    assert (hub.tree(repo), hub.head(repo)) == (before, head)
    path = api.hf_hub_download(repo, SHARD, repo_type="dataset", cache_dir=tmp_path)
    content = Path(path).read_bytes()
    assert content == hub.content(repo, SHARD)
    changed = [a != b for a, b in zip(content, make_files()[SHARD], strict=True)]
    assert changed.index(True) == 10
    assert sum(changed) == 1


def test_a_replaced_file_moves_the_tag(repo: str, api: HfApi, hub: LoopbackHub) -> None:
    api.create_tag(repo, tag="v1.0.0", repo_type="dataset")
    head = hub.head(repo)
    made = hub.replace_file(repo, SHARD, make_parquet([9]), "v1.0.0")
    assert hub.tags(repo)["v1.0.0"].commit == made
    assert hub.head(repo) == head
    assert hub.tree(repo, "v1.0.0") == {**hub.tree(repo), SHARD: sha256(make_parquet([9]))}


# --- faults


@pytest.mark.parametrize("status", [429, 500, 503])
@pytest.mark.parametrize("kind", PUSH_KINDS)
def test_an_overloaded_hub_is_seen(
    repo: str, api: HfApi, hub: LoopbackHub, waits: list[float], kind: str, status: int
) -> None:
    before = hub.tree(repo)
    fault = hub.fault(kind, status, times=None, retry_after=0)
    # The client reads JSON from this one before it looks at the status.
    with pytest.raises((HfHubHTTPError, RuntimeError, json.JSONDecodeError)):
        push(api, {"README.md": b"Changed", "new.bin": b"\0\1"})
    assert hub.tree(repo) == before
    tried_again = kind not in ("validate_yaml", "commit")
    assert waits == ([1.0] * 5 if tried_again else [])
    assert fault.fired == len(waits) + 1
    hub.clear_faults()
    push(api, {"README.md": b"Changed", "new.bin": b"\0\1"})
    assert hub.tree(repo) == {
        **before,
        **sha256_of_all({"README.md": b"Changed", "new.bin": b"\0\1"}),
    }


@pytest.mark.parametrize("what", ["drop", "drop_upload", "lost_reply", "cut_reply"])
@pytest.mark.parametrize("kind", PUSH_KINDS)
def test_a_dropped_connection_is_seen(
    repo: str, api: HfApi, hub: LoopbackHub, waits: list[float], kind: str, what: str
) -> None:
    import httpx2

    files = {"README.md": b"Changed", "new.bin": bytes(range(256)) * 1000}
    fault = hub.fault(kind, what)
    # These two are not sent again by the client.
    if kind in ("validate_yaml", "commit"):
        with pytest.raises(httpx2.TransportError):
            push(api, files)
    else:
        push(api, files)
        # The reply to an upload has no body that could be cut.
        assert waits == ([] if kind == "lfs_upload" and what == "cut_reply" else [1])
    assert fault.fired == 1
    struck = next(request for request in hub.requests if request.fault == what)
    assert struck.status == (200 if what == "cut_reply" else None)
    # A commit that arrived whole is made, whether or not the client hears of it.
    is_made = kind not in ("validate_yaml", "commit") or (
        kind == "commit" and what in ("lost_reply", "cut_reply")
    )
    assert (hub.tree(repo).get("new.bin") == sha256(files["new.bin"])) is is_made


def test_half_an_upload_is_no_file(
    repo: str, api: HfApi, hub: LoopbackHub, waits: list[float]
) -> None:
    content = bytes(range(256)) * 20_000
    hub.fault("lfs_upload", "drop_upload", times=None)
    with pytest.raises(RuntimeError, match=r"Error while uploading 'new\.bin'"):
        push(api, {"new.bin": content})
    uploads = [request for request in hub.requests if request.kind == "lfs_upload"]
    assert {request.received for request in uploads} == {len(content) // 2}
    assert {request.status for request in uploads} == {None}
    assert "new.bin" not in hub.tree(repo)
    hub.clear_faults()
    push(api, {"new.bin": content})
    assert hub.content(repo, "new.bin") == content


@pytest.mark.parametrize("part_size", [None, 100])
def test_a_corrupted_upload_is_refused(
    repo: str, api: HfApi, hub: LoopbackHub, part_size: int | None
) -> None:
    hub.part_size = part_size
    content = bytes(range(256))
    hub.fault("lfs_upload", "corrupt")
    with pytest.raises(RuntimeError) as error:
        push(api, {"new.bin": content})
    assert error.value.__cause__.response.status_code == 422
    assert "new.bin" not in hub.tree(repo)
    # What was refused is not taken for present.
    push(api, {"new.bin": content})
    assert hub.content(repo, "new.bin") == content


@pytest.mark.parametrize("part_size", [None, 100])
def test_a_corrupted_upload_may_pass(
    repo: str, api: HfApi, hub: LoopbackHub, part_size: int | None
) -> None:
    hub.part_size = part_size
    content = bytes(range(256))
    hub.fault("lfs_upload", "corrupt_accepted")
    push(api, {"new.bin": content})
    assert hub.tree(repo)["new.bin"] == sha256(content)
    assert len(hub.content(repo, "new.bin")) == len(content)
    assert hub.content(repo, "new.bin") != content


def test_the_head_moves_under_a_push(repo: str, api: HfApi, hub: LoopbackHub) -> None:
    head = hub.head(repo)
    hub.fault("commit", "head_moves", changes={"other.txt": b"other"})
    with pytest.raises(HfHubHTTPError, match="A commit has happened since"):
        push(api, {"a.txt": b"a"}, parent_commit=head)
    assert hub.tree(repo).keys() == {".gitattributes", *make_files(), "other.txt"}


def test_two_pushes_meet(repo: str, api: HfApi, hub: LoopbackHub) -> None:
    head, barrier = hub.head(repo), threading.Barrier(2, timeout=20)
    hub.fault("commit", lambda request: barrier.wait(), times=2)
    outcomes: list[object] = []

    def run(name: str) -> None:
        try:
            outcomes.append(push(api, {name: name.encode()}, parent_commit=head))
        except HfHubHTTPError as error:
            outcomes.append(error.response.status_code)

    threads = [threading.Thread(target=run, args=(name,)) for name in ("a.txt", "b.txt")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes, key=str) == sorted([412, hub.head(repo)], key=str)
    assert len(hub.commits(repo)) == 3


def test_faults_choose_their_requests(repo: str, api: HfApi, hub: LoopbackHub) -> None:
    def tag(name: str) -> int:
        try:
            api.create_tag(repo, tag=name, repo_type="dataset")
        except HfHubHTTPError as error:
            return error.response.status_code
        return 200

    fault = hub.fault("tag", 500, after=1, times=2, retry_after=None)
    assert [tag(name) for name in "abcde"] == [200, 500, 500, 200, 200]
    assert (fault.seen, fault.fired) == (5, 2)
    hub.fault("any", 503, when=lambda request: request.method == "GET")
    assert tag("f") == 200
    with pytest.raises(HfHubHTTPError) as error:
        api.repo_info(repo, repo_type="dataset")
    assert error.value.response.headers["Retry-After"] == "0"
    assert error.value.response.request.method == "GET"
    for kind, what, options in (
        ("nonsense", 500, {}),
        ("tag", "nonsense", {}),
        ("tag", "drop", {"seconds": 1}),
    ):
        with pytest.raises((ValueError, KeyError)):
            hub.fault(kind, what, **options)


def test_a_slow_reply_outlasts_the_client(repo: str, api: HfApi, hub: LoopbackHub) -> None:
    import httpx2

    hub.fault("repo_info", "slow", seconds=0.3)
    with pytest.raises(httpx2.ReadTimeout):
        api.repo_info(repo, repo_type="dataset", timeout=0.05)
    assert api.repo_info(repo, repo_type="dataset", timeout=5).sha == hub.head(repo)


@pytest.mark.parametrize("kind", ["resolve", "download"])
def test_a_download_is_cut_and_resumed(
    repo: str, api: HfApi, hub: LoopbackHub, waits: list[float], kind: str, tmp_path: Path
) -> None:
    content = b"# Text\n" * 50_000
    path = "large.txt" if kind == "resolve" else "large.bin"
    hub.commit(repo, {path: content})
    fault = hub.fault(kind, "cut_reply", when=lambda request: request.method == "GET")
    found = api.hf_hub_download(repo, path, repo_type="dataset", cache_dir=tmp_path)
    assert Path(found).read_bytes() == content
    assert fault.fired == 1
    sent = [request.sent for request in hub.requests if request.kind == kind and request.sent]
    assert sent[0] == len(content) // 2
    assert sent[1] <= len(content)


# --- the server itself


def test_every_kind_is_documented() -> None:
    import loopback_hub

    for kind in KINDS:
        assert kind in loopback_hub.__doc__ or kind == "any"


def test_no_route_means_no_answer(hub: LoopbackHub) -> None:
    from huggingface_hub.utils import get_session

    assert get_session().get(f"{hub.url}/api/spaces").status_code == 404
    assert get_session().get(f"{hub.store_url}/api/whoami-v2").status_code == 404
    assert hub.count("unknown") == 2


def test_other_processes_get_nowhere_else(hub: LoopbackHub, tmp_path: Path) -> None:
    code = """
from huggingface_hub.utils import get_session
assert get_session().get("http://hub.invalid/api/whoami-v2").status_code == 404
try:
    get_session().get("https://hub.invalid/api/whoami-v2")
except Exception as error:
    print(type(error).__name__)
"""
    run = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **hub.environment(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.stdout.strip() == "ProxyError", run.stderr
    assert [request.method for request in hub.requests] == ["GET", "CONNECT"]
    assert hub.count("outside") == 2


def test_until_the_start_connections_are_refused() -> None:
    import httpx2

    hub = LoopbackHub()
    try:
        with pytest.raises(httpx2.ConnectError):
            httpx2.get(hub.url, timeout=5)
        hub.start()
        assert httpx2.get(hub.url, timeout=5).status_code == 404
    finally:
        hub.stop()
    with pytest.raises(httpx2.ConnectError):
        httpx2.get(hub.url, timeout=5)


def test_without_the_fixture_nothing_is_online() -> None:
    import datasets
    import huggingface_hub

    assert huggingface_hub.constants.HF_HUB_OFFLINE
    assert datasets.config.HF_HUB_OFFLINE
    assert os.environ["HF_ENDPOINT"].startswith("http://127.0.0.1:")
