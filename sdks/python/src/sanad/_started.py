"""What `checkout.start` keeps, and what it returns."""

from typing import Any, Dict, List, Literal, NamedTuple, Optional, TypedDict

from .api import Intent


class _CheckoutRecord(TypedDict):
    #: 1 when the record is first stored, then one more each time.
    version: int
    attempt: int
    idempotencyKey: str
    request: Dict[str, Any]
    #: None until the answer is known.
    intentId: Optional[str]


class CheckoutRecord(_CheckoutRecord, total=False):
    """What the store keeps for an order: JSON, the same in every language. Only the SDK reads it."""

    #: Intents in which another amount arrived, and after which the shop asked once more.
    decided: List[str]


#: - `pay`: show the wallet and the amount.
#: - `checking`: the reference is attached, the payment has not been seen yet.
#: - `paid`: an intent of the order is VERIFIED. Compare `paid` with `asked`.
#: - `wrong_amount`: another amount arrived (`paid_amount`). A user of the shop decides.
CheckoutState = Literal["pay", "checking", "paid", "wrong_amount"]


class StartedCheckout(NamedTuple):
    """What `checkout.start` found or made."""

    state: CheckoutState
    #: The intent to show; of a paid order, the one that was verified first.
    intent: Intent
    #: The number of the attempt in the store; 0: the store has none.
    attempt: int
    #: What this call asks for, such as "1500.00". None: it is written in a way that only the service reads.
    asked: Optional[str]
    #: What the VERIFIED intents of the order add up to: "0.00" unless the state is `paid`.
    paid: str
