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

// Returns the ids of the boxes of one list that match none of the other.
export function differing(one, other, match) {
  const free = [...other];
  return new Set(one.filter((box) => {
    const found = free.findIndex((of) => of.role === box.role && iou(of.bbox, box.bbox) >= match - 1e-9);
    if (found >= 0) free.splice(found, 1);
    return found < 0;
  }).map((box) => box.id));
}
