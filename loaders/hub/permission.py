"""Whether a user may push to a repository: asked before anything is worked out or sent."""

from collections.abc import Mapping
from typing import Any

from benchloom.builders.errors import InputError
from benchloom.loaders.hub.client import Hub
from benchloom.loaders.hub.faults import LOG_IN


def check_permission(hub: Hub, repo: str) -> None:
    """Refuses a push that the Hub would not take: no token, a read-only one, another's repository.

    Raises:
        InputError: If the user or the token may not write to the repository.
    """
    if not hub.has_token:
        raise InputError(f"a push to {repo} needs a token with write permission; {LOG_IN}")
    account = hub.call(f"push to {repo}", hub.api.whoami)
    user = str(account.get("name"))
    space = repo.partition("/")[0]
    roles = {user: "admin"} | {
        str(org.get("name")): str(org.get("roleInOrg") or "write")
        for org in account.get("orgs", ())
    }
    role = {name.casefold(): role for name, role in roles.items()}.get(space.casefold())
    if role is None:
        raise InputError(
            f"{repo} is not {user}'s: the token is good for {', '.join(roles)}; "
            f"push to a repository of one of these, or use a token of a member of {space}"
        )
    if role == "read":
        raise InputError(
            f"{user} may only read what is {space}'s; ask its owner for the role write"
        )
    token = account.get("auth", {}).get("accessToken", {})
    if token.get("role") == "read" or (
        token.get("role") == "fineGrained"
        and not _may_write(token.get("fineGrained", {}), (space, repo))
    ):
        raise InputError(
            f"the token of {user} does not allow writing to {repo}; "
            f"make one with write permission on {hub.host} and {LOG_IN}"
        )


def _may_write(grants: Mapping[str, Any], names: tuple[str, str]) -> bool:
    """Tells whether a fine-grained token may write to what one of the names stands for."""
    wanted = {name.casefold() for name in names}
    return any(
        str(scope.get("entity", {}).get("name")).casefold() in wanted
        and "repo.write" in scope.get("permissions", ())
        for scope in grants.get("scoped", ())
    )
