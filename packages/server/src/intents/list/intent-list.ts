/**
 * The filters and the order of a list of intents, and how its query is split into parts that an index returns in order. Pure.
 *
 * A list that filters or orders by status is read status by status: within one stored status the rows are in the order
 * of their ids. An intent whose window has closed counts as EXPIRED although PENDING is stored, so it is a part of its
 * own. `verified_at` is set exactly when the status is VERIFIED, so it splits the same way.
 */
import { type IntentOrder, intentOrders } from '@sanad/contract/kinds'
import type { Instant } from '../../core/clock.ts'
import { hour_ms } from '../../core/duration.ts'
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
  /** Finds terms of one to three characters in all intents, not only in the newest: for exports. */
  readonly everyRow?: boolean
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

type Hours = { readonly from: Instant; readonly until: Instant }

/** A part of an hour, read row by row. `sign`: whether it is added, or taken away from an hour that is counted whole. */
type RowRange = { readonly from: Instant; readonly until: Instant; readonly sign: '+' | '-' }

/** How the intents of a period are counted: whole hours from stored counts, the hours in which it begins and ends also row by row. */
export type CountPlan = {
  /** Whole hours in which nothing changes any more, from the tallies. */
  readonly tallied: Hours | undefined
  /** The hours since, from the counts that follow every change. */
  readonly counted: Hours | undefined
  /** At most half an hour each, unless the period lies within one hour. */
  readonly rows: readonly RowRange[]
}

/** The whole hours of a period, and what must be added or taken away at its ends, whichever is less time. */
export const countPlanOf = (
  from: Instant | undefined,
  until: Instant | undefined,
  talliedUntil: Instant,
  now: Instant,
): CountPlan => {
  const rows: RowRange[] = []
  let [first, end] = [from ?? Number.NEGATIVE_INFINITY, until ?? Number.POSITIVE_INFINITY]
  // No intent is so far in the future, and PostgreSQL reads no such time.
  if (first > lastHour) return { tallied: undefined, counted: undefined, rows: [] }
  if (from !== undefined && until !== undefined && (from >= until || hourOf(from) === hourOf(until)))
    return { tallied: undefined, counted: undefined, rows: from >= until ? [] : [{ from, until, sign: '+' }] }
  if (from !== undefined && from !== hourOf(from)) {
    const [begin, next] = [hourOf(from), hourOf(from) + hour_ms]
    const isShortBefore = from - begin < Math.min(next, now) - from
    first = isShortBefore ? begin : next
    rows.push(isShortBefore ? { from: begin, until: from, sign: '-' } : { from, until: next, sign: '+' })
  }
  if (until !== undefined && until !== hourOf(until)) {
    const [begin, next] = [hourOf(until), hourOf(until) + hour_ms]
    const isShortAfter = Math.min(next, now) - until < until - begin
    end = isShortAfter ? next : begin
    rows.push(isShortAfter ? { from: until, until: next, sign: '-' } : { from: begin, until, sign: '+' })
  }
  if (end > lastHour) end = Number.POSITIVE_INFINITY
  const hours = (a: Instant, b: Instant): Hours | undefined => (a < b ? { from: a, until: b } : undefined)
  return {
    tallied: hours(first, Math.min(end, talliedUntil)),
    counted: hours(Math.max(first, talliedUntil), end),
    rows,
  }
}

const lastHour = Date.parse('9999-12-31T00:00:00Z')
const hourOf = (at: Instant): Instant => Math.floor(at / hour_ms) * hour_ms

/**
 * The stored statuses whose counts a filter adds up, and what must be added (1) or taken away (-1): the intents that are stored as
 * PENDING although their window has closed.
 */
export const countedStatuses = (
  wanted: ReadonlySet<Status> | undefined,
): { readonly stored: readonly Status[] | undefined; readonly overdue: -1 | 0 | 1 } => {
  if (wanted === undefined) return { stored: undefined, overdue: 0 }
  const [pending, expired] = [wanted.has('PENDING'), wanted.has('EXPIRED')]
  return {
    stored: statuses.filter((status) => wanted.has(status)),
    overdue: pending === expired ? 0 : pending ? -1 : 1,
  }
}
