"""Verifies webhooks: signed with the endpoint's secret, recent, and an event."""

import hashlib
import hmac
import json
import logging
import math
import re
import time
from typing import Callable, List, Mapping, NamedTuple, NoReturn, Optional, Sequence, Tuple, Union, cast

from .api import WebhookEvent
from .errors import WebhookError

__all__ = ["Delivery", "delivery_of", "receive", "sign", "verify"]

#: Far above the size of an event, which has less than 2 KiB.
LONGEST_BODY = 1024 * 1024
# Sanad signs with at most two secrets. A forged header must not cost much more than that.
_LONGEST_HEADER = 2048
_log = logging.getLogger("sanad")


class Delivery(NamedTuple):
    """The headers of a delivery. `""` where one is missing."""

    #: The same for every repetition of an event.
    event_id: str
    delivery_id: str
    attempt: str
    #: No money arrived: an event of the test wallet, or made up by the dashboard or by `sanad trigger`.
    is_test: bool


def verify(
    raw_body: Union[bytes, str],
    header: Union[str, Sequence[str], None],
    secret: Union[str, Sequence[str]],
    *,
    tolerance: float = 300.0,
    now: Optional[float] = None,
) -> WebhookEvent:
    """Verifies that a webhook comes from Sanad and is recent, and returns its event.

    A kind that this version does not know is returned as well, so that a new one breaks nobody: have an `else`.

    - `raw_body`: the body exactly as it arrived, before any JSON parsing.
    - `header`: the value of `X-Service-Signature`.
    - `secret`: the endpoint's secret, or several while you change from one to another.
    - `tolerance`: how many seconds the signature's time may differ from this machine's clock; `math.inf`: any.

    Raises WebhookError (the request is not genuine, not fresh, or not an event: answer 400), TypeError or ValueError (it was called
    wrongly: answer 500).
    """
    body = _bytes_of(raw_body)
    secrets = _secrets_of(secret)
    # NaN is neither too old nor too new: it would disable the check.
    if not tolerance >= 0:
        raise ValueError("tolerance must be a number of seconds, 0 or more.")
    at = time.time() if now is None else now
    if not math.isfinite(at):
        raise ValueError("now must be a time in seconds.")
    t, signatures = _read_header(header)
    # Every pair is compared completely: the time reveals nothing about how close a guess was.
    matches = 0
    for one in secrets:
        ours = hmac.new(one.encode(), t.encode() + b"." + body, hashlib.sha256).digest()
        for theirs in signatures:
            matches += hmac.compare_digest(ours, theirs)
    if matches == 0:
        raise WebhookError(
            "no_match",
            "No signature matches: the secret is not this endpoint's, or the body is not, byte for byte, the one that was sent.",
        )
    age = at - int(t)
    if age > tolerance:
        raise WebhookError("too_old", f"The signature is {age:.0f} s old; {tolerance:g} s are allowed.")
    # Sanad does not sign ahead of time, so this clock is slow.
    if -age > tolerance:
        raise WebhookError(
            "too_new",
            f"The signature is dated {-age:.0f} s ahead of this machine's clock; {tolerance:g} s are allowed.",
        )
    return _event_of(body)


def receive(
    raw_body: Union[bytes, str],
    headers: Mapping[str, str],
    secret: Union[str, Sequence[str]],
    on_event: Callable[[WebhookEvent, Delivery], object],
    *,
    on_error: Optional[Callable[[Exception], object]] = None,
    tolerance: float = 300.0,
    now: Optional[float] = None,
) -> int:
    """Verifies a webhook, hands it to `on_event`, and returns the status to answer with.

    204: handled. 400: not a genuine delivery. 500: this server failed, and Sanad sends the event again. `on_error` gets every refused or
    failed delivery; by default it is one line in the log "sanad".
    """
    try:
        if len(raw_body) > LONGEST_BODY:
            raise WebhookError("malformed_body", "The body is larger than any event.")
        given = {name.lower(): value for name, value in headers.items()}
        event = verify(raw_body, given.get("x-service-signature"), secret, tolerance=tolerance, now=now)
        on_event(event, delivery_of(given, event))
        return 204
    except Exception as fault:
        if on_error is None:
            _log.warning("Sanad webhook: %s", fault, exc_info=not isinstance(fault, WebhookError))
        else:
            on_error(fault)
        return 400 if isinstance(fault, WebhookError) else 500


