"""The words in which cycles and paths are said to be or not to be there."""

import re

from benchloom.loaders.answers.yes_no import YesNoWords

_CYCLE = r"(?:cycles?|cyclic|loops?|circuits?|closed (?:loops?|paths?|walks?))\b"
CYCLE = YesNoWords(
    about=(
        "cycl",
        "loop",
        "circuit",
        "tree",
        "forest",
        "closed",
        "return",
        "back edge",
        "back-edge",
        "has one",
        "ains one",
        "is one",
        "环",
        "圈",
    ),
    denied=re.compile(
        r"\b(?:no|0|zero|not (?:find|found|have|any)(?: any)?) back[\s-]edges\b"
        r"|\b(?:there is|exists|found) no back[\s-]edge\b|"
        r"\bno way to [^;]{0,60}?\breturn\b|\bnot return to (?:it|itself|the start\w*)\b|"
        rf"\b(?:no|not any|without|zero|lacks?|free of|absence of|nor|neither|none)\s"
        rf"(?:\w{{1,12}}\s){{0,3}}?{_CYCLE}"
        r"|\b(?:not|never)\b(?!\sa(?:cyclic|\s(?:tree|forest)))(?:(?!\b(?:and|but|which)\b"
        rf"|,)[^.;]){{0,60}}?\b{_CYCLE}"
        rf"|\b{_CYCLE}[^.;]{{0,30}}?\b(?:not|never|none|absent|✗)\b(?!\s(?:only|just))"
        r"|(?<!not )(?<!non-)\bacyclic\b(?!\?)|\bcycles?[\s-]free\b|\bloop-free\b"
        r"|\bnon-?\s?cyclic\b"
        r"|(?<!not )\b(?:is|forms?|be|are|represents?|being|just)\s(?:(?!not"
        r"|never)\w{1,12}\s){0,3}?"
        r"(?:tree|forest|path graph)s?\b(?!\sedge)"
        rf"|(?<![\d\-,])\b0 (?:simple |distinct )?{_CYCLE}|\bnone of [^.;]{{0,40}}\b{_CYCLE}"
        r"|没有(?:\w{0,4})[环圈]|无[环圈]|不(?:存在|包含|含)(?:\w{0,4})[环圈]"
    ),
    affirmed=re.compile(
        r"\b(?:found|find|there (?:is|are)|exists?|contains?|has) (?:an?|one|at least one"
        r"|exactly one"
        r"|[1-9]\d?) back[\s-]edges?\b"
        r"|(?<!no )(?<!any )(?<!not a )\bback[\s-]edge\b[^;.]{0,30}\b(?:was|is|has been) (?:found"
        r"|detected)\b"
        r"|\b(?:component|graph|part|other)\b[^;]{0,30}\b(?:has|contains) one\b(?=[\s.!]*$)"
        r"|\d(?:\s?(?:->|-|,)\s?\d+){2,}[\])]? is one\b|"
        r"\breturn(?:s|ing)? to [^;,]{1,30} without (?:repeating|reusing|retracing|using"
        r"|crossing)\b|"
        r"\b(?:there (?:is|are|exists?|must be|does exist|seems to be|appears to be)|contains?"
        r"|containing|has|have"
        r"|having|exists?|forms?|formed"
        r"|forming|found|find|finds|detect(?:s|ed)?|identif(?:y|ied)|discovered|creat(?:es?"
        r"|ed|ing)|complet(?:es?|ing)"
        r"|mak(?:es?|ing)|closes?|closing|yields?|gives?|includes?|reveal(?:s|ed)?|see|is|are"
        r"|with|confirm(?:s|ed)?"
        rf"|indicat(?:es|ing)|show(?:s|ing)?)\s(?:\w{{1,12}}\s|\"){{0,4}}?{_CYCLE}"
        rf"|\b{_CYCLE}[^.;]{{0,40}}?\b(?:is|are|was|were|has been|have been|does"
        r"|do)?\s?(?:indeed\s)?"
        r"(?:exists?|found|detected|present|formed|confirmed|identified|possible|✓)\b"
        r"|\bcycle\s?:\s?\d|\bnot (?:acyclic|a forest)\b|\bnon-?acyclic\b|(?:存在|包含|有"
        r"|形成)(?:\w{0,4})[环圈]"
        r"|\bexistence of (?:a|at least one|one) cycle\b"
        r"|\bis a (?:simple )?cycle\b|^\W{0,3}(?:it is )?cyclic\b"
        r"|\b(?:at least|exactly|more than|just|only) (?:one|a|a single|two|three"
        rf"|\d{{1,3}}) {_CYCLE}"
    ),
    ignored=re.compile(
        r"\b(?:no|not (?:have|contain)(?: any)?|without(?: any)?|any|a|an) (?:hamiltonian"
        r"|eulerian?|odd|directed|negative)[\s-](?:length )?(?:cycles?|circuits?|loops?)\b"
        r"|\b(?:no|not (?:have|contain)(?: any)?|without(?: any)?"
        r"|any) even[\s-](?:length )?cycles?\b"
        r"|\bself-?\s?loops?\b|\bacyclic\?|\bfor loop|\bspanning tree|\b(?:bfs|dfs"
        r"|search) (?:tree|forest)"
        r"|\b(?:not|nor) (?:just |only |simply )?(?:the|a trivial)\b"
        r"|\bno (?:longer|other|direct|more|need|shorter|further|new)\b|\bnot (?:a|the) parent\b"
        r"|\bnot (?:only|just|the same|visited|its|yet visited|been visited|through)\b"
    ),
    narrow=re.compile(
        r"^\W{0,3}(?:an? |any |every |all )?(?:trees?|forests?|acyclic graphs?) (?:is|are"
        r"|ha(?:s|ve)"
        r"|contains?|do|does|can)\b"
        r"|\b(?:(?<!neither )(?<!\bno )component|subgraph|sub-graph|subtree"
        r"|branch|part|portion|so far|yet"
        r"|this (?:path|branch|walk|step)"
        r"|at this (?:point|stage)|first|second|third|other|another|additional|further|new"
        r"|this edge|these (?:edges|nodes)"
        r"|(?:containing|involving|through|including|from|at|with|for|to|by|of"
        r"|visiting) (?:the )?(?:nodes?|vertex|vertices|edges?)\s?\(?\d"
        r"|(?:node|vertex|edge)\s?\(?\d+[^.;]{0,40}(?:form|part of|lead|in any|close|create|belong)"
        r"|of (?:\w+ )?length|with length|length[\s-]\d|[1-9][\s-]cycles?|smaller|larger|longer"
        r"|shorter)\b"
        r"|\bcycle (?:starting|through|containing)"
    ),
    label_denies=re.compile(r"\b(?:acyclic|cycle-free|tree|forest|no (?:cycle|loop)s?)\b"),
    doubled=re.compile(
        r"\b(?:not|never|neither|nor)\s(?:(?:be|form|represent|possibly|is|remain|an?|both|even"
        r"|truly)\s){0,3}"
        r"(?:acyclic|forest|(?:cycle|loop)s?[\s-]free|without (?:any )?cycles?|free of cycles)\b"
        r"|\bnot\s(?:(?:have|contain|be|possess)\s(?:no|zero)|lack(?: any| a)?)\scycles?\b"
        r"|\bnon-?acyclic\b"
    ),
    pronouns=re.compile(
        r"there (?:is|are|exists?|do|does)|(?:it|this graph|the graph|the given graph) (?:does"
        r"|has|do)|(?:one|we) (?:does|exists?|have|do|can)"
    ),
    witness=re.compile(r"\b(?:cycle|loop)s?\b[^.;:=\d]{0,40}(?:[:=]|\bis\b)\s?"),
)

