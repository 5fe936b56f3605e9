"""`benchloom card`: renders the card of a build again."""

import argparse
from typing import Any

from benchloom.scripts.arguments import add_command, add_directory


def add_parser(commands: Any) -> None:
    """Adds the command."""
    parser = add_command(
        commands,
        "card",
        "Render a build's card, changelog, contact sheets and checksums again, where they stand.",
        "benchloom card data/vga",
    )
    add_directory(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Renders."""
    from benchloom.cards.rendering import render_in_place

    changed = render_in_place(arguments.directory, redraw=True)
    for file in changed:
        print(file)
    print(
        f"{len(changed)} files of {arguments.directory} are new" if changed else "nothing changed"
    )
    return 0
