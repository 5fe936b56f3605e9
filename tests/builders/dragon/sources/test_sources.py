"""What every source has in common: order, identity, faults of images and files, wrong folders."""

import hashlib
import json
import shutil
import struct
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from dragon_fixtures import (
    CIRCUIT,
    HEIGHT,
    WIDTH,
    WRITERS,
    change_json,
    cut_short,
    draw_image,
    write_json,
)
from PIL import Image

from benchloom.builders.dragon.folder_check import check_folder
from benchloom.builders.dragon.item import Item
from benchloom.builders.dragon.sources import SOURCES, SourceReading, source
from benchloom.builders.errors import InputError

IMAGES = {
    "ai2d": ("images/7.png", 2),
    "chartqa": ("val/png/bars.png", 2),
    "circuit_vqa": (f"train/{CIRCUIT}.jpg", 2),
    "infographics_vqa": ("infographicsvqa_images/101.jpeg", 1),
    "mapiq": ("maps/circles.png", 1),
    "mapwise": ("india/images/hatched/map97_8D.png", 2),
}
"""An image of each source, and how many questions are about it."""


@pytest.fixture(params=WRITERS)
def name(request: pytest.FixtureRequest) -> str:
    """Each source in turn."""
    return str(request.param)


@pytest.fixture(scope="module")
def whole_copies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a whole copy of each source, not to be changed."""
    folder = tmp_path_factory.mktemp("whole")
    for name, write in WRITERS.items():
        write(folder / name / "copy")
    return folder


@pytest.fixture
def whole(name: str, whole_copies: Path) -> Path:
    """A whole copy of the source, not to be changed."""
    return whole_copies / name / "copy"


@pytest.fixture
def copy(whole: Path, tmp_path: Path) -> Path:
    """A whole copy of the source, to be changed."""
    return Path(shutil.copytree(whole, tmp_path / "copy"))


def ids(reading: SourceReading) -> list[str]:
    return [item.id for item in reading.items]


def test_every_source_has_a_fixture() -> None:
    assert sorted(WRITERS) == sorted(SOURCES) == sorted(IMAGES)
    assert all(SOURCES[name].name == name for name in SOURCES)


def test_papers_counts_add_up() -> None:
    assert sum(of.paper_questions for of in SOURCES.values()) == 2445
    assert sum(of.paper_images for of in SOURCES.values()) == 1327


def test_whole_copy_has_no_faults(name: str, whole: Path) -> None:
    reading = source(name).read(whole)
    assert reading.items
    assert reading.faults == ()
    assert len(set(ids(reading))) == len(reading.items)
    for item in reading.items:
        assert item.id == f"{name}-{item.split}-{item.question_id}"
        assert item.question
        assert item.answer
        assert not item.choices or item.answer in item.choices


def test_image_is_identified_by_its_bytes(name: str, whole: Path) -> None:
    of = source(name)
    for item in of.read(whole).items:
        assert item.image.sha256 == hashlib.sha256(item.path.read_bytes()).hexdigest()
        assert (item.image.split, item.image.file_name) == (
            item.image_file.split,
            item.image_file.file_name,
        )
        assert of.find_image(whole, item.image.split, item.image.file_name) == item.path
        with Image.open(item.path) as image:
            assert (item.image.width, item.image.height) == image.size


def test_image_is_hashed_only_when_asked_for(name: str, copy: Path) -> None:
    item, *_ = source(name).read(copy).items
    item.path.unlink()
    with pytest.raises(InputError, match="cannot be read"):
        _ = item.image


def test_items_survive_json(name: str, whole: Path) -> None:
    for item in source(name).read(whole).items:
        again = Item.from_json(json.loads(json.dumps(item.to_json(), allow_nan=False)), item.path)
        assert again.to_json() == item.to_json()
        assert again.image == item.image


def test_order_does_not_depend_on_the_disk(
    name: str, whole: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = ids(source(name).read(whole))
    listed = Path.iterdir
    monkeypatch.setattr(Path, "iterdir", lambda path: iter(sorted(listed(path), reverse=True)))
    found = Path.glob
    monkeypatch.setattr(
        Path, "glob", lambda path, pattern: iter(sorted(found(path, pattern), reverse=True))
    )
    assert ids(source(name).read(whole)) == expected


def test_ids_do_not_depend_on_what_else_is_there(name: str, copy: Path) -> None:
    before = set(ids(source(name).read(copy)))
    image, questions = IMAGES[name]
    (copy / image).unlink()
    after = set(ids(source(name).read(copy)))
    assert after < before
    assert len(before - after) == questions


def test_folder_with_the_copy_in_it_will_do(name: str, whole: Path) -> None:
    reading = source(name).read(whole.parent)
    assert reading.root == whole
    assert reading.items


def test_several_copies_are_told_apart(name: str, copy: Path) -> None:
    shutil.copytree(copy, copy.with_name("second"))
    with pytest.raises(InputError, match="copy, second"):
        source(name).read(copy.parent)


@pytest.mark.parametrize("kind", ["no folder", "file", "empty", "another source"])
def test_what_is_no_such_source_is_refused(name: str, kind: str, tmp_path: Path) -> None:
    folder = tmp_path / "given"
    if kind == "file":
        folder.write_text("x")
    elif kind == "empty":
        folder.mkdir()
    elif kind == "another source":
        WRITERS["ai2d" if name != "ai2d" else "mapwise"](folder)
    with pytest.raises(InputError, match="given is no"):
        source(name).read(folder)


def test_unknown_source_lists_those_that_exist() -> None:
    with pytest.raises(InputError, match="ai2d, chartqa, circuit_vqa, infographics_vqa, mapiq"):
        source("docvqa")


def spoil_by_removing(path: Path) -> None:
    path.unlink()


def spoil_by_text(path: Path) -> None:
    path.write_text("<html>not found</html>")


def spoil_by_emptying(path: Path) -> None:
    path.write_bytes(b"")


def spoil_by_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


SPOILED: tuple[tuple[Callable[[Path], None], str, str], ...] = (
    (spoil_by_removing, "missing", "the image is missing"),
    (spoil_by_text, "damaged", "no image that can be decoded"),
    (spoil_by_emptying, "damaged", "no image that can be decoded"),
    (spoil_by_folder, "damaged", "cannot be decoded"),
)


@pytest.mark.parametrize(("spoil", "kind", "reason"), SPOILED)
def test_image_that_cannot_be_had_is_listed_once(
    name: str, copy: Path, spoil: Callable[[Path], None], kind: str, reason: str
) -> None:
    before = source(name).read(copy)
    image, questions = IMAGES[name]
    spoil(copy / image)
    reading = source(name).read(copy)
    (fault,) = reading.faults
    # InfographicsVQA says where it would lie at the top: it is in none of the folders.
    where = Path(image).name if name == "infographics_vqa" and kind == "missing" else image
    if name == "infographics_vqa" and spoil is spoil_by_folder:
        where, kind, reason = Path(image).name, "missing", "the image is missing"
    assert (fault.kind, fault.where, fault.questions) == (kind, where, questions)
    assert reason in fault.reason
    assert ids(reading) == [item.id for item in before.items if item.path != copy / image]


def test_image_that_is_cut_short_is_found_by_the_check(name: str, copy: Path) -> None:
    image, questions = IMAGES[name]
    whole = check_folder(source(name), copy, quiet=True)
    assert whole.faults == ()
    cut_short(copy / image, keep=0.7)
    check = check_folder(source(name), copy, quiet=True)
    (fault,) = check.faults
    assert (fault.kind, fault.where, fault.questions) == ("damaged", image, questions)
    assert (check.questions, check.images) == (whole.questions - questions, whole.images - 1)


@pytest.mark.parametrize("mode", ["1", "L", "P", "RGB", "RGBA", "LA", "I;16", "CMYK"])
def test_images_of_any_mode_are_read(name: str, copy: Path, mode: str) -> None:
    image, _ = IMAGES[name]
    ending = Path(image).suffix
    size = (WIDTH, HEIGHT)
    if ending == ".png" and mode != "CMYK":
        draw_image(copy / image, "L" if mode == "I;16" else mode, size)
        if mode == "I;16":
            Image.new("I;16", size).save(copy / image)
    elif ending != ".png" and mode in {"1", "L", "RGB", "CMYK"}:
        draw_image(copy / image, mode, size)
    else:  # a file whose ending lies, as downloads have them
        draw_image(copy / "drawn.tiff", "RGBA", size)
        (copy / "drawn.tiff").replace(copy / image)
    check = check_folder(source(name), copy, quiet=True)
    assert check.faults == ()
    found = [item for item in source(name).read(copy).items if item.path == copy / image]
    assert {(item.image.width, item.image.height) for item in found} == {size}


def test_wide_image_is_read_without_a_warning(
    tmp_path: Path, recwarn: pytest.WarningsRecorder
) -> None:
    copy = WRITERS["ai2d"](tmp_path)
    Image.new("1", (20_000, 100)).save(copy / "images" / "7.png")
    write_png_head(copy / "images" / "10.png", 20_000, 4_600)  # over Pillow's limit to warn
    reading = source("ai2d").read(copy)
    assert reading.faults == ()
    assert {item.image.width for item in reading.items} == {20_000}
    assert not recwarn.list
    (copy / "images" / "10.png").unlink()
    check = check_folder(source("ai2d"), copy, quiet=True)
    assert [fault.where for fault in check.faults] == ["images/10.png"]
    assert not recwarn.list


def test_image_too_large_to_decode_is_listed(tmp_path: Path) -> None:
    copy = WRITERS["ai2d"](tmp_path)
    write_png_head(copy / "images" / "7.png", 20_000, 30_000)
    (fault,) = source("ai2d").read(copy).faults
    assert (fault.kind, fault.questions) == ("damaged", 2)
    assert fault.reason == (
        "the image has 20,000 × 30,000 pixels, more than the 400 million that are read; "
        "make a smaller copy of it"
    )


def write_png_head(path: Path, width: int, height: int) -> None:
    """Writes as much of a PNG as tells its size."""
    data = b"\x89PNG\r\n\x1a\n"
    for kind, body in (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)),
        (b"IDAT", b""),
    ):
        data += struct.pack(">I", len(body)) + kind + body
        data += struct.pack(">I", zlib.crc32(kind + body))
    path.write_bytes(data)


FILES = {
    "ai2d": ("questions/7.png.json", "annotations/7.png.json", "categories.json"),
    "chartqa": ("val/val_human.json", "val/annotations/pie.json"),
    "circuit_vqa": ("master.json", "class_dict.json"),
    "infographics_vqa": (
        "infographicVQA_train_v1.0.json",
        "infographicsVQA_test_v1.0.json",
        "infographicsvqa_ocr/101.json",
    ),
    "mapiq": (),
    "mapwise": (
        "usa/json_data/hatched.json",
        "india/metadata/map97_8D.json",
        "counter_factuals/imaginary/json_data/data.json",
    ),
}
DAMAGE: dict[str, tuple[str, bytes]] = {
    "cut short": ("no JSON from line 1 on", b'{"a": [1, 2'),
    "empty": ("no JSON from line 1 on", b""),
    "Latin-1": ("no UTF-8 text", '{"a": "é"}'.encode("latin-1")),
    "a text": ("holds no JSON that is", b'"a"'),
    "null": ("holds no JSON that is", b"null"),
    "a deep nest": ("cannot be read", b"[" * 200_000),
    "a long number": ("cannot be read", b"[" + b"9" * 5_000 + b"]"),
}


@pytest.mark.parametrize(
    ("name", "file"), [(name, file) for name, files in FILES.items() for file in files]
)
def test_damaged_json_does_not_stop_the_rest(name: str, file: str, copy: Path) -> None:
    before = ids(source(name).read(copy))
    for reason, data in DAMAGE.values():
        (copy / file).write_bytes(data)
        reading = source(name).read(copy)
        (fault,) = (fault for fault in reading.faults if fault.where == file)
        assert reason in fault.reason
        assert set(ids(reading)) <= set(before)
        assert reading.items or file == "master.json"


def test_json_with_a_byte_order_mark_is_read(name: str, copy: Path) -> None:
    expected = ids(source(name).read(copy))
    for path in copy.rglob("*.json"):
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    if name == "mapiq":
        (copy / "mapiq.json").write_bytes((copy / "mapiq.json").read_bytes()[3:])
    assert ids(source(name).read(copy)) == expected


@pytest.mark.parametrize(
    "image", ["../../etc/passwd.png", "/etc/passwd.png", "a\0.png", "..", "", "a\\b.png", "x" * 300]
)
def test_names_that_leave_the_folder_are_listed(image: str, tmp_path: Path) -> None:
    copy = WRITERS["chartqa"](tmp_path)
    whole = source("chartqa").read(copy)
    record = {"imgname": image, "query": "What?", "label": "1"}
    change_json(copy / "val" / "val_human.json", lambda records: records.append(record))
    reading = source("chartqa").read(copy)
    assert ids(reading) == ids(whole)
    assert sum(fault.questions for fault in reading.faults) == 1


def test_half_a_surrogate_pair_can_be_written(tmp_path: Path) -> None:
    copy = WRITERS["chartqa"](tmp_path)
    record = {"imgname": "bars.png", "query": "What \ud83d?", "label": "\udc00"}
    change_json(copy / "val" / "val_human.json", lambda records: records.append(record))
    for item in source("chartqa").read(copy).items:
        json.dumps(item.to_json(), ensure_ascii=False).encode()


def test_question_given_twice_is_kept_once_and_noted(tmp_path: Path) -> None:
    copy = WRITERS["chartqa"](tmp_path)
    expected = ids(source("chartqa").read(copy))
    change_json(copy / "val" / "val_human.json", lambda records: records.append(records[0]))
    reading = source("chartqa").read(copy)
    assert ids(reading) == expected
    assert reading.faults == ()
    assert "1 question given a second time, word for word: left out" in reading.notes


def test_other_answer_to_the_same_question_is_another_item(tmp_path: Path) -> None:
    copy = WRITERS["chartqa"](tmp_path)
    before = len(source("chartqa").read(copy).items)
    record = {"imgname": "bars.png", "query": "What was grown in 2010?", "label": "13"}
    change_json(copy / "val" / "val_human.json", lambda records: records.append(record))
    reading = source("chartqa").read(copy)
    assert len(set(ids(reading))) == before + 1


def test_records_of_no_shape_at_all_are_listed(tmp_path: Path) -> None:
    strange = [None, 3, "x", [], {}, {"imgname": None, "query": 1, "label": {}}, [[]], True]
    copy = WRITERS["chartqa"](tmp_path)
    expected = ids(source("chartqa").read(copy))
    change_json(copy / "val" / "val_human.json", lambda records: records.extend(strange))
    reading = source("chartqa").read(copy)
    assert ids(reading) == expected
    assert len(reading.faults) == len(strange)
    assert "record 3 has no imgname" in reading.faults[0].reason


@pytest.mark.parametrize("name", [name for name in WRITERS if name != "mapiq"])
def test_json_of_any_shape_is_survived(name: str, copy: Path) -> None:
    before = set(ids(source(name).read(copy)))
    for path in [copy / file for file in FILES[name]]:
        kept = path.read_bytes()
        for strange in (None, 3, "x", [], {}, [None], {"text": 3}, {"data": [3]}, [{}]):
            write_json(path, strange)
            assert set(ids(source(name).read(copy))) <= before
        path.write_bytes(kept)
