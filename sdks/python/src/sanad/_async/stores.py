"""What `checkout.start` keeps for each order: a table of your database with order id, version and record."""

import json
from typing import Dict, Optional, Protocol, cast

from .._started import CheckoutRecord


class AsyncCheckoutStore(Protocol):
    async def get(self, order_id: str) -> Optional[CheckoutRecord]: ...

    async def set(self, order_id: str, record: CheckoutRecord) -> bool:
        """Stores the record if no other call was faster: version 1 only if the order has no record, any other version only if the
        stored version is the one before. Returns whether it was stored.
        """
        ...


class AsyncMemoryStore:
    """A store in memory, for tests and for a first try."""

    def __init__(self) -> None:
        self._records: Dict[str, str] = {}

    async def get(self, order_id: str) -> Optional[CheckoutRecord]:
        text = self._records.get(order_id)
        return None if text is None else cast(CheckoutRecord, json.loads(text))

    async def set(self, order_id: str, record: CheckoutRecord) -> bool:
        text = json.dumps(record)
        if record["version"] == 1:
            # One step, also for several threads.
            return self._records.setdefault(order_id, text) is text
        stored = self._records.get(order_id)
        if stored is None or json.loads(stored)["version"] != record["version"] - 1:
            return False
        self._records[order_id] = text
        return True
