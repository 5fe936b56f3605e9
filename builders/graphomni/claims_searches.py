"""What the sentences of worked breadth-first searches claim, and whether it is so."""

from benchloom.builders.graphomni.claim_rules import LIST, NAMES, NODE, PATH, Example, numbers, rule


def _new(example: Example, node: int) -> list[int]:
    """Returns the neighbours of a node that are not visited yet."""
    return [u for u in example.near(node) if u not in example.visited]


@rule(rf"Put node {NODE} into the queue and mark it as visited\.")
def _puts(example: Example, node: str) -> bool:
    right = int(node) == example.source and not example.visited
    example.queue, example.visited = [int(node)], [int(node)]
    return right


@rule(rf"Dequeue node {NODE}\.")
def _dequeues(example: Example, node: str) -> bool:
    right = example.queue[:1] == [int(node)] and example.current is None
    example.queue = example.queue[1:]
    example.dequeued.append(int(node))
    example.current = int(node)
    return right


@rule(rf"The neighbors of node {NODE} are {LIST}\.")
def _has_neighbours(example: Example, node: str, listed: str) -> bool:
    return int(node) == example.current and numbers(listed) == example.near(int(node)) != []


@rule(rf"Node {NODE} has no neighbors\.")
def _has_none(example: Example, node: str) -> bool:
    right = int(node) == example.current and int(node) in example.graph
    example.current = None
    return right and not example.near(int(node))


@rule(
    rf"{NAMES.replace('node', '[Nn]ode')} (is|are) (already visited|not visited yet), so enqueue "
    rf"(?:nothing|{NAMES})\."
)
def _enqueues(example: Example, told: str, verb: str, state: str, enqueued: str) -> bool:
    if example.current is None:
        return False
    near, new = example.near(example.current), _new(example, example.current)
    old = [u for u in near if u not in new]
    example.current, example.enqueued = None, new
    example.queue += new
    example.visited += new
    about = old if state == "already visited" else new
    return (
        numbers(told) == about != []
        and (about is old or not old)
        and verb == ("is" if len(about) == 1 else "are")
        and numbers(enqueued) == new
    )


@rule(rf"The predecessor of {NAMES} is node {NODE}\.")
def _has_predecessor(example: Example, nodes: str, predecessor: str) -> bool:
    example.predecessor.update(dict.fromkeys(numbers(nodes), int(predecessor)))
    return numbers(nodes) == example.enqueued and example.dequeued[-1:] == [int(predecessor)]


@rule(rf"Now node {NODE} is visited, so the search ends\.")
def _finds(example: Example, node: str) -> bool:
    # The path of a shortest path is still to be read off.
    example.concluded = example.task == "connectivity"
    return int(node) == example.target and int(node) in example.enqueued


@rule(rf"The queue is now {LIST}\.")
def _queue_is(example: Example, listed: str) -> bool:
    return numbers(listed) == example.queue != [] and example.current is None


@rule(r"The queue is now empty, so the search ends\.")
def _queue_is_empty(example: Example) -> bool:
    example.concluded = example.task == "bfs_order"
    return not example.queue and example.current is None and example.visited != []


@rule(rf"The visited nodes are {LIST}\.")
def _visited_are(example: Example, listed: str) -> bool:
    example.them = numbers(listed)
    component = sorted(example.distances(example.visited[0])) if example.visited else []
    return example.them == sorted(example.visited) == component and not example.queue


@rule(rf"Node {NODE} is not among them\.")
def _is_not_among(example: Example, node: str) -> bool:
    example.concluded = True
    return int(node) == example.target and int(node) not in example.them != []


@rule(rf"(The node|The nodes) at distance {NODE} from node {NODE} (is|are) {LIST}\.")
def _at_distance(
    example: Example, subject: str, distance: str, node: str, verb: str, listed: str
) -> bool:
    right = int(distance) == example.distance + 1 and int(node) == example.source
    example.distance, example.them = int(distance), numbers(listed)
    found = example.distances(int(node))
    singular = len(example.them) == 1
    return (
        right
        and example.them == sorted(v for v, far in found.items() if far == int(distance)) != []
        and (subject, verb) == (("The node", "is") if singular else ("The nodes", "are"))
    )


@rule(
    rf"There are no nodes at distance {NODE} from node {NODE}, so the nodes that node {NODE} can "
    rf"reach are {LIST}\."
)
def _reaches(example: Example, distance: str, node: str, again: str, listed: str) -> bool:
    found = example.distances(int(node))
    example.them = numbers(listed)
    right = int(node) == int(again) == example.source and example.them == sorted(found)
    return right and int(distance) == example.distance + 1 == max(found.values()) + 1


@rule(rf"Node {NODE} is among them, and {PATH} is a path to it\.")
def _has_path(example: Example, node: str, path: str) -> bool:
    example.concluded = True
    nodes = numbers(path)
    right = int(node) == example.target == nodes[-1] and int(node) in example.them
    return right and nodes[0] == example.source and example.is_path(nodes)


@rule(rf"The traversal starts at node {NODE}, so level 0 is {LIST}\.")
def _starts(example: Example, node: str, listed: str) -> bool:
    # Level by level: the queue holds the level at work, `them` the one after it.
    right = int(node) == example.source and numbers(listed) == [int(node)]
    example.queue, example.visited = [int(node)], [int(node)]
    return right


