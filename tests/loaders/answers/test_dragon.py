"""Reading boxes out of answers: the strict and the lenient reader, malformed boxes, doubts."""

import re
from typing import Any

import pytest

from benchloom.builders.errors import InputError
from benchloom.builders.seeds import rng
from benchloom.loaders.answers import dragon, evidence, grader_version, judge
from benchloom.loaders.answers.dragon import (
    COORDINATES,
    READERS,
    EvidenceAnswer,
    read_both,
    read_evidence,
)
from benchloom.loaders.boxes import iou, xywh_from_xyxy

SIZE = (640, 400)


def boxes(answer: EvidenceAnswer) -> list[tuple[Any, ...]]:
    return [(box.id, *box.bbox) for box in answer.boxes]


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Answer: A1/<1,2,3,4>", [("A1", 1, 2, 3, 4)]),
        ("Answer: A1/1,2,3,4", [("A1", 1, 2, 3, 4)]),
        (
            "Answer: A1/<1,2,3,4>, S1/5,6,7,8\nExplanation: x",
            [("A1", 1, 2, 3, 4), ("S1", 5, 6, 7, 8)],
        ),
        ("Answer: A1/5,6,7,8,S1/<1, 2.5 ,3,4>", [("A1", 5, 6, 7, 8), ("S1", 1, 2.5, 3, 4)]),
        ("Answer:\r\nA1/<1,2,3,4>,\r\nS1/<5,6,7,8>\r\n", [("A1", 1, 2, 3, 4), ("S1", 5, 6, 7, 8)]),
        ("Answer: 1/2,3,4,5,2/<3,4,5,6>", [("1", 2, 3, 4, 5), ("2", 3, 4, 5, 6)]),
        ("Answer: A/<1,2,3,4>, and B/<5,6,7,8>.", [("A", 1, 2, 3, 4), ("B", 5, 6, 7, 8)]),
        ("I see a map.\nAnswer: x-axis.2/<1,2,0,4> Explanation: y", [("x-axis.2", 1, 2, 0, 4)]),
        ("Answer: A/<-3,2,3,4>", [("A", -3, 2, 3, 4)]),
    ],
)
def test_reads_boxes_in_the_right_format(
    text: str, expected: list[tuple[Any, ...]], reader: Any
) -> None:
    found = read_evidence(text, reader=reader)
    assert boxes(found) == expected
    assert found.malformed == ()
    assert found.has_answer


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    "piece",
    [
        "E1/10,10,-5,10",  # B13
        "E1/<10,10,5,-1>",
        "E1/<10,10,20>",
        "E1/<10,10,20,30,40>",
        "E1/10,10,20",
        "E1/<a,b,c,d>",
        "E1/<nan,1,2,3>",
        "E1/<1,2,3,inf>",
        "E1/<1,2,3,1e999>",
        "E1/<1,2,3,4",
        "<1,2,3,4>",
    ],
)
def test_discards_and_counts_what_is_malformed(piece: str, reader: Any) -> None:
    for text in (f"Answer: {piece}, K/<5,6,7,8>", f"Answer: K/<5,6,7,8>, {piece}\nExplanation: z"):
        found = read_evidence(text, reader=reader)
        assert boxes(found) == [("K", 5, 6, 7, 8)], text
        assert found.malformed == (piece,), text


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("nothing", ["", " none", " None.", " n/a", " []", "\nExplanation: no"])
def test_tells_no_box_from_no_answer(nothing: str, reader: Any) -> None:
    found = read_evidence(f"Answer:{nothing}", reader=reader)
    assert (found.boxes, found.malformed, found.has_answer) == ((), (), True)
    refused = read_evidence("I cannot see an image.", reader=reader)
    assert (refused.boxes, refused.malformed, refused.has_answer) == (
        (),
        ("I cannot see an image.",),
        False,
    )
    assert read_evidence("", reader=reader) == EvidenceAnswer()


