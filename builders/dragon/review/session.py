"""What the page shows and saves: one annotator, one working folder, one way of looking at it."""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from benchloom.builders.dragon.agreement import is_current
from benchloom.builders.dragon.edits import next_drawn, settle
from benchloom.builders.dragon.resolution import (
    MATCH_IOU,
    Resolved,
    find_arbiter_fault,
    is_about,
    resolve_logs,
)
from benchloom.builders.dragon.review_log import (
    DRAFTS,
    Decision,
    Kind,
    Log,
    LogWriter,
    Marks,
    read_logs,
)
from benchloom.builders.dragon.work import Evidence, Work, WorkItem
from benchloom.builders.errors import InputError
from benchloom.builders.files import sha256_of

Mode = Literal["review", "arbitration", "marks"]


class ConflictError(InputError):
    """What is to be saved goes on from something that another window has changed since.

    Attributes:
        revision: What the item's revision is now.
    """

    def __init__(self, revision: int) -> None:
        """Says so to the annotator."""
        super().__init__("changed in another window; reload to see it")
        self.revision = revision


@dataclass(frozen=True)
class _Entry:
    """An item on the page.

    Attributes:
        item: The item.
        reviews: Of arbitration, what the annotators decided.
        selection: Of the second pass, the regions that are judged.
        stale: Of arbitration and marks, this annotator's decision that reviews have overtaken.
        refusal: Why this annotator cannot decide it; empty if they can.
    """

    item: WorkItem
    reviews: tuple[Decision, ...] = ()
    selection: tuple[Evidence, ...] = ()
    stale: Decision | None = None
    refusal: str = ""


