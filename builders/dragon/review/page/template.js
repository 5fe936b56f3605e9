// The page on which a person draws a template: the regions of one image, and where its map is.

import { hull } from "./boxes.js";
import { add, keepWaiting, nudge, page, regionOf, remove, setAnchor, setBox, setMask, startText, step, withKeys, write } from "./template_changes.js";
import { $, element } from "./elements.js";
import { typing } from "./keys.js";
import { ask, banner } from "./saving.js";
import { TemplateList } from "./template_list.js";
import { TemplateStage } from "./template_stage.js";

const KEYS = [
  ["Drag on free ground, or D", "draw a box (Shift+drag also on other boxes)"],
  ["Enter, Tab", "in a field: done, next field"],
  ["Tab / Shift+Tab", "select the next / previous box"],
  ["L / I / E", "change its label / its id / its aliases"],
  ["M / P / O", "it moves with the map / with the page / with nothing known"],
  ["X, Delete", "remove it"],
  ["Arrows", "move it by a pixel; with Shift by ten; with Alt change its size"],
  ["K", "draw the mask: click the corners of a polygon around the map"],
  ["Enter, or its first corner", "close the polygon; then drag its corners"],
  ["Backspace", "take the last corner back"],
  ["Ctrl+Z / Ctrl+Y", "undo / redo"],
  ["+ / − / 0, Ctrl+wheel", "larger / smaller / all of the picture"],
  ["Escape", "leave a field, let go of a box, leave the mask"],
];
const ANCHORS = { m: "map", p: "page", o: "none" };

const stage = new TemplateStage($("stage"), {
  select: (key) => select(key),
  change: setBox,
  draw: (bbox) => { add(bbox); list.reveal(); list.field("label").focus(); },
  mask: setMask,
});
const list = new TemplateList($("evidence"), {
  select: (key) => { if (page.selected !== key && regionOf(key)) select(key); },
  start: startText,
  write,
  anchor: setAnchor,
  remove,
});

async function start() {
  page.overview = await ask("api/items");
  page.item = await ask(`api/item?item=${encodeURIComponent(page.overview.id)}`);
  page.base = page.item.base;
  page.doc = { regions: withKeys(page.item.regions), mask: page.item.mask };
  const { file_name: image, width, height, sha256 } = page.item.image;
  document.title = `${page.item.id} – DRAGON template`;
  $("name").textContent = page.item.id;
  const others = page.overview.others.length;
  $("place").textContent = `${image}, ${width} × ${height} pixels → ${page.overview.file}`
    + (others ? `, beside ${others} other ${others === 1 ? "template" : "templates"}` : "");
  $("keys").replaceChildren(...KEYS.flatMap(([key, text]) => [element("dt", key), element("dd", text)]));
  page.draw = draw;
  stage.show(`image?item=${encodeURIComponent(page.item.id)}&sha256=${sha256}`, width, height);
  draw();
}

function draw() {
  const { regions, mask } = page.doc;
  const title = (one) => (one.key === page.selected && one.label !== one.id ? `${one.id} ${one.label}` : one.id);
  const onMap = regions.filter((one) => one.anchor === "map");
  stage.set({
    boxes: regions.map((one) => ({ id: one.key, role: one.anchor, label: one.label, bbox: one.bbox, title: title(one) })),
    mask,
    hull: hull(onMap.map((one) => one.bbox)),
    masking: page.masking,
    selected: page.masking ? null : page.selected,
    editable: true,
    drawing: page.drawing,
  });
  list.set({ regions, selected: page.selected });
  const counts = ["map", "page", "none"].map((anchor) => [regions.filter((one) => one.anchor === anchor).length, anchor]);
  $("count").textContent = `${regions.length} · ${counts.filter(([count]) => count).map((one) => one.join(" ")).join(", ")}`.replace(/ · $/, "");
  $("draw").setAttribute("aria-pressed", page.drawing);
  $("mask").setAttribute("aria-pressed", page.masking);
  $("undo").disabled = !page.before.length;
  $("redo").disabled = !page.undone.length;
  $("unmask").disabled = !mask.length;
  $("mask-state").textContent = maskState(mask.length, onMap.length);
  $("warning").textContent = page.said || warning(regions.length, mask.length, onMap.length);
}

