"""Pushing releases: versions, what is sent, tags, branches; through HTTP."""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from datasets import load_dataset
from huggingface_hub.utils import disable_progress_bars, enable_progress_bars
from loopback_hub import LoopbackHub
from loopback_repository import Tag

from benchloom.builders.errors import InputError
from benchloom.builders.pipeline import build
from benchloom.builders.recipe import Recipe
from benchloom.loaders.checks_file import record_check
from benchloom.loaders.directory import Build
from benchloom.loaders.hub.checks import expected_configs
from benchloom.loaders.hub.client import Hub
from benchloom.loaders.hub.push import push
from benchloom.loaders.hub.trial import Place, loading_faults
from benchloom.loaders.hub.verification import verify_release

REPO, TOKEN = "org/numbers", "hf_secrettoken"
LARGE = ("row_group_rows, packages = 2, 2,", "row_group_rows, packages = 50, 50,")
ROWS = "for i in range(min(n, recipe.limit or n))]"
pytestmark = pytest.mark.filterwarnings("ignore:Use 'content=:DeprecationWarning")  # the client's


@dataclass
class Shop:
    """Builds of the benchmark of numbers, and pushes of them."""

    hub: LoopbackHub
    folder: Path
    load: Callable[..., Any]

    def build(
        self, name: str, *configs: str, changes: tuple[tuple[str, str], ...] = (), **recipe: Any
    ) -> Path:
        """Builds with changes to the benchmark's source."""
        self.load(LARGE, *changes)
        directory = self.folder / name
        build(Recipe.of("numbers", **recipe), directory, configs, jobs=1, quiet=True)
        return directory

    def push(self, directory: Path, repo: str = REPO, **options: Any) -> list[str]:
        """Pushes, and returns the lines that were said."""
        said: list[str] = []
        options.setdefault("trial", lambda place, expected: [])
        client = Hub(self.hub.url, TOKEN, sleep=lambda seconds: None)
        assert push(client, directory, repo, say=said.append, **options) == []
        return said

    def refusal(self, directory: Path, repo: str = REPO, **options: Any) -> str:
        """Returns the one sentence by which a push is refused; nothing changes by it."""
        before = {name: vars(found).copy() for name, found in self.hub.repositories.items()}
        with pytest.raises(InputError) as caught:
            self.push(directory, repo, **options)
        after = {name: vars(found) for name, found in self.hub.repositories.items()}
        assert {n: v["branches"] for n, v in before.items()} == {
            n: v["branches"] for n, v in after.items()
        }
        sentence = str(caught.value)
        assert "\n" not in sentence
        assert TOKEN not in sentence
        return sentence

    def versions(self) -> list[str]:
        """Returns the tags, each of which is at a commit of its own version's manifest."""
        tags = self.hub.tags(REPO)
        for name, tag in tags.items():
            manifest = json.loads(self.hub.content(REPO, "manifest.json", tag.commit))
            assert f"v{manifest['version']}" == name
        return list(tags)


@pytest.fixture
def shop(hub: LoopbackHub, load_numbers: Callable[..., Any], tmp_path: Path) -> Iterator[Shop]:
    """A Hub with one user, who may write to org."""
    hub.add_user("ada", TOKEN, orgs=["org"])
    disable_progress_bars()
    yield Shop(hub, tmp_path, load_numbers)
    enable_progress_bars()


def test_a_first_push_is_one_commit_with_a_tag(shop: Shop) -> None:
    directory = shop.build("b")
    said = shop.push(directory)
    assert "version 1.0.0: first release" in said
    assert said[-1] == f"{REPO} is at 1.0.0, tag v1.0.0: {len(shop.hub.tree(REPO)) - 1} files " + (
        "as in SHA256SUMS, and odd loads"
    )
    assert len(shop.hub.commits(REPO)) == 2
    (tag,) = shop.hub.tags(REPO).values()
    assert tag.commit == shop.hub.head(REPO)
    assert tag.message == "First release."
    tree = shop.hub.tree(REPO)
    sums = {}
    for line in shop.hub.content(REPO, "SHA256SUMS").decode().splitlines():
        sha256, path = line.split("  ")
        sums[path] = sha256
    assert sums == {p: s for p, s in tree.items() if p not in (".gitattributes", "SHA256SUMS")}
    for path, sha256 in sums.items():
        assert hashlib.sha256(shop.hub.content(REPO, path)).hexdigest() == sha256
    assert b'version: "1.0.0"' in shop.hub.content(REPO, "README.md")
    assert json.loads((directory / "manifest.json").read_text())["version"] == "0.0.0"


def test_what_was_pushed_loads_in_a_process_of_its_own_and_here(shop: Shop) -> None:
    directory = shop.build("b", "even")
    shop.push(directory, trial=loading_faults)
    loaded = load_dataset(REPO, "even", revision="v1.0.0")
    assert {name: split.num_rows for name, split in loaded.items()} == {"train": 10, "test": 5}


