"""Faults planted in GraphOmni's records: the audit finds each, and names what is at fault."""

import copy
import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import networkx
import pytest

from benchloom.builders.benchmark import benchmark
from benchloom.builders.graphomni.audit_columns import params_faults
from benchloom.builders.graphomni.audit_layouts import layout_faults
from benchloom.builders.graphomni.audit_texts import is_isomorphic
from benchloom.builders.graphomni.grid import COMBINATIONS
from benchloom.builders.graphomni.reading import read_exemplars, read_query
from benchloom.builders.graphomni.serializers import SERIALIZERS
from benchloom.builders.graphs.graph import Graph
from benchloom.builders.recipe import Recipe

Record = dict[str, Any]
Plant = Callable[[list[Record]], str]
"""Damages the records of a cell, and returns the id of a record or instance to be named."""

N = len(COMBINATIONS)
OMNI = benchmark("graphomni")


def make(task: str, limit: int, split: str = "easy", **options: Any) -> tuple[Recipe, list[Record]]:
    recipe = Recipe.of("graphomni", limit=limit, options=options)
    return recipe, list(OMNI.make_all(OMNI.plan(recipe, task)[split]))


def faults_of(recipe: Recipe, task: str, split: str, records: list[Record]) -> list[str]:
    """Returns all faults of a cell, as `benchloom audit` gives them."""
    columns = {name: [record[name] for record in records] for name in OMNI.features(task)}
    return [
        f"{record['id']}: {fault}"
        for record in records
        for fault in OMNI.audit(record, task, recipe)
    ] + OMNI.audit_split(columns, task, split)


@pytest.fixture(scope="module")
def paths() -> tuple[Recipe, list[Record]]:
    """The first four instances of shortest_path easy."""
    return make("shortest_path", 4)


@pytest.fixture
def plant(paths: tuple[Recipe, list[Record]]) -> Callable[[Plant], tuple[str, list[str]]]:
    """Plants a fault in a copy of them; returns the id to be named, and the faults found."""

    def planted(fault: Plant) -> tuple[str, list[str]]:
        recipe, records = paths[0], copy.deepcopy(paths[1])
        name = fault(records)
        return name, faults_of(recipe, "shortest_path", "easy", records)

    return planted


def place_of(scheme: str, serialization: str, instance: int = 2) -> int:
    return instance * N + COMBINATIONS.index((serialization, scheme))


def blocks_of(record: Record) -> tuple[str, list[str], str]:
    """Returns the text before the exemplars, the exemplars, and the query's own text."""
    own = read_query(record["query"])
    head, exemplars = read_exemplars(own.before)
    starts = [len(it.before) for it in exemplars] + [len(own.before)]
    blocks = [own.before[a:b] for a, b in pairwise(starts)]
    return head, blocks, record["query"][len(own.before) :]


def with_blocks(record: Record, change: Callable[[list[str]], list[str]]) -> None:
    head, blocks, own = blocks_of(record)
    assert change(blocks) != blocks
    record["query"] = head + "".join(change(blocks)) + own


def replaced(record: Record, old: str, new: str) -> None:
    assert old in record["query"]
    record["query"] = record["query"].replace(old, new, 1)


def exemplar_of(record: Record, graph: Graph, source: int, target: int, answer: str) -> str:
    """Returns an exemplar in the form of a record's own text."""
    own = read_query(record["query"])
    serializer = SERIALIZERS[own.serialization]
    return (
        "Given a graph, your task is to determine the shortest path from node "
        f"{source} to node {target} in this graph. The graph has {graph.n_nodes} nodes, numbered "
        f"0 to {graph.n_nodes - 1}.\nAnd the graph representation of: {serializer.title} is\n"
        f"{serializer.serialize(graph)}\nQ: Give the shortest path from node {source} to node "
        f"{target}.\nA: The shortest path from node {source} to node {target} is {answer}.\n\n"
    )


def show_instance(records: list[Record], places: list[int], shift: int = 0) -> str:
    """Puts an instance, its nodes renamed by a shift, in the place of the third exemplar."""
    shown = records[N]
    n = shown["n_nodes"]

    def name(v: int) -> int:
        return (v + shift) % n

    graph = Graph.of(n, [(name(u), name(v)) for u, v in shown["edges"]])
    answer = ",".join(str(name(int(v))) for v in shown["answer"].split(","))
    source, target = name(shown["source"]), name(shown["target"])
    for place in places:
        record = records[place]
        text = exemplar_of(record, graph, source, target, answer)
        with_blocks(record, lambda blocks, text=text: [*blocks[:2], text, *blocks[3:]])
    return str(shown["instance_id"])


