"""Scores on DRAGON: the metrics of sources, strategies and models, remarks, verdicts, pictures."""

import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from grounding_oracles import draw_samples, measure_with_shapely

from benchloom.builders.errors import InputError
from benchloom.builders.seeds import rng
from benchloom.builders.statistics import in_words
from benchloom.loaders.answers import judge
from benchloom.loaders.answers.dragon import READERS
from benchloom.loaders.scores.dragon import WHOLE, score
from benchloom.loaders.scores.result import Result
from benchloom.loaders.scores.uncertainty import wilson

SIZE = (200, 100)
GOLD = [[10, 10, 20, 20], [60, 10, 20, 20]]
GREEN, RED, BLUE = (0x12, 0x81, 0x3C), (0xD1, 0x24, 0x2F), (0x0B, 0x5F, 0xFF)
Row = Mapping[str, Any]


def record(name: str, source: str = "chartqa", gold: Sequence[Any] = GOLD, **image: Any) -> Row:
    width, height = image.pop("size", SIZE)
    return {
        "id": name,
        "source": source,
        "question": f"What of {name}?",
        "image_ref": {"width": width, "height": height, "split": "test", "file_name": name} | image,
        "evidence": [
            {"id": f"d{i}", "role": "answer", "label": "", "bbox": list(box)}
            for i, box in enumerate(gold)
        ],
    }


def answer(*boxes: Sequence[float]) -> str:
    """An answer in the right format."""
    listed = (f"E{i}/<{','.join(map(repr, box))}>" for i, box in enumerate(boxes))
    return f"Answer: {', '.join(listed)}\nExplanation: so"


def table(result: Result, name: str) -> list[dict[str, Any]]:
    """The rows of a table, by the names of its columns."""
    (found,) = (one for one in result.tables if one.name == name)
    assert len(set(found.head)) == len(found.head)
    return [dict(zip(found.head, row, strict=True)) for row in found.rows]


RECORDS = [record("a"), record("b"), record("c"), record("d", "mapwise"), record("e", "mapwise")]
ANSWERS = {
    "a": answer(*GOLD),  # all right
    "b": answer(GOLD[0]),  # one of two: G_IoU is one half, so no hit
    "c": "I cannot see the picture.",
    "d": answer(GOLD[0], GOLD[1], [100, 50, 40, 10]),  # both, and one too many: 800 of 1200
    # e is missing
}


def test_every_record_counts_and_thresholds_are_named() -> None:
    result = score({"gpt": ANSWERS}, RECORDS)
    row, baseline = table(result, "overview")
    assert (row["records"], row["answered"], row["missing"], row["unparseable"]) == (5, 4, 1, 1)
    assert row["accuracy"] == 2 / 5
    assert row["95% interval"] == wilson(2, 5)
    assert (row["strict"], row["lenient"], row["no box"]) == (2 / 5, 2 / 5, 2 / 5)
    assert row["MP_IoU"] == pytest.approx(3 / 5)
    assert row["G_IoU"] == pytest.approx((1 + 1 / 2 + 2 / 3) / 5)
    precision, recall = (1 + 1 + 2 / 3) / 5, (1 + 1 / 2 + 1) / 5
    for name in ("F1@0.3", "F1@0.5"):
        assert row[name] == pytest.approx(2 * precision * recall / (precision + recall))
    assert (baseline["model"], baseline["answered"]) == (WHOLE, None)
    assert baseline["G_IoU"] == pytest.approx(800 / 20_000)
    assert baseline["MP_IoU"] == pytest.approx(400 / 20_000)
    chart, maps, both = table(result, "grounding")[:3]
    assert [one["source"] for one in (chart, maps, both)] == ["ChartQA", "MapWise", "all"]
    assert [one["records"] for one in (chart, maps, both)] == [3, 2, 5]
    assert (chart["P@0.5"], chart["R@0.5"]) == (pytest.approx(2 / 3), pytest.approx(1 / 2))
    assert maps["G_IoU"] == pytest.approx(1 / 3)
    (hits,) = table(result, "hit_rates_0.5")
    assert hits["ChartQA MaxIoU@0.5"] == pytest.approx(2 / 3)
    assert hits["ChartQA GIoU@0.5"] == pytest.approx(1 / 3)
    assert table(result, "hit_rates_0.3")[0]["ChartQA GIoU@0.3"] == pytest.approx(2 / 3)
    assert any("mapwise" in remark and "no answer" in remark for remark in result.remarks)


