import http.client
import io
import json
import shutil
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from dragon_fixtures import write_mapwise
from dragon_review import PROPOSED, decide, draw_chart, drawn, entries, write_review_work
from dragon_work import propose_all
from PIL import Image

from benchloom.builders.dragon import opening
from benchloom.builders.dragon.review import server as server_module
from benchloom.builders.dragon.review.server import ReviewServer
from benchloom.builders.dragon.review.session import ConflictError, ReviewSession
from benchloom.builders.dragon.review_log import open_log
from benchloom.builders.dragon.work import Work, read_work
from benchloom.builders.errors import InputError

Q1 = "chartqa-test-q1"


@pytest.fixture
def work(tmp_path: Path) -> Path:
    return write_review_work(tmp_path, 2)


@pytest.fixture
def server(work: Path) -> Iterator[ReviewServer]:
    with open_log(work, "anna") as writer:
        running = ReviewServer(ReviewSession(read_work(work), work, writer), "127.0.0.1", 0)
        thread = threading.Thread(target=running.serve_forever, args=(0.02,))
        thread.start()
        yield running
        running.shutdown()
        thread.join()
        running.server_close()


Ask = Callable[..., tuple[int, dict[str, str], bytes]]


@pytest.fixture
def ask(server: ReviewServer) -> Ask:
    def run(
        path: str, body: bytes | None = None, **headers: str
    ) -> tuple[int, dict[str, str], bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=10)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request("GET" if body is None else "POST", path, body, named)
        reply = connection.getresponse()
        data = reply.read()
        connection.close()
        return reply.status, dict(reply.getheaders()), data

    return run


def save(ask: Ask, **value: Any) -> tuple[int, dict[str, Any]]:
    body = json.dumps({"revision": 0, **value}).encode()
    status, _, data = ask("/api/save", body, X_Benchloom="review")
    return status, json.loads(data)


def boxes(*evidence: Any) -> list[dict[str, Any]]:
    return [one.to_json() for one in evidence]


@pytest.mark.parametrize("path", ["/", "/review.js", "/stage.js", "/review.css", "/api/items"])
def test_browser_is_told_to_ask_nobody_else(ask: Ask, path: str) -> None:
    status, headers, data = ask(path)
    assert status == 200
    assert data
    policy = headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'")
    assert "http" not in policy
    assert "*" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize(
    "path", ["/x", "/../server.py", "/api", "/review.js/..", "/api/item?item=x"]
)
def test_nothing_else_is_served(ask: Ask, path: str) -> None:
    assert ask(path)[0] == 404


def test_decision_is_in_the_log_when_the_reply_comes(ask: Ask, work: Path) -> None:
    status, said = save(ask, item=Q1, evidence=boxes(*PROPOSED), note="so")
    assert status == 200
    (entry,) = entries(work, "anna")
    assert entry["kind"] == "review"
    assert entry["evidence"] == said["evidence"] == boxes(*PROPOSED)
    assert entry["time"] == said["time"]
    assert entry["note"] == "so"
    box = boxes(drawn("d1", 1, 2, 3, 4))
    assert save(ask, item=Q1, draft=True, evidence=box, revision=1)[1]["revision"] == 2
    assert [one["kind"] for one in entries(work, "anna")] == ["review", "review-draft"]
    described = json.loads(ask(f"/api/item?item={Q1}")[2])
    assert described["decision"]["evidence"] == boxes(*PROPOSED)
    assert described["draft"]["evidence"] == boxes(drawn("d1", 1, 2, 3, 4))
    assert described["next_drawn"] == 2


