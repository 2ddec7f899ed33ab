"""Receives webhooks with the standard library. SANAD_WEBHOOK_SECRET=... PORT=3000 python3 webhook.py"""
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock

SECRET = os.environ["SANAD_WEBHOOK_SECRET"]
TOLERANCE_S = 300


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
    return json.loads(raw_body)


# In your shop this is a column of the orders: update orders set paid_by = %s where id = %s and paid_by is null
paid_by: dict[str, str] = {}
lock = Lock()


def mark_paid(order: str, intent: str, amount: str) -> None:
    with lock:
        before = paid_by.get(order)
        if before is None:
            paid_by[order] = intent
    if before is None:
        print(f"Order {order} is paid: {amount}", flush=True)
    elif before != intent:  # Otherwise it is the same payment, reported once more.
        print(f"Order {order} was paid twice: {before} and {intent}", flush=True)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        raw_body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        try:
            event = verify_webhook(raw_body, self.headers.get("X-Service-Signature") or "", SECRET)
        except ValueError as fault:
            print(fault, flush=True)
            self.answer(400)
            return
        # Events of the test wallet and test sends are signed as well, but no money arrived.
        is_test = self.headers.get("X-Service-Test") is not None
        if event["event"] == "payment.verified" and not is_test:
            mark_paid(event["order_id"], event["intent_id"], event["amount"])
        self.answer(204)

    def answer(self, status: int) -> None:
        self.send_response(status)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3000"))), Receiver)
print("Listening", flush=True)
server.serve_forever()
