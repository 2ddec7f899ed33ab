/**
 * A session whose statements follow each other on one connection without waiting for each other's answers: PostgreSQL begins the
 * next one as soon as it has committed the one before, which saves a round trip. Each statement is its own transaction; if one
 * fails, the ones after it do not. If the connection breaks, the outcome of all statements that were sent is unknown, and all
 * fail.
 *
 * A statement is never sent behind one that has already taken long and may wait for a lock: it gets another connection.
 *
 * Measured with and without: with 4 concurrent requests 1.2 times as many creates a second (docs/decisions/0003).
 */
import type pg from 'pg'
import { isReadOnly } from './unavailable.ts'
import type { ConnectionInUse } from './watch-connections.ts'
import type { RawQuery, RawRow } from './wire-query.ts'

type Pipeline = {
  readonly connection: Promise<Connection>
  /** When each unanswered statement was sent, the oldest first. */
  readonly sent: number[]
  readonly openedAt: number
}

type Connection = { readonly client: pg.PoolClient; readonly watched: ConnectionInUse; release(): void; fault?: Error }

/** After this time the connection goes back to the pool: otherwise a busy one would look like a transaction that never ends. */
const mostAge_ms = 1_000

export const pipelined = (deps: {
  readonly connect: () => Promise<pg.PoolClient>
  readonly inUse: (client: pg.PoolClient) => ConnectionInUse
  readonly send: (client: pg.PoolClient, query: RawQuery) => Promise<RawRow[]>
  /** From this age on a statement is slow: no other is sent behind it. */
  readonly slow_ms: number
  /** Translates a fault into one that the rest of the service knows. */
  readonly translateFault: (fault: unknown) => unknown
}): { run(query: RawQuery): Promise<RawRow[]> } => {
  let current: Pipeline | undefined

  const open = async (): Promise<Connection> => {
    const client = await deps.connect()
    // A connection that breaks emits an error; without a listener it would end the process.
    const breaks = (fault: Error): void => {
      connection.fault = fault
    }
    client.on('error', breaks)
    const connection: Connection = {
      client,
      watched: deps.inUse(client),
      release() {
        client.off('error', breaks)
        client.release(connection.fault)
      },
    }
    return connection
  }

  const pipelineFor = (now: number): Pipeline => {
    const isUsable =
      current !== undefined && now - (current.sent[0] ?? now) < deps.slow_ms && now - current.openedAt < mostAge_ms
    if (!isUsable) current = { connection: open(), sent: [], openedAt: now }
    return current!
  }

  /** Answers come in the order of the statements. */
  const onAnswered = (pipeline: Pipeline, connection: Connection | undefined): void => {
    pipeline.sent.shift()
    connection?.watched.answered()
    if (pipeline.sent.length > 0) return
    if (current === pipeline) current = undefined
    connection?.release()
  }

  return {
    async run(query) {
      const now = performance.now()
      const pipeline = pipelineFor(now)
      pipeline.sent.push(now)
      let connection: Connection | undefined
      try {
        connection = await pipeline.connection
        connection.watched.sent()
        return await deps.send(connection.client, query)
      } catch (fault) {
        if (connection !== undefined && isReadOnly(fault)) connection.fault = fault as Error
        throw deps.translateFault(fault)
      } finally {
        onAnswered(pipeline, connection)
      }
    },
  }
}