def test_verdicts_are_those_of_judge() -> None:
    result = score({"gpt": ANSWERS}, RECORDS, threshold=0.4)
    rows = {row["id"]: row for row in result.verdicts.to_pylist()}
    assert [rows[name]["verdict"] for name in "abcde"] == [
        *("correct", "incorrect", "unparseable", "correct", "missing"),
    ]
    for one in RECORDS[:4]:
        found = judge("dragon", one["source"], ANSWERS[one["id"]], one)
        row = rows[one["id"]]
        assert (row["verdict"], row["why"]) == (found.verdict, found.reason)
        assert (None if row["extracted"] is None else json.loads(row["extracted"])) == (
            found.extracted
        )
    assert [rows[name]["n_predicted"] for name in "abcde"] == [2, 1, 0, 3, 0]
    assert [rows[name]["n_malformed"] for name in "abcde"] == [0, 0, 1, 0, 0]
    assert (rows["d"]["precision@0.4"], rows["d"]["recall@0.4"]) == (pytest.approx(2 / 3), 1)
    assert rows["b"]["g_iou"] == pytest.approx(0.5)
    assert rows["e"]["extracted"] is None


def test_no_f1_is_without_its_threshold() -> None:
    models = {f"gpt/{strategy}": ANSWERS for strategy in ("EDGE", "SAGE", "VERGE")}
    result = score(models, RECORDS, threshold=[0.75, 0.25])
    heads = [head for one in result.tables for head in one.head]
    titles = [panel.title for chart in result.charts for row in chart.panels for panel in row]
    for words in (*heads, *titles):
        assert not words.split("F1")[1:] or "F1@0." in words
    assert "F1@0.25" in titles
    assert result.data["thresholds"] == [0.25, 0.75]
    assert [one.name for one in result.tables if one.name.startswith("hit")] == [
        *("hit_rates_0.25", "hit_rates_0.75"),
    ]


def test_metrics_of_a_whole_run_agree_with_shapely() -> None:
    samples = [s for s in draw_samples(300, "run") if all(min(b[2:]) >= 0 for b in s.predicted)]
    sources = ("ai2d", "mapiq", "circuit_vqa")
    records = [record(f"q{i}", sources[i % 3], s.gold, size=s.size) for i, s in enumerate(samples)]
    answers = {f"q{i}": answer(*s.predicted) for i, s in enumerate(samples)}
    result = score({"m": answers}, records)
    rows = [row for row in table(result, "grounding") if row["model"] == "m"]
    assert [row["source"] for row in rows] == ["Circuit-VQA", "MapIQ", "AI2D", "all"]
    for row, start in zip(rows, (2, 1, 0, None), strict=True):
        part = samples if start is None else samples[start::3]
        means = np.mean([measure_with_shapely(s, (0.3, 0.5)) for s in part], axis=0)
        best, union, p3, p5, r3, r5 = means
        expected = [best, union, p3, r3, 2 * p3 * r3 / (p3 + r3), p5, r5, 2 * p5 * r5 / (p5 + r5)]
        names = ["MP_IoU", "G_IoU", *(f"{n}@{t}" for t in (0.3, 0.5) for n in ("P", "R", "F1"))]
        assert [row[name] for name in names] == pytest.approx(expected, abs=1e-9)
        for name in ("MP_IoU", "G_IoU", "F1@0.3", "F1@0.5"):
            low, high = row[f"{name} interval"]
            assert low < row[name] < high