class ReviewSession:
    """An annotator's session; may be used from several threads.

    Attributes:
        mode: What is done: the first review, arbitration, or the marks of the second pass.
        waiting: Items that cannot be marked yet, as fewer than two have reviewed them.
        notes: What the annotator should know, a sentence each.
        page: The file of the page.
    """

    page = "review.html"

    def __init__(
        self,
        work: Work,
        folder: Path,
        writer: LogWriter,
        mode: Mode = "review",
        match: float = MATCH_IOU,
        source: str | None = None,
    ) -> None:
        """Reads the logs and chooses the items.

        Args:
            work: The items.
            folder: The working folder.
            writer: The annotator's log.
            mode: What is done.
            match: Two boxes are one from this intersection over union up.
            source: The only source whose items are shown; None shows those of all.

        Raises:
            InputError: If a log cannot be used, or there is nothing to do.
        """
        self.mode: Mode = mode
        self._match = match
        self._writer = writer
        self._lock = threading.Lock()
        self._sources = tuple(work.folders)
        self._digests: dict[tuple[Path, int, int], str] = {}
        items = [one for one in work.items if source in (None, one.item.source)]
        if not items:
            raise InputError(f"{folder} has no items" + (f" of {source!r}" if source else ""))
        resolution = resolve_logs(items, read_logs(folder), match)
        entries = [self._entry(one) for one in resolution.items]
        self._entries = {one.item.id: one for one in entries if one is not None}
        self.waiting = sum(one.selection is None for one in resolution.items)
        self.notes = list(resolution.set_aside) if source is None else []
        if not self._entries:
            raise InputError(_NOTHING[mode].format(folder=folder))

    def _entry(self, one: Resolved) -> _Entry | None:
        if self.mode == "review":
            return _Entry(one.item)
        if self.mode == "marks":
            selection = one.selection
            if not selection:  # where none is left, there is nothing to judge
                return None
            marks = self._writer.log.last("marks").get(one.item.id)
            stale = marks if marks and not is_current(marks, selection) else None
            return _Entry(one.item, selection=selection, stale=stale)
        mine = self._writer.log.last("arbitration").get(one.item.id)
        if not one.needs_arbiter and mine is None:
            return None
        fault = find_arbiter_fault(self._writer.annotator, one.reviews)
        return _Entry(
            one.item,
            one.reviews,
            stale=mine if one.reason == "changed_after_arbitration" else None,
            refusal=f"An arbitration of {one.item.id} {fault}." if fault else "",
        )

    @property
    def done(self) -> int:
        """How many of the items are decided."""
        return len(self._find_done(self._writer.log))

    def __len__(self) -> int:
        return len(self._entries)

    def _find_done(self, log: Log) -> dict[str, Decision]:
        """Returns by item what was decided and stands: nothing was changed since."""
        changed = log.changed(self.mode)
        return {
            name: decision
            for name, decision in log.last(self.mode).items()
            if name in self._entries
            and name not in changed
            and is_about(decision, self._entries[name].item)
            and decision != self._entries[name].stale
            and not self._entries[name].refusal
        }

    def overview(self) -> dict[str, Any]:
        """Returns what the page needs to know of all items, as JSON values."""
        with self._lock:
            done = self._find_done(self._writer.log)
            decided = self._writer.log.last(self.mode)
        return {
            "mode": self.mode,
            "annotator": self._writer.annotator,
            "match": self._match,
            "waiting": self.waiting,
            "items": [
                {
                    "id": name,
                    "source": entry.item.item.source,
                    "done": name in done,
                    "ambiguous": name in decided and decided[name].ambiguous,
                }
                for name, entry in self._entries.items()
            ],
        }

    def item(self, name: str) -> WorkItem:
        """Returns an item of the page.

        Raises:
            InputError: If there is no such item.
        """
        if name not in self._entries:
            raise InputError(f"there is no item {name!r} on this page")
        return self._entries[name].item

    def describe(self, name: str) -> dict[str, Any]:
        """Returns one item with what was decided about it so far, as JSON values.

        Raises:
            InputError: If there is no such item.
        """
        of = self.item(name)
        entry = self._entries[name]
        with self._lock:
            mine = [one for one in self._writer.decisions if one.item == name]
            revision = self._revision(name)
        seen = [box for one in (*mine, *entry.reviews) for box in one.evidence]
        here = [one for one in mine if is_about(one, of)]
        decision = _last(here, self.mode)
        draft = _last(here, self.mode, DRAFTS.get(self.mode, self.mode))
        if draft and draft.kind == "marks-draft" and not is_current(draft, entry.selection):
            draft = decision  # it was about other regions
        return {
            "id": of.id,
            "source": of.item.source,
            "question": of.item.question,
            "answer": of.item.answer,
            "choices": list(of.item.choices),
            "image": of.item.image.to_json(),
            "fault": self.find_fault(of) or entry.refusal or None,
            "regions": [region.to_json() for region in of.item.regions],
            "proposed": [one.to_json() for one in of.proposed],
            "reviews": [_decision(review) for review in entry.reviews],
            "selection": [one.to_json() for one in entry.selection],
            "decision": _decision(decision),
            "draft": None if _is_same(draft, decision) else _decision(draft),
            "replaced": len(here) < len(mine),
            "next_drawn": next_drawn(of, seen),
            "revision": revision,
        }

    def picture(self, name: str) -> Path:
        """Returns the picture of an item.

        Raises:
            InputError: If there is no such item, or its picture is missing or has changed.
        """
        of = self.item(name)
        if fault := self.find_fault(of):
            raise InputError(fault)
        return of.item.path

    def find_fault(self, item: WorkItem) -> str | None:
        """Returns why an item cannot be decided now: its picture; None if it can."""
        path = item.item.path
        try:
            status = path.stat()
            key = path, status.st_mtime_ns, status.st_size
            if key not in self._digests:
                self._digests[key] = sha256_of(path)
        except OSError:
            if item.item.source not in self._sources:
                return (
                    f"The picture is missing: no copy of {item.item.source} is known; run "
                    "`benchloom dragon propose` with it."
                )
            return f"The picture is missing: {path}"
        if self._digests[key] != item.item.image.sha256:
            return (
                f"The picture has changed since the proposals were made: {path}. "
                "Run `benchloom dragon propose` again."
            )
        return None

    def save(self, value: Mapping[str, Any]) -> dict[str, Any]:
        """Enters a decision or a draft into the log and returns what the page shows of it.

        Args:
            value: JSON values: item, draft, and evidence, ambiguous and note or marks; revision is
                that of the item which they go on from.

        Raises:
            ConflictError: If the item has another revision now.
            InputError: If it cannot be saved; the message is for the annotator.
        """
        of = self.item(str(value.get("item")))
        if fault := self.find_fault(of) or self._entries[of.id].refusal:
            raise InputError(fault)
        draft, note = value.get("draft") is True, value.get("note", "")
        revision = value.get("revision")
        if type(revision) is not int:
            raise InputError("the revision must be a whole number")
        evidence, ambiguous = value.get("evidence", []), value.get("ambiguous") is True
        if not isinstance(note, str):
            raise InputError("the note must be a text")
        if not (isinstance(evidence, list) and all(isinstance(one, dict) for one in evidence)):
            raise InputError("the evidence must be a list")
        marks = None
        if self.mode == "marks":
            marks = _marks(value.get("marks"))
            boxes = self._entries[of.id].selection
        else:
            boxes = settle(of, (Evidence.from_json(one) for one in evidence))
        kind = DRAFTS.get(self.mode, self.mode) if draft else self.mode
        says: dict[str, Any] = {
            "evidence": boxes,
            "ambiguous": ambiguous,
            "note": note.encode(errors="replace").decode(),
            "marks": marks,
        }
        with self._lock:
            now = self._revision(of.id)
            last = _last(self._entered(of.id), kind) if revision != now else None
            if revision == now:
                entered = self._writer.append(
                    of.id, of.item.image.sha256, kind, **says, asked=of.item.asked
                )
            elif last and last.says_same(replace(last, **says)):  # only the reply was lost
                entered = last
            else:
                raise ConflictError(now)
            done = of.id in self._find_done(self._writer.log)
            now = self._revision(of.id)
        return {"draft": draft, "done": done, "revision": now, **(_decision(entered) or {})}

    def _entered(self, name: str) -> list[Decision]:
        """Returns the entries of this way of looking at an item, the oldest first."""
        kinds = (self.mode, DRAFTS.get(self.mode, self.mode))
        return [one for one in self._writer.decisions if one.item == name and one.kind in kinds]

    def _revision(self, name: str) -> int:
        """Returns how often something was saved of an item; a log only grows, so no two are one."""
        return len(self._entered(name))


_NOTHING: Mapping[Mode, str] = {
    "review": "{folder} has no items",
    "arbitration": "{folder} has nothing to arbitrate: no two annotators disagree, and nothing is "
    "flagged as ambiguous",
    "marks": "{folder} has nothing to mark yet: an item is marked after two have reviewed it",
}


def _last(decisions: Sequence[Decision], *kinds: Kind) -> Decision | None:
    return next((one for one in reversed(decisions) if one.kind in kinds), None)


def _is_same(one: Decision | None, other: Decision | None) -> bool:
    return one is other or (one is not None and other is not None and one.says_same(other))


def _marks(value: Any) -> Marks:
    if not isinstance(value, dict) or {type(value.get(name)) for name in ("cvr", "cea")} != {bool}:
        raise InputError("mark both: CVR and CEA")
    return Marks(value["cvr"], value["cea"])


def _decision(decision: Decision | None) -> dict[str, Any] | None:
    """Returns what the page shows of an entry."""
    if decision is None:
        return None
    value = decision.to_json()
    names = ("annotator", "time", "evidence", "ambiguous", "note", "marks")
    return {name: value[name] for name in names}
