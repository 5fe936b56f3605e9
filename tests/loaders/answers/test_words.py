import pytest

from benchloom.loaders.answers.nodes import flattened, joined
from benchloom.loaders.answers.words import clauses, spelled_out, turns, whole_number

ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
    " sixteen seventeen eighteen nineteen"
)
TENS = "twenty thirty forty fifty sixty seventy eighty ninety"


def test_all_number_words_up_to_ninety_nine() -> None:
    ones = ONES.split(" ")
    words = [*ones]
    for ten in TENS.split(" "):
        words += [ten, *(f"{ten}-{one}" for one in ones[1:10])]
    assert [whole_number(word) for word in words] == list(range(100))


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("3", 3),
        ("3.0", 3),
        ("3.5", None),
        ("1,234", 1234),
        ("1 234", 1234),
        ("1_234", 1234),
        ("12,345,678", 12345678),
        ("-1", -1),
        ("one hundred", 100),
        ("a hundred", 100),
        ("two hundred and five", 205),
        ("three hundred twenty-one", 321),
        ("two thousand", 2000),
        ("one thousand two hundred thirty-four", 1234),
        ("several", None),
        ("9" * 30, None),
    ],
)
def test_whole_numbers(text: str, number: int | None) -> None:
    assert whole_number(text) == number


def test_contractions_are_spelled_out() -> None:
    assert spelled_out("it isn't, it can't, they won't") == "it is not, it can not, they will not"


def test_a_sentence_turns() -> None:
    assert turns("if a then b, so c but d") == ["if a then b", " c", " d"]
    assert turns("the diameter is therefore 4") == ["the diameter is therefore 4"]
    assert clauses("a: b") == ["a", "b"]


@pytest.mark.parametrize(
    ("text", "nodes"),
    [
        ("6, 0, 5", [6, 0, 5]),
        ("6-0, 0-5", [6, 0, 5]),
        ("(6,0), (0,5), (5,7)", [6, 0, 5, 7]),
        ("6,0,5,0", [6, 0, 5, 0]),
        ("1,2", [1, 2]),
    ],
)
def test_chains_of_edges_are_paths(text: str, nodes: list[int]) -> None:
    assert joined(text) == nodes


def test_nodes_lose_their_names() -> None:
    assert flattened("node 6 -> v_0 -> 'vertex 5' (the target)") == "6 -> 0 -> 5"
