"""From a working folder to DRAGON's records: what stands after all reviews, in a fixed order."""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchloom.builders.benchmark import Record
from benchloom.builders.dragon.record import make_record
from benchloom.builders.dragon.resolution import (
    MATCH_IOU,
    Resolution,
    Resolved,
    is_same_evidence,
    resolve,
)
from benchloom.builders.dragon.sources import SOURCES
from benchloom.builders.dragon.work import read_work
from benchloom.builders.errors import InputError
from benchloom.builders.recipe import Recipe, chosen_configs
from benchloom.builders.records import record_digest

FOLDER, MATCH = "review_dir", "match"
SPLITS = {"test": "verified", "candidates": "candidate"}
"""The splits, and the status of the records in each."""
MOST_SET_ASIDE = 10
"""How many decisions that count for nothing are named."""


@dataclass(frozen=True)
class Reviews:
    """What stands in a working folder.

    Attributes:
        records: By source and split, in their order; only what holds any.
        counts: By source: how many items there are of each status and reason.
        set_aside: A sentence for each decision that counts for nothing.
        digest: Digest of all records. What changes none of them, such as a mark, leaves it as it
            is.
    """

    records: Mapping[str, Mapping[str, Sequence[Record]]]
    counts: Mapping[str, Counter[tuple[str, str]]]
    set_aside: tuple[str, ...]
    digest: str


_LAST: dict[tuple[Path, str], Reviews] = {}
"""What was read last, by folder and digest: a command needs it several times."""


def resolve_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the options of a recipe, checked, as JSON values.

    Args:
        options: `review_dir`, the working folder, of which the digest is returned; `match`, the
            intersection over union from which two people's boxes are one.

    Raises:
        InputError: If one is unknown or cannot be used, or the folder cannot.
    """
    for name in options:
        if name not in (FOLDER, MATCH):
            raise InputError(f"dragon has no option {name!r}; choose from {FOLDER}, {MATCH}")
    if not options.get(FOLDER):
        raise InputError(
            "dragon is built from reviewed questions: name the working folder with --review-dir"
        )
    match = options.get(MATCH)
    match = MATCH_IOU if match is None else match
    if isinstance(match, bool) or not isinstance(match, int | float) or not 0 < match <= 1:
        raise InputError(f"--match takes a number above 0, at most 1, not {match!r}")
    chosen = {} if match == MATCH_IOU else {MATCH: float(match)}
    return {FOLDER: read_reviews(Path(options[FOLDER]), match).digest, **chosen}


def read_reviews(folder: Path, match: float = MATCH_IOU) -> Reviews:
    """Returns what stands in a working folder, read anew.

    Raises:
        InputError: If it is no working folder, or something in it cannot be used.
    """
    resolution = resolve(read_work(folder), folder, match)
    try:
        reviews = _reviews(resolution, match)
    except InputError as error:
        raise InputError(f"{folder}: {error}") from None
    _LAST.clear()
    _LAST[folder, reviews.digest] = reviews
    return reviews


def reviews_of(recipe: Recipe) -> Reviews:
    """Returns the reviews that a recipe is about.

    Raises:
        InputError: If the recipe has a seed, or it is not known where the folder is, or other
            decisions stand in it by now.
    """
    if recipe.seed:
        raise InputError("dragon draws nothing at random; leave out --seed")
    folder, digest = recipe.folder(FOLDER), recipe.options[FOLDER]
    found = _LAST.get((folder, digest))
    found = found or read_reviews(folder, recipe.options.get(MATCH, MATCH_IOU))
    if found.digest != digest:
        raise InputError(f"{folder}: its reviews changed meanwhile; run the command again")
    return found


def offered_sources(recipe: Recipe) -> tuple[str, ...]:
    """Returns the sources of which there is a question.

    Raises:
        InputError: If there is none.
    """
    records = reviews_of(recipe).records
    if not records:
        raise InputError(f"{recipe.folder(FOLDER)} holds no question yet; propose some")
    return tuple(name for name in SOURCES if name in records)


def plan_source(recipe: Recipe, source: str) -> dict[str, Sequence[Record]]:
    """Returns the records of each split of a source; only of splits that hold any.

    Raises:
        InputError: If the folder has no question of the source.
    """
    records = reviews_of(recipe).records
    if source not in records:
        raise InputError(
            f"{recipe.folder(FOLDER)} holds no question of {source}, "
            f"only of {', '.join(records) or 'no source at all'}"
        )
    return {split: of[: recipe.limit] for split, of in records[source].items()}


def review_remarks(recipe: Recipe, configs: Sequence[str]) -> list[str]:
    """Returns how many items of each source stand how, and which decisions count for nothing.

    Raises:
        InputError: If the folder has no question of a source that was named.
    """
    for source in configs:
        if source in SOURCES:
            plan_source(recipe, source)  # says so when there is no question of it
    reviews = reviews_of(recipe)
    sentences = list(reviews.set_aside[:MOST_SET_ASIDE])
    if more := len(reviews.set_aside) - len(sentences):
        sentences.append(f"{more:,} more entries of logs count for nothing either")
    for source in chosen_configs(recipe, configs):
        counts = reviews.counts.get(source, Counter())
        parts = []
        for split, status in SPLITS.items():
            reasons = {reason: n for (of, reason), n in sorted(counts.items()) if of == status}
            words = ", ".join(f"{reason.replace('_', ' ')} {n:,}" for reason, n in reasons.items())
            named = status if split == "test" else split
            parts.append(f"{sum(reasons.values()):,} {named}" + (f" ({words})" if words else ""))
        sentences.append(f"{source}: {', '.join(parts)}")
    return sentences


def _reviews(resolution: Resolution, match: float) -> Reviews:
    counts: dict[str, Counter[tuple[str, str]]] = {}
    planned: dict[tuple[str, str], list[tuple[Any, Record]]] = {}
    splits = {status: split for split, status in SPLITS.items()}
    for one in resolution.items:
        source = one.item.item.source
        counts.setdefault(source, Counter())[one.status, one.reason] += 1
        entry = _place(one, match), make_record(one)
        planned.setdefault((source, splits[one.status]), []).append(entry)
    records: dict[str, dict[str, list[Record]]] = {}
    digest = hashlib.blake2b(digest_size=16)
    for source in SOURCES:
        for split in SPLITS:
            if ordered := planned.get((source, split)):
                ordered.sort(key=lambda pair: pair[0])
                of_split = records.setdefault(source, {})[split] = [one for _, one in ordered]
                digest.update(f"{source}\0{split}\0".encode())
                for record in of_split:
                    digest.update(record_digest(record, {}))
    return Reviews(records, counts, resolution.set_aside, digest.hexdigest())


def _place(one: Resolved, match: float) -> tuple[str, bytes]:
    """Returns what an item's place in its split depends on: on no other item.

    Verified items come in the order in which they were verified, so that further reviews append to
    what was published: a record that is put between others would count as a move of all that
    follow. Candidates, of which some will leave, come by a digest of their ids, so that the first
    few are a fair sample.
    """
    lot = hashlib.blake2b(one.item.id.encode(), digest_size=8).digest()
    if one.status != "verified":
        return "", lot
    if one.arbitration is not None:
        return one.arbitration.time, lot
    # It stood as soon as two had drawn the same; whoever joined them later moves it no more.
    agreeing = [
        review.time
        for review in one.reviews
        if is_same_evidence(one.evidence, review.evidence, match)
    ]
    return sorted(agreeing)[1], lot
