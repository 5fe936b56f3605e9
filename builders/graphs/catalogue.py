"""The catalogue: the connected graphs on 8 and 9 nodes, one per isomorphism class, with facts."""

import hashlib
import lzma
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchloom.builders.errors import InputError
from benchloom.builders.graphs import answers, graph6
from benchloom.builders.graphs.graph import Graph

GRAPH_COUNTS = {8: 11_117, 9: 261_080}
"""Number of connected graphs on 8 and on 9 nodes, up to isomorphism."""

GRAPHS_FILE = "connected-8-9.g6.xz"
FACTS_FILE = "connected-8-9-facts.xz"

CONTENT_SHA256 = {
    GRAPHS_FILE: "b635504fb2fb4aa38773f3dbb0e8db7281b98ba82f4552bec090942a971beeea",
    FACTS_FILE: "fd24ab6015704d43a99a94815478a919fc7080cefcbf80941685bf1a87141393",
}
"""SHA-256 of what the packaged files hold when uncompressed."""

PLANAR, HAMILTONIAN_PATH, HAMILTONIAN_CYCLE, CHORDLESS_SHIFT = 1, 2, 4, 3
"""How the byte of facts about a graph is made up; the length of the chordless cycle is above."""


@dataclass(frozen=True)
class GraphTable:
    """Many graphs with their facts; the i-th entry of every array is about the i-th graph.

    The arrays cannot be written to. See `answers` for what the facts mean.

    Attributes:
        n_nodes: Number of nodes, uint8 (graphs,).
        rows: Neighbours as bit masks, uint16 (graphs, N) with N at least the largest n: bit v of
            rows[i, u] is set when u-v is an edge of graph i; 0 beyond a graph's nodes.
        n_edges: Number of edges, uint8 (graphs,).
        planar: Whether it can be drawn without crossings, bool (graphs,).
        hamiltonian_path: Whether it has a Hamiltonian path, bool (graphs,).
        hamiltonian_cycle: Whether it has a Hamiltonian cycle, bool (graphs,).
        chordless_cycle: Length of the biggest chordless cycle, 0 for a tree, uint8 (graphs,).
        catalog_index: Place in the whole catalogue, int32 (graphs,); -1 for other graphs. Graphs
            with two different places are never isomorphic.

    Raises:
        ValueError: If the arrays are not of one length.
    """

    n_nodes: NDArray[np.uint8]
    rows: NDArray[np.uint16]
    n_edges: NDArray[np.uint8]
    planar: NDArray[np.bool_]
    hamiltonian_path: NDArray[np.bool_]
    hamiltonian_cycle: NDArray[np.bool_]
    chordless_cycle: NDArray[np.uint8]
    catalog_index: NDArray[np.int32]

    def __post_init__(self) -> None:
        for field in fields(self):
            # The catalogue is shared by all that ask for it, so nobody may change it.
            array = getattr(self, field.name).view()
            array.flags.writeable = False
            object.__setattr__(self, field.name, array)
            if len(array) != len(self.n_nodes):
                raise ValueError(
                    f"{field.name} is about {len(array)} graphs, n_nodes about {len(self.n_nodes)}"
                )

    def __len__(self) -> int:
        return len(self.n_nodes)

    def graph(self, index: int) -> Graph:
        """Returns one graph in the table's own numbering of its nodes."""
        n = int(self.n_nodes[index])
        row = self.rows[index].tolist()
        return Graph(n, tuple((u, v) for u in range(n) for v in range(u + 1, n) if row[u] >> v & 1))

    def graph6(self, index: int) -> str:
        """Returns the graph6 line of one graph in the table's own numbering of its nodes."""
        return graph6.encode(self.graph(index))

    def subset(
        self, indices: Sequence[int] | NDArray[np.integer[Any]] | NDArray[np.bool_]
    ) -> "GraphTable":
        """Returns the table of the graphs at these places, in their order, or under a mask."""
        chosen = np.asarray(indices)
        if not chosen.size and chosen.dtype != np.bool_:
            chosen = chosen.astype(np.int64)  # an empty list is float to numpy
        return GraphTable(**{f.name: getattr(self, f.name)[chosen] for f in fields(self)})

    def distances(self) -> NDArray[np.uint8]:
        """Returns the distance of any two nodes, uint8 (graphs, N, N).

        0 on the diagonal, 255 where no path exists and beyond a graph's nodes.
        """
        return answers.distance_tables(self.rows, self.n_nodes)

    def degree_sequences(self) -> NDArray[np.uint8]:
        """Returns each graph's degrees from high to low, zeros after them, uint8 (graphs, N)."""
        return np.sort(np.bitwise_count(self.rows), axis=1)[:, ::-1].copy()


