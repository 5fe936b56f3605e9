"""Drawings: the look of NetworkX's, exact size, equal pixels whatever the order and the machine."""

import hashlib
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from benchloom.builders.graphs.graph import Graph
from benchloom.builders.seeds import rng
from benchloom.builders.vga import drawing
from benchloom.builders.vga.drawing import Panel, Picture, palette
from benchloom.builders.vga.geometry import WHOLE
from benchloom.builders.vga.placement import place
from benchloom.builders.vga.png import encode
from benchloom.builders.vga.style import Style


def draw(panels, style):
    """The palette indices of a picture whose groups of ink are the right ones."""
    picture = drawing.draw(panels, style)
    whole = Picture.of(picture.indices)
    assert set(whole.inked.tolist()) <= set(picture.inked.tolist())
    assert (np.diff(picture.inked) > 0).all()
    return picture.indices


def rgb(indices, style):
    return drawing.rgb(Picture.of(indices), style)


def pixels_sha256(indices, style):
    return drawing.pixels_sha256(Picture.of(indices), style)


GOLDEN = Path(__file__).parents[2] / "golden" / "vga_drawings.json"
STYLE = Style()
VARIANT = Style(
    width=531,
    height=402,
    radius=9.3,
    half_side=7.75,
    line_width=2.6,
    background="#fff4d6",
    line="#7a1020",
    node="#1d8f4e",
)

# Both slopes of both kinds, level and upright lines, crossings in one point, fractions of a pixel.
POINTS = np.array(
    [
        [1601, 1607],
        [9599, 1607],
        [9599, 9604],
        [1601, 9604],
        [5600, 5605],
        [5600, 2403],
        [2405, 5605],
        [8122, 4001],
        [4007, 8190],
    ]
)
EDGES = (
    (0, 1),
    (1, 2),
    (0, 4),
    (2, 4),
    (1, 4),
    (3, 4),
    (4, 5),
    (4, 6),
    (5, 7),
    (6, 8),
    (7, 8),
    (2, 8),
)

