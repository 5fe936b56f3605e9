"""Forms of a final answer to VGA that the strict grader accepts."""

from benchloom.loaders.answers.forms import IS, NUMBER, Forms

_GRAPHS = r"(?:they|(?:the |these |both )?(?:two |given )?graphs)"
_GRAPH = r"(?:the|this) (?:given )?graph(?: in the picture)?"
_INSIDE = rf"(?: (?:in|of) {_GRAPH})?"
_BETWEEN = r"(?: between (?:them|the (?:two )?(?:marked )?(?:nodes|squares)))?"
_STEPS = r"(?: edges?| steps?| hops?)?"
_N = rf"{NUMBER}(?: nodes?| edges?| steps?| hops?)?"
_LENGTH = rf"(?:(?:has|is of) (?:an? )?length (?:of )?{NUMBER}"


def _hamiltonian(kind: str) -> Forms:
    named = f"hamiltonian {kind}"
    return Forms(
        r"(?:yes|no)",
        (
            rf"(?:yes, )?(?:{_GRAPH} (?:has|contains) a {named}|there (?:is|exists) a {named}"
            rf"{_INSIDE}|a {named} exists{_INSIDE})",
            rf"(?:no, )?(?:{_GRAPH} (?:has no|(?:does not|doesn't) (?:have|contain) a) {named}"
            rf"|there (?:is|exists) no {named}{_INSIDE}|no {named} exists{_INSIDE})",
        ),
    )


_ISOMORPHIC = Forms(
    r"(?:yes|no)",
    (rf"(?:(?:yes|no), )?{_GRAPHS} are (?:not |non-)?isomorphic(?: to each other)?",),
)
_CHORDLESS = r"(?:longest|biggest|largest) (?:chordless|induced) cycle"
_FORMS = {
    "easy_iso": _ISOMORPHIC,
    "hard_iso": _ISOMORPHIC,
    "ham_path": _hamiltonian("path"),
    "ham_cycle": _hamiltonian("cycle"),
    "shortest_path": Forms(
        _N,
        (
            rf"(?:the )?(?:length of (?:the|a) )?shortest path(?: length)?{_BETWEEN}{_INSIDE}"
            rf"{IS}{NUMBER}{_STEPS}(?: long)?",
            rf"(?:the|a) shortest path{_BETWEEN}{_INSIDE} {_LENGTH}"
            rf"|(?:has|uses|takes|needs|requires) (?:exactly )?{NUMBER} (?:edges?|steps?|hops?))",
            rf"(?:(?:the|its) )?(?:shortest )?(?:path )?(?:length|distance){_BETWEEN}"
            rf"{IS}{NUMBER}{_STEPS}",
        ),
    ),
    "chordless_cycle": Forms(
        _N,
        (
            rf"(?:the )?(?:length of (?:the|a) )?{_CHORDLESS}{_INSIDE}{IS}{_N}(?: long)?",
            rf"the {_CHORDLESS}{_INSIDE} {_LENGTH}|(?:has|contains) {NUMBER} (?:nodes|vertices))",
            rf"(?:(?:the|its) )?(?:maximum |longest )?length{IS}{NUMBER}",
        ),
    ),
}


def accepted_form(task: str, text: str) -> str | None:
    """Returns the answer in an accepted form with which a text ends, None if it has none.

    Accepted are the answer alone, in a box or behind `Answer:` and its like, and sentences in the
    question's own words (`The graphs are not isomorphic`).

    Args:
        task: The config.
        text: The text as `with_plain_words` gives it.
    """
    return _FORMS[task].final(text)
