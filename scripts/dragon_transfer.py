"""`benchloom dragon transfer`: regions for a folder of images, from templates."""

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchloom.scripts.arguments import add_command, add_jobs, add_most, folder

if TYPE_CHECKING:
    from benchloom.builders.dragon.templates import Template
    from benchloom.builders.dragon.transfers import Transfer

EXAMPLE = """\
benchloom dragon transfer --source mapwise --images MapWise/usa/images \\
    --template templates.json#usa --template templates.json#usa_hatched \\
    --out work/regions.jsonl --overlay work/overlays

A template file is our JSON, or what Label Studio, COCO, labelme or Pascal VOC write. Boxes in
REGIONS.jsonl are rounded to 0.01 px, scores to 0.0001; a line is
  {source, file_name, sha256, width, height, method, status, template_id, ..., regions}
with status placed, flagged (boxes were only scaled: draw them anew) or unreadable.

exit status: 0 good, 1 images that cannot be decoded, 2 input that cannot be used"""


def add_parser(commands: Any) -> None:
    """Adds the command."""
    parser = add_command(
        commands, "transfer", "Transfer the regions of templates to a folder of images.", EXAMPLE
    )
    parser.add_argument("--source", metavar="S", required=True, help="the source, such as mapwise")
    parser.add_argument(
        "--images", metavar="FOLDER", type=folder, required=True, help="the images, in any depth"
    )
    parser.add_argument(
        "--template",
        metavar="FILE[#NAME]",
        action="append",
        required=True,
        help="a file of templates, or one template of it; give it again for more: each image gets "
        "its regions from the best",
    )
    parser.add_argument("--out", metavar="REGIONS.jsonl", type=Path, required=True, help="where to")
    parser.add_argument(
        "--method",
        choices=("auto", "paper"),
        default="auto",
        help="auto doubts what it finds; paper is the paper's recipe (default: auto)",
    )
    add_jobs(parser)
    parser.add_argument(
        "--overlay",
        metavar="FOLDER",
        type=folder,
        help="also draw each image with its boxes into this folder",
    )
    add_most(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Transfers, and returns 1 when an image cannot be decoded."""
    from benchloom.builders.dragon.folder_transfer import list_images, transfer_folder
    from benchloom.builders.dragon.sources import source
    from benchloom.builders.dragon.templates import find_repeated_labels
    from benchloom.builders.dragon.transfers import write_transfers
    from benchloom.builders.errors import InputError
    from benchloom.builders.progress import Progress
    from benchloom.builders.workers import checked_workers

    source(arguments.source)  # refuses one that is not known
    jobs = checked_workers(arguments.jobs)
    images = list_images(arguments.images)
    templates = _templates(arguments.template, arguments.images, images)
    for template, _ in templates:
        for remark in find_repeated_labels(template):
            print(f"note: {remark}", file=sys.stderr)
    _check_places(arguments)
    done = []
    with Progress(len(images), "images") as progress:
        for one in transfer_folder(
            arguments.source,
            arguments.images,
            images,
            templates,
            arguments.method,
            jobs,
            arguments.overlay,
        ):
            done.append(one)
            progress.reach(len(done))
    try:
        write_transfers(arguments.out, done)
    except OSError as error:
        raise InputError(f"--out {arguments.out}: cannot be written ({error.strerror})") from None
    return _report(done, arguments)


def _templates(
    words: Sequence[str], images_folder: Path, images: Sequence[str]
) -> "list[tuple[Template, Path]]":
    """Returns the templates that are asked for, with the paths of their images.

    One whose image is missing is named and left out, unless it is the only one.

    Raises:
        InputError: If one cannot be had, or two have one id.
    """
    from benchloom.builders.dragon.template_formats import read_templates
    from benchloom.builders.dragon.template_images import ImageFinder, MissingImageError
    from benchloom.builders.dragon.templates import check_ids
    from benchloom.builders.errors import InputError

    chosen: list[tuple[Template, Path]] = []
    missing: list[MissingImageError] = []
    for word in words:
        name, sign, wanted = word.rpartition("#")
        if not sign or Path(word).exists():
            name, wanted = word, ""
        finder = ImageFinder(Path(name), images_folder, images)
        remarks: list[str] = []
        found = read_templates(Path(name), finder, remarks)
        for remark in remarks:
            print(f"note: {remark}", file=sys.stderr)
        if wanted:
            known = ", ".join(one.id for one in found)
            found = [one for one in found if one.id == wanted]
            if not found:
                raise InputError(f"{name}: has no template {wanted!r}; choose from {known}")
        for one in found:
            try:
                chosen.append(finder.identify(one))
            except MissingImageError as error:
                missing.append(error)
    if missing and not chosen:
        raise missing[0]
    for one_missing in missing:
        print(f"note: {one_missing}; it is left out", file=sys.stderr)
    check_ids((template for template, _ in chosen), "--template")
    return chosen


def _check_places(arguments: argparse.Namespace) -> None:
    """Refuses outputs that cannot be, before work is done for them.

    Raises:
        InputError: If one of them cannot.
    """
    from benchloom.builders.errors import InputError

    if arguments.out.is_dir():
        raise InputError(f"--out {arguments.out}: is a folder; name a file in it")
    overlay = arguments.overlay
    if overlay is None:
        return
    if overlay.resolve().is_relative_to(arguments.images.resolve()):
        raise InputError(
            f"--overlay {overlay}: lies in the folder of images, where overlays would be taken for "
            "images; name another"
        )
    if overlay.exists() and not overlay.is_dir():
        raise InputError(f"--overlay {overlay}: is no folder")


def _report(done: "Sequence[Transfer]", arguments: argparse.Namespace) -> int:
    others = [one for one in done if one.status != "placed"]
    shown = others[: arguments.most or None]
    for one in shown:
        print(f"{one.status}: {one.file_name}: {one.reason}")
    if len(others) > len(shown):
        print(f"... and {len(others) - len(shown):,} more (--most 0 prints all)")
    counts = Counter(one.status for one in done)
    redraw = sum(region.needs_redraw for one in done for region in one.regions)
    regions = sum(len(one.regions) for one in done)
    print(
        f"{counts['placed']:,} of {len(done):,} images placed, {counts['flagged']:,} flagged, "
        f"{counts['unreadable']:,} unreadable; {redraw:,} of {regions:,} regions to be drawn anew; "
        f"{arguments.out}"
    )
    return 1 if counts["unreadable"] else 0
