"""`benchloom preview`: a contact sheet of a build as one HTML page."""

import argparse
from pathlib import Path
from typing import Any

from benchloom.scripts.arguments import add_command, add_directory, add_images, whole_number


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
        "--to",
        metavar="FILE",
        type=Path,
        help="the page (default: DIR/preview.html; with --images DIR-preview.html)",
    )
    add_images(parser)
    parser.add_argument(
        "--records",
        metavar="N",
        type=whole_number(1),
        default=12,
        help="records of each split (default: 12)",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Writes the page.

    Raises:
        InputError: If pictures would come into the build.
    """
    from benchloom.builders.errors import InputError
    from benchloom.loaders.directory import Build
    from benchloom.loaders.preview import write_preview

    build, directory = Build(arguments.directory), arguments.directory
    to = arguments.to or directory / "preview.html"
    if arguments.images:
        build.benchmark = build.benchmark.with_pictures(arguments.images)
        to = arguments.to or Path(f"{directory}-preview.html")
        if to.resolve().is_relative_to(directory.resolve()):
            raise InputError(
                f"{to} lies in the build, which must hold no picture of a source; "
                "choose another --to"
            )
    shown = write_preview(build, to, arguments.records)
    print(f"{shown} records in {to}")
    return 0
