"""`benchloom export`: the original folder layout, pictures beside a file of labels."""

import argparse
from typing import Any

from benchloom.scripts.arguments import add_command, add_directory, folder


def add_parser(commands: Any) -> None:
    """Adds the command."""
    parser = add_command(
        commands,
        "export",
        "Write a build as the authors lay it out: image_0.png ..., one line each in labels.txt.",
        "benchloom export data/vga --to data/vga-folders",
    )
    add_directory(parser)
    parser.add_argument(
        "--to", metavar="FOLDER", type=folder, required=True, help="where to; new or empty"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Exports."""
    from benchloom.loaders.directory import Build
    from benchloom.loaders.folders import export_folders

    written = export_folders(Build(arguments.directory), arguments.to)
    print(f"{written:,} pictures in {arguments.to}")
    return 0