def test_a_config_that_does_not_load_as_built_is_named(shop: Shop) -> None:
    build_of = Build(shop.build("b", "even"))
    card = build_of.directory / "README.md"
    card.write_text(card.read_text().replace("num_examples: 10", "num_examples: 11"))
    (fault,) = loading_faults(Place(str(build_of.directory)), expected_configs(build_of))
    assert fault.startswith("load_dataset cannot load even: ")


CASES: dict[str, tuple[dict[str, Any], str, str]] = {
    "a config added": ({"configs": ("even", "odd")}, "1.1.0", "added in odd train (new)"),
    "a record appended": (
        {"changes": (('"test": 5', '"test": 6'),)},
        "1.1.0",
        "1 record added in even test",
    ),
    "a label changed": (
        {"changes": (('"label": i % 2', '"label": (i + (i == 7)) % 2'),)},
        "2.0.0",
        "1 record changed in even train",
    ),
    "two records swapped": (
        {"changes": ((ROWS, "for i in (1, 0, *range(2, n))]"),)},
        "2.0.0",
        "2 records moved in ",
    ),
    "a column dropped": (
        {
            "changes": (
                (', "seed_key": Value("string")', ""),
                (', "seed_key": seed_key(*key)', ""),
            )
        },
        "2.0.0",
        "seed_key",
    ),
    "another seed": ({"seed": 1}, "2.0.0", "changed in even train"),
    "fewer records": ({"limit": 4}, "2.0.0", "removed in even train"),
    "another card": ({"check": True}, "1.0.1", "the same records, other content in "),
}


@pytest.mark.parametrize("case", CASES)
def test_the_version_is_the_least_that_fits_and_no_lower_one_is_taken(
    shop: Shop, case: str
) -> None:
    recipe, version, reason = CASES[case]
    shop.push(shop.build("first", "even"))
    options = dict(recipe)
    check = options.pop("check", False)
    second = shop.build("second", *options.pop("configs", ("even",)), **options)
    if check:
        record_check(second, "audit", {"records": 15, "faults": 0})
    if version != "1.0.1":
        lower = "1.2.0" if version == "2.0.0" else "1.0.7"
        refused = shop.refusal(second, version=lower)
        assert f"{lower} does not fit after 1.0.0" in refused
        assert reason in refused
        assert f"push it as {version} or higher" in refused
    refused = shop.refusal(second, version="1.0.0")
    assert "is at 1.0.0 already, with other content" in refused
    assert f"push it as {version} or higher" in refused
    (line,) = [line for line in shop.push(second) if line.startswith("version ")]
    assert line.startswith(f"version 1.0.0 → {version}: ")
    assert reason in line
    assert shop.versions() == ["v1.0.0", f"v{version}"]
    changes = shop.hub.content(REPO, "CHANGELOG.md").decode()
    assert changes.index(f"## {version}") < changes.index("## 1.0.0")


def test_a_version_above_the_least_is_taken(shop: Shop) -> None:
    shop.push(shop.build("first", "even"), version="0.3.0")
    shop.push(shop.build("second", "even", "odd"), version="1.2.0")
    assert shop.versions() == ["v0.3.0", "v1.2.0"]


def test_the_same_again_sends_nothing_and_says_so(shop: Shop) -> None:  # case P8
    directory = shop.build("b", "even")
    shop.push(directory, version="1.2.0", message="Nothing but numbers.")
    before = len(shop.hub.requests)
    for options in ({}, {"version": "1.2.0"}, {"message": "Other words."}):
        said = shop.push(directory, **options)
        assert said[0] == f"{REPO} is at 1.2.0 already, with the same content"
    methods = {request.method for request in shop.hub.requests[before:]}
    assert methods == {"GET"}
    (tag,) = shop.hub.tags(REPO).values()
    assert tag.message == ("Nothing but numbers.\n\nFirst release.")
    assert "is at 1.2.0 already, with other content" in shop.refusal(
        shop.build("other", "even", "odd"), version="1.2.0"
    )
    assert "1.1.0 does not fit after 1.2.0" in shop.refusal(directory, version="1.1.0")


def test_a_missing_tag_is_set_by_the_same_push(shop: Shop) -> None:
    directory = shop.build("b", "even")
    shop.push(directory, message="Words of the first push.")
    wanted = shop.hub.tags(REPO)
    shop.hub.repositories[REPO].tags.clear()
    said = shop.push(directory)
    assert "its tag v1.0.0 is missing, and is set" in said
    assert shop.hub.tags(REPO) == wanted


