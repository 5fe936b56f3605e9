import hashlib
import os
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Callable
from functools import cache
from itertools import combinations, pairwise, product

import networkx
import pytest

from benchloom.builders.errors import InputError
from benchloom.builders.graphomni import checks
from benchloom.builders.graphomni.cells import Instance
from benchloom.builders.graphomni.grid import (
    COUNTS,
    DIFFICULTIES,
    EXTRA_HARD,
    GENERATORS,
    TASK_GENERATORS,
)
from benchloom.builders.graphomni.instances import plan_cell, task_generators
from benchloom.builders.graphomni.shortcuts import shortcuts
from benchloom.builders.graphs.graph import Graph

CELLS = list(product(COUNTS, DIFFICULTIES))
YES_NO = ("connectivity", "cycle")
Plan = Callable[..., list[Instance]]


@cache
def _plan(task: str, difficulty: str, seed: int, limit: int | None) -> list[Instance]:
    count = COUNTS[task][list(DIFFICULTIES).index(difficulty)]
    return plan_cell(
        task,
        difficulty,
        generation=1,
        seed=seed,
        count=count,
        node_bounds=DIFFICULTIES[difficulty],
        limit=limit,
    )


def plan(
    task: str, difficulty: str = "easy", seed: int = 0, limit: int | None = None
) -> list[Instance]:
    """Returns the instances of a cell of the published grid, planned once."""
    return _plan(task, difficulty, seed, limit)


def small(
    task: str, count: int = 12, low: int = 5, high: int = 10, **options: object
) -> list[Instance]:
    return plan_cell(
        task, "easy", generation=1, seed=0, count=count, node_bounds=(low, high), **options
    )  # type: ignore[arg-type]


def to_networkx(graph: Graph) -> "networkx.Graph[int]":
    drawn = networkx.Graph()
    drawn.add_nodes_from(range(graph.n_nodes))
    drawn.add_edges_from(graph.edges)
    return drawn


@pytest.mark.parametrize(("task", "difficulty"), CELLS)
def test_cells_have_their_counts_shares_and_sizes(task: str, difficulty: str) -> None:
    instances = plan(task, difficulty)
    low, high = DIFFICULTIES[difficulty]
    count = COUNTS[task][list(DIFFICULTIES).index(difficulty)]
    assert [i.index for i in instances] == list(range(count))
    assert all(i.task == task and i.difficulty == difficulty for i in instances)
    assert all(low <= i.graph.n_nodes <= high for i in instances)
    names = TASK_GENERATORS[task]
    share, rest = divmod(count, len(names))
    shares = Counter(i.generator for i in instances)
    assert shares == {name: share + (place < rest) for place, name in enumerate(names)}
    # Every size comes equally often, but for the instances that had to take another.
    moved = sum("nodes" in i.relaxed for i in instances)
    sizes = Counter(i.graph.n_nodes for i in instances)
    assert max(sizes.values()) - min(sizes.values()) <= 2 * len(names) + 2 * moved
    assert moved <= 0.1 * count


@pytest.mark.parametrize(("task", "difficulty"), CELLS)
def test_every_answer_is_confirmed_by_the_second_method(task: str, difficulty: str) -> None:
    for i in plan(task, difficulty):
        assert checks.confirm(task, i.graph, i.source, i.target, i.answer), i


@pytest.mark.parametrize(("task", "difficulty"), CELLS)
def test_every_bound_of_the_shortcuts_holds(task: str, difficulty: str) -> None:
    assert [row for row in shortcuts(task, plan(task, difficulty)) if not row.holds] == []


@pytest.mark.parametrize(("task", "seed"), list(product(YES_NO, (1, 5))))
def test_bounds_hold_for_other_seeds_where_they_are_tightest(task: str, seed: int) -> None:
    assert [row for row in shortcuts(task, plan(task, "easy", seed)) if not row.holds] == []


