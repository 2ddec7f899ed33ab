"""One test payment, from the first call to VERIFIED: python3 quick-start.py"""
import os
import time

from sanad import MemoryStore, Sanad

url = os.environ["SANAD_URL"]
sanad = Sanad(url, os.environ["SANAD_CLIENT_ID"], os.environ["SANAD_CLIENT_SECRET"])

# 1. The wallets. The test wallet works like the others, only without money.
wallet = next(one for one in sanad.wallets.list(include_test=True) if one["is_test"])

# 2. A payment request for one order. Called again, start gives the same one until it has ended.
store = MemoryStore()  # In your shop: a table.
order_id = f"TRY-{time.time_ns()}"
intent = sanad.checkout.start(order_id, wallet["id"], store, amount="1500.00").intent
print(f"Send exactly {intent['payable_amount']} {intent['currency']} to {wallet['name']} ({wallet['account_number']}).")

# 3. The buyer pays and types the number that the wallet showed. Here it is made up.
reference = f"TEST-{time.time_ns()}"
sanad.intents.attach_reference(intent["id"], reference)
print("Now pay it, in another terminal, in the folder of Sanad:")
print(f"  npx --no sanad phone --wallet {wallet['id']} --amount {intent['payable_amount']} --reference {reference}")
print(f"Or in the dashboard, with its buttons:\n  {url}/first-payment?intent={intent['id']}", flush=True)

# 4. A shop learns of the outcome by a webhook. This program asks until the intent has ended.
ended = sanad.intents.wait(intent["id"])
print(f"{ended['external_order_id']}: {ended['status']}")
