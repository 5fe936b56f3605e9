"""What people call the columns of their files, and what to say where one lacks."""

from collections.abc import Sequence
from typing import Any

from benchloom.loaders.scores.printable import printable

OTHER_NAMES = {
    "id": ("record_id", "question_id", "instance_id", "uid", "key", "index", "idx", "_id"),
    "response": (
        *("prediction", "predictions", "predicted", "pred", "output", "outputs", "model_output"),
        *("answer", "completion", "generation", "generated_text", "text", "content", "result"),
    ),
    "answer": ("label", "target", "gold", "truth", "reference"),
}
"""What people call columns that have another name here."""


def lacks(column: str, there: Sequence[str]) -> str:
    """Returns what to say of rows without a column, to follow their name."""
    shown = ", ".join(printable(name, 30) for name in there[:12]) or "nothing"
    shown += f" and {len(there) - 12} more" if len(there) > 12 else ""
    lower = {name.strip().lower(): name for name in reversed(there)}
    meant = [lower[name] for name in (column, *OTHER_NAMES.get(column, ())) if name in lower]
    advice = (
        f"rename {printable(meant[0])!r} to {column!r}" if meant else f"add the column {column!r}"
    )
    return f"has no column {column!r}, only {shown}; {advice}"


class TwiceError(Exception):
    """A key that stands twice in a JSON object, of which Python would take the last value."""


def once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Returns a JSON object of its pairs, as `json.loads` takes a hook for them.

    Raises:
        TwiceError: If a key stands twice; it says which, to follow the object's name.
    """
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise TwiceError(f"has the key {printable(twice)!r} twice; keep one of them")
    return found
