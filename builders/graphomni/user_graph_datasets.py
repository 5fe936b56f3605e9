"""Folders of a user that hold many graphs as tables: raw TU data sets and OGB's csv files."""

import re
from itertools import pairwise
from pathlib import Path

from benchloom.builders.errors import InputError
from benchloom.builders.graphomni.user_graph_texts import (
    Found,
    check_size,
    is_one,
    read_lines,
    shown,
)
from benchloom.builders.graphs.graph import Graph

_NUMBER = re.compile(r"[0-9]{1,15}")
TU_TABLES = ("graph_indicator", "graph_labels", "graph_attributes", "node_labels",
             "node_attributes", "edge_labels", "edge_attributes")  # fmt: skip
"""The files `NAME_....txt` beside a TU data set's `NAME_A.txt`."""
OGB_TABLES = re.compile(r"(edge|num-(node|edge)-list|(node|edge|graph)-(feat|label))\.csv(\.gz)?")
"""The files of OGB's folder `raw`."""


def read_tu(path: Path) -> list[Found]:
    """Returns the graphs of a TU data set in the order of their numbers.

    Nodes are numbered from 1 over all graphs; each graph's get 0..n-1 in that order. Every edge
    stands in both directions. Labels and attributes are not used, but must have as many rows as
    there are things they describe, and a single column of edge attributes counts as weights.

    Args:
        path: The file `NAME_A.txt`; `NAME_graph_indicator.txt` and what else there is lie beside.

    Raises:
        InputError: If a file cannot be read, the files do not fit together, or a graph is not a
            plain undirected one.
    """
    stem = path.name[: -len("_A.txt")]
    tables = {name: path.with_name(f"{stem}_{name}.txt") for name in TU_TABLES}
    indicator = tables["graph_indicator"]
    if not indicator.is_file():
        raise InputError(
            f"{path}: {indicator.name} is missing beside it; add it, or give the file the ending "
            ".edges if it is an edge list"
        )
    owners = [row[0] for row in _rows(indicator, 1)]
    for line, (before, owner) in enumerate(pairwise([0, *owners]), start=1):
        if owner not in (before, before + 1) or owner == 0:
            raise InputError(
                f"{indicator}, line {line}: graph {owner} follows graph {before}; graphs must be "
                "numbered 1, 2, 3 ... and their nodes stand together"
            )
    if not owners:
        raise InputError(f"{indicator}: holds no node; take the data set away")
    starts = [line for line, (a, b) in enumerate(pairwise([0, *owners])) if a != b]
    ends = [*starts[1:], len(owners)]
    edges: list[dict[tuple[int, int], int]] = [{} for _ in starts]
    n_rows = 0
    for line, (u, v) in enumerate(_rows(path, 2), start=1):
        n_rows = line
        where = f"{path}, line {line}"
        if not (0 < u <= len(owners) and 0 < v <= len(owners)):
            raise InputError(
                f"{where}: edge {u}-{v} has an end outside of the nodes 1 to {len(owners)} of "
                f"{indicator.name}; fetch the data set again"
            )
        graph = owners[u - 1]
        if owners[v - 1] != graph:
            raise InputError(
                f"{where}: edge {u}-{v} joins the graphs {graph} and {owners[v - 1]}; "
                "fetch the data set again"
            )
        _check_loop(where, u, v)
        start = starts[graph - 1] + 1
        edges[graph - 1].setdefault((u - start, v - start), line)
    _check_tables(tables, len(starts), len(owners), n_rows)
    found = []
    for number, (start, end) in enumerate(zip(starts, ends, strict=True), start=1):
        links = edges[number - 1]
        check_size(f"{path}, graph {number}", end - start)
        for (u, v), line in links.items():
            if (v, u) not in links:
                name = f"{u + start + 1}-{v + start + 1}"
                raise InputError(
                    f"{path}, line {line}: edge {name} does not stand there in the other direction "
                    "as well, so the graph is directed; only undirected ones can be used"
                )
        graph_read = Graph(end - start, tuple(sorted((u, v) for u, v in links if u < v)))
        found.append(Found(f"graph {number}", graph_read))
    note = f"1 to {len(owners)} over all graphs, now 0 to n-1 within each"
    return [found[0]._replace(note=note), *found[1:]]


