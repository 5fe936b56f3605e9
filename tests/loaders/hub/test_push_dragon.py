"""A release of DRAGON: pushed, read back, checked by somebody without the reviews, added to."""

import shutil
from collections import Counter
from pathlib import Path

import pytest
from datasets import load_dataset
from dragon_work import OTHER, REVIEWED, at, decide
from loopback_hub import LoopbackHub

from benchloom.builders.pipeline import build
from benchloom.builders.recipe import Recipe
from benchloom.loaders import attach_images
from benchloom.loaders.directory import Build
from benchloom.loaders.hub.client import Hub
from benchloom.loaders.hub.push import push
from benchloom.loaders.hub.verification import verify_release

REPO, TOKEN = "org/dragon", "hf_secrettoken"
pytestmark = pytest.mark.filterwarnings("ignore:Use 'content=:DeprecationWarning")  # the client's


def send(hub: LoopbackHub, directory: Path) -> str:
    said: list[str] = []
    client = Hub(hub.url, TOKEN, sleep=lambda seconds: None)
    faults = push(client, directory, REPO, say=said.append, trial=lambda place, expected: [])
    assert faults == []
    return "\n".join(said)


def test_a_release_is_pushed_loaded_and_added_to(
    hub: LoopbackHub, dragon_work: Path, dragon_build: Path, tmp_path: Path
) -> None:
    hub.add_user("ada", TOKEN, orgs=["org"])
    send(hub, dragon_build)
    client = Hub(hub.url, None)
    files = client.tree(REPO, client.commit(REPO, "v1.0.0"))
    assert {file for file in files if file.endswith((".png", ".jpg", ".html"))} == {
        "preview/overview.png"
    }
    test = load_dataset(REPO, "all", split="test", revision="v1.0.0")
    joined, missing, different = attach_images(test, dragon_work.parent / "copies", quiet=True)
    assert (missing, different) == ([], [])
    assert {one["image"].mode for one in joined} == {"RGB"}
    # Somebody who has not got the reviews can check the release all the same.
    counts: Counter[str] = Counter()
    faults = verify_release(client, REPO, "v1.0.0", None, 1, counts, say=lambda line: None)
    assert (faults, counts["records"], counts["without_folder"]) == ([], 49, 1)

    work = Path(shutil.copytree(dragon_work, tmp_path / "work"))
    ids = [record["id"] for _, record in Build(dragon_build).records("mapwise", "candidates")]
    for annotator in ("ada", "bob", "cleo"):
        decide(work, annotator, ids[-1], [OTHER], time=at(20))
    build(Recipe.of("dragon", options={"review_dir": work}), tmp_path / "more", quiet=True, jobs=1)
    said = send(hub, tmp_path / "more")
    assert "1 record changed, 1 moved in mapwise test" in said  # none but that one
    again = load_dataset(REPO, "mapwise", split="test", revision="v2.0.0")
    assert again["id"][:] == [
        *load_dataset(REPO, "mapwise", split="test", revision="v1.0.0")["id"],
        ids[-1],
    ]
    assert tuple(REVIEWED) == tuple(Build(dragon_build).manifest.configs)
