"""The table of who answers which request, and what all of them need."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from loopback_http import Reply, Request
from loopback_repository import HubError

if TYPE_CHECKING:
    from loopback_hub import LoopbackHub

Answer = Callable[["LoopbackHub", Request], Reply]


@dataclass(frozen=True)
class Route:
    """Which requests a function answers; its kind is what faults are told by."""

    method: str
    pattern: re.Pattern[str]
    kind: str
    answer: Answer
    of_store: bool


ROUTES: list[Route] = []


def route(
    methods: str, pattern: str, kind: str, *, of_store: bool = False
) -> Callable[..., Answer]:
    """Enters a function into the table of routes.

    In a pattern, REPO stands for `org/name`, and `<x>` for a part of the path, called x.
    """
    pattern = pattern.replace("REPO", r"(?P<repo>[^/]+/[^/]+)")
    pattern = re.sub(r"(?<!\?P)<(\w+)>", r"(?P<\1>[^/]+)", pattern)

    def enter(answer: Answer) -> Answer:
        for method in methods.split():
            ROUTES.append(Route(method, re.compile(pattern), kind, answer, of_store))
        return answer

    return enter


def json_reply(value: Any, status: int = 200, **headers: str) -> Reply:
    """Returns a reply in JSON."""
    return Reply(
        status, json.dumps(value).encode(), {"Content-Type": "application/json", **headers}
    )


def json_body(request: Request) -> dict[str, Any]:
    """Returns the request's body, an object in JSON."""
    try:
        value = json.loads(request.body)
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise HubError(400, "The body is no object in JSON")
    return value


def is_set(values: list[str] | None) -> bool:
    """Returns whether a parameter says yes."""
    return values is not None and values[0].lower() in ("1", "true")
