"""The tables of places: borders are mutual, names are unambiguous."""

from collections import Counter

import pytest

from benchloom.builders.dragon.places import Country, countries, find_country

NAMES = [country.name for country in countries()]


def of(name: str) -> Country:
    return next(country for country in countries() if country.name == name)


@pytest.mark.parametrize("country", countries(), ids=NAMES)
def test_borders_are_mutual(country: Country) -> None:
    for code, others in country.neighbours.items():
        assert len(set(others)) == len(others)
        assert code not in others
        for other in others:
            assert code in country.neighbours[other], (code, other)
    for parts in country.around.values():
        assert set(parts) <= set(country.names)
        assert len(set(parts)) == len(parts)


@pytest.mark.parametrize("country", countries(), ids=NAMES)
def test_every_name_means_one_place(country: Country) -> None:
    names = [name.casefold() for all_names in country.names.values() for name in all_names]
    assert [name for name, number in Counter(names).items() if number > 1] == []
    for code, all_names in country.names.items():
        assert [country.code(name) for name in all_names] == [code] * len(all_names)


def test_borders_can_be_drawn() -> None:
    """Countries on a plane: their borders make a planar graph; one wrong border seldom does."""
    import networkx

    for country in countries():
        graph = networkx.Graph()
        for code, others in country.neighbours.items():
            graph.add_edges_from((code, other) for other in others)
        assert networkx.check_planarity(graph)[0], country.name


def test_known_figures() -> None:
    assert {name: len(of(name).names) for name in NAMES} == {"usa": 51, "china": 34, "india": 37}
    # Missouri and Tennessee border most states, eight each; Maine a single one.
    usa = of("usa").neighbours
    most = max(len(others) for others in usa.values())
    assert sorted(code for code, others in usa.items() if len(others) == most) == ["MO", "TN"]
    assert most == 8
    assert [code for code, others in usa.items() if len(others) == 1] == ["ME"]
    assert [code for code, others in usa.items() if not others] == ["AK", "HI"]
    # Shaanxi and Inner Mongolia border eight provinces each.
    china = of("china").neighbours
    assert sorted(code for code, others in china.items() if len(others) == 8) == ["NM", "SN"]


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (["WA", "CO", "HI", "TX"], "usa"),
        (["XJ", "XZ", "HL", "YN", "HI", "SC", "SD", "GD"], "china"),
        (["JK", "RJ", "MP", "KA", "TN", "AR", "AN", "GJ"], "india"),
        (["Inner Mongolia", "tibet"], "china"),
        (["Ravia", "Evoria", "WA"], None),
        ([], None),
    ],
)
def test_finds_the_country_of_most_labels(labels: list[str], expected: str | None) -> None:
    found = find_country(labels)
    assert (found and found.name) == expected
