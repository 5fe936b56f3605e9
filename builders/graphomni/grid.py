"""The grid of GraphOmni: tasks, difficulties, generators, formats, prompt schemes and counts."""

from collections.abc import Mapping

DIFFICULTIES: Mapping[str, tuple[int, int]] = {
    "easy": (5, 10),
    "medium": (11, 20),
    "hard": (21, 30),
}
"""Smallest and largest number of nodes of each difficulty (which is also a split)."""

EXTRA_HARD = ("extra_hard", (31, 50), 50)
"""The split on request: its name, its numbers of nodes, its instances a task (section C.1)."""

GENERATORS = ("BAF", "BAG", "BERM", "BERP", "ERM", "ERP", "SF")

COUNTS: Mapping[str, tuple[int, int, int]] = {
    "bfs_order": (252, 252, 154),
    "connectivity": (144, 118, 221),
    "cycle": (252, 252, 168),
    "diameter": (256, 256, 168),
    "shortest_path": (252, 252, 168),
    "triangle": (256, 256, 160),
}
"""Instances of each task, by difficulty; each appears once in all combinations."""

TASK_GENERATORS: Mapping[str, tuple[str, ...]] = {
    "bfs_order": GENERATORS,
    "connectivity": ("BAF", "BERM", "BERP", "ERM", "ERP"),
    "cycle": ("BAG", "BERM", "BERP", "ERM", "ERP", "SF"),
    "diameter": ("BAG", "ERM", "ERP", "SF"),
    "shortest_path": GENERATORS,
    "triangle": ("BAG", "ERM", "ERP", "SF"),
}
"""Generators of each task; equal shares, the remainder going to the first in this order."""

SERIALIZATIONS = (
    "adjacency_set",
    "adjacency_list",
    "adjacency_matrix",
    "edge_set",
    "edge_list",
    "graphml",
    "gml",
)
PROMPT_SCHEMES = (
    "zero_shot",
    "zero_cot",
    "zero_instruct",
    "zero_algorithm",
    "ltm",
    "k_shot",
    "cot",
    "instruct",
    "algorithm",
)

COMBINATIONS = tuple(
    (serialization, scheme) for serialization in SERIALIZATIONS for scheme in PROMPT_SCHEMES
)
"""The 63 ways to write and ask one question, in the order of the records."""

NP_HARD: Mapping[str, int] = {"hamiltonian_cycle": 30, "max_cut": 20}
"""The tasks on request (section C.4), with the largest number of nodes that is answered exactly."""
