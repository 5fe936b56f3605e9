"""Answers to GraphOmni's questions, judged.

What an answer claims is read without knowledge of the right answer (`extract`); whether that is
right is decided apart from it: any breadth-first order, any shortest path, any Hamiltonian cycle,
and any largest cut are right.
"""

import importlib
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any

from benchloom.builders.errors import InputError
from benchloom.builders.graphomni.answers import levels
from benchloom.loaders.answers.claims import Claim, final_claim
from benchloom.loaders.answers.graphomni_words import KEYS, reader
from benchloom.loaders.answers.strict import KINDS, accepted_form
from benchloom.loaders.answers.text import one_turn, plain, spelled, starts, without_thought
from benchloom.loaders.answers.verdict import GRADERS, Extracted, Grader, Verdict
from benchloom.loaders.answers.versions import code_digest

TASKS: tuple[str, ...] = tuple(KINDS)
"""The tasks whose answers are judged."""

_NUMBER = 1
_READING = [
    "claim_words",
    "claims",
    "code",
    "cuts",
    "forms",
    "graphomni",
    "graphomni_words",
    "list_marks",
    "listings",
    "markup",
    "nodes",
    "number_words",
    "numbers",
    "pairs",
    "sequence_words",
    "sequences",
    "strict",
    "structure",
    "text",
    "words",
    "yes_no",
    "yes_no_forms",
    "yes_no_words",
]
MODULES = (
    *(f"benchloom.loaders.answers.{name}" for name in _READING),
    "benchloom.builders.graphomni.answers",
    "benchloom.builders.graphomni.questions",
)
"""The modules that a verdict of the strict or the lenient grader depends on."""
_REFERENCE = "benchloom.loaders.answers.graphomni_reference"


def judge(
    task: str, response: str | None, reference: Mapping[str, Any], grader: Grader = "lenient"
) -> Verdict:
    """Returns the verdict on one answer.

    For many answers to one question a `Question` is faster.

    Args:
        task: The task.
        response: All that the model wrote; None for no answer.
        reference: The record's columns: `n_nodes`, `edges`, `answer`, and `source` and `target`
            where the task has them.
        grader: `strict`, `lenient` or `reference`.

    Raises:
        InputError: If there is no such task or grader, or a column is missing or of another kind.
    """
    return Question(task, reference).judge(response, grader)


@cache
def version(grader: Grader = "lenient") -> str:
    """Returns the version of a grader: a number, and a digest of the code that verdicts depend on.

    Raises:
        InputError: If there is no such grader.
    """
    _check_grader(grader)
    if grader == "reference":
        return f"{_NUMBER}-{code_digest((_REFERENCE, 'benchloom.builders.graphomni.answers'))}"
    return f"{_NUMBER}-{code_digest(MODULES)}"


def extract(
    task: str, response: str | None, grader: Grader = "lenient", asked: Sequence[int] = ()
) -> Claim:
    """Returns what an answer claims; it does not depend on what is right.

    The claim is `Yes` or `No`, a number (`inf` for an infinite one), the nodes of a list (none of
    them where it says that there is no such list), or `size: side` of a cut.

    Args:
        task: The task.
        response: All that the model wrote; None for no answer.
        grader: `lenient` takes the last claim in free text, `strict` only one in an accepted form.
        asked: The nodes that the question names; statements about other ones are then no claims,
            or count less.

    Raises:
        InputError: If there is no such task, or no such grader.
    """
    if task not in KINDS:
        raise InputError(f"there is no task {task!r}; choose from {', '.join(TASKS)}")
    _check_grader(grader)
    if response is None or not response.strip():
        return Claim(None, "no answer")
    spoken = without_thought(response)
    if spoken is None:
        return Claim(None, "the answer ends inside a thought")
    spoken = spelled(one_turn(spoken)).strip()
    if not spoken:
        return Claim(None, "nothing but a thought")
    read = reader(task, tuple(asked))
    claim, text, form = Claim(None, "no claim was found"), "", None
    for part, is_certain in starts(spoken):
        text = plain(part, KEYS[task])
        form = accepted_form(task, text) if grader == "strict" else None
        if grader == "strict" and form is None and is_certain:
            break
        claim = final_claim(text, read)
        if claim.extracted is not None or is_certain:
            break
    if grader == "strict":
        if form is None:
            return Claim(None, "the answer does not end in an accepted form")
        if form != text.strip() and final_claim(form, read).extracted != claim.extracted:
            return Claim(None, "the end of the answer does not claim what the answer claims")
    return claim


_SHORT = 200
_extract_short = lru_cache(4096)(extract)
"""The same for short answers, which many questions have in common."""


