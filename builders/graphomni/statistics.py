"""Sizes, generators and shortcut rules of a cell."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from benchloom.builders.graphomni.baselines import random_baseline
from benchloom.builders.graphomni.cells import Instance
from benchloom.builders.graphomni.shortcuts import shortcuts
from benchloom.builders.graphs.graph import Graph


def cell_instances(columns: Mapping[str, Any]) -> list[Instance]:
    """Returns the instances of a cell, from the columns of its records."""
    names = (
        "instance_id", "task", "difficulty", "generator", "n_nodes", "edges", "source", "target",
        "answer", "generator_params", "seed_key",
    )  # fmt: skip
    instances: dict[str, Instance] = {}
    for name, task, difficulty, generator, nodes, edges, source, target, answer, params, key in zip(
        *(columns[name] for name in names), strict=True
    ):
        if name not in instances:
            graph = Graph.of(nodes, [(u, v) for u, v in edges])
            instances[name] = Instance(
                task, difficulty, int(name.rpartition("-")[2]), generator, graph, source, target,
                answer, json.loads(params), key, 0, (),
            )  # fmt: skip
    return list(instances.values())


def cell_statistics(columns: Mapping[str, Any], task: str) -> list[Sequence[Any]]:
    """Returns rows (measure, value, remark) on a cell."""
    instances = cell_instances(columns)
    n = len(instances)
    rows: list[Sequence[Any]] = [
        ("records", len(columns["id"]), ""),
        ("instances", n, ""),
    ]
    for generator, count in Counter(one.generator for one in instances).items():
        edges = [one.graph.n_edges for one in instances if one.generator == generator]
        remark = f"instances; edges {min(edges)} to {max(edges)}, mean {sum(edges) / count:.1f}"
        rows.append((f"generator {generator}", count, remark))
    nodes = [one.graph.n_nodes for one in instances]
    rows.append(("nodes", sum(nodes) / n, f"mean; {min(nodes)} to {max(nodes)}"))
    answers = Counter(one.answer for one in instances).most_common(3)
    rows.append(
        ("different answers", len({one.answer for one in instances}), f"commonest {answers}")
    )
    rows.append(("random baseline", random_baseline(task, instances), "expected accuracy"))
    for row in shortcuts(task, instances):
        bounds = [f"at least {row.least:.2f}"] if row.least is not None else []
        bounds += [f"at most {row.most:.2f}"] if row.most is not None else []
        remark = f"{' and '.join(bounds)}: {'holds' if row.holds else 'BROKEN'}" if bounds else ""
        rows.append((f"rule: {row.rule}", row.value, remark))
    return rows
