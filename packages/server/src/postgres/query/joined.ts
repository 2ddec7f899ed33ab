/**
 * A transaction that is under way, for verbs that would begin one of their own: they join it, and everything they write is
 * kept or undone with the rest. Their locks are taken where they would have taken them, before anything else they do.
 */
import type { Db, RawQuery, Tx } from '../connection/database.ts'

/** A transaction under way, as verbs see it. */
export type Joined = Db & Pick<Tx, 'attempt'>

export const joined = (tx: Tx): Joined => ({
  inTransaction: false,
  attempt: tx.attempt,
  run: tx.run,
  async transaction(work, locks = []) {
    if (locks.length > 0)
      await tx.run({
        text: 'select count(pg_advisory_xact_lock(key)) from unnest($1::bigint[]) as k (key)',
        values: [`{${locks.join(',')}}`],
      })
    // What it leaves for its end is written at its end: whoever goes on in the same transaction sees it.
    const last: RawQuery[] = []
    const value = await work({ ...tx, atEnd: (query) => void last.push(query) })
    await Promise.all(last.map((query) => tx.run(query)))
    return value
  },
  close: () => Promise.reject(new Error('a transaction under way cannot be closed from inside')),
})
