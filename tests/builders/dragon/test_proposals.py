"""What the rules propose, for each kind of diagram."""

from pathlib import Path
from typing import Any

import pytest
from dragon_fixtures import WRITERS

from benchloom.builders.dragon.item import ImageFile, Item
from benchloom.builders.dragon.places import countries
from benchloom.builders.dragon.proposals import RULES, box_to_see, propose
from benchloom.builders.dragon.proposals_texts import pick_texts
from benchloom.builders.dragon.regions import Region
from benchloom.builders.dragon.sources import SOURCES, source

COUNTRIES = {country.name: country for country in countries()}
Labels = dict[str, str]
"""Regions: labels by id."""


def proposed(
    kind: str,
    labels: Labels,
    question: str,
    answer: str,
    boxes: dict[str, tuple[float, float, float, float]] | None = None,
    aliases: dict[str, tuple[str, ...]] | None = None,
    **details: Any,
) -> dict[str, list[str]]:
    """Returns the ids of the regions that are proposed, by role."""
    regions = tuple(
        Region(
            name,
            label,
            (boxes or {}).get(name, (0, 0, 5, 5)),
            aliases=(aliases or {}).get(name, ()),
        )
        for name, label in labels.items()
    )
    image = ImageFile(Path("nowhere.png"), "test", "nowhere.png", 100, 100)
    item = Item(
        "x-test-1", kind, "test", "1", question, answer, (), image, regions, details=details
    )
    evidence = propose(item)
    assert [one.id for one in evidence] == [f"p{number + 1}" for number in range(len(evidence))]
    roles = [one.role for one in evidence]
    assert roles == sorted(roles)  # the answer's boxes first
    for one in evidence:
        region = next(region for region in regions if region.id == one.region)
        assert (one.label, one.bbox, one.origin) == (region.label, region.bbox, region.origin)
    return {
        role: [one.region for one in evidence if one.role == role and one.region is not None]
        for role in ("answer", "support")
    }


def on_map(question: str, answer: str, country: str = "usa") -> tuple[str, str]:
    """Returns the labels proposed for the answer and as support, on a map with all its parts."""
    labels = {code: code for code in COUNTRIES[country].names}
    labels |= {"legend": "legend", "title": "title"}
    found = proposed("mapwise", labels, question, answer)
    return " ".join(found["answer"]), " ".join(found["support"])


def test_every_source_has_a_rule() -> None:
    assert set(RULES) == set(SOURCES)


@pytest.mark.parametrize(
    ("question", "answer", "expected"),
    [
        ("Is Oregon darker than Texas?", "Yes", ("", "OR TX legend")),
        ("Which state has the value of Ohio?", "Iowa, Maine", ("IA ME", "OH legend")),
        ("Is West Virginia lower than Kansas?", "No", ("", "KS WV legend")),
        ("How many classes does the legend have?", "4", ("legend", "")),
        ("Is the legend discrete or continuous?", "Discrete", ("legend", "")),
        ("What range does the darkest shade show?", "10-20%", ("legend", "")),
        ("What value range does Utah fall in?", "0.8-0.9", ("legend", "UT")),
        ("Rank Utah and Ohio by the legend value.", "Ohio < Utah", ("OH UT", "legend")),
        ("Rank Utah and Ohio along the Canada border.", "Ohio < Utah", ("OH UT", "legend")),
        # Borders.
        ("Which state bordering Maine has a higher value?", "None", ("", "ME NH legend")),
        ("Do all states bordering the state of Maine match?", "Yes", ("", "ME NH")),
        ("Is Maine an outlier compared to its neighbours?", "Yes", ("", "ME NH legend")),
        ("Is Maine lower than its neighbouring state Vermont?", "No", ("", "ME VT legend")),
        ("Which states neighboring Maine are low?", "NH", ("NH", "ME legend")),
        ("Which is darker than all its neighbors?", "Maine", ("ME", "NH legend")),
        ("Which state borders at least one of its range?", "Maine", ("ME", "NH legend")),
        ("Are Ohio and Iowa a pair of bordering states?", "No", ("", "IA OH")),
        ("Which state has no international border?", "Ohio", ("OH", "")),
        ("Which states border Mexico?", "Texas", ("TX", "AZ CA NM")),
        ("What is lowest along the Mexico border?", "1-2", ("legend", "AZ CA NM TX")),
        ("Is New Mexico dark?", "Yes", ("", "NM legend")),
        ("How many lie on the west coast?", "3", ("", "CA OR WA")),
        # The title.
        ("Does the map depict percentages?", "No", ("", "legend title")),
        # Plain words that are codes, too.
        ("Is it in me, or is it ok to say hi?", "No", ("", "")),
        ("Is IN as dark as OR?", "No", ("", "IN OR legend")),
    ],
)
def test_maps(question: str, answer: str, expected: tuple[str, str]) -> None:
    assert on_map(question, answer) == expected


