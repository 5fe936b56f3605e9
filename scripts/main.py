"""The command `benchloom`: sub-commands, and faults as sentences and exit statuses."""

import argparse
import os
import sys
from collections.abc import Sequence

from benchloom.builders.errors import InputError
from benchloom.scripts import (
    audit,
    bench,
    build,
    card,
    diff,
    dragon,
    export,
    list_,
    preview,
    push,
    score,
    show,
    stats,
    verify,
)
from benchloom.scripts.arguments import BAD_INPUT, Parser

COMMANDS = (
    list_,
    build,
    verify,
    audit,
    show,
    preview,
    stats,
    card,
    diff,
    push,
    export,
    bench,
    score,
    dragon,
)
GOOD, DIFFERENCES, INTERRUPTED = 0, 1, 130

EPILOG = """\
example:
  benchloom build vga hard_iso --limit 500 --out data/vga
  python -c 'import datasets; print(datasets.load_dataset("data/vga", "hard_iso", split="test")[0])'

exit status: 0 good, 1 faults found in data, 2 input that cannot be used, 130 interrupted
"""


def parser() -> argparse.ArgumentParser:
    """Returns the parser of the whole command line."""
    top = Parser(
        prog="benchloom",
        description="Builds, checks and shows benchmarks of graph and diagram reasoning.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"%(prog)s {_version()}")
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in COMMANDS:
        command.add_parser(commands)
    return top


def main(words: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit status."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by the caller
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115
    try:
        arguments = parser().parse_args(words)
        status = int(arguments.run(arguments))
        sys.stdout.flush()
    except InputError as error:
        print(f"benchloom: {error}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt as error:
        start = "\n" if sys.stderr.isatty() else ""
        print(f"{start}benchloom: {str(error) or 'interrupted'}", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:  # the reader of our output has gone
        return _give_up_output(GOOD)
    except OSError as error:
        if error.filename is not None:
            raise
        print(f"benchloom: the output cannot be written: {error.strerror}", file=sys.stderr)
        return _give_up_output(BAD_INPUT)
    return status


def _give_up_output(status: int) -> int:
    """Returns a status after seeing to it that Python does not try to write what is left."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return status


def _version() -> str:
    from importlib.metadata import version

    return version("benchloom")


if __name__ == "__main__":
    sys.exit(main())
