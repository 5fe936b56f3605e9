"""DRAGON on the engine: what is built of a working folder, and that it holds no picture."""

import base64
import filecmp
import io
import json
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from datasets import load_dataset
from dragon_work import BOX, OTHER, REASONS, REVIEWED, at, decide
from PIL import Image

from benchloom.builders.benchmark import benchmark
from benchloom.builders.dragon.benchmark import SOURCES as CONFIGS
from benchloom.builders.dragon.emblem import draw_emblem
from benchloom.builders.dragon.sources import SOURCES
from benchloom.builders.dragon.work import read_work, write_work
from benchloom.builders.errors import InputError
from benchloom.builders.pipeline import build
from benchloom.builders.recipe import Recipe
from benchloom.loaders.directory import Build
from benchloom.loaders.verification import audit, verify
from benchloom.scripts.main import main

DRAGON = benchmark("dragon")


def recipe_of(work: Path, **options: Any) -> Recipe:
    limit = options.pop("limit", None)
    return Recipe.of("dragon", limit=limit, options={"review_dir": work, **options})


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Runs the command line in this process; exit status, stdout and stderr."""

    def run(*words: str | Path) -> tuple[int, str, str]:
        capsys.readouterr()
        status = main([str(word) for word in words])
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return run


def planned(work: Path, **options: Any) -> dict[str, dict[str, list[str]]]:
    """The ids of each config and split."""
    recipe = recipe_of(work, **options)
    return {
        config: {
            split: [record["id"] for record in of]
            for split, of in DRAGON.plan(recipe, config).items()
        }
        for config in DRAGON.offered(recipe)
    }


@pytest.fixture
def work(dragon_work: Path, tmp_path: Path) -> Path:
    """A copy of the working folder, to be changed; the copies of the sources are not copied."""
    return Path(shutil.copytree(dragon_work, tmp_path / "work"))


def pictures_of(work: Path) -> list[Path]:
    return sorted({item.item.path for item in read_work(work).items})


def test_configs_are_the_sources_in_their_order() -> None:
    assert tuple(SOURCES) == CONFIGS


def test_verified_records_are_the_test_split_and_the_rest_candidates(
    dragon_work: Path, dragon_build: Path
) -> None:
    built = Build(dragon_build)
    splits = {of: list(holds.splits) for of, holds in built.manifest.configs.items()}
    assert splits == {
        "ai2d": ["candidates"],
        "chartqa": ["test"],
        "infographics_vqa": ["candidates"],
        "mapiq": ["candidates"],
        "mapwise": ["test", "candidates"],
    }
    assert tuple(splits) == REVIEWED  # Circuit-VQA has no question here
    found = {record["id"]: record for of in built.splits() for _, record in built.records(*of)}
    items = read_work(dragon_work).items
    assert found.keys() == {item.id for item in items}
    maps = [item.id for item in items if item.item.source == "mapwise"]
    reasons = [found[name]["review"]["reason"] for name in maps[: len(REASONS) + 1]]
    assert reasons == [*REASONS, "proposed"]
    test = {name for _, one in built.records("mapwise", "test") for name in [one["id"]]}
    assert test == set(maps[:3])


def test_a_record_says_everything_but_the_picture(dragon_work: Path, dragon_build: Path) -> None:
    items = {item.id: item for item in read_work(dragon_work).items}
    (_, record) = next(Build(dragon_build).records("chartqa", "test"))
    item = items[record["id"]].item
    image = {name: vars(item.image)[name] for name in ("split", "file_name", "sha256")}
    assert record == {
        "id": f"chartqa-{item.split}-{item.question_id}",
        "source": "chartqa",
        "question_id": item.question_id,
        "question": item.question,
        "answer": item.answer,
        "choices": [],
        "image_ref": {**image, "width": 120, "height": 80},
        "evidence": [{**BOX, "origin": "drawn"}, {**OTHER, "origin": "drawn"}],
        "review": {"annotators": ["ada", "bob"], "status": "verified", "reason": "consensus"},
        "template_id": None,
    }


def test_it_loads_offline_with_the_declared_types(dragon_build: Path) -> None:
    whole = load_dataset(str(dragon_build))
    assert list(whole) == ["test", "candidates"]
    for split in whole:
        parts = [of for of in Build(dragon_build).splits() if of[1] == split]
        loaded = [load_dataset(str(dragon_build), of, split=split) for of, _ in parts]
        assert whole[split].num_rows == sum(part.num_rows for part in loaded)
        assert whole[split].features == DRAGON.features("mapwise")
        assert [one["id"] for part in loaded for one in part] == whole[split]["id"][:]
    # What datasets before version 4 can read: no `List`, and no `Sequence` of structs.
    (file,) = (dragon_build / "chartqa").iterdir()
    text = pq.read_schema(file).metadata[b"huggingface"].decode()
    declared = json.loads(text)["info"]["features"]
    assert isinstance(declared["evidence"], list)
    assert declared["choices"]["_type"] == "Sequence"
    assert '"List"' not in text
    # P5: a column of empty lists alone has its type.
    assert load_dataset(str(dragon_build), "mapiq")["candidates"].features == DRAGON.features("")


def traces(work: Path) -> dict[str, bytes]:
    """What would show that a picture is in a file: its bytes, some of them, or its pixels."""
    found = {}
    for path in sorted({item.item.path for item in read_work(work).items}):
        data = path.read_bytes()
        pixels = Image.open(path).convert("RGB").tobytes()
        middle = len(data) // 2
        found |= {
            f"{path}": data,
            f"part of {path}": data[middle : middle + 48],
            f"{path} in base64": base64.b64encode(data)[8:-8],
            f"pixels of {path}": pixels[: len(pixels) // 2],
        }
    return found


def pictures_in(folder: Path, work: Path) -> list[str]:
    """Which pictures are found in which file of a folder; parquet is searched unpacked, too."""
    contents = {}
    for path in folder.rglob("*"):
        if path.is_file():
            contents[path] = path.read_bytes()
        if path.suffix == ".parquet":
            rows = pq.read_table(path).to_pylist()
            contents[path] += json.dumps(rows, default=lambda data: data.hex()).encode()
    assert len(contents) > 5
    return [
        f"{what} in {path}"
        for what, data in traces(work).items()
        for path, content in contents.items()
        if data in content
    ]


def test_no_file_of_a_build_holds_a_picture(
    dragon_work: Path, dragon_build: Path, tmp_path: Path
) -> None:
    assert pictures_in(dragon_build, dragon_work) == []
    for path in dragon_build.rglob("*.parquet"):  # and no column could hold one
        leaves = pq.ParquetFile(path).schema
        kinds = {
            leaves.column(n).logical_type.type
            for n in range(len(leaves.names))
            if leaves.column(n).physical_type == "BYTE_ARRAY"
        }
        assert kinds == {"STRING"}
    (sheet,) = dragon_build.rglob("*.png")
    assert sheet.read_bytes() == draw_emblem()
    # The search finds a picture wherever it may be.
    leaky = Path(shutil.copytree(dragon_build, tmp_path / "leaky"))
    picture = read_work(dragon_work).items[0].item.path.read_bytes()
    with (leaky / "README.md").open("ab") as card:
        card.write(picture)
    pq.write_table(
        pa.table({"x": [base64.b64encode(picture).decode()]}), leaky / "mapwise" / "x.parquet"
    )
    found = {one.rpartition(" in ")[2] for one in pictures_in(leaky, dragon_work)}
    assert found == {str(leaky / "README.md"), str(leaky / "mapwise" / "x.parquet")}


def test_the_bytes_depend_neither_on_workers_nor_on_places(
    dragon_work: Path, dragon_build: Path, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "some where"
    shutil.copytree(dragon_work.parent, elsewhere, ignore=shutil.ignore_patterns("build"))
    work = elsewhere / "work"
    folders = {name: elsewhere / "copies" / name for name in REVIEWED}
    write_work(work, reversed(read_work(work).items), folders)  # nor on the order of items
    build(recipe_of(work), tmp_path / "again", jobs=2, quiet=True)
    files = [
        path.relative_to(dragon_build)
        for path in dragon_build.rglob("*")
        if path.is_file() and path.name != "checks.json"
    ]
    same, other, lost = filecmp.cmpfiles(dragon_build, tmp_path / "again", files, shallow=False)
    assert (len(same), other, lost) == (len(files), [], [])


def test_further_reviews_append_to_the_test_split(work: Path) -> None:
    before = planned(work)["mapwise"]
    newly = [before["candidates"][place] for place in (20, 4)]
    for day, name in zip((8, 9), newly, strict=True):
        decide(work, "bob", name, [OTHER], time=at(day))
        decide(work, "cleo", name, [OTHER], time=at(day))
    after = planned(work)["mapwise"]
    assert after["test"] == [*before["test"], *newly]
    assert after["candidates"] == [one for one in before["candidates"] if one not in newly]
    # Somebody who joins those who agree moves nothing, and neither does another source.
    decide(work, "dan", newly[0], [OTHER], time=at(20))
    items = read_work(work).items
    write_work(work, [one for one in items if one.item.source == "mapwise"], {})
    assert planned(work) == {"mapwise": after}


def test_a_majority_stands_when_the_second_of_its_people_decided(work: Path) -> None:
    first, second = planned(work)["mapwise"]["candidates"][10:12]
    for annotator, day, box in (("ada", 10, BOX), ("bob", 11, OTHER), ("cleo", 14, BOX)):
        decide(work, annotator, first, [box], time=at(day))
    for annotator, day in (("ada", 12), ("bob", 13)):
        decide(work, annotator, second, [BOX], time=at(day))
    assert planned(work)["mapwise"]["test"][-2:] == [second, first]


def test_what_changes_no_record_leaves_the_recipe_as_it_is(work: Path) -> None:
    before = recipe_of(work)
    name = planned(work)["mapwise"]["test"][1]
    marks = {"cvr": True, "cea": False}
    decide(work, "ada", name, [BOX], kind="marks", marks=marks)
    decide(work, "ada", name, [BOX, OTHER], kind="review-draft")
    assert recipe_of(work) == before
    decide(work, "ada", name, [OTHER], time=at(9))
    assert recipe_of(work) != before


def test_a_small_build_is_a_prefix(dragon_work: Path) -> None:
    whole, small = planned(dragon_work), planned(dragon_work, limit=2)
    assert small == {
        config: {split: ids[:2] for split, ids in of.items()} for config, of in whole.items()
    }


def test_people_s_boxes_are_one_from_the_threshold_up(work: Path) -> None:
    name = planned(work)["mapwise"]["candidates"][0]
    x, y, width, height = BOX["bbox"]
    decide(work, "ada", name, [BOX], time=at(5))
    decide(work, "bob", name, [{**BOX, "bbox": [x, y, width * 0.8, height]}], time=at(5))
    assert name in planned(work)["mapwise"]["candidates"]
    assert planned(work, match=0.8)["mapwise"]["test"][-1] == name
    assert name in planned(work, match=0.81)["mapwise"]["candidates"]
    assert recipe_of(work, match=0.8).options["match"] == 0.8
    assert recipe_of(work, match=0.9) == recipe_of(work)


def test_verify_needs_the_folder_as_it_was(
    dragon_work: Path, dragon_build: Path, work: Path
) -> None:
    counts: Counter[str] = Counter()
    built = Build(dragon_build)
    assert verify(built, None, 1, counts, dragon_work) == []
    assert counts["records"] == sum(built.rows(*of) for of in built.splits())
    decide(
        work, "zoe", planned(work)["mapwise"]["test"][1], [OTHER], kind="arbitration", time=at(9)
    )
    with pytest.raises(InputError, match=r"not what the build was made from.*--review-dir"):
        verify(built, None, 1, counts, work)


def test_audit_finds_nothing_in_a_build(dragon_build: Path) -> None:
    counts: Counter[str] = Counter()
    built = Build(dragon_build)
    assert audit(built, None, 1, counts) == []
    assert counts["records"] == 49


def change_box(*box: float) -> Callable[[dict[str, Any]], None]:
    return lambda record: record["evidence"][0].update(bbox=list(box))


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda one: one.update(source="ai2d"), "its source is ai2d, not mapwise"),
        (lambda one: one.update(id="mapwise-1"), "its id is not made of source, split"),
        (lambda one: one.update(question=" "), "its question is empty"),
        (lambda one: one.update(choices=["a", "b"]), "is none of the choices"),
        (lambda one: one["choices"].extend([one["answer"]] * 2), "is given 2 times"),
        (lambda one: one["image_ref"].update(sha256="ab"), "sha256 'ab' is none"),
        (lambda one: one["image_ref"].update(file_name="../a.png"), "can be no name of a file"),
        (lambda one: one["image_ref"].update(width=0), "has 0 × 80 pixels"),
        (lambda one: one["evidence"][1].update(id="d1"), "2 boxes are called d1"),
        (lambda one: one["evidence"][0].update(role="hint"), "the role of d1 is 'hint'"),
        (lambda one: one["evidence"][0].update(origin="guess"), "the origin of d1 is 'guess'"),
        (change_box(1, 2, 3), "the box d1 is [1, 2, 3]"),
        (change_box(1, 2, 3, float("nan")), "the box d1 is [1, 2, 3, nan]"),
        (change_box(100, 10, 20.01, 5), "not within the picture of 120 × 80"),
        (change_box(-0.01, 10, 20, 5), "not within the picture"),
        (change_box(10, 70, 20, 10.01), "not within the picture"),
        (change_box(10, 10, 20, 0), "has no area"),
        (change_box(10, 10, -1, 5), "has no area"),
        (lambda one: one["review"].update(annotators=["ada"]), "consensus of 1 is none"),
        (lambda one: one["review"].update(annotators=["ada", "ada"]), "ada reviewed it 2 times"),
        (lambda one: one["review"].update(reason="majority"), "majority of 2 is none"),
        (lambda one: one["review"].update(reason="proposed"), "for the reason 'proposed'"),
        (lambda one: one["review"].update(status="candidate"), "'candidate' for the reason"),
        (lambda one: one.update(evidence=[]), "it is verified without a box"),
    ],
)
def test_audit_finds_what_is_wrong_with_a_record(
    change: Callable[[dict[str, Any]], None], sentence: str, dragon_build: Path
) -> None:
    built = Build(dragon_build)
    records = (record for _, record in built.records("mapwise", "test"))
    record = next(one for one in records if one["review"]["reason"] == "consensus")
    assert DRAGON.audit(record, "mapwise", built.manifest.recipe) == []
    change(record)
    faults = DRAGON.audit(record, "mapwise", built.manifest.recipe)
    assert any(sentence in fault for fault in faults), faults


def test_audit_lets_a_source_s_line_be_a_candidate(dragon_build: Path) -> None:
    built = Build(dragon_build)
    (_, record) = next(built.records("mapwise", "candidates"))
    record["evidence"] = [{**BOX, "origin": "native", "bbox": [20.0, 40.0, 30.0, 0.0]}]
    assert DRAGON.audit(record, "mapwise", built.manifest.recipe) == []


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda of: of["id"].__setitem__(1, of["id"][0]), "stands 2 times"),
        (lambda of: of["review"][1].update(status="candidate"), "has no place in this split"),
        (
            lambda of: of["image_ref"][1].update({**of["image_ref"][0], "sha256": "00"}),
            "refers to another",
        ),
    ],
)
def test_audit_finds_what_is_wrong_with_a_split(
    change: Callable[[dict[str, Any]], None], sentence: str, dragon_build: Path
) -> None:
    columns = dict(Build(dragon_build).columns("mapwise", "test"))
    assert DRAGON.audit_split(columns, "mapwise", "test") == []
    change(columns)
    (fault,) = DRAGON.audit_split(columns, "mapwise", "test")
    assert sentence in fault


def test_statistics_stand_beside_table_1(dragon_build: Path) -> None:
    statistics = DRAGON.statistics(Build(dragon_build))
    tables = {table.name: table for table in statistics.tables()}
    rows = {row[0]: row[1:] for row in tables["composition"].texts()}
    assert rows["ChartQA"] == ["10 / 389", "7 / 207", "0", "0"]
    assert rows["MapWise"] == ["3 / 389", "1 / 205", "29", "16"]
    assert rows["Circuit-VQA"] == ["0 / 404", "0 / 223", "0", "0"]
    assert rows["Total"][:2] == ["13 / 2,445", "8 / 1,327"]
    boxes = {
        tuple(row[:2]): dict(zip(tables["boxes"].head, row, strict=True))
        for row in tables["boxes"].rows
    }
    charts = boxes["chartqa", "test"]
    assert (charts["boxes"], charts["answer"], charts["support"]) == (20, 10, 10)
    assert charts["area 5%"] == pytest.approx(20 * 20 / 9600)
    assert boxes["mapwise", "test"]["per record"] == pytest.approx(4 / 3)
    origins = {tuple(row[:2]): row for row in tables["origins"].rows}
    assert origins["chartqa", "test"][tables["origins"].head.index("drawn")] == 20
    reviews = {tuple(row[:2]): row[2:] for row in tables["reviews"].rows}
    assert reviews["mapwise", "test"][:3] == [1, 1, 1]
    assert sum(reviews["mapwise", "candidates"][:-1]) == 29
    assert [chart.name for chart in statistics.charts()] == ["evidence"]


def copies_of(work: Path) -> list[str]:
    return [f"{name}={work.parent / 'copies' / name}" for name in REVIEWED]


def test_a_picture_is_drawn_where_the_copy_is_at_hand(
    dragon_work: Path, dragon_build: Path
) -> None:
    (_, record) = next(Build(dragon_build).records("chartqa", "test"))
    with pytest.raises(InputError, match=r"hold no pictures; .* --images chartqa=FOLDER"):
        DRAGON.picture(record, "chartqa")
    with pytest.raises(InputError, match="no copy of chartqa is at hand"):
        DRAGON.with_pictures(copies_of(dragon_work)[:1]).picture(record, "chartqa")
    drawn = DRAGON.with_pictures(copies_of(dragon_work)).picture(record, "chartqa")
    image = Image.open(io.BytesIO(drawn))
    assert (image.size, image.mode) == ((120, 80), "RGB")
    # The frame is around the box: (10, 12, 30.5, 20.25) is the answer, (50, 40, 20, 20) supports.
    assert image.getpixel((9, 20)) == (0x12, 0x81, 0x3C)
    assert image.getpixel((49, 50)) == image.getpixel((70, 50)) == (0xD1, 0x24, 0x2F)
    assert image.getpixel((50, 50)) == (255, 255, 255)
    record["image_ref"]["sha256"] = "0" * 64
    with pytest.raises(InputError, match="is another file of the same size"):
        DRAGON.with_pictures(copies_of(dragon_work)).picture(record, "chartqa")


def test_a_page_shows_pictures_or_texts(
    dragon_work: Path, dragon_build: Path, command: Callable[..., tuple[int, str, str]]
) -> None:
    outside = dragon_build.parent / "build-preview.html"
    done = command("preview", dragon_build, "--images", dragon_work, "--records", "1")
    assert done == (0, f"6 records in {outside}\n", "")
    assert outside.read_text().count("data:image/png") == 6
    inside = dragon_build / "a.html"
    status, _, error = command("preview", dragon_build, "--images", dragon_work, "--to", inside)
    charts = copies_of(dragon_work)[1]
    command("preview", dragon_build, "--images", charts, "--to", outside, "--records", "1")
    assert outside.read_text().count("data:image/png") == 1
    assert "no copy of mapwise is at hand" in outside.read_text()
    assert status == 2
    assert "lies in the build, which must hold no picture" in error
    (_, record) = next(Build(dragon_build).records("chartqa", "test"))
    shown = DRAGON.preview(record, "chartqa")
    assert "image" not in shown
    assert shown["text"].endswith(f"{record['image_ref']['file_name']}\n120 × 80")
    assert shown["facts"]["answer d1"] == "here 10,12,30.5,20.25"
    assert not list(dragon_build.glob("*.html"))


def test_a_record_is_shown_as_text(dragon_build: Path) -> None:
    _, record = Build(dragon_build).find("mapiq-all-hexagons-96d879838f")
    assert DRAGON.show(record, "mapiq") == (
        "Which is darker, VT or RI?\n- VT\n- RI\n"
        "picture: mapiq/all/hexagons.png, 120 × 80 pixels\n\n"
        "[mapiq-all-hexagons-96d879838f: VT]"
    )


def test_there_is_no_folder_layout_to_export_to(
    dragon_build: Path, tmp_path: Path, command: Callable[..., tuple[int, str, str]]
) -> None:
    status, printed, error = command("export", dragon_build, "--to", tmp_path / "folders")
    assert (status, printed) == (2, "")
    assert error == "benchloom: dragon has no folder layout of its own to export ai2d to\n"
    assert list(tmp_path.iterdir()) == []


def test_the_command_says_what_counts_and_what_does_not(
    work: Path, command: Callable[..., tuple[int, str, str]]
) -> None:
    name = planned(work)["mapwise"]["test"][0]
    decide(work, "dan", name, [BOX], image_sha256="0" * 64)
    with (work / "reviews" / "eve.jsonl").open("w") as log:
        log.write('{"item": "torn')
    out = work.parent / "out"
    status, printed, error = command(
        "build", "dragon", "--review-dir", work, "--out", out, "--dry-run"
    )
    assert status == 0, error
    lines = printed.splitlines()
    assert lines[0].endswith("eve.jsonl: the last line, 14 bytes, was cut short by a crash")
    assert f"dan.jsonl: the review of {name} was made on another picture" in lines[1]
    assert "chartqa: 10 verified (consensus 10), 0 candidates" in lines
    assert f"49 records in 6 shards would go to {out}" in lines


def put_nan(work: Path) -> None:
    lines = (work / "items.jsonl").read_text().splitlines()
    box = {**BOX, "id": "p1", "origin": "native", "region": None, "bbox": [1, 2, float("nan"), 3]}
    lines[0] = json.dumps({**json.loads(lines[0]), "proposed": [box]})
    (work / "items.jsonl").write_text("\n".join(lines))


@pytest.mark.parametrize(
    ("change", "options", "configs", "sentence"),
    [
        (None, {"review_dir": None}, (), "name the working folder with --review-dir"),
        (None, {"style": "x"}, (), "dragon has no option 'style'"),
        (None, {"match": 0}, (), "--match takes a number above 0, at most 1, not 0"),
        (None, {"match": float("nan")}, (), "--match takes a number above 0"),
        (None, {"match": True}, (), "--match takes a number above 0"),
        (None, {}, ("circuit_vqa",), "holds no question of circuit_vqa, only of ai2d"),
        (lambda work: (work / "items.jsonl").unlink(), {}, (), "is no working folder"),
        (lambda work: (work / "items.jsonl").write_text(""), {}, (), "holds no question yet"),
        (put_nan, {}, (), "the box p1 is not made of numbers"),
        (
            lambda work: (work / "reviews" / "ada.jsonl").write_text("{}\n"),
            {},
            (),
            "ada.jsonl, line 1: an entry has no field 'item'",
        ),
    ],
)
def test_what_cannot_be_built_is_said_in_a_sentence(
    change: Callable[[Path], Any] | None,
    options: dict[str, Any],
    configs: tuple[str, ...],
    sentence: str,
    work: Path,
    tmp_path: Path,
) -> None:
    if change is not None:
        change(work)
    with pytest.raises(InputError) as caught:
        build(
            Recipe.of("dragon", options={"review_dir": work, **options}),
            tmp_path / "out",
            configs,
            quiet=True,
        )
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "out").exists()


def test_a_seed_is_refused(work: Path) -> None:
    recipe = Recipe.of("dragon", seed=1, options={"review_dir": work})
    with pytest.raises(InputError, match="nothing at random; leave out --seed"):
        DRAGON.offered(recipe)
