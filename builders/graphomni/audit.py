"""The audit of GraphOmni: what a query says, against what its record says."""

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from benchloom.builders.benchmark import Record
from benchloom.builders.errors import InputError
from benchloom.builders.graphomni.checks import confirm
from benchloom.builders.graphomni.claims import exemplar_faults
from benchloom.builders.graphomni.grid import COMBINATIONS
from benchloom.builders.graphomni.reading import read_query, scheme_of
from benchloom.builders.graphs.graph import Graph
from benchloom.builders.recipe import Recipe


def audit_record(record: Record, config: str, recipe: Recipe) -> list[str]:
    """Returns what is wrong with a record, a sentence each.

    The query is read back into its graph and question by patterns of their own; the answer is
    confirmed from that graph by the second method of each task, and every statement of every
    exemplar is derived anew.
    """
    try:
        parts = read_query(record["query"])
        graph = parts.graph()
    except InputError as error:
        return [f"the query cannot be read: {error}"]
    faults = []
    stated = Graph.of(record["n_nodes"], [(u, v) for u, v in record["edges"]])
    if graph != stated:
        missing = sorted(set(stated.edges) - set(graph.edges))
        added = sorted(set(graph.edges) - set(stated.edges))
        faults.append(
            f"the query shows {graph.n_nodes} nodes and {graph.n_edges} edges, its columns "
            f"{stated.n_nodes} and {stated.n_edges} (missing {missing}, besides {added})"
        )
    found = {
        "task": parts.task,
        "serialization": parts.serialization,
        "prompt_scheme": scheme_of(parts),
        "source": parts.source,
        "target": parts.target,
        "n_edges": graph.n_edges,
    }
    for name, value in found.items():
        if record[name] != value:
            faults.append(f"{name} is {record[name]!r}, the query says {value!r}")
    if record["task"] != config:
        faults.append(f"the task is {record['task']!r} in the config {config}")
    for node in (parts.source, parts.target):
        if node is not None and not 0 <= node < graph.n_nodes:
            faults.append(f"the query asks about node {node}, which its graph does not have")
    if not faults and not _confirmed(
        parts.task, graph, parts.source, parts.target, record["answer"]
    ):
        faults.append(f"the answer {record['answer']!r} is not that of the query")
    return faults + [f"an exemplar is false: {fault}" for fault in exemplar_faults(parts.before)]


@lru_cache(maxsize=256)
def _confirmed(
    task: str, graph: Graph, source: int | None, target: int | None, answer: str
) -> bool:
    """Returns whether an answer is right; the records of an instance ask it one after the other."""
    return confirm(task, graph, source, target, answer)


def audit_cell(columns: Mapping[str, Any]) -> list[str]:
    """Returns what is wrong with a cell as a whole.

    Each instance stands once in each combination, all its records agree, and no two instances are
    the same graph with the same question.
    """
    faults = []
    seen: dict[str, tuple[Any, ...]] = {}
    combinations: Counter[str] = Counter()
    names = ("n_nodes", "edges", "source", "target", "answer", "generator")
    for instance, serialization, scheme, *rest in zip(
        columns["instance_id"],
        columns["serialization"],
        columns["prompt_scheme"],
        *(columns[name] for name in names),
        strict=True,
    ):
        combinations[instance] += (serialization, scheme) in COMBINATIONS
        nodes, edges, *others = rest
        what = (nodes, tuple(map(tuple, edges)), *others)
        if seen.setdefault(instance, what) != what:
            faults.append(f"the records of {instance} do not agree")
    ways = ("instance_id", "serialization", "prompt_scheme")
    if len(set(zip(*(columns[name] for name in ways), strict=True))) != len(columns["id"]):
        faults.append("an instance stands twice in one combination")
    for instance, count in combinations.items():
        if count != len(COMBINATIONS):
            faults.append(f"{instance} stands in {count} of {len(COMBINATIONS)} combinations")
    questions = Counter(what[:4] for what in seen.values())
    for question, count in questions.items():
        if count > 1:
            same = [name for name, what in seen.items() if what[:4] == question]
            faults.append(f"one question stands {count} times: {', '.join(same)}")
    return faults
