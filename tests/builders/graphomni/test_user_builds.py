"""Builds of a user's own graphs, through the command line and down to the choice of questions."""

import contextlib
import filecmp
import io
import json
import os
import shutil
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import networkx
import pytest
from datasets import load_dataset

from benchloom.builders.benchmark import benchmark
from benchloom.builders.errors import InputError
from benchloom.builders.graphomni.exemplars import exemplar_graphs
from benchloom.builders.graphomni.generators import draw
from benchloom.builders.graphomni.grid import COUNTS, DIFFICULTIES, NP_HARD
from benchloom.builders.graphomni.user_graphs import read_graphs
from benchloom.builders.graphs.graph import Graph
from benchloom.builders.graphs.graph6 import encode
from benchloom.builders.pipeline import make_plan
from benchloom.builders.recipe import Recipe, chosen_configs
from benchloom.builders.seeds import rng
from benchloom.loaders.directory import Build
from benchloom.scripts.main import main

TASKS = (*COUNTS, *NP_HARD)


def theirs(graph: Graph) -> Any:
    made = networkx.empty_graph(graph.n_nodes)
    made.add_edges_from(graph.edges)
    return made


def write_graph6(folder: Path, graphs: list[Graph], name: str = "graphs.g6") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text("".join(f"{encode(graph)}\n" for graph in graphs))
    return folder


def cycle_of(n: int) -> Graph:
    return Graph.of(n, [(v, (v + 1) % n) for v in range(n)])


def path_of(n: int) -> Graph:
    return Graph.of(n, [(v, v + 1) for v in range(n - 1)])


def star_of(n: int) -> Graph:
    return Graph.of(n, [(0, v) for v in range(1, n)])


def side_by_side(*graphs: Graph) -> Graph:
    edges, n = [], 0
    for graph in graphs:
        edges += [(u + n, v + n) for u, v in graph.edges]
        n += graph.n_nodes
    return Graph.of(n, edges)


def drawn(count: int, name: str, low: int = 5, high: int = 30) -> list[Graph]:
    random = rng("tests", "user builds", name)
    return [draw(name, int(random.integers(low, high + 1)), random).graph for _ in range(count)]


def recipe_of(folder: Path, **options: Any) -> Recipe:
    limit = options.pop("limit", None)
    return Recipe.of("graphomni", limit=limit, options={"graphs": folder, **options})


def plan(folder: Path, task: str, **options: Any) -> dict[str, list[Any]]:
    """The instances of each split of a task."""
    specs = benchmark("graphomni").plan(recipe_of(folder, **options), task)
    return {split: [spec.instance for spec in of[::63]] for split, of in specs.items()}


def everything(planned: dict[str, list[Any]]) -> list[Any]:
    return [instance for instances in planned.values() for instance in instances]


def remarks(folder: Path, *configs: str, **options: Any) -> list[str]:
    return benchmark("graphomni").remarks(recipe_of(folder, **options), configs)


