// The page on which one annotator reviews, arbitrates or marks. What is done is saved by the server
// at once: an accepted item as a decision, every change before that as a draft.

import { edit, forgetWaiting, keepMine, keepText, keepWaiting, nudge, remove, saveItem, select, selectNext, setConflict, setRole, step } from "./changes.js";
import { $, element } from "./elements.js";
import { KEYS, typing } from "./keys.js";
import { typed } from "./lists.js";
import { buildPanes, take, takeBox } from "./panes.js";
import { ask, banner, settled } from "./saving.js";
import { buildMarks, draw, mark, say } from "./side.js";
import { copy, isGuess, isMarked, page } from "./state.js";

const MODES = { review: "Review", arbitration: "Arbitration", marks: "Second pass" };

// --- which item

async function start() {
  page.overview = await ask("api/items");
  $("mode").textContent = MODES[page.overview.mode];
  document.title = `${MODES[page.overview.mode]} – DRAGON`;
  $("annotator").textContent = page.overview.annotator;
  document.body.className = page.overview.mode;
  const sources = [...new Set(page.overview.items.map((one) => one.source))];
  $("source").replaceChildren(...["all sources", ...sources].map((name, i) => new Option(name, i ? name : "")));
  $("source").hidden = sources.length < 2;
  const keys = KEYS.filter(([, , mode]) => !mode || mode === page.overview.mode);
  $("keys").replaceChildren(...keys.flatMap(([key, text]) => [element("dt", key), element("dd", text)]));
  buildPanes();
  buildMarks();
  choose("");
  const wanted = decodeURIComponent(location.hash.slice(1));
  const found = page.shown.findIndex((one) => one.id === wanted);
  if (found >= 0) await go(found);
  else await goOpen(0);
}

function choose(source) {
  page.source = source;
  page.shown = page.overview.items.filter((one) => !source || one.source === source);
  $("total").textContent = `/ ${page.shown.length.toLocaleString("en")}`;
}

function goOpen(from) {
  for (let step = 0; step < page.shown.length; step += 1) {
    const at = (from + step) % page.shown.length;
    if (!page.shown[at].done) return go(at);
  }
  return go(Math.min(from, page.shown.length - 1), "All items are done.");
}

let going = 0;
let wanted = 0; // the place that is being gone to

// Nothing can be changed while an item is on its way.
function setReady(ready) {
  page.ready = ready;
  document.querySelector("main").inert = !ready;
}

function mustChoose() {
  if (page.conflict !== null) say("Choose above first: reload, or keep yours.");
  return page.conflict !== null;
}

// Half of a mark is kept nowhere: who leaves it is told so first.
function mustMark(to) {
  const marks = page.doc?.marks;
  const half = page.before.length > 0 && marks && !isMarked();
  const words = "Only one of CVR and CEA is marked: mark both, or go on again to drop it.";
  if (!half || to === page.place || page.warned === words) return false;
  page.warned = words;
  say(words);
  return true;
}

async function go(to, message = "") {
  if (to < 0 || to >= page.shown.length || mustChoose() || mustMark(to)) return;
  going += 1;
  const mine = going;
  wanted = to;
  setReady(false);
  keepWaiting();
  await settled(); // what is on its way belongs to what the server says now
  if (mine !== going) return;
  if (mustChoose()) { // nothing is left behind that is not saved
    wanted = page.place;
    setReady(true);
    return;
  }
  let got = null;
  try {
    got = await ask(`api/item?item=${encodeURIComponent(page.shown[to].id)}`);
  } catch (error) { // the server was started again, for other items
    banner(`${error.message}: load the page again.`);
  }
  if (mine !== going) return;
  if (!got) { wanted = page.place; return; }
  page.place = to;
  page.item = got;
  history.replaceState(null, "", `#${encodeURIComponent(page.item.id)}`);
  open();
  setReady(true);
  if (message) say(message);
  const after = page.shown[to + 1];
  if (after) prefetch(after.id);
}

// Shows what another window saved, of this item and of all the others; what was changed here goes.
async function reload() {
  forgetWaiting();
  setConflict(null);
  setReady(false);
  $("saved").textContent = "";
  page.overview = await ask("api/items");
  choose(page.source);
  await go(page.place);
}

