"""`benchloom dragon review`: the local page on which people review evidence."""

import argparse
import sys
from typing import Any

from benchloom.scripts.arguments import add_command, folder, whole_number


def add_parser(commands: Any) -> None:
    """Adds the command."""
    parser = add_command(
        commands,
        "review",
        "Open the page on which an annotator reviews evidence; every change is saved at once.",
        "benchloom dragon review work --annotator anna",
    )
    parser.add_argument("work", metavar="WORK", type=folder, help="the working folder")
    parser.add_argument(
        "--annotator", metavar="NAME", required=True, help="whose decisions these are"
    )
    way = parser.add_mutually_exclusive_group()
    way.add_argument(
        "--arbitrate",
        dest="mode",
        action="store_const",
        const="arbitration",
        help="decide what annotators disagree about or flagged, with two of them side by side",
    )
    way.add_argument(
        "--marks",
        dest="mode",
        action="store_const",
        const="marks",
        help="the second pass: mark the selected regions for CVR and CEA",
    )
    parser.add_argument("--source", metavar="SOURCE", help="only the items of this source")
    parser.add_argument(
        "--port",
        metavar="N",
        type=whole_number(0),
        default=8750,
        help="0 takes a free one (default: 8750)",
    )
    parser.add_argument(
        "--host",
        metavar="ADDRESS",
        default="127.0.0.1",
        help="the address to answer on (default: 127.0.0.1, which only this machine reaches)",
    )
    parser.set_defaults(run=run, mode="review")


def run(arguments: argparse.Namespace) -> int:
    """Serves the page until it is interrupted."""
    from benchloom.builders.dragon.review.server import ReviewServer
    from benchloom.builders.dragon.review.session import ReviewSession
    from benchloom.builders.dragon.review_log import open_log, person
    from benchloom.builders.dragon.work import read_work

    work = read_work(arguments.work)
    with open_log(arguments.work, arguments.annotator) as writer:
        if writer.recovered is not None:
            print(
                f"note: a crash cut the last line of {writer.path} short; it is kept in "
                f"{writer.recovered}",
                file=sys.stderr,
            )
        others = [one for one in writer.log.people if one != person()]
        if others:
            print(
                f"note: {writer.path} also holds decisions by {', '.join(others)}; if that is "
                "another person, take another name",
                file=sys.stderr,
            )
        session = ReviewSession(
            work, arguments.work, writer, arguments.mode, source=arguments.source
        )
        for note in session.notes:
            print(f"note: {note}", file=sys.stderr)
        server = ReviewServer(session, arguments.host, arguments.port)
        if not server.is_local:
            print(
                "note: whoever reaches this address can read the pictures and decide in the name "
                f"of {arguments.annotator}",
                file=sys.stderr,
            )
        server.serve_until_interrupted(
            lambda: f"{session.done:,} of {len(session):,} items are done"
        )
    return 0
