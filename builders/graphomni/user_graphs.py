"""A user's own graphs: a folder of files, read strictly and in a fixed order (section C.2)."""

import hashlib
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from benchloom.builders.errors import InputError
from benchloom.builders.graphomni.user_graph_datasets import (
    OGB_TABLES,
    TU_TABLES,
    read_ogb,
    read_tu,
)
from benchloom.builders.graphomni.user_graph_graphml import read_graphml
from benchloom.builders.graphomni.user_graph_texts import (
    Found,
    read_edge_list,
    read_gml,
)
from benchloom.builders.graphs.graph import Graph
from benchloom.builders.graphs.graph6 import HEADER, decode, encode

LONGEST_GRAPH6 = 1_000
"""The largest number of nodes of a graph6 line, whose reader holds every pair of nodes."""

_NO_GRAPHS = re.compile(r"(readme|licen[cs]e|copying|notice)(\.(txt|md|rst))?", re.IGNORECASE)


@dataclass(frozen=True)
class UserGraphs:
    """The graphs of a user's folder.

    Attributes:
        graphs: Names such as `file.g6 line 3` and graphs: files sorted by their path below the
            folder, the graphs of a file in its order.
        relabelled: A sentence for each file whose nodes were not 0..n-1, with their new numbers.
        digest: BLAKE2b-128 over names and graph6 lines, 32 hexadecimal digits.
    """

    graphs: tuple[tuple[str, Graph], ...]
    relabelled: tuple[str, ...]
    digest: str


def read_graphs(folder: Path) -> UserGraphs:
    """Returns all graphs of a folder and its sub-folders.

    Read are, by their endings, graph6, GML, GraphML and edge lists; the raw text files of TU data
    sets (`NAME_A.txt` and what lies beside); and OGB's csv files (`edge.csv.gz` and what lies
    beside; the folders `mapping`, `split` and `processed` of such a data set hold no graphs).
    Hidden files and README, LICENSE, COPYING and NOTICE are passed over. Repeats of the same edge
    count once. Labels become 0..n-1 in sorted order: integers by value, else text by code points.

    Raises:
        InputError: If the folder is missing or holds no graph, a file is none of these or cannot be
            read, or a graph is directed, weighted (other than by 1), has a self-loop, different
            edges between the same nodes, or too many nodes; with the file's name and line or key.
    """
    folder = Path(folder)
    if not os.path.isdir(folder):
        fault = "is a file, not a folder" if os.path.exists(folder) else "does not exist"
        raise InputError(f"{folder}: {fault}; name a folder of graph files")
    graphs: list[tuple[str, Graph]] = []
    relabelled = []
    for name, read in _sources(folder):
        found = read(folder / name)
        graphs += [(f"{name} {one.place}".rstrip(), one.graph) for one in found]
        notes = [one for one in found if one.note]
        if notes:
            more = f" (and so in {len(notes) - 1} more graphs)" if len(notes) > 1 else ""
            relabelled.append(f"{name}: nodes were not numbered 0 to n-1: {notes[0].note}{more}.")
    if not graphs:
        raise InputError(f"{folder}: holds no graph file; put files with {_endings()} there")
    digest = hashlib.blake2b(digest_size=16)
    for name, graph in graphs:
        digest.update(f"{name}\0{encode(graph)}\n".encode("utf-8", "surrogateescape"))
    return UserGraphs(tuple(graphs), tuple(relabelled), digest.hexdigest())


Reader = Callable[[Path], list[Found]]


def read_graph6(path: Path) -> list[Found]:
    """Returns the graphs of a graph6 file; empty lines are passed over.

    Raises:
        InputError: If the file cannot be read, holds no graph, or a line is not graph6.
    """
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        raise InputError(
            f"{path}: cannot be read ({error.strerror}); make it readable or take it away"
        ) from None
    longest = len(encode(Graph(LONGEST_GRAPH6, ()))) + len(HEADER) + 1
    found = []
    for number, line in enumerate(lines, start=1):
        if not line.rstrip(b"\r").removeprefix(HEADER):
            continue
        if len(line) > longest:
            raise InputError(
                f"{path}, line {number}: a graph6 line of more than {LONGEST_GRAPH6:,} nodes is "
                "too long; delete it or write GML"
            )
        found.append(Found(f"line {number}", decode(line, f"{path}, line {number}")))
    if not found:
        raise InputError(f"{path}: holds no graph; take it away")
    return found


