"""The words in which GraphOmni's tasks are answered, and their readers."""

import re
from collections.abc import Callable, Sequence

from benchloom.loaders.answers.claims import Reader
from benchloom.loaders.answers.cuts import CutReader
from benchloom.loaders.answers.numbers import AHEAD, IS, NumberReader, NumberWords
from benchloom.loaders.answers.sequences import SequenceReader, SequenceWords
from benchloom.loaders.answers.words import NUMBER, OPEN, turns
from benchloom.loaders.answers.yes_no import YesNoReader, YesNoWords, about_pair

_CYCLE = r"(?:cycles?|cyclic|loops?|circuits?|closed (?:loops?|paths?|walks?))\b"
CYCLE = YesNoWords(
    about=("cycl", "loop", "circuit", "tree", "forest", "closed", "环", "圈"),
    denied=re.compile(
        rf"\b(?:no|not any|without|zero|lacks?|free of|absence of|nor|neither|none)\s"
        rf"(?:\w{{1,12}}\s){{0,3}}?{_CYCLE}"
        rf"|\b(?:not|never)\b(?!\sa(?:cyclic|\s(?:tree|forest)))[^.;]{{0,60}}?\b{_CYCLE}"
        rf"|\b{_CYCLE}[^.;]{{0,30}}?\b(?:not|never|none|absent|✗)\b(?!\s(?:only|just))"
        r"|(?<!not )(?<!non-)\bacyclic\b(?!\?)|\bcycles?[\s-]free\b|\bloop-free\b|\bnon-?\s?cyclic\b"
        r"|(?<!not )\b(?:is|forms?|be|are|represents?|being|just)\s(?:\w{1,12}\s){0,3}?"
        r"(?:tree|forest|path graph)s?\b(?!\sedge)"
        rf"|(?<![\d\-,])\b0 (?:simple |distinct )?{_CYCLE}|\bnone of [^.;]{{0,40}}\b{_CYCLE}"
        r"|没有(?:\w{0,4})[环圈]|无[环圈]|不(?:存在|包含|含)(?:\w{0,4})[环圈]"
    ),
    affirmed=re.compile(
        rf"\b(?:there (?:is|are|exists?|must be|does exist)|contains?|containing|has|have|having|exists?|forms?|formed"
        rf"|forming|found|find|finds|detect(?:s|ed)?|identif(?:y|ied)|discovered|creat(?:es?|ed|ing)|complet(?:es?|ing)"
        rf"|mak(?:es?|ing)|closes?|closing|yields?|gives?|includes?|reveal(?:s|ed)?|is|are|with|confirm(?:s|ed)?"
        rf"|indicat(?:es|ing)|show(?:s|ing)?)\s(?:\w{{1,12}}\s|\"){{0,4}}?{_CYCLE}"
        rf"|\b{_CYCLE}[^.;]{{0,40}}?\b(?:is|are|was|were|has been|have been|does|do)?\s?(?:indeed\s)?"
        r"(?:exists?|found|detected|present|formed|confirmed|identified|possible|✓)\b"
        r"|\bcycle\s?:\s?\d|\bnot (?:acyclic|a forest)\b|\bnon-?acyclic\b|(?:存在|包含|有|形成)(?:\w{0,4})[环圈]"
        r"|\bis a (?:simple )?cycle\b"
    ),
    ignored=re.compile(
        r"\b(?:no|not (?:have|contain)(?: any)?|without(?: any)?|any|a|an) (?:hamiltonian|eulerian?|odd|directed|negative)[\s-](?:length )?(?:cycles?|circuits?|loops?)\b"
        r"|\b(?:no|not (?:have|contain)(?: any)?|without(?: any)?|any) even[\s-](?:length )?cycles?\b"
        r"|\bself-?\s?loops?\b|\bacyclic\?|\bfor loop|\bspanning tree|\b(?:bfs|dfs|search) (?:tree|forest)"
        r"|\b(?:not|nor) (?:just |only |simply )?(?:the|a trivial)\b"
        r"|\bno (?:longer|other|direct|more|need|shorter|further|new)\b|\bnot (?:a|the) parent\b"
        r"|\bnot (?:only|just|the same|visited|its|yet visited|been visited|through)\b"
    ),
    narrow=re.compile(
        r"\b(?:component|subgraph|sub-graph|subtree|branch|part|portion|so far|yet|this (?:path|branch|walk|step)|here"
        r"|at this (?:point|stage)|first|second|third|other|another|additional|further|new|this edge|these (?:edges|nodes)"
        r"|(?:containing|involving|through|including|from|at|with|for|to|by|of|visiting) (?:the )?(?:nodes?|vertex|vertices|edges?)\s?\(?\d"
        r"|(?:node|vertex|edge)\s?\(?\d+[^.;]{0,40}(?:form|part of|lead|in any|close|create|belong)"
        r"|of length|with length|length[\s-]\d|\d[\s-]cycles?|smaller|larger|longer|shorter)\b|\bcycle (?:starting|through|containing)"
    ),
    label_denies=re.compile(r"\b(?:acyclic|cycle-free|tree|forest|no (?:cycle|loop)s?)\b"),
    witness=re.compile(r"\b(?:cycle|loop)\b[^.;:=\d]{0,40}(?:[:=]|\bis\b)\s?"),
)

