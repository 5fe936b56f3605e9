"""Planted faults: whatever is wrong with a build is found and named."""

import hashlib
import json
import shutil
import struct
import zlib
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from benchloom.builders.errors import InputError
from benchloom.builders.graphs.graph import Graph
from benchloom.builders.graphs.graph6 import decode, encode
from benchloom.builders.shards import arrow_schema, read_records, write_shard
from benchloom.builders.vga.drawing import Panel, draw, palette
from benchloom.builders.vga.png import encode as encode_png
from benchloom.builders.vga.style import Style
from benchloom.loaders.directory import Build
from benchloom.loaders.verification import audit, verify

Record = dict[str, Any]
STYLE = Style()


def shard(directory: Path, config: str, split: str) -> Path:
    (path,) = (directory / config).glob(f"{split}-0*.parquet")
    return path


def alter(
    directory: Path, config: str, split: str, index: int, change: Callable[[Record], None]
) -> None:
    """Changes one record of a build and makes the checksums of its shard right again."""
    path = shard(directory, config, split)
    rows = list(read_records(path))
    change(rows[index])
    schema = arrow_schema(Build(directory).benchmark.features(config))
    write_shard(path, rows, schema, 250)
    manifest = json.loads((directory / "manifest.json").read_text())
    (entry,) = manifest["configs"][config]["splits"][split]["shards"]
    entry["sha256"] = hashlib.sha256(path.read_bytes()).hexdigest()
    entry["bytes"] = path.stat().st_size
    (directory / "manifest.json").write_text(json.dumps(manifest))
    mend_sums(directory)


def mend_sums(directory: Path) -> None:
    """Makes SHA256SUMS right again for the files as they are."""
    lines = (directory / "SHA256SUMS").read_text().splitlines()
    files = [line.split("  ")[1] for line in lines]
    sums = {file: hashlib.sha256((directory / file).read_bytes()).hexdigest() for file in files}
    text = "".join(f"{digest}  {file}\n" for file, digest in sums.items())
    (directory / "SHA256SUMS").write_text(text)


def drawn(record: Record, edges: Any = None, points: Any = None, marked: Any = None) -> None:
    """Draws a record's picture anew, from other edges, places or marks than its columns state."""
    if points is None:
        points = np.array(record["positions"])
    units = np.rint(np.asarray(points) * 16).astype(np.int64)
    edges = decode(record["graph6"]).edges if edges is None else edges
    marks = (record["marked"] or ()) if marked is None else marked
    indices = draw([Panel(edges, units, marks)], STYLE).indices
    record["image"]["bytes"] = encode_png(indices, palette(STYLE))


def opened(directory: Path, config: str) -> Build:
    """A build, with nothing in it but one config."""
    build = Build(directory)
    build.manifest = replace(build.manifest, configs={config: build.manifest.configs[config]})
    return build


def found_by_audit(directory: Path, config: str = "ham_path") -> list[str]:
    return audit(opened(directory, config), None, 1, Counter())


def found_by_verify(directory: Path, config: str = "ham_path") -> list[str]:
    return verify(opened(directory, config), None, 1, Counter())


def test_a_good_build_has_no_faults(vga_build: Path) -> None:
    counts: Counter[str] = Counter()
    assert audit(Build(vga_build), None, 1, counts) == []
    assert counts["records"] == 17 * 24
    counts.clear()
    assert verify(Build(vga_build), 3, 2, counts) == []
    assert counts["records"] == 17 * 3


def remove_edge(record: Record) -> None:
    drawn(record, edges=decode(record["graph6"]).edges[1:])


def add_edge(record: Record) -> None:
    graph = decode(record["graph6"])
    free = {(u, v) for u in range(graph.n_nodes) for v in range(u + 1, graph.n_nodes)}
    drawn(record, edges=[*graph.edges, sorted(free - set(graph.edges))[0]])


def move_mark(record: Record) -> None:
    first, second = record["marked"]
    other = next(v for v in range(8) if v not in (first, second))
    drawn(record, marked=(first, other))


def put_node_on_edge(record: Record) -> None:
    graph = decode(record["graph6"])
    points = np.array(record["positions"])
    for node in range(graph.n_nodes):
        for u, v in graph.edges:
            middle = (points[u] + points[v]) / 2
            others = [w for w in range(graph.n_nodes) if w != node]
            if node not in (u, v) and min(np.abs(points[others] - middle).max(axis=1)) > 30:
                points[node] = middle
                drawn(record, points=points)
                record["positions"] = points.tolist()
                return
    raise AssertionError("no place for the fault")


def drop_node(record: Record) -> None:
    graph = decode(record["graph6"])
    last = graph.n_nodes - 1
    drawn(
        record,
        edges=[edge for edge in graph.edges if last not in edge],
        points=np.array(record["positions"])[:last],
        marked=(),
    )


