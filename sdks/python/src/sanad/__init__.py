"""What a shop's server needs to work with Sanad: a client, payment pages and links, webhooks."""

from . import api, webhooks
from ._async.calls import AsyncTokenCache
from ._async.client import AsyncSanad
from ._async.stores import AsyncCheckoutStore, AsyncMemoryStore
from ._started import CheckoutRecord, CheckoutState, StartedCheckout
from ._sync.calls import TokenCache
from ._sync.client import Sanad
from ._sync.stores import CheckoutStore, MemoryStore
from .errors import SanadConnectionError, SanadError, SanadException, SanadWaitError, WebhookError
from .webhooks import Delivery

__all__ = [
    "AsyncCheckoutStore",
    "AsyncMemoryStore",
    "AsyncSanad",
    "AsyncTokenCache",
    "CheckoutRecord",
    "CheckoutState",
    "CheckoutStore",
    "Delivery",
    "MemoryStore",
    "Sanad",
    "SanadConnectionError",
    "SanadError",
    "SanadException",
    "SanadWaitError",
    "StartedCheckout",
    "TokenCache",
    "WebhookError",
    "api",
    "webhooks",
]
