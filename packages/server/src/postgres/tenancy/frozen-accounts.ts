/**
 * Which accounts are frozen, as this process last read it. Calls of a frozen account are answered with 503 by it. That they write
 * nothing does not depend on it: the triggers refuse (guard-tables.ts).
 */
import type { Db } from '../connection/database.ts'
import { frozenAccounts } from './freeze-sql.ts'

export type FrozenAccounts = {
  has(accountId: string): boolean
  stop(): Promise<void>
}

const every_ms = 1_000

export const watchFrozenAccounts = async (db: Db): Promise<FrozenAccounts> => {
  let frozen: ReadonlySet<string> = new Set()
  let reading: Promise<void> | undefined
  const read = async (): Promise<void> => {
    const rows = await frozenAccounts(db)
    frozen = new Set(rows.map(({ account_id }) => account_id))
  }
  await read()
  // While the database does not answer, no call is answered from it either.
  const timer = setInterval(() => {
    reading ??= read()
      .catch(() => {})
      .finally(() => {
        reading = undefined
      })
  }, every_ms)
  timer.unref()
  return {
    has: (accountId) => frozen.size > 0 && frozen.has(accountId),
    async stop() {
      clearInterval(timer)
      await reading
    },
  }
}
