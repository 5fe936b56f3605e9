"""Where a picture is not all ground: most of a drawing is, and need not be looked at twice."""

import numpy as np
from numpy.typing import NDArray

from benchloom.builders.compiled import compiled

GROUP = 8
"""Pixels are looked at in groups of so many, counted row after row over the ends of the rows."""


def ink_groups(indices: NDArray[np.uint8], colours: int) -> NDArray[np.int64]:
    """Returns the groups that are not all ground (index 0), ascending, int64, shape (k,).

    Args:
        indices: Palette index of each pixel, uint8, shape (height, width), C order.
        colours: Number of colours, 1 to 16.

    Raises:
        ValueError: If the array has another shape or type, or a pixel names no colour.
    """
    if indices.dtype != np.uint8 or indices.ndim != 2 or not indices.size:
        raise ValueError("a picture is a uint8 array of shape (height, width)")
    if int(indices.max()) >= colours:
        raise ValueError(f"a pixel's index is below {colours}, the number of colours")
    return groups_of(np.ascontiguousarray(indices).reshape(-1))


@compiled
def groups_of(flat: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Returns the groups that are not all 0 in pixels that follow one another, ascending.

    Groups are looked at in fours first, and without a branch, which would be guessed wrong.
    """
    whole = flat.size // GROUP
    words, rest = flat[: whole * GROUP].view(np.uint64), flat[whole * GROUP :]
    n_fours = len(words) // 4
    fours = np.empty(n_fours + 1, np.int64)
    n_inked = 0
    for four in range(n_fours):
        fours[n_inked] = 4 * four
        at = 4 * four
        n_inked += (words[at] | words[at + 1] | words[at + 2] | words[at + 3]) != 0
    found = np.empty(4 * n_inked + 5, np.int64)
    n_found = 0
    for four in fours[:n_inked]:
        for word in range(four, four + 4):
            found[n_found] = word
            n_found += words[word] != 0
    for word in range(4 * n_fours, len(words)):
        found[n_found] = word
        n_found += words[word] != 0
    if rest.any():
        found[n_found] = len(words)
        n_found += 1
    return found[:n_found]


@compiled
def nibbles(word: np.uint64) -> np.uint64:
    """Returns a group's eight indices in four bytes, two in a byte, the first pixel highest.

    The group is a number read from memory lowest byte first, as on any machine that numba runs on.
    """
    even = word & np.uint64(0x00FF00FF00FF00FF)
    odd = (word >> np.uint64(8)) & np.uint64(0x00FF00FF00FF00FF)
    pairs = (even << np.uint64(4)) | odd
    pairs = (pairs | pairs >> np.uint64(8)) & np.uint64(0x0000FFFF0000FFFF)
    return (pairs | pairs >> np.uint64(16)) & np.uint64(0xFFFFFFFF)
