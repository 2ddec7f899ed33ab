/** The merchant API as types. Written from openapi/merchant.json by `npm run dumps`: do not edit. */

/** A short-lived access token. */
export type TokenAnswer = {
  /** A JWT. Send it unchanged; its content is internal and may change. */
  access_token: string
  /** How to send it: `Authorization: Bearer <access_token>`. */
  token_type: 'Bearer'
  /** Seconds until it expires. */
  expires_in: number
}

/** By name, then by id. */
export type WalletList = Wallet[]

/** A wallet that money can be collected into. */
export type Wallet = {
  /** Pass it as `wallet` when creating an intent. */
  id: string
  /** What the buyer sees. */
  name: string
  /** What the buyer sends money to. */
  account_number: string
  /** The sender that this wallet's payment alerts come from. */
  sender_name: string
  /** Currency of the wallet. Currently always `YER`. */
  currency: 'YER'
  provider: Provider
  /** true for the account's testing wallet. */
  is_test: boolean
}

/** A wallet company: its branding and state. */
export type Provider = {
  /** Identifier of the provider. */
  id: string
  /** Short name. */
  name: string
  /** The name to show to the buyer. */
  display_name: string
  /** Brand colour, `#RRGGBB`. */
  theme_color: string
  /** URL of the logo; `""` when there is none. */
  logo_url: string
  /** Whether the provider works now. */
  provider_status: 'ACTIVE' | 'INACTIVE' | 'MAINTENANCE'
}

/** Either `amount` or `items` is needed. No field may be null; fields we do not know are ignored. */
export type CreateIntent = {
  /** The wallet to collect into, from `GET /wallets/`. */
  wallet: string
  /** What to collect, from 0.01 to 999999999999.99. Required without `items`, ignored with them. A JSON number is read by its digits too, but many languages round numbers: send a string. */
  amount?: string | undefined
  /** The lines of the order. Required without `amount`. What to collect is their total, which must be from 0.01 to 999999999999.99. An empty list counts as left out. */
  items?: NewItem[] | undefined
  /** Only `YER`. Left out, it is the wallet's; sent, it must match it. */
  currency?: 'YER' | undefined
  /** Your own order number, echoed in answers and webhooks. Several intents may have the same one. */
  external_order_id?: string | undefined
  /** A free note, kept on the intent. */
  notes?: string | undefined
}

/** A line of the order. */
export type NewItem = {
  /** What is sold. */
  name: string
  /** More about it. */
  description?: string | undefined
  /** Price of one. 0 is allowed: a line may be free. */
  price: string
  /** How many; 1 when left out. */
  quantity?: number | undefined
}

/** The reference of the payment. */
export type AttachReference = {
  /** The transaction reference that the wallet showed the buyer. White space around it is trimmed. Send a string: a JSON number beyond 2^53 is refused, because its digits may be lost already. */
  reference: string
}

/** An amount to collect into a wallet, and what became of it. */
export type Intent = {
  /** Identifier of the intent, used in `/intents/{id}/`. */
  id: string
  /** Short payment code, easy to read aloud. Webhooks call it `payment_id`. */
  code: string
  /** Your order number; `""` when none was sent. */
  external_order_id: string
  /** As you sent it, trimmed; `""` until one is attached. */
  reference: string
  status: IntentStatus
  /** Total to collect. */
  base_amount: string
  /** What the buyer must pay, to the unit: show this. Equal to `base_amount`, unless the wallet has unique amounts: then a little more or less. */
  payable_amount: string
  /** What the buyer really sent when the status is `WRONG_AMOUNT`; otherwise null. */
  paid_amount: string | null
  /** Only `YER`. */
  currency: 'YER'
  /** The lines of the order; `[]` when an amount was sent. */
  items: Item[]
  /** Your note; `""` when none was sent. */
  notes: string
  wallet: IntentWallet
  provider: Provider
  /** End of the 1-hour window. */
  expires_at: string
  /** When the intent was created. */
  created_at: string
  /** When the payment was verified; null until then. */
  verified_at: string | null
  /** true when a person booked the payment from the unmatched queue. */
  manual_override: boolean
  /** Same meaning as `manual_override`. */
  collected_manually: boolean
  /** The payment alert that resolved the intent; null until there is one. */
  matched_event: MatchedEvent | null
  /** The device that reported the payment; null until there is one. */
  device: Device | null
  /** Always null. */
  subscription: null
}

/** Where the intent stands. All but `PENDING` are final. */
export type IntentStatus = 'PENDING' | 'VERIFIED' | 'WRONG_AMOUNT' | 'EXPIRED' | 'CANCELLED'

/** A line of the order. */
export type Item = {
  /** What is sold. */
  name: string
  /** More about it; `""` when left out. */
  description: string
  /** Price of one. */
  price: string
  /** How many. */
  quantity: number
  /** Price times quantity. */
  total_price: string
}

