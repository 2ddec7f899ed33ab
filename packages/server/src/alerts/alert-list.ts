/**
 * The filters of the list of alerts, and the index that is scanned for them (`ScannedIndex`). Filters that the index does not
 * cover (`hits` in alert-list-sql.ts) are checked on the alerts that it returns, at most `mostScanned` for a page. Then the page
 * ends, short or empty, with the position to continue from. So a search for a rare term in a million alerts stays fast. Pure.
 */
import { type QueueState, queueStates } from '@sanad/contract/kinds'
import type { Instant } from '../core/clock.ts'
import type { Minor } from '../core/money.ts'
import type { Scope } from '../core/scope.ts'
import type { AlertState } from './alert.ts'

export { type QueueState, queueStates }

export type AlertFilter = {
  readonly scope: Scope
  /** Undefined: all. */
  readonly states: readonly AlertState[] | undefined
  readonly walletId: string | undefined
  readonly phoneId: string | undefined
  readonly templateId: string | undefined
  readonly from: Instant | undefined
  readonly until: Instant | undefined
  readonly amount: Minor | undefined
  /** Each term must occur in the reference or in the payer. Terms are folded (`fold` in intents/intent.ts). */
  readonly terms: readonly string[]
}

export type AlertPage = {
  readonly newestFirst: boolean
  /** The page begins after this alert. */
  readonly after: string | undefined
  readonly size: number
}

export const mostScanned = 10_000
export const largestPage = 200

export type ScannedIndex =
  | { readonly kind: 'phone' }
  /** The index of one state. */
  | { readonly kind: 'state'; readonly state: AlertState }
  /** The index of the queue, or of a wallet's queue. */
  | { readonly kind: 'queue' }
  | { readonly kind: 'all' }

const inQueue = (state: AlertState): boolean => (queueStates as readonly AlertState[]).includes(state)

export const indexFor = ({ states, walletId, phoneId }: AlertFilter): ScannedIndex => {
  if (phoneId !== undefined) return { kind: 'phone' }
  const [state, ...others] = states ?? []
  if (state !== undefined && others.length === 0 && walletId === undefined && (inQueue(state) || state === 'dismissed'))
    return { kind: 'state', state }
  return states?.every(inQueue) ? { kind: 'queue' } : { kind: 'all' }
}
