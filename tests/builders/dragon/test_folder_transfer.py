"""Folders of images: the same bytes for any number of workers, and nothing stops the rest."""

import json
import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import numpy as np
import pytest
from PIL import Image

from benchloom.builders.dragon.drawn_maps import DrawnMap, Look, draw_map
from benchloom.builders.dragon.folder_transfer import list_images, transfer_folder
from benchloom.builders.dragon.template_formats import read_templates
from benchloom.builders.dragon.template_images import ImageFinder
from benchloom.builders.dragon.templates import Template, write_templates
from benchloom.builders.dragon.transfers import Transfer, read_transfers, write_transfers
from benchloom.builders.errors import InputError
from benchloom.scripts.main import main

RunCli = Callable[..., "CompletedProcess[str]"]
SMALL: dict[str, Any] = {
    "width": 560, "height": 340, "scale": 0.5, "left": 50.0, "top": 50.0, "legend_left": 460,
}  # fmt: skip
NAMES = ["a/blank.png", "a/moved.png", "b.jpg", "damaged.png", "drawn.png", "empty.webp"]


def drawn(**look: Any) -> DrawnMap:
    return draw_map(1, Look(**{**SMALL, **look}))


@pytest.fixture(scope="module")
def maps(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder `images` with good and bad images, and a file of templates. Not to be changed."""
    folder = tmp_path_factory.mktemp("maps")
    images = folder / "images"
    (images / "a").mkdir(parents=True)
    (images / ".hidden").mkdir()
    (images / "drawn.png").write_bytes(drawn().png())
    (images / "a/moved.png").write_bytes(drawn(left=62.5, top=64, colours=4).png())
    Image.fromarray(drawn(top=60, labels=False, colours=2).image[:, :, ::-1]).save(
        images / "b.jpg", quality=95
    )
    Image.new("RGBA", (300, 200)).save(images / "a/blank.png")
    (images / "damaged.png").write_bytes(drawn().png()[:3000])
    (images / "empty.webp").touch()
    (images / "notes.txt").write_text("no image")
    (images / "._drawn.png").write_text("no image")
    (images / ".hidden/drawn.png").write_bytes(drawn().png())
    write_templates(folder / "templates.json", [drawn().template("drawn")])
    return folder


def templates_in(folder: Path) -> list[tuple[Template, Path]]:
    file = folder / "templates.json"
    finder = ImageFinder(file, folder / "images", list_images(folder / "images"))
    return [finder.identify(template) for template in read_templates(file, finder)]


def transferred(folder: Path, jobs: int = 1, overlay: Path | None = None) -> list[Transfer]:
    images = folder / "images"
    names = list_images(images)
    return list(
        transfer_folder("drawn", images, names, templates_in(folder), "auto", jobs, overlay)
    )


@pytest.fixture(scope="module")
def results(maps: Path) -> list[Transfer]:
    return transferred(maps)


def test_images_are_listed(maps: Path, tmp_path: Path) -> None:
    assert list_images(maps / "images") == NAMES
    with pytest.raises(InputError, match="holds no image"):
        list_images(tmp_path)
    with pytest.raises(InputError, match="is no folder"):
        list_images(tmp_path / "gone")


def test_bad_images_do_not_stop_the_rest(results: list[Transfer]) -> None:
    done = {one.file_name: one for one in results}
    assert list(done) == NAMES
    assert {name: one.status for name, one in done.items()} == {
        "a/blank.png": "flagged",
        "a/moved.png": "placed",
        "b.jpg": "placed",
        "damaged.png": "unreadable",
        "drawn.png": "placed",
        "empty.webp": "unreadable",
    }
    assert "cannot be decoded" in done["damaged.png"].reason
    assert len(done["damaged.png"].sha256) == 64
    assert done["damaged.png"].regions == ()
    assert "no image that can be decoded" in done["empty.webp"].reason
    for name, look in (("a/moved.png", {"left": 62.5, "top": 64}), ("b.jpg", {"top": 60})):
        true = drawn(**look).regions
        for region in done[name].regions:
            if region.anchor == "map":
                assert region.bbox == pytest.approx(true[region.id], abs=1)


def test_same_bytes_for_one_and_two_workers_and_three_runs(maps: Path, tmp_path: Path) -> None:
    contents = []
    for run, jobs in enumerate((1, 2, 2)):
        path = tmp_path / f"{run}.jsonl"
        done = transferred(maps, jobs, tmp_path / f"overlays-{run}")
        write_transfers(path, done)
        contents.append(path.read_bytes())
        again = tmp_path / "again.jsonl"
        write_transfers(again, read_transfers(path))
        assert again.read_bytes() == contents[-1]
    assert contents[0] == contents[1] == contents[2]
    drawings = [
        {
            path.relative_to(tmp_path / f"overlays-{run}").as_posix(): path.read_bytes()
            for path in (tmp_path / f"overlays-{run}").rglob("*.png")
        }
        for run in range(3)
    ]
    assert sorted(drawings[0]) == [
        "a/blank.png.png", "a/moved.png.png", "b.jpg.png", "drawn.png.png",
    ]  # fmt: skip
    assert drawings[0] == drawings[1] == drawings[2]


def test_overlays_show_the_boxes(maps: Path, tmp_path: Path) -> None:
    done = {one.file_name: one for one in transferred(maps, overlay=tmp_path)}
    before = np.asarray(Image.open(maps / "images/a/moved.png").convert("RGB"))
    after = np.asarray(Image.open(tmp_path / "a/moved.png.png").convert("RGB"))
    assert after.shape[0] > before.shape[0]  # a line of words is below the image
    for region in done["a/moved.png"].regions:
        x, y, width, height = region.bbox
        colour = after[round(y + height) - 1, round(x + width / 2)].tolist()
        assert colour == ([230, 80, 0] if region.needs_redraw else [0, 100, 160]), region.id


@pytest.mark.parametrize("line", ["", "7", "{}", "not json", '{"source": 1}'])
def test_damaged_lines_are_named(results: list[Transfer], tmp_path: Path, line: str) -> None:
    path = tmp_path / "regions.jsonl"
    write_transfers(path, results[:1])
    path.write_text(path.read_text() + line + "\n")
    with pytest.raises(InputError, match=r"regions.jsonl, line 2: is no line of"):
        read_transfers(path)
    with pytest.raises(InputError, match="cannot be read"):
        read_transfers(tmp_path / "gone.jsonl")


def test_command(maps: Path, run_cli: RunCli, tmp_path: Path) -> None:
    out = tmp_path / "work" / "regions.jsonl"
    words = [
        "dragon", "transfer", "--source", "mapwise", "--images", maps / "images",
        "--template", f"{maps / 'templates.json'}#drawn", "--out", out, "--jobs", "1",
    ]  # fmt: skip
    done = run_cli(*words, "--overlay", tmp_path / "overlays")
    assert done.returncode == 1, done.stderr
    assert "flagged: a/blank.png: 0 keypoints match; 24 are needed" in done.stdout
    assert "unreadable: damaged.png: it cannot be decoded" in done.stdout
    assert "3 of 6 images placed, 1 flagged, 2 unreadable" in done.stdout
    assert len(list((tmp_path / "overlays").rglob("*.png"))) == 4
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert [line["file_name"] for line in lines] == NAMES
    assert {line["source"] for line in lines} == {"mapwise"}
    again = run_cli(*words, "--method", "paper")
    assert again.returncode == 1
    assert {line.method for line in read_transfers(out)} == {"paper"}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"--source": "nobody"}, "there is no source 'nobody'"),
        ({"--images": "gone"}, "gone is no folder"),
        ({"--template": "gone.json"}, "gone.json: cannot be read"),
        ({"--template": "{maps}/templates.json#moon"}, "no template 'moon'; choose from drawn"),
        ({"--template": "{maps}/images/notes.txt"}, "is no JSON"),
        ({"--template": "{tmp}/two.json"}, "two templates have the id 'drawn'"),
        ({"--template": "{tmp}/other.json"}, "SHA-256 is another"),
        ({"--out": "{maps}/images"}, "is a folder; name a file"),
        ({"--overlay": "{maps}/images/overlays"}, "lies in the folder of images"),
        ({"--overlay": "{maps}/templates.json"}, "is no folder"),
        ({"--jobs": "0"}, "must be a whole number from 1 up"),
        ({"--method": "guess"}, "invalid choice"),
    ],
)
def test_bad_input_is_one_sentence(
    maps: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    changes: dict[str, str],
    words: str,
) -> None:
    drawing = drawn().template("drawn")
    two = {"templates": 2 * [drawing.to_json()]}
    (tmp_path / "two.json").write_text(json.dumps(two))
    other = drawing.to_json()
    other["image"]["sha256"] = "0" * 64
    (tmp_path / "other.json").write_text(json.dumps({"templates": [other]}))
    options = {
        "--source": "mapwise",
        "--images": "{maps}/images",
        "--template": "{maps}/templates.json",
        "--out": "{tmp}/out.jsonl",
        "--jobs": "1",
    }
    arguments = [
        word.format(maps=maps, tmp=tmp_path)
        for pair in {**options, **changes}.items()
        for word in pair
    ]
    try:
        status: Any = main(["dragon", "transfer", *arguments])
    except SystemExit as end:
        status = end.code
    errors = capsys.readouterr().err
    assert status == 2
    assert words in errors
    assert errors.count("\n") == 1
    assert not (tmp_path / "out.jsonl").exists()


def test_labels_of_several_regions_are_told(
    maps: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    template = drawn().template("drawn").to_json()
    for region in template["regions"][1:3]:
        region["label"] = template["regions"][0]["label"]
    first, second, third = (region["id"] for region in template["regions"][:3])
    (maps / "twice.json").write_text(json.dumps({"templates": [template]}))
    words = ["--images", str(maps / "images"), "--template", str(maps / "twice.json")]
    words += ["--source", "mapwise", "--out", str(tmp_path / "out.jsonl"), "--jobs", "1"]
    main(["dragon", "transfer", *words])
    assert (
        f"note: template 'drawn': 3 regions are called {first!r} ({first}, {second}, {third})"
        in capsys.readouterr().err
    )


def test_links_to_nowhere_and_pipes_are_listed_as_unreadable(maps: Path, tmp_path: Path) -> None:
    folder = tmp_path / "maps"
    shutil.copytree(maps, folder)
    (folder / "images" / "lost.png").symlink_to(tmp_path / "gone.png")
    os.mkfifo(folder / "images" / "pipe.png")
    done = {one.file_name: one for one in transferred(folder)}
    assert [done[name].status for name in ("lost.png", "pipe.png")] == ["unreadable"] * 2
    assert done["pipe.png"].reason == "it is no file"
    assert done["lost.png"].reason == "No such file or directory"


def test_folders_may_be_relative_and_names_be_there_twice(
    maps: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "maps"
    shutil.copytree(maps, folder)
    shutil.copy(folder / "images" / "drawn.png", folder / "images" / "a" / "drawn.png")
    template = drawn().template("drawn").to_json()
    template["image"]["file_name"] = "images/drawn.png"
    (folder / "templates.json").write_text(json.dumps({"templates": [template]}))
    monkeypatch.chdir(tmp_path)
    words = ["--images", "maps/images", "--template", "maps/templates.json", "--out", "out.jsonl"]
    assert main(["dragon", "transfer", "--source", "mapwise", *words, "--jobs", "1"]) == 1
    placed = [one.file_name for one in read_transfers(Path("out.jsonl")) if one.status == "placed"]
    assert {"drawn.png", "a/drawn.png"} <= set(placed)


def test_a_template_without_its_image_does_not_stop_the_others(
    maps: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    here = drawn().template("drawn")
    gone = replace(here, id="gone", image=replace(here.image, file_name="gone.png", sha256=""))
    images = tmp_path / "images"
    images.mkdir()
    (images / "drawn.png").write_bytes(drawn().png())
    (images / here.image.file_name).write_bytes(drawn().png())
    for templates, status in (([gone, here], 0), ([gone], 2)):
        write_templates(tmp_path / "t.json", templates)
        words = ["--template", str(tmp_path / "t.json"), "--out", str(tmp_path / "out.jsonl")]
        words += ["--source", "mapwise", "--images", str(images), "--jobs", "1"]
        assert main(["dragon", "transfer", *words]) == status
        said = capsys.readouterr().err
        assert "the template's image gone.png is neither beside the file nor in" in said
        assert ("; it is left out" in said) == (status == 0)
