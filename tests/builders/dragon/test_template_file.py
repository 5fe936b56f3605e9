"""A file of templates: one is put into it, the others stay."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchloom.builders.dragon.template_file import TemplateFile, open_file
from benchloom.builders.dragon.templates import Template, TemplateImage, TemplateRegion
from benchloom.builders.errors import InputError

IMAGE = TemplateImage("map.png", "ab" * 32, 100, 80)
ONE = Template("one", IMAGE, (TemplateRegion("a", "Ravia", (1, 2, 30, 40), aliases=("RV",)),))


def other(**more: Any) -> dict[str, Any]:
    """Returns a template as somebody wrote it by hand: with less, and with more."""
    image = {"file_name": "o.png", "sha256": "", "width": 50, "height": 50}
    region = {"id": "x", "label": "x", "bbox": [1, 2, 3, 4]}
    return {"id": "other", "image": image, "regions": [region], "gate": 0.3, **more}


def test_new_file_then_changed(tmp_path: Path) -> None:
    file = TemplateFile(tmp_path / "deep" / "templates.json")
    assert file.read() == []
    file.put(ONE)
    assert file.read() == [ONE]
    changed = replace(ONE, mask=(((0, 0), (90, 0), (90, 70)),))
    file.put(changed)
    assert file.read() == [changed]
    assert [path.name for path in file.path.parent.iterdir()] == ["templates.json"]


def test_others_stay_as_they_are_in_their_places(tmp_path: Path) -> None:
    path = tmp_path / "templates.json"
    before = {
        "made_by": "anna",
        "templates": [other(), ONE.to_json() | {"remark": "mine"}, other(id="last", remark=[1])],
    }
    path.write_text(json.dumps(before))
    file = TemplateFile(path)
    changed = replace(ONE, gate=0.4)
    file.put(changed)
    file.put(replace(ONE, id="new"))
    after = json.loads(path.read_text())
    assert after["made_by"] == "anna"
    assert after["templates"][0] == before["templates"][0]
    assert after["templates"][1] == {**changed.to_json(), "remark": "mine"}
    assert after["templates"][2] == before["templates"][2]
    assert [one["id"] for one in after["templates"]] == ["other", "one", "last", "new"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "is no JSON"),
        ("\udcff", "is no JSON"),
        ("[]", "is no file of templates"),
        ('{"images": [], "annotations": []}', "is no file of templates"),
        ('{"templates": [1]}', "no object"),
        ('{"templates": [{"id": "a"}]}', "lacks the field 'image'"),
        (json.dumps({"templates": [other(), other()]}), "two templates have the id 'other'"),
    ],
)
def test_what_cannot_be_read_is_left_alone(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "templates.json"
    path.write_bytes(text.encode(errors="surrogateescape"))
    before = path.read_bytes()
    with pytest.raises(InputError, match=words) as raised:
        TemplateFile(path).put(ONE)
    assert str(raised.value).startswith(f"{path}: ")
    assert path.read_bytes() == before


def test_what_cannot_be_written_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = TemplateFile(tmp_path / "templates.json")
    file.put(ONE)

    def fail(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("os.fsync", fail)
        with pytest.raises(InputError, match=r"cannot be written \(No space left"):
            file.put(replace(ONE, gate=0.1))
    assert file.read() == [ONE]
    assert [path.name for path in tmp_path.iterdir()] == ["templates.json"]


def test_one_session_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "templates.json"
    with open_file(path) as file:
        file.put(ONE)
        with pytest.raises(InputError, match="another session writes to it"), open_file(path):
            pass
    with open_file(path) as file:
        assert file.read() == [ONE]
    with pytest.raises(InputError, match="is a folder"), open_file(tmp_path):
        pass
    with pytest.raises(InputError, match="cannot be written"), open_file(path / "below.json"):
        pass
