"""The page's server: it answers on one address of this machine, and asks nobody anything.

What the browser may load is said by a Content-Security-Policy: this server, and nothing else.
"""

import importlib.resources
import io
import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import parse_qs, urlsplit

from benchloom.builders.dragon.opening import is_large, open_image
from benchloom.builders.dragon.picture import SHOWN_SIDE, open_as_rgb
from benchloom.builders.dragon.review.session import ConflictError
from benchloom.builders.errors import InputError

SCRIPTS = (
    *("review", "boxes", "changes", "elements", "keys", "lists", "panes", "saving", "side"),
    *("stage", "state", "template", "template_changes", "template_list", "template_stage"),
)
PAGE = {
    "/review.css": ("review.css", "text/css; charset=utf-8"),
    **{f"/{name}.js": (f"{name}.js", "text/javascript; charset=utf-8") for name in SCRIPTS},
}
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
SHOWN_BY_BROWSERS = (
    (0, b"\x89PNG\r\n\x1a\n", "image/png"),
    (0, b"\xff\xd8\xff", "image/jpeg"),
    (0, b"GIF8", "image/gif"),
    (8, b"WEBP", "image/webp"),
    (0, b"BM", "image/bmp"),
)
"""Where in a file of a kind which bytes are. Such files are passed on as they are, of any size."""
LOOPBACK = ("127.0.0.1", "localhost", "::1")
MOST_BYTES = 8_000_000
"""The longest request that is read."""


class Session(Protocol):
    """What a page shows and saves."""

    @property
    def page(self) -> str:
        """The file of the page."""

    def overview(self) -> dict[str, Any]:
        """Returns what the page needs to know of all items, as JSON values."""

    def describe(self, name: str) -> dict[str, Any]:
        """Returns one item, as JSON values."""

    def picture(self, name: str) -> Path:
        """Returns the picture of an item."""

    def save(self, value: Mapping[str, Any]) -> dict[str, Any]:
        """Saves what the page sends."""


