"""Receives webhooks in FastAPI, with the SDK. SANAD_WEBHOOK_SECRET=... uvicorn webhook_fastapi:app --port 3000"""
import os
from threading import Lock

from fastapi import FastAPI, Request, Response
from fastapi.concurrency import run_in_threadpool
from sanad import webhooks

app = FastAPI()
# In your shop: update orders set paid_by = $1 where id = $2 and paid_by is null and amount = $3 and currency = $4
ORDERS = {"طلبية-1": "1500.00", "ORDER-1042": "9500.00"}
paid_by = {}
TEST_MODE = os.environ.get("SANAD_TEST_MODE") == "1"
lock = Lock()


def mark_paid(event):
    order, intent, amount = event.get("order_id"), event.get("intent_id"), event.get("base_amount")
    if not isinstance(order, str) or not isinstance(intent, str):
        return "An event names no order: ask a user"
    due = "1500.00" if order.startswith("TRY-") else ORDERS.get(order)  # quick-start.py makes orders named TRY-...
    if due is None:
        return f"Order {order} is not known: ask a user"
    if amount != due or event.get("currency") != "YER":
        return f"Order {order} is not paid: {amount} {event.get('currency')} for {due} YER, ask a user"
    with lock:
        before = paid_by.get(order)
        if before is None:
            paid_by[order] = intent
    if before is None:
        return f"Order {order} is paid: {amount}"
    # The same intent is the same payment, reported once more.
    return "" if before == intent else f"Order {order} was paid twice: {before} and {intent}"


def on_event(event, delivery):
    # Events of the test wallet and test sends are signed as well, but no money arrived: they count in test mode only.
    if event["event"] == "payment.verified" and (TEST_MODE or not delivery.is_test):
        line = mark_paid(event)
        if line:
            print(line, flush=True)


@app.post("/")
async def sanad(request: Request) -> Response:
    body = b""
    async for part in request.stream():  # The bytes as they arrived; an event has less than 2 KiB.
        body += part
        if len(body) > webhooks.LONGEST_BODY:
            return Response(status_code=400)
    # In a thread: on_event may wait for a database.
    secret = os.environ["SANAD_WEBHOOK_SECRET"]
    return Response(status_code=await run_in_threadpool(webhooks.receive, body, request.headers, secret, on_event))
