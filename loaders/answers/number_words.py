"""The words in which diameters are stated and triangles counted."""

import re

from benchloom.loaders.answers.numbers import AHEAD, ASIDE, IS, NumberWords
from benchloom.loaders.answers.words import NUMBER

DIAMETER = NumberWords(
    about=("diam", "直径"),
    named=re.compile(
        rf"(?:\bdiam(?:eter)?\b|直径)(?:{ASIDE}|\b\d+\s(?:nodes|vertices"
        r"|edges)\b|\bnodes?\s\d+(?:\s(?:and|to)\s(?:node\s)?\d+)?"
        r"|\bbetween \d+ and \d+"
        rf"|[^.;\d(]){{0,90}}?{IS}+{AHEAD}"
        rf"|\bdiameter\s(?:-\s)?(?={NUMBER})|直径"
    ),
    counted=re.compile(
        rf"(?P<number>{NUMBER})\s(?:is|as|=|equals|for|being|\W{{0,3}})\s?(?:indeed\s"
        rf"|therefore\s|also\s)?(?:the\s|this\s|our\s|its\s)(?:\w{{1,10}}\s)?diameter\b"
    ),
    total=re.compile(
        rf"\bit (?:is|equals)\s(?:exactly\s|just\s|only\s|equal to\s)?(?={NUMBER}\W*$)"
        rf"|\blongest shortest path\b[^.;]{{0,120}}?\b(?:length|distance)\s(?:is\s|of\s|=\s)?"
        rf"(?={NUMBER})|\blongest shortest path\b[^.;]{{0,120}}?\b(?:has|uses|with)\s"
        rf"(?={NUMBER}\s(?:edges?|steps?|hops?)\b)"
        r"|\b(?:largest|greatest|highest|maximum)(?: of (?:them|these|those|all))?\s(?:is|=|:)\s"
        rf"(?={NUMBER}\W*$)"
        r"|\b(?:farthest|furthest|most distant)\b[^.;]{0,80}?\b(?:distance|length)\s(?:is|of|=)\s"
        rf"(?={NUMBER})|^(?:the\s)?(?:overall\s)?max(?:imum)?"
        rf"(?:\svalue)?\s?{IS}+{AHEAD}|\b(?:max(?:imum)?|largest|greatest|longest|highest"
        r"|farthest)(?:\s(?:of|among|all|these|the|finite|overall|pairwise|computed|any|over"
        r"|pairs))*"
        r"\s(?:eccentricit(?:y|ies)|(?:shortest[\s-])?(?:path"
        r"|distance)s?(?:\slengths?)?|entry|entries|values?)\b"
        rf"(?:{ASIDE}|\bbetween (?:nodes? )?\d+ and (?:node )?\d+|\bnodes?\s\d+|[^.;\d(]){{0,70}}?"
        rf"(?:{IS}|\bcontains\s|\bconsists\sof\s)+{AHEAD}"
    ),
    total_hints=(
        *("it is", "it equals", "longest", "largest", "greatest", "highest", "max", "farthest"),
        *("furthest", "distant"),
    ),
    narrow=re.compile(
        r"\bcomplete graph\b|\b(?:for|in) (?:the |this |each |every )?(?:component|subgraph)\b"
        r"|\bdiameter of (?:the |this |each |a )?(?:\w{1,12} )?(?:component|subgraph|tree|path"
        r"|cycle|complete|star|subset)\b"
    ),
    can_be_infinite=True,
    units=frozenset({"edges", "edge", "hops", "hop", "steps"}),
)

