"""What a row of a user's own references must be, for each benchmark."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from benchloom.builders.errors import InputError
from benchloom.builders.registry import lookup
from benchloom.loaders.scores.printable import printable
from benchloom.loaders.scores.truth_checks import graphomni_fault, vga_fault

MOST_NODES = 100_000
Row = dict[str, Any]


class Fault(ValueError):  # noqa: N818  (a fault of the user's, which gets its place added)
    """What is wrong with a row, in words that follow its place."""


class VgaCheck:
    """Checks rows of VGA: `config` (or `task`) and `answer`."""

    needed = ("id", "answer")

    def __call__(self, row: Row, config: str | None) -> Row:
        """Returns a row with its answer as the config has it.

        Args:
            row: The row.
            config: The config of rows that name none.

        Raises:
            Fault: If something is wrong with it.
        """
        from benchloom.builders.vga.configs import CONFIGS

        named = row.get("config") or row.get("task") or _config_in_id(row["id"], CONFIGS) or config
        if named is None:
            raise Fault(f"config is missing; name one of {', '.join(CONFIGS)}")
        labels = _known(CONFIGS, named, "config").labels
        answer = str(row["answer"]).strip().lower()
        if answer not in labels:
            raise Fault(f"answer {_shown(row['answer'])} is none of {', '.join(labels)}")
        checked = {**row, "config": named, "answer": answer}
        if isinstance(row.get("label"), str):
            del checked["label"]  # its name, where the column holds its number
        try:
            _refuse(row["answer"], vga_fault(named, checked))
        except InputError as error:
            raise Fault(printable(str(error), None)) from None
        return checked


class GraphOmniCheck:
    """Checks rows of GraphOmni: `task`, `n_nodes`, `edges`, `answer`, `source` and `target`."""

    needed = ("id", "task", "n_nodes", "edges", "answer")

    def __init__(self) -> None:
        self._given: Any = None
        self._edges: list[list[int]] = []
        self._right: Any = None

    def __call__(self, row: Row, config: str | None) -> Row:
        """Returns a row with its edges sorted and its answer as records have it.

        Args:
            row: The row.
            config: Not used: a row names its task.

        Raises:
            Fault: If something is wrong with it.
        """
        task = row["task"]
        read, nodes_asked = _known(_GRAPHOMNI, task, "task")
        n_nodes = _whole(row["n_nodes"], "n_nodes")
        if not 1 <= n_nodes <= MOST_NODES:
            raise Fault(f"n_nodes is {n_nodes}; it must be from 1 to {MOST_NODES:,}")
        checked = {**row, "config": task, "n_nodes": n_nodes}
        checked["edges"] = self._checked_edges(n_nodes, row["edges"])
        for name in nodes_asked:
            if row.get(name) is None:
                raise Fault(f"{name} is missing, which {task} asks about")
            checked[name] = _node(row[name], n_nodes, name)
        try:
            checked["answer"] = read(row["answer"], n_nodes)
        except ValueError as error:
            reason = f" ({error})" if isinstance(error, Fault) else ""
            raise Fault(
                f"answer {_shown(row['answer'])} is none of {task}{reason}; "
                f"it looks like {_EXAMPLES[read]}"
            ) from None
        asked = (task, *(checked.get(name) for name in ("source", "target", "answer")))
        # The forms of one question follow one another, and share their edges then.
        if self._right is None or self._right[0] is not self._edges or self._right[1] != asked:
            source, target = (
                checked[name] if name in nodes_asked else None for name in ("source", "target")
            )
            fault = graphomni_fault(
                *(task, n_nodes, self._edges, source, target, checked["answer"])
            )
            _refuse(row["answer"], fault)
            self._right = (self._edges, asked)
        return checked

    def _checked_edges(self, n_nodes: int, edges: Any) -> list[list[int]]:
        # The forms of one question follow one another.
        if self._given == (n_nodes, edges):
            return self._edges
        if not isinstance(edges, Sequence) or isinstance(edges, str):
            raise Fault(f"edges are {_shown(edges)}, no list of pairs of nodes")
        found = set()
        for edge in edges:
            if not isinstance(edge, Sequence) or isinstance(edge, str) or len(edge) != 2:
                raise Fault(f"edges hold {_shown(edge)}, no pair of nodes")
            u, v = (_node(one, n_nodes, f"edge {_shown(edge)}") for one in edge)
            if u == v:
                raise Fault(f"edges hold {_shown(edge)}, which joins a node to itself")
            found.add((min(u, v), max(u, v)))
        self._given = (n_nodes, edges)
        self._edges = [list(edge) for edge in sorted(found)]
        return self._edges


class DragonCheck:
    """Checks rows of DRAGON: `image_ref` with the picture's size, and `evidence` with boxes."""

    needed = ("id", "image_ref", "evidence")

    def __call__(self, row: Row, config: str | None) -> Row:
        """Returns a row with its boxes as numbers; a box without a role is the answer's.

        Args:
            row: The row.
            config: The source of rows that name none.

        Raises:
            Fault: If something is wrong with it.
        """
        image = row["image_ref"]
        if not isinstance(image, Mapping):
            raise Fault(f"image_ref is {_shown(image)}, no object with width and height")
        size = {}
        for name in ("width", "height"):
            size[name] = _whole(image.get(name), f"image_ref's {name}")
            if size[name] < 1:
                raise Fault(f"image_ref's {name} is {size[name]}; it is in pixels, from 1 up")
        evidence = row["evidence"]
        if not isinstance(evidence, Sequence) or isinstance(evidence, str):
            raise Fault(f"evidence is {_shown(evidence)}, no list of objects with a bbox")
        return {
            **row,
            "config": row.get("source") or row.get("config") or config,
            "image_ref": {**image, **size},
            "evidence": [self._box(one, place) for place, one in enumerate(evidence, 1)],
        }

    def _box(self, one: Any, place: int) -> Row:
        from benchloom.builders.dragon.work import ROLES

        # `type` first, as asking for a Mapping takes longer than all the rest.
        if (type(one) is not dict and not isinstance(one, Mapping)) or "bbox" not in one:
            raise Fault(f"evidence {place} is {_shown(one)}, no object with a bbox")
        try:
            x, y, width, height = map(float, one["bbox"])
        except (TypeError, ValueError):
            x = y = width = height = math.nan
        if not math.isfinite(x + y + width + height) or width < 0 or height < 0:
            raise Fault(
                f"evidence {place} has the bbox {_shown(one['bbox'])}; give "
                "[x, y, width, height] in pixels"
            )
        role = one.get("role") or ROLES[0]
        if role not in ROLES:
            raise Fault(f"evidence {place} has the role {_shown(role)}, none of {', '.join(ROLES)}")
        return {**one, "bbox": [x, y, width, height], "role": role}


