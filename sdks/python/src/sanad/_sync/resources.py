# Written from _async/resources.py by `npm run dumps`: do not edit.
"""`sanad.wallets`, `intents`, `checkouts` and `links`. Amounts are texts all the way."""

import uuid
from typing import Iterator, Callable, List, Optional, Sequence, Union, cast

from .._arguments import advice_of, key_header, path_of, require_text_amounts
from .._settings import CHECKOUT, MERCHANT
from ..api import (
    ChangeLink,
    Checkout,
    CheckoutPage,
    CreateCheckout,
    CreateIntent,
    CreateLink,
    Intent,
    IntentPage,
    IntentStatus,
    ListCheckoutsQuery,
    ListIntentsQuery,
    ListLinksQuery,
    PaymentLink,
    PaymentLinkPage,
    Wallet,
)
from ..errors import SanadError, SanadWaitError
from .calls import Caller
from .pages import every, query_of

_FIRST_POLL_S = 2.0
_SLOWEST_POLL_S = 15.0
_INTENTS = f"{MERCHANT}/intents/"
_CHECKOUTS = f"{CHECKOUT}/sessions/"
_LINKS = f"{CHECKOUT}/links/"
_LINK_ADVICE = (
    "The payment link may exist all the same: before you create it again, look for it with links.list(), newest first. "
    'If it is there twice, switch one off with links.update(id, {"active": False}).'
)


class Wallets:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(self, *, include_test: bool = False) -> List[Wallet]:
        """The wallets that can collect money now."""
        params = {"include_test": "1"} if include_test else None
        return cast(List[Wallet], (self._caller.call("GET", f"{MERCHANT}/wallets/", params=params)).body)


class Intents:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def create(self, body: CreateIntent, *, idempotency_key: Optional[str] = None) -> Intent:
        """Amounts are strings: a number raises TypeError. A repeated key gives the intent as it is now.

        `idempotency_key`: one for each attempt at an order, stored before the call: 1 to 128 characters, kept by the service for 24
        hours. Left out, the SDK makes one, which protects its own retries only.
        """
        require_text_amounts(body, ["amount"])
        key = str(uuid.uuid4()) if idempotency_key is None else idempotency_key
        headers, advice = key_header(key), advice_of("intent", key)
        answer = self._caller.call("POST", _INTENTS, body=body, headers=headers, advice=advice)
        intent = cast(Intent, answer.body)
        # A replay is the stored answer: meanwhile the intent may be paid or expired.
        return self.retrieve(intent["id"]) if answer.is_replay else intent

    def retrieve(self, id: str) -> Intent:
        return cast(Intent, (self._caller.call("GET", path_of(_INTENTS, id, "an intent"))).body)

    def attach_reference(self, id: str, reference: str) -> Intent:
        """Safe to repeat: an intent that this very reference has already resolved is returned."""
        if not isinstance(reference, str):
            raise TypeError("reference must be a string: a number can lose digits.")
        path = path_of(_INTENTS, id, "an intent")
        try:
            return cast(Intent, (self._caller.call("PATCH", path, body={"reference": reference})).body)
        except SanadError as fault:
            if not fault.has("intent_not_pending"):
                raise
            # The answer of an earlier attempt may have been lost after it verified the intent.
            intent = self.retrieve(id)
            if intent["status"] in ("VERIFIED", "WRONG_AMOUNT") and intent["reference"] == reference.strip():
                return intent
            raise

    def list(self, filter: ListIntentsQuery = {}) -> Iterator[Intent]:
        """Every intent that the filter finds. In the order of creation each that can be read when the list begins, and that stays in the
        filter, comes once, whatever is added meanwhile.
        """
        return cast(Iterator[Intent], every(self._caller, _INTENTS, filter, True))

    def page(self, filter: ListIntentsQuery = {}) -> IntentPage:
        """One page, with the count of all."""
        return cast(IntentPage, (self._caller.call("GET", _INTENTS, params=query_of(filter))).body)

    def wait(
        self,
        id: str,
        *,
        until: Union[IntentStatus, Sequence[IntentStatus], Callable[[Intent], bool], None] = None,
        timeout: float = 600.0,
    ) -> Intent:
        """Reads the intent every 2 to 15 seconds until it has ended. For commands and jobs: a page must not keep a buyer waiting.

        `until`: a status, several, or a rule. By default any final status, which always ends the wait. Raises SanadWaitError when the
        time is over.
        """
        end = self._caller.now() + timeout
        pause = _FIRST_POLL_S
        while True:
            intent = self.retrieve(id)
            if callable(until):
                is_reached = until(intent)
            else:
                statuses = [until] if isinstance(until, str) else until or []
                is_reached = intent["status"] in statuses
            if intent["status"] != "PENDING" or is_reached:
                return intent
            remaining = end - self._caller.now()
            if remaining <= 0:
                raise SanadWaitError(intent, timeout)
            self._caller.sleep(min(pause, remaining))
            pause = min(_SLOWEST_POLL_S, pause * 1.5)


