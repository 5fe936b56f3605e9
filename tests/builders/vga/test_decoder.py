"""The decoder: every drawing is read back as it is, and every planted fault is noticed."""

import io

import networkx as nx
import numpy as np
import pytest
from PIL import Image

from benchloom.builders.graphs.graph import Graph
from benchloom.builders.seeds import rng
from benchloom.builders.vga import drawing
from benchloom.builders.vga.decoder import DecodedGraph, DecodeError, decode
from benchloom.builders.vga.decoder_ink import explain
from benchloom.builders.vga.drawing import Panel, Picture, palette
from benchloom.builders.vga.geometry import LEFT_PANEL, RIGHT_PANEL, WHOLE, Frame
from benchloom.builders.vga.legibility import Limits
from benchloom.builders.vga.placement import place
from benchloom.builders.vga.png import encode
from benchloom.builders.vga.style import Style


def draw(panels, style):
    return drawing.draw(panels, style).indices


def rgb(indices, style):
    return drawing.rgb(Picture.of(indices), style)


STYLE = Style()


def picture(panels, style=STYLE):
    return encode(draw(panels, style), palette(style))


def random_graph(generator, planar=False):
    """A connected graph on 4 to 9 nodes, of any density."""
    while True:
        n_nodes = int(generator.integers(4, 10))
        most = 3 * n_nodes - 6 if planar else n_nodes * (n_nodes - 1) // 2
        n_edges = int(generator.integers(n_nodes - 1, most + 1))
        graph = nx.gnm_random_graph(n_nodes, n_edges, seed=int(generator.integers(1 << 30)))
        if nx.is_connected(graph) and (not planar or nx.check_planarity(graph)[0]):
            return Graph.of(n_nodes, list(graph.edges))


def placed_panel(key, layout, frame=WHOLE, marked=(), graph=None):
    generator = rng("test-decoder", layout, key)
    graph = graph or random_graph(generator, planar=layout == "planar" or frame is not WHOLE)
    marks = (0, graph.n_nodes - 1) if marked else None
    placed = place(graph, layout, frame, marks, generator)
    return Panel(graph.edges, placed.points, marks or ())


def seen(decoded: DecodedGraph, points):
    """The edges and marks of a decoded graph in the numbering of the points they lie at."""
    away = np.abs(decoded.centres[:, None] - points[None] / 16).max(axis=2)
    order = away.argmin(axis=1)
    assert away.min(axis=1).max() <= 0.7  # squares lie up to half a pixel off
    assert sorted(order) == list(range(len(points)))
    edges = {(min(order[u], order[v]), max(order[u], order[v])) for u, v in decoded.edges}
    return sorted(edges), sorted(order[node] for node in decoded.marked)


def assert_read_back(panels, style=STYLE, png=None):
    decoded = decode(png or picture(panels, style), style, panels=len(panels))
    assert len(decoded.panels) == len(panels)
    for one, panel in zip(decoded.panels, panels, strict=True):
        assert seen(one, panel.points) == (sorted(panel.edges), sorted(panel.marked))


@pytest.mark.parametrize("layout", ["kamada_kawai", "random", "planar"])
@pytest.mark.parametrize("marked", [False, True])
def test_drawings_are_read_back(layout, marked):
    for key in range(60):
        assert_read_back([placed_panel(key, layout, marked=marked)])


def test_pairs_are_read_back():
    for key in range(60):
        left = placed_panel(key, "planar", LEFT_PANEL)
        right = placed_panel(key, "kamada_kawai", RIGHT_PANEL)
        assert_read_back([left, right])


@pytest.mark.parametrize("n_nodes", [5, 7, 8, 9])
@pytest.mark.parametrize("n_missing", [0, 1, 3])
def test_dense_drawings_are_read_back(n_nodes, n_missing):
    for key in range(6):
        pairs = [(u, v) for v in range(n_nodes) for u in range(v)]
        gone = rng("test-dense", key).permutation(len(pairs))[:n_missing]
        graph = Graph.of(n_nodes, [pair for k, pair in enumerate(pairs) if k not in gone])
        if n_nodes < 8:
            assert_read_back([placed_panel(key, "random", graph=graph)])
        assert_read_back([placed_panel(key, "kamada_kawai", graph=graph)])


