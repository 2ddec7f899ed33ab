"""The objects of the API, with the fields of the OpenAPI documents. Written by `npm run dumps`: do not edit."""

from datetime import datetime
from typing import Dict, List, Literal, Optional, Sequence, TypedDict, Union

__all__ = [
    "AttachReference",
    "ChangeLink",
    "Checkout",
    "CheckoutCompleted",
    "CheckoutCustomer",
    "CheckoutExpired",
    "CheckoutIntent",
    "CheckoutPage",
    "CheckoutStatus",
    "CheckoutWallet",
    "CreateCheckout",
    "CreateIntent",
    "CreateLink",
    "Device",
    "ErrorAnswer",
    "ErrorCode",
    "ErrorEntry",
    "Intent",
    "IntentPage",
    "IntentStatus",
    "IntentWallet",
    "Item",
    "ListCheckoutsQuery",
    "ListIntentsQuery",
    "ListLinksQuery",
    "ListWalletsQuery",
    "MatchedEvent",
    "NewCustomer",
    "NewItem",
    "PaymentCancelled",
    "PaymentExpired",
    "PaymentLink",
    "PaymentLinkPage",
    "PaymentReceived",
    "PaymentUnmatched",
    "PaymentVerified",
    "PaymentWrongAmount",
    "Provider",
    "TokenAnswer",
    "Wallet",
    "WalletList",
    "WebhookEvent",
]

class TokenAnswer(TypedDict):
    """A short-lived access token."""

    # A JWT. Send it unchanged; its content is internal and may change.
    access_token: str
    # How to send it: `Authorization: Bearer <access_token>`.
    token_type: Literal["Bearer"]
    # Seconds until it expires.
    expires_in: int


class Provider(TypedDict):
    """A wallet company: its branding and state."""

    # Identifier of the provider.
    id: str
    # Short name.
    name: str
    # The name to show to the buyer.
    display_name: str
    # Brand colour, `#RRGGBB`.
    theme_color: str
    # URL of the logo; `""` when there is none.
    logo_url: str
    # Whether the provider works now.
    provider_status: Literal["ACTIVE", "INACTIVE", "MAINTENANCE"]


class Wallet(TypedDict):
    """A wallet that money can be collected into."""

    # Pass it as `wallet` when creating an intent.
    id: str
    # What the buyer sees.
    name: str
    # What the buyer sends money to.
    account_number: str
    # The sender that this wallet's payment alerts come from.
    sender_name: str
    # Currency of the wallet. Currently always `YER`.
    currency: Literal["YER"]
    provider: Provider
    # true for the account's testing wallet.
    is_test: bool


# By name, then by id.
WalletList = List[Wallet]


class _NewItem(TypedDict):
    """What NewItem must have."""

    # What is sold.
    name: str
    # Price of one. 0 is allowed: a line may be free.
    price: str


class NewItem(_NewItem, total=False):
    """A line of the order."""

    # More about it.
    description: str
    # How many; 1 when left out.
    quantity: int


class _CreateIntent(TypedDict):
    """What CreateIntent must have."""

    # The wallet to collect into, from `GET /wallets/`.
    wallet: str


class CreateIntent(_CreateIntent, total=False):
    """Either `amount` or `items` is needed. No field may be null; fields we do not know are ignored."""

    # What to collect, from 0.01 to 999999999999.99. Required without `items`, ignored with them. A JSON number is read by its digits too, but many languages round numbers: send a string.
    amount: str
    # The lines of the order. Required without `amount`. What to collect is their total, which must be from 0.01 to 999999999999.99. An empty list counts as left out.
    items: List[NewItem]
    # Only `YER`. Left out, it is the wallet's; sent, it must match it.
    currency: Literal["YER"]
    # Your own order number, echoed in answers and webhooks. Several intents may have the same one.
    external_order_id: str
    # A free note, kept on the intent.
    notes: str


