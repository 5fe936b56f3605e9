"""Requests to the Hub: patient with a busy server, and faults as sentences.

A thin layer around `huggingface_hub.HfApi`. What is read is read anew each time, from a commit and
never from a branch that may move meanwhile, and no cache of the user's is touched.
"""

from __future__ import annotations

import io
import os
import re
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar
from urllib.parse import urlsplit

from benchloom.builders.errors import InputError
from benchloom.loaders.hub.faults import HubFault, fault_of, wait_asked

if TYPE_CHECKING:
    from huggingface_hub import HfApi

T = TypeVar("T")

TRIES = 5
PATIENCE = 300.0
"""Seconds that one request may wait in all for a server to recover."""
TIMEOUT = 60.0
"""Seconds without a byte after which a connection counts as broken."""
PIECE = 32 * 2**20
"""Bytes of a download that one request asks for."""
COMMIT = re.compile(r"[0-9a-f]{40}")


@dataclass(frozen=True)
class RemoteFile:
    """A file in a repository.

    Attributes:
        size: Its size in bytes.
        sha256: Hexadecimal SHA-256 of its bytes, None when it is stored in git itself.
        blob_id: Name of its git blob.
    """

    size: int
    sha256: str | None
    blob_id: str


@dataclass(frozen=True)
class Refs:
    """The commits that a repository's branches and tags are at, by name."""

    branches: Mapping[str, str]
    tags: Mapping[str, str]


