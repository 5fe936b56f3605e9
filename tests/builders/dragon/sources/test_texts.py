"""Texts and names as sources write them."""

from typing import Any

import pytest

from benchloom.builders.dragon.sources.texts import count, is_plain, natural_key, text_of


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (" a b ", "a b"),
        (3, "3"),
        (1.5, "1.5"),
        (0, "0"),
        (None, ""),
        (True, ""),
        (float("nan"), ""),
        (float("inf"), ""),
        ([], ""),
        ({"text": "a"}, ""),
        ("\ud83d!", "?!"),
        ("\U0001f600", "\U0001f600"),
    ],
)
def test_text_of(value: Any, text: str) -> None:
    assert text_of(value) == text


def test_natural_order() -> None:
    names = ["1.png", "2.png", "10.png", "10a.png", "a2", "a02b", "a10", "b", "9" * 5000]
    expected = ["1.png", "2.png", "10.png", "10a.png", "9" * 5000, "a2", "a02b", "a10", "b"]
    assert sorted(names, key=natural_key) == expected
    names.reverse()
    assert sorted(names, key=natural_key) == expected
    assert sorted(["a01", "a1"], key=natural_key) == sorted(["a1", "a01"], key=natural_key)


@pytest.mark.parametrize("name", ["a.png", "a/b.png", "..a", "a b", "é", "a" * 240])
def test_plain_names(name: str) -> None:
    assert is_plain(name)


@pytest.mark.parametrize(
    "name",
    [
        "",
        ".",
        "..",
        "/a",
        "a/",
        "a//b",
        "a/../b",
        "./a",
        "a\\b",
        "a\0",
        "a\nb",
        "é" * 121,
        "\ud800",
    ],
)
def test_names_that_are_not_plain(name: str) -> None:
    assert not is_plain(name)


def test_count() -> None:
    assert [count(n, "image") for n in (0, 1, 2000)] == ["0 images", "1 image", "2,000 images"]
    assert count(2, "box", "boxes") == "2 boxes"
