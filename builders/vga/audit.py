"""The audit of a record: what its pixels say, against what it says of itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchloom.builders.benchmark import Record
from benchloom.builders.errors import InputError
from benchloom.builders.graphs import answers
from benchloom.builders.graphs.answers import is_isomorphic, is_planar
from benchloom.builders.graphs.catalogue import catalogue
from benchloom.builders.graphs.graph import Graph
from benchloom.builders.graphs.graph6 import decode as decode_graph6
from benchloom.builders.graphs.graph6 import encode as encode_graph6
from benchloom.builders.recipe import Recipe
from benchloom.builders.records import pixels_sha256
from benchloom.builders.vga.configs import CONFIGS, KAMADA_KAWAI, PLANAR
from benchloom.builders.vga.decoder import DecodedGraph, DecodeError, decode
from benchloom.builders.vga.geometry import UNITS_PER_PIXEL
from benchloom.builders.vga.legibility import defects, node_radii
from benchloom.builders.vga.record import frames_of, limits_of
from benchloom.builders.vga.style import Style

NEAR = 1.5
"""A decoded node lies within so many pixels of where the record has it, in each direction."""


def audit_record(record: Record, config: str, recipe: Recipe) -> list[str]:
    """Returns what is wrong with a record, a sentence each.

    The picture is read back by a decoder that knows nothing but the style; graph, marks and places
    are compared with the columns, and the answer is worked out anew from the decoded
    graph.
    """
    spec = CONFIGS[config]
    style = Style.from_json(dict(recipe.options.get("style", {})))
    try:
        decoded = decode(record["image"]["bytes"], style, panels=2 if spec.pairs else 1)
    except DecodeError as error:
        return [f"the picture cannot be read: {error}"]
    faults = []
    graphs = []
    suffixes = ("_left", "_right") if spec.pairs else ("",)
    for panel, suffix in zip(decoded.panels, suffixes, strict=True):
        graphs.append(Graph.of(len(panel.centres), list(panel.edges)))
        faults += _column_faults(panel, graphs[-1], record, suffix)
    if not spec.pairs:
        faults += _mark_faults(decoded.panels[0], record)
    elif any(panel.marked for panel in decoded.panels):
        faults.append("the picture shows marked nodes, which a pair never has")
    answer = _answer(config, graphs, decoded.panels[0].marked)
    if record["answer"] != answer:
        faults.append(f"the answer is {record['answer']!r}, the picture says {answer!r}")
    faults += _promise_faults(record, config, graphs, style)
    names = spec.labels
    if not 0 <= record["label"] < len(names) or names[record["label"]] != record["answer"]:
        faults.append(
            f"label {record['label']} is not the class of the answer {record['answer']!r}"
        )
    if record["question"] != spec.question:
        faults.append("the question is not the task's")
    return faults


def _column_faults(panel: DecodedGraph, graph: Graph, record: Record, suffix: str) -> list[str]:
    """Returns how the columns of one graph differ from what was decoded."""
    side = suffix.replace("_", " ")
    try:
        stated = decode_graph6(record[f"graph6{suffix}"])
    except InputError as error:
        return [f"graph6{suffix}: {error}"]
    faults = []
    order = _matched(panel, record[f"positions{suffix}"])
    if order is None:
        return [f"the nodes of the picture{side} are not where positions{suffix} has them"]
    seen = graph.relabelled(order)
    if seen != stated:
        missing = sorted(set(stated.edges) - set(seen.edges))
        added = sorted(set(seen.edges) - set(stated.edges))
        faults.append(
            f"the picture{side} shows {encode_graph6(seen)}, "
            f"graph6{suffix} is {encode_graph6(stated)} "
            f"(not drawn: {_edges(missing)}; drawn besides: {_edges(added)})"
        )
    found: Mapping[str, Any] = {
        "n_nodes": graph.n_nodes,
        "n_edges": graph.n_edges,
        "planar": is_planar(graph),
    }
    for name, value in found.items():
        if record[f"{name}{suffix}"] != value:
            faults.append(
                f"{name}{suffix} is {record[f'{name}{suffix}']}, the picture says {value}"
            )
    return faults


def _promise_faults(record: Record, config: str, graphs: list[Graph], style: Style) -> list[str]:
    """Returns which promises about pictures and columns a record does not keep."""
    faults = []
    spec = CONFIGS[config]
    png = record["image"]["bytes"]
    if (chunks := _chunks(png)) != ["IHDR", "PLTE", "IDAT", "IEND"]:
        faults.append(f"the PNG has the chunks {' '.join(chunks)}")
    if record["image"]["path"] != f"{record['id']}.png":
        faults.append(f"the picture's path is {record['image']['path']!r}, not its id")
    if record["pixels_sha256"] != pixels_sha256(png):
        faults.append("pixels_sha256 is not that of the picture")
    suffixes = ("_left", "_right") if spec.pairs else ("",)
    for suffix, frame, graph in zip(suffixes, frames_of(style, spec.pairs), graphs, strict=True):
        stated = decode_graph6(record[f"graph6{suffix}"])
        points = np.rint(np.asarray(record[f"positions{suffix}"]) * UNITS_PER_PIXEL)
        limits = limits_of(style)
        marked = tuple(record["marked"]) if record.get("marked") else None
        radii = node_radii(stated.n_nodes, marked, limits)
        flat = record[f"layout{suffix}"] == PLANAR
        found = defects(points.astype(np.int64), stated, radii, frame, flat, limits)
        faults += [f"positions{suffix}: {fault}" for fault in found]
        index = record[f"catalog_index{suffix}"]
        if index is not None:
            table = catalogue()
            if not 0 <= index < len(table) or not is_isomorphic(table.graph(index), graph):
                faults.append(f"catalog_index{suffix} {index} is not the picture's graph")
    if config == "hard_iso" and sorted(graphs[0].degrees) != sorted(graphs[1].degrees):
        faults.append("the graphs of a hard pair have different degrees")
    return faults


def audit_ids(columns: Mapping[str, Any], config: str, split: str) -> list[str]:
    """Returns what is wrong with a split as a whole: its ids, its layout, pictures that recur."""
    faults = []
    spec = CONFIGS[config]
    for place, name in enumerate(columns["id"]):
        if name != f"{config}-{split}-{place:06d}":
            faults.append(f"record {place} has the id {name!r}")
    layouts = {"layout_left": spec.layouts[split], "layout_right": KAMADA_KAWAI}
    for column, layout in layouts.items() if spec.pairs else [("layout", spec.layouts[split])]:
        for place, stated in enumerate(columns[column]):
            if stated != layout:
                faults.append(f"record {place} has the {column} {stated!r}, not {layout!r}")
    first: dict[str, int] = {}
    for place, pixels in enumerate(columns["pixels_sha256"]):
        if first.setdefault(pixels, place) != place:
            faults.append(f"records {first[pixels]} and {place} are the same picture")
    return faults


def _chunks(png: bytes) -> list[str]:
    """Returns the names of a PNG's chunks."""
    names, at = [], 8
    while at + 8 <= len(png):
        names.append(png[at + 4 : at + 8].decode("latin-1"))
        at += 12 + int.from_bytes(png[at : at + 4], "big")
    return names


