"""Checks every statement of a worked example, sentence by sentence.

Each sentence must have a known form, and what it says is worked out anew: from the graph with
networkx, or, for what an algorithm is said to do, from the statements so far. Nothing is shared
with the code that writes the examples. The forms of answers are here, all others in the modules
that are imported for the rules they enter.
"""

import re
from functools import lru_cache

from benchloom.builders.errors import InputError
from benchloom.builders.graphomni import (  # noqa: F401
    claims_hard,
    claims_searches,
    claims_structures,
)
from benchloom.builders.graphomni.checks import confirm
from benchloom.builders.graphomni.claim_rules import NODE, PATH, RULES, Example, numbers
from benchloom.builders.graphomni.reading import read_exemplars
from benchloom.builders.graphs.graph import Graph

_ANSWERS = {
    "bfs_order": rf"The BFS traversal order starting from node {NODE} is {PATH}\.",
    "connectivity": rf"(?:Yes, there is a|No, there is no) path between node {NODE} and node "
    rf"{NODE}\.",
    "cycle": r"(?:Yes, there is a|No, there is no) cycle in this graph\.",
    "diameter": rf"The diameter is {NODE}\.",
    "shortest_path": rf"The shortest path from node {NODE} to node {NODE} is {PATH}\.",
    "triangle": rf"The number of triangles is {NODE}\.",
    "hamiltonian_cycle": rf"(?:A Hamiltonian cycle of this graph is {PATH}|The answer is none)\.",
    "max_cut": rf"The size of the largest cut is {NODE}, with the side {PATH}\.",
}


def find_false_claims(
    task: str, graph: Graph, source: int | None, target: int | None, text: str
) -> list[str]:
    """Returns the sentences of a worked example that are false or have no known form.

    Args:
        task: The task.
        graph: The example's graph.
        source: The first node asked about, where the task has one.
        target: The second node, where the task has one.
        text: What follows `A:`, the answer sentence at its end.
    """
    example = Example(task, graph, source, target)
    *steps, last = re.split(r"(?<=\.)\s+", text.strip())
    faults = [sentence for sentence in steps if not _holds(example, sentence)]
    return faults if _answer_holds(example, last, bool(steps)) else [*faults, last]


@lru_cache(maxsize=4096)
def exemplar_faults(before: str) -> tuple[str, ...]:
    """Returns what is wrong with the exemplars of a query, a sentence each.

    Args:
        before: The text before the query's header, as `Parts.before` has it.
    """
    try:
        _, exemplars = read_exemplars(before)
        return tuple(
            f"exemplar {number} says wrongly: {claim}"
            for number, it in enumerate(exemplars, 1)
            for claim in find_false_claims(it.task, it.graph(), it.source, it.target, it.after)
        )
    except InputError as error:
        return (f"the exemplars cannot be read: {error}",)


def _holds(example: Example, sentence: str) -> bool:
    """Returns whether a sentence that is no answer is true."""
    for pattern, judge in RULES:
        found = pattern.fullmatch(sentence)
        if found:
            try:
                return bool(judge(example, *(group or "" for group in found.groups())))
            except (LookupError, TypeError, ValueError):
                # It speaks of what sentences of another kind of run should have told before.
                return False
    return False


def _answer_holds(example: Example, sentence: str, worked: bool) -> bool:
    """Returns whether an answer sentence is true, and is what the steps before it led to."""
    found = re.fullmatch(_ANSWERS[example.task], sentence)
    if not found:
        return False
    groups = list(found.groups())
    asked = [str(node) for node in (example.source, example.target) if node is not None]
    if groups[: len(asked)] != asked or example.concluded != worked:
        return False
    values = groups[len(asked) :]
    if example.task in ("connectivity", "cycle"):
        answer = sentence.partition(",")[0]
    elif example.task == "max_cut":
        answer = ": ".join(values)
    else:
        answer = values[0] or "none"
    # Of several right answers it must be the one that was found.
    found_nodes = {
        "bfs_order": example.visited,
        "shortest_path": example.told[::-1],
        "max_cut": example.them,
    }.get(example.task)
    if worked and found_nodes is not None and numbers(values[-1]) != found_nodes:
        return False
    return confirm(example.task, example.plain, example.source, example.target, answer)
