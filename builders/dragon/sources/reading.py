"""What comes out of reading a source: items, and what is wrong with its folder."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from benchloom.builders.dragon.item import Item
from benchloom.builders.dragon.sources.texts import count

FaultKind = Literal["missing", "damaged", "unknown"]
"""A file that is not there; one that cannot be used as it is; one of which nothing is known."""


@dataclass(frozen=True)
class Fault:
    """Something in a folder that is not as the source has it.

    Attributes:
        kind: What sort of fault it is.
        where: The file or folder, relative to the folder that the layout begins in.
        reason: What is wrong with it, and what was done.
        questions: How many questions are left out for it.
    """

    kind: FaultKind
    where: str
    reason: str
    questions: int = 0

    def __str__(self) -> str:
        left_out = f"; {count(self.questions, 'question')} left out" if self.questions else ""
        return f"{self.where}: {self.reason}{left_out}"

    def to_json(self) -> dict[str, Any]:
        """Returns the fault as plain JSON values."""
        return {
            "kind": self.kind,
            "where": self.where,
            "reason": self.reason,
            "questions": self.questions,
        }


@dataclass(frozen=True)
class SourceReading:
    """What a folder of a source holds.

    Attributes:
        root: The folder that the layout begins in.
        items: The questions that can be used, in the source's order.
        faults: What is missing, damaged or of an unknown layout. Nothing of it stopped the rest.
        notes: What is left out or unusual, but is so in the source itself; sentences.
    """

    root: Path
    items: tuple[Item, ...]
    faults: tuple[Fault, ...]
    notes: tuple[str, ...]
