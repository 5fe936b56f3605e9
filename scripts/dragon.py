"""`benchloom dragon`: DRAGON's own steps, each a sub-command in a file of its own."""

from typing import Any

from benchloom.scripts import (
    dragon_agreement,
    dragon_check,
    dragon_exchange,
    dragon_propose,
    dragon_review,
    dragon_template,
    dragon_transfer,
)

STEPS = (
    dragon_check,
    dragon_template,
    dragon_transfer,
    dragon_propose,
    dragon_review,
    dragon_agreement,
    dragon_exchange,
)


def add_parser(commands: Any) -> None:
    """Adds the command with its sub-commands."""
    summary = "check a copy of a source, draw and transfer regions, propose and review evidence"
    parser = commands.add_parser(
        "dragon", help=summary, description=f"DRAGON's own steps: {summary}."
    )
    steps = parser.add_subparsers(title="steps", metavar="STEP", required=True)
    for step in STEPS:
        step.add_parser(steps)