K_SHOT = [i for i, (_, scheme) in enumerate(COMBINATIONS * 4) if scheme == "k_shot"]


@pytest.mark.parametrize("places", [[place_of("k_shot", "gml")], K_SHOT], ids=["one", "all"])
@pytest.mark.parametrize("shift", [0, 1], ids=["the same", "renamed"])
def test_an_evaluated_exemplar_is_found(plant, places: list[int], shift: int) -> None:
    instance, faults = plant(lambda records: show_instance(records, places, shift))
    (found,) = (fault for fault in faults if "has the graph of the instance" in fault)
    assert found.startswith("exemplar 3 of shortest_path-easy-k_shot-")
    assert found.endswith(f"the instance {instance}")


def of_record(scheme: str, serialization: str, change: Callable[[Record], None]) -> Plant:
    """Returns a plant that changes one record."""

    def planted(records: list[Record]) -> str:
        record = records[place_of(scheme, serialization)]
        change(record)
        return str(record["id"])

    return planted


def of_instance(change: Callable[[Record], None]) -> Plant:
    """Returns a plant that changes all records of an instance, and names it."""

    def planted(records: list[Record]) -> str:
        for record in records[2 * N : 3 * N]:
            change(record)
        return str(records[2 * N]["instance_id"])

    return planted


def one_node_more(blocks: list[str]) -> list[str]:
    """Returns exemplars of which the first states a node too many."""
    found = re.search(r"The graph has ([0-9]+) nodes, numbered 0 to ([0-9]+)\.", blocks[0])
    assert found
    n = int(found[1])
    more = blocks[0].replace(found[0], f"The graph has {n + 1} nodes, numbered 0 to {n}.")
    return [more, *blocks[1:]]


def without_a_step(record: Record) -> None:
    """Takes the first sentence of the first exemplar away."""
    first = record["query"].index("\nA: ") + len("\nA: ")
    end = record["query"].index(". ", first) + len(". ")
    record["query"] = record["query"][:first] + record["query"][end:]


def misplaced_edge(record: Record) -> None:
    first, second = (f"{u} {v}" for u, v in record["edges"][:2])
    replaced(record, f"{first}\n{second}", f"{second}\n{first}")


def turned_edge(record: Record) -> None:
    u, v = record["edges"][-1]
    own = len(read_query(record["query"]).before)
    query = record["query"]
    record["query"] = query[:own] + query[own:].replace(f"({u}, {v})", f"({v}, {u})")


def repeated_edge(record: Record) -> None:
    u, v = record["edges"][0]
    record["query"] = record["query"].replace(f"{{({u}, {v}),", f"{{({u}, {v}), ({u}, {v}),")


def set_to(name: str, value: Any) -> Callable[[Record], None]:
    def change(record: Record) -> None:
        assert record[name] != value
        record[name] = value

    return change


TEXTS = [
    of_record("k_shot", "edge_list", lambda r: with_blocks(r, one_node_more)),
    of_record("cot", "edge_set", lambda r: with_blocks(r, one_node_more)),
    of_record("k_shot", "gml", lambda r: with_blocks(r, lambda b: [b[0], *b[:4]])),
    of_record("cot", "graphml", lambda r: with_blocks(r, lambda b: b[::-1])),
    of_record("algorithm", "graphml", lambda r: with_blocks(r, lambda b: [b[1], b[0], *b[2:]])),
    of_record("algorithm", "gml", lambda r: replaced(r, "Put the first", "Place the first")),
    of_record("zero_algorithm", "gml", lambda r: replaced(r, "Go back", "Return")),
    of_record("zero_shot", "gml", lambda r: replaced(r, "task is to determine", "aim is to find")),
    of_record("zero_shot", "gml", lambda r: replaced(r, "from node ", "from node 0")),
    of_record("k_shot", "gml", lambda r: replaced(r, "in this graph. The", "here. The")),
    of_record("k_shot", "gml", lambda r: replaced(r, "\n\nGiven", " \n\nGiven")),
    of_record("zero_cot", "gml", lambda r: replaced(r, "step by step:", "one by one:")),
    of_record("cot", "gml", without_a_step),
    of_record("instruct", "edge_list", without_a_step),
    of_record("algorithm", "edge_set", without_a_step),
    of_record("k_shot", "edge_list", lambda r: replaced(r, "Edge List is\n", "Edge List is\n\n")),
    of_record("zero_shot", "edge_list", misplaced_edge),
    of_record("zero_shot", "edge_set", turned_edge),
    of_record("zero_shot", "edge_set", repeated_edge),
    of_record("zero_shot", "adjacency_list", lambda r: replaced(r, ", 1: ", ",  1: ")),
]  # fmt: skip


