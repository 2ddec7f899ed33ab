# Written from _async/calls.py by `npm run dumps`: do not edit.
"""Authenticated calls with one API key: token, retries, and every failure as one of the errors of the SDK."""

import os
import random
import threading
import time
from typing import Any, Callable, Mapping, Optional, Protocol, Tuple

import httpx

from .._retry import retry_wait
from .._settings import MERCHANT, MOST_BYTES, Answer, Headers, Settings, no_answer, not_sanad, read_answer, text_of_body
from ..errors import SanadConnectionError, SanadError

_MARGIN_S = 60.0


class TokenCache(Protocol):
    """A cache that keeps the token for several processes: Django's cache fits the one for programs without async."""

    def get(self, key: str) -> Any: ...

    def set(self, key: str, value: Any, timeout: int) -> Any: ...

    def delete(self, key: str) -> Any: ...


class Caller:
    """Secret and token are no public fields, and not in the text of the object."""

    def __init__(
        self,
        settings: Settings,
        cache: Optional[TokenCache],
        client: Optional[httpx.Client],
        now: Optional[Callable[[], float]],
        sleep: Optional[Callable[[float], object]],
    ) -> None:
        self._settings = settings
        self._cache = cache
        self._own_client = client is None
        self._client = client
        self._process = os.getpid()
        self.now = time.time if now is None else now
        self.sleep = time.sleep if sleep is None else sleep
        self._token: Optional[Tuple[str, float]] = None
        self._renewing = threading.Lock()

    def call(
        self,
        method: str,
        path: str,
        *,
        params: Optional[Mapping[str, str]] = None,
        body: Optional[Mapping[str, Any]] = None,
        headers: Optional[Headers] = None,
        is_repeatable: bool = True,
        advice: Optional[str] = None,
    ) -> Answer:
        sent = dict(headers or {})
        content = None
        if body is not None:
            content = text_of_body(body)
            sent["content-type"] = "application/json"
        renewed = False
        while True:
            token = self._current_token()
            sent["authorization"] = f"Bearer {token}"
            try:
                return self._send(method, path, params, content, sent, is_repeatable, advice)
            except SanadError as fault:
                if renewed or fault.status != 401:
                    raise
            self._forget(token)
            renewed = True

    def close(self) -> None:
        if self._own_client and self._client is not None:
            self._client.close()
            self._client = None

    def _current_token(self) -> str:
        if self._token is not None and self.now() < self._token[1]:
            return self._token[0]
        # One call requests it, the others wait for it.
        with self._renewing:
            if self._token is None or self.now() >= self._token[1]:
                self._token = self._cached() or self._new_token()
            return self._token[0]

    def _new_token(self) -> Tuple[str, float]:
        headers = self._settings.key_headers
        answer = self._send("POST", f"{MERCHANT}/token", None, None, headers, True, None)
        value = answer.body.get("access_token") if isinstance(answer.body, dict) else None
        lifetime = answer.body.get("expires_in") if isinstance(answer.body, dict) else None
        if not isinstance(value, str) or not isinstance(lifetime, (int, float)):
            raise not_sanad(200, None)
        # A short-lived token is used for at least half of its life.
        kept = lifetime - min(_MARGIN_S, lifetime / 2)
        token = (value, self.now() + kept)
        if self._cache is not None:
            try:
                self._cache.set(self._settings.token_name, list(token), max(1, int(kept)))
            except Exception:
                # A cache that is out of order stops no payment: then each process has its own token.
                pass
        return token

    def _cached(self) -> Optional[Tuple[str, float]]:
        if self._cache is None:
            return None
        try:
            found = self._cache.get(self._settings.token_name)
        except Exception:
            return None
        if not isinstance(found, (list, tuple)) or len(found) != 2:
            return None
        value, until = found
        isToken = isinstance(value, str) and isinstance(until, (int, float)) and self.now() < until
        return (value, float(until)) if isToken else None

    def _forget(self, token: str) -> None:
        """Drops the token, if it is still the current one: when many calls are refused, only one of them renews it."""
        if self._token is not None and self._token[0] == token:
            self._token = None
        cached = self._cached()
        if self._cache is not None and cached is not None and cached[0] == token:
            try:
                self._cache.delete(self._settings.token_name)
            except Exception:
                pass

    def _send(
        self,
        method: str,
        path: str,
        params: Optional[Mapping[str, str]],
        content: Optional[bytes],
        headers: Headers,
        is_repeatable: bool,
        advice: Optional[str],
    ) -> Answer:
        attempt = 1
        while True:
            try:
                return self._send_once(method, path, params, content, headers, advice)
            except (SanadError, SanadConnectionError) as fault:
                wait = retry_wait(
                    fault,
                    attempt=attempt,
                    max_retries=self._settings.max_retries,
                    max_retry_wait=self._settings.max_retry_wait,
                    random=random.random(),
                    is_repeatable=is_repeatable,
                )
                if wait is None:
                    raise
            self.sleep(wait)
            attempt += 1

    def _send_once(
        self,
        method: str,
        path: str,
        params: Optional[Mapping[str, str]],
        content: Optional[bytes],
        headers: Headers,
        advice: Optional[str],
    ) -> Answer:
        settings = self._settings
        # The limits of httpx are for each part of the work; this one is for the whole answer.
        end = time.monotonic() + settings.timeout
        received = bytearray()
        try:
            with self._http().stream(
                method,
                f"{settings.base}{path}",
                params=params or None,
                content=content,
                headers=headers,
                timeout=settings.timeout,
                follow_redirects=False,
            ) as answer:
                for part in answer.iter_bytes():
                    received += part
                    if time.monotonic() > end:
                        raise no_answer("timeout", settings, advice)
                    if len(received) > MOST_BYTES:
                        raise not_sanad(answer.status_code, advice)
        except httpx.TimeoutException as fault:
            raise no_answer("timeout", settings, advice) from fault
        except httpx.RequestError as fault:
            raise no_answer("unreachable", settings, advice) from fault
        return read_answer(answer.status_code, answer.headers, bytes(received), self.now(), advice)

    def _http(self) -> httpx.Client:
        # A connection that is shared with the process that forked this one would mix up their answers.
        if self._client is None or (self._own_client and self._process != os.getpid()):
            self._client = httpx.Client()
            self._process = os.getpid()
        return self._client
