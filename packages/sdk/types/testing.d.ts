/** Sanad in memory, for a shop's own tests. It sends no hints: `hint` of its errors is null and `ignored` is empty. */
import type { FetchLike, Intent, SanadOptions, Wallet, WebhookEvent } from './sdk.js'

/** `state`: `off`, its phone is off (`wallet_not_monitored`); `closed`, it is not known (`does_not_exist`). */
export type FakeWallet = Wallet & {
  state?: 'off' | 'closed' | undefined
  sim_slot?: '' | 'SIM1' | 'SIM2' | undefined
}

export type FakeFault = {
  /** Answers with this status: 429, 500 and 503 as the service does, any other as a proxy. */
  status?: number | undefined
  /** Seconds. */
  retryAfter?: number | undefined
  /** `request`: it never arrives. `answer`: it is processed, and its answer gets lost. */
  lose?: 'request' | 'answer' | undefined
  /** Only requests whose path begins with this text, such as `/intents/`. */
  on?: string | undefined
  /** Only requests of this method, such as `POST`. */
  method?: 'GET' | 'POST' | 'PATCH' | undefined
  /** Default 1. */
  times?: number | undefined
}

export type FakePayment =
  | { wallet: string; amount: string; reference: string }
  | {
      checkout: string
      wallet?: string | undefined
      amount?: string | undefined
      reference?: string | undefined
    }
  | {
      link: string
      wallet?: string | undefined
      amount?: string | undefined
      reference?: string | undefined
    }

export type FakeWebhook = {
  event: WebhookEvent
  body: string
  headers: Record<string, string>
  /** The delivery as a request, for handlers of Next, Hono and others. */
  request(): Request
}

export type FakeSanad = {
  /** For `new Sanad(fake.options)`. Its waits move the time of the fake and take no time. */
  options: SanadOptions & {
    fetch: FetchLike
    sleep: (ms: number, signal?: AbortSignal) => Promise<void>
    now: () => number
  }
  signingSecret: string
  wallets: readonly FakeWallet[]
  /** Every request so far. `status` is null where no answer arrived. */
  calls: ReadonlyArray<{ method: string; path: string; status: number | null }>
  /** Whole milliseconds. */
  now(): number
  advance(ms: number): void
  /**
   * The buyer's money arrives: in a wallet, or on the page of a checkout or of a payment link. For a page, the default wallet
   * is the first that is offered, the default amount what is still to be paid, and the default reference is random.
   */
  pay(payment: FakePayment): void
  /**
   * A user books money to the intent in the dashboard. An intent that has ended stays as it is: the booking makes a new
   * VERIFIED intent of the same order, over the payable amount, or over the wrong amount that arrived.
   */
  book(intentId: string, reference: string): Intent
  /** As a user does it in the dashboard. */
  cancel(intentId: string): void
  /** Every token is refused from now on. */
  revokeTokens(): void
  /** The next request fails: the next `times` requests, of those with this `method` whose path begins with `on`. */
  fail(fault: FakeFault): void
  /** The webhooks since the last call, signed now. They include events of checkouts, which the service sends only to subscribers. */
  webhooks(): Promise<FakeWebhook[]>
  /** Any event as a signed webhook, such as `payment.unmatched`, which the fake never makes by itself. */
  sign(event: WebhookEvent): Promise<FakeWebhook>
}

export declare const createFakeSanad: (options?: {
  wallets?: readonly FakeWallet[] | undefined
  device?: { id: string; name: string } | undefined
  /** Where its time begins, in milliseconds. Default: now. */
  now?: number | undefined
  /** The zone of its times, in minutes east of UTC. Default 180. */
  offset_min?: number | undefined
  clientId?: string | undefined
  clientSecret?: string | undefined
  signingSecret?: string | undefined
  /** Also sends `payment.wrong_amount`, `payment.expired` and `payment.cancelled`, as to an endpoint that subscribes to them. */
  endEvents?: boolean | undefined
}) => FakeSanad
