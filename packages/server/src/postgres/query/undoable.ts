/**
 * A transaction under way for functions that rely on a failed statement or transaction of theirs being undone: each is a
 * savepoint, so that one that fails leaves nothing behind and the rest can go on. Without it PostgreSQL refuses everything after
 * the first fault.
 */
import type { Db } from '../connection/database.ts'
import type { JoinedDb } from './joined.ts'

/** Its users must not run two things at once. */
export const withSavepoints = (db: JoinedDb): Db => {
  const run: Db['run'] = (query) => db.attempt(() => db.run(query))
  return {
    ...db,
    run,
    pipelined: () => ({ run }),
    transaction: (work, locks) => db.attempt(() => db.transaction(work, locks)),
  }
}