/** The wallet of an intent. */
export type IntentWallet = {
  /** Identifier of the wallet. */
  id: string
  /** What the buyer sees. */
  name: string
  /** The sender that this wallet's payment alerts come from. */
  sender_name: string
  /** true for the account's testing wallet. */
  is_test: boolean
  /** The slot of the wallet's SIM in the monitoring device; `""` when not set. */
  sim_slot: '' | 'SIM1' | 'SIM2'
  /** What the buyer sends money to. */
  account_number: string
}

/** The payment alert that resolved the intent. */
export type MatchedEvent = {
  /** Identifier of the alert. */
  id: string
  /** What the alert says was paid. */
  amount: string
  /** Who the alert came from. */
  sender: string
  /** The reference in the alert; `""` when it had none. */
  reference: string
  /** When the alert reached the service. */
  created_at: string
}

/** The device that reported the payment. */
export type Device = {
  /** Identifier of the device; it stays the same when the device is paired again. */
  id: string
  /** Name of the device. */
  name: string
}

/** One page of intents. */
export type IntentPage = {
  /** How many intents the filters find, on all pages. */
  count: number
  /** Absolute URL of the next page, with the same filters; null when there is none. */
  next: string | null
  /** Absolute URL of the previous page, with the same filters; null when there is none. */
  previous: string | null
  /** The intents of this page. */
  results: Intent[]
}

/** A payment was verified, automatically or by hand. */
export type PaymentVerified = {
  /** The kind of event. */
  event: 'payment.verified'
  /** The `code` of the intent. */
  payment_id: string
  /** The `id` of the intent. */
  intent_id: string
  /** The `external_order_id` of the intent; `""` if it has none. */
  order_id: string
  /** The transaction reference. */
  reference: string
  /** Total to collect. */
  base_amount: string
  /** The `payable_amount` of the intent. */
  amount: string
  /** Only `YER`. */
  currency: 'YER'
  /** The status of the intent. */
  status: 'VERIFIED'
  /** When the payment was verified. */
  verified_at: string
  /** true when a person booked the payment from the unmatched queue. */
  manual_override: boolean
}

/** Money arrived on a real wallet, and no intent matches it. */
export type PaymentUnmatched = {
  /** The kind of event. */
  event: 'payment.unmatched'
  /** Identifier of the payment alert. */
  event_id: string
  /** The reference in the alert; `""` when it had none. */
  reference: string
  /** What arrived. */
  amount: string
  /** Only `YER`. */
  currency: 'YER'
  /** The name of the wallet. */
  wallet: string
  /** When the alert reached the service. */
  received_at: string
  /** Always false: the testing wallet sends `payment.received` instead. */
  is_test: boolean
}

/** A payment arrived on the testing wallet. */
export type PaymentReceived = {
  /** The kind of event. */
  event: 'payment.received'
  /** Identifier of the payment alert. */
  event_id: string
  /** The reference in the alert; `""` when it had none. */
  reference: string
  /** What arrived. */
  amount: string
  /** Only `YER`. */
  currency: 'YER'
  /** What became of it, in this order: it matched no intent; it verified one; it ended one that asked for another amount. */
  resolution: 'UNMATCHED' | 'MATCHED' | 'WRONG_AMOUNT'
  /** When the alert reached the service. */
  received_at: string
  /** Always true. */
  is_test: boolean
}

/** Money with the reference of an intent arrived, but another amount. */
export type PaymentWrongAmount = {
  /** The kind of event. */
  event: 'payment.wrong_amount'
  /** The `code` of the intent. */
  payment_id: string
  /** The `id` of the intent. */
  intent_id: string
  /** The `external_order_id` of the intent; `""` if it has none. */
  order_id: string
  /** The transaction reference; `""` if none was attached. */
  reference: string
  /** Total to collect. */
  base_amount: string
  /** The `payable_amount` of the intent. */
  amount: string
  /** What arrived instead. */
  paid_amount: string
  /** Only `YER`. */
  currency: 'YER'
  /** The status of the intent. */
  status: 'WRONG_AMOUNT'
  /** When the intent ended. */
  ended_at: string
  /** true when a person booked the payment from the unmatched queue. */
  manual_override: boolean
  /** true: the intent was of the testing wallet. */
  is_test: boolean
}

/** The window of an intent ended without payment. */
export type PaymentExpired = {
  /** The kind of event. */
  event: 'payment.expired'
  /** The `code` of the intent. */
  payment_id: string
  /** The `id` of the intent. */
  intent_id: string
  /** The `external_order_id` of the intent; `""` if it has none. */
  order_id: string
  /** The transaction reference; `""` if none was attached. */
  reference: string
  /** Total to collect. */
  base_amount: string
  /** The `payable_amount` of the intent. */
  amount: string
  /** Nothing arrived for it. */
  paid_amount: null
  /** Only `YER`. */
  currency: 'YER'
  /** The status of the intent. */
  status: 'EXPIRED'
  /** When the intent ended. */
  ended_at: string
  /** true when a person booked the payment from the unmatched queue. */
  manual_override: boolean
  /** true: the intent was of the testing wallet. */
  is_test: boolean
}

