"""Tables that come from Python: rows of whatever holds them, and their values as JSON has them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from benchloom.builders.errors import InputError

_BATCH_ROWS = 1024


def rows_of(value: Any, columns: Sequence[str] | None = None) -> Iterable[Any] | None:
    """Returns the rows of a table from Python, None for what has none.

    Args:
        value: An iterable, a pandas DataFrame or Series, whose index are the ids where no column
            is, a `datasets.Dataset` or an Arrow table.
        columns: The columns that are read where the others need not be; all by default.

    Raises:
        InputError: If it has several splits.
    """
    kind = type(value).__module__.partition(".")[0]
    if kind == "datasets" and isinstance(value, Mapping):
        raise InputError(f"choose one split of it: {', '.join(map(str, value))}")
    if kind == "datasets" and hasattr(value, "with_format"):
        names = value.column_names or list(next(iter(value), {}))
        chosen = [name for name in names if columns is None or name in columns]
        value = value.select_columns(chosen)
        if hasattr(value, "num_rows"):
            return _rows_of_batches(value.with_format("arrow").iter(_BATCH_ROWS))
    if kind == "pyarrow" and hasattr(value, "to_batches"):
        chosen = [name for name in value.column_names if columns is None or name in columns]
        return _rows_of_batches(value.select(chosen).to_batches(_BATCH_ROWS))
    if kind == "pandas" and hasattr(value, "notna"):
        value = _with_ids(value)
        chosen = [name for name in value.columns if columns is None or name in columns]
        frame = value[chosen].astype(object)
        records: list[Any] = frame.where(frame.notna(), None).to_dict("records")
        return records
    return value if isinstance(value, Iterable) else None


def is_table(value: Any) -> bool:
    """Returns whether a value is one of pandas, Arrow or `datasets` with rows in it."""
    kind = type(value).__module__.partition(".")[0]
    return kind in ("pandas", "pyarrow", "datasets") and hasattr(value, "__len__")


def _with_ids(value: Any) -> Any:
    """Returns a DataFrame whose ids are a column."""
    import pandas as pd

    if isinstance(value, pd.Series):
        value = value.rename("response").to_frame()
        if value.index.nlevels == 1:
            value.index = value.index.rename("id")
    elif isinstance(value, pd.Index):
        value = value.to_frame(index=False)
    if "id" in value.columns:
        return value
    if "id" in value.index.names:
        levels = [name for name in value.index.names if name and name not in value.columns]
        return value.reset_index(level=levels)
    if value.index.nlevels == 1 and value.index.name is None and value.index.dtype.kind == "O":
        return value.assign(id=value.index)
    return value


def _rows_of_batches(batches: Iterable[Any]) -> Iterator[Any]:
    for batch in batches:
        yield from batch.to_pylist()


def plain(value: Any) -> Any:
    """Returns a value as JSON has it: None for what is not a number, Python's for NumPy's."""
    if type(value).__module__ == "numpy":
        value = value.tolist()
        # An array of arrays, as pandas has lists of lists, is a list of arrays now.
        if isinstance(value, list) and value and not isinstance(value[0], int | float | str):
            return [plain(one) for one in value]
    if isinstance(value, dict):
        return {name: plain(one) for name, one in value.items()}
    if isinstance(value, bytes):
        return value.decode(errors="backslashreplace")
    if (isinstance(value, float) and math.isnan(value)) or type(value).__name__ == "NAType":
        return None
    return value