function maskState(polygons, onMap) {
  if (page.masking) return "Click the corners of a polygon around the map; Enter or its first corner closes it. Corners can be dragged. K ends.";
  if (polygons) return polygons === 1 ? "One polygon is drawn." : `${polygons} polygons are drawn.`;
  return `None is drawn: the hull of the regions on the map is taken, without the other regions${onMap ? " (dashed)" : ""}.`;
}

function warning(regions, polygons, onMap) {
  if (!regions && (page.before.length || polygons)) return "Not saved yet: a template has a region at least. The file stays as it was until you draw one.";
  const labels = page.doc.regions.map((one) => one.label);
  const twice = labels.find((label, at) => label && labels.indexOf(label) !== at);
  if (twice) return `Several regions are called ${twice}: a question that names it means all of them. Rename those it does not.`;
  if (regions && !onMap) return "No region moves with the map: other images cannot be matched by this template.";
  return "";
}

function select(key) {
  page.selected = key;
  page.said = "";
  draw();
  list.reveal();
  stage.reveal(key);
}

function selectNext(by) {
  const { regions } = page.doc;
  const at = regions.findIndex((one) => one.key === page.selected);
  select(regions[at < 0 ? (by > 0 ? 0 : regions.length - 1) : (at + by + regions.length) % regions.length].key);
}

function toggle(name) {
  page[name] = !page[name];
  if (name === "masking") page.drawing = false;
  else page.masking = false;
  draw();
}

// --- keys

function act(event) {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (event.ctrlKey || event.metaKey) {
    if (key === "z") return event.shiftKey ? step(page.undone, page.before) : step(page.before, page.undone);
    if (key === "y") return step(page.undone, page.before);
    return false;
  }
  if (key === "?") return $("help").showModal();
  if (key === "+" || key === "=") return stage.zoomBy(1.25);
  if (key === "-") return stage.zoomBy(0.8);
  if (key === "0") return stage.zoomBy(0);
  if (key === "k") return toggle("masking");
  if (key === "d") return toggle("drawing");
  if (key === "Escape") {
    if (!stage.draft.length) { page.masking = false; page.drawing = false; }
    stage.cancel();
    return select(null);
  }
  if (page.masking) {
    if (key === "Enter") return stage.close();
    if (key === "Backspace") return stage.dropPoint();
    return false;
  }
  const free = event.target === document.body || event.target.closest(".stage");
  if (key === "Tab" && free && page.doc.regions.length) return selectNext(event.shiftKey ? -1 : 1);
  if (!page.selected) return false;
  if (key.startsWith("Arrow")) return nudge(event);
  if (key in ANCHORS) return setAnchor(page.selected, ANCHORS[key]);
  if (key === "l" || key === "Enter") return list.field("label").select();
  if (key === "i") return list.field("id").select();
  if (key === "e") return list.field("aliases").select();
  if (key === "x" || key === "Delete" || key === "Backspace") return remove(page.selected);
  return false;
}

document.addEventListener("keydown", (event) => {
  if (!page.item || $("help").open || typing(event)) return;
  // A focused button is pressed by its own keys.
  if (event.target.closest("button") && (event.key === "Enter" || event.key === " ")) return;
  if (event.repeat && !event.key.startsWith("Arrow")) { event.preventDefault(); return; }
  if (act(event) !== false) event.preventDefault();
});

$("draw").addEventListener("click", () => toggle("drawing"));
$("mask").addEventListener("click", () => toggle("masking"));
$("unmask").addEventListener("click", () => setMask([]));
$("undo").addEventListener("click", () => step(page.before, page.undone));
$("redo").addEventListener("click", () => step(page.undone, page.before));
$("help-button").addEventListener("click", () => $("help").showModal());
// What was pressed by the mouse must not take the keys that follow.
document.addEventListener("click", (event) => event.target.closest("button")?.blur());

window.addEventListener("beforeunload", keepWaiting, true);

start().catch((error) => banner(`The page cannot be shown: ${error.message}`));
