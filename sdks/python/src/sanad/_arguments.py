"""Checks the arguments of a call before anything is sent: amounts that are not texts, keys and ids of the wrong form."""

import re
from typing import Any, Dict, Mapping, Sequence
from urllib.parse import quote

# What the service removes from both ends of a text.
_BLANKS = "\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
_key = re.compile(r"[\x21-\x7e]{1,128}")


def require_text_amounts(body: Mapping[str, Any], names: Sequence[str]) -> None:
    """Amounts are texts: a number is not exact."""
    for name in names:
        _require_text(name, body.get(name))
    items = body.get("items")
    if isinstance(items, (list, tuple)):
        for index, item in enumerate(items):
            if isinstance(item, Mapping):
                _require_text(f"items.{index}.price", item.get("price"))


def _require_text(name: str, value: object) -> None:
    if value is not None and not isinstance(value, str):
        raise TypeError(f'{name} must be a string such as "1500.00": a number is not exact.')


def order_id_of(order_id: object) -> str:
    """The order number as the service stores it. A blank one is refused: a list filtered by it would contain every order."""
    text = order_id.strip(_BLANKS) if isinstance(order_id, str) else ""
    if text == "":
        raise ValueError("order_id must be your order number, as a text.")
    return text


def key_header(key: object) -> Dict[str, str]:
    if not isinstance(key, str) or _key.fullmatch(key) is None:
        raise ValueError("idempotency_key must be a text of 1 to 128 visible ASCII characters, such as a UUID.")
    return {"service-idempotency-key": key}


def advice_of(kind: str, idempotency_key: str) -> str:
    """What to do when it is not known whether a create was processed."""
    return (
        f"The {kind} may exist all the same: repeat the same call within 24 hours with the idempotency_key "
        f"{idempotency_key}, and there is one {kind}."
    )


def path_of(path: str, id: object, kind: str) -> str:
    """The path of one object."""
    if not isinstance(id, str) or id == "":
        raise ValueError(f"id must be the id of {kind}.")
    return f"{path}{quote(id, safe='')}/"
