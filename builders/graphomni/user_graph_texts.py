"""A user's edge lists and GML files, and what the reading of all formats shares."""

import gzip
import re
import zlib
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from benchloom.builders.errors import InputError
from benchloom.builders.graphs.graph import Graph

LARGEST = 10_000
"""The largest number of nodes that is read; the questions are about at most 50."""

_WEIGHTS = ("weight", "value")
_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,17}")
_GML_TOKEN = re.compile(
    r'(?P<key>[A-Za-z_]\w*)|"(?P<text>[^"]*)"|(?P<bracket>[][])'
    r"|(?P<number>[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)(?=[\s\]]|$)"
    r"|(?P<space>[^\S\n]+|\#[^\n]*)|(?P<newline>\n)"
)


class Found(NamedTuple):
    """One graph of a file.

    Attributes:
        place: Where in the file it stands, such as `line 3`; empty if the file holds just this one.
        graph: The graph on 0..n-1.
        note: How its nodes were numbered, for a sentence; empty if they were 0..n-1 before.
    """

    place: str
    graph: Graph
    note: str = ""


class Link(NamedTuple):
    """One edge as a file states it: the labels of its ends, its line, and what else it says."""

    source: str
    target: str
    line: int
    attributes: tuple[tuple[str, str], ...] = ()


def read_lines(path: Path) -> list[str]:
    """Returns the lines of a UTF-8 text file, unpacked if its name ends in `.gz`.

    Raises:
        InputError: If the file cannot be read, unpacked or decoded.
    """
    try:
        data = path.read_bytes()
        if path.name.lower().endswith(".gz"):
            data = gzip.decompress(data)
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise InputError(f"{path}: the gzip data is damaged; fetch the file again") from None
    except OSError as error:
        raise InputError(
            f"{path}: cannot be read ({error.strerror}); make it readable or take it away"
        ) from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(f"{path}, line {line}: this is no UTF-8 text; write it as text") from None
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def check_size(where: str, n_nodes: int) -> None:
    """Refuses a graph that is too large to be asked about.

    Raises:
        InputError: If it has more than `LARGEST` nodes.
    """
    if n_nodes > LARGEST:
        raise InputError(
            f"{where}: a graph of {n_nodes:,} nodes is too large (at most {LARGEST:,} are read); "
            "take it away"
        )


def is_one(value: str) -> bool:
    """Returns whether a weight, as a file writes it, is the number 1."""
    try:
        return float(value) == 1
    except ValueError:
        return False


def shown(text: str) -> str:
    """Returns what a file says as it can stand in a sentence: short and in one line."""
    text = text if text.isprintable() else ascii(text)
    return text if len(text) <= 40 else f"{text[:37]}..."


def read_edge_list(path: Path) -> list[Found]:
    """Returns the one graph of an edge list: `u v` lines, `#` begins a comment.

    A third word may be a weight of 1 or the `{}` that networkx writes. The nodes are the ends of
    the edges.

    Raises:
        InputError: If a line is no edge, or the file has none.
    """
    links = []
    for number, line in enumerate(read_lines(path), start=1):
        words = line.partition("#")[0].split(maxsplit=2)
        if not words:
            continue
        where = f"{path}, line {number}"
        has_data = len(words) == 3 and words[2].startswith("{")  # as networkx writes it
        words = words if has_data else line.partition("#")[0].split()
        if "," in words[0] or len(words) not in (2, 3):
            raise InputError(
                f"{where}: this is no edge; write two nodes `u v` with a space between"
            )
        if len(words) == 3 and words[2].strip() != "{}" and not is_one(words[2]):
            raise InputError(
                f"{where}: edge {shown(words[0])} {shown(words[1])} has the weight "
                f"{shown(words[2])}; "
                "only graphs without weights can be used"
            )
        links.append(Link(words[0], words[1], number))
    if not links:
        raise InputError(
            f"{path}: holds no edge, and an edge list cannot show nodes alone; "
            "take it away or write GML"
        )
    labels = dict.fromkeys(end for link in links for end in (link.source, link.target))
    return [simple_graph(path, "", list(labels), links)]


def read_gml(path: Path) -> list[Found]:
    """Returns the graphs of a GML file; a node's `id` is its label.

    Raises:
        InputError: If the file is no GML, or a graph is not a plain undirected one.
    """
    top = _gml_entries(path)
    graphs = [(line, value) for key, value, line in top if key == "graph"]
    found = []
    for count, (line, content) in enumerate(graphs, start=1):
        where = f"{path}, line {line}"
        if not isinstance(content, list):
            raise InputError(f"{where}: graph is not followed by [ ... ]; write the GML again")
        labels, links = [], []
        for key, value, place in content:
            where = f"{path}, line {place}"
            if key == "directed" and value != "0":
                raise InputError(
                    f"{where}: the graph is directed; only undirected ones can be used"
                )
            if key == "graph":
                raise InputError(f"{where}: a graph stands within a graph; write them side by side")
            if key not in ("node", "edge"):
                continue
            if not isinstance(value, list):
                raise InputError(f"{where}: {key} is not followed by [ ... ]; write the GML again")
            items = {name: item for name, item, _ in value}
            if key == "node":
                if "graph" in items:
                    raise InputError(
                        f"{where}: a graph stands within a node; write them side by side"
                    )
                labels.append(_gml_label(where, items, "node", "id"))
                continue
            source, target = (_gml_label(where, items, "edge", k) for k in ("source", "target"))
            others = {k: v if isinstance(v, str) else repr(v) for k, v in items.items()}
            links.append(edge_of(where, source, target, place, others))
        found.append(simple_graph(path, f"graph {count}" if len(graphs) > 1 else "", labels, links))
    if not found:
        raise InputError(f"{path}: holds no graph [ ... ], so it is no GML; take it away")
    return found