def test_a_missing_tag_of_the_release_before_is_set_too(shop: Shop) -> None:
    shop.push(shop.build("first", "even"))
    wanted = shop.hub.tags(REPO)
    shop.hub.repositories[REPO].tags.clear()
    shop.push(shop.build("second", "even", "odd"))
    assert shop.versions() == ["v1.0.0", "v1.1.0"]
    assert shop.hub.tags(REPO)["v1.0.0"] == wanted["v1.0.0"]


def test_no_tag_is_set_at_a_release_that_was_edited(shop: Shop) -> None:
    shop.push(shop.build("first", "even"))
    shop.hub.repositories[REPO].tags.clear()
    shop.hub.replace_file(REPO, "README.md", b"Edited on its page.\n")
    said = shop.push(shop.build("second", "even", "odd"))
    assert f"README.md was changed in {REPO} since 1.0.0, and is replaced" in said
    assert shop.versions() == ["v1.1.0"]


def test_a_tag_that_exists_is_never_moved(shop: Shop) -> None:
    shop.push(shop.build("first", "even"))
    second = shop.build("second", "even", "odd")
    other = shop.hub.commits(REPO)[0].id
    shop.hub.repositories[REPO].tags["v1.1.0"] = Tag(other, "Somebody's.")
    refused = shop.refusal(second, version="1.1.0")
    assert "has the tag v1.1.0 already, and a tag is never moved; push it as 1.2.0" in refused
    shop.push(second)
    assert shop.hub.tags(REPO)["v1.1.0"].commit == other
    assert shop.hub.tags(REPO)["v1.2.0"].commit == shop.hub.head(REPO)


def test_a_tag_at_other_content_than_the_release_at_the_head_is_told(shop: Shop) -> None:
    directory = shop.build("first", "even")
    shop.push(directory)
    first = shop.hub.commits(REPO)[0].id
    shop.hub.repositories[REPO].tags["v1.0.0"] = Tag(first, "Somebody's.")
    refused = shop.refusal(directory)
    assert "its tag v1.0.0 is at other content" in refused
    assert "push it as 1.0.1 or higher" in refused
    shop.hub.repositories[REPO].tags["v1.0.1"] = Tag(first, "Somebody's, too.")
    assert "push it as 1.0.2 or higher" in shop.refusal(directory)


def test_a_tag_that_appears_at_another_commit_meanwhile_is_told(shop: Shop) -> None:
    directory = shop.build("first", "even")

    def rival(request: object) -> None:
        repository = shop.hub.repositories[REPO]
        repository.tags["v1.0.0"] = Tag(shop.hub.commits(REPO)[0].id, "Somebody's.")

    shop.hub.fault("tag", rival)
    with pytest.raises(InputError, match="someone else has set it at another commit"):
        shop.push(directory)


def test_stale_files_go_and_a_user_s_own_stay(shop: Shop) -> None:
    shop.push(shop.build("first"))
    shop.hub.commit(REPO, {"notes/mine.txt": b"Keep me.\n"})
    said = shop.push(shop.build("second", "odd"))
    assert f"notes/mine.txt is of no release and stays in {REPO}" in said
    assert not [line for line in said if ".gitattributes" in line]
    tree = shop.hub.tree(REPO)
    assert not [path for path in tree if "even" in path]
    assert "notes/mine.txt" in tree
    assert ".gitattributes" in tree
    assert shop.versions() == ["v1.0.0", "v2.0.0"]


def test_only_what_is_new_is_sent(shop: Shop) -> None:
    shop.push(shop.build("first", "even"))
    before = len(shop.hub.requests)
    said = shop.push(shop.build("second", "even", "odd"))
    assert "8 of 12 files to send" in " ".join(said)
    requests = shop.hub.requests[before:]
    assert sum(request.kind == "lfs_upload" for request in requests) == 4


def test_a_branch_is_compared_with_itself_and_gets_no_tag(shop: Shop) -> None:
    shop.push(shop.build("first", "even"))
    head = shop.hub.head(REPO)
    second = shop.build("second", "even", "odd")
    said = shop.push(second, branch="preview")
    assert "branch preview: no tag is set there" in said
    assert shop.hub.head(REPO) == head
    assert shop.versions() == ["v1.0.0"]
    assert said[-1].startswith(f"{REPO} is at 1.1.0 on branch preview, without a tag: ")
    assert shop.push(second, branch="preview")[0] == (
        f"{REPO} is at 1.1.0 already, with the same content"
    )
    shop.push(shop.build("third", "odd"), branch="preview")
    assert json.loads(shop.hub.content(REPO, "manifest.json", "preview"))["version"] == "2.0.0"
    shop.push(second)
    assert shop.versions() == ["v1.0.0", "v1.1.0"]


def test_a_first_push_to_a_branch_leaves_main_empty(shop: Shop) -> None:
    shop.push(shop.build("first", "even"), branch="preview")
    assert list(shop.hub.tree(REPO)) == [".gitattributes"]
    assert "manifest.json" in shop.hub.tree(REPO, "preview")
    assert shop.versions() == []


