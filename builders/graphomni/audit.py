"""The audit of GraphOmni: what a query says, against what its record and the others say."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from benchloom.builders.benchmark import Record
from benchloom.builders.errors import InputError
from benchloom.builders.graphomni.audit_columns import column_faults, params_faults, size_faults
from benchloom.builders.graphomni.audit_layouts import layout_faults
from benchloom.builders.graphomni.audit_texts import named, set_faults, text_faults
from benchloom.builders.graphomni.checks import confirm
from benchloom.builders.graphomni.claims import exemplar_faults
from benchloom.builders.graphomni.grid import COMBINATIONS
from benchloom.builders.graphomni.instances_user import USER
from benchloom.builders.graphomni.reading import read_query, scheme_of
from benchloom.builders.graphs.graph import Graph
from benchloom.builders.recipe import Recipe

_OF_INSTANCE = (
    *("task", "n_nodes", "n_edges", "edges", "source", "target"),
    *("answer", "generator", "generator_params", "seed_key"),
)
"""The columns that are the same in all records of an instance."""

_PLANNED_IN_PAIRS = ("connectivity", "cycle")
"""The tasks of which a No and a Yes come from one random key."""


def audit_record(record: Record, config: str, recipe: Recipe) -> list[str]:
    """Returns what is wrong with a record, a sentence each.

    The query is read back into its graph and question by patterns of their own; the answer is
    confirmed from that graph by the second method of each task, every statement of every exemplar
    is derived anew, and what the other columns say is held against the graph and the recipe.
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
    try:
        scheme = scheme_of(parts)
    except InputError as error:
        scheme = str(error)
    found = {
        "task": parts.task,
        "serialization": parts.serialization,
        "prompt_scheme": scheme,
        "source": parts.source,
        "target": parts.target,
        "n_edges": graph.n_edges,
    }
    for name, value in found.items():
        if record[name] != value:
            faults.append(f"{name} is {record[name]!r}, the query says {value!r}")
    if record["task"] != config:
        faults.append(f"the task is {record['task']!r} in the config {config}")
    faults += size_faults(record, graph, recipe)
    if not faults:
        # On graphs of other sizes than the recipe's this might never end.
        if not _confirmed(parts.task, graph, parts.source, parts.target, record["answer"]):
            faults.append(f"the answer {record['answer']!r} is not that of the query")
        faults += params_faults(parts.task, record["generator"], record["generator_params"], graph)
    faults += layout_faults(parts.serialization, parts.graph_text, graph)
    faults += column_faults(record, stated, recipe)
    faults += set_faults(parts.before, parts.task, parts.serialization)
    return faults + [f"an exemplar is false: {fault}" for fault in exemplar_faults(parts.before)]


@lru_cache(maxsize=256)
def _confirmed(
    task: str, graph: Graph, source: int | None, target: int | None, answer: str
) -> bool:
    """Returns whether an answer is right; the records of an instance ask it one after the other."""
    return confirm(task, graph, source, target, answer)


def audit_cell(columns: Mapping[str, Any], config: str, split: str) -> list[str]:
    """Returns what is wrong with a cell as a whole.

    Each instance stands once in each combination, in order; all its records agree; no two instances
    are the same graph with the same question or come from the same random key; no exemplar is an
    instance; and what surrounds the graphs is the same in all queries in which it should be.

    Args:
        columns: The cell's columns.
        config: The task.
        split: The difficulty.
    """
    ids = columns["id"]
    instances: defaultdict[str, list[int]] = defaultdict(list)
    for place, name in enumerate(columns["instance_id"]):
        instances[name].append(place)
    faults = [*_order_faults(columns, config, split), *_disagreements(columns, instances)]
    strays = [place for place, it in enumerate(columns["difficulty"]) if it != split]
    if strays:
        faults.append(f"difficulty of {named(ids, strays)} is not {split}")
    faults += _grid_faults(columns, instances)
    faults += _shared_keys(columns, config, instances)
    graphs = _graphs(columns, instances)
    faults += _repeated_questions(columns, instances, graphs)
    return faults + text_faults(columns, graphs)