@pytest.mark.parametrize(
    "value",
    [
        {"item": "gone"},
        {},
        {"item": Q1, "evidence": 3},
        {"item": Q1, "evidence": [3]},
        {"item": Q1, "evidence": [{}]},
        {"item": Q1, "evidence": boxes(drawn("x", 1, 2, 3, 4))},
        {"item": Q1, "evidence": boxes(drawn("d1", 500, 2, 3, 4))},
        {"item": Q1, "evidence": [{**boxes(PROPOSED[0])[0], "bbox": [None, 1, 2, 3]}]},
        {"item": Q1, "note": 3},
        {"item": Q1, "revision": None},
        {"item": Q1, "revision": True},
    ],
)
def test_what_cannot_be_is_refused_and_not_logged(ask: Ask, work: Path, value: Any) -> None:
    status, said = save(ask, **value)
    assert status == 422
    assert said["error"]
    assert (work / "reviews" / "anna.jsonl").read_bytes() == b""


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"\xff", b"NaN"])
def test_bodies_that_are_no_objects(ask: Ask, body: bytes) -> None:
    assert ask("/api/save", body, X_Benchloom="review")[0] in (400, 422)


def test_other_sites_can_neither_save_nor_read(ask: Ask, work: Path) -> None:
    body = json.dumps({"item": Q1, "evidence": []}).encode()
    assert ask("/api/save", body)[0] == 403
    assert ask("/api/save", body, X_Benchloom="review", Host="evil.example:80")[0] == 403
    assert ask("/api/items", Host="evil.example")[0] == 403
    assert (work / "reviews" / "anna.jsonl").read_bytes() == b""


def test_picture_that_changed_is_not_decided_about(ask: Ask, work: Path) -> None:
    path = work.parent / "ChartQA" / "test" / "png" / "chart1.png"
    assert ask(f"/image?item={Q1}")[2] == path.read_bytes()
    draw_chart(path, 7)
    assert "has changed" in json.loads(ask(f"/api/item?item={Q1}")[2])["fault"]
    assert ask(f"/image?item={Q1}")[0] == 404
    assert save(ask, item=Q1, evidence=[])[0] == 422
    path.unlink()
    assert "is missing" in json.loads(ask(f"/api/item?item={Q1}")[2])["fault"]
    assert save(ask, item=Q1, evidence=[])[0] == 422
    draw_chart(path, 1)
    assert save(ask, item=Q1, evidence=[])[0] == 200


@pytest.mark.parametrize(
    ("kind", "mode"), [("PNG", "RGBA"), ("PNG", "P"), ("TIFF", "CMYK"), ("JPEG", "L"), ("PPM", "1")]
)
def test_browser_gets_what_it_can_show(tmp_path: Path, kind: str, mode: str) -> None:
    work = write_review_work(tmp_path, 1)
    path = tmp_path / "ChartQA" / "test" / "png" / "chart1.png"
    Image.open(path).convert(mode).save(path, kind)
    with open_log(work, "anna") as writer:
        text = (work / "items.jsonl").read_text()
        from benchloom.builders.files import sha256_of

        before = read_work(work).items[0].item.image.sha256
        (work / "items.jsonl").write_text(text.replace(before, sha256_of(path)))
        session = ReviewSession(read_work(work), work, writer)
        server = ReviewServer(session, "127.0.0.1", 0)
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=10)
            connection.request("GET", f"/image?item={Q1}")
            reply = connection.getresponse()
            data = reply.read()
            connection.close()
            assert reply.status == 200
            shown = kind in ("PNG", "JPEG")
            assert reply.headers["Content-Type"] == f"image/{kind.lower() if shown else 'png'}"
            assert (data == path.read_bytes()) == shown
        finally:
            server.shutdown()
            thread.join()
            server.server_close()


def test_browser_gets_a_smaller_copy_of_a_large_picture(
    ask: Ask, work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "LARGE_PIXELS", 1000)
    monkeypatch.setattr(server_module, "SHOWN_SIDE", 100)
    status, headers, data = ask(f"/image?item={Q1}")
    assert (status, headers["Content-Type"]) == (200, "image/png")
    with Image.open(io.BytesIO(data)) as shown:
        assert shown.size == (100, 75)
    assert json.loads(ask(f"/api/item?item={Q1}")[2])["image"]["width"] == 400


def test_address_that_is_taken(server: ReviewServer) -> None:
    with pytest.raises(InputError, match="another --port"):
        ReviewServer(server.session, "127.0.0.1", server.server_port)
    with pytest.raises(InputError, match="cannot be answered on"):
        ReviewServer(server.session, "203.0.113.7", 0)


