"""The audit of a record's columns: names, sizes, and what the graph is said to come from."""

import json
import math
import re
from functools import lru_cache
from typing import Any

from benchloom.builders.benchmark import Record
from benchloom.builders.graphomni.checks import is_acyclic, roots
from benchloom.builders.graphomni.grid import (
    DIFFICULTIES,
    EXTRA_HARD,
    NP_HARD,
    TASK_GENERATORS,
)
from benchloom.builders.graphomni.instances import NP_HARD_GENERATORS
from benchloom.builders.graphomni.instances_user import USER
from benchloom.builders.graphs.graph import Graph
from benchloom.builders.recipe import Recipe

_PARAMS = {
    "BAF": {"trees"},
    "BAG": {"m0", "m"},
    "BERM": {"parts", "m"},
    "BERP": {"parts", "p"},
    "ERM": {"m"},
    "ERP": {"p"},
    "SF": {"gamma", "d"},
    USER: {"graph"},
}
_GAMMA, _DEGREE, _LEAST_DEGREE = 3.0, 2.7, 0.3


def size_faults(record: Record, graph: Graph, recipe: Recipe) -> list[str]:
    """Returns whether a graph has not the number of nodes of its difficulty, in a sentence.

    Args:
        record: The record.
        graph: The graph that its query shows.
        recipe: What it was built from.
    """
    difficulty = record["difficulty"]
    bounds = {**DIFFICULTIES}
    if recipe.options.get("extra_hard"):
        bounds[EXTRA_HARD[0]] = EXTRA_HARD[1]
    bounds |= recipe.options.get("nodes", {})
    if difficulty not in bounds:
        return [f"difficulty is {difficulty!r}, which the recipe does not build"]
    least, most = bounds[difficulty]
    most = min(most, NP_HARD.get(record["task"], most))
    if least <= graph.n_nodes <= most:
        return []
    return [f"it has {graph.n_nodes} nodes, {difficulty} has {least} to {most}"]


def column_faults(record: Record, graph: Graph, recipe: Recipe) -> list[str]:
    """Returns what is wrong with the columns that the query does not show, a sentence each.

    Args:
        record: The record.
        graph: The graph of its columns.
        recipe: What it was built from.
    """
    task, difficulty, generator = record["task"], record["difficulty"], record["generator"]
    faults = _name_faults(record)
    if record["edges"] != [list(edge) for edge in graph.edges]:
        faults.append("edges is not sorted, the smaller node of each first, none twice")
    generators = _generators(task, recipe)
    if generator not in generators:
        faults.append(f"generator is {generator!r}, this cell has {', '.join(generators)}")
    start = f"graphomni/{recipe.generation}/{task}/{difficulty}/instance/{recipe.seed}/{generator}/"
    if not re.fullmatch(re.escape(start) + "(?:0|[1-9][0-9]*)", record["seed_key"]):
        faults.append(f"seed_key is {record['seed_key']!r}, not {start} and a number")
    return faults


@lru_cache(maxsize=256)
def params_faults(task: str, generator: str, params: str, graph: Graph) -> tuple[str, ...]:
    """Returns where a graph is none that its generator gives with its parameters.

    Args:
        task: The task.
        generator: The generator's name, `USER` for a user's own graph.
        params: The parameters as JSON.
        graph: The graph.
    """
    if generator not in _PARAMS:
        return ()  # which is said of the generator
    try:
        given = json.loads(params)
    except ValueError:
        given = None
    if not isinstance(given, dict) or set(given) != _PARAMS[generator]:
        wanted = ", ".join(sorted(_PARAMS[generator]))
        return (f"generator_params is {params!r}, {generator} has an object with {wanted}",)
    try:
        if _agrees(task, generator, given, graph):
            return ()
    except (TypeError, OverflowError):  # something else where a number should be
        pass
    return (
        f"generator_params is {params}, with which {generator} does not give this graph of "
        f"{graph.n_nodes} nodes and {graph.n_edges} edges",
    )


def _agrees(task: str, generator: str, given: dict[str, Any], graph: Graph) -> bool:
    """Returns whether a graph is as the generator's definition (section A.4) says."""
    n, edges = graph.n_nodes, graph.n_edges
    if any(isinstance(value, bool) for value in given.values()):
        return False
    if generator == USER:
        return isinstance(given["graph"], str) and given["graph"] != ""
    if generator == "BAF":
        trees = given["trees"]
        return 1 <= trees <= n // 2 and edges == n - trees and is_acyclic(graph)
    if generator == "BAG":
        m0, m = given["m0"], given["m"]
        connected = len(set(roots(n, graph.edges))) == 1
        sizes = 2 <= m0 <= max(2, n // 3) and 1 <= m <= m0
        return sizes and connected and edges == m0 * (m0 - 1) // 2 + (n - m0) * m
    if generator == "SF":
        # A cycle's absence is out of reach with the weights of the other tasks.
        least = _LEAST_DEGREE if task == "cycle" else _DEGREE
        return bool(given["gamma"] == _GAMMA and least <= given["d"] <= _DEGREE)
    if "parts" in given and not _is_bipartite(given["parts"], graph):
        return False
    if "m" in given:
        return bool(given["m"] == edges >= 1)
    p = given["p"]
    return math.isfinite(p) and 0 <= p <= 1 and (p > 0 or edges == 0)


def _is_bipartite(parts: Any, graph: Graph) -> bool:
    """Returns whether two lists of nodes, each sorted, are parts between which all edges go."""
    first, second = parts if len(parts) == 2 else ((), ())
    whole = sorted([*first, *second]) == list(range(graph.n_nodes))
    listed = bool(first and second) and first == sorted(first) and second == sorted(second)
    return whole and listed and all((u in first) != (v in first) for u, v in graph.edges)


def _name_faults(record: Record) -> list[str]:
    cell = f"{record['task']}-{record['difficulty']}"
    instance = record["instance_id"]
    found = re.fullmatch(r"(.*)-([0-9]{4,9})", instance)
    if not found or found[1] != cell or f"{int(found[2]):04d}" != found[2]:
        return [f"instance_id is {instance!r}, not {cell} and a number of four digits"]
    name = f"{cell}-{record['prompt_scheme']}-{record['serialization']}-{found[2]}"
    return [] if record["id"] == name else [f"id is {record['id']!r}, its columns say {name!r}"]


def _generators(task: str, recipe: Recipe) -> tuple[str, ...]:
    """Returns the generators that a task's instances may come from."""
    if "graphs" in recipe.options:
        return (USER,)
    possible = {**TASK_GENERATORS, **NP_HARD_GENERATORS}.get(task, ())
    chosen = recipe.options.get("generators", possible)
    return tuple(name for name in possible if name in chosen)
