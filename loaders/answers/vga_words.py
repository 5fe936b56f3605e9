"""The words in which answers to VGA's questions are given, besides yes, no and numbers."""

import re

from benchloom.loaders.answers.claims import Reader
from benchloom.loaders.answers.numbers import IS, NumberReader, NumberWords
from benchloom.loaders.answers.words import NUMBER
from benchloom.loaders.answers.yes_no import YesNoReader, YesNoWords

# "appears to be" is a claim, where "to be" alone begins a condition.
_SEEMS = (
    r"\b(?:appears?|seems?|looks?|turns? out|prove[nds]?|found|shown|confirmed|determined|said"
    r"|considered|known)\sto\sbe\b|(?<=\bfail\s)to\s(?:be|have|contain)\b"
    r"|(?<=\bfails\s)to\s(?:be|have|contain)\b"
)
_YES_NO_FOLLOWS = r"\s?[:?\-]\s{0,3}(?=[\"'(]?(?:yes|no|true|false|✓|✗)(?!\w))"
_SAME_GRAPHS = r"\b(?:graphs|they|structures|drawings|pictures|both|these|two|images)\b"
_OVER = r"[\s.!)\"']*$"
ISOMORPHISM = YesNoWords(
    about=(
        "isomorph",
        "graph",
        "they",
        "structur",
        "mapping",
        "bijection",
        "corresp",
        "matching",
        "degree seq",
    ),
    denied=re.compile(
        r"\b(?:not|never|neither)\b(?:\s+[\w-]+){0,4}?[\s-]+isomorphi|\bnon-?\s?isomorphi"
        r"|\bnot (?:the case|true|correct)\b[^;]{0,60}?\bisomorphi|\bfails?\s+isomorphic"
        r"|\bno(?:\s[\w-]+){0,3}?\s(?:isomorphism|bijection|mapping|correspondence"
        r"|relabell?ing|matching)s?\b"
        r"|\bnot exist (?:any|an?) (?:\w+ )?(?:isomorphism|bijection|mapping|correspondence)\b"
        r"|\b(?:isomorphism|bijection|mapping|correspondence|matching)\s(?:[\w-]+\s){0,4}?"
        r"(?:does not|can not|is not|is impossible|fails)|\brule[sd]? out (?:an |any )?isomorphism"
        rf"|{_SAME_GRAPHS}(?:\s+\w+){{0,3}}?\s+(?:not|never)(?:\s+\w+){{0,3}}?\s+(?:the same"
        rf"(?:{_OVER}|\sgraph|\sstructure)|identical(?:{_OVER}|\sgraph|\sstructure)|equivalent\b)"
        r"|\b(?:graphs|they|structures)(?:\s\w+){0,2}?\s(?:structurally (?:different|distinct)"
        r"|differ (?:structurally|in (?:their )?structure))"
        r"|(?<!not have )(?<!not )(?<!no )\bdifferent degree sequences?\b"
        r"|\bdegree sequences? (?:\w+ ){0,3}?(?:differ|not match|are different|not the same)\b"
        r"|(?:\btwo|\bare|'re) (?:different|distinct) graphs\b|\bno way\b[^;]{0,40}?\bisomorphi"
        rf"|^(?:so|thus|hence|therefore),? (?:they|(?:the|these) (?:two )?graphs) are not{_OVER}"
    ),
    affirmed=re.compile(
        r"\bisomorphic\b(?!\s(?:graphs?|pairs?)\b)"
        r"|\b(?:there (?:is|exists)|have|has|found|find|establish\w*|defines?|gives?|yields|is"
        r"|provides?)\s(?:an|a|such an|a valid)\s?(?:isomorphism|bijection"
        r"|(?:one-to-one|1-to-1|bijective|perfect) (?:matching|mapping|correspondence))\b"
        r"|\b(?:isomorphism|bijection|mapping|matching|correspondence)\b[^;]{0,40}?\s"
        r"(?:exists|holds|is (?:valid|confirmed|found|verified))"
        rf"|{_SAME_GRAPHS}(?:,?\s+\w+){{0,8}}?,?\s+(?:the same graph|(?:the )?same structure"
        rf"|structurally (?:identical|the same|equivalent)"
        rf"|identical(?:\sgraphs?|\sstructures?)?{_OVER}"
        rf"|equivalent(?:\sgraphs)?{_OVER}|the same{_OVER})"
    ),
    ignored=re.compile(
        rf"{_SEEMS}|\b(?:two )?isomorphic graphs (?:must|have|share|need|always)\b"
        rf"|\bisomorphi(?:c|sm){_YES_NO_FOLLOWS}"
    ),
    narrow=re.compile(
        r"\bno (?:evidence|reason|indication|proof|sign|contradiction)\b[^;]{0,60}?\bnot\b"
        r"|\bnot (?:trivially|obviously|immediately|clearly|necessarily|yet)\b"
    ),
    label_denies=re.compile(r"\bnon-?\s?isomorphi|\bnot isomorphi|\bdifferent"),
    doubled=re.compile(r"\b(?:not|never) (?:\w+ )?non-?\s?isomorphic\b"),
    pronouns=re.compile(r"(?:they|the graphs|these graphs|the two graphs) are|there (?:is|exists)"),
    alone=True,
)
_TO_FIND = (
    r"to (?:find|construct|trace|draw|form|have|visit|traverse|identify|create|complete|build|make"
    r"|cover)\b"
)