Check = VgaCheck | GraphOmniCheck | DragonCheck
CHECKS: Mapping[str, Callable[[], Check]] = {
    "vga": VgaCheck,
    "graphomni": GraphOmniCheck,
    "dragon": DragonCheck,
}


def _yes_no(answer: Any, n_nodes: int) -> str:
    word = _text_of(answer).capitalize()
    if word not in ("Yes", "No"):
        raise ValueError
    return word


def _number(answer: Any, n_nodes: int) -> str:
    number = int(_text_of(answer))
    if number < 0:
        raise ValueError
    return str(number)


def _nodes(answer: Any, n_nodes: int) -> str:
    listed = answer if isinstance(answer, list) else _text_of(answer).split(",")
    return ",".join(str(_node(_as_int(one), n_nodes, "it")) for one in listed)


def _cycle_or_none(answer: Any, n_nodes: int) -> str:
    if isinstance(answer, str) and answer.strip().lower() == "none":
        return "none"
    return _nodes(answer, n_nodes)


def _cut(answer: Any, n_nodes: int) -> str:
    size, _, side = _text_of(answer).partition(":")
    return f"{_number(size, n_nodes)}: {_nodes(side, n_nodes)}"


_BOTH = ("source", "target")
_GRAPHOMNI: dict[str, tuple[Callable[[Any, int], str], tuple[str, ...]]] = {
    "bfs_order": (_nodes, ("source",)),
    "connectivity": (_yes_no, _BOTH),
    "cycle": (_yes_no, ()),
    "diameter": (_number, ()),
    "shortest_path": (_nodes, _BOTH),
    "triangle": (_number, ()),
    "hamiltonian_cycle": (_cycle_or_none, ()),
    "max_cut": (_cut, ()),
}
"""For each task how its answer is read, and the columns with the nodes it asks about."""
_EXAMPLES = {
    _nodes: "0,3,1",
    _yes_no: "Yes or No",
    _number: "3",
    _cycle_or_none: "0,3,1,2 or none",
    _cut: "5: 0,2",
}


def _known(table: Mapping[str, Any], name: Any, kind: str) -> Any:
    try:
        return lookup(dict(table), name if isinstance(name, str) else _shown(name), kind)
    except InputError as error:
        raise Fault(printable(str(error), None)) from None


def _config_in_id(name: Any, configs: Mapping[str, Any]) -> str | None:
    """Returns the config that an id of the published form `config-split-000123` names."""
    config, *rest = str(name).split("-")
    return config if config in configs and len(rest) == 2 and rest[1].isdigit() else None


def _refuse(answer: Any, fault: str | None) -> None:
    """Refuses an answer that is not right for its graph."""
    if fault is not None:
        raise Fault(f"answer {_shown(answer)} is wrong ({fault}); correct it, or the graph")


def _text_of(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise ValueError
    return str(value).strip()


def _as_int(value: Any) -> Any:
    return int(value) if isinstance(value, str) else value


def _whole(value: Any, name: str) -> int:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool):
        raise Fault(f"{name} is {_shown(value)}, no whole number")
    return value


def _node(value: Any, n_nodes: int, name: str) -> int:
    node = _whole(value, name)
    if not 0 <= node < n_nodes:
        raise Fault(f"{name} has the node {node}; the nodes are 0 to {n_nodes - 1}")
    return node


def _shown(value: Any) -> str:
    return printable(repr(value))