_PATH = r"(?:paths?|routes?|way|walks?|connection|connectivity|chain of edges|sequence of edges|series of edges|link|trail)"
_DENIED_PATH = (
    rf"\b(?:no|not any|without|lacks?|nor|neither|zero|absence of|non-?existent)\s(?:\w{{1,12}}\s){{0,3}}?{_PATH}\b"
    rf"(?!\s(?:of length|shorter|longer|via|through|using|that (?:is|uses|goes)))"
    rf"|\b(?:not|never)\b[^.;,]{{0,50}}?\b(?:a|any|the|exist|have)\s(?:\w{{1,12}}\s){{0,2}}?{_PATH}\b"
    rf"|\b{_PATH}\b[^.;,]{{0,40}}?\b(?:not|never)\s(?:exist|possible|found|present|available|be found|there)"
    rf"|\b(?:path|route)s?\s?(?:exists?|found)?\s?[:?]\s*(?:none|✗)"
    r"|\b(?:dis|un|not\s|never\s|nor\s|non-?)(?:\w{1,12}\s)?(?:connected(?! component)|linked|joined)\b"
    r"|\bun-?reachable\b|\bnot (?:\w{1,12}\s)?(?:reachable|accessible|reached)\b|\binaccessible\b"
    r"|\b(?:can|could|does|do|did|will|is) not (?:\w{1,12}\s){0,3}?(?:reach|get to|be reached|travel|be connected|connect|go from|access)"
    r"|\bnot possible to (?:get|go|reach|travel|move)\b|\b(?:never|fails? to|unable to|impossible to) (?:\w{1,12}\s)?(?:reach|get|travel|go)"
    r"|\b(?:different|separate|distinct|disjoint|two)\s(?:\w{1,12}\s){0,2}?(?:components?|blocks?|parts?|subgraphs?|clusters?|groups?|sets?|islands?)\b"
    r"|\bnot (?:\w{1,12}\s){0,3}?(?:in|belong|part of|within|share|lie in|members? of)\s?(?:to )?(?:the |a )?(?:same|common)"
    r"|\bisolated\b|\bno (?:edges?|neighbou?rs?|connections?)\b(?! (?:directly|between|from|connecting))"
    r"|\bseparated?\b (?:from|by)|不连通|不(?:存在|能)\w{0,6}(?:路径|到达|通路)|没有\w{0,4}(?:路径|通路)|无法到达|不可达"
)
_DIRECT = (
    r"\b(?:no|not|nor)\s(?:(?!path\b|route\b|connected\b|reach)\w{1,12}\s){0,3}?(?:direct(?:ly)?|immediate(?:ly)?|adjacent|single edge)\b"
    r"(?:\s(?:connected|linked|joined|connection|edges?|path|link|route|connect|reachable|connects?))?"
    r"|\b(?:no|not an?) (?:edge|link)\b[^.;,]{0,30}|\bno (?:shorter|shortcut|other|more|further|longer|alternative|better|need|problem|new|unvisited)\b(?:\s\w{1,12})?"
    r"|\bnot (?:only|just|yet|been|necessarily|visited|adjacent|the same|neighbou?rs?)\b|\bnot (?:been )?visited\b"
    r"|\b(?:the |this )(?:whole |entire |given )?graph (?:itself )?(?:is|has been|was|may be) (?:\w{1,12}\s)?(?:not (?:\w{1,12}\s)?connected|disconnected|unconnected)\b"
    r"|\bdisconnected (?:graph|components?|parts?|nodes?)\b"
)
CONNECTIVITY = YesNoWords(
    about=("path", "route", "路径", "connect", "reach", "way", "component", "link", "isolated", "separate", "walk",
           "joined", "block", "same", "access", "travel", "edge", "lead", "get", "go ", "路径", "连通", "到达", "可达", "通路"),
    denied=re.compile(_DENIED_PATH),
    affirmed=re.compile(
        rf"\b(?:there (?:is|are|exists?|must be|does exist)|exists?|has|have|found|find|follow|is|via|by|using|with|forms?|forming"
        rf"|provides?|gives?|discovered|establish(?:es)?|take|trace|along)\s(?:\w{{1,12}}\s){{0,4}}?{_PATH}\b"
        rf"|\b{_PATH}\b[^.;]{{0,60}}?\b(?:exists?|found|is possible|available|is valid|✓)\b"
        rf"|\b{_PATH}\b[^.;]{{0,60}}?(?:is|:|=)\s?[\[(]?\d+\s?(?:->|,|-)"
        r"|\b(?:is|are|being|remain|both|fully|indirectly|thereby|directly|graph)\s(?:\w{1,12}\s){0,3}?(?:connected(?! component)|linked|joined|reachable|accessible)\b"
        r"|\b(?:is|be) possible to (?:get|go|reach|travel|move)\b|^\W{0,3}(?:connected|reachable)\b"
        r"|\b(?:can|could|able to|does|we|will|bfs|dfs|search|traversal)\s(?:\w{1,12}\s|from node \d+\s|from \d+\s|starting at node \d+\s){0,3}?(?:be reached|reach(?:es|ed)?|get|go|travel|move|access)\b"
        r"|\breach(?:es|ed|ing)?\s(?:the )?(?:target|destination|node|vertex|\d)|\bleads? (?:from|to)\b"
        r"|\b(?:in|belong to|part of|within|share|lie in)\s(?:the |a )?(?:same|one|single|common)\s(?:\w{1,12}\s)?(?:component|block|part|subgraph|cluster|group)"
        r"|\b(?:is|was) (?:reached|visited)\b|可达|连通|(?:存在|有)\w{0,6}(?:路径|通路)|可以到达"
    ),
    ignored=re.compile(_DIRECT),
    narrow=re.compile(r"\b(?:so far|yet|at this (?:point|stage)|unvisited|(?:first|second|another|other) path)\b"),
    label_denies=re.compile(r"\b(?:disconnected|unreachable|no path|isolated|not connected|different|separate)\b"),
    witness=re.compile(r"\b(?:path|route)s?\b[^.;:=\d]{0,40}(?:\bfrom (?:node )?\d+ to (?:node )?\d+\s?)?(?:[:=]|\bis\b)\s?"),
)

