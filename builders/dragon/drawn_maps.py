"""Maps of countries that do not exist, drawn to try the transfer on: where all is, is known.

The pictures of the sources may not be passed on. These are like them in what matters to a transfer:
jagged borders that stay the same, and fills, labels, hatching, titles, legends and places that do
not.
"""

import hashlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchloom.builders.dragon.templates import Template, TemplateImage, TemplateRegion
from benchloom.builders.seeds import rng
from benchloom.loaders.boxes import Box, box_around

Polygon = NDArray[np.float64]

ROWS, COLUMNS, CELL = 4, 7, 100.0
JITTER, ROUGHNESS, HALVINGS = 0.28, 0.16, 5
SUBPIXEL = 4
"""Bits of a coordinate below one pixel with which OpenCV draws."""
BORDER = (60, 60, 60)
HATCHES = ("/", "\\", "-", "|", "+")
HATCH_STEP = 14


@dataclass(frozen=True)
class Look:
    """How a map is drawn.

    Attributes:
        width: Of the page, in pixels.
        height: Of the page.
        scale: Of the map: 1 is 700 × 400 pixels.
        stretch: How much broader the map is than drawn evenly.
        bend: Pixels by which the map's sides hang down, as in another projection.
        left: Where the map begins, in pixels.
        top: Where the map begins.
        colours: Seed of fills, title and legend.
        labels: Whether regions have their names on them.
        hatched: Whether fills are hatched instead of coloured.
        legend_left: Where the legend begins, in pixels.
    """

    width: int = 1000
    height: int = 600
    scale: float = 1.0
    stretch: float = 1.0
    bend: float = 0.0
    left: float = 120.0
    top: float = 80.0
    colours: int = 0
    labels: bool = True
    hatched: bool = False
    legend_left: int = 880


@dataclass(frozen=True)
class DrawnMap:
    """A drawn map.

    Attributes:
        image: Rows × columns × 3 bytes, blue, green, red.
        regions: The true box, xywh in pixels, of each region on the map by its name.
        page: The box of `title` and `legend`.
    """

    image: NDArray[np.uint8]
    regions: dict[str, Box]
    page: dict[str, Box]

    def png(self) -> bytes:
        """Returns the image as a PNG."""
        import cv2

        done, content = cv2.imencode(".png", self.image)
        if not done:
            raise RuntimeError("OpenCV could not write a drawn map")
        return content.tobytes()

    def template(self, name: str) -> Template:
        """Returns the map as a template with all its regions, title and legend on the page.

        Args:
            name: The template's id; its image is called so, too, with `.png`.
        """
        rows, columns = self.image.shape[:2]
        regions = [TemplateRegion(key, key, box) for key, box in self.regions.items()]
        regions += [TemplateRegion(key, key, box, "page") for key, box in self.page.items()]
        sha256 = hashlib.sha256(self.png()).hexdigest()
        image = TemplateImage(f"{name}.png", sha256, columns, rows)
        return Template(name, image, tuple(regions))


def draw_map(country: int, look: Look) -> DrawnMap:
    """Returns a map of one of the countries: the same borders for the same number."""
    import cv2

    place = np.array([look.left, look.top])
    factor = np.array([look.scale * look.stretch, look.scale])
    polygons = {
        name: _bent(shape, look.bend) * factor + place for name, shape in _regions(country).items()
    }
    random = rng("drawn map", "look", look.colours)
    canvas = np.full((look.height, look.width, 3), 255, np.uint8)
    ramp = np.linspace(1.0, 0.25, 5)[:, None] * random.integers(150, 256, 3)
    classes = random.integers(len(ramp), size=len(polygons))
    for polygon, kind in zip(polygons.values(), classes.tolist(), strict=True):
        if look.hatched:
            _hatch(canvas, polygon, HATCHES[kind])
        else:
            cv2.fillPoly(canvas, [_fixed(polygon)], ramp[kind].tolist(), cv2.LINE_AA, SUBPIXEL)
    for name, polygon in polygons.items():
        cv2.polylines(canvas, [_fixed(polygon)], True, BORDER, 1, cv2.LINE_AA, SUBPIXEL)
        if look.labels:
            x, y = polygon.mean(axis=0)
            _write(canvas, name, (int(x) - 9, int(y) + 4), 0.42)
    title = " ".join("".join(random.choice([*"aeinorstlu"], 6)) for _ in range(6))
    _write(canvas, title, (60, 30), 0.7)
    legend_top = look.height - 180
    for row, colour in enumerate(ramp.tolist()):
        top = legend_top + 24 * row
        corner = look.legend_left, top
        cv2.rectangle(canvas, corner, (corner[0] + 20, top + 14), colour, cv2.FILLED)
        _write(canvas, f"{random.integers(10, 99)} %", (corner[0] + 28, top + 12), 0.45)
    return DrawnMap(
        canvas,
        {name: box_around(polygon.tolist()) for name, polygon in polygons.items()},
        {
            "title": (55.0, 8.0, 380.0, 32.0),
            "legend": (look.legend_left - 5.0, legend_top - 5.0, 90.0, 128.0),
        },
    )