class AttachReference(TypedDict):
    """The reference of the payment."""

    # The transaction reference that the wallet showed the buyer. White space around it is trimmed. Send a string: a JSON number beyond 2^53 is refused, because its digits may be lost already.
    reference: str


# Where the intent stands. All but `PENDING` are final.
IntentStatus = Literal["PENDING", "VERIFIED", "WRONG_AMOUNT", "EXPIRED", "CANCELLED"]


class Item(TypedDict):
    """A line of the order."""

    # What is sold.
    name: str
    # More about it; `""` when left out.
    description: str
    # Price of one.
    price: str
    # How many.
    quantity: int
    # Price times quantity.
    total_price: str


class IntentWallet(TypedDict):
    """The wallet of an intent."""

    # Identifier of the wallet.
    id: str
    # What the buyer sees.
    name: str
    # The sender that this wallet's payment alerts come from.
    sender_name: str
    # true for the account's testing wallet.
    is_test: bool
    # The slot of the wallet's SIM in the monitoring device; `""` when not set.
    sim_slot: Literal["", "SIM1", "SIM2"]
    # What the buyer sends money to.
    account_number: str


class MatchedEvent(TypedDict):
    """The payment alert that resolved the intent."""

    # Identifier of the alert.
    id: str
    # What the alert says was paid.
    amount: str
    # Who the alert came from.
    sender: str
    # The reference in the alert; `""` when it had none.
    reference: str
    # When the alert reached the service.
    created_at: str


class Device(TypedDict):
    """The device that reported the payment."""

    # Identifier of the device; it stays the same when the device is paired again.
    id: str
    # Name of the device.
    name: str


class Intent(TypedDict):
    """An amount to collect into a wallet, and what became of it."""

    # Identifier of the intent, used in `/intents/{id}/`.
    id: str
    # Short payment code, easy to read aloud. Webhooks call it `payment_id`.
    code: str
    # Your order number; `""` when none was sent.
    external_order_id: str
    # As you sent it, trimmed; `""` until one is attached.
    reference: str
    status: IntentStatus
    # Total to collect.
    base_amount: str
    # What the buyer must pay, to the unit: show this. Equal to `base_amount`, unless the wallet has unique amounts: then a little more or less.
    payable_amount: str
    # What the buyer really sent when the status is `WRONG_AMOUNT`; otherwise null.
    paid_amount: Optional[str]
    # Only `YER`.
    currency: Literal["YER"]
    # The lines of the order; `[]` when an amount was sent.
    items: List[Item]
    # Your note; `""` when none was sent.
    notes: str
    wallet: IntentWallet
    provider: Provider
    # End of the 1-hour window.
    expires_at: str
    # When the intent was created.
    created_at: str
    # When the payment was verified; null until then.
    verified_at: Optional[str]
    # true when a person booked the payment from the unmatched queue.
    manual_override: bool
    # Same meaning as `manual_override`.
    collected_manually: bool
    # The payment alert that resolved the intent; null until there is one.
    matched_event: Optional[MatchedEvent]
    # The device that reported the payment; null until there is one.
    device: Optional[Device]
    # Always null.
    subscription: None


class IntentPage(TypedDict):
    """One page of intents."""

    # How many intents the filters find, on all pages.
    count: int
    # Absolute URL of the next page, with the same filters; null when there is none.
    next: Optional[str]
    # Absolute URL of the previous page, with the same filters; null when there is none.
    previous: Optional[str]
    # The intents of this page.
    results: List[Intent]


class PaymentVerified(TypedDict):
    """A payment was verified, automatically or by hand."""

    # The kind of event.
    event: Literal["payment.verified"]
    # The `code` of the intent.
    payment_id: str
    # The `id` of the intent.
    intent_id: str
    # The `external_order_id` of the intent; `""` if it has none.
    order_id: str
    # The transaction reference.
    reference: str
    # Total to collect.
    base_amount: str
    # The `payable_amount` of the intent.
    amount: str
    # Only `YER`.
    currency: Literal["YER"]
    # The status of the intent.
    status: Literal["VERIFIED"]
    # When the payment was verified.
    verified_at: str
    # true when a person booked the payment from the unmatched queue.
    manual_override: bool


