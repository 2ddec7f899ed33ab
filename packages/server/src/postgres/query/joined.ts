/**
 * Presents a transaction that is under way as a `Db`, for functions that would begin a transaction of their own: they join it, and
 * all that they write is committed or rolled back with the rest. Their locks are taken before anything else they do, as in a
 * transaction of their own.
 */
import type { Db, RawQuery, Tx } from '../connection/database.ts'

/** The transaction under way; `transaction` runs inside it. */
export type JoinedDb = Db & Tx

export const joinTransaction = (tx: Tx): JoinedDb => ({
  attempt: tx.attempt,
  atEnd: tx.atEnd,
  run: tx.run,
  async transaction(work, locks = []) {
    if (locks.length > 0)
      await tx.run({
        text: 'select count(pg_advisory_xact_lock(key)) from unnest($1::bigint[]) as k (key)',
        values: [`{${locks.join(',')}}`],
      })
    // Statements for the end of the work run here, not at the commit: the rest of the transaction must see their changes.
    const endQueries: RawQuery[] = []
    const value = await work({ ...tx, atEnd: (query) => void endQueries.push(query) })
    await Promise.all(endQueries.map((query) => tx.run(query)))
    return value
  },
  pipelined: () => ({ run: tx.run }),
  close: () => Promise.reject(new Error('a transaction under way cannot be closed from inside')),
})
