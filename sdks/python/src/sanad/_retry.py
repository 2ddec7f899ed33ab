"""Decides whether a failed request is sent again, and after which wait. Pure."""

import math
import re
from datetime import timezone
from email.utils import parsedate_to_datetime
from typing import Optional, Union

from .errors import SanadConnectionError, SanadError

_FIRST_S = 0.5
_LONGEST_S = 8.0
# 408, 502 and 504 come from proxies. 401 is not among them: the caller renews the token.
_RETRIED = frozenset({408, 409, 429, 500, 502, 503, 504})


def retry_after_seconds(header: Optional[str], now: float) -> Optional[float]:
    """`Retry-After` in seconds: a whole number or a date."""
    text = (header or "").strip()
    if re.fullmatch(r"[0-9]{1,9}", text):
        return float(text)
    if not text.endswith(" GMT"):
        return None
    try:
        at = parsedate_to_datetime(text).replace(tzinfo=timezone.utc)
    except (TypeError, ValueError):
        return None
    return float(max(0, math.ceil(at.timestamp() - now)))


def retry_wait(
    fault: Union[SanadError, SanadConnectionError],
    *,
    attempt: int,
    max_retries: int,
    max_retry_wait: float,
    random: float,
    is_repeatable: bool,
) -> Optional[float]:
    """The wait in seconds before the request is sent again; None: it is not sent again. `attempt` counts from 1.

    All but one of the SDK's requests are safe to repeat: reads, the attachment of a reference, a token, and a create with its
    key. The exception is a new payment link, which has no key: it is repeated only after a 429, because a 429 has created
    nothing.
    """
    # Without a status there was no answer at all.
    is_retryable = fault.status is None or fault.status in _RETRIED
    if attempt > max_retries or not is_retryable:
        return None
    if not is_repeatable and not (isinstance(fault, SanadError) and fault.status == 429):
        return None
    # Half of it is random: servers that failed together must not come back together.
    backoff: float = min(_LONGEST_S, _FIRST_S * 2 ** (attempt - 1)) * (0.5 + random / 2)
    retry_after = (fault.retry_after or 0.0) if isinstance(fault, SanadError) else 0.0
    # A daily limit can ask for a wait of hours: the caller gets the error instead.
    if retry_after > max_retry_wait:
        return None
    return min(max_retry_wait, backoff if retry_after == 0 else retry_after + backoff / 4)
