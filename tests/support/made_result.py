"""A made-up result of three models, two of them with names that harm where they are not escaped."""

import io
import json
from typing import Any

import numpy as np
import pyarrow as pa
from PIL import Image

from benchloom.builders.statistics import Bars, Chart, HeatMap, Interval, Lines, Share, Table
from benchloom.loaders.scores.comparison import comparison_table
from benchloom.loaders.scores.result import Exhibit, Result
from benchloom.loaders.scores.uncertainty import sentence_on, wilson

SCRIPT = "<script>window.harmed=1</script><img src=x onerror=window.harmed=1>"
ESCAPES = "\x1b[31mred\u202egnirts\x07 \U0001f916 " + "x" * 5000
MODELS = ("gpt-4o-2024-08-06", SCRIPT, ESCAPES)
RECORDS = 60
OUTCOMES = ("correct", "incorrect", "unparseable", "missing")
TASKS = ("connectivity", "diameter", "hamiltonian_cycle")


def make_result(models: tuple[str, ...] = MODELS, **changes: Any) -> Result:
    """Returns a result; `changes` replace its fields."""
    generator = np.random.default_rng(1)
    verdicts = {
        model: generator.choice(
            OUTCOMES, RECORDS, p=[0.5 + 0.1 * (i == 0), 0.2, 0.2, 0.1 - 0.1 * (i == 0)]
        )
        for i, model in enumerate(models)
    }
    correct = {model: (of == "correct").astype(int) for model, of in verdicts.items()}
    rows = [
        {
            "model": model,
            "id": f"diameter-easy-{i:05d}" if i else SCRIPT,
            "config": "diameter",
            "split": "test",
            "extracted": json.dumps([0, 4, 1]) if i % 2 else json.dumps(model),
            "verdict": str(outcome),
            "why": f"the last claim is {model}" if outcome != "missing" else None,
        }
        for model, of in verdicts.items()
        for i, outcome in enumerate(of)
    ]
    for row in rows:
        if row["verdict"] in ("unparseable", "missing"):
            row["extracted"] = None
    sums = {model: int(of.sum()) for model, of in correct.items()}
    overview = Table(
        "overview",
        "All models",
        (
            "model",
            "records",
            "answered",
            "missing",
            "unparseable",
            "accuracy",
            "95% interval",
            "strict",
            "lenient",
        ),
        [
            *(
                (
                    model,
                    RECORDS,
                    int((verdicts[model] != "missing").sum()),
                    int((verdicts[model] == "missing").sum()),
                    Share((verdicts[model] == "unparseable").mean()),
                    Share(hits / RECORDS),
                    Interval(map(Share, wilson(hits, RECORDS))),
                    Share(hits / RECORDS / 2),
                    Share(hits / RECORDS),
                )
                for model, hits in sums.items()
            ),
            ("guessing", RECORDS, None, None, None, Share(0.99), None, None, None),
        ],
        "Guessing is what one reaches who reads nothing.",
    )
    shares = [[Share(generator.random()) for _ in TASKS] for _ in models]
    by_task = Table(
        "by_task",
        "Accuracy by task",
        ("model", *TASKS),
        [(model, *row) for model, row in zip(models, shares, strict=True)],
    )
    prompts = [f"prompt_{i}" for i in range(9)]
    series = [
        "adjacency_matrix",
        "adjacency_list",
        "adjacency_set",
        "edge_list",
        "edge_set",
        "gml",
        "graphml",
    ]
    ends = {
        model: [(max(0, one - 0.1), min(1, one + 0.1)) for one in row]
        for model, row in zip(models, shares, strict=True)
    }
    bars = dict(zip(models, shares, strict=True))
    charts = (
        Chart(
            "tasks",
            "Accuracy by task",
            [
                [
                    Bars(
                        "",
                        "task",
                        "accuracy",
                        TASKS,
                        bars,
                        ends,
                        {"guessing": [0.5, 0.2, 0.4]},
                        True,
                    )
                ]
            ],
        ),
        Chart(
            "prompts",
            "Accuracy by prompt and serialisation",
            [
                [
                    HeatMap(
                        model,
                        prompts,
                        series,
                        generator.random((9, 7)).tolist(),
                        limits=(0, 1),
                        shares=True,
                    )
                    for model in models[:2]
                ]
            ],
        ),
        Chart(
            "lengths",
            "Accuracy against the length of the answer",
            [
                [
                    Lines(
                        "bfs_order",
                        "nodes in the answer",
                        "accuracy",
                        ("1-4", "5-9", "10-19"),
                        bars,
                        ends,
                        shares=True,
                    )
                ]
            ],
        ),
    )
    png = io.BytesIO()
    Image.new("RGB", (900, 500), "#88aacc").save(png, "png")
    fields: dict[str, Any] = {
        "benchmark": "graphomni",
        "grader": "lenient",
        "grader_version": "1.0",
        "data": {
            "name": "org/graphomni",
            "version": "1.0.0",
            "commit": "0" * 40,
            "generation": 1,
            "seed": 0,
            "limit": None,
            "scored": {"diameter": {"test": 40}, "cycle": {"test": 20}},
        },
        "models": models,
        "verdicts": pa.Table.from_pylist(rows),
        "tables": (overview, by_task, comparison_table(models, correct)),
        "charts": charts,
        "sentences": tuple(
            f"{model}: {sentence_on(RECORDS, hits, 0.25)}" for model, hits in sums.items()
        ),
        "remarks": (f"3 ids of {SCRIPT} are unknown.",),
        "exhibits": (Exhibit("Best sample", "Predicted boxes are dashed.", png.getvalue()),),
    }
    return Result(**{**fields, **changes})
