"""`benchloom dragon template`: the local page on which a person draws a template."""

import argparse
from pathlib import Path
from typing import Any

from benchloom.scripts.arguments import add_command, whole_number

EXAMPLE = """\
benchloom dragon template MapWise/usa/images/map_1.png --out templates.json --name usa

Regions get a label, aliases and an anchor (map, page or none); a polygon around the map may be
drawn as the mask. Every change is saved at once. The same command goes on with a template; other
templates of the file stay as they are. The file holds boxes and what identifies the image, never
the image, and is what `benchloom dragon transfer --template` takes."""


def add_parser(commands: Any) -> None:
    """Adds the command."""
    parser = add_command(
        commands,
        "template",
        "Open the page on which a template is drawn: the regions of one image.",
        EXAMPLE,
    )
    parser.add_argument("image", metavar="IMAGE", type=Path, help="the image to draw on")
    parser.add_argument(
        "--out", metavar="FILE", type=Path, required=True, help="the file of templates, JSON"
    )
    parser.add_argument(
        "--name",
        metavar="NAME",
        help="what the template is called (default: that of FILE on this image, else the image's "
        "name)",
    )
    parser.add_argument(
        "--port",
        metavar="N",
        type=whole_number(0),
        default=8751,
        help="0 takes a free one (default: 8751)",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Serves the page until it is interrupted."""
    from benchloom.builders.dragon.review.server import ReviewServer
    from benchloom.builders.dragon.review.template_session import TemplateSession
    from benchloom.builders.dragon.template_file import open_file

    with open_file(arguments.out) as file:
        session = TemplateSession(arguments.image, file, arguments.name)
        server = ReviewServer(session, "127.0.0.1", arguments.port)
        server.serve_until_interrupted(session.progress)
    return 0
