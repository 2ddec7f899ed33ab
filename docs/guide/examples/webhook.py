"""Receives webhooks with the standard library. SANAD_WEBHOOK_SECRET=... PORT=3000 python3 webhook.py"""
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock

SECRET = os.environ["SANAD_WEBHOOK_SECRET"]
TEST_MODE = os.environ.get("SANAD_TEST_MODE") == "1"
TOLERANCE_S = 300
MOST_BYTES = 1024 * 1024


def verify_webhook(raw_body: bytes, header: str, secret: str) -> dict:
    """Returns the event. Raises ValueError if it is not from Sanad, or older than five minutes."""
    if not secret:
        raise RuntimeError("the signing secret is not set")
    parts = [part.strip().partition("=") for part in header.split(",")]
    times = [value for name, _, value in parts if name == "t"]
    if len(times) != 1 or not (times[0].isascii() and times[0].isdigit()):
        raise ValueError("X-Service-Signature is missing or malformed")
    signed = times[0].encode() + b"." + raw_body
    expected = hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest().encode()
    # Two signatures while the secret is rotated: one of them must match.
    given = [value.encode() for name, _, value in parts if name == "v1"]
    if not any([hmac.compare_digest(expected, one) for one in given]):
        raise ValueError("no signature matches")
    if abs(time.time() - int(times[0])) > TOLERANCE_S:
        raise ValueError("the signature is too old, or this clock is wrong")
    event = json.loads(raw_body)
    if not isinstance(event, dict) or not isinstance(event.get("event"), str):
        raise ValueError("the body is signed, but it is not an event")
    return event


# What an order costs. In your shop: select amount from orders where id = %s, with two decimals, as Sanad writes amounts.
AMOUNTS = {"طلبية-1": "1500.00", "ORDER-1042": "9500.00"}
# In your shop: update orders set paid_by = %s where id = %s and paid_by is null and amount = %s and currency = %s
paid_by: dict[str, str] = {}
lock = Lock()


def mark_paid(event: dict) -> str:
    order, intent, amount, currency = [event.get(name) for name in ("order_id", "intent_id", "base_amount", "currency")]
    if not isinstance(order, str) or not isinstance(intent, str):
        return f"Order {order} is not known: ask a user"
    due = "1500.00" if order.startswith("TRY-") else AMOUNTS.get(order)  # quick-start.ts makes orders named TRY-...
    if due is None:
        return f"Order {order} is not known: ask a user"
    if amount != due or currency != "YER":
        return f"Order {order} is not paid: {amount} {currency} for {due} YER, ask a user"
    with lock:
        before = paid_by.get(order)
        if before is None:
            paid_by[order] = intent
    if before is None:
        return f"Order {order} is paid: {amount}"
    # The same intent is the same payment, reported once more.
    return "" if before == intent else f"Order {order} was paid twice: {before} and {intent}"


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        try:
            length = int(self.headers.get("Content-Length") or 0)
            if not 0 <= length <= MOST_BYTES:
                raise ValueError("the body is too long")
            header = self.headers.get("X-Service-Signature") or ""
            event = verify_webhook(self.rfile.read(length), header, SECRET)
        except (ValueError, RecursionError) as fault:
            print(fault, flush=True)
            self.answer(400)
            return
        # Events of the test wallet and test sends are signed as well, but no money arrived: they count in test mode only.
        is_test = self.headers.get("X-Service-Test") is not None
        if event["event"] == "payment.verified" and (TEST_MODE or not is_test):
            line = mark_paid(event)
            if line:
                print(line, flush=True)
        self.answer(204)

    def answer(self, status: int) -> None:
        self.send_response(status)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3000"))), Receiver)
print("Listening", flush=True)
server.serve_forever()