DIAMETER = NumberWords(
    about=("diameter", "直径"),
    named=re.compile(
        rf"(?:\bdiameter\b|直径)(?P<gap>(?:\([^()]{{0,100}}\)|\b\d+\s(?:nodes|vertices|edges)\b|\bnodes?\s\d+(?:\s(?:and|to)\s(?:node\s)?\d+)?|[^.;\d]){{0,90}}?){IS}+{AHEAD}"
        r"|\bdiameter\s(?=\d)|直径"
    ),
    counted=re.compile(
        rf"(?P<number>{NUMBER})\s(?:is|as|=|equals|for|being|\W{{0,3}})\s?(?:indeed\s|therefore\s|also\s)?(?:the\s|this\s|our\s|its\s)(?:\w{{1,10}}\s)?diameter\b"
    ),
    total=re.compile(
        r"\b(?:max(?:imum)?|largest|greatest|longest|highest|farthest)(?:\s(?:of|among|all|these|the|finite|overall|pairwise|computed|any))*"
        rf"\s(?:eccentricit(?:y|ies)|(?:shortest[\s-])?(?:path|distance)s?(?:\slengths?)?)\b(?:\bnodes?\s\d+|[^.;\d]){{0,70}}?{IS}+{AHEAD}"
    ),
    narrow=re.compile(r"\bdiameter of (?:the |this |each |a )?(?:\w{1,12} )?(?:component|subgraph|tree|path|cycle|complete|star|subset)\b"),
    can_be_infinite=True,
    units=frozenset({"edges", "edge", "hops", "hop", "steps"}),
)

