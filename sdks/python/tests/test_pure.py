"""Rules without a network: amounts, retries, arguments, times."""

import math
import uuid

import pytest

from sanad import SanadConnectionError, SanadError, webhooks
from sanad._amounts import decimal, minor_of, total_of
from sanad._arguments import key_header, order_id_of
from sanad._order_payments import is_same_request
from sanad._retry import retry_after_seconds, retry_wait
from sanad._times import microseconds_of, text_of


def test_amounts_are_exact_and_read_only_in_the_usual_form() -> None:
    assert [decimal(30), decimal(5), decimal(99_999_999_999_999)] == ["0.30", "0.05", "999999999999.99"]
    assert [minor_of(text) for text in ("1500", "1500.5", " +1500.00 ", "0.07")] == [150000, 150050, 150000, 7]
    for other in (None, 5, 1.5, "", "-1", "1e3", "1.005", "1,5", "١٥", "1\n2"):
        assert minor_of(other) is None
    assert total_of("9.00", [{"name": "Tea", "price": "0.10", "quantity": 3}]) == 30
    assert total_of("9.00", []) == 900
    assert total_of(None, [{"name": "x", "price": "1", "quantity": 1.5}]) is None


def error(status: int, retry_after: "float | None" = None) -> SanadError:
    return SanadError(status, "client_error", [{"code": "x", "detail": "", "attr": None}], retry_after=retry_after)


def wait(fault: "SanadError | SanadConnectionError", attempt: int = 1, is_repeatable: bool = True) -> "float | None":
    return retry_wait(
        fault, attempt=attempt, max_retries=3, max_retry_wait=60.0, random=1.0, is_repeatable=is_repeatable
    )


def test_what_is_sent_again_and_after_which_wait() -> None:
    lost = SanadConnectionError("unreachable", "lost")
    assert [wait(lost, attempt) for attempt in (1, 2, 3, 4)] == [0.5, 1.0, 2.0, None]
    assert all(wait(error(status)) is not None for status in (408, 409, 429, 500, 502, 503, 504))
    assert all(wait(error(status)) is None for status in (400, 401, 403, 404, 422))
    assert wait(error(429, 7.0)) == 7.125
    assert wait(error(429, 61.0)) is None, "a wait of more than a minute is the caller's"
    assert wait(lost, 1, False) is None and wait(error(503), 1, False) is None
    assert wait(error(429, 7.0), 1, False) == 7.125, "a 429 has created nothing"
    assert wait(SanadConnectionError("not_sanad", "a page", 200)) is None
    assert wait(SanadConnectionError("not_sanad", "a page", 502)) is not None


def test_retry_after_is_a_number_or_a_date() -> None:
    assert retry_after_seconds(" 120 ", 0) == 120
    assert retry_after_seconds("Fri, 02 Jan 2026 03:06:40 GMT", 1767323170) == 30
    assert retry_after_seconds("Fri, 02 Jan 2015 03:06:40 GMT", 1767323170) == 0
    for other in (None, "", "soon", "-1", "tomorrow", "1.5", "x GMT"):
        assert retry_after_seconds(other, 0) is None


def test_an_order_number_is_trimmed_as_the_service_does() -> None:
    assert order_id_of("\u3000\t A 1\xa0\r\n") == "A 1"
    assert order_id_of("\ufeffA") == "\ufeffA", "a byte order mark stays"
    for wrong in ("", " \u2007", None, 5):
        with pytest.raises(ValueError, match="order number"):
            order_id_of(wrong)


def test_a_key_is_visible_ascii() -> None:
    assert key_header(str(uuid.uuid4()))
    for wrong in ("", "a\n", "a b", "ع", "x" * 129, None):
        with pytest.raises(ValueError, match="idempotency_key"):
            key_header(wrong)


def test_requests_are_the_same_however_an_amount_is_written() -> None:
    def same(a: "dict[str, object]", b: "dict[str, object]") -> bool:
        return is_same_request({"wallet": "w", **a}, {"wallet": "W", **b})

    assert same({"amount": "5"}, {"amount": "5.00", "notes": "x"})
    assert not same({"amount": "5"}, {"amount": "5.01"})
    assert same({"items": [{"a": 1, "b": 2}]}, {"items": [{"b": 2, "a": 1}]})
    assert not same({"items": [{"a": 1}]}, {"items": [{"a": "1"}]})


def test_times_are_read_to_the_microsecond_and_written_back() -> None:
    at = microseconds_of("2026-01-02T06:06:10.250000+03:00")
    assert at == microseconds_of("2026-01-02T03:06:10.250Z") == 1767323170250000
    assert text_of(at) == "2026-01-02T03:06:10.250000Z"


def test_receive_answers_by_what_happened() -> None:
    body, seen = '{"event":"payment.received","is_test":true}', []

    def answer(on_event: "object", text: str = body, secret: str = "s", **more: float) -> int:
        headers = {"X-Service-Signature": webhooks.sign(body, "s"), "X-Service-Event-Id": "e1"}
        return webhooks.receive(text, headers, secret, on_event, on_error=lambda fault: None, **more)  # type: ignore[arg-type]

    assert answer(lambda event, delivery: seen.append((event["event"], delivery.event_id, delivery.is_test))) == 204
    assert seen == [("payment.received", "e1", True)]
    assert answer(lambda event, delivery: 1 / 0) == 500
    assert answer(print, f"{body} ") == 400
    assert answer(print, secret="") == 500, "a secret that is not set is no forged request"
    assert answer(print, "x" * (1024 * 1024 + 1)) == 400
    assert answer(print, tolerance=math.nan) == 500