@pytest.mark.parametrize(
    "text",
    [
        "**Answer:** A 1: [1, 2, 3, 4]; S1/(5 6 7 8)\n**Explanation:** x",
        "## Answer:\n- A 1/<1,2,3,4>\n- `S1/<5,6,7,8>`\n\n## Explanation: x",
        "answer: 1. A 1 = {1px, 2px, 3px, 4px}\n2. S1/5,6,7,8\nexplanation: x",
        "A 1/<1,2,3,4>, S1/<5,6,7,8>\nExplanation: x",
    ],
)
def test_lenient_reader_takes_what_the_strict_one_refuses(text: str) -> None:
    found = read_evidence(text, reader="lenient")
    assert boxes(found) == [("A 1", 1, 2, 3, 4), ("S1", 5, 6, 7, 8)]
    assert (found.malformed, found.explanation) == ((), "x")
    assert found.has_answer == ("nswer" in text)
    assert len(read_evidence(text).boxes) < 2


def test_takes_the_last_answer_that_has_a_box() -> None:
    text = "Answer: A/<1,1,1,1>\nExplanation: a\nAnswer: B/<2,2,2,2>\nExplanation: b\nAnswer: yes"
    found = read_evidence(text)
    assert (boxes(found), found.explanation) == ([("B", 2, 2, 2, 2)], "b")


GOOD = [("E1", 10, 10, 20, 20)]


@pytest.mark.parametrize(
    ("text", "strict"),
    [
        ("Answer: E1/<50,50,40,40>\nExplanation: a\n\nRevised Answer: E1/<10,10,20,20>", True),
        ("Answer: E1/<50,50,40,40>\n\nRevised Answer: E1/<10,10,20,20>", True),
        ("Answer: E1/<50,50,40,40>\n\nImproved answer: E1/<10,10,20,20>", False),
        (
            "Initial Answer: E1/<50,50,40,40>\nVerification: E1/<50,50,40,40> is too large\n"
            "Final Answer: E1/<10,10,20,20>\nExplanation: final",
            True,
        ),
        ("<think>Answer: E1/<1,1,1,1></think>Answer: E1/<10,10,20,20>", True),
        ("<think>\nE1/<1,1,1,1>\n</think>\n\nAnswer: E1/<10,10,20,20>\nExplanation: x", True),
        ("Answer: E1/<10,10,20,20><|im_end|>\nAnswer: E1/<1,1,1,1>", True),
        ("Answer: Texas\nEvidence: E1/<10,10,20,20>", True),
        ("Step 1: E1/<50,50,40,40>\nStep 2: look again\nAnswer: E1/<10,10,20,20>", True),
        ("Answer: E1/<10,10,20,20>\nExplanation: the right answer: 12, not E2/<5,5,5,5>.", True),
        ("Answer: E1/<10,10,20,20>\nExplanation: E1\nAnswer: E1/<10,10,20,20", True),
        ("Answer: the evidence is E1/<10,10,20,20>", True),
        ("**Final Answer**: E1/<10,10,20,20>", False),
        ("**My final answer is:** E1/<10,10,20,20>", False),
        ("Sure! Answer: E1/<10,10,20,20>", False),
        ("Let me see. Explanation: foo. Answer: E1/<10,10,20,20>", False),
        ("Answer: 12 (E1/<10,10,20,20>)", False),
        ("Answer: 12 (E1/‹10,10,20,20›)", False),
        ("Answer: `E1/<10,10,20,20>`", False),
        ("Answer: E1/&lt;10,10,20,20&gt;", False),
        ("Answer: E1 <10,10,20,20>", False),
        ("Evidence: E1/<10,10,20,20>\nAnswer: Texas", False),
        ("ＡＮＳＷＥＲ：Ｅ１／＜１０，１０，２０，２０＞", False),
        ('[{"id": "E1", "bbox": [10, 10, 20, 20]}]', False),
        ('{"answer": [{"bbox":\n[10,\n10,\n20,\n20], "label": "E1"}], "explanation": "x"}', False),
        ("{'label': 'bar', 'id': 'E1', 'box': (10, 10, 20, 20)}", False),
        ('```json\n{"E1": [10, 10, 20, 20]}\n```', False),
        ('{"evidence": [{"id": "E1", "bbox": [10, 10, 20, 20]}, {"id": "E2", "bbox": [1, 2', False),
    ],
)
def test_reads_what_models_write(text: str, strict: bool) -> None:
    found = read_evidence(text, SIZE, "lenient")
    assert boxes(found) == GOOD
    assert boxes(read_evidence(text, SIZE)) == (GOOD if strict else [])
    assert found.explanation in ("", "x", "E1", "final", '"x"}', "foo. Answer:") or "12" in text


