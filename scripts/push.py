"""`benchloom push`: publishes a build as a version on the Hub."""

import argparse
import sys
from contextlib import suppress
from typing import Any

from benchloom.scripts.arguments import add_command, add_directory


def add_parser(commands: Any) -> None:
    """Adds the command."""
    parser = add_command(
        commands,
        "push",
        "Publish a build as a new version of a dataset on the Hub, or finish a push cut short.",
        "benchloom push data/vga org/vga --dry-run",
    )
    add_directory(parser)
    parser.add_argument("repo", metavar="ORG/NAME", help="the dataset; made when there is none")
    parser.add_argument(
        "--version", metavar="X.Y.Z", help="its version (default: the least that fits)"
    )
    parser.add_argument("--message", metavar="TEXT", help="what is new, for changelog and tag")
    parser.add_argument("--private", action="store_true", help="make a new dataset private")
    parser.add_argument(
        "--dry-run", action="store_true", help="print files, sizes and version, send nothing"
    )
    parser.add_argument(
        "--branch", metavar="B", default="main", help="another branch, without a tag"
    )
    parser.add_argument(
        "--include",
        metavar="GLOB",
        nargs="+",
        default=[],
        help="send files beside the build too, by path",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Pushes; status 1 when what stands there afterwards is not what was sent."""
    from huggingface_hub.utils import disable_progress_bars, logging

    from benchloom.loaders.hub.client import Hub
    from benchloom.loaders.hub.push import push

    logging.set_verbosity_error()  # what it cannot do is told in a sentence of ours
    if not sys.stderr.isatty():
        disable_progress_bars()
    try:
        faults = push(
            Hub(),
            arguments.directory,
            arguments.repo,
            version=arguments.version,
            message=arguments.message,
            private=arguments.private,
            dry_run=arguments.dry_run,
            branch=arguments.branch,
            include=arguments.include,
            say=_say,
        )
    except KeyboardInterrupt:
        raise KeyboardInterrupt(
            "interrupted; run the same command again to finish the push"
        ) from None
    for fault in faults:
        print(fault)
    return 1 if faults else 0


def _say(line: str) -> None:
    """Prints a line at once; that its reader has gone is no reason to leave a push half done."""
    with suppress(BrokenPipeError):
        print(line, flush=True)
