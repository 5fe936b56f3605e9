import pytest

from benchloom.loaders.answers.code import without_code
from benchloom.loaders.answers.structure import with_json_read, with_tables_read
from benchloom.loaders.answers.text import (
    BOX,
    BOX_END,
    HEAD,
    MOST_LINES,
    TAIL,
    backwards,
    bare_line,
    lines,
    one_turn,
    plain,
    spelled,
    starts,
    without_thought,
)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Yes", "Yes"),
        ("<think>no</think>Yes", "Yes"),
        ("<thinking>no</thinking>Yes", "Yes"),
        ("<reasoning>no</reasoning>Yes", "Yes"),
        ("◁think▷no◁/think▷Yes", "Yes"),
        ("[THINK]no[/THINK]Yes", "Yes"),
        ("<THINK>no</THINK>Yes", "Yes"),
        ("no</think>Yes", "Yes"),
        ("no <think>no</think> no </think>Yes", "Yes"),
        ("So <think>no</think>Yes", "So Yes"),
        ("<think>a</think>b<think>c</think>d", "bd"),
        ("<think></think>", ""),
        ("<think>no", None),
        ("Yes <think>no", None),
        ("<think>a</think>b<think>c", None),
        ("<|channel|>analysis<|message|>no<|end|><|channel|>final<|message|>Yes", "Yes"),
        ("<|channel|>analysis<|message|>no", None),
        ("3 < 4 [1]", "3 < 4 [1]"),
    ],
)
def test_thoughts_are_taken_out(text: str, kept: str | None) -> None:
    assert without_thought(text) == kept


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Yes<|im_end|>\n<|im_start|>user\nNo", "Yes"),
        ("Yes</s>No", "Yes"),
        ("<|im_start|>assistant\nYes<|im_end|>", "Yes"),
        ("<|endoftext|>Yes", "<|endoftext|>Yes"),
        ("Assistant: Yes", "Yes"),
        ("Yes", "Yes"),
    ],
)
def test_only_one_turn_of_a_chat_is_kept(text: str, kept: str) -> None:
    assert one_turn(text) == kept


