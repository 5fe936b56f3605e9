"""Predictions and references brought together by their ids."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchloom.builders.errors import InputError
from benchloom.loaders.scores.predictions import Predictions, as_predictions
from benchloom.loaders.scores.printable import printable
from benchloom.loaders.scores.references import References, as_references

SHOWN = 5
"""How many ids that are unknown are named."""


@dataclass(frozen=True)
class Matched:
    """The answers of models to the same records.

    Attributes:
        ids: The ids of the records, in the order of the references.
        responses: For each model its answer to each record; None for no answer.
        missing: For each model True where it has no row for a record; such an answer is wrong.
        remarks: Sentences on what was odd about the predictions.
    """

    ids: list[str]
    responses: Mapping[str, list[str | None]]
    missing: Mapping[str, list[bool]]
    remarks: tuple[str, ...]


def prepare(
    benchmark: str,
    predictions: Any,
    references: Any,
    config: str | None = None,
    split: str | None = None,
    answered_only: bool = False,
) -> tuple[References, Matched]:
    """Returns references and the answers to them, from whatever they come in.

    Args:
        benchmark: The benchmark.
        predictions: What `as_predictions` takes.
        references: What `as_references` takes.
        config: The config; by default those of which the predictions name a record.
        split: The split; by default those of which the predictions name a record.
        answered_only: Whether only records that every model answered count.

    Raises:
        InputError: For the reasons of `as_predictions`, `as_references` and `match`.
    """
    given = as_predictions(predictions)
    right = as_references(benchmark, references, config, split, given.ids())
    return match(given, right, answered_only)


def match(
    predictions: Predictions, references: References, answered_only: bool = False
) -> tuple[References, Matched]:
    """Returns the references that count and the answers of every model to them.

    A record for which a model has no row is missing, which counts as wrong; an id that is not among
    the references is listed and counts nowhere.

    Args:
        predictions: The predictions.
        references: The references.
        answered_only: Whether only records that every model answered count; it returns these alone.

    Raises:
        InputError: If a model answered none of the records; where its ids are those of another
            config it is named.
    """
    ids = references.ids()
    if not ids:
        raise InputError(f"{printable(str(references.data.get('name')))} holds no records to score")
    known = set(ids)
    remarks = list(predictions.remarks)
    for model, responses in predictions.responses.items():
        unknown = [name for name in responses if name not in known]
        if len(unknown) == len(responses):
            raise InputError(_none_of(model, unknown, references))
        if unknown:
            remarks += _unknown(model, unknown, references)
    missing = {
        model: [name not in responses for name in ids]
        for model, responses in predictions.responses.items()
    }
    if answered_only:
        kept = [
            place for place, lack in enumerate(zip(*missing.values(), strict=True)) if not any(lack)
        ]
        if not kept:
            raise InputError(
                "no record was answered by every model; leave out --answered-only, or score the "
                "models one by one"
            )
        if len(kept) < len(ids):
            remarks.append(
                f"only the {len(kept):,} of {len(ids):,} records that every model answered count "
                "(--answered-only): accuracies may be better than on all"
            )
            references = references.taken(kept)
            ids = [ids[place] for place in kept]
        missing = {model: [False] * len(ids) for model in missing}
    else:
        places = list(zip(*_places(references), strict=True))
        for model, lacks in missing.items():
            remarks += _missing(model, lacks, places)
    matched = Matched(
        ids,
        {
            model: list(map(responses.get, ids))
            for model, responses in predictions.responses.items()
        },
        missing,
        tuple(remarks),
    )
    return references, matched


def _places(references: References) -> Iterator[list[str]]:
    """Yields the configs and the splits of the records."""
    for name in ("config", "split"):
        column: list[str] = references.table.column(name).to_pylist()
        yield column


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - SHOWN:,} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _unknown(model: str, names: Sequence[str], references: References) -> Iterator[str]:
    """Yields a sentence for each place that ids belong to which are not scored."""
    by_place: dict[str, list[str]] = {}
    for name in names:
        by_place.setdefault(references.elsewhere.get(name, ""), []).append(name)
    for place, of in by_place.items():
        why = f"of {place}, which is not scored" if place else "unknown and not scored"
        yield (
            f"{printable(model)}: {_count(len(of), 'id')} {why}: {_listed([*map(printable, of)])}"
        )


def _missing(model: str, lacks: Sequence[bool], places: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Yields a sentence on the records that have no answer, if there are such."""
    totals = Counter(places)
    lacking = Counter(place for place, lack in zip(places, lacks, strict=True) if lack)
    if lacking:
        where = [
            f"{number:,} of {totals[place]:,} of {'/'.join(place)}"
            for place, number in lacking.items()
        ]
        count = _count(lacking.total(), "record")
        have = "has" if lacking.total() == 1 else "have"
        why = f"{have} no answer, which counts as wrong"
        yield f"{printable(model)}: {count} {why}: {_listed(where)}"


def _none_of(model: str, unknown: Sequence[str], references: References) -> str:
    """Returns what to say of a model that answered none of the records."""
    scored: Mapping[str, Mapping[str, int]] = references.data["scored"]
    here = ", ".join(f"{config}/{split}" for config, splits in scored.items() for split in splits)
    text = f"{printable(model)} answers none of the records of {here}"
    elsewhere = Counter(
        references.elsewhere[name] for name in unknown if name in references.elsewhere
    )
    if elsewhere:
        config, _, split = max(elsewhere, key=elsewhere.__getitem__).partition("/")
        return (
            f"{text}: its ids are of {config}/{split}; give --config {config} --split {split}, or "
            "other predictions"
        )
    example = references.table.column("id")[0].as_py()
    return (
        f"{text}: its ids look like '{printable(unknown[0])}', those of the records like "
        f"'{printable(example)}'; check that they belong together"
    )