def delivery_of(headers: Mapping[str, str], event: WebhookEvent) -> Delivery:
    """`headers`: their names in small letters."""
    return Delivery(
        event_id=headers.get("x-service-event-id", ""),
        delivery_id=headers.get("x-service-delivery-id", ""),
        attempt=headers.get("x-service-attempt", ""),
        is_test=headers.get("x-service-test", "") != "" or cast("Mapping[str, object]", event).get("is_test") is True,
    )


def sign(raw_body: Union[bytes, str], secret: str, *, now: Optional[float] = None) -> str:
    """The value of `X-Service-Signature` for a body, as Sanad signs it: for your own tests."""
    t = str(int(time.time() if now is None else now))
    signed = t.encode() + b"." + _bytes_of(raw_body)
    return f"t={t},v1={hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()}"


def _bytes_of(raw_body: object) -> bytes:
    if isinstance(raw_body, str):
        return raw_body.encode()
    if isinstance(raw_body, (bytes, bytearray, memoryview)):
        return bytes(raw_body)
    raise TypeError(
        "raw_body must be the body as it arrived, text or bytes: parsed and written again, JSON is no longer what was signed."
    )


def _secrets_of(secret: object) -> List[str]:
    given = list(secret) if isinstance(secret, (list, tuple)) else [secret]
    secrets = [one for one in given if isinstance(one, str) and one != ""]
    # An unset variable must not become a key that everybody knows.
    if not secrets or len(secrets) < len(given):
        raise TypeError("secret must be the endpoint's signing secret, or a list of them; it is empty or not text.")
    return secrets


def _malformed(why: str) -> NoReturn:
    raise WebhookError("malformed_header", f"X-Service-Signature is not of the form t=<unix-ts>,v1=<hex>: {why}.")


def _read_header(header: Union[str, Sequence[str], None]) -> Tuple[str, List[bytes]]:
    """`t=<unix seconds>,v1=<hex>`, with a second `v1` while a secret is being rotated. Other schemes than `v1` are ignored, so that one
    can be added later. `t` is returned exactly as it was written, because these characters were signed.
    """
    values = [header or ""] if header is None or isinstance(header, str) else list(header)
    text = values[0].strip() if values else ""
    if text == "":
        raise WebhookError("missing_header", "The request has no X-Service-Signature header: it does not come from Sanad.")
    if len(values) > 1:
        _malformed("it was sent more than once")
    if len(text) > _LONGEST_HEADER:
        _malformed("it is too long")
    t: Optional[str] = None
    signatures: List[bytes] = []
    for part in text.split(","):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if equals == "":
            _malformed('one part has no "="')
        if name == "t":
            if t is not None:
                _malformed("it has two times")
            if re.fullmatch("[0-9]{1,12}", value) is None:
                _malformed("its time is not a whole number of seconds")
            t = value
        elif name == "v1":
            if re.fullmatch("[0-9a-fA-F]{64}", value) is None:
                _malformed("a v1 is not 64 hexadecimal digits")
            signatures.append(bytes.fromhex(value))
    if t is None:
        _malformed("it has no time")
    if not signatures:
        _malformed("it has no v1")
    return t, signatures


def _event_of(body: bytes) -> WebhookEvent:
    try:
        event = json.loads(body.decode("utf-8"))
    except (ValueError, RecursionError) as fault:
        raise WebhookError("malformed_body", "The body is signed correctly, but it is not JSON in UTF-8.") from fault
    if not isinstance(event, dict) or not isinstance(event.get("event"), str):
        raise WebhookError("malformed_body", "The body is signed correctly, but it is not an event: it has no kind.")
    return cast(WebhookEvent, event)
