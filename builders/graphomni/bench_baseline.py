"""GraphOmni's queries as a researcher's script makes them: with networkx, one after the other.

The graph objects, the formats, the answers and the sentences are its own, and nothing is kept from
one query to the next: where a scheme shows exemplars, their graphs are written and answered by
networkx again. It is given ready, which favours it: which graphs and nodes to ask about, the
description of the algorithm, and the worked reasoning of the exemplars.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import networkx as nx
import numpy as np

from benchloom.builders.graphomni.cells import Instance
from benchloom.builders.graphomni.exemplars import Exemplar, exemplars
from benchloom.builders.graphomni.questions import wording

HEADERS = {
    "bfs_order": "determine the bfs traversal order of this graph starting at node {s}",
    "connectivity": "determine whether there is a path between node {s} and node {t} in this graph",
    "cycle": "determine whether there is a cycle in this graph",
    "diameter": "determine the diameter of this graph",
    "shortest_path": "determine the shortest path from node {s} to node {t} in this graph",
    "triangle": "determine the number of triangles in this graph",
}
QUESTIONS = {
    "bfs_order": "Give the bfs traversal order starting from node {s}.",
    "connectivity": "Is there a path between node {s} and node {t}?",
    "cycle": "Is there a cycle in this graph?",
    "diameter": "What is the diameter of this graph?",
    "shortest_path": "Give the shortest path from node {s} to node {t}.",
    "triangle": "How many triangles are in this graph?",
}
SENTENCES = {
    "bfs_order": "The BFS traversal order starting from node {s} is {answer}.",
    "connectivity Yes": "Yes, there is a path between node {s} and node {t}.",
    "connectivity No": "No, there is no path between node {s} and node {t}.",
    "cycle Yes": "Yes, there is a cycle in this graph.",
    "cycle No": "No, there is no cycle in this graph.",
    "diameter": "The diameter is {answer}.",
    "shortest_path": "The shortest path from node {s} to node {t} is {answer}.",
    "triangle": "The number of triangles is {answer}.",
}
TITLES = {
    "adjacency_set": "Adjacency Set",
    "adjacency_list": "Adjacency List",
    "adjacency_matrix": "Adjacency Matrix",
    "edge_set": "Edge Set",
    "edge_list": "Edge List",
    "graphml": "GraphML",
    "gml": "Graph Modelling Language (GML)",
}
CUES = {
    "zero_cot": " Let's think step by step:",
    "zero_instruct": " Let's construct a graph with the nodes and edges first:",
    "ltm": " Let's break down this problem:",
}
CONSTRUCT = "\nLet's construct a graph with the nodes and edges first."


@dataclass(frozen=True)
class Asked:
    """A graph and a question on it, and for an exemplar the text before its answer.

    Attributes:
        n_nodes: Number of nodes.
        edges: The edges.
        source: The first node of the question, where it names one.
        target: The second node, where it names one.
        reasoning: What CoT and Instruct show.
        run: What Algorithm shows.
    """

    n_nodes: int
    edges: Sequence[tuple[int, int]]
    source: int | None
    target: int | None
    reasoning: str = ""
    run: str = ""

    def graph(self) -> "nx.Graph[int]":
        """Returns a new graph object."""
        graph: nx.Graph[int] = nx.Graph()
        graph.add_nodes_from(range(self.n_nodes))
        graph.add_edges_from(self.edges)
        return graph


def asked_of(of: Instance | Exemplar) -> Asked:
    """Returns what the baseline is given of an instance or exemplar: all but the answer."""
    texts = (of.reasoning, of.run) if isinstance(of, Exemplar) else ()
    return Asked(of.graph.n_nodes, of.graph.edges, of.source, of.target, *texts)


def shown_of(task: str, generation: int) -> tuple[list[Asked], str]:
    """Returns the exemplars of a task without their answers, and the algorithm's description."""
    return [asked_of(shown) for shown in exemplars(task, generation)], wording(task).algorithm