class Checkouts:
    """Pages of Sanad on which a buyer pays one order."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def create(self, body: CreateCheckout, *, idempotency_key: Optional[str] = None) -> Checkout:
        """Send the buyer to its `url`. Amounts are strings. A repeated key gives the checkout as it is now."""
        require_text_amounts(body, ["amount"])
        key = str(uuid.uuid4()) if idempotency_key is None else idempotency_key
        headers, advice = key_header(key), advice_of("checkout", key)
        answer = self._caller.call("POST", _CHECKOUTS, body=body, headers=headers, advice=advice)
        checkout = cast(Checkout, answer.body)
        # A replay is the stored answer: meanwhile the checkout may be paid or expired.
        return self.retrieve(checkout["id"]) if answer.is_replay else checkout

    def retrieve(self, id: str) -> Checkout:
        return cast(Checkout, (self._caller.call("GET", path_of(_CHECKOUTS, id, "a checkout"))).body)

    def list(self, filter: ListCheckoutsQuery = {}) -> Iterator[Checkout]:
        """Every checkout that the filter finds, as `intents.list` does."""
        return cast(Iterator[Checkout], every(self._caller, _CHECKOUTS, filter, True))

    def page(self, filter: ListCheckoutsQuery = {}) -> CheckoutPage:
        """One page, with the count of all."""
        return cast(CheckoutPage, (self._caller.call("GET", _CHECKOUTS, params=query_of(filter))).body)

    def cancel(self, id: str) -> Checkout:
        """Ends it while it is OPEN. Safe to repeat: one that is CANCELLED is returned."""
        path = path_of(_CHECKOUTS, id, "a checkout")
        try:
            return cast(Checkout, (self._caller.call("POST", f"{path}cancel/")).body)
        except SanadError as fault:
            if not fault.has("checkout_not_open"):
                raise
            # The answer of an earlier attempt may have been lost.
            checkout = self.retrieve(id)
            if checkout["status"] == "CANCELLED":
                return checkout
            raise


class Links:
    """Links to share. Each buyer who goes on to pay gets a checkout of their own."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def create(self, body: CreateLink) -> PaymentLink:
        """Not sent again after a lost answer: the service keeps no key for links. The link may exist then: look for it with `list`, by a
        mark of your own in `metadata`, before you create it again.
        """
        require_text_amounts(body, ["amount", "min_amount", "max_amount"])
        answer = self._caller.call("POST", _LINKS, body=body, is_repeatable=False, advice=_LINK_ADVICE)
        return cast(PaymentLink, answer.body)

    def retrieve(self, id: str) -> PaymentLink:
        return cast(PaymentLink, (self._caller.call("GET", path_of(_LINKS, id, "a payment link"))).body)

    def list(self, options: ListLinksQuery = {}) -> Iterator[PaymentLink]:
        """Every link, newest first."""
        # An account has 1000 links at most: all ids are remembered.
        return cast(Iterator[PaymentLink], every(self._caller, _LINKS, options, False))

    def page(self, options: ListLinksQuery = {}) -> PaymentLinkPage:
        """One page, with the count of all."""
        return cast(PaymentLinkPage, (self._caller.call("GET", _LINKS, params=query_of(options))).body)

    def update(self, id: str, changes: ChangeLink) -> PaymentLink:
        """Switches a link off or on."""
        path = path_of(_LINKS, id, "a payment link")
        return cast(PaymentLink, (self._caller.call("PATCH", path, body=changes)).body)
