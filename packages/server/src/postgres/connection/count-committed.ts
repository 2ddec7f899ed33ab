/**
 * A pool that reports statements of its own choice once they are committed, each once: a statement of a transaction that failed, or
 * that was undone to a savepoint, is not reported. If the connection broke at the commit, its outcome is unknown and nothing is
 * reported.
 */
import type { Pool, RawQuery, RawRow, Session, Tx } from './database.ts'

export type CommittedStatement = {
  readonly query: RawQuery
  /** Empty if the statement was sent together with the commit. */
  readonly rows: readonly RawRow[]
  readonly atEnd: boolean
}

export const countCommitted = (
  pool: Pool,
  /** Whether statements with this name, and thus with this text, are reported. */
  isCounted: (name: string, text: string) => boolean,
  onCommitted: (statement: CommittedStatement) => void,
): Pool => {
  const counts = ({ name, text }: RawQuery): boolean => name !== undefined && isCounted(name, text)
  const counted = (session: Session): Session => ({
    run(query) {
      const answer = session.run(query)
      return counts(query)
        ? answer.then((rows) => {
            onCommitted({ query, rows, atEnd: false })
            return rows
          })
        : answer
    },
  })
  return {
    ...pool,
    run: counted(pool).run,
    pipelined: (slow_ms) => counted(pool.pipelined(slow_ms)),
    async transaction(work, locks) {
      const done: CommittedStatement[] = []
      const countedTx = (tx: Tx): Tx => ({
        run(query) {
          const answer = tx.run(query)
          return counts(query)
            ? answer.then((rows) => {
                done.push({ query, rows, atEnd: false })
                return rows
              })
            : answer
        },
        atEnd(query) {
          tx.atEnd(query)
          if (counts(query)) done.push({ query, rows: [], atEnd: true })
        },
        attempt: (attempted) => {
          const before = done.length
          return tx.attempt(attempted).catch((fault) => {
            done.length = before
            throw fault
          })
        },
      })
      const value = await pool.transaction((tx) => work(countedTx(tx)), locks)
      for (const statement of done) onCommitted(statement)
      return value
    },
  }
}
