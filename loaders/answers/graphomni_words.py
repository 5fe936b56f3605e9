"""The readers of the claims of GraphOmni's tasks."""

from functools import lru_cache

from benchloom.loaders.answers.claims import Reader
from benchloom.loaders.answers.cuts import CutReader
from benchloom.loaders.answers.number_words import DIAMETER, TRIANGLE
from benchloom.loaders.answers.numbers import NumberReader
from benchloom.loaders.answers.pairs import about_pair
from benchloom.loaders.answers.sequence_words import BFS, HAMILTON, shortest_path
from benchloom.loaders.answers.sequences import SequenceReader
from benchloom.loaders.answers.yes_no import YesNoReader
from benchloom.loaders.answers.yes_no_words import CONNECTIVITY, CYCLE

KEYS: dict[str, tuple[str, ...]] = {
    "bfs_order": (
        "bfs_order", "bfs_traversal_order", "bfs_traversal", "bfs", "traversal_order",
        "traversal", "order", "visit_order", "sequence", "path", "nodes",
    ),
    "connectivity": (
        "connected", "is_connected", "has_path", "path_exists", "is_path", "exists",
        "connectivity", "reachable", "is_reachable", "are_connected", "there_is_path",
        "path_found", "found", "is_there_a_path", "has_a_path",
    ),
    "cycle": (
        "has_cycle", "cycle", "contains_cycle", "is_cyclic", "cyclic", "cycle_exists",
        "cycle_detected", "exists", "has_cycles", "cycle_present", "there_is_cycle",
        "cycle_found", "found", "has_a_cycle", "is_there_a_cycle",
    ),
    "diameter": (
        "diameter", "graph_diameter", "length",
    ),
    "shortest_path": (
        "shortest_path", "path", "route", "nodes", "sequence",
    ),
    "triangle": (
        "triangles", "triangle_count", "number_of_triangles", "num_triangles",
        "n_triangles", "count", "total", "total_triangles", "triangle", "number",
    ),
    "hamiltonian_cycle": (
        "hamiltonian_cycle", "cycle", "path", "nodes", "sequence", "hamiltonian",
    ),
    "max_cut": (),
}  # fmt: skip
"""Names under which a JSON object may hold a task's answer."""


@lru_cache(1024)
def reader(task: str, asked: tuple[int, ...] = ()) -> Reader:
    """Returns the reader of a task's claims.

    Args:
        task: The task.
        asked: The nodes that the question names; statements about other pairs of nodes are then
            no claims.
    """
    if task == "connectivity":
        return YesNoReader(CONNECTIVITY, about_pair(asked), asked)
    if task == "shortest_path":
        return SequenceReader(shortest_path(about_pair(asked)), asked)
    if task == "bfs_order":
        return SequenceReader(BFS, asked)
    return _READERS[task]


_READERS: dict[str, Reader] = {
    "cycle": YesNoReader(CYCLE),
    "diameter": NumberReader(DIAMETER),
    "triangle": NumberReader(TRIANGLE),
    "hamiltonian_cycle": SequenceReader(HAMILTON),
    "max_cut": CutReader(),
}