@pytest.mark.parametrize("task", COUNTS)
def test_no_two_graphs_of_a_cell_and_generator_are_isomorphic(task: str) -> None:
    alike = defaultdict(list)
    for i in plan(task, "easy"):
        alike[i.generator, i.graph.n_nodes, tuple(sorted(i.graph.degrees))].append(i.graph)
    pairs = [pair for group in alike.values() for pair in combinations(group, 2)]
    assert pairs
    for first, second in pairs:
        assert not networkx.is_isomorphic(to_networkx(first), to_networkx(second))


@pytest.mark.parametrize(("task", "difficulty"), CELLS)
def test_no_question_of_a_cell_comes_twice(task: str, difficulty: str) -> None:
    questions = [(i.graph, i.source, i.target) for i in plan(task, difficulty)]
    assert len(set(questions)) == len(questions)


@pytest.mark.parametrize(("task", "limit"), list(product(COUNTS, (1, 13, 40))))
def test_a_limited_plan_is_a_prefix(task: str, limit: int) -> None:
    assert plan(task, "easy", 0, limit) == plan(task, "easy")[:limit]


@pytest.mark.parametrize(("task", "difficulty"), [(t, d) for t, d in CELLS if t in YES_NO])
def test_every_prefix_is_balanced(task: str, difficulty: str) -> None:
    made: Counter[tuple[str, str]] = Counter()
    for i in plan(task, difficulty):
        made[i.generator, i.answer] += 1
        made["all", i.answer] += 1
        for name in ("all", i.generator):
            assert abs(made[name, "Yes"] - made[name, "No"]) <= 1 + (name == "all")
        shares = [sum(made[n, a] for a in ("Yes", "No")) for n in TASK_GENERATORS[task]]
        assert max(shares) - min(shares) <= 1


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_a_yes_pair_has_the_degrees_of_its_no_pair(difficulty: str) -> None:
    pairs = defaultdict(dict)
    for i in plan("connectivity", difficulty):
        assert i.source is not None
        assert i.target is not None
        degrees = sorted((i.graph.degrees[i.source], i.graph.degrees[i.target]))
        assert degrees[0] > 0
        pairs[i.seed_key][i.answer] = degrees, i.relaxed
    both = [pair for pair in pairs.values() if len(pair) == 2]
    assert len(both) >= len(pairs) - 5
    for pair in both:
        (no, _), (yes, relaxed) = pair["No"], pair["Yes"]
        off = max(abs(a - b) for a, b in zip(no, yes, strict=True))
        assert off <= 1 or "degrees" in relaxed
    assert sum("degrees" in pair["Yes"][1] for pair in both) <= 2


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_twins_have_equal_counts(difficulty: str) -> None:
    pairs = defaultdict(dict)
    for i in plan("cycle", difficulty):
        pairs[i.seed_key][i.answer] = i
    twins = 0
    for pair in pairs.values():
        no, yes = pair["No"].graph, pair["Yes"].graph
        twins += (no.n_nodes, no.n_edges, no.degrees.count(0)) == (
            yes.n_nodes,
            yes.n_edges,
            yes.degrees.count(0),
        )
    assert twins >= len(pairs) / 2


def test_graphs_of_sf_for_cycle_have_the_weights_of_the_task() -> None:
    weights = [i.params["d"] for i in plan("cycle", "hard") if i.generator == "SF"]
    assert min(weights) >= 0.3
    assert max(weights) <= 2.7
    assert len(set(weights)) > 10


def test_distances_have_their_quotas() -> None:
    lengths = Counter(min(i.answer.count(","), 4) for i in plan("shortest_path", "hard"))
    assert {k: round(100 * v / 168) for k, v in lengths.items()} == pytest.approx(
        {1: 25, 2: 30, 3: 25, 4: 20}, abs=2
    )


def test_triangles_begin_at_zero_and_end_at_sixty() -> None:
    for difficulty in DIFFICULTIES:
        values = [int(i.answer) for i in plan("triangle", difficulty)]
        assert min(values) == 0
        assert max(values) <= 60