class PaymentUnmatched(TypedDict):
    """Money arrived on a real wallet, and no intent matches it."""

    # The kind of event.
    event: Literal["payment.unmatched"]
    # Identifier of the payment alert.
    event_id: str
    # The reference in the alert; `""` when it had none.
    reference: str
    # What arrived.
    amount: str
    # Only `YER`.
    currency: Literal["YER"]
    # The name of the wallet.
    wallet: str
    # When the alert reached the service.
    received_at: str
    # Always false: the testing wallet sends `payment.received` instead.
    is_test: bool


class PaymentReceived(TypedDict):
    """A payment arrived on the testing wallet."""

    # The kind of event.
    event: Literal["payment.received"]
    # Identifier of the payment alert.
    event_id: str
    # The reference in the alert; `""` when it had none.
    reference: str
    # What arrived.
    amount: str
    # Only `YER`.
    currency: Literal["YER"]
    # What became of it, in this order: it matched no intent; it verified one; it ended one that asked for another amount.
    resolution: Literal["UNMATCHED", "MATCHED", "WRONG_AMOUNT"]
    # When the alert reached the service.
    received_at: str
    # Always true.
    is_test: bool


class PaymentWrongAmount(TypedDict):
    """Money with the reference of an intent arrived, but another amount."""

    # The kind of event.
    event: Literal["payment.wrong_amount"]
    # The `code` of the intent.
    payment_id: str
    # The `id` of the intent.
    intent_id: str
    # The `external_order_id` of the intent; `""` if it has none.
    order_id: str
    # The transaction reference; `""` if none was attached.
    reference: str
    # Total to collect.
    base_amount: str
    # The `payable_amount` of the intent.
    amount: str
    # What arrived instead.
    paid_amount: str
    # Only `YER`.
    currency: Literal["YER"]
    # The status of the intent.
    status: Literal["WRONG_AMOUNT"]
    # When the intent ended.
    ended_at: str
    # true when a person booked the payment from the unmatched queue.
    manual_override: bool
    # true: the intent was of the testing wallet.
    is_test: bool


class PaymentExpired(TypedDict):
    """The window of an intent ended without payment."""

    # The kind of event.
    event: Literal["payment.expired"]
    # The `code` of the intent.
    payment_id: str
    # The `id` of the intent.
    intent_id: str
    # The `external_order_id` of the intent; `""` if it has none.
    order_id: str
    # The transaction reference; `""` if none was attached.
    reference: str
    # Total to collect.
    base_amount: str
    # The `payable_amount` of the intent.
    amount: str
    # Nothing arrived for it.
    paid_amount: None
    # Only `YER`.
    currency: Literal["YER"]
    # The status of the intent.
    status: Literal["EXPIRED"]
    # When the intent ended.
    ended_at: str
    # true when a person booked the payment from the unmatched queue.
    manual_override: bool
    # true: the intent was of the testing wallet.
    is_test: bool


class PaymentCancelled(TypedDict):
    """An intent was cancelled."""

    # The kind of event.
    event: Literal["payment.cancelled"]
    # The `code` of the intent.
    payment_id: str
    # The `id` of the intent.
    intent_id: str
    # The `external_order_id` of the intent; `""` if it has none.
    order_id: str
    # The transaction reference; `""` if none was attached.
    reference: str
    # Total to collect.
    base_amount: str
    # The `payable_amount` of the intent.
    amount: str
    # Nothing arrived for it.
    paid_amount: None
    # Only `YER`.
    currency: Literal["YER"]
    # The status of the intent.
    status: Literal["CANCELLED"]
    # When the intent ended.
    ended_at: str
    # true when a person booked the payment from the unmatched queue.
    manual_override: bool
    # true: the intent was of the testing wallet.
    is_test: bool


