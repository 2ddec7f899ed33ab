/**
 * The types of @sanad/sdk. The JavaScript in `src` is checked against this file. The objects of the API are in
 * merchant-api.d.ts and checkout-api.d.ts, which are written from the OpenAPI documents.
 */
import type {
  ChangeLink,
  Checkout,
  CheckoutCompleted,
  CheckoutExpired,
  CheckoutPage,
  CheckoutStatus,
  CreateCheckout,
  CreateLink,
  ListCheckoutsQuery,
  PaymentLink,
  PaymentLinkPage,
} from './checkout-api.js'
import type {
  CreateIntent,
  ErrorAnswer,
  ErrorCode,
  Intent,
  IntentPage,
  IntentStatus,
  ListIntentsQuery,
  ListIntentsQuery_ordering,
  NewItem,
  PaymentCancelled,
  PaymentExpired,
  PaymentReceived,
  PaymentUnmatched,
  PaymentVerified,
  PaymentWrongAmount,
  Wallet,
} from './merchant-api.js'

export type {
  ChangeLink,
  Checkout,
  CheckoutCompleted,
  CheckoutExpired,
  CheckoutIntent,
  CheckoutPage,
  CheckoutStatus,
  CreateCheckout,
  CreateLink,
  PaymentLink,
  PaymentLinkPage,
} from './checkout-api.js'
export type {
  CreateIntent,
  Device,
  ErrorCode,
  Intent,
  IntentPage,
  IntentStatus,
  IntentWallet,
  Item,
  MatchedEvent,
  NewItem,
  PaymentCancelled,
  PaymentExpired,
  PaymentReceived,
  PaymentUnmatched,
  PaymentVerified,
  PaymentWrongAmount,
  Provider,
  Wallet,
} from './merchant-api.js'

// The client.

export type SanadOptions = {
  /** Where the service is: `https://pay.example.com`, with or without `/api/v1/merchant`. */
  baseUrl: string
  clientId: string
  /** Keep it on your server only. */
  clientSecret: string
  /** Another `fetch`: for a proxy, or the fake of `@sanad/sdk/testing`. */
  fetch?: FetchLike | undefined
  /** Milliseconds for one attempt, its answer included. Default 30,000. */
  timeout?: number | undefined
  /** How often a failed request is sent again, where that is safe. Default 3; 0: never. */
  maxRetries?: number | undefined
  /** The longest wait in milliseconds before a retry. A longer `Retry-After` is thrown at once. Default 60,000. */
  maxRetryWait?: number | undefined
  /** Waits for a number of milliseconds. For tests. */
  sleep?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined
  /** The time in milliseconds. For tests. */
  now?: (() => number) | undefined
}

export type FetchLike = (
  url: string,
  init: {
    method: string
    headers: Record<string, string>
    body?: string
    signal: AbortSignal
    redirect: 'manual'
  },
) => Promise<{
  readonly status: number
  readonly headers: { get(name: string): string | null }
  text(): Promise<string>
}>

export type CallOptions = {
  /** Ends the call, its retries and its waits. The call then throws the signal's reason. */
  signal?: AbortSignal | undefined
}

export type CreateOptions = CallOptions & {
  /**
   * One for each attempt at an order: 1 to 128 characters, kept by the service for 24 hours. Left out, the SDK makes one, which
   * protects its own retries only.
   */
  idempotencyKey?: string | undefined
}

/** The filters of `GET /intents/`. A filter of several values takes one or a list; a time takes a text or a Date. */
export type IntentFilter = Omit<
  ListIntentsQuery,
  'status' | 'ordering' | 'created_after' | 'created_before' | 'page'
> & {
  status?: IntentStatus | readonly IntentStatus[] | undefined
  ordering?: ListIntentsQuery_ordering | readonly ListIntentsQuery_ordering[] | undefined
  created_after?: string | Date | undefined
  created_before?: string | Date | undefined
}

