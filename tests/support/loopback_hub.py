"""A Hub on loopback: speaks what the clients need, shows its state, and fails on request.

    hub.add_user("ada", "hf_ada", orgs=["org"])
    api = HfApi(endpoint=hub.url, token="hf_ada")
    hub.fault("commit", "lost_reply")

Kinds of request, by which faults choose: whoami, validate_yaml, create_repo, delete_repo,
auth_check, repo_info, preupload, lfs_batch, lfs_upload, lfs_complete (of a multipart upload),
lfs_verify, commit, commits, tree, paths_info, refs, tag, delete_tag, branch, delete_branch,
resolve, download (from the store), agent_harnesses (asked for once when a new client starts), and
unknown for what nobody answers. To processes in `environment` the Hub is the proxy for the whole
world, of which it knows nothing: dataset_viewer is what datasets asks in vain at each load, outside
is anything else that should not have left this machine.
"""

import secrets
import threading
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

# These imports enter their routes into the table.
import loopback_files  # noqa: F401
import loopback_repos  # noqa: F401
import loopback_uploads  # noqa: F401
from loopback_http import Fault, HubServer, Reply, Request, flip_byte
from loopback_repository import Commit, Entry, HubError, Repository, Tag, User, check_path
from loopback_routes import ROUTES, Route, json_reply

REGULAR_LIMIT = 10 << 20
# What each fault may be told besides, and what holds if it is not.
FAULTS: dict[str, dict[str, Any]] = {
    "status": {"status": 503, "retry_after": 0},
    "drop": {},
    "drop_upload": {},
    "lost_reply": {},
    "cut_reply": {},
    "corrupt": {},
    "corrupt_accepted": {},
    "head_moves": {"changes": {"another_push.txt": b"Another push was first.\n"}},
    "slow": {"seconds": 0.5},
}
KINDS = {"any", "unknown", "dataset_viewer", "outside", *(route.kind for route in ROUTES)}