@pytest.mark.parametrize(
    "style",
    [
        Style(node="#c0392b", line="#1b2631", background="#f8f9f9"),
        Style(width=956, height=928, radius=16.0, half_side=15.0, line_width=2.5),
        Style(width=601, height=600, radius=9.0, half_side=10.5, line_width=1.0),
        Style(background="#101010", line="#f0f0f0", node="#2ecc71"),
    ],
)
def test_other_styles_are_read_back(style):
    limits = Limits(
        radius=style.radius,
        square_radius=style.square_radius,
        edge_gap=3.7 + max(0.0, style.line_width - 1.39),
    )
    frame = Frame(0, 0, style.width, style.height)
    for key in range(12):
        generator = rng("test-style", key)
        graph = random_graph(generator)
        placed = place(graph, "kamada_kawai", frame, (0, 1), generator, 0, limits)
        assert_read_back([Panel(graph.edges, placed.points, (0, 1))], style)


def test_any_png_of_the_same_pixels_will_do():
    for key in range(3):
        panel = placed_panel(key, "kamada_kawai", marked=True)
        pixels = rgb(draw([panel], STYLE), STYLE)
        for image in (Image.fromarray(pixels), Image.fromarray(pixels).convert("RGBA")):
            file = io.BytesIO()
            image.save(file, "PNG")
            assert_read_back([panel], png=file.getvalue())


