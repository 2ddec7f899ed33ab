/**
 * A session whose statements follow each other on one connection without waiting for each other's answers: PostgreSQL begins
 * the next as soon as it has committed the last, and the way to us and back is saved. Each is a transaction of its own; one
 * that fails does not fail those after it. If the connection breaks, the outcome of all that were sent is unknown, and all fail.
 *
 * A statement never follows one that has already taken long (it may wait for a lock): it gets a connection of its own.
 *
 * Measured with and without: with 4 requests at a time 1.2 times as many creates a second (docs/decisions/0003).
 */
import type pg from 'pg'
import type { RawQuery, RawRow } from '../query/wire-query.ts'
import { isReadOnly } from './unavailable.ts'
import type { HeldConnection } from './watch-connections.ts'

type Line = {
  readonly connection: Promise<Connection>
  /** When each unanswered statement was sent, the oldest first. */
  readonly sent: number[]
  readonly openedAt: number
}

type Connection = { readonly client: pg.PoolClient; readonly held: HeldConnection; release(): void; fault?: Error }

/** Then the connection goes back to the pool: a busy one would otherwise look like a transaction that never ends. */
const line_ms = 1_000

export const pipelined = (deps: {
  readonly connect: () => Promise<pg.PoolClient>
  readonly held: (client: pg.PoolClient) => HeldConnection
  readonly send: (client: pg.PoolClient, query: RawQuery) => Promise<RawRow[]>
  /** A statement of this age is slow: no other is sent behind it. */
  readonly slow_ms: number
  /** Translates a fault into one that the rest of the service knows. */
  readonly understood: (fault: unknown) => unknown
}): { run(query: RawQuery): Promise<RawRow[]> } => {
  let line: Line | undefined

  const open = async (): Promise<Connection> => {
    const client = await deps.connect()
    // A connection that breaks emits an error; without a listener it would end the process.
    const breaks = (fault: Error): void => {
      connection.fault = fault
    }
    client.on('error', breaks)
    const connection: Connection = {
      client,
      held: deps.held(client),
      release() {
        client.off('error', breaks)
        client.release(connection.fault)
      },
    }
    return connection
  }

  const lineFor = (now: number): Line => {
    const isUsable = line !== undefined && now - (line.sent[0] ?? now) < deps.slow_ms && now - line.openedAt < line_ms
    if (!isUsable) line = { connection: open(), sent: [], openedAt: now }
    return line!
  }

  /** Answers come in the order of the statements. */
  const answered = (own: Line, connection: Connection | undefined): void => {
    own.sent.shift()
    connection?.held.answered()
    if (own.sent.length > 0) return
    if (line === own) line = undefined
    connection?.release()
  }

  return {
    async run(query) {
      const now = performance.now()
      const own = lineFor(now)
      own.sent.push(now)
      let connection: Connection | undefined
      try {
        connection = await own.connection
        connection.held.sent()
        return await deps.send(connection.client, query)
      } catch (fault) {
        if (connection !== undefined && isReadOnly(fault)) connection.fault = fault as Error
        throw deps.understood(fault)
      } finally {
        answered(own, connection)
      }
    },
  }
}