def start(work: Path, mode: Any, source: str | None = None) -> ReviewSession:
    with open_log(work, "zoe") as writer:
        return ReviewSession(read_work(work), work, writer, mode, source=source)


def test_ways_without_anything_to_do(work: Path) -> None:
    with pytest.raises(InputError, match="nothing to arbitrate"):
        start(work, "arbitration")
    with pytest.raises(InputError, match="nothing to mark yet"):
        start(work, "marks")
    with pytest.raises(InputError, match="no items of 'mapwise'"):
        start(work, "review", "mapwise")


def test_second_pass_judges_the_selection_without_drawn_boxes(work: Path) -> None:
    for annotator in ("anna", "bob"):
        decide(work, annotator, Q1, *PROPOSED, drawn("d1", 250, 100, 50, 50))
    decide(work, "anna", "chartqa-test-q2", *PROPOSED)
    session = start(work, "marks")
    assert (len(session), session.waiting) == (1, 1)
    with open_log(work, "zoe") as writer:
        session = ReviewSession(read_work(work), work, writer, "marks")
        assert session.describe(Q1)["selection"] == boxes(*PROPOSED)
        with pytest.raises(InputError, match="mark both"):
            session.save({"item": Q1, "revision": 0, "marks": {"cvr": True}})
        marks = {"cvr": True, "cea": False}
        session.save({"item": Q1, "revision": 0, "marks": marks, "evidence": []})
        assert session.done == 1
    (entry,) = entries(work, "zoe")
    assert entry["evidence"] == boxes(*PROPOSED)
    assert entry["marks"] == {"cvr": True, "cea": False}


def test_marks_of_a_review_that_was_changed_are_asked_for_again(work: Path) -> None:
    for annotator in ("anna", "bob"):
        decide(work, annotator, Q1, *PROPOSED)
    value = {"item": Q1, "marks": {"cvr": True, "cea": True}}
    for revision in (0, 1):
        if revision:
            for annotator in ("anna", "bob"):
                decide(work, annotator, Q1, PROPOSED[0])
        with open_log(work, "zoe") as writer:
            session = ReviewSession(read_work(work), work, writer, "marks")
            assert session.done == 0
            assert session.save({**value, "revision": revision})["done"] is True


def test_picture_that_is_missing_is_named_by_its_path_in_the_copy(tmp_path: Path) -> None:
    maps = write_mapwise(tmp_path / "maps")
    (item, *_) = propose_all(tmp_path / "work", {"mapwise": maps})
    there = item.item.path
    shutil.rmtree(maps)
    with open_log(tmp_path / "work", "zoe") as writer:
        session = ReviewSession(read_work(tmp_path / "work"), tmp_path / "work", writer)
        assert session.describe(item.id)["fault"] == f"The picture is missing: {there}"
    (tmp_path / "work" / "sources.json").write_text("{}")
    with open_log(tmp_path / "work", "zoe") as writer:
        session = ReviewSession(read_work(tmp_path / "work"), tmp_path / "work", writer)
        assert "no copy of mapwise is known" in session.describe(item.id)["fault"]


def test_box_outside_the_picture_is_refused(ask: Ask, work: Path) -> None:
    for box in (drawn("d1", 400, 10, 20, 20), drawn("d1", 10, -30, 20, 20)):
        status, said = save(ask, item=Q1, evidence=boxes(box), revision=0)
        assert status == 422
        assert "the box d1 has no area in the picture" in said["error"]


def test_decision_on_a_question_that_was_corrected_is_not_done(work: Path) -> None:
    with open_log(work, "anna") as writer:
        of = read_work(work)
        session = ReviewSession(of, work, writer)
        session.save({"item": Q1, "evidence": boxes(*PROPOSED), "revision": 0})
        assert session.done == 1
        first = of.items[0]
        corrected = replace(first, item=replace(first.item, answer="other"))
        session = ReviewSession(Work((corrected, *of.items[1:]), of.folders), work, writer)
        assert session.done == 0
        assert session.describe(Q1)["decision"] is None


