import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from dragon_review import PROPOSED, drawn, entries

from benchloom.builders.dragon.review_log import (
    Decision,
    LogWriter,
    Marks,
    open_log,
    read_log,
    read_logs,
)
from benchloom.builders.errors import InputError


@pytest.fixture
def work(tmp_path: Path) -> Path:
    return tmp_path


def log_path(work: Path) -> Path:
    return work / "reviews" / "anna.jsonl"


def append(writer: LogWriter, item: str, **fields: Any) -> Decision:
    return writer.append(item, "abc", fields.pop("kind", "review"), **fields)


def test_what_is_entered_is_read_back(work: Path) -> None:
    with open_log(work, "anna") as writer:
        first = append(writer, "a", evidence=PROPOSED, ambiguous=True, note="naïve\n“note”")
        second = append(writer, "a", kind="marks", evidence=PROPOSED[:1], marks=Marks(True, False))
        third = append(writer, "b")
    log = read_log(log_path(work))
    assert log.decisions == (first, second, third)
    assert first.time < second.time < third.time
    assert log.torn == b""
    assert list(entries(work, "anna")[0]) == [
        *("item", "image_sha256", "annotator", "time", "kind"),
        *("evidence", "ambiguous", "note", "marks", "session"),
    ]
    assert [log.annotator for log in read_logs(work)] == ["anna"]


def test_last_entry_of_a_kind_counts_and_earlier_ones_stay(work: Path) -> None:
    with open_log(work, "anna") as writer:
        append(writer, "a", note="first")
        append(writer, "a", kind="review-draft", note="draft")
        append(writer, "a", note="second")
        append(writer, "a", kind="arbitration", note="arbiter")
    log = read_log(log_path(work))
    assert log.last("review")["a"].note == "second"
    assert log.last("arbitration")["a"].note == "arbiter"
    assert log.last("review", "review-draft")["a"].note == "second"
    assert [one.note for one in log.decisions] == ["first", "draft", "second", "arbiter"]


def test_last_line_cut_anywhere_is_recovered(work: Path) -> None:
    with open_log(work, "anna") as writer:
        append(writer, "a", evidence=PROPOSED, note="ü")
        append(writer, "b", evidence=PROPOSED, note="ü")
    path = log_path(work)
    whole = path.read_bytes()
    start = whole.index(b"\n") + 1
    inside = whole.rindex("ü".encode()) + 1  # half of a letter
    for end in [*range(start, len(whole), 41), inside, *range(len(whole) - 3, len(whole) + 1)]:
        path.write_bytes(whole[:end])
        path.with_suffix(".torn").unlink(missing_ok=True)
        # Only the newline may be missing for the line to be whole.
        torn = b"" if end >= len(whole) - 1 else whole[start:end]
        assert read_log(path).torn == torn
        assert path.read_bytes() == whole[:end], "reading changes nothing"
        with open_log(work, "anna") as writer:
            assert len(writer.decisions) == (1 if torn or end == start else 2)
            assert (writer.recovered is not None) == bool(torn)
            append(writer, "c")
        assert [one["item"] for one in entries(work, "anna")][-1] == "c"
        if torn:
            assert path.with_suffix(".torn").read_bytes() == torn + b"\n"


@pytest.mark.parametrize("tail", [b"\0\0\0", b"[1, 2", b'"text"', b"{}", b"\xff\xfe"])
def test_any_torn_line_is_kept_aside(work: Path, tail: bytes) -> None:
    with open_log(work, "anna") as writer:
        append(writer, "a")
    path = log_path(work)
    for _ in range(2):
        with path.open("ab") as file:
            file.write(tail)
        with open_log(work, "anna") as writer:
            assert writer.recovered == path.with_suffix(".torn")
            append(writer, "a")
    assert path.with_suffix(".torn").read_bytes() == (tail + b"\n") * 2
    assert len(read_log(path).decisions) == 3


