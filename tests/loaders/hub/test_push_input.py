"""What a push refuses: one sentence, exit status 2, nothing changed, and never a token."""

import builtins
import functools
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from huggingface_hub import HfApi
from huggingface_hub.utils import disable_progress_bars, enable_progress_bars
from loopback_hub import LoopbackHub

from benchloom.builders.errors import InputError
from benchloom.builders.pipeline import build
from benchloom.builders.recipe import Recipe
from benchloom.loaders.checks_file import record_check
from benchloom.loaders.directory import Build
from benchloom.loaders.hub import client
from benchloom.loaders.hub.checks import schema_faults
from benchloom.loaders.hub.client import Hub
from benchloom.loaders.hub.push import push
from benchloom.scripts.main import main

REPO, TOKEN = "org/numbers", "hf_secrettoken"
SECRET = "hf_" + "aB3" * 12
pytestmark = pytest.mark.filterwarnings("ignore:Use 'content=:DeprecationWarning")  # the client's


@dataclass
class Desk:
    """A user at the command line, with a build."""

    hub: LoopbackHub
    directory: Path
    capture: pytest.CaptureFixture[str]
    log: pytest.LogCaptureFixture

    def refused(self, *words: str, repo: str = REPO, directory: Path | None = None) -> str:
        """Returns the sentence by which the command is refused."""
        before = {name: found.branches.copy() for name, found in self.hub.repositories.items()}
        status = main(["push", str(directory or self.directory), repo, *words])
        out, err = self.capture.readouterr()
        assert status == 2, out + err
        assert re.fullmatch(r"benchloom: [^\n]+\n", err), err
        for text in (out, err, self.log.text):
            assert TOKEN not in text
            assert SECRET not in text
            assert "Traceback" not in text
        after = {name: found.branches for name, found in self.hub.repositories.items()}
        assert after == before
        return err

    def release(self) -> None:
        """Pushes the build as 1.0.0."""
        hub = Hub(self.hub.url, TOKEN)
        options: dict[str, Any] = {"say": lambda line: None, "trial": lambda place, expected: []}
        assert push(hub, self.directory, REPO, **options) == []


