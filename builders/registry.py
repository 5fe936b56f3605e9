"""Tables of named things, filled by one decorator."""

from collections.abc import Callable
from typing import TypeVar

from benchloom.builders.errors import InputError

Thing = TypeVar("Thing")


def register(registry: dict[str, Thing], name: str) -> Callable[[Thing], Thing]:
    """Returns a decorator that enters what it decorates into a registry under a name.

    Raises:
        ValueError: If the name is taken; the message names both places.
    """

    def enter(thing: Thing) -> Thing:
        if name in registry:
            raise ValueError(
                f"{name!r} is registered twice: by {_place(registry[name])} and by {_place(thing)}"
            )
        registry[name] = thing
        return thing

    return enter


def lookup(registry: dict[str, Thing], name: str, kind: str) -> Thing:
    """Returns what a registry holds under a name.

    Args:
        registry: The table.
        name: What is asked for.
        kind: What the table holds, in the singular ("config", "layout"), for the message.

    Raises:
        InputError: If there is none; the message lists the names that exist.
    """
    try:
        return registry[name]
    except KeyError:
        raise InputError(
            f"there is no {kind} {name!r}; choose from {', '.join(registry)}"
        ) from None


def _place(thing: object) -> str:
    module = getattr(thing, "__module__", type(thing).__module__)
    return f"{module}.{getattr(thing, '__qualname__', type(thing).__qualname__)}"
