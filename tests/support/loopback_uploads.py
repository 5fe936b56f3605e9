"""Requests that send files: preupload, the LFS store, commits."""

import base64
import binascii
import hashlib
import json
import re
from math import ceil
from typing import TYPE_CHECKING, Any

from loopback_http import Reply, Request
from loopback_repository import Entry, HubError, Repository, check_path, lfs_entry
from loopback_routes import json_body, json_reply, route

if TYPE_CHECKING:
    from loopback_hub import LoopbackHub


@route("POST", "/api/datasets/REPO/preupload/<revision>", "preupload")
def preupload(hub: "LoopbackHub", request: Request) -> Reply:
    """Says for each file whether it goes by LFS, and what stands at its path."""
    repository = hub.writable(request)
    commit = repository.find(request.arguments["revision"])
    files = []
    for file in json_body(request)["files"]:
        path, sample = file["path"], base64.b64decode(file["sample"])
        lfs = repository.needs_lfs(commit, path, file["size"], sample)
        item = {"path": path, "uploadMode": "lfs" if lfs else "regular", "shouldIgnore": False}
        if (entry := commit.tree.get(path)) is not None:
            item["oid"] = entry.etag
        files.append(item)
    return json_reply({"files": files, "commitOid": commit.id})


@route("POST", r"/datasets/REPO\.git/info/lfs/objects/batch", "lfs_batch")
def lfs_batch(hub: "LoopbackHub", request: Request) -> Reply:
    """Says for each object how it is to be uploaded, or nothing where it is there."""
    repository, wanted = hub.writable(request), json_body(request)
    if wanted.get("operation") != "upload" or wanted.get("hash_algo", "sha256") != "sha256":
        raise HubError(400, "The loopback Hub takes uploads by SHA-256 and nothing else")
    objects = []
    for item in wanted["objects"]:
        oid, size = item["oid"], item["size"]
        answer: dict[str, Any] = {"oid": oid, "size": size}
        if not re.fullmatch(r"[0-9a-f]{64}", oid) or size <= 0:
            answer["error"] = {"code": 422, "message": "Invalid object"}
        elif not repository.settle(oid):
            multipart = "multipart" in wanted.get("transfers", [])
            answer["authenticated"] = True
            answer["actions"] = plan_upload(hub, repository, oid, size, multipart)
        objects.append(answer)
    return json_reply({"transfer": "basic", "objects": objects})


def plan_upload(
    hub: "LoopbackHub", repository: Repository, oid: str, size: int, multipart: bool
) -> dict[str, Any]:
    """Returns the addresses that an object is sent to: one, or one for each of its parts."""
    grant = hub.grant(repository, oid)
    upload: dict[str, Any] = {"href": f"{hub.store_url}/upload/{grant}", "header": {}}
    if multipart and hub.part_size is not None and size > hub.part_size:
        parts = {
            str(number): f"{hub.store_url}/upload/{grant}/{number}"
            for number in range(1, ceil(size / hub.part_size) + 1)
        }
        href = f"{hub.url}/api/complete_multipart/{grant}"
        upload = {"href": href, "header": {"chunk_size": str(hub.part_size), **parts}}
    verify = {"href": f"{hub.url}/datasets/{repository.name}.git/info/lfs/objects/verify"}
    return {"upload": upload, "verify": verify}


def keep_upload(repository: Repository, oid: str, content: bytes, *, trusted: bool) -> None:
    """Keeps what was uploaded: in the store if it is trusted, else until it is checked."""
    (repository.blobs if trusted else repository.uploads)[oid] = content


@route("PUT", "/upload/<grant>(?:/(?P<part>[0-9]+))?", "lfs_upload", of_store=True)
def lfs_upload(hub: "LoopbackHub", request: Request) -> Reply:
    """Takes an object, or a part of it."""
    hub.refuse_token(request)
    repository, oid = hub.granted(request)
    trusted = request.fault == "corrupt_accepted"
    if part := request.arguments["part"]:
        parts = hub.parts.setdefault(request.arguments["grant"], {})
        parts[int(part)] = (request.body, trusted)
    else:
        keep_upload(repository, oid, request.body, trusted=trusted)
    return Reply(200, b"", {"ETag": f'"{hashlib.md5(request.body).hexdigest()}"'})


