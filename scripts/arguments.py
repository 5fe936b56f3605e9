"""Arguments that several commands share, and how they print tables."""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from benchloom.builders.benchmark import Option
    from benchloom.builders.statistics import Table

BAD_INPUT = 2
"""The exit status where input cannot be used."""


class Parser(argparse.ArgumentParser):
    """A parser whose faults are one sentence."""

    def error(self, message: str) -> NoReturn:
        """Prints what is wrong with the command line, and ends."""
        self.exit(BAD_INPUT, f"benchloom: {message}; see {self.prog} --help\n")


def add_command(
    commands: Any, name: str, summary: str, example: str, **options: Any
) -> argparse.ArgumentParser:
    """Returns the parser of a new command whose help ends with an example."""
    added: argparse.ArgumentParser = commands.add_parser(
        name,
        help=summary[0].lower() + summary[1:].rstrip("."),
        description=summary,
        epilog=f"example:\n  {example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        **options,
    )
    return added


def whole_number(least: int) -> Any:
    """Returns a converter of words to whole numbers from `least` up, for argparse."""

    def convert(word: str) -> int:
        try:
            number = int(word)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{word!r} is no whole number") from None
        if number < least:
            raise argparse.ArgumentTypeError(
                f"it must be a whole number from {least} up, not {number}"
            )
        return number

    return convert


def folder(word: str) -> Path:
    """Returns a path; for argparse, which would take no name for this folder."""
    if not word:
        raise argparse.ArgumentTypeError("it names no folder")
    return Path(word)


def add_options(to: argparse.ArgumentParser, options: "Sequence[Option]") -> None:
    """Adds options that one benchmark alone has."""
    for option in options:
        word = f"--{option.name.replace('_', '-')}"
        if option.kind is bool:
            to.add_argument(word, action="store_const", const=True, help=option.help)
        else:
            to.add_argument(
                word,
                metavar=option.metavar,
                nargs="+" if option.many else None,
                type=folder if option.kind is Path else option.kind,
                help=option.help,
            )


def given_options(arguments: argparse.Namespace, options: "Sequence[Option]") -> dict[str, Any]:
    """Returns the values of such options by name, of those that were given."""
    values = {option.name: getattr(arguments, option.name) for option in options}
    return {name: value for name, value in values.items() if value is not None}


def add_directory(to: argparse.ArgumentParser) -> None:
    """Adds the argument DIR, the directory of a finished build."""
    to.add_argument("directory", metavar="DIR", type=folder, help="the directory of a build")


def add_images(to: argparse.ArgumentParser) -> None:
    """Adds the option --images, for builds that hold none."""
    to.add_argument(
        "--images",
        metavar="WHERE",
        nargs="+",
        help="for DRAGON, which holds none: SOURCE=FOLDER for each of your copies, or the working "
        "folder that names them",
    )


def add_jobs(to: argparse.ArgumentParser) -> None:
    """Adds the option --jobs."""
    to.add_argument(
        "--jobs",
        metavar="N",
        type=whole_number(1),
        help="number of processes (default: one a processor)",
    )


def add_json(to: argparse.ArgumentParser) -> None:
    """Adds the option --json."""
    to.add_argument("--json", action="store_true", help="print JSON, for scripts")


def aligned(table: "Table") -> list[str]:
    """Returns a table's lines: numbers to the right, words to the left."""
    texts = [list(table.head), *table.texts()]
    widths = [max(len(row[i]) for row in texts) for i in range(len(table.head))]
    to_right = [
        any(not isinstance(row[i], str | None) for row in table.rows)
        for i in range(len(table.head))
    ]
    lines = [
        "  ".join(
            text.rjust(width) if right else text.ljust(width)
            for text, width, right in zip(row, widths, to_right, strict=True)
        ).rstrip()
        for row in texts
    ]
    return [lines[0], "  ".join("-" * width for width in widths), *lines[1:]]


def print_table(head: Sequence[str], rows: Sequence[Sequence[Any]], as_json: bool = False) -> None:
    """Prints rows under a head: aligned for people, or as a JSON list of objects."""
    if as_json:
        json.dump(
            [dict(zip(head, row, strict=True)) for row in rows],
            sys.stdout,
            indent=2,
            ensure_ascii=False,
        )
        print()
        return
    cells = [[str(name) for name in head], *[[_text(value) for value in row] for row in rows]]
    widths = [max(len(row[i]) for row in cells) for i in range(len(head))]
    right = [
        bool(rows) and all(isinstance(row[i], int | float) for row in rows)
        for i in range(len(head))
    ]
    for number, row in enumerate(cells):
        line = "  ".join(
            cell.rjust(width) if to_right else cell.ljust(width)
            for cell, width, to_right in zip(row, widths, right, strict=True)
        )
        print(line.rstrip())
        if number == 0:
            print("  ".join("-" * width for width in widths))


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def add_sample(to: argparse.ArgumentParser, default: int | None) -> None:
    """Adds the options --sample N and --all, one of which may be given."""
    choice = to.add_mutually_exclusive_group()
    choice.add_argument(
        "--sample",
        metavar="N",
        type=whole_number(1),
        default=default,
        help=f"look at N records of each split (default: {default or 'all'})",
    )
    choice.add_argument(
        "--all", dest="sample", action="store_const", const=None, help="look at every record"
    )


def add_most(to: argparse.ArgumentParser) -> None:
    """Adds the option --most."""
    to.add_argument(
        "--most",
        metavar="N",
        type=whole_number(0),
        default=50,
        help="print at most N faults, 0 for all (default: 50)",
    )


def print_faults(faults: Sequence[str], good: str, most: int, as_json: bool) -> int:
    """Prints faults, or the good news, and returns the exit status."""
    if as_json:
        print(json.dumps(list(faults), indent=2, ensure_ascii=False))
        return 1 if faults else 0
    shown = faults[: most or None]
    for fault in shown:
        print(fault)
    if len(faults) > len(shown):
        print(f"... and {len(faults) - len(shown):,} more (--most 0 prints all)")
    noun = "fault" if len(faults) == 1 else "faults"
    print(f"{len(faults):,} {noun} found" if faults else good)
    return 1 if faults else 0
