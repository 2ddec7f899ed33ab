/**
 * The events and effects of the sender's state machine (sender-state.ts). `sender.ts` runs each effect and reports its result as
 * an event.
 */
import type { AccountId, EndpointId } from '../../core/ids.ts'
import type { Share } from './share-calls.ts'
import type { Load } from './yield-calls.ts'

/** Events of one account that have just been committed by this process. */
export type NewEvents = { readonly accountId: AccountId; readonly events: number }

/** What the machine needs of a claimed delivery. `leads`: another event may follow it. */
export type Claimed = {
  readonly endpoint_id: EndpointId
  readonly account_id: AccountId
  readonly attempt: number
  readonly leads: boolean
}

/** An endpoint with waiting deliveries, as the query found it. `due`: one of them may be sent now. */
export type FoundEndpoint = {
  readonly id: EndpointId
  readonly account_id: AccountId
  readonly call_limit: number
  readonly due: boolean
}

/** `now_ms`: the time of a monotonic clock; only differences count. */
export type SenderEvent<Delivery extends Claimed = Claimed, Lease = unknown> =
  | { readonly kind: 'start' }
  | { readonly kind: 'stop' }
  | { readonly kind: 'wake'; readonly committed?: NewEvents | undefined }
  | { readonly kind: 'timer' }
  | { readonly kind: 'planned'; readonly now_ms: number; readonly load: Load | undefined }
  | { readonly kind: 'found'; readonly endpoints: readonly FoundEndpoint[]; readonly now_ms: number }
  | { readonly kind: 'claimed'; readonly deliveries: readonly Delivery[]; readonly lease: Lease }
  /** The look or the claim failed. */
  | { readonly kind: 'failed' }
  /** The receiver accepted the event; the result is not recorded yet. */
  | { readonly kind: 'answered'; readonly call: number }
  /** The result was recorded, or could not be: then the lease will end. */
  | { readonly kind: 'ended'; readonly call: number }

export type SenderEffect<Delivery extends Claimed = Claimed, Lease = unknown> =
  /** Send `wake` at a steady interval. */
  | { readonly kind: 'start-polling' }
  /** Polling and the timer end. */
  | { readonly kind: 'stop-timers' }
  /** Send `timer` after so long. There is one timer at most. */
  | { readonly kind: 'set-timer'; readonly wait_ms: number }
  /** Answer with `planned` at once. */
  | { readonly kind: 'plan' }
  /** Read a page of endpoints after this id, and answer with `found` or `failed`. */
  | { readonly kind: 'look'; readonly after: string; readonly limit: number }
  /** Answer with `claimed` or `failed`. */
  | { readonly kind: 'claim'; readonly shares: readonly Share[]; readonly firstOnly: boolean }
  /** Make the call, answer with `answered` if it succeeded, record it, and answer with `ended` in any case. */
  | { readonly kind: 'send'; readonly call: number; readonly delivery: Delivery; readonly lease: Lease }
  | { readonly kind: 'stopped' }