_TRIANGLES = r"triangles?\b(?! inequality| count)"
TRIANGLE = NumberWords(
    about=("triangle", "三角"),
    named=re.compile(
        rf"\b(?:number|count|total|amount|#)\s(?:\w{{1,10}}\s){{0,3}}?(?:triangles?|triangular)\b(?:\([^()]{{0,100}}\)|\b\d+\s(?:nodes|vertices|edges)\b|[^.;\d]){{0,80}}?{IS}+{AHEAD}"
        rf"|#\s?(?:of\s)?triangles?\b[^.;\d]{{0,40}}?{IS}+{AHEAD}"
        rf"|\btriangles?(?:\s(?:count|number|found|counted|total|in (?:the|this)(?: given)? graph|overall|altogether|in total))*\s?\(?{IS}+(?<!has )(?<!have )(?<!by )(?<!of )(?<!as )(?<!at )(?<!to )(?<!get )"
        r"|三角形\w{0,12}?(?:是|为|有|:|=)+\s?(?:共|总共)?"
    ),
    counted=re.compile(
        rf"(?P<number>{NUMBER}|\bsingle)(?:\s\([a-z\d]{{1,20}}\))?\s(?:(?!node|vert|edge|more|of|times|time|other|additional|another|new)[a-z\-]{{1,12}},?\s){{0,3}}?{_TRIANGLES}"
        rf"|(?P<zh>{NUMBER})\s?个?三角"
    ),
    zero=re.compile(
        rf"\b(?:no|not any|without|zero|none|not (?:contain|have|form|include)(?: any)?|never forms? an?|free of)\s(?:\w{{1,12}}\s){{0,2}}?(?:triangles?|triangular)\b"
        rf"|\btriangle[\s-]free\b|\btriangles?\s(?:\w{{1,12}}\s){{0,3}}?(?:do|does|can) not (?:exist|be)\b|\bnot (?:\w{{1,12}}\s){{0,5}}?(?:any|a(?: single)?) triangles?\b"
        rf"|没有(?:任何)?三角|不存在(?:任何)?三角"
    ),
    total=re.compile(
        rf"\b(?:correct|actual|right|true|exact) (?:number|value)\s{IS}+|\b(?:(?:final|grand|overall)\s)?(?:total|count|tally|sum total)(?:\s(?:number|count|is|of|unique|distinct|triangles))*\s?{IS}*(?=\W{{0,3}}\d|\w)"
    ),
    narrow=re.compile(
        r"\b(?:each|every|per|more|another|additional|new|if)\s(?:\w{1,12}\s){0,5}?triangles?\b|\bso far\b|\b(?:each|every) (?:node|vertex|edge)"
        r"|\btriangles?\b(?:\s(?:is|are|that|which|found|formed|so))*\s(?:containing|contain|involving|involve|including|include|with|through|incident|around|at|on|from|by|using|use|touching|per|for|each|so far|starting|where)\s"
        r"(?:the |an? |this |that |it |its )?(?:nodes?|vertex|vertices|edges?|pair|\(?\d|it|each|every|so)"
        r"|\b(?:nodes?|vertex|edges?|vertices)\s\(?\d+[^.;:]{0,60}\b(?:is|are|in|has|have|part|participates?|involved|forms?|contributes?|closes?|belongs?|gives?|makes?|complete)\b[^.;:]{0,40}triangle"
        r"|^\W{0,4}(?:(?:for|from|with|at|checking|consider(?:ing)?)\s)?(?:the )?(?:nodes?|vertex|edges?|pair|starting)\s?[\w(),\s\-]{0,30}:|^\W{0,4}(?:edge\s)?(?:\(\d+,\s?\d+\)|\d+[\s,\-]+\d+)\s?:"
        r"|\b(?:for|from|with|at) (?:nodes?|vertex|edges?)\s\(?\d+[^.;:]{0,30},"
    ),
    units=frozenset({"triangles", "triangle"}),
)