def _edges(edges: list[tuple[int, int]]) -> str:
    return " ".join(f"{u}-{v}" for u, v in edges) or "none"


def _mark_faults(panel: DecodedGraph, record: Record) -> list[str]:
    """Returns how the marked nodes differ from what was decoded."""
    order = _matched(panel, record["positions"])
    seen = sorted(int(order[node]) for node in panel.marked) if order is not None else None
    stated = list(record["marked"] or ())
    return (
        [] if seen is None or seen == stated else [f"marked is {stated}, the picture marks {seen}"]
    )


def _matched(panel: DecodedGraph, positions: list[list[float]]) -> NDArray[np.int64] | None:
    """Returns for each decoded node the record's node at its place, None when they do not match."""
    stated = np.asarray(positions, float).reshape(-1, 2)
    if len(stated) != len(panel.centres):
        return None
    away = np.abs(np.asarray(panel.centres)[:, None, :] - stated[None, :, :]).max(axis=2)
    order = away.argmin(axis=1)
    near = away[np.arange(len(order)), order] <= NEAR
    return order if near.all() and len(set(order.tolist())) == len(order) else None


def _answer(config: str, graphs: list[Graph], marked: tuple[int, ...]) -> str:
    """Returns the answer to the task worked out from decoded graphs."""
    first = graphs[0]
    if config in ("easy_iso", "hard_iso"):
        return _yes(answers.is_isomorphic(first, graphs[1]))
    if config == "ham_path":
        return _yes(answers.has_hamiltonian_path(first))
    if config == "ham_cycle":
        return _yes(answers.has_hamiltonian_cycle(first))
    if config == "chordless_cycle":
        return str(answers.biggest_chordless_cycle(first))
    if len(marked) != 2:
        return f"{len(marked)} marked nodes"
    return str(int(answers.distances(first)[marked[0], marked[1]]))


def _yes(value: bool) -> str:
    return "yes" if value else "no"