def flip_label(record: Record) -> None:
    record["label"] = (record["label"] + 1) % 2


def flip_label_and_answer(record: Record) -> None:
    record["label"] = (record["label"] + 1) % 2
    record["answer"] = "yes" if record["answer"] == "no" else "no"


def change_graph6(record: Record) -> None:
    graph = decode(record["graph6"])
    record["graph6"] = encode(Graph(graph.n_nodes, graph.edges[1:]))


def damage_picture(record: Record) -> None:
    record["image"]["bytes"] = record["image"]["bytes"][:2000]


FAULTS: list[tuple[Callable[[Record], None], str, str]] = [
    (remove_edge, "ham_path", "not drawn"),
    (remove_edge, "shortest_path", "not drawn"),
    (add_edge, "ham_cycle", ""),
    (add_edge, "chordless_cycle", ""),
    (add_edge, "ham_path", ""),
    (move_mark, "shortest_path", "marks"),
    (put_node_on_edge, "ham_cycle", ""),
    (put_node_on_edge, "shortest_path", ""),
    (drop_node, "ham_path", "not where positions"),
    (flip_label, "ham_path", "is not the class of the answer"),
    (flip_label_and_answer, "ham_path", "the picture says"),
    (flip_label_and_answer, "ham_cycle", "the picture says"),
    (change_graph6, "ham_path", "graph6 is"),
    (damage_picture, "ham_path", "cannot be read"),
]


@pytest.mark.parametrize(("plant", "config", "words"), FAULTS)
def test_a_planted_fault_is_found(
    vga_copy: Path, plant: Callable[[Record], None], config: str, words: str
) -> None:
    alter(vga_copy, config, "test", 7, plant)
    faults = found_by_audit(vga_copy, config)
    assert faults
    assert all(
        fault.startswith(f"{config} test record 7 ({config}-test-000007): ") for fault in faults
    )
    assert any(words in fault for fault in faults)
    assert any(f"{config} test record 7 " in fault for fault in found_by_verify(vga_copy, config))


def swap_halves(record: Record) -> None:
    record["answer"], record["label"] = ("no", 0) if record["label"] else ("yes", 1)


def other_left_graph(record: Record) -> None:
    graph = decode(record["graph6_left"])
    record["graph6_left"] = encode(Graph(graph.n_nodes, graph.edges[:-1]))


@pytest.mark.parametrize("config", ["easy_iso", "hard_iso"])
@pytest.mark.parametrize("plant", [swap_halves, other_left_graph])
def test_a_planted_fault_in_a_pair_is_found(
    vga_copy: Path, plant: Callable[[Record], None], config: str
) -> None:
    alter(vga_copy, config, "train", 3, plant)
    faults = found_by_audit(vga_copy, config)
    assert faults
    assert all(f"{config} train record 3 " in fault for fault in faults)


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("seed_key", "vga/1/ham_path/test/1/7"),
        ("moved", 9),
        ("catalog_index", 0),
        ("question", "What?"),
        ("positions", [[1.0, 2.0]] * 9),
        ("pixels_sha256", "0" * 64),
    ],
)
def test_verify_names_the_record_and_the_field(vga_copy: Path, column: str, value: object) -> None:
    alter(vga_copy, "ham_path", "test", 7, lambda record: record.update({column: value}))
    (fault,) = found_by_verify(vga_copy)
    assert fault.startswith(f"ham_path test record 7 (ham_path-test-000007): {column} is ")


def test_verify_sees_one_changed_pixel(vga_copy: Path) -> None:
    def dot(record: Record) -> None:
        indices = draw(
            [
                Panel(
                    decode(record["graph6"]).edges,
                    np.rint(np.array(record["positions"]) * 16).astype(np.int64),
                )
            ],
            STYLE,
        ).indices
        indices[350, 350] ^= 1
        record["image"]["bytes"] = encode_png(indices, palette(STYLE))

    alter(vga_copy, "ham_path", "test", 7, dot)
    (fault,) = found_by_verify(vga_copy)
    assert fault.startswith("ham_path test record 7 (ham_path-test-000007): image is ")


def test_verify_passes_over_other_compression_but_not_other_bytes_of_the_shard(
    vga_copy: Path,
) -> None:
    path = shard(vga_copy, "ham_path", "test")
    table = pq.read_table(path)
    pq.write_table(table, path, compression="snappy")
    assert found_by_verify(vga_copy) == [
        "ham_path/test-00000-of-00001.parquet is not the file that was built: its SHA-256 differs"
    ]


def test_verify_names_a_missing_shard(vga_copy: Path) -> None:
    shard(vga_copy, "ham_path", "test").unlink()
    assert "ham_path/test-00000-of-00001.parquet is missing" in found_by_verify(vga_copy)


