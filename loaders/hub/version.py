"""Versions of the data, and how far a new one must be from the last."""

import re
from enum import IntEnum
from typing import NamedTuple

from benchloom.builders.errors import InputError

FORM = re.compile(r"(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})")


class Bump(IntEnum):
    """How far a version must be from the one before it; the greater, the more has changed."""

    NONE = 0
    PATCH = 1
    MINOR = 2
    MAJOR = 3


class Version(NamedTuple):
    """A version of the data, ordered; its text is `1.2.3`, its tag on the Hub `v1.2.3`."""

    major: int
    minor: int
    patch: int

    @classmethod
    def parse(cls, text: str) -> "Version":
        """Returns the version that a text names.

        Raises:
            InputError: If it is no `X.Y.Z`.
        """
        match = FORM.fullmatch(text)
        if match is None:
            raise InputError(f"{text!r} is no version; write three whole numbers, such as 1.0.0")
        return cls(*map(int, match.groups()))

    @classmethod
    def of_tag(cls, tag: str) -> "Version | None":
        """Returns the version of a tag such as `v1.2.3`, None when the tag is of no version."""
        match = FORM.fullmatch(tag.removeprefix("v")) if tag.startswith("v") else None
        return cls(*map(int, match.groups())) if match else None

    @property
    def tag(self) -> str:
        """The name of its tag on the Hub."""
        return f"v{self}"

    def next(self, bump: Bump) -> "Version":
        """Returns the next version that is a bump away; itself for none."""
        if bump is Bump.MAJOR:
            return Version(self.major + 1, 0, 0)
        if bump is Bump.MINOR:
            return Version(self.major, self.minor + 1, 0)
        return self._replace(patch=self.patch + 1) if bump is Bump.PATCH else self

    def bump_from(self, before: "Version") -> Bump:
        """Returns the greatest bump that this version is after another; NONE when not after it."""
        if self <= before:
            return Bump.NONE
        if self.major != before.major:
            return Bump.MAJOR
        return Bump.MINOR if self.minor != before.minor else Bump.PATCH

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}.{self.patch}"
