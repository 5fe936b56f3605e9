"""GraphOmni as the engine sees it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from benchloom.builders.benchmark import BENCHMARKS, Benchmark, Option, Record
from benchloom.builders.graphomni.grid import (
    COMBINATIONS,
    COUNTS,
    DIFFICULTIES,
    NP_HARD,
    PROMPT_SCHEMES,
    TASK_GENERATORS,
)
from benchloom.builders.registry import register

if TYPE_CHECKING:
    from datasets import Features

    from benchloom.builders.recipe import Recipe
    from benchloom.builders.statistics import CountTokens, FinishedBuild, Statistics


class GraphOmni(Benchmark):
    """Text questions about random graphs: six tasks, seven formats, nine prompt schemes."""

    name = "graphomni"
    title = "GraphOmni"
    generation = 1
    configs = (*COUNTS, *NP_HARD)
    extra_configs = tuple(NP_HARD)
    combined_configs: ClassVar[Mapping[str, tuple[str, ...]]] = {"all": tuple(COUNTS)}
    default_config = "all"
    options = (
        Option(
            "extra_hard",
            "a further split of each of the six tasks: 50 questions on 31 to 50 nodes",
            kind=bool,
        ),
        Option("generators", "only these generators", many=True, metavar="NAME"),
        Option(
            "nodes", "other numbers of nodes: easy=5-10", many=True, metavar="DIFFICULTY=LOW-HIGH"
        ),
        Option("counts", "other numbers of instances: easy=100", many=True, metavar="DIFFICULTY=N"),
        Option(
            "graphs",
            "your own graphs instead of random ones: a folder of graph6, GML, GraphML or edge "
            "lists, a TU data set, or OGB's csv files",
            metavar="FOLDER",
            kind=Path,
        ),
    )
    is_text = True
    limit_help = "the first N questions of each task and difficulty, each in all its forms"
    shard_rows = len(COMBINATIONS) * 400
    row_group_rows = len(COMBINATIONS) * 40
    packages = ("networkx", "numpy", "pyarrow")

    def resolve(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Returns the options that differ from the published benchmark, checked."""
        from benchloom.builders.graphomni.options import resolve

        return resolve(options)

    def offered(self, recipe: Recipe) -> tuple[str, ...]:
        """Returns the six tasks; of a user's graphs those for which there is one."""
        if "graphs" not in recipe.options:
            return super().offered(recipe)
        from benchloom.builders.graphomni.plan import offered_tasks

        return offered_tasks(recipe)

    def remarks(self, recipe: Recipe, configs: Sequence[str]) -> list[str]:
        """Returns which tasks lack a split asked for, and which user's graphs are left out."""
        asked = recipe.options.get("extra_hard")
        lacking = [name for name in configs if asked and name in NP_HARD]
        said = [
            f"{name} has no split extra_hard: its answers would take too long" for name in lacking
        ]
        if "graphs" not in recipe.options:
            return said
        from benchloom.builders.graphomni.plan import user_remarks

        return [*said, *user_remarks(recipe, configs)]

    def splits(self, config: str) -> tuple[str, ...]:
        """Returns the difficulties of a task."""
        if config == "max_cut":
            return tuple(name for name in DIFFICULTIES if name != "hard")
        return tuple(DIFFICULTIES)

    def outline(self, config: str, split: str) -> tuple[int, str, str]:
        """Returns a split's size, nothing for labels, and its generators."""
        counts = dict(
            zip(DIFFICULTIES, COUNTS["cycle" if config in NP_HARD else config], strict=True)
        )
        least, most = DIFFICULTIES[split]
        drawn = " ".join(TASK_GENERATORS.get(config, ("on request",)))
        return len(COMBINATIONS) * counts[split], "", f"{least}-{most} nodes; {drawn}"

    def features(self, config: str) -> Features:
        """Returns the columns, the same for every task."""
        from benchloom.builders.graphomni.record import features

        return features()

    def plan(self, recipe: Recipe, config: str) -> Mapping[str, Sequence[Any]]:
        """Returns the specs of each difficulty."""
        from benchloom.builders.graphomni.plan import plan_task

        return plan_task(recipe, config)

    def make(self, spec: Any) -> Record:
        """Returns the record of a spec."""
        (record,) = self.make_all([spec])
        return record

    def planned(self, spec: Any) -> Record:
        """Returns the columns that a spec settles by itself."""
        from benchloom.builders.graphomni.record import planned_columns

        return planned_columns(spec)

    def make_all(self, specs: Sequence[Any]) -> Iterator[Record]:
        """Yields the records of specs."""
        from benchloom.builders.graphomni.record import make_records

        return make_records(specs)

    def audit(self, record: Record, config: str, recipe: Recipe) -> list[str]:
        """Returns what is wrong with a record, judged from its query."""
        from benchloom.builders.graphomni.audit import audit_record

        return audit_record(record, config, recipe)

    def audit_split(self, columns: Mapping[str, Any], config: str, split: str) -> list[str]:
        """Returns what is wrong with a cell as a whole: its order, its texts, its questions."""
        from benchloom.builders.graphomni.audit import audit_cell

        return audit_cell(columns, config, split)

    def statistics(
        self, build: FinishedBuild, count_tokens: CountTokens | None = None
    ) -> Statistics:
        """Returns sizes, answers, generators, what trivial rules reach, and tokens."""
        from benchloom.builders.graphomni.statistics import statistics

        return statistics(build, count_tokens)

    def preview_places(self, rows: int, count: int) -> Sequence[int]:
        """Returns places of different questions, each in another format and prompt scheme."""
        forms = len(COMBINATIONS)
        return [
            question * forms + question * (len(PROMPT_SCHEMES) + 2) % forms
            for question in range(min(rows // forms, count))
        ]

    def preview(self, record: Record, config: str) -> Mapping[str, Any]:
        """Returns a record's query and what is known of it."""
        facts = {
            "generator": record["generator"],
            "nodes": record["n_nodes"],
            "edges": record["n_edges"],
            "format": record["serialization"],
            "prompt": record["prompt_scheme"],
        }
        return {
            "text": record["query"],
            "image": self.picture(record, config),
            "caption": record["instance_id"],
            "facts": facts,
        }

    def show(self, record: Record, config: str) -> str:
        """Returns the query and the answer."""
        return f"{record['query']}\n\n[{record['id']}: {record['answer']}]"

    def picture(self, record: Record, config: str) -> bytes:
        """Returns a drawing of the graph, its nodes numbered, those asked about in red."""
        from benchloom.builders.graphomni.picture import draw_graph

        return draw_graph(record)

    def bench(self, limit: int) -> Iterable[Sequence[Any]]:
        """Yields the speed of each stage beside networkx, one query at a time."""
        from benchloom.builders.graphomni.bench import bench

        return bench(limit)


register(BENCHMARKS, GraphOmni.name)(GraphOmni())
