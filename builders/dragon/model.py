"""A model behind an OpenAI-compatible endpoint, with its answers kept on disk."""

import base64
import hashlib
import io
import json
import os
import time
from collections import defaultdict
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from threading import Lock, Thread
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from benchloom.builders.dragon.opening import open_image, read_smaller, smaller_size
from benchloom.builders.dragon.picture import to_rgb
from benchloom.builders.errors import InputError
from benchloom.builders.files import dump_json, sha256_of, write_whole

# Decoding as in B.1.
TEMPERATURE = 0.2
TOP_P = 0.7
RETRIES = 5
PAUSE = 0.5
"""Seconds before a reply that could not be read is asked for again; twice as many each time."""
TIMEOUT = 120.0
"""Seconds to wait for one reply, unless told otherwise."""
MOST_SIDE = 4000
"""Longer side, in pixels, of the largest image that is sent: endpoints refuse larger ones."""
KEY = "OPENAI_API_KEY"
"""The variable that holds the endpoint's key; endpoints on one's own machine often need none."""
_MEDIA_TYPES = {
    "PNG": "image/png",
    "JPEG": "image/jpeg",
    "GIF": "image/gif",
    "WEBP": "image/webp",
}


class NoAnswerError(Exception):
    """An endpoint gave no usable answer to one question; the message says why.

    Attributes:
        written: What it wrote all the same, as far as it can be shown; else "".
    """

    def __init__(self, reason: str, written: str = "") -> None:
        super().__init__(reason)
        self.written = written


@dataclass(frozen=True)
class Reply:
    """What a model wrote.

    Attributes:
        text: All of it.
        cut: Whether it ended because it had reached the number of tokens.
        kept: Whether it was on disk already.
    """

    text: str
    cut: bool
    kept: bool


class Model:
    """Asks a model; may be used by several threads.

    Every answer is kept in a file named after a digest of all that was asked: where, without what
    lets us in there, the name of the model, the words, the image, the decoding.
    """

    def __init__(self, endpoint: str, name: str, cache: Path, timeout: float = TIMEOUT) -> None:
        """Makes ready to ask; nothing is sent yet.

        Args:
            endpoint: The address up to `/v1`.
            name: The model's name there.
            cache: The folder of answers.
            timeout: Seconds to wait for all of one reply.

        Raises:
            InputError: If the address is none, or the package openai is not installed.
        """
        if not endpoint.startswith(("http://", "https://")):
            raise InputError(
                f"--endpoint {without_credentials(endpoint)!r} must begin with http:// or https://"
            )
        try:
            from openai import OpenAI
        except ImportError:
            raise InputError("a model needs the package openai: install benchloom[llm]") from None
        self._client = OpenAI(
            base_url=endpoint,
            api_key=os.environ.get(KEY) or "none",
            max_retries=RETRIES,
            timeout=timeout,
            http_client=_bounded_client(timeout),
        )
        self._endpoint = without_credentials(endpoint)
        self._name = name
        self._cache = cache
        self._locks: defaultdict[str, Lock] = defaultdict(Lock)

    def ask(self, words: str, image: Path, tokens: int) -> Reply:
        """Returns what the model answers to words and an image.

        A request that fails, or whose reply cannot be read, is sent again up to five times, ever
        later.

        Args:
            words: The prompt.
            image: The path of the image, which is sent as it is: PNG, JPEG, GIF or WebP; anything
                else as PNG; a large one smaller, see `sent_size`.
            tokens: How many the answer may have.

        Raises:
            NoAnswerError: If it does not answer this.
            InputError: If it cannot be reached, or knows neither us nor the model, or the image
                cannot be read: then it is no use asking on.
        """
        try:
            digest = sha256_of(image)
        except OSError as error:
            raise InputError(f"{image} cannot be read: {error.strerror}") from None
        asked = {
            "endpoint": self._endpoint,
            "model": self._name,
            "prompt": words,
            "image_sha256": digest,
            "temperature": TEMPERATURE,
            "top_p": TOP_P,
            "max_tokens": tokens,
        }
        key = hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()
        path = self._cache / f"{key}.json"
        with self._locks[key]:  # two items may ask the same: one waits for the other's answer
            kept = _read(path)
            if kept is not None:
                return kept
            reply = self._request(words, image, tokens)
            try:
                write_whole(path, dump_json({**asked, "answer": reply.text, "cut": reply.cut}))
            except OSError as error:
                raise InputError(f"{path} cannot be written: {error.strerror}") from None
        return reply

    def _request(self, words: str, image: Path, tokens: int) -> Reply:
        import openai

        content: Any = [
            {"type": "image_url", "image_url": {"url": _data_url(image)}},
            {"type": "text", "text": words},
        ]
        try:
            completion = self._complete(content, tokens)
        except openai.APIConnectionError as error:  # timeouts are among them
            raise InputError(
                f"the endpoint {self._endpoint} cannot be reached ({error}); what it has answered "
                "is kept, so the same command goes on from there"
            ) from None
        except (
            openai.AuthenticationError,
            openai.PermissionDeniedError,
            openai.NotFoundError,
        ) as error:
            raise InputError(
                f"the endpoint {self._endpoint} refuses model {self._name!r} (status "
                f"{error.status_code}); look at both, and at the key in {KEY}"
            ) from None
        except openai.APIStatusError as error:
            raise NoAnswerError(f"status {error.status_code}") from None
        except (openai.OpenAIError, ValueError, RecursionError) as error:  # a reply that is no JSON
            raise NoAnswerError(f"a reply that cannot be read ({type(error).__name__})") from None
        try:
            choice = completion.choices[0]
            text, cut = choice.message.content, choice.finish_reason == "length"
        except (AttributeError, LookupError, TypeError):
            raise NoAnswerError("a reply that is no completion") from None
        if not isinstance(text, str):
            raise NoAnswerError("a reply without words")
        told = text.encode(errors="replace").decode()
        if told != text:  # half of a surrogate pair, which JSON can hold, could be written nowhere
            raise NoAnswerError("an answer with characters that are none", told)
        return Reply(text, cut, kept=False)

    def _complete(self, content: Any, tokens: int) -> Any:
        """Returns a completion; one that is no whole JSON, which openai takes as it is, anew."""
        for tries in range(RETRIES + 1):
            if tries:
                time.sleep(PAUSE * 2 ** (tries - 1))
            try:
                return self._client.chat.completions.create(
                    model=self._name,
                    messages=[{"role": "user", "content": content}],
                    temperature=TEMPERATURE,
                    top_p=TOP_P,
                    max_tokens=tokens,
                )
            except (ValueError, RecursionError):
                if tries == RETRIES:
                    raise
        raise AssertionError("every way out is above")


