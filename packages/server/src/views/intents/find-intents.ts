/** Finds intents by id, each with the alert that resolved it; requests of the same moment share one statement. */
import type { AccountId } from '../../core/ids.ts'
import { type Scope, seesWallet } from '../../core/scope.ts'
import type { Intent } from '../../intents/intent.ts'
import { findIntents, findMatched, intentOf, noneMatched } from '../../intents/intent-sql.ts'
import { isOfDay } from '../../intents/intent-today.ts'
import type { Db, Session } from '../../postgres/connection/database.ts'
import { gather } from '../../postgres/query/gather.ts'

export type FindIntent = (scope: Scope, id: string) => Promise<Intent | undefined>

type IntentKey = { readonly accountId: AccountId; readonly id: string }

const find = async (session: Session, keys: readonly IntentKey[]): Promise<(Intent | undefined)[]> => {
  const rows = await findIntents(session, keys)
  const resolved = rows.flatMap(({ account_id: accountId, alert_id: alertId }) =>
    alertId === null ? [] : [{ accountId, alertId }],
  )
  // The alert that resolved an intent never changes, so it may be read a moment later.
  const matched = new Map(
    resolved.length === 0 ? [] : (await findMatched(session, resolved)).map((row) => [row.matched_id, row]),
  )
  const found = new Map(
    rows.map((row) => {
      const alert = row.alert_id === null ? noneMatched : matched.get(row.alert_id)
      if (alert === undefined) throw new Error(`intent ${row.id} has no alert ${row.alert_id}`)
      return [`${row.account_id}/${row.id}`, intentOf({ ...row, ...alert })]
    }),
  )
  return keys.map(({ accountId, id }) => found.get(`${accountId}/${id}`))
}

export const intentFinder = (db: Db): FindIntent => {
  const findShared = gather<IntentKey, Intent | undefined>({
    together: (keys) => find(db, keys),
    alone: async (key) => (await find(db, [key]))[0],
    most: 64,
    parallel: 3,
  })
  return async (scope, id) => {
    const intent = await findShared({ accountId: scope.accountId, id })
    return intent !== undefined && seesWallet(scope, intent.walletId) && isOfDay(scope, intent) ? intent : undefined
  }
}
