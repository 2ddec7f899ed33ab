"""One live intent for each order.

Before anything is sent, the attempt is stored: its number, its idempotency key and its body. So a request whose answer was lost is
repeated with the same key, a second call finds the first, and after expiry a new attempt gets a new key.

Nobody is asked to pay before all intents of the order were read: of earlier attempts, of another server, of a store that was lost, and
those that a user made by booking or accepting money. If one of them is VERIFIED, the order is paid.

Keys are random, not made from the order number: two shops of one account may have the same numbers.
"""

import uuid
from typing import Any, Dict, List, Optional, Sequence, Set, Tuple, cast

from .._amounts import decimal, total_of
from .._arguments import order_id_of, require_text_amounts
from .._order_payments import is_checking, is_relevant, is_same_request, payments_of, sum_of
from .._started import CheckoutRecord, CheckoutState, StartedCheckout
from ..api import CreateIntent, Intent, NewItem
from .resources import AsyncIntents, AsyncWallets
from .stores import AsyncCheckoutStore

# How many rounds may be lost to concurrent calls. Each lost round means that another call made progress.
_MOST_ROUNDS = 10
# So many wrong amounts of an order can be answered with `again`.
_MOST_DECIDED = 100


class AsyncOrderCheckout:
    """Your own payment page: one live intent for each order."""

    def __init__(self, intents: AsyncIntents, wallets: AsyncWallets) -> None:
        self._intents = intents
        self._wallets = wallets

    async def start(
        self,
        order_id: str,
        wallet: str,
        store: AsyncCheckoutStore,
        *,
        amount: Optional[str] = None,
        items: Optional[Sequence[NewItem]] = None,
        notes: Optional[str] = None,
        again: bool = False,
        ignore: Sequence[str] = (),
    ) -> StartedCheckout:
        """The live intent of the order; a new one when there is none. Safe to call at any time.

        Once any intent of the order is VERIFIED, whoever made it, the state is `paid`. Each call reads the list of the order's intents:
        a key has 60 lists a minute. To follow one payment use `intents.retrieve`.

        - `order_id`: your order number, at most 128 characters. No other order of the account may have it: see `ignore`.
        - `amount`: such as "1500.00". Or `items`.
        - `again`: after `wrong_amount`: ask for the whole amount once more.
        - `ignore`: if the number was used before, on purpose: the ids of the intents that paid the earlier orders.
        """
        stored = order_id_of(order_id)
        own = {"wallet": wallet, "amount": amount, "items": items, "external_order_id": order_id, "notes": notes}
        request = {name: value for name, value in own.items() if value is not None}
        require_text_amounts(request, ["amount"])
        total = total_of(amount, items)
        asked = None if total is None else decimal(total)

        # None: to be read, or to be read again.
        order: Optional[Tuple[List[Intent], Set[str]]] = None
        for _ in range(_MOST_ROUNDS):
            record = await store.get(order_id)
            _require_own(record, stored)
            if order is None:
                order = await self._read_order(stored)
            relevant, ended = order
            id = None if record is None else record["intentId"]
            if id is not None and id not in ended and not any(intent["id"] == id for intent in relevant):
                # Created after the others were read, by another server.
                _add(order, await self._intents.retrieve(id))
            counted = await self._counted_intents(wallet, ignore, relevant)
            payments = payments_of(counted)
            attempt = 0 if record is None else record["attempt"]

            def answer(state: CheckoutState, intent: Intent) -> StartedCheckout:
                return StartedCheckout(state, intent, attempt, asked, sum_of(payments))

            if payments:
                return answer("paid", payments[0])
            checking = [intent for intent in counted if is_checking(intent)]
            if checking:
                return answer("checking", checking[-1])
            decided_before = [] if record is None else record.get("decided", [])
            undecided = [
                intent for intent in counted if intent["status"] == "WRONG_AMOUNT" and intent["id"] not in decided_before
            ]
            if undecided and not again:
                return answer("wrong_amount", undecided[-1])
            decided = [*decided_before, *(intent["id"] for intent in undecided)][-_MOST_DECIDED:]

            if record is not None and is_same_request(record["request"], request):
                live = next((intent for intent in counted if intent["id"] == id), None)
                if live is not None and live["status"] == "PENDING":
                    if not undecided:
                        return answer("pay", live)
                    # The shop has decided about the wrong amount of another attempt: this one continues.
                    await store.set(order_id, _changed(record, {"decided": decided}))
                    continue
                if id is None and not undecided:
                    created = await self._intents.create(
                        cast(CreateIntent, record["request"]), idempotency_key=record["idempotencyKey"]
                    )
                    await store.set(order_id, _changed(record, {"intentId": created["id"]}))
                    # If the order has other intents, one of them may have been paid while this one was created.
                    is_first = not relevant and not ended
                    order = ([created], set()) if is_first and is_relevant(created) else None
                    continue
            # There is no attempt, it has ended, or the buyer has chosen another wallet or amount.
            new: CheckoutRecord = {
                "version": 1 if record is None else record["version"] + 1,
                "attempt": attempt + 1,
                "idempotencyKey": str(uuid.uuid4()),
                "request": request,
                "intentId": None,
                "decided": decided,
            }
            if not await store.set(order_id, new):
                order = None
        raise RuntimeError(f"The store never kept a record of order {order_id}: does its set() compare versions?")

    async def _read_order(self, stored: str) -> Tuple[List[Intent], Set[str]]:
        """All intents of the order that can say something about it, and the ids of those that ended without money. Every status is
        read: while intents leave a status, its pages change and one could be missed.
        """
        order: Tuple[List[Intent], Set[str]] = ([], set())
        async for intent in self._intents.list(
            {"external_order_id": stored, "ordering": "created_at", "page_size": 100}
        ):
            if intent["external_order_id"] == stored:
                _add(order, intent)
        return order

    async def _counted_intents(self, wallet: str, ignore: Sequence[str], intents: Sequence[Intent]) -> List[Intent]:
        """The intents that count for this call. Test money pays no order that is to be paid with real money; and `ignore` names those
        that paid another order with the same number.
        """
        counted = [intent for intent in intents if intent["id"] not in ignore]
        real = [intent for intent in counted if not intent["wallet"]["is_test"]]
        if len(real) == len(counted):
            return counted
        id = wallet.lower()
        for intent in counted:
            if intent["wallet"]["id"] == id:
                return counted if intent["wallet"]["is_test"] else real
        for offered in await self._wallets.list(include_test=True):
            if offered["id"] == id:
                return counted if offered["is_test"] else real
        return real


def _add(order: Tuple[List[Intent], Set[str]], intent: Intent) -> None:
    relevant, ended = order
    if is_relevant(intent):
        relevant.append(intent)
    else:
        ended.add(intent["id"])


def _changed(record: CheckoutRecord, changes: Dict[str, Any]) -> CheckoutRecord:
    return cast(CheckoutRecord, {**record, **changes, "version": record["version"] + 1})


def _require_own(record: Optional[CheckoutRecord], stored: str) -> None:
    known = stored if record is None else order_id_of(record["request"].get("external_order_id"))
    if known != stored:
        raise RuntimeError(f"The store has the record of another order for {stored}: does it compare order numbers exactly?")