@pytest.mark.parametrize(
    ("country", "question", "answer", "expected"),
    [
        ("china", "Which states bordering Bhutan are high?", "None", ("", "XZ legend")),
        ("china", "Is Hainan above Xizang?", "No", ("", "HI XZ legend")),
        ("china", "How many border the East China Sea?", "2", ("", "FJ JS SH ZJ")),
        ("china", "Range along Russia's border?", "1 - 2", ("legend", "HL JL NM XJ")),
        ("india", "Does Odisha match Goa?", "Yes", ("", "GA OD")),
        ("india", "Which states bordering Delhi are low?", "Haryana", ("HR", "DL UP legend")),
        ("india", "Rank Sikkim and Assam.", "Sikkim < Assam", ("AS SK", "legend")),
    ],
)
def test_maps_of_other_countries(
    country: str, question: str, answer: str, expected: tuple[str, str]
) -> None:
    assert on_map(question, answer, country) == expected


def test_regions_that_a_template_lacks_do_not_turn_the_legend_into_the_answer() -> None:
    labels = {"WA": "Washington", "CA": "CA", "key": "Legend", "x": "TX"}
    found = proposed("mapwise", labels, "Rank Ohio and Iowa by the legend.", "Ohio < Iowa")
    assert found == {"answer": [], "support": ["key"]}


def test_map_of_no_known_country_goes_by_its_labels() -> None:
    labels = {"1": "Ravia", "2": "Evoria", "3": "legend"}
    found = proposed("mapiq", labels, "Which is darker than Evoria?", "Ravia")
    assert found == {"answer": ["1"], "support": ["2", "3"]}


CHART: Labels = {
    "title": "Harvest by year",
    "x_axis-label": "Year",
    "x_axis-tick-0": "2010",
    "x_axis-tick-1": "2011",
    "legend": "legend",
    "legend-0": "Tea",
    "legend-0-key": "Tea",
    "legend-1": "Milk",
    "legend-1-key": "Milk",
    "data-0-0": "Tea 2010",
    "data-0-1": "Tea 2011",
    "data-1-0": "Milk 2010",
    "data-1-1": "Milk 2011",
}
ONE_SERIES = {
    name: label for name, label in CHART.items() if not name.startswith(("data-1", "leg"))
}
LINE = {
    "data-0-0": "Milk 1999 – 2000",
    "data-0-1": "Milk 2000 – 2001",
    "data-0-2": "Milk 2001 – 2002",
}
PIE = {"data-0-box": "tea", "data-1-box": "milk", "data-2-box": "no"}


@pytest.mark.parametrize(
    ("labels", "question", "answer", "shows", "supports"),
    [
        (CHART, "How much tea in 2010?", "12", "data-0-0", "x_axis-tick-0 legend-0 legend-0-key"),
        (ONE_SERIES, "How much in 2011?", "12", "data-0-1", "x_axis-tick-1"),
        (CHART, "How much in 2011?", "12", "", "x_axis-tick-1"),
        (
            CHART,
            "Milk of 2010 and 2011 together?",
            "12",
            "",
            "x_axis-tick-0 x_axis-tick-1 legend-1 legend-1-key data-1-0 data-1-1",
        ),
        (ONE_SERIES, "In which year was most grown?", "2010", "x_axis-tick-0 data-0-0",
         "x_axis-label"),
        (CHART, "In which year was most tea grown?", "2011", "x_axis-tick-1 data-0-1",
         "x_axis-label legend-0 legend-0-key"),
        (CHART, "What do the blue bars show?", "Tea",
         "legend-0 legend-0-key data-0-0 data-0-1", ""),
        (CHART, "Are all grey bars low?", "No", "", "legend"),
        (LINE, "What was it in 1999?", "3", "data-0-0", ""),
        (LINE, "What was it in 2000?", "3", "", "data-0-0 data-0-1"),
        (PIE, "What is the share of milk?", "40", "data-1-box", ""),
        (PIE, "Are all of them large?", "No", "", ""),
        (PIE, "Which answer is the largest?", "No", "data-2-box", ""),
        (PIE, "Which are large?", "[tea, milk]", "data-0-box data-1-box", ""),
    ],
)  # fmt: skip
def test_charts(labels: Labels, question: str, answer: str, shows: str, supports: str) -> None:
    found = proposed("chartqa", labels, question, answer)
    assert (" ".join(found["answer"]), " ".join(found["support"])) == (shows, supports)


