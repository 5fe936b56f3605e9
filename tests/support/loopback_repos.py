"""Requests about accounts and repositories as a whole, branches and tags among them."""

import re
from typing import TYPE_CHECKING, Any

from loopback_http import Reply, Request
from loopback_repository import HubError, Tag
from loopback_routes import json_body, json_reply, route

if TYPE_CHECKING:
    from loopback_hub import LoopbackHub


@route("GET", "/api/whoami-v2", "whoami")
def whoami(hub: "LoopbackHub", request: Request) -> Reply:
    """Says whose token it is, and what it may do."""
    user = hub.signed_in(request, code=None)
    token: dict[str, Any] = {"displayName": "tests", "role": user.role}
    if user.role == "fineGrained":
        token["fineGrained"] = {
            "canReadGatedRepos": False,
            "global": [],
            "scoped": [
                {"entity": {"type": "org", "name": name}, "permissions": ["repo.write"]}
                for name in user.scopes
            ],
        }
    orgs = [
        {"type": "org", "name": name, "fullname": name, "roleInOrg": role}
        for name, role in user.orgs.items()
    ]
    account = {"type": "user", "id": user.name, "name": user.name, "fullname": user.name}
    access = {"type": "access_token", "accessToken": token}
    return json_reply({**account, "isPro": False, "orgs": orgs, "auth": access})


@route("GET", "/api/agent-harnesses", "agent_harnesses")
def agent_harnesses(hub: "LoopbackHub", request: Request) -> Reply:
    """Names none of the programs that new clients look for when they start."""
    return json_reply({"standardEnvVars": [], "harnesses": {}})


@route("POST", "/api/validate-yaml", "validate_yaml")
def validate_yaml(hub: "LoopbackHub", request: Request) -> Reply:
    """Accepts every card."""
    json_body(request)
    return json_reply({"errors": [], "warnings": []})


@route("POST", "/api/repos/create", "create_repo")
def create_repo(hub: "LoopbackHub", request: Request) -> Reply:
    """Creates a dataset repository with its first commit."""
    user, wanted = hub.signed_in(request, code=None), json_body(request)
    if wanted.get("type") != "dataset":
        raise HubError(400, "The loopback Hub has no repositories but datasets")
    name = f"{wanted.get('organization') or user.name}/{wanted['name']}"
    if not re.fullmatch(r"[\w.-]+/[\w.-]{1,96}", name):
        raise HubError(400, f"Invalid repository name: {name}")
    if not user.may_write(name):
        space = name.partition("/")[0]
        raise HubError(
            403, f'You don\'t have the rights to create a dataset under the namespace "{space}"'
        )
    address = f"{hub.url}/datasets/{name}"
    if name in hub.repositories:
        error = "You already created this dataset repo"
        return json_reply({"error": error, "url": address}, 409, **{"X-Error-Message": error})
    private = wanted.get("visibility") == "private" or bool(wanted.get("private"))
    hub.create_repo(name, private=private, author=user.name)
    return json_reply({"url": address, "name": name, "private": private})


@route("DELETE", "/api/repos/delete", "delete_repo")
def delete_repo(hub: "LoopbackHub", request: Request) -> Reply:
    """Deletes a repository."""
    wanted = json_body(request)
    request.arguments["repo"] = f"{wanted.get('organization')}/{wanted['name']}"
    del hub.repositories[hub.writable(request).name]
    return json_reply({})


@route("GET", "/api/datasets/REPO/auth-check(?P<write>/write)?", "auth_check")
def auth_check(hub: "LoopbackHub", request: Request) -> Reply:
    """Says whether the repository may be read, or written to."""
    if request.arguments["write"]:
        hub.writable(request)
    else:
        hub.readable(request)
    return json_reply({})


@route("GET", "/api/datasets/REPO/refs", "refs")
def refs(hub: "LoopbackHub", request: Request) -> Reply:
    """Lists branches and tags."""
    repository = hub.readable(request)
    tags = {name: tag.commit for name, tag in repository.tags.items()}

    def describe_all(folder: str, heads: dict[str, str]) -> list[dict[str, str]]:
        return [
            {"name": name, "ref": f"refs/{folder}/{name}", "targetCommit": target}
            for name, target in heads.items()
        ]

    return json_reply(
        {
            "branches": describe_all("heads", repository.branches),
            "tags": describe_all("tags", tags),
            "converts": [],
            "pullRequests": [],
        }
    )


@route("POST", "/api/datasets/REPO/tag/<revision>", "tag")
def create_tag(hub: "LoopbackHub", request: Request) -> Reply:
    """Puts a tag onto a commit; a tag that exists stays where it is."""
    repository, wanted = hub.writable(request), json_body(request)
    commit = repository.find(request.arguments["revision"])
    if wanted["tag"] in repository.tags:
        raise HubError(409, "Tag reference exists already")
    repository.tags[wanted["tag"]] = Tag(commit.id, wanted.get("message"))
    return json_reply({})


@route("DELETE", "/api/datasets/REPO/tag/<tag>", "delete_tag")
def delete_tag(hub: "LoopbackHub", request: Request) -> Reply:
    """Takes a tag away."""
    if hub.writable(request).tags.pop(request.arguments["tag"], None) is None:
        raise HubError(404, "Tag not found", "RevisionNotFound")
    return json_reply({})


@route("POST", "/api/datasets/REPO/branch/<branch>", "branch")
def create_branch(hub: "LoopbackHub", request: Request) -> Reply:
    """Starts a branch."""
    repository, branch = hub.writable(request), request.arguments["branch"]
    start = json_body(request).get("startingPoint") or "main"
    if branch in repository.branches:
        raise HubError(409, "Reference already exists")
    repository.branches[branch] = repository.find(start).id
    return json_reply({})


@route("DELETE", "/api/datasets/REPO/branch/<branch>", "delete_branch")
def delete_branch(hub: "LoopbackHub", request: Request) -> Reply:
    """Takes a branch away."""
    repository, branch = hub.writable(request), request.arguments["branch"]
    if branch == "main":
        raise HubError(403, "The branch main cannot be deleted")
    if repository.branches.pop(branch, None) is None:
        raise HubError(404, "Branch not found", "RevisionNotFound")
    return json_reply({})
