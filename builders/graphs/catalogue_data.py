"""Makes the packaged data of the catalogue: `python -m benchloom.builders.graphs.catalogue_data`.

Needed only when the format of the data changes; nauty's geng must be installed. It writes the two
files beside this module and prints the SHA-256 constants for `catalogue`.
"""

import hashlib
import lzma
import subprocess
from pathlib import Path

import numpy as np

from benchloom.builders.graphs.catalogue import (
    FACTS_FILE,
    GRAPH_COUNTS,
    GRAPHS_FILE,
    facts_of,
)
from benchloom.builders.graphs.geng import geng_path
from benchloom.builders.graphs.graph6 import decode_many


def geng_lines(n: int) -> bytes:
    """Returns geng's graph6 lines of the connected graphs on n nodes, in its own order.

    Raises:
        InputError: If geng is not found.
    """
    return subprocess.run([geng_path(), "-c", "-q", str(n)], capture_output=True, check=True).stdout


def packed(content: bytes, record_size: int) -> bytes:
    """Returns the content as an xz file, tuned to records of some bytes (a power of two).

    No smaller setting of lzma's was found for graph6 lines, which repeat every 8 bytes.
    """
    step = record_size.bit_length() - 1
    tuning = {
        "id": lzma.FILTER_LZMA2,
        "preset": 9 | lzma.PRESET_EXTREME,
        "nice_len": 273,
        "lc": 0,
        "lp": step,
        "pb": min(step, 2),
    }
    return lzma.compress(content, check=lzma.CHECK_SHA256, filters=[tuning])


def main() -> None:
    """Writes both files and prints their size and the SHA-256 of their content."""
    lines, facts = b"", b""
    for n in GRAPH_COUNTS:
        part = geng_lines(n)
        rows = decode_many(part)
        lines += part
        facts += facts_of(rows, np.full(len(rows), n, np.uint8)).tobytes()
    folder = Path(__file__).parent / "data"
    folder.mkdir(exist_ok=True)
    for name, content, record_size in ((GRAPHS_FILE, lines, 8), (FACTS_FILE, facts, 1)):
        (folder / name).write_bytes(packed(content, record_size))
        size = (folder / name).stat().st_size
        print(f'"{name}": "{hashlib.sha256(content).hexdigest()}",  # {size:,} bytes')


if __name__ == "__main__":
    main()