def hamiltonian(kind: str) -> YesNoWords:
    """Returns the words in which Hamiltonian paths or cycles are said to be or not to be there.

    Args:
        kind: What they are called, as a pattern.
    """
    named = (
        rf"(?:hamiltonian\s{kind}|hamiltonian(?!\s(?:path|cycle|circuit))|such (?:an? )?{kind})\b"
    )
    every = r"(?:every|all|each)\b"
    tried = (
        r"(?:\w+(?:\s?(?:->|-|,)\s?\w+){2,}|this|that|which|path|route|sequence|attempt|ordering)"
    )
    return YesNoWords(
        about=("hamilton", "such ", "traceable", "every ", "all ", "each "),
        denied=re.compile(
            r"\b(?:no|not|never|without|lacks?|neither|none|impossible|prevents?|precludes?"
            r"|prohibits?"
            rf"|rules? out|fails?)\b[^;]{{0,80}}?\b{named}|\bnon-?\s?hamiltonian|\bnot traceable\b"
            rf"|\b{named}(?:\s(?!even|though|but|although|while|it\b)\w+){{0,6}}?"
            r"\s(?:not|impossible|never|fails?)\b"
            rf"|\bno(?: single)? {kind}\b[^;]{{0,40}}?\b{every}|\b(?:not|impossible)\s+(?:(?:visit"
            rf"|traverse|cover|reach)\s)?{every}"
        ),
        affirmed=re.compile(
            rf"\b(?:ha[sv]e?|contains?|admits?|exists?|there (?:is|are)|found|finds?|gives?|forms?"
            r"|possess(?:es)?|constructed?|traced?|identif(?:y|ied)"
            rf"|yields)\b[^;]{{0,40}}?\b{named}"
            rf"|^hamiltonian{_OVER}"
            rf"|\b(?:graph|it) is(?: \w+)? (?:hamiltonian\b(?! {kind})|traceable\b)"
            rf"|\bis\s+(?:(?:indeed|therefore|thus|also)\s+)?(?:an?|one|such an?|one such|the)\s"
            rf"(?:valid |possible )?{named}"
            rf"|\b{named}[^;]{{0,40}}?\b(?:exists?|(?:is|was) "
            rf"(?:indeed |also )?(?:possible|present|found)"
            rf"|can be (?:found|constructed|traced|formed|drawn))"
            rf"|\b{named} found\b|\b{named} (?:is|would be|=)\s?[\"'(\[]?\w{{1,4}}\s?(?:->|-|,)"
            rf"|\b(?:there (?:is|exists)|ha[sv]e?|found|exists)\s(?:an? )?(?:\w+ )?{kind}"
            rf" (?:that|which|visiting|through|covering)[^;]{{0,30}}?\b{every}|\bis\s+{every}"
        ),
        # Alone "possible" is a hedge, "to find" a plan, and "once" or "could" a condition.
        ignored=re.compile(
            rf"{_SEEMS}|\bpossible {_TO_FIND}|(?<=\bimpossible ){_TO_FIND}"
            r"|(?<=\bimpossible for the graph )to have\b"
            rf"|\b(?:exactly |only )?once\b|\bcould(?= not\b)|\bhamiltonian{_YES_NO_FOLLOWS}"
        ),
        # A try that failed says nothing of all others.
        narrow=re.compile(rf"\b{tried} (?:is|was) not (?:an?|the)\b|\bnot an? valid\b"),
        label_denies=re.compile(r"\bnon-?\s?hamiltonian|\bno hamiltonian"),
        doubled=re.compile(
            rf"\bnothing (?:prevents|precludes|prohibits|rules out) [^;]{{0,20}}?{named}"
        ),
        pronouns=re.compile(
            r"(?:it|the graph|this graph|the given graph) does|there (?:is|are|exists?)"
        ),
        alone=True,
    )


