"""The options of a GraphOmni recipe."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchloom.builders.errors import InputError
from benchloom.builders.graphomni.grid import DIFFICULTIES, EXTRA_HARD, GENERATORS

NAMES = ("extra_hard", "generators", "nodes", "counts", "graphs")


def resolve(options: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the options that differ from the published benchmark, as JSON values.

    Args:
        options: `extra_hard`, whether that split is wanted; `generators`, names; `nodes`, a
            mapping of difficulties to least and most or words `easy=5-10`; `counts`, a mapping of
            difficulties to numbers of instances of a task or words `easy=100`; `graphs`, a folder
            of a user's own graphs, of which the digest is returned.

    Raises:
        InputError: If one is unknown or cannot be used, or the folder's graphs cannot.
    """
    for name in options:
        if name not in NAMES:
            raise InputError(f"graphomni has no option {name!r}; choose from {', '.join(NAMES)}")
    resolved: dict[str, Any] = {}
    if options.get("extra_hard"):
        resolved["extra_hard"] = True
    if chosen := options.get("generators"):
        for name in chosen:
            if name not in GENERATORS:
                raise InputError(
                    f"there is no generator {name!r}; choose from {', '.join(GENERATORS)}"
                )
        resolved["generators"] = [name for name in GENERATORS if name in chosen]
    difficulties = [*DIFFICULTIES, *([EXTRA_HARD[0]] if resolved.get("extra_hard") else [])]
    if nodes := _by_difficulty(options.get("nodes"), "nodes", difficulties):
        resolved["nodes"] = {name: _bounds(name, value) for name, value in nodes.items()}
    if counts := _by_difficulty(options.get("counts"), "counts", difficulties):
        resolved["counts"] = {name: _count(name, value) for name, value in counts.items()}
    if folder := options.get("graphs"):
        if "generators" in resolved:
            raise InputError(
                "--graphs asks about your own graphs, none of a generator; leave out --generators"
            )
        from benchloom.builders.graphomni.user_folder import read_folder

        resolved["graphs"] = read_folder(Path(folder)).digest
    return resolved


def _by_difficulty(value: Any, option: str, difficulties: list[str]) -> dict[str, Any]:
    """Returns what is given for each difficulty, in their order."""
    if not value:
        return {}
    given = dict(value) if isinstance(value, Mapping) else {}
    for word in () if isinstance(value, Mapping) else value:
        name, equals, text = word.partition("=")
        if not equals:
            raise InputError(f"--{option} takes DIFFICULTY=VALUE, not {word!r}")
        given[name] = text
    for name in given:
        if name not in difficulties:
            known = ", ".join(difficulties)
            raise InputError(f"there is no difficulty {name!r} here; choose from {known}")
    return {name: given[name] for name in difficulties if name in given}


def _bounds(name: str, value: Any) -> list[int]:
    """Returns least and most nodes."""
    words = value.split("-") if isinstance(value, str) else list(value)
    try:
        least, most = (int(word) for word in words)
    except (TypeError, ValueError):
        raise InputError(f"--nodes takes {name}=LEAST-MOST, not {value!r}") from None
    if not 2 <= least <= most <= 100:
        raise InputError(f"--nodes takes 2 to 100 nodes, least first, not {name}={least}-{most}")
    return [least, most]


def _count(name: str, value: Any) -> int:
    try:
        count = int(value)
    except (TypeError, ValueError):
        raise InputError(f"--counts takes {name}=NUMBER, not {value!r}") from None
    if count < 1:
        raise InputError(f"--counts takes numbers from 1 up, not {name}={count}")
    return count