@pytest.fixture(scope="session")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a file of every format, some of them in folders."""
    top = tmp_path_factory.mktemp("mixed") / "graphs"
    names = ("ERP", "BAF", "SF", "BERP")
    write_graph6(top, [graph for name in names for graph in drawn(10, name)])
    deep = top / "more" / "deep"
    deep.mkdir(parents=True)
    (top / "README.md").write_text("Not a graph.\n")
    networkx.write_gml(networkx.petersen_graph(), deep / "petersen.gml")
    networkx.write_graphml(networkx.grid_2d_graph(3, 4), deep / "grid.graphml")
    (top / "cities.edges").write_text("Rome Paris\nParis Berlin\nBerlin Oslo\nOslo Rome\nOslo Bonn")
    tu = top / "TOY"
    tu.mkdir()
    edges = [(1, 2), (2, 3), (3, 4), (4, 5), (6, 7), (7, 8), (8, 6), (8, 9), (9, 10), (10, 11)]
    (tu / "TOY_A.txt").write_text("".join(f"{u}, {v}\n{v}, {u}\n" for u, v in edges))
    (tu / "TOY_graph_indicator.txt").write_text("1\n" * 5 + "2\n" * 6)
    ogb = top / "toymol" / "raw"
    ogb.mkdir(parents=True)
    (ogb / "edge.csv").write_text("0,1\n1,2\n2,3\n3,0\n3,4\n4,5\n")
    (ogb / "num-node-list.csv").write_text("6\n")
    (ogb / "num-edge-list.csv").write_text("6\n")
    return top


@pytest.fixture(scope="session")
def user_build(mixed: Path) -> Path:
    """The first instance of every cell of all tasks of these graphs. Not to be changed."""
    out = mixed.parent / "build"
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        words = ["build", "graphomni", *TASKS, "--graphs", str(mixed), "--limit", "1"]
        assert main([*words, "--jobs", "1", "--out", str(out)]) == 0
    (mixed.parent / "printed").write_text(printed.getvalue())
    return out


def test_records_show_the_graphs_of_the_folder(mixed, user_build):
    by_name = dict(read_graphs(mixed).graphs)
    for config, split in Build(user_build).splits():
        least, most = DIFFICULTIES[split]
        rows = [row for _, row in Build(user_build).records(config, split)]
        assert len(rows) == 63
        for row in rows:
            name = json.loads(row["generator_params"])["graph"]
            graph = Graph.of(row["n_nodes"], [tuple(edge) for edge in row["edges"]])
            assert by_name[name] == graph
            assert row["generator"] == "USER"
            assert least <= graph.n_nodes <= most
    assert set(Build(user_build).manifest.configs) == set(TASKS)


def test_what_was_renumbered_and_left_out_is_printed(user_build):
    printed = (user_build.parent / "printed").read_text()
    assert "cities.edges: nodes were not numbered 0 to n-1: Berlin is now 0" in printed
    assert "not connected" in printed.partition("config  ")[0]


def test_another_place_and_other_jobs_make_the_same_bytes(mixed, user_build, tmp_path, run_cli):
    shutil.copytree(mixed, tmp_path / "elsewhere")
    words = ("build", "graphomni", *TASKS, "--graphs", "elsewhere/", "--limit", "1", "--jobs", "2")
    assert run_cli(*words, "--out", "again").returncode == 0
    files = [path.relative_to(user_build) for path in user_build.rglob("*") if path.is_file()]
    same, *others = filecmp.cmpfiles(user_build, tmp_path / "again", files, shallow=False)
    assert (len(same), others) == (len(files), [[], []])
    assert str(mixed).encode() not in b"".join((user_build / file).read_bytes() for file in files)


def test_every_command_works_on_such_a_build(mixed, user_build, tmp_path, capsys):
    assert main(["audit", str(user_build), "--sample", "60"]) == 0
    assert main(["verify", str(user_build), "--sample", "8", "--from", str(mixed)]) == 0
    assert main(["preview", str(user_build), "--to", str(tmp_path / "page.html")]) == 0
    record = "max_cut-easy-zero_shot-gml-0000"
    assert main(["show", str(user_build), record, "--draw", str(tmp_path / "a.png")]) == 0
    assert main(["stats", str(user_build)]) == 0
    assert "BROKEN" not in capsys.readouterr().out
    assert len(load_dataset(str(user_build), "cycle", split="hard")) == 63
    assert len(load_dataset(str(user_build), split="medium")) == 63 * len(COUNTS)
    assert "--limit 1 --graphs FOLDER" in (user_build / "README.md").read_text()


def test_verify_wants_the_folder_as_it_was(mixed, user_build, tmp_path, capsys):
    assert main(["verify", str(user_build)]) == 2
    assert "name it with --from FOLDER" in capsys.readouterr().err
    other = write_graph6(tmp_path / "other", [path_of(7)])
    assert main(["verify", str(user_build), "--from", str(other)]) == 2
    assert capsys.readouterr().err.count("is not what the build was made from") == 1


@pytest.mark.parametrize("name", ["vga", "graphomni"])
def test_other_builds_were_made_from_no_folder(mixed, name):
    with pytest.raises(InputError, match="leave out --from"):
        Recipe.of(name).with_folder(mixed)


def test_a_changed_folder_is_another_recipe(tmp_path, capsys):
    folder = write_graph6(tmp_path / "graphs", [cycle_of(n) for n in range(5, 9)])
    words = ["build", "graphomni", "diameter", "--graphs", str(folder), "--jobs", "1"]
    assert main([*words, "--out", str(tmp_path / "out")]) == 0
    assert main([*words, "--out", str(tmp_path / "out")]) == 0
    assert "whole and unchanged" in capsys.readouterr().out
    write_graph6(folder, [path_of(9)], "more.g6")
    assert main([*words, "--out", str(tmp_path / "out")]) == 2
    assert "holds a build of another recipe (graphs " in capsys.readouterr().err


def test_the_recipe_holds_the_digest_alone(mixed):
    recipe = recipe_of(mixed)
    assert recipe.to_json()["options"] == {"graphs": read_graphs(mixed).digest}
    assert recipe.command() == "benchloom build graphomni --graphs FOLDER"
    stored = Recipe.from_json({**recipe.to_json(), "inputs": {"graphs": str(mixed)}})
    assert stored == recipe
    with pytest.raises(InputError, match="--from FOLDER"):
        benchmark("graphomni").plan(stored, "cycle")
    assert stored.with_folder(mixed).inputs == {"graphs": mixed}


BAD = {
    "no folder": ({}, "does not exist"),
    "empty": ({"empty/": ""}, "holds no graph file"),
    "directed": ({"a.gml": "graph [\n directed 1\n]"}, "a.gml, line 2: the graph is directed"),
    "weighted": ({"a.edges": "0 1\n1 2 0.5\n"}, "a.edges, line 2: edge 1 2 has the weight 0.5"),
    "self-loop": ({"a.txt": "0 1\n\n1 1\n"}, "a.txt, line 3: edge 1-1 is a self-loop"),
    "no graph6": ({"a.g6": "DQw\n!!\n"}, "a.g6, line 2"),
    "no graph": ({"sub/a.png": "PNG"}, "sub/a.png: files with the ending .png are not read"),
    "torn": ({"a.graphml": "<graphml>\n<graph"}, "a.graphml, line 2"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_sentence(tmp_path, run_cli, case):
    files, message = BAD[case]
    for name, content in files.items():
        path = tmp_path / "graphs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if content:
            path.write_text(content)
    ran = run_cli("build", "graphomni", "--graphs", "graphs", "--out", "out")
    assert ran.returncode == 2
    assert ran.stdout == ""
    assert message in ran.stderr
    assert ran.stderr.startswith("benchloom: graphs")
    assert ran.stderr.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_a_file_that_may_not_be_read_is_named(tmp_path, monkeypatch):
    folder = write_graph6(tmp_path / "graphs", [path_of(5)])

    def refuse(path: Path) -> bytes:
        raise PermissionError(13, os.strerror(13), str(path))

    monkeypatch.setattr(Path, "read_bytes", refuse)  # root may read every file
    with pytest.raises(InputError, match=r"graphs\.g6: cannot be read \(Permission denied\)"):
        recipe_of(folder)


def test_graphs_take_the_place_of_generators(tmp_path, capsys):
    folder = write_graph6(tmp_path, [path_of(5)])
    words = ["build", "graphomni", "--graphs", str(folder), "--generators", "BAG"]
    assert main([*words, "--out", str(tmp_path.parent / "never")]) == 2
    assert "leave out --generators" in capsys.readouterr().err


def test_a_build_does_not_go_into_the_folder_that_is_read(tmp_path, capsys):
    folder = write_graph6(tmp_path, [path_of(5)])
    words = ["build", "graphomni", "--graphs", str(folder)]
    assert main([*words, "--out", str(folder / "sub" / "out")]) == 2
    assert "which is read; choose another --out" in capsys.readouterr().err


def test_a_limit_gives_the_first_instances(mixed):
    for task in ("connectivity", "cycle", "shortest_path"):
        whole = plan(mixed, task)
        assert {split: of[:3] for split, of in whole.items()} == plan(mixed, task, limit=3)


def test_another_seed_asks_otherwise(mixed):
    of = benchmark("graphomni")
    plans = [
        of.plan(Recipe.of("graphomni", seed=seed, options={"graphs": mixed}), "bfs_order")["hard"]
        for seed in (0, 1)
    ]
    assert [one.instance.graph for one in plans[0]] != [one.instance.graph for one in plans[1]]


def test_no_graph_stands_twice_or_is_an_exemplar(tmp_path):
    graphs = drawn(25, "ERP", 5, 9)
    random = rng("tests", "shuffled")
    copies = [graph.relabelled(random.permutation(graph.n_nodes)) for graph in graphs]
    shown = [graph for graph, _, _ in exemplar_graphs("triangle", 1)]
    folder = write_graph6(tmp_path, [*copies, *graphs, *shown])
    chosen = [theirs(one.graph) for one in everything(plan(folder, "triangle"))]
    alike = [networkx.is_isomorphic(*pair) for pair in combinations(chosen, 2)]
    assert not any(alike)
    assert not any(networkx.is_isomorphic(theirs(g), one) for g in shown for one in chosen)
    classes: list[Any] = []
    for graph in map(theirs, graphs):
        if not any(networkx.is_isomorphic(graph, one) for one in (*classes, *map(theirs, shown))):
            classes.append(graph)
    assert len(chosen) == len(classes)
    (left_out,) = [line for line in remarks(folder, "triangle") if "left out" in line]
    assert "5 isomorphic to an exemplar" in left_out
    # 55 graphs: what is left out and what is used.
    assert left_out.startswith(f"triangle: {55 - len(chosen)} of 55 graphs")


def test_regular_graphs_are_told_apart(tmp_path):
    # All of them have one colour after any number of refinements.
    apart = [
        cycle_of(12),
        side_by_side(cycle_of(5), cycle_of(7)),
        side_by_side(cycle_of(6), cycle_of(6)),
        side_by_side(*[cycle_of(3)] * 4),
    ]
    large = [cycle_of(70), side_by_side(cycle_of(30), cycle_of(40)), cycle_of(70)]
    folder = write_graph6(tmp_path, [*apart, *large])
    planned = plan(folder, "triangle", nodes={"hard": [31, 100]})
    assert {split: len(of) for split, of in planned.items()} == {"medium": 4, "hard": 2}


def test_answers_take_turns_while_there_are_both(tmp_path):
    trees, tours = drawn(60, "BAF", 11, 20), drawn(60, "ERP", 11, 20)
    folder = write_graph6(tmp_path, trees + tours)
    for task in ("cycle", "connectivity", "hamiltonian_cycle"):
        answers = [one.answer not in ("No", "none") for one in plan(folder, task)["medium"]]
        rarer = min(answers.count(True), answers.count(False))
        assert rarer > 10
        for end in range(2 * rarer + 1):
            assert abs(2 * sum(answers[:end]) - end) <= 1
        # Which of the two comes first is a matter of chance.
        assert len({tuple(answers[i : i + 2]) for i in range(0, 2 * rarer, 2)}) == 2


def test_an_answer_of_which_there_is_no_more_is_reported(tmp_path):
    folder = write_graph6(tmp_path, [*map(path_of, range(11, 14)), *map(cycle_of, range(11, 21))])
    answers = [one.answer for one in plan(folder, "cycle")["medium"]]
    assert Counter(answers) == {"Yes": 10, "No": 3}
    assert Counter(answers[:6]) == {"Yes": 3, "No": 3}
    said = "cycle medium: the answer is Yes 10 times and No 3 times; no more graphs give No."
    assert said in remarks(folder)
    assert not any("answer is" in line for line in remarks(folder, "cycle", limit=6))


def test_questions_keep_the_rules_of_their_tasks(mixed):
    for one in everything(plan(mixed, "bfs_order")):
        assert (
            networkx.eccentricity(
                theirs(one.graph).subgraph(
                    networkx.node_connected_component(theirs(one.graph), one.source)
                ),
                one.source,
            )
            >= 2
        )
    for one in everything(plan(mixed, "connectivity")):
        assert min(one.graph.degrees[one.source], one.graph.degrees[one.target]) > 0
        joined = networkx.has_path(theirs(one.graph), one.source, one.target)
        assert one.answer == ("Yes" if joined else "No")
    assert all(
        networkx.is_connected(theirs(one.graph)) for one in everything(plan(mixed, "diameter"))
    )
    cuts = everything(plan(mixed, "max_cut"))
    assert len(cuts) > 5
    assert not any(networkx.is_bipartite(theirs(one.graph)) for one in cuts)
    assert all(one.graph.n_nodes <= 20 for one in cuts)


def test_connectivity_pairs_are_spread_and_not_given_away(tmp_path):
    folder = write_graph6(
        tmp_path, [graph for name in ("BAF", "BERP", "ERP") for graph in drawn(70, name, 11, 20)]
    )
    yes = [one for one in plan(folder, "connectivity")["medium"] if one.answer == "Yes"]
    far = Counter(
        min(networkx.shortest_path_length(theirs(one.graph), one.source, one.target), 3)
        for one in yes
    )
    assert min(far.values()) >= 0.15 * len(yes)
    two = [
        sum(len(part) > 1 for part in networkx.connected_components(theirs(one.graph))) > 1
        for one in yes
    ]
    assert sum(two) > 0


def test_distances_of_paths_are_spread_as_far_as_graphs_allow(tmp_path):
    folder = write_graph6(tmp_path / "a", [cycle_of(n) for n in range(9, 21)] + [star_of(12)])
    lengths = [one.answer.count(",") for one in everything(plan(folder, "shortest_path"))]
    assert {min(length, 4) for length in lengths} == {1, 2, 3, 4}
    folder = write_graph6(tmp_path / "b", [star_of(n) for n in range(5, 21)])
    lengths = [one.answer.count(",") for one in everything(plan(folder, "shortest_path"))]
    assert Counter(lengths).keys() == {1, 2}
    assert len(lengths) == 16


def test_common_values_are_held_back_while_there_are_others(tmp_path):
    graphs = [star_of(n) for n in range(11, 21)]
    graphs += [side_by_side(cycle_of(3), *[star_of(2)] * k) for k in range(4, 9)]
    graphs += [side_by_side(*[cycle_of(3)] * k) for k in range(4, 7)]
    folder = write_graph6(tmp_path, graphs)
    answers = [one.answer for one in plan(folder, "triangle", counts={"medium": 8})["medium"]]
    assert max(Counter(answers).values()) <= 3
    assert {"4", "5", "6"} < set(answers)
    assert len(plan(folder, "triangle")["medium"]) == 18


def test_every_format_gives_instances(mixed):
    names = {one.params["graph"].split()[0] for one in everything(plan(mixed, "triangle"))}
    assert names == {
        "graphs.g6",
        "more/deep/petersen.gml",
        "more/deep/grid.graphml",
        "cities.edges",
        "TOY/TOY_A.txt",
        "toymol/raw/edge.csv",
    }


def test_counts_and_nodes_of_the_recipe_hold(mixed):
    planned = plan(mixed, "triangle", counts={"easy": 2, "hard": 3}, nodes={"hard": [21, 25]})
    assert len(planned["easy"]) == 2
    assert len(planned["hard"]) <= 3
    assert all(one.graph.n_nodes <= 25 for one in planned["hard"])
    assert any(
        "more than are asked for (see --counts)" in line
        for line in remarks(mixed, "triangle", counts={"easy": 2})
    )


def test_every_graph_that_is_not_used_has_a_reason(mixed):
    total = len(read_graphs(mixed).graphs)
    for task in ("bfs_order", "diameter", "max_cut"):
        instances = everything(plan(mixed, task))
        names = {one.params["graph"] for one in instances}
        assert len(instances) == len(names)
        line = next(line for line in remarks(mixed, task) if " left out: " in line)
        count, counts = line.split()[1], line.partition(" left out: ")[2].split(", ")
        assert int(count) == sum(int(part.split()[0]) for part in counts) == total - len(names)


def test_one_graph_is_enough(tmp_path):
    folder = write_graph6(tmp_path, [side_by_side(path_of(4), path_of(3))])
    recipe = recipe_of(folder)
    assert chosen_configs(recipe, ()) == tuple(task for task in COUNTS if task != "diameter")
    assert chosen_configs(recipe, ("all",)) == chosen_configs(recipe, ())
    assert {split for splits in make_plan(recipe).specs.values() for split in splits} == {"easy"}
    said = "\n".join(remarks(folder))
    assert "diameter: 1 of 1 graphs, which have 7 nodes, left out: 1 not connected." in said
    assert "no split medium, hard, which no graph suits" in said


def test_a_named_task_that_no_graph_suits_is_refused(tmp_path, capsys):
    folder = write_graph6(tmp_path / "graphs", [path_of(6), cycle_of(8), path_of(40)])
    words = ["build", "graphomni", "cycle", "max_cut", "--graphs", str(folder)]
    assert main([*words, "--dry-run", "--out", str(tmp_path / "out")]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "no graph suits the task max_cut: 3 of 3 graphs, which have 6 to 40 nodes" in printed.err
    assert "2 without a cycle of odd length" in printed.err


def test_a_folder_that_no_task_can_use_is_refused(tmp_path):
    folder = write_graph6(tmp_path, [Graph(0, ()), Graph(1, ()), path_of(2)])
    for configs in ((), ("all",), ("cycle",)):
        with pytest.raises(InputError, match=r"3 graphs, which have 0 to 2 nodes, .*--nodes"):
            make_plan(recipe_of(folder), configs)


def test_tiny_graphs_can_be_asked_for(tmp_path):
    folder = write_graph6(tmp_path, [Graph(1, ()), Graph(2, ()), path_of(2), path_of(3)])
    easy = {"nodes": {"easy": [2, 4]}}
    assert len(plan(folder, "triangle", **easy)["easy"]) == 3
    assert len(plan(folder, "connectivity", **easy)["easy"]) == 2
    assert len(plan(folder, "hamiltonian_cycle", **easy)["easy"]) == 2
    assert [one.answer for one in plan(folder, "bfs_order", **easy)["easy"]] in (
        ["0,1,2"],
        ["2,1,0"],
    )


def test_large_graphs_are_asked_about_and_audited(tmp_path, capsys):
    graphs = [networkx.gnp_random_graph(100, 0.02 * k, seed=k) for k in (1, 2)]
    folder = write_graph6(
        tmp_path / "graphs", [Graph.of(100, list(graph.edges)) for graph in graphs]
    )
    words = ["build", "graphomni", "connectivity", "cycle", "--graphs", str(folder)]
    words += ["--nodes", "hard=31-100"]
    out = str(tmp_path / "out")
    assert main([*words, "--jobs", "1", "--out", out]) == 0
    assert main(["audit", out, "--sample", "20", "--jobs", "1"]) == 0
    assert main(["stats", out]) == 0


def test_names_of_files_may_be_any_bytes(tmp_path):
    try:
        write_graph6(tmp_path, [path_of(6)], os.fsdecode(b"odd\xff.g6"))
    except OSError:
        pytest.fail("this file system takes no such name; run the tests on another")
    (one,) = plan(tmp_path, "triangle")["easy"]
    assert json.dumps(one.params).isascii()
