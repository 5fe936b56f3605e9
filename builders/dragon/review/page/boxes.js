// Boxes [x, y, width, height] in pixels of the picture.

// As exact as files of other tools are.
export function sameBox(one, other) {
  return one.every((number, i) => Math.abs(number - other[i]) <= 0.0101);
}

function iou(one, other) {
  const width = Math.min(one[0] + one[2], other[0] + other[2]) - Math.max(one[0], other[0]);
  const height = Math.min(one[1] + one[3], other[1] + other[3]) - Math.max(one[1], other[1]);
  const both = Math.max(width, 0) * Math.max(height, 0);
  return both / (one[2] * one[3] + other[2] * other[3] - both || 1);
}

// Returns a box as an arrow key moves it; with Shift by ten pixels, with Alt its size is changed.
export function nudged([x, y, w, h], event, { width, height }) {
  const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key]
    .map((one) => one * (event.shiftKey ? 10 : 1));
  const box = event.altKey
    ? [x, y, Math.min(Math.max(w + dx, 1), width - x), Math.min(Math.max(h + dy, 1), height - y)]
    : [Math.min(Math.max(x + dx, 0), width - w), Math.min(Math.max(y + dy, 0), height - h), w, h];
  return box.map((number) => Math.round(number * 100) / 100);
}

// Returns the corners of the convex hull of some boxes.
export function hull(boxes) {
  const points = boxes.flatMap(([x, y, w, h]) => [[x, y], [x + w, y], [x + w, y + h], [x, y + h]])
    .sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const turns = (a, b, c) => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
  const half = (of) => {
    const kept = [];
    for (const point of of) {
      while (kept.length > 1 && turns(kept.at(-2), kept.at(-1), point) <= 0) kept.pop();
      kept.push(point);
    }
    return kept.slice(0, -1);
  };
  return [...half(points), ...half(points.reverse())];
}

// Returns the ids of the boxes of one list that match none of the other.
export function differing(one, other, match) {
  const free = [...other];
  return new Set(one.filter((box) => {
    const found = free.findIndex((of) => of.role === box.role && iou(of.bbox, box.bbox) >= match - 1e-9);
    if (found >= 0) free.splice(found, 1);
    return found < 0;
  }).map((box) => box.id));
}