def test_networkx_drawings_are_read_back():
    """Pictures that none of our code drew."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    for key in range(5):
        panel = placed_panel(key, "kamada_kawai")
        figure = Figure(figsize=(7, 7), dpi=100)
        FigureCanvasAgg(figure)
        axes = figure.add_axes((0, 0, 1, 1))
        places = {node: (x / 16, y / 16) for node, (x, y) in enumerate(panel.points.tolist())}
        graph = nx.Graph(panel.edges)
        nx.draw_networkx_edges(graph, places, ax=axes)
        nx.draw_networkx_nodes(graph, places, ax=axes, node_size=[300] * len(graph))
        axes.set_xlim(0, 700)
        axes.set_ylim(700, 0)
        axes.axis("off")
        file = io.BytesIO()
        figure.savefig(file, dpi=100)
        assert_read_back([panel], png=file.getvalue())


@pytest.mark.parametrize("turn", range(8))
def test_a_non_edge_is_not_patched_together_from_other_ink(turn):
    """The way from 0 to 1 is inked at both ends, in the middle and at crossings, but is no edge."""
    places = [(150, 350), (550, 350), (585, 318), (115, 318), (210, 310), (490, 392)]
    places += [(260, 290), (260, 410), (350, 290), (350, 410), (440, 290), (440, 410)]
    edges = [(0, 2), (1, 3), (4, 5), (6, 7), (8, 9), (10, 11)]
    points = np.array(places) * 16 - 5600
    quarter = np.array([[0, 1], [-1, 0]])
    for _ in range(turn % 4):
        points = points @ quarter
    points = points * np.array([1, -1 if turn > 3 else 1]) + 5603
    assert_read_back([Panel(edges, points)])
    assert_read_back([Panel([*edges, (0, 1)], points)])


def test_an_edge_through_a_node_is_two_edges():
    points = np.array([[1600, 5600], [9600, 5600], [5600, 5600]])
    decoded = decode(picture([Panel([(0, 1)], points)]), STYLE).panels[0]
    assert seen(decoded, points)[0] == [(0, 2), (1, 2)]


@pytest.mark.parametrize(("apart", "part"), [(0.5, 0.0), (1.5, 0.0), (8.0, 1.0)])
def test_edges_beside_one_another_have_little_of_their_own(apart, part):
    centres = np.array([[60.0, 50.0], [640.0, 50.0], [60.0, 50.0 + apart], [640.0, 50.0 + apart]])
    ink, square = np.zeros((700, 700), np.bool_), np.zeros(4, np.bool_)
    edges = np.array([[0, 1], [2, 3]])
    line = np.zeros((700, 700), np.uint8)
    stray, exclusive, _ = explain(ink, line, centres, square, edges, 12.72, 12.72, 1.39)
    assert stray.tolist() == [-1, -1]
    assert exclusive.tolist() == [part, part]


# --- planted faults -------------------------------------------------------------------------------


def faulty(panel, truth):
    """Whether the decoder refuses the picture of a panel, or does not see the truth in it."""
    return pixels_faulty(draw([panel], STYLE), truth)


def pixels_faulty(pixels, truth):
    try:
        decoded = decode(encode(pixels, palette(STYLE)), STYLE).panels[0]
    except DecodeError:
        return True
    if len(decoded.centres) != len(truth.points):
        return True
    away = np.abs(decoded.centres[:, None] - truth.points[None] / 16).max(axis=2)
    if away.min(axis=1).max() > 1.5:
        return True
    return seen(decoded, truth.points) != (sorted(truth.edges), sorted(truth.marked))


CASES = [(key, layout) for layout in ("kamada_kawai", "random", "planar") for key in range(8)]


@pytest.mark.parametrize(("key", "layout"), CASES)
def test_removed_and_added_edges_are_noticed(key, layout):
    panel = placed_panel(key, layout, marked=True)
    assert not faulty(panel, panel)
    for edge in panel.edges:
        assert faulty(panel._replace(edges=[e for e in panel.edges if e != edge]), panel), edge
    n_nodes = len(panel.points)
    absent = {(u, v) for v in range(n_nodes) for u in range(v)} - set(panel.edges)
    for u, v in sorted(absent):
        assert faulty(panel._replace(edges=[*panel.edges, (u, v)]), panel), (u, v)


@pytest.mark.parametrize("turn", [(0, 1), (1, 1), (3, 4), (1, 7), (12, 5)])
@pytest.mark.parametrize("style", [STYLE, Style(line_width=2.5), Style(line_width=0.8)])
def test_an_edge_drawn_over_others_in_line_is_noticed(turn, style):
    step = np.array(turn) / np.hypot(*turn)
    points = np.round(np.array([k * 110 * step for k in range(5)]) * 16).astype(np.int64) + 2000
    path = [(0, 1), (1, 2), (2, 3), (3, 4)]
    clean = encode(draw([Panel(path, points)], style), palette(style))
    assert seen(decode(clean, style).panels[0], points)[0] == path
    for added in ((0, 2), (1, 4), (0, 4)):
        over = encode(draw([Panel([*path, added], points)], style), palette(style))
        with pytest.raises(DecodeError, match="drawn over"):
            decode(over, style)


@pytest.mark.parametrize(("key", "layout"), CASES)
def test_moved_marks_and_missing_nodes_are_noticed(key, layout):
    panel = placed_panel(key, layout, marked=True)
    for marked in ((), (0,), (0, 1), (1, len(panel.points) - 1), (0, 1, len(panel.points) - 1)):
        if set(marked) != set(panel.marked):
            assert faulty(panel._replace(marked=marked), panel)
    for node in range(len(panel.points)):
        pixels = draw([panel], STYLE)
        lines = draw([panel._replace(points=panel.points, marked=())], STYLE)
        x, y = panel.points[node] // 16
        window = (slice(y - 20, y + 20), slice(x - 20, x + 20))
        pixels[window] = np.where(lines[window] > 6, 0, lines[window])  # lines without the node
        assert pixels_faulty(pixels, panel), node


@pytest.mark.parametrize(("key", "layout"), CASES)
def test_a_node_on_a_foreign_edge_is_noticed(key, layout):
    panel = placed_panel(key, layout)
    tried = 0
    for u, v in panel.edges:
        for node in set(range(len(panel.points))) - {u, v}:
            points = panel.points.copy()
            for part in (0.37, 0.5):
                points[node] = np.round(points[u] + part * (points[v] - points[u]))
                moved = panel._replace(points=points)
                tried += 1
                # Where the edge and the node's own edges coincide, the picture cannot be refused,
                # but it is not the picture of the graph.
                assert faulty(moved, moved)
    assert tried >= 12


def test_an_edge_that_grazes_a_node_is_noticed():
    for off in range(0, 15):
        points = np.array([[2000, 5600], [9000, 5607], [5500, 5600 - 16 * off], [5600, 9000]])
        panel = Panel([(0, 1), (1, 3), (2, 3)][:2], points)
        assert faulty(panel, panel) == (off < 14), off


@pytest.mark.parametrize("shade", [1, 3, 6, 11])
def test_stray_ink_is_noticed(shade):
    panel = placed_panel(3, "kamada_kawai")
    clean = draw([panel], STYLE)
    generator = rng("test-stray")
    tried = 0
    while tried < 40:
        y, x = generator.integers(6, 690, 2)
        if clean[y - 5 : y + 6, x - 5 : x + 6].any():
            continue
        pixels = clean.copy()
        pixels[y, x] = shade
        assert pixels_faulty(pixels, panel)
        tried += 1


def test_half_and_broken_edges_are_noticed():
    for key in range(8):
        panel = placed_panel(key, "kamada_kawai")
        for u, v in panel.edges:
            without = draw([panel._replace(edges=[e for e in panel.edges if e != (u, v)])], STYLE)
            clean = draw([panel], STYLE)
            middle = (panel.points[u] + panel.points[v]) // 32
            (x, y), size = middle, 6
            broken = clean.copy()
            window = (slice(y - size, y + size), slice(x - size, x + size))
            broken[window] = without[window]
            assert pixels_faulty(broken, panel), (key, u, v)
            half = without.copy()
            columns = slice(0, x) if abs(panel.points[u] - panel.points[v])[0] > 160 else None
            if columns:
                half[:, columns] = clean[:, columns]
                assert pixels_faulty(half, panel), (key, u, v)


def test_overlapping_nodes_are_refused():
    points = np.array([[3000, 3000], [3300, 3100], [8000, 8000]])
    with pytest.raises(DecodeError, match="neither one disc nor one square"):
        decode(picture([Panel([(0, 2)], points)]), STYLE)


@pytest.mark.parametrize("place_of", [(0, 350), (699, 350), (350, 3), (350, 696)])
def test_ink_near_the_border_is_refused(place_of):
    pixels = draw([placed_panel(0, "kamada_kawai")], STYLE)
    pixels[place_of] = 1
    with pytest.raises(DecodeError, match="outer 4 pixels"):
        decode(encode(pixels, palette(STYLE)), STYLE)


def test_an_edge_between_panels_is_refused():
    left, right = (
        placed_panel(1, "planar", LEFT_PANEL),
        placed_panel(1, "kamada_kawai", RIGHT_PANEL),
    )
    n_left = len(left.points)
    both = Panel(
        [*left.edges, *((u + n_left, v + n_left) for u, v in right.edges), (0, n_left)],
        np.concatenate([left.points, right.points]),
    )
    with pytest.raises(DecodeError, match="belongs to no node"):
        decode(picture([both]), STYLE, panels=2)
    with pytest.raises(DecodeError, match="panel 2 has no node"):
        decode(picture([left]), STYLE, panels=2)
    with pytest.raises(ValueError, match="one panel or more"):
        decode(picture([left]), STYLE, panels=0)


def test_what_is_no_picture_of_the_style_is_refused():
    good = picture([placed_panel(0, "kamada_kawai")])
    with pytest.raises(DecodeError, match="no readable PNG"):
        decode(b"GIF89a", STYLE)
    with pytest.raises(DecodeError, match="no readable PNG"):
        decode(good[: len(good) // 2], STYLE)
    with pytest.raises(DecodeError, match="700 x 700 pixels, not 956 x 928"):
        decode(good, Style(width=956, height=928))
    with pytest.raises(DecodeError, match="the picture has no node"):
        decode(encode(np.zeros((700, 700), np.uint8), palette(STYLE)), STYLE)
    with pytest.raises(DecodeError, match="no ink of the style"):
        decode(good, Style(node="#d62728"))
