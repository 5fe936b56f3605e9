"""`benchloom diff`: what differs between two builds or releases."""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from benchloom.scripts.arguments import add_command, add_json, print_table, whole_number

if TYPE_CHECKING:
    from benchloom.loaders.hub.differences import Differences, SplitDifferences

KINDS = ("added", "removed", "changed", "moved")


def add_parser(commands: Any) -> None:
    """Adds the command."""
    parser = add_command(
        commands,
        "diff",
        "Show which records two builds or releases do not share.",
        "benchloom diff org/vga@v1.0.0 data/vga",
    )
    for name, metavar, what in (("before", "A", "the old side"), ("after", "B", "the new side")):
        parser.add_argument(
            name,
            metavar=metavar,
            help=f"{what}: the directory of a build, or org/name[@revision] on the Hub",
        )
    parser.add_argument(
        "--most",
        metavar="N",
        type=whole_number(0),
        default=5,
        help="name at most N records of each kind in each split, 0 for all (default: 5)",
    )
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Compares; status 1 when anything differs."""
    from benchloom.loaders.hub.differences import (
        changed_columns,
        compare,
        declaration_faults,
        explain,
        least_bump,
    )
    from benchloom.loaders.hub.release import open_release

    before, after = open_release(arguments.before), open_release(arguments.after)
    differences = compare(before, after)
    declared = [*declaration_faults(before), *declaration_faults(after)]
    recipe = before.manifest.recipe.differences(after.manifest.recipe)
    most = arguments.most or None
    columns = {
        (split.config, split.split): changed_columns(before, after, split, most)
        for split in differences.splits
    }
    least = least_bump(differences)
    if arguments.json:
        value = {
            "before": before.where,
            "after": after.where,
            "least_bump": least.name,
            "recipe": recipe,
            "splits": [
                _as_json(split, columns[split.config, split.split], most)
                for split in differences.splits
            ],
            "files": list(differences.files),
            "declarations": declared,
        }
        json.dump(value, sys.stdout, indent=2, ensure_ascii=False)
        print()
        return 1 if differences or recipe else 0
    rows = [
        (split.config, split.split, *_sizes(split), *(len(getattr(split, kind)) for kind in KINDS))
        for split in differences.splits
    ]
    print_table(("config", "split", "before", "after", *KINDS), rows)
    for line in _details(differences, columns, most):
        print(line)
    if recipe:
        print(f"recipe ({before.where} there, {after.where} here): {'; '.join(recipe)}")
    for line in declared:
        print(line)
    bump = f"; the version's {least.name} number must rise" if least else ""
    print(f"{explain(differences)}{bump}")
    return 1 if differences or recipe else 0


def _sizes(split: "SplitDifferences") -> tuple[int | str, int | str]:
    return (
        "-" if split.before is None else split.before,
        "-" if split.after is None else split.after,
    )


def _details(
    differences: "Differences",
    columns: Mapping[tuple[str, str], Mapping[str, Sequence[str]]],
    most: int | None,
) -> Iterator[str]:
    """Yields a line for each kind of difference in each split, with the first records' ids."""
    for split in differences.splits:
        where = f"{split.config} {split.split}"
        for words in ("added", "removed", "redeclared"):
            if names := getattr(split, f"columns_{words}"):
                yield f"{where}: columns {words}: {', '.join(names)}"
        differ = columns[split.config, split.split]
        for kind in KINDS:
            if names := getattr(split, kind):
                if kind == "changed":
                    names = [
                        f"{name} ({', '.join(differ[name])})" if name in differ else name
                        for name in names
                    ]
                yield f"{where}: {kind}: {_first(names, most)}"
    if differences.files:
        yield f"other bytes: {_first(differences.files, most)}"


def _first(names: Sequence[str], most: int | None) -> str:
    more = len(names) - len(names[:most])
    return ", ".join(names[:most]) + (f" and {more:,} more" if more else "")


def _as_json(
    split: "SplitDifferences", columns: Mapping[str, Sequence[str]], most: int | None
) -> dict[str, Any]:
    """Returns the differences of a split as JSON values; of each kind the number and first ids."""
    value: dict[str, Any] = {
        "config": split.config,
        "split": split.split,
        "before": split.before,
        "after": split.after,
    }
    for kind in KINDS:
        names = getattr(split, kind)
        value[kind] = {"count": len(names), "ids": list(names[:most])}
    value["changed"]["columns"] = {name: list(differ) for name, differ in columns.items()}
    for words in ("added", "removed", "redeclared"):
        value[f"columns_{words}"] = list(getattr(split, f"columns_{words}"))
    return value