@pytest.mark.parametrize("fault", TEXTS)
def test_a_record_whose_text_deviates_is_named(plant, fault: Plant) -> None:
    name, faults = plant(fault)
    assert any(name in fault for fault in faults)


@pytest.mark.parametrize("fault", TEXTS)
def test_no_other_record_is_blamed(plant, fault: Plant) -> None:
    name, faults = plant(fault)
    assert [fault for fault in faults if name not in fault] == []


@pytest.mark.parametrize(
    ("scheme", "serialization", "change", "words"),
    [
        ("k_shot", "edge_list", one_node_more, "the exemplars of"),
        ("cot", "gml", lambda b: b[::-1], "the exemplars of"),
        ("instruct", "gml", lambda b: [b[0], *b[:4]], "exemplars 1 and 2 show the same graph"),
        ("k_shot", "gml", lambda b: b[:4], "follows none of the prompt schemes"),
    ],
)
def test_one_instance_is_compared_over_formats_and_schemes(
    scheme: str, serialization: str, change: Callable[[list[str]], list[str]], words: str
) -> None:
    recipe, records = make("shortest_path", 1)
    assert faults_of(recipe, "shortest_path", "easy", records) == []
    record = records[place_of(scheme, serialization, 0)]
    with_blocks(record, change)
    faults = faults_of(recipe, "shortest_path", "easy", records)
    assert any(words in fault and record["id"] in fault for fault in faults)


def test_a_step_lacks_in_one_of_one_instance() -> None:
    recipe, records = make("shortest_path", 1)
    record = records[place_of("instruct", "gml", 0)]
    without_a_step(record)
    faults = faults_of(recipe, "shortest_path", "easy", records)
    assert any("the exemplars' steps" in fault and record["id"] in fault for fault in faults)


def test_of_two_records_that_differ_both_are_named() -> None:
    recipe, records = make("triangle", 2)
    cue = [record for record in records if record["prompt_scheme"] == "ltm"]
    cue[0]["query"] = cue[0]["query"].replace("break down", "take apart")
    faults = faults_of(recipe, "triangle", "easy", records)
    both = (fault for fault in faults if "which are as many" in fault)
    assert any(cue[0]["id"] in fault and cue[7]["id"] in fault for fault in both)


def test_exemplars_that_differ_in_one_format_or_scheme_are_found(
    paths: tuple[Recipe, list[Record]],
) -> None:
    recipe = paths[0]
    for name, value in (("serialization", "edge_list"), ("prompt_scheme", "algorithm")):
        records = copy.deepcopy(paths[1])
        of_it = [
            record
            for record in records
            if record[name] == value and read_exemplars(read_query(record["query"]).before)[1]
        ]
        for record in of_it:
            with_blocks(record, lambda blocks: blocks[::-1])
        (found,) = (
            fault
            for fault in faults_of(recipe, "shortest_path", "easy", records)
            if fault.startswith("the exemplars of")
        )
        assert of_it[0]["id"] in found
        assert f"and {len(of_it) - 3} more differ from those of the other records" in found


@pytest.mark.parametrize("task", ["max_cut", "diameter"])
@pytest.mark.parametrize("n", [40, 999_999_999])
def test_numbers_of_nodes_that_would_take_for_ever_are_found(task: str, n: int) -> None:
    recipe, records = make(task, 1)
    for serialization, scheme in (("edge_list", "zero_shot"), ("edge_set", "k_shot")):
        record = records[COMBINATIONS.index((serialization, scheme))]
        record["query"] = re.sub(
            "The graph has .*", f"The graph has {n} nodes, numbered 0 to {n - 1}.", record["query"]
        )
        record["n_nodes"] = n
    faults = faults_of(recipe, task, "easy", records)
    assert any(f"it has {n} nodes, easy has 5 to 10" in fault for fault in faults)
    assert any(f"an exemplar has {n} nodes, not 5 to 10" in fault for fault in faults)


@pytest.mark.parametrize("task", ["connectivity", "cycle"])
def test_exemplars_with_one_answer_are_found(task: str) -> None:
    recipe, records = make(task, 1)
    for record in records:
        if record["prompt_scheme"] == "k_shot":
            _, blocks, _ = blocks_of(record)
            yes = [block for block in blocks if "A: Yes" in block]
            with_blocks(record, lambda blocks, yes=yes: (yes * 3)[:5])
    faults = faults_of(recipe, task, "easy", records)
    assert sum("its exemplars all have the same answer" in fault for fault in faults) == 7


