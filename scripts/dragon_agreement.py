"""`benchloom dragon agreement`: how well annotators agree, as a table like the paper's Table 2."""

import argparse
import json
import sys
from typing import Any

from benchloom.scripts.arguments import add_command, add_json, folder, print_table

EXAMPLE = """\
benchloom dragon agreement work

exit status: 0 good, 1 marks were set aside (each is named), 2 input that cannot be used"""


def add_parser(commands: Any) -> None:
    """Adds the command."""
    parser = add_command(
        commands,
        "agreement",
        "Print percent and Cohen's kappa of the CVR and CEA marks of each source.",
        EXAMPLE,
    )
    parser.add_argument("work", metavar="WORK", type=folder, help="the working folder")
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Measures; status 1 when marks were set aside."""
    from benchloom.builders.dragon.agreement import measure_agreement
    from benchloom.builders.dragon.review_log import read_logs
    from benchloom.builders.dragon.work import read_work

    table = measure_agreement(read_work(arguments.work).items, read_logs(arguments.work))
    status = 1 if table.set_aside else 0
    if arguments.json:
        value = {
            "rows": [row.to_json() for row in table.rows],
            "set_aside": list(table.set_aside),
        }
        print(json.dumps(value, indent=2, ensure_ascii=False))
        return status
    rows = []
    for row in table.rows:
        told = row.to_json()
        rows.append(
            [
                row.source,
                row.criterion,
                row.items,
                row.pairs,
                _number(row.percent, 1),
                _interval(row.percent_interval, 1),
                _number(row.kappa, 3),
                _interval(row.kappa_interval, 3),
                _number(told["paper_percent"], 1),
                _number(told["paper_kappa"], 3),
            ]
        )
    if rows:
        head = ("source", "criterion", "items", "pairs", "agreement %", "95%", "kappa", "95%")
        print_table((*head, "paper %", "paper kappa"), rows)
        if any(row.kappa is None for row in table.rows):
            print("\n-: undefined, as all marks are equal")
        if any(row.kappa is not None and row.kappa_interval is None for row in table.rows):
            print("\n95% of kappa -: too few items, or too much alike, to tell")
        if any(row.pairs > row.items for row in table.rows):
            print("\nPairs of one item are not independent: both intervals are over items.")
    else:
        print("no item has the marks of two annotators: benchloom dragon review WORK --marks")
    for line in table.set_aside:
        print(f"set aside: {line}", file=sys.stderr)
    return status


def _number(value: float | None, decimals: int) -> str:
    return "-" if value is None else f"{value:.{decimals}f}"


def _interval(value: tuple[float, float] | None, decimals: int) -> str:
    return "-" if value is None else f"{value[0]:.{decimals}f} to {value[1]:.{decimals}f}"
