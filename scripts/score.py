"""`benchloom score`: answers of models judged, and what they tell."""

import argparse
import importlib
import json
import re
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from benchloom.builders.benchmark import benchmarks
from benchloom.builders.errors import InputError
from benchloom.builders.statistics import Table
from benchloom.loaders.scores.printable import printable
from benchloom.loaders.scores.result import REPORT, SCORES, VERDICTS, Result
from benchloom.scripts.arguments import (
    Parser,
    add_command,
    add_json,
    add_options,
    aligned,
    folder,
    given_options,
)

EXAMPLE = "benchloom score graphomni gpt.jsonl llama.jsonl --data data/graphomni --out scores"
FILES = (SCORES, VERDICTS, REPORT)
"""What --out holds in the end."""
STAGE = r"\.scores-\d+\.part"
"""What a command that was killed may have left there."""
GRADERS = ("strict", "lenient")
"""The graders of a benchmark that does not name its own."""
CELL = 50
"""Characters of a text in a table."""


class _LateParser(Parser):
    """A parser of one benchmark's scores, which gets its arguments when they are first needed.

    The options stand in modules that would make every other command start late.
    """

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Adds the arguments and parses them."""
        _add_arguments(self, self.prog.rpartition(" ")[2])
        return super().parse_known_args(args, namespace)


def add_parser(commands: Any) -> None:
    """Adds the command, with a sub-command for each benchmark."""
    parser = add_command(
        commands, "score", "Judge answers of models and print what they tell.", EXAMPLE
    )
    names = parser.add_subparsers(
        title="benchmarks", metavar="BENCHMARK", required=True, parser_class=_LateParser
    )
    for name, of in benchmarks().items():
        add_command(
            names,
            name,
            f"Judge answers to {of.title} and print what they tell.",
            f"benchloom score {name} answers.jsonl --data data/{name} --out scores",
        )


def _add_arguments(parser: argparse.ArgumentParser, name: str) -> None:
    module = _module(name)
    graders = getattr(module, "GRADERS", GRADERS)
    parser.add_argument(
        "predictions",
        metavar="PREDICTIONS",
        nargs="+",
        type=Path,
        help="files of answers: JSONL, CSV or parquet with id, response and perhaps model, which "
        "is otherwise called like its file",
    )
    parser.add_argument(
        "--data",
        metavar="WHERE",
        required=True,
        help="what is right: the directory of a build, org/name[@revision] on the Hub, or a JSONL "
        "of your own",
    )
    parser.add_argument(
        "--config", metavar="C", help="only this config (default: what is answered)"
    )
    parser.add_argument("--split", metavar="S", help="only this split (default: what is answered)")
    parser.add_argument(
        "--grader",
        choices=graders,
        default="lenient",
        help="strict: a final claim in an accepted form; lenient: the last claim in free text "
        "(default)" + ("; reference: as the published evaluator" if "reference" in graders else ""),
    )
    parser.add_argument(
        "--out",
        metavar="FOLDER",
        type=folder,
        help=f"also write {', '.join(FILES)} into this folder",
    )
    parser.add_argument(
        "--answered-only",
        action="store_true",
        help="only records that every model answered (default: a missing answer is wrong)",
    )
    parser.add_argument("--all-tables", action="store_true", help="print the report's tables, too")
    add_options(parser, module.OPTIONS)
    add_json(parser)
    parser.set_defaults(run=run, benchmark=name)


def run(arguments: argparse.Namespace) -> int:
    """Scores, writes the files and prints tables and sentences.

    Raises:
        InputError: If predictions, references or options cannot be used, or --out holds other
            files.
    """
    from benchloom.loaders.scores.predictions import read_predictions

    module = _module(arguments.benchmark)
    if arguments.out is not None:
        _check_out(arguments.out)
    result: Result = module.score(
        read_predictions(arguments.predictions),
        arguments.data,
        config=arguments.config,
        split=arguments.split,
        grader=arguments.grader,
        answered_only=arguments.answered_only,
        **given_options(arguments, module.OPTIONS),
    )
    if arguments.out is not None:
        result.write(arguments.out)
    for remark in result.remarks:
        print(f"benchloom: {printable(remark, None)}", file=sys.stderr)
    if arguments.json:
        print(result.to_json().rstrip("\n"))
    else:
        _print_words(result, arguments.all_tables, arguments.out)
    return 0


def _module(name: str) -> ModuleType:
    """Returns the module that scores a benchmark.

    Raises:
        InputError: If there is none.
    """
    module = f"benchloom.loaders.scores.{name}"
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module:
            raise
        raise InputError(f"answers to {name} cannot be scored") from None


def _check_out(out: Path) -> None:
    """Refuses a folder that holds anything but earlier scores, before work is done for it.

    Raises:
        InputError: If it does, or is no folder.
    """
    if not out.exists():
        return
    if not out.is_dir():
        raise InputError(f"--out {out} is a file; name a folder")
    try:
        names = sorted(path.name for path in out.iterdir())
    except OSError as error:
        raise InputError(f"--out {out} cannot be read: {error.strerror}") from None
    there = [name for name in names if not re.fullmatch(STAGE, name)]
    others = [name for name in there if name not in FILES]
    if there and (others or not _holds_scores(out / SCORES)):
        raise InputError(
            f"--out {out} holds {printable((others or there)[0])}, which is not of earlier scores; "
            "name another folder"
        )


def _holds_scores(file: Path) -> bool:
    try:
        scores = json.loads(file.read_bytes())
    except (OSError, ValueError):
        return False
    return isinstance(scores, dict) and "grader_version" in scores


def _print_words(result: Result, all_tables: bool, out: Path | None) -> None:
    tables = [
        table for place, table in enumerate(result.tables) if all_tables or _is_main(place, table)
    ]
    for table in tables:
        shown = Table(
            table.name,
            table.title,
            tuple(_cell(name) for name in table.head),
            [[_cell(value) for value in row] for row in table.rows],
        )
        print(f"{printable(table.title, None)}\n")
        for line in aligned(shown):
            print(line)
        if table.note:
            print(f"\n{_filled(table.note)}")
        print()
    for sentence in result.sentences:
        print(_filled(sentence))
    print(f"grader: {result.grader} {result.grader_version}")
    if rest := len(result.tables) - len(tables):
        where = f"{out / REPORT}" if out else "the report (--out FOLDER)"
        tables_are = "table is" if rest == 1 else "tables are"
        print(f"{rest} more {tables_are} in {where}; --all-tables prints all")
    if out is not None:
        print(f"{', '.join(FILES)} are in {out}")


def _is_main(place: int, table: Table) -> bool:
    """Tells whether a table is printed when not all are asked for."""
    return place == 0 or table.on_card or table.name == "comparison"


def _cell(value: Any) -> Any:
    """Returns a value of a table, a text short and harmless."""
    return printable(value, CELL) if isinstance(value, str) else value


def _filled(text: str) -> str:
    return textwrap.fill(printable(text, None), 100)
