"""How fast regions are transferred, stage by stage, beside the paper's recipe in the same run."""

import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

from benchloom.builders.dragon import transfer as pipeline
from benchloom.builders.dragon.drawn_maps import DrawnMap, Look, draw_map
from benchloom.builders.dragon.features import prepare, single_thread
from benchloom.builders.dragon.transfer import PreparedTemplate
from benchloom.builders.dragon.transfers import METHODS, Transfer
from benchloom.builders.memory import peak_memory
from benchloom.builders.seeds import rng

Row = tuple[str, float, str, str]
MOST_IMAGES = 100
STAGES = {
    "decode": "decode_image",
    "edges": "prepare",
    "keypoints": "find_keypoints",
    "match": "match_keypoints",
    "fit": "fit",
    "gate": "compare",
    "judge": "_judge",
    "place": "place_regions",
}
"""The stages, and the functions that the transfer calls for them."""


def bench(limit: int) -> Iterator[Row]:
    """Yields rows (stage, value, unit, remark); times are of one thread's processor.

    The images are drawn maps of 1000 × 600 pixels that differ from the template in place, size and
    colours; every second one is without labels. What is left of the whole is in "rest".

    Args:
        limit: Number of images; 100 are taken at most.
    """
    count = min(limit, MOST_IMAGES)
    drawn = [draw_map(1, _look(number)) for number in range(count)]
    files = [one.png() for one in drawn]
    first = draw_map(1, Look())
    template = PreparedTemplate(first.template("drawn"), prepare(first.image))
    with single_thread():
        for method in METHODS:  # so that no import and no template is measured
            pipeline.transfer(files[0], "drawn", "0", [template], method)
        spent, done = _measure(files, template)
        started = time.thread_time()
        by_paper = [pipeline.transfer(one, "drawn", "", [template], "paper") for one in files]
        baseline = (time.thread_time() - started) / count
    whole = spent["all"] / count
    spent["rest"] = spent["all"] - sum(spent[stage] for stage in STAGES)
    for stage in (*STAGES, "rest"):
        yield stage, 1e3 * spent[stage] / count, "ms", f"{spent[stage] / spent['all']:.0%}"
    yield (
        "all stages",
        1e3 * whole,
        "ms",
        f"an image of 1000 × 600: {1 / whole:.1f} a second a core",
    )
    yield "baseline", 1e3 * baseline, "ms", "the paper's recipe, on the same images"
    yield "baseline / all stages", baseline / whole, "times", ""
    for name, results in (("auto", done), ("paper", by_paper)):
        placed = [_error(one, map_) for one, map_ in zip(results, drawn, strict=True)]
        wrong = sum(error > 5 for error in placed if error is not None)
        flagged = sum(error is None for error in placed)
        remark = f"placed more than 5 px wrong, of {count}; {flagged} flagged"
        yield f"silently wrong: {name}", wrong, "images", remark
    yield "memory", peak_memory(), "MB", "peak of this process"


def _look(number: int) -> Look:
    random = rng("bench", "dragon", number)
    scale = float(random.uniform(0.85, 1.1))
    return Look(
        scale=scale,
        left=float(random.uniform(40, 150)),
        top=float(random.uniform(60, 120)),
        colours=number,
        labels=number % 2 == 0,
    )


def _measure(
    files: Sequence[bytes], template: PreparedTemplate
) -> tuple[dict[str, float], list[Transfer]]:
    """Returns seconds by stage, "all" for the whole, and what became of the images."""
    spent: dict[str, float] = defaultdict(float)
    with ExitStack() as stack:
        for stage, name in STAGES.items():
            stack.enter_context(_timed(name, stage, spent))
        started = time.thread_time()
        done = [pipeline.transfer(one, "drawn", "", [template], "auto") for one in files]
        spent["all"] = time.thread_time() - started
    return spent, done


@contextmanager
def _timed(name: str, stage: str, spent: dict[str, float]) -> Iterator[None]:
    """Adds the time of a function of the transfer to a stage."""
    function = getattr(pipeline, name)

    def timed(*arguments: Any, **named: Any) -> Any:
        started = time.thread_time()
        try:
            return function(*arguments, **named)
        finally:
            spent[stage] += time.thread_time() - started

    setattr(pipeline, name, timed)
    try:
        yield
    finally:
        setattr(pipeline, name, function)


def _error(done: Transfer, drawn: DrawnMap) -> float | None:
    """Returns the largest error of a side on the map in pixels, None where it was flagged."""
    if done.status != "placed":
        return None
    return max(
        abs(ours - true)
        for region in done.regions
        if region.anchor == "map"
        for ours, true in zip(region.bbox, drawn.regions[region.id], strict=True)
    )