def _gml_entries(path: Path) -> list[tuple[str, Any, int]]:
    """Returns what stands in a GML file: key, value (text, or entries again) and line."""
    text = "\n".join(read_lines(path))
    levels: list[list[tuple[str, Any, int]]] = [[]]
    pending: tuple[str, int] | None = None
    line, position = 1, 0
    while position < len(text):
        token = _GML_TOKEN.match(text, position)
        where = f"{path}, line {line}"
        if token is None:
            raise InputError(f"{where}: {text[position]!r} cannot stand in GML; write it again")
        position = token.end()
        kind, value = token.lastgroup, token[token.lastgroup or 0]
        if kind == "key":
            if pending:
                raise InputError(f"{where}: {pending[0]} has no value; write the GML again")
            pending = (value, line)
        elif kind == "bracket" and value == "]":
            if pending or len(levels) == 1:
                raise InputError(f"{where}: ] stands where none can; write the GML again")
            levels.pop()
        elif kind in ("text", "number", "bracket"):
            if pending is None:
                raise InputError(f"{where}: {value!r} has no key before it; write the GML again")
            entry: Any = [] if kind == "bracket" else value
            levels[-1].append((pending[0], entry, pending[1]))
            if kind == "bracket":
                levels.append(entry)
            pending = None
        line += token[0].count("\n")
    if pending or len(levels) > 1:
        raise InputError(f"{path}, line {line}: the GML ends too early; write it again")
    return levels[0]


def _gml_label(where: str, items: Mapping[str, Any], kind: str, key: str) -> str:
    """Returns the node that a node or an edge names, an integer as text."""
    label = items.get(key)
    if not isinstance(label, str) or not _INTEGER.fullmatch(label):
        raise InputError(f"{where}: the {kind} has no integer {key}; write the GML again")
    return label


def edge_of(where: str, source: str, target: str, line: int, others: Mapping[str, str]) -> Link:
    """Returns an edge with what else is said of it.

    Raises:
        InputError: If that is a weight other than 1.
    """
    for name, value in others.items():
        if name.lower() in _WEIGHTS and not is_one(value):
            raise InputError(
                f"{where}: edge {shown(source)}-{shown(target)} has the {name} {shown(value)}; "
                "only graphs without weights can be used"
            )
    rest = {k: v for k, v in others.items() if k not in ("source", "target")}
    return Link(source, target, line, tuple(sorted(rest.items())))


def simple_graph(path: Path, place: str, labels: Sequence[str], links: Sequence[Link]) -> Found:
    """Returns the graph with these labels numbered in sorted order: integers by value, else text.

    Raises:
        InputError: If a label stands twice, an edge is a loop or has an unknown end, or two edges
            join the same nodes and say different things.
    """
    where = f"{path}, {place}" if place else str(path)
    check_size(where, len(labels))
    integers = all(map(_INTEGER.fullmatch, labels))
    order = sorted(labels, key=int) if integers else sorted(labels)
    numbers = {label: number for number, label in enumerate(order)}
    if len(numbers) < len(labels):
        twice = next(a for a, b in pairwise(order) if a == b)
        raise InputError(f"{where}: node {shown(twice)} stands twice; give every node its own id")
    stated: dict[tuple[int, int], Link] = {}
    for link in links:
        line = f"{path}, line {link.line}"
        name = f"edge {shown(link.source)}-{shown(link.target)}"
        for end in (link.source, link.target):
            if end not in numbers:
                raise InputError(
                    f"{line}: {name} ends at {shown(end)}, which is no node of the graph"
                )
        if link.source == link.target:
            raise InputError(f"{line}: {name} is a self-loop; only simple graphs can be used")
        u, v = sorted((numbers[link.source], numbers[link.target]))
        first = stated.setdefault((u, v), link)
        if first.attributes != link.attributes:
            raise InputError(
                f"{line}: {name} is parallel to the edge of line {first.line} and differs from it; "
                "only simple graphs can be used"
            )
    note = ""
    if order != [str(number) for number in range(len(order))]:
        first_four = [f"{shown(label)} is now {number}" for number, label in enumerate(order[:4])]
        note = f"{', '.join(first_four)}{' ...' if len(order) > 4 else ''}"
    return Found(place, Graph(len(order), tuple(sorted(stated))), note)
