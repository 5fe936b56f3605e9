"""What people decided, one append-only log for each of them.

A log is `reviews/<annotator>.jsonl` in the working folder, a JSON object on each line. A line is on
the disk before the page says that it is saved. Nothing is ever changed or taken out: of an
annotator's entries of one kind for one item, the last one counts.
"""

import getpass
import json
import os
import platform
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, get_args

from benchloom.builders.dragon.work import REVIEWS, Evidence
from benchloom.builders.errors import InputError
from benchloom.builders.files import sync, write_whole

Kind = Literal["review", "arbitration", "marks", "review-draft", "arbitration-draft", "marks-draft"]
"""What an entry is. A draft is what was changed on the page and not yet accepted; it counts for
nothing, and is there so that a crash loses no stroke."""
KINDS: tuple[Kind, ...] = get_args(Kind)
DRAFTS: Mapping[Kind, Kind] = {
    "review": "review-draft",
    "arbitration": "arbitration-draft",
    "marks": "marks-draft",
}
ANNOTATOR = re.compile(r"[a-z0-9_-]{1,64}")


@dataclass(frozen=True)
class Marks:
    """How an annotator judges the selected regions of an item (appendix D.2).

    Attributes:
        cvr: Complete Visual Reasoning: they cover the whole chain of reasoning.
        cea: Core Evidence Alignment: they hold the primary evidence.
    """

    cvr: bool
    cea: bool


@dataclass(frozen=True)
class Decision:
    """One entry of a log.

    Attributes:
        item: The item's id.
        image_sha256: Of the picture that was looked at.
        annotator: Who decided.
        time: When, in UTC: `2026-01-31T12:00:00.000000+00:00`.
        kind: What was decided.
        evidence: The boxes that are right; of `marks`, the boxes that were judged.
        ambiguous: Whether the item is flagged as ambiguous, for an arbiter.
        note: What the annotator wrote.
        marks: Of `marks` alone, otherwise None.
        session: Who ran the page and where, so that two people under one name can be told apart.
        external: Of a review that was imported, what tells which annotation of another tool it is;
            empty where nothing does.
        asked: Of the item, `Item.asked`; empty in logs of before there was such a thing.
    """

    item: str
    image_sha256: str
    annotator: str
    time: str
    kind: Kind
    evidence: tuple[Evidence, ...] = ()
    ambiguous: bool = False
    note: str = ""
    marks: Marks | None = None
    session: str = ""
    external: str = ""
    asked: str = ""

    def says_same(self, other: "Decision") -> bool:
        """Tells whether two entries differ in nothing but who made them, when, and their kind."""
        names = ("item", "image_sha256", "evidence", "ambiguous", "note", "marks")
        return all(getattr(self, name) == getattr(other, name) for name in names)

    def to_json(self) -> dict[str, Any]:
        """Returns the entry as plain JSON values."""
        marks = None if self.marks is None else {"cvr": self.marks.cvr, "cea": self.marks.cea}
        value = {
            "item": self.item,
            "image_sha256": self.image_sha256,
            "annotator": self.annotator,
            "time": self.time,
            "kind": self.kind,
            "evidence": [one.to_json() for one in self.evidence],
            "ambiguous": self.ambiguous,
            "note": self.note,
            "marks": marks,
            "session": self.session,
        }
        more = {"external": self.external, "asked": self.asked}
        return value | {name: text for name, text in more.items() if text}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "Decision":
        """Returns the entry that `to_json` wrote.

        Raises:
            InputError: If a field is missing or is not what it should be.
        """
        names = ("item", "image_sha256", "annotator", "time")
        try:
            texts = [value[name] for name in names]
            kind, evidence, marks = value["kind"], value["evidence"], value["marks"]
            ambiguous, note = value["ambiguous"], value["note"]
        except KeyError as error:
            raise InputError(f"an entry has no field {error.args[0]!r}") from None
        more = [value.get(name, "") for name in ("session", "external", "asked")]
        if not all(isinstance(text, str) for text in (*texts, note, *more)):
            raise InputError(
                f"{', '.join(names)}, note, session, external and asked of an entry must be texts"
            )
        if kind not in KINDS:
            raise InputError(f"the kind of an entry must be one of {', '.join(KINDS)}")
        if not (isinstance(evidence, list) and all(isinstance(one, dict) for one in evidence)):
            raise InputError("the evidence of an entry must be a list of objects")
        if not isinstance(ambiguous, bool):
            raise InputError("ambiguous must be true or false")
        found = tuple(Evidence.from_json(one) for one in evidence)
        if len({one.id for one in found}) < len(found):
            raise InputError("two boxes of an entry have one id")
        item, image_sha256, annotator, time = texts
        return cls(
            *(item, image_sha256, annotator, time, kind),
            *(found, ambiguous, note, _marks(kind, marks), *more),
        )