@route("POST", "/api/complete_multipart/<grant>", "lfs_complete")
def lfs_complete(hub: "LoopbackHub", request: Request) -> Reply:
    """Puts the parts of an object together."""
    repository, oid = hub.granted(request)
    parts = hub.parts.get(request.arguments["grant"], {})
    found = {
        number: f'"{hashlib.md5(content).hexdigest()}"' for number, (content, _) in parts.items()
    }
    wanted = json_body(request)
    if {part["partNumber"]: part["etag"] for part in wanted["parts"]} != found:
        raise HubError(400, "One or more of the specified parts could not be found")
    del hub.parts[request.arguments["grant"]]
    content = b"".join(parts[number][0] for number in sorted(parts))
    trusted = any(trusted for _, trusted in parts.values())
    keep_upload(repository, oid, content, trusted=trusted)
    return json_reply({})


@route("POST", r"/datasets/REPO\.git/info/lfs/objects/verify", "lfs_verify")
def lfs_verify(hub: "LoopbackHub", request: Request) -> Reply:
    """Checks an object that was uploaded: its size and its SHA-256."""
    repository, wanted = hub.writable(request), json_body(request)
    oid = wanted["oid"]
    if oid not in repository.uploads and oid not in repository.blobs:
        raise HubError(404, f"Object {oid} was not uploaded")
    if not repository.settle(oid) or len(repository.blobs[oid]) != wanted["size"]:
        raise HubError(422, f"Object {oid} does not have this size and SHA-256")
    return json_reply({})


@route("POST", "/api/datasets/REPO/commit/<revision>", "commit")
def commit(hub: "LoopbackHub", request: Request) -> Reply:
    """Makes a commit on a branch, whole or not at all."""
    repository, branch = hub.writable(request), request.arguments["revision"]
    if "create_pr" in request.query:
        raise HubError(400, "The loopback Hub has no pull requests")
    head = repository.find(branch)
    if branch not in repository.branches:
        raise HubError(400, f"{branch} is no branch")
    header, *operations = read_operations(request.body)
    parent = header[1].get("parentCommit")
    if header[0] != "header" or not header[1].get("summary"):
        raise HubError(400, "The commit has no summary")
    if parent is not None and (len(parent) < 7 or not head.id.startswith(parent)):
        raise HubError(412, "A commit has happened since. Please refresh and try again.")
    changes: dict[str, Entry | None] = {}
    for key, value in operations:
        apply(hub, repository, {**head.tree, **changes}, changes, key, value)
    author, message = hub.signed_in(request).name, header[1].get("description", "")
    made = repository.add_commit(head, changes, header[1]["summary"], message, author)
    repository.branches[branch] = made.id
    address = f"{hub.url}/datasets/{repository.name}/commit/{made.id}"
    return json_reply(
        {"success": True, "commitOid": made.id, "commitUrl": address, "hookOutput": ""}
    )


def read_operations(body: bytes) -> list[tuple[str, dict[str, Any]]]:
    """Returns the lines of a commit: what is to be done, and with what."""
    try:
        lines = [json.loads(line) for line in body.splitlines() if line.strip()]
        operations = [(line["key"], dict(line["value"])) for line in lines]
    except (ValueError, KeyError, TypeError) as error:
        raise HubError(400, f"The commit is not in NDJSON: {error}") from None
    if not operations:
        raise HubError(400, "The commit is empty")
    return operations


def apply(
    hub: "LoopbackHub",
    repository: Repository,
    tree: dict[str, Entry | None],
    changes: dict[str, Entry | None],
    key: str,
    value: dict[str, Any],
) -> None:
    """Enters one operation into the changes, None for a file that goes."""
    path = value["path"]
    check_path(path.rstrip("/") if key == "deletedFolder" else path)
    if key == "file":
        try:
            content = base64.b64decode(value["content"], validate=True)
        except binascii.Error:
            raise HubError(400, f"The content of {path} is not in base64") from None
        if len(content) >= hub.regular_limit:
            raise HubError(400, f"{path} is too large for a regular file: it must go by LFS")
        changes[path] = repository.store(content, lfs=False)
    elif key == "lfsFile":
        oid = value["oid"]
        if value.get("algo") != "sha256" or not repository.settle(oid):
            raise HubError(400, f"The LFS pointer of {path} points to a file that does not exist")
        size = value.get("size", len(repository.blobs[oid]))
        if size != len(repository.blobs[oid]):
            raise HubError(400, f"The LFS pointer of {path} has a wrong size")
        changes[path] = lfs_entry(oid, size)
    elif key in ("deletedFile", "deletedFolder"):
        prefix = f"{path.rstrip('/')}/"
        gone = (
            [path] if key == "deletedFile" else [name for name in tree if name.startswith(prefix)]
        )
        gone = [name for name in gone if tree.get(name) is not None]
        if not gone:
            raise HubError(404, f"A file with this name doesn't exist: {path}", "EntryNotFound")
        changes.update(dict.fromkeys(gone))
    else:
        raise HubError(400, f"The loopback Hub knows no operation {key!r}")