async function prefetch(id) {
  try {
    const next = await (await fetch(`api/item?item=${encodeURIComponent(id)}`)).json();
    if (!next.fault) new Image().src = imageAddress(next);
  } catch {
    // It will be asked for again.
  }
}

const imageAddress = (of) => `image?item=${encodeURIComponent(of.id)}&sha256=${of.image.sha256}`;

function open() {
  const now = page.item.draft ?? page.item.decision;
  page.selected = null;
  page.drawing = false;
  page.undone = [];
  page.before = [];
  page.warned = "";
  if (page.overview.mode === "review") {
    page.doc = copy(now) ?? { evidence: copy(page.item.proposed), ambiguous: false, note: "" };
  } else if (page.overview.mode === "marks") {
    page.doc = { evidence: page.item.selection, ambiguous: false, note: now?.note ?? "", marks: copy(now?.marks) ?? {} };
  } else {
    page.doc = copy(now);
    page.side = 0;
    const people = page.item.reviews.map((one) => one.annotator);
    page.names = page.doc ? [null, people[people.length > 1 ? 1 : 0]] : [people[0], people[1] ?? people[0]];
  }
  $("question").textContent = page.item.question;
  $("answer").textContent = page.item.answer || "(empty)";
  $("choices").replaceChildren(...page.item.choices.map((choice) => {
    const line = element("li", choice);
    line.classList.toggle("right", choice === page.item.answer);
    return line;
  }));
  $("choices").hidden = !page.item.choices.length;
  $("source-name").textContent = page.item.source;
  $("item-id").textContent = page.item.id;
  $("number").value = page.place + 1;
  $("fault").hidden = !page.item.fault && !page.item.replaced;
  $("fault").textContent = page.item.fault
    ?? "You decided about another picture before; those entries do not count any more.";
  $("filter").value = "";
  for (const { stage, holder } of page.panes) {
    holder.classList.toggle("none", Boolean(page.item.fault));
    stage.show(page.item.fault ? "" : imageAddress(page.item), page.item.image.width, page.item.image.height);
  }
  say("");
  draw();
}

// --- accept

function doubt() {
  if (page.overview.mode === "marks") return "";
  const guesses = page.doc.evidence.filter(isGuess).length;
  if (!page.doc.evidence.length && !page.doc.ambiguous) return "No box is left. Press Enter again to say that nothing shows the answer.";
  if (guesses && !page.doc.ambiguous) return `${guesses === 1 ? "One box is a guess that was" : `${guesses} boxes are guesses that were`} not redrawn. Press Enter again to accept all the same.`;
  return "";
}

async function accept() {
  if (!page.ready || page.item.fault) return;
  if (mustChoose()) return;
  if (!page.doc) { say("Take a side first: 1 or 2."); return; }
  if (page.overview.mode === "marks" && !isMarked()) {
    say("Mark both: CVR and CEA.");
    return;
  }
  const doubtful = doubt();
  if (doubtful && page.warned !== doubtful) {
    page.warned = doubtful;
    say(doubtful);
    return;
  }
  setReady(false);
  forgetWaiting();
  const entry = page.shown[page.place];
  try {
    const said = await saveItem({ draft: false, ...page.doc });
    entry.done = true;
    entry.ambiguous = said.ambiguous;
    if (page.overview.items.every((one) => one.done)) await go(Math.min(page.place + 1, page.shown.length - 1), "All items are done.");
    else if (page.place + 1 < page.shown.length) await go(page.place + 1);
    else await goOpen(0);
  } catch {
    // The banner says why.
  } finally {
    if (wanted === page.place) setReady(true);
  }
}

// --- keys

const stepOf = (key) => ({ n: 1, N: 1, PageDown: 1, p: -1, P: -1, PageUp: -1 })[key];

