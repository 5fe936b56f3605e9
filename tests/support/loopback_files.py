"""Requests that read what is in a repository: listings, and the files themselves."""

import json
import re
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, quote, urlencode

from loopback_http import Reply, Request
from loopback_repository import Commit, Entry, HubError, Repository, git_name, pointer_of, slice_of
from loopback_routes import is_set, json_reply, route

if TYPE_CHECKING:
    from loopback_hub import LoopbackHub


@route("GET", "/api/datasets/REPO(?:/revision/<revision>)?", "repo_info")
def repo_info(hub: "LoopbackHub", request: Request) -> Reply:
    """Tells about a repository at a revision."""
    repository = hub.readable(request)
    commit = repository.find(request.arguments["revision"] or "main")
    blobs = is_set(request.query.get("blobs"))
    info: dict[str, Any] = {
        "_id": repository.name,
        "id": repository.name,
        "author": repository.name.partition("/")[0],
        "sha": commit.id,
        "lastModified": commit.date,
        "createdAt": repository.ancestry(commit)[-1].date,
        "private": repository.private,
        "gated": False,
        "disabled": False,
        "downloads": 0,
        "likes": 0,
        "tags": [],
        "cardData": read_card(repository, commit),
        "siblings": [describe_sibling(path, entry, blobs) for path, entry in commit.tree.items()],
        "usedStorage": sum(map(len, repository.blobs.values())),
    }
    if wanted := request.query.get("expand", []) + request.query.get("expand[]", []):
        info = {name: value for name, value in info.items() if name in ("_id", "id", *wanted)}
    return json_reply(info)


def read_card(repository: Repository, commit: Commit) -> Any:
    """Returns the YAML of the card, None where there is none."""
    import yaml

    if (entry := commit.tree.get("README.md")) is None:
        return None
    head = re.match(rb"---\s*\n(.*?\n)---\s*\n", repository.blobs[entry.sha256], re.DOTALL)
    return yaml.safe_load(head[1]) if head else None


def describe_sibling(path: str, entry: Entry, blobs: bool) -> dict[str, Any]:
    """Returns a file as the information on a repository lists it."""
    if not blobs:
        return {"rfilename": path}
    sibling: dict[str, Any] = {"rfilename": path, "size": entry.size, "blobId": entry.oid}
    if entry.lfs:
        size = len(pointer_of(entry.sha256, entry.size))
        sibling["lfs"] = {"sha256": entry.sha256, "size": entry.size, "pointerSize": size}
    return sibling


def describe(
    repository: Repository, commit: Commit, path: str, entry: Entry | None, expand: bool
) -> dict[str, Any]:
    """Returns a file, or a folder where there is no entry, as listings have it."""
    item: dict[str, Any] = {"type": "directory", "oid": "", "size": 0, "path": path}
    if entry is not None:
        item.update(type="file", oid=entry.oid, size=entry.size)
        if entry.lfs:
            size = len(pointer_of(entry.sha256, entry.size))
            item["lfs"] = {"oid": entry.sha256, "size": entry.size, "pointerSize": size}
    else:
        parts = slice_of(commit.tree, path).items()
        item["oid"] = git_name(json.dumps([[name, part.oid] for name, part in parts]).encode())
    if expand:
        change = repository.last_change(commit, path)
        item["lastCommit"] = {"id": change.id, "title": change.title, "date": change.date}
    return item


@route("GET", "/api/datasets/REPO/tree/<revision>(?:/(?P<path>.+))?", "tree")
def tree(hub: "LoopbackHub", request: Request) -> Reply:
    """Lists a folder, page by page: folders before files."""
    repository = hub.readable(request)
    commit = repository.find(request.arguments["revision"])
    folder = request.arguments["path"].strip("/")
    prefix = f"{folder}/" if folder else ""
    below = [path.removeprefix(prefix) for path in commit.tree if path.startswith(prefix)]
    if folder and not below:
        raise HubError(404, f"{folder} does not exist on this revision", "EntryNotFound")
    parts = [path.split("/") for path in below]
    folders = {"/".join(names[:end]) for names in parts for end in range(1, len(names))}
    paths = [*sorted(folders), *below]
    if not is_set(request.query.get("recursive")):
        paths = [path for path in paths if "/" not in path]
    expand = is_set(request.query.get("expand"))
    start = int(request.query.get("cursor", ["0"])[0])
    end = start + int(request.query.get("limit", [str(hub.page_size)])[0])
    page = [
        describe(repository, commit, prefix + path, commit.tree.get(prefix + path), expand)
        for path in paths[start:end]
    ]
    if end >= len(paths):
        return json_reply(page)
    query = urlencode({**request.query, "cursor": [end]}, doseq=True)
    link = f'<{hub.url}{request.path.partition("?")[0]}?{query}>; rel="next"'
    return json_reply(page, Link=link)