def test_verify_sees_changed_digests(vga_copy: Path) -> None:
    path = vga_copy / "records" / "ham_path-test.parquet"
    table = pq.read_table(path)
    digests = table["digest"].to_pylist()
    digests[4] = bytes(16)
    column = table["digest"].cast(table.schema.field("digest").type)
    pq.write_table(table.set_column(1, "digest", pa.array(digests, column.type)), path)
    faults = found_by_verify(vga_copy)
    assert any("ham_path test: the digests in records/" in fault for fault in faults)
    assert any("ham_path test record 4 " in fault and "digest" in fault for fault in faults)


def test_verify_says_when_another_generation_made_the_build(vga_copy: Path) -> None:
    manifest = json.loads((vga_copy / "manifest.json").read_text())
    manifest["recipe"]["generation"] = 99
    (vga_copy / "manifest.json").write_text(json.dumps(manifest))
    mend_sums(vga_copy)
    (fault,) = found_by_verify(vga_copy)
    assert "generation 99" in fault


@pytest.mark.parametrize("name", ["README.md", "SHA256SUMS", "manifest.json"])
def test_verify_sees_a_changed_or_missing_card_and_checksums(vga_copy: Path, name: str) -> None:
    if name != "manifest.json":
        (vga_copy / name).unlink()
        assert any(name in fault for fault in found_by_verify(vga_copy))
    else:
        (vga_copy / name).write_text((vga_copy / name).read_text() + "\n")
        assert any(name in fault for fault in found_by_verify(vga_copy))


def test_verify_sees_a_stray_shard(vga_copy: Path) -> None:
    stray = "ham_path/test-00001-of-00002.parquet"
    shutil.copy(shard(vga_copy, "ham_path", "test"), vga_copy / stray)
    assert any(f"{stray} is of no build" in fault for fault in found_by_verify(vga_copy))


def cut(table: Any) -> Any:
    return table.slice(0, 5)


def double(table: Any) -> Any:
    return pa.concat_tables([table, table])


def drop(table: Any) -> Any:
    return table.drop_columns(["moved"])


@pytest.mark.parametrize("change", [cut, double, drop])
def test_a_shard_of_another_shape_is_named_by_both(
    vga_copy: Path, change: Callable[[Any], Any]
) -> None:
    path = shard(vga_copy, "ham_path", "test")
    pq.write_table(change(pq.read_table(path)), path)
    for faults in (found_by_verify(vga_copy), found_by_audit(vga_copy)):
        assert any(fault.startswith("ham_path/test-00000-of-00001.parquet ") for fault in faults)
    with pytest.raises(InputError, match=r"ham_path/test-00000-of-00001\.parquet"):
        list(Build(vga_copy).records("ham_path", "test"))


@pytest.mark.parametrize(
    "change",
    [
        {"positions": None},
        {"positions": [[1.0], [2.0, 3.0]]},
        {"graph6": None},
        {"label": None},
        {"image": None},
        {"answer": None},
    ],
)
def test_a_record_that_cannot_be_read_is_named_and_the_audit_goes_on(
    vga_copy: Path, change: dict[str, Any]
) -> None:
    alter(vga_copy, "ham_path", "test", 7, lambda record: record.update(change))
    alter(vga_copy, "ham_path", "test", 9, flip_label)
    faults = found_by_audit(vga_copy)
    assert {fault.split(" (")[0] for fault in faults} >= {
        "ham_path test record 7",
        "ham_path test record 9",
    }


def rename_picture(record: Record) -> None:
    record["image"]["path"] = "yes.png"


def add_a_chunk(record: Record) -> None:
    data = record["image"]["bytes"]
    body = b"tEXtSoftware\0mine"
    chunk = struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body))
    record["image"]["bytes"] = data[:33] + chunk + data[33:]


def crowd(record: Record) -> None:
    graph = decode(record["graph6"])
    points = np.array(record["positions"])
    u, v = graph.edges[0]
    points[u] = points[v] + [27.5, 0]
    drawn(record, points=points)
    record["positions"] = points.tolist()


def other_index(record: Record) -> None:
    record["catalog_index"] += 1


@pytest.mark.parametrize("plant", [rename_picture, add_a_chunk, crowd, other_index])
def test_a_broken_promise_is_found(vga_copy: Path, plant: Callable[[Record], None]) -> None:
    alter(vga_copy, "ham_path", "test", 7, plant)
    assert any("ham_path test record 7 " in fault for fault in found_by_audit(vga_copy))


def test_a_copied_record_is_found(vga_copy: Path) -> None:
    found: Record = {}
    alter(vga_copy, "ham_path", "test", 3, found.update)
    alter(vga_copy, "ham_path", "test", 5, lambda record: record.update(found))
    faults = found_by_audit(vga_copy)
    assert any("records 3 and 5 are the same picture" in fault for fault in faults)
    assert any("record 5 has the id 'ham_path-test-000003'" in fault for fault in faults)
