"""Pushes that meet faults, rivals and sudden deaths: main is never a mixture, a rerun finishes."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from huggingface_hub.utils import disable_progress_bars, enable_progress_bars, logging
from loopback_hub import LoopbackHub
from push_faults import FAULTS, READING, REPO, SENDING, TOKEN, Outcome, PushTable, faults_of

from benchloom.builders.errors import InputError
from benchloom.builders.pipeline import build
from benchloom.builders.recipe import Recipe
from benchloom.loaders.hub.client import Hub
from benchloom.loaders.hub.push import push

pytestmark = pytest.mark.filterwarnings("ignore:Use 'content=:DeprecationWarning")  # the client's
PASSING = (
    "429 once",
    "503 three times",
    "reply lost once",
    "reply cut short",
    "dropped in the upload",
    "upload corrupted",
)
GROUPS = {"reading": READING, "uploading": SENDING[:-2], "committing": SENDING[-2:]}


@pytest.fixture
def table(
    hub: LoopbackHub,
    load_numbers: Callable[..., object],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[PushTable]:
    """A release with one config, and a build with one more to be pushed over it."""
    load_numbers(("row_group_rows, packages = 2, 2,", "row_group_rows, packages = 50, 50,"))
    for name, configs in (("old", ["even"]), ("new", ["even", "odd"])):
        build(Recipe.of("numbers"), tmp_path / name, configs, jobs=1, quiet=True)
    disable_progress_bars()
    verbosity = logging.get_verbosity()
    logging.set_verbosity_error()
    monkeypatch.setattr(time, "sleep", lambda seconds: None)  # the client's own waits
    yield PushTable(hub, tmp_path / "old", tmp_path / "new")
    logging.set_verbosity(verbosity)
    enable_progress_bars()


def check(outcome: Outcome) -> None:
    """Main is the old release or the new one, what was said is true, the rerun makes it whole."""
    before, after = ("none", "old") if outcome.request == "create_repo" else ("old", "new")
    tags = {"none": "", "old": "v1.0.0", "new": "v1.0.0 v1.1.0"}
    moved = " + another push" if outcome.fault == "head moved" else ""
    assert outcome.main in (before + moved, after), outcome
    assert outcome.tags in (tags[before], tags[after]), outcome
    if outcome.said:
        assert "\n" not in outcome.said, outcome
        assert TOKEN not in outcome.said, outcome
        if "as it was" in outcome.said or "nothing of this push is there" in outcome.said:
            assert (outcome.main, outcome.tags) == (before + moved, tags[before]), outcome
        if "is wholly" in outcome.said and "or wholly" not in outcome.said:
            assert outcome.main == after, outcome
    else:
        assert (outcome.main, outcome.tags) == (after, tags[after]), outcome
    assert (outcome.main_then, outcome.tags_then) == (after + moved, tags[after]), outcome


@pytest.mark.parametrize("group", GROUPS)
def test_after_any_fault_main_is_wholly_old_or_new_and_a_rerun_finishes(
    table: PushTable, group: str
) -> None:
    for request in GROUPS[group]:
        for outcome in table.outcomes(request):
            print(outcome)
            check(outcome)
            assert not (outcome.fault in PASSING and outcome.said), outcome


def test_the_table_of_faults_is_large_enough() -> None:
    kinds = [kind for group in GROUPS.values() for kind in group]
    assert sum(len(faults_of(kind)) for kind in kinds) >= 40
    assert {fault for kind in kinds for fault in faults_of(kind)} == set(FAULTS)


def test_a_hub_that_goes_down_at_any_moment_leaves_nothing_half_done(table: PushTable) -> None:
    table.reset()
    before = len(table.hub.requests)
    assert table.push(table.new) == ""
    kinds = [request.kind for request in table.hub.requests[before:]]
    seen = set()
    for after in sorted({*range(1, len(kinds), 4), kinds.index("tag")}):
        outcome = table.meet("any", f"down after {after}", "drop", times=None, after=after)
        check(outcome)
        seen.add((outcome.main, outcome.tags))
    assert seen == {("old", "v1.0.0"), ("new", "v1.0.0"), ("new", "v1.0.0 v1.1.0")}


def test_of_two_pushes_at_once_one_wins_and_the_other_says_so(
    table: PushTable, tmp_path: Path
) -> None:
    third = tmp_path / "third"
    build(Recipe.of("numbers", seed=1), third, ["even", "odd"], jobs=1, quiet=True)
    table.reset()
    meeting = threading.Barrier(2, timeout=30)  # both commits are on their way before one is made
    table.hub.fault("commit", lambda request: meeting.wait(), times=2)
    said: dict[Path, str] = {}

    def run(directory: Path) -> None:
        said[directory] = table.push(directory)

    threads = [threading.Thread(target=run, args=(path,)) for path in (table.new, third)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (loser,) = [path for path, words in said.items() if words]
    assert "someone else has pushed to org/data meanwhile" in said[loser]
    winner = "v2.0.0" if loser == table.new else "v1.1.0"
    assert list(table.hub.tags(REPO)) == ["v1.0.0", winner]
    assert table.hub.tags(REPO)[winner].commit == table.hub.head(REPO)
    assert len(table.hub.commits(REPO)) == 3
    if loser == third:
        assert table.main() == "new"


def test_two_pushes_of_the_same_at_once_both_find_it_there(table: PushTable) -> None:
    table.reset()
    meeting = threading.Barrier(2, timeout=30)
    table.hub.fault("commit", lambda request: meeting.wait(), times=2)
    said: list[str] = []
    threads = [
        threading.Thread(target=lambda: said.append(table.push(table.new))) for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert said == ["", ""]
    assert (table.main(), table.tags()) == ("new", "v1.0.0 v1.1.0")
    assert len(table.hub.commits(REPO)) == 3


SCRIPT = """
import sys
from pathlib import Path
from numbers_benchmark import Numbers
from benchloom.builders.benchmark import BENCHMARKS
from benchloom.loaders.hub.client import Hub
from benchloom.loaders.hub.push import push
Numbers.shard_rows = Numbers.row_group_rows = 50
BENCHMARKS["numbers"] = Numbers()
push(Hub(), Path(sys.argv[1]), sys.argv[2], trial=lambda place, expected: [])
"""


@pytest.mark.parametrize(
    ("request_kind", "main", "tags"),
    [
        ("lfs_upload", "old", "v1.0.0"),
        ("lfs_verify", "old", "v1.0.0"),
        ("commit", "new", "v1.0.0"),  # the Hub carries out what has reached it
        ("tag", "new", "v1.0.0 v1.1.0"),
    ],
)
def test_a_killed_push_is_finished_by_the_next(
    table: PushTable, tmp_path: Path, request_kind: str, main: str, tags: str
) -> None:
    table.reset()
    environment = {**os.environ, **table.hub.environment(tmp_path / "home", TOKEN)}
    started = threading.Event()
    process: list[subprocess.Popen[bytes]] = []

    def kill(request: object) -> None:
        started.wait()
        process[0].send_signal(signal.SIGKILL)
        process[0].wait()

    table.hub.fault(request_kind, kill)
    process.append(
        subprocess.Popen(
            [sys.executable, "-c", SCRIPT, str(table.new), REPO],
            cwd=tmp_path / "numbers",
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
    )
    started.set()
    _, words = process[0].communicate(timeout=60)
    assert process[0].returncode == -signal.SIGKILL, words.decode()
    deadline = 1000
    while (table.main(), table.tags()) != (main, tags) and deadline:  # the Hub is still at it
        deadline -= 1
        threading.Event().wait(0.01)
    assert (table.main(), table.tags()) == (main, tags)
    table.hub.clear_faults()
    before = table.hub.count("lfs_upload")
    assert table.push(table.new) == ""
    assert (table.main(), table.tags()) == ("new", "v1.0.0 v1.1.0")
    assert len(table.hub.commits(REPO)) == 3
    if request_kind in ("commit", "tag"):
        assert table.hub.count("lfs_upload") == before  # nothing is sent twice


def test_what_the_hub_has_is_not_sent_again(table: PushTable) -> None:
    table.reset()
    table.hub.fault("commit", 503, times=None)
    assert "as it was" in table.push(table.new)
    table.hub.clear_faults()
    before = len(table.hub.requests)
    assert table.push(table.new) == ""
    kinds = [request.kind for request in table.hub.requests[before:]]
    assert "lfs_upload" not in kinds
    assert kinds.count("commit") == kinds.count("tag") == 1


def test_waiting_is_bounded_and_as_long_as_the_server_asks(table: PushTable) -> None:
    table.reset()
    table.hub.fault("commit", 503, times=None, retry_after=7)
    waits: list[float] = []
    client = Hub(table.hub.url, TOKEN, sleep=waits.append)
    with pytest.raises(InputError, match="busy or at fault"):
        push(client, table.new, REPO, say=lambda line: None, trial=lambda place, expected: [])
    assert waits == [7.0] * 4