function act(event) {
  const marking = page.overview.mode === "marks";
  const editing = Boolean(page.doc) && !marking && !page.item.fault;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (event.ctrlKey || event.metaKey) {
    if (key === "z" && editing) return event.shiftKey ? step(page.undone, page.before) : step(page.before, page.undone);
    if (key === "y" && editing) return step(page.undone, page.before);
    return false;
  }
  if (key === "Enter") return accept();
  if (stepOf(key)) return go(wanted + stepOf(key));
  if (key === "u") return goOpen(page.place + 1);
  if (key === "?") return $("help").showModal();
  if (key === "+" || key === "=") return page.panes.forEach(({ stage }) => stage.zoomBy(1.25));
  if (key === "-") return page.panes.forEach(({ stage }) => stage.zoomBy(0.8));
  if (key === "0") return page.panes.forEach(({ stage }) => stage.zoomBy(0));
  if (key === "Escape") {
    page.drawing = false;
    page.panes.forEach(({ stage }) => stage.cancel());
    return select(null);
  }
  if (marking && "123".includes(key)) return mark({ cvr: key === "1", cea: key !== "3" });
  if (page.overview.mode === "arbitration" && (key === "1" || key === "2")) return take(Number(key) - 1);
  if (page.overview.mode === "arbitration" && key === "k") return takeBox(1 - page.side, page.panes[1 - page.side].chosen);
  if (!editing) return false;
  const free = event.target === document.body || event.target.closest(".stage");
  if (key === "Tab" && free && page.doc.evidence.length) return selectNext(event.shiftKey ? -1 : 1);
  if (key === "d") { page.drawing = !page.drawing; return draw(); }
  if (key === "g") return $("outlines").click();
  if (key === "f") return edit((now) => { now.ambiguous = !now.ambiguous; });
  if (key === "c") return $("note").focus();
  if (key === "/") { $("regions-part").open = true; return $("filter").focus(); }
  if (!page.selected) return key.startsWith("Arrow") && !event.altKey && !event.shiftKey && /Left|Right/.test(key) ? go(page.place + (key === "ArrowRight" ? 1 : -1)) : false;
  if (key.startsWith("Arrow")) return nudge(event);
  if (key === "a" || key === "s") return setRole(page.selected, key === "a" ? "answer" : "support");
  if (key === "l") return evidenceList.label?.select();
  if (key === "x" || key === "Delete" || key === "Backspace") return remove(page.selected);
  return false;
}

document.addEventListener("keydown", (event) => {
  if (!page.item || $("help").open || typing(event)) return;
  // A focused button is pressed by its own keys.
  if (event.target.closest("button, summary") && (event.key === "Enter" || event.key === " ")) return;
  // A key that is held down moves boxes, and accepts nothing twice.
  const onTheWay = wanted !== page.place && stepOf(event.key); // keys come faster than items
  if (!(page.ready || onTheWay) || (event.repeat && !event.key.startsWith("Arrow"))) { event.preventDefault(); return; }
  if (act(event) !== false) event.preventDefault();
});

$("previous").addEventListener("click", () => go(page.place - 1));
$("next").addEventListener("click", () => go(page.place + 1));
$("open").addEventListener("click", () => goOpen(page.place + 1));
$("number").addEventListener("change", () => {
  const wanted = Number.parseInt($("number").value, 10);
  if (wanted >= 1 && wanted <= page.shown.length) go(wanted - 1);
  else $("number").value = page.place + 1;
});
$("source").addEventListener("change", async () => {
  $("source").blur();
  keepWaiting();
  await settled();
  if (mustChoose() || mustMark(-1)) { $("source").value = page.source; return; }
  choose($("source").value);
  goOpen(0);
});
$("reload").addEventListener("click", () => reload().catch((error) => banner(error.message)));
$("keep-mine").addEventListener("click", keepMine);
$("accept").addEventListener("click", accept);
$("draw").addEventListener("click", () => { page.drawing = !page.drawing; draw(); });
$("undo").addEventListener("click", () => step(page.before, page.undone));
$("redo").addEventListener("click", () => step(page.undone, page.before));
$("reset").addEventListener("click", () => edit((now) => { now.evidence = copy(page.item.proposed); page.selected = null; }));
$("ambiguous").addEventListener("change", () => edit((now) => { now.ambiguous = $("ambiguous").checked; }));
typed($("note"), {
  start: () => { page.typedFrom = copy(page.doc); },
  write: (text, finished) => { page.doc.note = text; keepText(finished); },
});
$("outlines").addEventListener("change", () => { page.outlines = $("outlines").checked; $("outlines").blur(); draw(); });
$("help-button").addEventListener("click", () => $("help").showModal());
// What was pressed by the mouse must not take the keys that follow.
document.addEventListener("click", (event) => event.target.closest("button, summary")?.blur());

window.addEventListener("beforeunload", (event) => {
  keepWaiting();
  if (page.conflict !== null) event.preventDefault();
}, true);

start().catch((error) => banner(`The page cannot be shown: ${error.message}`));
