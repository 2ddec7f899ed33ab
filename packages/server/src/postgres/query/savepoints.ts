/**
 * Savepoints inside a transaction that is under way. For functions that go on after a failed statement or transaction: each of
 * their statements and transactions runs in a savepoint, so that a failed one is undone and the rest can go on. Without
 * savepoints PostgreSQL refuses every statement after the first fault.
 */
import type { Db } from '../connection/database.ts'
import type { JoinedDb } from './joined.ts'

/** The caller must not run two statements or transactions at once. */
export const withSavepoints = (db: JoinedDb): Db => {
  const run: Db['run'] = (query) => db.attempt(() => db.run(query))
  return {
    ...db,
    run,
    pipelined: () => ({ run }),
    transaction: (work, locks) => db.attempt(() => db.transaction(work, locks)),
  }
}
