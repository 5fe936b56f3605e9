// The picture with its boxes; in arbitration two of them, one of which is the result.

import { differing, sameBox } from "./boxes.js";
import { add, addRegion, changed, edit, nextId, select } from "./changes.js";
import { $, button, element, refresh } from "./elements.js";
import { draw } from "./side.js";
import { Stage } from "./stage.js";
import { boxOf, copy, isGuess, isResult, outlined, page, paneEvidence, review } from "./state.js";

export function buildPanes() {
  const count = page.overview.mode === "arbitration" ? 2 : 1;
  page.panes = Array.from({ length: count }, (_, at) => {
    const pane = document.createElement("div");
    pane.className = "pane";
    const head = document.createElement("div");
    head.className = "head";
    const holder = document.createElement("div");
    holder.className = "stage";
    pane.append(...(count > 1 ? [head] : []), holder);
    $("panes").append(pane);
    const stage = new Stage(holder, {
      select: (id) => { if (isResult(at)) { select(id); } else { page.panes[at].chosen = id; draw(); } },
      change: (id, bbox) => edit((now) => { boxOf(id).bbox = bbox; }),
      draw: (bbox) => add({ bbox, label: "", region: null, origin: "drawn" }),
      pick: (id) => addRegion(id),
      copy: (id) => takeBox(at, id),
    });
    return { pane, head, holder, stage, chosen: null };
  });
}

export function drawPanes() {
  page.panes.forEach((pane, at) => {
    const evidence = paneEvidence(at);
    const differs = page.panes.length > 1 ? differing(evidence, paneEvidence(1 - at), page.overview.match) : new Set();
    const free = page.item.regions.filter((one) => !evidence.some((box) => box.region === one.id && sameBox(box.bbox, one.bbox)));
    const editable = isResult(at) && !page.item.fault;
    pane.stage.set({
      boxes: evidence.map((one) => ({ ...one, guess: isGuess(one) && page.overview.mode !== "marks", differs: differs.has(one.id) })),
      regions: editable && outlined() ? free : [],
      selected: editable || page.overview.mode === "marks" ? page.selected : pane.chosen,
      editable,
      drawing: editable && page.drawing,
    });
    if (page.panes.length === 1) return;
    pane.pane.classList.toggle("result", isResult(at));
    refresh(pane.head, [page.item.id, isResult(at), page.names[at], evidence.length, differs.size], () => head(at, evidence, differs));
  });
}

function head(at, evidence, differs) {
  if (isResult(at)) return [element("strong", "Result"), element("span", " – yours to change")];
  const whose = document.createElement("select");
  whose.ariaLabel = "Annotator";
  whose.append(...page.item.reviews.map((one) => new Option(one.annotator, one.annotator, false, one.annotator === page.names[at])));
  whose.addEventListener("change", () => { page.names[at] = whose.value; page.panes[at].chosen = null; whose.blur(); draw(); });
  const of = review(page.names[at]);
  const remarks = [of?.ambiguous && "⚑ ambiguous", of?.note && `“${of.note}”`].filter(Boolean).join(" · ");
  const press = button("Take this ", () => take(at));
  press.append(element("kbd", String(at + 1)));
  return [whose, element("span", ` ${evidence.length} boxes, ${differs.size} differ ${remarks}`), press];
}

export function take(at) {
  const of = review(page.names[at]);
  if (page.overview.mode !== "arbitration" || isResult(at) || !of) return;
  const other = page.item.reviews.find((one) => one.annotator !== of.annotator)?.annotator ?? of.annotator;
  if (page.doc) page.before.push(copy(page.doc));
  page.undone = [];
  page.doc = { evidence: copy(of.evidence), ambiguous: false, note: page.doc?.note ?? "" };
  page.side = at;
  page.names[at] = null;
  page.names[1 - at] ??= other;
  page.selected = null;
  changed();
}

export function takeBox(at, id) {
  if (page.overview.mode !== "arbitration" || !page.doc || isResult(at)) return;
  const one = paneEvidence(at).find((box) => box.id === id);
  if (!one) return;
  edit((now) => {
    const free = !now.evidence.some((box) => box.id === id);
    const added = { ...copy(one), id: free ? id : nextId() };
    now.evidence.push(added);
    page.selected = added.id;
  });
}
