"""The card of DRAGON, which may show no picture of a source."""

import re
from pathlib import Path

import yaml

from benchloom.builders.dragon.emblem import draw_emblem
from benchloom.builders.dragon.sources import SOURCES
from benchloom.cards.card import render_card
from benchloom.cards.front_matter import front_matter_faults
from benchloom.loaders.checks_file import split_digests, statistics_figures
from benchloom.loaders.directory import Build


def test_the_licence_is_other_with_terms_for_each_source(dragon_build: Path) -> None:
    text = (dragon_build / "README.md").read_text()
    assert front_matter_faults(text) == []
    head = yaml.safe_load(text.split("---\n")[1])
    assert (head["license"], head["source_datasets"]) == ("other", ["extended"])
    assert head["task_categories"] == ["visual-question-answering", "object-detection"]
    for of in SOURCES.values():
        sizes = f"{of.paper_questions} / {of.paper_images}"
        assert re.search(rf"\| `{of.name}` \| {of.title}.* \| {sizes} \| \w.* \|\n", text)
    assert "theirs to state" not in text


def test_a_build_of_reviews_is_the_usual_one(dragon_build: Path) -> None:
    text = (dragon_build / "README.md").read_text()
    (remark,) = re.findall(r"\*\*Not the whole benchmark.*", text)
    assert remark == "**Not the whole benchmark as it is described here:** it lacks circuit_vqa."
    assert "benchloom verify DIRECTORY --from FOLDER\n" in text
    assert "| `all` | `test` | 13 |" in text
    assert "| `mapwise` | `candidates` | 29 |" in text
    configs = [entry["config_name"] for entry in yaml.safe_load(text.split("---\n")[1])["configs"]]
    assert configs == ["all", "ai2d", "chartqa", "infographics_vqa", "mapiq", "mapwise"]


def test_the_only_picture_is_our_own(dragon_build: Path) -> None:
    assert [path.name for path in (dragon_build / "preview").iterdir()] == ["overview.png"]
    assert (dragon_build / "preview" / "overview.png").read_bytes() == draw_emblem()
    text = (dragon_build / "README.md").read_text()
    assert re.findall(r"!\[(.*)\]\((.*)\)", text) == [
        (
            "A chart of our own with a question, its answer in a green box and what supports it in "
            "red ones",
            "preview/overview.png",
        )
    ]


def test_the_composition_stands_in_the_card_after_stats(dragon_build: Path) -> None:
    build = Build(dragon_build)
    statistics = build.benchmark.statistics(build)
    figures = statistics_figures(statistics.tables(), statistics.bounds())
    check = {"digests": split_digests(build.manifest), "benchloom": "0", "figures": figures}
    text = render_card(build, "1.0.0", {"stats": check})
    assert "**Records and pictures beside the paper's Table 1**" in text
    assert "| Total | 13 / 2,445 | 8 / 1,327 | 36 | 22 |" in text
    assert "| MapWise | 3 / 389 | 1 / 205 | 29 | 16 |" in text