export type WaitOptions = CallOptions & {
  /** What to wait for: a status, a list of them, or a rule. Default: any final status. A final status always ends the wait. */
  until?: IntentStatus | readonly IntentStatus[] | ((intent: Intent) => boolean) | undefined
  /** Milliseconds. Default 600,000 (ten minutes). */
  timeout?: number | undefined
}

export type Wallets = {
  /** The wallets that can collect money now. */
  list(options?: CallOptions & { includeTest?: boolean | undefined }): Promise<Wallet[]>
}

export type Intents = {
  /** Amounts are strings: a number throws a TypeError. A repeated key gives the intent as it is now. */
  create(body: CreateIntent, options?: CreateOptions): Promise<Intent>
  retrieve(id: string, options?: CallOptions): Promise<Intent>
  /** Safe to repeat: an intent that this very reference has already resolved is returned. */
  attachReference(id: string, reference: string, options?: CallOptions): Promise<Intent>
  /**
   * Every intent that the filter finds. In the order of creation each that can be read when the list begins, and that stays in the
   * filter, comes once, whatever is added meanwhile. Of those that are added meanwhile, `created_at` returns each that can be read
   * within 10 s after its `created_at` and before the last request, perhaps after newer ones (with a filter that intents can leave,
   * `status`, `reference` or `search`, only if no more than a page were created in those 10 s); `-created_at` (the default) returns none
   * that is newer than what came already. In another order none comes twice, and one that moves can be missed.
   */
  list(filter?: IntentFilter, options?: CallOptions): AsyncIterableIterator<Intent>
  /** One page, with the count of all. */
  page(filter?: IntentFilter & { page?: number | 'last' | undefined }, options?: CallOptions): Promise<IntentPage>
  /** Reads the intent until it has ended. @throws {SanadWaitError} The time is over. */
  wait(id: string, options?: WaitOptions): Promise<Intent>
}

/** The filters of `GET /sessions/`. A filter of several values takes one or a list; a time takes a text or a Date. */
export type CheckoutFilter = Omit<
  ListCheckoutsQuery,
  'status' | 'ordering' | 'created_after' | 'created_before' | 'page'
> & {
  status?: CheckoutStatus | readonly CheckoutStatus[] | undefined
  /** One of them; a leading `-` reverses. */
  ordering?: 'created_at' | '-created_at' | 'amount' | '-amount' | 'status' | '-status' | undefined
  created_after?: string | Date | undefined
  created_before?: string | Date | undefined
}

/** Pages of Sanad on which a buyer pays one order. */
export type Checkouts = {
  /** Send the buyer to its `url`. Amounts are strings. A repeated key gives the checkout as it is now. */
  create(body: CreateCheckout, options?: CreateOptions): Promise<Checkout>
  retrieve(id: string, options?: CallOptions): Promise<Checkout>
  /** Every checkout that the filter finds, as `intents.list` does. */
  list(filter?: CheckoutFilter, options?: CallOptions): AsyncIterableIterator<Checkout>
  /** One page, with the count of all. */
  page(filter?: CheckoutFilter & { page?: number | 'last' | undefined }, options?: CallOptions): Promise<CheckoutPage>
  /** Ends it while it is OPEN. Safe to repeat: one that is CANCELLED is returned. */
  cancel(id: string, options?: CallOptions): Promise<Checkout>
}

/** Links to share. Each buyer who goes on to pay gets a checkout of their own. */
export type Links = {
  /**
   * Not sent again after a lost answer: the service keeps no key for links. The link may exist then: look for it with `list`,
   * by a mark of your own in `metadata`, before you create it again.
   */
  create(body: CreateLink, options?: CallOptions): Promise<PaymentLink>
  retrieve(id: string, options?: CallOptions): Promise<PaymentLink>
  /** Every link, newest first. */
  list(options?: { page_size?: number | undefined }, more?: CallOptions): AsyncIterableIterator<PaymentLink>
  page(
    options?: { page_size?: number | undefined; page?: number | 'last' | undefined },
    more?: CallOptions,
  ): Promise<PaymentLinkPage>
  /** Switches a link off or on. */
  update(id: string, changes: ChangeLink, options?: CallOptions): Promise<PaymentLink>
}