@lru_cache(maxsize=4)
def catalogue(n_nodes: tuple[int, ...] = (8, 9)) -> GraphTable:
    """Returns the connected graphs on 8 and 9 nodes and their facts, in the order of nauty's geng.

    The 11,117 graphs on 8 nodes come first, then the 261,080 on 9 nodes (section 3 and appendix B
    of the VGA paper). They are read from the package's own data; no other program is needed. The
    table is kept, and the next call with the same argument gives it again.

    Args:
        n_nodes: The sizes wanted, in any order.

    Raises:
        InputError: If a size other than 8 and 9 is asked for, or the package's data are damaged.
    """
    wanted = sorted(set(n_nodes))
    if not wanted or not set(wanted) <= set(GRAPH_COUNTS):
        raise InputError(
            f"the catalogue holds the connected graphs on 8 and 9 nodes, not {n_nodes}; "
            "other sizes come from nauty's geng"
        )
    lines = _content(GRAPHS_FILE)
    facts = np.frombuffer(_content(FACTS_FILE), np.uint8)
    rows = np.zeros((sum(GRAPH_COUNTS[n] for n in wanted), wanted[-1]), np.uint16)
    index = np.zeros(len(rows), np.int32)
    sizes = np.zeros(len(rows), np.uint8)
    line, place, filled = 0, 0, 0
    for n, count in GRAPH_COUNTS.items():
        length = count * (2 + (n * (n - 1) // 2 + 5) // 6)
        if n in wanted:
            part = slice(filled, filled + count)
            rows[part, :n] = graph6.decode_many(lines[line : line + length])
            sizes[part] = n
            index[part] = np.arange(place, place + count)
            filled += count
        line, place = line + length, place + count
    return table_of(rows, sizes, facts[index], index)


def table_of(
    rows: NDArray[np.uint16],
    n_nodes: NDArray[np.uint8],
    facts: NDArray[np.uint8],
    catalog_index: NDArray[np.int32],
) -> GraphTable:
    """Returns the table of graphs given by their rows and one byte of facts each."""
    return GraphTable(
        n_nodes=n_nodes,
        rows=rows,
        n_edges=(np.bitwise_count(rows).sum(axis=1) // 2).astype(np.uint8),
        planar=facts & PLANAR != 0,
        hamiltonian_path=facts & HAMILTONIAN_PATH != 0,
        hamiltonian_cycle=facts & HAMILTONIAN_CYCLE != 0,
        chordless_cycle=facts >> np.uint8(CHORDLESS_SHIFT),
        catalog_index=catalog_index,
    )


def facts_of(rows: NDArray[np.uint16], n_nodes: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Returns one byte of facts for each graph, computed from its rows, uint8 (graphs,)."""
    facts = answers.biggest_chordless_cycles(rows, n_nodes) << np.uint8(CHORDLESS_SHIFT)
    facts |= np.where(answers.planar_graphs(rows, n_nodes), np.uint8(PLANAR), np.uint8(0))
    path = answers.hamiltonian_paths(rows, n_nodes)
    facts |= np.where(path, np.uint8(HAMILTONIAN_PATH), np.uint8(0))
    cycle = answers.hamiltonian_cycles(rows, n_nodes)
    facts |= np.where(cycle, np.uint8(HAMILTONIAN_CYCLE), np.uint8(0))
    return facts


def _content(name: str) -> bytes:
    """Returns what a packaged file holds, once it is shown to be what was packaged."""
    folder = resources.files("benchloom.builders.graphs") / "data"
    try:
        content = lzma.decompress((folder / name).read_bytes())
    except OSError as error:
        raise InputError(
            f"{folder / name}: the package's data cannot be read; install benchloom again"
        ) from error
    except lzma.LZMAError as error:
        raise _damaged(str(folder / name)) from error
    if hashlib.sha256(content).hexdigest() != CONTENT_SHA256[name]:
        raise _damaged(str(folder / name))
    return content


def _damaged(path: str) -> InputError:
    return InputError(f"{path}: the package's data are damaged; install benchloom again")