def _marks(kind: Kind, value: Any) -> Marks | None:
    """Returns the marks of an entry, which only one of that kind has."""
    if kind not in ("marks", "marks-draft"):
        if value is not None:
            raise InputError(f"an entry of kind {kind} has no marks")
        return None
    if not isinstance(value, dict) or {type(value.get(n)) for n in ("cvr", "cea")} != {bool}:
        raise InputError("marks must be an object of cvr and cea, each true or false")
    return Marks(value["cvr"], value["cea"])


@dataclass(frozen=True)
class Log:
    """What one annotator decided.

    Attributes:
        annotator: Their name.
        path: The file.
        decisions: All entries, the oldest first.
        torn: What a crash left of a last line that could not be finished; empty if nothing.
    """

    annotator: str
    path: Path
    decisions: tuple[Decision, ...] = ()
    torn: bytes = b""

    def last(self, *kinds: Kind) -> dict[str, Decision]:
        """Returns by item the last entry that is of one of the kinds."""
        return {one.item: one for one in self.decisions if one.kind in kinds}

    def changed(self, kind: Kind) -> dict[str, Decision]:
        """Returns by item the draft that says other things than what was accepted before it."""
        accepted = self.last(kind)
        latest = self.last(kind, DRAFTS.get(kind, kind))
        return {
            item: latest[item] for item, one in accepted.items() if not latest[item].says_same(one)
        }

    def since(self, kind: Kind) -> dict[str, str]:
        """Returns by item the time from which on the entries say what the last one says."""
        last: dict[str, Decision] = {}
        times: dict[str, str] = {}
        for one in self.decisions:
            if one.kind != kind:
                continue
            if one.item not in last or not one.says_same(last[one.item]):
                times[one.item] = one.time
            last[one.item] = one
        return times

    @property
    def people(self) -> list[str]:
        """Who ran the page under this name, as far as the log tells: `user@host`, sorted."""
        return sorted({one.session.split(" ")[0] for one in self.decisions if one.session})


def check_name(annotator: str) -> str:
    """Returns an annotator's name.

    Raises:
        InputError: If it cannot be one.
    """
    if not ANNOTATOR.fullmatch(annotator):
        raise InputError(
            f"an annotator's name is made of a to z, 0 to 9, _ and -, not {annotator!r}"
        )
    return annotator


def read_log(path: Path) -> Log:
    """Returns what a log holds; nothing is changed on the disk.

    Raises:
        InputError: If a line before the last cannot be used: no crash makes one, so somebody
            changed the file.
    """
    annotator = check_name(path.stem)
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        data = b""
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None
    *lines, torn = data.split(b"\n")
    decisions: list[Decision] = []
    for number, line in enumerate(lines, 1):
        try:
            decisions.append(_decision(line, annotator))
        except InputError as error:
            raise InputError(f"{path}, line {number}: {error}") from None
    if torn:
        try:  # only the end of the line is missing
            decisions.append(_decision(torn, annotator))
            torn = b""
        except InputError:
            pass
    return Log(annotator, path, tuple(decisions), torn)


def _decision(line: bytes, annotator: str) -> Decision:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        raise InputError("it is no JSON") from None
    if not isinstance(value, dict):
        raise InputError("it is no JSON object")
    decision = Decision.from_json(value)
    if decision.annotator != annotator:
        raise InputError(f"it is by {decision.annotator!r}, and the log is that of {annotator!r}")
    return decision