export declare class Sanad {
  constructor(options: SanadOptions)
  readonly wallets: Wallets
  readonly intents: Intents
  /** Your own payment page: one live intent for each order. */
  readonly checkout: OrderCheckout
  /** Sanad's payment page. */
  readonly checkouts: Checkouts
  readonly links: Links
}

// One live intent for each order.

/** What the store keeps for an order: JSON. Only the SDK reads it. */
export type CheckoutRecord = {
  /** 1 when the record is first stored, then one more each time. */
  version: number
  attempt: number
  idempotencyKey: string
  request: CreateIntent
  /** Null until the answer is known. */
  intentId: string | null
  /** Intents in which another amount arrived, and after which the shop asked once more (`again`). Records of earlier versions have none. */
  decided?: string[] | undefined
}

/** A table of your database: order id, version, record. */
export type CheckoutStore = {
  get(orderId: string): Promise<CheckoutRecord | null | undefined>
  /**
   * Stores the record if no other call was faster: version 1 only if the order has no record, any other version only if the
   * stored version is the one before. Returns whether it was stored.
   */
  set(orderId: string, record: CheckoutRecord): Promise<boolean>
}

/**
 * - `pay`: show the wallet and the amount.
 * - `checking`: the reference is attached, the payment has not been seen yet.
 * - `paid`: an intent of the order is VERIFIED. Compare `paid` with `asked`.
 * - `wrong_amount`: another amount arrived (`paid_amount`). A user of the shop decides.
 */
export type CheckoutState = 'pay' | 'checking' | 'paid' | 'wrong_amount'

export type CheckoutOptions = CallOptions & {
  /** Your order number, at most 128 characters. No other order of the account may have it: see `ignore`. */
  orderId: string
  wallet: string
  /** A string such as "1500.00". Or `items`. */
  amount?: string | undefined
  items?: NewItem[] | undefined
  notes?: string | undefined
  store: CheckoutStore
  /** After `wrong_amount`: ask for the whole amount once more. */
  again?: boolean | undefined
  /** If the number was used before, on purpose: the ids of the intents that paid the earlier orders. They do not count. */
  ignore?: readonly string[] | undefined
}

export type StartedCheckout = {
  state: CheckoutState
  /** The intent to show; of a paid order, the one that was verified first. */
  intent: Intent
  /** The number of the attempt in the store; 0: the store has none. */
  attempt: number
  /** What this call asks for, such as "1500.00". Null: the amount is written in a way that only the service reads (`1e3`). */
  asked: string | null
  /** What the VERIFIED intents of the order add up to (`base_amount`): "0.00" unless the state is `paid`. */
  paid: string
}

export type OrderCheckout = {
  /**
   * The live intent of the order; a new one when there is none. Safe to call at any time. Once any intent of the order is
   * VERIFIED, whoever made it, the state is `paid`. Each call reads the list of the order's intents, and creating a second
   * intent reads it twice: a key has 60 lists a minute. To follow one payment use `intents.retrieve` or `intents.wait`.
   */
  start(options: CheckoutOptions): Promise<StartedCheckout>
}

/** A store in memory, for tests and for a first try. */
export declare const memoryStore: () => CheckoutStore

// Errors.

/** The service answered with an error. Decide by `has(code, attr)`. */
export declare class SanadError extends Error {
  readonly name: 'SanadError'
  readonly status: number
  readonly type: ErrorAnswer['type']
  readonly errors: ReadonlyArray<{ code: ErrorCode; detail: string; attr: string | null }>
  /** The first code. */
  readonly code: ErrorCode
  /** Seconds; null when the answer had no `Retry-After`. */
  readonly retryAfter: number | null
  /** Names the request in the log of the service. */
  readonly requestId: string | null
  /** How to repair the request, in one sentence, also at the end of `message`; null when the service had no hint, and
   *  always with the fake of `@sanad/sdk/testing`. */
  readonly hint: string | null
  /** Fields and parameters that were sent and that the service does not know; always empty with the fake. */
  readonly ignored: readonly string[]
  constructor(facts: {
    status: number
    type: ErrorAnswer['type']
    errors: ReadonlyArray<{ code: ErrorCode; detail: string; attr: string | null }>
    retryAfter?: number | null
    requestId?: string | null
    advice?: string | undefined
    hint?: string | null
    ignored?: readonly string[]
  })
  has(code: ErrorCode, attr?: string | null): boolean
}

