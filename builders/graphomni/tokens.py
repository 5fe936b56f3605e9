"""Numbers of tokens of the queries, by prompt scheme and serialisation (Figure 3 of the paper)."""

from dataclasses import dataclass, field

from benchloom.builders.graphomni.grid import PROMPT_SCHEMES, SERIALIZATIONS
from benchloom.builders.graphomni.shortcuts import mean
from benchloom.builders.seeds import rng
from benchloom.builders.statistics import CountTokens, FinishedBuild, Table

SAMPLED = 4
"""Instances of each cell whose queries are counted, each in all its combinations."""


@dataclass
class TokenCounts:
    """Numbers of tokens of the queries that were counted.

    Attributes:
        numbers: The numbers, by serialisation and prompt scheme.
        instances: How many instances they are of.
        cells: How many cells these are of.
    """

    numbers: dict[tuple[str, str], list[int]] = field(default_factory=dict)
    instances: int = 0
    cells: int = 0

    def mean(self, serialization: str, scheme: str) -> float:
        """Returns the mean number of tokens of a combination."""
        return mean(self.numbers[serialization, scheme])


def count_cell(
    counts: TokenCounts,
    build: FinishedBuild,
    task: str,
    difficulty: str,
    count_tokens: CountTokens,
) -> None:
    """Adds the tokens of some instances of a cell, chosen by a fixed random key, to counts.

    Args:
        counts: What is added to.
        build: The build.
        task: The task.
        difficulty: The difficulty.
        count_tokens: Returns the number of tokens of a text.
    """
    places: dict[str, list[int]] = {}
    for place, name in enumerate(build.columns(task, difficulty)["instance_id"]):
        places.setdefault(name, []).append(place)
    names = list(places)
    order = rng("graphomni", "tokens", task, difficulty).permutation(len(names))
    chosen = sorted(order[:SAMPLED].tolist())
    # One instance at a time, since all rows between the first and the last wanted one are read.
    for number in chosen:
        for _, record in build.records(task, difficulty, places[names[number]]):
            key = record["serialization"], record["prompt_scheme"]
            counts.numbers.setdefault(key, []).append(count_tokens(record["query"]))
    counts.instances += len(chosen)
    counts.cells += 1


def combinations_of(counts: TokenCounts) -> tuple[list[str], list[str]]:
    """Returns the prompt schemes and the serialisations that were counted."""
    return (
        [name for name in PROMPT_SCHEMES if any(key[1] == name for key in counts.numbers)],
        [name for name in SERIALIZATIONS if any(key[0] == name for key in counts.numbers)],
    )


def token_table(counts: TokenCounts) -> Table:
    """Returns the mean number of tokens of each prompt scheme and serialisation."""
    schemes, formats = combinations_of(counts)
    rows = [(scheme, *(round(counts.mean(one, scheme)) for one in formats)) for scheme in schemes]
    note = f"Means over the same {counts.instances} instances of {counts.cells} cells in each."
    title = "Tokens of a query, by prompt scheme and serialisation"
    return Table("tokens", title, ("prompt scheme", *formats), rows, note)