def test_intervals_cover_the_truth_about_as_often_as_they_say() -> None:
    """80 runs of 60 pictures with two questions each, which go wrong together."""
    random = rng("test", "dragon", "coverage")
    covered = 0
    for run in range(80):
        records, answers = [], {}
        for picture in range(60):
            # The IoU of a box of this height with one of 100 is the height: 0.5 on average.
            height = float(random.uniform(0, 100))
            for question in "ab":
                name = f"{run}-{picture}{question}"
                records.append(record(name, gold=[[0, 0, 50, 100]], file_name=f"{picture}"))
                answers[name] = answer([0, 0, 50, height])
        (row, _) = table(score({"m": answers}, records), "grounding")
        low, high = row["G_IoU interval"]
        covered += low <= 0.5 <= high
    assert 69 <= covered <= 80  # fewer has a probability below 0.2%


def test_strategies_are_rows_and_averaged() -> None:
    models = {
        "org/gpt/EDGE": {"a": answer(*GOLD)},
        "org/gpt/sage": {"a": answer(GOLD[0])},
        "other": {"a": answer(GOLD[0])},
        "/EDGE": {"a": answer(GOLD[0])},
    }
    result = score(models, RECORDS[:1])
    named = [(row["model"], row["strategy"]) for row in table(result, "strategies")]
    assert named == [("org/gpt", "EDGE"), ("org/gpt", "SAGE"), ("other", None), ("/EDGE", None)]
    (mean,) = table(result, "models")
    assert (mean["model"], mean["strategies"]) == ("org/gpt", "EDGE, SAGE")
    assert mean["ChartQA G_IoU"] == pytest.approx(0.75)
    by_strategy = [row["strategy"] for row in table(result, "hit_rates_0.5")]
    assert by_strategy == ["EDGE", "SAGE", None, None]
    assert "models" not in [one.name for one in score({"other": ANSWERS}, RECORDS).tables]


def test_models_are_compared_on_the_same_records() -> None:
    records = [record(f"q{i}") for i in range(60)]
    good = {f"q{i}": answer(*GOLD) for i in range(60)}
    poor = {f"q{i}": answer(GOLD[0] if i % 2 else [150, 50, 9, 9]) for i in range(60)}
    result = score({"good": good, "poor": poor, "twin": good}, records)
    rows = {(row["first"], row["second"]): row for row in table(result, "comparison")}
    assert rows["good", "poor"]["verdict"] == "good is better"
    assert rows["good", "poor"]["difference"] == pytest.approx(0.75)
    assert rows["good", "twin"]["verdict"] == "cannot be told apart"
    assert table(result, "comparison_MP_IoU")[0]["difference"] == pytest.approx(0.5)
    assert "comparison" not in [one.name for one in score({"good": good}, records).tables]


def test_readers_are_told_apart() -> None:
    loose = {"a": "**answer:** A 1: [10, 10, 20, 20]; S1/(60 10 20 20)"}
    for grader in READERS:
        (row, _) = table(score({"m": loose}, RECORDS[:1], grader=grader), "overview")
        assert (row["strict"], row["lenient"]) == (0, 1)
        assert row["accuracy"] == (grader == "lenient")
        assert row["unparseable"] == (grader == "strict")


def test_malformed_and_empty_answers_are_counted() -> None:
    texts = {
        "a": "Answer: E1/10,10,-5,10, E2/<10,10,20,20>, E3/<1,2,3>",  # B13 among them
        "b": "Answer: none",
        "c": "",
        "d": None,
    }
    (row,) = table(score({"m": texts}, RECORDS), "reading")
    assert (row["boxes"], row["malformed"], row["answers with malformed"]) == (1, 2, 1)
    assert row["malformed rate"] == pytest.approx(2 / 3)
    assert (row["records without a box"], row["empty rate"]) == (4, 4 / 5)
    verdicts = score({"m": texts}, RECORDS).verdicts.to_pylist()
    assert [one["verdict"] for one in verdicts] == ["incorrect", *["unparseable"] * 3, "missing"]
    assert [one["why"] for one in verdicts][1:4] == [
        *("an answer without a box", "an empty answer", "no answer"),
    ]