_STEPS = r"(?:edges?|hops?|steps?|links?|segments?)"
_GAP = r"(?:(?!\b(?:if|whether|longer|not|no)\b)[^:=?]){0,90}?"
_GAP_BEFORE = r"(?:(?!\b(?:if|whether|longer|not|no)\b)[^:=?\d]){0,90}?"
"""The same before a number that is counted: no other number stands between."""
_IS = (
    r"(?:[:=≈(]|->|\b(?:is|are|was|equals?|of|be|becomes?|remains|has|uses?|takes?|requires?|needs?"
    r"|contains?|at)(?![\w]))\s*+"
)
# Words may stand before the number, but another thing counted is another number.
_NUMBER_FOLLOWS = (
    rf"(?=[\s\"'(*]{{0,4}}(?:(?:exactly|only|just|equal|to|found|be|therefore|thus|then|indeed"
    rf"|still|actually)\s){{0,3}}{NUMBER}(?!\s(?:%s)\b|\s?(?:->|-|,)\s?\d))"
)
_CHOSEN = (
    rf"^(?={NUMBER}(?:,?\s(?:because|since|as|via|through)\b|,\s(?:the|which)\b"
    rf"|\s(?:{_STEPS}|nodes):))"
    rf"|\bnot {NUMBER},? but (?:rather )?(?={NUMBER})|\banswer (?={NUMBER}{_OVER})"
    rf"|\b(?:correct|right) (?:one|option|choice|answer) is (?={NUMBER})"
    rf"|\boption \d:\s(?={NUMBER}{_OVER})"
    rf"|\bi (?:choose|pick|select|would say|say) (?={NUMBER}{_OVER})"
)
SHORTEST_PATH = NumberWords(
    about=("shortest", "distance", "minim", "fewest", "apart", "away"),
    named=re.compile(
        rf"\b(?:shortest|distance|minimum|minimal|fewest)\b{_GAP}{_IS}(?:(?:an?|the)\s)?(?:path\s)?"
        rf"(?:of\s|with\s|has\s)?(?:length[\s-](?:of\s|=\s?)?)?"
        + _NUMBER_FOLLOWS
        % "nodes?|vertices|paths?|shortest|squares?|possible|different|marked"
    ),
    counted=re.compile(
        rf"(?P<prefix>\b(?:shortest|minimum|minimal|fewest)\b{_GAP}(?::[^:?]{{0,60}}?)?)?"
        rf"(?P<number>{NUMBER})[\s-]{_STEPS}\b"
        r"(?(prefix)|\s(?:apart|away|(?:on|in|along) (?:the|an?|this|that) (?:shortest )?path)\b)"
    ),
    total=re.compile(
        rf"(?<!no path of )(?<!paths of )(?<!nothing of )\blength[\s-]*+{IS}?"
        rf"|\bdistance (?={NUMBER})|\bd\s?(?:\([^()]{{0,12}}\)\s?)?=\s(?={NUMBER})"
        r"|\b(?:that|this|which|it|total|so|thus|therefore|traverse|count) "
        r"(?:(?:is|has|uses|takes|makes|gives|of)\s){0,2}"
        rf"(?=(?:exactly |only |just )?{NUMBER}(?:\s{_STEPS}\b|{_OVER}))"
        r"|\b(?:path|route)\b[^.:=?]{0,60}?\b(?:has|uses|contains|with|takes|requires|needs|of"
        r"|is)\s"
        rf"(?=(?:exactly |only |just )?{NUMBER}\s{_STEPS})"
        rf"|\b(?:{_STEPS}|connected|adjacent):\s(?={NUMBER}{_OVER})|{_CHOSEN}"
    ),
    units=frozenset(("edge", "edges", "hop", "hops", "step", "steps", "link", "links")),
)
CHORDLESS_CYCLE = NumberWords(
    about=("chordless", "cycle", "induced", "hole", "long", "biggest", "largest", "maxim"),
    named=re.compile(
        rf"\b(?:longest|biggest|largest|maximum|maximal|max)\b{_GAP}{_IS}"
        rf"(?:(?:an?|the)\s)?(?:(?:chordless\s|induced\s)?cycle\s)?(?:of\s|has\s|with\s)?"
        rf"(?:(?:length|size)[\s-](?:of\s|=\s?)?)?"
        + _NUMBER_FOLLOWS
        % "chordless|cycles|such|of them|chords?|possible|different"
    ),
    counted=re.compile(
        r"(?P<prefix>\b(?:longest|biggest|largest|maximum|maximal"
        rf"|max)\b{_GAP_BEFORE}(?::[^:?\d]{{0,60}}?)?)?(?P<number>{NUMBER})"
        r"[\s-](?:nodes?|vertices|edges?|cycles?)\b(?(prefix)|\slong\b)"
    ),
    zero=re.compile(
        r"\bno (?:chordless |induced )?cycles?\b"
        r"(?!\s(?:of|longer|bigger|larger|greater|with|that|on|through|containing|in|has|have|can"
        r"|exceeds)\b)"
        r"|\bacyclic\b|\bis a tree\b"
    ),
    total=re.compile(
        rf"(?<!no cycle of )(?<!cycles of )(?<!no chordless cycle of )\b(?:length|size)[\s-]*+{IS}?"
        r"|\b(?:so|thus|therefore|it is|that is|this is) (?:it is\s)?"
        rf"(?={NUMBER}(?:\scycle)?{_OVER})"
        rf"|{_CHOSEN}"
        rf"|\b(?:chordless|induced) cycle\b[^.:=?]{{0,60}}?\b(?:has|with|contains|of|is)\s"
        rf"(?:an?\s)?(?=(?:exactly |only |just )?{NUMBER}[\s-](?:nodes?|vertices|edges?|cycle))"
    ),
    units=frozenset(("node", "nodes", "vertices", "edge", "edges", "cycle")),
)
_SQUARES_JOINED = re.compile(
    r"\bthe (?:two )?(?:squares|(?:marked|square) (?:squares|nodes|vertices)) are"
    r" (?:directly |indeed )*(?:adjacent|(?<=directly )(?:connected|linked|joined)(?: by an edge)?"
    r"|connected by (?:a single|an|one) edge|neighbou?rs)(?: to each other)?(?=\s?(?:[.!,;]|$))"
)
_SHAPES = (
    (re.compile(r"\b(?:an? )?(?:triangle|c3|c_3)\b(?! inequality)"), "3"),
    (re.compile(r"\b(?:an? )?(?:quadrilateral|square|c4|c_4)\b"), "4"),
    (re.compile(r"\b(?:an? )?(?:pentagon|c5|c_5)\b"), "5"),
    (re.compile(r"\b(?:an? )?(?:hexagon|c6|c_6)\b"), "6"),
    (re.compile(rf"\b(?:an? )?({NUMBER})-(?=cycle\b)"), r"\1 "),
)

