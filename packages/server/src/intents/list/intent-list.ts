/**
 * The filters and the order of a list of intents, and how its query is split into parts that an index returns in order. Pure.
 *
 * A list that filters or orders by status is read status by status: within one stored status the rows are in the order
 * of their ids. An intent whose window has closed counts as EXPIRED although PENDING is stored, so it is a part of its
 * own. `verified_at` is set exactly when the status is VERIFIED, so it splits the same way.
 */
import { type IntentOrder, intentOrders } from '@sanad/contract/kinds'
import type { Instant } from '../../core/clock.ts'
import { hour_ms, minute_ms } from '../../core/duration.ts'
import type { Scope } from '../../core/scope.ts'
import { type Status, statuses } from '../intent.ts'

/** A filter that is left out finds all. */
export type Filter = {
  readonly scope: Scope
  readonly statuses?: ReadonlySet<Status> | undefined
  readonly code?: string | undefined
  readonly reference?: string | undefined
  readonly externalOrderId?: string | undefined
  readonly walletId?: string | undefined
  /** Created at or after `from`, and before `until`. */
  readonly from?: Instant | undefined
  readonly until?: Instant | undefined
  /** Each must occur in the code, the order id or the reference. They are folded (`fold`). */
  readonly terms: readonly string[]
}

/** All intents of the account. */
export const noFilter = (scope: Scope): Filter => ({ scope, terms: [] })

/** All intents created since an instant, of one wallet or of all. */
export const createdSince = (scope: Scope, from: Instant, walletId?: string): Filter => ({
  ...noFilter(scope),
  walletId,
  from,
})

export { intentOrders as orderFields }
export type OrderField = IntentOrder
export type Order = { readonly field: OrderField; readonly down: boolean }

/** The rows of one stored status that have one status now. `window`: which of the PENDING rows. */
export type Part = {
  readonly stored: Status
  readonly shown: Status
  readonly window: 'open' | 'closed' | undefined
}

const allParts: readonly Part[] = [
  ...statuses
    .filter((status) => status !== 'PENDING')
    .map((status): Part => ({ stored: status, shown: status, window: undefined })),
  { stored: 'PENDING', shown: 'PENDING', window: 'open' },
  { stored: 'PENDING', shown: 'EXPIRED', window: 'closed' },
]

export const partsOf = (wanted: ReadonlySet<Status> | undefined): readonly Part[] =>
  wanted === undefined ? allParts : allParts.filter((part) => wanted.has(part.shown))

/** Undefined: one query, in the order of an index. */
export const splitByStatus = (filter: Filter, order: readonly Order[]): readonly Part[] | undefined => {
  const ordersByStatus = order.some(({ field }) => field === 'status' || field === 'verified_at')
  return filter.statuses === undefined && !ordersByStatus ? undefined : partsOf(filter.statuses)
}

/** Filters that find a handful of rows, which are counted one by one, not from the tallies. */
export const findsFew = (filter: Filter): boolean =>
  filter.scope.wallets !== null ||
  filter.scope.today !== null ||
  filter.code !== undefined ||
  filter.reference !== undefined ||
  filter.externalOrderId !== undefined ||
  filter.terms.length > 0

/** How the intents of a period are counted. */
export type CountPlan = {
  /** Whole hours that are read from the tallies. */
  readonly tallied: { readonly from: Instant; readonly until: Instant } | undefined
  /** Whole minutes in which no more intents can be created: counted once, then cached. Only for a filter without a status. */
  readonly final: { readonly from: Instant; readonly until: Instant } | undefined
  /** The rest, counted row by row. */
  readonly counted: readonly { readonly from: Instant | undefined; readonly until: Instant | undefined }[]
}

/** `finalUntil`: no more intents can be created before this instant. Left out if the filter has a status. */
export const countPlanOf = (
  from: Instant | undefined,
  until: Instant | undefined,
  talliedUntil: Instant,
  finalUntil = Number.NEGATIVE_INFINITY,
): CountPlan => {
  const end = until ?? Number.POSITIVE_INFINITY
  const first = from === undefined ? Number.NEGATIVE_INFINITY : Math.ceil(from / hour_ms) * hour_ms
  const last = Math.min(Math.floor(end / hour_ms) * hour_ms, talliedUntil)
  if (first >= last) return { tallied: undefined, final: undefined, counted: [{ from, until }] }
  const counted: { from: Instant | undefined; until: Instant | undefined }[] = []
  if (from !== undefined && from < first) counted.push({ from, until: first })
  const finalEnd = Math.floor(Math.min(end, finalUntil) / minute_ms) * minute_ms
  const final = finalEnd > last ? { from: last, until: finalEnd } : undefined
  const rest = final?.until ?? last
  if (rest < end) counted.push({ from: rest, until })
  return { tallied: { from: first, until: last }, final, counted }
}
