"""What the sentences of worked cycles and triangles claim, and whether it is so."""

from benchloom.builders.graphomni.claim_rules import LIST, NODE, PATH, Example, numbers, rule

_EDGES = r"\[([0-9]{1,9}-[0-9]{1,9}(?:, [0-9]{1,9}-[0-9]{1,9})*)\]"
_TRIPLE = r"\([0-9]{1,9}, [0-9]{1,9}, [0-9]{1,9}\)"
_TRIPLES = rf"\[({_TRIPLE}(?:, {_TRIPLE})*)\]"


def _next(example: Example, node: str, neighbour: str) -> bool:
    """Returns whether the search at a node looks at the right neighbour now; notes it."""
    tried = example.tried.setdefault(int(node), [])
    tried.append(int(neighbour))
    right = example.stack[-1:] == [int(node)]
    return right and tried == example.near(int(node))[: len(tried)]


def _pairs(text: str) -> list[tuple[int, int]]:
    ends = numbers(text)
    return list(zip(ends[::2], ends[1::2], strict=True))


def _triples(text: str) -> list[tuple[int, int, int]]:
    nodes = numbers(text)
    return list(zip(nodes[::3], nodes[1::3], nodes[2::3], strict=True))


@rule(rf"Start a depth-first search at node {NODE}\.")
def _starts(example: Example, node: str) -> bool:
    unvisited = [v for v in range(example.plain.n_nodes) if v not in example.visited]
    right = not example.stack and unvisited[:1] == [int(node)]
    example.stack = [int(node)]
    example.visited.append(int(node))
    return right


@rule(rf"At node {NODE}, neighbor {NODE} is not visited, so go to node {NODE}\.")
def _goes_on(example: Example, node: str, neighbour: str, again: str) -> bool:
    right = _next(example, node, neighbour) and neighbour == again
    right = right and int(neighbour) not in example.visited
    example.visited.append(int(neighbour))
    example.stack.append(int(neighbour))
    return right


@rule(rf"At node {NODE}, neighbor {NODE} is the parent, so leave it out\.")
def _is_parent(example: Example, node: str, neighbour: str) -> bool:
    return _next(example, node, neighbour) and example.stack[-2:-1] == [int(neighbour)]


@rule(
    rf"At node {NODE}, neighbor {NODE} is visited and is not the parent, which gives the cycle "
    rf"{PATH}\."
)
def _closes(example: Example, node: str, neighbour: str, cycle: str) -> bool:
    example.concluded = True
    right = _next(example, node, neighbour) and int(neighbour) in example.stack[:-2]
    nodes = numbers(cycle)
    begin = example.stack.index(int(neighbour)) if right else 0
    return right and nodes == [*example.stack[begin:], nodes[0]] and example.is_cycle(nodes)


@rule(rf"Node {NODE} has no neighbors left, so (?:go back to node {NODE}|this search ends)\.")
def _goes_back(example: Example, node: str, parent: str) -> bool:
    right = example.stack[-1:] == [int(node)]
    right = right and example.tried.get(int(node), []) == example.near(int(node))
    right = right and example.stack[-2:-1] == numbers(parent)
    example.stack = example.stack[:-1]
    return right


@rule(r"All nodes are visited, and no cycle was found\.")
def _finds_no_cycle(example: Example) -> bool:
    example.concluded = True
    all_visited = sorted(example.visited) == list(range(example.plain.n_nodes))
    return not example.stack and all_visited


@rule(r"A node with fewer than two neighbors is on no cycle, so we remove such nodes\.")
def _removes(example: Example) -> bool:
    return len(example.rest) == example.plain.n_nodes


def _left(example: Example, node: int) -> list[int]:
    return [u for u in example.near(node) if u in example.rest]


@rule(rf"Node {NODE} has (?:only the neighbor {NODE}|no neighbors) left, so remove node {NODE}\.")
def _removes_leaf(example: Example, node: str, neighbour: str, again: str) -> bool:
    right = node == again and int(node) in example.rest
    right = right and _left(example, int(node)) == numbers(neighbour)
    example.rest = [v for v in example.rest if v != int(node)]
    return right


@rule(r"No nodes remain\.")
def _none_remain(example: Example) -> bool:
    example.concluded = True
    return not example.rest


@rule(rf"Each of the remaining nodes {LIST} has at least two neighbors among them\.")
def _have_two(example: Example, listed: str) -> bool:
    right = numbers(listed) == example.rest != []
    return right and all(len(_left(example, v)) >= 2 for v in example.rest)


@rule(rf"So they contain a cycle, such as {PATH}\.")
def _contain(example: Example, cycle: str) -> bool:
    example.concluded = True
    return set(numbers(cycle)) <= set(example.rest) and example.is_cycle(numbers(cycle))


@rule(rf"For the edge {NODE}-{NODE}, common neighbors of its ends (?:are {LIST}|do not exist)\.")
def _in_common(example: Example, first: str, second: str, listed: str) -> bool:
    place = len(example.told)
    right = example.plain.edges[place : place + 1] == ((int(first), int(second)),)
    example.told.append((int(first), int(second)))
    example.numbers.append(len(numbers(listed)))
    common = set(example.near(int(first))) & set(example.near(int(second)))
    return right and numbers(listed) == sorted(common)


@rule(rf"The numbers of common neighbors add up to {NODE}\.")
def _adds_up(example: Example, total: str) -> bool:
    return len(example.told) == example.plain.n_edges and sum(example.numbers) == int(total)


@rule(rf"Each triangle was counted three times, and {NODE} / 3 = {NODE}\.")
def _is_third(example: Example, total: str, third: str) -> bool:
    example.concluded = True
    return int(total) == sum(example.numbers) == 3 * int(third)


def _larger(example: Example, node: int) -> list[int]:
    return [v for v in example.near(node) if v > node]


def _pairs_left(example: Example) -> list[tuple[int, int]]:
    """Returns the edges between the larger neighbours of the node that was told last."""
    near = _larger(example, example.told[-1]) if example.told else []
    return [(v, w) for v in near for w in near if v < w and example.graph.has_edge(v, w)]


@rule(rf"The neighbors of node {NODE} with larger numbers are {LIST}\.")
def _has_larger(example: Example, node: str, listed: str) -> bool:
    right = int(node) == len(example.told)
    example.told.append(int(node))
    return right and numbers(listed) == _larger(example, int(node)) != []


@rule(rf"Node {NODE} has fewer than two neighbors with larger numbers\.")
def _has_few_larger(example: Example, node: str) -> bool:
    right = int(node) == len(example.told)
    example.told.append(int(node))
    return right and len(_larger(example, int(node))) < 2


@rule(rf"Edges between them: {_EDGES}, which gives the triangles {_TRIPLES}\.")
def _gives(example: Example, edges: str, triangles: str) -> bool:
    found = _triples(triangles)
    example.triangles += found
    right = _pairs(edges) == _pairs_left(example) != []
    return right and found == [(example.told[-1], v, w) for v, w in _pairs(edges)]


@rule(r"There are no edges between them\.")
def _gives_none(example: Example) -> bool:
    return example.told != [] and not _pairs_left(example)


@rule(rf"(?:The list of all triangles is {_TRIPLES}|No triangles were found)\.")
def _are_all(example: Example, triangles: str) -> bool:
    import networkx

    example.concluded = True
    found = _triples(triangles)
    right = found == example.triangles and len(example.told) == example.plain.n_nodes
    return right and len(found) == sum(networkx.triangles(example.graph).values()) // 3
