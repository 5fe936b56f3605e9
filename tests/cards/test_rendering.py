import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchloom.builders.errors import InputError
from benchloom.builders.files import dump_json
from benchloom.builders.pipeline import build
from benchloom.builders.recipe import Recipe
from benchloom.builders.stage import Stage
from benchloom.cards.rendering import (
    next_changelog,
    render_in_place,
    render_release,
    rendered_files,
)
from benchloom.loaders.checks_file import record_check
from benchloom.loaders.directory import Build

PICTURE = (
    'def picture(self, record, config): return b""',
    """def picture(self, record, config):
        import io
        from PIL import Image
        out = io.BytesIO()
        Image.new("RGB", (9, 9), (record["number"] % 256, 0, 0)).save(out, "PNG")
        return out.getvalue()""",
)


def tree(directory: Path) -> dict[str, bytes]:
    """Returns the files below a directory."""
    return {
        path.relative_to(directory).as_posix(): path.read_bytes()
        for path in sorted(directory.rglob("*"))
        if path.is_file()
    }


def sums(content: bytes) -> dict[str, str]:
    return {file: digest for digest, file in map(str.split, content.decode().splitlines())}


@pytest.fixture
def numbers(tmp_path: Path, load_numbers: Callable[..., Any]) -> Path:
    """A build of the benchmark of numbers, with pictures."""
    load_numbers(PICTURE)
    build(Recipe.of("numbers"), tmp_path / "data", jobs=1, quiet=True)
    return tmp_path / "data"


def test_what_a_build_writes_is_its_release_of_version_0(either_build: Path) -> None:
    of = Build(either_build)
    standing = tree(either_build)
    made = render_release(of)
    assert made == {file: standing[file] for file in made}
    assert set(standing) == {*made, *of.manifest.files()}
    assert set(made) <= set(rendered_files(of.manifest.configs))


def test_checksums_are_of_every_file_of_the_release(vga_copy: Path) -> None:
    record_check(vga_copy, "audit", {"records": 3, "faults": 0})
    of = Build(vga_copy)
    made = render_release(of, "1.0.0", repository="org/vga")
    expected = {**tree(vga_copy), **made}
    del expected["SHA256SUMS"]
    assert "checks.json" in expected
    assert sums(made["SHA256SUMS"]) == {
        file: hashlib.sha256(content).hexdigest() for file, content in expected.items()
    }


def test_a_version_changes_the_texts_alone(numbers: Path) -> None:
    before = tree(numbers)
    made = render_release(Build(numbers), "1.2.3")
    assert made == render_release(Build(numbers), "1.2.3")
    changed = {file for file, content in made.items() if before[file] != content}
    assert changed == {"README.md", "CHANGELOG.md", "manifest.json", "SHA256SUMS"}
    assert b'"version": "1.2.3"' in made["manifest.json"]
    assert b"## 1.2.3\n" in made["CHANGELOG.md"]
    assert b"## 0.0.0\n" not in made["CHANGELOG.md"]
    assert tree(numbers) == before


