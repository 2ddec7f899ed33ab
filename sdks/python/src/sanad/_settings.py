"""How requests are sent, and how answers are read. Nothing here waits for the network."""

import hashlib
import hmac
import json
import math
import re
from typing import Any, Dict, List, Literal, Mapping, NamedTuple, Optional, Sequence, Union
from urllib.parse import unquote, urlsplit

from ._retry import retry_after_seconds
from .api import ErrorEntry
from .errors import SanadConnectionError, SanadError

MERCHANT = "/api/v1/merchant"
CHECKOUT = "/api/v1/checkout"

# A proxy may answer too: what it sends is not trusted to be short.
MOST_BYTES = 16 * 1024 * 1024
_LONGEST_HINT = 300
_MOST_NAMES = 10


class Answer(NamedTuple):
    """A good answer of the service."""

    body: Any
    is_replay: bool


class Settings:
    def __init__(
        self,
        base_url: str,
        client_id: str,
        client_secret: str,
        timeout: float,
        max_retries: int,
        max_retry_wait: float,
    ) -> None:
        self.base = _base_of(base_url)
        for name, value in (("client_id", client_id), ("client_secret", client_secret)):
            if not isinstance(value, str) or re.fullmatch(r"[\x21-\x7e]+", value) is None:
                raise ValueError(f"{name} is empty, or no plain text: is its variable set?")
        if not (timeout > 0 and math.isfinite(timeout)):
            raise ValueError("timeout must be a number of seconds above 0.")
        if max_retries < 0 or not (max_retry_wait >= 0 and math.isfinite(max_retry_wait)):
            raise ValueError("max_retries and max_retry_wait must be numbers, 0 or more.")
        self.timeout = timeout
        self.max_retries = max_retries
        self.max_retry_wait = max_retry_wait
        self.key_headers = {"service-client-id": client_id, "service-client-secret": client_secret}
        # Names the token in a cache: the same address and key. It does not reveal the secret.
        named = hmac.new(client_secret.encode(), f"{self.base} {client_id}".encode(), hashlib.sha256)
        self.token_name = f"sanad_token_{named.hexdigest()}"


def _base_of(base_url: object) -> str:
    parts = urlsplit(base_url) if isinstance(base_url, str) else None
    if parts is None or parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("base_url must be an address such as https://pay.example.com.")
    if parts.query or parts.fragment or parts.username is not None:
        raise ValueError("base_url must be an address without credentials, a query or a fragment.")
    path = parts.path.rstrip("/")
    if path.endswith(MERCHANT):
        path = path[: -len(MERCHANT)]
    return f"{parts.scheme}://{parts.netloc}{path}"


def text_of_body(body: Mapping[str, Any]) -> bytes:
    return json.dumps(body, ensure_ascii=False, allow_nan=False).encode()


def no_answer(reason: Literal["unreachable", "timeout"], settings: Settings, advice: Optional[str]) -> SanadConnectionError:
    message = (
        f"Sanad gave no whole answer within {settings.timeout} s."
        if reason == "timeout"
        else f"No answer of Sanad at {settings.base}: there is no connection, or it was lost."
    )
    return SanadConnectionError(reason, _with_advice(message, advice))


def not_sanad(status: int, advice: Optional[str]) -> SanadConnectionError:
    message = f"The answer (status {status}) is not one of Sanad: is base_url right, and is there a proxy?"
    return SanadConnectionError("not_sanad", _with_advice(message, advice), status)


def read_answer(
    status: int, headers: Mapping[str, str], content: bytes, now: float, advice: Optional[str]
) -> Answer:
    """`headers`: their names in any case, as httpx gives them."""
    try:
        body: object = json.loads(content.decode("utf-8"))
    except (ValueError, RecursionError):
        body = None
    if 200 <= status < 300 and isinstance(body, (dict, list)):
        return Answer(body, "idempotent-replayed" in headers)
    errors = _errors_in(body)
    if errors is None or not isinstance(body, dict):
        raise not_sanad(status, advice)
    raise SanadError(
        status,
        str(body["type"]),
        errors,
        retry_after=retry_after_seconds(headers.get("retry-after"), now),
        request_id=headers.get("x-request-id"),
        hint=headers.get("x-service-hint", "")[:_LONGEST_HINT] or None,
        ignored=_names_in(headers.get("x-service-ignored", "")),
        # A refusal has processed nothing.
        advice=None if status < 500 else advice,
    )


def _errors_in(body: object) -> Optional[List[ErrorEntry]]:
    """None: it is no error of Sanad."""
    if not isinstance(body, dict) or "type" not in body or not isinstance(body.get("errors"), list):
        return None
    errors: List[ErrorEntry] = []
    for entry in body["errors"]:
        if not isinstance(entry, dict) or not isinstance(entry.get("code"), str):
            return None
        attr = entry.get("attr")
        detail = str(entry.get("detail", ""))
        errors.append({"code": entry["code"], "detail": detail, "attr": attr if isinstance(attr, str) else None})
    return errors or None


def _names_in(header: str) -> List[str]:
    """`order_id, items.0.sku`"""
    return [unquote(name) for name in header[:1000].split(", ") if name != ""][:_MOST_NAMES]


def _with_advice(message: str, advice: Optional[str]) -> str:
    return message if advice is None else f"{message} {advice}"


Secret = Union[str, Sequence[str]]
Headers = Dict[str, str]