@pytest.mark.parametrize(
    ("numbers", "column", "meant"),
    [
        ([60, 10, 180, 90], "maybe x1,y1,x2,y2", "xyxy"),
        ([0.3, 0.1, 0.1, 0.2], "maybe parts", "xywh_ratios"),
        ([300, 100, 100, 200], "maybe thousandths", "xywh_thousandths"),
    ],
)
def test_coordinates_are_doubted_and_never_guessed(
    numbers: list[float], column: str, meant: Any
) -> None:
    result = score({"m": {"a": answer(numbers)}}, RECORDS[:1])
    (row,) = table(result, "reading")
    assert row[column] == 1
    assert any(meant in remark and "1 of 1 answers" in remark for remark in result.remarks)
    assert table(result, "overview")[0]["MP_IoU"] < 0.2
    told = score({"m": {"a": answer(numbers)}}, RECORDS[:1], coordinates=meant)
    assert table(told, "reading")[0][column] == 0
    assert told.remarks == []
    assert told.data["coordinates"] == meant
    assert table(told, "overview")[0]["MP_IoU"] == pytest.approx(
        400 / (120 * 80) if meant == "xyxy" else 1
    )


def test_a_fair_model_is_not_doubted() -> None:
    assert score({"m": {"a": answer(*GOLD)}}, RECORDS[:1]).remarks == []
    # A few odd answers are counted, and no remark is made of them.
    odd = {"a": answer([60, 10, 180, 90]), "b": answer(*GOLD), "d": answer(GOLD[0])}
    records = [one for one in RECORDS if one["id"] in odd]
    result = score({"m": odd}, records)
    assert table(result, "reading")[0]["maybe x1,y1,x2,y2"] == 1
    assert result.remarks == []


def test_pixels_that_are_a_little_off_are_not_doubted() -> None:
    random = rng("test", "dragon", "pixels")
    records, answers = [], {}
    for i in range(400):
        size = random.uniform(50, 1500, 2).round()
        corners = np.sort(random.uniform(0, size, (2, 2)), axis=0)
        box = [*corners[0], *(corners[1] - corners[0])]
        records.append(record(f"q{i}", gold=[box], size=size.tolist()))
        answers[f"q{i}"] = answer([n * float(random.normal(1, 0.03)) for n in map(float, box)])
    (row,) = table(score({"m": answers}, records), "reading")
    assert row["boxes outside"] > 5
    assert row["maybe thousandths"] + row["maybe x1,y1,x2,y2"] + row["maybe parts"] <= 4


def test_boxes_without_ids_and_of_qwen_are_counted() -> None:
    texts = {"a": "[10, 10, 20, 20]", "b": '[{"bbox_2d": [10, 10, 30, 30], "label": "bar"}]'}
    result = score({"m": texts}, RECORDS[:2])
    (row,) = table(result, "reading")
    assert (row["without ids"], row["maybe x1,y1,x2,y2"]) == (1, 1)
    assert table(result, "overview")[0]["strict"] == 0
    told = score({"m": texts}, RECORDS[:2], coordinates="xyxy")
    assert told.verdicts.to_pylist()[1]["mp_iou"] == pytest.approx(1)