def test_standing_sheets_are_taken_and_others_drawn(
    numbers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = render_release(Build(numbers))
    (numbers / "preview" / "odd.png").unlink()
    assert render_release(Build(numbers)) == made
    monkeypatch.setattr("benchloom.cards.contact_sheet.contact_sheets", lambda _: {})
    assert "preview/odd.png" not in render_release(Build(numbers))


def test_a_changelog_has_the_newest_version_first() -> None:
    text = next_changelog(None, "1.0.0", "First release.\n")
    text = next_changelog(text, "1.1.0", "- Adds `odd`.\n\nSee ## below.")
    text = next_changelog(text, "2.0.0", "Changes.")
    head, *entries = text.split("\n## ")
    assert head.startswith("# Changelog\n")
    assert entries == [
        "2.0.0\n\nChanges.\n",
        "1.1.0\n\n- Adds `odd`.\n\nSee ## below.\n",
        "1.0.0\n\nFirst release.\n",
    ]
    assert next_changelog(text, "2.0.0", "Changes.") == text
    assert "1.1.0\n\nOther." in (again := next_changelog(text, "1.1.0", "Other."))
    assert "Adds" not in again


def test_a_local_build_s_entry_is_not_published() -> None:
    text = next_changelog(next_changelog(None, "0.0.0", "A local build."), "1.0.0", "First.")
    assert "0.0.0" not in text


@pytest.mark.parametrize("way", ["changed", "missing"])
def test_a_rendered_file_is_mended(numbers: Path, way: str) -> None:
    before = tree(numbers)
    for file in ("README.md", "CHANGELOG.md", "preview/odd.png", "preview/overview.png"):
        (numbers / file).unlink()
        if way == "changed":
            (numbers / file).write_text("by hand")
        assert Build(numbers).file_faults()
        assert render_in_place(numbers, redraw=True) == [file]
        assert tree(numbers) == before
    assert render_in_place(numbers, redraw=True) == []


def test_a_build_mends_a_rendered_file_without_making_records(
    tmp_path: Path, numbers: Path
) -> None:
    before = tree(numbers)
    for made in (tmp_path / "faults").glob("made-*"):
        made.unlink()
    for file in ("README.md", "CHANGELOG.md", "preview/odd.png"):
        (numbers / file).write_text("by hand")
        build(Recipe.of("numbers"), numbers, jobs=1, quiet=True)
        assert tree(numbers) == before
    assert not list((tmp_path / "faults").glob("made-*"))


@pytest.mark.parametrize("file", ["manifest.json", "records/odd-test.parquet"])
def test_no_card_is_made_of_what_was_changed_by_hand(numbers: Path, file: str) -> None:
    content = (numbers / file).read_bytes()
    (numbers / file).write_bytes(content.replace(b'"seed": 0', b'"seed": 1') + b"\n")
    before = tree(numbers)
    with pytest.raises(InputError, match=f"{file} is not the file that was built"):
        render_in_place(numbers)
    assert tree(numbers) == before


def test_no_card_is_made_where_no_build_is(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is no directory"):
        render_in_place(tmp_path / "nothing")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"holds no manifest\.json"):
        render_in_place(tmp_path / "empty")
    assert not list((tmp_path / "empty").iterdir())


def test_a_render_that_was_cut_short_is_carried_out(
    numbers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = tree(numbers)
    (numbers / "README.md").write_text("by hand")
    (numbers / "preview" / "odd.png").unlink()
    with monkeypatch.context() as patched:
        patched.setattr(Stage, "_carry_out", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            render_in_place(numbers)
    with pytest.raises(InputError, match="cut short"):
        Build(numbers)
    render_in_place(numbers)
    assert tree(numbers) == before


def test_files_that_a_new_build_lacks_are_removed(
    tmp_path: Path, numbers: Path, load_numbers: Callable[..., Any]
) -> None:
    record_check(numbers, "audit", {"records": 1})
    (numbers / "preview" / "mine.png").write_text("a user's own")
    assert (numbers / "checks.json").is_file()
    build(Recipe.of("numbers", seed=1), numbers, ["odd"], jobs=1, overwrite=True, quiet=True)
    assert not (numbers / "checks.json").exists()
    assert sorted(path.name for path in (numbers / "preview").iterdir()) == [
        "mine.png",
        "odd.png",
        "overview.png",
    ]
    assert Build(numbers).file_faults() == []


@pytest.mark.parametrize("file", ["CHANGELOG.md", "checks.json", "preview/odd.png"])
def test_a_user_s_own_file_is_not_written_over(
    tmp_path: Path, load_numbers: Callable[..., Any], file: str
) -> None:
    load_numbers(PICTURE)
    build(Recipe.of("numbers"), tmp_path / "data", ["even"], jobs=1, quiet=True)
    content = tree(tmp_path / "data")["SHA256SUMS"].decode().splitlines(keepends=True)
    unlisted = "".join(line for line in content if not line.endswith(f"  {file}\n"))
    (tmp_path / "data" / "SHA256SUMS").write_text(unlisted)
    (tmp_path / "data" / file).write_text("a user's own")
    with pytest.raises(InputError, match=f"{file} is in the way and of no build"):
        build(Recipe.of("numbers"), tmp_path / "data", ["odd"], jobs=1, quiet=True)
    assert (tmp_path / "data" / file).read_text() == "a user's own"


def test_the_command_renders(vga_copy: Path, run_cli: Callable[..., Any]) -> None:
    before = tree(vga_copy)
    (vga_copy / "README.md").write_text("by hand")
    done = run_cli("card", vga_copy)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[0] == "README.md"
    assert tree(vga_copy) == before
    (vga_copy / "manifest.json").write_text(dump_json({}))
    done = run_cli("card", vga_copy)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
