"""A model behind an endpoint on loopback: strategies, cache, retries, malformed output."""

import base64
import contextlib
import io
import json
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from dragon_fixtures import draw_image
from loopback_model import GOOD, NAME, Endpoint, serve_model
from PIL import Image

from benchloom.builders.dragon import model
from benchloom.builders.dragon.evidence_answers import ask_model, read_elements
from benchloom.builders.dragon.item import ImageFile, Item
from benchloom.builders.dragon.model import Model
from benchloom.builders.dragon.prompts import STRATEGIES, Strategy
from benchloom.builders.dragon.regions import Region
from benchloom.builders.errors import InputError


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with serve_model() as endpoint:
        yield endpoint


Ask = Callable[..., Any]


@pytest.fixture
def item(tmp_path: Path) -> Item:
    path = tmp_path / "bars.png"
    draw_image(path, "P")
    return Item(
        "chartqa-test-1",
        "chartqa",
        "test",
        "1",
        "What was  grown\nin 2010?",
        "12",
        ("12", "15"),
        ImageFile(path, "test", "bars.png", 120, 80),
        (
            Region("data-0-0", "Tea 2010", (40, 20, 10, 48)),
            Region("title", "Harvest", (0, 0, 9, 9)),
        ),
    )


@pytest.fixture
def ask(endpoint: Endpoint, item: Item, tmp_path: Path) -> Ask:
    asked = Model(endpoint.url, NAME, tmp_path / "kept")

    def run(strategy: Strategy = "edge", **options: Any) -> Any:
        return ask_model(asked, item, strategy, **options)

    return run


def test_edge_gives_roles_regions_and_labels(endpoint: Endpoint, ask: Ask) -> None:
    found = ask()
    assert [
        (one.id, one.role, one.label, one.bbox, one.origin, one.region) for one in found.evidence
    ] == [
        ("p1", "answer", "Tea 2010", (40, 20, 10, 50), "model", "data-0-0"),
        ("p2", "support", "", (0, 0, 20, 8), "model", None),
    ]
    assert (found.failed, found.malformed, found.outside, found.asked) == ("", (), 0, 1)
    assert len(endpoint.requests) == 1


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_every_prompt_has_what_the_paper_says(
    strategy: Strategy, endpoint: Endpoint, ask: Ask, item: Item
) -> None:
    endpoint.replies = (
        ["Elements:\nA1: the bar\nS1: its label", GOOD] if strategy == "sage" else [GOOD]
    )
    ask(strategy)
    tokens = 2048 if strategy == "edge" else 1024
    assert len(endpoint.requests) == (1 if strategy == "edge" else 2)
    for number, request in enumerate(endpoint.requests):
        assert (request["model"], request["temperature"], request["top_p"]) == (NAME, 0.2, 0.7)
        assert request["max_tokens"] == tokens
        words = endpoint.words(number)
        assert "120 pixels wide and 80" in words
        assert "What was grown in 2010?" in words
        assert "Choices: 12; 15" in words
        assert "Right answer: 12" in words
        assert "Example." in words
        image = request["messages"][0]["content"][0]["image_url"]["url"]
        kind, _, data = image.partition(";base64,")
        assert kind == "data:image/png"
        assert base64.b64decode(data) == item.path.read_bytes()


def test_sage_asks_for_the_boxes_of_what_it_selected(endpoint: Endpoint, ask: Ask) -> None:
    endpoint.replies = [
        "Elements:\n- A1: the bar of 2010\n- **S1**: the label below",
        "Answer: A1/<70,20,10,50>, S1/<0,60,20,8>",
    ]
    found = ask("sage")
    assert [(one.role, one.label) for one in found.evidence] == [
        ("answer", "the bar of 2010"),
        ("support", "the label below"),
    ]
    assert "Elements:\nA1: the bar of 2010\nS1: the label below" in endpoint.words(1)
    assert "<x,y,width,height>" not in endpoint.words(0)


def test_sage_without_elements_fails(endpoint: Endpoint, ask: Ask) -> None:
    endpoint.replies = ["I cannot tell"]
    found = ask("sage")
    assert found.failed == "an answer without elements"
    assert found.malformed == ("I cannot tell",)
    assert len(endpoint.requests) == 1