def test_seeds_generations_and_cells_share_nothing() -> None:
    bounds = {"count": 20, "node_bounds": (8, 10)}
    plans = [
        [i.graph for i in plan_cell(task, name, generation=generation, seed=seed, **bounds)]
        for task, name, generation, seed in (
            ("triangle", "easy", 1, 0),
            ("triangle", "easy", 1, 1),
            ("triangle", "easy", 2, 0),
            ("triangle", "hard", 1, 0),
            ("diameter", "easy", 1, 0),
        )
    ]
    for first, second in combinations(plans, 2):
        assert len(set(first) & set(second)) <= 1
    with pytest.raises(TypeError):
        plan_cell("triangle", "easy", generation=1, seed=None, **bounds)


def test_the_plan_does_not_hang_on_the_hash_seed() -> None:
    program = (
        "from benchloom.builders.graphomni.instances import plan_cell\n"
        f"for task in {list(COUNTS)}:\n"
        "    print(plan_cell(task, 'easy', generation=1, seed=0, count=30, node_bounds=(5, 12)))"
    )
    digests = set()
    for value in ("0", "1", "7"):
        done = subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": value},
            capture_output=True,
            check=True,
        )
        digests.add(hashlib.sha256(done.stdout).hexdigest())
    assert len(digests) == 1


def test_avoided_graphs_do_not_come_in_any_numbering() -> None:
    first = small("cycle", 24)
    avoided = [i.graph for i in first[:6]]
    again = small("cycle", 24, avoided=avoided)
    for graph, i in product(avoided, again):
        if graph.n_nodes == i.graph.n_nodes and graph.n_edges == i.graph.n_edges:
            assert not networkx.is_isomorphic(to_networkx(graph), to_networkx(i.graph))


@pytest.mark.parametrize("task", COUNTS)
def test_extra_hard_cells_can_be_filled(task: str) -> None:
    name, bounds, count = EXTRA_HARD
    instances = plan_cell(task, name, generation=1, seed=0, count=count, node_bounds=bounds)
    assert len(instances) == count
    assert all(31 <= i.graph.n_nodes <= 50 for i in instances)
    assert all(checks.confirm(task, i.graph, i.source, i.target, i.answer) for i in instances[::4])
    # Fifty instances are too few for the shares of some bounds, but not for these.
    if task in YES_NO:
        assert [row for row in shortcuts(task, instances)[:7] if not row.holds] == []


@pytest.mark.parametrize(("task", "high"), [("hamiltonian_cycle", 14), ("max_cut", 14)])
def test_np_hard_tasks(task: str, high: int) -> None:
    instances = small(task, 36, 6, high)
    for i in instances:
        assert checks.confirm(task, i.graph, None, None, i.answer)
    if task == "hamiltonian_cycle":
        assert sum(i.answer == "none" for i in instances) == 18
        assert all(a.index + 1 == b.index for a, b in pairwise(instances))
    else:
        assert all(int(i.answer.split(":")[0]) < i.graph.n_edges for i in instances)