@rule(rf"From node {NODE} we newly reach (?:no node|{NAMES})\.")
def _newly_reaches(example: Example, node: str, reached: str) -> bool:
    new = _new(example, int(node))
    right = example.queue[:1] == [int(node)] and numbers(reached) == new
    example.queue = example.queue[1:]
    example.visited += new
    example.them = example.them + new
    return right


@rule(rf"So level {NODE} is {LIST}\.")
def _level_is(example: Example, level: str, listed: str) -> bool:
    if example.source is None:
        return False
    found = example.distances(example.source)
    right = numbers(listed) == example.them and not example.queue
    right = right and int(level) == example.distance + 1
    example.distance, example.queue, example.them = int(level), example.them, []
    return right and sorted(example.queue) == sorted(
        v for v, far in found.items() if far == int(level)
    )


@rule(r"No new node is left to reach, so the traversal ends\.")
def _nothing_left(example: Example) -> bool:
    example.concluded = True
    right = example.visited != [] and not example.queue and not example.them
    return right and sorted(example.visited) == sorted(example.distances(example.visited[0]))


@rule(rf"Node {NODE} is among them, so the distance from node {NODE} to node {NODE} is {NODE}\.")
def _distance_is(example: Example, node: str, source: str, target: str, distance: str) -> bool:
    right = int(node) == int(target) == example.target and int(source) == example.source
    example.told = [int(node)]
    right = right and int(node) in example.them
    return right and example.distances(int(source)).get(int(target)) == int(distance)


@rule(
    rf"Going back, node {NODE} has the neighbor {NODE}, which is at distance {NODE} from node "
    rf"{NODE}\."
)
def _goes_back(example: Example, node: str, neighbour: str, distance: str, source: str) -> bool:
    right = example.told[-1:] == [int(node)] and int(source) == example.source
    example.told.append(int(neighbour))
    found = example.distances(int(source))
    near = int(neighbour) in example.near(int(node))
    closer = found.get(int(neighbour)) == int(distance) == found.get(int(node), -1) - 1
    return right and near and closer


@rule(rf"Node {NODE} is a neighbor of node {NODE}\.")
def _is_neighbour(example: Example, node: str, source: str) -> bool:
    example.concluded = True
    right = example.told[-1:] == [int(node)] and int(source) == example.source
    example.told.append(int(source))
    return right and int(node) in example.near(int(source))


@rule(rf"Going back from node {NODE}, its predecessor is node {NODE}\.")
def _goes_back_over(example: Example, node: str, predecessor: str) -> bool:
    example.told = example.told or [example.target]
    right = example.told[-1] == int(node)
    example.told.append(int(predecessor))
    return right and example.predecessor.get(int(node)) == int(predecessor)


@rule(rf"Node {NODE} is the first node, so the path is complete\.")
def _is_complete(example: Example, node: str) -> bool:
    example.concluded = True
    return int(node) == example.source and example.told[-1:] == [int(node)]


@rule(rf"From node {NODE}, the levels are ({LIST}(?:, {LIST})*)\.")
def _levels_are(example: Example, node: str, levels: str, *_: str) -> bool:
    found = example.distances(int(node))
    right = int(node) == len(example.told)
    example.told.append(int(node))
    shown = [numbers(level) for level in levels.split("]")[:-1]]
    return (
        right
        and shown
        == [sorted(v for v, far in found.items() if far == level) for level in range(len(shown))]
        and sum(map(len, shown)) == len(found)
    )


@rule(rf"The last one is level {NODE}, so the eccentricity of node {NODE} is {NODE}\.")
def _eccentricity_is(example: Example, level: str, node: str, eccentricity: str) -> bool:
    right = example.told[-1:] == [int(node)] and int(level) == int(eccentricity)
    example.numbers.append(int(eccentricity))
    return right and int(level) == max(example.distances(int(node)).values(), default=-1)


@rule(rf"The largest (?:eccentricity|of these distances) is {NODE}\.")
def _largest_is(example: Example, number: str) -> bool:
    example.concluded = True
    right = len(example.told) == len(example.numbers) == example.plain.n_nodes
    return right and max(example.numbers) == int(number)


@rule(rf"Farthest from node {NODE} (is|are) {NAMES}, at distance {NODE}\.")
def _farthest_is(example: Example, node: str, verb: str, nodes: str, distance: str) -> bool:
    found = example.distances(int(node))
    right = int(node) == len(example.told) and (verb == "are") == (len(numbers(nodes)) > 1)
    example.told.append(int(node))
    example.numbers.append(int(distance))
    last = max(found.values(), default=-1)
    right = right and last == int(distance)
    return right and numbers(nodes) == sorted(v for v, far in found.items() if far == last)


@rule(rf"It is reached by node {NODE} and node {NODE}, with the shortest path {PATH}\.")
def _is_reached(example: Example, first: str, second: str, path: str) -> bool:
    nodes = numbers(path)
    right = [int(first), int(second)] == [nodes[0], nodes[-1]] and example.is_path(nodes)
    return right and len(nodes) - 1 == max(example.numbers, default=-1)