CIRCUIT: Labels = {
    "c1": "resistor",
    "c2": "resistor.adjustable",
    "c3": "capacitor-polarized",
    "c4": "and",
    "c5": "gnd",
    "c6": "text",
    "c7": "nand",
    "c8": "diode.light_emitting",
    "c9": "voltage.battery",
}


@pytest.mark.parametrize(
    ("question", "answer", "kind", "shows", "supports"),
    [
        ("How many resistors are there?", "2", "count", "c1 c2", ""),
        ("How many adjustable resistors are there?", "1", "count", "c2", ""),
        ("What is the total nand count in the circuit?", "1", "count", "c7", ""),
        ("What is the number of AND gates and capacitors?", "2", "count", "c3 c4", ""),
        ("How many components are there?", "8", "count", "c1 c2 c3 c4 c5 c7 c8 c9", ""),
        ("How many transistors are there and why?", "0", "count", "", ""),
        ("What is left of the capacitor and the LED?", "Ground", "position", "c5", "c3 c8"),
        ("Is the battery below or not?", "Yes", "", "", "c9"),
        ("How many lamps or batteries?", "1", "", "c9", ""),
    ],
)
def test_circuits(question: str, answer: str, kind: str, shows: str, supports: str) -> None:
    found = proposed("circuit_vqa", CIRCUIT, question, answer, question_type=kind)
    assert (" ".join(found["answer"]), " ".join(found["support"])) == (shows, supports)


def test_labels() -> None:
    labels = {"T0": "Seed leaf", "T1": "root", "T2": "of", "B0": "seed leaf", "A0": ""}
    found = proposed("ai2d", labels, "What grows out of the root?", "seed leaves or seed leaf")
    assert found == {"answer": ["T0", "B0"], "support": ["T1"]}
    letters = {"T0": "A", "T1": "B", "T2": "C"}
    found = proposed("ai2d", letters, "A fox is which letter, if B is a hen?", "A")
    assert found == {"answer": ["T0"], "support": ["T1"]}


def test_lines_of_text() -> None:
    labels = {
        "line-1": "How people talk",
        "line-2": "81% of adults call their friends",
        "line-3": "12% of adults write letters",
        "line-4": "In all, 81% do",
        "word-1": "81%",
        "word-2": "81%",
        "word-3": "12%",
    }
    boxes = {
        name: (0.0, float(top), 9.0, 9.0)
        for name, top in zip(labels, (0, 20, 40, 90, 90, 21, 40), strict=True)
    }
    question = "What percentage of adults call friends?"
    found = proposed("infographics_vqa", labels, question, "81%", boxes, answers=["81%"])
    assert found == {"answer": ["word-1", "word-2"], "support": ["line-2"]}
    many = labels | {"word-4": "81%"}
    boxes |= {"word-4": (0.0, 99.0, 9.0, 9.0)}
    found = proposed("infographics_vqa", many, question, "81%", boxes, answers=["81%"])
    assert found["answer"] == ["word-1", "word-2"]  # the two that are nearest to line 2


def test_answer_over_several_lines_and_other_right_answers() -> None:
    labels = {
        "line-1": "The United",
        "line-2": "States of America",
        "line-3": "USA",
        "word-1": "USA",
    }
    found = proposed("infographics_vqa", labels, "Where?", "United States of America")
    assert found["answer"] == ["line-2"]
    found = proposed(
        "infographics_vqa", labels, "Where?", "US", answers=["US", "USA", "United States"]
    )
    assert found["answer"] == ["word-1"]


@pytest.mark.parametrize("name", WRITERS)
def test_proposes_the_same_on_every_run_and_only_what_is_there(name: str, tmp_path: Path) -> None:
    WRITERS[name](tmp_path)
    for item in source(name).read(tmp_path).items:
        evidence = propose(item)
        assert evidence == propose(item)
        assert {one.region for one in evidence} <= {region.id for region in item.regions}


def test_nothing_is_proposed_without_regions() -> None:
    for kind in SOURCES:
        assert proposed(kind, {}, "How many states border Texas?", "4") == {
            "answer": [],
            "support": [],
        }


