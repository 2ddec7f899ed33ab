"""The driver of the Python SDK: see driver.ts. With the argument `async` it drives the client with async."""

import asyncio
import base64
import inspect
import json
import pathlib
import re
import sys
import urllib.parse
import urllib.request
from typing import Any, Dict, List, Optional

sys.path.insert(0, str(pathlib.Path(__file__).parents[3] / "python" / "src"))

from sanad import AsyncSanad, Sanad, SanadConnectionError, SanadError, WebhookError, webhooks  # noqa: E402

IS_ASYNC = sys.argv[1:] == ["async"]
RESOURCES = ("wallets", "intents", "checkout", "checkouts", "links")
sanad: Any = None
waits: List[float] = []


class SharedStore:
    def __init__(self, origin: str) -> None:
        self._origin = origin

    def get(self, order_id: str) -> Any:
        return self._ask(order_id, None)

    def set(self, order_id: str, record: Any) -> Any:
        return self._ask(order_id, json.dumps(record).encode())

    def _ask(self, order_id: str, body: Optional[bytes]) -> Any:
        url = f"{self._origin}/{urllib.parse.quote(order_id, safe='')}"
        with urllib.request.urlopen(urllib.request.Request(url, data=body)) as answer:
            return json.loads(answer.read())


class AsyncSharedStore:
    def __init__(self, origin: str) -> None:
        self._store = SharedStore(origin)

    async def get(self, order_id: str) -> Any:
        return self._store.get(order_id)

    async def set(self, order_id: str, record: Any) -> Any:
        return self._store.set(order_id, record)


def wait(seconds: float) -> None:
    waits.append(seconds)


async def wait_async(seconds: float) -> None:
    waits.append(seconds)


async def done(found: Any) -> Any:
    if inspect.isawaitable(found):
        return await found
    if hasattr(found, "__aiter__"):
        return [one async for one in found]
    return list(found) if hasattr(found, "__next__") else found


async def run(command: Dict[str, Any]) -> Any:
    global sanad
    if "open" in command:
        given = command["open"]
        if sanad is not None:
            await done(sanad.aclose() if hasattr(sanad, "aclose") else sanad.close())
        made: Any = AsyncSanad if IS_ASYNC else Sanad
        sanad = made(
            given["url"],
            given["clientId"],
            given["clientSecret"],
            timeout=given.get("timeout", 30),
            max_retries=given.get("maxRetries", 3),
            sleep=wait_async if IS_ASYNC else wait,
        )
        return None
    if "start" in command:
        order = command["start"]
        store: Any = AsyncSharedStore(command["store"]) if IS_ASYNC else SharedStore(command["store"])
        started = await done(sanad.checkout.start(order["orderId"], order["wallet"], store, amount=order["amount"]))
        return started._asdict()
    if "verify" in command:
        given = command["verify"]
        body: Any = base64.b64decode(given["body"])
        if given["as"] == "text":
            body = body.decode()
        elif given["as"] == "parsed":
            body = json.loads(body)
        tolerance = float(given.get("tolerance", 300))
        return webhooks.verify(body, given["header"], given["secret"], tolerance=tolerance, now=given["now"])
    if "methods" in command:
        names = [f"{name}.{method}" for name in RESOURCES for method in dir(getattr(sanad, name)) if method[0] != "_"]
        return [re.sub(r"_(\w)", lambda found: found[1].upper(), name) for name in names]
    resource, method = command["call"].split(".")
    named = re.sub(r"[A-Z]", lambda found: f"_{found[0].lower()}", method)
    options = {"idempotency_key": command["key"]} if "key" in command else {}
    return await done(getattr(getattr(sanad, resource), named)(*command.get("args", []), **options))


async def main() -> None:
    for line in sys.stdin:
        waits.clear()
        answer: Dict[str, Any]
        try:
            answer = {"value": await run(json.loads(line))}
        except SanadError as fault:
            answer = {"fault": f"error {fault.status} {fault.code}", "retryAfter": fault.retry_after, "sentence": str(fault)}
        except SanadConnectionError as fault:
            named = f"connection {fault.reason} {'' if fault.status is None else fault.status}".strip()
            answer = {"fault": named, "sentence": str(fault)}
        except WebhookError as fault:
            answer = {"fault": f"webhook {fault.code}", "sentence": str(fault)}
        except (TypeError, ValueError) as fault:
            answer = {"fault": "argument", "sentence": str(fault)}
        print(json.dumps({**answer, "waits": waits}), flush=True)


asyncio.run(main())