class ReviewServer(ThreadingHTTPServer):
    """Serves the page of a session.

    Attributes:
        session: What the page shows and saves.
        host: The address it was told to answer on.
    """

    daemon_threads = True

    def __init__(self, session: Session, host: str, port: int) -> None:
        """Takes the address; `serve_forever` answers.

        Raises:
            InputError: If the address cannot be had.
        """
        self.session = session
        self.host = host
        try:
            super().__init__((host, port), _Handler)
        except (OSError, OverflowError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise InputError(
                f"{host}:{port} cannot be answered on: {reason}; choose another --port"
            ) from None

    def serve_until_interrupted(self, progress: Callable[[], str]) -> None:
        """Serves the page until Ctrl-C, and says before and after how far the work is."""
        try:
            print(progress())
            print(f"Open {self.url} in a browser; Ctrl-C ends.", flush=True)
            self.serve_forever()
        except KeyboardInterrupt:
            print(f"\n{progress()}")
        finally:
            self.server_close()

    @property
    def url(self) -> str:
        """The page's address."""
        return f"http://{self.host}:{self.server_port}/"

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach the page."""
        return self.host in LOOPBACK


class _Handler(BaseHTTPRequestHandler):
    server: ReviewServer
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Answers with the page, an item or a picture."""
        address = urlsplit(self.path)
        if not self._is_asked_by_name():
            return
        page = {"/": (self.server.session.page, "text/html; charset=utf-8"), **PAGE}
        if address.path in page:
            name, kind = page[address.path]
            folder = importlib.resources.files("benchloom.builders.dragon.review") / "page"
            self._send(HTTPStatus.OK, kind, (folder / name).read_bytes())
            return
        name = (parse_qs(address.query).get("item") or [""])[0]
        try:
            if address.path == "/api/items":
                self._send_json(self.server.session.overview())
            elif address.path == "/api/item":
                self._send_json(self.server.session.describe(name))
            elif address.path == "/image":
                self._send_image(name)
            else:
                self._refuse(HTTPStatus.NOT_FOUND, "there is no such page")
        except InputError as error:
            self._refuse(HTTPStatus.NOT_FOUND, str(error))

    def do_POST(self) -> None:
        """Saves a decision or a draft."""
        if not self._is_asked_by_name():
            return
        try:
            length = int(self.headers.get("Content-Length") or 0)
        except ValueError:
            length = -1
        if not 0 <= length <= MOST_BYTES:
            self.close_connection = True
            self._refuse(HTTPStatus.BAD_REQUEST, "the request is too long")
            return
        body = self.rfile.read(length)
        # A page of another site cannot send this header here.
        if self.path != "/api/save" or self.headers.get("X-Benchloom") != "review":
            self._refuse(HTTPStatus.FORBIDDEN, "only the page itself may save")
            return
        try:
            value = json.loads(body)
            if not isinstance(value, dict):
                raise InputError("what is to be saved must be an object")
            self._send_json(self.server.session.save(value))
        except ConflictError as error:
            self._refuse(HTTPStatus.CONFLICT, str(error), revision=error.revision)
        except InputError as error:
            self._refuse(HTTPStatus.UNPROCESSABLE_ENTITY, str(error))
        except (ValueError, RecursionError):
            self._refuse(HTTPStatus.BAD_REQUEST, "what is to be saved is no JSON")

    def _is_asked_by_name(self) -> bool:
        """Tells whether a browser meant this server; refuses otherwise.

        Another site's name may have been made to lead here (DNS rebinding).
        """
        name = urlsplit(f"//{self.headers.get('Host', '')}").hostname
        if self.server.is_local and name not in LOOPBACK:
            self.close_connection = True
            self._refuse(HTTPStatus.FORBIDDEN, "this page has another address")
            return False
        return True

    def _send_image(self, name: str) -> None:
        path = self.server.session.picture(name)
        data = path.read_bytes()
        kinds = (kind for place, mark, kind in SHOWN_BY_BROWSERS if data.startswith(mark, place))
        kind = next(kinds, None)
        if kind is None or _is_large(path):
            kind, data = "image/png", _png(path, path.stat().st_mtime_ns)
        # Its digest is part of the address, so the browser may keep it.
        self._send(HTTPStatus.OK, kind, data, "private, max-age=86400")

    def _send_json(self, value: Any) -> None:
        data = json.dumps(value, ensure_ascii=False).encode(errors="replace")
        self._send(HTTPStatus.OK, "application/json", data)

    def _refuse(self, status: HTTPStatus, reason: str, **more: int) -> None:
        data = json.dumps({"error": reason, **more}).encode()
        self._send(status, "application/json", data)

    def _send(self, status: HTTPStatus, kind: str, data: bytes, caching: str = "no-store") -> None:
        try:
            self.send_response(status)
            for name, value in (
                ("Content-Type", kind),
                ("Content-Length", str(len(data))),
                ("Cache-Control", caching),
                ("Content-Security-Policy", POLICY),
                ("X-Content-Type-Options", "nosniff"),
                ("Referrer-Policy", "no-referrer"),
            ):
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)
        except (BrokenPipeError, ConnectionResetError):  # the browser did not wait
            self.close_connection = True

    def log_message(self, format: str, *args: Any) -> None:
        """Keeps quiet: the terminal is the annotator's."""


def _is_large(path: Path) -> bool:
    """Tells whether a browser is better not given a picture of so many pixels."""
    try:
        with open_image(path) as image:
            return is_large(image)
    except (OSError, ValueError, SyntaxError):  # the browser says that it cannot show it
        return False


@lru_cache(maxsize=2)
def _png(path: Path, changed: int) -> bytes:
    """Returns a picture that browsers do not know, or one that is large for them, as PNG.

    Args:
        path: The picture.
        changed: When the file was changed, by which a picture that was kept is known to be it.
    """
    png = io.BytesIO()
    try:
        open_as_rgb(path, SHOWN_SIDE).save(png, "PNG")
    except (OSError, ValueError, SyntaxError):
        raise InputError(f"{path} cannot be decoded") from None
    return png.getvalue()
