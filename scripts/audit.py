"""`benchloom audit`: reads the pictures back and works the answers out anew."""

import argparse
import sys
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
        "audit",
        "Read what each record shows, work its answer out from that, and compare.",
        "benchloom audit data/vga",
    )
    add_directory(parser)
    add_sample(parser, None)
    add_most(parser)
    add_jobs(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Audits; status 1 when anything is wrong."""
    from benchloom.loaders.checks_file import record_check
    from benchloom.loaders.directory import Build
    from benchloom.loaders.verification import audit
    from benchloom.scripts.arguments import print_faults

    build = Build(arguments.directory)
    counts: Counter[str] = Counter()
    faults = audit(build, arguments.sample, arguments.jobs, counts)
    figures = {"records": counts["records"], "faults": len(faults)}
    if lost := record_check(arguments.directory, "audit", figures):
        print(lost, file=sys.stderr)
    good = f"{counts['records']:,} records read back, every one right"
    return print_faults(faults, good, arguments.most, arguments.json)
