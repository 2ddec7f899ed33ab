/**
 * What @sanad/sdk gives a merchant's server, as types. The JavaScript in `src` is checked against this file, and the
 * events against the contract.
 */

/** A payment was verified, automatically or by hand. Deliver the order. */
export type PaymentVerified = {
  event: 'payment.verified'
  /** The `code` of the intent. */
  payment_id: string
  /** The `id` of the intent. */
  intent_id: string
  /** The `external_order_id` of the intent; `""` if it has none. */
  order_id: string
  reference: string
  /** Amounts are decimal strings with two decimals, such as `"1500.00"`: never make a float of them. */
  base_amount: string
  /** The `payable_amount` of the intent. */
  amount: string
  currency: 'YER'
  status: 'VERIFIED'
  /** ISO 8601 with an offset, as all times here. */
  verified_at: string
  /** A user booked the payment by hand from the unmatched queue. */
  manual_override: boolean
}

/** Money arrived in a real wallet and matched no intent. Only for endpoints that subscribe to it. */
export type PaymentUnmatched = {
  event: 'payment.unmatched'
  /** Names the payment, not the delivery: repeats are dropped by the header `X-Service-Event-Id`. */
  event_id: string
  /** `""` when the alert had none. */
  reference: string
  amount: string
  currency: 'YER'
  /** The name of the wallet. */
  wallet: string
  received_at: string
  is_test: boolean
}

/** A payment arrived on the test wallet. If it verified an intent, `payment.verified` follows. */
export type PaymentReceived = {
  event: 'payment.received'
  /** Names the payment, not the delivery: repeats are dropped by the header `X-Service-Event-Id`. */
  event_id: string
  reference: string
  amount: string
  currency: 'YER'
  /** It matched no intent; it verified one; it matched one, but with another amount. */
  resolution: 'UNMATCHED' | 'MATCHED' | 'WRONG_AMOUNT'
  received_at: string
  is_test: boolean
}

export type WebhookEvent = PaymentVerified | PaymentUnmatched | PaymentReceived

export type WebhookErrorCode =
  | 'missing_header'
  | 'malformed_header'
  | 'no_match'
  | 'too_old'
  | 'too_new'
  | 'malformed_body'

/** The request is not a webhook to act on: answer 400. `code` is for programs, `message` is a sentence for the log. */
export declare class WebhookError extends Error {
  readonly name: 'WebhookError'
  readonly code: WebhookErrorCode
  constructor(code: WebhookErrorCode, message: string, options?: { cause?: unknown })
}

export type VerifyOptions = {
  /** How many seconds the signature's time may differ from this machine's clock. Default 300; Infinity: any. */
  toleranceS?: number | undefined
  /** The time to judge by, in milliseconds as Date.now() gives it. */
  now?: number | undefined
}

/**
 * Verifies that a webhook comes from Sanad and is recent, and returns its event.
 *
 * A kind that this version does not know is returned as well, so that a new one breaks nobody: have a `default`.
 *
 * @param rawBody The body exactly as it arrived, before any JSON parsing.
 * @param header The value of `X-Service-Signature`.
 * @param secret The endpoint's secret, or several while you change from one to another.
 * @throws {WebhookError} The request is not genuine, not fresh, or not an event.
 * @throws {TypeError} It was called wrongly: no secret, or a body that was already parsed.
 */
export declare const verifyWebhook: (
  rawBody: string | Uint8Array | ArrayBuffer,
  header: string | readonly string[] | null | undefined,
  secret: string | readonly string[],
  options?: VerifyOptions,
) => Promise<WebhookEvent>
