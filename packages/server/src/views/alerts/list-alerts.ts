/** Reads alerts for the dashboard: a page, one alert, its related alerts, and the counts of the queue. */

import type { AlertState } from '../../alerts/alert.ts'
import { type AlertFilter, type AlertPage, largestPage, type QueueState } from '../../alerts/alert-list.ts'
import { type Scope, wholeAccount } from '../../core/scope.ts'
import { samePayments } from '../../matching/queue/same-payments.ts'
import type { Session } from '../../postgres/connection/database.ts'
import { readRows } from '../../postgres/query/statement.ts'
import {
  countQueue,
  namesOfIntents,
  pageColumns,
  pageQuery,
  relatedAlerts,
  type ShownAlert,
  shownAlerts,
} from './alert-list-sql.ts'

/** `next`: the alert after which the next page begins; null: this was the last page. */
export const listAlerts = async (
  db: Session,
  filter: AlertFilter,
  requested: AlertPage,
): Promise<{ readonly alerts: ShownAlert[]; readonly next: string | null }> => {
  const page = { ...requested, size: Math.min(requested.size, largestPage) }
  const rows = readRows(pageColumns, await db.run(pageQuery(filter, page)))
  const ids = rows.filter(({ end }) => !end).map(({ id }) => id)
  const pageIds = ids.slice(0, page.size)
  const shown = await withSamePayments(db, filter.scope, await shownAlerts(db, filter.scope, pageIds))
  const found = new Map(shown.map((row) => [row.id, row]))
  const next = ids.length > page.size ? pageIds.at(-1) : rows.find(({ end }) => end)?.id
  return { alerts: pageIds.flatMap((id) => found.get(id) ?? []), next: next ?? null }
}

export const findAlert = async (db: Session, scope: Scope, id: string): Promise<ShownAlert | undefined> =>
  (await withSamePayments(db, scope, await shownAlerts(db, scope, [id])))[0]

const mayBeUsed: readonly AlertState[] = ['waiting', 'review', 'held', 'wrong_amount', 'dismissed']

/** Adds to each alert that may still be used the spent alert that may be the same payment. */
export const withSamePayments = async (
  db: Session,
  scope: Scope,
  rows: readonly ShownAlert[],
): Promise<ShownAlert[]> => {
  // Money is compared over all wallets of the account, whichever the caller sees.
  const same = await samePayments(
    db,
    wholeAccount(scope.accountId),
    rows.filter(({ state }) => mayBeUsed.includes(state)),
  )
  const spent = new Map(
    [...same].flatMap(([id, others]) => {
      const [first] = others.flatMap(({ id, spent, intentId }) => (spent ? [{ id, intentId }] : []))
      return first === undefined ? [] : [[id, first] as const]
    }),
  )
  if (spent.size === 0) return [...rows]
  const intents = await namesOfIntents(
    db,
    scope,
    [...spent.values()].flatMap(({ intentId }) => intentId ?? []),
  )
  const names = new Map(intents.map((row) => [row.id, row]))
  return rows.map((row) => {
    const same = spent.get(row.id)
    if (same === undefined) return row
    const { code = null, external_order_id: order = null } = (same.intentId && names.get(same.intentId)) || {}
    return { ...row, same_payment: { id: same.id, intent: same.intentId, code, order } }
  })
}

const mostRelated = 10

export const relatedTo = async (db: Session, scope: Scope, alert: ShownAlert): Promise<ShownAlert[]> =>
  alert.identity === null || alert.reference_key === null
    ? []
    : relatedAlerts(db, scope, alert.identity, alert.reference_key, alert.id, mostRelated)

const mostCounted = 1000

export type QueueCounts = Readonly<Record<QueueState, { readonly count: number; readonly more: boolean }>>

export const queueCounts = async (db: Session, scope: Scope): Promise<QueueCounts> => {
  const rows = await countQueue(db, scope, mostCounted + 1)
  return Object.fromEntries(
    rows.map(({ state, found }) => [state, { count: Math.min(found, mostCounted), more: found > mostCounted }]),
  ) as QueueCounts
}
