"""What models answered: predictions from files and from Python values."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchloom.builders.errors import InputError
from benchloom.loaders.scores.column_names import lacks
from benchloom.loaders.scores.printable import printable
from benchloom.loaders.scores.rows import Rows
from benchloom.loaders.scores.tabular import is_table, plain, rows_of

NEEDED = ("id", "response")
COLUMNS = (*NEEDED, "model")
MODEL = "model"
"""The name of a model whose predictions come from Python without a name."""
_ROWS = (".jsonl", ".ndjson", ".csv", ".tsv", ".parquet", ".jsonl.gz", ".csv.gz")
"""Where all values of a mapping end so, they are files and no responses."""
_ENDINGS = (".gz", ".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".txt", ".parquet")


@dataclass(frozen=True)
class Predictions:
    """What models answered.

    Attributes:
        responses: For each model its responses by the ids of the records; None for no answer.
            Texts are as they were given, but that lone surrogates are U+FFFD.
        remarks: Sentences on what was odd about them.
    """

    responses: Mapping[str, Mapping[str, str | None]]
    remarks: tuple[str, ...] = ()

    def ids(self) -> list[str]:
        """Returns the ids that any model has an answer for, each once."""
        return list(dict.fromkeys(id for of in self.responses.values() for id in of))


def read_predictions(files: Sequence[Path]) -> Predictions:
    """Returns the predictions in files: JSONL, JSON lists, CSV or parquet, also with gzip.

    A row has an `id`, a `response` and perhaps a `model`; without one, the model is called like its
    file. A response that is no text counts as its JSON text, and one that is null or not a number
    as no answer. The same row twice counts once.

    Raises:
        InputError: If a file is not there, cannot be read, lacks a column or holds nothing, if it
            is given twice, or if an id of a model has two different responses.
    """
    if not files:
        raise InputError("there are no predictions; name a file of them")
    seen: dict[Path, str] = {}
    for path in files:
        name = printable(str(path), None)
        if (first := seen.get(path.resolve())) is not None:
            raise InputError(
                f"{name} is given twice; name it once"
                if first == name
                else f"{first} and {name} are the same file; name it once"
            )
        seen[path.resolve()] = name
    collected = _Collector()
    for path, name in zip(files, _model_names(files), strict=True):
        rows = Rows(path, NEEDED, COLUMNS)
        collected.add_all(rows, _Source(printable(str(path), None), name, rows))
        collected.remarks += rows.remarks
    return collected.predictions()


def as_predictions(value: Any) -> Predictions:
    """Returns predictions from whatever they come in.

    Args:
        value: Predictions; a path or several; a mapping of ids to responses, or a pandas Series
            whose index are the ids; rows with `id`, `response` and perhaps `model`: dicts, a pandas
            DataFrame (whose index may be the ids), a `datasets.Dataset` or an Arrow table; or a
            mapping of models to any of these, in which no `model` is read.

    Raises:
        InputError: If it is none of these, or for the reasons of `read_predictions`.
    """
    if isinstance(value, Predictions):
        return value
    if isinstance(value, str | os.PathLike):
        return read_predictions([Path(value)])
    if isinstance(value, Mapping) and not hasattr(value, "cache_files"):
        return _from_mapping(value)
    rows = rows_of(value, COLUMNS)
    if rows is None:
        raise InputError(
            f"predictions cannot be of the type {type(value).__name__}; give files, rows with id "
            "and response, or a mapping of ids to responses"
        )
    listed = list(rows)
    if listed and all(isinstance(one, str | os.PathLike) for one in listed):
        return read_predictions([Path(one) for one in listed])
    collected = _Collector()
    collected.add_all(enumerate(listed, 1), _Source("the predictions", MODEL))
    return collected.predictions()


def _from_mapping(value: Mapping[Any, Any]) -> Predictions:
    given = list(value.values())
    named = [isinstance(one, Mapping | Path) or is_table(one) for one in given]
    if given and all(isinstance(one, str) and one.lower().endswith(_ROWS) for one in given):
        named = [True] * len(given)
    if any(named) and not all(named):
        raise InputError(
            "predictions map ids to responses, or models to such mappings, tables or files; these "
            "do both"
        )
    models = value if any(named) else {MODEL: value}
    collected = _Collector()
    for model, responses in models.items():
        source = _Source(f"the predictions of {printable(str(model))}", str(model), fixed=True)
        if isinstance(responses, Mapping) and not is_table(responses):
            rows: Any = ({"id": id, "response": one} for id, one in responses.items())
        elif isinstance(responses, str | os.PathLike):
            path = Path(responses)
            source.file = Rows(path, NEEDED, NEEDED)
            source.name = printable(str(path), None)
            collected.add_all(source.file, source)
            collected.remarks += source.file.remarks
            continue
        else:
            rows = rows_of(responses, NEEDED)
        collected.add_all(enumerate(rows, 1), source)
    return collected.predictions()


@dataclass
class _Source:
    """Where rows come from.

    Attributes:
        name: Its name in sentences.
        model: The model of rows that name none.
        file: The file, None for what comes from Python.
        names_models: Whether its rows name their models; None before the first.
        fixed: Whether they are all of that model, whatever they name.
        odd: How many rows and which first, by what is odd about them.
    """

    name: str
    model: str
    file: Rows | None = None
    names_models: bool | None = None
    fixed: bool = False
    odd: dict[str, tuple[int, int]] = field(default_factory=dict)

    def place(self, number: int) -> str:
        return self.file.place(number) if self.file else f"{self.name}, row {number}"

    def note(self, what: str, number: int) -> None:
        count, first = self.odd.get(what, (0, number))
        self.odd[what] = count + 1, first

    def remarks(self) -> Iterator[str]:
        for what, (count, first) in sorted(self.odd.items()):
            more = f" ({count:,} in all)" if count > 1 else ""
            yield f"{self.place(first)}: {what}{more}"


class _Collector:
    """Predictions as they come in."""

    def __init__(self) -> None:
        self.remarks: list[str] = []
        self._responses: dict[str, dict[str, str | None]] = {}
        self._places: dict[str, dict[str, tuple[_Source, int]]] = {}

    def predictions(self) -> Predictions:
        """Returns what came in."""
        return Predictions(self._responses, tuple(self.remarks))

    def add_all(self, rows: Iterable[tuple[int, Any]], source: _Source) -> None:
        """Adds the rows of a source; models that they name are put into the order of their names.

        Raises:
            InputError: If a row cannot be used, or there is none.
        """
        before = list(self._responses)
        for number, row in rows:
            if not isinstance(row, Mapping):
                raise InputError(f"{source.place(number)} is no mapping with id and response")
            self._add(row, number, source)
        if source.names_models is None:
            what = "holds no predictions" if source.file else "hold nothing"
            raise InputError(f"{source.name} {what}; give rows with id and response")
        self._responses = {
            model: self._responses[model]
            for model in [*before, *sorted(self._responses.keys() - {*before})]
        }
        self.remarks += source.remarks()

    def _add(self, row: Mapping[str, Any], number: int, source: _Source) -> None:
        for lacking in NEEDED:
            if lacking not in row:
                there = [str(name) for name in row]
                raise InputError(f"{source.place(number)} {lacks(lacking, there)}")
        name = self._id(row["id"], number, source)
        response = self._response(row["response"], number, source)
        model = self._model(row.get("model"), number, source)
        responses = self._responses.setdefault(model, {})
        places = self._places.setdefault(model, {})
        if name not in responses:
            responses[name] = response
            places[name] = (source, number)
        elif responses[name] == response:
            source.note("an id and its response stand there again and count once", number)
        else:
            raise InputError(_two_responses(places[name], (source, number), name, model))

    def _id(self, value: Any, number: int, source: _Source) -> str:
        value = plain(value)
        if isinstance(value, int) and not isinstance(value, bool):
            source.note("the id is a number and is read as text", number)
            return str(value)
        if not isinstance(value, str) or not value:
            shown = printable(_as_json(value))
            raise InputError(f"{source.place(number)} has the id {shown}; give it the record's id")
        return self._text(value, number, source)

    def _response(self, value: Any, number: int, source: _Source) -> str | None:
        value = plain(value)
        if value is None or isinstance(value, str):
            return value if value is None else self._text(value, number, source)
        source.note(f"the response is {_kind(value)} and is read as its JSON text", number)
        return self._text(_as_json(value), number, source)

    def _model(self, value: Any, number: int, source: _Source) -> str:
        value = None if source.fixed else plain(value)
        named = value is not None and value != ""
        if source.names_models is None:
            source.names_models = named
        if named != source.names_models:
            raise InputError(
                f"{source.place(number)} names {'a' if named else 'no'} model, other rows "
                f"{'do not' if named else 'do'}; name one in each row"
            )
        if not named:
            return source.model
        text = value if isinstance(value, str) else _as_json(value)
        return self._text(text, number, source)

    def _text(self, text: str, number: int, source: _Source) -> str:
        """Returns a text that can be written as UTF-8."""
        if text.isascii():
            return text
        try:
            text.encode()
        except UnicodeEncodeError:
            source.note("halves of surrogate pairs are read as U+FFFD", number)
            return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return text


def _two_responses(
    before: tuple[_Source, int], now: tuple[_Source, int], name: str, model: str
) -> str:
    """Returns what to say of two different responses for one id of one model."""
    (first, line), (second, other) = before, now
    if first is not second:
        where = f"{first.place(line)} and {second.place(other)} give"
    elif first.file:
        where = f"{first.name} {first.file.unit}s {line} and {other} give"
    else:
        where = f"{first.name}, rows {line} and {other}, give"
    text = f"{where} the id {printable(name)!r} different responses"
    if second.names_models:
        return f"{text} of the model {printable(model)!r}; keep one of them"
    return f"{text}; keep one of them, or add a column 'model' if they are of several models"


def _as_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, int | float):
        return "a number"
    if isinstance(value, list):
        return "a list"
    return "an object" if isinstance(value, Mapping) else "no text"


def _model_names(files: Sequence[Path]) -> list[str]:
    """Returns the names that models have from their files: their stems, longer where two are equal.

    `a/run.jsonl` and `b/run.jsonl` are `a/run` and `b/run`; `run.csv` and `run.jsonl` keep their
    endings.
    """
    # Names of files may be no UTF-8.
    whole = [Path(os.fsencode(path.absolute()).decode(errors="replace")) for path in files]
    stems = [_stem(path.name) for path in whole]
    names = stems
    for depth in range(1, max((len(path.parts) for path in whole), default=1)):
        counts = Counter(names)
        if len(counts) == len(names):
            return names
        names = [
            name if counts[name] == 1 else "/".join([*path.parts[-1 - depth : -1], stem])
            for name, path, stem in zip(names, whole, stems, strict=True)
        ]
    return [
        name if Counter(names)[name] == 1 else path.name
        for name, path in zip(names, whole, strict=True)
    ]


def _stem(name: str) -> str:
    """Returns the name of a file without the endings of its format."""
    for ending in _ENDINGS:
        if name.lower().endswith(ending) and len(name) > len(ending):
            name = name[: -len(ending)]
    return name
