"""GraphOmni's records and their columns."""

import json
from collections.abc import Iterator, Sequence
from itertools import groupby

from datasets import Features, List, Value

from benchloom.builders.benchmark import Record
from benchloom.builders.graphomni.plan import Spec
from benchloom.builders.graphomni.prompts import queries


def features() -> Features:
    """Returns the columns and their types, the same for every task."""
    return Features(
        {
            "id": Value("string"),
            "instance_id": Value("string"),
            "task": Value("string"),
            "difficulty": Value("string"),
            "generator": Value("string"),
            "serialization": Value("string"),
            "prompt_scheme": Value("string"),
            "query": Value("string"),
            "answer": Value("string"),
            "n_nodes": Value("int32"),
            "n_edges": Value("int32"),
            "edges": List(List(Value("int32"))),
            "source": Value("int32"),
            "target": Value("int32"),
            "generator_params": Value("string"),
            "seed_key": Value("string"),
        }
    )


def make_records(specs: Sequence[Spec]) -> Iterator[Record]:
    """Yields the records of specs, in order; an instance's texts are made together."""
    # Not by seed_key, which a No and a Yes that were planned together share.
    for _, group in groupby(specs, key=lambda spec: spec.instance):
        of = list(group)
        instance, generation = of[0].instance, of[0].generation
        wanted = {(spec.serialization, spec.scheme) for spec in of}
        formats = list(dict.fromkeys(spec.serialization for spec in of))
        texts = {
            (serialization, scheme): text
            for serialization, scheme, text in queries(
                instance.task, instance.graph, instance.source, instance.target, generation, formats
            )
            if (serialization, scheme) in wanted
        }
        for spec in of:
            yield {
                **planned_columns(spec),
                "query": texts[spec.serialization, spec.scheme],
                "edges": [list(edge) for edge in instance.graph.edges],
            }


def planned_columns(spec: Spec) -> Record:
    """Returns the columns of a record but its text and its edges."""
    one = spec.instance
    place = f"{one.index:04d}"
    return {
        "id": f"{one.task}-{one.difficulty}-{spec.scheme}-{spec.serialization}-{place}",
        "instance_id": f"{one.task}-{one.difficulty}-{place}",
        "task": one.task,
        "difficulty": one.difficulty,
        "generator": one.generator,
        "serialization": spec.serialization,
        "prompt_scheme": spec.scheme,
        "answer": one.answer,
        "n_nodes": one.graph.n_nodes,
        "n_edges": one.graph.n_edges,
        "source": one.source,
        "target": one.target,
        "generator_params": json.dumps(one.params, sort_keys=True, separators=(",", ":")),
        "seed_key": one.seed_key,
    }
