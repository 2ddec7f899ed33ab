"""The client against scripted answers: tokens, retries, lists, what is sent. No time passes."""

import json
import threading
from datetime import datetime, timedelta, timezone
from typing import Any, Callable, Dict, List, Optional, Tuple, Union

import anyio
import httpx
import pytest

from sanad import AsyncSanad, Sanad, SanadConnectionError, SanadError, SanadWaitError
from sanad._times import text_of

Scripted = Union[httpx.Response, Exception]


def error(status: int, code: str, headers: Optional[Dict[str, str]] = None) -> httpx.Response:
    entry = {"code": code, "detail": "It is so.", "attr": None}
    return httpx.Response(status, json={"type": "client_error", "errors": [entry]}, headers=headers)


class Script:
    """Answers from a list, and remembers what was sent. A request for a token is answered by itself."""

    def __init__(self, *answers: Scripted) -> None:
        self.answers = list(answers)
        self.sent: List[httpx.Request] = []
        self.tokens = 0
        self.at = 1767323170.0
        self.waits: List[float] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        if request.url.path == "/api/v1/merchant/token":
            self.tokens += 1
            token = {"access_token": f"token-{self.tokens}", "token_type": "Bearer", "expires_in": 3600}
            return httpx.Response(200, json=token)
        self.sent.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def wait(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.at += seconds

    def open(self, **more: Any) -> Sanad:
        client = httpx.Client(transport=httpx.MockTransport(self))
        return Sanad(
            "https://pay.example.com/", "id", "very-secret", client=client, now=lambda: self.at, sleep=self.wait, **more
        )

    @property
    def calls(self) -> List[str]:
        return [f"{request.method} {request.url.raw_path.decode()[len('/api/v1'):]}" for request in self.sent]


def row(second: int) -> Dict[str, Any]:
    return {"id": f"i{second}", "created_at": text_of((1767323170 + second) * 1_000_000), "status": "PENDING"}


def page(rows: List[Dict[str, Any]], has_next: bool = False) -> httpx.Response:
    following = "https://pay.example.com/api/v1/merchant/intents/?page=2" if has_next else None
    return httpx.Response(200, json={"count": 9, "next": following, "previous": None, "results": rows})


class Cache:
    """As Django's."""

    def __init__(self) -> None:
        self.values: Dict[str, Any] = {}
        self.timeouts: List[int] = []
        self.is_broken = False

    def get(self, key: str) -> Any:
        if self.is_broken:
            raise RuntimeError("the cache is away")
        return self.values.get(key)

    def set(self, key: str, value: Any, timeout: int) -> None:
        if self.is_broken:
            raise RuntimeError("the cache is away")
        self.values[key] = value
        self.timeouts.append(timeout)

    def delete(self, key: str) -> None:
        self.values.pop(key, None)


def empty() -> httpx.Response:
    return httpx.Response(200, json=[])


def test_one_token_serves_all_calls_and_is_renewed_before_it_expires() -> None:
    script = Script(*(empty() for _ in range(4)))
    sanad = script.open()
    for _ in range(2):
        sanad.wallets.list()
    script.at += 3539
    sanad.wallets.list()
    assert script.tokens == 1
    script.at += 2
    sanad.wallets.list()
    assert script.tokens == 2, "a minute before its end"
    assert script.sent[-1].headers["authorization"] == "Bearer token-2"


def test_many_threads_request_one_token() -> None:
    script = Script(*(empty() for _ in range(8)))
    sanad = script.open()
    threads = [threading.Thread(target=sanad.wallets.list) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (script.tokens, len(script.sent)) == (1, 8)


def test_many_tasks_request_one_token() -> None:
    script = Script(*(empty() for _ in range(8)))

    async def main() -> None:
        async def slow(request: httpx.Request) -> httpx.Response:
            await anyio.sleep(0)
            return script(request)

        client = httpx.AsyncClient(transport=httpx.MockTransport(slow))  # type: ignore[arg-type]
        sanad = AsyncSanad("https://pay.example.com", "id", "s", client=client)
        async with anyio.create_task_group() as group:
            for _ in range(8):
                group.start_soon(sanad.wallets.list)

    anyio.run(main)
    assert (script.tokens, len(script.sent)) == (1, 8)


def test_the_cache_carries_the_token_to_another_process_and_never_the_secret() -> None:
    cache = Cache()
    first, second = Script(empty()), Script(empty())
    first.open(cache=cache).wallets.list()
    second.open(cache=cache).wallets.list()
    assert (first.tokens, second.tokens, cache.timeouts) == (1, 0, [3540])
    assert "very-secret" not in str(cache.values)
    cache.is_broken = True
    third = Script(empty())
    assert third.open(cache=cache).wallets.list() == []


def test_a_refused_token_is_renewed_once_also_in_the_cache() -> None:
    cache, refused = Cache(), "not_authenticated"
    script = Script(error(401, refused), empty())
    script.open(cache=cache).wallets.list()
    assert script.tokens == 2
    assert [value[0] for value in cache.values.values()] == ["token-2"]
    revoked = Script(error(401, refused), error(401, refused))
    with pytest.raises(SanadError) as found:
        revoked.open().wallets.list()
    assert (found.value.status, found.value.code, revoked.tokens) == (401, refused, 2)


def test_a_lost_answer_of_a_create_is_repeated_with_the_same_key_and_a_replay_is_read_again() -> None:
    intent = {"id": "one", "status": "PENDING"}
    script = Script(
        httpx.ReadError("lost"),
        httpx.Response(201, json=intent, headers={"idempotent-replayed": "true"}),
        httpx.Response(200, json={**intent, "status": "VERIFIED"}),
    )
    created = script.open().intents.create({"wallet": "w", "amount": "5.00"})
    assert created["status"] == "VERIFIED"
    assert script.calls == ["POST /merchant/intents/", "POST /merchant/intents/", "GET /merchant/intents/one/"]
    assert script.sent[0].headers["service-idempotency-key"] == script.sent[1].headers["service-idempotency-key"]
    assert len(script.waits) == 1


def test_a_create_that_never_gets_an_answer_says_which_key_to_repeat() -> None:
    script = Script(*(httpx.ReadTimeout("late") for _ in range(4)))
    with pytest.raises(SanadConnectionError, match="with the idempotency_key key-1") as found:
        script.open().checkouts.create({"amount": "5.00"}, idempotency_key="key-1")
    assert (found.value.reason, len(script.sent)) == ("timeout", 4)


def test_a_new_link_is_sent_once() -> None:
    script = Script(httpx.ReadError("lost"))
    with pytest.raises(SanadConnectionError, match=r"look for it with links\.list\(\)"):
        script.open().links.create({"amount": "5.00"})
    assert len(script.sent) == 1


def test_a_number_is_no_amount_and_nothing_is_sent() -> None:
    script = Script()
    sanad = script.open()
    calls: List[Tuple[str, Callable[[], object]]] = [
        ("amount", lambda: sanad.intents.create({"wallet": "w", "amount": 5})),  # type: ignore[typeddict-item]
        ("items.0.price", lambda: sanad.checkouts.create({"items": [{"name": "x", "price": 1.5}]})),  # type: ignore[typeddict-item]
        ("min_amount", lambda: sanad.links.create({"min_amount": 5.0})),  # type: ignore[typeddict-item]
        ("id must be", lambda: sanad.intents.retrieve("")),
    ]
    for sentence, call in calls:
        with pytest.raises((TypeError, ValueError), match=sentence):
            call()
    assert script.tokens == 0


def test_an_error_says_what_to_do_and_the_client_shows_no_secret() -> None:
    headers = {"x-service-hint": "h" * 999, "x-service-ignored": "a%20b, c", "x-request-id": "r1"}
    script = Script(error(400, "required", headers))
    sanad = script.open()
    with pytest.raises(SanadError) as found:
        sanad.intents.retrieve("x/y")
    fault = found.value
    assert (fault.ignored, len(fault.hint or ""), fault.request_id) == (["a b", "c"], 300, "r1")
    assert fault.has("required") and not fault.has("required", "amount")
    assert script.calls == ["GET /merchant/intents/x%2Fy/"]
    assert "very-secret" not in f"{sanad!r} {vars(sanad)!r}"


def test_something_else_that_answers_is_not_sanad() -> None:
    for text in ("<html>", "", '{"id":"i', "5", "null", "[" * 100_000):
        with pytest.raises(SanadConnectionError) as found:
            Script(httpx.Response(200, text=text)).open().intents.retrieve("one")
        assert (found.value.reason, found.value.status) == ("not_sanad", 200)


def test_a_list_goes_on_at_the_time_of_its_last_row_and_returns_each_row_once() -> None:
    script = Script(page([row(3), row(2)], True), page([row(2), row(1)]))
    found = [one["id"] for one in script.open().intents.list({"page_size": 2})]
    assert found == ["i3", "i2", "i1"]
    assert script.sent[1].url.params["created_before"] == "2026-01-02T03:06:12.000000Z"


def test_a_list_in_ascending_order_reads_the_last_ten_seconds_again() -> None:
    script = Script(page([row(0), row(60)], True), page([row(55), row(60)], True), page([row(61)]))
    found = [one["id"] for one in script.open().intents.list({"ordering": "created_at", "page_size": 2})]
    assert found == ["i0", "i60", "i55", "i61"]
    assert script.sent[1].url.params["created_after"] == "2026-01-02T03:07:00.000000Z"
    assert script.sent[2].url.params["page"] == "2"


def test_a_filter_takes_lists_and_times() -> None:
    script = Script(page([]))
    since = datetime(2026, 1, 2, 6, 6, 10, 250_000, timezone(timedelta(hours=3)))
    script.open().intents.page({"status": ["VERIFIED", "EXPIRED"], "created_after": since, "page": "last"})
    expected = {"status": "VERIFIED,EXPIRED", "created_after": "2026-01-02T03:06:10.250000Z", "page": "last"}
    assert dict(script.sent[0].url.params) == expected


def test_waiting_reads_less_and_less_often_and_ends_in_time() -> None:
    def pending(reference: str = "") -> httpx.Response:
        return httpx.Response(200, json={"id": "one", "status": "PENDING", "reference": reference})

    script = Script(*(pending() for _ in range(8)))
    with pytest.raises(SanadWaitError):
        script.open().intents.wait("one", timeout=10)
    assert script.waits == [2.0, 3.0, 4.5, 0.5]
    script = Script(pending(), pending("R"))
    assert script.open().intents.wait("one", until=lambda intent: intent["reference"] != "")["reference"] == "R"


def test_wrong_settings_are_refused_at_once() -> None:
    good = ("https://pay.example.com", "id", "s")
    for wrong in (
        ("pay.example.com", "id", "s"),
        ("https://user:x@pay.example.com", "id", "s"),
        ("https://pay.example.com/?a", "id", "s"),
        ("https://pay.example.com", "", "s"),
        ("https://pay.example.com", "id", "s\n"),
    ):
        with pytest.raises(ValueError):
            Sanad(*wrong)
    for timeout in (0.0, -1.0, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="timeout"):
            Sanad(*good, timeout=timeout)


def test_text_is_sent_as_utf8_and_a_body_never_with_nan() -> None:
    script = Script(httpx.Response(201, json={"id": "one"}))
    script.open().checkouts.create({"amount": "5", "metadata": {}, "customer": {"name": "علي"}})
    assert json.loads(script.sent[0].content) == {"amount": "5", "metadata": {}, "customer": {"name": "علي"}}
    assert "علي".encode() in script.sent[0].content
