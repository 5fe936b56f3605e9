"""Builds whose cards are looked at."""

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def omni_build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first question of each task and difficulty of GraphOmni. Not to be changed."""
    from benchloom.builders.pipeline import build
    from benchloom.builders.recipe import Recipe

    directory = tmp_path_factory.mktemp("omni") / "build"
    build(Recipe.of("graphomni", limit=1), directory, jobs=1, quiet=True)
    return directory


@pytest.fixture(params=["vga", "graphomni", "dragon"])
def either_build(request: pytest.FixtureRequest) -> Path:
    """A small build of each benchmark, one after the other. Not to be changed."""
    name = {"vga": "vga_build", "graphomni": "omni_build", "dragon": "dragon_build"}[request.param]
    directory: Path = request.getfixturevalue(name)
    return directory
