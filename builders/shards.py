"""Parquet as the Hub likes it."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchloom.builders.files import sync

if TYPE_CHECKING:
    import pyarrow as pa
    from datasets import Features

ZSTD_LEVEL = 6
_BATCH_ROWS = 128
"""Records that are turned into Python values together, as they are read."""


def arrow_schema(features: "Features") -> "pa.Schema":
    """Returns the schema of a config's shards, with the declared features in its metadata.

    Lists are declared as `Sequence` there, lists of structs as JSON lists: datasets before version
    4 cannot read `List`. Keys are sorted, so that equal features give equal bytes.
    """
    schema = features.arrow_schema
    declared = json.loads(schema.metadata[b"huggingface"])
    text = json.dumps(_lists_as_sequences(declared), sort_keys=True, separators=(",", ":"))
    return schema.with_metadata({b"huggingface": text.encode()})


def image_columns(schema: "pa.Schema") -> list[str]:
    """Returns the names of a schema's image columns."""
    features = declared_features(schema)
    return [
        name
        for name in schema.names
        if isinstance(declared := features.get(name), dict) and declared.get("_type") == "Image"
    ]


def write_shard(
    path: Path, records: Iterable[Mapping[str, Any]], schema: "pa.Schema", row_group_rows: int
) -> None:
    """Writes records to one parquet file and waits until it is on the disk.

    Images are stored as they are (PNG does not compress), the other columns with zstd and
    dictionaries; page index and content-defined chunking are on. The bytes depend on the records,
    the schema, `row_group_rows` and the version of pyarrow.

    Raises:
        OSError: If the disk is full or the path cannot be written; the file is then removed.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetWriter(path, schema, **_writer_options(schema)) as writer:
            for rows in _batches(records, row_group_rows):
                writer.write_table(
                    pa.Table.from_pylist(rows, schema), row_group_size=row_group_rows
                )
        sync(path)
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def shape_of(path: Path) -> tuple[int, list[str]]:
    """Returns the number of rows and the names of the columns of a parquet file.

    Raises:
        OSError: If the file cannot be read as parquet.
    """
    import pyarrow.parquet as pq

    with _named(path), pq.ParquetFile(path) as file:
        return file.metadata.num_rows, list(file.schema_arrow.names)


def column_names(path: Path) -> list[str]:
    """Returns the names of a parquet file's columns but the images.

    Raises:
        OSError: If the file cannot be read as parquet.
    """
    import pyarrow.parquet as pq

    with _named(path):
        schema = pq.read_schema(path)
    images = image_columns(schema)
    return [name for name in schema.names if name not in images]


def read_columns(paths: Sequence[Path], columns: Sequence[str]) -> dict[str, list[Any]]:
    """Returns columns of parquet files as lists, one file after the other.

    Raises:
        OSError: If a file cannot be read as parquet.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    tables = []
    for path in paths:
        with _named(path):
            tables.append(pq.read_table(path, columns=columns).replace_schema_metadata(None))
    table: dict[str, list[Any]] = pa.concat_tables(tables).to_pydict()
    return table


def read_records(path: Path, start: int = 0, stop: int | None = None) -> Iterator[dict[str, Any]]:
    """Yields the records start..stop-1 of a parquet file, a few in memory at a time.

    Raises:
        OSError: If the file cannot be read as parquet.
    """
    import pyarrow.parquet as pq

    with _named(path), pq.ParquetFile(path) as file:
        stop = file.metadata.num_rows if stop is None else stop
        first = 0
        for group in range(file.num_row_groups):
            rows = file.metadata.row_group(group).num_rows
            if first < stop and first + rows > start:
                at = first
                for batch in file.iter_batches(_BATCH_ROWS, row_groups=[group]):
                    begin, end = max(start - at, 0), min(stop - at, batch.num_rows)
                    if begin < end:
                        yield from batch.slice(begin, end - begin).to_pylist()
                    at += batch.num_rows
                    if at >= stop:
                        break
            first += rows


def read_rows(path: Path) -> Iterator[dict[str, Any]]:
    """Yields the records of a parquet file without their images, a few in memory at a time.

    Raises:
        OSError: If the file cannot be read as parquet.
    """
    import pyarrow.parquet as pq

    columns = column_names(path)
    with _named(path), pq.ParquetFile(path) as file:
        for batch in file.iter_batches(_BATCH_ROWS, columns=columns):
            yield from batch.to_pylist()


def _lists_as_sequences(value: Any) -> Any:
    if isinstance(value, dict):
        result = {key: _lists_as_sequences(item) for key, item in value.items()}
        if result.get("_type") == "List":
            if "_type" not in result["feature"]:  # of structs, of which a Sequence makes columns
                return [result["feature"]]
            result["_type"] = "Sequence"
        return result
    return [_lists_as_sequences(item) for item in value] if isinstance(value, list) else value


def _writer_options(schema: "pa.Schema") -> dict[str, Any]:
    """Returns the options of the writer, by leaf column: pictures are left as they are."""
    import io

    import pyarrow.parquet as pq

    empty = io.BytesIO()
    pq.write_table(schema.empty_table(), empty)
    leaves = pq.ParquetFile(empty).schema
    paths = [leaves.column(i).path for i in range(len(leaves.names))]
    pictures = {f"{name}.{part}" for name in image_columns(schema) for part in ("bytes", "path")}
    others = [path for path in paths if path not in pictures]
    return {
        "compression": {path: "none" if path in pictures else "zstd" for path in paths},
        "compression_level": dict.fromkeys(others, ZSTD_LEVEL),
        "use_dictionary": others,
        "write_statistics": others,
        "write_page_index": True,
        "use_content_defined_chunking": True,
        "store_schema": True,
    }


def _batches(records: Iterable[Mapping[str, Any]], rows: int) -> Iterator[list[Mapping[str, Any]]]:
    batch: list[Mapping[str, Any]] = []
    for record in records:
        batch.append(record)
        if len(batch) == rows:
            yield batch
            batch = []
    if batch:
        yield batch


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Turns what pyarrow says of a damaged file into an OSError that names it."""
    import pyarrow as pa

    try:
        yield
    except (pa.ArrowException, OSError) as error:
        raise OSError(f"{path}: {error}") from None


def label_names(schema: "pa.Schema") -> list[str]:
    """Returns the class names of a schema's `label` column, in order; empty when it has none."""
    return list(declared_features(schema).get("label", {}).get("names", []))


def declared_features(schema: "pa.Schema") -> dict[str, Any]:
    """Returns the features that a schema's metadata declares, by column; empty when none."""
    text = (schema.metadata or {}).get(b"huggingface")
    features: dict[str, Any] = json.loads(text)["info"]["features"] if text else {}
    return features
