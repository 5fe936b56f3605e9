"""What a model meant: claims read out of free text, and judged."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from benchloom.loaders.answers.verdict import GRADERS, Grader, Verdict

if TYPE_CHECKING:
    from types import ModuleType

__all__ = ["GRADERS", "Grader", "Verdict", "grader_version", "judge"]


def judge(
    benchmark: str,
    task: str,
    response: str | None,
    reference: Mapping[str, Any],
    grader: Grader = "lenient",
) -> Verdict:
    """Returns the verdict on one answer.

    Args:
        benchmark: `vga`, `graphomni` or `dragon`.
        task: The task: a config of the benchmark (of DRAGON a source, which changes nothing).
        response: All that the model wrote; None for no answer.
        reference: The record's columns. Of GraphOmni `n_nodes`, `edges`, `answer`, and `source`
            and `target` where the task has them; of VGA `answer`; of DRAGON `evidence` and
            `image_ref`.
        grader: `strict` takes only a final claim in an accepted form, `lenient` the last claim in
            free text; `reference` imitates the evaluator that was published with GraphOmni.

    Raises:
        InputError: If there is no such benchmark, task or grader, or a column is missing.
    """
    verdict: Verdict = _module(benchmark).judge(task, response, reference, grader)
    return verdict


def grader_version(benchmark: str, grader: Grader = "lenient") -> str:
    """Returns the version of a grader, which changes whenever a verdict could.

    Raises:
        InputError: If there is no such benchmark or grader.
    """
    version: str = _module(benchmark).version(grader)
    return version


def _module(benchmark: str) -> ModuleType:
    from benchloom.builders.benchmark import benchmark as named

    return importlib.import_module(f"benchloom.loaders.answers.{named(benchmark).name}")
