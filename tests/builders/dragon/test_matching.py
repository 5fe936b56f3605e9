"""Names in texts: whole words, folded, longest first; letters and codes as they are written."""

import pytest

from benchloom.builders.dragon.matching import Text, fold


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Countries", "country"),
        ("BOXES", "box"),
        ("classes", "Class"),
        ("houses", "house"),
        ("branches", "branch"),
        ("states", "state"),
        ("Straße", "STRASSE"),
        ("Côte d’Ivoire", "cote d'ivoire"),
        ("1,234,567", "1234567"),
        ("21.00", "21.0"),
        ("21.00", "21"),
        ("Russia's border", "russia border"),
        ("class_a-b", "class a b"),
        ("60%", "60"),
    ],
)
def test_folds_alike(one: str, other: str) -> None:
    assert fold(one) == fold(other)
    assert fold(one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("gas", "gap"),
        ("bus", "bu"),
        ("1.5", "15"),
        ("1,5", "15"),
        ("Maine", "main"),
        ("this", "thi"),
    ],
)
def test_keeps_apart(one: str, other: str) -> None:
    assert fold(one) != fold(other)


def find(text: str, *names: str) -> list[str]:
    return list(Text.of(text).find({name: (name,) for name in names}))


def test_longer_names_come_first_and_no_word_counts_twice() -> None:
    assert find("Is West Virginia darker?", "Virginia", "West Virginia") == ["West Virginia"]
    assert find("West Virginia or Virginia", "Virginia", "West Virginia") == [
        "Virginia",
        "West Virginia",
    ]
    assert find("near New Mexico", "Mexico", "New Mexico", "New") == ["New Mexico"]
    assert find("in Arkansas", "Kansas") == []


def test_equal_names_are_all_found_where_they_stand() -> None:
    text = Text.of("a resistor and resistors")
    assert text.find({"r1": ("resistor",), "r2": ("Resistor",), "c": ("lamp",)}) == {
        "r1": [1, 3],
        "r2": [1, 3],
    }


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("Is it hot or cold?", "OR", False),
        ("Oregon (OR) is dark", "OR", True),
        ("FOR all", "OR", False),
        ("OR_1", "OR", True),
        ("US sales", "US", True),
        ("tell us", "US", False),
        ("What does A eat?", "A", True),
        ("A fox eats what?", "A", False),
        ("A", "A", True),
        ("a fox", "A", False),
        ("What is a B?", "B", True),
        ("What is it? I think", "I", False),
        ("Which is labelled I?", "I", True),
        ("B's prey", "B", False),
        ("vitamin B12", "B", False),
    ],
)
def test_codes_and_letters_stand_as_they_are_written(text: str, name: str, expected: bool) -> None:
    assert (find(text, name) == [name]) is expected


def test_signs_name_nothing() -> None:
    assert find("100% – yes!", "%", "–", "", " ") == []
    assert find("", "x", "A") == []
