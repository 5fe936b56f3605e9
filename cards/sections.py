"""The parts that all cards share, as Markdown."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchloom.builders.benchmark import Option
from benchloom.cards.front_matter import config_names, features_of, is_from_folder, parts_of
from benchloom.loaders.checks_file import Checks, split_digests
from benchloom.loaders.directory import Build

SIDES = ("_left", "_right")
LOCAL = "0.0.0"


class Where(NamedTuple):
    """Where a release is to be found.

    Attributes:
        repository: `ORG/NAME`, None when it is not known.
        version: The version of the data, 0.0.0 for a local build.
    """

    repository: str | None
    version: str

    @property
    def name(self) -> str:
        """What stands in commands for the place."""
        return "DIRECTORY" if self.is_local else self.repository or "ORG/NAME"

    @property
    def is_local(self) -> bool:
        """Whether it is a directory that was not published."""
        return self.version == LOCAL


def notice(build: Build, version: str, about: Mapping[str, Any]) -> str:
    """Returns version and size, and in what the build is not the published benchmark."""
    recipe = build.manifest.recipe
    rows = sum(build.rows(config, split) for config, split in build.splits())
    size = sum(
        holds.bytes for of in build.manifest.configs.values() for holds in of.splits.values()
    )
    named = "A local build, not published" if version == LOCAL else f"Version {version}"
    text = f"{named}: {_count(rows, 'record')}, {_size(size)}."
    differs = []
    if missing := [
        name
        for name in build.benchmark.configs
        if name not in (*build.manifest.configs, *build.benchmark.extra_configs)
    ]:
        differs.append(f"it lacks {', '.join(missing)}")
    if recipe.limit is not None:
        limit = about.get("limit", "it holds the first NUMBER records of each split")
        differs.append(limit.replace("NUMBER", f"{recipe.limit:,}"))
    if recipe.seed:
        differs.append(f"its seed is {recipe.seed}, not 0")
    for option in build.benchmark.options:
        usual = option.kind is Path and build.benchmark.needs_folder
        if option.name in recipe.options and not usual:
            differs.append(_option(option, recipe.options[option.name]))
    if differs:
        text += (
            "\n\n> **Not the whole benchmark as it is described here:** " + "; ".join(differs) + "."
        )
    return text


def _option(option: Option, value: Any) -> str:
    name = option.name.replace("_", " ")
    if option.kind is Path:
        return f"its {name} are not ours (digest {value})"
    if value is True:
        return f"it has {name}"
    if isinstance(value, Mapping):
        words = ", ".join(
            f"{key} {'-'.join(map(str, item)) if isinstance(item, list) else item}"
            for key, item in value.items()
        )
    else:
        words = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return f"{name}: {words}"


def picture(sheets: Sequence[str], shows: str) -> str:
    """Returns the overview as a picture, nothing when there is none.

    Args:
        sheets: The contact sheets.
        shows: What the overview shows.
    """
    (first,) = sheets[:1] or ("",)
    return f"![{shows}]({first})" if first else ""


def sheets(files: Sequence[str]) -> str:
    """Returns the contact sheets of the configs, folded up."""
    if not files[1:]:
        return ""
    shown = [
        f"**{name}**\n\n![Records of {name}, with split and answer]({file})"
        for file in files[1:]
        if (name := file.removeprefix("preview/").removesuffix(".png"))
    ]
    text = "\n\n".join(shown)
    return f"<details>\n<summary>Records of each config</summary>\n\n{text}\n\n</details>"


def load(where: Where, config: str, build: Build) -> str:
    """Returns how to load a config, from the Hub or from the directory."""
    wanted = list(parts_of(build, config))
    split = "test" if "test" in wanted else wanted[0]
    revision = "" if where.is_local else f', revision="v{where.version}"'
    return (
        "```python\nfrom datasets import load_dataset\n\n"
        f'data = load_dataset("{where.name}", "{config}", split="{split}"{revision})\n'
        "print(data[0])\n```\n\n"
        f"The default config is `{config}`. Only parquet is loaded; no code is run."
    )


def splits(build: Build) -> str:
    """Returns the table of configs and splits with their sizes."""
    published = build.benchmark.needs_folder or not build.manifest.recipe.options
    labelled = any(
        holds.labels for of in build.manifest.configs.values() for holds in of.splits.values()
    )
    head = ["config", "split", "records", "size"]
    head += ["answers"] if labelled else []
    head += ["remarks"] if published else []
    rows = []
    for name in config_names(build):
        for split, parts in parts_of(build, name).items():
            holds = [build.manifest.configs[part].splits[split] for part in parts]
            row = [f"`{name}`", f"`{split}`", f"{sum(one.rows for one in holds):,}"]
            row.append(_size(sum(one.bytes for one in holds)))
            if labelled:
                labels = holds[0].labels if parts == [name] else {}
                row.append(", ".join(f"{label}: {count:,}" for label, count in labels.items()))
            if published:
                row.append(
                    build.benchmark.outline(name, split)[2]
                    if parts == [name]
                    else f"the files of the {len(parts)} configs together"
                )
            rows.append(row)
    return _table(head, rows)


def columns(build: Build, meanings: Mapping[str, str]) -> str:
    """Returns a table of columns for each group of configs that have the same ones."""
    groups: dict[tuple[tuple[str, str], ...], list[str]] = {}
    for config in build.manifest.configs:
        features = features_of(build, config)
        names = tuple((name, type_in_words(features[name])) for name in features)
        groups.setdefault(names, []).append(config)
    tables = []
    for names, configs in groups.items():
        rows: dict[str, list[str]] = {}
        for name, kind in names:
            base = re.sub("|".join(f"{side}$" for side in SIDES), "", name)
            if base in rows and rows[base][1] == kind:
                rows[base][0] += f", `{name}`"
            else:
                rows[base] = [f"`{name}`", kind, meanings.get(base, "")]
        title = f"In {', '.join(f'`{config}`' for config in configs)}:\n\n"
        tables.append(
            (title if len(groups) > 1 else "")
            + _table(["column", "type", "meaning"], list(rows.values()))
        )
    return "\n\n".join(tables)


def type_in_words(feature: Any) -> str:
    """Returns the type of a declared feature, such as `list of int32`."""
    kind = type(feature).__name__
    if isinstance(feature, (list, tuple)):
        return f"list of {type_in_words(feature[0])}"
    if isinstance(feature, Mapping):
        return "; ".join(f"{name}: {type_in_words(part)}" for name, part in feature.items())
    if kind == "Value":
        return str(feature.dtype)
    if kind in ("List", "LargeList", "Sequence"):
        return f"list of {type_in_words(feature.feature)}"
    if kind == "ClassLabel":
        return "class label"
    return kind.lower()


def made(build: Build) -> str:
    """Returns the command that makes the build again, and with what versions it was made."""
    recipe, manifest = build.manifest.recipe, build.manifest
    usual = tuple(
        name for name in build.benchmark.configs if name not in build.benchmark.extra_configs
    )
    whole = tuple(manifest.configs) == usual and not is_from_folder(build)
    command = recipe.command(() if whole else tuple(manifest.configs))
    versions: dict[str, list[str]] = {}
    for config, built in manifest.configs.items():
        words = ", ".join(f"{name} {version}" for name, version in built.packages.items())
        versions.setdefault(words, []).append(config)
    lines = [
        f"Made with {words}." if len(versions) == 1 else f"{', '.join(configs)}: {words}."
        for words, configs in versions.items()
    ]
    return (
        f"Generation {recipe.generation}, seed {recipe.seed}. With the same versions this command "
        "makes the same bytes again:\n\n"
        f"```sh\n{command} --out DIRECTORY\n```\n\n" + "\n\n".join(lines) + "\n\n"
        "`manifest.json` holds the recipe, the versions and the SHA-256 of every shard; `records/` "
        "holds the id and the digest of every record."
    )


def checks(build: Build, found: Checks, where: Where, audit: str) -> str:
    """Returns what was found in this very build, and how to check it oneself.

    Args:
        build: The build.
        found: The figures by check.
        where: Where the release is to be found.
        audit: What an audit does with a record, in words.
    """
    told = {
        "verify": "made records again from the recipe and compared every column and every pixel",
        "audit": audit or "worked the answers out anew from what the records show",
    }
    lines = []
    for name, what in told.items():
        if name in found:
            figures = found[name]["figures"]
            rows = sum(build.rows(*of.split("/")) for of in found[name]["digests"])
            faults = figures.get("faults", 0)
            lines.append(
                f"- `benchloom {name}` {what}: {figures.get('records', 0):,} of {rows:,} records"
                f"{_covered(build, found[name])}, "
                f"{_count(faults, 'fault') if faults else 'no fault'}."
            )
    stats = found.get("stats", {}).get("figures", {})
    if bounds := stats.get("bounds"):
        broken = [one for one in bounds if one["state"] == "BROKEN"]
        checked = [one for one in bounds if one["state"] in ("holds", "BROKEN")]
        words = "; ".join(
            f"{one['where']}, {one['rule']}: {one['value']} (promised {one['allowed']})"
            for one in broken
        )
        lines.append(
            f"- `benchloom stats` compared what rules that read nothing reach with promised bounds"
            f"{_covered(build, found['stats'])}: "
            f"{len(checked) - len(broken):,} of {len(checked):,} hold"
            f"{f'; broken are {words}' if words else ''}."
        )
    tables = "\n\n".join(
        f"**{table['title']}**\n\n{_table(table['head'], table['rows'])}"
        + (f"\n\n{table['note']}" if table.get("note") else "")
        for table in stats.get("tables", ())
    )
    lines = lines or ["No check of this build has been noted yet."]
    return "\n".join(lines) + (f"\n\n{tables}" if tables else "") + _check_yourself(build, where)


def _covered(build: Build, check: Mapping[str, Any]) -> str:
    """Returns what a check was made on, in words, unless that is the whole build."""
    every = split_digests(build.manifest)
    if len(check["digests"]) == len(every):
        return ""
    return f" of {', '.join(dict.fromkeys(of.split('/')[0] for of in check['digests']))}"


def _check_yourself(build: Build, where: Where) -> str:
    if where.is_local:
        commands = [f"benchloom {name} DIRECTORY" for name in ("verify", "audit", "stats")]
        if is_from_folder(build) or build.benchmark.needs_folder:
            commands[0] += " --from FOLDER"
    else:
        commands = [f"benchloom verify {where.name} --revision v{where.version} --sample 200"]
    text = "\n".join(commands)
    return f"\n\nCheck it yourself:\n\n```sh\n{text}\n```"


def folder(build: Build) -> str:
    """Returns that the graphs are a user's own, nothing when they are not."""
    if not is_from_folder(build):
        return ""
    return (
        "The graphs of this build come from a folder of whoever made it, not from the generators "
        "below."
    )


def licence(build: Build, usual: str) -> str:
    """Returns under which licence the data are, as far as that is known."""
    if not is_from_folder(build):
        return usual
    return (
        "The graphs of this build come from a folder of whoever made it; source and licence are "
        "theirs to state, and benchloom does not know them."
    )


def _table(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(
        f"| {' | '.join(str(cell).replace('|', chr(92) + '|') for cell in line)} |"
        for line in lines
    )


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _size(count: int) -> str:
    for step, unit in ((1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if count >= step:
            return f"{count / step:.1f} {unit}"
    return f"{count} bytes"
