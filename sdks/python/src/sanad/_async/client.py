"""The merchant API and the checkout API for one API key."""

from types import TracebackType
from typing import Awaitable, Callable, Optional, Type

import httpx

from .._settings import Settings
from .calls import AsyncCaller, AsyncTokenCache
from .checkout import AsyncOrderCheckout
from .resources import AsyncCheckouts, AsyncIntents, AsyncLinks, AsyncWallets


class AsyncSanad:
    """Make one for the process: its calls share a token and connections.

    - `base_url`: where the service is: `https://pay.example.com`, with or without `/api/v1/merchant`.
    - `client_secret`: keep it on your server only.
    - `cache`: keeps the token for several processes.
    - `client`: your own client of httpx, for a proxy; it is not closed with this one.
    - `timeout`: seconds for one attempt, its answer included.
    - `max_retries`: how often a failed request is sent again, where that is safe. 0: never.
    - `max_retry_wait`: the longest wait in seconds before a retry. A longer `Retry-After` is raised at once.
    - `now`, `sleep`: the time in seconds, and a wait. For tests.
    """

    def __init__(
        self,
        base_url: str,
        client_id: str,
        client_secret: str,
        *,
        cache: Optional[AsyncTokenCache] = None,
        client: Optional[httpx.AsyncClient] = None,
        timeout: float = 30.0,
        max_retries: int = 3,
        max_retry_wait: float = 60.0,
        now: Optional[Callable[[], float]] = None,
        sleep: Optional[Callable[[float], Awaitable[None]]] = None,
    ) -> None:
        settings = Settings(base_url, client_id, client_secret, timeout, max_retries, max_retry_wait)
        self._caller = AsyncCaller(settings, cache, client, now, sleep)
        self.wallets = AsyncWallets(self._caller)
        self.intents = AsyncIntents(self._caller)
        #: Your own payment page: one live intent for each order.
        self.checkout = AsyncOrderCheckout(self.intents, self.wallets)
        #: Sanad's payment page.
        self.checkouts = AsyncCheckouts(self._caller)
        self.links = AsyncLinks(self._caller)

    async def aclose(self) -> None:
        await self._caller.aclose()

    async def __aenter__(self) -> "AsyncSanad":
        return self

    async def __aexit__(
        self,
        kind: Optional[Type[BaseException]],
        fault: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        await self.aclose()
