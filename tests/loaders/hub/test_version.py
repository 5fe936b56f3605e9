"""Versions of the data."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchloom.builders.errors import InputError
from benchloom.loaders.hub.version import Bump, Version

versions = st.builds(Version, *[st.integers(0, 999)] * 3)


@pytest.mark.parametrize(
    ("bump", "expected"),
    [
        (Bump.NONE, "1.2.3"),
        (Bump.PATCH, "1.2.4"),
        (Bump.MINOR, "1.3.0"),
        (Bump.MAJOR, "2.0.0"),
    ],
)
def test_a_bump_raises_one_number_and_clears_those_after_it(bump: Bump, expected: str) -> None:
    assert str(Version.parse("1.2.3").next(bump)) == expected


def test_versions_are_ordered_by_number_not_by_letter() -> None:
    texts = ["1.10.0", "0.9.12", "1.9.0", "10.0.0", "2.0.0", "1.9.10"]
    ordered = ["0.9.12", "1.9.0", "1.9.10", "1.10.0", "2.0.0", "10.0.0"]
    assert [str(version) for version in sorted(map(Version.parse, texts))] == ordered


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1",
        "1.2",
        "1.2.3.4",
        "v1.2.3",
        "01.2.3",
        "1.2.-3",
        "1.2.3rc1",
        " 1.2.3",
        "1.2.3\n",
        "١.٢.٣",
    ],
)
def test_what_is_no_version_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="is no version"):
        Version.parse(text)


@given(versions)
def test_text_and_tag_lead_back(version: Version) -> None:
    assert Version.parse(str(version)) == version
    assert Version.of_tag(version.tag) == version


@pytest.mark.parametrize("tag", ["main", "1.2.3", "vv1.2.3", "v1.2", "v1.2.3-rc1"])
def test_other_tags_are_of_no_version(tag: str) -> None:
    assert Version.of_tag(tag) is None


@given(versions, st.sampled_from(Bump))
def test_the_next_version_is_that_bump_away(version: Version, bump: Bump) -> None:
    assert version.next(bump).bump_from(version) is bump
    assert version.bump_from(version.next(bump)) is Bump.NONE
