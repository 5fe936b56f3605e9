import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchloom.builders.errors import InputError
from benchloom.builders.pipeline import build
from benchloom.builders.recipe import Recipe
from benchloom.builders.stage import Stage
from benchloom.builders.statistics import Bound
from benchloom.loaders.checks_file import read_checks, record_check, statistics_figures
from benchloom.loaders.directory import Build


@pytest.fixture
def odd(tmp_path: Path, load_numbers: Callable[..., Any]) -> Path:
    """A build of one config of the benchmark of numbers."""
    load_numbers()
    build(Recipe.of("numbers"), tmp_path / "data", ["odd"], jobs=1, quiet=True)
    return tmp_path / "data"


def figures(directory: Path, name: str = "audit") -> Any:
    return read_checks(directory).get(name, {}).get("figures")


def test_figures_come_into_file_and_card_and_the_build_stays_sound(odd: Path) -> None:
    assert read_checks(odd) == {}
    assert record_check(odd, "audit", {"records": 15, "faults": 0}) == ""
    assert record_check(odd, "verify", {"records": 5, "faults": 2, "shards": 8}) == ""
    assert figures(odd) == {"records": 15, "faults": 0}
    assert figures(odd, "verify") == {"records": 5, "faults": 2, "shards": 8}
    card = (odd / "README.md").read_text()
    assert "15 of 15 records, no fault." in card
    assert "5 of 15 records, 2 faults." in card
    assert Build(odd).file_faults() == []


def test_the_same_check_again_changes_nothing(odd: Path) -> None:
    record_check(odd, "audit", {"records": 15, "faults": 0})
    before = {path.name: path.read_bytes() for path in odd.iterdir() if path.is_file()}
    record_check(odd, "audit", {"records": 15, "faults": 0})
    assert before == {path.name: path.read_bytes() for path in odd.iterdir() if path.is_file()}


def test_a_smaller_check_replaces_a_larger_one_only_when_it_finds_faults(odd: Path) -> None:
    record_check(odd, "audit", {"records": 15, "faults": 0})
    record_check(odd, "audit", {"records": 3, "faults": 0})
    assert figures(odd)["records"] == 15
    record_check(odd, "audit", {"records": 3, "faults": 1})
    assert figures(odd) == {"records": 3, "faults": 1}
    record_check(odd, "audit", {"records": 2, "faults": 0})
    assert figures(odd) == {"records": 2, "faults": 0}


def test_figures_of_other_records_are_not_shown(odd: Path) -> None:
    record_check(odd, "audit", {"records": 15, "faults": 0})
    noted = (odd / "checks.json").read_bytes()
    build(Recipe.of("numbers", seed=1), odd, ["odd"], jobs=1, overwrite=True, quiet=True)
    (odd / "checks.json").write_bytes(noted)
    assert read_checks(odd) == {}
    assert "No check of this build" in (odd / "README.md").read_text()


def test_a_config_more_leaves_the_figures_of_the_others(odd: Path) -> None:
    record_check(odd, "audit", {"records": 15, "faults": 0})
    build(Recipe.of("numbers"), odd, ["even"], jobs=1, quiet=True)
    assert figures(odd) == {"records": 15, "faults": 0}
    assert "15 of 15 records of odd, no fault." in (odd / "README.md").read_text()
    record_check(odd, "audit", {"records": 10, "faults": 0})  # of the whole
    assert "10 of 30 records, no fault." in (odd / "README.md").read_text()


@pytest.mark.parametrize("content", ["", "{", "[]", '{"checks": {"audit": {}}}', '{"checks": []}'])
def test_a_damaged_file_is_named(odd: Path, content: str) -> None:
    (odd / "checks.json").write_text(content)
    with pytest.raises(InputError, match=r"checks\.json is damaged; remove it"):
        read_checks(odd)
    assert "is damaged" in record_check(odd, "audit", {"records": 1})
    assert (odd / "checks.json").read_text() == content


def test_what_cannot_be_kept_is_said_in_a_sentence(odd: Path) -> None:
    with Stage(odd):
        assert "another build is running" in record_check(odd, "audit", {"records": 1})
    (odd / "manifest.json").write_text(
        (odd / "manifest.json").read_text().replace('"low": 5', '"low": 6')
    )
    assert "manifest.json is not the file that was built" in record_check(odd, "audit", {})
    assert not (odd / "checks.json").exists()


def test_the_file_has_no_date_and_names_the_splits(odd: Path) -> None:
    record_check(odd, "audit", {"records": 15, "faults": 0})
    value = json.loads((odd / "checks.json").read_text())
    assert set(value) == {"format", "checks"}
    assert set(value["checks"]["audit"]) == {"digests", "benchloom", "figures"}
    assert set(value["checks"]["audit"]["digests"]) == {"odd/train", "odd/test"}


def test_of_the_statistics_the_card_shows_bounds_and_the_best_rules(vga_copy: Path) -> None:
    build_ = Build(vga_copy)
    statistics = build_.benchmark.statistics(build_)
    bounds = [
        Bound("easy", "always yes", 0.5, 0.49, 0.51),
        Bound("hard", "always yes", 0.6, None, 0.51),
        Bound("medium", "always yes", 0.6, None, 0.51, "too few"),
    ]
    shown = statistics_figures(statistics.tables(), bounds)
    assert [bound["state"] for bound in shown["bounds"]] == ["holds", "BROKEN", "not checked"]
    (table,) = shown["tables"]
    assert [(row[0], row[1]) for row in table["rows"]] == list(build_.splits())
    first = table["rows"][0]
    assert first[2:4] == ["same degree sequence: yes", "100.0%"]
    assert record_check(vga_copy, "stats", shown) == ""
    card = (vga_copy / "README.md").read_text()
    assert "1 of 2 hold; broken are hard, always yes: 60.0% (promised at most 51.0%)." in card
    assert f"| {' | '.join(first)} |" in card
