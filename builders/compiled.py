"""Loops compiled by numba, once per machine."""

from collections.abc import Callable
from typing import Any, TypeVar

import numba

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """Returns the function compiled to machine code, kept on disk so that workers need not repeat it.

    No fastmath and no parallel loops: results are the same to the last bit on every IEEE machine.
    Where no folder can be written, the code is compiled anew in every process.
    """
    try:
        return numba.njit(cache=True, error_model="numpy")(function)  # type: ignore[no-any-return]
    except RuntimeError:  # numba found no writable folder for its cache
        return numba.njit(error_model="numpy")(function)  # type: ignore[no-any-return]