@pytest.mark.parametrize(
    ("task", "arguments", "words"),
    [
        # The cell, the rule, what there is, and the nearest number of nodes.
        (
            "bfs_order",
            {"low": 3, "high": 3, "generators": ("BAG",)},
            r"bfs_order easy.*BAG with 3 to 3 nodes.*one step.*1 of 12.*6 to 6 nodes.*1 instance,",
        ),
        (
            "connectivity",
            {"low": 4, "high": 4},
            "connectivity easy.*at most 30% adjacent.*give it ",
        ),
        (
            "diameter",
            {"count": 90, "most_common": 0.05},
            "no diameter in more than 5%.*ask for [0-9]+ inst",
        ),
        ("triangle", {"low": 20, "high": 20, "count": 60, "most": 1}, "at most 1 triangles"),
        ("connectivity", {"generators": ("BAG",)}, "always connected.*choose from BAF"),
        ("cycle", {"generators": ("BAF",)}, "no cycles"),
        ("diameter", {"generators": ("BERM",)}, "do not suit"),
        ("cycle", {"generators": ("ERM", "ERM")}, "none twice"),
        ("cycle", {"generators": ("GNP",)}, "no generator 'GNP'"),
        ("cycle", {"generators": ()}, "at least one generator"),
        ("cycle", {"low": 1}, "at least 2 up"),
        ("cycle", {"low": 9, "high": 8}, "from 9 to 8"),
        ("cycle", {"count": 0}, "at least 1"),
        ("cycle", {"most": 0.3}, "no rule 'most'; choose from twins"),
        ("cycle", {"twins": 1.5}, "from 0 to 1"),
        ("max_cut", {"low": 21, "high": 30}, "up to 20.*nearest upper bound is 20"),
        ("hamiltonian_cycle", {"low": 25, "high": 31}, "nearest upper bound is 30"),
        ("colouring", {}, "choose from bfs_order"),
    ],
)
def test_cells_that_cannot_be_filled_are_refused(
    task: str, arguments: dict[str, object], words: str
) -> None:
    with pytest.raises(InputError, match=words) as caught:
        small(task, **arguments)  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)


def test_every_task_names_generators_in_the_order_of_shares() -> None:
    for task in (*COUNTS, "hamiltonian_cycle", "max_cut"):
        names = task_generators(task)
        assert list(names) == [name for name in GENERATORS if name in names]


# A user does what the message says, so it must be true.
@pytest.mark.parametrize(
    ("task", "arguments"),
    [
        ("bfs_order", {"low": 3, "high": 3, "generators": ("BAG",)}),
        ("connectivity", {"low": 4, "high": 4}),
        ("cycle", {"low": 3, "high": 3}),
        ("diameter", {"low": 4, "high": 5, "count": 60}),
        ("diameter", {"low": 90, "high": 100, "generators": ("SF",)}),
        ("shortest_path", {"low": 2, "high": 2}),
        ("triangle", {"low": 3, "high": 4, "count": 60}),
        ("triangle", {"low": 20, "high": 20, "count": 60, "most": 1}),
        ("hamiltonian_cycle", {"low": 3, "high": 3}),
        ("max_cut", {"low": 3, "high": 3}),
    ],
)
def test_what_is_said_to_be_possible_is(task: str, arguments: dict[str, object]) -> None:
    with pytest.raises(InputError) as caught:
        small(task, **arguments)  # type: ignore[arg-type]
    message = str(caught.value)
    hints = 0
    if found := re.search(r"give it ([0-9]+) to ([0-9]+) nodes", message):
        low, high = int(found[1]), int(found[2])
        planned = small(task, **{**arguments, "low": low, "high": high})  # type: ignore[arg-type]
        assert len(planned) == arguments.get("count", 12)
        assert all(low <= i.graph.n_nodes <= high for i in planned)
        hints += 1
    if found := re.search(r"ask for ([0-9,]+) instance", message):
        count = int(found[1].replace(",", ""))
        assert len(small(task, **{**arguments, "count": count})) == count  # type: ignore[arg-type]
        hints += 1
    assert hints


# There are some 300 forests on 5 to 8 nodes: looking for more would never end.
def test_a_cell_of_far_too_many_instances_is_given_up() -> None:
    with pytest.raises(InputError, match=r"BAF with 5 to 8 nodes gives no .* of 100000 were") as it:
        small("bfs_order", 100_000, 5, 8, generators=("BAF",))
    found = re.search(r"ask for ([0-9,]+) instances", str(it.value))
    assert found
    count = int(found[1].replace(",", ""))
    assert 50 < count < 300
    assert len(small("bfs_order", count, 5, 8, generators=("BAF",))) == count
