// The list of a template's regions: label, anchor, id and aliases of each.

import { button, element, refresh } from "./elements.js";
import { typed } from "./lists.js";

const ANCHORS = {
  map: "moves with the map",
  page: "moves with the page: a title, a legend",
  none: "no known place: is not transferred",
};

export class TemplateList {
  // handlers: select(key), start(), write(key, field, text, finished), anchor(key, anchor), remove(key)
  constructor(list, handlers) {
    this.list = list;
    this.handlers = handlers;
  }

  set({ regions, selected }) {
    refresh(this.list, regions.map((one) => one.key), () => (regions.length
      ? regions.map((one) => this.line(one.key))
      : [element("li", "No region yet. Drag on the picture to draw one.", "small")]));
    regions.forEach((one, at) => this.fill(this.list.children[at], one));
    this.mark(selected);
  }

  mark(selected) {
    for (const line of this.list.children) line.classList.toggle("selected", line.dataset.key === selected);
  }

  reveal() {
    this.list.querySelector(".selected")?.scrollIntoView({ block: "nearest" });
  }

  field(name) {
    return this.list.querySelector(`.selected [name=${name}]`);
  }

  line(key) {
    const line = element("li");
    line.dataset.key = key;
    // Not before the release: what is selected takes more room, and moves what is pressed.
    line.addEventListener("click", () => this.handlers.select(key));
    const anchor = document.createElement("select");
    anchor.name = "anchor";
    for (const [name, meaning] of Object.entries(ANCHORS)) {
      const option = new Option(name, name);
      option.title = meaning;
      anchor.append(option);
    }
    anchor.addEventListener("change", () => { this.handlers.anchor(key, anchor.value); anchor.blur(); });
    const more = element("div", "", "more");
    more.append(this.named("aliases", this.text(key, "aliases", "comma between")), this.named("id", this.text(key, "id", "")));
    // Below the others, but next after the label.
    line.append(this.text(key, "label", "what it shows"), more, anchor, button("✕", () => this.handlers.remove(key)));
    return line;
  }

  named(name, field) {
    const label = element("label", name);
    label.append(field);
    return label;
  }

  text(key, name, placeholder) {
    const field = document.createElement("input");
    Object.assign(field, { name, placeholder, autocomplete: "off" });
    field.addEventListener("focus", () => this.handlers.select(key));
    typed(field, { start: this.handlers.start, write: (text, finished) => this.handlers.write(key, name, text, finished) });
    return field;
  }

  fill(line, one) {
    line.className = one.anchor;
    const values = { label: one.label, id: one.id, aliases: one.aliases.join(", "), anchor: one.anchor };
    for (const field of line.querySelectorAll("[name]")) {
      if (document.activeElement !== field) field.value = values[field.name];
      field.ariaLabel = `${field.name} of ${one.id}`;
    }
    const anchor = line.querySelector("[name=anchor]");
    anchor.title = `${ANCHORS[one.anchor]} (M, P or O)`;
    const remove = line.querySelector("button");
    remove.title = remove.ariaLabel = `Remove ${one.id} (X)`;
  }
}
