"""`benchloom build`: builds configs of a benchmark into a directory."""

import argparse
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from benchloom.builders.benchmark import Benchmark, benchmarks
from benchloom.builders.errors import InputError
from benchloom.scripts.arguments import (
    add_command,
    add_jobs,
    add_options,
    folder,
    given_options,
    print_table,
    whole_number,
)

EXAMPLES = {"vga": "benchloom build vga hard_iso ham_path --limit 1000 --out data/vga"}


def add_parser(commands: Any) -> None:
    """Adds the command, with a sub-command for each benchmark."""
    parser = add_command(
        commands,
        "build",
        "Build configs of a benchmark into a directory that load_dataset opens.",
        EXAMPLES["vga"],
    )
    names = parser.add_subparsers(title="benchmarks", metavar="BENCHMARK", required=True)
    for name, of in benchmarks().items():
        _add_benchmark(names, name, of)


def _add_benchmark(names: Any, name: str, of: Benchmark) -> None:
    parser = add_command(
        names,
        name,
        f"Build {of.title}. The same command goes on after a stop; configs add up.",
        EXAMPLES.get(name, f"benchloom build {name} --out data/{name}"),
    )
    parser.add_argument(
        "configs",
        metavar="CONFIG",
        nargs="*",
        help=f"which of {', '.join(of.configs)} (default: all)",
    )
    parser.add_argument("--out", metavar="DIR", type=folder, required=True, help="where to")
    parser.add_argument(
        "--seed",
        metavar="N",
        type=whole_number(0),
        default=0,
        help="another seed, other records (default: 0, the published ones)",
    )
    parser.add_argument("--limit", metavar="N", type=whole_number(1), help=of.limit_help)
    add_options(parser, of.options)
    add_jobs(parser)
    parser.add_argument("--overwrite", action="store_true", help="replace the build that is there")
    parser.add_argument("--dry-run", action="store_true", help="print the plan and build nothing")
    parser.set_defaults(run=run, benchmark=name)


def run(arguments: argparse.Namespace) -> int:
    """Builds, and prints a summary table."""
    from benchloom.builders.pipeline import BuildStopped, build, make_plan
    from benchloom.builders.recipe import Recipe

    of = benchmarks()[arguments.benchmark]
    recipe = Recipe.of(
        arguments.benchmark,
        seed=arguments.seed,
        limit=arguments.limit,
        options=given_options(arguments, of.options),
    )
    _check_apart(arguments.out, recipe.inputs.values())
    for remark in of.remarks(recipe, arguments.configs):
        print(remark.encode("utf-8", "backslashreplace").decode())  # of odd names of files
    if arguments.dry_run:
        plan = make_plan(recipe, arguments.configs)
        shards = {(shard.config, shard.split): 0 for shard in plan.shards}
        for shard in plan.shards:
            shards[shard.config, shard.split] += 1
        rows = [
            (config, split, len(plan.specs[config][split]), count)
            for (config, split), count in shards.items()
        ]
        print_table(("config", "split", "records", "shards"), rows)
        print(f"{plan.rows:,} records in {len(plan.shards)} shards would go to {arguments.out}")
        return 0
    started = time.monotonic()
    try:
        manifest = build(
            recipe,
            arguments.out,
            arguments.configs,
            jobs=arguments.jobs,
            overwrite=arguments.overwrite,
        )
    except BuildStopped as error:
        raise InputError(str(error)) from None
    summary = [
        (
            config,
            split,
            holds.rows,
            _labels(holds.labels),
            len(holds.shards),
            f"{holds.bytes / 1e6:.1f} MB",
            holds.digest,
        )
        for config, built in manifest.configs.items()
        for split, holds in built.splits.items()
    ]
    print_table(("config", "split", "records", "labels", "shards", "size", "digest"), summary)
    total = sum(
        holds.rows for built in manifest.configs.values() for holds in built.splits.values()
    )
    print(f"{total:,} records in {arguments.out}, after {time.monotonic() - started:.1f} s")
    return 0


def _check_apart(out: Path, inputs: Iterable[Path]) -> None:
    """Refuses to build into a folder that is read: the next build would read what this wrote.

    Raises:
        InputError: If the output would lie there.
    """
    for read in inputs:
        if out.resolve().is_relative_to(read.resolve()):
            raise InputError(f"{out} lies in {read}, which is read; choose another --out")


def _labels(labels: Any) -> str:
    return " ".join(f"{label}:{count}" for label, count in labels.items())
