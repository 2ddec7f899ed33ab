/**
 * A single connection for long statements (migrations): a statement may take as long as PostgreSQL works on it, and fails soon if
 * the connection or PostgreSQL is dead.
 */
import type pg from 'pg'
import { day_ms, hour_ms } from '../../core/duration.ts'
import { connectorTo } from './connector.ts'
import { unavailableOr } from './unavailable.ts'
import { type WatchLimits, watchConnections, watchDefaults } from './watch-connections.ts'

export type WatchedClient = {
  query<R extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<pg.QueryResult<R>>
  end(): Promise<void>
}

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
    limits: { ...watchDefaults, statement_ms: hour_ms, transaction_ms: day_ms, ...limits },
    // The statement that fails throws to the caller.
    onFault: () => {},
  })
  watch.opened(client)
  watch.acquired(client)
  const watched = watch.inUse(client)
  return {
    async query<R extends pg.QueryResultRow>(text: string, values?: unknown[]) {
      watched.sent()
      try {
        return await client.query<R>(text, values)
      } catch (fault) {
        throw unavailableOr(fault)
      } finally {
        watched.answered()
      }
    },
    async end() {
      watch.end()
      watch.released(client, false)
      await client.end()
    },
  }
}