_NO_CYCLE = re.compile(
    r"\b(?:no|not any|without|zero|lacks?|neither|nor)\s(?:\w{1,12}\s){0,3}?(?:hamiltonian|cycle|hamilton|such cycle)"
    r"|\b(?:not|never|impossible)\b[^.;]{0,60}?\b(?:hamiltonian|hamilton cycle)\b"
    r"|\bhamilton(?:ian)?(?:\s(?:cycle|circuit))?s?\b[^.;]{0,60}?\b(?:(?:not|never)\s(?:\w{1,10}\s)?(?:exist|possible|found|be|present|contain)|is impossible|none)"
    r"|\bnon-?\s?hamiltonian\b|\bcycle\s?[:=]\s?(?:none|null|no\b|\[\s?\])"
    r"|\b(?:is|there is|:)\s(?:none|no such cycle)\b"
)
_NO_PATH = re.compile(
    _DENIED_PATH + r"|\b(?:path|route)\s?(?:is\s?)?[:=]?\s?(?:none|null|n/a|empty|\[\s?\]|does not exist)"
)
_NOT_NO_PATH = re.compile(
    _DIRECT + r"|\bno (?:\w{1,12}\s)?(?:path|route)s? (?:of|with|via|using|shorter|longer|is shorter|can be shorter)\b[^.;]{0,40}"
    r"|\bno (?:shorter|better|other|alternative|longer|direct|quicker)\b[^.;]{0,40}"
    r"|\b(?:no|not)\b[^.;]{0,30}\b(?:shorter|better|direct)\b|\bnot (?:the )?(?:shortest|connected to any other|unique)\b[^.;]{0,20}"
)


def _denial(
    denied: re.Pattern[str],
    ignored: re.Pattern[str] | None = None,
    is_about: Callable[[str], bool] | None = None,
) -> Callable[[str], bool]:
    """Returns what tells whether a sentence says that there is no such list."""

    def says_none(sentence: str) -> bool:
        if not any(word in sentence for word in _NEGATIVE):
            return False
        kept = ignored.sub(" ", sentence) if ignored is not None else sentence
        return any(
            denied.search(clause) is not None
            and OPEN.search(clause) is None
            and (is_about is None or is_about(clause))
            for clause in turns(kept)
        )

    return says_none


_NEGATIVE = ("no", "un", "dis", "with", "lack", "imposs", "isolated", "separate", "inacc", "two", "differ", "never",
             "fail", "nei", "null", "[", "不", "没", "无", "zero", "absence")  # fmt: skip