class LoopbackHub:
    """A Hub at `url`, and its store for large files at `store_url`, both on 127.0.0.1.

    Between construction and `start` the addresses are reserved and refuse connections.

    Attributes:
        requests: All requests so far, in the order in which they came.
        repositories: The repositories by name.
        errors: Tracebacks of faults of the server itself; a test should leave none.
        part_size: LFS files above this size go in parts of it; None: all go in one piece.
        page_size: So many entries are on one page of a tree.
        regular_limit: Files from this size on go by LFS, whatever they are called.
    """

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self._servers = [HubServer(self, is_store=is_store) for is_store in (False, True)]
        self.url, self.store_url = (server.url for server in self._servers)
        self._threads: list[threading.Thread] = []
        self.reset()

    # --- running

    def start(self) -> None:
        """Listens from now on; does nothing if it does already."""
        if not self._threads:
            for server in self._servers:
                server.server_activate()
                thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
                thread.start()
                self._threads.append(thread)

    def stop(self) -> None:
        """Frees the addresses, for good."""
        for server in self._servers:
            if self._threads:
                server.shutdown()
            server.server_close()
        self._threads.clear()

    def reset(self) -> None:
        """Forgets users, repositories, faults and requests."""
        with self.lock:
            self.users: dict[str, User] = {}
            self.repositories: dict[str, Repository] = {}
            self.requests: list[Request] = []
            self.errors: list[str] = []
            self.parts: dict[str, dict[int, tuple[bytes, bool]]] = {}
            self._grants: dict[str, tuple[Repository, str]] = {}
            self._faults: list[Fault] = []
            self.part_size: int | None = None
            self.page_size = 1000
            self.regular_limit = REGULAR_LIMIT

    def environment(self, home: Path, token: str | None = None) -> dict[str, str]:
        """Returns the variables with which another process uses this Hub; its cache is `home`."""
        variables = {
            "HF_ENDPOINT": self.url,
            "HF_HOME": str(home),
            "HF_HUB_OFFLINE": "0",
            "HF_DATASETS_OFFLINE": "0",
            "HF_HUB_DISABLE_TELEMETRY": "1",
            "HF_HUB_DISABLE_XET": "1",
            # Otherwise datasets reports every load to another address.
            "HF_UPDATE_DOWNLOAD_COUNTS": "0",
        }
        # A proxy that reaches nothing catches what would go elsewhere. Of the two exceptions, which
        # are both this machine, httpx understands the one and requests the other.
        loopback = "http://127.0.0.1,127.0.0.0/8"
        proxies = {"http_proxy": self.url, "https_proxy": self.url, "no_proxy": loopback}
        for name, value in proxies.items():
            variables[name] = variables[name.upper()] = value
        return variables if token is None else {**variables, "HF_TOKEN": token}

    # --- what is there

    def add_user(
        self,
        name: str,
        token: str,
        role: str = "write",
        orgs: Iterable[str] | Mapping[str, str] = (),
        scopes: Iterable[str] = (),
    ) -> None:
        """Adds a token of a user; the role is the token's: write, read or fineGrained.

        `orgs` names organisations in which the user may write, or gives the role in each (admin,
        write, read). A fine-grained token may only use the namespaces in `scopes`.
        """
        if role not in ("write", "read", "fineGrained"):
            raise ValueError(f"There is no role {role}")
        roles = dict(orgs) if isinstance(orgs, Mapping) else dict.fromkeys(orgs, "write")
        self.users[token] = User(name, role, roles, tuple(scopes))

    def create_repo(self, repo: str, *, private: bool = False, author: str = "somebody") -> None:
        """Creates a repository without a request."""
        with self.lock:
            self.repositories[repo] = Repository(repo, author, private, self.regular_limit)

    def commit(
        self,
        repo: str,
        changes: Mapping[str, bytes | None],
        revision: str = "main",
        message: str = "Somebody's commit",
    ) -> str:
        """Makes a commit without a request, and moves the branch or tag onto it; None deletes.

        Returns the commit's identifier. The digests are recorded right: a client can only see that
        the content is not what it was.
        """
        with self.lock:
            repository = self.repositories[repo]
            head = repository.find(revision)
            entries: dict[str, Entry | None] = {}
            for path, content in changes.items():
                check_path(path)
                if content is None:
                    entries[path] = None
                else:
                    lfs = repository.needs_lfs(head, path, len(content), content[:512])
                    entries[path] = repository.store(content, lfs=lfs)
            commit = repository.add_commit(head, entries, message, "", "somebody")
            repository.move(revision, commit)
            return commit.id

    def replace_file(self, repo: str, path: str, content: bytes, revision: str = "main") -> str:
        """Puts another file in a file's place, on a new commit onto which branch or tag moves."""
        if path not in self.tree(repo, revision):
            raise KeyError(path)
        return self.commit(repo, {path: content}, revision)

    def flip_byte(self, repo: str, path: str, offset: int, revision: str = "main") -> None:
        """Damages a file where it is stored: commits, trees, sizes and digests stay as they were.

        The damage is in all revisions that hold this content.
        """
        with self.lock:
            repository = self.repositories[repo]
            sha256 = repository.find(revision).tree[path].sha256
            repository.blobs[sha256] = flip_byte(repository.blobs[sha256], offset)

    def tree(self, repo: str, revision: str = "main") -> dict[str, str]:
        """Returns the SHA-256 of each file of a revision, as recorded."""
        with self.lock:
            tree = self.repositories[repo].find(revision).tree
            return {path: entry.sha256 for path, entry in tree.items()}

    def content(self, repo: str, path: str, revision: str = "main") -> bytes:
        """Returns a file as it is stored, which is what a client gets."""
        with self.lock:
            repository = self.repositories[repo]
            return repository.blobs[repository.find(revision).tree[path].sha256]

    def head(self, repo: str, revision: str = "main") -> str:
        """Returns the commit that a branch or a tag is on."""
        with self.lock:
            return self.repositories[repo].find(revision).id

    def tags(self, repo: str) -> dict[str, Tag]:
        """Returns the tags: name → commit and message."""
        with self.lock:
            return dict(self.repositories[repo].tags)

    def commits(self, repo: str, revision: str = "main") -> list[Commit]:
        """Returns the commits up to a revision, the oldest first: it has .gitattributes alone."""
        with self.lock:
            repository = self.repositories[repo]
            return repository.ancestry(repository.find(revision))[::-1]

    def count(self, kind: str) -> int:
        """Returns how many requests of a kind there were."""
        return sum(request.kind == kind for request in list(self.requests))

    # --- what goes wrong

    def fault(
        self,
        kind: str,
        what: str | int | Callable[[Request], object],
        *,
        times: int | None = 1,
        after: int = 0,
        when: Callable[[Request], bool] = lambda request: True,
        **options: Any,
    ) -> Fault:
        """Makes requests of a kind go wrong, `times` times (None: always), after so many of them.

        Args:
            kind: A kind of request as listed at the top of this module, or "any".
            what: A status such as 503 (option `retry_after=0`, seconds or None); "drop": the
                connection is closed, and nothing was done; "drop_upload": the same after half of
                the body; "lost_reply": done, but the connection is closed without a reply;
                "cut_reply": closed after half of the reply's body; "slow": done, and answered
                `seconds=0.5` later; "head_moves": `changes={path: content}` land as another commit
                just before; "corrupt": one byte of an upload arrives changed, which is found at the
                verification; "corrupt_accepted": the Hub never finds it; or a function that is
                called with the request, after which this is answered as ever.
            times: How often; None: always.
            after: How many requests of the kind are answered as ever before.
            when: Leaves requests alone for which it is false.
            options: As above.

        Returns the fault, whose `fired` counts how often it struck.
        """
        if isinstance(what, int):
            what, options = "status", {"status": what, **options}
        known = {} if callable(what) else FAULTS[what]
        if kind not in KINDS or not options.keys() <= known.keys():
            raise ValueError(f"There is no fault {what} of {kind} with {sorted(options)}")
        fault = Fault(kind, what, times, after, when, {**known, **options})
        with self.lock:
            self._faults.append(fault)
        return fault

    def clear_faults(self) -> None:
        """Lets everything go right from now on."""
        with self.lock:
            self._faults.clear()

    # --- what the routes need

    def register(self, request: Request) -> Fault | None:
        """Enters a request into the record; returns the first fault that strikes it."""
        with self.lock:
            self.requests.append(request)
            return next((fault for fault in self._faults if fault.strikes(request)), None)

    def find_route(
        self, method: str, path: str, is_store: bool
    ) -> tuple[Route, dict[str, str | None]] | tuple[None, None]:
        """Returns who answers a request, and the named parts of its path, still quoted."""
        for route in ROUTES:
            if route.method == method and route.of_store == is_store:
                found = route.pattern.fullmatch(path)
                if found is not None:
                    return route, found.groupdict()
        return None, None

    def error_reply(self, error: HubError) -> Reply:
        """Returns an error as the Hub words it."""
        headers = {"X-Error-Message": error.message.encode("ascii", "replace").decode()}
        if error.code is not None:
            headers["X-Error-Code"] = error.code
        return json_reply({"error": error.message}, error.status, **headers)

    def user_of(self, request: Request) -> User | None:
        """Returns who asks, None for nobody; a token that does not exist is refused."""
        header = request.headers.get("authorization")
        if header is None:
            return None
        user = self.users.get(header.removeprefix("Bearer "))
        if user is None:
            raise HubError(401, "Invalid credentials in Authorization header")
        return user

    def signed_in(self, request: Request, code: str | None = "RepoNotFound") -> User:
        """Returns who asks; nobody is refused."""
        user = self.user_of(request)
        if user is None:
            raise HubError(401, "Invalid username or password.", code)
        return user

    def readable(self, request: Request) -> Repository:
        """Returns the repository asked for; one that may not be read does not exist."""
        user = self.user_of(request)
        repository = self.repositories.get(request.arguments["repo"])
        if repository is not None and (
            not repository.private or (user is not None and user.may_read(repository.name))
        ):
            return repository
        if user is None:
            raise HubError(401, "Invalid username or password.", "RepoNotFound")
        raise HubError(404, "Repository not found", "RepoNotFound")

    def writable(self, request: Request) -> Repository:
        """Returns the repository asked for, if it may be changed."""
        repository = self.readable(request)
        if not self.signed_in(request).may_write(repository.name):
            raise HubError(403, "You don't have the rights to write to this repository")
        return repository

    def grant(self, repository: Repository, sha256: str) -> str:
        """Returns a secret that opens one object of the store, in place of a signature."""
        grant = secrets.token_hex(16)
        self._grants[grant] = (repository, sha256)
        return grant

    def granted(self, request: Request) -> tuple[Repository, str]:
        """Returns the repository and the object that the secret in the address opens."""
        found = self._grants.get(request.arguments["grant"])
        if found is None:
            raise HubError(403, "SignatureDoesNotMatch")
        return found

    def refuse_token(self, request: Request) -> None:
        """Refuses a token where it does not belong, as the store does beside its signatures."""
        if request.authorized:
            raise HubError(400, "Only one auth mechanism allowed")
