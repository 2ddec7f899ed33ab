/**
 * A single connection for long statements (migrations): each may take as long as PostgreSQL works on it, and fails soon when the
 * connection or PostgreSQL is dead.
 */
import type pg from 'pg'
import { connectorTo } from './connector.ts'
import { unavailableOr } from './unavailable.ts'
import { type WatchLimits, watchConnections, watchDefaults } from './watch-connections.ts'

export type WatchedClient = {
  query<R extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<pg.QueryResult<R>>
  end(): Promise<void>
}

const hour_ms = 3_600_000

export const openWatchedClient = async (
  url: string,
  application: string,
  limits: Partial<WatchLimits> = {},
): Promise<WatchedClient> => {
  const connector = connectorTo(url)
  const client = await connector.open({ application_name: application })
  const watch = watchConnections({
    connector,
    application,
    limits: { ...watchDefaults, statement_ms: hour_ms, transaction_ms: 24 * hour_ms, ...limits },
    // The caller learns it from the statement that fails.
    onFault: () => {},
  })
  watch.opened(client)
  watch.acquired(client)
  const held = watch.held(client)
  return {
    async query<R extends pg.QueryResultRow>(text: string, values?: unknown[]) {
      held.sent()
      try {
        return await client.query<R>(text, values)
      } catch (fault) {
        throw unavailableOr(fault)
      } finally {
        held.answered()
      }
    },
    async end() {
      watch.end()
      watch.released(client, false)
      await client.end()
    },
  }
}
