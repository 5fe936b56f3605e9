"""`benchloom verify`: makes records again from the manifest's recipe and compares them."""

import argparse
from collections import Counter
from typing import Any

from benchloom.scripts.arguments import (
    add_command,
    add_directory,
    add_jobs,
    add_json,
    add_most,
    add_sample,
)


def add_parser(commands: Any) -> None:
    """Adds the command."""
    parser = add_command(
        commands,
        "verify",
        "Make records again from the recipe of a build and compare every column and every pixel.",
        "benchloom verify data/vga --sample 200",
    )
    add_directory(parser)
    add_sample(parser, 100)
    add_most(parser)
    add_jobs(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Verifies; status 1 when anything differs."""
    from benchloom.loaders.directory import Build
    from benchloom.loaders.verification import verify
    from benchloom.scripts.arguments import print_faults

    build = Build(arguments.directory)
    counts: Counter[str] = Counter()
    faults = verify(build, arguments.sample, arguments.jobs, counts)
    return print_faults(
        faults,
        f"{counts['records']:,} records made again and equal, {counts['shards']:,} shards as built",
        arguments.most,
        arguments.json,
    )
