"""An adjacency matrix that a model read off a picture, judged up to isomorphism (appendix D).

Models number the nodes as they like, so a matrix is right when its graph is isomorphic to the one
that was drawn.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from benchloom.builders.graphs.graph import Graph

PROMPT = "The image presented contains a graph. Please transcribe this graph's adjacency matrix."
"""What the authors asked (appendix D)."""
LONGEST = 20_000
"""So many characters are looked at, from the end of an answer."""

Rows = tuple[tuple[int, ...], ...]

_LATEX = (
    (re.compile(r"\\(?:begin|end)\s?\{[^{}]*\}(?:\{[^{}]*\})?"), "\n\n"),
    (re.compile(r"\\hline\b"), " "),
    (re.compile(r"(?:\\\\(?:\[[^\[\]\n]*\])?|\\cr\b)[ \t]*\n?"), "\n"),
    (re.compile(r"\\[\[\]()]|\$+"), "\n"),
    (re.compile(r"\\(?:text|mathrm|mathbf|textbf|mathit)\s?\{([^{}]*)\}"), r" \1 "),
    (re.compile(r"\\(?:left|right|quad|qquad|[bB]igg?[lr]?)\b|(?<!\\)&|[`*⎡⎢⎣⎤⎥⎦⎛⎜⎝⎞⎟⎠]"), " "),
    (re.compile(r"(?<=[\]}),])[ \t]*(?:#|//)[^\n]*"), ""),
)
"""Signs of LaTeX and Markdown, brackets drawn over several lines, and comments after a row."""
_GROUP = re.compile(r"[\[({]([^\[\](){}]*)[\])}]")
_BRACKETED = "\x00"
"""Before a row that stood in brackets of its own."""
_CELL = re.compile(r"[+-]?\d{1,3}(?:\.0{0,9})?|true|false|[-–—xX×·]", re.IGNORECASE)
_NO_LOOP = frozenset("-–—x×·")
"""How some write the diagonal, where a simple graph has nothing."""
_COMPACT = re.compile(r"[01]{3,64}")
_RULE = re.compile(r"[\s|:+=\-]*(?:--|==)[\s|:+=\-]*")
_LABEL = re.compile(r"[^\n:=|]{1,32}?\s?[:=|](?=\s)|\d{1,2}[.)](?=\s+[01]\s)")
_BARE_LABEL = re.compile(r"[\s,]*(?:[\w\"' ().#-]{1,32}[:=]?)?\s*")


@dataclass(frozen=True)
class Transcription:
    """A matrix as it stands in an answer, and its graph.

    Attributes:
        rows: The cells; None where the answer has no matrix.
        graph: The graph; None where the matrix is not that of a simple graph.
        fault: Why there is no graph, in words; empty where there is one.
        joined: Pairs of nodes of which only one cell was 1, and which became edges.
        loops: Ones on the diagonal that were left out.
    """

    rows: Rows | None = None
    graph: Graph | None = None
    fault: str = ""
    joined: int = 0
    loops: int = 0


@dataclass(frozen=True)
class Errors:
    """How far a transcribed graph is from the one that was drawn.

    Attributes:
        nodes: Nodes too many; negative where some are missing; None for a matrix that is not
            square.
        edges: Edges too many; None where the matrix gives no graph.
        edits: The smallest number of edges to add or delete, over all relabellings, where the
            smaller graph gets isolated nodes; 0 of isomorphic graphs with equal nodes; None where
            there is no graph, or one of more than 11 nodes.
        exact: Whether the graphs are isomorphic.
    """

    nodes: int | None
    edges: int | None
    edits: int | None
    exact: bool


def read_matrix(text: str | None, symmetrise: bool = False) -> Transcription:
    """Returns the last adjacency matrix in a text.

    Read are lists in brackets (JSON, NumPy, MATLAB), rows of 0 and 1 with or without blanks or
    commas, tables in Markdown, and matrices in LaTeX; rows and columns may have names or numbers.

    Args:
        text: What a model wrote, without its thoughts.
        symmetrise: Whether two nodes are joined where only one of their two cells is 1, and ones on
            the diagonal are left out. Both are counted. Otherwise such a matrix has no graph.
    """
    found = [rows for rows in map(_cleaned, _blocks(_lines(text or ""))) if rows]
    if not found:
        return Transcription(fault="no adjacency matrix of 0 and 1 is stated")
    # Distances or degrees may follow in a table of their own.
    binary = [rows for rows in found if all(cell in (0, 1) for row in rows for cell in row)]
    rows = (binary or found)[-1]
    n = len(rows)
    widths = sorted({len(row) for row in rows})
    if widths != [n]:
        wide = " or ".join(str(width) for width in widths)
        return Transcription(rows, fault=f"{n} rows of {wide} cells are not a square matrix")
    for u, v in ((u, v) for u in range(n) for v in range(n)):
        if rows[u][v] not in (0, 1):
            where = f"row {u + 1}, column {v + 1}"
            return Transcription(rows, fault=f"{rows[u][v]} in {where} is neither 0 nor 1")
    loops = sum(rows[u][u] for u in range(n))
    torn = [(u, v) for u in range(n) for v in range(u) if rows[u][v] != rows[v][u]]
    if torn and not symmetrise:
        v, u = torn[0]
        rest = f"; in all {len(torn)} pairs disagree" if len(torn) > 1 else ""
        fault = f"not symmetric: rows {u + 1} and {v + 1} disagree on their edge{rest}"
        return Transcription(rows, fault=fault)
    if loops and not symmetrise:
        verb = "is" if loops == 1 else "are"
        fault = f"{loops} of the {n} cells on the diagonal {verb} 1: a loop is no edge here"
        return Transcription(rows, fault=fault)
    edges = [(v, u) for u in range(n) for v in range(u) if rows[u][v] or rows[v][u]]
    return Transcription(rows, Graph.of(n, edges), joined=len(torn), loops=loops)


def compare(transcription: Transcription, truth: Graph) -> Errors:
    """Returns how far a transcription is from the graph that was drawn."""
    from benchloom.loaders.answers.edits import count_edits

    rows, graph = transcription.rows, transcription.graph
    square = rows is not None and all(len(row) == len(rows) for row in rows)
    nodes = len(rows) - truth.n_nodes if rows is not None and square else None
    if graph is None:
        return Errors(nodes, None, None, False)
    from benchloom.builders.graphs.answers import is_isomorphic

    exact = graph.n_nodes <= 63 and is_isomorphic(graph, truth)
    return Errors(nodes, graph.n_edges - truth.n_edges, count_edits(graph, truth), exact)


def _lines(text: str) -> list[str]:
    """Returns a text as lines, of which each holds one row of a matrix or none."""
    text = unicodedata.normalize("NFKC", text[-LONGEST:]).replace("\x00", " ")
    text = text.replace("−", "-").replace("\r\n", "\n")
    for pattern, becomes in _LATEX:
        text = pattern.sub(becomes, text)
    return _GROUP.sub(_ungrouped, text).split("\n")


def _ungrouped(group: re.Match[str]) -> str:
    """Returns the innermost brackets of a text as lines of their own, if they hold cells."""
    lines = [line for line in re.split(r"[;\n]", group[1]) if line.strip(" ,")]
    tokens = [_tokens(line) for line in lines]
    if not all(_CELL.fullmatch(token) for row in tokens for token in row) or not tokens:
        return group[0]
    widths = {len(row) for row in tokens}
    # A matrix may stand in one pair of brackets; otherwise one row was broken into lines.
    broken = any(line.rstrip().endswith(",") for line in lines[:-1])
    if len(lines) > 1 and (";" in group[1] or (widths == {len(lines)} and not broken)):
        return "\n\n" + "\n".join(lines) + "\n\n"
    if sum(map(len, tokens)) < 2:
        return group[0]
    return f"\n{_BRACKETED}" + " ".join(token for row in tokens for token in row) + "\n"


def _tokens(line: str) -> list[str]:
    return [token for token in re.split(r"[\s,;]+", line) if token]


def _blocks(lines: Sequence[str]) -> list[list[list[str]]]:
    """Returns runs of rows that follow each other, each row a list of its cells."""
    runs: list[list[list[list[str]]]] = [[[]]]  # parts between blank lines, of runs between others
    for place, line in enumerate(lines):
        if not line.strip():
            if not _is_bracketed(lines, place + 1):
                runs[-1].append([])
        elif line.strip(" \t,;") and not _RULE.fullmatch(line):
            row = _row(line)
            if row is not None:
                runs[-1][-1].append(row)
            # The name of a row in brackets stands alone since these were taken apart.
            elif not (_BARE_LABEL.fullmatch(line) and _is_bracketed(lines, place + 1)):
                runs.append([[]])
    blocks = []
    for run in runs:
        parts = [part for part in run if part]
        # Blank lines part matrices, unless each stands between two rows.
        single = all(len(part) == 1 for part in parts)
        blocks += [[part[0] for part in parts]] if single else parts
    return [block for block in blocks if len(block) > 1]


def _is_bracketed(lines: Sequence[str], place: int) -> bool:
    return place < len(lines) and lines[place].startswith(_BRACKETED)


def _row(line: str) -> list[str] | None:
    """Returns the cells of a line without its name; None where it is no row."""
    if line.startswith(_BRACKETED):
        return line[1:].split()
    line = line.strip().lstrip(">").strip()
    if line.count("|") >= 2:
        cells = [cell.strip() for cell in line.split("|")]
        if not cells[-1]:
            cells.pop()
        if cells and not cells[0] and line.startswith("|"):
            del cells[0]
        if not any(" " in cell and _CELL.match(cell) for cell in cells):
            return _unnamed(cells)
        line = line.strip("| ")  # a matrix between two upright lines
    label = _LABEL.match(line)
    if label:
        line = line[label.end() :]
    cells = _tokens(line)
    if len(cells) in (1, 2) and _COMPACT.fullmatch(cells[-1]):
        return list(cells[-1])
    return _unnamed(cells)


def _unnamed(cells: list[str]) -> list[str] | None:
    """Returns the cells after up to two words; None unless two or more are left."""
    for words in range(3):
        rest = cells[words:]
        if len(rest) > 1 and all(_CELL.fullmatch(cell) for cell in rest):
            return rest
        if words < len(cells) and cells[words][:1].isdigit():
            break
    return None


def _cleaned(block: Sequence[Sequence[str]]) -> Rows | None:
    """Returns the cells of a block without numbers of rows and columns; None if it is no matrix."""
    rows = _without_numbers([list(row) for row in block])
    n = len(rows)
    for u, row in enumerate(rows):
        # Off the diagonal a dash or a cross could mean anything.
        if u < len(row) and row[u].lower() in _NO_LOOP:
            row[u] = "0"
    cells = [cell for row in rows for cell in row]
    if any(cell.lower() in _NO_LOOP for cell in cells):
        return None
    numbers = tuple(tuple(map(_number, row)) for row in rows)
    flat = [number for row in numbers for number in row]
    # Rows of two cells are a list of edges; and a table of other numbers is another table.
    if n < 2 or (n > 2 and all(len(row) == 2 for row in rows)):
        return None
    return numbers if 2 * sum(number in (0, 1) for number in flat) > len(flat) else None


def _without_numbers(rows: list[list[str]]) -> list[list[str]]:
    """Returns rows without a head that numbers the columns and a column that numbers the rows."""
    head, body, n = rows[0], rows[1:], len(rows)
    if n == len(head) and all(len(row) == len(head) for row in rows):
        return rows
    if _counts_up(head) and len(body) == len(head):
        if all(len(row) == len(head) for row in body):
            return body
        if all(len(row) == len(head) + 1 for row in body) and _counts_up([r[0] for r in body]):
            return [row[1:] for row in body]
    numbered = n > 2 and all(len(row) == n + 1 for row in rows)
    if numbered and _counts_up([row[0] for row in rows]):
        return [row[1:] for row in rows]
    return rows


def _counts_up(cells: Sequence[str]) -> bool:
    """Returns whether cells number nodes from 0 or 1."""
    numbers = [int(cell) for cell in cells if cell.isdecimal()]
    return len(numbers) == len(cells) and numbers in (
        list(range(len(cells))),
        list(range(1, len(cells) + 1)),
    )


def _number(cell: str) -> int:
    return int(cell.lower() == "true") if cell[-1].isalpha() else int(float(cell))
