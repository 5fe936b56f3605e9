"""What to ask for instead, when a cell cannot be filled: found by planning it."""

import time
from collections.abc import Callable

from benchloom.builders.errors import InputError
from benchloom.builders.graphomni.cells import Cell, UnfilledError

LARGEST = 100
"""Largest number of nodes that is looked at, as the option's own is."""

SECONDS = 6.0
"""How long other numbers of nodes are looked for: a message may depend on it, no record does."""

STEPS = (1, 2, 4, 8, 16, 32, 64)
"""By how much bounds are moved at first; then the step is halved."""

Attempt = Callable[[int, tuple[int, int], int], Cell]
"""Plans a cell: from number of instances, bounds, and most draws; raises UnfilledError."""


def explained(error: UnfilledError, attempt: Attempt) -> InputError:
    """Returns the error that also says what would do, each figure of which was planned.

    That is the nearest range of as many numbers of nodes with which the whole cell can be filled,
    as far as one is found in some seconds, and how many instances can be had as the bounds are.

    Args:
        error: Why the cell cannot be filled.
        attempt: Plans the cell otherwise.
    """
    cell = error.cell
    hints = []
    bounds = _nearest_bounds(cell, attempt)
    if bounds is not None:
        hints.append(f"give it {bounds[0]} to {bounds[1]} nodes, the nearest range that would do")
    count = _largest_count(cell, error.reached, attempt)
    if count is None:
        hints.append("ask for fewer instances")
    elif count:
        hints.append(f"ask for {count:,} instance{'s' if count > 1 else ''}, which can be had")
    if not hints:
        hints.append("no numbers of nodes near these would do; give it quite other ones")
    return InputError(f"{error}; {', or '.join(hints)}")


def _nearest_bounds(cell: Cell, attempt: Attempt) -> tuple[int, int] | None:
    low, high = cell.bounds
    begun = time.thread_time()

    def would_do(step: int) -> bool:
        most_draws = 400_000 // max(40, high + step)  # those of large graphs take longer
        sound = low + step >= 2 and high + step <= LARGEST and cell.count <= most_draws
        if not sound or time.thread_time() - begun > SECONDS:
            return False
        try:
            attempt(cell.count, (low + step, high + step), most_draws)
        except InputError:
            return False
        return True

    short = 0
    for step in STEPS:
        for sign in (1, -1):
            if would_do(sign * step):
                far = step
                while far - short > 1:
                    middle = (short + far) // 2
                    short, far = (short, middle) if would_do(sign * middle) else (middle, far)
                return low + sign * far, high + sign * far
        short = step
    return None


def _largest_count(cell: Cell, reached: int, attempt: Attempt) -> int | None:
    """Returns how many instances can be had, None if that is not known."""
    # A quota on answers is a share of the whole cell; all other cells begin like larger ones.
    if "most_common" not in cell.rules:
        return reached
    reached -= reached // 50
    try:
        if reached:
            attempt(reached, cell.bounds, cell.draws)
    except UnfilledError:
        return None
    return reached