def test_change_after_accepting_opens_the_item_again(work: Path) -> None:
    with open_log(work, "anna") as writer:
        session = ReviewSession(read_work(work), work, writer)
        value = {"item": Q1, "evidence": boxes(*PROPOSED)}
        assert session.save({**value, "revision": 0})["done"] is True
        changed = {**value, "revision": 1, "draft": True, "ambiguous": True}
        assert session.save(changed)["done"] is False
        assert session.done == 0
        assert [one["done"] for one in session.overview()["items"]] == [False, False]
        undone = {**value, "revision": 2, "draft": True}
        assert session.save(undone)["done"] is True, "the change was undone"
        assert session.describe(Q1)["draft"] is None


def test_who_reviewed_an_item_cannot_arbitrate_it(work: Path) -> None:
    decide(work, "anna", Q1, PROPOSED[0])
    decide(work, "zoe", Q1, PROPOSED[1])
    with open_log(work, "zoe") as writer:
        session = ReviewSession(read_work(work), work, writer, "arbitration")
        assert "somebody else has to arbitrate it" in session.describe(Q1)["fault"]
        with pytest.raises(InputError, match="is by zoe, who reviewed the item"):
            session.save({"item": Q1, "revision": 0, "evidence": boxes(PROPOSED[0])})
        assert session.done == 0


def test_arbiter_is_asked_again_after_a_later_review(work: Path) -> None:
    decide(work, "anna", Q1, PROPOSED[0])
    decide(work, "bob", Q1, PROPOSED[1])
    value = {"item": Q1, "evidence": boxes(PROPOSED[0])}
    for review in (None, PROPOSED):
        if review:
            decide(work, "bob", Q1, *review)
        with open_log(work, "zoe") as writer:
            session = ReviewSession(read_work(work), work, writer, "arbitration")
            assert session.done == 0
            revision = session.describe(Q1)["revision"]
            assert session.save({**value, "revision": revision})["done"] is True


def test_empty_selection_is_not_marked(work: Path) -> None:
    for annotator in ("anna", "bob"):
        decide(work, annotator, Q1, drawn("d1", 250, 100, 50, 50))
    with pytest.raises(InputError, match="nothing to mark yet"):
        start(work, "marks")


def test_older_revision_is_refused_and_the_log_stays_as_it_was(ask: Ask, work: Path) -> None:
    mine, theirs = boxes(drawn("d1", 1, 2, 3, 4)), boxes(*PROPOSED)
    assert json.loads(ask(f"/api/item?item={Q1}")[2])["revision"] == 0
    assert save(ask, item=Q1, evidence=theirs, revision=0)[1]["revision"] == 1
    before = (work / "reviews" / "anna.jsonl").read_bytes()
    for draft in (True, False):
        status, said = save(ask, item=Q1, evidence=mine, draft=draft, revision=0)
        assert status == 409
        assert said == {"error": "changed in another window; reload to see it", "revision": 1}
    assert (work / "reviews" / "anna.jsonl").read_bytes() == before
    assert save(ask, item="chartqa-test-q2", evidence=mine, revision=0)[0] == 200
    assert save(ask, item=Q1, evidence=mine, revision=1)[1]["revision"] == 2


def test_request_that_comes_again_is_entered_once(ask: Ask, work: Path) -> None:
    """The page asks again when a reply was lost, also a server that was started anew."""
    first = save(ask, item=Q1, evidence=boxes(*PROPOSED), note="so")
    again = save(ask, item=Q1, evidence=boxes(*PROPOSED), note="so")
    assert again == first
    assert len(entries(work, "anna")) == 1
    assert save(ask, item=Q1, evidence=boxes(*PROPOSED), note="so", draft=True)[0] == 409


def test_revision_goes_on_in_the_next_session(work: Path) -> None:
    decide(work, "anna", Q1, *PROPOSED)
    decide(work, "anna", Q1, *PROPOSED, kind="arbitration")
    with open_log(work, "anna") as writer:
        session = ReviewSession(read_work(work), work, writer)
        assert session.describe(Q1)["revision"] == 1, "of this way of looking at the item"
        with pytest.raises(ConflictError):
            session.save({"item": Q1, "revision": 0, "evidence": []})
