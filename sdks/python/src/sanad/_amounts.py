"""Amounts as texts and as whole numbers of the smallest unit. Exact: no amount passes through a floating-point number."""

import re
from typing import Any, Mapping, Optional, Sequence

_usual = re.compile(r"\s*\+?([0-9]{1,12})(?:\.([0-9]{0,2}))?\s*")


def decimal(minor: int) -> str:
    digits = str(minor).rjust(3, "0")
    return f"{digits[:-2]}.{digits[-2:]}"


def minor_of(text: object) -> Optional[int]:
    """None: it is missing, or written in a way that only the service reads, such as `1e3`."""
    found = _usual.fullmatch(text) if isinstance(text, str) else None
    return None if found is None else int(found[1] + (found[2] or "").ljust(2, "0"))


def total_of(amount: Optional[str], items: Optional[Sequence[Mapping[str, Any]]]) -> Optional[int]:
    """What an order asks for: the sum of its lines, or else its amount. None: it cannot be told."""
    if not items:
        return minor_of(amount)
    total = 0
    for item in items:
        price, quantity = minor_of(item.get("price")), item.get("quantity", 1)
        if price is None or not isinstance(quantity, int) or isinstance(quantity, bool):
            return None
        total += price * quantity
    return total
