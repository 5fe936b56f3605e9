// What a person changes in a template. Every change is saved at once and can be undone.

import { nudged } from "./boxes.js";
import { save } from "./saving.js";

export const page = {
  overview: null, // what the server says of the file
  item: null, // what the server says of the template
  base: "", // by which the server knows what the page goes on from
  doc: { regions: [], mask: [] }, // what is saved; a region has a `key` of its own while its id changes
  selected: null, // a key
  drawing: false,
  masking: false,
  lastAnchor: "map",
  before: [],
  undone: [],
  typedFrom: null, // `doc` before the text that is being typed
  said: "",
  draw: () => {},
};

const SOON = 250; // milliseconds
let waiting = 0; // the timer of what is saved soon
let keys = 0;

export const copy = (value) => structuredClone(value);
export const regionOf = (key) => page.doc.regions.find((one) => one.key === key);
export const withKeys = (regions) => regions.map((one) => ({ ...one, key: newKey() }));

function newKey() {
  keys += 1;
  return `k${keys}`;
}

// `soon` is for changes that come one after the other, such as those of a key that is held down.
export function edit(change, soon = false) {
  page.before.push(copy(page.doc));
  page.undone = [];
  change(page.doc);
  changed(soon);
}

function changed(soon = false) {
  page.said = "";
  clearTimeout(waiting);
  waiting = soon ? setTimeout(keep, SOON) : 0;
  if (!soon) keep();
  page.draw();
}

export function keepWaiting() {
  if (waiting) keep();
}

function keep() {
  clearTimeout(waiting);
  waiting = 0;
  if (!page.doc.regions.length) return; // the page says so
  save({
    item: page.item.id,
    get base() { return page.base; }, // of when it is sent
    regions: page.doc.regions.map(({ key, ...one }) => one),
    mask: copy(page.doc.mask),
  }).then((said) => { page.base = said.base; }).catch(() => {});
}

export function step(from, to) {
  if (!from.length) return;
  to.push(copy(page.doc));
  page.doc = from.pop();
  if (!regionOf(page.selected)) page.selected = null;
  changed();
}

// Returns a name that no region has: the name itself, or with a number.
function free(name) {
  const taken = new Set(page.doc.regions.map((one) => one.id));
  for (let again = 1; ; again += 1) {
    const id = again > 1 ? `${name}-${again}` : name;
    if (!taken.has(id)) return id;
  }
}

const AUTOMATIC = /^r(-\d+)?$/; // an id until there is a label

export function add(bbox) {
  const key = newKey();
  edit((now) => {
    now.regions.push({ key, id: free("r"), label: "", aliases: [], bbox, anchor: page.lastAnchor });
    page.selected = key;
    page.drawing = false;
  });
}

export function remove(key) {
  edit((now) => {
    const at = now.regions.findIndex((one) => one.key === key);
    now.regions.splice(at, 1);
    page.selected = now.regions[Math.min(at, now.regions.length - 1)]?.key ?? null;
  });
}

export function setAnchor(key, anchor) {
  page.lastAnchor = anchor;
  if (regionOf(key).anchor !== anchor) edit(() => { regionOf(key).anchor = anchor; });
}

export function setBox(key, bbox) {
  edit(() => { regionOf(key).bbox = bbox; });
}

export function setMask(mask) {
  edit((now) => { now.mask = mask; });
}

export function nudge(event) {
  edit(() => {
    const one = regionOf(page.selected);
    one.bbox = nudged(one.bbox, event, page.item.image);
  }, true);
}

export function startText() {
  page.typedFrom = copy(page.doc);
}

// Takes what is typed into a field of a region.
export function write(key, field, text, finished) {
  const one = regionOf(key);
  if (!one) return;
  if (field === "id") {
    if (finished) rename(one, text);
    return;
  }
  one[field] = field === "aliases" ? [...new Set(text.split(",").map((name) => name.trim()).filter(Boolean))] : text;
  if (!finished) {
    keep();
    return;
  }
  if (field === "label" && text && AUTOMATIC.test(one.id)) {
    one.id = free(text);
    if (text.toLowerCase().match(/[a-z]+/g)?.some((word) => page.overview.page_words.includes(word))) one.anchor = "page";
  }
  page.before.push(page.typedFrom);
  page.typedFrom = copy(page.doc);
  page.undone = [];
  changed();
}

function rename(one, id) {
  const taken = page.doc.regions.some((other) => other !== one && other.id === id);
  if (id && !taken) {
    if (id !== one.id) edit(() => { one.id = id; });
    return;
  }
  page.draw();
  page.said = taken ? `Another region has the id “${id}”; choose another.` : "A region needs an id.";
  page.draw();
}
