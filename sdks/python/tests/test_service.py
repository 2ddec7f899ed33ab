"""The SDK against the service that sdks/test/python-sdk.test.ts has started."""

import os
from typing import Any, List

import anyio
import httpx
import pytest

from sanad import AsyncMemoryStore, AsyncSanad, MemoryStore, Sanad, SanadError, StartedCheckout

KEY = (os.environ["SANAD_URL"], os.environ["SANAD_CLIENT_ID"], os.environ["SANAD_CLIENT_SECRET"])
WALLET = os.environ["SANAD_WALLET"]
TEST_WALLET = os.environ["SANAD_TEST_WALLET"]


def control(what: str, **facts: Any) -> None:
    """What a test does beside the SDK: money arrives, time passes."""
    answer = httpx.post(f"{os.environ['SANAD_CONTROL']}/{what}", json=facts, timeout=30)
    assert answer.text == "done"


def test_a_payment_on_your_own_page() -> None:
    with Sanad(*KEY) as sanad:
        assert WALLET in [wallet["id"] for wallet in sanad.wallets.list()]
        assert [wallet["id"] for wallet in sanad.wallets.list(include_test=True) if wallet["is_test"]] == [TEST_WALLET]
        intent = sanad.intents.create({"wallet": WALLET, "amount": "1500"}, idempotency_key="python-key-1")
        assert intent["base_amount"] == "1500.00"
        again = sanad.intents.create({"wallet": WALLET, "amount": "1500"}, idempotency_key="python-key-1")
        assert again["id"] == intent["id"]
        assert sanad.intents.attach_reference(intent["id"], "650700000001")["status"] == "PENDING"
        control("pay", amount="1500.00", reference="650700000001")
        assert sanad.intents.wait(intent["id"], timeout=20)["status"] == "VERIFIED"
        assert sanad.intents.attach_reference(intent["id"], " 650700000001")["status"] == "VERIFIED", "safe to repeat"
        with pytest.raises(SanadError) as found:
            sanad.intents.attach_reference(intent["id"], "650700000002")
        assert found.value.has("intent_not_pending") and found.value.request_id


def test_every_wrong_field_is_named() -> None:
    body: Any = {"wallet": "no-wallet", "amount": "0.001", "order": "A-1"}
    with Sanad(*KEY) as sanad, pytest.raises(SanadError) as found:
        sanad.intents.create(body)
    assert found.value.status == 400
    assert [one["attr"] for one in found.value.errors] == ["wallet", "amount"]
    assert found.value.ignored == ["order"]


def test_checkouts_and_links() -> None:
    with Sanad(*KEY) as sanad:
        made = sanad.checkouts.create(
            {"amount": "300.00", "external_order_id": "PY-2", "metadata": {}}, idempotency_key="python-key-2"
        )
        assert "/pay/" in made["url"]
        assert [sanad.checkouts.cancel(made["id"])["status"] for _ in range(2)] == ["CANCELLED", "CANCELLED"]
        assert [one["id"] for one in sanad.checkouts.list({"external_order_id": "PY-2"})] == [made["id"]]
        assert sanad.checkouts.page({"status": ["CANCELLED"], "external_order_id": "PY-2"})["count"] == 1
        link = sanad.links.create({"amount": "250.00", "metadata": {"mark": "python"}})
        assert sanad.links.retrieve(link["id"])["active"]
        assert not sanad.links.update(link["id"], {"active": False})["active"]
        marked = [one for one in sanad.links.list({"page_size": 1}) if one["metadata"].get("mark") == "python"]
        assert len(marked) == 1 and sanad.links.page()["count"] > 0


def test_start_keeps_one_live_intent_and_asks_nobody_twice() -> None:
    with Sanad(*KEY) as sanad:
        store = MemoryStore()

        def start(amount: str = "70.00", again: bool = False) -> StartedCheckout:
            return sanad.checkout.start("PY-3", WALLET, store, amount=amount, again=again)

        first = start()
        assert (first.state, first.attempt, first.asked, first.paid) == ("pay", 1, "70.00", "0.00")
        assert start("70").intent["id"] == first.intent["id"]
        assert start("80.00").intent["id"] != first.intent["id"]
        control("advance", ms=3_600_000)
        third = start("80.00")
        assert third.attempt == 3
        sanad.intents.attach_reference(third.intent["id"], "650700000010")
        assert start("80.00").state == "checking"
        control("pay", amount="75.00", reference="650700000010")
        wrong = start("80.00")
        assert (wrong.state, wrong.intent["paid_amount"]) == ("wrong_amount", "75.00")
        fourth = start("80.00", again=True)
        assert (fourth.state, fourth.attempt) == ("pay", 4)
        sanad.intents.attach_reference(fourth.intent["id"], "650700000011")
        control("pay", amount="80.00", reference="650700000011")
        paid = sanad.checkout.start("PY-3", WALLET, MemoryStore(), amount="90.00")
        assert (paid.state, paid.attempt, paid.asked, paid.paid) == ("paid", 0, "90.00", "80.00")


def test_test_money_pays_no_real_order() -> None:
    with Sanad(*KEY) as sanad:
        test = sanad.checkout.start("PY-4", TEST_WALLET, MemoryStore(), amount="60.00")
        sanad.intents.attach_reference(test.intent["id"], "TEST-PY-4")
        control("pay", amount="60.00", reference="TEST-PY-4", test=True)
        assert sanad.checkout.start("PY-4", TEST_WALLET, MemoryStore(), amount="60.00").state == "paid"
        assert sanad.checkout.start("PY-4", WALLET, MemoryStore(), amount="60.00").state == "pay"


def test_the_same_with_async() -> None:
    async def main() -> None:
        async with AsyncSanad(*KEY) as sanad:
            store = AsyncMemoryStore()
            started: List[StartedCheckout] = []

            async def start() -> None:
                started.append(await sanad.checkout.start("PY-5", WALLET, store, amount="40.00"))

            async with anyio.create_task_group() as group:
                for _ in range(4):
                    group.start_soon(start)
            assert len({one.intent["id"] for one in started}) == 1
            assert [one["id"] async for one in sanad.intents.list({"external_order_id": "PY-5"})] == [
                started[0].intent["id"]
            ]
            with pytest.raises(SanadError):
                await sanad.intents.retrieve("no-id")

    anyio.run(main)
