"""`benchloom dragon export` and `import`: evidence to and from other annotation tools."""

import argparse
import os
import shlex
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from benchloom.scripts.arguments import add_command, add_most, folder, print_faults

FORMATS = ("label-studio", "coco", "voc")
SERVING = """\
to show them, start Label Studio with LABEL_STUDIO_LOCAL_FILES_SERVING_ENABLED=true and
LABEL_STUDIO_LOCAL_FILES_DOCUMENT_ROOT={root}, and give the project a local storage at
{storage}: Label Studio takes none that is the document root itself"""
EXPORT_EXAMPLE = """\
benchloom dragon export work tasks.json --format label-studio --interface interface.xml

Pictures are named by their paths in your copy of the source; with several sources, in the nearest
folder that holds all copies; of label-studio, in the folder above that. Label Studio serves them
from its document root:
  LABEL_STUDIO_LOCAL_FILES_SERVING_ENABLED=true \\
  LABEL_STUDIO_LOCAL_FILES_DOCUMENT_ROOT="the folder above" label-studio start
with a local storage (Settings, Cloud Storage) in the project at the folder itself.
Pascal VOC has no place for labels, ids, flags and notes."""
IMPORT_EXAMPLE = """\
benchloom dragon import work tasks.json --format label-studio --annotator anna

Evidence is upright rectangles. A task or picture with any other shape is named and left out as a
whole, so that no part of a review is lost. What leaves its picture is cut, and named.

exit status: 0 good, 1 parts were left out, 2 input that cannot be used"""


def add_parser(commands: Any) -> None:
    """Adds both commands."""
    export = add_command(
        commands,
        "export",
        "Write proposals and reviews for Label Studio, or as COCO or Pascal VOC.",
        EXPORT_EXAMPLE,
    )
    _add_arguments(export, "the file to write; of voc, a new folder")
    export.add_argument(
        "--annotator",
        metavar="NAME",
        help="write the reviews of this annotator (default: the proposals; of label-studio, the "
        "proposals with the reviews of all)",
    )
    export.add_argument(
        "--interface",
        metavar="FILE",
        type=Path,
        help="of label-studio: write the labelling interface, too",
    )
    export.set_defaults(run=run_export)
    take = add_command(
        commands,
        "import",
        "Enter what an annotator did in another tool into their log.",
        IMPORT_EXAMPLE,
    )
    _add_arguments(take, "the file to read; of voc, the folder")
    take.add_argument("--annotator", metavar="NAME", required=True, help="whose reviews they are")
    take.add_argument(
        "--from-user",
        metavar="NAME",
        help="of label-studio: take the annotations of this user alone (default: the only one of a "
        "task, whoever made it; of several, the annotator's)",
    )
    take.add_argument(
        "--independent",
        action="store_true",
        help="enter what is, box by box, another annotator's, too: two people did it on their own",
    )
    add_most(take)
    take.set_defaults(run=run_import)


def _add_arguments(to: argparse.ArgumentParser, what: str) -> None:
    to.add_argument("work", metavar="WORK", type=folder, help="the working folder")
    to.add_argument("file", metavar="FILE", type=folder, help=what)
    to.add_argument("--format", choices=FORMATS, required=True, help="what the file is")


