"""Where a tokenizer comes from, and what is said when none can be had."""

import sys
import threading

import pytest
import tiktoken

from benchloom.builders.errors import InputError
from benchloom.loaders.tokenizers import NoTokenizerError, token_counter


@pytest.fixture
def pairs() -> tiktoken.Encoding:
    """An encoding in which `ab` is one token and every other byte one."""
    ranks = {bytes([value]): value for value in range(256)} | {b"ab": 256}
    special = {"<|endoftext|>": 257}
    return tiktoken.Encoding("p", pat_str=r"\S+|\s+", mergeable_ranks=ranks, special_tokens=special)


def test_tokens_are_counted(pairs: tiktoken.Encoding, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(tiktoken, "get_encoding", lambda name: asked.append(name) or pairs)
    count = token_counter("cl100k_base")
    assert count("ab ab c") == 5
    assert count("") == 0
    assert count("<|endoftext|>") == 13  # a text that looks like a control token is a text
    assert asked == ["cl100k_base"]


def test_without_tiktoken_the_sentence_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "tiktoken", None)
    with pytest.raises(NoTokenizerError, match=r"pip install 'benchloom\[tokens\]'"):
        token_counter("cl100k_base")


def test_an_unknown_encoding_is_refused() -> None:
    with pytest.raises(InputError, match=r"no encoding 'gpt9'; choose from .*cl100k_base"):
        token_counter("gpt9")


def test_a_vocabulary_that_cannot_be_fetched_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(name: str) -> tiktoken.Encoding:
        raise ConnectionError(f"no way to {name}")

    monkeypatch.setattr(tiktoken, "get_encoding", fail)
    with pytest.raises(NoTokenizerError, match=r"ConnectionError.*TIKTOKEN_CACHE_DIR"):
        token_counter("cl100k_base")


def test_a_network_that_never_answers_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    released = threading.Event()

    def wait(name: str) -> tiktoken.Encoding:
        released.wait(60)
        raise ConnectionError

    monkeypatch.setattr(tiktoken, "get_encoding", wait)
    with pytest.raises(NoTokenizerError, match="no answer in 0 s"):
        token_counter("cl100k_base", patience=0.05)
    released.set()
