"""The HTTP side of the loopback Hub: reads requests, plays the faults, sends replies."""

import socket
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, unquote, urlsplit

from loopback_repository import HubError

if TYPE_CHECKING:
    from loopback_hub import LoopbackHub

PIECE = 1 << 16


@dataclass
class Request:
    """A request as the Hub saw it.

    `status` is None while nothing was answered, also when the connection was dropped or the client
    has gone; `received` and `sent` count the bytes of the bodies.
    """

    kind: str
    method: str
    path: str
    repo: str | None
    authorized: bool
    status: int | None = None
    received: int = 0
    sent: int = 0
    fault: str | None = None
    # What only the server needs, while it answers.
    arguments: dict[str, str] = field(default_factory=dict, repr=False)
    query: dict[str, list[str]] = field(default_factory=dict, repr=False)
    headers: dict[str, str] = field(default_factory=dict, repr=False)
    body: bytes = field(default=b"", repr=False)


@dataclass
class Reply:
    """What is sent back."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)


@dataclass
class Fault:
    """What is to go wrong, with which requests, and how often it has."""

    kind: str
    what: str | Callable[[Request], object]
    times: int | None
    after: int
    when: Callable[[Request], bool]
    options: dict[str, Any]
    seen: int = 0
    fired: int = 0

    def strikes(self, request: Request) -> bool:
        """Counts a request, and returns whether it is one that goes wrong."""
        if self.kind not in ("any", request.kind) or not self.when(request):
            return False
        self.seen += 1
        if self.seen <= self.after or (self.times is not None and self.fired >= self.times):
            return False
        self.fired += 1
        return True


class DroppedError(Exception):
    """The connection is to be closed without a reply, or without the rest of it."""


def flip_byte(content: bytes, offset: int) -> bytes:
    """Returns the content with one byte changed."""
    changed = bytearray(content)
    changed[offset] ^= 0xFF
    return bytes(changed)


class HubServer(ThreadingHTTPServer):
    """One address of the loopback Hub: that of its API, or that of its store."""

    daemon_threads = True
    block_on_close = False
    # A push sends its shards over several connections at once.
    request_queue_size = 64

    def __init__(self, hub: "LoopbackHub", *, is_store: bool) -> None:
        super().__init__(("127.0.0.1", 0), Handler, bind_and_activate=False)
        self.hub = hub
        self.is_store = is_store
        # Bound, but not listening: the address is ours, and refuses connections until the start.
        self.server_bind()
        self.url = f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, request: object, client_address: object) -> None:
        """Keeps what went wrong with us; that a client has gone is nothing to be told."""
        if not isinstance(sys.exception(), OSError):
            self.hub.errors.append(traceback.format_exc())


class Handler(BaseHTTPRequestHandler):
    """Answers the requests of one connection."""

    protocol_version = "HTTP/1.1"
    # Otherwise each reply waits for the client's delayed acknowledgement.
    disable_nagle_algorithm = True
    server: HubServer

    def log_message(self, format: str, *arguments: object) -> None:
        """Writes nothing."""

    def serve(self) -> None:
        """Answers one request."""
        hub = self.server.hub
        address = urlsplit(self.path)
        request = Request(
            kind=self.kind_without_route(),
            method=self.command,
            path=self.path,
            repo=None,
            authorized="authorization" in self.headers,
            query=parse_qs(address.query),
            headers={name.lower(): value for name, value in self.headers.items()},
        )
        route, found = None, None
        if request.kind == "unknown":
            route, found = hub.find_route(self.command, address.path, self.server.is_store)
        if route is not None and found is not None:
            request.kind = route.kind
            request.arguments = {name: unquote(part or "") for name, part in found.items()}
            request.repo = request.arguments.get("repo")
        fault = hub.register(request)
        try:
            self.play(hub, request, route.answer if route else None, fault)
        except DroppedError:
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
        finally:
            # Shards are not to pile up in the record of the requests.
            request.body = b""

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = do_CONNECT = serve  # noqa: N815

    def kind_without_route(self) -> str:
        """Returns the kind of a request that no route is for; to a proxy a whole URL is sent."""
        if self.path.startswith("/"):
            return "unknown"
        return "dataset_viewer" if "//datasets-server." in self.path else "outside"

    def play(
        self,
        hub: "LoopbackHub",
        request: Request,
        answer: Callable[["LoopbackHub", Request], Reply] | None,
        fault: Fault | None,
    ) -> None:
        """Reads the body, answers, and does what the fault asks for in between."""
        what = fault.what if fault else None
        options = fault.options if fault else {}
        request.fault = "call" if callable(what) else what
        self.read_body(request, only_half=what == "drop_upload")
        if what in ("drop", "drop_upload"):
            raise DroppedError
        if callable(what):
            what(request)
        if what in ("corrupt", "corrupt_accepted"):
            request.body = flip_byte(request.body, len(request.body) // 2)
        if what == "status":
            self.send(request, fault_reply(**options))
            return
        reply = self.ask(hub, request, answer, moved=options.get("changes"))
        if what == "lost_reply":
            raise DroppedError
        if what == "slow":
            time.sleep(options["seconds"])
        self.send(request, reply, only_half=what == "cut_reply")

    def ask(
        self,
        hub: "LoopbackHub",
        request: Request,
        answer: Callable[["LoopbackHub", Request], Reply] | None,
        moved: dict[str, bytes | None] | None,
    ) -> Reply:
        """Returns the reply; one request at a time, as if all were instantaneous."""
        try:
            if answer is None:
                raise HubError(404, f"The loopback Hub knows no {request.method} {request.path}")
            with hub.lock:
                if moved is not None and request.repo is not None:
                    revision = request.arguments.get("revision") or "main"
                    hub.commit(request.repo, moved, revision, message="Another push")
                return answer(hub, request)
        except HubError as error:
            return hub.error_reply(error)
        except Exception:
            hub.errors.append(traceback.format_exc())
            return hub.error_reply(HubError(500, "The loopback Hub has failed"))

    def read_body(self, request: Request, *, only_half: bool) -> None:
        """Reads the body, or half of it; a client that goes meanwhile has asked for nothing."""
        if "chunked" in self.headers.get("transfer-encoding", "").lower():
            pieces = []
            while size := int(self.rfile.readline().split(b";")[0] or b"-1", 16):
                pieces.append(self.read(size))
                self.rfile.readline()
                if only_half:
                    break
            else:
                self.rfile.readline()
            request.body = b"".join(pieces)
        else:
            length = int(self.headers.get("content-length", 0))
            request.body = self.read(length // 2 if only_half else length)
        request.received = len(request.body)

    def read(self, size: int) -> bytes:
        """Returns so many bytes of the body."""
        content = self.rfile.read(size) if size >= 0 else b""
        if len(content) != size:
            raise DroppedError
        return content

    def send(self, request: Request, reply: Reply, *, only_half: bool = False) -> None:
        """Sends the reply, or its head and the first half of its body."""
        request.status = reply.status
        self.send_response(reply.status)
        headers = {"Content-Length": str(len(reply.body)), **reply.headers}
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            body = memoryview(reply.body)
            end = len(body) // 2 if only_half else len(body)
            for start in range(0, end, PIECE):
                piece = body[start : min(start + PIECE, end)]
                # Counted first: the client may have the piece before we go on.
                request.sent += len(piece)
                self.wfile.write(piece)
        if only_half:
            raise DroppedError


def fault_reply(status: int, retry_after: int | None) -> Reply:
    """Returns what an overloaded Hub answers."""
    headers = {"Content-Type": "text/plain"}
    if retry_after is not None:
        headers["Retry-After"] = str(retry_after)
        if status == 429:
            headers["RateLimit"] = f'"api";r=0;t={retry_after}'
    return Reply(status, f"The loopback Hub answers {status}, as asked".encode(), headers)
