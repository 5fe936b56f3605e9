// A picture with boxes on it that a person can select, draw, move and resize.
// All boxes are [x, y, width, height] in pixels of the picture.

import { sameBox } from "./boxes.js";

const SVG = "http://www.w3.org/2000/svg";
const HANDLES = ["nw", "n", "ne", "e", "se", "s", "sw", "w"];
const DRAG = 4; // pixels of the screen from which a click is a drag
const HANDLE = 9; // pixels of the screen
const TWICE = 500; // milliseconds between two presses that are a double click
const LEAST = 2; // pixels of the picture

export const round = (number) => Math.round(number * 100) / 100;
export const bound = (number, low, high) => Math.min(Math.max(number, low), high);

export function make(name, attributes, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

export class Stage {
  // handlers: select(id), change(id, bbox), draw(bbox), pick(region id), copy(id)
  constructor(holder, handlers) {
    this.holder = holder;
    this.handlers = handlers;
    this.sheet = document.createElement("div");
    this.sheet.className = "sheet";
    this.picture = new Image();
    this.picture.alt = "";
    this.picture.draggable = false;
    this.svg = make("svg", { tabindex: "-1" });
    this.sheet.append(this.picture, this.svg);
    holder.replaceChildren(this.sheet);
    this.size = [1, 1];
    this.fitted = 1;
    this.zoom = 1; // times the size that fits
    this.boxes = [];
    this.regions = [];
    this.selected = null;
    this.editable = false;
    this.drawing = false;
    this.hovered = null;
    this.gesture = null;
    this.pressed = { id: null, at: 0 };
    this.svg.addEventListener("pointerdown", (event) => this.press(event));
    this.svg.addEventListener("pointermove", (event) => this.drag(event));
    this.svg.addEventListener("pointerup", (event) => this.release(event));
    this.svg.addEventListener("pointercancel", () => this.cancel());
    holder.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      this.zoomBy(event.deltaY < 0 ? 1.2 : 1 / 1.2, event);
    }, { passive: false });
    new ResizeObserver(() => this.fit()).observe(holder);
  }

  show(address, width, height) {
    this.size = [width, height];
    this.zoom = 1;
    this.cancel();
    if (address) this.picture.src = address;
    else this.picture.removeAttribute("src");
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.fit();
  }

  // What is drawn: boxes {id, role, label, bbox, guess, differs, perhaps title: the words on it},
  // regions {id, label, bbox}.
  set({ boxes, regions = [], selected = null, editable = false, drawing = false }) {
    Object.assign(this, { boxes, regions, selected, editable, drawing });
    if (!this.gesture) this.render();
  }

  get scale() {
    return this.fitted * this.zoom;
  }

  fit() {
    const [width, height] = this.size;
    const room = [this.holder.clientWidth - 2, this.holder.clientHeight - 2];
    this.fitted = bound(Math.min(room[0] / width, room[1] / height), 0.001, 4);
    this.sheet.style.width = `${width * this.scale}px`;
    this.sheet.style.height = `${height * this.scale}px`;
    this.render();
  }

  zoomBy(factor, at = null) {
    const frame = this.holder.getBoundingClientRect();
    const [x, y] = at ? [at.clientX - frame.left, at.clientY - frame.top]
      : [frame.width / 2, frame.height / 2];
    const sheet = this.sheet.getBoundingClientRect();
    const point = [(x + frame.left - sheet.left) / this.scale, (y + frame.top - sheet.top) / this.scale];
    this.zoom = factor === 0 ? 1 : bound(this.zoom * factor, 1, 40);
    this.fit();
    const now = this.sheet.getBoundingClientRect();
    this.holder.scrollLeft += now.left + point[0] * this.scale - frame.left - x;
    this.holder.scrollTop += now.top + point[1] * this.scale - frame.top - y;
  }

  // Scrolls so that a box is seen.
  reveal(id) {
    const one = this.boxes.find((box) => box.id === id);
    if (!one) return;
    const frame = this.holder.getBoundingClientRect();
    const sheet = this.sheet.getBoundingClientRect();
    const x = sheet.left + (one.bbox[0] + one.bbox[2] / 2) * this.scale;
    const y = sheet.top + (one.bbox[1] + one.bbox[3] / 2) * this.scale;
    if (x < frame.left || x > frame.right) this.holder.scrollLeft += x - (frame.left + frame.right) / 2;
    if (y < frame.top || y > frame.bottom) this.holder.scrollTop += y - (frame.top + frame.bottom) / 2;
  }

  point(event) {
    const frame = this.svg.getBoundingClientRect();
    return [(event.clientX - frame.left) / this.scale, (event.clientY - frame.top) / this.scale];
  }

  press(event) {
    if (event.button === 1) {
      event.preventDefault();
      this.start(event, { kind: "pan", from: [event.clientX, event.clientY] });
      return;
    }
    if (event.button !== 0) return;
    document.activeElement?.blur?.();
    const id = event.target.closest("[data-id]")?.dataset.id;
    const region = event.target.closest("[data-region]")?.dataset.region;
    const box = this.boxes.find((one) => one.id === id);
    // No dblclick comes: the box is drawn anew in between.
    const twice = id && this.pressed.id === id && event.timeStamp - this.pressed.at < TWICE;
    this.pressed = { id, at: event.timeStamp };
    const fresh = this.drawing || event.shiftKey;
    if (!this.editable) {
      this.handlers.select(id ?? null);
      if (twice) this.handlers.copy?.(id);
    } else if (event.target.dataset.handle && !fresh) {
      const held = this.boxes.find((one) => one.id === this.selected);
      this.start(event, { kind: "resize", id: held.id, box: held.bbox, edge: event.target.dataset.handle });
    } else if (box && !fresh) {
      this.start(event, { kind: "move", id, box: box.bbox });
    } else {
      this.start(event, { kind: "draw", region: fresh ? null : region });
    }
  }

  start(event, gesture) {
    this.svg.setPointerCapture(event.pointerId);
    this.gesture = { ...gesture, at: this.point(event), screen: [event.clientX, event.clientY], active: false };
    if (gesture.id) this.handlers.select(gesture.id);
  }

  drag(event) {
    const gesture = this.gesture;
    if (!gesture) return;
    if (gesture.kind === "pan") {
      this.holder.scrollLeft -= event.clientX - gesture.from[0];
      this.holder.scrollTop -= event.clientY - gesture.from[1];
      gesture.from = [event.clientX, event.clientY];
      return;
    }
    const far = Math.hypot(event.clientX - gesture.screen[0], event.clientY - gesture.screen[1]);
    if (far >= DRAG) gesture.active = true;
    if (!gesture.active) return;
    gesture.result = this.result(gesture, this.point(event));
    this.render();
  }

  result(gesture, point) {
    const [width, height] = this.size;
    const [dx, dy] = [point[0] - gesture.at[0], point[1] - gesture.at[1]];
    if (gesture.kind === "move") {
      const [x, y, w, h] = gesture.box;
      return [round(bound(x + dx, 0, width - w)), round(bound(y + dy, 0, height - h)), w, h];
    }
    let [left, top, right, bottom] = [gesture.at[0], gesture.at[1], point[0], point[1]];
    if (gesture.kind === "resize") {
      const [x, y, w, h] = gesture.box;
      [left, top, right, bottom] = [x, y, x + w, y + h];
      if (gesture.edge.includes("w")) left += dx;
      if (gesture.edge.includes("e")) right += dx;
      if (gesture.edge.includes("n")) top += dy;
      if (gesture.edge.includes("s")) bottom += dy;
    }
    [left, right] = [Math.min(left, right), Math.max(left, right)].map((x) => bound(x, 0, width));
    [top, bottom] = [Math.min(top, bottom), Math.max(top, bottom)].map((y) => bound(y, 0, height));
    return [round(left), round(top), round(right - left), round(bottom - top)];
  }

  release(event) {
    const gesture = this.gesture;
    if (!gesture) return;
    if (gesture.active) gesture.result = this.result(gesture, this.point(event));
    this.gesture = null;
    if (gesture.kind === "pan") return;
    const box = gesture.result;
    if (gesture.active && box && box[2] >= LEAST && box[3] >= LEAST) {
      if (gesture.kind === "draw") this.handlers.draw(box);
      else if (!sameBox(box, gesture.box)) this.handlers.change(gesture.id, box);
    } else if (gesture.kind === "draw") {
      if (gesture.region) this.handlers.pick(gesture.region);
      else this.handlers.select(null);
    }
    this.render();
  }

  cancel() {
    this.gesture = null;
    this.render();
  }

  hover(id) {
    this.hovered = id;
    this.render();
  }

  render() {
    const unit = 1 / this.scale; // a pixel of the screen
    const gesture = this.gesture;
    const boxes = this.boxes.map((one) => (
      gesture?.active && gesture.id === one.id ? { ...one, bbox: gesture.result } : one
    ));
    // Small boxes lie on large ones, and what is selected lies on all.
    boxes.sort((a, b) => (a.id === this.selected) - (b.id === this.selected)
      || b.bbox[2] * b.bbox[3] - a.bbox[2] * a.bbox[3]);
    this.svg.setAttribute("class", [this.editable && "editable", this.drawing && "drawing"].filter(Boolean).join(" "));
    this.svg.replaceChildren(
      ...this.regions.map((one) => this.region(one)),
      ...boxes.map((one) => this.box(one, unit)),
      ...(gesture?.kind === "draw" && gesture.active
        ? [make("rect", { class: "new", ...rectangle(gesture.result) })] : []),
    );
  }

  region({ id, label, bbox, needs_redraw: guess }) {
    const name = make("title", {});
    name.textContent = (label || `? (${id})`) + (guess ? " (a guess)" : "");
    const kind = ["region", guess && "guess", this.hovered === id && "hovered"].filter(Boolean).join(" ");
    return make("rect", { class: kind, "data-region": id, ...rectangle(bbox) }, name);
  }

  box(one, unit) {
    const [x, y, width, height] = one.bbox;
    const chosen = one.id === this.selected;
    const group = make("g", {
      class: ["box", one.role, chosen && "selected", one.guess && "guess", one.differs && "differs"].filter(Boolean).join(" "),
      "data-id": one.id,
    });
    group.append(make("rect", { class: "shape", ...rectangle(one.bbox) }));
    const size = 12 * unit;
    const above = y > 1.5 * size;
    const words = (one.title ?? `${one.id} ${one.label}`).slice(0, chosen ? 200 : 40) + (one.guess ? " – guess, redraw" : "");
    const leftwards = x + words.length * 7 * unit > this.size[0] && x + width > this.size[0] / 2;
    const text = make("text", {
      x: leftwards ? x + width - 2 * unit : x + 2 * unit,
      y: above ? y - 4 * unit : y + size,
      "text-anchor": leftwards ? "end" : "start",
      "font-size": size,
      "stroke-width": 3 * unit,
    });
    text.textContent = words;
    group.append(text);
    if (chosen && this.editable) {
      for (const edge of HANDLES) {
        const across = edge.includes("w") ? 0 : edge.includes("e") ? 1 : 0.5;
        const down = edge.includes("n") ? 0 : edge.includes("s") ? 1 : 0.5;
        group.append(make("rect", {
          class: `handle ${edge}`, "data-handle": edge,
          ...rectangle([x + across * width - (HANDLE * unit) / 2, y + down * height - (HANDLE * unit) / 2, HANDLE * unit, HANDLE * unit]),
        }));
      }
    }
    return group;
  }
}

function rectangle([x, y, width, height]) {
  return { x, y, width, height };
}
