"""An OpenAI-compatible endpoint on loopback that answers as a test tells it."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

NAME = "eyes-1"
GOOD = "Answer: S1/<0,0,20,8>, A1/<40,20,10,50>\nExplanation: the bar."


@dataclass
class Endpoint:
    """An OpenAI-compatible endpoint: what it answers, and what it was asked.

    `replies` are played in their order, the last one again and again: a text is a completion, a
    number a status, bytes a body that is sent as it is, None hangs up.
    """

    replies: list[str | int | bytes | None] = field(default_factory=lambda: [GOOD])
    finish: str = "stop"
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)
    url: str = ""

    def words(self, number: int) -> str:
        """Returns the words of a request."""
        parts = self.requests[number]["messages"][0]["content"]
        return str(next(part["text"] for part in parts if part["type"] == "text"))


@contextmanager
def serve_model() -> Iterator[Endpoint]:
    """Serves an endpoint until the block ends."""
    endpoint = Endpoint()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            assert self.path == "/v1/chat/completions"
            reply = endpoint.replies[min(len(endpoint.requests), len(endpoint.replies) - 1)]
            endpoint.requests.append(json.loads(body))
            endpoint.keys.append(self.headers.get("Authorization"))
            if reply is None:
                self.close_connection = True
                return
            status, data = 200, b"{}"
            if isinstance(reply, int):
                status = reply
            elif isinstance(reply, bytes):
                data = reply
            else:
                message = {"role": "assistant", "content": reply}
                choice = {"index": 0, "message": message, "finish_reason": endpoint.finish}
                data = json.dumps(
                    {
                        "id": "1",
                        "object": "chat.completion",
                        "created": 0,
                        "model": NAME,
                        "choices": [choice],
                    }
                ).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.send_header("retry-after-ms", "1")  # or the client would wait for seconds
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    endpoint.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    yield endpoint
    server.shutdown()
    thread.join()
    server.server_close()
