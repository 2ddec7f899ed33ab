"""What the intents of one order say about it: is it paid, is a payment being looked for, did another amount arrive. Pure."""

from typing import Any, List, Mapping, Sequence, Tuple

from ._amounts import decimal, minor_of
from ._times import microseconds_of
from .api import Intent


def is_relevant(intent: Intent) -> bool:
    """Whether the intent can say anything about its order. One that ended without money cannot."""
    return intent["status"] not in ("EXPIRED", "CANCELLED")


def payments_of(intents: Sequence[Intent]) -> List[Intent]:
    """The payments of the order, the earliest first, so that repeated calls name the same one."""

    def place(intent: Intent) -> Tuple[int, str]:
        verified_at = intent["verified_at"]
        return (0 if verified_at is None else microseconds_of(verified_at), intent["id"])

    return sorted((intent for intent in intents if intent["status"] == "VERIFIED"), key=place)


def sum_of(payments: Sequence[Intent]) -> str:
    """What the payments add up to, in the amounts of the order: on a wallet with unique amounts `payable_amount` differs."""
    return decimal(sum(minor_of(intent["base_amount"]) or 0 for intent in payments))


def is_checking(intent: Intent) -> bool:
    """An intent whose reference is attached: its payment is being looked for."""
    return intent["status"] == "PENDING" and intent["reference"] != ""


def is_same_request(a: Mapping[str, Any], b: Mapping[str, Any]) -> bool:
    """Whether two requests ask for the same money in the same wallet. Notes do not matter, nor how an amount is written."""
    if str(a["wallet"]).lower() != str(b["wallet"]).lower():
        return False
    if a.get("items") or b.get("items"):
        return bool(a.get("items") == b.get("items"))

    def amount_of(request: Mapping[str, Any]) -> object:
        amount = request.get("amount")
        minor = minor_of(amount)
        return amount if minor is None else minor

    return amount_of(a) == amount_of(b)
