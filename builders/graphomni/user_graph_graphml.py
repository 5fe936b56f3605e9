"""GraphML files of a user: any program's, not just ours."""

from pathlib import Path
from xml.parsers import expat

from benchloom.builders.errors import InputError
from benchloom.builders.graphomni.user_graph_texts import (
    Found,
    edge_of,
    is_one,
    read_lines,
    shown,
    simple_graph,
)

_OF_EDGES = ("source", "target", "directed", "sourceport", "targetport")


def read_graphml(path: Path) -> list[Found]:
    """Returns the graphs of a GraphML file; a node's `id` is its label.

    Raises:
        InputError: If the file is no GraphML, or a graph is not a plain undirected one.
    """
    text = "\n".join(read_lines(path))
    # Already decoded: what encoding the head names no longer matters.
    parser = expat.ParserCreate(encoding="utf-8", namespace_separator=" ")
    reader = _GraphMLReader(path, parser)
    try:
        parser.Parse(text.encode(), True)
    except expat.ExpatError as error:
        raise InputError(
            f"{path}, line {error.lineno}: this is no well-formed XML "
            f"({expat.ErrorString(error.code)}); write the GraphML again"
        ) from None
    if not reader.graphs:
        raise InputError(f"{path}: holds no element graph; take it away")
    several = len(reader.graphs) > 1
    found = []
    for count, (labels, edges) in enumerate(reader.graphs, start=1):
        links = []
        for line, source, target, others in edges:
            stated = {**reader.defaults, **others}
            named = {reader.names.get(key, key): value for key, value in stated.items()}
            links.append(edge_of(f"{path}, line {line}", source, target, line, named))
        found.append(simple_graph(path, f"graph {count}" if several else "", labels, links))
    return found


class _GraphMLReader:
    """What expat tells while it walks through a GraphML document."""

    def __init__(self, path: Path, parser: expat.XMLParserType) -> None:
        self.path, self.parser = path, parser
        self.graphs: list[tuple[list[str], list[tuple[int, str, str, dict[str, str]]]]] = []
        self.names: dict[str, str] = {}
        self.defaults: dict[str, str] = {}
        self._open: list[str] = []
        self._key, self._text = "", ""
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        # Nothing that is drawn or counted needs entities, and they could blow up.
        parser.EntityDeclHandler = lambda *_: self._refuse("an entity is declared; write it out")

    def _refuse(self, fault: str) -> None:
        raise InputError(f"{self.path}, line {self.parser.CurrentLineNumber}: {fault}")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        name = name.rpartition(" ")[2]
        parent = self._open[-1] if self._open else ""
        inside_data = "data" in self._open  # other programs' drawings, not ours to read
        self._open.append(name)
        self._text = ""
        if inside_data:
            return
        if not parent and name != "graphml":
            self._refuse(f"the document is {shown(name)}, not graphml; take the file away")
        if name == "graph":
            if parent != "graphml":
                self._refuse("a graph stands within a graph; write them side by side")
            if attributes.get("edgedefault") != "undirected":
                self._refuse("the graph is not undirected; only undirected ones can be used")
            self.graphs.append(([], []))
        elif name in ("node", "edge", "hyperedge") and parent != "graph":
            self._refuse(f"a {name} stands outside of a graph; write the GraphML again")
        elif name == "hyperedge":
            self._refuse("a hyperedge joins more than two nodes; only simple graphs can be used")
        elif name == "node":
            if "id" not in attributes:
                self._refuse("the node has no id; write the GraphML again")
            self.graphs[-1][0].append(attributes["id"])
        elif name == "edge":
            if not {"source", "target"} <= attributes.keys():
                self._refuse("the edge has no source or no target; write the GraphML again")
            if attributes.get("directed", "false") not in ("false", "0"):
                self._refuse("the edge is directed; only undirected ones can be used")
            if not is_one(attributes.get("weight", "1")):
                self._refuse("the edge has a weight; only graphs without weights can be used")
            # A key may be called id too, so the attribute gets a name that no key can have.
            others = {f"@{k}": v for k, v in attributes.items() if k not in _OF_EDGES}
            line = self.parser.CurrentLineNumber
            ends = attributes["source"], attributes["target"]
            self.graphs[-1][1].append((line, *ends, others))
        elif name == "key":
            self._key = attributes.get("id", "") if attributes.get("for") in ("edge", "all") else ""
            if self._key:
                self.names[self._key] = attributes.get("attr.name", self._key)
        elif name == "data":
            self._key = attributes.get("key", "") if parent == "edge" else ""

    def _characters(self, text: str) -> None:
        self._text += text

    def _end(self, name: str) -> None:
        name = name.rpartition(" ")[2]
        self._open.pop()
        if "data" in self._open:
            return
        if name == "default" and self._key:
            self.defaults[self._key] = self._text.strip()
        elif name == "data" and self._key:
            self.graphs[-1][1][-1][3][self._key] = self._text.strip()