@pytest.fixture
def desk(
    hub: LoopbackHub,
    load_numbers: Callable[..., Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> Iterator[Desk]:
    """A user with a token for org, and a build of one config."""
    load_numbers(("row_group_rows, packages = 2, 2,", "row_group_rows, packages = 50, 50,"))
    build(Recipe.of("numbers"), tmp_path / "b", ["even"], jobs=1, quiet=True)
    hub.add_user("ada", TOKEN, orgs=["org"])
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    monkeypatch.setattr(client, "Hub", functools.partial(Hub, sleep=lambda seconds: None))
    caplog.set_level("DEBUG")
    disable_progress_bars()
    yield Desk(hub, tmp_path / "b", capsys, caplog)
    enable_progress_bars()
    for repository in hub.repositories.values():
        assert not [name for name, blob in repository.blobs.items() if TOKEN.encode() in blob]
        for commit in repository.history.values():
            assert TOKEN not in commit.title + commit.message


def test_no_token(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HF_TOKEN")
    said = desk.refused()
    assert "needs a token with write permission; set HF_TOKEN or run `hf auth login`" in said
    assert not desk.hub.requests


def test_a_token_that_the_hub_does_not_know(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_TOKEN", SECRET)
    assert "does not accept the token" in desk.refused()


def test_whoever_may_not_write_is_told_before_anything_is_looked_at(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_TOKEN", SECRET)
    for private in (None, False, True):
        if private is not None:
            desk.hub.create_repo(REPO, private=private)
        for account, sentence in (
            ({"role": "read", "orgs": ["org"]}, "the token of bob does not allow writing to org/"),
            (
                {"role": "fineGrained", "orgs": ["org"], "scopes": ["bob"]},
                "the token of bob does not allow writing to org/numbers",
            ),
            ({"orgs": {"org": "read"}}, "bob may only read what is org's"),
            ({"orgs": ["others"]}, "org/numbers is not bob's: the token is good for bob, others"),
        ):
            desk.hub.add_user("bob", SECRET, **account)
            assert sentence in desk.refused()
    assert {request.kind for request in desk.hub.requests} == {"whoami"}


def test_a_fine_grained_token_with_write_permission_is_enough(desk: Desk) -> None:
    desk.hub.add_user("bob", SECRET, role="fineGrained", orgs=["org"], scopes=["org"])
    said: list[str] = []
    hub = Hub(desk.hub.url, SECRET)
    push(hub, desk.directory, REPO, say=said.append, trial=lambda place, expected: [])
    assert "is at 1.0.0, tag v1.0.0" in said[-1]


def test_no_network(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    nobody = LoopbackHub()  # its address is reserved, and nobody listens there
    monkeypatch.setenv("HF_ENDPOINT", nobody.url)
    said = desk.refused()
    assert nobody.url.removeprefix("http://") in said
    assert "cannot be reached" in said
    nobody.stop()


def test_a_file_edited_by_hand_is_named(desk: Desk) -> None:
    for name, old in (
        ("even/train-00000-of-00001.parquet", b"even-train-3"),
        ("README.md", b"# Numbers"),
        ("manifest.json", b'"seed": 0'),
        ("records/even-test.parquet", b"PAR1"),
        ("CHANGELOG.md", b"# Changelog"),
    ):
        path = desk.directory / name
        content = path.read_bytes()
        changed = bytes([old[-1] ^ 1])
        path.write_bytes(content.replace(old, old[:-1] + changed) if old in content else b"")
        assert name in desk.refused()
        path.unlink()
        assert name in desk.refused()
        path.write_bytes(content)
    desk.release()


def test_an_edit_with_the_sums_mended_is_still_found(desk: Desk) -> None:
    import hashlib

    card = desk.directory / "README.md"
    sums = desk.directory / "SHA256SUMS"
    before = hashlib.sha256(card.read_bytes()).hexdigest()
    for old, new, sentence in (
        ("num_examples: 10", "num_examples: 11", "num_examples are"),
        ("dtype: int64", "dtype: int32", "its features are not those it was built with"),
        ("even/test-*-of-00001.parquet", "even/none-*.parquet", "even/none-*.parquet matches no"),
        ("even/test-*-of-00001.parquet", "even/*.parquet", "the files of test are not the shards"),
        ('version: "0.0.0"', 'version: "9.0.0"', "its version is '9.0.0'"),
    ):
        text = card.read_text()
        assert old in text
        card.write_text(text.replace(old, new))
        after = hashlib.sha256(card.read_bytes()).hexdigest()
        listed = sums.read_text()
        sums.write_text(listed.replace(before, after))
        assert sentence in desk.refused()
        card.write_text(text)
        sums.write_text(listed)


def test_shards_of_other_types_than_declared_are_named(
    desk: Desk, load_numbers: Callable[..., Any]
) -> None:
    load_numbers(('Value("int64")', 'Value("int32")'))
    said = desk.refused()
    assert "its features are not those it was built with (and 2 more faults)" in said
    faults = schema_faults(Build(desk.directory))
    assert faults == [
        f"even/{split}-00000-of-00001.parquet has columns of other types than even declares"
        for split in ("train", "test")
    ]


def test_a_directory_without_a_build(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert "holds no manifest.json" in desk.refused(directory=tmp_path / "empty")
    assert "is no directory" in desk.refused(directory=tmp_path / "nowhere")
    assert not desk.hub.requests


def test_what_is_no_name_of_a_dataset(desk: Desk) -> None:
    for repo in ("vga", "a/b/c", "../x", "org/", "org/a b", "org/x..y", "org/.x", "org/x.git"):
        assert "is no name of a dataset; write it as ORG/NAME" in desk.refused(repo=repo)
    assert not desk.hub.requests


def test_options_that_cannot_be_used(desk: Desk) -> None:
    for option, value, sentence in (
        ("--version", "1.2", "'1.2' is no version"),
        ("--version", "v1.2.0", "'v1.2.0' is no version"),
        ("--version", "0.0.0", "0.0.0 is the version of what was never released"),
        ("--branch", "a..b", "'a..b' is no name of a branch"),
        ("--branch", "v1.0.0", "'v1.0.0' is no name of a branch"),
        ("--branch", "refs/pr/1", "'refs/pr/1' is no name of a branch"),
        ("--message", "# 2.0.0", "not begin with #"),
        ("--message", f"with {TOKEN}", "the --message holds what looks like the token"),
        ("--message", f"with {SECRET}", "the --message holds what looks like a token"),
        ("--include", "*.pdf", "no file matches --include *.pdf"),
    ):
        assert sentence in desk.refused(option, value)
    assert desk.hub.repositories == {}


def test_files_in_the_directory_that_would_do_harm(desk: Desk) -> None:
    script = desk.directory / "numbers.py"
    script.write_text("")
    assert "numbers.py would make every load of org/numbers fail" in desk.refused()
    script.unlink()
    stray = desk.directory / "even" / "train-00007-of-00001.parquet"
    shutil.copy(desk.directory / "even" / "train-00000-of-00001.parquet", stray)
    assert "even/train-00007-of-00001.parquet is of no build" in desk.refused()
    stray.unlink()
    for text in (f"key = {SECRET}", f"key = {TOKEN}", "-----BEGIN RSA PRIVATE KEY-----"):
        (desk.directory / "setup.txt").write_text(text)
        assert "setup.txt holds what looks like" in desk.refused("--include", "*.txt")


def test_what_include_never_sends(desk: Desk, tmp_path: Path) -> None:
    (desk.directory / ".gitattributes").write_text("* -text\n")
    assert ".gitattributes is for the Hub to write; leave it out" in desk.refused("--include", "*")
    (tmp_path / "private.txt").write_text("mine")
    (desk.directory / "notes.txt").symlink_to(tmp_path / "private.txt")
    said = desk.refused("--include", "notes.txt")
    assert "notes.txt is a link that leads out of" in said


def test_files_in_the_repository_that_are_in_the_way(desk: Desk) -> None:
    for path, sentence in (
        ("numbers.py", "org/numbers holds numbers.py, which makes every load of it fail"),
        ("even/train-00009-of-00001.parquet", "which is of no release and would be loaded with"),
        ("CHANGELOG.md", "org/numbers holds a CHANGELOG.md that is of no release"),
    ):
        desk.hub.create_repo(REPO)
        desk.hub.commit(REPO, {path: b"somebody's", "README.md": b"made on its page"})
        assert sentence in desk.refused()


def test_a_repository_of_another_benchmark_and_a_damaged_one(desk: Desk) -> None:
    desk.release()
    manifest = desk.hub.content(REPO, "manifest.json")
    desk.hub.replace_file(REPO, "manifest.json", manifest.replace(b'"numbers"', b'"vga"'))
    assert "holds releases of vga" in desk.refused()
    desk.hub.replace_file(REPO, "manifest.json", b"{}")
    assert "manifest.json of org/numbers is damaged" in desk.refused()
    desk.hub.replace_file(REPO, "manifest.json", b"\xff\xfe")
    assert "manifest.json of org/numbers is damaged" in desk.refused()


def test_a_release_that_does_not_load_is_not_pushed(desk: Desk) -> None:
    hub = Hub(desk.hub.url, TOKEN)
    with pytest.raises(InputError, match="cannot be released: it does not load"):
        push(
            hub,
            desk.directory,
            REPO,
            say=lambda line: None,
            trial=lambda place, expected: ["it does not load"],
        )
    assert desk.hub.repositories == {}


def test_a_card_that_the_hub_does_not_take(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.release()
    record_check(desk.directory, "audit", {"records": 15, "faults": 0})

    def refuse(*arguments: object, **options: object) -> None:  # as the client does
        raise ValueError("Invalid metadata in README.md.\n- no such licence")

    monkeypatch.setattr(HfApi, "_validate_yaml", refuse)
    said = desk.refused()
    assert "does not take it (Invalid metadata in README.md. - no such licence)" in said
    assert said.endswith("; org/numbers is as it was\n")


def test_a_reader_that_goes_away_does_not_cut_a_push_short(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(*arguments: object, **options: object) -> None:
        raise BrokenPipeError

    monkeypatch.setattr(builtins, "print", gone)
    assert main(["push", str(desk.directory), REPO]) == 0
    assert list(desk.hub.tags(REPO)) == ["v1.0.0"]


def test_a_published_version_of_vga_through_the_command_line(
    hub: LoopbackHub,
    vga_build: Path,
    run_cli: Callable[..., Any],
    tmp_path: Path,
) -> None:
    hub.add_user("ada", TOKEN, orgs=["org"])
    environment = hub.environment(tmp_path / "home", TOKEN)
    run = run_cli("push", vga_build, "org/vga", environment=environment)
    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stdout.splitlines()[-1].startswith("org/vga is at 1.0.0, tag v1.0.0: ")
    assert TOKEN not in run.stdout + run.stderr
    assert run.stderr == ""
    assert "preview/" in " ".join(hub.tree("org/vga"))