def run_export(arguments: argparse.Namespace) -> int:
    """Writes the file."""
    from benchloom.builders.dragon.exchange import name_pictures
    from benchloom.builders.dragon.exchange_formats import FORMATS as CONVERTERS
    from benchloom.builders.dragon.exchange_label_studio import INTERFACE
    from benchloom.builders.dragon.review_log import read_logs
    from benchloom.builders.dragon.sources.texts import count
    from benchloom.builders.dragon.work import read_work
    from benchloom.builders.errors import InputError
    from benchloom.builders.files import write_whole

    work, logs = read_work(arguments.work), read_logs(arguments.work)
    root, names = name_pictures(work)
    storage = root
    if storage is not None and arguments.format == "label-studio":
        root = storage.parent  # a storage must lie below the document root
        names = {item: os.path.join(storage.name, path) for item, path in names.items()}
    write, _ = CONVERTERS[arguments.format]
    try:
        written = write(work.items, logs, arguments.annotator, arguments.file, names)
        if arguments.interface is not None:
            write_whole(arguments.interface, INTERFACE)
    except OSError as error:
        raise InputError(f"{error.filename} cannot be written: {error.strerror}") from None
    print(f"{written:,} items written to {arguments.file}")
    if root is not None:
        print(f"pictures are named from {root}")
        if arguments.format == "label-studio":
            print(SERVING.format(root=shlex.quote(str(root)), storage=storage))
    if arguments.format == "voc" and arguments.annotator is not None:
        reviews = {log.annotator: log for log in logs}[arguments.annotator].last("review")
        if lost := sum(reviews[one.id].ambiguous for one in work.items if one.id in reviews):
            print(
                f"note: {count(lost, 'item')} flagged as ambiguous: Pascal VOC has no place for "
                "flags and notes, and one that is imported is not flagged",
                file=sys.stderr,
            )
    return 0


def run_import(arguments: argparse.Namespace) -> int:
    """Reads the file; status 1 when a part of it was left out."""
    from benchloom.builders.dragon.exchange import record_answers
    from benchloom.builders.dragon.exchange_formats import FORMATS as CONVERTERS
    from benchloom.builders.dragon.review_log import open_log, read_logs
    from benchloom.builders.dragon.work import read_work
    from benchloom.builders.errors import InputError

    items = read_work(arguments.work).items
    _, read = CONVERTERS[arguments.format]
    user = arguments.from_user
    if user is None:
        answers, faults = read(arguments.file, items, arguments.annotator)
    elif arguments.format == "label-studio":
        from benchloom.builders.dragon import exchange_label_studio

        answers, faults = exchange_label_studio.read(
            arguments.file, items, arguments.annotator, user
        )
    else:
        raise InputError(f"--from-user is for label-studio; {arguments.format} names no users")
    if arguments.format == "coco" and not arguments.independent:
        for name in dict.fromkeys(one.user for one in answers):
            if name not in ("", arguments.annotator):
                raise InputError(
                    f"{arguments.file} holds the reviews of {name}: import it with --annotator "
                    f"{name}, or add --independent if {arguments.annotator} has reviewed all anew"
                )
    with open_log(arguments.work, arguments.annotator) as writer:
        if writer.recovered is not None:
            print(
                f"note: a crash cut the last line of {writer.path} short; it is kept in "
                f"{writer.recovered}",
                file=sys.stderr,
            )
        logs = read_logs(arguments.work)
        imported = record_answers(writer, answers, faults, logs, arguments.independent)
    users = Counter(one.user for one in answers if one.item.id in imported.edits)
    if others := sorted(name for name in users if name not in ("", user, arguments.annotator)):
        told = ", ".join(f"{users[name]:,} by {name}" for name in others)
        print(f"note: taken as {arguments.annotator}'s: {told}", file=sys.stderr)
    boxes = {
        name: sum(len(getattr(edits, name)) for edits in imported.edits.values())
        for name in ("kept", "edited", "added", "removed")
    }
    entered = len(imported.edits) - len(imported.again)
    print(f"{entered:,} items entered as reviews of {arguments.annotator}")
    if imported.again:
        told = "was entered before and says the same: left as it is"
        if len(imported.again) > 1:
            told = "were entered before and say the same: left as they are"
        print(f"{len(imported.again):,} {told}")
    shown = imported.remarks[: arguments.most or None]
    for remark in shown:
        print(f"note: {remark}", file=sys.stderr)
    if more := len(imported.remarks) - len(shown):
        print(f"note: ... and {more:,} more (--most 0 prints all)", file=sys.stderr)
    print("boxes: " + ", ".join(f"{number:,} {name}" for name, number in boxes.items()))
    return print_faults(imported.faults, "nothing was left out", arguments.most, False)
