"""Pieces of HTML in which what others wrote is text and nothing else."""

from html import escape

from benchloom.loaders.scores.printable import LIMIT, printable

LONGEST_TEXT = 300
"""Characters of a cell that are shown."""
LONGEST_SENTENCE = 2000


def text_of(value: object, limit: int | None = LONGEST_TEXT) -> str:
    """Returns a text that is neither markup nor acts on what shows it."""
    return escape(printable(str(value), limit))


def start_box(label: str) -> str:
    """Returns the start of a box whose content is scrolled, also by the keyboard."""
    return f'<div class="scroll" tabindex="0" role="region" aria-label="{text_of(label, LIMIT)}">'
