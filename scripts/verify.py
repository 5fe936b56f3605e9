"""`benchloom verify`: makes records again from the manifest's recipe and compares them."""

import argparse
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from benchloom.scripts.arguments import (
    add_command,
    add_jobs,
    add_json,
    add_most,
    add_sample,
    folder,
)

_REPO = re.compile(r"[\w-][\w.-]*/[\w.-]+", re.ASCII)


def add_parser(commands: Any) -> None:
    """Adds the command."""
    parser = add_command(
        commands,
        "verify",
        "Make records again from the recipe of a build and compare every column and every pixel.",
        "benchloom verify data/vga --sample 200",
    )
    parser.add_argument(
        "what", metavar="DIR|ORG/NAME", help="the directory of a build, or a dataset on the Hub"
    )
    parser.add_argument(
        "--revision", metavar="TAG", help="of a dataset on the Hub: v1.0.0, say (default: main)"
    )
    parser.add_argument(
        "--to",
        metavar="FOLDER",
        type=folder,
        help="keep the files that are fetched in a new folder (default: a temporary one)",
    )
    add_sample(parser, 100)
    parser.add_argument(
        "--from",
        dest="source",
        metavar="FOLDER",
        type=folder,
        help="the folder that the build was made from, if it was made from one",
    )
    add_most(parser)
    add_jobs(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Verifies; status 1 when anything differs."""
    from benchloom.builders.errors import InputError
    from benchloom.scripts.arguments import print_faults

    counts: Counter[str] = Counter()
    if not arguments.what:
        raise InputError("name the directory of a build, or org/name")
    if Path(arguments.what).exists() or not _REPO.fullmatch(arguments.what):
        faults = _verify_directory(arguments, counts)
    else:
        faults = _verify_release(arguments, counts)
    done = f"{counts['planned']:,} records as planned, {counts['records']:,} of them made again"
    if counts["without_folder"]:
        done = (
            f"{counts['records']:,} records held against their digests (--from FOLDER makes them "
            "again)"
        )
    return print_faults(
        faults,
        f"{done} and equal, {counts['shards']:,} shards as built",
        arguments.most,
        arguments.json,
    )


def _verify_directory(arguments: argparse.Namespace, counts: Counter[str]) -> list[str]:
    from benchloom.builders.errors import InputError
    from benchloom.cards.rendering import LOCAL_VERSION, text_faults
    from benchloom.loaders.checks_file import record_check
    from benchloom.loaders.directory import Build
    from benchloom.loaders.hub.content import stated_faults
    from benchloom.loaders.verification import verify

    for name in ("revision", "to"):
        if getattr(arguments, name) is not None:
            raise InputError(f"--{name} is for a dataset on the Hub; {arguments.what} is a folder")
    build = Build(Path(arguments.what))
    faults = verify(build, arguments.sample, arguments.jobs, counts, arguments.source)
    faults += stated_faults(build)
    if build.manifest.version == LOCAL_VERSION:  # a release may be of other templates
        faults += text_faults(build)
    if counts["without_folder"]:
        return faults  # nothing was made again, so there is nothing for the card
    figures = {"records": counts["records"], "faults": len(faults)}
    if lost := record_check(build.directory, "verify", figures):
        print(lost, file=sys.stderr)
    return faults


def _verify_release(arguments: argparse.Namespace, counts: Counter[str]) -> list[str]:
    from benchloom.loaders.hub.client import Hub
    from benchloom.loaders.hub.verification import verify_release

    return verify_release(
        Hub(),
        arguments.what,
        arguments.revision or "main",
        arguments.sample,
        arguments.jobs,
        counts,
        to=arguments.to,
        source=arguments.source,
        say=lambda line: print(line, file=sys.stderr, flush=True),
    )
