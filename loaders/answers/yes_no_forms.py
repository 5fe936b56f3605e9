"""The forms of sentences that say yes or no, whatever they are about."""

import re

_YES = (
    r"yes|yeah|yep|yup|affirmative|true|correct|✓|sí|oui|ja|sim|да|evet|tak"
    r"|是的|是|有|对|存在|はい|예|네"
)
_NO = (
    r"none|no|nope|negative|false|✗|non|nein|não|nie|нет|hayır"
    r"|不是|否|没有|沒有|无|不存在|いいえ|아니오|아니요"
)
VALUE = re.compile(
    rf"[\s\"'(\[{{.,:*\->=]*+(?:[✓✗]\s*+(?=[\"'(]?\w))?[\"'(]?(?:(?:the|an?)\s)?(?:(?P<yes>{_YES})"
    rf"|(?P<no>{_NO}))(?![\w\-])"
)
QUESTION_SIGNS = ("?", ":", "=", "✓", "✗", "->")
YES_NO_HINTS = (
    *("yes", "yea", "yep", "yup", "affirm", "true", "correct", "oui", "ja", "sim", "evet", "tak"),
    *("no", "negative", "false", "nein", "nie"),
)
CONNECTING = re.compile(
    r"(?:(?:so|thus|therefore|hence|ok|okay|well|and|but|overall|finally|of course"
    r"|absolutely|certainly|definitely|(?:yes,?\s)?(?:that|this|it) is (?:right|correct)"
    r"|sure|great|then|now|right"
    r"|in conclusion|to conclude|in summary|to summarize|in short|conclusion|summary|clearly|indeed"
    r"|answer|final answer|in this case|for this graph|(?:it|this|that|(?:the "
    r"|my )?answer) is(?= [\"']?(?:an? )?(?:yes|no)\b(?! \w)))\b[\s,:!.\-]*+)*"
)
CHOICE = re.compile(r"\(?yes\s?(?:/|or)\s?no\)?(?=\s?[:?])")
ALTERNATIVES = re.compile(
    r"\b(?:yes\s?(?:/|\bor\b|\band\b|,(?!\s?no\s\w))\s?(?:\"|')?no\b|no\s?(?:/|\bor\b|\band\b)\s?(?:\"|')?yes\b"
    r"|true\s?(?:/|\bor\b)\s?false|both yes and no)"
)
# What may follow a `no` that is an answer, and not the beginning of `no direct edge ...`.
AFTER_NO = re.compile(
    r"[\s\"')\]}]*+(?:$|[,.;:!\-(✗✓]|there\b|this\b|it\b|the\b|that\b|node \d|they\b"
    r"|because\b|since\b"
    r"|as\b|you\b|we\b|based\b|i\b|both\b|these\b|in\b|given\b|according\b|by\b|no\b|is\b)"
)
QUESTION = re.compile(
    rf"(?P<label>[^?:=]{{1,200}})(?:\?\s?(?:->)?|\s(?=[✓✗])|[:=](?![^:=?]*+[:=?])"
    rf"|(?<!\d )(?<!\d)(?P<arrow>->))[\s\"'(]*+(?P<said>(?:{_YES}|{_NO}|0|zero)(?![\w\-]).*)"
)
_TO_SAY = r"to (?:say|claim|think|assume|conclude|assert|believe)(?: that)?"
FALSE_THAT = re.compile(
    r"\b(?:(?:it|this|that) (?:is|would be) )?(?:(?:not (?:the case|true|possible)"
    r"|it is not(?= that there)|false|(?<!not )unlikely|(?<!not )improbable|doubtful"
    r"|(?<!not )impossible|nothing (?:suggests|indicates|implies|shows|proves)) that"
    r"|doubtful whether"
    rf"|(?:not (?:correct|right|true|accurate)|wrong|incorrect|false|a mistake) {_TO_SAY})\b"
    r"|\b(?:(?:i|we)(?: \w+)? doubt|do not (?:think|believe))\b(?: (?:that|whether|if)\b)?"
    r"|\bcan not (?:say|claim|be said)(?=[^,:;]*\b(?:no|not)\b)"
)
"""`it is false that`, `I doubt that`: what follows is denied."""
FALSE_HINTS = (
    *("false", "not ", "impossible", "incorrect", "wrong", "unlikely", "improbable", "doubt"),
    *("mistake", "nothing "),
)
CALLED_FALSE = re.compile(
    r"\b(?:statement|claim|assertion|proposition|assumption|idea)\b.{0,200}\b(?:is|was|:)"
    r"\s(?:\w+ly\s)?(?:false|incorrect|not (?:true|correct|right)|wrong)\b"
)
IMPOSSIBLE = re.compile(
    r"\b(?:(?:it is|that is|is|was|are)\s)?(?:impossible|(?:not|never|no longer) possible"
    r"|unable|not able|fail(?:s|ed)?)\s"
    r"(?:for\s(?:[\w-]+\s){1,8}?)?to\b"
    r"(?!\s(?:\w+ly\s)?(?:determine|say|tell|know|answer|decide|conclude|compute|be (?:sure"
    r"|certain)))"
)
"""`it is impossible for this graph to` have: `can not` have."""
NOT_IMPOSSIBLE = re.compile(
    r"\b(?:(?:it is|is|are)\s)?not impossible\s(?:for\s(?:[\w-]+\s){1,8}?)?to\b"
    r"|\b(?:it is\s)?(?:impossible|not possible)\s(?:for\s(?:[\w-]+\s){1,8}?)?not to\b"
)
ASIDE = re.compile(r"\s?\([^()a-z]*+[a-z][^()]*+\)")
_CONCESSION = r"(?:even though|even if|although|though|while|whereas|despite|unlike|in contrast to)"
CONCESSION_HINTS = ("though", "even if", "while", "whereas", "despite", "unlike", "contrast")
CONCEDED_FIRST = re.compile(
    rf"^\W{{0,4}}(?:(?:so|and|but|thus|hence|therefore),?\s){{0,2}}(?:{_CONCESSION}|with|as|since"
    rf"|because|given|having|after)\b[^;]*?,\s(?=(?:there|it|the|this|these|that|we|you|i"
    r"|they|both|nodes?|an?|no|so|one|none|vertex|in|yes)\b)"
)
CONCEDED_LAST = re.compile(rf",?\s{_CONCESSION}\b.*?(?=,\s(?:so|thus|therefore|hence)\b|;|$)")
NEGATED = re.compile(r"\b(?:no|not)\b[^:?]*$")
QUOTED_QUESTION = re.compile(r"\"[^\"?]{1,200}\?\"")
NOT_BUT = re.compile(
    r"\bnot [\"']?(?:yes|no)\b[\"']?\s?(?:,|;|-|but|:)[\s,;:\-]*+(?:(?:but|rather|it is|is"
    r"|instead)\s)*(?=[\"']?(?:yes|no)\b)"
)
PRONOUN_HINTS = ("there ", "it ", "they ", "graph", "one ", "none ", "we ", "i ", "such ")
ELLIPSIS_JOINTS = ("?", ",", ";", ":", "and ", "that ", "so ", "say", "show", "but ", "then ")
_BEFORE = (
    r"(?P<before>(?:.{0,200}(?:\?|,|;|:|\band\b|\bthat\b|\bso\b|\bsays?\b|\bshows?\b|\bbut\b"
    r"|\bthen\b)\s)?)"
)
_ELLIPSIS = (
    r"(?:(?:so|thus|hence|therefore|in fact|indeed|yes|no|and|but|also|then|well|actually"
    r"|in this case),?\s)*"
    r"(?P<who>there|it|they|the graph|this graph|the given graph|the graphs|these graphs"
    r"|the two graphs|one|none|we|i|such an? \w+)\s"
    r"(?:(?:clearly|indeed|therefore|thus|also|still|obviously|definitely|certainly|really"
    r"|in fact|simply)\s)?"
    r"(?P<verb>is|are|does|do|exists?|has|have|can)(?P<not>\snot)?"
    r"(?:\s(?:indeed|in fact|exist|have|contain|clearly)){0,2}(?P<what>\s(?:one|none|any|it|some"
    r"|at least one|exactly one))?"
    r"(?P<more>:\s.*|,?\s(?:since|because|as|namely)\s.*|\sin (?:the|this) (?:graph"
    r"|component)\b.{0,60}|\shere)?[\s.!\"')]*+"
)
ELLIPSIS = re.compile(_BEFORE + _ELLIPSIS)
ELLIPSIS_FIRST = re.compile(r"(?P<before>)" + _ELLIPSIS)
"""The same for a sentence without one of `ELLIPSIS_JOINTS`."""
WITNESS = re.compile(r"[\[(]?\d{1,6}(?:\s*+(?:->|,|-)\s*+\d{1,6})+[\])]?[\s.]*+")
PATH = re.compile(r"\d{1,6}(?:\s?->\s?(?:node\s)?\d{1,6})+")
DOUBT = re.compile(
    r"\b(?:doubt\w*|(?:un|not )likely|improbable|questionable"
    r"|(?:can|could) not (?:conclude|be (?:sure|certain)|tell|determine))\b"
)
"""What is left of a doubt leaves open what was claimed."""
BUT = re.compile(r",\s(?:but|however|yet)\b")
IS_NAMED = re.compile(r"[\"']?\s(?:would|requires?|needs?|means|if|can only|could)\b")
AFTER_TRUE = re.compile(r"[\s\"')\]}.!]*+(?:$|[,.;:!\-(]|indicating|because|since|meaning|as\b)")
