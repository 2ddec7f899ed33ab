/**
 * A transaction under way for verbs that count on a statement or a transaction of theirs being undone when it fails: each
 * is a savepoint, so that one that fails leaves nothing behind and the rest can go on. Without it PostgreSQL refuses
 * everything after the first fault.
 */
import type { Db } from './database.ts'

/** `db`: a transaction under way (joined.ts). Its verbs must not do two things at once. */
export const undoable = (db: Db): Db => {
  const say = (text: string) => db.run({ text, values: [] })
  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    await say('savepoint theirs')
    try {
      const value = await work()
      await say('release savepoint theirs')
      return value
    } catch (fault) {
      await say('rollback to savepoint theirs')
      throw fault
    }
  }
  return {
    ...db,
    run: (query) => guarded(() => db.run(query)),
    transaction: (work, locks) => guarded(() => db.transaction(work, locks)),
  }
}
