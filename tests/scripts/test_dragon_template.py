import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from benchloom.builders.dragon.template_file import open_file
from benchloom.scripts.main import main

REGION = {"id": "a", "label": "a", "bbox": [1, 2, 3, 4], "anchor": "map"}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two images and a file with a template on the first."""
    monkeypatch.chdir(tmp_path)
    for name, colour in (("one.png", "white"), ("two.png", "black")):
        Image.new("RGB", (50, 40), colour).save(tmp_path / name)
    image = {"file_name": "one.png", "sha256": "ab" * 32, "width": 50, "height": 40}
    template = {"id": "one", "image": image, "regions": [REGION]}
    (tmp_path / "templates.json").write_text(json.dumps({"templates": [template]}))
    (tmp_path / "coco.json").write_text('{"images": [], "annotations": []}')
    return tmp_path


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("gone.png", "--out", "x.json"), "gone.png: the image is missing"),
        (("coco.json", "--out", "x.json"), "coco.json: this is no image that can be decoded"),
        (("two.png", "--out", "coco.json"), "coco.json: is no file of templates"),
        (("two.png", "--out", "."), "is a folder; name a file in it"),
        (("two.png", "--out", "templates.json", "--name", "one"), "drawn on another image"),
        (("two.png", "--out", "x.json", "--name", "a#b"), "choose another --name"),
        (("two.png", "--out", "x.json", "--port", "70000"), "choose another --port"),
    ],
)
def test_bad_input_is_one_sentence(
    folder: Path, words: Any, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = (folder / "templates.json").read_bytes()
    assert main(["dragon", "template", *words]) == 2
    faults = capsys.readouterr().err
    assert said in faults
    assert len(faults.splitlines()) == 1
    assert (folder / "templates.json").read_bytes() == before
    assert not (folder / "x.json").exists()


def test_second_session_on_a_file_is_refused(folder: Path) -> None:
    with open_file(folder / "templates.json"):
        command = ["dragon", "template", "two.png", "--out", "templates.json", "--port", "0"]
        done = subprocess.run(
            [sys.executable, "-m", "benchloom.scripts.main", *command],
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    assert "templates.json: another session writes to it" in done.stderr


def test_ctrl_c_ends_it_well(folder: Path) -> None:
    command = ["dragon", "template", "two.png", "--out", "new.json", "--port", "0"]
    process = subprocess.Popen(
        [sys.executable, "-m", "benchloom.scripts.main", *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "template 'two' of new.json: 0 regions\n"
    assert re.search(r"http://127\.0\.0\.1:\d+/", process.stdout.readline())
    os.kill(process.pid, signal.SIGINT)
    said, faults = process.communicate(timeout=20)
    assert (process.returncode, faults) == (0, "")
    assert said.strip() == "template 'two' of new.json: 0 regions"
    assert not (folder / "new.json").exists()
