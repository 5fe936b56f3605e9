"""What the sentences of worked Hamiltonian cycles and largest cuts claim, and whether it is so."""

from itertools import combinations

from benchloom.builders.graphomni.claim_rules import LIST, NODE, PATH, Example, numbers, rule

_EDGES = r"\[([0-9]{1,9}-[0-9]{1,9}(?:, [0-9]{1,9}-[0-9]{1,9})*)\]"


@rule(r"Start the path with node 0\.")
def _starts_path(example: Example) -> bool:
    right = not example.stack
    example.stack, example.tried = [0], {0: []}
    return right


def _is_exhausted(example: Example) -> bool:
    """Returns whether every extension of the path was tried."""
    last = example.stack[-1]
    free = [u for u in example.near(last) if u not in example.stack]
    return example.tried[last] == free


def _retreats(example: Example, path: str) -> bool:
    example.stack = example.stack[:-1]
    return numbers(path) == example.stack


@rule(rf"Extend the path to {PATH}\.")
def _extends(example: Example, path: str) -> bool:
    nodes = numbers(path)
    if nodes[:-1] != example.stack or not example.is_path(nodes):
        return False
    tried = example.tried[example.stack[-1]]
    right = not tried or tried[-1] < nodes[-1]
    tried.append(nodes[-1])
    example.stack, example.tried[nodes[-1]] = nodes, []
    return right


@rule(rf"The path {PATH} visits all nodes, and {NODE}-{NODE} is an edge\.")
def _closes_path(example: Example, path: str, last: str, first: str) -> bool:
    example.concluded = True
    nodes = numbers(path)
    right = nodes == example.stack and len(nodes) == example.plain.n_nodes
    right = right and [int(first), int(last)] == [nodes[0], nodes[-1]]
    return right and example.is_cycle([*nodes, nodes[0]])


@rule(
    rf"The path {PATH} visits all nodes, but {NODE}-{NODE} is not an edge, so go back to "
    rf"{PATH}\."
)
def _does_not_close(example: Example, path: str, last: str, first: str, back: str) -> bool:
    nodes = numbers(path)
    right = nodes == example.stack and len(nodes) == example.plain.n_nodes
    right = right and [int(first), int(last)] == [nodes[0], nodes[-1]]
    right = right and not example.graph.has_edge(nodes[0], nodes[-1])
    return _retreats(example, back) and right


@rule(rf"The path {PATH} has no extension left, so (?:go back to {PATH}|all paths are tried)\.")
def _has_no_extension(example: Example, path: str, back: str) -> bool:
    right = example.stack != [] and numbers(path) == example.stack and _is_exhausted(example)
    example.concluded = not back
    return _retreats(example, back) and right


@rule(rf"The graph has the edges {_EDGES}\.")
def _has_edges(example: Example, edges: str) -> bool:
    ends = numbers(edges)
    example.told = list(zip(ends[::2], ends[1::2], strict=True))
    return all(example.graph.has_edge(u, v) for u, v in example.told)


@rule(rf"In this order they visit each of the {NODE} nodes once and return to node 0\.")
def _visit_all(example: Example, n_nodes: str) -> bool:
    example.concluded = True
    nodes = [u for u, _ in example.told]
    following = [v for _, v in example.told]
    right = nodes[:1] == [0] and following == [*nodes[1:], 0]
    return right and len(nodes) == int(n_nodes) and sorted(nodes) == sorted(example.graph)


@rule(r"A Hamiltonian cycle needs two edges at every node\.")
@rule(r"A Hamiltonian cycle holds all other nodes together when one node is left out\.")
def _needs(example: Example) -> bool:
    return example.task == "hamiltonian_cycle"


@rule(rf"The neighbors of node {NODE} are {LIST}, which are fewer than two\.")
def _has_fewer(example: Example, node: str, listed: str) -> bool:
    example.concluded = True
    right = int(node) in example.graph and numbers(listed) == example.near(int(node))
    return right and len(numbers(listed)) < 2


@rule(rf"Without node {NODE}, the other nodes fall into the parts \[({LIST}(?:, {LIST})*)\]\.")
def _fall_apart(example: Example, node: str, parts: str, *_: str) -> bool:
    import networkx

    example.concluded = True
    rest = example.graph.subgraph(v for v in example.graph if v != int(node))
    shown = [numbers(part) for part in parts.split("]")[:-1]]
    right = int(node) in example.graph and len(shown) > 1
    return right and shown == sorted(sorted(part) for part in networkx.connected_components(rest))


def _cut(example: Example, side: list[int]) -> int:
    """Returns how many edges leave a side; -1 if it is no side with node 0, sorted."""
    import networkx

    right = side[:1] == [0] and side == sorted(set(side)) and set(side) < set(example.graph)
    return int(networkx.cut_size(example.graph, side)) if right else -1


@rule(rf"The side {LIST} cuts {NODE} edges?\.")
def _cuts(example: Example, listed: str, size: str) -> bool:
    side = numbers(listed)
    right = side not in example.told
    example.told.append(side)
    example.numbers.append(int(size))
    return right and _cut(example, side) == int(size)


@rule(
    rf"Of the sides with node 0 and {NODE} other nodes, {LIST} cuts the most edges, namely "
    rf"{NODE}\."
)
def _cuts_most(example: Example, more: str, listed: str, size: str) -> bool:
    right = int(more) == len(example.told)
    side = numbers(listed)
    example.told.append(side)
    example.numbers.append(int(size))
    rest = range(1, example.plain.n_nodes)
    right = right and len(side) == int(more) + 1 and _cut(example, side) == int(size)
    return right and int(size) == max(
        _cut(example, [0, *others]) for others in combinations(rest, int(more))
    )


@rule(rf"The largest of these numbers is {NODE}, for the side {LIST}\.")
def _is_largest(example: Example, size: str, listed: str) -> bool:
    example.concluded = True
    n = example.plain.n_nodes
    # All sides one by one, or the best one of each number of nodes.
    right = len(example.told) in (2 ** (n - 1) - 1, n - 1)
    right = right and max(example.numbers) == int(size)
    example.them = numbers(listed)
    return right and _cut(example, numbers(listed)) == int(size)
