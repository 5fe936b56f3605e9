"""The report on scores: one HTML page that needs nothing but itself."""

from __future__ import annotations

import base64
import hashlib
import importlib.resources
import json
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from benchloom.builders.statistics import in_words
from benchloom.loaders.scores.best import best_cells
from benchloom.loaders.scores.figures import chart_figures, exhibit_figures
from benchloom.loaders.scores.markup import LONGEST_SENTENCE, start_box, text_of
from benchloom.loaders.scores.printable import LIMIT, printable

if TYPE_CHECKING:
    from benchloom.builders.statistics import Table
    from benchloom.loaders.scores.result import Result

SAMPLE = 5
"""So many verdicts of each kind are shown of each model."""
MOST_ROWS = 40
"""Tables of more rows are scrolled in their box."""
OUTCOMES = ("correct", "incorrect", "unparseable", "missing")
TITLES = {"vga": "Visual Graph Arena", "graphomni": "GraphOmni", "dragon": "DRAGON"}

HOW_IT_DECIDES = {
    "strict": "The strict grader takes only a final claim in an accepted form. An answer that "
    "makes none, or several that differ, is unparseable.",
    "lenient": "The lenient grader takes the last claim in free text. What stands in a block of "
    "thinking does not count, nor what follows a newly begun question; an answer that offers "
    "alternatives, breaks off while thinking, or only shows code, claims nothing and is "
    "unparseable.",
    "reference": "The reference grader imitates the evaluator that was published with the "
    "benchmark, known faults included, so that numbers can be compared with published ones. It is "
    "no measure of what a model can do.",
}
HOW_DRAGON_DECIDES = {
    "strict": "The strict grader takes only boxes written as ID/<x,y,width,height>, in pixels, "
    "after Answer: and before Explanation:.",
    "lenient": "The lenient grader takes boxes with any brackets or none, with units, and in "
    "lists; their numbers are never guessed to be anything but pixels.",
}
READ_FIRST = (
    "What an answer claims is read out of it first, without looking at the right answer; only then "
    "is the claim judged. Unparseable and missing answers count as wrong."
)