_READERS: dict[str, Reader] = {
    "easy_iso": YesNoReader(ISOMORPHISM),
    "hard_iso": YesNoReader(ISOMORPHISM),
    "ham_path": YesNoReader(hamiltonian("paths?")),
    "ham_cycle": YesNoReader(hamiltonian("(?:cycle|circuit)s?")),
    "shortest_path": NumberReader(SHORTEST_PATH),
    "chordless_cycle": NumberReader(CHORDLESS_CYCLE),
}
KEYS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(
        ("easy_iso", "hard_iso"),
        ("isomorphic", "are_isomorphic", "is_isomorphic", "isomorphism", "graphs_isomorphic"),
    ),
    "ham_path": (
        *("has_hamiltonian_path", "hamiltonian_path", "hamiltonian_path_exists", "exists"),
        *("contains_hamiltonian_path", "has_path"),
    ),
    "ham_cycle": (
        *("has_hamiltonian_cycle", "hamiltonian_cycle", "hamiltonian_cycle_exists", "hamiltonian"),
        *("is_hamiltonian", "exists", "contains_hamiltonian_cycle", "has_cycle"),
    ),
    "shortest_path": (
        *("shortest_path_length", "shortest_path", "length", "distance", "path_length"),
        "shortest_distance",
    ),
    "chordless_cycle": (
        *("longest_chordless_cycle", "chordless_cycle", "longest_chordless_cycle_length", "length"),
        *("chordless_cycle_length", "biggest_chordless_cycle", "size", "cycle_length"),
    ),
}
"""Names under which a JSON object may hold a task's answer."""