def _regions(country: int) -> dict[str, Polygon]:
    """Returns the regions of a country by name, on a field of 700 × 400."""
    random = rng("drawn map", "borders", country)
    nodes = np.array([[[x, y] for x in range(COLUMNS + 1)] for y in range(ROWS + 1)], float)
    nodes = (nodes + random.uniform(-JITTER, JITTER, nodes.shape)) * CELL
    across = [
        [_border(nodes[y, x], nodes[y, x + 1], random) for x in range(COLUMNS)]
        for y in range(ROWS + 1)
    ]
    down = [
        [_border(nodes[y, x], nodes[y + 1, x], random) for x in range(COLUMNS + 1)]
        for y in range(ROWS)
    ]
    return {
        f"{chr(65 + y)}{chr(65 + x)}": np.vstack(
            [
                across[y][x][:-1],
                down[y][x + 1][:-1],
                across[y + 1][x][::-1][:-1],
                down[y][x][::-1][:-1],
            ]
        )
        for y in range(ROWS)
        for x in range(COLUMNS)
    }


def _border(start: Polygon, end: Polygon, random: np.random.Generator) -> Polygon:
    """Returns a jagged line: midpoints are displaced, again and again."""
    line = np.array([start, end])
    for _ in range(HALVINGS):
        step = np.diff(line, axis=0)
        aside = step[:, ::-1] * [1, -1] * random.uniform(-ROUGHNESS, ROUGHNESS, (len(step), 1))
        middle = line[:-1] + step / 2 + aside
        both = np.empty((2 * len(step) + 1, 2))
        both[::2], both[1::2] = line, middle
        line = both
    return line


def _bent(polygon: Polygon, bend: float) -> Polygon:
    """Returns a shape on the field, moved down by the square of its distance from the middle."""
    half = COLUMNS * CELL / 2
    aside = (polygon[:, :1] - half) / half
    return polygon + np.hstack([np.zeros_like(aside), bend * aside * aside])


def _hatch(canvas: NDArray[np.uint8], polygon: Polygon, sign: str) -> None:
    """Fills a region with lines whose pattern belongs to the page, as plotting programs do."""
    import cv2

    inside = np.zeros(canvas.shape[:2], np.uint8)
    cv2.fillPoly(inside, [_fixed(polygon)], 255, cv2.LINE_8, SUBPIXEL)
    y, x = np.indices(inside.shape)
    lines = {"/": [x + y], "\\": [x - y], "-": [y], "|": [x], "+": [x, y]}
    pattern = np.zeros(inside.shape, bool)
    for distance in lines[sign]:
        pattern |= distance % HATCH_STEP == 0
    canvas[(inside > 0) & pattern] = BORDER


def _fixed(polygon: Polygon) -> NDArray[np.int32]:
    """Returns continuous coordinates as OpenCV's, which count from the first pixel's centre."""
    return np.rint((polygon - 0.5) * (1 << SUBPIXEL)).astype(np.int32)


def _write(canvas: NDArray[np.uint8], text: str, at: tuple[int, int], size: float) -> None:
    import cv2

    cv2.putText(canvas, text, at, cv2.FONT_HERSHEY_SIMPLEX, size, (20, 20, 20), 1, cv2.LINE_AA)