def _check_tables(tables: dict[str, Path], n_graphs: int, n_nodes: int, n_rows: int) -> None:
    """Refuses tables of labels and attributes of another length, and weights."""
    lengths = {"graph": n_graphs, "node": n_nodes, "edge": n_rows}
    for name, path in tables.items():
        if name == "graph_indicator" or not path.is_file():
            continue
        lines = _filled(read_lines(path))
        expected = lengths[name.partition("_")[0]]
        if len(lines) != expected:
            raise InputError(
                f"{path}: has {len(lines)} lines where the other files of the data set make "
                f"{expected}; fetch the data set again"
            )
        if name == "edge_attributes" and lines and not any("," in line for line in lines):
            for number, line in enumerate(lines, start=1):
                if not is_one(line):
                    raise InputError(
                        f"{path}, line {number}: the edge has the weight {shown(line.strip())}; "
                        "only graphs without weights can be used"
                    )


def read_ogb(path: Path) -> list[Found]:
    """Returns the graphs of OGB's csv files in their order.

    Nodes are numbered from 0 in each graph. OGB writes an undirected edge once; files in which
    every edge stands in both directions are read as well. Features and labels are not used.

    Args:
        path: The file `edge.csv` or `edge.csv.gz`; `num-node-list` and `num-edge-list` lie beside.

    Raises:
        InputError: If a file cannot be read, the files do not fit together, or a graph is not a
            plain undirected one.
    """
    nodes_path, n_nodes = _counts(path, "node")
    edges_path, n_edges = _counts(path, "edge")
    if len(n_nodes) != len(n_edges):
        raise InputError(
            f"{edges_path}: has {len(n_edges)} graphs and {nodes_path.name} has {len(n_nodes)}; "
            "fetch the data set again"
        )
    if not n_nodes:
        raise InputError(f"{nodes_path}: holds no graph; take the data set away")
    for number, n in enumerate(n_nodes, start=1):
        check_size(f"{nodes_path}, line {number}", n)
    rows = _rows(path, 2)
    if len(rows) != sum(n_edges):
        raise InputError(
            f"{path}: has {len(rows)} edges where {edges_path.name} makes {sum(n_edges)}; "
            "fetch the data set again"
        )
    found = []
    single, double = 0, 0  # the first line of an edge without and with its other direction
    start = 0
    for number, (n, m) in enumerate(zip(n_nodes, n_edges, strict=True), start=1):
        links: dict[tuple[int, int], int] = {}
        for line, (u, v) in enumerate(rows[start : start + m], start=start + 1):
            where = f"{path}, line {line}"
            if not (u < n and v < n):
                raise InputError(
                    f"{where}: edge {u}-{v} has an end outside of the nodes 0 to {n - 1} of graph "
                    f"{number}; fetch the data set again"
                )
            _check_loop(where, u, v)
            links.setdefault((u, v), line)
        start += m
        for (u, v), line in links.items():
            if (v, u) in links:
                double = double or line
            else:
                single = single or line
        pairs = {(min(link), max(link)) for link in links}
        found.append(Found(f"graph {number}", Graph(n, tuple(sorted(pairs)))))
    if single and double:
        raise InputError(
            f"{path}, line {single}: this edge stands there in one direction and that of line "
            f"{double} in both, so the graphs are directed; only undirected ones can be used"
        )
    return found


def _counts(path: Path, kind: str) -> tuple[Path, list[int]]:
    """Returns the file that says how many nodes or edges each graph has, and its numbers."""
    paths = [path.with_name(f"num-{kind}-list.csv{ending}") for ending in ("", ".gz")]
    present = [path for path in paths if path.is_file()]
    if len(present) != 1:
        fault = "both lie" if present else "neither lies"
        raise InputError(
            f"{path}: of {paths[0].name} and {paths[1].name} {fault} beside it; keep exactly one"
        )
    return present[0], [row[0] for row in _rows(present[0], 1)]


def _rows(path: Path, width: int) -> list[tuple[int, ...]]:
    """Returns the rows of a table of whole numbers with commas between, no header."""
    rows = []
    for number, line in enumerate(_filled(read_lines(path)), start=1):
        words = [word.strip() for word in line.split(",")]
        if len(words) != width or not all(map(_NUMBER.fullmatch, words)):
            what = "two node numbers with a comma between" if width == 2 else "one whole number"
            raise InputError(f"{path}, line {number}: this is not {what}; write the file again")
        rows.append(tuple(map(int, words)))
    return rows


def _filled(lines: list[str]) -> list[str]:
    """Returns the lines up to the last one that is not empty."""
    while lines and not lines[-1].strip():
        lines.pop()
    return lines


def _check_loop(where: str, u: int, v: int) -> None:
    if u == v:
        raise InputError(f"{where}: edge {u}-{v} is a self-loop; only simple graphs can be used")
