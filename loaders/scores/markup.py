"""Pieces of HTML in which what others wrote is text and nothing else."""

from html import escape

from benchloom.loaders.scores.printable import LIMIT, printable

LONGEST_TEXT = 300
"""Characters of a cell that are shown."""
LONGEST_SENTENCE = 2000


def text_of(value: object, limit: int | None = LONGEST_TEXT) -> str:
    """Returns a text that is neither markup nor acts on what shows it."""
    return escape(printable(str(value), limit))


def start_box(label: str, tall: bool = False) -> str:
    """Returns the start of a box whose content is scrolled, also by the keyboard.

    Args:
        label: What is in it.
        tall: Whether it is scrolled down, too, and not only sideways.
    """
    kind = "scroll tall" if tall else "scroll"
    return f'<div class="{kind}" tabindex="0" role="region" aria-label="{text_of(label, LIMIT)}">'
