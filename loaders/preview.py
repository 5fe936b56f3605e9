"""A contact sheet of a build: one HTML page that needs nothing but itself."""

import base64
import hashlib
import importlib.resources
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path

from benchloom.builders.benchmark import Record
from benchloom.builders.errors import InputError
from benchloom.builders.files import write_whole
from benchloom.loaders.directory import Build

# Answers that are more or longer than this are no choice among a few: no filter and no colours.
FILTERED_ANSWERS = 6
FILTERED_LENGTH = 24
IMAGE_TYPES = {
    b"\x89PNG": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF8": "image/gif",
    b"RIFF": "image/webp",
}


def write_preview(build: Build, to: Path, records_per_split: int) -> int:
    """Writes the contact sheet of a build and returns the number of records it shows.

    Args:
        build: The build.
        to: The page; an existing page is replaced, any other file is not.
        records_per_split: How many records of each split are shown.

    Raises:
        InputError: If the page cannot be written or a shard cannot be read.
    """
    try:
        if to.exists() and to.suffix.lower() not in (".html", ".htm"):
            raise InputError(
                f"{to} exists and is no .html file, so it is kept; name another with --to"
            )
        page, shown = render_preview(build, records_per_split)
        # A damaged manifest can hold half of a surrogate pair, which UTF-8 cannot.
        write_whole(to, page.encode("utf-8", "replace"))
    except OSError as error:
        raise InputError(f"{to} cannot be written: {error.strerror or error}") from None
    return shown


def render_preview(build: Build, records_per_split: int) -> tuple[str, int]:
    """Returns the contact sheet of a build as HTML, and the number of records it shows.

    The page asks for no other file and runs no script but its own, which its content security
    policy states by their hashes. Equal builds give equal pages.

    Args:
        build: The build.
        records_per_split: How many records of each split are shown.

    Raises:
        InputError: If a shard cannot be read.
    """
    style, script = _template("preview.css"), _template("preview.js")
    policy = (
        f"default-src 'none'; img-src data:; style-src {_hash(style)}; "
        f"script-src {_hash(script)}; base-uri 'none'; form-action 'none'"
    )
    sections, shown = [], 0
    for config in build.manifest.configs:
        section, count = _config(build, config, records_per_split)
        sections.append(section)
        shown += count
    links = "".join(
        f'<li><a href="#config-{escape(config)}">{escape(config)}</a></li>'
        for config in build.manifest.configs
    )
    page = f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="benchloom">
<title>{escape(build.benchmark.title)}: contact sheet</title>
<link rel="icon" href="data:,">
<style>{style}</style>
</head>
<body>
{_masthead(build, records_per_split)}
<div class="bar"><div>
<nav aria-label="Configs"><ul>{links}</ul></nav>
<button type="button" id="cover" aria-pressed="false">Hide answers</button>
</div></div>
<main>
{"".join(sections)}</main>
{_VIEWER}
<script>{script}</script>
</body>
</html>
"""
    return page, shown


_VIEWER = """<dialog class="viewer" aria-label="One record">
<form method="dialog">
<span class="id" aria-live="polite"></span>
<button type="button" id="previous" aria-label="Previous record">&larr;</button>
<button type="button" id="next" aria-label="Next record">&rarr;</button>
<button id="close" autofocus>Close</button>
</form>
<div class="content"><img alt="" hidden><pre tabindex="0" hidden></pre></div>
<div class="below"><p class="question"></p>
<div class="result"><button type="button" id="uncover" hidden>Show answer</button>
<span class="answer" aria-live="polite" hidden></span></div></div>
</dialog>"""


def _masthead(build: Build, records_per_split: int) -> str:
    manifest, recipe = build.manifest, build.manifest.recipe
    splits = [holds for built in manifest.configs.values() for holds in built.splits.values()]
    about: dict[str, object] = {
        "records": f"{sum(holds.rows for holds in splits):,}",
        "configs": len(manifest.configs),
        "splits": len(splits),
        "size": f"{sum(holds.bytes for holds in splits) / 1e6:,.1f} MB",
        "data version": manifest.version,
        "generation": recipe.generation,
        "seed": recipe.seed,
        "limit": "none" if recipe.limit is None else recipe.limit,
    }
    about |= {name.replace("_", " "): _words(value) for name, value in recipe.options.items()}
    every = tuple(manifest.configs) == tuple(build.benchmark.configs)
    command = f"{recipe.command(() if every else tuple(manifest.configs))} --out DIRECTORY"
    made: dict[str, list[str]] = {}
    for config, built in manifest.configs.items():
        versions = ", ".join(f"{name} {version}" for name, version in built.packages.items())
        made.setdefault(versions, []).append(config)
    lines = [
        versions if len(made) == 1 else f"{', '.join(configs)}: {versions}"
        for versions, configs in made.items()
    ]
    count = "record" if records_per_split == 1 else f"{records_per_split:,} records"
    return (
        f'<header class="masthead">\n<h1>{escape(build.benchmark.title)}</h1>\n'
        f"<p>Contact sheet: {count} of each split</p>\n"
        f"{_pairs('about', about)}\n"
        f'<pre class="command"><code>{escape(command)}</code></pre>\n'
        + "".join(f'<p class="made">Made with {escape(line)}</p>\n' for line in lines)
        + "</header>"
    )


def _config(build: Build, config: str, records_per_split: int) -> tuple[str, int]:
    """Returns a config's section of the page, and the number of records in it."""
    splits = build.manifest.configs[config].splits
    records = {
        split: [
            record
            for _, record in build.records(
                config, split, build.benchmark.preview_places(holds.rows, records_per_split)
            )
        ]
        for split, holds in splits.items()
    }
    every = [record for of_split in records.values() for record in of_split]
    questions = {_words(record["question"]) for record in every if record.get("question")}
    # A question that all records share is said once, above them.
    shared = questions.pop() if len(questions) == 1 else None
    answers = _answers([holds.labels for holds in splits.values()], every)
    parts = [f'<section class="config" id="config-{escape(config)}">\n<h2>{escape(config)}</h2>\n']
    if shared:
        parts.append(f'<p class="question">{escape(shared)}</p>\n')
    if answers:
        buttons = "".join(
            f'<button type="button" data-answer="{escape(answer)}" aria-pressed="false">'
            f"{escape(answer)}</button>\n"
            for answer in answers
        )
        parts.append(
            '<div class="filters" role="group" aria-label="Filter by answer"><span>Answer</span>\n'
            f'<button type="button" aria-pressed="true">all</button>\n{buttons}'
            '<span class="paused" hidden>not while answers are hidden</span></div>\n'
        )
    for split, holds in splits.items():
        _, _, remark = build.benchmark.outline(config, split)
        labels = " · ".join(f"{label}: {count:,}" for label, count in holds.labels.items())
        noted = [
            f"{holds.rows:,} {'record' if holds.rows == 1 else 'records'}",
            labels and f"answers {labels}",
            remark,
        ]
        cards = "".join(
            f"<li>{_card(build, config, record, shared, answers)}</li>\n"
            for record in records[split]
        )
        parts.append(
            f'<section class="split">\n<div class="heading"><h3>{escape(split)}</h3>'
            + "".join(f"<span>{escape(note)}</span>" for note in noted if note)
            + f'</div>\n<p class="none"{" hidden" if cards else ""}>No records.</p>\n'
            f'<ul class="cards">\n{cards}</ul>\n</section>\n'
        )
    parts.append("</section>\n")
    return "".join(parts), len(every)