def sent_size(width: int, height: int) -> tuple[int, int]:
    """Returns width and height, in pixels, of an image as it is sent: large ones made smaller."""
    large = max(width, height) > MOST_SIDE
    return smaller_size(width, height, MOST_SIDE) if large else (width, height)


def _bounded_client(seconds: float) -> Any:
    """Returns a client of HTTP that waits so long for all of a reply.

    Its own limits are for each piece of a reply: who sends one byte after the other is not bound by
    them.
    """
    from openai import DefaultHttpxClient

    # What openai speaks HTTP with, httpx or its successor, whose errors it asks again after.
    http = import_module(DefaultHttpxClient.__mro__[1].__module__.partition(".")[0])
    base: Any = DefaultHttpxClient

    class Bounded(base):  # type: ignore[misc]
        def send(self, request: Any, **options: Any) -> Any:
            replies: list[Any] = []
            errors: list[BaseException] = []

            def run() -> None:
                try:
                    replies.append(send(request, **options))
                except BaseException as error:  # raised where it is waited for
                    errors.append(error)

            send = super().send
            waiting = Thread(target=run, daemon=True)
            waiting.start()
            waiting.join(seconds)
            if errors:
                raise errors[0]
            if not replies:
                raise http.ReadTimeout("the reply is not at its end", request=request)
            return replies[0]

    return Bounded()


def without_credentials(endpoint: str) -> str:
    """Returns the address of an endpoint without name, password and what follows a `?`."""
    parts = urlsplit(endpoint)
    return urlunsplit(
        (parts.scheme, parts.netloc.rpartition("@")[2], parts.path.rstrip("/"), "", "")
    )


def _read(path: Path) -> Reply | None:
    """Returns an answer that is kept; one that was damaged is asked for again."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
        text, cut = value["answer"], value["cut"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    return Reply(text, bool(cut), kept=True) if isinstance(text, str) else None


def _data_url(path: Path) -> str:
    """Returns an image as a URL that holds all of it."""
    try:
        data = path.read_bytes()
        with open_image(io.BytesIO(data)) as image:
            kind = _MEDIA_TYPES.get(image.format or "")
            large = max(image.size) > MOST_SIDE
            if kind is None or large:
                buffer, photo = io.BytesIO(), image.format == "JPEG"
                ready = read_smaller(image, MOST_SIDE, to_rgb) if large else to_rgb(image)
                kind = "image/jpeg" if photo else "image/png"
                ready.save(buffer, "JPEG" if photo else "PNG", quality=95)
                data = buffer.getvalue()
    except (OSError, ValueError, SyntaxError) as error:
        raise NoAnswerError(f"{path.name} cannot be sent ({type(error).__name__})") from None
    return f"data:{kind};base64,{base64.b64encode(data).decode()}"
