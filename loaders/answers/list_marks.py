"""What stands around a list of nodes in a sentence, and tells whether the list is claimed."""

import re

from benchloom.loaders.answers.nodes import ITEM

SINGLE = re.compile(
    rf"[\s:=]*+(?:(?:just|only|simply)\s)?[(\[{{]*+({ITEM})[)\]}}]*+\s*+(?:$"
    r"|[.!;,](?!\s?\d))"
)
IS_BEFORE = re.compile(
    r"(?:[:=]|->|\bis|\bare|\bbe|\bas follows|\bfollows|\bgoes|\bgives|\bbecomes|\bwas|是|为"
    r"|為)[\s:=]*+"
    r"(?:(?:just|only|simply|therefore|thus|hence|as follows|given by|via|by|along"
    r"|the path|path|to be)\b[\s:]*+)*[(\[{]*+$"
)
MOVES = re.compile(
    r"\b(?:go(?:es|ing)?|hop(?:s|ping)?|mov(?:e|es|ing)|travel(?:s|ing)?|proceed(?:s)?|step|start(?:s"
    r"|ing)?|walk|head|take|continue|traverse|visit)\b"
)
EXPLORES = re.compile(
    r"\b(?:neighbou?rs?|queue|enqueue|dequeue|visited|adjacent|connected|step \d|predecessors?"
    r"|parents?)\b"
)
OR = re.compile(r"\s*+[)\]}]*+\s*+(?:,\s)?(?:\bor\b|\band\b)(?:\salso|\salternatively)?\s[(\[{]*+$")
ENDS = re.compile(
    r"\bpath (?:from|between) (\d{1,6}) (?:to|and) (\d{1,6})|\bstarting (?:from|at|with) (\d{1,6})"
)
NAMED_LAST = re.compile(
    r",\s(?:(?:so|thus|hence|therefore),? )?(?:the|a) (?:shortest |bfs |hamiltonian )?"
    r"(?:path|route|order|cycle|traversal)(?: order)? is(?: just| simply)?:?\s?[\[({]?$"
)
"""The list's own name just before it, so that what was said before is of no importance."""
NO_VALUE = re.compile(
    r"[\s\"'({]*+(?:\[?(?:none|no|no such (?:path|cycle)|n/a|does not exist|无|没有)\]?"
    r"|\[\s?\])[\s\"').!}]*+$"
)
LEADING = re.compile(
    r"(?:(?:yes|so|thus|edges (?:used|taken)|visit(?:ing)?|therefore"
    r"|hence|then|finally|first|corrected|correct|revised|fixed"
    r"|updated|final|full|complete"
    r"|one of them|one is|for example|e\.g\.|that is|i\.e\.|we get|we have|gives"
    r"|start(?:ing)? (?:at|from|with) (?:node )?\d{1,6}(?=:[^:]{1,9}->))\b[\s,:]*)*"
)
LENGTH = re.compile(
    r"[\s,;(\-=:)\]}]*(?:which\s)?(?:with|has|of|is|in)?\s?(?:a\s)?(?:total\s)?"
    r"(?:length|distance|cost|\d{1,3}\s(?:edges?|hops?|steps?|nodes?))\b.{0,25}"
    r"|\s(?:it is|is|does|works)(?:\s(?:it|shorter|(?:the )?(?:shortest|answer|best|right"
    r"|correct|optimal|minimal)"
    r"(?:\s(?:one|path|answer|order))?))?"
    r"|[\s,\->]*(?:queue (?:is )?empty|end|done|stop|finished|null)"
    r"|[\s,\->]*(?:and\s)?(?:then\s)?(?:finally\s)?(?:back|return(?:s|ing)?|clos(?:e|es"
    r"|ing)) .{1,30}"
)
JOINED = re.compile(r"[>\-\[{]|\b(?:it|this|that) is\b")
GOT = re.compile(
    r"\b(?:find|found|get|got|have|obtain|take|follow|gives?|yields?|trace|(?:it"
    r"|this|one) is|achieved by|fewest edges is|choose|pick|select|go(?:ing)? with|return|output"
    r"|report)(?: (?:the|path|in fact|actually|indeed|therefore|thus))*:?[\s\[({]*$"
)
VIA = re.compile(
    r"(?:\b(?:via|along|through|using|by)|\b(?:is|length|distance|one|yes"
    r"|exists)\b[^.;:{(\[]{0,12}:)\s?[\[({]*$"
)
PREFERRED = re.compile(
    r"[)\]}\s]*+,?\s?(?:which )?(?:is|has|does|works)(?: indeed| also)? (?:the )?(?:shorter"
    r"|shortest|better|best"
    r"|fewer|only)\b(?!\s?than \w+ not)"
)
HENCE = re.compile(r"[,;]?\s(?:but|however|so|therefore|thus|hence)\b,?\s(?!far\b|that\b)")
CHOSEN = re.compile(
    r"\b(?:i|we|let us|i'll|we'll)\s(?:\w{1,9}\s)?(?:choose|pick|select|go with|take)\b"
)
IF = re.compile(r"\b(?:if|unless|suppose|assum\w{1,4}|would)\b")
FOR_EXAMPLE = re.compile(r"\W{0,4}(?:for (?:example|instance)|e\.g\.|as an example)")
ASKED_NO = re.compile(r"\?[\s\"')]*no\b[\s.!]*$")
ORDERED = re.compile(
    r"\border\b(?:(?!level|layer|neighbo)[^.;:\d]){0,30}[:=]\s?[\[({]?$|\bin (?:the|this"
    r"|that)(?: following)? order:?\s?[\[({]?$"
)
EDGE = re.compile(
    r"(?:from )?(\d{1,6}) (?:(?:connects|links|leads|goes|(?:is )?(?:directly )?(?:connected"
    r"|adjacent"
    r"|linked|joined)) )?(?:to|with) (\d{1,6})"
)
EDGES = re.compile(
    rf"(?:{EDGE.pattern}(?:,? (?:and|then) |[,;] (?:and |it is that )?|[\s.!]*$)){{2,20}}"
)
REJECTED = re.compile(
    r"[)\]}\s]*+,?\s?(?:which )?(?:is|are|has|does|was|would)(?: still| also)? (?:partial"
    r"|not|incomplete|invalid|longer|too|wrong|only|so far)"
    r"|[)\]}\s]*+so far"
)
DIGIT = re.compile(r"\d")
NO_TAIL = re.compile(
    r"(?:none|\bno|such (?:path|cycle)|n/a|exist|无|没有|\[\s?\]?)[\s\"').!}\]]*+$"
)
ANOTHER = re.compile(r"\b(?:dfs|depth|other|alternative|queue)\b[^.;\d]{0,30}$")
