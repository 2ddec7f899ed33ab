"""Receives webhooks in Django, with the SDK. SANAD_WEBHOOK_SECRET=... PORT=3000 python3 webhook_django.py"""
import os
from threading import Lock
from wsgiref.simple_server import make_server

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.http import HttpResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST
from sanad import webhooks

# In your shop: update orders set paid_by = %s where id = %s and paid_by is null and amount = %s and currency = %s
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


@csrf_exempt  # The signature is the proof.
@require_POST
def sanad(request):
    # request.body: the bytes as they arrived, not the parsed form.
    status = webhooks.receive(request.body, request.headers, os.environ["SANAD_WEBHOOK_SECRET"], on_event)
    return HttpResponse(status=status)


urlpatterns = [path("", sanad)]

if __name__ == "__main__":  # One file; in your project these are its settings.
    settings.configure(ROOT_URLCONF=__name__, SECRET_KEY=os.urandom(32).hex(), ALLOWED_HOSTS=["127.0.0.1"], DEBUG=False)
    server = make_server("127.0.0.1", int(os.environ.get("PORT", "3000")), get_wsgi_application())
    print("Listening", flush=True)
    server.serve_forever()
