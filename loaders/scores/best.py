"""Which cells of a table hold the best of the models."""

from collections.abc import Sequence
from typing import Any

from benchloom.builders.statistics import Share, Table
from benchloom.loaders.scores.printable import printable

LOWER_IS_BETTER = ("unparseable", "missing", "malformed", "empty", "error", "wrong", "no box")
NO_MEASURE = ("chance", "guess", "baseline", "records", "p", "share")
UNRANKED = ("confusion", "comparison", "anomal", "middle_score", "easier_worse")
"""Tables with such a name hold no measures that are better the higher they are."""


def best_cells(table: Table, models: Sequence[str]) -> set[tuple[int, int]]:
    """Returns rows and columns of the best shares among models, where models differ.

    Models are compared that stand in a column `model`, for each combination of the words before the
    first number; or, where models are columns, in each row. Baselines are not compared.

    Args:
        table: The table.
        models: Names of the models.
    """
    if any(word in table.name for word in UNRANKED):
        return set()
    names = {*models, *map(printable, models)}
    columns = [j for j, name in enumerate(table.head) if name in names]
    best: set[tuple[int, int]] = set()
    if len(columns) > 1:
        for i, row in enumerate(table.rows):
            best |= _best({(i, j): row[j] for j in columns}, "")
    elif "model" in table.head:
        place = table.head.index("model")
        numbers = table.numbers()
        words = numbers.index(True) if True in numbers else len(numbers)
        groups: dict[tuple[Any, ...], list[int]] = {}
        for i, row in enumerate(table.rows):
            if row[place] in names:
                key = tuple(row[j] for j in range(words) if j != place)
                groups.setdefault(key, []).append(i)
        for group in groups.values():
            for j, name in enumerate(table.head):
                best |= _best({(i, j): table.rows[i][j] for i in group}, name)
    return best


def _best(cells: dict[tuple[int, int], Any], name: str) -> set[tuple[int, int]]:
    words = name.lower()
    if any(word in words.split() for word in NO_MEASURE):
        return set()
    shares = {place: value for place, value in cells.items() if isinstance(value, Share)}
    if len(set(shares.values())) < 2:
        return set()
    lower = any(word in words for word in LOWER_IS_BETTER)
    wanted = (min if lower else max)(shares.values())
    return {place for place, value in shares.items() if value == wanted}