def read_logs(folder: Path) -> tuple[Log, ...]:
    """Returns all logs of a working folder, by the annotators' names.

    Raises:
        InputError: As for `read_log`.
    """
    return tuple(read_log(path) for path in sorted((folder / REVIEWS).glob("*.jsonl")))


@dataclass
class LogWriter:
    """An annotator's log, open for this process alone.

    Attributes:
        annotator: Their name.
        path: The file.
        decisions: All entries, the oldest first, with those that were added.
        recovered: Where the torn last line that was found is kept now; None if there was none.
        session: What the new entries tell of who ran the page.
    """

    annotator: str
    path: Path
    decisions: list[Decision]
    recovered: Path | None = None
    session: str = field(default_factory=lambda: f"{person()} {os.getpid()} {now()}")

    @property
    def log(self) -> Log:
        """What the log holds now."""
        return Log(self.annotator, self.path, tuple(self.decisions))

    def append(
        self,
        item: str,
        image_sha256: str,
        kind: Kind,
        evidence: tuple[Evidence, ...] = (),
        ambiguous: bool = False,
        note: str = "",
        marks: Marks | None = None,
        external: str = "",
        asked: str = "",
    ) -> Decision:
        """Returns the new entry, which is on the disk.

        Raises:
            InputError: If it cannot be written; the log is then as it was.
        """
        decision = Decision(
            *(item, image_sha256, self.annotator, now(), kind),
            *(evidence, ambiguous, note, marks, self.session),
            external=external,
            asked=asked,
        )
        line = json.dumps(decision.to_json(), ensure_ascii=False, allow_nan=False) + "\n"
        before = self.path.stat().st_size
        try:
            with self.path.open("ab") as file:
                file.write(line.encode())
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            os.truncate(self.path, before)  # the disk was full: no half of a line stays
            raise InputError(f"{self.path} cannot be written: {error.strerror}") from None
        self.decisions.append(decision)
        return decision


@contextmanager
def open_log(folder: Path, annotator: str) -> Iterator[LogWriter]:
    """Opens an annotator's log for writing; the lock goes with the process, even a killed one.

    A torn last line is moved to `<annotator>.torn` beside the log, below those of before.

    Args:
        folder: The working folder.
        annotator: Their name.

    Raises:
        InputError: If the name cannot be one, if another session holds the log, or if the log
            cannot be read or written.
    """
    from filelock import FileLock, Timeout

    path = folder / REVIEWS / f"{check_name(annotator)}.jsonl"
    holder = path.with_suffix(".session")
    lock = FileLock(path.with_suffix(".lock"), timeout=0)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock.acquire()
        writer = _recover(path)
        write_whole(holder, writer.session)
    except Timeout:
        raise InputError(
            f"{annotator!r} has a session open already ({_text(holder)}): end it, or review under "
            "a name of your own"
        ) from None
    except OSError as error:
        lock.release()
        raise InputError(f"{path} cannot be written: {error.strerror}") from None
    except InputError:
        lock.release()
        raise
    try:
        yield writer
    finally:
        holder.unlink(missing_ok=True)
        lock.release()


def _recover(path: Path) -> LogWriter:
    """Returns the writer of a log that ends with a whole line from here on."""
    log = read_log(path)
    aside = path.with_suffix(".torn")
    with path.open("ab") as file:  # makes it, if it is new
        size = file.tell()
    sync(path.parent)
    if log.torn:
        with aside.open("ab") as file:
            file.write(log.torn + b"\n")
        sync(aside)
        os.truncate(path, size - len(log.torn))
    elif size and not path.read_bytes().endswith(b"\n"):
        with path.open("ab") as file:
            file.write(b"\n")
    sync(path)
    return LogWriter(log.annotator, path, list(log.decisions), aside if log.torn else None)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError:
        return "on another machine or in another process"


def now() -> str:
    """Returns the time in UTC as entries hold it; texts sort as the times do."""
    return datetime.now(UTC).isoformat(timespec="microseconds")


def person() -> str:
    """Returns who runs this process and where: `user@host`."""
    try:
        user = getpass.getuser()
    except (OSError, KeyError):  # an account without a name
        user = str(os.getuid())
    return re.sub(r"\s", "_", f"{user}@{platform.node()}")