class ErrorEntry(TypedDict):
    """One thing that is wrong with the request."""

    # What is wrong, for programs. The introduction lists all codes.
    code: str
    # What is wrong, for people.
    detail: str
    # The field it is about: `wallet`; `items.1.price` inside the order lines, counted from 0; `non_field_errors` for rules over several fields; the name of the header when a header is wrong; null when the error is not about validation.
    attr: Optional[str]


class ErrorAnswer(TypedDict):
    """Every error has this form."""

    # `validation_error`: fields or rules over them. `client_error`: every other 4xx. `server_error`: 5xx.
    type: Literal["validation_error", "client_error", "server_error"]
    # All wrong fields of a request are listed at once, top-level fields first.
    errors: List[ErrorEntry]


class NewCustomer(TypedDict, total=False):
    """Who buys, if you know it. Shown to you, not on the page."""

    # Who buys.
    name: str
    # Their phone: digits, spaces, `+`, `-`, brackets.
    phone: str


class CreateCheckout(TypedDict, total=False):
    """Either `amount` or `items` is needed. No field may be null; fields we do not know are ignored."""

    # What to collect, from 0.01 to 999999999999.99. Required without `items`, ignored with them.
    amount: str
    # The lines of the order. Required without `amount`; what to collect is their total.
    items: List[NewItem]
    # Only `YER`, also when left out.
    currency: Literal["YER"]
    # Your own order number; shown on the page.
    external_order_id: str
    # What is bought, in a sentence; shown on the page.
    description: str
    # The wallets that the buyer can choose from. Left out or empty: all that are offered when the page is open, without the testing wallet.
    wallets: List[str]
    # Where the buyer goes after paying; `checkout={id}` is added to its query. It must be https and without user name and password; outside production also http to the machine itself.
    return_url: str
    # The address for going back without paying, which the page offers. The rules are those of `return_url`.
    cancel_url: str
    # Up to 20 texts of your own by their names: names of 1 to 40 characters, texts of up to 500.
    metadata: Dict[str, str]
    customer: NewCustomer
    # The language of the page. Left out: the browser's, and the buyer can change it.
    locale: Literal["ar", "en"]
    # For how many seconds the page can be paid: 5 minutes to 7 days. Its intents end with it. Left out: `3600`.
    expires_in: int
    # Whether the buyer may pay the rest after a payment that was too small. The part that arrived is then booked to an intent of its own in this checkout, with its own `payment.verified`: only `COMPLETE` means that everything is paid. Left out: `false`.
    allow_remaining: bool


# Where the checkout stands. All but `OPEN` are final.
CheckoutStatus = Literal["OPEN", "COMPLETE", "EXPIRED", "CANCELLED"]


class CheckoutCustomer(TypedDict):
    """Who buys."""

    # `""` when not known.
    name: str
    # `""` when not known.
    phone: str


class CheckoutWallet(TypedDict):
    """The wallet that the buyer chose."""

    # The wallet.
    id: str
    # Its name.
    name: str


class CheckoutIntent(TypedDict):
    """An intent that the page has made."""

    # The intent, also under `/intents/{id}/` of the merchant API.
    id: str
    # Its short payment code.
    code: str
    status: IntentStatus
    wallet: CheckoutWallet
    # What the buyer must pay.
    payable_amount: str
    # What arrived when the status is `WRONG_AMOUNT`; otherwise null.
    paid_amount: Optional[str]
    # The reference that the buyer sent; `""` until then.
    reference: str
    # When the buyer chose the wallet.
    created_at: str
    # When it ends if it is not paid: one hour after it was opened, or with the checkout if that is earlier.
    expires_at: str
    # When it was paid; null until then.
    verified_at: Optional[str]


