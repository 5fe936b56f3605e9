// The lists beside the picture: the evidence, and the regions that could be added to it.

import { $, button, element, refresh } from "./elements.js";
import { sameBox } from "./boxes.js";

const MOST_REGIONS = 300; // in the list

// A text is kept while it is typed, and is one step to undo.
// handlers: start() before the first letter, write(text, whether it is finished)
export function typed(field, handlers) {
  let timer = 0;
  field.addEventListener("focus", () => handlers.start());
  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => handlers.write(field.value, false), 400);
  });
  field.addEventListener("change", () => {
    clearTimeout(timer);
    handlers.write(field.value.trim(), true);
  });
}

export class EvidenceList {
  // handlers: select(id), role(id), label(id, text, finished), start(), remove(id)
  constructor(list, handlers) {
    this.list = list;
    this.handlers = handlers;
  }

  // boxes: evidence with `guess`; proposed: by which a box is known to be moved or added
  set({ item, boxes, proposed, selected }) {
    refresh(this.list, [item, boxes.map((one) => one.id)], () => (boxes.length
      ? boxes.map((one) => this.line(one.id))
      : [element("li", "No box yet. Drag on the picture to draw one.", "small")]));
    boxes.forEach((one, at) => this.fill(this.list.children[at], one, proposed.find((of) => of.id === one.id)));
    this.mark(selected);
  }

  mark(selected) {
    for (const line of this.list.children) line.classList.toggle("selected", line.dataset.id === selected);
  }

  reveal() {
    this.list.querySelector(".selected")?.scrollIntoView({ block: "nearest" });
  }

  get label() {
    return this.list.querySelector(".selected input");
  }

  line(id) {
    const line = element("li");
    line.dataset.id = id;
    line.addEventListener("pointerdown", () => this.handlers.select(id));
    const role = button("", () => this.handlers.role(id));
    role.className = "role";
    const label = document.createElement("input");
    label.placeholder = "what it shows";
    label.ariaLabel = `Label of ${id}`;
    label.addEventListener("focus", () => this.handlers.select(id));
    typed(label, { start: this.handlers.start, write: (text, finished) => this.handlers.label(id, text, finished) });
    const remove = button("✕", () => this.handlers.remove(id), `Remove ${id} (X)`);
    line.append(element("code", id), role, label, element("span", "", "badge"), remove);
    return line;
  }

  fill(line, one, proposal) {
    const [, role, label, badge] = line.children;
    line.className = one.role;
    role.textContent = one.role;
    role.title = role.ariaLabel = `Role of ${one.id}: ${one.role} (A or S)`;
    if (document.activeElement !== label) label.value = one.label;
    badge.textContent = one.guess ? "guess – redraw" : !proposal ? "added" : "moved";
    badge.hidden = !one.guess && Boolean(proposal) && sameBox(proposal.bbox, one.bbox);
    badge.classList.toggle("guess", one.guess);
  }
}

export class RegionList {
  // handlers: add(id), hover(id or null)
  constructor(list, handlers) {
    this.list = list;
    this.handlers = handlers;
    $("filter").addEventListener("input", () => this.draw());
  }

  set({ item, regions }) {
    Object.assign(this, { item, regions });
    this.draw();
  }

  draw() {
    const words = $("filter").value.toLowerCase();
    const found = this.regions.filter((one) => `${one.label} ${one.id}`.toLowerCase().includes(words)).slice(0, MOST_REGIONS);
    $("regions-count").textContent = this.regions.length;
    refresh(this.list, [this.item, found.map((one) => one.id)], () => found.map((one) => {
      const line = element("li");
      const name = one.label || `? (${one.id})`;
      const press = button(name + (one.needs_redraw ? " – guess" : ""), () => this.handlers.add(one.id), `Add ${name}`);
      press.dataset.add = one.id;
      press.addEventListener("pointerenter", () => this.handlers.hover(one.id));
      press.addEventListener("pointerleave", () => this.handlers.hover(null));
      line.append(press);
      return line;
    }));
  }
}
