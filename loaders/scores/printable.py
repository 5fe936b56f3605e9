"""Text that somebody else wrote, made fit to be shown."""

LIMIT = 60
"""Characters of a name or an id that a sentence shows."""


def printable(text: str, limit: int | None = LIMIT) -> str:
    r"""Returns a text on one line in which nothing acts on a terminal.

    Line breaks, control characters, terminal escapes, marks that turn the direction of writing and
    invisible characters are shown as Python writes them: `\n`, `\x1b`, `\u202e`. The characters
    of HTML stay: a page escapes them itself.

    Args:
        text: The text.
        limit: Longer ones are cut to so many characters, and it is said how long they are.
    """
    shown = text if limit is None or len(text) <= limit else text[:limit]
    if not shown.isprintable():
        shown = "".join(
            one if one.isprintable() else one.encode("unicode_escape").decode() for one in shown
        )
    if limit is not None and len(text) > limit:
        shown += f"... ({len(text):,} characters)"
    return shown