class Checkout(TypedDict):
    """A page on which a buyer pays one order, and what became of it."""

    # Identifier of the checkout, used in `/sessions/{id}/`.
    id: str
    # The buyer's page. Whoever has this link can pay and sees the order: give it to the buyer alone.
    url: str
    status: CheckoutStatus
    # What is to be paid.
    amount: str
    # What arrived: the sum over the verified intents. Where the shop booked less than was asked, a `COMPLETE` checkout has less than its `amount` here; with a unique amount it has a little more.
    paid: str
    # Only `YER`.
    currency: Literal["YER"]
    # Your order number; `""` when none was sent.
    external_order_id: str
    # What is bought; `""` when none was sent.
    description: str
    # The lines of the order; `[]` when an amount was sent.
    items: List[Item]
    # The wallets to choose from; `[]`: all that are offered.
    wallets: List[str]
    # `""` when none was sent.
    return_url: str
    # `""` when none was sent.
    cancel_url: str
    # Your own texts; `{}` when none were sent.
    metadata: Dict[str, str]
    customer: CheckoutCustomer
    # The language of the page; `""`: the browser's.
    locale: Literal["", "ar", "en"]
    # Whether the rest may be paid after too small a payment.
    allow_remaining: bool
    # The payment link that made it; null when your server did.
    link: Optional[str]
    # true: it is test money. The buyer chose the testing wallet, or paid a part into it, or could choose nothing else. Deliver nothing for it.
    is_test: bool
    # The intents that the page has made, in their order.
    intents: List[CheckoutIntent]
    # When it ends if it is not paid. From then on the page accepts nothing; its intents have ended too, and money that comes is late.
    expires_at: str
    # When the checkout was created.
    created_at: str
    # When it was paid, cancelled, or could no longer be paid; null while it is `OPEN`.
    ended_at: Optional[str]


class CheckoutPage(TypedDict):
    """One page of checkouts."""

    # How many checkouts the filters find, on all pages.
    count: int
    # Absolute URL of the next page, with the same filters; null when there is none.
    next: Optional[str]
    # Absolute URL of the previous page, with the same filters; null when there is none.
    previous: Optional[str]
    # The checkouts of this page.
    results: List[Checkout]


class CreateLink(TypedDict, total=False):
    """A link to share. No field may be null; fields we do not know are ignored."""

    # What is to be paid each time. Left out: the buyer says how much.
    amount: str
    # Without `amount`: the least that a buyer may pay; 1.00 when left out.
    min_amount: str
    # Without `amount`: the most that a buyer may pay; 999999999999.99 when left out.
    max_amount: str
    # Your own order number; shown on the page.
    external_order_id: str
    # What is bought, in a sentence; shown on the page.
    description: str
    # The wallets that the buyer can choose from. Left out or empty: all that are offered when the page is open, without the testing wallet.
    wallets: List[str]
    # Where the buyer goes after paying; `checkout={id}` is added to its query. It must be https and without user name and password; outside production also http to the machine itself.
    return_url: str
    # Up to 20 texts of your own by their names: names of 1 to 40 characters, texts of up to 500.
    metadata: Dict[str, str]
    # The language of the page. Left out: the browser's, and the buyer can change it.
    locale: Literal["ar", "en"]
    # For how many seconds the page can be paid: 5 minutes to 7 days. Its intents end with it. Left out: `3600`.
    expires_in: int
    # Whether the buyer may pay the rest after a payment that was too small. The part that arrived is then booked to an intent of its own in this checkout, with its own `payment.verified`: only `COMPLETE` means that everything is paid. Left out: `false`.
    allow_remaining: bool
    # true: the link can be paid once. It has one open checkout at a time, and creates none after one was paid. false: it can be paid any number of times. Left out: `false`.
    once: bool


class ChangeLink(TypedDict):
    """Switches a link off or on."""

    # false switches the link off, true on again.
    active: bool


