"""`benchloom dragon check`: what it prints, and its exit status."""

import argparse
import json
from pathlib import Path

import pytest
from dragon_fixtures import WRITERS, cut_short, write_ai2d, write_chartqa

from benchloom.builders.dragon.sources import SOURCES
from benchloom.builders.errors import InputError
from benchloom.scripts import dragon_check


def run(*words: str | Path) -> int:
    """Runs the sub-command alone."""
    parser = argparse.ArgumentParser()
    dragon_check.add_parser(parser.add_subparsers())
    arguments = parser.parse_args(["check", *map(str, words)])
    return int(arguments.run(arguments))


@pytest.mark.parametrize("name", WRITERS)
def test_whole_copy_is_good(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    WRITERS[name](tmp_path)
    assert run(name, tmp_path) == 0
    printed = capsys.readouterr().out
    assert printed.startswith(f"{SOURCES[name].title} in {tmp_path}\n")
    assert printed.endswith("nothing is missing or damaged\n")


def test_table_stands_beside_the_paper(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_ai2d(tmp_path)
    run("ai2d", tmp_path)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split() for line in lines[2:7]] == [
        ["questions", "images", "native", "boxes"],
        ["-" * 6, "-" * 9, "-" * 6, "-" * 12],
        ["all", "3", "2", "12"],
        ["in", "all", "3", "2", "12"],
        ["paper", "483", "303"],
    ]
    assert "note: questions: 1 of 3 files hold none" in lines


def test_faults_are_listed_with_status_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_chartqa(tmp_path)
    (tmp_path / "val" / "png" / "pie.png").unlink()
    (tmp_path / "train" / "annotations" / "bars.json").write_text("{")
    cut_short(tmp_path / "test" / "png" / "line.png", keep=0.8)
    assert run("chartqa", tmp_path) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[-4:-2] == [
        "train/annotations/bars.json: no JSON from line 1 on; without it there are no boxes",
        "val/png/pie.png: the image is missing; 1 question left out",
    ]
    assert lines[-2].startswith("test/png/line.png: the image cannot be decoded (")
    assert lines[-1] == "3 faults found"
    assert run("chartqa", tmp_path, "--most", "1") == 1
    assert "... and 2 more (--most 0 prints all)" in capsys.readouterr().out


def test_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_ai2d(tmp_path)
    assert run("ai2d", tmp_path, "--json") == 0
    whole = json.loads(capsys.readouterr().out)
    assert whole == {
        "source": "ai2d",
        "folder": str(tmp_path),
        "questions": {"found": 3, "paper": 483},
        "images": {"found": 2, "paper": 303},
        "splits": [{"split": "all", "questions": 3, "images": 2, "regions": 12}],
        "faults": [],
        "notes": ["questions: 1 of 3 files hold none", "images: 1 image has no question"],
    }
    (tmp_path / "images" / "7.png").unlink()
    assert run("ai2d", tmp_path, "--json") == 1
    lacking = json.loads(capsys.readouterr().out)
    assert lacking["questions"]["found"] == 1
    assert lacking["faults"] == [
        {
            "kind": "missing",
            "where": "images/7.png",
            "reason": "the image is missing",
            "questions": 2,
        }
    ]


def test_help_names_every_source() -> None:
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers()
    dragon_check.add_parser(commands)
    words = " ".join(commands.choices["check"].format_help().split())
    assert "ai2d, chartqa, circuit_vqa, infographics_vqa, mapiq or mapwise" in words
    assert sorted(SOURCES) == [
        "ai2d",
        "chartqa",
        "circuit_vqa",
        "infographics_vqa",
        "mapiq",
        "mapwise",
    ]


def test_what_is_no_source_is_the_users_input(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is no copy of AI2D, which holds the folders images"):
        run("ai2d", tmp_path)
    with pytest.raises(InputError, match="there is no source 'docvqa'; choose from ai2d"):
        run("docvqa", tmp_path)
