"""Requests to the Hub: what is read, how patient they are, and faults as sentences."""

import hashlib
import io
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from huggingface_hub import HfApi
from loopback_hub import LoopbackHub

from benchloom.builders.errors import InputError
from benchloom.loaders.hub import client as client_module
from benchloom.loaders.hub.client import Hub
from benchloom.loaders.hub.faults import HubFault

REPO = "org/numbers"
TOKEN = "hf_secrettoken"
BLOB = random.Random(1).randbytes(300_000)
FILES = {
    "README.md": b"card\n",
    "even/test.parquet": BLOB,
    "empty.txt": b"",
    "a b/\u00e4 #1?.txt": b"odd",
}

REQUESTS: dict[str, Callable[[Hub], Any]] = {
    "repo_info": lambda hub: hub.commit(REPO),
    "refs": lambda hub: hub.refs(REPO),
    "tree": lambda hub: hub.tree(REPO),
    "resolve": lambda hub: hub.read(REPO, "main", "README.md"),
    "download": lambda hub: hub.open(REPO, "main", "even/test.parquet").read(),
}


@pytest.fixture
def repo(hub: LoopbackHub) -> LoopbackHub:
    """The Hub with a dataset of odd files, tagged v1.0.0."""
    hub.add_user("ada", TOKEN, orgs=["org"])
    hub.create_repo(REPO)
    hub.commit(REPO, FILES)
    HfApi(endpoint=hub.url, token=TOKEN).create_tag(REPO, repo_type="dataset", tag="v1.0.0")
    return hub


def test_branches_tags_and_files_are_those_of_the_repository(repo: LoopbackHub) -> None:
    hub = Hub(repo.url)
    head = repo.head(REPO)
    refs = hub.refs(REPO)
    assert (refs.branches, refs.tags) == ({"main": head}, {"v1.0.0": head})
    assert hub.commit(REPO) == hub.commit(REPO, "v1.0.0") == hub.commit(REPO, head) == head
    files = hub.tree(REPO, "v1.0.0")
    assert list(files) == sorted([".gitattributes", *FILES])
    for path, content in FILES.items():
        assert files[path].size == len(content)
        large = path.endswith(".parquet")
        assert files[path].sha256 == (hashlib.sha256(content).hexdigest() if large else None)
        assert hub.read(REPO, "v1.0.0", path) == content
        assert hub.open(REPO, "v1.0.0", path).read() == content


def test_a_tree_of_many_pages_is_read_whole(repo: LoopbackHub) -> None:
    repo.page_size = 3
    repo.commit(REPO, {f"f{i}/{i}.txt": b"%d" % i for i in range(20)})
    assert Hub(repo.url).tree(REPO).keys() >= {f"f{i}/{i}.txt" for i in range(20)}


def test_what_is_read_of_a_branch_is_not_of_yesterday(repo: LoopbackHub) -> None:
    hub = Hub(repo.url)
    assert hub.read(REPO, "main", "README.md") == b"card\n"
    repo.commit(REPO, {"README.md": b"another card\n"})
    assert hub.read(REPO, "main", "README.md") == b"another card\n"
    assert hub.read(REPO, "v1.0.0", "README.md") == b"card\n"


def test_pieces_of_a_file_are_fetched_by_range(repo: LoopbackHub) -> None:
    file = Hub(repo.url).open(REPO, "main", "even/test.parquet", len(BLOB))
    before = repo.count("resolve")
    choice = random.Random(2)
    for _ in range(20):
        start, length = choice.randrange(len(BLOB) + 10), choice.randrange(2000)
        file.seek(start)
        assert file.read(length) == BLOB[start : start + length]
    file.seek(-5, io.SEEK_END)
    file.seek(-5, io.SEEK_CUR)
    assert file.read() == BLOB[-10:]
    assert repo.count("resolve") - before <= 21
    ranges = [
        request.headers.get("range") for request in repo.requests if request.kind == "resolve"
    ]
    assert all(ranges)