/**
 * No answer of the service: whether the request was processed is not known.
 *
 * - `unreachable`: no connection, or it was lost.
 * - `timeout`: no whole answer in time.
 * - `not_sanad`: something else answered, such as a proxy. `status` is its status.
 */
export declare class SanadConnectionError extends Error {
  readonly name: 'SanadConnectionError'
  readonly reason: 'unreachable' | 'timeout' | 'not_sanad'
  readonly status: number | null
  constructor(
    reason: 'unreachable' | 'timeout' | 'not_sanad',
    message: string,
    options?: { cause?: unknown; status?: number },
  )
}

/** `intents.wait` ended without the result. `intent` is as it was last seen. */
export declare class SanadWaitError extends Error {
  readonly name: 'SanadWaitError'
  readonly intent: Intent
  constructor(intent: Intent, timeout_ms: number)
}

// Webhooks.

/** An endpoint gets `payment.verified` and `payment.received` by default, and every other kind only if it subscribes to it. */
export type WebhookEvent =
  | PaymentVerified
  | PaymentUnmatched
  | PaymentReceived
  | PaymentWrongAmount
  | PaymentExpired
  | PaymentCancelled
  | CheckoutCompleted
  | CheckoutExpired

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
  /** The current time, in milliseconds as Date.now() returns it. */
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

/** The headers of a delivery. `""` where one is missing. */
export type Delivery = {
  /** The same for every repetition of an event. */
  readonly eventId: string
  readonly deliveryId: string
  readonly attempt: string
  /** No money arrived: an event of the test wallet, or made up by the dashboard or by `sanad trigger`. */
  readonly isTest: boolean
}

export type ReceiverOptions<Context> = {
  /** The endpoint's signing secret, several during a rotation, or a function that reads it from the request's context. */
  secret: string | readonly string[] | ((context: Context) => string | readonly string[])
  /** Called for each genuine delivery. What it throws is answered with 500, and Sanad sends the event again. */
  onEvent: (event: WebhookEvent, delivery: Delivery) => unknown
  /** Every refused or failed delivery. Default: one line with `console.error`. */
  onError?: ((fault: unknown) => void) | undefined
  toleranceS?: number | undefined
  /** The time in milliseconds. For tests. */
  now?: (() => number) | undefined
}

/** The part of a request of Node or Express that is read here. */
export type NodeRequest = AsyncIterable<Uint8Array | string> & {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body?: unknown
  readonly rawBody?: unknown
}
export type NodeResponse = { statusCode: number; end(text?: string): unknown }

/** The part of an app of Fastify that is used here. */
export type FastifyScope = {
  removeAllContentTypeParsers(): unknown
  addContentTypeParser: (...args: never) => unknown
  post: (...args: never) => unknown
}

/** The part of a context of Hono that is read here. */
export type HonoContext = {
  readonly req: { header(name: string): string | undefined; arrayBuffer(): Promise<ArrayBuffer> }
}

export declare const webhooks: {
  readonly verify: typeof verifyWebhook
  /** Express, and a plain server of node:http. Mount it before `express.json()`. */
  express<Request extends NodeRequest>(
    options: ReceiverOptions<Request>,
  ): (request: Request, response: NodeResponse) => Promise<void>
  /** A plugin: `app.register(webhooks.fastify({ path: '/webhooks/sanad', ... }))`. */
  fastify(options: ReceiverOptions<unknown> & { path: string }): (app: FastifyScope) => Promise<void>
  hono<Context extends HonoContext>(options: ReceiverOptions<Context>): (context: Context) => Promise<Response>
  /** A route handler of Next's app router; also for Deno.serve, Bun.serve and Workers. */
  next(options: ReceiverOptions<Request>): (request: Request) => Promise<Response>
}