@route("POST", "/api/datasets/REPO/paths-info/<revision>", "paths_info")
def paths_info(hub: "LoopbackHub", request: Request) -> Reply:
    """Describes the files and folders asked for, as far as they exist."""
    repository = hub.readable(request)
    commit = repository.find(request.arguments["revision"])
    form = parse_qs(request.body.decode())
    expand = is_set(form.get("expand"))
    found = [path for path in form.get("paths", []) if slice_of(commit.tree, path)]
    return json_reply(
        [describe(repository, commit, path, commit.tree.get(path), expand) for path in found]
    )


@route("GET", "/api/datasets/REPO/commits/<revision>", "commits")
def commits(hub: "LoopbackHub", request: Request) -> Reply:
    """Lists the commits up to a revision, the newest first."""
    repository = hub.readable(request)
    line = repository.ancestry(repository.find(request.arguments["revision"]))
    return json_reply(
        [
            {
                "id": commit.id,
                "title": commit.title,
                "message": commit.message,
                "authors": [{"user": commit.author}],
                "date": commit.date,
            }
            for commit in line
        ]
    )


def content_reply(request: Request, content: bytes, **headers: str) -> Reply:
    """Returns a file, or the range of it that was asked for."""
    headers = {"Accept-Ranges": "bytes", "Content-Type": "application/octet-stream", **headers}
    wanted = re.fullmatch(r"bytes=(\d*)-(\d*)", request.headers.get("range", ""))
    if wanted is None or wanted[0] == "bytes=-":
        return Reply(200, content, headers)
    size = len(content)
    start = int(wanted[1]) if wanted[1] else max(size - int(wanted[2]), 0)
    end = min(int(wanted[2]) + 1, size) if wanted[1] and wanted[2] else size
    if start >= end:
        return Reply(416, b"", {**headers, "Content-Range": f"bytes */{size}"})
    headers["Content-Range"] = f"bytes {start}-{end - 1}/{size}"
    return Reply(206, content[start:end], headers)


@route("GET HEAD", "/datasets/REPO/resolve/<revision>/(?P<path>.+)", "resolve")
def resolve(hub: "LoopbackHub", request: Request) -> Reply:
    """Sends a file, or tells where in the store it is."""
    repository = hub.readable(request)
    commit = repository.find(request.arguments["revision"])
    entry = commit.tree.get(request.arguments["path"])
    if entry is None:
        raise HubError(404, "Entry not found", "EntryNotFound")
    headers = {"X-Repo-Commit": commit.id, "ETag": f'"{entry.etag}"'}
    if not entry.lfs:
        return content_reply(request, repository.blobs[entry.sha256], **headers)
    grant = hub.grant(repository, entry.sha256)
    name = quote(request.arguments["path"].rpartition("/")[2])
    location = f"{hub.store_url}/download/{grant}/{name}"
    linked = {"X-Linked-Size": str(entry.size), "X-Linked-ETag": f'"{entry.sha256}"'}
    return Reply(302, b"", {**headers, **linked, "Location": location})


@route("GET HEAD", "/download/<grant>/<name>", "download", of_store=True)
def download(hub: "LoopbackHub", request: Request) -> Reply:
    """Sends an LFS file from the store."""
    hub.refuse_token(request)
    repository, sha256 = hub.granted(request)
    return content_reply(request, repository.blobs[sha256], ETag=f'"{sha256}"')
