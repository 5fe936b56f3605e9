"""`benchloom preview`: a contact sheet of a build as one HTML page."""

import argparse
from pathlib import Path
from typing import Any

from benchloom.scripts.arguments import add_command, add_directory, whole_number


def add_parser(commands: Any) -> None:
    """Adds the command."""
    parser = add_command(
        commands,
        "preview",
        "Write a self-contained HTML page with records of every config and split.",
        "benchloom preview data/vga",
    )
    add_directory(parser)
    parser.add_argument(
        "--to", metavar="FILE", type=Path, help="the page (default: DIR/preview.html)"
    )
    parser.add_argument(
        "--records",
        metavar="N",
        type=whole_number(1),
        default=12,
        help="records of each split (default: 12)",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Writes the page."""
    from benchloom.loaders.directory import Build
    from benchloom.loaders.preview import write_preview

    to = arguments.to or arguments.directory / "preview.html"
    shown = write_preview(Build(arguments.directory), to, arguments.records)
    print(f"{shown} records in {to}")
    return 0
