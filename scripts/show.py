"""`benchloom show`: one record as a model sees it, with its answer."""

import argparse
from pathlib import Path
from typing import Any

from benchloom.builders.errors import InputError
from benchloom.scripts.arguments import add_command, add_directory, add_images, add_json


def add_parser(commands: Any) -> None:
    """Adds the command."""
    parser = add_command(
        commands,
        "show",
        "Print one record as a model sees it, with its answer, and draw it on request.",
        "benchloom show data/vga ham_path-test-000007 --draw picture.png",
    )
    add_directory(parser)
    parser.add_argument("id", metavar="ID", help="the record's id")
    parser.add_argument("--draw", metavar="FILE", type=Path, help="write its picture as PNG")
    add_images(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Shows a record."""
    import json

    from benchloom.builders.files import write_whole
    from benchloom.loaders.directory import Build

    build = Build(arguments.directory)
    if arguments.images:
        build.benchmark = build.benchmark.with_pictures(arguments.images)
    config, record = build.find(arguments.id)
    if arguments.json:
        plain = {name: value for name, value in record.items() if name != "image"}
        print(json.dumps(plain, indent=2, ensure_ascii=False))
    else:
        print(build.benchmark.show(record, config))
    if arguments.draw is not None:
        try:
            write_whole(arguments.draw, build.benchmark.picture(record, config))
        except OSError as error:
            raise InputError(f"{arguments.draw} cannot be written: {error.strerror}") from None
    return 0
