"""Connected graphs of other sizes, from nauty's geng (appendix B of the VGA paper)."""

import shutil
import subprocess

import numpy as np

from benchloom.builders.errors import InputError
from benchloom.builders.graphs import graph6
from benchloom.builders.graphs.catalogue import GraphTable, facts_of, table_of

CONNECTED_COUNTS = (0, 1, 1, 2, 6, 21, 112, 853, 11_117, 261_080, 11_716_571, 1_006_700_565)
"""Number of connected graphs on 0 to 11 nodes, up to isomorphism."""

LARGEST = len(CONNECTED_COUNTS) - 1
SLICE_SIZE = 4_000
"""About how many graphs are in one slice."""


def geng_path() -> str:
    """Returns the path of nauty's geng, which Debian calls `nauty-geng`.

    Raises:
        InputError: If neither name is found; the message says how to install it.
    """
    for name in ("nauty-geng", "geng"):
        path = shutil.which(name)
        if path:
            return path
    raise InputError(
        "nauty's geng is not found; install Debian's or Ubuntu's package nauty (apt-get install "
        "nauty), conda-forge's or Homebrew's package nauty"
    )


def count_parts(n: int) -> int:
    """Returns into how many slices the connected graphs on n nodes are cut; some 4,000 are in each.

    Raises:
        InputError: If n is not in 1..11.
    """
    _check_size(n)
    return max(1, round(CONNECTED_COUNTS[n] / SLICE_SIZE))


def stream(n: int, part: int, parts: int) -> list[str]:
    """Returns the graph6 lines of one slice of the connected graphs on n nodes.

    Nodes are numbered as nauty's canonical labelling has them, so that equal lines and isomorphic
    graphs are the same thing. The slices 0..parts-1 together hold each isomorphism class once; a
    slice holds graphs with few and with many edges.

    Args:
        n: Number of nodes, 1..11.
        part: Number of the slice, 0..parts-1.
        parts: How many slices there are.

    Raises:
        InputError: If n is not in 1..11, or geng is not found or fails.
        ValueError: If part is not in 0..parts-1.
    """
    _check_size(n)
    if not 0 <= part < parts:
        raise ValueError(f"slice {part} is not one of 0..{parts - 1}")
    # -X2 cuts the search two levels deeper, which makes slices of nearly equal size; without it
    # most of them are empty and one has a hundred thousand graphs.
    command = [geng_path(), "-c", "-l", "-q", "-X2", str(n), f"{part}/{parts}"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        raise InputError(f"{command[0]} cannot be run ({error.strerror}); install nauty") from error
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise InputError(
            f"`{' '.join(command)}` failed ({reason}); see that it is the geng of a recent nauty"
        )
    return done.stdout.splitlines()


def table(n: int, part: int, parts: int) -> GraphTable:
    """Returns one slice of the connected graphs on n nodes with all facts; see `stream`.

    `catalog_index` is -1 throughout.

    Raises:
        InputError: If n is not in 1..11, geng is not found or fails, or its output is damaged.
        ValueError: If part is not in 0..parts-1.
    """
    lines = stream(n, part, parts)
    text = "".join(f"{line}\n" for line in lines)
    rows = graph6.decode_many(text, f"geng -c {n} {part}/{parts}")
    if not lines:
        rows = np.zeros((0, n), np.uint16)
    n_nodes = np.full(len(rows), n, np.uint8)
    return table_of(rows, n_nodes, facts_of(rows, n_nodes), np.full(len(rows), -1, np.int32))


def _check_size(n: int) -> None:
    if not 1 <= n <= LARGEST:
        raise InputError(
            f"connected graphs come on 1 to {LARGEST} nodes, not {n}; beyond that they are too "
            "many to list"
        )
