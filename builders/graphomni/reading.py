"""Reads queries as a model sees them, to check them: the graph, the question, the exemplars.

It knows the layout and the questions from the paper (A.3, A.7) and shares nothing with the code
that writes them but the parsers of the formats.
"""

import re
from dataclasses import dataclass

from benchloom.builders.errors import InputError
from benchloom.builders.graphomni.grid import DIFFICULTIES
from benchloom.builders.graphomni.serializers import SERIALIZERS
from benchloom.builders.graphs.graph import Graph

_QUESTIONS = {
    "bfs_order": r"Give the bfs traversal order starting from node ([0-9]{1,9})\.",
    "connectivity": r"Is there a path between node ([0-9]{1,9}) and node ([0-9]{1,9})\?",
    "cycle": r"Is there a cycle in this graph\?",
    "diameter": r"What is the diameter of this graph\?",
    "shortest_path": r"Give the shortest path from node ([0-9]{1,9}) to node ([0-9]{1,9})\.",
    "triangle": r"How many triangles are in this graph\?",
    "hamiltonian_cycle": r'Give a Hamiltonian cycle of this graph, or "none" if there is none\.',
    "max_cut": r"What is the size of the largest cut of this graph, and which nodes are on one of "
    r"its sides\?",
}
# Words of the header sentence that tell its task.
_HEADERS = {
    "bfs_order": "bfs traversal order",
    "connectivity": "there is a path between",
    "cycle": "there is a cycle",
    "diameter": "diameter",
    "shortest_path": "shortest path",
    "triangle": "triangles",
    "hamiltonian_cycle": "Hamiltonian cycle",
    "max_cut": "cut",
}
_HEADER = re.compile(
    r"(Given a graph, your task is to .*?)\. "
    r"The graph has ([0-9]{1,9}) nodes?(?:, numbered 0(?: to ([0-9]{1,9}))?)?\."
)
# A number with a leading zero stays, and so differs from how others write it.
_NUMBER = re.compile(r"(?<![0-9])(?:0|[1-9][0-9]*)(?![0-9])")
_GRAPH = "\nAnd the graph representation of: "
_CONSTRUCT = "\nLet's construct a graph with the nodes and edges first."
_CUES = {
    "": "zero_shot",
    "Let's think step by step:": "zero_cot",
    "Let's construct a graph with the nodes and edges first:": "zero_instruct",
    "Let's break down this problem:": "ltm",
}


@dataclass(frozen=True)
class Parts:
    """What one query or one exemplar shows.

    Attributes:
        task: The task that it asks for.
        serialization: The format of its graph.
        n_nodes: The number of nodes that it states.
        graph_text: The graph as it stands there.
        source: The first node that it asks about, None if there is none.
        target: The second node, None if there is none.
        construct: Whether the cue to construct the graph stands after it.
        before: All text before its header.
        after: All text after its `A:`, without the space.
        wording: Its header and its question, each number in them replaced by `#`.
    """

    task: str
    serialization: str
    n_nodes: int
    graph_text: str
    source: int | None
    target: int | None
    construct: bool
    before: str
    after: str
    wording: str

    def graph(self) -> Graph:
        """Returns the graph, read by the format's parser.

        Raises:
            InputError: If the text is damaged or does not have the stated number of nodes.
        """
        return SERIALIZERS[self.serialization].parse(self.graph_text, self.n_nodes)


