/** Reads alerts for the dashboard: a page, one alert, its related alerts, and the counts of the queue. */

import { type AlertFilter, type AlertPage, largestPage, type QueueState } from '../../alerts/alert-list.ts'
import type { AccountId } from '../../core/ids.ts'
import type { Session } from '../../postgres/connection/database.ts'
import { readRows } from '../../postgres/query/statement.ts'
import { countQueue, pageColumns, pageQuery, relatedAlerts, type ShownAlert, shownAlerts } from './alert-list-sql.ts'

/** `next`: the alert after which the next page begins; null: this was the last page. */
export const listAlerts = async (
  db: Session,
  filter: AlertFilter,
  requested: AlertPage,
): Promise<{ readonly alerts: ShownAlert[]; readonly next: string | null }> => {
  const page = { ...requested, size: Math.min(requested.size, largestPage) }
  const rows = readRows(pageColumns, await db.run(pageQuery(filter, page)))
  const ids = rows.filter(({ end }) => !end).map(({ id }) => id)
  const here = ids.slice(0, page.size)
  const found = new Map((await shownAlerts(db, filter.accountId, here)).map((row) => [row.id, row]))
  const next = ids.length > page.size ? here.at(-1) : rows.find(({ end }) => end)?.id
  return { alerts: here.flatMap((id) => found.get(id) ?? []), next: next ?? null }
}

export const findAlert = async (db: Session, accountId: AccountId, id: string): Promise<ShownAlert | undefined> =>
  (await shownAlerts(db, accountId, [id]))[0]

const mostRelated = 10

export const relatedTo = async (db: Session, accountId: AccountId, alert: ShownAlert): Promise<ShownAlert[]> =>
  alert.identity === null || alert.reference_key === null
    ? []
    : relatedAlerts(db, accountId, alert.identity, alert.reference_key, alert.id, mostRelated)

const mostCounted = 1000

export type QueueCounts = Readonly<Record<QueueState, { readonly count: number; readonly more: boolean }>>

export const queueCounts = async (db: Session, accountId: AccountId): Promise<QueueCounts> => {
  const rows = await countQueue(db, accountId, mostCounted + 1)
  return Object.fromEntries(
    rows.map(({ state, found }) => [state, { count: Math.min(found, mostCounted), more: found > mostCounted }]),
  ) as QueueCounts
}