def test_verge_keeps_adjusts_and_adds(endpoint: Endpoint, ask: Ask) -> None:
    endpoint.replies = [
        "Answer: A1/<40,20,30,50>, S1/<0,0,20,8>",
        "Answer: A1/<40,20,10,48>, S2/<60,60,10,6>",
    ]
    found = ask("verge")
    assert [one.bbox for one in found.evidence] == [
        (40, 20, 10, 48),
        (0, 0, 20, 8),
        (60, 60, 10, 6),
    ]
    assert "First attempt:\nAnswer: A1/<40,20,30,50>, S1/<0,0,20,8>" in endpoint.words(1)
    assert endpoint.words(0) != endpoint.words(1)


def test_verge_goes_back_to_the_first_step_where_the_second_is_useless(
    endpoint: Endpoint, ask: Ask
) -> None:
    endpoint.replies = [GOOD, "All is well."]
    found = ask("verge")
    assert len(found.evidence) == 2
    assert found.malformed == ("All is well.",)


def test_answers_are_kept(endpoint: Endpoint, ask: Ask, item: Item, tmp_path: Path) -> None:
    first, again = ask(), ask()
    assert (first.asked, again.asked, len(endpoint.requests)) == (1, 0, 1)
    assert first.evidence == again.evidence
    ask("verge")  # another number of tokens
    assert len(endpoint.requests) == 3
    ask_model(Model(endpoint.url, "other", tmp_path / "kept"), item, "edge")
    assert len(endpoint.requests) == 4
    elsewhere = Model(endpoint.url.replace("127.0.0.1", "localhost"), NAME, tmp_path / "kept")
    assert ask_model(elsewhere, item, "edge").asked == 1  # another server may hold another model
    assert len(endpoint.requests) == 5
    draw_image(item.path, "RGB")  # another picture under the same name
    ask()
    assert len(endpoint.requests) == 6


def test_what_is_asked_twice_at_one_time_is_sent_once(endpoint: Endpoint, ask: Ask) -> None:
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: ask("verge"), range(8)))
    assert len(endpoint.requests) == 2
    assert all(one.evidence == found[0].evidence for one in found)
    assert sum(one.asked for one in found) == 2


