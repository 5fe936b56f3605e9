"""`benchloom dragon propose`: items of a source with proposed evidence, ready for review."""

import argparse
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchloom.loaders.answers.dragon import COORDINATES, Coordinates
from benchloom.scripts.arguments import add_command, add_most, folder, print_table, whole_number

if TYPE_CHECKING:
    from benchloom.builders.dragon.evidence_answers import ModelProposal
    from benchloom.builders.dragon.prompts import Strategy
    from benchloom.builders.dragon.work import WorkItem

STRATEGIES = ("edge", "sage", "verge")
ANSWERS = "model_answers"
"""Where in the working folder a model's answers are kept."""
EXAMPLE = """\
benchloom dragon propose mapwise ~/data/MapWise --work work --regions work/regions.jsonl
  benchloom dragon propose chartqa ~/data/ChartQA --work work --split test --sample 100 \\
      --endpoint http://127.0.0.1:8000/v1 --model MODEL --strategy verge

WORK gets items.jsonl and sources.json; sources add up. Of a source that is read again the same
items are replaced, and reviews stay; questions that it has no longer are withdrawn, unless only a
part is read (--split, --sample). A model's answers are kept in WORK/model_answers, so the same
command sends nothing twice; the key of the endpoint is read from OPENAI_API_KEY.

exit status: 0 good, 1 the model answered no item, 2 input that cannot be used"""