def render_report(result: Result) -> str:
    """Returns the report on a result as HTML.

    The page asks for no other file and runs no script, which its content security policy states.
    Whatever comes from models and users is escaped, and control characters in it are shown.
    Equal results give equal pages.

    Args:
        result: The scores.
    """
    style = _template("report.css")
    policy = (
        f"default-src 'none'; img-src data:; style-src {_hash(style)}; "
        "base-uri 'none'; form-action 'none'"
    )
    tables = [_table(table, result.models) for table in result.tables]
    sections = {
        "Overview": tables[:1],
        "What the records can tell": _sentences(result.sentences, result.models),
        "Remarks": _sentences(result.remarks, result.models),
        "Tables": tables[1:],
        "Charts": chart_figures(result.charts),
        "Pictures": exhibit_figures(result.exhibits),
        "Sample of verdicts": list(_verdicts(result)),
        "How the grader decides": [_grader(result)],
    }
    shown = {name: parts for name, parts in sections.items() if parts}
    links = "".join(f'<li><a href="#{_anchor(name)}">{escape(name)}</a></li>' for name in shown)
    body = "".join(
        f'<section id="{_anchor(name)}">\n<h2>{escape(name)}</h2>\n{"".join(parts)}</section>\n'
        for name, parts in shown.items()
    )
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="benchloom">
<title>{_title(result)}: scores</title>
<link rel="icon" href="data:,">
<style>{style}</style>
</head>
<body>
{_masthead(result)}
<nav class="bar" aria-label="Sections"><ul>{links}</ul></nav>
<main>
{body}</main>
</body>
</html>
"""


def _title(result: Result) -> str:
    return text_of(TITLES.get(result.benchmark, result.benchmark))


def _masthead(result: Result) -> str:
    data = {name: value for name, value in result.data.items() if name not in ("name", "scored")}
    about = {
        "data": result.data.get("name"),
        **data,
        "records": _records(result.data.get("scored")),
        "grader": f"{result.grader}, version {result.grader_version}",
    }
    pairs = "".join(
        f"<div><dt>{text_of(name)}</dt><dd>{text_of(in_words(value))}</dd></div>"
        for name, value in about.items()
        if value is not None
    )
    models = "".join(f"<li>{text_of(model, LIMIT)}</li>" for model in result.models)
    count = "1 model" if len(result.models) == 1 else f"{len(result.models)} models"
    return (
        f'<header class="masthead">\n<h1>{_title(result)}</h1>\n<p>Scores of {count}</p>\n'
        f'<dl class="about">{pairs}</dl>\n<ul class="models">{models}</ul>\n</header>'
    )


def _records(scored: Any) -> str | None:
    """Returns the number of records in all, and in each config and split, in words."""
    if not isinstance(scored, Mapping):
        return None if scored is None else str(scored)
    counts = {
        str(config): of if isinstance(of, Mapping) else {"": of} for config, of in scored.items()
    }
    total = sum(count for of in counts.values() for count in of.values())
    if len(counts) > 1:  # what each split holds stands in the tables
        return f"{total:,} of {', '.join(counts)}"
    return "; ".join(
        f"{count:,} of {f'{config}/{split}' if split else config}"
        for config, of in counts.items()
        for split, count in of.items()
    )


def _sentences(sentences: Sequence[str], models: Sequence[str]) -> list[str]:
    if not sentences:
        return []
    items = "".join(
        f"<li>{text_of(_short(one, models), LONGEST_SENTENCE)}</li>" for one in sentences
    )
    return [f'<ul class="said">{items}</ul>\n']


def _short(text: str, models: Sequence[str]) -> str:
    """Returns a text with long names of models cut, lest what is said of them is lost."""
    for model in models:
        if len(model) > LIMIT:
            text = text.replace(model, printable(model))
    return text


def _table(table: Table, models: Sequence[str]) -> str:
    """Returns a table in a box of its own, in which it can be scrolled sideways."""
    to_right = table.numbers()
    best = best_cells(table, models)
    parts = [f'<div class="table">\n<h3>{text_of(table.title, None)}</h3>\n']
    if table.rows:
        head = "".join(
            f'<th scope="col"{_number(right)}>{text_of(name, LIMIT).replace("_", "_<wbr>")}</th>'
            for name, right in zip(table.head, to_right, strict=True)
        )
        rows = "".join(
            "<tr>"
            + "".join(
                _cell(j, _short(text, models), to_right[j], (i, j) in best)
                for j, text in enumerate(texts)
            )
            + "</tr>\n"
            for i, texts in enumerate(table.texts())
        )
        parts += [
            _cue(len(table.rows), len(table.head)),
            start_box(table.title, len(table.rows) > MOST_ROWS),
            f"\n<table><thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody></table></div>\n",
        ]
    else:
        parts.append("<p>No rows.</p>\n")
    note = [table.note] if table.note else []
    note += ["Bold: the best of the models."] if best else []
    parts += [f'<p class="note">{text_of(" ".join(note), None)}</p>\n'] if note else []
    return "".join(parts) + "</div>\n"


def _cue(rows: int, columns: int) -> str:
    """Returns the words that say that there is more of a table than is seen at first."""
    long = f'<p class="cue">{rows:,} rows: scroll in the box</p>\n' if rows > MOST_ROWS else ""
    wide = f'<p class="cue narrow">{columns} columns: scroll sideways</p>\n'
    return long + (wide if columns > 3 else "")


def _cell(column: int, text: str, right: bool, best: bool) -> str:
    shown = f"<strong>{text_of(text)}</strong>" if best else text_of(text)
    if column == 0:
        return f'<th scope="row"{_number(right)}>{shown}</th>'
    return f"<td{_number(right)}>{shown}</td>"


def _number(right: bool) -> str:
    return ' class="number"' if right else ""


def _verdicts(result: Result) -> Iterator[str]:
    """Yields for each model some verdicts of each kind, spread over its records."""
    counts = result.counts()
    head = "".join(f'<th scope="col">{name}</th>' for name in ("id", "verdict", "claim", "why"))
    for model in result.models:
        found = counts[model]
        if not any(found.values()):
            continue
        said = ", ".join(f"{count:,} {outcome}" for outcome, count in found.items() if count)
        rows = "".join(
            _verdict(row) for outcome in OUTCOMES for row in _sample(result, model, outcome)
        )
        opened = " open" if len(result.models) <= 3 else ""
        yield (
            f'<details{opened}>\n<summary><span class="model">{text_of(model, LIMIT)}</span> '
            f"<span>{said}</span></summary>\n"
            f'{start_box(f"Verdicts on {printable(model)}")}\n<table class="verdicts"><thead>'
            f"<tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody></table></div>\n</details>\n"
        )


def _sample(result: Result, model: str, outcome: str) -> list[dict[str, Any]]:
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    table = result.verdicts.select(["id", "extracted", "verdict", "why", "model"])
    of_kind = pc.and_(
        pc.equal(table["model"].cast(pa.string()), model),
        pc.equal(table["verdict"].cast(pa.string()), outcome),
    )
    places = pc.indices_nonzero(of_kind).to_numpy()
    if len(places) > SAMPLE:
        places = places[np.arange(SAMPLE) * len(places) // SAMPLE]
    rows: list[dict[str, Any]] = table.take(places).to_pylist()
    return rows


def _verdict(row: Mapping[str, Any]) -> str:
    outcome = row["verdict"]
    claim = "nothing" if row["extracted"] is None else _claim(row["extracted"])
    return (
        f'<tr><th scope="row" class="id">{text_of(row["id"], 2 * LIMIT)}</th>'
        f'<td><span class="verdict {outcome}">{outcome}</span></td>'
        f"<td>{text_of(claim)}</td><td>{text_of(row['why'] or '')}</td></tr>\n"
    )


def _claim(extracted: str) -> str:
    """Returns a claim, which is kept as JSON, as people write it."""
    try:
        value = json.loads(extracted)
    except ValueError:
        return extracted
    return value if isinstance(value, str) else extracted


def _grader(result: Result) -> str:
    graders = HOW_DRAGON_DECIDES if result.benchmark == "dragon" else HOW_IT_DECIDES
    how = graders.get(result.grader, "")
    said = "".join(f"<p>{escape(one)}</p>\n" for one in (how, READ_FIRST) if one)
    version = text_of(f"{result.grader}, version {result.grader_version}")
    return f'{said}<p class="note">Grader of this report: {version}.</p>\n'


def _anchor(name: str) -> str:
    return name.lower().replace(" ", "-")


def _template(name: str) -> str:
    folder = importlib.resources.files("benchloom.loaders") / "templates"
    return (folder / name).read_text(encoding="utf-8")


def _hash(inline: str) -> str:
    """Returns how a content security policy names a style that stands in the page."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(inline.encode()).digest()).decode()}'"
