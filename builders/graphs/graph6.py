"""The graph6 format, read strictly: a damaged line is an error, never another graph."""

from functools import lru_cache
from itertools import compress
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchloom.builders.errors import InputError
from benchloom.builders.graphs.graph import Edge, Graph

HEADER = b">>graph6<<"
LARGEST = 258_047
"""The largest number of nodes that the four-byte form of graph6's size field can hold."""

_ALPHABET = bytes(range(63, 127))
_BITS = {63 + value: bytes(value >> place & 1 for place in range(5, -1, -1)) for value in range(64)}
_OTHER_FORMATS = {
    b">>sparse6<<": "sparse6",
    b">>digraph6<<": "digraph6",
    b">>incremental_sparse6<<": "incremental sparse6",
    b":": "sparse6",
    b"&": "digraph6",
    b";": "incremental sparse6",
}


def encode(graph: Graph) -> str:
    """Returns the graph6 line of a labelled graph, without header and newline.

    Raises:
        ValueError: If the graph has more than 258,047 nodes.
    """
    n = graph.n_nodes
    if n > LARGEST:
        raise ValueError(f"graph6 is written for up to {LARGEST} nodes, not {n}")
    size = [n] if n < 63 else [63, n >> 12, n >> 6 & 63, n & 63]
    body = [0] * _body_length(n)
    for u, v in graph.edges:
        place = v * (v - 1) // 2 + u
        body[place // 6] |= 32 >> place % 6
    return bytes(63 + value for value in size + body).decode()


def decode(line: str | bytes, where: str = "") -> Graph:
    """Returns the graph of one graph6 line.

    A header `>>graph6<<` before the graph and line ends (LF or CRLF) after it are passed over.

    Args:
        line: One line, as text or bytes.
        where: Where the line comes from, for messages, such as `graphs.g6, line 3`.

    Raises:
        InputError: If the line is empty, too short or too long, has a byte outside 63..126 or a
            padding bit that is set, does not write its size in the shortest form, or is sparse6
            or digraph6; the message says where and what to do.
    """
    place = f"{where}: " if where else ""
    text = line.encode("utf-8", "surrogatepass") if isinstance(line, str) else bytes(line)
    text = text.rstrip(b"\r\n").removeprefix(HEADER)
    if not text:
        raise InputError(f"{place}the graph6 line is empty; delete it or write the graph again")
    if foreign := text.translate(None, _ALPHABET):
        for start, name in _OTHER_FORMATS.items():
            if text.startswith(start):
                raise InputError(
                    f"{place}this is {name}, not graph6; convert it (nauty's copyg -g) or delete it"
                )
        raise InputError(
            f"{place}byte {foreign[0]} at position {text.index(foreign[0]) + 1} cannot stand in "
            "graph6 (63 to 126 can); write the graph again or delete the line"
        )
    n, used = _size(text, place)
    body = text[used:]
    if len(body) != _body_length(n):
        fault = "ends too early" if len(body) < _body_length(n) else "is too long"
        raise InputError(
            f"{place}the graph6 line {fault}: {n} nodes take {used + _body_length(n)} bytes, not "
            f"{len(text)}; write the graph again or delete the line"
        )
    bits = b"".join(map(_BITS.__getitem__, body))
    pairs = _pairs(n)
    if bits.find(1, len(pairs)) >= 0:
        raise InputError(
            f"{place}the last byte of the graph6 line has padding bits that are not zero; "
            "write the graph again or delete the line"
        )
    return Graph(n, tuple(sorted(compress(pairs, bits))))


@lru_cache(maxsize=64)
def _pairs(n: int) -> tuple[Edge, ...]:
    """Returns the pairs of nodes in the order of their bits: 01, 02, 12, 03 ..."""
    return tuple((u, v) for v in range(n) for u in range(v))


def read_file(path: str | Path) -> list[Graph]:
    """Returns the graphs of a graph6 file in its order; empty lines are passed over.

    Raises:
        InputError: If the file cannot be read, or a line is not graph6 (named by its number).
    """
    try:
        text = Path(path).read_bytes()
    except OSError as error:
        raise InputError(
            f"{path}: cannot be read ({error.strerror}); give the path of a graph6 file"
        ) from error
    graphs = []
    for number, line in enumerate(text.split(b"\n"), start=1):
        if line.rstrip(b"\r").removeprefix(HEADER):
            graphs.append(decode(line, f"{path}, line {number}"))
    return graphs


def decode_many(text: str | bytes, where: str = "") -> NDArray[np.uint16]:
    """Returns the neighbour bit masks of many graphs at once, uint16 of shape (graphs, nodes).

    Args:
        text: graph6 lines, each ended by one newline, no header, all of the same number of nodes
            (at most 16). An empty text gives shape (0, 0).
        where: Where the lines come from, for messages.

    Raises:
        InputError: If a line is damaged or has another number of nodes than the first one.
        ValueError: If the graphs have more than 16 nodes.
    """
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    if not data:
        return np.zeros((0, 0), np.uint16)
    n = data[0] - 63
    if n == 63:  # a longer size field follows, or nothing that makes sense
        n = decode(data.split(b"\n")[0], f"{where}, line 1" if where else "line 1").n_nodes
    if n > 16 and data[0] <= 126:
        raise ValueError(f"rows of 16 bits hold graphs of up to 16 nodes, not {n}")
    width = 2 + _body_length(n)
    if not 0 <= n <= 16 or len(data) % width:
        raise _first_fault(data, where)
    table = np.frombuffer(data, np.uint8).reshape(-1, width)
    body = table[:, 1:-1] - np.uint8(63)  # bytes below 63 wrap around to above 63
    n_bits = n * (n - 1) // 2
    padding = (1 << 6 * body.shape[1] - n_bits) - 1
    sound = (table[:, 0] == n + 63).all() and (table[:, -1] == ord("\n")).all()
    sound = sound and (body <= 63).all()
    if not sound or (body.shape[1] and (body[:, -1] & np.uint8(padding)).any()):
        raise _first_fault(data, where)
    rows = np.zeros((n, len(table)), np.uint16)
    place = 0
    for v in range(1, n):
        for u in range(v):
            bit = (body[:, place // 6] >> np.uint8(5 - place % 6) & np.uint8(1)).astype(np.uint16)
            rows[u] |= bit << np.uint16(v)
            rows[v] |= bit << np.uint16(u)
            place += 1
    return np.ascontiguousarray(rows.T)


def _body_length(n: int) -> int:
    """Returns how many bytes of six bits the upper triangle of n nodes takes."""
    return (n * (n - 1) // 2 + 5) // 6


def _size(text: bytes, place: str) -> tuple[int, int]:
    """Returns the number of nodes that a graph6 line states, and how many bytes state it."""
    if text[0] != 126:
        return text[0] - 63, 1
    if len(text) < 4:
        raise InputError(
            f"{place}the graph6 line ends too early: the number of nodes after ~ takes 3 bytes, "
            f"not {len(text) - 1}; write the graph again or delete the line"
        )
    if text[1] == 126:
        raise InputError(
            f"{place}the graph6 line states more than {LARGEST} nodes, which is too many here; "
            "delete the line"
        )
    n = (text[1] - 63 << 12) + (text[2] - 63 << 6) + text[3] - 63
    if n < 63:
        raise InputError(
            f"{place}the graph6 line states its {n} nodes in four bytes where one is the rule; "
            "write the graph again or delete the line"
        )
    return n, 4


def _first_fault(data: bytes, where: str) -> InputError:
    """Returns the error that names the first bad line of a text that `decode_many` refused."""
    lines = data.split(b"\n")
    n = None
    for number, line in enumerate(lines[:-1], start=1):
        place = f"{where}, line {number}" if where else f"line {number}"
        try:
            graph = decode(line, place)
        except InputError as error:
            return error
        if n not in (None, graph.n_nodes):
            return InputError(
                f"{place}: {graph.n_nodes} nodes where the lines before have {n}; "
                "keep graphs of one size together"
            )
        n = graph.n_nodes
        if line.startswith(HEADER) or line.endswith(b"\r"):
            return InputError(
                f"{place}: a header or a carriage return stands in the line; "
                "write it as a bare graph6 line"
            )
    return InputError(
        f"{where}{', ' if where else ''}line {len(lines)}: "
        "the last line is cut off; write the file again"
    )