READERS: Mapping[str, Reader] = {
    ".g6": read_graph6,
    ".graph6": read_graph6,
    ".gml": read_gml,
    ".graphml": read_graphml,
    ".edges": read_edge_list,
    ".edgelist": read_edge_list,
    ".txt": read_edge_list,
}
"""How a file is read, by the ending of its name."""


def _endings() -> str:
    return f"{', '.join(READERS)}, NAME_A.txt (TU) or edge.csv(.gz) (OGB)"


def _sources(folder: Path) -> list[tuple[str, Reader]]:
    """Returns what to read, sorted: paths below the folder with slashes, and readers."""
    files = _files(folder)
    names = set(files)
    sources: list[tuple[str, Reader]] = []
    plain = [name.removesuffix(".gz") for name in files]
    data_sets = [
        name.removesuffix("raw/edge.csv") for name in plain if f"/{name}".endswith("/raw/edge.csv")
    ]
    for name in files:
        parent, _, base = name.rpartition("/")
        parent = f"{parent}/" if parent else ""
        if _NO_GRAPHS.fullmatch(base):
            continue
        ogb = {f"{parent}edge.csv", f"{parent}edge.csv.gz"} & names
        if OGB_TABLES.fullmatch(base) and ogb:
            if len(ogb) > 1:
                raise InputError(
                    f"{folder / parent}: both edge.csv and edge.csv.gz lie there; keep one of them"
                )
            if name in ogb:
                sources.append((name, read_ogb))
        elif any(_beside_raw(name, data_set) for data_set in data_sets):
            continue
        elif base.endswith("_A.txt"):
            sources.append((name, read_tu))
        elif base.endswith("_graph_indicator.txt") and _tu_of(name) not in names:
            raise InputError(
                f"{folder / name}: {_tu_of(name).rpartition('/')[2]} is missing beside it; "
                "add it or take the file away"
            )
        elif _tu_of(name) not in names:
            ending = os.path.splitext(base)[1].lower()
            if ending not in READERS:
                raise InputError(
                    f"{folder / name}: files with the ending {ending or '(none)'} are not read; "
                    f"take it away or write {_endings()}"
                )
            sources.append((name, READERS[ending]))
    return sources


def _tu_of(name: str) -> str:
    """Returns the `NAME_A.txt` beside which a table of a TU data set lies; else an empty text."""
    for table in TU_TABLES:
        if name.endswith(f"_{table}.txt"):
            return f"{name.removesuffix(f'{table}.txt')}A.txt"
    return ""


def _beside_raw(name: str, data_set: str) -> bool:
    """Returns whether a file belongs to an OGB data set, but holds no graphs."""
    if not name.startswith(data_set):
        return False
    rest = name.removeprefix(data_set)
    return rest.startswith(("mapping/", "split/", "processed/")) or (
        re.fullmatch(r"RELEASE_v[0-9]+\.txt", rest) is not None
    )


def _files(folder: Path) -> list[str]:
    """Returns the files below a folder, hidden ones left out, as sorted paths with slashes."""

    def refuse(error: OSError) -> None:
        raise InputError(
            f"{error.filename}: cannot be read ({error.strerror}); make it readable or take it away"
        )

    files = []
    for root, folders, names in os.walk(folder, onerror=refuse):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in folders:
            if (Path(root) / name).is_symlink():
                raise InputError(f"{Path(root) / name}: is a link; put the folder itself there")
        for name in names:
            path = Path(root) / name
            if name.startswith("."):
                continue
            if not os.path.isfile(path):  # unlike Path.is_file, it never raises
                raise InputError(f"{path}: is no file that can be read; take it away")
            files.append(path.relative_to(folder).as_posix())
    return sorted(files)
