// What an annotator changes. Every change is kept as a draft and can be undone.

import { nudged, sameBox } from "./boxes.js";
import { $ } from "./elements.js";
import { save } from "./saving.js";
import { draw, drawProgress, evidenceList, say } from "./side.js";
import { boxOf, copy, isMarked, page } from "./state.js";

const SOON = 250; // milliseconds
let waiting = 0; // a draft that is sent soon: the timer

// `soon` is for changes that come one after the other, such as those of a key that is held down.
export function edit(change, soon = false) {
  if (!page.doc || page.item.fault || page.overview.mode === "marks") return;
  page.before.push(copy(page.doc));
  page.undone = [];
  change(page.doc);
  changed(soon);
}

export function changed(soon = false) {
  page.warned = "";
  say("");
  if (soon) {
    forgetWaiting();
    waiting = setTimeout(keep, SOON);
  } else {
    keep();
  }
  draw();
}

export function forgetWaiting() {
  clearTimeout(waiting);
  waiting = 0;
}

export function keepWaiting() {
  if (waiting) keep();
}

export function keep() {
  forgetWaiting();
  const entry = page.shown[page.place];
  const { evidence, ambiguous, note, marks } = page.doc;
  if (marks && !isMarked()) return; // a half is no mark: the page asks for the other one
  saveItem({ draft: true, evidence, ambiguous, note, marks })
    .then((said) => { entry.done = said.done; drawProgress(); })
    .catch(() => {});
}

// Saves on top of what this page knows of the item, and of nothing newer.
export async function saveItem(value) {
  const of = page.item;
  try {
    const said = await save({ item: of.id, ...value, get revision() { return of.revision; } });
    of.revision = said.revision;
    return said;
  } catch (error) {
    if (error.revision !== undefined && of === page.item) setConflict(error.revision);
    throw error;
  }
}

export function setConflict(revision) {
  page.conflict = revision;
  $("conflict").hidden = revision === null;
  drawProgress();
}

export function keepMine() {
  page.item.revision = page.conflict;
  setConflict(null);
  keep();
  say("Yours is kept. Press Enter to accept it.");
}

export function keepText(finished) {
  if (!finished) {
    keep();
    return;
  }
  page.before.push(page.typedFrom ?? copy(page.doc));
  page.typedFrom = copy(page.doc);
  page.undone = [];
  changed();
}

export function step(from, to) {
  if (!from.length || !page.doc) return;
  to.push(copy(page.doc));
  page.doc = from.pop();
  if (!page.doc.evidence.some((one) => one.id === page.selected)) page.selected = null;
  changed();
}

export function nextId() {
  const id = `d${page.item.next_drawn}`;
  page.item.next_drawn += 1;
  return id;
}

export function add(box) {
  edit((now) => {
    const added = { id: nextId(), role: page.lastRole, ...box };
    now.evidence.push(added);
    page.selected = added.id;
  });
  page.drawing = false;
  draw();
  if (!box.label) evidenceList.label?.focus();
}

export function addRegion(id) {
  const of = page.item.regions.find((one) => one.id === id);
  if (!of) return;
  // A proposal that was removed is the same one again.
  const proposal = page.item.proposed.find((one) => one.region === id && sameBox(one.bbox, of.bbox)
    && !page.doc.evidence.some((box) => box.id === one.id));
  if (proposal) {
    edit((now) => { now.evidence.push(copy(proposal)); page.selected = proposal.id; });
  } else {
    add({ bbox: [...of.bbox], label: of.label, region: of.id, origin: of.origin });
  }
}

export function remove(id) {
  edit((now) => {
    const at = now.evidence.findIndex((one) => one.id === id);
    now.evidence.splice(at, 1);
    page.selected = now.evidence[Math.min(at, now.evidence.length - 1)]?.id ?? null;
  });
}

export function setRole(id, role) {
  page.lastRole = role;
  if (boxOf(id).role !== role) {
    edit((now) => { boxOf(id).role = role; });
  }
}

export function nudge(event) {
  edit(() => {
    const one = boxOf(page.selected);
    one.bbox = nudged(one.bbox, event, page.item.image);
  }, true);
}

export function select(id) {
  page.selected = id;
  draw();
  evidenceList.reveal();
  if (page.overview.mode !== "marks") page.panes[page.side].stage.reveal(id);
}

export function selectNext(by) {
  const list = page.doc?.evidence ?? [];
  if (!list.length) return;
  const at = list.findIndex((one) => one.id === page.selected);
  select(list[at < 0 ? (by > 0 ? 0 : list.length - 1) : (at + by + list.length) % list.length].id);
}
