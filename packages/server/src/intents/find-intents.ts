/** Retrieves intents by id; requests of the same instant share one statement. */
import type { AccountId } from '../ground/ids.ts'
import type { Db, Session } from '../postgres/database.ts'
import { gather } from '../postgres/gather.ts'
import type { Intent } from './intent.ts'
import { findIntents, intentOf } from './intent-sql.ts'

export type FindIntent = (accountId: AccountId, id: string) => Promise<Intent | undefined>

type Asked = { readonly accountId: AccountId; readonly id: string }

const find = async (session: Session, asked: readonly Asked[]): Promise<(Intent | undefined)[]> => {
  const rows = await findIntents(session, asked)
  const found = new Map(rows.map((row) => [`${row.account_id}/${row.id}`, intentOf(row)]))
  return asked.map((one) => found.get(`${one.accountId}/${one.id}`))
}

export const intentFinder = (db: Db): FindIntent => {
  const findShared = gather<Asked, Intent | undefined>({
    together: (asked) => find(db, asked),
    alone: async (one) => (await find(db, [one]))[0],
    most: 64,
    parallel: 3,
  })
  return (accountId, id) => findShared({ accountId, id })
}