KEY = "graphomni/1/shortest_path/easy/instance/0/BERM/0"
COLUMNS = [
    (of_record("cot", "gml", set_to("id", "shortest_path-easy-cot-gml-0001")), "id is"),
    (of_record("cot", "gml", set_to("instance_id", "shortest_path-easy-0003")), "id is"),
    (of_record("cot", "gml", set_to("instance_id", "shortest_path-easy-2")), "instance_id is"),
    (of_record("cot", "gml", set_to("difficulty", "hard")), "is not easy"),
    (of_record("cot", "gml", set_to("difficulty", "simple")), "does not build"),
    (of_record("cot", "gml", set_to("generator", "SF")), "generator of"),
    (of_record("cot", "gml", set_to("generator", "USER")), "generator is 'USER'"),
    (of_record("cot", "gml", set_to("generator_params", '{"m":1}')), "generator_params of"),
    (of_record("cot", "gml", set_to("seed_key", "0")), "seed_key of"),
    (of_record("cot", "gml", lambda r: r["edges"].reverse()), "edges is not sorted"),
    (of_record("cot", "gml", lambda r: r["edges"][0].reverse()), "edges is not sorted"),
    (of_record("cot", "gml", lambda r: r["edges"].append(r["edges"][-1])), "edges is not sorted"),
    (of_instance(set_to("difficulty", "hard")), "is not easy"),
    (of_instance(set_to("generator", "XX")), "generator is 'XX'"),
    (of_instance(set_to("generator", "SF")), "generator_params is"),
    (of_instance(set_to("generator_params", "{")), "generator_params is"),
    (of_instance(set_to("seed_key", KEY.replace("/0/", "/1/"))), "seed_key is"),
    (of_instance(set_to("seed_key", KEY.replace("easy", "hard"))), "seed_key is"),
    (of_instance(set_to("seed_key", KEY.replace("shortest_path", "cycle"))), "seed_key is"),
    (of_instance(set_to("seed_key", KEY.replace("BERM", "ERM"))), "seed_key is"),
]  # fmt: skip


@pytest.mark.parametrize(("fault", "words"), COLUMNS)
def test_a_column_that_is_wrong_is_found(plant, fault: Plant, words: str) -> None:
    name, faults = plant(fault)
    number = name.rpartition("-")[2]
    assert any(words in fault and number in fault for fault in faults)


def test_a_column_without_values_is_found(paths: tuple[Recipe, list[Record]]) -> None:
    for name in ("edges", "query", "seed_key", "generator_params", "difficulty", "n_nodes"):
        records = copy.deepcopy(paths[1])
        records[place_of("cot", "gml")][name] = None
        columns = {key: [record[key] for record in records] for key in records[0]}
        faults = OMNI.audit_split(columns, "shortest_path", "easy")
        assert any("shortest_path-easy-cot-gml-0002" in fault for fault in faults)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda rows: [*rows[N:], *rows[:N]], "record 0 is shortest_path-easy-zero_shot-"),
        (lambda rows: [*rows[:7], rows[8], rows[7], *rows[9:]], "2 records in all are not in"),
        (lambda rows: [*rows[:70], *rows[71:]], "shortest_path-easy-0001 stands in 62 of 63"),
        (lambda rows: [*rows[:70], rows[69], *rows[71:]], "-0001 stands twice in one"),
    ],
)
def test_rows_out_of_order_are_found(
    paths: tuple[Recipe, list[Record]],
    change: Callable[[list[Record]], list[Record]],
    words: str,
) -> None:
    recipe, records = paths
    faults = faults_of(recipe, "shortest_path", "easy", change(records))
    assert any(words in fault for fault in faults)
    assert any("not in the order of the grid" in fault for fault in faults)


def test_instances_with_one_random_key_are_found(plant) -> None:
    def planted(records: list[Record]) -> str:
        for record in records[N : 2 * N]:
            record["seed_key"] = records[0]["seed_key"]
        return str(records[N]["instance_id"])

    name, faults = plant(planted)
    assert any("one seed_key" in fault and name in fault for fault in faults)


def test_numbers_of_nodes_outside_the_recipe_are_found() -> None:
    recipe, records = make("triangle", 2, nodes=["easy=8-9"])
    assert faults_of(recipe, "triangle", "easy", records) == []
    other = Recipe.of("graphomni", limit=2, options={"nodes": ["easy=5-6"]})
    faults = faults_of(other, "triangle", "easy", records)
    assert sum("easy has 5 to 6" in fault for fault in faults) == 2 * N


def test_another_seed_is_found() -> None:
    _, records = make("triangle", 1)
    recipe = Recipe.of("graphomni", limit=1, seed=3)
    faults = faults_of(recipe, "triangle", "easy", records)
    assert sum("seed_key is" in fault for fault in faults) == N