/** An intent was cancelled. */
export type PaymentCancelled = {
  /** The kind of event. */
  event: 'payment.cancelled'
  /** The `code` of the intent. */
  payment_id: string
  /** The `id` of the intent. */
  intent_id: string
  /** The `external_order_id` of the intent; `""` if it has none. */
  order_id: string
  /** The transaction reference; `""` if none was attached. */
  reference: string
  /** Total to collect. */
  base_amount: string
  /** The `payable_amount` of the intent. */
  amount: string
  /** Nothing arrived for it. */
  paid_amount: null
  /** Only `YER`. */
  currency: 'YER'
  /** The status of the intent. */
  status: 'CANCELLED'
  /** When the intent ended. */
  ended_at: string
  /** true when a person booked the payment from the unmatched queue. */
  manual_override: boolean
  /** true: the intent was of the testing wallet. */
  is_test: boolean
}

/** Every error has this form. */
export type ErrorAnswer = {
  /** `validation_error`: fields or rules over them. `client_error`: every other 4xx. `server_error`: 5xx. */
  type: 'validation_error' | 'client_error' | 'server_error'
  /** All wrong fields of a request are listed at once, top-level fields first. */
  errors: ErrorEntry[]
}

/** One thing that is wrong with the request. */
export type ErrorEntry = {
  /** What is wrong, for programs. The introduction lists all codes. */
  code: string
  /** What is wrong, for people. */
  detail: string
  /** The field it is about: `wallet`; `items.1.price` inside the order lines, counted from 0; `non_field_errors` for rules over several fields; the name of the header when a header is wrong; null when the error is not about validation. */
  attr: string | null
}

/** The query of `listWallets`. */
export type ListWalletsQuery = {
  /** `1` includes the testing wallet. Anything else leaves it out. */
  include_test?: '1' | undefined
}

export type ListIntentsQuery_ordering =
  | 'created_at'
  | 'verified_at'
  | 'payable_amount'
  | 'status'
  | '-created_at'
  | '-verified_at'
  | '-payable_amount'
  | '-status'

/** The query of `listIntents`. */
export type ListIntentsQuery = {
  /** One or several, separated by commas, in capitals: `VERIFIED,WRONG_AMOUNT`. An unknown value is refused; empty means no filter. */
  status?: IntentStatus[] | undefined
  /** Exact payment code. */
  code?: string | undefined
  /** Exact wallet reference. */
  reference?: string | undefined
  /** Exact order number. */
  external_order_id?: string | undefined
  /** Only intents of this wallet. An unknown wallet finds nothing. */
  wallet?: string | undefined
  /** Created at this time or later. ISO 8601: `2026-01-02T06:04:05+03:00`, its `+` escaped as `%2B`. Without an offset it is in the zone of the service; a bare date is its midnight. */
  created_after?: string | undefined
  /** Created at this time or earlier. ISO 8601: `2026-01-02T06:04:05+03:00`, its `+` escaped as `%2B`. Without an offset it is in the zone of the service; a bare date is its midnight. */
  created_before?: string | undefined
  /** Words to look for in `reference`, `code` and `external_order_id`. Every word must occur in one of the three, anywhere in it, in either case. Words are split on spaces and commas; a phrase in double quotes stays whole. */
  search?: string | undefined
  /** One or several fields to sort by, separated by commas; a leading `-` reverses. Unknown ones are ignored, equal ones are ordered by id, null comes last. */
  ordering?: ListIntentsQuery_ordering[] | undefined
  /** Intents per page. More than 100 counts as 100, an unusable value as 20. */
  page_size?: number | undefined
  /** Number of the page, from 1; `last` is the last one. A page past the end is a 404. */
  page?: number | 'last' | undefined
}

/** Every code that an error of the service can have. */
export type ErrorCode =
  | 'required'
  | 'null'
  | 'blank'
  | 'invalid'
  | 'max_length'
  | 'null_characters_not_allowed'
  | 'surrogate_characters_not_allowed'
  | 'min_value'
  | 'max_value'
  | 'max_decimal_places'
  | 'max_whole_digits'
  | 'max_digits'
  | 'max_string_length'
  | 'not_a_list'
  | 'invalid_choice'
  | 'does_not_exist'
  | 'wallet_not_monitored'
  | 'currency_mismatch'
  | 'quota_exceeded'
  | 'intent_not_pending'
  | 'reference_already_used'
  | 'reference_limit'
  | 'idempotency_key_reused'
  | 'parse_error'
  | 'not_authenticated'
  | 'authentication_failed'
  | 'permission_denied'
  | 'not_found'
  | 'method_not_allowed'
  | 'idempotency_in_progress'
  | 'request_too_large'
  | 'unsupported_media_type'
  | 'throttled'
  | 'error'
  | 'unavailable'
  | 'checkout_not_open'
  | 'link_limit'