def add_parser(commands: Any) -> None:
    """Adds the command."""
    parser = add_command(
        commands,
        "propose",
        "Read a source, join transferred regions, and propose evidence for review.",
        EXAMPLE,
    )
    parser.add_argument(
        "source",
        metavar="SOURCE",
        help="ai2d, chartqa, circuit_vqa, infographics_vqa, mapiq or mapwise",
    )
    parser.add_argument("folder", metavar="FOLDER", type=folder, help="the copy of the source")
    parser.add_argument(
        "--work", metavar="WORK", type=folder, required=True, help="the working folder"
    )
    parser.add_argument(
        "--regions",
        metavar="REGIONS.jsonl",
        type=Path,
        action="append",
        default=[],
        help="what `benchloom dragon transfer` wrote; give it again for more",
    )
    parser.add_argument(
        "--split",
        metavar="S",
        action="append",
        default=[],
        help="only this part of the source; give it again for more",
    )
    parser.add_argument(
        "--sample",
        metavar="N",
        type=whole_number(1),
        help="only N items, always the same; a larger N adds to them",
    )
    model = parser.add_argument_group("a model in place of the rules (needs benchloom[llm])")
    model.add_argument("--endpoint", metavar="URL", help="OpenAI-compatible, up to /v1")
    model.add_argument("--model", metavar="NAME", help="its name there")
    model.add_argument("--strategy", choices=STRATEGIES, help="how it is asked (default: edge)")
    model.add_argument(
        "--coordinates",
        choices=COORDINATES,
        help="what its numbers are; they are never guessed (default: xywh, in pixels)",
    )
    model.add_argument(
        "--timeout",
        metavar="SECONDS",
        type=whole_number(1),
        help="how long to wait for one reply, which is asked for six times at most (default: 120)",
    )
    model.add_argument(
        "--parallel", metavar="N", type=whole_number(1), default=4, help="requests at one time"
    )
    add_most(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Proposes, and writes the working folder."""
    from benchloom.builders.dragon.folder_check import drop_undecodable
    from benchloom.builders.dragon.preparation import (
        choose_transfers,
        count_unmatched,
        find_superseded,
        find_withdrawn,
        prepare_items,
        select,
    )
    from benchloom.builders.dragon.sources import source
    from benchloom.builders.dragon.sources.texts import count
    from benchloom.builders.dragon.transfers import read_transfers
    from benchloom.builders.dragon.work import ITEMS, Work, merge, read_work, write_work
    from benchloom.builders.errors import InputError

    for_model = ("model", "strategy", "coordinates", "timeout")
    if not arguments.endpoint and any(getattr(arguments, name) for name in for_model):
        raise InputError("--model, --strategy, --coordinates and --timeout need --endpoint")
    if arguments.endpoint and not arguments.model:
        raise InputError("--endpoint needs --model, the model's name there")
    work = read_work(arguments.work) if (arguments.work / ITEMS).exists() else Work()
    transfers = [one for path in arguments.regions for one in read_transfers(path)]
    of = source(arguments.source)
    reading = of.read(arguments.folder)
    before = [one for one in work.items if one.item.source == of.name]
    superseded = find_superseded(before, reading.items)
    withdrawn: list[str] = []
    if not arguments.split and arguments.sample is None:  # all of the source was read
        gone = find_withdrawn(before, reading)
        withdrawn = [name for name in gone if name not in superseded]
    chosen = select(reading.items, arguments.split, arguments.sample, set(superseded.values()))
    chosen, undecodable = drop_undecodable(reading.root, chosen)
    if not chosen:
        raise InputError(
            f"no question in {arguments.folder} can be used; `benchloom dragon check` says why"
        )
    found = choose_transfers(transfers)
    items = prepare_items(chosen, found, before)
    notes: list[str] = []
    status = 0
    if arguments.endpoint:
        items, notes, answered = _ask(items, arguments)
        status = 0 if answered else 1
    merged = merge(work.items, of.name, items, {*superseded, *withdrawn})
    folders = {**work.folders, of.name: arguments.folder.resolve()}
    write_work(arguments.work, merged, folders)
    _report(items, arguments)
    for note in notes:
        print(note)
    faults = [str(fault) for fault in undecodable]
    shown = faults[: arguments.most or None]
    for fault in shown:
        print(fault)
    if len(faults) > len(shown):
        print(f"... and {len(faults) - len(shown):,} more (--most 0 prints all)")
    if transfers and (unmatched := count_unmatched(reading.items, transfers)):
        print(
            f"{unmatched:,} of {count(len(transfers), 'line')} in the files of --regions are of "
            "images that no question of the source is about; for images that changed since, run "
            "`benchloom dragon transfer` again"
        )
    if old := sum(
        one.template_id is not None and one.item.image.sha256 not in found for one in items
    ):
        print(f"{count(old, 'item')} without a line in --regions: the regions of before are kept")
    for line in _describe_changes(before, items, superseded, arguments.most):
        print(line)
    for line in _describe_withdrawn(withdrawn, arguments.most):
        print(line)
    kept = sum(one.item.source == of.name for one in merged) - len(items)
    if kept:
        those = count(kept, f"item of {of.title} that was", f"items of {of.title} that were")
        print(
            f"{those} not read this time {'stays as it was' if kept == 1 else 'stay as they were'}"
        )
    if reading.faults:
        print(
            f"{count(len(reading.faults), 'fault')} in the source: see `benchloom dragon check "
            f"{of.name} {arguments.folder}`"
        )
    return status


def _ask(
    items: "Sequence[WorkItem]", arguments: argparse.Namespace
) -> "tuple[list[WorkItem], list[str], int]":
    """Returns the items with what a model proposes, what there is to say, and how many it answered.

    An item keeps what the rules propose if the model gives no usable answer.
    """
    from concurrent.futures import ThreadPoolExecutor
    from dataclasses import replace

    from benchloom.builders.dragon.evidence_answers import ask_model
    from benchloom.builders.dragon.model import TIMEOUT, Model
    from benchloom.builders.progress import Progress

    timeout = arguments.timeout or TIMEOUT
    model = Model(arguments.endpoint, arguments.model, arguments.work / ANSWERS, timeout)
    strategy: Strategy = arguments.strategy or "edge"
    coordinates: Coordinates = arguments.coordinates or "xywh"
    told: list[ModelProposal] = []
    pool = ThreadPoolExecutor(arguments.parallel)
    try:
        with Progress(len(items), "items") as progress:
            for one in pool.map(
                lambda work: ask_model(model, work.item, strategy, coordinates), items
            ):
                told.append(one)
                progress.reach(len(told))
    finally:
        pool.shutdown(cancel_futures=True)
    proposed = [
        work if one.failed else replace(work, proposed=one.evidence)
        for work, one in zip(items, told, strict=True)
    ]
    return proposed, _describe(items, told, arguments.most), sum(not one.failed for one in told)


def _describe_changes(
    before: "Sequence[WorkItem]",
    items: "Sequence[WorkItem]",
    superseded: "Mapping[str, str]",
    most: int,
) -> list[str]:
    """Returns which items the source has corrected, as lines."""
    asked = {one.id: one.item.asked for one in before}
    lines = [
        f"{old}: the source has corrected it, it is {new} now" for old, new in superseded.items()
    ]
    lines += [
        f"{one.id}: the source has corrected its question, answer or choices"
        for one in items
        if asked.get(one.id, one.item.asked) != one.item.asked
    ]
    if not lines:
        return []
    shown = lines[: most or None]
    if len(lines) > len(shown):
        shown.append(f"... and {len(lines) - len(shown):,} more (--most 0 prints all)")
    return [*shown, "what was decided about these before counts for nothing; review them again"]


def _describe_withdrawn(withdrawn: "Sequence[str]", most: int) -> list[str]:
    """Returns which items are no longer in the source, as lines."""
    if not withdrawn:
        return []
    shown = list(withdrawn[: most or None])
    lines = [f"{name}: the source has it no longer, it is withdrawn" for name in shown]
    if more := len(withdrawn) - len(shown):
        lines.append(f"... and {more:,} more (--most 0 prints all)")
    return [
        *lines,
        "what was decided about these stays in the logs, and counts again if they come back",
    ]


def _describe(items: "Sequence[WorkItem]", told: "Sequence[ModelProposal]", most: int) -> list[str]:
    """Returns what happened to the model's answers, as lines."""
    lines = []
    for work, one in zip(items, told, strict=True):
        if one.failed:
            lines.append(f"{work.id}: {one.failed}; the rules propose in its place")
        lines += [f"{work.id}: malformed: {' '.join(text.split())[:80]}" for text in one.malformed]
        lines += [f"{work.id}: {warning}" for warning in one.warnings]
    shown = lines[: most or None]
    if len(lines) > len(shown):
        shown.append(f"... and {len(lines) - len(shown):,} more (--most 0 prints all)")
    answered = [one for one in told if not one.failed]
    if not answered:
        shown.append("the model answered no item: what is proposed is what the rules say")
    return [
        *shown,
        f"the model: {len(answered):,} of {len(told):,} items answered, "
        f"{sum(not one.evidence for one in answered):,} without a box; "
        f"{sum(len(one.malformed) for one in told):,} malformed boxes, "
        f"{sum(one.outside for one in told):,} outside their image and "
        f"{sum(one.repeated for one in told):,} given before left out; "
        f"{sum(one.cut for one in told):,} answers cut short; "
        f"{sum(one.asked for one in told):,} requests answered, all others kept from before",
    ]


def _report(items: "Sequence[WorkItem]", arguments: argparse.Namespace) -> None:
    splits = dict.fromkeys(one.item.split for one in items)
    rows: list[list[Any]] = []
    for split in [*splits, *(["in all"] if len(splits) > 1 else [])]:
        those = [one for one in items if split in (one.item.split, "in all")]
        roles = Counter(evidence.role for one in those for evidence in one.proposed)
        redraw = sum(
            bool(region and region.needs_redraw)
            for one in those
            for region in map(one.region, one.proposed)
        )
        rows.append(
            [
                split,
                len(those),
                len({one.item.path for one in those}),
                sum(bool(one.item.regions) for one in those),
                sum(bool(one.proposed) for one in those),
                roles["answer"],
                roles["support"],
                redraw,
            ]
        )
    head = ("", "items", "images", "with regions", "with proposals", "answer boxes")
    print_table((*head, "support boxes", "to be drawn anew"), rows)
    print(f"\n{arguments.work}")
