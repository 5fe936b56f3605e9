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

    def taken(self, places: Sequence[int], remark: str) -> Matched:
        """Returns the answers to the records at some places, with one more remark."""
        return Matched(
            [self.ids[place] for place in places],
            {model: [of[place] for place in places] for model, of in self.responses.items()},
            {model: [of[place] for place in places] for model, of in self.missing.items()},
            (*self.remarks, remark),
        )


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
    predictions = _named_apart(predictions)
    remarks = list(predictions.remarks)
    said: dict[str, list[str]] = {}
    for model, responses in predictions.responses.items():
        unknown = [name for name in responses if name not in known]
        if len(unknown) == len(responses):
            raise InputError(_none_of(model, unknown, references))
        for one in _unknown(unknown, references):
            said.setdefault(one, []).append(model)
    missing = {
        model: [name not in responses for name in ids]
        for model, responses in predictions.responses.items()
    }
    remarks += _of_models(said)
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
        said = {}
        for model, lacks in missing.items():
            for one in _missing(lacks, places):
                said.setdefault(one, []).append(model)
        remarks += _of_models(said)
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


def _named_apart(predictions: Predictions) -> Predictions:
    """Returns predictions in which no model is named like the baselines, in brackets."""
    responses: dict[str, Mapping[str, str | None]] = {}
    remarks = []
    for model, of in predictions.responses.items():
        name = model
        if model.strip().startswith("(") and model.strip().endswith(")"):
            name = f"model {model.strip()}"
            while name in predictions.responses or name in responses:
                name = f"model {name}"
            remarks.append(
                f"{printable(model)} is called {printable(name)} here, because names in brackets "
                "are those of baselines"
            )
        responses[name] = of
    return Predictions(responses, (*predictions.remarks, *remarks)) if remarks else predictions


def _places(references: References) -> Iterator[list[str]]:
    """Yields the configs and the splits of the records."""
    for name in ("config", "split"):
        column: list[str] = references.table.column(name).to_pylist()
        yield column


def _shortest_first(name: str) -> tuple[int, str]:
    """Returns what ids are sorted by: x2 comes before x10."""
    return len(name), name


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - SHOWN:,} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _of_models(said: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yields each sentence once, after the models that it is said of."""
    for text, models in said.items():
        yield f"{_listed([*map(printable, models)])}: {text}"


def _unknown(names: Sequence[str], references: References) -> Iterator[str]:
    """Yields a sentence for each place that ids belong to which are not scored."""
    by_place: dict[str, list[str]] = {}
    for name in names:
        by_place.setdefault(references.elsewhere.get(name, ""), []).append(name)
    # In an order that does not hang on that of the predictions.
    unknown = sorted(by_place.pop("", ()), key=_shortest_first)
    places = sorted(by_place)
    if unknown:
        shown = _listed([*map(printable, unknown)])
        yield f"{_count(len(unknown), 'id')} unknown and not scored: {shown}"
    if len(places) == 1:
        of = sorted(by_place[places[0]], key=_shortest_first)
        shown = _listed([*map(printable, of)])
        yield f"{_count(len(of), 'id')} of {places[0]}, which is not scored: {shown}"
    elif places:
        counts = [f"{len(by_place[place]):,} of {place}" for place in places]
        total = sum(map(len, by_place.values()))
        yield (
            f"{total:,} ids of {len(places)} other splits, which are not scored: {_listed(counts)}"
        )


def _missing(lacks: Sequence[bool], places: Sequence[tuple[str, str]]) -> Iterator[str]:
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
        yield (f"{count} {why} (--answered-only leaves such records out): {_listed(where)}")


def _none_of(model: str, unknown: Sequence[str], references: References) -> str:
    """Returns what to say of a model that answered none of the records."""
    scored: Mapping[str, Mapping[str, int]] = references.data["scored"]
    here = ", ".join(f"{config}/{split}" for config, splits in scored.items() for split in splits)
    text = f"{printable(model)} answers none of the records of {here}"
    elsewhere = Counter(
        references.elsewhere[name] for name in unknown if name in references.elsewhere
    )
    if elsewhere:
        commonest = min(elsewhere, key=lambda place: (-elsewhere[place], place))
        config, _, split = commonest.partition("/")
        return (
            f"{text}: its ids are of {config}/{split}; give --config {config} --split {split}, or "
            "other predictions"
        )
    example = references.table.column("id")[0].as_py()
    given = min(unknown, key=_shortest_first)
    return (
        f"{text}: its ids look like '{printable(given)}', those of the records like "
        f"'{printable(example)}'; check that they belong together"
    )