def query(
    task: str,
    serialization: str,
    scheme: str,
    asked: Asked,
    worked: Sequence[Asked],
    algorithm: str,
) -> tuple[str, str]:
    """Returns the text of one query and its answer.

    Args:
        task: One of the six tasks.
        serialization: The format of the graphs.
        scheme: The prompt scheme.
        asked: The graph and the question.
        worked: The five worked examples.
        algorithm: The description of the task's algorithm.
    """
    text = f"{algorithm}\n\n" if scheme in ("zero_algorithm", "algorithm") else ""
    if scheme in ("k_shot", "cot", "instruct", "algorithm"):
        for shown in worked:
            graph = shown.graph()
            answer = solve(task, graph, shown.source, shown.target)
            steps = {"k_shot": "", "algorithm": shown.run + " "}.get(scheme, shown.reasoning + " ")
            kind = f"{task} {answer}" if answer in ("Yes", "No") else task
            sentence = SENTENCES[kind].format(s=shown.source, t=shown.target, answer=answer)
            text += f"{_own_text(task, serialization, scheme, graph, shown)} {steps}{sentence}\n\n"
    graph = asked.graph()
    text += _own_text(task, serialization, scheme, graph, asked) + CUES.get(scheme, "")
    return text, solve(task, graph, asked.source, asked.target)


def _own_text(
    task: str, serialization: str, scheme: str, graph: "nx.Graph[int]", asked: Asked
) -> str:
    """Returns what stands from the header to `A:`."""
    return (
        f"Given a graph, your task is to {HEADERS[task].format(s=asked.source, t=asked.target)}. "
        f"The graph has {len(graph)} nodes, numbered 0 to {len(graph) - 1}.\n"
        f"And the graph representation of: {TITLES[serialization]} is\n"
        f"{WRITERS[serialization](graph)}{CONSTRUCT if scheme == 'instruct' else ''}\n"
        f"Q: {QUESTIONS[task].format(s=asked.source, t=asked.target)}\nA:"
    )


def _adjacency_set(graph: "nx.Graph[int]") -> str:
    # Python writes small sets in the order of their hash table, so they are sorted by hand.
    rows = []
    for v in graph:
        near = ", ".join(str(u) for u in sorted(graph[v]))
        rows.append(f"{v}: {{{near}}}" if near else f"{v}: set()")
    return "{" + ", ".join(rows) + "}"


def _adjacency_matrix(graph: "nx.Graph[int]") -> str:
    matrix = nx.to_numpy_array(graph, dtype=int)
    return np.array2string(matrix, threshold=sys.maxsize, max_line_width=sys.maxsize)


def _edge_set(graph: "nx.Graph[int]") -> str:
    edges = ", ".join(str(edge) for edge in sorted(graph.edges))
    return f"{{{edges}}}" if edges else "set()"


WRITERS: dict[str, Callable[["nx.Graph[int]"], str]] = {
    "adjacency_set": _adjacency_set,
    "adjacency_list": lambda graph: str({v: sorted(graph[v]) for v in graph}),
    "adjacency_matrix": _adjacency_matrix,
    "edge_set": _edge_set,
    "edge_list": lambda graph: "\n".join(nx.generate_edgelist(graph, data=False)),
    "graphml": lambda graph: "\n".join(nx.generate_graphml(graph)),
    "gml": lambda graph: "\n".join(nx.generate_gml(graph)),
}
"""How each format is written; networkx lays GraphML and GML out in its own way."""


def solve(task: str, graph: "nx.Graph[int]", source: int | None, target: int | None) -> str:
    """Returns the answer to a question, as records have it."""
    if task == "bfs_order":
        return ",".join(str(v) for v in nx.bfs_tree(graph, source))
    if task == "connectivity":
        return "Yes" if nx.has_path(graph, source, target) else "No"
    if task == "cycle":
        return "No" if nx.is_forest(graph) else "Yes"
    if task == "diameter":
        return str(nx.diameter(graph))
    if task == "shortest_path":
        return ",".join(str(v) for v in nx.shortest_path(graph, source, target))
    return str(sum(nx.triangles(graph).values()) // 3)