_PATH = (
    r"(?:paths?|routes?|way|walks?|connection|connectivity|chain of edges"
    r"|sequence of edges|series of edges|link|trail)"
)
DENIED_PATH = (
    r"\b(?:no|not any|without|lacks?|nor|neither|zero|absence of"
    rf"|non-?existent)\s(?:\w{{1,12}}\s){{0,3}}?{_PATH}\b"
    rf"(?!\s(?:of length|shorter|longer|via|through|using|that (?:is|uses|goes)))"
    rf"|\b(?:not|never)\b[^.;,]{{0,50}}?\b(?:a|any|the|exist"
    rf"|have)\s(?:\w{{1,12}}\s){{0,2}}?{_PATH}\b"
    rf"|\b{_PATH}\b[^.;,]{{0,40}}?\b(?:not|never)\s(?:exist|possible|found|present"
    r"|available|be found|there)"
    rf"|\b(?:path|route)s?\s?(?:exists?|found)?\s?[:?]\s*(?:none|✗)"
    r"|\b(?:dis|un|not\s|never\s|nor\s|non-?)(?:\w{1,12}\s){0,2}?(?:connected(?! component)"
    r"|linked|joined)\b"
    r"|\bun-?reachable\b|\bout of reach\b|\b(?:not|never) arrives? (?:at|in)\b"
    rf"|\b{_PATH}\b[^.;,]{{0,40}}?\b(?:is|are) (?:missing|absent|lacking)\b"
    r"|\bneither\b[^.;,]{0,60}?\b(?:connected|reach\w*|linked|joined)\b"
    r"|\b(?:paths?|routes?)\b[^.;,]{0,20}?\bnot to be found\b|\bcut off from\b"
    r"|\bnot (?:\w{1,12}\s)?(?:reachable|accessible|reached)\b|\binaccessible\b"
    r"|\b(?:can|could|does|do|did|will|is) not (?:\w{1,12}\s){0,3}?(?:reach|get|be reached"
    r"|travel|be connected|connect|go from|access)"
    r"|\b(?:reach(?:ing)?|get(?:ting)?|travel(?:l?ing)?) [^.;,]{0,40}?\bis (?:im|not )possible\b"
    r"|\bnot possible to (?:get|go|reach|travel|move)\b|\b(?:never|fails? to|unable to"
    r"|impossible to) (?:\w{1,12}\s)?(?:reach|get|travel|go)"
    r"|\b(?:different|separate|distinct|disjoint|two)\s(?:\w{1,12}\s){0,2}?(?:components?"
    r"|blocks?|parts?|subgraphs?|clusters?|groups?|sets?|islands?)\b"
    r"|\bnot (?:\w{1,12}\s){0,3}?(?:in|belong|part of|within|share|lie in"
    r"|members? of)\s?(?:to )?(?:the |a )?(?:same|common)|\bnot share (?:a|any|the)\b"
    r"|\bnot (?:in|part of|belong to|inside) (?:the |its )?(?:connected )?component\b"
    r"|\b(?:reachable|component)\b[^;]{0,90}\bnot (?:include|contain)\b"
    r"|\bisolated\b|\bno (?:edges?|neighbou?rs?|connections?)\b(?! (?:directly|between"
    r"|from|connecting))"
    r"|\bseparated?\b (?:from|by)|不连通"
    r"|不(?:存在|能)\w{0,6}(?:路径|到达|通路)|没有\w{0,4}(?:路径|通路)|无法到达|不可达"
)
NOT_DENIED = (
    r"\b(?:no|not|nor)\s(?:(?!path\b|route\b|connected\b"
    r"|reach)\w{1,12}\s){0,3}?(?:direct(?:ly)?|immediate(?:ly)?|adjacent|single edge)\b"
    r"(?:\s(?:connected|linked|joined|connection|edges?|path|link|route|connect|reachable"
    r"|connects?))?"
    r"|\b(?:no|not an?) (?:edge|link)\b[^.;,]{0,30}|\bno (?:shorter|shortcut|other|more"
    r"|further|longer|alternative|better|need|problem|new|unvisited)\b(?:\s\w{1,12})?"
    r"|\bnot (?:only|just|yet|been|necessarily|visited|adjacent|the same|neighbou?rs?)\b"
    r"|\bnot (?:been )?visited\b|\bneither\b[^.;,]{0,40}?\bisolated\b"
    r"|\b(?:the |this )(?:whole |entire |given )?graph (?:itself )?(?:is|has been|was"
    r"|may be) (?:\w{1,12}\s)?(?:not (?:\w{1,12}\s)?connected|disconnected|unconnected)\b"
    r"|\bdisconnected (?:graph|components?|parts?|nodes?)\b"
)
CONNECTIVITY = YesNoWords(
    about=(
        "path",
        "route",
        "路径",
        "connect",
        "reach",
        "way",
        "component",
        "link",
        "isolated",
        "separate",
        "walk",
        "joined",
        "block",
        "same",
        "set",
        "access",
        "travel",
        "edge",
        "lead",
        "arriv",
        "get",
        "go ",
        "路径",
        "连通",
        "到达",
        "可达",
        "通路",
    ),
    denied=re.compile(DENIED_PATH),
    affirmed=re.compile(
        r"\b(?:there (?:is|are|exists?|must be|does exist|seems to be|appears to be)|exists?"
        r"|has|have|found|find|follow"
        r"|is|via|by|using|with|forms?|forming"
        r"|provides?|gives?|discovered|establish(?:es)?|take|trace"
        rf"|along)\s(?:\w{{1,12}}\s){{0,4}}?{_PATH}\b"
        rf"|\b{_PATH}\b[^.;]{{0,60}}?\b(?:exists?|found|is possible|available|is valid|✓)\b"
        rf"|\b{_PATH}\b[^.;]{{0,60}}?\b(?:connects|links|joins|connecting|joining|linking)\b"
        rf"|\b{_PATH}\b[^.;]{{0,60}}?(?:is|:|=)\s?[\[(]?\d+\s?(?:->|,|-)"
        r"|\b(?:is|are|being|remain|both|fully|indirectly|thereby|directly"
        r"|graph)\s(?:\w{1,12}\s){0,3}?(?:connected(?! component)|linked|joined|reachable"
        r"|accessible)\b"
        r"|\bcan be connected\b|\b(?:is|be) possible to (?:get|go|reach|travel|move)\b"
        r"|^\W{0,3}(?:connected|reachable)\b"
        r"|\b(?:can|could|able to|does|we|will|bfs|dfs|search|traversal)\s(?:\w{1,12}\s"
        r"|from node \d+\s|from \d+\s|starting at node \d+\s){0,3}?(?:be reached|reach(?:es"
        r"|ed)?|get|go|travel|move|access)\b"
        r"|\breach(?:es|ed|ing)?\s(?:the )?(?:target|destination|node|vertex|\d)"
        r"|\bleads? (?:from|to)\b"
        r"|^\W{0,4}same (?:connected )?component\b|\b(?:in|belong to|part of|within|share"
        r"|lie in)\s(?:the |a )?(?:same|one|single"
        r"|common)\s(?:\w{1,12}\s)?(?:component|block|part|subgraph|cluster|group|set|tree)"
        r"|\b(?:in|belongs? to|part of) (?:the |its )?(?:connected )?component (?:of|containing"
        r"|with)\b"
        r"|\bcomponent\b[^;,]{0,40}?\b(?:contains|includes)\b"
        r"|\b(?:is|was) (?:reached|visited)\b|可达|连通|(?:存在|有)\w{0,6}(?:路径|通路)|可以到达"
    ),
    ignored=re.compile(NOT_DENIED),
    narrow=re.compile(
        r"\b(?:so far|yet|at this (?:point|stage)|unvisited|(?:first|second|another"
        r"|other) path)\b"
    ),
    label_denies=re.compile(
        r"\b(?:disconnected|unreachable|no path|isolated|not connected|different|separate)\b"
    ),
    doubled=re.compile(
        r"\bnot\s(?:(?:be|\w+ly|are|is)\s)?(?:disconnected|unreachable|unconnected|separated"
        r"|isolated)\b"
        r"|\bnot\s(?:\w+\s)?in\s(?:different|separate|distinct)\s(?:\w+\s)?components?\b"
    ),
    pronouns=re.compile(
        r"there (?:is|are|exists?|does|do)|(?:they|these nodes) are|(?:one) (?:does|exists?)"
        r"|we (?:can|have|do)"
    ),
    witness=re.compile(
        r"\b(?:path|route)s?\b[^.;:=\d]{0,40}(?:\bfrom (?:node )?\d+ to (?:node )?\d+\s?)?"
        r"(?:[:=]|\bis\b)\s?"
    ),
)
