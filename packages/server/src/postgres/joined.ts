/**
 * A transaction that is under way, for verbs that would begin one of their own: they join it, and everything they write is
 * kept or undone with the rest. Their locks are taken where they would have taken them, before anything else they do.
 */
import type { Db, Tx } from './database.ts'

export const joined = (tx: Tx): Db => ({
  inTransaction: false,
  run: tx.run,
  async transaction(work, locks = []) {
    if (locks.length > 0)
      await tx.run({
        text: 'select count(pg_advisory_xact_lock(key)) from unnest($1::bigint[]) as k (key)',
        values: [`{${locks.join(',')}}`],
      })
    return work(tx)
  },
  close: () => Promise.reject(new Error('a transaction under way cannot be closed from inside')),
})