def test_records_without_boxes_score_zero_and_are_told() -> None:
    records = [record("a"), record("b", gold=[])]
    result = score({"m": {"a": answer(*GOLD), "b": answer(*GOLD)}}, records)
    row, _ = table(result, "overview")
    assert (row["G_IoU"], row["accuracy"]) == (pytest.approx(0.5), 0.5)
    assert any("1 record" in remark and "scores 0" in remark for remark in result.remarks)
    alone = score({"m": {"b": answer(*GOLD)}}, records[1:])
    assert table(alone, "overview")[0]["G_IoU"] == 0


def test_answered_only_leaves_out_what_is_missing() -> None:
    row, _ = table(score({"m": ANSWERS}, RECORDS, answered_only=True), "overview")
    assert (row["records"], row["missing"]) == (4, 0)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"grader": "reference"}, "no grader 'reference'"),
        ({"coordinates": "pixels"}, "no coordinates 'pixels'; take xywh, xyxy"),
        ({"threshold": 50}, "from 0.01 to 1, not 50"),
        ({"threshold": [0.5, float("nan")]}, "from 0.01 to 1, not nan"),
        ({"threshold": []}, "at least one threshold"),
        ({"images": "/nowhere"}, "holds no copy of a source"),
    ],
)
def test_options_are_checked(options: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        score({"m": ANSWERS}, RECORDS, **options)


def test_a_build_is_scored_with_pictures(dragon_build: Path, dragon_work: Path) -> None:
    from PIL import Image

    from benchloom.loaders.scores.references import read_references

    rows = read_references("dragon", dragon_build, "chartqa", "test").table.to_pylist()
    box = rows[0]["evidence"][0]["bbox"]
    answers = {row["id"]: answer(*(one["bbox"] for one in row["evidence"])) for row in rows[1:]}
    answers[rows[0]["id"]] = answer([box[0] + 12, *box[1:]], [1e9, 5, 10, 10])
    result = score({"m\x1b[31m": answers}, dragon_build, images=dragon_work)
    assert result.data["scored"] == {"chartqa": {"test": len(rows)}}
    best, *_ = (one for one in result.exhibits if "best" in one.title)
    worst = next(one for one in result.exhibits if "worst" in one.title)
    assert rows[0]["id"] in worst.title
    assert "predicted: 2 (dashed blue)" in worst.caption
    assert "1 outside the picture" in worst.caption
    assert "G_IoU 1.000" in best.caption
    assert all("\x1b" not in one.title for one in result.exhibits)
    image = Image.open(io.BytesIO(worst.image)).convert("RGB")
    size = rows[0]["image_ref"]
    # Small pictures are enlarged by a whole number.
    scale = image.width // size["width"]
    assert scale == max(1, 700 // max(size["width"], size["height"]))
    assert image.size == (scale * size["width"], scale * size["height"])
    pixels = np.asarray(image)
    left, top, bottom = (round(scale * edge) for edge in (box[0] + 12, box[1], box[1] + box[3]))
    rim = pixels[top:bottom, left - 4 : left + 5]
    dashed = (rim == BLUE).all(axis=2).any(axis=1)
    assert dashed.any()
    assert not dashed.all()
    assert ((rim == 255).all(axis=2).any(axis=1) & dashed).any()
    assert (pixels == GREEN).all(axis=2).any()
    assert score({"m": answers}, dragon_build).exhibits == []


def test_answers_without_a_box_are_pictured_too(dragon_build: Path, dragon_work: Path) -> None:
    from PIL import Image

    from benchloom.loaders.scores.references import read_references

    rows = read_references("dragon", dragon_build, "chartqa", "test").table.to_pylist()
    for texts in (
        {rows[0]["id"]: "I cannot tell."},
        {rows[0]["id"]: "I cannot tell."} | {row["id"]: answer([1, 2, 3, 4]) for row in rows[1:]},
    ):
        result = score({"m": texts}, dragon_build, images=dragon_work)
        (empty,) = (one for one in result.exhibits if rows[0]["id"] in one.title)
        assert "worst" in empty.title
        assert "predicted: 0" in empty.caption
        pixels = np.asarray(Image.open(io.BytesIO(empty.image)).convert("RGB"))
        assert (pixels == GREEN).all(axis=2).any()
        assert not (pixels == BLUE).all(axis=2).any()


def test_pictures_of_any_size_are_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Larger than Pillow opens, and tiny."""
    from PIL import Image

    from benchloom.builders.dragon import opening
    from benchloom.loaders.scores.dragon_overlays import _drawn, open_as_rgb

    path = tmp_path / "large.png"
    Image.new("RGB", (3000, 1500), "white").save(path)
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 1_000_000)
    monkeypatch.setattr(opening, "LARGE_PIXELS", 2_000_000)
    gold = [{"id": "", "label": "", "role": "support", "bbox": [300, 300, 600, 600]}]
    large = open_as_rgb(path, 1000)
    shown = Image.open(io.BytesIO(_drawn(large, 3000, gold, [(1500, 300, 600, 600)])))
    assert shown.size == (1000, 500)
    pixels = np.asarray(shown)
    red, blue = ((pixels == colour).all(axis=2) for colour in (RED, BLUE))
    assert (np.flatnonzero(red.any(axis=0)) >= 98).all()
    assert red[200, 95:101].any()
    assert (np.abs(np.flatnonzero(blue.any(axis=0)) - 600) <= 102).all()
    tiny = Image.open(io.BytesIO(_drawn(Image.new("RGB", (30, 10)), 30, gold, [])))
    assert tiny.size == (690, 230)


def test_missing_pictures_are_a_remark(
    dragon_build: Path, tmp_path: Path, dragon_work: Path
) -> None:
    from shutil import copytree

    from benchloom.loaders.scores.references import read_references

    copy = Path(copytree(dragon_work.parent / "copies" / "chartqa", tmp_path / "chartqa"))
    for path in copy.rglob("*.png"):
        path.write_bytes(b"\x89PNG damaged")
    rows = read_references("dragon", dragon_build, "chartqa", "test").table.to_pylist()
    answers = {row["id"]: answer([1, 2, 3, 4]) for row in rows}
    result = score({"m": answers}, dragon_build, images=f"chartqa={copy}")
    assert result.exhibits == []
    assert any("not at hand" in remark for remark in result.remarks)


def test_references_of_ones_own_need_no_names_of_pictures(tmp_path: Path) -> None:
    path = tmp_path / "own.jsonl"
    lines = [
        {
            "id": str(i),
            "image_ref": {"width": 10, "height": 10},
            "evidence": [{"bbox": [1, 1, 5, 5]}],
        }
        for i in range(6)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    result = score({"m": {"0": answer([1, 1, 5, 5])}}, path)
    row, _ = table(result, "grounding")
    assert row["G_IoU"] == pytest.approx(1 / 6)
    assert row["G_IoU interval"] is not None
    assert table(score({"m": ANSWERS}, RECORDS[:4]), "grounding")[-1]["G_IoU interval"] is None


def test_equal_input_gives_an_equal_report(tmp_path: Path) -> None:
    for name in ("one", "two"):
        score({"a/EDGE": ANSWERS, "b<script>": ANSWERS}, RECORDS).write(tmp_path / name)
    files = [sorted((tmp_path / name).iterdir()) for name in ("one", "two")]
    assert [path.name for path in files[0]] == ["report.html", "scores.json", "verdicts.parquet"]
    for one, other in zip(*files, strict=True):
        assert one.read_bytes() == other.read_bytes()
    assert "b<script>" not in files[0][0].read_text()
    assert "NaN" not in files[0][1].read_text()


def test_every_value_of_every_table_can_be_printed() -> None:
    result = score({"x/EDGE": ANSWERS, "y": ANSWERS}, RECORDS)
    for one in result.tables:
        for row in one.texts():
            assert all(isinstance(value, str) for value in row)
    assert in_words(table(result, "overview")[0]["accuracy"]) == "40.0%"
