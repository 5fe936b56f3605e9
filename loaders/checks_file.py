"""The file checks.json: what audit, verify and stats found in the very build it lies beside."""

import importlib.metadata
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchloom.builders.errors import InputError
from benchloom.builders.manifest import Manifest, read_manifest
from benchloom.builders.statistics import Bound, Share, Table

CHECKS = "checks.json"
FORMAT = 1
_RULE = "rule: "

Checks = dict[str, dict[str, Any]]
"""For each check `digests` (of the splits it was made on), `benchloom` (the version that made it)
and `figures`."""


def read_checks(directory: Path, manifest: Manifest | None = None) -> Checks:
    """Returns the checks that were made on a build, by name; those of other records are left out.

    Args:
        directory: Where the build is.
        manifest: What it holds, by default what the directory's manifest says.

    Raises:
        InputError: If the file is damaged.
    """
    path = directory / CHECKS
    digests = split_digests(manifest or read_manifest(directory))
    try:
        value = json.loads(path.read_bytes())
        return {
            name: {key: check[key] for key in ("digests", "benchloom", "figures")}
            for name, check in value["checks"].items()
            if check["digests"] and check["digests"].items() <= digests.items()
        }
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None
    except (ValueError, TypeError, KeyError, AttributeError):
        raise InputError(f"{path} is damaged; remove it and make the checks again") from None


def checks_text(checks: Checks) -> str:
    """Returns the text of checks.json."""
    from benchloom.builders.files import dump_json

    return dump_json({"format": FORMAT, "checks": dict(sorted(checks.items()))})


def record_check(directory: Path, name: str, figures: Mapping[str, Any]) -> str:
    """Keeps the figures of a check beside a build and in its card, and returns why it could not.

    Figures of a check that looked at fewer records of the same build do not replace others, unless
    it found faults.

    Args:
        directory: Where the build is.
        name: `audit`, `verify` or `stats`.
        figures: JSON values. Of `audit` and `verify`: `records` looked at, `faults` found. Of
            `stats`: what `statistics_figures` returns.

    Returns:
        Nothing, or a sentence: the directory cannot be written, or is no longer as it was built
        (a card that was edited is evidence, and stays).
    """
    from benchloom.cards.rendering import render_in_place

    try:
        manifest = read_manifest(directory)
        checks = read_checks(directory, manifest)
        digests = split_digests(manifest)
        before = checks.get(name)
        if before and before["digests"] == digests and not figures.get("faults"):
            looked_at = before["figures"].get("records", 0)
            if looked_at > figures.get("records", 0) and not before["figures"].get("faults"):
                return ""
        checks[name] = {
            "digests": digests,
            "benchloom": importlib.metadata.version("benchloom"),
            "figures": dict(figures),
        }
        render_in_place(directory, checks, over_edits=False)
    except InputError as error:
        return f"the figures are not kept: {error}"
    return ""


def statistics_figures(tables: Sequence[Table], bounds: Sequence[Bound]) -> dict[str, Any]:
    """Returns the figures of `stats` that a card shows.

    They are all bounds, the tables that are meant for it, and of each split the rule that gets most
    answers right without solving the task.
    """
    best: dict[tuple[str, str], tuple[float, list[str]]] = {}
    for table in tables:
        if table.head[:4] != ("config", "split", "measure", "value"):
            continue
        for row, texts in zip(table.rows, table.texts(), strict=True):
            split, (measure, value) = (row[0], row[1]), row[2:4]
            if measure.startswith(_RULE) and value > best.get(split, (-1.0, []))[0]:
                best[split] = (value, [*texts[:2], measure.removeprefix(_RULE), *texts[3:]])
    shown = {
        "title": "The best rule that does not solve the task",
        "head": ["config", "split", "rule", "right", "remark"],
        "rows": [row for _, row in best.values()],
        "note": "A rule is told the graph's columns, so a model that reads pictures may be worse.",
    }
    return {
        "bounds": [
            {
                "where": bound.where,
                "rule": bound.rule,
                "value": str(Share(bound.value)),
                "allowed": bound.allowed,
                "state": bound.state,
            }
            for bound in bounds
        ],
        "tables": [
            *([shown] if best else []),
            *(
                {
                    "title": table.title,
                    "head": list(table.head),
                    "rows": table.texts(),
                    "note": table.note,
                }
                for table in tables
                if table.on_card
            ),
        ],
    }


def split_digests(manifest: Manifest) -> dict[str, str]:
    """Returns the content digest of every split, by `config/split`."""
    return {
        f"{config}/{split}": holds.digest
        for config, built in manifest.configs.items()
        for split, holds in built.splits.items()
    }
