// The picture of a template: boxes, and polygons of the mask that a person draws and changes.

import { bound, make, round, Stage } from "./stage.js";

const NEAR = 9; // pixels of the screen

export class TemplateStage extends Stage {
  // handlers, besides those of boxes: mask(polygons)
  constructor(holder, handlers) {
    super(holder, handlers);
    Object.assign(this, { mask: [], hull: [], masking: false, draft: [], pointer: null });
    this.svg.addEventListener("pointermove", (event) => {
      if (!this.draft.length) return;
      this.pointer = this.point(event);
      this.render();
    });
  }

  // mask: polygons; hull: the polygon that is taken where there are none
  set({ mask, hull, masking, ...others }) {
    Object.assign(this, { mask, hull, masking });
    if (!masking) this.draft = [];
    super.set(others);
  }

  press(event) {
    if (!this.masking || event.button !== 0) {
      super.press(event);
      return;
    }
    document.activeElement?.blur?.();
    const held = event.target.dataset.vertex;
    if (held && !this.draft.length) this.start(event, { kind: "vertex", held: held.split("-").map(Number) });
    else this.start(event, { kind: "point" });
  }

  result(gesture, point) {
    if (gesture.kind !== "vertex" && gesture.kind !== "point") return super.result(gesture, point);
    return point.map((number, i) => round(bound(number, 0, this.size[i])));
  }

  release(event) {
    const gesture = this.gesture;
    if (gesture?.kind !== "vertex" && gesture?.kind !== "point") {
      super.release(event);
      return;
    }
    const point = this.result(gesture, this.point(event));
    this.gesture = null;
    if (gesture.kind === "point") this.addPoint(point);
    else if (gesture.active) this.handlers.mask(this.moved(gesture, point));
    this.render();
  }

  moved({ held: [polygon, place] }, point) {
    return this.mask.map((points, i) => (i === polygon ? points.with(place, point) : points));
  }

  // The first point closes the polygon, and so does the last one when it is pressed again.
  addPoint(point) {
    const near = (other) => other && Math.hypot(point[0] - other[0], point[1] - other[1]) * this.scale <= NEAR;
    if (this.draft.length > 2 && (near(this.draft[0]) || near(this.draft.at(-1)))) this.close();
    else if (!near(this.draft.at(-1))) this.draft.push(point);
  }

  // Tells whether a polygon could be closed.
  close() {
    if (this.draft.length < 3) return false;
    const closed = this.draft;
    this.draft = [];
    this.handlers.mask([...this.mask, closed]);
    return true;
  }

  dropPoint() {
    this.draft.pop();
    this.render();
  }

  cancel() {
    this.draft = [];
    super.cancel();
  }

  render() {
    super.render();
    if (!this.mask) return; // not made yet
    this.svg.classList.toggle("masking", this.masking);
    this.svg.classList.toggle("drawing", this.masking || this.drawing);
    const gesture = this.gesture;
    const mask = gesture?.kind === "vertex" && gesture.active ? this.moved(gesture, gesture.result) : this.mask;
    const shape = (points, kind) => make("polygon", { class: `mask ${kind}`, points: points.join(" ") });
    this.svg.prepend(...mask.map((points) => shape(points, "")), ...(mask.length || !this.hull.length ? [] : [shape(this.hull, "hull")]));
    if (!this.masking) return;
    const drafted = this.draft.length ? [shape([...this.draft, ...(this.pointer ? [this.pointer] : [])], "draft")] : [];
    this.svg.append(
      ...mask.flatMap((points, i) => points.map((point, j) => this.vertex(point, { "data-vertex": `${i}-${j}` }))),
      ...drafted,
      ...this.draft.map((point, i) => this.vertex(point, i ? {} : { class: "vertex first" })),
    );
  }

  vertex([cx, cy], attributes) {
    return make("circle", { class: "vertex", cx, cy, r: 5 / this.scale, ...attributes });
  }
}
