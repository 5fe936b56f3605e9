"""`benchloom list`: which benchmarks, configs and splits there are."""

import argparse
from typing import Any

from benchloom.builders.benchmark import benchmark, benchmarks
from benchloom.scripts.arguments import add_command, add_json, print_table


def add_parser(commands: Any) -> None:
    """Adds the command."""
    parser = add_command(
        commands,
        "list",
        "List the benchmarks, or the configs and splits of one.",
        "benchloom list vga",
    )
    parser.add_argument("benchmark", metavar="BENCHMARK", nargs="?", help="the benchmark to list")
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Prints the list."""
    if arguments.benchmark is None:
        rows = [(name, of.title, ", ".join(of.configs)) for name, of in benchmarks().items()]
        print_table(("benchmark", "title", "configs"), rows, arguments.json)
    else:
        of = benchmark(arguments.benchmark)
        splits = [
            (config, split, *of.outline(config, split))
            for config in of.configs
            for split in of.splits(config)
        ]
        print_table(("config", "split", "records", "labels", "remark"), splits, arguments.json)
    return 0
