r"""The evaluator that was published with GraphOmni, imitated with its faults (section 3).

For comparison with published numbers only. It looks for key phrases in the lower-cased answer and
takes what follows. Known faults, all of them kept:

Yes or no (connectivity, cycle):
    - A bare `No` (or `False`) reads as yes: it is right where the answer is Yes, wrong where it is
      No.
    - `yes` and `true` are found inside other words, such as `eyes`, and a yes anywhere in the first
      paragraph beats a later no: a self-correction is not seen, and `<think>` blocks are read.
    - `disconnected`, `acyclic`, `{"answer": "No"}` and other words for no are not read at all.
Numbers (diameter, triangle):
    - Any number after a key phrase counts, if one of them is the right one.
    - Of several numbers after a phrase the last one is taken: `the diameter is 3 (between 2 and 7)`
      reads as 7.
    - Of three paragraphs or more only the first and the last are read (those that end in a mark
      such as a full stop count as one with the next).
    - `Diameter = 4`, and number words for a diameter, are not read.
    - `there are no triangles` is always wrong, where the answer is 0, too.
    - `10.05` reads as 105 for a diameter, since `.0` is struck out; a bare `3.7` as 3 triangles.
Nodes (bfs_order, shortest_path):
    - All numbers after a key phrase, up to the next full stop, are taken for nodes: `with length 2`
      breaks a path, `(13 nodes)` an order.
    - `one edge` after `path from node 3 to node 5 is` reads as the path 3,5.
    - Any of several paths or orders counts, if it is right.
All tasks:
    - `\boxed{}` never matches, since the pattern for it holds a backspace character.
    - An answer that begins with a line without letters is judged by all numbers of that line, or
      of its first paragraph.

Where the evaluator counts an answer without any claim as wrong, it is unparseable here; accuracies
are the same. It has no hamiltonian_cycle and no max_cut.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchloom.builders.errors import InputError
from benchloom.builders.graphomni.answers import is_bfs_order, is_shortest_path
from benchloom.builders.graphs.graph import Graph
from benchloom.builders.registry import lookup, register
from benchloom.loaders.answers.verdict import Extracted, Verdict


@dataclass(frozen=True, slots=True)
class Reading:
    """What the evaluator reads in an answer, without a look at the right one.

    Attributes:
        extracted: What is claimed: the one claim, or a list of all.
        accepted: The claims of which any that is right makes the answer right; texts of numbers,
            and lists of nodes.
        reason: How it was found.
    """

    extracted: Extracted
    accepted: Sequence[Any]
    reason: str


Reader = Callable[[str, int, int], Reading]

_READERS: dict[str, Reader] = {}
_NOTHING = Reading(None, (), "no key phrase of the published evaluator with an answer after it")


def judge(task: str, response: str | None, reference: Mapping[str, Any]) -> Verdict:
    """Returns what the published evaluator says of an answer.

    `extracted` is a list where it would accept any of several claims.

    Args:
        task: One of the six published tasks.
        response: All that the model wrote; None for no answer.
        reference: The record's columns `answer`, and for bfs_order and shortest_path `n_nodes`,
            `edges`, `source` and (for the latter) `target`.

    Raises:
        InputError: If there is no such task, or a column is missing.
    """
    if task in ("hamiltonian_cycle", "max_cut"):
        raise InputError(
            f"the grader reference imitates the evaluator that was published with GraphOmni, which "
            f"has no {task}; take strict or lenient, or score another config"
        )
    reader = lookup(_READERS, task, "task")
    if response is None:
        return Verdict("unparseable", None, "no answer")
    source, target = (
        -1 if reference.get(name) is None else int(reference[name]) for name in ("source", "target")
    )
    reading = reader(response.lower(), source, target)
    if reading.extracted is None:
        return Verdict("unparseable", None, reading.reason)
    try:
        right = any(_is_right(task, claim, reference) for claim in reading.accepted)
    except KeyError as error:
        raise InputError(f"the reference of a {task} question has no column {error}") from None
    return Verdict("correct" if right else "incorrect", reading.extracted, reading.reason)


def _is_right(task: str, claim: Any, reference: Mapping[str, Any]) -> bool:
    if task in ("connectivity", "cycle"):
        return bool(claim == reference["answer"])
    if task in ("diameter", "triangle"):
        return bool(claim == int(reference["answer"]))
    graph = Graph.of(reference["n_nodes"], [(u, v) for u, v in reference["edges"]])
    if task == "bfs_order":
        return is_bfs_order(graph, reference["source"], claim)
    return is_shortest_path(graph, reference["source"], reference["target"], claim)


# What is said of a yes or no. Whole words make a line relevant; parts of words decide.
_RELEVANT = {
    "connectivity": r"\b(?:yes|no|true|false|the path|a path|answer is|exist)\b",
    "cycle": r"\b(?:yes|no|true|false|answer is|exist|multiple cycle|a cycle|cycles"
    r"|contain (?:any )?cycle|cycle can be detected)\b",
}
_YES = {
    "connectivity": r"yes|true|there is a path|path is exist",
    "cycle": r"yes|true|there is a cycle|cycle is exist|found a cycle|ha(?:s|ve) a cycle"
    r"|graph contains (?:a cycle|cycles)|contains (?:multiple|two disjoint) cycles"
    r"|contains a single cycle|has multiple cycles|there are multiple cycles"
    r"|multiple cycles are (?:present|detected)|following cycles are detected"
    r"|cycles are detected through paths|cycle can be detected through following path"
    r"|indicat(?:es|ing) a cycle in the graph|indicating the presence of a cycle"
    r"|indicate the presence of multiple cycles|a cycle exists in this",
}
_NO = {
    "connectivity": r" no\.| no |false|there is no path|answer is no|there is no direct path",
    "cycle": r" no\.| no |false|there is no cycle|answer is no|not contain any cycles",
}
_COMMENT = re.compile(r"^[^#\n]*#(.*)$", re.MULTILINE)
_OUTPUT = re.compile(r"output[:\s]+(true|false)")


def _yes_or_no(task: str) -> Reader:
    relevant, yes, no = (re.compile(of[task]) for of in (_RELEVANT, _YES, _NO))
    # The phrase `answer is yes` is one of its own here: `if the answer is yes` is a condition.
    condition = re.compile(rf"(?:if |whether |if the )(?:{_YES[task]}|answer is yes)")

    def claim(lines: Sequence[str]) -> str | None:
        text = " ".join(line for line in lines if not condition.search(line))
        return "Yes" if yes.search(text) else "No" if no.search(text) else None

    def read(text: str, source: int, target: int) -> Reading:
        lines = [line for line in _lines(text) if relevant.search(line)]
        stated = _stated_output(text)
        if not lines and stated is None:
            return _NOTHING
        letters = re.sub("[^a-z0-9]", "", text)
        if letters in ("yes", "true", "no", "false"):
            return Reading("Yes", ("Yes",), "a bare word; the published evaluator reads No as Yes")
        if stated is not None:
            found: str | None = stated
        else:
            found = claim(_lines(text.split("\n\n", 1)[0])) or claim(lines)
        return _NOTHING if found is None else Reading(found, (found,), "a key phrase for it")

    return read


def _lines(text: str) -> list[str]:
    return [line.strip().strip(".!?") for line in text.split("\n") if line.strip()]


def _stated_output(text: str) -> str | None:
    """Returns what a comment such as `# Output: False` states."""
    found = None
    for comment in _COMMENT.finditer(text):
        # What was found before may stand in this line, too: no part of a text is searched twice.
        if found is None or found.start() < comment.start(1):
            found = _OUTPUT.search(text, comment.start(1))
        if found is None:
            return None
        if found.start() <= comment.end():
            return "Yes" if found[1] == "true" else "No"
    return None


_READERS["connectivity"] = _yes_or_no("connectivity")
_READERS["cycle"] = _yes_or_no("cycle")

_NUMBER = re.compile(r"\d+\.\d+|\d+")
_LETTERLESS = re.compile(r"^[\d\W]+$")
_MARKS = re.compile(r"[,.:;!?(){}\[\]]")
_DIAMETER = re.compile(
    r"diameter (?:is|of (?:the given|our|this|the) graph)|the diameter of the provided graph"
    r"|the maximum of these shortest paths is|the longest shortest path is|has diameter"
    r"|answer is|anwser is|output"
)
_TRIANGLES = re.compile(
    r"number of triangles?|(?:answer|total|output|a|output of the (?:above code|function)) is"
    r"|output will be"
)
_COUNTED = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen twenty"
)
_WORDS = {word: str(value) for value, word in enumerate(_COUNTED.split())} | {"thirty": "30"}
_LONGEST_NUMBER = 18
"""Longer numbers are none that an answer can have."""


@register(_READERS, "diameter")
def _read_diameter(text: str, source: int, target: int) -> Reading:
    text = _plain(text, {"*": "", "$": "", ":": " is", ".0": "", "  ": " "})
    return _alone(text, whole=False) or _claims(
        number
        for line in _sentences(_ends(text), 20, ".")
        if (rest := _after(_DIAMETER, line)) is not None
        for number in _NUMBER.findall(rest)[-1:]
    )


@register(_READERS, "triangle")
def _read_triangles(text: str, source: int, target: int) -> Reading:
    if re.search(
        "no triangles (?:in the given graph|are found)|this graph contains no triangles"
        "|there are no triangles",
        text,
    ):
        return Reading(0, (), "no triangles; the published evaluator never counts that as right")
    if (reading := _alone(text, whole=True)) is not None:
        return reading
    text = _plain(text, {"*": "", "$": "", ":": " is", ",": ", ", "`": "", "  ": " "})

    def found() -> Iterator[str]:
        for sentence in _sentences(_ends(text), 20, " "):
            line = _with_digits(sentence)
            parts = []
            if (rest := _after(_TRIANGLES, line)) is not None:
                parts.append(_MARKS.split(rest.strip())[0])
            before, triangle, _ = line.partition("triangle")
            if triangle:
                parts.append(_MARKS.split(before)[-1])
            for part in parts:
                if "node" not in part and "form" not in part:
                    yield from _NUMBER.findall(part)[-1:]

    return _claims(found())


def _alone(text: str, whole: bool) -> Reading | None:
    """Returns what a text, a first line or a first paragraph without letters says, if any does.

    Args:
        text: The text.
        whole: Whether the number is cut off to a whole one.
    """
    lines = text.splitlines()
    for part in (text, lines[0] if lines else "", _first_paragraph(text)):
        numbers = _NUMBER.findall(part) if _LETTERLESS.match(part) else []
        if len(numbers) > 1:
            claims = [_value(number) for number in numbers]
            return Reading(_one_or_all(claims), (), "several numbers without words")
        if numbers:
            value = _value(numbers[0].partition(".")[0] if whole else numbers[0])
            return Reading(_one_or_all([value]), [value], "a number without words")
    return None


def _claims(numbers: Iterator[str]) -> Reading:
    claims = list(dict.fromkeys(map(_value, numbers)))
    if not claims:
        return _NOTHING
    return Reading(_one_or_all(claims), claims, "the last number after a key phrase")


def _value(number: str) -> float:
    """Returns a number; -1, which is no answer, for one that is too long to be one."""
    if len(number) > _LONGEST_NUMBER:
        return -1
    return float(number) if "." in number else int(number)


def _one_or_all(claims: Sequence[float]) -> Extracted:
    if not all(float(claim).is_integer() for claim in claims):
        return ", ".join(map(str, claims))
    wholes = [int(claim) for claim in claims]
    return wholes[0] if len(wholes) == 1 else wholes


def _with_digits(line: str) -> str:
    """Returns a line with its number words as digits, and what stuck to them struck out."""
    words = line.split()
    return " ".join(_WORDS.get(re.sub("[^a-z]", "", word), word) for word in words)


@register(_READERS, "shortest_path")
def _read_path(text: str, source: int, target: int) -> Reading:
    text = _plain(text, {"*": "", "$": "", ":": " is", "  ": " ", "`[": ""})
    if (reading := _alone_nodes(text)) is not None:
        return reading
    question = f"path from node {source} to node {target}"
    phrase = re.compile(
        rf"path between node {source} and node {target}|and the path is|{question}"
        r"|shortest path is|answer is"
    )

    def found() -> Iterator[list[int]]:
        for line in text.splitlines():
            for part in line.split("."):
                if f"{question} is" in part and re.search("(?:one|single|1) edge", part):
                    yield [source, target]
        for nodes in _after_each(phrase, text, 6):
            ends = len(nodes) >= 4 and nodes[:2] == [source, target]
            yield nodes[2:] if ends else nodes

    return _sequences(found())


@register(_READERS, "bfs_order")
def _read_order(text: str, source: int, target: int) -> Reading:
    text = _plain(text, {"*": "", "$": "", ":": " is", "  ": " "})
    if (reading := _alone_nodes(text)) is not None:
        return reading
    node = f"node {source}"
    phrase = re.compile(
        rf"traversal order (?:start(?:ing|s) (?:from|at) {node}|from {node}|is|will be"
        rf"|for the given graph starting from {node})"
        r"|bfs traversal (?:is|order (?:would be|for the given graph|of this graph|ends here))"
        rf"|bfs (?:traversal )?starting at {node}"
        rf"|bfs order (?:is|from {source}|starting from {node}|from starting {node})"
        r"|the (?:order of traversal|order is|resulting order is|result is|result will be)"
        r"|final order is|answer is|anwser is"
    )
    return _sequences(_after_each(phrase, text, 20))


def _alone_nodes(text: str) -> Reading | None:
    lines = text.splitlines()
    for part in (lines[0] if lines else "", _first_paragraph(text)):
        if _LETTERLESS.match(part):
            nodes = _nodes(part)
            return Reading(nodes, [nodes], "numbers without words")
    return None


def _after_each(phrase: re.Pattern[str], text: str, short: int) -> Iterator[list[int]]:
    for line in _sentences(text, short, " "):
        rest = _after(phrase, line)
        if rest is not None and len(nodes := _nodes(rest)) >= 2:
            yield nodes


def _sequences(found: Iterator[list[int]]) -> Reading:
    claims = [list(nodes) for nodes in dict.fromkeys(map(tuple, found))]
    if not claims:
        return _NOTHING
    return Reading(
        claims[0] if len(claims) == 1 else claims, claims, "all numbers after a key phrase"
    )


def _nodes(text: str) -> list[int]:
    numbers = re.findall(r"\d+", text)
    return [int(number) if len(number) <= _LONGEST_NUMBER else -1 for number in numbers]


def _plain(text: str, signs: Mapping[str, str]) -> str:
    """Returns a text without the blanks after marks, then with signs replaced, in their order."""
    text = re.sub(r"([,;.!?])\s+", r"\1", text)
    text = re.sub(r"(:\s*)\n", r"\1", text)
    for sign, other in signs.items():
        text = text.replace(sign, other)
    return text


def _paragraphs(text: str) -> list[str]:
    return [part.strip() for part in re.split(r"\n\s*\n", text.strip())]


def _first_paragraph(text: str) -> str:
    return _paragraphs(text)[0]


def _ends(text: str) -> str:
    """Returns the first and the last paragraph; short ones belong to the one before."""
    merged = _merged(_paragraphs(text), 31, " ")
    return f"{merged[0]}\n\n{merged[-1]}"


def _sentences(text: str, short: int, glue: str) -> Iterator[str]:
    """Yields what stands between full stops in each paragraph.

    Args:
        text: The text.
        short: Paragraphs of fewer characters belong to the one before.
        glue: What stands between them then.
    """
    lines = [" ".join(paragraph.split()) for paragraph in text.split("\n\n")]
    for paragraph in _merged(lines, short, glue):
        yield from paragraph.split(".")


def _merged(paragraphs: Sequence[str], short: int, glue: str) -> list[str]:
    """Returns paragraphs, those of fewer characters than `short` joined to the one before."""
    groups: list[list[str]] = []
    for paragraph in paragraphs:
        if groups and len(paragraph) < short:
            groups[-1].append(paragraph)
        else:
            groups.append([paragraph])
    return [glue.join(group) for group in groups]


def _after(phrase: re.Pattern[str], line: str) -> str | None:
    """Returns what follows the first key phrase of a line, None if there is none."""
    found = phrase.search(line)
    return None if found is None else line[found.end() :]