@pytest.mark.parametrize(
    ("text", "first", "is_certain"),
    [
        ("Yes, 4.\n\nQ: Another?\nA: No", "Yes, 4.\n", True),
        ("Yes, 4. Q: Another? A: No", "Yes, 4.", True),
        ("Yes, 4\nGiven a graph, your task is to do it.", "Yes, 4\n", True),
        ("Yes\n\nQ: Another?\nA: No", "Yes\n", False),
        ("Yes, 4\n\nQuestion: Another?", "Yes, 4\n", False),
        ("Yes\nDetermine if there is a path in the graph.\n", "Yes\n", False),
        ("Yes\nGraph: Edge List is\n0 1", "Yes\n", False),
        ("Let me say it again.\nQ: Is there one?\nA: No", "Let me say it again.\n", False),
        ("Q: Is there one?\nA: No", "Q: Is there one?\nA: No", True),
        ("No question here", "No question here", True),
    ],
)
def test_newly_started_questions_are_found(text: str, first: str, is_certain: bool) -> None:
    found = list(starts(text))
    assert (found[0][0].rstrip(), found[0][1]) == (first.rstrip(), is_certain)
    assert found[-1] == (text, True)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("ＹＥＳ，４", "YES, 4"),
        ("6→0⇒5", "6->0->5"),
        ("6\u00a0–\u20097", "6 - 7"),
        ("“a” ‘b’", "\"a\" 'b'"),
        ("٣ ३ 𝟑", "3 3 3"),
        ("4️⃣", "4"),
        ("a\u200bb\ufeff", "ab"),
        ("\x1b[1mbold\x1b[0m\x07", "bold"),
        ("a\r\nb\rc", "a\nb\nc"),
        ("n²", "n²"),
    ],
)
def test_characters_are_made_plain(text: str, wanted: str) -> None:
    assert spelled(text) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("\\boxed{\\text{Yes}}", f"{BOX}yes{BOX_END}"),
        ("$\\boxed{\\{1, 2\\}}$", f"{BOX}{{1, 2}}{BOX_END}"),
        ("\\boxed{a \\boxed{b}}", f"{BOX}a {{b}}{BOX_END}"),
        ("\\boxed{cut off", "\\boxed{cut off"),
        ("<answer>3</answer>", f"{BOX}3{BOX_END}"),
        ("**Bold** and *slanted* and `code`", "bold and slanted and code"),
        ("__Bold__ _slanted_ 1_234", "bold slanted 1_234"),
        ("has_cycle", "has cycle"),
        ("~~4~~ 5", "  5"),
        ("<b>3</b>&nbsp;&lt;", "3\xa0<"),
        ("$v_1 \\to v_2$", "v_1  ->  v_2"),
        ("\\frac{54}{3}", "54/3"),
        ('{"answer": "No"}', "\nanswer: no\n"),
        ("| A | B |\n|---|---|\n| 1 | 2 |", "a: 1\nb: 2"),
    ],
)
def test_markup_is_taken_out(text: str, wanted: str) -> None:
    assert plain(text) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("```python\nprint(3)\n```", ""),
        ("```python\nprint(3)\n# Output: 3\n```", "Output: 3"),
        ("```python\nprint(3)  # expected output: 3\n```", ""),
        ("```\n3\n```", "3"),
        ("```\ndef f():\n    return 3\n```\nAnswer: 4", "Answer: 4"),
        ("```python\nunclosed = 3", ""),
        ("def f(x):\n    return x\nDone.", "Done."),
        ("# Output: False", "# Output: False"),
        ("Diameter = 3", "Diameter = 3"),
    ],
)
def test_code_is_taken_out(text: str, wanted: str) -> None:
    assert without_code(text).strip() == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ('{"answer": 3}', "Answer: 3"),
        ('Text {"size": {"value": 3}} text', "Text \nAnswer: 3\n text"),
        ('{"answer": {"diameter": 4}}', "Answer: 4"),
        ('{"final_answer": true, "answer": false}', "Answer: Yes"),
        ('{"path": [1, 2]}', "Answer: [1, 2]"),
        ('{"path": []}', "Answer: none"),
        ("{'path': [1, 2]}", "Answer: [1, 2]"),
        ('{"other": 3}', '{"other": 3}'),
        ("{0: [1], 1: [0]}", "{0: [1], 1: [0]}"),
        ('{"answer":', '{"answer":'),
    ],
)
def test_json_is_written_as_sentences(text: str, wanted: str) -> None:
    assert with_json_read(text, ("diameter", "path")).strip() == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("| Diameter | 3 |\n| Radius | 2 |", "Diameter: 3\nRadius: 2"),
        ("| Answer |\n|---|\n| 3 |", "Answer\n3"),
        ("| A | B | C |\n|:-:|---|---|\n| 1 | 2 | 3 |", "A: 1\nB: 2\nC: 3"),
        ("| 1 | 2 | 3 |\n| 4 | 5 | 6 |", "| 1 | 2 | 3 |\n| 4 | 5 | 6 |"),
        ("a | b", "a | b"),
    ],
)
def test_tables_are_written_as_sentences(text: str, wanted: str) -> None:
    assert with_tables_read(text) == wanted


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("- 4", "4"),
        ("-4", "-4"),
        ("### Answer", "Answer"),
        ("> No", "No"),
        ("3. Node 4", "Node 4"),
        ("(2) yes", "yes"),
        ("3.", "3."),
        ("[8] -> [1]", "[8] -> [1]"),
        ("= 18", "18"),
    ],
)
def test_lines_lose_their_marks(line: str, wanted: str) -> None:
    assert bare_line(line) == wanted


def test_sentences_come_backwards_and_behind_their_label() -> None:
    rows = lines("One. Two: 3.5 is it?\n\nFinal answer:\n\n4")
    assert list(backwards(rows)) == [
        ("Final answer: 4", 0),
        ("4", 0),
        ("Final answer:", 1),
        ("Two: 3.5 is it?", 2),
        ("One.", 2),
    ]


def test_only_so_much_of_a_text_is_looked_at() -> None:
    text = "a" * HEAD + "b" * 1_000_000 + "c" * TAIL
    assert plain(text) == "a" * HEAD + "\n" + "c" * TAIL
    assert len(lines("a\n" * 1_000_000)) < 2 * MOST_LINES