def changed(**fields: Any) -> dict[str, Any]:
    decision = Decision("a", "abc", "anna", "2026-01-01T00:00:00+00:00", "review", PROPOSED)
    value = decision.to_json()
    value.update(fields)
    return {name: one for name, one in value.items() if one is not ...}


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"item": ...}, "'item'"),
        ({"time": 3}, "must be texts"),
        ({"kind": "guess"}, "kind"),
        ({"annotator": "bob"}, "'bob'"),
        ({"evidence": {}}, "list"),
        ({"evidence": [{**PROPOSED[0].to_json(), "role": "both"}]}, "role"),
        ({"evidence": [PROPOSED[0].to_json()] * 2}, "one id"),
        ({"ambiguous": 1}, "ambiguous"),
        ({"marks": {"cvr": True, "cea": True}}, "no marks"),
        ({"kind": "marks", "marks": None}, "cvr and cea"),
        ({"kind": "marks", "marks": {"cvr": 1, "cea": True}}, "cvr and cea"),
    ],
)
def test_line_that_no_crash_makes_is_named(work: Path, fields: Any, words: str) -> None:
    path = log_path(work)
    path.parent.mkdir()
    good = json.dumps(changed())
    path.write_text(f"{good}\n{json.dumps(changed(**fields))}\n{good}\n")
    before = path.read_bytes()
    with pytest.raises(InputError, match=f"anna.jsonl, line 2: .*{words}"):
        read_log(path)
    with pytest.raises(InputError, match="line 2"), open_log(work, "anna"):
        pass
    assert path.read_bytes() == before


@pytest.mark.parametrize("name", ["", "Anna", "a b", "../x", "a/b", "ä", "a.b", "a" * 65, "a\n"])
def test_names_that_cannot_be(work: Path, name: str) -> None:
    with pytest.raises(InputError, match="name"), open_log(work, name):
        pass


def test_second_session_under_one_name_is_refused(work: Path) -> None:
    with open_log(work, "anna") as first, open_log(work, "bob"):
        append(first, "a")
        with pytest.raises(InputError, match=r"'anna' has a session open already \(.+@.+\)"):
            hold(work, "anna")
        append(first, "b")
    hold(work, "anna")
    assert len(read_log(log_path(work)).decisions) == 2


def hold(work: Path, name: str) -> None:
    with open_log(work, name):
        pass


HOLD = """
import sys, time
from pathlib import Path
from benchloom.builders.dragon.review_log import open_log
with open_log(Path(sys.argv[1]), "anna") as writer:
    writer.append("a", "abc", "review")
    print("ready", flush=True)
    time.sleep(60)
"""


def test_lock_of_another_process_holds_until_it_is_killed(work: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(work)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        with pytest.raises(InputError, match=f"{process.pid}"):
            hold(work, "anna")
        os.kill(process.pid, signal.SIGKILL)
    with open_log(work, "anna") as writer:
        assert [one.item for one in writer.decisions] == ["a"]


def test_log_tells_who_wrote_it(work: Path) -> None:
    with open_log(work, "anna") as writer:
        append(writer, "a")
    path = log_path(work)
    line = path.read_text()
    session = json.loads(line)["session"]
    path.write_text(line + line.replace(session, "eve@elsewhere 1 2026"))
    people = read_log(path).people
    assert "eve@elsewhere" in people
    assert len(people) == 2


def test_failed_write_leaves_no_half_line(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_log(work, "anna") as writer:
        append(writer, "a")
        before = log_path(work).read_bytes()

        def fail(handle: int) -> None:
            raise OSError(28, "No space left on device")

        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", fail)
            with pytest.raises(InputError, match="No space left"):
                append(writer, "b", evidence=(drawn("d1", 1, 1, 5, 5),))
        assert log_path(work).read_bytes() == before
        append(writer, "c")
        assert [one.item for one in writer.decisions] == ["a", "c"]


def test_faults_of_who_holds_the_log_are_theirs(work: Path) -> None:
    with pytest.raises(OSError, match="theirs"), open_log(work, "anna"):
        raise OSError("theirs")
    hold(work, "anna")


def test_folder_that_cannot_be_written(work: Path) -> None:
    (work / "reviews").write_text("a file")
    with pytest.raises(InputError, match=r"anna\.jsonl cannot be written"):
        hold(work, "anna")