def read_query(text: str) -> Parts:
    """Returns the parts of the last question of a query: the one that is asked.

    Raises:
        InputError: If it is not laid out as a query is, or contradicts itself; one sentence.
    """
    asked = text.rfind("\nQ: ")
    shown = text.rfind(_GRAPH, 0, max(asked, 0))
    if asked < 0 or shown < 0:
        raise InputError("the query has no graph followed by a question")
    begin = text.rfind("\n", 0, shown) + 1
    found = _HEADER.fullmatch(text, begin, shown)
    if not found:
        raise InputError("the query does not say its task and number of nodes before the graph")
    n_nodes = _stated_nodes(found)
    task, nodes, asking, after = _read_question(text[asked + len("\nQ: ") :])
    if (
        _HEADERS[task] not in found[1]
        or list(map(int, re.findall(r"[0-9]{1,9}", found[1]))) != nodes
    ):
        raise InputError("the query's first sentence asks something else than its question")
    if any(node >= n_nodes for node in nodes):
        raise InputError(f"the query asks about a node that its {n_nodes} nodes do not have")
    title, between, graph_text = text[shown + len(_GRAPH) : asked].partition(" is\n")
    serialization = next((key for key, it in SERIALIZERS.items() if it.title == title), None)
    if not between or serialization is None:
        raise InputError("the query does not name a known format before its graph")
    construct = graph_text.endswith(_CONSTRUCT)
    padded: list[int | None] = [*nodes, None, None]
    return Parts(
        task,
        serialization,
        n_nodes,
        graph_text.removesuffix(_CONSTRUCT),
        padded[0],
        padded[1],
        construct,
        text[:begin],
        after,
        _NUMBER.sub("#", f"{found[0]}\n{asking}"),
    )


def read_exemplars(before: str) -> tuple[str, list[Parts]]:
    """Returns the text before the exemplars, and the exemplars, in their order.

    Args:
        before: The text before a query's header, as `Parts.before` has it.

    Raises:
        InputError: If an exemplar is not laid out as a query, has no answer, or states a number of
            nodes that no easy graph has (on which checks might never end).
    """
    exemplars: list[Parts] = []
    least, most = DIFFICULTIES["easy"]
    while _GRAPH in before:
        exemplar = read_query(before)
        if not exemplar.after.endswith("\n\n") or "\n" in exemplar.after[:-2]:
            raise InputError("the answer of an exemplar is not one line and an empty one")
        if not least <= exemplar.n_nodes <= most:
            raise InputError(f"an exemplar has {exemplar.n_nodes} nodes, not {least} to {most}")
        exemplars.insert(0, exemplar)
        before = exemplar.before
    return before, exemplars


def scheme_of(query: Parts) -> str:
    """Returns the name of the prompt scheme that a query follows, judged by what it shows.

    Raises:
        InputError: If no scheme looks like that.
    """
    head, exemplars = read_exemplars(query.before)
    cue = query.after
    if not exemplars and not query.construct and cue in _CUES and not (head and cue):
        return "zero_algorithm" if head else _CUES[cue]
    if len(exemplars) != 5 or cue or any(it.construct != query.construct for it in exemplars):
        raise InputError("the query follows none of the prompt schemes")
    worked = any(it.after.count(". ") for it in exemplars)
    scheme = {
        (False, False, False): "k_shot",
        (False, False, True): "cot",
        (False, True, True): "instruct",
        (True, False, True): "algorithm",
    }.get((bool(head), query.construct, worked))
    if scheme is None:
        raise InputError("the query follows none of the prompt schemes")
    return scheme


def _stated_nodes(found: re.Match[str]) -> int:
    """Returns the number of nodes that a header states, after checking its numbering."""
    n_nodes = int(found[2])
    sentence = found[0][found.end(1) - found.start() :]
    if n_nodes == 1:
        right = sentence.endswith("1 node, numbered 0.")
    elif n_nodes == 0:
        right = sentence.endswith("0 nodes.")
    else:
        right = found[3] is not None and int(found[3]) == n_nodes - 1
    if not right:
        raise InputError("the query numbers its nodes otherwise than from 0 to n-1")
    return n_nodes


def _read_question(text: str) -> tuple[str, list[int], str, str]:
    """Returns a question's task, the nodes it names, its words, and what follows its `A:`."""
    for task, pattern in _QUESTIONS.items():
        found = re.match(rf"{pattern}\nA:", text)
        if found:
            after = text[found.end() :]
            if after and not after.startswith(" "):
                raise InputError("the query goes on without a space after its A:")
            asking = found[0].removesuffix("\nA:")
            return task, [int(node) for node in found.groups()], asking, after[1:]
    raise InputError("the query's question is none that a task asks")