DRAWINGS = {
    "plain": ([Panel(EDGES, POINTS)], STYLE),
    "marked": ([Panel(EDGES, POINTS, (4, 7))], STYLE),
    "pair": (
        [
            Panel(EDGES, POINTS // np.array([2, 1])),
            Panel(EDGES[2:], POINTS // np.array([2, 1]) + np.array([5600, 0])),
        ],
        STYLE,
    ),
    "variant": ([Panel(EDGES, POINTS * 10 // 16, (0, 8))], VARIANT),
}


def random_panel(key, n_edges, n_nodes=9, marked=()):
    generator = rng("test-drawing", key)
    points = generator.integers(1000, 10200, (n_nodes, 2))
    points[points % 16 == 8] += 1  # half a pixel: matplotlib's rounding of level lines is a toss-up
    pairs = [(u, v) for v in range(n_nodes) for u in range(v)]
    edges = [pairs[k] for k in generator.permutation(len(pairs))[:n_edges]]
    return Panel(edges, points, marked)


def networkx_pixels(panel, style=STYLE):
    """What nx.draw and savefig make of the same places."""
    import matplotlib as mpl
    import networkx as nx
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with mpl.rc_context():
        mpl.rcdefaults()
        figure = Figure(figsize=(style.width / 100, style.height / 100), dpi=100)
        FigureCanvasAgg(figure)
        axes = figure.add_axes((0, 0, 1, 1))
        graph = nx.Graph()
        graph.add_nodes_from(range(len(panel.points)))
        graph.add_edges_from(panel.edges)
        places = {node: (x / 16, y / 16) for node, (x, y) in enumerate(panel.points.tolist())}
        nx.draw_networkx_edges(graph, places, ax=axes)
        for shape, nodes in (("o", set(graph) - set(panel.marked)), ("s", set(panel.marked))):
            if nodes:
                # One size for each node: for a single size matplotlib moves discs to whole pixels.
                sizes = [300] * len(nodes) if shape == "o" else 300
                nx.draw_networkx_nodes(
                    graph, places, sorted(nodes), node_shape=shape, node_size=sizes, ax=axes
                )
        axes.set_xlim(0, style.width)
        axes.set_ylim(style.height, 0)
        axes.axis("off")
        file = io.BytesIO()
        figure.savefig(file, dpi=100)
    return np.asarray(Image.open(file).convert("RGB")).astype(int)


@pytest.mark.parametrize(
    ("key", "n_edges", "n_marked"), [(0, 8, 0), (1, 14, 2), (2, 20, 0), (3, 36, 2), (4, 0, 2)]
)
def test_looks_as_networkx_draws(key, n_edges, n_marked):
    panel = random_panel(key, n_edges, marked=tuple(range(n_marked)))
    # matplotlib puts a square one pixel too far when it lies in the second half of a pixel.
    panel.points[:n_marked] -= panel.points[:n_marked] % 16 // 8 * 8
    ours = rgb(draw([panel], STYLE), STYLE).astype(int)
    theirs = networkx_pixels(panel)
    difference = np.abs(ours - theirs).max(axis=2)
    inked = (theirs < 255).any(axis=2)
    # 16 colours are up to 22 levels off between two of the three colours and 30 between all three;
    # matplotlib's own discs are up to 8 levels off the exact disc, our table of coverage 4.
    assert difference.max() <= 44
    assert difference[inked].mean() <= 11
    assert (difference > 26).sum() <= 0.02 * inked.sum()
    assert abs((ours - theirs)[inked].mean()) <= 2.5  # neither darker nor paler on the whole


def test_level_and_upright_lines_are_crisp_as_in_networkx():
    # matplotlib puts a line one pixel too far when it lies in the second half of a pixel.
    points = np.array([[1605, 1605], [9605, 1605], [1605, 9605], [1601, 5601], [9605, 5601]])
    panel = Panel([(0, 1), (0, 2), (3, 4)], points)
    ours = rgb(draw([panel], STYLE), STYLE).astype(int)
    assert np.abs(ours - networkx_pixels(panel)).max() <= 32
    assert ours[98:104, 300, 0].tolist() == [255, 213, 0, 213, 255, 255]
    assert ours[300, 98:104, 0].tolist() == [255, 213, 0, 213, 255, 255]


def test_difference_from_networkx_is_seen_when_a_node_moves_by_a_pixel():
    panel = random_panel(5, 12)
    theirs = networkx_pixels(panel)
    moved = panel.points.copy()
    moved[3, 0] += 16
    ours = rgb(draw([panel._replace(points=moved)], STYLE), STYLE).astype(int)
    assert np.abs(ours - theirs).max() > 100


@pytest.mark.parametrize(("width", "height"), [(956, 928), (700, 700), (17, 33), (701, 699)])
def test_size_is_exact(width, height):  # D1: 956 x 928
    style = Style(width=width, height=height)
    picture = draw([Panel([(0, 1)], np.array([[100, 120], [8000, 9000]]))], style)
    assert picture.shape == (height, width)
    with Image.open(io.BytesIO(encode(picture, palette(style)))) as image:
        assert image.size == (width, height)


def run(code, **environment):
    result = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


def golden_code():
    """A program that prints the digests of the drawings, made of literals only."""
    drawings = {
        name: (
            [[list(p.edges), p.points.tolist(), list(p.marked)] for p in panels],
            style.to_json(),
        )
        for name, (panels, style) in DRAWINGS.items()
    }
    return (
        "import json, numpy as np\n"
        "from benchloom.builders.vga.drawing import Panel, draw, pixels_sha256\n"
        "from benchloom.builders.vga.style import Style\n"
        f"drawings = {drawings!r}\n"
        "digests = {}\n"
        "for name, (panels, style) in drawings.items():\n"
        "    style = Style.from_json(style)\n"
        "    picture = draw([Panel(e, np.array(p), m) for e, p, m in panels], style)\n"
        "    digests[name] = pixels_sha256(picture, style)\n"
        "print(json.dumps(digests))\n"
    )


def test_users_settings_change_nothing(tmp_path):  # D3
    (tmp_path / "matplotlibrc").write_text(
        "savefig.dpi: 300\nfigure.dpi: 300\nlines.linewidth: 9\n"
    )
    golden = json.loads(GOLDEN.read_text())
    assert run(golden_code(), MATPLOTLIBRC=str(tmp_path)) == golden


def test_pixels_are_golden():
    digests = {
        name: pixels_sha256(draw(*drawing), drawing[1]) for name, drawing in DRAWINGS.items()
    }
    assert digests == json.loads(GOLDEN.read_text())


def test_pixels_do_not_depend_on_the_processor(tmp_path):
    code = (
        "import numba, llvmlite.binding as llvm\n"
        "assert numba.config.CPU_NAME == 'generic', numba.config.CPU_NAME\n"
    ) + golden_code()
    digests = run(
        code, NUMBA_CPU_NAME="generic", NUMBA_CPU_FEATURES="", NUMBA_CACHE_DIR=str(tmp_path)
    )
    assert digests == json.loads(GOLDEN.read_text())


def test_node_and_edge_order_do_not_matter():  # D11, and its whole kind
    panels = [random_panel(key, n, marked=(1, 6)) for key, n in enumerate((6, 20, 36))]
    cycle = POINTS[:6]
    panels.append(Panel(((0, 1), (1, 2), (2, 3), (3, 4), (4, 0), (0, 5)), cycle))
    for number, panel in enumerate(panels):
        expected = draw([panel], STYLE)
        n_nodes = len(panel.points)
        generator = rng("test-order", number)
        orders = [np.arange(n_nodes)[::-1], *(generator.permutation(n_nodes) for _ in range(5))]
        for order in orders:
            points = np.empty_like(panel.points)
            points[order] = panel.points
            edges = [(int(order[v]), int(order[u])) for u, v in panel.edges][::-1]
            marked = [int(order[node]) for node in panel.marked][::-1]
            np.testing.assert_array_equal(draw([Panel(edges, points, marked)], STYLE), expected)


def test_order_does_not_matter_where_nodes_overlap():
    points = np.array([[4000, 4000], [4185, 4107], [4090, 4222], [4201, 3911]])
    edges = [(0, 1), (1, 2), (0, 3)]
    expected = draw([Panel(edges, points, (1,))], STYLE)
    order = [3, 1, 0, 2]  # node v is now called order[v]
    again = np.empty_like(points)
    again[order] = points
    edges = [(order[v], order[u]) for u, v in edges][::-1]
    np.testing.assert_array_equal(draw([Panel(edges, again, (order[1],))], STYLE), expected)


def test_panels_add_up():
    left, right = DRAWINGS["pair"][0]
    one = Panel(
        [*left.edges, *((u + 9, v + 9) for u, v in right.edges)],
        np.concatenate([left.points, right.points]),
    )
    picture = draw([left, right], STYLE)
    np.testing.assert_array_equal(picture, draw([right, left], STYLE))
    np.testing.assert_array_equal(picture, draw([one], STYLE))
    np.testing.assert_array_equal(picture[:, :350], draw([left], STYLE)[:, :350])
    np.testing.assert_array_equal(picture[:, 350:], draw([right], STYLE)[:, 350:])


def test_what_lies_outside_is_cut_off():
    panel = random_panel(7, 16, marked=(0, 1))
    whole = draw([panel], STYLE)
    small = Style(width=300, height=280)
    moved = panel._replace(points=panel.points - np.array([200 * 16, 130 * 16]))
    np.testing.assert_array_equal(draw([moved], small), whole[130:410, 200:500])
    away = panel._replace(points=panel.points - 16 * 5000)
    assert not draw([away], STYLE).any()


def test_moving_by_whole_pixels_moves_the_picture():
    panel = random_panel(8, 16, marked=(0, 1))
    moved = panel._replace(points=panel.points + np.array([16 * 3, -16 * 7]))
    whole = draw([panel], STYLE)
    np.testing.assert_array_equal(draw([moved], STYLE)[:-7, 3:], whole[7:, :-3])


def test_no_ink_in_the_outer_pixels():  # D7
    graph = Graph.of(9, [(v, v + 1) for v in range(8)])
    for repeat in range(12):
        placed = place(graph, "kamada_kawai", WHOLE, None, rng("test-border"), repeat)
        picture = draw([Panel(graph.edges, placed.points)], STYLE)
        inner = picture[4:-4, 4:-4]
        assert inner.any()
        assert np.count_nonzero(picture) == np.count_nonzero(inner)


@pytest.mark.parametrize(
    "panel",
    [
        Panel([(0, 9)], POINTS),
        Panel([(-1, 2)], POINTS),
        Panel([], POINTS, (9,)),
        Panel([], POINTS.astype(float)),
        Panel([], POINTS.reshape(-1)),
        Panel([], POINTS << 40),
    ],
)
def test_what_cannot_be_drawn_is_refused(panel):
    with pytest.raises(ValueError, match=r"names node|points are"):
        draw([panel], STYLE)


def test_digest_is_that_of_any_reader_and_keeps_no_history():
    pictures = [draw(*drawing) for drawing in DRAWINGS.values()]
    styles = [drawing[1] for drawing in DRAWINGS.values()]
    ground = np.zeros((700, 700), np.uint8)
    last = ground.copy()
    last[-1, -1] = 5
    odd = np.arange(13 * 7, dtype=np.uint8).reshape(13, 7) % 16
    cases = [*zip(pictures, styles, strict=True), (ground, STYLE), (last, STYLE), (odd, STYLE)]
    for picture, style in [*cases, *cases[::-1], *cases]:
        file = encode(picture, palette(style))
        pixels = np.asarray(Image.open(io.BytesIO(file)).convert("RGB"))
        np.testing.assert_array_equal(rgb(picture, style), pixels)
        assert pixels_sha256(picture, style) == hashlib.sha256(pixels.tobytes()).hexdigest()
    mutable = rgb(ground, STYLE)
    mutable[:] = 0
    assert rgb(ground, STYLE).min() == 255


@pytest.mark.parametrize(
    "picture", [np.full((4, 4), 16, np.uint8), np.zeros((4, 4), np.int64), np.zeros(4, np.uint8)]
)
def test_digest_refuses_what_is_no_picture(picture):
    with pytest.raises(ValueError, match=r"uint8 array|number of colours"):
        pixels_sha256(picture, STYLE)
    with pytest.raises(ValueError, match=r"uint8 array|number of colours"):
        rgb(picture, STYLE)


def test_palette_holds_the_styles_colours():
    for style in (STYLE, VARIANT):
        colours = [tuple(colour) for colour in palette(style).tolist()]
        assert len(colours) == 16
        for name in (style.background, style.line, style.node):
            assert tuple(bytes.fromhex(name[1:])) in colours
        assert colours[0] == tuple(bytes.fromhex(style.background[1:]))


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"width": 0}, "width"),
        ({"height": 700.0}, "height"),
        ({"width": True}, "width"),
        ({"radius": float("nan")}, "radius"),
        ({"radius": "12"}, "radius"),
        ({"half_side": -1}, "half_side"),
        ({"line_width": 0}, "line_width"),
        ({"line_width": 20, "half_side": 30}, "line_width"),
        ({"node": "blue"}, "node is a colour"),
        ({"node": "#fefefe"}, "background and node are too alike"),
        ({"line": "#1f78b4"}, "line and node are too alike"),
        ({"node": "#808080"}, "shade of its line"),
    ],
)
def test_style_says_what_is_wrong(values, words):
    with pytest.raises(ValueError, match=words):
        Style(**values)


def test_style_goes_through_json():
    assert Style.from_json(json.loads(json.dumps(VARIANT.to_json()))) == VARIANT
    assert Style.from_json({"width": 300}) == Style(width=300)
    with pytest.raises(ValueError, match="no 'colour'; it has width"):
        Style.from_json({"colour": "red"})
