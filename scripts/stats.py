"""`benchloom stats`: sizes, balance, and what rules that read nothing reach."""

import argparse
from typing import Any

from benchloom.scripts.arguments import add_command, add_directory, add_json, print_table


def add_parser(commands: Any) -> None:
    """Adds the command."""
    parser = add_command(
        commands,
        "stats",
        "Print sizes, balance of the labels, and how far trivial rules get.",
        "benchloom stats data/vga",
    )
    add_directory(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Prints the statistics."""
    from benchloom.loaders.directory import Build

    build = Build(arguments.directory)
    rows = []
    for config, split in build.splits():
        columns = build.columns(config, split)
        rows += [
            (config, split, *row) for row in build.benchmark.statistics(columns, config, split)
        ]
    print_table(("config", "split", "measure", "value", "remark"), rows, arguments.json)
    return 0
