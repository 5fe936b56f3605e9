"""What an answer to a question of VGA claims, and whether it is right (section 3).

Yes or no for isomorphism and the Hamiltonian tasks, a number for the others. How free text is read
is the same for all benchmarks; only the words are VGA's own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, get_args

from benchloom.builders.errors import InputError
from benchloom.builders.registry import lookup
from benchloom.builders.vga.configs import CONFIGS
from benchloom.loaders.answers.claims import Claim, final_claim
from benchloom.loaders.answers.text import one_turn, plain, spelled, starts, without_thought
from benchloom.loaders.answers.verdict import GRADERS, Grader, Verdict
from benchloom.loaders.answers.versions import code_digest
from benchloom.loaders.answers.vga_strict import accepted_form
from benchloom.loaders.answers.vga_words import KEYS, reader, with_plain_words

if TYPE_CHECKING:
    from benchloom.builders.graphs.graph import Graph
    from benchloom.loaders.answers.adjacency import Errors, Transcription

Labels = Literal["names", "indices"]
LABELS: tuple[Labels, ...] = get_args(Labels)
"""What responses are: answers in words, or class numbers of an image classifier."""
TRANSCRIPTION = "transcription"
"""The task of appendix D: to write down the adjacency matrix of the graph in a picture."""

_NUMBER = 1
_MODULES = (
    *(
        f"benchloom.loaders.answers.{name}"
        for name in (
            *(
                "adjacency",
                "claim_words",
                "claims",
                "code",
                "markup",
                "numbers",
                "structure",
                "text",
                "vga",
                "vga_strict",
            ),
            *("forms", "vga_words", "words", "yes_no", "yes_no_forms"),
        )
    ),
    "benchloom.builders.graphs.loops",
    "benchloom.builders.vga.configs",
)
_CLASS_NUMBER = re.compile(r"\s*(\d{1,3})(?:\.0{1,9})?\s*")


def judge(
    task: str,
    response: str | None,
    reference: Mapping[str, Any],
    grader: Grader = "lenient",
    labels: Labels = "names",
) -> Verdict:
    """Returns the verdict on one answer.

    Args:
        task: The config, or `transcription`.
        response: All that the model wrote; None for no answer.
        reference: The record's columns: `answer`; of a transcription `graph6`.
        grader: `strict` takes only a final claim in an accepted form, `lenient` the last claim in
            free text. Both read a matrix the same way.
        labels: Whether the response is an answer or a class number.

    Raises:
        InputError: If there is no such task, grader or kind of labels, or a column is missing.
    """
    _check_grader(grader)
    check_labels(labels)
    if task == TRANSCRIPTION:
        from benchloom.builders.graphs import graph6

        truth = graph6.decode(_column(reference, "graph6"), "graph6 of the reference")
        return transcribed(response, truth).verdict
    lookup(CONFIGS, task, "task")
    answer = _column(reference, "answer").strip().lower()
    answer = {"true": "yes", "false": "no"}.get(answer, answer)
    if answer not in CONFIGS[task].labels:
        raise InputError(
            f"the answer {answer!r} is none of {task}: {', '.join(CONFIGS[task].labels)}"
        )
    return decide(extract(task, response, grader, labels), answer)


@cache
def version(grader: Grader = "lenient") -> str:
    """Returns the version of a grader: a number, and a digest of the code that verdicts depend on.

    Raises:
        InputError: If VGA has no such grader.
    """
    _check_grader(grader)
    return f"{_NUMBER}-{code_digest(_MODULES)}"


def check_labels(labels: str) -> None:
    """Refuses what is no kind of labels.

    Raises:
        InputError: If it is none.
    """
    if labels not in LABELS:
        raise InputError(f"there are no labels {labels!r}; choose from {', '.join(LABELS)}")


def extract(
    task: str, response: str | None, grader: Grader = "lenient", labels: Labels = "names"
) -> Claim:
    """Returns what an answer claims, `Yes`, `No` or a number; it does not depend on what is right.

    A number that is none of the task's answers is a claim, too. The letter of an option (`(c) 5`)
    is passed over, and alone is no claim: the questions offer none.

    Args:
        task: The config.
        response: All that the model wrote; None for no answer.
        grader: `strict` or `lenient`.
        labels: Whether the response is an answer or a class number.
    """
    return extract_both(task, response, labels)[grader == "lenient"]


def extract_both(task: str, response: str | None, labels: Labels = "names") -> tuple[Claim, Claim]:
    """Returns what an answer claims by `strict` and by `lenient`; they share most of the work.

    Args:
        task: The config.
        response: All that the model wrote; None for no answer.
        labels: Whether the response is an answer or a class number.
    """
    if response is None or not response.strip():
        return (Claim(None, "no answer"),) * 2
    if labels == "indices":
        return (_of_class(task, response),) * 2
    spoken = without_thought(response)
    if spoken is None:
        return (Claim(None, "the answer ends inside a thought"),) * 2
    spoken = spelled(one_turn(spoken)).strip()
    if not spoken:
        return (Claim(None, "nothing but a thought"),) * 2
    claim, text = Claim(None, "no claim was found"), ""
    for part, is_certain in starts(spoken):
        text = with_plain_words(task, plain(part, KEYS[task]))
        claim = final_claim(text, reader(task))
        if claim.extracted is not None or is_certain:
            break
    if claim.extracted is None:
        return claim, claim
    form = accepted_form(task, text)
    if form is None:
        return Claim(None, "the answer does not end in an accepted form"), claim
    if form != text.strip() and final_claim(form, reader(task)).extracted != claim.extracted:
        return Claim(None, "the end of the answer does not claim what the answer claims"), claim
    return claim, claim


def decide(claim: Claim, answer: str) -> Verdict:
    """Returns the verdict on a claim.

    Args:
        claim: What was claimed.
        answer: The right answer, as it stands in the record.
    """
    if claim.extracted is None:
        return Verdict("unparseable", None, claim.reason)
    if str(claim.extracted).lower() == answer:
        return Verdict("correct", claim.extracted, claim.reason)
    return Verdict("incorrect", claim.extracted, f"the answer is {answer}; {claim.reason}")


@dataclass(frozen=True)
class Transcribed:
    """A transcription, judged.

    Attributes:
        verdict: The verdict: correct if the graph is isomorphic to the one that was drawn; a matrix
            that is not that of a simple graph is incorrect.
        matrix: The matrix.
        errors: How far it is from the truth; None where the answer has no matrix.
    """

    verdict: Verdict
    matrix: Transcription
    errors: Errors | None


def transcribed(response: str | None, truth: Graph, symmetrise: bool = False) -> Transcribed:
    """Returns the adjacency matrix in an answer, judged up to isomorphism (appendix D).

    Args:
        response: All that the model wrote; None for no answer.
        truth: The graph that was drawn.
        symmetrise: Whether two nodes are joined where only one of their two cells is 1, and ones on
            the diagonal are left out.
    """
    from benchloom.loaders.answers.adjacency import Transcription, compare, read_matrix

    spoken = None if response is None else without_thought(response)
    if spoken is None:
        fault = "no answer" if response is None else "the answer ends inside a thought"
        return Transcribed(Verdict("unparseable", None, fault), Transcription(fault=fault), None)
    matrix = read_matrix(one_turn(spoken), symmetrise)
    if matrix.rows is None:
        return Transcribed(Verdict("unparseable", None, matrix.fault), matrix, None)
    errors = compare(matrix, truth)
    said = [list(row) for row in matrix.rows]
    changed = ""
    if matrix.joined or matrix.loops:
        changed = f"; made simple: {matrix.joined} pairs joined, {matrix.loops} loops left out"
    if errors.exact:
        verdict = Verdict("correct", said, f"isomorphic to the graph that was drawn{changed}")
    elif matrix.graph is None:
        verdict = Verdict("incorrect", said, matrix.fault)
    else:
        edits = "" if errors.edits is None else f", {errors.edits} edits away"
        reason = f"nodes {errors.nodes:+d}, edges {errors.edges:+d}{edits}{changed}"
        verdict = Verdict("incorrect", said, reason)
    return Transcribed(verdict, matrix, errors)


def _of_class(task: str, response: str) -> Claim:
    """Returns the claim of a response that is a class number."""
    labels = CONFIGS[task].labels
    number = _CLASS_NUMBER.fullmatch(response)
    if number is None:
        return Claim(None, "the response is no class number")
    if int(number[1]) >= len(labels):
        return Claim(None, f"there is no class {int(number[1])}, only 0 to {len(labels) - 1}")
    label = labels[int(number[1])]
    return Claim(int(label) if label.isdigit() else label.capitalize(), f"class {int(number[1])}")


def _column(reference: Mapping[str, Any], name: str) -> str:
    if reference.get(name) is None:
        raise InputError(f"the reference of a VGA question lacks {name!r}")
    return str(reference[name])


def _check_grader(grader: str) -> None:
    if grader == "reference":
        raise InputError(
            "only GraphOmni has a published evaluator to imitate; choose strict or lenient"
        )
    if grader not in GRADERS:
        raise InputError(f"there is no grader {grader!r}; choose strict or lenient")