class PaymentLink(TypedDict):
    """A link that can be shared, and paid once or many times."""

    # Identifier of the link, used in `/links/{id}/`.
    id: str
    # The link to share. Each buyer who goes on to pay gets a checkout.
    url: str
    # Whether it makes checkouts.
    active: bool
    # What is to be paid each time; null: the buyer says how much.
    amount: Optional[str]
    # The least that a buyer may pay; null with a fixed amount.
    min_amount: Optional[str]
    # The most that a buyer may pay; null with a fixed amount.
    max_amount: Optional[str]
    # Only `YER`.
    currency: Literal["YER"]
    # `""` when none was sent.
    external_order_id: str
    # `""` when none was sent.
    description: str
    # `[]`: all that are offered.
    wallets: List[str]
    # `""` when none was sent.
    return_url: str
    # Given to each checkout.
    metadata: Dict[str, str]
    # The language of the pages.
    locale: Literal["", "ar", "en"]
    # For how many seconds each checkout can be paid.
    expires_in: int
    # As in a checkout.
    allow_remaining: bool
    # Whether the link can be paid only once.
    once: bool
    # When the link was created.
    created_at: str


class PaymentLinkPage(TypedDict):
    """One page of links, newest first."""

    # How many links there are, on all pages.
    count: int
    # Absolute URL of the next page, with the same filters; null when there is none.
    next: Optional[str]
    # Absolute URL of the previous page, with the same filters; null when there is none.
    previous: Optional[str]
    # The links of this page.
    results: List[PaymentLink]


class CheckoutCompleted(TypedDict):
    """A checkout was paid in full, or the shop forgave the rest."""

    # The kind of event.
    event: Literal["checkout.completed"]
    # The `id` of the checkout.
    checkout_id: str
    # Its `external_order_id`; `""` if it has none.
    order_id: str
    # What was to be paid.
    amount: str
    # What arrived. It differs from `amount` where the shop booked another amount.
    paid: str
    # Only `YER`.
    currency: Literal["YER"]
    # The status of the checkout.
    status: Literal["COMPLETE"]
    # The intents that were paid, in their order.
    intents: List[str]
    # The `metadata` of the checkout.
    metadata: Dict[str, str]
    # When its last intent was verified.
    completed_at: str
    # true: it is test money. The buyer chose the testing wallet, or paid a part into it, or could choose nothing else. Deliver nothing for it.
    is_test: bool


class CheckoutExpired(TypedDict):
    """A checkout ended without being paid in full."""

    # The kind of event.
    event: Literal["checkout.expired"]
    # The `id` of the checkout.
    checkout_id: str
    # Its `external_order_id`; `""` if it has none.
    order_id: str
    # What was to be paid.
    amount: str
    # What arrived. It differs from `amount` where the shop booked another amount.
    paid: str
    # Only `YER`.
    currency: Literal["YER"]
    # The status of the checkout.
    status: Literal["EXPIRED"]
    # The intents that were paid, in their order.
    intents: List[str]
    # The `metadata` of the checkout.
    metadata: Dict[str, str]
    # When it could no longer be paid.
    expired_at: str
    # true: it is test money. The buyer chose the testing wallet, or paid a part into it, or could choose nothing else.
    is_test: bool


class ListWalletsQuery(TypedDict, total=False):
    """The query of `listWallets`."""

    # `1` includes the testing wallet. Anything else leaves it out.
    include_test: Literal["1"]