@pytest.mark.parametrize(
    "text",
    [
        "[10,10,20,20]",
        "Answer: <10,10,20,20>",
        "The answer is: [10, 10, 20, 20]",
        '{"bbox":[10,10,20,20]}',
        "Answer:\nbbox: (10, 10, 20, 20)",
    ],
)
def test_numbers_boxes_of_which_none_has_an_id(text: str) -> None:
    for count, whole in ((1, text), (2, f"{text}, [1,2,3,4]")):
        found = read_evidence(whole, SIZE, "lenient")
        assert boxes(found) == [("1", 10, 10, 20, 20), ("2", 1, 2, 3, 4)][:count]
        assert found.warnings == ("boxes without an id are numbered",)
        assert read_evidence(whole, SIZE).boxes == ()
    # Where others have one, it is malformed; numbers alone are no box at all.
    assert boxes(read_evidence(f"{text}, E1/<10,10,20,20>", SIZE, "lenient")) == GOOD
    assert read_evidence("Answer: 10, 10, 20, 20", SIZE, "lenient").boxes == ()


def test_tells_of_the_convention_of_a_key_and_does_not_follow_it() -> None:
    text = '[{"bbox_2d": [10, 10, 30, 30], "label": "E1"}, {"bbox_2d": [1, 1, 2, 3], "label": "b"}]'
    found = read_evidence(text, SIZE, "lenient")
    assert boxes(found) == [("E1", 10, 10, 30, 30), ("b", 1, 1, 2, 3)]
    assert any("bbox_2d is x1,y1,x2,y2" in warning for warning in found.warnings)
    told = read_evidence(text, SIZE, "lenient", "xyxy")
    assert boxes(told) == [*GOOD, ("b", 1, 1, 1, 2)]
    assert told.warnings == ()


def test_lenient_reads_all_that_strict_does() -> None:
    random = rng("test", "dragon", "readers")
    words = ["Answer: ", "\nAnswer: ", "\nFinal Answer: ", "Sure! Answer: ", "**Answer**: ", "\n"]
    words += ["E1/<10,10,20,20>", "S2/1,2,3,4", "(E1/<5,6,7,8>", "`a/<1,2,3,4>", "x y/<1,2,3,4>"]
    words += [", ", ", ", " ", "Explanation: ", "\nExplanation: so", "<think>", "</think>"]
    words += ["E2/<1,2", "S3/<5,5,-1,2>"]
    words += ['{"bbox": [1,2,3,4]}', "[1,2,3,4]", "&lt;", "Texas", "3/4, ", "1. ", "-", ")", "none"]
    read = 0
    for _ in range(6000):
        text = "Answer: " * (random.random() < 0.7)
        text += "".join(words[int(i)] for i in random.integers(0, len(words), 6))
        strict, lenient = read_both(text, SIZE)
        left = iter(lenient.boxes)
        assert all(box in left for box in strict.boxes), text
        assert all(re.match(r"\w", box.id) for box in strict.boxes), text
        read += bool(strict.boxes)
        assert (strict, lenient) == (
            read_evidence(text, SIZE),
            read_evidence(text, SIZE, "lenient"),
        )
    assert read > 300


def test_doubts_only_what_is_likely() -> None:
    # Boxes of pixels that are a little too large, or one of several that is far off.
    for text in ("A/<600,380,60,30>", "A/<600,380,300,30>, B/<1,2,30,40>, C/<9,9,90,90>"):
        (warning,) = read_evidence(f"Answer: {text}", SIZE).warnings
        assert "do not lie in the image" in warning
    assert read_evidence("Answer: A/<0,0,0,0>", SIZE).warnings == ()