_AGAIN = re.compile(rf"^(\W*\w+)\s\({NUMBER}\s(?:{_STEPS}|nodes?|vertices)\)(?=\W*$)", re.MULTILINE)
_ADVERBS = re.compile(
    r"^(?:most likely|likely|probably|definitely|absolutely|certainly|clearly|obviously"
    r"|i(?:'d| would)? (?:go with|answer)|i(?:'m| am) going with),?\s"
    r"(?=(?:yes|no)\b)",
    re.MULTILINE,
)
_NO_THING = re.compile(r"\bno(?= (?:nodes?|vertex|vertices)\b)")
"""What is no answer, though it begins with no."""
_OPTION = re.compile(
    r"(?<!\w)(?:(?:(?:option|choice)\s)?(?:[(\[][a-f][)\]]|(?<![(\[])[a-f]\))|(?:option"
    r"|choice)\s[a-f]"
    r"|(?<=is\s)[b-f]\.|(?<=:\s)[b-f]\.)[\s:,.\-]{0,4}"
    r"(?=\(?(?:\d\b|yes\b|no\b|one\b|two\b|three\b|four\b|five\b|six\b))"
)


def reader(task: str) -> Reader:
    """Returns the reader of a task's claims."""
    return _READERS[task]


def with_plain_words(task: str, text: str) -> str:
    """Returns a text without letters of options and repeated numbers; shapes are numbers.

    Args:
        task: The task.
        text: The text as `text.plain` gives it.
    """
    text = _OPTION.sub("", text)
    if task in ("shortest_path", "chordless_cycle"):
        text = _AGAIN.sub(r"\1", text)
        if task == "shortest_path":
            text = _SQUARES_JOINED.sub("the distance is 1", text)
    else:
        text = _ADVERBS.sub("", _NO_THING.sub("zero", text))
    if task == "chordless_cycle":
        for shape, number in _SHAPES:
            text = shape.sub(number, text)
    return text
