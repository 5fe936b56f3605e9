"""`benchloom bench`: speed of each stage beside a named baseline, in one run."""

import argparse
from typing import Any

from benchloom.builders.benchmark import benchmark
from benchloom.scripts.arguments import add_command, add_json, print_table, whole_number


def add_parser(commands: Any) -> None:
    """Adds the command."""
    parser = add_command(
        commands,
        "bench",
        "Measure each stage of a benchmark's build beside a named baseline in the same run.",
        "benchloom bench vga",
    )
    parser.add_argument("benchmark", metavar="BENCHMARK", help="the benchmark to measure")
    parser.add_argument(
        "--limit",
        metavar="N",
        type=whole_number(10),
        default=600,
        help="records of each config (default: 600)",
    )
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Measures."""
    rows = list(benchmark(arguments.benchmark).bench(arguments.limit))
    print_table(("stage", "value", "unit", "remark"), rows, arguments.json)
    return 0