def test_never_guesses_coordinates() -> None:
    gold = xywh_from_xyxy((10, 10, 20, 20))  # B10
    read = read_evidence("Answer: E1/10,10,20,20", SIZE)
    assert iou(read.boxes[0].bbox, gold) == 0.25
    told = read_evidence("Answer: E1/10,10,20,20", SIZE, coordinates="xyxy")
    assert told.boxes[0].bbox == gold
    backwards = read_evidence("Answer: E1/20,10,10,20", SIZE, coordinates="xyxy")
    assert (backwards.boxes, backwards.malformed) == ((), ("E1/20,10,10,20",))


@pytest.mark.parametrize(
    ("numbers", "meant", "word"),
    [
        ("600,350,630,390", "xyxy", "x1,y1,x2,y2"),
        ("0.5,0.25,0.125,0.5", "xywh_ratios", "parts of the image"),
        ("900,900,50,50", "xywh_thousandths", "thousandths"),
        ("900,900,950,950", "xyxy_thousandths", "thousandths"),
    ],
)
def test_warns_of_other_coordinates_and_converts_them_only_when_told(
    numbers: str, meant: Any, word: str
) -> None:
    text = f"Answer: A/<{numbers}>"
    doubted = read_evidence(text, SIZE)
    assert boxes(doubted) == [("A", *map(float, numbers.split(",")))]
    assert any(word in warning for warning in doubted.warnings)
    told = read_evidence(text, SIZE, coordinates=meant)
    assert told.warnings == ()
    x, y, width, height = told.boxes[0].bbox
    assert 0 <= x <= x + width <= SIZE[0]
    assert 0 <= y <= y + height <= SIZE[1]


def test_every_system_of_coordinates_gives_the_same_box() -> None:
    random = rng("test", "dragon", "coordinates")
    for _ in range(50):
        x, y, width, height = (int(number) / 8 for number in random.integers(1, 1000, 4))
        parts = x / 640, y / 400, (x + width) / 640, (y + height) / 400
        numbers = {
            "xywh": (x, y, width, height),
            "xyxy": (x, y, x + width, y + height),
            "xywh_ratios": (parts[0], parts[1], width / 640, height / 400),
            "xyxy_ratios": parts,
            "xywh_thousandths": (1000 * parts[0], 1000 * parts[1], width / 0.64, height / 0.4),
            "xyxy_thousandths": tuple(1000 * part for part in parts),
        }
        for coordinates in COORDINATES:
            words = ",".join(map(repr, numbers[coordinates]))
            found = read_evidence(f"Answer: A/<{words}>", SIZE, coordinates=coordinates)
            assert found.boxes[0].bbox == pytest.approx((x, y, width, height))


def test_does_not_doubt_pixels() -> None:
    text = "Answer: A/<0,0,640,400>, B/<10,20,30,40>"
    assert read_evidence(text, SIZE).warnings == ()
    twice = read_evidence("Answer: A/<0,0,64,40>, A/<10,20,30,40>", SIZE)
    assert len(twice.boxes) == 2
    assert twice.warnings == ("more than one box is called A",)


def test_refuses_parts_without_the_size() -> None:
    with pytest.raises(ValueError, match="size of the image"):
        read_evidence("Answer: A/<0,0,1,1>", coordinates="xywh_ratios")
    with pytest.raises(ValueError, match="no reader"):
        read_evidence("", reader="loose")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no coordinates"):
        read_evidence("", coordinates="pixels")  # type: ignore[arg-type]


