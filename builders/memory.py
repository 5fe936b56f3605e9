"""How much memory a process has used."""

import resource
import sys
from pathlib import Path


def peak_memory() -> float:
    """Returns the peak resident memory of this process in MB."""
    try:  # unlike getrusage, this leaves out what the process was before it became a worker
        status = Path("/proc/self/status").read_text()
        return int(status.partition("VmHWM:")[2].split()[0]) / 1e3
    except (OSError, IndexError):
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak / (1e6 if sys.platform == "darwin" else 1e3)
