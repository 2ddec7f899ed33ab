/** Reads a page of the counter's roll: the money that arrived in real wallets, with its companies, hand-overs and repetitions. */

import type { Instant } from '../../core/clock.ts'
import type { AlertId, IntentId } from '../../core/ids.ts'
import { type Scope, wholeOf } from '../../core/scope.ts'
import { handoversOf } from '../../intents/handover-sql.ts'
import type { Session } from '../../postgres/connection/database.ts'
import type { RowOf } from '../../postgres/query/statement.ts'
import { type ShownAlert, shownAlerts } from '../alerts/alert-list-sql.ts'
import { withSamePayments } from '../alerts/list-alerts.ts'
import { companiesOfWallets, repeatsOf, rollEnd, rollIds, undoableIds } from './roll-sql.ts'

/** How many repetitions of an alert are named. */
export const mostRepeats = 20

type Company = RowOf<typeof companiesOfWallets.columns>
type Mark = RowOf<typeof handoversOf.columns>

export type RollRow = {
  readonly alert: ShownAlert
  readonly company: Company
  readonly handedOver: Mark | undefined
  readonly repeats: readonly AlertId[]
}

/** `after`: the alert after which the page begins; undefined: the newest. */
export const listRoll = async (
  db: Session,
  scope: Scope,
  size: number,
  after?: string,
): Promise<{ readonly rows: RollRow[]; readonly next: string | null }> => {
  const found = (await rollIds(db, scope, after, size + 1)).map(({ id }) => id)
  const ids = found.slice(0, size)
  const rows = await rowsOf(db, scope, ids)
  if (found.length > size) return { rows, next: ids.at(-1) ?? null }
  const [end] = await rollEnd(db, scope, after)
  return { rows, next: end?.id ?? null }
}

/** The entries of sales that can still be undone, wherever on the roll they are. */
export const listUndoable = async (db: Session, scope: Scope, most: number, now: Instant): Promise<RollRow[]> =>
  rowsOf(
    db,
    scope,
    (await undoableIds(db, scope, now, most)).map(({ id }) => id),
  )

const rowsOf = async (db: Session, scope: Scope, ids: readonly AlertId[]): Promise<RollRow[]> => {
  if (ids.length === 0) return []
  const alerts = await withSamePayments(db, scope, await shownAlerts(db, scope, ids))
  const wallets = [...new Set(alerts.flatMap(({ wallet_id }) => wallet_id ?? []))]
  const companies = new Map((await companiesOfWallets(db, scope, wallets)).map((row) => [row.wallet_id, row]))
  const intents = alerts.flatMap(({ intent_id }) => intent_id ?? [])
  const marks = new Map((await handoversOf(db, wholeOf(scope), intents)).map((row) => [row.intent_id, row]))
  const repeats = Map.groupBy(await repeatsOf(db, scope, ids, mostRepeats), ({ of }) => of)
  const byId = new Map(alerts.map((alert) => [alert.id, alert]))
  return ids.flatMap((id) => {
    const alert = byId.get(id)
    const company = companies.get(alert?.wallet_id ?? '')
    if (alert === undefined || company === undefined) return []
    const handedOver = marks.get(alert.intent_id as IntentId)
    return [{ alert, company, handedOver, repeats: (repeats.get(id) ?? []).map((repeat) => repeat.id) }]
  })
}