class Hub:
    """The Hub, as one user sees it.

    Attributes:
        endpoint: Its address; by default that of HF_ENDPOINT.
        host: Its name in sentences.
        api: The client below, for requests made through `call`.

    Args:
        endpoint: Another address.
        token: The user's token; by default HF_TOKEN or what `hf auth login` has stored. It is in no
            message.
        sleep: What waits, in seconds.

    Raises:
        InputError: If the token holds characters that no token has.
    """

    def __init__(
        self,
        endpoint: str | None = None,
        token: str | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        from huggingface_hub import HfApi, constants
        from huggingface_hub.utils import get_token

        self.endpoint = endpoint or os.environ.get("HF_ENDPOINT") or constants.ENDPOINT
        self.endpoint = self.endpoint.rstrip("/")
        self.host = (urlsplit(self.endpoint).netloc or self.endpoint).rpartition("@")[2]
        self._token = token or get_token()
        if self._token is not None and not re.fullmatch(r"[!-~]+", self._token):
            raise InputError("the token in HF_TOKEN is damaged: it has characters no token has")
        self._sleep = sleep
        self.api: HfApi = HfApi(endpoint=self.endpoint, token=self._token or False)

    @property
    def has_token(self) -> bool:
        """Whether requests carry a token."""
        return self._token is not None

    def call(self, what: str, function: Callable[[], T], tries: int = TRIES) -> T:
        """Returns what a function that makes one request returns, trying again where that may help.

        A server that is busy (429) or at fault (5xx) and a broken connection are tried again, after
        the time the server asks for or 1, 2, 4, ... seconds.

        Args:
            what: What the request does, to follow "cannot": "read org/vga".
            function: Makes the request; called again for each try.
            tries: How often at most; 1 for a request that must not be sent twice.

        Raises:
            HubFault: If it cannot be done, with one sentence and the status of the reply.
        """
        waited = 0.0
        for attempt in range(1, tries + 1):
            try:
                return function()
            except HubFault:  # of a request that has been patient itself
                raise
            except Exception as error:
                fault = fault_of(error, what, self.host, self.has_token)
                if fault is None:
                    raise
                wait = wait_asked(error)
                pause = 2.0 ** (attempt - 1) if wait is None else wait
                if not fault.may_pass or attempt == tries or waited + pause > PATIENCE:
                    raise fault from None
            self._sleep(pause)
            waited += pause
        raise AssertionError("at least one try")

    def commit(self, repo: str, revision: str = "main") -> str:
        """Returns the hash of the commit that a branch, a tag or a hash names.

        Raises:
            HubFault: If there is no such repository or revision.
        """
        if COMMIT.fullmatch(revision):
            return revision
        info = self.call(
            f"read {repo} at {revision}",
            lambda: self.api.repo_info(repo, repo_type="dataset", revision=revision),
        )
        return str(info.sha)

    def refs(self, repo: str) -> Refs:
        """Returns the branches and tags of a repository.

        Raises:
            HubFault: If there is no such repository.
        """
        found = self.call(
            f"read the branches and tags of {repo}",
            lambda: self.api.list_repo_refs(repo, repo_type="dataset"),
        )
        return Refs(
            {str(ref.name): str(ref.target_commit) for ref in found.branches},
            {str(ref.name): str(ref.target_commit) for ref in found.tags},
        )

    def tree(self, repo: str, revision: str = "main") -> dict[str, RemoteFile]:
        """Returns the files of a repository by path, in the order of their paths.

        Raises:
            HubFault: If there is no such repository or revision.
        """
        what = f"list the files of {repo} at {revision}"
        page = f"{self.endpoint}/api/datasets/{repo}/tree/{self.commit(repo, revision)}"
        page += "?recursive=true"
        files: dict[str, RemoteFile] = {}
        while page:
            reply = self._get(what, page)
            for entry in self.call(what, reply.json):
                if entry["type"] == "file":
                    sha256 = entry["lfs"]["oid"] if entry.get("lfs") else None
                    files[entry["path"]] = RemoteFile(entry["size"], sha256, entry["oid"])
            page = reply.links.get("next", {}).get("url", "")
        return dict(sorted(files.items()))

    def read(self, repo: str, revision: str, file: str) -> bytes:
        """Returns the bytes of a file.

        Raises:
            HubFault: If there is no such repository, revision or file.
        """
        return self._read(repo, self.commit(repo, revision), file)

    def open(self, repo: str, revision: str, file: str, size: int | None = None) -> BinaryIO:
        """Returns a file to be read piece by piece: each piece is one request for a range.

        Args:
            repo: The repository.
            revision: A branch, a tag or a commit.
            file: The path of the file.
            size: Its size where it is known; asked for otherwise.

        Raises:
            HubFault: If there is no such repository, revision or file; also from its `read`.
        """
        commit = self.commit(repo, revision)
        if size is None:
            files = self.tree(repo, commit)
            if file not in files:
                raise HubFault(f"{repo} at {revision} has no file {file}", 404)
            size = files[file].size

        def fetch(start: int, stop: int) -> bytes:
            return self._read(repo, commit, file, (start, stop))

        return io.BufferedReader(_Ranges(fetch, size), buffer_size=1 << 16)

    def download(
        self, repo: str, revision: str, folder: Path, files: Collection[str] | None = None
    ) -> None:
        """Brings files of a repository to a folder; what a cut-short download left is used.

        Args:
            repo: The repository.
            revision: A branch, a tag or a commit.
            folder: Where to; the paths below it are those of the repository. Files that are there
                are replaced.
            files: Which files, all by default.

        Raises:
            HubFault: If a file is not there or cannot be had.
            OSError: If the folder cannot be written.
        """
        commit = self.commit(repo, revision)
        there = self.tree(repo, commit)
        for file in there if files is None else files:
            if file not in there:
                raise HubFault(f"{repo} at {revision} has no file {file}", 404)
            size = there[file].size
            target = folder / file
            target.parent.mkdir(parents=True, exist_ok=True)
            part = target.with_name(f".{target.name}.{commit[:12]}.part")
            with part.open("ab") as grows:
                while (done := grows.tell()) < size:
                    grows.write(self._read(repo, commit, file, (done, min(size, done + PIECE))))
            part.replace(target)

    def _read(
        self, repo: str, commit: str, file: str, part: tuple[int, int] | None = None
    ) -> bytes:
        """Returns the bytes of a file, or those from part[0] up to but without part[1]."""
        from huggingface_hub import hf_hub_url

        what = f"read {file} of {repo} at {commit[:8]}"
        url = hf_hub_url(repo, file, repo_type="dataset", revision=commit, endpoint=self.endpoint)
        if part is None:
            whole: bytes = self._get(what, url).content
            return whole
        start, stop = part
        reply = self._get(what, url, {"Range": f"bytes={start}-{stop - 1}"})
        content: bytes = reply.content
        # Not every server knows ranges: with status 200 this is the whole file.
        content = content[start:stop] if reply.status_code == 200 else content
        if len(content) != stop - start:
            raise HubFault(f"cannot {what}: {self.host} sent other bytes than were asked for")
        return content

    def _get(self, what: str, url: str, headers: Mapping[str, str] | None = None) -> Any:
        """Returns the reply to a GET.

        The client's own functions for lists and downloads are not used: they wait, try again and
        write warnings on their own account.
        """
        from huggingface_hub.utils import build_hf_headers, get_session, hf_raise_for_status

        sent = {"Accept-Encoding": "identity", **(headers or {})}
        sent |= build_hf_headers(token=self._token or False)

        def get() -> Any:
            reply = get_session().get(url, headers=sent, timeout=TIMEOUT)
            hf_raise_for_status(reply)
            return reply

        return self.call(what, get)


class _Ranges(io.RawIOBase):
    """A file of which any piece can be fetched, as a seekable stream."""

    def __init__(self, fetch: Callable[[int, int], bytes], size: int) -> None:
        super().__init__()
        self._fetch = fetch
        self._size = size
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._size}[whence]
        self._at = max(0, start + offset)
        return self._at

    def readinto(self, buffer: Any) -> int:
        stop = min(self._at + len(buffer), self._size)
        if stop <= self._at:
            return 0
        content = self._fetch(self._at, stop)
        buffer[: len(content)] = content
        self._at += len(content)
        return len(content)