def test_a_damaged_kept_answer_is_asked_for_again(
    endpoint: Endpoint, ask: Ask, tmp_path: Path
) -> None:
    ask()
    (kept,) = (tmp_path / "kept").iterdir()
    whole = kept.read_text()
    for damaged in (whole[: len(whole) // 2], "[]", '{"answer": 3, "cut": false}'):
        kept.write_text(damaged)
        assert ask().asked == 1
        assert kept.read_text() == whole


def test_the_key_is_sent_and_never_kept(
    endpoint: Endpoint, item: Item, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sesame-123")
    ask_model(Model(endpoint.url, NAME, tmp_path / "kept"), item, "edge")
    assert endpoint.keys == ["Bearer sesame-123"]
    assert all(b"sesame" not in path.read_bytes() for path in (tmp_path / "kept").iterdir())


def test_credentials_in_an_address_are_no_part_of_the_question(
    endpoint: Endpoint, item: Item, tmp_path: Path
) -> None:
    plain, scheme = endpoint.url, "http://"
    for address in (plain, f"{plain}/", plain.replace(scheme, f"{scheme}ada:sesame@")):
        ask_model(Model(address, NAME, tmp_path / "kept"), item, "edge")
    assert len(endpoint.requests) == 1
    (kept,) = (tmp_path / "kept").iterdir()
    assert json.loads(kept.read_text())["endpoint"] == plain
    endpoint.replies = [404]
    address = plain.replace(scheme, f"{scheme}ada:sesame@")
    with pytest.raises(InputError, match="refuses model") as told:
        ask_model(Model(address, "other", tmp_path / "kept"), item, "edge")
    assert "sesame" not in str(told.value)


@pytest.mark.parametrize("fault", [429, 500, 503, 408])
def test_failures_are_retried_five_times(fault: int, endpoint: Endpoint, ask: Ask) -> None:
    endpoint.replies = [fault] * 5 + [GOOD]
    assert len(ask().evidence) == 2
    assert len(endpoint.requests) == 6


def test_after_six_failures_the_item_fails_and_nothing_is_kept(
    endpoint: Endpoint, ask: Ask, tmp_path: Path
) -> None:
    endpoint.replies = [503] * 6 + [GOOD]
    assert ask().failed == "status 503"
    assert not (tmp_path / "kept").exists()
    assert len(ask().evidence) == 2
    assert len(endpoint.requests) == 7


def test_a_request_that_is_refused_is_not_sent_again(endpoint: Endpoint, ask: Ask) -> None:
    endpoint.replies = [400]
    assert ask().failed == "status 400"
    assert len(endpoint.requests) == 1


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_wrong_key_or_model_stops_at_once(status: int, endpoint: Endpoint, ask: Ask) -> None:
    endpoint.replies = [status]
    with pytest.raises(InputError, match=rf"refuses model 'eyes-1' \(status {status}\)"):
        ask()
    assert len(endpoint.requests) == 1


@pytest.mark.parametrize(
    "body",
    [
        b"<html>busy</html>",
        b"{}",
        b'{"choices": []}',
        b'{"choices": [{"message": {"content": null}}]}',
        b'{"choices": [{"message": {"content": 7}}]}',
        b'{"choices": [{}]}',
        b'{"choices": {"0": 1}}',
        b"[]",
        b"\xff\xfe",
        b"",
    ],
)
def test_a_reply_that_is_no_completion_fails_the_item(
    body: bytes, endpoint: Endpoint, ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model, "PAUSE", 0.0)
    endpoint.replies = [body]
    found = ask()
    assert found.failed.startswith("a reply ")
    assert found.evidence == ()
    assert not (tmp_path / "kept").exists()


def test_an_endpoint_that_is_gone_is_told_in_a_sentence(
    endpoint: Endpoint, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    # It would wait ever longer between the six attempts.
    monkeypatch.setattr("openai._base_client.INITIAL_RETRY_DELAY", 0.001)
    monkeypatch.setattr("openai._base_client.MAX_RETRY_DELAY", 0.001)
    endpoint.replies = [None]
    with pytest.raises(InputError, match="cannot be reached"):
        ask()
    assert len(endpoint.requests) == 6


def test_malformed_boxes_and_those_outside_are_counted(endpoint: Endpoint, ask: Ask) -> None:
    endpoint.replies = ["Answer: A1/<1,2,3>, A2/<1,2,-3,4>, S1/<500,500,9,9>, S2/<110,70,40,40>"]
    endpoint.finish = "length"
    found = ask()
    assert [(one.id, one.bbox) for one in found.evidence] == [("p1", (110, 70, 10, 10))]
    assert found.malformed == ("A1/<1,2,3>", "A2/<1,2,-3,4>")
    assert (found.outside, found.failed, found.cut) == (1, "", True)
    assert any("do not lie in the image" in warning for warning in found.warnings)


def test_an_empty_answer_is_an_answer(endpoint: Endpoint, ask: Ask) -> None:
    endpoint.replies = ["Answer: none\nExplanation: nothing to see."]
    found = ask()
    assert (found.evidence, found.failed, found.malformed) == ((), "", ())
    endpoint.replies = ["I would rather not."]
    refused = ask("verge")
    assert refused.failed == "an answer without `Answer:`"


def test_coordinates_are_converted_only_when_told(endpoint: Endpoint, ask: Ask) -> None:
    endpoint.replies = ["Answer: A1/<500,250,750,1000>"]
    assert ask().evidence == ()
    (told,) = ask(coordinates="xyxy_thousandths").evidence
    assert told.bbox == pytest.approx((60, 20, 30, 60))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Elements:\nA1: a bar\nS1: its label", [("A1", "a bar"), ("S1", "its label")]),
        ("A1: a bar\n\nS1: its label: below", [("A1", "a bar"), ("S1", "its label: below")]),
        ("Elements:\n* `A1`: a bar\n- A1: again\nno element", [("A1", "a bar")]),
        ("Sure. Elements:\nA1/the bar", [("A1", "the bar")]),
        ("none", []),
        ("", []),
    ],
)
def test_reads_elements(text: str, expected: list[tuple[str, str]]) -> None:
    assert read_elements(text) == expected


def test_an_address_must_be_one() -> None:
    with pytest.raises(InputError, match=re.escape("must begin with http:// or https://")):
        Model("127.0.0.1:8000/v1", NAME, Path("kept"))


def test_a_box_that_is_repeated_is_kept_once(endpoint: Endpoint, ask: Ask) -> None:
    again = ", ".join(f"S{number}/<40,20,10,50>" for number in range(1, 201))
    endpoint.replies = [f"Answer: {again}, S201/<0,0,20,8>, A1/<40,20,10,50>, S202/<900,2,3,4>"]
    found = ask()
    assert [(one.id, one.role, one.bbox) for one in found.evidence] == [
        ("p1", "answer", (40, 20, 10, 50)),
        ("p2", "support", (0, 0, 20, 8)),
    ]
    assert (found.outside, found.repeated, found.malformed) == (1, 200, ())


def test_characters_that_are_none_are_malformed_and_the_next_item_goes_on(
    endpoint: Endpoint, ask: Ask, tmp_path: Path
) -> None:
    endpoint.replies = [f"{GOOD} \ud83d", GOOD]
    found = ask()
    assert found.failed == "an answer with characters that are none"
    assert found.malformed == (f"{GOOD} ?",)
    assert not (tmp_path / "kept").exists()
    assert len(ask().evidence) == 2


def test_json_that_is_cut_off_is_asked_for_again(
    endpoint: Endpoint, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model, "PAUSE", 0.0)
    endpoint.replies = [b'{"choices": [{"mess', b"{", GOOD]
    assert len(ask().evidence) == 2
    assert len(endpoint.requests) == 3
    endpoint.replies = [b"{"]
    assert ask("sage").failed.startswith("a reply that cannot be read")
    assert len(endpoint.requests) == 3 + 6


def test_guessed_regions_give_a_box_no_label(
    endpoint: Endpoint, item: Item, tmp_path: Path
) -> None:
    region = replace(item.regions[0], origin="scaled", needs_redraw=True)
    guessed = replace(item, regions=(region,))
    found = ask_model(Model(endpoint.url, NAME, tmp_path / "kept"), guessed, "edge")
    assert [(one.label, one.region) for one in found.evidence] == [("", None)] * 2


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_large_picture_is_sent_smaller_and_its_boxes_are_those_of_the_whole(
    endpoint: Endpoint, item: Item, tmp_path: Path, strategy: Strategy
) -> None:
    path = tmp_path / "wide.png"
    Image.new("RGB", (9000, 30), "white").save(path)
    region = Region("bar", "the bar", (90.0, 9.0, 45.0, 18.0))
    wide = replace(
        item, image_file=ImageFile(path, "test", "wide.png", 9000, 30), regions=(region,)
    )
    elements = "Elements:\nA1: the bar"
    answer = "Answer: A1/<40,4,20,8>"
    endpoint.replies = [elements, answer] if strategy == "sage" else [answer]
    asked = Model(endpoint.url, NAME, tmp_path / "kept")
    (one,) = ask_model(asked, wide, strategy).evidence
    assert one.bbox == pytest.approx((90, 30 * 4 / 13, 45, 30 * 8 / 13))
    assert one.region == "bar"
    for number, request in enumerate(endpoint.requests):
        words = endpoint.words(number)
        assert "4000 pixels wide and 13 pixels high" in words
        assert "9000" not in words
        (url,) = (
            part["image_url"]["url"]
            for part in request["messages"][0]["content"]
            if part["type"] == "image_url"
        )
        with Image.open(io.BytesIO(base64.b64decode(url.partition(",")[2]))) as sent:
            assert (sent.size, sent.format) == ((4000, 13), "PNG")
    if strategy == "verge":
        assert "First attempt:\nAnswer: A1/<40,4,20,8>" in endpoint.words(1)


@pytest.mark.parametrize("kept_back", ["head", "body"])
def test_a_reply_that_drips_is_waited_for_no_longer_than_told(
    item: Item, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept_back: str
) -> None:
    """Each byte comes in time, and all of them would be a good answer."""
    monkeypatch.setattr(model, "RETRIES", 0)
    message = {"role": "assistant", "content": GOOD}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    body = json.dumps(
        {"id": "1", "object": "chat.completion", "created": 0, "model": NAME, "choices": [choice]}
    ).encode()
    head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
    whole = head.encode() + b"\r\n\r\n" + body
    start = 9 if kept_back == "head" else len(whole) - len(body)
    with socket.create_server(("127.0.0.1", 0)) as server:

        def drip() -> None:
            connection, _ = server.accept()
            with connection, contextlib.suppress(OSError):
                connection.recv(1 << 20)
                connection.sendall(whole[:start])
                for at in range(start, start + 30):
                    connection.sendall(whole[at : at + 1])
                    time.sleep(0.1)
                connection.sendall(whole[start + 30 :])

        thread = threading.Thread(target=drip, daemon=True)
        thread.start()
        url = f"http://127.0.0.1:{server.getsockname()[1]}/v1"
        with pytest.raises(InputError, match=r"cannot be reached \(Request timed out"):
            ask_model(Model(url, NAME, tmp_path / "kept", 1), item, "edge")
        thread.join()
