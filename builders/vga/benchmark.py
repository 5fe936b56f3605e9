"""VGA as the engine sees it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from benchloom.builders.benchmark import BENCHMARKS, Benchmark, Option, Record
from benchloom.builders.registry import lookup, register
from benchloom.builders.vga.configs import CONFIGS, KAMADA_KAWAI

if TYPE_CHECKING:
    from datasets import Features

    from benchloom.builders.recipe import Recipe
    from benchloom.builders.statistics import CountTokens, FinishedBuild, Statistics


class VisualGraphArena(Benchmark):
    """Drawings of small connected graphs in six tasks."""

    name = "vga"
    title = "Visual Graph Arena"
    generation = 1
    configs = tuple(CONFIGS)
    default_config = "easy_iso"
    options = (
        Option(
            "nodes",
            "numbers of nodes: 8, 9 or both from the catalogue (the default), "
            "or one other number up to 11, which needs geng",
            many=True,
            metavar="N",
            kind=int,
        ),
        Option(
            "style",
            "what differs from NetworkX's look, such as node=#d62728 radius=14 line_width=2",
            many=True,
            metavar="NAME=VALUE",
        ),
    )
    shard_rows = 5_000
    row_group_rows = 250
    packages = ("networkx", "numba", "numpy", "pyarrow", "zlib-ng")

    def resolve(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Returns the options that differ from the published benchmark, checked."""
        from benchloom.builders.vga.options import resolve

        return resolve(options)

    def splits(self, config: str) -> tuple[str, ...]:
        """Returns the splits of a config: train, and a test for each layout."""
        return tuple(lookup(CONFIGS, config, "config").layouts)

    def outline(self, config: str, split: str) -> tuple[int, str, str]:
        """Returns a split's size, its labels and its layouts."""
        spec = CONFIGS[config]
        layout = spec.layouts[split]
        drawn = f"left {layout}, right {KAMADA_KAWAI}" if spec.pairs else f"layout {layout}"
        return spec.sizes[spec.side(split)], ", ".join(spec.labels), drawn

    def features(self, config: str) -> Features:
        """Returns the columns of a config."""
        from benchloom.builders.vga.columns import features

        return features(config)

    def plan(self, recipe: Recipe, config: str) -> Mapping[str, Sequence[Any]]:
        """Returns the specs of each split."""
        from benchloom.builders.vga.plan import plan_config

        return plan_config(recipe, config)

    def make(self, spec: Any) -> Record:
        """Returns the record of a spec."""
        from benchloom.builders.vga.record import make_record

        return make_record(spec)

    def planned(self, spec: Any) -> Record:
        """Returns the columns that a spec settles by itself."""
        from benchloom.builders.vga.record import planned_columns

        return planned_columns(spec)

    def make_all(self, specs: Sequence[Any]) -> Iterator[Record]:
        """Yields the records of specs."""
        from benchloom.builders.vga.record import make_records

        return make_records(specs)

    def warm_up(self) -> None:
        """Compiles the layouts, the repair and the drawing."""
        from benchloom.builders.recipe import Recipe
        from benchloom.builders.vga.plan import plan_config
        from benchloom.builders.vga.record import make_record

        for config in ("easy_iso", "shortest_path"):
            splits = plan_config(Recipe("vga", self.generation, limit=1), config)
            for specs in splits.values():
                make_record(specs[0])

    def audit(self, record: Record, config: str, recipe: Recipe) -> list[str]:
        """Returns what is wrong with a record, judged from its pixels."""
        from benchloom.builders.vga.audit import audit_record

        return audit_record(record, config, recipe)

    def audit_split(self, columns: Mapping[str, Any], config: str, split: str) -> list[str]:
        """Returns what is wrong with a split as a whole: ids, layout, pictures that recur."""
        from benchloom.builders.vga.audit import audit_ids

        return audit_ids(columns, config, split)

    def statistics(
        self, build: FinishedBuild, count_tokens: CountTokens | None = None
    ) -> Statistics:
        """Returns balance and what trivial rules reach."""
        from benchloom.builders.vga.statistics import statistics

        return statistics(build)

    def preview(self, record: Record, config: str) -> Mapping[str, Any]:
        """Returns a record's picture and what is known of it."""
        suffixes = ("_left", "_right") if CONFIGS[config].pairs else ("",)

        def both(name: str) -> str:
            values = [record[f"{name}{suffix}"] for suffix in suffixes]
            return " | ".join(_word(value) for value in values)

        facts = {
            "label": record["label"],
            "nodes": both("n_nodes"),
            "edges": both("n_edges"),
            "planar": both("planar"),
            "moved": both("moved"),
            "catalogue": both("catalog_index"),
        }
        if record.get("marked"):
            facts["marked"] = record["marked"]
        return {"image": record["image"]["bytes"], "caption": both("graph6"), "facts": facts}

    def show(self, record: Record, config: str) -> str:
        """Returns the question, the answer, and what else the record says but the pixels."""
        rest = {name: value for name, value in record.items() if name not in ("image", "question")}
        lines = [f"{name}: {value}" for name, value in rest.items()]
        return "\n".join((record["question"], "", *lines))

    def picture(self, record: Record, config: str) -> bytes:
        """Returns the record's picture."""
        png: bytes = record["image"]["bytes"]
        return png

    def export(self, config: str, split: str) -> tuple[str, str]:
        """Returns where the authors' layout keeps a split (Figure 8)."""
        folder = CONFIGS[config].folder
        if split == "train":
            return f"{folder}/inputs/train", f"{folder}/labels/train/labels.txt"
        layouts = CONFIGS[config].layouts
        if len([name for name in layouts if name != "train"]) == 1:
            return f"{folder}/inputs/test", f"{folder}/labels/test/labels.txt"
        drawn = {"kamada_kawai": "kawai"}.get(layouts[split], layouts[split])
        return f"{folder}/inputs/test/{drawn}", f"{folder}/labels/test/labels.txt"

    def bench(self, limit: int) -> Iterable[Sequence[Any]]:
        """Yields the speed of each stage beside NetworkX and matplotlib."""
        from benchloom.builders.vga.bench import bench

        return bench(limit)


def _word(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


register(BENCHMARKS, VisualGraphArena.name)(VisualGraphArena())
