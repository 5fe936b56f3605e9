"""What a judge says of an answer."""

from dataclasses import dataclass
from typing import Literal, get_args

Grader = Literal["strict", "lenient", "reference"]
Outcome = Literal["correct", "incorrect", "unparseable"]
GRADERS: tuple[Grader, ...] = get_args(Grader)
Extracted = str | int | list[int] | list[list[int]] | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """A verdict on one answer.

    Attributes:
        verdict: `correct`, `incorrect` or `unparseable`; the last counts as wrong.
        extracted: What the answer claims, in its task's form: `Yes` or `No`, a number, a list of
            nodes; None where it claims nothing. It does not depend on the right answer.
        reason: Why, in words: how the claim was found, and what is wrong with it.
    """

    verdict: Outcome
    extracted: Extracted
    reason: str
