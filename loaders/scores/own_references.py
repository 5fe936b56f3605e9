"""A user's own references: each row checked, and put into the columns of the benchmark.

What a row must have besides an `id`:

| benchmark | columns |
|---|---|
| vga | `config` (the task), `answer` |
| graphomni | `task`, `n_nodes`, `edges`, `answer`; `source` and `target` where the task has them |
| dragon | `image_ref` (`width` and `height` in pixels), `evidence` (of each box a `bbox`, xywh) |

A `split` may be given, and any other column of the benchmark; further columns are not read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchloom.builders.benchmark import Benchmark
from benchloom.builders.errors import InputError
from benchloom.builders.registry import lookup
from benchloom.loaders.scores.printable import printable
from benchloom.loaders.scores.reference_checks import CHECKS, Fault
from benchloom.loaders.scores.references import UNREAD, References, scored
from benchloom.loaders.scores.rows import Rows
from benchloom.loaders.scores.tabular import plain, rows_of

if TYPE_CHECKING:
    import pyarrow as pa

OWN = "own"
"""The split of rows that name none, and the config of those of DRAGON."""
_BATCH_ROWS = 1024


def read_own_references(
    of: Benchmark, path: Path, config: str | None, split: str | None
) -> References:
    """Returns the references in a file: JSONL, a JSON list or parquet.

    Args:
        of: The benchmark.
        path: The file.
        config: The config; by default all that rows name.
        split: The split; by default all that rows name.

    Raises:
        InputError: If the file cannot be read or a row cannot be used; it names line and field.
    """
    own = _Own(of, config, split)
    # A prediction that is cut off counts as missing; a reference that is, would count nowhere.
    rows = Rows(path, own.check.needed, own.columns, whole=True)
    return own.references(rows, rows.place, printable(str(path), None))


def references_of(of: Benchmark, value: Any, config: str | None, split: str | None) -> References:
    """Returns references from records: dicts, a `datasets.Dataset`, an Arrow table, a DataFrame.

    Args:
        of: The benchmark.
        value: The records.
        config: The config; by default all that rows name.
        split: The split; by default all that rows name.

    Raises:
        InputError: If it holds no records or one cannot be used.
    """
    own = _Own(of, config, split)
    if (named := getattr(value, "config_name", None)) in of.configs:
        own.config = own.config or named
    own.split = own.split or (str(value.split) if getattr(value, "split", None) else None)
    rows = rows_of(value, own.columns)
    if rows is None:
        raise InputError(
            f"references cannot be of the type {type(value).__name__}; give a directory, "
            "org/name, a file or records"
        )
    return own.references(
        enumerate(rows, 1), lambda number: f"row {number} of the references", "the records given"
    )


class _Own:
    """What a user's rows must fit.

    Attributes:
        check: Checks a row.
        columns: The columns that are read.
        config: The config of rows that name none.
        split: The split of rows that name none.
    """

    def __init__(self, of: Benchmark, config: str | None, split: str | None) -> None:
        from benchloom.builders.shards import arrow_schema, image_columns

        if of.name not in CHECKS:
            raise InputError(f"references of {of.name} must be a release")
        known = {name: (name,) for name in of.configs} | dict(of.combined_configs)
        self.config, self.split = config, split
        self._configs = self._named(known, config)
        self._split = split
        self._of = of
        self.check = CHECKS[of.name]()
        types: dict[str, pa.DataType] = {}
        for name in of.configs:
            schema = arrow_schema(of.features(name))
            unread = {*image_columns(schema), *UNREAD.get(of.name, ())}
            types |= {one.name: one.type for one in schema if one.name not in unread}
        self._types = types
        self.columns = ("config", "task", "split", *types)

    @staticmethod
    def _named(known: Mapping[str, Sequence[str]], config: str | None) -> Sequence[str] | None:
        if config is None:
            return None
        return lookup(dict(known), config, "config") if config in known else (config,)

    def references(
        self, rows: Iterable[tuple[int, Any]], place: Callable[[int], str], name: str
    ) -> References:
        """Returns checked rows as references.

        Args:
            rows: The rows with their numbers.
            place: Names the row of a number in sentences.
            name: The name of all.

        Raises:
            InputError: If a row cannot be used, none is left, or an id stands twice.
        """
        import pyarrow as pa

        checked = self._checked(rows, place)
        tables = []
        while batch := list(islice(checked, _BATCH_ROWS)):
            tables.append(self._table(batch, place))
        if not tables:
            of = "/".join(one for one in (self.config, self.split) if one)
            raise InputError(f"no records{f' of {of}' if of else ''} are in {name}; name others")
        table = pa.concat_tables(tables, promote_options="default")
        return References(self._of.name, {"name": name, "scored": scored(table)}, table)

    def _checked(
        self, rows: Iterable[tuple[int, Any]], place: Callable[[int], str]
    ) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yields the rows that are wanted, checked, with their config and split."""
        first: dict[str, int] = {}
        for number, given in rows:
            try:
                row = self._row(given)
            except Fault as fault:
                raise InputError(f"{place(number)}: {fault}") from None
            if not self._is_wanted(row):
                continue
            if (before := first.setdefault(row["id"], number)) != number:
                raise InputError(
                    f"{place(number)}: the id {printable(row['id'])!r} stands in {before} already; "
                    "give each record an id of its own"
                )
            yield number, row

    def _row(self, given: Any) -> dict[str, Any]:
        if not isinstance(given, Mapping):
            raise Fault("it is no object with the columns of a record")
        row = {name: plain(given[name]) for name in self.columns if name in given}
        for name in self.check.needed:
            if row.get(name) is None:
                raise Fault(f"{name} is missing, which {self._of.name} needs")
        if isinstance(row["id"], int) and not isinstance(row["id"], bool):
            row["id"] = str(row["id"])
        if not isinstance(row["id"], str) or not row["id"]:
            raise Fault("id must be a text")
        row = self.check(row, self.config or OWN if self._of.name == "dragon" else self.config)
        row["split"] = row.get("split") or row.get("difficulty") or self.split or OWN
        return row

    def _is_wanted(self, row: Mapping[str, Any]) -> bool:
        return (self._configs is None or row["config"] in self._configs) and (
            self._split is None or row["split"] == self._split
        )

    def _table(
        self, batch: Sequence[tuple[int, dict[str, Any]]], place: Callable[[int], str]
    ) -> pa.Table:
        """Returns rows as a table of the columns that any of them has."""
        import pyarrow as pa

        text = pa.string()
        types = {"id": text, "config": text, "split": text, **self._types}
        types = {name: kind for name, kind in types.items() if any(name in row for _, row in batch)}
        try:
            return pa.Table.from_pylist([row for _, row in batch], pa.schema(types))
        except (pa.ArrowException, ValueError, TypeError, OverflowError):
            for number, row in batch:
                for name, kind in types.items():
                    try:
                        pa.array([row.get(name)], kind)
                    except (pa.ArrowException, ValueError, TypeError, OverflowError):
                        shown = printable(repr(row[name]))
                        raise InputError(
                            f"{place(number)}: {name} is {shown}, but must be {kind}"
                        ) from None
            raise