@pytest.mark.parametrize("task", ["hamiltonian_cycle", "max_cut", "connectivity", "cycle"])
@pytest.mark.parametrize("limit", [1, 12])
def test_good_cells_have_no_faults(task: str, limit: int) -> None:
    recipe, records = make(task, limit)
    assert faults_of(recipe, task, "easy", records) == []


def test_good_cells_with_options_have_no_faults() -> None:
    recipe, records = make("bfs_order", 7, "extra_hard", extra_hard=True)
    assert faults_of(recipe, "bfs_order", "extra_hard", records) == []
    for task in ("connectivity", "cycle"):
        recipe, records = make(task, 4, generators=["ERP"])
        assert faults_of(recipe, task, "easy", records) == []


SQUARE = Graph.of(4, [(0, 1), (1, 2), (2, 3), (0, 3)])
STAR = Graph.of(4, [(0, 1), (0, 2), (0, 3)])


@pytest.mark.parametrize(
    ("generator", "params", "graph", "right"),
    [
        ("ERM", '{"m":4}', SQUARE, True),
        ("ERM", '{"m":3}', SQUARE, False),
        ("ERM", '{"m":"4"}', SQUARE, False),
        ("ERM", '{"m":4,"p":0.5}', SQUARE, False),
        ("ERM", "[4]", SQUARE, False),
        ("ERP", '{"p":0.5}', SQUARE, True),
        ("ERP", '{"p":0}', SQUARE, False),
        ("ERP", '{"p":1.5}', SQUARE, False),
        ("ERP", '{"p":NaN}', SQUARE, False),
        ("ERP", '{"p":[0.5]}', SQUARE, False),
        ("BERM", '{"m":4,"parts":[[0,2],[1,3]]}', SQUARE, True),
        ("BERM", '{"m":3,"parts":[[0,2],[1,3]]}', SQUARE, False),
        ("BERM", '{"m":4,"parts":[[0,1],[2,3]]}', SQUARE, False),
        ("BERM", '{"m":4,"parts":[[2,0],[1,3]]}', SQUARE, False),
        ("BERP", '{"p":0.5,"parts":[[0,2],[1,3]]}', SQUARE, True),
        ("BERP", '{"p":0.5,"parts":[[0,2],[1]]}', SQUARE, False),
        ("BERP", '{"p":0.5,"parts":[[0,1,2,3],[]]}', Graph(4, ()), False),
        ("BERP", '{"p":0.5,"parts":4}', SQUARE, False),
        ("BAF", '{"trees":1}', STAR, True),
        ("BAF", '{"trees":2}', STAR, False),
        ("BAF", '{"trees":1}', Graph.of(4, [(0, 1), (0, 2), (1, 2)]), False),
        ("BAG", '{"m":1,"m0":2}', STAR, True),
        ("BAG", '{"m":2,"m0":2}', STAR, False),
        ("BAG", '{"m":1,"m0":2}', Graph.of(4, [(0, 1), (0, 2), (1, 2)]), False),
        ("SF", '{"d":2.7,"gamma":3.0}', SQUARE, True),
        ("SF", '{"d":2.7,"gamma":2.5}', SQUARE, False),
        ("SF", '{"d":1.0,"gamma":3.0}', SQUARE, False),
        ("USER", '{"graph":"a.g6 line 1"}', SQUARE, True),
        ("USER", '{"graph":1}', SQUARE, False),
    ],
)
def test_parameters_must_give_the_graph(
    generator: str, params: str, graph: Graph, right: bool
) -> None:
    assert (params_faults("bfs_order", generator, params, graph) == ()) == right


@pytest.mark.parametrize("name", list(SERIALIZERS))
def test_what_serialisers_write_is_in_order(name: str) -> None:
    for n in range(8):
        for p in (0.0, 0.4, 1.0):
            edges = list(networkx.gnp_random_graph(n, p, seed=n).edges)
            graph = Graph.of(n, edges)
            text = SERIALIZERS[name].serialize(graph)
            assert layout_faults(name, text, graph) == ()
            assert layout_faults(name, text + " ", graph) != ()


def test_isomorphic_graphs_are_told_from_others_with_their_degrees() -> None:
    hexagon = Graph.of(6, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (0, 5)])
    triangles = Graph.of(6, [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5)])
    other = Graph.of(6, [(0, 2), (2, 4), (1, 4), (1, 3), (3, 5), (0, 5)])
    assert is_isomorphic(hexagon, other)
    assert not is_isomorphic(hexagon, triangles)