class ListIntentsQuery(TypedDict, total=False):
    """The query of `listIntents`."""

    # One or several, separated by commas, in capitals: `VERIFIED,WRONG_AMOUNT`. An unknown value is refused; empty means no filter.
    status: Union[IntentStatus, Sequence[IntentStatus]]
    # Exact payment code.
    code: str
    # Exact wallet reference.
    reference: str
    # Exact order number.
    external_order_id: str
    # Only intents of this wallet. An unknown wallet finds nothing.
    wallet: str
    # Created at this time or later. ISO 8601: `2026-01-02T06:04:05+03:00`, its `+` escaped as `%2B`. Without an offset it is in the zone of the service; a bare date is its midnight.
    created_after: Union[str, datetime]
    # Created at this time or earlier. ISO 8601: `2026-01-02T06:04:05+03:00`, its `+` escaped as `%2B`. Without an offset it is in the zone of the service; a bare date is its midnight.
    created_before: Union[str, datetime]
    # Words to look for in `reference`, `code` and `external_order_id`. Every word must occur in one of the three, anywhere in it, in either case. Words are split on spaces and commas; a phrase in double quotes stays whole.
    search: str
    # One or several fields to sort by, separated by commas; a leading `-` reverses. Unknown ones are ignored, equal ones are ordered by id, null comes last.
    ordering: Union[Literal["created_at", "verified_at", "payable_amount", "status", "-created_at", "-verified_at", "-payable_amount", "-status"], Sequence[Literal["created_at", "verified_at", "payable_amount", "status", "-created_at", "-verified_at", "-payable_amount", "-status"]]]
    # Intents per page. More than 100 counts as 100, an unusable value as 20.
    page_size: int
    # Number of the page, from 1; `last` is the last one. A page past the end is a 404.
    page: Union[int, str]


class ListCheckoutsQuery(TypedDict, total=False):
    """The query of `listCheckouts`."""

    # One or several, separated by commas, in capitals. An unknown value is refused.
    status: Union[CheckoutStatus, Sequence[CheckoutStatus]]
    # Exact order number.
    external_order_id: str
    # Exact wallet reference of one of its intents.
    reference: str
    # Only checkouts with an intent of this wallet.
    wallet: str
    # Created at this time or later; ISO 8601.
    created_after: Union[str, datetime]
    # Created at this time or earlier; ISO 8601.
    created_before: Union[str, datetime]
    # Words to look for in order number, description and customer. Every word must occur in one of them.
    search: str
    # What to sort by; a leading `-` reverses. Default `-created_at`.
    ordering: Literal["created_at", "amount", "status", "-created_at", "-amount", "-status"]
    # Checkouts per page, 100 at most, 20 by default.
    page_size: int
    # Number of the page, from 1; `last` is the last one.
    page: Union[int, str]


class ListLinksQuery(TypedDict, total=False):
    """The query of `listLinks`."""

    # Links per page, 100 at most, 20 by default.
    page_size: int
    # Number of the page, from 1; `last` is the last one.
    page: Union[int, str]


# An endpoint gets some kinds by default, and every other only if it subscribes to it.
WebhookEvent = Union[
    PaymentVerified,
    PaymentUnmatched,
    PaymentReceived,
    PaymentWrongAmount,
    PaymentExpired,
    PaymentCancelled,
    CheckoutCompleted,
    CheckoutExpired,
]

# Every code that an error of the service can have.
ErrorCode = Literal[
    "required",
    "null",
    "blank",
    "invalid",
    "max_length",
    "null_characters_not_allowed",
    "surrogate_characters_not_allowed",
    "min_value",
    "max_value",
    "max_decimal_places",
    "max_whole_digits",
    "max_digits",
    "max_string_length",
    "not_a_list",
    "invalid_choice",
    "does_not_exist",
    "wallet_not_monitored",
    "currency_mismatch",
    "quota_exceeded",
    "intent_not_pending",
    "reference_already_used",
    "reference_limit",
    "idempotency_key_reused",
    "parse_error",
    "not_authenticated",
    "authentication_failed",
    "permission_denied",
    "not_found",
    "method_not_allowed",
    "idempotency_in_progress",
    "request_too_large",
    "unsupported_media_type",
    "throttled",
    "error",
    "unavailable",
    "checkout_not_open",
    "link_limit",
]