def _answers(labels: Iterable[Mapping[str, int]], records: Iterable[Record]) -> list[str]:
    """Returns the answers that one may filter by, in the order of the labels, if few."""
    shown = {_words(record["answer"]) for record in records if "answer" in record}
    ordered = dict.fromkeys(label for counts in labels for label in counts if label in shown)
    answers = [*ordered, *sorted(shown - ordered.keys())]
    few = 2 <= len(answers) <= FILTERED_ANSWERS
    return answers if few and max(map(len, answers)) <= FILTERED_LENGTH else []


def _card(
    build: Build, config: str, record: Record, shared: str | None, answers: Sequence[str]
) -> str:
    shown = build.benchmark.preview(record, config)
    name = escape(_words(record.get("id", "record")))
    parts = []
    if shown.get("image") is not None:
        parts.append(
            '<button type="button" class="picture enlarge" title="Enlarge">'
            f'<img src="{_data_address(shown["image"])}" alt="Picture of {name}"></button>'
        )
    if shown.get("text") is not None:
        # HTML drops a line break that follows <pre>, so one is put there to be dropped.
        text = f"\n{escape(_words(shown['text']))}"
        # Beside a picture, the picture's button enlarges both.
        enlarge = '<button type="button" class="enlarge-text enlarge">Enlarge</button>'
        parts.append(
            f'<div class="text"><pre tabindex="0" aria-label="Text of {name}">{text}</pre>'
            f"{'' if parts else enlarge}</div>"
        )
    parts.append(f'<div class="said"><div class="top"><span class="id">{name}</span>')
    marks = ""
    if "answer" in record:
        answer = _words(record["answer"])
        marks = f' data-answer="{escape(answer)}"'
        hue = f" hue hue-{answers.index(answer)}" if answer in answers else ""
        parts.append(
            f'<span class="answer{hue}">{escape(answer)}</span>'
            '<button type="button" class="reveal" aria-label="Show answer">Show</button>'
        )
    parts.append("</div>")
    if shared is None and record.get("question"):
        parts.append(f'<p class="question">{escape(_words(record["question"]))}</p>')
    if shown.get("caption"):
        parts.append(f'<p class="caption">{escape(_words(shown["caption"]))}</p>')
    if shown.get("facts"):
        parts.append(_pairs("facts", shown["facts"]))
    parts.append("</div>")
    return f'<article class="card"{marks}>{"".join(parts)}</article>'


def _pairs(kind: str, values: Mapping[str, object]) -> str:
    """Returns a list of names and values."""
    pairs = "".join(
        f"<div><dt>{escape(name)}</dt><dd>{escape(_words(value))}</dd></div>"
        for name, value in values.items()
    )
    return f'<dl class="{kind}">{pairs}</dl>'


def _words(value: object) -> str:
    """Returns a value as people write it."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{name}={_words(item)}" for name, item in value.items())
    if isinstance(value, (list, tuple)):
        return ", ".join(_words(item) for item in value)
    return str(value)


def _data_address(image: bytes) -> str:
    kinds = [kind for start, kind in IMAGE_TYPES.items() if image.startswith(start)]
    kind = kinds[0] if kinds else "application/octet-stream"
    return f"data:{kind};base64,{base64.b64encode(image).decode()}"


def _template(name: str) -> str:
    folder = importlib.resources.files("benchloom.loaders") / "templates"
    return (folder / name).read_text(encoding="utf-8")


def _hash(inline: str) -> str:
    """Returns how a content security policy names a script or style that stands in the page."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(inline.encode()).digest()).decode()}'"
