"""`benchloom dragon check`: what a user's copy of a source holds, and what it lacks."""

import argparse
import json
from typing import Any

from benchloom.scripts.arguments import (
    add_command,
    add_json,
    add_most,
    folder,
    print_faults,
    print_table,
)


def add_parser(commands: Any) -> None:
    """Adds the command."""
    parser = add_command(
        commands,
        "check",
        "List what a copy of a source holds, and what is missing, damaged or left out.",
        "benchloom dragon check mapwise ~/data/mapwise-dataset",
    )
    parser.add_argument(
        "source",
        metavar="SOURCE",
        help="ai2d, chartqa, circuit_vqa, infographics_vqa, mapiq or mapwise",
    )
    parser.add_argument("folder", metavar="FOLDER", type=folder, help="the copy of the source")
    add_most(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Checks; status 1 when anything is listed."""
    from benchloom.builders.dragon.folder_check import check_folder
    from benchloom.builders.dragon.sources import source

    of = source(arguments.source)
    found = check_folder(of, arguments.folder, quiet=arguments.json)
    if arguments.json:
        print(json.dumps(found.to_json(of), indent=2, ensure_ascii=False))
        return 1 if found.faults else 0
    rows: list[list[Any]] = [
        [split.split, split.questions, split.images, split.regions] for split in found.splits
    ]
    rows.append(["in all", found.questions, found.images, sum(row[3] for row in rows)])
    rows.append(["paper", of.paper_questions, of.paper_images, ""])
    print(f"{of.title} in {found.root}\n")
    print_table((" ", "questions", "images", "native boxes"), rows)
    print()
    for note in found.notes:
        print(f"note: {note}")
    faults = [str(fault) for fault in found.faults]
    return print_faults(faults, "nothing is missing or damaged", arguments.most, False)
