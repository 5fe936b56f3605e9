"""The declared columns of VGA's records."""

from typing import Any

from datasets import ClassLabel, Features, Image, List, Value

from benchloom.builders.vga.configs import CONFIGS


def features(config: str) -> Features:
    """Returns the columns of a config and their types; in pairs a graph's columns come twice."""
    spec = CONFIGS[config]
    columns: dict[str, Any] = {
        "id": Value("string"),
        "image": Image(mode="RGB"),
        "label": ClassLabel(names=list(spec.labels)),
        "question": Value("string"),
        "answer": Value("string"),
    }
    for suffix in ("_left", "_right") if spec.pairs else ("",):
        columns |= {
            f"layout{suffix}": Value("string"),
            f"graph6{suffix}": Value("string"),
            f"catalog_index{suffix}": Value("int32"),
            f"n_nodes{suffix}": Value("int32"),
            f"n_edges{suffix}": Value("int32"),
            f"planar{suffix}": Value("bool"),
            f"positions{suffix}": List(List(Value("float32"))),
        }
        if not spec.pairs:
            columns["marked"] = List(Value("int32"))
        columns[f"moved{suffix}"] = Value("int32")
    columns |= {"pixels_sha256": Value("string"), "seed_key": Value("string")}
    return Features(columns)