@pytest.mark.parametrize("reader", READERS)
def test_reads_whatever_a_model_writes_in_linear_steps(reader: Any) -> None:
    """What took minutes once: long runs of one sign, of which every start was tried to the end."""
    pieces = ["a", "1,", "answer ", "* ", " ", "\n", "#\n", "Answer:\n", "1 ", '"', 'said "x" and ']
    pieces += [
        "<",
        "[1",
        "( ",
        "A/",
        "-",
        "1e",
        "answers (",
        "/ ",
        ". ",
        "{",
        "&lt;",
        "</think>",
        "_",
    ]
    for piece in pieces:
        text = piece * (200_000 // len(piece))
        for whole in (f"Answer: {text}", text, f"Answer: A/<1,2,3,4>, {text}"):
            assert len(read_evidence(whole, SIZE, reader).boxes) <= 1
    assert len(read_evidence(f"Answer: {'A/<1,2,3,4>, ' * 5000}", SIZE, reader).boxes) == 5000


def test_reads_both_ends_of_what_never_ends() -> None:
    text = f"Answer: A/<1,2,3,4>\n{'on and on ' * 30_000}\nFinal Answer: B/<5,6,7,8>"
    found = read_evidence(text, SIZE)
    assert boxes(found) == [("B", 5, 6, 7, 8)]
    assert found.warnings == ("only the first and the last 50,000 characters are read",)
    assert boxes(read_evidence(text[:-20], SIZE)) == [("A", 1, 2, 3, 4)]
    thought = f"<think>{'on and on ' * 30_000}</think>\nAnswer: B/<5,6,7,8>"
    assert read_evidence(thought, SIZE).warnings == ()
    # What is cut in the middle of a box is none.
    cut = "Answer: A/<1,2,3,4444" + "4" * 200_000 + ">"
    assert read_evidence(cut, SIZE, "lenient").boxes == ()


def test_the_short_way_reads_what_the_long_way_would(monkeypatch: pytest.MonkeyPatch) -> None:
    random = rng("test", "dragon", "short way")
    good = ["A1/<1,2,3,4>", "S12/<10.5,.5,1e2,4.>", "b/<-3,+2,0,700>"]
    odd = ["A1/<1,2,3,-4>", "A1/<1, 2,3,4>", "AB/<1,2,3,4>", "A1/1,2,3,4", "A1/<1,2,3,1e999>"]
    heads = ["Answer: "] * 4 + ["Answer:", "answer: ", "\nAnswer: ", "Answer:  "]
    gaps = [", "] * 4 + [",", ",\n", "; ", " "]
    ends = ["\nExplanation: the bar", "", "\n", " \n\nExplanation:", "\nExplanation:** x"]
    ends += ["\nExplanation: a\nAnswer: C/<1,2,3,4>", "\nExplanation: Answer: C/<1,2,3,4>\n"]
    ends += [" Explanation: x", "\n**Explanation:** x", "\nExplanation: a\n\nb", ", and more."]
    ends += ["\nExplanation: x\r\nAnswer: C/<1,2,3,4>", "\rExplanation: x", "\nexplanation: x"]

    def pick(words: list[str]) -> str:
        return words[int(random.integers(len(words)))]

    texts = []
    for _ in range(3000):
        boxes = [pick(odd if random.random() < 0.1 else good) for _ in range(random.integers(1, 5))]
        listed = boxes[0] + "".join(pick(gaps) + box for box in boxes[1:])
        texts.append(pick(heads) + listed + pick(ends))
    ways: list[tuple[Any, ...]] = [
        (reader, coordinates)
        for reader in READERS
        for coordinates in ("xywh", "xyxy", "xywh_ratios")
    ]
    short = [read_evidence(text, SIZE, *way) for text in texts for way in ways]
    taken = sum(evidence._PLAIN.fullmatch(text) is not None for text in texts)
    assert 250 < taken < 2700
    monkeypatch.setattr(evidence, "_PLAIN", re.compile("(?!)"))
    assert short == [read_evidence(text, SIZE, *way) for text in texts for way in ways]


def test_reads_random_signs() -> None:
    random = rng("test", "dragon", "signs")
    signs = [*"AS1/<>,;:.-[]() \nexp", "Answer:", "Explanation:", "1,2,3,4", "<1,2,3,4>"]
    for _ in range(400):
        text = "".join(signs[int(i)] for i in random.integers(0, len(signs), 30))
        for reader in READERS:
            found = read_evidence(text, SIZE, reader)
            assert all(box.bbox[2] >= 0 and box.bbox[3] >= 0 and box.id for box in found.boxes)


RECORD = {
    "image_ref": {"width": 100, "height": 50},
    "evidence": [{"bbox": [10, 10, 20, 20]}, {"bbox": [60, 10, 20, 20]}],
}


@pytest.mark.parametrize(
    ("response", "grader", "verdict", "extracted", "why"),
    [
        (
            "Answer: A1/<10,10,20,20>, S1/<60,10.5,20,20>",
            "strict",
            "correct",
            "A1/<10,10,20,20>, S1/<60,10.5,20,20>",
            "2 boxes, G_IoU 0.975, MP_IoU 1.000",
        ),
        # One of two equal boxes is an IoU of one half, up to rounding: not above it.
        (
            "Answer: A1/<10,10,20,20>",
            "strict",
            "incorrect",
            "A1/<10,10,20,20>",
            "1 box, G_IoU 0.500, MP_IoU 1.000",
        ),
        (
            "Answer: A1/<10,10,20,20>, S1/<10,10,-5,10>",
            "strict",
            "incorrect",
            "A1/<10,10,20,20>",
            "1 box, G_IoU 0.500, MP_IoU 1.000; 1 malformed left out",
        ),
        (
            "**answer:** A 1: [10, 10, 20, 20]; S1/(60 10 20 20)",
            "lenient",
            "correct",
            "A 1/<10,10,20,20>, S1/<60,10,20,20>",
            "2 boxes, G_IoU 1.000, MP_IoU 1.000",
        ),
        (
            "**answer:** A 1: [10, 10, 20, 20]; S1/(60 10 20 20)",
            "strict",
            "unparseable",
            None,
            "no box could be read, 1 malformed left out",
        ),
        ("Answer: none", "lenient", "unparseable", None, "an answer without a box"),
        (
            "Answer: E1/10,10,-5,10",
            "lenient",
            "unparseable",
            None,
            "no box could be read, 1 malformed left out",
        ),
        ("", "lenient", "unparseable", None, "an empty answer"),
        (None, "lenient", "unparseable", None, "no answer"),
        (
            "Answer: A/<90,40,60,20>",
            "lenient",
            "incorrect",
            "A/<90,40,60,20>",
            "1 box, G_IoU 0.000, MP_IoU 0.000; 1 of 1 boxes do not lie in the image; all boxes "
            "would lie in the image as thousandths of it",
        ),
    ],
)
def test_judges(
    response: str | None, grader: Any, verdict: str, extracted: str | None, why: str
) -> None:
    found = judge("dragon", "chartqa", response, RECORD, grader)
    assert (found.verdict, found.extracted, found.reason) == (verdict, extracted, why)


def test_coordinates_are_converted_only_when_told() -> None:
    text = "Answer: A1/<10,10,30,30>, S1/<60,10,80,30>"
    assert dragon.judge("chartqa", text, RECORD).verdict == "incorrect"
    told = dragon.judge("chartqa", text, RECORD, "strict", coordinates="xyxy")
    assert (told.verdict, told.extracted) == ("correct", "A1/<10,10,20,20>, S1/<60,10,20,20>")


def test_a_record_without_boxes_makes_no_answer_correct() -> None:
    record = {**RECORD, "evidence": []}
    assert judge("dragon", "mapiq", "Answer: A/<1,1,2,2>", record).verdict == "incorrect"
    assert judge("dragon", "mapiq", "Answer: none", record).verdict == "unparseable"


def test_graders_and_records_are_checked() -> None:
    assert grader_version("dragon", "strict") == grader_version("dragon", "lenient")
    assert re.fullmatch(r"2-[0-9a-f]{8}", grader_version("dragon"))
    for call in (
        lambda: grader_version("dragon", "reference"),
        lambda: judge("dragon", "ai2d", "Answer: none", RECORD, "reference"),
    ):
        with pytest.raises(InputError, match="no grader 'reference'; take strict or lenient"):
            call()
    for record in (
        {},
        {"evidence": []},
        {**RECORD, "evidence": [{"box": 1}]},
        {**RECORD, "image_ref": 3},
    ):
        with pytest.raises(InputError, match="needs evidence"):
            judge("dragon", "ai2d", "Answer: none", record)


@pytest.mark.parametrize("grader", READERS)
def test_what_was_extracted_reads_back_the_same(grader: Any) -> None:
    random = rng("test", "dragon", "extracted")
    for _ in range(100):
        numbers = (random.integers(0, 5000, (3, 4)) / 16).tolist()
        text = "Answer: " + ", ".join(
            f"E{place}/{','.join(map(str, box))}" for place, box in enumerate(numbers)
        )
        found = judge("dragon", "ai2d", text, RECORD, grader)
        again = read_evidence(f"Answer: {found.extracted}", reader=grader)
        assert [list(box.bbox) for box in again.boxes] == numbers