@pytest.mark.parametrize(
    ("box", "seen"),
    [
        ((10, 20, 30, 25), (10, 20, 30, 25)),
        ((10, 20, 30, 0), (10, 18, 30, 4)),  # a level line
        ((10, 20, 1, 30), (8.5, 20, 4, 30)),
        ((10, 0, 30, 0), (10, 0, 30, 4)),
        ((10, 50, 30, 0), (10, 46, 30, 4)),
        ((90, -5, 30, 20), (90, 0, 10, 15)),
    ],
)
def test_proposed_boxes_can_be_seen_and_lie_in_the_picture(box, seen) -> None:
    assert box_to_see(box, 100, 50) == seen


@pytest.mark.parametrize("kind", list(RULES))
def test_a_region_is_found_by_its_aliases(kind: str) -> None:
    """Where regions are transferred; the lines of InfographicsVQA come from its own OCR."""
    labels, aliases = {"r1": "Zone 1", "r2": "Zone 2"}, {"r1": ("Ravia", "the old town")}
    found = proposed(kind, labels, "Is Ravia darker than it was?", "", aliases=aliases)
    expected = [] if RULES[kind] is pick_texts else ["r1"]
    assert found == {"answer": [], "support": expected}
    found = proposed(kind, labels, "Which zone is it?", "Old Town", aliases={"r1": ("old town",)})
    assert found["answer"] == expected


def test_aliases_of_places_come_beside_the_names_that_are_known() -> None:
    labels = {code: code for code in COUNTRIES["usa"].names}
    aliases = {"WA": ("Evergreen State",), "TX": ("Lone Star",)}
    question = "Is the Evergreen State darker than Texas and its neighbour Oklahoma?"
    found = proposed("mapwise", labels, question, "Lone Star", aliases=aliases)
    assert found["answer"] == ["TX"]
    assert {"WA", "OK"} <= set(found["support"])
    # A label that nobody knows, of a region that is known by an alias: its neighbours, too.
    unknown = {**labels, "TX": "the big one"}
    found = proposed(
        "mapwise", unknown, "Which states border Texas?", "", aliases={"TX": ("Texas",)}
    )
    assert found["support"] == ["AR", "LA", "NM", "OK", "TX"]


@pytest.mark.parametrize(
    ("labels", "question", "answer", "shows", "supports"),
    [
        # Two segments of one label, of which neither says where it stands.
        ({"data-0-0": "Lion", "data-0-1": "Lion"}, "What about lions?", "3", "",
         "data-0-0 data-0-1"),
        ({"data-0-0": "Lion 2010"}, "Which is red?", "the Lion bar", "data-0-0", ""),
        ({"data-0-0": "Lion 2010"}, "Is the lion large?", "Yes", "", "data-0-0"),
        ({"data-0-0": "Lion 2010"}, "What is the value in 2010?", "3", "", "data-0-0"),
        ({"data-0-0": "Mountain lion"}, "Is the lion large?", "Yes", "", "data-0-0"),
        ({"data-0-0": "Lion 2010"}, "Is the stallion large?", "Yes", "", ""),
        (CHART, "What of milk?", "3", "",
         "legend-1 legend-1-key data-1-0 data-1-1"),
        ({"legend-0": "Black tea", "legend-1": "Green tea"}, "Is green tea dear?", "Yes", "",
         "legend-1"),
        ({"legend-0": "Black tea"}, "Is tea dear?", "Yes", "", "legend-0"),
        ({f"data-0-{n}": f"Lion {n}" for n in range(99)}, "What of the lion?", "?", "", ""),
    ],
)  # fmt: skip
def test_marks_of_what_is_named_without_a_place(
    labels: Labels, question: str, answer: str, shows: str, supports: str
) -> None:
    found = proposed("chartqa", labels, question, answer)
    assert (" ".join(found["answer"]), " ".join(found["support"])) == (shows, supports)


def test_labels_named_in_part() -> None:
    labels = {"T0": "Lion", "T1": "Lion", "T2": "Mountain goat", "T3": "eats the grass"}
    found = proposed("ai2d", labels, "What does the lion hunt?", "goats of the mountain")
    assert found == {"answer": ["T2"], "support": ["T0", "T1"]}
    found = proposed("ai2d", labels, "Which goat eats grass?", "none")
    assert found == {"answer": [], "support": ["T2", "T3"]}
    # A word of a whole name names nothing else.
    labels = {"T0": "adult frog", "T1": "young frog"}
    found = proposed("ai2d", labels, "What becomes of the young frog?", "adult frog")
    assert found == {"answer": ["T0"], "support": ["T1"]}