def test_a_dry_run_tells_all_and_sends_nothing(shop: Shop) -> None:
    directory = shop.build("first", "even")
    said = shop.push(directory, dry_run=True, private=True)
    assert said[-1] == "nothing was sent (--dry-run)"
    assert "version 1.0.0: first release" in said
    assert f"{REPO} is made, private" in said
    assert [line for line in said if "even/train-00000-of-00001.parquet" in line]
    assert shop.hub.repositories == {}
    shop.push(directory)
    head = shop.hub.head(REPO)
    said = shop.push(shop.build("second", "odd"), dry_run=True)
    assert "  - even/train-00000-of-00001.parquet" in said
    assert shop.hub.head(REPO) == head
    assert {request.method for request in shop.hub.requests if request.kind == "whoami"} == {"GET"}


def test_private_makes_a_private_repository_and_never_changes_a_public_one(shop: Shop) -> None:
    directory = shop.build("b", "even")
    shop.push(directory, private=True)
    assert shop.hub.repositories[REPO].private
    shop.push(shop.build("c", "even", "odd"), private=True)
    shop.push(directory, "org/open")
    assert "is there already and public" in shop.refusal(directory, "org/open", private=True)


def test_files_beside_a_build_are_named_and_sent_only_when_asked_for(shop: Shop) -> None:
    directory = shop.build("b", "even")
    (directory / "notes").mkdir()
    (directory / "notes" / "paper.txt").write_text("About numbers.\n")
    (directory / "preview.html").write_text("local")
    said = shop.push(directory)
    assert "notes/paper.txt is of no build and is left out" in said
    assert "notes/paper.txt" not in shop.hub.tree(REPO)
    shop.push(directory, include=["notes/*"])
    assert shop.hub.content(REPO, "notes/paper.txt") == b"About numbers.\n"
    assert "preview.html" not in shop.hub.tree(REPO)
    assert shop.versions() == ["v1.0.0", "v1.0.1"]
    assert "  notes/paper.txt\n" in shop.hub.content(REPO, "SHA256SUMS").decode()
    assert shop.push(directory, include=["notes/*"])[0].endswith("with the same content")
    client, notes = Hub(shop.hub.url, ""), []
    arguments: Any = (client, REPO, "v1.0.1", 1, 1, Counter())
    assert verify_release(*arguments, say=notes.append) == []
    assert not [line for line in notes if "paper.txt" in line]
    said = shop.push(directory)
    assert "notes/paper.txt was sent with --include before, is not now, and is deleted" in said
    assert "notes/paper.txt" not in shop.hub.tree(REPO)


def test_a_card_that_was_made_on_the_page_of_a_repository_is_replaced_and_told(shop: Shop) -> None:
    shop.hub.create_repo(REPO)
    shop.hub.commit(REPO, {"README.md": b"Words of mine.\n", "LICENSE": b"Free.\n"})
    said = shop.push(shop.build("b", "even"))
    assert f"README.md stands in {REPO} already, is of no release, and is replaced" in said
    assert f"LICENSE is of no release and stays in {REPO}" in said


def test_a_build_by_other_code_is_a_patch_that_says_so(shop: Shop) -> None:
    shop.push(shop.build("first", "even"))
    second = shop.build("second", "even")
    value = json.loads((second / "manifest.json").read_text())
    value["configs"]["even"]["code"] = "0" * 32
    (second / "manifest.json").write_text(json.dumps(value))
    sums = (second / "SHA256SUMS").read_text().splitlines()
    sha256 = hashlib.sha256((second / "manifest.json").read_bytes()).hexdigest()
    lines = [f"{sha256}  manifest.json" if "manifest.json" in line else line for line in sums]
    (second / "SHA256SUMS").write_text("\n".join(lines) + "\n")
    said = shop.push(second)
    assert (
        "version 1.0.0 → 1.0.1: the same records, made by other code or package versions, "
        "other content in manifest.json"
    ) in said


def test_what_stands_there_otherwise_than_it_was_sent_is_found(shop: Shop) -> None:
    directory = shop.build("b", "even")

    def damage(request: object) -> None:
        tag = shop.hub.tags(REPO).get("v1.0.0")
        if tag is not None:
            shop.hub.flip_byte(REPO, "CHANGELOG.md", 5)

    shop.hub.fault("refs", damage, times=1, after=1)  # the look after the tag was set
    client = Hub(shop.hub.url, TOKEN)
    faults = push(client, directory, REPO, say=lambda line: None, trial=lambda place, expected: [])
    assert faults == [
        f"{REPO} at v1.0.0: CHANGELOG.md is not the file that was sent: its SHA-256 differs"
    ]