_BFS = SequenceWords(
    about=("bfs", "breadth", "顺序", "遍历", "order", "traversal", "sequence", "output", "visit"),
    named=re.compile(
        r"顺序|遍历|\b(?:bfs|breadth[\s-]first(?:\ssearch)?|(?:traversal|visit(?:ing|ed)?|final|resulting|complete)\s?(?:order|sequence|list|path)?"
        r"|order(?:\s(?:of\s)?(?:visit(?:ed|ing)?|traversal))?|sequence|traversal)(?![a-z])(?! level| tree| queue)"
    ),
    narrow=re.compile(
        r"\b(?:queue|neighbou?rs?|adjacent|enqueue[ds]?|dequeue[ds]?|levels?|layers?|unvisited|set|adds?|adding|added|so far|edges?|mark(?:ed)?"
        r"|push(?:ed)?|pop(?:ped)?|adjacency|remaining|connected to|children|currently|current|visited\s?[:=(])\b[^.;\d]{0,30}(?:\bof \d+\W{0,3})?$|visited\s?[:=]\s?[\[{(]*$|queue\s?[:=]?\s?[\[{(]*$"
    ),
    least=1,
    in_prose=False,
    in_levels=True,
)
_PATH_WORDS = dict(
    about=("path", "route", "路径", "shortest", "go ", "via", "sequence", "walk", "reach"),
    named=re.compile(r"\b(?:path|route|shortest|sequence|walk)\b|路径"),
    narrow=re.compile(
        r"\b(?:queue|neighbou?rs?|adjacent|enqueue[ds]?|dequeue[ds]?|levels?|visited|edges?|mark(?:ed)?|adjacency|connected to|longer|shorter than|instead of"
        r"|than|unlike|rather than|partial|so far|not|other|another|alternative|also|predecessors?|parents?|lengths?|distances?)\b[^.;:\d]{0,30}(?:\bof \d+\W{0,3})?$|(?:visited|queue)\s?[:=]\s?[\[{(]*$"
    ),
    in_prose=True,
)
_HAMILTON = SequenceWords(
    about=("cycle", "hamilton", "circuit", "path", "tour", "order", "sequence"),
    named=re.compile(r"\b(?:cycle|hamiltonian|hamilton|circuit|tour|sequence|order|path)\b"),
    narrow=re.compile(
        r"\b(?:queue|neighbou?rs?|adjacent|edges?|adjacency|connected to|partial|so far|not|than|degrees?|visited|triangle|backtrack)\b[^.;:\d]{0,30}$"
    ),
    none=_denial(_NO_CYCLE, re.compile(r"\bno (?:other|longer|more|further|repeated|direct)\b")),
    least=3,
    in_prose=True,
)

KEYS: dict[str, tuple[str, ...]] = {
    "bfs_order": ("bfs_order", "bfs_traversal_order", "bfs_traversal", "bfs", "traversal_order", "traversal", "order", "visit_order", "sequence", "path", "nodes"),
    "connectivity": ("connected", "is_connected", "has_path", "path_exists", "is_path", "exists", "connectivity", "reachable", "is_reachable", "are_connected", "there_is_path"),
    "cycle": ("has_cycle", "cycle", "contains_cycle", "is_cyclic", "cyclic", "cycle_exists", "cycle_detected", "exists", "has_cycles", "cycle_present", "there_is_cycle"),
    "diameter": ("diameter", "graph_diameter", "length"),
    "shortest_path": ("shortest_path", "path", "route", "nodes", "sequence"),
    "triangle": ("triangles", "triangle_count", "number_of_triangles", "num_triangles", "n_triangles", "count", "total", "total_triangles", "triangle", "number"),
    "hamiltonian_cycle": ("hamiltonian_cycle", "cycle", "path", "nodes", "sequence", "hamiltonian"),
    "max_cut": (),
}  # fmt: skip
"""Names under which a JSON object may hold a task's answer."""


def reader(task: str, asked: Sequence[int] = ()) -> Reader:
    """Returns the reader of a task's claims.

    Args:
        task: The task.
        asked: The nodes that the question names; statements about other pairs of nodes are then
            no claims.
    """
    if task == "connectivity":
        return YesNoReader(CONNECTIVITY, about_pair(asked))
    if task == "shortest_path":
        none = _denial(_NO_PATH, _NOT_NO_PATH, about_pair(asked))
        return SequenceReader(SequenceWords(none=none, **_PATH_WORDS))  # type: ignore[arg-type]
    return _READERS[task]


_READERS: dict[str, Reader] = {
    "bfs_order": SequenceReader(_BFS),
    "cycle": YesNoReader(CYCLE),
    "diameter": NumberReader(DIAMETER),
    "triangle": NumberReader(TRIANGLE),
    "hamiltonian_cycle": SequenceReader(_HAMILTON),
    "max_cut": CutReader(),
}
