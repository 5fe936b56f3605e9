"""The command `benchloom`: sub-commands, and faults as sentences and exit statuses."""

import argparse
import sys
from collections.abc import Sequence

from benchloom.builders.errors import InputError
from benchloom.scripts import audit, bench, build, export, list_, preview, stats, verify

COMMANDS = (list_, build, verify, audit, preview, stats, export, bench)
GOOD, DIFFERENCES, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130

EPILOG = """\
example:
  benchloom build vga hard_iso --limit 500 --out data/vga
  python -c 'import datasets; print(datasets.load_dataset("data/vga", "hard_iso", split="test")[0])'

exit status: 0 good, 1 faults found in data, 2 input that cannot be used, 130 interrupted
"""


def parser() -> argparse.ArgumentParser:
    """Returns the parser of the whole command line."""
    top = argparse.ArgumentParser(
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
    arguments = parser().parse_args(words)
    try:
        return int(arguments.run(arguments))
    except InputError as error:
        print(f"benchloom: {error}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt as error:
        print(f"\nbenchloom: {str(error) or 'interrupted'}", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:  # the reader of our output has gone
        sys.stderr.close()
        return GOOD


def _version() -> str:
    from importlib.metadata import version

    return version("benchloom")


if __name__ == "__main__":
    sys.exit(main())
