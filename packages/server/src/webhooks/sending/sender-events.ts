/**
 * The inputs and effects of the sender's state machine (sender-state.ts). `sender.ts` runs each effect and reports
 * what came of it as an event.
 */
import type { AccountId, EndpointId } from '../../core/ids.ts'
import type { Share } from './share-calls.ts'
import type { Load } from './yield-calls.ts'

/** Events of one account that have just been committed by this process. */
export type NewEvents = { readonly accountId: AccountId; readonly events: number }

/** What the machine must know of a claimed delivery. `leads`: another event may follow it. */
export type Claimed = {
  readonly endpoint_id: EndpointId
  readonly account_id: AccountId
  readonly attempt: number
  readonly leads: boolean
}

/** An endpoint with unfinished deliveries, as the query found it. `due`: one of them may be sent now. */
export type SeenEndpoint = {
  readonly id: EndpointId
  readonly account_id: AccountId
  readonly room: number
  readonly due: boolean
}

/** `now_ms` is of a clock that is never set back; only differences of it count. */
export type SenderEvent<Delivery extends Claimed = Claimed, Lease = unknown> =
  | { readonly kind: 'start' }
  | { readonly kind: 'stop' }
  | { readonly kind: 'wake'; readonly committed?: NewEvents | undefined }
  | { readonly kind: 'timer' }
  | { readonly kind: 'planned'; readonly now_ms: number; readonly load: Load | undefined }
  | { readonly kind: 'found'; readonly endpoints: readonly SeenEndpoint[]; readonly now_ms: number }
  | { readonly kind: 'claimed'; readonly deliveries: readonly Delivery[]; readonly lease: Lease }
  /** The look or the claim failed. */
  | { readonly kind: 'failed' }
  /** The receiver accepted it; it is not recorded yet. */
  | { readonly kind: 'answered'; readonly call: number }
  /** Recorded, or left to its lease. */
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
  /** Read a page of endpoints, those with an id after this one, and answer with `found` or `failed`. */
  | { readonly kind: 'look'; readonly after: string; readonly limit: number }
  /** Answer with `claimed` or `failed`. */
  | { readonly kind: 'claim'; readonly shares: readonly Share[]; readonly firstOnly: boolean }
  /** Make the call, perhaps answer with `answered`, record it, and answer with `ended` whatever happened. */
  | { readonly kind: 'send'; readonly call: number; readonly delivery: Delivery; readonly lease: Lease }
  | { readonly kind: 'stopped' }
