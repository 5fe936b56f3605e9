"""`benchloom stats`: sizes, balance, and what rules that read nothing reach."""

import argparse
import json
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchloom.scripts.arguments import add_command, add_directory, add_json, aligned, folder

if TYPE_CHECKING:
    from benchloom.builders.statistics import Bound, Table


def add_parser(commands: Any) -> None:
    """Adds the command."""
    parser = add_command(
        commands,
        "stats",
        "Print sizes, balance of the answers, and how far trivial rules get.",
        "benchloom stats data/graphomni --plots data/graphomni-plots",
    )
    add_directory(parser)
    add_json(parser)
    parser.add_argument(
        "--plots", metavar="FOLDER", type=folder, help="also draw charts, as PNGs in this folder"
    )
    parser.add_argument(
        "--tokenizer",
        metavar="NAME",
        default="cl100k_base",
        help="encoding of tiktoken in which text queries are counted, or none "
        "(default: cl100k_base, GPT-4's)",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Prints the statistics, and returns 1 when a bound is broken."""
    from benchloom.loaders.checks_file import record_check, statistics_figures
    from benchloom.loaders.directory import Build
    from benchloom.loaders.tokenizers import NoTokenizerError, token_counter

    build = Build(arguments.directory)
    if arguments.plots is not None:
        _make_folder(arguments.plots)
    count_tokens, remarks = None, []
    if build.benchmark.is_text and arguments.tokenizer != "none":
        try:
            count_tokens = token_counter(arguments.tokenizer)
        except NoTokenizerError as error:
            remarks.append(str(error))
    statistics = build.benchmark.statistics(build, count_tokens)
    tables, bounds = statistics.tables(), statistics.bounds()
    if lost := record_check(arguments.directory, "stats", statistics_figures(tables, bounds)):
        print(lost, file=sys.stderr)
    if arguments.json:
        _print_json(tables, bounds, remarks)
    else:
        _print_words(tables, bounds, remarks)
    if arguments.plots is not None:
        drawn = _write_plots(statistics.charts(), arguments.plots)
        if not arguments.json:
            print(f"{drawn} charts in {arguments.plots}")
    return int(any(bound.state == "BROKEN" for bound in bounds))


def closing_lines(bounds: "Sequence[Bound]") -> list[str]:
    """Returns what a reader must know of the bounds: which are broken, or how many hold."""
    broken = [bound for bound in bounds if bound.state == "BROKEN"]
    kept = sum(bound.state == "holds" for bound in bounds)
    unchecked: dict[str, list[str]] = {}
    for bound in bounds:
        if bound.unchecked:
            places = unchecked.setdefault(bound.unchecked, [])
            places += [bound.where] if bound.where not in places else []
    lines = [f"not checked: {', '.join(places)} ({why})" for why, places in unchecked.items()]
    if unchecked:
        lines.insert(0, "bounds are promised of whole cells of the published set:")
    if broken:
        lines += [
            f"BROKEN: {bound.where}: {bound.rule}: {100 * bound.value:.2f}%, {bound.allowed} "
            "is allowed"
            for bound in broken
        ]
        lines.append(f"{len(broken)} of {len(broken) + kept} bounds are BROKEN")
    elif unchecked:
        count = sum(bool(bound.unchecked) for bound in bounds)
        lines.append(f"{kept} bounds hold, {count} were not checked")
    elif kept:
        lines.append(f"all {kept} bounds hold")
    return lines


def _print_words(
    tables: "Sequence[Table]", bounds: "Sequence[Bound]", remarks: Sequence[str]
) -> None:
    note = ""
    for table in tables:
        print(f"{table.title}\n")
        for line in aligned(table):
            print(line)
        if table.note not in ("", note):  # said once of several tables alike
            note = table.note
            print(f"\n{textwrap.fill(note, 100)}")
        print()
    for line in (*remarks, *closing_lines(bounds)):
        print(line)


def _print_json(
    tables: "Sequence[Table]", bounds: "Sequence[Bound]", remarks: Sequence[str]
) -> None:
    json.dump(
        {
            "tables": {
                table.name: [dict(zip(table.head, row, strict=True)) for row in table.rows]
                for table in tables
            },
            "bounds": [
                {
                    "where": bound.where,
                    "rule": bound.rule,
                    "value": bound.value,
                    "least": bound.least,
                    "most": bound.most,
                    "state": bound.state,
                    "unchecked": bound.unchecked,
                }
                for bound in bounds
            ],
            "remarks": list(remarks),
        },
        sys.stdout,
        indent=2,
        ensure_ascii=False,
    )
    print()


def _write_plots(charts: Sequence[Any], to: Path) -> int:
    """Writes charts into a folder and returns how many there are.

    Raises:
        InputError: If the folder cannot be written.
    """
    from benchloom.builders.errors import InputError
    from benchloom.builders.files import write_whole
    from benchloom.loaders.plots import plots

    drawn = plots(charts)
    try:
        for name, png in drawn.items():
            write_whole(to / f"{name}.png", png)
    except OSError as error:
        raise InputError(f"--plots {to}: cannot be written ({error.strerror})") from None
    return len(drawn)


def _make_folder(to: Path) -> None:
    """Makes a folder, before work is done for it.

    Raises:
        InputError: If it cannot be made.
    """
    from benchloom.builders.errors import InputError

    try:
        to.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"--plots {to}: cannot be written ({error.strerror})") from None
