"""Real maps of MapWise, with templates drawn on four of them.

Where each map stands was read off the maps with their boxes drawn on them: target = scale ×
template + shift, in pixels. Every one was looked at.
"""

from pathlib import Path

import numpy as np
import pytest

from benchloom.builders.dragon.features import single_thread
from benchloom.builders.dragon.template_formats import read_templates
from benchloom.builders.dragon.template_images import ImageFinder
from benchloom.builders.dragon.transfer import PreparedTemplate, prepare_template, transfer
from benchloom.builders.dragon.transfers import Method, Transfer
from benchloom.loaders.boxes import xyxy_from_xywh

PLACES = {
    ("china", "china/images/with_annotations/map10_3D.png"): (1.0, 0.0, 0.0),
    ("china", "china/images/with_annotations/map11_1D.png"): (1.0, 0.0, 23.3),
    ("china", "china/images/with_annotations/map19_3D.png"): (1.0, 0.0, 0.0),
    ("china", "china/images/with_annotations/map2_0D.png"): (1.0, 0.0, 35.5),
    ("india", "india/images/with_annotations/map139_1C.png"): (0.916, -6.4, 41.9),
    ("india", "india/images/with_annotations/map152_3D.png"): (1.0, 0.0, 0.0),
    ("india", "india/images/with_annotations/map83_1D.png"): (1.0, 0.0, 0.0),
    ("india", "india/images/with_annotations/map97_8D.png"): (1.0, 0.0, 0.0),
    ("usa", "counter_factuals/imaginary/maps/map_11175.png"): (0.975, 12.5, -13.1),
    ("usa", "counter_factuals/imaginary/maps/map_13.png"): (0.94, 3.0, 18.0),
    ("usa", "counter_factuals/imaginary/maps/map_15912.png"): (0.9464, 2.8, 16.0),
    ("usa", "usa/images/with_annotations/map_1280.png"): (1.0, 0.0, 0.0),
    ("usa", "usa/images/with_annotations/map_15950.png"): (0.975, 12.5, -13.0),
    ("usa", "usa/images/with_annotations/map_20058.png"): (0.9443, 2.8, 16.6),
    ("usa", "usa/images/with_annotations/map_20746.png"): (0.9443, 2.8, 16.6),
    ("usa", "usa/images/with_annotations/map_215.png"): (0.9466, 2.7, 15.9),
    ("usa", "usa/images/with_annotations/map_8808.png"): (1.0, 0.0, 0.0),
    ("usa", "usa/images/wo_annotations/map_2024.png"): (0.9707, 14.6, -12.6),
    ("usa", "usa/images/wo_annotations/map_2453.png"): (0.9665, 16.8, -12.4),
    ("usa", "usa/images/wo_annotations/map_30.png"): (0.966, 17.0, -12.3),
    ("usa", "usa/images/wo_annotations/map_8808.png"): (1.0, 0.0, 0.0),
    ("usa", "usa/images/wo_annotations/map_9685.png"): (1.0, 0.0, 0.1),
    ("usa_hat", "usa/images/hatched/map_11719.png"): (1.0, -111.5, 0.0),
    ("usa_hat", "usa/images/hatched/map_8543.png"): (1.0, -70.0, 0.7),
    ("usa_hat", "usa/images/hatched/map_8808.png"): (1.0, 0.0, 0.0),
    ("usa_hat", "usa/images/hatched/map_930.png"): (1.0, 172.8, 0.5),
}
WRONG_TEMPLATES = [
    ("usa", "usa/images/hatched/map_11719.png"),
    ("usa", "usa/images/hatched/map_8543.png"),
    ("usa", "usa/images/hatched/map_8808.png"),
    ("usa", "usa/images/hatched/map_930.png"),
    ("usa_hat", "usa/images/with_annotations/map_8808.png"),
    ("china", "china/images/hatched/map3_2D.png"),
]
NOT_BY_PAPER = [
    ("usa", "usa/images/wo_annotations/map_2024.png"),
    ("india", "india/images/with_annotations/map139_1C.png"),
]


@pytest.fixture(scope="module")
def templates(samples: Path) -> dict[str, PreparedTemplate]:
    folder = samples / "mapwise"
    images = [path.relative_to(folder).as_posix() for path in sorted(folder.rglob("*.png"))]
    finder = ImageFinder(folder / "templates.json", folder, images)
    found = read_templates(finder.file, finder)
    return {one.id: prepare_template(*finder.identify(one)) for one in found}


def transferred(
    samples: Path, template: PreparedTemplate, image: str, method: Method = "auto"
) -> Transfer:
    with single_thread():
        content = (samples / "mapwise" / image).read_bytes()
        return transfer(content, "mapwise", image, [template], method)


def corner_errors(
    done: Transfer, template: PreparedTemplate, place: tuple[float, ...]
) -> list[float]:
    """Returns the largest error of a corner's coordinate for each region on the map."""
    scale, *shift = place
    boxes = template.template.boxes()
    return [
        float(
            np.abs(
                np.array(xyxy_from_xywh(region.bbox))
                - (scale * np.array(xyxy_from_xywh(boxes[region.id])) + [*shift, *shift])
            ).max()
        )
        for region in done.regions
        if region.anchor == "map"
    ]


@pytest.mark.parametrize(("name", "image"), PLACES)
def test_every_map_is_placed(
    samples: Path, templates: dict[str, PreparedTemplate], name: str, image: str
) -> None:
    done = transferred(samples, templates[name], image)
    assert done.status == "placed"
    assert max(corner_errors(done, templates[name], PLACES[name, image])) < 1.5
    doubted = [one.id for one in done.regions if one.anchor == "map" and one.needs_redraw]
    assert len(doubted) <= (1 if name == "usa_hat" else 0)
    assert all(one.needs_redraw for one in done.regions if one.anchor == "page")


@pytest.mark.parametrize(("name", "image"), WRONG_TEMPLATES)
def test_templates_of_another_style_are_refused(
    samples: Path, templates: dict[str, PreparedTemplate], name: str, image: str
) -> None:
    done = transferred(samples, templates[name], image)
    assert (done.status, done.origin) == ("flagged", "scaled")
    assert all(region.needs_redraw for region in done.regions)


@pytest.mark.parametrize(("name", "image"), NOT_BY_PAPER)
def test_the_paper_s_recipe_places_some_wrongly_and_says_nothing(
    samples: Path, templates: dict[str, PreparedTemplate], name: str, image: str
) -> None:
    done = transferred(samples, templates[name], image, "paper")
    assert done.status == "placed"
    assert max(corner_errors(done, templates[name], PLACES[name, image])) > 20
