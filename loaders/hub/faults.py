"""What can go wrong with a request to the Hub, as one sentence each."""

from __future__ import annotations

import email.utils
import json
import re
import time
from typing import Any

from benchloom.builders.errors import InputError

BUSY = (408, 429, 500, 502, 503, 504)
LOG_IN = "set HF_TOKEN or run `hf auth login`"
CLIENTS = ("httpx", "httpx2", "httpcore", "httpcore2", "requests", "urllib3")
"""Packages that huggingface_hub sends requests by, in one version or another."""


class HubFault(InputError):  # noqa: N818  (not always an error: the first push finds nothing)
    """A request to the Hub that could not be carried out; the message is one sentence.

    Attributes:
        status: HTTP status of the reply, None when none came.
        may_pass: Whether the same request may succeed later.
    """

    def __init__(self, message: str, status: int | None = None, may_pass: bool = False) -> None:
        super().__init__(message)
        self.status = status
        self.may_pass = may_pass


def fault_of(error: Exception, what: str, host: str, has_token: bool) -> HubFault | None:
    """Returns the fault that an exception of the client stands for, None when it is none.

    No text of the client's is passed on, for it may quote the request; only the sentence by which
    the server refuses it.

    Args:
        error: What the client raised.
        what: What the request does, to follow "cannot".
        host: The server's name.
        has_token: Whether the request carried a token.
    """
    from huggingface_hub import utils

    error = _cause(error)
    start = f"cannot {what}"
    if isinstance(error, utils.HFValidationError):
        return HubFault(f"{start}: a dataset is named org/name, of letters, digits and -_.")
    if isinstance(error, utils.OfflineModeIsEnabled):
        return HubFault(f"{start}: HF_HUB_OFFLINE is set; unset it to reach {host}")
    if isinstance(error, utils.LocalTokenNotFoundError):
        return HubFault(f"{start}: there is no token; {LOG_IN}")
    if isinstance(error, utils.HfHubHTTPError):
        return _refusal(error, start, host, has_token)
    if isinstance(error, ConnectionError) or type(error).__module__.split(".")[0] in CLIENTS:
        return HubFault(
            f"{start}: {host} cannot be reached or the connection broke; "
            "check the network and run this again",
            may_pass=True,
        )
    if isinstance(error, json.JSONDecodeError):
        return HubFault(f"{start}: what {host} answers is not of a Hub; check HF_ENDPOINT")
    return None


def wait_asked(error: Exception) -> float | None:
    """Returns how many seconds the server asks to wait before a request is tried again."""
    response = getattr(_cause(error), "response", None)
    if response is None:
        return None
    text = response.headers.get("retry-after")
    if text is not None:
        if re.fullmatch(r"[0-9]{1,9}", text.strip()):
            return float(text)
        try:
            return max(0.0, email.utils.parsedate_to_datetime(text).timestamp() - time.time())
        except ValueError:
            return None
    limit = re.search(r";\s*r=0;\s*t=([0-9]{1,9})", response.headers.get("ratelimit") or "")
    return float(limit[1]) if limit else None


def _cause(error: Exception) -> Exception:
    """Returns what made a download fail: the client wraps it in an error of its own."""
    from huggingface_hub.utils import LocalEntryNotFoundError

    wrapped = isinstance(error, LocalEntryNotFoundError)
    return error.__cause__ if wrapped and isinstance(error.__cause__, Exception) else error


def _refusal(error: Any, start: str, host: str, has_token: bool) -> HubFault:
    """Returns the fault of a request that the server has answered, but not with success."""
    from huggingface_hub import utils

    status = getattr(getattr(error, "response", None), "status_code", None)
    said = " ".join((getattr(error, "server_message", None) or "").split())[:200]
    if isinstance(error, utils.GatedRepoError):
        text = f"its owner must grant access; ask for it on its page on {host}"
    elif isinstance(error, utils.RevisionNotFoundError):
        text = "there is no such revision; name a branch, a tag such as v1.0.0 or a commit"
    elif isinstance(error, utils.EntryNotFoundError):
        text = "there is no such file"
    elif isinstance(error, utils.RepositoryNotFoundError):
        seen = "not open to this token" if has_token else f"private ({LOG_IN})"
        text = f"there is no such dataset on {host}, or it is {seen}"
    elif status == 401:
        text = (
            f"{host} does not accept the token; make a new one there and {LOG_IN}"
            if has_token
            else f"{host} asks for a token; {LOG_IN}"
        )
    elif status == 403:
        text = (
            f"{host} does not allow it; use a token with write permission, "
            "and a namespace that is yours"
        )
    elif status in BUSY:
        return HubFault(
            f"{start}: {host} is busy or at fault (status {status}); run this again later",
            status,
            may_pass=True,
        )
    else:
        text = f"{host} answered with status {status}" + (f" ({said})" if said else "")
    return HubFault(f"{start}: {text}", status)