def test_a_server_that_knows_no_ranges_is_understood(
    repo: LoopbackHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    from huggingface_hub import utils

    session = utils.get_session()

    class Deaf:
        @staticmethod
        def get(url: str, headers: dict[str, str], timeout: float) -> Any:
            rest = {name: value for name, value in headers.items() if name != "Range"}
            return session.get(url, headers=rest, timeout=timeout)

    monkeypatch.setattr(utils, "get_session", Deaf)
    file = Hub(repo.url).open(REPO, "main", "even/test.parquet", len(BLOB))
    file.seek(1000)
    assert file.read(200_000) == BLOB[1000:201_000]


def test_a_download_is_the_tree_byte_for_byte(
    repo: LoopbackHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client_module, "PIECE", 70_000)
    Hub(repo.url).download(REPO, "v1.0.0", tmp_path)
    found = {
        str(p.relative_to(tmp_path)): p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()
    }
    assert {path: found[path] for path in FILES} == FILES
    assert found.keys() == {*FILES, ".gitattributes"}


def test_a_download_that_broke_goes_on_where_it_was(
    repo: LoopbackHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client_module, "PIECE", 100_000)
    repo.fault("download", "drop", times=None, after=2)
    hub = Hub(repo.url, sleep=lambda seconds: None)
    with pytest.raises(HubFault, match="cannot be reached"):
        hub.download(REPO, "main", tmp_path, ["even/test.parquet"])
    assert not (tmp_path / "even/test.parquet").exists()
    repo.clear_faults()
    before = repo.count("download")
    hub.download(REPO, "main", tmp_path, ["even/test.parquet"])
    assert repo.count("download") - before == 1
    assert (tmp_path / "even/test.parquet").read_bytes() == BLOB


@pytest.mark.parametrize("kind", REQUESTS)
@pytest.mark.parametrize("what", [429, 500, 502, 503, 504, "drop", "cut_reply"])
def test_a_fault_that_passes_is_waited_for(repo: LoopbackHub, kind: str, what: str | int) -> None:
    waits: list[float] = []
    expected = REQUESTS[kind](Hub(repo.url))
    options = {"retry_after": 7} if isinstance(what, int) else {}
    fault = repo.fault(kind, what, times=2, **options)
    assert REQUESTS[kind](Hub(repo.url, sleep=waits.append)) == expected
    assert fault.fired == 2
    assert waits == ([7, 7] if options else [1, 2])


@pytest.mark.parametrize("kind", REQUESTS)
@pytest.mark.parametrize("what", [503, "drop"])
def test_a_fault_that_stays_is_one_sentence(repo: LoopbackHub, kind: str, what: str | int) -> None:
    waits: list[float] = []
    options = {"retry_after": None} if isinstance(what, int) else {}
    fault = repo.fault(kind, what, times=None, **options)
    with pytest.raises(HubFault) as caught:
        REQUESTS[kind](Hub(repo.url, TOKEN, sleep=waits.append))
    assert fault.fired == 5
    assert waits == [1, 2, 4, 8]
    assert caught.value.may_pass
    assert caught.value.status == (503 if what == 503 else None)
    check_sentence(repo, caught.value)


def test_nobody_waits_for_an_hour(repo: LoopbackHub) -> None:
    fault = repo.fault("refs", 429, times=None, retry_after=3600)
    with pytest.raises(HubFault, match="is busy"):
        Hub(repo.url, sleep=lambda seconds: pytest.fail("waited")).refs(REPO)
    assert fault.fired == 1


def test_a_request_that_may_be_sent_once_is_sent_once(repo: LoopbackHub) -> None:
    fault = repo.fault("repo_info", 503, times=None)
    hub = Hub(repo.url, sleep=lambda seconds: pytest.fail("waited"))
    with pytest.raises(HubFault, match="is busy"):
        hub.call("ask", lambda: hub.api.repo_info(REPO, repo_type="dataset"), tries=1)
    assert fault.fired == 1


def test_patience_is_not_multiplied(repo: LoopbackHub) -> None:
    fault = repo.fault("refs", 503, times=None)
    hub = Hub(repo.url, sleep=lambda seconds: None)
    with pytest.raises(HubFault, match="cannot read the branches"):
        hub.call("do more", lambda: hub.refs(REPO))
    assert fault.fired == 5


def test_a_bug_of_ours_keeps_its_traceback(repo: LoopbackHub) -> None:
    with pytest.raises(ZeroDivisionError):
        Hub(repo.url).call("divide", lambda: 1 // 0)


@pytest.mark.parametrize("kind", REQUESTS)
@pytest.mark.parametrize(
    ("token", "private", "words"),
    [
        (None, True, "there is no such dataset on .* or it is private .*set HF_TOKEN or run"),
        ("hf_other", True, "there is no such dataset on .* or it is not open to this token"),
        ("hf_nobodys", False, "does not accept the token; make a new one"),
    ],
)
def test_what_may_not_be_read(
    repo: LoopbackHub, kind: str, token: str | None, private: bool, words: str
) -> None:
    repo.add_user("bob", "hf_other")
    repo.repositories[REPO].private = private
    with pytest.raises(HubFault, match=words) as caught:
        REQUESTS[kind](Hub(repo.url, token))
    assert caught.value.status in (401, 404)
    check_sentence(repo, caught.value)


@pytest.mark.parametrize(
    ("request_of", "words"),
    [
        (lambda hub: hub.refs("org/other"), "there is no such dataset on"),
        (lambda hub: hub.tree(REPO, "v9.9.9"), "at v9.9.9: there is no such revision"),
        (lambda hub: hub.read(REPO, "main", "no.txt"), "there is no such file"),
        (lambda hub: hub.open(REPO, "main", "no.txt"), "has no file no.txt"),
        (lambda hub: hub.download(REPO, "main", Path(), ["no.txt"]), "has no file no.txt"),
        (lambda hub: hub.refs("a/b/c"), "a dataset is named org/name"),
        (lambda hub: hub.refs("a b"), "a dataset is named org/name"),
    ],
)
def test_what_is_not_there(repo: LoopbackHub, request_of: Callable[[Hub], Any], words: str) -> None:
    with pytest.raises(HubFault, match=words) as caught:
        request_of(Hub(repo.url, TOKEN))
    check_sentence(repo, caught.value)


def test_no_network_names_the_host(hub: LoopbackHub) -> None:
    closed = "127.0.0.1:9"  # the port of `discard`: nobody listens
    with pytest.raises(HubFault, match=re.escape(f"{closed} cannot be reached")):
        Hub(f"http://{closed}", TOKEN, sleep=lambda seconds: None).refs(REPO)
    assert not hub.requests


def test_a_page_of_another_server_is_no_reply(repo: LoopbackHub) -> None:
    """As of a hotel that wants its guests to log in first."""
    hub = Hub(f"{repo.url}/datasets/{REPO}/resolve/main/README.md?")
    with pytest.raises(HubFault, match="is not of a Hub; check HF_ENDPOINT"):
        hub.refs(REPO)


def test_offline_says_so(hub: LoopbackHub, monkeypatch: pytest.MonkeyPatch) -> None:
    import huggingface_hub

    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    with pytest.raises(HubFault, match="HF_HUB_OFFLINE is set; unset it"):
        Hub(hub.url).refs(REPO)


def test_a_password_in_the_address_is_not_shown() -> None:
    assert Hub("http://ada:secret@127.0.0.1:9/hub").host == "127.0.0.1:9"


@pytest.mark.parametrize("token", ["hf_sec ret", "hf_s\u00e9cret", "hf_sec\nret"])
def test_a_damaged_token_is_refused_and_not_shown(token: str) -> None:
    with pytest.raises(InputError, match="token in HF_TOKEN is damaged") as caught:
        Hub("http://127.0.0.1:9", token)
    assert token[-3:] not in str(caught.value)


def check_sentence(hub: LoopbackHub, fault: HubFault) -> None:
    """Checks that a fault is one line which names what failed but no token."""
    text = str(fault)
    assert "\n" not in text
    assert "hf_" not in text.replace("hf auth", "")
    assert not hub.errors