_TRIANGLES = r"triangles?\b(?! inequality| count)"
TRIANGLE = NumberWords(
    about=("triangle", "3-cycle", "三角", "mutually", "pairwise"),
    named=re.compile(
        rf"\b(?:number|count|total|amount|#)\s(?:\w{{1,10}}\s){{0,3}}?(?:triangles?"
        rf"|triangular)\b(?:{ASIDE}|\b\d+\s(?:nodes|vertices|edges)\b"
        rf"|[^.;\d(]){{0,80}}?{IS}+{AHEAD}"
        rf"|#\s?(?:of\s)?triangles?\b[^.;\d]{{0,40}}?{IS}+{AHEAD}"
        r"|\btriangles?(?:\s(?:count|number|found|counted|total|in (?:the"
        r"|this)(?: given)? graph|overall|altogether"
        rf"|in total))*\s?\(?{IS}+(?<!has )(?<!have )(?<!by )(?<!of )(?<!as )(?<!at )(?<!to )"
        r"(?<!get )"
        r"|三角形\w{0,12}?(?:是|为|有|:|=)+\s?(?:共|总共)?"
    ),
    counted=re.compile(
        rf"(?P<number>{NUMBER}|\bsingle)(?:\s\([a-z\d]{{1,20}}\))?\s(?:(?!node|vert|edge|more"
        rf"|of|times|time|other|additional|another|new)[a-z\-]{{1,12}},?\s){{0,3}}?{_TRIANGLES}"
        rf"|(?P<zh>{NUMBER})\s?个?三角"
    ),
    zero=re.compile(
        r"\b(?:no|not any|without|zero|none|not (?:contain|have|form|include)(?: any)?"
        r"|never forms? an?|free of)\s(?:(?!other|more|further|additional|\d)\w{1,12}\s){0,2}?"
        r"(?:triangles?|triangular|(?:3|three)-cycles?)\b(?!\s(?:other than|besides|except))"
        r"|\btriangles?\s?(?:is\s|=\s?|:\s?)(?:none|nil)\b"
        r"|\bno (?:three|3) (?:of the )?(?:nodes|vertices) (?:are|is) (?:all )?"
        r"(?:mutually|pairwise)\b"
        r"|\btriangle[\s-]free\b|\btriangles?\s(?:\w{1,12}\s){0,3}?(?:do|does"
        r"|can) not (?:exist|be)\b"
        r"|\bnot (?!an? triangles?)(?:\w{1,12}\s){0,5}?(?:any|a(?: single)?|(?:one )?single"
        r"|one) triangles?\b"
        r"|\bimpossible\b[^.;,\d]{0,40}\btriangles?\b"
        r"|\bthere (?:is|are|exists?) not (?:any|an?)(?: single)? triangles?\b"
        r"|\bnone of (?:the|these|those|them)\b[^.;,\d]{0,40}\btriangles?\b"
        r"|没有(?:任何)?三角|不存在(?:任何)?三角"
    ),
    total=re.compile(
        rf"\b(?:we|i)\s(?:get|have|find|found|count|counted|obtain)\s(?={NUMBER}\W*$)"
        r"|\b(?:makes?|gives?|giving|making|yields?|yielding|leaves?|leaving|(?:adds?"
        r"|adding) up to)\s"
        rf"(?:us\s|it\s)?(?:a total of\s|exactly\s|just\s)?(?={NUMBER}\W*$)"
        rf"|\b(?:it is|end(?:ing)? up with|arrive at|left with)\s(?={NUMBER}\W*$)"
        rf"|\bthere (?:is|are)\s(?:exactly |just |only )?(?={NUMBER}(?:\W*$|:\s))"
        rf"|\b(?:altogether|in total|overall),?\s(?={NUMBER}\W*$)"
        rf"|\bdivid\w{{1,4}}\s(?:\w{{1,12}}\s){{0,4}}by\s\w{{1,8}}(?::\s|,?\s(?:gives|yields|is"
        r"|equals|we get|results in|makes)\s)(?:us\s)?|\b(?:the|correct|actual|right|real|true"
        r"|exact) (?:number"
        rf"|value)\s{IS}+|\b(?:(?:final|grand|overall)\s)?(?:total|count|tally"
        r"|sum total)(?:\s(?:number|count|is|of|unique|distinct"
        rf"|triangles))*\s?{IS}*(?=\W{{0,3}}\d|\w)"
    ),
    narrow=re.compile(
        r"\b(?:each|every|per|more|another|additional|new"
        r"|if)\s(?:\w{1,12}\s){0,5}?triangles?\b|\bso far\b|\btriangles? above\b"
        r"|\)\s(?:is|are|do|does|form)\b[^.;]{0,30}\bnot\b|\d\s?:[^.;]{0,80}\bnot an? triangle"
        r"|\bcomplete graph\b|\b(?:graphs|trees"
        r"|forests)\s(?:have|contain|can|do)\b(?![^.]{0,200}\bnumber of)|\b(?:each"
        r"|every) (?:node|vertex|edge)"
        r"|\btriangles?\b(?:\s(?:is|are|that|which|found|formed|so))*\s(?:contain(?:s|ing)?"
        r"|involv(?:es?|ing)|includ(?:es?|ing)|with|through|incident|around|at|on|from|by"
        r"|pass(?:es)? through|us(?:es?|ing)|touch(?:es|ing)?|per|for|each|so far|starting|where)\s"
        r"(?!(?:3|three) (?:nodes|vertices|edges|sides)\b)"
        r"(?:the |an? |this |that |it |its )?(?:nodes?|vertex|vertices|edges?|pair|\(?\d|it"
        r"|each|every|so)"
        r"|\btriangles?\b[^.;,]{0,20}\b(?:among|between|within|in)\s(?:the )?"
        r"(?:nodes? |vertices |set |component )?[{(\[]?\d"
        r"|\b(?:nodes?|vertex|edges?|vertices)\s\(?\d+[^.;:]{0,60}\b(?:is|are|in|has|have|part"
        r"|participates?|involved|forms?|contributes?|closes?|belongs?|gives?|makes?"
        r"|complete)\b[^.;:]{0,40}triangle"
        r"|^\W{0,4}(?:(?:for|from|with|at|checking|consider(?:ing)?)\s)?(?:the )?(?:nodes?"
        r"|vertex|edges?|pair|starting)\s?[\w(),\s\-]{0,30}:"
        r"|^\W{0,4}(?:edge\s)?(?:\(\d+,\s?\d+\)|\d+[\s,\-]+\d+)\s?:"
        r"|\b(?:for|from|with|at) (?:nodes?|vertex|edges?)\s\(?\d+[^.;:]{0,30},"
    ),
    whole=re.compile(
        rf"(?:^\W{{0,3}}(?:(?:so|thus|hence|therefore|there are|we have),? ){{0,2}}"
        r"|\b(?:nodes|vertices|edges) [^.;:]{1,60}?\b(?:gives?|have|form|make) )"
        rf"(?P<number>{NUMBER}) (?:[a-z]{{1,10}} )?triangles?"
        r" (?:in total|altogether|overall|in all)\b"
    ),
    units=frozenset({"triangles", "triangle"}),
)
