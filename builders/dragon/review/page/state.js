// What is on the page, and what can be told from it.

import { sameBox } from "./boxes.js";

const MOST_OUTLINES = 80;

export const page = {
  overview: null, // what the server says of all items
  source: "", // the chosen one; empty for all
  shown: [], // its items
  place: 0, // in `shown`
  item: null, // the one on the page
  doc: null, // {evidence, ambiguous, note, marks}: what will be saved; null until a side is chosen
  side: 0, // arbitration: the pane that is the result
  names: [], // arbitration: whose boxes the panes show
  panes: [], // {pane, head, holder, stage, chosen}
  selected: null,
  drawing: false,
  lastRole: "support",
  undone: [],
  before: [],
  warned: "",
  outlines: null, // whether other regions are outlined; null: unless there are too many
  ready: false, // false while an item is on its way
  conflict: null, // the revision that another window made, while the annotator has to choose
  typedFrom: null, // `doc` before the text that is being typed
};

export const copy = (value) => structuredClone(value);
export const isResult = (at) => Boolean(page.doc) && page.overview.mode !== "marks" && (page.panes.length === 1 || page.side === at);
export const review = (name) => page.item.reviews.find((one) => one.annotator === name);
export const paneEvidence = (at) => (page.panes.length === 1 || isResult(at) ? page.doc.evidence : review(page.names[at])?.evidence ?? []);
const region = (one) => page.item.regions.find((of) => of.id === one.region);
export const boxOf = (id) => page.doc.evidence.find((one) => one.id === id);
export const isMarked = () => page.doc.marks.cvr !== undefined && page.doc.marks.cea !== undefined;
export const outlined = () => page.outlines ?? page.item.regions.length <= MOST_OUTLINES;
export const isGuess = (one) => Boolean(region(one)?.needs_redraw) && sameBox(region(one).bbox, one.bbox);
