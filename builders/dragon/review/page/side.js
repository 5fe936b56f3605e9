// The side of the page: the question, the evidence, and the marks of the second pass.

import { addRegion, keep, keepText, remove, setRole } from "./changes.js";
import { $, button, element } from "./elements.js";
import { EvidenceList, RegionList } from "./lists.js";
import { drawPanes } from "./panes.js";
import { boxOf, copy, isGuess, isMarked, outlined, page } from "./state.js";

export const evidenceList = new EvidenceList($("evidence"), {
  select: (id) => { if (page.selected !== id) { page.selected = id; evidenceList.mark(id); drawPanes(); page.panes[page.side].stage.reveal(id); } },
  role: (id) => setRole(id, boxOf(id).role === "answer" ? "support" : "answer"),
  label: (id, text, finished) => { if (boxOf(id)) { boxOf(id).label = text; keepText(finished); } },
  start: () => { page.typedFrom = copy(page.doc); },
  remove: (id) => remove(id),
});
const regionList = new RegionList($("regions"), {
  add: (id) => addRegion(id),
  hover: (id) => page.panes.forEach(({ stage }) => stage.hover(id)),
});

export function draw() {
  drawPanes();
  const marking = page.overview.mode === "marks";
  $("marks-part").hidden = !marking;
  $("evidence-part").hidden = marking || !page.doc;
  $("compare").hidden = Boolean(page.doc);
  $("compare").replaceChildren(element("p", "Look at both, then take one side: press 1 for the left, 2 for the right. You can change what you took, and copy single boxes from the other side by double click or K."));
  if (marking) drawMarks();
  else if (page.doc) drawEvidence();
  drawProgress();
  $("previous").disabled = page.place === 0;
  $("next").disabled = page.place >= page.shown.length - 1;
  $("accept").disabled = Boolean(page.item.fault);
}

export function drawProgress() {
  const done = page.overview.items.filter((one) => one.done).length;
  $("bar").max = page.overview.items.length;
  $("bar").value = done;
  $("done").textContent = `${done.toLocaleString("en")} of ${page.overview.items.length.toLocaleString("en")} done`
    + (page.overview.waiting && page.overview.mode === "marks" ? ` · ${page.overview.waiting.toLocaleString("en")} wait for two reviews` : "");
  $("state").textContent = state();
}

function state() {
  if (page.conflict !== null) return "What you changed is not saved.";
  const marking = page.overview.mode === "marks";
  if (marking && !page.item.decision && !(page.doc && isMarked())) return "Not marked yet.";
  if (!page.item.decision) return page.item.draft || page.before.length ? "Not accepted yet; your changes are kept." : "Not decided yet.";
  const when = new Date(page.item.decision.time).toLocaleString();
  if (page.before.length || page.item.draft) return `Changed since you accepted it on ${when}.`;
  return page.shown[page.place].done ? `Accepted on ${when}.` : `Reviewed again since you decided on ${when}: decide again.`;
}

function drawEvidence() {
  const { evidence } = page.doc;
  $("evidence-count").textContent = evidence.length;
  const boxes = evidence.map((one) => ({ ...one, guess: isGuess(one) }));
  evidenceList.set({ item: page.item.id, boxes, proposed: page.item.proposed, selected: page.selected });
  regionList.set({ item: page.item.id, regions: page.item.regions.filter((one) => !evidence.some((box) => box.region === one.id)) });
  $("regions-part").hidden = !page.item.regions.length;
  $("outlines").checked = outlined();
  $("undo").disabled = !page.before.length;
  $("redo").disabled = !page.undone.length;
  $("reset").hidden = page.overview.mode !== "review";
  $("draw").setAttribute("aria-pressed", page.drawing);
  $("ambiguous").checked = page.doc.ambiguous;
  if (document.activeElement !== $("note")) $("note").value = page.doc.note;
}

export function say(text) {
  $("warning").textContent = text;
}

export function buildMarks() {
  for (const name of ["cvr", "cea"]) {
    for (const yes of [true, false]) {
      const press = button(yes ? "Yes" : "No", () => mark({ [name]: yes }));
      press.dataset.mark = `${name}-${yes}`;
      $(name).append(press);
    }
  }
}

export function mark(marks) {
  if (page.item.fault) return;
  Object.assign(page.doc.marks, marks);
  page.before.push(null);
  page.warned = "";
  say("");
  keep();
  draw();
}

function drawMarks() {
  for (const press of document.querySelectorAll("[data-mark]")) {
    const [name, yes] = press.dataset.mark.split("-");
    press.setAttribute("aria-pressed", page.doc.marks[name] === (yes === "true"));
  }
  $("selection").replaceChildren(...page.item.selection.map((one) => {
    const line = element("li", "", one.role);
    line.append(element("code", one.id), element("span", one.role, "role"), element("span", one.label));
    return line;
  }));
  if (!page.item.selection.length) $("selection").replaceChildren(element("li", "None: all boxes were drawn anew or removed."));
}