class Question:
    """A question whose answers are judged; what judging needs is worked out once.

    Args:
        task: The task.
        reference: The record's columns, as for `judge`.

    Raises:
        InputError: If there is no such task, or a column is missing or of another kind.
    """

    def __init__(self, task: str, reference: Mapping[str, Any]) -> None:
        if task not in KINDS:
            raise InputError(f"there is no task {task!r}; choose from {', '.join(TASKS)}")
        self.task = task
        self._reference = reference
        try:
            self._n = int(reference["n_nodes"])
            self._answer = _normalised(task, str(reference["answer"]))
            self._masks = [0] * self._n
            self._edges = [(int(u), int(v)) for u, v in reference["edges"]]
            for u, v in self._edges:
                self._masks[u] |= 1 << v
                self._masks[v] |= 1 << u
            names = {"bfs_order": 1, "connectivity": 2, "shortest_path": 2}.get(task, 0)
            self._asked = tuple(int(reference[name]) for name in ("source", "target")[:names])
            if any(not 0 <= node < self._n for node in self._asked):
                raise ValueError(f"a node is not one of 0..{self._n - 1}")
        except KeyError as fault:
            raise InputError(f"the reference of a {task} question lacks {fault}") from None
        except (TypeError, ValueError, IndexError) as fault:
            raise InputError(
                f"the reference of a {task} question cannot be used: {fault}"
            ) from None
        self._levels = levels(self._masks, self._asked[0]) if self._asked else []

    def judge(self, response: str | None, grader: Grader = "lenient") -> Verdict:
        """Returns the verdict on one answer.

        Raises:
            InputError: If there is no such grader.
        """
        if grader == "reference":
            imitated: Verdict = importlib.import_module(_REFERENCE).judge(
                self.task, response, self._reference
            )
            return imitated
        if response is not None and len(response) <= _SHORT:
            claim = _extract_short(self.task, response, grader, self._asked)
        else:
            claim = extract(self.task, response, grader, self._asked)
        if claim.extracted is None:
            return Verdict("unparseable", None, claim.reason)
        fault = self._fault(claim.extracted)
        found = [*claim.extracted] if isinstance(claim.extracted, list) else claim.extracted
        if fault is None:
            return Verdict("correct", found, claim.reason)
        return Verdict("incorrect", found, f"{fault}; {claim.reason}")

    def _fault(self, claim: Extracted) -> str | None:
        """Returns what is wrong with a claim, None if it is right."""
        if self.task == "max_cut":
            return self._fault_of_cut(str(claim))
        if not isinstance(claim, list):
            return None if str(claim) == self._answer else f"{claim} is not {self._answer}"
        nodes = [node for node in claim if isinstance(node, int)]
        if not nodes:
            return None if self._answer == "none" else "there is one"
        if self._answer == "none":
            return "there is none"
        if not all(0 <= node < self._n for node in nodes):
            return "it holds a node that the graph does not have"
        if self.task == "bfs_order":
            return self._fault_of_order(nodes)
        if self.task == "shortest_path":
            return self._fault_of_path(nodes)
        return self._fault_of_cycle(nodes)

    def _fault_of_order(self, order: Sequence[int]) -> str | None:
        if order[0] != self._asked[0]:
            return f"it does not start at node {self._asked[0]}"
        if len(set(order)) != len(order):
            return "a node stands in it twice"
        reached = 0
        for level in self._levels:
            reached |= level
        if sum(1 << node for node in order) != reached:
            return "it does not hold just the nodes that can be reached"
        seen, end = 1 << order[0], 1
        for node in order:
            new = self._masks[node] & ~seen
            count = new.bit_count()
            if sum(1 << v for v in order[end : end + count]) != new:
                return f"the new neighbours of node {node} do not come together"
            seen |= new
            end += count
        return None

    def _fault_of_path(self, path: Sequence[int]) -> str | None:
        source, target = self._asked
        if path[0] != source or path[-1] != target:
            return f"it does not lead from node {source} to node {target}"
        for u, v in pairwise(path):
            if not self._masks[u] >> v & 1:
                return f"{u}-{v} is no edge"
        shortest = next(d for d, level in enumerate(self._levels) if level >> target & 1)
        if len(path) - 1 != shortest:
            return f"it has {len(path) - 1} edges, and {shortest} are enough"
        return None

    def _fault_of_cycle(self, nodes: Sequence[int]) -> str | None:
        cycle = list(nodes)
        if len(cycle) > 1 and cycle[0] == cycle[-1]:
            cycle.pop()
        if sorted(cycle) != list(range(self._n)) or len(cycle) < 3:
            return "it does not visit each node once"
        for u, v in zip(cycle, cycle[1:] + cycle[:1], strict=True):
            if not self._masks[u] >> v & 1:
                return f"{u}-{v} is no edge"
        return None

    def _fault_of_cut(self, claim: str) -> str | None:
        size, _, side = claim.partition(": ")
        nodes = [int(node) for node in side.split(",") if node]
        chosen = set(nodes)
        if len(chosen) != len(nodes) or not all(0 <= node < self._n for node in nodes):
            return "the side is no set of nodes of the graph"
        across = sum((u in chosen) != (v in chosen) for u, v in self._edges)
        largest = int(self._answer.partition(":")[0])
        if int(size) != largest:
            return f"the largest cut has {largest} edges, not {size}"
        return None if across == largest else f"the side cuts {across} edges, not {largest}"


def _normalised(task: str, answer: str) -> str:
    """Returns a right answer as claims are written: `yes` and `True` as `Yes`."""
    answer = "none" if answer.strip() == "[]" else answer.strip()
    if KINDS[task] != "yes_no":
        return answer.lower()
    return {"yes": "Yes", "true": "Yes", "no": "No", "false": "No"}.get(answer.lower(), answer)


def _check_grader(grader: str) -> None:
    if grader not in GRADERS:
        raise InputError(f"there is no grader {grader!r}; choose from {', '.join(GRADERS)}")
