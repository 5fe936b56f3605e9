"""The options of a VGA recipe."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from benchloom.builders.errors import InputError
from benchloom.builders.vga.plan import CATALOGUE_NODES
from benchloom.builders.vga.style import Style

MOST_NODES = 11


def resolve(options: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the options that differ from the published benchmark, as JSON values.

    Args:
        options: `nodes`, whole numbers; `style`, a mapping of names to values or words
            `NAME=VALUE`.

    Raises:
        InputError: If one is unknown or cannot be used.
    """
    unknown = sorted(set(options) - {"nodes", "style"})
    if unknown:
        raise InputError(f"vga has no option {unknown[0]!r}; choose from nodes, style")
    resolved: dict[str, Any] = {}
    if options.get("nodes") is not None:
        nodes = sorted(set(options["nodes"]))
        _check_nodes(nodes)
        if tuple(nodes) != CATALOGUE_NODES:
            resolved["nodes"] = nodes
    if options.get("style"):
        style = _style(options["style"])
        changed = {
            name: value
            for name, value in style.to_json().items()
            if value != getattr(Style(), name)
        }
        if changed:
            resolved["style"] = changed
    return resolved


def _check_nodes(nodes: list[int]) -> None:
    if not nodes or not all(4 <= n <= MOST_NODES for n in nodes):
        raise InputError(f"--nodes takes whole numbers from 4 to {MOST_NODES}, not {_words(nodes)}")
    if len(nodes) > 1 and not set(nodes) <= set(CATALOGUE_NODES):
        raise InputError(f"--nodes takes 8, 9, both, or one other number, not {_words(nodes)}")


def _words(nodes: list[int]) -> str:
    return " ".join(map(str, nodes)) or "nothing"


def _style(value: Mapping[str, Any] | list[str]) -> Style:
    if not isinstance(value, Mapping):
        value = dict(_parsed(word) for word in value)
    value = {name: item.lower() if isinstance(item, str) else item for name, item in value.items()}
    names = [field.name for field in fields(Style)]
    for name in value:
        if name not in names:
            raise InputError(f"a style has no {name!r}; choose from {', '.join(names)}")
    try:
        return Style(**value)
    except ValueError as error:
        raise InputError(str(error)) from None


def _parsed(word: str) -> tuple[str, int | float | str]:
    name, equals, text = word.partition("=")
    if not equals:
        raise InputError(f"--style takes NAME=VALUE, not {word!r}")
    for kind in (int, float):
        try:
            return name, kind(text)
        except ValueError:
            pass
    return name, text
