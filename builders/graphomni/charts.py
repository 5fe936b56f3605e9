"""Charts of GraphOmni: sizes by generator, answers by task, tokens by combination."""

from collections import Counter
from collections.abc import Mapping, Sequence

from benchloom.builders.graphomni.tables import ANSWERS, BuiltCell, answer_value
from benchloom.builders.graphomni.tokens import TokenCounts, combinations_of
from benchloom.builders.statistics import Bars, Boxes, Chart, HeatMap


def generator_charts(cells: Sequence[BuiltCell]) -> list[Chart]:
    """Returns a chart of nodes and one of edges: a panel for each difficulty, over all tasks."""
    difficulties = list(dict.fromkeys(cell.difficulty for cell in cells))
    groups: dict[str, dict[str, list[tuple[int, int]]]] = {name: {} for name in difficulties}
    for cell in cells:
        for one in cell.instances:
            sizes = (one.graph.n_nodes, one.graph.n_edges)
            groups[cell.difficulty].setdefault(one.generator, []).append(sizes)
    return [
        Chart(
            name,
            f"{name.capitalize()} of the graphs (median, quartiles, range), by generator",
            [
                [
                    Boxes(
                        difficulty,
                        name,
                        {
                            generator: [sizes[place] for sizes in of[generator]]
                            for generator in sorted(of)
                        },
                    )
                    for difficulty, of in groups.items()
                ]
            ],
        )
        for place, name in enumerate(("nodes", "edges"))
    ]


def answer_charts(tasks: Mapping[str, Sequence[BuiltCell]]) -> list[Chart]:
    """Returns a chart for each task: how often each answer is right, by difficulty."""
    return [
        Chart(
            f"answers_{task}",
            f"Answers of {task}, by difficulty",
            [[_answers(cell) for cell in cells]],
        )
        for task, cells in tasks.items()
    ]


def _answers(cell: BuiltCell) -> Bars:
    """Returns the shares of numbers, or of words by generator."""
    values = [(one.generator, answer_value(cell.task, one.answer)) for one in cell.instances]
    numbers = [value for _, value in values if isinstance(value, int)]
    if numbers:
        ticks = range(min(numbers), max(numbers) + 1)
        counts = Counter(numbers)
        shares = [100 * counts[tick] / len(numbers) for tick in ticks]
        names = [str(tick) for tick in ticks]
        return Bars(cell.difficulty, ANSWERS[cell.task], "% of instances", names, {"": shares})
    generators = sorted({generator for generator, _ in values})
    totals = Counter(generator for generator, _ in values)
    both = Counter(values)
    return Bars(
        cell.difficulty,
        "generator",
        "% of instances",
        generators,
        {
            str(word): [100 * both[name, word] / totals[name] for name in generators]
            for word in sorted({str(value) for _, value in values})
        },
    )


def token_charts(counts: TokenCounts) -> list[Chart]:
    """Returns the heat map of tokens (Figure 3)."""
    schemes, formats = combinations_of(counts)
    values = [[counts.mean(one, scheme) for one in formats] for scheme in schemes]
    title = "Tokens of a query, by prompt scheme and serialisation"
    panel = HeatMap(f"mean over {counts.instances} instances", schemes, formats, values)
    return [Chart("tokens", title, [[panel]])]