def _order_faults(columns: Mapping[str, Any], config: str, split: str) -> Iterator[str]:
    """Yields the first record that does not stand where it should, and how many there are."""
    names = ("instance_id", "serialization", "prompt_scheme")
    wrong = []
    for place, found in enumerate(zip(*(columns[name] for name in names), strict=True)):
        index, combination = divmod(place, len(COMBINATIONS))
        if found != (f"{config}-{split}-{index:04d}", *COMBINATIONS[combination]):
            wrong.append(place)
    if wrong:
        index, combination = divmod(wrong[0], len(COMBINATIONS))
        serialization, scheme = COMBINATIONS[combination]
        yield (
            f"record {wrong[0]} is {columns['id'][wrong[0]]}, where "
            f"{config}-{split}-{scheme}-{serialization}-{index:04d} should stand; {len(wrong):,} "
            "records in all are not in the order of the grid"
        )


def _disagreements(
    columns: Mapping[str, Any], instances: Mapping[str, Sequence[int]]
) -> Iterator[str]:
    """Yields which records differ from the others of their instance, column by column."""
    for column in _OF_INSTANCE:
        values = columns[column]
        for instance, places in instances.items():
            first = values[places[0]]
            if all(values[place] == first for place in places):
                continue
            texts = [repr(values[place]) for place in places]
            (usual, _), *_ = Counter(texts).most_common(1)
            strays = [p for p, text in zip(places, texts, strict=True) if text != usual]
            yield (
                f"{column} of {named(columns['id'], strays)} is not that of the other records of "
                f"{instance}"
            )


def _grid_faults(
    columns: Mapping[str, Any], instances: Mapping[str, Sequence[int]]
) -> Iterator[str]:
    """Yields the instances that do not stand once in each combination."""
    combinations = list(zip(columns["serialization"], columns["prompt_scheme"], strict=True))
    for instance, places in instances.items():
        counts = Counter(combinations[place] for place in places)
        if any(count > 1 for count in counts.values()):
            yield f"{instance} stands twice in one combination"
        if (full := len(set(counts) & set(COMBINATIONS))) != len(COMBINATIONS):
            yield f"{instance} stands in {full} of {len(COMBINATIONS)} combinations"


def _shared_keys(
    columns: Mapping[str, Any], config: str, instances: Mapping[str, Sequence[int]]
) -> Iterator[str]:
    """Yields the instances that come from one random key and are no pair that may."""
    sharing: defaultdict[str, list[str]] = defaultdict(list)
    for instance, places in instances.items():
        sharing[columns["seed_key"][places[0]]].append(instance)
    for key, names in sharing.items():
        firsts = [instances[name][0] for name in names]
        answers = sorted(str(columns["answer"][place]) for place in firsts)
        generators = {columns["generator"][place] for place in firsts}
        pair = answers == ["No", "Yes"] and len(generators) == 1 and generators != {USER}
        if len(names) > 1 and not (config in _PLANNED_IN_PAIRS and pair):
            yield f"one seed_key, {key}, stands in {', '.join(names)}"


def _graphs(columns: Mapping[str, Any], instances: Mapping[str, Sequence[int]]) -> dict[str, Graph]:
    """Returns the graph of each instance as its columns have it; none where they have no graph."""
    graphs = {}
    for instance, places in instances.items():
        try:
            edges = [(u, v) for u, v in columns["edges"][places[0]]]
            graphs[instance] = Graph.of(columns["n_nodes"][places[0]], edges)
        except (TypeError, ValueError):
            continue  # which is said where each record is looked at
    return graphs


def _repeated_questions(
    columns: Mapping[str, Any],
    instances: Mapping[str, Sequence[int]],
    graphs: Mapping[str, Graph],
) -> Iterator[str]:
    """Yields the instances that ask the same of the same graph."""
    questions: defaultdict[Any, list[str]] = defaultdict(list)
    for instance, graph in graphs.items():
        place = instances[instance][0]
        questions[graph, columns["source"][place], columns["target"][place]].append(instance)
    for names in questions.values():
        if len(names) > 1:
            yield f"one question stands {len(names)} times: {', '.join(names)}"
