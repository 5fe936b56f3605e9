"""DRAGON as the engine sees it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from benchloom.builders.benchmark import BENCHMARKS, Benchmark, Option, Record
from benchloom.builders.errors import InputError
from benchloom.builders.registry import register

if TYPE_CHECKING:
    from datasets import Features

    from benchloom.builders.dragon.copies import Copies
    from benchloom.builders.recipe import Recipe
    from benchloom.builders.statistics import CountTokens, FinishedBuild, Statistics

SOURCES = ("ai2d", "chartqa", "circuit_vqa", "infographics_vqa", "mapiq", "mapwise")


class Dragon(Benchmark):
    """Questions about diagrams of six datasets, with the boxes that show why an answer is right.

    Records refer to pictures and hold none: several sources may not be given on.
    """

    name = "dragon"
    title = "DRAGON"
    generation = 1
    configs = SOURCES
    combined_configs: ClassVar[Mapping[str, tuple[str, ...]]] = {"all": SOURCES}
    default_config = "all"
    needs_folder = True
    options = (
        Option(
            "review_dir",
            "the working folder with the questions and what people decided about them",
            metavar="WORK",
            kind=Path,
        ),
        Option(
            "match",
            "two people's boxes are one from this intersection over union up (default: 0.9)",
            metavar="IOU",
            kind=float,
        ),
    )
    shard_rows = 20_000
    row_group_rows = 1_000
    packages = ("pyarrow",)

    def __init__(self, copies: Copies | None = None) -> None:
        self._copies = copies

    def resolve(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Returns the digest of what the reviews come to, and an unusual `match`."""
        from benchloom.builders.dragon.plan import resolve_options

        return resolve_options(options)

    def offered(self, recipe: Recipe) -> tuple[str, ...]:
        """Returns the sources of which there are questions."""
        from benchloom.builders.dragon.plan import offered_sources

        return offered_sources(recipe)

    def remarks(self, recipe: Recipe, configs: Sequence[str]) -> list[str]:
        """Returns how many questions are verified, and which decisions count for nothing."""
        from benchloom.builders.dragon.plan import review_remarks

        return review_remarks(recipe, configs)

    def splits(self, config: str) -> tuple[str, ...]:
        """Returns `test`, which is verified, and `candidates`, which are not."""
        return ("test", "candidates")

    def outline(self, config: str, split: str) -> tuple[int, str, str]:
        """Returns the paper's number of records, nothing for labels, and what is in a split."""
        if split != "test":
            return 0, "", "not verified"
        from benchloom.builders.dragon.sources import source

        of = source(config)
        return (
            of.paper_questions,
            "",
            f"verified; the paper has {of.paper_questions}, on {of.paper_images} pictures",
        )

    def features(self, config: str) -> Features:
        """Returns the columns, the same for every source."""
        from benchloom.builders.dragon.record import features

        return features()

    def plan(self, recipe: Recipe, config: str) -> Mapping[str, Sequence[Any]]:
        """Returns the records of a source: to read the reviews is all there is to do."""
        from benchloom.builders.dragon.plan import plan_source

        return plan_source(recipe, config)

    def make(self, spec: Any) -> Record:
        """Returns the record."""
        return dict(spec)

    def planned(self, spec: Any) -> Record:
        """Returns all columns."""
        return dict(spec)

    def audit(self, record: Record, config: str, recipe: Recipe) -> list[str]:
        """Returns what is wrong with a record: its boxes, its picture's reference, its review."""
        from benchloom.builders.dragon.audit import audit_record

        return audit_record(record, config)

    def audit_split(self, columns: Mapping[str, Any], config: str, split: str) -> list[str]:
        """Returns what is wrong with a split: ids, statuses, two sizes of one picture."""
        from benchloom.builders.dragon.audit import audit_reviews

        return audit_reviews(columns, split)

    def statistics(
        self, build: FinishedBuild, count_tokens: CountTokens | None = None
    ) -> Statistics:
        """Returns sizes beside the paper's, boxes, their roles and origins, and the reviews."""
        from benchloom.builders.dragon.statistics import DragonStatistics

        return DragonStatistics(build)

    def with_pictures(self, words: Sequence[str]) -> Dragon:
        """Returns the benchmark with a user's copies of the sources at hand."""
        from benchloom.builders.dragon.copies import Copies

        return Dragon(Copies.named(words))

    def preview(self, record: Record, config: str) -> Mapping[str, Any]:
        """Returns a record's picture with its boxes where that is at hand, and its evidence."""
        image = record["image_ref"]
        lines = [f"{image['split']}/{image['file_name']}", f"{image['width']} × {image['height']}"]
        shown: dict[str, Any] = {}
        if self._copies is not None:
            try:
                shown["image"] = self.picture(record, config)
            except InputError as error:  # the page shows all the others
                lines.append(str(error))
        if record["choices"]:
            lines.append(f"choices: {' | '.join(record['choices'])}")
        if "image" not in shown or record["choices"]:
            shown["text"] = "\n".join(lines)
        review = record["review"]
        reviewed = f" by {', '.join(review['annotators'])}" if review["annotators"] else ""
        facts = {"review": f"{review['status']}, {review['reason'].replace('_', ' ')}{reviewed}"}
        if record["template_id"] is not None:
            facts["template"] = record["template_id"]
        for one in record["evidence"]:
            words = f"{one['label']} {_numbers(one['bbox'])}"
            facts[f"{one['role']} {one['id']}"] = words.strip()
        boxes = len(record["evidence"])
        caption = f"{boxes} box{'' if boxes == 1 else 'es'}"
        return {**shown, "caption": caption, "facts": facts}

    def show(self, record: Record, config: str) -> str:
        """Returns question, choices and picture, then the answer and the evidence."""
        image = record["image_ref"]
        lines = [record["question"], *(f"- {choice}" for choice in record["choices"])]
        lines.append(
            f"picture: {record['source']}/{image['split']}/{image['file_name']}, "
            f"{image['width']} × {image['height']} pixels"
        )
        lines += ["", f"[{record['id']}: {record['answer']}]"]
        lines += [
            f"{one['role']} {one['id']}/<{_numbers(one['bbox'])}> {one['label']} ({one['origin']})"
            for one in record["evidence"]
        ]
        return "\n".join(lines)

    def picture(self, record: Record, config: str) -> bytes:
        """Returns the picture with its boxes, the answer's green, those in support red.

        Raises:
            InputError: If it is not at hand.
        """
        if self._copies is None:
            raise InputError(
                "DRAGON's records hold no pictures; name your copy of the source with "
                f"--images {record['source']}=FOLDER"
            )
        found = self._copies.look(record["source"], record["image_ref"])
        if found.path is None:
            raise InputError(found.reason)
        from benchloom.builders.dragon.picture import SHOWN_SIDE, draw_evidence

        return draw_evidence(found.path, record["evidence"], SHOWN_SIDE)

    def emblem(self) -> bytes:
        """Returns a diagram of our own with a question and its evidence."""
        from benchloom.builders.dragon.emblem import draw_emblem

        return draw_emblem()

    def bench(self, limit: int) -> Iterable[Sequence[Any]]:
        """Yields the speed of each stage of the transfer beside the paper's recipe."""
        from benchloom.builders.dragon.bench import bench

        return bench(limit)


def _numbers(box: Iterable[float]) -> str:
    return ",".join(f"{number:g}" for number in box)


register(BENCHMARKS, Dragon.name)(Dragon())
