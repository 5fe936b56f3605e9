"""Charts of VGA's scores."""

from __future__ import annotations

from collections.abc import Sequence

from benchloom.builders.statistics import Bars, Chart, HeatMap, Share
from benchloom.loaders.scores.vga_sheets import Sheet, by_config, confusion, tally


def charts(sheets: Sequence[Sheet], models: Sequence[str]) -> list[Chart]:
    """Returns accuracy beside chance, and the confusion matrices, a chart for each config."""
    names = [sheet.name for sheet in sheets]
    tallies = {model: [tally(sheet, model) for sheet in sheets] for model in models}
    chance = {"chance": [Share(of.chance) for of in next(iter(tallies.values()), [])]}
    bars = Bars(
        "with 95% intervals",
        "config and split",
        "accuracy",
        names,
        {model: [of.accuracy for of in row] for model, row in tallies.items()},
        intervals={model: [of.interval for of in row] for model, row in tallies.items()},
        baselines=chance,
        shares=True,
    )
    found = [Chart("accuracy", "Accuracy by split", [[bars]])]
    for config, of in by_config(sheets):
        panels = [[_heat_map(sheet, model) for sheet in of] for model in models]
        found.append(Chart(f"confusion_{config}", f"Confusion matrices, {config}", panels))
    return found


def _heat_map(sheet: Sheet, model: str) -> HeatMap:
    counts = confusion(sheet, model)
    values = [[count / max(row.sum(), 1) for count in row] for row in counts]
    return HeatMap(
        f"{model}, {sheet.split}",
        list(sheet.labels),
        [*sheet.labels, "other"],
        [row if counts[place].any() else [None] * len(row) for place, row in enumerate(values)],
        x="answered",
        y="right",
        limits=(0, 1),
        shares=True,
    )
