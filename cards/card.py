"""The card of a build: the README.md that people read, with the YAML that `load_dataset` reads.

Each benchmark has a template, `templates/NAME.md`: a YAML block with what the Hub's search needs
and what the columns mean, then the text, in which `$load`, `$splits` and so on stand for the shared
parts, filled from the manifest and the figures of the checks.
"""

import importlib.resources
import re
from collections.abc import Mapping, Sequence
from string import Template
from typing import Any

from benchloom.cards import sections
from benchloom.cards.front_matter import default_config, front_matter, is_from_folder
from benchloom.loaders.checks_file import Checks
from benchloom.loaders.directory import Build

GENERAL = "general"
OVERVIEW = "One record of each config, with its answer"


def render_card(
    build: Build,
    version: str,
    checks: Checks,
    files: Sequence[str] = (),
    repository: str | None = None,
) -> str:
    """Returns the text of a build's README.md.

    Args:
        build: The build.
        version: The version of the data.
        checks: What was found in this very build.
        files: The release's other rendered files; contact sheets among them are shown.
        repository: `ORG/NAME` where the release is to be found.

    Raises:
        InputError: If a shard cannot be read.
    """
    about, body = read_template(build.benchmark.name)
    if is_from_folder(build):  # what is in it is the user's, and so is its licence
        about = {**about, "license": "unknown", "source_datasets": ["extended"]}
    where = sections.Where(repository, version)
    sheets = [file for file in files if file.startswith("preview/")]
    parts = {
        "title": build.benchmark.title,
        "notice": sections.notice(build, version, about),
        "picture": sections.picture(sheets, about.get("overview", OVERVIEW)),
        "load": sections.load(where, default_config(build), build),
        "splits": sections.splits(build),
        "sheets": sections.sheets(sheets),
        "columns": sections.columns(build, about.get("columns", {})),
        "made": sections.made(build),
        "checks": sections.checks(build, checks, where, about.get("audit", "")),
        "folder": sections.folder(build),
        "licence": sections.licence(build, about["licence"]),
        "changelog": "[CHANGELOG.md](CHANGELOG.md) says what changed from version to version.",
    }
    text = Template(body).substitute(parts)
    text = re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"  # a part may be empty
    return front_matter(build, version, about) + "\n" + text


def read_template(name: str) -> tuple[Mapping[str, Any], str]:
    """Returns the YAML block of a benchmark's template, and its text; the general one's if none."""
    import yaml

    folder = importlib.resources.files("benchloom.cards") / "templates"
    file = folder / f"{name}.md"
    text = (file if file.is_file() else folder / f"{GENERAL}.md").read_text(encoding="utf-8")
    _, block, body = text.split("---\n", 2)
    return yaml.safe_load(block), body.lstrip("\n")
